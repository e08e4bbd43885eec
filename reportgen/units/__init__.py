"""What is compared with what? For each unit set a long table of integer codes."""

from reportgen.units.categories import natural_order, number, unknown_to_distances
from reportgen.units.coded import (
    NO_CATEGORY,
    NO_PLACE,
    REJECTED,
    REPEATED,
    CodedUnits,
    ControlUnits,
    ExportParticipants,
    Mask,
    Passes,
    people,
)
from reportgen.units.pairing import (
    BOUNDARY,
    CASE_KINDS,
    OF_FIRST,
    OF_SECOND,
    OMISSION,
    PAIR,
    MarkCases,
    Pairing,
    credits_of,
    mark_cases,
    other_distances,
    pair_by_credit,
    pair_marks,
)
from reportgen.units.passes import CONTROL, find_controls
from reportgen.units.pseudonymising import Pseudonyms, document_names, pseudonyms, unit_names, with_pseudonyms
from reportgen.units.ratings import ComparedUnits, from_ratings
from reportgen.units.shown_texts import disputed, shown_texts
from reportgen.units.spans import Credit, SpanFrame, Spans
from reportgen.units.study import Study, build_study, left_out_csv, marks_left_out, sum_of_marks
from reportgen.units.texts import MarkedTexts
from reportgen.units.unit_sets import SEPARATOR, Declaration, Request, fits_relations

__all__ = [
    "BOUNDARY",
    "CASE_KINDS",
    "CONTROL",
    "NO_CATEGORY",
    "NO_PLACE",
    "OF_FIRST",
    "OF_SECOND",
    "OMISSION",
    "PAIR",
    "REJECTED",
    "REPEATED",
    "SEPARATOR",
    "CodedUnits",
    "ComparedUnits",
    "ControlUnits",
    "Credit",
    "Declaration",
    "ExportParticipants",
    "MarkCases",
    "MarkedTexts",
    "Mask",
    "Pairing",
    "Passes",
    "Pseudonyms",
    "Request",
    "SpanFrame",
    "Spans",
    "Study",
    "build_study",
    "credits_of",
    "disputed",
    "document_names",
    "find_controls",
    "fits_relations",
    "from_ratings",
    "left_out_csv",
    "mark_cases",
    "marks_left_out",
    "natural_order",
    "number",
    "other_distances",
    "pair_by_credit",
    "pair_marks",
    "people",
    "pseudonyms",
    "shown_texts",
    "sum_of_marks",
    "unit_names",
    "unknown_to_distances",
    "with_pseudonyms",
]
