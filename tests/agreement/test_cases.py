"""Every worked case of the folder `shared` whose figure is there already, to its tolerance.

The cases come from papers and from tests and runs of other libraries; they are not ours to ship, and the
tests of single papers beside this module type the main ones in.
"""

import csv
import json
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from reportgen.agreement import Estimate, PairAgreement, UnitSetAgreement
from reportgen.formats import ReadOptions, read_export
from tests.agreement.made import (
    Matrix,
    annotations,
    error,
    expected,
    figures,
    matrix,
    observed,
    units_of,
    value,
)

Case = dict[str, Any]

# Measures of later issues: several annotators, AC1 and AC2, spans, sets, quality of annotators, and what
# other packages have and this one won't.
NOT_YET = {
    "agreement_with_majority", "alpha_u", "bangdiwala_b", "bhapkar_chi2", "boundary_similarity",
    "conger_kappa", "fleiss_kappa", "fleiss_kappa_category", "gwet_ac1", "gwet_ac2", "icc_a1", "iota",
    "item_agreement", "kendall_w", "maxwell_re", "multi_kappa", "randolph_kappa", "rater_bias_chi2",
    "rater_bias_ratio", "robinson_a", "segmentation_fleiss_pi",
}  # fmt: skip
# Figures under a name of ours that follow another convention on purpose.
OTHER_CONVENTION = {
    "percent_agreement: units weighted by number of ratings": "ours is the mean over units",
    "krippendorff_alpha.pe": "irrCAC's chance agreement; ours is a disagreement with the small-sample term",
    "krippendorff_alpha.se of several annotators with missing ratings": "irrCAC takes n and n' as constants",
    "brennan_prediger of several annotators": "Bennett's S belongs to two",
    "weighted_kappa of several annotators": "the mean D_o over the mean D_e of pairs",
}
KINDS = ("contingency_table", "matrix_units_by_raters", "counts_units_by_categories")


class Question(NamedTuple):
    """A case with the data that it asks about."""

    data: Case
    case: Case

    @property
    def params(self) -> Case:
        return dict(self.case.get("params") or {})

    @property
    def is_table(self) -> bool:
        return bool(self.data["data_kind"] == "contingency_table")


def rows_of(question: Question) -> list[list[str | None]]:
    """Labels as text, of the raters asked for."""
    raters = question.params.get("raters") or range(len(question.data["data"][0]))
    null = "null" if question.params.get("missing") == "null is a category" else None
    return [
        [null if row[rater] is None else str(row[rater]) for rater in raters] for row in question.data["data"]
    ]


def agreement(question: Question, tables: dict[str, Matrix] | None = None, **task: Any) -> UnitSetAgreement:  # noqa: ANN401
    if question.is_table:
        size = len(question.data["data"])
        names = [str(name) for name in question.data.get("categories") or range(1, size + 1)]
        return figures(
            units_of(matrix(question.data["data"], names), **({"categories": names} | task)), tables
        )
    return figures(units_of(annotations(rows_of(question)), **task), tables)


def levels(question: Question) -> list[str]:
    """The categories of a case in order: those of its table, or the numbers in use."""
    if question.is_table:
        return [str(place) for place in range(len(question.data["data"]))]
    used = {label for row in rows_of(question) for label in row if label is not None}
    return sorted(used, key=lambda label: (len(label), label))


def by_gap(gaps: Sequence[float]) -> Matrix:
    return [[gaps[abs(i - j)] for j in range(len(gaps))] for i in range(len(gaps))]


def distance_of(question: Question) -> tuple[Matrix, list[str] | None]:
    """The distance that a case weights with, and the categories it stands for where not those in use."""
    params = question.params
    if "distance" in params:
        return params["distance"], None
    if "disagreement_by_rank_gap" in params:
        # Raters 2 and 3 never use level 5: the gaps count ranks of observed levels.
        return by_gap(params["disagreement_by_rank_gap"]), None
    weights, size = params["weights"], len(levels(question))
    if isinstance(weights, list):
        return [
            [1 - (weights[i][j] + weights[j][i]) / 2 for j in range(len(weights))]
            for i in range(len(weights))
        ], None
    if "by value" in weights:
        return by_gap([gap**2 for gap in range(6)]), list("123456")
    gaps: dict[str, Callable[[int], float]] = {
        "linear": lambda gap: gap,
        "quadratic": lambda gap: gap**2,
        "radical": math.sqrt,
        "ordinal": lambda gap: math.comb(gap + 1, 2),
    }
    return by_gap([gaps[weights.split()[0]](gap) for gap in range(size)]), None


