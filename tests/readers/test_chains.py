"""Chains of coreference are named among what is not compared, and refused as a layer to be judged."""

from pathlib import Path

import pytest

from reportgen.base.errors import BadInput
from reportgen.campaign import load
from reportgen.findings.protocol import CHAINS as FINDING
from reportgen.findings.verdicts import UNFIT
from reportgen.pipeline.reading import read_campaign
from reportgen.readers.layers_of_marks import CHAINS, OF_CHAIN, are_chains, is_called_chain
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


def verdict_of(folder: Path) -> str:
    return next(finding.claim for finding in results_of(folder).findings if finding.kind == "verdict")


COREFERENCE = UNFIT["mentions"].claim


@pytest.mark.parametrize(
    ("links", "chained"),
    [
        ("*\tIs T1 T2 T3\n", True),
        ("R1\tCorefers Arg1:T1 Arg2:T2\nR2\tCorefers Arg1:T2 Arg2:T3\n", True),
        ("R1\tCoréférence Arg1:T1 Arg2:T2\nR2\tCoréférence Arg1:T2 Arg2:T3\n", True),
        ("R1\tRenames Arg1:T1 Arg2:T2\nR2\tRenames Arg1:T2 Arg2:T3\n", False),
        # One in three marks is in no chain.
        ("*\tIs T1 T2\n", False),
    ],
)
def test_of_marks_in_chains_there_is_no_verdict(tmp_path: Path, links: str, chained: bool) -> None:  # noqa: FBT001 - a case
    files = {
        name.replace("ann/", f"{who}/"): content
        for who in ("ann", "bea")
        for name, content in brat(links).items()
        if "/ann/" in name
    }
    folder = written(tmp_path / "psalms", "", files)
    assert (verdict_of(folder) == COREFERENCE) is chained
    assert results_of(folder).mentions == (("main",) if chained else None)
    if chained:
        advice = finding(results_of(folder), FINDING.id)
        assert advice is not None
        assert advice.kind is None, "it is what to do"
        assert not [each for each in results_of(folder).findings if each.id == "straddles"]


def test_marks_of_a_layer_of_chains_are_mentions_and_so_are_those_with_the_name_of_a_chain(
    tmp_path: Path,
) -> None:
    files = {f"exports/1.0/d.txt/{who}.tsv": WEBANNO for who in ("ann", "bea")}
    layers = '[[layers]]\nid = "mentions"\nsource = "CoreferenceLink->referenceType"\n'
    assert verdict_of(written(tmp_path / "mentions", layers, files)) == COREFERENCE
    assert [are_chains("coref_class", ["x1", "7"]), are_chains("class", ["set_1", "empty"])] == [True, True]
    named = [
        are_chains("class", ["set_1", "new"]),
        are_chains("class", ["", "empty"]),
        are_chains("kind", ["A"]),
    ]
    assert named == [False, False, False]
    called = ("Ident", "same_as", "Korreferenz", "anaphora", "matches", "identifier", "chained", "cored")
    assert list(map(is_called_chain, called)) == [True] * 5 + [False] * 3
