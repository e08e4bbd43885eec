"""What each type, feature and relation of an export of marks is: a layer, or why it is none."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from enum import Enum
from functools import cached_property
from itertools import chain
from typing import Literal

from reportgen.base.dataclass import dataclass
from reportgen.readers.brat import squeezed
from reportgen.readers.layers_of_marks import (
    ARROW,
    ENOUGH_GIVEN,
    MARKS,
    NO_CHAIN,
    OR,
    RELATIONS,
    are_chains,
    is_called_chain,
    is_chain,
    listed,
    short,
)
from reportgen.readers.reader import DocumentCopy, Export, ParsedMark
from reportgen.readers.scales import Control, FoundScale, find_scale

# Labels of stretches of text, labels of whole documents, units or cells, or some of each.
Kind = Literal["texts", "items", "mixed"]
ENOUGH_VALUES = 50
SHARE_OF_VALUES = 0.1
# Marks of different types are layers of their own where more of them than this overlap.
OFTEN = 0.05
# Types are categories of one layer where this share of the rarer one's marks, and so many, are marks of the
# other type to somebody else.
EXCHANGED = 0.1
LEAST_EXCHANGED = 10
# Fewer marks than these show nothing of what they are.
ENOUGH_MARKS = 20
# So many show whether a feature repeats the words that marks cover.
MANY_MARKS = 1000
NEARLY = 0.95
HALF = 0.5
# Elements of HTML and TEI, as converters leave them.
MARKUP = re.compile(
    "a|abbr|article|aside|b|blockquote|body|br|code|dd|div|dl|dt|em|figcaption|figure|footer|front|h[1-6]|head"
    "|header|hi|hr|html|i|img|lb|li|link|main|meta|nav|ol|p|pb|pre|q|s|script|section|small|span|strong|style"
    "|sub|sup|table|tbody|td|text|th|thead|title|tr|u|ul|w"
)
# How the names of features end that are ids: "FrameID", "frame_id".
CALLED_ID = re.compile(r"(?:(?<![A-Z])I[Dd]|(?<![^\W_])id)$")
# What is between several ids.
POINTERS = re.compile(r"[;,]\s*")
# A mark, and whose copy of which document it is in.
MarkOfCopy = tuple[DocumentCopy, ParsedMark]


class NoDecision(Enum):
    """Why a type, a feature or a relation is no layer of its own; a closed list."""

    POINTS = "points at other marks"
    COVERED = "the words that the mark covers"
    FREE_TEXT = "free text or names: hardly a value occurs twice"
    ONE_PERSON = "used by one person alone (was it the others' task?)"
    OF_PERSON = "one value for each person"
    BLANK = "nearly always blank"
    MARKUP = "names of markup"
    CONSTANT = "every mark has the same value"
    IDENTIFIERS = "running numbers, which say which mark it is and nothing of it"
    SAME = "says the same as an earlier feature of these marks"
    GIVEN = "the same in every copy of a document, as what was there before"
    MIXED = "some of these marks are of stretches of text, others of whole documents"
    OF_CHOSEN = "said of marks that people chose themselves"
    TOGETHER = "all marks by their types, as without any layer: needed beside others"
    RELATION = "relations between marks"
    CHAIN = "chains of mentions (coreference), which are not compared yet"


@dataclass(frozen=True)
class LabelledLayer:
    """One thing that was labelled: its source, its labels with their counts, the commonest first.

    `source` is None for everything that the export holds; `scale` is what the labels are on. `no_decision`
    says why it is no layer, None where it is one; `of_given` that it is said of marks which everybody has,
    `of_relations` that it is of relations between marks.
    """

    source: str | None
    labels: Mapping[str, int]
    kind: Kind
    no_decision: NoDecision | None = None
    scale: FoundScale = field(default_factory=FoundScale)
    of_given: bool = False
    of_relations: bool = False

    @property
    def marks(self) -> int:
        """How many labels were given."""
        return sum(self.labels.values())

    @property
    def type(self) -> str:
        """Return the type of its marks."""
        return (self.source or "").partition(ARROW)[0]


def by_count(labels: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Return labels with their counts, the commonest first."""
    return dict(sorted(labels, key=lambda label: (-label[1], label[0])))


