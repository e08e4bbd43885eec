"""Beside a figure is what it rests on: units and documents that two annotators labelled."""

import re
from pathlib import Path

import pytest

from reportgen.publish.dataset_card import blocks
from reportgen.publish.sentences import of_coefficient
from reportgen.report.sections.chosen_coefficients import choice
from reportgen.report.sections.history_page import versions
from reportgen.results import Results
from reportgen.versions.comparisons import history
from reportgen.words import numbers
from tests.campaigns import results
from tests.rendered import history_markdown, version_files
from tests.report import made_history

# Twelve documents of ten units; three are labelled by two annotators, nine by one of them.
ROWS = [
    f"u{unit},d{document},{who},{'yes' if (unit + (who == 'bob' and unit == 3)) % 2 else 'no'}\n"
    for document in range(12)
    for unit in range(10)
    for who in (("ann", "bob") if document < 3 else ("ann",))
]
EXPORT = "item,document,annotator,label\n" + "".join(ROWS)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return results(tmp_path_factory.mktemp("few"), "", EXPORT)


def test_a_campaigns_page_says_how_few_documents_two_annotators_labelled(found: Results) -> None:
    """Beside alpha were "12 documents, 120 units"; it rests on 30 of them in 3."""
    made = history([found], [""], {})
    said = history_markdown(made)
    assert "2 annotators, 12 documents, 120 units." in said
    assert "The figure rests on 30 units in 3 documents that two annotators labelled." in said
    (row,) = versions(made).rows
    assert row[2:5] == (2, 3, 30)


def test_where_all_was_labelled_by_two_nothing_more_is_said() -> None:
    assert "rests on" not in history_markdown(made_history.history())


def test_a_dataset_card_has_the_units_that_the_coefficient_rests_on(found: Results) -> None:
    text = "".join(blocks(found).values())
    assert "| Number compared |" in text
    row = next(line for line in text.splitlines() if line.startswith("| items |"))
    assert row.split("|")[2].strip() == "30"
    assert " on 30 units in 3 documents" in of_coefficient(found, found.primary)


def test_beside_figures_that_count_units_with_one_rating_is_what_they_are_without(found: Results) -> None:
    primary = found.primary
    assert primary.rated_twice is not None
    assert primary.rated_twice["gwet_ac1"].units == 30
    said = dict(version_files(found, {}))["report.md"]
    value = numbers.estimate(primary.rated_twice["gwet_ac1"])
    assert (
        "90 units have one rating, which counts in the chance agreement of some figures. Without these "
        f"units: Gwet's AC1 {value}." in said
    )


def test_a_comparison_leaves_out_documents_that_one_annotator_alone_labelled_too() -> None:
    """ "Leaves out 2 documents" left out nine: seven more are of both, but not labelled twice in both."""
    made = made_history.history()
    step = made.steps[0].model_copy(update={"documents": (21, 0, 2)})
    said = history_markdown(made.model_copy(update={"steps": (step,)}))
    assert (
        "This comparison leaves out 2 documents of 1.1 only and 7 documents of both in which no two "
        "annotators labelled the same unit under one of them." in said
    )


LIKERT = "document,unit,A,B,C\n" + "".join(
    f"d{unit % 6},{unit},{1 + unit % 5},{1 + (unit + (unit % 7 == 0)) % 5},{third}\n"
    for unit in range(36)
    for third in [1 + unit % 5 if unit % 4 else ""]
)


def test_why_a_coefficient_is_chosen_names_what_another_choice_would_give(found: Results) -> None:
    said, measures = " ".join(choice(found, found.primary)), found.primary.measures
    assert "allows missing ratings: 90 of 120 units lack the rating of some annotator." in said
    assert (
        f"Another choice would give Cohen's kappa {numbers.figure(measures['cohen_kappa'].value)}, " in said
    )
    assert f"Gwet's AC1 {numbers.figure(measures['gwet_ac1'].value)}." in said
    assert "caveat" not in said


def test_on_a_scale_other_choices_are_on_the_same_scale_and_names(tmp_path: Path) -> None:
    found = results(tmp_path, '[task]\nscale = "ordinal"\n', LIKERT)
    said = " ".join(choice(found, found.primary))
    names = re.findall(r"([^,]+) −?\d\.\d+", said.partition("Another choice would give ")[2])
    assert [name.strip() for name in names] == [
        "Conger's kappa [ordinal]",
        "Fleiss' kappa [ordinal]",
        "Bennett's S [ordinal]",
        "Krippendorff's alpha",
    ]


def test_a_prevalent_category_is_said_to_be_a_caveat(tmp_path: Path) -> None:
    rows = [f"u{unit},{'yes' if unit < 5 else 'no'},{'yes' if unit < 6 else 'no'}\n" for unit in range(60)]
    found = results(tmp_path, "", "item,A,B\n" + "".join(rows))
    said = " ".join(choice(found, found.primary))
    assert "here every unit has 2 ratings." in said
    assert "The category “no” has 90.8% of the labels; this calls for caution, but is no reason" in said
