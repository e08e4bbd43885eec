"""Documents as they are read, layer by layer, with everybody's marks and where annotators differ."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import Literal, NamedTuple

from markupsafe import Markup, escape

from reportgen.base.dataclass import dataclass
from reportgen.report.html_blocks import text
from reportgen.report.tables import ReportTable, role_in_words, table_of
from reportgen.results import CASE_KINDS
from reportgen.results.texts import (
    MORE,
    POINT,
    Context,
    Disagreement,
    Disagreements,
    DocumentMarks,
    LayerMarks,
    Mark,
    Span,
    Texts,
    in_context,
)
from reportgen.words.language import N_, _, named_value, names, say
from reportgen.words.numbers import NONE, count, counted

# A text cut at the ends of all marks on it, and what each annotator says of every piece.

# Nobody marked it; all made the same mark; the same label on other stretches; other labels; one reader.
State = Literal["", "agreed", "boundary", "different", "alone"]
SIGNS = {"boundary": "≈", "different": "≠"}
# More who say the same than these are counted, not named.
MOST_NAMED = 6

Sayings = tuple[tuple[str, str], ...]


class TextSegment(NamedTuple):
    """A piece of a text: who says what of it. Where all say the same, nobody is named.

    `people` are the positions among the readers of those whom each part of `said` is about.
    """

    start: int
    end: int
    text: str
    state: State = ""
    said: Sayings = ()
    id: str = ""
    people: tuple[tuple[int, ...], ...] = ()

    @property
    def differs(self) -> bool:
        """Tell whether those who saw it disagree."""
        return self.state in SIGNS

    @property
    def sign(self) -> str:
        """Return the sign of their disagreement, empty where there is none."""
        return SIGNS.get(self.state, "")


class Stretch(NamedTuple):
    """A stretch of a text with the marks that cover it, by number; of no length, those at its place."""

    start: int
    end: int
    marks: tuple[int, ...]


def stretches(marks: Sequence[Mark], length: int) -> Iterator[Stretch]:
    """Yield a text of some length as stretches that the same marks cover, in order and without gaps."""
    opening, closing, points = (defaultdict[int, list[int]](list) for _kind in range(3))
    for number, mark in enumerate(marks):
        for start, end in mark.spans:
            first, last = min(max(0, start), length), min(max(0, end), length)
            if first < last:
                opening[first].append(number)
                closing[last].append(number)
            elif start == end:
                points[first].append(number)
    # A sweep over the places where something changes; a mark may cover one several times by its spans.
    active: Counter[int] = Counter()
    covered: tuple[int, ...] = ()
    begin = 0
    for position in sorted({*opening, *closing, *points, length}):
        active.update(opening[position])
        active.subtract(closing[position])
        active = +active
        now = tuple(sorted(active))
        if now == covered and position not in points and position != length:
            continue
        if position > begin:
            yield Stretch(begin, position, covered)
        if position in points:
            yield Stretch(position, position, tuple(points[position]))
        begin, covered = position, now


def _state(by_reader: Sequence[Sequence[Mark]]) -> State:
    if len(by_reader) == 1:
        return "alone"
    if len({tuple(sorted((mark.label, mark.spans) for mark in marks)) for marks in by_reader}) == 1:
        return "agreed"
    alike = len({frozenset(mark.label for mark in marks) for marks in by_reader}) == 1
    return "boundary" if alike else "different"


def _labels(marks: Sequence[Mark], stretch: Stretch) -> str:
    """Return labels of marks on a stretch; an ellipsis shows that a mark goes on before or after it."""
    labels = []
    for mark in marks:
        before = any(start < stretch.start for start, _end in mark.spans)
        after = any(end > stretch.end for _start, end in mark.spans)
        labels.append(f"{MORE * before}{mark.label}{MORE * after}")
    return ", ".join(dict.fromkeys(labels)) or NONE


def grouped(sayings: Iterable[tuple[str, str]]) -> Sayings:
    """Return who says what, those who say the same together, and those who say nothing last."""
    names: dict[str, list[str]] = {}
    for name, what in sayings:
        names.setdefault(what, []).append(name)
    order = sorted(names, key=lambda what: what == NONE)
    return tuple((named(names[what]), what) for what in order)


def named(names: Sequence[str]) -> str:
    """Return names in a row, or their number where they are many."""
    if len(names) <= MOST_NAMED:
        return ", ".join(names)
    return counted(len(names), "annotator", "annotators")


# What would be too heavy for one page, shared out over several.


def split_by_weight(weights: Sequence[int], most: int) -> list[slice]:
    """Return stretches of what has these weights, in order, each as long as weighs no more than `most`.

    What is heavier by itself is alone; of nothing there is one stretch, which is empty.
    """
    starts, carried = [0], 0
    for position, weight in enumerate(weights):
        if carried and carried + weight > most:
            starts.append(position)
            carried = 0
        carried += weight
    return [slice(start, end) for start, end in zip(starts, [*starts[1:], len(weights)], strict=True)]


# One layer of a document as it is read: its text in pieces, and where those who saw it differ.

# With more who saw a document than these, tables say who said what instead of a column for each.
MOST_COLUMNS = 6
# As many of an annotator's marks that overlap a stretch are named.
MOST_OVERLAPS = 3
# A page is full before it weighs about as much: the bytes of its text, of a piece that somebody marked and
# of a row for each piece on which readers differ.
MOST_BYTES, BYTES_A_PIECE, BYTES_A_ROW = 105_000, 80, 400
# A longer piece is cut, so that it fits on a page.
MOST_LETTERS = 20_000
WHOLE = N_("whole document")


@dataclass(frozen=True)
class MarkingDifference:
    """Stretches that readers marked differently: what each said, in the order of the columns."""

    anchor: str
    context: Context | None
    offsets: str
    labels: tuple[str, ...]
    said: Sayings


@dataclass(frozen=True)
class LayerText:
    """One layer of one document with its marks, and who saw it, in the order of their columns.

    `number` counts the layers from 1; `roles` are those of readers who are no annotators.
    """

    id: str
    number: int
    text: str
    names: tuple[str, ...]
    marks: Sequence[Mark]
    roles: Mapping[str, str]
    unseen: tuple[str, ...] = ()

    @property
    def anchor(self) -> str:
        """Return the id of its heading."""
        return f"layer-{self.number}"

    @cached_property
    def readers(self) -> tuple[str, ...]:
        """Return who saw the document, those who are no annotator with their role."""
        return tuple(
            f"{name} ({role_in_words(self.roles[name])})" if name in self.roles else name
            for name in self.names
        )

    @property
    def columns(self) -> tuple[str, ...]:
        """Return who saw the document, as tables head their columns; nobody where they are too many."""
        return self.readers if len(self.readers) <= MOST_COLUMNS else ()

    @cached_property
    def pieces(self) -> list[TextSegment]:
        """Return the text in pieces; those on which readers differ have ids, unique in the document."""
        return [self._piece(stretch) for stretch in stretches(self.marks, len(self.text))]

    @cached_property
    def whole_document(self) -> TextSegment | None:
        """Return what is said of the document as a whole, None where nothing is."""
        numbers = tuple(number for number, mark in enumerate(self.marks) if not mark.spans)
        if not numbers:
            return None
        state, said, people = self._judged(Stretch(0, 0, numbers))
        return TextSegment(0, 0, "", state, said, f"u-{self.number}-whole", people)

    def _piece(self, stretch: Stretch) -> TextSegment:
        start, end, marks = stretch
        shown = self.text[start:end] or POINT
        if not marks:
            return TextSegment(start, end, shown)
        state, said, people = self._judged(stretch)
        name = f"u-{self.number}-{start}{'' if end > start else '-point'}" if state in SIGNS else ""
        return TextSegment(start, end, shown, state, said, name, people)

    def _judged(self, stretch: Stretch) -> tuple[State, Sayings, tuple[tuple[int, ...], ...]]:
        """Return whether readers agree on a stretch, who says what, and the places of these people."""
        by_reader: dict[str, list[Mark]] = {name: [] for name in self.names}
        for number in stretch.marks:
            by_reader[self.marks[number].annotator].append(self.marks[number])
        state, labels = (
            _state(list(by_reader.values())),
            [_labels(marks, stretch) for marks in by_reader.values()],
        )
        if state in ("agreed", "alone"):
            return state, (("", next(label for label in labels if label != NONE)),), ()
        said = grouped(zip(self.readers, labels, strict=True))
        people = (
            tuple(position for position, label in enumerate(labels) if label == label_said)
            for _who, label_said in said
        )
        return state, said, tuple(people)

    @cached_property
    def stretches(self) -> int:
        """Return how many different stretches somebody marked."""
        return len({mark.spans for mark in self.marks})

    @property
    def _differently(self) -> dict[tuple[Span, ...], dict[str, list[Mark]]]:
        """Return who marked what on the stretches that those who saw the document did not label alike."""
        by_spans: dict[tuple[Span, ...], dict[str, list[Mark]]] = defaultdict(dict)
        for mark in self.marks:
            by_spans[mark.spans].setdefault(mark.annotator, []).append(mark)
        return {
            spans: by_reader
            for spans, by_reader in by_spans.items()
            if len({tuple(sorted(mark.label for mark in by_reader.get(who, ()))) for who in self.names}) > 1
        }

    @cached_property
    def differing(self) -> int:
        """Return how many differences there are; of thousands of documents nothing else is kept."""
        return len(self._differently)

    @cached_property
    def differences(self) -> tuple[MarkingDifference, ...]:
        """Return the stretches that those who saw the document did not label alike, in order of place."""
        # The numbers of the marks that share a character with the stretches of each mark.
        near: dict[tuple[Span, ...], dict[int, None]] = defaultdict(dict)
        for stretch in stretches(self.marks, len(self.text)):
            for number in stretch.marks:
                near[self.marks[number].spans].update(dict.fromkeys(stretch.marks))
        return tuple(
            self._difference(spans, by_reader, [self.marks[number] for number in near[spans]])
            for spans, by_reader in sorted(self._differently.items())
        )

    def _difference(
        self, spans: tuple[Span, ...], by_reader: Mapping[str, Sequence[Mark]], near: Sequence[Mark]
    ) -> MarkingDifference:
        labels = tuple(
            ", ".join(map(described, by_reader[name]))
            if name in by_reader
            else _overlapping([mark for mark in near if mark.annotator == name])
            for name in self.names
        )
        context = in_context(self.text, spans) if spans else None
        said = grouped(zip(self.readers, labels, strict=True))
        return MarkingDifference(self.anchor_of(spans), context, offsets(spans), labels, said)

    def anchor_of(self, spans: Sequence[Span]) -> str:
        """Return the id of the first piece within some stretches that differs, else of the heading."""
        if not spans and self.whole_document:
            return self.whole_document.id
        pieces = (self._piece_at(*span) for span in sorted(spans))
        return next((piece.id for piece in pieces if piece), self.anchor)

    def _piece_at(self, start: int, end: int) -> TextSegment | None:
        """Return the first piece that differs and shares a character with a stretch, or its place."""
        pieces, ends = self._differing
        for piece in pieces[bisect_right(ends, start if end > start else start - 1) :]:
            if piece.start > start and piece.start >= end:
                return None
            if piece.start < end or piece.start == piece.end == start:
                return piece
        return None

    @cached_property
    def _differing(self) -> tuple[list[TextSegment], list[int]]:
        pieces = [piece for piece in self.pieces if piece.differs]
        return pieces, [piece.end for piece in pieces]


def _bytes(text: str) -> int:
    return len(escape(text).encode(errors="replace"))


def _overlapping(marks: Sequence[Mark]) -> str:
    """Return the labels of marks that overlap a stretch, the first of them where they are many."""
    shown = [f"≈ {mark.label} {offsets(mark.spans)}" for mark in marks[:MOST_OVERLAPS]]
    return ", ".join([*shown, "…"] if len(marks) > MOST_OVERLAPS else shown) or NONE


def described(mark: Mark) -> str:
    """Return a mark's label with its features."""
    features = ", ".join(named_value(name, value) for name, value in sorted(mark.features.items()))
    return f"{mark.label} ({features})" if features else mark.label


