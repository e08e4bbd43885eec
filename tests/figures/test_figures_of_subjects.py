"""What the first figure shows of a crowd, and of people who labelled twice."""

from pathlib import Path

import pytest

from reportgen.figures.agreement_plots import of_layers, of_majorities, of_passes
from reportgen.report.sections import evidence
from reportgen.report.view import ReportView
from reportgen.results import Results
from tests.campaigns import results_of, written
from tests.present import present
from tests.six_subjects import MADE


def made(subject: str, folder: Path) -> Results:
    toml, files = MADE[subject]()
    return results_of(written(folder, toml, files))


@pytest.mark.slow
def test_a_crowd_s_majorities_are_drawn_by_their_labels(tmp_path: Path) -> None:
    found = made("crowd", tmp_path)
    plot = present(of_layers(found))
    names = [row.name for row in plot.rows]
    assert names[0] == "1 label"
    assert [int(name.split()[0]) for name in names] == sorted(int(name.split()[0]) for name in names)
    (own,) = found.aggregates or ()
    values = {row.name: row.dots[0].span.value for row in plot.rows}
    assert values["1 label"] == found.primary.measures[own.coefficient].value
    assert values[f"{own.usual} labels"] == present(own.of_majority).value
    unknown = found.model_copy(update={"aggregates": (own.model_copy(update={"of_majority": None}),)})
    assert of_majorities(unknown, own.layer) is None
    # What single labels are worth says nothing of them together.
    assert of_layers(unknown) is None


def test_people_who_labelled_twice_are_drawn_beside_each_other(tmp_path: Path) -> None:
    found = made("stability", tmp_path)
    plot = present(of_layers(found))
    (quality,) = found.quality or ()
    first = {own.annotator: own.measures[found.coefficient].value for own in quality.intra_annotator}
    assert {row.name: row.dots[0].span.value for row in plot.rows} == first
    assert of_passes(found.model_copy(update={"quality": None}), quality.layer) is None


def test_recordings_are_drawn_by_what_is_near(tmp_path: Path) -> None:
    found = made("recordings", tmp_path)
    plot = present(of_layers(found))
    (near,) = present(found.spans).boundaries or ()
    values = [row.dots[0].span.value for row in plot.rows]
    assert values == [near.boundaries.value, near.stretches.value, near.labels.value]
    assert not plot.banded
    sections = [section.id for section in evidence(ReportView(found))]
    assert sections[0] == "unitizing"
    assert sections.index("confusion-matrix") < sections.index("spans")
    assert "size-curve" not in sections
