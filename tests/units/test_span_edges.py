"""Marks as spans: which are one, which could be pairs, whose ends are near, and where they overlap."""

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from reportgen.base.errors import BadInput
from reportgen.campaign import ALL
from reportgen.campaign import UnitSet as UnitSetDeclared
from reportgen.counts import count, count_spans
from reportgen.measures.analysis import analyse, unit_set
from reportgen.measures.estimate import ConfidenceInterval, Estimate
from reportgen.measures.spans import analyse_spans
from reportgen.measures.unit_set_data import setting_of
from reportgen.measures.unitizing import boundary_agreement
from reportgen.readers import DocumentCopy, ParsedMark
from reportgen.units import CodedUnits, LayerUnits, Spans
from reportgen.units.segmentation import usual_tolerance
from reportgen.units.spans import ABSENT, candidates
from tests.present import present
from tests.units.marked import Marks, annotations, copy, rated, spans_in, spans_of, study
from tests.units.refusals import refusal

TEXT = "one two three"
Told = tuple[str, str, str, tuple[tuple[int, int], ...]]


def told(spans: Spans) -> list[Told]:
    """Return each mark: its document, whose it is, its type and its stretches."""
    ends = list(
        zip(spans.span_mark.tolist(), spans.span_start.tolist(), spans.span_end.tolist(), strict=True)
    )
    rows = zip(spans.document.tolist(), spans.person.tolist(), spans.type.tolist(), strict=True)
    return [
        (
            spans.documents[document],
            spans.people[person],
            spans.types[kind],
            tuple((start, end) for of, start, end in ends if of == number),
        )
        for number, (document, person, kind) in enumerate(rows)
    ]


def featured(name: str, *marks: tuple[Sequence[tuple[int, int]], Mapping[str, str]]) -> DocumentCopy:
    """Return a copy with marks of the type X, of several stretches and with features."""
    parsed = [
        ParsedMark("X", tuple(stretches), dict(features), line=line)
        for line, (stretches, features) in enumerate(marks, 1)
    ]
    return DocumentCopy("d", name, f"{name}.ann", TEXT, parsed)


# Who is compared with whom.


def test_two_are_compared_of_different_kinds_or_where_both_are_annotators() -> None:
    people = ("g1", "g2", "a1", "a2", "s1", "m1")
    roles = ("reference", "reference", "annotator", "annotator", "system", "model")
    spans = spans_of(*(copy(name, TEXT, role=role) for name, role in zip(people, roles, strict=True)))
    assert spans.people == people
    first, second = np.divmod(np.arange(36), 6)
    compared = spans.compared(first, second)
    assert {
        f"{people[one]} {people[other]}" for one, other in np.stack([first, second], axis=1)[compared]
    } == {
        *("g1 a1", "g1 a2", "g1 s1", "g1 m1", "g2 a1", "g2 a2", "g2 s1", "g2 m1"),
        *("a1 a2", "a1 s1", "a1 m1", "a2 s1", "a2 m1"),
    }


def test_a_reference_that_was_made_of_annotators_marks_is_made_from_theirs_alone() -> None:
    spans = spans_of(
        copy("gold", TEXT, role="reference"), copy("ann", TEXT), copy("sys", TEXT, role="system")
    )
    derived = replace(spans, derived=("gold",))
    assert [derived.made_from(0, other) for other in range(3)] == [False, True, False]
    assert not derived.made_from(2, 1)
    assert not spans.made_from(0, 1)


def test_whoever_saw_a_copy_of_a_document_saw_it() -> None:
    spans = spans_of(
        copy("ann", TEXT, state="skipped"),
        copy("ann2", TEXT, [(0, 3, "X")]),
        copy("ann", "four", document="e"),
        copy("bob", "four", document="e", state="unseen"),
        copy("bob", "five six", document="f"),
        same_as={"ann2": "ann"},
    )
    assert spans.people == ("ann", "bob")
    assert spans.saw.tolist() == [[True, False], [True, False], [False, True]]
    assert told(spans) == [("d", "ann", "X", ((0, 3),))]
    assert (spans.tokens.tolist(), spans.lengths.tolist()) == ([3, 1, 2], [13, 4, 8])


# Which marks are one.