def parts_of(source: str) -> tuple[str, ...]:
    """Return the types, or the type and feature, that a source names."""
    return tuple(part.strip().removesuffix(ARROW) for part in source.split(f" {OR} "))


# What is known of one source, and the role that follows.


class TypeMarks:
    """The marks of a type, or of all types ("marks"), and the copies of documents that could have such."""

    def __init__(self, kind: str, marks: Sequence[MarkOfCopy], copies: Sequence[DocumentCopy]) -> None:
        """Take the name of the type."""
        self.type, self.marks, self.copies = kind, marks, copies

    @cached_property
    def by_document(self) -> list[list[list[ParsedMark]]]:
        """Return for each document of several people what each marked."""
        own: dict[str, dict[str, list[ParsedMark]]] = {}
        for copy in self.copies:
            if copy.asked is None or self.type in (MARKS, *copy.asked):
                own.setdefault(copy.document, {}).setdefault(copy.annotator, [])
        for copy, mark in self.marks:
            own[copy.document][copy.annotator].append(mark)
        return [[*people.values()] for people in own.values() if len(people) > 1]

    @cached_property
    def stretches(self) -> int:
        """Return how many stretches these documents have."""
        return sum(len({mark.spans for marks in people for mark in marks}) for people in self.by_document)

    @cached_property
    def shared(self) -> list[list[ParsedMark]]:
        """Return the marks of each stretch that everybody has; none unless people have nearly all the same.

        Each person has to have nearly all that anybody has; millions of others are not kept.
        """
        shared, held, possible = list[list[ParsedMark]](), 0, 0
        for marks_of in self.by_document:
            people = [{mark.spans: mark for mark in reversed(marks)} for marks in marks_of]
            possible += len(people) * len(set().union(*people))
            held += sum(map(len, people))
            common = set(people[0]).intersection(*people)
            shared += [[person[spans] for person in people] for spans in common]
        return shared if held >= NEARLY * possible else []

    @property
    def coincide(self) -> bool:
        """Say whether people have nearly all the same stretches."""
        return bool(self.shared)

    @cached_property
    def kind(self) -> Kind:
        """Return whether the marks are of stretches of text, of whole documents, or some of each."""
        return _kind(mark for _, mark in self.marks)

    @property
    def are_given(self) -> bool:
        """Say whether so many stretches are those of everybody that they were there before.

        Where most tokens are such stretches, tokens are what was given.
        """
        if not self.coincide:
            return False
        texts = {copy.document: copy.text or "" for copy in self.copies}
        return ENOUGH_MARKS <= self.stretches < HALF * sum(len(text.split()) for text in texts.values())


