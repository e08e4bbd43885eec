"""How long annotators take, and who is implausibly fast."""

from collections.abc import Iterator, Sequence

import numpy as np

from reportgen.annotators.annotator_vs_rest import LEAST_GROUPS
from reportgen.annotators.over_time import NO_AGREEMENT, TimedLayer, agreement_over_time, day_of
from reportgen.annotators.quality import is_crowd
from reportgen.base.dataclass import dataclass
from reportgen.measures import Floats
from reportgen.measures.distributions import binomial_below, holm
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.readers.work_times import DAY, HOUR, MINUTE, UNKNOWN, words_with_numbers
from reportgen.results.model import csv_text
from reportgen.results.times import (
    AnnotatorPace,
    CategoryPace,
    Cost,
    LayerTimes,
    PaidFor,
    Seconds,
    Times,
)
from reportgen.units import CodedUnits, Mask
from reportgen.units.work import NO_GO, UnitWork

# Who takes less than one part in so many of what the others take is implausibly fast.
FAST = 3
# So many times the median are a pause: somebody was called away, or left the page open over night.
PAUSE = 10
QUARTERS = 4
SHOWN = 20
EVEN = 0.5


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


def _price(cost: Cost, minutes: float, labels: int) -> float:
    """Return what some labels cost: a part of the time, or of the pieces."""
    of_time = cost.per in {"hour", "minute"}
    return cost.hourly * minutes * MINUTE / HOUR if of_time else cost.amount * labels


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
        layers=tuple(
            _of_layer(layer, own, cost, dates=dates) for layer, own in zip(layers, paces, strict=True)
        ),
    )
    crowds = zip(layers, paces, strict=True)
    return times, {
        f"tables/seconds.{layer.units.layer}.csv": csv_text(PACES, _rows(own))
        for layer, own in crowds
        if is_crowd(own)
    }


PACES = ("annotator", "times", "median", "low", "high", "compared", "fast", "groups", "p", "adjusted_p")


def _rows(paces: Sequence[AnnotatorPace]) -> Iterator[Sequence[object]]:
    for pace in paces:
        seconds = pace.seconds
        yield (
            *(pace.annotator, seconds.times, seconds.median, seconds.low, seconds.high),
            *(pace.compared, pace.fast, pace.groups, pace.p, pace.adjusted_p),
        )


def _of_layer(
    layer: TimedLayer, paces: Sequence[AnnotatorPace], cost: Cost | None, *, dates: bool
) -> LayerTimes:
    units, work = layer.units, layer.work
    dated = work.at[work.at != UNKNOWN]
    named = dates and len(dated) > 0
    whole = len(np.unique(_places(units) * len(units.annotators) + units.annotator))
    over_time = agreement_over_time(layer) if named else NO_AGREEMENT
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
        annotators=tuple(sorted(paces, key=_pace)[:SHOWN] if is_crowd(paces) else paces),
        annotators_in_all=len(paces),
        categories=() if work.by_document else tuple(_by_category(units, work, cost)),
        coefficient=layer.coefficient,
        periods=over_time.periods,
        forecast=over_time.forecast,
    )


def _pace(pace: AnnotatorPace) -> tuple[float, float, str]:
    """Sort the surest to be fast first."""
    return 1.0 if pace.adjusted_p is None else pace.adjusted_p, pace.seconds.median, pace.annotator


def seconds(taken: Codes) -> Seconds:
    """Return the median and the quartiles of milliseconds, linear between neighbours (type 7)."""
    ordered = np.sort(taken).tolist()
    low, median, high = (_quartile(ordered, number) for number in range(1, QUARTERS))
    return Seconds(times=len(ordered), median=median, low=low, high=high)


def _quartile(ordered: Sequence[int], number: int) -> float:
    place, part = divmod((len(ordered) - 1) * number, QUARTERS)
    after = ordered[min(place + 1, len(ordered) - 1)]
    return (ordered[place] * (QUARTERS - part) + after * part) / (QUARTERS * 1_000)


def _by_category(units: CodedUnits, work: UnitWork, cost: Cost | None) -> Iterator[CategoryPace]:
    taken, without = work.of_ratings(work.taken), work.of_ratings(_without_pauses(units, work))
    for code, category in enumerate(units.categories):
        chosen = (units.label == code) & (taken != UNKNOWN)
        if chosen.any():
            minutes = int(without[chosen].sum()) / MINUTE
            yield CategoryPace(
                category=category,
                seconds=seconds(taken[chosen]),
                minutes=minutes,
                cost=_price(cost, minutes, int(chosen.sum())) if cost else None,
            )


