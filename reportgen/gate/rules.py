"""The rules of [gate] in campaign.toml: each floor of each figure, and how it is written."""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from reportgen.campaign import Campaign, Floor

KeyPath = tuple[str | int, ...]

# What a floor may hold a figure to, in the order in which it is told; the last two take an earlier version.
HOLDING = ("value", "low", "fall", "margin")
SINCE = frozenset({"fall", "margin"})
WHERE = ("category", "layer", "unit_set", "annotators")


@dataclass(frozen=True)
class Rule:
    """One floor of one figure; `place` is its position among those of the figure."""

    figure: str
    floor: Floor
    place: int
    several: bool

    @property
    def demands(self) -> tuple[str, ...]:
        """Return which keys hold the figure to something."""
        return tuple(key for key in HOLDING if getattr(self.floor, key) is not None)

    def path(self, key: str) -> KeyPath:
        """Return where a key of the rule stands in campaign.toml."""
        return ("gate", self.figure, *([self.place] if self.several else []), key)

    def written(self, demands: Iterable[str] | None = None) -> str:
        """Return the rule as campaign.toml has it, with these demands alone, by default with all."""
        kept = list(self.demands if demands is None else demands)
        given = self.floor.model_fields_set
        keys = [*kept, *(["at"] if "at" in given and SINCE & set(kept) else []), *WHERE]
        parts = [f"{key} = {_toml(getattr(self.floor, key))}" for key in keys if key in given]
        return f"{_key(self.figure)} = {{ {', '.join(parts)} }}"


def rules_of(campaign: Campaign) -> list[Rule]:
    """Return every rule of a campaign, in the order of the file."""
    return [
        Rule(figure, floor, place, several=len(floors) > 1)
        for figure, floors in campaign.gate.items()
        for place, floor in enumerate(floors)
    ]


def compares(rules: Iterable[Rule]) -> bool:
    """Tell whether a rule is about the version before."""
    return any(SINCE & set(rule.demands) for rule in rules)


def _key(name: str) -> str:
    bare = name.replace("_", "").replace("-", "")
    return name if bare.isascii() and bare.isalnum() else _toml(name)


def _toml(value: object) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return json.dumps(value, ensure_ascii=False)
