"""Each rule about two versions speaks from its edge on, and is silent elsewhere, on comparisons made here."""

import inspect
import string
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import pytest

from reportgen.findings import CHANGE_OPENING as OPENING
from reportgen.findings import CHANGE_RULES, FindingTemplate, change_confusions, changes, find_changes
from reportgen.findings.layer_facts import (
    LayerChanges,
    beyond_chance,
    clusters,
    direction,
    ground,
    may_have_fallen,
    moved,
)
from reportgen.results import SEVERITIES, Figure, Finding, Interval
from reportgen.results.parts import Categories, Change, DocumentChange, Overlap
from reportgen.results.versions import (
    ConfusionChange,
    DisagreementChange,
    Flips,
    GuidelinesCompared,
    PairChange,
    Passage,
    Sample,
    SpanRevision,
    UnitSetRevision,
    VersionComparison,
)
from reportgen.words.numbers import message
from tests.findings.made_comparison import (
    ALPHA,
    changed,
    comparison,
    found,
    one,
    revision,
    sample,
    system,
)


def all_of_each(
    change: Change | None = None, documents: int = 0, units: int | None = 0, **changes: object
) -> UnitSetRevision:
    """A unit set of which the versions share so much, compared on all of each."""
    apart = {"basis": "all", "overlap": Overlap(documents=documents, units=units, annotators=("A", "B"))}
    return revision(change, **(apart | changes))  # type: ignore[arg-type]  # any field of the model


def of(unit_set: UnitSetRevision, name: str, margin: float | None = None) -> list[Finding]:
    return found(comparison(unit_set, margin=margin), name)


ROSE, FELL, OPEN = changed(0.4, 0.7, 0.01), changed(0.7, 0.4, 0.01), changed(0.5, 0.55, 0.5, needed=200)
MODULES = (changes, change_confusions)
SECTIONS = {"figures", "categories", "confusions", "units", "guidelines", "systems", "annotators", "spans"}


def messages() -> list[FindingTemplate]:
    """Every message that a module names, those in tables too."""
    values = [value for module in MODULES for _, value in inspect.getmembers(module)]
    tables = [each for value in values if isinstance(value, dict) for each in value.values()]
    inner = [each for table in tables if isinstance(table, dict) for each in table.values()]
    return [each for each in (*values, *tables, *inner) if isinstance(each, FindingTemplate)]


def test_every_rule_of_every_module_is_registered() -> None:
    def rules(module: ModuleType) -> set[str]:
        functions = inspect.getmembers(module, inspect.isfunction)
        local = [name for name, each in functions if each.__module__ == module.__name__]
        return {name for name in local if name[0] != "_"}

    known = {rule.__name__ for rule in (*CHANGE_RULES, *OPENING)}
    assert set().union(*(rules(module) for module in MODULES)) == known


def test_messages_name_sections_of_the_comparison_page() -> None:
    assert {each.evidence for each in messages()} <= SECTIONS
    assert len({each.claim for each in messages()}) > 40


def test_findings_come_the_gravest_first_after_the_verdict_and_its_caveat() -> None:
    weak = {"New": changed(0.3, 0.4, 0.3, adjusted=0.5), "Former": changed(0.4, 0.9, 0.001, adjusted=0.002)}
    made = thirds(weak).model_copy(update={"measures": {ALPHA: FELL}})
    few = Overlap(documents=10, units=300, annotators=("A", "B"))
    compared = comparison(made.model_copy(update={"overlap": few}), says="New is defined.")
    all_found = find_changes(compared)
    assert [each.id for each in all_found[:2]] == ["verdict", "caveat"]
    order = [SEVERITIES.index(each.severity) for each in all_found[2:]]
    assert order == sorted(order)
    assert len(set(order)) == 4


def everything() -> list[Change]:
    """A change of each kind."""
    return [
        ROSE,
        FELL,
        OPEN,
        changed(0.5, 0.5, 0.9),
        changed(0.5, 0.6, untested="one document stands in both"),
    ]


@pytest.mark.parametrize("change", everything())
@pytest.mark.parametrize("made", [revision, all_of_each])
def test_every_finding_has_a_value_for_every_place_of_its_messages(
    change: Change,
    made: Callable[..., UnitSetRevision],
) -> None:
    weak = {
        "New": changed(0.3, 0.4, 0.3, adjusted=0.5),
        "Former": changed(0.9, 0.4, 0.001, adjusted=0.002),
        "None": changed(0.9, 0.8, 0.2, adjusted=0.4),
    }
    people = (("A", "B", "C"), ("A", "B", "D"))
    compared = comparison(
        made(change, categories=weak, people=people, flips=Flips(agreed=1, mended=2, broken=3, disputed=4)),
        says="New",
        systems=(system(change),),
    )
    for each in find_changes(compared):
        places = {name for _, name, _, _ in string.Formatter().parse(each.claim + each.advice) if name}
        assert places <= set(each.values), each.id
        assert "{" not in message(each.claim, each.values).replace("{ ", "")


# The verdict


def said(compared: VersionComparison) -> str:
    first = find_changes(compared)[0]
    return message(first.claim, first.values)


def test_a_rise_beyond_chance_on_documents_annotated_again() -> None:
    compared = comparison(revision(ROSE, documents=14))
    assert one(compared, "verdict").severity == "good"
    assert said(compared) == (
        "Krippendorff's alpha rose from 0.400 (0.9) to 0.700 (1.0) on the 14 documents annotated under both "
        "versions: by 0.300 (95% interval 0.200 to 0.400, p = 0.010)."
    )
    of_two = comparison(revision(ROSE), revision(OPEN, layer="size"))
    assert said(of_two).startswith("Krippendorff's alpha (layer main) rose")


@pytest.mark.parametrize(("change", "version"), [(changed(None, 0.5), "0.9"), (changed(0.5, None), "1.0")])
def test_an_undefined_figure_says_which_version_and_why(change: Change, version: str) -> None:
    assert f"can't be computed for {version} (no units)" in said(comparison(revision(change)))
    bare = change.model_copy(update={"first": Figure(value=None)})
    assert f"can't be computed for 0.9 ({changes.NO_REASON})" in said(comparison(revision(bare)))


