"""No spreadsheet computes a cell of a table that we write, and each is read back as the text that it was."""

import csv
import io
import json
import re
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from reportgen.base.files import as_csv, from_csv
from reportgen.readers import Ratings, ReaderOptions, read_table
from reportgen.report.matrices import matrix_table
from reportgen.report.tables import to_csv
from tests.commands import on_disk, run
from tests.counted import as_counts, differences, reports_of

pytestmark = pytest.mark.slow

# Labels, and the names of documents, units and people, begin as formulas do.
LABELS = ("=cmd|'/c calc'!A0", "@SUM(1)", "+", "-1 of them", "'=x", "-5")
COMPUTED = re.compile(r"['\s]*[=+@\t\r\n]|['\s]*-(?![0-9]+(\.[0-9]+)?(e-?[0-9]+)?\Z)")
TOML = """
[privacy]
annotators = "names"
[[guidelines]]
version = "1"
exports = ["exports/1/*"]
columns = { unit = "unit", document = "document", annotator = "annotator", label = "label" }
[[guidelines]]
version = "2"
exports = ["exports/2/*"]
columns = { unit = "unit", document = "document", annotator = "annotator", label = "label" }
[[distances]]
id = "given"
file = "given.csv"
why = "An expert says so."
"""


def ratings(shift: int) -> str:
    """Return what three people say of units in four documents; they do not always agree."""
    rows = [
        (f"=u{unit}", f"@d{unit % 4}", who, LABELS[(unit + (unit % 3 == shift) * place) % len(LABELS)])
        for unit in range(36)
        for place, who in enumerate(("=ann", "+bea", "cyd"))
    ]
    buffer = io.StringIO(newline="")
    csv.writer(buffer).writerows([("unit", "document", "annotator", "label"), *rows])
    return buffer.getvalue()


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = [[one, *(str(float(one != other)) for other in LABELS)] for one in LABELS]
    files = {
        "campaign.toml": f'title = "Formulas"\n{TOML}',
        "given.csv": as_csv([["", *LABELS], *rows]),
        "exports/1/e.csv": ratings(0),
        "exports/2/e.csv": ratings(1),
    }
    return on_disk(tmp_path_factory.mktemp("formulas") / "campaign", files)


@pytest.fixture(scope="module")
def site(campaign: Path) -> Path:
    result = run("build", campaign, "--out", campaign.parent / "site")
    assert result.exit_code == 0, result.output
    return campaign.parent / "site"


@pytest.fixture(scope="module")
def bundle(campaign: Path) -> Path:
    result = run("bundle", campaign, "2", "--out", campaign.parent / "bundle.zip")
    assert result.exit_code == 0, result.output
    return campaign.parent / "bundle.zip"


def computed(text: str) -> Iterator[str]:
    """Yield the cells that a spreadsheet computes."""
    for row in csv.reader(io.StringIO(text, newline="")):
        yield from (cell for cell in row if re.match(COMPUTED, cell) and not cell.startswith("'"))


def test_no_cell_of_any_table_is_a_formula(campaign: Path, site: Path, bundle: Path) -> None:
    gold, counts = campaign.parent / "gold.csv", campaign.parent / "counts"
    assert run("gold", campaign, "2", "--out", gold).exit_code == 0
    assert run("count", campaign / "exports" / "2" / "e.csv", "--out", counts).exit_code == 0
    tables = {str(path): path.read_bytes() for path in (*site.rglob("*.csv"), *counts.glob("*.csv"), gold)}
    with zipfile.ZipFile(bundle) as archive:
        tables |= {name: archive.read(name) for name in archive.namelist() if name.endswith(".csv")}
    # The exports themselves are in a bundle, byte by byte.
    ours = {name: content for name, content in tables.items() if not name.endswith("exports/2/e.csv")}
    assert len(ours) > 60
    assert {name: found for name, content in ours.items() if (found := [*computed(content.decode())])} == {}
    assert sum(b"'=cmd|" in content for content in ours.values()) > 20


def test_the_key_to_pseudonyms_has_no_formula(campaign: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(campaign, tmp_path / "campaign")
    toml = folder / "campaign.toml"
    toml.write_text(
        toml.read_text(encoding="utf-8").replace('annotators = "names"', 'annotators = "pseudonyms"'),
        encoding="utf-8",
    )
    result = run("key", folder, "--out", tmp_path / "key.csv")
    assert result.exit_code == 0, result.output
    text = (tmp_path / "key.csv").read_text(encoding="utf-8")
    assert "'=ann" in text
    assert [*computed(text)] == []


def test_counts_are_read_back(campaign: Path, tmp_path: Path) -> None:
    reports = reports_of(campaign)
    again = reports_of(as_counts(campaign, tmp_path, reports=reports))
    assert [*differences(reports["2"].results, again["2"].results)] == []


def test_a_gold_standard_is_a_table_of_ratings(campaign: Path, tmp_path: Path) -> None:
    files = {"e.csv": tmp_path / "e.csv", "lines": tmp_path / "gold.jsonl"}
    for out in files.values():
        assert run("gold", campaign, "2", "--out", out).exit_code == 0
    said = [json.loads(line) for line in files["lines"].read_text(encoding="utf-8").splitlines()]
    labels = {(row["document"], row["unit"]): row["label"] for row in said if row["label"]}
    read = read_table([(files["e.csv"], "e.csv")], ReaderOptions()).content
    assert isinstance(read, Ratings)
    found = {
        (read.documents[read.document[unit]], read.unit_names[unit]): read.labels[label]
        for unit, label in zip(read.unit.tolist(), read.label.tolist(), strict=True)
    }
    assert found == labels
    assert set(LABELS) >= set(found.values()) >= {"=cmd|'/c calc'!A0", "+"}


def test_a_table_of_others_keeps_its_apostrophes(tmp_path: Path) -> None:
    path = tmp_path / "e.csv"
    path.write_text("unit,A,B\n1,'=x,=x\n2,=x,=x\n", encoding="utf-8")
    assert json.loads(run("agree", path, "--json").stdout)["categories"] == ["'=x", "=x"]


def test_a_confusion_matrix_is_read_back(tmp_path: Path) -> None:
    counts = [[3 + (row == column) for column in range(len(LABELS))] for row in range(len(LABELS))]
    text = to_csv(matrix_table("m", ("=ann\\+bea", *LABELS), counts, "count"))
    assert [*computed(text)] == []
    (tmp_path / "m.csv").write_text(text, encoding="utf-8", newline="")
    result = run("agree", tmp_path / "m.csv", "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert (found["categories"], found["annotators"]) == ([*LABELS], ["=ann", "+bea"])


@pytest.mark.parametrize("text", ["a\rb", "\r", "a\nb", "\t", 'a"b', "a,b", "", "'", "''=", " =1", "-1"])
def test_any_cell_is_read_back(text: str) -> None:
    assert from_csv(as_csv([(text, "x"), ("y", text)])) == [[text, "x"], ["y", text]]


def test_numbers_are_no_formulas() -> None:
    assert as_csv([(-1, -0.5, "-1", "-0.5", None), ("-", "+1", "-1e5", "1-2", "=")]) == (
        "-1,-0.5,-1,-0.5,\n'-,'+1,'-1e5,1-2,'=\n"
    )
