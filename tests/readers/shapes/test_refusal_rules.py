"""Each rule that refuses a reading of a table, at its edge: what is refused and read, and what remains."""

import random
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from reportgen import agreement
from reportgen.base.errors import BadInput, Problem
from reportgen.campaign import load
from reportgen.cli.agree import AgreementRequest, agree
from reportgen.pipeline.export_folder import survey_folder
from reportgen.pipeline.reading import read_version
from reportgen.readers import ReaderOptions, read_export
from reportgen.readers.reader import Engine
from tests.slowly import slow_but

Columns = Mapping[str, Sequence[object]]
DUCKDB = Engine(name="duckdb")


def table(folder: Path, columns: Columns) -> Path:
    """Write columns as a CSV file."""
    file = folder / "labels.csv"
    pd.DataFrame(dict(columns)).to_csv(file, index=False)
    return file


def read(file: Path, options: ReaderOptions | None = None) -> tuple[str, ...]:
    """Return the annotators that are read."""
    return read_export([(file, file.name)], options or ReaderOptions()).ratings.annotators


def refusal(file: Path, options: ReaderOptions | None = None) -> Problem:
    """Return why a file is refused."""
    with pytest.raises(BadInput) as caught:
        read(file, options)
    (problem,) = caught.value.problems
    return problem


def labels(seed: str, values: Sequence[str], n: int, noise: float = 0.2, people: int = 3) -> list[list[str]]:
    """Return the labels of people who mostly agree."""
    chance = random.Random(seed)  # noqa: S311 - labels of a test
    truth = [chance.choice(values) for _ in range(n)]
    return [
        [chance.choice(values) if chance.random() < noise else value for value in truth]
        for _ in range(people)
    ]


def items(n: int) -> list[str]:
    return [f"i{number}" for number in range(n)]


NAMES = ("Anna", "Ben", "Chloé")


def wide(rows: Sequence[Sequence[object]], names: Sequence[str] = NAMES) -> dict[str, Sequence[object]]:
    """Return the columns of a wide table."""
    return {"item": items(len(rows[0])), **dict(zip(names, rows, strict=True))}


def texts(n: int, kept: int) -> dict[str, Sequence[object]]:
    """Return a wide table of two columns in which so many of the cells repeat one label."""
    cells = [f"word{number}" if number >= kept else "same" for number in range(2 * n)]
    return wide([cells[::2], cells[1::2]], NAMES[:2])


def crowd(n: int, of_somebody: int) -> dict[str, Sequence[object]]:
    """Return a long table in which so many rows are one annotator's, and each other row another's."""
    rows = range(n)
    return {
        "item": [f"i{row // 2}" for row in rows],
        "annotator": ["w" if row % 2 and row < 2 * of_somebody else f"w{row}" for row in rows],
        "label": ["ab"[row % 3 % 2] for row in rows],
    }


def _majority(rows: Sequence[Sequence[str]]) -> list[str]:
    return [max(said, key=said.count) for said in zip(*rows, strict=True)]


def _and_first(rows: Sequence[list[str]]) -> list[list[str]]:
    return [*rows, rows[0]]


def _and_same(rows: Sequence[list[str]]) -> list[list[str]]:
    return [*rows, [str(int(one == other)) for one, other in zip(*rows, strict=True)]]


def _where(rows: Sequence[list[str]], *, agree: bool) -> list[list[str]]:
    return [*rows, [one if (one == other) is agree else "" for one, other in zip(*rows, strict=True)]]


def _but_once(rows: Sequence[list[str]]) -> list[list[str]]:
    """Return rows whose last says otherwise than most where the others say the same for the first time."""
    *others, last = rows
    place = next(place for place, said in enumerate(zip(*others, strict=True)) if len(set(said)) == 1)
    other = next(label for own in others for label in own if label != others[0][place])
    return [*others, [*last[:place], other, *last[place + 1 :]]]


