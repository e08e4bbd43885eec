"""What each claim says, held against labels: a check for every message that campaigns made here lead to."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest

from reportgen.results import Finding, Results
from reportgen.words.numbers import note
from tests.truth import of_categories, of_causes, of_crowds, of_marks, of_material, of_people, of_sets
from tests.truth.case import Case, Check
from tests.truth.made import Made

CHECKS: Mapping[str, Check] = {
    **of_categories.CHECKS,
    **of_causes.CHECKS,
    **of_crowds.CHECKS,
    **of_marks.CHECKS,
    **of_material.CHECKS,
    **of_people.CHECKS,
    **of_sets.CHECKS,
}
# What no sentence says, true or not.
SILLY = re.compile(
    r"(?<![\w.,])1 (documents|units|tokens|labels|categories|annotators|files|cases|marks|layers)\b"
    r"|100(\.0)?% of all labels|\(unmarked\) was never|\bnan\b|None|\{\w*\}|\b1 of 1\b"
)


def check(case: Case, finding: Finding) -> None:
    """Hold a finding against the labels; fail where there is no check for what it says."""
    known = CHECKS.get(finding.claim)
    if known is None:
        pytest.fail(f"no check for: {finding.claim}")
    with said_of(case.made, finding):
        known(case, finding.values)


@contextmanager
def said_of(made: Made, finding: Finding) -> Iterator[None]:
    """Name campaign and claim where a check fails; fail where the claim is silly."""
    said = note(finding)
    try:
        assert not SILLY.search(f"{said.claim} {said.advice}"), "nobody would say so"
        yield
    except (AssertionError, LookupError, ValueError) as error:
        message = f"{made.name}: {said.claim}\n{error!r}"
        raise AssertionError(message) from error


def hold(results: Results, made: Made) -> int:
    """Check every claim of a campaign's report; return how many there were."""
    for finding in results.findings:
        first, *_ = made.layers
        named = finding.values.get("names_layer")
        for layer in finding.layers or (str(named or first),):
            check(Case(made.layers[layer], results, made), finding)
    return len(results.findings)
