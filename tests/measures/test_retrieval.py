"""Precision, recall and F-measure: by hand, against specific agreement, and their intervals."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reportgen.counts import MarkCounts, count_spans, spans_csv
from reportgen.measures import ConfidenceInterval, SpanAgreement, analyse_spans, span_results
from reportgen.measures.spans import SpanPairAgreement
from reportgen.readers import DocumentCopy
from reportgen.readers.counted import OUTCOMES
from tests.measures.made import figures, value
from tests.units.marked import TEXT, Documents, annotations, copies_of, copy, study

MODES = ("strict", "lenient", "average")

Marks = list[tuple[int, int, str]]


def analysed(*copies: DocumentCopy, **task: object) -> SpanAgreement:
    spans = study(annotations(*copies), **task).spans  # type: ignore[arg-type]
    assert spans is not None
    return analyse_spans(spans, count_spans(spans))


def pair_of(documents: Documents, **task: object) -> SpanPairAgreement:
    (pair,) = analysed(*copies_of(documents), **task).pairs
    return pair


def shares(pair: SpanPairAgreement, mode: str) -> list[float]:
    return [value(pair.shares[mode][name]) for name in ("precision", "recall", "f_measure")]


# The first document has X: 2 matches, 1 overlap, 1 only in the key; Y: 1 only in the response. The second has
# X: 1 match; Y: 1 match, 1 overlap, 2 only in the response.
WORKED: Documents = {
    "d1": (
        [(0, 2, "X"), (3, 5, "X"), (6, 9, "X"), (20, 21, "X")],
        [(0, 2, "X"), (3, 5, "X"), (7, 9, "X"), (22, 23, "Y")],
    ),
    "d2": (
        [(0, 2, "X"), (3, 5, "Y"), (6, 9, "Y")],
        [(0, 2, "X"), (3, 5, "Y"), (8, 12, "Y"), (20, 21, "Y"), (22, 23, "Y")],
    ),
}


def test_a_worked_example_of_micro_figures() -> None:
    pair = pair_of(WORKED)
    assert dict(zip(OUTCOMES, pair.counts.sum(axis=0).tolist(), strict=True)) == {
        "match": 4,
        "overlap": 2,
        "only_first": 1,
        "only_second": 3,
    }
    assert shares(pair, "strict") == pytest.approx([4 / 9, 4 / 7, 8 / 16])
    assert shares(pair, "lenient") == pytest.approx([6 / 9, 6 / 7, 12 / 16])
    assert shares(pair, "average") == pytest.approx([5 / 9, 5 / 7, 10 / 16])
    assert value(pair.shares["strict"]["error_rate"]) == pytest.approx(5 / 9)
    # Each text is two words, of which both saw four.
    assert value(pair.figures.false_positives) == pytest.approx(1000 * 3 / 4)


def test_the_worked_example_by_type_and_by_document() -> None:
    whole = analysed(*copies_of(WORKED))
    (pair,) = whole.pairs
    x, y = pair.figures.by_type["X"], pair.figures.by_type["Y"]
    assert [list(dict(each.counts).values()) for each in (x, y)] == [[3, 1, 1, 0], [1, 1, 0, 3]]
    assert value(x.strict["f_measure"]) == pytest.approx(6 / 9)
    assert value(y.strict["f_measure"]) == pytest.approx(2 / 7)
    assert pair.counts.tolist() == [[2, 1, 1, 1], [2, 1, 0, 2]]
    found = span_results([whole], [[]])
    assert found is not None
    by_document = found.pairs[0].by_document or {}
    assert list(by_document) == ["d1", "d2"]
    assert [each.strict["f_measure"] for each in by_document.values()] == pytest.approx([4 / 8, 4 / 8])
    assert [each.average["precision"] for each in by_document.values()] == pytest.approx([2.5 / 4, 2.5 / 5])


def test_the_worked_example_of_macro_figures() -> None:
    pair = pair_of(WORKED)
    documents, types = pair.figures.macro_documents["strict"], pair.figures.macro_types["strict"]
    assert value(documents["precision"]) == pytest.approx((2 / 4 + 2 / 5) / 2)
    assert value(documents["recall"]) == pytest.approx((2 / 4 + 2 / 3) / 2)
    assert value(types["f_measure"]) == pytest.approx((6 / 9 + 2 / 7) / 2)
    assert {each.left_out for each in (*documents.values(), *types.values())} == {0}


def test_macro_figures_leave_out_what_is_undefined_and_say_how_many() -> None:
    documents = {**WORKED, "d3": ([], []), "d4": ([(0, 1, "Z")], [])}
    pair = pair_of(documents)
    macro = pair.figures.macro_documents["strict"]
    assert {name: each.left_out for name, each in macro.items()} == {
        "precision": 2,
        "recall": 1,
        "f_measure": 1,
        "error_rate": 2,
    }
    assert value(macro["f_measure"]) == pytest.approx((4 / 8 + 4 / 8 + 0) / 3)
    assert {name: each.left_out for name, each in pair.figures.macro_types["strict"].items()} == {
        "precision": 1,
        "recall": 0,
        "f_measure": 0,
        "error_rate": 1,
    }
    only = pair_of({"d": ([], [])})
    assert only.figures.macro_documents["strict"]["f_measure"].value is None
    assert only.figures.macro_documents["strict"]["f_measure"].left_out == 1


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([], [], (None, None, None)),
        ([(0, 1, "X")], [], (None, 0, 0)),
        ([], [(0, 1, "X")], (0, None, 0)),
        ([(0, 1, "X")], [(4, 5, "X")], (0, 0, 0)),
    ],
)
def test_precision_needs_a_response_recall_a_key_and_f_either(
    first: Marks, second: Marks, expected: tuple[float | None, ...]
) -> None:
    found = pair_of({"d": (first, second)}).shares["strict"]
    assert tuple(found[name].value for name in ("precision", "recall", "f_measure")) == expected
    for each in found.values():
        assert (each.value is None) == (each.undefined is not None)


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("mode", MODES)
def test_beta_weighs_recall_against_precision(beta: float, mode: str) -> None:
    precision, recall, f_measure = shares(pair_of(WORKED, beta=beta), mode)
    square = beta**2
    assert f_measure == pytest.approx((1 + square) * precision * recall / (square * precision + recall))


SPANS = st.lists(
    st.tuples(st.integers(0, 9), st.integers(1, 6), st.sampled_from("XYZ")).map(
        lambda each: (each[0], each[0] + each[1], each[2])
    ),
    max_size=5,
    unique=True,
)
DOCUMENTS = st.dictionaries(st.sampled_from("defgh"), st.tuples(SPANS, SPANS), min_size=1, max_size=5)


@pytest.mark.slow
@given(DOCUMENTS)
def test_average_is_the_mean_of_strict_and_lenient(documents: Documents) -> None:
    found = pair_of(documents).shares
    for name, average in found["average"].items():
        if average.value is not None:
            either = value(found["strict"][name]) + value(found["lenient"][name])
            assert average.value == pytest.approx(either / 2)


@pytest.mark.slow
@given(DOCUMENTS)
def test_precision_and_recall_change_places_when_the_two_do(documents: Documents) -> None:
    one = pair_of(documents).shares
    other = pair_of({name: (second, first) for name, (first, second) in documents.items()}).shares
    for mode in MODES:
        for name, swapped in (("precision", "recall"), ("recall", "precision"), ("f_measure", "f_measure")):
            assert one[mode][name].value == other[mode][swapped].value
            assert one[mode][name].standard_error == other[mode][swapped].standard_error


@given(DOCUMENTS)
def test_every_mark_has_one_outcome(documents: Documents) -> None:
    pair = pair_of(documents)
    match, overlap, only_first, only_second = pair.counts.sum(axis=0).tolist()
    first, second = (sum(len(both[who]) for both in documents.values()) for who in (0, 1))
    assert match + overlap + only_first == first
    assert match + overlap + only_second == second
    assert sum(sum(dict(each.counts).values()) for each in pair.figures.by_type.values()) == pair.counts.sum()


@given(DOCUMENTS)
def test_strict_f_of_a_type_is_specific_agreement_on_spans(documents: Documents) -> None:
    """2a / (2a + b + c) over the stretches that somebody marked, where each carries one label."""
    assume(
        all(len({mark[:2] for mark in marks}) == len(marks) for both in documents.values() for marks in both)
    )
    whole = study(annotations(*copies_of(documents)), "annotated-by-any")
    assert whole.spans is not None
    specific = figures(whole.unit_sets[0])
    pair = analyse_spans(whole.spans, count_spans(whole.spans)).pairs[0]
    for name in whole.spans.types:
        place = whole.unit_sets[0].categories.index(name)
        assert value(pair.figures.by_type[name].strict["f_measure"]) == pytest.approx(
            value(specific.specific[place])
        )


@given(DOCUMENTS)
def test_intervals_come_from_documents(documents: Documents) -> None:
    pair = pair_of(documents)
    counts = pair.counts
    right, all_of_both = 2 * counts[:, 0], 2 * counts[:, 0] + 2 * counts[:, 1] + counts[:, 2] + counts[:, 3]
    kept = all_of_both > 0
    found = pair.shares["strict"]["f_measure"]
    if found.standard_error is None:
        assert found.value is None or found.interval is not None
        return
    apart = (right - value(found) * all_of_both)[kept]
    groups = int(kept.sum())
    by_hand = math.sqrt(groups / (groups - 1) * float((apart**2).sum())) / float(all_of_both.sum())
    assert found.standard_error == pytest.approx(by_hand)
    assert isinstance(found.interval, ConfidenceInterval)
    assert 0 <= found.interval.low <= value(found) <= found.interval.high <= 1


def test_one_document_gives_no_interval_and_neither_does_perfect_agreement() -> None:
    one = pair_of({"d1": WORKED["d1"]}).shares["strict"]["f_measure"]
    assert str(one.interval).startswith("one document")
    same = [(0, 2, "X")]
    perfect = pair_of({"d1": (same, same), "d2": (same, same)}).shares["strict"]
    assert {str(each.interval).partition(",")[0] for each in perfect.values()} == {"no disagreement was seen"}


def test_others_are_compared_with_annotators_and_never_pooled_in() -> None:
    marks = [(0, 2, "X")]
    found = analysed(
        copy("a", TEXT, marks),
        copy("b", TEXT, [(0, 2, "X"), (4, 5, "X")]),
        copy("gold", TEXT, marks, role="reference"),
        copy("silver", TEXT, marks, role="reference"),
        copy("bot", TEXT, role="model"),
    )
    names = found.spans.people
    assert [(names[pair.first], names[pair.second]) for pair in found.pairs] == [
        ("gold", "a"),
        ("gold", "b"),
        ("gold", "bot"),
        ("silver", "a"),
        ("silver", "b"),
        ("silver", "bot"),
        ("a", "b"),
        ("a", "bot"),
        ("b", "bot"),
    ]
    mean = found.means.overall["strict"]["f_measure"]
    assert mean.value == pytest.approx(2 / 3)
    assert mean.pairs == 1


def test_only_documents_that_both_saw_count_marked_or_not() -> None:
    found = analysed(
        copy("a", TEXT, [(0, 2, "X")]),
        copy("a", TEXT, [(0, 2, "X")], document="e"),
        copy("a", TEXT, document="f"),
        copy("b", TEXT, [(0, 2, "X")]),
        copy("b", TEXT, document="f"),
        copy("c", TEXT, document="g"),
    )
    (pair,) = found.pairs
    assert [found.spans.documents[each] for each in pair.documents] == ["d", "f"]
    assert pair.counts.tolist() == [[1, 0, 0, 0], [0, 0, 0, 0]]


def test_means_over_pairs_leave_out_the_undefined_and_say_of_how_many_they_are() -> None:
    found = analysed(
        copy("a", TEXT, [(0, 2, "X"), (4, 6, "Y")]),
        copy("b", TEXT, [(0, 2, "X")]),
        copy("c", TEXT, [(0, 2, "X")]),
    )
    strict = found.means.overall["strict"]
    assert strict["f_measure"].value == pytest.approx((2 / 3 + 2 / 3 + 1) / 3)
    assert strict["f_measure"].pairs == 3
    by_type = found.means.by_type["Y"]["strict"]
    assert (by_type["f_measure"].value, by_type["f_measure"].pairs) == (0, 2)
    assert "precision" not in by_type


@given(DOCUMENTS)
def test_the_figures_follow_from_the_counts_alone(documents: Documents) -> None:
    """counts/spans.csv has all it takes: outcomes, and a row of tokens for each document that both saw."""
    spans = study(annotations(*copies_of(documents))).spans
    assert spans is not None
    counts = count_spans(spans)
    rows = [line.split(",") for line in spans_csv([MarkCounts(spans, counts, [])]).splitlines()[1:]]
    total = {name: sum(int(row[6]) for row in rows if row[5] == name) for name in (*OUTCOMES, "tokens")}
    seen = [row[1] for row in rows if row[5] == "tokens"]
    pair = analyse_spans(spans, counts).pairs[0]
    assert sorted(seen) == sorted(documents)
    assert [total[name] for name in OUTCOMES] == pair.counts.sum(axis=0).tolist()
    assert np.isclose(value(pair.figures.false_positives), 1000 * total["only_second"] / total["tokens"])
