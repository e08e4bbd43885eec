"""What is compared with what? For each unit set a long table of integer codes."""

from reportgen.formats import NO_DOCUMENT, Codes, LeftOut
from reportgen.study.build import build_study
from reportgen.study.categories import natural_order, number, unknown_to_distances
from reportgen.study.coded import NO_CATEGORY, NO_PLACE, Attendance, CodedUnits, Material, Study
from reportgen.study.disputed import disputed
from reportgen.study.pairing import Pairing, pair_marks
from reportgen.study.people import REPEATED, People, people
from reportgen.study.privacy import hide_in_path, pseudonyms, with_pseudonyms
from reportgen.study.ratings import from_ratings
from reportgen.study.request import SEPARATOR, Request
from reportgen.study.spans import Spans, Spelling
from reportgen.study.texts import MarkedTexts
from reportgen.study.unit_sets import Declaration, Size, fits_relations

__all__ = [
    "NO_CATEGORY",
    "NO_DOCUMENT",
    "NO_PLACE",
    "REPEATED",
    "SEPARATOR",
    "Attendance",
    "CodedUnits",
    "Codes",
    "Declaration",
    "LeftOut",
    "MarkedTexts",
    "Material",
    "Pairing",
    "People",
    "Request",
    "Size",
    "Spans",
    "Spelling",
    "Study",
    "build_study",
    "disputed",
    "fits_relations",
    "from_ratings",
    "hide_in_path",
    "natural_order",
    "number",
    "pair_marks",
    "people",
    "pseudonyms",
    "unknown_to_distances",
    "with_pseudonyms",
]
