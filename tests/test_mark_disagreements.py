"""In what way marks in texts disagree, from the annotators' files to results, tables, findings and lists."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from reportgen.pipeline.version_reports import Report
from reportgen.results.marks import cases_by_kind, omissions_of_each
from reportgen.words.numbers import message, note
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


def test_results_say_how_far_the_ends_of_pairs_lie_apart(two: Report) -> None:
    """Rome twice alike; "Anna Berg" and "Anna" begin together and end five characters apart."""
    assert two.results.spans is not None
    found = two.results.spans.disagreements_of("main")
    assert found is not None
    assert [each.model_dump() for each in found.distances or ()] == [
        {"label": "LOC", "starts": ((0, 8),), "ends": ((0, 8),)},
        {"label": "PER", "starts": ((0, 8),), "ends": ((5, 8),)},
    ]


def test_habits_are_told_with_a_test_over_documents(two: Report) -> None:
    assert two.results.spans is not None
    found = two.results.spans.disagreements_of("main")
    assert found is not None
    by_type = {each.type: each for each in found.habits}
    assert by_type["PER"].annotator == "anna"
    ends = by_type["PER"].kinds["right"]
    # Eight documents that all point one way: two of the 256 choices of signs.
    assert (ends.own, ends.others) == (8, 0)
    assert ends.p == pytest.approx(2 / 256)
    assert (by_type[None].marks, by_type[None].others) == (48, 32)
    assert by_type[None].more_p == pytest.approx(2 / 256)


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
    found = report_of(written(tmp_path / "counts", NAMES, folder)).results
    assert found.spans is not None
    assert found.spans.disagreements is None
    assert not [
        each
        for each in found.findings
        if each.id in ("mark-boundaries", "mark-omissions", "mark-kinds", "later-ends", "more-marks")
    ]


def said(found: Report) -> dict[str, list[str]]:
    """The claims of all findings about marks, by id."""
    told: dict[str, list[str]] = {}
    for each in found.results.findings:
        told.setdefault(each.id, []).append(note(each).claim)
    return told


def test_findings_tell_boundaries_from_true_omissions(
    two: Report,
) -> None:
    told = said(two)
    (kinds,), (boundaries,), (omissions,) = (
        told[name] for name in ("mark-kinds", "mark-boundaries", "mark-omissions")
    )
    assert kinds == (
        "anna and ben disagree about marks in 40 cases: boundary (same type, other boundaries) 8; type ("
        "same boundaries, another type) 8; both 8; omission (one annotator made a mark where the other "
        "made none) 16."
    )
    assert boundaries == (
        "In 8 of the 32 disagreements about marks of PER, anna and ben both marked it with different "
        "boundaries; at the beginning only in 0, at the end only in 8, at both in 0, only between the "
        "ends in 0."
    )
    assert omissions == (
        "16 of the 32 disagreements about marks of PER are omissions: anna alone made 16 of these marks, "
        "ben alone 0."
    )
    assert not [claim for claim in told.get("confused", []) if "or nothing" in claim]


def test_who_ends_later_or_marks_more_is_said_by_name(two: Report) -> None:
    told = said(two)
    (longer,), (more,) = told["later-ends"], told["more-marks"]
    assert longer.startswith("anna's marks end after ben's: of 8 pairs of marks that begin together")
    assert more.startswith("anna marks what ben leaves out: of 16 marks that only one of the two made,")


def test_nothing_is_said_of_habits_that_chance_explains(tmp_path: Path) -> None:
    told = said(report(tmp_path, {"anna": ANNA, "ben": BEN}, documents=4))
    assert "later-ends" not in told
    assert "more-marks" not in told


def test_of_three_annotators_the_one_who_differs_is_named_against_the_others(tmp_path: Path) -> None:
    told = said(report(tmp_path, {"anna": ANNA, "ben": BEN, "cleo": BEN}, documents=12))
    assert told["mark-kinds"][0].startswith("Over all pairs of annotators there are 120 cases")
    assert told["later-ends"][0].startswith("anna's marks end after the others': of 24 pairs")
    assert told["more-marks"][0].startswith(
        "anna marks what the others leave out: in pairs with anna, 48 of 48 marks"
    )
    assert "are anna's" in told["more-marks"][0]


def test_two_of_three_who_agree_are_still_three(tmp_path: Path) -> None:
    same = report(tmp_path, {"anna": BEN, "ben": BEN, "cleo": [*BEN, at("PER", "yesterday")]}, documents=2)
    assert same.results.spans is not None
    found = same.results.spans.disagreements_of("main")
    assert found is not None
    assert [sum(each.cases for each in pair.cases) for pair in found.pairs] == [0, 2, 2]


@pytest.mark.slow
@pytest.mark.parametrize("page", ["index.html", "report.md"])
def test_pages_have_the_kinds_by_type_and_say_that_marks_are_counted(two: Report, page: str) -> None:
    text = dict(version_files(two.results, two.beside, two.texts))[page]
    assert "Disagreements about marks by type" in text
    assert "Only anna" in text


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


SETS = """
[[unit_sets]]
id = "all"
units = "tokens"
primary = true
why = "W."
[[unit_sets]]
id = "marked"
units = "annotated-by-any"
why = "W."
"""


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return report(tmp_path_factory.mktemp("both"), {"anna": ANNA, "ben": BEN}, toml=NAMES + SETS)


def test_tokens_and_marked_stretches_are_told_apart_where_they_are_compared(both: Report) -> None:
    (choice,) = said(both)["choice-of-units"]
    assert "on “marked” (64 marked stretches)" in choice
    assert "on “all” (136 tokens)" in choice


def test_what_is_counted_on_tokens_says_so(both: Report) -> None:
    told = said(both)
    assert "Over 136 tokens" in told["caveat"][0]
    assert "ORG and PER are confused on 16 tokens" in told["confused"][0]
    assert "anna marked 80 tokens and ben 48" in told["bias"][0]
    files = dict(version_files(both.results, both.beside, both.texts))
    assert "136 tokens" in files["report.md"]
    assert "2 annotators labelled 136 tokens (all)" in files["report.md"]
    assert "The tokens come from 8 documents." in files["report.md"]
    pages = {name: text for name, text in files.items() if name.startswith("disagreements/")}
    assert "72 tokens on which annotators differ" in pages["disagreements/all.html"]
    assert "56 marked stretches on which annotators differ" in pages["disagreements/marked.html"]


def test_a_single_token_is_no_tokens() -> None:
    assert message("{units} {noun} of {all} {noun}", {"units": 1, "all": 2, "noun": "tokens"}) == (
        "1 token of 2 tokens"
    )
