"""Which marks or relations make up a layer, what their labels are, and copies of documents aligned."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain, compress
from typing import TypeVar

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, alternatives, did_you_mean, for_each, refused
from reportgen.base.files import nfc
from reportgen.readers.annotations import (
    EMPTY,
    MARKED,
    NO_HEAD,
    ROOT,
    SKIPPED,
    UNSEEN,
    Codes,
    Compared,
    Dependencies,
    ExcludedMarks,
    Location,
    Ratings,
    Regions,
    TextMarks,
    around,
    factorize,
    without_space,
)
from reportgen.readers.brat import TRIGGER
from reportgen.readers.places import WhiteSpaceShift, is_white_space, trimmed
from reportgen.readers.reader import (
    ANNOTATOR,
    HEADS,
    NOT_ASKED_FOR,
    Annotations,
    DocumentCopy,
    Export,
    ParsedMark,
    ReaderOptions,
    Relation,
    cleaned_labels,
    require_annotators,
    shortened,
)
from reportgen.readers.scales import Control
from reportgen.readers.work_times import WorkTimes, work_times
from reportgen.results.model import DifferentTexts

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
# Where so many marks of a layer are in chains, chains are what people decided; some are alone in theirs.
MOSTLY = 0.8

# So many labels that are the same in every copy were there before: annotators hardly ever agree on all.
ENOUGH_GIVEN = 100

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
        return of_kind and (self.type is None or item.type == self.type or item.type in self.others)

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


def types_in(copies: Iterable[DocumentCopy], *, relations: bool = False) -> dict[str, list[str]]:
    """Return the types of marks, or of relations that are no chains, with their features."""
    types: dict[str, dict[str, None]] = {}
    for copy in copies:
        for item in [each for each in copy.relations if not each.chain] if relations else copy.marks:
            types.setdefault(item.type, {}).update(dict.fromkeys(item.features))
        for name in () if relations else copy.passed_over:
            types.setdefault(name, {})
    return {name: list(features) for name, features in types.items()}


def listed(copies: Iterable[DocumentCopy], *, by_feature: bool, relations: bool = False) -> list[str]:
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


def types_asked(options: ReaderOptions) -> Callable[[str], bool]:
    """Say which types of marks are asked for: all where a layer, or candidates, take marks of any."""
    sources = [options.source, *options.asked, *options.candidates.values()]
    named = [source for source in sources if source is not None]
    if len(named) < len(sources) or not {MARKS, RELATIONS}.isdisjoint(named):
        return lambda _: True
    names = [name for source in named for name in (_name(source), *source.split(OR))]
    keys = {name_key(short(name)) for name in names}
    return lambda kind: name_key(short(kind)) in keys


# One name for what annotators call nearly the same.

# What may differ in a name: punctuation at its ends, and white space.
NO_PART = re.compile(r"^[\s.,:;_]+|[\s.,:;_]+$|\s+")


def name_key(name: str) -> str:
    """Return what names share that differ in capitals, spaces, and punctuation at their ends alone."""
    return NO_PART.sub("", name).casefold() or name


def with_one_spelling(export: Export) -> Export:
    """Return an export in which types, and features, of nearly one name are one, called as they first are.

    Where somebody uses both they are two, which is asked about where types are layers of their own.
    """
    types: dict[str, dict[str, None]] = {}
    features: dict[str, dict[str, None]] = {}
    for copy in export.copies:
        items: list[ParsedMark | Relation] = [*copy.marks, *copy.relations]
        own = (*(item.type for item in items), *sorted(copy.asked or ()))
        types.setdefault(copy.annotator, {}).update(dict.fromkeys(own))
        features.setdefault(copy.annotator, {}).update(
            dict.fromkeys(chain(*(item.features for item in items)))
        )
    (called, both), (of_features, _) = _spelling(types), _spelling(features)
    warnings = [*export.warnings, *map(_both_spellings, both if export.by_feature else ())]
    if not called and not of_features:
        return replace(export, warnings=tuple(dict.fromkeys(warnings)))

    def renamed(item: Item) -> Item:
        if item.type not in called and of_features.keys().isdisjoint(item.features):
            return item
        own = {of_features.get(name, name): value for name, value in item.features.items()}
        return replace(item, type=called.get(item.type, item.type), features=own)

    copies = [
        replace(
            copy,
            marks=list(map(renamed, copy.marks)),
            relations=list(map(renamed, copy.relations)),
            asked=None if copy.asked is None else frozenset(called.get(name, name) for name in copy.asked),
        )
        for copy in export.copies
    ]
    said = (
        "Names that differ in capitals, spaces or punctuation at their ends alone, and of which nobody has "
        f"two, are one: {len(called.keys() | of_features.keys()):,}."
    )
    return replace(
        export,
        copies=copies,
        reading=f"{export.reading} {said}",
        default=called.get(export.default or "", export.default),
        declared=tuple(dict.fromkeys(called.get(name, name) for name in export.declared)),
        warnings=tuple(warnings),
    )


Item = TypeVar("Item", ParsedMark, Relation)


def _spelling(names: Mapping[str, Iterable[str]]) -> tuple[dict[str, str], list[Sequence[str]]]:
    """Return what other spellings are called, and those of which one of the people has two."""
    alike: dict[str, dict[str, None]] = {}
    apart = set[str]()
    for own in names.values():
        keys = [name_key(name) for name in own]
        apart |= {key for key, times in Counter(keys).items() if times > 1}
        for key, name in zip(keys, own, strict=True):
            alike.setdefault(key, {})[name] = None
    spellings = {key: [*several] for key, several in alike.items() if len(several) > 1}
    called = {
        other: first for key, (first, *others) in spellings.items() if key not in apart for other in others
    }
    return called, [several for key, several in spellings.items() if key in apart]


def _both_spellings(names: Sequence[str]) -> Problem:
    message = f"{alternatives(names, 'and')} are layers of their own: somebody has two of them."
    return Problem("", message=message, remedy="If they are one, give them one name in the exports.")


def find_source(export: Export, copies: Sequence[DocumentCopy], asked: str | None) -> LabelSource:
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


# What relations, and features with the name of a chain, are called in corpora of coreference; GATE calls the
# feature "matches", and MMAX2 names chains "set_1". Without accents, as letters of any case.
COREFERENCE = re.compile(
    r"(?i)[ck]or+ef|anaf?ph?or|same.?as|equiv|identi(?:ty|cal)|(?<![^\W_])ident(?![^\W_])|antecedent|"
    r"chain(?:s|.?id)?$|matches$"
)
SET = re.compile(r"set_\d+")
NO_CHAIN = ("", "empty", "none", "_")


@cache
def is_called_chain(name: str) -> bool:
    """Say whether a relation, or a feature, is called as those are that tell chains of mentions."""
    letters = unicodedata.normalize("NFKD", short(name))
    return (
        COREFERENCE.search("".join(filter(lambda sign: not unicodedata.combining(sign), letters))) is not None
    )


def is_chain(relation: Relation) -> bool:
    """Say whether a relation makes a chain of mentions, or a part of one."""
    return relation.chain or is_called_chain(relation.type)


def are_chains(feature: str, values: Iterable[str]) -> bool:
    """Say whether the values of a feature are names of chains: numbers, with letters or without."""
    named = [value for value in values if value.strip() not in NO_CHAIN]
    numbered = all(any(sign.isdigit() for sign in value) for value in named)
    return bool(named) and numbered and (is_called_chain(feature) or all(map(SET.fullmatch, named)))


def _are_mentions(copies: Iterable[DocumentCopy], source: LabelSource) -> bool:
    """Say whether nearly all marks of a layer are members of chains: then these are what people decided.

    The marks of a layer of chains are, also those that are alone in theirs.
    """
    own = [(copy, mark) for copy in copies for mark in copy.marks if source.holds(mark)]
    chained = [(copy, link) for copy in copies for link in copy.relations if is_chain(link)]
    linked = {(id(copy), name) for copy, link in chained for _, name in link.arguments}
    types = {link.type.partition(PART)[0] for _, link in chained if link.chain}
    values: dict[str, set[str]] = {}
    for _, mark in own:
        for feature, value in mark.features.items():
            values.setdefault(feature, set()).add(value)
    names = [feature for feature in values if are_chains(feature, values[feature])]
    members = sum(
        (id(copy), mark.id) in linked
        or mark.type in types
        or any(mark.features.get(name, "").strip() not in NO_CHAIN for name in names)
        for copy, mark in own
    )
    return 0 < MOSTLY * len(own) <= members


def _refuse_chains(copies: Sequence[DocumentCopy], name: str, *, any_type: bool) -> None:
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
    named = [type_name for type_name in types if short(type_name) == name]
    return named or [type_name for type_name in types if name_key(short(type_name)) == name_key(name)]


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


def control_of(export: Export, copies: Sequence[DocumentCopy], source: LabelSource) -> Control | None:
    """Return what annotators gave the labels of a layer with, None where the export does not tell."""
    if source.feature is None or source.relations:
        return "kind"
    types = [source.type] if source.type is not None else types_in(copies)
    controls = {export.controls.get(f"{name}{ARROW}{source.feature}") for name in types}
    return controls.pop() if len(controls) == 1 else None


# Where candidates are: the stretches that marks of a type or layer cover, by anybody.


def candidate_sources(export: Export, asked: Mapping[str, str | None]) -> dict[str, LabelSource]:
    """Return the marks that layers of candidates consist of, by the key that asks for them.

    Raises BadInput, which names the key, for each that the export does not have.
    """
    sources = for_each(asked, lambda key: with_error_key(key, lambda: find_candidates(export, asked[key])))
    return dict(zip(asked, sources, strict=True))


def with_error_key(key: str, step: Callable[[], Result]) -> Result:
    """Return the step's result; raise BadInput with its problems under a key of campaign.toml."""
    try:
        return step()
    except BadInput as error:
        raise BadInput(replace(problem, key=key) for problem in error.problems) from None


