"""What the page of a comparison says, and what its files hold."""

import json
import math
import re
from collections.abc import Mapping

import html5lib
import pytest

from reportgen.measures import NoDifference
from reportgen.report import comparison_view as belief
from reportgen.report import version_changes as wording
from reportgen.report.blocks import Items, Section, parts
from reportgen.report.comparison_view import ComparisonView, confusions, plain
from reportgen.report.sections.comparison_page import comparison_page, moved_rows
from reportgen.report.site import comparison_markdown
from reportgen.report.version_changes import ChangeTable
from reportgen.results.parts import Categories, Change, Overlap, Permutation
from reportgen.results.versions import (
    Changed,
    ChangedUnits,
    ConfusionChange,
    DisagreementChange,
    Flips,
    Sample,
    UnitSetRevision,
    VersionComparison,
)
from tests.rendered import comparison_files, rows_of
from tests.report import made_comparison as made

MOST_BYTES = 150_000


def files(comparison: VersionComparison, changed: Changed | None = None) -> dict[str, str]:
    return dict(comparison_files(comparison, changed))


def keys(table: ChangeTable) -> set[str]:
    return {column.key for column in table.table().columns}


def section(view: ComparisonView, name: str) -> Section:
    return next(each for each in comparison_page(view).sections if each.id == name)


