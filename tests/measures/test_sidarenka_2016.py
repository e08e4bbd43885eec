"""Sidarenka (2016), PotTS: the Potsdam Twitter Sentiment Corpus; kappa on tokens and exact F on spans.

Both annotators' MMAX2 projects go through the whole of reportgen. The published kappa of the final annotation
comes out, and the F of `expected.json`, which was counted from the words that MMAX2 names. Three things are
seen otherwise here:

- One target of each annotator lies over a word that is not there; it has no text and is left out.
- An expression written as words 555 to 558 and 556 covers the same text as one over words 555 to 558.
- Where polarities differ on one span, `expected.json` counts it twice among an annotator's marks and once
  among the matches. Here it is one mark, or two where polarity is a significant feature.
"""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from reportgen.results import Results, SpanPair
from tests.campaigns import results_of
from tests.present import present

LEVELS = ("sentiment", "target", "source", "emo-expression", "intensifier", "diminisher", "negation")
WITH_POLARITY = ("sentiment", "emo-expression")
# Markables of both annotators together, as the files have them.
MARKS = {"sentiment": 5066, "emo-expression": 12965}
LEFT_OUT = {"target": 1}
SAME_TEXT = {"emo-expression": 1}


@pytest.fixture(scope="module")
def found(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Results:
    campaign = tmp_path_factory.mktemp("potts") / "potts"
    shutil.copytree(shared / "data" / "potts-mmax2", campaign / "exports" / "1.0")
    layers = "".join(f'[[layers]]\nid = "{name}"\n' for name in LEVELS)
    layers += "".join(
        f'[[layers]]\nid = "{name}-polarity"\nsource = "{name}"\nfeatures = ["polarity"]\n'
        for name in WITH_POLARITY
    )
    (campaign / "campaign.toml").write_text(
        f'title = "PotTS"\n{layers}[[guidelines]]\nversion = "1.0"\n', encoding="utf-8"
    )
    return results_of(campaign)


@pytest.fixture(scope="module")
def expected(shared: Path) -> Mapping[str, Any]:
    figures: Mapping[str, Any] = json.loads((shared / "data" / "expected.json").read_bytes())
    return figures


def pair_of(found: Results, layer: str) -> SpanPair:
    (pair,) = [each for each in present(found.spans).pairs if each.layer == layer]
    return pair


def marks(pair: SpanPair) -> tuple[int, int]:
    matched = pair.counts.match + pair.counts.overlap
    return matched + pair.counts.only_first, matched + pair.counts.only_second


@pytest.mark.slow
@pytest.mark.parametrize("level", [name for name in LEVELS if name not in (*WITH_POLARITY, "target")])
def test_exact_f_is_that_of_distinct_spans(found: Results, expected: Mapping[str, Any], level: str) -> None:
    pair, figures = pair_of(found, level), expected[f"potts_{level}"]
    assert (pair.documents, *marks(pair)) == (figures["files"], figures["a1"], figures["a2"])
    assert pair.strict["f_measure"].value == pytest.approx(figures["exact_span_f1"], abs=5e-5)


@pytest.mark.slow
def test_with_targets_over_no_word_f_is_of_spans(found: Results, expected: Mapping[str, Any]) -> None:
    pair, figures, more = pair_of(found, "target"), expected["potts_target"], LEFT_OUT["target"]
    assert tuple(each + more for each in marks(pair)) == (figures["a1"], figures["a2"])
    f_measure = 2 * (pair.counts.match + more) / (figures["a1"] + figures["a2"])
    assert f_measure == pytest.approx(figures["exact_span_f1"], abs=5e-5)
    assert pair.strict["f_measure"].value == pytest.approx(figures["exact_span_f1"], abs=3e-4)


@pytest.mark.slow
@pytest.mark.parametrize("level", WITH_POLARITY)
def test_with_polarity_as_a_significant_feature_f_is_that_of_spans_and_polarity(
    found: Results, expected: Mapping[str, Any], level: str
) -> None:
    pair, figures = pair_of(found, f"{level}-polarity"), expected[f"potts_{level}"]
    assert marks(pair) == (figures["a1"], figures["a2"])
    f_measure = 2 * (pair.counts.match - SAME_TEXT.get(level, 0)) / sum(marks(pair))
    assert f_measure == pytest.approx(figures["exact_span_polarity_f1"], abs=5e-5)


@pytest.mark.slow
@pytest.mark.parametrize("level", WITH_POLARITY)
def test_spans_of_two_polarities_count_once(found: Results, expected: Mapping[str, Any], level: str) -> None:
    pair, figures = pair_of(found, level), expected[f"potts_{level}"]
    f_measure = 2 * (pair.counts.match - SAME_TEXT.get(level, 0)) / (figures["a1"] + figures["a2"])
    assert f_measure == pytest.approx(figures["exact_span_f1"], abs=5e-5)
    assert pair.strict["f_measure"].value == pytest.approx(figures["exact_span_f1"], abs=5e-4)


@pytest.mark.slow
def test_what_somebody_said_twice_is_reported(found: Results) -> None:
    doubled = {each.layer: each.doubled for each in present(found.spans).layers}
    assert [doubled[level] for level in LEVELS] == [9, 28, 35, 27, 0, 1, 2]


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
