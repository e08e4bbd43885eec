"""Agreement over the calendar: stretches of days, what was known when, who drifts."""

import datetime as dt
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import reportgen
from reportgen.measures.annotators.times import MOST_PERIODS
from reportgen.results import Results
from reportgen.results.annotators import DriftStep, LayerTimes, Period
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


def test_days_are_joined_until_there_are_twenty_units_and_the_rest_belongs_to_the_last(
    tmp_path: Path,
) -> None:
    found = periods(tmp_path, rows(75, steadily))
    assert [(own.first, own.last, own.units) for own in found] == [
        ("2024-05-01", "2024-05-02", 20),
        ("2024-05-03", "2024-05-04", 20),
        ("2024-05-05", "2024-05-08", 35),
    ]


def test_a_stretch_has_five_documents_too(tmp_path: Path) -> None:
    # Ten documents of ten units: five of them are fifty units.
    found = periods(tmp_path, rows(100, steadily, in_document=10))
    assert [own.units for own in found] == [50, 50]


def test_a_day_is_never_divided(tmp_path: Path) -> None:
    found = periods(tmp_path, rows(120, lambda unit, _: unit // 60))
    assert [(own.first, own.last, own.units) for own in found] == [
        ("2024-05-01", "2024-05-01", 60),
        ("2024-05-02", "2024-05-02", 60),
    ]


@pytest.mark.parametrize("units", [20, 39])
def test_one_stretch_alone_is_no_progress(tmp_path: Path, units: int) -> None:
    assert periods(tmp_path, rows(units, steadily)) == ()


def test_too_many_stretches_are_joined_to_twice_the_size(tmp_path: Path) -> None:
    def day(unit: int, _: str) -> float:
        return unit // 20

    many = periods(tmp_path / "many", rows(20 * MOST_PERIODS, day, people=PEOPLE[:2]))
    more = periods(tmp_path / "more", rows(20 * (MOST_PERIODS + 1), day, people=PEOPLE[:2]))
    assert [own.units for own in many] == [20] * MOST_PERIODS
    assert [own.units for own in more] == [40] * (MOST_PERIODS // 2 - 1) + [60]


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


def test_where_nobody_labelled_what_another_did_there_is_no_stretch(tmp_path: Path) -> None:
    made = [row for row in rows(60, steadily, people=PEOPLE[:2]) if ("anna" in row) == (row < "d015")]
    assert periods(tmp_path, made) == ()


def test_units_with_a_label_of_unknown_date_are_in_no_stretch(tmp_path: Path) -> None:
    def day(unit: int, who: str) -> float | None:
        return None if unit % 3 == 0 and who == "ben" else unit // 30

    found = periods(tmp_path, rows(90, day))
    assert [own.units for own in found] == [20, 20, 20]
    assert found[-1].labelled == 60


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


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("progress")
    toml = f'language = ["en", "fr"]\n{NAMES}'
    made = campaign_of(folder / "c", toml, {"exports/1.0/e.csv": export(drifting(18))})
    answer = run("build", made, "--out", folder / "site", "-q")
    assert answer.exit_code == 0, answer.output
    return folder / "site/c/1.0"
