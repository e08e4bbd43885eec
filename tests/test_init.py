"""`reportgen init`: what it says of a folder of exports, and the campaign.toml that it writes."""

import json
import random
import re
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from reportgen.readers import (
    DocumentCopy,
    Export,
    ExportFile,
    ParsedMark,
    Reader,
    ReaderOptions,
    Relation,
    readers,
)
from reportgen.readers.roles_of_marks import NoDecision, as_one_layer, parts_of, separate_layers
from reportgen.results import Results
from tests.campaigns import compute_campaign
from tests.commands import LONG, MATRIX, WIDE, edit, files, on_disk, run
from tests.readers.samples import samples

SUGGESTION = re.compile(r'# (\[|("[^"]*"|\w+) = )')
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
STRANGE = 'a"b\\c\t\x01\x7f\u2028\U0001f600é | ; {{ 7*7 }} #'


def folder(at: Path, exports: Mapping[str, str | bytes], name: str = "mine") -> Path:
    return on_disk(at / name, exports)


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
    """Return the results of the first version of a campaign, as they stand in its site."""
    site = at.parent / "site"
    answer = run("build", at, "--out", site)
    assert answer.exit_code == 0, answer.output
    found: dict[str, Any] = json.loads((site / at.name / "1.0" / "results.json").read_bytes())
    return found


def computed(at: Path) -> dict[str, Results]:
    """Return the results of every version; the pages of large campaigns take long."""
    campaign = load(at)
    reports = compute_campaign(campaign, read_campaign(campaign))
    found = {each.results.guidelines: each.results for each in reports}
    for marks in (each.marks for each in found.values()):
        assert marks.read == marks.used + marks.left_out + (marks.not_compared or 0)
    return found


def value_at(toml: object, path: str) -> object:
    """Return what stands at a path such as `guidelines.0.exports`, None where nothing does; * is each."""
    name, _, rest = path.partition(".")
    if not name:
        return toml
    if name == "*":
        assert isinstance(toml, list)
        return [value_at(each, rest) for each in toml]
    if isinstance(toml, list):
        return value_at(toml[int(name)], rest)
    assert isinstance(toml, dict)
    return value_at(toml[name], rest) if name in toml else None


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
        rows = [
            (file.name, each) for file in found if file.suffix == ".marks" for each in json.loads(file.text)
        ]
        every = [
            DocumentCopy(each["document"], each["who"], name, each.get("text", TEXT), marks_of(each["marks"]))
            for name, each in rows
        ]
        return Export(every, "Marks.", tuple(file.source for file in found), by_feature=by_feature)

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


def test_what_was_decided_is_said_with_what_changes_it(tmp_path: Path) -> None:
    rows = "item,A,B,gold\n" + "".join(f"u{place},x|y,x|y,x\n" for place in range(9))
    found = said(folder(tmp_path, {"r.csv": rows}))
    read, one, gold, sets, units = found["decided"]
    assert read == "Read: units in item, a column for each annotator: A, B, gold."
    assert one.startswith("All exports belong to one version, 1.0. ")
    assert gold == 'gold is not an annotator but a reference: [annotators."gold"].'
    assert sets.startswith("Scale set: labels are sets")
    assert "[[unit_sets]]" in units
    several = said(folder(tmp_path, {"1.0/r.csv": WIDE, "pilot/r.csv": WIDE}, "more/exports"))["decided"]
    assert several[0].startswith('The campaign is called "exports"')
    assert several[2].startswith("The versions, the oldest first, are pilot, 1.0: [[guidelines]]")
    steps = said(folder(tmp_path, {"r.csv": RIGHT_LABELS}, "controlled"))["next"]
    assert [each for each in steps if 'column "gold"' in each and "[controls]" in each]


# Files, and what their versions are called, or which exports each has.
VERSIONS = (
    (["exports/2.0/r", "exports/10.0/r", "exports/Pilot/r"], "version", ["Pilot", "2.0", "10.0"]),
    (["2.0/r", "1.0/r"], "exports", ["1.0", "2.0"]),
    (["main/r", "pilot/r"], "exports", ["pilot", "main"]),
    (["data/1.0/r", "data/2.0/r"], "exports", ["data/1.0", "data/2.0"]),
    # A file beside the folders belongs to none of them; numbers alone may be annotators.
    (["data/1.0/r", "data/2.0/r", "data/late"], "exports", ["data"]),
    (["1/r", "2/r"], "exports", [["1", "2"]]),
    (["pilot/r", "Ann/r"], "exports", [["Ann", "pilot"]]),
    (["main"], "exports", ["main.csv"]),
    ([f"r{number}" for number in range(20)], "exports", ["*.csv"]),
    (["r", ".old", ".git/r", "sub/.r"], "exports", ["r.csv"]),
    (["iaa-v1", "iaa-v2_double"], "version", ["v1", "v2_double"]),
    (["round10/a", "round2/a", "pilot2/a"], "version", ["pilot2", "round2", "round10"]),
    (["x-v1.0", "x-v1.1"], "version", ["v1.0", "v1.1"]),
    (["v1_ann", "v1_bob", "v2_ann", "v2_bob"], "version", ["v1", "v2"]),
    (["ann_v2", "bob_v2"], "version", ["v2"]),
    (["annotator-1", "annotator-2"], "version", ["1.0"]),
    (["iaa-v1", "others"], "version", ["1.0"]),
)


@pytest.mark.parametrize(("names", "key", "expected"), VERSIONS)
def test_folders_and_files_that_are_called_like_versions_are_versions(
    tmp_path: Path, names: list[str], key: str, expected: list[str | list[str]]
) -> None:
    at = folder(tmp_path, {f"{name}.csv": WIDE for name in names})
    text = render(plan_of(survey_folder(at)))
    write(at, "campaign.toml", text)
    load(at)
    assert [each[key] for each in tomllib.loads(text)["guidelines"]] == expected


