"""What a page says once, says shortly, or leaves to a file; and what it never leaves unsaid."""

import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from reportgen.report.ledger import advices
from reportgen.report.tables import ReportTable, TableColumn, to_markdown, unbroken, without_empty_columns
from reportgen.report.uncertainty import planned
from reportgen.report.view import ReportView
from reportgen.results import Figure, Interval, Results
from reportgen.words import numbers
from tests.campaigns import finding, results, results_of, written
from tests.rendered import version_files
from tests.report.written_pages import report, two

THREE = "document,item,a,b,c\n" + "".join(
    f"d{n // 4},{n},{'xyz'[n % 3]},{'xyz'[n % 3]},{'yyz'[n % 3] if n % 2 else 'xyz'[n % 3]}\n"
    for n in range(160)
)


def rendered(found: Results, name: str = "index.html") -> str:
    return dict(version_files(found, {}))[name]


def test_three_annotators_have_a_finding_on_what_they_confuse(tmp_path: Path) -> None:
    found = results(tmp_path, "", THREE)
    confused = finding(found, "confused")
    assert confused is not None
    labels = [line.split(",")[2:] for line in THREE.splitlines()[1:]]
    met = Counter(frozenset(pair) for unit in labels for pair in combinations(unit, 2))
    share = met[frozenset(str(confused.values[name]) for name in ("first", "second"))] / sum(
        times for pair, times in met.items() if len(pair) > 1
    )
    assert confused.values["disagreement_share"] == pytest.approx(share)
    # Were all disagreements settled, alpha would be 1: chance held fixed, it rises in proportion.
    alpha = found.primary.measures["krippendorff_alpha"].value or 0.0
    assert confused.values["reached"] == pytest.approx(alpha + (1 - alpha) * share)
    first, *_rest = advices(ReportView(found).findings)
    assert first.gain >= max(each.gain or 0.0 for each in found.findings)


def test_with_weights_nothing_is_said_of_how_far_the_figure_would_rise(tmp_path: Path) -> None:
    export = "item,a,b\n" + "".join(
        f"{n},{1 + n % 3},{3 if n % 2 and n % 3 == 0 else 1 + n % 3}\n" for n in range(240)
    )
    confused = finding(results(tmp_path, '[task]\nscale = "ordinal"\n', export), "confused")
    assert confused is not None
    assert "reached" not in confused.values
    assert "would raise" not in confused.claim


def test_what_is_the_same_of_several_layers_is_said_once_with_their_names(tmp_path: Path) -> None:
    toml = "".join(f'[[layers]]\nid = "{name}"\nsource = "{name}"\n' for name in ("one", "two"))
    export = "item,annotator,one,two\n" + "".join(
        f"{n},{who},{'xy'[n % 2]},{'xy'[n % 3 > 0]}\n" for n in range(9) for who in "ab"
    )
    folder = written(tmp_path / "campaign", toml, {"exports/1.0/e.csv": export})
    said = [each for each in results_of(folder).findings if each.id == "unjustified"]
    assert [(each.values["unit_set"], each.layers) for each in said] == [("items", ("one", "two"))]


def test_a_single_category_has_no_lowest_and_no_highest(tmp_path: Path) -> None:
    found = results(tmp_path, "", "item,a,b\n1,x,x\n2,x,x\n3,x,x\n")
    assert ReportView(found).caveat is None, "there is no figure that could come from these units"
    page = rendered(found)
    assert "1 category (x)" in page
    assert "Intervals cover" not in page, "there is none"
    reason = "because only one category was used where labels can be compared"
    for text in (page, rendered(found, "report.md")):
        assert text.count(reason) == 1, "a dash has its reason beside it"


@pytest.mark.slow
def test_columns_that_say_nothing_are_left_out_on_the_page_alone(tmp_path: Path) -> None:
    columns = (TableColumn("a", "A"), TableColumn("b", "B", "count"), TableColumn("c", "C", "count"))
    table = ReportTable("t", "", columns, (("x", 0, None), ("y", 0, 0)))
    assert without_empty_columns(table, ("b",)).rows == (("x", None), ("y", 0))
    assert [column.key for column in without_empty_columns(table, ("b", "c")).columns] == ["a"]
    found = results(tmp_path, "", THREE)
    assert "Unmarked units added" not in rendered(found)
    assert "added" in rendered(found, "tables/unit-sets.csv").partition("\n")[0]


