"""Estimates as results.json has them."""

from collections.abc import Mapping
from dataclasses import asdict
from enum import StrEnum
from typing import Any

import numpy as np

from reportgen.measures import (
    AlternativeIntervals,
    Estimate,
    NoInterval,
    UnitSetAgreement,
    Whole,
    coincidence_tables,
    label_accounts,
    measure_of,
    null_test,
    over_documents,
    plan,
    second_opinions,
    set_account,
)
from reportgen.measures.benchmarks import bands
from reportgen.measures.figures import figure, figures_by_name

# Means over documents as results.json has them.


def macro_over_documents(agreement: UnitSetAgreement) -> dict[str, Any] | None:
    """Return the mean over documents of each figure that a unit set has, None where no document is known."""
    if agreement.whole is None:
        return None
    found = {
        name: each for name, each in over_documents(agreement.whole).items() if name in agreement.measures
    }
    return found or None


# Benchmarks, second opinions and plans of one unit set as results.json has them.

COEFFICIENT = "coefficient"


def uncertainty(agreement: UnitSetAgreement) -> dict[str, Any]:
    """Return what is known of the uncertainty of a unit set's figures beside their intervals."""
    clusters = agreement.whole.profiles.clusters.groups if agreement.whole else 0
    figures = {name: each for name, each in agreement.measures.items() if _is_coefficient(name, each)}
    return {
        "benchmarks": {name: _bands(each) for name, each in figures.items()} or None,
        "second_opinions": _opinions(agreement.whole, agreement.measures),
        "planning": _plans(figures, clusters),
    }


def _is_coefficient(name: str, figure: Estimate) -> bool:
    return figure.value is not None and measure_of(name).kind == COEFFICIENT


def _bands(figure: Estimate) -> dict[str, Any]:
    found = bands(figure)
    if isinstance(found, NoInterval):
        return {"undefined": str(found)}
    return {"bands": {name: asdict(each) for name, each in found.items()}}


def _opinions(whole: Whole | None, measures: Mapping[str, Estimate]) -> dict[str, Any] | None:
    if whole is None:
        return None
    found = second_opinions(whole, measures)
    return {name: _methods(each) for name, each in found.items()} or None


def _methods(opinions: AlternativeIntervals) -> dict[str, Any]:
    return {name: _method(each) for name, each in vars(opinions).items() if each is not None}


def _method(found: Any) -> dict[str, Any]:  # noqa: ANN401 - any dataclass, or a reason
    return {"undefined": str(found)} if isinstance(found, StrEnum) else asdict(found)


def _plans(figures: Mapping[str, Estimate], clusters: int) -> dict[str, Any] | None:
    found = {name: plan(each, clusters) for name, each in figures.items()}
    return {name: asdict(each) for name, each in found.items() if each is not None} or None


# What was left out where categories are sets, and the labels that they hold, as results.json has it.


def sets_content(agreement: UnitSetAgreement) -> dict[str, Any] | None:
    """Return what is said of a unit set of sets, None where categories are no sets."""
    units, whole = agreement.units, agreement.whole
    account = set_account(whole) if whole else None
    if whole is None or account is None or units.sets is None:
        return None
    members = {name: sorted(each) for name, each in zip(units.categories, units.sets, strict=True)}
    labels = {each.name: {"chosen": each.chosen, "apart": each.apart} for each in label_accounts(whole)}
    return asdict(account) | {"members": members, "names": list(labels), "labels": labels}


# What several annotators' labels show together, as results.json has it.

PAIR = 2
# With more categories in use than these a matrix of them says nothing any more, and fills results.json.
MOST_CATEGORIES = 60


def together(agreement: UnitSetAgreement) -> dict[str, Any]:
    """Return the keys of a unit set that tell of all its annotators together; empty where there are none."""
    rest = zip(agreement.judged, agreement.against_rest, strict=False)
    majority = zip(agreement.units.annotators, agreement.against_majority, strict=False)
    return {
        "against_rest": {name: figures_by_name(figures) for name, figures in rest},
        "against_majority": {name: figure(each) for name, each in majority},
        "null_tests": _null_tests(agreement),
        "coincidences": _coincidences(agreement),
    }


def _null_tests(agreement: UnitSetAgreement) -> dict[str, Any]:
    found = null_test(agreement.whole.profiles) if agreement.whole else None
    return {"fleiss_kappa": asdict(found)} if found else {}


def _coincidences(agreement: UnitSetAgreement) -> dict[str, Any] | None:
    """Return the coincidences of more than two annotators, None where they are too many or nobody shares."""
    units = agreement.units
    if agreement.whole is None or len(units.annotators) <= PAIR:
        return None
    met = agreement.whole.profiles.coincidences
    used = np.flatnonzero(met.totals)
    if not len(used) or len(used) > MOST_CATEGORIES:
        return None
    tables = coincidence_tables(met, used)
    return {
        "categories": [units.categories[code] for code in used.tolist()],
        **{name: table.tolist() for name, table in tables.items()},
    }
