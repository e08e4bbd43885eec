"""`reportgen verify` against somebody who covers traces: all checksums, pages and metadata are mended."""

import io
import json
import shutil
import warnings
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from reportgen.base.site_folder import MEMORY
from reportgen.pipeline.build import build_site
from reportgen.publish.bundle import with_metadata
from reportgen.publish.bundle_files import Released, as_zip, checksums
from reportgen.publish.verify import Verified, as_text, verify
from reportgen.publish.verify.differences import CheckOutcome, Discrepancy, Unchecked, compare, merge_outcomes
from reportgen.publish.verify.file_tree import read_archive
from reportgen.publish.verify.recomputing import check_choice
from reportgen.results import Results
from tests.bundles import differences, dumped, mended, small, verified
from tests.campaigns import written
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


@pytest.mark.slow
def test_figures_that_can_not_be_computed_are_not_called_computed() -> None:
    files = dict(small(texts=False, exports=False))
    files["report/counts/ratings.csv"] = b"x"
    outcome = verified(mended(files))
    assert "figures of results.json" in unchecked(outcome)
    assert outcome.numbers < 500


def test_a_figure_that_was_added_is_not_excused_by_calling_itself_not_recomputable() -> None:
    for found in ({"cohen_kappa": {"value": 0.5}}, {}):
        own = {"value": 1.0, "recomputable": False}
        one, other = (
            {"unit_sets": [{"layer": "main", "id": "x", "measures": each}]} for each in (own, found)
        )
        one["unit_sets"][0]["measures"] = {"my_kappa": own}
        assert merge_outcomes(compare(one, other, RESULTS)).differences


@pytest.mark.parametrize(
    "key",
    [{"declared": True}, {"coefficient": "cohen_kappa"}, {"reason": "Categories have an order, so that"}],
)
def test_a_choice_that_no_rule_makes_is_named(key: dict[str, Any]) -> None:
    value = recorded(texts=False, exports=False)
    value["choice"]["main"] |= key
    value["coefficient_declared"] = value["choice"]["main"]["declared"]
    assert merge_outcomes(check_choice(Results.model_validate(value), RESULTS)).differences


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


def test_nothing_follows_where_every_file_has_its_checksum() -> None:
    lie = Discrepancy("a", "differs", "pages")
    assert [each.follows for each in merge_outcomes([lie]).differences] == [False]
    other = Discrepancy("b", "was changed", "checksums")
    assert [each.follows for each in merge_outcomes([lie, other]).differences] == [False, True]


def test_same_is_said_of_what_was_checked_alone() -> None:
    for outcome, said in (
        (CheckOutcome(), "same: nothing differs."),
        (
            CheckOutcome(unchecked=[Unchecked("a", "b")]),
            "not all could be checked: nothing of what was checked differs.",
        ),
    ):
        assert list(as_text(Verified("b.zip", "bundle", outcome)))[-1][1] == said


# Folders and archives


@pytest.mark.slow
def test_an_empty_folder_is_named(tmp_path: Path) -> None:
    folder = on_disk(tmp_path, small(texts=False, exports=False))
    (folder / "report" / "empty" / "inside").mkdir(parents=True)
    found = verify(folder).outcome
    assert differences(found) == "report/empty/inside/: was added: it is a folder without files."


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

EXPORT = "item,ann,bea\n1,yes,yes\n2,yes,no\n3,no,no\n4,no,no\n5,yes,yes\n6,no,yes\n"


def test_an_archive_that_another_program_packed_is_said_once_and_a_packed_entry_by_its_name() -> None:
    names = [f"{number}.txt" for number in range(9)]
    for packed in (names, names[4:5]):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            for name in names:
                method = zipfile.ZIP_DEFLATED if name in packed else zipfile.ZIP_STORED
                archive.writestr(name, name * 99, method)
        tree, faults = read_archive(buffer.getvalue(), "b.zip")
        assert sorted(tree) == names
        said = [each.file for each in faults if "compressed" in each.what]
        assert said == (["b.zip"] if len(packed) > 1 else packed)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of one campaign of two versions."""
    top = tmp_path_factory.mktemp("hostile")
    exports = {"exports/1.0/e.csv": EXPORT, "exports/1.1/e.csv": EXPORT.replace("2,yes,no", "2,no,no")}
    folder = written(top / "votes", '[task]\ncategories = ["yes", "no"]\n', exports)
    path = folder / "campaign.toml"
    path.write_text(f'{path.read_text()}[[guidelines]]\nversion = "1.1"\nexports = "exports/1.1"\n')
    build_site([folder], top / "site")
    return top / "site"


@pytest.fixture
def own_site(site: Path, tmp_path: Path) -> Path:
    """A copy of the site, to be changed."""
    return Path(shutil.copytree(site, tmp_path / "site"))


@pytest.mark.slow
def test_a_site_copied_without_dotfiles_is_the_same_and_its_memory_unchecked(own_site: Path) -> None:
    (own_site / MEMORY).unlink()
    found = verify(own_site)
    assert found.verdict == "unchecked"
    assert MEMORY in unchecked(found.outcome)
    (own_site / "more.txt").write_bytes(b"")
    assert f"{MEMORY}: is missing" in differences(verify(own_site).outcome)


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
