"""What a report shows of what the campaign says of itself."""

from pathlib import Path

import pytest

from reportgen.campaign import Corpus, Protocol
from reportgen.report.view import ReportView
from tests.campaigns import results

TEMPLATES = Path(__file__).parents[2] / "templates"


@pytest.mark.parametrize("template", ["report.html.j2", "report.md.j2"])
def test_no_key_of_corpus_or_protocol_is_forgotten(template: str) -> None:
    text = (TEMPLATES / template).read_text(encoding="utf-8")
    for name in (*Corpus.model_fields, *Protocol.model_fields):
        assert f'"{name}"' in text


def test_each_layer_puts_its_own_primary_coefficient_first(tmp_path: Path) -> None:
    rows = ["unit,annotator,tone,stance"]
    rows += [f"{n},{who},{n % 2},{(n + (who == 'B' and n == 0)) % 2}" for n in range(9) for who in "AB"]
    toml = (
        '[[layers]]\nid = "tone"\ncoefficient = "scott_pi"\n[[layers]]\nid = "stance"\nscale = "interval"\n'
    )
    found = ReportView(results(tmp_path, toml, "\n".join(rows)))
    first = [layer.coefficients.rows[0][0] for layer in found.layers]
    assert first == ["Scott's pi", "Krippendorff's alpha [interval]"]
