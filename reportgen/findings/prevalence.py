"""One category is nearly everywhere: what is hidden behind it."""

from collections.abc import Iterator
from typing import Literal

from reportgen.findings.facts import Facts, Message
from reportgen.findings.words import several
from reportgen.results import Finding

# Above this share of all labels one category decides observed agreement.
PREVALENT = 0.8

# It counts agreement by chance as agreement, or does not correct for one category that prevails.
Unfit = Literal["chance", "prevalence"]
# Measures without any correction for chance.
UNCORRECTED = frozenset(("observed_agreement", "unanimous_agreement", "majority_agreement"))
# Measures that hardly fall where annotators disagree on the rare categories alone: their chance is uniform,
# is least where one category prevails, or is none.
BLIND_TO_PREVALENCE = frozenset(
    (
        "bangdiwala_b",
        "bennett_s",
        "finn_r",
        "gwet_ac1",
        "gwet_ac2",
        "maxwell_re",
        "pabak",
        "randolph_kappa",
    )
)
# Observed agreement that could fall by no more than this says nothing of the rare categories.
HARDLY = 0.1
NAMES_SHOWN = 5

PREVALENCE = Message(
    "prevalence",
    "warning",
    "confusion-matrix",
    "{category} takes {label_share} of all labels; the rest goes to {others}.",
    "Read the confusion matrix and the specific agreement of the rare categories before any coefficient; "
    "publish both with it.",
)
UNINFORMATIVE = Message(
    "uninformative",
    "warning",
    "coefficients",
    "Had the annotators agreed on not one of the {rare_units} {noun} that somebody labelled otherwise than "
    "{category}, observed agreement would still be {observed_floor} and S {s_floor}. Here they are "
    "{observed} and {s}: they hardly depend on the rare categories.",
    "Do not cite observed agreement or S alone for this campaign.",
)


def prevalent(facts: Facts) -> tuple[str, float] | None:
    """Return the category that takes more than 80% of the labels, and its share."""
    labels = facts.unit_set.labels
    whole = sum(labels.values())
    if not whole or len(labels) == 1:
        return None
    category = max(facts.unit_set.categories, key=lambda name: labels[name])
    share = labels[category] / whole
    return (category, share) if share > PREVALENT else None


def unfit_for_thresholds(facts: Facts) -> Unfit | None:
    """Return what makes the primary coefficient unfit for thresholds, None where nothing does.

    They are meant for agreement beyond chance: observed agreement includes that of chance, and where one
    category prevails some measures hardly see disagreement on the others.
    """
    measure = facts.measure.partition("[")[0]
    if measure in UNCORRECTED:
        return "chance"
    return "prevalence" if measure in BLIND_TO_PREVALENCE and prevalent(facts) else None


def prevalence(facts: Facts) -> Iterator[Finding]:
    """Yield a warning where one category prevails."""
    common = prevalent(facts)
    if common is None or facts.unit_set.sets:
        return
    category, share = common
    labels = facts.unit_set.labels
    others = [name for name in facts.unit_set.categories if name != category and labels[name]]
    yield PREVALENCE.found(category=category, label_share=share, **several("others", others, NAMES_SHOWN))


def uninformative(facts: Facts) -> Iterator[Finding]:
    """Yield how little observed agreement and S could fall under prevalence, whatever the annotators do."""
    common, pair = prevalent(facts), facts.pair
    if common is None or pair is None:
        return
    observed, s = pair.measures["observed_agreement"].value, pair.measures["bennett_s"].value
    if observed is None or s is None:
        return
    joint, units = pair.confusion.count(common[0], common[0]), pair.confusion.units
    if observed - joint / units > HARDLY:
        return
    even, floor = 1 / len(pair.confusion.categories), joint / units
    yield UNINFORMATIVE.found(
        category=common[0],
        rare_units=units - joint,
        observed=observed,
        observed_floor=floor,
        s=s,
        s_floor=(floor - even) / (1 - even),
    )
