"""Labels, and what is said of them before they are counted: each rule at its edge, and in every command."""

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.readers import Annotations, Codes, CountedLayer, SetLabel
from reportgen.readers.counted import LayerDescribed
from reportgen.units import (
    Expected,
    LabelFault,
    LabelTable,
    alike_annotators,
    label_faults,
    label_table,
    repeated_labels,
)
from reportgen.units.labels import NO_CATEGORY, Labels
from tests.campaigns import written
from tests.commands import run
from tests.measures import made
from tests.present import present
from tests.properties import examples
from tests.units import marked

Counts = Mapping[str, tuple[int, ...]]

NORMALISE, MISSING, CATEGORIES, UNMARKED = (
    *("normalise", "missing", "task.categories"),
    "task.non_annotated",
)


def faults(labels: Counts, *, others: int = 0, **expected: object) -> list[LabelFault]:
    """Return what is said of labels with their counts by annotator; the last `others` are no annotators."""
    counts = np.array([*labels.values()], dtype=np.int64)
    compared = np.arange(counts.shape[1]) < counts.shape[1] - others
    return [*label_faults(LabelTable(tuple(labels), counts, compared), Expected(**expected))]  # type: ignore[arg-type]


def keys(labels: Counts, *, others: int = 0, **expected: object) -> list[str]:
    return [fault.key for fault in faults(labels, others=others, **expected)]


def only(found: Sequence[LabelFault]) -> LabelFault:
    (fault,) = found
    return fault


# Labels that differ by case or white space only.


@pytest.mark.parametrize(
    ("labels", "how", "remedy"),
    [
        (("New", "new"), "case", 'normalise = ["lowercase"] under [[guidelines]]'),
        (("New", "New "), "white space", 'normalise = ["strip"] under [[guidelines]]'),
        (
            *(("New", "new "), "case and white space"),
            'normalise = ["strip", "lowercase"] under [[guidelines]]',
        ),
        (("a b", "a  b"), "white space", 'labels = { "a  b" = "a b" } under [[guidelines]]'),
    ],
)
def test_spellings_are_made_one_as_they_differ(labels: tuple[str, str], how: str, remedy: str) -> None:
    fault = only(faults({labels[0]: (50, 50), labels[1]: (9, 0)}))
    assert fault.message == (
        f'"{labels[0]}" and "{labels[1]}" differ only by {how} and count as different labels '
        "(labels: 100, 9)."
    )
    assert fault.remedy == f"Write {remedy}, or correct the export."
    assert (fault.key, fault.labels) == (NORMALISE, labels)


def test_declared_categories_are_written_in_lower_case_where_labels_are() -> None:
    too = "under [[guidelines]], and the declared categories in lower case, or"
    assert too in faults({"New": (9,), "new": (1,)}, categories=("New",))[0].remedy
    # What is declared in lower case already, or is not changed, stays as it is.
    assert too not in faults({"New": (1,), "new": (9,)}, categories=("new",))[0].remedy
    assert too not in faults({"New": (9,), "New ": (1,)}, categories=("New",))[0].remedy


def test_the_commonest_spelling_is_named_first_and_then_the_first_by_name() -> None:
    fault = only(faults({"New": (3,), "nEW": (9,)}, categories=("new", "NEW")))
    assert fault.labels == ("nEW", "New", "NEW", "new")
    assert fault.message.endswith("(labels: 9, 3, 0, 0).")
    assert only(faults({"new": (1,)}, categories=("NEW",))).labels == ("new", "NEW")
    assert keys({"New": (9,), "new": (9,)}, categories=("new", "New")) == []


# Labels that look missing.


@pytest.mark.parametrize("name", ["none", "Nothing", " nil ", "rien", "tbd", "todo"])
def test_a_word_for_nothing_is_a_missing_rating_where_one_label_in_fifty_is_it(name: str) -> None:
    assert keys({"yes": (49,), name: (1,)}) == [MISSING]
    assert keys({"yes": (48,), name: (1,)}) == []


