"""The units on which annotators differ, the sheet that lists them, and what filled sheets decide."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from reportgen.annotators.adjudication_sheets import (
    ANSWERS,
    CAUSES,
    CONTEXT,
    LABELS,
    PLACE,
    NameLookup,
    SheetRow,
    Span,
    after,
    annotator_columns,
    before,
    cause_of,
    covered,
    plain,
    possible,
    read,
    read_sheet,
    shown,
    spelling,
    written,
)
from reportgen.base.errors import BadInput, Problem, did_you_mean
from reportgen.readers import NO_DOCUMENT, Annotations, Codes, TextMarks
from reportgen.results.model import csv_text
from reportgen.units import (
    NO_PLACE,
    CodedUnits,
    MarkedTexts,
    Mask,
    Request,
    disputed,
    find_controls,
    from_ratings,
    natural_order,
)

NOTHING: Mapping[int, str] = {}


@dataclass(frozen=True, eq=False)
class SheetUnits:
    """The units of one layer with everybody's labels, whatever unit sets the campaign declares.

    `units` are the stretches that somebody marked, or the units of a table; `texts` those of the
    documents, empty where the export has none; `labels` the labels of single marks; `separator` stands
    between the labels of a unit that has several; `known` (units,) tells which are control items, whose
    label nobody has to decide.
    """

    units: CodedUnits
    texts: tuple[str, ...]
    labels: tuple[str, ...]
    separator: str
    known: Mask | None = None

    @property
    def layer(self) -> str:
        """Return the layer's name."""
        return self.units.layer

    @property
    def named(self) -> bool:
        """Say whether a sheet can say which unit it means."""
        place = self.units.unit_place
        return not len(place) or bool((place != NO_PLACE).any())

    @cached_property
    def in_dispute(self) -> Codes:
        """Return the units (numbers) on which annotators differ, by document and place; no control item."""
        found = disputed(self.units)
        found = found if self.known is None else found[~self.known[found]]
        return found[np.argsort(self.units.unit_document[found], kind="stable")]

    @cached_property
    def documents(self) -> NameLookup:
        """Return the names of documents."""
        return NameLookup(self.units.documents)

    @cached_property
    def categories(self) -> tuple[str, ...]:
        """Return what can be decided: the categories of the layer, and the non-annotated one."""
        absent = self.units.non_annotated_name
        return tuple(dict.fromkeys((*self.units.categories, *([absent] if absent else []))))

    def document_of(self, unit: int) -> str:
        """Return the name of a unit's document, empty where it has none."""
        code = int(self.units.unit_document[unit])
        return "" if code == NO_DOCUMENT else self.units.documents[code]

    @cached_property
    def _order(self) -> tuple[Codes, Codes]:
        """Return the ratings sorted by unit, and where those of each unit start."""
        order = np.argsort(self.units.unit, kind="stable")
        numbers = np.arange(len(self.units.unit_weight) + 1)
        return order, np.searchsorted(self.units.unit[order], numbers)

    def rated(self, unit: int) -> dict[str, str]:
        """Return who gave which label to a unit."""
        order, starts = self._order
        here = order[starts[unit] : starts[unit + 1]]
        who, what = self.units.annotator[here].tolist(), self.units.label[here].tolist()
        return {
            self.units.annotators[each]: self.units.categories[label]
            for each, label in zip(who, what, strict=True)
        }

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return what the units are called, those without a name by their number in their document."""
        if self.texts:
            return ("",) * len(self.units.unit_weight)
        place = self.units.unit_place.tolist()
        given = [self.units.places.names[each] if each != NO_PLACE else "" for each in place]
        return tuple(_each_named(self.units.unit_document.tolist(), given))

    @cached_property
    def by_name(self) -> Mapping[int, tuple[NameLookup, list[int]]]:
        """Return for each document (code) the names of its units, and the units in the same order."""
        members: dict[int, list[int]] = {}
        for unit in np.flatnonzero(self.units.unit_place != NO_PLACE).tolist():
            members.setdefault(int(self.units.unit_document[unit]), []).append(unit)
        return {
            document: (NameLookup(self.names[unit] for unit in units), units)
            for document, units in members.items()
        }

    def spans_of(self, units: Codes) -> list[tuple[Span, ...]]:
        """Return the stretches of some units, none for those of a table."""
        places = self.units.places
        wanted = self.units.unit_place[units]
        first, last = (np.searchsorted(places.unit, wanted, side=side) for side in ("left", "right"))
        start, end = places.start, places.end
        return [
            tuple(zip(start[low:high].tolist(), end[low:high].tolist(), strict=True))
            for low, high in zip(first.tolist(), last.tolist(), strict=True)
        ]

    @cached_property
    def by_place(self) -> Mapping[tuple[int, tuple[Span, ...]], int]:
        """Return the unit at each place: a document (code) and stretches."""
        units = np.flatnonzero(self.units.unit_place != NO_PLACE)
        documents = self.units.unit_document[units].tolist()
        keys = zip(documents, self.spans_of(units), strict=True)
        return dict(zip(keys, units.tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class LayerAdjudication:
    """What is in dispute in one layer, and what was decided of it.

    `decisions` and `causes` are those of units, by their number. `filled` says whether there is a sheet.
    """

    sheet: SheetUnits
    decisions: Mapping[int, str] = field(default_factory=lambda: NOTHING)
    causes: Mapping[int, str] = field(default_factory=lambda: NOTHING)
    filled: bool = False

    @property
    def open(self) -> Codes:
        """Return the units (numbers) on which annotators differ and nothing was decided."""
        found = self.sheet.in_dispute
        return found[~np.isin(found, list(self.decisions))]


def units_of(annotations: Annotations, request: Request) -> SheetUnits:
    """Return the units of a layer as a sheet names them.

    Control items are among them, as a sheet may have been filled in before they were declared. Raises
    BadInput where units have several labels and nothing says which counts.
    """
    content = annotations.content
    roles = {**annotations.roles, **request.roles}
    if isinstance(content, TextMarks):
        units = MarkedTexts(annotations, content, request).by_stretch()
        texts = () if content.lengths else content.texts
        return SheetUnits(units, texts, content.labels, request.separator)
    ratings = annotations.ratings
    units, _ = from_ratings(ratings, replace(request, roles=roles, controls=None))
    return SheetUnits(units, (), ratings.labels, request.separator, find_controls(ratings, request).mask)


def _each_named(documents: Sequence[int], names: Sequence[str]) -> Iterator[str]:
    """Yield the name of each unit; one without is called by its number among those of its document."""
    taken = set(zip(documents, names, strict=True))
    times: Counter[int] = Counter()
    for document, name in zip(documents, names, strict=True):
        shown = name
        while not shown or (not name and (document, shown) in taken):
            times[document] += 1
            shown = f"#{times[document]}"
        yield shown


# The sheet that an adjudicator fills in: every disagreement that is not decided yet.


def sheet_csv(layers: Sequence[LayerAdjudication], names: Mapping[str, str]) -> str | None:
    """Return the sheet of all layers as CSV, None where no unit has a name or a place.

    `names` are the annotators' pseudonyms, if any. A cause that was noted without a decision stays.
    """
    listed = [each for each in layers if each.sheet.named]
    if not listed:
        return None
    annotators = list(dict.fromkeys(name for each in listed for name in each.sheet.units.annotators))
    columns = annotator_columns([names.get(name, name) for name in annotators])
    rows = (row for each in listed for row in _rows(each, annotators, crowd=columns == [LABELS]))
    head = (*PLACE, *CONTEXT, *columns, *ANSWERS)
    return csv_text([written(cell) for cell in head], ([written(cell) for cell in row] for row in rows))


def _rows(layer: LayerAdjudication, annotators: Sequence[str], *, crowd: bool) -> Iterator[tuple[str, ...]]:
    sheet, units = layer.sheet, layer.open
    for unit, spans in zip(units.tolist(), sheet.spans_of(units), strict=True):
        labels = sheet.rated(unit)
        given = [tallied(sheet, labels)] if crowd else [labels.get(name, "") for name in annotators]
        around = ("", "", "")
        if spans and sheet.texts:
            text = sheet.texts[int(sheet.units.unit_document[unit])]
            around = (before(text, spans[0][0]), covered(text, spans), after(text, spans[-1][1]))
        elif sheet.units.places.texts:
            text = sheet.units.places.texts[int(sheet.units.unit_place[unit])]
            around = ("", covered(text, [(0, len(text))]), "")
        where = (sheet.layer, sheet.document_of(unit), sheet.names[unit], shown(spans))
        yield (*where, *around, *given, "", layer.causes.get(unit, ""))


def tallied(sheet: SheetUnits, labels: Mapping[str, str]) -> str:
    """Return how often each label was given, in the order of the categories: "yes (3), no (2)"."""
    times = Counter(labels.values())
    return ", ".join(f"{name} ({times[name]})" for name in sheet.units.categories if name in times)


# Which unit of the exports a row of a sheet means, and whether the row still fits it.

Found = tuple[int | None, list[Problem]]

REMAKE = "Take the row from a sheet that was made of these exports."


def find_unit(row: SheetRow, sheet: SheetUnits) -> Found:
    """Return the unit (number) that a row means, or None and why it means none."""
    document, problems = _document(row, sheet)
    if document is None:
        return None, problems
    return _stretch(row, sheet, document) if sheet.texts else _named(row, sheet, document)


def _document(row: SheetRow, sheet: SheetUnits) -> Found:
    """Return the document (code) that a row names, NO_DOCUMENT where units have none and it names none."""
    cell = row.cells["document"]
    if not cell.strip() and not sheet.texts:
        return NO_DOCUMENT, []
    found = sheet.documents.find(cell)
    if found is not None:
        return found, []
    if not cell.strip():
        return None, [row.problem("document", "is empty.", REMAKE)]
    message = f'no document of layer "{sheet.layer}" is called "{plain(cell)}".'
    return None, [row.problem("document", message, did_you_mean(plain(cell), sheet.units.documents))]


def _named(row: SheetRow, sheet: SheetUnits, document: int) -> Found:
    """Return the unit of a table that a row names."""
    cell = row.cells["unit"]
    names, units = sheet.by_name.get(document, (NameLookup(()), []))
    found = names.find(cell)
    if found is not None:
        return units[found], []
    if not cell.strip():
        return None, [row.problem("unit", "is empty.", REMAKE)]
    where = f' in document "{sheet.units.documents[document]}"' if document != NO_DOCUMENT else ""
    message = f'no unit{where} is called "{plain(cell)}".'
    known = [sheet.names[unit] for unit in units]
    return None, [row.problem("unit", message, did_you_mean(plain(cell), known))]


def _stretch(row: SheetRow, sheet: SheetUnits, document: int) -> Found:
    """Return the stretch of a text that a row means by its offsets and by what they cover."""
    text = sheet.texts[document]
    meant = possible(row.cells["offsets"])
    fitting = [spans for spans in meant if _covers(row, text, spans)]
    units = [sheet.by_place.get((document, spans)) for spans in fitting]
    found = next((unit for unit in units if unit is not None), None)
    if found is not None:
        return found, []
    if fitting:
        message = f"no annotator marked {shown(fitting[0])} in this document."
        return None, [row.problem("offsets", message, REMAKE)]
    if meant:
        return None, [_other_text(row, text, meant[0])]
    return None, [_no_offsets(row, sheet, document)]


def _covers(row: SheetRow, text: str, spans: Sequence[Span]) -> bool:
    """Tell whether stretches of a text cover what a row says that they do."""
    if any(not start <= end <= len(text) for start, end in spans):
        return False
    cell = row.cells["text"]
    here = plain(covered(text, spans))
    return here in (plain(read(cell)), plain(cell)) or spelling(here) == spelling(read(cell))


def _other_text(row: SheetRow, text: str, spans: Sequence[Span]) -> Problem:
    where = shown(spans)
    message = f'is "{plain(row.cells["text"])}", but {where} is "{covered(text, spans)}".'
    if max(end for _, end in spans) > len(text):
        last = f"the document has {len(text):,} characters"
        return row.problem("offsets", f"is {shown(spans)}, but {last}.", REMAKE)
    return row.problem("text", message, REMAKE)


def _no_offsets(row: SheetRow, sheet: SheetUnits, document: int) -> Problem:
    """Return the problem of a row without offsets, with those of the only unit that covers its text."""
    text = sheet.texts[document]
    places = [spans for where, spans in sheet.by_place if where == document and _covers(row, text, spans)]
    mend = f'Write "{shown(places[0])}", in a cell that is formatted as text.' if len(places) == 1 else REMAKE
    cell = plain(row.cells["offsets"])
    found = f'is "{cell}"' if cell else "is empty"
    return row.problem("offsets", f'{found}; offsets such as "12-18" were expected.', mend)


def wrong_labels(row: SheetRow, sheet: SheetUnits, unit: int) -> Problem | None:
    """Return a problem where the annotators' labels in a row are others than those in the exports.

    Who gave which is not compared: pseudonyms may have changed since the sheet was made.
    """
    labels = sheet.rated(unit)
    given = [cell for cell in map(read, row.labels) if plain(cell)]
    if sorted(map(spelling, given)) == sorted(map(spelling, filter(plain, labels.values()))):
        return None
    now = tallied(sheet, labels)
    if [plain(cell) for cell in given] == [plain(now)]:
        return None
    shown = ", ".join(f'"{plain(cell)}"' for cell in given) or "none"
    return Problem(
        row.file,
        row.line,
        "labels of the annotators",
        f"are {shown}, but the exports have {now}.",
        "The exports have changed since the sheet was made: decide again in a new one.",
    )


def find_decision(cell: str, sheet: SheetUnits, clean: Callable[[str], str]) -> str | None:
    """Return the category that a decision names; a set of labels may name them in any order."""
    categories = NameLookup(sheet.categories)
    for text in (cell, clean(read(cell)), *_as_set(cell, sheet)):
        found = categories.find(text)
        if found is not None:
            return sheet.categories[found]
    if not sheet.texts:
        return None
    return next(_as_set(cell, sheet), None)


def _as_set(cell: str, sheet: SheetUnits) -> Iterator[str]:
    """Yield the set of labels that a cell names, where units of the layer have several."""
    if not (sheet.units.joined or sheet.units.scale == "set") or sheet.separator not in cell:
        return
    single = [name for name in dict.fromkeys((*sheet.labels, *sheet.categories)) if name != _absent(sheet)]
    known = NameLookup(single)
    found = [known.find(part) for part in read(cell).split(sheet.separator)]
    if None not in found:
        members = {single[each] for each in found if each is not None}
        yield sheet.separator.join(natural_order(members))


def _absent(sheet: SheetUnits) -> str:
    return sheet.units.non_annotated_name


# Reads filled sheets back: each row held against the exports as they are now, every problem at once.

NEW_SHEET = "Copy the row from a sheet made of these exports."


@dataclass
class _Said:
    """What the sheets say of one layer's units so far, each with the row that said it."""

    sheet: SheetUnits
    decisions: dict[int, tuple[str, SheetRow]] = field(default_factory=dict)
    causes: dict[int, tuple[str, SheetRow]] = field(default_factory=dict)


