"""Who disagrees with everyone: each annotator against the others, and the others among themselves.

Whose labels may be copies: of two who differ far less than their agreement with others explains.

Kappa of two who err independently is a product of what each has, so that with two others
κ_ij κ_kl = κ_ik κ_jl (Spearman's tetrads). Two careful annotators conform to that, a copy does not. As units
differ in difficulty, others count only on units that the two labelled too, and the products are those of few
units next to each other in a document: hard ones have their own.
"""

import math
import operator
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise, permutations

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.counts import ContingencyTable, SpanCounts, count, pair_tables
from reportgen.measures import (
    LEVEL,
    ConfidenceInterval,
    Estimate,
    Floats,
    Method,
    NoInterval,
    Undefined,
    t_quantile,
)
from reportgen.measures.estimate import binomial_below, figure, holm, two_sided
from reportgen.measures.thresholds import LARGEST_GROUP, SIGNIFICANT
from reportgen.measures.unit_profiles import among_others, with_others
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.readers.counted import OUTCOMES
from reportgen.readers.work_times import DAY, UNKNOWN, written
from reportgen.results import AnnotatorMeans, Results, rounded
from reportgen.results.annotators import (
    AnnotatorVsRest,
    Block,
    CategoryUse,
    Copies,
    Drift,
    DriftStep,
    WithoutNearest,
)
from reportgen.results.marks import SpanPair
from reportgen.results.parts import Mean
from reportgen.results.unit_sets import Confusion
from reportgen.units import NO_CATEGORY, CodedUnits, Mask, SpanFrame
from reportgen.units.labels import Labels, quotient, sums_by

# Each rating beside the others of its unit: what standing and drift are made of.

ABSENT = -1
MATCH, OVERLAP, *_ = range(len(OUTCOMES))


def sums(groups: Codes, values: Floats | Codes, size: int) -> Floats:
    """Return the sum of the values of each group (size,)."""
    totals: Floats = np.bincount(groups, weights=values, minlength=size).astype(np.float64, copy=False)
    return totals


def has_documents(ratings: Labels) -> bool:
    """Tell whether the document of any of the units is known."""
    return bool((ratings.row_document != NO_DOCUMENT).any())


# Who disagrees with everyone: each annotator against the others, and the others among themselves.

ROUNDING = 1e-12
# Of two, what is next is the other.
LEAST_OTHERS = 2


@dataclass(frozen=True, eq=False)
class _Means:
    """Means over the units of each annotator (annotators,), with what their uncertainty takes."""

    units: Codes
    value: Floats
    error: Floats
    groups: Codes


def standings(ratings: Labels) -> list[AnnotatorVsRest]:
    """Return how each annotator compares with the others, in the order of their codes.

    The difference is over the units that two others rated too; its p is adjusted by Holm's method over the
    annotators of the layer. One careful annotator among average ones makes each of these agree less than
    the others do: who stands out also differs from the annotator who agrees next more, of at most
    LARGEST_GROUP.
    """
    own, others = with_others(ratings), among_others(ratings)
    beside = AnnotatorContrast(
        own=_means(ratings, own),
        others=_means(ratings, others),
        apart=_means(ratings, own - others),
        reasons=(Undefined.NO_SHARED_UNITS, Undefined.NO_OTHERS),
        by_document=has_documents(ratings),
    )
    return _standings(ratings.annotators, beside, partial(_p_between, ratings, own - others, beside.apart))


def shares_right(ratings: Labels, right: Mask) -> list[AnnotatorVsRest]:
    """Return how often each annotator is right, and the others on the same units, in the order of codes.

    `right` (ratings,) says whether each label is that of a key. `agreement` is the share of the annotator's
    own, `others` that of the others. Nobody is right more often by chance than the others of the same units.
    """
    own = right.astype(np.float64)
    of_unit = sums(ratings.unit, own, int(ratings.unit.max(initial=-1)) + 1)[ratings.unit]
    others = (of_unit - own) / (ratings.per_unit[ratings.unit] - 1)
    beside = AnnotatorContrast(
        own=_means(ratings, own),
        others=_means(ratings, others),
        apart=_means(ratings, own - others),
        reasons=(Undefined.NO_SHARED_UNITS, Undefined.NO_OTHERS),
        by_document=has_documents(ratings),
    )

    def p_between(one: int, other: int) -> float | None:
        several = len(ratings.annotators) > LEAST_OTHERS
        return _p_between(ratings, own - others, beside.apart, one, other) if several else None

    return _standings(ratings.annotators, beside, p_between)


@dataclass(frozen=True, eq=False)
class AnnotatorContrast:
    """Each annotator's agreement with the others, theirs among themselves, and the difference of the two.

    `reasons` say why agreement with the others, or the difference, is undefined.
    """

    own: _Means
    others: _Means
    apart: _Means
    reasons: tuple[Undefined, Undefined]
    by_document: bool


