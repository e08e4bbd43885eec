"""How much do they agree? One module a family of measures, and the catalogue of all."""

from reportgen.agreement.analysis import (
    MOST_ANNOTATORS,
    MeanOverPairs,
    PairAgreement,
    UnitSetAgreement,
    analyse,
)
from reportgen.agreement.applicable import NEVER_BARE, figures_on, forms_of
from reportgen.agreement.catalogue import BY_ID, CATALOGUE, FAMILY_OF, measure_of
from reportgen.agreement.catalogue.bracket import Bracket
from reportgen.agreement.catalogue.brackets import BRACKETS, brackets_of
from reportgen.agreement.catalogue.weights import DECLARED
from reportgen.agreement.comparisons.analysis import ComparedAgreement, Comparison, analyse_comparisons
from reportgen.agreement.comparisons.of_spans import SpanComparison, SpanComparisons, compare_spans
from reportgen.agreement.computed import (
    coincidence_tables,
    coincidences_of_two,
    computed_mean,
    computed_product,
    conditional_probabilities,
)
from reportgen.agreement.distances import Distance
from reportgen.agreement.documents.macro import over_documents
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
from reportgen.agreement.interface import (
    conger_kappa,
    fleiss_kappa,
    gwet_ac1,
    krippendorff_alpha,
    of,
    of_table,
)
from reportgen.agreement.measure import (
    Measure,
    Setting,
    Work,
    base_id,
    of_several_units,
    ranks_or_values,
)
from reportgen.agreement.sets.inventory import SetAccount, set_account
from reportgen.agreement.sets.labels import label_accounts, label_counts, used_of_two
from reportgen.agreement.setting import declared_distance, setting_of
from reportgen.agreement.several.crowd import PairFigures
from reportgen.agreement.several.null_test import null_test
from reportgen.agreement.size import SizeCurve
from reportgen.agreement.spans.analysis import SpanAgreement, SpanPair, Totals, analyse_spans
from reportgen.agreement.spans.credits import CreditAgreement, CreditPair, analyse_credits
from reportgen.agreement.spans.habits import Habit, habits
from reportgen.agreement.spans.retrieval import MODES, SHARES, Macro, Retrieval, by_each_document
from reportgen.agreement.two.symmetry import NoTest, SymmetryTest
from reportgen.agreement.uncertainty.bands import Band, bands
from reportgen.agreement.uncertainty.contributions import Contributions, NoDifference, contributions_of
from reportgen.agreement.uncertainty.difference import Difference, clusters_needed, difference
from reportgen.agreement.uncertainty.permutation import NoPermutation, Permuted, permutation
from reportgen.agreement.uncertainty.planning import (
    HALF_WIDTHS,
    KAPPAS,
    PREVALENCES,
    Plan,
    plan,
    units_needed,
    units_to_tell,
)
from reportgen.agreement.uncertainty.resampling import NoOpinion, Opinions, second_opinions
from reportgen.agreement.unitizing.analysis import UnitizingAgreement, UnitizingPair, analyse_unitizing
from reportgen.agreement.unitizing.gamma import Gamma, GammaSetting, gamma, gamma_is_installed
from reportgen.agreement.whole import Pair, Whole

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
    "Band",
    "Bracket",
    "ComparedAgreement",
    "Comparison",
    "Contributions",
    "CreditAgreement",
    "CreditPair",
    "Difference",
    "Distance",
    "Estimate",
    "Floats",
    "Gamma",
    "GammaSetting",
    "Habit",
    "Interval",
    "Macro",
    "MeanOverPairs",
    "Measure",
    "Method",
    "NoDifference",
    "NoInterval",
    "NoOpinion",
    "NoPermutation",
    "NoTest",
    "Opinions",
    "Pair",
    "PairAgreement",
    "PairFigures",
    "Permuted",
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
    "analyse_spans",
    "analyse_unitizing",
    "bands",
    "base_id",
    "brackets_of",
    "by_each_document",
    "clusters_needed",
    "coincidence_tables",
    "coincidences_of_two",
    "compare_spans",
    "computed_mean",
    "computed_product",
    "conditional_probabilities",
    "conger_kappa",
    "contributions_of",
    "declared_distance",
    "difference",
    "figures_on",
    "fleiss_kappa",
    "forms_of",
    "gamma",
    "gamma_is_installed",
    "gwet_ac1",
    "habits",
    "krippendorff_alpha",
    "label_accounts",
    "label_counts",
    "measure_of",
    "null_test",
    "of",
    "of_several_units",
    "of_table",
    "over_documents",
    "permutation",
    "plan",
    "ranks_or_values",
    "second_opinions",
    "set_account",
    "setting_of",
    "t_quantile",
    "units_needed",
    "units_to_tell",
    "used_of_two",
]
