"""What one layer takes for omissions, and annotators exchange with a label of another layer, is told."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from reportgen.results import Results
from reportgen.words.marks import habits
from tests.campaigns import finding, results_of, written

WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight")
TEXT = " ".join(WORDS)
# Type, first word, word behind the last.
Mark = tuple[str, int, int]
CLAIM: Mark = ("C", 0, 8)


def of(folder: Path, *documents: tuple[Sequence[Mark], Sequence[Mark]], toml: str | None = None) -> Results:
    """Return the results of two annotators' marks in some documents, each type being a layer by default."""
    names = dict.fromkeys(kind for both in documents for marks in both for kind, *_ in marks)
    layers = "".join(f'[[layers]]\nid = "{name}"\nsource = "{name}"\n' for name in names)
    begins = [sum(len(word) + 1 for word in WORDS[:place]) for place in range(len(WORDS) + 1)]
    files: dict[str, str] = {}
    for number, both in enumerate(documents):
        for who, marks in zip("ab", both, strict=True):
            rows = (
                f"T{row}\t{kind} {begins[start]} {begins[end] - 1}\t{TEXT[begins[start] : begins[end] - 1]}\n"
                for row, (kind, start, end) in enumerate(marks, 1)
            )
            files[f"exports/1.0/{who}/d{number}.txt"] = TEXT + "\n"
            files[f"exports/1.0/{who}/d{number}.ann"] = "".join(rows)
    return results_of(written(folder / "c", layers if toml is None else toml, files))


def exchanged(found: Results) -> list[tuple[str, str, int, int]]:
    across = (found.spans.across if found.spans else None) or ()
    return [(two.first, two.second, two.cases, two.omissions) for two in across]


ALIKE: tuple[Sequence[Mark], Sequence[Mark]] = ([CLAIM, ("P1", 0, 2)], [CLAIM, ("P1", 0, 2)])


def test_marks_that_annotators_exchange_across_layers_are_counted_and_told(tmp_path: Path) -> None:
    swapped = [CLAIM, ("P1", 0, 2), ("P2", 4, 6)], [CLAIM, ("P2", 0, 2), ("P1", 4, 6)]
    left = [CLAIM, ("P1", 0, 2)], [CLAIM]
    found = of(tmp_path, swapped, left, ALIKE)
    assert exchanged(found) == [("P1", "P2", 2, 5)]
    told = finding(found, "across-layers")
    assert told is not None
    assert (told.values["exchanged"], told.values["omissions"]) == (4, 5)
    assert told.layers == ("P1", "P2")


@pytest.mark.parametrize(
    ("other", "cases"),
    [
        # The same text but for a word of four, one word of it, and text beside it.
        (("P2", 0, 3), 1),
        (("P2", 3, 4), 0),
        (("P2", 4, 6), 0),
    ],
)
def test_marks_of_two_layers_are_exchanged_where_they_share_more_than_half(
    tmp_path: Path, other: Mark, cases: int
) -> None:
    found = of(tmp_path, ([("P1", 0, 4)], [other]), ALIKE)
    assert sum(two for *_, two, _ in exchanged(found)) == cases


def test_marks_that_meet_one_of_their_own_layer_are_not_exchanged(tmp_path: Path) -> None:
    both = [CLAIM, ("P1", 0, 2), ("P2", 0, 2)], [CLAIM, ("P1", 0, 3), ("P2", 0, 2)]
    assert exchanged(of(tmp_path, both, both)) == []


def test_a_mark_around_another_is_no_exchange(tmp_path: Path) -> None:
    found = of(tmp_path, ([CLAIM], [("P1", 0, 2)]), ALIKE)
    assert exchanged(found) == []


def test_in_one_layer_they_are_confused_and_nothing_is_said_across(tmp_path: Path) -> None:
    swapped = [("P1", 0, 2), ("P2", 4, 6)], [("P2", 0, 2), ("P1", 4, 6)]
    found = of(tmp_path, swapped, ALIKE, toml="")
    assert exchanged(found) == []
    one = '[[layers]]\nid = "premises"\nsource = "P1 | P2"\n[[layers]]\nid = "C"\nsource = "C"\n'
    joined = of(tmp_path / "one", swapped, ALIKE, toml=one)
    assert exchanged(joined) == []
    primary = joined.primary_of("premises")
    assert primary.categories == ("P1", "P2", "(unmarked)")
    assert primary.marks.read == 6


def test_a_few_among_many_omissions_are_not_told(tmp_path: Path) -> None:
    left: tuple[Sequence[Mark], Sequence[Mark]] = (
        [("P1", 0, 1), ("P1", 2, 3), ("P1", 4, 5), ("P1", 6, 7)],
        [],
    )
    swapped: tuple[Sequence[Mark], Sequence[Mark]] = ([("P1", 0, 2)], [("P2", 0, 2)])
    few = of(tmp_path, swapped, swapped, *[left] * 5)
    assert exchanged(few) == [("P1", "P2", 2, 24)]
    assert finding(few, "across-layers") is None


def test_of_three_annotators_each_two_are_looked_at(tmp_path: Path) -> None:
    begins = [sum(len(word) + 1 for word in WORDS[:place]) for place in range(len(WORDS) + 1)]
    mark = f"{begins[0]} {begins[2] - 1}\t{TEXT[: begins[2] - 1]}\n"
    files = {f"exports/1.0/{who}/d.txt": f"{TEXT}\n" for who in "abc"}
    files |= {
        f"exports/1.0/{who}/d.ann": f"T1\t{kind} {mark}"
        for who, kind in (("a", "P1"), ("b", "P2"), ("c", "P1"))
    }
    layers = "".join(f'[[layers]]\nid = "{name}"\nsource = "{name}"\n' for name in ("P1", "P2"))
    # The two who agree have nothing open between them; the third has something else against each.
    assert exchanged(results_of(written(tmp_path / "c", layers, files))) == [("P1", "P2", 2, 4)]


def test_who_chooses_a_label_of_another_layer_is_said_first_where_it_is_no_chance(tmp_path: Path) -> None:
    takes = [CLAIM, ("P1", 0, 2), ("P2", 4, 6)], [CLAIM, ("P1", 0, 2), ("P1", 4, 6)]
    found = of(tmp_path, *[takes] * 7, ALIKE)
    told = finding(found, "across-layers")
    assert told is not None
    # A01 chooses P2 where A02 chooses P1.
    assert [told.values[name] for name in ("annotator", "first", "other", "second")] == [
        "A01",
        "P2",
        "A02",
        "P1",
    ]
    assert (told.values["own"], told.values["cases"]) == (7, 7)
    (said, *more) = habits(found)
    assert said == "A01 chooses P2 where A02 chooses P1, which belongs to another layer (7 of 7 cases)."
    # That A02 makes more P1 and A01 more P2 is the same.
    assert not more
    few = of(tmp_path / "few", *[takes] * 5, ALIKE)
    assert finding(few, "across-layers") is not None
    assert [each for each in habits(few) if "chooses" in each] == []