def test_nothing_in_common() -> None:
    assert said(comparison()) == "0.9 and 1.0 have no unit set in common: there is nothing to compare."
    assert [each.id for each in find_changes(comparison())] == ["verdict"]


@pytest.mark.parametrize(
    ("made", "severity", "words"),
    [
        (revision(), "note", "The same 30 documents"),
        (revision(clusters="unit"), "note", "The same 300 units"),
        (all_of_each(overlap=Overlap(documents=5, annotators=())), "warning", "5 documents are in both"),
        (all_of_each(), "warning", "no document is in both versions (30 under 0.9, 30 under 1.0)"),
        (
            all_of_each(clusters="unit", overlap=Overlap(documents=0, units=7, annotators=())),
            "warning",
            "7 units are in both versions, of 300 under 0.9",
        ),
        (
            all_of_each(clusters="unit"),
            "warning",
            "no unit is in both versions (300 under 0.9, 300 under 1.0)",
        ),
        (
            all_of_each(clusters="unit", overlap=Overlap(documents=0, annotators=())),
            "warning",
            "Nothing says whether the units of 0.9 are those of 1.0",
        ),
    ],
)
def test_the_caveat_says_whether_material_is_the_same(
    made: UnitSetRevision, severity: str, words: str
) -> None:
    caveat = one(comparison(made), "caveat")
    assert caveat.severity == severity
    assert words in message(caveat.claim, caveat.values)


# Which way a figure moved, and on what


@pytest.mark.parametrize(
    ("change", "way", "fell_perhaps"),
    [
        (changed(0.5, 0.7, 0.0499), "rose", False),
        (changed(0.5, 0.7, 0.05), "open", False),
        (changed(0.7, 0.5, 0.0499), "fell", False),
        (changed(0.7, 0.5, 0.2), "open", True),
        (changed(0.7, 0.5, 0.201), "open", False),
        (changed(0.7, 0.649, 0.1), "open", True),
        (changed(0.7, 0.65, 0.1), "open", False),
        (changed(0.7, 0.5), "untested", False),
        (changed(None, 0.5), "untested", False),
        (changed(0.5, 0.5, 0.01), "same", False),
    ],
)
def test_which_way_a_figure_moved(change: Change, way: str, *, fell_perhaps: bool) -> None:
    assert direction(change) == way
    assert may_have_fallen(change) is fell_perhaps


def test_p_after_holm_counts_where_it_is_asked_for() -> None:
    change = changed(0.5, 0.7, 0.01, adjusted=0.06)
    assert (direction(change), direction(change, adjusted=True)) == ("rose", "open")
    assert direction(changed(0.5, 0.7, 0.01), adjusted=True) == "rose"
    fell = changed(0.7, 0.5, 0.01, adjusted=0.06)
    assert (may_have_fallen(fell), may_have_fallen(fell, adjusted=True)) == (False, True)


@pytest.mark.parametrize(
    ("made", "where", "smaller"),
    [
        (revision(), "documents", 30),
        (revision(clusters="unit"), "units", 300),
        (all_of_each(documents=30), "documents", 30),
        (all_of_each(documents=5), "some documents", 30),
        (all_of_each(), "other documents", 30),
        (all_of_each(units=300, clusters="unit"), "units", 300),
        (all_of_each(units=5, clusters="unit"), "some units", 300),
        (all_of_each(units=0, clusters="unit"), "other units", 300),
        (all_of_each(units=None, clusters="unit"), "unknown", 300),
        (all_of_each(units=9, first=sample(0)), "some units", 0),
        (all_of_each(units=9, second=sample(0)), "some units", 0),
        (all_of_each(documents=20, second=sample(20)), "some documents", 20),
        (all_of_each(documents=20, first=sample(20)), "some documents", 20),
        (all_of_each(units=200, clusters="unit", second=sample(units=200)), "some units", 200),
    ],
)
def test_what_both_sides_have_in_common(made: UnitSetRevision, where: str, smaller: int) -> None:
    assert ground(made) == where
    assert clusters(made) == smaller


def test_what_moved_beyond_chance_is_below_its_level_after_holm_over_all() -> None:
    def names(**changes: Change) -> list[str]:
        return [name for name, *_ in beyond_chance(changes)]

    assert names(a=changed(0.5, 0.7, 0.0499)) == ["a"]
    assert names(a=changed(0.5, 0.7, 0.05)) == names(a=changed(0.5, 0.7)) == []
    assert names(a=changed(0.5, 0.7, 0.03), b=changed(0.5, 0.6, 0.5)) == []
    assert names(a=changed(0.5, 0.7, 0.02), b=changed(0.5, 0.6, 0.5)) == ["a"]
    assert names(a=changed(0.5, 0.5, 0.001)) == []


def test_a_figure_that_did_not_move_has_the_interval_that_it_has() -> None:
    interval = Interval(low=-0.05, high=0.2, level=0.95, method="t")
    same = moved(changed(0.5, 0.5, 0.5).model_copy(update={"interval": interval}))
    assert (same["by"], same["low"], same["high"]) == (0.0, -0.05, 0.2)


def test_how_far_a_figure_moved_is_positive_with_its_ends_in_order() -> None:
    fell = moved(changed(0.7, 0.5, 0.01), 0.01)
    assert (fell["by"], fell["low"], fell["high"]) == pytest.approx((0.2, 0.1, 0.3))
    rose = moved(changed(0.5, 0.7, 0.01), 0.01)
    assert (rose["by"], rose["low"], rose["high"]) == pytest.approx((0.2, 0.1, 0.3))
    assert (moved(changed(0.5, 0.7))["low"], moved(changed(0.5, 0.7))["p"]) == (None, None)
    still = moved(changed(0.5, 0.5, 0.9))
    assert (still["low"], still["high"]) == (-0.1, 0.1)


def test_what_moved_beyond_chance_is_corrected_for_its_number() -> None:
    three = {"a": changed(0.5, 0.7, 0.017), "b": changed(0.7, 0.5, 0.9), "c": changed(0.5, 0.5, 0.001)}
    ((name, p, _change),) = beyond_chance(three)
    assert (name, round(p, 6)) == ("a", 0.034)
    assert list(beyond_chance(three | {"d": changed(0.5, 0.7, 0.02), "e": changed(0.5, 0.7)})) == []


