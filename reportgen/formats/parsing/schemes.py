"""Tags of tokens that stand for marks: IOB1, IOB2, BIOES and BILOU."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Scheme = Literal["IOB1", "IOB2", "BIOES", "BILOU"]
# (first token, token after the last, label)
Stretch = tuple[int, int, str]
Tag = tuple[str, str]

OUTSIDE = "O"
NO_MARK = frozenset({"_", OUTSIDE, "-X-", "-", ""})
PREFIXED = re.compile(r"([BIOESLU])-(.+)", re.DOTALL)
BARE = frozenset("BIESLU")
BEGINS_OR_IS_INSIDE = frozenset("BI")
SINGLE = {"BIOES": "S", "BILOU": "U"}
LAST = {"BIOES": "E", "BILOU": "L"}


def parse(tag: str) -> Tag | None:
    """Return a tag's letter and label ("B-PER"), None where it stands for no mark.

    A letter alone ("B") has the empty label, and a tag without a letter ("NOUN") the empty letter.
    """
    if tag in NO_MARK:
        return None
    if found := PREFIXED.fullmatch(tag):
        return None if found[1] == OUTSIDE else (found[1], found[2])
    return (tag, "") if tag in BARE else ("", tag)


def is_sequence(tags: Iterable[str]) -> bool:
    """Say whether the different tags of a column are those of a scheme: O, and letters with labels."""
    different = set(tags)
    bare = different & BARE
    others = different - NO_MARK - bare
    # A column of single letters may be of anything, unless some tokens are outside.
    spelled = not bare or (OUTSIDE in different and bool(bare & BEGINS_OR_IS_INSIDE))
    known = bool(others) or bool(bare) or OUTSIDE in different
    return known and spelled and all(PREFIXED.fullmatch(tag) for tag in others)


def detect(sentences: Iterable[Sequence[str]]) -> Scheme:
    """Return the scheme that explains most tags; IOB2, the commonest, where several do."""
    letters: Counter[str] = Counter()
    begins_with: Counter[str] = Counter()
    for tags in sentences:
        before: Tag | None = None
        for tag in map(parse, tags):
            if tag is not None:
                letters[tag[0]] += 1
                if before is None or before[1] != tag[1]:
                    begins_with[tag[0]] += 1
            before = tag
    if letters["E"] + letters["S"] + letters["L"] + letters["U"]:
        return "BILOU" if letters["L"] + letters["U"] > letters["E"] + letters["S"] else "BIOES"
    return "IOB1" if begins_with["I"] > begins_with["B"] else "IOB2"


@dataclass
class _Open:
    """The mark that is being read."""

    start: int
    label: str


def decode(tags: Sequence[str], scheme: Scheme) -> tuple[list[Stretch], int]:
    """Return the marks of one sentence, and how many tags its scheme does not allow where they are.

    What is not allowed starts a mark of its own, and so loses no token; a mark that lacks its end ends
    with its last token.
    """
    marks: list[Stretch] = []
    faults = 0
    current: _Open | None = None
    for place, tag in enumerate([*map(parse, tags), None]):
        goes_on = current is not None and tag is not None and _continues(current, tag, scheme)
        if current is not None and not goes_on:
            marks.append((current.start, place, current.label))
            faults += scheme in LAST  # its end is missing
            allowed = tag is None or _may_begin(tag, current, scheme)
        else:
            allowed = tag is None or goes_on or _may_begin(tag, None, scheme)
        faults += not allowed
        if tag is not None and not goes_on:
            current = _Open(place, tag[1])
        elif tag is None:
            current = None
        if current is not None and tag is not None and _ends(tag, scheme):
            marks.append((current.start, place + 1, current.label))
            current = None
    return marks, faults


def _continues(current: _Open, tag: Tag, scheme: Scheme) -> bool:
    return tag[1] == current.label and tag[0] in ("I", LAST.get(scheme, "I"))


def _may_begin(tag: Tag, before: _Open | None, scheme: Scheme) -> bool:
    """Say whether a mark may begin with this tag, after the mark that ends right before it."""
    if scheme == "IOB1":
        return tag[0] == "I" or (tag[0] == "B" and before is not None and before.label == tag[1])
    return tag[0] in ("B", SINGLE.get(scheme, "B"))


def _ends(tag: Tag, scheme: Scheme) -> bool:
    return tag[0] in (SINGLE.get(scheme), LAST.get(scheme))