def words(html: str) -> str:
    """Return what a page says, figures and tags left out."""
    body = re.sub(r"<(svg|style|script).*?</\1>", " ", html, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", "", body).split())


@pytest.fixture(scope="module")
def whole() -> Mapping[str, str]:
    return files(made.comparison(), made.changed())


# The folder


def test_a_comparison_has_a_page_markdown_json_tables_and_figures(whole: Mapping[str, str]) -> None:
    assert sorted(whole) == [
        "changed.json",
        "comparison.json",
        "comparison.md",
        "figures/contributions.svg",
        "figures/flow.svg",
        "index.html",
        "tables/changed-units.csv",
        "tables/changes.csv",
        "tables/confusions.csv",
        "tables/guidelines.csv",
        "tables/span-changes.csv",
    ]


def test_the_same_files_come_from_what_was_read_back(whole: Mapping[str, str]) -> None:
    back = VersionComparison.model_validate_json(whole["comparison.json"])
    changed = Changed.model_validate_json(whole["changed.json"])
    assert files(back, changed) == whole


def test_without_texts_no_unit_is_shown_and_its_file_is_not_there() -> None:
    found = files(made.comparison())
    assert {"changed.json", "tables/changed-units.csv"}.isdisjoint(found)
    assert "the campaign withholds them" in words(found["index.html"])
    assert "yxaA" not in found["index.html"]


def test_the_page_links_up_to_the_history_and_to_both_reports(whole: Mapping[str, str]) -> None:
    for target in ("../../index.html", "../../0.9/index.html", "../../1.0/index.html", "comparison.json"):
        assert f'href="{target}"' in whole["index.html"]


# The story


def test_the_verdict_comes_first_then_what_changed_why_to_believe_it_and_what_to_do(
    whole: Mapping[str, str],
) -> None:
    page = whole["index.html"]
    order = [
        page.index(f'id="{name}"')
        for name in ("verdict", "categories", "guidelines", "believe", "figures", "provenance")
    ]
    assert order == sorted(order)
    text = words(page)
    assert "<h1><bdi>Agreement rose.</bdi></h1>" in page
    assert "0.42 → 0.71" in text
    assert text.index("Agreement rose.") < text.index("Krippendorff&#39;s alpha rose")
    assert "Krippendorff&#39;s alpha rose from 0.421 (0.9) to 0.713 (1.0)." in text
    assert "Did the guidelines do it? Ask new ones. A01, A02 and A03 had annotated" in text
    assert "t = 3.100, 13 degrees of freedom" in text
    assert "in all 16,384 ways: p = 0.006" in text


def test_what_was_found_is_in_its_row_and_what_is_about_none_is_below() -> None:
    about_former = made.finding("stayed", "problem", "categories", "{category} stayed low.", "Say it again.")
    about_former = about_former.model_copy(update={"values": {"category": "Former"}})
    other = made.finding("sides", "note", "units", "Units changed sides.", "Read them.")
    marked = made.unit_set(non_annotated="None")
    view = ComparisonView(made.comparison(unit_sets=(marked,), findings=(about_former, other)), None)
    rows = moved_rows(view)
    assert rows is not None
    assert rows.besides == (other,)
    by_name = {row.name: row for row in rows.rows}
    assert next(iter(by_name)) == "Krippendorff's alpha", "the layer itself is first"
    assert sorted(by_name) == ["Former", "Krippendorff's alpha", "New"], "what nobody marked has no row"
    assert by_name["Former"].act == "Say it again."
    assert by_name["Former"].why.startswith("Former stayed low. ")
    page = files(view.comparison)["index.html"]
    assert "Read them.</strong> Units changed sides." in page
    assert not re.search(r"\b(WARNING|NOTE)\b|class=.severity", page)


def test_rows_say_what_moved_what_was_confused_and_on_what_the_guidelines_changed() -> None:
    marked = made.unit_set(non_annotated="None")
    rows = moved_rows(ComparisonView(made.comparison(unit_sets=(marked,), findings=()), None))
    assert rows is not None
    whole, former, new = rows.rows
    assert (whole.shown, whole.word, whole.act) == ("0.42 → 0.71", "rose", "")
    assert (former.name, former.word, new.name, new.word) == ("Former", "undecided", "New", "rose")
    assert new.shown == "0.40 → 0.76"
    assert new.difference == "+0.353 [+0.203, +0.503], p\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}0.006"
    assert [own.said for own in new.confused] == ["New / None: 3.1% → 1.0%", "Former / New: 0.3% → 0.6%"]
    assert new.most == new.confused[0].first, "beside rows with far larger shares its bars are still seen"
    assert new.why == "The guidelines changed on New (1 added, 0 removed), and agreement rose."
    assert former.why.endswith("no test shows that this helped.")
    assert former.act == "More units annotated under both versions would settle it."


@pytest.mark.parametrize(
    ("change", "word", "act"),
    [
        (
            made.change(0.8, 0.4),
            "fell",
            "Read the units on which they agreed before, and what 1.0 says of them.",
        ),
        (
            made.change(0.4, 0.8, None),
            "not tested",
            "Annotate more documents, or units, under both versions.",
        ),
        # What rose may be low all the same: nothing says that nothing is to be done.
        (made.change(0.4, 0.8), "rose", ""),
    ],
)
def test_what_fell_is_first_and_what_was_not_tested_says_why_and_what_a_test_needs(
    change: Change, word: str, act: str
) -> None:
    own = made.unit_set(specific_agreement={"New": made.change(0.4, 0.41, 0.9), "Former": change})
    rows = moved_rows(ComparisonView(made.comparison(unit_sets=(own,), findings=()), None))
    assert rows is not None
    by_name = {row.name: row for row in rows.rows}
    assert (by_name["Former"].word, by_name["Former"].act) == (word, act)
    assert (rows.rows[1].name == "Former") == (word == "fell")
    reason = "Not tested: every document or unit contributes the same"
    assert by_name["Former"].why.startswith(reason) == (word == "not tested")


def test_tables_of_marks_say_in_markdown_what_they_are_of(whole: Mapping[str, str]) -> None:
    text = whole["comparison.md"]
    assert "Strict F of each type" in text[text.index("## Marks in texts") :]


def test_a_finding_leads_to_its_section_where_the_page_has_it(whole: Mapping[str, str]) -> None:
    assert '<a href="#annotators">Pairs of annotators</a>' in whole["index.html"]
    without = made.comparison(unit_sets=(made.unit_set(pairs=()),))
    assert '<a href="#annotators">' not in files(without)["index.html"]


def test_a_rise_on_other_material_is_not_to_be_trusted_yet() -> None:
    caution = made.finding("caveat", "warning", "figures", "Material differs.", "Annotate some again.")
    page = words(files(made.comparison(findings=(made.FINDINGS[0], caution)))["index.html"])
    assert "Beware. Material differs. Annotate some again." in page


def test_the_page_of_several_layers_has_a_row_for_each() -> None:
    of_renamings = {"krippendorff_alpha": made.change(0.9, 0.8)}
    two = made.comparison(
        coefficients={"names": "krippendorff_alpha", "renamings": "krippendorff_alpha"},
        unit_sets=(made.unit_set(), made.unit_set(layer="renamings", measures=of_renamings)),
    )
    rows = moved_rows(ComparisonView(two, None))
    assert rows is not None
    assert [(row.name, row.shown) for row in rows.rows] == [
        ("renamings", "0.90 → 0.80"),
        ("names", "0.42 → 0.71"),
    ]
    assert rows.lowest == 0


def test_where_nothing_was_judged_the_figures_speak_for_themselves() -> None:
    view = ComparisonView(made.comparison(findings=()), None)
    said = words(files(view.comparison)["index.html"])
    assert "Krippendorff&#39;s alpha: 0.421 under 0.9, 0.713 under 1.0." in said


# How it was tested


def told(method: str, shared: int = 14, **values: object) -> str:
    change = made.change(0.4, 0.7)
    assert change.test
    test = change.test.model_copy(update={"method": method, "degrees": 20.44})
    measures = {"krippendorff_alpha": change.model_copy(update={"test": test} | values)}
    overlap = Overlap(documents=0 if method == "unpaired" else shared, annotators=())
    revision = made.unit_set(measures=measures, overlap=overlap, basis="all")
    return words(files(made.comparison(unit_sets=(revision,)))["index.html"])


def test_an_unpaired_test_says_that_other_material_would_look_the_same() -> None:
    said = told("unpaired")
    assert "No document is in both versions. The test takes them as two independent samples" in said
    assert "20.4 degrees of freedom" in said
    assert "all of each version" in said


def test_an_overlapping_test_says_what_it_pairs() -> None:
    assert "14 documents are in both versions, others in one alone." in told("overlapping")
    assert "1 document is in both versions, others in one alone." in told("overlapping", 1)


def test_a_sampled_permutation_and_the_documents_that_it_would_take_are_told() -> None:
    said = told("paired", needed=120, permutation=Permutation(p=0.0004, samples=9999, exact=False))
    assert "at random, 9,999 times: p &lt; 0.001." in said
    assert "it would take 120 documents under each version to show it" in said


# Figures side by side


def test_every_figure_is_shown_with_difference_interval_and_p_the_coefficient_first() -> None:
    view = ComparisonView(made.comparison(), None)
    assert view.primary
    table = view.primary.figures
    assert [row.name for row in table.rows] == [
        *("Krippendorff's alpha", "Observed agreement", "Fleiss' kappa", "finn_r", "kappa_max")
    ]
    first = table.rows[0]
    assert (wording.difference(first.change), first.p) == ("+0.292 [+0.142, +0.442]", 0.004)
    assert "permutation" in keys(table)
    assert "adjusted" not in keys(table)
    assert table.table().rows[0][3] == "▲ +0.292 [+0.142, +0.442]"


def test_what_was_not_tested_says_why_and_what_has_no_value_too() -> None:
    text = words(files(made.comparison())["index.html"])
    assert f"Not tested, because {NoDifference.NO_VARIATION}: finn_r." in text
    assert "No value under 0.9: one category was used (kappa_max)." in text
    assert "one of the two figures is undefined" not in text


def test_categories_stand_in_the_later_versions_order_and_are_judged_after_holm() -> None:
    change = made.change(0.4, 0.6, 0.03, 0.09)
    view = ComparisonView(made.comparison(), None)
    assert view.primary
    assert [row.name for row in view.primary.categories.rows] == ["Former", "New", "None"]
    assert [row.moved for row in view.primary.categories.rows] == ["", "rose", "rose"]
    near = made.unit_set(specific_agreement={"New": change})
    found = ComparisonView(made.comparison(unit_sets=(near,)), None).primary
    assert found
    assert [row.moved for row in found.by_category] == [""]


def test_a_rise_of_what_only_describes_the_material_is_not_praised() -> None:
    measures = {"prevalence_index": made.change(0.2, 0.6), "krippendorff_alpha": made.change(0.6, 0.2)}
    found = ComparisonView(made.comparison(unit_sets=(made.unit_set(measures=measures),)), None).primary
    assert found
    assert [row.moved for row in found.figures.rows] == ["fell", "moved"]


def test_the_csv_has_every_figure_at_full_precision(whole: Mapping[str, str]) -> None:
    found = {
        (row["part"], row["category"] or row["figure"]): row for row in rows_of(whole["tables/changes.csv"])
    }
    alpha = found["figure", "krippendorff_alpha"]
    assert float(alpha["second"]) - float(alpha["first"]) == pytest.approx(float(alpha["difference"]))
    assert (alpha["method"], alpha["p"], alpha["p_permutation"]) == ("paired", "0.004", "0.0061")
    assert found["category", "New"]["p_holm"] == "0.006"
    assert found["figure", "kappa_max"]["first_undefined"] == "one category was used"
    assert [row["one"] for row in rows_of(whole["tables/changes.csv"]) if row["part"] == "pair"] == [
        "A01",
        "A01",
        "A02",
    ]


@pytest.mark.parametrize(
    ("value", "shown"), [(0.29, "+0.290"), (-0.29, "−0.290"), (0.0, "0.000"), (1e-15, "0.000"), (None, "–")]
)
def test_a_difference_has_its_sign(value: float | None, shown: str) -> None:
    assert wording.signed(value) == shown


# Confusions


def test_contributions_are_printed_with_their_sum(whole: Mapping[str, str]) -> None:
    text = words(whole["index.html"])
    assert (
        "The contributions of all 3 confusions add up to −0.021, the change in observed disagreement." in text
    )
    assert "Observed disagreement 0.049 0.028 −0.021" in text.replace("  ", " ") or "0.0490.028−0.021" in text


def test_of_many_confusions_the_others_are_one_row_and_all_add_up() -> None:
    found = tuple(
        ConfusionChange(
            categories=(f"c{i:02}", "x"), first=10, second=10 + i - 20, contribution=(i - 20) / 1000
        )
        for i in range(40)
        if i != 20
    )
    change = math.fsum(each.contribution for each in found)
    whole = DisagreementChange(
        first=0.39, second=0.39 + change, change=change, denominators=(1000, 1000), confusions=found
    )
    table = confusions(made.unit_set(disagreement=whole), ("0.9", "1.0"))
    assert table
    assert len(table.rows) == 22
    assert table.rows[-2][0] == "19 other confusions"
    assert table.rows[-1][3] == wording.signed(change)
    shown = [float(str(row[3]).replace("−", "-")) for row in table.rows]
    assert shown[:-2] == sorted(shown[:-2])
    assert math.fsum(shown[:-1]) == pytest.approx(change)
    assert (
        len(
            rows_of(
                files(made.comparison(unit_sets=(made.unit_set(disagreement=whole),)))[
                    "tables/confusions.csv"
                ]
            )
        )
        == 39
    )


def test_without_any_confusion_the_page_says_so() -> None:
    none = DisagreementChange(first=0.0, second=0.0, change=0.0, denominators=(10, 10), confusions=())
    found = files(made.comparison(unit_sets=(made.unit_set(disagreement=none),)))
    assert "No two categories were confused under either version." in found["index.html"]
    assert "figures/contributions.svg" not in found


# Units in their texts


def test_units_are_shown_in_context_with_who_said_what(whole: Mapping[str, str]) -> None:
    text = words(whole["index.html"])
    assert "Of the 1,244 units of both versions, 1,240 are agreed under both. Settled" in text
    assert (
        "The gene formerly called yxaA is now abcD. (0.9: A01 Former · A02, A03 None; "
        "1.0: A01, A02, A03 Former"
    ) in text
    sides = [row["side"] for row in rows_of(whole["tables/changed-units.csv"])]
    assert sides == ["mended", "mended", "broken", "disputed"]


@pytest.mark.parametrize("length", [4, 5000], ids=["short", "long"])
def test_of_many_units_as_many_are_shown_as_fit_and_all_are_in_the_csv(length: int) -> None:
    said = {"A01": "Former", "A02": "New"}
    many = tuple(made.unit("x" * length, said, said) for _ in range(400))
    lists = ChangedUnits(layer="names", unit_set="tokens", mended=many, broken=many, disputed=many)
    changed = Changed(first="0.9", second="1.0", unit_sets=(lists,))
    flips = Flips(agreed=0, mended=400, broken=400, disputed=400)
    comparison = made.comparison(unit_sets=(made.unit_set(flips=flips),))
    found = files(comparison, changed)
    for each in belief.lists_of_units(lists, comparison.unit_sets[0], ("0.9", "1.0")):
        shown = each.blocks[0]
        assert isinstance(shown, Items)
        assert 20 <= len(shown.items) <= belief.MOST_UNITS
        assert sum(len(str(part)) for item in shown.items for part in parts(item)) <= 2 * belief.MOST_LETTERS
    assert "of 400; all of them are in the CSV" in found["index.html"]
    assert len(rows_of(found["tables/changed-units.csv"])) == 1200
    check_size(found["index.html"])


# Guidelines


def test_guidelines_are_compared_by_passage_beside_categories_that_moved(whole: Mapping[str, str]) -> None:
    page = whole["index.html"]
    assert "<strong>Removed:</strong> <del>Former: the name that the gene had before,</del>" in page
    assert "<strong>Added:</strong> <ins>Former: the name that is given up before,</ins>" in page
    assert "<strong>Removed:</strong> <del>Open questions</del>" in page
    assert "(New +0.353)" in page
    assert "2 passages added, 2 removed, 3 kept" in page
    assert page.index("What to mark</h3>") < page.index("is given up")
    assert "Read the whole abstract" not in page


def test_guidelines_that_were_not_compared_say_why() -> None:
    why = "the guidelines document of 0.9 is not a text file"
    found = files(made.comparison(guidelines=None, guidelines_uncompared=why))
    for name in ("index.html", "comparison.md"):
        assert f"were not compared: {why}." in found[name]
    assert "tables/guidelines.csv" not in found


def test_guidelines_that_stayed_the_same_say_so() -> None:
    kept = made.GUIDELINES.model_copy(update={"passages": made.GUIDELINES.passages[:2]})
    assert "nothing in the guidelines was changed" in files(made.comparison(guidelines=kept))["index.html"]


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("**Former**: the *name* `x`", "Former: the name x"),
        ("## A heading", "A heading"),
        ("| a | b |", "a | b"),
        ("2 * 3 * 4 and snake_case_name", "2 * 3 * 4 and snake_case_name"),
        ("x" * 700, "x" * 600 + "…"),
    ],
)
def test_signs_of_markdown_that_a_reader_does_not_need_are_left_out(source: str, shown: str) -> None:
    assert plain(source) == shown


