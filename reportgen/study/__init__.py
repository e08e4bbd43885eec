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
from reportgen.study.crediting import Credit, CreditPairs, credits_of, pair_by_credit
from reportgen.study.disputed import disputed
from reportgen.study.pairing import Pairing, pair_marks
from reportgen.study.people import REJECTED, REPEATED, Mask, People, people
from reportgen.study.privacy import hide_in_path, names_in_paths, pseudonyms, with_pseudonyms
from reportgen.study.ratings import from_ratings
from reportgen.study.request import SEPARATOR, Request
from reportgen.study.spans import Spans, Spelling
from reportgen.study.texts import MarkedTexts
from reportgen.study.unit_sets import Declaration, Size, fits_relations

__all__ = [
    "CONTROL",
    "NO_CATEGORY",
    "NO_DOCUMENT",
    "NO_PLACE",
    "REJECTED",
    "REPEATED",
    "SEPARATOR",
    "Attendance",
    "CodedUnits",
    "Codes",
    "Compared",
    "ControlUnits",
    "Credit",
    "CreditPairs",
    "Declaration",
    "LeftOut",
    "MarkedTexts",
    "Mask",
    "Material",
    "Pairing",
    "Passes",
    "People",
    "Request",
    "Size",
    "Spans",
    "Spelling",
    "Study",
    "build_study",
    "credits_of",
    "disputed",
    "find_controls",
    "fits_relations",
    "from_ratings",
    "hide_in_path",
    "names_in_paths",
    "natural_order",
    "number",
    "pair_by_credit",
    "pair_marks",
    "people",
    "pseudonyms",
    "unknown_to_distances",
    "with_pseudonyms",
]
