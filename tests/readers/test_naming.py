"""Whose file it is, and of which document; names are compared in Unicode's composed form."""

import json
import re
import sqlite3
import time
import unicodedata
from pathlib import Path, PurePosixPath

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.base.errors import BadInput
from reportgen.campaign.load import load
from reportgen.readers import Engine, ExportFile, ReaderOptions, read_export
from reportgen.readers.naming import FileAttribution, name_files, named_by_path

EXTENSIONS = (".ann", ".tsv", ".xmi")


def named(files: dict[str, str], path: str | None = None) -> list[tuple[str, str]]:
    found = name_files(
        [ExportFile(Path(name), name) for name in files],
        list(files.values()),
        ReaderOptions(path=path),
        EXTENSIONS,
    )
    return [(each.annotator, each.document) for each in found]


def test_the_first_folder_is_the_annotator_where_folders_hold_the_same_texts() -> None:
    files = {"e/1.0/anna/d1.ann": "one", "e/1.0/anna/x/d2.ann": "two", "e/1.0/ben/d1.ann": "one"}
    assert named(files) == [("anna", "d1"), ("anna", "x/d2"), ("ben", "d1")]


def test_the_last_folder_is_the_annotator_where_each_collection_has_folders_for_them() -> None:
    files = {"e/news/anna/d1.ann": "one", "e/news/ben/d1.ann": "one", "e/web/anna/d1.ann": "two"}
    assert named(files) == [("anna", "news/d1"), ("ben", "news/d1"), ("anna", "web/d1")]


def test_files_in_a_folder_that_nearly_have_the_same_text_are_copies_of_it() -> None:
    """So that the difference is told: else each would be a document that one annotator has seen."""
    text = "A letter was changed in the text"
    files = {"e/anna.tsv": text, "e/ben.tsv": text.replace("letter", "word")}
    assert named(files) == [("anna", "e"), ("ben", "e")]
    assert named({**files, "e/ben.tsv": "It is another"}) == [("e", "anna"), ("e", "ben")]


def test_an_ending_that_all_files_have_is_no_part_of_a_name() -> None:
    assert named({"anna.dat": "one", "ben.dat": "one"}) == [("anna", "document"), ("ben", "document")]


def test_the_file_name_is_the_annotator_where_a_folder_holds_one_text() -> None:
    files = {"a/d1.txt/anna.tsv": "one", "a/d1.txt/ben.tsv": "one", "a/d2.txt/anna.tsv": "two"}
    assert named(files) == [("anna", "d1.txt"), ("ben", "d1.txt"), ("anna", "d2.txt")]


@pytest.mark.parametrize(
    "texts",
    [
        ("same", "same", "same", "same"),  # two documents with one text
        ("one", "two", "three", "four"),  # nobody has what another has
    ],
)
def test_folders_called_as_documents_are_no_annotators(texts: tuple[str, ...]) -> None:
    files = ["a/d1.txt/zaphod.tsv", "a/d1.txt/ford.tsv", "a/D2.TXT/zaphod.tsv", "a/D2.TXT/ford.tsv"]
    assert named(dict(zip(files, texts, strict=True))) == [
        ("zaphod", "d1.txt"),
        ("ford", "d1.txt"),
        ("zaphod", "D2.TXT"),
        ("ford", "D2.TXT"),
    ]


def test_one_folder_called_as_a_document_has_its_annotators_files() -> None:
    assert named({"d1.txt/zaphod.tsv": "one"}) == [("zaphod", "d1.txt")]
    # A point in somebody's name is none of a file.
    assert named({"j.doe/d1.tsv": "one", "a.b/d2.tsv": "two"}) == [("j.doe", "d1"), ("a.b", "d2")]


def test_the_end_of_the_name_is_the_annotator_where_what_is_before_it_names_the_text() -> None:
    files = {"e/d1_AB.xmi": "one", "e/d1_CD.xmi": "one", "e/d2_AB.xmi": "two", "e/d2_CD.xmi": "two"}
    assert named(files) == [("AB", "d1"), ("CD", "d1"), ("AB", "d2"), ("CD", "d2")]


