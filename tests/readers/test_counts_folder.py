"""Folders of counts that were damaged, edited by hand or torn apart are refused, with place and remedy."""

import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from reportgen.base.errors import BadInput, Problem
from reportgen.campaign import load
from reportgen.pipeline.reading import read_campaign
from reportgen.readers import CountedLayer, ExportFile, ReaderOptions, find_reader, read_export
from reportgen.readers.untrusted import line_of_value, lines_of
from tests.campaigns import written
from tests.cases import cases, stored
from tests.counted import counts_in, reports_of
from tests.readers.content import ratings_of

RATINGS = "item,topic,annotator,label\n" + "".join(
    f"{unit},d{unit % 2},{who},{label}\n"
    for unit, labels in enumerate(("xxx", "xyx", "yyy", "xxy", "yxy", "x x"))
    for who, label in zip(("ann", "bea", "cyd"), labels, strict=True)
    if label != " "
)
TASK = stored("counts/two-unit-sets.toml")
HERE = "campaign/counts/"
Files = dict[str, str]


def made(folder: Path, export: str, toml: str = TASK) -> Files:
    """Return the files of a folder of counts."""
    (report,) = reports_of(written(folder, toml, {"exports/1.0/e.csv": export})).values()
    return counts_in(report)


@pytest.fixture(scope="module")
def counts(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return made(tmp_path_factory.mktemp("counted") / "campaign", RATINGS)


def problems(place: Path, files: Mapping[str, str], toml: str = TASK) -> tuple[Problem, ...]:
    """Return what is wrong with a campaign whose export are these counts; nothing where nothing is."""
    folder = written(place / "campaign", toml, {f"counts/{name}": text for name, text in files.items()})
    text = (folder / "campaign.toml").read_text(encoding="utf-8").replace('"exports/1.0"', '"counts"')
    (folder / "campaign.toml").write_text(text, encoding="utf-8")
    try:
        read_campaign(load(folder))
    except BadInput as error:
        return error.problems
    return ()


def changed(described: str, path: str, value: object) -> str:
    """Return counts.json with another value at a path, "layers.0.unit_sets.1.scale"."""
    content: Any = json.loads(described)
    part: Any = content
    *above, last = (int(each) if each.isdigit() else each for each in path.split("."))
    for each in above:
        part = part[each]
    if value is None:
        del part[last]
    else:
        part[last] = value
    return json.dumps(content, indent=1)


def test_counts_as_they_were_written_are_read(counts: Files, tmp_path: Path) -> None:
    assert problems(tmp_path, counts) == ()


@pytest.mark.parametrize(("file", "old", "new", "line", "said"), cases(__file__, "cells"))
def test_a_cell_that_was_changed_is_named_with_its_line(
    *, file: str, old: str, new: str, line: int, said: str, counts: Files, tmp_path: Path
) -> None:
    assert old in counts[file]
    found = problems(tmp_path, {**counts, file: counts[file].replace(old, new, 1)})
    (own, *_) = [each for each in found if said in str(each)]
    assert own.file.endswith(f"{HERE}{file}")
    assert own.line == line or (line == 0 and own.line > 1)
    assert own.remedy


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("schema", 0, "schema: is not 1, the one that this version of reportgen reads."),
        ("layers.0.marks_read", 99, "layers.1.marks_read: is 99, but 17 were used and 0 left out."),
        ("layers.0.marks_read", -1, "layers.1.marks_read: is below 0."),
        ("layers.0.marks_read", 2.5, "layers.1.marks_read: is not a whole number."),
        ("layers.0.unit_sets.0.scale", "best", "unit_sets.1.scale: is none of 'nominal', 'ordinal'"),
        ("layers.0.unit_sets.0.scale", None, "unit_sets.1.scale: is missing."),
        ("layers.0.unit_sets.0.colour", "red", "unit_sets.1.colour: is not a valid key of counts.json."),
        ("layers.0.unit_sets.0.annotators", ["ann", "ann"], 'annotators.2: "ann" is there twice.'),
        ("layers.0.unit_sets.0.annotators", ["eve"], 'annotators.1: the layer has no "eve".'),
        ("layers.0.unit_sets.0.non_annotated", "x", 'is "x", which is not the last of the categories.'),
        ("layers.0.unit_sets.0.sets", [["x"]], 'is there where scale is "set", and only there.'),
        ("layers.0.unit_sets.0.units_read", 7, "not the 7 that were read or added."),
        ("layers.0.unit_sets.0.marks_used", 1, "is 1, but 17 were read and 0 left out here."),
        ("layers", [], "layers: is empty."),
    ],
)
def test_a_description_that_was_changed_is_refused(
    path: str, value: object, said: str, counts: Files, tmp_path: Path
) -> None:
    text = changed(counts["counts.json"], path, value)
    found = problems(tmp_path, {**counts, "counts.json": text})
    (own, *_) = [each for each in found if said in str(each)]
    assert own.file.endswith(f"{HERE}counts.json")
    assert own.remedy


