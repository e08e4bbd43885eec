"""Agreement over the calendar, who drifts, and how long annotators take."""

import csv
import datetime as dt
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reportgen
from reportgen.measures.annotators.times import MOST_PERIODS, seconds
from reportgen.readers.work_times import written
from reportgen.results import Results
from reportgen.results.annotators import AnnotatorPace, DriftStep, LayerTimes, Period
from tests.campaigns import finding, results
from tests.campaigns import written as campaign_of
from tests.commands import run
from tests.present import present

FIRST = dt.datetime(2024, 5, 1, 8, tzinfo=dt.UTC)
PEOPLE = ("anna", "ben", "cleo")
HEAD = "document,item,annotator,label,created_at"
NAMES = '[privacy]\nannotators = "names"\n'
# The day on which somebody labels a unit, None where that is not known, and whether they err.
Day = Callable[[int, str], float | None]
Errs = Callable[[int, str], bool]


def often(unit: int, who: str) -> bool:
    return (unit * 7 + len(who)) % 5 == 0 and who != "ben"


def rows(
    units: int, day: Day, errs: Errs = often, people: Sequence[str] = PEOPLE, in_document: int = 2
) -> list[str]:
    """Return the rows of an export; two annotators agree where neither errs."""
    made = []
    for unit in range(units):
        for who in people:
            when = day(unit, who)
            label = "abc"[(unit + errs(unit, who)) % 3]
            at = (
                ""
                if when is None
                else f"{FIRST + dt.timedelta(days=when, minutes=PEOPLE.index(who)):%Y-%m-%dT%H:%M:%SZ}"
            )
            made.append(f"d{unit // in_document:03},u{unit:03},{who},{label},{at}")
    return made


def export(made: Sequence[str]) -> str:
    return "\n".join((HEAD, *made, ""))


def steadily(unit: int, _: str) -> float:
    """Return the day of a unit where ten are labelled a day."""
    return unit / 10 // 1


def times(found: Results) -> LayerTimes:
    return present(found.times).layers[0]


def periods(tmp_path: Path, made: Sequence[str], toml: str = NAMES) -> tuple[Period, ...]:
    return times(results(tmp_path, toml, export(made))).periods


def twenty_a_day(unit: int, _: str) -> float:
    return unit // 20


