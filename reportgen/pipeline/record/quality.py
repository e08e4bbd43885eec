"""The quality of annotators and items as results.json has it, and whole tables of crowds."""

import csv
import io
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from reportgen.annotators.annotator_vs_rest import AnnotatorAgreement
from reportgen.annotators.dawid_skene import AnnotatorErrorRates, Errors, NotFitted
from reportgen.annotators.drift import AnnotatorDrift
from reportgen.annotators.quality import LayerQuality
from reportgen.measures import Estimate
from reportgen.measures.figures import figure
from reportgen.results import rounded

# With more annotators than these, results hold the worst, and a CSV beside them has all.
MOST_ANNOTATORS = 60
WORST = 20
MOST_CATEGORIES = 20
LEVEL = 0.05
FIFTHS = 5


def quality_content(found: Iterable[LayerQuality]) -> list[dict[str, Any]] | None:
    """Return the quality of each layer; None where there is no layer."""
    return [_layer(each) for each in found] or None


def _layer(each: LayerQuality) -> dict[str, Any]:
    return {
        "layer": each.units.layer,
        "unit_set": each.units.id,
        "controls": _controls(each),
        "dawid_skene": _errors(each),
        "difficulty": _difficulty(each),
        "by_document": each.by_document,
        "annotators": _standings(each),
        "annotators_in_all": len(each.units.annotators),
        "intra_annotator": [
            {
                "annotator": one.annotator,
                "units": one.units,
                "measures": {name: figure(value) for name, value in one.measures.items()},
            }
            for one in each.twice
        ],
    }


def _controls(each: LayerQuality) -> dict[str, Any] | None:
    if each.rule is None:
        return None
    worst = sorted(each.accuracies, key=lambda one: (_value(one.estimate), one.annotator))
    shown = each.accuracies if len(worst) <= MOST_ANNOTATORS else worst[:WORST]
    return {
        "items": each.items,
        "absent": len(each.absent),
        "reject_below": each.rule.reject_below,
        "minimum": each.rule.minimum,
        "rejected": [one.annotator for one in each.accuracies if one.rejected],
        "annotators": [
            {
                "annotator": one.annotator,
                "labelled": one.labelled,
                "right": one.right,
                "accuracy": figure(one.estimate),
                "rejected": one.rejected,
            }
            for one in shown
        ],
        "annotators_in_all": len(each.accuracies),
        "agreement": {
            name: {
                "everybody": one.everybody and figure(one.everybody),
                "without_rejected": one.kept and figure(one.kept),
            }
            for name, one in each.beside.items()
        },
    }


def _value(estimate: Estimate) -> float:
    return 1.0 if estimate.value is None else estimate.value


def _errors(each: LayerQuality) -> dict[str, Any]:
    found = each.errors
    if isinstance(found, NotFitted):
        return {"undefined": str(found)}
    categories = each.units.categories
    crowd = len(found.annotators) > MOST_ANNOTATORS
    matrices = not crowd and len(categories) <= MOST_CATEGORIES
    return {
        "units": found.units,
        "known": found.known,
        "categories": categories,
        "prevalence": dict(zip(categories, found.prevalence.tolist(), strict=True)),
        "iterations": found.iterations,
        "most_iterations": found.most_iterations,
        "tolerance": found.tolerance,
        "converged": found.converged,
        "annotators": [_erring(one, matrix=matrices) for one in _worst_of(found, crowd=crowd)],
        "annotators_in_all": len(found.annotators),
    }


def _worst_of(found: Errors, *, crowd: bool) -> Sequence[AnnotatorErrorRates]:
    """Return everybody; of a crowd those near chance, then those of least accuracy on enough labels."""
    if not crowd:
        return found.annotators
    order = sorted(
        found.annotators, key=lambda one: (not one.told_bad, not one.enough, one.accuracy, one.annotator)
    )
    return order[:WORST]


def _erring(one: AnnotatorErrorRates, *, matrix: bool) -> dict[str, Any]:
    rows = [[None if math.isnan(cell) else cell for cell in row] for row in one.confusion.tolist()]
    return {
        "annotator": one.annotator,
        "labelled": one.labelled,
        "accuracy": one.accuracy,
        "blind": one.blind,
        "expected_right": one.expected,
        "near_chance": one.near_chance,
        "below_chance": one.below_chance,
        "confusion": rows if matrix else None,
    }


def _difficulty(each: LayerQuality) -> dict[str, Any] | None:
    found = each.difficulty
    if found is None:
        return None
    bins = [
        {"low": max(0, place - 1) / FIFTHS, "high": place / FIFTHS, "units": units}
        for place, units in enumerate(found.histogram)
    ]
    return asdict(found) | {"histogram": bins}


