"""Thousands of files: several processes read them, and none stays in memory."""

from dataclasses import replace
from pathlib import Path

import pytest

from reportgen.base.errors import BadInput
from reportgen.readers import (
    DocumentCopy,
    ExportFile,
    ParsedMark,
    ReaderOptions,
    TextMarks,
    find_reader,
    naming,
    read_export,
    read_layers,
    recognise,
    uima_cas,
    untrusted,
)
from reportgen.readers import __name__ as readers_name
from reportgen.readers.brat import READER
from reportgen.readers.layers_of_marks import OF_OTHER_LAYER
from reportgen.readers.naming import split_unreadable
from reportgen.readers.reader import forget_contents_after
from reportgen.readers.survey import look
from reportgen.readers.untrusted import unpack, unpacked_together
from tests.readers.samples import zipped
from tests.readers.write_cas import write_xmi

TEXT = "Anna met Ben."


def brat_files(folder: Path, *, documents: int = 6, faulty: int = 1) -> list[tuple[Path, str]]:
    """Write two annotators' marks of some documents; of the first annotator the last ones are faulty."""
    names: list[str] = []
    for number in range(documents):
        for annotator in ("anna", "ben"):
            path = folder / annotator / f"d{number}.ann"
            path.parent.mkdir(exist_ok=True)
            twice = annotator == "anna" and number >= documents - faulty
            marks = "T1\tPER 0 4\tAnna\n" * (1 + twice)
            path.write_text(f"{marks}T2\tPER 9 12\tBen\n", encoding="utf-8")
            path.with_suffix(".txt").write_text(TEXT, encoding="utf-8")
            names += [f"{annotator}/d{number}.ann", f"{annotator}/d{number}.txt"]
    return [(folder / name, name) for name in sorted(names)]


@pytest.fixture(params=[1, 2, 3])
def workers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Have so many processes read files, two at a time."""
    number: int = request.param
    monkeypatch.setattr(naming, "MANY", 2)
    monkeypatch.setattr(naming, "AT_A_TIME", 2)
    monkeypatch.setattr(naming, "processors", lambda: number)
    return number


def test_what_is_read_is_the_same_whoever_reads_it(tmp_path: Path, workers: int) -> None:
    """Marks with their lines, a file that is left out, and the warning of it."""
    annotations = read_export(brat_files(tmp_path), ReaderOptions())
    assert annotations.marks_read == 22, workers
    assert [(left.file, left.line) for left in annotations.left_out] == [("anna/d5.ann", 2)]
    assert [(warning.file, warning.line) for warning in annotations.warnings] == [("anna/d5.ann", 2)]
    marks = annotations.content
    assert isinstance(marks, TextMarks)
    assert [marks.location(number) for number in (0, 1, 21)] == [
        ("anna/d0.ann", 1),
        ("anna/d0.ann", 2),
        ("ben/d5.ann", 2),
    ]


def test_faults_come_back_with_file_and_line(tmp_path: Path, workers: int) -> None:
    with pytest.raises(BadInput) as caught:
        read_export(brat_files(tmp_path, faulty=4), ReaderOptions())
    places = [(problem.file, problem.line) for problem in caught.value.problems]
    assert places == [(f"anna/d{number}.ann", 2) for number in (2, 3, 4, 5)], workers


def test_a_fault_of_the_program_comes_back_too(workers: int) -> None:
    def step(_: int) -> int:
        raise KeyError(workers)

    with pytest.raises(KeyError):
        split_unreadable([1, 2, 3], step)


def test_what_archives_unpack_to_is_counted_whoever_unpacks_them(
    tmp_path: Path, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fourth goes beyond what all together may have; it is so also where each process unpacks two."""
    monkeypatch.setattr(untrusted, "MOST_BYTES", 3500)
    paths = [tmp_path / f"{number}.zip" for number in range(8)]
    for path in paths:
        path.write_bytes(zipped({"a.txt": b"x" * 1000}))
    files = [ExportFile(path, path.name) for path in paths]
    with unpacked_together(), pytest.raises(BadInput) as caught:
        split_unreadable(files, lambda file: len(unpack(file)))
    assert [problem.file for problem in caught.value.problems] == [f"{number}.zip" for number in range(3, 8)]
    assert "brings the unpacked archives to 4,000 bytes" in caught.value.problems[0].message, workers