def test_what_looks_missing_is_so_however_often_it_is_given_unless_it_is_declared() -> None:
    fault = only(faults({"yes": (5, 5), "?": (50, 1050)}))
    assert fault.message == '"?" looks like a missing rating and counts as a label (labels: 1,100).'
    assert fault.remedy == (
        'Write missing = ["?"] under [[guidelines]], or name what is a label under categories.'
    )
    assert keys({"yes": (5, 5), "?": (50, 50)}, categories=("yes", "?")) == []
    assert keys({"yes": (5, 5), "N/A": (50, 50)}, non_annotated="n/a") == [UNMARKED]


def test_what_no_scale_of_numbers_has_looks_missing() -> None:
    assert only(faults({"0": (9, 9), "1": (9, 9), "None": (5, 5)})).labels == ("None",)
    # What more than half of all labels are is an answer.
    assert keys({"0": (9, 9), "1": (9, 9), "None": (18, 18)}) == [MISSING]
    assert keys({"0": (9, 9), "1": (9, 9), "None": (18, 19)}) == []
    assert keys({"no": (9, 9), "yes": (9, 9), "None": (5, 5)}) == []
    assert keys({"0": (9, 9), "1": (9, 9), "None": (5, 5)}, categories=("0", "1", "None")) == []


def test_a_dash_is_the_end_of_a_scale_where_another_end_is() -> None:
    assert keys({"++": (9, 9), "-": (9, 9)}) == keys({"+": (9, 9), "-": (9, 9)}) == []
    assert keys({"yes": (9, 9), "-": (9, 9)}) == [MISSING]
    fault = only(faults({"+": (9, 9), "--": (1, 1), "n/a": (9, 9)}))
    assert fault.message == '"n/a" and "--" look like missing ratings and count as labels (labels: 18, 2).'
    assert fault.labels == ("n/a", "--")


# Labels that are not declared.


def test_a_label_that_is_not_declared_is_named_with_the_line_that_declares_it() -> None:
    fault = only(faults({"Old": (9, 9), "Kept": (4, 1)}, categories=("Old", "New")))
    assert fault.message == '"Kept" is not a declared category, but is counted as one (given 5 times).'
    assert fault.remedy == 'Correct it in the export, or add it: categories = ["Old", "New", "Kept"].'
    near = only(faults({"Old": (9, 9), "Nw": (1, 0)}, categories=("Old", "New")))
    assert "(given once)" in near.message
    assert near.remedy.startswith('Did you mean "New"? Correct it')


@pytest.mark.parametrize(
    ("labels", "alone"),
    [
        ({"a": (45, 25, 25), "b": (5, 0, 0)}, True),
        ({"a": (46, 25, 25), "b": (5, 0, 0)}, False),
        ({"a": (45, 99, 99), "b": (4, 0, 0)}, False),
        ({"a": (45, 25, 25), "b": (5, 0, 1)}, False),
    ],
)
def test_one_alone_gives_a_label_that_others_would_have_given(labels: Counts, *, alone: bool) -> None:
    """At the rate of whoever gives it."""
    assert (", by one annotator alone)" in only(faults(labels, categories=("a",))).message) is alone
    assert keys(labels) == [CATEGORIES] * alone


def test_only_annotators_give_a_label_alone() -> None:
    """What a model gives too is no annotator's own, and a model has none."""
    assert keys({"a": (50, 50, 50, 0), "b": (9, 0, 0, 1)}, others=1) == []
    assert keys({"a": (50, 50, 50, 50), "b": (0, 0, 0, 9)}, others=1) == []
    assert keys({"a": (50, 50, 50, 50), "b": (9, 0, 0, 0)}, others=1) == [CATEGORIES]
    fault = only(faults({"a": (50, 50), "b": (9, 0)}, others=2, categories=("a",)))
    assert "(given 9 times)" in fault.message


def test_of_more_than_a_dozen_categories_none_is_repeated() -> None:
    twelve = tuple(f"c{number}" for number in range(12))
    assert '"c11", "z"]' in only(faults({"z": (9,)}, categories=twelve)).remedy
    thirteen = (*twelve, "c12")
    assert only(faults({"z": (9,)}, categories=thirteen)).remedy.endswith('add it: categories = […, "z"].')


