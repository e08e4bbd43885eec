"""What the page of a comparison says, and what its files hold."""

import re
from collections.abc import Mapping

import html5lib
import pytest

from reportgen.report import comparison_view as belief
from reportgen.report import version_changes as wording
from reportgen.report.blocks import Items, parts
from reportgen.report.comparison_view import ComparisonView, plain
from reportgen.results.versions import (
    Changed,
    ChangedUnits,
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


def words(html: str) -> str:
    """Return what a page says, figures and tags left out."""
    body = re.sub(r"<(svg|style|script).*?</\1>", " ", html, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", "", body).split())


@pytest.fixture(scope="module")
def whole() -> Mapping[str, str]:
    return files(made.comparison(), made.changed())


# The folder


def test_the_same_files_come_from_what_was_read_back(whole: Mapping[str, str]) -> None:
    back = VersionComparison.model_validate_json(whole["comparison.json"])
    changed = Changed.model_validate_json(whole["changed.json"])
    assert files(back, changed) == whole


def test_without_texts_no_unit_is_shown_and_its_file_is_not_there() -> None:
    found = files(made.comparison())
    assert {"changed.json", "tables/changed-units.csv"}.isdisjoint(found)
    assert "the campaign withholds them" in words(found["index.html"])
    assert "yxaA" not in found["index.html"]


# Figures side by side


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
    assert (alpha["method"], alpha["p"]) == ("paired", "0.004")
    assert found["category", "New"]["p_holm"] == "0.006"
    assert found["figure", "kappa_max"]["first_undefined"] == "no units"
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


# Units in their texts


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


@pytest.mark.slow
def test_sixty_categories_do_not_break_the_page_and_every_unit_set_is_in_the_csv() -> None:
    many = other("primary", 60).model_copy(update={"primary": True})
    found = files(
        made.comparison(unit_sets=(many, *(other(f"set-{place}", 60) for place in range(90)))), made.changed()
    )
    check_size(found["index.html"])
    text = words(found["index.html"])
    assert "those that moved most" in text
    assert len([row for row in rows_of(found["tables/changes.csv"]) if row["category"]]) == 60 * 91


def check_size(page: str) -> None:
    html5lib.HTMLParser(strict=True).parse(page)
    without_figures = re.sub(r"<svg.*?</svg>", "", page, flags=re.DOTALL)
    assert len(without_figures.encode()) <= MOST_BYTES