def _standings(
    annotators: Sequence[str], beside: AnnotatorContrast, p_between: Callable[[int, int], float | None]
) -> list[AnnotatorVsRest]:
    """Return how each annotator compares with the others; `p_between` tests two of them."""
    agreements, differences = (
        [
            _estimate(means, annotator, reason, (low, 1.0), by_document=beside.by_document)
            for annotator in range(len(annotators))
        ]
        for means, reason, low in zip((beside.own, beside.apart), beside.reasons, (0.0, -1.0), strict=True)
    )
    tests = [
        _p(difference, groups)
        for difference, groups in zip(differences, beside.apart.groups.tolist(), strict=True)
    ]
    adjusted, next_ps = holm(tests), p_to_neighbour(beside.apart, p_between)
    others = beside.others
    return [
        AnnotatorVsRest(
            annotator=name,
            agreement=figure(agreements[annotator]),
            others=float(others.value[annotator]) if others.units[annotator] else None,
            difference=figure(differences[annotator]),
            p=tests[annotator],
            adjusted_p=adjusted[annotator],
            next_p=next_ps.get(annotator),
        )
        for annotator, name in enumerate(annotators)
    ]


def p_to_neighbour(apart: _Means, p_between: Callable[[int, int], float | None]) -> dict[int, float]:
    """Return by annotator the p value of no difference from who agrees next more with the others."""
    compared = np.flatnonzero(apart.units > 0)
    if len(compared) > LARGEST_GROUP:
        return {}
    order = compared[np.argsort(apart.value[compared], kind="stable")].tolist()
    ps = {one: p_between(one, other) for one, other in pairwise(order)}
    return {annotator: p for annotator, p in ps.items() if p is not None}


def _p_between(ratings: Labels, values: Floats, apart: _Means, one: int, other: int) -> float | None:
    """Return the p value of no difference between the means of two annotators, None where there is no test.

    The two share units and documents: their influences on the difference of the means add up over these.
    """
    chosen = ~np.isnan(values) & np.isin(ratings.annotator, (one, other))
    who, weight = ratings.annotator[chosen], ratings.row_weight[chosen]
    influence = (values[chosen] - apart.value[who]) / np.where(
        who == one, apart.units[one], -apart.units[other]
    )
    # Of a document all, of a unit without one what the two gave it.
    document, unit = ratings.row_document[chosen], ratings.unit[chosen]
    alone = document == NO_DOCUMENT
    units, place = np.unique(unit[alone], return_inverse=True)
    of_unit = sums(place.reshape(-1), influence[alone], len(units))
    times = np.zeros(len(units), dtype=np.int64)
    times[place.reshape(-1)] = weight[alone]
    documents, place = np.unique(document[~alone], return_inverse=True)
    of_document = sums(place.reshape(-1), (weight * influence)[~alone], len(documents))
    groups = len(documents) + int(times.sum())
    squares = float((times * of_unit * of_unit).sum() + (of_document * of_document).sum())
    return _p_of(float(apart.value[one] - apart.value[other]), squares, groups)


def _p_of(difference: float, squares: float, groups: int) -> float | None:
    """Return the p value of no difference, given the sum of squared influences of so many groups."""
    if groups < LEAST_GROUPS or abs(difference) < ROUNDING:
        return None
    error = math.sqrt(squares * groups / (groups - 1))
    return two_sided(difference / error, groups - 1) if error > ROUNDING else math.ldexp(2.0, -groups)


def _p(difference: Estimate, groups: int) -> float | None:
    """Return the p value of no difference over so many documents, or units, None where there is no test."""
    value, error = difference.value, difference.standard_error
    if value is None or groups < LEAST_GROUPS:
        return None
    if error is not None:
        return two_sided(value / error, groups - 1)
    # The same everywhere: what can be tested is that it has one sign, by the sign test.
    same = difference.interval is NoInterval.NO_VARIATION and abs(value) > ROUNDING
    return math.ldexp(2.0, -groups) if same else None


def _means(ratings: Labels, values: Floats) -> _Means:
    """Return the mean of values of ratings (ratings,), NaN for none, over the units of each annotator.

    The standard error is sqrt(G/(G-1) Σ_g (Σ_{i in g} ψ_i)²) / n, as everywhere; G counts documents, or units
    where no document is known.
    """
    present = ~np.isnan(values)
    who, weight, value = ratings.annotator[present], ratings.row_weight[present], values[present]
    document, size = ratings.row_document[present], len(ratings.annotators)
    units = np.zeros(size, dtype=np.int64)
    np.add.at(units, who, weight)
    mean = quotient(sums(who, weight * value, size), units, np.nan)
    influence = value - mean[who]
    squares, documents = _squares(who, document, weight, influence, size)
    groups = documents if has_documents(ratings) else units
    error = quotient(np.sqrt(quotient(groups, groups - 1, 1.0) * squares), units, 0.0)
    return _Means(units, mean, error, groups)