def _rows(each: LayerQuality) -> list[tuple[str, AnnotatorAgreement, AnnotatorDrift | None]]:
    if not each.standings:
        return []
    return list(zip(each.units.annotators, each.standings, each.drifts, strict=True))


def _standings(each: LayerQuality) -> list[dict[str, Any]]:
    """Return everybody, or the worst of a crowd."""
    rows = _rows(each)
    kept = {each.units.annotators[who]: estimate for who, estimate in each.without.items()}
    if len(rows) > MOST_ANNOTATORS:
        rows = sorted(rows, key=_worst)[:WORST]
    return [_standing(name, standing, drift, kept.get(name)) for name, standing, drift in rows]


def _worst(row: tuple[str, AnnotatorAgreement, AnnotatorDrift | None]) -> tuple[bool, float, str]:
    """Sort whom a test tells apart first, then by how surely somebody agrees less than the others do."""
    name, standing, drift = row
    difference, error = standing.difference.value, standing.difference.standard_error
    surely = difference / error if difference is not None and error else math.inf
    tested = [standing.adjusted if surely < 0 else None, drift.adjusted if drift else None]
    return not any(p is not None and p < LEVEL for p in tested), surely, name


def _standing(
    name: str, standing: AnnotatorAgreement, drift: AnnotatorDrift | None, without: Estimate | None
) -> dict[str, Any]:
    return {
        "annotator": name,
        "agreement": figure(standing.agreement),
        "others": standing.others,
        "difference": figure(standing.difference),
        "p": standing.p,
        "adjusted_p": standing.adjusted,
        "without": without and figure(without),
        "drift": drift and _drift(drift),
    }


def _drift(drift: AnnotatorDrift) -> dict[str, Any]:
    return {
        "documents": drift.documents,
        "blocks": [
            {"documents": each.documents, "units": each.units, "agreement": each.value}
            for each in drift.blocks
        ],
        "slope": figure(drift.slope),
        "p": drift.p,
        "adjusted_p": drift.adjusted,
    }


def quality_tables(found: Iterable[LayerQuality]) -> dict[str, str]:
    """Return by name the CSV of every crowd, of which results hold the worst, and estimated confusions."""
    tables: dict[str, str] = {}
    for each in found:
        layer = each.units.layer
        if len(each.units.annotators) > MOST_ANNOTATORS:
            tables[f"tables/annotators.{layer}.csv"] = _csv(CROWD, _crowd(each))
        if len(each.accuracies) > MOST_ANNOTATORS:
            tables[f"tables/controls-{layer}.csv"] = _csv(CONTROLS, _accuracies(each))
        if isinstance(each.errors, Errors):
            tables[f"tables/dawid-skene.{layer}.csv"] = _csv(CONFUSIONS, _confusions(each, each.errors))
    return tables


CROWD = (
    "annotator", "units", "agreement", "agreement_low", "agreement_high", "others", "difference",
    "difference_low", "difference_high", "p", "adjusted_p", "documents", "slope", "slope_p",
    "slope_adjusted_p", "dawid_skene_accuracy", "dawid_skene_blind", "dawid_skene_labelled",
)  # fmt: skip
CONTROLS = ("annotator", "labelled", "right", "accuracy", "low", "high", "rejected")
CONFUSIONS = ("annotator", "true", "given", "share")


def _csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return buffer.getvalue()


def _cell(value: object) -> object:
    return "" if value is None else rounded(value)


def _ends(estimate: Estimate) -> tuple[float | None, float | None]:
    low, high = (getattr(estimate.interval, end, None) for end in ("low", "high"))
    return low, high


def _crowd(each: LayerQuality) -> Iterator[Sequence[object]]:
    model = {one.annotator: one for one in each.errors.annotators} if isinstance(each.errors, Errors) else {}
    for name, standing, drift in _rows(each):
        erring = model.get(name)
        yield (
            name,
            standing.agreement.units,
            standing.agreement.value,
            *_ends(standing.agreement),
            standing.others,
            standing.difference.value,
            *_ends(standing.difference),
            standing.p,
            standing.adjusted,
            *((drift.documents, drift.slope.value, drift.p, drift.adjusted) if drift else (None,) * 4),
            *((erring.accuracy, erring.blind, erring.labelled) if erring else (None,) * 3),
        )


def _accuracies(each: LayerQuality) -> Iterator[Sequence[object]]:
    for one in each.accuracies:
        yield one.annotator, one.labelled, one.right, one.estimate.value, *_ends(one.estimate), one.rejected


def _confusions(each: LayerQuality, found: Errors) -> Iterator[Sequence[object]]:
    """Yield every share that is not zero: who gave what where which was true."""
    names = each.units.categories
    for one in found.annotators:
        for true, row in zip(names, one.confusion.tolist(), strict=True):
            for given, share in zip(names, row, strict=True):
                if share > 0:
                    yield one.annotator, true, given, share
