"""Unit sets under two versions, in their order: what is tested against what, on which units, and why not."""

from pathlib import Path

import numpy as np
import pytest

from reportgen import agreement
from reportgen.campaign import load
from reportgen.measures.significance_tests import NoDifference
from reportgen.pipeline.version_reports import Sides
from reportgen.results.model import dumps
from tests.measures.made import value
from tests.measures.test_gwet_2016 import FIRST, SECOND, printed
from tests.present import present
from tests.versions.made import bases, campaign_of, compared, comparison, on, p, table

DOCUMENTS = [f"d{place // 3}" for place in range(24)]
ALPHA = "krippendorff_alpha"
CATEGORIES = '[task]\ncategories = ["a", "b", "c"]\n'


def noisy(seed: int, slips: float) -> list[str]:
    """Labels of the same 24 units, each rated by everybody with some slips."""
    truth, drawn = np.random.default_rng(5), np.random.default_rng(seed)
    rows = []
    for _ in range(24):
        right = str(truth.choice(list("abc")))
        given = [str(drawn.choice(list("abc"))) if drawn.random() < slips else right for _ in range(3)]
        rows.append("".join(given))
    return rows


BEFORE, AFTER = noisy(1, 0.5), noisy(2, 0.2)


def test_gwet_2016_all_the_way_through(tmp_path: Path) -> None:
    revision = on(comparison(tmp_path, [table(FIRST), table(SECOND)]), "shared")
    fleiss = revision.measures["fleiss_kappa"]
    assert fleiss.test is not None
    assert fleiss.standard_error is not None
    assert (fleiss.test.method, fleiss.test.degrees) == ("paired", 14)
    shown = fleiss.standard_error, fleiss.test.statistic, fleiss.test.p
    assert tuple(map(printed, shown)) == (0.1574322, 2.154477, 0.04910569)
    assert (revision.clusters, revision.overlap.documents, revision.overlap.units) == ("unit", 0, 15)


def test_the_same_documents_annotated_again_are_paired_and_nothing_else_is_shown(tmp_path: Path) -> None:
    found = comparison(tmp_path, [table(BEFORE, DOCUMENTS), table(AFTER, DOCUMENTS)])
    assert bases(found) == ["shared"]
    revision = on(found, "shared")
    assert (revision.clusters, revision.overlap.documents, revision.first.units) == ("document", 8, 24)
    shown = [value(agreement.of([list(row) for row in rows]).measures[ALPHA]) for rows in (BEFORE, AFTER)]
    change = revision.measures[ALPHA]
    assert [change.first.value, change.second.value] == pytest.approx(shown)
    assert change.difference == pytest.approx(shown[1] - shown[0])
    assert change.test is not None
    assert (change.test.method, change.test.degrees) == ("paired", 7)


def test_figures_are_those_of_the_report_with_their_intervals(tmp_path: Path) -> None:
    """Units that are their own documents in a test are units without one in what is shown."""
    two = [row[:2] for row in BEFORE], [row[:2] for row in AFTER]
    revision = on(comparison(tmp_path, [table(each) for each in two]), "shared")
    for name in (ALPHA, "cohen_kappa", "observed_agreement"):
        shown = agreement.of([list(row) for row in two[0]]).measures[name]
        first = revision.measures[name].first
        assert first.value == pytest.approx(shown.value)
        assert first.standard_error == pytest.approx(shown.standard_error)
        assert present(first.interval).method == "leaving out each unit, t on the logit scale"


def test_what_is_shared_is_compared_alone_and_with_all_of_each(tmp_path: Path) -> None:
    first = table(BEFORE[:18], DOCUMENTS[:18])
    second = table(AFTER[6:], DOCUMENTS[6:], first=6)
    found = comparison(tmp_path, [first, second])
    assert bases(found) == ["shared", "all"]
    shared, whole = on(found, "shared"), on(found, "all")
    assert (shared.first.documents, shared.second.documents, shared.overlap.documents) == (4, 4, 4)
    assert (whole.first.documents, whole.second.documents, whole.overlap.documents) == (6, 6, 4)
    kept = agreement.of([list(row) for row in BEFORE[6:18]]).measures[ALPHA].value
    assert shared.measures[ALPHA].first.value == pytest.approx(kept)
    one, other = shared.measures[ALPHA].test, whole.measures[ALPHA].test
    # Four documents are too few.
    assert one is None
    assert shared.measures[ALPHA].untested == str(NoDifference.FEW)
    assert other is not None
    # Of four documents in both and two in each alone; not the seven of all eight.
    assert other.method == "overlapping"
    assert 3 < other.degrees < 7
    assert whole.flips is None


