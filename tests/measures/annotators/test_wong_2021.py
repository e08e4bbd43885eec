"""Cross-replication reliability, Wong, Paritosh and Aroyo (2021): by their definition, pair by pair."""

import math
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, Literal

import krippendorff
import numpy as np
import pandas as pd
import pytest

from reportgen import agreement
from reportgen.campaign import Scale
from reportgen.results.annotators import CrossReplication
from tests.present import present

Rows = Sequence[Sequence[Any]]
Distance = Callable[[Any, Any], float]


def nominal(one: object, other: object) -> float:
    return float(one != other)


def squared(one: float, other: float) -> float:
    return (one - other) ** 2


def by_definition(rows: Rows, distance: Distance) -> float:
    """Return 1 - d_o / d_e over items by equations 9 and 10, the model's label being the last of a row."""
    items = [([each for each in humans if each is not None], model) for *humans, model in rows]
    kept = [(humans, model) for humans, model in items if humans and model is not None]
    ratings = sum(len(humans) + 1 for humans, _ in kept)
    observed = sum(
        (len(humans) + 1) / ratings * np.mean([distance(each, model) for each in humans])
        for humans, model in kept
    )
    everything = [each for humans, _ in kept for each in humans]
    expected = np.mean([distance(one, other) for one, (_, other) in product(everything, kept)])
    return float(1 - observed / expected)


def simulated(seed: int) -> list[list[Any]]:
    random = np.random.default_rng(seed)
    truth = random.integers(1, 5, 60)
    noise = random.integers(1, 5, (60, 4))
    labels = np.where(random.random((60, 4)) < 0.6, truth[:, None], noise).astype(object)
    labels[random.random((60, 4)) < 0.2] = None
    rows: list[list[Any]] = labels.tolist()
    return rows


def found_in(rows: Rows, scale: Scale) -> CrossReplication:
    frame = pd.DataFrame(rows, columns=["a", "b", "c", "m"])
    (model,) = agreement.replacement(frame, ["m"], scale=scale).models
    return present(model.cross_replication)


SCALES: list[tuple[Literal["nominal", "interval"], Distance]] = [("nominal", nominal), ("interval", squared)]


@pytest.mark.parametrize(("scale", "distance"), SCALES)
@pytest.mark.parametrize("seed", range(4))
def test_it_is_its_definition(scale: Literal["nominal", "interval"], distance: Distance, seed: int) -> None:
    rows = simulated(seed)
    found = found_in(rows, scale)
    assert found.between.value == pytest.approx(by_definition(rows, distance))
    both = [row[:-1] for row in rows if row[-1] is not None]
    table = np.array([[math.nan if each is None else each for each in row] for row in both], dtype=float).T
    alpha = krippendorff.alpha(reliability_data=table, level_of_measurement=scale)
    assert found.humans == pytest.approx(alpha)
    assert found.normalised == pytest.approx((found.between.value or 0) / math.sqrt(alpha))


def test_its_interval_is_that_of_leaving_out_each_unit() -> None:
    """The standard error is, to the first order, the jackknife's."""
    rows = simulated(5)
    found = found_in(rows, "nominal")
    kept = [row for row in rows if row[-1] is not None and any(each is not None for each in row[:-1])]
    left = np.array([by_definition(kept[:n] + kept[n + 1 :], nominal) for n in range(len(kept))])
    error = math.sqrt((len(left) - 1) / len(left) * ((left - left.mean()) ** 2).sum())
    assert found.between.standard_error == pytest.approx(error, rel=0.05)
    assert (present(found.between.interval).low or 0) < (found.between.value or 0)


def test_a_model_that_labels_as_all_humans_do_is_one_of_them() -> None:
    rows = [[label] * 4 for label in "abcabcabca"]
    found = found_in(rows, "nominal")
    assert (found.between.value, found.humans, found.normalised) == (1.0, 1.0, 1.0)


def test_one_label_tells_nothing() -> None:
    found = found_in(10 * [["a"] * 4], "nominal")
    assert (found.between.value, found.humans, found.normalised) == (None, None, None)
    assert found.between.undefined is not None


def test_humans_who_agree_by_chance_alone_leave_nothing_to_divide_by() -> None:
    rows = [["a", "b", None, "a"], ["b", "a", None, "b"]] * 10
    found = found_in(rows, "nominal")
    assert present(found.humans) < 0
    assert (found.between.value, found.normalised) == (0.0, None)