# Certainty


@pytest.mark.parametrize(("documents", "speaks"), [(19, True), (20, False)])
def test_few_documents_are_fewer_than_twenty(documents: int, *, speaks: bool) -> None:
    rose = changed(0.4, 0.7, 0.01)
    assert bool(of(revision(rose, documents=documents), "few-documents-compared")) is speaks
    assert of(revision(rose, documents=documents, clusters="unit"), "few-documents-compared") == []
    assert of(revision(changed(0.4, 0.7), documents=documents), "few-documents-compared") == []


@pytest.mark.parametrize(("needed", "speaks"), [(30, False), (31, True), (9999, True)])
def test_documents_are_needed_that_are_more_than_there_are(needed: int, *, speaks: bool) -> None:
    for first, second in ((0.5, 0.55), (0.55, 0.5)):
        told = of(revision(changed(first, second, 0.5, needed=needed)), "documents-needed")
        assert [each.claim for each in told] == ([changes.NEEDED.claim] if speaks else [])
        assert [each.values["by"] for each in told] == [pytest.approx(0.05)] * speaks
        assert [(each.values["present"], each.values["needed"]) for each in told] == [(30, needed)] * speaks


def test_units_have_their_own_words() -> None:
    open_ = changed(0.5, 0.55, 0.5, needed=310)
    claims = {
        changes.NEEDED_UNITS.claim: (revision(open_, clusters="unit"), all_of_each(open_, clusters="unit")),
        changes.NEEDED.claim: (all_of_each(open_),),
    }
    for claim, each in claims.items():
        assert [[told.claim for told in of(made, "documents-needed")] for made in each] == [[claim]] * len(
            each
        )
    assert of(revision(changed(0.5, 0.55, 0.5)), "documents-needed") == []
    same = changed(0.5, 0.5, 0.5, needed=100)
    assert len(of(revision(same), "documents-needed")) == 1
    endless = same.model_copy(update={"interval": Interval(undefined="nothing varies")})
    assert of(revision(endless), "documents-needed") == []


@pytest.mark.parametrize(
    ("second", "within"), [(0.53, True), (0.53125, False), (0.47, True), (0.46875, False)]
)
def test_unchanged_is_an_interval_within_the_margin(second: float, *, within: bool) -> None:
    """The interval is ± 1 / 32, the margin 1 / 16."""
    change = changed(0.5, second, 0.8, half=1 / 32)
    assert bool(of(revision(change), "within-margin", margin=1 / 16)) is within
    assert of(revision(change), "within-margin") == []
    needing = change.model_copy(update={"needed": 900})
    assert bool(of(revision(needing), "documents-needed", margin=1 / 16)) is not within


def by_parts(first: tuple[float, float], second: tuple[float, float], p: float = 0.01) -> Change:
    """A coefficient 1 - D_o / D_e under both versions."""
    figures = [
        Figure(value=1 - own / by_chance, observed=own, expected=by_chance)
        for own, by_chance in (first, second)
    ]
    values = [each.value or 0.0 for each in figures]
    return changed(values[0], values[1], p).model_copy(update={"first": figures[0], "second": figures[1]})


def prevalence(change: Change) -> list[str]:
    told = of(revision().model_copy(update={"measures": {ALPHA: change}}), "prevalence-moved")
    return [each.claim for each in told]


BY = changes.BY_PREVALENCE.claim


def test_prevalence_moved_the_figure_where_it_explains_more_than_half() -> None:
    # 1 - 0.2 / 0.5 = 0.6, and 0.5 with D_e 0.4: of a fall of 0.19 that is more than half, of 0.21 less.
    assert prevalence(by_parts((0.2, 0.5), (0.236, 0.4))) == [BY]
    assert prevalence(by_parts((0.2, 0.5), (0.244, 0.4))) == []
    assert prevalence(by_parts((0.2, 0.5), (0.236, 0.4), 0.05)) == [], "nothing moved beyond chance"
    # 0.6 to 0.551 is no notable fall, to 0.549 it is.
    assert prevalence(by_parts((0.2, 0.5), (0.1796, 0.4))) == []
    assert prevalence(by_parts((0.2, 0.5), (0.1804, 0.4))) == [BY]
    # 0.5 to 1, of which half, 0.25, is chance's: that is not more.
    assert prevalence(by_parts((0.25, 0.5), (0.0, 1.0))) == []
    rose = by_parts((0.2, 0.4), (0.2, 0.5))
    assert prevalence(rose) == [BY]
    # Other coefficients have agreements, where these have disagreements.
    sides = {
        side: Figure(value=own.value, observed=1 - (own.observed or 0), expected=1 - (own.expected or 0))
        for side, own in (("first", rose.first), ("second", rose.second))
    }
    assert prevalence(rose.model_copy(update=sides)) == [BY]


def test_prevalence_is_unknown_without_disagreements_of_both() -> None:
    whole = by_parts((0.2, 0.5), (0.236, 0.4))
    for side in ("first", "second"):
        own: Figure = getattr(whole, side)
        for bare in (
            {"observed": None},
            {"expected": None},
            {"observed": 0.3},
            {"observed": 0.0, "expected": 0.0},
        ):
            assert prevalence(whole.model_copy(update={side: own.model_copy(update=bare)})) == []
    assert prevalence(by_parts((0.0, 0.5), (0.05, 0.4))) == []
    assert whole.first.value is not None
    for digits, known in ((0.7e-9, [BY]), (1.4e-9, [])):
        rounded = whole.first.model_copy(update={"value": whole.first.value + digits})
        assert prevalence(whole.model_copy(update={"first": rounded})) == known


# People and categories


def test_a_change_of_annotators_says_who_came_and_who_left() -> None:
    def told(first: str, second: str) -> str:
        each = one(comparison(revision(ROSE, people=(tuple(first), tuple(second)))), "annotators-changed")
        return message(each.claim, each.values)

    assert "Not everybody annotated under both versions: C did not." in told("ABC", "AB")
    assert "C did not." in told("AB", "ABC")
    assert "C and D did not." in told("ABC", "ABD")
    assert "Nobody annotated under both versions: A and B under 0.9, C and D under 1.0." in told("AB", "CD")
    assert found(comparison(revision(ROSE, people=(("A", "B"), ("B", "A")))), "annotators-changed") == []


