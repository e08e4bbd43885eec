"""The gold standard as files that are read back as exports, and the key to pseudonyms."""

import csv
import json
import re
import stat
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reportgen.base.errors import BadInput
from reportgen.base.files import from_cell
from reportgen.campaign import load
from reportgen.pipeline.build import build_site
from reportgen.publish.bundle import BundleOptions, bundled
from reportgen.publish.exported_files import GoldOptions, gold_marks, gold_standard
from reportgen.publish.gold_marks import BRAT as BRAT_FORMAT
from reportgen.readers import Annotations, TextMarks
from reportgen.units import Pseudonyms
from tests.campaigns import report_of, written
from tests.commands import append, edit, files, run
from tests.properties import examples
from tests.rendered import as_csv
from tests.sites import some_of_the_texts
from tests.test_adjudication import BRAT, RATINGS, TEXT, campaign, filled, read_back, rows_of

PER, LOC, NONE = ("PER", ""), ("LOC", ""), ("(unmarked)", "")
CROWD = {
    "exports/1.0/e.csv": "unit,Ann,Bob,Cid,Dan\n"
    "1,yes,yes,no,yes\n2,no,no,no,no\n3,yes,no,yes,no\n4,yes,,,\n5,no,no,maybe,\n"
}
Mark = tuple[str, str, tuple[tuple[int, int], ...]]


def decided(folder: Path, export: Mapping[str, str], *answers: tuple[str, str], toml: str = "") -> Path:
    """Write a campaign with a sheet that gives these answers, a row each."""
    rows = filled(rows_of(report_of(campaign(folder / "before", export, toml))), *answers)
    return campaign(folder / "after", export, toml, sheet=as_csv(rows))


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return [{name: from_cell(cell) for name, cell in row.items()} for row in csv.DictReader(file)]


def gold(folder: Path, out: Path, *options: str) -> list[dict[str, str]]:
    answer = run("gold", folder, "--out", out, *options)
    assert answer.exit_code == 0, answer.stderr
    return table(out) if out.suffix == ".csv" else []


def refused(*arguments: str | Path) -> str:
    answer = run(*arguments)
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert answer.stderr.endswith("nothing was written.\n")
    return answer.stderr


def marks_of(annotations: Annotations, who: str) -> tuple[set[Mark], dict[str, int]]:
    """Return somebody's marks, and what they did with each document."""
    content = annotations.content
    assert isinstance(content, TextMarks)
    assert annotations.attendance is not None
    code = content.annotators.index(who)
    found = set()
    for mark in (content.annotator == code).nonzero()[0].tolist():
        here = content.span_mark == mark
        spans = zip(content.span_start[here].tolist(), content.span_end[here].tolist(), strict=True)
        found.add(
            (content.documents[content.document[mark]], content.labels[content.label[mark]], tuple(spans))
        )
    return found, dict(zip(content.documents, annotations.attendance[:, code].tolist(), strict=True))


def labels_of(annotations: Annotations, who: str) -> dict[tuple[str, str], str]:
    ratings = annotations.ratings
    own = (ratings.annotator == ratings.annotators.index(who)).nonzero()[0].tolist()
    found = {}
    for mark in own:
        unit = ratings.unit[mark]
        document = ratings.document[unit]
        key = ratings.documents[document] if document >= 0 else "", ratings.unit_names[unit]
        found[key] = str(ratings.labels[ratings.label[mark]])
    return found


# Written, and read back as an export


@pytest.mark.parametrize("answers", [[NONE, PER, LOC, PER], [PER, NONE, NONE], [PER]])
def test_marks_in_texts_come_back_as_an_export(tmp_path: Path, answers: Sequence[tuple[str, str]]) -> None:
    folder = decided(tmp_path, BRAT, *answers)
    gold(folder, tmp_path / "gold")
    own = {f"exports/1.0/gold/{name}": text.decode() for name, text in files(tmp_path / "gold").items()}
    (again,) = read_back(written(tmp_path / "again", "", {**BRAT, **own})).annotations
    (before,) = read_back(folder).annotations
    marks, seen = marks_of(before, "adjudicated")
    finished = {name for name, state in seen.items() if state >= 2}
    expected = {mark for mark in marks if mark[0] in finished}
    assert marks_of(again, "gold") == (expected, seen)
    assert again.roles.get("gold", "reference") == "reference"


