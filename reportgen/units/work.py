"""When the labels of a unit set were given, and how long each took: what each annotator did in one go."""

from collections.abc import Sequence

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.readers import NO_DOCUMENT, Annotations, Codes, CountedLayer, TextMarks
from reportgen.readers.annotations import coded
from reportgen.readers.work_times import UNKNOWN
from reportgen.units.coded import CodedUnits

NO_GO = -1


@dataclass(frozen=True, eq=False)
class UnitWork:
    """Columns (goes,), one for each unit that an annotator labelled, or document with all marks in it.

    - `annotator`: whose it is, among those of the unit set; `source`: the row or copy of the export.
    - `taken`: how many milliseconds it took; `at`: when it was done, in milliseconds since 1970. Either may
      be UNKNOWN.
    - `of_rating` (ratings,): the go in which each rating of the unit set was given, NO_GO where unknown.
    - `by_document`: whether a go is a document.
    """

    annotator: Codes
    source: Codes
    taken: Codes
    at: Codes
    of_rating: Codes
    by_document: bool

    def of_ratings(self, column: Codes) -> Codes:
        """Return `taken` or `at` of each rating, UNKNOWN where it is not known."""
        return np.append(column, UNKNOWN)[self.of_rating]


def work_of(annotations: Annotations, units: CodedUnits, names: Sequence[str]) -> UnitWork | None:
    """Return when the ratings of a unit set were given, None where the export does not say.

    `names` are what the annotators of the export are called in the unit set. Of two goes of one annotator at
    one place the first counts: labels of a second pass are in no unit set.
    """
    times, content = annotations.times, annotations.content
    if times is None or isinstance(content, CountedLayer):
        return None
    size = max(len(units.annotators), 1)
    code = coded(names, units.annotators)[1][times.annotator]
    known = np.flatnonzero(code >= 0)
    keys, first = np.unique(times.place[known] * size + code[known], return_index=True)
    by_document = isinstance(content, TextMarks)
    place = units.unit_document if isinstance(content, TextMarks) else _rows_of(units, content.unit)
    at_place = place[units.unit]
    wanted = at_place * size + units.annotator
    found = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
    is_known = (at_place != NO_DOCUMENT) & (keys[found] == wanted) if len(keys) else at_place == at_place - 1
    used, of_known = np.unique(found[is_known], return_inverse=True)
    of_rating = np.full(len(units.unit), NO_GO, dtype=np.int64)
    of_rating[is_known] = of_known.reshape(-1)
    goes = known[first[used]]
    if not len(goes):
        return None
    columns = (times.source[goes], times.taken[goes], times.at[goes])
    return UnitWork(code[goes], *columns, of_rating, by_document=by_document)


# Who has labels of fewer moments than these, as after an import, did not work in their order.
LEAST_MOMENTS = 10


def in_order(work: UnitWork, units: CodedUnits) -> Codes | None:
    """Return when each rating of the unit set was given (ratings,), None where nobody's times tell an order.

    Those of annotators whose labels have too few different times are UNKNOWN.
    """
    at = work.of_ratings(work.at)
    known = np.flatnonzero(at != UNKNOWN)
    pairs = np.unique(np.stack([units.annotator[known], at[known]]), axis=1)
    moments = np.bincount(pairs[0], minlength=len(units.annotators))
    at = np.where(moments[units.annotator] >= LEAST_MOMENTS, at, UNKNOWN)
    return at if (at != UNKNOWN).any() else None


def _rows_of(units: CodedUnits, unit_of_mark: Codes) -> Codes:
    """Return the unit of the export that each unit is; NO_DOCUMENT for those without a mark."""
    row = np.full(len(units.unit_weight), NO_DOCUMENT, dtype=np.int64)
    row[units.mark_unit] = unit_of_mark[units.mark]
    return row
