"""In what way marks in texts disagree, from the annotators' files to results, tables, findings and lists."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import pytest

from reportgen.campaign import load
from reportgen.reading import read_campaign
from reportgen.report import version_files
from reportgen.reports import Report
from reportgen.results import Results
from reportgen.results.mark_cases import cases_by_kind, omissions_of_each
from tests.campaigns import compute_campaign, marked, written

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
    campaign = load(written(folder / "campaign", toml, files))
    return compute_campaign(campaign, read_campaign(campaign))[-1]


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


def test_habits_are_told_with_a_test_over_documents(two: Report) -> None:
    assert two.results.spans is not None
    found = two.results.spans.disagreements_of("main")
    assert found is not None
    by_type = {each.type: each for each in found.habits}
    assert (by_type["PER"].annotator, by_type["PER"].longer, by_type["PER"].shorter) == ("anna", 8, 0)
    # Eight documents that all point one way: two of the 256 choices of signs.
    assert by_type["PER"].longer_p == pytest.approx(2 / 256)
    assert (by_type[None].marks, by_type[None].others, by_type[None].more_p) == (
        48,
        32,
        pytest.approx(2 / 256),
    )


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


def test_each_disputed_mark_says_of_which_kind_it_is(tmp_path: Path) -> None:
    toml = NAMES + '[[unit_sets]]\nid = "marks"\nunits = "annotated-by-any"\nwhy = "W."\n'
    texts = report(tmp_path, {"anna": ANNA, "ben": BEN}, 1, toml).texts
    assert texts is not None
    (found,) = texts.disagreements
    kinds = {WORDS[each.spans[0][0] : each.spans[0][1]]: each.kinds for each in found.units}
    assert kinds == {
        "Anna": ("boundary",),
        "Anna Berg": ("boundary",),
        "Ben Lee": ("type",),
        "New York": ("both",),
        "York near": ("both",),
        "Carla Diaz": ("omission",),
        "yesterday": ("omission",),
    }


def test_counts_leave_the_kinds_out(two: Report, tmp_path: Path) -> None:
    files = dict(version_files(two.results, two.beside))
    folder = {f"exports/1.0/{name}": text for name, text in files.items() if name.startswith("counts/")}
    campaign = load(written(tmp_path / "counts", NAMES, folder))
    found: Results = compute_campaign(campaign, read_campaign(campaign))[-1].results
    assert found.spans is not None
    assert found.spans.disagreements is None
    assert not [
        each for each in found.findings if each.id in ("boundaries", "omissions", "kinds", "longer", "more")
    ]


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))
