"""Tails and quantiles of the distributions that tests and intervals refer to, computed by scipy."""

import sys
from functools import cache
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from types import ModuleType

PACKAGE = "scipy.special"


def t_below(degrees: float, value: float) -> float:
    """Return P(T <= value) of Student's t distribution."""
    return float(_scipy().stdtr(degrees, value))


def t_at(degrees: float, share: float) -> float:
    """Return the value below which a share of Student's t distribution lies."""
    return float(_scipy().stdtrit(degrees, share))


def normal_at(share: float) -> float:
    """Return the value below which a share of the normal distribution lies."""
    return float(_scipy().ndtri(share))


def f_at(first: float, second: float, share: float) -> float:
    """Return the value below which a share of the F distribution lies."""
    return float(_scipy().fdtri(first, second, share))


def f_above(first: float, second: float, value: float) -> float:
    """Return P(F > value)."""
    return float(_scipy().fdtrc(first, second, value))


def chi_square_above(degrees: int, value: float) -> float:
    """Return P(χ² > value)."""
    return float(_scipy().chdtrc(degrees, value))


def binomial_below(successes: int, draws: int, share: float) -> float:
    """Return the probability of at most so many successes."""
    return float(_scipy().bdtr(float(successes), draws, share))


@cache
def _scipy() -> ModuleType:
    """Return scipy's special functions; where that is possible, the compiled module alone.

    The package around it imports numpy.f2py and more, which takes longer than all figures of a small table.
    It is kept out by an empty module of its name, and imported as usual by whoever needs it later.
    """
    spec = None if PACKAGE in sys.modules else find_spec(PACKAGE)
    if spec is not None:
        sys.modules[PACKAGE] = module_from_spec(spec)
        try:
            return import_module(f"{PACKAGE}._ufuncs")
        except ImportError:  # another version of scipy
            pass
        finally:
            del sys.modules[PACKAGE]
    return import_module(PACKAGE)
