"""What became of each rule: a closed list of messages, with {named} places that values fill."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from reportgen.gate.found import Found
from reportgen.gate.rules import Rule
from reportgen.results import Scalar
from reportgen.results.revisions import Change


class Message(StrEnum):
    """What was found. {shown} is the figure with its interval, {first} and {second} those of both versions.

    {difference} is their difference with its interval.
    """

    NOT_BELOW = "{figure} {shown} is not below value = {floor} in {version}."
    BELOW = "{figure} {shown} is below value = {floor} in {version}."
    ALL_ABOVE = "{figure} {shown}: its interval does not reach below low = {floor} in {version}."
    REACHES_BELOW = "{figure} {shown}: its interval reaches below low = {floor} in {version}."
    NO_INTERVAL = "{figure} {shown} has no interval in {version}: {reason}."
    UNDEFINED = "{figure} is undefined in {version}: {reason}."
    FIRST = "{figure} can't have fallen: {version} is the first version."
    NOT_BEFORE = "{figure} can't have fallen from {earlier} to {version}: {reason}."
    DID_NOT_FALL = "{figure} did not fall: {first} ({earlier}), {second} ({version}), on {ground}."
    FELL_BY_CHANCE = (
        "{figure} fell from {first} ({earlier}) to {second} ({version}) on {ground}, no more than by chance: "
        "difference {difference}, one-sided p = {p}, Holm over {rules}."
    )
    FELL = (
        "{figure} fell from {first} ({earlier}) to {second} ({version}) on {ground}: difference "
        "{difference}, one-sided p = {p}, Holm over {rules}."
    )
    UNTESTED = (
        "whether {figure} fell from {first} ({earlier}) to {second} ({version}) on {ground} can't be tested: "
        "{reason}."
    )
    NOT_COMPARED = "whether {figure} fell from {earlier} to {version} can't be tested: {reason}."
    WITHIN = (
        "{figure} did not fall by {margin} or more, from {first} ({earlier}) to {second} ({version}) on "
        "{ground}: the difference is {bound} at least, one-sided at {level}."
    )
    THE_SAME = (
        "{figure} is the same, {second}, in {earlier} and {version} on {ground}, and so is all that it comes "
        "from."
    )
    MAY_EXCEED = (
        "{figure}, {first} ({earlier}) and {second} ({version}) on {ground}, may have fallen by margin = "
        "{margin} or more: the difference is {bound} at least, one-sided at {level}."
    )
    TOO_FEW = (
        "{figure}, {first} ({earlier}) and {second} ({version}) on {ground}, may have fallen by margin = "
        "{margin} or more: the difference is {bound} at least, one-sided at {level}. Where nothing fell, it "
        "takes {needed} to show it with a power of 80%."
    )


@dataclass(frozen=True)
class Outcome:
    """What became of one demand of a rule in one layer.

    `demand` is the key that holds the figure to something, empty where all of them fail together. `values`
    fill the places of the message, and have more. A `note` is held, but only for want of an earlier version.
    """

    rule: Rule
    found: Found
    demand: str
    held: bool
    message: Message
    values: Mapping[str, Scalar] = field(default_factory=dict)
    change: Change | None = None
    note: bool = False

    @property
    def written(self) -> str:
        """Return the rule as campaign.toml has it, with this demand alone."""
        return self.rule.written([self.demand] if self.demand else None)
