"""Categories of two versions: the same, the same once merged or renamed, or compared by their names."""

import itertools
from pathlib import Path

import pytest

from reportgen import agreement
from reportgen.campaign import load, wrong_merges
from reportgen.figures.lines import lines_of_categories
from reportgen.pipeline.reading import read_campaign
from reportgen.pipeline.version_reports import compare_versions
from reportgen.report.sections.history_page import categories
from reportgen.report.site import comparison_markdown
from reportgen.results.versions import History, UnitSetRevision
from reportgen.units import Pseudonyms
from reportgen.versions.comparisons import history
from reportgen.versions.sides import crosswalk, match
from tests.campaigns import compute_campaign
from tests.present import present
from tests.versions.made import campaign_of, compared, comparison, on, table

DOCUMENTS = [f"d{place // 2}" for place in range(12)]
# c is a kind of b that the second version no longer tells apart.
FIRST = ["aa", "ab", "bb", "bc", "cc", "cc", "ab", "aa", "bb", "ca", "aa", "bb"]
SECOND = ["aa", "aa", "bb", "bb", "bb", "bb", "ab", "aa", "bb", "ba", "aa", "bb"]
CATEGORIES = "the versions use different categories"


def revision(folder: Path, toml: str = "", *versions: str) -> UnitSetRevision:
    exports = [table(rows, DOCUMENTS) for rows in (FIRST, SECOND)]
    return on(comparison(folder, exports, toml, versions), "shared")


def test_merged_categories_are_compared_under_their_later_names(tmp_path: Path) -> None:
    found = revision(tmp_path, "", "", 'merged = { c = "b" }')
    assert found.categories.how == "merged"
    assert found.categories.merged == {"c": "b"}
    assert found.first.categories == found.second.categories == ("a", "b")
    as_now = [list(row.replace("c", "b")) for row in FIRST]
    shown = agreement.of(as_now).measures
    for name in ("krippendorff_alpha", "observed_agreement", "bennett_s"):
        assert found.measures[name].first.value == pytest.approx(shown[name].value)
    assert found.measures["krippendorff_alpha"].test is not None
    assert set(found.specific_agreement) == {"a", "b"}
    assert found.flips is not None
    assert (found.flips.mended, found.flips.disputed) == (1, 2)


def test_merges_over_several_versions_follow_each_other(tmp_path: Path) -> None:
    later = [row.replace("b", "d") for row in SECOND]
    exports = [table(rows, DOCUMENTS) for rows in (FIRST, SECOND, later)]
    folder = campaign_of(tmp_path, exports, "", ["", 'merged = { c = "b" }', 'merged = { b = "d" }'])
    found = on(compared(folder, 0, 2).comparison, "shared")
    assert found.categories.merged == {"b": "d", "c": "d"}
    assert found.categories.how == "merged"
    two = on(compared(folder, 1, 2).comparison, "shared")
    assert two.categories.merged == {"b": "d"}
    assert two.measures["krippendorff_alpha"].difference == 0


def test_a_merge_of_the_first_version_says_nothing_of_its_own_categories(tmp_path: Path) -> None:
    exports = [table(rows, DOCUMENTS) for rows in (FIRST, SECOND, SECOND)]
    folder = campaign_of(tmp_path, exports, "", ["", 'merged = { c = "b" }', ""])
    assert on(compared(folder, 1, 2).comparison, "shared").categories.how == "same"


def test_a_merge_of_categories_that_both_versions_have_applies_too(tmp_path: Path) -> None:
    toml = '[task]\ncategories = ["a", "b", "c"]\n'
    exports = [table(FIRST, DOCUMENTS), table([*SECOND[:11], "bc"], DOCUMENTS)]
    folder = campaign_of(tmp_path, exports, toml, ["", 'merged = { c = "b" }'])
    found = on(compared(folder).comparison, "shared")
    assert found.categories.merged == {"c": "b"}
    assert (found.categories.how, found.categories.second_only) == ("names", ("c",))


def test_other_categories_are_compared_by_name_and_no_coefficient_is_tested(tmp_path: Path) -> None:
    found = revision(tmp_path)
    assert found.categories.how == "names"
    assert (found.categories.first_only, found.categories.second_only) == (("c",), ())
    for change in found.measures.values():
        if change.difference is not None:
            assert change.untested == CATEGORIES
        assert (change.test, change.interval) == (None, None)
    assert set(found.specific_agreement) == {"a", "b"}
    assert found.specific_agreement["b"].test is not None
    assert all(each.untested for pair in found.pairs for each in pair.measures.values())


def test_the_name_of_unmarked_units_may_change_without_a_word(tmp_path: Path) -> None:
    toml = '[[unit_sets]]\nid = "items"\nunits = "declared"\nsize = 40\n'
    versions = 'categories = ["a", "b", "c"]\nnon_annotated = "{}"'
    found = revision(tmp_path, toml, versions.format("nothing"), versions.format("none"))
    assert found.categories.how == "merged"
    assert found.categories.merged == {"nothing": "none"}
    assert found.measures["krippendorff_alpha"].test is not None


