"""Findings that ask for the same thing stand on the page as one, with all that they are about."""

import re

import pytest

from reportgen.report.sections.opening import BEGINNINGS, TOGETHER, advices
from reportgen.results import Finding
from tests.closed_lists import messages

ADVICE = tuple(messages())


def asking(start: str, name: str, gain: float = 0.0) -> Finding:
    """Return a finding about a category whose advice begins so."""
    advice = next(each for each in ADVICE if each.startswith(start))
    places = set(re.findall(r"\{(\w+)\}", advice))
    # Two annotators are the same in both findings; one alone, as a category, is what a finding is about.
    people = {"annotator": "Ann", "other": "Ben"} if "other" in places else {}
    pair = {"first": "Ann", "second": "Ben"} if start.startswith("Have") else {}
    named: dict[str, str] = {**dict.fromkeys(places, name), **people, **pair, "category": name}
    return Finding(
        id="one-label" if "annotator" in places and not people else "mark-omissions",
        severity="warning",
        claim="{category} differs.",
        advice=advice,
        values={**named, "units": 7},
        evidence="spans",
        layers=("main",),
        gain=gain,
    )


@pytest.mark.parametrize(("start", "topic"), BEGINNINGS)
def test_every_beginning_is_that_of_an_advice_that_findings_give(start: str, topic: str) -> None:
    assert any(each.startswith(start) for each in ADVICE)
    assert topic in TOGETHER


@pytest.mark.parametrize(("start", "topic"), BEGINNINGS)
def test_findings_that_ask_for_the_same_are_one_advice(start: str, topic: str) -> None:
    (found,) = advices([asking(start, "Former"), asking(start, "New", gain=0.2)])
    assert found.topic == topic
    assert [each.values["category"] for each in found.findings] == ["New", "Former"], "most gain first"
    assert found.gain == 0.2
    if topic != "balance":
        assert all(name in found.title for name in ("Former", "New"))
    assert len(found.notes) == 2
    assert "{" not in found.title + found.summary


def test_findings_that_ask_for_other_things_stay_apart() -> None:
    starts = {topic: start for start, topic in BEGINNINGS}
    found = advices([asking(start, "Former") for start in starts.values()])
    assert {each.topic for each in found} == set(starts) - {"balance"}


def test_who_made_the_omissions_is_a_part_of_what_is_said_of_them() -> None:
    starts = {topic: start for start, topic in BEGINNINGS}
    one, other = asking(starts["mark"], "Former"), asking(starts["balance"], "New")
    (found,) = advices([other, one])
    assert (found.topic, found.findings, found.also) == ("mark", (one,), (other,))
    assert "Former" in found.title
    assert found.more.startswith("Have Ann and Ben go through")
    assert "differs" in found.summary, "the omissions alone"
    assert [each.topic for each in advices([other])] == ["balance"], "without omissions it is on its own"


def test_what_only_campaign_toml_has_to_say_comes_after_what_annotators_can_do() -> None:
    note = asking(BEGINNINGS[0][0], "Former").model_copy(update={"severity": "note"})
    setting = Finding(
        id="labels-look-missing",
        severity="warning",
        claim="It may be missing.",
        advice="Name it under missing in campaign.toml.",
        values={},
        evidence="data",
    )
    assert [each.severity for each in advices([setting, note])] == ["note", "warning"]
    wrong = setting.model_copy(update={"severity": "problem"})
    assert [each.severity for each in advices([note, wrong])] == ["problem", "note"], (
        "figures are wrong without it"
    )