def test_marks_are_in_the_order_of_documents_places_and_types() -> None:
    marks = [(4, 7, "B"), (0, 3, "B"), (0, 3, "A"), (0, 7, "A")]
    spans = spans_of(copy("ann", TEXT, marks, "e"), copy("ann", TEXT, marks[:1], "d"))
    documents = spans.documents
    assert [each[0] for each in told(spans)] == [documents[0]] * spans.document.tolist().count(0) + [
        documents[1]
    ] * spans.document.tolist().count(1)
    assert [each[2:] for each in told(spans) if each[0] == "e"] == [
        ("A", ((0, 3),)),
        ("B", ((0, 3),)),
        ("A", ((0, 7),)),
        ("B", ((4, 7),)),
    ]


def test_of_marks_that_say_the_same_the_first_counts_with_all_its_stretches() -> None:
    both = [((0, 3), (8, 13)), ((0, 3),), ((0, 3), (8, 13)), ((0, 3),)]
    spans = spans_of(featured("ann", *((stretches, {}) for stretches in both)))
    assert spans.mark.tolist() == [1, 0]
    assert [each[3] for each in told(spans)] == [((0, 3),), ((0, 3), (8, 13))]
    assert spans.doubled == 2
    # Of two people they are two.
    assert spans_of(copy("ann", TEXT, [(0, 3, "X")]), copy("bob", TEXT, [(0, 3, "X")])).doubled == 0


def test_types_that_become_one_make_one_mark_of_those_that_say_the_same() -> None:
    marks = [(4, 7, "Y"), (0, 3, "Z"), (0, 3, "Y"), (0, 3, "X")]
    spans = spans_of(copy("ann", TEXT, marks), copy("bob", TEXT, marks[2:3]))
    renamed = spans.renamed({"Y": "X"})
    assert (renamed.types, renamed.doubled) == (("X", "Z"), 1)
    assert told(renamed) == [
        ("d", "ann", "X", ((0, 3),)),
        ("d", "bob", "X", ((0, 3),)),
        ("d", "ann", "Z", ((0, 3),)),
        ("d", "ann", "X", ((4, 7),)),
    ]
    assert renamed.mark.tolist() == [3, 4, 1, 0]
    again = spans.renamed({"X": "Y", "Y": "Y"})
    assert (again.types, again.doubled) == (("Y", "Z"), 1)
    other = spans.renamed({"Y": "A"})
    assert (other.types, other.doubled, len(other.mark)) == (("X", "A", "Z"), 0, 5)
    assert told(other)[0] == ("d", "ann", "X", ((0, 3),))


def test_marks_of_different_values_stay_apart_where_types_become_one() -> None:
    parsed = [
        ParsedMark(name, ((0, 3),), {"Sure": sure}) for name, sure in (("X", "1"), ("Y", "2"), ("Z", "1"))
    ]
    spans = spans_of(DocumentCopy("d", "ann", "ann.ann", TEXT, parsed), features=("Sure",))
    renamed = spans.renamed({"Y": "X", "Z": "X"})
    assert renamed.values.tolist() == [[0], [1]]
    assert (renamed.mark.tolist(), renamed.doubled) == ([0, 1], 1)


# Significant features.


def test_all_features_are_those_of_any_mark_by_name() -> None:
    copied = featured("ann", (((0, 3),), {"b": "1", "10": "2"}), (((4, 7),), {"9": "1", "a": "3"}))
    spans = spans_of(copied, features=(ALL,))
    assert spans.features == ("9", "10", "a", "b")
    assert spans.values.tolist() == [[ABSENT, 0, ABSENT, 0], [0, ABSENT, 0, ABSENT]]
    assert spans_of(copied, features=("a",)).features == ("a",)


def test_of_a_layer_without_marks_no_feature_is_unknown() -> None:
    assert spans_of(copy("ann", TEXT), features=("Sure",)).features == ("Sure",)
    with pytest.raises(BadInput) as caught:
        spans_of(copy("ann", TEXT, [(0, 3, "X")]), features=("Sure", "Kind"))
    assert [problem.remedy for problem in caught.value.problems] == [
        "Name it under the layer that has it."
    ] * 2


def test_spellings_of_numbers_and_truth_values_are_one_and_others_are_not() -> None:
    values = (" 5", "5.0", "TRUE", "true ", "false", "inf", "Inf", "nan", "NaN", "Yes", "yes")
    copied = featured(
        "ann", *((((place, place + 1),), {"Sure": value}) for place, value in enumerate(values))
    )
    assert [each.values for each in spans_of(copied, features=("Sure",)).spellings] == [
        (" 5", "5.0"),
        ("TRUE", "true "),
    ]
    assert not math.isfinite(float(values[5]))


