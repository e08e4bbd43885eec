"""How often 95% intervals hold the true value, of every kind of figure, on the same simulated campaigns.

`python -m benchmarks every_figure [--replications N]` prints the tables of docs/uncertainty.md. Figures and
intervals are reportgen's own. Documents are of geometric length, 20 units on average; each has its mix of
five categories, which are points of a scale too. Labels are wrong by `difficulty`, a document being hard for
everybody alike, or by `slips`, an annotator being tired in some documents. All categories but the commonest
are marks of F-measure.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
import numpy.typing as npt

from benchmarks.campaigns import CORRELATION, ERROR, MISSING, error_rates, likelihood
from reportgen.measures.complete_ratings import absolute_agreement
from reportgen.measures.distances import interval, nominal, ordinal
from reportgen.measures.estimate import ConfidenceInterval, Estimate
from reportgen.measures.figures_of_sums import UnitsByLabels, coefficient, specific_agreement
from reportgen.measures.formulas import (
    bennett_s,
    cohen_kappa,
    fleiss_kappa,
    gwet_ac,
    krippendorff_alpha,
)
from reportgen.measures.spans import F, mean_of_ratios, ratios
from reportgen.measures.unit_profiles import LabelPatterns
from reportgen.measures.unit_set_data import complete
from reportgen.readers import Codes
from reportgen.units import NO_CATEGORY
from reportgen.units.labels import sums_by

Floats = npt.NDArray[np.float64]

SEED = 3434
REPLICATIONS = 400
# What a share of intervals that hold the true value may be, and of fewer intervals none is told.
LEAST, MOST = 0.92, 0.985
TOLD = 100
# Of the normal distribution, two-sided at .05.
QUANTILE = 1.96
DOCUMENTS, PREVALENCES = (10, 20, 50, 200), (0.5, 0.9, 0.98)
# Shares of the other categories, in the order of the scale.
OTHERS = (0.4, 0.3, 0.2, 0.1)
SIZE = len(OTHERS) + 1
# How much likelier than their share each annotator draws the categories by mistake.
LEANINGS = ((1, 1, 0.5, 1, 1), (1, 2, 1, 1, 1), (1, 1, 1, 2, 2), (1, 0.5, 2, 1, 1), (2, 1, 1, 1, 0.5))
LENGTH = 20
CONCENTRATION = (1 - CORRELATION) / CORRELATION
# Units of endless material, in which shares are whole numbers nearly.
ENDLESS = 10**10


@dataclass(frozen=True)
class Design:
    """A campaign; `prevalence` is the share of the commonest category, `slips` says how labels are wrong.

    Lengths of documents are geometric, or log-normal where `unequal` says how much their logarithms vary.
    """

    documents: int
    prevalence: float
    annotators: int
    missing: bool
    slips: bool
    unequal: float = 0.0

    def __str__(self) -> str:
        """Return it in words."""
        parts = f"{self.documents} documents, {self.prevalence:g}, {self.annotators} annotators"
        return f"{parts}, {'slips' if self.slips else 'difficulty'}{', missing' if self.missing else ''}"

    @property
    def shares(self) -> Floats:
        """Return the shares of the categories."""
        return np.array([self.prevalence, *((1 - self.prevalence) * share for share in OTHERS)])

    @property
    def mistaken(self) -> Floats:
        """Return what each annotator draws from by mistake (annotators, categories)."""
        leaning = self.shares * np.array(LEANINGS[: self.annotators])
        drawn: Floats = leaning / leaning.sum(axis=1, keepdims=True)
        return drawn

    def generator(self) -> np.random.Generator:
        """Return the design's own random numbers."""
        key = self.documents, round(100 * self.prevalence), self.annotators, self.missing, self.slips
        return np.random.default_rng([SEED, *key])


DESIGNS = tuple(
    Design(*each) for each in product(DOCUMENTS, PREVALENCES, (2, 3, 5), (False, True), (False, True))
)


@dataclass(frozen=True, eq=False)
class Campaign:
    """Labels (units, annotators), NO_CATEGORY where one is missing, and each unit's document (units,).

    Each row is `n` (units,) units.
    """

    labels: Codes
    document: Codes
    n: Codes