# Who is implausibly fast: beside what two others or more took for the same.


def _paces(layer: TimedLayer) -> list[AnnotatorPace]:
    """Return how long each annotator takes whose times are known, by name.

    Of a document, or a unit where none is known, most units took less than a third of what the others took,
    or not: were a third what the annotator takes, either would be as likely.
    """
    units, work = layer.units, layer.work
    size = len(units.annotators)
    who, place, document = _of_goes(units, work)
    timed = np.flatnonzero(work.taken != UNKNOWN)
    chosen, fast = _beside_others(place[timed], work.taken[timed])
    goes = timed[chosen]
    groups, most = _groups(
        who[goes], np.where(document[goes] == NO_DOCUMENT, place[goes], document[goes]), fast
    )
    compared, fast_ones = (_counts(who[goes][mask], size) for mask in (np.ones_like(fast), fast))
    in_all, above = (_counts(groups[mask], size) for mask in (np.ones_like(most), most))
    tests = [_p(int(many), int(of_all)) for many, of_all in zip(above, in_all, strict=True)]
    adjusted = holm(tests)
    return [
        AnnotatorPace(
            annotator=name,
            seconds=seconds(work.taken[own]),
            compared=int(compared[code]),
            fast=int(fast_ones[code]),
            groups=int(in_all[code]),
            p=tests[code],
            adjusted_p=adjusted[code],
        )
        for code, name in enumerate(units.annotators)
        if len(own := timed[who[timed] == code])
    ]


def _counts(codes: Codes, size: int) -> Codes:
    counts: Codes = np.bincount(codes, minlength=size)
    return counts


def _p(above: int, groups: int) -> float | None:
    """Return the p value of as many groups or more, where either is as likely; None for too few."""
    if groups < LEAST_GROUPS:
        return None
    return 1.0 if not above else binomial_below(groups - above, groups, EVEN)


def _of_goes(units: CodedUnits, work: UnitWork) -> tuple[Codes, Codes, Codes]:
    """Return whose each go is, its place (the unit, or the document of marks), and its document."""
    rated = np.flatnonzero(work.of_rating != NO_GO)
    goes = len(work.annotator)
    unit, document = np.zeros(goes, dtype=np.int64), np.full(goes, NO_DOCUMENT, dtype=np.int64)
    unit[work.of_rating[rated]] = units.unit[rated]
    document[work.of_rating[rated]] = units.unit_document[units.unit[rated]]
    return (
        (work.annotator, document, np.full_like(document, NO_DOCUMENT))
        if work.by_document
        else (work.annotator, unit, document)
    )


def _places(units: CodedUnits) -> Codes:
    return units.unit_document[units.unit]


LEAST_OTHERS = 2


def _beside_others(place: Codes, taken: Codes) -> tuple[Codes, Mask]:
    """Return the goes beside which there are two others or more, and whether each was implausibly fast.

    Without the one at some rank the others keep their order: the middle ones of m are at (m - 1) // 2 and
    m // 2.
    """
    order = np.lexsort((taken, place))
    sorted_place, sorted_taken = place[order], taken[order]
    starts = np.flatnonzero(np.diff(sorted_place, prepend=-1))
    sizes = np.diff(starts, append=len(order))
    start, size = np.repeat(starts, sizes), np.repeat(sizes, sizes)
    rank, others = np.arange(len(order)) - start, size - 1
    enough = others >= LEAST_OTHERS
    middles = [middle + (middle >= rank) for middle in ((others - 1) // 2, others // 2)]
    last = max(len(order) - 1, 0)
    low, high = (sorted_taken[np.minimum(start + middle, last)] for middle in middles)
    fast = 2 * FAST * sorted_taken < low + high
    return order[enough], fast[enough]


def _groups(who: Codes, document: Codes, fast: Mask) -> tuple[Codes, Mask]:
    """Return whose each group of goes is, and whether most goes of it were fast."""
    keys = np.stack([who, document])
    groups, place, sizes = np.unique(keys, axis=1, return_inverse=True, return_counts=True)
    times = np.bincount(place.reshape(-1), weights=fast, minlength=len(sizes)).astype(np.int64)
    return groups[0], 2 * times > sizes


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