def _squares(
    who: Codes, document: Codes, weight: Codes, influence: Floats, size: int
) -> tuple[Floats, Codes]:
    """Return the sum of squared sums over documents of each annotator, and how many those are.

    A unit without a document is one of its own.
    """
    has_document = document != NO_DOCUMENT
    alone = sums(who[~has_document], (weight * influence * influence)[~has_document], size)
    many = int(document.max(initial=0)) + 1
    key, own = (who * many + document)[has_document], (weight * influence)[has_document]
    if size * many <= len(key):  # sorting takes most of the time
        keys = np.flatnonzero(np.bincount(key, minlength=size * many))
        total = sums(key, own, size * many)[keys]
    else:
        keys, cell = np.unique(key, return_inverse=True)
        total = sums(cell.reshape(-1), own, len(keys))
    of_key = keys // many
    return alone + sums(of_key, total * total, size), np.bincount(of_key, minlength=size)


def _estimate(
    means: _Means, annotator: int, reason: Undefined, bounds: tuple[float, float], *, by_document: bool
) -> Estimate:
    """Return one annotator's mean with its interval, or the reason why there is none."""
    units, value = int(means.units[annotator]), float(means.value[annotator])
    if not units:
        return Estimate(None, 0, undefined=reason, recomputable=False)
    groups, error = int(means.groups[annotator]), float(means.error[annotator])
    if groups <= 1:
        return Estimate(value, units, interval=NoInterval.ONE_DOCUMENT, recomputable=False)
    if error < ROUNDING or math.isnan(error):
        return Estimate(value, units, interval=NoInterval.NO_VARIATION, recomputable=False)
    half = t_quantile(groups - 1) * error
    method = Method.BY_DOCUMENT if by_document else Method.BY_UNIT
    ends = ConfidenceInterval(max(bounds[0], value - half), min(bounds[1], value + half), LEVEL, method)
    return Estimate(value, units, standard_error=error, interval=ends, recomputable=False)


# Marks in texts: the F of each annotator with the others, and that of the others among themselves.


@dataclass(frozen=True, eq=False)
class _MarksBeside:
    """What an annotator and the others marked in a document, as columns (rows,), sorted by both.

    F is the sum of `alike` divided by that of `marks`, over all pairs with the annotator; `others_alike` and
    `others_marks` are of the pairs without, in the same document; `third` says whether there are such.
    """

    who: Codes
    document: Codes
    alike: Codes
    marks: Codes
    others_alike: Codes
    others_marks: Codes
    third: Mask

    def part(self, rows: Mask) -> "_MarksBeside":
        """Return some of the rows."""
        return _MarksBeside(*(column[rows] for column in vars(self).values()))


def standings_of_marks(
    annotators: Sequence[str], spans: SpanFrame, counts: SpanCounts
) -> list[AnnotatorVsRest]:
    """Return how the marks of each annotator compare with the others', in the order of `annotators`.

    Agreement is F of marks with the same ends and the same label, over all pairs together; the difference is
    over the documents that two others saw too.
    """
    beside = _marks_beside(annotators, spans, counts)
    third = beside.part(beside.third)
    size = len(annotators)
    own, _ = _ratio(beside.who, beside.alike, beside.marks, size)
    with_third, moved = _ratio(third.who, third.alike, third.marks, size)
    others, moved_others = _ratio(third.who, third.others_alike, third.others_marks, size)
    influence = moved - moved_others
    both = (with_third.units > 0) & (others.units > 0)
    apart = _with_error(
        np.where(both, with_third.value - others.value, np.nan),
        third.who,
        influence,
        (third.marks + third.others_marks > 0) & both[third.who],
    )

    def p_between(one: int, other: int) -> float | None:
        chosen = np.isin(third.who, (one, other))
        documents, place = np.unique(third.document[chosen], return_inverse=True)
        sign = np.where(third.who[chosen] == one, 1.0, -1.0)
        moves = sums(place.reshape(-1), sign * influence[chosen], len(documents))
        return _p_of(
            float(apart.value[one] - apart.value[other]), float((moves * moves).sum()), len(documents)
        )

    reasons = Undefined.NOTHING_MARKED, Undefined.NO_OTHERS
    return _standings(annotators, AnnotatorContrast(own, others, apart, reasons, by_document=True), p_between)


def _marks_beside(annotators: Sequence[str], spans: SpanFrame, counts: SpanCounts) -> _MarksBeside:
    code = {name: place for place, name in enumerate(annotators)}
    number = np.array([code.get(name, ABSENT) for name in spans.people], dtype=np.int64)
    documents = len(spans.documents)
    seen = (number[counts.seen_first] != ABSENT) & (number[counts.seen_second] != ABSENT)
    rows = (number[counts.first] != ABSENT) & (number[counts.second] != ABSENT)
    where, match, n = counts.document[rows], counts.outcome[rows] == MATCH, counts.n[rows]
    alike = np.where(match, 2 * n, 0)
    # A match and an overlap are a mark of each of the two.
    marks = np.where(match | (counts.outcome[rows] == OVERLAP), 2 * n, n)
    people = np.concatenate([number[counts.seen_first[seen]], number[counts.seen_second[seen]]])
    keys, pairs = np.unique(people * documents + np.tile(counts.seen_document[seen], 2), return_counts=True)
    who, document = keys // max(documents, 1), keys % max(documents, 1)
    of_both = np.concatenate([number[counts.first[rows]], number[counts.second[rows]]])
    place = np.searchsorted(keys, of_both * documents + np.tile(where, 2))
    own_alike, own_marks = (sums_by(place, np.tile(column, 2), len(keys)) for column in (alike, marks))
    all_alike, all_marks = (sums_by(where, column, documents) for column in (alike, marks))
    all_pairs = np.bincount(counts.seen_document[seen], minlength=documents)
    return _MarksBeside(
        who,
        document,
        own_alike,
        own_marks,
        all_alike[document] - own_alike,
        all_marks[document] - own_marks,
        all_pairs[document] > pairs,
    )


