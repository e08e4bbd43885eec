"""Numbers and messages as a reader sees them; the only place where figures are rounded."""

import re
import string
from collections.abc import Mapping

from reportgen.results import Figure, Interval, Scalar

DECIMALS = 3
MOST_DECIMALS = 6
SMALLEST_P = 0.001
# A p value that three decimals would make equal to this has as many as it takes to tell them apart.
LEVEL = 0.05
# Nouns that messages count, and the verbs behind them; one of a thing is "1 document", which "stands".
COUNTED = re.compile(
    r"\{(\w+)\} (more )?(document|unit|disagreement|annotator|version)s\b"
    r"(?: (stand|have|show|differ)\b)?"
)
VERBS = {"stand": "stands", "have": "has", "show": "shows", "differ": "differs"}
NONE = "–"
# What is left of an exact zero after floating-point arithmetic.
ROUNDING = 1e-12


def count(value: int) -> str:
    """Return a whole number with its thousands set apart."""
    return f"{value:,}"


def counted(value: int, one: str, several: str) -> str:
    """Return a whole number with the thing that it counts."""
    return f"{count(value)} {one if value == 1 else several}"


def figure(value: float | None) -> str:
    """Return a figure with three decimals, or as many as it takes not to show 0 or 1 where it is not."""
    if value is None:
        return NONE
    if abs(value) < ROUNDING:
        return f"{0:.{DECIMALS}f}"
    if 0 < abs(value) < 0.5 * 10**-DECIMALS:
        return _plain(value)
    if 1 - 0.5 * 10**-DECIMALS <= abs(value) < 1:
        return _signed(_below_one(value))
    return _signed(f"{value:.{DECIMALS}f}")


def _below_one(value: float) -> str:
    """Return as many decimals as it takes not to show one."""
    shown = (f"{value:.{digits}f}" for digits in range(DECIMALS + 1, MOST_DECIMALS + 1))
    return next(
        (text for text in shown if abs(float(text)) < 1), f"over {'-' * (value < 0)}0.{'9' * MOST_DECIMALS}"
    )


def _plain(value: float) -> str:
    """Return one significant digit without an exponent."""
    digits = f"{value:.0e}"
    return _signed(f"{value:.{max(0, -int(digits.partition('e')[2]))}f}")


def _signed(text: str) -> str:
    """Return a number with a true minus sign, and zero without one."""
    if not text.strip("-0."):
        return text.removeprefix("-")
    return text.replace("-", "−")


def decimal(value: float) -> str:
    """Return a number with one decimal."""
    return f"{value:,.1f}"


def percent(value: float) -> str:
    """Return a share as a percentage; whole only where that says enough, and never rounded to all or none."""
    shown = f"{100 * value:.1f}"
    if shown == "100.0" and value < 1:
        return f"{100 * value:.2f}%" if value < 0.99995 else "over 99.99%"  # noqa: PLR2004 - two decimals would round up
    if shown == "0.0" and value > 0:
        return "under 0.1%"
    return f"{shown}%"


def p_value(value: float) -> str:
    """Return a p value with three decimals, more beside 0.05, or a bound below one in a thousand."""
    if value < SMALLEST_P:
        return f"< {SMALLEST_P}"
    digits = range(DECIMALS, MOST_DECIMALS + 1)
    shown = (f"{value:.{each}f}" for each in digits if value == LEVEL or float(f"{value:.{each}f}") != LEVEL)
    return next(shown, f"{value:.{DECIMALS}f}")


def p_is(value: float) -> str:
    """Return a p value as papers print it: "p = 0.042" or "p < 0.001"."""
    return f"p {_relation(value)}"


def _relation(value: float) -> str:
    shown = p_value(value)
    return shown if shown.startswith("<") else f"= {shown}"


def interval(value: Interval | None) -> str:
    """Return an interval in brackets, empty where there is none."""
    if value is None or value.low is None or value.high is None:
        return ""
    return f"[{figure(value.low)}, {figure(value.high)}]"


def estimate(value: Figure | None) -> str:
    """Return a figure with its interval in one line."""
    if value is None or value.value is None:
        return NONE
    return f"{figure(value.value)} {interval(value.interval)}".rstrip()


def message(text: str, values: Mapping[str, Scalar]) -> str:
    """Return a message of a closed list with its {named} places filled in.

    Whole numbers are counts, names that end in `share` percentages, `p` or names that end in `_p` p values,
    other numbers figures; words stand as they are. One of a thing is in the singular.
    """
    shown = {name: scalar(name, value) for name, value in values.items()}
    return string.Formatter().vformat(_in_number(_related(text, values), values), (), shown)


def _related(text: str, values: Mapping[str, Scalar]) -> str:
    """Return a message with "<" for "=" before the p values that are bounds, and "under" elsewhere."""
    for name, value in values.items():
        if _is_p(name) and isinstance(value, float) and value < SMALLEST_P:
            text = text.replace(f"= {{{name}}}", f"{{{name}}}")
            text = text.replace(f" is {{{name}}}", f" is under {SMALLEST_P}")
    return text


def _in_number(text: str, values: Mapping[str, Scalar]) -> str:
    """Return a message whose nouns and verbs are in the singular where there is one of a thing."""

    def one(found: re.Match[str]) -> str:
        name, between, noun, verb = found.groups()
        if values.get(name) != 1:
            return found.group()
        return f"{{{name}}} {between or ''}{noun}{f' {VERBS[verb]}' if verb else ''}"

    return COUNTED.sub(one, text)


def _is_p(name: str) -> bool:
    return name == "p" or name.endswith("_p")


def scalar(name: str, value: Scalar) -> str:
    """Return one value of a message, by its type and name."""
    if isinstance(value, bool | str):
        return str(value)
    if isinstance(value, int):
        return count(value)
    if name == "share" or name.endswith("_share"):
        return percent(value)
    if _is_p(name):
        return p_value(value)
    return figure(value)
