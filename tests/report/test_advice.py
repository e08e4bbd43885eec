"""Findings that ask for the same thing are one on the page, with all that they are about."""

import pytest

from reportgen.report.ledger import ACTS, advices, limits
from reportgen.results import Finding
from reportgen.results.model import Ask
from reportgen.results.texts import GuidelinesRule

# What is asked of two annotators together, and of one.
OF_TWO, OF_ONE = {"balance"}, {"export"}


def asking(ask: Ask | None, name: str, gain: float = 0.0, **traits: object) -> Finding:
    """Return a finding about a category, or an annotator, that asks for something."""
    people = ("Ann", "Ben") if ask in OF_TWO else (name,) if ask in OF_ONE else ()
    given: dict[str, object] = {
        "id": "x",
        "severity": "warning",
        "claim": "{category} differs.",
        "advice": "Look at {category}.",
        "values": {"category": name},
        "evidence": "spans",
        "layers": ("main",),
        "gain": gain,
        "asks": ask,
        "categories": () if people else (name,),
        "people": people,
        "cases": 7,
    }
    return Finding.model_validate(given | traits)


@pytest.mark.parametrize("ask", ACTS)
def test_findings_that_ask_for_the_same_are_one_advice(ask: Ask) -> None:
    (found,) = advices([asking(ask, "Former"), asking(ask, "New", gain=0.2)])
    assert found.topic == ask
    assert [each.values["category"] for each in found.findings] == ["New", "Former"], "most gain first"
    assert found.gain == 0.2
    named = ("Ann", "Ben") if ask in OF_TWO else ("Former", "New")
    assert all(name in found.title for name in named)
    assert len(found.notes) == 2
    assert "{" not in found.title + found.summary


def test_findings_that_ask_for_other_things_stay_apart() -> None:
    found = advices([asking(ask, "Former") for ask in ACTS])
    assert {each.topic for each in found} == {*ACTS} - {"balance"}
    assert len(advices([asking(None, "Former"), asking(None, "New")])) == 2, "of no topic by their words"
    assert len(advices([asking(None, "New"), asking(None, "New", layers=("other",))])) == 1
    assert len(advices([asking("balance", "New"), asking("balance", "New", people=("Ann", "Eve"))])) == 2
    assert len(advices([asking("choose", "New"), asking("choose", "New", layers=("other",))])) == 2


@pytest.mark.parametrize("ask", ["declare", "account"])
def test_what_only_campaign_toml_has_to_say_comes_after_what_annotators_can_do(ask: Ask) -> None:
    note, setting = asking("mark", "Former", severity="note"), asking(ask, "A")
    assert [each.severity for each in advices([setting, note])] == ["note", "warning"]
    wrong = asking(ask, "A", severity="problem")
    assert [each.severity for each in advices([note, wrong])] == ["problem", "note"], (
        "figures are wrong without it"
    )


def test_what_would_change_most_comes_first_then_the_gravest_then_the_most_cases() -> None:
    told = [
        asking(None, "few", cases=2),
        asking(None, "many", cases=3),
        asking(None, "grave", severity="problem", cases=None),
        asking(None, "gaining", gain=0.1, severity="note"),
        asking(None, "hardly", gain=0.0004, severity="good"),
    ]
    order = [each.findings[0].values["category"] for each in advices(told)]
    assert order == ["gaining", "grave", "many", "few", "hardly"]


def test_limits_are_no_advice_and_the_gravest_comes_first() -> None:
    told = [
        asking(None, "A", kind="limit", id="a", severity="note"),
        asking(None, "B", kind="limit", id="b"),
        asking(None, "C", kind="limit", id="a"),
        asking(None, "D", kind="caveat", id="caveat", severity="note"),
        asking(None, "E", kind="verdict", id="verdict"),
        asking(None, "F"),
    ]
    names = [[each.values["category"] for each in found.findings] for found in limits(told)]
    assert names == [["A", "C"], ["B"]]
    assert [each.findings[0].values["category"] for each in advices(told)] == ["F"]


RULES = (
    GuidelinesRule(line=9, text="**Former** and **New** are names.", categories=("Former", "New")),
    GuidelinesRule(line=12, text="**New**: the *name* to be used.", categories=("New",)),
)


@pytest.mark.parametrize("ask", ["mark", "choose", "revise"])
def test_what_the_guidelines_say_is_not_advised_but_to_be_looked_at(ask: Ask) -> None:
    (found,) = advices([asking(ask, "New")], RULES)
    assert found.title == "Check whether line 12 of the guidelines, on New, is followed and precise enough."
    assert found.more == found.ruled == "The guidelines say: “New: the name to be used.”"
    (both,) = advices([asking(ask, "New"), asking(ask, "Former")], RULES)
    assert "lines 9 and 12 of the guidelines, on New and Former, are" in both.title
    (missing,) = advices([asking(ask, "New"), asking(ask, "Other")], RULES)
    assert (missing.rules, missing.ruled) == ((), "")


def test_of_two_that_are_confused_one_passage_has_to_name_both() -> None:
    (found,) = advices([asking("apart", "New", categories=("New", "Former"))], RULES)
    assert [rule.line for rule in found.rules] == [9]
    (alone,) = advices([asking("apart", "New", categories=("New", "Former"))], RULES[1:])
    assert alone.title == "Decide how to tell New from Former."


def test_shares_say_that_they_are_more_than_chance_only_where_all_are() -> None:
    def confused(name: str, chance: float) -> Finding:
        values = {"disagreement_share": 0.3, "chance_share": chance}
        return asking("apart", name, categories=(name, "equal"), values=values, cases=None)

    (found,) = advices([confused("a1", 0.29), confused("a2", 0.29)], ())
    share = "Each has a larger share of the disagreements than chance would give"
    assert found.summary == f"{share}: a1 / equal 30.0% and a2 / equal 30.0%."
    (found,) = advices([confused("a1", 0.29), confused("a2", 0.3)], ())
    assert found.summary == "Share of disagreements: a1 / equal 30.0% and a2 / equal 30.0%."


@pytest.mark.parametrize("name", ["text: sentence", "---- 16b. right", "-1", "2", "numerical scale"])
def test_a_category_of_several_words_or_a_number_is_quoted_without_a_rule_before_it(name: str) -> None:
    (found,) = advices([asking("mark", name)], ())
    assert found.title == f"Decide when to mark “{name.removeprefix('---- ')}”."
