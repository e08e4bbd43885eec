"""From disagreements to a gold standard: a sheet goes out and comes back, held against the exports."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from openpyxl import Workbook

from reportgen.base.errors import BadInput
from reportgen.base.files import as_cell, from_cell
from reportgen.campaign import Task, load
from reportgen.measures.annotators import decisions
from reportgen.measures.annotators.adjudication import with_reference
from reportgen.measures.annotators.decisions import CAUSES, LayerAdjudication, units_of
from reportgen.pipeline.reading import VersionExports, read_campaign
from reportgen.pipeline.version_reports import Report
from reportgen.readers import Annotations, TextMarks
from reportgen.results import Adjudication as Adjudicated
from reportgen.units import LayerSettings
from tests.campaigns import finding, report_of, written
from tests.rendered import version_files
from tests.slowly import slow_but
from tests.units.marked import annotations, copy

TEXT = "Anna Berg met Ben in Paris .\n"
BRAT = {
    "exports/1.0/anna/d1.txt": TEXT,
    "exports/1.0/anna/d1.ann": "T1\tPER 0 9\tAnna Berg\nT2\tLOC 21 26\tParis\nT3\tPER 14 17\tBen\n",
    "exports/1.0/anna/d2.txt": "Nobody .\n",
    "exports/1.0/anna/d2.ann": "",
    "exports/1.0/anna/d3.txt": "Rome and Ann .\n",
    "exports/1.0/anna/d3.ann": "T1\tLOC 0 4\tRome\nT2\tPER 9 12\tAnn\n",
    "exports/1.0/ben/d1.txt": TEXT,
    "exports/1.0/ben/d1.ann": "T1\tPER 0 4\tAnna\nT2\tLOC 21 26\tParis\nT3\tLOC 14 17\tBen\n",
    "exports/1.0/ben/d2.txt": "Nobody .\n",
    "exports/1.0/ben/d2.ann": "",
    "exports/1.0/ben/d3.txt": "Rome and Ann .\n",
    "exports/1.0/ben/d3.ann": "T1\tLOC 0 4\tRome\n",
}
RATINGS = {
    "exports/1.0/e.csv": "document,unit,Ann,Bob,Cid\n"
    "d1,1,yes,no,yes\nd1,2,no,no,\nd2,1,no,yes,maybe\nd2,2,,yes,\nd2,3,yes,yes,yes\n"
}
SHEET = "adjudication/1.0.csv"

Row = dict[str, str]


def campaign(folder: Path, files: Mapping[str, str], toml: str = "", sheet: str = "") -> Path:
    """Write a campaign; with a sheet, its text stands where campaign.toml names it."""
    extra = {SHEET: sheet} if sheet else {}
    made = written(folder / "campaign", toml, {**files, **extra})
    if sheet:
        _name(made, f'"{SHEET}"')
    return made


def _name(folder: Path, value: str) -> None:
    toml = folder / "campaign.toml"
    toml.write_text(f"{toml.read_text(encoding='utf-8')}adjudication = {value}\n", encoding="utf-8")


def read_back(folder: Path) -> VersionExports:
    return read_campaign(load(folder))[-1]


def rows_of(report: Report) -> list[Row]:
    return list(csv.DictReader(io.StringIO(report.beside["tables/adjudication.csv"])))


def as_csv(rows: Sequence[Row], delimiter: str = ",", end: str = "\n") -> str:
    buffer = io.StringIO(newline="")
    writer = csv.DictWriter(buffer, list(rows[0]), delimiter=delimiter, lineterminator=end)
    writer.writeheader()
    writer.writerows(rows)
    return buffer.getvalue()


def filled(rows: Sequence[Row], *answers: tuple[str, str]) -> list[Row]:
    """Return the rows with decisions and causes; rows without an answer stay open."""
    given = [*answers, *[("", "")] * (len(rows) - len(answers))]
    pairs = zip(rows, given, strict=True)
    return [{**row, "decision": decision, "cause": cause} for row, (decision, cause) in pairs]


def problems(folder: Path) -> list[tuple[int, str, str, str]]:
    with pytest.raises(BadInput) as caught:
        read_back(folder)
    return [(each.line, each.key, each.message, each.remedy) for each in caught.value.problems]


def only(report: Report) -> Adjudicated:
    assert report.results.adjudication is not None
    (found,) = report.results.adjudication
    return found


# The sheet


def test_every_disagreement_in_a_text_is_a_row_with_its_stretch_in_context(tmp_path: Path) -> None:
    rows = rows_of(report_of(campaign(tmp_path, BRAT)))
    assert list(rows[0]) == [
        *("layer", "document", "unit", "offsets", "before", "text", "after"),
        *("A01", "A02", "decision", "cause"),
    ]
    shown = [(row["document"], row["offsets"], row["text"], row["A01"], row["A02"]) for row in rows]
    assert shown == [
        ("d1", "0-4", "Anna", "(unmarked)", "PER"),
        ("d1", "0-9", "Anna Berg", "PER", "(unmarked)"),
        ("d1", "14-17", "Ben", "PER", "LOC"),
        ("d3", "9-12", "Ann", "PER", "(unmarked)"),
    ]
    assert (rows[2]["before"], rows[2]["after"]) == ("Anna Berg met ", " in Paris . ")
    assert {(row["layer"], row["unit"], row["decision"], row["cause"]) for row in rows} == {
        ("main", "", "", "")
    }


def test_units_of_a_table_are_named_and_a_missing_rating_is_an_empty_cell(tmp_path: Path) -> None:
    rows = rows_of(report_of(campaign(tmp_path, RATINGS)))
    assert [tuple(row.values()) for row in rows] == [
        ("main", "d1", "1", "", "", "", "", "yes", "no", "yes", "", ""),
        ("main", "d2", "1", "", "", "", "", "no", "yes", "maybe", "", ""),
    ]


def test_rows_are_stretches_whatever_unit_sets_are_declared(tmp_path: Path) -> None:
    sets = '[[unit_sets]]\nid = "s"\nunits = "annotated-by-all"\n'
    assert len(rows_of(report_of(campaign(tmp_path, BRAT, sets)))) == 4


def test_units_without_a_name_are_numbered_in_their_document(tmp_path: Path) -> None:
    files = {"exports/1.0/e.csv": "document,A,B\nd1,x,y\nd1,x,x\nd2,y,x\nd2,y,x\n"}
    rows = rows_of(report_of(campaign(tmp_path / "out", files)))
    assert [(row["document"], row["unit"]) for row in rows] == [("d1", "#1"), ("d2", "#1"), ("d2", "#2")]
    back = campaign(tmp_path / "in", files, sheet=as_csv(filled(rows, ("x", ""), ("", ""), ("y", ""))))
    assert [(row["document"], row["unit"]) for row in rows_of(report_of(back))] == [("d2", "#1")]


def test_there_is_no_sheet_where_texts_are_withheld_or_units_have_neither_name_nor_place(
    tmp_path: Path,
) -> None:
    withheld = report_of(campaign(tmp_path / "a", BRAT, '[privacy]\ntexts = "withhold"\n'))
    matrix = report_of(campaign(tmp_path / "b", {"exports/1.0/m.csv": "A\\B,x,y\nx,5,1\ny,2,5\n"}))
    for each in (withheld, matrix):
        assert "tables/adjudication.csv" not in each.beside
        assert each.results.adjudication is None


def test_without_a_sheet_the_results_say_how_much_is_open(tmp_path: Path) -> None:
    found = json.loads(dict(version_files(report_of(campaign(tmp_path, BRAT)).results, {}))["results.json"])
    assert found["adjudication"] == [{"layer": "main", "open": 4, "listed": True, "filled": False}]


@pytest.mark.slow
def test_a_crowd_has_one_column_that_counts_labels(tmp_path: Path) -> None:
    lines = ["unit,annotator,label"]
    lines += [
        f"u{unit},w{who:02},{'yes' if who % 3 or unit else 'no'}" for unit in range(3) for who in range(60)
    ]
    files = {"exports/1.0/e.csv": "\n".join(lines)}
    rows = rows_of(report_of(campaign(tmp_path / "out", files)))
    assert [(row["unit"], row["labels"]) for row in rows] == [("u0", "no (20), yes (40)")]
    assert "A01" not in rows[0]
    back = report_of(campaign(tmp_path / "in", files, sheet=as_csv(filled(rows, ("no", "")))))
    assert (only(back).decided, only(back).open) == (1, 0)


# The way back


@pytest.fixture(scope="module")
def sheet(tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    return rows_of(report_of(campaign(tmp_path_factory.mktemp("out"), BRAT)))


@pytest.fixture
def rows(sheet: list[Row]) -> list[Row]:
    return [dict(each) for each in sheet]


def test_decided_rows_are_gone_from_the_next_sheet(tmp_path: Path, rows: list[Row]) -> None:
    sheet = as_csv(filled(rows, ("(unmarked)", "guideline silent"), ("PER", " Slip ")))
    report = report_of(campaign(tmp_path, BRAT, sheet=sheet))
    assert [row["offsets"] for row in rows_of(report)] == ["14-17", "9-12"]
    found = only(report)
    assert (found.decided, found.open, found.agreed, found.independent) == (2, 2, 2, False)
    assert found.causes == {
        "(unmarked)": {"guideline silent": 1, "slip": 1},
        "PER": {"guideline silent": 1, "slip": 1},
    }
    assert found.by_cause == {"guideline silent": 1, "slip": 1}
    assert found.annotators is not None
    shown = {name: (each.units, each.agreed) for name, each in found.annotators.items()}
    assert shown == {"A01": (2, 2), "A02": (2, 0)}
    assert SHEET in [each.file for each in report.results.inputs]


def test_a_sheet_for_what_is_left_is_named_beside_the_first(tmp_path: Path, rows: list[Row]) -> None:
    first = campaign(tmp_path, BRAT, sheet=as_csv(filled(rows, ("(unmarked)", ""), ("PER", ""))))
    second = filled(rows_of(report_of(first)), ("PER", ""), ("PER", ""))
    (first / "adjudication/second.csv").write_text(as_csv(second), encoding="utf-8")
    toml = (first / "campaign.toml").read_text(encoding="utf-8")
    toml = toml.replace(f'adjudication = "{SHEET}"', f'adjudication = ["{SHEET}", "adjudication/second.csv"]')
    (first / "campaign.toml").write_text(toml, encoding="utf-8")
    report = report_of(first)
    assert rows_of(report) == []
    assert (only(report).decided, only(report).open) == (4, 0)


def test_the_decisions_are_a_reference_that_annotators_are_scored_against(
    tmp_path: Path, rows: list[Row]
) -> None:
    plain = report_of(campaign(tmp_path / "plain", BRAT)).results
    sheet = as_csv(filled(rows, ("(unmarked)", ""), ("PER", ""), ("PER", "")))
    back = campaign(tmp_path / "back", BRAT, sheet=sheet)
    (export,) = read_back(back).annotations
    assert (export.derived, export.roles) == (("adjudicated",), {"adjudicated": "reference"})
    assert export.attendance is not None
    documents = dict(zip(export.content.documents, export.attendance[:, -1].tolist(), strict=True))
    # In d3 one disagreement is open, so that the reference has not seen it.
    assert documents == {"d1": 3, "d2": 2, "d3": 0}
    report = report_of(back).results
    assert report.spans is not None
    scored = {each.annotators: each for each in report.spans.pairs}
    against = scored["adjudicated", "A01"]
    assert (against.counts.match, against.counts.only_first, against.counts.only_second) == (3, 0, 0)
    against = scored["adjudicated", "A02"]
    assert (against.counts.match, against.counts.overlap, against.counts.only_first) == (1, 1, 1)
    assert [each.independent for each in report.spans.pairs] == [False, False, None]
    # It never enters agreement, and its marks are neither read nor left out.
    assert report.unit_sets == plain.unit_sets
    assert (report.marks, report.left_out, report.material) == (plain.marks, plain.left_out, plain.material)


def test_one_annotators_document_is_no_reference(tmp_path: Path, rows: list[Row]) -> None:
    alone = {"exports/1.0/anna/d4.txt": "Bonn .\n", "exports/1.0/anna/d4.ann": "T1\tLOC 0 4\tBonn\n"}
    sheet = as_csv(filled(rows, ("PER", ""), ("(unmarked)", ""), ("LOC", ""), ("PER", "")))
    (export,) = read_back(campaign(tmp_path, {**BRAT, **alone}, sheet=sheet)).annotations
    assert export.attendance is not None
    assert export.attendance[:, -1].tolist() == [3, 2, 3, 0]


@pytest.mark.slow
def test_decisions_on_units_of_a_table_change_no_figure(tmp_path: Path) -> None:
    toml = '[task]\nnon_annotated = "nothing"\n'
    out = report_of(campaign(tmp_path / "out", RATINGS, toml))
    sheet = as_csv(filled(rows_of(out), ("yes", "slip"), ("nothing", "other")))
    back = campaign(tmp_path / "in", RATINGS, toml, sheet)
    (export,) = read_back(back).annotations
    assert export.content.annotators[-1] == "adjudicated"
    report = report_of(back)
    assert report.results.unit_sets == out.results.unit_sets
    assert report.results.marks == out.results.marks
    found = only(report)
    assert (found.decided, found.open, found.agreed) == (2, 0, 2)
    assert found.annotators is not None
    assert {name: (each.units, each.agreed) for name, each in found.annotators.items()} == {
        "A01": (2, 1),
        "A02": (2, 0),
        "A03": (2, 1),
    }
    assert found.causes is not None
    assert found.causes["maybe"] == {"other": 1}


def test_control_items_are_for_nobody_to_decide(tmp_path: Path) -> None:
    table = "unit,A,B\n1,x,x\n2,x,y\n3,y,x\n4,y,y\n"
    files = {"exports/1.0/e.csv": table}
    before = rows_of(report_of(campaign(tmp_path / "before", files)))
    assert [row["unit"] for row in before] == ["2", "3"]
    known = {**files, "known.csv": "unit,label\n1,x\n2,x\n"}
    report = report_of(campaign(tmp_path / "after", known, '[controls]\nfile = "known.csv"\n'))
    assert [row["unit"] for row in rows_of(report)] == ["3"]
    assert only(report).open == 1
    sheet = as_csv(filled(before, ("x", ""), ("y", "")))
    late = report_of(campaign(tmp_path / "late", known, '[controls]\nfile = "known.csv"\n', sheet))
    assert (only(late).open, only(late).agreed) == (0, 1), "a sheet of before still fits"


@pytest.mark.slow
def test_two_layers_share_a_sheet(tmp_path: Path) -> None:
    files = {"exports/1.0/e.csv": "unit,annotator,tone,stance\n1,A,x,p\n1,B,y,p\n2,A,x,p\n2,B,x,q\n"}
    toml = '[[layers]]\nid = "tone"\n[[layers]]\nid = "stance"\n'
    rows = rows_of(report_of(campaign(tmp_path / "out", files, toml)))
    assert [(row["layer"], row["unit"]) for row in rows] == [("tone", "1"), ("stance", "2")]
    report = report_of(campaign(tmp_path / "in", files, toml, as_csv(filled(rows, ("", ""), ("q", "slip")))))
    assert report.results.adjudication is not None
    shown = [(each.layer, each.decided, each.open) for each in report.results.adjudication]
    assert shown == [("tone", 0, 1), ("stance", 1, 0)]
    files_of = dict(version_files(report.results, report.beside))
    assert "tables/adjudication-causes~stance.csv" in files_of


def test_pseudonyms_may_have_changed_since_the_sheet_was_made(tmp_path: Path, rows: list[Row]) -> None:
    swapped = [{**row, "A01": row["A02"], "A02": row["A01"]} for row in filled(rows, ("PER", ""))]
    renamed = as_csv(swapped).replace("A01", "A07")
    found = only(report_of(campaign(tmp_path, BRAT, sheet=renamed)))
    assert found.decided == 1


def test_a_set_of_labels_can_be_decided_in_any_order(tmp_path: Path) -> None:
    files = {
        "exports/1.0/a/d.txt": "Paris .\n",
        "exports/1.0/a/d.ann": "T1\tLOC 0 5\tParis\nT2\tORG 0 5\tParis\n",
        "exports/1.0/b/d.txt": "Paris .\n",
        "exports/1.0/b/d.ann": "T1\tLOC 0 5\tParis\n",
    }
    rows = rows_of(report_of(campaign(tmp_path / "out", files)))
    assert (rows[0]["A01"], rows[0]["A02"]) == ("LOC|ORG", "LOC")
    back = campaign(tmp_path / "in", files, sheet=as_csv(filled(rows, ("ORG | LOC", ""))))
    (export,) = read_back(back).annotations
    assert isinstance(export.content, TextMarks)
    marks = zip(export.content.annotator.tolist(), export.content.label.tolist(), strict=True)
    labels = [export.content.labels[label] for who, label in marks if who == 2]
    assert sorted(labels) == ["LOC", "ORG"]


def test_the_reference_has_the_features_that_all_marks_of_its_label_share(tmp_path: Path) -> None:
    files = dict(BRAT)
    files["exports/1.0/anna/d1.ann"] += "A1\tSure T2 yes\nA2\tKind T2 city\n"
    files["exports/1.0/ben/d1.ann"] += "A1\tSure T2 yes\nA2\tKind T2 town\n"
    rows = rows_of(report_of(campaign(tmp_path / "out", files, '[[layers]]\nid = "place"\nsource = "LOC"\n')))
    toml = '[[layers]]\nid = "place"\nsource = "LOC"\n'
    back = campaign(tmp_path / "in", files, toml, as_csv(filled(rows, ("LOC", ""))))
    (export,) = read_back(back).annotations
    features = [dict(each) for each in export.content.features]  # type: ignore[union-attr]  # marks in texts
    assert {"Sure": "yes"} in features[-3:]


WORDS = ("a", "b", "c")


@given(
    st.lists(
        st.lists(
            st.dictionaries(st.integers(0, 3), st.sampled_from("XY"), max_size=4) | st.none(),
            min_size=3,
            max_size=3,
        ),
        min_size=1,
        max_size=3,
    ),
    st.data(),
)
def test_the_reference_is_what_was_decided_and_what_all_agree_on(
    documents: list[list[dict[int, str] | None]], data: st.DataObject
) -> None:
    """Marks are given by the word that they stand on, for each annotator who saw the document."""
    copies = [
        copy(who, "a b c d", [(2 * word, 2 * word + 1, label) for word, label in marks.items()], f"d{number}")
        for number, each in enumerate(documents)
        for who, marks in zip(WORDS, each, strict=True)
        if marks is not None
    ]
    assume(copies)
    export = annotations(*copies)
    request = LayerSettings(Task(), (), {}, {}, "c.toml")
    sheet = units_of(export, request)
    decisions: dict[int, str] = {}
    expected: dict[str, dict[tuple[int, int], str]] = {}
    finished: dict[str, bool] = {}
    for number, name in enumerate(export.content.documents):
        seen = [marks for marks in documents[int(name[1:])] if marks is not None]
        finished[name] = len(seen) > 1
        for word in sorted({word for marks in seen for word in marks}):
            place = (2 * word, 2 * word + 1)
            labels = sorted({marks.get(word, "(unmarked)") for marks in seen})
            final = labels[0]
            if len(labels) > 1:
                final = data.draw(st.sampled_from([*labels, ""]))
                finished[name] &= bool(final)
                if final:
                    decisions[sheet.by_place[number, (place,)]] = final
            if len(seen) > 1 and final in ("X", "Y"):
                expected.setdefault(name, {})[place] = final
    found = with_reference(export, LayerAdjudication(sheet, decisions, {}, filled=True), request)
    assert (found is export) == (not decisions)
    if decisions:
        assert marks_of(found) == expected
        assert found.attendance is not None
        states = zip(found.content.documents, found.attendance[:, -1].tolist(), strict=True)
        assert {name: state > 0 for name, state in states} == finished


def marks_of(export: Annotations) -> dict[str, dict[tuple[int, int], str]]:
    """Return the reference's label by document and place."""
    content = export.content
    assert isinstance(content, TextMarks)
    found: dict[str, dict[tuple[int, int], str]] = {}
    spans = zip(
        content.span_mark.tolist(), content.span_start.tolist(), content.span_end.tolist(), strict=True
    )
    for mark, start, end in spans:
        if content.annotators[content.annotator[mark]] == "adjudicated":
            label = content.labels[content.label[mark]]
            found.setdefault(content.documents[content.document[mark]], {})[start, end] = label
    return found


