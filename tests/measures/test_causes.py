"""What is behind disagreements: made with one known cause, two or none, and against loops over rows."""

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from reportgen.counts import count, count_marks, tally
from reportgen.measures import causes
from reportgen.measures.causes import (
    EXPLAINS,
    KINDS,
    LEAST,
    RANKED,
    AllDifferences,
    LayerDifferences,
    _candidates,
    _documents,
    _p_of,
    differences_of_labels,
    differences_of_marks,
    disagreements,
)
from reportgen.measures.estimate import two_sided
from reportgen.readers import Codes
from reportgen.results.model import AllDisagreements, DisagreementPart
from reportgen.units import CodedUnits
from tests.measures.unitized import spans_of
from tests.present import present
from tests.properties import examples

Labels = npt.NDArray[np.int64]
NONE = 0


@dataclass(frozen=True)
class Design:
    """How many people label how many units of how many documents (0: none is known), with how many labels."""

    people: int = 3
    documents: int = 0
    labels: int = 4
    units: int = 300
    slips: float = 0.1
    prevalence: tuple[int, ...] = (1, 1, 1, 1)
    none: bool = False


def slipped(drawn: np.random.Generator, labels: Labels, rate: npt.ArrayLike, among: int) -> Labels:
    slips = drawn.random(labels.shape) < np.broadcast_to(rate, labels.shape)
    return np.where(slips, (labels + drawn.integers(1, among, labels.shape)) % among, labels)


Cause = Callable[[np.random.Generator, Labels, Labels, Labels, Design], Labels]


def noise(drawn: np.random.Generator, labels: Labels, _t: Labels, _d: Labels, design: Design) -> Labels:
    return slipped(drawn, labels, design.slips, design.labels)


def of_document(
    drawn: np.random.Generator, labels: Labels, _t: Labels, where: Labels, design: Design
) -> Labels:
    return slipped(drawn, labels, np.where(where == 0, 0.8, design.slips / 2)[:, None], design.labels)


def vague(drawn: np.random.Generator, labels: Labels, truth: Labels, _d: Labels, design: Design) -> Labels:
    return slipped(drawn, labels, np.where(truth == 1, 0.6, design.slips / 2)[:, None], design.labels)


def confused(drawn: np.random.Generator, labels: Labels, truth: Labels, _d: Labels, design: Design) -> Labels:
    own = slipped(drawn, labels, design.slips / 2, design.labels)
    wrong = (drawn.random(labels.shape) < 0.35) & np.isin(truth, (1, 2))[:, None]
    return np.where(wrong, 3 - truth[:, None], own)


def careless(drawn: np.random.Generator, labels: Labels, _t: Labels, _d: Labels, design: Design) -> Labels:
    rate = np.full(labels.shape, design.slips / 2)
    rate[:, 0] = 0.4
    return slipped(drawn, labels, rate, design.labels)


def omits(drawn: np.random.Generator, labels: Labels, _t: Labels, _d: Labels, design: Design) -> Labels:
    own = slipped(drawn, labels, design.slips / 2, design.labels)
    own[:, 0] = np.where(drawn.random(len(own)) < 0.5, NONE, own[:, 0])
    return own


def marks_more(drawn: np.random.Generator, labels: Labels, _t: Labels, _d: Labels, design: Design) -> Labels:
    own = slipped(drawn, labels, design.slips / 2, design.labels)
    more = (drawn.random(len(own)) < 0.4) & (own[:, 0] == NONE)
    own[:, 0] = np.where(more, drawn.integers(1, design.labels, len(own)), own[:, 0])
    return own


def made(cause: Cause, design: Design, seed: int) -> LayerDifferences:
    drawn = np.random.default_rng(seed)
    shares = np.array(design.prevalence[: design.labels]) / sum(design.prevalence[: design.labels])
    truth = drawn.choice(design.labels, design.units, p=shares)
    where = np.arange(design.units) % design.documents if design.documents else np.full(design.units, -1)
    labels = cause(drawn, np.tile(truth[:, None], (1, design.people)), truth, where, design)
    return differences(labels, where, design)


def differences(labels: Labels, where: Labels, design: Design) -> LayerDifferences:
    units = len(labels)
    parts = [
        np.stack([np.full(units, one), np.full(units, other), where, labels[:, one], labels[:, other]])
        for one, other in combinations(range(design.people), 2)
    ]
    (first, second, document, one, other), n = tally(
        list(np.concatenate(parts, axis=1)), np.ones(units * len(parts), dtype=np.int64)
    )
    kind = np.where(one == other, 0, KINDS.index("label"))
    names = tuple("ABCDEFGH"[: design.people]), tuple(f"d{number:02}" for number in range(design.documents))
    layer = LayerDifferences(
        *(first, second, document, one, other, kind, n),
        layer="main",
        annotators=names[0],
        documents=names[1],
        labels=tuple("vwxyz"[: design.labels]),
    )
    return replace(layer, crossed=True, none=NONE if design.none else layer.none)


