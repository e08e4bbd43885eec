"""Each rule about a comparison of versions speaks where it should, and is silent elsewhere."""

import inspect
import string
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from reportgen.findings import CHANGE_OPENING as OPENING
from reportgen.findings import CHANGE_RULES, FindingTemplate, changes, find_changes
from reportgen.findings import change_confusions as confusions
from reportgen.findings import changes as certainty
from reportgen.results import SEVERITIES, Figure
from reportgen.results.parts import Categories, Change, DocumentChange, Overlap, Permutation
from reportgen.results.versions import (
    ConfusionChange,
    DisagreementChange,
    Flips,
    GuidelinesCompared,
    PairChange,
    Passage,
    SpanRevision,
    UnitSetRevision,
    VersionComparison,
)
from reportgen.words.numbers import message
from tests.findings.made_comparison import (
    AGREED,
    ALPHA,
    changed,
    comparison,
    found,
    one,
    revision,
    sample,
    system,
)

MODULES = (changes, changes, certainty, confusions)
SECTIONS = {"figures", "categories", "confusions", "units", "guidelines", "systems", "annotators", "spans"}
ROSE, FELL, OPEN = changed(0.4, 0.7, 0.01), changed(0.7, 0.4, 0.01), changed(0.5, 0.55, 0.5, needed=200)


def others(change: Change | None = None, **changes: object) -> UnitSetRevision:
    """A unit set whose documents are others under each version."""
    apart = {"basis": "all", "overlap": Overlap(documents=0, units=0, annotators=("A", "B"))}
    return revision(change, **(apart | changes))  # type: ignore[arg-type]  # any field of the model


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
    made = of_thirds(weak).model_copy(update={"measures": {ALPHA: FELL}})
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
@pytest.mark.parametrize("made", [revision, others])
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


def test_a_fall_is_told_by_how_much_it_is_with_the_ends_of_its_interval_in_order() -> None:
    compared = comparison(others(FELL))
    assert one(compared, "verdict").severity == "problem"
    assert said(compared) == (
        "Krippendorff's alpha fell from 0.700 (0.9) to 0.400 (1.0) on different documents: by 0.300 "
        "(95% interval 0.200 to 0.400, p = 0.010)."
    )


def test_a_category_that_only_chance_moved_is_no_suspicion() -> None:
    worse = {"New": changed(0.6, 0.5, 0.6, adjusted=1.0)}
    assert found(comparison(revision(categories=worse)), "category-worse") == []


def test_one_document_of_both_versions_is_the_same_material() -> None:
    one_document = sample(1)
    made = others(
        first=one_document, second=one_document, overlap=Overlap(documents=1, units=60, annotators=("A", "B"))
    )
    caveat = one(comparison(made), "caveat")
    assert message(caveat.claim, caveat.values).startswith("The same 1 document was annotated under both")
    assert one(comparison(made), "learning").claim == certainty.KNOWN.claim


def test_units_and_confusions_of_every_layer_are_told_with_its_name() -> None:
    made = with_confusions(("Former", "New", 20, 100)).model_copy(
        update={
            "layer": "colour",
            "flips": Flips(agreed=9, mended=0, broken=9, disputed=1, clusters=9, p=0.01),
        }
    )
    compared = comparison(revision(ROSE, layer="size"), made)
    (each,) = found(compared, "units-changed-sides")
    assert message(each.claim, each.values).startswith("Layer colour: More units are disputed than before")
    grew = one(compared, "confusion-more")
    assert message(grew.claim, grew.values).startswith("Former and New (layer colour) are confused")


def test_what_chance_could_do_is_no_movement() -> None:
    assert said(comparison(revision(OPEN))) == (
        "Krippendorff's alpha did not move beyond chance: 0.500 (0.9) and 0.550 (1.0) on the 30 documents "
        "annotated under both versions, which is a difference of 0.050 with an interval from −0.050 to 0.150 "
        "(p = 0.500)."
    )


