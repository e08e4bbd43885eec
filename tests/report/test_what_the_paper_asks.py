"""What Fort et al. (2010) present first stands on a report's page before anything is opened."""

import re
from pathlib import Path

import lxml.html
import pytest

from reportgen.figures import curve
from reportgen.report import matrices, page, uncertainty
from reportgen.report.view import LayerView, ReportView
from reportgen.results import Results
from reportgen.words.language import Edition, writing
from tests.campaigns import GENE_RENAMING, marked, results, results_of, written


def seen(found: Results, language: str = "en") -> str:
    """Return the text of a report's page with everything that a reader opens closed, blanks as one."""
    with writing(Edition(language)):
        root = lxml.html.fromstring(page.report_html(ReportView(found), alone=False))
    for hidden in root.xpath("//style | //script | //svg//title | //svg//desc"):
        hidden.drop_tree()
    for closed in root.xpath("//details/*[not(self::summary)]"):
        closed.drop_tree()
    # Cells and words of figures are apart on the page.
    return " ".join(root.itertext())


def lines(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("\N{NO-BREAK SPACE}", " "))


@pytest.fixture(scope="module")
def reviewed() -> str:
    return lines(seen(results_of(GENE_RENAMING)))


SEVEN = {
    "the matrix with its margins": (
        r"A2 \ A1 Former New Rien Total Former 71 13 23 107 New 8 69 15 92 Rien 7 8 18,840 18,855 "
        "Total 86 90 18,878 19,054"
    ),
    "the non-annotated category, its share": "“Rien” is 99.0% of all labels.",
    "and its size": "Neither A2 nor A1 marked 18,840 of 19,054 units.",
    "coefficients side by side": "tokens (primary) 19,054 99.0% 0.994 0.801 0.801 [0.755, 0.840] 0.801",
    "for each choice": "gene-names 1,165 83.9% 0.905 0.776 0.776 [0.724, 0.819] 0.776 annotated-by-both 161",
    "with the limit": "limit – – 1.000 0.803 0.803 0.803",
    "each choice's reason": "Every token of the 93 doubly annotated abstracts is a unit.",
    "and that of another": "Among the tokens that both annotators marked, how well do they tell the old name",
    "specific agreement": "Former New Rien 0.736 0.758 0.999",
    "table 6": "Former New 0.500 0.888 0.788 Former Rien 1.000 0.922 0.844 New Rien 1.000 0.937 0.873",
    "and what it means": "annotators tell them apart better than expected.",
}


@pytest.mark.parametrize("asked", SEVEN)
def test_a_reviewer_of_the_paper_sees_it_without_a_click(reviewed: str, asked: str) -> None:
    assert SEVEN[asked] in reviewed


def test_the_markdown_report_has_it_in_the_same_order_before_all_other_figures() -> None:
    text = page.report_markdown(ReportView(results_of(GENE_RENAMING)))
    heads = re.findall(r"^## (.*)$", text, re.MULTILINE)
    asked = [
        *("Confusion matrix", "The non-annotated category", "What counts as a unit, and why"),
        *("How much the size of the non-annotated category matters", "Specific agreement"),
        "Distances between categories",
    ]
    first = heads.index(asked[0])
    assert heads[first : first + len(asked)] == asked
    assert first < heads.index("Can I trust this verdict?") < heads.index("Coefficients")


# Labels that somebody gave once or twice have rows of their own.
FEW = "[privacy]\nsmallest = 1\n"


def table_of(folder: Path, labels: str) -> LayerView:
    """Return the layer of a campaign; each annotator's labels are a word, a letter a unit, - for none."""
    people = labels.split()
    rows = [
        f"u{unit},{'ABC'[who]},{label}"
        for who, given in enumerate(people)
        for unit, label in enumerate(given)
        if label != "-"
    ]
    return ReportView(results(folder, FEW, "\n".join(["unit,annotator,label", *rows]))).layers[0]


