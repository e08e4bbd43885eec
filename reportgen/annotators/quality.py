"""The quality of one layer's annotators and items."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from reportgen.annotators.annotator_vs_rest import (
    AnnotatorAgreement,
    Beside,
    IntraAnnotatorAgreement,
    agreement_with_oneself,
    beside,
    has_documents,
    ratings_of,
    standings,
)
from reportgen.annotators.controls import Accuracy, accuracies, without
from reportgen.annotators.dawid_skene import Errors, NotFitted, errors
from reportgen.annotators.drift import AnnotatorDrift, drifts
from reportgen.campaign import ControlItems
from reportgen.counts import Counts
from reportgen.measures import Estimate, Setting, Whole
from reportgen.readers import NO_DOCUMENT
from reportgen.units import NO_CATEGORY, CodedUnits, Study, disputed

# Which units are hard: how far apart the labels of each are.

MOST_HARD = 20
# Disagreements above 0 up to .2, .4, …
FIFTHS = 5
PAIR = 2


@dataclass(frozen=True)
class DifficultItem:
    """A unit on which annotators differ much.

    `entry` is its number among the units on which they differ, in the order of texts.json; None where it has
    no place. `labels` has how often it got each.
    """

    entry: int | None
    document: str | None
    disagreement: float
    entropy: float
    labels: dict[str, int]


@dataclass(frozen=True)
class ItemDifficulty:
    """How hard units are that at least two annotators rated.

    `disagreement` is the mean disagreeing share of pairs, `entropy` the mean entropy in bits. `histogram`
    counts units without disagreement, then those up to .2, .4, .6, .8 and 1. `differing` is how many units
    are not without.
    """

    units: int
    differing: int
    disagreement: float
    entropy: float
    histogram: tuple[int, ...]
    hardest: tuple[DifficultItem, ...]


def difficulty(whole: Whole) -> ItemDifficulty | None:
    """Return how hard the units are; None where no two annotators rated one."""
    profiles = whole.profiles
    if not profiles.units:
        return None
    times = profiles.times.tolist()
    counts = [Counter(label for label in row if label != NO_CATEGORY) for row in profiles.labels.tolist()]
    apart = [_apart(list(each.values())) for each in counts]
    shares = [one / pairs for one, pairs in apart]
    bits = [_entropy(list(each.values())) for each in counts]
    histogram = [0] * (FIFTHS + 1)
    for (one, pairs), number in zip(apart, times, strict=True):
        histogram[-(-one * FIFTHS // pairs)] += number
    return ItemDifficulty(
        units=profiles.units,
        differing=profiles.units - histogram[0],
        disagreement=math.fsum(x * n for x, n in zip(shares, times, strict=True)) / profiles.units,
        entropy=math.fsum(x * n for x, n in zip(bits, times, strict=True)) / profiles.units,
        histogram=tuple(histogram),
        hardest=hardest(whole.units),
    )


def _apart(labels: Sequence[int]) -> tuple[int, int]:
    """Return how many pairs of ratings differ, and how many there are; `labels` has how often each is."""
    ratings = sum(labels)
    pairs = ratings * (ratings - 1) // PAIR
    return pairs - sum(n * (n - 1) // PAIR for n in labels), pairs


def _entropy(labels: Sequence[int]) -> float:
    """Return -Σ p log2 p of the labels' shares, in bits."""
    ratings = sum(labels)
    return math.fsum(n / ratings * math.log2(ratings / n) for n in sorted(labels))


