"""Campaigns of recordings: from three annotators' TextGrids to figures, in milliseconds and without texts."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reportgen.base.errors import BadInput
from reportgen.campaign import load
from reportgen.pipeline.reading import read_campaign
from reportgen.results import Results
from tests.campaigns import VERSION, marked, results_of, written
from tests.commands import run
from tests.readers.write_eaf import aligned, document, tier
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


def eafs(documents: int = 3) -> dict[str, str]:
    """Return the same marks as ELAN has them."""
    times = {f"t{time}": time for time in range(LENGTH + 1)}
    return {
        f"exports/1.0/{who}/d{number}.eaf": document(
            times,
            [
                tier(
                    "words",
                    [
                        aligned(f"a{place}", f"t{begin}", f"t{end}", label)
                        for place, (label, begin, end) in enumerate(found[number % 2 :])
                    ],
                )
            ],
        )
        for who, found in MARKS.items()
        for number in range(documents)
    }


@pytest.mark.parametrize("exports", [grids, eafs])
@pytest.mark.parametrize("name", ["gold.csv", "gold.jsonl"])
def test_a_gold_standard_of_recordings_has_no_texts(
    tmp_path: Path, name: str, exports: Callable[[], dict[str, str]]
) -> None:
    folder = written(tmp_path / "campaign", LAYER, exports())
    result = run("gold", folder, "--out", tmp_path / name)
    assert result.exit_code == 0, result.output
    text = (tmp_path / name).read_text(encoding="utf-8")
    assert "21-26" in text or "[21, 26]" in text


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


def test_units_are_marked_stretches_where_nothing_is_declared_and_marks_add_up(found: Results) -> None:
    (units,) = found.unit_sets
    assert units.kind == "annotated-by-any"
    assert found.material[0].tokens is None
    assert found.marks.read == found.marks.used + found.marks.left_out
    assert found.marks.left_out == 3 * 8  # the tones


@pytest.mark.slow
def test_a_folder_of_textgrids_becomes_a_report_without_texts(tmp_path: Path) -> None:
    folder = tmp_path / "speech"
    for name, text in grids().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-16"))
    made = run("init", folder)
    assert made.exit_code == 0, made.output
    campaign = (folder / "campaign.toml").read_text("utf-8")
    assert 'source = "words->words"' in campaign
    assert 'source = "tones->tones"' in campaign
    assert '\nunits = "annotated-by-any"' in campaign
    built = run("build", folder, "--out", tmp_path / "site")
    assert built.exit_code == 0, built.output
    texts = json.loads((tmp_path / "site" / "speech" / "1.0" / "texts.json").read_text("utf-8"))
    assert texts["layers"] == []
    assert texts["documents"] == [{"name": "d0"}, {"name": "d1"}, {"name": "d2"}]
    assert texts["disagreements"][0]["units"][0]["name"] == "0.000–0.009 s"
    assert not (tmp_path / "site" / "speech" / "1.0" / "documents").exists()
    report = (tmp_path / "site" / "speech" / "1.0" / "report.md").read_text("utf-8")
    assert "then as many common milliseconds as possible" in report
    assert "cut the recordings into units" in report
    # How the export was read says what results.json calls characters.
    assert "character" not in report.replace("places are milliseconds, which figures call characters", "")


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


def test_marks_of_another_tier_are_candidates(tmp_path: Path) -> None:
    toml = f'{LAYER}[[unit_sets]]\nid = "u"\nprimary = true\nunits = "candidates"\nlayer = "names"\n'
    (units,) = results_of(written(tmp_path / "campaign", toml, grids())).unit_sets
    assert units.kind == "candidates"
    assert units.units > 0


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


def test_an_annotator_without_the_tier_is_not_compared_in_it(tmp_path: Path) -> None:
    files = grids()
    files["exports/1.0/clara/d0.TextGrid"] = grid(LENGTH, {"tones": []})
    (seen,) = results_of(written(tmp_path / "campaign", LAYER, files)).material
    assert {each.annotator: each.marked for each in seen.attendance} == {"A01": 3, "A02": 3, "A03": 2}