def asked(values: Mapping[str, str], n: int = 12) -> dict[str, Sequence[object]]:
    """Return a long table in which a column says what was asked, with the labels of each question."""
    given = {question: labels(question, own, n) for question, own in values.items()}
    rows = [
        (f"a{number}", who, question, given[question][place][number])
        for number in range(n)
        for question in values
        for place, who in enumerate(NAMES)
    ]
    return dict(zip(("article", "coder", "criterion", "answer"), zip(*rows, strict=True), strict=True))


REFUSED: dict[str, tuple[Columns, str]] = {
    "questions that share no label": (
        asked({"truth": "yn", "tone": "abc", "stars": "12345"}),
        'has in "criterion" what was asked, it seems (',
    ),
    "one question that shares no label with two others": (
        asked({"truth": "yn", "taste": "yn", "tone": "abc"}),
        'has in "criterion" what was asked, it seems (',
    ),
    "labels as many as cells": (texts(20, 8), "33 different values in the 40 cells"),
    "annotators as many as rows": (
        crowd(20, 3),
        'has 18 different names in 20 rows of "annotator"',
    ),
    "more columns than rows": (
        wide(labels("columns", "abc", 8, people=8), [f"case {n}" for n in "stuvwxyz"]),
        "has 8 columns that could be annotators'",
    ),
    "hardly a label in common": (
        wide([list("ababa"), list("abaaa"), list("uvuvv")], ["Anna", "Ben", "Dan"]),
        "Dan shares hardly a label with the others",
    ),
    "no label in common": (
        wide([["a", "b"] * 10, ["c", "d"] * 10, ["e", "f"] * 10]),
        "hardly a label is in two of them",
    ),
    "numbers of annotators": (
        wide([[5, 0, 0, 3, 1] * 3, [0, 5, 0, 1, 3] * 3, [0, 0, 5, 1, 1] * 3]),
        "whose sum is 5 in each row",
    ),
    "shares of annotators": (
        wide([[1, 0, 0.2, 0.33, 0.6] * 3, [0, 1, 0.2, 0.33, 0.2] * 3, [0, 0, 0.6, 0.33, 0.2] * 3]),
        "shares of annotators",
    ),
    "agreement below chance": (
        wide([[4, 0, 1, 0, 0, 3] * 5, [0, 5, 0, 3, 1, 0] * 5, [1, 0, 4, 1, 4, 0] * 5]),
        "but they agree less than by chance",
    ),
    "turned": (
        {
            "what": [f"{n}" for n in "abcdefghijkl"],
            **{f"{n}th": [value] * 10 + ["x", "y"] for n, value in enumerate("xyxyzzxy", 1)},
        },
        "much more alike than those in a row",
    ),
    "ratings beside annotators": (
        wide([*labels("b", "135", 42, 0.1), ["1", "1", "3", "5", "3", "5"] * 7], [*NAMES, "Theme"]),
        "agree with each other (Anna, Ben, Chloé) and hardly agree with Theme",
    ),
    "labels in another style beside annotators": (
        wide([*labels("b", "abc", 42, 0.1), ["a", "b", "c"] * 14], [*NAMES, "theme"]),
        "has columns that agree with each other (Anna, Ben, Chloé) and hardly agree with theme",
    ),
    "labels that are often of one's own": (
        wide([["yes"] * 10, ["yes", "yes", *"abcdefgh"], ["yes"] * 10]),
        "can be read in several ways",
    ),
    "annotators whose names go on": (
        wide([*labels("n", "ab", 20, people=2), *labels("m", "12", 20, people=2)], ["A", "B", "A2", "B2"]),
        "can be read in several ways",
    ),
    "annotators who labelled again": (
        wide(labels("n", "abc", 20, people=4), ["Anna", "Ben", "Anna_2", "Ben_2"]),
        "or (2) units in item, a column for each annotator: Anna, Ben.",
    ),
    "categories by name": (
        wide(labels("k", "01", 20), ["toxic", "threat", "spoken"]),
        "which may be categories",
    ),
    "categories by their shares": (
        wide([[1, 1, 0, 0] * 10, [1, 0, 0, 0] * 10, [0, 0, 0, 1, *[0] * 7] * 3 + [0] * 7], ["p", "r", "s"]),
        "which may be categories",
    ),
    "names beside labels": (
        {
            "item": items(12),
            "worker1": [f"w{n % 7}" for n in range(12)],
            "label1": ["a", "b"] * 6,
            "worker2": [f"w{n % 5}" for n in range(12)],
            "label2": ["b", "b", "a"] * 4,
        },
        'name annotators ("worker…") beside those of labels ("label…")',
    ),
    "headers of two parts": (
        wide(labels("g", "abc", 20, people=4), ["A_t1", "A_t2", "B_t1", "B_t2"]),
        "nothing says which part is the annotator",
    ),
    "numbers of annotators beside each category": (
        {
            "item": [f"i{n // 3}" for n in range(24)],
            "category": list("abcbdc" * 4),
            "votes": [1, 2, 3, 2] * 6,
        },
        'has in "votes" how many annotators gave the unit the label in "category"',
    ),
    "numbers without a name beside each category": (
        {
            "item": [f"i{n // 3}" for n in range(24)],
            "label": list("abcbdc" * 4),
            "k": [1, 2, 3] * 8,
        },
        'has in "k" how many annotators gave the unit',
    ),
    "numbers of units beside each combination": (
        {"Var1": list("abcabcabc"), "Var2": list("aaabbbccc"), "Freq": [9, 1, 0, 2, 7, 1, 1, 0, 5]},
        'in "Freq" how many units have it',
    ),
    "few numbers of units": (
        {"rater1": list("aabb"), "rater2": list("abab"), "count": [20, 3, 3, 20]},
        'in "count" how many units have it',
    ),
    "a name for each label": (
        {
            "key": [f"d{n}_{who}" for n in range(12) for who in ("anna", "ben")],
            "said": list("aabbabbaabab" * 2),
        },
        "hardly a label is in two of them",
    ),
    "one answer beside empty cells": (
        wide([["x", ""] * 10, ["x", "", "", "x"] * 5], NAMES[:2]),
        'has no other label than "x" in Anna, Ben, and empty cells',
    ),
    "what is computed of few": (
        {"item": items(3), "Anna": [1, 2, 3], "Ben": [1, 3, 3], "agreement": [1, 0, 1]},
        "agreement is called like what is computed of labels",
    ),
    "the majority among annotators": (
        wide([*labels("maj", "01", 80, 0.8), _majority(labels("maj", "01", 80, 0.8))], [*NAMES, "Most"]),
        'has in "Most" what most of Anna, Ben, Chloé say',
    ),
    "what was decided, in the style of people's names": (
        wide([*(own := labels("acc", "abc", 60, 0.4)), _majority(own)], ["anna", "ben", "carla", "accord"]),
        'has in "accord" what most of anna, ben, carla say',
    ),
    "what was decided, before those who decided": (
        wide([_majority(own := labels("acc", "abc", 80, 0.4)), *own], ["合意", *NAMES]),
        'has in "合意" what most of Anna, Ben, Chloé say',
    ),
    "an expert who follows the others": (
        wide([*(own := labels("acc", "abc", 60, 0.4)), _majority(own)], [*NAMES, "expert"]),
        'has in "expert" what most of Anna, Ben, Chloé say',
    ),
    "one called otherwise who follows the others": (
        wide(_and_first(labels("s", "abc", 30, 0.4, people=2)), ["Coder A", "Coder B", "Senior"]),
        'has in "Senior" what most of Coder A, Coder B say',
    ),
    "a third label where two differ": (
        wide(_where(labels("s", "abc", 30, 0.4, people=2), agree=False)),
        'has in "Chloé" what most of Anna, Ben say',
    ),
    "a third label where two agree": (
        wide(_where(labels("s", "abc", 30, 0.4, people=2), agree=True)),
        'has in "Chloé" what most of Anna, Ben say',
    ),
    "questions of nobody": (
        wide(labels("q", "abc", 20), ["Is it good?", "Is it bad?", "Is it long?"]),
        "are called like questions",
    ),
}