def test_labels_of_units_come_back_as_an_export(tmp_path: Path) -> None:
    folder = decided(tmp_path, RATINGS, ("no", ""), ("maybe", "slip"))
    rows = gold(folder, tmp_path / "gold.csv")
    assert [(row["document"], row["unit"], row["label"], row["status"]) for row in rows] == [
        ("d1", "1", "no", "adjudicated"),
        ("d1", "2", "no", "agreed"),
        ("d2", "1", "maybe", "adjudicated"),
        ("d2", "2", "", "open"),
        ("d2", "3", "yes", "agreed"),
    ]
    text = (tmp_path / "gold.csv").read_text(encoding="utf-8")
    (again,) = read_back(written(tmp_path / "again", "", {"exports/1.0/gold.csv": text})).annotations
    (before,) = read_back(folder).annotations
    assert labels_of(again, "gold") == labels_of(before, "adjudicated")


LABELS = st.sampled_from(["yes", "no", "=1+1", "-1", "a, b", 'a "b"', "+ä"])
ROWS = st.lists(st.lists(LABELS, min_size=3, max_size=3), min_size=2, max_size=8)


@given(ROWS)
@examples(25)
def test_a_majority_of_any_labels_comes_back_as_an_export(rows: list[list[str]]) -> None:
    most = {str(place): Counter(row).most_common(2) for place, row in enumerate(rows)}
    expected = {unit: both[0][0] for unit, both in most.items() if both[0][1] > 1}
    assume(expected)
    named = [
        {"unit": str(place), **dict(zip(("Ann", "Bob", "Cid"), row, strict=True))}
        for place, row in enumerate(rows)
    ]
    with tempfile.TemporaryDirectory() as place:
        folder = written(Path(place) / "c", "", {"exports/1.0/e.csv": as_csv(named)})
        # Labels that are anything may be remarks.
        append(folder / "campaign.toml", 'annotators = ["Ann", "Bob", "Cid"]\n')
        out = Path(place) / "g.csv"
        found = gold(folder, out, "--aggregate", "majority")
        assert {row["unit"]: row["label"] for row in found if row["status"] != "open"} == expected
        assert [row["unit"] for row in found] == list(most)
        text = out.read_text(encoding="utf-8")
        again = read_back(written(Path(place) / "again", "", {"exports/1.0/gold.csv": text}))
        assert labels_of(again.annotations[0], "gold") == {
            ("", unit): each for unit, each in expected.items()
        }


# Who decided what


def test_each_row_says_who_decided_and_how_many_agree(tmp_path: Path) -> None:
    folder = written(tmp_path / "c", "", CROWD)
    rows = gold(folder, tmp_path / "g.csv", "--aggregate", "majority")
    assert [(row["unit"], row["label"], row["status"], row["share"], row["labels"]) for row in rows] == [
        ("1", "yes", "majority", "0.75", "no (1), yes (3)"),
        ("2", "no", "agreed", "1.0", "no (4)"),
        ("3", "", "open", "", "no (2), yes (2)"),
        ("4", "", "open", "", "yes (1)"),
        ("5", "no", "majority", "0.666666666667", "maybe (1), no (2)"),
    ]
    assert {row["annotator"] for row in rows} == {"gold"}


def test_counts_are_printed_and_open_units_can_be_left_out(tmp_path: Path) -> None:
    folder, out = written(tmp_path / "c", "", CROWD), tmp_path / "g.jsonl"
    answer = run("gold", folder, "1.0", "--out", out, "--decided-only")
    assert answer.stdout.splitlines()[0] == (
        "c 1.0, main: 5 units: 1 agreed, 4 open (1 with fewer than two annotators)"
    )
    (line,) = out.read_text(encoding="utf-8").splitlines()
    row = json.loads(line)
    columns = "layer document unit offsets label annotator status reference share posterior annotators labels"
    assert list(row) == columns.split()
    assert (row["unit"], row["label"], row["share"], row["labels"]) == ("2", "no", 1, {"no": 4})
    # A file of ours is replaced.
    answer = run("gold", folder, "--out", out, "--json")
    counted = {"units": 5, "agreed": 1, "open": 4, "labelled_once": 1}
    assert json.loads(answer.stdout)["layers"] == {"main": counted}
    assert len(out.read_text(encoding="utf-8").splitlines()) == 5


