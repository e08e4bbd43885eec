"""Figures of layers of marks, who is beside a reference, and how marks disagree: against their definition."""

import csv
import math
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations, product
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.counts import ENDS, NO_ENDS, NO_SHAPE, SHAPES, CaseCounts, CreditCounts, SpanCounts
from reportgen.measures import analyse_credits, analyse_spans, mark_disagreements, span_results, spans
from reportgen.measures.analysis import small_cells, withheld
from reportgen.measures.comparisons import (
    ComparedAgreement,
    all_comparisons,
    compare_spans,
    compared_figures,
    crowd_csv,
)
from reportgen.measures.distances import nominal
from reportgen.measures.estimate import significant
from reportgen.measures.significance_tests import exchange_p
from reportgen.measures.spans import MarkCells, SpanAgreement, by_document_and_type, mark_cells, span_tables
from reportgen.measures.unit_set_data import ScaleSetting
from reportgen.results import Figure, Mean
from reportgen.results.annotators import Humans
from reportgen.results.marks import CASE_KINDS, Habit, MarkDisagreements, SpanPair, SpanResults
from reportgen.units import Credit, SpanFrame
from tests.present import present
from tests.properties import examples

SHARES = ("precision", "recall", "f_measure", "error_rate")
CREDITED = {"strict": 0.0, "lenient": 1.0, "average": 0.5}
# Matches, overlaps, marks of the first alone, and of the second alone.
Outcomes = tuple[int, int, int, int]
NONE: Outcomes = 0, 0, 0, 0
TYPES = ("X", "Y", "Z")
TOKENS = (10, 20, 40, 80)