def test_pairs_of_both_versions_are_where_nobody_changed() -> None:
    pairs = (PairChange(annotators=("A", "B"), measures={}),)
    people = (("A", "B", "C"), ("A", "B"))
    assert (
        one(comparison(revision(people=people, pairs=pairs)), "annotators-changed").advice
        == changes.PAIRS.advice
    )
    alone = one(comparison(revision(people=people)), "annotators-changed")
    assert alone.advice == changes.SOME_CHANGED.advice


def test_edited_documents_are_counted() -> None:
    overlap = Overlap(documents=30, annotators=("A",), edited=2)
    assert one(comparison(revision(overlap=overlap)), "edited-documents").values["edited"] == 2
    assert found(comparison(revision()), "edited-documents") == []


def test_who_knows_some_of_the_material_may_remember_it() -> None:
    rose = changed(0.4, 0.7, 0.01)
    claims = {
        changes.KNOWN.claim: (
            *(revision(rose), revision(rose, clusters="unit")),
            *(all_of_each(rose, documents=5), all_of_each(rose, units=9)),
        ),
        changes.PRACTISED.claim: (all_of_each(rose),),
    }
    for claim, each in claims.items():
        for made in each:
            assert [(told.claim, told.severity) for told in of(made, "learning")] == [(claim, "warning")]
    fell = revision(changed(0.7, 0.4, 0.01))
    assert [each.severity for each in of(fell, "learning")] == ["note"]


@pytest.mark.parametrize(
    ("earlier", "later", "line"),
    [
        (("Old",), (), '{ "Old" = "…" }'),
        (("Old",), ("X",), '{ "Old" = "X" }'),
        (("Old",), ("X", "Y"), '{ "Old" = ["X", "Y"] }'),
        (("Old", "Older"), ("X",), '{ "Old" = "X", "Older" = "X" }'),
        (("Old", "Older"), ("X", "Y"), '{ "Old" = "…", "Older" = "…" }'),
        (("Old", "Older"), (), '{ "Old" = "…", "Older" = "…" }'),
        ((), ("X",), '{ "…" = ["…", "X"] }'),
        ((), ("X", "Y"), '{ "…" = ["…", "X", "Y"] }'),
    ],
)
def test_what_became_of_categories_is_a_line_to_complete(
    earlier: tuple[str, ...], later: tuple[str, ...], line: str
) -> None:
    how = Categories(how="names", first_only=earlier, second_only=later)
    (told,) = of(revision(categories=None).model_copy(update={"categories": how}), "categories-differ")
    assert told.values["only_list"] == (*earlier, *later)[:3]
    assert told.values["merged_line"] == f"merged = {line}"


def test_merged_and_split_categories_are_named_apart() -> None:
    how = Categories(how="merged", merged={"A": "B"}, split={"C": "D"})
    told = of(revision().model_copy(update={"categories": how}), "categories-merged")
    assert [(each.values.get("merged"), each.values.get("split")) for each in told] == [
        ("A → B", None),
        (None, "C → D"),
    ]
    split = Categories(how="merged", split={"C": "D"})
    assert len(of(revision().model_copy(update={"categories": split}), "categories-merged")) == 1
    many = Categories(how="names", first_only=tuple("abcdefg"), second_only=("X",))
    (told_of,) = of(revision().model_copy(update={"categories": many}), "categories-differ")
    assert str(told_of.values["merged_line"]).count("=") == 6, "five, and the key"


# Figures beside the primary one


def test_a_rise_is_a_warning_only_where_another_layer_fell_beyond_chance() -> None:
    rose = revision(changed(0.4, 0.7, 0.01))
    for other, severity in (
        (changed(0.7, 0.4, 0.01), "warning"),
        (changed(0.7, 0.4, 0.06), "good"),
        (changed(0.4, 0.7, 0.01), "good"),
    ):
        assert one(comparison(rose, revision(other, layer="b")), "verdict").severity == severity


# Categories


def shares(**by_name: float) -> Sample:
    return sample().model_copy(update={"label_shares": by_name, "categories": tuple(by_name)})


def thirds(categories: Mapping[str, Change], **changes: object) -> UnitSetRevision:
    """Of three categories that are equally frequent, some with a specific agreement."""
    even = shares(Former=1 / 3, New=1 / 3, **{"None": 1 / 3})
    return revision(categories=categories).model_copy(update={"first": even, "second": even, **changes})


def below(change: Change, says: str = "New is said anew.", **changes: object) -> list[str]:
    compared = comparison(thirds({"New": change}, **changes), says=says)
    return [
        each.claim
        for each in (*found(compared, "category-stayed-below"), *found(compared, "category-not-revised"))
    ]


def test_a_category_stayed_below_where_both_values_are_below_the_minimum() -> None:
    """Scott's pi of a category with a third of the labels is 1 - 1.5 (1 - s): 0.667 at s = 0.778."""
    stayed, perhaps, forgotten = (
        template.claim for template in (changes.STAYED, changes.STAYED_PERHAPS, changes.FORGOTTEN)
    )
    assert below(changed(0.7, 0.6, 0.3)) == [stayed]
    assert below(changed(0.7, 0.777, 0.3)) == [perhaps]
    assert below(changed(0.7, 0.7781, 0.3)) == []
    assert below(changed(0.7781, 0.7, 0.3)) == []
    assert below(changed(0.6, 0.677, 0.3)) == [stayed], "up to 0.777"
    assert below(changed(0.6, 0.679, 0.3)) == [perhaps]
    assert below(changed(0.6, 0.6, 0.3), says="Something.") == [forgotten]
    assert below(changed(0.6, 0.6, 0.3), says=" ") == []
    assert below(changed(0.6, 0.6, 0.3), scale="ordinal") == []
    assert below(changed(0.6, 0.6, 0.3), non_annotated="New") == []
    assert below(changed(None, 0.6)) == below(changed(0.6, None)) == []
    two: dict[str, Any] = {"first": shares(New=0.5, Old=0.5), "second": shares(New=0.5, Old=0.5)}
    assert below(changed(0.3, 0.3, 0.3), **two) == []
    unknown: dict[str, Any] = {"second": shares(Former=0.5, New=1.0, Old=0.0)}
    assert below(changed(0.3, 0.3, 0.3), **unknown) == [], "all labels are New"