REGULAR = {
    f"e/0{number}_Buechner_{who}.xmi": f"text {number}"
    for number in range(1, 5)
    for who in ("AS", "LK", "MB")
}


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("e/04_Buechner_MB_final.xmi", "text 4", ("MB", "04_Buechner")),  # a word too much
        ("e/MB-Buechner4.xmi", "text 4", ("MB", "04_Buechner")),
        ("e/04_Buechner.xmi", "text 4", ("annotator", "04_Buechner")),  # nobody's name
        ("e/04_Buechner_final_round.xmi", "text 4", ("final_round", "04_Buechner")),
        ("e/05_Heine_AS_new.xmi", "another", ("AS", "05_Heine__new")),
        ("e/Heine.xmi", "another", ("annotator", "Heine")),
    ],
)
def test_one_file_that_is_called_otherwise_is_an_exception(
    name: str, text: str, expected: tuple[str, str]
) -> None:
    """It makes nobody of the others a stranger: four people stay four."""
    files = {key: value for key, value in REGULAR.items() if key != "e/04_Buechner_MB.xmi"}
    found = name_files(
        [ExportFile(Path(key), key) for key in (*files, name)],
        [*files.values(), text],
        ReaderOptions(),
        EXTENSIONS,
    )
    assert {each.annotator for each in found[:-1]} == {"AS", "LK", "MB"}
    assert not any(each.is_exception for each in found[:-1])
    assert found[-1] == FileAttribution(*expected, is_exception=True)


def test_somebody_who_shares_no_document_is_no_exception() -> None:
    found = named({**REGULAR, "e/05_Heine_TT.xmi": "another"})
    assert found[-1] == ("TT", "05_Heine")


def test_names_of_which_half_fit_have_no_exceptions() -> None:
    files = {"e/d1_AB.xmi": "one", "e/d1_CD.xmi": "one", "e/x.xmi": "two", "e/y.xmi": "two"}
    assert named(files) == [("AB", "d1"), ("CD", "d1"), ("annotator", "x"), ("annotator", "y")]


def test_what_files_say_counts_before_what_they_are_called() -> None:
    """Where it makes copies of one document of files with the same text, and of no others."""
    files = ["e/webanno1.xmi", "e/webanno2.xmi", "e/webanno3.xmi"]
    paths, texts = [ExportFile(Path(name), name) for name in files], ["one", "one", "two"]
    inside = [FileAttribution(*each) for each in (("anna", "d1"), ("ben", "d1"), ("anna", "d2"))]
    assert name_files(paths, texts, ReaderOptions(), EXTENSIONS, inside) == inside
    same = [FileAttribution("pipeline", document) for document in ("d1", "d1", "d2")]
    assert name_files(paths, texts, ReaderOptions(), EXTENSIONS, same) != same
    by_path = name_files(paths, texts, ReaderOptions(path="{annotator}"), EXTENSIONS, inside)
    assert [each.annotator for each in by_path] == ["webanno1", "webanno2", "webanno3"]


def test_the_beginning_of_the_name_is_the_annotator_where_what_follows_names_the_text() -> None:
    files = {"e/AB-d1.xmi": "one", "e/CD-d1.xmi": "one", "e/AB-d2.xmi": "two", "e/CD-d2.xmi": "two"}
    assert named(files) == [("AB", "d1"), ("CD", "d1"), ("AB", "d2"), ("CD", "d2")]


def test_an_extension_that_is_no_formats_own_can_be_the_annotator() -> None:
    assert named({"l.conll.user1": "one", "l.conll.user2": "one"}) == [
        ("user1", "l.conll"),
        ("user2", "l.conll"),
    ]


