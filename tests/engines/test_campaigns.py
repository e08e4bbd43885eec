"""Campaigns whose labels lie in databases: figures, disputed units, what is declared."""

import json
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from reportgen import base
from reportgen.base import DATABASES, ENGINES, is_server
from reportgen.base.errors import BadInput
from reportgen.campaign.toml_tables import ReadOptions
from reportgen.cli.release import EngineOption
from reportgen.pipeline.build import build_site
from reportgen.pipeline.counting import CountRequest, count_table
from reportgen.readers import Engine, ReaderOptions, engine
from tests.engines.tables import SHAPES, Shape, shape, write_csv, write_duckdb, write_parquet, write_sqlite
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


# Two are refused in a campaign, and of one no unit has a name.
NAMED = sorted(set(SHAPES) - {"faulty", "some annotators", "wide, rows are units"})
TEXTS, PAGE = "c/1.0/texts.json", "c/1.0/disagreements/items.html"
Listed = list[dict[str, Any]]


def listed(files: dict[str, bytes]) -> Listed:
    found: Listed = json.loads(files[TEXTS])["disagreements"][0]["units"]
    return found


def disagreement(unit: dict[str, Any]) -> float:
    pairs: list[tuple[str, str]] = list(combinations(unit["labels"].values(), 2))
    return sum(one != other for one, other in pairs) / len(pairs)


def of_documents(units: Listed) -> dict[int | None, Listed]:
    found: dict[int | None, Listed] = defaultdict(list)
    for unit in units:
        found[unit.get("document")].append(unit)
    return found


def without_figures(files: dict[str, bytes]) -> dict[str, bytes]:
    return {name: text for name, text in files.items() if "disagreements" in name or name == TEXTS}


@pytest.mark.slow
@pytest.mark.parametrize("name", slow_but(NAMED, "two passes, documents"))
def test_all_disputed_units_of_a_large_table_are_listed_as_those_of_a_small_one(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = shape(name)
    folder = campaign(tmp_path / "c", table, '"labels.parquet"')
    write_parquet(table, folder / "labels.parquet")
    small = results(folder, tmp_path / "site")
    monkeypatch.setattr(engine, "MOST_WHOLE", 10)
    large = results(folder, tmp_path / "site")
    assert large[TEXTS] == small[TEXTS]
    assert listed(large)
    assert without_figures(large) == without_figures(small)


@pytest.mark.parametrize("most", slow_but([1, 3, 10, 25], 10))
def test_of_more_disputed_units_each_document_in_turn_gives_its_worst(
    most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = shape("long, documents")
    folder = campaign(tmp_path / "c", table, '"labels.parquet"')
    write_parquet(table, folder / "labels.parquet")
    every = listed(results(folder, tmp_path / "site"))
    monkeypatch.setattr(engine, "MOST_WHOLE", 10)
    monkeypatch.setattr(engine, "MOST_LISTED", most)
    files = results(folder, tmp_path / "site")
    worst = listed(files)
    assert [unit for unit in every if unit in worst] == worst
    assert len(worst) == most < len(every)
    known, taken = of_documents(every), Counter(unit.get("document") for unit in worst)
    # No document gives two more than another that has some left.
    left = {document for document, units in known.items() if len(units) > taken[document]}
    assert max(taken.values()) <= min((taken[each] for each in left), default=most) + 1
    for document, units in of_documents(worst).items():
        ordered = sorted(map(disagreement, known[document]), reverse=True)
        assert sorted(map(disagreement, units), reverse=True) == ordered[: len(units)]
    assert json.loads(files[TEXTS])["disagreements"][0]["of"] == len(every)
    assert f"They are the most disputed of {len(every)} " in files[PAGE].decode()
    assert f"</a> of {len(every)} in context." in files["c/1.0/index.html"].decode()


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    slow_but(
        ["long, documents", "two passes", "sets", "reference by its name", "wide, documents"],
        "long, documents",
    ),
)
def test_the_same_units_are_listed_of_a_table_that_is_counted_elsewhere(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ibis")
    monkeypatch.setattr(base, "DATABASES", base.DATABASES | {"duckdb"})
    table = shape(name)
    write_parquet(table, campaign(tmp_path / "c", table, '"labels.parquet"') / "labels.parquet")
    small = results(tmp_path / "c", tmp_path / "site")
    address = f"duckdb://{write_duckdb(table, tmp_path / 'labels.duckdb')}"
    campaign(tmp_path / "c", table, f'{{ table = "labels", database = "{address}" }}')
    there = results(tmp_path / "c", tmp_path / "site")
    assert in_no_order(there) == in_no_order(small)
    monkeypatch.setattr(engine, "MOST_LISTED", 7)
    worst = in_no_order(results(tmp_path / "c", tmp_path / "site"))
    assert len(worst) == 7
    assert set(worst) < set(in_no_order(small))


def in_no_order(files: dict[str, bytes]) -> list[str]:
    documents = json.loads(files[TEXTS])["documents"]
    units = listed(files)
    for unit in units:
        unit["document"] = documents[unit["document"]]["name"] if "document" in unit else None
    return sorted(json.dumps(unit, sort_keys=True) for unit in units)


@pytest.mark.slow
def test_listed_units_have_pseudonyms_as_documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = shape("long, documents")
    folder = campaign(tmp_path / "c", table, '"labels.parquet"')
    write_parquet(table, folder / "labels.parquet")
    toml = (folder / "campaign.toml").read_text(encoding="utf-8")
    text = toml.replace("[task]", '[privacy]\ndocuments = "pseudonyms"\n[task]')
    (folder / "campaign.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(engine, "MOST_WHOLE", 10)
    units = listed(results(folder, tmp_path / "site"))
    assert {unit["name"][:2] for unit in units} == {"U0"}
    assert len({unit["name"] for unit in units}) == len(units)


def test_users_may_choose_each_engine_in_campaign_toml_and_as_an_option() -> None:
    assert [option.value for option in EngineOption] == list(ENGINES)
    for name in ENGINES:
        assert ReadOptions.model_validate({"engine": name}).engine == name


@pytest.mark.parametrize("address", ["postgres://host/c", "SPARK://host/c", "hdfs://cluster/labels.parquet"])
def test_the_address_of_a_server_is_one_of_an_engine_or_a_database(address: str) -> None:
    assert is_server(address)


@pytest.mark.parametrize("address", ["file:///etc/passwd", "duckdb://x", "postgres", "postgres:/host", "://"])
def test_what_may_lead_to_a_file_is_not_the_address_of_a_server(address: str) -> None:
    assert not is_server(address)


def test_every_scheme_belongs_to_one_place() -> None:
    schemes = [*DATABASES, *(scheme for engine in ENGINES.values() for scheme in engine.catalogues)]
    schemes += [scheme for engine in ENGINES.values() for scheme in engine.stores]
    assert len(schemes) == len(set(schemes))
