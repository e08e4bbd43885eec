"""A campaign's part of a site: its folders, its comparisons, its history, on parts made by hand."""

import os
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from reportgen.base import site_folder
from reportgen.publish.verify import Verified, as_text, folders
from reportgen.publish.verify.differences import (
    Check,
    CheckOutcome,
    Discrepancy,
    Outcomes,
    Rounded,
    Unchecked,
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
        "unit set tokens: cohen_kappa, difference: 0.2500000002 recorded, 0.25 by its two figures."
    ]
    (what,) = told(monkeypatch, compared((ALPHA, wrong), layer="b"))[0]
    assert what.startswith("unit set tokens of layer b: krippendorff_alpha, difference")
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
        "unit set tokens: krippendorff_alpha, second, interval: high 0.8, level 0.95, low 0.7, method t",
        "unit set tokens: krippendorff_alpha, second: 0.75",
    ]
    assert "0.76 in the results of 1.0." in told(monkeypatch, own, other)[0][1]
    first = both | version("0.9", **{ALPHA: figure(0.51)})
    assert told(monkeypatch, own, first)[0] == [
        "unit set tokens: krippendorff_alpha, first: 0.5 recorded, 0.51 in the results of 0.9."
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


ENTRY = '<entry><link href="{}/index.html"/><updated>{}</updated></entry>'
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


def differ(
    file: str, check: Check = "pages", *, follows: bool = False, recorded: str = "1", found: str = "2"
) -> Discrepancy:
    return Discrepancy(file, "differs.", check, "", recorded, found, follows)


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


def test_what_may_follow_from_a_change_is_told_briefly_and_of_one_file_twenty_differences() -> None:
    found = lines(CheckOutcome(differences=(differ("a"), *(differ("b", follows=True) for _ in range(20)))))
    assert found[5][1].startswith("compared with what was changed")
    assert found[5][1].endswith("20 differences in 1 file.")
    assert found[6:] == [("different", "b: differs.")] * 20
    more = lines(CheckOutcome(differences=tuple(differ("a", "figures") for _ in range(1022))))
    assert (len(more), more[-1][1]) == (23, "a: and 1,002 more, which --json lists.")
