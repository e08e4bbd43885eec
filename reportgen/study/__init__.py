"""What is compared with what? For each unit set a long table of integer codes."""

from reportgen.formats import NO_DOCUMENT, Codes, LeftOut
from reportgen.study.build import build_study
from reportgen.study.categories import number, unknown_to_distances
from reportgen.study.coded import NO_CATEGORY, Attendance, CodedUnits, Material, Study
from reportgen.study.privacy import hide_in_path, pseudonyms, with_pseudonyms
from reportgen.study.request import SEPARATOR, Request
from reportgen.study.unit_sets import Declaration, Size

__all__ = [
    "NO_CATEGORY",
    "NO_DOCUMENT",
    "SEPARATOR",
    "Attendance",
    "CodedUnits",
    "Codes",
    "Declaration",
    "LeftOut",
    "Material",
    "Request",
    "Size",
    "Study",
    "build_study",
    "hide_in_path",
    "number",
    "pseudonyms",
    "unknown_to_distances",
    "with_pseudonyms",
]