class SourceFacts:
    """A type, or a feature of one, and what its marks say of it."""

    def __init__(self, name: str, of: TypeMarks) -> None:
        """Take the marks of its type."""
        self.name, self.of = name, of
        self.type, _, self.feature = name.partition(ARROW)

    def value(self, mark: ParsedMark) -> str:
        """Return what a mark says of it, empty where nothing."""
        return mark.features.get(self.feature, "") if self.feature else mark.type

    @cached_property
    def labelled(self) -> Sequence[tuple[DocumentCopy, str]]:
        """Return what marks say of it, where they do, with their copies."""
        if not self.feature:
            return [(copy, mark.type) for copy, mark in self.of.marks]
        name = self.feature
        return [
            (copy, value)
            for copy, mark in self.of.marks
            if (value := mark.features.get(name, "")) and not value.isspace()
        ]

    @cached_property
    def labels(self) -> dict[str, int]:
        """Return its values with their counts, the commonest first."""
        return by_count(Counter(value for _, value in self.labelled).items())

    @property
    def is_large(self) -> bool:
        """Say whether enough marks could say something of it."""
        return len(self.of.marks) >= ENOUGH_MARKS

    def is_covered(self) -> bool:
        """Say whether nearly all values are the words that their marks cover, of the first that there are."""
        first = [each for each in self.of.marks[:MANY_MARKS] if self.value(each[1]).strip()]
        covered = sum(
            _folded(self.value(mark)) == _folded(*((copy.text or "")[start:end] for start, end in mark.spans))
            for copy, mark in first
        )
        return 0 < NEARLY * len(first) <= covered

    def values_by(self, key: Callable[[DocumentCopy], str | int]) -> list[list[str]]:
        """Return the values in each group of copies that have some."""
        groups: dict[str | int, list[str]] = {}
        for copy, value in self.labelled:
            groups.setdefault(key(copy), []).append(value)
        return list(groups.values())

    def is_free_text(self) -> bool:
        """Say whether hardly a value occurs twice, or there are too many different ones for categories."""
        few = HALF * len(self.labelled) if self.is_large else len(self.labelled)
        return len(self.labels) > min(few, max(ENOUGH_VALUES, SHARE_OF_VALUES * len(self.labelled)))

    def is_of_one_person(self) -> bool:
        """Say whether one person alone used it, others have the documents, and no other was asked."""
        users = {copy.annotator for copy, _ in self.labelled}
        documents = {copy.document for copy, _ in self.labelled}
        others = [
            copy for copy in self.of.copies if copy.document in documents and copy.annotator not in users
        ]
        return (
            len(users) == 1 and bool(others) and not any(self.type in (copy.asked or ()) for copy in others)
        )

    def points(self) -> bool:
        """Say whether nearly all of the first values are ids of marks, in MMAX2 behind their level.

        Where ids are mere numbers, so are ratings.
        """
        first = [(copy, value) for copy, value in self.labelled[:MANY_MARKS] if value.strip() not in NO_CHAIN]
        copies = {id(copy): copy for copy, _ in first}
        ids = {key: {m.id for m in copy.marks if not m.id.isdigit()} - {""} for key, copy in copies.items()}
        named = [
            (ids[id(copy)], {part.rpartition(":")[2] for part in POINTERS.split(value)})
            for copy, value in first
        ]
        return 0 < NEARLY * len(first) <= sum(parts <= known for known, parts in named)

    def is_of_person(self) -> bool:
        """Say whether everybody has a value of their own."""
        values = self.values_by(lambda copy: copy.annotator)
        return len(self.labels) == len(values) > 1 and all(len({*own}) == 1 for own in values)

    def is_of_markup(self) -> bool:
        """Say whether the values are names of markup, and the same in every copy.

        Annotators may well decide what is a title; what converters left is the same for all.
        """
        names = {value.casefold() for value in self.labels}
        # Single letters are what many call their categories.
        are_names = all(map(MARKUP.fullmatch, names)) and any(len(name) > 1 for name in names)
        return are_names and self.is_given(ENOUGH_MARKS)

    def numbers(self) -> bool:
        """Say whether the values have digits, and hardly ever recur in a copy."""
        several = [values for values in self.values_by(id) if len(values) > 1]
        once = sum(len(set(values)) == len(values) for values in several)
        numbered = all(any(letter.isdigit() for letter in value) for value in self.labels)
        return bool(several) and numbered and once >= NEARLY * len(several)

    def are_ids(self) -> bool:
        """Say whether it is called an id, and its values are very many numbers: classes are fewer."""
        numbers = sum(times for value, times in self.labels.items() if value.strip().isdigit())
        called = CALLED_ID.search(self.feature) is not None
        return called and len(self.labels) >= ENOUGH_MARKS and numbers >= NEARLY * len(self.labelled)

    def is_given(self, least: int) -> bool:
        """Say whether several annotators' copies of a document have the same of it, so many at least."""
        same = 0
        for people in self.of.by_document:
            own = [
                {(mark.spans, mark.features.get(self.feature, "")) for mark in marks}
                for marks in people
                if marks
            ]
            if any(other != own[0] for other in own):
                return False
            same += len(own[0]) if len(own) > 1 else 0
        return same >= least

    @cached_property
    def differ(self) -> bool:
        """Say whether people say different things of a stretch that everybody has."""
        return any(len({*map(self.value, marks)}) > 1 for marks in self.of.shared)

    @property
    def are_units(self) -> bool:
        """Say whether stretches were given, and people say different things of them."""
        return self.of.are_given and self.differ