def regions(copies: Iterable[DocumentCopy], documents: Sequence[str], source: LabelSource) -> Regions:
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


# The same document in the hands of several annotators: one text, marks inside it.

# Of so many documents at least, one may have copies with different texts.
LEAST_EQUAL = 5


@dataclass(frozen=True)
class Aligned:
    """Copies that belong together.

    `texts` has one text for each of `documents`, "" where the export has none; `lengths` has the milliseconds
    of each recording, and is empty where there is none. `copies` are those of the annotators asked for,
    `all_copies` those of all. `said` are sentences on marks that were shifted onto the first text, and on
    those that are compared without white space.
    """

    documents: tuple[str, ...]
    texts: tuple[str, ...]
    lengths: tuple[int, ...]
    annotators: tuple[str, ...]
    copies: tuple[DocumentCopy, ...]
    all_copies: tuple[DocumentCopy, ...] = ()
    said: tuple[str, ...] = ()


def align(copies: Sequence[DocumentCopy], asked: Sequence[str]) -> Aligned:
    """Return the documents that annotators have copies of, each with its one text: that of its first copy.

    Marks neither begin nor end in white space; those of copies whose texts differ in white space alone are
    shifted onto it. Raises BadInput where copies of a document have texts that differ otherwise, showing the
    first difference, and for each mark that does not lie within its text.
    """
    # The text of each document, "" where no copy has one; raise BadInput as `align` does.
    first: dict[str, DocumentCopy] = {}
    problems: list[Problem] = []
    for copy in copies:
        first_copy = first.setdefault(copy.document, copy)
        if first_copy.text is None:
            first[copy.document] = copy
        elif copy.text not in (None, first_copy.text) and without_space(first_copy.text) != without_space(
            copy.text or ""
        ):
            problems.append(_text_difference(first_copy, copy))
        problems += shortened(list(_marks_outside(copy)))
    if problems:
        raise BadInput(problems)
    texts = {name: copy.text or "" for name, copy in first.items()}
    asked_for = set(asked)
    trimmed_copies = list(map(_without_white_space, copies))
    all_copies: list[DocumentCopy] = []
    moved: list[int] = []
    lengths = dict.fromkeys(texts, 0)
    for copy in trimmed_copies:
        lengths[copy.document] = max(lengths[copy.document], copy.length or 0)
        if copy.text in (None, texts[copy.document]):
            all_copies.append(copy)
        else:
            shifted, marks = _shifted(copy, texts[copy.document])
            all_copies.append(shifted)
            moved.append(marks)
    difference = (
        f"White space differs from the first annotator's text in {len(moved):,} of {len(copies):,} copies; "
        f"marks shifted onto it: {sum(moved):,}."
    )
    return Aligned(
        documents=tuple(texts),
        texts=tuple(texts.values()),
        lengths=tuple(lengths.values()) if any(copy.length is not None for copy in copies) else (),
        annotators=tuple(asked),
        copies=tuple(copy for copy in all_copies if copy.annotator in asked_for),
        all_copies=tuple(all_copies),
        said=(*([difference] if moved else []), *_said_of_white_space(copies, trimmed_copies)),
    )


