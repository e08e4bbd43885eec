"""XML, archives and JSON from an export are hostile: nothing is fetched, expanded or unpacked."""

import bz2
import contextlib
import gzip
import io
import lzma
import random
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from reportgen.base.errors import BadInput, for_each
from reportgen.readers import ExportFile, read_export, untrusted


def file(folder: Path, content: bytes, name: str = "export") -> ExportFile:
    (folder / name).write_bytes(content)
    return ExportFile(folder / name, name)


@pytest.mark.parametrize(
    "content",
    [
        b'<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
        b'<!DOCTYPE a [<!ENTITY x "y">]><a b="&x;"/>',
        b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
        b'<!DOCTYPE a [<!ENTITY % x SYSTEM "file:///etc/passwd"> %x;]><a/>',
        b'<!DOCTYPE a SYSTEM "a.dtd"><a>&unknown;</a>',
        b"<!DOCTYPE a [<!ENTITY x0 'lol'>"
        + b"".join(b"<!ENTITY x%d '%s'>" % (n + 1, b"&x%d;" % n * 10) for n in range(9))
        + b"]><a>&x9;</a>",
        b'<!DOCTYPE a [<!ENTITY x "xxxxxxxxxx"><!ENTITY y "&x;&x;&x;&x;&x;&x;&x;&x;">]><a>&y;</a>',
    ],
    ids=[
        "entity",
        "in an attribute",
        "file",
        "parameter entity",
        "undeclared",
        "bomb of many layers",
        "bomb",
    ],
)
def test_xml_with_entities_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(BadInput, match="entities"):
        untrusted.parse_xml(file(tmp_path, content))


@pytest.mark.parametrize(
    "content", [b"<a><b></a>", b"", b"<a>" * 5000, b'<?xml version="1.0" encoding="x"?><a/>', b"\xff<"]
)
def test_xml_that_is_not_well_formed_is_refused_with_its_line(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(BadInput) as caught:
        untrusted.parse_xml(file(tmp_path, content))
    assert caught.value.problems[0].file == "export"


def test_a_document_type_is_neither_fetched_nor_refused(tmp_path: Path) -> None:
    root = untrusted.parse_xml(
        file(tmp_path, b'<!DOCTYPE a SYSTEM "http://localhost:1/a.dtd">\n<a>&amp;&#10;</a>')
    )
    assert root.text == "&\n"


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b'<?xml version="1.0"?><x:a xmlns:x="y"><b/></x:a>', "a"),
        (b"\xef\xbb\xbf<a", ""),
        (b"<!-- c --><words><word", "words"),
        ("<?xml version='1.0' encoding='utf-16'?><ä/>".encode("utf-16"), "ä"),
        (b"text <a/>", ""),
        (b"", ""),
    ],
)
def test_the_root_is_known_from_the_beginning_of_the_file(tmp_path: Path, content: bytes, name: str) -> None:
    assert untrusted.root_name(file(tmp_path, content)) == name


def zipped(*entries: tuple[str, bytes, int]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archived:
        for name, content, mode in entries:
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = mode << 16
            archived.writestr(entry, content)
    return buffer.getvalue()


def test_members_are_files_called_after_the_archive_and_stay_in_memory(tmp_path: Path) -> None:
    found = untrusted.unpack(file(tmp_path, zipped(("b/x.txt", b"two", 0), ("a.txt", b"one", 0)), "e.zip"))
    assert [(each.name, each.content) for each in found] == [
        ("e.zip/a.txt", b"one"),
        ("e.zip/b/x.txt", b"two"),
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["e.zip"]


@pytest.mark.parametrize("name", ["../x", "/x", "a/../../x", "c:\\x", "..\\x"])
def test_an_archive_with_a_path_that_leads_out_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput, match="leads out of the archive"):
        untrusted.unpack(file(tmp_path, zipped((name, b"x", 0))))


def test_an_archive_with_a_link_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="which is a link"):
        untrusted.unpack(file(tmp_path, zipped(("x", b"/etc/passwd", stat.S_IFLNK | 0o777))))


