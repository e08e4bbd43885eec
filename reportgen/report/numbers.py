"""Numbers and messages as a reader sees them; the only place where figures are rounded."""

import re
import string
from collections.abc import Mapping

from reportgen.report.language import _, habits, is_one, ngettext, say
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
# Values of messages that are messages themselves.
TRANSLATED = ("reason",)
# What is left of an exact zero after floating-point arithmetic.
ROUNDING = 1e-12


def count(value: int) -> str:
    """Return a whole number with its thousands set apart."""
    return f"{value:,}".replace(",", habits().group)


def counted(value: int, one: str, several: str) -> str:
    """Return a whole number with the thing that it counts; "{one}" and "{several}" are messages."""
    return f"{count(value)} {ngettext(one, several, value)}"


def figure(value: float | None) -> str:
    """Return a figure with three decimals, or as many as it takes not to show 0 or 1 where it is not."""
    if value is None:
        return NONE
    if 1 - 0.5 * 10**-DECIMALS <= abs(value) < 1:
        return _below_one(value)
    return pointed(_signed(_rounded(value)))


def pointed(text: str) -> str:
    """Return a number as the language writes it, given as programs do; its thousands are not set apart."""
    return text.replace(".", habits().decimal)


def _rounded(value: float) -> str:
    if abs(value) < ROUNDING:
        return f"{0:.{DECIMALS}f}"
    if abs(value) < 0.5 * 10**-DECIMALS:
        return _plain(value)
    return f"{value:.{DECIMALS}f}"


def _below_one(value: float) -> str:
    """Return as many decimals as it takes not to show one."""
    shown = (f"{value:.{digits}f}" for digits in range(DECIMALS + 1, MOST_DECIMALS + 1))
    found = next((text for text in shown if abs(float(text)) < 1), None)
    if found:
        return pointed(_signed(found))
    most = pointed(_signed(f"{'-' * (value < 0)}0.{'9' * MOST_DECIMALS}"))
    return say("over {number}", number=most)


def _plain(value: float) -> str:
    """Return one significant digit without an exponent."""
    digits = f"{value:.0e}"
    return f"{value:.{max(0, -int(digits.partition('e')[2]))}f}"


def _signed(text: str) -> str:
    """Return a number with a true minus sign, and zero without one."""
    if not text.strip("-0."):
        return text.removeprefix("-")
    return text.replace("-", "−")


def decimal(value: float) -> str:
    """Return a number with one decimal."""
    whole, _point, tenths = f"{value:,.1f}".partition(".")
    return f"{whole.replace(',', habits().group)}{habits().decimal}{tenths}"


def percent(value: float) -> str:
    """Return a share as a percentage; whole only where that says enough, and never rounded to all or none."""
    shown = f"{100 * value:.1f}"
    if shown == "100.0" and value < 1:
        most = f"{100 * value:.2f}"
        return percentage(most) if value < 0.99995 else say("over {number}", number=percentage("99.99"))  # noqa: PLR2004 - two decimals would round up
    if shown == "0.0" and value > 0:
        return say("under {number}", number=percentage("0.1"))
    return percentage(shown)


def percentage(digits: str) -> str:
    """Return digits with the sign of a percentage."""
    return f"{pointed(digits)}{habits().percent}"


def p_value(value: float) -> str:
    """Return a p value with three decimals, more beside 0.05, or a bound below one in a thousand."""
    if value < SMALLEST_P:
        return f"< {pointed(str(SMALLEST_P))}"
    digits = range(DECIMALS, MOST_DECIMALS + 1)
    shown = (f"{value:.{each}f}" for each in digits if value == LEVEL or float(f"{value:.{each}f}") != LEVEL)
    return pointed(next(shown, f"{value:.{DECIMALS}f}"))


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
    return f"[{figure(value.low)}{habits().between}{figure(value.high)}]"


def estimate(value: Figure | None) -> str:
    """Return a figure with its interval in one line."""
    if value is None or value.value is None:
        return NONE
    return f"{figure(value.value)} {interval(value.interval)}".rstrip()


def message(text: str, values: Mapping[str, Scalar]) -> str:
    """Return a message of a closed list, in the language that is written, with its {named} places filled in.

    Whole numbers are counts, names that end in `share` percentages, `p` or names that end in `_p` p values,
    other numbers figures; words stand as they are, but for those of closed lists (`TRANSLATED`). In English one
    of a thing is in the singular; a translation says both forms itself: "{units} {units:unité|unités}".
    """
    shown = {name: _Filled(scalar(name, value), value) for name, value in values.items()}
    translated = _(text)
    if translated == text:
        translated = _in_number(text, values)
    return string.Formatter().vformat(_related(translated, values), (), shown)


class _Filled(str):
    """A value of a message as it is shown; behind a colon stands what it counts, for one and for several."""

    __slots__ = ("value",)
    value: Scalar

    def __new__(cls, shown: str, value: Scalar) -> "_Filled":
        """Keep the value beside its text."""
        filled = super().__new__(cls, shown)
        filled.value = value
        return filled

    def __format__(self, forms: str) -> str:
        """Return the value, or which of the forms "one|several" goes with it."""
        if "|" not in forms:
            return str(self)
        one, several = forms.split("|", 1)
        return one if isinstance(self.value, int) and is_one(self.value) else several


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
    if isinstance(value, str) and name in TRANSLATED:
        return _(value)
    if isinstance(value, bool | str):
        return str(value)
    if isinstance(value, int):
        return count(value)
    if name == "share" or name.endswith("_share"):
        return percent(value)
    if _is_p(name):
        return p_value(value)
    return figure(value)