TWO = PEOPLE[:2]
STRETCHES: dict[str, tuple[list[str], list[int], list[str] | None]] = {
    "days are joined until there are twenty units, and the rest belongs to the last": (
        *(rows(75, steadily), [20, 20, 35]),
        ["2024-05-02", "2024-05-04", "2024-05-08"],
    ),
    "five documents of ten units": (rows(100, steadily, in_document=10), [50, 50], None),
    "a day is never divided": (rows(120, lambda unit, _: unit // 60), [60, 60], ["2024-05-01", "2024-05-02"]),
    "one alone is no progress": (rows(39, steadily), [], None),
    "most": (rows(20 * MOST_PERIODS, twenty_a_day, people=TWO), [20] * MOST_PERIODS, None),
    "one more, joined to twice the size": (
        *(rows(20 * (MOST_PERIODS + 1), twenty_a_day, people=TWO), [40] * (MOST_PERIODS // 2 - 1) + [60]),
        None,
    ),
    "nobody labelled what another did": (
        *([row for row in rows(60, steadily, people=TWO) if ("anna" in row) == (row < "d015")], [], None),
    ),
    "units with a label of unknown date are in none": (
        *(rows(90, lambda unit, who: None if unit % 3 == 0 and who == "ben" else unit // 30), [20] * 3, None),
    ),
}


@pytest.mark.parametrize("name", STRETCHES)
def test_stretches_of_days_have_so_many_units(name: str, tmp_path: Path) -> None:
    made, units, last = STRETCHES[name]
    found = periods(tmp_path, made)
    assert [own.units for own in found] == units
    assert last is None or [own.last for own in found] == last


@pytest.mark.slow
@pytest.mark.parametrize("people", [PEOPLE, PEOPLE[:2]])
def test_so_far_is_what_an_export_of_that_day_has(tmp_path: Path, people: Sequence[str]) -> None:
    def day(unit: int, who: str) -> float:
        return unit // 15 + 2 * (who == "ben")

    made = rows(90, day, people=people)
    found = results(tmp_path / "whole", NAMES, export(made))
    own = times(found).periods
    assert len(own) >= 3
    for number, period in enumerate(own[:-1]):
        until = [row for row in made if row.rpartition(",")[2][:10] <= period.last]
        then = results(tmp_path / str(number), NAMES, export(until))
        unit_set = then.primary
        expected = unit_set.measures["krippendorff_alpha"]
        assert (period.so_far.value, period.so_far.interval) == (expected.value, expected.interval)
        assert (period.labelled, period.doubled) == (unit_set.units, unit_set.units_compared)
    assert own[-1].so_far.value == found.primary.measures["krippendorff_alpha"].value
    assert own[-1].so_far.interval == found.primary.measures["krippendorff_alpha"].interval


def test_a_stretch_has_the_agreement_of_the_units_that_were_finished_in_it(tmp_path: Path) -> None:
    made = rows(60, lambda unit, who: unit // 20 + (who == "cleo"))
    found = periods(tmp_path / "whole", made)
    assert [own.units for own in found] == [20, 20, 20]
    for number, period in enumerate(found):
        own = [row for row in made if int(row.split(",")[1][1:]) // 20 == number]
        then = results(tmp_path / str(number), NAMES, export(own))
        assert period.figure.value == then.primary.measures["krippendorff_alpha"].value


def test_a_unit_with_one_label_is_labelled_and_has_not_two(tmp_path: Path) -> None:
    made = rows(60, lambda unit, _: unit // 20)
    alone = [row.replace(",u", ",v") for row in rows(10, lambda *_: 4, people=("anna",))]
    found = periods(tmp_path, [*made, *alone])
    assert [(own.last, own.labelled, own.doubled) for own in found] == [
        ("2024-05-01", 20, 20),
        ("2024-05-02", 40, 40),
        ("2024-05-05", 70, 60),
    ]


# Who drifts, since when.


def drifting(since: int | None) -> list[str]:
    """Return an export in which ben errs often from some day on; five units of a document each a day."""
    own = random.Random(3)  # noqa: S311 - no secret
    wrong = {
        (unit, who): own.random()
        < (0.6 if who == "ben" and since is not None and unit // 5 >= since else 0.1)
        for unit in range(150)
        for who in PEOPLE
    }
    return rows(150, lambda unit, _: unit // 5, lambda unit, who: wrong[unit, who], in_document=1)


def step_of(found: Results, who: str) -> DriftStep | None:
    drift = next(own.drift for own in present(found.quality)[0].annotators if own.annotator == who)
    return drift.step if drift else None


def test_who_drifts_is_named_with_the_day_since_when(tmp_path: Path) -> None:
    found = results(tmp_path, NAMES, export(drifting(18)))
    step, named = step_of(found, "ben"), finding(found, "drift")
    assert step is not None
    assert "2024-05-17" <= step.since <= "2024-05-23"
    assert step.before > step.after + 0.2
    assert named is not None
    assert (named.values["names"], named.values["since"]) == ("ben", step.since)
    assert "{since}" in named.claim


def test_nobody_who_keeps_on_has_a_step(tmp_path: Path) -> None:
    found = results(tmp_path, NAMES, export(drifting(None)))
    assert [step_of(found, who) for who in PEOPLE] == [None] * 3
    assert finding(found, "drift") is None


# What is published of it, and how it is read.


def test_no_day_is_published_where_times_are_withheld(tmp_path: Path) -> None:
    toml = NAMES + 'times = "withhold"\n'
    found = results(tmp_path, toml, export(drifting(18)))
    assert "2024-0" not in found.model_dump_json()
    own = times(found)
    assert (own.dated, own.first, own.last, own.days, own.periods) == (450, None, None, None, ())
    assert finding(found, "drift") is not None


def test_python_has_progress_as_a_frame(tmp_path: Path) -> None:
    folder = campaign_of(tmp_path / "c", NAMES, {"exports/1.0/e.csv": export(rows(60, steadily))})
    frame = reportgen.load(folder).progress
    assert list(frame.columns) == [
        *("layer", "first", "last", "units", "value", "low", "high"),
        *("labelled", "doubled", "value_so_far", "low_so_far", "high_so_far"),
    ]
    assert frame["units"].tolist() == [20, 20, 20]
    assert frame["first"].tolist()[0] == dt.date(2024, 5, 1)


START = 1_714_564_800_000
FOUR_PEOPLE = ("anna", "ben", "cleo", "dora")
# How many seconds somebody takes for a unit, and when they are done with it, in seconds from the start.
Taking = Callable[[int, str], float]


def timed_export(
    taking: Taking,
    ending: Callable[[int, str], float] | None = None,
    people: Sequence[str] = FOUR_PEOPLE,
    units: int = 48,
) -> str:
    """Return a table; every third label of dora is another one."""
    lines = [
        "document,item,annotator,label,seconds,created_at"
        if ending
        else "document,item,annotator,label,seconds"
    ]
    for unit in range(units):
        for who in people:
            label = "abc"[(unit + (who == "dora" and unit % 3 == 0)) % 3]
            when = f",{written(START + int(1_000 * ending(unit, who)), whole_days=False)}" if ending else ""
            lines.append(f"d{unit // 3:02},u{unit:03},{who},{label},{taking(unit, who)}{when}")
    return "\n".join((*lines, ""))


def at_a_steady_pace(unit: int, who: str) -> float:
    return 8 + unit % 5 + FOUR_PEOPLE.index(who)


def layer_of(found: Results) -> LayerTimes:
    return present(found.times).layers[0]


def pace(found: Results, who: str) -> AnnotatorPace:
    return next(own for own in layer_of(found).annotators if own.annotator == who)


@given(st.lists(st.integers(1, 10**9), min_size=1, max_size=30))
def test_quartiles_are_those_of_numpy(taken: list[int]) -> None:
    found = seconds(np.array(taken))
    expected = np.percentile(taken, (25, 50, 75)) / 1_000
    assert (found.low, found.median, found.high) == pytest.approx(tuple(expected))


@pytest.mark.slow
def test_a_pause_over_night_moves_neither_median_nor_minutes(tmp_path: Path) -> None:
    def with_pause(unit: int, who: str) -> float:
        return 50_000 if (unit, who) == (7, "anna") else at_a_steady_pace(unit, who)

    usual, paused = (
        results(tmp_path / name, NAMES, timed_export(taking))
        for name, taking in (("usual", at_a_steady_pace), ("paused", with_pause))
    )
    assert pace(usual, "anna").seconds.median == pace(paused, "anna").seconds.median
    assert (present(usual.times).pauses, present(paused.times).pauses) == (0, 1)
    assert present(usual.times).minutes == present(usual.times).recorded
    assert present(paused.times).minutes == pytest.approx(present(usual.times).minutes, rel=1e-3)
    assert (present(paused.times).recorded or 0) > 800


def test_one_annotator_alone_with_times_has_a_median(tmp_path: Path) -> None:
    text = timed_export(lambda unit, who: 7 + unit % 3 if who == "ben" else float("nan")).replace("nan", "")
    found = layer_of(results(tmp_path, NAMES, text))
    assert [(own.annotator, own.seconds.median) for own in found.annotators] == [("ben", 8)]


def paces_that_drift(
    tmp_path: Path, order: Callable[[int], float], toml: str = ""
) -> tuple[float | None, bool | None]:
    """Return how much ben drifts who errs more and more in his own order of the work, and by what he does."""
    lines = ["document,item,annotator,label,created_at"]
    rank = {unit: place for place, unit in enumerate(sorted(range(60), key=order))}
    for unit in range(60):
        for who in ("anna", "ben", "cleo"):
            wrong = who == "ben" and rank[unit] >= 30 and rank[unit] % 2
            when = written(START + 60_000 * rank[unit] + 1_000 * len(who), whole_days=False)
            lines.append(f"d{unit:02},u{unit:02},{who},{'ab'[(unit + wrong) % 2]},{when}")
    found = results(tmp_path, f"{NAMES}{toml}", "\n".join((*lines, "")))
    (ben,) = (own for own in present(found.quality)[0].annotators if own.annotator == "ben")
    return ben.drift.slope.value if ben.drift else None, present(found.quality)[0].in_time


def test_drift_is_over_the_times_and_not_the_order_of_the_file(tmp_path: Path) -> None:
    forward, by_time = paces_that_drift(tmp_path / "a", lambda unit: unit)
    shuffled, _ = paces_that_drift(tmp_path / "b", lambda unit: unit * 37 % 60)
    backward, _ = paces_that_drift(tmp_path / "c", lambda unit: -unit, "[protocol]\nin_order = true\n")
    assert by_time is True
    assert forward is not None
    assert forward < -0.4
    assert shuffled == pytest.approx(forward)
    assert backward == pytest.approx(forward)


def test_one_moment_for_all_labels_is_no_order_of_the_work(tmp_path: Path) -> None:
    found = results(
        tmp_path, NAMES, timed_export(at_a_steady_pace, lambda unit, who: unit % 3 + FOUR_PEOPLE.index(who))
    )
    assert present(found.quality)[0].in_time is None
    assert all(own.drift is None for own in present(found.quality)[0].annotators)


def label_rows(folder: Path, out: Path) -> list[dict[str, str]]:
    answer = run("labels", folder, "--out", out)
    assert answer.exit_code == 0, answer.output
    with out.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(
    ("privacy", "time", "taken"),
    [
        ("", "2024-05-01", "8"),
        ('times = "show"', "2024-05-01T12:00:00Z", "8"),
        ('times = "withhold"', None, None),
    ],
)
def test_the_label_table_has_the_day_unless_the_campaign_shows_or_withholds_times(
    tmp_path: Path, privacy: str, time: str | None, taken: str | None
) -> None:
    text = timed_export(at_a_steady_pace, lambda unit, who: 60 * unit + FOUR_PEOPLE.index(who))
    folder = campaign_of(tmp_path / "c", f"[privacy]\n{privacy}\n", {"exports/1.0/e.csv": text})
    row = label_rows(folder, tmp_path / "l.csv")[0]
    assert (row.get("time"), row.get("seconds")) == (time, None if taken is None else f"{float(taken):.1f}")


def around_ten(unit: int, who: str) -> float:
    return 9 if (unit + FOUR_PEOPLE.index(who)) % 2 else 11


PAID = '[protocol]\npay_amount = {amount}\npay_currency = "EUR"\npay_per = "{per}"\n'


@pytest.mark.slow
@pytest.mark.parametrize(
    ("per", "amount", "total", "hourly"),
    [
        ("hour", 12.0, 12 * 48 * 4 * 10 / 3_600, 12.0),
        ("minute", 0.2, 0.2 * 48 * 4 * 10 / 60, 12.0),
        ("label", 0.05, 0.05 * 48 * 4, 18.0),
        ("Stunde", 12.0, 12 * 48 * 4 * 10 / 3_600, 12.0),
    ],
)
def test_cost_is_times_and_pay(tmp_path: Path, per: str, amount: float, total: float, hourly: float) -> None:
    # Everybody takes ten seconds for each of 48 units, but one time is a pause.
    table = timed_export(lambda unit, who: 1_000 if (unit, who) == (7, "ben") else 10)
    found = present(results(tmp_path, PAID.format(amount=amount, per=per), table).times)
    assert (present(found.cost).labels, present(found.cost).currency) == (48 * 4, "EUR")
    assert present(found.cost).total == pytest.approx(total)
    assert present(found.cost).each == pytest.approx(total / (48 * 4))
    assert present(found.cost).hourly == pytest.approx(hourly)
    assert found.minutes == pytest.approx(48 * 4 * 10 / 60)


@pytest.mark.parametrize("per", ["document", "month", "hour or label"])
def test_pay_for_what_was_not_timed_gives_no_cost(tmp_path: Path, per: str) -> None:
    found = present(results(tmp_path, PAID.format(amount=1.0, per=per), timed_export(around_ten)).times)
    assert found.cost is None