def test_every_category_is_looked_at_whatever_the_one_before_is() -> None:
    stayed, unknown = changed(0.6, 0.6, 0.3), changed(None, 0.6)
    ordered = thirds({"New": stayed}, layer="a", scale="ordinal")
    named = thirds({"Former": unknown, "New": stayed}, layer="b")
    below_in = found(comparison(ordered, named, says="New is said anew."), "category-stayed-below")
    assert [each.values["category"] for each in below_in] == ["New (layer b)"]
    # A fall of "New" lies within what its prevalence could do, that of "Former" beyond it.
    made = all_of_each().model_copy(
        update={
            "first": shares(New=0.2, Former=0.4, Old=0.4),
            "second": shares(New=0.5, Former=0.25, Old=0.25),
            "specific_agreement": {
                "New": changed(0.6, 0.5, 0.001, half=0.11),
                "Former": changed(0.6, 0.1, 0.001, half=0.05),
            },
        }
    )
    assert [each.values["category"] for each in of(made, "category-worse")] == ["Former"]


@pytest.mark.parametrize(
    ("first", "second", "half", "moved_as"),
    [
        (0.5, 0.75, 0.125, "category-better"),
        (0.5, 0.75, 0.25, None),
        (0.75, 0.5, 0.125, "category-worse"),
        (0.75, 0.5, 0.25, None),
    ],
)
def test_a_category_moved_where_its_interval_is_beyond_what_prevalence_does(
    first: float, second: float, half: float, moved_as: str | None
) -> None:
    """Prevalence is the same under both, so that it does nothing; an interval that begins at 0 may be it."""
    one_fifth = shares(New=0.2, Former=0.4, Old=0.4)
    made = all_of_each().model_copy(
        update={
            "first": one_fifth,
            "second": one_fifth,
            "specific_agreement": {"New": changed(first, second, 0.001, half=half)},
        }
    )
    told = [name for name in ("category-better", "category-worse") if of(made, name)]
    assert told == ([moved_as] if moved_as else [])


def test_of_many_categories_six_are_told_and_the_others_counted() -> None:
    names = [f"c{number}" for number in range(8)]
    even = shares(**dict.fromkeys(names, 1 / 8))

    def told(many: int) -> list[Finding]:
        worse = {
            name: changed(0.9, 0.6 - place / 100, 0.001, adjusted=0.01)
            for place, name in enumerate(names[:many])
        }
        made = revision(categories=worse).model_copy(update={"first": even, "second": even})
        return found(comparison(made), "category-worse")

    assert [each.values.get("category") for each in told(8)] == [*names[:6], None]
    last = told(8)[-1]
    assert (last.values["more"], last.severity, last.evidence) == (2, "problem", "categories")
    assert len(told(6)) == 6


def test_what_may_have_got_worse_comes_with_the_largest_fall_first() -> None:
    perhaps = {
        name: changed(0.9, after, 0.15) for name, after in (("Former", 0.8), ("New", 0.6), ("None", 0.7))
    }
    told = of(revision(categories=perhaps), "category-worse")
    assert [each.values["category"] for each in told] == ["New", "None", "Former"]
    assert {each.severity for each in told} == {"note"}


def test_other_prevalence_explains_what_lies_within_what_it_could_do() -> None:
    """With a share of 0.2 before and 0.5 after, s = 0.6 becomes 0.9 where all errors are false alarms."""

    def apart(first: float, second: float, half: float, documents: int = 0) -> set[str]:
        made = all_of_each(documents=documents).model_copy(
            update={
                "first": shares(New=0.2, Former=0.4, Old=0.4),
                "second": shares(New=0.5, Former=0.25, Old=0.25),
                "specific_agreement": {"New": changed(first, second, 0.001, half=half)},
            }
        )
        return {each.id for name in ("category-better", "category-worse") for each in of(made, name)}

    assert apart(0.6, 0.95, 0.04) == {"category-better"}
    assert apart(0.6, 0.95, 0.06) == set(), "the interval is not beyond 0.9"
    assert apart(0.6, 0.5, 0.05) == {"category-worse"}
    assert apart(0.6, 0.5, 0.11) == set(), "the interval is not beyond 0"
    assert apart(0.6, 0.95, 0.06, documents=30) == {"category-better"}, "on the same documents"
    bare = all_of_each().model_copy(update={"specific_agreement": {"New": changed(0.6, 0.95, 0.001)}})
    assert [each.id for each in of(bare, "category-better")] == ["category-better"], "shares are unknown"
    gone = bare.model_copy(update={"first": shares(New=0.0, Old=1.0), "second": shares(New=0.5, Old=0.5)})
    assert of(gone, "category-better") == []
    whole = bare.model_copy(update={"first": shares(New=0.5, Old=0.5), "second": shares(New=1.0, Old=0.0)})
    assert of(whole, "category-better") == []


@pytest.mark.parametrize(("first", "second"), [(0.0, 0.5), (1.0, 0.5), (0.5, 0.0), (0.5, 1.0)])
def test_a_category_that_all_labels_are_or_none_is_explained_however_far_it_moved(
    first: float, second: float
) -> None:
    far = all_of_each().model_copy(update={"specific_agreement": {"New": changed(0.6, 1.2, 0.001)}})
    sides = [shares(New=share, Old=1 - share) for share in (first, second)]
    moved_sides = far.model_copy(update={"first": sides[0], "second": sides[1]})
    assert of(moved_sides, "category-better") == []
    between = far.model_copy(
        update={"first": shares(New=0.01, Old=0.99), "second": shares(New=0.99, Old=0.01)}
    )
    assert of(between, "category-better")


def test_passages_of_the_guidelines_name_categories_too() -> None:
    weak = {"New": changed(0.3, 0.4, 0.3), "Former": changed(0.3, 0.4, 0.3)}
    passages = (
        Passage(kind="added", text="New is …", categories=("New",)),
        Passage(kind="kept", text="Former is …", categories=("Former",)),
    )
    guidelines = GuidelinesCompared(first="0.9.md", second="1.0.md", passages=passages)
    compared = comparison(thirds(weak), guidelines=guidelines)
    assert [each.values["category"] for each in found(compared, "category-stayed-below")] == ["New"]
    assert [each.values["category"] for each in found(compared, "category-not-revised")] == ["Former"]


