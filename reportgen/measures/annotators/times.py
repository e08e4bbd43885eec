"""When labels were given and how long they took: minutes by person, cost, agreement over whole days."""

from collections.abc import Iterator, Sequence

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.counts import count
from reportgen.measures import Estimate, Floats, ScaleSetting, UnitsOfAll, measures_of
from reportgen.measures.annotators.quality import is_crowd
from reportgen.measures.estimate import figure
from reportgen.readers import NO_DOCUMENT, Annotations, Codes, CountedLayer, TextMarks
from reportgen.readers.annotations import factorize
from reportgen.readers.work_times import DAY, HOUR, MINUTE, UNKNOWN, words_with_numbers, written
from reportgen.results.annotators import (
    LEAST_DOCUMENTS,
    LEAST_UNITS,
    AnnotatorPace,
    Cost,
    LayerTimes,
    PaidFor,
    Period,
    Seconds,
    Times,
)
from reportgen.results.model import csv_text
from reportgen.units import Mask
from reportgen.units.unit_sets import CodedUnits

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
    code = factorize(names, units.annotators)[1][times.annotator]
    known = np.flatnonzero(code >= 0)
    keys, first = np.unique(times.place[known] * size + code[known], return_index=True)
    by_document = isinstance(content, TextMarks)
    place = units.document if isinstance(content, TextMarks) else _rows_of(units, content.unit)
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
    row = np.full(len(units.weight), NO_DOCUMENT, dtype=np.int64)
    row[units.marks.unit] = unit_of_mark[units.marks.mark]
    return row


# With more stretches than these, each has to have twice as much, and so on.
MOST_PERIODS = 24
LEAST_PERIODS = 2
NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class TimedLayer:
    """The primary unit set of a layer, when its ratings were given, and what its coefficient is."""

    units: CodedUnits
    work: UnitWork
    setting: ScaleSetting
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
    ends = _ends(dated.last[finished], layer.units.weight[finished], dated.document[finished])
    if len(ends) < LEAST_PERIODS:
        return ()
    # What was labelled once after the last unit was finished belongs to the last stretch.
    ends[-1] = int(dated.ratings[dated.ratings != NEVER].max())
    starts = [int(dated.ratings.min()), *(end + 1 for end in ends[:-1])]
    return tuple(_period(layer, dated, start, end) for start, end in zip(starts, ends, strict=True))


