"""Tails and quantiles: what scipy.stats says, without what scipy's packages import around it."""

import subprocess
import sys

import pytest
from scipy import stats

from reportgen.measures import distributions

ASKED = [
    ("t_below", (4.5, -2.1), stats.t.cdf(-2.1, 4.5)),
    ("t_at", (16926, 0.975), stats.t.ppf(0.975, 16926)),
    ("normal_at", (0.975,), stats.norm.ppf(0.975)),
    ("f_above", (3, 17, 2.5), stats.f.sf(2.5, 3, 17)),
    ("chi_square_above", (3, 7.8), stats.chi2.sf(7.8, 3)),
    ("binomial_below", (40, 100, 0.3), stats.binom.cdf(40, 100, 0.3)),
]


@pytest.mark.parametrize(("name", "given", "expected"), ASKED)
def test_each_is_what_scipy_stats_says(name: str, given: tuple[float, ...], expected: float) -> None:
    assert getattr(distributions, name)(*given) == pytest.approx(expected, rel=1e-13)


@pytest.mark.slow
def test_alone_they_are_the_same_and_scipy_s_package_can_be_imported_afterwards() -> None:
    calls = ", ".join(f"{name}{given}" for name, given, _ in ASKED)
    program = (
        "import sys; from reportgen.measures.distributions import *\n"
        f"found = [{calls}]\n"
        "print('scipy.special' in sys.modules, 'numpy.f2py' in sys.modules)\n"
        "from scipy import optimize, special; special.logsumexp([0, 1])\n"
        "print(*(each.hex() for each in found))"
    )
    alone = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True)
    here = [getattr(distributions, name)(*given) for name, given, _ in ASKED]
    assert alone.stdout.splitlines() == ["False False", " ".join(each.hex() for each in here)]