def _ratio(who: Codes, above: Codes, below: Codes, size: int) -> tuple[_Means, Floats]:
    """Return the ratio of two sums of each annotator, and by how much each row moves it."""
    total = sums(who, below, size)
    value = quotient(sums(who, above, size), total, np.nan)
    moved = quotient(above - np.nan_to_num(value)[who] * below, total[who], 0.0)
    return _with_error(value, who, moved, below > 0), moved


def _with_error(value: Floats, who: Codes, influence: Floats, counts: Mask) -> _Means:
    """Return values with their standard errors over documents, those that count being a mask of rows."""
    size = len(value)
    documents: Codes = np.bincount(who[counts], minlength=size)
    squares = sums(who[counts], influence[counts] * influence[counts], size)
    error = np.sqrt(quotient(documents, documents - 1, 1.0) * squares)
    return _Means(documents, value, error, documents)


# Does somebody use a category more often than the others do on the same units?

# Of more categories, or on fewer documents or units, no difference is tested.
MOST_CATEGORIES = 50
LEAST_GROUPS = 6


def biases(ratings: Labels, categories: Sequence[str]) -> dict[int, CategoryUse]:
    """Return by annotator the category that they use more or less often than the others, beyond chance.

    One who prefers a category makes each of the others avoid it by comparison: of a category that one is
    meant whose use differs most.
    """
    people = len(ratings.annotators)
    if not 2 < people <= LARGEST_GROUP or len(categories) > MOST_CATEGORIES:
        return {}
    by_category = [_uses(ratings, category) for category in range(len(categories))]
    tests = [_use_p(difference, who) for difference, _ in by_category for who in range(people)]
    adjusted = holm(tests)
    found: dict[int, CategoryUse] = {}
    for category, (difference, own) in enumerate(by_category):
        size = np.where(difference.units > 0, np.abs(difference.value), -1.0)
        who = int(size.argmax())
        p = adjusted[category * people + who]
        if p is not None and p < SIGNIFICANT and (who not in found or p < found[who].adjusted_p):
            by_document = has_documents(ratings)
            reason = Undefined.NO_SHARED_UNITS
            estimate = _estimate(difference, who, reason, (-1.0, 1.0), by_document=by_document)
            found[who] = CategoryUse(
                category=categories[category],
                own=float(own[who]),
                others=float(own[who] - difference.value[who]),
                difference=figure(estimate),
                adjusted_p=p,
            )
    return found


def _uses(ratings: Labels, category: int) -> tuple[_Means, Floats]:
    """Return how much more often each annotator uses a category than the others, and how often."""
    own = (ratings.label == category).astype(np.int64)
    per_unit = np.zeros(int(ratings.unit.max(initial=0)) + 1, dtype=np.int64)
    np.add.at(per_unit, ratings.unit, own)
    others = (per_unit[ratings.unit] - own) / (ratings.per_unit[ratings.unit] - 1)
    return _means(ratings, own - others), _means(ratings, own.astype(np.float64)).value


def _use_p(difference: _Means, who: int) -> float | None:
    groups, error = int(difference.groups[who]), float(difference.error[who])
    if groups < LEAST_GROUPS or not error > ROUNDING:
        return None
    return two_sided(float(difference.value[who]) / error, groups - 1)


# Each annotator's mean agreement with all others, and with references: the last columns of a pair table.

STRICT = "f_measure[strict]"
OBSERVED = "observed_agreement"
ANNOTATOR, REFERENCE = "annotator", "reference"


# Two people, their roles, and how much they agree: micro, and macro where it is known.
PairValues = tuple[tuple[str, str], tuple[str, str], dict[str, float | None]]


def mean_standings(results: Results) -> tuple[AnnotatorMeans, ...] | None:
    """Return each annotator's means in each layer, None where no layer has pairs to tell apart.

    Marks in texts are compared by their strict F-measure, ratings of more than two annotators by observed
    agreement in the primary unit set. Roles are those of the spans; in ratings all are annotators.
    """
    means = [mean for layer in results.coefficients for mean in _of_layer(results, layer)]
    return tuple(means) or None


