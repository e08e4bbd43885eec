"""How much do they agree? One module a family of measures, and the catalogue of all."""

from reportgen.agreement.analysis import (
    MOST_ANNOTATORS,
    MeanOverPairs,
    PairAgreement,
    UnitSetAgreement,
    analyse,
    analyse_pair,
    declared_distance,
    pair_measures,
)
from reportgen.agreement.bands import Band, bands
from reportgen.agreement.catalogue import BY_ID, CATALOGUE, FAMILY_OF, measure_of
from reportgen.agreement.catalogue.bracket import Bracket
from reportgen.agreement.catalogue.brackets import BRACKETS, brackets_of
from reportgen.agreement.catalogue.weights import DECLARED
from reportgen.agreement.comparisons import ComparedAgreement, Comparison, analyse_comparisons
from reportgen.agreement.credits import CreditAgreement, CreditPair, analyse_credits
from reportgen.agreement.crowd import PairFigures
from reportgen.agreement.difference import Difference, NoDifference, compare
from reportgen.agreement.distances import Distance, coincidence_tables
from reportgen.agreement.estimate import (
    LEVEL,
    Estimate,
    Floats,
    Interval,
    Method,
    NoInterval,
    Undefined,
    t_quantile,
)
from reportgen.agreement.gamma import Gamma, GammaSetting, gamma, gamma_is_installed
from reportgen.agreement.inventory import SetAccount, set_account
from reportgen.agreement.macro import over_documents
from reportgen.agreement.measure import Measure, Setting, Work, base_id, ranks_or_values
from reportgen.agreement.planning import HALF_WIDTHS, KAPPAS, PREVALENCES, Plan, plan, units_needed
from reportgen.agreement.resampling import NoOpinion, Opinions, second_opinions
from reportgen.agreement.retrieval import MODES, SHARES, Macro, Retrieval, by_each_document
from reportgen.agreement.size import SizeCurve
from reportgen.agreement.span_comparisons import SpanComparison, SpanComparisons, compare_spans
from reportgen.agreement.spans import SpanAgreement, SpanPair, Totals, analyse_spans
from reportgen.agreement.symmetry import NoTest, SymmetryTest
from reportgen.agreement.unitizing import UnitizingAgreement, UnitizingPair, analyse_unitizing
from reportgen.agreement.whole import Whole

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
    "PREVALENCES",
    "SHARES",
    "Band",
    "Bracket",
    "ComparedAgreement",
    "Comparison",
    "CreditAgreement",
    "CreditPair",
    "Difference",
    "Distance",
    "Estimate",
    "Floats",
    "Gamma",
    "GammaSetting",
    "Interval",
    "Macro",
    "MeanOverPairs",
    "Measure",
    "Method",
    "NoDifference",
    "NoInterval",
    "NoOpinion",
    "NoTest",
    "Opinions",
    "PairAgreement",
    "PairFigures",
    "Plan",
    "Retrieval",
    "SetAccount",
    "Setting",
    "SizeCurve",
    "SpanAgreement",
    "SpanComparison",
    "SpanComparisons",
    "SpanPair",
    "SymmetryTest",
    "Totals",
    "Undefined",
    "UnitSetAgreement",
    "UnitizingAgreement",
    "UnitizingPair",
    "Whole",
    "Work",
    "analyse",
    "analyse_comparisons",
    "analyse_credits",
    "analyse_pair",
    "analyse_spans",
    "analyse_unitizing",
    "bands",
    "base_id",
    "brackets_of",
    "by_each_document",
    "coincidence_tables",
    "compare",
    "compare_spans",
    "declared_distance",
    "gamma",
    "gamma_is_installed",
    "measure_of",
    "over_documents",
    "pair_measures",
    "plan",
    "ranks_or_values",
    "second_opinions",
    "set_account",
    "t_quantile",
    "units_needed",
]