@dataclass
class Layer:
    """Who saw which documents, and what became of the marks of every two by document and type."""

    roles: tuple[str, ...]
    saw: tuple[tuple[bool, ...], ...]
    outcomes: Mapping[tuple[int, int, int, int], Outcomes]
    beta: float = 1.0
    derived: tuple[str, ...] = ()
    differs: Mapping[tuple[int, int], int] = field(default_factory=dict)

    @property
    def people(self) -> tuple[str, ...]:
        return tuple(f"{role} {number}" for number, role in enumerate(self.roles))

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Every two that share a document, but for two references or two systems."""
        both = combinations(range(len(self.roles)), 2)
        return [
            two
            for two in both
            if any(row[two[0]] and row[two[1]] for row in self.saw)
            and (self.roles[two[0]] != self.roles[two[1]] or self.roles[two[0]] == "annotator")
        ]

    def annotators(self, two: tuple[int, int]) -> bool:
        return all(self.roles[who] == "annotator" for who in two)

    def documents(self, two: tuple[int, int]) -> list[int]:
        return [document for document, row in enumerate(self.saw) if row[two[0]] and row[two[1]]]

    def of(self, two: tuple[int, int], document: int | None = None, kind: int | None = None) -> Outcomes:
        rows = [
            found
            for (*people, where, what), found in self.outcomes.items()
            if tuple(people) == two and document in {None, where} and kind in {None, what}
        ]
        return cast("Outcomes", tuple(sum(column) for column in zip(NONE, *rows, strict=True)))

    @property
    def frame(self) -> SpanFrame:
        return SpanFrame(
            layer="main",
            documents=tuple(f"d{number}" for number in range(len(self.saw))),
            tokens=np.array(TOKENS[: len(self.saw)]),
            people=self.people,
            roles=self.roles,
            saw=np.array(self.saw, dtype=np.bool_),
            types=TYPES,
            beta=self.beta,
            derived=self.derived,
            features=("sort",),
            doubled=3,
        )

    @property
    def counts(self) -> SpanCounts:
        rows = [
            (*key, outcome, n)
            for key, found in sorted(self.outcomes.items())
            for outcome, n in enumerate(found)
            if n
        ]
        seen = [(*two, document, TOKENS[document]) for two in self.pairs for document in self.documents(two)]
        columns = [*np.array(rows, dtype=np.int64).reshape(-1, 6).T]
        return SpanCounts(*columns, *np.array(seen, dtype=np.int64).reshape(-1, 4).T, differs=self.differs)

    @property
    def analysed(self) -> SpanAgreement:
        return analyse_spans(self.frame, self.counts)


def share(name: str, found: Outcomes, mode: str, beta: float = 1.0, earned: float = 0) -> float | None:
    """Return one share of outcomes, as its definition has it."""
    match, overlap, first, second = found
    right = match + CREDITED[mode] * overlap + earned
    key, response = match + overlap + first, match + overlap + second
    above, below = {
        "precision": (right, response),
        "recall": (right, key),
        "f_measure": ((1 + beta**2) * right, beta**2 * key + response),
        "error_rate": (response - right, response),
    }[name]
    return above / below if below else None


def mean(values: Iterator[float | None] | list[float | None]) -> Mean | None:
    known = [value for value in values if value is not None]
    return Mean(value=sum(known) / len(known), pairs=len(known)) if known else None


def means(of: Callable[[str, str], list[float | None]]) -> dict[str, dict[str, Mean]]:
    return {
        mode: {name: found for name in SHARES if (found := mean(of(mode, name))) is not None}
        for mode in CREDITED
    }


def means_of(layer: Layer, parts: Sequence[Outcomes]) -> dict[str, dict[str, Mean]]:
    return means(lambda mode, name: [share(name, part, mode, layer.beta) for part in parts])


def same(found: Mapping[str, Mapping[str, Mean]], due: Mapping[str, Mapping[str, Mean]]) -> None:
    assert {mode: set(of) for mode, of in found.items()} == {mode: set(of) for mode, of in due.items()}
    for mode, of in due.items():
        for name, each in of.items():
            assert found[mode][name].value == pytest.approx(each.value)
            assert found[mode][name].pairs == each.pairs


def as_drawn(seed: int) -> Layer:
    drawn = random.Random(seed)  # noqa: S311 - made-up marks
    roles = ("reference",) * drawn.randint(0, 2) + ("annotator",) * drawn.randint(1, 3)
    roles += ("system",) * (drawn.random() < 0.3)
    saw = tuple(tuple(drawn.random() < 0.8 for _ in roles) for _ in range(drawn.randint(1, 4)))
    layer = Layer(roles, saw, {}, drawn.choice([1.0, 0.5, 2.0]))
    outcomes = {
        (*two, document, kind): cast("Outcomes", tuple(drawn.choice([0, 0, 1, 2, 5]) for _ in NONE))
        for two in layer.pairs
        for document in layer.documents(two)
        for kind in range(drawn.randint(0, 3))
        if drawn.random() < 0.8
    }
    layer.outcomes = {key: found for key, found in outcomes.items() if any(found)}
    layer.derived = layer.people[: drawn.randint(0, 1)]
    layer.differs = dict.fromkeys(layer.pairs[:1], 2)
    return layer


def agrees(found: Figure, value: float | None) -> None:
    assert found.value == (None if value is None else pytest.approx(value))


@given(st.integers(0, 10**6))
@examples(100, deadline=None)
def test_figures_of_pairs_are_those_of_their_definition(seed: int) -> None:
    layer = as_drawn(seed)
    found = layer.analysed
    assert [(pair.first, pair.second) for pair in found.pairs] == layer.pairs
    assert found.totals.counts[found.totals.type < 0].tolist() == [list(layer.of(two)) for two in layer.pairs]
    for pair, two in zip(found.pairs, layer.pairs, strict=True):
        documents, own = layer.documents(two), pair.figures
        by_document = [layer.of(two, document) for document in documents]
        by_type = {
            name: layer.of(two, kind=kind) for kind, name in enumerate(TYPES) if any(layer.of(two, kind=kind))
        }
        assert pair.documents.tolist() == documents
        assert pair.counts.tolist() == [list(each) for each in by_document]
        assert tuple(dict(own.counts).values()) == layer.of(two)
        assert (own.layer, own.annotators) == ("main", tuple(layer.people[who] for who in two))
        assert (own.roles, own.documents) == (tuple(layer.roles[who] for who in two), len(documents))
        made = layer.people[two[0]] in layer.derived and layer.roles[two[1]] == "annotator"
        assert own.independent is (False if made else None)
        assert own.differs_from_greedy == layer.differs.get(two, 0)
        tokens = sum(TOKENS[document] for document in documents)
        agrees(own.false_positives, 1000 * layer.of(two)[3] / tokens)
        assert {name: tuple(dict(each.counts).values()) for name, each in own.by_type.items()} == by_type
        for mode in CREDITED:
            for name in SHARES:
                agrees(getattr(own, mode)[name], share(name, layer.of(two), mode, layer.beta))
                for kind, each in by_type.items():
                    agrees(getattr(own.by_type[kind], mode)[name], share(name, each, mode, layer.beta))
                over = own.macro_documents[mode][name], own.macro_types[mode][name]
                for macro, parts, every in zip(
                    over,
                    (by_document, list(by_type.values())),
                    (len(documents), len(TYPES)),
                    strict=True,
                ):
                    due = mean([share(name, part, mode, layer.beta) for part in parts])
                    agrees(macro, None if due is None else due.value)
                    assert macro.left_out == every - (0 if due is None else due.pairs)


@given(st.integers(0, 10**6))
@examples(100, deadline=None)
def test_means_are_over_pairs_of_annotators_alone(seed: int) -> None:
    layer = as_drawn(seed)
    found = layer.analysed.means
    pairs = [two for two in layer.pairs if layer.annotators(two)]
    of_all = means_of(layer, [layer.of(two) for two in pairs])
    same(found.overall, of_all)
    used = {kind for *_, kind in layer.outcomes}
    assert list(found.by_type) == [name for kind, name in enumerate(TYPES) if kind in used]
    for kind, name in enumerate(TYPES):
        if kind in used:
            parts = [layer.of(two, kind=kind) for two in pairs if any(layer.of(two, kind=kind))]
            same(found.by_type[name], means_of(layer, parts))
    for mode, figure in found.f_measure.items():
        due = of_all[mode].get("f_measure")
        agrees(figure, None if due is None else due.value)
    against = {}
    for who, role in enumerate(layer.roles):
        two = [two for two in layer.pairs if two[0] == who and layer.roles[two[1]] == "annotator"]
        if role == "reference" and len(two) > 1 and any(any(layer.of(each)) for each in two):
            against[layer.people[who]] = means_of(layer, [layer.of(each) for each in two])
    assert set(found.all_way or {}) == set(against)
    for person, of in against.items():
        same(present(found.all_way)[person], of)


# Errors: of a ratio of sums over documents, by its derivative in the weight of each.

ByDocument = dict[int, Outcomes]


def weighed(by_document: ByDocument, moved: int | None = None, step: float = 0.0) -> tuple[float, ...]:
    """Return the sums of outcomes where one document weighs a little more."""
    rows = [[n * (1 + step * (document == moved)) for n in own] for document, own in by_document.items()]
    return tuple(sum(column) for column in zip(NONE, *rows, strict=True))


def error(figure: Callable[[int | None, float], float], documents: Sequence[int]) -> float:
    step, size = 1e-5, len(documents)
    moved = [(figure(each, step) - figure(each, -step)) / (2 * step) for each in documents]
    return math.sqrt(size / (size - 1) * math.fsum(each * each for each in moved))


def divisor(name: str, found: Outcomes) -> int:
    """Return how many marks a share is of."""
    match, overlap, first, second = found
    key, response = match + overlap + first, match + overlap + second
    return {"recall": key, "f_measure": key + response}.get(name, response)


def near(found: Figure, figure: Callable[[int | None, float], float], documents: Sequence[int]) -> None:
    if found.standard_error is not None:
        assert found.standard_error == pytest.approx(error(figure, documents), rel=1e-4)


@given(st.integers(0, 10**6))
@examples(60, deadline=None)
def test_errors_are_those_of_ratios_of_sums_over_documents(seed: int) -> None:
    layer = as_drawn(seed)
    found = layer.analysed
    whole = {two: {each: layer.of(two, each) for each in layer.documents(two)} for two in layer.pairs}
    for pair, two in zip(found.pairs, layer.pairs, strict=True):
        own, kinds = pair.figures, [kind for kind in range(3) if any(layer.of(two, kind=kind))]
        for mode, name in product(CREDITED, SHARES):
            counted = [each for each, outcomes in whole[two].items() if divisor(name, outcomes)]
            ratio = partial(_share_of, name, mode, layer.beta)
            near(getattr(own, mode)[name], partial(ratio, [whole[two]]), counted)
            if counted:
                assert getattr(own, mode)[name].units == divisor(name, layer.of(two))
            values = [share(name, whole[two][each], mode, layer.beta) or 0.0 for each in counted]
            macro = own.macro_documents[mode][name]
            if macro.standard_error is not None:
                due = float(np.std(values, ddof=1)) / math.sqrt(len(values))
                assert macro.standard_error == pytest.approx(due)
            of_kinds = [{each: layer.of(two, each, kind) for each in whole[two]} for kind in kinds]
            of_kinds = [each for each in of_kinds if share(name, layer_sum(each), mode) is not None]
            counted = [each for each in whole[two] if any(divisor(name, own[each]) for own in of_kinds)]
            near(own.macro_types[mode][name], partial(ratio, of_kinds), counted)
        tokens = {each: TOKENS[each] for each in whole[two]}
        alone = {each: (1000 * outcomes[3], 0, 0, tokens[each]) for each, outcomes in whole[two].items()}
        near(own.false_positives, partial(_quotient, alone), list(tokens))
    pairs = [two for two in layer.pairs if layer.annotators(two)]
    for mode, figure in found.means.f_measure.items():
        defined = [whole[two] for two in pairs if any(map(any, whole[two].values()))]
        counted = sorted({each for own in defined for each, outcomes in own.items() if any(outcomes)})
        near(figure, partial(_share_of, "f_measure", mode, layer.beta, defined), counted)
        if figure.value is not None:
            assert figure.units == len(counted)


def layer_sum(by_document: ByDocument) -> Outcomes:
    return cast("Outcomes", weighed(by_document))


def _share_of(  # noqa: PLR0917 - a share of what, and what is moved
    name: str, mode: str, beta: float, parts: Sequence[ByDocument], moved: int | None, step: float
) -> float:
    """Return the mean of a share over pairs, or types."""
    values = [share(name, cast("Outcomes", weighed(own, moved, step)), mode, beta) for own in parts]
    return math.fsum(value or 0.0 for value in values) / len(values)


def _quotient(by_document: ByDocument, moved: int | None, step: float) -> float:
    above, *_, below = weighed(by_document, moved, step)
    return above / below


# The counts of a layer as rows, and parts of them.


def rows_of(cells: MarkCells) -> dict[tuple[int, ...], Outcomes]:
    columns = cells.first, cells.second, cells.document, cells.type
    keys = zip(*(column.tolist() for column in columns), strict=True)
    return {key: cast("Outcomes", tuple(row)) for key, row in zip(keys, cells.counts.tolist(), strict=True)}


def seen_of(cells: MarkCells) -> list[tuple[int, ...]]:
    columns = cells.seen_first, cells.seen_second, cells.seen_document
    return list(zip(*(column.tolist() for column in columns), strict=True))


@given(st.integers(0, 10**6))
@examples(60, deadline=None)
def test_rows_of_some_people_documents_and_types_are_those_of_a_literal_count(seed: int) -> None:
    layer = as_drawn(seed)
    cells, every = mark_cells(layer.counts), layer.outcomes
    seen = [(*two, document) for two in layer.pairs for document in layer.documents(two)]
    assert (rows_of(cells), seen_of(cells)) == (every, seen)
    assert cells.documents.tolist() == sorted({document for *_, document in seen})
    for two in layer.pairs:
        own = cells.of_pair(*two)
        assert rows_of(own) == {key: row for key, row in every.items() if key[:2] == two}
        assert seen_of(own) == [row for row in seen if row[:2] == two]
    first = np.arange(len(layer.saw)) == 0
    assert rows_of(cells.in_documents(first)) == {key: row for key, row in every.items() if key[2] == 0}
    assert seen_of(cells.in_documents(first)) == [row for row in seen if row[2] == 0]
    annotates = np.array([role == "annotator" for role in layer.roles])
    among = cells.among(annotates)
    assert rows_of(among) == {key: row for key, row in every.items() if layer.annotators(key[:2])}
    assert seen_of(among) == [row for row in seen if layer.annotators(row[:2])]
    assert rows_of(cells.of_type(1)) == {key: row for key, row in every.items() if key[3] == 1}
    assert seen_of(cells.of_type(1)) == seen
    joined = {key[:3] for key in every}
    assert rows_of(cells.all_types) == {(*key, -1): layer.of(key[:2], key[2]) for key in joined}
    made: dict[tuple[int, int, int], int] = {}
    for (one, other, document, kind), (match, overlap, *only) in every.items():
        for who, alone in zip((one, other), only, strict=True):
            # Whoever the two are, a person made as many; here the last row counts.
            made.setdefault((who, document, kind), match + overlap + alone)
    if len(layer.pairs) == 1:
        assert cells.marks_of_each().tolist() == [made[key] for key in sorted(made)]


# Results and tables of them.


def results(layer: Layer, smallest: int = 1) -> SpanResults:
    return present(span_results([layer.analysed], [()], smallest=smallest))


def uses(layer: Layer, two: tuple[int, int]) -> list[list[int]]:
    """Return how many marks of each type either of two made."""
    parts = [layer.of(two, kind=kind) for kind in range(len(TYPES))]
    return [[match + overlap + only[side] for match, overlap, *only in parts] for side in (0, 1)]


@given(st.integers(0, 10**6), st.integers(1, 6))
@examples(60, deadline=None)
def test_few_marks_of_an_annotator_are_withheld_and_of_nobody_else(seed: int, smallest: int) -> None:
    layer = as_drawn(seed)
    annotates = [role == "annotator" for role in layer.roles]
    most = np.zeros((len(layer.roles), len(TYPES)), dtype=np.int64)
    for two in layer.pairs:
        for who, of in zip(two, uses(layer, two), strict=True):
            most[who] = [max(one, other) * annotates[who] for one, other in zip(most[who], of, strict=True)]
    hidden = small_cells(most, smallest)
    for pair, two in zip(results(layer, smallest).pairs, layer.pairs, strict=True):
        shown = np.array(
            [[times * annotates[who] for times in of] for who, of in zip(two, uses(layer, two), strict=True)]
        )
        assert pair.withheld == withheld(shown, hidden[list(two)], TYPES, smallest)


THREE = Layer(
    ("reference", "annotator", "annotator"),
    ((True, True, True), (True, True, False)),
    {
        (0, 1, 0, 0): (2, 1, 0, 1),
        (0, 1, 1, 0): (1, 0, 3, 0),
        (0, 1, 1, 1): (4, 0, 0, 0),
        (0, 2, 0, 0): (5, 0, 1, 0),
        (1, 2, 0, 0): (2, 0, 1, 1),
        (1, 2, 0, 1): (0, 0, 4, 0),
    },
)


def test_what_a_layer_of_results_says() -> None:
    (layer,) = results(THREE).layers
    assert dict(layer) == {
        "layer": "main",
        "beta": 1,
        "features": ("sort",),
        "feature_match": "equal",
        "spellings": (),
        "doubled": 3,
        "types": TYPES,
        "pairs": 3,
        "crowded": False,
        "credits": None,
    }
    assert span_results([], []) is None
    found = results(THREE)
    assert found.disagreements is None
    assert list(found.mean_over_pairs) == ["main"]


def by_document(pair: SpanPair) -> dict[str, Outcomes]:
    return {name: tuple(dict(each.counts).values()) for name, each in (pair.by_document or {}).items()}


def test_documents_are_in_results_up_to_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three pairs with two documents, one and one."""
    monkeypatch.setattr(spans, "MOST_DOCUMENTS", 4)
    found = [by_document(pair) for pair in results(THREE).pairs]
    assert found == [{"d0": (2, 1, 0, 1), "d1": (5, 0, 3, 0)}, {"d0": (5, 0, 1, 0)}, {"d0": (2, 0, 5, 1)}]
    first = present(results(THREE).pairs[0].by_document)
    assert first["d0"].lenient["precision"] == 3 / 4
    assert first["d1"].strict["recall"] == 5 / 8
    assert span_tables([THREE.analysed], 1) == {}
    monkeypatch.setattr(spans, "MOST_DOCUMENTS", 3)
    assert [pair.by_document for pair in results(THREE).pairs] == [None] * 3
    (name, text), *more = span_tables([THREE.analysed], 1).items()
    assert (name, more) == ("tables/spans-by-document.csv", [])
    rows = list(csv.DictReader(text.splitlines()))
    people = THREE.people
    assert [(row["layer"], row["first"], row["second"], row["document"]) for row in rows] == [
        ("main", people[0], people[1], "d0"),
        ("main", people[0], people[1], "d1"),
        ("main", people[0], people[2], "d0"),
        ("main", people[1], people[2], "d0"),
    ]
    assert [rows[1][name] for name in ("match", "overlap", "only_first", "only_second")] == list("5030")
    assert float(rows[0]["precision[lenient]"]) == 3 / 4
    assert float(rows[3]["recall[strict]"]) == pytest.approx(2 / 7, abs=1e-11)