def _of_layer(results: Results, layer: str) -> Iterator[AnnotatorMeans]:
    measure, pairs = (
        STRICT,
        [
            (pair.annotators, pair.roles, _micro_and_macro(pair))
            for pair in (results.spans.pairs if results.spans else ())
            if pair.layer == layer
        ],
    )
    if not pairs:
        primary = next(
            (unit_set for unit_set in results.unit_sets if unit_set.layer == layer and unit_set.primary), None
        )
        measure, pairs = (
            OBSERVED,
            [
                (pair.annotators, (ANNOTATOR, ANNOTATOR), {"micro": pair.measures[OBSERVED].value})
                for pair in (primary.pairs if primary and len(primary.annotators) > 2 else ())
            ],
        )
    people = dict(item for names, roles, _ in pairs for item in zip(names, roles, strict=True))
    for name in sorted(people):
        if people[name] == ANNOTATOR:
            others, references = (_mean_of_each(pairs, name, role) for role in (ANNOTATOR, REFERENCE))
            yield AnnotatorMeans(
                layer=layer, annotator=name, figure=measure, others=others, references=references
            )


def _micro_and_macro(pair: SpanPair) -> dict[str, float | None]:
    macro = pair.macro_documents["strict"]["f_measure"].value
    return {"micro": pair.strict["f_measure"].value, "macro": macro}


def _mean_of_each(pairs: Sequence[PairValues], name: str, role: str) -> dict[str, Mean]:
    """Return somebody's means over the pairs with all others of a role."""
    values: dict[str, list[float]] = {}
    for names, roles, figures in pairs:
        if name in names and roles[1 - names.index(name)] == role:
            for kind, value in figures.items():
                values.setdefault(kind, []).extend([] if value is None else [value])
    return {
        kind: Mean(value=rounded(math.fsum(figures) / len(figures)), pairs=len(figures))
        for kind, figures in values.items()
        if figures
    }


# Does somebody agree with the others less, or more, as the documents go on?

BLOCKS = 5
# Fewer documents than these do not show a trend.
LEAST_DOCUMENTS = 10
LINE = 2


@dataclass(frozen=True, eq=False)
class _DocumentSums:
    """Sums over each annotator's documents in their order: columns (documents of annotators,).

    `position` runs from 0 to 1 within an annotator, `rank` from 0; `groups` (annotators,) counts them.
    `first` is when the first label of a document was given; it is empty where nothing says so.
    """

    annotator: Codes
    rank: Codes
    position: Floats
    units: Codes
    total: Floats
    groups: Codes
    first: Codes


def drifts(ratings: Labels, *, dates: bool = False) -> list[Drift | None]:
    """Return each annotator's drift, in the order of their codes; None with fewer than ten documents.

    `dates` says whether the day may be named from which somebody agrees less, or more.

    Slopes are those of agreement with the others less that of the others among themselves on the same units:
    hard documents late in the order look like no drift, and where units have two ratings nobody can tell.
    The order is that in which the annotator labelled the documents, where that is known, else that of the
    export; of units, where no document is known. Tables, whose cells stand for several units, have no order.
    """
    if not has_documents(ratings) and (ratings.row_weight > 1).any():
        return [None] * len(ratings.annotators)
    size, own = len(ratings.annotators), with_others(ratings)
    agreed = _by_document(ratings, own)
    beside = _by_document(ratings, own - among_others(ratings))
    blocks, lines = _blocks(agreed, size), _lines(beside, size)
    method = Method.BY_DOCUMENT if has_documents(ratings) else Method.BY_UNIT
    fitted = [_drift(blocks, lines, annotator, method) for annotator in range(size)]
    adjusted = holm([drift.p if drift else None for drift in fitted])
    return [
        drift
        and drift.model_copy(
            update={
                "adjusted_p": p,
                "step": _step(agreed, beside, annotator)
                if dates and p is not None and p < SIGNIFICANT
                else None,
            }
        )
        for annotator, (drift, p) in enumerate(zip(fitted, adjusted, strict=True))
    ]


def _by_document(ratings: Labels, values: Floats) -> _DocumentSums:
    """Return the sums of values (ratings,), NaN for none, over documents, or units where none is known."""
    in_order = ~np.isnan(values)
    if has_documents(ratings):
        in_order &= ratings.row_document != NO_DOCUMENT
    if ratings.at is not None:
        in_order &= ratings.at != UNKNOWN
    order = ratings.row_document if has_documents(ratings) else ratings.unit
    first = np.zeros(0, dtype=np.int64)
    size = int(order.max(initial=0)) + 1
    keys, where = np.unique(ratings.annotator[in_order] * size + order[in_order], return_inverse=True)
    where = where.reshape(-1)
    who = keys // size
    groups = np.bincount(who, minlength=len(ratings.annotators))
    in_turn = np.arange(len(keys))
    if ratings.at is not None:
        first = np.full(len(who), np.iinfo(np.int64).max)
        np.minimum.at(first, where, ratings.at[in_order])
        in_turn = np.lexsort((in_turn, first, who))
    rank = np.zeros(len(keys), dtype=np.int64)
    rank[in_turn] = np.arange(len(keys)) - (np.cumsum(groups) - groups)[who]
    weight = ratings.row_weight[in_order]
    units = np.zeros(len(keys), dtype=np.int64)
    np.add.at(units, where, weight)
    return _DocumentSums(
        annotator=who,
        rank=rank,
        position=rank / np.maximum(groups[who] - 1, 1),
        units=units,
        total=sums(where, weight * values[in_order], len(keys)),
        groups=groups,
        first=first,
    )


