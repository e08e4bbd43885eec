"""F with credit for close types (Maynard 2005; GATE guide, 10.5.3); strict F is specific agreement."""

from collections.abc import Mapping
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reportgen.campaign import DistanceMatrix
from reportgen.counts import CreditCounts, MarkCounts, SpanCounts, count_spans, spans_csv
from reportgen.counts.tables import count_credits, count_pairs
from reportgen.measures import analyse_credits, analyse_spans
from reportgen.measures.spans import CreditAgreement
from reportgen.readers import DocumentCopy
from reportgen.readers.counted import OUTCOMES
from reportgen.results import Figure
from reportgen.results.marks import CreditFigures
from reportgen.units import Spans, credits_of, pair_marks
from tests.measures.made import ends, figures
from tests.measures.made import value as value_of
from tests.present import present
from tests.properties import examples
from tests.units.marked import TEXT, Documents, annotations, copies_of, copy, study

BDM = {("X", "Y"): 0.6617647, ("X", "Z"): 0.25, ("Y", "Z"): 0.0}

Marks = list[tuple[int, int, str]]


def table(scores: Mapping[tuple[str, str], float], name: str = "bdm") -> DistanceMatrix:
    names = tuple(dict.fromkeys(each for pair in scores for each in pair))
    both = {**scores} | {pair[::-1]: value for pair, value in scores.items()}
    rows = tuple(tuple(0.0 if a == b else 1 - both[a, b] for b in names) for a in names)
    return DistanceMatrix(name, names, rows, "", "t.csv")


def counted(
    distances: DistanceMatrix,
    *copies: DocumentCopy,
    **task: Any,  # noqa: ANN401 - keys of [task]
) -> tuple[Spans, SpanCounts, list[CreditCounts]]:
    spans = study(annotations(*copies), **task).spans
    assert isinstance(spans, Spans)
    pairing = pair_marks(spans)
    credited = [count_credits(spans, pairing, each) for each in credits_of(spans, [distances])]
    return spans, count_pairs(spans, pairing), credited


def analysed(distances: DistanceMatrix, *copies: DocumentCopy, **task: Any) -> tuple[CreditAgreement, ...]:  # noqa: ANN401
    spans, counts, credits_ = counted(distances, *copies, **task)
    return analyse_credits(analyse_spans(spans, counts), credits_)


def pair_of(documents: Documents, distances: DistanceMatrix | None = None, **task: Any) -> CreditFigures:  # noqa: ANN401
    (found,) = analysed(distances or table(BDM), *copies_of(documents), **task)
    (pair,) = found.pairs.values()
    return pair


def pairs_of(pair: CreditFigures) -> list[int]:
    return [pair.pairs.coextensive, pair.pairs.overlap]


def earned(pair: CreditFigures) -> list[float]:
    return [pair.pairs.earned_coextensive, pair.pairs.earned_overlap]


def figure(pair: CreditFigures, mode: str, name: str = "f_measure") -> Figure:
    found: Figure = getattr(pair, mode)[name]
    return found


def value(pair: CreditFigures, mode: str, name: str = "f_measure") -> float:
    return present(figure(pair, mode, name).value)


# Document 1: a match, a coextensive pair X Y, an overlapping pair X Z; document 2: an overlap of X, a mark
# alone, and Y and Z over one text, which have nothing in common.
WORKED: Documents = {
    "d1": ([(0, 2, "X"), (3, 5, "X"), (6, 9, "Z")], [(0, 2, "X"), (3, 5, "Y"), (8, 12, "X")]),
    "d2": ([(0, 4, "X"), (6, 8, "Y")], [(2, 6, "X"), (6, 8, "Z"), (20, 22, "Z")]),
}


def test_intervals_are_clustered_by_document() -> None:
    documents = {f"d{n}": WORKED["d1" if n % 3 else "d2"] for n in range(9)}
    found = figure(pair_of(documents), "strict")
    right = np.array([1.6617647 if n % 3 else 0.0 for n in range(9)])
    marks = np.array([6.0 if n % 3 else 5.0 for n in range(9)])
    ratio = 2 * right.sum() / marks.sum()
    influence = (2 * right - ratio * marks) / marks.sum()
    assert found.standard_error == pytest.approx(float(np.sqrt(9 / 8 * (influence**2).sum())))
    low, high = ends(found)
    assert low < ratio < high


def test_a_mark_may_be_alone_to_one_and_a_pair_to_another() -> None:
    copies = [copy(name, TEXT, [(0, 3, kind)]) for name, kind in (("a", "X"), ("b", "X"), ("c", "Y"))]
    (found,) = analysed(table(BDM), *copies)
    assert {people: pairs_of(pair) for people, pair in found.pairs.items()} == {
        (0, 1): [0, 0],
        (0, 2): [1, 0],
        (1, 2): [1, 0],
    }
    mean = found.layer.mean_over_pairs["strict"]["f_measure"]
    assert mean.pairs == 3
    assert mean.value == pytest.approx((1 + 2 * 0.6617647) / 3)


