"""What is a model's label worth beside a human's, category by category, and what share would it report?

A model that errs reports wrong shares even where it agrees with people well. Two corrections are made, for
each category against all others:

- Rogan and Gladen (1978), American Journal of Epidemiology 107(1), 71-76: (share + specificity - 1) /
  (sensitivity + specificity - 1), of the model's share over all units.
- Prediction-powered inference (Angelopoulos et al. 2023, Science 382, 669-674), with the weight λ of the
  model's labels that makes the interval shortest (PPI++, Angelopoulos, Duchi and Zrnic 2023): the share that
  people found, moved by λ times how much the model's share over further units differs from its share there.
  With λ = 0 it is the share that people found, so that it is never much wider than that.

Both take the units that the human labelled for a random part of those that the model labelled. Where the
model's own labels of the two differ by more than chance, nothing is corrected.

The human is the reference where there is one, else the only annotator, else the label of most annotators.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.measures import HALF_WIDTHS, Floats
from reportgen.measures.estimate import (
    LEVEL,
    NEARLY,
    Clusters,
    Estimate,
    Undefined,
    binomial_below,
    figure,
    holm,
    one_minus_leverage,
    score_ends,
    t_quantile,
    with_interval,
)
from reportgen.measures.spans import Ratio
from reportgen.measures.standard_errors import units_in_pool
from reportgen.readers import Codes
from reportgen.results import Figure, Interval
from reportgen.results.annotators import Judge, JudgedCategory, LabelsNeeded, SelectedUnits
from reportgen.units import NO_CATEGORY, ComparedUnits, Mask
from reportgen.units.labels import sums_by

MODEL, REFERENCE, ANNOTATOR = "model", "reference", "annotator"
MOST_CATEGORIES = 200
METHOD = "prediction-powered inference, score interval with the effective number of units"


@dataclass(frozen=True, eq=False)
class TwoLabels:
    """What a human and a model said of units.

    `human`, `model` (units,) are categories, NO_CATEGORY where there is none; `weight` (units,) is how many
    units a row means, `cluster` (units,) its document, or a number of its own where none is known.
    """

    human: Codes
    model: Codes
    weight: Codes
    cluster: Codes

    @property
    def clusters(self) -> int:
        """Return how many documents there are, and units without one."""
        return int(self.cluster.max(initial=-1)) + 1


def judges_of(compared: ComparedUnits) -> Iterator[Judge]:
    """Yield each model of a unit set beside the human of its units."""
    people, units = compared.units.annotators, compared.units
    named, human = _human(compared)
    if named == "" or len(units.categories) > MOST_CATEGORIES or units.sets is not None:
        return
    cluster = np.unique(units.cluster, return_inverse=True)[1].reshape(-1)
    for code in compared.of_role(MODEL):
        model = compared.units.labels_of(code)
        two = TwoLabels(human, model, units.weight, cluster)
        both = (human != NO_CATEGORY) & (model != NO_CATEGORY)
        if not both.any():
            continue
        used = [
            category
            for category in range(len(units.categories))
            if ((human == category) | (model == category)).any()
        ]
        selected = selected_units(two, [units.categories[category] for category in used], used)
        yield Judge(
            layer=units.layer,
            unit_set=units.id,
            model=people[code],
            human=named,
            annotators=len(compared.of_role(ANNOTATOR)),
            units=int(two.weight[both].sum()),
            alone=int(two.weight[(human == NO_CATEGORY) & (model != NO_CATEGORY)].sum()),
            selected=selected,
            categories={
                units.categories[category]: _category(two, category, corrected=selected is None)
                for category in used
            },
        )


def _human(compared: ComparedUnits) -> tuple[str, Codes]:
    """Return what the human is called, empty without one, and the label of each unit (units,)."""
    units, annotators = compared.units, compared.of_role(ANNOTATOR)
    own = compared.of_role(REFERENCE) or (annotators if len(annotators) == 1 else [])
    if own:
        return units.annotators[own[0]], compared.units.labels_of(own[0])
    if not annotators:
        return "", np.zeros(0, dtype=np.int64)
    # What nobody marked is no category where every unit was marked.
    known = (units.label >= 0) & (units.label < len(units.categories))
    rows = np.isin(units.annotator, annotators) & known
    size = len(units.weight), len(units.categories)
    if not size[1]:
        return MAJORITY, np.full(size[0], NO_CATEGORY)
    votes = sums_by((units.unit[rows], units.label[rows]), np.ones(int(rows.sum()), dtype=np.int64), size)
    ordered = np.sort(votes, axis=1)
    ahead = ordered[:, -1] > (ordered[:, -2] if size[1] > 1 else 0)
    return MAJORITY, np.where(ahead, votes.argmax(axis=1), NO_CATEGORY)


MAJORITY = "the majority"


# Are the units that the human labelled a random part of those that the model labelled?

# A test that errs so seldom: what it finds takes all corrected shares away.
LEVEL_OF_SELECTION = 0.01


def selected_units(two: TwoLabels, names: Sequence[str], categories: Sequence[int]) -> SelectedUnits | None:
    """Return the category that tells most that the human labelled no random part of the units, if any does.

    All categories are tested, with Holm's correction; of two, of which one is as telling as the other, the
    rarer.
    """
    known = two.model != NO_CATEGORY
    of_both, further = known & (two.human != NO_CATEGORY), known & (two.human == NO_CATEGORY)
    if not (two.weight[of_both].sum() and two.weight[further].sum()):
        return None
    given = [int(two.weight[two.model == category].sum()) for category in categories]
    places = range(len(categories)) if len(categories) != TWO else [given.index(min(given))]
    tested = holm([_p_of_selection(two, of_both, known, categories[place]) for place in places])
    ps = {place: p for place, p in zip(places, tested, strict=True) if p is not None}
    place = min(ps, key=lambda each: (ps[each], given[each]))
    if ps[place] >= LEVEL_OF_SELECTION:
        return None
    own = two.weight * (two.model == categories[place])
    labelled, others = (int(own[part].sum()) / int(two.weight[part].sum()) for part in (of_both, further))
    return SelectedUnits(category=names[place], labelled_share=labelled, further_share=others, p=ps[place])


TWO = 2


def _p_of_selection(two: TwoLabels, of_both: Mask, known: Mask, category: int) -> float:
    """Return how likely so unlike a share of a category is among the units that the human labelled.

    The model's labels of all units are known, and with them how they vary, and how alike two of one document
    are. Were it chance which units, or documents, the human labelled, the share among them would vary as that
    of an effective number of independent units (Kish 1965), for which the binomial distribution gives p,
    two-sided.
    """
    weight = two.weight[known].astype(np.float64)
    label, labelled = (two.model == category)[known], of_both[known]
    every, few = float(weight.sum()), float(weight[labelled].sum())
    share, found = float(weight[label].sum()) / every, float(weight[label & labelled].sum()) / few
    spread = share * (1 - share)
    # How a unit moves the share of the labelled ones less that of all, and what it is off that share.
    moves, off = np.where(labelled, 1 / few, 0.0) - 1 / every, label - share
    size, apart, moved = (
        sums_by(two.cluster[known], values, two.clusters) for values in (weight, off * weight, moves * weight)
    )
    alone = float((weight * moves * moves).sum())
    pairs = float((size * size).sum()) - every
    together = max(float((apart * apart).sum()) - every * spread, 0.0) / pairs if pairs > 0 else 0.0
    variance = spread * alone + together * max(float((moved * moved).sum()) - alone, 0.0)
    if variance <= 0:
        return 1.0
    units = max(round(spread / variance), 1)
    if found > share:
        least = math.ceil(found * units - NEARLY)
        tail = 1 - binomial_below(least - 1, units, share)
    else:
        tail = binomial_below(math.floor(found * units + NEARLY), units, share)
    return min(2 * tail, 1.0)


def _category(two: TwoLabels, category: int, *, corrected: bool) -> JudgedCategory:
    """Return what the model's labels of one category are worth, all others being one."""
    known = (two.human != NO_CATEGORY) & (two.model != NO_CATEGORY)
    human, model = two.human == category, two.model == category
    in_cells = (human & model, ~human & model, human & ~model, ~human & ~model)
    cells = [_sums(two, known & there) for there in in_cells]
    right, wrong, missed, rest = cells
    sensitivity, specificity = _ratio(right, right + missed), _ratio(rest, rest + wrong)
    reported = _ratio(*(_sums(two, (two.model != NO_CATEGORY) & own) for own in (model, model | ~model)))
    found = _ratio(right + missed, right + wrong + missed + rest)
    share, phi = figure(found), figure(_phi(*cells))
    shown = corrected_share(two, category) if corrected else None
    pool = int(two.weight[two.model != NO_CATEGORY].sum())
    return JudgedCategory(
        human=int((right + missed).sum()),
        model=int((right + wrong).sum()),
        both=int(right.sum()),
        sensitivity=figure(sensitivity),
        specificity=figure(specificity),
        positive_value=figure(_ratio(right, right + wrong)),
        negative_value=figure(_ratio(rest, rest + missed)),
        phi=phi,
        human_share=share,
        reported_share=figure(reported),
        corrected_share=shown,
        rogan_gladen=_rogan_gladen(reported.value, sensitivity.value, specificity.value)
        if corrected
        else None,
        labels_needed=_labels_needed(share, shown, phi.value, pool),
    )


