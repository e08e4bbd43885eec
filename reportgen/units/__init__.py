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
from reportgen.units.label_checks import Expected, LabelFault, label_faults, label_table, repeated_labels
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
from reportgen.units.passes import CONTROL, duplicates, find_controls
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
    "Expected",
    "ExportParticipants",
    "LabelFault",
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
    "duplicates",
    "find_controls",
    "fits_relations",
    "from_ratings",
    "label_faults",
    "label_table",
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
    "repeated_labels",
    "shown_texts",
    "sum_of_marks",
    "unit_names",
    "unknown_to_distances",
    "with_pseudonyms",
]