READ: dict[str, tuple[Columns, tuple[str, ...]]] = {
    "questions that share their labels": (asked({"truth": "yn", "taste": "yn?"}), NAMES),
    "questions of whom few rows tell": (asked({"truth": "yn", "tone": "abc"}, 3), NAMES),
    "labels that recur": (texts(20, 9), NAMES[:2]),
    "measurements that all differ": (
        wide([[n + part / 10 for n in range(20)] for part in (1, 2, 7)]),
        NAMES,
    ),
    "annotators who come again": (crowd(20, 5), ()),
    "fewer columns than rows": (
        wide(labels("columns", "abc", 9, people=8), [f"case {n}" for n in "stuvwxyz"]),
        tuple(f"case {n}" for n in "stuvwxyz"),
    ),
    "some labels in common": (
        wide([list("ababa"), list("abaaa"), list("uvavv")], ["Anna", "Ben", "Dan"]),
        ("Anna", "Ben", "Dan"),
    ),
    "other sums": (
        wide([[5, 1, 1, 3, 2] * 3, [4, 1, 2, 3, 3] * 3, [5, 1, 1, 3, 1] * 3]),
        NAMES,
    ),
    "agreement by chance": (wide(labels("random", "abc", 24, 1.0)), NAMES),
    "hardly alike in rows and columns": (wide(labels("x", "abcd", 24, 0.9)), NAMES),
    "nobody agrees": (wide(labels("n", "abc", 40, 0.8)), NAMES),
    "remarks of which one is a label": (
        wide([["yes", "no"] * 5, ["yes", *"abcdefghi"], ["yes", "no"] * 5], ["Anna", "Extra", "Ben"]),
        ("Anna", "Ben"),
    ),
    "numbers beyond all bounds": (wide([["1e400", "1e200", "2"] * 4] * 3), NAMES),
    "somebody who is careless": (
        wide([*labels("b", "abc", 42, 0.1), ["a", "b", "c"] * 14], [*NAMES, "Dan"]),
        (*NAMES, "Dan"),
    ),
    "five people of whom each gives one label": (
        {
            "what": [f"{n}" for n in "abcdefghijkl"],
            **{f"{n}th": [value] * 10 + ["x", "y"] for n, value in enumerate("xyxyz", 1)},
        },
        ("1th", "2th"),
    ),
    "zeros and ones of people": (wide(labels("01", "01", 20)), NAMES),
    "names with numbers": (wide(labels("g", "abc", 20, people=2), ["A_1", "A_2"]), ("A_1", "A_2")),
    "a question beside people": (wide(labels("q", "abc", 20, people=2), ["Anna", "Ben"]), ("Anna", "Ben")),
    "numbers of people who agreed on a unit": (
        {"item": [f"i{n // 3}" for n in range(24)], "k": [1, 2, 3] * 8, "label": list("abcbdd" * 4)},
        ("1", "2", "3"),
    ),
    "combinations that come again": (
        {"Anna": list("abcabcabca"), "Ben": list("aaabbbccca"), "n": [9, 1, 0, 2, 7, 1, 1, 0, 5, 1]},
        NAMES[:2],
    ),
    "one who once departs from most": (
        wide(_but_once([*(own := labels("maj", "01", 80, 0.8)), _majority(own)]), [*NAMES, "Most"]),
        (*NAMES, "Most"),
    ),
    "one of a series who never departs": (
        wide([*(own := labels("acc", "abc", 60, 0.4)), _majority(own)], ["A1", "A2", "A3", "A4"]),
        ("A1", "A2", "A3", "A4"),
    ),
    "a third label often where two differ": (
        wide(_but_once(_where(labels("s", "abc", 30, 0.4, people=2), agree=False))),
        NAMES,
    ),
    "one who is careful beside another": (
        wide([*(own := labels("c", "abc", 60, 0.1, people=2)), own[0]]),
        NAMES,
    ),
    "whether two are the same": (
        wide(_and_same(labels("same", "01", 20, people=2)), ["Anna", "Ben", "match"]),
        ("Anna", "Ben"),
    ),
    "one answer of nearly all": (wide([["x"] * 19 + [""], ["x", ""] * 10], NAMES[:2]), NAMES[:2]),
    "two beside what they resolved": (
        wide(_and_first(labels("r", "abc", 20, people=2)), ["Anna", "Ben", "Resolved label"]),
        ("Anna", "Ben", "Resolved label"),
    ),
    "two beside a reference": (
        wide(labels("r", "abc", 20), ["Anna", "Ben", "gold"]),
        ("Anna", "Ben", "gold"),
    ),
}


