"""All unitizing figures of one layer: alpha of 2004, the u-alpha family, and gamma."""

import logging
import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from importlib import metadata
from importlib.util import find_spec
from itertools import combinations
from typing import Any

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.campaign.toml_tables import Unitizing as UnitizingSetting
from reportgen.catalogue import ids_with
from reportgen.measures.analysis import MOST_ANNOTATORS
from reportgen.measures.continua import (
    Continua,
    continua,
    exact_sum,
    over_documents,
    segments,
    u_alphas,
    undefined,
)
from reportgen.measures.estimate import Estimate, Floats, Undefined, figure, figures_by_name
from reportgen.readers import Codes
from reportgen.results import Figure
from reportgen.results.marks import Gamma, Unitizing, UnitizingPair
from reportgen.units import Spans
from reportgen.units.coded import ranges

# Krippendorff's alpha for unitizing as of 2004: lengths and places of units, type by type.
#
# Krippendorff (2004), Content Analysis, second edition, section 11.6, as its worked example (page 254) has
# it. Of type c, with m annotators of a continuum of length L:
#
#     D_o = Σ_i Σ_{j≠i} δ² / (m(m-1)L²), δ² of two units that share a character being the squares of the
#           distances between their beginnings and between their ends; of a unit that lies in a gap of the
#           other annotator's, its length squared
#     D_e = (2/L) Σ_u [(N-1)(2l³-3l²+l)/3 + l² Σ_{gaps g ≥ l} (g-l+1)] / (mL(mL-1) - Σ_u l(l-1))
#
# over the N units u of all annotators, of length l, and their gaps g. Documents are continua laid end to end,
# in which no gap runs over an end: what is observed adds up over them, m being who saw each, and mL is what
# was read in all. L cancels out. Sums are of integers; alpha = 1 - Σ_c D_o / Σ_c D_e.

# Below this, sums of products of two are exact in 64 bits.
EXACT = 2**62


@dataclass(frozen=True, eq=False)
class TypeOfUnit:
    """What the units of one type amount to, in whole numbers and by document.

    - `units`: N; `squares`: (documents,) the sum of δ² over ordered pairs of annotators.
    - `chance`: the sum in D_e; `pairs`: its divisor.
    - `chance_by_document` (documents,): the derivative of that sum by the weight of a document; they add up
      to twice the sum.
    """

    units: int
    squares: Codes
    chance: int
    pairs: int
    chance_by_document: Floats


def alpha_u(texts: Continua) -> tuple[Estimate, list[Estimate]]:
    """Return alpha over all types, and that of each type."""
    if not len(texts.documents):
        none = undefined(Undefined.NO_SHARED_DOCUMENT)
        return none, [none for _ in texts.kinds]
    bounds = np.searchsorted(texts.kind, np.arange(len(texts.kinds) + 1))
    parts = [
        _type_of_units(texts, slice(*bounds[kind : kind + 2].tolist())) for kind in range(len(texts.kinds))
    ]
    used = [part for part in parts if part.units]
    overall = _alpha_of_types(texts, used) if used else undefined(Undefined.NOTHING_MARKED)
    by_type = [
        _alpha_of_types(texts, [part]) if part.units else undefined(Undefined.NOT_MARKED) for part in parts
    ]
    return overall, by_type


def _alpha_of_types(texts: Continua, parts: Sequence[TypeOfUnit]) -> Estimate:
    units = sum(part.units for part in parts)
    length = sum(texts.lengths.tolist())
    squares = [exact_sum(part.squares, texts.raters - 1) for part in parts]
    observed = math.fsum(float(square / (texts.read * length)) for square in squares)
    expected = math.fsum(float(Fraction(2 * part.chance, length * part.pairs)) for part in parts)
    if expected == 0:
        return undefined(Undefined.NO_EXPECTED_DISAGREEMENT, units)
    estimate = Estimate(1 - observed / expected, units, observed, expected)
    by_document = sum(part.squares.astype(np.float64) for part in parts) / (texts.raters - 1)
    chance = sum(part.chance_by_document / part.pairs for part in parts)
    expected_sum = math.fsum(part.chance / part.pairs for part in parts)
    read = texts.lengths * texts.raters / texts.read
    total = float(sum(squares))
    # The logarithmic derivative of D_o / D_e by the weight of a document; the term for small samples is held.
    slope = by_document / total + read - chance / expected_sum if total else np.zeros(len(read))
    return over_documents(estimate, -(observed / expected) * slope, disagreements=int(total > 0))