def told(cause: Cause, design: Design, seed: int) -> str:
    """Return the first cause that is named: what kind, and of whom or what."""
    found = present(disagreements([made(cause, design, seed)], 0))
    if not found.causes:
        return "none"
    first = found.causes[0]
    about = first.document or "/".join(sorted((first.labels or ()) or (first.annotators or ())))
    return f"{first.kind} {about}"


MOSTLY_NONE = {"labels": 3, "prevalence": (5, 1, 1), "none": True}
KNOWN: list[tuple[Cause, Design, str]] = [
    (of_document, Design(2, 12), "document d00"),
    (of_document, Design(3, 12), "document d00"),
    (vague, Design(2), "label w"),
    (vague, Design(3, 15), "label w"),
    (vague, Design(5, 15), "label w"),
    (confused, Design(2, 15), "labels w/x"),
    (confused, Design(3), "labels w/x"),
    (confused, Design(3, 15, prevalence=(5, 3, 2, 1)), "labels w/x"),
    (careless, Design(3), "annotator A"),
    (careless, Design(5, 15), "annotator A"),
    (omits, Design(2, 15, **MOSTLY_NONE), "one-sided B"),  # type: ignore[arg-type]
    (omits, Design(3, 15, **MOSTLY_NONE), "marks-less A"),  # type: ignore[arg-type]
    (marks_more, Design(2, **MOSTLY_NONE), "one-sided A"),  # type: ignore[arg-type]
    (marks_more, Design(4, 15, **MOSTLY_NONE), "marks-more A"),  # type: ignore[arg-type]
]
QUIET: list[Design] = [
    Design(people, documents, labels, prevalence=prevalence, slips=0.15)
    for people in (2, 3, 5)
    for documents in (0, 15)
    for labels, prevalence in ((2, (1, 1)), (2, (8, 1)), (4, (1, 1, 1, 1)), (4, (5, 3, 2, 1)))
]


@pytest.mark.parametrize(("cause", "design", "due"), KNOWN)
def test_a_known_cause_is_named(cause: Cause, design: Design, due: str) -> None:
    assert [told(cause, design, seed) for seed in range(3)] == [due] * 3


@pytest.mark.slow
@pytest.mark.parametrize(("cause", "design", "due"), KNOWN)
def test_a_known_cause_is_named_in_95_of_100_campaigns(cause: Cause, design: Design, due: str) -> None:
    assert Counter(told(cause, design, seed) for seed in range(100))[due] >= 95


def test_noise_has_no_cause() -> None:
    found = [told(noise, design, seed) for design in QUIET for seed in range(5)]
    assert found.count("none") >= 0.95 * len(found)


@pytest.mark.slow
def test_noise_has_no_cause_in_95_of_100_campaigns_of_each_design() -> None:
    for design in QUIET:
        assert Counter(told(noise, design, seed) for seed in range(100))["none"] >= 93, design


def test_two_causes_are_both_named() -> None:
    design = Design(3, 15, units=600)

    def both(drawn: np.random.Generator, *rest: object) -> Labels:
        labels, truth, _where, _design = rest
        own = confused(drawn, labels, truth, _where, replace(design, slips=0.02))  # type: ignore[arg-type]
        spared = np.isin(own, (1, 2))
        random = drawn.integers(0, 4, own.shape)
        random[:, 1:] = own[:, 1:]
        return np.where(~spared & (drawn.random(own.shape) < 0.6), random, own)

    found = present(disagreements([made(both, design, 1)], 0))
    assert {cause.kind for cause in found.causes} == {"annotator", "labels"}


# Somebody beside those who labelled the same.

EASY, HARD = 0.02, 0.3


def in_part(
    errors: npt.NDArray[np.float64], given: npt.NDArray[np.bool_], seed: int, *, known: bool = True
) -> CodedUnits:
    """Twelve units in each of many documents, whose errors (documents, people) and labels are `given`."""
    drawn, size = np.random.default_rng(seed), 12
    rate, kept = (np.repeat(each, size, axis=0) for each in (errors, given))
    truth = drawn.integers(0, 3, (len(rate), 1))
    labels = slipped(drawn, np.repeat(truth, rate.shape[1], axis=1), rate, 3)
    unit, annotator = np.nonzero(kept)
    return CodedUnits(
        layer="main",
        documents=tuple(f"d{place}" for place in range(len(errors))) if known else (),
        annotators=tuple("ABCDEF"),
        categories=tuple("xyz"),
        document=np.repeat(np.arange(len(errors)) if known else np.full(len(errors), -1), size),
        weight=np.ones(len(rate), dtype=np.int64),
        unit=unit,
        annotator=annotator,
        label=labels[unit, annotator],
    )


