"""A site, its campaigns, comparisons, history and single folders: what is checked of each, on made parts."""

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import reportgen.publish.verify as whole
from reportgen.base import site_folder
from reportgen.base.errors import BadInput
from reportgen.base.site_folder import INDEX, MEMORY
from reportgen.pipeline.build_cache import Made, Memory, Remembered, written
from reportgen.publish.bundle_files import as_zip
from reportgen.publish.verify import (
    Verified,
    _check_index,
    _check_version,
    _in_site,
    as_text,
    check_alone,
    check_memory,
    check_site,
    differences,
    file_tree,
    folders,
    recomputing,
)
from reportgen.publish.verify import folders as folder_checks
from reportgen.publish.verify.differences import (
    Check,
    CheckOutcome,
    Discrepancy,
    Outcomes,
    Rounded,
    Unchecked,
    Unusable,
)
from reportgen.publish.verify.file_tree import Tree
from reportgen.publish.verify.folders import (
    CampaignFolder,
    Compared,
    Folder,
    Version,
    at_moment,
    check_comparison,
    check_history,
    check_sums,
    moment_of,
    own_files,
)
from reportgen.results import Figure, Results, Tool
from reportgen.results.model import CampaignFacts
from reportgen.results.parts import Change
from reportgen.results.versions import (
    Changed,
    ChangedUnit,
    ChangedUnits,
    ComparedPair,
    Coverage,
    History,
    HistoryCampaign,
    VersionComparison,
    VersionState,
)
from tests.findings.made_comparison import ALPHA, changed, comparison, revision
from tests.findings.made_results import KAPPA, figure, results, unit_set

HERE = Tool.here()


def whats(outcomes: Outcomes) -> list[tuple[str, str]]:
    return [(each.file, each.what) for each in outcomes if isinstance(each, Discrepancy)]


# A comparison against the versions beside it

PATH = "c/compare/0.9...1.0/"


def moved(first: float, second: float, difference: float | None = None) -> Change:
    due = second - first if difference is None else difference
    return changed(first, second).model_copy(update={"difference": due})


def compared(
    *changes: tuple[str, Change],
    basis: str = "all",
    layer: str = "main",
    beside: Changed | None = None,
    **more: object,
) -> Compared:
    made = revision().model_copy(update={"measures": dict(changes), "basis": basis, "layer": layer})
    own = comparison(made).model_copy(update={"tool": HERE, **more})
    return Folder(Tree({}), PATH, own, beside, ())


def version(guidelines: str, **measures: Figure) -> dict[str, Results]:
    own = unit_set(id="tokens", measures=measures)
    return {guidelines: results(own).model_copy(update={"guidelines": guidelines})}


def told(
    monkeypatch: pytest.MonkeyPatch, made: Compared, versions: Mapping[str, Results] | None = None
) -> tuple[list[str], list[tuple[str, int]]]:
    """Return what differs of figures, and what is unchecked with its number."""
    monkeypatch.setattr(folders, "comparison_pages", lambda *_: ())
    monkeypatch.setattr(folders, "find_changes", lambda _: ())
    found = [*check_comparison(made, versions or {})]
    return (
        [each.what for each in found if isinstance(each, Discrepancy) and each.check == "figures"],
        [(each.what, each.number) for each in found if isinstance(each, Unchecked)],
    )


def test_a_difference_is_that_of_its_two_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    right, wrong = moved(0.5, 0.75), moved(0.5, 0.75, 0.2500000002)
    assert told(monkeypatch, compared((ALPHA, right)))[0] == []
    assert told(monkeypatch, compared((ALPHA, moved(0.5, 0.75, 0.25 + 0.9e-10))))[0] == []
    assert told(monkeypatch, compared((ALPHA, right), (KAPPA, wrong)))[0] == [
        "main: cohen_kappa: difference 0.2500000002 recorded, 0.25 by its two figures."
    ]
    (what,) = told(monkeypatch, compared((ALPHA, wrong), layer="b"))[0]
    assert what.startswith("b: krippendorff_alpha: difference")
    for without in ("first", "second"):
        undefined = wrong.model_copy(update={without: Figure(value=None, undefined="none")})
        assert told(monkeypatch, compared((ALPHA, undefined)))[0] == []
    none = wrong.model_copy(update={"difference": None})
    assert told(monkeypatch, compared((ALPHA, none)))[0] == []


