"""Every figure of a pair of annotators, under its full id: what the catalogue's entries compute."""

import math
from dataclasses import replace

import numpy as np

from reportgen.agreement import computed, distances
from reportgen.agreement.algebra import formulas
from reportgen.agreement.algebra.estimates import LOWEST, coefficient
from reportgen.agreement.algebra.formulas import Formula
from reportgen.agreement.algebra.parts import parts_of
from reportgen.agreement.computed import Computed
from reportgen.agreement.distances import Distance
from reportgen.agreement.estimate import Estimate, Undefined, no_estimate
from reportgen.agreement.measure import Setting
from reportgen.agreement.sets.distances import set_distances
from reportgen.agreement.several.profiles import profiles_of_pair
from reportgen.agreement.two import shares
from reportgen.counts import PairTable
from reportgen.study import NO_CATEGORY, Codes

TWO = 2

Figures = dict[str, Estimate]


def observed(table: PairTable, _: Setting) -> Figures:
    """Return observed agreement."""
    return {"observed_agreement": shares.observed_agreement(table)}


def bennett_s(table: PairTable, _: Setting) -> Figures:
    """Return Bennett's S over all categories, declared or used."""
    size = table.categories
    if size < TWO:
        return {"bennett_s": no_estimate(Undefined.ONE_CATEGORY, table.units)}
    return {"bennett_s": _nominal(table, formulas.bennett_s, low=-1 / (size - 1))}


def scott_pi(table: PairTable, _: Setting) -> Figures:
    """Return Scott's pi."""
    return {"scott_pi": _nominal(table, formulas.scott_pi)}


def cohen_kappa(table: PairTable, _: Setting) -> Figures:
    """Return Cohen's kappa."""
    return {"cohen_kappa": _nominal(table, formulas.cohen_kappa)}


def _nominal(table: PairTable, formula: Formula, low: float = LOWEST) -> Estimate:
    return of_pair(formula, table, distances.nominal(table.categories), as_agreement=True, low=low)


def of_pair(
    formula: Formula,
    table: PairTable,
    distance: Distance,
    *,
    low: float = -math.inf,
    as_agreement: bool = False,
) -> Estimate:
    """Return a coefficient of two annotators under a distance, with its interval; as `coefficient`."""
    if table.units == 0:
        return no_estimate(Undefined.NO_UNITS, 0)
    parts = parts_of(profiles_of_pair(table), distance)
    return coefficient(formula, parts, low=low, as_agreement=as_agreement)


def weighted_kappa(table: PairTable, setting: Setting) -> Figures:
    """Return kappa weighted with every declared distance, the computed one, and those of the scale."""
    figures = {
        f"weighted_kappa[{distance.id}]": of_pair(formulas.cohen_kappa, table, distance)
        for distance in setting.distances
    }
    rated = rated_only(table, setting)
    for distance in weights_of(setting):
        figures[f"weighted_kappa[{distance.id}]"] = of_pair(formulas.cohen_kappa, rated, distance)
    return figures | {
        "weighted_kappa[computed]": of_pair(formulas.cohen_kappa, table, computed_product(table))
    }


def krippendorff_alpha(table: PairTable, setting: Setting) -> Figures:
    """Return nominal alpha, alpha with every declared and the computed distance, and alpha on the scale."""
    plain, alpha = distances.nominal(table.categories), formulas.krippendorff_alpha
    figures = {"krippendorff_alpha": of_pair(alpha, table, plain, low=LOWEST)}
    for distance in setting.distances:
        figures[f"krippendorff_alpha[{distance.id}]"] = of_pair(alpha, table, distance)
    rated = rated_only(table, setting)
    for distance in scale_distances(rated.row_totals + rated.column_totals, setting):
        figures[f"krippendorff_alpha[{distance.id}]"] = of_pair(alpha, rated, distance)
    return figures | {"krippendorff_alpha[computed]": of_pair(alpha, table, computed_mean(table))}


def computed_mean(table: PairTable) -> Computed:
    """Return the distances for alpha computed from a pair's own table."""
    return computed.computed_mean(computed.coincidences_of_two(table), table.units)


