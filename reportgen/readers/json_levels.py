"""Two levels of keys above labels: which of them names annotators, and which items."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

from reportgen.readers.reader import is_model

Level = Literal["outer", "inner"]
LEVELS: Mapping[str, Level] = {"outer": "outer", "inner": "inner"}
# Where names do not tell, there are at least so many times more items than annotators, and each item has so
# many labels on average.
RATIO = 2
# Of the names of a level, so many look alike.
MOSTLY = 0.8
# What names look like: people's are below 0, items' above; these are certain.
PERSON, ITEM = -2, 2
MOST_WORDS = 3
# So much of a name is looked at.
LONGEST = 100
ITEM_WORDS = (
    *("item", "unit", "question", "sent", "sentence", "text", "doc", "document", "tweet", "post", "comment"),
    *("example", "instance", "case", "task"),
)
CALLED_ITEM = re.compile(rf"(?:{'|'.join(ITEM_WORDS)})[\W_]*\w*\d", re.IGNORECASE)
# A number, with at most the first letter of unit, item, question, sentence, document or text before it.
NUMBERED = re.compile(r"(?:[uiqsdtx]?[\W_]*\d)+", re.IGNORECASE)
CALLED_PERSON = re.compile(
    r"(?:ann|annotator|rater|coder|worker|judge|labell?er|user)[\W_]*\w*", re.IGNORECASE
)


def level_of_annotators(outer: Sequence[str], inner: Sequence[str], labels: int) -> Level | None:
    """Return which level names annotators: the one that recurs, as an annotator labels many items.

    `outer` and `inner` are the names of each level, `labels` is how many labels there are. Names that look
    like people's or like items' tip the balance. None where nothing tells, or names and numbers contradict
    each other.
    """
    scores = _score(outer), _score(inner)
    by_name: Level | None = None
    if scores[0] != scores[1]:
        by_name = "outer" if scores[0] < scores[1] else "inner"
        if PERSON in scores or ITEM in scores:
            return by_name
    by_number = _by_number(len(outer), len(inner), labels)
    return None if by_name and by_number and by_name != by_number else by_name or by_number


def _by_number(outer: int, inner: int, labels: int) -> Level | None:
    """Return the level of fewer names, where these are clearly fewer and the others have several labels."""
    fewer, more = sorted((outer, inner))
    if more < RATIO * fewer or labels < 2 * more:
        return None
    return "outer" if outer == fewer else "inner"


def _score(names: Sequence[str]) -> int:
    """Return what most of the names look like, 0 where they look like nothing or like different things."""
    look, times = Counter(map(_look, names)).most_common(1)[0]
    return look if times >= MOSTLY * len(names) else 0


def _look(name: str) -> int:
    """Return what a name looks like: a sentence is an item, an address of mail a person."""
    name = name[:LONGEST]
    words = len(name.split())
    if is_model(name) or CALLED_PERSON.fullmatch(name) or ("@" in name and words == 1):
        return PERSON
    if CALLED_ITEM.fullmatch(name) or words > MOST_WORDS:
        return ITEM
    if NUMBERED.fullmatch(name):
        return 1
    return -1 if name.isalpha() and len(name) > 1 else 0