@dataclass(frozen=True, eq=False)
class _RegressionLines:
    """Each annotator's straight line (annotators,): units and documents, slope and its standard error."""

    units: Floats
    groups: Codes
    slope: Floats
    error: Floats


def _lines(documents: _DocumentSums, size: int) -> _RegressionLines:
    """Return the lines of least squares, units weighing alike.

    The error is that of leaving out one document after the other, by its influence and leverage h:
    sqrt((G-1)/G Σ_g ((x_g - x̄) Σ_{i in g} e_i / (1 - h_g))²) / S_xx (Bell and McCaffrey 2002).
    """
    who = documents.annotator
    units = np.maximum(sums(who, documents.units, size), 1)
    middle, mean = (
        sums(who, documents.units * documents.position, size) / units,
        sums(who, documents.total, size) / units,
    )
    across = documents.position - middle[who]
    spread = sums(who, documents.units * across * across, size)
    slope = quotient(sums(who, across * documents.total, size), spread, 0.0)
    spread_there = np.where(spread > 0, spread, 1.0)[who]
    left = 1 - documents.units * (1 / units[who] + across * across / spread_there)
    score = across * (documents.total - documents.units * (mean[who] + slope[who] * across))
    np.divide(score, left, out=score, where=left > ROUNDING)
    squares = sums(who, score * score, size) * (documents.groups - 1) / np.maximum(documents.groups, 1)
    return _RegressionLines(units, documents.groups, slope, quotient(np.sqrt(squares), spread, 0.0))


def _blocks(by_document: _DocumentSums, size: int) -> tuple[Codes, Floats, Floats]:
    """Return documents, units and sums of each annotator's blocks of documents (annotators, blocks)."""
    who = by_document.annotator
    block = who * BLOCKS + by_document.rank * BLOCKS // np.maximum(by_document.groups[who], 1)
    cells, shape = size * BLOCKS, (size, BLOCKS)
    documents: Codes = np.bincount(block, minlength=cells).reshape(shape)
    units, total = (
        sums(block, column, cells).reshape(shape) for column in (by_document.units, by_document.total)
    )
    return documents, units, total


def _drift(
    blocks: tuple[Codes, Floats, Floats], lines: _RegressionLines, annotator: int, method: Method
) -> Drift | None:
    columns = (column[annotator].tolist() for column in blocks)
    shown = tuple(
        Block(documents=documents, units=int(units), agreement=total / units)
        for documents, units, total in zip(*columns, strict=True)
        if units
    )
    groups, units = int(lines.groups[annotator]), int(lines.units[annotator])
    slope, error = float(lines.slope[annotator]), float(lines.error[annotator])
    if groups < LEAST_DOCUMENTS:
        return None
    if error < ROUNDING:
        flat = Estimate(slope, units, interval=NoInterval.NO_VARIATION, recomputable=False)
        return Drift(documents=groups, blocks=shown, slope=figure(flat))
    half = t_quantile(groups - LINE) * error
    ends = ConfidenceInterval(slope - half, slope + half, LEVEL, method)
    estimate = Estimate(slope, units, standard_error=error, interval=ends, recomputable=False)
    p = two_sided(slope / error, groups - LINE)
    return Drift(documents=groups, blocks=shown, slope=figure(estimate), p=p)


# Since when does somebody agree less, or more, whose change a test shows?

# A part of the documents is no smaller than this.
LEAST_PART = 3


