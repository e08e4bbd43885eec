"""Units of both versions that changed sides, in their texts."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from scipy.stats import binomtest

from reportgen.results.versions import Changed, ChangedUnits, Flips, UnitSetRevision
from tests.campaigns import marked
from tests.present import present
from tests.versions.made import Rows, campaign_of, compared, comparison, on, table

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
