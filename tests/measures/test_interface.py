"""`from reportgen import agreement`: the same figures of frames, arrays and lists, and mistakes in words."""

import copy
import math
import pickle
import re
import statistics
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

from reportgen import agreement
from reportgen.base.errors import BadInput
from tests.measures.made import annotations, figures, units_of, value
from tests.present import present

ROWS: list[list[str | None]] = [
    ["a", "a", "b"],
    ["b", "b", None],
    ["a", "a", "a"],
    ["b", "a", "b"],
    ["c", "c", "b"],
]


def long() -> dict[str, list[Any]]:
    marks = [
        (unit, f"A{who + 1}", label)
        for unit, row in enumerate(ROWS)
        for who, label in enumerate(row)
        if label
    ]
    return dict(zip(("item", "worker", "vote"), map(list, zip(*marks, strict=True)), strict=True))


class Polars:
    """What of a polars frame is used: names of columns, and columns that become lists."""

    def __init__(self, columns: dict[str, list[Any]]) -> None:
        self.columns = list(columns)
        self._columns = columns

    def __getitem__(self, name: str) -> "Series":
        return Series(self._columns[name])


class Series:
    def __init__(self, values: list[Any]) -> None:
        self._values = values

    def to_list(self) -> list[Any]:
        return self._values


NAMED: dict[str, Any] = {"unit": "item", "annotator": "worker", "label": "vote"}


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (ROWS, {}),
        (np.array(ROWS, dtype=object), {}),
        (pd.DataFrame(ROWS, columns=["A1", "A2", "A3"]), {}),
        (dict(zip(("A1", "A2", "A3"), zip(*ROWS, strict=True), strict=True)), {}),
        (long(), NAMED),
        (pd.DataFrame(long()), NAMED),
        (Polars(long()), NAMED),
        (pd.DataFrame(long()).to_dict("records"), NAMED),
        ([{f"A{who}": label for who, label in enumerate(row, 1) if label} for row in ROWS], {}),
        ({f"A{who}": {unit: row[who - 1] for unit, row in enumerate(ROWS)} for who in (1, 2, 3)}, {}),
        (pd.Series(ROWS), {}),
    ],
    ids=[
        *("lists", "array", "wide frame", "wide columns", "columns", "long frame", "polars"),
        *("records", "a record for each unit", "labels by unit of annotators", "series of rows"),
    ],
)
def test_every_way_to_give_ratings_gives_the_same_figures(given: Any, named: dict[str, Any]) -> None:  # noqa: ANN401
    expected = figures(units_of(annotations(ROWS))).measures
    found = agreement.of(given, **named).measures
    assert {name: each.value for name, each in found.items()} == pytest.approx(
        {name: each.value for name, each in expected.items()}
    )


def test_numbers_are_categories_and_nan_is_missing() -> None:
    rated = np.array([[1, 1.0], [2, 2], [3, math.nan], [1, 2]])
    alpha = agreement.krippendorff_alpha(rated, "interval")
    by_hand = figures(units_of(annotations([("1", "1"), ("2", "2"), ("1", "2")]), scale="interval"))
    assert alpha.value == pytest.approx(value(by_hand.measures["krippendorff_alpha[interval]"]))
    assert alpha.units == 3
    found = agreement.of(pd.DataFrame({"x": [1, None, 2], "y": [1, 2, pd.NA]}))
    assert found.categories == ("1", "2")


def test_documents_make_the_clusters() -> None:
    columns = long()
    columns["text"] = [f"t{item // 2}" for item in columns["item"]]
    found = agreement.of(columns, **NAMED, document="text").measures["observed_agreement"]
    assert str(getattr(found.interval, "method", "")).startswith("leaving out each document")


def test_sets_are_collections_or_text_with_a_separator() -> None:
    sets = [[{"a"}, ["a", "b"]], [set(), frozenset()], [("c",), {"a"}]]
    text = [["a", "b|a"], ["{}", "{}"], ["c", "a"]]
    one = agreement.of(sets, scale="set").measures
    other = agreement.of(text, scale="set", separator="|").measures
    assert {name: each.value for name, each in one.items()} == {
        name: each.value for name, each in other.items()
    }
    assert one["explicit_agreement"].value == pytest.approx((2 / 3 + 0) / 2)
    assert agreement.krippendorff_alpha(sets, "set").value == one["krippendorff_alpha[masi]"].value


