"""From disagreements to a gold standard: a sheet goes out and comes back, held against the exports."""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from openpyxl import Workbook

from reportgen.base.errors import BadInput
from reportgen.base.files import as_cell, from_cell
from reportgen.campaign import Task, load
from reportgen.measures.annotators import decisions
from reportgen.measures.annotators.adjudication import with_reference
from reportgen.measures.annotators.annotator_vs_rest import shares_right
from reportgen.measures.annotators.decisions import CAUSES, LayerAdjudication, units_of
from reportgen.pipeline.reading import VersionExports, read_campaign
from reportgen.pipeline.version_reports import Report
from reportgen.readers import Annotations, TextMarks
from reportgen.results import Adjudication as Adjudicated
from reportgen.results.model import DisputeOutcome, MissingRule
from reportgen.units import CodedUnits, LayerSettings
from tests.campaigns import finding, report_of, written
from tests.commands import append, edit
from tests.rendered import as_csv, version_files
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
    append(folder / "campaign.toml", f"adjudication = {value}\n")


def read_back(folder: Path) -> VersionExports:
    return read_campaign(load(folder))[-1]


def rows_of(report: Report) -> list[Row]:
    return list(csv.DictReader(io.StringIO(report.beside["tables/adjudication.csv"])))


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
    """Rows are stretches whatever unit sets are declared."""
    sets = '[[unit_sets]]\nid = "s"\nunits = "annotated-by-all"\n'
    report = report_of(campaign(tmp_path, BRAT, sets))
    (open_,) = report.results.adjudication or ()
    assert (open_.layer, open_.open, open_.listed, open_.filled) == ("main", 4, True, False)
    rows = rows_of(report)
    head = "layer document unit offsets before text after A01 A02 decision cause"
    assert list(rows[0]) == head.split()
    shown = [(row["document"], row["offsets"], row["text"], row["A01"], row["A02"]) for row in rows]
    assert shown == [
        ("d1", "0-4", "Anna", "(unmarked)", "PER"),
        ("d1", "0-9", "Anna Berg", "PER", "(unmarked)"),
        ("d1", "14-17", "Ben", "PER", "LOC"),
        ("d3", "9-12", "Ann", "PER", "(unmarked)"),
    ]
    assert (rows[2]["before"], rows[2]["after"]) == ("Anna Berg met ", " in Paris . ")
    assert not any(row["unit"] or row["decision"] or row["cause"] for row in rows)


def test_units_of_a_table_are_named_and_a_missing_rating_is_an_empty_cell(tmp_path: Path) -> None:
    rows = rows_of(report_of(campaign(tmp_path, RATINGS)))
    assert [tuple(row.values()) for row in rows] == [
        ("main", "d1", "1", "", "", "", "", "yes", "no", "yes", "", ""),
        ("main", "d2", "1", "", "", "", "", "no", "yes", "maybe", "", ""),
    ]


def test_units_without_a_name_are_numbered_in_their_document(tmp_path: Path) -> None:
    files = {"exports/1.0/e.csv": "document,A,B\nd1,x,y\nd1,x,x\nd2,y,x\nd2,y,x\n"}
    rows = rows_of(report_of(campaign(tmp_path / "out", files)))
    assert [(row["document"], row["unit"]) for row in rows] == [("d1", "#1"), ("d2", "#1"), ("d2", "#2")]
    back = campaign(tmp_path / "in", files, sheet=as_csv(filled(rows, ("x", ""), ("", ""), ("y", ""))))
    assert [(row["document"], row["unit"]) for row in rows_of(report_of(back))] == [("d2", "#1")]


