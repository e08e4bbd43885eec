"""XML, archives and JSON from an export are hostile: nothing is fetched, expanded or unpacked."""

import io
import stat
import zipfile
from pathlib import Path

import pytest

from reportgen.base.errors import BadInput
from reportgen.readers import ExportFile, json_records, untrusted


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
    bomb = zipped(("x", b"\0" * (untrusted.SUSPECT_BYTES + 1), 0))
    assert len(bomb) < 100_000
    with pytest.raises(BadInput, match="more than an export can be"):
        untrusted.unpack(file(tmp_path, bomb))


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
    found = json_records.read_records(file(tmp_path, b'{"a": 1}\n\n{\n"a": 2\n}\n{"a": 3}'))
    assert [(each.line, each.value["a"]) for each in found] == [(1, 1), (3, 2), (6, 3)]


def test_the_elements_of_a_json_list_are_numbered(tmp_path: Path) -> None:
    assert [
        (each.line, each.value) for each in json_records.read_records(file(tmp_path, b' ["x", null]'))
    ] == [
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
        json_records.read_records(file(tmp_path, content))
    assert caught.value.problems[0].line == line


def test_the_first_record_is_read_without_the_rest(tmp_path: Path) -> None:
    assert json_records.first_record(file(tmp_path, b'[{"a": 1}, broken')) == {"a": 1}
    assert json_records.first_record(file(tmp_path, b'{"a": 1}\nbroken')) == {"a": 1}
    assert json_records.first_record(file(tmp_path, b"broken")) is None


def test_an_archive_packed_in_an_unknown_way_is_no_damaged_one(tmp_path: Path) -> None:
    content = bytearray(zipped(("x.txt", b"text", 0)))
    for place in (
        8,
        content.index(b"PK\x01\x02") + 10,
    ):  # the method, in the member's header and in the directory
        content[place : place + 2] = b"\x63\x00"
    with pytest.raises(BadInput, match="packed in a way that is not known here"):
        untrusted.unpack(file(tmp_path, bytes(content)))
