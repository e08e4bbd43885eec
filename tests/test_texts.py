"""texts.json: texts, marks, units and disagreements, as the pages of a version need them."""

import csv
import io
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
from tests.commands import run
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


SENTENCES = ("The gene was renamed.", "Nothing is known.", "The gene was renamed.", "It rains & pours.")
LABELS = {"Ann": "abab", "Bob": "bbbb"}
TOML = """title = "Sentences"

[[guidelines]]
version = "1.0"
exports = "r.csv"
columns = { text = "sentence" }
"""


def built(folder: Path, table: str) -> tuple[Path, str]:
    campaign = folder / "campaigns" / "c"
    campaign.mkdir(parents=True)
    (campaign / "campaign.toml").write_text(TOML, encoding="utf-8")
    (campaign / "r.csv").write_text(table, encoding="utf-8")
    answer = run("build", campaign, "--out", folder / "site")
    assert answer.exit_code == 0, answer.output
    return folder / "site" / "c" / "1.0", answer.stderr


def table() -> str:
    rows = [
        f'u{place},d{place % 2},{who},{labels[place]},"{text}"'
        for place, text in enumerate(SENTENCES)
        for who, labels in LABELS.items()
    ]
    return "\n".join(("item,document,annotator,label,sentence", *rows, ""))


def read_csv(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"))))


def test_disagreements_clarify_and_sheets_show_text_unit_and_document(tmp_path: Path) -> None:
    site, said = built(tmp_path, table())
    assert "another text" not in said
    texts = json.loads((site / "texts.json").read_text(encoding="utf-8"))
    (found,) = texts["disagreements"]
    assert [(each["name"], each["text"]) for each in found["units"]] == [
        ("u0", SENTENCES[0]), ("u2", SENTENCES[2])
    ]  # fmt: skip
    assert [each["form"] for each in texts["clarify"][0]["forms"]] == ["the gene was renamed."]
    (page,) = (site / "disagreements").glob("*.html")
    html = page.read_text(encoding="utf-8")
    assert SENTENCES[0] in html
    assert "d0 · u0" in html
    (row, _) = read_csv(next((site / "tables").glob("disagreements.*.csv")))
    assert (row["document"], row["unit"], row["text"]) == ("d0", "u0", SENTENCES[0])
    (row, _) = read_csv(site / "tables" / "adjudication.csv")
    assert (row["document"], row["unit"], row["text"]) == ("d0", "u0", SENTENCES[0])
