"""Agreement on marks under two versions: means over pairs, by type, pair by pair, in other white space."""

import random
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.measures import NoDifference, Undefined
from reportgen.results.versions import SpanRevision, VersionComparison
from tests.campaigns import marked, report_of
from tests.present import present
from tests.properties import examples
from tests.versions.marked_versions import compared, written

STRICT = "f_measure[strict]"
TEXT = "Anna met Ben in Paris and Rome .\n"
PLACES = ((0, 4), (9, 12), (16, 21), (26, 30))
PEOPLE = ("ann", "bob", "cat")
NAMES = [f"d{place}" for place in range(8)]

Made = dict[str, dict[str, list[tuple[str, int, int]]]]


def made(seed: int, names: list[str], skill: float, kinds: str = "AB") -> Made:
    """Return marks of three annotators who each find what there is as often as they can."""
    drawn = random.Random(seed)  # noqa: S311 - made-up marks
    found: Made = {who: {} for who in PEOPLE}
    for name in names:
        for who in PEOPLE:
            found[who][name] = [
                (kinds[number % len(kinds)] if drawn.random() < skill else drawn.choice(kinds), *place)
                for number, place in enumerate(PLACES)
                if drawn.random() < skill
            ]
    return found


def files(marks: Made, texts: Mapping[str, str] | None = None) -> dict[str, str]:
    names = {name for documents in marks.values() for name in documents}
    return marked(texts or dict.fromkeys(sorted(names), TEXT), marks)


def revisions(folder: Path, first: Made, second: Made, keys: str = "") -> dict[str, SpanRevision]:
    """Return what was compared, by basis."""
    found = compared(written(folder / "c", "", {"1": files(first), "2": files(second)}, keys)).spans
    return {each.basis: each for each in found}


def mean_f(marks: Made, weight: Mapping[str, float], kind: str = "") -> float:
    """Return the mean over pairs of strict F, documents weighing what they may."""
    values = []
    for one, other in combinations(PEOPLE, 2):
        right = total = 0.0
        for name, each in weight.items():
            ours, theirs = (
                {mark for mark in marks[who][name] if mark[0] == kind or not kind} for who in (one, other)
            )
            right += each * len(ours & theirs)
            total += each * (len(ours) + len(theirs))
        if total:
            values.append(2 * right / total)
    return sum(values) / len(values)


def slopes(marks: Made, names: list[str], kind: str = "") -> list[float]:
    """Return how fast the mean moves with the weight of each document."""
    step, ones = 1e-5, dict.fromkeys(names, 1.0)
    return [
        (mean_f(marks, ones | {name: 1 + step}, kind) - mean_f(marks, ones | {name: 1 - step}, kind))
        / (2 * step)
        for name in names
    ]