@pytest.mark.parametrize("rule", REFUSED)
def test_what_cannot_be_is_refused(rule: str, tmp_path: Path) -> None:
    columns, message = REFUSED[rule]
    problem = refusal(table(tmp_path, columns))
    assert message in problem.message, str(problem)


@pytest.mark.parametrize("edge", READ)
def test_what_may_be_is_read(edge: str, tmp_path: Path) -> None:
    columns, annotators = READ[edge]
    found = read(table(tmp_path, columns))
    assert set(annotators) <= set(found)
    assert "Extra" not in found


def test_few_numbers_of_annotators_are_refused_too(tmp_path: Path) -> None:
    columns: Columns = {
        "item": ["i1", "i1", "i2", "i3", "i3"],
        "category": list("abaab"),
        "n": [2, 1, 3, 1, 2],
    }
    assert 'has in "n" how many annotators' in refusal(table(tmp_path, columns)).message


def test_somebody_careless_is_read_and_told(tmp_path: Path) -> None:
    """Nobody can tell a careless annotator from a column of something else: so it is said."""
    (columns, _), (alike, _) = READ["somebody who is careless"], READ["nobody agrees"]
    (told,) = read_export([(table(tmp_path, columns), "labels.csv")]).warnings
    assert "hardly agree with Dan, which may say something else" in str(told)
    assert 'say annotators = ["Anna", "Ben", "Chloé"]' in told.remedy
    assert not read_export([(table(tmp_path, alike), "labels.csv")]).warnings
    said = ReaderOptions(raters=(*NAMES, "Dan"))
    assert not read_export([(table(tmp_path, columns), "labels.csv")], said).warnings