# The roles of what is no decision; the first that fits is told. Of few marks only some are known.
ROLES: Sequence[tuple[NoDecision, Callable[[SourceFacts], bool]]] = (
    (NoDecision.CHAIN, lambda own: are_chains(own.feature, own.labels)),
    (NoDecision.POINTS, SourceFacts.points),
    (NoDecision.COVERED, lambda own: own.is_large and own.is_covered()),
    (NoDecision.FREE_TEXT, SourceFacts.is_free_text),
    (NoDecision.ONE_PERSON, SourceFacts.is_of_one_person),
    (NoDecision.BLANK, lambda own: own.is_large and len(own.labelled) <= (1 - NEARLY) * len(own.of.marks)),
    (NoDecision.MARKUP, lambda own: own.is_large and own.is_of_markup()),
    (
        NoDecision.CONSTANT,
        lambda own: own.is_large and len(own.labels) == 1 and len(own.labelled) >= NEARLY * len(own.of.marks),
    ),
    (NoDecision.OF_PERSON, lambda own: own.is_large and own.is_of_person()),
    (NoDecision.IDENTIFIERS, lambda own: own.is_large and (own.numbers() or own.are_ids())),
)
# Those that a type can have, whose name is all that it says.
OF_TYPES = {NoDecision.ONE_PERSON}


def _folded(*texts: str) -> str:
    """Return stretches of text as they are compared with others: whatever their white space and capitals."""
    return squeezed(texts).casefold()


def _says_the_same(own: SourceFacts, earlier: SourceFacts) -> bool:
    """Say whether the values of two features stand for each other, mark by mark, and recur."""
    if (
        not own.is_large
        or len(own.labels) != len(earlier.labels)
        or len(own.labelled) != len(earlier.labelled)
    ):
        return False
    both = [(earlier.value(mark), value) for _, mark in own.of.marks if (value := own.value(mark)).strip()]
    pairs = set(both)
    alike = len(pairs) == len(own.labels) == len({first for first, _ in pairs}) > 1
    return alike and 2 * len(pairs) <= len(both)


# What the sources of an export are, one beside the other.


def as_one_layer(
    export: Export, copies: Sequence[DocumentCopy], marks: Sequence[ParsedMark]
) -> LabelledLayer:
    """Return everything as one layer: by the only feature there is where features hold categories."""
    sources = listed(copies, by_feature=export.by_feature)
    if export.by_feature and len(sources) == 1:
        of_copies = [(copy, mark) for copy in copies for mark in copy.marks]
        own = SourceFacts(sources[0], TypeMarks(sources[0].partition(ARROW)[0], of_copies, copies))
        layer = _on_scale(_layer(own, shorten=True), export.controls)
        return replace(layer, source=None, no_decision=None, of_given=own.are_units)
    names = Counter(short(mark.type) if export.by_feature else mark.type for mark in marks)
    are_units = not export.by_feature and _all_marks(copies).are_units
    return _on_scale(LabelledLayer(None, by_count(names.items()), _kind(marks), of_given=are_units), {})


def _all_marks(copies: Sequence[DocumentCopy]) -> SourceFacts:
    every = [(copy, mark) for copy in copies for mark in copy.marks]
    return SourceFacts(MARKS, TypeMarks(MARKS, every, copies))