def test_what_is_new_in_a_later_schema_is_no_fault_of_its_own(counts: Files, tmp_path: Path) -> None:
    text = changed(changed(counts["counts.json"], "schema", 2), "layers.0.places", [])
    (found,) = problems(tmp_path, {**counts, "counts.json": text})
    assert (found.key, found.message) == ("schema", "is 2, and this version of reportgen reads 1.")
    assert found.remedy == "Install a newer reportgen: one wrote this file."


def test_a_list_is_not_called_empty_because_something_in_it_is_wrong(counts: Files, tmp_path: Path) -> None:
    text = changed(counts["counts.json"], "layers.0.colour", "red")
    (found,) = problems(tmp_path, {**counts, "counts.json": text})
    assert (found.key, found.message) == ("layers.1.colour", "is not a valid key of counts.json.")


def test_all_faults_of_all_files_are_told_at_once(counts: Files, tmp_path: Path) -> None:
    wrong = {
        name: text.replace(",1\n", ",one\n", 2) for name, text in counts.items() if name.endswith(".csv")
    }
    found = problems(tmp_path, {**counts, **wrong})
    assert {each.file.rpartition("/")[2] for each in found} == {
        name for name in wrong if wrong[name] != counts[name]
    }
    assert len(found) == 2 * len({each.file for each in found})


@pytest.mark.parametrize("name", ["counts.json", "ratings.csv", "profiles.csv", "annotators.csv"])
def test_a_file_that_is_missing_is_named(name: str, counts: Files, tmp_path: Path) -> None:
    rest = {file: text for file, text in counts.items() if file != name}
    (found,) = problems(tmp_path, rest)
    assert f"comes without {name}, which counts need." in str(found)