def without_different_texts(export: Export) -> tuple[Export, tuple[DifferentTexts, ...]]:
    """Return the export without the documents whose copies have different texts, and those documents.

    Where they are more than a few, all stay, and `align` refuses them.
    """
    first: dict[str, DocumentCopy] = {}
    other: dict[str, DocumentCopy] = {}
    for copy in export.copies:
        if copy.text is not None:
            there = first.setdefault(copy.document, copy)
            if copy.text != there.text and without_space(copy.text) != without_space(there.text or ""):
                other.setdefault(copy.document, copy)
    documents = {copy.document for copy in export.copies}
    if not other or LEAST_EQUAL * len(other) > len(documents):
        return export, ()
    left = [copy for copy in export.copies if copy.document in other]
    marks = Counter[str]()
    for copy in left:
        marks[copy.document] += len(copy.marks) + len(copy.relations)
        marks[copy.document] += sum(many for _, many in copy.passed_over.values())
    different = tuple(
        DifferentTexts(
            document=name,
            file=first[name].file,
            other=copy.file,
            character=_first_difference(first[name].text or "", copy.text or "") + 1,
            marks=marks[name],
        )
        for name, copy in other.items()
    )
    problems = [_text_difference(first[name], copy) for name, copy in other.items()]
    warnings = [
        replace(problem, message=f"{problem.message} The document is left out.") for problem in problems
    ]
    items: list[tuple[DocumentCopy, ParsedMark | Relation]] = []
    for copy in left:
        items += [(copy, relation) for relation in copy.relations]
        items += [(copy, mark) for mark in copy.marks]
    kept = replace(
        export,
        copies=[copy for copy in export.copies if copy.document not in other],
        left_out=(
            *export.left_out,
            *(_unused(copy, item, OF_DIFFERENT_TEXTS) for copy, item in items),
            *chain(*(_passed_over(copy, OF_DIFFERENT_TEXTS) for copy in left)),
        ),
        warnings=(*export.warnings, *shortened(warnings)),
    )
    return kept, different


