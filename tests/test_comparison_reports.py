"""Against the reference, from a campaign's files to its pages: releases in order, ceilings, warnings."""

import csv
import io
import math
import random
import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import t as student

from reportgen.campaign import load
from reportgen.campaign.load import idle_keys
from reportgen.findings import find
from reportgen.pipeline.version_reports import Report
from reportgen.report.against_reference import layers
from reportgen.report.blocks import drawings_in
from reportgen.report.pairs import matrices
from reportgen.report.sections import whole
from reportgen.report.view import ReportView
from reportgen.results import Results
from tests.campaigns import finding, report_of, written
from tests.pages import check_ids, check_links
from tests.rendered import rows_of
from tests.report.written_pages import MARKS, pages
from tests.report.written_pages import report as marked_report

pytestmark = pytest.mark.slow

PEOPLE = ("gold", "ann", "bob", "cat", "z1", "a2", "llm")
SKILL = {"gold": 1.0, "ann": 0.8, "bob": 0.78, "cat": 0.83, "z1": 0.55, "a2": 0.8, "llm": 0.99}
TOML = """
[annotators.gold]
role = "reference"
[annotators.z1]
system = "tagger"
release = "1.0"
[annotators.llm]
role = "model"
[annotators.a2]
system = "tagger"
release = "2.0"
"""


def export(people: tuple[str, ...] = PEOPLE, documents: int = 30, few: str = "", skill: float = 0.7) -> str:
    """Return ratings in which everybody is right as often as they can; `few` saw five documents alone."""
    drawn = random.Random(7)  # noqa: S311 - made-up ratings
    rows = [("document", "unit", *people)]
    for document in range(documents):
        for unit in range(10):
            truth = drawn.choice("xxyyz")
            labels = [
                truth if drawn.random() < SKILL.get(who, skill) else drawn.choice("xyz") for who in people
            ]
            seen = [
                label if who != few or document < 5 else "" for who, label in zip(people, labels, strict=True)
            ]
            rows.append((f"d{document}", f"u{document}-{unit}", *seen))
    return "".join(",".join(row) + "\n" for row in rows)


def report(folder: Path, toml: str = TOML, text: str = "") -> Report:
    return report_of(written(folder / "campaign", toml, {"exports/1.0/e.csv": text or export()}))


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return report(tmp_path_factory.mktemp("compared"))


def others(results: Results) -> list[tuple[str | None, str | None, str]]:
    assert results.comparisons is not None
    return [(each.system, each.release, each.role) for each in results.comparisons.pairs]


def test_releases_of_a_system_stand_together_in_declared_order_before_annotators(found: Report) -> None:
    assert others(found.results) == [
        ("tagger", "1.0", "system"),
        ("tagger", "2.0", "system"),
        (None, None, "model"),
        *[(None, None, "annotator")] * 3,
    ]


def test_system_and_release_are_acted_upon_and_no_longer_pointed_out(tmp_path: Path) -> None:
    campaign = load(written(tmp_path / "campaign", TOML, {"exports/1.0/e.csv": export()}))
    assert not [each for each in idle_keys(campaign) if "system" in each.message or "release" in each.message]


def test_names_are_pseudonyms_and_declared_systems_keep_theirs(found: Report, tmp_path: Path) -> None:
    here = pages(tmp_path, found)
    page = (here / "index.html").read_text(encoding="utf-8")
    (layer,) = layers(found.results)
    (view,) = layer.shown
    assert view.table.rows[0][0] == "tagger 1.0 (z1, system)"
    for name in ("ann", "bob", "cat"):
        assert f">{name}<" not in page
        assert name not in found.beside["counts/comparisons.csv"]


def test_marks_of_others_are_left_out_of_agreement_and_the_sum_holds(found: Report) -> None:
    results = found.results
    assert results.marks.read == results.marks.used + results.marks.left_out == 30 * 10 * len(PEOPLE)
    assert results.marks.used == 30 * 10 * 3
    assert len(results.primary.annotators) == 3


def test_counts_give_every_table_back(found: Report) -> None:
    rows = rows_of(found.beside["counts/comparisons.csv"])
    assert found.results.comparisons is not None
    for pair in found.results.comparisons.pairs:
        own = [row for row in rows if (row["first"], row["second"]) == (pair.key, pair.other)]
        assert sum(int(row["n"]) for row in own) == pair.units == 300
        agreed = sum(int(row["n"]) for row in own if row["first_label"] == row["second_label"])
        assert pair.measures["observed_agreement"].value == pytest.approx(agreed / 300)
        for name, scores in pair.by_category.items():
            both = sum(int(row["n"]) for row in own if row["first_label"] == row["second_label"] == name)
            assert scores.both == both


