"""Chains of coreference are named among what is not compared, and refused as a layer to be judged."""

from pathlib import Path

import pytest

from reportgen.base.errors import BadInput
from reportgen.campaign import load
from reportgen.findings.protocol import CHAINS as FINDING
from reportgen.pipeline.reading import read_campaign
from reportgen.readers.layers_of_marks import CHAINS, OF_CHAIN
from tests.campaigns import finding, results_of, written
from tests.cases import stored

TEXT = "The Lord is my shepherd and he leads me.\n"
MENTIONS = "T1\tMention 4 8\tLord\nT2\tMention 28 30\the\nT3\tMention 37 39\tme\n"
WEBANNO = stored("webanno/chain.tsv")


def brat(links: str = "*\tCoref T1 T2\n") -> dict[str, str]:
    people = {"ann": MENTIONS + links, "bea": MENTIONS}
    return {
        f"exports/1.0/{who}/p{number}.{kind}": content.replace("The", f"{number} e")
        for who, marks in people.items()
        for number in range(3)
        for kind, content in (("txt", TEXT), ("ann", marks))
    }


def test_the_mentions_are_compared_and_the_report_says_that_chains_were_not(tmp_path: Path) -> None:
    found = results_of(written(tmp_path / "psalms", "", brat()))
    assert CHAINS in found.reading
    assert finding(found, FINDING.id) is not None
    assert sum(each.marks for each in found.left_out if each.reason == OF_CHAIN) == 3
    assert found.marks.read == found.marks.used + found.marks.left_out


@pytest.mark.parametrize("source", ["Coref", "relations"])
def test_chains_are_refused_as_a_layer_in_words(tmp_path: Path, source: str) -> None:
    layers = f'[[layers]]\nid = "chains"\nsource = "{source}"\n'
    with pytest.raises(BadInput) as refusal:
        read_campaign(load(written(tmp_path / "psalms", layers, brat())))
    (problem,) = refusal.value.problems
    assert f'"{source}" are chains of mentions (coreference), which are not compared yet.' in problem.message


def test_chains_of_webanno_are_chains_too(tmp_path: Path) -> None:
    files = {f"exports/1.0/d.txt/{who}.tsv": WEBANNO for who in ("ann", "bea")}
    layers = '[[layers]]\nid = "mentions"\nsource = "CoreferenceLink->referenceType"\n'
    assert CHAINS in results_of(written(tmp_path / "mentions", layers, files)).reading
    layers = '[[layers]]\nid = "chains"\nsource = "CoreferenceLink|referenceRelation->referenceRelation"\n'
    with pytest.raises(BadInput, match="are chains of mentions"):
        read_campaign(load(written(tmp_path / "chains", layers, files)))
