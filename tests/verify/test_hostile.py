"""`reportgen verify` against somebody who covers traces: all checksums, pages and metadata are mended."""

import io
import json
import warnings
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from reportgen.publish.bundle import with_metadata
from reportgen.publish.bundle_files import Released, as_zip, checksums
from reportgen.publish.verify import as_text, verify
from reportgen.publish.verify.differences import CheckOutcome
from reportgen.publish.verify.file_tree import read_archive
from reportgen.results import Results
from tests.bundles import differences, dumped, mended, small, verified
from tests.commands import on_disk

RESULTS, PSEUDONYMS = "report/results.json", "exports/pseudonyms.csv"


def recorded(**options: bool) -> Any:  # noqa: ANN401
    return json.loads(small(**options)[RESULTS])


def covered(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return a bundle with checksums and metadata as of its files: whoever added one has mended them."""
    inside = mended(files)
    inside.pop("SHA256SUMS")
    results = Results.model_validate_json(files[RESULTS])
    return mended(with_metadata(Released(results, ("en", "fr"), results.revision.released, inside)).files)


def unchecked(outcome: CheckOutcome) -> set[str]:
    return {each.what for each in outcome.unchecked}


# Files that nothing determines


@pytest.mark.slow
def test_a_file_added_to_a_bundle_is_named_though_all_lists_have_it() -> None:
    added = {"NOTES.md": b"All is well.\n", "./README.md": b"x", "report/counts/more.parquet": b"PAR1"}
    outcome = verified(covered({**small(texts=False, exports=False), **added}))
    assert [each.check for each in outcome.differences if each.check == "checksums"] == []
    for name in added:
        assert f"{name}: was added" in differences(outcome), name


@pytest.mark.slow
def test_a_file_added_to_exports_is_named_and_so_is_a_name_that_stands_for_nobody() -> None:
    files = dict(small())
    files["exports/more.txt"] = b""
    files[PSEUDONYMS] += b'"annotator","zoe","A99"\n'
    files["exports/campaign.toml"] += b"# mine\n"
    said = differences(verified(covered(files)))
    assert "exports/more.txt: was added" in said
    assert f"{PSEUDONYMS}: names 'zoe'" in said
    assert "exports/campaign.toml: line" in said


@pytest.mark.slow
def test_names_that_no_system_can_hold_are_told() -> None:
    for name in (f"guidelines/{'a' * 3000}", "guidelines/1.0.md/x"):
        assert verified(mended({**small(texts=False, exports=False), name: b"x"})).differences


# What nothing determines is named as unchecked


@pytest.mark.slow
def test_what_no_figure_hangs_on_is_named_as_unchecked() -> None:
    outcome = verified({name: each for name, each in small().items() if not name.startswith("exports/")})
    assert {"inputs", "reading", "settings", "quality", "texts and marks in texts.json"} <= unchecked(outcome)


# Another version


def of_another_version() -> Any:  # noqa: ANN401
    value = recorded(texts=False, exports=False)
    value["tool"]["version"] = "0.0.9"
    return value


@pytest.mark.slow
def test_of_another_version_a_changed_figure_is_found_and_what_it_had_not_is_told() -> None:
    value = of_another_version()
    measures = value["unit_sets"][0]["measures"]
    measures.pop("fleiss_kappa")
    value["findings"] = value["findings"][:1]
    files = covered({**small(texts=False, exports=False), RESULTS: dumped(value)})
    outcome = verified(files)
    assert differences(outcome) == ""
    assert {"unit sets", "findings", "pages, tables and figures"} <= unchecked(outcome)
    measures["krippendorff_alpha"]["value"] = 0.99
    assert "krippendorff_alpha: value: 0.99" in differences(
        verified(mended({**files, RESULTS: dumped(value)}))
    )


# The account


@pytest.mark.slow
def test_what_was_changed_comes_before_what_was_held_against_it(tmp_path: Path) -> None:
    name = "report/counts/pairs.csv"
    files = {**small(texts=False, exports=False), name: small()[name] + b" "}
    found = verify(on_disk(tmp_path, files))
    own = [each for each in found.outcome.differences if not each.follows]
    assert {each.file for each in own} == {name}
    (sums,) = (each.what for each in own if each.check == "checksums")
    assert " of SHA256SUMS" in sums
    assert " of report/SHA256SUMS" in sums
    lines = [line for _, line in as_text(found)]
    place = next(number for number, line in enumerate(lines) if line.startswith("compared with"))
    assert not any(line.startswith("  ") for line in lines[place:])
    assert any(line.startswith("croissant.json") for line in lines[place:])


# Folders and archives


def repacked(change: Callable[[zipfile.ZipFile, zipfile.ZipInfo], None], *, backwards: bool = False) -> bytes:
    buffer = io.BytesIO()
    files = small(texts=False, exports=False)
    with zipfile.ZipFile(buffer, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in sorted(files, reverse=backwards):
            entry = zipfile.ZipInfo(name)
            entry.create_system, entry.external_attr = 3, 0o100644 << 16
            change(archive, entry)
            archive.writestr(entry, files[name])
    return buffer.getvalue()


def test_an_archive_in_another_form_is_different_and_said_shortly() -> None:
    whole = as_zip(small(texts=False, exports=False))
    assert repacked(lambda _, __: None) == whole
    for content, said in (
        (repacked(lambda _, entry: setattr(entry, "extra", b"\x01\x99\x00\x00")), "more than reportgen"),
        (repacked(lambda _, entry: setattr(entry, "comment", b"x")), "directory differs"),
        (repacked(lambda archive, _: setattr(archive, "comment", b"x")), "the end of the archive"),
        (repacked(lambda _, __: None, backwards=True), "in the order of their names"),
        (b"#!/bin/sh\n" + whole, "more than reportgen"),
    ):
        found = read_archive(content, "b.zip")[1]
        assert [each.check for each in found] == ["archive"], said
        assert said in found[0].what


# Sites


@pytest.mark.slow
def test_two_versions_that_changed_places_are_named(own_site: Path) -> None:
    votes = own_site / "votes"
    for one, other in (("1.0", "x"), ("1.1", "1.0"), ("x", "1.1")):
        (votes / one).rename(votes / other)
    own = {name: (votes / name).read_bytes() for name in ("history.json", "SHA256SUMS")}
    assert checksums({"history.json": own["history.json"]}).encode() in own["SHA256SUMS"]
    said = differences(verify(votes).outcome)
    assert "1.0/: contains the report of guidelines 1.1" in said
    assert "1.1/: contains the report of guidelines 1.0" in said
    votes.rename(own_site / "opinions")
    assert "opinions/: contains the campaign votes" in differences(verify(own_site).outcome)


@pytest.mark.slow
def test_an_interval_that_a_comparison_repeats_is_held_against_the_versions_own(own_site: Path) -> None:
    place = own_site / "votes" / "compare" / "1.0...1.1" / "comparison.json"
    value = json.loads(place.read_bytes())
    revised = value["unit_sets"][0] | {"basis": "all"}
    revised["measures"]["cohen_kappa"]["first"]["units"] += 1
    value["unit_sets"].append(revised)
    place.write_bytes(dumped(value))
    assert "cohen_kappa, first, units: 7 recorded, 6 in the results of 1.0" in differences(
        verify(own_site).outcome
    )
