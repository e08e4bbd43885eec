"""Systems against a reference twice, as in GATE's Corpus Benchmark: what rose, what fell, and where."""

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from reportgen.measures import NoDifference, Undefined
from reportgen.results.parts import SystemRevision
from tests.campaigns import Marks, marked, report_of
from tests.present import present
from tests.versions.marked_versions import GOLD, compared, ratings, releases, system, written

pytestmark = pytest.mark.slow

OBSERVED, ALPHA = "observed_agreement", "krippendorff_alpha"
PEOPLE = ("gold", "ann", "bob", "t1", "t2")
TWO = GOLD + system("t1", "1.0") + system("t2", "2.0")


def rows(
    skill: Sequence[float], documents: Sequence[str], units: int = 10, seed: int = 3
) -> list[tuple[str, ...]]:
    """Return ratings in which each of the people is right as often as they can, the first always."""
    drawn = random.Random(seed)  # noqa: S311 - made-up ratings
    found = []
    for document in documents:
        for unit in range(units):
            truth = drawn.choice("xxyyz")
            labels = [truth if drawn.random() < each else drawn.choice("xyz") for each in skill]
            found.append((document, f"{document}-{unit}", truth, *labels))
    return found


NAMES = [f"d{place:02}" for place in range(12)]


def planted() -> list[tuple[str, ...]]:
    """Return two releases that are alike but for one document, where the second takes z for x."""
    found: list[tuple[str, ...]] = []
    for place, (document, unit, truth, ann, bob, old, _) in enumerate(rows((0.9, 0.9, 0.8, 1.0), NAMES)):
        if document == "d07":
            truth = "z" if place % 2 else "y"  # noqa: PLW2901 - a document full of z
            old = truth  # noqa: PLW2901 - which the first release has right
        new = "x" if document == "d07" and truth == "z" else old
        found.append((document, unit, truth, ann, bob, old, new))
    return found


def by_hand(table: Sequence[Sequence[str]], who: int) -> list[float]:
    """Return in which share of each document's units somebody (a column) agrees with the key."""
    return [
        float(np.mean([row[2] == row[who] for row in table if row[0] == document]))
        for document in dict.fromkeys(row[0] for row in table)
    ]


@pytest.fixture(scope="module")
def regression(tmp_path_factory: pytest.TempPathFactory) -> SystemRevision:
    folder = tmp_path_factory.mktemp("planted") / "campaign"
    (found,) = releases(written(folder, TWO, {"1": ratings(PEOPLE, planted())}))
    return found


def test_a_planted_regression_is_found_in_its_document_and_category(regression: SystemRevision) -> None:
    worst = regression.by_document[0]
    assert (worst.document, worst.first, worst.second, worst.units) == ("d07", 1.0, 0.5, 10)
    assert all(each.difference == 0 for each in regression.by_document[1:])
    assert regression.document_figure == OBSERVED
    moved = {name: change.difference for name, change in regression.by_category.items()}
    assert min(moved, key=lambda name: moved[name] or 0.0) == "z"
    assert (moved["y"], moved["z"] is not None and moved["z"] < -0.1) == (0.0, True)


def test_two_releases_on_equal_documents_are_a_paired_t_test_of_document_means(tmp_path: Path) -> None:
    table = rows((0.9, 0.9, 0.85, 0.6), NAMES)
    (found,) = releases(written(tmp_path / "c", TWO, {"1": ratings(PEOPLE, table)}))
    change = found.measures[OBSERVED]
    oracle = stats.ttest_rel(by_hand(table, 6), by_hand(table, 5))
    assert change.test is not None
    assert change.test.method == "paired"
    assert change.test.statistic == pytest.approx(oracle.statistic)
    # Welch's test takes shares as they are, ours their log odds.
    assert change.test.p == pytest.approx(oracle.pvalue, abs=0.03)
    assert change.test.degrees == len(NAMES) - 1
    low, high = oracle.confidence_interval()
    assert change.interval is not None
    assert (change.interval.low, change.interval.high) == pytest.approx((low, high))


