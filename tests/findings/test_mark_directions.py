"""Whose marks end later, who marks more, or otherwise: made habits are named, on the first screen too."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from reportgen.results import Results, cases_by_kind
from reportgen.words import headline as of_marks
from tests.campaigns import finding, marked, results_of, written
from tests.slowly import slow_but

WORDS = ("Cuba", ",", "Rusia", "y", "Polonia", "firmaron", "ayer", "en", "Roma", "un", "nuevo", "pacto")
TEXT = " ".join(WORDS)
Habit = Callable[[int], Sequence[tuple[int, int]]]
UNIT_SETS = """[[unit_sets]]
id = "tokens"
units = "tokens"
[[unit_sets]]
id = "marked"
units = "annotated-by-any"
"""


def apart(_: int) -> list[tuple[int, int]]:
    """Mark each country, and the town."""
    return [(0, 1), (2, 3), (4, 5), (8, 9)]


def joining(_: int) -> list[tuple[int, int]]:
    return [(0, 5), (8, 9)]


def longer(_: int) -> list[tuple[int, int]]:
    return [(0, 1), (2, 3), (4, 6), (8, 10)]


def earlier(_: int) -> list[tuple[int, int]]:
    return [(0, 1), (1, 3), (4, 5), (7, 9)]


def made(folder: Path, *habits: Habit, documents: int = 9) -> Results:
    """Return the results of annotators who mark so, A01, A02, …; in some documents without the town."""
    begins = [sum(len(word) + 1 for word in WORDS[:place]) for place in range(len(WORDS) + 1)]
    files: dict[str, str] = {}
    for number in range(documents):
        for who, habit in enumerate(habits):
            marks = habit(number)[: -1 if (number + who) % 4 == 0 else None]
            rows = (
                f"T{row}\tPlace {begins[start]} {begins[end] - 1}\t{TEXT[begins[start] : begins[end] - 1]}\n"
                for row, (start, end) in enumerate(marks, 1)
            )
            files[f"exports/1.0/a{who}/d{number}.txt"] = TEXT + "\n"
            files[f"exports/1.0/a{who}/d{number}.ann"] = "".join(rows)
    return results_of(written(folder / "c", UNIT_SETS, files))


def kinds_of(found: Results, annotator: str) -> Mapping[str, tuple[int, int]]:
    disagreements = found.spans.disagreements_of("main") if found.spans else None
    habits = [each for each in (disagreements.habits if disagreements else ()) if each.type is None]
    (own,) = [each for each in habits if each.annotator == annotator]
    return {name: (case.own, case.others) for name, case in own.kinds.items()}


def test_who_joins_what_others_split_is_named_by_where_the_marks_begin(tmp_path: Path) -> None:
    found = made(tmp_path, apart, apart, joining)
    # The longest of the several is the one that its mark is paired with, here the last.
    earlier_begins = finding(found, "earlier-begins")
    assert earlier_begins is not None
    values = earlier_begins.values
    assert (values["annotator"], values["own"], values["cases"]) == ("A03", 18, 18)
    assert values["category"] == "Place"
    assert float(str(values["f_with"])) < 0.4
    assert float(str(values["f_without"])) > 0.8
    # Nobody else is blamed for more marks, which follow from it.
    assert finding(found, "more-marks") is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("habits", "name", "who", "claim"),
    [
        ((apart, apart, longer), "later-ends", "A03", "{annotator}'s marks end after the others'"),
        ((longer, longer, apart), "later-ends", "A03", "{annotator}'s marks end before the others'"),
        ((apart, longer), "later-ends", "A02", "{annotator}'s marks end after {other}'s"),
        ((apart, apart, earlier), "earlier-begins", "A03", "{annotator}'s marks begin before the others'"),
        ((earlier, earlier, apart), "earlier-begins", "A03", "{annotator}'s marks begin after the others'"),
        ((earlier, apart), "earlier-begins", "A01", "{annotator}'s marks begin before {other}'s"),
    ],
)
def test_whose_marks_begin_or_end_elsewhere_is_named(
    tmp_path: Path, habits: Sequence[Habit], name: str, who: str, claim: str
) -> None:
    found = finding(made(tmp_path, *habits), name)
    assert found is not None
    assert found.claim.startswith(claim)
    assert found.values["annotator"] == who


Typed = Callable[[int], Sequence[tuple[int, int, str]]]


def places(_: int) -> list[tuple[int, int, str]]:
    return [(0, 1, "LOC"), (4, 5, "LOC"), (8, 9, "LOC"), (9, 12, "ACT")]


def nesting(number: int) -> list[tuple[int, int, str]]:
    return [*places(number), (11, 12, "ORG")]


def states(_: int) -> list[tuple[int, int, str]]:
    """Take two places for organisations."""
    return [(0, 1, "ORG"), (4, 5, "ORG"), (8, 9, "LOC"), (9, 12, "ACT")]


def sparing(_: int) -> list[tuple[int, int, str]]:
    return [(0, 1, "LOC"), (9, 12, "ACT")]


CHOSEN = (
    *((places, states), "A01"),
    "A01 chooses LOC where A02 chooses another label, mostly ORG (18 of 18 cases).",
)


@pytest.mark.parametrize(
    ("habits", "who", "said"),
    slow_but(
        [
            CHOSEN,
            ((places, nesting), "A02", "A02 marks what A01 leaves out (9 of 9 cases)."),
            (
                (places, places, states),
                "A03",
                "A03 chooses ORG where the others choose another label, mostly LOC (36 of 36 cases).",
            ),
        ],
        CHOSEN,
    ),
)
def test_who_takes_another_type_or_nests_is_named_first(
    tmp_path: Path, habits: Sequence[Typed], who: str, said: str
) -> None:
    found = typed(tmp_path, *habits)
    assert of_marks.named(found)[0].values["annotator"] == who
    assert next(iter(of_marks.habits(found))).startswith(said)


OTHERS = (places, places, sparing), "A03", "what others marked and {annotator} did not"


@pytest.mark.parametrize(
    ("habits", "who", "kind"),
    slow_but(
        [
            ((places, sparing), "A01", "what only {annotator} marked"),
            ((places, places, nesting), "A03", "what {annotator} marked and another did not"),
            ((nesting, nesting, places), "A03", "what others marked and {annotator} did not"),
            OTHERS,
            ((sparing, sparing, sparing, places), "A04", "what {annotator} marked and another did not"),
        ],
        OTHERS,
    ),
)
def test_who_marks_more_or_less_is_said_once(
    tmp_path: Path, habits: Sequence[Typed], who: str, kind: str
) -> None:
    found = typed(tmp_path, *habits)
    assert of_marks.named(found)[0].values["annotator"] == who
    cause = next(each for each in found.findings if each.kind == "cause")
    assert kind in cause.claim
    assert (cause.people, cause.values["cause_share"]) == ((who,), 1.0)
    assert list(of_marks.habits(found)) == []


def test_a_colon_in_a_name_cuts_no_sentence(tmp_path: Path) -> None:
    def colons(habit: Typed) -> Typed:
        return lambda number: [(start, end, f"x:{kind}") for start, end, kind in habit(number)]

    (said, *_) = of_marks.habits(typed(tmp_path, colons(places), colons(places), colons(states)))
    assert said.startswith("A03 chooses x:ORG where the others choose another label, mostly x:LOC (36 of")


def typed(folder: Path, *habits: Typed) -> Results:
    """Return the results of annotators who mark so, in nine documents."""
    begins = [sum(len(word) + 1 for word in WORDS[:place]) for place in range(len(WORDS) + 1)]
    texts = {f"d{number}": TEXT for number in range(9)}
    marks = {
        f"a{who}": {
            name: [(kind, begins[start], begins[end] - 1) for start, end, kind in habit(number)]
            for number, name in enumerate(texts)
        }
        for who, habit in enumerate(habits)
    }
    files = {f"exports/1.0/{name}": text for name, text in marked(texts, marks).items()}
    return results_of(written(folder / "c", UNIT_SETS, files))


@pytest.mark.slow
def test_where_nobody_is_on_one_side_nobody_is_named(tmp_path: Path) -> None:
    def either(number: int) -> list[tuple[int, int]]:
        return joining(number) if number % 2 else apart(number)

    def other(number: int) -> list[tuple[int, int]]:
        return apart(number) if number % 2 else joining(number)

    found = made(tmp_path, either, other)
    assert set(kinds_of(found, "A01")) == {"left", "omitted"}
    assert finding(found, "earlier-begins") is None
    assert "earlier-begins" not in {each.id for each in of_marks.named(found)}


def test_the_first_screen_says_who_f_what_each_unit_set_says_and_how_marks_differ(tmp_path: Path) -> None:
    found = made(tmp_path, apart, apart, joining)
    (who,) = of_marks.habits(found)
    assert who == (
        "A03's marks begin before the others' (18 of 18 cases). "
        "F is 0.18 in pairs with A03, 0.93 in the others."
    )
    f, kinds = of_marks.figures_of_marks(found)
    assert f == (
        "F of marks is 0.43 [0.37, 0.49] with the same boundaries, 0.67 where they need only overlap. "
        "α is 0.67 over “tokens” and −0.34 over “marked”."
    )
    assert kinds == "How marks differ: another beginning 18 and made by one annotator alone 14."
    assert list(of_marks.figures_of_marks(found.model_copy(update={"spans": None}))) == []


@pytest.mark.slow
def test_the_mean_of_f_is_that_over_pairs(tmp_path: Path) -> None:
    spans = made(tmp_path, apart, longer, joining).spans
    assert spans is not None
    means = spans.mean_over_pairs["main"]
    for mode in ("strict", "lenient"):
        assert means.f_measure[mode].value == pytest.approx(means.overall[mode]["f_measure"].value)


def test_cases_are_counted_as_they_were(tmp_path: Path) -> None:
    spans = made(tmp_path, apart, joining).spans
    disagreements = spans.disagreements_of("main") if spans else None
    assert disagreements is not None
    # Three marks under one.
    assert cases_by_kind(disagreements.cases)["boundary"] == 9 * 3
