"""In what way the marks of two people disagree: about boundaries, about the type, or about both.

A mark that no row tells of, and that has no match, is an omission of the other: nothing of the other's
overlaps it but what matches another mark.
"""

from dataclasses import dataclass

import numpy as np

from reportgen.formats import Codes
from reportgen.study.crediting import in_pairs, of_any_type, pair_in_turn, where
from reportgen.study.overlaps import Candidates
from reportgen.study.pairing import Pairing
from reportgen.study.people import Mask
from reportgen.study.spans import Spans

CASE_KINDS = ("boundary", "type", "both", "omission")
BOUNDARY, TYPE, BOTH, OMISSION = range(len(CASE_KINDS))
# A case is a pair of marks, or a mark without a partner that overlaps one of such a pair.
PAIR, OF_FIRST, OF_SECOND = range(3)


@dataclass(frozen=True, eq=False)
class MarkCases:
    """Marks of two people that overlap and do not match, each case once.

    - `first`, `second` (cases,): the marks; the first is the key's.
    - `kind`: the code of the kind in CASE_KINDS, never an omission. Marks of one type are about boundaries,
      those with the same ends about the type (or about significant features), all others about both.
    - `form`: PAIR, or whose mark is without a partner: where one marks as several what the other marks as
      one, each of the several is a case.
    - `match_first`, `match_second` (matches,): the marks that match.
    """

    first: Codes
    second: Codes
    kind: Codes
    form: Codes
    match_first: Codes
    match_second: Codes


def mark_cases(spans: Spans, pairing: Pairing) -> MarkCases:
    """Return in what way marks disagree; `pairing` has those that match, and those of one type that overlap.

    What it leaves alone is paired whatever its type: first marks that cover the same text, as many as there
    can be, then those that share a character, as many as there can be, with most characters in common.
    """
    found = of_any_type(spans)
    one, other = in_pairs(spans, found, pairing.first, pairing.second)
    alone = where(found, ~one & ~other)
    across = pair_in_turn(spans, alone, np.ones_like(alone.first))
    first = np.concatenate([pairing.first[~pairing.exact], across.first])
    second = np.concatenate([pairing.second[~pairing.exact], across.second])
    number = len(first) - len(across.first)
    kind = np.concatenate([np.full(number, BOUNDARY), np.where(across.exact, TYPE, BOTH)]).astype(np.int64)
    parts = [(first, second, kind, np.full_like(first, PAIR))]
    matched = pairing.first[pairing.exact], pairing.second[pairing.exact]
    settled, disputed = in_pairs(spans, found, *matched), in_pairs(spans, found, first, second)
    free = [~(one | other) for one, other in zip(settled, disputed, strict=True)]
    parts.append(_strays(spans, found, free[0] & disputed[1], OF_FIRST))
    parts.append(_strays(spans, found, free[1] & disputed[0], OF_SECOND))
    first, second, kind, form = (np.concatenate(column) for column in zip(*parts, strict=True))
    return MarkCases(first, second, kind, form, *matched)


def _strays(spans: Spans, found: Candidates, kept: Mask, form: int) -> tuple[Codes, Codes, Codes, Codes]:
    """Return the marks without a partner, each with the mark of the other that it is closest to.

    Closest is one of the same type, then one with the same ends, then the one with most characters in common.
    """
    rest = where(found, kept)
    same = (spans.type[rest.first] == spans.type[rest.second]) & ~rest.exact
    kind = np.where(same, BOUNDARY, np.where(rest.exact, TYPE, BOTH)).astype(np.int64)
    mark, person = (rest.first, spans.person[rest.second])
    if form == OF_SECOND:
        mark, person = rest.second, spans.person[rest.first]
    order = np.lexsort((-rest.shared, kind, person, mark))
    chosen = order[np.unique(mark[order] * len(spans.people) + person[order], return_index=True)[1]]
    return rest.first[chosen], rest.second[chosen], kind[chosen], np.full(len(chosen), form, dtype=np.int64)
