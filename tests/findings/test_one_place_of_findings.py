"""What is true of a finding is said where its template is: no other room knows findings by their ids."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from reportgen import findings, report
from tests.closed_lists import templates
from tests.defaults import taken

PACKAGE = Path(report.__file__).parent.parent
IDS = {template.id for template in templates()} | {findings.LAYER_VERDICT}
# Rooms that have findings, and those that could list them.
MODULES = sorted(PACKAGE.rglob("*.py"))


def test_what_nobody_says_is_nothing() -> None:
    assert taken("findings/*.py") == {}


def are_listed(named: list[str], everything: int) -> bool:
    """Tell whether ids of findings are meant: some are words like any other."""
    return len(named) > 1 and (len(named) == everything or any("-" in name for name in named))


def lists_of_ids(source: str) -> Iterator[tuple[int, list[str]]]:
    """Yield where a collection, or a comparison of an `id`, names findings: the line, and the ids."""
    tree = ast.parse(source)
    # The closed list of the values of a trait is its declaration.
    declared = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript) and getattr(node.value, "id", "") == "Literal"
        for part in ast.walk(node.slice)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts) if (
                id(node) not in declared
            ):
                named = [part.value for part in parts if isinstance(part, ast.Constant) and part.value in IDS]
                if are_listed(named, len(parts)):
                    yield node.lineno, named
            case ast.Dict(keys=keys):
                named = [key.value for key in keys if isinstance(key, ast.Constant) and key.value in IDS]
                if are_listed(named, len(keys)):
                    yield node.lineno, named
            case ast.Compare(left=ast.Attribute(attr="id", value=of), comparators=others):
                named = [
                    other.value for other in others if isinstance(other, ast.Constant) and other.value in IDS
                ]
                if named and getattr(of, "id", "") in {"finding", "note", "each", "advice", "verdict"}:
                    yield node.lineno, named


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ('A = frozenset(("bias", "drift"))', ["bias", "drift"]),
        ('A = {"bias": 1, "drift": 2}', ["bias", "drift"]),
        ('A = ["bias", "left-out", "kappa", "alpha"]', ["bias", "left-out"]),
        ('A = finding.id == "one-label"', ["one-label"]),
        ('A = ("bias", "drift", "kappa")', None),
        ('A = Literal["verdict", "caveat"]', None),
        ('A = unit_set.id == "tokens"', None),
    ],
)
def test_lists_of_ids_are_found(source: str, named: list[str] | None) -> None:
    assert [found for _line, found in lists_of_ids(source)] == ([named] if named else [])


@pytest.mark.slow
def test_no_module_lists_findings_or_asks_for_their_ids() -> None:
    quoted = re.compile("|".join(f'"{name}"' for name in sorted(IDS)))
    sources = {path: path.read_text(encoding="utf-8") for path in MODULES}
    listed = [
        f"{path.relative_to(PACKAGE)}:{line}: {', '.join(named)}"
        for path, source in sources.items()
        if quoted.search(source)
        for line, named in lists_of_ids(source)
    ]
    assert listed == []
    assert len(IDS) > 90


def test_what_asks_for_a_key_of_campaign_toml_says_so() -> None:
    """Such advice comes last, since no annotator can follow it."""
    for template in templates():
        asks = template.asks in {"declare", "account"}
        assert not asks or "campaign.toml" in template.advice or "under [corpus]" in template.advice, template
        if template.kind is None and "campaign.toml" in template.advice:
            assert asks, template


def test_traits_name_places_of_the_messages_or_values_beside_them() -> None:
    for template in templates():
        text = template.claim + template.advice
        # What others are made of says nothing itself.
        for place in (*template.categories, *template.people) if text else ():
            assert place == "category" or f"{{{place}}}" in text, (template, place)
