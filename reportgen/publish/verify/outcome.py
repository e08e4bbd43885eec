"""What a check hands on: what differs, what it could not check and why, and how much it checked."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

Check = Literal["archive", "checksums", "memory", "form", "figures", "findings", "exports", "files", "pages"]
# Checks of bytes alone: what they find was changed, whatever it says.
BYTES: frozenset[Check] = frozenset(("archive", "checksums", "memory"))
# What is counted of what was checked: numbers are those of results, pages all that is rendered from them.
Counted = Literal["files", "numbers", "pages"]


@dataclass(frozen=True, order=True)
class Discrepancy:
    """One thing that differs: in which file, from the top of what is verified, and what differs in it.

    `where` says in words which figure it is; `recorded` and `found` are what stands there and what should.
    `follows` says that the file has its checksum, and that what it is held against was changed.
    """

    file: str
    what: str
    check: Check
    where: str = ""
    recorded: str = ""
    found: str = ""
    follows: bool = False


@dataclass(frozen=True, order=True)
class Unchecked:
    """Something that was not checked, how much of it there is, and why."""

    what: str
    why: str
    number: int = 1


@dataclass(frozen=True)
class CheckOutcome:
    """What came of one check."""

    differences: Sequence[Discrepancy] = ()
    unchecked: Sequence[Unchecked] = ()
    files: int = 0
    numbers: int = 0
    pages: int = 0


def together(outcomes: Iterable[CheckOutcome]) -> CheckOutcome:
    """Return several outcomes as one: each difference once, what is unchecked for one reason added up."""
    found = list(outcomes)
    return CheckOutcome(
        differences=tuple(dict.fromkeys(each for outcome in found for each in outcome.differences)),
        unchecked=tuple(_added(each for outcome in found for each in outcome.unchecked)),
        files=sum(each.files for each in found),
        numbers=sum(each.numbers for each in found),
        pages=sum(each.pages for each in found),
    )


def following(outcome: CheckOutcome) -> CheckOutcome:
    """Tell which differences may follow from others: those of files whose checksums hold, where some do not.

    They come last, so that what was changed is not lost among what was only held against it.
    """
    changed = {each.file for each in outcome.differences if each.check in BYTES}
    found = [
        replace(each, follows=bool(changed) and each.check not in BYTES and each.file not in changed)
        for each in outcome.differences
    ]
    return replace(outcome, differences=tuple(sorted(found, key=lambda each: each.follows)))


def _added(unchecked: Iterable[Unchecked]) -> list[Unchecked]:
    numbers: dict[tuple[str, str], int] = {}
    for each in unchecked:
        key = each.what, each.why
        numbers[key] = numbers.get(key, 0) + each.number
    return [Unchecked(*key, number) for key, number in numbers.items()]


# Which parts of results no counts determine, and why.

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
    ("replacement",): WITHOUT_EXPORTS,
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
