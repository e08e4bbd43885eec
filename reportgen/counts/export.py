"""Counts as CSV: what a third party needs to recompute every figure, without texts or unit names."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat

from reportgen.counts.kinds import Cell, named, ratings_rows
from reportgen.counts.tables import Counts
from reportgen.formats.counted import ANNOTATORS, ESCAPES, HEADS, PAIRS, PROFILES, RATINGS
from reportgen.study import NO_CATEGORY, CodedUnits, Codes


def counts_csv(counted: Iterable[tuple[CodedUnits, Counts]]) -> dict[str, str]:
    r"""Return the texts of ratings.csv and of the tables that follow from it, of all unit sets of a version.

    A profile is written as labels with their numbers, "Former:1|New:1"; in it a label's own \, | and :
    stand behind a \. A document is empty where each unit is its own.
    """
    texts = {name: [",".join(head)] for name, head in HEADS.items()}
    for units, counts in counted:
        # Names are written as cells once: of a crowd there are millions of pairs.
        own = {RATINGS: ratings_rows(units, quoted), **derived_rows(units, counts, quoted)}
        for name, rows in own.items():
            texts[name].extend(map(",".join, rows))
    return {name: "\n".join((*lines, "")) for name, lines in texts.items()}


def quoted(name: str) -> str:
    """Return a name as a cell of a CSV file."""
    buffer = io.StringIO(newline="")
    # What ends a line is quoted only where the writer ends its own with it.
    csv.writer(buffer, lineterminator="\n").writerow((name, ""))
    return buffer.getvalue().removesuffix(",\n")


def derived_rows(units: CodedUnits, counts: Counts, cell: Cell = str) -> dict[str, Iterator[tuple[str, ...]]]:
    """Return the rows of the tables that follow from the ratings of a unit set.

    `cell` says how a name is written.
    """
    return {
        PAIRS: _pairs(units, counts, cell),
        PROFILES: _profiles(units, counts, cell),
        ANNOTATORS: _annotators(units, counts, cell),
    }


def _own(units: CodedUnits, document: Codes, cell: Cell) -> tuple[Iterator[str], ...]:
    """Return the columns that say what a row is of."""
    where = named(document, (*units.documents, ""), cell)
    return repeat(cell(units.layer)), repeat(cell(units.id)), where


def _pairs(units: CodedUnits, counts: Counts, cell: Cell) -> Iterator[tuple[str, ...]]:
    table = counts.pairs
    return zip(
        *_own(units, table.document, cell),
        named(table.first, units.annotators, cell),
        named(table.second, units.annotators, cell),
        named(table.first_label, units.categories, cell),
        named(table.second_label, units.categories, cell),
        map(str, table.n.tolist()),
        strict=False,
    )


def _profiles(units: CodedUnits, counts: Counts, cell: Cell) -> Iterator[tuple[str, ...]]:
    table = counts.profiles
    profiles = [_profile(units, row) for row in table.labels.tolist()]
    which = named(table.profile, profiles, cell)
    return zip(*_own(units, table.document, cell), which, map(str, table.n.tolist()), strict=False)


def _profile(units: CodedUnits, labels: Sequence[int]) -> str:
    present = [label for label in labels if label != NO_CATEGORY]
    names = {label: units.categories[label].translate(ESCAPES) for label in present}
    return "|".join(f"{name}:{present.count(label)}" for label, name in names.items())


def _annotators(units: CodedUnits, counts: Counts, cell: Cell) -> Iterator[tuple[str, ...]]:
    table = counts.annotators
    return zip(
        *_own(units, table.document, cell),
        named(table.annotator, units.annotators, cell),
        named(table.label, units.categories, cell),
        map(str, table.n.tolist()),
        strict=False,
    )