CHOICES = re.compile(r'(?:columns = \{[^}]*\}|annotators = \[[^\]]*\]|headers = "[^"]*")')


def chosen(line: str) -> ReaderOptions:
    """Return the options of a line of campaign.toml."""
    (item,) = tomllib.loads(line).items()
    key, value = item
    options: dict[str, Any] = {key: tuple(value) if key == "annotators" else value}
    return ReaderOptions(**options)


@pytest.mark.parametrize("rule", REFUSED)
def test_each_line_that_a_refusal_names_chooses_a_reading(rule: str, tmp_path: Path) -> None:
    file = table(tmp_path, REFUSED[rule][0])
    lines = CHOICES.findall(refusal(file).remedy)
    assert lines or "Write one row for each label" in refusal(file).remedy
    for line in lines:
        options = chosen(line)
        if options.headers:  # has a question for each of two layers
            options = replace(options, columns={"label": "t1" if options.headers.startswith("{a") else "A"})
        assert len(read(file, options)) > 1


@pytest.mark.parametrize("rule", REFUSED)
def test_a_refusal_says_what_to_do_where_the_reading_is_not_meant(rule: str, tmp_path: Path) -> None:
    remedy = refusal(table(tmp_path, REFUSED[rule][0])).remedy
    assert remedy.partition("If this is what you mean")[0].strip()