def test_there_is_no_sheet_of_withheld_texts_or_unnamed_units(tmp_path: Path) -> None:
    withheld = report_of(campaign(tmp_path / "a", BRAT, '[privacy]\ntexts = "withhold"\n'))
    matrix = report_of(campaign(tmp_path / "b", {"exports/1.0/m.csv": "A\\B,x,y\nx,5,1\ny,2,5\n"}))
    for each in (withheld, matrix):
        assert "tables/adjudication.csv" not in each.beside
        assert each.results.adjudication is None


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
    answered = filled(rows, ("(unmarked)", "guideline silent"), ("PER", " Slip "))
    # A unit may be decided twice alike.
    report = report_of(campaign(tmp_path, BRAT, sheet=as_csv([*answered, answered[0]])))
    assert [row["offsets"] for row in rows_of(report)] == ["14-17", "9-12"]
    found = only(report)
    assert (found.decided, found.open, found.agreed, found.independent) == (2, 2, 2, False)
    both = {"guideline silent": 1, "slip": 1}
    assert (found.causes, found.by_cause) == ({"(unmarked)": both, "PER": both}, both)
    assert found.annotators is not None
    shown = {name: (each.units, each.agreed) for name, each in found.annotators.items()}
    assert shown == {"A01": (2, 2), "A02": (2, 0)}
    assert SHEET in [each.file for each in report.results.inputs]


def test_a_sheet_for_what_is_left_is_named_beside_the_first(tmp_path: Path, rows: list[Row]) -> None:
    first = campaign(tmp_path, BRAT, sheet=as_csv(filled(rows, ("(unmarked)", ""), ("PER", ""))))
    second = filled(rows_of(report_of(first)), ("PER", ""), ("PER", ""))
    (first / "adjudication/second.csv").write_text(as_csv(second), encoding="utf-8")
    edit(first / "campaign.toml", f'"{SHEET}"', f'["{SHEET}", "adjudication/second.csv"]')
    report = report_of(first)
    assert rows_of(report) == []
    assert (only(report).decided, only(report).open) == (4, 0)


def test_decisions_are_a_reference_for_annotators(tmp_path: Path, rows: list[Row]) -> None:
    plain = report_of(campaign(tmp_path / "plain", BRAT)).results
    sheet = as_csv(filled(rows, ("(unmarked)", ""), ("PER", ""), ("PER", "")))
    alone = {"exports/1.0/anna/d4.txt": "Bonn .\n", "exports/1.0/anna/d4.ann": "T1\tLOC 0 4\tBonn\n"}
    (export,) = read_back(campaign(tmp_path / "alone", {**BRAT, **alone}, sheet=sheet)).annotations
    assert (export.derived, export.roles) == (("adjudicated",), {"adjudicated": "reference"})
    assert export.attendance is not None
    # In d3 one disagreement is open, and one annotator alone saw d4: the reference has not.
    assert export.attendance[:, -1].tolist() == [3, 2, 0, 0]
    report = report_of(campaign(tmp_path / "back", BRAT, sheet=sheet)).results
    assert report.spans is not None
    scored = {each.annotators: each.counts for each in report.spans.pairs}
    first, second = scored["adjudicated", "A01"], scored["adjudicated", "A02"]
    assert (first.match, first.only_first, first.only_second) == (3, 0, 0)
    assert (second.match, second.overlap, second.only_first) == (1, 1, 1)
    assert [each.independent for each in report.spans.pairs] == [False, False, None]
    # It never enters agreement, and its marks are neither read nor left out.
    assert report.unit_sets == plain.unit_sets
    assert (report.marks, report.left_out, report.material) == (plain.marks, plain.left_out, plain.material)


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
def test_what_the_reference_is(documents: list[list[dict[int, str] | None]], data: st.DataObject) -> None:
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


LABELS = "labels of the annotators"


