"""The sheet of units on which annotators differ, and what filled sheets decide: CSV or a workbook."""

import csv
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from itertools import chain
from pathlib import Path

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, did_you_mean, in_plain_words, refused, tried
from reportgen.base.files import DELIMITERS, decode, from_cell, numbered_rows, rows
from reportgen.measures.thresholds import MOST_ANNOTATORS
from reportgen.readers import NO_DOCUMENT, Annotations, Codes, TextMarks
from reportgen.readers.reader import ExportFile
from reportgen.readers.string_tables import PLACE, is_workbook, read_sheets
from reportgen.readers.string_tables import WORKBOOK_EXTENSIONS as EXTENSIONS
from reportgen.results.model import csv_text
from reportgen.units import (
    NO_PLACE,
    CodedUnits,
    LayerSettings,
    MarkedTexts,
    Mask,
    disputed,
    find_controls,
    from_ratings,
    natural_order,
    people,
)

# What a sheet calls things: its columns, the causes of a disagreement, and the reference made from it.

# The annotator that the decisions become.
REFERENCE = "adjudicated"

CONTEXT = ("before", "text", "after")
ANSWERS = ("decision", "cause")
COLUMNS = (*PLACE, *CONTEXT, *ANSWERS)
# The column of what an adjudicator notes, to the right of the decision.
NOTE = "note"
# What surrounds a unit is for the reader of the sheet alone.
REQUIRED = (*PLACE, "text", *ANSWERS)
# Of many annotators one column says how often each label was given.
LABELS = "labels"

CAUSES = (
    "slip",
    "guideline silent",
    "guideline forgotten",
    "text ambiguous",
    "pre-annotation missed",
    "other",
)
SILENT, OTHER = "guideline silent", "other"


def cause_of(cell: str) -> str | None:
    """Return the cause that a cell names, whatever its spaces, hyphens and case; None where it names none."""
    return next((cause for cause in CAUSES if _letters(cause) == _letters(cell)), None)


def _letters(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())


def annotator_columns(annotators: Sequence[str]) -> list[str]:
    """Return what heads annotators' labels: their names, unless a column of the sheet is called so."""
    if len(annotators) > MOST_ANNOTATORS:
        return [LABELS]
    taken = (*COLUMNS, LABELS)
    return [f"annotator {name}" if name.strip().casefold() in taken else name for name in annotators]


# A filled sheet as rows: CSV as spreadsheets write it, or a workbook, with the line of each.

NumberedRow = tuple[int, list[str]]

# The first row that holds anything may be below empty ones.
FIRST_ROWS = 5
MEND_COLUMNS = "Keep the first row of the sheet as it was written."


@dataclass(frozen=True)
class SheetRow:
    """One row of a sheet: its cells by column, the labels of the annotators in their order, all its cells."""

    file: str
    line: int
    cells: Mapping[str, str]
    labels: tuple[str, ...]
    whole: tuple[str, ...] = ()

    def problem(self, column: str, message: str, remedy: str) -> Problem:
        """Return a problem of one of its cells."""
        return Problem(self.file, self.line, f"column {column}", message, remedy)


def read_whole_sheet(path: Path, name: str) -> tuple[list[str], list[SheetRow]]:
    """Return the first row of a filled sheet, and the others that hold anything.

    `name` is what errors call the file. Raises BadInput where it can't be read, is empty, lacks columns, or
    has a row that is longer than the first.
    """
    file = ExportFile(path, name)
    workbook = is_workbook(file) or file.suffix in EXTENSIONS
    numbered = next((sheet.rows for sheet in read_sheets(file)), []) if workbook else _csv(file)
    filled = [(line, row) for line, row in numbered if any(cell.strip() for cell in row)]
    if not filled:
        raise refused(name, message="is empty.", remedy="Fill it in, or take it out of campaign.toml.")
    (first, head), *body = filled
    columns = _columns(name, first, head)
    # The columns of labels are the others before the decision; behind it there may be notes.
    earlier = range(columns["decision"])
    labels = [column for column in earlier if column not in columns.values() and head[column].strip()]
    problems = list(_too_long(name, body, len(head)))
    if problems:
        raise BadInput(problems)
    padded = ((line, [*row, *[""] * (len(head) - len(row))]) for line, row in body)
    beyond = range(columns["decision"], len(head))
    note = next((place for place in beyond if _folded(head[place]) == NOTE), None)
    columns |= {} if note is None else {NOTE: note}
    return head, [
        SheetRow(
            name,
            line,
            {column: row[index] for column, index in columns.items()},
            tuple(row[index] for index in labels),
            tuple(row),
        )
        for line, row in padded
    ]