def told_of(units: CodedUnits) -> tuple[list[str], bool | None]:
    """Return who is named as a cause, and whether people could be compared."""
    found = present(disagreements([differences_of_labels(units, count(units).pairs)], 0))
    people = [name for each in found.causes if each.kind == "annotator" for name in each.annotators or ()]
    return people, found.people_compared


def in_turn(many: int) -> npt.NDArray[np.bool_]:
    """So many of six label each of sixty documents, one following on another."""
    first = np.arange(60) * (7 - many) // 60
    return (np.arange(6) >= first[:, None]) & (np.arange(6) < first[:, None] + many)


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("many", [2, 3])
def test_who_has_the_hard_documents_is_no_cause(many: int, *, known: bool) -> None:
    errors = np.repeat(np.linspace(EASY, HARD, 60)[:, None], 6, axis=1)
    for seed in range(5):
        assert told_of(in_part(errors, in_turn(many), seed, known=known)) == ([], many > 2)


@pytest.mark.parametrize("known", [True, False])
def test_who_errs_more_than_those_who_labelled_the_same_is_a_cause(*, known: bool) -> None:
    drawn = np.random.default_rng(1)
    three = np.argsort(drawn.random((60, 6)), axis=1) < 3
    errors = np.where(np.arange(6) == 2, 0.5, np.where(np.arange(60) % 2, EASY, 0.1)[:, None])
    for seed in range(5):
        assert told_of(in_part(errors, three, seed, known=known)) == (["C"], True)
        two = np.argsort(drawn.random((60, 6)), axis=1) < 2
        assert told_of(in_part(errors, two, seed, known=known)) == ([], False)


def unmarked_in_pairs(pairs: list[tuple[int, int, int]]) -> list[tuple[str, tuple[str, ...] | None]]:
    """Return the causes where two agree on half of 200 units, and the second of them marks so many less."""
    columns = [
        (first, second, document, one, other, int(one != other), n)
        for first, second, less in pairs
        for document in range(10)
        for one, other, n in ((1, 1, 10), (1, NONE, less), (NONE, 1, 1))
    ]
    layer = LayerDifferences(
        *np.array(columns).T,
        layer="main",
        annotators=tuple("ABCD"),
        documents=tuple(f"d{place}" for place in range(10)),
        labels=("none", "x"),
        none=NONE,
    )
    found = present(disagreements([layer], 0))
    return [(each.kind, each.annotators) for each in found.causes]


def test_of_two_who_label_the_same_alone_nobody_marks_more_or_less() -> None:
    assert unmarked_in_pairs([(0, 1, 9), (2, 3, 1)]) == [], "whose it is nobody knows"
    assert unmarked_in_pairs([(0, 1, 9), (2, 1, 9)]) == [("marks-less", ("B",))]
    assert unmarked_in_pairs([(0, 1, 9), (2, 1, 2)]) == [], "three quarters are of A and B"
    assert unmarked_in_pairs([(0, 1, 9), (2, 1, 4)]) == [("marks-less", ("B",))]


def test_of_two_nobody_is_compared() -> None:
    few = present(two({(0, 0): 50, (1, 1): 50, (0, 1): LEAST}))
    assert few.people_compared is None


# Edges of the rule, with what is counted written out.


def of_two(*columns: Codes) -> LayerDifferences:
    """Return what two people said of units of no document, by its columns."""
    return LayerDifferences(*columns, layer="main", annotators=("A", "B"), documents=(), labels=("u", "v"))


def two(cells: dict[tuple[int, int], int], **changes: object) -> AllDisagreements | None:
    """Return the disagreements of two people whose confusion matrix has these cells."""
    rows = sorted(cells)
    one, other = (np.array([row[side] for row in rows]) for side in (0, 1))
    first, second, document = np.zeros_like(one), np.ones_like(one), np.full_like(one, -1)
    kind, n = np.where(one == other, 0, 1), np.array([cells[row] for row in rows])
    layer = of_two(first, second, document, one, other, kind, n)
    return disagreements([replace(layer, **changes)], 0)  # type: ignore[arg-type]


@pytest.mark.parametrize(("documents", "due"), [(5, None), (9, "annotator")])
def test_where_all_documents_are_alike_few_of_them_are_no_cause(documents: int, due: str | None) -> None:
    """The first errs on half of the units of each document: as likely by chance as heads each time."""
    labels = np.tile(np.array([[1, 0, 0], [2, 0, 0], [0, 0, 0], [0, 0, 0]]), (documents, 1))
    where = np.repeat(np.arange(documents), 4)
    told = present(disagreements([differences(labels, where, Design(documents=documents))], 1))
    found = next((cause for cause in told.causes if cause.kind == "annotator"), None)
    assert (found and found.kind) == due