def test_a_category_is_named_as_a_word_only_and_of_no_revision_nothing_is_said() -> None:
    weak = {"New": changed(0.3, 0.4, 0.3)}
    assert found(comparison(revision(categories=weak), says="Anew, renewed."), "category-stayed-below") == []
    assert found(comparison(revision(categories=weak)), "category-not-revised") == []


def test_categories_that_got_worse_by_p_after_holm() -> None:
    worse = {
        "New": changed(0.9, 0.7, 0.01, adjusted=0.03),
        "Former": changed(0.9, 0.7, 0.03, adjusted=0.06),
        "None": changed(0.9, 0.89, 0.9, adjusted=0.9),
    }
    each = found(comparison(revision(categories=worse)), "category-worse")
    assert [(x.severity, x.values["category"]) for x in each] == [("problem", "New"), ("note", "Former")]


@pytest.mark.parametrize(
    ("shares", "after", "same", "said"),
    [
        # Were all disagreements false alarms, .5 of half of the labels would be 1 - .5 * 3 / 7 of .7.
        ((0.5, 0.7), 0.80, False, []),
        ((0.5, 0.7), 0.81, False, ["category-better"]),
        ((0.5, 0.7), 0.80, True, ["category-better"]),
        # Were all omissions, it would stay.
        ((0.5, 0.3), 0.53, False, ["category-better"]),
        ((0.7, 0.5), 0.48, False, []),
        ((0.5, 0.5), 0.47, False, ["category-worse"]),
        ((0.5, 0.7), 0.47, False, ["category-worse"]),
        ((0.6, 0.5), 0.47, False, []),
        ((1.0, 0.5), 0.10, False, []),
    ],
)
def test_what_another_prevalence_explains_is_no_change_of_a_category(
    shares: tuple[float, float], after: float, *, same: bool, said: list[str]
) -> None:
    first, second = (sample().model_copy(update={"label_shares": {"New": share}}) for share in shares)
    material: dict[str, Any] = (
        {} if same else {"basis": "all", "overlap": Overlap(documents=0, units=0, annotators=())}
    )
    moved = {"New": changed(0.5, after, 0.01, half=0.02)}
    compared = comparison(revision(categories=moved, first=first, second=second, **material))
    assert [
        each.id
        for each in find_changes(compared)
        if each.id.startswith("category-") and "stay" not in each.id
    ] == said


# Confusions


def confused(
    *rows: tuple[str, str, int, int],
    p: float | None = 0.01,
    per: tuple[int, int] = (1000, 1000),
    **changes: object,
) -> UnitSetRevision:
    """Confusions as numbers of a thousand comparisons; 300 units are in each version."""
    parts = tuple(
        ConfusionChange(
            categories=(a, b), first=first, second=second, contribution=(second - first) / 1000, adjusted=p
        )
        for a, b, first, second in rows
    )
    disagreement = DisagreementChange(first=0.1, second=0.1, change=0.0, denominators=per, confusions=parts)
    return revision().model_copy(update={"disagreement": disagreement, **changes})


def pairs(made: UnitSetRevision, name: str) -> list[tuple[object, object]]:
    return [(each.values["first"], each.values["second"]) for each in of(made, name)]


def test_a_confusion_moved_from_a_tenth_of_all_that_moved_and_two_units_on() -> None:
    assert pairs(confused(("Former", "New", 0, 90), ("New", "None", 0, 10)), "confusion-more") == [
        ("Former", "New"),
        ("New", "None"),
    ]
    assert pairs(confused(("Former", "New", 0, 91), ("New", "None", 0, 10)), "confusion-more") == [
        ("Former", "New")
    ]
    # 7 of 1000 comparisons are 2.1 of 300 units, 6 are 1.8.
    assert pairs(confused(("Former", "New", 0, 7)), "confusion-more") == [("Former", "New")]
    assert pairs(confused(("Former", "New", 0, 6)), "confusion-more") == []
    assert pairs(confused(("Former", "New", 7, 0)), "confusion-less") == [("Former", "New")]
    assert pairs(confused(("Former", "New", 6, 0)), "confusion-less") == []
    for p, speaks in ((0.0499, True), (0.05, False), (None, False)):
        assert bool(pairs(confused(("Former", "New", 0, 90), p=p), "confusion-more")) is speaks


@pytest.mark.parametrize(("beyond", "speaks"), [(0.0499, True), (0.05, False), (None, False)])
def test_in_other_material_a_confusion_moves_beyond_the_mix(beyond: float | None, *, speaks: bool) -> None:
    for name, rows in (
        ("confusion-more", ("Former", "New", 5, 90)),
        ("confusion-less", ("Former", "New", 90, 5)),
    ):
        same = confused(rows)
        assert same.disagreement is not None
        (own,) = same.disagreement.confusions
        parts = (own.model_copy(update={"beyond_mix": beyond}),)
        disagreement = same.disagreement.model_copy(update={"confusions": parts})
        other = {"basis": "all", "overlap": same.overlap.model_copy(update={"documents": 0, "units": None})}
        moved = same.model_copy(update={"disagreement": disagreement, **other})
        assert bool(pairs(moved, name)) is speaks
        assert pairs(same, name), "in the same documents the mix is what annotators make of it"


def test_where_nothing_was_compared_a_confusion_is_told_all_the_same() -> None:
    assert len(of(confused(("Former", "New", 0, 90), per=(0, 1000)), "confusion-more")) == 1
    (less,) = of(confused(("Former", "New", 90, 0), per=(1000, 0)), "confusion-less")
    assert less.values["less_share"] == 1.0


def test_two_confusions_are_told_that_moved_most() -> None:
    grew = confused(("Former", "New", 0, 30), ("New", "None", 0, 50), ("Former", "None", 0, 40))
    assert pairs(grew, "confusion-more") == [("New", "None"), ("Former", "None")]
    fell = confused(("Former", "New", 30, 0), ("New", "None", 50, 0), ("Former", "None", 40, 0))
    assert pairs(fell, "confusion-less") == [("New", "None"), ("Former", "None")]
    equal = confused(("New", "None", 0, 40), ("Former", "New", 0, 40), ("Former", "None", 0, 40))
    assert pairs(equal, "confusion-more") == [("Former", "New"), ("Former", "None")]