# What is not there


def test_versions_without_a_unit_set_in_common_say_so() -> None:
    empty = made.comparison(
        unit_sets=(), spans=(), findings=(), missing={"first": ("main/a",), "second": ("main/b",)}
    )
    found = files(empty)
    assert "tables/changes.csv" not in found
    assert [name for name in found if name.startswith("figures/")] == []
    text = words(found["index.html"])
    assert "no unit set in common" in text
    assert "Only 0.9 has the unit set main/a." in text
    assert "no unit set in common" in found["comparison.md"]


def test_where_everything_is_undefined_reasons_stand_instead() -> None:
    nothing = made.unit_set(
        measures={"krippendorff_alpha": made.change(None, None)},
        specific_agreement={name: made.change(None, None) for name in made.CATEGORIES},
        disagreement=None,
        flips=None,
        pairs=(),
    )
    found = files(made.comparison(unit_sets=(nothing,), spans=(), findings=(), guidelines=None))
    text = words(found["index.html"])
    assert (
        "Krippendorff&#39;s alpha: one category was used under 0.9, one category was used under 1.0." in text
    )
    assert "No value under 1.0: one category was used (Krippendorff&#39;s alpha)." in text
    assert [name for name in found if name.startswith("figures/")] == []
    assert "NaN" not in text


