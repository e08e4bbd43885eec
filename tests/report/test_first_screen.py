"""What answers the question of each subject: outcomes of one whole, votes, shares, who is late."""

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from lxml import html

from reportgen.report import charts
from reportgen.report.charts import ChartPoint, Course, Slice
from reportgen.report.first_screen import screen
from reportgen.report.sections import evidence
from reportgen.report.view import ReportView
from reportgen.results import Results
from tests.campaigns import results_of, written
from tests.present import present
from tests.six_subjects import MADE


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Results]:
    folder = tmp_path_factory.mktemp("subjects")
    return {
        subject: results_of(written(folder / subject, *MADE[subject]()))
        for subject in ("judge", "recordings", "stability", "systems")
    }


def drawn(found: Results) -> html.HtmlElement:
    return html.fromstring(f"<div>{screen(found)}</div>")


def words(element: html.HtmlElement, path: str) -> list[str]:
    return [" ".join(each.text_content().split()) for each in element.xpath(path)]


def test_outcomes_of_systems_are_parts_of_one_whole_and_what_is_invented_is_beside_it(
    made: dict[str, Results],
) -> None:
    found = made["systems"]
    shown = drawn(found)
    assert words(shown, ".//h3") == ["tagger 1.0", "tagger 2.0"]
    (title,) = words(shown, ".//h2")
    pairs = [own for own in present(found.spans).pairs if own.annotators[0] == "gold"]
    for pair, said in zip(pairs, words(shown, ".//div[@class='drawn']//p"), strict=True):
        counts = pair.counts
        whole = counts.match + counts.overlap + counts.only_first
        assert f"the {whole} marks of gold" in title
        numbers = {name: int(number) for name, number in re.findall(r"([a-z, ]+) (\d+)(?: \(|;|$)", said)}
        assert numbers["found"] == counts.match
        inside = [int(number) for number in re.findall(r"(\d+) \(", said)]
        assert sum(inside) == whole
    # Shares of one bar are of the same whole, whatever stands aside.
    parts = [
        Slice("same", "found", 90),
        Slice("first", "not found", 10),
        Slice("second", "new", 20, aside=True),
    ]
    (first, second, aside) = html.fromstring(f"<div>{charts.bar(parts, 120)}</div>").xpath(".//rect")
    wide = [float(each.get("width")[:-1]) for each in (first, second, aside)]
    assert wide[0] / wide[1] == pytest.approx(9, abs=0.2)
    ends = float(second.get("x")[:-1]) + wide[1]
    assert float(aside.get("x")[:-1]) - ends >= charts.GAP
    assert float(aside.get("x")[:-1]) + wide[2] <= 100


def test_a_judge_is_three_points_and_two_where_a_person_labelled_all(made: dict[str, Results]) -> None:
    shown = drawn(made["judge"])
    (said,) = words(shown, ".//div[@class='drawn']//p")
    (judge,) = made["judge"].judges or ()
    assert ["A01" in said, "gpt" in said, "corrected" in said] == [True] * 3
    assert len(shown.xpath(".//svg[@class='on-line']/circle")) == 3
    own = {name: each.model_copy(update={"corrected_share": None}) for name, each in judge.categories.items()}
    every = made["judge"].model_copy(update={"judges": (judge.model_copy(update={"categories": own}),)})
    shown = drawn(every)
    assert len(shown.xpath(".//svg[@class='on-line']/circle")) == 2
    assert "corrected" not in shown.text_content()


def test_recordings_show_who_is_early_or_late_by_how_much(made: dict[str, Results]) -> None:
    found = made["recordings"]
    (near,) = present(found.spans).boundaries or ()
    (shift,) = near.shifts
    assert sum(times for _place, times in shift.histogram) == shift.boundaries
    # Steps are about the middle, so that their mean is that of the boundaries, but for half a step.
    step = near.tolerance // 20
    mean = sum(place * times for place, times in shift.histogram) / shift.boundaries
    assert abs(mean - present(shift.later)) <= step / 2
    assert all(place % step == 0 and abs(place) <= near.tolerance for place, _times in shift.histogram)
    shown = drawn(found)
    middle = shown.xpath("//svg[@class='mirrored']//rect[@class='same']")[0]
    assert float(middle.get("x")[:-1]) + float(middle.get("width")[:-1]) / 2 == pytest.approx(50, abs=0.1)
    (said,) = words(shown, ".//div[@class='drawn']//p")
    assert ("earlier" if (shift.later or 0) < 0 else "later") in said
    sections = [section.id for section in evidence(ReportView(found))]
    assert sections[0] == "unitizing"
    assert sections.index("confusion-matrix") < sections.index("spans")
    assert "size-curve" not in sections