def _first_difference(there: str, here: str) -> int:
    pairs = enumerate(zip(there, here, strict=False))
    return next((index for index, (left, right) in pairs if left != right), min(len(there), len(here)))


def _text_difference(first: DocumentCopy, other: DocumentCopy) -> Problem:
    there, here = first.text or "", other.text or ""
    index = _first_difference(there, here)
    message = (
        f'has another text of document "{first.document}" than {first.file}; they differ from character '
        f'{index + 1} on: "{around(here, index)}" here, "{around(there, index)}" there.'
    )
    remedy = "Annotators of a document need the same text; documents that differ need names that differ."
    return Problem(other.file, message=message, remedy=remedy)


def _marks_outside(copy: DocumentCopy) -> Iterator[Problem]:
    """Yield the marks that do not lie within the text, or have stretches in the wrong order."""
    length = len(copy.text or "") if copy.length is None else copy.length
    bounds = f"text, which {'is missing' if copy.text is None else f'has {length:,} characters'}"
    if copy.length is not None:
        bounds = f"recording, which lasts {length:,} milliseconds"
    for mark in copy.marks:
        edges = [edge for span in mark.spans for edge in span]
        if edges and (edges != sorted(edges) or edges[0] < 0 or edges[-1] > length):
            spans = ", ".join(f"{start} to {end}" for start, end in mark.spans[:3])
            message = f"a mark from {spans} does not lie within the {bounds}."
            yield Problem(*_location(copy, mark), message=message, remedy="Export text and marks together.")


