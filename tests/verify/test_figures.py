"""`reportgen verify`: a figure or a byte changed, a file removed or added is found and named."""

import contextlib
import hashlib
import io
import json
import struct
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.base.errors import BadInput
from reportgen.publish.bundle import with_metadata
from reportgen.publish.bundle_files import Released, as_zip
from reportgen.publish.verify.differences import Discrepancy, compare, content, merge_outcomes
from reportgen.publish.verify.file_tree import Tree, check_checksums, read_archive
from reportgen.publish.verify.folders import check_figures, read_version
from reportgen.publish.verify.recomputing import from_counts
from reportgen.report.site import version_pages
from reportgen.results import Results
from reportgen.results.texts import Texts
from tests import bundles
from tests.bundles import dumped, flipped, mended, small, tree, verified
from tests.commands import run
from tests.properties import examples
from tests.slowly import slow_but

RESULTS = "report/results.json"
Keys = tuple[Any, ...]


@cache
def recorded() -> Any:  # noqa: ANN401 - any JSON value
    return json.loads(small(texts=False, exports=False)[RESULTS])


@cache
def recomputed() -> Any:  # noqa: ANN401 - any JSON value
    files = Tree(small(texts=False, exports=False))
    report, wrong = from_counts(Results.model_validate_json(files[RESULTS]), files)
    assert wrong == []
    assert report is not None
    return content(report.results)


def leaves(value: Any, above: Keys = ()) -> Iterator[tuple[Keys, Any]]:  # noqa: ANN401
    """Yield every value that is no list or table, with the keys that lead to it."""
    if isinstance(value, Mapping | list):
        for key, each in value.items() if isinstance(value, Mapping) else enumerate(value):
            yield from leaves(each, (*above, key))
    else:
        yield above, value


def with_other(value: Any, keys: Keys, other: Any) -> Any:  # noqa: ANN401
    """Return a JSON value in which another stands at one place."""
    if not keys:
        return other
    changed = dict(value) if isinstance(value, Mapping) else list(value)
    changed[keys[0]] = with_other(value[keys[0]], keys[1:], other) if keys[1:] else other
    return changed


def changed(value: Any) -> Any:  # noqa: ANN401
    """Return a number of which the last of twelve digits is another."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    if isinstance(value, int):
        return value + 1
    return float(f"{value * (1 + 1.5e-11) if value else 1e-12:.12g}")


def figures() -> list[Keys]:
    """Return the keys of each number that counts determine."""
    found = [keys for keys, value in leaves(recorded()) if changed(value) != value]
    return [keys for keys in found if not excused(keys)]


def excused(keys: Keys) -> bool:
    """Tell whether a number stands where `verify` says that it is unchecked, or another check looks at it."""
    elsewhere = {
        "adjudication",
        "catalogue",
        "disagreements",
        "findings",
        "inputs",
        "left_out",
        "quality",
        "unread",
    }
    of_texts = {("spans", "unitizing"), ("spans", "disagreements")}
    return keys[0] in elsewhere or keys[:2] in of_texts


def test_all_figures_of_an_untouched_bundle_are_recomputed() -> None:
    held = merge_outcomes(compare(recorded(), recomputed(), RESULTS))
    assert list(held.differences) == []
    assert held.numbers >= len(figures()) > 500


def test_each_figure_with_another_last_digit_is_named() -> None:
    other = recorded()
    for keys in figures():
        other = with_other(other, keys, changed(value_at(keys)))
    found = merge_outcomes(compare(other, recomputed(), RESULTS)).differences
    assert len({each.what for each in found}) == len(found) == len(figures())
    assert all(each.recorded != each.found for each in found)


def value_at(keys: Keys) -> Any:  # noqa: ANN401
    value = recorded()
    for key in keys:
        value = value[key]
    return value


def test_a_figure_is_named_by_its_keys() -> None:
    place = ("unit_sets", 0, "measures", "observed_agreement", "interval", "low")
    other = with_other(recorded(), place, 0.5)
    (found,) = merge_outcomes(compare(other, recomputed(), RESULTS)).differences
    where = "unit_sets[main tokens].measures.observed_agreement.interval.low"
    assert found.what == f"{where}: 0.5 recorded, {value_at(place)} recomputed."


def test_a_figure_that_ratings_alone_give_is_compared_although_it_has_a_flag() -> None:
    keys = ("unit_sets", 0, "measures", "majority_agreement")
    assert value_at(keys)["recomputable"] is False
    (found,) = merge_outcomes(
        compare(with_other(recorded(), (*keys, "value"), 0.5), recomputed(), RESULTS)
    ).differences
    assert found.what.startswith("unit_sets[main tokens].measures.majority_agreement.value: 0.5")


def told(found: Any) -> str:  # noqa: ANN401
    return "\n".join(f"{each.file}: {each.what}" for each in found)


# The whole way: traces are covered


def rendered_again(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return a bundle whose pages and metadata are those of its results, whoever changed these."""
    results = Results.model_validate_json(files[RESULTS])
    texts = Texts.model_validate_json(files["report/texts.json"]) if "report/texts.json" in files else None
    pages = version_pages(results, {"results.json"}, texts, ("en", "fr"), in_site=False)
    data = {
        name: each for name, each in files.items() if name.startswith(("report/", "exports/", "g", "dist"))
    }
    data |= {f"report/{name}": text.encode() for name, text in pages} | {
        "campaign.toml": files["campaign.toml"]
    }
    date = results.revision.released
    inside = mended(data)
    inside.pop("SHA256SUMS")
    return mended(with_metadata(Released(results, ("en", "fr"), date, inside)).files)


