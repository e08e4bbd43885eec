"""The messages of closed lists: what results.json says in English, and pages in their own language."""

import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from types import ModuleType
from typing import get_args

from reportgen import campaign, findings, measures
from reportgen.campaign.taxonomies import CSV
from reportgen.campaign.toml_tables import Role, Scale
from reportgen.catalogue import BRACKETS, CATALOGUE, DECLARED, Bracket, Measure
from reportgen.findings import changes as change
from reportgen.findings import verdicts
from reportgen.findings.layer_facts import FindingTemplate
from reportgen.measures.annotators.aggregation import Aggregate, Status
from reportgen.measures.annotators.decisions import CAUSES
from reportgen.readers import OWN, label_studio, layers_of_marks, naming
from reportgen.readers.reader import NO_ANNOTATOR, NO_UNIT, NOT_ASKED_FOR, UNDECLARED
from reportgen.report.checklists import CHECKLISTS
from reportgen.units import labelled, unit_sets
from reportgen.units.unit_sets import REJECTED, REPEATED, REPEATED_DOCUMENT
from reportgen.versions import comparisons
from reportgen.words.names import PROSE


def messages() -> Iterator[str]:
    """Yield every message that results hold."""
    yield from dict.fromkeys((*findings_messages(), *reasons(), *catalogue_messages(), *_of_checklists()))


def _of_checklists() -> Iterator[str]:
    for checklist in CHECKLISTS.values():
        yield from (checklist.name, *(group.title for group in checklist.groups))
        yield from (text for each in checklist.questions for text in (each.asks, each.reason) if text)


def findings_messages() -> Iterator[str]:
    """Yield every claim and advice of findings, those that are the same once."""
    yield from dict.fromkeys(_claims())


def _claims() -> Iterator[str]:
    for each in templates():
        yield from (text for text in (each.claim, each.advice) if text)


def templates() -> Iterator[FindingTemplate]:
    """Yield the template of every finding, in each case of which it speaks."""
    for module in modules(findings):
        for value in vars(module).values():
            yield from _within(value)


def _within(value: object) -> Iterator[FindingTemplate]:
    """Yield the messages in a value: itself, or what stands in lists and tables of it."""
    if isinstance(value, FindingTemplate):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _within(each)
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _within(each)


def modules(package: ModuleType) -> Iterator[ModuleType]:
    """Yield every module of a package."""
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        yield importlib.import_module(found.name)


# The reasons and words of closed lists that results.json holds beside findings and the catalogue

ROOMS = (campaign, measures, findings)
# Words of the command line and of tables: they are the same in every language.
NO_MESSAGES = (Aggregate, Status)


def lists() -> Iterator[type[StrEnum]]:
    """Yield every closed list of the rooms whose messages are in results."""
    for module in (found for room in ROOMS for found in modules(room)):
        for value in vars(module).values():
            if isinstance(value, type) and issubclass(value, StrEnum) and value not in NO_MESSAGES:
                yield from (value,) * (value.__module__ == module.__name__)


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
    layers_of_marks.NO_STRETCH,
    layers_of_marks.OF_DIFFERENT_TEXTS,
    layers_of_marks.A_RELATION,
    layers_of_marks.OF_CHAIN,
    layers_of_marks.OF_SKIPPED,
    layers_of_marks.OF_OTHER_LAYER,
    layers_of_marks.A_CANDIDATE,
    layers_of_marks.MISSING,
    layers_of_marks.AGAIN,
    naming.OF_FAULTY,
    naming.OF_TEMPLATE,
    label_studio.NO_TEXT,
    label_studio.DRAFT,
    label_studio.FREE_TEXT,
    label_studio.MEDIA,
    label_studio.DIALOGUE,
    label_studio.OTHER,
    label_studio.HTML,
    labelled.ORDINARY,
    REPEATED_DOCUMENT,
    labelled.CONTROL,
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
    for each in lists():
        yield from map(str, each)
    yield from ABSENT
    yield from LEFT_OUT
    yield from WORDS
    yield "stretches"
    yield "F"


# The messages of the measure catalogue: what pages say of measures and of what stands in brackets

# What holds letters that are signs, and is a message only where it holds words too.
FORMULAS = ("formula", "latex")
LETTERS = {"formula": re.compile(r"[a-z]{4,}"), "latex": re.compile(r"\\(?:text|mathrm)\{[^}]*?([a-z]{4,})")}
SIGNS = ("free", "bran")

ENTRIES: tuple[Measure | Bracket, ...] = (*CATALOGUE, *BRACKETS, DECLARED)


def catalogue_messages() -> Iterator[str]:
    """Yield every text of the catalogue that a page shows in its own language, each once."""
    yield from dict.fromkeys(text for entry in ENTRIES for _field, text in texts_of(entry) if text)


def texts_of(entry: Measure | Bracket) -> Iterator[tuple[str, str]]:
    """Yield the texts of an entry, each with what it is."""
    for name in (*PROSE, "short"):
        text = getattr(entry, name, "")
        if name not in FORMULAS or _has_words(name, text):
            yield name, text
    for work in entry.works:
        yield "citation", work.citation
    for each in entry.elsewhere:
        yield "library", each.library
        yield "returns", each.returns


def _has_words(name: str, text: str) -> bool:
    return any(found not in SIGNS for found in LETTERS[name].findall(text))