def _shifted(copy: DocumentCopy, text: str) -> tuple[DocumentCopy, int]:
    """Return a copy as one of a text that differs in white space alone, and how many of its marks moved."""
    shift = WhiteSpaceShift(copy.text or "", text)
    marks = [replace(mark, spans=tuple(map(shift.span, mark.spans))) for mark in copy.marks]
    moved = sum(new.spans != old.spans for new, old in zip(marks, copy.marks, strict=True))
    return replace(copy, text=text, marks=marks), moved


# White space at the ends of marks, which is no difference of boundaries.


def _without_white_space(copy: DocumentCopy) -> DocumentCopy:
    """Return a copy whose marks neither begin nor end in white space, as far as they cover anything else."""
    if not copy.text:
        return copy
    marks = [
        mark if (spans := trimmed(copy.text, mark.spans)) == mark.spans else replace(mark, spans=spans)
        for mark in copy.marks
    ]
    return replace(copy, marks=marks)


def _said_of_white_space(before: Sequence[DocumentCopy], after: Sequence[DocumentCopy]) -> Iterator[str]:
    """Yield how many marks are compared without the white space at their ends, and how many have no other."""
    marks, changed, blank = 0, Counter[str](), 0
    for old, new in zip(before, after, strict=True):
        marks += sum(bool(mark.spans) for mark in old.marks)
        changed[new.annotator] += sum(
            mine is not theirs for mine, theirs in zip(old.marks, new.marks, strict=True)
        )
        blank += sum(is_white_space(new.text or "", mark.spans) for mark in new.marks)
    if changed.total():
        numbers = f"{changed.total():,} of {marks:,}, at most {max(changed.values()):,} of one annotator"
        yield (
            "White space at the ends of a mark, or alone between its stretches, is no difference; "
            f"marks compared without it: {numbers}."
        )
    if blank:
        yield f"Marks of nothing but white space, which are compared as they are: {blank:,}."


# From copies of documents to one layer of annotations: aligned, checked, selected, coded.

OF_DIFFERENT_TEXTS = "the copies of the document have different texts"
A_RELATION = "a relation between marks, which are compared without it"
OF_CHAIN = "a chain of mentions, or a part of one: chains are not compared"
CHAINS = "Chains of coreference are not compared: figures are of single marks."
OF_SKIPPED = "the annotator skipped the document"
OF_OTHER_LAYER = "of a layer that the campaign does not ask for"
A_CANDIDATE = "it says where a candidate is, which is a unit and no label"
MISSING = "the label means a missing one"
IN_TIME = "Places are milliseconds."
AGAIN = "the annotator's second copy of the document: the first counts"


# A mark of a layer with the copy that it is from, and its label.
LabelledMark = tuple[DocumentCopy, ParsedMark, str]


