"""The table of docs/replacement.md: intervals that cover the choice of annotators, and the truth.

`python -m benchmarks annotators [--replications N]` prints it.
"""

from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np

from reportgen.campaign import ReplacementRule
from reportgen.counts import table_of_labels
from reportgen.measures import ConfidenceInterval, ScaleSetting
from reportgen.measures.annotators.alternative_annotator import ModelAgainstHumans, panel_of_labels
from reportgen.measures.comparisons import ALPHA, against_humans, humans, pair_scores
from reportgen.results import Interval
from reportgen.units import CodedUnits, ComparedUnits

REPLICATIONS = 500
SEED = 20261123
DOCUMENTS, UNITS, CATEGORIES = 40, 5, 4
# How much of being right the units of one document have in common.
CORRELATION = 0.1
MODEL = 0.75
SETTING = ScaleSetting(scale="nominal")
FIGURES = ("difference", "ρ")
Ends = tuple[float, float]


@dataclass(frozen=True)
class Design:
    """So many humans, who are right with probabilities drawn from MODEL - spread to MODEL + spread."""

    humans: int
    spread: float


DESIGNS = tuple(Design(*each) for each in product((5, 8, 12), (0.0, 0.2)))


@dataclass(frozen=True)
class Seen:
    """A figure of one campaign, with its interval over documents, and over documents and annotators."""

    value: float
    over_documents: Ends
    over_both: Ends


def run(replications: int) -> str:
    """Return the table; two processes share the work."""
    with ProcessPoolExecutor(2) as workers:
        found = workers.map(partial(coverage, replications=replications), DESIGNS)
        rows = [
            (f"{design.humans}", _skills(design), name, *(f"{each:.3f}" for each in shares))
            for design, of_design in zip(DESIGNS, found, strict=True)
            for name, shares in of_design.items()
        ]
    head = ("humans", "skill", "figure", "over documents", "over both", "width", "width, over both")
    lines = [head, ("--:", "---", "---", *["--:"] * 4), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _skills(design: Design) -> str:
    return f"{MODEL - design.spread:.2f} to {MODEL + design.spread:.2f}" if design.spread else f"{MODEL:.2f}"


def coverage(design: Design, replications: int) -> dict[str, tuple[float, float, float, float]]:
    """Return of each figure the shares of both intervals that contain the truth, and their mean widths.

    The truth is the mean of the figure over all campaigns, in which other humans label other documents.
    """
    random = np.random.default_rng([SEED, design.humans, round(100 * design.spread)])
    campaigns = [simulated(design, random) for _ in range(replications)]
    return {name: _shares([each[name] for each in campaigns if name in each]) for name in FIGURES}


def _shares(found: list[Seen]) -> tuple[float, float, float, float]:
    truth = np.mean([each.value for each in found])
    ends = np.array([[each.over_documents, each.over_both] for each in found])
    inside = (ends[:, :, 0] <= truth) & (truth <= ends[:, :, 1])
    (one, two), (three, four) = inside.mean(axis=0), (ends[:, :, 1] - ends[:, :, 0]).mean(axis=0)
    return one, two, three, four


def simulated(design: Design, random: np.random.Generator) -> Mapping[str, Seen]:
    """Return both figures of one campaign of a reference that is right, humans and a model."""
    compared = _campaign(design, random)
    return dict(_seen(compared))


def _campaign(design: Design, random: np.random.Generator) -> ComparedUnits:
    units, people = DOCUMENTS * UNITS, design.humans + 2
    skill = MODEL + design.spread * (2 * random.random(design.humans) - 1)
    right = np.array([1.0, *skill, MODEL])
    truth = random.integers(0, CATEGORIES, (units, 1))
    by_document = np.repeat(random.random((DOCUMENTS, people)) < right, UNITS, axis=0)
    shared = random.random((units, people)) < np.sqrt(CORRELATION)
    is_right = np.where(shared, by_document, random.random((units, people)) < right)
    wrong = truth + random.integers(1, CATEGORIES, (units, people))
    labels = np.where(is_right, truth, wrong % CATEGORIES)
    coded = CodedUnits(
        layer="main",
        id="items",
        documents=tuple(f"d{place}" for place in range(DOCUMENTS)),
        annotators=("key", *(f"h{place}" for place in range(design.humans)), "model"),
        categories=tuple("abcd"),
        document=np.repeat(np.arange(DOCUMENTS), UNITS),
        weight=np.ones(units, dtype=np.int64),
        unit=np.repeat(np.arange(units), people),
        annotator=np.tile(np.arange(people), units),
        label=labels.reshape(-1),
    )
    return ComparedUnits(coded, ("reference", *["annotator"] * design.humans, "model"))


def _seen(compared: ComparedUnits) -> Iterator[tuple[str, Seen]]:
    """Yield the model's alpha with the key less the annotators' with each other, and ρ."""
    model = len(compared.roles) - 1
    unit = np.arange(len(compared.units.weight))
    labels = {each: compared.units.labels_of(each) for each in (0, model)}
    table = table_of_labels(compared, unit, (0, labels[0]), (model, labels[model]))
    beside = humans(compared, (0, model), SETTING, (ALPHA,), ALPHA)
    found = against_humans(beside, pair_scores(table, SETTING, (ALPHA,)), ALPHA)
    change, ends = found.get("against_humans"), found.get("for_any_annotators")
    if change and change.interval and ends:
        yield FIGURES[0], Seen(change.difference or 0.0, _ends(change.interval), _ends(ends))
    panel = panel_of_labels(compared, SETTING, ReplacementRule(), None)
    against = ModelAgainstHumans(panel, model)
    rho, any_humans = against.advantage, against.for_any_humans
    if rho.value is not None and isinstance(rho.interval, ConfidenceInterval) and any_humans:
        yield FIGURES[1], Seen(rho.value, (rho.interval.low, rho.interval.high), _ends(any_humans))


def _ends(interval: Interval) -> Ends:
    return interval.low if interval.low is not None else -1.0, 1.0 if interval.high is None else interval.high
