"""Agreement in each document, and the means over documents (GATE user guide 10.1.2)."""

import math
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from reportgen.counts import count
from reportgen.measures import ScaleSetting
from reportgen.measures import cells_by_document as module
from reportgen.measures.analysis import figures_by_document, over_documents
from reportgen.measures.unit_set_data import UnitsOfAll, ranks_or_values
from reportgen.results import Results
from reportgen.results.unit_sets import AgreementByDocument
from reportgen.units import CodedUnits, number
from tests.campaigns import results_of, written
from tests.measures.made import Rows, annotations, ends, figures, no_interval, units_of
from tests.present import present
from tests.properties import examples
from tests.truth import naive
from tests.truth.of_people import kappa_and_pi

# GATE user guide 10.1.2: the mean over documents beside the pooled figure.
#
# All documents are computed at once; the oracle computes each document alone.


CATEGORIES = ["0", "1", "2", "5"]


def rows_of(width: int) -> st.SearchStrategy[list[list[str | None]]]:
    label = st.sampled_from([*CATEGORIES, "none", None])
    return st.lists(st.lists(label, min_size=width, max_size=width), min_size=1, max_size=12)


def whole_of(units: CodedUnits) -> UnitsOfAll:
    numbers = tuple(number(name) for name in units.categories)
    values = ranks_or_values(units.categories, units.scale, numbers)
    setting = ScaleSetting(scale=units.scale, non_annotated=units.non_annotated, values=values)
    return UnitsOfAll(units, count(units), setting)


def coded(rows: Rows, documents: Sequence[str | None], scale: str, weights: Sequence[int] = ()) -> CodedUnits:
    export = annotations(rows, documents=documents, weights=weights)
    return units_of(export, categories=CATEGORIES, non_annotated="none", scale=scale)


@examples(40)
@given(
    st.integers(2, 4).flatmap(rows_of),
    st.lists(st.integers(0, 3), min_size=12, max_size=12),
    st.lists(st.integers(1, 3), min_size=12, max_size=12),
    st.sampled_from(["nominal", "ordinal", "interval", "ratio"]),
)
def test_all_at_once_are_each_alone(rows: Rows, places: list[int], weights: list[int], scale: str) -> None:
    documents = [f"d{place}" for place in places[: len(rows)]]
    units = coded(rows, documents, scale, weights[: len(rows)])
    alone = [oracle(units, code) for code in range(len(units.documents))]
    several = [each for each in alone if each["observed_agreement"] is not None]
    for name, values, _ in figures_by_document(whole_of(units)):
        expected = [math.nan if each[name] is None else each[name] for each in several]
        assert values.tolist() == pytest.approx(expected, abs=1e-9, nan_ok=True), name


def oracle(units: CodedUnits, document: int) -> Mapping[str, float | None]:
    """The figures of one document alone, by the routes that unit sets take."""
    only = units.document[units.unit] == document
    kept = {"unit": units.unit[only], "annotator": units.annotator[only], "label": units.label[only]}
    return {name: each.value for name, each in figures(replace(units, **kept)).measures.items()}


def test_the_mean_leaves_out_and_counts_documents_where_a_figure_is_undefined() -> None:
    # In d1 kappa is 1, in d2 (of four units, two agreed, margins even) 0; in d3 only one category is used.
    rows = [("a", "a"), ("b", "b"), ("a", "a"), ("a", "b"), ("b", "a"), ("b", "b"), ("a", "a"), ("a", "a")]
    documents = ["d1", "d1", "d2", "d2", "d2", "d2", "d3", "d3"]
    macro = over_documents(whole_of(units_of(annotations(rows, documents=documents))))
    kappa = macro["cohen_kappa"]
    assert (kappa.value, kappa.units, kappa.left_out) == (0.5, 2, 1)
    observed = macro["observed_agreement"]
    assert (observed.units, observed.left_out) == (3, 0)
    assert observed.value == pytest.approx(2.5 / 3)


def test_the_interval_comes_from_the_values_of_documents() -> None:
    rows = [("a", "a"), ("a", "b"), ("b", "b"), ("b", "b"), ("a", "a"), ("b", "b"), ("a", "b"), ("b", "b")]
    documents = [f"d{n // 2}" for n in range(8)]
    macro = over_documents(whole_of(units_of(annotations(rows, documents=documents))))
    values = [0.5, 1, 1, 0.5]
    half = t.ppf(0.975, 3) * np.std(values, ddof=1) / 2 / (0.75 * 0.25)
    expected = [1 / (1 + np.exp(-np.log(3) - sign * half)) for sign in (-1, 1)]
    assert ends(macro["observed_agreement"]) == pytest.approx(expected)


def test_units_without_a_document_have_no_mean_over_documents() -> None:
    rows = [("a", "a"), ("a", "b"), ("b", "b")]
    assert over_documents(whole_of(units_of(annotations(rows)))) == {}
    mixed = over_documents(whole_of(units_of(annotations(rows, documents=["d", "d", None]))))
    assert mixed["observed_agreement"].value == 0.5
    assert no_interval(mixed["observed_agreement"]).startswith("one document or unit alone")


