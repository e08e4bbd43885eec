"""Systems and annotators against the references of marks, in which order, and a crowd as a table."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.measures import spans
from reportgen.measures.comparisons import (
    ComparedAgreement,
    all_comparisons,
    compare_spans,
    compared_figures,
    crowd_csv,
)
from reportgen.measures.distances import nominal
from reportgen.measures.distributions import significant
from reportgen.measures.unit_set_data import ScaleSetting
from reportgen.results.annotators import Humans
from tests.measures.test_spans_by_definition import THREE, TYPES, Layer, Outcomes, as_drawn, share
from tests.present import present
from tests.properties import examples

SHOWN = ("precision", "recall", "f_measure")


def within(layer: Layer, two: tuple[int, int], documents: Sequence[int]) -> Outcomes:
    """Return what became of the marks of two people in some documents."""
    rows = (layer.of(two, each) for each in documents)
    return cast("Outcomes", tuple(map(sum, zip(*rows, strict=True))))


def mean_f(layer: Layer, documents: Sequence[int]) -> tuple[int, float | None]:
    """Return how many pairs of annotators share one of some documents, and the mean of F there."""
    pairs = [two for two in layer.pairs if layer.annotators(two) and {*layer.documents(two)} & {*documents}]
    values = [share("f_measure", within(layer, two, documents), "strict", layer.beta) for two in pairs]
    known = [value for value in values if value is not None]
    return len(pairs), sum(known) / len(known) if known else None


def is_humans(found: Humans, layer: Layer, key: int, documents: Sequence[int]) -> None:
    pairs, value = mean_f(layer, documents)
    assert found.pairs == pairs
    seen = [two for two in layer.pairs if layer.annotators(two)]
    shared = {each for two in seen for each in layer.documents(two)}
    assert found.documents == len(shared & {*documents})
    told = found.measures["f_measure[strict]"].value
    assert told == (None if value is None else pytest.approx(value))
    due = {}
    for two in layer.pairs:
        own = [each for each in layer.documents(two) if each in documents]
        if two[0] == key and layer.roles[key] == "reference" and layer.roles[two[1]] == "annotator" and own:
            due[layer.people[two[1]]] = within(layer, two, own)
    assert set(found.against_reference) == set(due)
    for name, outcomes in due.items():
        for figure in SHOWN:
            value = share(figure, outcomes, "strict", layer.beta)
            told = found.against_reference[name][f"{figure}[strict]"].value
            assert told == (None if value is None else pytest.approx(value))


@given(st.integers(0, 10**6))
@examples(120, deadline=None)
def test_who_is_compared_has_the_figures_of_a_literal_count(seed: int) -> None:
    layer = as_drawn(seed)
    found = compare_spans(layer.analysed)
    roles = layer.roles
    if set(roles) == {"annotator"}:
        assert found is None
        return
    assert found is not None
    with_key = "reference" in roles
    pairs = [
        two
        for two in layer.pairs
        if (roles[two[0]] == "reference" if with_key else roles[two[1]] != "annotator")
    ]
    names = [(layer.people[key], layer.people[other]) for key, other in pairs]
    assert [(each.key, each.other) for each in found.pairs] == names
    summary = found.summary
    references = [who for who, role in enumerate(roles) if role == "reference"]
    assert (summary.layer, summary.figure, summary.people) == ("main", "f_measure[strict]", len(pairs))
    assert (summary.references, summary.crowded) == (tuple(layer.people[who] for who in references), False)
    assert summary.not_independent == layer.derived
    for who in references:
        saw = [document for document, row in enumerate(layer.saw) if row[who]]
        is_humans(summary.humans[layer.people[who]], layer, who, saw)
    for each, two in zip(found.pairs, pairs, strict=True):
        documents = layer.documents(two)
        assert (each.layer, each.key_role, each.role) == ("main", roles[two[0]], roles[two[1]])
        assert each.documents == len(documents)
        made = layer.people[two[0]] in layer.derived and roles[two[1]] == "annotator"
        assert each.independent is (False if made else None)
        assert list(each.measures) == [f"{name}[strict]" for name in SHOWN]
        for name in SHOWN:
            value = share(name, layer.of(two), "strict", layer.beta)
            told = each.measures[f"{name}[strict]"].value
            assert told == (None if value is None else pytest.approx(value))
        for name, scores in each.by_category.items():
            match, overlap, first, second = layer.of(two, kind=TYPES.index(name))
            assert (scores.key, scores.other) == (match + overlap + first, match + overlap + second)
            assert scores.both == match
            assert scores.specific_agreement.value == share(
                "f_measure", (match, overlap, first, second), "strict", layer.beta
            )
            assert scores.precision.value == share("precision", (match, overlap, first, second), "strict")
            assert scores.recall.value == share("recall", (match, overlap, first, second), "strict")
        if roles[two[1]] == "annotator":
            assert (each.humans, each.against_humans) == (None, None)
            continue
        is_humans(present(each.humans), layer, two[0], documents)
        ours, theirs = mean_f(layer, documents)[1], share("f_measure", layer.of(two), "strict", layer.beta)
        if ours is None or theirs is None:
            assert each.against_humans is None
        else:
            assert present(each.against_humans).difference == pytest.approx(theirs - ours)


def test_a_crowd_or_annotators_alone_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    assert compare_spans(THREE.analysed) is not None
    alone = Layer(("annotator",) * 3, THREE.saw, THREE.outcomes)
    assert compare_spans(alone.analysed) is None
    monkeypatch.setattr(spans, "MOST_ANNOTATORS", 1)
    assert compare_spans(THREE.analysed) is None


def test_systems_come_first_in_declared_order_releases_of_one_together() -> None:
    def pair(other: str, role: str = "system") -> Any:  # noqa: ANN401
        def with_release(update: dict[str, str | None]) -> Any:  # noqa: ANN401
            return SimpleNamespace(other=other, role=role, system=update["system"], release=update["release"])

        return SimpleNamespace(other=other, role=role, system=None, release=None, model_copy=with_release)

    def person(system: str | None = None, release: str | None = None) -> Any:  # noqa: ANN401
        return SimpleNamespace(system=system, release=release)

    people = {
        "new": person("tagger", "2"),
        "other": person(),
        "old": person("tagger", "1"),
        "last": person("parser", "1"),
        "Ann": person(),
    }
    pairs = [pair("Ann", "annotator"), *map(pair, ("stranger", "last", "old", "other", "new"))]
    found: list[str] = []

    class Kept:
        def __init__(self, sets: object, pairs: Sequence[Any]) -> None:
            assert sets == ("one",)
            found.extend(f"{each.other} {each.system} {each.release}" for each in pairs)

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr("reportgen.measures.comparisons.Comparisons", Kept)
        assert all_comparisons([cast("Any", SimpleNamespace(summary="one", pairs=pairs))], people) is not None
        assert all_comparisons([], people) is None
    assert found == [
        "new tagger 2",
        "old tagger 1",
        "other None None",
        "last parser 1",
        "stranger None None",
        "Ann None None",
    ]


def test_everybody_in_a_crowd_is_a_row() -> None:
    def agreement(*rows: tuple[object, ...], crowded: bool) -> ComparedAgreement:
        return ComparedAgreement(cast("Any", SimpleNamespace(crowded=crowded)), (), rows)

    assert crowd_csv([agreement(crowded=False)]) is None
    own = "main", "items", "gold"
    rows = (*own, "a", "annotator", 5, 0.8, 0.5), (*own, "b", "annotator", 5, 1.0, None)
    text = present(crowd_csv([agreement(crowded=False), agreement(*rows, crowded=True)]))
    assert text.splitlines() == [
        "layer,unit_set,key,other,role,units,observed_agreement,cohen_kappa",
        "main,items,gold,a,annotator,5,0.8,0.5",
        "main,items,gold,b,annotator,5,1.0,",
    ]


def test_significant_are_those_below_the_level_after_holm() -> None:
    assert significant([0.5, None, 0.01, 0.02], 0.05) == {2: 0.03, 3: 0.04}
    assert significant([0.5, None, 0.01, 0.02], 0.04) == {2: 0.03}, "not on the level"
    assert significant([None], 0.05) == significant([], 0.05) == {}


@pytest.mark.parametrize(
    ("setting", "coefficient", "more"),
    [
        (ScaleSetting(), "cohen_kappa", []),
        (ScaleSetting(), "light_kappa", []),
        (ScaleSetting(), "gwet_ac1", ["gwet_ac1"]),
        (ScaleSetting("ordinal", values=np.arange(2.0)), "cohen_kappa", ["krippendorff_alpha[ordinal]"]),
        (ScaleSetting("set", sets=(frozenset("a"),)), "cohen_kappa", []),
        (ScaleSetting(distances=(nominal(2),)), "cohen_kappa", ["krippendorff_alpha[nominal]"]),
    ],
)
def test_two_are_compared_by_the_main_distances_of_their_scale_and_the_primary_figure(
    setting: ScaleSetting, coefficient: str, more: list[str]
) -> None:
    usual = ["observed_agreement", "cohen_kappa", "krippendorff_alpha"]
    assert list(compared_figures(setting, coefficient)) == [*usual, *more]