@pytest.mark.slow
@examples(15)
@given(st.integers(0, 999))
def test_the_paired_test_is_what_weighing_documents_gives(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    first, second = made(seed, NAMES, 0.7), made(seed + 1000, NAMES, 0.85)
    (found,) = revisions(tmp_path_factory.mktemp("paired"), first, second).values()
    assert found.basis == "shared"
    for change, kind in ((found.measures[STRICT], ""), (found.by_type["A"], "A")):
        pairs = zip(slopes(first, NAMES, kind), slopes(second, NAMES, kind), strict=True)
        squares = sum((after - before) ** 2 for before, after in pairs)
        ones = dict.fromkeys(NAMES, 1.0)
        assert change.difference == pytest.approx(mean_f(second, ones, kind) - mean_f(first, ones, kind))
        assert present(change.test).method == "paired"
        assert change.standard_error == pytest.approx((8 / 7 * squares) ** 0.5, rel=1e-6)


@pytest.mark.slow
def test_both_values_are_those_of_the_versions_own_reports(tmp_path: Path) -> None:
    first, second = made(1, NAMES, 0.7), made(2, NAMES, 0.85)
    found = revisions(tmp_path, first, second)["shared"]
    spans = present(report_of(tmp_path / "c").results.spans)
    means = spans.mean_over_pairs["main"]
    for mode in ("strict", "lenient", "average"):
        assert found.measures[f"f_measure[{mode}]"].second.value == means.overall[mode]["f_measure"].value
    for kind in "AB":
        assert found.by_type[kind].second.value == means.by_type[kind]["strict"]["f_measure"].value
    own = {each.annotators: each.measures[STRICT].second for each in found.pairs}
    assert own == {each.annotators: each.strict["f_measure"] for each in spans.pairs}


def test_other_documents_are_compared_unpaired(tmp_path: Path) -> None:
    others = [f"e{place}" for place in range(6)]
    first, second = made(1, NAMES[:6], 0.6), made(2, others, 0.9)
    (found,) = revisions(tmp_path, first, second).values()
    change = found.measures[STRICT]
    assert (found.basis, found.overlap.documents) == ("all", 0)
    assert present(change.test).method == "unpaired"
    errors = [change.first.standard_error or 0.0, change.second.standard_error or 0.0]
    # Documents that have more of the marks count for more than their influence says.
    together = (errors[0] ** 2 + errors[1] ** 2) ** 0.5
    assert together <= (change.standard_error or 0) <= 1.2 * together


def test_where_some_documents_stand_in_both_there_are_two_bases(tmp_path: Path) -> None:
    found = revisions(tmp_path, made(1, NAMES[:6], 0.6), made(2, NAMES[2:], 0.9))
    shared, whole = found["shared"], found["all"]
    assert (shared.first.documents, shared.second.documents, shared.overlap.documents) == (4, 4, 4)
    assert (whole.first.documents, whole.second.documents) == (6, 6)
    test = present(whole.measures[STRICT].test)
    assert test.method == "overlapping"


def test_a_document_whose_text_is_another_is_not_shared(tmp_path: Path) -> None:
    first, second = made(1, NAMES, 0.6), made(2, NAMES, 0.9)
    texts = dict.fromkeys(NAMES, TEXT) | {"d3": TEXT.replace("Rome", "Bern")}
    exports = {"1": files(first), "2": files(second, texts)}
    found = {each.basis: each for each in compared(written(tmp_path / "c", "", exports)).spans}
    assert (found["shared"].overlap.documents, found["shared"].overlap.edited) == (7, 1)
    assert found["all"].second.documents == 8


def test_a_type_that_nobody_used_under_one_version_is_undefined_there(tmp_path: Path) -> None:
    toml = '[task]\ncategories = ["A", "B"]\n'
    first, second = made(1, NAMES, 0.8, "A"), made(2, NAMES, 0.9)
    folder = written(tmp_path / "c", toml, {"1": files(first), "2": files(second)})
    found = next(each for each in compared(folder).spans if each.basis == "shared")
    assert found.by_type["B"].first.undefined == str(Undefined.NOT_MARKED)
    assert found.by_type["B"].difference is None
    assert found.by_type["B"].untested == str(NoDifference.UNDEFINED)
    assert found.measures[STRICT].test is not None


def test_where_types_differ_f_of_all_is_not_tested_and_types_of_one_name_are(tmp_path: Path) -> None:
    found = revisions(tmp_path, made(1, NAMES, 0.6, "AC"), made(2, NAMES, 0.9))["shared"]
    assert found.measures[STRICT].untested == str(NoDifference.CATEGORIES)
    assert found.measures[STRICT].difference is not None
    assert set(found.by_type) == {"A"}
    assert found.by_type["A"].test is not None


def test_merged_types_are_one_and_marks_that_then_say_the_same_too(tmp_path: Path) -> None:
    first = made(1, NAMES, 0.8, "ABC")
    # Where one mark is of both types that become one, it is one mark.
    first["ann"]["d0"] = [("B", 0, 4), ("C", 0, 4), ("A", 9, 12)]
    second = {
        who: {
            name: sorted({("B" if kind == "C" else kind, start, end) for kind, start, end in marks})
            for name, marks in own.items()
        }
        for who, own in first.items()
    }
    found = revisions(tmp_path, first, second, 'merged = { C = "B" }\n')["shared"]
    assert present(found.categories).how == "merged"
    assert found.first == found.second
    assert [change.difference for change in found.measures.values()] == [0.0, 0.0, 0.0]
    assert all(change.difference == 0.0 for change in found.by_type.values())


def test_marks_matched_by_other_rules_are_not_tested(tmp_path: Path) -> None:
    found = revisions(tmp_path, made(1, NAMES, 0.6), made(2, NAMES, 0.9), "beta = 2.0\n")["shared"]
    assert {change.untested for change in found.measures.values()} == {str(NoDifference.MATCHING)}


@pytest.mark.slow
def test_of_a_crowd_the_mean_is_known_and_no_pair_listed(tmp_path: Path) -> None:
    drawn = random.Random(5)  # noqa: S311 - made-up marks
    crowd: list[Made] = [
        {
            f"w{who:02}": {
                name: [("A", *place) for place in PLACES if drawn.random() < skill] for name in NAMES[:6]
            }
            for who in range(52)
        }
        for skill in (0.5, 0.9)
    ]
    found = revisions(tmp_path, crowd[0], crowd[1])["shared"]
    assert not found.pairs
    assert found.measures[STRICT].test is not None
    assert (found.measures[STRICT].difference or 0.0) > 0.2


SPACED_TEXT = "Anna Berg traf gestern Ben,und dann fuhr er nach Paris weiter."
MARKED_NAMES = ("Anna Berg", "Ben", "Paris")


def export(change: str, insert: str, missed: int) -> dict[str, str]:
    """Return two annotators' marks in eight documents; in the second half `change` has `insert` behind it."""
    files: dict[str, str] = {}
    for number in range(8):
        text = SPACED_TEXT.replace(change, change + insert) if number >= 4 else SPACED_TEXT
        for who in ("a", "b"):
            names = MARKED_NAMES[1:] if who == "b" and number % missed == 0 else MARKED_NAMES
            marks = (
                f"T{row}\tName {text.index(name)} {text.index(name) + len(name)}\t{name}\n"
                for row, name in enumerate(names, 1)
            )
            files[f"{who}/d{number}.txt"] = text
            files[f"{who}/d{number}.ann"] = "".join(marks)
    return files


def comparison(folder: Path, change: str, insert: str) -> VersionComparison:
    return compared(written(folder / "c", "", {"1": export("", "", 2), "2": export(change, insert, 3)}))


@pytest.mark.parametrize(
    ("change", "insert"),
    [("traf ", " "), ("traf", "\n"), ("Ben,", " "), ("weiter.", "\n\n"), ("nach", "\u00a0"), ("", "")],
)
def test_versions_are_paired_where_documents_are_the_same_but_for_white_space(
    tmp_path: Path, change: str, insert: str
) -> None:
    found = comparison(tmp_path, change, insert)
    (units,) = found.unit_sets
    (spans,) = found.spans
    assert (units.overlap.edited, spans.overlap.edited) == (0, 0)
    assert (units.overlap.documents, spans.overlap.documents) == (8, 8)
    for figure in (units.measures["krippendorff_alpha"], spans.measures["f_measure[strict]"]):
        assert present(figure.test).method == "paired"
    plain = comparison(tmp_path / "plain", "", "")
    assert spans.measures == plain.spans[0].measures
    # Behind "Ben," white space makes two tokens of one.
    assert (units.measures == plain.unit_sets[0].measures) == (change != "Ben,")