@pytest.mark.slow
@pytest.mark.parametrize("exports", slow_but([(False,), (True,)], (False,)))
def test_an_untouched_bundle_is_the_same(*, exports: bool) -> None:
    found = verified(small(texts=exports, exports=exports))
    assert told(found.differences) == ""
    assert found.numbers > 500
    assert found.pages > 50
    assert bool(found.unchecked) is not exports


@pytest.mark.slow
@pytest.mark.parametrize("pages_too", slow_but([(False,), (True,)], (True,)))
def test_a_changed_figure_is_named_though_traces_are_covered(*, pages_too: bool) -> None:
    files = small(texts=False, exports=False)
    keys = ("unit_sets", 0, "measures", "krippendorff_alpha", "value")
    other = {**files, RESULTS: dumped(with_other(recorded(), keys, changed(value_at(keys))))}
    found = verified(rendered_again(other) if pages_too else mended(other)).differences
    assert "measures.krippendorff_alpha.value: " in told(found)
    assert all(each.check not in {"checksums", "archive"} for each in found)
    if pages_too:
        assert {each.file for each in found if each.check == "pages"} == set()


@pytest.mark.slow
def test_a_changed_page_table_or_figure_is_named_though_its_checksum_is_mended() -> None:
    files = small(texts=False, exports=False)
    names = [name for name in files if not name.endswith("SHA256SUMS")]
    other = {name: files[name] + (b" " if name in names else b"") for name in files}
    named = {each.file for each in verified(mended(other)).differences}
    unseen = {name for name in names if name not in named}
    # No results tell what stands in the table of the model of Dawid and Skene, which counts do not give; and
    # the description of counts is held against figures only where all of them can be read.
    assert unseen <= {"report/counts/counts.json", "report/tables/dawid-skene.main.csv"}, unseen


@pytest.mark.slow
def test_changed_counts_are_found() -> None:
    """Each table of counts alone: it is held against the others and against the figures."""
    files = small(texts=False, exports=False)
    version = read_version(Tree(files), "report/")
    for name in (each for each in files if each.startswith("report/counts/")):
        text = files[name].decode()
        other = text.replace(",1\n", ",2\n", 1) if name.endswith(".csv") else f"{text} "
        changed_files = Tree({**files, name: other.encode()})
        there = replace(version, files=changed_files)
        assert merge_outcomes(
            check_figures(there, from_counts(version.results, changed_files))
        ).differences, name


WHOLE, INNER = "SHA256SUMS", "report/SHA256SUMS"


