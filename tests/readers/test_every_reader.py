"""What holds for every reader, whichever format it reads: those that plugins bring are asked the same."""

from pathlib import Path

import pytest

from reportgen.readers import (
    Annotations,
    CountedLayer,
    Export,
    ExportFile,
    Reader,
    ReaderOptions,
    find_reader,
    read_export,
    readers,
)
from tests.readers import given_files
from tests.readers.samples import further_shapes, samples

READERS = {reader.name: reader for reader in readers()}


def written(folder: Path, name: str) -> list[ExportFile]:
    return given_files.written(folder, dict(sorted({**samples(), **further_shapes()}[name].items())))


def marks_in(found: Annotations | Export) -> int:
    if isinstance(found, Annotations):
        return found.marks_read
    return sum(len(copy.marks) for copy in found.copies)


def test_every_reader_has_a_sample_and_every_sample_a_reader() -> None:
    assert set(samples()) == set(READERS)
    assert len(readers()) == len(READERS)
    # Whatever is a table and nothing else is a ratings table.
    assert readers()[-1].name == "ratings"


@pytest.mark.parametrize("name", READERS)
def test_its_own_files_are_known_to_be_its_own_without_being_told(name: str, tmp_path: Path) -> None:
    files = written(tmp_path, name)
    reader, known = find_reader(files, ReaderOptions())
    assert reader.name == name
    assert known == files


@pytest.mark.parametrize("name", further_shapes())
def test_further_shapes_are_known_without_being_told(name: str, tmp_path: Path) -> None:
    files = written(tmp_path, name)
    reader, known = find_reader(files, ReaderOptions())
    assert (reader.name, known) == (name.partition(",")[0], files)
    found = read_export([(file.path, file.name) for file in files])
    assert not isinstance(found.content, CountedLayer)
    assert {*found.content.annotators} == {"anna", "ben"}


@pytest.mark.parametrize("name", READERS)
def test_every_file_that_is_read_is_a_source(name: str, tmp_path: Path) -> None:
    files = written(tmp_path, name)
    found = READERS[name].read(files, ReaderOptions())
    assert marks_in(found) > 0
    recorded = {source.file: source for source in found.sources}
    assert list(recorded) == sorted(recorded)
    assert recorded == {file.name: file.source for file in files}


@pytest.mark.parametrize("name", READERS)
def test_an_export_is_read_alike_wherever_it_stands_and_marks_add_up(name: str, tmp_path: Path) -> None:
    files = [(file.path, file.name) for file in written(tmp_path / "here", name)]
    moved = [(file.path, file.name) for file in written(tmp_path / "there", name)]
    one, other = read_export(files), read_export(moved)
    assert (one.reading, one.marks_read, one.left_out) == (other.reading, other.marks_read, other.left_out)
    if name not in ("confusion-matrix", "counts"):
        assert not isinstance(one.content, CountedLayer)
        beside = sum(each.marks for each in one.left_out) + sum(one.not_compared.values())
        assert one.marks_read == len(one.content.label) + beside
    assert one.reading.endswith(".")
    assert all(who not in one.reading for who in ("anna", "ben"))


@pytest.mark.parametrize("name", READERS)
def test_marks_that_are_left_out_say_where_they_stand(name: str, tmp_path: Path) -> None:
    found = read_export([(file.path, file.name) for file in written(tmp_path, name)])
    names = {source.file for source in found.sources}
    for each in found.left_out:
        assert any(each.file.startswith(file) for file in names)
        assert each.reason


@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
def test_what_it_says_of_itself_is_a_sentence(reader: Reader) -> None:
    for said in (reader.reads, reader.leaves_out):
        assert said[0].isupper() or said.startswith(tuple("0123456789"))
        assert said.endswith(".")
    assert all(extension.startswith(".") for extension in reader.extensions)
