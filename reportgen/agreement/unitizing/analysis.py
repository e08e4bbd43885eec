"""All unitizing figures of one layer: of its annotators together, of each category, and of every two."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from reportgen.agreement.analysis import MOST_ANNOTATORS
from reportgen.agreement.estimate import Estimate
from reportgen.agreement.unitizing.alpha_u import alpha_u
from reportgen.agreement.unitizing.coincidences import segments
from reportgen.agreement.unitizing.continua import TWO, Continua, continua, of_two
from reportgen.agreement.unitizing.gamma import Gamma
from reportgen.agreement.unitizing.u_alpha import u_alphas
from reportgen.study import Spans

Figures = Mapping[str, Estimate]


@dataclass(frozen=True, eq=False)
class UnitizingPair:
    """The figures of two annotators, over the documents that both saw."""

    first: int
    second: int
    documents: int
    measures: Figures


@dataclass(frozen=True, eq=False)
class UnitizingAgreement:
    """The unitizing figures of one layer.

    `by_category` has the figures of each type and of each join of types that one annotator's units have where
    they overlap; `several` is how many segments those are. `pairs` are empty with two annotators, whose
    figures are those of all, and with more than 50.
    """

    spans: Spans
    continua: Continua
    measures: Figures
    by_category: Mapping[str, Figures]
    several: int
    pairs: tuple[UnitizingPair, ...]
    gamma: Gamma | None = None


def analyse_unitizing(spans: Spans, gamma: Gamma | None = None) -> UnitizingAgreement:
    """Return every unitizing figure of one layer; `gamma` are those that were asked for beside."""
    found = continua(spans)
    overall, by_kind = alpha_u(found)
    measures, by_value = u_alphas(found)
    categories: dict[str, dict[str, Estimate]] = {
        name: {"alpha_u": each} for name, each in zip(found.kinds, by_kind, strict=True)
    }
    for name, each in by_value.items():
        categories.setdefault(name, {})["ku_alpha"] = each
    if gamma:
        for name, each in gamma.by_category.items():
            categories.setdefault(name, {})["gamma_k"] = each
    return UnitizingAgreement(
        spans=spans,
        continua=found,
        measures={"alpha_u": overall, **measures, **(gamma.measures if gamma else {})},
        by_category=categories,
        several=int((segments(found).value >= len(found.kinds)).sum()),
        pairs=tuple(_pairs(spans, found)),
        gamma=gamma,
    )


def _pairs(spans: Spans, found: Continua) -> list[UnitizingPair]:
    annotators = [code for code, role in enumerate(spans.roles) if role == "annotator"]
    if not TWO < len(annotators) <= MOST_ANNOTATORS:
        return []
    every = [
        _pair(of_two(found, first, second), first, second) for first, second in combinations(annotators, TWO)
    ]
    return [pair for pair in every if pair.documents]


def _pair(found: Continua, first: int, second: int) -> UnitizingPair:
    measures = {"alpha_u": alpha_u(found)[0], **u_alphas(found)[0]}
    return UnitizingPair(first, second, len(found.documents), measures)
