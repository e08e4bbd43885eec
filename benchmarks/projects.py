"""Projects of marks in texts, as INCEpTION and brat have them: what `init` and `build` take, by documents."""

import io
import random
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.large import cost_of

LARGEST = 1_000
MILLISECONDS = 1000
SIZES = (100, 1_000, 10_000)
# In which format, how many annotators read each document, and in how many layers they mark.
SHAPES = (("xmi", 3, 1), ("xmi", 3, 12), ("brat", 3, 1), ("brat", 3, 12))
# A project of 1,701 copies.
MIDDLE = (("xmi", 9, 1), ("xmi", 9, 12))
DOCUMENTS_OF_MIDDLE = 189
# What others do with the same marks: INCEpTALYTICS reads them, bratiaa reads them and computes F.
PEERS = {
    "xmi": (
        "INCEpTALYTICS",
        "import sys; from inceptalytics import Project; Project.from_zipped_xmi(sys.argv[1])",
    ),
    "brat": ("bratiaa", "import sys, bratiaa; bratiaa.iaa_report(bratiaa.compute_f1_agreement(sys.argv[1]))"),
}
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


# An annotator's mark: its layer, where it begins and ends, and its label.
Mark = tuple[str, int, int, str]


@dataclass(frozen=True)
class Document:
    """A document: its text, where its tokens are, the elements of them in XMI, and each annotator's marks."""

    name: str
    text: str
    segments: Sequence[str]
    copies: Sequence[Sequence[Mark]]


def run(largest: int, peers: str | None = None) -> Iterator[str]:
    """Yield a table in Markdown, a line for each command and project up to `largest` documents.

    `peers` is a Python that has the packages of others.
    """
    kinds = "format | documents | annotators | layers | command"
    yield f"| {kinds} | seconds | processor seconds | ms per copy | MB |"
    yield "|---|--:|--:|--:|---|--:|--:|--:|--:|"
    sizes = [(documents, shape) for documents in SIZES if documents <= largest for shape in SHAPES]
    if largest >= DOCUMENTS_OF_MIDDLE:
        sizes += [(DOCUMENTS_OF_MIDDLE, shape) for shape in MIDDLE]
    for documents, (form, annotators, layers) in sizes:
        with tempfile.TemporaryDirectory() as folder:
            campaign = Path(folder) / "project"
            exports = make(campaign, documents, annotators, layers, form)
            commands = {
                "`init`": [sys.executable, "-m", "reportgen", "init", str(campaign)],
                "`build`": [
                    sys.executable,
                    "-m",
                    "reportgen",
                    "build",
                    str(campaign),
                    "--out",
                    f"{folder}/site",
                ],
            }
            if peers:
                name, script = PEERS[form]
                argument = exports if form == "brat" else zipped(exports, Path(folder) / "project.zip")
                commands[name] = [peers, "-c", script, str(argument)]
            for name, command in commands.items():
                cost = cost_of(command)
                each = MILLISECONDS * cost.processors / (documents * annotators)
                size = f"| {form} | {documents:,} | {annotators} | {layers} | {name} | {cost.clock:.0f} |"
                yield f"{size} {cost.processors:.1f} | {each:.1f} | {cost.memory:,.0f} |"


def make(campaign: Path, documents: int, annotators: int, layers: int, form: str = "xmi") -> Path:
    """Write the exports of a project, and return their folder.

    INCEpTION has a folder for each document, with a copy for each annotator; brat one for each annotator.
    """
    exports = campaign / "exports" / "1.0"
    names = [f"Layer{number}" for number in range(1, layers + 1)]
    exports.mkdir(parents=True)
    if form == "brat":
        types = "\n".join(LABELS if layers == 1 else names)
        (exports / "annotation.conf").write_text(f"[entities]\n{types}\n", encoding="utf-8")
    for number in range(documents):
        document = _document(number, annotators, names)
        if form == "brat":
            _write_brat(exports, document, layers)
        else:
            _write_xmi(exports, document, names)
    return exports


def _document(number: int, annotators: int, names: Sequence[str]) -> Document:
    chance = random.Random(f"{SEED} {number}")  # noqa: S311 - no secret
    sentences = [_sentence(chance) for _ in range(SENTENCES)]
    tokens, segments = _segments(sentences)
    true = [_marks(chance, len(tokens)) for _ in names]
    copies = [list(_own_marks(chance, names, true, tokens)) for _ in range(annotators)]
    text = " ".join(" ".join(words) for words in sentences)
    return Document(f"doc{number:05}", text, segments, copies)


def _write_xmi(exports: Path, document: Document, names: Sequence[str]) -> None:
    folder = exports / f"{document.name}.txt"
    folder.mkdir()
    (folder / "TypeSystem.xml").write_text(_type_system(names), encoding="utf-8")
    for annotator, marks in enumerate(document.copies, 1):
        own = [
            f'<custom:{name} sofa="1" begin="{begin}" end="{end}" label="{label}"/>'
            for name, begin, end, label in marks
        ]
        structures = [
            line.replace(" ", f' xmi:id="{place}" ', 1)
            for place, line in enumerate([*document.segments, *own], 2)
        ]
        members = " ".join(str(place) for place in range(2, len(structures) + 2))
        content = XMI.format(structures="\n".join(structures), text=document.text, members=members)
        (folder / f"annotator{annotator}.xmi").write_text(content, encoding="utf-8")


def _write_brat(exports: Path, document: Document, layers: int) -> None:
    for annotator, marks in enumerate(document.copies, 1):
        folder = exports / f"annotator{annotator}"
        folder.mkdir(exist_ok=True)
        lines = [
            f"T{place}\t{label if layers == 1 else name} {begin} {end}\t{document.text[begin:end]}\n"
            for place, (name, begin, end, label) in enumerate(marks, 1)
        ]
        (folder / f"{document.name}.ann").write_text("".join(lines), encoding="utf-8")
        (folder / f"{document.name}.txt").write_text(document.text, encoding="utf-8")


def zipped(exports: Path, path: Path) -> Path:
    """Return an archive of a project, as INCEpTION writes it: each copy is one with its type system."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for copy in sorted(exports.rglob("*.xmi")):
            made = io.BytesIO()
            with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as own:
                own.write(copy, copy.name)
                own.write(copy.with_name("TypeSystem.xml"), "TypeSystem.xml")
            archive.writestr(f"annotation/{copy.parent.name}/{copy.stem}.zip", made.getvalue())
    return path


def _type_system(names: Sequence[str]) -> str:
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
    names: Sequence[str],
    true: Sequence[list[tuple[int, int, str]]],
    tokens: Sequence[tuple[int, int]],
) -> Iterator[Mark]:
    """Yield what an annotator marks of what is there."""
    for name, marks in zip(names, true, strict=True):
        for first, last, label in marks:
            if chance.random() < OMITTED:
                continue
            end = tokens[last + (chance.random() < MOVED)][1]
            own = chance.choice(LABELS) if chance.random() < OTHER else label
            yield name, tokens[first][0], end, own
