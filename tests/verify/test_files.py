"""`reportgen verify`: a byte changed, a file removed or added anywhere in a bundle is found and named."""

import contextlib
import hashlib
import io
import struct
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.base.errors import BadInput
from reportgen.publish.bundle_files import as_zip, unzip
from reportgen.publish.verify.differences import Discrepancy, merge_outcomes
from reportgen.publish.verify.file_tree import check_checksums, merge_checksum_lists, read_archive
from tests import bundles
from tests.bundles import flipped, tree
from tests.commands import run
from tests.properties import examples

WHOLE, INNER = "SHA256SUMS", "report/SHA256SUMS"


def small() -> Mapping[str, bytes]:
    """The bundle that other quick tests read too: without texts and exports."""
    return bundles.small(texts=False, exports=False)


def differences(files: Mapping[str, bytes]) -> list[Discrepancy]:
    known = tree(files)
    return [
        *merge_outcomes(check_checksums(known)).differences,
        *merge_outcomes(check_checksums(known, "report/")).differences,
    ]


def checksums_of(files: Mapping[str, bytes]) -> list[Discrepancy]:
    """Return what both lists of checksums of a bundle tell, joined."""
    known = tree(files)
    whole, report = merge_outcomes(check_checksums(known)), merge_outcomes(check_checksums(known, "report/"))
    return list(merge_checksum_lists(whole.differences, report.differences))


def test_an_untouched_bundle_has_no_difference() -> None:
    assert differences(small()) == []


# The archive


def bundle_zip() -> bytes:
    return as_zip(small())


def found_in(content: bytes) -> list[Discrepancy]:
    files, faults = read_archive(content, "b.zip")
    return [*faults, *differences(files)]


def test_an_untouched_archive_has_no_difference() -> None:
    assert found_in(bundle_zip()) == []


@examples(40)
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
            with contextlib.suppress(BadInput):  # a size that is no bundle's
                files_found, faults = read_archive(changed, "b.zip")
                assert faults or dict(files_found) != files, place
    for changed in (b"x" + content, content + b"x", content + content, content[:-1], content[1:]):
        assert read_archive(changed, "b.zip")[1]


def test_a_damaged_entry_is_named() -> None:
    content = bundle_zip()
    place = content.index(small()["report/results.json"]) + 1000
    found = found_in(flipped(content, place))
    assert any(each.file == "report/results.json" and "damaged" in each.what for each in found)


def test_an_archive_cut_anywhere_is_damaged() -> None:
    content = bundle_zip()
    for share in range(1, 20):
        assert found_in(content[: len(content) * share // 20])


def hostile() -> Iterator[tuple[str, bytes]]:
    for name, said in (("../x", "leads out"), ("/x", "leads out"), ("C:\\x", "leads out"), ("a/", "folder")):
        yield said, zipped([(zipfile.ZipInfo(name), b"")])
    link = zipfile.ZipInfo("link")
    link.external_attr = 0o120777 << 16
    yield "is a link", zipped([(link, b"/etc/passwd")])
    yield "twice", zipped([(zipfile.ZipInfo("a"), b"1"), (zipfile.ZipInfo("a"), b"2")])
    yield "more than it can contain", shared_bytes()
    bomb = zipfile.ZipInfo("bomb")
    bomb.compress_type = zipfile.ZIP_DEFLATED
    yield "compressed", zipped([(bomb, b"0" * 1_000_000)])
    yield "more than it can contain", zipped([(bomb, b"0" * 10_000_000)])
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


def test_verify_reads_no_bomb_and_calls_it_no_difference(tmp_path: Path) -> None:
    (tmp_path / "b.zip").write_bytes(shared_bytes())
    found = run("verify", tmp_path / "b.zip")
    assert (found.exit_code, found.stdout) == (2, "")
    assert "b.zip: would unpack to 9,000,000 bytes in 9 files, more than it can contain" in found.stderr


# Two lists of checksums of one report


@pytest.mark.parametrize(("wrong", "right"), [(WHOLE, INNER), (INNER, WHOLE)])
def test_a_list_of_checksums_that_is_wrong_about_a_file_is_what_is_named(wrong: str, right: str) -> None:
    place = "report/counts/pairs.csv"
    listed = place if wrong == WHOLE else place.removeprefix("report/")
    files = dict(small())
    digest = hashlib.sha256(files[place]).hexdigest()
    files[wrong] = files[wrong].replace(f"{digest}  {listed}".encode(), f"{'0' * 64}  {listed}".encode())
    if wrong == INNER:
        own = hashlib.sha256(small()[INNER]).hexdigest()
        files[WHOLE] = files[WHOLE].replace(own.encode(), hashlib.sha256(files[INNER]).hexdigest().encode())
    found = checksums_of(files)
    assert [each.file for each in found] == [wrong]
    assert f"is wrong about {place}: line " in found[0].what
    assert found[0].what.endswith(f"of {wrong} says {'0' * 12}…, and {right} is right.")


def test_a_file_that_one_list_leaves_out_is_told_of_that_list() -> None:
    place = "report/counts/pairs.csv"
    files = dict(small())
    line = f"{hashlib.sha256(files[place]).hexdigest()}  {place}\n"
    files[WHOLE] = files[WHOLE].replace(line.encode(), b"")
    (found,) = checksums_of(files)
    assert found.file == WHOLE
    assert found.what == f"is wrong about {place}: {WHOLE} does not list it, and {INNER} is right."
