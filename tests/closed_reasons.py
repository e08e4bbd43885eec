"""The reasons and words of closed lists that results.json holds beside findings and the catalogue."""

from collections.abc import Iterator
from enum import StrEnum
from typing import get_args

from reportgen.annotators.adjudication_sheets import CAUSES
from reportgen.annotators.aggregation import NoAggregate
from reportgen.annotators.dawid_skene import NotFitted
from reportgen.annotators.groups import NoGroupTest
from reportgen.annotators.replacement_tests import NoReplacement
from reportgen.campaign.guidelines import Reason
from reportgen.campaign.taxonomies import CSV
from reportgen.campaign.values import Role, Scale
from reportgen.findings import certainty
from reportgen.findings import change_figures as change
from reportgen.findings.subjects import SubjectReason
from reportgen.measures.difference_tests import NoDifference
from reportgen.measures.estimate import Method, NoInterval, Undefined
from reportgen.measures.resampling import NoPermutation
from reportgen.measures.symmetry import NoTest, TestMethod
from reportgen.readers import OWN, label_studio, label_studio_results, naming
from reportgen.readers.assembly import (
    A_CANDIDATE,
    A_RELATION,
    AGAIN,
    MISSING,
    OF_CHAIN,
    OF_DIFFERENT_TEXTS,
    OF_OTHER_LAYER,
    OF_SKIPPED,
)
from reportgen.readers.reader import NO_ANNOTATOR, NO_UNIT, NOT_ASKED_FOR, UNDECLARED
from reportgen.readers.sources import NO_STRETCH
from reportgen.units import compared, labelled, unit_kinds
from reportgen.units.coded import REJECTED, REPEATED, REPEATED_DOCUMENT
from reportgen.versions import all_versions

LISTS: tuple[type[StrEnum], ...] = (
    Undefined,
    NoInterval,
    Method,
    NoDifference,
    NoPermutation,
    NoTest,
    TestMethod,
    NoAggregate,
    NotFitted,
    NoReplacement,
    NoGroupTest,
    Reason,
    SubjectReason,
)
ABSENT = (
    certainty.ABSENT,
    change.NO_REASON,
    all_versions.ABSENT,
    all_versions.NO_MARKS,
    all_versions.NOT_COMPUTED,
    all_versions.IN_ONE,
)
# Why a unit or a mark is left out; readers say their own reasons, and how files were understood.
LEFT_OUT = (
    NOT_ASKED_FOR,
    NO_ANNOTATOR,
    NO_UNIT,
    UNDECLARED,
    NO_STRETCH,
    OF_DIFFERENT_TEXTS,
    A_RELATION,
    OF_CHAIN,
    OF_SKIPPED,
    OF_OTHER_LAYER,
    A_CANDIDATE,
    MISSING,
    AGAIN,
    naming.OF_FAULTY,
    naming.OF_TEMPLATE,
    label_studio_results.NO_TEXT,
    label_studio.DRAFT,
    label_studio_results.FREE_TEXT,
    label_studio_results.MEDIA,
    label_studio_results.DIALOGUE,
    label_studio_results.OTHER,
    label_studio_results.HTML,
    compared.ORDINARY,
    REPEATED_DOCUMENT,
    compared.CONTROL,
    REJECTED,
    REPEATED,
    *labelled.OFF.values(),
    *(text for reader in OWN for text in reader.says),
    labelled.OUTDONE,
    unit_kinds.UNMARKED,
    unit_kinds.UNMARKED_BY_SOME,
    unit_kinds.REPLACED,
)
# Words that fill places, or stand in cells: what units are, whose labels, on which scale.
WORDS = (
    *CAUSES,
    CSV,
    *get_args(Role),
    *get_args(Scale),
    "documents",
    "units",
    "tokens",
    "sentences",
    "candidates",
)


def reasons() -> Iterator[str]:
    """Yield every reason, and every word of a closed list."""
    for each in LISTS:
        yield from (str(message) for message in each)
    yield from ABSENT
    yield from LEFT_OUT
    yield from WORDS
    yield "stretches"
    yield "F"
