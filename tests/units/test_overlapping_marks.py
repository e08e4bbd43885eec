"""Where marks overlap each label is judged by its own marks, whatever others are beside them."""

import math
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from reportgen.campaign import UnitSet as UnitSetDeclared
from reportgen.counts import count, count_spans
from reportgen.measures.analysis import analyse, unit_set
from reportgen.measures.estimate import ConfidenceInterval, Estimate
from reportgen.measures.spans import analyse_spans
from reportgen.measures.unit_set_data import setting_of
from reportgen.units import LayerUnits
from tests.units.marked import Marks, annotations, copy, spans_in, study

TEXT = " ".join(["word"] * 10)
LABELS = "ABCD"
ALPHA = "krippendorff_alpha"


def same(one: Estimate, other: Estimate) -> bool:
    """Tell whether two estimates are the same but for the order in which their parts were added up."""
    alike = one.units == other.units and one.undefined == other.undefined
    return alike and figures_of(one) == pytest.approx(figures_of(other), rel=1e-9, abs=1e-9, nan_ok=True)


def figures_of(one: Estimate) -> list[float]:
    ends = (
        (one.interval.low, one.interval.high)
        if isinstance(one.interval, ConfidenceInterval)
        else (None, None)
    )
    figures = (one.value, one.observed, one.expected, *ends)
    return [math.nan if figure is None else figure for figure in figures]


Document = Sequence[Marks]
some = st.lists(
    st.tuples(st.integers(0, 9), st.integers(1, 6), st.sampled_from(LABELS)).map(
        lambda mark: (mark[0], min(mark[0] + mark[1], 10), mark[2])
    ),
    max_size=6,
    unique=True,
)


@st.composite
def layers(draw: st.DrawFn) -> list[Document]:
    """Return documents of two to four annotators, who copy each other's marks, nest some and stack some."""
    people = draw(st.integers(2, 4))
    found: list[Document] = []
    for _ in range(draw(st.integers(1, 4))):
        common = draw(some)
        inner = [(start + 1, end, "C") for start, end, _ in common if end - start > 2 and draw(st.booleans())]
        stacked = [(start, end, "D") for start, end, _ in common if draw(st.integers(0, 3)) == 0]
        shared = [*common, *inner, *stacked]
        found.append(
            [
                list(dict.fromkeys([mark for mark in shared if draw(st.integers(0, 3))] + draw(some)))
                for _ in range(people)
            ]
        )
    return found


def campaign_of(documents: Sequence[Document], label: str | None = None) -> LayerUnits:
    """Return the study of some documents, of all marks or of those of one label alone."""
    copies = [
        copy(
            f"a{who}",
            TEXT,
            [(5 * start, 5 * end - 1, kind) for start, end, kind in marks if label in {None, kind}],
            document=f"d{number}",
        )
        for number, everybody in enumerate(documents)
        for who, marks in enumerate(everybody)
    ]
    marked = UnitSetDeclared(id="marked", units="annotated-by-any", base="tokens")
    return study(annotations(*copies), UnitSetDeclared(id="tokens", units="tokens"), marked)


@pytest.mark.slow
@settings(
    max_examples=60,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
@given(layers())
def test_figures_of_a_label_are_always_those_of_a_campaign_that_has_only_this_label(
    documents: list[Document],
) -> None:
    check_by_label(documents)


NEST: list[Document] = [
    [[(0, 6, "A"), (1, 3, "B")], [(0, 5, "A"), (2, 5, "B"), (8, 9, "C")], [(1, 4, "C")], [(0, 6, "A")]],
    [[(0, 2, "A"), (0, 2, "B")], [(0, 2, "B")], [(0, 2, "A"), (4, 6, "C")], []],
]


@pytest.mark.parametrize("people", [2, 3, 4])
def test_figures_of_a_label_are_those_of_a_campaign_that_has_only_this_label(people: int) -> None:
    check_by_label([marks[:people] for marks in NEST])


def check_by_label(documents: Sequence[Document]) -> None:
    """Check each figure by label against a campaign of one label, and the confusions against a count."""
    whole = campaign_of(documents)
    every = [analyse(units, count(units), setting_of(units, ())) for units in whole.unit_sets]
    agreement, found = every[0], unit_set(every[0], whole)
    used = sorted({label for marks in documents for own in marks for *_, label in own})
    assert found.categories == ((*used, "(unmarked)") if used else found.categories)
    marks = analyse_spans(spans_in(whole), count_spans(spans_in(whole)))
    for code, label in enumerate(agreement.judged):
        if label == "(unmarked)" or len(used) < 2:
            continue
        own = campaign_of(documents, label)
        alone, *_ = (analyse(units, count(units), setting_of(units, ())) for units in own.unit_sets)
        assert same(agreement.specific[code], alone.specific[0])
        # Units that nobody marked count for no specific agreement.
        assert every[1].specific[every[1].judged.index(label)].value == alone.specific[0].value
        assert same(agreement.against_rest[code][ALPHA], alone.measures[ALPHA])
        for pair, of_pair in zip(agreement.pairs, alone.pairs, strict=True):
            assert same(pair.specific[code], of_pair.specific[0])
            assert same(pair.against_rest[code]["cohen_kappa"], of_pair.measures["cohen_kappa"])
        # F of marks, of the label in every pair and on average.
        of_label = analyse_spans(spans_in(own), count_spans(spans_in(own)))
        assert marks.means.by_type[label] == of_label.means.overall
        for both, of_pair_alone in zip(marks.pairs, of_label.pairs, strict=True):
            if label in both.figures.by_type:
                assert both.figures.by_type[label].strict == of_pair_alone.figures.strict
                assert both.figures.by_type[label].lenient == of_pair_alone.figures.lenient
    if found.sets and len(documents[0]) == 2:
        assert {(two.first, two.second): two.units for two in found.sets.confusions} == confusions(documents)


def confusions(documents: Sequence[Document]) -> dict[tuple[str, str | None], int]:
    """Return on how many tokens one chose the one label and the other the other, or nothing instead."""
    times: Counter[tuple[str, str | None]] = Counter()
    for one, other in documents:
        for place in range(10):
            sets = [{kind for start, end, kind in own if start <= place < end} for own in (one, other)]
            here, there = sets[0] - sets[1], sets[1] - sets[0]
            if here and there:
                times.update((min(a, b), max(a, b)) for a in here for b in there)
            else:
                times.update((label, None) for label in here | there)
    return dict(times)