def _labels_needed(
    found: Figure, corrected: Figure | None, phi: float | None, pool: int
) -> tuple[LabelsNeeded, ...] | None:
    """Return what narrower intervals of a share take, in a pool of units that the model labelled.

    Documents count as they do in the error of the share that the human found.
    """
    value, error, units = found.value, found.standard_error, found.units
    share = corrected.value if corrected else None
    if not share or value is None or not error or not units or phi is None:
        return None
    # How many times larger the variance is than that of independent units.
    effect = error * error * units / (value * (1 - value))
    spread = share * (1 - share) * effect
    return tuple(
        LabelsNeeded(
            half_width=half,
            units=units_in_pool(spread, phi, half, pool),
            alone=units_in_pool(spread, 0.0, half, pool),
        )
        for half in HALF_WIDTHS
    )


def _sums(two: TwoLabels, there: np.ndarray) -> Floats:
    """Return how many units of some rows each document has (documents,)."""
    sums: Floats = sums_by(two.cluster[there], two.weight[there], two.clusters).astype(np.float64)
    return sums


def _ratio(part: Floats, whole: Floats) -> Estimate:
    """Return a share with its interval over documents."""
    every = int(whole.sum())
    return Ratio(part, whole, every, every - int(part.sum()), Undefined.NO_SHARED_UNITS).estimate()