def _csv(file: ExportFile) -> list[NumberedRow]:
    """Return the rows of a CSV by the delimiter that finds the sheet's columns in its first row."""
    text = decode(file.content, file.name)
    try:
        return numbered_rows(text, max(DELIMITERS, key=lambda mark: _known_columns(text, mark)))
    except csv.Error as error:
        raise refused(
            file.name, message=f"is no CSV table: {in_plain_words(error)}.", remedy="Save it as CSV."
        ) from None


def _known_columns(text: str, mark: str) -> int:
    heads = rows(text, mark, FIRST_ROWS)
    return max((len({*map(_folded, row)} & {*COLUMNS}) for row in heads), default=0)


def _folded(cell: str) -> str:
    return cell.strip().casefold()


def _columns(file: str, line: int, head: Sequence[str]) -> dict[str, int]:
    """Return where each column of the sheet is; raise BadInput where one is missing or there twice."""
    folded = [_folded(cell) for cell in head]
    problems = [_missing(file, line, name, head) for name in REQUIRED if name not in folded]
    for name in COLUMNS:
        if folded.count(name) > 1:
            message = f'has two columns "{name}".'
            problems.append(Problem(file, line, "first row", message, "Rename one of them."))
    if problems:
        raise BadInput(problems)
    return {name: folded.index(name) for name in COLUMNS if name in folded}


def _missing(file: str, line: int, name: str, head: Sequence[str]) -> Problem:
    near = did_you_mean(name, [cell for cell in head if cell.strip()])
    remedy = f"{near} {MEND_COLUMNS}" if near.startswith("Did") else MEND_COLUMNS
    return Problem(file, line, "first row", f'has no column "{name}".', remedy)


def _too_long(file: str, body: Sequence[NumberedRow], width: int) -> Iterator[Problem]:
    for line, row in body:
        if any(cell.strip() for cell in row[width:]):
            message = f"has {len(row)} cells; {width} were expected, one a column."
            yield Problem(file, line, "", message, "Put cells with commas into quotation marks.")


# Cells that survive a spreadsheet: read back as they were, with an apostrophe before a formula or without.

Span = tuple[int, int]

# What a CSV, a workbook or UTF-8 can't hold.
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
UNKNOWN = "\ufffd"
MORE = "…"
AROUND = 50
LONG_WORD = 16
# A spreadsheet cuts cells at some ten thousand characters.
LONGEST = 1000


def without_controls(text: str) -> str:
    """Return a text as a spreadsheet can have it: what it can't is replaced."""
    return text if text.isprintable() else CONTROL.sub(UNKNOWN, text)


def on_one_line(text: str) -> str:
    """Return a text with every stretch of white space as one space."""
    return re.sub(r"\s+", " ", text)


def plain(text: str) -> str:
    """Return a text as spreadsheets leave it at worst: on one line, without spaces at its ends."""
    return on_one_line(without_controls(text)).strip()


def spelling(text: str) -> str:
    """Return what spellings of one number or truth value have in common; spreadsheets change 007 to 7."""
    simple = plain(text)
    try:
        value = float(simple)
    except ValueError:
        folded = simple.casefold()
        return folded if folded in ("true", "false") else f"text {simple}"
    return repr(value) if math.isfinite(value) else f"text {simple}"


class NameLookup:
    """Names by which a cell can mean something."""

    def __init__(self, names: Iterable[str]) -> None:
        """Number the names in their order."""
        self._exact: dict[str, int] = {}
        self._plain: dict[str, int] = {}
        self._spelt: dict[str, list[int]] = {}
        for number, name in enumerate(names):
            self._exact.setdefault(name, number)
            self._plain.setdefault(plain(name), number)
            self._spelt.setdefault(spelling(name), []).append(number)

    def find(self, cell: str) -> int | None:
        """Return the number of the name that a cell holds, None where it holds none.

        What a spreadsheet did to it is forgiven where one name alone can have been meant.
        """
        for text in (from_cell(cell), cell):
            if text in self._exact:
                return self._exact[text]
        if plain(from_cell(cell)) in self._plain:
            return self._plain[plain(from_cell(cell))]
        meant = self._spelt.get(spelling(from_cell(cell)), [])
        return meant[0] if len(meant) == 1 else None


