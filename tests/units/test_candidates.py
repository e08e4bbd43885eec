"""Candidates as units: what could have been marked, by a list of terms or by a layer of the export."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reportgen.campaign import UnitSet
from reportgen.readers import Annotations, Regions
from reportgen.units import CodedUnits
from tests.present import present
from tests.units.marked import annotations, copy, rated, study
from tests.units.refusals import refusal

TEXT = "ypdA (now bdr) and yxxB, then bdr."
LISTED = UnitSet(id="genes", units="candidates", file="genes.txt")
MARKED = UnitSet(id="genes", units="candidates", layer="Gene")
KEPT = {"keep_marked": True}
TERMS = ("ypdA", "bdr", "yxxB")

Stretch = tuple[int, int]


def with_layer(export: Annotations, *places: Sequence[Stretch]) -> Annotations:
    """Return an export that marks candidates, each of some stretches, in its first document."""
    spans = [(number, *span) for number, place in enumerate(places) for span in place]
    columns = np.array(spans, dtype=np.int64).reshape(-1, 3)
    document = np.zeros(len(places), dtype=np.int64)
    return replace(export, candidates={"unit_sets.1.layer": Regions(document, *columns.T)})


def texts_of(units: CodedUnits, text: str) -> list[str]:
    """Return what each unit that has a place covers."""
    places = units.places
    return [
        "…".join(
            text[places.start[place] : places.end[place]] for place in np.flatnonzero(places.unit == unit)
        )
        for unit in units.unit_place.tolist()
        if unit >= 0
    ]


def test_a_mark_counts_for_what_it_overlaps_and_one_that_touches_nothing_is_left_out_or_kept() -> None:
    export = annotations(
        copy("a", TEXT, [(5, 13, "New"), (14, 18, "New"), (4, 4, "X")]), copy("b", TEXT, [(14, 18, "New")])
    )
    found = study(export, LISTED, LISTED.model_copy(update=KEPT), terms=TERMS)
    without, kept = found.unit_sets
    candidates = present(without.candidates)
    assert (candidates.file, candidates.terms, candidates.layer) == ("genes.txt", 3, "")
    assert rated(without) == [
        (1, {"a": "New", "b": "(unmarked)"}),
        (3, {"a": "(unmarked)", "b": "(unmarked)"}),
    ]
    assert without.marks.left_out == {"outside every candidate": 3}
    assert rated(kept) == [
        (1, {"a": "X", "b": "(unmarked)"}),
        (1, {"a": "New", "b": "(unmarked)"}),
        (1, {"a": "New", "b": "New"}),
        (3, {"a": "(unmarked)", "b": "(unmarked)"}),
    ]
    assert (kept.units, kept.marks.used, kept.marks.left_out) == (6, 4, {})
    assert texts_of(kept, TEXT) == ["", "bdr", "and"]
    assert found.left_out == ()


def test_candidates_that_are_nowhere_are_refused_with_what_was_looked_for() -> None:
    export = annotations(copy("a", TEXT, [(0, 4, "X")]))
    problem = refusal(study, export, LISTED, terms=("sigB", "sigC"))
    assert (problem.key, problem.message) == (
        "unit_sets.1.file",
        "none of the 2 terms in genes.txt occurs in a text.",
    )
    problem = refusal(study, with_layer(export), MARKED)
    assert (problem.key, problem.message) == (
        "unit_sets.1.layer",
        'no mark of "Gene" is of a stretch of text.',
    )


def test_second_passes_and_references_neither_mark_candidates_nor_outdo_marks() -> None:
    export = annotations(
        copy("a", TEXT, [(0, 9, "Y")]),
        copy("a2", TEXT, [(0, 4, "X")]),
        copy("gold", TEXT, [(0, 4, "X"), (14, 18, "X")], role="reference"),
    )
    kept = LISTED.model_copy(update=KEPT)
    (units,) = study(export, kept, same_as={"a2": "a"}, terms=TERMS).unit_sets
    assert rated(units) == [(1, {"a": "Y"}), (3, {"a": "(unmarked)"})]


Found = list[tuple[int, int, str]]

STRETCHES = st.tuples(st.integers(0, 10), st.integers(0, 10)).map(lambda each: (min(each), max(each)))
MARKS = st.lists(
    st.tuples(STRETCHES, st.sampled_from("XY")).map(lambda each: (*each[0], each[1])), max_size=4
)


@given(MARKS, MARKS, st.lists(STRETCHES, min_size=1, max_size=4), st.booleans())
def test_candidates_have_the_labels_that_a_search_through_all_marks_finds(
    one: Found,
    other: Found,
    places: list[Stretch],
    keep: bool,  # noqa: FBT001 - drawn
) -> None:
    """Used + left out = read, and every label is the one expected of each candidate on its own."""
    text = "abcdefghij"
    export = with_layer(
        annotations(copy("a", text, one), copy("b", text, other)), *([each] for each in places)
    )
    chosen = MARKED.model_copy(update={"keep_marked": keep})
    found = study(export, chosen)
    (units,) = found.unit_sets
    assert units.marks.used + sum(units.marks.left_out.values()) == found.marks_read == len(one) + len(other)
    assert found.marks_used + sum(each.marks for each in found.left_out) == found.marks_read
    distinct = sorted(set(places))
    own = [mark[:2] for mark in (*one, *other) if not touches(mark[:2], distinct)] if keep else []
    expected = [
        (expect(unit, one, distinct), expect(unit, other, distinct))
        for unit in (*distinct, *sorted(set(own)))
    ]
    seen = [(labels["a"], labels["b"]) for weight, labels in rated(units) for _ in range(weight)]
    assert sorted(seen) == sorted(expected)


def touches(stretch: Stretch, places: Sequence[Stretch]) -> bool:
    return any(stretch == place or overlap(stretch, place) for place in places)


def overlap(one: Stretch, other: Stretch) -> bool:
    return bool(set(range(*one)) & set(range(*other)))


def expect(unit: Stretch, marks: Found, places: Sequence[Stretch]) -> str:
    exact = {label for start, end, label in marks if (start, end) == unit}
    partial = {
        label
        for start, end, label in marks
        if overlap((start, end), unit) and (start, end) not in places and unit in places
    }
    return "|".join(sorted(exact or partial)) or "(unmarked)"
