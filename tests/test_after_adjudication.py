"""What decisions tell: who was right how often, what is decided most often, what the guidelines lack."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from reportgen.measures.annotators.annotator_vs_rest import shares_right
from reportgen.pipeline.version_reports import Report
from reportgen.results import Adjudication
from reportgen.results.model import DisputeOutcome, MissingRule
from reportgen.units import CodedUnits
from tests.campaigns import finding, report_of, written
from tests.rendered import version_files

pytestmark = pytest.mark.slow

SHEET = "adjudication/1.0.csv"
PEOPLE = ("Ann", "Bob", "Cid")
NAMES = '[privacy]\nannotators = "names"\n'
SILENT = "guideline silent"
# Who gives which label; what a sheet says of a unit: decision, cause, note.
Labels = Sequence[Sequence[str]]
Answer = tuple[str, str, str]


def decided(
    tmp_path: Path,
    labels: Labels,
    answers: Sequence[Answer],
    toml: str = NAMES,
    people: Sequence[str] = PEOPLE,
) -> Report:
    """Return the report of a table, a document for each unit, and of a sheet that decides the first units."""
    named = people if "names" in toml else [f"A{number:02}" for number in range(1, len(people) + 1)]
    units = [
        f"d{unit:03},u{unit:03},{who},{label}"
        for unit, own in enumerate(labels)
        for who, label in zip(people, own, strict=True)
    ]
    rows = [
        f"main,d{unit:03},u{unit:03},,,,,{','.join(own)},{decision},{cause},{note}"
        for unit, (own, (decision, cause, note)) in enumerate(zip(labels, answers, strict=False))
    ]
    sheet = f"layer,document,unit,offsets,before,text,after,{','.join(named)},decision,cause,note"
    files = {
        "exports/1.0/e.csv": "\n".join(("document,item,annotator,label", *units, "")),
        SHEET: "\n".join((sheet, *rows, "")),
    }
    folder = written(tmp_path / "campaign", toml, files)
    with (folder / "campaign.toml").open("a", encoding="utf-8") as file:
        file.write(f'adjudication = "{SHEET}"\n')
    return report_of(folder)


def only(found: Report) -> Adjudication:
    assert found.results.adjudication is not None
    return found.results.adjudication[0]


def files_of(found: Report) -> dict[str, str]:
    return dict(version_files(found.results, found.beside))


# Who was right.


def against(times: int, of: int = 20) -> list[Sequence[str]]:
    """Return units on which Bob differs from the other two, and is overruled in so many of them."""
    return [("x", "y", "x") if unit < times else ("y", "x", "y") for unit in range(of)]


def test_who_is_overruled_more_often_than_chance_gives_is_named(tmp_path: Path) -> None:
    found = decided(tmp_path, against(18), [("x", "slip", "")] * 20)
    people = only(found).annotators
    assert people is not None
    bob = people["Bob"]
    assert (bob.units, bob.agreed) == (20, 2)
    assert [bob.right.value, bob.others, bob.difference.value] == pytest.approx([0.1, 0.9, -0.8])
    assert bob.right.interval is not None
    assert bob.adjusted_p is not None
    assert bob.adjusted_p < 0.05
    named = finding(found.results, "overruled")
    assert named is not None
    assert (named.values["names"], named.severity) == ("Bob", "note")
    assert named.values["right_share"] == pytest.approx(0.1)


def test_who_is_right_on_every_other_decision_is_not_named(tmp_path: Path) -> None:
    found = decided(tmp_path, against(11), [("x", "slip", "")] * 20)
    assert finding(found.results, "overruled") is None
    page = files_of(found)["report.md"]
    assert "a test shows nobody to have been right less often than the others" in page


def test_of_two_annotators_the_one_who_is_overruled_is_named(tmp_path: Path) -> None:
    labels = [own[:2] for own in against(18)]
    found = decided(tmp_path, labels, [("x", "", "")] * 20, people=PEOPLE[:2])
    named = finding(found.results, "overruled")
    assert named is not None
    assert named.values["names"] == "Bob"


def test_decisions_in_five_documents_blame_nobody(tmp_path: Path) -> None:
    found = decided(tmp_path, against(5, 5), [("x", "", "")] * 5)
    people = only(found).annotators
    assert people is not None
    assert {own.p for own in people.values()} == {None}
    assert finding(found.results, "overruled") is None


def test_a_decision_for_what_nobody_said_is_against_all_alike(tmp_path: Path) -> None:
    labels = [("x", "y", "y"), ("y", "x", "z"), *against(6, 8)]
    found = decided(tmp_path, labels, [("z", "", ""), ("z", "", ""), *[("x", "", "")] * 8])
    people = only(found).annotators
    assert people is not None
    assert [people[name].agreed for name in PEOPLE] == [6, 2, 7]


def alarms(campaigns: int, people: int, documents: int, *, moods: bool) -> float:
    """Return in which share of simulated campaigns of equally good people somebody is right less often."""
    own = np.random.default_rng(people + documents)
    wrong = 0
    for _ in range(campaigns):
        per_document = 4
        units = documents * per_document
        truth = own.integers(0, 3, units)
        # With moods an annotator errs much in some documents and little in others.
        error = (
            np.where(own.random((people, documents)) < 0.3, 0.6, 0.1)
            if moods
            else np.full((people, documents), 0.25)
        )
        errs = own.random((people, units)) < np.repeat(error, per_document, axis=1)
        labels = np.where(errs, (truth + own.integers(1, 3, (people, units))) % 3, truth)
        disputed = (labels != labels[0]).any(axis=0)
        unit = np.tile(np.flatnonzero(disputed), people)
        coded = CodedUnits(
            layer="main",
            annotators=tuple(f"p{number}" for number in range(people)),
            categories=("a", "b", "c"),
            documents=tuple(f"d{number}" for number in range(documents)),
            document=np.arange(units) // per_document,
            weight=np.ones(units, dtype=np.int64),
            unit=unit,
            annotator=np.repeat(np.arange(people), int(disputed.sum())),
            label=labels[:, disputed].reshape(-1),
        )
        ratings = coded.pairable
        found = shares_right(ratings, ratings.label == truth[ratings.unit])
        wrong += any(
            (own.difference.value or 0) < 0 and own.adjusted_p is not None and own.adjusted_p < 0.05
            for own in found
        )
    return wrong / campaigns


@pytest.mark.parametrize("people", [2, 3, 6])
@pytest.mark.parametrize("documents", [8, 30])
@pytest.mark.parametrize("moods", [False, True])
def test_among_equals_hardly_anybody_is_blamed(people: int, documents: int, moods: bool) -> None:  # noqa: FBT001 - parametrised
    # Of 400 campaigns, 7.5% are two standard deviations above 5%.
    assert alarms(400, people, documents, moods=moods) <= 0.075


def test_among_equals_hardly_anybody_is_blamed_quickly() -> None:
    assert alarms(60, 3, 20, moods=True) <= 0.1


# What was decided most often, and what the guidelines lack.

MIXED = [("x", "y", "x"), ("y", "x", "y"), ("x", "y", "z"), ("x", "x", "y"), ("z", "x", "z")]


def test_outcomes_are_by_labels_in_dispute_and_decision_the_most_frequent_first(tmp_path: Path) -> None:
    answers = [("x", "slip", ""), ("x", SILENT, ""), ("y", "", ""), ("y", "slip", ""), ("", SILENT, "")]
    found = only(decided(tmp_path, MIXED, answers))
    assert found.outcomes == (
        DisputeOutcome(labels=("x", "y"), decision="x", units=2, by_cause={"slip": 1, SILENT: 1}),
        DisputeOutcome(labels=("x", "y"), decision="y", units=1, by_cause={"slip": 1}),
        DisputeOutcome(labels=("x", "y", "z"), decision="y", units=1, by_cause={}),
        DisputeOutcome(labels=("x", "z"), units=1, by_cause={SILENT: 1}),
    )
    assert found.outcomes_in_all == 4


def test_notes_where_guidelines_are_silent_are_by_the_labels_in_dispute(tmp_path: Path) -> None:
    answers = [
        ("x", SILENT, "Say what x is."),
        ("", SILENT, "Say what x is."),
        ("y", "slip", "not this"),
        ("y", SILENT, "And y?"),
        ("", SILENT, ""),
    ]
    found = decided(tmp_path, MIXED, answers)
    assert only(found).missing_rules == (
        MissingRule(labels=("x", "y"), units=3, notes=("Say what x is.", "And y?")),
        MissingRule(labels=("x", "z"), units=1),
    )
    files = files_of(found)
    assert files["tables/adjudication-missing-rules.csv"] == (
        "labels,units,notes\nx / y,3,“Say what x is.” “And y?”\nx / z,1,\n"
    )
    for page in ("index.html", "report.html", "report.md"):
        assert "Say what x is." in files[page]
        assert "not this" not in files[page]


@pytest.mark.parametrize(("toml", "shown"), [("", ("Fine.",)), (NAMES, ("Ask bob.", "Fine."))])
def test_a_note_that_names_somebody_who_has_a_pseudonym_is_left_out(
    tmp_path: Path, toml: str, shown: tuple[str, ...]
) -> None:
    found = only(decided(tmp_path, MIXED, [("x", SILENT, "Ask bob."), ("x", SILENT, "Fine.")], toml))
    assert found.missing_rules is not None
    assert found.missing_rules[0].notes == shown


@pytest.mark.parametrize("key", ['texts = "withhold"', 'documents = "pseudonyms"'])
def test_no_note_is_published_where_texts_or_documents_are_withheld(tmp_path: Path, key: str) -> None:
    found = decided(tmp_path, MIXED, [("x", SILENT, "A secret.")], f"{NAMES}{key}\n")
    assert only(found).missing_rules == (MissingRule(labels=("x", "y"), units=1),)
    assert "A secret." not in found.results.model_dump_json()


def test_a_hostile_note_runs_nothing(tmp_path: Path) -> None:
    attack = "<script>ran(1)</script> [x](javascript:ran(2)) =1+1"
    files = files_of(decided(tmp_path, MIXED, [("x", SILENT, attack)]))
    for page in ("index.html", "report.html", "report.md"):
        assert "<script>ran" not in files[page]
        assert "&lt;script" in files[page]
    assert "[x](javascript" not in files["report.md"]
    # A cell begins with a quotation mark, and never with what a spreadsheet computes.
    assert files["tables/adjudication-missing-rules.csv"].splitlines()[1].startswith("x / y,1,“<script>")


@pytest.mark.parametrize("column", ["Note", " NOTE "])
def test_the_column_of_notes_is_found_whatever_its_case(tmp_path: Path, column: str) -> None:
    found = decided(tmp_path / "a", MIXED, [("x", SILENT, "Here.")])
    sheet = tmp_path / "a/campaign" / SHEET
    sheet.write_text(
        sheet.read_text(encoding="utf-8")
        .replace(",note\n", f",mine,{column}\n", 1)
        .replace("Here.", "own,Here.")
    )
    again = report_of(tmp_path / "a/campaign")
    assert only(again).missing_rules == only(found).missing_rules