def weighted(question: Question, measure: str) -> Estimate:
    distance, named = distance_of(question)
    names = named or (None if question.is_table else levels(question))
    task = {"categories": names} if names else {}
    return agreement(question, {"case": distance}, **task).measures[f"{measure}[case]"]


def alpha(question: Question) -> Estimate:
    params = question.params
    if "distance" in params or params.get("weights", "nominal") not in ("nominal", "identity", "ratio"):
        return weighted(question, "krippendorff_alpha")
    scale = params.get("metric") or ("ratio" if params.get("weights") == "ratio" else "nominal")
    name = "krippendorff_alpha" if scale == "nominal" else f"krippendorff_alpha[{scale}]"
    return agreement(question, scale=scale).measures[name]


def simple(measure: str) -> Callable[[Question], Estimate]:
    return lambda question: agreement(question).measures[measure]


def only_pair(question: Question) -> PairAgreement:
    return agreement(question).pairs[0]


def place(question: Question, category: str) -> int:
    return [str(name) for name in question.data["categories"]].index(category)


def conditional(question: Question) -> float:
    second, first = question.params["P"].removeprefix("P(").removesuffix(")").split("|")
    return float(only_pair(question).conditional[place(question, first), place(question, second)])


def between(question: Question, kind: str) -> float:
    first, second = (place(question, name) for name in question.params["pair"])
    return float(getattr(only_pair(question), kind)[first, second])


FIGURES: dict[str, Callable[[Question], Estimate]] = {
    "percent_agreement": simple("observed_agreement"),
    "bennett_s": simple("bennett_s"),
    "brennan_prediger": simple("bennett_s"),
    "scott_pi": simple("scott_pi"),
    "cohen_kappa": simple("cohen_kappa"),
    "cohen_kappa_max": simple("kappa_max"),
    "finn_r": simple("finn_r"),
    "weighted_kappa": lambda question: weighted(question, "weighted_kappa"),
    "krippendorff_alpha": alpha,
    "positive_specific_agreement": lambda question: only_pair(question).specific[
        place(question, question.params["category"])
    ],
}
NUMBERS: dict[str, Callable[[Question], float]] = {
    "conditional_category_probability": conditional,
    "data_derived_distance_alpha": lambda question: between(question, "computed_alpha"),
    "data_derived_distance_kappa_w": lambda question: between(question, "computed_kappa"),
    "stuart_maxwell_chi2": lambda question: only_pair(question).tests["stuart_maxwell"].statistic or 0.0,
    "light_kappa": lambda question: agreement(question).mean_over_pairs["cohen_kappa"].value,
}
PARTS: dict[str, Callable[[Estimate], float]] = {
    "": value,
    "Ao": observed,
    "Ae": expected,
    "Do": observed,
    "De": expected,
    "se": error,
}


def answer(question: Question) -> float | str:
    """Return the figure of a case, or why it has none."""
    metric = question.case["metric"]
    base, _, part = metric.partition(".")
    if base in NOT_YET or question.data["data_kind"] not in KINDS:
        return f"not yet: {base}"
    if reason := other_convention(question, base, part):
        return reason
    return NUMBERS[metric](question) if metric in NUMBERS else PARTS[part](FIGURES[base](question))


def other_convention(question: Question, base: str, part: str) -> str:
    several = not question.is_table and len(rows_of(question)[0]) > 2
    if base == "percent_agreement" and question.params.get("missing", "").startswith("units weighted"):
        return "percent_agreement: units weighted by number of ratings"
    if base == "krippendorff_alpha" and part == "se" and several:
        return "krippendorff_alpha.se of several annotators with missing ratings"
    if base in ("brennan_prediger", "weighted_kappa") and several:
        return f"{base} of several annotators"
    return f"{base}.pe" if part == "pe" else ""


