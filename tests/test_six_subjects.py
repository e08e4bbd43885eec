"""What leaves a campaign answers its own question: badges, bundles, cards, paragraphs, tables."""

import csv
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from reportgen.publish import citation_cff, croissant, dataset_card, sentences
from reportgen.publish.bundle_files import Released
from reportgen.report.history_words import badge, badge_json
from reportgen.report.ledger import ledger
from reportgen.report.sections.history_page import history_page, in_full
from reportgen.report.uncertainty import answers
from reportgen.results import Results
from reportgen.results.versions import History
from reportgen.versions.comparisons import history
from tests.campaigns import results_of, written
from tests.commands import run
from tests.readers.write_textgrid import grid
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
PER_ITEM = {
    "crowd": "5 on each of 40 units (items)",
    "systems": "of 1 reference and 2 systems, on 480 units (tokens)",
    "judge": "by people on 90 of 120 units (items), beside those of 1 model",
    "recordings": "2 on each of",
    "stability": "2 by the same person on 80 of 80 units",
}
# What nobody asked: the coefficient of two annotators where there are none, or where it says something else.
FOREIGN = re.compile(r"\b0 annotators|undefined|\b0 on each|0 to 1, mean|F-measure of marks, same|−0\.4\d\d")
SUBJECTS = pytest.mark.parametrize("subject", MADE)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Results]:
    folder = tmp_path_factory.mktemp("subjects")
    return {subject: results_of(campaign(folder, subject)) for subject in MADE}


def released(results: Results) -> Released:
    return Released(results, ("en",), "2026-01-01", {})


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


def test_a_name_on_a_badge_is_cut(made: dict[str, Results]) -> None:
    results = made["judge"]
    own = results.subjects["main"]
    assert own.answer is not None
    named = own.answer.model_copy(update={"who": "m" * 99})
    longer = results.model_copy(update={"subjects": {"main": own.model_copy(update={"answer": named})}})
    assert badge(past(longer)).label == f"{'m' * 29}… κ"


@SUBJECTS
def test_the_page_of_versions_rests_on_the_figure_of_the_verdict(
    made: dict[str, Results], subject: str
) -> None:
    now = str(history_page(past(made[subject])).sections[0])
    assert not re.search(r"\b0 annotators", now)
    assert "rests on 0" not in now
    (answers,) = [table for table in in_full(past(made[subject])) if table.file == "answers.csv"]
    assert answers.rows[0][:3] == ("1.0", "main", subject)


@SUBJECTS
def test_the_paragraph_says_what_was_labelled_by_whom_and_its_figure(
    made: dict[str, Results], subject: str
) -> None:
    said = sentences.paragraph(made[subject])
    assert said.startswith(f"{TOPICS[subject]} under guidelines 1.0")
    assert WHO[subject] in said
    assert re.search(rf"{FIGURES[subject]} is {NUMBER}( on \d+ units)?, 95% interval", said)
    assert not FOREIGN.search(said)


@SUBJECTS
def test_trust_rests_on_the_units_of_the_verdict(made: dict[str, Results], subject: str) -> None:
    """Units of the figure that the verdict names: of stability nobody labelled what another did."""
    answer = made[subject].answer_of("main")
    assert answer is not None
    many = f"{answer.documents} documents" if answer.documents else f"{answer.units} units"
    assert many in str(next(answers(made[subject])).text)


@SUBJECTS
def test_readme_of_a_bundle_says_it_too(made: dict[str, Results], subject: str) -> None:
    readme = sentences.write_readme(released(made[subject])).replace("\\", "")
    title, _, about = readme.partition("## The figures")
    assert "agreement of annotators" not in title
    assert "annotators agree" not in title
    (row,) = [line for line in about.splitlines() if line.startswith("| ") and "0." in line]
    assert re.match(rf"\| {FIGURES[subject]} \| {NUMBER} \[{NUMBER}, {NUMBER}\] \|", row)
    assert not FOREIGN.search(about.partition("##")[0])


