"""The quality of one layer's annotators and items: never agreement.

How many of the control items each annotator labelled right, and who is rejected for it.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.campaign import ControlItems
from reportgen.catalogue import ids_with
from reportgen.counts import ContingencyTable, Counts, MarkCounts, tally
from reportgen.measures import (
    Estimate,
    ScaleSetting,
    UnitsOfAll,
)
from reportgen.measures.annotators.annotator_vs_rest import (
    OBSERVED,
    STRICT,
    biases,
    copies,
    drifts,
    has_documents,
    standings,
    standings_of_marks,
    without_nearest,
)
from reportgen.measures.annotators.dawid_skene import LEAST_LABELLED, errors
from reportgen.measures.comparisons import chosen_figures, pair_scores, specific_by_category
from reportgen.measures.estimate import figure, figures_by_name, wilson
from reportgen.measures.sets import judged
from reportgen.measures.thresholds import LARGEST_GROUP, MOST_ANNOTATORS, SIGNIFICANT
from reportgen.readers import NO_DOCUMENT
from reportgen.results import Figure, Quality
from reportgen.results.annotators import (
    AnnotatorErrors,
    AnnotatorVsRest,
    Bin,
    ControlAccuracy,
    Controls,
    Difficulty,
    Drift,
    HardUnit,
    IntraAnnotatorAgreement,
    WithAndWithoutRejected,
)
from reportgen.results.model import csv_text
from reportgen.units import NO_CATEGORY, CodedUnits, ControlUnits, LayerUnits, Passes, disputed
from reportgen.units.labels import quotient, sums_by

MOST_HARD = 20
# Disagreements above 0 up to .2, .4, …
FIFTHS = 5


def difficulty(units: UnitsOfAll) -> Difficulty | None:
    """Return how hard the units are; None where no two annotators rated one."""
    profiles = units.profiles
    if not profiles.units:
        return None
    times = profiles.times.tolist()
    counts = [Counter(label for label in row if label != NO_CATEGORY) for row in profiles.labels.tolist()]
    apart = [_differing_pairs(list(labels.values())) for labels in counts]
    shares = [differing / pairs for differing, pairs in apart]
    bits = [_entropy(list(labels.values())) for labels in counts]
    histogram = [0] * (FIFTHS + 1)
    for (differing, pairs), number in zip(apart, times, strict=True):
        histogram[-(-differing * FIFTHS // pairs)] += number
    return Difficulty(
        units=profiles.units,
        differing=profiles.units - histogram[0],
        disagreement=math.fsum(x * n for x, n in zip(shares, times, strict=True)) / profiles.units,
        entropy=math.fsum(x * n for x, n in zip(bits, times, strict=True)) / profiles.units,
        # Units without disagreement, and those of each fifth.
        histogram=tuple(
            Bin(low=max(0, fifth - 1) / FIFTHS, high=fifth / FIFTHS, units=number)
            for fifth, number in enumerate(histogram)
        ),
        hardest=hardest(units.units),
    )


def _differing_pairs(labels: Sequence[int]) -> tuple[int, int]:
    """Return how many pairs of ratings differ, and how many there are; `labels` has how often each is."""
    ratings = sum(labels)
    pairs = ratings * (ratings - 1) // 2
    return pairs - sum(n * (n - 1) // 2 for n in labels), pairs


def _entropy(labels: Sequence[int]) -> float:
    """Return -Σ p log2 p of the labels' shares, in bits."""
    ratings = sum(labels)
    return math.fsum(n / ratings * math.log2(ratings / n) for n in sorted(labels))