# Spreadsheets


HABITS = ((",", "\n"), (";", "\r\n"), ("\t", "\r\n"))
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16")


@pytest.mark.parametrize(
    ("encoding", "delimiter", "end"),
    slow_but(
        [(encoding, *habit) for encoding, habit in product(ENCODINGS, HABITS)],
        *((encoding, *habit) for encoding, habit in zip(ENCODINGS, HABITS, strict=True)),
    ),
)
def test_a_sheet_survives_a_spreadsheets_habits(
    tmp_path: Path, rows: list[Row], delimiter: str, end: str, encoding: str
) -> None:
    folder = campaign(tmp_path, BRAT, sheet="later")
    shown = [{**row, "": "", "my notes": 'see "d2", or not;'} for row in filled(rows, ("PER", "SLIP"))]
    (folder / SHEET).write_bytes(as_csv(shown, delimiter, end).encode(encoding))
    assert only(report_of(folder)).decided == 1


def test_a_workbook_is_read_too(tmp_path: Path, rows: list[Row]) -> None:
    book = Workbook()
    (sheet,) = book.worksheets
    shown = filled(rows, ("PER", "slip"), ("", ""), ("LOC", "Text  ambiguous"))
    sheet.append(list(shown[0]))
    for row in shown:
        sheet.append([value or None for value in row.values()])
    folder = campaign(tmp_path, BRAT)
    (folder / "adjudication").mkdir()
    book.save(folder / "adjudication/1.0.xlsx")
    _name(folder, '"adjudication/1.0.xlsx"')
    found = only(report_of(folder))
    assert (found.decided, found.by_cause) == (2, {"slip": 1, "text ambiguous": 1})


