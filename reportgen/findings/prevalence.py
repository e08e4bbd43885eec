"""One category is nearly everywhere: what is hidden behind it."""

from collections.abc import Iterator

from reportgen.findings.facts import Facts, finding, label_totals
from reportgen.results import Finding, Scalar

# Above this share of all labels one category decides observed agreement.
PREVALENT = 0.8

PREVALENCE = "{category} takes {label_share} of all labels; {others} share the rest."
PREVALENCE_ADVICE = (
    "Read the confusion matrix and the specific agreement of the rare categories before any coefficient; "
    "publish both with it."
)
UNINFORMATIVE = (
    "Had the annotators agreed on not one of the {rare_units} units that somebody labelled otherwise than "
    "{category}, observed agreement would still be {observed_floor} and S {s_floor}. Here they are {observed} "
    "and {s}: they hardly depend on the rare categories."
)
UNINFORMATIVE_ADVICE = "Do not cite observed agreement or S alone for this campaign."


def prevalent(facts: Facts) -> tuple[str, float] | None:
    """Return the category that takes more than 80% of the labels, and its share."""
    totals = label_totals(facts.unit_set)
    whole = sum(totals.values())
    if not whole or len(totals) == 1:
        return None
    category = max(totals, key=lambda name: totals[name])
    share = totals[category] / whole
    return (category, share) if share > PREVALENT else None


def prevalence(facts: Facts) -> Iterator[Finding]:
    """Yield a warning where one category prevails."""
    common = prevalent(facts)
    if common is None:
        return
    values: dict[str, Scalar] = {
        "category": common[0],
        "label_share": common[1],
        "others": ", ".join(facts.rare(common[0])),
    }
    yield finding("prevalence", "warning", PREVALENCE, PREVALENCE_ADVICE, "confusion-matrix", values)


def uninformative(facts: Facts) -> Iterator[Finding]:
    """Yield how little observed agreement and S could fall under prevalence, whatever the annotators do."""
    common, pair = prevalent(facts), facts.pair
    if common is None or pair is None:
        return
    observed, s = pair.measures["observed_agreement"].value, pair.measures["bennett_s"].value
    if observed is None or s is None:
        return
    place = pair.confusion.categories.index(common[0])
    joint, size = pair.confusion.counts[place][place], len(pair.confusion.categories)
    units = sum(map(sum, pair.confusion.counts))
    floor = joint / units
    values: dict[str, Scalar] = {
        "category": common[0],
        "rare_units": units - joint,
        "observed": observed,
        "observed_floor": floor,
        "s": s,
        "s_floor": (floor - 1 / size) / (1 - 1 / size),
    }
    yield finding("uninformative", "warning", UNINFORMATIVE, UNINFORMATIVE_ADVICE, "coefficients", values)