def test_releases_are_compared_on_the_units_that_both_labelled(tmp_path: Path) -> None:
    table = [(*row[:6], "" if row[0] > "d05" else row[6]) for row in rows((0.9, 0.9, 0.8, 0.8), NAMES)]
    (found,) = releases(written(tmp_path / "c", TWO, {"1": ratings(PEOPLE, table)}))
    assert (found.units, found.documents, found.basis) == ((60, 60), (6, 6), "shared")
    assert found.measures[OBSERVED].first.value == pytest.approx(np.mean(by_hand(table[:60], 5)))


def test_releases_on_other_material_are_compared_unpaired(tmp_path: Path) -> None:
    table = [
        (*row[:5], row[5] if row[0] < "d06" else "", row[6] if row[0] >= "d06" else "")
        for row in rows((0.9, 0.9, 0.8, 0.6), NAMES)
    ]
    (found,) = releases(written(tmp_path / "c", TWO, {"1": ratings(PEOPLE, table)}))
    change = found.measures[OBSERVED]
    assert change.test is not None
    assert (found.basis, change.test.method, found.by_document) == ("all", "unpaired", ())


def test_each_release_stands_against_the_one_before_and_the_newest_against_the_first(tmp_path: Path) -> None:
    people = ("gold", "ann", "bob", "z", "m", "a")
    toml = GOLD + system("z", "0.9") + system("m", "0.10") + system("a", "1.0")
    table = rows((0.9, 0.9, 0.5, 0.95, 0.7), NAMES)
    found = releases(written(tmp_path / "c", toml, {"1": ratings(people, table)}))
    assert {each.releases for each in found} == {("0.9", "0.10"), ("0.10", "1.0"), ("0.9", "1.0")}
    moved = [each.measures[each.figure].difference or 0.0 for each in found]
    assert moved == sorted(moved)
    assert found[0].releases == ("0.10", "1.0")


def test_two_systems_are_compared_as_two_releases_are_on_the_units_of_both(tmp_path: Path) -> None:
    table = [(*row[:6], "" if row[0] == "d11" else row[6]) for row in rows((0.9, 0.9, 0.5, 0.95), NAMES)]
    written(tmp_path / "c", GOLD + system("t1") + system("t2"), {"1": ratings(PEOPLE, table)})
    found = report_of(tmp_path / "c").results
    assert found.releases is None
    behind = {pair.other: pair.behind for pair in present(found.comparisons).pairs if pair.behind}
    written(tmp_path / "r", TWO, {"1": ratings(PEOPLE, table)})
    (release,) = releases(tmp_path / "r")
    assert behind == {"t1": release.measures[ALPHA]}, "the worse one is behind the better one"
    assert behind["t1"].test is not None
    assert (behind["t1"].test.method, behind["t1"].test.degrees) == ("paired", 10)


def versions(first: Sequence[Sequence[str]], second: Sequence[Sequence[str]]) -> dict[str, dict[str, str]]:
    return {"1": ratings(PEOPLE, first), "2": ratings(PEOPLE, second)}


def test_whoever_stands_in_both_versions_is_compared_on_the_documents_of_both(tmp_path: Path) -> None:
    first, second = rows((0.8, 0.8, 0.9, 0.6), NAMES[:8]), rows((0.9, 0.9, 0.6, 0.6), NAMES[2:], seed=4)
    found = compared(written(tmp_path / "c", TWO, versions(first, second))).systems
    shared = {each.first: each for each in found if each.basis == "shared"}
    assert set(shared) == {"ann", "bob", "t1", "t2"}
    assert shared["t1"].documents == (6, 6)
    assert present(shared["t1"].measures[OBSERVED].test).method == "paired"
    whole = next(each for each in found if each.basis == "all" and each.first == "t1")
    assert whole.documents == (8, 10)
    test = present(whole.measures[OBSERVED].test)
    assert test.method == "overlapping"
    assert not shared["ann"].humans
    assert set(shared["t1"].humans) == {"first", "second"}


def test_the_last_release_under_each_version_is_the_same_system(tmp_path: Path) -> None:
    people = [("gold", "ann", "bob", "t1"), ("gold", "ann", "bob", "t2")]
    tables = [rows((0.9, 0.9, 0.7), NAMES), rows((0.9, 0.9, 0.9), NAMES)]
    files = {str(n): ratings(*each) for n, each in enumerate(zip(people, tables, strict=True), 1)}
    found = [each for each in compared(written(tmp_path / "c", TWO, files)).systems if each.role == "system"]
    assert [(each.system, each.first, each.second, each.releases) for each in found] == [
        ("tagger", "t1", "t2", ("1.0", "2.0"))
    ]