def rated(label: Callable[[int, int], object]) -> str:
    """Return a table of thirty units with a label by unit and annotator."""
    rows = "".join(f'{unit},{"ab"[who]},"{label(unit, who)}"\n' for unit in range(30) for who in (0, 1))
    return f"unit,annotator,label\n{rows}"


LIKE_MODELS = "item,anna,Claude,gpt-4.1\n" + "".join(f"{n},{'ab'[n % 2]},b,a\n" for n in range(9))
RIGHT_LABELS = "item,annotator,label,gold\n" + "".join(
    f"u{place},{name},{'xy'[place % 2]},x\n" for place in range(9) for name in "AB"
)
ALL_COLUMNS = {"unit": "item", "document": "Document", "annotator": "worker", "label": "vote"}
SETS = rated(lambda unit, who: ("x|y", "y|x", "x", "x|z")[(unit + who) % 4])
SAYINGS = ("it rained; and so on it went", "nobody came; all were ill", "it snowed; they stayed")
SENTENCES = rated(lambda unit, who: SAYINGS[(unit + who) % 3])
NUMBERS = rated(lambda unit, who: (unit + who) % 11)
ELEVEN = '# categories = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]'
MODEL = "# By their names these may be language models:\n#   gpt-4.1\n"
# Exports; what campaign.toml says then at a path; and what stands in it as a comment.
TABLES: Sequence[tuple[Mapping[str, str], str, object, str]] = (
    ({"r.csv": WIDE, "README": "read me", "LICENSE": "free"}, "guidelines.0.exports", "r.csv", "#"),
    ({"r.csv": WIDE}, "guidelines.0.columns", {"unit": "item"}, "#"),
    (
        {"exports/1.0/r.csv": WIDE, "guidelines/1.0.md": "x"},
        "guidelines.0.document",
        "guidelines/1.0.md",
        "#",
    ),
    ({"r.csv": LONG.replace("doc,", "Document,")}, "guidelines.0.columns", ALL_COLUMNS, "#"),
    ({"r.csv": SETS}, "task.scale", "set", "#"),
    ({"r.csv": SETS}, "guidelines.0.set_separator", "|", "#"),
    ({"r.csv": SENTENCES}, "task.scale", None, "#"),
    ({"r.csv": NUMBERS}, "task.scale", "ordinal", "# Scale ordinal: labels are whole numbers from 0 to 10"),
    ({"r.csv": NUMBERS}, "task.categories", None, ELEVEN),
    ({"m.csv": MATRIX}, "guidelines.0.exports", "m.csv", '# categories = ["Former", "New", "Rien"]'),
    ({"m.csv": MATRIX}, "task.non_annotated", None, '# non_annotated = "Rien"'),
    (
        {"a.csv": WIDE, "b.csv": WIDE, "c.csv": MATRIX},
        "guidelines.0.format",
        "ratings",
        "which are left out: confusion-matrix.",
    ),
    ({"r.csv": WIDE.replace("C-17", "Gold")}, "annotators", {"Gold": {"role": "reference"}}, "#"),
    ({"r.csv": "item,gold,bob\n1,yes,no\n2,yes,yes\n"}, "annotators", None, '# [annotators."gold"]'),
    ({"r.csv": LIKE_MODELS}, "annotators", None, MODEL),
)


@pytest.mark.parametrize(("exports", "path", "value", "comment"), TABLES)
def test_what_a_table_says_is_written_into_campaign_toml(
    tmp_path: Path, exports: Mapping[str, str], path: str, value: object, comment: str
) -> None:
    at = folder(tmp_path, exports)
    assert value_at(made(at), path) == value
    assert comment in (at / "campaign.toml").read_text(encoding="utf-8")
    assert computed(at)["1.0"].marks.used


# Tables


# Either column may be that of units.
UNCLEAR = "pid,sid,resp\n" + "".join(
    f"{who},{unit},{'good' if (unit * who) % 5 % 2 else 'bad'}\n"
    for unit in range(10, 16)
    for who in range(4)
)


def test_columns_that_are_not_understood_are_to_be_chosen_and_then_build(tmp_path: Path) -> None:
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
    assert run("build", at, "--out", tmp_path / "site").exit_code == 2
    choose(at)
    assert computed(at)["1.0"].marks.used == 24


def choose(at: Path) -> None:
    """Take the "#" away from the columns, as the comment says."""
    path = at / "campaign.toml"
    path.write_text(path.read_text("utf-8").replace("\n# columns = ", "\ncolumns = "), "utf-8")


# Marks in texts


A_MARK, ANOTHER = ("Person", 0, 3), ("Place", 4, 7)
OVERLAPPING = [("Sentiment", 0, 13), ("target", 4, 7), ("Target", 8, 13)]
APART = [("A", 0, 3), ("B", 4, 7), ("A", 8, 13)]
VALUES = [("Entity", 0, 3, {"value": "PER"}), ("Entity", 4, 7, {"value": "ORG"})]
KINDS = [("Entity", 0, 3, {"value": "PER"}), ("Genre", 0, 0, {"value": "news"})]


def linked(who: str) -> list[tuple[str, int, int, dict[str, str]]]:
    return [
        ("pkg.Entity", 0, 3, {"value": "PER" if number % 2 else "ORG", "link": f"{who}{number}"})
        for number in range(60)
    ]