def test_a_reference_of_the_export_decides_after_the_sheet(tmp_path: Path) -> None:
    export = {"exports/1.0/e.csv": "unit,Ann,Bob,Key\n1,yes,no,no\n2,no,no,yes\n3,yes,no,\n4,yes,no,no\n"}
    toml = '[privacy]\nannotators = "names"\n[annotators.Key]\nrole = "reference"\n[annotators.Ann]\n'
    folder = decided(tmp_path, export, ("yes", ""), toml=toml)
    rows = gold(folder, tmp_path / "g.csv")
    assert [(row["label"], row["status"], row["reference"]) for row in rows] == [
        ("yes", "adjudicated", ""),
        ("yes", "reference", "Key"),
        ("", "open", ""),
        ("no", "reference", "Key"),
    ]


def test_what_a_reference_alone_marked_is_in_and_what_it_passed_over_is_not(tmp_path: Path) -> None:
    own = {"exports/1.0/gold/d1.txt": TEXT, "exports/1.0/gold/d1.ann": "T1\tORG 5 9\tBerg\n"}
    folder = written(tmp_path / "c", "", {**BRAT, **own})
    rows = [row for row in gold(folder, tmp_path / "g.csv") if row["document"] == "d1"]
    assert {row["status"] for row in rows} == {"reference"}
    labels = {row["offsets"]: row["label"] for row in rows}
    passed_over = dict.fromkeys(("0-4", "0-9", "14-17", "21-26"), "(unmarked)")
    assert labels == {**passed_over, "5-9": "ORG"}
    gold(folder, tmp_path / "gold")
    assert (tmp_path / "gold/d1.ann").read_text(encoding="utf-8") == "T1\tORG 5 9\tBerg\n"


@pytest.mark.parametrize("other", ["system", "model"])
@pytest.mark.parametrize("roles", [("reference", ""), ("", "reference")])
def test_what_a_system_alone_marked_is_no_gold(tmp_path: Path, roles: tuple[str, str], other: str) -> None:
    toml = "".join(
        f'[annotators.{who}]\nrole = "{role or other}"\n'
        for who, role in zip(("anna", "ben"), roles, strict=True)
    )
    folder = written(tmp_path / "c", toml, BRAT)
    rows = [row for row in gold(folder, tmp_path / "g.csv") if row["document"] == "d1"]
    key = {True: ["0-9 PER", "14-17 PER", "21-26 LOC"], False: ["0-4 PER", "14-17 LOC", "21-26 LOC"]}
    assert [f"{row['offsets']} {row['label']}" for row in rows] == key[bool(roles[0])]
    # What the sheet decides is gold, whoever marked it.
    sheet = filled(rows_of(report_of(folder)), ("PER", ""))
    decided_folder = campaign(tmp_path / "decided", BRAT, toml, sheet=as_csv(sheet))
    (first, *_) = gold(decided_folder, tmp_path / "h.csv")
    assert (first["offsets"], first["label"], first["status"]) == ("0-4", "PER", "adjudicated")


def test_control_items_have_their_known_label_and_the_rejected_no_vote(tmp_path: Path) -> None:
    rows = ["unit,Ann,Bob,Cem,Dan", *(f"c{place},no,yes,yes,no" for place in range(9))]
    rows += ["1,no,yes,yes,yes", "2,yes,yes,yes,no"]
    toml = '[controls]\nfile = "controls.csv"\nreject_below = 0.6\nminimum = 5\n'
    listed = "unit,label\n" + "".join(f"c{place},yes\n" for place in range(9))
    text = {"exports/1.0/e.csv": "\n".join(rows).replace("no,yes,yes,no", "yes,yes,yes,no") + "\n"}
    folder = written(tmp_path / "c", toml, {**text, "controls.csv": listed})
    found = {row["unit"]: row for row in gold(folder, tmp_path / "g.csv", "--aggregate", "majority")}
    assert (found["c0"]["label"], found["c0"]["status"]) == ("yes", "control")
    assert (found["2"]["status"], found["2"]["annotators"]) == ("agreed", "3")