def test_figures_of_all_are_those_of_the_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    sides = {"first": figure(0.5), "second": figure(0.75, 0.7, 0.8)}
    change = moved(0.5, 0.75).model_copy(update=sides)
    own = compared((ALPHA, change), (KAPPA, change))
    both = version("0.9", **{ALPHA: figure(0.5)}) | version("1.0", **{ALPHA: figure(0.75, 0.7, 0.8)})
    assert told(monkeypatch, own, both)[0] == []
    other = both | version("1.0", **{ALPHA: figure(0.76, 0.7, 0.81), KAPPA: figure(0.75, 0.7, 0.8)})
    assert [what.partition(" recorded")[0] for what in told(monkeypatch, own, other)[0]] == [
        "second: main tokens.krippendorff_alpha.interval.high: 0.8",
        "second: main tokens.krippendorff_alpha.value: 0.75",
    ]
    assert "0.76 recomputed." in told(monkeypatch, own, other)[0][1]
    first = both | version("0.9", **{ALPHA: figure(0.51)})
    assert told(monkeypatch, own, first)[0] == [
        "first: main tokens.krippendorff_alpha.value: 0.5 recorded, 0.51 recomputed."
    ]
    # What is shared by both versions, and other unit sets and layers, are other figures.
    assert told(monkeypatch, compared((ALPHA, change), basis="shared"), other)[0] == []
    assert told(monkeypatch, compared((ALPHA, change), layer="b"), other)[0] == []


def test_what_takes_the_exports_is_unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = ChangedUnit(unit="u", first={}, second={})
    units = ChangedUnits(
        layer="main", unit_set="tokens", mended=(unit,) * 2, broken=(unit,) * 3, disputed=(unit,) * 4
    )
    texts = Changed(first="0.9", second="1.0", unit_sets=(units, units))
    _, unchecked = told(monkeypatch, compared((ALPHA, moved(0.5, 0.75)), beside=texts))
    assert unchecked[0][0] == "tests, intervals and differences between versions"
    assert unchecked[1] == ("units in changed.json", 18)
    assert len(told(monkeypatch, compared((ALPHA, moved(0.5, 0.75))))[1]) == 1


# The moment of a feed


def joined(
    *versions: tuple[str, str | None], feed: str | None = None, compared_pairs: Iterable[tuple[str, str]] = ()
) -> Folder[History, Any]:
    states = tuple(
        VersionState.model_construct(version=name, date=date, release=None, verdicts=(), layers=())
        for name, date in versions
    )
    history = History.model_construct(
        campaign=HistoryCampaign.model_construct(id="c", title="C"),
        versions=states,
        comparisons=tuple(
            ComparedPair.model_construct(first=one, second=other) for one, other in compared_pairs
        ),
        tool=HERE,
        steps=(),
        coverage=Coverage(),
    )
    files = {} if feed is None else {"c/feed.xml": feed.encode()}
    return Folder(Tree(files), "c/", history, None, ())


ENTRY = '<entry><updated>{1}</updated>\n <link rel="alternate" href="{0}/index.html"/></entry>'
DATED, MOMENT = "2026-01-02T03:04:05Z", "1767323045"


def feed(*entries: tuple[str, str]) -> str:
    return (
        f'<feed xmlns="http://www.w3.org/2005/Atom">{"".join(ENTRY.format(*each) for each in entries)}</feed>'
    )


@pytest.mark.parametrize(
    ("versions", "text", "moment"),
    [
        ([("1.0", None)], feed(("1.0", DATED)), MOMENT),
        (
            [("0.9", "2020-01-01"), ("1.0", None)],
            feed(("0.9", "2020-01-01T00:00:00Z"), ("1.0", DATED)),
            MOMENT,
        ),
        ([("1.0", "2026-01-02")], feed(("1.0", DATED)), None),
        ([("1.0", None)], feed(("0.9", DATED)), None),
        ([("0.9", None), ("1.0", None)], feed(("0.9", "yesterday"), ("1.0", DATED)), MOMENT),
        ([("1.0", None)], feed(("1.0", "")), None),
        ([("1.0", None)], "<feed", None),
        ([("1.0", None)], "", None),
        ([("1.0", None)], None, None),
        ([("1.0", None)], "<feed xmlns='http://www.w3.org/2005/Atom'><entry/></feed>", None),
    ],
)
def test_a_feed_tells_when_versions_without_a_date_were_rendered(
    versions: list[tuple[str, str | None]], text: str | None, moment: str | None
) -> None:
    assert moment_of(joined(*versions, feed=text)) == moment


