"""The places of messages: what a value counts decides the words around it."""

import re
from collections.abc import Mapping
from typing import Self

from reportgen.report.language import is_one
from reportgen.results import Value

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
    """A value of a message as it is shown; behind a colon stands what it counts, for one and for several."""

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
        one, several = forms.split("|", 1)
        return one if self.number is not None and is_one(self.number) else several


def number_of(name: str, values: Mapping[str, Value]) -> int | None:
    """Return of how many things a value is: its own number, or that of the names in it; None of no number."""
    value, names = values[name], values.get(f"{name}_list")
    if isinstance(names, tuple):
        return len(names) + _more(name, values)
    if isinstance(value, str):
        return 1
    return value if isinstance(value, int) else None


def _more(name: str, values: Mapping[str, Value]) -> int:
    more = values.get(f"{name}_more", 0)
    return more if isinstance(more, int) else 0


def related(text: str, values: Mapping[str, Value], smallest: float) -> str:
    """Return a message with "<" for "=" before the p values that are bounds, and "under" elsewhere."""
    for name, value in values.items():
        if is_p(name) and isinstance(value, float) and value < smallest:
            text = re.sub(rf"=\s({{{name}}})", r"\1", text)
            text = text.replace(f" is {{{name}}}", f" is under {smallest}")
    return text


def in_number(text: str, values: Mapping[str, Value]) -> str:
    """Return a message whose nouns and verbs are in the singular where there is one of a thing."""

    def one(found: re.Match[str]) -> str:
        name, between, noun, verb = found.groups()
        if not _is_one(values.get(name)):
            return found.group()
        noun = "category" if noun == "categorie" else noun
        return f"{{{name}}} {between or ''}{noun}{f' {VERBS[verb]}' if verb else ''}"

    def once(found: re.Match[str]) -> str:
        before, name = found.groups()
        if not _is_one(values.get(name)):
            return found.group()
        return "once" if before is None and found.start() else f"{before or ''}Once"

    def of_many(found: re.Match[str]) -> str:
        name, many, verb = found.groups()
        return f"{{{name}}}{many} {VERBS[verb]}" if _is_one(values.get(name)) else found.group()

    return OF_MANY.sub(of_many, TIMES.sub(once, COUNTED.sub(one, text)))


def _is_one(value: Value | None) -> bool:
    return type(value) is int and value == 1


def is_p(name: str) -> bool:
    """Tell whether a value of that name is a p value."""
    return name == "p" or name.endswith("_p")