def offsets(spans: Sequence[Span]) -> str:
    """Return where stretches begin and end, in characters from 0."""
    return ", ".join(f"{start}–{end}" for start, end in spans) or _(WHOLE)


# A text with the marks of all layers, in pieces that are shared out over pages.


class OverlaidSegment(NamedTuple):
    """A piece of a text with the pieces of the layers that cover it, by the layer's number.

    `opening` and `closing` are those of them that begin and end with it: there the first has its anchor, the
    last its labels.
    """

    text: str
    covering: tuple[tuple[int, TextSegment], ...] = ()
    opening: tuple[tuple[int, TextSegment], ...] = ()
    closing: tuple[tuple[int, TextSegment], ...] = ()

    @property
    def weight(self) -> int:
        """Return about how many bytes it takes on a page, with its rows in the tables of differences."""
        words = sum(_bytes(who) + _bytes(what) for _n, piece in self.closing for who, what in piece.said)
        rows = sum(piece.differs for _n, piece in self.opening)
        return _bytes(self.text) + BYTES_A_PIECE * bool(self.covering) + words + BYTES_A_ROW * rows


def overlaid(text: str, layers: Sequence[LayerText]) -> Iterator[OverlaidSegment]:
    """Yield a text in pieces that the same pieces of layers cover, in order and without gaps."""
    marked = [(layer.number, piece) for layer in layers for piece in layer.pieces if piece.state]
    points: dict[int, list[tuple[int, TextSegment]]] = defaultdict(list)
    long: dict[int, list[tuple[int, TextSegment]]] = defaultdict(list)
    for number, piece in marked:
        (long if piece.end > piece.start else points)[piece.start].append((number, piece))
    cuts = {0, len(text), *range(0, len(text), MOST_LETTERS)}
    places = sorted(cuts | {end for _number, piece in marked for end in (piece.start, piece.end)})
    active: list[tuple[int, TextSegment]] = []
    for start, end in zip(places, [*places[1:], len(text)], strict=True):
        for point in points[start]:
            yield OverlaidSegment(point[1].text, (point,), (point,), (point,))
        active = sorted([*(piece for piece in active if piece[1].end > start), *long[start]])
        if end > start:
            closing = tuple(piece for piece in active if piece[1].end == end)
            yield OverlaidSegment(text[start:end], tuple(active), tuple(long[start]), closing)