def assemble(export: Export, options: Sequence[ReaderOptions], format_name: str) -> list[Annotations]:
    """Return each layer of an export; the first also lists what no layer uses.

    `options` differ in their `source` alone. Raises BadInput, with all problems, for annotators,
    types or features that are not there, also where they have candidates, copies of a document with
    different texts, and marks outside their text.
    """
    export, different = without_different_texts(export)
    everyone = list(dict.fromkeys(copy.annotator for copy in export.copies))
    require_annotators(options[0].annotators or (), everyone)
    asked = options[0].annotators or tuple(everyone)
    aligned = align(export.copies, asked)
    sources = for_each(
        enumerate(options, 1),
        lambda numbered: with_error_key(
            f"layers.{numbered[0]}.source", lambda: find_source(export, aligned.copies, numbered[1].source)
        ),
    )
    candidates = candidate_sources(export, options[0].candidates)
    unused = [*export.left_out, *_never_used(export, aligned, sources, candidates)]
    # How much of each kind is not compared; heads are, where the relations to them are a layer.
    in_trees = sum(
        mark.head is not None and any(source.holds(mark) for source in sources)
        for copy in export.copies
        for mark in copy.marks
    )
    counts = {kind: many - in_trees * (kind == HEADS) for kind, many in export.not_compared.items()}
    beside = {kind: many for kind, many in counts.items() if many}
    layers: list[Annotations] = []
    # Several layers may ask about the same marks, each about another feature.
    before: set[int] = set()
    for source, of_layer in zip(sources, options, strict=True):
        own = _asked_copies(aligned, source)
        here = {id(mark) for copy in own.copies for mark in copy.marks if source.holds(mark)}
        labelled, without_label = _labelled(own, source, of_layer)
        left_out = [*without_label] if layers else [*unused, *without_label]
        # How the export was read.
        # Results tell recordings from texts by that word, which a reader of another package may not say.
        in_time = aligned.lengths and "milliseconds" not in export.reading
        compared = _compared(export, source, own.copies)
        chains = compared == "mentions" or any(
            is_chain(link) for copy in export.copies for link in copy.relations
        )
        said = IN_TIME if in_time else "", CHAINS if chains else "", *aligned.said
        annotations = Annotations(
            content=_content(labelled, own),
            format=format_name,
            reading=" ".join(filter(None, (export.reading, *said))),
            marks_read=len(labelled)
            + sum(excluded.marks for excluded in left_out)
            + (0 if layers else sum(beside.values())),
            marks_again=0 if source.relations else len(here & before),
            left_out=tuple(left_out),
            sources=export.sources,
            roles={copy.annotator: copy.role for copy in own.copies if copy.role != ANNOTATOR},
            attendance=_attendance(labelled, own),
            choice=source.said,
            compared=compared,
            candidates={
                key: regions(own.all_copies, own.documents, where) for key, where in candidates.items()
            },
            warnings=export.warnings,
            different_texts=different,
            not_compared={} if layers else beside,
            named=export.named,
            control=control_of(export, own.copies, source),
            times=_times(own, aligned),
        )
        layers.append(annotations)
        before |= here
    return layers


def _asked_copies(aligned: Aligned, source: LabelSource) -> Aligned:
    """Return the copies that are about what makes up a layer, with the documents of those."""
    copies = tuple(copy for copy in aligned.copies if _is_about(copy, source))
    if len(copies) == len(aligned.copies):
        return aligned
    asked_documents = {copy.document for copy in copies}
    is_asked = [name in asked_documents for name in aligned.documents]
    return replace(
        aligned,
        documents=tuple(compress(aligned.documents, is_asked)),
        texts=tuple(compress(aligned.texts, is_asked)),
        lengths=tuple(compress(aligned.lengths, is_asked)),
        copies=copies,
    )


def _is_about(copy: DocumentCopy, source: LabelSource) -> bool:
    if copy.asked is None:
        return True
    return RELATIONS in copy.asked if source.relations else source.is_of(copy.asked)


def _compared(export: Export, source: LabelSource, copies: Sequence[DocumentCopy]) -> Compared:
    """Say what a layer consists of: where types are the categories, a feature is an attribute."""
    if source.relations:
        return "relations"
    if source.feature is not None and not export.by_feature:
        return "attributes"
    return "mentions" if _are_mentions(copies, source) else "marks"


def _never_used(
    export: Export, aligned: Aligned, sources: Sequence[LabelSource], candidates: Mapping[str, LabelSource]
) -> Iterator[ExcludedMarks]:
    """Yield the marks that no layer uses: of other types, skipped documents, annotators not asked for."""
    asked = set(aligned.annotators)
    for copy in export.copies:
        if copy.annotator not in asked:
            yield from (_unused(copy, mark, NOT_ASKED_FOR) for mark in copy.marks)
            yield from (_unused(copy, relation, NOT_ASKED_FOR) for relation in copy.relations)
            yield from _passed_over(copy, NOT_ASKED_FOR)
    for copy in aligned.copies:
        yield from _passed_over(copy, OF_OTHER_LAYER if copy.state == "seen" else OF_SKIPPED)
        items: list[ParsedMark | Relation] = [*copy.relations, *copy.marks]
        for item in items:
            asked_for = any(source.holds(item) for source in sources)
            if isinstance(item, Relation) and not asked_for:
                yield _unused(copy, item, OF_CHAIN if is_chain(item) else A_RELATION)
            elif copy.state != "seen":
                yield _unused(copy, item, OF_SKIPPED)
            elif not asked_for:
                a_candidate = any(source.holds(item) for source in candidates.values())
                yield _unused(copy, item, A_CANDIDATE if a_candidate else OF_OTHER_LAYER)