# A crowd: tables in place of pairs.


def crowd(layer: Layer, monkeypatch: pytest.MonkeyPatch) -> SpanAgreement:
    monkeypatch.setattr(spans, "MOST_ANNOTATORS", 1)
    return layer.analysed


def test_pairs_of_a_crowd_are_rows_of_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    found = crowd(THREE, monkeypatch)
    assert (found.crowded, found.pairs, found.means.by_type) == (True, (), {})
    assert found.means.overall["strict"]["recall"] == Mean(value=2 / 7, pairs=1)
    text = span_tables([found], 1)["tables/spans.csv"]
    rows = list(csv.DictReader(text.splitlines()))
    short = {name: name[-1] for name in THREE.people}
    told = [(short[row["first"]] + short[row["second"]], row["type"], row["documents"]) for row in rows]
    assert told == [
        ("01", "", "2"),
        ("01", "X", "2"),
        ("01", "Y", "2"),
        ("02", "", "1"),
        ("02", "X", "1"),
        ("12", "", "1"),
        ("12", "X", "1"),
        ("12", "Y", "1"),
    ]
    assert [rows[0][name] for name in ("match", "overlap", "only_first", "only_second")] == list("7131")
    assert float(rows[0]["precision[strict]"]) == pytest.approx(7 / 9, abs=1e-11)
    assert rows[7]["precision[strict]"] == ""
    (layer,) = span_results([found], [()]).layers  # type: ignore[union-attr]
    assert (layer.crowded, layer.pairs) == (True, 3)


