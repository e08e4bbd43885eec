"""The texts of units are shown wherever annotators differ, with the unit and its document."""

import csv
import io
import json
from pathlib import Path

from tests.commands import run

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
