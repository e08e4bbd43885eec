"""A gold standard in the files of annotation tools: what is written is read back as the same marks."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.publish.gold_marks import CONLL, LABEL_STUDIO, WEBANNO, GoldDocument, GoldTexts, MarkFormat
from reportgen.readers import DocumentCopy, Export, ExportFile, ParsedMark, ReaderOptions, readers
from tests.campaigns import written
from tests.commands import files, run
from tests.properties import examples
from tests.test_adjudication import BRAT, TEXT, read_back
from tests.test_gold import decided, gold, marks_of, refused

PER, LOC, NONE = ("PER", ""), ("LOC", ""), ("(unmarked)", "")
Placed = set[tuple[str, tuple[tuple[int, int], ...]]]


def copies(form: MarkFormat, found: dict[str, str]) -> list[DocumentCopy]:
    """Return what the reader of a format makes of its files."""
    reader = next(each for each in readers() if each.name == form.reader)
    exported = [
        ExportFile.with_content(Path(name), name or "gold", text=text, content=text.encode())
        for name, text in found.items()
    ]
    export = reader.read(exported, ReaderOptions())
    assert isinstance(export, Export)
    return list(export.copies)


def placed(marks: Sequence[ParsedMark], feature: str = "") -> Placed:
    return {(mark.features[feature] if feature else mark.type, mark.spans) for mark in marks}


# A campaign's own exports in each format, decided, written and read back beside them.

CONLL_ROWS = {
    "anna": "Anna\tB-PER\nBerg\tI-PER\nmet\tO\nBen\tB-PER\n\nin\tO\nParis\tB-LOC\n",
    "ben": "Anna\tB-PER\nBerg\tO\nmet\tO\nBen\tB-LOC\n\nin\tO\nParis\tB-LOC\n",
}


def tasks() -> str:
    text, both = "Anna Berg 😀 met Ben", []
    for who, label in (("anna", "PER"), ("ben", "LOC")):
        marks = [(0, 9, "PER", "Anna Berg"), (17, 20, label, "Ben")]
        both.append({"completed_by": {"email": who}, "result": [region(*each) for each in marks]})
    return json.dumps([{"id": 7, "data": {"text": text}, "annotations": both}])


def region(start: int, end: int, label: str, said: str) -> dict[str, object]:
    value = {"start": start, "end": end, "text": said, "labels": [label]}
    return {"id": f"{start}", "from_name": "label", "to_name": "text", "type": "labels", "value": value}


@pytest.mark.parametrize(
    ("export", "toml", "out", "place"),
    [
        (
            {f"exports/1.0/{who}/d1.conll": text for who, text in CONLL_ROWS.items()},
            "",
            "gold.conll",
            "gold/all.conll",
        ),
        ({"exports/1.0/tasks.json": tasks()}, "", "gold.json", "gold.json"),
    ],
    ids=["conll", "label-studio"],
)
def test_decisions_come_back_in_the_format_of_the_export(
    tmp_path: Path, export: dict[str, str], toml: str, out: str, place: str
) -> None:
    answers = [NONE, PER, PER] if "conll" in out else [PER]
    folder = decided(tmp_path, export, *answers, toml=toml)
    gold(folder, tmp_path / out)
    made = tmp_path / out
    own = {f"exports/1.0/{place}": made.read_text(encoding="utf-8")}
    (again,) = read_back(written(tmp_path / "again", toml, {**export, **own})).annotations
    (before,) = read_back(folder).annotations
    who = "ground truth" if place.endswith("json") else "gold"
    marks, _ = marks_of(before, "adjudicated")
    assert marks
    assert marks_of(again, who)[0] == marks
    assert again.roles.get(who, "reference") == "reference"


# Any text and any labels

WORDS = st.text(st.sampled_from("ab.#=-_|\\[]*;>😀é\t\n \r\u2028"), max_size=30)
NAMES = st.text(st.sampled_from("AB-_|\\[];*>1 #=😀"), min_size=1, max_size=6).filter(str.strip)
SPANS = st.lists(st.tuples(st.integers(0, 30), st.integers(1, 12), NAMES), max_size=5)


def texts_of(documents: Sequence[tuple[str, list[tuple[int, int, str]]]], *, layers: int = 1) -> GoldTexts:
    """Return documents with marks that begin and end with a sign, each once."""
    found = []
    for number, (text, wanted) in enumerate(documents):
        spans = {
            (start, start + length): label
            for start, length, label in wanted
            if text[start : start + length].strip()
            and start + length <= len(text)
            and text[start : start + length] == text[start : start + length].strip()
        }
        marks = [ParsedMark(label, (span,)) for span, label in spans.items()]
        by_layer: dict[str, Sequence[ParsedMark]] = {
            f"layer-{place}": marks[place::layers] for place in range(layers)
        }
        found.append(GoldDocument(f"d{number}", text, by_layer))
    return GoldTexts(found)


@pytest.mark.parametrize("form", [WEBANNO, LABEL_STUDIO], ids=["webanno", "label-studio"])
@given(st.lists(st.tuples(WORDS, SPANS), min_size=1, max_size=2))
@examples(60)
def test_any_marks_are_read_back_where_they_stand(
    form: MarkFormat, documents: list[tuple[str, list[tuple[int, int, str]]]]
) -> None:
    texts = texts_of(documents)
    found, faults = form.written(texts)
    assert faults == []
    for copy, each in zip(copies(form, found), texts.documents, strict=True):
        assert (copy.text or "") == each.text
        assert placed(copy.marks, form.feature) == placed(each.marks["layer-0"])


@given(st.lists(st.tuples(WORDS, SPANS), min_size=1, max_size=2))
@examples(60)
def test_conll_says_the_same_marks_or_is_refused(
    documents: list[tuple[str, list[tuple[int, int, str]]]],
) -> None:
    texts = texts_of(documents, layers=2)
    found, faults = CONLL.written(texts)
    if faults:
        assert found == {} or faults[0][0] == "signs that it reads otherwise"
        return
    there = [each for each in texts.documents if each.text.strip()]
    said_of = [each for each in copies(CONLL, found) if (each.text or "").strip()]
    for copy, each in zip(said_of, there, strict=True):
        said = sorted(
            (mark.features[mark.type], "".join((copy.text or "")[slice(*mark.spans[0])].split()))
            for mark in copy.marks
        )
        due = sorted(
            (mark.type, "".join(each.text[slice(*mark.spans[0])].split()))
            for own in each.marks.values()
            for mark in own
        )
        assert said == due


def test_tokens_are_those_of_the_campaign_and_lose_no_sign() -> None:
    texts = GoldTexts([], pattern=r"\w+")
    text = "(Anna's)  dog."
    assert [text[start:end] for start, end in texts.tokens(text)] == ["(", "Anna", "'", "s", ")", "dog", "."]
    assert [text[start:end] for start, end in GoldTexts([]).tokens(text)] == ["(Anna's)", "dog."]


# What a format can't hold


@pytest.mark.parametrize(
    ("form", "text", "spans", "what"),
    [
        (CONLL, "a b c", [((0, 3),), ((2, 5),)], "marks that overlap"),
        (CONLL, "a b c", [((0, 1), (4, 5))], "marks in several stretches"),
        (CONLL, "abc", [((0, 2),)], "marks that begin or end within a token"),
        (CONLL, "#a=b c", [((0, 4),)], "signs that it reads otherwise"),
        (WEBANNO, "a b", [((0, 2),)], "marks that begin or end in white space"),
        (WEBANNO, "a b c", [((0, 1), (4, 5))], "marks in several stretches"),
        (LABEL_STUDIO, "a b", [((1, 1),)], "marks of no length"),
        (LABEL_STUDIO, "a b c", [((0, 1), (4, 5))], "marks in several stretches"),
    ],
)
def test_what_a_format_can_not_hold_is_a_fault(
    form: MarkFormat, text: str, spans: list[tuple[tuple[int, int], ...]], what: str
) -> None:
    marks = [ParsedMark("X", each) for each in spans]
    _, faults = form.written(GoldTexts([GoldDocument("d", text, {"main": marks})]))
    assert what in {fault for fault, _ in faults}


def test_punctuation_is_apart_in_all_documents_where_a_mark_ends_before_it() -> None:
    mark = ParsedMark("X", ((0, 4),))
    two = [GoldDocument("d", "yqkM, that is", {"main": [mark]}), GoldDocument("e", "it's so.", {"main": []})]
    found, faults = CONLL.written(GoldTexts(two))
    assert faults == []
    rows = [line for line in found[""].splitlines() if "\t" in line]
    assert rows == ["yqkM\tB-X", ",\tO", "that\tO", "is\tO", "it's\tO", "so\tO", ".\tO"]


def test_a_mark_over_two_lines_makes_them_one_sentence() -> None:
    marks = [ParsedMark("X", ((2, 5),))]
    found, faults = CONLL.written(GoldTexts([GoldDocument("d", "a b\nc d\ne", {"main": marks})]))
    assert faults == []
    assert found[""].splitlines()[3:] == ["a\tO", "b\tB-X", "c\tI-X", "d\tO", "", "e\tO"]


def test_overlapping_marks_are_told_before_anything_is_written(tmp_path: Path) -> None:
    more = {f"exports/1.0/{who}/d4.txt": TEXT for who in ("anna", "ben")}
    more |= {
        f"exports/1.0/{who}/d4.ann": "T1\tPER 0 9\tAnna Berg\nT2\tLOC 5 9\tBerg\n" for who in ("anna", "ben")
    }
    folder = written(tmp_path / "c", "", {**BRAT, **more})
    said = refused("gold", folder, "--out", tmp_path / "gold.conll")
    assert 'CoNLL has no marks that overlap such as LOC "Berg" in "d4".' in said
    assert not (tmp_path / "gold.conll").exists()
    gold(folder, tmp_path / "gold" / "{document}.tsv")
    assert sorted(files(tmp_path / "gold")) == ["d2.tsv", "d4.tsv"]


def test_what_is_left_out_is_told(tmp_path: Path) -> None:
    export = {
        f"exports/1.0/{who}/d.{end}": text
        for who in "ab"
        for end, text in (("txt", "Anna  is\n\nhere"), ("ann", "T1\tPER 0 4\tAnna\nA1\tsure T1 very\n"))
    }
    folder = written(tmp_path / "c", "", export)
    answer = run("gold", folder, "--out", tmp_path / "gold.conll")
    assert "CoNLL is written without the attributes of marks (1)." in answer.stderr
    assert "CoNLL keeps no white space: that changes 1 of 1 documents." in answer.stderr
    answer = run("gold", folder, "--out", tmp_path / "gold.json")
    assert answer.stderr == ""
    (task,) = json.loads((tmp_path / "gold.json").read_text(encoding="utf-8"))
    assert [each["type"] for each in task["annotations"][0]["result"]] == ["labels", "choices"]


def test_only_files_of_ours_are_replaced(tmp_path: Path) -> None:
    folder = written(tmp_path / "c", "", BRAT)
    for name in ("gold.conll", "gold.json"):
        gold(folder, tmp_path / name)
        gold(folder, tmp_path / name)
        (tmp_path / f"my-{name}").write_text("mine", encoding="utf-8")
        said = refused("gold", folder, "--out", tmp_path / f"my-{name}")
        assert "is no such file as reportgen wrote it" in said
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/a.tsv").write_text("mine", encoding="utf-8")
    assert "contains a.tsv" in refused("gold", folder, "--out", tmp_path / "mine" / "{document}.tsv")


def test_recordings_have_no_texts_to_write(tmp_path: Path) -> None:
    head = 'File type = "ooTextFile"\nObject class = "TextGrid"\n\nxmin = 0\nxmax = 2\ntiers? <exists>\n'
    tier = 'class = "IntervalTier"\nname = "a"\nxmin = 0\nxmax = 2\nintervals: size = 1\nintervals [1]:\n'
    grid = f'{head}size = 1\nitem []:\nitem [1]:\n{tier}xmin = 0\nxmax = 2\ntext = "x"\n'
    folder = written(tmp_path / "c", "", {f"exports/1.0/{who}/d.TextGrid": grid for who in ("anna", "ben")})
    for out in ("gold", "gold.conll", "gold.json"):
        assert "no layer has marks in texts" in refused("gold", folder, "--out", tmp_path / out)