@pytest.mark.parametrize(
    ("key", "other", "equal", "subset"),
    [
        ({"a": "1", "b": "1"}, {"a": "1", "b": "1"}, True, True),
        ({"a": "1"}, {"a": "1", "b": "1"}, False, True),
        ({"a": "1", "b": "1"}, {"a": "1"}, False, False),
        ({"a": "1"}, {"a": "2"}, False, False),
        ({}, {"a": "2"}, False, True),
    ],
)
def test_features_agree_all_of_them_or_those_that_the_key_has(
    key: Mapping[str, str], other: Mapping[str, str], *, equal: bool, subset: bool
) -> None:
    copies = featured("ann", (((0, 3),), key)), featured("bob", (((0, 3),), other), (((4, 7),), {"b": "9"}))
    for match, expected in (("equal", equal), ("subset", subset)):
        spans = spans_of(*copies, features=("a", "b"), feature_match=match)
        assert candidates(spans).agrees.tolist() == [expected]


# Which marks could be pairs.


def pairs(*copies: DocumentCopy) -> list[tuple[Told, Told, bool, int]]:
    """Return every two marks that could be a pair, whether they are exact, and how much they share."""
    spans = spans_of(*copies)
    marks, found = told(spans), candidates(spans)
    columns = (found.first, found.second, found.exact, found.shared)
    return [
        (marks[first], marks[second], exact, shared)
        for first, second, exact, shared in zip(*(column.tolist() for column in columns), strict=True)
    ]


def places(
    *copies: DocumentCopy,
) -> list[tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...], bool, int]]:
    return [(one[3], other[3], exact, shared) for one, other, exact, shared in pairs(*copies)]


def test_marks_of_several_stretches_share_the_characters_of_all() -> None:
    one = featured("ann", (((0, 3), (8, 13)), {}))
    other = featured("bob", (((2, 10),), {}), (((3, 8),), {}), (((0, 3), (8, 13)), {}), (((0, 3),), {}))
    assert sorted(places(one, other)) == [
        (((0, 3), (8, 13)), ((0, 3),), False, 3),
        (((0, 3), (8, 13)), ((0, 3), (8, 13)), True, 8),
        (((0, 3), (8, 13)), ((2, 10),), False, 3),
    ]


def test_the_key_is_first_whoever_begins_earlier_and_documents_are_apart() -> None:
    found = pairs(
        copy("gold", TEXT, [(2, 5, "X")], role="reference"),
        copy("ann", TEXT, [(0, 3, "X")]),
        copy("ann", TEXT, [(2, 5, "X")], document="e"),
        copy("sys", TEXT, [(4, 9, "X")], role="system"),
        copy("sys2", TEXT, [(4, 9, "X")], role="system"),
    )
    assert [(one[1], other[1], shared) for one, other, _, shared in found] == [
        ("gold", "ann", 1),
        ("gold", "sys", 1),
        ("gold", "sys2", 1),
    ]
    assert candidates(spans_of(copy("ann", TEXT), copy("bob", TEXT))).first.tolist() == []


# Which marks are marks of the layer, and of which type.


def test_a_mark_labelled_as_not_annotated_is_none() -> None:
    spans = spans_of(copy("a", TEXT, [(0, 3, "X"), (4, 7, "none")]), non_annotated="none")
    assert (spans.types, len(spans.mark)) == (("X",), 1)


def test_types_stand_in_declared_order_without_those_nobody_uses() -> None:
    marks = [(0, 3, "B"), (4, 7, "A"), (8, 9, "10"), (9, 10, "9")]
    assert spans_of(copy("a", TEXT, marks), categories=("Z", "B")).types == ("B", "9", "10", "A")


def test_a_feature_that_no_mark_has_is_refused_with_the_one_that_was_probably_meant() -> None:
    problem = refusal(spans_of, featured("a", (((0, 1),), {"Sure": "yes"})), features=("Sur",))
    assert problem.key == "task.features"
    assert 'no mark of layer "main" has the feature "Sur"' in problem.message
    assert "Sure" in problem.remedy


LENGTH = 100_000


def recorded(*, tolerance: str | None = "100 ms", **marks: Marks) -> LayerUnits:
    """The study of what each person marked in one recording."""
    return recorded_by(marks, tolerance)


def recorded_by(marks: Mapping[str, Marks], tolerance: str | None = "100 ms") -> LayerUnits:
    """The same, by their names."""
    copies = [copy(who, "", own, length=LENGTH) for who, own in marks.items()]
    return study(annotations(*copies), "annotated-by-any", tolerance=tolerance)


def units_of(found: LayerUnits) -> CodedUnits:
    (units,) = found.unit_sets
    return units


