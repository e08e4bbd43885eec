"""Dawid and Skene (1979), table 1: five anaesthetists classify 45 patients, the first of them three times.

The figures are crowd-kit's (1.4.2), whose EM starts from the same shares, after 700 iterations.
"""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.measures.annotators.dawid_skene import Truth, WeightedRatings, dawid_skene
from tests.properties import examples

TABLE_1 = """
111 1 1 1 1|333 4 3 3 4|112 2 1 2 2|222 3 1 2 1|222 3 2 2 2|222 3 3 2 2|122 2 1 1 1|333 3 4 3 3|222 2 2 2 3
232 2 2 2 3|444 4 4 4 4|222 3 3 4 3|111 1 1 1 1|222 3 2 1 2|121 1 1 1 1|111 2 1 1 1|111 1 1 1 1|111 1 1 1 1
222 2 2 2 1|222 1 3 2 2|222 2 2 2 2|222 2 2 2 1|222 3 2 2 2|221 2 2 2 2|111 1 1 1 1|111 1 1 1 1|232 2 2 2 2
111 1 1 1 1|111 1 1 1 1|112 1 1 2 1|111 1 1 1 1|333 3 2 3 3|111 1 1 1 1|222 2 2 2 2|222 3 2 3 2|433 4 3 4 3
221 2 2 3 2|232 3 2 3 3|333 3 4 3 2|111 1 1 1 1|111 1 1 1 1|121 2 1 1 1|232 2 2 2 2|121 1 1 1 1|222 2 2 2 2
"""
PREVALENCE = [0.399555, 0.421983, 0.111795, 0.066667]
# Observer, label given, and how probable it is under each true category; labels from 0.
ERRORS = [
    (0, 0, [0.889488, 0.070585, 0.0, 0.0]),
    (0, 1, [0.110512, 0.876380, 0.338822, 0.0]),
    (0, 2, [0.0, 0.053035, 0.661178, 0.555556]),
    (0, 3, [0.0, 0.0, 0.0, 0.444444]),
    (1, 0, [0.834214, 0.052707, 0.0, 0.0]),
    (1, 1, [0.165786, 0.632946, 0.0, 0.0]),
    (1, 2, [0.0, 0.314347, 1.0, 0.0]),
    (1, 3, [0.0, 0.0, 0.0, 1.0]),
    (2, 1, [0.0, 0.788299, 0.403671, 0.0]),
    (4, 3, [0.0, 0.0, 0.0, 0.666667]),
]

Row = tuple[int, int, int]


def table_1() -> list[Row]:
    patients = [patient for line in TABLE_1.split("\n") for patient in line.split("|") if patient]
    assert len(patients) == 45
    return [
        (place, observer, int(label) - 1)
        for place, patient in enumerate(patients)
        for observer, labels in enumerate(patient.split())
        for label in labels
    ]


def fitted(
    rows: Sequence[Row],
    categories: int,
    known: Sequence[int] = (),
    weight: Sequence[int] = (),
    **asked: float,
) -> Truth:
    unit, annotator, label = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
    units = int(unit.max()) + 1
    weights = np.array(list(weight) or [1] * units, dtype=np.int64)
    truth = np.array(list(known) or [-1] * units, dtype=np.int64)
    data = WeightedRatings(unit, annotator, label, weights, truth, categories)
    return dawid_skene(data, asked.get("tolerance", 1e-12), int(asked.get("most_iterations", 5000)))


def errors_of(truth: Truth) -> dict[tuple[int, int], list[float]]:
    keys = zip(truth.cell_annotator.tolist(), truth.cell_label.tolist(), strict=True)
    return dict(zip(keys, truth.confusion.tolist(), strict=True))


def test_the_patients_of_table_1() -> None:
    found = fitted(table_1(), 4)
    assert found.converged
    assert found.prevalence.tolist() == pytest.approx(PREVALENCE, abs=1e-6)
    # As the paper prints them: .40, .42, .11, .07.
    assert [round(share, 2) for share in found.prevalence.tolist()] == [0.4, 0.42, 0.11, 0.07]
    for observer, label, expected in ERRORS:
        assert errors_of(found)[observer, label] == pytest.approx(expected, abs=1e-6)


def by_logarithms(rows: Sequence[Row], categories: int, iterations: int) -> np.ndarray:
    """The same EM on dense arrays with logarithms, as everybody else writes it."""
    units, people = max(row[0] for row in rows) + 1, max(row[1] for row in rows) + 1
    counts = np.zeros((units, people, categories))
    for unit, annotator, label in rows:
        counts[unit, annotator, label] += 1
    posterior = counts.sum(axis=1) / counts.sum(axis=(1, 2))[:, None]
    for _ in range(iterations):
        said = np.einsum("uc,ual->acl", posterior, counts)
        total = said.sum(axis=2, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log(np.where(total > 0, said / np.where(total > 0, total, 1), 0))
            prior = np.log(posterior.mean(axis=0))
            terms = np.where(counts[:, :, None, :] > 0, counts[:, :, None, :] * logs[None], 0)
        likely = prior[None] + terms.sum(axis=(1, 3))
        likely = np.exp(likely - likely.max(axis=1, keepdims=True))
        posterior = likely / likely.sum(axis=1, keepdims=True)
    return np.asarray(posterior)


ratings = st.lists(
    st.lists(st.sampled_from([None, 0, 1, 2]), min_size=4, max_size=4).filter(
        lambda row: row.count(None) < 4
    ),
    min_size=2,
    max_size=12,
)


@examples(40)
@given(ratings)
def test_products_without_logarithms_are_the_same(table: list[list[int | None]]) -> None:
    rows = [(u, a, label) for u, row in enumerate(table) for a, label in enumerate(row) if label is not None]
    found = fitted(rows, 3, tolerance=-1.0, most_iterations=15)
    assert found.posterior == pytest.approx(by_logarithms(rows, 3, 15), abs=1e-9)


def test_a_product_over_thousands_of_ratings_does_not_vanish() -> None:
    rows = [(unit, annotator, unit % 2) for unit in range(4) for annotator in range(3000)]
    wrong = [(unit, 3000 + place, 1 - unit % 2) for unit in range(4) for place in range(500)]
    found = fitted([*rows, *wrong], 2)
    assert found.posterior.tolist() == [[1, 0], [0, 1], [1, 0], [0, 1]]


def test_a_weight_is_so_many_units() -> None:
    once = [(0, 0, 0), (0, 1, 0), (0, 2, 1), (1, 0, 1), (1, 1, 1), (1, 2, 1)]
    again = [(unit + 2, annotator, label) for unit, annotator, label in once if unit == 0]
    heavy, twice = fitted(once, 2, weight=[2, 1]), fitted([*once, *again], 2)
    assert heavy.prevalence.tolist() == pytest.approx(twice.prevalence.tolist(), abs=1e-12)


def test_what_is_known_stays_so() -> None:
    rows = [(unit, annotator, 0) for unit in range(3) for annotator in range(3)]
    found = fitted([*rows, (3, 0, 1)], 2, known=[1, -1, -1, -1])
    assert found.posterior[0].tolist() == [0, 1]


def test_iterations_end_where_they_are_told_to() -> None:
    found = fitted(table_1(), 4, most_iterations=3)
    assert (found.iterations, found.converged) == (3, False)
