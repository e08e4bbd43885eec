"""texts.json: texts, marks and disagreements, as the pages of a version need them."""

import json
from collections.abc import Iterator
from pathlib import Path
from weakref import ReferenceType, ref

import jsonschema
import pytest

from reportgen.campaign import Campaign
from reportgen.pipeline import targets, version_reports
from reportgen.pipeline.build import build_site
from reportgen.pipeline.reading import VersionExports
from reportgen.pipeline.version_reports import Report, compute
from reportgen.results import dumps
from reportgen.results.model import LeftOut
from reportgen.results.texts import Disagreement, Mark, Texts
from reportgen.units import Pseudonyms
from tests.campaigns import GENE_RENAMING, report_of, written
from tests.test_marked_campaigns import FILES, UNIT_SETS

RATINGS = """document,item,annotator,label
d1,1,ann,yes
d1,1,ben,no
d1,2,ann,yes
d1,2,ben,yes
d2,3,ann,no
d2,3,ben,yes
"""


def texts_of(folder: Path) -> Texts:
    texts = report_of(folder).texts
    assert texts is not None
    return texts


def test_units_on_which_annotators_differ_are_listed_by_unit_set_with_their_place(tmp_path: Path) -> None:
    texts = texts_of(written(tmp_path / "c", UNIT_SETS, FILES))
    found = {
        each.unit_set: [(unit.document, unit.spans, dict(unit.labels)) for unit in each.units]
        for each in texts.disagreements
    }
    assert found["tokens"] == [
        (0, ((0, 4),), {"A01": "NAME|PER", "A02": "PER"}),
        (0, ((5, 9),), {"A01": "PER", "A02": "(unmarked)"}),
    ]
    assert found["marks"] == [
        (0, ((0, 4),), {"A01": "NAME", "A02": "PER"}),
        (0, ((0, 9),), {"A01": "PER", "A02": "(unmarked)"}),
    ]


def test_units_of_a_table_are_listed_by_name(tmp_path: Path) -> None:
    texts = texts_of(written(tmp_path / "c", "", {"exports/1.0/r.csv": RATINGS}))
    assert [each.text for each in texts.documents] == [None, None]
    (found,) = texts.disagreements
    assert [(unit.name, unit.document, dict(unit.labels)) for unit in found.units] == [
        ("1", 0, {"A01": "yes", "A02": "no"}),
        ("3", 1, {"A01": "no", "A02": "yes"}),
    ]


def test_a_confusion_matrix_has_no_units_to_read() -> None:
    assert report_of(GENE_RENAMING).texts is None


def test_texts_that_are_withheld_stand_nowhere(tmp_path: Path) -> None:
    folder = written(tmp_path / "c", f'[privacy]\ntexts = "withhold"\n{UNIT_SETS}', FILES)
    build_site([folder], tmp_path / "site")
    files = sorted(path for path in (tmp_path / "site").rglob("*") if path.is_file())
    version = tmp_path / "site" / "c" / "1.0"
    names = {path.relative_to(version).parts[0] for path in files if path.is_relative_to(version)}
    assert {"texts.json", "documents", "disagreements"}.isdisjoint(names)
    for path in files:
        content = path.read_text(encoding="utf-8")
        assert "Anna Berg" not in content, path
        assert 'href="documents/' not in content, path


@pytest.mark.slow
def test_texts_are_written_and_read_back(tmp_path: Path) -> None:
    folder = written(tmp_path / "c", UNIT_SETS, FILES)
    build_site([folder], tmp_path / "site")
    content = (tmp_path / "site" / "c" / "1.0" / "texts.json").read_text(encoding="utf-8")
    assert dumps(Texts.model_validate_json(content)) == content
    jsonschema.Draft202012Validator(Texts.model_json_schema()).validate(json.loads(content))


def test_what_there_are_thousands_of_takes_no_more_memory_than_its_values() -> None:
    made = Mark("A01", "PER", ((0, 4),)), Disagreement({"A01": "PER"}), LeftOut("e.csv", 1, "A01", "", 1)
    assert not any(hasattr(each, "__dict__") for each in made)


def test_nothing_of_exports_is_kept_when_pages_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[ReferenceType[object]] = []

    def computed(campaign: Campaign, own: VersionExports, names: Pseudonyms) -> Report:
        read.extend(map(ref, [own, *own.annotations, *own.studies]))
        return compute(campaign, own, names)

    def pages(*_: object) -> Iterator[tuple[str, str]]:
        yield "index.html", f"{sum(each() is not None for each in read)} of {len(read)} kept"

    monkeypatch.setattr(version_reports, "compute", computed)
    monkeypatch.setattr(targets, "pages_of", pages)
    build_site([written(tmp_path / "c", "", {"exports/1.0/r.csv": RATINGS})], tmp_path / "site")
    assert (tmp_path / "site/c/1.0/index.html").read_text(encoding="utf-8") == "0 of 3 kept"
