"""Columns of what annotators are, beside each of their labels."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from reportgen.base.errors import BadInput
from reportgen.readers import Engine, ExportFile, ReaderOptions, read_export, recognise
from reportgen.readers.survey import ExportSurvey, look

ROWS = "item,worker,label,age,L1\nu1,anna,x,18-29,fr\nu1,ben,y,60+,\nu2,anna,x,18-29,fr\nu2,ben,x,60+,de\n"
COLUMNS = {"unit": "item", "annotator": "worker", "label": "label"}
BOTH = ("age", "L1")


def read(
    folder: Path, text: str, options: ReaderOptions, name: str = "labels.csv"
) -> dict[str, dict[str, str]]:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return {name: dict(own) for name, own in read_export([(path, name)], options).groups.items()}


def refused(folder: Path, text: str, options: ReaderOptions, name: str = "labels.csv") -> str:
    with pytest.raises(BadInput) as error:
        read(folder, text, options, name)
    (problem,) = error.value.problems
    return f"{problem.line}: {problem.key}: {problem.message} {problem.remedy}"


@pytest.mark.parametrize("columns", [COLUMNS, {}])
def test_columns_say_what_annotators_are(tmp_path: Path, columns: dict[str, str]) -> None:
    found = read(tmp_path, ROWS, ReaderOptions(columns=columns, groups=BOTH))
    assert found == {"anna": {"age": "18-29", "L1": "fr"}, "ben": {"age": "60+", "L1": "de"}}


def test_columns_of_groups_are_neither_labels_nor_left_uncompared(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(ROWS, encoding="utf-8")
    found = read_export([(path, "labels.csv")], ReaderOptions(groups=BOTH))
    assert set(found.ratings.labels) == {"x", "y"}
    assert found.not_compared == {}


def test_two_values_of_one_annotator_are_an_error_with_its_line(tmp_path: Path) -> None:
    wrong = ROWS.replace("u2,ben,x,60+,de", "u2,ben,x,50-59,de\nu3,ben,x,40-49,de")
    assert refused(tmp_path, wrong, ReaderOptions(columns=COLUMNS, groups=BOTH)) == (
        '5: columns.group: "ben" has "60+" in column "age" before, and "50-59" here. '
        "Give each annotator one value, or empty the cells where it is not known."
    )


def test_a_column_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    said = refused(tmp_path, ROWS, ReaderOptions(columns=COLUMNS, groups=("agee",)))
    assert said.startswith('1: columns.group: there is no column "agee".')
    assert "age" in said


def test_where_annotators_are_columns_the_campaign_says_it(tmp_path: Path) -> None:
    wide = "item,age,anna,ben\nu1,18,x,y\nu2,18,x,x\n"
    said = refused(tmp_path, wide, ReaderOptions(groups=("age",)))
    assert "here each annotator is a column" in said
    assert "[annotators.NAME] group" in said


def test_formats_without_columns_refuse_them(tmp_path: Path) -> None:
    doccano = '{"id": 1, "text": "a b", "label": [[0, 1, "X"]], "username": "anna"}\n'
    assert "tables with a row for each label" in refused(
        tmp_path, doccano, ReaderOptions(groups=("age",), format="doccano"), "anna.jsonl"
    )


def test_an_engine_does_not_read_them(tmp_path: Path) -> None:
    options = ReaderOptions(columns=COLUMNS, groups=BOTH, engine=Engine("duckdb"))
    assert "read in memory alone" in refused(tmp_path, ROWS, options)


def crowd(rows: Sequence[str]) -> str:
    return "\n".join(("_unit_id,_worker_id,_golden,label,age,country", *rows, ""))


def test_of_crowds_they_are_read_but_for_where_workers_are(tmp_path: Path) -> None:
    text = crowd(
        ["1,7,false,x,18-29,FRA", "1,8,false,y,60+,DEU", "2,7,true,x,18-29,FRA", "2,8,false,x,60+,DEU"]
    )
    found = read(tmp_path, text, ReaderOptions(groups=("age",), columns={"label": "label"}))
    assert found == {"7": {"age": "18-29"}, "8": {"age": "60+"}}
    assert "never read" in refused(tmp_path, text, ReaderOptions(groups=("country",)))


# What `init` and `open` suggest


def looked_at(folder: Path, text: str) -> ExportSurvey:
    (folder / "r.csv").write_text(text, encoding="utf-8")
    known = recognise([ExportFile(folder / "r.csv", "r.csv")])
    assert known
    return look(known.reader, known.read)


def crossed(header: str, row: str) -> str:
    """Return a table in which four people label ten units; rows are given what is known of both."""
    of_people = [
        ("w1", "25", "f", "de"),
        ("w2", "25", "m", "fr"),
        ("w3", "61", "f", "de"),
        ("w4", "", "m", "de"),
    ]
    rows = [
        row.format(
            unit=f"u{unit}",
            label="yn"[(unit + n) % 5 % 2],
            of="ab"[unit % 2],
            who=who,
            age=age,
            sex=sex,
            l1=l1,
        )
        for unit in range(10)
        for n, (who, age, sex, l1) in enumerate(of_people)
    ]
    return "\n".join([header, *rows, ""])


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("item,worker,label,age,gender,native_language", ("age", "gender", "native_language")),
        ("item,worker,label,Alter,Geschlecht,Muttersprache", ("Alter", "Geschlecht", "Muttersprache")),
        ("item,worker,label,Âge,sexe,L1", ("Âge", "sexe", "L1")),
        ("item,rid,toxic,annotator_age,WorkerSex,L1", ("annotator_age", "WorkerSex", "L1")),
        ("item,worker,label,shift,team,room", ()),
        ("_unit_id,_worker_id,label,age,gender,country", ("age", "gender")),
    ],
)
def test_columns_that_say_what_annotators_are_may_be_groups_and_are_no_labels(
    tmp_path: Path, header: str, found: tuple[str, ...]
) -> None:
    survey = looked_at(tmp_path, crossed(header, "{unit},{who},{label},{age},{sex},{l1}"))
    assert survey.groups == found
    assert survey.annotators == ("w1", "w2", "w3", "w4")
    assert set(survey.as_one_layer.labels) == {"y", "n"}


def test_what_varies_within_annotators_or_follows_from_units_is_no_group(tmp_path: Path) -> None:
    rows = "{unit},{who},{label},{of},{sex}{of}"
    assert looked_at(tmp_path, crossed("item,worker,label,language,country", rows)).groups == ()
    alike = crossed("item,worker,label,gender", "{unit},{who},{label},f")
    assert looked_at(tmp_path, alike).groups == ()
