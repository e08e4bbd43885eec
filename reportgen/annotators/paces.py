"""How long annotators take, and what that cost."""

from collections.abc import Iterator, Sequence

import numpy as np

from reportgen.annotators.over_time import TimedLayer, agreement_over_time, day_of
from reportgen.annotators.quality import is_crowd
from reportgen.base.dataclass import dataclass
from reportgen.measures import Floats
from reportgen.readers import Codes
from reportgen.readers.work_times import DAY, HOUR, MINUTE, UNKNOWN, words_with_numbers
from reportgen.results.model import csv_text
from reportgen.results.times import (
    AnnotatorPace,
    Cost,
    LayerTimes,
    PaidFor,
    Seconds,
    Times,
)
from reportgen.units import CodedUnits
from reportgen.units.work import UnitWork

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
    whole = len(np.unique(units.unit_document[units.unit] * len(units.annotators) + units.annotator))
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
