"""The units on which annotators differ, the sheet that lists them, and what filled sheets decide."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from itertools import chain
from pathlib import Path

import numpy as np

from reportgen.annotators.adjudication_sheets import (
    ANSWERS,
    CAUSES,
    CONTEXT,
    LABELS,
    NOTE,
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
    read_sheet,
    shown,
    spelling,
    without_controls,
)
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, did_you_mean, tried
from reportgen.base.files import from_cell
from reportgen.readers import NO_DOCUMENT, Annotations, Codes, TextMarks
from reportgen.readers.string_tables import PLACE
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
    people,
)

ANNOTATOR = "annotator"


@dataclass(frozen=True, eq=False)
class SheetUnits:
    """The units of one layer with everybody's labels, whatever unit sets the campaign declares.

    `units` are the stretches that somebody marked, or the units of a table; `texts` those of the
    documents, empty where the export has none; `labels` the labels of single marks; `separator` is
    what is between the labels of a unit that has several; `control_items` (units,) says which units are
    such, whose label nobody has to decide.
    """

    units: CodedUnits
    texts: tuple[str, ...]
    labels: tuple[str, ...]
    separator: str
    control_items: Mask | None = None

    @property
    def layer(self) -> str:
        """Return the layer's name."""
        return self.units.layer

    @property
    def named(self) -> bool:
        """Say whether a sheet can say which unit it means."""
        places = self.units.unit_place
        return not len(places) or bool((places != NO_PLACE).any())

    @cached_property
    def in_dispute(self) -> Codes:
        """Return the units (numbers) on which annotators differ, by document and place; no control item."""
        in_dispute = disputed(self.units)
        in_dispute = in_dispute if self.control_items is None else in_dispute[~self.control_items[in_dispute]]
        return in_dispute[np.argsort(self.units.unit_document[in_dispute], kind="stable")]

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
    def _in_order(self) -> tuple[list[str], list[str], list[int]]:
        """Return who gave each rating and its label, sorted by unit, and where those of each unit start."""
        units, order = self.units, np.argsort(self.units.unit, kind="stable")
        starts = np.searchsorted(units.unit[order], np.arange(len(units.unit_weight) + 1))
        people = [units.annotators[code] for code in units.annotator[order].tolist()]
        labels = [units.categories[code] for code in units.label[order].tolist()]
        return people, labels, starts.tolist()

    def rated(self, unit: int) -> dict[str, str]:
        """Return who gave which label to a unit."""
        people, labels, starts = self._in_order
        here = slice(starts[unit], starts[unit + 1])
        return dict(zip(people[here], labels[here], strict=True))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return what the units are called, those without a name by their number in their document."""
        if self.texts:
            return ("",) * len(self.units.unit_weight)
        places = self.units.unit_place.tolist()
        names = [self.units.places.names[code] if code != NO_PLACE else "" for code in places]
        return tuple(_each_named(self.units.unit_document.tolist(), names))

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
        if not len(places.unit):
            return [()] * len(units)
        unit_places = self.units.unit_place[units]
        first, last = (np.searchsorted(places.unit, unit_places, side=side) for side in ("left", "right"))
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

    `decisions`, `causes` and `notes` are those of units, by their number. `filled` says whether there is a
    sheet.
    """

    sheet: SheetUnits
    decisions: Mapping[int, str] = field(default_factory=dict)
    causes: Mapping[int, str] = field(default_factory=dict)
    notes: Mapping[int, str] = field(default_factory=dict)
    filled: bool = False

    @property
    def open(self) -> Codes:
        """Return the units (numbers) on which annotators differ and nothing was decided."""
        in_dispute = self.sheet.in_dispute
        return in_dispute[~np.isin(in_dispute, list(self.decisions))]


# A sheet is of what two at least said.
TWO = 2