@pytest.mark.parametrize(
    ("error", "p"), [(0.0, 1 / 8), (1e-10, 1 / 8), (1e-8, two_sided(1e8, 3)), (math.inf, 1.0)]
)
def test_without_an_error_p_is_that_of_a_sign_test(error: float, p: float) -> None:
    assert _p_of(1.0, error, 4) == p


def test_too_few_disagreements_have_no_cause() -> None:
    few = present(two({(0, 0): 50, (1, 1): 50, (0, 1): LEAST - 1}))
    assert (few.total, few.compared, few.candidates, few.causes) == (LEAST - 1, 100 + LEAST - 1, 0, ())
    enough = present(two({(0, 0): 50, (1, 1): 50, (0, 1): LEAST}))
    assert [cause.kind for cause in enough.causes] == ["direction"]


def test_a_cause_explains_a_quarter_at_least() -> None:
    # 5,000 and 3,000: the one way has a quarter of all more than the other.
    edge = present(two({(0, 0): 50_000, (1, 1): 50_000, (0, 1): 5000, (1, 0): 3000}))
    (cause,) = edge.causes
    assert (cause.cases, cause.expected, cause.annotators, cause.labels) == (
        5000,
        3000,
        ("A", "B"),
        ("u", "v"),
    )
    assert (cause.cases - cause.expected) / edge.total == EXPLAINS
    below = present(two({(0, 0): 50_000, (1, 1): 50_000, (0, 1): 4999, (1, 0): 3001}))
    assert below.causes == ()


def test_nobody_disagrees() -> None:
    assert two({(0, 0): 50, (1, 1): 50}) is None
    assert disagreements([], 0) is None


def test_what_two_annotators_said_of_marks_is_each_match_and_each_case_of_its_kind() -> None:
    """Not what a reference marked."""
    copies = {
        "a": [(0, 4, "X"), (5, 9, "X"), (10, 14, "X"), (15, 19, "Y"), (20, 24, "Y")],
        "b": [(0, 4, "X"), (5, 9, "Y"), (10, 13, "X"), (15, 18, "X")],
        "gold": [(0, 4, "X")],
    }
    spans = spans_of([(30, copies)], roles={"gold": "reference"})
    places = np.stack([spans.span_start, spans.span_end])
    spans = replace(spans, stretch=np.unique(places, axis=1, return_inverse=True)[1].reshape(-1))
    counted = count_marks(spans, ())
    found = differences_of_marks(spans, counted.outcomes, present(counted.cases)[1])
    people, types = found.annotators, (*found.labels, None)
    rows = [
        (people[first], people[second], types[one], types[other], KINDS[kind], n)
        for first, second, one, other, kind, n in zip(
            *(column.tolist() for column in (found.first, found.second, found.one, found.other)),
            found.kind.tolist(),
            found.n.tolist(),
            strict=True,
        )
    ]
    assert sorted(rows, key=str) == [
        ("a", "b", "X", "X", "agreed", 1),
        ("a", "b", "X", "X", "boundary", 1),
        ("a", "b", "X", "Y", "type", 1),
        ("a", "b", "Y", "X", "both", 1),
        ("a", "b", "Y", None, "omission", 1),
    ]
    assert found.of_marks


LABELS = "wxyz"
PEOPLE = "ABC"


class Row(NamedTuple):
    layer: int
    first: int
    second: int
    document: int
    one: int
    other: int
    kind: str
    n: int

    @property
    def differs(self) -> bool:
        return self.kind != "agreed"

    @property
    def labels(self) -> tuple[int, int]:
        return min(self.one, self.other), max(self.one, self.other)


@dataclass
class Drawn:
    """Rows of several layers: which of these are of marks, nominal, and the label of what is not marked."""

    rows: list[Row]
    of_marks: list[bool]
    nominal: list[bool]
    none: list[int]
    people: int
    documents: int

    @property
    def layers(self) -> list[LayerDifferences]:
        found = []
        for number, marks in enumerate(self.of_marks):
            own = [row for row in self.rows if row.layer == number]
            columns = [(*row[1:6], KINDS.index(row.kind), row.n) for row in own]
            found.append(
                LayerDifferences(
                    *np.array(columns, dtype=np.int64).reshape(-1, 7).T,
                    layer=f"layer {number}",
                    annotators=tuple(PEOPLE[: self.people]),
                    documents=tuple(f"d{place}" for place in range(self.documents)),
                    labels=tuple(LABELS),
                )
            )
            more = {"none": self.none[number], "of_marks": marks, "is_nominal": self.nominal[number]}
            found[-1] = replace(found[-1], **more)  # type: ignore[arg-type]
        return found

    @property
    def total(self) -> int:
        return sum(row.n for row in self.rows if row.differs)