def test_every_figure_has_an_interval_or_says_why_not(found: Report) -> None:
    assert found.results.comparisons is not None
    for pair in found.results.comparisons.pairs:
        beside = pair.humans.measures if pair.humans else {}
        for each in (*pair.measures.values(), *beside.values()):
            assert each.value is None or each.interval is not None
        for scores in pair.by_category.values():
            for each in (scores.precision, scores.recall, scores.specific_agreement):
                assert each.value is None or each.interval is not None


def test_the_page_shows_the_table_the_figure_and_says_what_the_ceiling_is(
    found: Report, tmp_path: Path
) -> None:
    here = pages(tmp_path, found)
    page = (here / "index.html").read_text(encoding="utf-8")
    check_ids(here.parent.parent)
    check_links(here.parent.parent)
    assert "the usual ceiling, which a system scored against an adjudicated reference may pass" in page
    assert (here / "figures/comparisons-items.svg").is_file()
    assert (here / "tables/comparisons.csv").read_text(encoding="utf-8").count("\n") == 1 + 6 * 4
    text = (here / "report.md").read_text(encoding="utf-8")
    assert "## Against the reference" in text


def test_the_figure_tells_in_words_what_it_draws(found: Report) -> None:
    drawing = next(
        each for each in drawings_in(whole(ReportView(found.results))) if each.name == "comparisons-items"
    )
    assert "tagger 1.0 (system): 0." in drawing.svg
    assert "annotators with each other 0." in drawing.svg


def test_a_system_above_human_agreement_is_pointed_out_with_what_single_annotators_reach(
    found: Report,
) -> None:
    own = [each for each in found.results.findings if each.id == "system-above-humans"]
    named = {str(each.values["system"]): each for each in own}
    assert len(named) == 2
    least, most = (named["tagger 2.0"].values[end] for end in ("least", "most"))
    assert isinstance(least, float)
    assert isinstance(most, float)
    assert 0 < least < most < 1
    for each in own:
        humans, value, difference, low = (
            each.values[name] for name in ("humans", "value", "difference", "low")
        )
        assert isinstance(value, float)
        assert isinstance(humans, float)
        assert difference == pytest.approx(value - humans)
        assert isinstance(low, float)
        assert low > 0, "more than chance explains"


def test_the_difference_from_humans_is_paired_by_document(found: Report) -> None:
    """Its standard error is that of document sums of what moves the one less what moves the other."""
    assert found.results.comparisons is not None
    tested = [each for each in found.results.comparisons.pairs if each.against_humans]
    assert tested
    for pair in tested:
        change = pair.against_humans
        assert change is not None
        assert change.test is not None
        assert change.test.method == "paired"
        assert change.test.degrees == pair.documents - 1


def test_a_system_that_is_not_shown_to_differ_from_humans_is_pointed_out(tmp_path: Path) -> None:
    # Annotators who are right in .8 and .78 of the cases, and else by chance, agree as a system does at .63.
    toml = '[annotators.s]\nrole = "system"\n[annotators.gold]\nrole = "reference"\n'
    own = report(tmp_path, toml, export(("gold", "ann", "bob", "s"), skill=0.63)).results
    told = finding(own, "system-within-humans")
    assert told
    assert "over {over_noun})" in told.claim
    assert told.values["over_noun"] == "documents"
    assert not finding(own, "system-above-humans")


def test_with_five_annotators_the_finding_says_that_its_interval_is_over_them_too(tmp_path: Path) -> None:
    toml = '[annotators.s]\nrole = "system"\n[annotators.gold]\nrole = "reference"\n'
    people = ("gold", "ann", "bob", "cat", "dan", "eve", "s")
    own = report(tmp_path, toml, export(people, skill=0.63))
    (pair,) = (each for each in own.results.comparisons.pairs if each.role == "system")  # type: ignore[union-attr]  # there is a reference
    told = next(each for each in own.results.findings if each.id.startswith("system-"))
    assert "over {over_noun} and annotators)" in told.claim
    assert pair.for_any_annotators is not None
    assert (told.values["low"], told.values["high"]) == (
        pair.for_any_annotators.low,
        pair.for_any_annotators.high,
    )
    assert ", over documents and annotators)" in (pages(tmp_path, own) / "report.md").read_text(
        encoding="utf-8"
    )


