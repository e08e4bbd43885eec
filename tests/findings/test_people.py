"""Annotators who exchange labels, give one throughout, or are copies of each other are named."""

import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from reportgen.pipeline.build import build_site
from reportgen.results import Results, Value
from tests.campaigns import finding, results, written
from tests.slowly import slow_but
from tests.truth import naive


def table(labels: dict[str, list[str]]) -> str:
    """Return a table of ratings, a row for each that was given."""
    rows = [
        f"u{unit},{who},{label}"
        for unit, given in enumerate(zip(*labels.values(), strict=True), 1)
        for who, label in zip(labels, given, strict=True)
        if label
    ]
    return "\n".join(["unit,annotator,label", *rows])


def truth(seed: int, units: int = 90, among: str = "xyz") -> list[str]:
    made = random.Random(seed)  # noqa: S311 - made-up labels
    return [made.choice(among) for _ in range(units)]


def slipping(labels: list[str], seed: int, rate: float = 0.1) -> list[str]:
    """Return labels of which some are given at random."""
    made = random.Random(seed)  # noqa: S311 - made-up labels
    return [made.choice("xyz") if made.random() < rate else label for label in labels]


def exchanged(labels: list[str]) -> list[str]:
    return [{"x": "y", "y": "x"}.get(label, label) for label in labels]


@pytest.mark.parametrize("seed", slow_but(range(12), 0))
def test_nobody_is_said_to_have_exchanged_labels_at_random(tmp_path: Path, seed: int) -> None:
    labels = {who: truth(100 * seed + n, 60) for n, who in enumerate("ABC")}
    assert finding(results(tmp_path, "", table(labels)), "swapped-labels") is None


def said(found: Results, name: str) -> Mapping[str, Value]:
    told = finding(found, name)
    assert told is not None, name
    return told.values


def alpha_of(labels: dict[str, list[str]]) -> float | None:
    rows = zip(*labels.values(), strict=True)
    return naive.alpha([dict(zip(labels, row, strict=True)) for row in rows])


def test_who_contradicts_the_others_comes_first_with_agreement_without_them(tmp_path: Path) -> None:
    real = truth(20)
    labels = {"A": slipping(real, 21), "B": slipping(real, 22), "C": truth(23), "D": slipping(real, 24)}
    found = results(tmp_path, "", table(labels))
    told = finding(found, "disagrees-with-everyone")
    assert told is not None
    values = told.values
    kept = alpha_of({who: own for who, own in labels.items() if who != "C"})
    assert values["annotator"] == "A03"
    assert values["without"] == pytest.approx(kept)
    assert values["value"] == pytest.approx(alpha_of(labels))
    assert told.gain == pytest.approx((kept or 0.0) - (alpha_of(labels) or 0.0))
    assert told.gain == max(each.gain or 0.0 for each in found.findings)
    assert told.severity == "problem"
    assert "publish the reason" in told.advice
    # Nobody else is left out, and counts are not said to give the figure.
    known = {each.annotator: each.without for own in found.quality or () for each in own.annotators}
    assert [name for name, without in known.items() if without] == ["A03"]
    assert known["A03"] is not None
    assert known["A03"].recomputable is False


@pytest.mark.slow
def test_a_careful_annotator_makes_no_average_one_a_problem(tmp_path: Path) -> None:
    """Each average one agrees less with the others than these among themselves, and no less than the next."""
    real = truth(120, 300)
    labels = {who: slipping(real, 121 + n, 0.35) for n, who in enumerate("ABC")} | {"D": real}
    found = results(tmp_path, "", table(labels))
    apart = [each for own in found.quality or () for each in own.annotators if (each.adjusted_p or 1) < 0.05]
    assert [(each.annotator, (each.difference.value or 0) > 0) for each in apart] == [
        ("A03", False),
        ("A04", True),
    ]
    assert finding(found, "disagrees-with-everyone") is None
    assert said(found, "agrees-more")["names_list"] == ("A04",)


@pytest.mark.slow
def test_two_of_five_who_guess_are_both_named_though_they_are_alike(tmp_path: Path) -> None:
    real = truth(130, 200)
    labels = {who: slipping(real, 131 + n, 0.2) for n, who in enumerate("ABC")}
    labels |= {who: slipping(real, 141 + n, 0.8) for n, who in enumerate("DE")}
    found = results(tmp_path, "", table(labels))
    names = said(found, "disagrees-with-everyone")["names_list"]
    assert isinstance(names, tuple)
    assert {*names} == {"A04", "A05"}
    assert finding(found, "agrees-more") is None


def test_who_always_contradicts_two_that_agree_is_told_though_nothing_varies(tmp_path: Path) -> None:
    real = truth(25)
    wrong = [{"x": "y", "y": "z", "z": "x"}[label] for label in real]
    one_off = ["y" if real[0] == "x" else "x", *real[1:]]
    found = results(tmp_path, "", table({"A": real, "B": wrong, "C": one_off, "D": real}))
    assert said(found, "disagrees-with-everyone")["annotator"] == "A02"


