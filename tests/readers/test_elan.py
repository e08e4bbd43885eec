"""ELAN documents: aligned and symbolic tiers in milliseconds, and what has no time is left out."""

from pathlib import Path

import pytest

from reportgen.readers import ExcludedMarks, Export, read_export
from reportgen.readers.recordings import ELAN_READER as READER
from reportgen.readers.recordings import NO_PARENT, NO_TIME
from tests.readers.given_files import Given, only, written
from tests.readers.write_eaf import aligned, document, referring, tier

Spans = list[tuple[str, int, int]]


@pytest.fixture
def elan(tmp_path: Path) -> Given:
    """Files of ELAN."""
    return Given(READER, tmp_path)


def spans(export: Export) -> Spans:
    """Return the label and the ends of each mark of the only copy."""
    return [(next(iter(mark.features.values())), *mark.spans[0]) for mark in only(export).marks]


def test_slots_without_a_value_lie_evenly_between_their_neighbours(elan: Given) -> None:
    chain = [aligned("a1", "t1", "t2", "x"), aligned("a2", "t2", "t3", "y"), aligned("a3", "t3", "t4", "z")]
    times = {"t1": 100, "t2": None, "t3": None, "t4": 400}
    export = elan.read({"anna/d1.eaf": document(times, [tier("words", chain)])})
    copy = only(export)
    assert (copy.document, copy.annotator, copy.length) == ("d1", "anna", 400)
    assert spans(export) == [("x", 100, 200), ("y", 200, 300), ("z", 300, 400)]
    assert [mark.line for mark in copy.marks] == [14, 19, 24]


def test_annotations_that_refer_to_a_parent_have_its_time(elan: Given) -> None:
    """An associated one all of it, those that divide it even shares in the order that they name."""
    tiers = [
        tier("letters", [referring("c2", "b1", "n", "c1"), referring("c1", "b1", "i")], PARENT_REF="parts"),
        tier("parts", [referring("b1", "a1", "in"), referring("b2", "a1", "to", "b1")], PARENT_REF="words"),
        tier("words", [aligned("a1", "t1", "t2", "into")]),
        tier("tags", [referring("d1", "a1", "P")], PARENT_REF="words"),
    ]
    assert spans(elan.read({"d1.eaf": document({"t1": 0, "t2": 400}, tiers)})) == [
        ("n", 100, 200),
        ("i", 0, 100),
        ("in", 0, 200),
        ("to", 200, 400),
        ("into", 0, 400),
        ("P", 0, 400),
    ]


def test_what_has_no_time_is_left_out_with_its_reason(elan: Given) -> None:
    words = [
        aligned("a1", "t1", "t2", "open"),
        aligned("a2", "t2", "t9", "on to nothing"),
        aligned("a3", "t8", "t3", "from nothing"),
        aligned("a4", "t1", "t3", "fine"),
    ]
    others = [
        referring("b1", "a9", "no parent"),
        referring("b2", "b2", "its own"),
        referring("b3", "a1", "of a1"),
    ]
    tiers = [tier("words", words), tier("tags", others, PARENT_REF="words")]
    files = {"anna/d1.eaf": document({"t1": 0, "t2": None, "t3": 300}, tiers)}
    export = elan.read(files)
    assert spans(export) == [("fine", 0, 300)]
    assert [(each.annotator, each.reason) for each in export.left_out] == [
        *[("anna", NO_TIME)] * 3,
        *[("anna", NO_PARENT)] * 3,
    ]
    assert export.left_out[0] == ExcludedMarks("anna/d1.eaf", 13, "anna", NO_TIME, 1)
    found = read_export([(elan.folder / name, name) for name in files])
    assert (found.marks_read, sum(each.marks for each in found.left_out)) == (7, 6)


@pytest.mark.parametrize("name", ["gesture-Zaphod", "Zaphod@gesture", "gesture_Zaphod"])
def test_a_layer_is_not_called_by_the_annotator_whose_file_it_is_in(elan: Given, name: str) -> None:
    """Else it names who it is, and is another layer than the next annotator's."""
    files = {
        f"{who}/d1.eaf": document(
            {"t1": 0, "t2": 400}, [tier(name.replace("Zaphod", who), [aligned("a1", "t1", "t2", "up")])]
        )
        for who in ("Zaphod", "Trillian")
    }
    assert [(copy.annotator, copy.asked) for copy in elan.read(files).copies] == [
        ("Zaphod", frozenset({"gesture"})),
        ("Trillian", frozenset({"gesture"})),
    ]


def test_files_about_one_sound_are_copies_and_the_longest_says_how_long_it_is(elan: Given) -> None:
    files = {
        f"{name}.eaf": document(
            {"t1": 0, "t2": end}, [tier("a", [aligned("a1", "t1", "t2", "x")])], f"file:///{name[:2]}.wav"
        )
        for name, end in (("d1_anna", 300), ("d1_ben", 500), ("d2_anna", 100), ("d2_ben", 100))
    }
    found = read_export([(file.path, file.name) for file in written(elan.folder, files)])
    assert (found.content.documents, found.content.annotators) == (("d1", "d2"), ("anna", "ben"))
    assert getattr(found.content, "lengths", None) == (500, 100)


def test_a_chain_of_references_as_long_as_a_file_takes_no_time(elan: Given) -> None:
    """Nor does one that comes back to itself."""
    count = 20_000
    chain = [referring(f"a{number}", f"a{number + 1}", "x") for number in range(count)]
    ring = [referring("r1", "r2", "x"), referring("r2", "r1", "x")]
    tiers = [tier("a", [*chain, *ring, aligned(f"a{count}", "t1", "t2", "x")])]
    export = elan.read({"d.eaf": document({"t1": 0, "t2": 9}, tiers)})
    assert (len(only(export).marks), len(export.left_out)) == (count + 1, 2)
