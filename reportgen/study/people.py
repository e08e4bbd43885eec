"""Whose labels count: roles, and second passes of the same person."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from reportgen.formats import Codes, LeftOut, Ratings, TextMarks

Mask = npt.NDArray[np.bool_]

ANNOTATOR = "annotator"
REPEATED = "a second pass: the annotator's first label on the unit counts"
REPEATED_DOCUMENT = "a second pass: the annotator's first copy of the document counts"
REJECTED = "rejected: too few of the control items were labelled right"
OTHER_ROLE = "not an annotator but a {role}: compared with the annotators, never counted among them"


@dataclass(frozen=True, eq=False)
class People:
    """Who is behind the names in an export.

    `person` (names,) is the code of the name that stands for the person, a second pass having another
    name; `roles` (names,) is what each is, "annotator" or something else.
    """

    names: tuple[str, ...]
    person: Codes
    roles: tuple[str, ...]

    @property
    def counts(self) -> Mask:
        """Say of each name whether it is an annotator's: others are compared, never pooled in."""
        return np.array([role == ANNOTATOR for role in self.roles], dtype=np.bool_)


def people(names: Sequence[str], roles: Mapping[str, str], same_as: Mapping[str, str]) -> People:
    """Return who is behind the names; a second pass has the role of its own name, or else of the first."""
    codes = {name: code for code, name in enumerate(names)}
    person = [codes.get(same_as.get(name, name), code) for name, code in codes.items()]
    own = [roles.get(name, ANNOTATOR) for name in names]
    known = tuple(own[first] if role == ANNOTATOR else role for role, first in zip(own, person, strict=True))
    return People(tuple(names), np.array(person, dtype=np.int64), known)


def left_out(content: Ratings | TextMarks, marks: Mask, reason: str) -> list[LeftOut]:
    """Return the marks (marks,) that are left out for a reason, each with its place and its weight."""
    weight = mark_weight(content)
    return [
        LeftOut(*content.place(mark), content.annotators[content.annotator[mark]], reason, int(weight[mark]))
        for mark in np.flatnonzero(marks).tolist()
    ]


def of_other_roles(
    content: Ratings | TextMarks, known: People, derived: Sequence[str] = ()
) -> tuple[Mask, list[LeftOut]]:
    """Return which marks (marks,) are not an annotator's, and the list of them, derived ones left out."""
    others = ~known.counts[content.annotator]
    listed: list[LeftOut] = []
    read = np.array([name not in derived for name in known.names], dtype=np.bool_)
    for role in dict.fromkeys(known.roles):
        if role != ANNOTATOR:
            own = np.array([each == role for each in known.roles], dtype=np.bool_)
            listed += left_out(content, (own & read)[content.annotator], OTHER_ROLE.format(role=role))
    return others, listed


def mark_weight(content: Ratings | TextMarks) -> Codes:
    """Return for how many marks each mark (marks,) stands: the count of a matrix's cell, else 1."""
    if isinstance(content, TextMarks):
        return np.ones(len(content.label), dtype=np.int64)
    return content.unit_weight[content.unit]