def test_files_of_one_annotator_are_called_after_their_folder() -> None:
    assert named({"e/anna/d1.ann": "one", "e/anna/d2.ann": "two"}) == [("anna", "d1"), ("anna", "d2")]
    assert named({"d1.ann": "one"}) == [("annotator", "d1")]


def test_empty_texts_say_nothing_about_who_is_who() -> None:
    files = {"e/anna/d1.ann": "", "e/anna/d2.ann": "", "e/ben/d1.ann": "", "e/ben/d2.ann": " "}
    assert named(files) == [("anna", "d1"), ("anna", "d2"), ("ben", "d1"), ("ben", "d2")]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("{annotator}/{document}", ("anna", "d1_x")),
        ("{document}/{annotator}", ("d1_x", "anna")),
        ("{annotator}/{document}_{layer}.ann", ("anna", "d1")),
        ("{annotator}/{document}_x", ("anna", "d1")),
        ("{annotator}/{document}.ann", ("anna", "d1_x")),
        ("{document}", ("annotator", "d1_x")),
    ],
)
def test_a_path_pattern_is_compared_with_the_end_of_the_path(pattern: str, expected: tuple[str, str]) -> None:
    name = "e/1.0/anna/d1_x.ann" if not pattern.startswith("{document}/") else "e/1.0/d1_x/anna.ann"
    expected = expected if not pattern.startswith("{document}/") else ("anna", "d1_x")
    assert named({name: ""}, pattern) == [expected]


def test_paths_that_do_not_fit_the_pattern_are_all_named() -> None:
    with pytest.raises(BadInput) as caught:
        named({"a.ann": "", "x/b.ann": "", "c.ann": ""}, "{annotator}/{document}")
    assert [problem.file for problem in caught.value.problems] == ["a.ann", "c.ann"]
    assert 'does not fit the path "{annotator}/{document}"' in caught.value.problems[0].message


def test_a_pattern_can_name_the_layer() -> None:
    file = ExportFile(Path("x"), "e/anna/d1_level.xml")
    assert name_files([file], [""], ReaderOptions(path="{annotator}/{document}_{layer}.xml"), ()) == [
        FileAttribution("anna", "d1", "level")
    ]


NAMED = st.lists(st.sampled_from(["annotator", "document", "layer", "pass"]), min_size=1, unique=True)


@given(NAMED, st.lists(st.text("ab/", max_size=2), min_size=5, max_size=5), st.text("ab/", max_size=12))
def test_a_path_is_matched_as_if_every_end_of_a_place_were_tried(
    names: list[str], between: list[str], path: str
) -> None:
    before, *behind = between
    places = list(zip(names, behind, strict=False))
    pattern = before + "".join(f"{{{name}}}{text}" for name, text in places)
    every = before + "".join(f"(?P<{name}>[^/]+?){text}" for name, text in places)
    tried = re.match(rf"(?:.*/)?{every}\.x\Z", str(PurePosixPath(f"{path}.x")))
    file = ExportFile(Path("e.x"), f"{path}.x")
    if tried is None:
        with pytest.raises(BadInput, match="does not fit the path"):
            named_by_path([file], f"{pattern}.x")
        return
    (found,) = named_by_path([file], f"{pattern}.x")
    said = {
        "annotator": found.annotator,
        "document": found.document,
        "layer": found.layer,
        "pass": found.turn,
    }
    assert tried.groupdict() == {name: said[name] for name in names}


def test_a_path_of_many_places_takes_no_time() -> None:
    begun = time.monotonic()
    file = ExportFile(Path("e.txt"), "/".join(["a" * 250] * 10) + ".txt")
    with pytest.raises(BadInput, match="does not fit the path"):
        named_by_path([file], "{annotator}a{document}a{layer}a{pass}!.txt")
    assert time.monotonic() - begun < 1


