"""Which marks stand on which candidate: those that coincide with it, or else those that overlap it."""

from dataclasses import dataclass

import numpy as np

from reportgen.formats import Codes, Regions, TextMarks
from reportgen.study.links import Links, bases, counting, covered, numbered, regions_of, stretches
from reportgen.study.people import Mask
from reportgen.study.tokens import Pieces


@dataclass(frozen=True, eq=False)
class OnCandidates:
    """The candidates that marks stand on, and the marks (numbers) that give way to others."""

    links: Links
    outdone: Codes


def regions_of_pieces(found: Pieces) -> Regions:
    """Return pieces of text as places of one stretch each."""
    number = np.arange(len(found.document), dtype=np.int64)
    return Regions(found.document, number, found.start, found.end)


def to_candidates(
    marks: TextMarks, candidates: Regions, kept: Mask, person: Codes, *, keep_marked: bool
) -> OnCandidates:
    """Return the candidates that the marks which are `kept` (marks,) stand on; those that coincide are one.

    A mark that coincides with a candidate stands on that one alone, any other on all with which it shares a
    character. Where a mark of a person, `person` (marks,), coincides with a candidate, the person's
    others that overlap it give way. With `keep_marked` the marks that touch no candidate stand on units of
    their own, else they have no link.
    """
    rows, number = numbered(_together(regions_of(marks), candidates))
    mark_number, candidate_number = np.split(number, [len(marks.document)])
    known = np.unique(candidate_number)
    coincides = kept & np.isin(mark_number, known)
    exact = np.stack([np.flatnonzero(coincides), mark_number[coincides]], axis=1)
    overlapping = _overlapping(marks, candidates, candidate_number)
    overlapping = overlapping[(kept & ~coincides)[overlapping[:, 0]]]
    left = overlapping[~np.isin(_keys(overlapping, person, len(rows)), _keys(exact, person, len(rows)))]
    outside = np.setdiff1d(np.flatnonzero(kept & ~coincides), overlapping[:, 0])
    own = np.stack([outside, mark_number[outside]], axis=1)[: len(outside) if keep_marked else 0]
    linked = np.unique(np.concatenate([exact, left, own]), axis=0)
    marked, unit = np.unique(linked[:, 1], return_inverse=True)
    document = rows[marked, 0]
    links = Links(
        unit_document=document,
        mark=linked[:, 0],
        unit=unit.reshape(-1),
        unmarked=np.bincount(rows[np.setdiff1d(known, marked), 0], minlength=len(marks.texts)),
        unit_place=marked,
        places=stretches(rows),
    )
    return OnCandidates(links, np.setdiff1d(overlapping[:, 0], linked[:, 0]))


def _together(one: Regions, other: Regions) -> Regions:
    return Regions(
        document=np.concatenate([one.document, other.document]),
        span_region=np.concatenate([one.span_region, len(one.document) + other.span_region]),
        span_start=np.concatenate([one.span_start, other.span_start]),
        span_end=np.concatenate([one.span_end, other.span_end]),
    )


def _keys(pairs: Codes, person: Codes, places: int) -> Codes:
    """Return a number for the person and the candidate of each mark on a candidate (pairs, 2)."""
    keys: Codes = person[pairs[:, 0]] * places + pairs[:, 1]
    return keys


def _overlapping(marks: TextMarks, candidates: Regions, number: Codes) -> Codes:
    """Return which mark shares a character with which candidate, by its number: (pairs, 2).

    The texts are cut wherever a candidate begins or ends, so that a piece lies within a candidate or outside
    it, and candidates within candidates are found too.
    """
    base = bases(marks.texts)
    here = base[candidates.document[candidates.span_region]]
    cuts = np.unique(np.concatenate([here + candidates.span_start, here + candidates.span_end]))
    of_marks = covered(regions_of(marks), base, cuts[:-1], cuts[1:])
    of_candidates = covered(candidates, base, cuts[:-1], cuts[1:])
    order = np.argsort(of_candidates[:, 1], kind="stable")
    candidate, piece = of_candidates[order, 0], of_candidates[order, 1]
    low = np.searchsorted(piece, of_marks[:, 1], side="left")
    sizes = np.searchsorted(piece, of_marks[:, 1], side="right") - low
    mark = np.repeat(of_marks[:, 0], sizes)
    which = candidate[np.repeat(low, sizes) + counting(sizes)]
    return np.unique(np.stack([mark, number[which]], axis=1), axis=0)