def drawn(design: Design, random: np.random.Generator) -> Campaign:
    """Return one campaign of a design."""
    document = np.repeat(np.arange(design.documents), _lengths(design, random))
    mix = random.dirichlet(design.shares * CONCENTRATION, design.documents)
    truth = _chosen(np.cumsum(mix, axis=1)[document], random)
    width = design.annotators if design.slips else 1
    rates = random.beta(ERROR * CONCENTRATION, (1 - ERROR) * CONCENTRATION, (design.documents, width))
    wrong = random.random((len(document), design.annotators)) < rates[document]
    blind = np.stack(
        [
            _chosen(np.broadcast_to(np.cumsum(each), (len(document), SIZE)), random)
            for each in design.mistaken
        ],
        axis=1,
    )
    labels = np.where(wrong, blind, truth[:, None])
    if design.missing:
        labels = np.where(random.random(labels.shape) < MISSING, NO_CATEGORY, labels)
    return Campaign(labels, document, np.ones(len(document), dtype=np.int64))


def _lengths(design: Design, random: np.random.Generator) -> Codes:
    if not design.unequal:
        return random.geometric(1 / LENGTH, design.documents)
    by_logarithm = random.normal(-(design.unequal**2) / 2, design.unequal, design.documents)
    return np.maximum(np.round(LENGTH * np.exp(by_logarithm)), 1).astype(np.int64)


def _chosen(ends: Floats, random: np.random.Generator) -> Codes:
    found: Codes = (random.random(len(ends))[:, None] > ends[:, :-1]).sum(axis=1)
    return found


def endless(design: Design) -> Campaign:
    """Return endless material: every possible row of labels, as often as it is expected."""
    options = range(NO_CATEGORY if design.missing else 0, SIZE)
    labels = np.array(list(product(options, repeat=design.annotators)), dtype=np.int64)
    chances = np.zeros(len(labels))
    for error, weight in zip(*_errors(design), strict=True):
        for truth, share in enumerate(design.shares):
            chances += weight * share * likelihood(design, labels, truth, error)
    n = np.round(chances * ENDLESS).astype(np.int64)
    return Campaign(labels, np.zeros(len(labels), dtype=np.int64), n)


def _errors(design: Design) -> tuple[Floats, Floats]:
    """Return error rates and their weights that give any moment needed exactly (Gauss-Jacobi)."""
    if design.slips:  # those of annotators are independent
        return np.array([ERROR]), np.ones(1)
    return error_rates(CONCENTRATION)


def figures(campaign: Campaign) -> Iterator[tuple[str, Estimate]]:
    """Yield every figure of a campaign; kappa is of two annotators who label every unit."""
    annotators = campaign.labels.shape[1]
    several, any_rating = _profiles(campaign, 2), _profiles(campaign, 1)
    names, of_any = nominal(SIZE), UnitsByLabels(any_rating, nominal(SIZE))
    yield "alpha", coefficient(krippendorff_alpha, UnitsByLabels(several, names))
    if annotators == 2 and len(several.document) == len(any_rating.document):
        yield "kappa", coefficient(cohen_kappa, UnitsByLabels(several, names))
    yield "Fleiss' kappa", coefficient(fleiss_kappa, of_any)
    yield "AC1", coefficient(gwet_ac, of_any)
    yield "S", coefficient(bennett_s, UnitsByLabels(several, names))
    for title, category in (("commonest", 0), ("second", 1), ("rarest", SIZE - 1)):
        yield f"specific agreement, {title}", specific_agreement(several, category)
    yield "F", mean_f(campaign)
    values = np.arange(SIZE, dtype=np.float64)
    ranks = ordinal(several.totals, int(several.totals.sum()) / max(several.units, 1))
    yield "alpha [ordinal]", coefficient(krippendorff_alpha, UnitsByLabels(several, ranks))
    yield "alpha [interval]", coefficient(krippendorff_alpha, UnitsByLabels(several, interval(values)))
    whole = (campaign.labels != NO_CATEGORY).all(axis=1) & (campaign.n > 0)
    parts = campaign.labels[whole], campaign.document[whole], campaign.n[whole]
    yield "ICC(A,1)", absolute_agreement(complete(*parts, SIZE), values)


def _profiles(campaign: Campaign, least: int) -> LabelPatterns:
    """Return the units with at least so many ratings, by their labels; of more than two they are sorted."""
    rows = ((campaign.labels != NO_CATEGORY).sum(axis=1) >= least) & (campaign.n > 0)
    labels = campaign.labels[rows]
    if labels.shape[1] > 2:
        labels = -np.sort(-labels, axis=1)
    codes = (labels + 1) @ (SIZE + 1) ** np.arange(labels.shape[1])
    _, first, profile = np.unique(codes, return_index=True, return_inverse=True)
    return LabelPatterns(labels[first], campaign.document[rows], profile, campaign.n[rows], SIZE)