def small_bundle() -> Mapping[str, bytes]:
    """The bundle that other quick tests read too: without texts and exports."""
    return bundles.small(texts=False, exports=False)


def differences(files: Mapping[str, bytes]) -> list[Discrepancy]:
    known = tree(files)
    return [
        *merge_outcomes(check_checksums(known)).differences,
        *merge_outcomes(check_checksums(known, "report/")).differences,
    ]


def test_an_untouched_bundle_has_no_difference() -> None:
    assert differences(small_bundle()) == []


# The archive


def bundle_zip() -> bytes:
    return as_zip(small_bundle())


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
    place = content.index(small_bundle()["report/results.json"]) + 1000
    found = found_in(flipped(content, place))
    assert any(each.file == "report/results.json" and "damaged" in each.what for each in found)


def test_an_archive_cut_anywhere_is_damaged() -> None:
    content = bundle_zip()
    for share in range(1, 20):
        assert found_in(content[: len(content) * share // 20])


def hostile() -> Iterator[tuple[str, bytes]]:
    for name in ("../x", "/x", "C:\\x"):
        yield "leads out", zipped([(zipfile.ZipInfo(name), b"")])
    yield "compressed entries or folders", zipped([(zipfile.ZipInfo("a/"), b"")])
    link = zipfile.ZipInfo("link")
    link.external_attr = 0o120777 << 16
    yield "is a link", zipped([(link, b"/etc/passwd")])
    yield "twice", zipped([(zipfile.ZipInfo("a"), b"1"), (zipfile.ZipInfo("a"), b"2")])
    bomb = zipfile.ZipInfo("bomb")
    bomb.compress_type = zipfile.ZIP_DEFLATED
    yield "compressed", zipped([(bomb, b"0" * 1_000_000)])
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
    for said, archive in hostile():
        files, faults = read_archive(archive, "b.zip")
        assert said in "\n".join(each.what for each in faults), said
        assert not any(name.startswith(("/", "..")) for name in files)
    bomb = zipfile.ZipInfo("bomb")
    bomb.compress_type = zipfile.ZIP_DEFLATED
    for archive in (shared_bytes(), zipped([(bomb, b"0" * 10_000_000)])):
        with pytest.raises(BadInput, match="more than it can contain"):
            read_archive(archive, "b.zip")


def test_verify_reads_no_bomb_and_calls_it_no_difference(tmp_path: Path) -> None:
    (tmp_path / "b.zip").write_bytes(shared_bytes())
    found = run("verify", tmp_path / "b.zip")
    assert (found.exit_code, found.stdout) == (2, "")
    assert "b.zip: would unpack to 9,000,000 bytes in 9 files, more than it can contain" in found.stderr


# Two lists of checksums of one report


@pytest.mark.parametrize("wrong", [WHOLE, INNER])
def test_a_list_of_checksums_that_is_wrong_about_a_file_is_named(wrong: str) -> None:
    place = "report/counts/pairs.csv"
    listed = place if wrong == WHOLE else place.removeprefix("report/")
    files = dict(small_bundle())
    digest = hashlib.sha256(files[place]).hexdigest()
    files[wrong] = files[wrong].replace(f"{digest}  {listed}".encode(), f"{'0' * 64}  {listed}".encode())
    if wrong == INNER:
        own = hashlib.sha256(small_bundle()[INNER]).hexdigest()
        files[WHOLE] = files[WHOLE].replace(own.encode(), hashlib.sha256(files[INNER]).hexdigest().encode())
    found = [each for each in verified(files).differences if each.check == "checksums"]
    assert [each.file for each in found] == [place]
    assert found[0].what.endswith(f"; {wrong} says {'0' * 12}….")


def test_a_file_that_one_list_leaves_out_is_told_of_that_list() -> None:
    place = "report/counts/pairs.csv"
    files = dict(small_bundle())
    line = f"{hashlib.sha256(files[place]).hexdigest()}  {place}\n"
    files[WHOLE] = files[WHOLE].replace(line.encode(), b"")
    (found,) = differences(files)
    assert (found.file, found.what) == (place, f"was added: {WHOLE} does not list it.")