# What a kind of disagreement is called where one mark or unit has it.
KIND_NAMES = {
    "boundary": N_("boundary"),
    "type": N_("type"),
    "both": N_("boundary and type"),
    "omission": N_("omission"),
}


def counted_kinds(times: Mapping[str, int]) -> str:
    """Return how many disagreements of each kind there are; kinds without any are left out."""
    kinds_and_times = ((_(KIND_NAMES[kind]), count(times[kind])) for kind in CASE_KINDS if times[kind])
    return ", ".join(say("{kind} {times}", kind=kind, times=number) for kind, number in kinds_and_times)


# Of more documents, those on which annotators differ most have pages, and a table lists all.
MOST_PAGES = 1_000
# On a page of the list.
MOST_ROWS = 250
ALL_DOCUMENTS = "documents.csv"
# A title in a list of links is cut here.
LONG_NAME = 40
DIGITS = 4
# About how many bytes a disputed unit takes on a page, without its words.
BYTES_A_DISAGREEMENT = 200
# Of two categories that are confused so many typical units are shown.
MOST_EXAMPLES = 3
# What begins the class of a mark in one of several layers.
STATES = {"agreed": "a", "boundary": "b", "different": "d", "alone": "s"}


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
    def parts(self) -> dict[str, "Sheet"]:
        """Return what its pages have of it, by their names; a heavy one has several."""
        pieces = list(overlaid(self.text, self.layers))
        cuts = split_by_weight([piece.weight for piece in pieces], MOST_BYTES)
        more = (f"{self.id}-{number}.html" for number in range(2, len(cuts) + 1))
        return {
            name: Sheet(pieces[cut], opens=cut.start == 0)
            for name, cut in zip([self.file, *more], cuts, strict=True)
        }

    @cached_property
    def _places(self) -> dict[str, str]:
        """Return the names of the pages of pieces that are not on the first page."""
        sheets = ((name, sheet) for name, sheet in self.parts.items() if not sheet.opens)
        return {piece: name for name, sheet in sheets for piece in sheet.ids}

    @property
    def marks(self) -> int:
        """Return how many marks there are."""
        return sum(len(layer.marks) for layer in self.layers)

    @property
    def stretches(self) -> int:
        """Return how many different stretches are marked, those of each layer on their own."""
        return sum(layer.stretches for layer in self.layers)

    @property
    def differing(self) -> int:
        """Return how many of them are not labelled alike."""
        return sum(layer.differing for layer in self.layers)

    @property
    def readers(self) -> tuple[str, ...]:
        """Return who saw it in any layer."""
        return tuple(dict.fromkeys(name for layer in self.layers for name in layer.readers))

    @property
    def audience(self) -> str:
        """Return who saw it in one line."""
        return named(self.readers) or NONE

    @property
    def single(self) -> bool:
        """Tell whether some layer was seen by one only."""
        return any(len(layer.readers) == 1 for layer in self.layers)

    @property
    def one_audience(self) -> bool:
        """Tell whether the same annotators saw it in every layer."""
        return len({(layer.readers, layer.unseen) for layer in self.layers}) == 1

    @property
    def by_person(self) -> bool:
        """Tell whether one annotator's labels can be shown by themselves."""
        return 1 < len(self.readers) <= MOST_COLUMNS

    def href(self, layer: str, spans: Sequence[Span] | None = None) -> str:
        """Return the address of a layer, or of a place in it, from the version's folder."""
        layer_text = next((layer_text for layer_text in self.layers if layer_text.id == layer), None)
        if layer_text is None:
            return f"documents/{self.file}"
        anchor = layer_text.anchor if spans is None else layer_text.anchor_of(spans)
        return f"documents/{self._places.get(anchor, self.file)}#{anchor}"


