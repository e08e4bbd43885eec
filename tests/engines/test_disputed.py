"""Tables too large for units of their own: the units on which annotators differ most are listed by name."""

import json
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from reportgen import base
from reportgen.readers import engine
from tests.engines.tables import SHAPES, shape, write_duckdb, write_parquet
from tests.engines.test_campaigns import campaign, results
from tests.slowly import slow_but

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
