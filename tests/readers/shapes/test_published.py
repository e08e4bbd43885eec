"""Tables in the shapes in which people publish them: the right alpha, or a refusal; never another number."""

import re
from pathlib import Path
from typing import Any

import pytest

from reportgen import agreement
from reportgen.base.errors import BadInput
from reportgen.campaign import load
from reportgen.campaign.guidelines import by_design
from reportgen.cli.agree import AgreementRequest, agree
from reportgen.counts import count
from reportgen.measures import analyse, setting_of
from reportgen.pipeline.export_folder import survey_folder
from reportgen.pipeline.reading import VersionExports, read_version
from reportgen.pipeline.scaffold import plan_of, render
from reportgen.readers import ReaderOptions
from tests.readers.shapes.published import SHAPES, Alphas
from tests.slowly import slow_but


def close(value: float | None, expected: float) -> bool:
    """Say whether a figure is another library's."""
    return value is not None and abs(value - expected) < 1e-6


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for a campaign."""
    campaign = tmp_path / "campaign"
    campaign.mkdir()
    return campaign


def described(folder: Path) -> VersionExports:
    """Return a folder as `init` describes it and `build` reads it."""
    (folder / "campaign.toml").write_text(render(plan_of(survey_folder(folder))), encoding="utf-8")
    campaign = load(folder)
    return read_version(campaign, campaign.version(campaign.versions[0]))


def question(layer: str, expected: Alphas) -> dict[str, Any]:
    """Return what chooses a layer, where there are several."""
    return {"label": layer} if len(expected) > 1 else {}


@pytest.mark.parametrize("name", slow_but(SHAPES, *sorted(SHAPES)[::4]))
def test_init_build_and_agree_give_what_another_library_computes(name: str, folder: Path) -> None:
    """They read the same, in words, and no label vanishes: the shape knows how many it wrote."""
    expected = SHAPES[name](folder)
    files = [path for path in folder.rglob("*") if path.is_file()]
    read = described(folder)
    assert {layer.source or "main" for layer in read.version.layers} == expected.keys()
    for study, annotations, layer in zip(read.studies, read.annotations, read.version.layers, strict=True):
        units, alpha = study.unit_sets[0], expected[layer.source or "main"]
        measures = analyse(units, count(units), setting_of(units, [])).measures
        assert close(measures[by_design([layer.scale]).coefficient].value, alpha.value), annotations.reading
        assert len(units.label) == alpha.labels
        content = annotations.ratings
        left_out = sum(marks.marks for marks in annotations.left_out)
        besides = sum(annotations.not_compared.values())
        assert annotations.marks_read == len(content.label) + left_out + besides
        options = ReaderOptions(columns=question(layer.source or "main", expected))
        answer = agree(AgreementRequest(files[0] if len(files) == 1 else folder, options, complete=False))
        assert close(answer.unit_set.measures[answer.primary].value, alpha.value), answer.reading
        # Texts of units are for pages.
        assert answer.reading.startswith(re.sub(", texts in [^,;]+", "", annotations.reading))


def test_several_questions_are_refused_until_one_is_chosen(folder: Path) -> None:
    SHAPES["long_two_questions"](folder)
    with pytest.raises(BadInput, match=r'--columns "label=fluency"') as caught:
        agree(AgreementRequest(folder / "labels.csv", ReaderOptions(), complete=False))
    assert "fluency, adequacy" in str(caught.value)


IN_MEMORY = (
    *("long_plain", "long_of_participants", "long_row_ids", "long_two_questions", "indicators_long"),
    *("long_with_metadata_of_people", "pairwise_judgements", "wide_ratings", "wide_with_gold"),
    *("wide_with_remarks", "grid_q1_anna", "grid_words", "sets_with_commas", "indicators_wide"),
    *("wide_agree_words", "wide_in_documents"),
)


# Who is called a reference is one, and that is said.
@pytest.mark.filterwarnings("ignore:.*by its name")
@pytest.mark.parametrize("name", slow_but(IN_MEMORY, *IN_MEMORY[::4]))
def test_a_frame_is_read_as_a_file_is(name: str, folder: Path) -> None:
    import pandas as pd

    expected = SHAPES[name](folder)
    (file,) = folder.iterdir()
    frame = pd.read_csv(file, sep=None, engine="python")
    for layer, alpha in expected.items():
        found = agreement.of(frame, **question(layer, expected))
        assert close(found.measures[found.primary].value, alpha.value), found.scale_found
        options = ReaderOptions(columns=question(layer, expected))
        by_agree = agree(AgreementRequest(file, options, complete=False))
        assert by_agree.reading.endswith(found.scale_found) or "labels are names" in found.scale_found
