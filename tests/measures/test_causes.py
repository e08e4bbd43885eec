"""What is behind disagreements: campaigns made with one known cause, with two, and with none."""

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from reportgen.counts import count, count_marks, tally
from reportgen.measures.causes import (
    EXPLAINS,
    KINDS,
    LEAST,
    LayerDifferences,
    _p_of,
    differences_of_labels,
    differences_of_marks,
    disagreements,
)
from reportgen.measures.distributions import two_sided
from reportgen.readers import Codes
from reportgen.results.model import AllDisagreements
from reportgen.units import CodedUnits
from tests.measures.unitized import spans_of
from tests.present import present

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
