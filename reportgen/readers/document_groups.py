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


# More annotators than are compared two by two, of more units than these, or with more pairs of ratings of a
# unit, are counted without their units.
MOST_NAMED, MOST_NAMED_UNITS, MOST_TWOS = 50, 100_000, 2**26


def is_large_crowd(annotators: int, units: int, twos: int) -> bool:
    """Say whether it is not kept which of so many annotators gave which label to which of so many units.

    `twos` are the pairs of ratings of a unit, as `fewest_twos` tells them.
    """
    return annotators > MOST_NAMED and (units > MOST_NAMED_UNITS or twos > MOST_TWOS)


def fewest_twos(labels: int, units: int) -> int:
    """Return how many pairs of ratings so many labels of so many units have: where all have as many."""
    return labels * labels // max(2 * units, 1)


# More kinds of units than these, of a few annotators, are kept as sums by document and by pair of annotators.
MOST_KINDS = 2**19
# Up to so many products of the cells of tables of pairs of annotators are added up over documents.
MOST_PRODUCTS = 2**20
# In these tables documents are in so many groups, by the first bits of the same digits: intervals come from
# products where there are such, and only versions are compared by groups.
GROUPS_BESIDE_PRODUCTS, GROUPS_WITHOUT = 256, 512


def are_too_various(kinds: int, annotators: int, categories: int, documents: int) -> bool:
    """Say whether so many kinds of units are kept as sums: where these are fewer numbers."""
    if annotators < 3 or annotators > MOST_NAMED or kinds <= MOST_KINDS:
        return False
    groups = min(documents, pair_groups(annotators, categories))
    by_pair = annotators * (annotators - 1) // 2 * categories**2 * groups
    products = _products(annotators, categories) if have_products(annotators, categories) else 0
    return documents * categories * (categories + 1) // 2 + by_pair + products < kinds


def are_too_various_alone(kinds: int, annotators: int, categories: int, profiles: int) -> bool:
    """Say whether so many kinds of units without documents are kept without who gave which label to each.

    That is where these are fewer numbers: `profiles`, the different lists of a unit's labels from whomever,
    and a table for every two annotators.
    """
    if annotators < 3 or annotators > MOST_NAMED or kinds <= MOST_KINDS:
        return False
    return profiles + annotators * (annotators - 1) // 2 * categories**2 < kinds


def have_products(annotators: int, categories: int) -> bool:
    """Say whether so many annotators and categories have few enough products of cells."""
    return _products(annotators, categories) <= MOST_PRODUCTS


def pair_groups(annotators: int, categories: int) -> int:
    """Return in how many groups documents are in the tables of so many annotators."""
    return GROUPS_BESIDE_PRODUCTS if have_products(annotators, categories) else GROUPS_WITHOUT


def _products(annotators: int, categories: int) -> int:
    cells = categories**2
    return annotators * (annotators - 1) // 2 * cells * (cells + 1) // 2


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
