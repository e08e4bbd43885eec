"""Counts as CSV: what a third party needs to recompute every figure, without texts or unit names."""

import csv
import io
from collections.abc import Iterable, Sequence

from reportgen.counts.kinds import ratings_rows
from reportgen.counts.tables import Counts
from reportgen.formats.counted import ANNOTATORS, ESCAPES, HEADS, PAIRS, PROFILES, RATINGS
from reportgen.study import NO_CATEGORY, NO_DOCUMENT, CodedUnits


def counts_csv(counted: Iterable[tuple[CodedUnits, Counts]]) -> dict[str, str]:
    r"""Return the texts of ratings.csv and of the tables that follow from it, of all unit sets of a version.

    A profile is written as labels with their numbers, "Former:1|New:1"; in it a label's own \, | and :
    stand behind a \. A document is empty where each unit is its own.
    """
    texts = {name: _table(head) for name, head in HEADS.items()}
    for units, counts in counted:
        # Row by row: of a crowd there are millions of pairs.
        for name, own in {RATINGS: ratings_rows(units), **derived_rows(units, counts)}.items():
            csv.writer(texts[name], lineterminator="\n").writerows(own)
    return {name: text.getvalue() for name, text in texts.items()}


def derived_rows(units: CodedUnits, counts: Counts) -> dict[str, Iterable[Sequence[object]]]:
    """Return the rows of the tables that follow from the ratings of a unit set."""
    return {
        PAIRS: _pairs(units, counts),
        PROFILES: _profiles(units, counts),
        ANNOTATORS: _annotators(units, counts),
    }


def _table(head: Sequence[str]) -> io.StringIO:
    buffer = io.StringIO(newline="")
    csv.writer(buffer, lineterminator="\n").writerow(head)
    return buffer


def _document(units: CodedUnits, code: int) -> str:
    return "" if code == NO_DOCUMENT else units.documents[code]


def _pairs(units: CodedUnits, counts: Counts) -> Iterable[Sequence[object]]:
    table = counts.pairs
    columns = (table.document, table.first, table.second, table.first_label, table.second_label, table.n)
    for document, first, second, one, other, n in zip(*(column.tolist() for column in columns), strict=True):
        names = units.annotators[first], units.annotators[second]
        labels = units.categories[one], units.categories[other]
        yield (units.layer, units.id, _document(units, document), *names, *labels, n)


def _profiles(units: CodedUnits, counts: Counts) -> Iterable[Sequence[object]]:
    table = counts.profiles
    names = [_profile(units, row) for row in table.labels.tolist()]
    for document, profile, n in zip(
        table.document.tolist(), table.profile.tolist(), table.n.tolist(), strict=True
    ):
        yield (units.layer, units.id, _document(units, document), names[profile], n)


def _profile(units: CodedUnits, labels: Sequence[int]) -> str:
    present = [label for label in labels if label != NO_CATEGORY]
    names = {label: units.categories[label].translate(ESCAPES) for label in present}
    return "|".join(f"{name}:{present.count(label)}" for label, name in names.items())


def _annotators(units: CodedUnits, counts: Counts) -> Iterable[Sequence[object]]:
    table = counts.annotators
    columns = (table.document, table.annotator, table.label, table.n)
    for document, annotator, label, n in zip(*(column.tolist() for column in columns), strict=True):
        who, what = units.annotators[annotator], units.categories[label]
        yield (units.layer, units.id, _document(units, document), who, what, n)