def test_offsets_that_a_spreadsheet_took_for_a_date_are_understood(tmp_path: Path) -> None:
    files = {
        name: text.replace("Rome and Ann .", "The Rome of Anns . . . . Bonn and more")
        for name, text in BRAT.items()
    }
    files["exports/1.0/anna/d3.ann"] = "T1\tLOC 4 8\tRome\nT2\tPER 12 15\tAnn\n"
    files["exports/1.0/ben/d3.ann"] = "T1\tLOC 4 39\tx\n".replace("39\tx", "16\tRome of Anns")
    rows = rows_of(report_of(campaign(tmp_path / "out", files)))
    assert [row["offsets"] for row in rows if row["document"] == "d3"] == ["4-8", "4-16", "12-15"]
    mangled = {"4-8": "08-Apr", "4-16": "2026-04-16", "12-15": "15-Dec"}
    dated = [{**row, "offsets": mangled.get(row["offsets"], row["offsets"])} for row in rows]
    answers = [("PER" if row["document"] == "d3" else "", "") for row in rows]
    assert (
        only(report_of(campaign(tmp_path / "in", files, sheet=as_csv(filled(dated, *answers))))).decided == 3
    )


@pytest.mark.parametrize(
    ("cell", "spans"),
    [
        ("12-18", [((12, 18),)]),
        ("12-18;20-22", [((12, 18), (20, 22))]),
        (" 12 – 18 ; 20-22 ", [((12, 18), (20, 22))]),
        ("9-May", [((5, 9),)]),
        ("May-40", [((5, 40),)]),
        ("2040-05-01", [((1, 5),), ((5, 40),)]),
        ("Rome", []),
        ("", []),
    ],
)
def test_offsets_are_read_from_cells(cell: str, spans: list[tuple[tuple[int, int], ...]]) -> None:
    assert decisions.possible(cell) == spans


