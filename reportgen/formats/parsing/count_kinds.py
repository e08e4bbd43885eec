"""Rows of ratings.csv as codes: how many units have the same labels by the same annotators."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from reportgen.errors import BadInput, Problem, did_you_mean
from reportgen.formats.annotations import NO_DOCUMENT
from reportgen.formats.counted import Kinds, UnitSetDescribed
from reportgen.formats.parsing.count_tables import AS_WRITTEN, Row
from reportgen.formats.reader import shortened

RATING = re.compile(r"((?:[^\\|:]|\\[\\|:])*):((?:[^\\|:]|\\[\\|:])*)(\||\Z)", re.DOTALL)
ESCAPED = re.compile(r"\\([\\|:])")

Codes = tuple[tuple[int, int], ...]


@dataclass
class _Known:
    """The names of one unit set by their codes, and what is wrong with the rows that use them."""

    file: str
    annotators: Mapping[str, int]
    categories: Mapping[str, int]
    documents: Mapping[str, int]
    rows: dict[tuple[int, Codes], int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def complain(self, line: int, key: str, message: str, mend: str = AS_WRITTEN) -> None:
        """Note a problem of a line."""
        self.problems.append(Problem(self.file, line, f"column {key}", message, mend or AS_WRITTEN))


def read_kinds(file: str, rows: Sequence[Row], unit_set: UnitSetDescribed, documents: Sequence[str]) -> Kinds:
    """Return the units of one unit set from its rows of ratings.csv; `documents` are those of its layer.

    Raises BadInput with every row that names nobody or nothing that counts.json knows, or stands there twice.
    """
    own = unit_set.documents or tuple(documents)
    known = _Known(file, _codes(unit_set.annotators), _codes(unit_set.categories), _codes(own))
    ratings: dict[str, Codes | None] = {}
    found = [_row(known, ratings, line, cells) for line, cells in rows]
    if known.problems:
        raise BadInput(shortened(known.problems))
    document = [code for code, _ in found]
    n = [int(cells[-1]) for _, cells in rows]
    flat = [(kind, *each) for kind, (_, given) in enumerate(found) for each in given]
    kind, annotator, label = np.array(flat, dtype=np.int64).reshape(-1, 3).T
    return Kinds(own, np.array(document, dtype=np.int64), np.array(n, dtype=np.int64), kind, annotator, label)


def _codes(names: Sequence[str]) -> dict[str, int]:
    return {name: code for code, name in enumerate(names)}


def _row(
    known: _Known, ratings: dict[str, Codes | None], line: int, cells: Sequence[str]
) -> tuple[int, Codes]:
    """Return the codes of a row; what is wrong with it is noted."""
    _, _, document, text, _ = cells
    code = known.documents.get(document, NO_DOCUMENT)
    if document and code == NO_DOCUMENT:
        mend = did_you_mean(document, list(known.documents))
        known.complain(line, "document", f'counts.json has no document "{document}" here.', mend)
    if text not in ratings or ratings[text] is None:
        ratings[text] = _ratings(known, line, text)
    given = ratings[text] or ()
    before = known.rows.setdefault((code, given), line)
    if before != line and ratings[text] is not None:
        known.complain(line, "ratings", f"stands in line {before} already, of the same document.")
    return code, given


def _ratings(known: _Known, line: int, text: str) -> Codes | None:
    """Return who gave which label, by annotator; None where that can't be understood, which is noted."""
    found, end = list[tuple[int, int]](), 0
    while end < len(text):
        rating = RATING.match(text, end)
        if rating is None or (rating[3] and rating.end() == len(text)):
            known.complain(line, "ratings", f'"{text}" is no list such as "A01:Former|A02:New".')
            return None
        end = rating.end()
        who, label = (ESCAPED.sub(r"\1", rating[part]) for part in (1, 2))
        if not _is_known(known, line, who, label):
            return None
        found.append((known.annotators[who], known.categories[label]))
    if len({who for who, _ in found}) < len(found):
        known.complain(line, "ratings", f'"{text}" has one annotator twice.')
        return None
    return tuple(sorted(found))


def _is_known(known: _Known, line: int, who: str, label: str) -> bool:
    if who not in known.annotators:
        mend = did_you_mean(who, list(known.annotators))
        known.complain(line, "ratings", f'counts.json has no annotator "{who}" in this unit set.', mend)
    if label not in known.categories:
        mend = did_you_mean(label, list(known.categories))
        known.complain(line, "ratings", f'counts.json has no category "{label}" in this unit set.', mend)
    return who in known.annotators and label in known.categories
