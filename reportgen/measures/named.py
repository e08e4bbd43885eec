"""What computes a measure: functions of this room by the names that the catalogue gives."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

from reportgen.catalogue import Measure
from reportgen.measures import formulas
from reportgen.measures.formulas import Formula


@cache
def function_named(name: str) -> Callable[..., Any]:
    """Return a function by its module and name: "sets.explicit_kappa"."""
    module, _, function = name.partition(".")
    found: Callable[..., Any] = getattr(import_module(f"reportgen.measures.{module}"), function)
    return found


def formula_of(measure: Measure) -> Formula:
    """Return the function of sums that a measure is."""
    found: Formula = getattr(formulas, measure.coefficient)
    return found