def hardest(units: CodedUnits, most: int = MOST_HARD) -> tuple[DifficultItem, ...]:
    """Return the units with the greatest disagreement, of equal ones first those with more ratings.

    Of two ratings each, all on which annotators differ are as hard as each other, and none is returned.
    """
    size = len(units.unit_weight)
    ratings = np.bincount(units.unit, minlength=size)
    cells, times = np.unique(units.unit * len(units.categories) + units.label, return_counts=True)
    same = np.zeros(size, dtype=np.int64)
    np.add.at(same, cells // max(len(units.categories), 1), times * (times - 1) // PAIR)
    pairs = ratings * (ratings - 1) // PAIR
    share = np.zeros(size)
    np.divide(pairs - same, pairs, out=share, where=pairs > 0)
    open_ = np.flatnonzero((share > 0) & (units.unit_weight > 0))
    if ratings.max(initial=0) <= PAIR:
        return ()
    order = open_[np.lexsort((open_, -ratings[open_], -share[open_]))][:most]
    chosen = np.flatnonzero(np.isin(units.unit, order))
    labels: dict[int, list[int]] = {unit: [] for unit in order.tolist()}
    for unit, label in zip(units.unit[chosen].tolist(), units.label[chosen].tolist(), strict=True):
        labels[unit].append(label)
    places = {unit: place for place, unit in enumerate(disputed(units).tolist())}
    return tuple(_hard(units, unit, labels[unit], float(share[unit]), places) for unit in order.tolist())


def _hard(
    units: CodedUnits, unit: int, labels: Sequence[int], share: float, places: dict[int, int]
) -> DifficultItem:
    counts = Counter(sorted(labels))
    document = int(units.unit_document[unit])
    return DifficultItem(
        entry=places.get(unit),
        document=None if document == NO_DOCUMENT else units.documents[document],
        disagreement=share,
        entropy=_entropy(list(counts.values())),
        labels={units.categories[label]: times for label, times in counts.items()},
    )


# The quality of one layer's annotators and items.

OBSERVED = "observed_agreement"
SEVERAL = 3


@dataclass(frozen=True, eq=False)
class Subject:
    """What is asked about: a layer without rejected annotators, and with everybody.

    `units`, `counts` and `setting` are those of the primary unit set; `everybody` is None where nobody was
    rejected; `figure` is the primary coefficient.
    """

    study: Study
    units: CodedUnits
    counts: Counts
    setting: Setting
    figure: str
    rule: ControlItems | None = None
    everybody: tuple[CodedUnits, Setting] | None = None


@dataclass(frozen=True, eq=False)
class LayerQuality:
    """The quality of one layer's annotators and items: never agreement.

    `standings` and `drifts` are in the order of the annotators of `units`, and empty where there are only
    two. `without` has the primary coefficient without some of them, by their codes. `by_document` says
    whether drift is over documents, or over units in their order.
    """

    units: CodedUnits
    rule: ControlItems | None
    items: int
    absent: tuple[int, ...]
    accuracies: tuple[Accuracy, ...]
    beside: Mapping[str, Beside]
    errors: Errors | NotFitted
    difficulty: ItemDifficulty | None
    standings: tuple[AnnotatorAgreement, ...]
    without: Mapping[int, Estimate]
    drifts: tuple[AnnotatorDrift | None, ...]
    by_document: bool
    twice: tuple[IntraAnnotatorAgreement, ...]


def assess(subject: Subject) -> LayerQuality:
    """Return the quality of one layer."""
    study, units = subject.study, subject.units
    ratings = ratings_of(units)
    several = len(units.annotators) >= SEVERAL
    standing = tuple(standings(ratings)) if several else ()
    controls, passes = study.controls, study.passes
    return LayerQuality(
        units=units,
        rule=subject.rule if controls else None,
        items=len(controls.truth) if controls else 0,
        absent=controls.absent if controls else (),
        accuracies=tuple(accuracies(controls, subject.rule)) if controls and subject.rule else (),
        beside=_beside(subject),
        errors=errors(units, controls),
        difficulty=difficulty(Whole(units, subject.counts, subject.setting)),
        standings=standing,
        without=without(units, subject.setting, subject.figure, standing),
        drifts=tuple(drifts(ratings)) if several else (),
        by_document=has_documents(ratings),
        twice=tuple(agreement_with_oneself(passes, subject.setting, subject.figure)) if passes else (),
    )


def _beside(subject: Subject) -> dict[str, Beside]:
    if subject.everybody is None:
        return {}
    return beside(subject.everybody, (subject.units, subject.setting), (subject.figure, OBSERVED))
