"""Which parts of results no counts determine, and why."""

from collections.abc import Sequence

OF_EXPORTS = "they tell of the exports, which counts do not hold"
WITHOUT_EXPORTS = "it takes the exports to compute them"
# What other checks hold against the catalogue, the rules and the program.
ELSEWHERE = ""
# By the keys that lead to a part; "*" stands for each element of a list.
REASONS: dict[tuple[str, ...], str] = {
    ("adjudication",): WITHOUT_EXPORTS,
    ("catalogue",): ELSEWHERE,
    ("choice",): ELSEWHERE,
    ("coefficient_declared",): ELSEWHERE,
    ("findings",): ELSEWHERE,
    ("inputs",): OF_EXPORTS,
    ("left_out",): OF_EXPORTS,
    ("quality",): WITHOUT_EXPORTS,
    ("reading",): OF_EXPORTS,
    ("revision", "document"): OF_EXPORTS,
    ("settings",): OF_EXPORTS,
    ("spans", "disagreements"): WITHOUT_EXPORTS,
    ("spans", "unitizing"): WITHOUT_EXPORTS,
    ("tool",): ELSEWHERE,
    ("unread",): OF_EXPORTS,
}


def reason_of(keys: Sequence[str]) -> str | None:
    """Return why a part of results, given by its keys, can't be recomputed from counts; None where it can.

    It is empty where there is nothing to tell: another check looks at that part.
    """
    return REASONS.get(tuple(keys))
