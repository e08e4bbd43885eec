"""The models of results.json and texts.json: the wall between computing and rendering."""

from reportgen.results.adjudication import Adjudication, Decided
from reportgen.results.explained import Choice, Definition, Elsewhere, Entry, Weighting, Work
from reportgen.results.facts import Author, CampaignFacts, DistanceTable, Reference, Revision
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
    "DIGITS",
    "SEVERITIES",
    "Adjudication",
    "Attendance",
    "Author",
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
    "Input",
    "Interval",
    "LeftOut",
    "Marks",
    "Material",
    "Matrix",
    "Mean",
    "Pair",
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
    "dumps",
    "read_back",
    "rounded",
    "schema_of",
]
