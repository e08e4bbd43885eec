"""What exports have besides labels is counted: read = used + left out + not compared, counted in the test."""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from reportgen.readers import ReaderOptions, read_export
from tests.commands import run

UNITS, PEOPLE = 8, ("anna", "ben", "cleo")
# What somebody wrote about a unit.
Said = Callable[[int, str], object]


def label(number: int, who: str) -> str:
    return "yes" if (number + (who == "ben" and number == 3)) % 2 else "no"


def long(**columns: Said) -> str:
    """Return a table with a row for each label, and further columns."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(("item", "who", "label", *columns))
    for number in range(UNITS):
        for who in PEOPLE:
            own = (said(number, who) for said in columns.values())
            rows.writerow((f"i{number}", who, label(number, who), *own))
    return text.getvalue()


def agreed(folder: Path, text: str, *options: str) -> tuple[Mapping[str, int], int, int, int]:
    """Return what is not compared by kind, and how much was read, used and left out."""
    (folder / "r.csv").write_text(text, encoding="utf-8")
    answer = run("agree", folder / "r.csv", "--json", *options)
    assert answer.exit_code == 0, answer.output
    marks = json.loads(answer.stdout)["marks"]
    return marks.get("not_compared") or {}, marks["read"], marks["used"], sum(marks["left_out"].values())


def position(number: int, who: str) -> int:
    return number * len(PEOPLE) + PEOPLE.index(who)


LABELS = UNITS * len(PEOPLE)
COLUMNS: Sequence[tuple[Mapping[str, Said], Mapping[str, int]]] = (
    ({"seconds": lambda number, who: 3 + number % 4 + len(who)}, {"times": LABELS}),
    # Now and then, never two about one unit.
    (
        {"comment": lambda number, who: "hm" * (1 + number % 2) if who == "ben" and number > 4 else ""},
        {"comments": UNITS - 5},
    ),
    ({"sure": lambda number, who: (number + len(who)) % 3}, {"confidence of annotators": LABELS}),
    (
        {"suggestion": lambda number, who: "abc"[(number + PEOPLE.index(who)) % 3]},
        {"cells of further columns": LABELS},
    ),
    # About units, about people, or about rows.
    ({"time": lambda number, _: f"10:0{number}"}, {}),
    ({"age": lambda _, who: 30 + len(who)}, {}),
    ({"row": position}, {}),
    ({"source": lambda *_: "news"}, {}),
)  # fmt: skip


def names(*_: object) -> str:
    return "columns"


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "expected"), COLUMNS, ids=names)
def test_columns_in_which_annotators_said_something_are_counted(
    columns: Mapping[str, Said], expected: Mapping[str, int], tmp_path: Path
) -> None:
    options = ("--columns", "unit=item", "--columns", "annotator=who", "--columns", "label=label")
    found, read, used, left_out = agreed(tmp_path, long(**columns), *options)
    assert found == expected
    assert (used, left_out) == (LABELS, 0)
    assert read == LABELS + sum(expected.values())


def test_a_wide_table_has_comments_and_times_by_what_columns_are_called(tmp_path: Path) -> None:
    labels = [",".join(label(number, who) for who in PEOPLE) for number in range(UNITS)]
    rows = [
        f"i{number},{own},{'hm' if number % 3 else ''},{number},x{number}"
        for number, own in enumerate(labels)
    ]
    text = "\n".join((f"item,{','.join(PEOPLE)},Bemerkungen,seconds,place", *rows, ""))
    found, read, used, _ = agreed(tmp_path, text)
    remarks = sum(bool(number % 3) for number in range(UNITS))
    assert found == {"times": UNITS, "comments": remarks}
    assert read == used + UNITS + remarks


def test_columns_of_zero_and_one_are_labels_and_not_beside_them(tmp_path: Path) -> None:
    names = ("joy", "anger", "fear", "trust")
    rows = [
        ",".join(
            (
                f"i{number}",
                who,
                *(str(int((number + n + len(who) * (number % 4 == 0)) % 3 == 0)) for n in range(4)),
            )
        )
        for number in range(UNITS)
        for who in PEOPLE
    ]
    found, read, used, _ = agreed(tmp_path, "\n".join((f"item,who,{','.join(names)}", *rows, "")))
    assert (found, read, used) == ({}, LABELS, LABELS)


def test_times_and_notes_of_label_studio_are_counted_in_json_and_in_tables(tmp_path: Path) -> None:
    def result(number: int, who: str) -> dict[str, object]:
        note = {"meta": {"text": ["why?"]}} if who == "ben" else {}
        return {
            "from_name": "q",
            "to_name": "text",
            "type": "choices",
            "value": {"choices": [label(number, who)]},
            **note,
        }

    tasks = [
        {
            "id": number,
            "data": {"text": "x"},
            "annotations": [
                {"completed_by": {"email": who}, "lead_time": 2.5, "result": [result(number, who)]}
                for who in PEOPLE
            ],
        }
        for number in range(UNITS)
    ]
    rows = [
        f"x,{number},{label(number, who)},{who},{number},{3 if who == 'anna' else ''}\n"
        for number in range(UNITS)
        for who in PEOPLE
    ]
    files = {
        "e.json": json.dumps(tasks),
        "e.csv": "text,id,q,annotator,annotation_id,lead_time\n" + "".join(rows),
    }
    expected = {"e.json": {"times": LABELS, "comments": UNITS}, "e.csv": {"times": UNITS}}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        answer = run("agree", tmp_path / name, "--json")
        assert answer.exit_code == 0, answer.output
        marks = json.loads(answer.stdout)["marks"]
        assert marks["not_compared"] == expected[name]
        assert (
            marks["read"]
            == marks["used"] + sum(expected[name].values())
            == LABELS + sum(expected[name].values())
        )


def test_a_table_of_label_studio_may_lack_times(tmp_path: Path) -> None:
    # The names by which the tool is known are in a title; the row of names below has no times.
    title, names = (
        "annotator,annotation_id,lead_time" + "," * 7,
        "text,id,q,annotator,annotation_id,a,b,c,d,e",
    )
    rows = [f"x,{n},{label(n, who)},{who},{n},1,2,3,4,5" for n in range(UNITS) for who in PEOPLE]
    path = tmp_path / "e.csv"
    path.write_text("\n".join((title, names, *rows, "")), encoding="utf-8")
    found = read_export([(path, "e.csv")], ReaderOptions())
    assert (found.marks_read, found.not_compared) == (LABELS, {})


def test_what_annotators_wrote_in_prodigy_is_counted(tmp_path: Path) -> None:
    lines: list[dict[str, Any]] = [
        {
            "text": f"text {number}",
            "_input_hash": number,
            "_task_hash": number,
            "options": [{"id": "yes"}, {"id": "no"}],
            "accept": [label(number, who)],
            "answer": "accept",
            "_session_id": f"set-{who}",
            "user_input": "hm" if number % 2 else " ",
        }
        for number in range(UNITS)
        for who in PEOPLE
    ]
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    (tmp_path / "set.jsonl").write_text(text, encoding="utf-8")
    marks = json.loads(run("agree", tmp_path / "set.jsonl", "--json").stdout)["marks"]
    written_texts = sum(bool(line["user_input"].strip()) for line in lines)
    assert marks["not_compared"] == {"comments": written_texts}
    assert marks["read"] == marks["used"] + written_texts == LABELS + written_texts