def as_drawn(seed: int) -> Drawn:
    drawn = random.Random(seed)  # noqa: S311 - made-up labels
    people, documents, layers = drawn.choice([2, 3]), drawn.choice([3, 5]), drawn.choice([1, 1, 2])
    of_marks = [drawn.random() < 0.5 for _ in range(layers)]
    nominal = [marks or drawn.random() < 0.8 for marks in of_marks]
    none = [-1 if marks or drawn.random() < 0.6 else 0 for marks in of_marks]
    labels = drawn.choice([2, 3, 4])
    # One of two labels, somebody or somewhere may be worse than the rest.
    worse = drawn.choice([None, "document", "person", "labels", "ends", "omission"])
    rows: list[Row] = []
    for layer, marks in enumerate(of_marks):
        for first, second in combinations(range(people), 2):
            for document in range(documents):
                where = layer, first, second, document
                for one in range(labels):
                    for other in range(labels):
                        slips = drawn.choice([0, 0, 1, 2])
                        slips *= 6 if worse == "document" and document == 0 else 1
                        slips *= 6 if worse == "person" and first == 0 else 1
                        slips *= 9 if worse == "labels" and {one, other} == {0, 1} else 1
                        n = drawn.randint(2, 9) if one == other else slips
                        kind = "agreed" if one == other else "label"
                        if marks and one != other:
                            kind = drawn.choice(["type", "both"])
                        rows.append(Row(*where, one, other, kind, n))
                    if marks:
                        more = drawn.randint(0, 3) * (9 if worse == "ends" else 1)
                        alone = drawn.randint(0, 2) * (9 if worse == "omission" else 1)
                        rows += [
                            Row(*where, one, one, "boundary", more),
                            Row(*where, one, -1, "omission", drawn.randint(0, 2)),
                            Row(*where, -1, one, "omission", alone),
                        ]
    return Drawn([row for row in rows if row.n], of_marks, nominal, none, people, documents)


Rows = list[Row]
Weights = Sequence[float]


def many(rows: Rows, weights: Weights, *, all_rows: bool = False) -> float:
    return math.fsum(row.n * weights[row.document] for row in rows if all_rows or row.differs)


# Kind, layer, annotators and labels.
About = tuple[str, str | None, tuple[str, ...], tuple[str, ...]]


@dataclass
class Candidate:
    """Who or what it is about, its rows, what it has more than expected, and what that is spread over."""

    about: About
    rows: Rows
    excess: Callable[[Weights], float]
    over: Callable[[Weights], float]
    kept: bool = False
    compared: Rows | None = None

    def figures(self, drawn: Drawn) -> tuple[int, float, float]:
        """Return how many cases there are, how many are expected, and p."""
        ones = [1.0] * drawn.documents
        cases, excess = many(self.rows, ones), self.excess(ones)
        return int(cases), 0.0 if self.kept else cases - excess, self.p(drawn)

    def p(self, drawn: Drawn) -> float:
        """Return p of the excess, by its derivative in each document's weight."""
        ones = [1.0] * drawn.documents
        excess, over, step = self.excess(ones), self.over(ones), 1e-4
        there = sorted({row.document for row in self.compared or drawn.rows})
        moved = []
        for document in there:
            ends = []
            for sign in (1, -1):
                weights = [1 + sign * step * (place == document) for place in range(drawn.documents)]
                ends.append(self.excess(weights) - excess / over * self.over(weights))
            moved.append((ends[0] - ends[1]) / (2 * step))
        error = math.sqrt(len(there) / (len(there) - 1) * math.fsum(each * each for each in moved))
        if error < 1e-7:
            # The least that a sign test of the clusters can give.
            return float(stats.binomtest(len(there), len(there)).pvalue)
        return float(2 * stats.t.sf(excess / error, len(there) - 1))


def beside(about: About, rows: Rows, rest: Rows, possible: Callable[[Row], float]) -> Iterator[Candidate]:
    def spread(some: Rows, weights: Weights) -> float:
        return math.fsum(row.n * weights[row.document] * possible(row) for row in some)

    def excess(weights: Weights) -> float:
        rate = many(rest, weights) / spread(rest, weights)
        return many(rows, weights) - rate * spread(rows, weights)

    ones = [1.0] * 9
    if spread(rows, ones) and spread(rest, ones) and excess(ones) > 1e-9:
        yield Candidate(about, rows, excess, lambda weights: spread(rows, weights))


