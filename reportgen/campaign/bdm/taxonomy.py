"""A taxonomy: concepts and their parents, without a circle."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from reportgen.campaign.wording import printable, quoted
from reportgen.errors import BadInput, Problem

# Of a circle no more concepts are named.
NAMED = 10


@dataclass(frozen=True)
class Edge:
    """One statement that a concept has a parent, with its line, 0 where no line can be named."""

    child: str
    parent: str
    line: int = 0


@dataclass(frozen=True, eq=False)
class Taxonomy:
    """Concepts by their identifiers, parents before their children.

    `parents` has those of each concept, none for a root; there may be several of both. `shown` is what pages
    call a concept, `called` has the concepts of each name: where any has it as its own name these, else those
    that have it as a label. `form` says how the file is written.
    """

    parents: Mapping[str, tuple[str, ...]]
    shown: Mapping[str, str]
    called: Mapping[str, tuple[str, ...]]
    form: str

    @property
    def roots(self) -> tuple[str, ...]:
        """Return the concepts without a parent."""
        return tuple(concept for concept, parents in self.parents.items() if not parents)

    @cached_property
    def children(self) -> Mapping[str, tuple[str, ...]]:
        """Return the concepts right below each."""
        found: dict[str, list[str]] = {concept: [] for concept in self.parents}
        for concept, parents in self.parents.items():
            for parent in parents:
                found[parent].append(concept)
        return {concept: tuple(children) for concept, children in found.items()}


@dataclass(frozen=True)
class Draft:
    """What a file says: its edges, concepts that it names beside, and what concepts are called.

    `names` are the concepts' own names, each concept's identifier where it has none; `labels` other names.
    """

    form: str
    edges: Sequence[Edge]
    concepts: Sequence[str] = ()
    names: Mapping[str, str] | None = None
    labels: Sequence[tuple[str, str]] = ()


def taxonomy(draft: Draft, file: str) -> Taxonomy:
    """Return the taxonomy that a file says; raise BadInput where it has no edge or a circle."""
    if not draft.edges:
        mend = "Name the parent of each concept below the root."
        raise BadInput([Problem(file, message="puts no concept under another.", mend=mend)])
    parents = _parents(draft)
    shown = {concept: (draft.names or {}).get(concept, concept) for concept in parents}
    order = _parents_first(parents)
    if len(order) < len(parents):
        raise BadInput(_circles(draft, parents, set(parents) - set(order), shown, file))
    called = _called((name, concept) for concept, name in shown.items())
    labelled = _called((label, concept) for concept, label in draft.labels if concept in parents)
    return Taxonomy(
        {concept: parents[concept] for concept in order}, shown, {**labelled, **called}, draft.form
    )


def _parents(draft: Draft) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {concept: {} for concept in draft.concepts}
    for edge in draft.edges:
        found.setdefault(edge.parent, {})
        found.setdefault(edge.child, {})[edge.parent] = None
    return {concept: tuple(parents) for concept, parents in found.items()}


def _called(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for name, concept in pairs:
        found.setdefault(name, {})[concept] = None
    return {name: tuple(concepts) for name, concepts in found.items()}


def _parents_first(parents: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return the concepts, each behind its parents; those in a circle or below one are missing."""
    waiting = {concept: len(own) for concept, own in parents.items()}
    below: dict[str, list[str]] = {concept: [] for concept in parents}
    for concept, own in parents.items():
        for parent in own:
            below[parent].append(concept)
    order = [concept for concept, number in waiting.items() if not number]
    for concept in order:
        for child in below[concept]:
            waiting[child] -= 1
            if not waiting[child]:
                order.append(child)
    return order


def _circles(
    draft: Draft, parents: Mapping[str, tuple[str, ...]], left: set[str], shown: Mapping[str, str], file: str
) -> Iterator[Problem]:
    """Yield a problem for each circle that is met on the way up from the concepts that are left."""
    lines = {(edge.child, edge.parent): edge.line for edge in reversed(draft.edges)}
    met: set[str] = set()
    for start in parents:
        way: list[str] = []
        concept = start
        while concept in left and concept not in met:
            met.add(concept)
            way.append(concept)
            concept = next(parent for parent in parents[concept] if parent in left)
        if concept in way:
            yield _circle(way[way.index(concept) :], lines, shown, file)


def _circle(
    circle: list[str], lines: Mapping[tuple[str, str], int], shown: Mapping[str, str], file: str
) -> Problem:
    """Return the problem of a circle, told from where the file has its first line."""
    steps = list(zip(circle, [*circle[1:], circle[0]], strict=True))
    first = min(range(len(circle)), key=lambda place: lines[steps[place]])
    names = [quoted(shown[each]) for each in (*circle[first:], *circle[:first], circle[first])]
    told = names if len(names) <= NAMED else [*names[:NAMED], "…"]
    message = f"stands above itself: {' under '.join(told)}."
    key = printable(f"concept {shown[circle[first]]}")
    return Problem(file, lines[steps[first]], key, message, "Take one of these parents away.")
