"""What a report shows of what the campaign says of itself."""

from pathlib import Path

import pytest

from reportgen.campaign import Corpus, Protocol

TEMPLATES = Path(__file__).parents[2] / "templates"


@pytest.mark.parametrize("template", ["report.html.j2", "report.md.j2"])
def test_no_key_of_corpus_or_protocol_is_forgotten(template: str) -> None:
    text = (TEMPLATES / template).read_text(encoding="utf-8")
    for name in (*Corpus.model_fields, *Protocol.model_fields):
        assert f'"{name}"' in text
