"""Units as each category alone sees them: those that have it one by one, all others by document at once.

What a category's figures cost so grows with how often it occurs, and with documents, not with all units.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import numpy as np

from reportgen.counts import ContingencyTable, tally
from reportgen.measures.profiles import Profiles
from reportgen.readers import Codes
from reportgen.units import NO_CATEGORY

T = TypeVar("T")
TWO = 2
# Which of two annotators give a unit something else than the category: 1 is the second, 2 the first.
NEITHER = 3


@dataclass(frozen=True, eq=False)
class ByCategory:
    """How many units of each document have each category, and in which way, a whole number.

    Columns `document`, `way`, `n` are sorted by category, `starts` (categories + 1,) being where each begins.
    `rest` has the same columns of all units, as one that none of them has sees them; `among` is the place
    there that a row takes its units from.
    """

    starts: Codes
    document: Codes
    way: Codes
    n: Codes
    among: Codes
    rest: tuple[Codes, Codes, Codes]

    def rows(self, category: int) -> slice:
        """Return where a category's own rows are."""
        return slice(*self.starts[category : category + TWO].tolist())

    def key(self, category: int) -> bytes:
        """Return what is the same for categories that the same units have: all their figures are the same."""
        rows = self.rows(category)
        return b"".join(column[rows].tobytes() for column in (self.document, self.way, self.n))

    def of(self, category: int) -> tuple[Codes, Codes, Codes]:
        """Return document, way and number of all units as a category sees them."""
        rows = self.rows(category)
        document, way, n = self.rest
        left = n.copy()
        np.subtract.at(left, self.among[rows], self.n[rows])
        there = left > 0
        return (
            np.concatenate([self.document[rows], document[there]]),
            np.concatenate([self.way[rows], way[there]]),
            np.concatenate([self.n[rows], left[there]]),
        )

    def each(self, compute: Callable[[int], T]) -> tuple[T, ...]:
        """Return what is computed of each category, once for all that the same units have."""
        keys = [self.key(category) for category in range(len(self.starts) - 1)]
        first = {key: category for category, key in reversed([*enumerate(keys)])}
        found = {key: compute(category) for key, category in first.items()}
        return tuple(found[key] for key in keys)


def _by_category(
    given: tuple[Codes, Codes, Codes, Codes], n: Codes, rest: tuple[Codes, Codes, Codes], categories: int
) -> ByCategory:
    """Return units by category, given category, document, way, and the way of `rest` that each was."""
    (label, document, way, before), n = tally(given, n)
    width = int(rest[1].max(initial=0)) + 1
    places = (rest[0] + 1) * width + rest[1]
    among = np.searchsorted(places, (document + 1) * width + before)
    return ByCategory(np.searchsorted(label, np.arange(categories + 1)), document, way, n, among, rest)


# Those of two versions, each as it is shown and as it is tested.
@lru_cache(maxsize=4)
def categories_of_pair(table: ContingencyTable) -> ByCategory:
    """Return the units of two annotators by category; a way says who gave something else, as NEITHER does."""
    second = table.column != table.row
    label = np.concatenate([table.row, table.column[second]])
    document = np.concatenate([table.document, table.document[second]])
    way = np.concatenate([second.astype(np.int64), np.full(int(second.sum()), TWO)])
    (known,), n = tally([table.document], table.n)
    return _by_category(
        (label, document, way, np.full(len(label), NEITHER)),
        np.concatenate([table.n, table.n[second]]),
        (known, np.full(len(known), NEITHER), n),
        table.categories,
    )


def against_rest(table: ContingencyTable, category: int) -> ContingencyTable:
    """Return the table of one category (code 0) against all others (code 1)."""
    document, way, n = categories_of_pair(table).of(category)
    return ContingencyTable(table.first, table.second, TWO, document, way // TWO, way % TWO, n)


@lru_cache(maxsize=4)
def categories_of(profiles: Profiles) -> ByCategory:
    """Return units by category; a way is how often a unit has it, and how many ratings."""
    profile, label, times = profiles.cells
    order = np.argsort(profiles.profile, kind="stable")
    many = np.bincount(profiles.profile, minlength=len(profiles.labels))
    starts = np.cumsum(many) - many
    # The documents that have each profile, one after the other.
    cell = np.repeat(np.arange(len(profile)), many[profile])
    begun = np.cumsum(many[profile]) - many[profile]
    row = order[starts[profile[cell]] + np.arange(len(cell)) - begun[cell]]
    ratings = profiles.ratings[profile[cell]]
    (document, single), n = tally([profiles.document, profiles.ratings[profiles.profile]], profiles.n)
    # Two numbers as one.
    way = times[cell] * (profiles.labels.shape[1] + 1) + ratings
    given = label[cell], profiles.document[row], way, ratings
    return _by_category(given, profiles.n[row], (document, single, n), profiles.categories)


def one_category(profiles: Profiles, category: int) -> Profiles:
    """Return the same units with one category (code 0) against all others (code 1)."""
    document, way, n = categories_of(profiles).of(category)
    ways, place = np.unique(way, return_inverse=True)
    width = profiles.labels.shape[1]
    times, ratings = (each[:, None] for each in np.divmod(ways, width + 1))
    column = np.arange(width)
    labels = np.where(column < ratings, (column >= times).astype(np.int64), NO_CATEGORY)
    return Profiles(labels, document, place.reshape(-1), n, TWO)
