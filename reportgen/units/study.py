"""The study of one layer: every unit set, what there is, and what became of every mark."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from reportgen.readers import ExcludedMarks
from reportgen.results.csv_text import csv_text
from reportgen.results.facts import LeftOut, Marks
from reportgen.units.coded import CodedUnits, ControlUnits, MaterialStatistics, Passes
from reportgen.units.pairing import CountedSpans
from reportgen.units.ratings import ComparedUnits
from reportgen.units.spans import Spans


@dataclass(frozen=True, eq=False)
class Study:
    """Every unit set of one layer, the marks that none of them uses, and what there is.

    `passed_over` counts, by reason, the marks that are left out before any unit set is made. `spans` are the
    marks themselves, of everybody; None where the export has no marks in texts. `compared` has everybody's
    labels for each unit set; it is empty where all are annotators. `controls` are the control
    items, which no unit set holds, and `passes` the units that somebody labelled twice. `missing` counts
    cells of a table without a label; `repeated` and `contradicting` labels that somebody gave a unit again in
    the same pass, as they gave it before or otherwise. `declared` are the categories that the
    campaign declares. Where units are only counted, `disputed` has those of each unit set that are listed.
    """

    unit_sets: tuple[CodedUnits, ...]
    marks_read: int
    marks_used: int
    left_out: tuple[ExcludedMarks, ...]
    passed_over: Mapping[str, int]
    material: MaterialStatistics
    spans: Spans | CountedSpans | None = None
    compared: tuple[ComparedUnits, ...] = ()
    controls: ControlUnits | None = None
    passes: Passes | None = None
    declared: tuple[str, ...] = ()
    missing: int = 0
    repeated: int = 0
    contradicting: int = 0
    disputed: tuple[CodedUnits, ...] = ()


# What became of every mark: used, or left out for a reason, and none lost.

# With more places of marks left out than these, results.json joins those of one file and reason.
MOST_LEFT_OUT = 1000


def sum_of_marks(studies: Sequence[Study]) -> Marks:
    """Return the sums of marks, and see that nothing was lost."""
    read = sum(study.marks_read for study in studies)
    used = sum(study.marks_used for study in studies)
    missed = sum(each.marks for each in _left_out(studies))
    if read != used + missed:
        message = (
            f"{read} marks were read, {used} used and {missed} left out: {read - used - missed} are lost"
        )
        raise AssertionError(message)
    missing = sum(study.missing for study in studies)
    return Marks(read=read, used=used, left_out=missed, missing=missing)


def _left_out(studies: Sequence[Study]) -> list[ExcludedMarks]:
    return [each for study in studies for each in study.left_out]


def marks_left_out(studies: Sequence[Study], most: int = MOST_LEFT_OUT) -> tuple[LeftOut, ...]:
    """Return what is left out; where it is much, one row for each file, annotator and reason.

    Such a row has the line of the first mark. The whole list is in tables/left-out.csv.
    """
    found: dict[tuple[str, str, str], ExcludedMarks] = {}
    left_out = _left_out(studies)
    if len(left_out) > most:
        for each in left_out:
            key = each.file, each.annotator, each.reason
            first = found.get(key)
            found[key] = replace(first, marks=first.marks + each.marks) if first else each
    return tuple(LeftOut(**asdict(each)) for each in found.values() or left_out)


def left_out_csv(studies: Sequence[Study]) -> str | None:
    """Return every mark that is left out with its place, None where results.json has them all."""
    left_out = _left_out(studies)
    if len(left_out) <= MOST_LEFT_OUT:
        return None
    head = ("annotator", "reason", "marks", "file", "line")
    rows = ((each.annotator, each.reason, each.marks, each.file, each.line or "") for each in left_out)
    return csv_text(head, rows)
