"""What is refused: the one problem that a call leads to."""

from collections.abc import Callable
from typing import ParamSpec

import pytest

from reportgen.base.errors import BadInput, Problem

Given = ParamSpec("Given")


def refusal(call: Callable[Given, object], *given: Given.args, **named: Given.kwargs) -> Problem:
    """Return the only problem with which a call is refused."""
    with pytest.raises(BadInput) as caught:
        call(*given, **named)
    (problem,) = caught.value.problems
    return problem
