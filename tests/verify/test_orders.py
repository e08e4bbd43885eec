"""`reportgen verify` of campaigns that declare things in another order than the alphabet's."""

import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from reportgen.pipeline.build import build_site
from reportgen.publish.verify import verify
from tests.campaigns import results
from tests.cases import stored
from tests.slowly import slow_but

PEOPLE = ("zed", "amy", "bob")
COLUMNS = {"size": ("small", "big", "mid"), "colour": ("red", "blue"), "mood": ("a|b", "b", "c|a", "c")}
LAYERS = stored("campaigns/layers-of-ratings.toml")
ROLES = stored("campaigns/roles.toml")
IN_TEXTS = stored("campaigns/layers-in-texts.toml")
# Unit sets, distances and categories, none of them by the alphabet, on marks in texts.
SETS = stored("campaigns/unit-sets.toml")
DISTANCE = ",New,Former,None\nNew,0,0.5,1\nFormer,0.5,0,1\nNone,1,1,0\n"
WORDS = ("the", "gene", "yxaA", "was", "renamed", "to", "yxaB", "and", "no", "other", "name")


def table(seed: int, people: Sequence[str]) -> dict[str, str]:
    """Return ratings of three columns by some people, who mostly say the same."""
    chance = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
    rows = [f"document,item,annotator,{','.join(COLUMNS)}"]
    for unit in range(30):
        truth = [chance.choice(labels) for labels in COLUMNS.values()]
        for who in people:
            said = [
                each if chance.random() < 0.7 else chance.choice(labels)
                for each, labels in zip(truth, COLUMNS.values(), strict=True)
            ]
            rows.append(f"d{unit % 6},u{unit},{who},{','.join(said)}")
    return {"ratings.csv": "\n".join(rows) + "\n"}


def texts(seed: int, people: Sequence[str]) -> dict[str, str]:
    """Return brat's files of marks and relations between them."""
    chance = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
    text = " ".join(WORDS)
    files: dict[str, str] = {}
    for number in range(4):
        for who in people:
            starts = sorted(chance.sample(range(len(WORDS)), 5))
            lines = []
            for place, word in enumerate(starts, 1):
                start = len(" ".join(WORDS[:word])) + bool(word)
                label = chance.choice(("New", "Former"))
                lines.append(f"T{place}\t{label} {start} {start + len(WORDS[word])}\t{WORDS[word]}\n")
            lines += [f"R{place}\tSame Arg1:T{place} Arg2:T{place + 1}\n" for place in (1, 3)]
            files |= {f"{who}/d{number}.txt": text, f"{who}/d{number}.ann": "".join(lines)}
    return files


def campaign(folder: Path, toml: str, versions: Mapping[str, Mapping[str, str]]) -> Path:
    """Write a campaign of some versions, in their order."""
    own = [
        f'[[guidelines]]\nversion = "{name}"\nexports = "exports/{name}"\nset_separator = "|"\n'
        for name in versions
    ]
    files = {
        f"exports/{name}/{file}": text for name, found in versions.items() for file, text in found.items()
    }
    beside = {"z.csv": DISTANCE, "a.csv": DISTANCE} if "[[distances]]" in toml else {}
    for name, text in {**files, **beside, "campaign.toml": f'title = "Orders"\n{toml}{"".join(own)}'}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


KINDS = {
    "one version of layers": (LAYERS, {"1.0": table(1, PEOPLE[:2])}),
    "three versions of layers": (LAYERS, {name: table(int(name[0]), PEOPLE) for name in ("2", "10", "1")}),
    "layers with references, releases and a model": (
        LAYERS + ROLES,
        {"b": table(1, ("tagger", "zgold", *PEOPLE, "brain", "agold", "model"))},
    ),
    "layers of relations and marks": (IN_TEXTS, {"b": texts(1, PEOPLE), "a": texts(2, PEOPLE)}),
    "unit sets and distances": (SETS, {"b": texts(1, PEOPLE[:2]), "a": texts(2, PEOPLE[:2])}),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", slow_but(KINDS, "one version of layers"))
def test_a_site_is_the_same_in_whatever_order_its_campaign_declares_things(kind: str, tmp_path: Path) -> None:
    build_site([campaign(tmp_path / "votes", *KINDS[kind])], tmp_path / "site")
    assert [f"{each.file}: {each.what}" for each in verify(tmp_path / "site").outcome.differences] == []


@pytest.mark.slow
def test_layers_keep_the_order_of_the_campaign_in_results(tmp_path: Path) -> None:
    found = results(tmp_path, LAYERS, table(1, PEOPLE)["ratings.csv"])
    assert found.layers == ("size", "colour", "mood")
    assert not found.coefficient_declared
