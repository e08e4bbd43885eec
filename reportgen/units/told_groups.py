"""Which groups of annotators may be told of: none of fewer people than asked for, and none that follows."""

from collections.abc import Hashable, Mapping
from dataclasses import field

from reportgen.base.dataclass import dataclass


@dataclass(frozen=True)
class ToldGroups:
    """What may be told of annotators: `of` has the values of each by attribute, without those that may not.

    Everything that is published of groups is made from this and nothing else. `smallest` is how many people
    a group has at least.
    """

    attributes: tuple[str, ...] = ()
    of: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    smallest: int = 1

    def written(self, name: str) -> str:
        """Return what somebody is as a cell of a table has it: age=18-29; L1=fr."""
        own = self.of.get(name, {})
        return "; ".join(f"{attribute}={own[attribute]}" for attribute in self.attributes if attribute in own)


def told(
    attributes: tuple[str, ...],
    people: Mapping[str, Mapping[str, str]],
    present: Mapping[str, Hashable],
    smallest: int,
) -> ToldGroups:
    """Return what may be told of people, given what is known of each, and where, in which versions, each is.

    People are divided by where they are, then by one attribute after the other, the first being the most
    important. A part has `smallest` people or more, or is left as it was. Whatever two figures are
    subtracted, of versions, layers, attributes or combinations, what is left is made of whole parts: nobody
    of a smaller group is told of, and no difference tells (k-anonymity: Samarati and Sweeney 1998).
    """
    by_place: dict[Hashable, list[str]] = {}
    for name in sorted(present):
        by_place.setdefault(present[name], []).append(name)
    parts: list[list[str]] = list(by_place.values())
    of: dict[str, dict[str, str]] = {}
    for attribute in attributes:
        divided: list[list[str]] = []
        for part in parts:
            values = {name: people.get(name, {}).get(attribute, "") for name in part}
            groups, rest = _groups(values, smallest, is_told=part[0] in of)
            for value, members in groups.items():
                for name in members:
                    of.setdefault(name, {})[attribute] = value
            divided += [*groups.values(), *filter(None, [rest])]
        parts = divided
    return ToldGroups(attributes, of, smallest)


def _groups(
    values: Mapping[str, str], smallest: int, *, is_told: bool
) -> tuple[dict[str, list[str]], list[str]]:
    """Return the groups of some people, by their values, that may be told of, and who is in none.

    Where a group is too small, so many people are in none that they are no smaller group: else what others
    leave would be that group. The smallest groups go first. So it is where people are a group by another
    attribute, which `is_told` of, and some have no value.
    """
    groups: dict[str, list[str]] = {}
    for name, value in values.items():
        groups.setdefault(value, []).append(name)
    rest = groups.pop("", [])
    order = sorted(groups, key=lambda value: (len(groups[value]), value))
    is_withheld = is_told and bool(rest)
    for value in order:
        if len(groups[value]) < smallest or (is_withheld and len(rest) < smallest):
            rest += groups.pop(value)
            is_withheld = True
    return groups, rest