def test_numbers_that_a_spreadsheet_shortened_are_recognised(tmp_path: Path) -> None:
    files = {"exports/1.0/e.csv": "unit,A,B\n007,1.0,2.0\n008,2.0,1.0\n009,1.0,1.0\n"}
    rows = rows_of(report_of(campaign(tmp_path / "out", files)))
    short = [
        {name: value.removeprefix("00").removesuffix(".0") for name, value in row.items()} for row in rows
    ]
    found = only(
        report_of(campaign(tmp_path / "in", files, sheet=as_csv(filled(short, ("1", ""), ("2", "")))))
    )
    assert (found.decided, found.annotators and found.annotators["A01"].agreed) == (2, 2)


HOSTILE = (
    *("=1+1", "+2", "-x", "-", "-1e5", "@SUM(A1)", " =3", "\t=2", "\r3", "\n4", "'=1", "''+", "'\t"),
    *("-5", 'a;b,c"d\ne', "'quoted'"),
)


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20) | st.sampled_from(HOSTILE))
def test_any_text_is_read_back_as_it_was_written(text: str) -> None:
    cell = as_cell(text)
    assert from_cell(cell) == text
    # No spreadsheet computes what is written.
    assert not cell.startswith(("=", "+", "@", "\t", "\r", "\n"))
    assert not cell.startswith("-") or float(cell) < 0
    found = decisions.NameLookup(["x", text])
    assert found.find(cell) == (1 if text != "x" else 0) or not text.isprintable()


