"""How much do they agree? One module a family of measures, and the catalogue of all."""

from reportgen.measures.alternative_intervals import NoOpinion, second_opinions
from reportgen.measures.analysis import (
    MOST_ANNOTATORS,
    PairAgreement,
    UnitSetAgreement,
    analyse,
)
from reportgen.measures.benchmarks import bands
from reportgen.measures.catalogue import (
    BY_ID,
    CATALOGUE,
    FAMILY_OF,
    NEVER_BARE,
    figures_on,
    forms_of,
    measure_of,
)
from reportgen.measures.catalogue.weights import BRACKETS, DECLARED, Bracket, brackets_of
from reportgen.measures.comparisons import ComparedAgreement, all_comparisons, analyse_comparisons, crowd_csv
from reportgen.measures.difference_tests import (
    Contributions,
    EstimateDifference,
    NoDifference,
    clusters_needed,
    contributions_of,
    difference,
)
from reportgen.measures.distances import CategoryDistance
from reportgen.measures.estimate import (
    LEVEL,
    ConfidenceInterval,
    Estimate,
    Floats,
    Method,
    NoInterval,
    Undefined,
    t_quantile,
)
from reportgen.measures.mark_disagreements import mark_disagreements
from reportgen.measures.measure import Measure, base_id, of_several_units
from reportgen.measures.permutation_test import NoPermutation, Permuted, permutation
from reportgen.measures.planning import (
    HALF_WIDTHS,
    KAPPAS,
    PREVALENCES,
    plan,
    units_needed,
    units_to_tell,
)
from reportgen.measures.profiles import PairFigures
from reportgen.measures.retrieval import MODES, SHARES, Retrieval
from reportgen.measures.setting import (
    Setting,
    bdm_tables,
    declared_distance,
    distance_table,
    ranks_or_values,
    setting_of,
)
from reportgen.measures.span_comparisons import compare_spans
from reportgen.measures.spans import (
    CreditAgreement,
    SpanAgreement,
    SpanPairAgreement,
    analyse_credits,
    analyse_spans,
    span_results,
    span_tables,
)
from reportgen.measures.symmetry import NoTest
from reportgen.measures.unit_set_data import UnitsOfPair, Whole
from reportgen.measures.unit_set_results import cells_csv, pairs_csv, unit_set
from reportgen.measures.unitizing import GammaFigures, analyse_unitizing, gamma, gamma_is_installed

__all__ = [
    "BRACKETS",
    "BY_ID",
    "CATALOGUE",
    "DECLARED",
    "FAMILY_OF",
    "HALF_WIDTHS",
    "KAPPAS",
    "LEVEL",
    "MODES",
    "MOST_ANNOTATORS",
    "NEVER_BARE",
    "PREVALENCES",
    "SHARES",
    "Bracket",
    "CategoryDistance",
    "ComparedAgreement",
    "ConfidenceInterval",
    "Contributions",
    "CreditAgreement",
    "Estimate",
    "EstimateDifference",
    "Floats",
    "GammaFigures",
    "Measure",
    "Method",
    "NoDifference",
    "NoInterval",
    "NoOpinion",
    "NoPermutation",
    "NoTest",
    "PairAgreement",
    "PairFigures",
    "Permuted",
    "Retrieval",
    "Setting",
    "SpanAgreement",
    "SpanPairAgreement",
    "Undefined",
    "UnitSetAgreement",
    "UnitsOfPair",
    "Whole",
    "all_comparisons",
    "analyse",
    "analyse_comparisons",
    "analyse_credits",
    "analyse_spans",
    "analyse_unitizing",
    "bands",
    "base_id",
    "bdm_tables",
    "brackets_of",
    "cells_csv",
    "clusters_needed",
    "compare_spans",
    "contributions_of",
    "crowd_csv",
    "declared_distance",
    "difference",
    "distance_table",
    "figures_on",
    "forms_of",
    "gamma",
    "gamma_is_installed",
    "mark_disagreements",
    "measure_of",
    "of_several_units",
    "pairs_csv",
    "permutation",
    "plan",
    "ranks_or_values",
    "second_opinions",
    "setting_of",
    "span_results",
    "span_tables",
    "t_quantile",
    "unit_set",
    "units_needed",
    "units_to_tell",
]