def person_beside(drawn: Drawn, person: int) -> Iterator[Candidate]:
    """Yield somebody beside the pairs of others: in each document, or all that the same people marked."""
    strata: dict[tuple[object, ...], tuple[Rows, Rows]] = {}
    for row in drawn.rows:
        marked = {
            who
            for other in drawn.rows
            if (other.layer, other.document) == (row.layer, row.document)
            for who in (other.first, other.second)
        }
        where = tuple(sorted(marked)) if drawn.of_marks[row.layer] else row.document
        strata.setdefault((row.layer, where), ([], []))[person not in {row.first, row.second}].append(row)
    both = []
    for theirs, rest in strata.values():
        met = {who for row in theirs for who in (row.first, row.second)} - {person}
        among = [row for row in rest if {row.first, row.second} <= met]
        both += [(theirs, among)] if theirs and among else []

    def there(weights: Weights) -> float:
        return math.fsum(many(theirs, weights, all_rows=True) for theirs, _ in both)

    def excess(weights: Weights) -> float:
        rates = [many(rest, weights) / many(rest, weights, all_rows=True) for _, rest in both]
        return math.fsum(
            many(theirs, weights) - rate * many(theirs, weights, all_rows=True)
            for (theirs, _), rate in zip(both, rates, strict=True)
        )

    rows = [row for row in drawn.rows if person in {row.first, row.second}]
    if both and excess([1.0] * 9) > 1e-9:
        compared = [row for part in both for side in part for row in side]
        about = "annotator", None, (PEOPLE[person],), ()
        yield Candidate(about, rows, excess, there, compared=compared)


def way_back(about: About, rows: Rows, back: Rows) -> Iterator[Candidate]:
    if many(rows, [1.0] * 9) > many(back, [1.0] * 9):
        yield Candidate(
            about,
            rows,
            lambda weights: many(rows, weights) - many(back, weights),
            lambda weights: many(rows, weights) + many(back, weights),
        )


def by_chance(about: About, own: Rows, rows: Rows, chance: float) -> Iterator[Candidate]:
    rest = [row for row in own if row not in rows]
    if not rest or chance >= 1 - 1e-9:
        return
    odds = chance / (1 - chance)
    found = Candidate(
        about,
        rows,
        lambda weights: many(rows, weights) - odds * many(rest, weights),
        lambda weights: many(own, weights),
    )
    if found.excess([1.0] * 9) > 1e-9:
        yield found


def sides(drawn: Drawn, person: int) -> tuple[Rows, Rows]:
    """Return what somebody alone marked, and what others did that the one did not."""
    more, less = [], []
    for row in drawn.rows:
        none = drawn.none[row.layer]
        if row.differs and (drawn.of_marks[row.layer] or none >= 0):
            for who, said, heard in ((row.first, row.one, row.other), (row.second, row.other, row.one)):
                if who == person:
                    more += [row] if heard == none else []
                    less += [row] if said == none else []
    return more, less


def shares(drawn: Drawn, layer: int) -> dict[int, float]:
    times: Counter[int] = Counter()
    for row in drawn.rows:
        if row.layer == layer:
            times[row.one] += row.n
            times[row.other] += row.n
    return {label: n / times.total() for label, n in times.items()}


def candidates(drawn: Drawn) -> list[Candidate]:
    found: list[Candidate] = []
    rows, people = drawn.rows, range(drawn.people)
    for person in people:
        more, less = sides(drawn, person)
        name = (PEOPLE[person],)
        if drawn.people == 2:
            found += way_back(("one-sided", None, name, ()), more, less)
            continue
        found += way_back(("marks-more", None, name, ()), more, less)
        found += way_back(("marks-less", None, name, ()), less, more)
        found += person_beside(drawn, person)
    layers = range(len(drawn.of_marks))
    by_layer = [1 - sum(share**2 for share in shares(drawn, layer).values()) for layer in layers]
    for layer, marks in enumerate(drawn.of_marks):
        name_of, here = f"layer {layer}", [row for row in rows if row.layer == layer]
        own = [row for row in here if row.differs]
        pairs = sorted({row.labels for row in own if row.one != row.other})
        if len(drawn.of_marks) > 1:
            rest = [row for row in rows if row.layer != layer]
            found += beside(
                ("layer", name_of, (), ()),
                here,
                rest,
                lambda row: 1.0 if drawn.of_marks[row.layer] else by_layer[row.layer],
            )
        for low, high in pairs:
            both = [row for row in own if row.labels == (low, high)]
            if drawn.people == 2 and drawn.nominal[layer] and drawn.none[layer] not in {low, high}:
                for one, other in ((low, high), (high, low)):
                    about = "direction", name_of, ("A", "B"), (LABELS[one], LABELS[other])
                    forth, back = ([row for row in both if row.one == each] for each in (one, other))
                    found += way_back(about, forth, back)
        found += of_marks(layer, here, pairs) if marks else of_labels(drawn, layer, own, pairs)
    ends = [row for row in rows if row.kind == "boundary"]
    others = [row for row in rows if row.differs and row.kind != "boundary"]
    boundary = Candidate(
        ("ends", None, (), ()),
        ends,
        lambda weights: many(ends, weights) - 1.5 * many(others, weights),
        lambda weights: many(ends, weights) + many(others, weights),
        kept=True,
    )
    return [*found, *([boundary] if boundary.excess([1.0] * 9) > 1e-9 else [])]