def test_confusions_are_rates_of_what_was_compared() -> None:
    (left,) = of(confused(("Former", "New", 30, 50), ("New", "None", 10, 30)), "confusion-left")
    assert left.values["left_share"] == pytest.approx(0.625)
    assert left.values["before_share"] == pytest.approx(0.75)
    assert of(confused(("Former", "New", 0, 9), per=(0, 0)), "confusion-left") == []


def test_the_largest_confusion_is_left_from_a_tenth_on() -> None:
    rest = [("Former", f"c{number}", 10, 100) for number in range(9)]
    names = ("Former", "New", *(f"c{number}" for number in range(9)))
    both: dict[str, Any] = {
        "first": sample().model_copy(update={"categories": names}),
        "second": sample().model_copy(update={"categories": names}),
    }
    assert pairs(confused(*rest, ("Former", "New", 100, 101), **both), "confusion-left") == [
        ("Former", "New")
    ]
    even = [("Former", name, 10, 100) for name in (*names[1:], "c9")]
    wider: dict[str, Any] = {
        side: sample().model_copy(update={"categories": (*names, "c9")}) for side in both
    }
    assert pairs(confused(*even, **wider), "confusion-left") == [], "a tenth is not above all"
    assert pairs(confused(*even[:-2], **wider), "confusion-left") == [("Former", "New")], (
        "of equal ones by name"
    )


def test_nothing_is_left_of_two_categories_or_what_fell() -> None:
    rows = ("Former", "New", 50, 40), ("New", "None", 0, 0)
    assert pairs(confused(*rows, p=0.5), "confusion-left") == [], "one confusion is all that is left"
    new = ("Former", "New", 0, 40), ("New", "None", 0, 0)
    assert pairs(confused(*new, p=0.5), "confusion-left") == [("Former", "New")]
    rows = ("Former", "New", 50, 40), ("New", "None", 5, 9)
    for p, speaks in ((0.0499, False), (0.05, True), (None, True)):
        assert bool(pairs(confused(*rows, p=p), "confusion-left")) is speaks
    # What fell since a category of it is new is left all the same.
    older = sample().model_copy(update={"categories": ("Former", "None")})
    (gained,) = of(confused(*rows, p=0.0499, first=older), "confusion-left")
    assert gained.claim == change_confusions.LEFT.claim
    still = ("Former", "New", 40, 40), ("New", "None", 5, 9)
    assert pairs(confused(*still), "confusion-left") == [("Former", "New")]
    grew = ("Former", "New", 30, 40), ("New", "None", 5, 9)
    assert pairs(confused(*grew), "confusion-left") == [("Former", "New")]
    two = sample().model_copy(update={"categories": ("Former", "New")})
    assert pairs(confused(*grew, second=two), "confusion-left") == []
    assert of(confused(), "confusion-left") == of(revision(), "confusion-left") == []


def test_sets_that_differ_in_one_label_and_layers_have_their_own_words() -> None:
    apart = confused(("New", "", 5, 90), ("Former", "None", 20, 20), p=0.01)
    (grew,) = of(apart, "confusion-more")
    assert grew.claim == change_confusions.APART[change_confusions.MORE].claim
    two = comparison(revision(layer="b"), confused(("Former", "New", 5, 90), layer="c"))
    (of_layer,) = found(two, "confusion-more")
    assert of_layer.values["second"] == "New (layer c)"
    unmarked = confused(("None", "New", 5, 90), ("Former", "New", 20, 20), non_annotated="None")
    (missed,) = of(unmarked, "confusion-more")
    assert (missed.values["first"], missed.claim) == (
        "New",
        change_confusions.MISSED[change_confusions.MORE].claim,
    )


def test_every_layer_is_looked_at_whatever_the_one_before_has() -> None:
    skipped = (
        revision(layer="a"),
        confused(("Former", "New", 50, 40), ("New", "None", 5, 9), layer="b"),
        confused(("Former", "New", 3, 4), ("New", "None", 3, 3), layer="c"),
        revision(layer="d", flips=Flips(agreed=9, mended=0, broken=0, disputed=0)),
    )
    last = confused(
        ("Former", "New", 5, 90),
        ("New", "None", 50, 9),
        layer="z",
        flips=Flips(agreed=9, mended=2, broken=2, disputed=1),
    )
    compared = comparison(*skipped, last)
    for name in ("confusion-left", "confusion-more", "confusion-less"):
        assert [each.values.get("second_layer") for each in found(compared, name)][-1:] == ["z"], name
    assert [each.values["layer"] for each in found(compared, "units-changed-sides")] == ["z"]


def test_no_definition_mends_the_absence_of_a_mark() -> None:
    weak = {"None": changed(0.3, 0.4, 0.3)}
    made = revision(categories=weak, non_annotated="None")
    assert found(comparison(made, says="None of them."), "category-stayed-below") == []


def test_a_category_that_one_version_lacks_can_not_be_confused_there() -> None:
    made = confused(("Former", "New", 0, 60), ("Old", "New", 60, 0), ("New", "None", 5, 5))
    first = sample().model_copy(update={"categories": ("Old", "New", "None")})
    compared = comparison(made.model_copy(update={"first": first}))
    assert found(compared, "confusion-less") == found(compared, "confusion-more") == []


def test_numbers_are_no_categories_to_confuse() -> None:
    worse = {"New": changed(0.9, 0.4, 0.001, adjusted=0.002)}
    for scale in ("interval", "ratio"):
        made = confused(("Former", "New", 20, 100)).model_copy(
            update={"scale": scale, "specific_agreement": worse}
        )
        assert not {"category-worse", "confusion-more"} & {each.id for each in find_changes(comparison(made))}


# Units that changed sides


