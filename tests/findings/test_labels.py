"""Labels that the campaign does not declare, and labels that contradict others, are findings."""

from pathlib import Path

from reportgen.results import Results
from tests.campaigns import results, results_of, written

TASK = '[task]\ncategories = ["Former", "New"]\nnon_annotated = "Rien"\n'


def said(found: Results) -> list[str]:
    """Return the claims on labels."""
    ids = (
        *("undeclared-label", "undeclared-labels", "contradicting-labels"),
        *("labels-alike", "labels-look-missing"),
    )
    return [each.claim.format(**each.values) for each in found.findings if each.id in ids]


def wide(*pairs: str) -> str:
    rows = "".join(f"i{number},{pair.replace(' ', ',')}\n" for number, pair in enumerate(pairs))
    return f"item,anna,bob\n{rows}"


def test_labels_that_are_not_declared_are_named_with_the_nearest(tmp_path: Path) -> None:
    found = results(tmp_path, TASK, wide("New New", "new Former", "new Rien", "Other Former", "Former Rien"))
    near = "new is not a declared category but counts as one (labels: 2)."
    assert said(found) == [
        f"{near} The most similar declared one is New.",
        "Other is not a declared category but counts as one (labels: 1).",
    ]
    assert found.primary.categories_declared == ("Former", "New")
    assert all(each.severity == "warning" for each in found.findings if each.id == "undeclared-label")


def test_members_of_sets_are_declared_one_by_one(tmp_path: Path) -> None:
    task = '[task]\nscale = "set"\ncategories = ["a", "b"]\n'
    files = {"exports/1.0/e.csv": wide("a|b a", "b a", "a|c {}", "a|b c")}
    made = written(tmp_path / "campaign", task, files)
    toml = made / "campaign.toml"
    toml.write_text(f'{toml.read_text(encoding="utf-8")}set_separator = "|"\n', encoding="utf-8")
    found = results_of(made)
    assert said(found) == ["c is not a declared category but counts as one (labels: 2)."]


def test_labels_that_contradict_others_are_counted(tmp_path: Path) -> None:
    table = "item,annotator,label\n1,a,x\n1,a,y\n1,b,x\n2,a,y\n2,b,y\n2,b,y\n"
    assert said(results(tmp_path, "", table)) == [
        "Labels that contradict an earlier one of the same annotator on the same unit: 1. The first counts."
    ]
