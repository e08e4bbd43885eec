"""`reportgen verify` as users call it: bundles, sites, their parts, odd orders, and what is none of them."""

import json
import random
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from reportgen.base.site_folder import MEMORY
from reportgen.pipeline.build import build_site
from reportgen.publish.bundle_files import as_zip
from reportgen.publish.verify import account, check_memory, verify
from reportgen.publish.verify.differences import Discrepancy, Unusable, merge_outcomes, read_part
from reportgen.publish.verify.file_tree import Tree, kind_of, walk
from reportgen.publish.verify.recomputing import from_counts
from reportgen.results import Results
from tests.bundles import campaign, differences, flipped, small
from tests.campaigns import results
from tests.cases import stored
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
    (tmp_path / "a.txt").write_text("text", encoding="utf-8")
    (tmp_path / "a.zip").write_bytes(as_zip({"a": b"1"}))
    (tmp_path / "text.zip").write_text("text", encoding="utf-8")
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
        _, wrong = from_counts(at_results(known), Tree({**known, "campaign.toml": other.encode()}))
        assert "campaign.toml" in {vars(each).get("file") for each in wrong}, other[:20]


def at_results(files_now: Mapping[str, bytes]) -> Results:
    return Results.model_validate_json(files_now["report/results.json"])


def test_a_folder_of_very_many_files_is_none_of_ours() -> None:
    names = [f"{number // 500}/{number}" for number in range(20_000)]
    assert kind_of(names) is None


def test_what_a_difference_does_not_have_is_left_out() -> None:
    difference = Discrepancy("a.csv", "differs", "pages", found="2")
    outcome = SimpleNamespace(
        files=1, numbers=2, pages=3, rounded=[], unchecked=[], differences=[difference], verdict="different"
    )
    verified = SimpleNamespace(path="site", kind="site", verdict="different", outcome=outcome)
    assert account(cast("Any", verified))["differences"] == [
        {"file": "a.csv", "what": "differs", "check": "pages", "found": "2"}
    ]


PEOPLE = ("zed", "amy", "bob")
COLUMNS = {"size": ("small", "big", "mid"), "colour": ("red", "blue"), "mood": ("a|b", "b", "c|a", "c")}
LAYERS = stored("campaigns/layers-of-ratings.toml")
ROLES = stored("campaigns/roles.toml")
IN_TEXTS = stored("campaigns/layers-in-texts.toml")
# Unit sets, distances and categories, none of them by the alphabet, on marks in texts.
SETS = stored("campaigns/unit-sets.toml")
DISTANCE = ",New,Former,None\nNew,0,0.5,1\nFormer,0.5,0,1\nNone,1,1,0\n"
WORDS = ("the", "gene", "yxaA", "was", "renamed", "to", "yxaB", "and", "no", "other", "name")


def table(seed: int, people: Sequence[str]) -> dict[str, str]:
    """Return ratings of three columns by some people, who mostly say the same."""
    chance = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
    rows = [f"document,item,annotator,{','.join(COLUMNS)}"]
    for unit in range(30):
        truth = [chance.choice(labels) for labels in COLUMNS.values()]
        for who in people:
            said = [
                each if chance.random() < 0.7 else chance.choice(labels)
                for each, labels in zip(truth, COLUMNS.values(), strict=True)
            ]
            rows.append(f"d{unit % 6},u{unit},{who},{','.join(said)}")
    return {"ratings.csv": "\n".join(rows) + "\n"}


def texts(seed: int, people: Sequence[str]) -> dict[str, str]:
    """Return brat's files of marks and relations between them."""
    chance = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
    text = " ".join(WORDS)
    files: dict[str, str] = {}
    for number in range(4):
        for who in people:
            starts = sorted(chance.sample(range(len(WORDS)), 5))
            lines = []
            for place, word in enumerate(starts, 1):
                start = len(" ".join(WORDS[:word])) + bool(word)
                label = chance.choice(("New", "Former"))
                lines.append(f"T{place}\t{label} {start} {start + len(WORDS[word])}\t{WORDS[word]}\n")
            lines += [f"R{place}\tSame Arg1:T{place} Arg2:T{place + 1}\n" for place in (1, 3)]
            files |= {f"{who}/d{number}.txt": text, f"{who}/d{number}.ann": "".join(lines)}
    return files


def ordered_campaign(folder: Path, toml: str, versions: Mapping[str, Mapping[str, str]]) -> Path:
    """Write a campaign of some versions, in their order."""
    own = [
        f'[[guidelines]]\nversion = "{name}"\nexports = "exports/{name}"\nset_separator = "|"\n'
        for name in versions
    ]
    files = {
        f"exports/{name}/{file}": text for name, found in versions.items() for file, text in found.items()
    }
    beside = {"z.csv": DISTANCE, "a.csv": DISTANCE} if "[[distances]]" in toml else {}
    for name, text in {**files, **beside, "campaign.toml": f'title = "Orders"\n{toml}{"".join(own)}'}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


KINDS = {
    "one version of layers": (LAYERS, {"1.0": table(1, PEOPLE[:2])}),
    "three versions of layers": (LAYERS, {name: table(int(name[0]), PEOPLE) for name in ("2", "10", "1")}),
    "layers with references, releases and a model": (
        LAYERS + ROLES,
        {"b": table(1, ("tagger", "zgold", *PEOPLE, "brain", "agold", "model"))},
    ),
    "layers of relations and marks": (IN_TEXTS, {"b": texts(1, PEOPLE), "a": texts(2, PEOPLE)}),
    "unit sets and distances": (SETS, {"b": texts(1, PEOPLE[:2]), "a": texts(2, PEOPLE[:2])}),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", slow_but(KINDS, "one version of layers"))
def test_a_site_is_the_same_in_whatever_order_its_campaign_declares_things(kind: str, tmp_path: Path) -> None:
    build_site([ordered_campaign(tmp_path / "votes", *KINDS[kind])], tmp_path / "site")
    assert [f"{each.file}: {each.what}" for each in verify(tmp_path / "site").outcome.differences] == []


@pytest.mark.slow
def test_layers_keep_the_order_of_the_campaign_in_results(tmp_path: Path) -> None:
    found = results(tmp_path, LAYERS, table(1, PEOPLE)["ratings.csv"])
    assert found.layers == ("size", "colour", "mood")
    assert not found.coefficient_declared
