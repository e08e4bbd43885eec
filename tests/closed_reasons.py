"""The reasons and words of closed lists that results.json holds beside findings and the catalogue."""

from collections.abc import Iterator
from enum import StrEnum
from typing import get_args

from reportgen.campaign.guidelines import Reason
from reportgen.campaign.taxonomies import CSV
from reportgen.campaign.values import Role, Scale
from reportgen.findings import changes as change
from reportgen.findings import verdicts
from reportgen.findings.subjects import SubjectReason
from reportgen.measures.annotators.aggregation import NoAggregate
from reportgen.measures.annotators.dawid_skene import NotFitted
from reportgen.measures.annotators.decisions import CAUSES
from reportgen.measures.annotators.groups import NoGroupTest
from reportgen.measures.annotators.replacement_scores import NoReplacement
from reportgen.measures.estimate import Method, NoInterval, Undefined
from reportgen.measures.resampling import NoPermutation
from reportgen.measures.significance_tests import NoDifference, NoTest, TestMethod
from reportgen.readers import OWN, label_studio, naming
from reportgen.readers.layers_of_marks import (
    A_CANDIDATE,
    A_RELATION,
    AGAIN,
    MISSING,
    NO_STRETCH,
    OF_CHAIN,
    OF_DIFFERENT_TEXTS,
    OF_OTHER_LAYER,
    OF_SKIPPED,
)
from reportgen.readers.reader import NO_ANNOTATOR, NO_UNIT, NOT_ASKED_FOR, UNDECLARED
from reportgen.units import compared, labelled, unit_sets
from reportgen.units.unit_sets import REJECTED, REPEATED, REPEATED_DOCUMENT
from reportgen.versions import comparisons

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
    verdicts.ABSENT,
    change.NO_REASON,
    comparisons.ABSENT,
    comparisons.NO_MARKS,
    comparisons.NOT_COMPUTED,
    comparisons.IN_ONE,
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
    label_studio.NO_TEXT,
    label_studio.DRAFT,
    label_studio.FREE_TEXT,
    label_studio.MEDIA,
    label_studio.DIALOGUE,
    label_studio.OTHER,
    label_studio.HTML,
    compared.ORDINARY,
    REPEATED_DOCUMENT,
    compared.CONTROL,
    REJECTED,
    REPEATED,
    *labelled.OFF.values(),
    *(text for reader in OWN for text in reader.says),
    labelled.OUTDONE,
    unit_sets.UNMARKED,
    unit_sets.UNMARKED_BY_SOME,
    unit_sets.REPLACED,
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
