"""A campaign whose labels lie in a table of any size: the same results, whoever reads it."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from reportgen.base.errors import BadInput
from reportgen.pipeline.build import build_site
from reportgen.pipeline.counting import CountRequest, count_table
from reportgen.readers import Engine, ReaderOptions, engine
from tests.engines.tables import Shape, shape, write_csv, write_duckdb, write_parquet, write_sqlite
from tests.slowly import slow_but

if TYPE_CHECKING:
    from collections.abc import Callable

# What names files and how they were understood.
OF_FILES = {"inputs", "reading", "settings", "left_out"}


def campaign(folder: Path, table: Shape, exports: str, **keys: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    given = {"exports": exports, **keys}
    lines = [f"{key} = {value}" for key, value in given.items()]
    if table.separator:
        lines.append(f'set_separator = "{table.separator}"')
    task = [f'scale = "{table.scale}"']
    if table.non_annotated:
        task.append(f'non_annotated = "{table.non_annotated}"')
    text = "\n".join(['title = "T"', "[task]", *task, "[[guidelines]]", 'version = "1.0"', *lines, ""])
    (folder / "campaign.toml").write_text(text, encoding="utf-8")
    return folder


def results(folder: Path, site: Path) -> dict[str, bytes]:
    build_site([folder], site, fresh=True)
    files = sorted((site / folder.name / "1.0").rglob("*"))
    return {each.relative_to(site).as_posix(): each.read_bytes() for each in files if each.is_file()}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    slow_but(
        ["two passes, documents", "wide, rows are units", "sets", "given again"], "two passes, documents"
    ),
)
def test_results_of_a_text_are_the_same_bytes_from_memory_and_duckdb(name: str, tmp_path: Path) -> None:
    table = shape(name)
    folder = campaign(tmp_path / "c", table, '"labels.csv"', engine='"memory"')
    write_csv(table, folder / "labels.csv")
    expected = results(folder, tmp_path / "site")
    campaign(tmp_path / "c", table, '"labels.csv"', engine='"duckdb"')
    assert results(folder, tmp_path / "site") == expected
    assert len(expected) > 3


@pytest.mark.parametrize(
    "name",
    slow_but(["long, documents", "two passes", "wide", "sets", "reference by its name"]),
)
def test_figures_are_the_same_wherever_labels_lie(name: str, tmp_path: Path) -> None:
    table = shape(name)
    found = []
    places: list[tuple[str, str, Callable[[Path], Path]]] = [
        ("csv", '"labels.csv"', lambda to: write_csv(table, to / "labels.csv")),
        ("parquet", '"parts/*.parquet"', lambda to: write_parquet(table, to / "parts", 3)),
        (
            "duckdb",
            '{ table = "votes", database = "d.duckdb" }',
            lambda to: write_duckdb(table, to / "d.duckdb", "votes"),
        ),
        (
            "sqlite",
            '{ table = "votes", database = "d.db" }',
            lambda to: write_sqlite(table, to / "d.db", "votes"),
        ),
    ]
    for place, exports, write in places:
        folder = campaign(tmp_path / place / "c", table, exports)
        write(folder)
        site = tmp_path / f"site-{place}"
        results(folder, site)
        found.append(_figures(site / "c" / "1.0"))
    assert found == [found[0]] * len(found)


def _figures(folder: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    return {key: value for key, value in content.items() if key not in OF_FILES}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    slow_but(["long, documents", "two passes", "sets", "reference by its name"], "long, documents", "sets"),
)
def test_a_table_too_large_for_units_is_reported_as_its_counts_are(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = shape(name)
    folder = campaign(tmp_path / "c", table, '"labels.parquet"')
    source = write_parquet(table, folder / "labels.parquet")
    monkeypatch.setattr(engine, "MOST_WHOLE", 10)
    large = results(folder, tmp_path / "site")
    scale: Any = table.scale
    asked = CountRequest([source], ReaderOptions(set_separator=table.separator, engine=Engine()), scale)
    count_table(asked, tmp_path / "d" / "counts")
    counts = campaign(tmp_path / "d", table, '"counts"', format='"counts"')
    from_counts = results(counts, tmp_path / "site-of-counts")
    first, second = (
        json.loads(each[f"{place}/1.0/results.json"]) for place, each in (("c", large), ("d", from_counts))
    )
    assert first["unit_sets"] == second["unit_sets"]


def test_control_items_need_units_with_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = shape("long")
    folder = campaign(tmp_path / "c", table, '"labels.parquet"')
    write_parquet(table, folder / "labels.parquet")
    (folder / "controls.csv").write_text("unit,label\nu1,yes\n", encoding="utf-8")
    text = (folder / "campaign.toml").read_text(encoding="utf-8")
    (folder / "campaign.toml").write_text(f'{text}[controls]\nfile = "controls.csv"\n', encoding="utf-8")
    monkeypatch.setattr(engine, "MOST_WHOLE", 10)
    with pytest.raises(BadInput, match="only counts are known"):
        build_site([folder], tmp_path / "site")


@pytest.mark.parametrize(
    ("exports", "said"),
    [
        ('{ table = "vote", database = "d.duckdb" }', 'has no table "vote". Did you mean "votes"?'),
        ('{ database = "d.duckdb" }', "is a table of other keys than table and database."),
        ('{ table = "votes", database = "e.duckdb" }', '"e.duckdb" does not exist'),
    ],
)
def test_a_table_that_is_not_there_is_said_to_be(exports: str, said: str, tmp_path: Path) -> None:
    table = shape("long")
    folder = campaign(tmp_path / "c", table, exports)
    write_duckdb(table, folder / "d.duckdb", "votes")
    with pytest.raises(BadInput) as caught:
        build_site([folder], tmp_path / "site")
    assert said in str(caught.value)