def test_an_archive_that_would_fill_the_memory_is_refused_unopened(tmp_path: Path) -> None:
    bomb = zipped(("x", b"\0" * 10_000_000, 0))
    assert len(bomb) < 20_000
    with pytest.raises(BadInput, match="would unpack to 10,000,000 bytes, more than 100 times its own"):
        untrusted.unpack(file(tmp_path, bomb))


def test_an_archive_in_an_archive_counts_as_its_own_bytes(tmp_path: Path) -> None:
    """Each shrank forty times, which is nothing: together they would be 1,600 times as large."""
    inner = zipped(("x", b"a" * 1_000_000, 0))
    outer = file(tmp_path, zipped(*((f"{number}.zip", inner, 0) for number in range(40))), "outer.zip")
    with untrusted.unpacked_together():
        members = untrusted.unpack(outer)
        with pytest.raises(BadInput, match=r"outer.zip/\d+.zip: would unpack to"):
            for_each(members, untrusted.unpack)


def test_archives_of_a_campaign_have_one_budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(untrusted, "MOST_BYTES", 250_000)
    archives = [file(tmp_path, zipped(("x", b"a" * 100_000, 0)), f"{name}.zip") for name in "abc"]
    for archive in archives:
        untrusted.unpack(archive)
    with untrusted.unpacked_together():
        for archive in (*archives[:2], *archives[:2]):
            untrusted.unpack(archive)
        said = "c.zip: brings the unpacked archives to 300,000 bytes; 250,000 are read at most."
        with pytest.raises(BadInput, match=said):
            untrusted.unpack(archives[2])


def directory_changed(content: bytes, place: int, value: bytes, entry: int = 0) -> bytes:
    """Return an archive with other bytes at a place of an entry in its directory."""
    changed, at = bytearray(content), -1
    for _ in range(entry + 1):
        at = content.index(b"PK\x01\x02", at + 1)
    changed[at + place : at + place + len(value)] = value
    return bytes(changed)


def test_members_that_share_bytes_are_refused(tmp_path: Path) -> None:
    """A directory may name one compressed member a hundred times."""
    content = zipped(("a", b"one" * 100, 0), ("b", b"one" * 100, 0), ("c", b"two", 0))
    shared = directory_changed(content, 42, (0).to_bytes(4, "little"), entry=1)
    with pytest.raises(BadInput, match='contains "b", which shares bytes with another member'):
        untrusted.unpack(file(tmp_path, shared))
    long = directory_changed(content, 20, (10**6).to_bytes(4, "little"), entry=2)
    with pytest.raises(BadInput, match='contains "c", which shares bytes'):
        untrusted.unpack(file(tmp_path, long))


