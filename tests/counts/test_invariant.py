"""Counts add up over documents, and nothing hangs on the order of their rows or the names of categories."""

import csv
import io
import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest

from reportgen.results import dumps
from tests.campaigns import marked, written
from tests.cases import stored
from tests.counted import as_counts, counts_in, reports_of

TYPES = ("Gene", "Protein")
PEOPLE = ("ann", "bea", "cyd", "gold", "tagger")
TOML = stored("campaigns/in-texts.toml")
NEAR = ",Gene,Protein,None\nGene,0,0.4,1\nProtein,0.4,0,1\nNone,1,1,0\n"
WORDS = "spoVD encodes sigma here"
CUTS = ((0, 5), (6, 13), (14, 19), (20, 24))
Folder = dict[str, str]


def in_texts(folder: Path, documents: Iterable[int]) -> Path:
    """Write a campaign of some documents, in each of which everybody's marks are always the same."""
    texts = {f"d{number}": WORDS for number in documents}
    marks = {who: {name: list(_marks(who, name)) for name in texts} for who in PEOPLE}
    files = {f"exports/1.0/{name}": text for name, text in marked(texts, marks).items()}
    return written(folder, TOML, {**files, "near.csv": NEAR})


def _marks(who: str, document: str) -> Iterable[tuple[str, int, int]]:
    usual, own = random.Random(document), random.Random(who + document)  # noqa: S311 - no secret
    for cut in CUTS:
        kind = usual.choice((*TYPES, ""))
        label = kind if own.random() < 0.7 else own.choice((*TYPES, ""))
        if label:
            yield label, *cut


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return in_texts(tmp_path_factory.mktemp("whole") / "campaign", range(8))


def rows(text: str) -> Counter[tuple[str, ...]]:
    """Return how often a table counts what its rows say, by their cells before the number."""
    found: Counter[tuple[str, ...]] = Counter()
    for *cells, n in list(csv.reader(io.StringIO(text)))[1:]:
        found[tuple(cells)] += int(n)
    return found


def of(folder: Path) -> Folder:
    (report,) = reports_of(folder).values()
    return counts_in(report)


@pytest.mark.slow
def test_tables_of_two_halves_of_the_documents_add_up_to_those_of_the_whole(
    folder: Path, tmp_path: Path
) -> None:
    whole = of(folder)
    one, other = (of(in_texts(tmp_path / name, each)) for name, each in (("a", range(3)), ("b", range(3, 8))))
    tables = [name for name in whole if name.endswith(".csv")]
    assert len(tables) == 8
    for name in tables:
        assert rows(whole[name]) == rows(one[name]) + rows(other[name]), name


def shuffled(text: str) -> str:
    """Return a table with its rows in another order."""
    head, *others = text.splitlines(keepends=True)
    random.Random(3).shuffle(others)  # noqa: S311 - no secret
    return head + "".join(others)


def renamed(text: str) -> str:
    """Return a file in which categories have other names."""
    return text.replace("Gene", "Zygote").replace("Protein", "Acid")


def rebuilt(folder: Path, target: Path, edits: Mapping[str, Callable[[str], str]]) -> tuple[str, Folder]:
    """Return results and counts of a folder's counts, files with an ending having been edited."""
    again = as_counts(folder, target)
    for ending, edit in edits.items():
        for path in sorted(
            each for each in again.rglob(f"*{ending}") if each.name != "near.csv" or edit is renamed
        ):
            path.write_text(edit(path.read_text(encoding="utf-8")), encoding="utf-8")
    (report,) = reports_of(again).values()
    results = report.results.model_copy(update={"inputs": (), "settings": ""})
    return dumps(results), counts_in(report)


@pytest.mark.slow
def test_the_order_of_rows_changes_nothing(folder: Path, tmp_path: Path) -> None:
    as_they_were = rebuilt(folder, tmp_path / "one", {})
    assert rebuilt(folder, tmp_path / "other", {".csv": shuffled}) == as_they_were


@pytest.mark.slow
def test_other_names_of_categories_change_nothing_but_the_names(folder: Path, tmp_path: Path) -> None:
    results, counts = rebuilt(folder, tmp_path / "one", {})
    edits = {".csv": renamed, ".json": renamed, ".toml": renamed}
    other, renamed_counts = rebuilt(folder, tmp_path / "other", edits)
    assert json.loads(other) == json.loads(renamed(results))
    for name, text in counts.items():
        read = json.loads if name.endswith(".json") else rows
        assert read(renamed_counts[name]) == read(renamed(text)), name
