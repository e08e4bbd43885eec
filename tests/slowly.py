"""Slow cases that hold what others hold too: `make test` looks at a few, `make test-all` at the rest."""

from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest
from _pytest.mark import ParameterSet

Test = TypeVar("Test", bound=Callable[..., object])


def slow_but(cases: Iterable[object], *quick: object) -> list[ParameterSet]:
    """Return the cases of a test, all but the quick ones marked as slow."""
    known = list(cases)
    assert all(each in known for each in quick)
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)), marks=() if case in quick else pytest.mark.slow
        )
        for case in known
    ]


def slow_in_chromium(test: Test) -> Test:
    """Mark a test that opens pages in Chromium, and takes long."""
    marked: Test = pytest.mark.browser(pytest.mark.slow(test))
    return marked