def read_decisions(
    files: Sequence[tuple[Path, str]], layers: Sequence[SheetUnits], clean: Callable[[str], str]
) -> list[LayerAdjudication]:
    """Return what filled sheets decide in each layer.

    Each file is a path and what errors call it; `clean` does to a decision what is done to the labels of
    exports. Raises BadInput, for all rows of all files at once, where a row means no unit of the exports, has
    other labels than they have, or a decision or cause that is none, and where a unit is decided twice
    differently.
    """
    said = {sheet.layer: _Said(sheet) for sheet in layers}
    problems: list[Problem] = []
    for path, name in files:
        try:
            for row in read_sheet(path, name):
                problems += _hear(row, said, clean)
        except BadInput as error:
            problems += error.problems
    if problems:
        raise BadInput(problems)
    return [
        LayerAdjudication(
            each.sheet,
            {unit: what for unit, (what, _) in each.decisions.items()},
            {unit: what for unit, (what, _) in each.causes.items()},
            filled=True,
        )
        for each in said.values()
    ]


def _hear(row: SheetRow, said: dict[str, _Said], clean: Callable[[str], str]) -> Iterator[Problem]:
    """Take down what a row says; yield what is wrong with it."""
    cause, problems = _cause(row)
    yield from problems
    layer = said.get(plain(read(row.cells["layer"])))
    if layer is None:
        yield _unknown(row, "layer", row.cells["layer"], list(said))
        return
    decision, problems = _decision(row, layer.sheet, clean)
    yield from problems
    unit, problems = find_unit(row, layer.sheet)
    yield from problems
    if unit is None:
        return
    if labels := wrong_labels(row, layer.sheet, unit):
        yield labels
    yield from _note(layer.decisions, unit, decision, row, "decision")
    yield from _note(layer.causes, unit, cause, row, "cause")


