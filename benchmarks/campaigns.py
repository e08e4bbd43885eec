"""Simulated campaigns, thousands side by side: their documents' sums, and figures as functions of sums.

A figure is 1 - N / D, N and D being functions of sums over units that add up over documents. How much a
document moves it follows from their gradients (complex step), for all campaigns at once.
"""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt
from scipy.special import roots_jacobi

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int8]
Mask = npt.NDArray[np.bool_]
# What is left of 1 - N / D: N and D from sums (…, columns).
Formula = Callable[[Floats], tuple[Floats, Floats]]

CATEGORIES = 3
# How the rest of the labels falls on the rarer two categories.
RARER = (2 / 3, 1 / 3)
CORRELATION = 0.1
ERROR = 0.2
MISSING = 0.25
# How much likelier than their share each annotator draws the categories by mistake.
LEANINGS = ((1, 0.5, 1), (1, 3, 1), (1, 1, 3), (1, 2, 2), (1, 0.3, 0.3))
NODES = 8
STEP = 1e-20
NOTHING = 1e-9
SINGLE = ("units", "apart", "met", "rated", "ratings²")
BY_CATEGORY = ("totals", "shares", "first", "second", "both", "possible", "possible²")
TWICE = tuple(itertools.combinations_with_replacement(range(CATEGORIES), 2))
COLUMNS = len(SINGLE) + len(BY_CATEGORY) * CATEGORIES + len(TWICE)


@dataclass(frozen=True)
class Design:
    """A campaign: documents of geometric length, the mean being `units`; each has its mix and rate of errors.

    Both come from a Dirichlet and a beta distribution of concentration (1 - r) / r, with the `correlation` r.
    With one unit each, units are independent. `prevalence` is the share of the commonest category.
    """

    documents: int
    prevalence: float
    annotators: int
    missing: bool = False
    units: int = 20
    correlation: float = CORRELATION

    @property
    def concentration(self) -> float:
        """Return that of the distributions of mixes and error rates."""
        return (1 - self.correlation) / self.correlation

    @property
    def shares(self) -> Floats:
        """Return the shares of the categories."""
        return np.array([self.prevalence, *((1 - self.prevalence) * share for share in RARER)])

    @property
    def mistaken(self) -> Floats:
        """Return what each annotator draws from by mistake (annotators, categories)."""
        leaning = self.shares * np.array(LEANINGS[: self.annotators])
        drawn: Floats = leaning / leaning.sum(axis=1, keepdims=True)
        return drawn

    def generator(self, seed: int) -> np.random.Generator:
        """Return the design's own random numbers."""
        percent = round(100 * self.prevalence)
        return np.random.default_rng(
            [seed, self.documents, percent, self.annotators, self.missing, self.units]
        )


@dataclass(frozen=True, eq=False)
class Material:
    """Documents before anybody labels them: the document and the true label of each unit, and error rates."""

    lengths: npt.NDArray[np.int64]
    document: npt.NDArray[np.int64]
    truth: Labels
    error: Floats


def material(design: Design, campaigns: int, random: np.random.Generator) -> Material:
    """Return the documents of campaigns, one after the other."""
    many = campaigns * design.documents
    alone = design.units == 1
    lengths = np.ones(many, dtype=np.int64) if alone else random.geometric(1 / design.units, many)
    size = design.concentration
    mix = np.broadcast_to(design.shares, (many, CATEGORIES))
    error = np.full(many, ERROR)
    if not alone:
        mix = random.dirichlet(design.shares * size, many)
        error = random.beta(ERROR * size, (1 - ERROR) * size, many)
    document = np.repeat(np.arange(many), lengths)
    return Material(lengths, document, _drawn(random, np.cumsum(mix, axis=1)[document]), error)


def _drawn(random: np.random.Generator, ends: Floats) -> Labels:
    chance = random.random(len(ends))
    found: Labels = (chance[:, None] > ends[:, :-1]).sum(axis=1).astype(np.int8)
    return found


def labelled(design: Design, given: Material, random: np.random.Generator) -> Labels:
    """Return labels (units, annotators): the true one, or one drawn by mistake; -1 where one is missing."""
    labels = np.empty((len(given.truth), design.annotators), dtype=np.int8)
    error = given.error[given.document]
    for annotator, drawn in enumerate(design.mistaken):
        ends = np.broadcast_to(np.cumsum(drawn), (len(error), CATEGORIES))
        blind = _drawn(random, ends)
        labels[:, annotator] = np.where(random.random(len(error)) < error, blind, given.truth)
        if design.missing:
            labels[random.random(len(error)) < MISSING, annotator] = -1
    return labels


def sums(design: Design, given: Material, labels: Labels) -> Floats:
    """Return the sums of each document (campaigns, documents, columns)."""
    starts = np.concatenate([[0], np.cumsum(given.lengths)[:-1]])
    found = np.stack([np.add.reduceat(each, starts) for each in _columns(labels)], axis=-1)
    return found.reshape(-1, design.documents, COLUMNS)


