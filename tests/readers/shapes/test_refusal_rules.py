"""Each rule that refuses a reading of a table, at its edge: what is refused and read, and what remains."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from zlib import crc32

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
from reportgen.readers.table_refusals import by_annotators
from tests.cases import cases
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


NAMES = ("Anna", "Ben", "Chloé")


def column(cells: Any, places: str = "") -> Sequence[object]:  # noqa: ANN401 - JSON
    """Return the cells of a column of a case.

    It is a letter a row; the number of items; all cells; or values, with the place of each row's among them.
    """
    if isinstance(cells, int):
        return [f"i{number}" for number in range(cells)]
    return [cells[int(place, 36)] for place in places] if places else [*cells]


def tables(kind: str) -> dict[str, tuple[Columns, Any]]:
    """Return the tables of cases by the rule that each shows, and what is expected of each."""
    return {
        case["name"]: (
            {name: column(*cells) for name, *cells in case["columns"]},
            case.get("message") or tuple(case["annotators"]),
        )
        for case in cases(__file__, kind)
    }


REFUSED, READ = tables("refused"), tables("read")


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


def test_somebody_careless_is_read_and_told(tmp_path: Path) -> None:
    """Nobody can tell a careless annotator from a column of something else: so it is said."""
    (columns, _), (alike, _) = READ["somebody who is careless"], READ["nobody agrees"]
    (told,) = read_export([(table(tmp_path, columns), "labels.csv")]).warnings
    assert "hardly agree with Dan, which may say something else" in str(told)
    assert 'say annotators = ["Anna", "Ben", "Chloé"] (agree: --annotators Anna,Ben,Chloé)' in told.remedy
    assert not read_export([(table(tmp_path, alike), "labels.csv")]).warnings
    said = ReaderOptions(raters=(*NAMES, "Dan"))
    assert not read_export([(table(tmp_path, columns), "labels.csv")], said).warnings


def test_names_with_blanks_are_one_word_for_the_command_line() -> None:
    assert by_annotators(("Ann Lee", "Ben")).endswith(' (agree: --annotators "Ann Lee,Ben")')


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
    """The units by which a large table is understood have labels that recur; others do not."""
    n = 100_000
    looked_at = [crc32(f"i{unit}".encode()) % 8 == 0 for unit in range(n // 2)]
    rows = [
        f"i{row // 2},{'xy'[row % 2]},{'ab'[row % 3 % 2] if looked_at[row // 2] else f'text {row}'}"
        for row in range(n)
    ]
    file = tmp_path / "large.csv"
    file.write_text("\n".join(["item,annotator,label", *rows]) + "\n", encoding="utf-8")
    # DuckDB looks at other units.
    for options, message in (
        (ReaderOptions(), "different labels among 100,000: they are texts or names"),
        (ReaderOptions(engine=DUCKDB), "these look like texts or names"),
    ):
        assert message in refusal(file, options).message
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
    cells = ["abcab"[place % 3 :] * 4 for place in range(len(names))]
    with pytest.raises(BadInput, match=message):
        agreement.of(pd.DataFrame({name: [*own[:12]] for name, own in zip(names, cells, strict=True)}))


@pytest.mark.parametrize("rule", ["numbers of annotators", "no label in common"])
def test_a_declared_reference_hides_nothing_from_the_rules(rule: str, tmp_path: Path) -> None:
    columns, message = REFUSED[rule]
    file = table(tmp_path, {**columns, "gold": next(iter(columns.values()))})
    assert message in refusal(file, ReaderOptions(others=("gold",))).message


def test_a_declared_system_may_follow_the_others(tmp_path: Path) -> None:
    of_senior, _ = REFUSED["one called otherwise who follows the others"]
    columns = {"tagger" if name == "Senior" else name: own for name, own in of_senior.items()}
    assert 'has in "tagger"' in refusal(table(tmp_path, columns)).message
    assert read(table(tmp_path, columns), ReaderOptions(others=("tagger",))) == (
        "Coder A",
        "Coder B",
        "tagger",
    )
