"""`reportgen init`: what it says of a folder of exports, and the campaign.toml that it writes."""

import json
import re
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.base.errors import BadInput, Problem, alike_as_one
from reportgen.campaign import load
from reportgen.pipeline.export_folder import survey_folder
from reportgen.pipeline.reading import read_campaign
from reportgen.pipeline.scaffold import next_steps, plan_of, render, to_note, to_toml, write
from reportgen.readers import DocumentCopy, Export, ExportFile, ParsedMark, Reader, ReaderOptions, readers
from reportgen.results import Results
from tests.campaigns import compute_campaign
from tests.commands import LONG, MATRIX, WIDE, files, run, run_alone
from tests.readers.samples import samples

SUGGESTION = re.compile(r'# (\[|("[^"]*"|\w+) = )')
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
STRANGE = 'a"b\\c\t\x01\x7f\u2028\U0001f600é | ; {{ 7*7 }} #'


def folder(at: Path, exports: Mapping[str, str | bytes], name: str = "mine") -> Path:
    for file, content in exports.items():
        path = at / name / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return at / name


def written(at: Path) -> dict[str, Any]:
    return tomllib.loads((at / "campaign.toml").read_text(encoding="utf-8"))


def made(at: Path) -> dict[str, Any]:
    """Run init, hold that the campaign loads, and return what was written."""
    answer = run("init", at)
    # Where one table is there under several names, it is said that labels are there twice.
    told = [line for line in answer.stderr.splitlines() if "repeat an earlier one" not in line]
    assert (answer.exit_code, told) == (0, []), answer.output
    load(at)
    return written(at)


def said(at: Path) -> dict[str, Any]:
    answer = run("init", at, "--json")
    assert answer.exit_code == 0, answer.output
    found: dict[str, Any] = json.loads(answer.stdout)
    return found


def results(at: Path) -> dict[str, Any]:
    site = at.parent / "site"
    answer = run("build", at, "--out", site)
    assert answer.exit_code == 0, answer.output
    found: dict[str, Any] = json.loads((site / at.name / "1.0" / "results.json").read_bytes())
    marks = found["marks"]
    assert marks["read"] == marks["used"] + marks["left_out"] + (marks.get("not_compared") or 0)
    return found


def computed(at: Path) -> dict[str, Results]:
    """The results of every version; the pages of large campaigns take long and are looked at elsewhere."""
    campaign = load(at)
    reports = compute_campaign(campaign, read_campaign(campaign))
    found = {each.results.guidelines: each.results for each in reports}
    for marks in (each.marks for each in found.values()):
        assert marks.read == marks.used + marks.left_out + (marks.not_compared or 0)
    return found


def refused(at: Path) -> list[str]:
    """Hold that init ends with status 2 and writes nothing; return what it says is wrong."""
    before = files(at) if at.is_dir() else {}
    answer = run("init", at)
    assert answer.exit_code == 2, answer.output
    assert isinstance(answer.exception, SystemExit)
    assert answer.stdout == ""
    assert (files(at) if at.is_dir() else {}) == before
    *problems, last = answer.stderr.splitlines()
    assert last == f"{len(problems)} problem{'s' if len(problems) > 1 else ''}; nothing was written."
    return problems


# A reader of texts with marks, whatever tools there are


TEXT = "one two three four five six"


def marks_of(stretches: Sequence[Sequence[Any]]) -> tuple[ParsedMark, ...]:
    return tuple(
        ParsedMark(name, ((start, end),) if end else (), features[0] if features else {})
        for name, start, end, *features in stretches
    )


def reader_of_texts(*, by_feature: bool) -> Reader:
    def read(found: Sequence[ExportFile], _: ReaderOptions) -> Export:
        copies = [
            DocumentCopy(
                each["document"], each["who"], file.name, each.get("text", TEXT), marks_of(each["marks"])
            )
            for file in found
            if file.suffix == ".marks"
            for each in json.loads(file.text)
        ]
        return Export(copies, "Marks.", tuple(file.source for file in found), by_feature=by_feature)

    return Reader(
        "marks", "Marks", "a tool", (".marks",), "", "", lambda file: file.suffix == ".marks", read,
        lambda file: file.suffix == ".words",
    )  # fmt: skip


UseReader = Callable[..., None]


@pytest.fixture
def use_reader(monkeypatch: pytest.MonkeyPatch) -> Iterator[UseReader]:
    module = sys.modules["reportgen.readers"]

    def use(*, by_feature: bool) -> None:
        monkeypatch.setattr(module, "OWN", (*readers(), reader_of_texts(by_feature=by_feature)))
        readers.cache_clear()

    readers.cache_clear()
    yield use
    monkeypatch.undo()
    readers.cache_clear()


def copies(*marked: tuple[str, str, Sequence[Sequence[Any]]]) -> str:
    return json.dumps([{"document": name, "who": who, "marks": marks} for name, who, marks in marked])


# What becomes a version


def test_a_folder_of_tables_becomes_a_campaign_that_builds(tmp_path: Path) -> None:
    at = folder(tmp_path, {"ratings.csv": WIDE, "README": "read me", "LICENSE": "free"})
    toml = made(at)
    assert toml["title"] == "Mine"
    assert toml["guidelines"] == [{"version": "1.0", "exports": "ratings.csv", "columns": {"unit": "item"}}]
    found = results(at)
    assert (found["marks"]["read"], found["unit_sets"][0]["units"]) == (11, 4)
    assert len(found["unit_sets"][0]["annotators"]) == 3