def test_names_that_are_alike_are_looked_for_where_a_label_is_shown() -> None:
    found = faults({f"Label{number}": (9 - number,) for number in range(6)}, categories=("Label",))
    assert ["Did you mean" in fault.remedy for fault in found] == [True] * 5 + [False]
    assert found[0].labels == ("Label0",)


def test_of_faults_of_one_kind_five_are_listed_and_the_others_are_counted() -> None:
    five = faults({f"Label{number}": (9,) for number in range(5)}, categories=("other",))
    assert len(five) == 5
    *first, last = faults({f"Label{number}": (9,) for number in range(7)}, categories=("other",))
    assert [fault.labels for fault in first] == [fault.labels for fault in five]
    assert last.message == 'the same is true of 2 other labels, such as "Label5".'
    assert (last.key, last.remedy, last.labels) == (CATEGORIES, "", ("Label5", "Label6"))


# Labels that are another one but for a letter.


@pytest.mark.parametrize(
    ("label", "common"),
    [
        ("forms", "form"),
        ("form", "forms"),
        ("firm", "form"),
        ("from", "form"),
        ("fomral", "formal"),
        ("forml", "formal"),
        ("formaal", "formal"),
        ("not sur", "not sure"),
        ("case_x", "case_y"),
        ("pre-a/b", "pre-a/c"),
    ],
)
def test_a_letter_more_another_one_or_two_exchanged_are_a_slip(label: str, common: str) -> None:
    fault = only(faults({common: (50,), label: (1,)}))
    assert fault.message == f'"{label}" (given once) is "{common}" but for a letter.'
    assert fault.remedy == (
        f'Write labels = {{ "{label}" = "{common}" }} under [[guidelines]], or correct the export; '
        f'if both are labels, declare them: categories = ["{common}", "{label}", …] under [task].'
    )
    assert (fault.key, fault.labels) == (CATEGORIES, (label,))


@pytest.mark.parametrize(
    ("label", "common"),
    [
        ("for", "form"),
        ("worm", "form"),
        ("xform", "form"),
        ("formes", "form"),
        ("foab", "form"),
        ("frmo", "form"),
        ("forxl", "formal"),
        ("form1", "form"),
        ("form", "form1"),
        ("form-", "form"),
        ("formxy", "formal"),
    ],
)
def test_what_differs_more_or_at_its_beginning_is_another_word(label: str, common: str) -> None:
    assert faults({common: (50,), label: (1,)}) == []


@pytest.mark.parametrize(
    ("common", "rare"),
    [
        # Of one of several people ten times as many are enough, of a lone annotator or of two fifty times.
        ((5, 5), (1, 0)),
        ((10, 10), (2, 0)),
        ((50,), (1,)),
        ((50, 50), (1, 1)),
    ],
)
def test_a_label_is_rare_beside_a_common_one(common: tuple[int, ...], rare: tuple[int, ...]) -> None:
    assert keys({"form": common, "forms": rare}) == [CATEGORIES]
    assert keys({"form": (common[0] - 1, *common[1:]), "forms": rare}) == []


def test_of_two_common_labels_that_a_slip_may_be_the_commoner_is_named() -> None:
    assert '"form"' in only(faults({"farm": (60,), "form": (90,), "firm": (1,)})).message


def numbered(number: int, times: int = 1) -> dict[str, tuple[int]]:
    """Return labels that are not like any other."""
    return {str(label): (times,) for label in range(number)}


def test_labels_of_which_most_are_different_are_free_text() -> None:
    """More than fifty different ones, and than a tenth of the labels given."""
    assert keys({**numbered(48), "form": (50,), "forms": (1,)}) == [CATEGORIES]
    assert keys({**numbered(49), "form": (50,), "forms": (1,)}) == []
    assert keys({**numbered(49), "form": (460,), "forms": (1,)}) == [CATEGORIES]
    assert keys({**numbered(49), "form": (459,), "forms": (1,)}) == []
    alone = {name: (*count, 0, 0) for name, count in numbered(48).items()}
    assert keys({**alone, "a": (0, 500, 500), "b": (90, 0, 0)}) == [CATEGORIES]
    assert keys({**alone, "50": (1, 0, 0), "a": (0, 200, 200), "b": (9, 0, 0)}) == []


