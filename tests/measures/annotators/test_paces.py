"""How long annotators take: pauses, cost, drift by time, label tables."""

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.measures.annotators.times import seconds
from reportgen.readers.work_times import written
from reportgen.report.page import report_markdown
from reportgen.report.view import ReportView
from reportgen.results import Results
from reportgen.results.annotators import AnnotatorPace, LayerTimes
from tests.campaigns import results
from tests.campaigns import written as campaign_of
from tests.commands import run

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
    assert found.times is not None
    return found.times.layers[0]


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
    assert usual.times is not None
    assert paused.times is not None
    assert (usual.times.pauses, paused.times.pauses) == (0, 1)
    assert usual.times.minutes == usual.times.recorded
    assert paused.times.minutes == pytest.approx(usual.times.minutes, rel=1e-3)
    assert (paused.times.recorded or 0) > 800


@pytest.mark.slow
def test_layers_of_the_same_rows_took_their_time_once(tmp_path: Path) -> None:
    rows = export(steadily).splitlines()
    head, body = rows[0], rows[1:]
    text = "\n".join(
        (f"{head},tone", *(f"{row},{'xy'[number // 4 % 2]}" for number, row in enumerate(body)), "")
    )
    layers = "".join(f'[[layers]]\nid = "{name}"\nsource = "{name}"\n' for name in ("label", "tone"))
    made = campaign_of(tmp_path / "two", f"{NAMES}{layers}", {"exports/1.0/e.csv": text})
    with (made / "campaign.toml").open("a", encoding="utf-8") as file:
        file.write('columns = { unit = "item", annotator = "annotator", document = "document" }\n')
    assert run("build", made, "--out", tmp_path / "site", "-q").exit_code == 0
    found = json.loads((tmp_path / "site/two/1.0/results.json").read_text(encoding="utf-8"))["times"]
    alone = results(tmp_path / "one", NAMES, export(steadily)).times
    assert alone is not None
    assert len(found["layers"]) == 2
    assert found["minutes"] == pytest.approx(alone.minutes)


def test_missing_times_leave_the_others(tmp_path: Path) -> None:
    text = export(lambda unit, who: steadily(unit, who) if unit % 2 else float("nan")).replace("nan", "")
    found = layer_of(results(tmp_path, NAMES, text))
    assert (found.ratings, found.timed, found.dated) == (48 * 4, 24 * 4, 0)
    assert found.periods == ()


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
    assert found.quality is not None
    (ben,) = (own for own in found.quality[0].annotators if own.annotator == "ben")
    return ben.drift.slope.value if ben.drift else None, found.quality[0].in_time


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
    assert found.quality is not None
    assert found.quality[0].in_time is None
    assert all(own.drift is None for own in found.quality[0].annotators)


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


@pytest.mark.slow
@pytest.mark.parametrize("privacy", ["", 'times = "show"', 'times = "withhold"'])
def test_a_bundle_with_times_is_verified(tmp_path: Path, privacy: str) -> None:
    text = export(steadily, lambda unit, who: 60 * unit + PEOPLE.index(who))
    folder = campaign_of(tmp_path / "c", f"[privacy]\n{privacy}\n", {"exports/1.0/e.csv": text})
    out = tmp_path / "bundle"
    assert run("bundle", folder, "1.0", "--with-exports", "--out", out).exit_code == 0
    verified = run("verify", out)
    assert verified.exit_code == 0, verified.output


@pytest.mark.slow
def test_marks_in_texts_have_the_time_of_their_document(tmp_path: Path) -> None:
    def annotation(number: int, who: str) -> Mapping[str, object]:
        region = {"start": 0, "end": 3, "labels": ["X"], "text": "one"}
        result = {"id": "r", "from_name": "l", "to_name": "text", "type": "labels", "value": region}
        return {
            "completed_by": {"email": f"{who}@example.org"},
            "lead_time": number + len(who),
            "created_at": written(START + 3_600_000 * number, whole_days=False),
            "result": [result] if number % 4 or who == "ben" else [],
        }

    tasks = [
        {
            "id": number,
            "data": {"text": "one two three"},
            "annotations": [annotation(number, who) for who in PEOPLE],
        }
        for number in range(12)
    ]
    folder = campaign_of(tmp_path / "c", "", {"exports/1.0/e.json": json.dumps(tasks)})
    assert run("build", folder, "--out", tmp_path / "site", "-q").exit_code == 0
    version = tmp_path / "site/c/1.0"
    (found,) = json.loads((version / "results.json").read_text(encoding="utf-8"))["times"]["layers"]
    assert (found["by_document"], found["ratings"], found["timed"], found["dated"]) == (True, 48, 48, 48)
    assert found["annotators"][0]["seconds"] == {"times": 12, "median": 9.5, "low": 6.75, "high": 12.25}
    page = (version / "report.md").read_text(encoding="utf-8")
    assert "48 of 48 documents have a date: 1 May 2024 to 1 May 2024" in page
    assert "Times of annotation are not compared" not in page


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
def test_what_labelling_cost_follows_from_times_and_pay(
    tmp_path: Path, per: str, amount: float, total: float, hourly: float
) -> None:
    # Everybody takes ten seconds for each of 48 units, but one time is a pause.
    table = export(lambda unit, who: 1_000 if (unit, who) == (7, "ben") else 10)
    found = results(tmp_path, PAID.format(amount=amount, per=per), table).times
    assert found is not None
    assert found.cost is not None
    assert (found.cost.labels, found.cost.currency) == (48 * 4, "EUR")
    assert found.cost.total == pytest.approx(total)
    assert found.cost.each == pytest.approx(total / (48 * 4))
    assert found.cost.hourly == pytest.approx(hourly)
    assert found.minutes == pytest.approx(48 * 4 * 10 / 60)


@pytest.mark.parametrize("per", ["document", "month", "hour or label"])
def test_pay_for_what_was_not_timed_gives_no_cost(tmp_path: Path, per: str) -> None:
    found = results(tmp_path, PAID.format(amount=1.0, per=per), export(around_ten)).times
    assert found is not None
    assert found.cost is None


@pytest.mark.slow
def test_a_page_says_what_labelling_cost_or_why_not(tmp_path: Path) -> None:
    table = export(around_ten)
    said = []
    for per in ("hour", "month"):
        found = results(tmp_path / per, PAID.format(amount=12.0, per=per), table)
        said.append(report_markdown(ReportView(found)))
    assert "At 12 EUR an hour that cost 6.4 EUR for 192 labels, 0.033 EUR each." in said[0]
    assert "What that cost does not follow from pay per month" in said[1]