def test_the_same_value_twice_is_no_proof_that_nothing_moved() -> None:
    said_ = said(comparison(revision(changed(0.5, 0.5, 0.9, half=0.3))))
    assert "is 0.500 under 0.9 and under 1.0 on the 30 documents" in said_
    assert said_.endswith("; with 95% confidence the difference is from −0.300 to 0.300.")
    assert said(comparison(revision(changed(0.5, 0.5, untested="nothing varies")))).endswith("versions.")


def test_with_several_layers_the_verdict_names_its_own_and_a_fall_elsewhere_is_no_good_news() -> None:
    compared = comparison(revision(ROSE), revision(FELL, layer="colour"), revision(OPEN, layer="size"))
    first = one(compared, "verdict")
    assert said(compared).startswith("Krippendorff's alpha (layer main) rose")
    assert first.severity == "warning"
    assert one(compared, "layer-changed").values["layer"] == "colour"
    assert one(compared, "layers-open").values["layers"] == "size"


def test_without_a_test_the_reason_is_given() -> None:
    found_ = said(comparison(revision(changed(0.5, 0.6, untested="one document stands in both"))))
    assert found_.endswith("no test says whether that is more than chance: one document stands in both.")


@pytest.mark.parametrize(("change", "version"), [(changed(None, 0.5), "0.9"), (changed(0.5, None), "1.0")])
def test_an_undefined_figure_says_which_version_and_why(change: Change, version: str) -> None:
    assert f"can't be computed for {version} (no units)" in said(comparison(revision(change)))


def test_an_undefined_figure_without_a_reason_was_not_tested() -> None:
    change = changed(None, 0.5)
    bare = change.model_copy(update={"first": change.first.model_copy(update={"undefined": None})})
    assert "can't be computed for 0.9 (it was not tested)" in said(comparison(revision(bare)))


def test_nothing_in_common() -> None:
    assert said(comparison()) == "0.9 and 1.0 have no unit set in common: there is nothing to compare."
    assert [each.id for each in find_changes(comparison())] == ["verdict"]