def separate_layers(
    export: Export, copies: Sequence[DocumentCopy], marks: Sequence[ParsedMark]
) -> Iterator[LabelledLayer]:
    """Yield what each type, feature and relation is, with the reason where it is no layer of its own.

    Where all marks are one layer, none is: types that exclude each other, or that annotators exchange, are
    the categories of one. A feature of marks which everybody has the same is a decision; that of marks which
    people chose, and whose category is their type, is one where somebody asks for it.
    """
    of_type: dict[str, list[MarkOfCopy]] = {}
    for copy in copies:
        for mark in copy.marks:
            of_type.setdefault(mark.type, []).append((copy, mark))
    passed_over = Counter[str]()
    for copy in copies:
        passed_over.update({kind: many for kind, (_, many) in copy.passed_over.items()})
    listed_names = listed(copies, by_feature=export.by_feature)
    names = [name for name in listed_names if name.partition(ARROW)[0] in of_type]
    types = {kind: TypeMarks(kind, own, copies) for kind, own in of_type.items()}
    sources = {name: SourceFacts(name, types[name.partition(ARROW)[0]]) for name in names}
    layers = list[LabelledLayer]()
    if len(sources) > 1:
        found = _by_feature(sources) if export.by_feature else _by_type(sources, copies, marks)
        layers = _shared([_on_scale(layer, export.controls) for layer in found])
    relations = list(_relations(export, copies))
    if relations and not layers:
        layers = [replace(as_one_layer(export, copies, marks), source=MARKS, no_decision=NoDecision.TOGETHER)]
    decided = not any(layer.of_given for layer in layers) and _relations_differ(copies)
    if decided and _all_marks(copies).of.are_given:
        layers = [
            replace(layer, no_decision=NoDecision.GIVEN)
            if layer.no_decision in (None, NoDecision.TOGETHER)
            else layer
            for layer in layers
        ]
        relations = _decided(relations, by_feature=export.by_feature)
    yield from _joined(layers, copies)
    yield from relations
    for kind, many in passed_over.items():
        source = f"{kind}{ARROW}" if export.by_feature else kind
        yield LabelledLayer(source, {short(kind): many}, "texts", NoDecision.GIVEN)
    linked = (relation.type for copy in copies for relation in copy.relations if relation.chain)
    for name in dict.fromkeys(linked):
        yield LabelledLayer(name, {}, "texts", NoDecision.CHAIN)


def _relations(export: Export, copies: Sequence[DocumentCopy]) -> Iterator[LabelledLayer]:
    """Yield each type of relations that are no chains, and each feature of one."""
    links = [link for copy in copies for link in copy.relations if not link.chain]
    for name in listed(copies, by_feature=export.by_feature, relations=True):
        kind, _, feature = name.partition(ARROW)
        values = (link.features.get(feature, "") if feature else kind for link in links if link.type == kind)
        labels = by_count(Counter(value for value in values if value.strip()).items())
        reason = (
            NoDecision.CHAIN if is_called_chain(kind) else NoDecision.RELATION if labels else NoDecision.BLANK
        )
        yield LabelledLayer(name, labels, "texts", reason, of_relations=True)


def _decided(relations: Sequence[LabelledLayer], *, by_feature: bool) -> list[LabelledLayer]:
    """Return relations of which people decided as layers: all types as one where these are the categories."""
    plain = [each for each in relations if each.no_decision is NoDecision.RELATION]
    if by_feature or len(plain) < 2:
        return [replace(each, no_decision=None) if each in plain else each for each in relations]
    types = {each.type: each.marks for each in plain}
    return [LabelledLayer(RELATIONS, by_count(types.items()), "texts", of_relations=True), *relations]


