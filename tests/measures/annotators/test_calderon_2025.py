"""The alternative annotator test of Calderon, Reichart and Dror (2025): step by step, and its edges."""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as some
from pydantic import BaseModel
from scipy import stats
from statsmodels.stats.multitest import multipletests

from reportgen import agreement
from reportgen.base.errors import BadInput
from reportgen.campaign import Scale, Task, UnitSet
from reportgen.measures import setting_of
from reportgen.measures.annotators.alternative_annotator import (
    MeanTest,
    NoReplacement,
    RankTest,
    replacement,
    rule_from,
)
from reportgen.measures.estimate import benjamini_yekutieli
from reportgen.results.annotators import HeldOutHuman, ModelReplacement, Replacement
from reportgen.units import DeclaredUnitSet, LayerSettings, build_study
from tests.measures.made import annotations
from tests.present import present
from tests.properties import examples

MODEL = "model"
Rows = Sequence[Sequence[object]]


def table(rows: Rows, humans: int = 3, models: int = 1) -> pd.DataFrame:
    """Return rows of labels as a wide table: humans h01, h02, …, then models."""
    names = [f"h{place:02}" for place in range(1, humans + 1)]
    others = [MODEL] if models == 1 else [f"m{place}" for place in range(models)]
    return pd.DataFrame([list(row) for row in rows], columns=[*names, *others])


def only(found: Replacement) -> ModelReplacement:
    (model,) = found.models
    return model


def p_values(model: ModelReplacement) -> list[float]:
    tests = [each.independent for each in model.humans]
    return [each.p for each in tests if each is not None and each.p is not None]


def human(model: ModelReplacement, name: str) -> HeldOutHuman:
    return next(each for each in model.humans if each.annotator == name)


def test_the_procedure_by_hand() -> None:
    """Of 80 units of three humans 48 are all alike; h1 errs on 16, h2 on 8, the model on 8.

    Against h1, by the labels of h2 and h3: where h1 errs the model is nearer (d = -1), where h2 errs both
    have one of two (d = 0), where the model errs h1 is nearer (d = 1). W^f = 72/80, W^h = 64/80.
    """
    rows = [*48 * ["aaaa"], *16 * ["baaa"], *8 * ["abaa"], *8 * ["aaab"]]
    model = only(agreement.replacement(table(rows), [MODEL], epsilon=0.1))
    first = human(model, "h01")
    assert (first.instances, first.model, first.human) == (80, 72 / 80, 64 / 80)
    assert [each.difference for each in model.humans] == pytest.approx([-0.1, 0.0, 0.1])
    # Σ d² is 24, 16 and 8; variances have n - 1 = 79 below; t = (d - .1) / √(variance / 80).
    t = [(d - 0.1) / math.sqrt((s - 80 * d * d) / 79 / 80) for d, s in ((-0.1, 24), (0.0, 16), (0.1, 8))]
    tests = [each.independent for each in model.humans if each.independent]
    assert [each.statistic for each in tests] == pytest.approx(t, abs=1e-9)
    assert [each.degrees for each in tests] == [79, 79, 79]
    p = p_values(model)
    assert p == pytest.approx(stats.t.cdf(t, 79))
    # Benjamini and Yekutieli: c = 1 + 1/2 + 1/3; the smallest p times 3 c, the next times 3/2 c, the last c.
    c = 1 + 1 / 2 + 1 / 3
    by_hand = [p[0] * 3 * c, p[1] * 3 / 2 * c, min(1.0, p[2] * c)]
    assert [each.adjusted_p for each in tests] == pytest.approx(by_hand)
    assert [each.beaten for each in tests] == [True, False, False]
    rate = present(model.independent)
    assert rate.value == pytest.approx(1 / 3)
    assert (rate.beaten, rate.tested, rate.passes) == (1, 3, False)
    # ρ: the mean of W^f, which is 72/80 against each.
    assert model.advantage.value == pytest.approx(0.9)


Score = Callable[[Any, list[Any]], float]