def test_a_confusion_matrix_and_distances_by_pair() -> None:
    table = [[20, 5], [10, 15]]
    assert agreement.of_table(table).measures["cohen_kappa"].value == pytest.approx(0.4)
    named = agreement.of_table(
        np.array([[9, 1, 0], [2, 8, 1], [0, 0, 5]]), ("low", "mid", "high"), scale="ordinal"
    )
    assert "weighted_kappa[linear]" in named.measures
    near = {("a", "b"): 0.5}
    found = agreement.of(ROWS, distances={"near": near}).measures
    full = {("a", "b"): 0.5, ("a", "c"): 1.0, ("c", "b"): 1.0}
    again = agreement.of(ROWS, distances={"near": full}).measures
    assert found["krippendorff_alpha[near]"] == again["krippendorff_alpha[near]"]
    assert found["krippendorff_alpha[near]"].value != found["krippendorff_alpha"].value


@pytest.mark.parametrize(
    ("given", "named", "said"),
    [
        ({"item": [1, 1], "x": ["A", "B"], "y": ["a", "b"]}, {"annotator": "x"}, "label: is not named"),
        (ROWS, {"document": "doc"}, 'document: has no column "doc"'),
        (long(), {**NAMED, "label": "votes"}, 'label: has no column "votes"; there are item, worker, vote.'),
    ],
)
def test_a_mistake_is_said_in_words(given: Any, named: dict[str, Any], said: str) -> None:  # noqa: ANN401
    with pytest.raises(BadInput, match="the ratings") as found:
        agreement.of(given, **named)
    assert said in str(found.value)


@pytest.mark.parametrize("table", [[[1, 2]], [[1.5, 0], [0, 1]], [[-1, 0], [0, 1]], [["a", "b"], ["c", "d"]]])
def test_a_table_of_counts_is_square_and_whole(table: list[list[Any]]) -> None:
    with pytest.raises(BadInput, match="whole numbers"):
        agreement.of_table(table)


def test_distances_between_categories_that_there_are_not() -> None:
    with pytest.raises(BadInput, match='speaks of "z"'):
        agreement.of(ROWS, distances={"d": {("a", "z"): 1.0}})


def test_distances_speak_of_the_non_annotated_category_even_where_every_unit_is_annotated() -> None:
    given = {("a", "b"): 0.5, ("a", "none"): 1.0}
    found = agreement.of([["a", "b"], ["b", "b"]], non_annotated="none", distances={"d": given})
    assert found.measures["krippendorff_alpha[d]"].observed == pytest.approx(0.25)


def test_nothing_at_all_is_undefined_everywhere() -> None:
    for nothing in ([], [[None, None]], [["a", None]], [["a"], ["b"]]):
        measures = agreement.of(nothing).measures
        assert all(each.value is None and each.undefined for each in measures.values())


def test_a_long_frame_with_well_known_names_is_recognised() -> None:
    known = pd.DataFrame(long()).rename(columns={"vote": "label"})
    assert agreement.of(known).measures == agreement.of(pd.DataFrame(long()), **NAMED).measures
    assert agreement.of(known).annotators == ("A1", "A2", "A3")


def test_a_wide_frame_may_name_units_and_documents() -> None:
    frame = pd.DataFrame(ROWS, columns=["Ada", "Bea", "Cyd"])
    found = agreement.of(frame.assign(item=["u1", "u2", "u3", "u4", "u5"], doc=["x", "x", "y", "y", "z"]))
    assert found.annotators == ("Ada", "Bea", "Cyd")
    assert found.analysis.units.documents == ("x", "y", "z")
    named = frame.assign(number=[1, 2, 3, 4, 5], place=["x", "x", "y", "y", "z"])
    assert agreement.of(named, unit="number", document="place").measures == found.measures


def test_a_frame_that_is_half_long_is_refused() -> None:
    with pytest.raises(BadInput, match="unit: is not named; long ratings have three columns, and there are"):
        agreement.of({"annotator": ["A", "B"], "x": ["a", "b"], "y": ["a", "b"]})