def _relations_differ(copies: Sequence[DocumentCopy]) -> bool:
    """Say whether people have different relations, that are no chains, in the same document."""
    by_document: dict[str, set[frozenset[object]]] = {}
    for copy in copies:
        places = {mark.id: mark.spans for mark in copy.marks if mark.id}
        own = frozenset(
            (
                link.type,
                *sorted((role, places.get(name, ())) for role, name in link.arguments),
                *link.features.items(),
            )
            for link in copy.relations
            if not is_chain(link)
        )
        by_document.setdefault(copy.document, set()).add(own)
    return any(len(different) > 1 for different in by_document.values())


def _shared(layers: Sequence[LabelledLayer]) -> list[LabelledLayer]:
    """Return the layers, where none is of several people those of one."""
    if any(layer.no_decision in (None, NoDecision.TOGETHER) for layer in layers):
        return list(layers)
    return [
        replace(layer, no_decision=None) if layer.no_decision is NoDecision.ONE_PERSON else layer
        for layer in layers
    ]


def _by_feature(sources: Mapping[str, SourceFacts]) -> list[LabelledLayer]:
    """Return what types are where a feature has their category: those features, or the type without any."""
    layers = {name: _layer(own, shorten=True) for name, own in sources.items()}
    earlier: list[SourceFacts] = []
    for name, own in sources.items():
        if layers[name].no_decision is None:
            if any(own.type == other.type and _says_the_same(own, other) for other in earlier):
                layers[name] = replace(layers[name], no_decision=NoDecision.SAME)
            else:
                earlier.append(own)
    given = {own.type for own in earlier if own.are_units}
    layers |= {own.name: replace(layers[own.name], of_given=own.type in given) for own in earlier}
    return _with_types(_without_given([*layers.values()], sources), sources)


def _by_type(
    sources: Mapping[str, SourceFacts], copies: Sequence[DocumentCopy], marks: Sequence[ParsedMark]
) -> list[LabelledLayer]:
    """Return what types are where they are the categories, and what their features are.

    Types are one layer unless many of their marks overlap; then what one person alone used is none.
    """
    layers = {name: _layer(own, shorten=False) for name, own in sources.items()}
    differing = set[str]()

    def are_given(types: Sequence[str]) -> bool:
        if differing.isdisjoint(types):
            return False
        own = [sources[name].of for name in types]
        return all(each.coincide for each in own) and sum(each.stretches for each in own) >= ENOUGH_MARKS

    for name, own in sources.items():
        if own.feature and layers[name].no_decision is None:
            reason = None if own.of.coincide else NoDecision.OF_CHOSEN
            layers[name] = replace(layers[name], no_decision=reason, of_given=own.of.coincide)
            differing |= {own.type} if own.of.coincide and own.differ else set()
    types = [name for name, own in sources.items() if not own.feature]
    given = [name for name in types if are_given([name])]
    layers |= {name: replace(layers[name], no_decision=NoDecision.GIVEN) for name in given}
    of_several = [name for name in types if layers[name].no_decision is not NoDecision.ONE_PERSON]
    together = next((each for each in (types, of_several) if not _are_apart(copies, each)), [])
    if not together:
        return _without_given([*layers.values()], sources)
    others = [layer for name, layer in layers.items() if name not in together]
    alone = together == types and not any(layer.of_given for layer in others)
    if alone and not others:
        return []
    reason = NoDecision.TOGETHER if alone else NoDecision.GIVEN if are_given(together) else None
    every = [mark for mark in marks if mark.type in together]
    name = MARKS if together == types else f" {OR} ".join(sorted(together))
    counts = by_count(Counter(mark.type for mark in every).items())
    are_units = together == types and _all_marks(copies).are_units
    return [LabelledLayer(name, counts, _kind(every), reason, of_given=are_units), *others]


def _are_apart(copies: Sequence[DocumentCopy], types: Collection[str]) -> bool:
    """Say whether marks of some types often overlap those of another, or are of another kind."""
    own = [[mark for mark in copy.marks if mark.type in types] for copy in copies]
    overlaps = sum(map(len, map(_overlapping, own)))
    every = list(chain(*own))
    return _kind(every) == "mixed" or overlaps > OFTEN * sum(bool(mark.spans) for mark in every)