@pytest.mark.parametrize(
    ("change", "column", "said"),
    [
        ({"layer": "mian"}, "column layer", 'no layer is called "mian". Did you mean "main"?'),
        ({"layer": ""}, "column layer", "is empty."),
        ({"document": "d11"}, "column document", 'no document of layer "main" is called "d11".'),
        ({"document": ""}, "column document", "is empty."),
        ({"offsets": "14-19"}, "column text", 'is "Ben", but 14-19 is "Ben i". Take the row'),
        ({"offsets": "14-1700"}, "column offsets", "is 14-1700, but the document has 29 characters."),
        (
            {"offsets": "10-13", "text": "met"},
            "column offsets",
            "no annotator marked 10-13 in this document.",
        ),
        ({"offsets": "here"}, "column offsets", 'is "here"; offsets such as "12-18" were expected.'),
        ({"text": "Bin"}, "column text", 'is "Bin", but 14-17 is "Ben".'),
        ({"A01": "LOC"}, LABELS, 'are "LOC", "LOC", but the exports have LOC (1), PER (1).'),
        ({"A01": ""}, LABELS, 'are "LOC", but the exports have LOC (1), PER (1).'),
        ({"decision": "PRE"}, "column decision", '"PRE" is not a category of layer "main".'),
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


@pytest.mark.parametrize(
    ("anna", "toml"),
    [
        ("anna", '[annotators.adjudicated]\nrole = "system"\n'),
        ("anna", '[annotators.anna]\nsame_as = "adjudicated"\n'),
        ("Adjudicated", ""),
    ],
)
def test_the_references_name_is_nobody_elses(tmp_path: Path, rows: list[Row], anna: str, toml: str) -> None:
    files = {name.replace("anna", anna): text for name, text in BRAT.items()}
    ((_, key, message, _),) = problems(campaign(tmp_path, files, toml, as_csv(rows)))
    assert key == "guidelines.1.adjudication"
    assert 'an annotator is called "adjudicated"' in message.casefold()


# What is read


def test_a_cause_without_a_decision_is_counted(tmp_path: Path, rows: list[Row]) -> None:
    report = report_of(campaign(tmp_path, BRAT, sheet=as_csv(filled(rows, ("", "Guideline-Silent")))))
    assert (only(report).decided, only(report).by_cause) == (0, {"guideline silent": 1})
    assert [row["cause"] for row in rows_of(report)] == ["guideline silent", "", "", ""]


def test_causes_are_told_apart_whatever_spaces_hyphens_and_case() -> None:
    assert [decisions.cause_of(f"  {cause.upper().replace('-', ' ')} ") for cause in CAUSES] == list(CAUSES)
    assert decisions.cause_of("because") is None


# What decisions tell: who was right how often, what is decided most often, what the guidelines lack

PEOPLE = ("Ann", "Bob", "Cid")
NAMES = '[privacy]\nannotators = "names"\n'
SILENT = "guideline silent"
# Who gives which label; what a sheet says of a unit: decision, cause, note.
Labels = Sequence[Sequence[str]]
Answer = tuple[str, str, str]


def decided(
    tmp_path: Path,
    labels: Labels,
    answers: Sequence[Answer],
    toml: str = NAMES,
    people: Sequence[str] = PEOPLE,
) -> Report:
    """Return the report of a table, a document for each unit, and of a sheet that decides the first units."""
    named = people if "names" in toml else [f"A{number:02}" for number in range(1, len(people) + 1)]
    units = [
        f"d{unit:03},u{unit:03},{who},{label}"
        for unit, own in enumerate(labels)
        for who, label in zip(people, own, strict=True)
    ]
    rows = [
        f"main,d{unit:03},u{unit:03},,,,,{','.join(own)},{decision},{cause},{note}"
        for unit, (own, (decision, cause, note)) in enumerate(zip(labels, answers, strict=False))
    ]
    sheet = f"layer,document,unit,offsets,before,text,after,{','.join(named)},decision,cause,note"
    files = {
        "exports/1.0/e.csv": "\n".join(("document,item,annotator,label", *units, "")),
        SHEET: "\n".join((sheet, *rows, "")),
    }
    folder = written(tmp_path / "campaign", toml, files)
    _name(folder, f'"{SHEET}"')
    return report_of(folder)


def files_of(found: Report) -> dict[str, str]:
    return dict(version_files(found.results, found.beside))


# Who was right.


def against(times: int, of: int = 20) -> list[Sequence[str]]:
    """Return units on which Bob differs from the other two, and is overruled in so many of them."""
    return [("x", "y", "x") if unit < times else ("y", "x", "y") for unit in range(of)]


def test_who_is_overruled_more_often_than_chance_gives_is_named(tmp_path: Path) -> None:
    found = decided(tmp_path, against(18), [("x", "slip", "")] * 20)
    people = only(found).annotators
    assert people is not None
    bob = people["Bob"]
    assert (bob.units, bob.agreed) == (20, 2)
    assert [bob.right.value, bob.others, bob.difference.value] == pytest.approx([0.1, 0.9, -0.8])
    assert bob.right.interval is not None
    assert bob.adjusted_p is not None
    assert bob.adjusted_p < 0.05
    named = finding(found.results, "overruled")
    assert named is not None
    assert (named.values["names"], named.severity) == ("Bob", "note")
    assert named.values["right_share"] == pytest.approx(0.1)


def test_who_is_right_on_every_other_decision_is_not_named(tmp_path: Path) -> None:
    found = decided(tmp_path, against(11), [("x", "slip", "")] * 20)
    assert finding(found.results, "overruled") is None
    page = files_of(found)["report.md"]
    assert "a test shows nobody to have been right less often than the others" in page


def test_decisions_in_five_documents_blame_nobody(tmp_path: Path) -> None:
    found = decided(tmp_path, against(5, 5), [("x", "", "")] * 5)
    people = only(found).annotators
    assert people is not None
    assert {own.p for own in people.values()} == {None}
    assert finding(found.results, "overruled") is None


def test_a_decision_for_what_nobody_said_is_against_all_alike(tmp_path: Path) -> None:
    labels = [("x", "y", "y"), ("y", "x", "z"), *against(6, 8)]
    found = decided(tmp_path, labels, [("z", "", ""), ("z", "", ""), *[("x", "", "")] * 8])
    people = only(found).annotators
    assert people is not None
    assert [people[name].agreed for name in PEOPLE] == [6, 2, 7]


def alarms(campaigns: int, people: int, documents: int, *, moods: bool) -> float:
    """Return in which share of simulated campaigns of equally good people somebody is right less often."""
    own, wrong, units = np.random.default_rng(people + documents), 0, documents * 4
    for _ in range(campaigns):
        truth = own.integers(0, 3, units)
        # With moods an annotator errs much in some documents and little in others.
        moody = np.where(own.random((people, documents)) < 0.3, 0.6, 0.1)
        error = moody if moods else np.full((people, documents), 0.25)
        errs = own.random((people, units)) < np.repeat(error, 4, axis=1)
        labels = np.where(errs, (truth + own.integers(1, 3, (people, units))) % 3, truth)
        disputed = (labels != labels[0]).any(axis=0)
        coded = CodedUnits(
            layer="main",
            annotators=tuple(f"p{number}" for number in range(people)),
            categories=("a", "b", "c"),
            documents=tuple(f"d{number}" for number in range(documents)),
            document=np.arange(units) // 4,
            weight=np.ones(units, dtype=np.int64),
            unit=np.tile(np.flatnonzero(disputed), people),
            annotator=np.repeat(np.arange(people), int(disputed.sum())),
            label=labels[:, disputed].reshape(-1),
        )
        ratings = coded.pairable
        for each in shares_right(ratings, ratings.label == truth[ratings.unit]):
            if (each.difference.value or 0) < 0 and each.adjusted_p is not None and each.adjusted_p < 0.05:
                wrong += 1
                break
    return wrong / campaigns


# Of 400 campaigns, 7.5% are two standard deviations above 5%; of 60, 10%.
@pytest.mark.parametrize(
    ("campaigns", "people", "documents", "moods", "most"),
    slow_but(
        [
            (60, 3, 20, True, 0.1),
            *((400, *case, 0.075) for case in product((2, 3, 6), (8, 30), (False, True))),
        ],
        (60, 3, 20, True, 0.1),
    ),
)
def test_among_equals_hardly_anybody_is_blamed(
    campaigns: int, people: int, documents: int, *, moods: bool, most: float
) -> None:
    assert alarms(campaigns, people, documents, moods=moods) <= most


# What was decided most often, and what the guidelines lack.

MIXED = [("x", "y", "x"), ("y", "x", "y"), ("x", "y", "z"), ("x", "x", "y"), ("z", "x", "z")]


def test_outcomes_are_by_labels_in_dispute_and_decision_the_most_frequent_first(tmp_path: Path) -> None:
    answers = [("x", "slip", ""), ("x", SILENT, ""), ("y", "", ""), ("y", "slip", ""), ("", SILENT, "")]
    found = only(decided(tmp_path, MIXED, answers))
    assert found.outcomes == (
        DisputeOutcome(labels=("x", "y"), decision="x", units=2, by_cause={"slip": 1, SILENT: 1}),
        DisputeOutcome(labels=("x", "y"), decision="y", units=1, by_cause={"slip": 1}),
        DisputeOutcome(labels=("x", "y", "z"), decision="y", units=1, by_cause={}),
        DisputeOutcome(labels=("x", "z"), units=1, by_cause={SILENT: 1}),
    )
    assert found.outcomes_in_all == 4


def test_notes_where_guidelines_are_silent_are_by_the_labels_in_dispute(tmp_path: Path) -> None:
    answers = [
        ("x", SILENT, "Say what x is."),
        ("", SILENT, "Say what x is."),
        ("y", "slip", "not this"),
        ("y", SILENT, "And y?"),
        ("", SILENT, ""),
    ]
    found = decided(tmp_path, MIXED, answers)
    assert only(found).missing_rules == (
        MissingRule(labels=("x", "y"), units=3, notes=("Say what x is.", "And y?")),
        MissingRule(labels=("x", "z"), units=1),
    )
    files = files_of(found)
    assert files["tables/adjudication-missing-rules.csv"] == (
        "labels,units,notes\nx / y,3,“Say what x is.” “And y?”\nx / z,1,\n"
    )
    for page in ("index.html", "report.html", "report.md"):
        assert "Say what x is." in files[page]
        assert "not this" not in files[page]


@pytest.mark.parametrize(("toml", "shown"), [("", ("Fine.",)), (NAMES, ("Ask bob.", "Fine."))])
def test_a_note_that_names_somebody_is_left_out(tmp_path: Path, toml: str, shown: tuple[str, ...]) -> None:
    found = only(decided(tmp_path, MIXED, [("x", SILENT, "Ask bob."), ("x", SILENT, "Fine.")], toml))
    assert found.missing_rules is not None
    assert found.missing_rules[0].notes == shown


@pytest.mark.parametrize("key", ['texts = "withhold"', 'documents = "pseudonyms"'])
def test_no_note_is_published_where_texts_or_documents_are_withheld(tmp_path: Path, key: str) -> None:
    found = decided(tmp_path, MIXED, [("x", SILENT, "A secret.")], f"{NAMES}{key}\n")
    assert only(found).missing_rules == (MissingRule(labels=("x", "y"), units=1),)
    assert "A secret." not in found.results.model_dump_json()


def test_a_hostile_note_or_category_runs_nothing(tmp_path: Path) -> None:
    attack, category = "<script>ran(1)</script> [x](javascript:ran(2)) =1+1", "<script>ran(3)</script>"
    labels = [("x", "y", "x"), (category, "x", "x")]
    files = files_of(decided(tmp_path, labels, [("x", SILENT, attack), (category, "slip", "")]))
    for page in ("index.html", "report.html", "report.md"):
        assert "<script>ran" not in files[page]
        assert "&lt;script&gt;ran(3)" in files[page]
        assert re.search(r"&lt;script(&gt;|\\?>)ran\\?\(1", files[page])
    assert "[x](javascript" not in files["report.md"]
    # A cell begins with a quotation mark, and never with what a spreadsheet computes.
    assert files["tables/adjudication-missing-rules.csv"].splitlines()[1].startswith("x / y,1,“<script>")