def _step(agreed: _DocumentSums, beside: _DocumentSums, annotator: int) -> DriftStep | None:
    """Return the day that divides an annotator's documents best, None where no days are known.

    The two means then explain most; of days that do so alike it is the first. A document belongs to the day
    of its first label.
    """
    if not len(beside.first):
        return None
    own = np.flatnonzero(beside.annotator == annotator)
    own = own[np.argsort(beside.rank[own], kind="stable")]
    days = beside.first[own] // DAY
    units, total = np.cumsum(beside.units[own]), np.cumsum(beside.total[own])
    ends = np.flatnonzero(np.diff(days) > 0)
    ends = ends[(ends >= LEAST_PART - 1) & (ends < len(own) - LEAST_PART)]
    if not len(ends):
        return None
    here, rest = units[ends], units[-1] - units[ends]
    apart = total[ends] / here - (total[-1] - total[ends]) / rest
    since = int(days[ends[np.argmax(here * rest * apart * apart)] + 1])
    whose = agreed.annotator == annotator
    later = whose & (agreed.first // DAY >= since)
    before, after = (
        float(agreed.total[part].sum() / agreed.units[part].sum()) for part in (whose & ~later, later)
    )
    return DriftStep(since=written(since * DAY, whole_days=True), before=before, after=after)


# Is what is said of somebody only between two of them?


def without_nearest(labels: Labels, who: int, *, drifting: bool) -> WithoutNearest | None:
    """Return somebody beside the others but for the one who agrees with them most; None without another.

    Who agrees with one person only, as two do whose labels have one source, agrees no more with the others.
    """
    own = labels.labels_of(who)
    beside = labels.where((labels.annotator != who) & (own[labels.unit] != NO_CATEGORY))
    same = np.where(beside.label == own[beside.unit], beside.row_weight, 0)
    size = len(labels.annotators)
    met, alike = (sums(beside.annotator, column, size) for column in (beside.row_weight, same))
    shares = quotient(alike, met, -1.0)
    nearest = int(shares.argmax())
    if shares[nearest] < 0:
        return None
    left = labels.where(labels.annotator != nearest).pairable
    drift = drifts(left)[who] if drifting else None
    return WithoutNearest(
        nearest=labels.annotators[nearest],
        difference=standings(left)[who].difference.value,
        slope=drift.slope.value if drift else None,
    )


# Two who agree on so many marked units and differ on none, so many beside their commonest label, may be one.
LEAST_SAME = 30
LEAST_OF_OTHERS = 5
# A copy of which surely more was edited is an annotation of its own.
MOST_EDITED = 0.1
# So many others tell how often two would differ, if their own kappa is this large on average.
THIRD, TWO_OTHERS, MOST_OTHERS = 3, 4, 20
LEAST_KAPPA = 0.1
# Units of a document that are taken to be as hard as each other.
BLOCK = 6
# Two of several are named who differ on less than this part of the units expected, where chance would hardly
# give so few, and where it is no chance either that the others let one expect so many.
FEWER = 2 / 3
BY_CHANCE, OF_OTHERS = 0.001, 0.03
# Of more labels of one unit by two nobody looks for copies, nor in a crowd.
MOST_TWOS = 5_000_000

Names = tuple[str, str]
# How every two annotators label units that both labelled.
Tables = Mapping[Names, ContingencyTable]


def copies(units: CodedUnits) -> tuple[Copies, ...]:
    """Return which annotators may be copies of each other; nobody where annotators are too many.

    Of three annotators nothing tells how often two would differ: those are meant who always agree and don't
    so with the third on the same units. Where everybody always agrees nobody is distinguished, and all are
    meant. Beside a copy others seem to be one: whoever is found first does not count for those who differ
    more.
    """
    twos = int((units.per_unit * (units.per_unit - 1) // 2).sum())
    if units.margins is not None or len(units.annotators) > LARGEST_GROUP or twos > MOST_TWOS:
        return ()
    tables = _tables(units)
    candidates = _nearly_same(tables, units.non_annotated)
    alike = {
        names: Copies(first=names[0], second=names[1], units=tables[names].units, differ=0)
        for names in candidates
        if not tables[names].disagreements
    }
    if len(alike) == len(tables):
        return tuple(alike.values())
    labelled = np.zeros((len(units.weight), len(units.annotators)), dtype=np.bool_)
    labelled[units.unit, units.annotator] = True

    def labelled_by(names: Names, many: int) -> CodedUnits:
        """Return the units that two annotators labelled, who with others are so many or more."""
        both = labelled[:, [units.annotators.index(name) for name in names]].all(axis=1)
        return units.of_units(both & (labelled.sum(axis=1) >= many))

    found: dict[Names, Copies] = {}
    for names in candidates:
        passed_over = {*names, *(copy for _, copy in found)}
        others = [name for name in units.annotators if name not in passed_over][:MOST_OTHERS]
        expected = _expected(names, others, labelled_by(names, TWO_OTHERS))
        if expected is None:
            with_third = _tables(labelled_by(names, THIRD)) if names in alike else {}
            if _is_told_apart(names, with_third):
                found[names] = alike[names]
        elif expected.shows_copy(len(candidates)):
            found[names] = alike.get(names) or expected.copies
    return tuple(found[names] for names in tables if names in found)


def _tables(units: CodedUnits) -> dict[Names, ContingencyTable]:
    """Return the table of every two annotators who labelled the same units."""
    tables = pair_tables(count(units).pairs, len(units.categories))
    return {(units.annotators[own.first], units.annotators[own.second]): own for own in tables}


def _nearly_same(tables: Tables, absent: int) -> list[Names]:
    """Return those who agree on nearly all of many units, who differ least first."""
    found = [
        names
        for names, table in tables.items()
        if is_nearly_same(table, [n for label, n in enumerate(table.agreements.tolist()) if label != absent])
    ]
    return sorted(found, key=lambda names: tables[names].disagreements / tables[names].units)


def is_nearly_same(table: ContingencyTable | Confusion, agreements: Sequence[int]) -> bool:
    """Tell whether two agree on nearly all of many units, several beside their commonest label.

    `agreements` are those on each category but that of unmarked units.
    """
    if binomial_below(table.units - table.disagreements, table.units, 1 - MOST_EDITED) < BY_CHANCE:
        return False
    marked = sum(agreements)
    return marked >= LEAST_SAME and marked - max(agreements) >= LEAST_OF_OTHERS


def _by_chance(table: ContingencyTable) -> float:
    """Return the share of units on which two would differ whose labels have nothing to do with each other."""
    margins = table.row_totals.tolist(), table.column_totals.tolist()
    return 1 - math.fsum(map(operator.mul, *margins)) / table.units**2


def _is_told_apart(same: Names, tables: Tables) -> bool:
    """Tell whether two agree on more units than those who agree as they do with others would by chance."""
    beside = [table for names, table in tables.items() if len({*same} & {*names}) == 1]
    apart, units = sum(own.disagreements for own in beside), sum(own.units for own in beside)
    return bool(units) and math.pow(1 - apart / units, tables[same].units) < BY_CHANCE


@dataclass(frozen=True)
class _ExpectedDifference:
    """On how many units two differ, and would who agree so with the others; `p`: that these do not tell."""

    copies: Copies
    p: float

    def shows_copy(self, tests: int) -> bool:
        """Tell whether two, of so many looked at, differ on far fewer units than expected."""
        differ, units, expected = self.copies.differ, self.copies.units, self.copies.expected or 0.0
        fewer = differ < FEWER * expected and binomial_below(differ, units, expected / units) < BY_CHANCE
        return fewer and self.p * tests < OF_OTHERS


def _expected(names: Names, others: Sequence[str], units: CodedUnits) -> _ExpectedDifference | None:
    """Return on how many units two would differ who err independently, None where others don't tell.

    Two different others tell it, whose own kappa is large enough to divide by. `units` are those that the two
    and enough others labelled.
    """
    block = _unit_blocks(units)
    tables = _tables(replace(units, document=block))
    kappas, blocks = _kappas(tables, {*names, *others}, int(block.max(initial=-1)) + 1)
    if frozenset(names) not in kappas:
        return None
    _, of_two = blocks[frozenset(names)]
    own, rest = list[float](), list[float]()
    beyond, weights = np.zeros_like(of_two), np.zeros_like(of_two)
    for one, other in permutations(others, 2):
        pairs = [frozenset(two) for two in ((names[0], one), (names[1], other), (one, other))]
        if kappas.keys() >= {*pairs}:
            of_first, of_second, of_others = (kappas[pair] for pair in pairs)
            own.append(of_first * of_second)
            rest.append(of_others)
            (first_met, first), (second_met, second), (met, both) = (blocks[pair] for pair in pairs)
            weight = np.where((first_met > 0) & (second_met > 0), met, 0)
            # What a block adds to κ_ij κ_kl beyond κ_ik κ_jl.
            beyond += weight * (of_two * both - first * second)
            weights += weight
    among_others = math.fsum(rest)
    if not rest or abs(among_others) < LEAST_KAPPA * len(rest):
        return None
    kappa, table = max(0.0, min(1.0, math.fsum(own) / among_others)), tables[names]
    nearly = Copies(
        first=names[0],
        second=names[1],
        units=table.units,
        differ=table.disagreements,
        expected=(1 - kappa) * _by_chance(table) * table.units,
    )
    return _ExpectedDifference(nearly, _p_above(beyond, weights))


def _kappas(
    tables: Tables, people: Collection[str], size: int
) -> tuple[dict[frozenset[str], float], dict[frozenset[str], tuple[Codes, Floats]]]:
    """Return kappa of every two of some people, and how many units of each block they share, with theirs.

    Chance is that of all units together; documents of the tables are blocks, `size` of them.
    """
    kappas: dict[frozenset[str], float] = {}
    blocks: dict[frozenset[str], tuple[Codes, Floats]] = {}
    for names, table in tables.items():
        chance = _by_chance(table)
        if chance and {*names} <= {*people}:
            differ = np.where(table.row != table.column, table.n, 0)
            met, apart = (sums_by(table.document, n, size) for n in (table.n, differ))
            kappas[frozenset(names)] = 1 - table.disagreements / table.units / chance
            blocks[frozenset(names)] = met, 1 - quotient(apart, met * chance, 0.0)
    return kappas, blocks


def _unit_blocks(units: CodedUnits) -> Codes:
    """Return the block of each unit (units,): BLOCK units of a document or a few more, or all of it."""
    order = np.argsort(units.document, kind="stable")
    _, start, place, times = np.unique(
        units.document[order], return_index=True, return_inverse=True, return_counts=True
    )
    many = np.maximum(times // BLOCK, 1)
    block = np.zeros_like(order)
    block[order] = (np.cumsum(many) - many)[place] + (
        (np.arange(len(order)) - start[place]) * many[place] // times[place]
    )
    return block


def _p_above(values: Floats, weights: Floats) -> float:
    """Return how likely chance would give a sum so far above 0, of values of blocks of some weights."""
    there = weights > 0
    blocks, most = int(there.sum()), math.fsum(values.tolist())
    if blocks < 2 or most <= 0:
        return 1.0
    left = values[there] - weights[there] * (most / math.fsum(weights.tolist()))
    error = math.sqrt(math.fsum((left * left).tolist()) * blocks / (blocks - 1))
    return two_sided(most / error, blocks - 1) / 2 if error > 0 else 0.0