@dataclass(frozen=True)
class Sheet:
    """What one page has of a document: pieces of its text; `opens`: it begins there."""

    pieces: Sequence[OverlaidSegment]
    opens: bool

    @cached_property
    def ids(self) -> frozenset[str]:
        """Return the anchors of its pieces."""
        segments = (segment for piece in self.pieces for _number, segment in piece.opening)
        return frozenset(segment.id for segment in segments if segment.id)

    def differences(self, layer: LayerText) -> list[MarkingDifference]:
        """Return a layer's differences that begin here; what has no piece of its own is on the first."""
        document = layer.whole_document
        anchors = self.ids | ({layer.anchor, document.id if document else ""} if self.opens else set())
        return [difference for difference in layer.differences if difference.anchor in anchors]


def marked_text(document: DocumentView, sheet: Sheet) -> Markup:
    """Return the text of a page with its marks, and who says what where annotators differ.

    With several layers a mark has a class for its state in each of them, such as "d2", and labels one for
    their layer, "k2", by which the style sheet shows a single layer; "p1" is the first annotator's.
    """
    several_layers, places = len(document.layers) > 1, {name: n for n, name in enumerate(document.readers, 1)}
    people = {
        layer.number: [places[name] for name in layer.readers] if document.by_person else []
        for layer in document.layers
    }
    return Markup().join(_piece(piece, people, several_layers=several_layers) for piece in sheet.pieces)