def test_more_than_five_hundred_labels_are_not_compared_with_each_other() -> None:
    assert keys({**numbered(498, 20), "form": (50,), "forms": (1,)}) == [CATEGORIES]
    assert keys({**numbered(499, 20), "form": (50,), "forms": (1,)}) == []


def test_declared_categories_say_what_is_a_slip() -> None:
    assert keys({"form": (50,), "forms": (1,)}, categories=("form", "forms")) == []


# Labels of one annotator alone.


def test_one_annotators_own_labels_are_named_together_the_commonest_first() -> None:
    own = {"b": 7, "a": 7, "c": 9, "7": 8, "d": 6, "e": 5, "f": 5, "m": 5}
    fault = only(faults({"z": (0, 200, 200), **{name: (count, 0, 0) for name, count in own.items()}}))
    assert fault.message == (
        'given by one annotator alone: "c" (9 times), "a" (7 times), "b" (7 times), "d" (6 times), '
        '"e" (5 times) and 2 more.'
    )
    assert fault.remedy == (
        "Correct the export, or, if all annotators know of it, declare it: "
        'categories = […, "c", "a", "b", "d", "e"] under [task].'
    )
    assert (fault.key, fault.labels) == (CATEGORIES, ("c", "a", "b", "d", "e", "f", "m"))
    five = only(faults({"z": (0, 99, 99), **dict.fromkeys("abcde", (5, 0, 0))}))
    assert five.message.endswith('"e" (5 times).')


def test_of_two_who_label_neither_has_a_label_alone() -> None:
    assert keys({"a": (50, 50, 1), "b": (9, 0, 0)}) == [CATEGORIES]
    # One who gave nothing is none of three.
    assert keys({"a": (50, 50, 0), "b": (9, 0, 0)}) == []
    assert keys({"a": (50, 50, 1), "b": (9, 0, 0)}, others=1) == []


def test_names_alone_are_somebodys_own_and_what_looks_missing_is_named_once() -> None:
    assert keys({"a": (50, 50, 50), "b": (9, 0, 0)}, named=False) == []
    assert keys({"a": (50, 50, 50), "b": (9, 0, 0)}, categories=("a", "b")) == []
    assert keys({"a": (50, 50, 50), "?": (9, 0, 0)}) == [MISSING]


# The category of units that nobody marked.


def test_the_category_of_unmarked_units_is_given_where_the_export_lists_units() -> None:
    fault = only(faults({"a": (9,), "None": (9,)}, non_annotated="none"))
    assert fault.message == (
        '"none" is the category of units that nobody marked, and no unit has this label.'
    )
    assert fault.remedy == (
        'Did you mean "None"? Take non_annotated away, or correct it: non_annotated = "None".'
    )
    assert (fault.key, fault.labels) == (UNMARKED, ())
    near = only(faults({"a": (9,), "nothin": (9,)}, non_annotated="nothing"))
    assert near.remedy == (
        'Did you mean "nothin"? Take non_annotated away, or correct it: non_annotated = "…".'
    )
    far = only(faults({"a": (9,)}, non_annotated="nothing"))
    assert far.remedy == 'Take non_annotated away, or correct it: non_annotated = "…".'


def test_it_need_not_be_given_where_units_are_not_listed_or_nothing_is_given() -> None:
    assert keys({"a": (9,), "none": (9,)}, non_annotated="none") == []
    assert keys({"a": (9,)}, non_annotated="none", in_tables=False) == []
    assert keys({"a": (0,)}, non_annotated="none") == []
    assert keys({"a": (9,)}) == []


# What may be written into campaign.toml.


