"""Agreement over the calendar: in stretches of whole days, and by all labels so far."""

from dataclasses import replace

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.counts import count
from reportgen.measures import Estimate, Setting, UnitsOfAll, measures_of
from reportgen.measures.estimate import figure
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.readers.work_times import DAY, UNKNOWN, written
from reportgen.results.times import Period
from reportgen.units import CodedUnits, Mask
from reportgen.units.work import UnitWork

# A stretch has so many units, of so many documents: fewer say nothing about agreement.
LEAST_UNITS, LEAST_DOCUMENTS = 20, 5
# With more stretches than these, each has to have twice as much, and so on.
MOST_PERIODS = 24
LEAST_PERIODS = 2
NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class TimedLayer:
    """The primary unit set of a layer, when its ratings were given, and what its coefficient is."""

    units: CodedUnits
    work: UnitWork
    setting: Setting
    coefficient: str


def day_of(at: int) -> str:
    """Return the day of a moment in UTC, as ISO 8601 has it."""
    return written(int(at), whole_days=True)


@dataclass(frozen=True, eq=False)
class _Dated:
    """When units were labelled, in days since 1970; NEVER where they were not, or a date is not known.

    `first`, `second` and `last` (units,) are the days of the first, the second and the last label, `last` of
    units with two labels alone; `document` (units,) numbers documents, a unit without one being its own.
    `ratings` (ratings,) are the days of labels, NEVER for those of units that are left out.
    """

    first: Codes
    second: Codes
    last: Codes
    document: Codes
    ratings: Codes


def agreement_over_time(layer: TimedLayer) -> tuple[Period, ...]:
    """Return agreement in stretches of whole days, of the units all of whose labels have a date."""
    of_all = UnitsOfAll(layer.units, count(layer.units), layer.setting)
    if layer.coefficient not in measures_of(of_all, layer.coefficient):
        return ()
    dated = _dated(layer.units, layer.work)
    finished = np.flatnonzero(dated.last != NEVER)
    if not len(finished):
        return ()
    ends = _ends(dated.last[finished], layer.units.unit_weight[finished], dated.document[finished])
    if len(ends) < LEAST_PERIODS:
        return ()
    # What was labelled once after the last unit was finished belongs to the last stretch.
    ends[-1] = int(dated.ratings[dated.ratings != NEVER].max())
    starts = [int(dated.ratings.min()), *(end + 1 for end in ends[:-1])]
    return tuple(_period(layer, dated, start, end) for start, end in zip(starts, ends, strict=True))


def _dated(units: CodedUnits, work: UnitWork) -> _Dated:
    at, size = work.of_ratings(work.at), len(units.unit_weight)
    known = units.unit_weight > 0
    known[units.unit[at == UNKNOWN]] = False
    days = np.where(known[units.unit], at // DAY, NEVER)
    order = np.lexsort((days, units.unit))
    times = np.bincount(units.unit, minlength=size)
    start = np.cumsum(times) - times
    sorted_days = np.append(days[order], NEVER)

    def day(place: Codes, least: int) -> Codes:
        there: Codes = np.where(known & (times >= least), sorted_days[np.minimum(place, len(order))], NEVER)
        return there

    own = len(units.documents) + np.arange(size)
    return _Dated(
        first=day(start, 1),
        second=day(start + 1, 2),
        last=day(start + times - 1, 2),
        document=np.where(units.unit_document == NO_DOCUMENT, own, units.unit_document),
        ratings=days,
    )


def _ends(day: Codes, weight: Codes, document: Codes) -> list[int]:
    """Return the last day of each stretch of units that were finished on some days.

    Days are joined from the first on, until there are enough units of enough documents; what is too little at
    the end belongs to the last stretch.
    """
    times = 1
    while len(ends := _joined(day, weight, document, times)) > MOST_PERIODS:
        times *= 2
    return ends


def _joined(day: Codes, weight: Codes, document: Codes, times: int) -> list[int]:
    order = np.argsort(day, kind="stable")
    days, starts = np.unique(day[order], return_index=True)
    units, documents, ends = 0, np.zeros(0, dtype=np.int64), list[int]()
    for number, own in zip(days.tolist(), np.split(order, starts[1:]), strict=True):
        units += int(weight[own].sum())
        documents = np.union1d(documents, document[own])
        if units >= times * LEAST_UNITS and len(documents) >= times * LEAST_DOCUMENTS:
            ends.append(number)
            units, documents = 0, documents[:0]
    return ends


def _period(layer: TimedLayer, dated: _Dated, start: int, end: int) -> Period:
    units, by_document = layer.units, layer.work.by_document
    own = (dated.last >= start) & (dated.last <= end)

    def many(chosen: Mask) -> int:
        return len(np.unique(dated.document[chosen])) if by_document else int(units.unit_weight[chosen].sum())

    return Period(
        first=day_of(start * DAY),
        last=day_of(end * DAY),
        units=many(own),
        figure=figure(_agreement(layer, own[units.unit])),
        labelled=many(dated.first <= end),
        doubled=many(dated.second <= end),
        so_far=figure(_agreement(layer, dated.ratings <= end)),
    )


def _agreement(layer: TimedLayer, chosen: Mask) -> Estimate:
    """Return the layer's coefficient by some of the ratings."""
    ratings = {name: getattr(layer.units, name)[chosen] for name in ("unit", "annotator", "label")}
    units = replace(layer.units, **ratings)
    return measures_of(UnitsOfAll(units, count(units), layer.setting), layer.coefficient)[layer.coefficient]
