"""Which of the marks or relations in an export make up a layer, and what their label is."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from enum import Enum
from typing import Literal, TypeVar

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, did_you_mean, for_each, refused
from reportgen.readers.annotations import Codes, Regions
from reportgen.readers.brat import TRIGGER
from reportgen.readers.reader import Copy, Export, ParsedMark, Relation
from reportgen.readers.scales import Control, FoundScale, find_scale

Result = TypeVar("Result")

ARROW = "->"
# Between types that are the categories of one layer.
OR = "|"
# What stands for all types at once, where none is called so.
MARKS = "marks"
RELATIONS = "relations"
NAMES_SHOWN = 12
# What is between a type and the feature whose relations are meant.
PART = "|"

# What a mark is labelled that lacks the feature, and one whose feature says nothing. GATE counts them apart
# too (guide, 10.5.2): a mark without a value is no mark that is missing.
ABSENT = "(absent)"
EMPTY_VALUE = "(empty)"


@dataclass(frozen=True)
class LabelSource:
    """The marks of `type` (None: of any) with the value of `feature` as label (None: their type).

    `said` is a sentence on the choice, empty where there was none. With `relations` it is relations
    instead of marks. `others` are further types, where several are the categories of one layer.
    """

    type: str | None
    feature: str | None
    said: str = ""
    shorten: bool = False
    relations: bool = False
    others: tuple[str, ...] = ()

    def is_of(self, types: Collection[str]) -> bool:
        """Say whether the layer has any of some types."""
        return self.type is None or not {self.type, *self.others}.isdisjoint(types)

    def holds(self, item: ParsedMark | Relation) -> bool:
        """Say whether the mark or relation belongs to the layer."""
        of_kind = self.relations and not item.chain if isinstance(item, Relation) else not self.relations
        return of_kind and self.is_of((item.type,))

    def label(self, item: ParsedMark | Relation) -> str:
        """Return the label: the type, or the feature's value, with words for one that is absent or empty."""
        if self.feature is None:
            return short(item.type) if self.shorten else item.type
        value = item.features.get(self.feature)
        if value is None:
            return ABSENT
        return value if value.strip() else EMPTY_VALUE


def short(name: str) -> str:
    """Return a type's name without the package in front of it, as UIMA has it."""
    return name.rpartition(".")[2] or name


# Types with their features, in order of first occurrence.
Types = Mapping[str, Sequence[str]]


def types_in(copies: Iterable[Copy], *, relations: bool = False) -> dict[str, list[str]]:
    """Return the types of marks, or of relations that are no chains, with their features."""
    types: dict[str, dict[str, None]] = {}
    for copy in copies:
        for item in [each for each in copy.relations if not each.chain] if relations else copy.marks:
            types.setdefault(item.type, {}).update(dict.fromkeys(item.features))
    return {name: list(features) for name, features in types.items()}


def listed(copies: Iterable[Copy], *, by_feature: bool, relations: bool = False) -> list[str]:
    """Return what `source` can be, in order of first occurrence: types, and "Type->feature"."""
    pairs = _sources(types_in(copies, relations=relations), by_feature=by_feature)
    return [f"{name}{ARROW}{feature}" if feature else name for name, feature in pairs]


def _sources(types: Types, *, by_feature: bool) -> list[tuple[str, str]]:
    """Return each type with each of its features, and alone where that can be a source."""
    return [
        (name, feature)
        for name, features in types.items()
        for feature in (*(() if features and by_feature else ("",)), *features)
    ]