def test_results_go_by_names() -> None:
    found = agreement.of(pd.DataFrame(ROWS, columns=["Ada", "Bea", "Cyd"]))
    assert list(found.pairs) == [("Ada", "Bea"), ("Ada", "Cyd"), ("Bea", "Cyd")]
    two = agreement.of([row[:2] for row in ROWS]).measures["cohen_kappa"]
    assert found.pairs["Ada", "Bea"].measures["cohen_kappa"].value == two.value
    assert found.specific["a"].value == pytest.approx((2 + 6 + 0) / (4 + 6 + 2))
    assert list(found.specific) == list(found.against_rest) == ["a", "b", "c"]


def test_results_are_short_to_print_and_a_table_in_a_notebook() -> None:
    found = agreement.of(ROWS)
    alpha = found.measures["krippendorff_alpha"]
    assert repr(found).startswith(
        f"<agreement of 3 annotators on 5 units: krippendorff_alpha {alpha.value:.3f}"
    )
    assert len(repr(found)) < 120
    hostile = agreement.of(ROWS, distances={"<b>": {("a", "b"): 0.5}})._repr_html_()
    assert "&lt;b&gt;" in hostile
    assert "<b>" not in hostile
    assert repr(agreement.of([])).startswith(
        "<agreement of 0 annotators on 0 units: krippendorff_alpha undefined: no unit"
    )


def test_a_figure_of_two_is_that_of_all() -> None:
    two = [[1, 1], [2, 2], [3, 1], [2, 3], [1, 1]]
    every = agreement.of(two).measures
    assert agreement.cohen_kappa(two) == every["cohen_kappa"]
    assert agreement.scott_pi(two) == every["scott_pi"]
    ranked = agreement.of(two, scale="ordinal").measures
    assert agreement.weighted_kappa(two, "quadratic") == ranked["weighted_kappa[quadratic]"]
    assert agreement.f_measure(two, 1).value == pytest.approx(4 / 5)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (lambda: agreement.cohen_kappa(ROWS), "are of 3 annotators, and this figure is of two"),
        (lambda: agreement.f_measure([["a", "b"]], "c"), 'has no category "c"'),
        (lambda: agreement.weighted_kappa([[1, 2]], "cubic"), 'has no figure "weighted_kappa[cubic]"'),
        (lambda: agreement.of(ROWS, scale="nominall"), 'scale: is the text "nominall"; "nominal"'),  # type: ignore[arg-type]  # the mistake
        (lambda: agreement.of(ROWS, categories="abc"), 'categories: is the text "abc"; a list was expected'),
        (lambda: agreement.of(None), "are NoneType; a frame, an array or a list of rows was expected"),
        (lambda: agreement.of("abc"), "are str; a frame"),
        (lambda: agreement.of([1, 2]), "are list; a frame"),
        (lambda: agreement.of({"A": [1, 2], "B": [1]}), "columns of different lengths: A (2), B (1)"),
        (lambda: agreement.of_table("x"), "is not a table of whole numbers"),
        (lambda: agreement.replacement(ROWS, "A1"), 'models: is the text "A1"; a list was expected'),
    ],
)
def test_a_wrong_argument_is_said_in_words(asked: Callable[[], object], said: str) -> None:
    with pytest.raises(BadInput) as found:
        asked()
    assert said in str(found.value)