@pytest.mark.parametrize("form", ["brat", "xmi"])
def test_of_many_files_none_stays_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    """Their checksums do, and the type systems of XMI."""
    monkeypatch.setattr(f"{readers_name}.MANY", 2)
    copies = [
        DocumentCopy(f"d{number}", who, "", TEXT, [ParsedMark("custom.Span", ((0, 4),), {"value": "PER"})])
        for number in range(3)
        for who in ("anna", "ben")
    ]
    if form == "brat":
        files = [ExportFile(path, name) for path, name in brat_files(tmp_path, faulty=0)]
    else:
        files = write_xmi(copies, tmp_path)
    reader, own = find_reader(files, ReaderOptions())
    reader.read(own, ReaderOptions())
    kept = [file.path.name for file in files if {"content", "text"} & vars(file).keys()]
    assert set(kept) <= {"TypeSystem.xml"}
    assert files[1].source == ExportFile(files[1].path, files[1].name).source


def test_a_file_that_changes_between_two_looks_is_refused(tmp_path: Path) -> None:
    (path := tmp_path / "a.ann").write_text("T1\tPER 0 4\tAnna\n", encoding="utf-8")
    file = ExportFile(path, "a.ann")
    with forget_contents_after():
        assert file.text
    path.write_text("T1\tPER 0 3\tAnn\n", encoding="utf-8")
    with pytest.raises(BadInput, match="was changed while it was read"):
        file.text  # noqa: B018 - it is read again


def test_a_file_is_recognised_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often it is asked what it is: of thousands, that would be most of the work."""
    files = [ExportFile(path, name) for path, name in brat_files(tmp_path, faulty=0)]
    asked = list[str]()
    first = READER.recognises

    def recognises(file: ExportFile) -> bool:
        asked.append(file.name)
        return first(file)

    only = (replace(READER, recognises=recognises),)
    monkeypatch.setattr(f"{readers_name}.readers", lambda: only)
    for _ in range(3):
        assert recognise(files) is not None
    assert sorted(asked) == sorted(file.name for file in files)


def two_copies(folder: Path, *, different: bool = False) -> list[tuple[Path, str]]:
    """Write two people's copies of two texts: words that both have, and names that they chose."""
    words = [(start, start + 1) for start in range(60)]
    copies = []
    for who in ("anna", "ben"):
        for document in ("d1", "d2"):
            marks = [ParsedMark("Word", (span,), {"form": str(span[0])}) for span in words]
            if different and who == "ben" and document == "d2":
                marks[0] = ParsedMark("Word", (words[0],), {"form": "other"})
            marks.append(ParsedMark("Name", ((1, 5 if who == "anna" else 6),), {"kind": "place"}))
            copies.append(DocumentCopy(document, who, "", f"{document} " * 30, marks))
    return [(file.path, file.name) for file in write_xmi(copies, folder)]


def test_types_that_nobody_asks_for_are_counted_and_not_kept(tmp_path: Path) -> None:
    files = two_copies(tmp_path)
    (every,) = read_layers(files, ReaderOptions(), ["Name"])
    assert isinstance(every.content, TextMarks)
    assert (len(every.content.label), every.marks_read) == (4, 244)
    assert [(left.marks, left.reason) for left in every.left_out] == [(60, OF_OTHER_LAYER)] * 4
    both = read_layers(files, ReaderOptions(), ["Name", "Word"])
    assert [layer.marks_read for layer in both] == [4, 240]
    assert not both[0].left_out


def test_what_every_copy_has_is_passed_over_where_files_are_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fewer marks of a type, or one that differs, are not said to have been there before."""
    monkeypatch.setattr(uima_cas, "MANY", 4)
    chosen = "the same in every copy of a document, as what was there before"

    def surveyed(folder: Path, *, different: bool) -> tuple[set[str], dict[str | None, str]]:
        folder.mkdir()
        files = [ExportFile(path, name) for path, name in two_copies(folder, different=different)]
        found = look(uima_cas.XMI_READER, files)
        aside = {layer.source: layer.no_decision.value for layer in found.aside if layer.no_decision}
        return set(found.as_one_layer.labels), aside

    kept, aside = surveyed(tmp_path / "same", different=False)
    assert kept == {"Name"}
    assert aside["Word->"] == chosen
    kept, aside = surveyed(tmp_path / "different", different=True)
    assert "Word" in kept
    assert "Word->" not in aside
    monkeypatch.setattr(uima_cas, "ENOUGH_GIVEN", 121)
    kept, _ = surveyed(tmp_path / "few", different=False)
    assert "Word" in kept