def test_pairs_are_left_out_where_they_are_very_many_and_counts_say_the_same_without_them(
    counts: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reportgen.counts.export.MOST_PAIR_ROWS", 3)
    crowded = made(tmp_path / "crowded", RATINGS)
    assert crowded == {name: text for name, text in counts.items() if name != "pairs.csv"}
    assert not problems(tmp_path, crowded)
    wrong = crowded["profiles.csv"].replace(",1\n", ",2\n", 1)
    assert problems(tmp_path / "wrong", {**crowded, "profiles.csv": wrong})


@pytest.mark.parametrize(("old", "new", "key", "said"), cases(__file__, "contradictions"))
def test_a_campaign_that_contradicts_its_counts_is_told_where(
    *, old: str, new: str, key: str, said: str, counts: Files, tmp_path: Path
) -> None:
    assert old in TASK
    found = problems(tmp_path, counts, TASK.replace(old, new))
    (own, *_) = [each for each in found if said in str(each)]
    assert (own.file.rpartition("/")[2], own.key) == ("campaign.toml", key)
    assert own.line > 0


def test_a_declared_size_has_to_be_the_one_that_was_counted(tmp_path: Path) -> None:
    toml = f'{TASK}[[unit_sets]]\nid = "many"\nunits = "declared"\nsize = 30\n'
    files = made(tmp_path / "first", RATINGS, toml)
    assert problems(tmp_path / "same", files, toml) == ()
    (found,) = problems(tmp_path / "other", files, toml.replace("30", "40"))
    assert "unit_sets.3.size: is 40 in all, and 30 units were counted." in str(found)


def test_nobody_can_be_taken_out_of_counts_and_nothing_decided_of_them(counts: Files, tmp_path: Path) -> None:
    with pytest.raises(BadInput) as caught:
        read_export(paths(tmp_path, counts), ReaderOptions(annotators=("ann", "bea", "eve")))
    assert 'annotators: "eve" is not in the export.' in str(caught.value)
    with pytest.raises(BadInput) as caught:
        read_export(paths(tmp_path, counts), ReaderOptions(annotators=("ann", "bea")))
    assert 'annotators: leaves out "cyd", who is counted.' in str(caught.value)
    controls = f'{TASK}[controls]\nfile = "controls.csv"\n'
    (tmp_path / "b" / "campaign").mkdir(parents=True)
    (tmp_path / "b" / "campaign" / "controls.csv").write_text("unit,label\n1,x\n", encoding="utf-8")
    (found,) = problems(tmp_path / "b", counts, controls)
    assert "control items are units with a name, and counts have none." in str(found)


def paths(folder: Path, files: Mapping[str, str]) -> list[tuple[Path, str]]:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [(folder / name, name) for name in sorted(files)]


def test_the_layer_that_is_meant_is_found_by_its_name(counts: Files, tmp_path: Path) -> None:
    files = paths(tmp_path, counts)
    (found,) = (read_export(files, ReaderOptions(source=source)) for source in ("main",))
    assert isinstance(found.content, CountedLayer)
    with pytest.raises(BadInput) as caught:
        read_export(files, ReaderOptions(source="mine"))
    assert 'counts.json: layers: has no layer "mine". Did you mean "main"?' in str(caught.value)


def test_parquet_beside_the_tables_changes_nothing(counts: Files, tmp_path: Path) -> None:
    files = paths(tmp_path, counts)
    (tmp_path / "pairs.parquet").write_bytes(b"PAR1\x00\xff")
    found = read_export([*files, (tmp_path / "pairs.parquet", "pairs.parquet")])
    assert found.unread == ()
    assert [each.file for each in found.sources] == sorted(counts)


def test_two_folders_of_counts_in_one_export_are_refused(counts: Files, tmp_path: Path) -> None:
    twice = {f"{folder}/{name}": text for folder in "ab" for name, text in counts.items()}
    found = problems(tmp_path, twice)
    assert len(found) == len(twice)
    assert all("is of one of several folders of counts" in each.message for each in found)


def test_ratings_of_somebody_else_that_are_called_alike_are_ratings(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text("item,ann,bea\n1,x,y\n2,x,x\n", encoding="utf-8")
    assert find_reader([ExportFile(path, path.name)], ReaderOptions())[0].name == "ratings"
    assert ratings_of(read_export([(path, path.name)])).annotators == ("ann", "bea")


@pytest.mark.parametrize("part", range(4))
def test_counts_that_are_damaged_anywhere_are_read_or_refused(
    part: int, counts: Files, tmp_path: Path
) -> None:
    chosen = random.Random(part)  # noqa: S311 - no secret
    names = sorted(counts)
    for number in range(15):
        name = chosen.choice(names)
        text = counts[name]
        start = chosen.randrange(len(text))
        other = chosen.choice(("", "0", "-", '"', ",", "|", "\\", "null", "x", "\n", "9" * 20))
        damaged = {**counts, name: text[:start] + other + text[start + chosen.randrange(3) :]}
        for problem in problems(tmp_path / str(number), damaged):
            assert problem.message
            assert problem.remedy


def test_every_value_of_a_json_text_has_its_line() -> None:
    text = '{\n "a": [1,\n  {"": null, "b": []}],\n "c\\"d": {"e": "x\\ny"}\n}'
    lines = lines_of(text)
    assert lines == {
        (): 1,
        ("a",): 2,
        ("a", 0): 2,
        ("a", 1): 3,
        ("a", 1, ""): 3,
        ("a", 1, "b"): 3,
        ('c"d',): 4,
        ('c"d', "e"): 4,
    }
    assert line_of_value(lines, ("a", 1, "b", 7, "x")) == 3
    assert line_of_value({}, ("a",)) == 0
