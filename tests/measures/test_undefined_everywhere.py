"""Where nothing can be said, every measure of the catalogue says why: never a number, NaN or a traceback."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from reportgen.catalogue import CATALOGUE, measure_of
from reportgen.measures import Estimate, Undefined, UnitSetAgreement
from tests.measures.made import Rows, annotations, figures, units_of, value
from tests.measures.test_undefined import sound

SCALES = ("nominal", "ordinal", "interval", "ratio", "set")
TABLED = {"zeros": [[0.0, 0.0], [0.0, 0.0]]}
# With one category, what is a share of units is all of them; no figure corrects it for chance.
SHARES = {"observed_agreement", "unanimous_agreement", "majority_agreement"}
# Chance is even over the categories that there are, used or not; or it comes from how hard units are.
EVEN = {"bennett_s", "randolph_kappa", "finn_r", "gwet_ac1", "gwet_ac2", "pabak", "maxwell_re"} | {
    "bangdiwala_b"
}
INDICES = {"prevalence_index", "bias_index"}
# Agreement on sets is a share of units too.
OF_SETS = {"explicit_agreement", "implicit_agreement"}

ONE_CATEGORY: dict[str, Rows] = {
    "two": [("1", "1"), ("1", "1"), ("1", "1")],
    "three": [("1", "1", "1"), ("1", None, "1"), ("1", "1", "1")],
}
ONE_UNIT: dict[str, Rows] = {
    "two, apart": [("1", "2")],
    "two, alike": [("1", "1")],
    "three": [("1", "2", "2")],
    "three, others alone": [("1", "2", "2"), ("1", None, None), (None, "2", None)],
}
NOTHING: dict[str, Rows] = {
    "no unit": [],
    "one annotator": [("1",), ("2",), ("2",)],
    "two, no overlap": [("1", None), (None, "2"), ("2", None)],
    "three, no overlap": [("1", None, None), (None, "2", None), (None, None, "1")],
    "two, all missing": [(None, None), (None, None)],
    "three, all missing": [(None, None, None)],
}


def every(found: UnitSetAgreement) -> Iterator[tuple[str, Estimate]]:
    """Yield each figure with the id of its measure: of all annotators, of pairs, of categories."""
    yield from ((measure_of(name).id, each) for name, each in found.measures.items())
    for pair in found.pairs:
        yield from ((measure_of(name).id, each) for name, each in pair.measures.items())
        yield from ((name, each) for rest in pair.against_rest for name, each in rest.items())
    yield from ((name, each) for rest in found.against_rest for name, each in rest.items())
    yield from (("majority_agreement", each) for each in found.against_majority)


def numbered(found: UnitSetAgreement) -> set[str]:
    """See that all is sound; return the measures of which some figure has a value."""
    sound(found)
    return {name for name, each in every(found) if each.value is not None}


def told(rows: Rows, scale: str, tables: Mapping[str, Any] | None = None, **task: Any) -> UnitSetAgreement:  # noqa: ANN401
    return figures(units_of(annotations(rows), scale=scale, **task), tables)


def expected_ids(scale: str, width: int) -> set[str]:
    """The measures that the catalogue computes for so many annotators."""
    return {
        measure.id
        for measure in CATALOGUE
        if scale in measure.scales and (measure.all or (measure.pair and width == len("xy")))
    }


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("case", NOTHING)
def test_without_two_ratings_of_a_unit_no_measure_has_a_number(scale: str, case: str) -> None:
    found = told(NOTHING[case], scale, categories=["1", "2"])
    assert numbered(found) == set()
    assert all(isinstance(each.undefined, Undefined) for _, each in every(found))


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("case", ONE_CATEGORY)
def test_with_one_category_only_shares_have_a_number(scale: str, case: str) -> None:
    found = told(ONE_CATEGORY[case], scale, {"zero": [[0.0]]})
    # Of a set each label is a question of two answers, which has shares of its own.
    of_labels = {"bias_index", "pabak", "prevalence_index"}
    of_sets = OF_SETS | of_labels if scale == "set" else set()
    assert numbered(found) <= SHARES | of_sets
    assert value(found.measures["observed_agreement"]) == 1


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("case", ONE_CATEGORY)
def test_with_one_category_used_of_two_nothing_is_expected_from_the_ratings(scale: str, case: str) -> None:
    found = told(ONE_CATEGORY[case], scale, categories=["1", "2"])
    of_sets = OF_SETS if scale == "set" else set()
    assert numbered(found) <= SHARES | of_sets | EVEN | INDICES


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("case", ONE_UNIT)
def test_one_unit_gives_no_coefficient(scale: str, case: str) -> None:
    found = told(ONE_UNIT[case], scale, categories=["1", "2"])
    of_sets = OF_SETS if scale == "set" else set()
    assert numbered(found) <= SHARES | of_sets | INDICES
    if case != "two, alike":
        assert found.measures["krippendorff_alpha"].undefined is Undefined.ONE_UNIT
    assert all(each.interval is not None for _, each in every(found) if each.value is not None)


@pytest.mark.parametrize("scale", SCALES)
def test_distances_of_zero_leave_every_weighted_figure_undefined(scale: str) -> None:
    found = told([("1", "2"), ("2", "2"), ("1", "1")], scale, TABLED, categories=["1", "2"])
    sound(found)
    weighted = {name: each for name, each in found.measures.items() if name.endswith("[zeros]")}
    assert {measure_of(name).id for name in weighted} == {
        "weighted_kappa", "krippendorff_alpha", "fleiss_kappa", "conger_kappa", "bennett_s", "gwet_ac2",
    }  # fmt: skip
    assert {each.undefined for each in weighted.values()} == {Undefined.NO_POSSIBLE_DISAGREEMENT}


@pytest.mark.parametrize("width", [2, 3])
def test_empty_sets_alone_are_nothing_to_compare(width: int) -> None:
    rows = [("{}",) * width, ("{}",) * width, ("{}",) * width]
    found = figures(units_of(annotations(rows, separator="|"), scale="set"))
    assert numbered(found) <= SHARES
    for name in ("explicit_agreement", "implicit_agreement", "explicit_kappa", "implicit_kappa"):
        assert found.measures[name].undefined is Undefined.EMPTY_SETS


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("width", [2, 3])
def test_the_walk_meets_every_measure_of_the_catalogue(scale: str, width: int) -> None:
    rows = [("1", "2", "2")[:width], ("2", "2", "2")[:width], ("1", "1", "2")[:width]]
    found = told(rows, scale, TABLED, categories=["1", "2"])
    assert expected_ids(scale, width) == {measure_of(name).id for name in found.measures}
