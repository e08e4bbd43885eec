"""Tables in the shapes in which people publish them: the right alpha, or a refusal; never another number."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reportgen import agreement
from reportgen.base.errors import BadInput
from reportgen.campaign import load
from reportgen.campaign.guidelines import by_design
from reportgen.cli.agree import AgreementRequest, agree
from reportgen.cli.export_folder import survey_folder
from reportgen.cli.scaffold import plan_of, render
from reportgen.counts import count
from reportgen.measures import analyse, setting_of
from reportgen.pipeline.reading import read_version
from reportgen.readers import ReaderOptions
from tests.readers.shapes.published import SHAPES, Alphas


def close(value: float | None, expected: float) -> bool:
    """Say whether a figure is another library's."""
    return value is not None and abs(value - expected) < 1e-6


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for a campaign."""
    campaign = tmp_path / "campaign"
    campaign.mkdir()
    return campaign


def described(folder: Path) -> CampaignStudies:
    """Return a folder as `init` describes it and `build` reads it."""
    (folder / "campaign.toml").write_text(render(plan_of(survey_folder(folder))), encoding="utf-8")
    campaign = load(folder)
    return read_version(campaign, campaign.version(campaign.versions[0]))


@pytest.mark.parametrize("name", SHAPES)
def test_init_and_build_give_what_another_library_computes(name: str, folder: Path) -> None:
    expected = SHAPES[name](folder)
    read = described(folder)
    found = {}
    for study, layer in zip(read.studies, read.version.layers, strict=True):
        units = study.unit_sets[0]
        measures = analyse(units, count(units), setting_of(units, [])).measures
        found[layer.source or "main"] = measures[by_design([layer.scale]).coefficient].value
        _see_that_nothing_vanishes(study, expected[layer.source or "main"].labels)
    assert found.keys() == expected.keys()
    assert all(close(found[layer], alpha) for layer, alpha in expected.items()), (found, expected)


def _see_that_nothing_vanishes(study: Study, written: int) -> None:
    """See that as many labels are compared as the shape wrote, and that what was read is all accounted for."""
    content, used = study.annotations, study.unit_sets[0]
    assert content.marks_read == len(content.ratings.label) + sum(left.marks for left in content.left_out)
    people = [content.ratings.annotators.index(name) for name in used.annotators]
    assert int(np.isin(content.ratings.annotator, people).sum()) == written


@pytest.mark.parametrize("name", SHAPES)
def test_agree_gives_the_same_of_a_file_or_a_folder(name: str, folder: Path) -> None:
    expected = SHAPES[name](folder)
    files = [path for path in folder.rglob("*") if path.is_file()]
    for layer, alpha in expected.items():
        options = ReaderOptions(columns=question(layer, expected))
        answer = agree(AgreementRequest(files[0] if len(files) == 1 else folder, options, complete=False))
        assert close(answer.unit_set.measures[answer.primary].value, alpha), answer.reading


def test_several_questions_are_refused_until_one_is_chosen(folder: Path) -> None:
    SHAPES["long_two_questions"](folder)
    with pytest.raises(BadInput, match=r'--columns "label=fluency"') as caught:
        agree(AgreementRequest(folder / "eval.csv", ReaderOptions(), complete=False))
    assert "fluency, adequacy" in str(caught.value)


IN_MEMORY = (
    *(
        "long_plain",
        "long_of_participants",
        "long_row_ids",
        "long_two_questions",
        "long_with_metadata_of_people",
    ),
    *(
        "pairwise_judgements",
        "wide_ratings",
        "wide_with_gold",
        "wide_with_remarks",
        "grid_q1_anna",
        "grid_words",
    ),
    *("sets_with_commas", "indicators_long", "indicators_wide", "wide_agree_words", "wide_in_documents"),
)


# Who is called a reference is one, and that is said.
@pytest.mark.filterwarnings("ignore:.*by its name")
@pytest.mark.parametrize("name", IN_MEMORY)
def test_a_frame_is_read_as_a_file_is(name: str, folder: Path) -> None:
    import pandas as pd

    expected = SHAPES[name](folder)
    (file,) = folder.iterdir()
    frame = pd.read_csv(file, sep=None, engine="python")
    for layer, alpha in expected.items():
        found = agreement.of(frame, **question(layer, expected))
        assert close(found.measures[found.primary].value, alpha), found.scale_found


@pytest.mark.slow
@pytest.mark.parametrize("name", ["wide_ratings", "grid_q1_anna", "file_each_questions", "windows_encoding"])
def test_whole_reports_have_these_figures(name: str, folder: Path, tmp_path: Path) -> None:
    from reportgen.pipeline.build import build_site
    from reportgen.results import Results

    expected = SHAPES[name](folder)
    (folder / "campaign.toml").write_text(render(plan_of(survey_folder(folder))), encoding="utf-8")
    build_site([folder], tmp_path / "site")
    text = (tmp_path / "site" / "campaign" / "1.0" / "results.json").read_text(encoding="utf-8")
    results = Results.model_validate_json(text)
    found = {
        unit_set.layer: unit_set.measures[results.coefficients[unit_set.layer]].value
        for unit_set in results.unit_sets
    }
    assert all(close(found[layer], alpha) for layer, alpha in expected.items()), (found, expected)
