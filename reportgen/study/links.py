"""Which marks stand on which unit: the tokens that a mark covers, or the stretch that it marks."""

from dataclasses import dataclass

import numpy as np

from reportgen.formats import Codes, TextMarks
from reportgen.study.tokens import Tokens


@dataclass(frozen=True, eq=False)
class Links:
    """Units that are marked, and by what.

    - `unit_document` (units,): the document of each unit, in the order of the text.
    - `mark`, `unit` (links,): a mark and a unit that it stands on, sorted by mark.
    - `unmarked` (documents,): how many units of each document nothing stands on.
    """

    unit_document: Codes
    mark: Codes
    unit: Codes
    unmarked: Codes


def to_tokens(marks: TextMarks, tokens: Tokens) -> Links:
    """Return the tokens that share a character with a mark. A mark on none of them has no link."""
    lengths = np.array([len(text) + 1 for text in marks.texts], dtype=np.int64)
    base = np.concatenate([[0], np.cumsum(lengths)])
    first, last = base[tokens.document] + tokens.start, base[tokens.document] + tokens.end
    here = base[marks.document[marks.span_mark]]
    low = np.searchsorted(last, here + marks.span_start, side="right")
    high = np.searchsorted(first, here + marks.span_end, side="left")
    covered = np.where(marks.span_end > marks.span_start, np.maximum(high - low, 0), 0)
    mark = np.repeat(marks.span_mark, covered)
    token = np.repeat(low, covered) + _counting(covered)
    # Two stretches of a discontinuous mark can share a token.
    linked = np.unique(np.stack([mark, token], axis=1), axis=0)
    marked, unit = np.unique(linked[:, 1], return_inverse=True)
    every = np.bincount(tokens.document, minlength=len(marks.texts))
    document = tokens.document[marked]
    return Links(document, linked[:, 0], unit, every - np.bincount(document, minlength=len(marks.texts)))


def _counting(lengths: Codes) -> Codes:
    """Return 0, 1, … for each length, one after another."""
    starts = np.cumsum(lengths) - lengths
    return np.arange(int(lengths.sum()), dtype=np.int64) - np.repeat(starts, lengths)


def to_stretches(marks: TextMarks) -> Links:
    """Return the stretches that are marked, those that coincide being one unit."""
    stretches = np.bincount(marks.span_mark, minlength=len(marks.document))
    width = int(stretches.max(initial=0))
    # A row for each mark: its document, then the ends of its stretches, filled up where it has fewer.
    rows = np.full((len(marks.document), 1 + 2 * width), -1, dtype=np.int64)
    rows[:, 0] = marks.document
    order = np.argsort(marks.span_mark, kind="stable")
    place = _counting(stretches)
    rows[marks.span_mark[order], 1 + 2 * place] = marks.span_start[order]
    rows[marks.span_mark[order], 2 + 2 * place] = marks.span_end[order]
    units, unit = np.unique(rows, axis=0, return_inverse=True)
    nothing = np.zeros(len(marks.texts), dtype=np.int64)
    return Links(units[:, 0], np.arange(len(rows), dtype=np.int64), unit.reshape(-1), nothing)
