"""How long annotators take: pauses, cost, drift by time, label tables."""

import csv
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.measures.annotators.times import seconds
from reportgen.readers.work_times import written
from reportgen.results import Results
from reportgen.results.annotators import AnnotatorPace, LayerTimes
from tests.campaigns import results
from tests.campaigns import written as campaign_of
from tests.commands import run
from tests.present import present

START = 1_714_564_800_000
PEOPLE = ("anna", "ben", "cleo", "dora")
# How many seconds somebody takes for a unit, and when they are done with it, in seconds from the start.
Taking = Callable[[int, str], float]


def export(
    taking: Taking,
    ending: Callable[[int, str], float] | None = None,
    people: Sequence[str] = PEOPLE,
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


def steadily(unit: int, who: str) -> float:
    return 8 + unit % 5 + PEOPLE.index(who)


def layer_of(found: Results) -> LayerTimes:
    return present(found.times).layers[0]


def pace(found: Results, who: str) -> AnnotatorPace:
    return next(own for own in layer_of(found).annotators if own.annotator == who)


@given(st.lists(st.integers(1, 10**9), min_size=1, max_size=30))
def test_quartiles_are_those_of_numpy(taken: list[int]) -> None:
    found = seconds(np.array(taken))
    expected = np.percentile(taken, (25, 50, 75)) / 1_000
    assert (found.low, found.median, found.high) == pytest.approx(tuple(expected))


NAMES = '[privacy]\nannotators = "names"\n'


@pytest.mark.slow
def test_a_pause_over_night_moves_neither_median_nor_minutes(tmp_path: Path) -> None:
    def with_pause(unit: int, who: str) -> float:
        return 50_000 if (unit, who) == (7, "anna") else steadily(unit, who)

    usual, paused = (
        results(tmp_path / name, NAMES, export(taking))
        for name, taking in (("usual", steadily), ("paused", with_pause))
    )
    assert pace(usual, "anna").seconds.median == pace(paused, "anna").seconds.median
    assert (present(usual.times).pauses, present(paused.times).pauses) == (0, 1)
    assert present(usual.times).minutes == present(usual.times).recorded
    assert present(paused.times).minutes == pytest.approx(present(usual.times).minutes, rel=1e-3)
    assert (present(paused.times).recorded or 0) > 800


def test_one_annotator_alone_with_times_has_a_median(tmp_path: Path) -> None:
    text = export(lambda unit, who: 7 + unit % 3 if who == "ben" else float("nan")).replace("nan", "")
    found = layer_of(results(tmp_path, NAMES, text))
    assert [(own.annotator, own.seconds.median) for own in found.annotators] == [("ben", 8)]


def drifting(
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
    forward, by_time = drifting(tmp_path / "a", lambda unit: unit)
    shuffled, _ = drifting(tmp_path / "b", lambda unit: unit * 37 % 60)
    backward, _ = drifting(tmp_path / "c", lambda unit: -unit, "[protocol]\nin_order = true\n")
    assert by_time is True
    assert forward is not None
    assert forward < -0.4
    assert shuffled == pytest.approx(forward)
    assert backward == pytest.approx(forward)


def test_one_moment_for_all_labels_is_no_order_of_the_work(tmp_path: Path) -> None:
    found = results(tmp_path, NAMES, export(steadily, lambda unit, who: unit % 3 + PEOPLE.index(who)))
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
    text = export(steadily, lambda unit, who: 60 * unit + PEOPLE.index(who))
    folder = campaign_of(tmp_path / "c", f"[privacy]\n{privacy}\n", {"exports/1.0/e.csv": text})
    row = label_rows(folder, tmp_path / "l.csv")[0]
    assert (row.get("time"), row.get("seconds")) == (time, None if taken is None else f"{float(taken):.1f}")


def around_ten(unit: int, who: str) -> float:
    return 9 if (unit + PEOPLE.index(who)) % 2 else 11


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
    table = export(lambda unit, who: 1_000 if (unit, who) == (7, "ben") else 10)
    found = present(results(tmp_path, PAID.format(amount=amount, per=per), table).times)
    assert (present(found.cost).labels, present(found.cost).currency) == (48 * 4, "EUR")
    assert present(found.cost).total == pytest.approx(total)
    assert present(found.cost).each == pytest.approx(total / (48 * 4))
    assert present(found.cost).hourly == pytest.approx(hourly)
    assert found.minutes == pytest.approx(48 * 4 * 10 / 60)


@pytest.mark.parametrize("per", ["document", "month", "hour or label"])
def test_pay_for_what_was_not_timed_gives_no_cost(tmp_path: Path, per: str) -> None:
    found = present(results(tmp_path, PAID.format(amount=1.0, per=per), export(around_ten)).times)
    assert found.cost is None