def labels(found: LayerUnits) -> list[dict[str, str]]:
    return [own for _, own in rated(units_of(found))]


NONE = "(unmarked)"


@pytest.mark.parametrize(("late", "alike"), [(100, True), (101, False)])
def test_marks_are_one_unit_where_both_ends_are_within_the_tolerance(late: int, alike: bool) -> None:  # noqa: FBT001
    found = recorded(a=[(1000, 2000, "x")], b=[(1000 + late, 2000, "x")])
    apart = [{"a": "x", "b": NONE}, {"a": NONE, "b": "x"}]
    assert labels(found) == ([{"a": "x", "b": "x"}] if alike else apart)
    ends = recorded(a=[(1000, 2000, "x")], b=[(1000, 2000 - late, "y")])
    assert sorted(map(len, labels(ends))) == [2] * (2 - alike)
    assert ({"a": "x", "b": "y"} in labels(ends)) == alike


def test_each_mark_is_one_with_the_nearest_and_with_no_second() -> None:
    found = recorded(
        a=[(1000, 1500, "x"), (1080, 1580, "y")], b=[(1070, 1570, "y"), (1030, 1500, "x"), (1090, 1590, "z")]
    )
    assert labels(found) == [{"a": "x", "b": "x"}, {"a": "y", "b": "y"}, {"a": NONE, "b": "z"}]


def test_a_unit_is_where_whoever_has_most_marks_marked_it_whatever_they_are_called() -> None:
    marks = [(1000, 2000, "x")], [(1090, 2000, "x")], [(1180, 2000, "x"), (910, 2000, "y")]
    for names in permutations("abc"):
        one, other, most = names
        found = recorded_by(dict(zip(names, marks, strict=True)))
        assert labels(found) == [{one: "x", other: NONE, most: "y"}, {one: NONE, other: "x", most: "x"}]
        assert units_of(found).places.names == ("0.910–2.000 s", "1.180–2.000 s")


def test_of_those_with_as_many_marks_whose_begin_or_end_first_comes_first() -> None:
    for begins in ((1000, 1090, 1180), (1180, 1000, 1090)):
        found = recorded_by({who: [(begin, 2000, "x")] for who, begin in zip("abc", begins, strict=True)})
        assert units_of(found).places.names == ("1.000–2.000 s", "1.180–2.000 s")
    for stops in ((2000, 2090, 2180), (2180, 2000, 2090)):
        found = recorded_by({who: [(1000, stop, "x")] for who, stop in zip("abc", stops, strict=True)})
        assert units_of(found).places.names == ("1.000–2.000 s", "1.000–2.180 s")


def test_without_a_tolerance_it_is_the_usual_one() -> None:
    assert usual_tolerance(np.array([], dtype=np.int64)) == 200
    assert usual_tolerance(np.array([1, 400, 9000])) == 100
    for lengths, near in (([3], 1), ([4], 1), ([8], 2), ([799], 199), ([800], 200), ([9000], 200)):
        assert usual_tolerance(np.array(lengths)) == near
    assert usual_tolerance(np.array([400, 100])) == 100, "of two the longer"
    assert len(labels(recorded(tolerance=None, a=[(1000, 1400, "x")], b=[(1100, 1500, "x")]))) == 1
    assert len(labels(recorded(tolerance=None, a=[(1000, 1400, "x")], b=[(1101, 1500, "x")]))) == 2


@pytest.mark.parametrize("seed", range(20))
def test_as_many_stretches_are_one_as_f_of_stretches_counts(seed: int) -> None:
    draw = random.Random(seed)  # noqa: S311 - made data

    def cut() -> list[tuple[int, int, str]]:
        ends = [begin + draw.randint(-150, 150) for begin in range(1000, 60_000, 1000)]
        every = [(begin, end, draw.choice("xy")) for begin, end in pairwise(ends)]
        return [mark for mark in every if draw.random() < 0.9]

    a, b = cut(), cut()
    found = recorded(a=a, b=b)
    assert isinstance(found.spans, Spans)
    near = present(boundary_agreement(found.spans, 100))
    both = [own for own in labels(found) if NONE not in own.values()]
    assert 2 * len(both) / (len(a) + len(b)) == pytest.approx(present(near.stretches.value))
    alike = [own for own in both if own["a"] == own["b"]]
    assert 2 * len(alike) / (len(a) + len(b)) == pytest.approx(near.labels.value)


TEN_WORDS = " ".join(["word"] * 10)
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
            TEN_WORDS,
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
