"""What is said of labels given again, references by name and empty cells, by whatever computes."""

import json
import re
from pathlib import Path

import pytest

from reportgen import agreement
from reportgen.base.errors import BadInput
from reportgen.campaign import load
from reportgen.pipeline.reading import notices, read_campaign
from tests.campaigns import results
from tests.commands import run

HEAD = "item,annotator,label\n"
# Bob says x of item 1 and then y, and twice the same of item 2; of item 4 he says nothing.
TWICE = f"{HEAD}1,anna,x\n1,bob,x\n1,bob,y\n2,anna,y\n2,bob,y\n2,bob,y\n3,anna,x\n3,bob,x\n4,anna,y\n4,bob,\n"
GOLD = "item,anna,bob,Gold Standard\n1,x,x,x\n2,y,y,y\n3,x,y,x\n4,y,,y\n"
WITHOUT_GOLD = "item,anna,bob\n1,x,x\n2,y,y\n3,x,y\n4,y,\n"


def agreed(folder: Path, text: str, *options: str) -> tuple[dict[str, object], str]:
    """Return the JSON of `agree`, and what it says beside it."""
    file = folder / "e.csv"
    file.write_text(text, encoding="utf-8")
    answer = run("agree", file, "--json", *options)
    assert answer.exit_code == 0
    return json.loads(answer.stdout), answer.stderr


def test_agree_counts_labels_given_again_and_warns_of_contradictions(tmp_path: Path) -> None:
    found, said = agreed(tmp_path, TWICE)
    reason = "a second pass: the annotator's first label on the unit counts"
    assert found["marks"] == {
        "read": 9,
        "used": 7,
        "left_out": {reason: 2},
        "missing": 1,
        "repeated": 1,
        "contradicting": 1,
    }
    assert "1 label contradicts an earlier one of the same annotator on the same unit" in " ".join(
        said.split()
    )
    shown = " ".join(run("agree", tmp_path / "e.csv").stdout.split())
    assert "Labels read 9 = used 7 + left out 2. 2: a second pass" in shown
    assert (
        "Labels given again, the same: 1. Labels given again, different: 1. Cells without a label: 1."
        in shown
    )


# Documents with their sentences, of which one is labelled again, otherwise.
OPINIONS = "document,sentence,anna,ben\n" + "".join(
    f"{document},{sentence},{'xyz'[(sentence + len(document)) % 3]},{'xyz'[sentence % 3]}\n"
    for document in ("hotel", "bakery", "garage", "museum")
    for sentence in (1, 2, 3)
)


@pytest.mark.parametrize(
    ("table", "line"),
    [
        (f"{OPINIONS}hotel,1,x,z\n", 14),
        (OPINIONS.replace("document,sentence", "doc,nr").replace("bakery,2", "bakery,1"), 6),
        ("id,anna,ben\n" + "".join(f"s{n},{'xy'[n % 2]},x\n" for n in range(9)) + "s3,x,y\n", 11),
    ],
)
def test_a_row_that_contradicts_is_said_with_its_line(table: str, line: int, tmp_path: Path) -> None:
    """No row becomes a unit of its own because another one repeats a key."""
    folder = tmp_path / "c"
    (folder / "exports").mkdir(parents=True)
    file = folder / "exports" / "e.csv"
    file.write_text(table, encoding="utf-8")
    agreed = run("agree", file, "--json")
    asked = run("init", folder)
    built = run("build", folder, "--out", tmp_path / "site")
    for said in (agreed.stderr, asked.stderr, built.stderr):
        assert re.search(rf"contradicts? an earlier one .*e\.csv, line {line}\)", said)
    assert json.loads(agreed.stdout)["units"] == table.count("\n") - 2


