"""Numbers and messages as a reader sees them; the only place where figures are rounded."""

import re
import string
from collections.abc import Mapping, Sequence
from typing import Self

from reportgen.base.dataclass import dataclass
from reportgen.results import Figure, Finding, Interval, Scalar, Value
from reportgen.results.model import FindingKind
from reportgen.words import names
from reportgen.words.language import (
    _,
    campaign_word,
    category_word,
    date,
    grouped,
    habits,
    is_one,
    listed,
    ngettext,
    say,
    say_many,
    sentence,
    set_apart,
)
from reportgen.words.names import translated

# The places of messages: what a value counts decides the words around it.

# Nouns that messages count, and the verbs behind them; one of a thing is "1 document", which "stands".
COUNTED = re.compile(
    r"\{(\w+)\} (more |such |other )?"
    r"(document|unit|disagreement|annotator|version|label|mark|file|token|case|pair|categorie)s\b"
    r"(?: (stand|have|show|differ|are|were)\b)?"
)
# How often something is so, and what is told of some of many: "2 of 30 labels are", "1 of 30 labels is".
TIMES = re.compile(r"(^|[.:] )?\{(\w+)\} times\b")
OF_MANY = re.compile(r"\{(\w+)\}((?: of [^.:;]*?)?) (are|were|begin or end)\b")
VERBS = {
    "stand": "stands",
    "have": "has",
    "show": "shows",
    "differ": "differs",
    "are": "is",
    "were": "was",
    "begin or end": "begins or ends",
}


class Filled(str):
    """A value of a message as it is shown; behind a colon is what it counts, for one and for several."""

    __slots__ = ("number",)
    number: int | None

    def __new__(cls, shown: str, number: int | None) -> Self:
        """Keep how many there are beside the text."""
        filled = super().__new__(cls, shown)
        filled.number = number
        return filled

    def __format__(self, forms: str) -> str:
        """Return the value, or which of the forms "one|several" goes with it."""
        if "|" not in forms:
            return str(self)
        singular, plural = forms.split("|", 1)
        return singular if self.number is not None and is_one(self.number) else plural


def number_of(name: str, values: Mapping[str, Value]) -> int | None:
    """Return of how many things a value is: its own number, or that of the names in it; None of no number."""
    value, names = values[name], values.get(f"{name}_list")
    if isinstance(names, tuple):
        more = values.get(f"{name}_more", 0)
        return len(names) + (more if isinstance(more, int) else 0)
    if isinstance(value, str):
        return 1
    return value if isinstance(value, int) else None


def related(text: str, values: Mapping[str, Value], smallest: float) -> str:
    """Return a message with "<" for "=" before the p values that are bounds, and "under" elsewhere."""
    for name, value in values.items():
        if is_p(name) and isinstance(value, float) and value < smallest:
            text = re.sub(rf"=\s({{{name}}})", r"\1", text)
            text = text.replace(f" is {{{name}}}", f" is under {smallest}")
    return text


def in_number(text: str, values: Mapping[str, Value]) -> str:
    """Return a message whose nouns and verbs are in the singular where there is one of a thing."""

    def in_singular(match: re.Match[str]) -> str:
        name, between, noun, verb = match.groups()
        if not _is_one(values.get(name)):
            return match.group()
        noun = "category" if noun == "categorie" else noun
        return f"{{{name}}} {between or ''}{noun}{f' {VERBS[verb]}' if verb else ''}"

    def once(match: re.Match[str]) -> str:
        before, name = match.groups()
        if not _is_one(values.get(name)):
            return match.group()
        return "once" if before is None and match.start() else f"{before or ''}Once"

    def of_many(match: re.Match[str]) -> str:
        name, many, verb = match.groups()
        return f"{{{name}}}{many} {VERBS[verb]}" if _is_one(values.get(name)) else match.group()

    return OF_MANY.sub(of_many, TIMES.sub(once, COUNTED.sub(in_singular, text)))


def _is_one(value: Value | None) -> bool:
    return type(value) is int and value == 1


def is_p(name: str) -> bool:
    """Tell whether a value of that name is a p value."""
    return name == "p" or name.endswith("_p")


# Numbers and messages as a reader sees them; the only place where figures are rounded.