def _phi(right: Floats, wrong: Floats, missed: Floats, rest: Floats) -> Estimate:
    """Return Matthews' φ of the four cells, with an interval from leaving out each document.

    (a d - b c) / √((a+b)(c+d)(a+c)(b+d)): Matthews (1975), Biochimica et Biophysica Acta 405(2), 442-451.
    """
    cells = np.stack([right, wrong, missed, rest])
    totals = cells.sum(axis=1)
    value = float(_phi_of(totals[:, None])[0])
    units = int(totals.sum())
    if math.isnan(value):
        return Estimate(None, units, undefined=Undefined.NO_EXPECTED_DISAGREEMENT)
    counted = cells.sum(axis=0) > 0
    documents = int(counted.sum())
    without = _phi_of(totals[:, None] - cells[:, counted])
    if documents < 2 or np.isnan(without).any():
        return Estimate(value, units)
    influence = (documents - 1) * (without.mean() - without)
    clusters = Clusters.of_documents(documents)
    errors = int(totals[1] + totals[2])
    return with_interval(Estimate(value, units), influence, clusters, (-1.0, 1.0), disagreements=errors)


def _phi_of(cells: Floats) -> Floats:
    """Return φ of each column of four cells (4, columns), nan where a margin is empty."""
    right, wrong, missed, rest = cells
    margins = (right + wrong) * (missed + rest) * (right + missed) * (wrong + rest)
    values: Floats = np.full(cells.shape[1], np.nan)
    there = margins > 0
    values[there] = (right * rest - wrong * missed)[there] / np.sqrt(margins[there])
    return values


