"""Marks in texts as a table: a row for each, with its document, start, end, label and annotator."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, for_each
from reportgen.readers.annotations import ExcludedMarks, Span, different_cover
from reportgen.readers.brat import countings, squeezed, with_line_feeds
from reportgen.readers.counting import CHARACTERS, in_code_points
from reportgen.readers.layers_of_marks import ARROW
from reportgen.readers.naming import annotators_by_stem
from reportgen.readers.places import Offsets
from reportgen.readers.reader import (
    DocumentCopy,
    Export,
    ExportFile,
    ParsedMark,
    Reader,
    ReaderOptions,
    raise_first_problems,
)
from reportgen.readers.string_tables import StringTable, first_row, is_table, read_table
from reportgen.readers.table_columns import TEXT_NAMES, WELL_KNOWN, plain_name

TEXT = ".txt"
# What columns are called; the first that is there counts.
ROLES: Mapping[str, Sequence[str]] = {
    "document": (*WELL_KNOWN["document"], *WELL_KNOWN["unit"]),
    "start": (
        *("start", "begin", "start_offset", "begin_offset", "start_char", "char_start", "char_begin"),
        *("offset_start", "start_index", "span_start", "debut", "anfang"),
        *("first_token", "start_token", "token_start", "first_word", "start_word"),
    ),
    "end": (
        *("end", "stop", "end_offset", "stop_offset", "end_char", "char_end", "offset_end", "end_index"),
        *("span_end", "fin", "ende", "last_token", "end_token", "token_end", "last_word", "end_word"),
    ),
    "label": (*WELL_KNOWN["label"], "type", "entity", "entity_type", "span_type", "ner", "kategorie"),
    "annotator": WELL_KNOWN["annotator"],
}
NEEDED = ("document", "start", "end", "label")
TEXTS = (
    *(
        "document_text",
        "full_text",
        "covered_text",
        "span_text",
        "span",
        "mention",
        "surface",
        "quote",
        "words",
    ),
    *TEXT_NAMES,
)
# Whole numbers, also as programs write them where a cell of the column is empty.
OFFSET = re.compile(r"([0-9]{1,9})(?:\.0+)?")
# A larger number is a moment, and no place in a text.
LARGEST = 10_000_000
TYPE, LABEL = "marks", "label"
NO_LABEL = "a mark without a label"
AFTER = "A table of marks: offsets count characters, an end is the one after the last."
LAST = "A table of marks: offsets count characters, an end is the last one, as the covered texts show."


@dataclass(frozen=True)
class Row:
    """A row: whose it is, of which document, and its mark; whoever found nothing in it has no stretch.

    `texts` are what it says that the mark covers, `features` what other columns say of the mark.
    """

    file: ExportFile
    line: int
    document: str
    annotator: str
    span: Span | None
    label: str
    texts: Sequence[str]
    features: Mapping[str, str]


def columns_of(header: Sequence[str], options: ReaderOptions) -> dict[str, int]:
    """Return the columns by their roles: as options name them, else by their well-known names."""
    names = list(map(plain_name, header))
    known = {
        role: next((names.index(name) for name in well_known if name in names), -1)
        for role, well_known in ROLES.items()
    }
    asked = {
        role: header.index(name.strip()) for role, name in options.columns.items() if name.strip() in header
    }
    return {role: place for role, place in (known | asked).items() if place >= 0}


def recognises(file: ExportFile) -> bool:
    """Say whether a table has stretches of texts that are not the same of everybody, as units would be.

    Where the texts are beside it, they are marks that everybody was given.
    """
    options = ReaderOptions()
    if not is_table(file) or not {*NEEDED} <= columns_of(first_row(file), options).keys():
        return False
    try:
        rows = _rows(file, file.name, options)[0]
    except BadInput:
        return False
    # Whether somebody has several stretches in a document, and annotators not all the same ones.
    stretches: dict[tuple[str, str], set[Span]] = {}
    for row in rows:
        stretches.setdefault((row.document, row.annotator), set()).update([row.span] if row.span else [])
    by_document: dict[str, list[set[Span]]] = {}
    for (document, _), own in stretches.items():
        by_document.setdefault(document, []).append(own)
    several = any(len(own) > 1 for own in stretches.values())
    differ = any(own != every[0] for every in by_document.values() for own in every)
    last = max((end for own in stretches.values() for _, end in own), default=0)
    of_marks = differ or len({row.annotator for row in rows}) == 1 or _texts_are_beside(file, by_document)
    return several and last <= LARGEST and of_marks


def _texts_are_beside(file: ExportFile, documents: Iterable[str]) -> bool:
    return all(
        (file.path.parent / f"{PurePosixPath(name).name.removesuffix(TEXT)}{TEXT}").is_file()
        for name in documents
    )


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Export:
    """Return each annotator's copy of each document of which the annotator has a row.

    Raises BadInput with every row that is no mark or covers something else than it says, and every document
    without a text.
    """
    tables = [file for file in files if file.suffix != TEXT]
    whose = dict(zip(tables, annotators_by_stem(tables, options), strict=True))
    rows = [row for own in for_each(tables, lambda file: _read(file, whose[file], options)) for row in own]
    by_document: dict[str, list[Row]] = {}
    for row in rows:
        by_document.setdefault(row.document, []).append(row)
    texts = [file for file in files if file.suffix == TEXT]
    documents = for_each(by_document.items(), lambda each: _MarkedText.of(*each, texts))
    beyond = sum(each.misfits(1) for each in documents) < sum(each.misfits(0) for each in documents)
    raise_first_problems(problem for each in documents for problem in each.problems(int(beyond)))
    export = Export(
        [copy for each in documents for copy in each.copies(int(beyond))],
        LAST if beyond else AFTER,
        tuple(file.source for file in files),
        tuple(
            ExcludedMarks(row.file.name, row.line, row.annotator, NO_LABEL, 1)
            for row in rows
            if row.span and not row.label
        ),
        by_feature=True,
        default=f"{TYPE}{ARROW}{LABEL}" if any(row.features for row in rows) else None,
    )
    return in_code_points(export)


def _read(file: ExportFile, annotator: str, options: ReaderOptions) -> list[Row]:
    """Return the rows of a table; raise BadInput with all that are no marks."""
    rows, problems = _rows(file, annotator, options)
    raise_first_problems(problems)
    return rows


def _rows(file: ExportFile, annotator: str, options: ReaderOptions) -> tuple[list[Row], list[Problem]]:
    """Return the rows of a table, and what is wrong in others; `annotator` made it, where no column says who.

    Raises BadInput where a column is missing.
    """
    table = read_table(file, options)
    columns = columns_of(table.header, options)
    raise_first_problems(_missing(table, role) for role in NEEDED if role not in columns)
    taken = {*columns.values()}
    of_texts = [
        place for place, name in enumerate(table.header) if place not in taken and plain_name(name) in TEXTS
    ]
    further = {
        name: place for place, name in enumerate(table.header) if name and place not in {*taken, *of_texts}
    }
    rows, problems = list[Row](), list[Problem]()
    for number, cells in zip(table.rows.tolist(), zip(*table.columns, strict=True), strict=True):
        own = {role: cells[place].strip() for role, place in columns.items()}
        line, who = table.lines[number], own.get("annotator", annotator)
        offsets = [OFFSET.fullmatch(own[role]) for role in ("start", "end")]
        span = (int(offsets[0][1]), int(offsets[1][1])) if offsets[0] and offsets[1] else None
        if faults := list(_faults(own, who, span)):
            problems += [table.problem(line, "", *fault) for fault in faults]
        else:
            texts = [cells[place] for place in of_texts]
            features = {name: cells[place].strip() for name, place in further.items() if cells[place].strip()}
            rows.append(Row(file, line, own["document"], who, span, own["label"], texts, features))
    return rows, problems


def _missing(table: StringTable, role: str) -> Problem:
    message = f"has no column of the {role}; a table of marks has document, start, end, label and annotator."
    remedy = f'Call it "{ROLES[role][0]}".'
    return table.problem(table.lines[0], f"columns.{role}", message, remedy)


def _faults(own: Mapping[str, str], who: str, span: Span | None) -> Iterator[tuple[str, str]]:
    """Yield what is wrong in a row, and how to mend it."""
    for role, name in (("document", own["document"]), ("annotator", who)):
        if not name and any(own[each] for each in NEEDED):
            yield f"a mark has no {role}.", f"Name the {role}."
    if span is None and (own["start"] or own["end"] or own["label"]):
        message = (
            f'has no stretch of text: it starts at "{own["start"][:20]}" and ends at "{own["end"][:20]}".'
        )
        yield message, "Write both as whole numbers; whoever found nothing has a row without both and label."
    elif span and span[0] > span[1]:
        yield f"ends at {span[1]}, before it starts at {span[0]}.", "Correct the row."


@dataclass(frozen=True)
class _MarkedText:
    """A document: its text, the ways to count in it, its rows, and which of their texts marks cover."""

    name: str
    text: str
    ways: Sequence[Offsets]
    rows: Sequence[Row]
    covered: int

    @classmethod
    def of(cls, name: str, rows: Sequence[Row], files: Sequence[ExportFile]) -> "_MarkedText":
        """Return a document with its text, from a column or a file; raise BadInput where there is none."""
        last = max((row.span[1] for row in rows if row.span), default=0)
        columns = range(min(len(row.texts) for row in rows))
        whole = [
            place
            for place in columns
            if len({row.texts[place] for row in rows}) == 1 and len(rows[0].texts[place]) >= last > 0
        ]
        covered = next((place for place in columns if place not in whole), -1)
        if whole:
            return cls(name, rows[0].texts[whole[0]], [Offsets()], rows, covered)
        called = [
            file for file in files if name in (PurePosixPath(file.name).name, PurePosixPath(file.name).stem)
        ]
        if len({file.content for file in called}) != 1:
            file = f"{PurePosixPath(name).stem or name}{TEXT}"
            message = f'the text of the document "{name}" is not there: marks are compared as words of texts.'
            remedy = (
                f'Put it into the folder of the table, as "{file}", or write it into each row, in a column '
                f'"{TEXTS[0]}".'
            )
            if called:
                message = f'{len(called)} different texts are called as the document "{name}" is.'
                remedy = "Give documents different names, in the table too."
            raise rows[0].file.refused(message, remedy, rows[0].line)
        return cls(name, with_line_feeds(called[0].text), list(countings(called[0])), rows, covered)

    def _spans(self, way: Offsets, beyond: int) -> Iterator[tuple[Row, Span]]:
        for row in self.rows:
            if row.span:
                yield row, way.span((row.span[0], row.span[1] + beyond))

    def _wrong(self, way: Offsets, beyond: int) -> Iterator[Problem]:
        """Yield a problem for each mark that covers something else than its row says."""
        for row, (start, end) in self._spans(way, beyond):
            written = squeezed([row.texts[self.covered]]) if self.covered >= 0 else ""
            here = squeezed([self.text[start:end]])
            if written and here != written:
                yield different_cover(row.file.name, row.line, here, written)

    def _way(self, beyond: int) -> Offsets:
        """Return how offsets are counted, so that most marks cover what they say."""
        return min(self.ways, key=lambda way: sum(1 for _ in self._wrong(way, beyond)))

    def misfits(self, beyond: int) -> int:
        """Return how many marks cover something else than they say, where ends are so much before theirs."""
        return sum(1 for _ in self._wrong(self._way(beyond), beyond))

    def problems(self, beyond: int) -> Iterator[Problem]:
        """Yield a problem for each such mark."""
        yield from self._wrong(self._way(beyond), beyond)

    def copies(self, beyond: int) -> Iterator[DocumentCopy]:
        """Yield each annotator's copy."""
        own: dict[str, list[ParsedMark]] = {row.annotator: [] for row in self.rows}
        for row, span in self._spans(self._way(beyond), beyond):
            if row.label:
                own[row.annotator].append(
                    ParsedMark(
                        TYPE, (span,), {LABEL: row.label, **row.features}, row.line, file=row.file.name
                    )
                )
        for who, marks in own.items():
            offsets = CHARACTERS if self.covered < 0 else None
            yield DocumentCopy(self.name, who, self.rows[0].file.name, self.text, marks, offsets=offsets)


READER = Reader(
    name="mark-table",
    title="Table of marks, CSV or TSV",
    tool="scripts, pandas, spreadsheets",
    extensions=(".csv", ".tsv", ".tab"),
    reads=(
        "Labelled stretches of text: columns document, start, end, label and annotator, or a file for "
        "each annotator. The texts are beside the table as DOCUMENT.txt, or in a column. A row with "
        "neither stretch nor label means that its annotator found nothing; an annotator without a row "
        "for a document did not see it."
    ),
    leaves_out="Marks without a label. Other columns are features of marks: each can be a layer.",
    recognises=recognises,
    read=read,
    accompanies=lambda file: file.suffix == TEXT,
    says=(AFTER, LAST, NO_LABEL),
)