def test_of_named_units_in_documents_only_those_of_both_are_shared(tmp_path: Path) -> None:
    kept = [place for place in range(24) if place % 3]
    second = table(
        [AFTER[place] for place in kept],
        [DOCUMENTS[place] for place in kept],
        names=[f"u{place}" for place in kept],
    )
    found = comparison(tmp_path, [table(BEFORE, DOCUMENTS), second])
    shared, whole = on(found, "shared"), on(found, "all")
    assert (shared.first.units, shared.second.units, shared.overlap.documents) == (16, 16, 8)
    assert (whole.first.units, whole.second.units) == (24, 16)


def test_without_anything_shared_the_test_is_the_unpaired_one(tmp_path: Path) -> None:
    others = [f"e{place // 3}" for place in range(24)]
    found = comparison(tmp_path, [table(BEFORE, DOCUMENTS), table(AFTER, others, first=24)])
    assert bases(found) == ["all"]
    revision = on(found, "all")
    change = revision.measures["observed_agreement"]
    assert present(change.test).method == "unpaired"
    assert (revision.overlap.documents, revision.overlap.units) == (0, 0)


def test_cells_of_confusion_matrices_can_only_be_unpaired(tmp_path: Path) -> None:
    matrices = ["A2\\A1,a,b\na,20,5\nb,6,19\n", "A2\\A1,a,b\na,24,1\nb,2,23\n"]
    found = comparison(tmp_path, matrices)
    revision = on(found, "all")
    assert bases(found) == ["all"]
    assert (revision.clusters, revision.first.units, revision.overlap.units) == ("unit", 50, None)
    assert revision.flips is None
    change = revision.measures["observed_agreement"]
    assert present(change.test).method == "unpaired"


def test_one_document_has_no_test(tmp_path: Path) -> None:
    found = comparison(tmp_path, [table(BEFORE[:3], ["d"] * 3), table(AFTER[:3], ["d"] * 3)], CATEGORIES)
    change = on(found, "all").measures["observed_agreement"]
    assert change.difference is not None
    assert change.test is None
    assert change.untested == "one document or unit alone does not show how figures vary"


def test_perfect_agreement_under_one_version_is_tested(tmp_path: Path) -> None:
    perfect = [row[0] * 3 for row in BEFORE]
    revision = on(comparison(tmp_path, [table(BEFORE, DOCUMENTS), table(perfect, DOCUMENTS)]), "shared")
    for name in ("observed_agreement", ALPHA):
        change = revision.measures[name]
        assert change.second.value == 1
        assert change.test is not None
        # What leaving out documents moves, which is about what influence says.
        assert change.standard_error is not None
        assert change.first.standard_error is not None
        assert change.standard_error == pytest.approx(change.first.standard_error, rel=0.01)


def test_what_is_undefined_or_does_not_vary_says_so(tmp_path: Path) -> None:
    same = ["aaa"] * 24
    revision = on(
        comparison(tmp_path, [table(same, DOCUMENTS), table(AFTER, DOCUMENTS)], CATEGORIES), "shared"
    )
    alpha = revision.measures[ALPHA]
    assert (alpha.difference, alpha.test) == (None, None)
    assert alpha.untested == "one of the two figures is undefined"
    assert revision.specific_agreement["b"].untested == "one of the two figures is undefined"
    again = on(comparison(tmp_path / "x", [table(AFTER, DOCUMENTS)] * 2), "shared")
    assert again.measures[ALPHA].difference == 0
    assert str(again.measures[ALPHA].untested).startswith("every document or unit contributes the same")
    assert again.measures[ALPHA].needed is None


def test_the_order_of_rows_and_documents_changes_nothing(tmp_path: Path) -> None:
    order = np.random.default_rng(3).permutation(24).tolist()
    moved = [
        table(
            [rows[place] for place in order],
            [DOCUMENTS[place] for place in order],
            names=[f"u{each}" for each in order],
        )
        for rows in (BEFORE, AFTER)
    ]
    plain = [table(rows, DOCUMENTS) for rows in (BEFORE, AFTER)]
    assert dumps(comparison(tmp_path / "a", plain, CATEGORIES)).replace('"id": "a"', "") == dumps(
        comparison(tmp_path / "b", moved, CATEGORIES)
    ).replace('"id": "b"', "")


@pytest.mark.slow
@pytest.mark.parametrize("same", [True, False])
def test_the_other_way_round_differences_change_their_sign_and_nothing_else(
    tmp_path: Path,
    same: bool,  # noqa: FBT001
) -> None:
    others = DOCUMENTS if same else [f"d{place // 3 + 4}" for place in range(24)]
    tables = [table(BEFORE, DOCUMENTS), table(AFTER, others, first=0 if same else 12)]
    there = comparison(tmp_path / "a", tables, CATEGORIES).unit_sets
    back = comparison(tmp_path / "b", tables[::-1], CATEGORIES).unit_sets
    for one, other in zip(there, back, strict=True):
        pairs = [*zip(one.measures.items(), other.measures.values(), strict=True)]
        pairs += zip(one.specific_agreement.items(), other.specific_agreement.values(), strict=True)
        for (name, forth), again in pairs:
            assert again.difference == pytest.approx(-(forth.difference or 0)), name
            assert (forth.test is None) == (again.test is None)
            assert (forth.test is None) or p(forth) == pytest.approx(p(again)), name
            assert forth.needed == again.needed


