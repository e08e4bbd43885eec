"""Causes in words: one act for each, with all that it is about, which this campaign allows."""

import pytest

from reportgen.findings.causes import RankedCause, ranked
from reportgen.report.sections.opening import limits
from reportgen.report.view import ReportView
from reportgen.results import Finding, Results
from reportgen.results.model import Ask
from reportgen.results.texts import GuidelinesRule
from reportgen.words.acts import ACTS, act, general, go_through, rules_for
from tests.findings.made_results import KAPPA, figure, results, unit_set
from tests.findings.test_causes import cause_of, found


def asking(ask: Ask | None, name: str, gain: float = 0.0, **traits: object) -> Finding:
    """Return a finding about a category, or an annotator, that asks for something."""
    people = (name,) if ask == "export" else ()
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


def of(*findings: Finding, people: int = 2, **changes: object) -> Results:
    """Results with findings, of so many annotators."""
    own = unit_set(annotators=tuple("ABCDEFGHIJ"[:people]), measures={KAPPA: figure(0.6, 0.5, 0.7)})
    return results(own, findings=findings, **changes)


def said(*findings: Finding, rules: tuple[GuidelinesRule, ...] = (), people: int = 2) -> str:
    """What the first cause asks for."""
    own = of(*findings, people=people)
    first = ranked(own)[0]
    return act(first, people=people, rules=rules_for(first, rules))


@pytest.mark.parametrize("ask", ACTS)
def test_findings_that_ask_for_the_same_have_one_act_with_all_their_names(ask: Ask) -> None:
    both = asking(ask, "Former"), asking(ask, "New", gain=0.2)
    assert len(ranked(of(*both))) == 1
    assert all(name in said(*both) for name in ("Former", "New"))
    assert "{" not in said(*both)
    assert said(*both, people=10).startswith("Check" if ask == "export" else "Write down")


@pytest.mark.parametrize(
    ("pairs", "words"),
    [
        ([("a", "b")], "Agree on how to tell a from b."),
        ([("a", "b"), ("c", "a")], "Agree on how to tell a from b and c."),
        ([("a", "b"), ("c", "d")], "Agree on how to tell these apart: a / b and c / d."),
    ],
)
def test_what_is_confused_with_several_is_told_from_all_of_them(
    pairs: list[tuple[str, str]], words: str
) -> None:
    assert said(*(asking("apart", two[0], categories=two) for two in pairs)) == words


def test_what_only_one_marked_is_agreed_on_and_what_has_no_topic_says_itself_what_to_do() -> None:
    assert said(asking("balance", "x")) == "Agree on what should be marked."
    assert said(asking(None, "x")) == "Look at x."


@pytest.mark.parametrize(
    ("people", "cases", "words"),
    [
        (2, 1, "Look at the only case."),
        (2, 30, "Look at all 30 cases."),
        (3, 31, "Go through 20 of the 31 cases together."),
        (9, 31, "Go through 20 of the 31 cases together."),
        (10, 31, "Read 20 of the 31 cases."),
        (1, 31, "Read 20 of the 31 cases."),
        (2, None, ""),
    ],
)
def test_an_act_says_on_how_many_cases_and_asks_only_people_who_can_meet(
    people: int, cases: int | None, words: str
) -> None:
    own = of(asking("mark", "x", cases=cases), people=people)
    assert go_through(ranked(own)[0], own) == words
    # Their own words say already what to look at.
    other = of(asking(None, "x", cases=cases), people=people)
    assert go_through(ranked(other)[0], other) == ""


COUNTS = (
    "Confusion matrix: one annotator's categories in rows, the other's in columns; JSON.",
    "Counts that reportgen wrote beside a report: how many units have which labels.",
)


def test_where_counts_were_read_nobody_is_to_go_through_cases() -> None:
    verdict = asking(None, "x", kind="verdict", severity="problem", advice="")
    for reading, seen in (*((each, False) for each in COUNTS), ("Wide table: each row is a unit.", True)):
        proven = found(cause_of("ends"))
        own = of(asking("mark", "x"), verdict, reading=reading, disagreements=proven)
        assert bool(go_through(ranked(own)[0], own)) is seen
        assert bool(general(own)) is seen


@pytest.mark.parametrize(
    ("severity", "words"), [("problem", "Read 20 of the 200"), ("note", ""), ("good", "")]
)
def test_where_nothing_stands_out_cases_are_read_only_where_agreement_is_too_low(
    severity: str, words: str
) -> None:
    verdict = asking(None, "x", kind="verdict", severity=severity, advice="")
    own = of(verdict, disagreements=found())
    assert general(own).startswith(words)
    assert bool(general(own)) is bool(words)
    assert ReportView(own).first_act == general(own)
    assert general(of(verdict)) == "", "no disagreement is known"
    other = verdict.model_copy(update={"subject": "crowd"})
    assert general(of(other, disagreements=found())) == ""


def test_limits_are_no_causes_and_the_gravest_comes_first() -> None:
    told = [
        asking(None, "A", kind="limit", id="a", severity="note"),
        asking(None, "B", kind="limit", id="b"),
        asking(None, "C", kind="limit", id="a"),
        asking(None, "D", kind="caveat", id="caveat", severity="note"),
        asking(None, "E", kind="verdict", id="verdict"),
        asking(None, "F"),
    ]
    names = [[each.values["category"] for each in alike] for alike in limits(told)]
    assert names == [["A", "C"], ["B"]]
    assert [each.first.values["category"] for each in ranked(of(*told))] == ["F"]


RULES = (
    GuidelinesRule(line=9, text="**Former** and **New** are names.", categories=("Former", "New")),
    GuidelinesRule(line=12, text="**New**: the *name* to be used.", categories=("New",)),
)


@pytest.mark.parametrize("ask", ["mark", "choose", "revise"])
def test_what_the_guidelines_say_is_not_advised_but_to_be_looked_at(ask: Ask) -> None:
    alone = said(asking(ask, "New"), rules=RULES)
    assert alone == "Check whether line 12 of the guidelines, on New, is followed and precise enough."
    both = said(asking(ask, "New"), asking(ask, "Former"), rules=RULES)
    assert "lines 9 and 12 of the guidelines, on New and Former, are" in both
    missing = said(asking(ask, "New"), asking(ask, "Other"), rules=RULES)
    assert missing.startswith("Agree on")


def test_of_two_that_are_confused_one_passage_has_to_name_both() -> None:
    confused = asking("apart", "New", categories=("New", "Former"))
    assert "line 9 " in said(confused, rules=RULES)
    assert said(confused, rules=RULES[1:]) == "Agree on how to tell New from Former."


def test_a_cause_that_is_found_says_its_own_act_whatever_the_guidelines_say() -> None:
    own = RankedCause((asking("mark", "New", kind="cause"),))
    assert rules_for(own, RULES) == ()
    assert act(own, people=2) == "Look at New."


@pytest.mark.parametrize("name", ["text: sentence", "---- 16b. right", "-1", "2", "numerical scale"])
def test_a_category_of_several_words_or_a_number_is_quoted_without_a_rule_before_it(name: str) -> None:
    assert said(asking("mark", name)) == f"Agree on when to mark “{name.removeprefix('---- ')}”."
