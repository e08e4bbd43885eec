"""A release that is worse than the one before is a problem of the report it stands in."""

from pathlib import Path

import pytest

from reportgen.findings.layer_facts import LayerFacts
from reportgen.findings.systems import release_fell, release_fell_on
from reportgen.results.parts import Change, DocumentChange
from tests.campaigns import facts_of, results
from tests.findings.made_comparison import changed, system

TABLE = "unit,A,B\n1,x,x\n2,y,x\n3,y,y\n"


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> LayerFacts:
    return facts_of(results(Path(tmp_path_factory.mktemp("releases")), "", TABLE))


def told(facts: LayerFacts, change: Change, **changes: object) -> LayerFacts:
    """The results with one system of two releases."""
    made = system(change, releases=("1.0", "2.0"), **changes)
    return facts_of(facts.results.model_copy(update={"releases": (made,)}))


def test_a_release_that_fell_names_the_documents(facts: LayerFacts) -> None:
    documents = (DocumentChange(document="d7", first=0.9, second=0.1, difference=-0.8, units=4),)
    (found,) = release_fell(told(facts, changed(0.9, 0.7, 0.01), by_document=documents))
    assert found.severity == "problem"
    assert [found.values[name] for name in ("system", "first", "second", "documents")] == [
        "tagger",
        "1.0",
        "2.0",
        "d7",
    ]


@pytest.mark.parametrize("change", [changed(0.9, 0.7, 0.2), changed(0.7, 0.9, 0.01), changed(0.9, None)])
def test_no_fall_beyond_chance_is_no_finding(facts: LayerFacts, change: Change) -> None:
    assert list(release_fell(told(facts, change))) == []


def test_a_category_that_fell_is_told_by_p_after_holm(facts: LayerFacts) -> None:
    by = {"x": changed(0.9, 0.5, 0.001, adjusted=0.002), "y": changed(0.9, 0.8, 0.03, adjusted=0.06)}
    (found,) = release_fell_on(told(facts, changed(0.8, 0.8, 0.9), by_category=by))
    assert found.values["categories"] == "x"


def test_unit_sets_that_are_not_primary_say_nothing(facts: LayerFacts) -> None:
    assert list(release_fell(told(facts, changed(0.9, 0.7, 0.01), unit_set="other"))) == []


def test_without_releases_there_is_nothing_to_say(facts: LayerFacts) -> None:
    assert [*release_fell(facts), *release_fell_on(facts)] == []