TWO, MATRIX = "unit,A,B\n1,x,y\n2,x,x\n", "A\\B,x,y\nx,3,1\ny,2,4\n"
SPACED = '{"id": 1, "text": "Anna met Ben", "label": [[0, 4, "A person"]]}\n'


@pytest.mark.parametrize(
    ("export", "options", "said"),
    [
        ({"e.csv": TWO}, ("g.csv", "--aggregate", "majority"), '--aggregate: layer "main": '),
        ({"e.csv": TWO}, ("g.csv", "--aggregate", "dawid-skene"), '--aggregate: layer "main": '),
        ({"m.csv": MATRIX}, ("g.csv",), "units without names or places"),
        ({"ann.jsonl": SPACED, "ben.jsonl": SPACED}, ("gold",), 'no types with spaces such as "A person"'),
    ],
)
def test_what_can_be_no_gold_is_told(
    tmp_path: Path, export: dict[str, str], options: tuple[str, ...], said: str
) -> None:
    folder = written(tmp_path / "c", "", {f"exports/1.0/{name}": text for name, text in export.items()})
    out, *more = options
    assert said in refused("gold", folder, "--out", tmp_path / out, *more)


# What is not shown


def test_texts_that_are_withheld_are_in_no_file(tmp_path: Path) -> None:
    toml = '[privacy]\ntexts = "withhold"\ndocuments = "pseudonyms"\n'
    folder = written(tmp_path / "c", toml, BRAT)
    rows = gold(folder, tmp_path / "g.csv")
    assert "text" not in rows[0]
    assert {row["document"] for row in rows} == {"D0001", "D0003"}
    gold(folder, tmp_path / "g.jsonl")
    both = (tmp_path / "g.csv").read_text(encoding="utf-8") + (tmp_path / "g.jsonl").read_text(
        encoding="utf-8"
    )
    assert not re.search("Anna|Rome|anna|ben", both)
    assert 'privacy.texts: is "withhold"' in refused("gold", folder, "--out", tmp_path / "gold")
    assert not (tmp_path / "gold").exists()


# What can't be written, and where


def test_documents_with_something_open_have_their_text_alone(tmp_path: Path) -> None:
    folder = written(tmp_path / "c", "", BRAT)
    answer = run("gold", folder, "--out", tmp_path / "gold")
    assert "2 of 3 documents are not finished" in answer.stderr
    assert sorted(files(tmp_path / "gold")) == ["d1.txt", "d2.ann", "d2.txt", "d3.txt"]
    gold(folder, tmp_path / "rest", "--decided-only")
    assert files(tmp_path / "rest")["d3.ann"] == b"T1\tLOC 0 4\tRome\n"


@pytest.mark.slow
def test_nothing_of_others_is_replaced(tmp_path: Path) -> None:
    folder = written(tmp_path / "c", "", CROWD)
    build_site([folder], tmp_path / "site")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/corpus.txt").write_text("mine", encoding="utf-8")
    (tmp_path / "mine.csv").write_text("mine", encoding="utf-8")
    before = files(tmp_path)
    for out, message in {
        "c/exports/1.0/gold.csv": "lies in the exports",
        "c/exports/1.0/gold": "lies in the exports",
        ".": "contains the campaign's folder",
        "mine.csv": "is no such file as reportgen wrote it",
        "gold.tsv": "ends in .tsv, which is not written",
        "mine": "contains corpus.txt, which reportgen did not write",
        "site/gold": "lies in a site",
        "site/c/gold.csv": "lies in a site",
        "site/c/1.0/gold": "lies in a report",
        "gold": "no layer has marks in texts",
    }.items():
        assert message in refused("gold", folder, "--out", tmp_path / out)
    assert files(tmp_path) == before


@pytest.mark.parametrize("name", ["../d1", "/d1", "a//b", ".d1", "a\\b", "a\nb", "d" * 201])
def test_no_document_is_written_outside_of_the_folder(tmp_path: Path, name: str) -> None:
    standard = gold_standard(load(written(tmp_path / "c", "", BRAT)), "1.0", GoldOptions())
    with pytest.raises(BadInput, match="can't be the name of a file"):
        gold_marks(replace(standard, names=Pseudonyms(documents={"d1": name})), BRAT_FORMAT)


