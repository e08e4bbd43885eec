"""Agreement over the calendar: in stretches of whole days, by all labels so far, and where the pace leads."""

from dataclasses import replace

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.campaign import NOTHING_PLANNED, PlannedInterval
from reportgen.counts import count
from reportgen.measures import Estimate, Setting, UnitsOfAll, measures_of
from reportgen.measures.estimate import figure
from reportgen.measures.standard_errors import clusters_above, clusters_for, plan
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.readers.work_times import DAY, UNKNOWN, written
from reportgen.results.times import Forecast, Period
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
    """The primary unit set of a layer, when its ratings were given, and what its coefficient is.

    `planned` is what [gate] asks of its interval.
    """

    units: CodedUnits
    work: UnitWork
    setting: Setting
    coefficient: str
    planned: PlannedInterval = NOTHING_PLANNED


@dataclass(frozen=True)
class OverTime:
    """Agreement in stretches of the calendar, and when it is known well enough."""

    periods: tuple[Period, ...] = ()
    forecast: Forecast | None = None


NO_AGREEMENT = OverTime()


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


def agreement_over_time(layer: TimedLayer) -> OverTime:
    """Return agreement in stretches of whole days, and when the next half-width is reached.

    The units are those all of whose labels have a date.
    """
    of_all = UnitsOfAll(layer.units, count(layer.units), layer.setting)
    whole = measures_of(of_all, layer.coefficient).get(layer.coefficient)
    if whole is None:
        return NO_AGREEMENT
    dated = _dated(layer.units, layer.work)
    finished = np.flatnonzero(dated.last != NEVER)
    if not len(finished):
        return NO_AGREEMENT
    ends = _ends(dated.last[finished], layer.units.unit_weight[finished], dated.document[finished])
    if len(ends) < LEAST_PERIODS:
        return NO_AGREEMENT
    # What was labelled once after the last unit was finished belongs to the last stretch.
    ends[-1] = int(dated.ratings[dated.ratings != NEVER].max())
    starts = [int(dated.ratings.min()), *(end + 1 for end in ends[:-1])]
    periods = tuple(_period(layer, dated, start, end) for start, end in zip(starts, ends, strict=True))
    clusters = of_all.profiles.clusters.groups
    target = _target(whole, clusters, layer.planned)
    return OverTime(periods, _forecast(target, clusters, dated, ends[-1]) if target else None)


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


# At this pace: how many documents, or units where none is known, get a second label in a day.

LEAST_SPAN, LEAST_DAYS = 6, 4
PARTS = 3
# The pace is irregular where one third of the time has more than so many times what another has.
UNEVEN = 3
# A pace tells nothing of times that are so much longer than what it was seen in.
FARTHEST = 4
MOST_DATED = 0.9


def _target(whole: Estimate, clusters: int, planned: PlannedInterval) -> Forecast | None:
    """Return what [gate] asks for and is not so yet, else the next half-width; None where there is none.

    Of two demands it is the one that takes more; one that more of the same does not meet is none.
    """
    steps = plan(whole, clusters)
    if steps is None or whole.value is None or whole.spread is None:
        return None
    at_hand, half, low = (whole.value, whole.spread, clusters), planned.half_width, planned.low
    targets: list[Forecast] = []
    if half is not None:
        more = clusters_for(*at_hand, half) - clusters
        targets.append(Forecast(half_width=half, demand="half_width", more=more))
    if low is not None and (needed := clusters_above(*at_hand, low)) is not None:
        more = needed - clusters
        targets.append(Forecast(half_width=whole.value - low, demand="low", least=low, more=more))
    open_ones = [target for target in targets if target.more > 0]
    if open_ones:
        return max(open_ones, key=lambda target: target.more)
    return next(
        (Forecast(half_width=goal.half_width, more=goal.more) for goal in steps.goals if goal.more), None
    )


def _forecast(target: Forecast, clusters: int, dated: _Dated, today: int) -> Forecast:
    """Return when a target is reached."""
    doubled = np.flatnonzero(dated.second != NEVER)
    first = np.full(int(dated.document.max()) + 1, NEVER)
    np.minimum.at(first, dated.document[doubled], dated.second[doubled])
    days = first[first != NEVER]
    if len(days) < MOST_DATED * clusters:
        return target.model_copy(update={"undefined": "undated"})
    return when_reached(target, np.sort(days), today)


def when_reached(forecast: Forecast, days: Codes, today: int) -> Forecast:
    """Return when so many more are done; `days` (documents,) are those on which the others got two labels."""
    start = int(days[0])
    span = today + 1 - start
    if span < LEAST_SPAN or len(np.unique(days)) < LEAST_DAYS:
        return forecast.model_copy(update={"undefined": "short"})
    lengths, done = (
        np.bincount((times - start) * PARTS // span, minlength=PARTS).tolist()
        for times in (np.arange(start, today + 1), days)
    )
    # Parts by how much was done in a day of theirs, compared without rounding.
    parts = sorted(zip(done, lengths, strict=True), key=lambda part: part[0] / part[1])
    slowest, fastest = parts[0], parts[-1]
    if not slowest[0] or fastest[0] * slowest[1] > UNEVEN * slowest[0] * fastest[1]:
        return forecast.model_copy(update={"undefined": "irregular"})
    if forecast.more > FARTHEST * len(days):
        return forecast.model_copy(update={"undefined": "far"})
    reached, earliest, latest = (
        day_of((today - (-forecast.more * length // number)) * DAY)
        for number, length in ((len(days), span), fastest, slowest)
    )
    return forecast.model_copy(update={"reached": reached, "earliest": earliest, "latest": latest})