def as_sides(annotations: Annotations, request: Request) -> Request:
    """Return the request, with two sides of a sheet where there are no two annotators.

    A reference and the only one who is compared with it (an annotator, a system or a model), or a person and
    a model: what they disagree on is decided as if both were annotators. With more sides nothing is changed.
    """
    roles = {**annotations.roles, **request.roles}
    participants = people(annotations.content.annotators, roles, request.same_as)
    persons = dict(zip(participants.person.tolist(), participants.roles, strict=True))
    names = {
        name: role
        for name, role in zip(participants.names, participants.roles, strict=True)
        if name not in annotations.derived
    }
    everybody = {
        int(person)
        for name, person in zip(participants.names, participants.person, strict=True)
        if name in names
    }
    if len(everybody) != TWO or all(persons[person] == ANNOTATOR for person in everybody):
        return request
    return replace(request, roles={**request.roles, **dict.fromkeys(names, ANNOTATOR)})


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
    names_in_use = set(zip(documents, names, strict=True))
    times: Counter[int] = Counter()
    for document, name in zip(documents, names, strict=True):
        shown = name
        while not shown or (not name and (document, shown) in names_in_use):
            times[document] += 1
            shown = f"#{times[document]}"
        yield shown


# The sheet that an adjudicator fills in: every disagreement that is not decided yet.


def sheet_csv(layers: Sequence[LayerAdjudication], names: Mapping[str, str]) -> str | None:
    """Return the sheet of all layers as CSV, None where no unit has a name or a place.

    `names` are the annotators' pseudonyms, if any. A cause that was noted without a decision stays.
    """
    listed = [layer for layer in layers if layer.sheet.named]
    if not listed:
        return None
    head, by_layer = sheet_rows(listed, names)
    return csv_text(head, chain.from_iterable(by_layer))


def sheet_rows(
    layers: Sequence[LayerAdjudication], names: Mapping[str, str]
) -> tuple[list[str], list[list[list[str]]]]:
    """Return the first row of the sheet of some layers, and for each a row for every unit that is open."""
    annotators = list(dict.fromkeys(name for layer in layers for name in layer.sheet.units.annotators))
    columns = annotator_columns([names.get(name, name) for name in annotators])
    rows = [_rows(layer, annotators, crowd=columns == [LABELS]) for layer in layers]
    head = (*PLACE, *CONTEXT, *columns, *ANSWERS)
    return list(map(without_controls, head)), [
        [list(row) if "".join(row).isprintable() else list(map(without_controls, row)) for row in of_layer]
        for of_layer in rows
    ]


def _rows(layer: LayerAdjudication, annotators: Sequence[str], *, crowd: bool) -> Iterator[tuple[str, ...]]:
    sheet, units = layer.sheet, layer.open
    for unit, spans in zip(units.tolist(), sheet.spans_of(units), strict=True):
        labels = sheet.rated(unit)
        label_cells = [tallied(sheet, labels)] if crowd else [labels.get(name, "") for name in annotators]
        around = ("", "", "")
        if spans and sheet.texts:
            text = sheet.texts[int(sheet.units.unit_document[unit])]
            around = (before(text, spans[0][0]), covered(text, spans), after(text, spans[-1][1]))
        elif sheet.units.places.texts:
            text = sheet.units.places.texts[int(sheet.units.unit_place[unit])]
            around = ("", covered(text, [(0, len(text))]), "")
        where = (sheet.layer, sheet.document_of(unit), sheet.names[unit], shown(spans))
        yield (*where, *around, *label_cells, "", layer.causes.get(unit, ""))


def tallied(sheet: SheetUnits, labels: Mapping[str, str]) -> str:
    """Return how often each label was given, in the order of the categories: "yes (3), no (2)"."""
    times = Counter(labels.values())
    return ", ".join(f"{name} ({times[name]})" for name in sheet.units.categories if name in times)


# Which unit of the exports a row of a sheet means, and whether the row still fits it.

REMAKE = "Take the row from a sheet that was made of these exports."


def find_unit(row: SheetRow, sheet: SheetUnits) -> int | Problem:
    """Return the unit (number) that a row means, or why it means none."""
    document = _document(row, sheet)
    if isinstance(document, Problem):
        return document
    return _stretch(row, sheet, document) if sheet.texts else _named(row, sheet, document)


def _document(row: SheetRow, sheet: SheetUnits) -> int | Problem:
    """Return the document (code) that a row names, NO_DOCUMENT where units have none and it names none."""
    cell = row.cells["document"]
    if not cell.strip() and not sheet.texts:
        return NO_DOCUMENT
    code = sheet.documents.find(cell)
    if code is not None:
        return code
    message = f'no document of layer "{sheet.layer}" is called "{plain(cell)}".'
    return _unknown(row, "document", sheet.units.documents, message, REMAKE)