@pytest.mark.parametrize("rule", slow_but(REFUSED, *sorted(REFUSED)[::4]))
def test_all_ways_in_refuse_in_the_same_words(rule: str, tmp_path: Path) -> None:
    """`agree`, `init`, `build`, `of`, and DuckDB, which sees the first rows of large tables."""
    folder = tmp_path / "campaign"
    folder.mkdir()
    file = table(folder, REFUSED[rule][0])
    said = refusal(file)
    assert refusal(file, ReaderOptions(engine=DUCKDB)) == said
    with pytest.raises(BadInput) as by_agree:
        agree(AgreementRequest(file, ReaderOptions(), complete=False))
    with pytest.raises(BadInput) as by_of:
        agreement.of(pd.read_csv(file))
    by_init = said_by_init(folder)
    (folder / "campaign.toml").write_text(
        'title = "T"\n[[guidelines]]\nversion = "1"\nexports = ["labels.csv"]\n', encoding="utf-8"
    )
    campaign = load(folder)
    with pytest.raises(BadInput) as by_build:
        read_version(campaign, campaign.version("1"))
    for caught in (by_agree, by_of, by_build):
        problem = caught.value.problems[0]
        assert said.message in problem.message
        assert said.remedy in problem.remedy
    assert said.message in by_init.message
    assert said.remedy in by_init.remedy


def said_by_init(folder: Path) -> Problem:
    """Return what `init` says: that it can't be read, or what is to be chosen."""
    try:
        survey = survey_folder(folder)
    except BadInput as error:
        return error.problems[0]
    return survey.versions[0].export_survey.problems[0]


@pytest.mark.slow
def test_a_large_table_is_checked_as_a_whole(tmp_path: Path) -> None:
    """The first rows, by which a large table is understood, have labels that recur; later ones do not."""
    n = 60_000
    rows = [
        f"i{row // 2},{'xy'[row % 2]},{'ab'[row % 3 % 2] if row < 5_000 else f'text {row}'}"
        for row in range(n)
    ]
    file = tmp_path / "large.csv"
    file.write_text("\n".join(["item,annotator,label", *rows]) + "\n", encoding="utf-8")
    for options in (ReaderOptions(), ReaderOptions(engine=DUCKDB)):
        assert "different labels among 60,000: they are texts or names" in refusal(file, options).message
        named = {"unit": "item", "annotator": "annotator", "label": "label"}
        assert read(file, replace(options, columns=named)) == ("x", "y")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["Round 3, spring", "Unnamed: 1", "Unnamed: 2"], "the header may be further down"),
        (["item", "Anna", "Ben", "item.1", "Anna.1", "Ben.1"], "two tables side by side"),
    ],
)
def test_frames_without_a_header_are_refused(names: list[str], message: str) -> None:
    cells = labels("frame", "abc", 12, people=len(names))
    with pytest.raises(BadInput, match=message):
        agreement.of(pd.DataFrame(dict(zip(names, cells, strict=True))))


@pytest.mark.parametrize("rule", ["numbers of annotators", "no label in common"])
def test_a_declared_reference_hides_nothing_from_the_rules(rule: str, tmp_path: Path) -> None:
    columns, message = REFUSED[rule]
    file = table(tmp_path, {**columns, "gold": next(iter(columns.values()))})
    assert message in refusal(file, ReaderOptions(others=("gold",))).message


def test_a_declared_system_may_follow_the_others(tmp_path: Path) -> None:
    columns = wide(_and_first(labels("s", "abc", 30, 0.4, people=2)), ["Coder A", "Coder B", "tagger"])
    assert 'has in "tagger"' in refusal(table(tmp_path, columns)).message
    assert read(table(tmp_path, columns), ReaderOptions(others=("tagger",))) == (
        "Coder A",
        "Coder B",
        "tagger",
    )
