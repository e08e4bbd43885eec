"""In what way marks in texts disagree, from the annotators' files to results, tables, findings and lists."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from reportgen.pipeline.version_reports import Report
from reportgen.results.marks import cases_by_kind, omissions_of_each
from tests.campaigns import marked, report_of, written
from tests.rendered import rows_of, version_files

NAMES = '[privacy]\nannotators = "names"\n'
WORDS = "Anna Berg met Ben Lee and the old Carla Diaz in New York near Rome yesterday ."
Marks = Sequence[tuple[str, int, int]]


def at(label: str, words: str) -> tuple[str, int, int]:
    start = WORDS.index(words)
    return label, start, start + len(words)


# In each document: one match, one boundary (anna's longer), one type, one both, two omissions of ben's.
ANNA = [
    at("LOC", "Rome"),
    at("PER", "Anna Berg"),
    at("ORG", "Ben Lee"),
    at("LOC", "New York"),
    at("PER", "Carla Diaz"),
]
BEN = [at("LOC", "Rome"), at("PER", "Anna"), at("PER", "Ben Lee"), at("ORG", "York near")]
ANNA += [at("PER", "yesterday")]


def report(folder: Path, people: dict[str, Marks], documents: int = 8, toml: str = NAMES) -> Report:
    texts = {f"d{number}": WORDS for number in range(documents)}
    marks = {who: dict.fromkeys(texts, found) for who, found in people.items()}
    files = {f"exports/1.0/{name}": text for name, text in marked(texts, marks).items()}
    return report_of(written(folder / "campaign", toml, files))


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return report(tmp_path_factory.mktemp("two"), {"anna": ANNA, "ben": BEN})


def test_results_count_the_four_kinds_by_type_and_by_pair(two: Report) -> None:
    assert two.results.spans is not None
    found = two.results.spans.disagreements_of("main")
    assert found is not None
    assert cases_by_kind(found.cases) == {"boundary": 8, "type": 8, "both": 8, "omission": 16}
    assert cases_by_kind(found.cases, "PER") == {"boundary": 8, "type": 8, "both": 0, "omission": 16}
    (pair,) = found.pairs
    assert pair.annotators == ("anna", "ben")
    assert omissions_of_each(pair.cases) == (16, 0)
    assert [(each.label, each.right) for each in found.boundaries] == [("PER", 8)]


def test_each_disputed_token_says_of_which_kind_it_is(two: Report) -> None:
    assert two.texts is not None
    (found,) = two.texts.disagreements
    kinds = {WORDS[each.spans[0][0] : each.spans[0][1]]: each.kinds for each in found.units}
    assert kinds == {
        "Berg": ("boundary",),
        "Ben": ("type",),
        "Lee": ("type",),
        "New": ("both",),
        "York": ("both",),
        "near": ("both",),
        "Carla": ("omission",),
        "Diaz": ("omission",),
        "yesterday": ("omission",),
    }


def test_tables_and_lists_have_the_kinds(two: Report) -> None:
    files = dict(version_files(two.results, two.beside, two.texts))
    rows = rows_of(files["tables/mark-disagreements.csv"])
    assert [
        (row["kind"], row["first_type"], row["second_type"], row["cases"]) for row in rows if row["first"]
    ] == [
        ("boundary", "PER", "PER", "8"),
        ("type", "ORG", "PER", "8"),
        ("both", "LOC", "ORG", "8"),
        ("omission", "PER", "", "16"),
    ]
    (habit,) = [row for row in rows_of(files["tables/mark-habits.csv"]) if row["type"] == "PER"]
    assert (habit["annotator"], habit["marks"], habit["others"]) == ("anna", "24", "16")
    disputed = rows_of(files["tables/disagreements.tokens.csv"])
    assert [row["kinds"] for row in disputed if row["unit"] == "Berg"] == ["boundary"] * 8
    (name,) = [name for name in files if name.startswith("disagreements/") and name.endswith(".html")]
    assert "boundary 8, omission 24" in files[name]
    assert "boundary 8, omission 24" in files["clarify/index.html"]