def test_categories_that_are_several_questions_are_adjusted_after_holm(tmp_path: Path) -> None:
    revision = on(comparison(tmp_path, [table(BEFORE, DOCUMENTS), table(AFTER, DOCUMENTS)]), "shared")
    tests = [each.test for each in revision.specific_agreement.values() if each.test]
    smallest = min(tests, key=lambda each: each.p)
    assert len(tests) == 3
    assert smallest.adjusted == pytest.approx(min(1, 3 * smallest.p))
    assert all(each.test is None or each.test.adjusted is None for each in revision.measures.values())


def test_every_two_annotators_of_both_versions_are_compared(tmp_path: Path) -> None:
    later = [f"{row[:2]}.{row[2]}" for row in AFTER]
    found = comparison(tmp_path, [table(BEFORE, DOCUMENTS), table(later, DOCUMENTS)], CATEGORIES)
    revision = on(found, "shared")
    assert revision.overlap.annotators == ("A1", "A2")
    assert [pair.annotators for pair in revision.pairs] == [("A1", "A2")]
    kappa = revision.pairs[0].measures["cohen_kappa"]
    two = agreement.of([list(row[:2]) for row in BEFORE], categories=list("abc")).measures["cohen_kappa"]
    assert kappa.first.value == pytest.approx(two.value)
    assert kappa.test is not None


def test_the_documents_needed_are_told_where_nothing_is_shown_yet(tmp_path: Path) -> None:
    later = [*AFTER[:9], *BEFORE[9:]]
    found = on(comparison(tmp_path, [table(BEFORE, DOCUMENTS), table(later, DOCUMENTS)]), "shared")
    known = {name: each for name, each in found.measures.items() if each.test}
    for name, change in known.items():
        shown = p(change) <= 0.05 or change.difference == 0
        assert (change.needed is None) == shown, name
    assert any(each.needed and each.needed > 8 for each in known.values())


def test_marks_of_a_declared_size_are_looked_at_whole_or_not_at_all(tmp_path: Path) -> None:
    """Unmarked units that only a number knows belong to no document: no part of them can be cut out."""
    toml = """[task]
non_annotated = "none"
[[unit_sets]]
id = "genes"
units = "declared"
size = 100
"""
    rows = [table(BEFORE, DOCUMENTS), table(AFTER, DOCUMENTS)]
    found = comparison(tmp_path / "a", rows, toml)
    assert bases(found, "genes") == ["shared"]
    assert on(found, "shared", "genes").second.units == 100
    part = [rows[0], table(AFTER[:18], DOCUMENTS[:18])]
    found = comparison(tmp_path / "b", part, toml)
    assert bases(found, "genes") == ["all"]
    test = present(on(found, "all", "genes").measures["observed_agreement"].test)
    assert test.method == "overlapping"


@pytest.mark.slow
def test_versions_compared_with_several_others_are_the_same_each_time(tmp_path: Path) -> None:
    exports = [table(noisy(seed, 0.4), DOCUMENTS[seed:] + DOCUMENTS[:seed]) for seed in range(3)]
    folder, sides = campaign_of(tmp_path, exports, CATEGORIES), Sides()
    for first, second in ((0, 1), (0, 2), (1, 2)):
        alone = compared(folder, first, second).comparison
        assert dumps(compared(folder, first, second, sides).comparison) == dumps(alone)


def versions(folder: Path, *declared: tuple[str, str]) -> tuple[str, ...]:
    text = 'title = "A campaign"\n'
    for version, date in declared:
        dated = f"date = {date}\n" if date else ""
        text += f'[[guidelines]]\nversion = "{version}"\n{dated}exports = "e.csv"\n'
    (folder / "campaign.toml").write_text(text, encoding="utf-8")
    (folder / "e.csv").write_text("unit,A1,A2\nu,a,a\n", encoding="utf-8")
    return load(folder).versions


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ([("1.9", ""), ("1.10", "")], "1.9 1.10"),
        ([("1.10", "2026-03-01"), ("1.9", "2026-02-01")], "1.9 1.10"),
        # Without dates as declared, and where dates agree with it too.
        ([("pilot", ""), ("b", ""), ("a", "")], "pilot b a"),
        ([("pilot", ""), ("2", "2026-01-05"), ("1", "2026-01-05"), ("3", "")], "pilot 2 1 3"),
        # One without a date stays behind the one declared before it.
        ([("b", "2026-05-01"), ("b-round-2", ""), ("a", "2026-01-01")], "a b b-round-2"),
    ],
)
def test_versions_are_in_the_order_of_their_dates_and_else_as_declared(
    tmp_path: Path, declared: list[tuple[str, str]], expected: str
) -> None:
    assert " ".join(versions(tmp_path, *declared)) == expected