def _dated(units: CodedUnits, work: UnitWork) -> _Dated:
    at = work.of_ratings(work.at)
    known = units.weight > 0
    known[units.unit[at == UNKNOWN]] = False
    days = np.where(known[units.unit], at // DAY, NEVER)
    order = np.lexsort((days, units.unit))
    times = units.per_unit
    start = np.cumsum(times) - times
    sorted_days = np.append(days[order], NEVER)

    def day(place: Codes, least: int) -> Codes:
        there: Codes = np.where(known & (times >= least), sorted_days[np.minimum(place, len(order))], NEVER)
        return there

    return _Dated(
        first=day(start, 1),
        second=day(start + 1, 2),
        last=day(start + times - 1, 2),
        document=units.cluster,
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
        return len(np.unique(dated.document[chosen])) if by_document else int(units.weight[chosen].sum())

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
    units = layer.units.where(chosen)
    return measures_of(UnitsOfAll(units, count(units), layer.setting), layer.coefficient)[layer.coefficient]


# So many times the median are a pause: somebody was called away, or left the page open over night.
PAUSE = 10
QUARTERS = 4
SHOWN = 20


@dataclass(frozen=True)
class Pay:
    """What was paid, and for what."""

    amount: float
    currency: str
    per: PaidFor


# What pay is for, in the words of four languages.
PAID_FOR: dict[PaidFor, frozenset[str]] = {
    "hour": frozenset(("hour", "hours", "hourly", "h", "stunde", "heure", "hora")),
    "minute": frozenset(("minute", "minutes", "min", "minuto")),
    "label": frozenset(
        ("label", "labels", "unit", "item", "annotation", "judgment", "judgement", "hit", "task", "question")
    ),
    "document": frozenset(("document", "documents", "text", "dokument", "documento")),
}
# What is not known where times are of units, and where they are of documents.
_NOT_TIMED: dict[bool, tuple[PaidFor, ...]] = {False: ("document",), True: ("label",)}


def pay_of(amount: float | None, currency: str | None, per: str | None) -> Pay | None:
    """Return what was paid, as [protocol] says it; None where it does not say it in known words."""
    words = words_with_numbers(per or "")
    paid = next((known for known, own in PAID_FOR.items() if len(words) == 1 and own & {*words}), None)
    return Pay(amount, currency, paid) if amount is not None and currency and paid else None


def _cost(pay: Pay, minutes: float, goes: int) -> Cost:
    hours = minutes * MINUTE / HOUR
    total = pay.amount * {"hour": hours, "minute": minutes}.get(pay.per, float(goes))
    return Cost(
        currency=pay.currency,
        amount=pay.amount,
        per=pay.per,
        labels=goes,
        total=total,
        each=total / goes,
        hourly=total / hours,
    )


def times_of(
    layers: Sequence[TimedLayer], pay: Pay | None = None, *, dates: bool
) -> tuple[Times | None, dict[str, str]]:
    """Return what is known of when annotators labelled, and by path what of a crowd is too much for results.

    None where no export says so. `pay` is what labels cost, as far as [protocol] says it; `dates` says
    whether days may be named.
    """
    if not layers:
        return None, {}
    paces = [_paces(layer) for layer in layers]
    minutes, recorded, pauses, goes = _minutes(layers)
    timed = any((layer.work.taken != UNKNOWN).any() for layer in layers)
    # A label is not paid where documents were timed, nor the other way round.
    paid = pay if pay and timed and pay.per not in _NOT_TIMED[layers[0].work.by_document] else None
    cost = _cost(paid, minutes, goes) if paid else None
    times = Times(
        minutes=minutes if timed else None,
        recorded=recorded if timed else None,
        pauses=pauses if timed else None,
        cost=cost,
        layers=tuple(_of_layer(layer, own, dates=dates) for layer, own in zip(layers, paces, strict=True)),
    )
    crowds = zip(layers, paces, strict=True)
    return times, {
        f"tables/seconds.{layer.units.layer}.csv": csv_text(PACES, _rows(own))
        for layer, own in crowds
        if is_crowd(own)
    }


PACES = ("annotator", "times", "median", "low", "high")


def _rows(paces: Sequence[AnnotatorPace]) -> Iterator[Sequence[object]]:
    for pace in paces:
        seconds = pace.seconds
        yield pace.annotator, seconds.times, seconds.median, seconds.low, seconds.high


def _of_layer(layer: TimedLayer, paces: Sequence[AnnotatorPace], *, dates: bool) -> LayerTimes:
    units, work = layer.units, layer.work
    dated = work.at[work.at != UNKNOWN]
    named = dates and len(dated) > 0
    whole = len(np.unique(units.row_document * len(units.annotators) + units.annotator))
    return LayerTimes(
        layer=units.layer,
        unit_set=units.id,
        by_document=work.by_document,
        ratings=whole if work.by_document else len(units.unit),
        timed=int((work.taken != UNKNOWN).sum()),
        dated=len(dated),
        first=day_of(dated.min()) if named else None,
        last=day_of(dated.max()) if named else None,
        days=len(np.unique(dated // DAY)) if named else None,
        annotators=tuple(
            sorted(paces, key=lambda pace: (pace.seconds.median, pace.annotator))[:SHOWN]
            if is_crowd(paces)
            else paces
        ),
        annotators_in_all=len(paces),
        coefficient=layer.coefficient,
        periods=agreement_over_time(layer) if named else (),
    )


def seconds(taken: Codes) -> Seconds:
    """Return the median and the quartiles of milliseconds, linear between neighbours (type 7)."""
    ordered = np.sort(taken).tolist()
    low, median, high = (_quartile(ordered, number) for number in range(1, QUARTERS))
    return Seconds(times=len(ordered), median=median, low=low, high=high)


def _quartile(ordered: Sequence[int], number: int) -> float:
    place, part = divmod((len(ordered) - 1) * number, QUARTERS)
    after = ordered[min(place + 1, len(ordered) - 1)]
    return (ordered[place] * (QUARTERS - part) + after * part) / (QUARTERS * 1_000)


def _paces(layer: TimedLayer) -> list[AnnotatorPace]:
    """Return how long each annotator takes whose times are known, by name."""
    work = layer.work
    timed = work.taken != UNKNOWN
    return [
        AnnotatorPace(annotator=name, seconds=seconds(work.taken[own]))
        for code, name in enumerate(layer.units.annotators)
        if (own := timed & (work.annotator == code)).any()
    ]


# How long all of it took.


def _minutes(layers: Sequence[TimedLayer]) -> tuple[float, float, int, int]:
    """Return minutes without pauses, minutes as recorded, and how many pauses, and times, there are.

    A pause counts as the annotator's median. Layers of one export have its rows in common.
    """
    rows: dict[tuple[str, int, int, int], int] = {}
    total = recorded = pauses = 0
    for layer in layers:
        work = layer.work
        timed = np.flatnonzero(work.taken != UNKNOWN)
        without = _without_pauses(layer.units, work)[timed]
        paused = without != work.taken[timed]
        names = [layer.units.annotators[code] for code in work.annotator[timed].tolist()]
        columns = (column[timed].tolist() for column in (work.source, work.taken, work.at))
        for key, own, is_pause in zip(
            zip(names, *columns, strict=True), without.tolist(), paused.tolist(), strict=True
        ):
            if key not in rows:
                rows[key] = own
                total, recorded, pauses = total + own, recorded + key[2], pauses + is_pause
    return total / MINUTE, recorded / MINUTE, pauses, len(rows)


def _without_pauses(units: CodedUnits, work: UnitWork) -> Codes:
    """Return how long each go took (goes,), a pause counting as the annotator's median."""
    timed = work.taken != UNKNOWN
    medians = _medians(work.annotator[timed], work.taken[timed], len(units.annotators))[work.annotator]
    return np.where(timed & (work.taken > PAUSE * medians), medians, work.taken).astype(np.int64)


def _medians(who: Codes, taken: Codes, size: int) -> Floats:
    """Return the median of each annotator's times (annotators,), 0 where there are none."""
    order = np.lexsort((taken, who))
    many = np.bincount(who, minlength=size)
    starts = np.cumsum(many) - many
    last = max(len(order) - 1, 0)
    low, high = (
        taken[order][np.clip(starts + middle, 0, last)] if len(order) else np.zeros(size)
        for middle in ((many - 1) // 2, many // 2)
    )
    medians: Floats = np.where(many > 0, (low + high) / 2, 0.0)
    return medians
