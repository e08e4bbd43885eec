"""Who disagrees with everyone, who drifts, how hard units are, in labels and marks: against loops."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from reportgen.counts import count
from reportgen.counts.tables import count_spans
from reportgen.measures import NoInterval, ScaleSetting, Undefined, UnitsOfAll
from reportgen.measures.annotators.annotator_vs_rest import (
    drifts,
    standings,
    standings_of_marks,
    without_nearest,
)
from reportgen.measures.annotators.quality import difficulty
from reportgen.results import Interval, Results
from reportgen.results.annotators import AnnotatorVsRest, Difficulty, WithoutNearest
from reportgen.units import CodedUnits
from tests.campaigns import finding, marked, results_of, written
from tests.measures.made import annotations, figures, units_of, value
from tests.present import present
from tests.properties import examples
from tests.rendered import version_files
from tests.units.marked import Marks, copy, study
from tests.units.marked import annotations as of_copies

LABELS = ("x", "y", "z")
rows = st.lists(
    st.lists(st.sampled_from([None, *LABELS]), min_size=4, max_size=4), min_size=3, max_size=14
).filter(lambda table: all(any(row[who] is not None for row in table) for who in range(4)))


def coded(table: list[list[str | None]], documents: list[str | None] | None = None) -> CodedUnits:
    return units_of(annotations(table, documents=documents or ()), categories=LABELS)


def shares(table: list[list[str | None]], who: int) -> tuple[list[float], list[float]]:
    """Agreement of one with the others, and what it is more than theirs, unit by unit."""
    own, apart = [], []
    for row in table:
        others = [label for place, label in enumerate(row) if place != who and label is not None]
        if row[who] is None or not others:
            continue
        mine = sum(label == row[who] for label in others) / len(others)
        own.append(mine)
        if len(others) > 1:
            pairs = [one == other for one, other in combinations(others, 2)]
            apart.append(mine - sum(pairs) / len(pairs))
    return own, apart


@examples(40)
@given(rows)
def test_means_are_those_of_a_loop_over_units(table: list[list[str | None]]) -> None:
    for who, found in enumerate(standings(coded(table).pairable)):
        own, apart = shares(table, who)
        for estimate, values in ((found.agreement, own), (found.difference, apart)):
            assert estimate.units == len(values)
            if not values:
                assert estimate.value is None
                continue
            assert estimate.value == pytest.approx(sum(values) / len(values))
            if estimate.standard_error is not None:
                expected = float(np.std(values, ddof=1)) / math.sqrt(len(values))
                assert estimate.standard_error == pytest.approx(expected)


def test_errors_are_clustered_by_document() -> None:
    table: list[list[str | None]] = [["x", "x", "x"], ["x", "x", "y"], ["y", "y", "y"], ["x", "y", "y"]]
    found = standings(coded(table, ["d1", "d1", "d2", "d2"]).pairable)[0].agreement
    # Means are 1, .5 | 1, 0 around .625: sums of documents are +.25 and -.25.
    assert found.value == pytest.approx(0.625)
    assert found.standard_error == pytest.approx(math.sqrt(2 * 2 * 0.25**2) / 4)


def test_a_perfect_annotator_has_no_variation_and_a_lonely_one_no_value() -> None:
    found = standings(coded([["x", "x", "x", None], ["y", "y", "y", None], [None, None, None, "x"]]).pairable)
    assert found[0].agreement.value == 1
    assert found[0].agreement.interval == Interval(undefined=NoInterval.NO_VARIATION)
    assert found[3].agreement.undefined == Undefined.NO_SHARED_UNITS
    two = standings(coded([["x", "x", None], ["y", "x", None], [None, "x", "y"]]).pairable)
    assert two[0].difference.undefined == Undefined.NO_OTHERS


def drifting(documents: int, size: int) -> tuple[list[list[str | None]], list[str | None]]:
    random = np.random.default_rng(5)
    table: list[list[str | None]] = []
    names: list[str | None] = []
    for document in range(documents):
        for _ in range(int(random.integers(2, size))):
            good = "x" if random.random() > 0.8 * document / documents else "y"
            table.append([good, *("x" if random.random() < 0.9 else "z" for _ in range(2))])
            names.append(f"d{document}")
    return table, names


def test_a_slope_is_that_of_statsmodels_leaving_out_documents() -> None:
    table, names = drifting(16, 12)
    units = coded(table, names)
    found = present(drifts(units.pairable)[0])
    with_others = np.array([(row[0] == row[1]) + (row[0] == row[2]) for row in table]) / 2
    y = with_others - np.array([float(row[1] == row[2]) for row in table])
    document = np.array([int(str(name)[1:]) for name in names])
    x = document / 15
    whole = sm.OLS(y, sm.add_constant(x)).fit().params[1]
    without = [
        sm.OLS(y[document != left], sm.add_constant(x[document != left])).fit().params[1]
        for left in range(16)
    ]
    assert found.slope.value == pytest.approx(whole)
    assert found.slope.standard_error == pytest.approx(
        math.sqrt(15 / 16 * sum((each - whole) ** 2 for each in without)), rel=1e-9
    )
    assert present(found.p) < 0.01
    assert sum(block.documents for block in found.blocks) == 16
    assert sum(block.units for block in found.blocks) == len(table)
    assert found.blocks[0].agreement > found.blocks[-1].agreement


def test_hard_documents_late_look_like_no_drift() -> None:
    table: list[list[str | None]] = []
    names: list[str | None] = []
    for document in range(20):
        for place in range(6):
            hard = place < document * 6 // 20
            # Of three who differ wherever it is hard, none drifts beside the others.
            table.append(["x", "y", "z"] if hard else ["x", "x", "x"])
            names.append(f"d{document:02}")
    for found in drifts(coded(table, names).pairable):
        assert found is not None
        assert found.p is None
        assert found.slope.value == pytest.approx(0)
        assert found.blocks[0].agreement > found.blocks[-1].agreement


def test_few_documents_and_tables_show_no_drift() -> None:
    table, names = drifting(9, 8)
    assert drifts(coded(table, names).pairable) == [None] * 3
    weighted = annotations([["x", "x", "x"], ["x", "y", "y"]] * 6, weights=[5, 2] * 6)
    assert drifts(units_of(weighted).pairable) == [None] * 3


def test_where_two_label_a_document_nobody_drifts() -> None:
    """Hard documents late lower everybody's agreement, and no third tells whose labels changed."""
    table, names = drifting(20, 8)
    for place, row in enumerate(table):
        row[int(str(names[place])[1:]) % 3] = None
    assert drifts(coded(table, names).pairable) == [None] * 3