def test_hostile_names_and_labels_come_back(tmp_path: Path) -> None:
    lines = [["document", "unit", "annotator", "label"]]
    labels = [text for text in HOSTILE if text.strip() and text not in (" =3", "\r3")]
    for number, label in enumerate(labels):
        lines += [
            [f"={number}", f"-u{number}", who, other] for who, other in (("decision", label), ("=B", "x"))
        ]
    buffer = io.StringIO(newline="")
    csv.writer(buffer).writerows(lines)
    files = {"exports/1.0/e.csv": buffer.getvalue()}
    toml = '[privacy]\nannotators = "names"\n'
    rows = rows_of(report_of(campaign(tmp_path / "out", files, toml)))
    assert len(rows) == len(labels)
    assert {"annotator decision", "'=B"} <= set(rows[0])
    decided = filled(rows, *[(row["annotator decision"], "") for row in rows])
    found = only(report_of(campaign(tmp_path / "in", files, toml, as_csv(decided))))
    assert found.annotators is not None
    assert found.annotators["decision"].agreed == len(labels)


def test_context_is_on_one_line_and_ends_at_words() -> None:
    text = "word " * 30 + "here\n\tit  is " + "word " * 30
    start = text.index("it")
    assert decisions.before(text, start).startswith("…word ")
    assert decisions.before(text, start).endswith("here ")
    assert decisions.after(text, start + 2).startswith(" is word")
    assert decisions.after(text, start + 2).endswith("word…")
    assert decisions.covered("a\nb  c", [(0, 3), (5, 6)]) == "a b … c"
    assert len(decisions.covered("x" * 50_000, [(0, 50_000)])) < 32_000