def test_the_diagonal_and_margins_have_no_shade_and_the_largest_disagreement_the_darkest(
    tmp_path: Path,
) -> None:
    shown = table_of(tmp_path, f"{'x' * 900}xxyz {'x' * 900}yyxz").primary.matrix_shown
    assert shown
    assert [row[1:] for row in shown.rows] == [(900, 2, 0, 902), (1, 0, 0, 1), (0, 0, 1, 1), (901, 2, 1, 904)]
    assert shown.shades == (
        (None, None, 9, 0, None),
        (None, 4, None, 0, None),
        (None, 0, 0, None, None),
        (None,) * 5,
    )


@pytest.mark.parametrize(("smallest", "is_sided"), [(1, True), (3, False)])
def test_colours_say_who_marked_only_where_what_nobody_marked_is_last(
    tmp_path: Path, smallest: int, *, is_sided: bool
) -> None:
    """Labels that are withheld are joined behind it."""
    toml = f'[privacy]\nsmallest = {smallest}\n[task]\nnon_annotated = "z"\n'
    rows = [f"u{unit},{who},{label}" for who in "AB" for unit, label in enumerate(f"xy{who.lower()}zzzxxxz")]
    found = results(tmp_path, toml, "\n".join(["unit,annotator,label", *rows]))
    assert ("cells sided" in page.report_html(ReportView(found), alone=False)) is is_sided


@pytest.mark.parametrize(("categories", "is_matrix"), [(8, True), (9, False)])
def test_up_to_eight_categories_are_a_matrix_and_more_the_largest_confusions(
    tmp_path: Path, categories: int, *, is_matrix: bool
) -> None:
    names = "abcdefghi"[:categories]
    own = table_of(tmp_path, f"{names * 3}bbbac {names * 3}aaaba").primary
    assert own.squared is is_matrix
    shown = own.matrix_shown
    assert shown
    if not is_matrix:
        # Label, how often in all, the other label, how often in all, units, share of disagreements.
        assert shown.rows == (("b", 6, "a", 7, 3, 0.6), ("a", 4, "b", 4, 1, 0.2), ("c", 4, "a", 7, 1, 0.2))


def test_names_that_are_too_long_for_heads_of_columns_are_listed(tmp_path: Path) -> None:
    long = {name: name * 50 for name in "abc"}
    rows = [f"u{unit},{who},{long[label]}" for who in "AB" for unit, label in enumerate("aabbcc")]
    own = ReportView(results(tmp_path, FEW, "\n".join(["unit,annotator,label", *rows, "u9,A,a", "u9,B,b"])))
    assert own.layers[0].primary.squared is False


def test_of_three_annotators_comparisons_are_added_up_over_pairs(tmp_path: Path) -> None:
    """A cell is of both orders, and a category's last cell counts each comparison in which it is."""
    own = table_of(tmp_path, "xxyyz xyyxz xxxy-")
    shown, met = own.primary.matrix_shown, matrices.meetings(own.primary.unit_set)
    assert shown
    assert met
    assert (met.units, met.disagreements) == (13, 6)
    assert [row[1:] for row in shown.rows] == [(4, 6, 0, 10), (None, 2, 0, 8), (None, None, 1, 1)]
    assert "13 comparisons of two annotators, added up over all pairs; 6 differ" in shown.caption
    assert shown.shades[0] == (None, None, 9, 0, None)


@pytest.mark.parametrize("smallest", [1, 3])
def test_where_nothing_is_missing_pairs_add_up_even_if_they_are_withheld(
    tmp_path: Path, smallest: int
) -> None:
    labels = ("xxyyz", "xyyxz", "xxxyz")
    rows = [f"u{i},{'ABC'[who]},{label}" for who, given in enumerate(labels) for i, label in enumerate(given)]
    export = "\n".join(["unit,annotator,label", *rows])
    found = results(tmp_path, f"[privacy]\nsmallest = {smallest}\n", export)
    met = matrices.meetings(found.primary)
    assert met
    # Three comparisons of each unit.
    assert dict(met.filled) == {(0, 0): 4, (0, 1): 6, (1, 1): 2, (2, 2): 3}


# Units and their choice; the size of what nobody marked