def _type_of_units(texts: Continua, here: slice) -> TypeOfUnit:
    """Return what the units of one type amount to; `here` is where they are."""
    document, line = texts.document[here], texts.line[here]
    begin, end = texts.begin[here], texts.end[here]
    length = end - begin
    gap, gap_document = _gaps_of_type(texts, line, begin, end)
    units = len(line)
    lengths, times = np.unique(length, return_counts=True)
    wide, n = lengths.astype(object), times.astype(object)
    # (2l³-3l²+l)/3, which is whole: twice the sum of the squares below l.
    own = int((n * (wide * (wide - 1) * (2 * wide - 1) // 3)).sum())
    near = wide * wide * _room_in_gaps(gap, lengths)
    read = texts.read
    return TypeOfUnit(
        units=units,
        squares=_squares(texts, document, texts.person[here], begin, end),
        chance=(units - 1) * own + int((n * near).sum()),
        pairs=read * (read - 1) - int((n * wide * (wide - 1)).sum()),
        chance_by_document=_derivative(texts, (document, length), (gap_document, gap), (lengths, near), own),
    )


def _gaps_of_type(texts: Continua, line: Codes, begin: Codes, end: Codes) -> tuple[Codes, Codes]:
    """Return the length and the document of each gap between one type's units, in every annotator's copy."""
    first = np.diff(line, prepend=-1) != 0
    last = np.diff(line, append=-1) != 0
    before = np.where(first, 0, np.roll(end, 1))
    reached = np.zeros(len(texts.line_document), dtype=np.int64)
    reached[line[last]] = end[last]
    behind = texts.lengths[texts.line_document] - reached
    return np.concatenate([begin - before, behind]), np.concatenate(
        [texts.line_document[line], texts.line_document]
    )


def _room_in_gaps(gap: Codes, lengths: Codes) -> Codes:
    """Return in how many places of the gaps a unit of each length fits: Σ_{g ≥ l} (g-l+1), exactly."""
    ordered = np.sort(gap)
    from_here = np.searchsorted(ordered, lengths)
    behind = np.append(np.cumsum(ordered[::-1])[::-1], 0)[from_here]
    room: Codes = (behind - (len(ordered) - from_here) * (lengths - 1)).astype(object)
    return room


def _derivative(
    texts: Continua,
    units: tuple[Codes, Codes],
    gaps: tuple[Codes, Codes],
    near: tuple[Codes, Codes],
    own: int,
) -> Floats:
    """Return the derivative of the sum in D_e by each document's weight; N-1 is held at its ratio to N.

    `units` and `gaps` have documents and lengths; `near` the different lengths of units, and of each l² times
    the room in all gaps.
    """
    size = len(texts.documents)
    document, length = units
    l = length.astype(np.float64)  # noqa: E741 - the letter of the formula
    pyramids = l * (l - 1) * (2 * l - 1) / 3
    ratio = (len(length) - 1) / max(len(length), 1)
    mixed = float(own) + len(length) * pyramids
    room = near[1].astype(np.float64)[np.searchsorted(near[0], length)]
    of_units = np.bincount(document, ratio * mixed + room, minlength=size)
    of_gaps = np.bincount(gaps[0], _room_of_units(gaps[1], l), minlength=size)
    return (of_units + of_gaps).astype(np.float64)


def _room_of_units(gap: Codes, length: Floats) -> Floats:
    """Return of each gap Σ_{l ≤ g} l² (g-l+1) over all units' lengths."""
    ordered = np.sort(length)
    squares = np.append(0.0, np.cumsum(ordered * ordered))
    cubes = np.append(0.0, np.cumsum(ordered * ordered * ordered))
    up_to = np.searchsorted(ordered, gap, side="right")
    room: Floats = (gap + 1) * squares[up_to] - cubes[up_to]
    return room


def _squares(texts: Continua, document: Codes, person: Codes, begin: Codes, end: Codes) -> Codes:
    """Return of each document the sum of δ² over ordered pairs of annotators (documents,)."""
    one, other = _overlapping(texts.stride, document, begin, end)
    touched = np.unique(
        np.concatenate([one * texts.people + person[other], other * texts.people + person[one]])
    )
    lone = texts.raters[document] - 1 - np.bincount(touched // texts.people, minlength=len(document))
    kind = np.int64 if 4 * texts.stride**2 * (len(one) + len(lone) * texts.people + 1) < EXACT else object
    far = (begin[one] - begin[other]).astype(kind) ** 2 + (end[one] - end[other]).astype(kind) ** 2
    squares = np.zeros(len(texts.documents), dtype=kind)
    np.add.at(squares, document[one], 2 * far)
    np.add.at(squares, document, 2 * (end - begin).astype(kind) ** 2 * lone)
    return squares


def _overlapping(stride: int, document: Codes, begin: Codes, end: Codes) -> tuple[Codes, Codes]:
    """Return every two units that share a character, each pair once; those of one annotator never do."""
    low, high = document * stride + begin, document * stride + end
    order = np.lexsort((high, low))
    low, high = low[order], high[order]
    after = np.arange(1, len(low) + 1)
    one, other = ranges(after, np.searchsorted(low, high, side="left"))
    return order[one], order[other]


# Gamma, gamma-cat and gamma-k: units are aligned, and disorder is compared with that of random continua.
#
# Mathet, Widlöcher and Métivier (2015), Computational Linguistics 41(3), sections 4 and 5; Mathet (2017),
# Computational Linguistics 43(3), for gamma-cat and gamma-k. The package pygamma-agreement computes them,
# document by document; it is imported where a campaign asks for them, and nowhere else.
#
# Chance is sampled, from one seed for each document, and an integer program is solved by floats: another
# processor, or another version of a library, may change the last digits and more.

PACKAGE = "pygamma-agreement"
MODULE = "pygamma_agreement"
MOST_SEEDS = 2**32
LIBRARIES = (PACKAGE, "numpy", "numba", "cvxpy")


@dataclass(frozen=True, eq=False)
class GammaFigures:
    """Gamma and gamma-cat by their ids, and gamma-k of each type, with what they were computed with."""

    measures: Mapping[str, Figure]
    by_category: Mapping[str, Figure]
    how: Gamma


def gamma_is_installed() -> bool:
    """Tell whether the package that computes gamma is there, without importing it."""
    return find_spec(MODULE) is not None


# A unit: person, type, begin and end.
Unit = tuple[int, int, int, int]
# What the package calls as we do; gamma-k it has by type.
GAMMAS = ids_with(lambda measure: measure.alignments and not measure.by_category)


def gamma(spans: Spans, setting: UnitizingSetting) -> GammaFigures:
    """Return gamma of a layer's annotators: means over documents, weighted by their numbers of units."""
    texts = continua(spans)
    marked = {document: units for document, units in enumerate(_units(texts)) if units}
    documents = [_document(texts, document, units, setting) for document, units in marked.items()]
    counts = np.array([len(units) for units in marked.values()], dtype=np.int64)
    nothing = Undefined.NOTHING_MARKED if len(texts.documents) else Undefined.NO_SHARED_DOCUMENT
    return GammaFigures(
        measures={name: _mean([by_name[name] for by_name in documents], counts, nothing) for name in GAMMAS},
        by_category={
            name: _mean([by_name.get(code) for by_name in documents], counts, Undefined.NO_EXPECTED_DISORDER)
            for code, name in enumerate(texts.kinds)
        },
        how=Gamma(
            **setting.model_dump(exclude={"gamma"}),
            documents=len(texts.documents),
            left_out=len(texts.documents) - len(marked),
            solver="GLPK_MI" if find_spec("cylp") is None else "CBC",
            libraries={name: metadata.version(name) for name in LIBRARIES},
        ),
    )


def _mean(values: Sequence[float | None], units: Codes, nothing: Undefined) -> Figure:
    """Return the mean of what is defined, weighted by numbers of units, with its interval over documents."""
    if not values:
        return figure(undefined(nothing))
    is_defined = np.array([value is not None for value in values], dtype=np.bool_)
    if not is_defined.any():
        return figure(undefined(Undefined.NO_EXPECTED_DISORDER, int(units.sum())))
    defined: Floats = np.array([value for value in values if value is not None], dtype=np.float64)
    share = units[is_defined] / units[is_defined].sum()
    value = math.fsum((share * defined).tolist())
    estimate = Estimate(value, int(units[is_defined].sum()))
    slope = share * (defined - value)
    return figure(over_documents(estimate, slope, disagreements=int((defined < 1).any())))


def _units(texts: Continua) -> list[list[Unit]]:
    """Return the units of each document."""
    rows: list[list[Unit]] = [[] for _ in texts.documents]
    columns = (texts.document, texts.person, texts.kind, texts.begin, texts.end)
    for document, *unit in zip(*(column.tolist() for column in columns), strict=True):
        rows[document].append(tuple(unit))
    return rows


def _document(
    texts: Continua, document: int, units: Sequence[Unit], setting: UnitizingSetting
) -> dict[str | int, float | None]:
    """Return gamma and gamma-cat of a document by their ids, and gamma-k by the code of the type."""
    people = texts.line_person[texts.line_document == document].tolist()
    with _drawing_from(setting.seed + document):
        results = _results(people, units, int(texts.lengths[document]), setting)
        return {
            **{name: _finite(getattr(results, name)) for name in GAMMAS},
            **{kind: _finite(results.gamma_k(str(kind))) for kind in sorted({kind for _, kind, *_ in units})},
        }


@contextmanager
def _drawing_from(seed: int) -> Iterator[None]:
    """Let the package draw from a seed and say nothing; its generator is numpy's one for everybody."""
    state, level = np.random.get_state(), logging.root.manager.disable  # noqa: NPY002
    np.random.seed(seed % MOST_SEEDS)  # noqa: NPY002
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(level)
        np.random.set_state(state)  # noqa: NPY002


def _finite(value: float) -> float | None:
    """Return a figure; None where the expected disorder is zero."""
    return float(value) if math.isfinite(value) else None


def _results(people: Sequence[int], units: Sequence[Unit], length: int, setting: UnitizingSetting) -> Any:  # noqa: ANN401 - the package carries no types
    from pyannote.core import Segment
    from pygamma_agreement import CombinedCategoricalDissimilarity, Continuum

    continuum = Continuum()
    for person in people:
        continuum.add_annotator(f"{person:06d}")
    for person, kind, begin, end in units:
        continuum.add(f"{person:06d}", Segment(begin, end), str(kind))
    continuum.bound_inf, continuum.bound_sup = 0.0, float(length)
    return continuum.compute_gamma(
        CombinedCategoricalDissimilarity(
            alpha=setting.alpha, beta=setting.beta, delta_empty=setting.delta_empty
        ),
        n_samples=setting.samples,
        precision_level=setting.precision,
    )


def analyse_unitizing(spans: Spans, gamma: GammaFigures | None = None) -> Unitizing:
    """Return every unitizing figure of one layer; `gamma` are those that were asked for beside.

    There are no pairs of two annotators, whose figures are those of all, and none of more than 50.
    """
    texts = continua(spans)
    overall, by_kind = alpha_u(texts)
    measures, by_value = u_alphas(texts)
    categories = {
        name: {"alpha_u": figure(estimate)} for name, estimate in zip(texts.kinds, by_kind, strict=True)
    }
    for name, estimate in by_value.items():
        categories.setdefault(name, {})["ku_alpha"] = figure(estimate)
    if gamma:
        for name, gamma_k in gamma.by_category.items():
            categories.setdefault(name, {})["gamma_k"] = gamma_k
    return Unitizing(
        layer=spans.layer,
        annotators=spans.annotators,
        documents=len(texts.documents),
        documents_alone=texts.alone,
        characters=sum(texts.lengths.tolist()),
        characters_read=texts.read,
        units=len(texts.line),
        joined=texts.joined,
        empty=texts.empty,
        several=int((segments(texts).value >= len(texts.kinds)).sum()),
        measures={
            **figures_by_name({"alpha_u": overall, **measures}),
            **(gamma.measures if gamma else {}),
        },
        by_category=categories,
        categories=tuple(categories),
        pairs=tuple(_pairs(spans, texts)),
        gamma=gamma.how if gamma else None,
    )


def _pairs(spans: Spans, texts: Continua) -> Iterator[UnitizingPair]:
    annotators = [code for code, role in enumerate(spans.roles) if role == "annotator"]
    if not 2 < len(annotators) <= MOST_ANNOTATORS:
        return
    for first, second in combinations(annotators, 2):
        both = of_two(texts, first, second)
        if len(both.documents):
            yield UnitizingPair(
                annotators=(spans.people[first], spans.people[second]),
                documents=len(both.documents),
                measures=figures_by_name({"alpha_u": alpha_u(both)[0], **u_alphas(both)[0]}),
            )


def of_two(texts: Continua, first: int, second: int) -> Continua:
    """Return the continua of two annotators, over the documents that both saw."""
    lines = np.flatnonzero((texts.line_person == first) | (texts.line_person == second))
    both = np.bincount(texts.line_document[lines], minlength=len(texts.documents)) == 2
    lines = lines[both[texts.line_document[lines]]]
    number = np.full(len(texts.line_document), -1, dtype=np.int64)
    number[lines] = np.arange(len(lines))
    is_chosen = number[texts.line] >= 0
    return Continua(
        texts.documents[both],
        texts.lengths[both],
        np.full(int(both.sum()), 2, dtype=np.int64),
        (np.cumsum(both) - 1)[texts.line_document[lines]],
        texts.line_person[lines],
        number[texts.line][is_chosen],
        texts.kind[is_chosen],
        texts.begin[is_chosen],
        texts.end[is_chosen],
        kinds=texts.kinds,
        people=texts.people,
    )
