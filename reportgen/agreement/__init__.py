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
from reportgen.agreement.catalogue import BY_ID, CATALOGUE, measure_of
from reportgen.agreement.crowd import PairFigures
from reportgen.agreement.distances import Distance
from reportgen.agreement.estimate import LEVEL, Estimate, Interval, Method, NoInterval, Undefined
from reportgen.agreement.measure import Measure, Setting, Work, base_id, ranks_or_values
from reportgen.agreement.retrieval import MODES, SHARES, Macro, Retrieval, by_each_document
from reportgen.agreement.size import SizeCurve
from reportgen.agreement.spans import SpanAgreement, SpanPair, Totals, analyse_spans
from reportgen.agreement.symmetry import NoTest, SymmetryTest

__all__ = [
    "BY_ID",
    "CATALOGUE",
    "LEVEL",
    "MODES",
    "MOST_ANNOTATORS",
    "SHARES",
    "Distance",
    "Estimate",
    "Interval",
    "Macro",
    "MeanOverPairs",
    "Measure",
    "Method",
    "NoInterval",
    "NoTest",
    "PairAgreement",
    "PairFigures",
    "Retrieval",
    "Setting",
    "SizeCurve",
    "SpanAgreement",
    "SpanPair",
    "SymmetryTest",
    "Totals",
    "Undefined",
    "UnitSetAgreement",
    "Work",
    "analyse",
    "analyse_pair",
    "analyse_spans",
    "base_id",
    "by_each_document",
    "declared_distance",
    "measure_of",
    "pair_measures",
    "ranks_or_values",
]