def test_a_coefficient_without_a_test_says_why() -> None:
    measures = {"krippendorff_alpha": made.change(0.4, 0.7, None, untested="the categories differ")}
    text = words(files(made.comparison(unit_sets=(made.unit_set(measures=measures),)))["index.html"])
    assert "The coefficient was not tested: the categories differ." in text


def test_categories_that_are_not_compared_are_named() -> None:
    how = Categories(how="names", first_only=("Renamed",), second_only=("Older", "Newer"))
    text = words(files(made.comparison(unit_sets=(made.unit_set(categories=how),)))["index.html"])
    assert "Not compared, being in 0.9 only: Renamed." in text
    assert "Not compared, being in 1.0 only: Older, Newer." in text


def test_merged_categories_are_named() -> None:
    how = Categories(how="merged", merged={"Renamed": "New", "Old": "Former"})
    found = files(made.comparison(unit_sets=(made.unit_set(categories=how),)))
    for name in ("index.html", "comparison.md"):
        assert "Compared under later names: Old as Former, Renamed as New." in found[name]


# Other unit sets, and many of everything


def other(name: str, number: int = 3, layer: str = "names", basis: str = "shared") -> UnitSetRevision:
    names = tuple(f"c{place:02}" for place in range(number))
    return made.unit_set(
        layer=layer,
        unit_set=name,
        primary=False,
        basis=basis,
        second=Sample(documents=14, units=1310, annotators=made.PEOPLE, categories=names),
        specific_agreement={
            each: made.change(0.5, 0.5 + place / 200, 0.4, 1.0) for place, each in enumerate(names)
        },
    )