def computed_product(table: PairTable) -> Computed:
    """Return the distances for weighted kappa computed from a pair's own table."""
    return computed.computed_product(computed.coincidences_of_two(table), table.units)


def scale_distances(totals: Codes, setting: Setting, ratings: float = 2.0) -> list[Distance]:
    """Return alpha's distances on the scale of the study, given how often each category was used.

    `ratings` is how many a unit has on average.
    `totals` and the distances leave the non-annotated category out, which has no place on a scale; of sets
    it is the empty one, and is left in.
    """
    if setting.sets is not None:
        return set_distances(setting.sets)
    if setting.values is None:
        return []
    kept = np.arange(len(setting.values)) != setting.non_annotated
    values = setting.values[kept]
    if setting.scale == "ordinal":
        return [distances.ordinal(totals, ratings), distances.circular(values)]
    if setting.scale == "ratio":
        return [distances.interval(values), distances.ratio(values), distances.circular(values)]
    return [distances.interval(values), distances.circular(values)]


def weights_of(setting: Setting) -> list[Distance]:
    """Return the distances of the kappas, S and AC2 on the scale of the study, under Gwet's names (2014).

    They leave the non-annotated category out, as `scale_distances` do.
    """
    if setting.values is None:
        return scale_distances(np.zeros(0, dtype=np.int64), setting)
    values = setting.values[np.arange(len(setting.values)) != setting.non_annotated]
    ratio = [distances.ratio(values)] if setting.scale == "ratio" else []
    return [
        distances.linear(values),
        distances.quadratic(values),
        distances.by_ranks(len(values)),
        distances.radical(values),
        *ratio,
        distances.circular(values),
        distances.bipolar(values),
    ]


def gwet_ac1(table: PairTable, _: Setting) -> Figures:
    """Return Gwet's AC1 of a pair."""
    return {"gwet_ac1": _nominal(table, formulas.gwet_ac)}


def gwet_ac2(table: PairTable, setting: Setting) -> Figures:
    """Return Gwet's AC2 of a pair with every declared distance and those of the scale."""
    rated = rated_only(table, setting)
    found = [(table, distance) for distance in setting.distances]
    found += [(rated, distance) for distance in weights_of(setting)]
    return {
        f"gwet_ac2[{distance.id}]": with_farthest(
            of_pair(formulas.gwet_ac, own, distance, as_agreement=True), distance
        )
        for own, distance in found
    }


def with_farthest(found: Estimate, distance: Distance) -> Estimate:
    """Return AC2 with the distance at which its weights are 0."""
    if found.value is None:
        return found
    return replace(found, farthest=distance.farthest(np.ones(distance.size, dtype=np.bool_)))


def rated_only(table: PairTable, setting: Setting) -> PairTable:
    """Return the table without the non-annotated category, its last one; of sets it is a value, and stays."""
    if setting.non_annotated == NO_CATEGORY or setting.sets is not None:
        return table
    kept = (table.row != setting.non_annotated) & (table.column != setting.non_annotated)
    return PairTable(
        table.first,
        table.second,
        setting.non_annotated,
        table.document[kept],
        table.row[kept],
        table.column[kept],
        table.n[kept],
    )


def kappa_max(table: PairTable, _: Setting) -> Figures:
    """Return the highest kappa that the margins allow."""
    return {"kappa_max": shares.kappa_max(table)}


def prevalence_index(table: PairTable, _: Setting) -> Figures:
    """Return the prevalence index of the first of two categories."""
    return {"prevalence_index": shares.prevalence_index(table, 0)} if table.categories == TWO else {}


def bias_index(table: PairTable, _: Setting) -> Figures:
    """Return the bias index of the first of two categories."""
    return {"bias_index": shares.bias_index(table, 0)} if table.categories == TWO else {}


def pabak(table: PairTable, _: Setting) -> Figures:
    """Return PABAK of two categories."""
    return {"pabak": shares.pabak(table, 0)} if table.categories == TWO else {}