ROOM = copies(("d", "a", [A_MARK]), ("d", "b", [ANOTHER]), ("e", "a", []), ("e", "b", []))
NAMED = copies(("d", "a", [("(unmarked)", 0, 3)]), ("d", "b", []))
NESTED = copies(("d", "a", OVERLAPPING), ("d", "b", OVERLAPPING))
MOSTLY_APART = copies(*((f"d{n}", "a", APART) for n in range(40)), ("d0", "b", [("A", 4, 7), ("B", 4, 7)]))
LINKED = copies(("d", "a", linked("a")), ("d", "b", linked("b")))
BY_VALUE = copies(("d", "a", VALUES), ("d", "b", VALUES))
OF_KINDS = copies(("d", "a", KINDS), ("d", "b", KINDS))
# What two annotators marked, whether features say what; what campaign.toml says; and a comment in it.
MARKS: Sequence[tuple[str, bool, str, object, str]] = (
    (ROOM, False, "task", {"non_annotated": "(unmarked)"}, "#"),
    (ROOM, False, "unit_sets.*.units", ["tokens", "annotated-by-any"], "#"),
    (ROOM, False, "unit_sets.*.primary", [True, None], "#"),
    (NAMED, False, "task.non_annotated", "(unmarked 2)", "#"),
    (NESTED, False, "layers.*.id", ["Sentiment", "target", "Target-2"], "#"),
    (MOSTLY_APART, False, "layers", None, "#"),
    (LINKED, True, "layers.*.source", ["pkg.Entity->value"], '# source = "pkg.Entity->link"'),
    (BY_VALUE, True, "layers", None, '# categories = ["ORG", "PER"]'),
    (OF_KINDS, True, "layers.*.source", ["Entity->value", "Genre->value"], "#"),
    (OF_KINDS, True, "unit_sets.*.units", ["tokens", "items"], "#"),
    (OF_KINDS, True, "unit_sets.*.layers", [["Entity"], ["Genre"]], "#"),
)


@pytest.mark.parametrize(("content", "by_feature", "path", "value", "comment"), MARKS)
def test_what_marks_say_is_written_into_campaign_toml(
    tmp_path: Path,
    use_reader: UseReader,
    content: str,
    *,
    by_feature: bool,
    path: str,
    value: object,
    comment: str,
) -> None:
    use_reader(by_feature=by_feature)
    at = folder(tmp_path, {"marks/x.marks": content, "texts/x.words": TEXT})
    toml = made(at)
    assert value_at(toml, "guidelines.0.exports") == ["marks", "texts"]
    assert value_at(toml, path) == value
    assert comment in (at / "campaign.toml").read_text(encoding="utf-8")
    assert computed(at)["1.0"].marks.used


def test_a_unit_set_for_all_layers_says_how_to_name_some(tmp_path: Path, use_reader: UseReader) -> None:
    use_reader(by_feature=True)
    at = folder(tmp_path, {"x.marks": copies(("d", "a", KINDS), ("d", "b", KINDS))})
    made(at)
    for_all = (at / "campaign.toml").read_text(encoding="utf-8").replace('layers = ["Genre"]', "")
    (at / "campaign.toml").write_text(for_all.replace("primary = true", ""), encoding="utf-8")
    refusal = run("build", at, "--out", tmp_path / "site")
    assert refusal.exit_code == 2
    assert 'layers = ["…"].' in refusal.stderr


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
def test_any_names_are_kept(people: list[str], labels: list[str], heads: list[str], stem: str) -> None:
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
    edit(at / "campaign.toml", "# columns.group", "columns.group")
    assert written(at)["guidelines"][0]["columns"] == {**columns, "group": ["age"]}
    ((read,),) = (version.annotations for version in read_campaign(load(at)))
    assert read.groups == {"a": {"age": "30"}, "b": {"age": "60"}}


# What is printed


def test_what_was_found_is_said_in_eighty_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ",".join(f"annotator-{number}" for number in range(40))
    rows = "".join(
        f"{unit}," + ",".join(f"label {(unit + each) % 25}" for each in range(40)) + "\n" for unit in range(9)
    )
    folder(tmp_path, {"ratings.csv": f"item,{names}\n{rows}", "scan.pdf": b"%PDF\xff"})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    answer = run("init", "mine")
    assert (answer.exit_code, answer.stderr) == (0, "")
    lines = answer.stdout.splitlines()
    assert [line for line in lines if len(line) > 80 or line != line.rstrip()] == []
    assert {"1.0: Ratings table, CSV or TSV", "Not read: scan.pdf."} <= {*lines}
    assert any(line.startswith("  annotators  40: annotator-0, annotator-1,") for line in lines)
    assert all(f"and {number} more" in answer.stdout for number in (10, 30))
    assert lines[-1] == "  reportgen build mine"


def test_json_says_what_was_found_and_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    beside: dict[str, str | bytes] = {"paper.pdf": b"%PDF\xff", "talks/a.pdf": b"%PDF\xff", "order.txt": "1"}
    kept = {"pseudonyms.csv": "kind,name,pseudonym\nannotator,Ann,A01\n", "released-1.0.json": "{}"}
    folder(tmp_path, {"ratings.csv": WIDE, **kept, **beside})
    monkeypatch.chdir(tmp_path)
    found = said(Path("mine"))
    assert (found["campaign"], found["file"]) == ("mine", "mine/campaign.toml")
    assert found["aside"] == ["order.txt", "paper.pdf", "talks"]
    (version,) = found["versions"]
    assert version["exports"] == ["ratings.csv"]
    assert version["annotators"] == ["Zoé Müller", "bob.smith", "C-17"]
    assert version["labels"] == {"yes": 6, "no": 5}
    assert (version["units"], version["marks"], version["format"]) == (4, 11, "ratings")
    assert found["command"] == "reportgen build mine"


