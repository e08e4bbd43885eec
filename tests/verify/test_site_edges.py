"""A site, its campaigns and single folders: what is checked of each, on parts made by hand."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import reportgen.publish.verify as whole
from reportgen.base.errors import BadInput
from reportgen.base.site_folder import INDEX, MEMORY
from reportgen.pipeline.build_cache import Made, Memory, Remembered, written
from reportgen.publish.bundle_files import as_zip
from reportgen.publish.verify import (
    _check_index,
    _check_version,
    _in_site,
    check_alone,
    check_memory,
    check_site,
    differences,
    file_tree,
    recomputing,
)
from reportgen.publish.verify import folders as folder_checks
from reportgen.publish.verify.differences import Discrepancy, Unchecked, Unusable
from reportgen.publish.verify.file_tree import Tree
from reportgen.publish.verify.folders import CampaignFolder, Folder, Version
from tests.verify.test_campaign_edges import BOTH, campaign

WRONG = Discrepancy("a", "was changed.", "checksums")


class Asked(list[Any]):
    """Keeps what a check is asked, and finds nothing, or what it is given."""

    def __init__(self, *outcomes: object) -> None:
        super().__init__()
        self.outcomes = outcomes

    def __call__(self, *asked: object) -> Iterator[Any]:
        self.append(asked)
        return iter(self.outcomes)


def quiet(_: str) -> None:
    """Show no progress."""


def test_a_site_is_checked_by_its_campaigns_and_dated_by_the_first_history_that_tells(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folders = {f"{name}/": campaign(BOTH, campaign_id="c") for name in "bcde"}
    bare = folders["b/"]
    folders["b/"] = CampaignFolder(bare.files, "b/", {}, {}, None, ())
    moments = dict(zip("cde", (None, "7", "8"), strict=True))
    memory, each, index = Asked(), Asked(WRONG), Asked()
    told, others = iter(moments.values()), iter(("", "0.1", "0.2"))
    monkeypatch.setattr(file_tree, "campaigns", lambda _: tuple("bcde"))
    monkeypatch.setattr(folder_checks, "read_campaign", lambda _, folder: folders[folder])
    monkeypatch.setattr(folder_checks, "moment_of", lambda _: next(told))
    monkeypatch.setattr(differences, "another_program", lambda _: next(others))
    for name, check in (("check_memory", memory), ("_check_campaign", each), ("_check_index", index)):
        monkeypatch.setattr(whole, name, check)
    files = Tree(dict.fromkeys((INDEX, MEMORY, "b/x", "c/x", "more.txt", "f/x"), b""))
    found = [*check_site(files, quiet)]
    assert found[0] == ("files", 1)
    said = [(one.file, one.what) for one in found if isinstance(one, Discrepancy) and one != WRONG]
    assert [file for file, _ in said[:2]] == ["f/x", "more.txt"]
    assert {what for _, what in said[:2]} == {"was added: it belongs to no campaign."}
    assert [what for _, what in said[2:]] == ["contains the campaign c, and not what it is named after."] * 2
    assert found.count(WRONG) == 4
    assert memory == [(files, "0.1")]
    assert [asked[:2] for asked in each] == [(folders[f"{name}/"], name) for name in "bcde"]
    assert index == [(files, tuple("bcde"), "7")]


@pytest.mark.parametrize("outcomes", [(), (("files", 1),), (WRONG, ("files", 1))])
def test_a_site_that_does_not_remember_is_unchecked_where_nothing_else_differs(
    monkeypatch: pytest.MonkeyPatch, outcomes: tuple[Any, ...]
) -> None:
    monkeypatch.setattr(whole, "_check_site", Asked(*outcomes))
    *_, last = check_site(Tree({}), quiet)
    assert isinstance(last, Discrepancy if WRONG in outcomes else Unchecked)
    assert MEMORY in vars(last).values()
    assert [*check_site(Tree({MEMORY: b""}), quiet)] == [*outcomes]


def test_a_single_folder_is_checked_as_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    listed, version, compared = Asked(), Asked(), Asked()
    monkeypatch.setattr(folder_checks, "check_listed", listed)
    monkeypatch.setattr(folder_checks, "read_version", lambda *_: "version")
    monkeypatch.setattr(folder_checks, "read_comparison", lambda *_: "comparison")
    monkeypatch.setattr(whole, "_check_version", version)
    monkeypatch.setattr(folder_checks, "check_comparison", compared)
    files = Tree({})
    assert [*check_alone(files, "version", quiet), *check_alone(files, "comparison", quiet)] == []
    assert listed == [(files, "")] * 2
    assert version == [("version", quiet)]
    assert compared == [("comparison", {})]

    def unusable(*_: object) -> Folder[Any, Any]:
        raise Unusable(WRONG)

    monkeypatch.setattr(folder_checks, "read_version", unusable)
    assert [*check_alone(files, "version", quiet)] == [WRONG]


@pytest.mark.parametrize(("kind", "named"), [("bundle", {"a", "b"}), ("site", {"b"})])
def test_an_archive_is_checked_as_a_bundle_where_it_is_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: str, named: set[str]
) -> None:
    path = tmp_path / "b.zip"
    path.write_bytes(as_zip({"a": b"1"}))
    damaged = Discrepancy("b", "is damaged.", "archive")
    monkeypatch.setattr(folder_checks, "check_bundle", Asked(WRONG))
    monkeypatch.setattr(file_tree, "read_archive", lambda *_: (Tree({}), [damaged]))
    monkeypatch.setattr(file_tree, "kind_of", lambda _: kind)
    assert {each.file for each in whole.verify(path).outcome.differences} == named


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def made(sums: bytes, **data: bytes) -> Made:
    return Made(key="k", sums=digest(sums), data={f"{name}.json": digest(own) for name, own in data.items()})


REMEMBERED = Memory(
    campaigns={"c": Remembered(folders={"": made(b"whole"), "1.0": made(b"one", results=b"figures")})},
    index=made(b"list"),
)
BUILT = {
    "index.html": b"list",
    "c/SHA256SUMS": b"whole",
    "c/1.0/SHA256SUMS": b"one",
    "c/1.0/results.json": b"figures",
}


def of_memory(files: dict[str, bytes], memory: bytes = written(REMEMBERED), older: str = "") -> list[Any]:
    """What differs from what a site remembers, by file, and what else is told."""
    return [
        (each.file, each.what) if isinstance(each, Discrepancy) else each
        for each in check_memory(Tree({**files, MEMORY: memory}), older)
    ]


def test_a_memory_is_as_it_was_written_and_of_this_version() -> None:
    assert of_memory(BUILT) == [("files", 1)]
    assert [*check_memory(Tree(BUILT))] == []
    unlike = "was changed, or is of another version: it can't be understood."
    assert of_memory(BUILT, b"{") == [(MEMORY, unlike)]
    assert of_memory(BUILT, b"{", "it is older") == [Unchecked(MEMORY, "it is older")]
    changed = written(REMEMBERED) + b" "
    for older in ("", "it is older"):
        assert of_memory(BUILT, changed, older) == [
            (MEMORY, "was changed: it does not have its own checksum.")
        ]


def test_a_site_has_the_folders_and_the_files_of_results_that_it_remembers() -> None:
    for name in BUILT:
        other = f"was changed: {MEMORY} has another checksum of it."
        assert of_memory(BUILT | {name: b"x"}) == [("files", 1), (name, other)]
        # Whether a file is there is what the lists of checksums say, but of a folder that is gone.
        without = {each: content for each, content in BUILT.items() if each != name}
        assert of_memory(without) == [("files", 1)]
    gone = {name: content for name, content in BUILT.items() if not name.startswith("c/1.0/")}
    assert of_memory(gone) == [("files", 1), ("c/1.0/", f"is missing: {MEMORY} names it.")]
    bare = written(REMEMBERED.model_copy(update={"index": None}))
    assert of_memory(BUILT | {"index.html": b"x"}, bare) == [("files", 1)]


def test_a_version_too_large_for_its_bytes_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    one = next(iter(campaign(BOTH).versions.values()))
    version: Version = Folder(one.files, one.path, one.results, None, (WRONG,))
    steps: list[str] = []
    figures, results, pages = (Asked(("numbers", number)) for number in (1, 2, 3))
    monkeypatch.setattr(folder_checks, "check_figures", figures)
    monkeypatch.setattr(recomputing, "check_results", results)
    monkeypatch.setattr(recomputing, "from_counts", lambda *_, **__: (None, []))
    monkeypatch.setattr(folder_checks, "check_pages", lambda own, *, images: pages(own, images))
    monkeypatch.setattr(recomputing, "too_large", lambda *_: [])
    assert [*_check_version(version, steps.append)] == [WRONG, ("numbers", 1), ("numbers", 2), ("numbers", 3)]
    assert steps == ["computing figures from counts", "rendering pages"]
    assert results == [(version.results, f"{one.path}results.json")]
    assert pages == [(version, True)]
    refused = Unchecked("figures", "too large")
    monkeypatch.setattr(recomputing, "too_large", lambda *_: [refused])
    assert [*_check_version(version, steps.append)] == [WRONG, refused]


def test_what_differs_in_a_bundle_is_told_of_the_file_that_a_site_has() -> None:
    files = (
        "report/counts/units.csv",
        "counts/units.csv",
        "report/results.json",
        "campaign.toml",
        "report/x",
    )
    assert [_in_site(file) for file in files] == [*["counts/units.csv"] * 2, *["results.json"] * 3]


def test_the_list_of_campaigns_is_made_from_their_histories(monkeypatch: pytest.MonkeyPatch) -> None:
    def told(files: dict[str, bytes], ids: tuple[str, ...]) -> list[Any]:
        return [
            each.what if isinstance(each, Discrepancy) else each
            for each in _check_index(Tree(files), ids, None)
        ]

    assert told({}, ("c",)) == ["is missing: it lists the campaigns."]
    assert told({INDEX: b"-"}, ()) == [Unchecked(INDEX, "no campaign is there that it could be made from")]
    assert told({INDEX: b"-"}, ("c",)) == [
        "is missing.",
        Unchecked(INDEX, "a history that it is made from can't be understood"),
    ]
    history = SimpleNamespace(campaign=SimpleNamespace(id="own"))
    monkeypatch.setattr(differences, "read_part", lambda *_: history)
    monkeypatch.setattr(file_tree, "languages_of", tuple)
    asked = Asked()
    monkeypatch.setattr(whole, "compare_rendered", asked)
    listed = Asked()
    monkeypatch.setattr(whole, "index_html", listed)
    assert told({INDEX: b"-", "c/index.html": b"-", "d/index.html": b"-"}, ("c",)) == []
    ((folder, render, unsure),) = asked
    assert (dict(folder.files), folder.path, unsure) == ({INDEX: b"-"}, "", [])
    render()
    assert listed == [([history], {"own": ("index.html",)})]


@pytest.mark.parametrize(
    ("name", "content", "is_zip"),
    [
        ("a.zip", b"PK\x03\x04", True),
        ("a.txt", b"PK\x03\x04", True),
        ("a.zip", b"-PK\x03\x04", True),
        ("a.txt", b"-PK\x03\x04", False),
        ("a.txt", b"-PK\x05\x06", True),
        ("a.zip", b"-", False),
    ],
)
def test_an_archive_begins_or_ends_as_one_or_is_called_one(
    name: str, content: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, is_zip: bool
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    monkeypatch.setattr(file_tree, "read_archive", lambda *_: (Tree({}), [WRONG]))
    if is_zip:
        assert whole.verify(path).outcome.differences == (WRONG,)
    else:
        with pytest.raises(BadInput, match="not a zip file"):
            whole.verify(path)


def test_an_archive_without_a_fault_and_without_a_bundle_or_too_large_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(b"PK\x03\x04")
    monkeypatch.setattr(file_tree, "read_archive", lambda *_: (Tree({"campaign.toml": b""}), []))
    with pytest.raises(BadInput, match="contains no bundle") as refused:
        whole.verify(path)
    assert "It is a campaign" in str(refused.value)
    monkeypatch.setattr(whole, "MOST_BYTES", 4)
    with pytest.raises(BadInput, match="contains no bundle"):
        whole.verify(path)
    monkeypatch.setattr(whole, "MOST_BYTES", 3)
    with pytest.raises(BadInput, match="larger than a bundle can be"):
        whole.verify(path)
