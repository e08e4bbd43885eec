"""Units of both versions: on which of them annotators agreed under which."""

from dataclasses import dataclass

import numpy as np

from reportgen.agreement.two.signs import signs_p
from reportgen.revisions.shared import GONE, Shared
from reportgen.revisions.sides import NO_ID, Mask, NamedUnits
from reportgen.study import NO_DOCUMENT, Codes

PAIR = 2
# A unit of one version that is no row of the other, being one of the unmarked ones there.
UNMARKED = -1


@dataclass(frozen=True, eq=False)
class Rows:
    """Units of both versions as rows of each (units,), UNMARKED where one has none of them as a row."""

    first: Codes
    second: Codes

    def some(self, chosen: Mask | Codes) -> "Rows":
        """Return some of them."""
        return Rows(self.first[chosen], self.second[chosen])


@dataclass(frozen=True, eq=False)
class Flipped:
    """On how many of the units of both versions annotators agreed, and on which they did not under both.

    `agreed`, `mended`, `broken` and `disputed` add up to `units`. `alike` says whether as many annotators
    rated each unit that changed sides under both versions: among more of them fewer units are agreed on.
    `clusters` is how many documents, or units where none is known, have more of one change than of the
    other, and `p` that of McNemar's exact test over them, None where there is none.
    """

    agreed: int
    mended: Rows
    broken: Rows
    disputed: Rows
    alike: bool
    clusters: int
    p: float | None

    @property
    def units(self) -> int:
        """Return how many units stand in both and were rated by two annotators under both."""
        return self.agreed + sum(len(each.first) for each in (self.mended, self.broken, self.disputed))


def flips(first: NamedUnits, second: NamedUnits, shared: Shared) -> Flipped | None:
    """Return which units changed sides; None where nothing tells which units are the same.

    Of tokens, sentences and candidates only those that somebody marked are rows: the others of a document,
    which nobody marked under either version, are agreed on.
    """
    grid = first.on_grid and second.on_grid
    if not grid and not ((first.unit != NO_ID).any() and (second.unit != NO_ID).any()):
        return None
    rows = _rows(first, second, shared, grid=grid)
    before, after = _agreed(first, rows.first), _agreed(second, rows.second)
    rest = _unmarked(first, second, shared, rows) if grid else 0
    document = _documents(first, second, shared, rows)
    moved = np.bincount(document[~before & after], minlength=len(shared.documents)) - np.bincount(
        document[before & ~after], minlength=len(shared.documents)
    )
    alike = _rated_alike(first, second, shared, rows.some(before != after))
    return Flipped(
        agreed=int((before & after).sum()) + rest,
        mended=rows.some(~before & after),
        broken=rows.some(before & ~after),
        disputed=rows.some(~before & ~after),
        alike=alike,
        clusters=int(np.count_nonzero(moved)),
        p=signs_p(moved) if alike else None,
    )


def _rated_alike(first: NamedUnits, second: NamedUnits, shared: Shared, rows: Rows) -> bool:
    """Tell whether as many annotators rated each of some units under both versions.

    An unmarked unit without a row has as many ratings as the other units of its document.
    """
    document = _documents(first, second, shared, rows)
    ours, theirs = (
        np.where(row == UNMARKED, _most(side, place)[document], np.append(side.ratings, 0)[row])
        for side, place, row in (
            (first, shared.first.place, rows.first),
            (second, shared.second.place, rows.second),
        )
    )
    return bool((ours == theirs).all())


def _most(side: NamedUnits, place: Codes) -> Codes:
    """Return how many annotators rated the units of each shared document, at most (documents,)."""
    document = side.clustered.unit_document
    chosen = side.compared & (document != NO_DOCUMENT)
    where = place[document[chosen]]
    found = np.zeros(int(place.max(initial=GONE)) + 2, dtype=np.int64)
    np.maximum.at(found, where, side.ratings[chosen])
    return found


def _rows(first: NamedUnits, second: NamedUnits, shared: Shared, *, grid: bool) -> Rows:
    """Return the units of both in the order of the second version, those that only the first has last."""
    ours, theirs = _candidates(first, shared.first.place), _candidates(second, shared.second.place)
    _, one, other = np.intersect1d(first.unit[ours], second.unit[theirs], return_indices=True)
    one, other = ours[one], theirs[other]
    if grid:
        alone = np.setdiff1d(ours, one), np.setdiff1d(theirs, other)
        one = np.concatenate([one, np.full(len(alone[1]), UNMARKED), alone[0]])
        other = np.concatenate([other, alone[1], np.full(len(alone[0]), UNMARKED)])
    rows = Rows(one, other)
    document = _documents(first, second, shared, rows)
    place = _export_order(second, shared)[document]
    return rows.some(np.lexsort((one, other, other == UNMARKED, document * (place >= 0), place)))


def _export_order(side: NamedUnits, shared: Shared) -> Codes:
    """Return the place of each shared document in the export; units that are their own stand in it as one."""
    place = np.full(len(shared.documents) + 1, len(side.units.documents), dtype=np.int64)
    document = side.clustered.unit_document
    known = document != NO_DOCUMENT
    place[shared.second.place[document[known]]] = side.units.unit_document[known]
    return place


def _documents(first: NamedUnits, second: NamedUnits, shared: Shared, rows: Rows) -> Codes:
    """Return the document of each unit of both (units,)."""
    ours = _document(first, shared.first.place, rows.first)
    theirs = _document(second, shared.second.place, rows.second)
    return np.where(rows.second == UNMARKED, ours, theirs)


def _document(side: NamedUnits, place: Codes, rows: Codes) -> Codes:
    document = np.append(side.clustered.unit_document, NO_DOCUMENT)
    found: Codes = np.append(place, GONE)[document[rows]]
    return found


def _candidates(side: NamedUnits, place: Codes) -> Codes:
    """Return the rows that are single units, rated by two annotators, in documents of both versions."""
    document = side.clustered.unit_document
    inside = np.append(place >= 0, False)[document]
    chosen = side.compared & (side.unit != NO_ID) & inside & (side.units.unit_weight == 1)
    return np.flatnonzero(chosen)


def _agreed(side: NamedUnits, rows: Codes) -> Mask:
    """Tell of rows whether all annotators gave the same label; unmarked units are agreed on."""
    units = side.units
    low = np.full(len(units.unit_weight), len(units.categories), dtype=np.int64)
    high = np.full(len(units.unit_weight), -1, dtype=np.int64)
    np.minimum.at(low, units.unit, units.label)
    np.maximum.at(high, units.unit, units.label)
    same = np.append(low == high, True)
    found: Mask = same[rows]
    return found


def _unmarked(first: NamedUnits, second: NamedUnits, shared: Shared, rows: Rows) -> int:
    """Return how many units of the shared documents nobody marked under either version."""
    size = len(shared.documents)
    totals = [
        _totals(side, part.place, size) for side, part in ((first, shared.first), (second, shared.second))
    ]
    marked = np.zeros(size, dtype=np.int64)
    np.add.at(marked, _documents(first, second, shared, rows), 1)
    return int(np.maximum(np.minimum(*totals) - marked, 0).sum())


def _totals(side: NamedUnits, place: Codes, size: int) -> Codes:
    """Return how many units that two annotators rated each shared document has (documents,)."""
    document = side.clustered.unit_document
    chosen = side.compared & (document != NO_DOCUMENT)
    where = place[document[chosen]]
    totals = np.zeros(size + 1, dtype=np.int64)
    np.add.at(totals, where, side.units.unit_weight[chosen])
    return totals[:size]