def find_source(export: Export, copies: Sequence[Copy], asked: str | None) -> LabelSource:
    """Return what a layer's `source` means in this export: marks or, where no mark is called so, relations.

    "marks" is what counts where the campaign chooses nothing, "relations" are those of every type. Raises
    BadInput where there is no such type or feature, and where the category could be any of several features
    and the campaign does not say which.
    """
    marks, relations = types_in(copies), types_in(copies, relations=True)
    written = export.default if asked is None or _is_all_marks(asked, marks) else asked
    if written is None:
        return _only_source(marks) if export.by_feature else LabelSource(None, None)
    name = _name(written)
    several = [part.strip() for part in written.split(OR)]
    if len(several) > 1 and not _matching(name, marks) and not _matching(name, relations):
        _refuse_chains(copies, name, any_type=False)
        return _of_types(export, marks, several)
    if _matching(name, marks):
        return _of_type(export, marks, written, relations=False)
    if _matching(name, relations):
        return _of_type(export, relations, written, relations=True)
    if name == RELATIONS and relations:
        sentence = "relations of every type, by their arguments."
        return LabelSource(None, None, sentence, shorten=export.by_feature, relations=True)
    _refuse_chains(copies, name, any_type=name == RELATIONS)
    types = {name: [*marks.get(name, ()), *relations.get(name, ())] for name in (*marks, *relations)}
    raise _unknown(export, written, types)


def _refuse_chains(copies: Sequence[Copy], name: str, *, any_type: bool) -> None:
    """Raise BadInput where chains are asked for: as units, two that differ by a mention would be apart."""
    types = {relation.type for copy in copies for relation in copy.relations if relation.chain}
    if any(any_type or name in {each, short(each), short(each).partition(PART)[0]} for each in types):
        message = f'"{name}" are chains of mentions (coreference), which are not compared yet.'
        remedy = "Leave this layer out; the mentions can be compared, as marks of their type."
        raise refused("", key="source", message=message, remedy=remedy)


def find_candidates(export: Export, asked: str | None) -> LabelSource:
    """Return the marks of any annotator that a layer of candidates consists of, whatever their features say.

    Raises BadInput where no mark is of that type.
    """
    types = types_in(export.copies)
    if asked is None or _is_all_marks(asked, types):
        return LabelSource(None, None)
    matching = _matching(_name(asked), types)
    if len(matching) != 1:
        raise _unknown(export, asked, types)
    return LabelSource(matching[0], None)


def _is_all_marks(asked: str, types: Types) -> bool:
    return asked.strip() == MARKS and not _matching(MARKS, types)


def _name(written: str) -> str:
    """Return the type in "Type->feature"."""
    return written.partition(ARROW)[0].strip()


def _matching(name: str, types: Types) -> list[str]:
    """Return the types that are called so, or else those that are without the package in front."""
    if name in types:
        return [name]
    return [type_name for type_name in types if short(type_name) == name]


def _of_type(export: Export, types: Types, written: str, *, relations: bool) -> LabelSource:
    _, arrow, feature = written.partition(ARROW)
    feature, matching = feature.strip(), _matching(_name(written), types)
    # "Type->" is the type itself, where it would else mean one of its features.
    known = ("",) if export.by_feature else ()
    if len(matching) != 1 or (arrow and feature not in (*known, *types[matching[0]])):
        raise _unknown(export, written, types)
    name, features = matching[0], types[matching[0]]
    if not arrow and export.by_feature and features:
        if len(features) > 1:
            raise _ambiguous({name: features})
        feature = features[0]
    labelled = f", labelled by {feature}" if feature else ""
    what = f"{RELATIONS if relations else MARKS} of {short(name)}{labelled}"
    sentence = f"{what}, by their arguments." if relations else f"{what}."
    return LabelSource(name, feature or None, sentence, shorten=export.by_feature, relations=relations)


def _of_types(export: Export, types: Types, names: Sequence[str]) -> LabelSource:
    """Return the marks of several types, which are the categories of one layer."""
    found = [_matching(name, types) for name in names]
    for name, matching in zip(names, found, strict=True):
        if len(matching) != 1:
            raise _unknown(export, name, types)
    first, *others = (matching[0] for matching in found)
    shown = ", ".join(map(short, (first, *others)))
    return LabelSource(first, None, f"marks of {shown}.", shorten=export.by_feature, others=tuple(others))


def _only_source(types: Types) -> LabelSource:
    """Return the only thing that is labelled, by its feature where it has one."""
    pairs = _sources(types, by_feature=True)
    if len(pairs) > 1:
        raise _ambiguous(types)
    name, feature = pairs[0] if pairs else ("", "")
    return LabelSource(name or None, feature or None, shorten=True)


