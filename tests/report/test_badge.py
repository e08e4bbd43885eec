"""The badge says the newest version's figure, for everybody and without anything from outside."""

import json
import re
from xml.etree import ElementTree as ET

import pytest

from reportgen.report.history_words import COLOURS, LABEL, MARKS, NEUTRAL, badge, badge_json, badge_svg, short
from reportgen.results import Figure, Interval
from reportgen.words.language import isolated
from tests.hostile import ATTACK
from tests.report.made_history import history, state, verdict, version

SVG = "{http://www.w3.org/2000/svg}"


def figure(value: float, low: float, high: float) -> Figure:
    return Figure(value=value, interval=Interval(low=low, high=high, level=0.95, method="t"))


@pytest.mark.parametrize(
    ("known", "shown"),
    [
        (figure(0.81, 0.77, 0.85), ".81 [.77, .85]"),
        (figure(-0.04, -0.25, 0.18), "−.04 [−.25, .18]"),
        (figure(1.0, 0.5, 1.0), "1.00 [.50, 1.00]"),
        (figure(0.998, 0.9961, 0.9999), ">.99 [>.99, >.99]"),
        (figure(-0.001, -0.003, 0.002), ".00 [.00, .00]"),
        (Figure(value=0.5), ".50"),
        (Figure(value=0.5, interval=Interval(undefined="one document")), ".50"),
        (Figure(value=None, undefined="one category is used"), "undefined"),
    ],
)
def test_a_badge_has_two_decimals_and_the_interval(known: Figure, shown: str) -> None:
    assert short(known) == shown


def test_the_image_is_the_newest_version_in_text_that_needs_nothing_from_outside() -> None:
    svg = badge_svg(history((0.42, 0.71)))
    root = ET.fromstring(svg)  # noqa: S314 - our own badge
    assert root.get("role") == "img"
    assert root.get("aria-label") == "agreement α .71 [.63, .79]"
    assert [each.text for each in root.iter(f"{SVG}text")] == ["agreement α", ".71 [.63, .79]"]
    assert "guidelines 1.1" in (root.findtext(f"{SVG}title") or "")
    addresses = re.findall(r"[a-z]+://[^\"' ]+", svg)
    assert addresses == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"<(image|script|style|foreignObject|use)|href|@|url\(", svg)
    tags = {each.tag.removeprefix(SVG) for each in root.iter()}
    assert tags == {"svg", "title", "path", "g", "text"}


def test_the_json_has_what_badge_services_read_and_the_figure() -> None:
    found = json.loads(badge_json(history((0.42, 0.71))))
    assert found == {
        "schemaVersion": 1,
        "label": "agreement α",
        "message": ".71 [.63, .79]",
        "color": COLOURS["note"],
        "value": 0.71,
        "interval": {"low": pytest.approx(0.63), "high": pytest.approx(0.79)},
        "coefficient": "krippendorff_alpha",
        "version": "1.1",
        "campaign": "made",
    }


def test_an_undefined_figure_says_so() -> None:
    found = history((0.42, None))
    assert badge(found).color == NEUTRAL
    content = json.loads(badge_json(found))
    assert (content["message"], content["value"], content["interval"]) == ("undefined", None, None)
    assert content["undefined"] == "one category is used"
    assert "agreement α undefined" in badge_svg(found)


def luminance(colour: str) -> float:
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("colour", [*COLOURS.values(), NEUTRAL, LABEL])
def test_white_text_stands_out_from_every_colour(colour: str) -> None:
    assert 1.05 / (luminance(colour) + 0.05) >= 4.5


def test_verdicts_differ_in_shape_and_not_in_colour_alone() -> None:
    severities = ("good", "note", "warning", "problem")
    drawn = set()
    for severity in severities:
        found = history((0.71,))
        newest = version("1.0", 0.71, verdicts=[verdict(0.71, severity)])
        drawn.add(badge_svg(found.model_copy(update={"versions": (newest,)})).replace(COLOURS[severity], ""))
    assert len(drawn) == len(set(MARKS.values())) == len(severities)


def test_a_hostile_symbol_or_name_stays_text() -> None:
    layer = state(0.5).model_copy(update={"symbol": ATTACK, "name": ATTACK})
    found = history((0.5,)).model_copy(update={"versions": (version("1", 0.5, layers=(layer,)),)})
    root = ET.fromstring(badge_svg(found))  # noqa: S314 - our own badge
    assert {each.tag.removeprefix(SVG) for each in root.iter()} == {"svg", "title", "path", "g", "text"}
    assert json.loads(badge_json(found))["label"] == f"agreement {isolated(ATTACK)}"
