"""Labels as they are counted: normalised, sets in one order, declared missing values gone."""

from collections.abc import Iterable
from typing import Self

from reportgen.formats.reader import ReadOptions

EMPTY_SET = "{}"
SEPARATOR = "|"


class SetLabel(str):
    """A label that is a set of labels; as text it is the name of the whole.

    `members` are what a reader took apart or put together, so that nobody has to take the name apart again:
    a member may hold the separator itself.
    """

    __slots__ = ("members",)
    members: frozenset[str]

    def __new__(cls, name: str, members: Iterable[str]) -> Self:
        """Return a label of this name with these members."""
        label = super().__new__(cls, name)
        label.members = frozenset(members)
        return label

    def __getnewargs__(self) -> tuple[str, tuple[str, ...]]:  # type: ignore[override]
        """Return what a copy is made of."""
        return str(self), tuple(sorted(self.members))


def members_of(label: str) -> frozenset[str]:
    """Return the members of a label: those of a set, none of the empty set, else the label itself."""
    if isinstance(label, SetLabel):
        return label.members
    return frozenset() if label == EMPTY_SET else frozenset((label,))


def clean(labels: Iterable[str], options: ReadOptions) -> list[str]:
    """Return each label as it is counted, empty where it stands for a missing rating.

    Nothing is reinterpreted: "NA", "None", "1.0" and "007" stay as they are unless the options say
    otherwise. A label of nothing but spaces is missing.
    """
    return [_clean(label, options) for label in labels]


def _clean(label: str, options: ReadOptions) -> str:
    changed = _normalised(label, options)
    if not changed.strip() or label in options.missing or changed in options.missing:
        return ""
    if options.set_separator:
        return as_set(changed, options.set_separator)
    if isinstance(label, SetLabel):
        return SetLabel(changed, (_normalised(member, options) for member in label.members))
    return changed


def _normalised(label: str, options: ReadOptions) -> str:
    changed = label.lower() if "lowercase" in options.normalise else label
    return changed.strip() if "strip" in options.normalise else changed


def as_set(label: str, separator: str) -> SetLabel:
    """Return a label taken apart, the members in one order: {a, b} and {b, a} are the same label."""
    members = {member.strip() for member in label.split(separator)} - {""}
    return SetLabel(separator.join(sorted(members)) or EMPTY_SET, members - {EMPTY_SET})


def joined(members: Iterable[str], options: ReadOptions) -> str:
    """Return several labels that were given together as one, the members sorted and taken once."""
    separator = options.set_separator or SEPARATOR
    given = sorted(set(members))
    return SetLabel(separator.join(given), (member for each in given for member in members_of(each)))