def test_an_inventory_that_is_declared_by_its_size_is_the_same_whatever_was_used_of_it(
    tmp_path: Path,
) -> None:
    found = revision(tmp_path, "[task]\ncategory_count = 500\n")
    assert found.categories.how == "same"
    assert found.measures["krippendorff_alpha"].test is not None


def test_another_order_of_ordered_categories_is_another_scale(tmp_path: Path) -> None:
    toml = '[task]\nscale = "ordinal"\n'
    versions = ['categories = ["a", "b", "c"]', 'categories = ["a", "c", "b"]']
    found = revision(tmp_path, toml, *versions).measures
    assert str(found["krippendorff_alpha[ordinal]"].untested).startswith("the scale of the categories")
    assert found["krippendorff_alpha[ordinal]"].difference is not None
    assert found["krippendorff_alpha"].test is not None


def test_names_without_an_order_may_stand_in_any(tmp_path: Path) -> None:
    versions = ['categories = ["a", "b", "c"]', 'categories = ["c", "b", "a"]']
    found = revision(tmp_path, "", *versions)
    assert (found.categories.how, found.first.categories) == ("same", ("c", "b", "a"))
    assert found.measures["krippendorff_alpha"].test is not None


@pytest.mark.slow
def test_other_distances_are_not_held_against_each_other(tmp_path: Path) -> None:
    tables = {
        f"{name}.csv": f",a,b,c\na,0,1,{far}\nb,1,0,1\nc,{far},1,0\n"
        for name, far in (("near", 1), ("far", 2))
    }
    toml = """[task]
categories = ["a", "b", "c"]
[[distances]]
id = "expert"
file = "near.csv"
"""
    exports = [table(rows, DOCUMENTS) for rows in (FIRST, SECOND)]
    far = '[guidelines.distances.expert]\nfile = "far.csv"'
    found = on(comparison(tmp_path / "a", exports, toml, ["", far], tables), "shared").measures
    assert found["krippendorff_alpha[expert]"].untested == (
        "the distances between categories are others in the two versions"
    )
    assert found["krippendorff_alpha"].test is not None
    same = on(comparison(tmp_path / "b", exports, toml, ["", ""], tables), "shared").measures
    assert same["krippendorff_alpha[expert]"].test is not None
    computed = same["krippendorff_alpha[computed]"]
    assert computed.difference is not None
    assert computed.untested == "each version has distances of its own, computed from its own table"


def test_only_what_changes_a_name_is_a_merge() -> None:
    names = crosswalk(["a", "b"], [{"b": ["c"], "x": ["y"]}, {"c": ["d"]}])
    assert names.earlier == {"a": "a", "b": "d"}
    assert not names.later
    found = match(["a", "b"], ["d", "a", "e"], names)
    assert (found.how, found.merged) == ("names", {"b": "d"})
    assert (found.first_only, found.second_only) == ((), ("e",))


# One label that became several, and several that became one: compared at the coarser of the two levels.


@pytest.mark.parametrize(
    ("merges", "earlier", "later"),
    [
        # Split: the parts count as the label that they were.
        ([{"b": ["b1", "b2"]}], {"a": "a", "b": "b"}, {"b1": "b", "b2": "b"}),
        # What stays under its own name beside a new part.
        ([{"b": ["b", "b2"]}], {"a": "a", "b": "b"}, {"b": "b", "b2": "b"}),
        # Split, and a part joined with another label: all that they became is one.
        ([{"b": ["b1", "x"], "a": ["x"]}], {"a": "x / b1", "b": "x / b1"}, {"x": "x / b1", "b1": "x / b1"}),
        # Over two versions: renamed, then split; split, then merged again.
        ([{"b": ["c"]}, {"c": ["c1", "c2"]}], {"a": "a", "b": "b"}, {"c1": "b", "c2": "b"}),
        ([{"b": ["b1", "b2"]}, {"b1": ["z"], "b2": ["z"]}], {"a": "a", "b": "z"}, {}),
    ],
)
def test_a_crosswalk_leads_to_the_finest_labels_that_both_versions_tell_apart(
    merges: list[dict[str, list[str]]], earlier: dict[str, str], later: dict[str, str]
) -> None:
    found = crosswalk(["a", "b"], merges)
    assert (found.earlier, found.later) == (earlier, later)


SPLIT = ["aa", "aa", "xx", "xy", "yy", "yy", "ax", "aa", "yy", "ya", "aa", "xx"]