def _columns(labels: Labels) -> Iterator[Floats]:
    """Yield what each unit adds to each sum (units,)."""
    times = [(labels == category).sum(axis=1).astype(np.float64) for category in range(CATEGORIES)]
    ratings = np.sum(times, axis=0)
    several = (ratings >= 2).astype(np.float64)
    apart = (ratings * ratings - np.sum([each * each for each in times], axis=0)) * several
    others, any_rating = np.maximum(ratings - 1, 1), np.maximum(ratings, 1)
    yield from (several, apart / (any_rating * others), apart / others, (ratings >= 1).astype(np.float64))
    yield ratings * ratings * several
    yield from (each * several for each in times)
    yield from (each / any_rating for each in times)
    for who in range(2):
        yield from ((labels[:, who] == category) * several for category in range(CATEGORIES))
    yield from (each * (each - 1) for each in times)
    yield from (each * (ratings - 1) for each in times)
    yield from ((each * (ratings - 1)) ** 2 for each in times)
    yield from (times[one] * times[other] * several for one, other in TWICE)


def _of(total: Floats, part: str) -> Floats:
    """Return a part of sums: (…,), or (…, categories)."""
    if part in SINGLE:
        single: Floats = total[..., SINGLE.index(part)]
        return single
    start = len(SINGLE) + BY_CATEGORY.index(part) * CATEGORIES
    return total[..., start : start + CATEGORIES]


def _alpha(total: Floats) -> tuple[Floats, Floats]:
    totals = _of(total, "totals")
    ratings = totals.sum(axis=-1)
    return _of(total, "met"), ratings - (totals * totals).sum(axis=-1) / ratings


def _kappa(total: Floats) -> tuple[Floats, Floats]:
    units = _of(total, "units")
    return _of(total, "apart"), units - (_of(total, "first") * _of(total, "second")).sum(axis=-1) / units


def _pooled(total: Floats) -> Floats:
    return _of(total, "shares") / _of(total, "rated")[..., None]


def _fleiss(total: Floats) -> tuple[Floats, Floats]:
    return _of(total, "apart"), _of(total, "units") * (1 - (_pooled(total) ** 2).sum(axis=-1))


def _ac1(total: Floats) -> tuple[Floats, Floats]:
    shares = _pooled(total)
    chance = (shares * (1 - shares)).sum(axis=-1) / (CATEGORIES - 1)
    return _of(total, "apart"), _of(total, "units") * (1 - chance)


def _specific(category: int) -> Formula:
    def formula(total: Floats) -> tuple[Floats, Floats]:
        possible = _of(total, "possible")[..., category]
        return possible - _of(total, "both")[..., category], possible

    return formula


@dataclass(frozen=True)
class Measure:
    """A figure 1 - N / D, and the least that it can be.

    `chance` says whether D is disagreement that labels give by chance, `bounded` whether a figure without
    disagreement has an exact bound, `category` of which category it is, if it is of one.
    """

    formula: Formula
    low: float
    chance: bool = False
    bounded: bool = True
    category: int | None = None

    @property
    def of_units(self) -> bool:
        """Tell whether D may come from few units alone."""
        return self.chance or self.category is not None


SHARE, BEYOND = 0.0, -1.0
MEASURES = {
    "krippendorff_alpha": Measure(_alpha, BEYOND, chance=True),
    "cohen_kappa": Measure(_kappa, BEYOND, chance=True),
    "fleiss_kappa": Measure(_fleiss, BEYOND, chance=True),
    "gwet_ac1": Measure(_ac1, BEYOND),
    "bennett_s": Measure(
        lambda total: (_of(total, "apart"), _of(total, "units") * (1 - 1 / CATEGORIES)),
        -1 / (CATEGORIES - 1),
    ),
    "observed_agreement": Measure(lambda total: (_of(total, "apart"), _of(total, "units")), SHARE),
    **{
        f"specific_agreement {category}": Measure(
            _specific(category), SHARE, bounded=False, category=category
        )
        for category in range(CATEGORIES)
    },
}


def measures_of(design: Design) -> Iterator[str]:
    """Yield the measures of a design: kappa is for two annotators who label every unit."""
    both = design.annotators == 2 and not design.missing
    yield from (name for name in MEASURES if both or name != "cohen_kappa")


def true_values(design: Design) -> dict[str, float]:
    """Return the figures of endless material: from what each sum is for a unit on average, exactly."""
    options = range(-1 if design.missing else 0, CATEGORIES)
    labels = np.array(list(itertools.product(options, repeat=design.annotators)), dtype=np.int8)
    chances = np.zeros(len(labels))
    for error, weight in zip(*_errors(design), strict=True):
        for truth, share in enumerate(design.shares):
            chances += weight * share * likelihood(design, labels, truth, error)
    total = np.array([(each * chances).sum() for each in _columns(labels)])
    parts = {name: MEASURES[name].formula(total) for name in measures_of(design)}
    return {name: float(1 - above / below) for name, (above, below) in parts.items()}