def _passed_over(copy: DocumentCopy, reason: str) -> Iterator[ExcludedMarks]:
    for line, many in copy.passed_over.values():
        yield ExcludedMarks(copy.file, line, copy.annotator, reason, many)


def _unused(copy: DocumentCopy, item: ParsedMark | Relation, reason: str) -> ExcludedMarks:
    return ExcludedMarks(*_location(copy, item), copy.annotator, reason, 1)


def _location(copy: DocumentCopy, item: ParsedMark | Relation) -> Location:
    """Return the file and line of a mark: each level may have a file of its own."""
    return (item.file if isinstance(item, ParsedMark) else "") or copy.file, item.line


def _labelled(
    aligned: Aligned, source: LabelSource, options: ReaderOptions
) -> tuple[list[LabelledMark], list[ExcludedMarks]]:
    """Return the marks of the layer with their labels, and those of it that have none."""
    labelled: list[LabelledMark] = []
    left_out: list[ExcludedMarks] = []
    seen_copies = [copy for copy in aligned.copies if copy.state == "seen"]
    first = {(copy.document, copy.annotator): copy for copy in reversed(seen_copies)}
    marks = [(copy, *member) for copy in seen_copies for member in _members(copy, source)]
    written = [source.label(mark) for _, mark, _ in marks]
    names = list(dict.fromkeys(written))
    cleaned = dict(zip(names, cleaned_labels(names, options), strict=True))
    for (copy, mark, roles), name in zip(marks, written, strict=True):
        label = cleaned[name]
        if not label:
            left_out.append(_unused(copy, mark, MISSING))
        elif source.relations and not mark.spans:
            left_out.append(_unused(copy, mark, NO_STRETCH))
        elif mark.spans and first[copy.document, copy.annotator] is not copy:
            left_out.append(_unused(copy, mark, AGAIN))
        else:
            labelled.append((copy, mark, label + roles if roles else label))
    return labelled, left_out


def _members(copy: DocumentCopy, source: LabelSource) -> Iterator[tuple[ParsedMark, str]]:
    """Yield what a layer consists of in a copy, with what follows the label: the roles of a relation."""
    if source.relations:
        # Each relation of a layer as a mark, with what its label says of its arguments. The stretches are
        # those of the arguments, in the order of the text, so that a relation whose direction is swapped has
        # the same stretches and has another label: " (Former, New)" names the roles in the order of their
        # arguments in the text. An argument that is an event means its trigger. The mark has no stretch where
        # an argument has none.
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
    else:
        yield from ((mark, "") for mark in copy.marks if source.holds(mark))