def test_one_reference_in_each_version_is_the_same_key_whatever_it_is_called(tmp_path: Path) -> None:
    toml = GOLD + '[annotators.curator]\nrole = "reference"\n' + system("t1")
    tables = [rows((0.9, 0.7), NAMES), rows((0.9, 0.9), NAMES)]
    people = [("gold", "ann", "t1"), ("curator", "ann", "t1")]
    files = {str(n): ratings(*each) for n, each in enumerate(zip(people, tables, strict=True), 1)}
    assert {each.key for each in compared(written(tmp_path / "c", toml, files)).systems} == {"curator"}


def test_a_version_with_a_reference_is_not_compared_with_one_without(tmp_path: Path) -> None:
    files = {
        "1": ratings(("gold", "ann", "t1"), rows((0.8, 0.7), NAMES)),
        "2": ratings(("ann", "bob", "t1"), rows((0.8, 0.7), NAMES)),
    }
    assert compared(written(tmp_path / "c", GOLD + system("t1"), files)).systems == ()


TEXTS = {f"d{place}": "Anna met Ben in Paris and Rome .\n" for place in range(6)}
FULL = [("PER", 0, 4), ("PER", 9, 12), ("LOC", 16, 21)]


def test_a_system_without_any_mark_has_recall_0_and_no_precision(tmp_path: Path) -> None:
    marks: Marks = {
        "gold": dict.fromkeys(TEXTS, FULL),
        "ann": dict.fromkeys(TEXTS, FULL[:2]),
        "t1": dict.fromkeys(TEXTS, FULL),
        "t2": {name: [] for name in TEXTS},
    }
    found = releases(written(tmp_path / "c", TWO, {"1": marked(TEXTS, marks)}))
    of_marks = next(each for each in found if each.unit_set is None)
    assert of_marks.measures["precision[strict]"].second.undefined == str(Undefined.NO_RESPONSE_MARKS)
    assert of_marks.measures["precision[strict]"].difference is None
    assert of_marks.measures["precision[strict]"].untested == str(NoDifference.UNDEFINED)
    assert of_marks.measures["f_measure[strict]"].difference == -1.0
    # Each document fell alike: nothing shows how much the fall varies.
    assert of_marks.measures["f_measure[strict]"].untested == str(NoDifference.NO_VARIATION)
    assert [each.difference for each in of_marks.by_document] == [-1.0] * len(TEXTS)
    assert of_marks.humans["first"].undefined == str(Undefined.NO_PAIR)


UNIT_SETS = "".join(
    f'[[unit_sets]]\nid = "{kind}"\nunits = "{kind}"\nwhy = "A test."\n'
    for kind in ("tokens", "annotated-by-any", "annotated-by-all")
)


def test_merged_categories_change_nothing_in_any_unit_set_of_texts(tmp_path: Path) -> None:
    drawn = random.Random(13)  # noqa: S311 - made-up marks
    first: dict[str, dict[str, list[tuple[str, int, int]]]] = {who: {} for who in PEOPLE}
    for name in TEXTS:
        for who in PEOPLE:
            first[who][name] = [
                (drawn.choice(("PER", "LOC", "ORG")), *place)
                for place in ((0, 4), (9, 12), (16, 21), (26, 30))
                if drawn.random() < 0.8
            ]
    second = {
        who: {
            name: [("LOC" if kind == "ORG" else kind, start, end) for kind, start, end in marks]
            for name, marks in own.items()
        }
        for who, own in first.items()
    }
    toml = f'[task]\nnon_annotated = "none"\n{TWO}{UNIT_SETS}'
    exports = {"1": marked(TEXTS, first), "2": marked(TEXTS, second)}
    folder = written(tmp_path / "c", toml, exports, 'merged = { ORG = "LOC" }\n')
    found = compared(folder).systems
    assert {each.unit_set for each in found} == {None, "tokens", "annotated-by-any", "annotated-by-all"}
    for each in found:
        assert present(each.categories).how == "merged"
        assert {change.difference for change in each.measures.values()} <= {0.0, None}
        assert {change.difference for change in each.by_category.values()} <= {0.0, None}