def _errors(design: Design) -> tuple[Floats, Floats]:
    """Return the rates of errors and their weights that give any moment needed exactly (Gauss-Jacobi)."""
    if design.units == 1:
        return np.array([ERROR]), np.ones(1)
    return error_rates(design.concentration)


def error_rates(size: float) -> tuple[Floats, Floats]:
    """Return rates of errors that are beta distributed, and their weights, for any moment needed."""
    nodes, weights = roots_jacobi(NODES, (1 - ERROR) * size - 1, ERROR * size - 1)
    return (nodes + 1) / 2, weights / weights.sum()


class Erring(Protocol):
    """A design of annotators who draw labels by mistake, and may leave some out."""

    @property
    def mistaken(self) -> Floats:
        """Return what each draws from (annotators, categories)."""

    @property
    def missing(self) -> bool:
        """Tell whether labels are missing."""


def likelihood(design: Erring, labels: npt.NDArray[np.signedinteger], truth: int, error: float) -> Floats:
    """Return how likely rows of labels (rows, annotators) are."""
    found = np.ones(len(labels))
    for annotator, drawn in enumerate(design.mistaken):
        given = labels[:, annotator]
        likely = (1 - error) * (given == truth) + error * drawn[np.maximum(given, 0)]
        found *= np.where(given < 0, MISSING, (1 - MISSING) * likely) if design.missing else likely
    return found


@dataclass(frozen=True, eq=False)
class Figures:
    """A figure of each campaign: `value` (campaigns,), and of its documents (campaigns, documents).

    `moved` is how much each document moves the figure, `share` its share of D. `seen` says where there was
    disagreement, `worst` what the figure falls by if all disagree. `units` is the number of units, `alike`
    how many would have as much of D if all had the same, `rarer` how many carry a rarer label. They are known
    of chance disagreement, and the second last of a category too.
    """

    value: Floats
    moved: Floats
    share: Floats
    seen: Mask
    worst: Floats
    units: Floats
    alike: Floats
    rarer: Floats


def figures(name: str, by_document: Floats) -> Figures:
    """Return a figure of campaigns, given their documents' sums; NaN where it is undefined."""
    with np.errstate(all="ignore"):
        return _figures(name, by_document)


def _figures(name: str, by_document: Floats) -> Figures:
    formula, total, category = MEASURES[name].formula, by_document.sum(axis=1), MEASURES[name].category
    above, below = formula(total)
    slopes = np.zeros((2, *total.shape))
    for column in range(total.shape[1]):
        moved = total.astype(np.complex128)
        moved[:, column] += 1j * STEP
        for part, each in enumerate(formula(moved)):
            slopes[part, :, column] = np.imag(each) / STEP
    of_above, of_below = (np.einsum("mgk,mk->mg", by_document, slope) for slope in slopes)
    quotient = above / below
    units = _of(total, "units")
    if category is None:
        alike = _units_alike(total)
    else:
        alike = _of(total, "possible")[..., category] ** 2 / _of(total, "possible²")[..., category]
    ratings = _of(total, "totals").sum(axis=-1)
    alpha = name == "krippendorff_alpha"
    small = (ratings - 1) / ratings if alpha else 1.0
    return Figures(
        value=1 - quotient * small,
        moved=(quotient[:, None] * of_below - of_above) / below[:, None],
        share=of_below / below[:, None],
        seen=above > NOTHING,
        worst=small * (ratings if alpha else units) / below,
        units=units,
        alike=alike,
        rarer=_rarer(total),
    )


def _rarer(total: Floats) -> Floats:
    """Return how many units carry a rarer label: with two labels, p / (1 - p) of them."""
    totals = _of(total, "totals")
    shares = totals / totals.sum(axis=-1, keepdims=True)
    expected = 1 - (shares * shares).sum(axis=-1)
    odds = 1 - np.sqrt(np.maximum(1 - 2 * expected, 0))
    found: Floats = _of(total, "units") * odds / (2 - odds)
    return found


def _units_alike(total: Floats) -> Floats:
    """Return (Σw)² / Σw² over units, w being a unit's share of the disagreement that alpha expects."""
    totals = _of(total, "totals")
    shares = totals / totals.sum(axis=-1, keepdims=True)
    expected = 1 - (shares * shares).sum(axis=-1, keepdims=True)
    by_label = 2 * (1 - shares) / expected - 1
    squares = np.zeros(len(total))
    for place, (one, other) in enumerate(TWICE, start=COLUMNS - len(TWICE)):
        times = 1 if one == other else 2
        squares += times * by_label[:, one] * by_label[:, other] * total[:, place]
    found: Floats = totals.sum(axis=-1) ** 2 / squares
    return found
