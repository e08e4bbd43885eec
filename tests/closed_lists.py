"""The messages of closed lists: what results.json says in English, and pages in their own language."""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from types import ModuleType

from reportgen import findings
from reportgen.findings.layer_facts import FindingTemplate
from reportgen.report.checklists import CHECKLISTS
from tests.catalogue_words import catalogue_messages
from tests.closed_reasons import reasons


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