def unknown_names(rows: int) -> pd.DataFrame:
    """A long frame whose columns have names that say nothing."""
    return pd.DataFrame(
        {"item": np.arange(rows) // 2, "who": ["x", "y"] * (rows // 2), "said": ["yes", "no"] * (rows // 2)}
    )


def test_a_frame_that_may_be_long_or_wide_is_refused_and_says_what_to_name() -> None:
    with pytest.raises(BadInput) as found:
        agreement.of(unknown_names(20))
    assert "(who, said), and hardly a label is in two of them" in str(found.value)
    assert 'write annotators = ["who", "said"]' in str(found.value)
    named = agreement.of(unknown_names(20), annotator="who", label="said")
    assert named.annotators == ("x", "y")


def test_two_columns_that_may_be_the_labels_are_refused() -> None:
    frame = pd.DataFrame(long()).rename(columns={"vote": "label"})
    frame = frame.assign(score=[number * 7 % 5 for number in range(len(frame))])
    with pytest.raises(BadInput, match="has several questions, each of which is a layer: label, score"):
        agreement.of(frame)
    assert agreement.of(frame, label="label").measures == agreement.of(ROWS).measures


def test_an_array_whose_rows_are_annotators_or_whose_columns_count_them_is_refused() -> None:
    """Other packages take a row for each rater, or numbers of raters by category."""
    raters = [[("x", "y", "z")[unit % 3 if (unit + who) % 5 else 0] for unit in range(9)] for who in range(3)]
    with pytest.raises(BadInput, match="rows may be annotators"):
        agreement.of(raters)
    with pytest.raises(BadInput, match="rows may be annotators"):
        agreement.krippendorff_alpha(np.array(raters))
    assert len(agreement.of(np.transpose(raters)).annotators) == 3
    # Whoever names them means it.
    named = [f"A{number}" for number in range(1, 10)]
    assert len(agreement.of(raters, annotators=named).annotators) == 9
    with pytest.raises(BadInput, match="whose sum is 3 in each row"):
        agreement.fleiss_kappa([[3, 0, 0], [0, 2, 1], [1, 1, 1], [2, 0, 1], [0, 3, 0], [3, 0, 0], [1, 2, 0]])
    assert len(agreement.of([[1, 2, 3], [2, 3, 1], [3, 3, 1]]).annotators) == 3


def test_fewer_rows_than_columns_are_warned_of_where_they_are_too_few_to_refuse() -> None:
    assert len(agreement.of([["a", "b"], ["b", "b"]]).annotators) == 2
    assert len(agreement.of([["a", "b", "a"]]).annotators) == 3
    few = [["a", "b", "a"], ["b", "b", "a"]]
    for given in (few, np.array(few), pd.DataFrame(few)):
        with pytest.warns(UserWarning, match="3 columns and 2 rows: rows may be annotators") as warned:
            agreement.krippendorff_alpha(given)
        assert [each.filename for each in warned] == [__file__]


TRIPLES = [(who, f"i{unit}", label) for who in ("ann", "ben") for unit, label in enumerate("xxyx")]
COUNTS = [[3, 0, 0], [0, 2, 1], [1, 1, 1], [2, 0, 1]]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (TRIPLES, r'DataFrame\(ratings, columns=\["annotator", "unit", "label"\]\)'),
        (pd.Series(list("abab")), "a frame, an array or a list of rows was expected"),
        ((np.array([[2, 1], [3, 0]]), ["a", "b"]), "a frame, an array or a list of rows was expected"),
        (COUNTS, "whose sum is 3 in each row"),
        ([[3, 0], [1, 2], [0, 3], [3, 0]], "whose sum is 3 in each row"),
        ([[20, 5], [10, 15]], "may be a confusion matrix"),
        (pd.crosstab(pd.Series([*"aab"]), pd.Series([*"abb"])), "called alike in rows and columns"),
    ],
    ids=[
        "a row for each label",
        "a series",
        "a table with names",
        "numbers of raters",
        "of two categories",
        "numbers of units",
        "crosstab",
    ],
)
def test_what_other_packages_take_is_refused_with_what_to_write(given: Any, said: str) -> None:  # noqa: ANN401
    with pytest.raises(BadInput, match=said):
        agreement.of(given)


@pytest.mark.parametrize(
    "given",
    [COUNTS[:3], [[1, 2], [2, 1]] * 2, [[2, 1], [1, 2]], [[20, 5], [10, 9]], pd.DataFrame([[0, 1], [1, 1]])],
)
def test_few_or_small_numbers_are_ratings(given: Any) -> None:  # noqa: ANN401
    """Three rows have one sum by chance, labels up to two a large diagonal, numbers of rows are no names."""
    assert len(agreement.of(given).annotators) == np.shape(given)[1]