def test_every_unit_set_is_in_the_list_and_those_of_other_layers_are_folded() -> None:
    layer = other("tokens", basis="all", layer="b").model_copy(update={"primary": True})
    found = files(made.comparison(unit_sets=(made.unit_set(), other("marked"), layer)))
    page = found["index.html"]
    assert "marked (layer names)the same 14 documents" in words(page)
    assert "<details><summary>tokens (layer b), all of each version</summary>" in page
    assert {row["unit_set"] for row in rows_of(found["tables/changes.csv"])} == {"tokens", "marked"}


@pytest.mark.slow
def test_sixty_categories_and_many_unit_sets_do_not_break_the_page() -> None:
    many = other("primary", 60).model_copy(update={"primary": True})
    found = files(
        made.comparison(unit_sets=(many, *(other(f"set-{place}", 60) for place in range(90)))), made.changed()
    )
    check_size(found["index.html"])
    text = words(found["index.html"])
    assert "more are in the tables below." in text
    assert "Shown: 40 of 91." in text
    assert len([row for row in rows_of(found["tables/changes.csv"]) if row["category"]]) == 60 * 91


def check_size(page: str) -> None:
    html5lib.HTMLParser(strict=True).parse(page)
    without_figures = re.sub(r"<svg.*?</svg>", "", page, flags=re.DOTALL)
    assert len(without_figures.encode()) <= MOST_BYTES


# Markdown


def test_markdown_has_the_gist_first_and_the_same_tables(whole: Mapping[str, str]) -> None:
    text = comparison_markdown(made.comparison(), made.changed())
    assert text == whole["comparison.md"]
    lines = text.splitlines()
    assert lines[0] == "# Gene renaming in texts: guidelines 0.9 and 1.0"
    assert lines[2:5:2] == [
        "## Agreement rose.",
        "Krippendorff's alpha rose from 0.421 (0.9) to 0.713 (1.0).",
    ]
    assert "▲ +0.292" in text
    cells = (
        "New | 0.402 [0.302, 0.502] | 0.755 [0.655, 0.855] | +0.353 \\[+0.203, +0.503\\], p = 0.006 | rose |"
    )
    assert cells in re.sub(" +", " ", text)
    assert "- **Removed:** ~~Former: the name that the gene had before,~~" in text
    assert "- **Added:** **Former: the name that is given up before,**" in text
    assert "\\*\\*" not in text
    assert "\n\n\n" not in text


def test_json_is_the_model_itself(whole: Mapping[str, str]) -> None:
    assert json.loads(whole["comparison.json"])["schema"] == 1
    assert VersionComparison.model_validate_json(whole["comparison.json"]) == made.comparison()