def test_each_folder_of_exports_is_a_version(tmp_path: Path) -> None:
    at = folder(tmp_path, {f"exports/{name}/r.csv": WIDE for name in ("2.0", "10.0", "Pilot")})
    guidelines = made(at)["guidelines"]
    assert [each["version"] for each in guidelines] == ["Pilot", "2.0", "10.0"]
    assert [each["exports"] for each in guidelines] == ["exports/Pilot", "exports/2.0", "exports/10.0"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("names", "exports"),
    [
        (["2.0/r.csv", "1.0/r.csv"], ["1.0", "2.0"]),
        (["main/r.csv", "pilot/r.csv"], ["pilot", "main"]),
        (["data/1.0/r.csv", "data/2.0/r.csv"], ["data/1.0", "data/2.0"]),
        (["data/1.0/r.csv", "data/2.0/r.csv", "data/late.csv"], ["data"]),
        (["1/r.csv", "2/r.csv"], [["1", "2"]]),
        (["pilot/r.csv", "Ann/r.csv"], [["Ann", "pilot"]]),
        (["main.csv"], ["main.csv"]),
    ],
)
def test_folders_that_are_called_like_versions_are_versions(
    tmp_path: Path, names: list[str], exports: list[str | list[str]]
) -> None:
    """Numbers alone may be annotators; a file beside the folders belongs to none of them."""
    at = folder(tmp_path, dict.fromkeys(names, WIDE))
    assert [each["exports"] for each in written_of(at)["guidelines"]] == exports


def written_of(at: Path) -> dict[str, Any]:
    """Return what init writes, whatever it tells of labels that are there twice."""
    assert run("init", at).exit_code == 0
    load(at)
    return written(at)


def test_what_was_decided_is_said_with_what_changes_it(tmp_path: Path) -> None:
    rows = "item,A,B,gold\n" + "".join(f"u{place},x|y,x|y,x\n" for place in range(9))
    read, one, gold, sets, units = said(folder(tmp_path, {"r.csv": rows}))["decided"]
    assert read == "Read: units in item, a column for each annotator: A, B, gold."
    assert one.startswith("All exports belong to one version, 1.0. ")
    assert gold == 'gold is not an annotator but a reference: [annotators."gold"].'
    assert sets.startswith("Scale set: labels are sets")
    assert "[[unit_sets]]" in units
    several = said(folder(tmp_path, {"1.0/r.csv": WIDE, "pilot/r.csv": WIDE}, "more"))["decided"]
    assert several[0].startswith("The versions, the oldest first, are pilot, 1.0: [[guidelines]]")


def test_a_campaign_that_is_called_exports_is_told_of(tmp_path: Path) -> None:
    at = folder(tmp_path, {"1.0/r.csv": WIDE, "2.0/r.csv": WIDE}, "mine/exports")
    called, several, *_ = said(at)["decided"]
    assert called.startswith('The campaign is called "exports"')
    assert 'for "mine", name the folder above' in called
    assert several.startswith("The versions, the oldest first, are 1.0, 2.0")


def test_a_column_of_right_labels_is_told_of(tmp_path: Path) -> None:
    rows = "item,annotator,label,gold\n"
    rows += "".join(f"u{place},{name},{'xy'[place % 2]},x\n" for place in range(9) for name in "AB")
    steps = said(folder(tmp_path, {"r.csv": rows}))["next"]
    assert [each for each in steps if 'column "gold"' in each and "[controls]" in each]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("names", "versions"),
    [
        (["iaa-v1.csv", "iaa-v2_double.csv"], ["v1", "v2_double"]),
        (["round10/a.csv", "round2/a.csv", "pilot2/a.csv"], ["pilot2", "round2", "round10"]),
        (["x-v1.0.csv", "x-v1.1.csv"], ["v1.0", "v1.1"]),
        (["v1_ann.csv", "v1_bob.csv", "v2_ann.csv", "v2_bob.csv"], ["v1", "v2"]),
        (["ann_v2.csv", "bob_v2.csv"], ["v2"]),
        (["annotator-1.csv", "annotator-2.csv"], ["1.0"]),
        (["iaa-v1.csv", "others.csv"], ["1.0"]),
    ],
)
def test_a_version_in_every_name_makes_a_version_of_each(
    tmp_path: Path, names: list[str], versions: list[str]
) -> None:
    at = folder(tmp_path, dict.fromkeys(names, WIDE))
    assert [each["version"] for each in made(at)["guidelines"]] == versions


@pytest.mark.slow
def test_many_files_at_the_top_are_written_as_a_glob(tmp_path: Path) -> None:
    at = folder(tmp_path, {f"r{number}.csv": WIDE for number in range(20)})
    assert made(at)["guidelines"][0]["exports"] == "*.csv"


def test_hidden_files_are_no_exports(tmp_path: Path) -> None:
    at = folder(tmp_path, {"r.csv": WIDE, ".old.csv": "x", ".git/r.csv": "x", "sub/.r.csv": "x"})
    assert made(at)["guidelines"][0]["exports"] == "r.csv"


def test_what_no_reader_knows_is_named_and_not_listed(tmp_path: Path) -> None:
    at = folder(tmp_path, {"r.csv": WIDE, "paper.pdf": b"%PDF\xff", "talks/a.pdf": b"%PDF\xff"})
    found = said(at)
    assert found["aside"] == ["paper.pdf", "talks"]
    assert found["versions"][0]["exports"] == ["r.csv"]


