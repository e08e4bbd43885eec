"""When labels were given and how long it took: units, zones, platforms, tables, and what is no time."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from reportgen.readers import ReaderOptions, read_export
from reportgen.readers.work_times import MONTH_FIRST, UNKNOWN, WorkTimes, duration, moment, role_of, written

NOON = 1_714_564_800_000  # 2024-05-01T12:00:00Z
HOUR = 3_600_000
PEOPLE = ("anna", "ben", "cleo")


@pytest.mark.parametrize(
    ("written_as", "at"),
    [
        ("2024-05-01T12:00:00Z", NOON),
        ("2024-05-01T14:00:00+02:00", NOON),
        ("2024-05-01 12:00:00", NOON),
        ("2024-05-01T12:00:00.250000Z", NOON + 250),
        ("2024-05-01", NOON - 12 * HOUR),
        (NOON // 1_000, NOON),
        (NOON / 1_000 + 0.5, NOON + 500),
        (NOON, NOON),
        (str(NOON), NOON),
        (NOON * 1_000, NOON),
        (NOON * 1_000_000, NOON),
        ("Wed May 01 05:00:00 PDT 2024", NOON),
        ("Wed May 01 12:00:00 UTC 2024", NOON),
    ],
)
def test_a_moment_is_the_same_however_it_is_written(written_as: object, at: int) -> None:
    assert moment(written_as) == at


@pytest.mark.parametrize(
    "value",
    [
        *("", "now", "12", 12, True, None, float("nan"), float("inf"), 1e30, "20240501", "1900-01-01", []),
        10**400,
        *("2024-13-01", "5/1/2024 12:00:00", "Wed May 01 05:00:00 XYZ 2024", "9" * 60, "99/99/2024 10:00"),
    ],
)
def test_what_is_no_moment_is_unknown(value: object) -> None:
    assert moment(value) == UNKNOWN


def test_a_date_with_the_month_first_is_read_where_it_is_known_to_be_first() -> None:
    assert moment("5/1/2024 12:00:00", MONTH_FIRST) == NOON
    assert moment("13/1/2024 12:00:00", MONTH_FIRST) == UNKNOWN


@pytest.mark.parametrize(
    ("value", "taken"),
    [(2.5, 2_500), ("2.5", 2_500), ("2,5", 2_500), ("1:02", 62_000), ("1:00:01.5", HOUR + 1_500)]
    + [("Time spent: 0d 0h 1m 2s ", 62_000), ("2s", 2_000), ("2 min 5 s", 5_000)]
    + [(value, UNKNOWN) for value in (0, "0", -1, "-1", "", "soon", None, True, float("nan"), 1e12, 10**400)],
)
def test_how_long_something_took_is_milliseconds(value: object, taken: int) -> None:
    assert duration(value) == taken


@pytest.mark.parametrize(
    ("role", "names"),
    [
        (
            "taken",
            ("lead_time", "WorkTimeInSeconds", "Duration (in seconds)", "rt", "time_s", "milliseconds"),
        ),
        ("start", ("AcceptTime", "_started_at", "Startzeit", "début")),
        ("end", ("SubmitTime", "created_at", "updated_at", "_timestamp", "date", "Endzeit", "fin")),
        ("", ("ms", "topic_s", "min", "label", "weekend", "hours", "hours_per_week")),
    ],
)
def test_a_column_is_known_by_its_words(role: str, names: Sequence[str]) -> None:
    assert {role_of(name)[0] for name in names} == {role}


def test_of_two_moments_the_submission_says_when_and_the_change_does_not() -> None:
    assert role_of("submitted_at")[1] < role_of("created_at")[1] < role_of("updated_at")[1]


def test_a_moment_is_written_as_a_day_or_a_second() -> None:
    assert written(NOON + 999, whole_days=True) == "2024-05-01"
    assert written(NOON + 999, whole_days=False) == "2024-05-01T12:00:00Z"


# Tables.


def table(rows: Mapping[tuple[str, str], str], head: str) -> str:
    lines = [f"{unit},{who},{'x' if unit < 'u5' else 'y'},{more}" for (unit, who), more in rows.items()]
    return "\n".join((f"item,annotator,label,{head}", *lines, ""))


def of_table(tmp_path: Path, text: str, name: str = "r.csv", **columns: str) -> WorkTimes | None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read_export([(path, name)], ReaderOptions(columns=columns)).times


def each(more: str, units: int = 8) -> dict[tuple[str, str], str]:
    """Return rows by unit and annotator; `more` has places for the numbers of both."""
    return {
        (f"u{unit}", who): more.format(unit=unit, who=number, row=unit * len(PEOPLE) + number)
        for unit in range(units)
        for number, who in enumerate(PEOPLE)
    }


def taken_of(times: WorkTimes | None) -> list[int]:
    assert times is not None
    return [int(taken) for taken in times.taken]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("head", "more", "first"),
    [
        ("seconds", "{who}{unit}.5", 500),
        ("ms", "{who}{unit}", UNKNOWN),
        ("time_ms", "1{who}{unit}", 100),
        ("minutes", "1{who}{unit}", 6_000_000),
        ("lead_time", "1{who}{unit}", 100_000),
        ("duration_ms", "12{who}{unit}", 1_200),
        ("duration", "0:12:{who}{unit}", 720_000),
        *(
            (head, f"{size}{{who}}{{unit}}", UNKNOWN)
            for head in ("duration", "rt", "time")
            for size in (1, 12)
        ),
        ("duration", "12{who}{unit}.5", UNKNOWN),
    ],
)
def test_a_column_of_numbers_says_seconds_or_milliseconds_by_its_name_or_is_not_read(
    tmp_path: Path, head: str, more: str, first: int
) -> None:
    times = of_table(tmp_path, table(each(more), head))
    assert (times.taken.tolist()[0] if times else UNKNOWN) == first


def test_start_and_end_give_how_long_it_took_and_when(tmp_path: Path) -> None:
    more = "2024-05-01T12:0{unit}:0{who}Z,2024-05-01T12:0{unit}:3{who}Z"
    times = of_table(tmp_path, table(each(more), "started_at,submitted_at"))
    assert taken_of(times) == [30_000] * 24
    assert times is not None
    assert times.at.min() == NOON + 30_000


def test_labels_of_one_page_share_the_time_of_the_page(tmp_path: Path) -> None:
    # Four units a page: all rows of a page began and ended together.
    rows = {
        (f"u{unit}", who): f"2024-05-01T1{unit // 4}:00:0{number}Z,2024-05-01T1{unit // 4}:02:0{number}Z"
        for unit in range(8)
        for number, who in enumerate(PEOPLE)
    }
    assert taken_of(of_table(tmp_path, table(rows, "started_at,created_at"))) == [30_000] * 24


def test_the_time_of_a_whole_survey_is_shared_by_its_answers(tmp_path: Path) -> None:
    assert taken_of(of_table(tmp_path, table(each("8{who}0"), "duration_s"))) == [
        value for _ in range(8) for value in (100_000, 101_250, 102_500)
    ]


def test_times_that_go_backwards_are_no_time_and_still_a_date(tmp_path: Path) -> None:
    more = "2024-05-01T12:0{unit}:3{who}Z,2024-05-01T12:0{unit}:0{who}Z"
    times = of_table(tmp_path, table(each(more), "started_at,submitted_at"))
    assert times is not None
    assert set(times.taken.tolist()) == {UNKNOWN}
    assert times.at.min() == NOON


def test_the_date_of_a_unit_is_nobodys_work(tmp_path: Path) -> None:
    assert of_table(tmp_path, table(each("2024-05-1{unit}T12:00:00Z"), "created_at")) is None


@pytest.mark.parametrize("day", ["{unit}/1{who}/2024 10:00:00", "1{unit}/2{who}/2024 10:00:00"])
def test_a_day_that_may_be_a_month_is_not_read(tmp_path: Path, day: str) -> None:
    assert of_table(tmp_path, table(each(day), "date")) is None


def test_months_come_first_where_days_can_not(tmp_path: Path) -> None:
    times = of_table(tmp_path, table(each("5/2{who}/2024 1{unit}:00:00"), "_created_at"))
    assert times is not None
    assert written(int(times.at.min()), whole_days=True) == "2024-05-20"


def test_missing_times_are_missing_and_the_others_are_there(tmp_path: Path) -> None:
    rows = each("{row}.5")
    rows["u0", "anna"] = rows["u3", "ben"] = ""
    times = of_table(tmp_path, table(rows, "seconds"))
    assert len(taken_of(times)) == 22


def test_one_annotator_alone_may_have_times(tmp_path: Path) -> None:
    rows = {key: more if key[1] == "ben" else "" for key, more in each("{row}.5").items()}
    times = of_table(tmp_path, table(rows, "seconds"))
    assert times is not None
    assert set(times.annotator.tolist()) == {1}


def test_columns_with_other_things_than_times_are_none(tmp_path: Path) -> None:
    assert of_table(tmp_path, table(each("see {row}"), "date")) is None


def test_wide_tables_have_times_beside_each_annotator(tmp_path: Path) -> None:
    rows = [f"u{unit},{'ab'[unit % 2]},{unit + 1}.5,{'ab'[unit // 4]},{unit + 11}.5" for unit in range(8)]
    times = of_table(tmp_path, "\n".join(("item,anna,anna_seconds,ben,ben_seconds", *rows, "")))
    assert times is not None
    taken = {
        who: sorted(times.taken[times.annotator == code].tolist()) for code, who in enumerate(("anna", "ben"))
    }
    assert taken["anna"][0] == 1_500
    assert taken["ben"][0] == 11_500


# Tools.


def tasks(annotation: Mapping[str, Any], units: int = 4) -> str:
    result = {"from_name": "q", "to_name": "t", "type": "choices", "value": {"choices": ["x"]}}
    made = [
        {
            "id": number,
            "data": {"text": "x"},
            "annotations": [
                {"completed_by": {"email": who}, "result": [result], **annotation} for who in PEOPLE
            ],
        }
        for number in range(units)
    ]
    return json.dumps(made)


@pytest.mark.parametrize(
    ("annotation", "at", "taken"),
    [
        ({"created_at": "2024-05-01T12:00:00Z", "updated_at": "2024-06-01", "lead_time": 2.5}, NOON, 2_500),
        ({"updated_at": "2024-05-01T12:00:00.000000Z", "lead_time": 0}, NOON, UNKNOWN),
        ({"created_at": NOON, "lead_time": "4"}, NOON, 4_000),
    ],
)
def test_label_studio_says_when_and_how_long(
    tmp_path: Path, annotation: Mapping[str, Any], at: int, taken: int
) -> None:
    times = of_table(tmp_path, tasks(annotation), "e.json")
    assert times is not None
    assert (set(times.at.tolist()), set(times.taken.tolist()), len(times.at)) == ({at}, {taken}, 12)


def test_flat_exports_of_label_studio_say_it_too(tmp_path: Path) -> None:
    rows = [
        f"x,{unit},{'ab'[unit % 2]},{who},{unit},2024-05-01T12:00:00Z,,{unit + 1}.5"
        for unit in range(6)
        for who in PEOPLE
    ]
    head = "text,id,q,annotator,annotation_id,created_at,updated_at,lead_time"
    times = of_table(tmp_path, "\n".join((head, *rows, "")), "e.csv")
    assert times is not None
    assert (set(times.at.tolist()), max(times.taken.tolist())) == ({NOON}, 6_500)


def test_prodigy_says_when(tmp_path: Path) -> None:
    lines = [
        {"text": f"t{unit}", "_input_hash": unit, "_task_hash": unit, "options": ["a", "b"]}
        | {"answer": "accept", "accept": ["a"], "_session_id": f"d-{who}", "_view_id": "choice"}
        | {"_timestamp": NOON // 1_000 + unit}
        for unit in range(4)
        for who in PEOPLE
    ]
    times = of_table(tmp_path, "\n".join(map(json.dumps, lines)), "e.jsonl")
    assert times is not None
    assert (times.at.min(), times.at.max()) == (NOON, NOON + 3_000)


@pytest.mark.parametrize(
    ("about", "at", "taken"),
    [
        ({"time_string": "Time spent: 0d 0h 1m 2s "}, UNKNOWN, 62_000),
        ({"total_time_ms": 1_500}, UNKNOWN, 1_500),
        ({"session_start": NOON / 1_000 - 9, "session_end": NOON / 1_000}, NOON, 9_000),
    ],
)
def test_potato_says_how_long(tmp_path: Path, about: Mapping[str, Any], at: int, taken: int) -> None:
    for who in PEOPLE:
        lines = [
            {"id": str(unit), "displayed_text": "x", "label_annotations": {"tone": {"kind": "true"}}}
            | {"span_annotations": [], "behavioral_data": about}
            for unit in range(4)
        ]
        (tmp_path / who).mkdir()
        (tmp_path / who / "a.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    files = [(tmp_path / who / "a.jsonl", f"{who}/a.jsonl") for who in PEOPLE]
    times = read_export(files, ReaderOptions()).times
    assert times is not None
    assert (set(times.at.tolist()), set(times.taken.tolist())) == ({at}, {taken})


def test_doccano_of_old_says_when_the_last_annotation_was_made(tmp_path: Path) -> None:
    lines = [
        {
            "id": unit,
            "text": "a text",
            "annotations": [
                {"user": user, "label": 1, "start_offset": at, "end_offset": at + 1}
                | {"created_at": f"2024-05-0{at + 1}"}
                for user in (1, 2)
                for at in range(2)
            ],
        }
        for unit in range(3)
    ]
    times = of_table(tmp_path, "\n".join(map(json.dumps, lines)), "e.jsonl")
    assert times is not None
    assert {written(at, whole_days=True) for at in times.at.tolist()} == {"2024-05-02"}


def test_records_with_an_object_for_each_annotator_say_it_there(tmp_path: Path) -> None:
    records = [
        {
            "id": f"u{unit}",
            "responses": [
                {"user_id": who, "label": "ab"[unit % 2], "duration_s": unit + len(who) + 0.5}
                | {"submitted_at": NOON + unit * len(who)}
                for who in PEOPLE
            ],
        }
        for unit in range(4)
    ]
    times = of_table(tmp_path, json.dumps(records), "e.json")
    assert times is not None
    assert (times.at.max(), times.taken.max(), len(times.at)) == (NOON + 12, 7_500, 12)


def test_platforms_of_crowds_say_it(tmp_path: Path) -> None:
    head = "HITId,WorkerId,AssignmentStatus,AcceptTime,SubmitTime,WorkTimeInSeconds,Answer.tone"
    rows = [
        f"h{unit},{who},Approved,Wed May 01 05:00:00 PDT 2024,Wed May 01 05:00:{20 + unit + number} PDT 2024,"
        f"{20 + unit + number},{'kind' if unit % 2 else 'rude'}"
        for unit in range(6)
        for number, who in enumerate(PEOPLE)
    ]
    times = of_table(tmp_path, "\n".join((head, *rows, "")), "e.csv")
    assert times is not None
    assert (times.taken.min(), times.taken.max()) == (20_000, 27_000)
    assert times.at.min() == NOON + 20_000


def test_layers_of_the_same_rows_say_that_they_are_the_same(tmp_path: Path) -> None:
    first = of_table(tmp_path, table(each("x{row},{row}.5"), "other,seconds"), label="label")
    second = of_table(tmp_path, table(each("x{row},{row}.5"), "other,seconds"), label="other")
    assert first is not None
    assert second is not None
    assert first.source.tolist() == second.source.tolist()
