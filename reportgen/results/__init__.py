"""The models of results.json and texts.json: the wall between computing and rendering."""

from reportgen.results.adjudication import Adjudication, Decided
from reportgen.results.explained import Choice, Definition, Elsewhere, Entry, Weighting, Work
from reportgen.results.facts import Author, CampaignFacts, DistanceTable, Reference, Revision
from reportgen.results.mark_cases import (
    CASE_KINDS,
    Boundary,
    Habit,
    MarkCase,
    MarkDisagreements,
    PairCases,
    cases_by_kind,
    omissions_of_each,
)
from reportgen.results.material import Attendance, Input, LeftOut, Marks, Material
from reportgen.results.model import (
    DIGITS,
    SEVERITIES,
    Finding,
    Results,
    Severity,
    Standing,
    Tool,
    dumps,
    read_back,
    rounded,
    schema_of,
)
from reportgen.results.pairs import Confusion, Distances, Matrix, Pair, SizeCurve, Sums, SymmetryTest
from reportgen.results.parts import Figure, Interval, Mean, Part, Scalar, Value
from reportgen.results.quality import Quality
from reportgen.results.sets import SetsCompared
from reportgen.results.spans import SpanPair, SpanResults
from reportgen.results.unit_sets import Candidates, UnitSet, UnitSetMarks

__all__ = [
    "CASE_KINDS",
    "DIGITS",
    "SEVERITIES",
    "Adjudication",
    "Attendance",
    "Author",
    "Boundary",
    "CampaignFacts",
    "Candidates",
    "Choice",
    "Confusion",
    "Decided",
    "Definition",
    "DistanceTable",
    "Distances",
    "Elsewhere",
    "Entry",
    "Figure",
    "Finding",
    "Habit",
    "Input",
    "Interval",
    "LeftOut",
    "MarkCase",
    "MarkDisagreements",
    "Marks",
    "Material",
    "Matrix",
    "Mean",
    "Pair",
    "PairCases",
    "Part",
    "Quality",
    "Reference",
    "Results",
    "Revision",
    "Scalar",
    "SetsCompared",
    "Severity",
    "SizeCurve",
    "SpanPair",
    "SpanResults",
    "Standing",
    "Sums",
    "SymmetryTest",
    "Tool",
    "UnitSet",
    "UnitSetMarks",
    "Value",
    "Weighting",
    "Work",
    "cases_by_kind",
    "dumps",
    "omissions_of_each",
    "read_back",
    "rounded",
    "schema_of",
]
