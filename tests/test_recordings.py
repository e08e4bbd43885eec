"""Campaigns of recordings: from three annotators' TextGrids to figures, in milliseconds and without texts."""

import json
from pathlib import Path
from typing import Any

import pytest

from reportgen.base.errors import BadInput
from reportgen.campaign import load
from reportgen.pipeline.reading import read_campaign
from reportgen.results import Results
from tests.campaigns import VERSION, marked, results_of, written
from tests.readers.write_textgrid import grid

LENGTH = 60
# Of a text as long as the recording, the same marks are the same stretches.
MARKS = {
    "anna": [("PER", 0, 9), ("LOC", 21, 26), ("PER", 30, 45)],
    "ben": [("PER", 2, 9), ("LOC", 21, 26)],
    "clara": [("PER", 0, 9), ("PER", 14, 17), ("LOC", 31, 45)],
}
LAYER = '[[layers]]\nid = "names"\nsource = "words"\n'
UNITS = '[[unit_sets]]\nid = "marked"\nunits = "annotated-by-any"\nprimary = true\n'


def grids(documents: int = 3) -> dict[str, str]:
    """Return a TextGrid for each annotator and recording, with a tier of tones besides."""
    return {
        f"exports/1.0/{who}/d{number}.TextGrid": grid(
            LENGTH,
            {
                "words": [(begin, end, label) for label, begin, end in found[number % 2 :]],
                "tones": [(begin, begin, "H*") for _, begin, _ in found],
            },
        )
        for who, found in MARKS.items()
        for number in range(documents)
    }


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return results_of(written(tmp_path_factory.mktemp("here") / "campaign", LAYER, grids()))


def unitizing(found: Results) -> Any:  # noqa: ANN401 - JSON
    assert found.spans is not None
    assert found.spans.unitizing is not None
    return json.loads(found.spans.unitizing[0].model_dump_json(by_alias=True))


def test_unitizing_figures_are_those_of_a_text_of_that_length(found: Results, tmp_path: Path) -> None:
    texts = {f"d{number}": str(number) * LENGTH for number in range(3)}
    marks = {who: {f"d{number}": each[number % 2 :] for number in range(3)} for who, each in MARKS.items()}
    files = {f"exports/1.0/{name}": text for name, text in marked(texts, marks).items()}
    same = results_of(
        written(tmp_path / "texts", f'[[layers]]\nid = "names"\nsource = "marks"\n{UNITS}', files)
    )
    assert unitizing(found) == unitizing(same)
    assert unitizing(found)["characters"] == 3 * LENGTH
    assert unitizing(found)["measures"]["alpha_u"]["value"] is not None


@pytest.mark.parametrize(
    ("units", "message"),
    [
        ('units = "tokens"', '"tokens" needs texts; this export has recordings'),
        ('units = "sentences"', '"sentences" needs texts'),
        ('units = "candidates"\nfile = "terms.txt"', '"candidates" needs texts'),
        ('units = "annotated-by-any"\nbase = "tokens"', 'base = "tokens" needs texts'),
    ],
)
def test_units_that_need_texts_are_refused(tmp_path: Path, units: str, message: str) -> None:
    toml = f'{LAYER}[[unit_sets]]\nid = "u"\nprimary = true\n{units}\n'
    folder = written(tmp_path / "campaign", toml, {**grids(), "terms.txt": "Anna\n"})
    with pytest.raises(BadInput) as caught:
        read_campaign(load(folder))
    (problem,) = caught.value.problems
    assert message in problem.message
    assert problem.key == f"unit_sets.1.{'base' if 'base' in units else 'units'}"
    assert problem.remedy


def test_a_decision_on_a_stretch_of_time_is_found_by_its_name(tmp_path: Path) -> None:
    head = "layer,document,unit,offsets,text,anna,ben,clara,decision,cause\n"
    sheet = f"{head}names,d0,0.002–0.009 s,,,(unmarked),PER,(unmarked),PER,\n"
    folder = written(tmp_path / "campaign", LAYER, {**grids(), "sheet.csv": sheet})
    toml = (folder / "campaign.toml").read_text("utf-8")
    adjudicated = f'{VERSION}adjudication = "sheet.csv"\n'
    (folder / "campaign.toml").write_text(toml.replace(VERSION, adjudicated), "utf-8")
    found = results_of(folder)
    assert found.adjudication is not None
    assert found.adjudication[0].decided == 1