def _on_scale(layer: LabelledLayer, controls: Mapping[str, Control]) -> LabelledLayer:
    """Return a layer with the scale of its labels, but for types of marks, which are names.

    In a tool's export each was chosen, so that none stands for a missing one.
    """
    _, _, feature = (layer.source or "").partition(ARROW)
    control = controls.get(layer.source or "") if feature else "kind"
    found = replace(find_scale(layer.labels, control=control), missing=())
    # Numbers that hardly come back are decisions where the tool asked for numbers.
    asked_for = control is not None and found.scale != "nominal" and layer.no_decision is NoDecision.FREE_TEXT
    no_decision = None if asked_for else layer.no_decision
    return replace(layer, scale=found, no_decision=no_decision)


def _with_types(layers: Sequence[LabelledLayer], sources: Mapping[str, SourceFacts]) -> list[LabelledLayer]:
    """Return the layers, with the type itself where none of a type's features is a decision.

    Marks that converters made of markup, or that were there before, are none by their type either.
    """
    aside = {NoDecision.MARKUP, NoDecision.GIVEN, None}
    decided = {layer.type for layer in layers if layer.no_decision in aside}
    complete: list[LabelledLayer] = []
    for layer in layers:
        first = all(layer.type != other.type for other in complete)
        if layer.type not in decided and first and layer.source != layer.type:
            own = sources[layer.source or ""]
            typed = _layer(SourceFacts(layer.type, own.of), shorten=True)
            if typed.no_decision is None:
                complete.append(replace(typed, source=f"{layer.type}{ARROW}"))
        complete.append(layer)
    return complete


def _joined(layers: Sequence[LabelledLayer], copies: Sequence[DocumentCopy]) -> Iterator[LabelledLayer]:
    """Yield layers, those of types that annotators exchange and never put on one stretch as one."""
    types = {
        layer.type: layer
        for layer in layers
        if layer.no_decision is None
        and layer.kind == "texts"
        and layer.source in (layer.type, f"{layer.type}{ARROW}")
    }
    group_of = {name: [name] for name in types}
    for one, other in _exchanged(copies, types):
        if group_of[one] is not group_of[other]:
            joined = sorted([*group_of[one], *group_of[other]])
            group_of |= dict.fromkeys(joined, joined)
    for layer in layers:
        group = group_of.get(layer.type, []) if layer is types.get(layer.type) else []
        if len(group) < 2:
            yield layer
        elif group[0] == layer.type:
            labels = {name: count for member in group for name, count in types[member].labels.items()}
            yield LabelledLayer(f" {OR} ".join(group), by_count(labels.items()), "texts")


def _exchanged(copies: Sequence[DocumentCopy], types: Collection[str]) -> list[tuple[str, str]]:
    """Return every two types that annotators exchange and hardly ever put on one stretch, in order."""
    met: Counter[tuple[str, str]] = Counter()
    swapped: Counter[tuple[str, str]] = Counter()
    times: Counter[str] = Counter()
    by_document: dict[str, list[DocumentCopy]] = {}
    for copy in copies:
        by_document.setdefault(copy.document, []).append(copy)
        times.update(mark.type for mark in copy.marks if mark.type in types)
    for of_document in by_document.values():
        beside: dict[tuple[int, int], set[str]] = {}
        for mine, theirs, own, other in _meetings(of_document, types):
            if mine == theirs:
                met[min(own[1], other[1]), max(own[1], other[1])] += own[1] != other[1]
            else:
                beside.setdefault((own[0], theirs), set()).add(other[1])
                beside.setdefault((other[0], mine), set()).add(own[1])
        kinds = {number: mark.type for number, mark in _numbered(of_document)}
        for (number, _), found in beside.items():
            # The other marked the stretch as something else, and not as the same too.
            if kinds[number] not in found:
                for name in found:
                    swapped[min(kinds[number], name), max(kinds[number], name)] += 1
    both = [
        two
        for two in swapped
        if swapped[two] >= max(LEAST_EXCHANGED, EXCHANGED * min(times[name] for name in two))
        and met[two] <= OFTEN * min(times[name] for name in two)
    ]
    return sorted(both, key=lambda two: (-swapped[two], two))