@pytest.mark.parametrize("edits", slow_but([0.02, 0.05, 0.0], 0.05))
def test_a_copy_with_some_edits_is_asked_about_and_blames_nobody(tmp_path: Path, edits: float) -> None:
    real = truth(150, 200)
    labels = {who: slipping(real, 151 + n, 0.3) for n, who in enumerate("ABC")}
    labels["D"] = slipping(labels["A"], 160, edits)
    found = results(tmp_path, "", table(labels))
    same = finding(found, "identical-annotators")
    assert same is not None
    assert (same.values["first"], same.values["second"]) == ("A01", "A04")
    differ = sum(a != d for a, d in zip(labels["A"], labels["D"], strict=True))
    assert same.values.get("differ", 0) == differ
    assert finding(found, "disagrees-with-everyone") is None
    assert finding(found, "agrees-more") is None


@pytest.mark.slow
@pytest.mark.parametrize("slips", [0.0, 0.03])
def test_two_careful_annotators_beside_careless_ones_are_no_copies(tmp_path: Path, slips: float) -> None:
    """They agree with the others as well as with each other, given how these are."""
    real = truth(170, 200)
    labels = {who: slipping(real, 171 + n, slips if who in "AB" else 0.4) for n, who in enumerate("ABCD")}
    assert finding(results(tmp_path, "", table(labels)), "identical-annotators") is None


@pytest.mark.slow
def test_of_easy_labels_few_of_which_differ_nobody_is_a_copy(tmp_path: Path) -> None:
    real = truth(30, 60)
    labels = {who: list(real) for who in "ABCD"}
    for place, who in enumerate("CD"):
        labels[who][place] = "y" if real[place] == "x" else "x"
    assert finding(results(tmp_path, "", table(labels)), "identical-annotators") is None


@pytest.mark.slow
def test_who_is_right_where_one_label_is_right_throughout_is_not_said_to_give_one(tmp_path: Path) -> None:
    real = ["x"] * 120
    labels = {"A": real} | {who: slipping(real, n, 0.3) for n, who in enumerate("BCD", 31)}
    found = results(tmp_path, "", table(labels))
    assert finding(found, "one-label") is None
    assert finding(found, "disagrees-with-everyone") is None


@pytest.mark.slow
def test_one_rare_label_left_out_throughout_is_told_with_all_units(tmp_path: Path) -> None:
    real = [("y" if n % 8 == 0 else "x") for n in range(160)]
    labels = {"A": ["x"] * 160} | {who: slipping(real, n, 0.02) for n, who in enumerate("BC", 40)}
    labels["B"][0:10] = [""] * 10
    labels["C"][10:20] = [""] * 10
    found = results(tmp_path, "", table(labels))
    assert said(found, "one-label")["units"] == 160
    assert said(found, "one-label")["category"] == "x"


@pytest.mark.slow
def test_who_errs_everywhere_has_exchanged_nothing(tmp_path: Path) -> None:
    for seed in range(6):
        real, chance = truth(60 + seed), random.Random(seed)  # noqa: S311 - made-up labels
        wrong = [chance.choice([other for other in "xyz" if other != label]) for label in real]
        labels = {"A": slipping(real, 70 + seed), "B": wrong, "C": slipping(real, 80 + seed)}
        found = results(tmp_path / str(seed), "", table(labels))
        assert finding(found, "swapped-labels") is None
        assert said(found, "disagrees-with-everyone")["annotator"] == "A02"


@pytest.mark.slow
def test_a_figure_without_somebody_is_that_of_the_same_units_to_mark(tmp_path: Path) -> None:
    toml = '[task]\nnon_annotated = "none"\n[[unit_sets]]\nid = "any"\nunits = "annotated-by-any"\n'
    real = [("none" if n % 3 == 0 else label) for n, label in enumerate(truth(90, 120, "xy"))]
    labels = {who: slipping(real, n) for n, who in enumerate("ABC", 91)}
    labels["D"] = truth(95, 120, "xy")
    kept = {who: own for who, own in labels.items() if who != "D"}
    values = said(results(tmp_path / "all", toml, table(labels)), "disagrees-with-everyone")
    alone = results(tmp_path / "kept", toml, table(kept)).primary.measures["krippendorff_alpha"]
    assert values["without"] == pytest.approx(alone.value)


@pytest.mark.slow
def test_the_table_of_annotators_has_the_figure_without_them(tmp_path: Path) -> None:
    real = truth(20)
    labels = {"A": slipping(real, 21), "B": slipping(real, 22), "C": truth(23), "D": slipping(real, 24)}
    made = written(tmp_path / "campaign", "", {"exports/1.0/e.csv": table(labels)})
    build_site([made], tmp_path / "site")
    here = tmp_path / "site" / "campaign" / "1.0"
    page = (here / "index.html").read_text(encoding="utf-8")
    assert page.index('id="findings"') < page.index('id="ledger"'), "what helps most is first"
    first = page[page.index('id="findings"') :].partition("<li>")[2].partition("<a ")[0]
    assert first.startswith("<strong>Go through the disagreements with A03")
    assert "A03 agrees less with the others" in first
    text = (here / "report.md").read_text(encoding="utf-8")
    for shown in ((here / "quality" / "index.html").read_text(encoding="utf-8"), text):
        assert "Krippendorff's alpha without them" in shown.replace("&#39;", "'")