def _piece(piece: OverlaidSegment, people: dict[int, list[int]], *, several_layers: bool) -> Markup:
    if not piece.covering:
        return text(piece.text)
    ids = [segment.id for _number, segment in piece.opening if segment.id]
    agreed = ", ".join(segment.said[0][1] for _number, segment in piece.covering if segment.state == "agreed")
    states = [
        f"{STATES[segment.state]}{number}" if several_layers else segment.state
        for number, segment in piece.covering
    ]
    return Markup("<mark class={}{}{}>{}{}{}</mark>").format(
        _quoted(["o", *states] if several_layers else states),
        Markup(" id={}").format(ids[0]) if ids else "",
        Markup(' title="{}"').format(text(agreed)) if agreed else "",
        Markup().join(Markup("<a id={}></a>").format(other_id) for other_id in ids[1:]),
        text(piece.text),
        Markup().join(
            sayings_of(segment, people[number], f"k{number}" if several_layers else "")
            for number, segment in piece.closing
            if segment.state != "agreed"
        ),
    )


def _quoted(classes: Sequence[str]) -> Markup:
    """Return classes as the value of an attribute: a text of a hundred marks has hundreds of them."""
    shown = " ".join(classes)
    return Markup('"{}"').format(shown) if len(classes) > 1 else escape(shown)