def test_members_beside_each_other_share_no_bytes(tmp_path: Path) -> None:
    """Names in other letters, comments and extra fields are no reason to think so."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in ("é.txt", "日本.txt", "plain.txt"):
            entry = zipfile.ZipInfo(name)
            entry.comment, entry.extra = b"why", b"\x99\x99\x04\x00abcd"
            archive.writestr(entry, b"text")
    assert len(untrusted.unpack(file(tmp_path, buffer.getvalue()))) == 3
    # As programs wrote names that knew no UTF-8.
    old = buffer.getvalue().replace("é".encode(), b"\x82\x82")
    for start in (b"PK\x03\x04", b"PK\x01\x02"):
        at = old.index(start) + (6 if start.endswith(b"\x04") else 8)
        old = old[:at] + b"\x00\x00" + old[at + 2 :]
    assert "plain.txt" in {member.path.name for member in untrusted.unpack(file(tmp_path, old))}


def test_a_name_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    content = zipped(("a/x", b"1", 0), ("a/y", b"2", 0)).replace(b"a/y", b"a/x")
    with pytest.raises(BadInput, match='contains "a/x", which is there twice'):
        untrusted.unpack(file(tmp_path, content))


def test_sizes_that_no_file_has_are_refused(tmp_path: Path) -> None:
    """A field of zip64 can say that a member is of 2^64 bytes."""
    huge = b"\x01\x00\x18\x00" + b"\xff" * 24
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        entry = zipfile.ZipInfo("x")
        entry.extra = huge
        archive.writestr(entry, b"text")
    content = directory_changed(buffer.getvalue(), 20, b"\xff" * 8)
    content = directory_changed(content, 42, b"\xff" * 4)
    with pytest.raises(BadInput):
        untrusted.unpack(file(tmp_path, content))


def test_only_ways_of_packing_that_take_no_memory_of_their_own_are_read(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("x", b"text")
    with pytest.raises(BadInput, match="packed in a way that is not known here"):
        untrusted.unpack(file(tmp_path, buffer.getvalue()))


def test_a_damaged_archive_beside_exports_is_said_to_be_one(tmp_path: Path) -> None:
    """It may have held marks: it is not passed over as a file of no format."""
    (tmp_path / "e.csv").write_text("unit,A,B\n1,x,y\n2,y,y\n", encoding="utf-8")
    (tmp_path / "more.zip").write_bytes(zipped(("x.xmi", b"text", 0))[:-10])
    paths = [(tmp_path / name, name) for name in ("e.csv", "more.zip")]
    with pytest.raises(BadInput, match=r"more.zip: is a damaged archive"):
        read_export(paths)


def test_any_damage_to_an_archive_is_refused_in_words(tmp_path: Path) -> None:
    content = zipped(*((f"{name}.txt", f"{name} text ".encode() * 20, 0) for name in "abc"))
    chance = random.Random(0)  # noqa: S311 - no secret
    for _ in range(3_000):
        changed = bytearray(content)
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(changed))
            changed[at : at + chance.choice((1, 2, 4))] = chance.randbytes(chance.choice((0, 1, 2, 4, 4)))
        damaged = ExportFile.with_content(tmp_path / "e.zip", "e.zip", content=bytes(changed))
        with contextlib.suppress(BadInput):
            untrusted.unpack(damaged)
        with contextlib.suppress(BadInput):
            untrusted.member_names(damaged)


@pytest.mark.parametrize("damage", [b"PK\x03\x04", b"", b"no archive"])
def test_a_damaged_archive_is_refused(tmp_path: Path, damage: bytes) -> None:
    with pytest.raises(BadInput, match="damaged archive"):
        untrusted.unpack(file(tmp_path, damage))


def test_an_archive_of_which_a_byte_changed_is_refused(tmp_path: Path) -> None:
    content = bytearray(zipped(("x.txt", bytes(range(256)) * 4, 0)))
    content[60] ^= 0xFF
    with pytest.raises(BadInput, match="damaged archive"):
        untrusted.unpack(file(tmp_path, bytes(content)))


def test_only_members_that_are_wanted_are_unpacked(tmp_path: Path) -> None:
    found = untrusted.unpack(file(tmp_path, zipped(("a/x", b"1", 0), ("b/x", b"2", 0)), "e.zip"), ("b/",))
    assert [each.name for each in found] == ["e.zip/b/x"]


def test_json_values_one_after_another_have_the_line_on_which_they_start(tmp_path: Path) -> None:
    found = untrusted.read_records(file(tmp_path, b'{"a": 1}\n\n{\n"a": 2\n}\n{"a": 3}'))
    assert [(each.line, each.value["a"]) for each in found] == [(1, 1), (3, 2), (6, 3)]


def test_the_elements_of_a_json_list_are_numbered(tmp_path: Path) -> None:
    assert [(each.line, each.value) for each in untrusted.read_records(file(tmp_path, b' ["x", null]'))] == [
        (1, "x"),
        (2, None),
    ]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b'{"a": 1}\n{"a": }', 2),
        (b"[1,\n2", 2),
        (b"[" * 100_000, 0),
        (b"9" * 5000, 1),
        (b'{"a": ' * 100_000, 1),
    ],
    ids=["one of several", "list", "deep list", "long number", "deep object"],
)
def test_what_is_no_json_is_refused_with_its_line(tmp_path: Path, content: bytes, line: int) -> None:
    with pytest.raises(BadInput) as caught:
        untrusted.read_records(file(tmp_path, content))
    assert caught.value.problems[0].line == line


def test_the_first_record_is_read_without_the_rest(tmp_path: Path) -> None:
    assert untrusted.first_record(file(tmp_path, b'[{"a": 1}, broken')) == {"a": 1}
    assert untrusted.first_record(file(tmp_path, b'{"a": 1}\nbroken')) == {"a": 1}
    assert untrusted.first_record(file(tmp_path, b"broken")) is None


LINE = b'{"id": 1, "text": "x", "label": [[0, 1, "P"]]}\n'


def tarred(name: str = "anna.jsonl", kind: bytes = tarfile.REGTYPE) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        entry = tarfile.TarInfo(name)
        entry.type, entry.linkname, entry.size = kind, "/etc/passwd", len(LINE) * (kind == tarfile.REGTYPE)
        archive.addfile(entry, io.BytesIO(LINE))
    return buffer.getvalue()


NOT_UNPACKED = {
    "e.tar": tarred(),
    "e.tar.gz": gzip.compress(tarred()),
    "e.tar.xz": lzma.compress(tarred()),
    "e.tar.bz2": bz2.compress(tarred()),
    "out.tar": tarred("../anna.jsonl"),
    "absolute.tar.gz": gzip.compress(tarred("/anna.jsonl")),
    "link.tar": tarred(kind=tarfile.SYMTYPE),
    "device.tar": tarred(kind=tarfile.CHRTYPE),
    "truncated.tar.gz": gzip.compress(tarred())[:-20],
    "e.csv.gz": gzip.compress(b"unit,A,B\n1,x,y\n"),
    "bomb.csv.gz": gzip.compress(bytes(10_000_000)),
    "e.7z": b"7z\xbc\xaf\x27\x1c" + bytes(60),
    "e.rar": b"Rar!\x1a\x07\x01" + bytes(60),
    "e.csv.zst": b"\x28\xb5\x2f\xfd" + bytes(30),
    "table.zip": zipped(("e.csv", b"unit,A,B\n1,x,y\n", 0)),
    "nested.zip": zipped(("e.zip", zipped(("e.zip", zipped(("a.jsonl", LINE, 0)), 0)), 0)),
}


@pytest.mark.parametrize("name", NOT_UNPACKED)
def test_archives_of_other_kinds_are_not_opened_and_the_remedy_is_to_unpack_them(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_bytes(NOT_UNPACKED[name])
    with pytest.raises(BadInput) as caught:
        read_export([(tmp_path / name, name)])
    (problem,) = caught.value.problems
    assert (problem.message, problem.remedy) == (
        f"no file is in a known format. Looked at: {name}.",
        f"Unpack {name}: what is in it may be known.",
    )


def test_a_document_of_another_program_is_to_be_saved_as_a_table(tmp_path: Path) -> None:
    (tmp_path / "t.numbers").write_bytes(zipped(("content.xml", b"<x/>", 0)))
    with pytest.raises(BadInput, match="document of Numbers: save it as"):
        read_export([(tmp_path / "t.numbers", "t.numbers")])
    with pytest.raises(BadInput, match="Download it, a Google sheet as"):
        read_export([(tmp_path / "t", "https:/docs.example/d")])


@pytest.mark.parametrize("name", NOT_UNPACKED)
def test_an_archive_beside_exports_is_named_as_left_out(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(NOT_UNPACKED[name])
    (tmp_path / "e.csv").write_text("unit,A,B\n1,x,y\n2,y,y\n", encoding="utf-8")
    found = read_export([(tmp_path / name, name), (tmp_path / "e.csv", "e.csv")])
    assert found.marks_read == 4
    assert list(found.unread) == [name]