def _rogan_gladen(share: float | None, sensitivity: float | None, specificity: float | None) -> float | None:
    """Return a share corrected by sensitivity and specificity; None where these tell nothing."""
    if share is None or sensitivity is None or specificity is None:
        return None
    better = sensitivity + specificity - 1
    return min(max((share + specificity - 1) / better, 0.0), 1.0) if better > 0 else None


def corrected_share(two: TwoLabels, category: int) -> Figure | None:
    """Return the share of a category in all units, by prediction-powered inference.

    The human labelled some of the units, the model all. None where the human labelled all or none; without
    an interval where the human labelled as much as two documents alike, or less.
    """
    labelled = (two.human != NO_CATEGORY) & (two.model != NO_CATEGORY)
    further = (two.human == NO_CATEGORY) & (two.model != NO_CATEGORY)
    few, many = float(two.weight[labelled].sum()), float(two.weight[further].sum())
    if not many or few < 2:
        return None
    human, model = (two.human == category).astype(np.float64), (two.model == category).astype(np.float64)
    weight = two.weight.astype(np.float64)

    def mean(values: Floats, where: np.ndarray, size: float) -> float:
        return float((values * weight)[where].sum()) / size

    of_human, of_model = mean(human, labelled, few), mean(model, labelled, few)
    elsewhere = mean(model, further, many)
    together = mean(human * model, labelled, few) - of_human * of_model
    spread = of_model * (1 - of_model)
    weighed = min(max(together / ((1 + few / many) * spread), 0.0), 1.0) if spread else 0.0
    value = of_human + weighed * (elsewhere - of_model)
    inside = np.where(labelled, (human - of_human - weighed * (model - of_model)) / few, 0.0)
    outside = np.where(further, weighed * (model - elsewhere) / many, 0.0)
    # Leaving out a document moves the share the more, the more of the labelled units it has.
    moved, shares = np.zeros(two.clusters), []
    for values, where, size in ((inside, labelled, few), (outside, further, many)):
        own = sums_by(two.cluster, weight * where, two.clusters) / size
        moved += sums_by(two.cluster, values * weight, two.clusters) / one_minus_leverage(own)
        shares.append(own)
    alike = 1 / float(np.sort(shares[0] * shares[0]).sum())
    figure_alone = Figure(value=min(max(value, 0.0), 1.0), units=int(few))
    if alike <= LOST + NEARLY:
        return figure_alone
    groups = int(np.count_nonzero(shares[0]))
    squares = math.fsum(float(step) * float(step) for step in moved.tolist())
    error = math.sqrt(squares * (groups - 1) / groups * (alike - 1) / (alike - LOST))
    return figure_alone.model_copy(
        update={"standard_error": error, "interval": _score_interval(value, error, alike)}
    )


# Of the labelled documents, two are used up: by the share, and by the weight of the model's labels.
LOST = 2


def _score_interval(value: float, error: float, alike: float) -> Interval:
    """Return the interval of a share by Wilson (1927), with the effective number of units.

    That is value (1 - value) / error², the number of independent units with the same standard error (Korn and
    Graubard 1998, Survey Methodology 24(2), 193-201, for the exact interval), and never fewer than the
    documents, or units without one, that the human labelled, counted as so many `alike`: near 0 and 1 the
    standard error tells little. The quantile is that of t with two degrees fewer than these (benchmarks/
    corrected.py, docs/judges.md).
    """
    share = min(max(value, 0.0), 1.0)
    effective = max(share * (1 - share) / (error * error) if error else 0.0, alike)
    low, high = score_ends(share, effective, t_quantile(alike - LOST))
    return Interval(low=low, high=high, level=LEVEL, method=METHOD)