def sayings_of(piece: TextSegment, people: Sequence[int], kind: str) -> Markup:
    """Return who says what of a piece; `people` numbers its readers, where one can be chosen."""
    parts = []
    for position, (who, what) in enumerate(piece.said):
        readers = [people[reader] for reader in piece.people[position]] if people and piece.people else []
        words = Markup("{}<b>{}</b>").format(text(f"{who} " if who else ""), text(what))
        classes = _quoted([f"p{reader}" for reader in readers])
        parts.append(Markup("<i class={}>{}</i>").format(classes, words) if readers else words)
    sign = f"{piece.sign} " if piece.sign else ""
    between = Markup(" ") if people and piece.people else Markup(" · ")
    opening = Markup("<small class={}>").format(kind) if kind else Markup("<small>")
    return opening + sign + between.join(parts) + Markup("</small>")


@dataclass(frozen=True)
class IndexPage:
    """A page of a list of documents, its number from 1; `slug` names the list."""

    number: int
    documents: Sequence[DocumentView]
    slug: str

    @property
    def file(self) -> str:
        """Return its name."""
        return f"{self.slug}.html" if self.number == 1 else f"{self.slug}-{self.number}.html"

    @property
    def ends(self) -> list[str]:
        """Return the titles of its first and its last document, cut where they are long."""
        names = (self.documents[position].name for position in (0, -1))
        return [name if len(name) <= LONG_NAME else f"{name[: LONG_NAME - 1]}…" for name in names]


class DocumentViews:
    """All documents that have texts, in their order; `of` finds one by its number in texts.json.

    `shown` are those that have pages.
    """

    def __init__(self, texts: Texts) -> None:
        """Bring the marks of all layers to their documents."""
        digits = max(DIGITS, len(str(len(texts.documents))))
        # The layers of each document in which somebody saw it, with their numbers.
        parts_of_documents: dict[int, list[tuple[int, LayerMarks, DocumentMarks]]] = defaultdict(list)
        for number, layer in enumerate(texts.layers, 1):
            for part in layer.documents:
                if part.seen or part.marks:
                    parts_of_documents[part.document].append((number, layer, part))
        self.of: dict[int, DocumentView] = {
            number: DocumentView(
                f"D{number + 1:0{digits}}",
                document.name or say("Document {number}", number=number + 1),
                document.text,
                tuple(_layer_text(document.text, *part) for part in parts_of_documents[number]),
            )
            for number, document in enumerate(texts.documents)
            if document.text is not None
        }
        self.all = list(self.of.values())

    @cached_property
    def disputed(self) -> list[DocumentView]:
        """Return all of them, those with most disagreement first."""
        return sorted(self.all, key=lambda view: -view.differing)

    @cached_property
    def shown(self) -> dict[str, DocumentView]:
        """Return those that have pages by their numbers, in their order."""
        if len(self.all) <= MOST_PAGES:
            return {view.id: view for view in self.all}
        return {view.id: view for view in sorted(self.disputed[:MOST_PAGES], key=lambda view: view.id)}

    def href(self, view: DocumentView | None, layer: str, spans: Sequence[Span] | None = None) -> str | None:
        """Return the address of a layer, or of a place in it, where the document has a page."""
        return view.href(layer, spans) if view and view.id in self.shown else None

    @cached_property
    def index(self) -> tuple[IndexPage, ...]:
        """Return the pages of the list, those with most disagreement first; there is at least one."""
        return _pages(self.disputed[:MOST_PAGES], "index")

    @cached_property
    def by_name(self) -> tuple[IndexPage, ...]:
        """Return the pages of the same list by title; none where the other one has a single page."""
        if len(self.index) == 1:
            return ()
        by_name = sorted(self.shown.values(), key=lambda view: (view.name.casefold(), view.id))
        return _pages(by_name, "by-name")

    def table(self) -> ReportTable | None:
        """Return all documents of each layer, the most disputed first; None where all have pages."""
        if len(self.all) <= MOST_PAGES:
            return None
        rows = [(view, layer) for view in self.disputed for layer in view.layers]
        return table_of(
            "documents",
            "",
            sorted(rows, key=lambda row: -row[1].differing),
            ("document", _("Document"), "text", lambda row: row[0].name),
            ("number", _("Number"), "text", lambda row: row[0].id),
            ("layer", _("Layer"), "text", lambda row: row[1].id),
            ("annotators", _("Seen by"), "count", lambda row: len(row[1].names)),
            ("marks", _("Marks"), "count", lambda row: len(row[1].marks)),
            ("stretches", _("Stretches"), "count", lambda row: row[1].stretches),
            ("differing", _("Not labelled alike"), "count", lambda row: row[1].differing),
            file=ALL_DOCUMENTS,
            what="Each document in each layer with its marks, and how many of them are not labelled alike.",
        )


