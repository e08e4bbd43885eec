"""Marks in formats that others wrote: figures by label against a count by the test's own reading.

The second annotator is the first without every third mark, but where the format comes with two.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.campaigns import results_of

# By document: the text, and the marks as stretches with a label.
Stretch = tuple[tuple[tuple[int, int], ...], str]
Marked = Mapping[str, tuple[str, list[Stretch]]]
Files = dict[str, str]
HEAD = 'title = "Made of a format"\n'


def brat(source: Path) -> tuple[Files, list[Marked]]:
    """Read the lines of marks, which may have several stretches."""
    files: Files = {}
    both: list[dict[str, tuple[str, list[Stretch]]]] = [{}, {}]
    for path in sorted((source / "brat").glob("*.ann")):
        text = path.with_suffix(".txt").read_text(encoding="utf-8")
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if re.match(r"T\d+\t", line)]
        for who, own in enumerate((lines, [line for place, line in enumerate(lines) if place % 3])):
            marks: list[Stretch] = []
            for line in own:
                label, places = line.split("\t")[1].split(" ", 1)
                ends = [tuple(map(int, place.split())) for place in places.split(";")]
                marks.append((tuple((start, end) for start, end in ends), label))
            both[who][path.stem] = text, marks
            files[f"p{who}/{path.name}"] = "".join(f"{line}\n" for line in own)
            files[f"p{who}/{path.stem}.txt"] = text
    return files, list(both)


def gate(source: Path) -> tuple[Files, list[Marked]]:
    """Read the annotations of all sets of a document as those of one, and thin them as those of another."""
    document = json.loads((source / "gate_bdoc" / "tests_testdoc1.bdocjs").read_text(encoding="utf-8"))
    every = [each for found in document["annotation_sets"].values() for each in found["annotations"]]
    sets, both = {}, []
    for who, own in enumerate((every, [each for place, each in enumerate(every) if place % 3])):
        numbered = [{**each, "id": place, "features": {}} for place, each in enumerate(own)]
        sets[f"p{who}"] = {"name": f"p{who}", "annotations": numbered, "next_annid": len(own)}
        marks: list[Stretch] = [(((each["start"], each["end"]),), each["type"]) for each in own]
        both.append({"doc": (document["text"], marks)})
    files = {"doc.bdocjs": json.dumps({**document, "annotation_sets": sets})}
    return files, list(both)


def mmax(source: Path) -> tuple[Files, list[Marked]]:
    """Read a project of one level, whose spans are words; the words joined by spaces are the text."""
    folder = source / "mmax2"
    words = (folder / "3.addition.words.xml").read_text(encoding="utf-8")
    ends: dict[str, tuple[int, int]] = {}
    text = ""
    for word in ET.fromstring(words):  # noqa: S314 - our own folder
        text += " " if text else ""
        ends[word.attrib["id"]] = len(text), len(text) + len(word.text or "")
        text += word.text or ""
    order = [*ends]
    level = (folder / "3.addition_sentiment_level.xml").read_text(encoding="utf-8")
    files, both = {"basedata/3.addition.words.xml": words}, []
    project = (folder / "3.addition.mmax").read_text(encoding="utf-8")
    for who in range(2):
        lines = re.findall(r"<markable .*?/>", level, flags=re.DOTALL)
        kept = [line for place, line in enumerate(lines) if who == 0 or place % 3]
        head, _, _ = level.partition("<markable ")
        files[f"p{who}/3.addition_sentiment_level.xml"] = head + "\n".join(kept) + "\n</markables>\n"
        files[f"p{who}/3.addition.mmax"] = project
        marks: list[Stretch] = []
        for line in kept:
            parts = re.findall(r'span="([^"]*)"', line)[0].split(",")
            stretches = []
            for part in parts:
                first, _, last = part.partition("..")
                at = order.index(first), order.index(last or first)
                stretches.append((ends[order[at[0]]][0], ends[order[at[1]]][1]))
            marks.append((tuple(stretches), "sentiment"))
        both.append({"3.addition": (text, marks)})
    return files, list(both)


def conll(source: Path) -> tuple[Files, list[Marked]]:
    """Read two annotators' tags, as they are: a token a line; documents that only one has are left out."""
    files: Files = {}
    both: list[dict[str, tuple[str, list[Stretch]]]] = []
    for who in ("user1", "user2"):
        content = (source / "doccano" / f"tests_data_labeling_labeling.conll2003.{who}").read_text("utf-8")
        files[f"{who}/tags.conll"] = content
        documents: dict[str, tuple[str, list[Stretch]]] = {}
        for number, part in enumerate(content.split("-DOCSTART- -X- -X- O\n")[1:]):
            text, marks = "", list[Stretch]()
            for line in filter(str.strip, part.splitlines()):
                token, *_, tag = line.split()
                start, text = len(text), f"{text}{token} "
                if tag.startswith("I-"):
                    ((first, _), *_), label = marks.pop()
                    marks.append((((first, len(text) - 1),), label))
                elif tag != "O":
                    marks.append((((start, len(text) - 1),), tag[2:]))
            documents[str(number)] = text, marks
        both.append(documents)
    shared = both[0].keys() & both[1].keys()
    return files, [{name: found[name] for name in sorted(shared)} for found in both]


def tokens_under(found: Marked, label: str) -> set[tuple[str, int]]:
    """Return the white space tokens that share a character with a mark of a label."""
    return {
        (name, token.start())
        for name, (text, marks) in found.items()
        for stretches, kind in marks
        if kind == label
        for start, end in stretches
        for token in re.finditer(r"\S+", text)
        if token.start() < end and start < token.end()
    }


def marks_of(found: Marked, label: str) -> set[tuple[str, object]]:
    return {(name, where) for name, (_, marks) in found.items() for where, kind in marks if kind == label}


def labels_of(found: Marked) -> Iterator[str]:
    yield from sorted({kind for _, marks in found.values() for _, kind in marks})


@pytest.mark.parametrize("read", [brat, gate, mmax, conll])
def test_figures_by_label_are_those_of_a_count_of_the_marks(
    shared: Path, tmp_path: Path, read: Callable[[Path], tuple[Files, list[Marked]]]
) -> None:
    files, (first, second) = read(shared / "formats")
    for name, content in files.items():
        path = tmp_path / "c" / "exports" / "1.0" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    campaign = f'{HEAD}[privacy]\nannotators = "names"\nsmallest = 1\n[[guidelines]]\nversion = "1.0"\n'
    (tmp_path / "c" / "campaign.toml").write_text(campaign, encoding="utf-8")
    found = results_of(tmp_path / "c")
    assert found.spans is not None
    (pair,) = found.spans.pairs
    counted = 0
    for label in labels_of(first):
        one, other = marks_of(first, label), marks_of(second, label)
        outcomes = pair.by_type[label].counts
        assert outcomes.match == len(one & other), label
        assert pair.by_type[label].strict["f_measure"].value == pytest.approx(
            2 * len(one & other) / (len(one) + len(other))
        ), label
        here, there = tokens_under(first, label), tokens_under(second, label)
        if len(here) + len(there):
            due = 2 * len(here & there) / (len(here) + len(there))
            assert found.primary.specific_agreement[label].value == pytest.approx(due), label
            assert label in found.primary.categories
            counted += 1
    assert counted
