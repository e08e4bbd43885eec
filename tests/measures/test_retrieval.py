"""Precision, recall and F-measure: by hand, against specific agreement, and their intervals."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reportgen.counts import MarkCounts, count_spans, spans_csv
from reportgen.measures import analyse_spans
from reportgen.readers.counted import OUTCOMES
from tests.measures.made import figures, value
from tests.present import present
from tests.units.marked import Documents, annotations, copies_of, study

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