@pytest.mark.slow
@pytest.mark.parametrize("scale", ["nominal", "ordinal"])
def test_a_label_that_was_split_is_compared_as_one_and_tested(tmp_path: Path, scale: str) -> None:
    old = [row.replace("c", "b") for row in FIRST]
    exports = [table(old, DOCUMENTS), table(SPLIT, DOCUMENTS)]
    toml = "" if scale == "nominal" else '[task]\nscale = "ordinal"\n'
    declared = ['categories = ["a", "b"]', 'categories = ["a", "x", "y"]\nmerged = { b = ["x", "y"] }']
    versions = ["", declared[1].split("\n")[1]] if scale == "nominal" else declared
    folder = campaign_of(tmp_path, exports, toml, versions)
    output = compared(folder)
    found = on(output.comparison, "shared")
    assert (found.categories.how, found.categories.merged) == ("merged", {})
    assert found.categories.split == {"x": "b", "y": "b"}
    assert found.first.categories == found.second.categories == ("a", "b")
    coarse = agreement.of([list(row.replace("x", "b").replace("y", "b")) for row in SPLIT]).measures
    alpha = found.measures["krippendorff_alpha"]
    assert alpha.second.value == pytest.approx(coarse["krippendorff_alpha"].value)
    assert alpha.test is not None
    said = comparison_markdown(output.comparison, output.changed)
    assert "Compared as one: x as b, y as b." in said
    if scale == "nominal":
        own = agreement.of([list(row) for row in SPLIT]).measures["krippendorff_alpha"].value
        assert found.second.reported == pytest.approx(own)
        assert f"The report on 2 gives {own:.2f}: here labels are coarser, x as b, y as b." in said


def test_the_line_that_a_finding_gives_works_as_it_is(tmp_path: Path) -> None:
    old = [row.replace("c", "b") for row in FIRST]
    exports = [table(old, DOCUMENTS), table(SPLIT, DOCUMENTS)]
    before = compared(campaign_of(tmp_path / "before", exports, "", ["", ""])).comparison
    (finding,) = (each for each in before.findings if each.id == "categories-differ")
    line = str(finding.values["merged_line"])
    assert line == 'merged = { "b" = ["x", "y"] }'
    after = compared(campaign_of(tmp_path / "after", exports, "", ["", line])).comparison
    assert on(after, "shared").categories.how == "merged"
    assert {each.id for each in after.findings} >= {"categories-merged"}


def test_a_part_that_is_no_category_is_refused(tmp_path: Path) -> None:
    exports = [table(FIRST, DOCUMENTS), table(SPLIT, DOCUMENTS)]
    folder = campaign_of(tmp_path, exports, "", ["", 'merged = { b = ["x", "why"] }'])
    campaign = load(folder)
    found = wrong_merges(campaign, {"1": ["a", "b", "c"], "2": ["a", "x", "y"]})
    assert [each.message for each in found] == ['calls "b" "why", which is not a category of this version.']


ROWS = ["aa", "ab", "bb", "bb", "aa", "bb", "ba", "aa", "bb", "bb", "aa", "ab"]


def of_versions(folder: Path, exports: list[list[str]], versions: list[str]) -> History:
    """Return the history of a campaign whose versions are each compared with the one before."""
    documents = [f"d{place}" for place in range(len(ROWS))]
    campaign = load(campaign_of(folder, [table(rows, documents) for rows in exports], "", versions))
    read = read_campaign(campaign)
    comparisons = {
        (one.version.id, other.version.id): compare_versions(campaign, one, other, Pseudonyms()).comparison
        for one, other in itertools.pairwise(read)
    }
    found = [report.results for report in compute_campaign(campaign, read)]
    return history(found, [""] * len(found), comparisons)


def test_a_renamed_label_is_one_row_with_both_names(tmp_path: Path) -> None:
    later = [row.replace("b", "d") for row in ROWS]
    last = [row.replace("d", "e") for row in later]
    made = of_versions(tmp_path, [ROWS, later, last], ["", 'merged = { b = "d" }', 'merged = { d = "e" }'])
    lines = {line.label: line for line in lines_of_categories(made, "main")}
    assert set(lines) == {"a", "b → d → e"}
    assert all(point.figure is not None for point in lines["b → d → e"].points)
    shown = present(categories(made, "main"))
    assert [row[0] for row in shown.rows] == ["a", "b → d → e"]


def test_labels_that_became_one_or_several_are_rows_of_their_own(tmp_path: Path) -> None:
    finer = [row.replace("b", "x", 1).replace("b", "y") for row in ROWS]
    made = of_versions(
        tmp_path, [ROWS, finer, ROWS], ["", 'merged = { b = ["x", "y"] }', 'merged = { x = "b", y = "b" }']
    )
    assert {line.label for line in lines_of_categories(made, "main")} == {"a", "b", "x", "y"}


def test_a_new_label_under_an_old_name_is_another(tmp_path: Path) -> None:
    later = [row.replace("b", "d") for row in ROWS]
    again = [row.replace("d", "b", 1) for row in later]
    made = of_versions(tmp_path, [ROWS, later, again], ["", 'merged = { b = "d" }', ""])
    lines = {line.label: line for line in lines_of_categories(made, "main")}
    assert set(lines) == {"a", "b → d", "b"}
    assert [point.figure is not None for point in lines["b"].points] == [False, False, True]