def of_labels(drawn: Drawn, layer: int, own: Rows, pairs: list[tuple[int, int]]) -> Iterator[Candidate]:
    part = shares(drawn, layer)
    if len(part) < 3 or not drawn.nominal[layer]:
        return
    chances = {two: part[two[0]] * part[two[1]] for two in combinations(sorted(part), 2)}
    whole = math.fsum(chances.values())
    for two in pairs:
        about = "labels", f"layer {layer}", (), (LABELS[two[0]], LABELS[two[1]])
        rows = [row for row in own if row.labels == two]
        yield from by_chance(about, own, rows, chances[two] / whole)
    for label in part:
        rows = [row for row in own if label in row.labels]
        chance = math.fsum(share for two, share in chances.items() if label in two) / whole
        yield from by_chance(("label", f"layer {layer}", (), (LABELS[label],)), own, rows, chance)


def of_marks(layer: int, here: Rows, pairs: list[tuple[int, int]]) -> Iterator[Candidate]:
    used = sorted({label for row in here for label in row.labels} - {-1})
    if len(used) < 2:
        return
    for label in used:
        rows = [row for row in here if label in row.labels]
        rest = [row for row in here if row not in rows]
        yield from beside(("label", f"layer {layer}", (), (LABELS[label],)), rows, rest, lambda _row: 1.0)
    confused = [row for row in here if row.differs and row.one != row.other and row.labels[0] >= 0]
    for two in pairs:
        if two[0] >= 0:
            about = "labels", f"layer {layer}", (), (LABELS[two[0]], LABELS[two[1]])
            rows = [row for row in confused if row.labels == two]
            yield from by_chance(about, confused, rows, 2 / (len(used) * (len(used) - 1)))


def documents(drawn: Drawn) -> Iterator[tuple[int, int, float, float]]:
    """Yield each document with more cases than the others' rate: cases, expected, and p by their spread."""
    have, there = Counter[int](), Counter[int]()
    for row in drawn.rows:
        there[row.document] += row.n
        have[row.document] += row.n * row.differs
    for document in sorted(there):
        others = [each for each in there if each != document]
        rate = sum(have[each] for each in others) / sum(there[each] for each in others)
        expected = rate * there[document]
        if len(others) >= 2 and 0 < rate < 1 and have[document] > expected:
            gaps = sum((have[each] - rate * there[each]) ** 2 for each in others)
            spread = gaps / (rate * (1 - rate) * sum(there[each] for each in others))
            error = math.sqrt(max(spread, 1) * rate * (1 - rate) * there[document])
            p = float(2 * stats.t.sf((have[document] - expected) / error, len(others) - 1))
            yield document, have[document], expected, p


Told = dict[tuple[object, ...], tuple[int, float, float]]


def due(drawn: Drawn) -> Told:
    found: Told = {(*each.about, None): each.figures(drawn) for each in candidates(drawn)}
    for document, *figures in documents(drawn):
        found["document", None, (), (), f"d{document}"] = (*figures,)  # type: ignore[assignment]
    return found


@given(st.integers(0, 10**6))
@examples(150)
def test_candidates_are_those_of_a_literal_count(seed: int) -> None:
    drawn = as_drawn(seed)
    assume(drawn.total)
    every = present(AllDifferences.of(drawn.layers))
    found = {
        (own.kind, own.layer, own.annotators, own.labels, own.document): each
        for each in _candidates(every)
        for own in [each.about]
    }
    # Whether there is any excess is a matter of rounding where there is none.
    assume(all(each.excess > 1e-9 for each in found.values()))
    expected = due(drawn)
    assert set(found) == set(expected)
    for about, (cases, would_be, p) in expected.items():
        assert found[about].cases == cases  # type: ignore[index]
        assert found[about].expected == pytest.approx(would_be, abs=1e-6)  # type: ignore[index]
        assert found[about].p == pytest.approx(p, rel=2e-3, abs=1e-9), about  # type: ignore[index]
    told = present(disagreements(drawn.layers, 1))
    check_causes(told, drawn, expected)
    check_parts(told, drawn)