DECIMALS = 3
MOST_DECIMALS = 6
SMALLEST_P = 0.001
# A p value that three decimals would make equal to this has as many as it takes to tell them apart.
LEVEL = 0.05
# What two decimals would make 0.
SMALLEST_SHORT = 0.005
NONE = "–"
# Values of messages that are messages themselves, and those that are names of figures. No category,
# annotator, unit set or document has such a name here: they stay as they are, whatever they are called.
TRANSLATED = ("reason", "cause", "over", "of")
# Places with a day of ISO 8601.
DATES = ("since",)
FIGURES = ("coefficient", "figure")
CATEGORIES = ("category", "other", "first", "second")
UNIT_SETS = ("unit_set", "lowest_set", "highest_set")
# Numbers that messages have as they were written, and words of a closed list with commas between them.
WRITTEN = ("threshold", "width", "half_width", "price", "per_unit", "seconds")
LISTS = ("scales",)
# A number with the place of a noun behind it, which is in the plural where no number is before it.
COUNTED_NOUN = re.compile(r"\{(\w+)\} \{((?:\w+_)?noun)\}")
MANY = 2
# What is left of an exact zero after floating-point arithmetic.
ROUNDING = 1e-12


# A whole number with its thousands set apart.
count = grouped


def counted(value: int, singular: str, plural: str) -> str:
    """Return a whole number with the thing that it counts; "{one}" and "{several}" are messages."""
    return f"{count(value)} {ngettext(singular, plural, value)}"


def noun(name: str, value: int) -> str:
    """Return what units are called, where there are so many; `name` is from a closed list, in the plural."""
    nouns = {
        "documents": ngettext("document", "documents", value),
        "tokens": ngettext("token", "tokens", value),
        "sentences": ngettext("sentence", "sentences", value),
        "candidates": ngettext("candidate", "candidates", value),
        "marked stretches": ngettext("marked stretch", "marked stretches", value),
        "relations": ngettext("relation", "relations", value),
    }
    return nouns.get(name) or ngettext("unit", "units", value)


def counted_in(value: int, name: str) -> str:
    """Return how many units there are, and what they are; `name` is from a closed list, in the plural."""
    return f"{count(value)} {noun(name, value)}"


def figure(value: float | None) -> str:
    """Return a figure with three decimals; where that would show 1, or 0, a bound, or the first digit."""
    if value is None:
        return NONE
    if 1 - 0.5 * 10**-DECIMALS <= abs(value) < 1:
        return pointed("> 0.999" if value > 0 else "< −0.999")
    return pointed(_signed(_rounded(value)))


def short(value: float) -> str:
    """Return a figure with two decimals, as headlines and figures write it; 0 and 1 only where it is that."""
    if ROUNDING < abs(value) < SMALLEST_SHORT:
        return figure(value)
    nearest = "> 0.99" if value < 1 and f"{value:.2f}" == "1.00" else f"{value:.2f}"
    return pointed(_signed(nearest))


def pointed(text: str) -> str:
    """Return a number as the language writes it, given as programs do; its thousands are not set apart."""
    return text.replace(".", habits().decimal)


def _rounded(value: float) -> str:
    if abs(value) < ROUNDING:
        return f"{0:.{DECIMALS}f}"
    if abs(value) < 0.5 * 10**-DECIMALS:
        return _plain(value)
    return f"{value:.{DECIMALS}f}"


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
    units, _point, tenths = f"{value:,.1f}".partition(".")
    return f"{units.replace(',', habits().group)}{habits().decimal}{tenths}"


def percent(value: float) -> str:
    """Return a share as a percentage; whole only where that says enough, and never rounded to all or none."""
    shown = f"{100 * value:.1f}"
    if shown == "100.0" and value < 1:
        most = f"{100 * value:.2f}"
        # From there on two decimals would round up.
        return percentage(most) if value < 0.99995 else say("over {number}", number=percentage("99.99"))
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
    shown = (
        f"{value:.{decimals}f}"
        for decimals in digits
        if value == LEVEL or float(f"{value:.{decimals}f}") != LEVEL
    )
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


def message(text: str, values: Mapping[str, Value], *, brief: bool = False) -> str:
    """Return a message of a closed list, in the language that is written, with its {named} places filled in.

    Whole numbers are counts, names that end in `share` percentages, `p` or names that end in `_p` p values,
    names that end in `seconds` have one decimal, other numbers are figures; words stay as they are, but for
    those of closed lists (`TRANSLATED`). In English one of a thing is in the singular; a translation says
    both forms itself: "{units} {units:unité|unités}".
    In all languages {noun} behind a number is in the singular where that is one. `brief` figures have two
    decimals, and shares none, as in headlines.
    """
    shown = {
        name: Filled(
            (short(value) if _is_figure(name) else whole_percent(value))
            if brief and isinstance(value, float) and not is_p(name) and not name.endswith("seconds")
            else _value_in_words(name, values),
            number_of(name, values),
        )
        for name, value in values.items()
    }
    words = _(text) if values else names.reason(text)
    english = words == text
    if english and values:
        words = in_number(text, values)
    words = COUNTED_NOUN.sub(lambda match: _counted_noun(match, values), words)
    filled = string.Formatter().vformat(related(words, values, SMALLEST_P), (), shown)
    return sentence(filled, english=english)


