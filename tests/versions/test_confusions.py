"""What confusions contribute to a change, and the units of both versions that changed sides."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from reportgen.counts import count
from reportgen.measures import ScaleSetting, UnitsOfAll
from reportgen.results import Figure
from reportgen.results.parts import Change, DifferenceTest
from reportgen.results.versions import Changed, ChangedUnits, Flips, UnitSetRevision
from reportgen.versions.agreement_revisions import changed, disagreement, shares_beside, with_tests
from tests.campaigns import marked
from tests.measures.made import annotations, figures, units_of, value
from tests.present import present
from tests.properties import examples
from tests.versions.made import Rows, campaign_of, compared, comparison, on, table

LABELS = "abcd"
rows = st.lists(st.text(f"{LABELS}.", min_size=4, max_size=4), min_size=1, max_size=12)


def whole(labels: Sequence[str], categories: str = LABELS) -> UnitsOfAll:
    given_ = [[None if label == "." else label for label in row] for row in labels]
    units = units_of(annotations(given_), categories=tuple(categories))
    return UnitsOfAll(units, count(units), ScaleSetting())


def by_hand(labels: Sequence[str]) -> dict[tuple[str, str], Fraction] | None:
    """What each two categories add, unit by unit and pair by pair."""
    found: dict[tuple[str, str], Fraction] = {}
    units = [[label for label in row if label != "."] for row in labels]
    units = [row for row in units if len(row) > 1]
    for row in units:
        pairs = list(combinations(row, 2))
        for one, other in pairs:
            if one != other:
                two = (min(one, other), max(one, other))
                found[two] = found.get(two, Fraction(0)) + Fraction(1, len(pairs) * len(units))
    return found if units else None


@examples(40)
@given(rows, rows)
def test_contributions_add_up_to_the_change_exactly(first: list[str], second: list[str]) -> None:
    found = changed(whole(first), whole(second))
    before, after = by_hand(first), by_hand(second)
    if before is None or after is None:
        assert found is None
        return
    assert found is not None
    contributions = []
    for each in found.confusions:
        ours = tuple(
            Fraction(number, of)
            for number, of in zip((each.first, each.second), found.denominators, strict=True)
        )
        assert ours == (before.get(each.categories, 0), after.get(each.categories, 0))
        assert each.contribution == float(ours[1] - ours[0])
        contributions.append(ours[1] - ours[0])
    change = sum(after.values()) - sum(before.values())
    assert sum(contributions, Fraction(0)) == change
    assert found.change == float(change)
    assert (found.first, found.second) == (float(sum(before.values())), float(sum(after.values())))
    assert contributions == sorted(contributions)
    shown = value(figures(whole(first).units).measures["observed_agreement"])
    assert abs(1 - shown - found.first) < 1e-12


def test_what_fell_most_comes_first_and_equal_ones_in_the_order_of_categories() -> None:
    found = present(changed(whole(["ab", "ab", "cd", "aa"]), whole(["aa", "ac", "bd", "aa"])))
    shown = [(each.categories, each.first, each.second) for each in found.confusions]
    assert shown == [(("a", "b"), 2, 0), (("c", "d"), 1, 0), (("a", "c"), 0, 1), (("b", "d"), 0, 1)]
    assert found.denominators == (4, 4)


def test_the_order_of_categories_makes_no_confusion_another() -> None:
    found = present(changed(whole(["ab", "ab", "aa"], "abcd"), whole(["ab", "aa", "aa"], "dcba")))
    assert [(each.categories, each.contribution) for each in found.confusions] == [(("b", "a"), -1 / 3)]
    assert (found.confusions[0].first, found.confusions[0].second, found.denominators) == (2, 1, (3, 3))


def test_crowds_of_any_size_have_a_common_denominator() -> None:
    labels = ["a" * many + "b" * (40 - many) + "." * 3 for many in (39, 31, 23)]
    labels = [row[: 43 - place] + "." * place for place, row in enumerate(labels)]
    found, known = disagreement(whole(labels, "ab")), by_hand(labels)
    assert found is not None
    assert known is not None
    assert found.value == sum(known.values())


# In other material, beside the mix of categories


def beside(labels: Sequence[str], two: tuple[str, str] = ("a", "b")) -> list[float | None]:
    return [each.value for each in shares_beside(whole(labels), [two])[two]]


@examples(40)
@given(rows)
def test_shares_are_those_of_labels_beside_one_and_the_other(labels: list[str]) -> None:
    units = [[label for label in row if label != "."] for row in labels]
    ordered = [two for row in units for two in permutations(row, 2)]
    if not ordered:
        return
    for found, (own, other) in zip(beside(labels), (("a", "b"), ("b", "a")), strict=True):
        others = [each for one, each in ordered if one == own]
        assert found == (others.count(other) / len(others) if others else None)


def test_of_sets_the_shares_are_beside_a_label_and_its_absence() -> None:
    rows = [["p", "p|q"], ["p", "p"], ["q", "p|q"], ["p|q", "p|q"]]
    sets = frozenset("p"), frozenset("pq"), frozenset("q")
    units = replace(units_of(annotations(rows), categories=("p", "p|q", "q")), sets=sets)
    both, two = UnitsOfAll(units, count(units), ScaleSetting()), ("q", "")
    found = shares_beside(both, [two])[two]
    # q is in five sets of eight, and beside one of these is a set without it alone; it is absent from three.
    assert [each.value for each in found] == [1 / 5, 1 / 3]


def test_the_mix_may_have_moved_a_confusion_unless_both_shares_move_with_it() -> None:
    found = present(changed(whole(["ab", "aa", "bb"]), whole(["ab", "ab", "aa", "cd"])))
    two = "a", "b"
    tested = {two: changed_by(0.1, 0.01)}

    def p_of(*shares: Change) -> float | None:
        (own,) = [
            each for each in with_tests(found, tested, {two: shares}).confusions if each.categories == two
        ]
        assert (own.p, own.adjusted) == (0.01, 0.01)
        return own.beyond_mix

    assert p_of(changed_by(0.1, 0.02), changed_by(0.2, 0.03)) == 0.03
    assert p_of(changed_by(0.1, 0.02), changed_by(-0.2, 0.03)) == 1
    assert p_of(changed_by(-0.1, 0.02), changed_by(-0.2, 0.03)) == 1
    assert p_of(changed_by(0.1, 0.02), changed_by(0.2, None)) is None
    (same,) = [each for each in with_tests(found, tested, {}).confusions if each.categories == two]
    assert same.beyond_mix is None


def changed_by(difference: float, p: float | None) -> Change:
    figure_ = Figure(value=0.5)
    test = DifferenceTest(method="unpaired", statistic=0.0, degrees=9, p=p, adjusted=p) if p else None
    return Change(first=figure_, second=figure_, difference=difference, test=test)


Marks = Mapping[str, Sequence[tuple[str, str]]]
TEXTS = {"d1": "Gene yxaA is now called fooB .", "d2": "Nothing is renamed here , not even yxbC ."}


def brat(version: str, texts: Mapping[str, str], marks: Mapping[str, Marks]) -> dict[str, str]:
    """Return the files of brat for a version: of each annotator, in each document, labels of words."""
    found = {
        annotator: {
            name: [
                (label, text.index(words), text.index(words) + len(words))
                for label, words in own.get(name, ())
            ]
            for name, text in texts.items()
        }
        for annotator, own in marks.items()
    }
    return {f"exports/{version}/{name}": content for name, content in marked(texts, found).items()}


FIRST: dict[str, Marks] = {
    "ann": {"d1": [("Former", "yxaA"), ("New", "fooB")], "d2": [("Former", "yxbC")]},
    "bob": {"d1": [("Former", "yxaA"), ("Former", "fooB")]},
}
SECOND: dict[str, Marks] = {
    "ann": {"d1": [("Former", "yxaA"), ("New", "fooB")]},
    "bob": {"d1": [("New", "fooB")]},
}
TOKENS = '[task]\nnon_annotated = "None"\n[[unit_sets]]\nid = "tokens"\nunits = "tokens"\n'
ANY = TOKENS.replace('"tokens"', '"any"', 1).replace('"tokens"', '"annotated-by-any"')


def in_texts(folder: Path, toml: str = TOKENS, later: Mapping[str, str] = TEXTS) -> Path:
    files = brat("1", TEXTS, FIRST) | brat("2", later, SECOND)
    return campaign_of(folder, [], toml, ["", ""], files)


def units(changed: Changed | None) -> ChangedUnits:
    return present(changed).unit_sets[0]


def flips_of(folder: Path, first: str, second: str) -> Flips:
    return present(on(comparison(folder, [first, second]), "shared").flips)


def sides(revision: UnitSetRevision) -> tuple[int, int, int, int]:
    """Return how many units were agreed on, mended, broken and disputed."""
    found = present(revision.flips)
    return found.agreed, found.mended, found.broken, found.disputed


def test_tokens_are_the_same_whether_somebody_marked_them_or_not(tmp_path: Path) -> None:
    found = compared(in_texts(tmp_path))
    revision = on(found.comparison, "shared", "tokens")
    assert sides(revision) == (13, 2, 1, 0)
    assert revision.overlap.units == 16
    assert (revision.clusters, revision.overlap.documents) == ("document", 2)


def test_units_that_changed_sides_stand_in_their_texts_with_both_labels(tmp_path: Path) -> None:
    found = units(compared(in_texts(tmp_path)).changed)
    shown = [(each.document, each.before, each.unit, each.after) for each in found.mended]
    assert shown == [
        ("d1", "Gene yxaA is now called ", "fooB", " ."),
        ("d2", "Nothing is renamed here , not even ", "yxbC", " ."),
    ]
    assert found.mended[0].first == {"ann": "New", "bob": "Former"}
    assert found.mended[0].second == {"ann": "New", "bob": "New"}
    assert found.mended[1].first == {"ann": "Former", "bob": "None"}
    assert found.mended[1].second == {"ann": "None", "bob": "None"}
    assert [(each.unit, each.second) for each in found.broken] == [("yxaA", {"ann": "Former", "bob": "None"})]


def test_a_document_with_another_text_is_not_shared_and_is_counted(tmp_path: Path) -> None:
    later = {**TEXTS, "d2": TEXTS["d2"].replace("even", "ever")}
    found = compared(in_texts(tmp_path, later=later)).comparison
    (revision,) = found.unit_sets
    assert (revision.basis, revision.overlap.documents, revision.overlap.edited) == ("all", 1, 1)
    assert revision.overlap.units == 7


def test_of_marked_stretches_those_are_the_same_that_both_versions_have(tmp_path: Path) -> None:
    revision = on(compared(in_texts(tmp_path, ANY)).comparison, "shared", "any")
    assert sides(revision) == (0, 1, 1, 0)
    # Nothing was marked in the second document under the second version; it was read all the same.
    assert revision.overlap.documents == 2
    assert (revision.first.units, revision.second.units) == (3, 2)


def test_texts_that_are_withheld_are_in_no_file(tmp_path: Path) -> None:
    folder = in_texts(tmp_path, f'[privacy]\ntexts = "withhold"\n{TOKENS}')
    found = compared(folder)
    assert found.changed is None
    assert on(found.comparison, "shared", "tokens").flips is not None


def test_units_of_a_table_are_told_by_their_names(tmp_path: Path) -> None:
    first: Rows = ["aa", "ab", "ab", "bb", "a."]
    second: Rows = ["ab", "aa", "ba", "bb", "aa"]
    found = compared(campaign_of(tmp_path, [table(first), table(second)]))
    revision = on(found.comparison, "shared")
    assert sides(revision) == (1, 1, 1, 1)
    lists = units(found.changed)
    assert [[each.unit for each in part] for part in (lists.mended, lists.broken, lists.disputed)] == [
        ["u1"],
        ["u0"],
        ["u2"],
    ]
    assert lists.disputed[0].first == {"A1": "a", "A2": "b"}
    assert lists.disputed[0].document is None


def test_of_very_many_units_a_list_has_some_from_everywhere(tmp_path: Path) -> None:
    first, second = ["ab", "ba"] * 600, ["aa"] * 1199 + ["bb"]
    found = compared(campaign_of(tmp_path, [table(first), table(second)]))
    mended = units(found.changed).mended
    assert len(mended) == 100
    assert [mended[0].unit, mended[-1].unit] == ["u0", "u1188"]
    flips = present(on(found.comparison, "shared").flips)
    assert flips.mended == 1200


def test_more_of_one_change_than_the_other_is_tested_exactly(tmp_path: Path) -> None:
    """Units alone: McNemar's exact test, that of a coin."""
    first: Rows = ["aa"] * 25 + ["ab"] * 22 + ["bb"] * 9
    second: Rows = ["ab"] * 25 + ["aa"] * 22 + ["bb"] * 9
    flips = present(
        on(compared(campaign_of(tmp_path, [table(first), table(second)])).comparison, "shared").flips
    )
    assert (flips.broken, flips.mended, flips.clusters) == (25, 22, 47)
    assert flips.p == pytest.approx(binomtest(22, 47).pvalue)


def test_units_of_one_document_change_together(tmp_path: Path) -> None:
    """Seven documents change one way, each with two units: 2 of the 2⁷ ways to choose signs go as far."""
    first: Rows = ["aa", "aa", "bb"] * 7
    second: Rows = ["ab", "ba", "bb"] * 7
    where = [f"d{place // 3}" for place in range(21)]
    tables = [table(first, where), table(second, where)]
    flips = flips_of(tmp_path, *tables)
    assert (flips.broken, flips.clusters) == (14, 7)
    assert flips.p == pytest.approx(2 / 2**7)


def test_among_more_annotators_fewer_units_are_agreed_on_whatever_the_guidelines(tmp_path: Path) -> None:
    first: Rows = ["aa", "bb"] * 8
    second: Rows = ["aab", "bba"] * 8
    flips = present(
        on(compared(campaign_of(tmp_path, [table(first), table(second)])).comparison, "shared").flips
    )
    assert (flips.broken, flips.alike, flips.p) == (16, False, None)