@pytest.mark.parametrize(
    ("rows", "repeated"),
    [("1,a,x\n1,a,x\n1,b,x\n2,a,y\n2,b,y\n", 1), ("1,a,x,1\n1,a,y,2\n1,b,x,1\n2,a,y,1\n2,b,y,1\n", 0)],
)
def test_what_is_said_twice_alike_contradicts_nothing(tmp_path: Path, rows: str, repeated: int) -> None:
    head = HEAD if repeated else "item,annotator,label,pass\n"
    found, said = agreed(tmp_path, head + rows)
    assert said == ""
    marks = found["marks"]
    assert isinstance(marks, dict)
    assert (marks["repeated"], marks["contradicting"]) == (repeated, 0)


def test_a_report_and_ratings_in_memory_count_what_agree_counts(tmp_path: Path) -> None:
    found = results(tmp_path, "", TWICE)
    marks = found.primary.marks
    assert (marks.missing, marks.repeated, marks.contradicting) == (1, 1, 1)
    assert (found.marks.read, found.marks.used, found.marks.left_out, found.marks.missing) == (9, 7, 2, 1)
    campaign = load(tmp_path / "campaign")
    said = [str(each) for each in notices(campaign, read_campaign(campaign))]
    assert any("1 label contradicts an earlier one" in each for each in said)
    ratings = {"u": [1, 1, 1, 2, 2, 2], "a": list("aabaab"), "l": list("xyxyyy")}
    with pytest.warns(UserWarning, match="1 of the labels differ from the first"):
        again = agreement.of(ratings, unit="u", annotator="a", label="l")
    assert (again.repeated, again.contradicting) == (1, 1)


def test_agree_and_build_take_a_gold_column_for_a_reference(tmp_path: Path) -> None:
    plain, _ = agreed(tmp_path, WITHOUT_GOLD)
    found, said = agreed(tmp_path, GOLD)
    assert found["annotators"] == ["anna", "bob"]
    assert found["measures"] == plain["measures"]
    assert '"Gold Standard" was taken for a reference, by its name' in " ".join(said.split())
    report = results(tmp_path, '[privacy]\nannotators = "names"', GOLD)
    assert report.primary.annotators == ("anna", "bob")
    assert report.primary.measures["cohen_kappa"].value == pytest.approx(
        plain["measures"]["cohen_kappa"]["value"]  # type: ignore[index]
    )
    assert report.comparisons is not None
    campaign = load(tmp_path / "campaign")
    told = [each for each in notices(campaign, read_campaign(campaign)) if "Gold Standard" in str(each)]
    assert '[annotators."Gold Standard"]' in told[0].remedy


def test_a_reference_by_name_may_be_an_annotator(tmp_path: Path) -> None:
    """Where the campaign, or the command, says so, or nobody else would be left."""
    found, said = agreed(tmp_path, GOLD, "--annotators", "anna,bob,Gold Standard")
    assert found["annotators"] == ["Gold Standard", "anna", "bob"]
    assert "reference" not in said
    two, said = agreed(tmp_path, "item,anna,gold\n1,x,x\n2,y,x\n3,y,y\n")
    assert two["annotators"] == ["anna", "gold"]
    assert '"gold" is compared as an annotator, despite a name like that of a reference' in said
    toml = '[privacy]\nannotators = "names"\n[annotators."Gold Standard"]\nrole = "annotator"'
    assert results(tmp_path, toml, GOLD).primary.annotators == ("Gold Standard", "anna", "bob")


@pytest.mark.parametrize(
    ("name", "scales"),
    [("Linear", "ordinal or interval or ratio"), ("masi", "set")],
)
def test_a_built_in_distance_is_named_with_its_scale(tmp_path: Path, name: str, scales: str) -> None:
    (tmp_path / "e.csv").write_text("item,a,b\ni1,1,2\ni2,2,2\n", encoding="utf-8")
    answer = run("agree", tmp_path / "e.csv", "--distance", name)
    said = " ".join(answer.stderr.split())
    assert answer.exit_code == 2
    assert f'"{name.casefold()}" is built in and needs no file' in said
    assert f"which --scale {scales} prints." in said
    with pytest.raises(BadInput, match="is the name of figures that exist without it"):
        agreement.of([["1", "2"], ["2", "2"]], scale="ordinal", distances={"linear": {("1", "2"): 0.5}})