def test_a_system_that_was_scored_on_few_documents_is_pointed_out(tmp_path: Path) -> None:
    own = report(tmp_path, text=export(few="z1")).results
    told = finding(own, "system-few-documents")
    assert told
    assert told.values["documents"] == 5
    assert own.comparisons is not None
    first = own.comparisons.pairs[0]
    assert first.humans is not None
    assert (first.units, first.humans.units, first.humans.documents) == (50, 50, 5)


def test_rules_are_silent_where_all_are_annotators(tmp_path: Path) -> None:
    own = report(tmp_path, "", export(("ann", "bob", "cat"))).results
    assert own.comparisons is None
    assert not {"system-above-humans", "reference-not-independent"} & {each.id for each in find(own)}


def test_without_a_reference_systems_stand_against_annotators(tmp_path: Path) -> None:
    own = report(tmp_path, '[annotators.z1]\nrole = "system"\n', export(("ann", "bob", "z1")))
    here = pages(tmp_path, own)
    page = (here / "index.html").read_text(encoding="utf-8")
    assert "Systems against annotators</h2>" in page
    assert own.results.comparisons is not None
    assert [(each.key, each.other) for each in own.results.comparisons.pairs] == [
        ("A01", "z1"),
        ("A02", "z1"),
    ]


def test_a_crowd_against_a_reference_stands_in_a_table_of_its_own(tmp_path: Path) -> None:
    crowd = ("gold", *(f"w{place:02}" for place in range(55)))
    own = report(tmp_path, '[annotators.gold]\nrole = "reference"\n', export(crowd, documents=4))
    rows = own.beside["tables/comparisons-of-all.csv"].splitlines()
    assert len(rows) == 1 + 55
    assert own.results.comparisons is not None
    assert len(own.results.comparisons.pairs) == 20
    here = pages(tmp_path, own)
    page = (here / "index.html").read_text(encoding="utf-8")
    assert "Shown are the annotators who agree with the reference least, of 55 who are compared" in page
    check_links(here.parent.parent)


def test_marks_in_texts_have_f_beside_that_of_annotators_in_the_same_documents(tmp_path: Path) -> None:
    roles = '[annotators.cat]\nrole = "reference"\n[annotators.sys]\nrole = "system"\n'
    marks = {**MARKS, "sys": {"d1": [("PER", 0, 9), ("LOC", 42, 48)]}}
    own = marked_report(tmp_path, marks, roles)
    found = own.results.comparisons
    assert found is not None
    of_marks = [each for each in found.pairs if each.unit_set is None]
    assert [each.role for each in of_marks] == ["system", "annotator", "annotator"]
    system = of_marks[0]
    assert system.documents == 1
    assert system.measures["f_measure[strict]"].value == pytest.approx(2 / 4)
    assert system.humans is not None
    # ann and bob in d1: one match of four and five marks.
    assert system.humans.measures["f_measure[strict]"].value == pytest.approx(2 / 9)
    spans = own.results.spans
    assert spans is not None
    whole = next(each for each in spans.pairs if each.annotators == ("A03", "A01"))
    assert of_marks[1].measures["f_measure[strict]"] == whole.strict["f_measure"]
    units = [each for each in found.pairs if each.unit_set == "tokens"]
    assert [each.role for each in units] == ["system", "annotator", "annotator"]
    here = pages(tmp_path, own)
    check_links(here.parent.parent)


def test_a_reference_from_annotators_own_marks_is_marked_as_not_independent(tmp_path: Path) -> None:
    folder = tmp_path / "campaign"
    text = export(("ann", "bob"), documents=6)
    first = report_of(written(folder, "", {"exports/1.0/e.csv": text}))
    rows = rows_of(first.beside["tables/adjudication.csv"])
    for row in rows:
        row["decision"] = "x"
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, rows[0].keys(), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    (folder / "decided.csv").write_text(buffer.getvalue(), encoding="utf-8")
    toml = (folder / "campaign.toml").read_text(encoding="utf-8")
    (folder / "campaign.toml").write_text(f'{toml}adjudication = "decided.csv"\n', encoding="utf-8")
    own = report_of(folder)
    assert own.results.comparisons is not None
    (whole,) = own.results.comparisons.sets
    assert whole.not_independent == ("adjudicated",)
    assert {each.independent for each in own.results.comparisons.pairs} == {False}
    assert finding(own.results, "reference-not-independent")
    page = (pages(tmp_path, own) / "index.html").read_text(encoding="utf-8")
    assert "adjudicated, not independent" in page