def test_labels_are_written_so_that_campaign_toml_can_be_read() -> None:
    def written(label: str) -> str:
        return only(faults({"z": (9,), label: (1,)}, categories=("z",))).remedy

    assert written("a\tb").endswith(r'categories = ["z", "a\U00000009b"].')
    assert written("x" * 60).endswith(f'categories = ["z", "{"x" * 60}"].')
    assert written("x" * 61).endswith(f'categories = ["z", "{"x" * 60}…"].')


# How often everybody gave every label.


def by_label(table: LabelTable) -> dict[str, list[int]]:
    return dict(zip(table.labels, table.counts.tolist(), strict=True))


def test_uses_are_in_order_of_how_often_a_label_is_given_and_then_of_its_name() -> None:
    counts = np.array([[1, 1], [0, 2], [0, 0], [3, 0]], dtype=np.int64)
    table = LabelTable(("b", "a", "n", "c"), counts, np.ones(2, dtype=np.bool_))
    assert list(table.uses.items()) == [("c", 3), ("a", 2), ("b", 2)]


def test_second_passes_are_the_persons_and_derived_labels_are_nobodys() -> None:
    export = made.annotations(
        [("a", "b", "a", "a", "b"), ("b", None, "a", "a", "b")],
        annotators=("ann", "ann2", "bob", "bot", "gold"),
        weights=(1, 3),
    )
    export = replace(export, roles={"bot": "model"}, derived=("gold",))
    table = label_table(export, same_as={"ann2": "ann"}, roles={"gold": "reference"})
    assert by_label(table) == {"a": [1, 0, 4, 4, 0], "b": [4, 0, 0, 0, 0]}
    assert table.compared.tolist() == [True, True, True, False, False]


def test_marks_in_texts_count_once_each() -> None:
    marks = [(0, 3, "N"), (4, 7, "V")]
    export = marked.annotations(
        marked.copy("ann", "one two", marks), marked.copy("bob", "one two", marks[:1])
    )
    assert by_label(label_table(export)) == {"N": [1, 1], "V": [1, 0]}


def test_a_separator_takes_apart_what_the_reader_left_whole_and_nothing_else() -> None:
    names = tuple("hgfedcba")
    export = made.annotations([("|".join(names), "x|y")], order=("|".join(names), "x|y"))
    assert label_table(export).labels == ("h|g|f|e|d|c|b|a", "x|y")
    assert label_table(export, separator="|").labels == (*"abcdefgh", "x", "y")
    # A set of one member whose name has the separator is a set of one member.
    whole = (SetLabel("x|y", ("x|y",)), SetLabel("z", ("z",)))
    export = made.annotations([whole], order=whole)
    assert label_table(export, separator="|").labels == ("x|y", "z")


def test_who_gave_which_label_is_known_of_so_many_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    export = made.annotations([("a", "b"), ("a", "b")])
    monkeypatch.setattr("reportgen.units.label_checks.MOST_CELLS", 4)
    assert by_label(label_table(export)) == {"a": [2, 0], "b": [0, 2]}
    monkeypatch.setattr("reportgen.units.label_checks.MOST_CELLS", 3)
    fewer = label_table(export)
    assert by_label(fewer) == {"a": [2], "b": [2]}
    assert fewer.compared.tolist() == [False]


def counted() -> Annotations:
    """Return an export that is counts."""
    described = LayerDescribed.model_construct(annotators=("ann", "Ann"), labels=("a", "b"))  # type: ignore[call-arg]
    return Annotations(CountedLayer(described, {}, "counts.json"), "counts", "", 4)


def test_of_counts_the_labels_are_those_of_their_units() -> None:
    units = made.units_of(made.annotations([("a", "b"), ("a", "a")], weights=(2, 5)))
    table = label_table(counted(), units)
    assert by_label(table) == {"a": [7, 5], "b": [0, 2]}
    assert table.compared.tolist() == [True, True]
    sets = made.units_of(made.annotations([("a|b", "b")], separator="|"), scale="set")
    assert by_label(label_table(counted(), sets)) == {"a": [1, 0], "b": [1, 1]}
    empty = label_table(counted())
    assert (empty.labels, empty.counts.shape, empty.compared.shape) == ((), (0, 0), (0,))