def _named(row: SheetRow, sheet: SheetUnits, document: int) -> int | Problem:
    """Return the unit of a table that a row names."""
    names, units = sheet.by_name.get(document, (NameLookup(()), []))
    number = names.find(row.cells["unit"])
    if number is not None:
        return units[number]
    where = f' in document "{sheet.units.documents[document]}"' if document != NO_DOCUMENT else ""
    message = f'no unit{where} is called "{plain(row.cells["unit"])}".'
    return _unknown(row, "unit", [sheet.names[unit] for unit in units], message, REMAKE)


def _unknown(row: SheetRow, column: str, names: Sequence[str], message: str, remake: str) -> Problem:
    """Return the problem of a cell that names nothing known, or is empty."""
    cell = row.cells[column]
    if not cell.strip():
        return row.problem(column, "is empty.", remake)
    return row.problem(column, message, did_you_mean(plain(cell), names))


def _stretch(row: SheetRow, sheet: SheetUnits, document: int) -> int | Problem:
    """Return the stretch of a text that a row means by its offsets and by what they cover."""
    text = sheet.texts[document]
    meant = possible(row.cells["offsets"])
    fitting = [spans for spans in meant if _covers(row, text, spans)]
    for spans in fitting:
        if (unit := sheet.by_place.get((document, spans))) is not None:
            return unit
    if fitting:
        message = f"no annotator marked {shown(fitting[0])} in this document."
        return row.problem("offsets", message, REMAKE)
    return _other_text(row, text, meant[0]) if meant else _no_offsets(row, sheet, document)


def _covers(row: SheetRow, text: str, spans: Sequence[Span]) -> bool:
    """Tell whether stretches of a text cover what a row says that they do."""
    if any(not start <= end <= len(text) for start, end in spans):
        return False
    cell = row.cells["text"]
    here = plain(covered(text, spans))
    return here in (plain(from_cell(cell)), plain(cell)) or spelling(here) == spelling(from_cell(cell))


def _other_text(row: SheetRow, text: str, spans: Sequence[Span]) -> Problem:
    where = shown(spans)
    if max(end for _, end in spans) > len(text):
        return row.problem("offsets", f"is {where}, but the document has {len(text):,} characters.", REMAKE)
    message = f'is "{plain(row.cells["text"])}", but {where} is "{covered(text, spans)}".'
    return row.problem("text", message, REMAKE)


def _no_offsets(row: SheetRow, sheet: SheetUnits, document: int) -> Problem:
    """Return the problem of a row without offsets, with those of the only unit that covers its text."""
    text = sheet.texts[document]
    places = [spans for where, spans in sheet.by_place if where == document and _covers(row, text, spans)]
    only = f'Write "{shown(places[0])}", in a cell that is formatted as text.' if len(places) == 1 else ""
    cell = plain(row.cells["offsets"])
    state = f'is "{cell}"' if cell else "is empty"
    return row.problem("offsets", f'{state}; offsets such as "12-18" were expected.', only or REMAKE)


def wrong_labels(row: SheetRow, sheet: SheetUnits, unit: int) -> Problem | None:
    """Return a problem where the annotators' labels in a row are others than those in the exports.

    Who gave which is not compared: pseudonyms may have changed since the sheet was made.
    """
    labels = sheet.rated(unit)
    cells = [cell for cell in map(from_cell, row.labels) if plain(cell)]
    if sorted(map(spelling, cells)) == sorted(map(spelling, filter(plain, labels.values()))):
        return None
    now = tallied(sheet, labels)
    if [plain(cell) for cell in cells] == [plain(now)]:
        return None
    shown = ", ".join(f'"{plain(cell)}"' for cell in cells) or "none"
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
    for text in (cell, clean(from_cell(cell)), *_as_set(cell, sheet)):
        number = categories.find(text)
        if number is not None:
            return sheet.categories[number]
    return next(_as_set(cell, sheet), None) if sheet.texts else None


