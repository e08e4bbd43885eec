"""The reasons and words of closed lists that results.json holds beside findings and the catalogue."""

from collections.abc import Iterator
from enum import StrEnum
from typing import get_args

from reportgen.adjudication.names import CAUSES
from reportgen.agreement.estimate import Method, NoInterval, Undefined
from reportgen.agreement.two.symmetry import NoTest, TestMethod
from reportgen.agreement.uncertainty.contributions import NoDifference
from reportgen.agreement.uncertainty.permutation import NoPermutation
from reportgen.agreement.uncertainty.resampling import NoOpinion
from reportgen.campaign.bdm.read import CSV
from reportgen.campaign.values import Role, Scale
from reportgen.findings import verdict
from reportgen.findings.changes import verdict as change
from reportgen.formats.assemble import (
    A_CANDIDATE,
    A_RELATION,
    AGAIN,
    MISSING,
    OF_OTHER_LAYER,
    OF_SKIPPED,
)
from reportgen.formats.parsing import cas, crowds, curation, gate_sets
from reportgen.formats.parsing.label_studio import tasks, values
from reportgen.formats.reader import NO_ANNOTATOR, NO_UNIT, NOT_ASKED_FOR, UNDECLARED
from reportgen.formats.readers import brat, doccano, gate_xml, inception, inline_xml, mmax, prodigy
from reportgen.formats.relations import NO_STRETCH
from reportgen.quality.errors import NotFitted
from reportgen.record import history, moves
from reportgen.record.choice import Reason
from reportgen.study import controls, texts, unit_sets
from reportgen.study.people import REJECTED, REPEATED, REPEATED_DOCUMENT

LISTS: tuple[type[StrEnum], ...] = (
    Undefined,
    NoInterval,
    Method,
    NoDifference,
    NoOpinion,
    NoPermutation,
    NoTest,
    TestMethod,
    NotFitted,
    Reason,
)
ABSENT = (
    verdict.ABSENT,
    change.NO_REASON,
    history.ABSENT,
    history.NO_MARKS,
    history.NOT_COMPUTED,
    moves.IN_ONE,
)
# Why a unit or a mark is left out.
LEFT_OUT = (
    NOT_ASKED_FOR,
    NO_ANNOTATOR,
    NO_UNIT,
    UNDECLARED,
    NO_STRETCH,
    A_RELATION,
    OF_SKIPPED,
    OF_OTHER_LAYER,
    A_CANDIDATE,
    MISSING,
    AGAIN,
    cas.OF_NO_VIEW,
    crowds.GOLDEN,
    crowds.TAINTED,
    crowds.REJECTED,
    curation.OF_TEMPLATE,
    gate_sets.OF_MARKUP,
    gate_sets.OF_DEFAULT,
    values.NO_TEXT,
    tasks.DRAFT,
    values.FREE_TEXT,
    values.MEDIA,
    values.DIALOGUE,
    values.OTHER,
    values.HTML,
    brat.A_NOTE,
    doccano.COMMENT,
    doccano.FREE_TEXT,
    gate_xml.NO_ANNOTATION,
    inception.NEVER_OPENED,
    inline_xml.A_COMMENT,
    inline_xml.AN_INSTRUCTION,
    mmax.ASTRAY,
    prodigy.AGAIN,
    prodigy.AGAIN_THERE,
    prodigy.REJECTED,
    prodigy.IGNORED,
    prodigy.QUESTION,
    prodigy.NO_TEXT,
    controls.ORDINARY,
    REPEATED_DOCUMENT,
    controls.CONTROL,
    REJECTED,
    REPEATED,
    *texts.OFF.values(),
    texts.OUTDONE,
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