def _pages(documents: Sequence[DocumentView], slug: str) -> tuple[IndexPage, ...]:
    starts = range(0, max(1, len(documents)), MOST_ROWS)
    return tuple(
        IndexPage(number, documents[start : start + MOST_ROWS], slug)
        for number, start in enumerate(starts, 1)
    )


def _layer_text(text: str, number: int, layer: LayerMarks, part: DocumentMarks) -> LayerText:
    annotators = [mark.annotator for mark in part.marks]
    present = {*part.seen, *annotators}
    readers = dict.fromkeys((*layer.annotators, *annotators, *part.seen))
    names, unseen = (tuple(name for name in readers if (name in present) is there) for there in (True, False))
    return LayerText(layer.layer, number, text, names, part.marks, layer.roles, unseen)


# The units on which annotators differ, each in the text of its document.


def byte_length(text: str) -> int:
    """Return how many bytes a text takes, as UTF-8."""
    return len(text.encode(errors="replace"))


@dataclass(frozen=True, slots=True)
class DisagreementRow:
    """A unit on which annotators differ; `href` leads from the version's folder to its place in a text."""

    unit: Disagreement
    name: str
    context: Context | None
    document: str
    href: str | None
    labels: tuple[str, ...]
    said: Sayings

    @property
    def weight(self) -> int:
        """Return about how many bytes it takes on a page."""
        context = self.context
        around = (context.before, context.unit, context.after) if context else (self.name,)
        words = self.labels or tuple(f"{who}{what}" for who, what in self.said)
        return BYTES_A_DISAGREEMENT + sum(map(byte_length, (*around, *words, self.document)))

    @property
    def where(self) -> str:
        """Return its document, and what it is called where its text is shown in its place."""
        return " · ".join(filter(None, (self.document, self.name if self.unit.text else "")))

    @property
    def offsets(self) -> str:
        """Return where it is in its document; empty where it is no stretch of a text."""
        return offsets(self.unit.spans) if self.unit.spans else ""

    @property
    def kinds(self) -> str:
        """Return in what way marks on it disagree, in words; empty where there are none."""
        return ", ".join(_(KIND_NAMES[kind]) for kind in self.unit.kinds)

    @property
    def form(self) -> str:
        """Return the words of the unit, or its name."""
        return self.context.unit if self.context else self.name


@dataclass(frozen=True)
class DisagreementSection:
    """The units that got two categories; with two annotators the first one's comes first.

    `shown` are the rows that are on pages, evenly from all. `of_sets`: of two sets the labels that
    the first alone has, those of the second alone, and those of both.
    """

    first: str
    second: str
    id: str
    file: str
    rows: tuple[DisagreementRow, ...]
    shown: tuple[DisagreementRow, ...]
    of_sets: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]] = ((), (), ())

    @property
    def common(self) -> tuple[str, ...]:
        """Return the labels that both sets have; none where labels are no sets."""
        return self.of_sets[2]

    @property
    def differing(self) -> tuple[str, ...]:
        """Return the labels that only one of two sets has; none where labels are no sets."""
        return (*self.of_sets[0], *self.of_sets[1])

    @property
    def apart(self) -> tuple[str, str]:
        """Return the two categories; of two sets what one of them alone has."""
        if not self.differing:
            return self.first, self.second
        first, second = (names(labels) if labels else _("no further label") for labels in self.of_sets[:2])
        return first, second

    @property
    def href(self) -> str:
        """Return the address of its beginning, from the version's folder."""
        return f"disagreements/{self.file}#{self.id}"

    @cached_property
    def kinds(self) -> str:
        """Return in what ways the marks on its units disagree, and how often; empty where there are none."""
        times = Counter(kind for row in self.rows for kind in row.unit.kinds)
        said = counted_kinds(times)
        several = times.total() > sum(bool(row.unit.kinds) for row in self.rows)
        return say("{kinds}; some count under several kinds", kinds=said) if several else said

    @cached_property
    def examples(self) -> list[DisagreementRow]:
        """Return typical units: of the commonest forms one each, in the order of the texts."""
        firsts = {row.form: row for row in reversed(self.rows)}
        common = Counter(row.form for row in self.rows).most_common(MOST_EXAMPLES)
        return [firsts[form] for form, _times in common]


