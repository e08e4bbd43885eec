"""What a report shows of what the campaign says of itself."""

from pathlib import Path

from reportgen.campaign.toml_tables import Corpus, Protocol
from reportgen.report import contents
from reportgen.report.material import ELSEWHERE, IN_AMOUNTS, TITLES
from reportgen.report.view import ReportView
from tests.campaigns import results


def test_no_key_of_corpus_or_protocol_is_forgotten() -> None:
    declared = {f"corpus.{key}" for key in Corpus.model_fields}
    declared |= {f"protocol.{key}" for key in Protocol.model_fields}
    assert declared == {*TITLES, *IN_AMOUNTS} - {*ELSEWHERE}


def test_each_layer_puts_its_own_primary_coefficient_first(tmp_path: Path) -> None:
    rows = ["unit,annotator,tone,stance"]
    rows += [f"{n},{who},{n % 2},{(n + (who == 'B' and n == 0)) % 2}" for n in range(9) for who in "AB"]
    toml = (
        '[[layers]]\nid = "tone"\ncoefficient = "scott_pi"\n[[layers]]\nid = "stance"\nscale = "interval"\n'
    )
    found = ReportView(results(tmp_path, toml, "\n".join(rows)))
    first = [contents.coefficients(each.results, each.members).rows[0][0] for each in found.layers]
    assert first == ["Scott's pi", "Krippendorff's alpha [interval]"]
