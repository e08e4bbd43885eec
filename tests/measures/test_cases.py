"""Every worked case of the folder `shared` whose figure is there already, and real campaigns of sets."""

import csv
import json
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np
import pytest

from reportgen.counts import count
from reportgen.measures import Estimate, UnitSetAgreement, figures_of_sums, formulas
from reportgen.measures.analysis import PairAgreement
from reportgen.measures.coefficients import null_test
from reportgen.measures.distances import CategoryDistance, nominal
from reportgen.measures.figures_of_sums import UnitsByAnnotators, UnitsByLabels, coefficient
from reportgen.measures.unit_profiles import paired_profiles, unit_ratings
from reportgen.readers import ReaderOptions, read_export
from reportgen.results import Results
from reportgen.units import CodedUnits
from tests.campaigns import results_of, written
from tests.measures.made import (
    Matrix,
    against_all,
    annotations,
    error,
    expected,
    figures,
    from_table,
    matrix,
    observed,
    units_of,
    value,
)
from tests.present import present
from tests.slowly import slow_but

Case = dict[str, Any]

# What is computed nowhere here, and why.
LEFT_OUT = {
    "iota": "Janson and Olsson's agreement on several variables at once: each layer has its own figures here",
    "robinson_a": "an intraclass correlation rescaled: (1 + ICC) / 2, one-way, for two annotators",
    "rater_bias_ratio": "the share of disagreements above the diagonal; the test of it is there: rater_bias",
    "segmentation_fleiss_pi": "agreement on boundaries of a segmentation, which no campaign here declares",
    "boundary_similarity": "the same",
    "gamma_best_alignment_disorder": "a step inside pygamma-agreement, whose gamma is used as it is",
    "gamma_given_sampled_disorders": "the same",
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


KNOWN: dict[str, UnitSetAgreement] = {}


def rows_of(question: Question) -> list[list[str | None]]:
    """Labels as text, of the raters asked for."""
    raters = question.params.get("raters") or range(len(question.data["data"][0]))
    null = "null" if question.params.get("missing") == "null is a category" else None
    return [
        [null if row[rater] is None else str(row[rater]) for rater in raters] for row in question.data["data"]
    ]


def agreement(question: Question, tables: dict[str, Matrix] | None = None, **task: Any) -> UnitSetAgreement:  # noqa: ANN401
    """Return every figure of a question's data; many questions are about the same."""
    names = question.data.get("categories") if question.is_table else rows_of(question)
    key = repr((question.data["data"], names, tables, sorted(task.items())))
    if key not in KNOWN:
        KNOWN[key] = computed(question, tables, task)
    return KNOWN[key]


def computed(question: Question, tables: dict[str, Matrix] | None, task: Case) -> UnitSetAgreement:
    if question.is_table:
        size = len(question.data["data"])
        names = [str(name) for name in question.data.get("categories") or range(1, size + 1)]
        own: Case = {"categories": names, **task}
        return figures(units_of(matrix(question.data["data"], names), **own), tables)
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
        named = params["distance"] == "nominal"
        return (by_gap([0, *[1] * (len(levels(question)) - 1)]) if named else params["distance"]), None
    if "disagreement_by_rank_gap" in params:
        # Raters 2 and 3 never use level 5: the gaps count ranks of observed levels.
        return by_gap(params["disagreement_by_rank_gap"]), None
    return by_weights(question, params["weights"])


def by_weights(question: Question, weights: Any) -> tuple[Matrix, list[str] | None]:  # noqa: ANN401 - a name or a matrix
    """The distance of weights by name, or as a matrix."""
    size = len(levels(question))
    if isinstance(weights, list):
        return [
            [1 - (weights[i][j] + weights[j][i]) / 2 for j in range(len(weights))]
            for i in range(len(weights))
        ], None
    if "by value" in weights:
        return by_gap([gap**2 for gap in range(6)]), list("123456")
    if weights == "ratio":
        numbers = [float(level) for level in levels(question)]
        return [[((x - y) / (x + y)) ** 2 for y in numbers] for x in numbers], None
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


def on_scale(measure: str, scale: str) -> Callable[[Question], Estimate]:
    return lambda question: agreement(question, scale=scale).measures[measure]


def maxwell(question: Question) -> Estimate:
    """Two raters' numbers, each cut at that rater's own median."""
    one, other = ([int(row[rater]) for row in question.data["data"]] for rater in question.params["raters"])
    cut = median(one), median(other)
    rows = [(str(a >= cut[0]), str(b >= cut[1])) for a, b in zip(one, other, strict=True)]
    return figures(units_of(annotations(rows))).measures["maxwell_re"]


def of_one_unit(question: Question) -> float:
    row = rows_of(question)[question.params["item"]]
    return value(figures(units_of(annotations([row]))).measures["observed_agreement"])


def statistic(question: Question, test: str, **task: Any) -> float:  # noqa: ANN401
    return agreement(question, **task).pairs[0].tests[test].statistic or 0.0


def only_pair(question: Question) -> PairAgreement:
    return agreement(question).pairs[0]


def place(question: Question, category: str) -> int:
    return [str(name) for name in question.data["categories"]].index(category)


def conditional(question: Question) -> float:
    second, first = question.params["P"].removeprefix("P(").removesuffix(")").split("|")
    return float(from_table(only_pair(question))[place(question, first), place(question, second)])


def between(question: Question, kind: str) -> float:
    first, second = (place(question, name) for name in question.params["pair"])
    return float(from_table(only_pair(question), kind)[first, second])


def any_weights(question: Question, measure: str) -> Estimate:
    """A figure that is nominal unless the case has weights; its categories are those in use, or so many."""
    if question.params.get("weights", "identity") not in ("identity", "nominal"):
        return weighted(question, measure)
    many = question.params.get("categories")
    found = agreement(question)
    assert many in (None, len(found.units.categories))
    return found.measures[measure]


def ac2(question: Question) -> Estimate:
    """AC2 with named weights, or with a matrix of weights as it is given, which is then not rescaled."""
    if not isinstance(question.params["weights"], list):
        return weighted(question, "gwet_ac2")
    found = agreement(question)
    distance = CategoryDistance("case", np.array(distance_of(question)[0]))
    distance.largest = 1.0
    parts = UnitsByLabels(present(found.whole).rated, distance)
    return coefficient(formulas.gwet_ac, parts)


def of_category(question: Question) -> Estimate:
    """Fleiss' kappa of one category, by name or by its number from 1."""
    found = agreement(question)
    names = list(found.units.categories)
    wanted = question.params["category"]
    return found.against_rest[names.index(str(wanted))]["fleiss_kappa"]


def with_majority(question: Question) -> Estimate:
    """Each worker against the majority that includes the worker, ties going to the first category."""
    ratings = unit_ratings(units_of(annotations(rows_of(question))))
    worker = question.data["raters"].index(question.params["rater"])
    return figures_of_sums.share(ratings, against_all(ratings), ratings.annotator == worker)


def null_z(question: Question) -> float:
    found = present(null_test(paired_profiles(count(units_of(annotations(rows_of(question)))).profiles, 5)))
    return found.z


def chance_of_alpha(question: Question) -> float:
    """irrCAC's chance agreement, without the small-sample term."""
    found = agreement(question)
    ratings = int(present(found.whole).profiles.totals.sum())
    return 1 - expected(found.measures["krippendorff_alpha"]) * (ratings - 1) / ratings


def has_missing(question: Question) -> bool:
    return not question.is_table and any(label is None for row in rows_of(question) for label in row)


OF_SUMS = {
    "fleiss_kappa": formulas.fleiss_kappa,
    "gwet_ac1": formulas.gwet_ac,
    "brennan_prediger": formulas.bennett_s,
}


def fixed_sizes(question: Question, base: str) -> float:
    """The standard error as irrCAC has it: the number of units with two ratings taken as a constant.

    A unit with a single rating then moves the figure by not being one of them. Ours lets that number vary,
    which agrees with the bootstrap.
    """
    found = agreement(question)
    plain = nominal(present(found.whole).categories)
    if base == "conger_kappa":
        ratings = present(found.whole).ratings
        known = coefficient(formulas.conger_kappa, UnitsByAnnotators(ratings, plain))
        several, clusters = ratings.ratings > 1, ratings.clusters
    else:
        rated = present(found.whole).rated
        known = coefficient(OF_SUMS[base], UnitsByLabels(rated, plain))
        several, clusters = rated.ratings > 1, rated.clusters
    value, influence = present(known.value), present(known.spread).influence
    share = present(found.whole).profiles.units / clusters.units
    return clusters.standard_error(influence + value * (several / share - 1))


FIGURES: dict[str, Callable[[Question], Estimate]] = {
    "percent_agreement": simple("observed_agreement"),
    "bennett_s": simple("bennett_s"),
    "brennan_prediger": lambda question: any_weights(question, "bennett_s"),
    "scott_pi": simple("scott_pi"),
    "cohen_kappa": simple("cohen_kappa"),
    "cohen_kappa_max": simple("kappa_max"),
    "finn_r": simple("finn_r"),
    "icc_a1": on_scale("icc_a1", "interval"),
    "kendall_w": on_scale("kendall_w", "ordinal"),
    "bangdiwala_b": simple("bangdiwala_b"),
    "maxwell_re": maxwell,
    "weighted_kappa": lambda question: weighted(question, "weighted_kappa"),
    "fleiss_kappa": lambda question: any_weights(question, "fleiss_kappa"),
    "conger_kappa": lambda question: any_weights(question, "conger_kappa"),
    "multi_kappa": lambda question: any_weights(question, "conger_kappa"),
    "gwet_ac1": lambda question: any_weights(question, "gwet_ac1"),
    "gwet_ac2": ac2,
    "randolph_kappa": lambda question: any_weights(question, "randolph_kappa"),
    "fleiss_kappa_category": of_category,
    "agreement_with_majority": with_majority,
    "krippendorff_alpha": alpha,
    "positive_specific_agreement": lambda question: only_pair(question).specific[
        place(question, question.params["category"])
    ],
}
NUMBERS: dict[str, Callable[[Question], float]] = {
    "conditional_category_probability": conditional,
    "data_derived_distance_alpha": lambda question: between(question, "computed_alpha"),
    "data_derived_distance_kappa_w": lambda question: between(question, "computed_kappa"),
    "stuart_maxwell_chi2": lambda question: statistic(question, "stuart_maxwell"),
    "bhapkar_chi2": lambda question: statistic(question, "bhapkar"),
    "rater_bias_chi2": lambda question: statistic(question, "rater_bias", scale="ordinal"),
    "item_agreement": of_one_unit,
    "fleiss_kappa.z": null_z,
    "krippendorff_alpha.pe": chance_of_alpha,
    "light_kappa": lambda question: agreement(question).mean_over_pairs["cohen_kappa"].value,
}
PARTS: dict[str, Callable[[Estimate], float]] = {
    "": value,
    "Ao": observed,
    "Ae": expected,
    "Do": observed,
    "De": expected,
    "se": error,
    "pe": expected,
}


def answer(question: Question) -> float | str:
    """Return the figure of a case, or why it has none."""
    metric = question.case["metric"]
    base, _, part = metric.partition(".")
    if base in LEFT_OUT:
        return f"left out: {LEFT_OUT[base]}"
    if metric in NUMBERS:
        return NUMBERS[metric](question)
    if base == "percent_agreement" and question.params.get("missing", "").startswith("units weighted"):
        # Units weigh as much as they have ratings in alpha's observed disagreement.
        return 1 - observed(agreement(question).measures["krippendorff_alpha"])
    if part == "se" and base in (*OF_SUMS, "conger_kappa") and has_missing(question):
        return fixed_sizes(question, base)
    return PARTS[part](FIGURES[base](question))


def questions(shared: Path) -> Iterator[Question]:
    for file in sorted((shared / "cases").glob("*.json")):
        data = json.loads(file.read_text(encoding="utf-8"))
        if data["data_kind"] in KINDS:
            for case in data.get("cases", []):
                yield Question(data, case)


@pytest.mark.slow
def test_every_case_of_a_measure_that_is_there(shared: Path) -> None:
    wrong, checked = [], 0
    for question in questions(shared):
        found = answer(question)
        if isinstance(found, str):
            assert found.startswith("left out")
            continue
        checked += 1
        case = question.case
        if abs(found - case["expected"]) > case["tolerance"]:
            wrong.append(
                f"{question.data['id']} {case['metric']} {case.get('params')}: {found}, {case['expected']}"
            )
    assert not wrong, "\n".join(wrong)
    assert checked >= 200


def test_nothing_is_left_out_that_is_there(shared: Path) -> None:
    metrics = {question.case["metric"].partition(".")[0] for question in questions(shared)}
    there = set(FIGURES) | set(NUMBERS)
    assert metrics <= set(LEFT_OUT) | there
    assert not set(LEFT_OUT) & there


def test_one_category_in_use_leaves_chance_corrected_figures_undefined(shared: Path) -> None:
    data = json.loads((shared / "cases" / "edge_single_category.json").read_text(encoding="utf-8"))
    measures = figures(units_of(annotations(data["data"]))).measures
    assert value(measures["observed_agreement"]) == 1
    for name in ("scott_pi", "cohen_kappa", "krippendorff_alpha", "kappa_max"):
        assert measures[name].value is None
        assert str(measures[name].undefined) == (
            "only one category was used where labels can be compared, "
            "so that the expected disagreement is zero"
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
    for name in ("fleiss_kappa", "randolph_kappa"):
        assert value(found.measures[name]) == pytest.approx(printed[name], abs=5e-7)


@pytest.mark.slow
def test_a_crowd_of_3815(shared: Path) -> None:
    printed = real(shared)["ukpconvarg1"]
    file = shared / "data" / "ukp-convarg1" / "votes.csv"
    found = figures(units_of(read_export([(file, file.name)], ReaderOptions())))
    assert (found.units.units, len(found.units.annotators)) == (printed["items"], printed["annotators"])
    assert value(found.measures["krippendorff_alpha"]) == pytest.approx(printed["alpha_nominal"], abs=5e-7)
    assert value(found.measures["observed_agreement"]) == pytest.approx(
        printed["obs_agr_item_mean"], abs=5e-7
    )
    of_five = [rows for rows in by_unit(found.units).values() if len(rows) == 5]
    kappa = figures(units_of(annotations(of_five))).measures["fleiss_kappa"]
    assert kappa.units == 16737
    assert value(kappa) == pytest.approx(printed["fleiss_kappa_items_with_exactly_5(n=16737)"], abs=5e-7)
    pairs = present(found.pair_figures)
    assert found.pairs == ()
    assert pairs.units.sum() == sum(n * (n - 1) // 2 * times for n, times in ((4, 190), (5, 16737)))
    pooled = float((pairs.observed * pairs.units).sum() / pairs.units.sum())
    assert pooled == pytest.approx(printed["obs_agr_pair_pooled"], abs=5e-7)


def by_unit(units: CodedUnits) -> dict[int, list[str]]:
    """The labels of each unit, whoever gave them."""
    found: dict[int, list[str]] = {}
    for unit, label in zip(units.unit.tolist(), units.label.tolist(), strict=True):
        found.setdefault(unit, []).append(units.categories[label])
    return found


def real(shared: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((shared / "data" / "expected.json").read_text(encoding="utf-8"))
    return found


COLUMNS = (
    "system_language", "system_input", "system_output", "system_task", "op_form", "op_data_type",
    "op_instrument_type", "op_instrument_size", "criterion_paraphrase",
)  # fmt: skip
ROUNDS = {
    "chec_v1": "iaa-v1.csv",
    "chec_v2_double": "iaa-v2_double-annotations.csv",
    "chec_v2_single": "iaa-v2_single-annotations.csv",
    "chec_v2_single_expert": "iaa-v2_single-annotations_expert.csv",
}
# Where annotators left a cell empty: those figures count it as a value of its own, and we as missing.
WITH_EMPTY_CELLS = {
    ("chec_v1", "criterion_paraphrase"), ("chec_v1", "op_instrument_size"), ("chec_v2_double", "op_form"),
}  # fmt: skip
SETS = '[task]\nscale = "set"\n'
KEPT = """columns = { unit = "key", annotator = "source_spreadsheet" }
set_separator = "|"
normalise = ["lowercase"]
"""


def expected_alphas(shared: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((shared / "data" / "expected.json").read_text(encoding="utf-8"))
    return found


def checked(folder: Path, shared: Path, name: str, *, blank: str) -> Results:
    """Return the results of one round; an empty cell of a paper's row is written as `blank`."""
    with (shared / "data" / "chec-20y" / ROUNDS[name]).open(encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if row["key"]]
    names = ("key", "source_spreadsheet", *COLUMNS)
    layers = "".join(f'[[layers]]\nid = "{column}"\n' for column in COLUMNS)
    campaign = written(folder / "chec", SETS + layers, {"exports/1.0/e.csv": ""})
    with (campaign / "exports" / "1.0" / "e.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        writer.writerows([row[column] or blank for column in names] for row in rows)
    toml = campaign / "campaign.toml"
    toml.write_text(toml.read_text(encoding="utf-8") + KEPT, encoding="utf-8")
    return results_of(campaign)


def shown(found: Results, printed: dict[str, Any], digits: int) -> list[tuple[str, str]]:
    """The columns and distances whose alpha is another than the printed one."""
    measures = {each.layer: each.measures for each in found.unit_sets}
    return [
        (column, distance)
        for column, alphas in printed["by_column"].items()
        for distance in ("jaccard", "masi")
        if round(measures[column][f"krippendorff_alpha[{distance}]"].value or 0.0, digits)
        != alphas[f"alpha_{distance}"]
    ]


@pytest.mark.parametrize("name", slow_but(ROUNDS))
def test_papers_described_by_several_people(shared: Path, tmp_path: Path, name: str) -> None:
    printed = expected_alphas(shared)[name]
    found = checked(tmp_path, shared, name, blank="(left empty)")
    assert len(printed["by_column"]) == len(found.unit_sets) == 9
    assert {len(each.annotators) for each in found.unit_sets} == {printed["annotators"]}
    assert {each.units for each in found.unit_sets} == {printed["papers"]}
    assert {each.marks.used for each in found.unit_sets} == {printed["rows"]}
    assert shown(found, printed, 4) == []
    assert set(found.coefficients.values()) == {"krippendorff_alpha[masi]"}


@pytest.mark.parametrize("name", slow_but(["chec_v1", "chec_v2_double"]))
def test_an_empty_cell_is_missing_and_no_label(shared: Path, tmp_path: Path, name: str) -> None:
    found = checked(tmp_path, shared, name, blank="")
    other = {column for column, _ in shown(found, expected_alphas(shared)[name], 4)}
    assert other == {column for round_, column in WITH_EMPTY_CELLS if round_ == name}