def hardest(units: CodedUnits, most: int = MOST_HARD) -> tuple[HardUnit, ...]:
    """Return the units with the greatest disagreement, of equal ones first those with more ratings.

    Of two ratings each, all on which annotators differ are as hard as each other, and none is returned.
    """
    ratings, (unit, _, times, _) = units.per_unit, units.cells
    same = sums_by(unit, times * (times - 1) // 2, len(ratings))
    pairs = ratings * (ratings - 1) // 2
    share = quotient(pairs - same, pairs, 0.0)
    open_ = np.flatnonzero((share > 0) & (units.weight > 0))
    if ratings.max(initial=0) <= 2:
        return ()
    order = open_[np.lexsort((open_, -ratings[open_], -share[open_]))][:most]
    places = {unit: entry for entry, unit in enumerate(disputed(units).tolist())}
    return tuple(_hard(units, unit, float(share[unit]), places.get(unit)) for unit in order.tolist())


def _hard(units: CodedUnits, unit: int, share: float, entry: int | None) -> HardUnit:
    counts = Counter(np.sort(units.label[units.unit == unit]).tolist())
    document = int(units.document[unit])
    return HardUnit(
        entry=entry,
        document=None if document == NO_DOCUMENT else units.documents[document],
        disagreement=share,
        entropy=_entropy(list(counts.values())),
        labels={units.categories[label]: times for label, times in counts.items()},
    )


# Intra-annotator agreement: what somebody said of a unit at first, and again.

PASSES = 2


def agreement_with_oneself(
    passes: Passes, setting: ScaleSetting, coefficient: str
) -> list[IntraAnnotatorAgreement]:
    """Return the agreement of everybody who labelled something twice with themselves, by name.

    Shown are observed agreement, kappa and alpha, and the primary `coefficient` where it is another one.
    """
    agreements = [
        IntraAnnotatorAgreement(
            annotator=passes.people[table.first],
            units=table.units,
            measures=_measures(table, setting, coefficient),
            by_category={
                name: figure(replace(own, recomputable=False))
                for name, own in specific_by_category(table, setting, judged(passes.units)).items()
            },
        )
        for table in _tables(passes)
    ]
    return sorted(agreements, key=lambda agreement: agreement.annotator)


def _measures(table: ContingencyTable, setting: ScaleSetting, coefficient: str) -> dict[str, Figure]:
    names = tuple(dict.fromkeys((*ids_with(lambda measure: measure.any_two), coefficient)))
    estimates = pair_scores(table, setting, names)
    return {name: figure(replace(estimates[name], recomputable=False)) for name in names if name in estimates}


def _tables(passes: Passes) -> Iterator[ContingencyTable]:
    """Yield a table for each person, first pass by second; a row of weight 0 stands for no unit."""
    units = passes.units
    weighted = units.row_weight > 0
    unit, turn, label = units.unit[weighted], units.annotator[weighted], units.label[weighted]
    order = np.lexsort((turn, unit, turn // PASSES))
    unit, turn, label = unit[order], turn[order], label[order]
    first = np.flatnonzero((unit[1:] == unit[:-1]) & (turn[1:] == turn[:-1] + 1) & (turn[:-1] % PASSES == 0))
    columns = [turn[first] // PASSES, units.document[unit[first]], label[first], label[first + 1]]
    rows, n = tally(columns, units.weight[unit[first]])
    starts = np.flatnonzero(np.diff(rows[0], prepend=-1)).tolist()
    for start, end in zip(starts, [*starts[1:], len(n)], strict=True):
        person, *cells = [column[start:end] for column in (*rows, n)]
        who = int(person[0])
        yield ContingencyTable(who, who, len(units.categories), *cells)


# Of a crowd of annotators: the worst for results, and everybody for a CSV beside them.

WORST = 20
T = TypeVar("T")


def is_crowd(people: Sequence[object]) -> bool:
    """Tell whether annotators are too many to be all in results."""
    return len(people) > LARGEST_GROUP


def shown(everybody: Quality) -> Quality:
    """Return quality as results have it: of a crowd the worst alone."""
    controls, model = everybody.controls, everybody.dawid_skene
    worst = _worst_of(model.annotators, _least_right)
    return everybody.model_copy(
        update={
            "controls": controls
            and controls.model_copy(update={"annotators": _worst_of(controls.annotators, _least_accurate)}),
            "dawid_skene": model.model_copy(update={"annotators": worst}),
            "annotators": _worst_of(everybody.annotators, _farthest),
        }
    )


def _worst_of(people: Sequence[T], badness: Callable[[T], tuple[Any, ...]]) -> tuple[T, ...]:
    """Return everybody in their order, or the worst of a crowd, for whom `badness` sorts first."""
    return tuple(sorted(people, key=badness)[:WORST]) if is_crowd(people) else tuple(people)


def _least_accurate(annotator: ControlAccuracy) -> tuple[float, str]:
    return 1.0 if annotator.accuracy.value is None else annotator.accuracy.value, annotator.annotator


def _least_right(annotator: AnnotatorErrors) -> tuple[bool, bool, float, str]:
    """Sort those near chance or below first, then by accuracy those with enough labels, then the others."""
    told_bad = annotator.near_chance or annotator.below_chance
    return not told_bad, annotator.labelled < LEAST_LABELLED, annotator.accuracy, annotator.annotator


def _farthest(annotator: AnnotatorVsRest) -> tuple[bool, float, str]:
    """Sort whom a test tells apart first, then by how surely somebody agrees less than the others do."""
    difference, error = annotator.difference.value, annotator.difference.standard_error
    surely = difference / error if difference is not None and error else math.inf
    tested = [
        annotator.adjusted_p if surely < 0 else None,
        annotator.drift.adjusted_p if annotator.drift else None,
    ]
    return not any(p is not None and p < SIGNIFICANT for p in tested), surely, annotator.annotator


# Everybody in a crowd, as CSV.

CROWD = (
    "annotator", "units", "agreement", "agreement_low", "agreement_high", "others", "difference",
    "difference_low", "difference_high", "p", "adjusted_p", "documents", "slope", "slope_p",
    "slope_adjusted_p", "dawid_skene_accuracy", "dawid_skene_blind", "dawid_skene_labelled",
)  # fmt: skip
CONTROLS = ("annotator", "labelled", "right", "accuracy", "low", "high", "rejected")


def crowd_tables(everybody: Quality) -> Iterator[tuple[str, str]]:
    """Yield each table of a crowd by its path."""
    if is_crowd(everybody.annotators):
        yield f"tables/annotators.{everybody.layer}.csv", csv_text(CROWD, _crowd(everybody))
    if everybody.controls and is_crowd(everybody.controls.annotators):
        rows = (
            (
                annotator.annotator,
                annotator.labelled,
                annotator.right,
                annotator.accuracy.value,
                *_ends(annotator.accuracy),
                annotator.rejected,
            )
            for annotator in everybody.controls.annotators
        )
        yield f"tables/controls-{everybody.layer}.csv", csv_text(CONTROLS, rows)


def _crowd(everybody: Quality) -> Iterator[Sequence[object]]:
    model = {fitted.annotator: fitted for fitted in everybody.dawid_skene.annotators}
    for annotator in everybody.annotators:
        drift, erring = annotator.drift, model.get(annotator.annotator)
        yield (
            annotator.annotator,
            annotator.agreement.units,
            annotator.agreement.value,
            *_ends(annotator.agreement),
            annotator.others,
            annotator.difference.value,
            *_ends(annotator.difference),
            annotator.p,
            annotator.adjusted_p,
            *((drift.documents, drift.slope.value, drift.p, drift.adjusted_p) if drift else (None,) * 4),
            *((erring.accuracy, erring.blind, erring.labelled) if erring else (None,) * 3),
        )


def _ends(figure: Figure) -> tuple[float | None, float | None]:
    ends = figure.interval
    return (ends.low, ends.high) if ends else (None, None)


# The quality of one layer's annotators and items: never agreement.

SEVERAL = 3


@dataclass(frozen=True, eq=False)
class Subject:
    """What is asked about: a layer without rejected annotators, and with everybody.

    `units`, `counts` and `setting` are those of the primary unit set; `everybody` is None where nobody was
    rejected; `coefficient` is the primary one; `marks` are those in texts by which annotators are compared.
    `in_order` says that the export is declared to be in the order of the work, `at` (ratings,) when each
    label of `units` was given: only with either can anybody drift, and times count first. `dates` says
    whether days may be named.
    """

    study: LayerUnits
    units: CodedUnits
    counts: Counts
    setting: ScaleSetting
    coefficient: str
    rule: ControlItems | None = None
    everybody: tuple[CodedUnits, ScaleSetting] | None = None
    marks: MarkCounts | None = None
    in_order: bool = False
    dates: bool = False


@dataclass(frozen=True)
class LayerQuality:
    """The quality of one layer, and by path the CSV of what is too large for results."""

    quality: Quality
    tables: Mapping[str, str]


def assess(subject: Subject) -> LayerQuality:
    """Return the quality of one layer; of a crowd results have the worst, and tables everybody."""
    units, passes = subject.units, subject.study.passes
    model, confusions = errors(units, subject.study.controls, matrices=not is_crowd(units.annotators))
    people, by_document = _standings(subject)
    everybody = Quality(
        layer=units.layer,
        unit_set=units.id,
        compared_by=STRICT if people and subject.marks else None,
        controls=_controls(subject),
        dawid_skene=model,
        difficulty=difficulty(UnitsOfAll(units, subject.counts, subject.setting)),
        by_document=by_document,
        in_time=units.at is not None or None,
        annotators=people,
        annotators_in_all=len(units.annotators),
        copies=copies(units),
        intra_annotator=tuple(agreement_with_oneself(passes, subject.setting, subject.coefficient))
        if passes
        else (),
    )
    tables = dict(crowd_tables(everybody))
    if confusions is not None:
        tables[f"tables/dawid-skene.{units.layer}.csv"] = confusions
    return LayerQuality(shown(everybody), tables)


def _controls(subject: Subject) -> Controls | None:
    controls, rule = subject.study.controls, subject.rule
    if controls is None or rule is None:
        return None
    without_rejected, figure_names = (subject.units, subject.setting), (subject.coefficient, OBSERVED)
    agreement = (
        with_and_without_rejected(subject.everybody, without_rejected, figure_names)
        if subject.everybody
        else {}
    )
    return control_results(controls, rule, agreement)


def _standings(subject: Subject) -> tuple[tuple[AnnotatorVsRest, ...], bool]:
    """Return each of three annotators or more beside the others, and whether drift is over documents."""
    units, ratings = subject.units, subject.units.pairable
    by_document = has_documents(ratings)
    if len(units.annotators) < SEVERAL:
        return (), by_document
    marks, by_unit = subject.marks, standings(ratings)
    compared = (
        [
            of_marks.model_copy(update={"units": of_units.agreement.units})
            for of_marks, of_units in zip(
                standings_of_marks(units.annotators, marks.spans, marks.outcomes), by_unit, strict=True
            )
        ]
        if marks
        else by_unit
    )
    figures = without(units, subject.setting, subject.coefficient, compared)
    used = biases(ratings, units.categories)
    may_drift = subject.in_order or units.at is not None
    drifting = drifts(ratings, dates=subject.dates) if may_drift else [None] * len(compared)
    people = [
        annotator.model_copy(
            update={
                "without": figures.get(annotator.annotator),
                "drift": drift,
                "bias": used.get(code),
                "without_nearest": without_nearest(units, code, drifting=drift is not None)
                if not is_crowd(compared) and _is_told(annotator, drift)
                else None,
            }
        )
        for code, (annotator, drift) in enumerate(zip(compared, drifting, strict=True))
    ]
    return tuple(people), by_document


def _is_told(annotator: AnnotatorVsRest, drift: Drift | None) -> bool:
    """Tell whether somebody agrees more with the others, or drifts, by a test."""
    more = annotator.adjusted_p if (annotator.difference.value or 0.0) > 0 else None
    return any(p is not None and p < SIGNIFICANT for p in (more, drift.adjusted_p if drift else None))


# The interval of a share of independent trials, which never leaves 0 to 1 and holds up at its ends.


# How many of the control items each annotator labelled right, and who is rejected for it.


def accuracies(controls: ControlUnits, rule: ControlItems) -> list[ControlAccuracy]:
    """Return the accuracy of everybody who labelled a control item, by name; first labels count."""
    units = controls.units
    people = len(units.annotators)
    labelled = np.bincount(units.annotator, minlength=people).tolist()
    is_right = units.label == controls.truth[units.unit]
    right = np.bincount(units.annotator[is_right], minlength=people).tolist()
    return [
        _accuracy(name, correct, number, rule)
        for name, correct, number in zip(units.annotators, right, labelled, strict=True)
        if number
    ]


def _accuracy(name: str, right: int, labelled: int, rule: ControlItems) -> ControlAccuracy:
    """Return somebody's accuracy, and whether it calls for rejection.

    It does where at least `minimum` control items were labelled and the upper end of the interval is
    below `reject_below`: chance alone then hardly made the share so low.
    """
    ends, below = wilson(right, labelled), rule.reject_below
    return ControlAccuracy(
        annotator=name,
        labelled=labelled,
        right=right,
        accuracy=figure(Estimate(right / labelled, labelled, interval=ends, recomputable=False)),
        rejected=below is not None and labelled >= rule.minimum and ends.high < below,
    )


def control_results(
    controls: ControlUnits, rule: ControlItems, agreement: Mapping[str, WithAndWithoutRejected]
) -> Controls:
    """Return what the control items of a layer say; `agreement` is with and without whom they reject."""
    people = accuracies(controls, rule)
    return Controls(
        items=len(controls.truth),
        absent=len(controls.absent),
        reject_below=rule.reject_below,
        minimum=rule.minimum,
        rejected=tuple(accuracy.annotator for accuracy in people if accuracy.rejected),
        annotators=tuple(people),
        annotators_in_all=len(people),
        agreement=agreement,
    )


def rejected(controls: ControlUnits | None, rule: ControlItems | None) -> tuple[str, ...]:
    """Return the names of the annotators whom the rule rejects."""
    if controls is None or rule is None:
        return ()
    return tuple(accuracy.annotator for accuracy in accuracies(controls, rule) if accuracy.rejected)


# Some figures of the same units with everybody, and without whom control items made the campaign reject.


def with_and_without_rejected(
    everybody: tuple[CodedUnits, ScaleSetting],
    without_rejected: tuple[CodedUnits, ScaleSetting],
    names: Iterable[str],
) -> dict[str, WithAndWithoutRejected]:
    """Return some figures of the same unit set with everybody, and without the rejected."""
    shown = list(dict.fromkeys(names))
    of_all, of_accepted = (
        figures_by_name(chosen_figures(units, setting, shown))
        for units, setting in (everybody, without_rejected)
    )
    return {
        name: WithAndWithoutRejected(everybody=of_all.get(name), without_rejected=of_accepted.get(name))
        for name in shown
    }


# What the primary coefficient would be without one annotator: of those who stand out, never of everybody.

LEAST_ANNOTATORS = 3
MOST_LEFT_OUT = 5


def without(
    units: CodedUnits, setting: ScaleSetting, coefficient: str, standings: Sequence[AnnotatorVsRest]
) -> dict[str, Figure]:
    """Return a figure without each annotator who agrees less than the others, or gave one label throughout.

    Keys are names of annotators. Of each kind there are at most five, the farthest from the others first.
    Units marked by all annotators would be others without one of them, so that there is nothing to compare.
    """
    size = len(units.annotators)
    if not LEAST_ANNOTATORS <= size <= MOST_ANNOTATORS or units.kind == "annotated-by-all":
        return {}
    figures: dict[str, Figure] = {}
    # Those who agree less with the others than these among themselves, the surest first.
    apart = [
        (standing.adjusted_p, standing.difference.value, code)
        for code, standing in enumerate(standings)
        if standing.adjusted_p is not None and standing.difference.value is not None
        if standing.adjusted_p < SIGNIFICANT and standing.difference.value < 0
    ]
    for who in sorted({*[code for *_, code in sorted(apart)[:MOST_LEFT_OUT]], *_constant(units)}):
        estimate = chosen_figures(left_out(units, who), setting, [coefficient]).get(coefficient)
        if estimate is not None:
            figures[units.annotators[who]] = figure(replace(estimate, recomputable=False))
    return figures


def left_out(units: CodedUnits, who: int) -> CodedUnits:
    """Return the units without the labels of one annotator; categories stay, and so do units.

    Where units are those that somebody marked, those that only this annotator marked go.
    """
    remaining = units.annotator != who
    if units.kind == "annotated-by-any":
        marked = units.where(remaining & (units.label != units.non_annotated)).per_unit > 0
        remaining &= marked[units.unit]
    return units.where(remaining).of_people([code for code in range(len(units.annotators)) if code != who])


def _constant(units: CodedUnits) -> list[int]:
    """Return those who gave one label to every unit that others rated too, where not everybody did."""
    pairable, size = units.pairable, len(units.categories)
    used = np.unique(pairable.annotator * size + pairable.label)
    labels = np.bincount(used // size, minlength=len(units.annotators))
    if len(np.unique(pairable.label)) == 1:
        return []
    constant: list[int] = np.flatnonzero(labels == 1).tolist()
    return constant[:MOST_LEFT_OUT]
