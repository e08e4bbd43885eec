"""Sidarenka (2016), PotTS: the Potsdam Twitter Sentiment Corpus; kappa of the final annotation on tokens.

Both annotators' MMAX2 projects go through the whole of reportgen, and the published figures come out.
"""

import shutil
from pathlib import Path

import pytest

from reportgen.results import Results
from tests.campaigns import results_of

LAYERS = ("sentiment", "target", "source", "emo-expression", "intensifier", "diminisher", "negation")
# Markables of both annotators together, as the files have them.
MARKS = {"sentiment": 5066, "emo-expression": 12965}


@pytest.fixture(scope="module")
def found(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Results:
    campaign = tmp_path_factory.mktemp("potts") / "potts"
    shutil.copytree(shared / "data" / "potts-mmax2", campaign / "exports" / "1.0")
    layers = "".join(f'[[layers]]\nid = "{name}"\n' for name in LAYERS)
    (campaign / "campaign.toml").write_text(f'title = "PotTS"\n{layers}[[guidelines]]\nversion = "1.0"\n')
    return results_of(campaign)


@pytest.mark.slow
@pytest.mark.parametrize(("layer", "published"), [("sentiment", 0.5882), ("emo-expression", 0.8029)])
def test_kappa_on_tokens_is_the_published_one(found: Results, layer: str, published: float) -> None:
    (units,) = [each for each in found.unit_sets if each.layer == layer]
    assert units.base == "tokens"
    assert units.measures["cohen_kappa"].value == pytest.approx(published, abs=1e-4)


@pytest.mark.slow
def test_every_mark_is_used_or_left_out_and_no_document_is_taken_for_seen(found: Results) -> None:
    assert found.marks.read == found.marks.used + found.marks.left_out
    assert {each.reason for each in found.left_out} == {"a markable over a word that is not there"}
    assert found.marks.left_out == 2
    for each in found.material:
        assert (each.documents, each.tokens) == (80, 153_456)
        assert [(who.marked + who.empty, who.unseen) for who in each.attendance] == [(63, 17), (80, 0)]
        assert each.marks == MARKS.get(each.layer, each.marks)