def by_definition(rows: Rows, score: Score, epsilon: float) -> tuple[list[float], float, float]:
    """Return p values, ω and ρ as the paper words them, unit by unit; the model's labels stand last."""
    values: list[float] = []
    shares: list[float] = []
    for who in range(len(rows[0]) - 1):
        both = []
        for *humans, model in rows:
            others = [label for place, label in enumerate(humans) if place != who and label is not None]
            if humans[who] is None or model is None or not others:
                continue
            mine, its = score(humans[who], others), score(model, others)
            both.append((float(its >= mine), float(mine >= its)))
        if len(both) >= 30:
            wins = np.array(both)
            test = stats.ttest_1samp(wins[:, 1] - wins[:, 0], epsilon, alternative="less")
            values.append(float(np.asarray(test.pvalue)))
            shares.append(float(wins[:, 0].mean()))
    rejected = multipletests(values, alpha=0.05, method="fdr_by")[0]
    return values, float(rejected.mean()), float(np.mean(shares))


def accuracy(label: object, others: list[object]) -> float:
    return sum(label == other for other in others) / len(others)


def neg_rmse(label: float, others: list[float]) -> float:
    return -math.sqrt(sum((label - other) ** 2 for other in others) / len(others))


def simulated(seed: int, humans: int, units: int, labels: int, missing: float = 0.1) -> list[list[Any]]:
    random = np.random.default_rng(seed)
    truth = random.integers(0, labels, units)
    noise = random.integers(0, labels, (units, humans + 1))
    given = np.where(random.random((units, humans + 1)) < 0.6, truth[:, None], noise).astype(object)
    given[random.random((units, humans + 1)) < missing] = None
    found: list[list[Any]] = given.tolist()
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("score", "scale"), [(accuracy, "nominal"), (neg_rmse, "interval")])
@pytest.mark.parametrize("seed", range(6))
def test_it_is_that_of_scipy_and_statsmodels(score: Callable[..., float], scale: Scale, seed: int) -> None:
    humans = 2 + 2 * seed
    rows = simulated(seed, humans, 90 + 20 * seed, 4)
    epsilon = (0.0, 0.1, 0.2)[seed % 3]
    found = agreement.replacement(
        table(rows, humans), [MODEL], epsilon=epsilon, score=score.__name__, scale=scale
    )
    p, rate, advantage = by_definition(rows, score, epsilon)
    model = only(found)
    assert p_values(model) == pytest.approx(p)
    assert present(model.independent).value == pytest.approx(rate)
    assert model.advantage.value == pytest.approx(advantage)


def test_equal_distances_tie_whatever_their_digits() -> None:
    """3.4 and 3.2 are as far from 3.3, though their squared differences are other floating-point numbers."""
    assert (3.4 - 3.3) ** 2 != (3.3 - 3.2) ** 2
    rows = 40 * [[3.4, 3.3, 3.2]]
    model = only(agreement.replacement(table(rows, 2), [MODEL], epsilon=0.1, scale="interval"))
    assert (human(model, "h01").model, human(model, "h01").human) == (1.0, 1.0)


def test_without_variation_the_mean_alone_decides() -> None:
    model = only(agreement.replacement(table(40 * ["aaaa"]), [MODEL], epsilon=0.1))
    for each in model.humans:
        assert each.independent is not None
        assert (each.independent.p, each.independent.beaten, each.independent.statistic) == (0.0, True, None)
        assert each.independent.undefined == NoReplacement.ALIKE
    assert model.advantage.value == 1.0
    model = only(agreement.replacement(table(40 * ["aaaa"]), [MODEL], epsilon=0.0))
    assert present(model.independent).value == 0.0


def test_a_human_with_29_instances_is_not_tested_and_still_one_of_the_others() -> None:
    rows = [[*row] for row in simulated(3, 3, 60, 3, missing=0.0)]
    for row in rows[29:]:
        row[2] = None
    model = only(agreement.replacement(table(rows), [MODEL], epsilon=0.1, scale="nominal"))
    third = human(model, "h03")
    assert (third.instances, third.undefined) == (29, NoReplacement.FEW_INSTANCES)
    assert third.independent is None
    assert present(model.independent).tested == 2
    p, rate, advantage = by_definition(rows, accuracy, 0.1)
    assert len(p) == 2
    assert (present(model.independent).value, model.advantage.value) == pytest.approx((rate, advantage))