# Annotators whose names are alike.


def test_of_names_that_are_alike_the_one_with_most_labels_is_first() -> None:
    export = made.annotations(
        [("a", "b", "a", "b"), ("a", None, "b", "a")], annotators=("eve", "Eve", "ann", "EVE")
    )
    fault = only([*alike_annotators(export, {})])
    assert fault.message == (
        '"EVE", "eve" and "Eve" differ only by case and count as different annotators (labels: 2, 2, 1).'
    )
    assert fault.remedy == (
        'If they are one person, write same_as = "EVE" under [annotators.eve]; '
        'same_as = "EVE" under [annotators.Eve], or correct the export.'
    )
    assert (fault.key, fault.labels) == ("annotators", ("EVE", "eve", "Eve"))


def test_names_that_campaign_toml_joins_and_those_that_were_made_are_not_alike() -> None:
    export = made.annotations([("a", "b")], annotators=("eve", "Eve"))
    assert [*alike_annotators(export, {"Eve": "eve"})] == []
    assert [*alike_annotators(replace(export, derived=("Eve",)), {})] == []
    assert [*alike_annotators(counted(), {})] == []


def test_more_than_five_repeated_labels_are_worth_a_word() -> None:
    assert [*repeated_labels(5)] == []
    assert len([*repeated_labels(6)]) == 1
    fault = only([*repeated_labels(1006)])
    assert fault.message.startswith("1,006 labels repeat")
    assert fault.key == "columns.pass"


PEOPLE = ("Ann", "Bob", "Cyd")
HEAD = "unit,annotator,label\n"
# A label that each of three gives to each of 200 units: "New" or "Former", and "none" to a good share.
COMMON = ("New", "Former", "none", "New", "Former")
UNITS = 200
# What is wrong, by the place of a rating: its label instead.
FAULTS = (
    {(unit, "Ann"): "new" for unit in range(10, 30, 5)}  # by case
    | {(unit, "Bob"): "Former " for unit in range(1, 21, 5)}  # by white space
    | {(3, "Cyd"): "n/a", (8, "Bob"): "?"}  # missing
    | {(4, "Ann"): "Fomer"}  # misspelt
    | {(unit, "Cyd"): "Kept" for unit in range(100, 130, 5)}  # of one alone
)
AGAIN = 8
DECLARED = '[task]\ncategories = ["New", "Former"]\nnon_annotated = "nothing"\n'


def table(faults: dict[tuple[int, str], str], again: int = 0) -> str:
    """Return ratings as CSV; the first `again` rows stand twice."""
    rows = [
        f"u{unit},{who},{faults.get((unit, who), COMMON[unit % len(COMMON)])}\n"
        for unit in range(UNITS)
        for who in PEOPLE
    ]
    return HEAD + "".join((*rows, *rows[:again]))


# Rows that are there twice count twice.
FAULTY = table(FAULTS, AGAIN)
ALIKE = (
    '"New" and "new" differ only by case and count as different labels (labels: 231, 4).',
    '"Former" and "Former " differ only by white space and count as different labels (labels: 237, 5).',
)
# agree and init take "n/a" for a missing rating by themselves.
DOUBTED = '"?" looks like a missing rating and counts as a label (labels: 1).'
BLANK = '"?" and "n/a" look like missing ratings and count as labels (labels: 1, 1).'
MISSPELT = '"Fomer" (given once) is "Former" but for a letter.'
PRIVATE = 'given by one annotator alone: "Kept" (6 times).'
REPEATED = "8 labels repeat an earlier one of the same annotator on the same unit."
NOTHING_UNMARKED = '"nothing" is the category of units that nobody marked, and no unit has this label.'


def lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line]


def holds(said: list[str], expected: tuple[str, ...]) -> None:
    """Every expected sentence is in a line of its own, and there is no other line."""
    assert len(said) == len(expected), said
    for each in expected:
        assert sum(each in line for line in said) == 1, (each, said)


