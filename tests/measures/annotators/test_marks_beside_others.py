"""Annotators of marks in texts beside the others: F of theirs against a loop over marks, by document."""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.counts.tables import count_spans
from reportgen.measures.annotators.annotator_vs_rest import standings_of_marks
from reportgen.results import Results
from reportgen.results.annotators import AnnotatorVsRest
from tests.campaigns import finding, marked, results_of, written
from tests.present import present
from tests.properties import examples
from tests.rendered import version_files
from tests.units.marked import Marks, annotations, copy, study

TEXT = "abcdefghijklmnop"
PEOPLE = ("a", "b", "c", "d")
mark = st.tuples(st.integers(0, 5), st.integers(1, 3), st.sampled_from("XY")).map(
    lambda drawn: (drawn[0], drawn[0] + drawn[1], drawn[2])
)
# By document and person; who did not see it has None.
everything = st.lists(
    st.lists(st.one_of(st.none(), st.lists(mark, max_size=4, unique=True)), min_size=4, max_size=4),
    min_size=2,
    max_size=5,
).filter(lambda documents: all(any(marks[who] is not None for marks in documents) for who in range(4)))
Everybody = Sequence[Sequence[Marks | None]]


def beside(documents: Everybody) -> list[AnnotatorVsRest]:
    copies = [
        copy(PEOPLE[who], TEXT, marks, document=f"d{number}")
        for number, everybody in enumerate(documents)
        for who, marks in enumerate(everybody)
        if marks is not None
    ]
    spans = present(study(annotations(*copies)).spans)
    return standings_of_marks(PEOPLE, spans, count_spans(spans))


def f(documents: Everybody, pairs: Sequence[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """Return of each document twice the marks that are the same, and all marks, over some pairs."""
    alike, every = [], []
    for everybody in documents:
        seen = [
            (set(one), set(other))
            for first, second in pairs
            if (one := everybody[first]) is not None and (other := everybody[second]) is not None
        ]
        alike.append(sum(2 * len(one & other) for one, other in seen))
        every.append(sum(len(one) + len(other) for one, other in seen))
    return alike, every


@examples(60)
@given(everything)
def test_f_and_its_difference_are_those_of_a_loop_over_marks(documents: Everybody) -> None:
    for who, found in enumerate(beside(documents)):
        own = [pair for pair in combinations(range(4), 2) if who in pair]
        rest = [pair for pair in combinations(range(4), 2) if who not in pair]
        alike, every = f(documents, own)
        assert found.agreement.value == (pytest.approx(sum(alike) / sum(every)) if sum(every) else None)
        third = [
            everybody
            for everybody in documents
            if everybody[who] is not None and sum(marks is not None for marks in everybody) > 2
        ]
        (alike, every), (rest_alike, rest_every) = f(third, own), f(third, rest)
        if not sum(every) or not sum(rest_every):
            assert found.difference.value is None
            continue
        own_f, rest_f = sum(alike) / sum(every), sum(rest_alike) / sum(rest_every)
        assert found.difference.value == pytest.approx(own_f - rest_f)
        moves = [
            (a - own_f * b) / sum(every) - (c - rest_f * d) / sum(rest_every)
            for a, b, c, d in zip(alike, every, rest_alike, rest_every, strict=True)
            if b + d
        ]
        size = len(moves)
        assert found.difference.units == size
        if found.difference.standard_error is not None:
            expected = math.sqrt(math.fsum(move * move for move in moves) * size / (size - 1))
            assert found.difference.standard_error == pytest.approx(expected)


WORDS = "Cuba , Rusia y Polonia firmaron ayer en Roma un pacto con todos los otros reinos de la tierra . " * 4
HEAD = '[privacy]\nannotators = "names"\n'


def made(folder: Path, toml: str = HEAD) -> Results:
    """Return four annotators: dan joins what is a list, cleo leaves unmarked words unlike the others.

    Of tokens cleo is farthest, whose one long mark covers many; of marks dan is, who joins everywhere.
    """
    texts = {f"d{number}": WORDS for number in range(12)}
    apart = [("P", 0, 4), ("P", 7, 12), ("P", 15, 22), ("P", 40, 44)]
    long = ("P", 100, 260)
    people: Mapping[str, Sequence[tuple[str, int, int]]] = {
        "ann": apart,
        "ben": apart,
        "cleo": [*apart, long],
        "dan": [("P", 0, 22), ("P", 40, 44)],
    }
    marks = {
        # Everybody leaves something out now and then.
        who: {name: own[: -1 if (number + place) % 5 == 0 else None] for number, name in enumerate(texts)}
        for place, (who, own) in enumerate(people.items())
    }
    files = {f"exports/1.0/{name}": text for name, text in marked(texts, marks).items()}
    return results_of(written(folder / "c", toml, files))


@pytest.mark.slow
def test_who_differs_most_in_marks_is_named_in_quality_and_on_the_first_screen(tmp_path: Path) -> None:
    found = made(tmp_path)
    (quality,) = found.quality or ()
    assert quality.compared_by == "f_measure[strict]"
    least = min(quality.annotators, key=lambda each: each.difference.value or 0.0)
    assert least.annotator == "dan"
    earlier_begins, apart = finding(found, "earlier-begins"), finding(found, "disagrees-with-everyone")
    assert earlier_begins is not None
    assert apart is not None
    assert earlier_begins.values["annotator"] == "dan"
    assert apart.values["names_list"] == ("dan",)
    assert apart.claim.startswith("{names}'s marks agree less")
    assert apart.values["f_with"] == least.agreement.value
    assert apart.values["f_without"] == least.others
    # How many units are shared is known all the same.
    assert least.units == found.primary.units
    page = dict(version_files(found, {}))["quality/index.html"]
    assert "Strict F between each annotator" in page
    assert "Same label as another" not in page


def test_labels_of_marks_that_all_made_are_compared_as_labels(tmp_path: Path) -> None:
    sets = '[[unit_sets]]\nid = "agreed"\nunits = "annotated-by-all"\n'
    (quality,) = made(tmp_path, HEAD + sets).quality or ()
    assert quality.compared_by is None