def test_a_figure_that_no_document_defines_has_its_reason() -> None:
    rows = [("a", "a"), ("b", "b"), ("a", "a")]
    macro = over_documents(whole_of(units_of(annotations(rows, documents=["d1", "d2", "d1"]))))
    kappa = macro["cohen_kappa"]
    assert (kappa.value, kappa.left_out) == (None, 2)
    assert str(kappa.undefined) == "it is undefined in every document"
    assert no_interval(macro["observed_agreement"]).startswith("no disagreement was seen")


# Agreement in each document, against a literal count of each document by itself.


NAMES = '[privacy]\nannotators = "names"\ndocuments = "names"\n'


def campaign(folder: Path, people: str, toml: str = "", documents: int = 6, seed: int = 3) -> Results:
    drawn = random.Random(seed)  # noqa: S311 - no secret hangs on it
    rows = ["unit,annotator,document,label"]
    for unit in range(20 * documents):
        right = drawn.choice("xyz")
        # The first document is far worse than the others.
        slips = 0.7 if unit % documents == 0 else 0.15
        for who in people:
            label = drawn.choice("xyz") if drawn.random() < slips else right
            rows.append(f"u{unit},{who},d{unit % documents},{label}")
    return results_of(written(folder, NAMES + toml, {"exports/1.0/e.csv": "\n".join(rows) + "\n"}))


def units_by_document(folder: Path, people: str) -> dict[str, list[dict[str, str]]]:
    rows = (folder / "exports/1.0/e.csv").read_text(encoding="utf-8").splitlines()[1:]
    units: dict[tuple[str, str], dict[str, str]] = {}
    for row in rows:
        unit, who, document, label = row.split(",")
        if who in people:
            units.setdefault((document, unit), {})[who] = label
    by_document: dict[str, list[dict[str, str]]] = {}
    for (document, _unit), labels in units.items():
        by_document.setdefault(document, []).append(labels)
    return by_document


def check(own: AgreementByDocument, units: dict[str, list[dict[str, str]]], people: str) -> None:
    assert own.documents_in_all == len(units)
    assert own.disagreements == sum(each.disagreements for each in own.documents)
    shares = [each.observed_agreement for each in own.documents]
    assert shares == sorted(shares)
    for each in own.documents:
        here = units[each.document]
        pairs = naive.pairs(here)
        assert each.comparisons == len(pairs)
        assert each.disagreements == sum(one != other for one, other in pairs)
        both = [
            kappa_and_pi(here, one, other)
            for place, one in enumerate(people)
            for other in people[place + 1 :]
        ]
        assert each.cohen_kappa == pytest.approx(sum(kappa for kappa, _pi in both) / len(both))
        assert each.scott_pi == pytest.approx(sum(pi for _kappa, pi in both) / len(both))


@pytest.mark.parametrize("people", ["AB", "ABC"])
def test_each_document_is_judged_by_itself(people: str, tmp_path: Path) -> None:
    found = campaign(tmp_path, people)
    (own,) = present(found.by_document)
    assert (own.key, own.other, own.documents[0].document) == (None, None, "d0")
    check(own, units_by_document(tmp_path, people), people)
    # The matrix of a document is that of two people alone.
    assert (own.documents[0].cells is None) == (len(people) > 2)
    for each in own.documents if len(people) == 2 else ():
        assert each.cells is not None
        assert sum(cell.units for cell in each.cells) == each.comparisons
        assert sum(cell.units for cell in each.cells if cell.first != cell.second) == each.disagreements


def test_systems_are_judged_beside_the_reference(tmp_path: Path) -> None:
    roles = '[annotators.G]\nrole = "reference"\n[annotators.S]\nrole = "system"\n'
    found = campaign(tmp_path, "GS", roles)
    (own,) = present(found.by_document)
    assert (own.key, own.other) == ("G", "S")
    check(own, units_by_document(tmp_path, "GS"), "GS")


def test_a_rare_label_hides_the_matrices_of_documents(tmp_path: Path) -> None:
    assert campaign(tmp_path / "kept", "AB", "smallest = 30\n").by_document is not None
    found = campaign(tmp_path, "AB", "smallest = 60\n")
    assert all(each.cells is None for each in present(found.by_document)[0].documents)


def test_one_document_alone_or_none_says_nothing_more(tmp_path: Path) -> None:
    assert campaign(tmp_path, "AB", documents=1).by_document is None


def test_the_worst_hundred_documents_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[module.__module__], "MOST_DOCUMENTS", 2)
    found = present(campaign(tmp_path, "AB").by_document)
    assert (len(found[0].documents), found[0].documents_in_all) == (2, 6)
    assert found[0].disagreements > sum(each.disagreements for each in found[0].documents)