def rows_of(
    texts: Texts, documents: DocumentViews, disagreements: Disagreements, annotators: Sequence[str]
) -> list[DisagreementRow]:
    """Return a row for each unit of a list, in their order, with its context and its link.

    A row costs as much as it has labels: of a crowd each unit has a few.
    """
    places = {name: position for position, name in enumerate(annotators)}
    # Thousands of units have the same labels, and what is said of them in common.
    said = cache(grouped)

    def row(unit: Disagreement) -> DisagreementRow:
        document = None if unit.document is None else texts.documents[unit.document]
        view = None if unit.document is None else documents.of.get(unit.document)
        name = view.name if view else document.name if document else ""
        # A unit in the text of its document, or its own text.
        text = unit.text or (document.text if document else None)
        spans = ((0, len(unit.text)),) if unit.text else unit.spans
        names = sorted((who for who in unit.labels if who in places), key=places.__getitem__)
        return DisagreementRow(
            unit=unit,
            name=unit.name or name,
            context=in_context(text, spans) if text is not None and spans else None,
            document=name,
            href=documents.href(view, disagreements.layer, unit.spans),
            labels=tuple(unit.labels.get(who, "") for who in places) if len(places) <= MOST_COLUMNS else (),
            said=said(tuple((who, unit.labels[who]) for who in names)),
        )

    return list(map(row, disagreements.units))


def whole_marks(
    texts: Texts, documents: DocumentViews, layer: str, who: str | None = None, label: str | None = None
) -> list[DisagreementRow]:
    """Return of each document a mark of a layer that one annotator alone made: `who`, and of `label`.

    No mark of anybody else who saw the document overlaps it.
    """
    found: list[DisagreementRow] = []
    for own in (own for own in texts.layers if own.layer == layer):
        for part in own.documents:
            view = documents.of.get(part.document)
            marks = [mark for mark in part.marks if mark.annotator not in own.roles]
            readers = [name for name in part.seen if name not in own.roles]
            alone = next(_alone_of(marks, who, label), None) if view and len(readers) > 1 else None
            if view and alone:
                href = documents.href(view, layer, alone.spans)
                found.append(_example(view, alone, readers, href))
    return found


def _alone_of(marks: Sequence[Mark], who: str | None, label: str | None) -> Iterator[Mark]:
    """Yield the marks that no mark of anybody else overlaps."""
    for mark in marks:
        if who in {None, mark.annotator} and label in {None, mark.label}:
            others = (other for other in marks if other.annotator != mark.annotator)
            if not any(_overlap(mark, other) for other in others):
                yield mark


def _overlap(mark: Mark, other: Mark) -> bool:
    return any(
        begin < other_end and other_begin < end
        for begin, end in mark.spans
        for other_begin, other_end in other.spans
    )


def _example(view: DocumentView, mark: Mark, readers: Sequence[str], href: str | None) -> DisagreementRow:
    labels = {name: mark.label if name == mark.annotator else "" for name in readers}
    return DisagreementRow(
        unit=Disagreement(spans=mark.spans, labels=labels),
        name=view.name,
        context=in_context(view.text, mark.spans),
        document=view.name,
        href=href,
        labels=(),
        said=((mark.annotator, mark.label),),
    )