def test_dates_are_taken_from_a_moment_for_as_long_as_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    name = site_folder.DATED
    for before in ("5", None):
        if before is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, before)
        for moment in ("7", None):
            with at_moment(moment):
                assert os.environ.get(name) == moment
            assert os.environ.get(name) == before


# Folders

NAMES = (
    "c/1.0/results.json",
    "c/1.0/index.html",
    "c/2.0/report.md",
    "c/3.0/deep/results.json",
    "c/4.0/index.html",
    *(f"c/compare/1.0...{number}.0/comparison.json" for number in (2, 7, 5, 3, 6, 4)),
    "c/compare/old...2.0/index.html",
    "c/compare/...2.0/a",
    "c/compare/1.0.../a",
    "c/history.json",
    "other/1.0/results.json",
)


def test_folders_are_those_of_versions_and_comparisons_all_else_is_the_campaigns_own() -> None:
    files = Tree(dict.fromkeys(NAMES, b""))
    own = [name for name in own_files(files, "c/") if name.startswith("c/")]
    assert own == sorted(set(NAMES[3:5] + NAMES[11:15]))
    sums = [each.file for each in check_sums(files, "c/") if isinstance(each, Discrepancy)]
    compared = [f"compare/1.0...{number}.0/" for number in range(2, 8)]
    assert sums == [f"c/{folder}SHA256SUMS" for folder in ("1.0/", "2.0/", *compared, "")]


def campaign(
    versions: Mapping[str, str],
    comparisons: Mapping[str, tuple[str, str]] | None = None,
    *,
    due: Iterable[str] = ("0.9", "1.0"),
    pairs: Iterable[tuple[str, str]] = (),
    campaign_id: str = "c",
) -> CampaignFolder:
    """Return a campaign with versions and comparisons by their folders, and what its history names."""
    facts = CampaignFacts(id=campaign_id, title="C")
    reports: dict[str, Version] = {
        f"{folder}/": Folder(
            Tree({}),
            f"c/{folder}/",
            results().model_copy(update={"guidelines": name, "campaign": facts}),
            None,
            (),
        )
        for folder, name in versions.items()
    }
    both: dict[str, Compared] = {
        f"{folder}/": Folder(Tree({}), f"c/{folder}/", of_two(*names), None, ())
        for folder, names in (comparisons or {}).items()
    }
    history = joined(*((name, None) for name in due), compared_pairs=pairs)
    return CampaignFolder(Tree({}), "c/", reports, both, history, ())


def of_two(first: str, second: str) -> VersionComparison:
    made = comparison(revision())
    sides = {
        side: getattr(made, side).model_copy(update={"guidelines": name})
        for side, name in (("first", first), ("second", second))
    }
    return made.model_copy(update=sides)


def history_of(monkeypatch: pytest.MonkeyPatch, folder: CampaignFolder) -> list[tuple[str, str]]:
    monkeypatch.setattr(folders, "campaign_pages", lambda *_: ())
    monkeypatch.setattr(folders, "history", lambda *_: None)
    return whats(check_history(folder))


BOTH = {"0.9": "0.9", "1.0": "1.0"}


def test_folders_are_those_that_the_history_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "_joined", lambda *_: None)
    pair = [("0.9", "1.0")]
    there = {"compare/0.9...1.0": ("0.9", "1.0")}
    assert history_of(monkeypatch, campaign(BOTH, there, pairs=pair)) == []
    assert history_of(monkeypatch, campaign({"0.9": "0.9"}, pairs=pair)) == [
        ("c/1.0/", "is missing: history.json names it."),
        ("c/compare/0.9...1.0/", "is missing: history.json names it."),
    ]
    assert history_of(monkeypatch, campaign({**BOTH, "2.0": "2.0"})) == [
        ("c/2.0/", "was added: history.json does not name it.")
    ]
    without = campaign(BOTH)
    assert [*check_history(CampaignFolder(without.files, "c/", {}, {}, None, ()))] == []