WHOLE = {"one-sided", "marks-more", "marks-less", "direction", "ends"}
SUBJECTS = {
    "one-sided": "who what",
    "marks-more": "who what",
    "marks-less": "who what",
    "annotator": "who",
    "document": "where",
    "direction": "who what",
    "labels": "what",
    "label": "what",
    "layer": "where what",
    "ends": "what",
}


def check_causes(told: AllDisagreements, drawn: Drawn, expected: Told) -> None:
    if drawn.total < 10:  # nobody looks for what so few have in common
        assert (told.candidates, told.causes) == (0, ())
        return
    assert told.candidates == len(expected)
    proven = {
        about: figures
        for about, figures in expected.items()
        if figures[0] - figures[1] >= 0.25 * drawn.total and figures[2] * len(expected) < 0.05
    }
    named = []
    while proven:
        most = max(cases - would_be for cases, would_be, _ in proven.values())
        near = [about for about, (cases, would_be, _) in proven.items() if cases - would_be >= 0.75 * most]
        best = min(near, key=lambda about: (RANKED.index(about[0]), proven[about][1] - proven[about][0]))
        named.append(best)
        taken = SUBJECTS[str(best[0])].split()
        proven = {
            about: figures
            for about, figures in proven.items()
            if not {*SUBJECTS[str(about[0])].split()} & {*taken}
        }
    about_each = [
        (each.kind, each.layer, each.annotators or (), each.labels or (), each.document)
        for each in told.causes
    ]
    assert about_each == named
    for each, about in zip(told.causes, named, strict=True):
        cases, would_be, p = expected[about]
        assert each.cases == cases
        assert each.expected == pytest.approx(would_be, abs=1e-6)
        assert each.p == pytest.approx(min(1, p * len(expected)), rel=2e-3, abs=1e-9)
        assert each.explained == pytest.approx(1 if each.kind in WHOLE else (cases - would_be) / cases)
        assert sum(each.by_layer.values()) > 0
        assert set(each.by_layer.values()) <= {0} or all(0 < share <= 1 for share in each.by_layer.values())
        if each.kind == "layer":
            assert each.by_layer == {each.layer: 1}


def check_parts(told: AllDisagreements, drawn: Drawn) -> None:
    """The parts are divided by layer, kind, labels, and of two annotators by who alone has a mark."""
    assert (told.total, told.compared) == (drawn.total, sum(row.n for row in drawn.rows))
    assert told.of_marks == all(drawn.of_marks)
    counted: Counter[tuple[object, ...]] = Counter()
    for row in drawn.rows:
        if row.differs:
            none, who = drawn.none[row.layer], None
            if drawn.people == 2 and (drawn.of_marks[row.layer] or none >= 0):
                who = {row.one: PEOPLE[row.second], row.other: PEOPLE[row.first]}.get(none)
            names = [None if label < 0 else LABELS[label] for label in row.labels]
            counted[f"layer {row.layer}", row.kind, *names, who] += row.n
    parts = {
        (part.layer, part.kind, part.first, part.second, part.annotator): part.cases for part in told.parts
    }
    assert parts == counted
    assert [part.cases for part in told.parts] == sorted(counted.values(), reverse=True)


def test_few_cases_of_a_kind_are_one_part() -> None:
    drawn = as_drawn(3)
    whole, few = disagreements(drawn.layers, 1), disagreements(drawn.layers, 5)
    assert whole is not None
    assert few is not None
    left = [part for part in whole.parts if part.cases >= 5]
    rest = sum(part.cases for part in whole.parts if part.cases < 5)
    assert rest > 0
    assert list(few.parts) == [*left, DisagreementPart(kind="rest", cases=rest)]


def test_where_there_is_much_only_the_most_frequent_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = as_drawn(3)
    monkeypatch.setattr(causes, "MOST_ROWS", len(drawn.rows))
    assert disagreements(drawn.layers, 1) is not None
    monkeypatch.setattr(causes, "MOST_ROWS", len(drawn.rows) - 1)
    assert disagreements(drawn.layers, 1) is None
    every = present(AllDifferences.of(drawn.layers))
    monkeypatch.setattr(causes, "MOST_CANDIDATES", 1)
    kinds = {each.about.kind for each in _candidates(every)}
    assert not kinds & {"annotator", "marks-more", "marks-less", "one-sided"}
    looked = [each.about.document for each in _documents(every)]
    worst: Counter[int] = Counter()
    for row in drawn.rows:
        worst[row.document] += row.n * row.differs
    assert set(looked) <= {f"d{worst.most_common(1)[0][0]}"}
