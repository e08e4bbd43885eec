"""All figures of one unit set: for every pair of annotators, and for all of them together."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from reportgen.agreement import distances, many, shares, symmetry
from reportgen.agreement.catalogue import CATALOGUE
from reportgen.agreement.distances import Distance
from reportgen.agreement.estimate import Estimate, Floats
from reportgen.agreement.measure import Setting
from reportgen.agreement.pairwise import scale_distances
from reportgen.agreement.size import SizeCurve, size_curve
from reportgen.agreement.symmetry import SymmetryTest
from reportgen.counts import Counts, PairTable, pair_tables
from reportgen.study import NO_CATEGORY, CodedUnits

TWO = 2
MOST_ANNOTATORS = 50


@dataclass(frozen=True, eq=False)
class PairAgreement:
    """What two annotators' table shows.

    `specific` has an estimate for each category; `against_rest` the indices and kappa of each category
    against all others (empty with two categories, whose figures they would be); `conditional` and the
    two computed distances are matrices (categories, categories).
    """

    table: PairTable
    measures: Mapping[str, Estimate]
    specific: tuple[Estimate, ...]
    against_rest: tuple[Mapping[str, Estimate], ...]
    conditional: Floats
    computed_alpha: Floats
    computed_kappa: Floats
    tests: Mapping[str, SymmetryTest]
    curve: SizeCurve | None


@dataclass(frozen=True)
class MeanOverPairs:
    """The mean of a figure over the pairs for which it is defined, and how many those are."""

    value: float
    pairs: int


@dataclass(frozen=True, eq=False)
class UnitSetAgreement:
    """All figures of one unit set; with more than 50 annotators `pairs` is empty."""

    units: CodedUnits
    measures: Mapping[str, Estimate]
    mean_over_pairs: Mapping[str, MeanOverPairs]
    specific: tuple[Estimate, ...]
    pairs: tuple[PairAgreement, ...]


def analyse(
    units: CodedUnits, counts: Counts, setting: Setting, sizes: Sequence[int] = ()
) -> UnitSetAgreement:
    """Return every figure of a unit set; `sizes` are other declared sizes to show on the size curve."""
    pairs = tuple(_pairs(units, counts, setting, sizes))
    profiles = many.paired_profiles(counts.profiles, len(units.categories))
    measures = _overall(profiles, setting)
    specific = tuple(many.specific_agreement_of_many(profiles, code) for code in range(len(units.categories)))
    if len(units.annotators) == TWO and pairs:
        measures, specific = pairs[0].measures, pairs[0].specific
    return UnitSetAgreement(units, measures, _mean_over_pairs(pairs), specific, pairs)


def _pairs(
    units: CodedUnits, counts: Counts, setting: Setting, sizes: Sequence[int]
) -> Iterator[PairAgreement]:
    if len(units.annotators) > MOST_ANNOTATORS:
        return
    for table in pair_tables(counts.pairs, len(units.categories)):
        yield analyse_pair(table, setting, sizes)


def analyse_pair(table: PairTable, setting: Setting, sizes: Sequence[int] = ()) -> PairAgreement:
    """Return every figure of two annotators."""
    categories = range(len(table.counts))
    return PairAgreement(
        table=table,
        measures=pair_measures(table, setting),
        specific=tuple(shares.specific_agreement(table, category) for category in categories),
        against_rest=tuple(
            _against_rest(table, category) for category in categories if len(categories) > TWO
        ),
        conditional=distances.conditional_probabilities(table),
        computed_alpha=distances.computed_mean(table).matrix,
        computed_kappa=distances.computed_product(table).matrix,
        tests=_tests(table, setting.non_annotated),
        curve=_curve(table, setting, sizes),
    )


def pair_measures(table: PairTable, setting: Setting) -> dict[str, Estimate]:
    """Return every figure of the catalogue that two annotators have, under its full id."""
    found: dict[str, Estimate] = {}
    for measure in CATALOGUE:
        if measure.for_pair is not None:
            found |= measure.for_pair(table, setting)
    return found


def _against_rest(table: PairTable, category: int) -> dict[str, Estimate]:
    """Return what belongs to two categories, for one category against the rest."""
    shown = ("cohen_kappa", "prevalence_index", "bias_index", "pabak")
    alone = shares.against_rest(table, category)
    entries = [measure for measure in CATALOGUE if measure.id in shown and measure.for_pair is not None]
    found: dict[str, Estimate] = {}
    for measure in entries:
        if measure.for_pair is not None:
            found |= measure.for_pair(alone, Setting())
    return found


def _tests(table: PairTable, non_annotated: int) -> dict[str, SymmetryTest]:
    tests = {"bowker": symmetry.bowker(table), "stuart_maxwell": symmetry.stuart_maxwell(table)}
    if non_annotated != NO_CATEGORY:
        tests["mcnemar"] = symmetry.mcnemar(table, non_annotated)
    return tests


def _curve(table: PairTable, setting: Setting, sizes: Sequence[int]) -> SizeCurve | None:
    if setting.non_annotated == NO_CATEGORY or len(table.counts) < TWO or table.units == 0:
        return None
    return size_curve(table, setting.non_annotated, setting.distances, sizes)


def _overall(profiles: many.Profiles, setting: Setting) -> dict[str, Estimate]:
    """Return the figures that any number of annotators have."""
    plain = distances.nominal(profiles.categories)
    found = {
        "observed_agreement": many.pairwise_observed(profiles),
        "krippendorff_alpha": many.alpha(profiles, plain, low=-1.0),
    }
    for distance in setting.distances:
        found[f"krippendorff_alpha[{distance.id}]"] = many.alpha(profiles, distance)
    if setting.values is not None and profiles.units:
        rated = many.without(profiles, setting.non_annotated)
        for distance in scale_distances(rated.totals, setting) if rated.units else []:
            found[f"krippendorff_alpha[{distance.id}]"] = many.alpha(rated, distance)
    return found


def _mean_over_pairs(pairs: Sequence[PairAgreement]) -> dict[str, MeanOverPairs]:
    names = dict.fromkeys(name for pair in pairs for name in pair.measures)
    means: dict[str, MeanOverPairs] = {}
    for name in names:
        figures = [pair.measures[name].value for pair in pairs if name in pair.measures]
        values = [value for value in figures if value is not None]
        if values:
            means[name] = MeanOverPairs(fmean(values), len(values))
    return means


def declared_distance(
    name: str, categories: Sequence[str], matrix: Sequence[Sequence[float]], of: Sequence[str]
) -> Distance:
    """Return a declared distance table over `categories`, rows and columns of the table being `of`.

    Raises ValueError for a category that the table does not know; study/ has checked before.
    """
    places = np.array([list(of).index(category) for category in categories], dtype=np.int64)
    table = np.array(matrix, dtype=np.float64)
    return Distance(name, table[np.ix_(places, places)])
