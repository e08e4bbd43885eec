"""Slow cases that hold what others hold too: `make test` looks at a few, `make test-all` at the rest."""

from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet


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