def mean_f(campaign: Campaign) -> Estimate:
    """Return the mean F over pairs of annotators, of the units that both labelled."""
    documents = int(campaign.document.max()) + 1
    counts, codes, pairs = [], [], []
    for pair, (one, other) in enumerate(combinations(range(campaign.labels.shape[1]), 2)):
        first, second = campaign.labels[:, one], campaign.labels[:, other]
        seen = (first != NO_CATEGORY) & (second != NO_CATEGORY)
        match = seen & (first == second) & (first > 0)
        alone = [seen & (label > 0) & ~match for label in (first, second)]
        # Matches, overlaps, and marks of either alone.
        of_pair = [
            sums_by(campaign.document[rows], campaign.n[rows], max(documents, 1))
            for rows in (match, np.zeros_like(match), *alone)
        ]
        counts.append(np.stack(of_pair, axis=1))
        codes.append(np.arange(max(documents, 1)))
        pairs.append(np.full(max(documents, 1), pair))
    ratio = ratios(np.concatenate(counts), "strict", 1.0, documents=np.concatenate(codes))[F]
    return mean_of_ratios(ratio, np.concatenate(pairs))


@dataclass(frozen=True)
class Covered:
    """Of a figure's campaigns: how many there are, have an interval, and one below or above the truth."""

    campaigns: int
    given: int
    below: int
    above: int

    @property
    def held(self) -> float | None:
        """Return the share of intervals that hold the true value, None where few are given."""
        return 1 - (self.below + self.above) / self.given if self.given >= TOLD else None

    @property
    def is_outside(self) -> bool:
        """Tell whether that share is not what it may be."""
        return self.held is not None and not LEAST <= self.held <= MOST

    @property
    def is_chance(self) -> bool:
        """Tell whether so many campaigns would differ by so much once in twenty times, or more often."""
        held = self.held or 0.0
        nearest = LEAST if held < LEAST else MOST
        error = math.sqrt(nearest * (1 - nearest) / max(self.given, 1))
        return abs(held - nearest) < QUANTILE * error


def covered(design: Design, campaigns: int) -> dict[str, Covered]:
    """Return how often intervals of each figure hold the true value; the same in each run."""
    true = {name: figure.value or 0.0 for name, figure in figures(endless(design))}
    random, ends = design.generator(), defaultdict[str, list[ConfidenceInterval]](list)
    for _ in range(campaigns):
        for name, figure in figures(drawn(design, random)):
            found = ends[name]
            if isinstance(figure.interval, ConfidenceInterval):
                found.append(figure.interval)
    return {
        name: Covered(
            campaigns,
            len(found),
            sum(each.high < true[name] for each in found),
            sum(each.low > true[name] for each in found),
        )
        for name, found in ends.items()
    }


Found = Mapping[Design, Mapping[str, Covered]]


def run(replications: int) -> str:
    """Return the tables of all designs."""
    return tables({design: covered(design, replications) for design in DESIGNS})


def tables(found: Found) -> str:
    """Return a row for each figure and number of documents, and a list of what is not as it may be."""
    return "\n".join([*_by_size(found), "", *_outside(found)])


def _by_size(found: Found) -> Iterator[str]:
    names = dict.fromkeys(name for by_name in found.values() for name in by_name)
    yield f"| figure | documents | {' | '.join(f'commonest {each:g}' for each in PREVALENCES)} |"
    yield f"|---|--:|{'--:|' * len(PREVALENCES)}"
    for name, documents in product(names, DOCUMENTS):
        cells = (
            _cell(
                [
                    by_name[name]
                    for design, by_name in found.items()
                    if (design.documents, design.prevalence) == (documents, prevalence) and name in by_name
                ]
            )
            for prevalence in PREVALENCES
        )
        yield f"| {name} | {documents} | {' | '.join(cells)} |"


def _cell(cells: Sequence[Covered]) -> str:
    given = np.mean([each.given / each.campaigns for each in cells])
    held = [share for each in cells if (share := each.held) is not None]
    if not held:
        return f"–; {given:.2f}"
    return f"{min(held):.3f}, {np.median(held):.3f}, {max(held):.3f}; {given:.2f}"


def _outside(found: Found) -> Iterator[str]:
    cells = [
        (design, name, each)
        for design, by_name in found.items()
        for name, each in by_name.items()
        if each.held is not None
    ]
    outside = [(design, name, each) for design, name, each in cells if each.is_outside]
    beyond = sum(not each.is_chance for *_, each in outside)
    yield f"{len(cells)} cells, {len(outside)} outside, {beyond} beyond chance:"
    yield ""
    yield "| figure | design | contains | below, above | with interval |"
    yield "|---|---|--:|--:|--:|"
    for design, name, each in outside:
        if not each.is_chance:
            sides = f"{each.below / each.given:.3f}, {each.above / each.given:.3f}"
            shown = f"{each.held:.3f} | {sides} | {each.given / each.campaigns:.2f}"
            yield f"| {name} | {design} | {shown} |"