def test_agree_asks_about_spellings_then_names_every_fault_and_nothing_else(tmp_path: Path) -> None:
    file, reading = tmp_path / "e.csv", tmp_path / "reading.toml"
    file.write_text(FAULTY, encoding="utf-8")
    asked = run("agree", file, "--json")
    assert asked.exit_code == 2
    assert "differ by capitals or blanks alone" in asked.stdout
    reading.write_text('labels = { "Former " = "Former ", "new" = "new", "?" = "?" }\n', encoding="utf-8")
    answer = run("agree", file, "--reading", reading, "--non-annotated", "nothing", "--json")
    assert answer.exit_code == 0
    holds(lines(answer.stderr), (*ALIKE, DOUBTED, MISSPELT, PRIVATE, REPEATED, NOTHING_UNMARKED))
    assert "--missing '?'" in answer.stderr
    settled = run("agree", file, "--reading", reading, "--missing", "n/a", "--missing", "?", "--json")
    holds(lines(settled.stderr), (*ALIKE, MISSPELT, PRIVATE, REPEATED))


def test_init_names_every_fault_and_nothing_else(tmp_path: Path) -> None:
    """Nothing is declared yet: neither categories nor the non-annotated one."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/e.csv").write_text(FAULTY, encoding="utf-8")
    answer = run("init", tmp_path / "mine", "--json")
    assert answer.exit_code == 0
    said = lines(answer.stderr)
    holds(said, (*ALIKE, DOUBTED, MISSPELT, PRIVATE, REPEATED))
    assert 'missing = ["n/a"]' in (tmp_path / "mine/campaign.toml").read_text(encoding="utf-8")
    assert json.loads(answer.stdout)["notices"] == said
    assert any('mine/campaign.toml: guidelines.1.missing: "?"' in line for line in said)


def test_build_names_every_fault_with_its_line_and_nothing_else(tmp_path: Path) -> None:
    made = written(tmp_path / "c", DECLARED.replace("]", ', "none"]', 2), {"exports/1.0/e.csv": FAULTY})
    toml = made / "campaign.toml"
    text = toml.read_text(encoding="utf-8").replace('[task, "none"]', "[task]")
    toml.write_text(text, encoding="utf-8")
    answer = run("build", made, "--out", tmp_path / "site", "-q")
    assert answer.exit_code == 0
    said = lines(answer.stderr)
    undeclared = (
        '"Kept" is not a declared category, but is counted as one (given 6 times, by one annotator alone).',
        '"Fomer" is not a declared category, but is counted as one (given once). Did you mean "Former"?',
    )
    holds(said, (*ALIKE, BLANK, *undeclared, REPEATED, NOTHING_UNMARKED))
    at = text.split("\n").index('categories = ["New", "Former", "none"]') + 1
    assert all(f"campaign.toml:{at}: task.categories: " in line for line in said if "no declared" in line)
    assert any('normalise = ["lowercase"] under [[guidelines]]' in line for line in said)
    assert any('normalise = ["strip"] under [[guidelines]]' in line for line in said)
    assert any('missing = ["?", "n/a"] under [[guidelines]]' in line for line in said)
    assert any('categories = ["New", "Former", "none", "Kept"]' in line for line in said)


@examples(40)
@given(
    st.dictionaries(st.text(max_size=6), st.tuples(*[st.integers(0, 200)] * 3), max_size=8),
    st.lists(st.text(max_size=6), max_size=4),
    st.none() | st.text(max_size=4),
)
def test_every_label_is_named_once_at_most(
    labels: dict[str, tuple[int, int, int]], categories: list[str], unmarked: str | None
) -> None:
    counts = np.array([*labels.values()], dtype=np.int64).reshape(-1, 3)
    found = LabelTable(tuple(labels), counts, np.ones(3, dtype=np.bool_))
    faults = list(label_faults(found, Expected(tuple(categories), unmarked)))
    named = [label for fault in faults for label in fault.labels]
    assert len(named) == len(set(named))
    assert set(named) <= {*labels, *categories}
    assert all(fault.message.isprintable() and fault.remedy.isprintable() for fault in faults)


@examples(40)
@given(st.lists(st.text(min_size=1, max_size=20), min_size=1, max_size=4, unique=True))
def test_what_notices_ask_to_write_is_toml(labels: list[str]) -> None:
    counts = np.full((len(labels), 2), 9, dtype=np.int64)
    found = LabelTable(tuple(labels), counts, np.ones(2, dtype=np.bool_))
    for fault in label_faults(found, Expected(categories=("Zorn",))):
        if fault.key == "task.categories":
            line = fault.remedy[fault.remedy.index("categories = ") :].removesuffix(".")
            assert tomllib.loads(line) == {"categories": ["Zorn", *fault.labels]}


# In a small file: 60 units of three people.


def test_an_empty_set_where_nothing_else_is_a_set_is_a_label_that_is_not_declared(tmp_path: Path) -> None:
    toml = '[task]\ncategories = ["yes", "no"]\n'
    rows = "".join(f"{unit},yes,{'no' if unit % 2 else 'yes'}\n" for unit in range(8))
    folder = written(tmp_path / "c", toml, {"exports/1.0/r.csv": f"unit,Ann,Bob\n{rows}8,yes,{{}}\n"})
    said = run("build", folder, "--out", tmp_path / "site").stderr
    assert '"{}" is not a declared category, but is counted as one (given once).' in said


def codes(*values: int) -> Codes:
    return np.array(values, dtype=np.int64)


# Of the first unit three say x, x, y; of the second two y; of the third one x; the fourth weighs nothing.
LABELS = Labels(
    documents=("d", "e"),
    annotators=("A", "B", "C"),
    categories=("x", "y"),
    document=codes(0, 1, -1, 1),
    weight=codes(1, 5, 2, 0),
    unit=codes(0, 0, 0, 1, 1, 2, 3, 3),
    annotator=codes(0, 1, 2, 2, 0, 1, 0, 1),
    label=codes(0, 0, 1, 1, 1, 0, 1, 1),
    at=codes(7, 6, 5, 4, 3, 2, 1, 0),
)


def test_what_is_known_of_rows_and_units() -> None:
    assert LABELS.per_unit.tolist() == [3, 2, 1, 2]
    assert LABELS.row_document.tolist() == [0, 0, 0, 1, 1, -1, 1, 1]
    assert LABELS.row_weight.tolist() == [1, 1, 1, 5, 5, 2, 0, 0]
    assert LABELS.alike.tolist() == [2, 2, 1, 2, 2, 1, 2, 2]
    assert [column.tolist() for column in LABELS.cells] == [
        [0, 0, 1, 2, 3],
        [0, 1, 1, 0, 1],
        [2, 1, 2, 1, 2],
        [0, 0, 1, 2, 2, 3, 4, 4],
    ]
    assert LABELS.labels_of(2).tolist() == [1, 1, NO_CATEGORY, NO_CATEGORY]
    assert [column.tolist() for column in Labels().cells] == [[]] * 4


def test_rows_are_chosen_and_units_stay() -> None:
    by_mask, by_place = LABELS.where(LABELS.annotator == 1), LABELS.where(codes(5, 1))
    assert (by_mask.unit.tolist(), by_mask.label.tolist()) == ([0, 2, 3], [0, 0, 1])
    assert (by_place.unit.tolist(), by_place.annotator.tolist()) == ([2, 0], [1, 1])
    assert present(by_place.at).tolist() == [2, 6]
    assert by_place.per_unit.tolist() == [1, 0, 1, 0]


def test_units_are_chosen_and_numbered_anew_with_their_rows() -> None:
    some = LABELS.of_units(np.array([False, True, False, True]))
    assert (some.document.tolist(), some.weight.tolist()) == ([1, 1], [5, 0])
    assert (some.unit.tolist(), some.annotator.tolist()) == ([0, 0, 1, 1], [2, 0, 0, 1])


def test_pairable_are_the_rows_of_units_with_two_labels_or_more_that_weigh_something() -> None:
    assert LABELS.pairable.unit.tolist() == [0, 0, 0, 1, 1]
    assert LABELS.pairable.weight is LABELS.weight