@pytest.mark.slow
def test_of_several_formats_that_of_most_files_is_taken(tmp_path: Path) -> None:
    at = folder(tmp_path, {"a.csv": WIDE, "b.csv": WIDE, "c.csv": MATRIX})
    found = said(at)
    assert found["versions"][0]["other_formats"] == {"confusion-matrix": ["c.csv"]}
    assert written(at)["guidelines"][0]["format"] == "ratings"
    text = (at / "campaign.toml").read_text(encoding="utf-8")
    assert "which are left out: confusion-matrix." in text
    assert results(at)["marks"]["read"] == 22


def test_guidelines_of_a_version_are_named(tmp_path: Path) -> None:
    at = folder(tmp_path, {"exports/1.0/r.csv": WIDE, "guidelines/1.0.md": "Mark all."})
    assert made(at)["guidelines"][0]["document"] == "guidelines/1.0.md"


# Tables


def test_columns_that_are_understood_are_written(tmp_path: Path) -> None:
    table = LONG.replace("doc,item,worker,vote", "Document,item,worker,vote")
    columns = {"unit": "item", "document": "Document", "annotator": "worker", "label": "vote"}
    at = folder(tmp_path, {"r.csv": table})
    assert made(at)["guidelines"][0]["columns"] == columns
    assert results(at)["unit_sets"][0]["documents"] == 3


UNUSUAL = "key,who,quality,remark\n" + "".join(
    f"k{unit},{who},{'good' if (unit + place) % 3 else 'bad'},r{unit}{who}\n"
    for unit in range(6)
    for place, who in enumerate(("x", "y"))
)


# Either column may be that of units.
UNCLEAR = "pid,sid,resp\n" + "".join(
    f"{who},{unit},{'good' if (unit * who) % 5 % 2 else 'bad'}\n"
    for unit in range(10, 16)
    for who in range(4)
)


def test_columns_that_are_not_understood_are_to_be_chosen(tmp_path: Path) -> None:
    at = folder(tmp_path, {"r.csv": UNCLEAR})
    found = said(at)
    version = found["versions"][0]
    assert version["choose_columns"]
    assert version["columns"] == {"unit": "pid", "annotator": "sid", "label": "resp"}
    assert version["labels"] == {"bad": 18, "good": 6}
    lines = (at / "campaign.toml").read_text(encoding="utf-8").split("\n")
    (number,) = [number for number, line in enumerate(lines, 1) if line.startswith("# columns = ")]
    assert f"{at.as_posix()}/campaign.toml:{number}: choose the columns" in found["next"][0]
    assert "columns" not in written(at)["guidelines"][0]
    load(at)