def test_fewer_than_30_instances_are_tested_by_ranks_where_they_are_asked_for() -> None:
    rows = simulated(4, 3, 20, 3, missing=0.0)
    found = agreement.replacement(table(rows), [MODEL], epsilon=0.15, minimum_instances=10)
    for each in only(found).humans:
        assert (each.instances, each.method) == (20, "wilcoxon")
        assert present(each.independent).degrees is None


@pytest.mark.parametrize("counts", [(5, 3, 2), (0, 4, 1), (3, 0, 0), (1, 1, 1), (2, 5, 0)])
@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.3, 0.5])
def test_signed_ranks_are_exact(counts: tuple[int, int, int], epsilon: float) -> None:
    """The p value is the share of all choices of signs whose positive ranks add up to no more."""
    differences = np.repeat([-1.0, 0.0, 1.0], counts) - epsilon
    kept = differences[differences != 0]
    ranks = stats.rankdata(np.abs(kept))
    signs = np.array(list(product([0, 1], repeat=len(kept))))
    sums = (signs * ranks).sum(axis=1)
    assert RankTest(*counts).at(epsilon).p == pytest.approx((sums <= ranks[kept > 0].sum()).mean())


def test_a_unit_with_one_human_is_no_instance() -> None:
    rows = [*40 * [("a", "a", "b")], *40 * [("a", None, "a")]]
    model = only(agreement.replacement(table(rows, 2), [MODEL], epsilon=0.1))
    assert model.instances == 40
    three = [*35 * [("a", "a", "a", "b")], *40 * [("a", "a", None, "a")]]
    found = agreement.replacement(table(three), [MODEL], epsilon=0.1, minimum_humans=3)
    assert only(found).instances == 35


def of_documents(size: int, seed: int = 7) -> pd.DataFrame:
    """Return labels of documents of as many units, all of whose units are alike, as a long table."""
    rows = simulated(seed, 3, 90, 3, missing=0.0)
    names = ("h01", "h02", "h03", MODEL)
    marks = [
        (f"d{place}", f"{place}.{again}", who, label)
        for place, row in enumerate(rows)
        for again in range(size)
        for who, label in zip(names, row, strict=True)
    ]
    return pd.DataFrame(marks, columns=["document", "item", "who", "label"])


NAMED: dict[str, Any] = {"unit": "item", "annotator": "who", "label": "label", "document": "document"}


def test_units_of_a_document_that_are_alike_count_once() -> None:
    """Ten times every unit changes nothing for who clusters by document, and much for who does not."""
    once, tenfold = (
        only(agreement.replacement(of_documents(size), [MODEL], epsilon=0.1, **NAMED)) for size in (1, 10)
    )
    for one, ten in zip(once.humans, tenfold.humans, strict=True):
        assert present(ten.clustered).statistic == pytest.approx(present(one.clustered).statistic)
        assert abs(present(ten.independent).statistic or 0) > 3 * abs(present(one.clustered).statistic or 0)
    assert present(tenfold.advantage.interval).low == pytest.approx(present(once.advantage.interval).low)
    assert tenfold.documents == 90
    assert tenfold.differ is (tenfold.independent != tenfold.clustered)


def test_one_document_does_not_show_how_differences_vary() -> None:
    frame = of_documents(1).assign(document="d")
    model = only(agreement.replacement(frame, [MODEL], epsilon=0.1, **NAMED))
    assert model.clustered is not None
    assert (model.clustered.value, model.clustered.undefined) == (None, NoReplacement.ONE_DOCUMENT)
    assert present(model.independent).value is not None
    assert model.differ is None


def test_two_humans_are_a_comparison() -> None:
    rows = simulated(8, 3, 100, 3, missing=0.0)
    assert agreement.replacement(table([row[1:] for row in rows], 2), [MODEL]).comparison_only
    assert not agreement.replacement(table(rows), [MODEL]).comparison_only


def test_a_trusted_expert_is_whom_labels_are_compared_with() -> None:
    """h1 is trusted: on 30 of 40 units the model has h1's label, h2 on 20 of them and no others."""
    rows = [*20 * ["aaa"], *10 * ["aba"], *10 * ["abb"]]
    found = agreement.replacement(table(rows, 2), [MODEL], epsilon=0.2, expert="h01")
    assert found.annotators == ("h02",)
    assert not found.comparison_only
    second = only(found).humans[0]
    assert (second.model, second.human) == (1.0, 30 / 40)
    assert second.difference == pytest.approx(-0.25)


