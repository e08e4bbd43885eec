"""Marks that somebody made in another layer, and labels with which nobody marks: by hand, rule by rule."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from reportgen.counts import CaseCounts
from reportgen.counts.span_counts import count_cases, count_pairs
from reportgen.measures import across_layers, analyse_spans, forbidding_labels, mark_disagreements
from reportgen.measures.symmetry import exchange_p
from reportgen.results.marks import AcrossLayers, Exchange, ForbiddingLabel
from reportgen.units import MarkCases, Spans, mark_cases, pair_marks
from tests.measures.unitized import Unit, spans_of

# By layer the marks of each annotator in each document.
Marks = Mapping[str, Sequence[Mapping[str, Sequence[Unit]]]]


def layers_of(marks: Marks, roles: Mapping[str, str] | None = None) -> list[tuple[Spans, MarkCases]]:
    found = []
    for name, documents in marks.items():
        spans = replace(spans_of([(99, copies) for copies in documents], roles=roles), layer=name)
        found.append((spans, mark_cases(spans, pair_marks(spans))))
    return found


def exchanged(marks: Marks, roles: Mapping[str, str] | None = None) -> tuple[AcrossLayers, ...]:
    layers = layers_of(marks, roles)
    told = []
    for spans, cases in layers:
        outcomes = count_pairs(spans, pair_marks(spans))
        counted = count_cases(spans, cases, outcomes)
        told.append(mark_disagreements(analyse_spans(spans, outcomes), outcomes, counted))
    return across_layers(layers, told)


def short(found: Sequence[AcrossLayers]) -> list[tuple[str, str, int, int]]:
    return [
        (f"{two.first_layer}.{two.first}", f"{two.second_layer}.{two.second}", two.cases, two.omissions)
        for two in found
    ]


def units(*places: tuple[int, int], kind: str = "p") -> list[Unit]:
    return [(begin, end, kind) for begin, end in places]


def test_what_two_exchange_is_counted_with_the_omissions_of_both_labels() -> None:
    """In three documents a has P where b has Q, in one the other way round; and b alone has a P."""
    one, other = {"a": units((0, 4)), "b": []}, {"a": [], "b": units((0, 4))}
    found = exchanged(
        {
            "P": [one, one, one, {"a": [], "b": units((0, 4), (20, 24))}],
            "Q": [
                {name: [(begin, end, "q") for begin, end, _ in own] for name, own in each.items()}
                for each in (other, other, other, one)
            ],
        }
    )
    assert short(found) == [("P.p", "Q.q", 4, 5 + 4)]
    sums = np.array([[1, -1]] * 3 + [[-1, 1]])
    p = exchange_p(sums, np.ones((4, 2), dtype=np.bool_), 0)
    assert found[0].exchanges == (Exchange(annotator="a", other="b", own=3, others=1, p=p),)


def test_the_most_frequent_exchange_comes_first() -> None:
    found = exchanged(
        {
            "P": [{"a": [(0, 4, "p"), (10, 14, "o"), (20, 24, "o")], "b": []}],
            "Q": [{"a": [], "b": [(0, 4, "q"), (10, 14, "q"), (20, 24, "q")]}],
        }
    )
    assert short(found) == [("P.o", "Q.q", 2, 5), ("P.p", "Q.q", 1, 4)]


def test_of_three_each_has_what_they_chose_and_what_others_chose() -> None:
    found = exchanged(
        {
            "P": [{"a": units((0, 4)), "b": [], "c": []}],
            "Q": [{"a": [], "b": units((0, 4), kind="q"), "c": units((0, 4), kind="q")}],
        }
    )
    assert [two.cases for two in found] == [2]
    told = [(each.annotator, each.other, each.own, each.others) for each in found[0].exchanges]
    assert told == [("a", None, 2, 0), ("b", None, 0, 1), ("c", None, 0, 1)]
    everybody = np.ones((1, 3), dtype=np.bool_)
    assert found[0].exchanges[0].p == exchange_p(np.array([[2, -1, -1]]), everybody, 0)


def test_who_exchanges_other_labels_is_not_named() -> None:
    """a and b exchange p and q, b and c exchange o and r."""
    found = exchanged(
        {
            "P": [{"a": units((0, 4)), "b": [(20, 24, "o")], "c": []}],
            "Q": [{"a": [], "b": [(0, 4, "q")], "c": [(20, 24, "r")]}],
        }
    )
    told = [(two.first, two.second, [each.annotator for each in two.exchanges]) for two in found]
    assert told == [("o", "r", ["b", "c"]), ("p", "q", ["a", "b"])]


def test_a_mark_that_somebody_lacks_is_exchanged_with_them_alone() -> None:
    found = exchanged(
        {
            "P": [{"a": units((0, 4)), "b": units((0, 4)), "c": []}],
            "Q": [{"a": [], "b": [], "c": units((0, 4), kind="q")}],
        }
    )
    assert [(two.cases, len(two.exchanges)) for two in found] == [(2, 3)]
    everybody_has = {
        "P": [dict.fromkeys("abc", units((0, 4)))],
        "Q": [{"a": [], "b": [], "c": units((0, 4), kind="q")}],
    }
    assert exchanged(everybody_has) == ()


@pytest.mark.parametrize("end", [14, 15])
def test_a_mark_that_meets_one_of_its_own_layer_is_not_exchanged(end: int) -> None:
    """Alike or not; also where other layers, and other marks, come before."""
    met = [(40, 44, "q")], [(40, 44 - 14 + end, "q")]
    found = exchanged(
        {
            "O": [{"a": [(7, 9, "o"), (80, 82, "o")], "b": [(7, 9, "o"), (80, 84, "o"), (90, 91, "o")]}],
            "P": [{"a": [(40, 44, "p"), (60, 64, "p")], "b": [(60, 66, "p")]}],
            "Q": [{"a": met[0], "b": met[1]}],
        }
    )
    assert found == ()
    without = exchanged(
        {
            "P": [{"a": [(40, 44, "p"), (60, 64, "p")], "b": [(60, 66, "p")]}],
            "Q": [{"a": [], "b": met[1]}],
        }
    )
    assert short(without)[0][:3] == ("P.p", "Q.q", 1)


@pytest.mark.parametrize(
    ("place", "cases"),
    [((0, 8), 1), ((0, 5), 1), ((0, 4), 0), ((3, 8), 1), ((4, 8), 0), ((0, 15), 1), ((0, 16), 0)],
)
def test_what_is_exchanged_shares_more_than_half_of_the_longer_mark(
    place: tuple[int, int], cases: int
) -> None:
    found = exchanged({"P": [{"a": units((0, 8)), "b": []}], "Q": [{"a": [], "b": units(place, kind="q")}]})
    assert sum(two.cases for two in found) == cases


def test_what_covers_the_same_text_comes_before_what_covers_most_of_it() -> None:
    found = exchanged(
        {"P": [{"a": units((0, 8)), "b": []}], "Q": [{"a": [], "b": [(0, 7, "near"), (0, 8, "same")]}]}
    )
    assert [(two.second, two.cases) for two in found] == [("same", 1)]


def test_labels_of_one_layer_are_not_exchanged_across_layers() -> None:
    found = exchanged({"P": [{"a": units((0, 4)), "b": units((0, 4), kind="o")}], "Q": [{"a": [], "b": []}]})
    assert found == ()


def test_references_and_systems_exchange_nothing() -> None:
    marks: Marks = {
        "P": [{"a": units((0, 4)), "b": []}],
        "Q": [{"a": [], "b": units((0, 4), kind="q")}],
    }
    assert len(exchanged(marks)) == 1
    for role in ("reference", "system"):
        assert exchanged(marks, {"a": role}) == ()
        assert exchanged(marks, {"b": role}) == ()


def test_one_layer_alone_or_very_many_marks_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    one: Marks = {"P": [{"a": units((0, 4)), "b": []}]}
    assert exchanged(one) == ()
    both: Marks = {**one, "Q": [{"a": [], "b": units((0, 4), kind="q")}]}
    module = sys.modules["reportgen.measures.across_layers"]
    monkeypatch.setattr(module, "MOST_MARKS", 2)
    assert len(exchanged(both)) == 1
    monkeypatch.setattr(module, "MOST_MARKS", 1)
    assert exchanged(both) == ()


# Labels of whole documents.


def documents_of(labels: Mapping[str, Sequence[str]]) -> Any:  # noqa: ANN401
    """The labels that some people gave to whole documents, and one unit beside that has no place."""
    rows = [(unit, who, label) for who, own in enumerate(labels.values()) for unit, label in enumerate(own)]
    size = len(next(iter(labels.values())))
    categories = tuple(sorted({label for *_, label in rows}))
    return SimpleNamespace(
        layer="topic",
        annotators=tuple(labels),
        categories=categories,
        places=SimpleNamespace(names=[f"d{number}" for number in range(size)]),
        unit_place=np.array([*range(size), -1]),
        unit=np.array([*(unit for unit, *_ in rows), size]),
        annotator=np.array([*(who for _, who, _ in rows), 0]),
        label=np.array([*(categories.index(label) for *_, label in rows), 0]),
    )


def marks_of(
    size: int, marked: Mapping[str, Sequence[int]], roles: Mapping[str, str] | None = None
) -> tuple[Spans, CaseCounts]:
    """Marks of some people, one in each of these documents; all saw all of them."""
    mark: list[Unit] = [(0, 4, "p")]
    texts = [{who: mark[: place in own] for who, own in marked.items()} for place in range(size)]
    spans = spans_of([(9, copies) for copies in texts], roles=roles)
    outcomes = count_pairs(spans, pair_marks(spans))
    return spans, count_cases(spans, mark_cases(spans, pair_marks(spans)), outcomes)


def test_a_label_that_forbids_marks_explains_omissions_of_whoever_gave_it() -> None:
    """b says "none" of five documents and marks nothing there; a marks all but the last."""
    labels = {"a": ["some"] * 9, "b": ["none"] * 5 + ["some"] * 4}
    layer = marks_of(9, {"a": range(8), "b": range(5, 9)})
    (found,) = forbidding_labels([documents_of(labels)], [layer])
    # Six omissions: of a's marks b lacks five; of b's the last.
    assert found == ForbiddingLabel(label_layer="topic", label="none", layer="main", omissions=6, explained=5)


def test_a_label_that_forbids_nothing_or_explains_nothing_is_not_named() -> None:
    labels = {"a": ["some"] * 9, "b": ["none"] * 5 + ["some"] * 4}
    marked = marks_of(9, {"a": range(8), "b": range(4, 9)})
    assert list(forbidding_labels([documents_of(labels)], [marked])) == []
    both = {"a": ["none"] * 5 + ["some"] * 5, "b": ["none"] * 5 + ["some"] * 5}
    alike = marks_of(10, dict.fromkeys("ab", range(5, 10)))
    assert list(forbidding_labels([documents_of(both)], [alike])) == []
    assert list(forbidding_labels([], [marked])) == []


def test_labels_of_units_that_are_no_documents_are_not_counted() -> None:
    """Of four documents, and one unit beside, somebody said "none": five copies would be enough."""
    labels = {"a": ["some"] * 9, "b": ["none"] * 4 + ["some"] * 5}
    layer = marks_of(9, {"a": range(9), "b": range(4, 9)})
    assert list(forbidding_labels([documents_of(labels)], [layer])) == []


def test_omissions_beside_systems_are_not_explained() -> None:
    labels = {"a": ["some"] * 9, "b": ["none"] * 5 + ["some"] * 4}
    marked = {"a": range(8), "b": range(5, 9), "s": range(9)}
    layer = marks_of(9, marked, {"s": "system"})
    (found,) = forbidding_labels([documents_of(labels)], [layer])
    assert (found.omissions, found.explained) == (6, 5)
    alone = marks_of(9, marked, {"a": "reference", "s": "system"})
    assert list(forbidding_labels([documents_of(labels)], [alone])) == []


def test_marks_of_any_layer_count_and_each_layer_has_its_own_omissions() -> None:
    labels = {"a": ["some"] * 9, "b": ["none"] * 5 + ["some"] * 4}
    first = marks_of(9, {"a": range(8), "b": range(5, 9)})
    spans, cases = marks_of(9, {"a": range(2), "b": []})
    second = replace(spans, layer="more"), cases
    found = list(forbidding_labels([documents_of(labels)], [first, second]))
    assert [(each.layer, each.omissions, each.explained) for each in found] == [
        ("main", 6, 5),
        ("more", 2, 2),
    ]
    spoilt = marks_of(9, {"a": [], "b": [0]})
    assert list(forbidding_labels([documents_of(labels)], [first, spoilt])) == []