def _note(
    known: dict[int, tuple[str, SheetRow]], unit: int, what: str, row: SheetRow, column: str
) -> Iterator[Problem]:
    """Keep what was said of a unit; yield a problem where something else was said of it before."""
    if not what:
        return
    other, there = known.setdefault(unit, (what, row))
    if other != what:
        place = f"line {there.line}" if there.file == row.file else f"{there.file}, line {there.line}"
        message = f'is "{what}", but the same unit has "{other}" on {place}.'
        yield row.problem(column, message, "Keep one of the two.")


def _unknown(row: SheetRow, column: str, cell: str, known: Sequence[str]) -> Problem:
    if not cell.strip():
        return row.problem(column, "is empty.", NEW_SHEET)
    return row.problem(column, f'no {column} is called "{plain(cell)}".', did_you_mean(plain(cell), known))


def _decision(row: SheetRow, sheet: SheetUnits, clean: Callable[[str], str]) -> tuple[str, list[Problem]]:
    """Return the category that was decided on, empty where none was."""
    cell = row.cells["decision"]
    if not cell.strip():
        return "", []
    found = find_decision(cell, sheet, clean)
    if found is not None:
        return found, []
    problem = _unknown(row, "decision", cell, sheet.categories)
    message = f'"{plain(cell)}" is no category of layer "{sheet.layer}".'
    return "", [replace(problem, message=message)]


def _cause(row: SheetRow) -> tuple[str, list[Problem]]:
    """Return the cause that was noted, empty where none was."""
    cell = row.cells["cause"]
    if not cell.strip():
        return "", []
    found = cause_of(cell)
    if found is not None:
        return found, []
    mend = did_you_mean(plain(cell), CAUSES)
    return "", [row.problem("cause", f'"{plain(cell)}" is no cause that is known.', mend)]
