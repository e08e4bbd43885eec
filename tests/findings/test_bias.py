"""Whether one annotator uses a category more often: what decides, and what is never claimed."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from reportgen.findings import annotator_pairs
from tests.campaigns import finding, results

Document = Sequence[tuple[str, str, int]]


def table(*documents: Document) -> str:
    """Return labels as a table: in each document so many units with a label by A and one by B."""
    rows = ["document,item,annotator,label"]
    for place, cells in enumerate(documents):
        units = [(a, b) for a, b, times in cells for _ in range(times)]
        for number, (a, b) in enumerate(units):
            rows += [f"d{place},{place}-{number},A,{a}", f"d{place},{place}-{number},B,{b}"]
    return "\n".join(rows) + "\n"


def test_three_documents_that_lean_one_way_are_enough_for_bhapkar_and_not_for_stuart(
    tmp_path: Path,
) -> None:
    leaning = [[("x", "y", 20 + extra), ("x", "x", 40), ("y", "y", 40)] for extra in range(3)]
    found = results(tmp_path, "", table(*leaning))
    symmetry = found.primary.pairs[0].symmetry
    stuart, bhapkar = symmetry["stuart_maxwell"], symmetry["bhapkar"]
    assert stuart.p is not None
    assert stuart.least_p is not None
    assert bhapkar.p is not None
    assert bhapkar.least_p is None
    assert bhapkar.p < 0.002
    assert 0.05 < stuart.least_p < stuart.p
    said = finding(found, "bias")
    assert said is not None
    assert (said.values["test"], said.values["margins_p"]) == ("Bhapkar", bhapkar.p)
    assert "though kappa and pi hardly differ" in said.claim
    assert finding(found, "no-bias") is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("export", "differ"),
    [
        ("A\\B,x,y\nx,3,2\ny,0,3\n", 2),
        (table(*[[("x", "y", 3), ("x", "x", 9), ("y", "y", 9)]] * 4), 12),
    ],
    ids=["eight units", "four documents"],
)
def test_too_few_units_or_documents_tell_nothing(tmp_path: Path, export: str, differ: int) -> None:
    found = results(tmp_path, "", export)
    said = finding(found, "bias-unknown")
    assert said is not None
    assert said.values["differ"] == differ
    assert "No test can show" in said.claim
    assert not {"bias", "no-bias"} & {each.id for each in found.findings}


@pytest.mark.slow
def test_swapped_labels_are_not_called_used_alike(tmp_path: Path) -> None:
    found = results(tmp_path, "", "A\\B,x,y\nx,0,30\ny,30,0\n")
    said = finding(found, "no-bias")
    assert said is not None
    assert (said.values["differ"], said.values["units"]) == (60, 60)
    assert "on other {noun} all the same: they differ on {differ} of {units}" in said.claim
    assert not any(" alike" in each.claim for each in found.findings)


@pytest.mark.slow
def test_annotators_who_differ_in_one_way_alone_are_told_apart(tmp_path: Path) -> None:
    """Bhapkar's test has no variance there."""
    said = finding(results(tmp_path, "", "A\\B,x,y\nx,20,40\ny,0,20\n"), "bias")
    assert said is not None
    whole = finding(results(tmp_path / "whole", "", "A\\B,x,y\nx,0,40\ny,0,0\n"), "bias")
    assert whole is not None
    assert whole.values["test"] == "Stuart and Maxwell"
    # Kappa is 0 and pi -1, which nobody reads as a sign of little bias.
    assert "though kappa and pi" not in whole.claim


@pytest.mark.slow
def test_who_marks_more_is_said_although_the_categories_together_show_nothing(tmp_path: Path) -> None:
    """Four categories spread the difference over three degrees of freedom."""
    toml = '[task]\ncategories = ["a", "b", "c", "none"]\nnon_annotated = "none"\n'
    rows = "A\\B,a,b,c,none\na,90,30,30,25\nb,30,90,30,25\nc,30,30,90,25\nnone,15,15,15,200\n"
    found = results(tmp_path, toml, rows)
    symmetry = found.primary.pairs[0].symmetry
    assert (symmetry["bhapkar"].p or 0) > 0.05
    assert (symmetry["mcnemar"].p or 1) < 0.025
    said = finding(found, "bias-in-marks")
    assert said is not None
    assert (said.values["first_only"], said.values["second_only"]) == (75, 45)
    assert annotator_pairs.BY_UNIT in said.claim


def of_three(documents: int, moved: int) -> str:
    """Return a table of three, the last of whom calls y what the others call x, on so many units."""
    rows = ["document,item,annotator,label"]
    for unit in range(documents * 10):
        real = "xyz"[unit % 3]
        for who in "ABC":
            # Some slips of everybody, evenly.
            label = "xyz"[(unit + 1) % 3] if unit % 13 == "ABC".index(who) else real
            other = who == "C" and real == "x" and unit // 3 < moved
            rows.append(f"d{unit // 10},{unit},{who},{'y' if other else label}")
    return "\n".join(rows) + "\n"


def test_of_three_annotators_the_one_who_prefers_a_category_is_named_and_no_other(tmp_path: Path) -> None:
    """Beside one who prefers a category each of the others avoids it, by half as much."""
    found = results(tmp_path, "", of_three(12, 99))
    said = [each for each in found.findings if each.id == "bias"]
    assert {each.values["annotator"] for each in said} == {"A03"}
    assert said[0].claim == annotator_pairs.BIAS_OF_ONE.claim
    (own,) = (
        each for quality in found.quality or () for each in quality.annotators if each.annotator == "A03"
    )
    assert own.bias is not None
    assert own.bias.difference.value == pytest.approx(own.bias.own - own.bias.others)
    labels = [line.split(",")[2:] for line in of_three(12, 99).splitlines()[1:]]
    by = {
        who: [label for name, label in labels if name == who].count(own.bias.category) / 120 for who in "ABC"
    }
    assert (own.bias.own, own.bias.others) == pytest.approx((by["C"], (by["A"] + by["B"]) / 2))


@pytest.mark.slow
def test_equal_slips_and_few_documents_show_no_bias(tmp_path: Path) -> None:
    for name, export in (("even", of_three(12, 0)), ("five", of_three(5, 99))):
        assert finding(results(tmp_path / name, "", export), "bias") is None
    assert finding(results(tmp_path / "six", "", of_three(6, 99)), "bias") is not None


@pytest.mark.slow
def test_who_marks_more_than_the_others_is_told_by_what_is_marked(tmp_path: Path) -> None:
    toml = '[task]\nnon_annotated = "z"\n[[unit_sets]]\nid = "items"\nunits = "items"\n'
    found = results(tmp_path, toml, of_three(12, 0).replace(",C,z", ",C,x"))
    said = finding(found, "bias")
    assert said is not None
    assert said.values["annotator"] == "A03"
    assert said.claim == annotator_pairs.BIAS_IN_MARKS_OF_ONE.claim
    assert said.values["own_share"] == 1