def _as_set(cell: str, sheet: SheetUnits) -> Iterator[str]:
    """Yield the set of labels that a cell names, where units of the layer have several."""
    if not (sheet.units.joined or sheet.units.scale == "set") or sheet.separator not in cell:
        return
    absent = sheet.units.non_annotated_name
    single = [name for name in dict.fromkeys((*sheet.labels, *sheet.categories)) if name != absent]
    lookup = NameLookup(single)
    numbers = [lookup.find(part) for part in from_cell(cell).split(sheet.separator)]
    if None not in numbers:
        yield sheet.separator.join(natural_order({single[code] for code in numbers if code is not None}))


# Reads filled sheets back: each row compared with the exports as they are now, every problem at once.

NEW_SHEET = "Copy the row from a sheet made of these exports."

# What a column decides of the units of a layer, each with the row that says so.
Answers = dict[tuple[str, str], dict[int, tuple[str, SheetRow]]]


def read_decisions(
    files: Sequence[tuple[Path, str]], layers: Sequence[SheetUnits], clean: Callable[[str], str]
) -> list[LayerAdjudication]:
    """Return what filled sheets decide in each layer.

    Each file is a path and what errors call it; `clean` does to a decision what is done to the labels of
    exports. Raises BadInput, for all rows of all files at once, where a row means no unit of the exports, has
    other labels than they have, or a decision or cause that is not one, and where a unit is decided twice
    differently.
    """
    sheets = {sheet.layer: sheet for sheet in layers}
    said: Answers = {(layer, column): {} for layer in sheets for column in (*ANSWERS, NOTE)}
    read_rows, problems = tried(files, lambda path_and_name: read_sheet(*path_and_name))
    for row in chain.from_iterable(read_rows):
        problems += _read_row(row, sheets, said, clean)
    if problems:
        raise BadInput(problems)
    answers = {key: {unit: what for unit, (what, _) in by_unit.items()} for key, by_unit in said.items()}
    return [
        LayerAdjudication(
            sheet, answers[layer, "decision"], answers[layer, "cause"], answers[layer, NOTE], filled=True
        )
        for layer, sheet in sheets.items()
    ]


def _read_row(
    row: SheetRow, sheets: Mapping[str, SheetUnits], said: Answers, clean: Callable[[str], str]
) -> Iterator[Problem]:
    """Take down what a row says; yield what is wrong with it."""
    sheet = sheets.get(plain(from_cell(row.cells["layer"])))
    cause = _cause(row)
    if sheet is None:
        message = f'no layer is called "{plain(row.cells["layer"])}".'
        unknown = _unknown(row, "layer", list(sheets), message, NEW_SHEET)
        yield from (answer for answer in (cause, unknown) if isinstance(answer, Problem))
        return
    decision, unit = _decision(row, sheet, clean), find_unit(row, sheet)
    yield from (answer for answer in (cause, decision, unit) if isinstance(answer, Problem))
    if isinstance(unit, Problem):
        return
    if labels := wrong_labels(row, sheet, unit):
        yield labels
    if note := plain(from_cell(row.cells.get(NOTE, ""))):
        said[sheet.layer, NOTE].setdefault(unit, (note, row))
    for column, what in zip(ANSWERS, (decision, cause), strict=True):
        if isinstance(what, Problem) or not what:
            continue
        other, there = said[sheet.layer, column].setdefault(unit, (what, row))
        if other != what:
            where = f"line {there.line}" if there.file == row.file else f"{there.file}, line {there.line}"
            message = f'is "{what}", but the same unit has "{other}" on {where}.'
            yield row.problem(column, message, "Keep one of the two.")


def _decision(row: SheetRow, sheet: SheetUnits, clean: Callable[[str], str]) -> str | Problem:
    """Return the category that was decided on, empty where none was."""
    cell = row.cells["decision"]
    if not cell.strip():
        return ""
    category = find_decision(cell, sheet, clean)
    message = f'"{plain(cell)}" is not a category of layer "{sheet.layer}".'
    return category or _unknown(row, "decision", sheet.categories, message, NEW_SHEET)


def _cause(row: SheetRow) -> str | Problem:
    """Return the cause that was noted, empty where none was."""
    cell = row.cells["cause"]
    message = f'"{plain(cell)}" is not a cause that is known.'
    return "" if not cell.strip() else cause_of(cell) or _unknown(row, "cause", CAUSES, message, NEW_SHEET)
