"""What others embed: the badge, and the feed of versions as RFC 4287 has it."""

import json
import re
import uuid
from xml.etree import ElementTree as ET

import pytest
from lxml import etree

from reportgen.report.history_words import (
    COLOURS,
    LABEL,
    MARKS,
    NEUTRAL,
    badge,
    badge_json,
    badge_svg,
    feed,
    short,
)
from reportgen.results import SEVERITIES, Figure, Interval
from reportgen.results.versions import History
from reportgen.words.language import isolated
from tests.hostile import ATTACK
from tests.report.made_history import history, state, verdict, version

# The badge says the newest version's figure, for everybody and without anything from outside


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
    drawn = set()
    for severity in SEVERITIES:
        found = history((0.71,))
        newest = version("1.0", 0.71, verdicts=[verdict(0.71, severity)])
        drawn.add(badge_svg(found.model_copy(update={"versions": (newest,)})).replace(COLOURS[severity], ""))
    assert len(drawn) == len(set(MARKS.values())) == len(SEVERITIES)


def test_a_hostile_symbol_or_name_stays_text() -> None:
    layer = state(0.5).model_copy(update={"symbol": ATTACK, "name": ATTACK})
    found = history((0.5,)).model_copy(update={"versions": (version("1", 0.5, layers=(layer,)),)})
    root = ET.fromstring(badge_svg(found))  # noqa: S314 - our own badge
    assert {each.tag.removeprefix(SVG) for each in root.iter()} == {"svg", "title", "path", "g", "text"}
    assert json.loads(badge_json(found))["label"] == f"agreement {isolated(ATTACK)}"


# The feed of versions is Atom as RFC 4287 has it, without a clock and without a host


ATOM = "{http://www.w3.org/2005/Atom}"
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
TWO = history((0.42, 0.71))


def parsed(found: History) -> etree._Element:
    text = feed(found)
    assert text is not None
    return etree.fromstring(text.encode())


def hold_is_atom(root: etree._Element) -> None:
    """Hold what RFC 4287, sections 4.1.1, 4.1.2 and 4.2, ask of a feed."""
    assert root.tag == f"{ATOM}feed"
    for element in (root, *root.findall(f"{ATOM}entry")):
        for tag in ("id", "title", "updated"):
            assert len(element.findall(f"{ATOM}{tag}")) == 1, tag
        assert MOMENT.fullmatch(element.findtext(f"{ATOM}updated") or "")
        address = element.findtext(f"{ATOM}id") or ""
        assert uuid.UUID(address.removeprefix("urn:uuid:")).urn == address
        links = element.findall(f"{ATOM}link")
        kinds = [(each.get("rel"), each.get("type")) for each in links]
        assert len(kinds) == len(set(kinds))
        assert ("alternate", "text/html") in kinds
        for each in links:
            assert not re.match(r"[a-z]+:|/", each.get("href") or "/")
    assert root.findtext(f"{ATOM}author/{ATOM}name")
    ids = [each.text for each in root.iter(f"{ATOM}id")]
    assert len(ids) == len(set(ids))


def test_a_feed_is_valid_and_has_the_newest_version_first() -> None:
    root = parsed(TWO)
    hold_is_atom(root)
    entries = root.findall(f"{ATOM}entry")
    assert [each.findtext(f"{ATOM}title") for each in entries] == [
        "A campaign: guidelines 1.1",
        "A campaign: guidelines 1.0",
    ]
    assert root.findtext(f"{ATOM}updated") == "2026-01-02T00:00:00Z"
    assert root.findtext(f"{ATOM}author/{ATOM}name") == "Ann Author"


def test_ids_last_when_versions_are_added_and_differ_between_campaigns() -> None:
    def ids(found: History) -> list[str | None]:
        return [each.text for each in parsed(found).iter(f"{ATOM}id")]

    more = history((0.42, 0.71, 0.8))
    assert set(ids(TWO)) < set(ids(more))
    other = TWO.model_copy(update={"campaign": TWO.campaign.model_copy(update={"id": "other"})})
    assert not set(ids(TWO)) & set(ids(other))


def undated() -> History:
    return TWO.model_copy(update={"versions": (version("1.0", 0.4, "2026-01-01"), version("1.1", 0.7))})


def test_a_version_without_a_date_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    root = parsed(undated())
    hold_is_atom(root)
    assert [each.findtext(f"{ATOM}title") for each in root.findall(f"{ATOM}entry")] == [
        "A campaign: guidelines 1.0"
    ]


def test_it_takes_the_date_of_the_source_where_that_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1780000000")
    root = parsed(undated())
    assert len(root.findall(f"{ATOM}entry")) == 2
    assert root.findtext(f"{ATOM}updated") == "2026-05-28T20:26:40Z"


@pytest.mark.parametrize("epoch", [None, "", "today", "1e400", "9" * 30])
def test_without_any_date_there_is_no_feed(monkeypatch: pytest.MonkeyPatch, epoch: str | None) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    if epoch is not None:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    assert feed(history((0.5,)).model_copy(update={"versions": (version("1", 0.5),)})) is None


def test_hostile_text_is_text() -> None:
    hostile = version("1", 0.5, "2026-01-01", changes=f"{ATTACK}\x00\x1b")
    title = TWO.campaign.model_copy(update={"title": f"{ATTACK}\x01", "authors": (ATTACK,)})
    found = TWO.model_copy(update={"versions": (hostile,), "campaign": title, "steps": ()})
    root = parsed(found)
    hold_is_atom(root)
    known = {"feed", "id", "title", "updated", "author", "name", "link", "entry", "summary"}
    assert {etree.QName(each).localname for each in root.iter()} == known
    assert " ".join(ATTACK.split()) in (root.findtext(f"{ATOM}title") or "")