@pytest.mark.parametrize(
    ("made", "severity", "words"),
    [
        (revision(), "note", "The same 30 documents"),
        (revision(clusters="unit"), "note", "The same 300 units"),
        (others(overlap=Overlap(documents=5, annotators=())), "warning", "5 documents are in both"),
        (others(), "warning", "no document is in both versions (30 under 0.9, 30 under 1.0)"),
        (
            others(clusters="unit", overlap=Overlap(documents=0, units=7, annotators=())),
            "warning",
            "7 units are in both versions, of 300 under 0.9",
        ),
        (
            others(clusters="unit"),
            "warning",
            "no unit is in both versions (300 under 0.9, 300 under 1.0)",
        ),
        (
            others(clusters="unit", overlap=Overlap(documents=0, annotators=())),
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


# Rival explanations


def test_annotators_who_know_the_documents_may_have_learnt_them() -> None:
    assert one(comparison(revision(ROSE)), "learning").claim == certainty.KNOWN.claim
    assert one(comparison(revision(ROSE)), "learning").severity == "warning"
    assert one(comparison(revision(OPEN)), "learning").severity == "note"
    assert one(comparison(others(ROSE)), "learning").claim == certainty.PRACTISED.claim
    assert found(comparison(revision(ROSE, people=(("A", "B"), ("C", "D")))), "learning") == []


def test_a_change_of_annotators_says_who_came_and_who_left() -> None:
    def told(first: str, second: str) -> str:
        each = one(comparison(revision(ROSE, people=(tuple(first), tuple(second)))), "annotators-changed")
        return message(each.claim, each.values)

    assert "C annotated under 0.9 only." in told("ABC", "AB")
    assert "C came with 1.0." in told("AB", "ABC")
    assert "C annotated under 0.9 only, D under 1.0 only." in told("ABC", "ABD")
    assert "Nobody annotated under both versions: A and B under 0.9, C and D under 1.0." in told("AB", "CD")
    assert found(comparison(revision(ROSE, people=(("A", "B"), ("B", "A")))), "annotators-changed") == []


def test_pairs_of_both_versions_are_where_nobody_changed() -> None:
    pairs = (PairChange(annotators=("A", "B"), measures={}),)
    people = (("A", "B", "C"), ("A", "B"))
    assert (
        one(comparison(revision(people=people, pairs=pairs)), "annotators-changed").advice == certainty.PAIRS
    )
    assert one(comparison(revision(people=people)), "annotators-changed").advice == certainty.STAY


def test_edited_documents_are_counted() -> None:
    overlap = Overlap(documents=30, annotators=("A",), edited=2)
    assert one(comparison(revision(overlap=overlap)), "edited-documents").values["edited"] == 2
    assert found(comparison(revision()), "edited-documents") == []


def test_categories_that_were_mapped_or_are_others_are_named() -> None:
    merged = Categories(how="merged", merged={"Renamed": "New"})
    each = one(comparison(_with(merged)), "categories-merged")
    assert "(Renamed → New)" in message(each.claim, each.values)
    differ = Categories(how="names", first_only=("Old",), second_only=("New", "Newer"))
    each = one(comparison(_with(differ)), "categories-differ")
    assert "Only 0.9 has Old, and only 1.0 has New and Newer." in message(each.claim, each.values)
    assert message(each.advice, each.values).endswith(': merged = { "Old" = ["New", "Newer"] }')
    assert {each.id for each in find_changes(comparison(revision()))}.isdisjoint(
        {"categories-merged", "categories-differ"}
    )


def _with(how: Categories) -> UnitSetRevision:
    return revision().model_copy(update={"categories": how})


# How far it can be trusted


def test_few_documents_make_a_test_rough() -> None:
    assert one(comparison(revision(ROSE, documents=14)), "few-documents-compared").values["documents"] == 14
    assert found(comparison(revision(ROSE, documents=20)), "few-documents-compared") == []
    assert found(comparison(revision(changed(0.5, 0.6), documents=2)), "few-documents-compared") == []


def test_documents_that_would_show_the_difference() -> None:
    needed = one(comparison(revision(OPEN)), "documents-needed")
    assert (needed.values["needed"], needed.values["more"]) == (200, 170)
    assert needed.claim == certainty.NEEDED.claim
    each = one(comparison(others(OPEN)), "documents-needed")
    assert each.claim == certainty.NEEDED_EACH.claim
    units = one(
        comparison(revision(changed(0.5, 0.55, 0.5, needed=900), clusters="unit")), "documents-needed"
    )
    assert (units.claim, units.values["present"]) == (certainty.NEEDED_UNITS.claim, 300)


def test_few_data_are_no_proof_that_nothing_changed() -> None:
    """Four documents and an interval from -.38 to .30 show nothing, however small the difference."""
    tiny = changed(0.5, 0.46, 0.9, half=0.34, needed=20_000)
    each = one(comparison(revision(tiny, documents=4)), "documents-needed")
    assert message(each.claim, each.values).startswith(
        "The data do not show whether Krippendorff's alpha changed: they allow any difference from −0.380"
    )
    assert "unchanged" not in each.claim


def test_only_an_interval_within_a_declared_margin_shows_that_nothing_changed() -> None:
    tiny = changed(0.5, 0.51, 0.8, half=0.03, needed=20_000)
    within = comparison(revision(tiny), margin=0.05)
    assert one(within, "within-margin").severity == "good"
    assert found(within, "documents-needed") == []
    assert found(comparison(revision(tiny), margin=0.03), "within-margin") == []
    assert found(comparison(revision(tiny)), "within-margin") == []


def test_what_is_beyond_chance_needs_no_more_documents() -> None:
    assert found(comparison(revision(changed(0.4, 0.7, 0.01, needed=10))), "documents-needed") == []


@pytest.mark.parametrize(("p", "permuted", "differ"), [(0.04, 0.06, True), (0.04, 0.01, False)])
def test_two_tests_that_do_not_agree_leave_the_question_open(p: float, permuted: float, differ: bool) -> None:  # noqa: FBT001 - a column
    change = changed(0.4, 0.7, p).model_copy(
        update={"permutation": Permutation(p=permuted, samples=4999, exact=False)}
    )
    assert bool(found(comparison(revision(change)), "tests-differ")) is differ


def corrected(observed: float, expected: float, *, agreements: bool) -> Figure:
    """A chance-corrected figure that gives agreements, or disagreements."""
    parts = (1 - observed, 1 - expected) if agreements else (observed, expected)
    return Figure(value=1 - observed / expected, observed=parts[0], expected=parts[1])


def by_parts(first: tuple[float, float], second: tuple[float, float], *, agreements: bool) -> Change:
    figures = [corrected(*each, agreements=agreements) for each in (first, second)]
    values = [each.value or 0.0 for each in figures]
    return changed(values[0], values[1], 0.01).model_copy(update={"first": figures[0], "second": figures[1]})


@pytest.mark.parametrize("agreements", [False, True])
def test_a_coefficient_that_only_prevalence_moved(agreements: bool) -> None:  # noqa: FBT001 - both ways that figures have it
    change = by_parts((0.1, 0.5), (0.1, 0.3), agreements=agreements)
    each = one(comparison(revision(change)), "prevalence-moved")
    assert each.claim == certainty.BY_PREVALENCE.claim
    chance, difference = each.values["chance"], each.values["difference"]
    assert chance == pytest.approx(difference) == pytest.approx(0.2 - 0.1 / 0.3)


def beside(change: Change, agreed: Change) -> UnitSetRevision:
    """The primary coefficient beside observed agreement."""
    return revision(change).model_copy(update={"measures": {ALPHA: change, AGREED: agreed}})


def test_a_coefficient_that_prevalence_kept_where_it_was() -> None:
    fewer = by_parts((0.2, 0.5), (0.12, 0.3), agreements=False)
    each = one(comparison(beside(fewer, ROSE)), "prevalence-moved")
    assert each.claim == certainty.AGAINST_PREVALENCE.claim
    assert each.values["less_share"] == pytest.approx(0.4)
    assert found(comparison(beside(fewer, OPEN)), "prevalence-moved") == []
    other_way = by_parts((0.12, 0.3), (0.2, 0.5), agreements=False)
    more = one(comparison(beside(other_way, FELL)), "prevalence-moved")
    assert more.values["more_share"] == pytest.approx(2 / 3)


def test_prevalence_is_silent_where_agreement_moved_or_the_figure_is_not_corrected() -> None:
    assert (
        found(comparison(revision(by_parts((0.2, 0.5), (0.1, 0.5), agreements=False))), "prevalence-moved")
        == []
    )
    assert found(comparison(revision(ROSE)), "prevalence-moved") == []
    perfect = by_parts((0.0, 0.5), (0.0, 0.3), agreements=False)
    assert found(comparison(revision(perfect)), "prevalence-moved") == []


# Categories


def of_thirds(categories_: dict[str, Change]) -> UnitSetRevision:
    """Three categories that are used equally often."""
    even = sample().model_copy(update={"label_shares": dict.fromkeys(("Former", "New", "None"), 1 / 3)})
    return revision(categories=categories_, first=even, second=even)


def test_a_category_that_stayed_below_the_threshold_after_a_revision_that_names_it() -> None:
    weak = {"New": changed(0.3, 0.4, 0.3), "Former": changed(0.6, 0.7, 0.3), "None": changed(0.99, 0.99, 0.9)}
    compared = comparison(of_thirds(weak), says="What is *new* is said, and so is Former.")
    problem, warning = found(compared, "category-stayed-below")
    assert (problem.severity, problem.values["category"]) == ("problem", "New")
    # Scott's pi against the rest, of a category with a third of the labels: 1 - (1 - s) / (1 - 1/3).
    assert problem.values["after"] == pytest.approx(1 - 0.6 / (2 / 3))
    ordinal = of_thirds(weak).model_copy(update={"scale": "ordinal"})
    assert found(comparison(ordinal, says="New"), "category-stayed-below") == []
    assert (warning.severity, warning.values["category"]) == ("warning", "Former")
    assert found(compared, "category-not-revised") == []


def test_passages_of_the_guidelines_name_categories_too() -> None:
    weak = {"New": changed(0.3, 0.4, 0.3), "Former": changed(0.3, 0.4, 0.3)}
    passages = (
        Passage(kind="added", text="New is …", categories=("New",)),
        Passage(kind="kept", text="Former is …", categories=("Former",)),
    )
    guidelines = GuidelinesCompared(first="0.9.md", second="1.0.md", passages=passages)
    compared = comparison(of_thirds(weak), guidelines=guidelines)
    assert [each.values["category"] for each in found(compared, "category-stayed-below")] == ["New"]
    assert [each.values["category"] for each in found(compared, "category-not-revised")] == ["Former"]


def test_a_category_is_named_as_a_word_only_and_of_no_revision_nothing_is_said() -> None:
    weak = {"New": changed(0.3, 0.4, 0.3)}
    assert found(comparison(revision(categories=weak), says="Anew, renewed."), "category-stayed-below") == []
    assert found(comparison(revision(categories=weak)), "category-not-revised") == []


def test_a_category_that_passed_the_threshold_did_not_stay_below() -> None:
    passed = {"New": changed(0.3, 0.8, 0.3), "Former": changed(None, 0.4), "None": changed(0.8, 0.5, 0.3)}
    compared = comparison(of_thirds(passed), says="New, Former, None")
    assert found(compared, "category-stayed-below") == []


def test_categories_that_got_worse_by_p_after_holm() -> None:
    worse = {
        "New": changed(0.9, 0.7, 0.01, adjusted=0.03),
        "Former": changed(0.9, 0.7, 0.03, adjusted=0.06),
        "None": changed(0.9, 0.89, 0.9, adjusted=0.9),
    }
    each = found(comparison(revision(categories=worse)), "category-worse")
    assert [(x.severity, x.values["category"]) for x in each] == [("problem", "New"), ("note", "Former")]


def test_of_very_many_categories_the_worst_are_told_and_the_others_counted() -> None:
    worse = {f"C{n}": changed(0.9, 0.9 - n / 20, 0.06, adjusted=0.2) for n in range(2, 12)}
    names = tuple(worse)
    many = sample().model_copy(update={"categories": names})
    found_ = found(comparison(revision(categories=worse, second=many)), "category-worse")
    assert [each.values.get("category") for each in found_] == ["C11", "C10", "C9", "C8", "C7", "C6", None]
    assert found_[-1].values["more"] == 4


def test_categories_that_got_better() -> None:
    better = {"New": changed(0.5, 0.8, 0.01, adjusted=0.02), "Former": changed(0.5, 0.8, 0.03, adjusted=0.06)}
    compared = comparison(revision(categories=better))
    assert one(compared, "category-better").values["category"] == "New"
    assert found(compared, "category-worse") == []


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


def test_categories_of_several_layers_are_named_with_their_layer() -> None:
    worse = {"New": changed(0.9, 0.7, 0.01)}
    compared = comparison(revision(), revision(layer="other", categories=worse))
    assert one(compared, "category-worse").values["category"] == "New (layer other)"


# Confusions and units


def with_confusions(*rows: tuple[str, str, int, int], p: float = 0.01) -> UnitSetRevision:
    """Confusions as numbers of a thousand comparisons."""
    confusions_ = tuple(
        ConfusionChange(
            categories=(one_, two),
            first=first,
            second=second,
            contribution=(second - first) / 1000,
            p=p,
            adjusted=p,
        )
        for one_, two, first, second in rows
    )
    sums = [sum(each.first for each in confusions_) / 1000, sum(each.second for each in confusions_) / 1000]
    return revision(
        disagreement=DisagreementChange(
            first=sums[0],
            second=sums[1],
            change=sums[1] - sums[0],
            denominators=(1000, 1000),
            confusions=confusions_,
        )
    )


def test_confusions_that_fell_and_grew_most() -> None:
    made = with_confusions(("Former", "New", 100, 20), ("New", "None", 20, 60), ("Former", "None", 30, 29))
    compared = comparison(made)
    fell, grew = one(compared, "confusion-less"), one(compared, "confusion-more")
    assert (fell.values["first"], fell.values["second"]) == ("Former", "New")
    assert fell.values["less_share"] == pytest.approx(0.8)
    assert fell.values["by"] == pytest.approx(0.08)
    assert (grew.values["first"], grew.values["second"]) == ("New", "None")
    assert grew.values["more_share"] == pytest.approx(2.0)
    left = one(compared, "confusion-left")
    assert left.values["first"] == "New"
    assert left.values["left_share"] == pytest.approx(60 / 109)


def test_a_confusion_that_is_new_has_no_rate_of_growth() -> None:
    compared = comparison(with_confusions(("Former", "New", 0, 40)))
    assert one(compared, "confusion-more").claim == confusions.NEW.claim
    assert one(compared, "confusion-left").values["before_share"] == 0


def test_an_omission_is_no_confusion_with_a_category() -> None:
    made = with_confusions(("Former", "None", 100, 20), ("New", "None", 20, 60))
    compared = comparison(made.model_copy(update={"non_annotated": "None"}))
    assert one(compared, "confusion-less").claim == confusions.MISSED[confusions.LESS].claim
    assert one(compared, "confusion-more").values["first"] == "New"
    assert one(compared, "confusion-left").claim == confusions.MISSED[confusions.LEFT].claim


def test_no_definition_mends_the_absence_of_a_mark() -> None:
    weak = {"None": changed(0.3, 0.4, 0.3)}
    made = revision(categories=weak, non_annotated="None")
    assert found(comparison(made, says="None of them."), "category-stayed-below") == []


def test_a_single_unit_is_no_confusion() -> None:
    made = with_confusions(("Former", "New", 3, 6))
    assert found(comparison(made), "confusion-more") == found(comparison(made), "confusion-left") == []
    assert found(comparison(revision()), "confusion-less") == []


def test_the_largest_confusion_is_not_left_where_it_fell() -> None:
    fell = ("Former", "New", 100, 60), ("New", "None", 20, 20)
    assert found(comparison(with_confusions(*fell)), "confusion-left") == []
    left = one(comparison(with_confusions(*fell, p=0.05)), "confusion-left")
    assert "No test shows that it is rarer" in left.claim


def test_confusions_that_chance_could_have_moved_are_no_success_and_no_failure() -> None:
    made = with_confusions(("Former", "New", 100, 20), ("New", "None", 20, 60), p=0.05)
    assert found(comparison(made), "confusion-less") == found(comparison(made), "confusion-more") == []


def test_a_category_that_one_version_lacks_can_not_be_confused_there() -> None:
    made = with_confusions(("Former", "New", 0, 60), ("Old", "New", 60, 0), ("New", "None", 5, 5))
    first = sample().model_copy(update={"categories": ("Old", "New", "None")})
    compared = comparison(made.model_copy(update={"first": first}))
    assert found(compared, "confusion-less") == found(compared, "confusion-more") == []
    left = one(compared, "confusion-left")
    said_ = message(left.claim, left.values)
    assert said_.startswith(
        "The largest confusion under 1.0 is Former against New, 92.3% of all disagreements"
    )
    assert said_.endswith("0.9 did not have Former.")


def test_two_categories_have_one_confusion_and_nothing_is_said_of_it() -> None:
    two = sample().model_copy(update={"categories": ("Former", "New")})
    made = with_confusions(("Former", "New", 100, 20)).model_copy(update={"first": two, "second": two})
    compared = comparison(made)
    assert not [each.id for each in find_changes(compared) if each.id.startswith("confusion")]


def test_numbers_are_no_categories_to_confuse() -> None:
    worse = {"New": changed(0.9, 0.4, 0.001, adjusted=0.002)}
    for scale in ("interval", "ratio"):
        made = with_confusions(("Former", "New", 20, 100)).model_copy(
            update={"scale": scale, "specific_agreement": worse}
        )
        assert not {"category-worse", "confusion-more"} & {each.id for each in find_changes(comparison(made))}


def sides(**values: object) -> tuple[str, str]:
    made = revision(flips=Flips.model_validate({"agreed": 100, "disputed": 3, "clusters": 9} | values))
    each = one(comparison(made), "units-changed-sides")
    return each.severity, message(each.claim, each.values)


def test_more_units_changed_one_way_only_where_a_test_says_so() -> None:
    severity, said_ = sides(mended=22, broken=25, p=0.828)
    assert severity == "note"
    assert said_ == (
        "No more units changed one way than chance explains: on 22 units annotators differed before and "
        "agree now, on 25 they agreed before and differ now (p = 0.828). Still disputed: 3."
    )
    assert sides(mended=2, broken=25, p=0.001)[0] == "warning"
    assert sides(mended=25, broken=2, p=0.001)[0] == "good"
    assert sides(mended=0, broken=25, p=0.001, clusters=5)[1].startswith("So few documents do not show")
    assert sides(mended=5, broken=5, p=1.0)[1].startswith("As many units changed one way as the other")
    assert sides(mended=1, broken=25, alike=False)[0] == "note"
    assert sides(mended=0, broken=0)[1].startswith("Annotators agree and differ on the same units")


def test_of_other_categories_it_is_not_said_that_more_units_are_agreed_on() -> None:
    flips = Flips(agreed=9, mended=30, broken=2, disputed=1, clusters=9, p=0.001)
    apart = revision(flips=flips).model_copy(
        update={"categories": Categories(how="names", second_only=("X",))}
    )
    assert one(comparison(apart), "units-changed-sides").severity == "note"


def test_where_nothing_is_disputed_nobody_is_told_to_read_it() -> None:
    made = revision(flips=Flips(agreed=100, mended=1, broken=0, disputed=0, clusters=1))
    assert one(comparison(made), "units-changed-sides").advice == ""
    assert "on 1 unit annotators" in sides(mended=1, broken=0)[1]
    nothing = revision(flips=Flips(agreed=100, mended=0, broken=0, disputed=0))
    assert found(comparison(nothing), "units-changed-sides") == []


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


def test_all_documents_that_tell_another_story() -> None:
    whole = revision(changed(0.4, 0.8, 0.01), basis="all")
    each = one(comparison(revision(OPEN), whole), "all-documents")
    assert each.values["difference"] == pytest.approx(0.4)
    assert each.values["shared"] == pytest.approx(0.05)
    alike = revision(changed(0.5, 0.56, 0.4), basis="all")
    assert found(comparison(revision(OPEN), alike), "all-documents") == []
    assert found(comparison(revision(OPEN)), "all-documents") == []


# Systems


def test_a_system_that_fell_is_a_problem_and_names_the_documents() -> None:
    documents = (
        DocumentChange(document="d7", first=0.9, second=0.1, difference=-0.8, units=4),
        DocumentChange(document="d1", first=0.9, second=1.0, difference=0.1, units=4),
    )
    each = one(comparison(revision(), systems=(system(FELL, by_document=documents),)), "system-regressed")
    assert (each.severity, each.values["documents"], each.values["figure"]) == ("problem", "d7", "F")


def test_a_system_that_chance_may_have_moved_is_a_note_from_what_is_notable_on() -> None:
    fell, hardly = changed(0.6, 0.5, 0.2), changed(0.6, 0.58, 0.2)
    assert one(comparison(revision(), systems=(system(fell),)), "system-regressed").severity == "note"
    assert found(comparison(revision(), systems=(system(hardly),)), "system-regressed") == []


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
