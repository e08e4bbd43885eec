"""When labels were given and how long it took: units, zones, platforms, tables, and what is no time."""

from collections.abc import Mapping, Sequence
from pathlib import Path

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
        ("taken", ("lead_time", "WorkTimeInSeconds", "Duration (in seconds)")),
        ("taken", ("rt", "time_s", "milliseconds")),
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
        *((head, "12{who}{unit}", UNKNOWN) for head in ("duration", "rt", "time")),
        *((head, "1{who}{unit}", UNKNOWN) for head in ("duration", "rt", "time")),
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


# Tools.


def test_layers_of_the_same_rows_say_that_they_are_the_same(tmp_path: Path) -> None:
    first = of_table(tmp_path, table(each("x{row},{row}.5"), "other,seconds"), label="label")
    second = of_table(tmp_path, table(each("x{row},{row}.5"), "other,seconds"), label="other")
    assert first is not None
    assert second is not None
    assert first.source.tolist() == second.source.tolist()
