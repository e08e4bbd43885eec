"""Documents as they are read: each text once a layer, with every annotator's marks, and where they differ."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from reportgen.report.layer_texts import MOST_BYTES, LayerText, Leaf, Readers, named, shared_out
from reportgen.results.texts import DocumentMarks, LayerMarks, Span, Texts
from reportgen.words.language import say
from reportgen.words.numbers import NONE

# On a page of the list.
MOST_ROWS = 250
# A title in a list of links is cut here.
LONG_NAME = 40
DIGITS = 4


@dataclass(frozen=True)
class DocumentView:
    """One document with its layers; `name` is its title, `id` its number with leading zeros."""

    id: str
    name: str
    text: str
    layers: tuple[LayerText, ...]

    @property
    def file(self) -> str:
        """Return the name of its page, of the first where it has several."""
        return f"{self.id}.html"

    @cached_property
    def parts(self) -> dict[str, tuple[Leaf, ...]]:
        """Return the layers by the names of the pages where they stand; a heavy one has several."""
        leaves = tuple(leaf for layer in self.layers for leaf in layer.leaves)
        found = shared_out([leaf.weight for leaf in leaves], MOST_BYTES)
        more = (f"{self.id}-{number}.html" for number in range(2, len(found) + 1))
        return {name: leaves[each] for name, each in zip([self.file, *more], found, strict=True)}

    @cached_property
    def files(self) -> dict[str, str]:
        """Return the name of the page where each layer begins."""
        return {leaf.layer.id: name for name, leaves in self.parts.items() for leaf in leaves if leaf.opens}

    @cached_property
    def _places(self) -> dict[str, str]:
        """Return the names of the pages of pieces that stand behind their layer's first page."""
        rest = ((name, leaf) for name, leaves in self.parts.items() for leaf in leaves if not leaf.opens)
        return {piece.id: name for name, leaf in rest for piece in leaf.pieces if piece.id}

    @property
    def marks(self) -> int:
        """Return how many marks there are."""
        return sum(len(layer.readers.marks) for layer in self.layers)

    @property
    def stretches(self) -> int:
        """Return how many different stretches are marked, those of each layer on their own."""
        return sum(layer.stretches for layer in self.layers)

    @property
    def differing(self) -> int:
        """Return how many of them are not labelled alike."""
        return sum(len(layer.differences) for layer in self.layers)

    @property
    def seen(self) -> tuple[str, ...]:
        """Return who saw it in any layer."""
        return tuple(dict.fromkeys(name for layer in self.layers for name in layer.seen))

    @property
    def audience(self) -> str:
        """Return who saw it in one line."""
        return named(self.seen) or NONE

    @property
    def single(self) -> bool:
        """Tell whether some layer was seen by one only."""
        return any(len(layer.seen) == 1 for layer in self.layers)

    @property
    def one_audience(self) -> bool:
        """Tell whether the same annotators saw it in every layer."""
        return len({(layer.seen, layer.unseen) for layer in self.layers}) == 1

    def page(self, layer: str) -> str:
        """Return the address of one layer in it, from the version's folder."""
        found = next((each for each in self.layers if each.id == layer), None)
        return f"documents/{self.files.get(layer, self.file)}" + (f"#{found.anchor}" if found else "")

    def href(self, layer: str, spans: Sequence[Span]) -> str:
        """Return the address of a place in it, from the version's folder."""
        found = next((each for each in self.layers if each.id == layer), None)
        if found is None:
            return f"documents/{self.file}"
        place = found.place(spans)
        return f"documents/{self._places.get(place, self.files[layer])}#{place}"


@dataclass(frozen=True)
class IndexPage:
    """A page of a list of documents, its number from 1; `slug` names the list."""

    number: int
    documents: Sequence[DocumentView]
    slug: str = "index"

    @property
    def file(self) -> str:
        """Return its name."""
        return f"{self.slug}.html" if self.number == 1 else f"{self.slug}-{self.number}.html"

    @property
    def ends(self) -> tuple[str, str]:
        """Return the titles of its first and its last document, cut where they are long."""
        first, *_others = self.documents
        return _cut(first.name), _cut(self.documents[-1].name)


def _cut(name: str) -> str:
    return name if len(name) <= LONG_NAME else f"{name[: LONG_NAME - 1]}…"


class DocumentViews:
    """All documents that have texts, in their order; `of` finds one by its number in texts.json."""

    def __init__(self, texts: Texts) -> None:
        """Bring the marks of all layers to their documents."""
        digits = max(DIGITS, len(str(len(texts.documents))))
        found = _layers(texts)
        self.of: dict[int, DocumentView] = {
            number: DocumentView(
                f"D{number + 1:0{digits}}",
                document.name or say("Document {number}", number=number + 1),
                document.text,
                tuple(_layer_text(document.text, *each) for each in found[number]),
            )
            for number, document in enumerate(texts.documents)
            if document.text is not None
        }
        self.all = list(self.of.values())

    @cached_property
    def worst_first(self) -> list[DocumentView]:
        """Return the documents, those with most disagreement first."""
        return sorted(self.all, key=lambda each: -each.differing)

    @cached_property
    def index(self) -> tuple[IndexPage, ...]:
        """Return the pages of the list, those with most disagreement first; there is at least one."""
        return _pages(self.worst_first, "index")

    @cached_property
    def by_name(self) -> tuple[IndexPage, ...]:
        """Return the pages of the same list by title; none where the other one has a single page."""
        if len(self.index) == 1:
            return ()
        return _pages(sorted(self.all, key=lambda each: (each.name.casefold(), each.id)), "by-name")

    def neighbours(self) -> Iterator[tuple[DocumentView | None, DocumentView, DocumentView | None]]:
        """Yield each document with the one before and the one after it."""
        yield from zip([None, *self.all], self.all, [*self.all[1:], None], strict=False)


def _pages(documents: Sequence[DocumentView], slug: str) -> tuple[IndexPage, ...]:
    return tuple(
        IndexPage(number, documents[start : start + MOST_ROWS], slug)
        for number, start in enumerate(range(0, max(1, len(documents)), MOST_ROWS), 1)
    )


LayerPart = tuple[int, LayerMarks, DocumentMarks]


def _layers(texts: Texts) -> dict[int, list[LayerPart]]:
    """Return the layers of each document in which somebody saw it, with their numbers."""
    found: dict[int, list[LayerPart]] = defaultdict(list)
    for number, layer in enumerate(texts.layers, 1):
        for part in layer.documents:
            if part.seen or part.marks:
                found[part.document].append((number, layer, part))
    return found


def _layer_text(text: str, number: int, layer: LayerMarks, part: DocumentMarks) -> LayerText:
    present = {*part.seen, *(mark.annotator for mark in part.marks)}
    known = [*layer.annotators, *(mark.annotator for mark in part.marks), *part.seen]
    names = tuple(name for name in dict.fromkeys(known) if name in present)
    unseen = tuple(name for name in layer.annotators if name not in present)
    return LayerText(layer.layer, number, text, Readers(names, part.marks, layer.roles), unseen)
