"""A site, its campaigns and single folders: what is checked of each, on parts made by hand."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import reportgen.publish.verify as whole
from reportgen.base.site_folder import INDEX, MEMORY
from reportgen.publish.bundle_archive import as_zip
from reportgen.publish.verify import (
    _check_campaign,
    campaign_folder,
    check_alone,
    check_site,
    differences,
    file_tree,
    version_folder,
)
from reportgen.publish.verify.campaign_folder import CampaignFolder
from reportgen.publish.verify.differences import Discrepancy, Outcomes, Unchecked, Unusable
from reportgen.publish.verify.file_tree import Tree
from reportgen.publish.verify.version_folder import Folder
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
    monkeypatch.setattr(campaign_folder, "read_campaign", lambda _, folder: folders[folder])
    monkeypatch.setattr(campaign_folder, "moment_of", lambda _: next(told))
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


def test_a_campaign_is_checked_by_its_versions_then_its_comparisons_then_its_history(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = campaign(BOTH, {"compare/0.9...1.0": ("0.9", "1.0")})
    folder = CampaignFolder(made.files, "c/", made.versions, made.comparisons, made.history, (WRONG,))
    order: list[str] = []

    def noted(name: str, asked: Asked) -> Any:  # noqa: ANN401 - any check
        def check(*args: object) -> Outcomes:
            order.append(name)
            return asked(*args)

        return check

    sums, version, compared, history = (Asked() for _ in range(4))
    monkeypatch.setattr(campaign_folder, "check_sums", noted("sums", sums))
    monkeypatch.setattr(whole, "_check_version", noted("version", version))
    monkeypatch.setattr(campaign_folder, "check_comparison", noted("comparison", compared))
    monkeypatch.setattr(campaign_folder, "check_history", noted("history", history))
    steps: list[str] = []
    assert [*_check_campaign(folder, "c", steps.append)] == [WRONG]
    assert order == ["sums", "version", "version", "comparison", "history"]
    assert sums == [(folder.files, "c/")]
    assert [asked[0] for asked in version] == [*folder.versions.values()]
    version[1][1]("rendering pages")
    assert steps == ["c: checksums", "c 1.0: rendering pages"]
    results = {name: each.results for name, each in zip(BOTH, folder.versions.values(), strict=True)}
    assert compared == [(*folder.comparisons.values(), results)]


def test_a_single_folder_is_checked_as_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    listed, version, compared = Asked(), Asked(), Asked()
    monkeypatch.setattr(version_folder, "check_listed", listed)
    monkeypatch.setattr(version_folder, "read_version", lambda *_: "version")
    monkeypatch.setattr(campaign_folder, "read_comparison", lambda *_: "comparison")
    monkeypatch.setattr(whole, "_check_version", version)
    monkeypatch.setattr(campaign_folder, "check_comparison", compared)
    files = Tree({})
    assert [*check_alone(files, "version", quiet), *check_alone(files, "comparison", quiet)] == []
    assert listed == [(files, "")] * 2
    assert version == [("version", quiet)]
    assert compared == [("comparison", {})]

    def unusable(*_: object) -> Folder[Any, Any]:
        raise Unusable(WRONG)

    monkeypatch.setattr(version_folder, "read_version", unusable)
    assert [*check_alone(files, "version", quiet)] == [WRONG]


@pytest.mark.parametrize(("kind", "named"), [("bundle", {"a", "b"}), ("site", {"b"})])
def test_an_archive_is_checked_as_a_bundle_where_it_is_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: str, named: set[str]
) -> None:
    path = tmp_path / "b.zip"
    path.write_bytes(as_zip({"a": b"1"}))
    damaged = Discrepancy("b", "is damaged.", "archive")
    monkeypatch.setattr(version_folder, "check_bundle", Asked(WRONG))
    monkeypatch.setattr(file_tree, "read_archive", lambda *_: (Tree({}), [damaged]))
    monkeypatch.setattr(file_tree, "kind_of", lambda _: kind)
    assert {each.file for each in whole.verify(path).outcome.differences} == named
