"""`reportgen verify` as users call it: bundles, sites and parts of them, and what is none of them."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from reportgen.base.site_folder import MEMORY
from reportgen.publish.bundle_files import as_zip
from reportgen.publish.verify import check_memory, verify
from reportgen.publish.verify.differences import Unusable, merge_outcomes, read_part
from reportgen.publish.verify.file_tree import Tree, kind_of, walk
from reportgen.publish.verify.recomputing import from_counts
from reportgen.results import Results
from tests.bundles import campaign, differences, flipped, small
from tests.commands import files, on_disk, run
from tests.slowly import slow_but


def told(path: Path) -> str:
    return differences(verify(path).outcome)


# Bundles


@pytest.mark.slow
def test_a_bundle_is_the_same_zipped_and_unpacked(tmp_path: Path) -> None:
    (tmp_path / "b.zip").write_bytes(as_zip(small()))
    for path in (tmp_path / "b.zip", on_disk(tmp_path / "folder", small())):
        answer = run("verify", path)
        assert answer.exit_code == 0, answer.output
        assert answer.stdout.splitlines()[-1] == "same: nothing differs."
        assert len(answer.stdout.splitlines()) <= 3


@pytest.mark.slow
def test_everything_that_was_found_is_printed_as_json(tmp_path: Path) -> None:
    (tmp_path / "b.zip").write_bytes(flipped(as_zip(small(texts=False, exports=False))))
    answer = run("verify", tmp_path / "b.zip", "--json")
    assert answer.exit_code == 1
    found = json.loads(answer.stdout)
    assert (found["kind"], found["same"]) == ("bundle", False)
    assert found["checked"]["files"] > 50
    assert {"check", "file", "what"} <= set(found["differences"][0])
    assert all(each["why"] for each in found["unchecked"])


# Sites


@pytest.mark.slow
def test_a_site_and_each_part_of_it_are_the_same(site: Path) -> None:
    parts = {"": "site", "votes": "campaign", "votes/1.0": "version", "votes/compare/1.0...1.1": "comparison"}
    for part, kind in parts.items():
        found = verify(site / part)
        assert (found.kind, list(found.outcome.differences)) == (kind, []), part
        assert found.outcome.pages


def test_every_changed_file_of_a_campaigns_site_is_named(own_site: Path) -> None:
    folder = own_site / "votes"
    before = files(folder)
    for name, content in before.items():
        (folder / name).write_bytes(flipped(content))
    found = verify(folder).outcome.differences
    named = {each.file for each in found}
    assert [name for name in before if name not in named and not name.endswith("SHA256SUMS")] == []
    assert sum("SHA256SUMS" in each.what for each in found) >= len(before) // 2


@pytest.mark.parametrize(
    "place", slow_but(["", "1.1/", "compare/1.0...1.1/", "1.0/tables/"], "compare/1.0...1.1/")
)
def test_a_file_added_to_a_site_is_named(own_site: Path, place: str) -> None:
    (own_site / "votes" / place / "more.txt").write_bytes(b"")
    assert f"{place}more.txt: was added" in told(own_site / "votes")


@pytest.mark.parametrize(
    "gone",
    slow_but(
        ["1.0", "1.1/results.json", "history.json", "SHA256SUMS", "compare"], "1.1/results.json", "compare"
    ),
)
def test_what_is_removed_from_a_site_is_named(own_site: Path, gone: str) -> None:
    path = own_site / "votes" / gone
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
    said = told(own_site / "votes")
    assert gone in said
    assert "missing" in said


def test_any_byte_of_a_sites_memory_counts(own_site: Path) -> None:
    content = (own_site / MEMORY).read_bytes()
    for place in range(0, len(content), len(content) // 10):
        (own_site / MEMORY).write_bytes(flipped(content, place))
        assert any(
            each.file == MEMORY for each in merge_outcomes(check_memory(walk(own_site)[0])).differences
        )


# What is neither


def test_what_is_neither_ends_with_2_and_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text")
    (tmp_path / "a.zip").write_bytes(as_zip({"a": b"1"}))
    (tmp_path / "text.zip").write_text("text")
    # Text that has the first bytes of a zip file somewhere is none.
    (tmp_path / "b.txt").write_bytes(b"text PK\x03\x04")
    (tmp_path / "empty").mkdir()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    folder = campaign(tmp_path / "genes")
    for path in ("a.txt", "b.txt", "a.zip", "text.zip", "empty", "loop", "nothing", "."):
        answer = run("verify", tmp_path / path)
        assert answer.exit_code == 2, path
        assert "nothing was verified" in answer.stderr
    assert "build its site" in run("verify", folder).stderr


def test_results_of_others_are_told_as_such(tmp_path: Path) -> None:
    name = "report/results.json"
    deep = b"[" * 100_000 + b"]" * 100_000
    for content in (b"{}", b"[]", b"", b"\xff", b'{"a": NaN}', b'{"a": 1e999}', deep, b"9" * 10_000, b"null"):
        with pytest.raises(Unusable) as found:
            read_part(Results, Tree({name: content}), name)
        assert {vars(each).get("file") for each in found.value.differences} == {name}, content[:20]
    answer = run("verify", on_disk(tmp_path / "b", {**small(texts=False, exports=False), name: deep}))
    assert answer.exit_code == 1
    assert name in answer.stdout


def test_a_campaign_toml_that_leads_elsewhere_is_told() -> None:
    known = small(texts=False, exports=False)
    text = known["campaign.toml"].decode()
    for other in (
        text.replace("report/counts", "/etc"),
        text.replace("report/counts", "../.."),
        text.replace("report/counts", "**"),
        text.replace("distances/expert.csv", "../../secret.csv"),
        "",
        "[",
        text + "\n[unitizing]\ngamma = true\n",
    ):
        _, wrong = from_counts(results(known), Tree({**known, "campaign.toml": other.encode()}))
        assert "campaign.toml" in {vars(each).get("file") for each in wrong}, other[:20]


def results(files_now: Mapping[str, bytes]) -> Results:
    return Results.model_validate_json(files_now["report/results.json"])


def test_a_folder_of_very_many_files_is_none_of_ours() -> None:
    names = [f"{number // 500}/{number}" for number in range(20_000)]
    assert kind_of(names) is None