def test_the_printed_command_works_from_within(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at = folder(tmp_path, {"ratings.csv": WIDE})
    monkeypatch.chdir(at)
    words = said(Path())["command"].split()
    assert words == ["reportgen", "build", ".", "--out", "../site"]
    assert run(*words[1:]).exit_code == 0


# What is refused


REFUSED: tuple[tuple[Mapping[str, str | bytes] | None, Sequence[str]], ...] = (
    (None, ["mine: there is no such folder. Check the name."]),
    ({}, ["has no export in a known format."]),
    ({"a.pdf": b"%PDF\xff", ".r.csv": WIDE}, ["has no export in a known format. Looked at: a.pdf."]),
    ({"README.md": "|a|b|\n|1|2|\n"}, ["Looked at: README.md. The command `reportgen formats` lists"]),
    ({"r.csv": "item,ann\n1,x\n2,y\n"}, ["two annotators are needed"]),
    (
        {"ratings.csv": WIDE, "campaign.toml": "title = 1\n"},
        ["campaign.toml: is there already and is never overwritten. Build it with"],
    ),
    (
        {"r.csv": WIDE + "5,a\n", "campaign.toml": ""},
        ["campaign.toml: is there already", "r.csv:6: has 2 cells where the header has 4."],
    ),
    (
        {"exports/1/r.csv": WIDE + "5,a\n", "exports/2/r.csv": b"a,b\n\xef\xf0\xe8,1\n"},
        ["mine/exports/1/r.csv:6: has 2 cells where", "mine/exports/2/r.csv:2: byte 0xef is not UTF-8."],
    ),
)


@pytest.mark.parametrize(("exports", "words"), REFUSED)
def test_what_can_not_be_a_campaign_is_refused_all_at_once(
    tmp_path: Path, exports: Mapping[str, str | bytes] | None, words: Sequence[str]
) -> None:
    if exports is not None:
        folder(tmp_path, exports)
    problems = refused(tmp_path / "mine")
    assert [said in problem for said, problem in zip(words, problems, strict=True)] == [True] * len(words)


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    at = folder(tmp_path, {"r.csv": WIDE})
    (tmp_path / "outside.csv").write_text(WIDE, encoding="utf-8")
    (at / "link.csv").symlink_to(tmp_path / "outside.csv")
    assert any('"link.csv" lies outside the campaign\'s folder.' in problem for problem in refused(at))


@pytest.mark.parametrize("name", ["my campaign", "compare", "-x", "é"])
def test_a_name_that_no_campaign_can_have_is_refused_as_build_does(tmp_path: Path, name: str) -> None:
    at = folder(tmp_path, {"exports/1.0/r.csv": WIDE}, name)
    answer = run("init", "--", at)
    assert answer.exit_code == 2
    (at / "campaign.toml").write_text('title = "x"\n[[guidelines]]\nversion = "1.0"\n', encoding="utf-8")
    built = run("build", "--out", tmp_path / "site", "--", at)
    assert answer.stderr == built.stderr


def test_nothing_is_left_where_writing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at = folder(tmp_path, {"r.csv": WIDE})

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", full)
        (problem,) = refused(at)
    assert "campaign.toml: can't be written: no space left on device." in problem
    folder(tmp_path, {"campaign.toml": "mine"})
    with pytest.raises(BadInput):
        write(at, "campaign.toml", "yours")
    assert files(at)["campaign.toml"] == b"mine"


# Real campaigns


def taken(shared: Path, name: str, at: Path) -> Path:
    copy = shutil.copytree(shared / "data" / name, at / name, copy_function=shutil.copyfile)
    for path in (copy, *copy.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return copy


CHEC = ["v1", "v2_double-annotations", "v2_single-annotations", "v2_single-annotations_expert"]
POTTS = ["diminisher", "emo-expression", "intensifier", "negation", "sentiment", "source", "target"]
# What campaign.toml says at a path; annotators and marks of each version.
REAL: Mapping[str, tuple[str, object, Sequence[tuple[int, int]]]] = {
    "broad-twitter-crowd": ("task.scale", "set", [(39, 2875)]),
    "ukp-convarg1": ("task.scale", None, [(3815, 84445)]),
    "chec-20y": ("guidelines.*.version", CHEC, [(5, 86), (4, 118), (9, 269), (5, 147)]),
    "potts-mmax2": ("layers.*.source", POTTS, [(2, 0)]),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", REAL)
def test_real_campaigns_are_read_as_they_are_described(shared: Path, tmp_path: Path, name: str) -> None:
    path, value, expected = REAL[name]
    at = taken(shared, name, tmp_path)
    said = value_at(made(at), path)
    assert (sorted(said) if isinstance(said, list) else said) == value
    choose(at)
    for found, (annotators, marks) in zip(computed(at).values(), expected, strict=True):
        assert {len(each.annotators) for each in found.unit_sets} == {annotators}
        assert not marks or found.marks.read - (found.marks.not_compared or 0) == marks


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


def test_a_screen_is_filled_and_a_file_has_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve copies are missing, each in its own way; the same folder again writes the same."""
    # Words tell the messages apart, as they would be alike but for names in quotes.
    problems = [Problem("d.tsv", 1, message=f"is {'very ' * number}odd.") for number in range(12)]
    at = folder(tmp_path, {"r.csv": WIDE})
    survey = survey_folder(at)
    (version,) = survey.versions
    (read,) = version.export_survey.read
    warned = replace(version.export_survey, read=(replace(read, warnings=tuple(problems)),))
    changed = replace(survey, versions=(replace(version, export_survey=warned),))
    monkeypatch.setattr("reportgen.pipeline.export_folder.survey_folder", lambda _: changed)
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
    (at / "campaign.toml").unlink()
    assert survey_folder(at).versions[0].exports == ("r.csv",), "what init wrote is no export"


# `init` makes a layer of each decision: what annotators exchange is one, ids and markup are none

Features = dict[str, str]


def layers_of(*every: DocumentCopy, by_feature: bool = True) -> dict[str, NoDecision | None]:
    export = Export(every, "Made up.", (), by_feature=by_feature)
    marks = [mark for each in every for mark in each.marks]
    return {str(layer.source): layer.no_decision for layer in separate_layers(export, every, marks)}


def _kind_of(number: int, place: int, who: str) -> int:
    return (number + place + (who == "b" and place == number % 5)) % 2


def annotated(value: Callable[[int, int, str], Features], documents: int = 10) -> list[DocumentCopy]:
    """Return copies with five marks of a type T; `value` has features by document, mark and annotator."""

    def mark(number: int, place: int, who: str) -> ParsedMark:
        kind = "AB"[_kind_of(number, place, who)]
        span = (5 * place, 5 * place + 3)
        return ParsedMark("T", (span,), {"kind": kind, **value(number, place, who)})

    return [
        DocumentCopy(
            f"d{number}", who, f"{who}/d{number}", "x" * 25, [mark(number, place, who) for place in range(5)]
        )
        for number in range(documents)
        for who in "ab"
    ]


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (lambda _, place, __: {"other": f"t{place}"}, NoDecision.IDENTIFIERS),
        (lambda *_: {"other": "yes"}, NoDecision.CONSTANT),
        (lambda number, place, _: {"other": "yes" if (number, place) == (1, 1) else ""}, NoDecision.BLANK),
        (lambda number, place, _: {"other": ["p", "h1", "b"][(number + place) % 3]}, NoDecision.MARKUP),
        (lambda number, place, who: {"other": f"{who} {number} {place}"}, NoDecision.FREE_TEXT),
        (lambda number, place, _: {"other": "xyz"[(number * 7 + place) % 3]}, None),
        # Who marks up documents may decide what is a title.
        (lambda number, place, who: {"other": ["p", "title"][place == number % 5 + (who == "b")]}, None),
    ],
)
def test_features_that_nobody_decided_are_left_out_with_the_reason(
    value: Callable[[int, int, str], Features], reason: NoDecision | None
) -> None:
    assert layers_of(*annotated(value)) == {"T->kind": None, "T->other": reason}


@pytest.mark.parametrize(
    ("name", "values", "reason"),
    [
        ("frameID", 20, NoDecision.IDENTIFIERS),
        ("frame_id", 25, NoDecision.IDENTIFIERS),
        # Fewer may be classes, and what is called otherwise may be anything: "PAID", "valid".
        ("frameID", 19, None),
        ("frame", 25, None),
        ("PAID", 25, None),
        ("valid", 25, None),
    ],
)
def test_very_many_numbers_that_are_called_ids_are_no_labels(
    name: str, values: int, reason: NoDecision | None
) -> None:
    """Marks of one frame have its number, so that it comes again in a copy."""

    def value(number: int, place: int, who: str) -> Features:
        return {name: str((3 * number + place // 2 + (who == "b")) % values)}

    assert layers_of(*annotated(value)) == {"T->kind": None, f"T->{name}": reason}


def test_what_is_the_same_in_every_copy_was_there_before_where_annotators_differ_elsewhere() -> None:
    found = annotated(lambda number, place, _: {"other": "xyz"[(number * 7 + place) % 3]}, documents=20)
    assert layers_of(*found) == {"T->kind": None, "T->other": NoDecision.GIVEN}
    # Two copies of one file tell nothing.
    twice = [each for each in found if each.annotator == "a"]
    same = [*twice, *(DocumentCopy(each.document, "b", "b", each.text, each.marks) for each in twice)]
    assert layers_of(*same) == {"T->kind": None, "T->other": None}


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (lambda *_: {"other": "xxx"}, NoDecision.COVERED),
        (lambda *at: {"other": at[2]}, NoDecision.OF_PERSON),
        (
            lambda number, place, who: {"other": "pq"[(number + place) % 2] * (who == "a")},
            NoDecision.ONE_PERSON,
        ),
        (lambda number, place, who: {"other": "AB"[_kind_of(number, place, who)]}, NoDecision.SAME),
        # What two people write of their own accord, of a few marks.
        (
            lambda number, place, who: {"other": f"{who}{'mnopq'[place]}{'mnopq'[number % 5]}"},
            NoDecision.FREE_TEXT,
        ),
    ],
)
def test_each_feature_has_a_role_also_where_marks_are_few(
    value: Callable[[int, int, str], Features], reason: NoDecision
) -> None:
    assert layers_of(*annotated(value, documents=4)) == {"T->kind": None, "T->other": reason}


def attributed(differ: int, *, moved: int = 0, documents: int = 6) -> list[DocumentCopy]:
    """Return copies whose marks of two types have a stance: it differs in some of 24, others are `moved`."""
    return [
        DocumentCopy(
            f"d{number}",
            who,
            f"{who}/d{number}",
            "x" * 40,
            [
                ParsedMark(
                    "PC"[place % 2],
                    ((7 * place, 7 * place + 5 - (who == "b" and 4 * number + place < moved)),),
                    {
                        "stance": "for"
                        if (number + place + (who == "b" and 4 * number + place < differ)) % 2
                        else "no"
                    },
                )
                for place in range(4)
            ],
        )
        for number in range(documents)
        for who in "ab"
    ]


def test_what_is_said_of_marks_that_everybody_has_is_the_decision() -> None:
    stances = {"P->stance": None, "C->stance": None}
    assert layers_of(*attributed(6), by_feature=False) == {"marks": NoDecision.GIVEN, **stances}
    # Where nothing tells which of the two was there before, both are compared.
    assert layers_of(*attributed(0), by_feature=False) == {"marks": None, **stances}
    # Of three people one may lack what the others have.
    third = [
        replace(each, annotator="c", marks=each.marks[each.document in {"d1", "d2"} :])
        for each in attributed(0)
    ]
    three = [*attributed(6), *(each for number, each in enumerate(third) if number % 2 == 0)]
    assert layers_of(*three, by_feature=False)["C->stance"] is None
    few = attributed(6, documents=3)
    assert layers_of(*few, by_feature=False) == {"marks": None, **stances}
    # Up to one in twenty may have slipped.
    assert layers_of(*attributed(6, moved=2), by_feature=False)["C->stance"] is NoDecision.OF_CHOSEN
    assert layers_of(*attributed(6, moved=1), by_feature=False)["C->stance"] is None
    chosen = dict.fromkeys(stances, NoDecision.OF_CHOSEN)
    assert layers_of(*attributed(6, moved=9), by_feature=False) == {"marks": NoDecision.TOGETHER, **chosen}


@pytest.mark.slow
def test_marks_that_were_given_are_units_of_what_is_said_of_them(
    tmp_path: Path, use_reader: UseReader
) -> None:
    use_reader(by_feature=False)
    at = folder(tmp_path, {"x.marks": as_marks(attributed(6))})
    toml = made(at)
    assert value_at(toml, "layers.*.source") == ["P->stance", "C->stance"]
    assert value_at(toml, "unit_sets.*.id") == ["agreed"]
    # Of 24 marks 6 differ.
    unit_sets = computed(at)["1.0"].unit_sets
    assert [each.units for each in unit_sets] == [12, 12]
    observed = [each.measures["observed_agreement"].value for each in unit_sets]
    assert sum(map(float, filter(None, observed))) == 1.5


WORDS = "a b c d e f g h i j k l m n"  # each is a token, every fourth a mark


def labelled(
    differ: int, *, lost: int = 0, every: int = 4
) -> Iterator[tuple[str, str, list[tuple[str, int, int]]]]:
    """Yield copies with 20 stretches or more of a label each: it differs in some, and some are `lost`."""
    for number in range(5):
        for who in "ab":
            places = range(0, len(WORDS), 2 * every)
            own = [
                ("XY"[(place // 2 + (who == "b" and number == 0 and index < differ)) % 2], place, place + 1)
                for index, place in enumerate(places)
                if not (who == "b" and number == 1 and index < lost)
            ]
            yield f"d{number}", who, own


@pytest.mark.parametrize("by_feature", [True, False])
@pytest.mark.parametrize(
    ("case", "is_given"),
    [
        ({"differ": 2, "every": 3}, True),
        # Nothing tells that they were given, they are not those of everybody, or every token is one.
        ({"differ": 0, "every": 3}, False),
        ({"differ": 2, "lost": 3, "every": 3}, False),
        # Of 50 marks one in twenty may be lost.
        ({"differ": 2, "lost": 2, "every": 3}, True),
        ({"differ": 2, "every": 1}, False),
    ],
)
def test_units_are_the_stretches_that_were_given_where_their_labels_differ(
    case: dict[str, int],
    by_feature: bool,  # noqa: FBT001 - a case
    is_given: bool,  # noqa: FBT001 - a case
) -> None:
    every = [
        DocumentCopy(
            document,
            who,
            who,
            WORDS,
            [
                ParsedMark("T" if by_feature else name, ((start, end),), {"v": name} if by_feature else {})
                for name, start, end in own
            ],
        )
        for document, who, own in labelled(**case)
    ]
    export = Export(every, "Made up.", (), by_feature=by_feature)
    whole = as_one_layer(export, every, [mark for each in every for mark in each.marks])
    assert whole.of_given is is_given


def related(differ: int, *, given: bool = True) -> list[DocumentCopy]:
    """Return copies with marks that everybody has, or not, and relations that differ in some documents."""
    return [
        replace(
            each,
            marks=[replace(mark, features={}, id=f"T{place}") for place, mark in enumerate(each.marks)],
            relations=[
                Relation(
                    "PQ"[(number // 2 + (each.annotator == "b" and number // 2 < differ)) % 2],
                    (("", "T0"), ("", "T1")),
                )
            ],
            text=" ".join("x" * 14),
        )
        for number, each in enumerate(attributed(0, moved=0 if given else 9))
    ]


def test_relations_between_given_marks_are_the_decision() -> None:
    every = layers_of(*related(2), by_feature=False)
    aside = {"P": NoDecision.RELATION, "Q": NoDecision.RELATION}
    assert every == {"marks": NoDecision.GIVEN, "relations": None, **aside}
    for other in (related(0), related(2, given=False)):
        assert layers_of(*other, by_feature=False) == {"marks": NoDecision.TOGETHER, **aside}


def test_features_of_relations_are_layers_where_they_have_the_category() -> None:
    every = [
        replace(
            each,
            relations=[
                replace(link, type="R", features={"kind": link.type, "note": " "}) for link in each.relations
            ],
        )
        for each in related(2)
    ]
    given = {"P": NoDecision.GIVEN, "C": NoDecision.GIVEN}
    assert layers_of(*every) == {"R->kind": None, "R->note": NoDecision.BLANK, **given}


@pytest.mark.slow
def test_relations_between_given_marks_have_units_of_their_own(tmp_path: Path) -> None:
    text = " ".join("abcdefghijklmnopqrst")
    marks = "".join(
        f"T{number}\tX {4 * number} {4 * number + 1}\t{text[4 * number]}\n" for number in range(7)
    )
    files = {
        f"exports/1.0/{who}/{document}{end}": content
        for who in ("ann", "bea")
        for document in ("d", "e", "f")
        for end, content in (
            (".txt", text),
            (".ann", f"{marks}R1\tP Arg1:T1 Arg2:T2\nR2\t{'PQ'[who + document == 'annd']} Arg1:T3 Arg2:T4\n"),
        )
    }
    at = folder(tmp_path, files)
    toml = made(at)
    assert value_at(toml, "layers.*.source") == ["relations"]
    assert value_at(toml, "unit_sets.*.id") == ["related"]
    (unit_set,) = computed(at)["1.0"].unit_sets
    assert (unit_set.units, unit_set.measures["observed_agreement"].value) == (6, 0.833333333333)


def test_versions_that_spell_a_type_differently_share_its_layer(tmp_path: Path) -> None:
    """What only one of them shows to be a decision is one."""
    marks = "T1\t{name} {at} 3\tAnn\nA1\tSure T1 {value}\nT2\t{name} 4 7\tmet\nA2\tSure T2 no\n"
    files = {
        f"exports/{version}/{who}/{document}{end}": content.format(name=name, at=at, value=value)
        for version, name, at in (("1", "Claim", 0), ("2", "claim", 1))
        for who, value in (("ann", "yes"), ("bea", "no"))
        for document in ("d", "e")
        for end, content in ((".txt", "Ann met Bob"), (".ann", marks.replace("\tAnn", "\t" + "Ann"[at:])))
    }
    toml = made(folder(tmp_path, files))
    assert value_at(toml, "layers.*.source") == ["marks", "Claim->Sure"]


def test_types_that_one_person_alone_pins_anywhere_are_no_layer_and_the_others_stay_one() -> None:
    found = attributed(0, moved=9)
    bare = [replace(each, marks=[replace(mark, features={}) for mark in each.marks]) for each in found]
    assert layers_of(*bare, by_feature=False) == {}
    notes = [
        replace(each, marks=[*each.marks, ParsedMark("Note", ((0, 20),))]) if each.annotator == "a" else each
        for each in bare
    ]
    assert layers_of(*notes, by_feature=False) == {"C | P": None, "Note": NoDecision.ONE_PERSON}
    # Without others' copies of these documents nobody else could have used it.
    alone = [each for each in notes if each.annotator == "a"]
    assert set(layers_of(*alone, by_feature=False).values()) == {None}
    # One that never meets others is a category of theirs.
    beside = [
        replace(each, marks=[*each.marks, ParsedMark("Z", ((38, 40),))]) if each.annotator == "a" else each
        for each in bare
    ]
    assert layers_of(*beside, by_feature=False) == {}


def test_relations_and_chains_are_listed_beside_the_marks_that_they_need() -> None:
    related = [
        replace(each, relations=[Relation("R", (("", "T1"),)), Relation("Same", (("", "T1"),), chain=True)])
        for each in attributed(0, moved=9)
    ]
    found = layers_of(*related, by_feature=False)
    assert (found["R"], found["Same"], found["marks"]) == (
        NoDecision.RELATION,
        NoDecision.CHAIN,
        NoDecision.TOGETHER,
    )


def test_what_points_at_other_marks_is_no_decision() -> None:
    def pointing(lost: int) -> list[DocumentCopy]:
        return [
            replace(
                each,
                marks=[
                    replace(
                        mark,
                        id=f"m{place}",
                        features={**mark.features, "of": f"m{place + lost};m0" if place else "empty"},
                    )
                    for place, mark in enumerate(each.marks)
                ],
            )
            for each in annotated(lambda *_: {}, documents=4)
        ]

    def numbered(value: str) -> str:
        return value.replace("m", "")

    rated = [
        replace(
            each,
            marks=[
                replace(
                    mark,
                    id=numbered(mark.id),
                    features={name: numbered(value) for name, value in mark.features.items()},
                )
                for mark in each.marks
            ],
        )
        for each in pointing(0)
    ]
    assert layers_of(*rated)["T->of"] is not NoDecision.POINTS, "ids that are numbers are what ratings are"
    assert layers_of(*pointing(0))["T->of"] is NoDecision.POINTS
    assert layers_of(*pointing(1))["T->of"] is not NoDecision.POINTS


def test_who_was_asked_for_a_tier_and_found_nothing_is_no_side_of_another() -> None:
    def copies_of(asked: Iterable[str]) -> list[DocumentCopy]:
        marks = {
            "a": [ParsedMark("T", ((0, 3),)), ParsedMark("U", ((5, 8),))],
            "b": [ParsedMark("T", ((0, 3),))],
        }
        own = {"a": frozenset("TU"), "b": frozenset(asked)}
        return [DocumentCopy("d", who, who, "x" * 9, marks[who], asked=own[who]) for who in "ab"]

    assert layers_of(*copies_of("TU")) == {"T": None, "U": None}
    assert layers_of(*copies_of("T")) == {"T": None, "U": NoDecision.ONE_PERSON}


def test_a_feature_that_nobody_filled_in_is_listed_and_what_else_there_is_too(tmp_path: Path) -> None:
    empty = annotated(lambda *_: {"other": " "}, documents=2)
    assert layers_of(*empty) == {"T->kind": None, "T->other": NoDecision.BLANK}
    text = "Ann met Bob"
    marks = "T1\tPER 0 3\tAnn\n#1\tAnnotatorNotes T1\tsure?\n"
    files = {
        f"exports/1.0/{who}/d{end}": content
        for who in ("ann", "bea")
        for end, content in ((".txt", text), (".ann", marks))
    }
    at = folder(tmp_path, files)
    made(at)
    written_to = (at / "campaign.toml").read_text(encoding="utf-8")
    assert "# Besides marks the exports have:\n#   a note (2)\n" in written_to


def test_where_no_feature_is_a_decision_the_marks_are() -> None:
    found = annotated(lambda number, place, who: {"kind": "only", "id": f"t{number}{place}{who}"})
    for number in range(9):
        mark = ParsedMark("U", ((0, 5),), {"value": "AB"[number % 2]})
        found.append(DocumentCopy(f"e{number}", "a", "a", "x" * 9, [mark]))
    left_out = {"T->kind": NoDecision.CONSTANT, "T->id": NoDecision.FREE_TEXT}
    assert layers_of(*found) == {"T->": None, "U->value": None, **left_out}


def exchanging(share: float, *, nested: bool = False) -> list[DocumentCopy]:
    """Return copies with marks of types A and B in a mark C, of which annotators exchange a share."""
    drawn = random.Random(1)  # noqa: S311 - made marks
    every = []
    for number in range(20):
        for who in "ab":
            marks = [ParsedMark("C", ((0, 25),))]
            for place in range(4):
                kind = "AB"[(place + number + (drawn.random() < share)) % 2]
                marks.append(ParsedMark(kind, ((5 * place, 5 * place + 3),)))
                if nested:
                    marks.append(ParsedMark("B" if kind == "A" else "A", ((5 * place, 5 * place + 2),)))
            every.append(DocumentCopy(f"d{number}", who, who, "x" * 25, marks))
    return every


def test_types_that_annotators_exchange_are_one_layer_and_what_nests_is_another() -> None:
    assert set(layers_of(*exchanging(0.3), by_feature=False)) == {"C", "A | B"}
    # Without exchange nothing says that they are one decision.
    assert set(layers_of(*exchanging(0.0), by_feature=False)) == {"C", "A", "B"}
    # Of types that lie on the same stretch each is a decision.
    assert set(layers_of(*exchanging(0.3, nested=True), by_feature=False)) == {"C", "A", "B"}


@pytest.mark.parametrize(
    ("folders", "versions"),
    [(("anna", "ben"), ["1.0"]), (("v1", "v2"), ["v1", "v2"]), (("pilot", "main"), ["pilot", "main"])],
)
def test_folders_of_one_person_each_are_people_unless_they_are_called_like_versions(
    folders: Sequence[str], versions: Sequence[str], tmp_path: Path
) -> None:
    marks = {"d1.txt": "Anna met Ben.", "d1.ann": "T1\tPER 0 4\tAnna\n"}
    exports = {f"exports/{name}/{file}": text for name in folders for file, text in marks.items()}
    found = survey_folder(folder(tmp_path, exports)).versions
    assert [each.id for each in found] == versions
    people = [each.export_survey.annotators for each in found]
    assert people == [folders] if len(versions) == 1 else all(len(each) == 1 for each in people)


def test_the_parts_of_a_source_are_types_or_a_type_and_its_feature() -> None:
    assert parts_of("A | B") == ("A", "B")
    assert parts_of("T->") == ("T",)
    assert parts_of("T->kind") == ("T->kind",)


@pytest.mark.slow
def test_types_in_one_layer_are_read_and_confused(tmp_path: Path, use_reader: UseReader) -> None:
    use_reader(by_feature=False)
    at = folder(tmp_path, {"x.marks": as_marks(exchanging(0.3))})
    assert value_at(made(at), "layers.*.source") == ["C", "A | B"]
    (confused,) = (each.values for each in computed(at)["1.0"].findings if each.id == "confused")
    assert (confused["first"], confused["second"]) == ("A", "B")


def as_marks(every: Sequence[DocumentCopy]) -> str:
    """Return copies as the reader of this module takes them."""
    return copies(
        *(
            (
                each.document,
                each.annotator,
                [(mark.type, *mark.spans[0], dict(mark.features)) for mark in each.marks],
            )
            for each in every
        )
    )


def test_of_marks_on_an_ordered_scale_the_highest_counts_and_the_campaign_can_be_read(
    tmp_path: Path, use_reader: UseReader
) -> None:
    """Two marks of one person may be on a unit, which has one label on such a scale."""
    use_reader(by_feature=True)
    marked = annotated(lambda number, place, _: {"level": str(1 + (number + place) % 4)})
    twice = [
        replace(each, marks=[*each.marks, replace(each.marks[0], features={"kind": "A", "level": "3"})])
        for each in marked
    ]
    at = folder(tmp_path, {"x.marks": as_marks(twice)})
    layers = {layer["source"]: layer for layer in made(at)["layers"]}
    assert (layers["T->level"]["scale"], layers["T->level"]["priority"]) == ("ordinal", ["4", "3", "2", "1"])
    assert "priority" not in layers["T->kind"]
    assert read_campaign(load(at))


@pytest.mark.slow
def test_what_is_left_out_is_listed_with_its_reason(tmp_path: Path, use_reader: UseReader) -> None:
    use_reader(by_feature=True)
    marked = annotated(lambda _, place, __: {"id": f"t{place}", "other": "xyz"[place % 3]})
    at = folder(tmp_path, {"x.marks": as_marks(marked)})
    said = " ".join(run("init", at).stdout.split())
    assert '"T->id" is left out (running numbers, which say which mark it is and nothing of it)' in said
    text = (at / "campaign.toml").read_text(encoding="utf-8")
    assert (
        "# Left out: running numbers, which say which mark it is and nothing of it.\n# [[layers]]\n" in text
    )
    toml = tomllib.loads(text)
    assert value_at(toml, "layers.*.source") == ["T->kind", "T->other"]
    # The marks are asked for once; what else they say is judged where annotators agree on them.
    assert value_at(toml, "unit_sets.*.id") == ["agreed", "tokens", "marked"]
    assert value_at(toml, "unit_sets.*.layers") == [["T-other"], ["T-kind"], ["T-kind"]]
    # Both layers ask about the same marks, which are counted once.
    marks = results(at)["marks"]
    assert marks["again"] == marks["read"] // 2
    edit(at / "campaign.toml", '# [[layers]]\n# id = "T-id"\n# source', '[[layers]]\nid = "T-id"\nsource')
    assert value_at(written(at), "layers.*.source") == ["T->kind", "T->other", "T->id"]