@pytest.mark.parametrize(
    ("score", "nearer"),
    [("similarity", "model"), ("similarity[jaccard]", "model"), ("accuracy", "neither")],
)
def test_sets_are_compared_by_their_distance(score: str, nearer: str) -> None:
    """To {a, b}, {a} is nearer than {c}; no two are equal."""
    rows = 40 * [[{"a", "b"}, {"c"}, {"a"}]]
    model = only(agreement.replacement(table(rows, 2), [MODEL], epsilon=0.1, score=score, scale="set"))
    assert (human(model, "h02").difference == -1.0) is (nearer == "model")


def test_a_declared_distance_is_a_similarity() -> None:
    rows = 40 * ["acb"]
    near = {("a", "b"): 0.2}
    found = agreement.replacement(
        table(rows, 2), [MODEL], epsilon=0.1, score="similarity", distances={"near": near}
    )
    assert found.score == "similarity[near]"
    assert human(only(found), "h02").difference == -1.0


def test_ranks_are_numbers() -> None:
    rows = [["low", "high", "middle"]] * 40
    order = ["low", "middle", "high"]
    found = agreement.replacement(table(rows, 2), [MODEL], scale="ordinal", categories=order)
    assert found.score == "neg_rmse"
    assert human(only(found), "h01").difference == -1.0


def test_models_are_ranked_with_what_they_are_behind() -> None:
    random = np.random.default_rng(9)
    truth = random.integers(0, 3, 300)
    skill = (0.7, 0.7, 0.7, 0.4, 0.9, 0.9)
    labels = np.stack(
        [np.where(random.random(300) < each, truth, random.integers(0, 3, 300)) for each in skill], axis=1
    )
    labels[:, 5] = labels[:, 4]
    found = agreement.replacement(table(labels.tolist(), models=3), ["m0", "m1", "m2"], epsilon=0.1)
    assert [each.model for each in found.models] == ["m1", "m2", "m0"]
    same, worse = found.behind
    assert (same.model, same.difference.value, same.p) == ("m2", 0.0, None)
    assert worse.difference.value == pytest.approx(
        (found.models[2].advantage.value or 0) - (found.models[0].advantage.value or 0)
    )
    assert present(worse.p) < 0.001
    assert worse.adjusted_p == present(worse.p)


def numbers(part: object) -> Iterator[float]:
    """Yield every number in a part of results."""
    if isinstance(part, BaseModel):
        for value in vars(part).values():
            yield from numbers(value)
    elif isinstance(part, tuple):
        for each in part:
            yield from numbers(each)
    elif isinstance(part, float):
        yield part


LABELS = some.sampled_from(["a", "b", "c", None])


@examples(40)
@given(
    rows=some.lists(
        some.tuples(some.integers(0, 3), LABELS, LABELS, LABELS, LABELS), min_size=1, max_size=30
    ),
    epsilon=some.sampled_from([None, 0.0, 0.1]),
    scale=some.sampled_from(["nominal", "interval"]),
)
def test_nothing_is_not_a_number_by_document(rows: list[Any], epsilon: float | None, scale: Scale) -> None:
    numbered = {"a": 1, "b": 2.5, "c": 7, None: None}
    names = ("x", "y", "m1", "m2")
    marks = [
        (str(document), str(place), who, numbered[label])
        for place, (document, *labels) in enumerate([(0, "a", "b", "c", "a"), *rows])
        for who, label in zip(names, labels, strict=True)
    ]
    frame = pd.DataFrame(marks, columns=["document", "item", "who", "label"])
    found = agreement.replacement(
        frame, ["m1", "m2"], epsilon=epsilon, scale=scale, minimum_instances=1, **NAMED
    )
    assert all(map(math.isfinite, numbers(found)))


@examples(60)
@given(
    values=some.lists(some.floats(0, 1), min_size=1, max_size=12),
    degrees=some.integers(1, 500),
    mean=some.floats(-1, 1),
)
def test_adjusted_p_values_are_those_of_statsmodels(values: list[float], degrees: int, mean: float) -> None:
    assert benjamini_yekutieli(values) == pytest.approx(multipletests(values, method="fdr_by")[1])
    assert benjamini_yekutieli([None, *values])[1:] == benjamini_yekutieli(values)
    test = MeanTest(mean, 0.1, degrees)
    assert test.at(0.2).p == pytest.approx(stats.t.cdf((mean - 0.2) / 0.1, degrees), abs=1e-12)


FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"models": ["h01", "h02", "h03", MODEL]}, "there is no human"),
    ({"models": ["h01", "h02", MODEL]}, 'there is one human, "h03"'),
    ({"models": []}, "names no model"),
    ({"models": ["modle"]}, 'models: "modle" labelled nothing. Did you mean "model"?'),
    ({"models": [MODEL], "references": [MODEL]}, 'models: "model" is named twice'),
    ({"models": [MODEL], "references": ["gold"]}, 'references: "gold" labelled nothing'),
    (
        {"models": [MODEL], "epsilon": 1.0},
        "replacement.epsilon: is the number 1.0; a number below 1 was expected",
    ),
    ({"models": [MODEL], "epsilon": -0.1}, "replacement.epsilon: is the number -0.1; a number not below 0"),
    ({"models": [MODEL], "epsilon": math.nan}, "replacement.epsilon"),
    ({"models": [MODEL], "score": "neg_rmse"}, "a score that a nominal scale does not have. Declare a scale"),
    ({"models": [MODEL], "score": "similarity"}, "a nominal scale does not have. Declare distances"),
    ({"models": [MODEL], "score": "f1"}, 'replacement.score: is the text "f1"; a score, "accuracy"'),
    ({"models": [MODEL], "score": "similarity[far]", "scale": "set"}, 'Did you mean "similarity[masi]"'),
    ({"models": [MODEL], "expert": MODEL}, 'replacement.expert: is "model", which is a model'),
    (
        {"models": [MODEL], "expert": "h04"},
        'replacement.expert: is "h04", who labelled nothing. Did you mean',
    ),
    ({"models": ["h02", "h03", MODEL], "expert": "h01"}, 'there is no human beside the expert "h01"'),
    ({"models": [MODEL], "minimum_humans": 1}, "replacement.minimum_humans"),
    ({"models": [MODEL], "minimum_instances": 0}, "replacement.minimum_instances"),
    ({"models": [MODEL], "q": 0.0}, "replacement.q"),
]


@pytest.mark.parametrize(("asked", "message"), FAULTS)
def test_faults_are_said_in_words(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput) as error:
        agreement.replacement(table(20 * ["aaba", "abab"]), **asked)
    assert message in str(error.value)


def recorded(rows: list[list[Any]], weights: Sequence[int]) -> ModelReplacement:
    """Return the results of rows that stand for several units each, of documents of two rows."""
    documents = [f"d{place // 2}" for place in range(len(rows))]
    named = [[None if each is None else str(each) for each in row] for row in rows]
    read = annotations(named, annotators=["a", "b", "c", MODEL], documents=documents, weights=weights)
    declared = DeclaredUnitSet(UnitSet(id="items", units="items", primary=True), None, "", "")
    request = LayerSettings(Task(), [declared], {MODEL: "model"}, {}, "")
    (compared,) = build_study(read, request).compared
    return only(replacement(compared, setting_of(compared.units, []), rule_from({"epsilon": 0.1})))


def test_a_row_that_stands_for_several_units_counts_as_many() -> None:
    """Counting engines hand on units that are alike as one row."""
    rows = simulated(11, 3, 40, 3, missing=0.1)
    weights = np.random.default_rng(12).integers(1, 5, 40).tolist()
    at_once = recorded(rows, weights)
    documents = [f"d{place // 2}" for place, times in enumerate(weights) for _ in range(times)]
    one_by_one = [row for row, times in zip(rows, weights, strict=True) for _ in range(times)]
    frame = [
        (document, str(place), who, label)
        for place, (document, row) in enumerate(zip(documents, one_by_one, strict=True))
        for who, label in zip(("a", "b", "c", MODEL), row, strict=True)
    ]
    table = pd.DataFrame(frame, columns=["document", "item", "who", "label"])
    each = only(agreement.replacement(table, [MODEL], epsilon=0.1, scale="nominal", **NAMED))
    assert at_once.instances == each.instances
    assert list(numbers(at_once)) == pytest.approx(list(numbers(each)))