def test_rows_may_be_read_once_and_a_crosstab_names_its_categories() -> None:
    first, second = list("aabbab"), list("abbccb")
    found = agreement.of(zip(first, second, strict=True))
    assert found.measures == agreement.of([*zip(first, second, strict=True)]).measures
    table = agreement.of_table(pd.crosstab(pd.Series(first), pd.Series(second)))
    assert table.categories == ("a", "b", "c")
    assert table.measures["cohen_kappa"].value == found.measures["cohen_kappa"].value


def test_an_estimate_is_a_number_where_one_is_expected() -> None:
    kappa = agreement.cohen_kappa(list("aaabbb"), list("aaabba"))
    assert kappa.value == pytest.approx(2 / 3)
    assert (float(kappa), round(kappa, 2), f"{kappa:.1%}", kappa > 0.6, kappa > 0.7) == (
        kappa.value, 0.67, "66.7%", True, False
    )  # fmt: skip
    assert kappa == kappa.value
    assert hash(kappa) == hash(kappa.value)
    assert f"{kappa}" == str(kappa)
    assert np.array([kappa, kappa]).dtype == np.float64
    assert str(statistics.mean([kappa, kappa])) == "0.667"
    assert np.mean([kappa, 0]) == statistics.mean([kappa, 0]) == kappa / 2
    assert kappa - kappa == 0.0
    nothing = agreement.cohen_kappa(["a", "a"], ["a", "a"])
    assert math.isnan(nothing)
    assert f"{nothing:.2f}" == "nan"
    assert not nothing < 1
    zero = agreement.cohen_kappa(list("abab"), list("aabb"))
    assert zero == 0.0
    assert zero
    assert zero != kappa
    for copied in (pickle.loads(pickle.dumps(kappa)), copy.deepcopy(kappa)):  # noqa: S301 - our own
        assert copied == kappa
        assert copied.interval == kappa.interval


def test_the_scale_asked_for_holds_for_every_key() -> None:
    ranks = [[1, 2], [2, 2], [3, 3], [1, 1], [2, 3]]
    found = agreement.of(ranks, scale="ordinal")
    alpha = agreement.krippendorff_alpha(ranks, "ordinal")
    nominal = agreement.krippendorff_alpha(ranks)
    assert alpha != nominal
    for shown in (found.measures, found.pairs["A1", "A2"].measures):
        assert shown["krippendorff_alpha"] == shown["krippendorff_alpha[ordinal]"] == alpha
        assert shown["krippendorff_alpha[nominal]"] == nominal
    assert found.mean_over_pairs["krippendorff_alpha"].value == alpha
    frame = found.to_frame()["value"]
    assert frame["krippendorff_alpha"] == alpha
    assert frame["krippendorff_alpha[nominal]"] == nominal
    assert "krippendorff_alpha[nominal]" not in agreement.of(ranks, scale="nominal").measures


def test_weights_are_those_of_the_figure_on_an_ordinal_scale_unless_another_is_given() -> None:
    ranks = [[1, 2, 2], [2, 2, 3], [3, 3, 3], [1, 1, 2], [2, 3, 3]]
    ordinal, interval = (agreement.of(ranks, scale=scale).measures for scale in ("ordinal", "interval"))
    assert agreement.gwet_ac1(ranks, weights="quadratic") == ordinal["gwet_ac2[quadratic]"]
    assert agreement.fleiss_kappa(ranks, weights="linear") == ordinal["fleiss_kappa[linear]"]
    assert (
        agreement.conger_kappa(ranks, weights="linear", scale="interval") == interval["conger_kappa[linear]"]
    )
    with pytest.raises(BadInput, match=r'no figure "gwet_ac2\[squared\]" on this scale\. Did you mean'):
        agreement.gwet_ac1(ranks, weights="squared")


@pytest.mark.parametrize(
    ("called", "name", "answer"),
    [
        ("cohen_kappa", "labels", 'Did you mean "categories"? It takes ratings, other, weights, unit, '),
        ("krippendorff_alpha", "reliability_data", 'Did you mean "ratings"?'),
        ("scott_pi", "weights", 'Did you mean "scale"?'),
        ("weighted_kappa", "wt", 'Did you mean "weights" or "scale"?'),
        ("of", "documents", 'Did you mean "document"?'),
        ("of_table", "xyz", "It takes counts, categories, scale, non_annotated, distances."),
    ],
)
def test_a_wrong_argument_is_answered_with_the_function_and_its_arguments(
    called: str, name: str, answer: str
) -> None:
    with pytest.raises(TypeError, match=re.escape(f'{called}() has no argument "{name}". {answer}')):
        getattr(agreement, called)(**{name: ROWS})


