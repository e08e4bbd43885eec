"""`reportgen verify`: a byte changed, a file removed or added anywhere in a bundle is found and named."""

import io
import struct
import zipfile
from collections.abc import Iterator, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportgen.release import as_zip, unzip
from reportgen.verifying.archive import read_archive
from reportgen.verifying.checksums import check_checksums
from reportgen.verifying.outcome import Difference
from tests.bundles import flipped, small, tree

LISTS = ("SHA256SUMS", "report/SHA256SUMS")


def differences(files: Mapping[str, bytes]) -> list[Difference]:
    known = tree(files)
    found = [check_checksums(known), check_checksums(known, "report/")]
    return [each for outcome in found for each in outcome.differences]


def told(found: list[Difference]) -> str:
    return "\n".join(f"{each.file}: {each.what}" for each in found)


def test_an_untouched_bundle_has_no_difference() -> None:
    assert differences(small()) == []


def test_every_flipped_byte_is_named() -> None:
    for name, content in small().items():
        for place in {0, len(content) // 2, max(0, len(content) - 1)}:
            found = differences({**small(), name: flipped(content, place)})
            assert name in told(found), (name, place)


def test_every_removed_file_is_named() -> None:
    for name in small():
        files = {other: content for other, content in small().items() if other != name}
        assert f"{name}: is missing" in told(differences(files)), name


def test_every_added_file_is_named() -> None:
    for name in small():
        for beside in (f"{name}.bak", f"{name.rpartition('/')[0]}/.hidden".lstrip("/")):
            assert f"{beside}: was added" in told(differences({**small(), beside: b""})), beside


def test_a_list_of_checksums_is_named_whichever_byte_of_it_is_another() -> None:
    """Every byte of one line, which is then of another form, or has another digest, blank, name or end."""
    for name in LISTS:
        content = small()[name]
        for place in range(content.index(b"\n") + 1):
            assert name in told(differences({**small(), name: flipped(content, place, bit=place % 8)}))


@pytest.mark.parametrize(
    ("how", "said"),
    [
        (lambda text: text.upper(), "hexadecimal"),
        (lambda text: text.replace("  ", " "), "two spaces"),
        (lambda text: text.replace("  ", " *"), "two spaces"),
        (lambda text: text.replace("\n", "\r\n"), "SHA256SUMS"),
        (lambda text: text.rstrip("\n"), "does not end"),
        (lambda text: text + "\n", "line"),
        (lambda text: text + text.splitlines(keepends=True)[0], "twice"),
        (lambda text: "".join(sorted(text.splitlines(keepends=True))), "order"),
        (lambda text: "\ufeff" + text, "line 1"),
        (lambda _: "", "was added"),
    ],
)
def test_a_list_that_is_not_written_as_ours_is_different(how: object, said: str) -> None:
    text = small()["SHA256SUMS"].decode()
    found = differences({**small(), "SHA256SUMS": how(text).encode()})  # type: ignore[operator]
    assert said in told(found)


# The archive


def bundle_zip() -> bytes:
    return as_zip(small())


def found_in(content: bytes) -> list[Difference]:
    files, outcome = read_archive(content, "b.zip")
    return [*outcome.differences, *differences(files)]


def test_an_untouched_archive_has_no_difference() -> None:
    assert found_in(bundle_zip()) == []


@settings(max_examples=40)
@given(st.data())
def test_every_flipped_byte_of_an_archive_is_found(data: st.DataObject) -> None:
    content = bundle_zip()
    place = data.draw(st.integers(0, len(content) - 1))
    assert found_in(flipped(content, place, data.draw(st.integers(0, 7))))


def test_every_part_of_an_archives_frame_counts() -> None:
    """Headers and directory of a small archive, byte by byte, and what stands before and behind."""
    files = {"a": b"1", "b/c": b"", "SHA256SUMS": b"x"}
    content = as_zip(files)
    for place in range(len(content)):
        for bit in (0, 5, 7):
            changed = flipped(content, place, bit)
            files_found, outcome = read_archive(changed, "b.zip")
            assert outcome.differences or dict(files_found) != files, place
    for changed in (b"x" + content, content + b"x", content + content, content[:-1], content[1:]):
        assert read_archive(changed, "b.zip")[1].differences


def test_a_damaged_entry_is_named() -> None:
    content = bundle_zip()
    place = content.index(small()["report/results.json"]) + 1000
    found = found_in(flipped(content, place))
    assert any(each.file == "report/results.json" and "damaged" in each.what for each in found)


def test_an_archive_cut_anywhere_is_damaged() -> None:
    content = bundle_zip()
    for share in range(1, 20):
        assert found_in(content[: len(content) * share // 20])


def test_an_archive_packed_anew_is_read_and_its_form_named() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in small().items():
            archive.writestr(name, content)
    files, outcome = read_archive(buffer.getvalue(), "b.zip")
    assert dict(files) == dict(sorted(small().items()))
    assert [each.file for each in outcome.differences] == ["b.zip"]
    assert f"{len(small()) - 1} more entries are compressed" in told(list(outcome.differences))


def hostile() -> Iterator[tuple[str, bytes]]:
    for name, said in (("../x", "leads out"), ("/x", "leads out"), ("C:\\x", "leads out"), ("a/", "folder")):
        yield said, zipped([(zipfile.ZipInfo(name), b"")])
    link = zipfile.ZipInfo("link")
    link.external_attr = 0o120777 << 16
    yield "is a link", zipped([(link, b"/etc/passwd")])
    yield "twice", zipped([(zipfile.ZipInfo("a"), b"1"), (zipfile.ZipInfo("a"), b"2")])
    yield "more than it can hold", shared_bytes()
    bomb = zipfile.ZipInfo("bomb")
    bomb.compress_type = zipfile.ZIP_DEFLATED
    yield "compressed", zipped([(bomb, b"0" * 10_000_000)])
    sealed = bytearray(as_zip({"a": b"1"}))
    sealed[6] |= 1
    sealed[sealed.index(b"PK\x01\x02") + 8] |= 1
    yield "encrypted", bytes(sealed)


def zipped(entries: list[tuple[zipfile.ZipInfo, bytes]]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for entry, content in entries:
            archive.writestr(entry, content)
    return buffer.getvalue()


def shared_bytes() -> bytes:
    """Return an archive of which many entries are the same bytes."""
    one = as_zip({"a": b"0" * 1_000_000})
    start = one.index(b"PK\x01\x02")
    entry, end = one[start : start + 47], bytearray(one[start + 47 :])
    struct.pack_into("<2HI", end, 8, 9, 9, 9 * len(entry))
    return one[:start] + entry * 9 + bytes(end)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_hostile_archive_is_named_and_harms_nobody() -> None:
    for said, content in hostile():
        found = unzip(content)
        assert said in "\n".join(what for _, what in found.faults), said
        assert not any(name.startswith(("/", "..")) for name in found.files)
