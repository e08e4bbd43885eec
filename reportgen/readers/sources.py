"""Which of the marks or relations in an export make up a layer, and what their label is."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

import numpy as np

from reportgen.base.errors import BadInput, did_you_mean, for_each, refused
from reportgen.readers.annotations import Codes, Regions
from reportgen.readers.brat import TRIGGER
from reportgen.readers.reader import Copy, Export, ParsedMark, Relation
from reportgen.readers.scales import FoundScale

Result = TypeVar("Result")

ARROW = "->"
# What stands for all types at once, where none is called so.
MARKS = "marks"
RELATIONS = "relations"
NAMES_SHOWN = 12

# What a mark is labelled that lacks the feature, and one whose feature says nothing. GATE counts them apart
# too (guide, 10.5.2): a mark without a value is no mark that is missing.
ABSENT = "(absent)"
EMPTY_VALUE = "(empty)"


@dataclass(frozen=True)
class LabelSource:
    """The marks of `type` (None: of any) with the value of `feature` as label (None: their type).

    `said` is a sentence on the choice, empty where there was none. With `relations` it is relations
    instead of marks.
    """

    type: str | None
    feature: str | None
    said: str = ""
    shorten: bool = False
    relations: bool = False

    def holds(self, item: ParsedMark | Relation) -> bool:
        """Say whether the mark or relation belongs to the layer."""
        of_kind = isinstance(item, Relation) == self.relations
        return of_kind and (self.type is None or item.type == self.type)

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
    """Return the types of marks, or of relations, with their features."""
    types: dict[str, dict[str, None]] = {}
    for copy in copies:
        for item in copy.relations if relations else copy.marks:
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
    if _matching(name, marks):
        return _of_type(export, marks, written, relations=False)
    if _matching(name, relations):
        return _of_type(export, relations, written, relations=True)
    if name == RELATIONS and relations:
        sentence = "relations of every type, by their arguments."
        return LabelSource(None, None, sentence, shorten=export.by_feature, relations=True)
    types = {name: [*marks.get(name, ()), *relations.get(name, ())] for name in (*marks, *relations)}
    raise _unknown(export, written, types)


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
    if len(matching) != 1 or (arrow and feature not in types[matching[0]]):
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
    remedy = f'Choose with [[layers]], such as source = "{shown[0]}".'
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


@dataclass(frozen=True)
class LabelledLayer:
    """One thing that was labelled: its source, its labels with their counts, the commonest first.

    `source` is None for everything that the export holds; `scale` is what the labels are on.
    """

    source: str | None
    labels: Mapping[str, int]
    kind: Kind
    scale: FoundScale = field(default_factory=FoundScale)

    @property
    def marks(self) -> int:
        """How many labels were given."""
        return sum(self.labels.values())

    @property
    def is_free_text(self) -> bool:
        """Say whether there are so many different labels that they hardly are categories."""
        return len(self.labels) > max(ENOUGH_VALUES, SHARE_OF_VALUES * self.marks)


def by_count(labels: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Return labels with their counts, the commonest first."""
    return dict(sorted(labels, key=lambda label: (-label[1], label[0])))


def as_one_layer(export: Export, copies: Sequence[Copy], marks: Sequence[ParsedMark]) -> LabelledLayer:
    """Return everything as one layer: by the only feature there is where features hold categories."""
    sources = listed(copies, by_feature=export.by_feature)
    if export.by_feature and len(sources) == 1:
        return replace(_layer(sources[0], marks, shorten=True), source=None)
    names = Counter(short(mark.type) if export.by_feature else mark.type for mark in marks)
    return LabelledLayer(None, by_count(names.items()), _kind(marks))


def separate_layers(
    export: Export, copies: Sequence[Copy], marks: Sequence[ParsedMark]
) -> Iterator[LabelledLayer]:
    """Yield each thing that was labelled where there are several that one token or document can bear."""
    names = listed(copies, by_feature=export.by_feature)
    if not export.by_feature:
        names = list(dict.fromkeys(mark.type for mark in marks))
    overlaps = sum(len(_overlapping(copy.marks)) for copy in copies)
    spanned = sum(bool(mark.spans) for mark in marks)
    apart = export.by_feature or _kind(marks) == "mixed" or overlaps > OFTEN * spanned
    if len(names) < 2 or not apart:  # noqa: PLR2004 - several
        return
    of_type: dict[str, list[ParsedMark]] = {}
    for mark in marks:
        of_type.setdefault(mark.type, []).append(mark)
    for name in names:
        layer = _layer(name, of_type.get(name.partition(ARROW)[0], []), shorten=export.by_feature)
        if layer.labels:
            yield layer


def _layer(name: str, marks: Sequence[ParsedMark], *, shorten: bool) -> LabelledLayer:
    """Return the labels of a type: the values of a feature, or its own name."""
    type_name, _, feature = name.partition(ARROW)
    if feature:
        labelled = [mark for mark in marks if mark.features.get(feature, "").strip()]
        labels = Counter(mark.features[feature] for mark in labelled)
        return LabelledLayer(name, by_count(labels.items()), _kind(labelled))
    return LabelledLayer(
        name, {short(type_name) if shorten else type_name: len(marks)} if marks else {}, _kind(marks)
    )


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

NO_STRETCH = "an argument of the relation is no marked stretch of text"


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