def test_what_is_public_is_listed_and_a_wrong_name_is_answered() -> None:
    assert dir(agreement) == sorted(agreement.__all__)
    assert all(hasattr(agreement, name) for name in agreement.__all__)
    with pytest.raises(AttributeError, match='Did you mean "cohen_kappa"'):
        getattr(agreement, "cohens_kappa")  # noqa: B009 - mypy knows that it is not there


def test_names_are_found_in_either_order_and_wrong_ones_are_answered() -> None:
    found = agreement.of(pd.DataFrame(ROWS, columns=["Ada", "Bea", "Cyd"]))
    assert found.pairs["Bea", "Ada"] is found.pairs["Ada", "Bea"]
    with pytest.raises(KeyError, match=r'no "Ada and Bee"\. Did you mean "Ada and Bea"'):
        found.pairs["Ada", "Bee"]
    with pytest.raises(KeyError, match='Did you mean "krippendorff_alpha"'):
        found.measures["kripendorf_alpha"]
    with pytest.raises(KeyError, match=r'no "z"\. Known: a, b, c'):
        found.specific["z"]


def test_a_pair_has_its_table_by_names_and_is_short_to_print() -> None:
    pair = agreement.of(pd.DataFrame(ROWS, columns=["Ada", "Bea", "Cyd"])).pairs["Ada", "Bea"]
    table = pair.confusion
    assert (table.index.name, table.columns.name) == ("Ada", "Bea")
    assert table.loc["b", "a"] == 1
    assert int(table.to_numpy().sum()) == 5
    assert pair.specific["c"].value == 1
    assert len(repr(pair)) < 120
    assert pair.to_frame().loc["cohen_kappa", "value"] == pair.measures["cohen_kappa"].value


def test_findings_are_sentences_without_what_only_a_campaign_says() -> None:
    found = agreement.of(ROWS).findings
    assert found[0].startswith("It is undecided whether agreement is acceptable: Krippendorff's alpha is ")
    assert not any("campaign" in each or "{" in each for each in found)


FIGURES = ("categories", "confusion", "layers", "pairs", "pairwise")


@pytest.fixture
def pyplot() -> Iterator[Any]:
    """Return pyplot without a window, its figures closed afterwards."""
    from matplotlib import pyplot as plt

    plt.switch_backend("agg")
    yield plt
    plt.close("all")


@pytest.mark.parametrize("name", FIGURES)
def test_figures_are_drawn_on_axes_of_ones_own_or_on_new_ones_of_pyplot(name: str, pyplot: Any) -> None:  # noqa: ANN401
    plot = agreement.of(ROWS).plot
    axes = pyplot.figure().add_subplot()
    assert getattr(plot, name)(ax=axes) is axes
    drawn = getattr(plot, name)()
    assert drawn.figure is pyplot.gcf()
    assert drawn.lines or drawn.patches


def test_a_size_curve_needs_units_that_nobody_marked(pyplot: Any) -> None:  # noqa: ANN401
    two = [["a", "a"], ["a", "none"], ["none", "none"], ["b", "b"]]
    with pytest.warns(UserWarning, match="needs units that nobody marked"):
        assert agreement.of(two).plot.size_curve() is None
    with pytest.warns(UserWarning, match="needs two pairs of annotators"):
        assert agreement.of(two).plot.pairs() is None
    drawn = present(agreement.of(two, non_annotated="none").plot.size_curve())
    assert drawn.figure is pyplot.gcf()


def test_a_confusion_matrix_of_a_pair_that_there_is_not_is_said_in_words() -> None:
    with pytest.raises(BadInput, match=r"A1 and B are not a pair of annotators\. There are A1 and A2"):
        agreement.of(ROWS).plot.confusion("A1", "B")
