"""Which marks stand on which unit: the pieces of text that a mark covers, or the stretch that it marks."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reportgen.formats import Codes, Regions, TextMarks
from reportgen.study.coded import Places
from reportgen.study.tokens import Pieces


@dataclass(frozen=True, eq=False)
class Links:
    """Units that are marked, and by what.

    - `unit_document` (units,): the document of each unit, in the order of the text.
    - `mark`, `unit` (links,): a mark and a unit that it stands on, sorted by mark.
    - `unmarked` (documents,): how many units of each document nothing stands on.
    - `places`: where the units stand, by their number in `unit_place` (units,).
    """

    unit_document: Codes
    mark: Codes
    unit: Codes
    unmarked: Codes
    unit_place: Codes
    places: Places


def regions_of(marks: TextMarks) -> Regions:
    """Return where the marks stand."""
    return Regions(marks.document, marks.span_mark, marks.span_start, marks.span_end)


def bases(texts: Sequence[str]) -> Codes:
    """Return where each text would begin if all stood one after another, a character apart."""
    return np.cumsum([0, *(len(text) + 1 for text in texts)], dtype=np.int64)


def to_pieces(marks: TextMarks, found: Pieces) -> Links:
    """Return the tokens or sentences that share a character with a mark; one on none has no link."""
    base = bases(marks.texts)[found.document]
    linked = covered(regions_of(marks), bases(marks.texts), base + found.start, base + found.end)
    marked, unit = np.unique(linked[:, 1], return_inverse=True)
    every = np.bincount(found.document, minlength=len(marks.texts))
    document = found.document[marked]
    unmarked = every - np.bincount(document, minlength=len(marks.texts))
    places = Places((), np.arange(len(found.start), dtype=np.int64), found.start, found.end)
    return Links(document, linked[:, 0], unit, unmarked, marked, places)


def covered(regions: Regions, base: Codes, first: Codes, last: Codes) -> Codes:
    """Return which region shares a character with which piece: (links, 2), sorted.

    `first` and `last` (pieces,) are where pieces begin and end, counted through all texts, which start at
    `base` (documents,). Pieces stand in their order and do not overlap.
    """
    here = base[regions.document[regions.span_region]]
    low = np.searchsorted(last, here + regions.span_start, side="right")
    high = np.searchsorted(first, here + regions.span_end, side="left")
    pieces = np.where(regions.span_end > regions.span_start, np.maximum(high - low, 0), 0)
    region = np.repeat(regions.span_region, pieces)
    piece = np.repeat(low, pieces) + counting(pieces)
    # Two stretches of a discontinuous region can share a piece.
    return np.unique(np.stack([region, piece], axis=1), axis=0)


def cutting(marks: TextMarks, tokens: Pieces) -> Codes:
    """Return the marks (numbers, rising) of which a stretch begins or ends inside a token."""
    base = bases(marks.texts)
    first, last = base[tokens.document] + tokens.start, base[tokens.document] + tokens.end
    here = base[marks.document[marks.span_mark]]
    edges = np.stack([here + marks.span_start, here + marks.span_end])
    before = np.append(first, np.iinfo(np.int64).max)[np.searchsorted(last, edges, side="right")]
    cuts = np.any(before < edges, axis=0) & (marks.span_end > marks.span_start)
    return np.unique(marks.span_mark[cuts])


def counting(lengths: Codes) -> Codes:
    """Return 0, 1, … for each length, one after another."""
    starts = np.cumsum(lengths) - lengths
    return np.arange(int(lengths.sum()), dtype=np.int64) - np.repeat(starts, lengths)


def to_stretches(marks: TextMarks) -> Links:
    """Return the stretches that are marked, those that coincide being one unit."""
    units, unit = numbered(regions_of(marks))
    none = np.zeros(len(marks.texts), dtype=np.int64)
    mark = np.arange(len(unit), dtype=np.int64)
    return Links(units[:, 0], mark, unit, none, np.arange(len(units), dtype=np.int64), stretches(units))


def numbered(regions: Regions) -> tuple[Codes, Codes]:
    """Return every place once, in the order of the texts, and the number of the place of each region.

    A place is a row: its document, then the ends of its stretches, filled up with -1 where it has fewer.
    """
    sizes = np.bincount(regions.span_region, minlength=len(regions.document))
    rows = np.full((len(regions.document), 1 + 2 * int(sizes.max(initial=0))), -1, dtype=np.int64)
    rows[:, 0] = regions.document
    order = np.argsort(regions.span_region, kind="stable")
    place = counting(sizes)
    rows[regions.span_region[order], 1 + 2 * place] = regions.span_start[order]
    rows[regions.span_region[order], 2 + 2 * place] = regions.span_end[order]
    places, number = np.unique(rows, axis=0, return_inverse=True)
    return places, number.reshape(-1)


def stretches(units: Codes) -> Places:
    """Return where units stand, given as rows of a document and the ends of stretches, -1 for none."""
    unit, stretch = np.nonzero(units[:, 1::2] >= 0)
    return Places((), unit, units[unit, 1 + 2 * stretch], units[unit, 2 + 2 * stretch])