TEXTS = dict.fromkeys("pqrst", "anna met bob and carl in rome on a day in may")
BOTH = """
[[unit_sets]]
id = "tokens"
units = "tokens"
primary = true
why = "All *words* were read. So they count."
[[unit_sets]]
id = "marked"
units = "annotated-by-any"
"""
NAMES = [("PER", 0, 4), ("PER", 9, 12), ("PER", 17, 21), ("LOC", 25, 29)]


def three(folder: Path, without: str) -> ReportView:
    """Return marks of three people in five texts; Cid, who leaves out marks, did not read some of them."""
    marks = {
        "Ann": dict.fromkeys(TEXTS, NAMES),
        "Bob": dict.fromkeys(TEXTS, NAMES[1:]),
        "Cid": {name: NAMES[:2] for name in TEXTS if name not in without},
    }
    files = {f"exports/1.0/{name}": text for name, text in marked(TEXTS, marks).items()}
    return ReportView(results_of(written(folder / "c", BOTH, files)))


def test_the_size_curve_of_three_is_of_all_without_gaps_and_else_of_each_pair(tmp_path: Path) -> None:
    whole, gaps = (three(tmp_path / name, without) for name, without in (("whole", ""), ("gaps", "st")))
    members = gaps.layers[0].members
    assert not whole.layers[0].by_pairs
    assert gaps.layers[0].by_pairs
    plot, of_all = curve.of_unit_sets(gaps.results, members), whole.layers[0].curve_figure
    assert plot
    assert of_all
    assert sorted(line.names[0] for line in plot.lines) == ["A01 / A02", "A01 / A03", "A02 / A03"]
    # Each pair has the units that both rated: of five texts or of three, of twelve tokens each.
    sizes = {line.names[0]: line.curve.declared for line in plot.lines}
    assert sizes == {"A01 / A02": 60, "A01 / A03": 36, "A02 / A03": 36}
    limits = [line.limit for line in plot.lines]
    assert limits == sorted(limits, key=lambda limit: limit or 0)
    table = uncertainty.by_unit_set(gaps.results, members)
    assert [row[0] for row in table.rows][2:] == [f"limit, {line.names[0]}" for line in plot.lines]
    text = lines(seen(gaps.results))
    assert "each line is a pair of annotators, over the units that both rated" in text
    assert "comparisons neither annotator marked the unit" in text


def test_only_the_first_sentence_of_a_reason_is_open_and_what_has_none_is_said(tmp_path: Path) -> None:
    text = lines(seen(three(tmp_path, "").results))
    assert "tokens (every token of the texts) All words were read." in text
    assert "So they count." not in text
    assert "The campaign does not say why “marked” are the units." in text


def test_of_many_pairs_the_curves_with_the_lowest_and_the_highest_limits_are_drawn(tmp_path: Path) -> None:
    found = three(tmp_path, "st")
    (first, *_others) = found.layers[0].members
    many = first.model_copy(update={"pairs": first.pairs * 3, "size_curve": None})
    chosen = [value.limit["scott_pi"] for _pair, value in curve.curves_of_pairs(found.results, many)]
    assert len(chosen) == curve.MOST_PAIRS
    limits = sorted(own.size_curve.limit["scott_pi"] or 0 for own in many.pairs if own.size_curve)
    assert sorted(each or 0 for each in chosen) == [*limits[:3], *limits[-3:]]


def test_no_remark_is_said_twice_and_each_is_with_the_figures_that_it_is_about() -> None:
    """What was one block of remarks stands where its figures are."""
    whole = page.report_markdown(ReportView(results_of(GENE_RENAMING)))
    parts = dict(re.findall(r"^## (.*?)$(.*?)(?=^## |\Z)", whole, re.MULTILINE | re.DOTALL))
    of_section = {
        "How much the size of the non-annotated category matters": "does not exceed 0.803",
        "The non-annotated category": "hardly depend on the rare categories",
        "Distances between categories": "The distance table expert puts Former and New",
        "Coefficients": "includes the threshold 0.8",
        "Data and protocol": "does not say whether annotators worked independently",
    }
    for section, remark in of_section.items():
        assert remark in parts[section], section
        assert whole.count(remark) == 1, remark
