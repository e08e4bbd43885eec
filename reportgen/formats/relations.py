"""Relations as marks: of the stretches of their arguments, labelled by type and roles."""

from collections.abc import Iterator, Mapping

from reportgen.formats.copies import Copy, Mark, Relation, Span
from reportgen.formats.parsing.standoff import TRIGGER
from reportgen.formats.sources import Source

NO_STRETCH = "an argument of the relation is no marked stretch of text"

Stretches = tuple[Span, ...]


def as_marks(copy: Copy, source: Source) -> Iterator[tuple[Mark, str]]:
    """Yield each relation of a layer as a mark, with what its label says of its arguments.

    The stretches are those of the arguments, in the order of the text, so that a relation whose
    direction is swapped stands on the same stretches and has another label: " (Former, New)" names the
    roles in the order of their arguments in the text. An argument that is an event stands for its trigger.
    The mark has no stretch where an argument has none.
    """
    known = _stretches(copy)
    for relation in copy.relations:
        if source.holds(relation):
            places = sorted((known.get(name, ()), role) for role, name in relation.arguments)
            yield _as_mark(relation, [spans for spans, _ in places]), _roles([role for _, role in places])


def _stretches(copy: Copy) -> Mapping[str, Stretches]:
    """Return where marks and the triggers of events stand, by their id."""
    marks = {mark.id: mark.spans for mark in copy.marks if mark.id}
    events = {
        event.id: marks.get(name, ())
        for event in copy.relations
        for role, name in event.arguments
        if event.id and role == TRIGGER
    }
    return {**events, **marks}


def _as_mark(relation: Relation, places: list[Stretches]) -> Mark:
    spans = sorted(span for each in places for span in each) if all(places) else ()
    return Mark(relation.type, tuple(spans), relation.features, relation.line)


def _roles(roles: list[str]) -> str:
    """Return the roles as a label has them; nothing where a relation has none, as an equivalence."""
    return f" ({', '.join(roles)})" if any(roles) else ""