def test_wrong_names_are_told_at_once(tmp_path: Path) -> None:
    folder = written(tmp_path / "c", "", CROWD)
    answer = refused("gold", folder, "2.0", "--out", tmp_path / "g.xml")
    assert "ends in .xml" in answer
    assert 'has no guidelines version "2.0"' in answer
    assert 'no layer "mian"' in refused("gold", folder, "--layer", "mian", "--out", tmp_path / "g.csv")


def test_a_sheet_that_does_not_fit_is_told_and_nothing_is_written(tmp_path: Path) -> None:
    folder = decided(tmp_path, RATINGS, ("no", ""))
    edit(folder / "adjudication/1.0.csv", ",no,\n", ",nope,\n")
    assert "adjudication/1.0.csv:2: column decision" in refused("gold", folder, "--out", tmp_path / "g.csv")
    assert not (tmp_path / "g.csv").exists()


# The key to pseudonyms


def test_the_key_says_who_is_who_to_its_owner_alone(tmp_path: Path) -> None:
    toml = '[privacy]\ndocuments = "pseudonyms"\n'
    folder = written(tmp_path / "c", toml, BRAT)
    out = folder / "annotators-key.csv"
    answer = run("key", folder, "--out", out)
    assert answer.exit_code == 0
    rows = [tuple(row.values()) for row in table(out)]
    assert rows[:3] == [
        ("annotator", "A01", "anna"),
        ("annotator", "A02", "ben"),
        ("document", "D0001", "d1"),
    ]
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert run("key", folder, "--out", out).exit_code == 0


@pytest.mark.slow
def test_the_key_is_in_no_site_and_no_bundle(tmp_path: Path) -> None:
    folder = written(tmp_path / "c", "", BRAT)
    assert run("key", folder, "--out", folder / "annotators-key.csv").exit_code == 0
    build_site([folder], tmp_path / "site")
    plain = bundled(load(folder), "1.0", BundleOptions(exports=True, texts=True)).files
    for there in (files(tmp_path / "site"), plain):
        assert not [name for name in there if "key" in name]
        assert not [name for name, content in there.items() if b"kind,pseudonym,name" in content]
    for place in ("site/key.csv", "site/c/key.csv", "site/c/1.0/key.csv", "c/exports/1.0/key.csv"):
        assert "lies in" in refused("key", folder, "--out", tmp_path / place)


def test_there_is_no_key_where_names_are_shown(tmp_path: Path) -> None:
    folder = written(tmp_path / "c", '[privacy]\nannotators = "names"\n', RATINGS)
    assert "there are no pseudonyms" in refused("key", folder, "--out", tmp_path / "k.csv")
    assert "does not end in .csv" in refused("key", folder, "--out", tmp_path / "k.txt")


def test_a_set_of_labels_comes_back_as_one(tmp_path: Path) -> None:
    export = {"exports/1.0/e.csv": "unit,Ann,Bob\n1,b;a,a;b\n2,a,b\n"}
    sets = '[task]\nscale = "set"\n'
    rows = gold(written(tmp_path / "c", sets, export, 'set_separator = ";"\n'), tmp_path / "g.csv")
    assert [(row["label"], row["status"]) for row in rows] == [("a;b", "agreed"), ("", "open")]


def test_relations_are_rows_and_no_marks_of_brat(tmp_path: Path) -> None:
    folder = some_of_the_texts(tmp_path / "c", 4)
    rows = gold(folder, tmp_path / "g.csv", "--layer", "renamings")
    assert rows
    assert all(";" in row["offsets"] for row in rows)
    answer = run("gold", folder, "--out", tmp_path / "gold")
    assert "renamings: its units are not plain marks in texts" in answer.stderr
    assert not [name for name, text in files(tmp_path / "gold").items() if b"Renames" in text]


def test_no_spreadsheet_computes_what_is_there_for_people_to_read(tmp_path: Path) -> None:
    copy = {"d.txt": "=1+1 is two", "d.ann": "T1\tSum 0 4\t=1+1\n"}
    export = {f"exports/1.0/{who}/{name}": text for who in "ab" for name, text in copy.items()}
    (row,) = gold(written(tmp_path / "c", "", export), tmp_path / "g.csv")
    assert row["text"] == "=1+1"
    assert "'=1+1" in (tmp_path / "g.csv").read_text(encoding="utf-8")
