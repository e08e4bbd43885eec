"""Findings are of every layer: the verdict of all, each layer's own beside it, and none is passed over."""

import json
from pathlib import Path

import pytest

from reportgen.findings.annotators import BELOW_CHANCE
from reportgen.findings.layer_facts import of_layer
from reportgen.pipeline.build import build_site
from reportgen.report import markdown_blocks
from reportgen.report.ledger import advices
from reportgen.report.sections.opening import claims
from reportgen.report.view import ReportView
from reportgen.results import Results
from reportgen.words import headline
from tests.campaigns import results_of, written
from tests.commands import run

LAYERS = ("size", "colour", "form")


def export() -> str:
    """Return three layers: all but two units of 120 are agreed on, or hardly any but the black, or some."""
    rows = ["unit,annotator,document,size,colour,form"]
    for n in range(120):
        for who in "AB":
            slip = who == "B"
            size = "sml"[(n + (slip and n in {7, 50})) % 3]
            colour = "k" if n % 4 == 0 else "rgb"[(n * 7 + (n // 3 if slip else 0)) % 3]
            form = "qct"[(n + (slip and n % 9 == 0)) % 3]
            rows.append(f"u{n},{who},d{n // 4},{size},{colour},{form}")
    return "\n".join(rows) + "\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    toml = "".join(f'[[layers]]\nid = "{name}"\nsource = "{name}"\n' for name in LAYERS)
    return written(tmp_path_factory.mktemp("layers") / "things", toml, {"exports/1.0/e.csv": export()})


@pytest.fixture(scope="module")
def found(folder: Path) -> Results:
    return results_of(folder)


def test_the_verdict_is_of_all_layers_the_gravest_first(found: Results) -> None:
    verdicts = [each for each in found.findings if each.id == "verdict"]
    assert [each.severity for each in verdicts] == ["problem", "note", "good"] or [
        each.severity for each in verdicts
    ] == ["problem", "warning", "good"]
    assert verdicts[0].layers == ("colour",)
    assert verdicts[-1].layers == ("size",)
    assert sorted(name for each in verdicts for name in each.layers) == sorted(LAYERS)
    assert all(each.values["all"] == len(LAYERS) for each in verdicts)


def test_what_is_fixed_first_is_what_would_change_most_in_any_layer(found: Results) -> None:
    gains = [each.gain for each in found.findings if each.gain]
    first, *_rest = advices(ReportView(found).findings)
    assert first.gain >= max(gains)
    assert first.gaining.layers == ("colour",)


def test_a_layer_that_stands_before_a_claim_is_not_named_in_it_again(found: Results) -> None:
    one = BELOW_CHANCE.finding(**of_layer("names", "form", {"names": "A"}))
    (advice,) = advices([one])
    (claim,) = claims(ReportView(found), advice, None)
    said = markdown_blocks.inline(claim)
    assert "**layer form:** By the model of Dawid and Skene, labels of A are" in said
    assert said.count("layer form") == 1


@pytest.mark.slow
def test_the_terminal_lists_the_layers_the_worst_first(folder: Path, tmp_path: Path) -> None:
    first, *rows = run("build", folder, "--out", tmp_path / "site").stdout.splitlines()
    assert first.startswith("things 1.0: agreement is too low on 1, ")
    assert first.endswith(" of 3 layers")
    assert rows[0].split()[:2] == ["✗", "colour"]
    assert rows[0].split()[-2:] == ["too", "low"]
    assert [row.split()[0] for row in rows[:3]] == sorted(
        (row.split()[0] for row in rows[:3]), key="✗?~✓".index
    )


@pytest.mark.slow
def test_page_markdown_history_badge_index_and_terminal_say_it_of_all_layers(
    folder: Path, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    built = build_site([folder], site)
    said = headline.headline(headline.standings(results_of(folder)))
    assert said.startswith("Only the layers “size” ")
    assert "“colour” falls short" in said
    assert said in built.campaigns[0].remembered.scores[0].verdict
    for page in ("things/1.0/index.html", "things/1.0/report.md", "things/index.html", "index.html"):
        assert said in (site / page).read_text(encoding="utf-8"), page
    badge = json.loads((site / "things/badge.json").read_text(encoding="utf-8"))
    assert badge["message"].endswith("of 3 layers")
    assert badge["layer"] == "colour"
    assert badge["value"] == min(
        each["figure"]["value"]
        for each in json.loads((site / "things/history.json").read_text(encoding="utf-8"))["versions"][0][
            "layers"
        ]
    )