@SUBJECTS
def test_cards_and_croissant_say_who_gave_how_many_labels(made: dict[str, Results], subject: str) -> None:
    card = dataset_card.write(released(made[subject])).replace("\\", "")
    assert WHO[subject] in card
    assert f"Annotations: {PER_ITEM[subject]}" in card
    assert re.search(rf"{FIGURES[subject]} +\| +{NUMBER} \[", card)
    assert not FOREIGN.search(card)
    fields = json.loads(croissant.write(released(made[subject])))
    assert PER_ITEM[subject] in str(fields["rai:annotationsPerItem"])
    assert not FOREIGN.search(f"{fields['rai:dataAnnotationAnalysis']}{fields['rai:dataAnnotationProtocol']}")


@SUBJECTS
def test_citations_name_the_topic(made: dict[str, Results], subject: str) -> None:
    assert f'abstract: "{TOPICS[subject]}, with' in citation_cff.write(released(made[subject]))


@SUBJECTS
def test_methods_say_what_is_measured(made: dict[str, Results], subject: str) -> None:
    said = sentences.write_methods(released(made[subject])).replace("\\", "")
    assert re.search(rf"is measured by {FIGURES[subject]}\. It is {NUMBER} \[{NUMBER}, {NUMBER}\]", said)
    assert "Agreement is measured by" not in said


def test_layers_of_several_questions_are_counted_on_the_badge(made: dict[str, Results]) -> None:
    (state,) = past(made["judge"]).versions
    first = state.layers[0]
    other = first.model_copy(update={"layer": "b", "subject": None, "answer": None})
    verdicts = tuple(found.model_copy(update={"layers": ("main", "b")}) for found in state.verdicts)
    two = state.model_copy(update={"layers": (first, other), "verdicts": verdicts})
    joined = past(made["judge"]).model_copy(update={"versions": (two,)})
    assert (badge(joined).label, badge(joined).message) == ("report", "2 layers")


def test_a_campaign_of_annotators_has_no_other_figure(tmp_path: Path) -> None:
    rows = "".join(f"{unit},{'ab'[unit % 2]},{'ab'[unit % 3 > 0]}\n" for unit in range(30))
    found = results_of(written(tmp_path / "c", "", {"exports/1.0/e.csv": f"unit,Ada,Blaise\n{rows}"}))
    assert found.answer_of("main") is None
    assert "answer" not in json.loads(found.model_dump_json(exclude_none=True))["subjects"]["main"]
    assert "answers.csv" not in {table.file for table in in_full(past(found))}


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


def test_what_is_no_recording_refuses_alpha_for_unitizing(tmp_path: Path) -> None:
    toml, files = MADE["crowd"]()
    refused = run("build", written(tmp_path / "c", f'{toml}[task]\ncoefficient = "alpha_u"\n', files))
    assert refused.exit_code == 2
    assert 'c/campaign.toml:3: task.coefficient: "alpha_u" is the coefficient of recordings' in refused.stderr
    assert "Take krippendorff_alpha" in refused.stderr


def test_a_tier_of_remarks_is_no_layer_of_the_verdict(tmp_path: Path) -> None:
    folder = written(tmp_path / "c", "", recordings(remarks=4)[1])
    (folder / "campaign.toml").unlink()
    said = " ".join(run("init", folder).stdout.split())
    assert '"remarks->remarks" is left out' in said
    toml = (folder / "campaign.toml").read_text(encoding="utf-8")
    assert re.findall(r"(?m)^source = (.*)", toml) == ['"events->events"']
    assert '# source = "remarks->"' in toml


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
    head, *rows = csv.reader((of_crowd / "tables/open.main.csv").read_text().splitlines())
    assert head == ["unit", "document", "lead", "ratings", "labels"]
    assert {row[0]: int(row[2]) for row in rows} == {unit: lead for unit, lead in leads.items() if lead < 2}
    assert [int(row[2]) for row in rows] == sorted(int(row[2]) for row in rows)
    report = (of_crowd / "report.md").read_text(encoding="utf-8")
    assert f"{len(rows)} of 40 units have no settled majority" in report


