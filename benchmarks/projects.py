"""Projects of marks in texts as INCEpTION exports them: what `init` and `build` take, by documents."""

import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.large import cost_of

LARGEST = 1_000
MILLISECONDS = 1000
SIZES = (100, 1_000, 10_000)
# How many annotators read each document, and in how many layers they mark.
SHAPES = ((3, 1), (3, 12), (9, 1), (9, 12))
SENTENCES, WORDS_OF_SENTENCE = 12, 20
MARKS_OF_LAYER = 6
LABELS = ("Premise", "Claim", "Evidence", "Concession", "Question")
# How often an annotator leaves a mark out, moves its end, or chooses another label.
OMITTED, MOVED, OTHER = 0.1, 0.15, 0.15
LETTERS = "etaoinshrdlu"
SEED = 31

TYPE = """<typeDescription><name>{name}</name><description/>
<supertypeName>uima.tcas.Annotation</supertypeName><features>{features}</features></typeDescription>"""
FEATURE = """<featureDescription><name>{name}</name><description/>
<rangeTypeName>uima.cas.String</rangeTypeName></featureDescription>"""
SEGMENTATION = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type"
SYSTEM = """<?xml version="1.0" encoding="UTF-8"?>
<typeSystemDescription xmlns="http://uima.apache.org/resourceSpecifier"><types>
{types}
</types></typeSystemDescription>
"""
XMI = """<?xml version="1.0" encoding="UTF-8"?>
<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" \
xmlns:tcas="http:///uima/tcas.ecore" xmlns:custom="http:///custom.ecore" \
xmlns:type="http:///de/tudarmstadt/ukp/dkpro/core/api/segmentation/type.ecore" xmi:version="2.0">
<cas:NULL xmi:id="0"/>
{structures}
<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString="{text}"/>
<cas:View sofa="1" members="{members}"/>
</xmi:XMI>
"""


def run(largest: int) -> Iterator[str]:
    """Yield a table in Markdown, a line for each command and project up to `largest` documents."""
    yield "| documents | annotators | layers | command | seconds of processors | ms a copy | MB |"
    yield "|--:|--:|--:|---|--:|--:|--:|"
    for documents in (size for size in SIZES if size <= largest):
        for annotators, layers in SHAPES:
            with tempfile.TemporaryDirectory() as folder:
                campaign = Path(folder) / "project"
                make(campaign, documents, annotators, layers)
                out = f"{folder}/site"
                for command in (["init", str(campaign)], ["build", str(campaign), "--out", out]):
                    cost = cost_of([sys.executable, "-m", "reportgen", *command])
                    each = MILLISECONDS * cost.processors / (documents * annotators)
                    size = f"| {documents:,} | {annotators} | {layers} | `{command[0]}` |"
                    yield f"{size} {cost.processors:.1f} | {each:.1f} | {cost.memory:,.0f} |"


def make(campaign: Path, documents: int, annotators: int, layers: int) -> None:
    """Write the exports of a project: a folder for each document, with a copy for each annotator."""
    names = [f"Layer{number}" for number in range(1, layers + 1)]
    system = _type_system(names)
    for number in range(documents):
        chance = random.Random(f"{SEED} {number}")  # noqa: S311 - no secret
        folder = campaign / "exports" / "1.0" / f"doc{number:05}.txt"
        folder.mkdir(parents=True)
        (folder / "TypeSystem.xml").write_text(system, encoding="utf-8")
        sentences = [_sentence(chance) for _ in range(SENTENCES)]
        text = " ".join(" ".join(words) for words in sentences)
        tokens, segments = _segments(sentences)
        true = [_marks(chance, len(tokens)) for _ in names]
        for annotator in range(1, annotators + 1):
            structures = [*segments, *_own_marks(chance, names, true, tokens)]
            numbered = [
                line.replace(" ", f' xmi:id="{place}" ', 1) for place, line in enumerate(structures, 2)
            ]
            members = " ".join(str(place) for place in range(2, len(structures) + 2))
            content = XMI.format(structures="\n".join(numbered), text=text, members=members)
            (folder / f"annotator{annotator}.xmi").write_text(content, encoding="utf-8")


def _type_system(names: list[str]) -> str:
    label = FEATURE.format(name="label")
    types = [TYPE.format(name=f"{SEGMENTATION}.{name}", features="") for name in ("Sentence", "Token")]
    types += [TYPE.format(name=f"custom.{name}", features=label) for name in names]
    return SYSTEM.format(types="\n".join(types))


def _sentence(chance: random.Random) -> list[str]:
    words = ["".join(chance.choices(LETTERS, k=chance.randint(2, 8))) for _ in range(WORDS_OF_SENTENCE)]
    return [words[0].capitalize(), *words[1:-1], f"{words[-1]}."]


def _segments(sentences: list[list[str]]) -> tuple[list[tuple[int, int]], list[str]]:
    """Return where the tokens are, and the elements of sentences and tokens."""
    tokens: list[tuple[int, int]] = []
    elements: list[str] = []
    place = 0
    for words in sentences:
        begin = place
        for word in words:
            tokens.append((place, place + len(word)))
            place += len(word) + 1
        elements += [f'<type:Sentence sofa="1" begin="{begin}" end="{place - 1}"/>']
        elements += [
            f'<type:Token sofa="1" begin="{start}" end="{end}"/>' for start, end in tokens[-len(words) :]
        ]
    return tokens, elements


def _marks(chance: random.Random, tokens: int) -> list[tuple[int, int, str]]:
    """Return what is there to be marked in one layer: first token, last token and label."""
    firsts = sorted(chance.sample(range(0, tokens - 8, 8), MARKS_OF_LAYER))
    return [(first, first + chance.randint(0, 5), chance.choice(LABELS)) for first in firsts]


def _own_marks(
    chance: random.Random,
    names: list[str],
    true: list[list[tuple[int, int, str]]],
    tokens: list[tuple[int, int]],
) -> Iterator[str]:
    """Yield the elements that an annotator makes of what is there."""
    for name, marks in zip(names, true, strict=True):
        for first, last, label in marks:
            if chance.random() < OMITTED:
                continue
            end = tokens[last + (chance.random() < MOVED)][1]
            own = chance.choice(LABELS) if chance.random() < OTHER else label
            yield f'<custom:{name} sofa="1" begin="{tokens[first][0]}" end="{end}" label="{own}"/>'