def _is_figure(name: str) -> bool:
    """Tell whether a number of that name is a figure, and no share."""
    return not name.endswith("share")


def whole_percent(value: float) -> str:
    """Return a share as a whole percentage, but for one that would be rounded to all or none."""
    return percentage(f"{100 * value:.0f}") if 0.01 <= value <= 0.99 or value in {0, 1} else percent(value)


def _counted_noun(match: re.Match[str], values: Mapping[str, Value]) -> str:
    """Return the place of a number with the noun that it counts behind it."""
    number, name = values[match[1]], values[match[2]]
    return f"{{{match[1]}}} {noun(str(name), number if isinstance(number, int) else MANY)}"


def _value_in_words(name: str, values: Mapping[str, Value]) -> str:
    """Return a value of a message, put together from its parts where it has some."""
    value, names = values[name], values.get(f"{name}_list", values.get(f"{name}_name"))
    if names is None:
        return listed(set_apart(value)) if isinstance(value, tuple) else scalar(name, value)
    parts: list[str] = [names] if isinstance(names, str) else list(names)  # type: ignore[arg-type]
    # A figure's name may have a comma, and is no name of the campaign's.
    words = list(map(translated, parts)) if name in FIGURES else set_apart(list(map(campaign_word, parts)))
    more = values.get(f"{name}_more")
    if isinstance(more, int):
        words.append(say_many("{count} more", more, count=count(more)))
    shown = listed(words)
    if f"{name}_layer" in values:
        return say("{name} (layer {layer})", name=shown, layer=values[f"{name}_layer"])
    if f"{name}_role" in values:
        return say("{name} ({role})", name=shown, role=_(str(values[f"{name}_role"])))
    return shown


def _words(name: str, text: str) -> str:
    """Return a value that is a text: a word of ours in the language that is written, a name as it is."""
    if name in TRANSLATED:
        return names.reason(text)
    if name in FIGURES:
        return translated(text)
    if name == "noun" or name.endswith("_noun"):
        return noun(text, MANY)
    if name in WRITTEN:
        return pointed(text)
    if name in LISTS:
        return ", ".join(map(_, text.split(", ")))
    shown = say("“{name}”", name=text) if name in UNIT_SETS else text
    return campaign_word(category_word(text) if name in CATEGORIES else shown)


def scalar(name: str, value: Scalar) -> str:
    """Return one value of a message, by its type and name."""
    if name in DATES:
        return date(str(value))
    if isinstance(value, bool | str):
        return _words(name, str(value))
    if isinstance(value, int):
        return count(value)
    if name == "share" or name.endswith("_share"):
        return percent(value)
    if is_p(name):
        return p_value(value)
    return decimal(value) if name.endswith("seconds") else figure(value)


# Findings in words, in the language that is being written.


@dataclass(frozen=True)
class Note:
    """A finding in words; `layers` are those that it is about, none where it is about the campaign."""

    kind: FindingKind | None
    severity: str
    claim: str
    advice: str
    evidence: str
    layers: tuple[str, ...] = ()
    gain: float = 0.0

    def where(self, layers: Sequence[str]) -> str:
        """Return which of all layers it is about, in words."""
        if set(self.layers) >= set(layers):
            return say_many("{the layer|all {count} layers}", len(layers), count=len(layers))
        return say_many("{layer|layers} {names}", len(self.layers), names=listed(self.layers))


def note(finding: Finding, *, brief: bool = False) -> Note:
    """Return a finding with its messages filled in; `brief` as a headline."""
    claim = message(finding.claim, finding.values, brief=brief)
    advice = message(finding.advice, finding.values)
    layers = finding.layers or _layer_named(finding)
    return Note(finding.kind, finding.severity, claim, advice, finding.evidence, layers, finding.gain or 0.0)


def _layer_named(finding: Finding) -> tuple[str, ...]:
    """Return the layer that a finding about the campaign names in its words."""
    named = (value for key, value in finding.values.items() if key == "layer" or key.endswith("_layer"))
    return tuple(str(layer) for layer in named)[:1]