def _numbered(copies: Sequence[DocumentCopy]) -> Iterator[tuple[int, ParsedMark]]:
    return enumerate(mark for copy in copies for mark in copy.marks)


# The number of a mark, and its type.
Placed = tuple[int, str]


def _meetings(
    copies: Sequence[DocumentCopy], types: Collection[str]
) -> Iterator[tuple[int, int, Placed, Placed]]:
    """Yield every two marks of some types that overlap, each with the number of its copy of the document."""
    owner = [place for place, copy in enumerate(copies) for _ in copy.marks]
    stretches = sorted(
        (start, end, number, mark.type)
        for number, mark in _numbered(copies)
        if mark.type in types
        for start, end in mark.spans
        if start < end
    )
    open_ones: list[tuple[int, int, int, str]] = []
    for start, end, number, kind in stretches:
        open_ones = [each for each in open_ones if each[1] > start]
        for _, _, earlier, other in open_ones:
            yield owner[number], owner[earlier], (number, kind), (earlier, other)
        open_ones.append((start, end, number, kind))


def _layer(own: SourceFacts, *, shorten: bool) -> LabelledLayer:
    """Return what a source is: the values of a feature or the name of a type, and why it is no layer."""
    named = shorten and not own.feature
    labels = {short(name): many for name, many in own.labels.items()} if named else own.labels
    kind = own.of.kind
    if kind == "mixed":
        kind = _kind(mark for _, mark in own.of.marks if own.value(mark).strip())
    told = (reason for reason, holds in ROLES if (own.feature or reason in OF_TYPES) and holds(own))
    reason = next(told, NoDecision.MIXED if kind == "mixed" else None) if labels else NoDecision.BLANK
    return LabelledLayer(own.name, labels, kind, reason)


def _without_given(
    layers: Sequence[LabelledLayer], sources: Mapping[str, SourceFacts]
) -> list[LabelledLayer]:
    """Return the layers, those that are the same in every copy said to be so where others are not.

    Where all are the same, copies are, and nothing tells what was there before.
    """
    decided = [layer.source or "" for layer in layers if layer.no_decision is None]
    given = {name for name in decided if sources[name].is_given(ENOUGH_GIVEN)}
    if len(given) == len(decided):
        return list(layers)
    return [
        replace(layer, no_decision=NoDecision.GIVEN) if layer.source in given else layer for layer in layers
    ]


def _kind(marks: Iterable[ParsedMark]) -> Kind:
    spanned = {bool(mark.spans) for mark in marks}
    if len(spanned) > 1:
        return "mixed"
    return "items" if spanned == {False} else "texts"


def _overlapping(marks: Sequence[ParsedMark]) -> set[int]:
    """Return the numbers of the marks that overlap one of another type.

    Of two that overlap one starts within the other: looked at from the left, its start is before the
    furthest end of a type; looked at from the right, the nearest start of a type is before its end.
    """
    stretches = sorted(
        (start, end, mark.type, number)
        for number, mark in enumerate(marks)
        for start, end in mark.spans
        if start < end
    )
    overlapping: set[int] = set()
    furthest: dict[str, int] = {}
    for start, end, name, number in stretches:
        if any(start < reached for other, reached in furthest.items() if other != name):
            overlapping.add(number)
        furthest[name] = max(end, furthest.get(name, 0))
    nearest: dict[str, int] = {}
    for start, end, name, number in reversed(stretches):
        if any(begun < end for other, begun in nearest.items() if other != name):
            overlapping.add(number)
        nearest[name] = start
    return overlapping