def test_each_coefficient_has_a_matrix_of_annotators_the_primary_one_first(
    found: Report, tmp_path: Path
) -> None:
    own = matrices(found.results, found.results.primary)
    assert own[0].figure == found.results.coefficient
    assert {"observed_agreement", "cohen_kappa", "krippendorff_alpha"} <= {each.figure for each in own}
    for matrix in own:
        values = matrix.values
        assert [values[place][place] for place in range(3)] == [None] * 3
        assert all(values[i][j] == values[j][i] for i in range(3) for j in range(3))
        pair = found.results.primary.pairs[0]
        places = [matrix.annotators.index(name) for name in pair.annotators]
        assert values[places[0]][places[1]] == pair.measures[matrix.figure].value
    here = pages(tmp_path, found)
    page = (here / "index.html").read_text(encoding="utf-8")
    assert '<a href="pairs/index.html">Each coefficient, annotator by annotator</a>' in page
    assert "Each coefficient, annotator by annotator</h2>" in (here / "pairs/index.html").read_text("utf-8")
    head = (here / "tables/pairs.items.csv").read_text(encoding="utf-8").splitlines()[0].split(",")
    assert {"cohen_kappa", "krippendorff_alpha", "scott_pi"} <= set(head)


def test_a_pair_has_no_matrix(tmp_path: Path) -> None:
    own = report(tmp_path, "", export(("ann", "bob"))).results
    assert matrices(own, own.primary) == ()


def test_of_marks_the_interval_covers_the_choice_of_annotators_by_hand(tmp_path: Path) -> None:
    """F of every two people in each document: a / b is moved by (a_g - F b_g) / b where g is left out."""
    drawn, text = random.Random(4), "one two three four five six seven eight nine ten"  # noqa: S311 - made-up
    words = [(found.start(), found.end()) for found in re.finditer(r"\w+", text)]
    skills = {"ann": 0.9, "bob": 0.8, "cat": 0.7, "dan": 0.6, "eve": 0.5, "gold": 1.0, "sys": 0.8}
    documents = [f"d{number:02}" for number in range(20)]
    made: dict[str, dict[str, list[tuple[str, int, int]]]] = {who: {} for who in skills}
    for document in documents:
        truth = drawn.sample(words, 4)
        for who, skill in skills.items():
            made[who][document] = [("X", *word) for word in truth if drawn.random() < skill]
    roles = '[annotators.gold]\nrole = "reference"\n[annotators.sys]\nrole = "system"\n'
    own = marked_report(tmp_path, made, roles, dict.fromkeys(documents, text)).results
    assert own.comparisons is not None
    (pair,) = (each for each in own.comparisons.pairs if each.role == "system" and not each.unit_set)
    change, ends = pair.against_humans, pair.for_any_annotators

    people = list(skills)[:5]
    shares, moved = {}, {}
    for two in combinations(people, 2):
        marks = [[set(made[who][document]) for who in two] for document in documents]
        above = np.array([2 * len(one & other) for one, other in marks])
        below = np.array([len(one) + len(other) for one, other in marks])
        shares[two] = above.sum() / below.sum()
        moved[two] = (above - shares[two] * below) / below.sum()
    rest = {who: [two for two in shares if who not in two] for who in people}
    mean, whole = np.mean(list(shares.values())), np.mean(list(moved.values()), axis=0)
    jackknife = 4 / 5 * sum((np.mean([shares[two] for two in each]) - mean) ** 2 for each in rest.values())
    seen = [np.mean([moved[two] for two in each], axis=0) - whole for each in rest.values()]
    both = 4 / 5 * sum(20 / 19 * (each**2).sum() for each in seen)
    assert change is not None
    assert change.test is not None
    assert change.standard_error is not None
    assert change.first.value == pytest.approx(mean)
    of_documents = change.standard_error**2
    variance = of_documents + jackknife - both
    degrees = variance**2 / (of_documents**2 / change.test.degrees + jackknife**2 / 4)
    half = float(student.ppf(0.975, degrees)) * math.sqrt(variance)
    assert ends is not None
    assert (ends.low, ends.high) == pytest.approx(
        ((change.difference or 0.0) - half, min((change.difference or 0.0) + half, 1.0)), abs=1e-9
    )
