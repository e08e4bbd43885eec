"""Where labels vary: against published tables, the analysis of variance, and what was drawn."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reportgen.annotators.variance_components import components, variance_components
from reportgen.measures import Floats, Setting
from reportgen.readers import Codes
from reportgen.units import CodedUnits
from tests.campaigns import results
from tests.measures.made import annotations, units_of
from tests.rendered import version_files

# Six targets rated by four judges: Shrout and Fleiss (1979), Psychological Bulletin 86(2), table 2.
JUDGES = ((9, 2, 5, 8), (6, 1, 3, 2), (8, 4, 6, 8), (7, 1, 2, 6), (10, 5, 6, 9), (6, 2, 4, 7))


def long(table: Floats) -> tuple[Floats, Codes, Codes]:
    unit, annotator = (np.asarray(part).reshape(-1) for part in np.indices(table.shape))
    return table.reshape(1, -1), unit, annotator


def test_shrout_and_fleiss_1979() -> None:
    """Their mean squares are 11.24 between targets, 32.49 between judges, and 1.02; ICC(2,1) is .29."""
    values, unit, annotator = long(np.array(JUDGES, dtype=np.float64))
    units, judges, rest = components(values, [unit, annotator])
    assert units == pytest.approx((11.2417 - 1.0194) / 4, abs=1e-4)
    assert judges == pytest.approx((32.4861 - 1.0194) / 6, abs=1e-4)
    assert rest == pytest.approx(1.0194, abs=1e-4)
    assert units / (units + judges + rest) == pytest.approx(0.29, abs=0.005)


def test_units_nested_in_documents_have_the_components_of_the_analysis_of_variance() -> None:
    random = np.random.default_rng(1)
    documents, size, people = 8, 5, 3
    table = (
        random.normal(size=(documents, 1, 1)) * 2
        + random.normal(size=(documents, size, 1))
        + random.normal(size=(1, 1, people))
        + random.normal(size=(documents, size, people))
    )
    means = table.mean(axis=2)
    of_documents = means.mean(axis=1)
    squares = {
        "documents": size * people * ((of_documents - table.mean()) ** 2).sum() / (documents - 1),
        "units": people * ((means - of_documents[:, None]) ** 2).sum() / (documents * (size - 1)),
        "annotators": documents * size * ((table.mean(axis=(0, 1)) - table.mean()) ** 2).sum() / (people - 1),
    }
    left = table - means[:, :, None] - table.mean(axis=(0, 1)) + table.mean()
    rest = (left**2).sum() / ((documents * size - 1) * (people - 1))
    values, unit, annotator = long(table.reshape(documents * size, people))
    found = components(values, [unit // size, unit, annotator])
    assert found == pytest.approx(
        [
            (squares["documents"] - squares["units"]) / (size * people),
            (squares["units"] - rest) / people,
            (squares["annotators"] - rest) / (documents * size),
            rest,
        ]
    )


def test_with_missing_ratings_components_are_right_on_average() -> None:
    random, found = np.random.default_rng(2), []
    for _ in range(400):
        table = (
            random.normal(size=(60, 1)) + 0.7 * random.normal(size=(1, 8)) + 1.2 * random.normal(size=(60, 8))
        )
        values, unit, annotator = long(table)
        there = random.random(len(unit)) < 0.5 + 0.4 * (annotator % 2)
        found.append(components(values[:, there], [unit[there], annotator[there]]))
    assert np.mean(found, axis=0) == pytest.approx([1, 0.49, 1.44], abs=0.06)


def drawn(unlike: float, slips: float, *, documents: bool = True) -> CodedUnits:
    """Labels of 120 units by four annotators, the first of whom says "a" more often."""
    random = np.random.default_rng(3)
    rows = []
    for _ in range(120):
        truth = "ab"[int(random.random() < 0.5)]
        row = [truth if random.random() >= slips else "ab"[int(random.random() < 0.5)] for _ in range(4)]
        row[0] = "a" if random.random() < unlike else row[0]
        rows.append(row)
    return units_of(
        annotations(rows, documents=[f"d{place // 10}" for place in range(120)] if documents else ())
    )


def test_slips_are_the_rest_and_habits_are_between_annotators() -> None:
    slips, habits = (variance_components(drawn(*each), Setting()) for each in ((0.0, 0.5), (0.9, 0.0)))
    assert slips is not None
    assert habits is not None
    assert slips.rest > 0.5
    assert slips.annotators < 0.05
    assert habits.annotators > 0.05
    for found in (slips, habits):
        assert found.documents is not None
        assert found.documents + found.units + found.annotators + found.rest == pytest.approx(1)
        assert found.ratings == 4
        assert found.dependability < found.with_one_more < 1
        between, error = found.documents + found.units, found.annotators + found.rest
        assert found.dependability == pytest.approx(between / (between + error / 4))


def test_without_documents_units_have_all_that_lies_between_them() -> None:
    found = variance_components(drawn(0.0, 0.3, documents=False), Setting())
    assert found is not None
    assert found.documents is None
    assert found.units > 0.3


def test_a_unit_of_a_weight_is_so_many_units() -> None:
    units = drawn(0.2, 0.3, documents=False)
    twice = variance_components(replace(units, unit_weight=2 * units.unit_weight), Setting())
    rows = np.concatenate([units.unit, units.unit + 120])
    listed = replace(
        units,
        unit=rows,
        annotator=np.tile(units.annotator, 2),
        label=np.tile(units.label, 2),
        unit_weight=np.ones(240, dtype=np.int64),
        unit_document=np.tile(units.unit_document, 2),
    )
    again = variance_components(listed, Setting())
    assert twice is not None
    assert again is not None
    assert twice.model_dump() == pytest.approx(again.model_dump())


def test_two_annotators_or_few_units_show_no_components() -> None:
    pair = units_of(annotations([["a", "b"], ["b", "b"]] * 30))
    few = units_of(annotations([["a", "b", "a"], ["b", "b", "b"]] * 5))
    alike = units_of(annotations([["a", "a", "a"]] * 30))
    assert [variance_components(each, Setting()) for each in (pair, few, alike)] == [None] * 3


@pytest.mark.slow
def test_a_report_says_where_labels_vary(tmp_path: Path) -> None:
    random = np.random.default_rng(4)
    rows = []
    for unit in range(60):
        truth = "xyz"[unit % 3]
        row = [truth if random.random() < 0.7 else "xyz"[int(random.integers(3))] for _ in range(3)]
        rows.append(f"d{unit // 6},u{unit},{','.join(row)}\n")
    found = results(tmp_path, "", "document,item,A,B,C\n" + "".join(rows))
    assert found.quality is not None
    parts = found.quality[0].components
    assert parts is not None
    files = dict(version_files(found, {}))
    page = files["quality/index.html"]
    assert "Where labels vary" in page
    assert "A unit has 3 ratings on average. The dependability of their mean is" in page