def test_without_credit_f_is_what_it_was() -> None:
    nothing = dict.fromkeys(BDM, 0.0)
    spans, counts, credits_ = counted(table(nothing), *copies_of(WORKED))
    plain = analyse_spans(spans, counts)
    (found,) = analyse_credits(plain, credits_)
    (pair,) = found.pairs.values()
    (without,) = plain.pairs
    assert all(
        getattr(pair, mode) == getattr(without.figures, mode) for mode in ("strict", "lenient", "average")
    )
    assert found.layer.mean_over_pairs == plain.means.overall


MARKS = st.lists(
    st.tuples(st.integers(0, 5), st.integers(1, 3), st.sampled_from("XYZ")).map(
        lambda each: (each[0], each[0] + each[1], each[2])
    ),
    max_size=4,
    unique=True,
)


def best_credit(first: Marks, second: Marks, taken: tuple[set[int], set[int]], exact: bool) -> float:  # noqa: FBT001
    """Return the largest sum of credits over all pairings of marks that are not taken."""
    scores = BDM | {pair[::-1]: score for pair, score in BDM.items()}
    rows = [mark for place, mark in enumerate(first) if place not in taken[0]]
    columns: list[tuple[int, int, str] | None] = [
        mark for place, mark in enumerate(second) if place not in taken[1]
    ]

    def credit(one: tuple[int, int, str], other: tuple[int, int, str] | None) -> float:
        if other is None or one[2] == other[2]:
            return 0.0
        fits = one[:2] == other[:2] if exact else one[0] < other[1] and other[0] < one[1]
        return scores[one[2], other[2]] if fits else 0.0

    padded = columns + [None] * len(rows)
    return max((sum(map(credit, rows, chosen)) for chosen in permutations(padded, len(rows))), default=0.0)


@examples(40)
@given(MARKS, MARKS)
def test_no_other_pairing_over_the_same_text_earns_more(first: Marks, second: Marks) -> None:
    known = [copy("c", TEXT, [(20, 21, "X"), (22, 23, "Y"), (24, 25, "Z")])]
    spans, _, (found,) = counted(table(BDM), copy("a", TEXT, first), copy("b", TEXT, second), *known)
    pairing = pair_marks(spans)

    def places(marks: Marks, codes: list[int], person: int) -> set[int]:
        starts = dict(zip(spans.span_mark.tolist(), spans.span_start.tolist(), strict=True))
        ends = dict(zip(spans.span_mark.tolist(), spans.span_end.tolist(), strict=True))
        mine = [code for code in codes if spans.person[code] == person]
        return {marks.index((starts[code], ends[code], spans.types[int(spans.type[code])])) for code in mine}

    between = (spans.person[pairing.first] == 0) & (spans.person[pairing.second] == 1)
    taken = (
        places(first, pairing.first[between].tolist(), 0),
        places(second, pairing.second[between].tolist(), 1),
    )
    own = (found.first == 0) & (found.second == 1)
    earned = found.n * found.credit.matrix[found.first_type, found.second_type]
    exact = float(earned[own & (found.kind == 0)].sum())
    assert exact == pytest.approx(best_credit(first, second, taken, exact=True), abs=1e-5)
    every = float(earned[own].sum())
    assert every <= best_credit(first, second, taken, exact=False) + 1e-5


SPANS = st.lists(
    st.tuples(st.integers(0, 9), st.integers(1, 6), st.sampled_from("XYZ")).map(
        lambda each: (each[0], each[0] + each[1], each[2])
    ),
    max_size=5,
    unique=True,
)
DOCUMENTS = st.dictionaries(st.sampled_from("defgh"), st.tuples(SPANS, SPANS), min_size=1, max_size=5)


@given(DOCUMENTS)
def test_strict_f_of_a_type_is_specific_agreement_on_spans(documents: Documents) -> None:
    """2a / (2a + b + c) over the stretches that somebody marked, where each carries one label."""
    assume(
        all(len({mark[:2] for mark in marks}) == len(marks) for both in documents.values() for marks in both)
    )
    whole = study(annotations(*copies_of(documents)), "annotated-by-any")
    specific = figures(whole.unit_sets[0])
    pair = analyse_spans(present(whole.spans), count_spans(present(whole.spans))).pairs[0]
    for name in present(whole.spans).types:
        place = whole.unit_sets[0].categories.index(name)
        assert value_of(pair.figures.by_type[name].strict["f_measure"]) == pytest.approx(
            value_of(specific.specific[place])
        )


@given(DOCUMENTS)
def test_the_figures_follow_from_the_counts_alone(documents: Documents) -> None:
    """counts/spans.csv has all it takes: outcomes, and a row of tokens for each document that both saw."""
    spans = present(study(annotations(*copies_of(documents))).spans)
    counts = count_spans(spans)
    rows = [line.split(",") for line in spans_csv([MarkCounts(spans, counts, [])]).splitlines()[1:]]
    total = {name: sum(int(row[6]) for row in rows if row[5] == name) for name in (*OUTCOMES, "tokens")}
    seen = [row[1] for row in rows if row[5] == "tokens"]
    pair = analyse_spans(spans, counts).pairs[0]
    assert sorted(seen) == sorted(documents)
    assert [total[name] for name in OUTCOMES] == pair.counts.sum(axis=0).tolist()
    assert np.isclose(value_of(pair.figures.false_positives), 1000 * total["only_second"] / total["tokens"])
