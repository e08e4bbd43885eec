"""Systems beside humans, and models in their place: the edges of each rule, on results made here."""

from collections.abc import Mapping

import pytest

from reportgen.findings import systems
from reportgen.findings.layer_facts import marks_or_primary
from reportgen.results import Finding, Interval
from reportgen.results.annotators import (
    Humans,
    ModelReplacement,
    Replacement,
    WinningRate,
)
from reportgen.results.parts import Change, DifferenceTest
from tests.findings.made_results import KAPPA, against, by, compared, figure, told, unit_set


def test_marks_are_looked_at_or_else_the_primary_unit_set() -> None:
    marks, items, other = compared(None), compared(), compared("other")
    primary = {("main", "items")}
    assert marks_or_primary([items, other], primary) == [items]
    assert marks_or_primary([items, other, marks], primary) == [marks]
    second = compared(None, layer="second")
    assert marks_or_primary([items, other, second], primary) == [items, second]


def test_a_reference_made_from_annotators_own_marks_is_told_once() -> None:
    pairs = [
        against(name, "annotator", independent=told_so)
        for name, told_so in (("A", False), ("B", False), ("C", None), ("D", True))
    ]
    found = told(systems.not_independent, **by(*pairs))
    assert [each.values["reference"] for each in found] == ["gold"]
    assert told(systems.not_independent, **by(*pairs[2:])) == []
    assert told(systems.not_independent) == []
    elsewhere = [
        pairs[0].model_copy(update=changes) for changes in ({"unit_set": "other"}, {"layer": "other"})
    ]
    assert told(systems.not_independent, **by(*elsewhere)) == []


@pytest.mark.parametrize(("documents", "speaks"), [(0, False), (1, True), (19, True), (20, False)])
def test_a_system_on_few_documents_is_told(documents: int, *, speaks: bool) -> None:
    found = told(systems.few_documents, **by(against("S", documents=documents)))
    assert bool(found) is speaks
    if found:
        assert found[0].values["system"] == "S (system)"
        assert (found[0].values["documents"], found[0].values["least"]) == (documents, 20)
    assert told(systems.few_documents, **by(against("A", "annotator", documents=5))) == []


def test_of_more_than_six_systems_nothing_is_told_one_by_one() -> None:
    people = [against(f"P{number}", "annotator", documents=5) for number in range(9)]
    six = [against(f"S{number}", documents=5) for number in range(6)]
    assert len(told(systems.few_documents, **by(*people, *six))) == 6
    assert told(systems.few_documents, **by(*six, against("S6", documents=5))) == []


def test_a_system_is_called_by_its_release() -> None:
    for changes, name in (
        ({"system": "tagger", "release": "2.0"}, "tagger 2.0"),
        ({"system": "tagger"}, "tagger"),
        ({}, "S (system)"),
    ):
        (found,) = told(systems.few_documents, **by(against("S", documents=5, **changes)))
        assert found.values["system"] == name


# Beside humans


def difference(
    low: float | None, high: float | None, value: float | None = 0.1, *, tested: bool = True
) -> Change:
    interval = None if low is None else Interval(low=low, high=high, level=0.95, method="t")
    test = DifferenceTest(method="paired", statistic=1.0, degrees=9, p=0.01) if tested else None
    return Change(first=figure(0.7), second=figure(0.8), difference=value, interval=interval, test=test)


HUMANS = Humans(
    pairs=3,
    documents=9,
    measures={},
    against_reference={
        "A": {KAPPA: figure(0.6)},
        "B": {KAPPA: figure(0.9)},
        "C": {KAPPA: figure(None)},
        "D": {},
    },
)


def above(change: Change | None, **changes: object) -> list[Finding]:
    pair = against("S").model_copy(update={"against_humans": change, **changes})
    return told(systems.beside_humans, unit_set(), **by(pair))


@pytest.mark.parametrize(
    ("low", "high", "finding"),
    [
        (0.001, 0.2, "system-above-humans"),
        (0.0, 0.2, "system-within-humans"),
        (-0.2, 0.0, "system-within-humans"),
        (-0.2, -0.001, None),
    ],
)
def test_a_system_is_set_beside_humans_by_the_interval_of_the_difference(
    low: float, high: float, finding: str | None
) -> None:
    found = above(difference(low, high))
    assert [each.id for each in found] == ([finding] if finding else [])
    if found:
        values = found[0].values
        assert (values["value"], values["humans"], values["low"], values["high"]) == (0.8, 0.7, low, high)
        assert (values["noun"], values["figure"]) == ("units", "Cohen's kappa")


def test_without_a_test_a_difference_or_an_interval_nothing_is_said() -> None:
    for change in (
        None,
        difference(0.1, 0.2, tested=False),
        difference(0.1, 0.2, None),
        difference(None, None),
    ):
        assert above(change) == []


