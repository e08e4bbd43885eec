"""The tables of docs/replacement.md: how often a model takes a human's place wrongly, and how often rightly.

`python -m benchmarks replacement [--replications N]` prints them.
"""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from reportgen.measures.annotators.alternative_annotator import (
    ACCURACY,
    HumanTest,
    LabelScore,
    NoReplacement,
    at_price,
    clustered_test,
    hold_out,
    independent_test,
    winning_rate,
)
from reportgen.measures.distances import nominal
from reportgen.readers import Codes
from reportgen.units.labels import Labels

REPLICATIONS = 1000
CATEGORIES = 4
HUMAN = 0.75
# As good as a human; and so much worse that the humans' advantage is the price of a person, or thereabouts.
EQUAL, WORSE = 0.75, 0.6
PRICES = (0.1, 0.15, 0.2)
LEVEL = Q = 0.05
# The true advantage of a design is that of so many units.
MANY = 400_000
SEED = 20250727
FORMS = ("independent", "clustered")


@dataclass(frozen=True)
class Panel:
    """A campaign to simulate: documents of so many units, and who labels them.

    `correlation` is that of being right on two units of one document. A human is right with probability
    HUMAN, the model with `skill`; who is wrong gives any other category.
    """

    documents: int
    units: int
    correlation: float
    humans: int
    skill: float = EQUAL


PANELS = tuple(
    Panel(documents, units, correlation, humans)
    for documents, units in ((50, 1), (100, 1), (20, 5), (50, 5), (20, 20))
    for correlation in ((0.0,) if units == 1 else (0.0, 0.1, 0.3))
    for humans in (3, 7)
)


@dataclass(frozen=True)
class Shares:
    """How often tests reject at the price, of humans one by one, and how often the model passes, by form."""

    panel: Panel
    price: float
    rejected: dict[str, float]
    passed: dict[str, float]


def run(replications: int) -> str:
    """Return both tables, each under its title; two processes share the work."""
    worse = [replace(each, skill=WORSE) for each in PANELS]
    with ProcessPoolExecutor(2) as workers:
        errors = list(workers.map(partial(at_the_price, replications=replications), worse))
        power = list(workers.map(partial(shares, prices=PRICES, replications=replications), PANELS))
    tables = ("### Type I error", _errors(errors), "### Power", _power(power))
    return "\n\n".join(tables)


def at_the_price(panel: Panel, replications: int) -> Shares:
    """Return the shares where a human's true advantage is just the price: every rejection is an error."""
    many = replace(panel, documents=MANY // panel.units // panel.humans)
    price = float(signs(many, np.random.default_rng(SEED)).mean())
    return shares(panel, (price,), replications)[0]


def shares(panel: Panel, prices: Sequence[float], replications: int) -> list[Shares]:
    """Return the shares at each price over simulated campaigns."""
    random = np.random.default_rng([SEED, panel.documents, panel.units, panel.humans])
    rejected = np.zeros((len(prices), len(FORMS)))
    passed = np.zeros_like(rejected)
    for _ in range(replications):
        for form, tests in enumerate(_tests(panel, signs(panel, random))):
            for place, price in enumerate(prices):
                found = at_price(tests, price, Q)
                rejected[place, form] += np.mean([each.p is not None and each.p <= LEVEL for each in found])
                passed[place, form] += bool(winning_rate(found).passes)
    return [
        Shares(
            panel,
            price,
            dict(zip(FORMS, (rejected[place] / replications).tolist(), strict=True)),
            dict(zip(FORMS, (passed[place] / replications).tolist(), strict=True)),
        )
        for place, price in enumerate(prices)
    ]


def signs(panel: Panel, random: np.random.Generator) -> Codes:
    """Return who is nearer to the others in one campaign (units, humans): 1 the human, -1 the model, or 0."""
    units, people = panel.documents * panel.units, panel.humans + 1
    right = np.array([HUMAN] * panel.humans + [panel.skill])
    by_document = np.repeat(random.random((panel.documents, people)) < right, panel.units, axis=0)
    shared = random.random((units, people)) < np.sqrt(panel.correlation)
    is_right = np.where(shared, by_document, random.random((units, people)) < right)
    labels = np.where(is_right, 0, random.integers(1, CATEGORIES, (units, people)))
    everybody = np.ones(units, dtype=np.bool_)
    unit = np.repeat(np.arange(units), panel.humans)
    humans = Labels(
        weight=np.ones(units, dtype=np.int64),
        unit=unit,
        annotator=np.tile(np.arange(panel.humans), units),
        label=labels[:, :-1].reshape(-1),
    )
    score = LabelScore(ACCURACY, nominal(CATEGORIES).at, np.ones(CATEGORIES, dtype=np.bool_))
    held = hold_out(humans, labels[:, -1], everybody, score)
    return held.sign.reshape(units, panel.humans)


def _tests(panel: Panel, sign: Codes) -> tuple[list[HumanTest], list[HumanTest]]:
    """Return the test of each human in both forms."""
    weight = np.ones(len(sign), dtype=np.int64)
    document = np.repeat(np.arange(panel.documents), panel.units)
    columns = [np.ascontiguousarray(column) for column in sign.T]
    clustered = [clustered_test(column, weight, document) for column in columns]
    return (
        [independent_test(column, weight) for column in columns],
        [each for each in clustered if not isinstance(each, NoReplacement)],
    )


def _errors(found: Sequence[Shares]) -> str:
    head = (
        "documents",
        "units each",
        "correlation",
        "humans",
        "rejected",
        "by document",
        "passes",
        "by document",
    )
    rows = [
        (*_of(each.panel), *(f"{part[form]:.3f}" for part in (each.rejected, each.passed) for form in FORMS))
        for each in found
    ]
    return _table(head, rows)


def _power(found: Sequence[Sequence[Shares]]) -> str:
    prices = [name for price in PRICES for name in (f"ε = {price:g}", "by document")]
    rows = [
        (*_of(of_panel[0].panel), *(f"{each.passed[form]:.3f}" for each in of_panel for form in FORMS))
        for of_panel in found
    ]
    return _table(("documents", "units each", "correlation", "humans", *prices), rows)


def _of(panel: Panel) -> tuple[str, ...]:
    return f"{panel.documents}", f"{panel.units}", f"{panel.correlation:g}", f"{panel.humans}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["--:"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