@pytest.mark.parametrize(
    ("flips", "template"),
    [
        ({"mended": 20, "broken": 2, "p": 0.0499}, change_confusions.MORE_MENDED),
        ({"mended": 2, "broken": 20, "p": 0.0499}, change_confusions.MORE_BROKEN),
        ({"mended": 20, "broken": 2, "p": 0.05}, change_confusions.BY_CHANCE),
        ({"mended": 20, "broken": 2}, change_confusions.COUNTED),
        ({"mended": 2, "broken": 2, "p": 0.01}, change_confusions.COUNTED),
        ({"mended": 0, "broken": 0}, change_confusions.COUNTED),
        ({"mended": 0, "broken": 0, "alike": False}, change_confusions.COUNTED),
        ({"mended": 20, "broken": 2, "p": 0.01, "alike": False}, change_confusions.OTHERS),
    ],
)
def test_units_that_changed_sides(flips: dict[str, object], template: object) -> None:
    given = Flips.model_validate({"agreed": 9, "disputed": 3, "clusters": 9} | flips)
    (told,) = of(revision(flips=given), "units-changed-sides")
    assert told.claim == template.claim  # type: ignore[attr-defined]
    assert told.advice
    in_layers = comparison(revision(flips=given), revision(layer="b"))
    (of_layer,) = found(in_layers, "units-changed-sides")
    assert of_layer.claim == f"Layer {{layer}}: {told.claim}"


def test_other_categories_and_nothing_disputed_have_their_own_words() -> None:
    given = Flips(agreed=9, mended=20, broken=2, disputed=0, clusters=9, p=0.01)
    others = revision(flips=given).model_copy(
        update={"categories": Categories(how="names", second_only=("X",))}
    )
    (told,) = of(others, "units-changed-sides")
    assert (told.claim, told.advice) == (change_confusions.OTHERS.claim, "")
    broken = Flips(agreed=9, mended=2, broken=20, disputed=0, clusters=9, p=0.01)
    (told,) = of(revision(flips=broken), "units-changed-sides")
    assert told.advice == change_confusions.MORE_BROKEN.advice
    assert of(revision(flips=Flips(agreed=9, mended=0, broken=0, disputed=0)), "units-changed-sides") == []


# Elsewhere


def test_other_layers_are_corrected_for_their_number() -> None:
    layers = [revision(layer="main")] + [
        revision(changed(0.5, 0.2, p), layer=f"layer {p}") for p in (0.01, 0.03, 0.9)
    ]
    each = one(comparison(*layers), "layer-changed")
    assert (each.severity, each.values["layer"]) == ("problem", "layer 0.01")
    assert each.values["p"] == pytest.approx(0.03)
    assert found(comparison(revision(FELL)), "layer-changed") == []


def span(change: Change, basis: str = "shared") -> SpanRevision:
    return SpanRevision.model_validate(
        {
            "layer": "main",
            "basis": basis,
            "first": sample(),
            "second": sample(),
            "overlap": Overlap(documents=30, annotators=("A", "B")),
            "measures": {"f_measure[strict]": change},
            "by_type": {},
        }
    )


def test_marks_are_told_on_what_stands_in_both() -> None:
    compared = comparison(revision(), spans=(span(FELL, "all"), span(ROSE)))
    assert one(compared, "marks-changed").severity == "good"
    assert found(comparison(revision(), spans=(span(OPEN),)), "marks-changed") == []


# Systems


def test_a_system_that_fell_on_a_category_alone() -> None:
    by = {"New": changed(0.9, 0.5, 0.001, adjusted=0.002), "Former": changed(0.9, 0.8, 0.03, adjusted=0.06)}
    compared = comparison(revision(), systems=(system(OPEN, by_category=by),))
    assert one(compared, "system-category-regressed").values["categories"] == "New"
    assert found(comparison(revision(), systems=(system(FELL),)), "system-category-regressed") == []


def test_systems_rise_and_annotators_do_not_count_as_systems() -> None:
    assert one(comparison(revision(), systems=(system(ROSE),)), "system-rose").severity == "good"
    assert found(comparison(revision(), systems=(system(ROSE, role="annotator"),)), "system-rose") == []


def test_a_system_is_told_once_on_its_marks_and_what_stands_in_both() -> None:
    unit_set = {"unit_set": "tokens", "figure": ALPHA, "measures": {ALPHA: FELL}}
    whole = system(FELL, basis="all")
    compared = comparison(revision(), systems=(system(FELL, **unit_set), whole, system(ROSE)))
    assert found(compared, "system-regressed") == []
    units = comparison(
        revision(), systems=(system(FELL, **unit_set), system(FELL, **(unit_set | {"unit_set": "x"})))
    )
    assert one(units, "system-regressed").values["figure"] == "Krippendorff's alpha"


def test_who_fell_is_told_with_the_documents_that_did() -> None:
    fell = changed(0.9, 0.7, 0.01)
    rows = [
        DocumentChange(document=name, difference=by, units=4)
        for name, by in (("d1", -0.5), ("d2", 0.0), ("d3", None))
    ]
    (told,) = found(comparison(revision(), systems=(system(fell, by_document=rows),)), "system-regressed")
    assert (told.values["documents"], told.severity) == ("d1", "problem")
    assert told.advice == changes.REGRESSED.advice
    (bare,) = found(comparison(revision(), systems=(system(fell),)), "system-regressed")
    assert bare.advice == ""
    for change, severity in (
        (changed(0.9, 0.8, 0.2), ["note"]),
        (changed(0.9, 0.8, 0.21), []),
        (changed(0.9, 0.86, 0.1), []),
        (changed(0.7, 0.9, 0.01), []),
    ):
        told_of = found(comparison(revision(), systems=(system(change),)), "system-regressed")
        assert [each.severity for each in told_of] == severity


def test_facts_of_a_comparison_without_a_unit_set_are_empty() -> None:
    nothing = LayerChanges(comparison())
    assert (nothing.revision, nothing.change, nothing.coefficient, nothing.layers) == (None, None, "", [])
    assert isinstance(nothing.comparison, VersionComparison)
    of_two = LayerChanges(comparison(*(revision(layer=layer, primary=False) for layer in "ab")))
    assert nothing.naming == of_two.naming == {"coefficient": ""}
    without = comparison(revision().model_copy(update={"measures": {}}))
    assert one(without, "verdict").claim == changes.NOTHING.claim
