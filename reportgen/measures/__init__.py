"""How much do they agree? One module a family of measures, and the catalogue of all."""

from reportgen.measures.analysis import (
    MOST_ANNOTATORS,
    UnitSetAgreement,
    analyse,
)
from reportgen.measures.catalogue import (
    BY_ID,
    CATALOGUE,
    NEVER_BARE,
    figures_on,
    forms_of,
    measure_of,
)
from reportgen.measures.comparisons import (
    ComparedAgreement,
    all_comparisons,
    analyse_comparisons,
    compare_spans,
    crowd_csv,
)
from reportgen.measures.difference_tests import (
    NoDifference,
)
from reportgen.measures.distances import CategoryDistance
from reportgen.measures.distributions import LEVEL, t_quantile
from reportgen.measures.estimate import ConfidenceInterval, Estimate, Floats, Method, NoInterval, Undefined
from reportgen.measures.mark_disagreements import mark_disagreements
from reportgen.measures.measure import base_id, of_several_units
from reportgen.measures.planning import (
    HALF_WIDTHS,
    KAPPAS,
    PREVALENCES,
    units_needed,
    units_to_tell,
)
from reportgen.measures.resampling import Permuted, permutation
from reportgen.measures.retrieval import MODES, SHARES
from reportgen.measures.spans import (
    SpanAgreement,
    analyse_credits,
    analyse_spans,
    span_results,
    span_tables,
)
from reportgen.measures.unit_set_data import (
    Setting,
    UnitsOfPair,
    Whole,
    bdm_tables,
    distance_table,
    setting_of,
)
from reportgen.measures.unit_set_results import cells_csv, pairs_csv, unit_set
from reportgen.measures.unitizing import analyse_unitizing, gamma, gamma_is_installed

__all__ = [
    "BY_ID",
    "CATALOGUE",
    "HALF_WIDTHS",
    "KAPPAS",
    "LEVEL",
    "MODES",
    "MOST_ANNOTATORS",
    "NEVER_BARE",
    "PREVALENCES",
    "SHARES",
    "CategoryDistance",
    "ComparedAgreement",
    "ConfidenceInterval",
    "Estimate",
    "Floats",
    "Method",
    "NoDifference",
    "NoInterval",
    "Permuted",
    "Setting",
    "SpanAgreement",
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
    "base_id",
    "bdm_tables",
    "cells_csv",
    "compare_spans",
    "crowd_csv",
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
    "setting_of",
    "span_results",
    "span_tables",
    "t_quantile",
    "unit_set",
    "units_needed",
    "units_to_tell",
]
