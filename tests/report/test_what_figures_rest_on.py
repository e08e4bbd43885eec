"""Beside a figure is what it rests on: units and documents that two annotators labelled."""

import pytest

from reportgen.publish.metadata import blocks
from reportgen.publish.sentences import of_coefficient
from reportgen.report.sections.history_page import versions
from reportgen.results import Results
from reportgen.versions.comparisons import history
from tests.campaigns import results
from tests.rendered import history_markdown
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


def test_a_dataset_card_has_the_units_that_the_coefficient_rests_on(found: Results) -> None:
    text = "".join(blocks(found).values())
    assert "| Number compared |" in text
    row = next(line for line in text.splitlines() if line.startswith("| items |"))
    assert row.split("|")[2].strip() == "30"
    assert " on 30 units in 3 documents" in of_coefficient(found, found.primary)


def test_a_comparison_leaves_out_documents_that_one_annotator_alone_labelled_too() -> None:
    """ "Leaves out 2 documents" left out nine: seven more are of both, but not labelled twice in both."""
    made = made_history.history()
    step = made.steps[0].model_copy(update={"documents": (21, 0, 2)})
    said = history_markdown(made.model_copy(update={"steps": (step,)}))
    assert (
        "This comparison leaves out 2 documents of 1.1 only and 7 documents of both in which no two "
        "annotators labelled the same unit under one of them." in said
    )