def test_a_workbook_is_a_table_too(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    at = folder(tmp_path, {"notes.pdf": b"%PDF\xff"})
    workbook = openpyxl.Workbook()
    for row in UNUSUAL.splitlines():
        workbook.active.append(row.split(","))
    workbook.save(at / "r.xlsx")
    made(at)
    choose(at)
    assert results(at)["marks"]["used"] == 12


@pytest.mark.slow
def test_a_guess_that_is_confirmed_builds(tmp_path: Path) -> None:
    at = folder(tmp_path, {"r.csv": UNCLEAR})
    made(at)
    assert run("build", at, "--out", tmp_path / "site").exit_code == 2
    choose(at)
    assert results(at)["marks"]["used"] == 24


def choose(at: Path) -> None:
    """Take the "#" away from the columns, as the comment says."""
    path = at / "campaign.toml"
    path.write_text(
        path.read_text(encoding="utf-8").replace("\n# columns = ", "\ncolumns = "), encoding="utf-8"
    )


def test_labels_of_several_members_are_sets(tmp_path: Path) -> None:
    rows = [("1", "a", "x|y"), ("1", "b", "x"), ("2", "a", "y|x"), ("2", "b", "y"), ("3", "a", "x|z")]
    at = folder(tmp_path, {"r.csv": "unit,annotator,label\n" + "".join(",".join(row) + "\n" for row in rows)})
    toml = made(at)
    assert toml["task"]["scale"] == "set"
    assert toml["guidelines"][0]["set_separator"] == "|"
    assert results(at)["unit_sets"][0]["categories"] == ["x", "x|y", "x|z", "y"]


def test_labels_that_are_sentences_are_no_sets(tmp_path: Path) -> None:
    rows = "".join(
        f'{unit},{who},"{unit}{who}; and so on {who}{unit}"\n' for unit in range(9) for who in "ab"
    )
    at = folder(tmp_path, {"r.csv": f"unit,annotator,label\n{rows}"})
    assert "scale" not in made(at)["task"]


def test_labels_that_are_numbers_suggest_a_scale(tmp_path: Path) -> None:
    rows = "".join(
        f"{unit},{who},{(unit + place) % 11}\n" for unit in range(30) for place, who in enumerate("ab")
    )
    at = folder(tmp_path, {"r.csv": f"unit,annotator,label\n{rows}"})
    assert made(at)["task"]["scale"] == "ordinal"
    text = (at / "campaign.toml").read_text(encoding="utf-8")
    assert "# Scale ordinal: labels are whole numbers from 0 to 10" in text
    assert '# categories = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]' in text


def test_a_matrix_keeps_its_order(tmp_path: Path) -> None:
    at = folder(tmp_path, {"m.csv": MATRIX})
    made(at)
    text = (at / "campaign.toml").read_text(encoding="utf-8")
    assert '# categories = ["Former", "New", "Rien"]' in text
    assert '# non_annotated = "Rien"' in text
    assert results(at)["unit_sets"][0]["units"] == 19054


def test_who_is_called_gold_is_a_reference(tmp_path: Path) -> None:
    at = folder(tmp_path, {"r.csv": WIDE.replace("C-17", "Gold")})
    assert made(at)["annotators"] == {"Gold": {"role": "reference"}}
    assert len(results(at)["unit_sets"][0]["annotators"]) == 2


def test_a_reference_is_only_suggested_where_one_annotator_would_be_left(tmp_path: Path) -> None:
    at = folder(tmp_path, {"r.csv": "item,gold,bob\n1,yes,no\n2,yes,yes\n"})
    assert "annotators" not in made(at)
    assert '# [annotators."gold"]' in (at / "campaign.toml").read_text(encoding="utf-8")


# Marks in texts


def test_marks_in_texts_count_tokens(tmp_path: Path, use_reader: UseReader) -> None:
    use_reader(by_feature=False)
    content = copies(
        ("d", "a", [("Person", 0, 3)]), ("d", "b", [("Place", 4, 7)]), ("e", "a", []), ("e", "b", [])
    )
    at = folder(tmp_path, {"x.marks": content})
    toml = made(at)
    assert toml["task"] == {"non_annotated": "(unmarked)"}
    assert [(each["id"], each["units"], each.get("primary")) for each in toml["unit_sets"]] == [
        ("tokens", "tokens", True),
        ("marked", "annotated-by-any", None),
    ]
    assert "layers" not in toml
    (at / "campaign.toml").unlink()
    found = said(at)["versions"][0]
    assert (found["documents"], found["unmarked"], found["marks"]) == (2, 1, 2)
    assert results(at)["unit_sets"][0]["units"] == 12


def test_a_label_that_is_called_unmarked_gets_out_of_the_way(tmp_path: Path, use_reader: UseReader) -> None:
    use_reader(by_feature=False)
    at = folder(tmp_path, {"x.marks": copies(("d", "a", [("(unmarked)", 0, 3)]), ("d", "b", []))})
    assert made(at)["task"]["non_annotated"] == "(unmarked 2)"
    results(at)


@pytest.mark.slow
def test_types_that_overlap_are_layers(tmp_path: Path, use_reader: UseReader) -> None:
    use_reader(by_feature=False)
    marks = [("Sentiment", 0, 13), ("target", 4, 7), ("Target", 8, 13)]
    at = folder(tmp_path, {"x.marks": copies(("d", "a", marks), ("d", "b", marks))})
    layers = made(at)["layers"]
    assert [(each["id"], each["source"]) for each in layers] == [
        ("Sentiment", "Sentiment"),
        ("target", "target"),
        ("Target-2", "Target"),
    ]
    found = results(at)
    assert found["marks"] == {"read": 6, "used": 6, "left_out": 0, "missing": 0}


def test_types_that_stand_apart_are_categories_of_one_layer(tmp_path: Path, use_reader: UseReader) -> None:
    use_reader(by_feature=False)
    marks = [("A", 0, 3), ("B", 4, 7), ("A", 4, 7)]
    apart = [("A", 0, 3), ("B", 4, 7), ("A", 8, 13)]
    names = [f"d{number}" for number in range(40)]
    all_copies = [(name, "a", apart) for name in names] + [("d0", "b", marks)]
    at = folder(tmp_path, {"x.marks": copies(*all_copies)})
    assert "layers" not in made(at)


def test_features_are_layers_and_free_text_is_only_suggested(tmp_path: Path, use_reader: UseReader) -> None:
    use_reader(by_feature=True)

    def marks(who: str) -> list[tuple[str, int, int, dict[str, str]]]:
        return [
            ("pkg.Entity", 0, 3, {"value": "PER" if number % 2 else "ORG", "link": f"{who}{number}"})
            for number in range(60)
        ]

    at = folder(tmp_path, {"x.marks": copies(("d", "a", marks("a")), ("d", "b", marks("b")))})
    assert made(at)["layers"] == [{"id": "Entity-value", "source": "pkg.Entity->value"}]
    assert '# source = "pkg.Entity->link"' in (at / "campaign.toml").read_text(encoding="utf-8")
    results(at)


@pytest.mark.slow
def test_a_single_feature_needs_no_layer(tmp_path: Path, use_reader: UseReader) -> None:
    use_reader(by_feature=True)
    marks = [("Entity", 0, 3, {"value": "PER"}), ("Entity", 4, 7, {"value": "ORG"})]
    at = folder(tmp_path, {"x.marks": copies(("d", "a", marks), ("d", "b", marks))})
    assert "layers" not in made(at)
    text = (at / "campaign.toml").read_text(encoding="utf-8")
    assert '# categories = ["ORG", "PER"]' in text
    results(at)


def test_marks_and_labels_of_documents_are_layers_apart(tmp_path: Path, use_reader: UseReader) -> None:
    use_reader(by_feature=True)
    marks = [("Entity", 0, 3, {"value": "PER"}), ("Genre", 0, 0, {"value": "news"})]
    at = folder(tmp_path, {"x.marks": copies(("d", "a", marks), ("d", "b", marks))})
    toml = made(at)
    assert [each["source"] for each in toml["layers"]] == ["Entity->value", "Genre->value"]
    assert [(each["units"], each["layers"]) for each in toml["unit_sets"]] == [
        ("tokens", ["Entity"]),
        ("items", ["Genre"]),
    ]
    (found,) = computed(at).values()
    assert [(each.layer, each.id, each.primary) for each in found.unit_sets] == [
        ("Entity", "tokens", True),
        ("Genre", "items", True),
    ]
    for_all = (at / "campaign.toml").read_text(encoding="utf-8").replace('layers = ["Genre"]', "")
    (at / "campaign.toml").write_text(for_all.replace("primary = true", ""), encoding="utf-8")
    refusal = run("build", at, "--out", tmp_path / "site")
    assert refusal.exit_code == 2
    assert 'Or name the layers that it is for: layers = ["…"].' in refusal.stderr
    (at / "campaign.toml").unlink()
    made(at)
    assert results(at)["marks"] == {"read": 4, "used": 4, "left_out": 0, "missing": 0}


def test_what_belongs_to_the_exports_is_listed_with_them(tmp_path: Path, use_reader: UseReader) -> None:
    use_reader(by_feature=False)
    both = copies(("d", "a", [("P", 0, 3)]), ("d", "b", [("P", 0, 3)]))
    at = folder(tmp_path, {"marks/x.marks": both, "texts/x.words": TEXT})
    assert made(at)["guidelines"][0]["exports"] == ["marks", "texts"]


def test_texts_that_differ_are_told_and_the_file_is_written(tmp_path: Path, use_reader: UseReader) -> None:
    use_reader(by_feature=False)
    marked = [{"document": "d", "who": who, "text": f"text {who}", "marks": []} for who in "ab"]
    found = said(folder(tmp_path, {"x.marks": json.dumps(marked)}))
    assert "has another text of document" in found["next"][0]


def test_a_problem_of_no_file_names_its_version(tmp_path: Path) -> None:
    survey = survey_folder(folder(tmp_path, {"r.csv": LONG}))
    (version,) = survey.versions
    broken = replace(version.export_survey, problems=(Problem("", key="source", message="is unclear."),))
    steps = next_steps(replace(survey, versions=(replace(version, export_survey=broken),)), "")
    assert 'version "1.0": source: is unclear.' in steps


# The text


def test_every_suggestion_is_good_as_it_stands(tmp_path: Path) -> None:
    at = folder(
        tmp_path,
        {
            "r.csv": LONG.replace("vote", "label"),
            "guidelines/1.0.md": "x",
            "prompts/1.0.md": "x",
            "controls.csv": "unit,label\n1,yes\n",
        },
    )
    (at / "distances").mkdir()
    (at / "distances" / "expert.csv").write_text(",yes,no\nyes,0,1\nno,1,0\n", encoding="utf-8")
    (at / "controls.csv").rename(tmp_path / "controls.csv")
    made(at)
    (tmp_path / "controls.csv").rename(at / "controls.csv")
    path = at / "campaign.toml"
    lines = path.read_text(encoding="utf-8").split("\n")
    path.write_text(
        "\n".join(line[2:] if SUGGESTION.match(line) else line for line in lines), encoding="utf-8"
    )
    campaign = load(at)
    tables = {"corpus", "authors", "protocol", "references", "privacy", "task", "layers", "annotators"}
    tables |= {"controls", "unit_sets", "distances", "unitizing", "guidelines", "gate", "replacement"}
    assert tables <= campaign.model_fields_set


@pytest.mark.parametrize("tool", ["label-studio", "doccano", "argilla", "inception", "potato"])
def test_where_a_tool_s_own_exports_come_from_is_suggested(tool: str, tmp_path: Path) -> None:
    at = folder(tmp_path, samples()[tool])
    run("init", at)
    text = (at / "campaign.toml").read_text(encoding="utf-8")
    start = text.index("# [source]")
    suggested = text[start : text.index("\n\n", start)].replace("# ", "")
    (at / "campaign.toml").write_text(f"{text}\n{suggested}\n", encoding="utf-8")
    source = load(at).source
    assert source is not None
    assert source.tool == tool


def test_every_table_is_explained_on_the_line_above(tmp_path: Path) -> None:
    at = folder(tmp_path, {"r.csv": WIDE})
    made(at)
    lines = (at / "campaign.toml").read_text(encoding="utf-8").split("\n")
    heads = [place for place, line in enumerate(lines) if re.match(r"(# )?\[", line)]
    assert len(heads) == 16
    for place in heads:
        assert re.match(r"# [A-Z\"a].*[.:]$", lines[place - 1]), lines[place]


NAMES = st.text(min_size=1, max_size=20)


@given(st.one_of(NAMES, st.lists(NAMES, max_size=4)))
def test_any_value_reads_back_the_same(value: str | list[str]) -> None:
    assert tomllib.loads(f"a = {to_toml(value)}") == {"a": value}


@given(st.text(max_size=200))
def test_a_note_stays_on_its_line(text: str) -> None:
    assert tomllib.loads(f"# {to_note(text)}") == {}


CELLS = st.text(min_size=1, max_size=12).filter(lambda text: text.strip() and "\0" not in text)
HEADS = st.sampled_from(("unit", "annotator", "label", "key", "who")) | CELLS
STEMS = CELLS.filter(lambda text: "/" not in text and not text.startswith("."))


def as_csv(rows: Sequence[Sequence[str]]) -> str:
    return "".join(",".join('"' + cell.replace('"', '""') + '"' for cell in row) + "\n" for row in rows)


@given(
    people=st.lists(CELLS, min_size=2, max_size=4, unique_by=str.strip),
    labels=st.lists(CELLS, min_size=2, max_size=4),
    heads=st.lists(HEADS, min_size=3, max_size=3, unique_by=str.strip),
    stem=STEMS,
)
def test_any_names_give_a_campaign_that_says_the_same(
    people: list[str], labels: list[str], heads: list[str], stem: str
) -> None:
    rows = [[f"u{place}", who, label] for place, label in enumerate(labels) for who in people]
    with tempfile.TemporaryDirectory() as at:
        path = folder(Path(at), {f"{stem[:40]}.csv": as_csv([heads, *rows])})
        try:
            survey = survey_folder(path)
        except BadInput:  # columns of which no sense can be made, a file name that leads elsewhere
            return
        plan = plan_of(survey)
        text = render(plan)
        write(path, "campaign.toml", text)
        load(path)
    assert not CONTROL.search(text)
    toml = tomllib.loads("\n".join(line[2:] if SUGGESTION.match(line) else line for line in text.split("\n")))
    (guidelines,), (version,) = toml["guidelines"], plan["versions"]
    assert guidelines["exports"] == f"{stem[:40]}.csv"
    assert guidelines.get("columns", {}) == version["roles"]
    assert tuple(toml["task"]["categories"]) == (plan["categories"] or ("first", "second"))
    others = {*plan["roles"], *plan["doubtful"]} or {plan["example"]}
    assert set(toml["annotators"]) == others | {plan["model"]}
    assert {*plan["categories"]} <= {*survey.versions[0].export_survey.as_one_layer.labels}
    assert {*toml["annotators"]} <= {*survey.versions[0].export_survey.annotators, "NAME", "MODEL"}


def test_hostile_names_stay_names(tmp_path: Path) -> None:
    label = STRANGE.replace('"', '""')
    table = f'unit,annotator,label\n1,gold\x1b[31m,"{label}"\n1,b,x\n2,b,\x9b31m\n'
    at = folder(tmp_path, {'r "\u2028{{ 7*7 }}\x7f #.csv': table})
    answer = run("init", at)
    assert answer.exit_code == 0, answer.output
    assert not CONTROL.search(answer.stdout)
    assert not CONTROL.search((at / "campaign.toml").read_text(encoding="utf-8"))
    load(at)


def test_what_annotators_are_is_suggested_as_groups_and_the_suggestion_works(tmp_path: Path) -> None:
    rows = [
        f"{u},{who},{label},{age}" for u, label in ((1, "x"), (2, "y")) for who, age in (("a", 30), ("b", 60))
    ]
    at = folder(tmp_path, {"r.csv": "\n".join(["item,worker,label,age", *rows, ""])})
    columns = {"unit": "item", "annotator": "worker", "label": "label"}
    answer = run("init", at)
    assert 'What annotators are, and no labels: "age".' in answer.stdout
    assert written(at)["guidelines"][0]["columns"] == columns
    path = at / "campaign.toml"
    path.write_text(
        path.read_text(encoding="utf-8").replace("# columns.group", "columns.group"), encoding="utf-8"
    )
    assert written(at)["guidelines"][0]["columns"] == {**columns, "group": ["age"]}
    ((read,),) = (version.annotations for version in read_campaign(load(at)))
    assert read.groups == {"a": {"age": "30"}, "b": {"age": "60"}}


# What is printed


@pytest.mark.slow
def test_what_was_found_is_said_in_eighty_columns(tmp_path: Path) -> None:
    names = ",".join(f"annotator-{number}" for number in range(40))
    rows = "".join(
        f"{unit}," + ",".join(f"label {(unit + each) % 25}" for each in range(40)) + "\n" for unit in range(9)
    )
    folder(tmp_path, {"ratings.csv": f"item,{names}\n{rows}", "scan.pdf": b"%PDF\xff"})
    answer = run_alone("init", "mine", cwd=tmp_path)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "\x1b" not in answer.stdout
    lines = answer.stdout.splitlines()
    assert [line for line in lines if len(line) > 80 or line != line.rstrip()] == []
    assert "1.0: Ratings table, CSV or TSV" in lines
    assert any(line.startswith("  annotators  40: annotator-0, annotator-1,") for line in lines)
    assert "and 30 more" in answer.stdout
    assert "and 10 more" in answer.stdout
    assert "Not read: scan.pdf." in lines
    assert lines[-1] == "  reportgen build mine"


def test_json_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder(tmp_path, {"ratings.csv": WIDE})
    monkeypatch.chdir(tmp_path)
    found = said(Path("mine"))
    assert (found["campaign"], found["file"]) == ("mine", "mine/campaign.toml")
    (version,) = found["versions"]
    assert version["annotators"] == ["Zoé Müller", "bob.smith", "C-17"]
    assert version["labels"] == {"yes": 6, "no": 5}
    assert (version["units"], version["marks"], version["format"]) == (4, 11, "ratings")
    assert found["command"] == "reportgen build mine"


def test_the_command_that_is_printed_works_from_within(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = folder(tmp_path, {"ratings.csv": WIDE})
    monkeypatch.chdir(at)
    words = said(Path())["command"].split()
    assert words == ["reportgen", "build", ".", "--out", "../site"]
    assert run(*words[1:]).exit_code == 0


# What is refused


def test_no_folder_and_no_folder_but_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert refused(tmp_path / "nowhere")[0].endswith("nowhere: there is no such folder. Check the name.")
    assert "file: is a file; a folder of exports was expected." in refused(tmp_path / "file")[0]


def test_a_campaign_toml_is_never_overwritten(tmp_path: Path) -> None:
    at = folder(tmp_path, {"ratings.csv": WIDE, "campaign.toml": "title = 1\n"})
    (problem,) = refused(at)
    assert "campaign.toml: is there already and is never overwritten. Build it with" in problem


@pytest.mark.parametrize(
    "content", [{}, {"a.pdf": b"%PDF\xff", ".r.csv": WIDE}, {"README.md": "|a|b|\n|1|2|\n"}]
)
def test_a_folder_without_exports(tmp_path: Path, content: dict[str, str | bytes]) -> None:
    (tmp_path / "mine").mkdir()
    (problem,) = refused(folder(tmp_path, content))
    assert "has no export in a known format." in problem
    assert problem.endswith("The command `reportgen formats` lists what can be read.")
    assert all(f"Looked at: {name}." in problem for name in content if not name.startswith("."))


@pytest.mark.parametrize("name", ["my campaign", "compare", "-x", "é"])
def test_a_name_that_no_campaign_can_have_is_refused_as_build_does(tmp_path: Path, name: str) -> None:
    at = folder(tmp_path, {"exports/1.0/r.csv": WIDE}, name)
    answer = run("init", "--", at)
    assert answer.exit_code == 2
    (at / "campaign.toml").write_text('title = "x"\n[[guidelines]]\nversion = "1.0"\n', encoding="utf-8")
    built = run("build", "--out", tmp_path / "site", "--", at)
    assert answer.stderr == built.stderr


def test_faulty_files_are_told_with_their_lines(tmp_path: Path) -> None:
    at = folder(tmp_path, {"exports/1/r.csv": WIDE + "5,a\n", "exports/2/r.csv": b"a,b\n\xef\xf0\xe8,1\n"})
    problems = refused(at)
    assert problems[0].startswith(f"{at.as_posix()}/exports/1/r.csv:6: has 2 cells where the header has 4.")
    assert f"{at.as_posix()}/exports/2/r.csv:2: byte 0xef is not UTF-8." in problems[1]


def test_everything_is_said_at_once(tmp_path: Path) -> None:
    at = folder(tmp_path, {"r.csv": WIDE + "5,a\n", "campaign.toml": ""}, "my folder")
    (tmp_path / "outside.csv").write_text(WIDE, encoding="utf-8")
    assert [problem.count("the folder's name") for problem in refused(at)] == [1, 0, 0]
    (at / "link.csv").symlink_to(tmp_path / "outside.csv")
    assert any('"link.csv" lies outside the campaign\'s folder.' in problem for problem in refused(at))


def test_a_single_column_of_labels_is_refused(tmp_path: Path) -> None:
    (problem,) = refused(folder(tmp_path, {"r.csv": "item,ann\n1,x\n2,y\n"}))
    assert "two annotators are needed" in problem


def test_nothing_is_left_where_writing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at = folder(tmp_path, {"r.csv": WIDE})

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "rename", full)
    (problem,) = refused(at)
    assert "campaign.toml: can't be written: no space left on device." in problem


def test_a_file_that_appears_meanwhile_stays(tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").write_text("mine", encoding="utf-8")
    with pytest.raises(BadInput):
        write(tmp_path, "campaign.toml", "yours")
    assert files(tmp_path) == {"campaign.toml": b"mine"}


# Real campaigns


def taken(shared: Path, name: str, at: Path) -> Path:
    copy = shutil.copytree(shared / "data" / name, at / name, copy_function=shutil.copyfile)
    for path in (copy, *copy.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return copy


@pytest.mark.slow
def test_broad_twitter_crowd(shared: Path, tmp_path: Path) -> None:
    at = taken(shared, "broad-twitter-crowd", tmp_path)
    toml = made(at)
    assert toml["task"]["scale"] == "set"
    found = computed(at)["1.0"]
    assert (found.marks.read, found.marks.used) == (2875, 2875)
    assert (found.unit_sets[0].units, len(found.unit_sets[0].annotators)) == (575, 39)


@pytest.mark.slow
def test_ukp_convarg1(shared: Path, tmp_path: Path) -> None:
    at = taken(shared, "ukp-convarg1", tmp_path)
    made(at)
    found = results(at)
    assert found["marks"] == {"read": 84445, "used": 84445, "left_out": 0, "missing": 0}
    assert (found["unit_sets"][0]["units"], len(found["unit_sets"][0]["annotators"])) == (16927, 3815)


@pytest.mark.slow
def test_chec_20y(shared: Path, tmp_path: Path) -> None:
    at = taken(shared, "chec-20y", tmp_path)
    versions = {"v1": (5, 86), "v2_double-annotations": (4, 118), "v2_single-annotations": (9, 269)}
    versions["v2_single-annotations_expert"] = (5, 147)
    assert [each["version"] for each in made(at)["guidelines"]] == list(versions)
    choose(at)
    found = computed(at)
    assert list(found) == list(versions)
    for version, (annotators, marks) in versions.items():
        assert found[version].marks.read - (found[version].marks.not_compared or 0) == marks
        assert len(found[version].unit_sets[0].annotators) == annotators


@pytest.mark.slow
def test_potts_mmax2(shared: Path, tmp_path: Path) -> None:
    at = taken(shared, "potts-mmax2", tmp_path)
    toml = made(at)
    assert toml["guidelines"][0]["exports"] == ["annotator-1", "annotator-2", "basedata", "scheme"]
    layers = [each["source"] for each in toml["layers"]]
    assert sorted(layers) == [
        *("diminisher", "emo-expression", "intensifier", "negation", "sentiment", "source", "target"),
    ]
    found = computed(at)["1.0"]
    assert found.marks.read > 27_000
    assert {each.layer for each in found.unit_sets} == set(layers)
    assert all(len(each.annotators) == 2 for each in found.unit_sets)


def test_who_is_called_like_a_model_is_asked_for(tmp_path: Path) -> None:
    """A name is no role: whoever writes the campaign says who is a model, and what it was asked."""
    rows = "item,anna,Claude,gpt-4.1\n" + "".join(f"{n},{'ab'[n % 2]},b,a\n" for n in range(9))
    at = folder(tmp_path, {"r.csv": rows})
    made(at)
    text = (at / "campaign.toml").read_text(encoding="utf-8")
    assert "# By their names these may be language models:\n#   gpt-4.1\n" in text
    assert '# [annotators."gpt-4.1"]\n# role = "model"\n' in text
    assert '# replacement = { model = "gpt-4.1", winning_rate = 0.5 }' in text
    assert load(at).annotators == {}


STAND_OFF = '<a><span start="{}" end="{}"/></a>'


def test_problems_that_are_alike_are_one_line_with_their_number_and_the_first_three(tmp_path: Path) -> None:
    exports = {f"d{number}.xml": STAND_OFF.format(number, number + 1) for number in range(10, 50)}
    answer = run("init", folder(tmp_path, exports))
    first, last = answer.stderr.splitlines()
    assert answer.exit_code == 2
    assert first.startswith(f"{tmp_path}/mine/d10.xml:1: has marks beside the text")
    assert first.endswith(
        f"; 39 more are like this, such as in {tmp_path}/mine/d11.xml:1 and {tmp_path}/mine/d12.xml:1."
    )
    assert last == "40 problems; nothing was written."


def test_three_problems_that_are_alike_are_three_lines() -> None:
    alike = [Problem(f"{name}.tsv", 3, message=f'has "{name}" where 7 was expected.') for name in "abcd"]
    assert alike_as_one(alike[:3]) == [str(problem) for problem in alike[:3]]
    assert alike_as_one(alike) == [
        'a.tsv:3: has "a" where 7 was expected; 3 more are like this, such as in b.tsv:3 and c.tsv:3.'
    ]
    other = Problem("a.tsv", 3, message="is empty.")
    named = [replace(problem, named=True) for problem in alike]
    assert alike_as_one(named) == [str(problem) for problem in named]
    assert alike_as_one([alike[0], other, *alike[1:]]) == [*alike_as_one(alike), "a.tsv:3: is empty."]
    assert alike_as_one([alike[0], other, "x", "x", alike[1]]) == [
        *map(str, (alike[0], other, "x", "x", alike[1]))
    ], "what is printed alone stays in its place"


def test_init_fits_on_a_screen_and_a_file_has_the_rest(tmp_path: Path) -> None:
    """Twelve copies are missing, each in its own way; the same folder again writes the same."""
    # Words tell the messages apart, as they would be alike but for names in quotes.
    problems = [Problem("d.tsv", 1, message=f"is {'very ' * number}odd.") for number in range(12)]
    at = folder(tmp_path, {"r.csv": WIDE})
    survey = survey_folder(at)
    (version,) = survey.versions
    (read,) = version.export_survey.read
    warned = replace(version.export_survey, read=(replace(read, warnings=tuple(problems)),))
    with pytest.MonkeyPatch.context() as patch:
        changed = replace(survey, versions=(replace(version, export_survey=warned),))
        patch.setattr("reportgen.pipeline.export_folder.survey_folder", lambda _: changed)
        for _ in range(2):
            (at / "campaign.toml").unlink(missing_ok=True)
            answer = run("init", at)
            assert answer.exit_code == 0, answer.output
            assert len(answer.stderr.splitlines()) == 8
            assert f"More to look at: {at}/init.log" in answer.stdout
    lines = (at / "init.log").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.endswith("odd.")] == [
        f"{at}/d.tsv:1: is {'very ' * number}odd." for number in range(12)
    ]
    assert (at / "init.log").read_text(encoding="utf-8").count("\n") == len(lines)
    assert survey_folder_again(at) == ("r.csv",)


def survey_folder_again(at: Path) -> tuple[str, ...]:
    """Return the exports of a folder where init has already been."""
    (at / "campaign.toml").unlink()
    return survey_folder(at).versions[0].exports


def test_what_reportgen_keeps_in_the_folder_is_not_listed_as_unread(tmp_path: Path) -> None:
    at = folder(tmp_path, {"r.csv": WIDE, "pseudonyms.csv": "kind,name,pseudonym\n", "order.txt": "1"})
    assert survey_folder(at).aside == ("order.txt",)
