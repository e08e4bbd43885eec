"""How often the tests between two guidelines versions err, and how often they see a real improvement.

Documents, their units and how hard each is are drawn; annotators' slips are new in each version. Re-annotated
documents are the same under both versions, different ones are drawn anew.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from benchmarks import batches
from benchmarks.batches import Batch, Floats, Tested, Values
from benchmarks.data import Labels
from reportgen.versions.gate import FallTest, falls, lowest

SEED = 2016
UNITS = 30
ERROR = 0.25
# How alike the chances of erring are within a unit: beta of the document's rate times this.
HARDNESS = 1.0
AT = 0.05
AT_ONCE = 250
# Units from which a true fall is taken.
POPULATION = 900_000
MIXES = {(2, 0.5): (0.5, 0.5), (2, 0.8): (0.8, 0.2), (4, 0.5): (0.5, 0.25, 0.15, 0.1)}
MIXES[4, 0.8] = (0.8, 0.1, 0.06, 0.04)


@dataclass(frozen=True)
class Design:
    """A simulated campaign: `correlation` is how alike units of a document are, `shares` the categories'.

    Each document has its own mix of categories and its own rate of errors, from a Dirichlet and a beta
    distribution of concentration (1 - correlation) / correlation. `factor` multiplies the chance of an
    error under the second version.
    """

    documents: int
    correlation: float
    annotators: int
    shares: tuple[float, ...]
    factor: float = 1.0

    @property
    def figures(self) -> Mapping[str, Callable[[Batch], Values]]:
        """Return the figures that are compared; specific agreement is that of the rarest category."""
        found = {"krippendorff_alpha": batches.krippendorff_alpha}
        if self.annotators == 2:
            found["cohen_kappa"] = batches.cohen_kappa
        found["observed_agreement"] = batches.observed_agreement
        return found | {"specific_agreement": batches.specific_agreement(len(self.shares) - 1)}


DOCUMENTS = (10, 20, 30, 60)
CORRELATIONS = (0.0, 0.1, 0.3)
DESIGNS = tuple(
    Design(documents, correlation, annotators, shares)
    for documents in DOCUMENTS
    for correlation in CORRELATIONS
    for annotators in (2, 3)
    for shares in MIXES.values()
)


@dataclass(frozen=True, eq=False)
class Material:
    """What there is to annotate: right labels and chances to err (campaigns, documents, units), mixes."""

    truth: Labels
    error: Floats
    mix: Floats


def material(design: Design, campaigns: int, random: np.random.Generator) -> Material:
    """Return documents whose units are as alike as the design says."""
    shares, shape = np.array(design.shares), (campaigns, design.documents)
    mix, rate = np.broadcast_to(shares, (*shape, len(shares))), np.full(shape, ERROR)
    if design.correlation:
        size = (1 - design.correlation) / design.correlation
        mix = random.dirichlet(shares * size, shape)
        # Far from 0 and 1, where nothing can be drawn any more.
        rate = random.beta(ERROR * size, (1 - ERROR) * size, shape).clip(1e-6, 1 - 1e-6)
    rate = np.broadcast_to(rate[:, :, None], (*shape, UNITS))
    error = random.beta(rate * HARDNESS, (1 - rate) * HARDNESS)
    return Material(_drawn(random.random(rate.shape), mix), error, mix)


def annotated(given: Material, design: Design, factor: float, random: np.random.Generator) -> Labels:
    """Return labels (campaigns, documents, units, annotators): the right one, or by mistake a blind one."""
    shape = (*given.truth.shape, design.annotators)
    flat = (*shape[:2], UNITS * design.annotators)
    blind = _drawn(random.random(flat), given.mix).reshape(shape)
    wrong = random.random(shape) < factor * given.error[..., None]
    return np.where(wrong, blind, given.truth[..., None])


def _drawn(uniform: Floats, mix: Floats) -> Labels:
    """Return categories drawn from the mix of each document (campaigns, documents, many)."""
    found = np.zeros(uniform.shape, dtype=np.int64)
    ends = np.cumsum(mix, axis=-1)
    for category in range(mix.shape[-1] - 1):
        found += uniform > ends[:, :, category, None]
    return found


@dataclass(frozen=True, eq=False)
class Versions:
    """Many campaigns of two versions: the first, the second of the same documents, and of others."""

    first: Batch
    again: Batch
    others: Batch


def versions(design: Design, campaigns: int, random: np.random.Generator) -> Versions:
    """Return simulated campaigns."""
    here, there = material(design, campaigns, random), material(design, campaigns, random)
    sums = partial(batches.batch, categories=len(design.shares))
    return Versions(
        sums(annotated(here, design, 1.0, random)),
        sums(annotated(here, design, design.factor, random)),
        sums(annotated(there, design, design.factor, random)),
    )


def tests(given: Versions, figure: Callable[[Batch], Values]) -> dict[str, Tested]:
    """Return the t tests of one figure, by name; the third wrongly takes the documents for others."""
    first, again, others = (figure(each) for each in (given.first, given.again, given.others))
    return {
        "paired": batches.paired(first, again),
        "unpaired": batches.unpaired(first, again),
        "unpaired, others": batches.unpaired(first, others),
    }


@dataclass(frozen=True)
class Rejected:
    """In which share of a design's campaigns each test of each figure has p ≤ .05, and what the gate says.

    `gate` has the share in which a rule `fall` breaks, by test. Where errors are more frequent under the
    second version there are no other shares, and "margin" has that in which alpha's fall is said to be
    smaller than it is.
    """

    design: Design
    shares: Mapping[tuple[str, str], float]
    gate: Mapping[str, float]


def rejected(design: Design, replications: int) -> Rejected:
    """Return how often tests reject; the same in each run. Where there is no test nothing is rejected."""
    mark = [SEED, design.documents, round(10 * design.correlation), design.annotators, len(design.shares)]
    random = np.random.default_rng([*mark, round(10 * design.shares[0]), round(100 * design.factor)])
    fall = true_fall(design, random) if design.factor > 1 else None
    parts: list[dict[tuple[str, str], Floats]] = []
    with np.errstate(invalid="ignore", divide="ignore"):
        for start in range(0, replications, AT_ONCE):
            given = versions(design, min(AT_ONCE, replications - start), random)
            found = _p_values(given, design) if fall is None else _margin(given, fall)
            parts.append(dict(found) | dict(_gate(given, design)))
    share = {key: float(np.mean(np.concatenate([part[key] for part in parts]) <= AT)) for key in parts[0]}
    gate = {test: share[key] for key in share for figure, test in [key] if figure == "gate"}
    return Rejected(design, {key: value for key, value in share.items() if key[0] != "gate"}, gate)


def _p_values(given: Versions, design: Design) -> Iterator[tuple[tuple[str, str], Floats]]:
    for name, figure in design.figures.items():
        yield from (((name, test), each.two_sided) for test, each in tests(given, figure).items())


def _gate(given: Versions, design: Design) -> Iterator[tuple[tuple[str, str], Floats]]:
    """Yield the least p after Holm of three rules that forbid a significant fall; 1 where none is tested."""
    last = len(design.shares) - 1
    rules = (batches.krippendorff_alpha, *map(batches.specific_agreement, (0, last)))
    found = [tests(given, figure) for figure in rules]
    for test in ("paired", "unpaired, others"):
        statistics, degrees = (np.stack(part, axis=1) for part in _columns([each[test] for each in found]))
        yield ("gate", test), np.array(list(map(_least, statistics.tolist(), degrees.tolist())))


def _columns(found: Sequence[Tested]) -> tuple[list[Floats], list[Floats]]:
    return [each.difference / each.error for each in found], [each.degrees for each in found]


def _least(statistics: Sequence[float], degrees: Sequence[float]) -> float:
    """Return the least p of one campaign, one-sided and corrected as `reportgen check` does."""
    both = zip(statistics, degrees, strict=True)
    answers = falls([FallTest(statistic, of, AT) for statistic, of in both if not math.isnan(statistic)])
    return min((each.adjusted for each in answers), default=1.0)


def true_fall(design: Design, random: np.random.Generator) -> float:
    """Return by how much alpha falls in a campaign so large that chance does not matter."""
    many = versions(replace(design, documents=POPULATION // UNITS), 1, random)
    first, second = (float(batches.krippendorff_alpha(each).value[0]) for each in (many.first, many.again))
    return first - second


def _margin(given: Versions, fall: float) -> Iterator[tuple[tuple[str, str], Floats]]:
    """Return 0 for campaigns in which alpha is shown to fall by less than it does, else 1."""
    found = tests(given, batches.krippendorff_alpha)["paired"]
    rows = zip(found.difference.tolist(), found.error.tolist(), found.degrees.tolist(), strict=True)
    yield ("gate", "margin"), np.array([float(lowest(*row, AT) <= -fall) for row in rows])
