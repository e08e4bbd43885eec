"""Of every kind of export a few faulty files are left out, counted and told first; more are refused."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.campaigns import written
from tests.commands import run
from tests.readers import write_eaf, write_textgrid
from tests.readers.samples import MARKABLES

WORDS = ("Anna", "met", "Ben", "in")
TAGS = ("B-PER", "O", "B-PER", "O")
PARTS = ("PROPN", "VERB", "PROPN", "ADP")
# The files of one document of two annotators, of which the second one's are faulty; and how many files a
# document has that can be faulty.
Document = Callable[..., dict[str, str]]


def conll(number: int, *, faulty: bool) -> dict[str, str]:
    rows = [f"{word} {tag}" for word, tag in zip((*WORDS, f"P{number}"), (*TAGS, "B-LOC"), strict=True)]
    bad = [*rows[:2], "Ben PER and more", *rows[3:]] if faulty else rows
    return {
        f"{who}/d{number}.conll": "".join(f"{row}\n" for row in own) + "\n"
        for who, own in (("anna", rows), ("ben", bad))
    }


def other_columns(number: int, *, faulty: bool) -> dict[str, str]:
    files = conll(number, faulty=False)
    if faulty:
        name = f"ben/d{number}.conll"
        files[name] = "".join(f"{row} O\n" if row else "\n" for row in files[name].splitlines())
    return files


def conllu(number: int, *, faulty: bool) -> dict[str, str]:
    pairs = enumerate(zip((*WORDS, f"P{number}"), (*PARTS, "PROPN"), strict=True), 1)
    rows = [f"{place}\t{word}\t_\t{part}\t_\t_\t_\t_\t_\t_" for place, (word, part) in pairs]
    bad = [*rows[:2], "3\tBen", *rows[3:]] if faulty else rows
    return {
        f"{who}/d{number}.conllu": "".join(f"{row}\n" for row in own) + "\n"
        for who, own in (("anna", rows), ("ben", bad))
    }


def gate(number: int, *, faulty: bool) -> dict[str, str]:
    mark = (
        '<AnnotationSet Name="{}"><Annotation Id="1" Type="PER" StartNode="0" EndNode="{}"/></AnnotationSet>'
    )
    sets = mark.format("anna", 4) + mark.format("ben", 7 if faulty else 4)
    text = f'<TextWithNodes><Node id="0"/>Anna<Node id="4"/> met Ben in P{number}</TextWithNodes>'
    return {f"d{number}.xml": f'<GateDocument version="3"><GateDocumentFeatures/>{text}{sets}</GateDocument>'}


def bdoc(number: int, *, faulty: bool) -> dict[str, str]:
    def annotations(start: object) -> dict[str, object]:
        return {"annotations": [{"id": 1, "type": "PER", "start": start, "end": 4, "features": {}}]}

    sets = {
        "anna": {"name": "anna", "next_annid": 2, **annotations(0)},
        "ben": {"name": "ben", "next_annid": 2, **annotations("0" if faulty else 0)},
    }
    text = f"Anna met Ben in P{number}"
    document = {"text": text, "features": {}, "offset_type": "p", "annotation_sets": sets, "name": ""}
    return {f"d{number}.bdocjs": json.dumps(document)}


def mmax(number: int, *, faulty: bool) -> dict[str, str]:
    words = "".join(
        f'<word id="word_{place}">{word}</word>\n' for place, word in enumerate((*WORDS, f"P{number}"), 1)
    )
    mark = '<markable id="m1" span="word_1" mmax_level="entity"/>\n'
    bad = f'{mark}<markable id="m2" mmax_level="entity"/>\n' if faulty else mark
    files = {f"basedata/d{number}_words.xml": f"<?xml version='1.0'?>\n<words>\n{words}</words>\n"}
    for who, own in (("anna", mark), ("ben", bad)):
        project = f"<mmax_project>\n<words>d{number}_words.xml</words>\n</mmax_project>\n"
        files[f"{who}/d{number}.mmax"] = project
        files[f"{who}/markables/d{number}_entity_level.xml"] = MARKABLES.format(own)
    return files


def textgrid(number: int, *, faulty: bool) -> dict[str, str]:
    whole = write_textgrid.grid(900 + 2000 * number, {"words": [(100, 400, "Anna"), (400, 500, "met")]})
    return {
        f"anna/d{number}.TextGrid": whole,
        f"ben/d{number}.TextGrid": whole[: len(whole) // 2] if faulty else whole,
    }


def elan(number: int, *, faulty: bool) -> dict[str, str]:
    tier = write_eaf.tier("words", (write_eaf.aligned("a1", "ts1", "ts2", "Anna"),))
    whole = write_eaf.document({"ts1": 100 + number, "ts2": 400}, [tier])
    return {
        f"anna/d{number}.eaf": whole,
        f"ben/d{number}.eaf": whole.replace('TIME_VALUE="400"', 'TIME_VALUE="x"') if faulty else whole,
    }


# Each with how many files, or documents of a project, one of five documents is.
KINDS: dict[str, tuple[Document, int]] = {
    "conll": (conll, 2),
    "conll, other columns": (other_columns, 2),
    "conllu": (conllu, 2),
    "gate-xml": (gate, 1),
    "gate-bdoc": (bdoc, 1),
    "mmax2": (mmax, 2),
    "textgrid": (textgrid, 2),
    "elan": (elan, 2),
}
DOCUMENTS = 5


def _built(kind: str, faulty: int, folder: Path) -> tuple[Path, int]:
    """Build five documents, the first of which are faulty, and return the site and the exit status."""
    document, _ = KINDS[kind]
    files = {
        f"exports/1.0/{name}": text
        for number in range(DOCUMENTS)
        for name, text in document(number, faulty=number < faulty).items()
    }
    made = written(folder / "c", "", files)
    answer = run("build", made, "--out", folder / "site", "-q")
    if answer.exit_code:
        assert "Traceback" not in answer.stderr
    return folder / "site", answer.exit_code


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_fifth_of_the_files_may_be_faulty(kind: str, tmp_path: Path) -> None:
    _, each = KINDS[kind]
    faulty = DOCUMENTS * each // 5
    site, status = _built(kind, faulty, tmp_path)
    assert status == 0
    results = json.loads((site / "c/1.0/results.json").read_text(encoding="utf-8"))
    left = [one for one in results["left_out"] if "faulty file" in one["reason"]]
    assert len(left) == faulty
    marks = results["marks"]
    assert marks["read"] == marks["used"] + marks["left_out"] + marks.get("not_compared", 0)
    (finding,) = [found for found in results["findings"] if found["id"] == "faulty-files"]
    page = (site / "c/1.0/report.md").read_text(encoding="utf-8")
    said = page[page.index("## Can I trust this?") :]
    assert "faulty and left out" in said[: said.index("\n- **")]
    assert finding["values"]["names"].count("d0") == 1


@pytest.mark.parametrize("kind", KINDS)
def test_more_than_a_fifth_are_refused(kind: str, tmp_path: Path) -> None:
    _, each = KINDS[kind]
    site, status = _built(kind, DOCUMENTS * each // 5 + 1, tmp_path)
    assert status == 2
    assert not site.exists()


@pytest.mark.slow
def test_every_faulty_file_is_named_with_its_line_and_the_report_is_built(tmp_path: Path) -> None:
    files = {
        f"exports/1.0/{name}": text
        for number in range(DOCUMENTS)
        for name, text in conll(number, faulty=number == 2).items()
    }
    answer = run("build", written(tmp_path / "c", "", files), "--out", tmp_path / "site", "-q")
    assert answer.exit_code == 0
    assert "ben/d2.conll:3: has 4 columns where most rows have 2. The file is left out." in answer.stderr