def questions(shared: Path) -> Iterator[Question]:
    for file in sorted((shared / "cases").glob("*.json")):
        data = json.loads(file.read_text(encoding="utf-8"))
        if data["data_kind"] in KINDS:
            for case in data.get("cases", []):
                yield Question(data, case)


def test_every_case_of_a_measure_that_is_there(shared: Path) -> None:
    wrong, checked = [], 0
    for question in questions(shared):
        found = answer(question)
        if isinstance(found, str):
            assert found.startswith("not yet") or found in OTHER_CONVENTION
            continue
        checked += 1
        case = question.case
        if abs(found - case["expected"]) > case["tolerance"]:
            wrong.append(
                f"{question.data['id']} {case['metric']} {case.get('params')}: {found}, {case['expected']}"
            )
    assert not wrong, "\n".join(wrong)
    assert checked >= 113


def test_nothing_is_left_out_that_is_there(shared: Path) -> None:
    metrics = {question.case["metric"].partition(".")[0] for question in questions(shared)}
    assert metrics <= NOT_YET | set(FIGURES) | set(NUMBERS)
    assert not NOT_YET & (set(FIGURES) | set(NUMBERS))
    conventions = {answer(question) for question in questions(shared)}
    assert {each for each in conventions if isinstance(each, str) and not each.startswith("not yet")} == set(
        OTHER_CONVENTION
    )


def test_one_category_in_use_leaves_chance_corrected_figures_undefined(shared: Path) -> None:
    data = json.loads((shared / "cases" / "edge_single_category.json").read_text(encoding="utf-8"))
    measures = figures(units_of(annotations(data["data"]))).measures
    assert value(measures["observed_agreement"]) == 1
    for name in ("scott_pi", "cohen_kappa", "krippendorff_alpha", "kappa_max"):
        assert measures[name].value is None
        assert str(measures[name].undefined) == (
            "only one category was used, so that the expected disagreement is zero"
        )
    assert str(measures["bennett_s"].undefined).startswith("only one category is declared or used")


@pytest.mark.parametrize("key", ["loc", "org", "per"])
def test_a_crowd_that_marks_sets_of_tokens(shared: Path, key: str) -> None:
    printed = real(shared)[f"btc_e_{key}_answer_set_nominal"]
    units: dict[str, list[str]] = {}
    with (shared / "data" / "broad-twitter-crowd" / f"btc_e_{key}.csv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            units.setdefault(row["item"], []).append(row["label"])
    # Whose label it is makes no difference to these figures.
    found = figures(units_of(annotations(list(units.values()))))
    assert (found.units.units, len(found.units.categories)) == (printed["items"], printed["labels"])
    assert value(found.measures["krippendorff_alpha"]) == pytest.approx(printed["alpha_nominal"], abs=5e-7)
    assert value(found.measures["observed_agreement"]) == pytest.approx(
        printed["obs_agr_item_mean"], abs=5e-7
    )


def test_a_crowd_of_3815(shared: Path) -> None:
    printed = real(shared)["ukpconvarg1"]
    file = shared / "data" / "ukp-convarg1" / "votes.csv"
    found = figures(units_of(read_export([(file, file.name)], ReadOptions())))
    assert (found.units.units, len(found.units.annotators)) == (printed["items"], printed["annotators"])
    assert value(found.measures["krippendorff_alpha"]) == pytest.approx(printed["alpha_nominal"], abs=5e-7)
    assert value(found.measures["observed_agreement"]) == pytest.approx(
        printed["obs_agr_item_mean"], abs=5e-7
    )
    pairs = found.pair_figures
    assert found.pairs == ()
    assert pairs is not None
    assert pairs.units.sum() == sum(n * (n - 1) // 2 * times for n, times in ((4, 190), (5, 16737)))
    pooled = float((pairs.observed * pairs.units).sum() / pairs.units.sum())
    assert pooled == pytest.approx(printed["obs_agr_pair_pooled"], abs=5e-7)


def real(shared: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((shared / "data" / "expected.json").read_text(encoding="utf-8"))
    return found
