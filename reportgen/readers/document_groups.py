"""Documents of a very large table, put into groups: what travels and is kept then does not grow with them.

An interval needs sums by document, or by groups that documents come into by chance: with G groups the
variance of these sums is that of single documents, times a factor around 1 with a standard deviation of at
most √(2 / G).
"""

import hashlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from reportgen.readers.annotations import NO_DOCUMENT, Codes, Ratings, coded

# The first digits of the MD5 of a document's name are its group: every engine computes the same.
DIGITS = 3
MOST_GROUPS: int = 16**DIGITS
MOST_DOCUMENTS = MOST_GROUPS
# Cells of a table that can hold a label; below, documents stay as they are.
MOST_LABELS = 200_000


# More annotators than are compared two by two, of more units than these, are counted without their units.
MOST_NAMED, MOST_NAMED_UNITS = 50, 100_000


def is_large_crowd(annotators: int, units: int) -> bool:
    """Say whether it is not kept which of so many annotators gave which label to which of so many units."""
    return annotators > MOST_NAMED and units > MOST_NAMED_UNITS


# More kinds of units than these, of a few annotators, are kept as sums by document and by pair of annotators.
MOST_KINDS = 2**19
# In the tables of pairs of annotators documents are in so many groups at least, by the same digits; in more
# where these are no more numbers.
PAIR_GROUPS = 512
MOST_PAIR_NUMBERS = 2**21


def are_too_various(kinds: int, annotators: int, categories: int, documents: int) -> bool:
    """Say whether so many kinds of units are kept as sums: where these are fewer numbers."""
    if annotators < 3 or annotators > MOST_NAMED or kinds <= MOST_KINDS:
        return False
    return _numbers(annotators, categories, documents, PAIR_GROUPS) < kinds


def pair_groups(kinds: int, annotators: int, categories: int, documents: int) -> int:
    """Return in how many groups documents are in the tables of pairs, of so many kinds of units."""
    groups, tables = MOST_GROUPS, annotators * (annotators - 1) // 2 * categories**2
    while groups > PAIR_GROUPS and (
        tables * min(documents, groups) > MOST_PAIR_NUMBERS
        or _numbers(annotators, categories, documents, groups) >= kinds
    ):
        groups //= 2
    return groups


def _numbers(annotators: int, categories: int, documents: int, groups: int) -> int:
    """Return how many numbers the sums are, by document and by pair of annotators."""
    tables = annotators * (annotators - 1) // 2 * categories**2
    return documents * categories * (categories + 1) // 2 + tables * min(documents, groups)


def are_too_many(documents: int, labels: int) -> bool:
    """Say whether so many documents of a table with so many labels are put into groups."""
    return documents > MOST_DOCUMENTS and labels > MOST_LABELS


def group_of(document: str) -> str:
    """Return the group of a document."""
    return hashlib.md5(document.encode(), usedforsecurity=False).hexdigest()[:DIGITS]


def pair_group(digits: str, groups: int) -> int:
    """Return the group, of so many among the tables of pairs, of documents with these digits."""
    return int(digits, 16) * groups // MOST_GROUPS


def pair_digits(groups: int) -> dict[str, str]:
    """Return what the last digit of a group is in the tables of pairs: one of those that are put together."""
    together = MOST_GROUPS // groups
    return {f"{digit:x}": f"{digit - digit % together:x}" for digit in range(16)}


def first_by_group(documents: Sequence[str], groups: int) -> dict[int, int]:
    """Return for each group among the tables of pairs the number of its first document."""
    first: dict[int, int] = {}
    for code, document in enumerate(documents):
        first.setdefault(pair_group(group_of(document), groups), code)
    return first


def first_of_groups(documents: Sequence[str], groups: int) -> Codes:
    """Return for each document the number of the first one of its group among the tables of pairs."""
    first = first_by_group(documents, groups)
    return np.array([first[pair_group(group_of(document), groups)] for document in documents], dtype=np.int64)


def in_groups(ratings: Ratings) -> Ratings:
    """Return the same with groups in place of documents, in the order of their names."""
    own = [group_of(document) for document in ratings.documents]
    groups, group = coded(own, sorted({*own}))
    return replace(
        ratings,
        documents=groups,
        unit_document=np.append(group, NO_DOCUMENT)[ratings.unit_document],
        grouped=len(ratings.documents),
    )