ROWS: list[tuple[str, ...]] = [
    (unit, annotator, label)
    for number, (unit, first, second) in enumerate(
        [("énoncé", "é", "é"), ("à", "é", "ü"), ("ô", "ü", "ü"), ("û", "ü", "é")]
    )
    for annotator, label in (("Zoé", first), ("Loïc", second), ("Ann", first if number else second))
]


def _apart(text: str) -> str:
    return unicodedata.normalize("NFD", text)


def _mixed(rows: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return rows of which every other is written with the letters taken apart."""
    return [tuple(map(_apart, row)) if number % 2 else row for number, row in enumerate(rows)]


def _csv(rows: list[tuple[str, ...]]) -> str:
    return "".join(f"{','.join(row)}\n" for row in [("item", "annotator", "label"), *rows])


def _written(folder: Path, kind: str, rows: list[tuple[str, ...]]) -> Path:
    file = folder / f"ratings.{kind}"
    if kind == "csv":
        file.write_text(_csv(rows), encoding="utf-8")
    elif kind == "json":
        names = ("item", "annotator", "label")
        file.write_text(json.dumps([dict(zip(names, row, strict=True)) for row in rows]), encoding="utf-8")
    elif kind == "sqlite":
        with sqlite3.connect(file) as database:
            database.execute("create table ratings (item text, annotator text, label text)")
            database.executemany("insert into ratings values (?, ?, ?)", rows)
        database.close()
    else:
        with duckdb.connect(str(file) if kind == "duckdb" else ":memory:") as connection:
            connection.execute("create table ratings (item varchar, annotator varchar, label varchar)")
            connection.executemany("insert into ratings values (?, ?, ?)", rows)
            if kind == "parquet":
                connection.execute(f"copy ratings to '{file}'")
    return file


@pytest.mark.parametrize(
    ("kind", "engine"),
    [
        ("csv", "memory"),
        ("csv", "duckdb"),
        ("json", None),
        ("parquet", None),
        ("duckdb", None),
        ("sqlite", None),
    ],
)
def test_names_are_one_however_accents_are_written(tmp_path: Path, kind: str, engine: str | None) -> None:
    file = _written(tmp_path, kind, _mixed(ROWS))
    ratings = read_export([(file, file.name)], ReaderOptions(engine=Engine(engine))).ratings
    assert set(ratings.labels) == {"é", "ü"}
    assert set(ratings.annotators) == {"Zoé", "Loïc", "Ann"}
    assert set(ratings.unit_names) == {"énoncé", "à", "ô", "û"}


def test_wide_tables_and_names_in_paths_are_composed(tmp_path: Path) -> None:
    file = tmp_path / "wide.csv"
    file.write_text(_apart("item,Zoé,Loïc\nà,é,é\nô,ü,ü\n"), encoding="utf-8")
    assert read_export([(file, file.name)]).ratings.annotators == ("Zoé", "Loïc")
    for name in ("Zoé", "Loïc"):
        (tmp_path / f"{name}.csv").write_text("item,label\nà,é\nô,ü\n", encoding="utf-8")
    files = [(tmp_path / f"{name}.csv", _apart(f"{name}.csv")) for name in ("Zoé", "Loïc")]
    found = read_export(files, ReaderOptions(path="{annotator}"))
    assert found.ratings.annotators == ("Zoé", "Loïc")


def test_campaign_toml_may_write_names_in_either_form(tmp_path: Path) -> None:
    (tmp_path / "ratings.csv").write_text(_csv([*ROWS]), encoding="utf-8")
    text = (
        'title = "T"\n[task]\ncategories = ["é", "ü"]\nnon_annotated = "ô"\n[annotators."Zoé"]\n'
        'role = "reference"\n[[guidelines]]\nversion = "1"\nexports = "ratings.csv"\nmissing = ["à"]\n'
    )
    (tmp_path / "campaign.toml").write_text(_apart(text), encoding="utf-8")
    campaign = load(tmp_path)
    assert campaign.version("1").layers[0].categories == ("é", "ü")
    assert [*campaign.annotators] == ["Zoé"]
