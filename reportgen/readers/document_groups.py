"""Documents of a very large table, put into groups: what travels and is kept then does not grow with them.

An interval needs sums by document, or by groups that documents come into by chance: with G groups the
variance of these sums is that of single documents, times a factor around 1 with a standard deviation of at
most √(2 / G).
"""

import hashlib
from dataclasses import replace

import numpy as np

from reportgen.readers.annotations import NO_DOCUMENT, Ratings, coded

# The first digits of the MD5 of a document's name are its group: every engine computes the same.
DIGITS = 3
MOST_DOCUMENTS = 16**DIGITS
# Cells of a table that can hold a label; below, documents stay as they are.
MOST_LABELS = 200_000


# More annotators than are compared two by two, of more units than these, are counted without their units.
MOST_NAMED, MOST_NAMED_UNITS = 50, 100_000


def is_large_crowd(annotators: int, units: int) -> bool:
    """Say whether it is not kept which of so many annotators gave which label to which of so many units."""
    return annotators > MOST_NAMED and units > MOST_NAMED_UNITS


def are_too_many(documents: int, labels: int) -> bool:
    """Say whether so many documents of a table with so many labels are put into groups."""
    return documents > MOST_DOCUMENTS and labels > MOST_LABELS


def group_of(document: str) -> str:
    """Return the group of a document."""
    return hashlib.md5(document.encode(), usedforsecurity=False).hexdigest()[:DIGITS]


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
