"""What leaves a campaign answers its own question: badges, bundles, cards, paragraphs, tables."""

import csv
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from reportgen.publish import sentences
from reportgen.report.history_words import badge, badge_json
from reportgen.results import Results
from reportgen.results.versions import History
from reportgen.versions.comparisons import history
from tests.campaigns import results_of, written
from tests.commands import run
from tests.six_subjects import MADE, campaign, crowd, recordings

pytestmark = pytest.mark.slow

NUMBER = r"[−.\d]+"
FIGURES = {
    "crowd": "Krippendorff's alpha of two majorities of 5 labels each",
    "systems": "F-measure [strict] of tagger 2.0 against gold",
    "judge": "Cohen's kappa of gpt with A01",
    "recordings": "Krippendorff's alpha for unitizing",
    "stability": r"Krippendorff's alpha of the two passes of A0\d",
}
FIGURES = {name: text if "\\" in text else re.escape(text) for name, text in FIGURES.items()}
BADGES = {
    "crowd": "majority α",
    "systems": "tagger 2.0 F",
    "judge": "gpt κ",
    "recordings": "agreement αᵤ",
    "stability": "same again α",
}
TOPICS = {
    "crowd": "Reliability of a crowd's labels",
    "systems": "Systems against a reference",
    "judge": "A model's labels against a human's",
    "recordings": "Inter-annotator agreement on recordings",
    "stability": "Intra-annotator agreement",
}
WHO = {
    "crowd": "20 annotators labelled 40 units (items), 5 of them each unit",
    "systems": "1 reference (gold), 2 systems (tagger 1.0, tagger 2.0) labelled 480 units (tokens)",
    "judge": "1 annotator (A01), 1 model (gpt) labelled 120 units (items)",
    "recordings": "2 annotators labelled",
    "stability": "2 annotators labelled 80 units (items), 80 of them twice,",
}
# What nobody asked: the coefficient of two annotators where there are none, or where it says something else.
FOREIGN = re.compile(r"\b0 annotators|undefined|\b0 on each|0 to 1, mean|F-measure of marks, same|−0\.4\d\d")
SUBJECTS = pytest.mark.parametrize("subject", MADE)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Results]:
    folder = tmp_path_factory.mktemp("subjects")
    return {subject: results_of(campaign(folder, subject)) for subject in MADE}


def past(results: Results) -> History:
    return history([results], [""], {})


@SUBJECTS
def test_each_campaign_has_its_subject_and_the_figure_of_its_verdict(
    made: dict[str, Results], subject: str
) -> None:
    (own,) = made[subject].subjects.values()
    assert own.subject == subject
    assert own.answer is not None
    said = {number for number in made[subject].findings[0].values.values() if isinstance(number, float)}
    assert own.answer.value.value in said


@SUBJECTS
def test_badges_have_the_figure_of_the_verdict(made: dict[str, Results], subject: str) -> None:
    shown, answer = badge(past(made[subject])), made[subject].answer_of("main")
    assert shown.label == BADGES[subject]
    assert re.fullmatch(rf"{NUMBER} \[{NUMBER}, {NUMBER}\]", shown.message)
    found = json.loads(badge_json(past(made[subject])))
    assert answer is not None
    assert (found["subject"], found["coefficient"]) == (subject, answer.figure)
    assert found["value"] == answer.value.value
    assert found.get("who") == answer.who


@SUBJECTS
def test_the_paragraph_says_what_was_labelled_by_whom_and_its_figure(
    made: dict[str, Results], subject: str
) -> None:
    said = sentences.paragraph(made[subject])
    assert said.startswith(f"{TOPICS[subject]} under guidelines 1.0")
    assert WHO[subject] in said
    assert re.search(rf"{FIGURES[subject]} is {NUMBER}( on \d+ units)?, 95% interval", said)
    assert not FOREIGN.search(said)


def test_alpha_for_unitizing_may_be_the_coefficient_of_recordings(tmp_path: Path) -> None:
    task = '[task]\ncoefficient = "alpha_u"\ntolerance = "50 ms"\n[gate]\nalpha_u = { value = 0.999 }\n'
    folder = written(tmp_path / "c", task, recordings()[1])
    found = results_of(folder)
    assert (found.subjects["main"].subject, found.subjects["main"].declared) == ("recordings", True)
    assert found.coefficients == {"main": "krippendorff_alpha"}
    assert found.spans is not None
    assert [near.tolerance for near in found.spans.boundaries or ()] == [50]
    checked = run("check", folder)
    assert checked.exit_code == 1
    assert "is below value = 0.999" in checked.stdout


@pytest.fixture(scope="module")
def of_crowd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of a crowd of twenty people."""
    folder = tmp_path_factory.mktemp("crowd")
    assert run("build", campaign(folder, "crowd"), "--out", folder / "site").exit_code == 0
    return folder / "site/crowd/1.0"


def test_units_of_a_crowd_without_a_settled_majority_are_listed(of_crowd: Path) -> None:
    votes: dict[str, Counter[str]] = {}
    for line in crowd()[1]["exports/1.0/e.csv"].splitlines()[1:]:
        unit, _worker, label = line.split(",")
        votes.setdefault(unit, Counter())[label] += 1
    leads = {
        unit: ordered[0] - (ordered[1] if len(ordered) > 1 else 0)
        for unit, found in votes.items()
        if (ordered := sorted(found.values(), reverse=True))
    }
    head, *rows = csv.reader((of_crowd / "tables/open.main.csv").read_text(encoding="utf-8").splitlines())
    assert head == ["unit", "document", "lead", "ratings", "labels"]
    assert {row[0]: int(row[2]) for row in rows} == {unit: lead for unit, lead in leads.items() if lead < 2}
    assert [int(row[2]) for row in rows] == sorted(int(row[2]) for row in rows)
    report = (of_crowd / "report.md").read_text(encoding="utf-8")
    assert f"{len(rows)} of 40 units have no settled majority" in report
