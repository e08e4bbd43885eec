"""Precision, recall and F-measure: by hand, against specific agreement, and their intervals."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reportgen.counts import MarkCounts, count_spans, spans_csv
from reportgen.measures import SpanAgreement, analyse_spans
from reportgen.measures.spans import SpanPairAgreement
from reportgen.readers import DocumentCopy
from reportgen.readers.counted import OUTCOMES
from tests.measures.made import figures, value
from tests.present import present
from tests.units.marked import Documents, annotations, copies_of, study


def analysed(*copies: DocumentCopy, **task: object) -> SpanAgreement:
    spans = present(study(annotations(*copies), **task).spans)  # type: ignore[arg-type]
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
        assert value(pair.figures.by_type[name].strict["f_measure"]) == pytest.approx(
            value(specific.specific[place])
        )


def test_one_document_gives_no_interval_and_neither_does_perfect_agreement() -> None:
    one = pair_of({"d1": WORKED["d1"]}).shares["strict"]["f_measure"]
    assert str(one.interval).startswith("one document")
    same = [(0, 2, "X")]
    perfect = pair_of({"d1": (same, same), "d2": (same, same)}).shares["strict"]
    assert {str(each.interval).partition(",")[0] for each in perfect.values()} == {"no disagreement was seen"}


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
    assert np.isclose(value(pair.figures.false_positives), 1000 * total["only_second"] / total["tokens"])