def test_an_interval_in_markdown_needs_no_escape() -> None:
    figure = Figure(value=0.5, interval=Interval(low=0.25, high=0.75, level=0.95, method="t"))
    table = ReportTable(
        "t", "", (TableColumn("a", "A"), TableColumn("b", "B", "estimate")), (("[x]", figure),)
    )
    assert to_markdown(table).endswith("| \\[x\\] | 0.500 [0.250, 0.750] |")


def test_more_documents_are_asked_for_only_where_the_interval_is_wider(tmp_path: Path) -> None:
    found = results(tmp_path, "", THREE)
    plan = (found.primary.planning or {})[found.coefficient]
    narrower = [f"{each.half_width:g}" for each in plan.goals if each.half_width < plan.half_width]
    assert narrower
    assert re.findall(r"For ([\d.]+) it would take", planned(found, found.primary)) == narrower


def test_the_quality_section_speaks_of_labels_and_not_of_agreement(tmp_path: Path) -> None:
    page = rendered(results(tmp_path, "", THREE))
    section = page[page.index('id="quality-title"') : page.index('id="data-title"')]
    assert "do not measure agreement" in section
    of_labels = ("Who disagrees with everyone", "disagreement", "agrees less with the others")
    assert section.lower().count("agree") == 1 + sum(section.count(words) for words in of_labels)


def test_a_number_stands_with_the_thing_that_it_counts() -> None:
    assert numbers.counted(1, "category", "categories") == "1 category"
    assert numbers.counted(1200, "unit", "units") == "1,200 units"


@pytest.mark.slow
def test_a_matrix_whose_heads_are_too_long_gives_way_to_the_most_confused(tmp_path: Path) -> None:
    names = {
        label: f"{label}, which is a category with a very long name " + "and more of it " * 4
        for label in "xy"
    }
    found = results(
        tmp_path,
        "",
        THREE.replace("x", "{x}").replace("y", "{y}").format(**{k: f'"{v}"' for k, v in names.items()}),
    )
    primary = ReportView(found).layers[0].primary
    assert primary.matrix is not None
    assert primary.matrix_shown is None
    assert "too long to head the columns" in rendered(found)
    short = ReportView(results(tmp_path / "short", "", THREE)).layers[0].primary
    assert short.matrix_shown is not None


@pytest.mark.slow
def test_of_many_findings_alike_one_stands_open_and_the_others_are_folded(tmp_path: Path) -> None:
    names = ("one", "two", "three", "four", "five")
    sets = "".join(f'[[unit_sets]]\nid = "{name}"\nunits = "annotated-by-any"\n' for name in names)
    page = rendered(results(tmp_path, f'[task]\nnon_annotated = "z"\n{sets}', THREE))
    said = [page.index(f"In “{name}”, every unit was marked by somebody") for name in names]
    assert said == sorted(said)
    assert said[0] < page.index("In detail: 4</summary>") < said[1]


def test_size_curves_of_several_layers_say_of_which_layer_they_are(tmp_path: Path) -> None:
    toml = "".join(f'[[layers]]\nid = "{name.lower()}"\nsource = "{name}"\n' for name in ("PER", "LOC"))
    found = report(tmp_path, two(), toml)
    page = rendered(found.results)
    assert page.count("Every figure of these units is computed from this table") == 1, (
        "not once for each layer"
    )
    section = page[page.index('<details id="size-curve"') :]
    assert section.index("<h3>Layer per</h3>") < section.index("table-sizes~per")
    assert section.index("<summary>In layer loc</summary>") < section.index("table-sizes~loc")


def test_the_head_of_a_column_does_not_break_within_its_brackets() -> None:
    assert unbroken("Alpha [95% interval]") == "Alpha [95%\N{NO-BREAK SPACE}interval]"
    assert unbroken("tokens (4,380 units)") == "tokens (4,380\N{NO-BREAK SPACE}units)"
    long = "a category (which somebody explained at length)"
    assert unbroken(long) == long


def test_what_one_category_leaves_is_said_of_one_other_as_of_several(tmp_path: Path) -> None:
    export = "item,a,b\n" + "".join(f"{n},{'yx'[n > 0]},{'yx'[n > 1]}\n" for n in range(40))
    prevalence = finding(results(tmp_path, "", export), "prevalence")
    assert prevalence is not None
    claim = numbers.message(prevalence.claim, prevalence.values)
    assert claim == "96.2% of all labels are x; the rest are y."
