"""What exports have besides labels is counted; documents that can't be compared are left out and listed."""

import json
from pathlib import Path

from tests.campaigns import written
from tests.commands import run

# CoNLL-U of two annotators, who differ on heads alone.


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
