"""How often the model of Dawid and Skene names somebody: of annotators who are all alike, and of one bad one.

`python -m benchmarks truth [--replications N]` prints the table of docs/uncertainty.md.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.data import Labels, coded
from reportgen.measures.annotators.dawid_skene import NotFitted, errors

SEED = 1979
REPLICATIONS = 50
UNITS = 50


@dataclass(frozen=True)
class Campaign:
    """Annotators who know the true category of a share of the units each; below 0 they say another."""

    title: str
    knowing: tuple[float, ...]
    units: int
    categories: int


CAMPAIGNS = tuple(
    Campaign(title, knowing, UNITS, categories)
    for categories in (2, 4)
    for title, knowing in (
        ("three at random", (0.0, 0.0, 0.0)),
        ("five at random", (0.0,) * 5),
        ("one good, two at random", (0.9, 0.0, 0.0)),
        ("three who know three in ten", (0.3,) * 3),
        ("three who know six in ten", (0.6,) * 3),
        ("two good, one at random", (0.8, 0.8, 0.0)),
        ("two good, one always wrong", (0.8, 0.8, -1.0)),
    )
)


def simulated(campaign: Campaign, random: np.random.Generator) -> Labels:
    """Return labels (units, annotators)."""
    shape = campaign.units, len(campaign.knowing)
    truth = random.integers(0, campaign.categories, (campaign.units, 1))
    blind = random.integers(0, campaign.categories, shape)
    other = (truth + random.integers(1, campaign.categories, shape)) % campaign.categories
    knowing = np.array(campaign.knowing)
    known = random.random(shape) < np.abs(knowing)
    found: Labels = np.where(known, np.where(knowing < 0, other, truth), blind)
    return found


def _said(found: Labels, campaign: Campaign) -> Sequence[str]:
    names = tuple(f"C{place}" for place in range(campaign.categories))
    model, _ = errors(replace(coded(found), categories=names), None, matrices=False)
    if model.undefined:
        return (NotFitted(model.undefined).name.lower(),)
    named = {
        "near": any(each.near_chance for each in model.annotators),
        "below": any(each.below_chance for each in model.annotators),
    }
    return [name for name, there in named.items() if there]


def run(replications: int) -> str:
    """Return the table of all campaigns."""
    lines = [
        "| annotators | units | categories | no truth | not settled | near chance | below chance |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for each in CAMPAIGNS:
        random = np.random.default_rng([SEED, each.units, each.categories, CAMPAIGNS.index(each)])
        said = Counter(word for _ in range(replications) for word in _said(simulated(each, random), each))
        shares = (f"{said[word] / replications:.3f}" for word in ("no_truth", "unsettled", "near", "below"))
        lines.append(f"| {each.title} | {each.units} | {each.categories} | {' | '.join(shares)} |")
    return "\n".join(lines)
