"""What is compared with what? For each unit set a long table of integer codes."""

from reportgen.formats import NO_DOCUMENT, Codes, LeftOut
from reportgen.study.build import build_study
from reportgen.study.categories import natural_order, number, unknown_to_distances
from reportgen.study.coded import (
    NO_CATEGORY,
    NO_PLACE,
    Attendance,
    CodedUnits,
    ControlUnits,
    Material,
    Passes,
    Study,
)
from reportgen.study.compared import Compared
from reportgen.study.controls import CONTROL, find_controls
from reportgen.study.counted_marks import other_distances
from reportgen.study.counted_spans import CountedSpans
from reportgen.study.crediting import Credit, CreditPairs, credits_of, pair_by_credit
from reportgen.study.disputed import disputed
from reportgen.study.mark_cases import (
    BOUNDARY,
    CASE_KINDS,
    OF_FIRST,
    OF_SECOND,
    OMISSION,
    PAIR,
    MarkCases,
    mark_cases,
)
from reportgen.study.pairing import Pairing, pair_marks
from reportgen.study.people import REJECTED, REPEATED, Mask, People, people
from reportgen.study.privacy import (
    Pseudonyms,
    document_names,
    pseudonyms,
    unit_names,
    with_pseudonyms,
)
from reportgen.study.ratings import from_ratings
from reportgen.study.request import SEPARATOR, Request
from reportgen.study.spans import SpanFrame, Spans, Spelling
from reportgen.study.texts import MarkedTexts
from reportgen.study.unit_sets import Declaration, Size, fits_relations

__all__ = [
    "BOUNDARY",
    "CASE_KINDS",
    "CONTROL",
    "NO_CATEGORY",
    "NO_DOCUMENT",
    "NO_PLACE",
    "OF_FIRST",
    "OF_SECOND",
    "OMISSION",
    "PAIR",
    "REJECTED",
    "REPEATED",
    "SEPARATOR",
    "Attendance",
    "CodedUnits",
    "Codes",
    "Compared",
    "ControlUnits",
    "CountedSpans",
    "Credit",
    "CreditPairs",
    "Declaration",
    "LeftOut",
    "MarkCases",
    "MarkedTexts",
    "Mask",
    "Material",
    "Pairing",
    "Passes",
    "People",
    "Pseudonyms",
    "Request",
    "Size",
    "SpanFrame",
    "Spans",
    "Spelling",
    "Study",
    "build_study",
    "credits_of",
    "disputed",
    "document_names",
    "find_controls",
    "fits_relations",
    "from_ratings",
    "mark_cases",
    "natural_order",
    "number",
    "other_distances",
    "pair_by_credit",
    "pair_marks",
    "people",
    "pseudonyms",
    "unit_names",
    "unknown_to_distances",
    "with_pseudonyms",
]