def test_other_unit_sets_than_the_primary_one_are_not_looked_at() -> None:
    sets = unit_set(), unit_set(id="other", primary=False)
    pair = against("S", documents=5, unit_set="other")
    both = by(pair, sets=(compared(), compared("other")))
    assert told(systems.few_documents, *sets, **both) == []


def test_what_single_annotators_reach_is_told_against_a_reference() -> None:
    (found,) = above(difference(0.1, 0.2), humans=HUMANS)
    assert (found.claim, found.values["least"], found.values["most"]) == (
        systems.ABOVE.claim,
        0.6,
        0.9,
    )
    (without,) = above(difference(0.1, 0.2))
    assert without.advice == systems.ABOVE_ANNOTATORS.advice


def test_an_interval_over_annotators_too_comes_first() -> None:
    wide = Interval(low=-0.1, high=0.3, level=0.95, method="t")
    (found,) = above(difference(0.1, 0.2), for_any_annotators=wide)
    assert (found.claim, found.values["low"]) == (systems.WITHIN.claim, -0.1)
    narrow = wide.model_copy(update={"low": 0.05})
    (found,) = above(difference(-0.1, 0.2), for_any_annotators=narrow)
    assert found.advice == systems.ABOVE_ANNOTATORS.advice
    (found,) = above(difference(-0.1, 0.2), for_any_annotators=narrow, humans=HUMANS)
    assert found.advice == systems.ABOVE.advice


def test_systems_on_marks_are_compared_on_documents() -> None:
    pair = against("S", unit_set=None, against_humans=difference(0.1, 0.2))
    (found,) = told(systems.beside_humans, **by(pair, sets=(compared(None),)))
    assert (found.values["noun"], found.values["figure"]) == ("documents", "F")


# Models


def model(name: str = "M", *, passes: bool | None = True, **changes: object) -> ModelReplacement:
    given: dict[str, object] = {
        "model": name,
        "role": "model",
        "instances": 50,
        "documents": 5,
        "humans": (),
        "advantage": figure(0.8),
        "independent": WinningRate(value=0.6, beaten=3, tested=5, passes=passes),
    }
    return ModelReplacement.model_validate(given | changes)


def replaced(*models: ModelReplacement, **changes: object) -> Mapping[str, tuple[Replacement, ...]]:
    given: dict[str, object] = {
        "layer": "main",
        "unit_set": "items",
        "score": "rmse",
        "epsilon": 0.2,
        "q": 0.05,
        "minimum_humans": 2,
        "minimum_instances": 30,
        "annotators": ("A", "B"),
        "comparison_only": False,
        "models": models,
    }
    return {"replacement": (Replacement.model_validate(given | changes),)}


def test_a_model_may_replace_an_annotator_at_a_price_where_it_passes() -> None:
    found = told(systems.replacing, **replaced(model(), model("N", passes=False)))
    assert [(each.id, each.values["model"]) for each in found] == [
        ("model-may-replace", "M"),
        ("model-may-not-replace", "N"),
    ]
    assert (found[0].values["price"], found[0].values["beaten"], found[0].values["tested"]) == ("0.2", 3, 5)
    assert told(systems.replacing, **replaced(model(), epsilon=None)) == []
    assert told(systems.replacing, **replaced(model(passes=None))) == []
    assert told(systems.replacing, **replaced(model(independent=None))) == []
    assert told(systems.replacing, **replaced(model(), layer="other")) == []
    assert told(systems.replacing) == []


def test_tests_that_differ_by_document_leave_it_open() -> None:
    clustered = WinningRate(value=0.2, beaten=1, tested=5, passes=False)
    (found,) = told(systems.replacing, **replaced(model(differ=True, clustered=clustered)))
    assert (found.id, found.values["by_document"], found.values["beaten"]) == (
        "model-differs-by-document",
        1,
        3,
    )
    for changes in ({"differ": False, "clustered": clustered}, {"clustered": clustered}, {"differ": True}):
        (found,) = told(systems.replacing, **replaced(model(**changes)))
        assert found.id == "model-may-replace"


def test_six_models_are_judged_one_by_one() -> None:
    assert len(told(systems.replacing, **replaced(*(model(f"M{number}") for number in range(8))))) == 6


def test_models_without_a_prompt_are_named() -> None:
    models = (
        model("M"),
        model("N", prompt="prompts/n.txt"),
        model("S", role="system"),
        model("P", called="llm 3"),
    )
    (found,) = told(systems.prompts, **replaced(*models))
    assert found.values["models"] == "M and llm 3 (P)"
    assert (found.asks, found.kind) == ("account", None)
    assert told(systems.prompts, **replaced(models[1])) == []