@pytest.mark.parametrize(
    ("smallest", "types"), [(3, "01X 01Y 02X 12X 12Y"), (4, "01X 01Y 02X"), (5, "02X"), (6, "")]
)
def test_types_of_two_in_a_crowd_are_left_out_where_either_made_few_marks_of_one(
    smallest: int, types: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Marks of X: 7 and 5 (0 and 1), 6 and 5 (0 and 2), 3 and 3 (1 and 2); of Y: 4 and 4, 4 and none."""
    text = span_tables([crowd(THREE, monkeypatch)], smallest)["tables/spans.csv"]
    rows = list(csv.DictReader(text.splitlines()))
    assert sum(not row["type"] for row in rows) == 3
    assert [f"{row['first'][-1]}{row['second'][-1]}{row['type']}" for row in rows if row["type"]] == (
        types.split()
    )


# Types within documents.


def typed(layer: Layer, smallest: int) -> list[tuple[str, str, str, str]]:
    text = by_document_and_type([layer.analysed], [layer.counts], smallest)
    rows = csv.DictReader((text or "").splitlines())
    return [
        (
            row["first"][-1] + row["second"][-1],
            row["document"],
            row["type"],
            "".join(row[name] for name in ("match", "overlap", "only_first", "only_second")),
        )
        for row in rows
    ]


def test_types_of_each_document_are_a_table_where_there_are_several() -> None:
    assert typed(THREE, 1) == [
        ("01", "d0", "X", "2101"),
        ("01", "d1", "X", "1030"),
        ("01", "d1", "Y", "4000"),
        ("02", "d0", "X", "5010"),
        ("12", "d0", "X", "2011"),
        ("12", "d0", "Y", "0040"),
    ]
    text = present(by_document_and_type([THREE.analysed], [THREE.counts], 1))
    row = next(csv.DictReader(text.splitlines()))
    assert (row["layer"], float(row["precision[average]"])) == ("main", 2.5 / 4)
    assert float(row["recall[strict]"]) == pytest.approx(2 / 3)
    one = Layer(THREE.roles, THREE.saw, {(0, 1, 0, 0): (2, 1, 0, 1)})
    assert by_document_and_type([one.analysed], [one.counts], 1) is None


def test_types_of_annotators_are_in_no_table_by_document_where_cells_are_withheld() -> None:
    assert typed(THREE, 2) == []
    system = Layer(("reference", "annotator", "system"), THREE.saw, THREE.outcomes)
    assert [row[0] for row in typed(system, 2)] == ["02"]


def test_types_of_each_document_of_a_crowd_are_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    assert by_document_and_type([crowd(THREE, monkeypatch)], [THREE.counts], 1) is None


# Credit.

CREDIT = Credit("bdm", np.array([[1, 0.5, 0.25], [0.5, 1, 0], [0.25, 0, 1]]), 2.0)


@given(st.integers(0, 10**6))
@examples(40, deadline=None)
def test_credit_is_added_to_what_is_right(seed: int) -> None:
    layer, drawn = as_drawn(seed), random.Random(seed)  # noqa: S311 - made-up marks
    # Who, where, which types, coextensive or overlapping, and how many.
    rows = sorted(
        {
            (*two, document, *drawn.choice([(0, 1), (1, 0), (0, 2), (2, 0)]), kind): drawn.randint(1, 3)
            for two in layer.pairs
            for document in layer.documents(two)
            for kind in (0, 1)
            if drawn.random() < 0.5
        }.items()
    )
    for (first, second, document, *_), n in rows:
        key = first, second, document, 0
        match, overlap, one, other = layer.outcomes.get(key, NONE)
        layer.outcomes = {**layer.outcomes, key: (match, overlap, one + n, other + n)}
    columns = np.array([(*key, n) for key, n in rows], dtype=np.int64).reshape(-1, 7).T
    (found,) = analyse_credits(layer.analysed, [CreditCounts(*columns, credit=CREDIT)])
    assert (found.layer.distance, found.layer.divisor) == ("bdm", 2)
    assert list(found.pairs) == layer.pairs

    def earned(two: tuple[int, int], kind: int) -> float:
        own = [row for row in rows if row[0][:2] == two and row[0][5] == kind]
        return sum(n * float(CREDIT.matrix[key[3], key[4]]) for key, n in own)

    def credited(two: tuple[int, int], mode: str, name: str) -> float | None:
        more = earned(two, 0) + CREDITED[mode] * earned(two, 1)
        return share(name, layer.of(two), mode, layer.beta, more)

    for two, own in found.pairs.items():
        numbers = [sum(n for key, n in rows if key[:2] == two and key[5] == kind) for kind in (0, 1)]
        assert [own.pairs.coextensive, own.pairs.overlap] == numbers
        assert own.pairs.earned_coextensive == pytest.approx(earned(two, 0))
        assert own.pairs.earned_overlap == pytest.approx(earned(two, 1))
        for mode in CREDITED:
            for name in SHARES:
                agrees(getattr(own, mode)[name], credited(two, mode, name))
    pairs = [two for two in layer.pairs if layer.annotators(two)]
    due = means(lambda mode, name: [credited(two, mode, name) for two in pairs])
    same(found.layer.mean_over_pairs, due)
    results_of = present(span_results([layer.analysed], [(found,)]))
    assert results_of.layers[0].credits == (found.layer,)
    assert [dict(pair.credits or {}) for pair in results_of.pairs] == [
        {"bdm": own} for own in found.pairs.values()
    ]


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


OMITTED = CASE_KINDS.index("omission")


class Case(NamedTuple):
    """A row of counts of cases; types are -1 where somebody has no mark."""

    first: int
    second: int
    document: int
    kind: int
    first_type: int
    second_type: int
    ends: int
    shape: int
    n: int


def cases_of(layer: Layer, seed: int) -> list[Case]:
    drawn = random.Random(seed)  # noqa: S311 - made-up marks
    rows: list[Case] = []
    for two in layer.pairs:
        for document in layer.documents(two):
            for _ in range(drawn.randint(0, 4)):
                kind, n = drawn.randrange(4), drawn.randint(1, 3)
                one, other = drawn.sample(range(3), 2)
                more: tuple[int, ...]
                if CASE_KINDS[kind] == "boundary":
                    more = one, one, drawn.randrange(4), drawn.randrange(2 * len(SHAPES))
                elif kind == OMITTED:
                    types = (one, -1) if drawn.random() < 0.5 else (-1, one)
                    more = *types, NO_ENDS, NO_SHAPE
                else:
                    more = one, other, NO_ENDS, NO_SHAPE
                rows.append(Case._make((*two, document, kind, *more, n)))
    return sorted(rows)


# Type, start (0) or end (1), how far apart, and how many pairs.
FAR = [
    *((0, 0, 0, 5), (0, 0, 2, 1), (0, 1, 0, 3), (0, 1, 4, 3)),
    *((1, 0, 0, 6), (1, 1, 0, 6), (2, 0, 1, 9), (2, 1, 3, 9)),
]


def disagreements(
    layer: Layer, rows: Sequence[Case], far: Sequence[tuple[int, int, int, int]] = FAR
) -> MarkDisagreements:
    columns = np.array(rows, dtype=np.int64).reshape(-1, 9).T
    apart = np.array(far, dtype=np.int64).reshape(-1, 4).T
    counts = CaseCounts(*columns, distances=(apart[0], apart[1], apart[2], apart[3]))
    return mark_disagreements(layer.analysed, layer.counts, counts)


def name(kind: int) -> str | None:
    return None if kind < 0 else TYPES[kind]


Told = tuple[str, str | None, str | None]


@given(st.integers(0, 10**6))
@examples(100)
def test_cases_are_those_of_a_literal_count(seed: int) -> None:
    layer = as_drawn(seed)
    rows = cases_of(layer, seed)
    found = disagreements(layer, rows)
    assert found.layer == "main"
    both = [two for two in layer.pairs if layer.annotators(two)]
    assert found.documents == len({document for two in both for document in layer.documents(two)})
    of_all: Counter[Told] = Counter()
    ends: dict[str, Counter[str]] = {}
    for row in rows:
        if layer.annotators((row.first, row.second)):
            types = sorted((row.first_type, row.second_type))
            types = types[::-1] if row.kind == OMITTED else types
            of_all[CASE_KINDS[row.kind], name(types[0]), name(types[1])] += row.n
            if row.ends != NO_ENDS:
                ends.setdefault(TYPES[row.first_type], Counter())[ENDS[row.ends]] += row.n
    assert {(case.kind, case.first, case.second): case.cases for case in found.cases} == of_all
    assert {each.label: Counter({end: getattr(each, end) for end in ENDS}) for each in found.boundaries} == {
        label: Counter({end: own[end] for end in ENDS}) for label, own in ends.items()
    }
    order = [(-ends[each.label].total(), each.label) for each in found.boundaries]
    assert order == sorted(order)
    assert [pair.annotators for pair in found.pairs] == [
        (layer.people[one], layer.people[other]) for one, other in layer.pairs
    ]
    for pair, two in zip(found.pairs, layer.pairs, strict=True):
        assert pair.roles == (layer.roles[two[0]], layer.roles[two[1]])
        own: Counter[Told] = Counter()
        for row in rows:
            if (row.first, row.second) == two:
                own[CASE_KINDS[row.kind], name(row.first_type), name(row.second_type)] += row.n
        assert {(case.kind, case.first, case.second): case.cases for case in pair.cases} == own


def test_distances_of_ends_are_those_of_each_type_the_most_frequent_first() -> None:
    found = disagreements(THREE, [])
    assert [(each.label, each.starts, each.ends) for each in present(found.distances)] == [
        ("Z", ((1, 9),), ((3, 9),)),
        ("X", ((0, 5), (2, 1)), ((0, 3), (4, 3))),
        ("Y", ((0, 6),), ((0, 6),)),
    ]
    assert disagreements(THREE, [], ()).distances is None


# Habits: for each table, what is the first's and what the second's in a row, and of which types it is.
Share = Callable[[Case], tuple[int, int]]


def shaped(shape: str) -> Share:
    places = 2 * SHAPES.index(shape), 2 * SHAPES.index(shape) + 1
    return lambda row: (row.n * (row.shape == places[0]), row.n * (row.shape == places[1]))


def omitted(row: Case) -> tuple[int, int]:
    here = row.kind == OMITTED
    return row.n * (here and row.first_type >= 0), row.n * (here and row.second_type >= 0)


TABLES: dict[str, Share] = {
    **{shape: shaped(shape) for shape in SHAPES},
    "elsewhere": lambda row: (row.n * (row.shape == 2 * SHAPES.index("elsewhere")),) * 2,
    "omitted": omitted,
}
# Whose, document, type, and how much is theirs and the others'.
Part = tuple[int, int, int, int, int, int]


def parts(layer: Layer, rows: Sequence[Case], table: str) -> list[Part]:
    """Return for every two and each document and type what is the first's and what the second's."""
    if table == "marks":
        return [
            (*key, found[0] + found[1] + found[2], found[0] + found[1] + found[3])
            for key, found in layer.outcomes.items()
        ]
    if table == "another":
        differ = [row for row in rows if CASE_KINDS[row.kind] in {"type", "both"}]
        return [
            part
            for row in differ
            for part in (
                (row.first, row.second, row.document, row.first_type, row.n, 0),
                (row.first, row.second, row.document, row.second_type, 0, row.n),
            )
        ]
    return [
        (*row[:3], row.second_type if row.first_type < 0 else row.first_type, *TABLES[table](row))
        for row in rows
    ]


def habit(
    layer: Layer, rows: Sequence[Case], table: str, who: int, kind: int | None
) -> tuple[int, int, float | None]:
    """Return what is somebody's, what the others', and the p value of the difference."""
    took_part = np.zeros((len(layer.saw), len(layer.roles)), dtype=np.bool_)
    for two in layer.pairs:
        if layer.annotators(two):
            for document in layer.documents(two):
                took_part[document, list(two)] = True
    sums = np.zeros(took_part.shape, dtype=np.int64)
    mine = theirs = 0
    for first, second, document, own, one, other in parts(layer, rows, table):
        if layer.annotators((first, second)) and kind in {None, own}:
            sums[document, first] += one - other
            sums[document, second] -= one - other
            if who in {first, second}:
                mine += one if who == first else other
                theirs += other if who == first else one
    return mine, theirs, exchange_p(sums, took_part, who)


@given(st.integers(0, 10**6))
@examples(100)
def test_habits_are_those_of_a_literal_count(seed: int) -> None:
    layer = as_drawn(seed)
    rows = cases_of(layer, seed)
    found = disagreements(layer, rows).habits
    people = [who for who, role in enumerate(layer.roles) if role == "annotator"]
    shown = people[:1] if len(people) == 2 else people
    if len(people) < 2:
        assert found == ()
        return
    used = sorted({key[3] for key in layer.outcomes if layer.annotators(key[:2])})
    due = [
        (who, kind)
        for who in shown
        for kind in (None, *used)
        if kind is None
        or any(who in key[:2] and key[3] == kind and layer.annotators(key[:2]) for key in layer.outcomes)
    ]
    assert [(each.annotator, each.type) for each in found] == [
        (layer.people[who], None if kind is None else TYPES[kind]) for who, kind in due
    ]
    for each, (who, kind) in zip(found, due, strict=True):
        assert (each.marks, each.others, each.more_p) == habit(layer, rows, "marks", who, kind)
        kinds = {
            table: own
            for table in (*SHAPES, "omitted", "another")
            if any((own := habit(layer, rows, table, who, kind))[:2])
        }
        assert {table: (own.own, own.others, own.p) for table, own in each.kinds.items()} == kinds


def test_there_are_habits_of_up_to_fifty_annotators(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules["reportgen.measures.mark_disagreements"]
    monkeypatch.setattr(module, "MOST_ANNOTATORS", 2)
    assert isinstance(disagreements(THREE, []).habits[0], Habit)
    monkeypatch.setattr(module, "MOST_ANNOTATORS", 1)
    assert disagreements(THREE, []).habits == ()