def _unknown(export: Export, asked: str, types: Types) -> BadInput:
    message = f'the export has no annotations "{asked}".'
    remedy = did_you_mean(asked, _as_written(types, by_feature=export.by_feature))
    return refused("", key="source", message=message, remedy=remedy)


def _ambiguous(types: Types) -> BadInput:
    shown = _as_written(types, by_feature=True)
    names = ", ".join([*shown[:NAMES_SHOWN], *(["…"] if len(shown) > NAMES_SHOWN else [])])
    message = f"the export has several things that are labelled: {names}."
    remedy = (
        f'Choose one under [[layers]], for example source = "{shown[0]}"; with `reportgen agree`, write '
        f'--columns "label={shown[0]}".'
    )
    return refused("", key="source", message=message, remedy=remedy)


def _as_written(types: Types, *, by_feature: bool) -> list[str]:
    """Return sources as one would write them: without packages where that is clear, "X" for "X->X"."""
    written: list[str] = []
    for name, feature in _sources(types, by_feature=by_feature):
        brief = short(name) if _matching(short(name), types) == [name] else name
        twin = by_feature and feature == name and len(types[name]) == 1
        written.append(f"{brief}{ARROW}{feature}" if feature and not twin else brief)
    return written


# Which layers an export of marks can have, for who describes it in a campaign.

# Marks of stretches of text, labels of whole documents, units or cells, or some of each.
Kind = Literal["texts", "items", "mixed"]
ENOUGH_VALUES = 50
SHARE_OF_VALUES = 0.1
# Marks of different types are layers of their own where more of them than this overlap.
OFTEN = 0.05
# Types are categories of one layer where this share of the rarer one's marks, and so many, are marks of the
# other type to somebody else.
EXCHANGED = 0.1
LEAST_EXCHANGED = 10


class NoDecision(Enum):
    """Why what a layer's marks say is nothing that annotators decided; a closed list."""

    FREE_TEXT = "free text or names: hardly a value occurs twice"
    IDENTIFIERS = "running numbers: no value occurs twice in a document"
    CONSTANT = "every mark has the same value"
    BLANK = "nearly always blank"
    MARKUP = "names of markup"
    GIVEN = "the same in every copy of a document, as what was there before"


# Fewer marks than these show nothing of what they are.
ENOUGH_MARKS = 20
NEARLY = 0.95
# So many marks that are the same in every copy were there before: annotators hardly ever agree on all.
ENOUGH_GIVEN = 100
# Elements of HTML and TEI, as converters leave them.
MARKUP = frozenset(
    (
        *(
            "a",
            "abbr",
            "article",
            "aside",
            "b",
            "blockquote",
            "body",
            "br",
            "code",
            "dd",
            "div",
            "dl",
            "dt",
            "em",
        ),
        *(
            "figcaption",
            "figure",
            "footer",
            "front",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "head",
            "header",
            "hi",
        ),
        *(
            "hr",
            "html",
            "i",
            "img",
            "lb",
            "li",
            "link",
            "main",
            "meta",
            "nav",
            "ol",
            "p",
            "pb",
            "pre",
            "q",
            "s",
        ),
        *(
            "script",
            "section",
            "small",
            "span",
            "strong",
            "style",
            "sub",
            "sup",
            "table",
            "tbody",
            "td",
            "text",
        ),
        *("th", "thead", "title", "tr", "u", "ul", "w"),
    )
)


@dataclass(frozen=True)
class LabelledLayer:
    """One thing that was labelled: its source, its labels with their counts, the commonest first.

    `source` is None for everything that the export holds; `scale` is what the labels are on. `no_decision`
    says why it is nothing that annotators decided, None where it is.
    """

    source: str | None
    labels: Mapping[str, int]
    kind: Kind
    no_decision: NoDecision | None = None
    scale: FoundScale = field(default_factory=FoundScale)

    @property
    def marks(self) -> int:
        """How many labels were given."""
        return sum(self.labels.values())

    @property
    def is_free_text(self) -> bool:
        """Say whether there are so many different labels that they hardly are categories."""
        return len(self.labels) > max(ENOUGH_VALUES, SHARE_OF_VALUES * self.marks)

    @property
    def type(self) -> str:
        """Return the type of its marks."""
        return (self.source or "").partition(ARROW)[0]