# Refused, row by row


def changed(rows: Sequence[Row], number: int, **cells_of_row: str) -> list[Row]:
    return [{**row, **(cells_of_row if place == number else {})} for place, row in enumerate(rows)]


@pytest.mark.parametrize(
    ("change", "column", "said"),
    [
        ({"layer": "mian"}, "column layer", 'no layer is called "mian". Did you mean "main"?'),
        ({"layer": ""}, "column layer", "is empty."),
        (
            {"document": "d11"},
            "column document",
            'no document of layer "main" is called "d11". Did you mean "d1"?',
        ),
        ({"document": ""}, "column document", "is empty."),
        ({"offsets": "14-19"}, "column text", 'is "Ben", but 14-19 is "Ben i". Take the row'),
        ({"offsets": "14-1700"}, "column offsets", "is 14-1700, but the document has 29 characters."),
        (
            {"offsets": "10-13", "text": "met"},
            "column offsets",
            "no annotator marked 10-13 in this document.",
        ),
        (
            {"offsets": "here"},
            "column offsets",
            'is "here"; offsets such as "12-18" were expected. Write "14-17"',
        ),
        ({"text": "Bin"}, "column text", 'is "Bin", but 14-17 is "Ben".'),
        (
            {"A01": "LOC"},
            "labels of the annotators",
            'are "LOC", "LOC", but the exports have LOC (1), PER (1).',
        ),
        ({"A01": ""}, "labels of the annotators", 'are "LOC", but the exports have LOC (1), PER (1).'),
        (
            {"decision": "PRE"},
            "column decision",
            '"PRE" is not a category of layer "main". Did you mean "PER"?',
        ),
        ({"cause": "silp"}, "column cause", '"silp" is not a cause that is known. Did you mean "slip"?'),
    ],
)
def test_a_row_that_does_not_fit_the_exports_is_refused_with_its_line(
    tmp_path: Path, rows: list[Row], change: Row, column: str, said: str
) -> None:
    found = problems(campaign(tmp_path, BRAT, sheet=as_csv(changed(filled(rows), 2, **change))))
    ((line, key, message, remedy),) = found
    assert (line, key) == (4, column)
    assert f"{message} {remedy}".startswith(said)


