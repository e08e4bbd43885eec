"""Annotators who exchange labels, give one throughout, or are copies of each other are named."""

import random
from pathlib import Path

import pytest

from reportgen.findings import verdict
from tests.campaigns import finding, results


def table(labels: dict[str, list[str]]) -> str:
    """Return a wide table of ratings, a column for each annotator."""
    rows = zip(*labels.values(), strict=True)
    return "\n".join(
        [f"unit,{','.join(labels)}", *(f"u{n},{','.join(row)}" for n, row in enumerate(rows, 1))]
    )


def truth(seed: int, units: int = 90, among: str = "xyz") -> list[str]:
    made = random.Random(seed)  # noqa: S311 - made-up labels
    return [made.choice(among) for _ in range(units)]


def slipping(labels: list[str], seed: int, rate: float = 0.1, among: str = "xyz") -> list[str]:
    """Return labels of which some are given at random."""
    made = random.Random(seed)  # noqa: S311 - made-up labels
    return [made.choice(among) if made.random() < rate else label for label in labels]


def exchanged(labels: list[str]) -> list[str]:
    return [{"x": "y", "y": "x"}.get(label, label) for label in labels]


def test_two_annotators_who_use_two_labels_the_other_way_round(tmp_path: Path) -> None:
    real = truth(1)
    labels = {"A": slipping(real, 2), "B": exchanged(slipping(real, 3))}
    found = results(tmp_path, "", table(labels))
    swapped = finding(found, "swapped-labels")
    assert swapped is not None
    both = [(a, b) for a, b in zip(*labels.values(), strict=True) if {a, b} <= {"x", "y"}]
    assert swapped.values["units"] == len(both)
    assert swapped.values["crossed"] == sum(a != b for a, b in both)
    assert (swapped.values["label"], swapped.values["other"]) == ("x", "y")
    # The definitions of the two are not to blame.
    weak = {each.values["category"] for each in found.findings if each.id == "weak-category"}
    assert not weak & {"x", "y"}


def test_the_one_of_three_who_exchanged_labels_is_named_and_no_other(tmp_path: Path) -> None:
    real = truth(4)
    labels = {"A": slipping(real, 5), "B": exchanged(slipping(real, 6)), "C": slipping(real, 7)}
    found = [each for each in results(tmp_path, "", table(labels)).findings if each.id == "swapped-labels"]
    assert [each.values["annotator"] for each in found] == ["A02"] or [
        each.values["annotator"] for each in found
    ] == ["B"]
    with_b = [(b, other) for who in "AC" for b, other in zip(labels["B"], labels[who], strict=True)]
    assert found[0].values["crossed"] == sum({b, other} == {"x", "y"} for b, other in with_b)
    assert found[0].values["agreed"] == sum(b == other and b in "xy" for b, other in with_b)


def test_nobody_is_said_to_have_exchanged_labels_at_random(tmp_path: Path) -> None:
    for seed in range(12):
        labels = {who: truth(100 * seed + n, 60) for n, who in enumerate("ABC")}
        assert finding(results(tmp_path / str(seed), "", table(labels)), "swapped-labels") is None


@pytest.mark.parametrize("people", ["AB", "ABC"])
def test_an_annotator_who_gives_one_label_to_everything_is_named(tmp_path: Path, people: str) -> None:
    real = truth(8)
    labels = {who: slipping(real, n) for n, who in enumerate(people)} | {"A": ["x"] * len(real)}
    found = [each for each in results(tmp_path, "", table(labels)).findings if each.id == "one-label"]
    assert len(found) == 1
    others = [label for who in people[1:] for label in labels[who]]
    assert found[0].values["category"] == "x"
    assert found[0].values["other_share"] == pytest.approx(sum(each != "x" for each in others) / len(others))


def test_copies_are_asked_about_and_good_annotators_are_not(tmp_path: Path) -> None:
    real = truth(9)
    copies = results(tmp_path / "copies", "", table({"A": slipping(real, 2), "B": slipping(real, 2)}))
    same = finding(copies, "identical-annotators")
    assert same is not None
    assert same.values["units"] == len(real)
    one_off = [*slipping(real, 2)[:-1], "x" if slipping(real, 2)[-1] != "x" else "y"]
    good = results(tmp_path / "good", "", table({"A": slipping(real, 2), "B": one_off}))
    assert finding(good, "identical-annotators") is None


def test_agreement_below_chance_is_said_to_be_below_chance(tmp_path: Path) -> None:
    real = truth(10, among="xy")
    found = results(tmp_path, "", table({"A": slipping(real, 2, among="xy"), "B": exchanged(real)}))
    assert found.findings[0].claim == verdict.BELOW_CHANCE.claim
    high = found.findings[0].values["high"]
    assert isinstance(high, float)
    assert high < 0
