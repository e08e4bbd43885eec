"""Documents as they are read: each text once a layer, with every annotator's marks, and where they differ."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from reportgen.report.context import Context, in_context
from reportgen.report.language import N_, _, say, told
from reportgen.report.numbers import NONE
from reportgen.report.parts import shared_out
from reportgen.report.segments import Piece, Readers, Said, grouped, named, overlapping
from reportgen.results.texts import DocumentMarks, LayerMarks, Mark, Span, Texts

# With more who saw a document than these, tables say who said what instead of a column for each.
MOST_COLUMNS = 6
# As many of an annotator's marks that overlap a stretch are named.
MOST_OVERLAPS = 3
# On a page of the list, of the table below a text, of readers who are named there.
MOST_ROWS = 250
MOST_DIFFERENCES = 150
MOST_READERS = 12
# The layers of a document go on another page before one weighs about as much: the bytes of a text, which each
# layer repeats, and of each mark in it and in the table below.
MOST_BYTES, BYTES_A_MARK = 105_000, 200
# A title in a list of links is cut here.
LONG_NAME = 40
DIGITS = 4
WHOLE = N_("whole document")


@dataclass(frozen=True)
class Difference:
    """Stretches that readers marked differently: what each said, in the order of the columns."""

    place: str
    context: Context | None
    offsets: str
    labels: tuple[str, ...]
    said: Said


@dataclass(frozen=True)
class LayerText:
    """One layer of one document; `number` counts the layers from 1."""

    id: str
    number: int
    text: str
    readers: Readers
    unseen: tuple[str, ...]

    @property
    def anchor(self) -> str:
        """Return the id of its heading."""
        return f"layer-{self.number}"

    @cached_property
    def weight(self) -> int:
        """Return about how many bytes it takes on a page."""
        return len(self.text.encode(errors="replace")) + BYTES_A_MARK * len(self.readers.marks)

    @property
    def columns(self) -> tuple[str, ...]:
        """Return who saw the document, as tables head their columns; nobody where they are too many."""
        names = tuple(map(self.readers.shown, self.readers.names))
        return names if len(names) <= MOST_COLUMNS else ()

    @property
    def seen(self) -> tuple[str, ...]:
        """Return who saw the document."""
        return tuple(map(self.readers.shown, self.readers.names))

    @cached_property
    def pieces(self) -> list[Piece]:
        """Return the text in pieces, whose ids are unique in the document."""
        return self.readers.pieces(self.text, f"u-{self.number}-")

    @cached_property
    def whole(self) -> Piece | None:
        """Return what is said of the document as a whole."""
        return self.readers.whole(f"u-{self.number}-")

    @cached_property
    def stretches(self) -> int:
        """Return how many different stretches somebody marked."""
        return len({mark.spans for mark in self.readers.marks})

    @cached_property
    def differences(self) -> tuple[Difference, ...]:
        """Return the stretches that those who saw the document did not label alike, in order of place."""
        if len(self.readers.names) == 1:
            return ()
        return tuple(Differences(self).rows())

    @property
    def differences_shown(self) -> tuple[Difference, ...]:
        """Return the first of them, as far as a page shows them."""
        return self.differences[:MOST_DIFFERENCES]

    def place(self, spans: Sequence[Span]) -> str:
        """Return the id of the first piece within some stretches that differs, else of the heading."""
        if not spans and self.whole:
            return self.whole.id
        for span in sorted(spans):
            found = self._piece_at(*span)
            if found:
                return found.id
        return self.anchor

    def _piece_at(self, start: int, end: int) -> Piece | None:
        """Return the first piece that differs and shares a character with a stretch, or its place."""
        pieces, ends = self._differing
        for piece in pieces[bisect_right(ends, start if end > start else start - 1) :]:
            if piece.start > start and piece.start >= end:
                return None
            if piece.start < end or piece.start == piece.end == start:
                return piece
        return None

    @cached_property
    def _differing(self) -> tuple[list[Piece], list[int]]:
        pieces = [piece for piece in self.pieces if piece.differs]
        return pieces, [piece.end for piece in pieces]


class Differences:
    """What those who saw a document say of each stretch that somebody marked."""

    def __init__(self, layer: LayerText) -> None:
        """Sort the marks by stretches and annotators."""
        self._layer = layer
        self._marks = layer.readers.marks
        self._own: dict[tuple[Span, ...], dict[str, list[Mark]]] = defaultdict(dict)
        for mark in self._marks:
            self._own[mark.spans].setdefault(mark.annotator, []).append(mark)
        self._overlapping = overlapping(self._marks, len(layer.text))

    def rows(self) -> Iterator[Difference]:
        """Yield a row for each stretch that is not labelled alike."""
        names = self._layer.readers.names
        for spans in sorted(self._own):
            own = self._own[spans]
            labels = [sorted(mark.label for mark in own.get(name, ())) for name in names]
            if any(each != labels[0] for each in labels):
                yield self._row(spans)

    def _row(self, spans: tuple[Span, ...]) -> Difference:
        readers = self._layer.readers
        labels = tuple(self._said(name, spans) for name in readers.names)
        shown = map(readers.shown, readers.names)
        said = grouped(zip(shown, labels, strict=True))
        context = in_context(self._layer.text, spans) if spans else None
        return Difference(self._layer.place(spans), context, offsets(spans), labels, said)

    def _said(self, name: str, spans: tuple[Span, ...]) -> str:
        """Return somebody's labels of a stretch, else those of marks that overlap it."""
        own = self._own[spans].get(name)
        if own:
            return ", ".join(map(described, own))
        near = [self._marks[number] for number in self._overlapping.get(spans, ())]
        found = [mark for mark in near if mark.annotator == name]
        shown = [f"≈ {mark.label} {offsets(mark.spans)}" for mark in found[:MOST_OVERLAPS]]
        return ", ".join([*shown, *(["…"] if len(found) > MOST_OVERLAPS else [])]) or NONE


def described(mark: Mark) -> str:
    """Return a mark's label with its features."""
    features = ", ".join(told(name, value) for name, value in sorted(mark.features.items()))
    return f"{mark.label} ({features})" if features else mark.label


def offsets(spans: Sequence[Span]) -> str:
    """Return where stretches begin and end, in characters from 0."""
    return ", ".join(f"{start}–{end}" for start, end in spans) or _(WHOLE)


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
    def parts(self) -> dict[str, tuple[LayerText, ...]]:
        """Return the layers by the names of the pages where they stand; one that is heavy has several."""
        found = shared_out([layer.weight for layer in self.layers], MOST_BYTES)
        more = (f"{self.id}-{number}.html" for number in range(2, len(found) + 1))
        return {name: self.layers[each] for name, each in zip([self.file, *more], found, strict=True)}

    @cached_property
    def files(self) -> dict[str, str]:
        """Return the name of the page of each layer."""
        return {layer.id: name for name, layers in self.parts.items() for layer in layers}

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
        place = f"#{found.place(spans)}" if found else ""
        return f"documents/{self.files.get(layer, self.file)}{place}"


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