def by_count(labels: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Return labels with their counts, the commonest first."""
    return dict(sorted(labels, key=lambda label: (-label[1], label[0])))


def as_one_layer(export: Export, copies: Sequence[Copy], marks: Sequence[ParsedMark]) -> LabelledLayer:
    """Return everything as one layer: by the only feature there is where features hold categories."""
    sources = listed(copies, by_feature=export.by_feature)
    if export.by_feature and len(sources) == 1:
        of_copies = [(copy, mark) for copy in copies for mark in copy.marks]
        layer = _layer(sources[0], of_copies, shorten=True)
        return replace(_on_scale(layer, export.controls), source=None, no_decision=None)
    names = Counter(short(mark.type) if export.by_feature else mark.type for mark in marks)
    return _on_scale(LabelledLayer(None, by_count(names.items()), _kind(marks)), {})


def _on_scale(layer: LabelledLayer, controls: Mapping[str, Control]) -> LabelledLayer:
    """Return a layer with the scale of its labels, but for types of marks, which are names.

    In a tool's export each was chosen, so that none stands for a missing one.
    """
    _, _, feature = (layer.source or "").partition(ARROW)
    control = controls.get(layer.source or "") if feature else "kind"
    found = replace(find_scale(layer.labels, control=control), missing=())
    # Numbers that hardly come back are decisions where the tool asked for numbers.
    asked_for = feature and control is not None and layer.no_decision is NoDecision.FREE_TEXT
    no_decision = None if asked_for else layer.no_decision
    return replace(layer, scale=found, no_decision=no_decision)


def control_of(export: Export, copies: Sequence[Copy], source: LabelSource) -> Control | None:
    """Return what annotators gave the labels of a layer with, None where the export does not tell."""
    if source.feature is None or source.relations:
        return "kind"
    types = [source.type] if source.type is not None else types_in(copies)
    controls = {export.controls.get(f"{name}{ARROW}{source.feature}") for name in types}
    return controls.pop() if len(controls) == 1 else None


def separate_layers(
    export: Export, copies: Sequence[Copy], marks: Sequence[ParsedMark]
) -> Iterator[LabelledLayer]:
    """Yield each thing that was labelled where there are several that one token or document can bear.

    Types that exclude each other, and that annotators exchange, are one; what is no decision says why.
    """
    names = listed(copies, by_feature=export.by_feature)
    if not export.by_feature:
        names = list(dict.fromkeys(mark.type for mark in marks))
    overlaps = sum(len(_overlapping(copy.marks)) for copy in copies)
    spanned = sum(bool(mark.spans) for mark in marks)
    apart = export.by_feature or _kind(marks) == "mixed" or overlaps > OFTEN * spanned
    if len(names) < 2 or not apart:
        return
    of_type: dict[str, list[tuple[Copy, ParsedMark]]] = {}
    for copy in copies:
        for mark in copy.marks:
            of_type.setdefault(mark.type, []).append((copy, mark))
    layers = [
        _layer(name, of_type.get(name.partition(ARROW)[0], []), shorten=export.by_feature) for name in names
    ]
    layers = [_on_scale(layer, export.controls) for layer in layers]
    layers = _with_types(_without_given(layers, of_type), of_type, shorten=export.by_feature)
    yield from _joined([layer for layer in layers if layer.labels], copies)


def _with_types(
    layers: Sequence[LabelledLayer],
    of_type: Mapping[str, Sequence[tuple[Copy, ParsedMark]]],
    *,
    shorten: bool,
) -> list[LabelledLayer]:
    """Return the layers, with the type itself where none of a type's features is a decision.

    Marks that converters made of markup, or that were there before, are none by their type either.
    """
    aside = {NoDecision.MARKUP, NoDecision.GIVEN, None}
    decided = {layer.type for layer in layers if layer.no_decision in aside}
    complete: list[LabelledLayer] = []
    for layer in layers:
        first = all(layer.type != other.type for other in complete)
        if layer.type not in decided and first and layer.source != layer.type:
            own = _layer(layer.type, of_type.get(layer.type, []), shorten=shorten)
            complete.append(replace(own, source=f"{layer.type}{ARROW}"))
        complete.append(layer)
    return complete


def _joined(layers: Sequence[LabelledLayer], copies: Sequence[Copy]) -> Iterator[LabelledLayer]:
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


def _exchanged(copies: Sequence[Copy], types: Collection[str]) -> list[tuple[str, str]]:
    """Return every two types that annotators exchange and hardly ever put on one stretch, in order."""
    met: Counter[tuple[str, str]] = Counter()
    swapped: Counter[tuple[str, str]] = Counter()
    times: Counter[str] = Counter()
    by_document: dict[str, list[Copy]] = {}
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


def _numbered(copies: Sequence[Copy]) -> Iterator[tuple[int, ParsedMark]]:
    return enumerate(mark for copy in copies for mark in copy.marks)


# The number of a mark, and its type.
Placed = tuple[int, str]


def _meetings(copies: Sequence[Copy], types: Collection[str]) -> Iterator[tuple[int, int, Placed, Placed]]:
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


def _layer(name: str, marks: Sequence[tuple[Copy, ParsedMark]], *, shorten: bool) -> LabelledLayer:
    """Return the labels of a type: the values of a feature, or its own name."""
    type_name, _, feature = name.partition(ARROW)
    if feature:
        labelled = [(copy, mark) for copy, mark in marks if mark.features.get(feature, "").strip()]
        labels = Counter(mark.features[feature] for _, mark in labelled)
        layer = LabelledLayer(name, by_count(labels.items()), _kind([mark for _, mark in labelled]))
        return replace(layer, no_decision=_no_decision(layer, feature, labelled, len(marks)))
    counts = {short(type_name) if shorten else type_name: len(marks)} if marks else {}
    return LabelledLayer(name, counts, _kind([mark for _, mark in marks]))


def _no_decision(
    layer: LabelledLayer, feature: str, labelled: Sequence[tuple[Copy, ParsedMark]], marks: int
) -> NoDecision | None:
    """Return why the values of a feature are no decision; `marks` is how many could have one."""
    if layer.is_free_text:
        return NoDecision.FREE_TEXT
    if marks < ENOUGH_MARKS:
        return None
    if len(labelled) <= (1 - NEARLY) * marks:
        return NoDecision.BLANK
    names = {value.casefold() for value in layer.labels}
    # Single letters are what many call their categories.
    is_markup = names <= MARKUP and any(len(name) > 1 for name in names)
    # Annotators may well decide what is a title; what converters left is the same for all.
    if is_markup and _is_given(layer, labelled, ENOUGH_MARKS):
        return NoDecision.MARKUP
    if len(layer.labels) == 1 and len(labelled) >= NEARLY * marks:
        return NoDecision.CONSTANT
    by_copy: dict[int, list[str]] = {}
    for copy, mark in labelled:
        by_copy.setdefault(id(copy), []).append(mark.features[feature])
    several = [values for values in by_copy.values() if len(values) > 1]
    once = sum(len(set(values)) == len(values) for values in several)
    numbered = all(any(letter.isdigit() for letter in value) for value in layer.labels)
    return NoDecision.IDENTIFIERS if several and numbered and once >= NEARLY * len(several) else None


def _without_given(
    layers: Sequence[LabelledLayer], of_type: Mapping[str, Sequence[tuple[Copy, ParsedMark]]]
) -> list[LabelledLayer]:
    """Return the layers, those that are the same in every copy said to be so where others are not.

    Where all are the same, copies are, and nothing tells what was there before.
    """
    given = {layer.source for layer in layers if _is_given(layer, of_type.get(layer.type, []), ENOUGH_GIVEN)}
    if all(layer.source in given for layer in layers if layer.no_decision is None):
        return list(layers)
    return [
        replace(layer, no_decision=NoDecision.GIVEN)
        if layer.source in given and layer.no_decision is None
        else layer
        for layer in layers
    ]


def _is_given(layer: LabelledLayer, marks: Sequence[tuple[Copy, ParsedMark]], least: int) -> bool:
    """Say whether several annotators' copies of a document have the same of a layer, so many at least."""
    _, _, feature = (layer.source or "").partition(ARROW)
    of_copy: dict[tuple[str, str], set[tuple[object, str]]] = {}
    for copy, mark in marks:
        own = of_copy.setdefault((copy.document, copy.annotator), set())
        own.add((mark.spans, mark.features.get(feature, "")))
    by_document: dict[str, list[set[tuple[object, str]]]] = {}
    for (document, _), values in of_copy.items():
        by_document.setdefault(document, []).append(values)
    shared = [values for values in by_document.values() if len(values) > 1]
    enough = sum(len(values[0]) for values in shared) >= least
    return enough and all(one == values[0] for values in shared for one in values)


def parts_of(source: str) -> tuple[str, ...]:
    """Return the types, or the type and feature, that a source names."""
    return tuple(part.strip().removesuffix(ARROW) for part in source.split(f" {OR} "))


def _kind(marks: Sequence[ParsedMark]) -> Kind:
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


# Where candidates are: the stretches that marks of a type or layer cover, by anybody.


def candidate_sources(export: Export, asked: Mapping[str, str | None]) -> dict[str, LabelSource]:
    """Return the marks that layers of candidates consist of, by the key that asks for them.

    Raises BadInput, which names the key, for each that the export does not have.
    """
    sources = for_each(asked, lambda key: under_key(key, lambda: find_candidates(export, asked[key])))
    return dict(zip(asked, sources, strict=True))


def under_key(key: str, step: Callable[[], Result]) -> Result:
    """Return the step's result; raise BadInput with its problems under a key of campaign.toml."""
    try:
        return step()
    except BadInput as error:
        raise BadInput(replace(problem, key=key) for problem in error.problems) from None


def regions(copies: Iterable[Copy], documents: Sequence[str], source: LabelSource) -> Regions:
    """Return where anybody's marks of a source are in the texts of `documents`."""
    codes = {name: code for code, name in enumerate(documents)}
    marks = [
        (codes[copy.document], mark)
        for copy in copies
        if copy.document in codes
        for mark in copy.marks
        if mark.spans and source.holds(mark)
    ]
    document = np.array([code for code, _ in marks], dtype=np.int64)
    return Regions(document, *stretches_of([mark for _, mark in marks]))


def stretches_of(marks: Sequence[ParsedMark]) -> tuple[Codes, Codes, Codes]:
    """Return the stretches of marks: the number of the mark, start, end."""
    spans = [(number, *span) for number, mark in enumerate(marks) for span in mark.spans]
    columns = np.array(spans, dtype=np.int64).reshape(-1, 3)
    return columns[:, 0], columns[:, 1], columns[:, 2]


# Relations as marks: of the stretches of their arguments, labelled by type and roles.

NO_STRETCH = "an argument of the relation is not a marked stretch of text"


def as_marks(copy: Copy, source: LabelSource) -> Iterator[tuple[ParsedMark, str]]:
    """Yield each relation of a layer as a mark, with what its label says of its arguments.

    The stretches are those of the arguments, in the order of the text, so that a relation whose
    direction is swapped has the same stretches and has another label: " (Former, New)" names the
    roles in the order of their arguments in the text. An argument that is an event means its trigger.
    The mark has no stretch where an argument has none.
    """
    marked = {mark.id: mark.spans for mark in copy.marks if mark.id}
    # An event is where its trigger is.
    triggers = {
        event.id: marked.get(name, ())
        for event in copy.relations
        for role, name in event.arguments
        if event.id and role == TRIGGER
    }
    stretches = {**triggers, **marked}
    for relation in copy.relations:
        if source.holds(relation):
            arguments = sorted((stretches.get(name, ()), role) for role, name in relation.arguments)
            of_arguments = [spans for spans, _ in arguments]
            spans = sorted(span for spans in of_arguments for span in spans) if all(of_arguments) else ()
            # A relation may have no roles, as an equivalence.
            roles = [role for _, role in arguments]
            mark = ParsedMark(relation.type, tuple(spans), relation.features, relation.line)
            yield mark, f" ({', '.join(roles)})" if any(roles) else ""