def test_the_next_annotator_is_compared_on_what_both_rated_by_document() -> None:
    """A paired test: what the two give the same document adds up before it is squared."""
    made = np.random.default_rng(5)
    table: list[list[str | None]] = [
        [LABELS[code] for code in row] for row in made.integers(0, 3, (24, 4)).tolist()
    ]
    documents: list[str | None] = [f"d{number // 3}" for number in range(24)]
    for names, groups in ((None, 24), (documents, 8)):
        known = enumerate(standings(coded(table, names).pairable))
        found = sorted(known, key=lambda row: row[1].difference.value or 0)
        for (first, lower), (second, _) in pairwise(found):
            one, other = (shares(table, place)[1] for place in (first, second))
            by_group = np.reshape(np.subtract(one, other), (groups, -1)).sum(axis=1)
            mean = by_group.mean()
            error = float(np.std(by_group, ddof=1)) / math.sqrt(groups)
            assert lower.next_p == pytest.approx(float(2 * t.sf(abs(mean) / error, groups - 1)))
            assert found[-1][1].next_p is None


def test_a_crowd_has_no_next_one() -> None:
    made = np.random.default_rng(6).integers(0, 3, (122, 3)).tolist()
    table: list[list[str | None]] = [[None] * 61 for _ in made]
    for number, (row, codes) in enumerate(zip(table, made, strict=True)):
        for place, code in enumerate(codes):
            row[(number // 2 + place) % 61] = LABELS[code]
    crowd = standings(coded(table).pairable)
    assert {each.next_p for each in crowd} == {None}
    assert any(each.p is not None for each in crowd)
    assert any(each.next_p is not None for each in standings(coded([row[:60] for row in table]).pairable))


def without(table: np.ndarray, who: int) -> WithoutNearest:
    units = coded([[LABELS[code] for code in row] for row in table.tolist()])
    return present(without_nearest(units, who, drifting=True))


def test_who_agrees_more_with_a_copy_only_agrees_no_more_without_it() -> None:
    made = np.random.default_rng(8)
    truth = made.integers(0, 3, (300, 1))
    table = np.where(made.random((300, 4)) < 0.3, made.integers(0, 3, (300, 4)), truth)
    careful = table.copy()
    careful[:, 0] = truth[:, 0]
    table[:, 3] = table[:, 0]
    copied, better = without(table, 0), without(careful, 0)
    (first, *_), (second, *_) = (
        standings(coded([[LABELS[code] for code in row] for row in each.tolist()]).pairable)
        for each in (table, careful)
    )
    assert copied.nearest == coded([["x"] * 4]).annotators[3]
    assert abs(copied.difference or 0) < 0.05 < (first.difference.value or 0)
    assert (better.difference or 0) > 0.75 * (second.difference.value or 0) > 0.05
    assert copied.slope is not None


few_rows = st.lists(
    st.lists(st.sampled_from([None, *LABELS]), min_size=4, max_size=4), min_size=2, max_size=14
)


def hard(table: list[list[str | None]], documents: list[str | None] | None = None) -> Difficulty | None:
    units = units_of(annotations(table, documents=documents or ()), categories=LABELS)
    return difficulty(UnitsOfAll(units, count(units), ScaleSetting()))


@examples(40)
@given(few_rows)
def test_the_means_are_those_of_a_loop_over_units(table: list[list[str | None]]) -> None:
    rated = [[label for label in row if label is not None] for row in table]
    several = [row for row in rated if len(row) > 1]
    found = hard(table)
    if not several:
        assert found is None
        return
    assert found is not None
    bits, apart = [], []
    for row in several:
        shares = [times / len(row) for times in Counter(row).values()]
        bits.append(-sum(share * math.log2(share) for share in shares))
        pairs = [one != other for one, other in combinations(row, 2)]
        apart.append(sum(pairs) / len(pairs))
    assert found.entropy == pytest.approx(sum(bits) / len(bits))
    assert found.disagreement == pytest.approx(sum(apart) / len(apart))
    assert found.differing == sum(share > 0 for share in apart)
    assert sum(each.units for each in found.histogram) == len(several)
    most = sorted(apart, reverse=True)[: len(found.hardest)]
    assert [each.disagreement for each in found.hardest] == pytest.approx(most)


def test_disagreement_is_what_observed_agreement_leaves() -> None:
    table: list[list[str | None]] = [["x", "x", "y"], ["x", "y", "z"], ["x", "x", None], ["y", None, None]]
    found = present(hard(table))
    measured = figures(units_of(annotations(table), categories=LABELS)).measures["observed_agreement"]
    assert found.disagreement == pytest.approx(1 - value(measured))
    # One unit without, one with two pairs of three, one with all.
    assert [each.units for each in found.histogram] == [1, 0, 0, 0, 1, 1]
    assert [(each.low, each.high) for each in found.histogram[:3]] == [(0, 0), (0, 0.2), (0.2, 0.4)]


def test_the_hardest_units_say_where_they_are() -> None:
    found = present(hard([["x", "x", "x"], ["x", "y", "z"], ["x", "x", "y"]], ["d1", "d2", "d2"]))
    assert [each.document for each in found.hardest] == ["d2", "d2"]
    # Their numbers among the units on which annotators differ.
    assert [each.entry for each in found.hardest] == [0, 1]
    assert found.hardest[0].labels == {"x": 1, "y": 1, "z": 1}
    assert found.hardest[0].entropy == pytest.approx(math.log2(3))


TEXT = "abcdefghijklmnop"
PEOPLE = ("a", "b", "c", "d")
mark = st.tuples(st.integers(0, 5), st.integers(1, 3), st.sampled_from("XY")).map(
    lambda drawn: (drawn[0], drawn[0] + drawn[1], drawn[2])
)
# By document and person; who did not see it has None.
everything = st.lists(
    st.lists(st.one_of(st.none(), st.lists(mark, max_size=4, unique=True)), min_size=4, max_size=4),
    min_size=2,
    max_size=5,
).filter(lambda documents: all(any(marks[who] is not None for marks in documents) for who in range(4)))
Everybody = Sequence[Sequence[Marks | None]]


def beside(documents: Everybody) -> list[AnnotatorVsRest]:
    copies = [
        copy(PEOPLE[who], TEXT, marks, document=f"d{number}")
        for number, everybody in enumerate(documents)
        for who, marks in enumerate(everybody)
        if marks is not None
    ]
    spans = present(study(of_copies(*copies)).spans)
    return standings_of_marks(PEOPLE, spans, count_spans(spans))


def f(documents: Everybody, pairs: Sequence[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """Return of each document twice the marks that are the same, and all marks, over some pairs."""
    alike, every = [], []
    for everybody in documents:
        seen = [
            (set(one), set(other))
            for first, second in pairs
            if (one := everybody[first]) is not None and (other := everybody[second]) is not None
        ]
        alike.append(sum(2 * len(one & other) for one, other in seen))
        every.append(sum(len(one) + len(other) for one, other in seen))
    return alike, every


@examples(60)
@given(everything)
def test_f_and_its_difference_are_those_of_a_loop_over_marks(documents: Everybody) -> None:
    for who, found in enumerate(beside(documents)):
        own = [pair for pair in combinations(range(4), 2) if who in pair]
        rest = [pair for pair in combinations(range(4), 2) if who not in pair]
        alike, every = f(documents, own)
        assert found.agreement.value == (pytest.approx(sum(alike) / sum(every)) if sum(every) else None)
        third = [
            everybody
            for everybody in documents
            if everybody[who] is not None and sum(marks is not None for marks in everybody) > 2
        ]
        (alike, every), (rest_alike, rest_every) = f(third, own), f(third, rest)
        if not sum(every) or not sum(rest_every):
            assert found.difference.value is None
            continue
        own_f, rest_f = sum(alike) / sum(every), sum(rest_alike) / sum(rest_every)
        assert found.difference.value == pytest.approx(own_f - rest_f)
        moves = [
            (a - own_f * b) / sum(every) - (c - rest_f * d) / sum(rest_every)
            for a, b, c, d in zip(alike, every, rest_alike, rest_every, strict=True)
            if b + d
        ]
        size = len(moves)
        assert found.difference.units == size
        if found.difference.standard_error is not None:
            expected = math.sqrt(math.fsum(move * move for move in moves) * size / (size - 1))
            assert found.difference.standard_error == pytest.approx(expected)


WORDS = "Cuba , Rusia y Polonia firmaron ayer en Roma un pacto con todos los otros reinos de la tierra . " * 4
HEAD = '[privacy]\nannotators = "names"\n'


def made(folder: Path, toml: str = HEAD) -> Results:
    """Return four annotators: dan joins what is a list, cleo leaves unmarked words unlike the others.

    Of tokens cleo is farthest, whose one long mark covers many; of marks dan is, who joins everywhere.
    """
    texts = {f"d{number}": WORDS for number in range(12)}
    apart = [("P", 0, 4), ("P", 7, 12), ("P", 15, 22), ("P", 40, 44)]
    long = ("P", 100, 260)
    people: Mapping[str, Sequence[tuple[str, int, int]]] = {
        "ann": apart,
        "ben": apart,
        "cleo": [*apart, long],
        "dan": [("P", 0, 22), ("P", 40, 44)],
    }
    marks = {
        # Everybody leaves something out now and then.
        who: {name: own[: -1 if (number + place) % 5 == 0 else None] for number, name in enumerate(texts)}
        for place, (who, own) in enumerate(people.items())
    }
    files = {f"exports/1.0/{name}": text for name, text in marked(texts, marks).items()}
    return results_of(written(folder / "c", toml, files))


@pytest.mark.slow
def test_who_differs_most_in_marks_is_named_in_quality_and_on_the_first_screen(tmp_path: Path) -> None:
    found = made(tmp_path)
    (quality,) = found.quality or ()
    assert quality.compared_by == "f_measure[strict]"
    least = min(quality.annotators, key=lambda each: each.difference.value or 0.0)
    assert least.annotator == "dan"
    earlier_begins, apart = finding(found, "earlier-begins"), finding(found, "disagrees-with-everyone")
    assert earlier_begins is not None
    assert apart is not None
    assert earlier_begins.values["annotator"] == "dan"
    assert apart.values["names_list"] == ("dan",)
    assert apart.claim.startswith("{names}'s marks agree less")
    assert apart.values["f_with"] == least.agreement.value
    assert apart.values["f_without"] == least.others
    # How many units are shared is known all the same.
    assert least.units == found.primary.units
    page = dict(version_files(found, {}))["quality/index.html"]
    assert "Strict F between each annotator" in page
    assert "Same label as another" not in page


def test_labels_of_marks_that_all_made_are_compared_as_labels(tmp_path: Path) -> None:
    sets = '[[unit_sets]]\nid = "agreed"\nunits = "annotated-by-all"\n'
    (quality,) = made(tmp_path, HEAD + sets).quality or ()
    assert quality.compared_by is None