def test_a_folder_has_what_it_is_named_after(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "_joined", lambda *_: None)
    assert history_of(monkeypatch, campaign({"0.9": "1.0", "1.0": "1.0"})) == [
        ("c/0.9/", "contains the report of guidelines 1.0, and not what it is named after.")
    ]
    assert history_of(monkeypatch, campaign(BOTH, campaign_id="d")) == [
        (f"c/{name}/", "contains a report of the campaign d, and not what it is named after.")
        for name in BOTH
    ]
    wrong = {"compare/0.9...1.0": ("0.9", "2.0")}
    assert history_of(monkeypatch, campaign(BOTH, wrong)) == [
        ("c/compare/0.9...1.0/", "contains the comparison of 0.9 and 2.0, and not what it is named after.")
    ]


def test_a_history_follows_from_the_results_of_all_its_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Any] = []

    def history(*parts: object) -> None:
        given.extend(parts)

    monkeypatch.setattr(folders, "campaign_pages", lambda *_: ())
    monkeypatch.setattr(folders, "history", history)
    pairs = {"compare/0.9...1.0": ("0.9", "1.0"), "compare/1.0...0.9": ("1.0", "0.9")}
    whats(check_history(campaign(BOTH, pairs)))
    assert [own.guidelines for own in given[0]] == ["0.9", "1.0"]
    assert (given[1], [*given[2]], given[3]) == (["", ""], [("0.9", "1.0")], {})
    given.clear()
    whats(check_history(campaign({"0.9": "0.9"})))
    assert given == []


# What is told


def lines(outcome: CheckOutcome) -> list[tuple[str, str]]:
    return [*as_text(Verified("b.zip", "bundle", outcome))]


def test_what_was_checked_is_counted_and_nothing_differs() -> None:
    assert lines(CheckOutcome(files=1, numbers=2000, pages=1)) == [
        ("", "b.zip: a bundle; checked: 1 file, 2,000 numbers recomputed, 1 page rendered again."),
        ("same", "same: nothing differs."),
    ]
    several = lines(CheckOutcome(files=2, numbers=1, pages=3))[0][1]
    assert several.endswith("2 files, 1 number recomputed, 3 pages, tables and figures rendered again.")


def test_what_is_unchecked_is_told_by_its_reason() -> None:
    gaps = (
        Unchecked("quality", "no exports", 1200),
        Unchecked("words", "old"),
        Unchecked("trees", "no exports", 3),
    )
    assert lines(CheckOutcome(unchecked=gaps, rounded=(Rounded("numpy"), Rounded("scipy", 2))))[1:] == [
        ("unchecked", "unchecked: quality (1,200), trees (3): no exports."),
        ("unchecked", "unchecked: words (1): old."),
        ("", "compared to 9 digits: 1 number: numpy."),
        ("", "compared to 9 digits: 2 numbers: scipy."),
        ("unchecked", "not all could be checked: nothing of what was checked differs."),
    ]


def differ(file: str, check: Check = "pages", *, recorded: str = "1", found: str = "2") -> Discrepancy:
    return Discrepancy(file, "differs.", check, recorded, found)


def test_differences_are_told_by_file_with_what_is_there_and_what_was_expected() -> None:
    found = lines(
        CheckOutcome(differences=(differ("a"), differ("b", "figures"), differ("a", "form", recorded="")))
    )
    assert found[1:] == [
        ("different", "different: 3 differences in 2 files."),
        ("different", "a: differs."),
        ("", "  there:    1"),
        ("", "  expected: 2"),
        ("different", "a: differs."),
        ("", "  there:    "),
        ("", "  expected: 2"),
        ("different", "b: differs."),
    ]
    bare = lines(CheckOutcome(differences=(differ("a", "exports", recorded="", found=""),)))
    assert bare[1:] == [("different", "different: 1 difference in 1 file."), ("different", "a: differs.")]


def test_of_one_file_twenty_differences_are_told() -> None:
    more = lines(CheckOutcome(differences=tuple(differ("a", "figures") for _ in range(1022))))
    assert (len(more), more[-1][1]) == (23, "a: and 1,002 more, which --json lists.")


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