def test_all_rows_of_a_sheet_are_refused_at_once(tmp_path: Path, rows: list[Row]) -> None:
    wrong = changed(filled(rows, ("PRE", "because"), ("PER", "slip")), 2, document="d9", cause="none")
    twice = [*wrong, {**wrong[1], "decision": "LOC"}, {**wrong[1], "cause": "other", "offsets": "x-y"}]
    found = problems(campaign(tmp_path, BRAT, sheet=as_csv(twice)))
    assert [(line, key) for line, key, _, _ in found] == [
        (2, "column cause"),
        (2, "column decision"),
        (4, "column cause"),
        (4, "column document"),
        (6, "column decision"),
        (7, "column offsets"),
    ]
    assert found[4][2] == 'is "LOC", but the same unit has "PER" on line 3.'


def test_a_unit_may_be_decided_twice_alike(tmp_path: Path, rows: list[Row]) -> None:
    same = filled(rows, ("PER", "slip"))
    assert only(report_of(campaign(tmp_path, BRAT, sheet=as_csv([*same, same[0]])))).decided == 1


def test_missing_columns_are_all_named(tmp_path: Path, rows: list[Row]) -> None:
    lacking = [
        {name: value for name, value in row.items() if name not in ("offsets", "cause")} for row in rows
    ]
    found = problems(campaign(tmp_path, BRAT, sheet=as_csv(lacking)))
    assert [(line, key, message) for line, key, message, _ in found] == [
        (1, "first row", 'has no column "cause".'),
        (1, "first row", 'has no column "offsets".'),
    ]


def test_a_unit_that_is_not_there_and_a_damaged_sheet_are_refused(tmp_path: Path) -> None:
    rows = rows_of(report_of(campaign(tmp_path / "out", RATINGS)))
    found = problems(campaign(tmp_path / "a", RATINGS, sheet=as_csv(changed(rows, 1, unit="11"))))
    assert found[0][:3] == (3, "column unit", 'no unit in document "d2" is called "11".')
    assert problems(campaign(tmp_path / "b", RATINGS, sheet=",,\n\n"))[0][2] == "is empty."
    longer = as_csv(rows).replace("d1,1,", "d1,1,,,,,,,,,,,,x,", 1)
    assert problems(campaign(tmp_path / "c", RATINGS, sheet=longer))[0][0] == 2


def test_problems_of_a_sheet_come_with_those_of_the_campaign(tmp_path: Path) -> None:
    rows = rows_of(report_of(campaign(tmp_path / "out", RATINGS)))
    toml = '[task]\nscale = "ordinal"\n'
    found = problems(campaign(tmp_path / "in", RATINGS, toml, as_csv(filled(rows, ("yse", "")))))
    assert any(key in {"task.scale", "task.categories"} for _, key, _, _ in found)


@pytest.mark.parametrize(
    "toml", ['[annotators.adjudicated]\nrole = "system"\n', '[annotators.anna]\nsame_as = "adjudicated"\n']
)
def test_the_references_name_is_nobody_elses(tmp_path: Path, rows: list[Row], toml: str) -> None:
    found = problems(campaign(tmp_path, BRAT, toml, as_csv(rows)))
    assert [key for _, key, _, _ in found] == ["guidelines.1.adjudication"]
    assert 'an annotator is called "adjudicated"' in found[0][2]


