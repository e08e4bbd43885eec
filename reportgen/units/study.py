"""The study of one layer: every unit set, the marks that none of them uses, and what there is."""

from collections.abc import Mapping
from dataclasses import dataclass

from reportgen.readers import ExcludedMarks
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
    campaign declares.
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