def _content(labelled: Sequence[LabelledMark], aligned: Aligned) -> Ratings | TextMarks:
    """Return labels of documents where no mark has a stretch of text, else marks in texts."""
    spanned = {bool(mark.spans) for _, mark, _ in labelled}
    if len(spanned) > 1:
        message = "some marks are of a stretch of text, others of whole documents."
        remedy = "Choose a layer of either with [[layers]] source."
        raise refused("", key="source", message=message, remedy=remedy)
    labels, label = factorize(name for _, _, name in labelled)
    document, annotator = _codes_of_copies([copy for copy, _, _ in labelled], aligned)

    files, file = factorize(_location(copy, mark)[0] for copy, mark, _ in labelled)
    lines = np.fromiter((mark.line for _, mark, _ in labelled), np.int64, len(labelled))

    def location(number: int) -> Location:
        return files[file[number]], int(lines[number])

    if True in spanned or (not labelled and (aligned.lengths or all(aligned.texts))):
        span_mark, span_start, span_end = stretches_of([mark for _, mark, _ in labelled])
        return TextMarks(
            documents=aligned.documents,
            texts=aligned.texts,
            lengths=aligned.lengths,
            annotators=aligned.annotators,
            labels=labels,
            document=document,
            annotator=annotator,
            label=label,
            span_mark=span_mark,
            span_start=span_start,
            span_end=span_end,
            features=_kept_once(mark.features for _, mark, _ in labelled),
            location=location,
            dependencies=_dependencies(labelled),
        )
    # Each document is a unit that is its own document, unless it is a part of one.
    units = len(aligned.documents)
    within = {copy.document: nfc(copy.within) for copy in aligned.copies if copy.within}
    wholes = tuple(dict.fromkeys(within.values()))
    return Ratings(
        documents=wholes,
        annotators=aligned.annotators,
        labels=labels,
        unit_names=aligned.documents,
        document=factorize((within.get(name) for name in aligned.documents), wholes)[1],
        weight=np.ones(units, dtype=np.int64),
        unit=document,
        annotator=annotator,
        label=label,
        mark_pass=np.zeros(len(labelled), dtype=np.int64),
        location=location,
        unit_texts=aligned.texts if any(aligned.texts) else (),
    )


def _dependencies(labelled: Sequence[LabelledMark]) -> Dependencies | None:
    """Return the trees of the marks of a layer; None where no mark says its head."""
    if all(mark.head is None for _copy, mark, _label in labelled):
        return None
    number = {(id(copy), mark.id): place for place, (copy, mark, _label) in enumerate(labelled)}
    heads = [
        ROOT if mark.head == "" else number.get((id(copy), mark.head or ""), NO_HEAD)
        for copy, mark, _label in labelled
    ]
    names, codes = factorize(mark.part_of_speech for _copy, mark, _label in labelled)
    return Dependencies(np.array(heads, dtype=np.int64), codes, names)


def _kept_once(features: Iterable[Mapping[str, str]]) -> list[Mapping[str, str]]:
    """Return the features of each mark, those that are the same as one object: most marks have a label alone.

    A set of labels is more than the text that it looks like, and stays.
    """
    first: dict[tuple[tuple[str, str], ...], Mapping[str, str]] = {}
    return [
        first.setdefault(tuple(each.items()), each)
        if all(type(value) is str for value in each.values())
        else each
        for each in features
    ]


def _attendance(labelled: Sequence[LabelledMark], aligned: Aligned) -> Codes:
    """Return what each annotator did with each document: (documents, annotators)."""
    attendance = np.full((len(aligned.documents), len(aligned.annotators)), UNSEEN, dtype=np.int64)
    states = {"seen": EMPTY, "skipped": SKIPPED, "unseen": UNSEEN}
    codes = np.array([states[copy.state] for copy in aligned.copies], dtype=np.int64)
    np.maximum.at(attendance, _codes_of_copies(aligned.copies, aligned), codes)
    attendance[_codes_of_copies([copy for copy, _, _ in labelled], aligned)] = MARKED
    return attendance


def _times(own: Aligned, everything: Aligned) -> WorkTimes | None:
    """Return when annotators were done with the copies of a layer, and how long each took."""
    seen = [copy for copy in own.copies if copy.state == "seen"]
    source = {id(copy): number for number, copy in enumerate(everything.copies)}
    codes = (codes.tolist() for codes in _codes_of_copies(seen, own))
    return work_times(
        [
            (source[id(copy)], document, annotator, copy.timing)
            for copy, document, annotator in zip(seen, *codes, strict=True)
        ]
    )


def _codes_of_copies(copies: Sequence[DocumentCopy], aligned: Aligned) -> tuple[Codes, Codes]:
    """Return the codes of the document and the annotator of each copy."""
    documents = factorize((copy.document for copy in copies), aligned.documents)[1]
    return documents, factorize((copy.annotator for copy in copies), aligned.annotators)[1]
