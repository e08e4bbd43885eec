"""What is counted in one guidelines version, and the folder of counts that says it."""

from collections.abc import Iterable, Iterator, Sequence

from reportgen.base.dataclass import dataclass
from reportgen.campaign import DistanceMatrix
from reportgen.counts import (
    Counts,
    MarkCounts,
    PairCounts,
    comparisons_csv,
    count,
    count_comparisons,
    count_marks,
    counts_csv,
    counts_json,
    credits_csv,
    everybody_csv,
    spans_csv,
)
from reportgen.readers.counted import LayerDescribed
from reportgen.units import CodedUnits, ComparedUnits, Study


@dataclass(frozen=True, eq=False)
class VersionCounts:
    """What was counted in one guidelines version, each beside what it was counted in."""

    units: Sequence[tuple[CodedUnits, Counts]]
    marks: Sequence[MarkCounts]
    compared: Sequence[tuple[ComparedUnits, PairCounts]]


def count_everything(studies: Iterable[Study], tables: Sequence[DistanceMatrix]) -> VersionCounts:
    """Return the counts of unit sets, of marks in texts, and of everybody against the references."""
    listed_studies = tuple(studies)
    return VersionCounts(
        units=[(units, count(units)) for study in listed_studies for units in study.unit_sets],
        marks=[count_marks(study.spans, tables) for study in listed_studies if study.spans],
        compared=[
            (compared, count_comparisons(compared)) for study in listed_studies for compared in study.compared
        ],
    )


def counts_folder(layers: Sequence[LayerDescribed], counted: VersionCounts) -> Iterator[tuple[str, str]]:
    """Yield the files of a folder of counts; `layers` say what rows of numbers can't."""
    yield "counts.json", counts_json(layers)
    yield from counts_csv(counted.units).items()
    if counted.marks:
        yield "spans.csv", spans_csv(counted.marks)
    if any(marks.credits for marks in counted.marks):
        yield "type-pairs.csv", credits_csv(counted.marks)
    if counted.compared:
        yield "comparisons.csv", comparisons_csv(counted.compared)
        yield "everybody.csv", everybody_csv(units for units, _ in counted.compared)