def test_an_annotator_in_the_exports_cannot_be_called_like_the_reference(
    tmp_path: Path, rows: list[Row]
) -> None:
    files = {name.replace("anna", "Adjudicated"): text for name, text in BRAT.items()}
    found = problems(campaign(tmp_path, files, sheet=as_csv(rows)))
    assert 'an annotator is called "Adjudicated"' in found[0][2]


@pytest.mark.slow
def test_a_sheet_that_lies_among_the_exports_is_none_of_them(tmp_path: Path) -> None:
    rows = rows_of(report_of(campaign(tmp_path / "out", RATINGS)))
    folder = campaign(
        tmp_path / "in", {**RATINGS, "exports/1.0/sheet.csv": as_csv(filled(rows, ("yes", "")))}
    )
    _name(folder, '"exports/1.0/sheet.csv"')
    assert only(report_of(folder)).decided == 1


# What is read


def test_a_cause_without_a_decision_is_counted_and_stays_in_the_sheet(
    tmp_path: Path, rows: list[Row]
) -> None:
    report = report_of(campaign(tmp_path, BRAT, sheet=as_csv(filled(rows, ("", "Guideline-Silent")))))
    assert (only(report).decided, only(report).by_cause) == (0, {"guideline silent": 1})
    assert [row["cause"] for row in rows_of(report)] == ["guideline silent", "", "", ""]


@pytest.mark.slow
def test_the_page_names_the_category_and_cause_that_the_guidelines_should_settle_first(
    tmp_path: Path, rows: list[Row]
) -> None:
    sheet = as_csv(filled(rows, ("PER", "guideline silent"), ("PER", "guideline silent"), ("PER", "slip")))
    report = report_of(campaign(tmp_path, BRAT, sheet=sheet))
    files = dict(version_files(report.results, report.beside))
    for page in ("index.html", "report.html", "report.md"):
        assert "of the disagreements over PER, 2 have the cause “guideline silent”" in files[page]
    assert 'href="tables/adjudication.csv"' in files["index.html"]
    assert 'href="tables/' not in files["report.html"]
    assert "adjudicated (reference, not independent)" in files["index.html"]
    assert files["tables/adjudication-causes.csv"] == (
        "category,guideline_silent,slip\nPER,2,1\n(unmarked),2,0\nLOC,0,1\n"
    )
    assert files["tables/adjudication-annotators.csv"].splitlines()[1:] == [
        f"{who},3,{times},{right},,,,,,3,,{others},{apart},,,,,,3,,,"
        for who, times, right, others, apart in (
            ("A01", 2, "0.666666666667", "0.333333333333", "0.333333333333"),
            ("A02", 1, "0.333333333333", "0.666666666667", "-0.333333333333"),
        )
    ]


def test_hostile_categories_run_nothing_in_the_section(tmp_path: Path) -> None:
    attack = "<script>ran(1)</script>"
    files = {"exports/1.0/e.csv": f"unit,A,B\n1,{attack},x\n2,x,x\n"}
    rows = rows_of(report_of(campaign(tmp_path / "out", files)))
    report = report_of(campaign(tmp_path / "in", files, sheet=as_csv(filled(rows, (attack, "slip")))))
    files_of = dict(version_files(report.results, report.beside))
    for page in ("index.html", "report.html", "report.md"):
        assert attack not in files_of[page]
        assert "&lt;script&gt;" in files_of[page]


@pytest.mark.slow
@pytest.mark.parametrize("cause", CAUSES)
def test_a_finding_names_the_most_frequent_cause_and_what_follows(tmp_path: Path, cause: str) -> None:
    table = "".join(f"{unit},x,{'y' if unit else 'z'},\n" for unit in range(6))
    files = {"exports/1.0/e.csv": f"unit,A,B,C\n{table}"}
    rows = rows_of(report_of(campaign(tmp_path / "out", files)))
    four = report_of(campaign(tmp_path / "four", files, sheet=as_csv(filled(rows, *[("x", cause)] * 4))))
    assert finding(four.results, "causes") is None
    report = report_of(campaign(tmp_path / "in", files, sheet=as_csv(filled(rows, *[("x", cause)] * 6))))
    found = finding(report.results, "causes")
    assert found is not None
    assert (found.values["cause"], found.values["times"], found.values["category"]) == (cause, 6, "x")
    assert found.advice


def test_causes_are_told_apart_whatever_spaces_hyphens_and_case() -> None:
    assert [decisions.cause_of(f"  {cause.upper().replace('-', ' ')} ") for cause in CAUSES] == list(CAUSES)
    assert decisions.cause_of("because") is None
