"""`[privacy] documents = "pseudonyms"`: documents and units are called otherwise, and no figure changes."""

import json
from pathlib import Path
from typing import Any

import pytest

from reportgen.campaign import load
from reportgen.pipeline.build import build_site
from reportgen.pipeline.reading import read_campaign
from reportgen.pipeline.version_reports import compare_versions, compute, names_by_version
from reportgen.results import dumps
from reportgen.units import Pseudonyms
from tests.campaigns import marked
from tests.commands import on_disk
from tests.slowly import slow_but

TEXT = "Marie and Pierre met Irène in Paris"
TEXTS = {"minutes-x1": TEXT, "letter.1": f"Yesterday {TEXT}", "memo-x2": TEXT.upper()}
PLACES = ((0, 5), (10, 16), (21, 26), (30, 35))
HIDDEN = '[privacy]\ndocuments = "pseudonyms"\n'
UNITS = '[[unit_sets]]\nid = "tokens"\nunits = "tokens"\n[task]\nnon_annotated = "none"\n'
VERSIONS = "".join(f'[[guidelines]]\nversion = "{each}"\n' for each in ("1.0", "2.0"))
# What tells where figures come from, and which adjudication sheet can be filled in.
NOT_FIGURES = ("settings", "adjudication")


def in_texts(folder: Path, toml: str) -> Path:
    """Write two versions; the second has a document more, which comes first by name."""
    for version in ("1.0", "2.0"):
        texts = TEXTS if version == "1.0" else {**TEXTS, "account-x3": TEXT}
        marks = {
            who: {
                name: [
                    ("AB"[(at + place) % 2 * (version == "1.0")], *span)
                    for place, span in enumerate(PLACES)
                    if (place + at + number) % 4
                ]
                for number, name in enumerate(texts)
            }
            for at, who in enumerate(("ann", "ben", "cleo"))
        }
        on_disk(folder / "exports" / version, marked(texts, marks))
    return on_disk(folder, {"campaign.toml": f'title = "T"\n{toml}{UNITS}{VERSIONS}'})


def table(folder: Path, toml: str) -> Path:
    """Write two versions of a table with names for documents and units."""
    for version, letters in (("1.0", "wxyz"), ("2.0", "avwxyz")):
        rows = [
            f"{each}x9,{each}y-{unit},{'ab'[ord(each) % 2]},{'ab'[unit % 2]},{'ab'[unit // 2]}"
            for each in letters
            for unit in range(4)
        ]
        table = "\n".join(["document,unit,ann,ben,cleo", *rows])
        on_disk(folder, {f"exports/{version}/sheet.csv": table})
    return on_disk(folder, {"campaign.toml": f'title = "T"\n{toml}{VERSIONS}'})


@pytest.mark.slow
@pytest.mark.parametrize("write", slow_but([in_texts, table], in_texts))
def test_no_figure_hangs_on_what_documents_are_called(tmp_path: Path, write: Any) -> None:  # noqa: ANN401
    shown, _ = figures(write(tmp_path / "shown" / "c", ""))
    hidden, names = figures(write(tmp_path / "hidden" / "c", HIDDEN))
    assert names.documents
    assert [_renamed(each, names) for each in shown] == hidden


def test_a_later_version_changes_no_earlier_number(tmp_path: Path) -> None:
    campaign = load(in_texts(tmp_path / "c", HIDDEN))
    first, second = names_by_version(campaign, read_campaign(campaign)).values()
    assert first.documents == {"letter.1": "D0001", "memo-x2": "D0002", "minutes-x1": "D0003"}
    assert second.documents == {**first.documents, "account-x3": "D0004"}


@pytest.mark.slow
def test_the_site_calls_documents_by_their_pseudonyms_alone(tmp_path: Path) -> None:
    build_site([in_texts(tmp_path / "c", HIDDEN)], tmp_path / "site")
    files = [each for each in (tmp_path / "site").rglob("*") if each.is_file()]
    assert (tmp_path / "site" / "c" / "2.0" / "documents" / "D0004.html").is_file()
    for file in files:
        said = str(file.relative_to(tmp_path)) + file.read_text(encoding="utf-8")
        assert [name for name in ("letter.1", "memo-x2", "minutes-x1", "account-x3") if name in said] == [], (
            file
        )


def test_the_paths_of_guidelines_name_nobody(tmp_path: Path) -> None:
    folder = in_texts(tmp_path / "c", HIDDEN)
    toml = (folder / "campaign.toml").read_text(encoding="utf-8")
    for version in ("1.0", "2.0"):
        (folder / f"{version} for cleo, of letter.1.md").write_text("# All\n", encoding="utf-8")
        named = f'version = "{version}"\n'
        toml = toml.replace(named, f'{named}document = "{version} for cleo, of letter.1.md"\n')
    (folder / "campaign.toml").write_text(toml, encoding="utf-8")
    results, _, compared, *_ = figures(folder)[0]
    assert results["revision"]["document"] == "1.0 for A03, of D0001.md"
    assert compared["guidelines"]["second"] == "2.0 for A03, of D0001.md"


def figures(folder: Path) -> tuple[list[Any], Pseudonyms]:
    """Return the results of both versions and their comparison, without what says where they come from."""
    campaign = load(folder)
    reads = read_campaign(campaign)
    first, second = names_by_version(campaign, reads).values()
    reports = [compute(campaign, *each) for each in zip(reads, (first, second), strict=True)]
    compared = compare_versions(campaign, reads[0], reads[1], first | second)
    assert compared.changed is not None
    found = [
        json.loads(dumps(each))
        for each in (*(one.results for one in reports), compared.comparison, compared.changed)
    ]
    kept = [{name: value for name, value in each.items() if name not in NOT_FIGURES} for each in found]
    return [*kept, *(dict(each.beside) for each in reports)], first | second


def _renamed(value: Any, names: Pseudonyms) -> Any:  # noqa: ANN401 - JSON is anything
    if isinstance(value, dict):
        return {
            names.in_path(name): _renamed(each, names)
            for name, each in value.items()
            if name != "tables/adjudication.csv"
        }
    if isinstance(value, list):
        return [_renamed(each, names) for each in value]
    return names.in_path(names.unit(value)) if isinstance(value, str) else value
