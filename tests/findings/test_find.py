"""In what order findings are told, and what of several layers is one."""

import pytest

from reportgen import findings
from reportgen.findings import FindingTemplate, merged
from reportgen.findings.layer_facts import (
    counted,
    gravest_first,
    in_role,
    listed,
    name_values,
    of_layer,
    of_units,
)
from reportgen.results import Finding, Severity
from tests.findings.made_results import KAPPA, by_label, figure, results, unit_set


def told(severity: Severity = "note", gain: float | None = None, layer: str = "a", **values: str) -> Finding:
    return Finding(
        id="x", severity=severity, claim="C", values=values, evidence="e", gain=gain, layers=(layer,)
    )


def test_the_gravest_come_first_then_the_largest_gain_then_as_rules_come() -> None:
    first, second = told("note", at="1"), told("note", at="2")
    less, more = told("warning", 0.1), told("warning", 0.2)
    good, problem = told("good", 0.9), told("problem")
    ordered = gravest_first([first, good, less, second, more, problem])
    assert ordered == [problem, more, less, first, second, good]


def test_the_same_of_several_layers_is_one() -> None:
    same, other = told(layer="a"), told(layer="b")
    apart = told(layer="c", at="1")
    assert [each.layers for each in merged([same, apart, other, same])] == [("a", "b"), ("c",)]


def test_of_one_layer_its_verdict_comes_first() -> None:
    own = unit_set(
        measures={KAPPA: figure(0.9, 0.85, 0.95)},
        units_compared=9,
        specific_agreement=by_label(a=0.9),
        why="",
    )
    found = findings.find(results(own))
    assert [each.kind for each in found if each.is_opening] == ["verdict"]
    assert (found[0].kind, found[0].layers) == ("verdict", ("main",))
    assert "unjustified" in {each.id for each in found}
    ranks = [("problem", "warning", "note", "good").index(each.severity) for each in found[1:]]
    assert ranks == sorted(ranks)
    assert all("noun" not in each.values or each.values["noun"] == "units" for each in found)


def test_of_several_layers_the_verdict_on_all_comes_before_each_one_s() -> None:
    high = unit_set(measures={KAPPA: figure(0.9, 0.85, 0.95)}, units_compared=9, why="")
    low = unit_set(layer="low", measures={KAPPA: figure(0.1, 0.0, 0.2)}, units_compared=9, why="")
    found = findings.find(results(high, low))
    opening = [(each.id, each.kind, each.layers) for each in found if each.is_opening]
    assert opening == [
        ("verdict", "verdict", ("low",)),
        ("verdict", "verdict", ("main",)),
        ("layer-verdict", "layer-verdict", ("main",)),
        ("layer-verdict", "layer-verdict", ("low",)),
    ]
    assert {each.of_data for each in found if each.kind == "layer-verdict"} == {None}
    (unjustified,) = [each for each in found if each.id == "unjustified"]
    assert unjustified.layers == ("main", "low")


# Words


@pytest.mark.parametrize(
    ("names", "most", "words"),
    [
        ([], 3, ""),
        (["a"], 3, "a"),
        (["a", "b"], 3, "a and b"),
        (["a", "b", "c"], 3, "a, b and c"),
        (["a", "b", "c", "d"], 3, "a, b, c and 1 more"),
        (["a, b"], 3, "a, b"),
        (["a, b", "c"], 3, "“a, b” and c"),
    ],
)
def test_names_are_words(names: list[str], most: int, words: str) -> None:
    assert listed(names, most) == words
    values = name_values("key", names, most)
    assert (values["key"], values["key_list"]) == (words, tuple(names[:most]))
    assert values.get("key_more") == (len(names) - most if len(names) > most else None)


def test_three_names_are_words_where_no_number_is_asked_for() -> None:
    assert listed("abcd") == name_values("key", "abcd")["key"] == "a, b, c and 1 more"


def test_names_with_their_layer_or_role_have_both_apart() -> None:
    assert of_layer("who", "l", {"who": "A"}) == {"who": "A (layer l)", "who_name": "A", "who_layer": "l"}
    listed_values = name_values("who", ["A", "B"])
    assert of_layer("who", "l", listed_values) == listed_values | {
        "who": "A and B (layer l)",
        "who_layer": "l",
    }
    assert in_role("who", "A", "system") == {"who": "A (system)", "who_name": "A", "who_role": "system"}
    found = counted(["a"] * 7, 9)
    assert (found["count"], found["all"], found["names_more"]) == (7, 9, 2)


def test_what_is_said_of_documents_is_said_of_units() -> None:
    said = "Have {more} more documents annotated; the documents of {earlier} annotated again were annotated"
    assert (
        of_units(said)
        == "Have {more} more units labelled; the units of {earlier} labelled again were annotated"
    )


def test_a_template_gives_its_traits_to_findings() -> None:
    template = FindingTemplate(
        *("x", "note", "e"), categories=("a", "b"), people=("who",), cases=("n", "m"), examples=("a", "b")
    )
    found = template.finding(a="A", who="W", n=2, m=3, nothing=None)
    assert (found.categories, found.people, found.cases, found.examples) == (("A",), ("W",), 5, ("A",))
    assert "nothing" not in found.values
    bare = template.finding(n="two")
    assert (bare.categories, bare.cases, bare.examples) == ((), None, None)
    everything = FindingTemplate("x", "note", "e", examples=()).finding()
    assert (everything.examples, everything.kind) == ((), None)
    assert template.gaining(0.5, a="A").gain == 0.5
    assert template.saying("C", severity="good").severity == "good"
