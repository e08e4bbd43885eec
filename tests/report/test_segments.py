"""A text in pieces: every mark is in it, nothing of the text is lost, and agreement is told apart."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as some

from reportgen.report.documents import LayerText, TextSegment, stretches
from reportgen.results.texts import Mark, Span
from tests.report.made_texts import Made, marks

TEXT = "Anna Berg met Ben in Paris"


def pieces(*made: Made, names: tuple[str, ...] = ("A", "B"), text: str = TEXT) -> list[TextSegment]:
    return LayerText("main", 1, text, names, marks(*made), {}).pieces


def shown(found: list[TextSegment]) -> list[tuple[str, str, str]]:
    """Return text, state and what is said of each piece that is marked."""
    return [
        (each.text, each.state, " · ".join(" ".join(filter(None, said)) for said in each.said))
        for each in found
        if each.state
    ]


def test_marks_alike_are_agreed_and_labelled_once() -> None:
    found = pieces(("A", "PER", ((0, 9),)), ("B", "PER", ((0, 9),)))
    assert shown(found) == [("Anna Berg", "agreed", "PER")]
    assert [each.id for each in found] == ["", ""]


def test_other_labels_and_missing_marks_differ_and_say_whose_they_are() -> None:
    found = pieces(("A", "PER", ((0, 9),)), ("B", "ORG", ((0, 9),)), ("A", "LOC", ((21, 26),)))
    assert shown(found) == [
        ("Anna Berg", "different", "A PER · B ORG"),
        ("Paris", "different", "A LOC · B –"),
    ]
    assert [each.id for each in found if each.state] == ["u-1-0", "u-1-21"]


def test_the_same_label_on_another_stretch_is_a_boundary() -> None:
    found = pieces(("A", "PER", ((0, 9),)), ("B", "PER", ((0, 4),)))
    assert shown(found) == [
        ("Anna", "boundary", "A PER… · B PER"),
        (" Berg", "different", "A …PER · B –"),
    ]


def test_a_discontinuous_mark_is_one_mark_in_two_places() -> None:
    apart = ((0, 4), (14, 17))
    found = pieces(("A", "PER", apart), ("B", "PER", apart))
    assert shown(found) == [("Anna", "agreed", "PER…"), ("Ben", "agreed", "…PER")]


def test_a_mark_of_no_length_stands_between_the_characters() -> None:
    found = pieces(("A", "GAP", ((4, 4),)), ("A", "PER", ((0, 9),)), ("B", "PER", ((0, 9),)))
    assert shown(found) == [
        ("Anna", "agreed", "PER…"),
        ("‸", "different", "A GAP · B –"),
        (" Berg", "agreed", "…PER"),
    ]
    assert found[1].id == "u-1-4-point"


SPANS = some.tuples(some.integers(0, 12), some.integers(0, 12)).map(lambda ends: (min(ends), max(ends)))
MADE = some.lists(
    some.tuples(some.sampled_from("AB"), some.sampled_from("XY"), some.lists(SPANS, min_size=1, max_size=3)),
    max_size=6,
)


def covering(found: tuple[Mark, ...], place: int) -> set[int]:
    def covers(spans: tuple[Span, ...]) -> bool:
        return any(start <= place < end for start, end in spans)

    return {number for number, mark in enumerate(found) if covers(mark.spans)}


@given(some.text(alphabet="ab\n<", max_size=12), MADE)
def test_pieces_are_the_text_and_each_lies_under_the_same_marks(
    text: str, made: list[tuple[str, str, list[Span]]]
) -> None:
    found = marks(*((who, label, tuple(spans)) for who, label, spans in made))
    cut = list(stretches(found, len(text)))
    long = [each for each in cut if each.end > each.start]
    assert "".join(text[each.start : each.end] for each in long) == text
    for each in long:
        assert all(covering(found, place) == set(each.marks) for place in range(each.start, each.end))
    for one, other in pairwise(cut):
        assert one.end == other.start
        assert one.marks != other.marks or one.start == one.end or other.start == other.end
    points = {
        (min(start, len(text)), number)
        for number, mark in enumerate(found)
        for start, end in mark.spans
        if start == end
    }
    short = [each for each in cut if each.end == each.start]
    assert {(each.start, number) for each in short for number in each.marks} == points


@given(some.text(alphabet="ab\n<", max_size=12), MADE)
def test_pieces_have_ids_where_annotators_differ_and_no_id_twice(
    text: str, made: list[tuple[str, str, list[Span]]]
) -> None:
    found = pieces(*((who, label, tuple(spans)) for who, label, spans in made), text=text)
    ids = [each.id for each in found if each.id]
    assert len(ids) == len(set(ids))
    assert all(bool(each.id) == each.differs for each in found)
    swapped = [(("B" if who == "A" else "A"), label, tuple(spans)) for who, label, spans in made]
    assert [each.state for each in pieces(*swapped, text=text)] == [each.state for each in found]