def test_two_people_of_a_crowd_have_no_page_but_a_row_of_one_table(of_crowd: Path) -> None:
    assert not (of_crowd / "pairs").exists()
    assert "pairs/" not in (of_crowd / "index.html").read_text(encoding="utf-8")
    assert len((of_crowd / "tables/pairs.items.csv").read_text(encoding="utf-8").splitlines()) > 100


def test_several_labels_of_somebody_for_a_unit_may_be_a_set(tmp_path: Path) -> None:
    rows = [f"u{unit},{who},{label}" for unit in range(20) for who in ("Ada", "Blaise") for label in "ab"]
    table = "\n".join(("unit,annotator,label", *rows)) + "\n"
    said = run("build", written(tmp_path / "one", "", {"exports/1.0/e.csv": table}), "--out", tmp_path / "s")
    assert 'Where several labels may be right, they are a set: scale = "set" under [task].' in said.stderr
    export = tmp_path / "one/exports/1.0/e.csv"
    assert "they are a set: --scale set." in run("agree", export).stderr
    sets = results_of(written(tmp_path / "two", '[task]\nscale = "set"\n', {"exports/1.0/e.csv": table}))
    assert sets.unit_sets[0].marks.contradicting == 0
    assert sets.unit_sets[0].sets is not None


def test_recordings_and_passes_have_a_ledger_too(made: dict[str, Results]) -> None:
    shown = {
        subject: ledger(made[subject], made[subject].findings) for subject in ("recordings", "stability")
    }
    recorded, again = shown["recordings"], shown["stability"]
    assert recorded is not None
    assert recorded.figure_said.startswith("F within 200 ms")
    assert [row.name for row in recorded.rows] == ["pause", "laugh", "speech"], "the lowest first"
    near = made["recordings"].spans
    assert near is not None
    assert near.boundaries is not None
    marks = sum(2 * part.cases for row in recorded.rows for part in row.slices if part.look == "same")
    alone = sum(part.cases for row in recorded.rows for part in row.slices if part.look != "same")
    assert marks / (marks + alone) == pytest.approx(near.boundaries[0].labels.value)
    assert recorded.rows[0].act == "Check the 7 cases that only A01 called pause: who is right?"
    assert again is not None
    assert [(row.name, row.word, row.act) for row in again.rows] == [
        (
            who,
            "undecided",
            (
                f"It is undecided whether {who} labels the same way again: "
                "more units labelled twice would say more."
            ),
        )
        for who in ("A02", "A01")
    ]
    assert [[part.cases for part in row.slices] for row in again.rows] == [[29, 11], [31, 9]]


def test_tiers_are_rows_with_alpha_for_unitizing(tmp_path: Path) -> None:
    found = results_of(written(tmp_path / "c", *of_tiers()))
    own = ledger(found, found.findings)
    assert own is not None
    unitized = {layer: answer.value.value for layer in found.layers if (answer := found.answer_of(layer))}
    assert {row.name: row.value for row in own.rows} == unitized
    assert len(own.rows) == 2
    assert not any(row.of_marks for row in own.rows), "nobody ends at the same millisecond"


def of_tiers() -> tuple[str, dict[str, str]]:
    """Recordings with two tiers, of which one is about the sound of the other."""
    files = {
        f"exports/1.0/{who}/r{number}.TextGrid": grid(
            60_000,
            {
                tier: [
                    (begin + late, begin + 4000, "xy"[(begin // 5000 + number) % 2]),
                    (begin + 5000, begin + 9000, "y"),
                ]
                for tier, begin in (("words", 0), ("tones", 20_000))
            },
        )
        for number in range(6)
        for who, late in (("Ada", 0), ("Blaise", 50 + number))
    }
    return "".join(f'[[layers]]\nid = "{tier}"\nsource = "{tier}"\n' for tier in ("words", "tones")), files