def test_people_who_label_again_are_beside_how_they_agree_with_each_other(
    made: dict[str, Results], tmp_path: Path
) -> None:
    alone = present(ReportView(made["stability"]).ledger)
    assert sorted(row.name for row in alone.rows) == ["A01", "A02"]
    assert screen(made["stability"]) == ""
    rows = ["unit,annotator,label,pass"]
    for unit in range(40):
        for place, who in enumerate(("Ada", "Blaise")):
            rows += [
                f"u{unit},{who},{'xyz'[(unit + place * (unit % 4 == 0)) % 3]},{again}" for again in (1, 2)
            ]
    files = {"exports/1.0/e.csv": "\n".join(rows) + "\n"}
    found = results_of(written(tmp_path, '[task]\nsubject = "stability"\n', files))
    *people, between = present(ReportView(found).ledger).rows
    assert [row.value for row in people] == [1, 1]
    assert between.value == found.primary.measures[found.coefficient].value
    assert present(between.value) < 1
    assert {part.look: part.cases for part in between.slices}["same"] == 30


def test_what_is_not_known_to_be_missed_is_not_said_to_be(made: dict[str, Results]) -> None:
    found = made["systems"]
    counted = present(found.spans).model_copy(update={"disagreements": None})
    shown = drawn(found.model_copy(update={"spans": counted}))
    assert "not found, or given another type" in shown.text_content()


@pytest.mark.slow
def test_a_crowd_shows_what_more_labels_bring_and_how_units_divide_theirs(tmp_path: Path) -> None:
    found = results_of(written(tmp_path, *MADE["crowd"]()))
    (own,) = found.aggregates or ()
    patterns = present(own.patterns)
    assert sum(each.units for each in patterns) == present(own.majority).units
    assert {sum(each.labels) for each in patterns} == {present(own.majority).labels}
    assert [each.labels for each in patterns] == sorted((each.labels for each in patterns), reverse=True)
    for each in patterns:
        assert max(each.given.values()) <= each.units
        assert sum(each.given.values()) == len(each.labels) * each.units
    tied = sum(each.units for each in patterns if len(each.labels) > 1 and each.labels[0] == each.labels[1])
    assert tied == present(own.majority).tied
    shown = drawn(found)
    assert words(shown, ".//div[@class='drawn']//h3")[0] == "5"
    (curve,) = shown.xpath(".//svg[@class='courses']")
    assert f"5 labels {present(own.of_majority).value:.3f}" in curve.get("aria-label")
    # Without an estimate of majorities there is no curve, without patterns no rows.
    for name in ("of_majority", "patterns"):
        less = found.model_copy(update={"aggregates": (own.model_copy(update={name: None}),)})
        assert len(words(drawn(less), ".//h2")) == 1


# Labels of lines


def places(courses: Sequence[Course], *, banded: bool = False) -> list[tuple[str, float]]:
    shown = html.fromstring(charts.lines(courses, [(0, "1"), (1, "2")], "in words", banded=banded))
    return [
        (each.text, float(each.get("y")))
        for each in shown.xpath(".//text[contains(@class, 'label-text') or contains(@class, 'quiet-text')]")
    ]


def test_labels_at_ends_of_lines_are_apart_however_near_the_lines_are() -> None:
    courses = [
        Course(
            f"line {number}",
            [ChartPoint(0, 0.5, text="a"), ChartPoint(1, 0.2 + number / 1000, text=f"{number}")],
        )
        for number in range(6)
    ]
    ends = sorted(y for words, y in places(courses) if "line" in words)
    assert len(ends) == 6
    assert min(after - before for before, after in pairwise(ends)) >= charts.APART - 0.1
    assert max(ends) <= charts.HIGH + 5


@pytest.mark.parametrize(
    ("values", "above"),
    [((0.2, 0.5, 0.8), True), ((0.8, 0.5, 0.2), True), ((0.2, 0.8, 0.2), True), ((0.8, 0.2, 0.8), False)],
)
def test_a_label_at_a_point_is_where_its_line_is_not(values: Sequence[float], *, above: bool) -> None:
    points = [
        ChartPoint(place / 2, value, text="here" if place == 1 else "") for place, value in enumerate(values)
    ]
    height = charts.HIGH * (1 - values[1])
    (y,) = [y for words, y in places([Course("", points)], banded=True) if words == "here"]
    assert (y < height) == above


def test_a_line_has_a_gap_where_there_is_no_value_and_is_dotted_where_chance_may_be_all() -> None:
    points = [ChartPoint(0, 0.1), None, ChartPoint(0.5, 0.3), ChartPoint(1, 0.4)]
    shown = html.fromstring(charts.lines([Course("a", points, shown=[False] * 4)], [], "", banded=True))
    (step,) = shown.xpath(".//line[contains(@class, 'course')]")
    assert "open-step" in step.get("class")
    shown = html.fromstring(charts.lines([Course("a", points, shown=[True] * 4)], [], "", banded=True))
    assert "open-step" not in shown.xpath(".//line[contains(@class, 'course')]")[0].get("class")