def covered(text: str, spans: Sequence[Span]) -> str:
    """Return what stretches of a text cover, on one line; what is very long is shortened in the middle."""
    line = plain(f" {MORE} ".join(text[start:end] for start, end in spans))
    half = LONGEST // 2
    return line if len(line) <= LONGEST else f"{line[:half]} {MORE} {line[-half:]}"


def before(text: str, start: int) -> str:
    """Return what is before a place, from the beginning of a word on."""
    near = text[max(0, start - AROUND) : start]
    if start > AROUND:
        near = MORE + re.sub(rf"^\S{{0,{LONG_WORD}}}\s", "", near)
    return on_one_line(near)


def after(text: str, end: int) -> str:
    """Return what is behind a place, up to the end of a word."""
    near = text[end : end + AROUND]
    if end + AROUND < len(text):
        near = re.sub(rf"\s\S{{0,{LONG_WORD}}}$", "", near) + MORE
    return on_one_line(near)


# Offsets in a cell: "12-18" or "12-18;20-22", also where a spreadsheet took them for a date.

STRETCH = re.compile(r"\s*([0-9]{1,9})\s*[-–]\s*([0-9]{1,9})\s*")
# Spreadsheets show 5-9 as 9-May or 05-Sep and 5-40 as May-40, and keep both as a day of some year.
DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?: 00:00:00)?")
DAY_MONTH = re.compile(r"([0-9]{1,2})[-. ]([a-z]{3})[a-z]*\.?", re.IGNORECASE)
MONTH_YEAR = re.compile(r"([a-z]{3})[a-z]*\.?[-. ]([0-9]{2})", re.IGNORECASE)
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def shown(spans: Sequence[Span]) -> str:
    """Return stretches as a sheet has them."""
    return ";".join(f"{start}-{end}" for start, end in spans)


def possible(cell: str) -> list[tuple[Span, ...]]:
    """Return the stretches that a cell can mean: none where it holds no offsets, several for a date."""
    stretches = [STRETCH.fullmatch(part) for part in from_cell(cell).split(";")]
    if all(stretches):
        return [tuple((int(stretch[1]), int(stretch[2])) for stretch in stretches if stretch)]
    return [((min(pair), max(pair)),) for pair in dict.fromkeys(_as_date(cell.strip()))]


def _as_date(cell: str) -> Iterator[Span]:
    """Yield the two numbers that a spreadsheet may have taken for a date."""
    if day := DAY.fullmatch(cell):
        yield int(day[2]), int(day[3])
        if int(day[3]) == 1:
            yield int(day[2]), int(day[1]) % 100
    elif (short := DAY_MONTH.fullmatch(cell)) and short[2].casefold() in MONTHS:
        yield MONTHS.index(short[2].casefold()) + 1, int(short[1])
    elif (year := MONTH_YEAR.fullmatch(cell)) and year[1].casefold() in MONTHS:
        yield MONTHS.index(year[1].casefold()) + 1, int(year[2])


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
        return in_dispute[np.argsort(self.units.document[in_dispute], kind="stable")]

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
        code = int(self.units.document[unit])
        return "" if code == NO_DOCUMENT else self.units.documents[code]

    @cached_property
    def _in_order(self) -> tuple[list[str], list[str], list[int]]:
        """Return who gave each rating and its label, sorted by unit, and where those of each unit start."""
        units, order = self.units, np.argsort(self.units.unit, kind="stable")
        starts = np.searchsorted(units.unit[order], np.arange(len(units.weight) + 1))
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
            return ("",) * len(self.units.weight)
        places = self.units.unit_place.tolist()
        names = [self.units.places.names[code] if code != NO_PLACE else "" for code in places]
        return tuple(_each_named(self.units.document.tolist(), names))

    @cached_property
    def by_name(self) -> Mapping[int, tuple[NameLookup, list[int]]]:
        """Return for each document (code) the names of its units, and the units in the same order."""
        members: dict[int, list[int]] = {}
        for unit in np.flatnonzero(self.units.unit_place != NO_PLACE).tolist():
            members.setdefault(int(self.units.document[unit]), []).append(unit)
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
        documents = self.units.document[units].tolist()
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


def request_with_both_sides(annotations: Annotations, request: LayerSettings) -> LayerSettings:
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


def units_of(annotations: Annotations, request: LayerSettings) -> SheetUnits:
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
            text = sheet.texts[int(sheet.units.document[unit])]
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
    read_rows, problems = tried(files, lambda path_and_name: read_whole_sheet(*path_and_name)[1])
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
