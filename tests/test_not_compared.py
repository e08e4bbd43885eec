"""What exports have besides labels is counted; documents that can't be compared are left out and listed."""

import json
from pathlib import Path

from tests.campaigns import written
from tests.commands import run

# CoNLL-U of two annotators, who differ on heads alone.


def _treebank(heads: list[int], sentences: int = 4) -> str:
    rows = [
        f"{number}\tw{number}\tw{number}\tNOUN\t_\t_\t{head}\tdep\t_\t{'X=y' if number == 1 else '_'}\n"
        for number, head in enumerate(heads, 1)
    ]
    return f"{''.join(rows)}\n" * sentences


TREES = {"exports/1.0/anna.conllu": _treebank([0, 1, 1]), "exports/1.0/ben.conllu": _treebank([2, 0, 2])}


def _counted(text: str) -> dict[str, int]:
    """Count what a file has, cell by cell, past the reader."""
    rows = [line.split("\t") for line in text.split("\n") if line]
    columns = {"lemmas": 2, "UPOS": 3, "XPOS": 4, "FEATS": 5, "heads": 6, "DEPREL": 7, "deps": 8, "misc": 9}
    return {name: sum(row[column] != "_" for row in rows) for name, column in columns.items()}


def test_heads_of_a_treebank_are_counted_as_not_compared(tmp_path: Path) -> None:
    made = written(tmp_path / "c", "", TREES)
    answer = run("build", made, "--out", tmp_path / "site", "-q")
    assert answer.exit_code == 0
    results = json.loads((tmp_path / "site/c/1.0/results.json").read_text(encoding="utf-8"))
    there = [_counted(text) for text in TREES.values()]
    total = {name: sum(one[name] for one in there) for name in there[0]}
    marks = results["marks"]
    assert results["not_compared"] == {
        "lemmas": total["lemmas"], "heads": total["heads"], "notes in MISC": total["misc"]
    }  # fmt: skip
    assert marks["read"] == sum(total.values())
    assert marks["used"] == total["UPOS"]
    assert marks["left_out"] == total["XPOS"] + total["FEATS"] + total["DEPREL"]
    assert marks["not_compared"] == total["lemmas"] + total["heads"] + total["deps"] + total["misc"]
    assert marks["read"] == marks["used"] + marks["left_out"] + marks["not_compared"]
    limits = [finding for finding in results["findings"] if finding["id"] == "not-compared"]
    assert any("Heads of words are not compared" in finding["claim"] for finding in limits)
    page = (tmp_path / "site/c/1.0/report.md").read_text(encoding="utf-8")
    assert f"not compared {marks['not_compared']}" in page.replace("**", "")
    assert "Heads of words are not compared (24)" in page


# Documents whose copies have different texts.


def _brat(different: int, documents: int) -> dict[str, str]:
    """Return two annotators' copies; of so many documents the second has another text."""
    files = {}
    for number in range(documents):
        for name in ("anna", "ben"):
            text = f"Text {number} of all."
            text = text.replace("all", "some") if name == "ben" and number < different else text
            files[f"exports/1.0/{name}/d{number}.txt"] = text
            files[f"exports/1.0/{name}/d{number}.ann"] = "T1\tX 0 4\tText\n"
    return files


def test_at_most_a_fifth_of_the_documents_may_have_different_texts(tmp_path: Path) -> None:
    made = written(tmp_path / "c", "", _brat(1, 5))
    answer = run("build", made, "--out", tmp_path / "site", "-q")
    assert answer.exit_code == 0
    said = 'has another text of document "d0" than'
    assert said in answer.stderr
    assert 'they differ from character 11 on: "' in answer.stderr
    assert "The document is left out." in answer.stderr
    results = json.loads((tmp_path / "site/c/1.0/results.json").read_text(encoding="utf-8"))
    marks = results["marks"]
    assert (marks["read"], marks["used"], marks["left_out"]) == (10, 8, 2)
    (left,) = results["different_texts"]
    assert (left["character"], left["marks"]) == (11, 2)
    assert len({left["file"], left["other"]}) == 2
    assert results["material"][0]["documents"] == 4
    (finding,) = [finding for finding in results["findings"] if finding["id"] == "different-texts"]
    assert finding["values"] == {"documents": 1, "whole": 5, "labels": 2}
    page = (tmp_path / "site/c/1.0/report.md").read_text(encoding="utf-8")
    assert "1 of 5 documents is left out, with 2 labels: their copies have different texts." in page
    assert page.index("their copies have different texts") < page.index(
        "whether annotators worked independently"
    )


def test_more_than_a_fifth_are_refused(tmp_path: Path) -> None:
    for different, documents in ((1, 4), (2, 9)):
        made = written(tmp_path / f"c{documents}", "", _brat(different, documents))
        answer = run("build", made, "--out", tmp_path / "site", "-q")
        assert answer.exit_code == 2
        assert answer.stderr.count("has another text of document") == different
    assert not (tmp_path / "site").exists()
