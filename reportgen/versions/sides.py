"""One guidelines version as comparisons see it: documents and units by what they are called everywhere."""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from reportgen.base.dataclass import dataclass
from reportgen.campaign import DistanceMatrix, Version
from reportgen.counts import count_spans
from reportgen.counts.tally import ranks
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.units import CodedUnits, Study
from reportgen.units.coded import NO_PLACE
from reportgen.versions.version_figures import MarkSide, Prepared, prepared

Mask = npt.NDArray[np.bool_]
Key = tuple[str, str]

NO_ID = -1
# Every sign that Python takes for whitespace.
SPACES = np.array([code for code in range(0x3001) if chr(code).isspace()], dtype=np.uint32)
# Unit sets whose units are a grid that the text alone decides.
GRIDS = ("tokens", "sentences", "candidates")


class Register(dict[Hashable, int]):
    """Numbers for documents and units, the same in all versions of a campaign.

    They only tell what is the same; nothing depends on which number it is.
    """

    def numbers(self, of: Iterable[Hashable]) -> Codes:
        """Return the numbers of what is called so."""
        return np.array([self.setdefault(name, len(self)) for name in of], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Side:
    """One of the versions that are compared.

    `studies` have the annotators' pseudonyms; `texts` are those of the documents, by name, as far as the
    export has them. `register` is that of all versions.
    """

    version: Version
    studies: Sequence[Study]
    tables: Sequence[DistanceMatrix]
    texts: Mapping[str, str]
    register: Register
    _named: dict[Key, "NamedUnits"] = field(default_factory=dict)
    _relabelled: dict[Hashable, "NamedUnits"] = field(default_factory=dict)
    _prepared: dict[Hashable, Prepared] = field(default_factory=dict)

    @cached_property
    def unit_sets(self) -> dict[Key, CodedUnits]:
        """Return the unit sets by layer and id, in their order."""
        return {(units.layer, units.id): units for study in self.studies for units in study.unit_sets}

    @cached_property
    def marks(self) -> dict[str, MarkSide]:
        """Return the marks in texts by layer, counted once."""
        layers = zip(self.version.layers, self.studies, strict=True)
        return {
            layer.id: MarkSide(study.spans, count_spans(study.spans), layer.categories)
            for layer, study in layers
            if study.spans is not None
        }

    def named(self, key: Key) -> "NamedUnits":
        """Return a unit set whose documents and units have numbers."""
        if key not in self._named:
            self._named[key] = named_units(self.unit_sets[key], self.register, self.solid)
        return self._named[key]

    def relabelled(self, key: Key, labelled: CodedUnits, names: Mapping[str, str]) -> "NamedUnits":
        """Return a unit set with the labels of another copy of it, whose categories have other `names`."""
        signature = key, labelled.categories, labelled.scale, tuple(sorted(names.items()))
        if signature not in self._relabelled:
            self._relabelled[signature] = self.named(key).with_labels(labelled)
        return self._relabelled[signature]

    def prepared(self, named: "NamedUnits", by: "Side") -> Prepared:
        """Return the figures of all units of a unit set, which are computed once for all comparisons.

        `by` is the version whose distances hold.
        """
        # The units are kept here as long as their figures, so that no others have their identity.
        signature = id(named), by.version.id
        if signature not in self._prepared:
            self._prepared[signature] = prepared(named.clustered, named.real, by.tables)
        return self._prepared[signature]

    @cached_property
    def without_space(self) -> dict[str, str]:
        """Return the texts without whitespace: texts that differ in nothing else are the same."""
        return {name: "".join(text.split()) for name, text in self.texts.items()}

    @cached_property
    def solid(self) -> dict[str, Codes]:
        """Return how many signs other than whitespace are before each place of a text."""
        return {name: _solid(text) for name, text in self.texts.items()}


def _solid(text: str) -> Codes:
    signs = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    return np.concatenate([[0], np.cumsum(~np.isin(signs, SPACES))]).astype(np.int64)


def edited_documents(first: Side, second: Side) -> frozenset[str]:
    """Return the documents of one name that have another text in the second version."""
    ours, theirs = first.without_space, second.without_space
    return frozenset(name for name in ours if name in theirs and ours[name] != theirs[name])


@dataclass(frozen=True, eq=False)
class NamedUnits:
    """One unit set of one version, in numbers that are the same in all versions.

    - `units`: the unit set as it is. `clustered` is the same with documents in the order of their names,
      those without a unit left out; units without a document that have a name are each a document of that
      name, behind the others.
    - `document` (documents of `clustered`,): their numbers; the first `real` are documents indeed. `listed`
      are the numbers of all documents of the version.
    - `unit` (units,): the number of each unit, NO_ID where nothing says which it is.
    - `by_name`: units in documents have names, so that each is shared or not.
    """

    units: CodedUnits
    clustered: CodedUnits
    document: Codes
    real: int
    listed: Codes
    unit: Codes
    by_name: bool

    @cached_property
    def ratings(self) -> Codes:
        """Return how many annotators rated each unit (units,)."""
        return np.bincount(self.units.unit, minlength=len(self.units.unit_weight))

    @cached_property
    def compared(self) -> Mask:
        """Tell of each unit whether at least two annotators rated it (units,)."""
        compared: Mask = (self.ratings >= 2) & (self.units.unit_weight != 0)
        return compared

    @cached_property
    def compared_documents(self) -> Codes:
        """Return the codes of the documents of `clustered` in which two annotators rated the same unit."""
        documents = self.clustered.unit_document[self.compared]
        return np.unique(documents[documents != NO_DOCUMENT])

    @cached_property
    def loose(self) -> Mask:
        """Tell of each unit whether it has neither document nor name (units,)."""
        loose: Mask = (self.clustered.unit_document == NO_DOCUMENT) & (self.units.unit_weight != 0)
        return loose

    @property
    def by_unit(self) -> bool:
        """Tell whether no document is known, so that each unit is one."""
        return self.real == 0

    @property
    def of_texts(self) -> bool:
        """Tell whether units are stretches of texts."""
        return self.units.base != "units"

    @property
    def on_grid(self) -> bool:
        """Tell whether a unit that has no row is one of its document's unmarked ones.

        Where units are known as numbers only, nothing tells one from another.
        """
        if self.units.sums:
            return False
        candidates = self.units.candidates
        keeps_marked = candidates is not None and candidates.keep_marked
        return self.units.kind in GRIDS and self.of_texts and not keeps_marked

    def with_labels(self, labelled: CodedUnits) -> "NamedUnits":
        """Return the same units with the labels and categories of another copy of them."""
        if labelled is self.units:
            return self
        parts = ("scale", "categories", "label", "non_annotated", "non_annotated_name", "sets")
        clustered = replace(self.clustered, **{name: getattr(labelled, name) for name in parts})
        return replace(self, units=labelled, clustered=clustered)


def named_units(units: CodedUnits, register: Register, solid: Mapping[str, Codes]) -> NamedUnits:
    """Return a unit set with its documents and units numbered; `solid` is as in Side."""
    named = _has_names(units)
    in_document = units.unit_document != NO_DOCUMENT
    alone = np.flatnonzero(named & ~in_document)
    own = [units.places.names[place_code] for place_code in units.unit_place[alone].tolist()]
    used = np.unique(units.unit_document[in_document]).tolist()
    documents = sorted(used, key=lambda code: units.documents[code])
    code = {name: len(documents) + index for index, name in enumerate(sorted(set(own)))}
    document_code = np.full(len(units.documents) + 1, NO_DOCUMENT, dtype=np.int64)
    document_code[documents] = np.arange(len(documents))
    document = np.where(in_document, document_code[units.unit_document], NO_DOCUMENT)
    document[alone] = np.array([code[name] for name in own], dtype=np.int64)
    names = [units.documents[code] for code in documents]
    real = bool(named[in_document & (units.unit_weight != 0)].all())
    return NamedUnits(
        units=units,
        clustered=replace(
            units,
            unit_document=document,
            documents=(*names, *code),
            # Tables of pairs are of several documents together, of which versions have a part in common.
            given=units.given and units.given.without_pairs,
        ),
        document=register.numbers(
            [*(("document", name) for name in names), *(("unit", name) for name in code)]
        ),
        real=len(documents),
        listed=register.numbers([("document", name) for name in units.documents]),
        unit=_unit_numbers(units, named, register, solid),
        by_name=units.base == "units" and len(documents) > 0 and real,
    )


def _has_names(units: CodedUnits) -> Mask:
    """Tell of each unit whether the export gives it a name."""
    has_name = np.array([bool(name) for name in units.places.names], dtype=np.bool_)
    placed = units.unit_place != NO_PLACE
    if not len(has_name) or not placed.any():
        return np.zeros(len(units.unit_weight), dtype=np.bool_)
    named: Mask = placed & has_name[np.where(placed, units.unit_place, 0)]
    return named


def _unit_numbers(units: CodedUnits, named: Mask, register: Register, solid: Mapping[str, Codes]) -> Codes:
    """Return the number of each unit: by document and name, or by document and stretches of text."""
    numbers = np.full(len(units.unit_weight), NO_ID, dtype=np.int64)
    of_texts = units.base != "units"
    placed = np.flatnonzero(units.unit_place != NO_PLACE if of_texts else named)
    names: Mapping[int, Hashable] = (
        _stretches(units, solid) if of_texts else dict(enumerate(units.places.names))
    )
    columns = units.unit_document[placed].tolist(), units.unit_place[placed].tolist()
    numbers[placed] = register.numbers(
        ("" if code == NO_DOCUMENT else units.documents[code], names[place_code])
        for code, place_code in zip(*columns, strict=True)
    )
    return numbers


Stretch = tuple[int, int]


def _stretches(units: CodedUnits, solid: Mapping[str, Codes]) -> dict[int, tuple[Stretch, ...]]:
    """Return what each place covers, counted in signs other than whitespace: line breaks may differ."""
    places, size = units.places, int(units.places.unit.max(initial=-1)) + 1
    document = np.full(size, NO_DOCUMENT, dtype=np.int64)
    placed = units.unit_place != NO_PLACE
    document[units.unit_place[placed]] = units.unit_document[placed]
    stretches: dict[int, tuple[Stretch, ...]] = {}
    columns = (places.unit, places.start, places.end, document[places.unit])
    for place_code, start, end, code in zip(*(column.tolist() for column in columns), strict=True):
        if code != NO_DOCUMENT:
            before = solid.get(units.documents[code])
            stretch = (start, end) if before is None else (int(before[start]), int(before[end]))
            stretches[place_code] = (*stretches.get(place_code, ()), stretch)
    return stretches


# Which documents and units are in both versions.

GONE = -1


@dataclass(frozen=True, eq=False)
class IntersectionPart:
    """What one version has of what both have.

    `shared_units` (units,) says which of its units are there, `position` (documents,) where each of its
    documents is among those of both, GONE for the others.
    """

    shared_units: Mask
    position: Codes


@dataclass(frozen=True, eq=False)
class Intersection:
    """What two versions of one unit set have in common.

    - `documents`: the names of the documents of both; of units without a document, their own.
    - `real`: how many of these are documents indeed.
    - `first` and `second`: where each version has them.
    - `complete`: nothing that two annotators rated is in one version alone.
    - `loose`: some units can't be told from each other, so that no part can be cut out.
    """

    documents: tuple[str, ...]
    real: int
    first: IntersectionPart
    second: IntersectionPart
    complete: bool
    loose: bool

    @property
    def usable(self) -> bool:
        """Tell whether both versions can be looked at on what they share, which takes two documents."""
        return len(self.documents) >= 2 and (self.complete or not self.loose)


def intersection(first: NamedUnits, second: NamedUnits, edited: Collection[int] = ()) -> Intersection:
    """Return what both versions have; `edited` are the numbers of documents with another text now."""
    if first.by_name and second.by_name:
        one, other = (_single(side, edited) for side in (first, second))
        both = np.intersect1d(one, other)
        shared_units = [np.isin(side.unit, both) & side.compared for side in (first, second)]
        shared_documents = first.document[np.unique(first.clustered.unit_document[shared_units[0]])]
    else:
        shared_documents = _documents(first, second, edited)
        shared_units = [_in_documents(side, shared_documents) for side in (first, second)]
    own = [_documents_held(side, shared_documents) for side in (first, second)]
    # By name, those that are a unit of their own last.
    names = sorted({name for by_code in own for name in by_code.values()})
    number = {name: index for index, name in enumerate(names)}
    parts = []
    for side, which, codes in zip((first, second), shared_units, own, strict=True):
        position = np.full(len(side.document), GONE, dtype=np.int64)
        position[list(codes)] = [number[name] for name in codes.values()]
        parts.append(IntersectionPart(which, position))
    return Intersection(
        documents=tuple(name for _, name in names),
        real=sum(not alone for alone, _ in names),
        first=parts[0],
        second=parts[1],
        complete=all(map(_covers, (first, second), shared_units)),
        loose=bool(first.loose.any() or second.loose.any()),
    )


def _single(side: NamedUnits, edited: Collection[int]) -> Codes:
    """Return the numbers of units with a name that two annotators rated."""
    gone = np.append(np.isin(side.document, np.array(sorted(edited), dtype=np.int64)), False)
    numbers: Codes = side.unit[side.compared & (side.unit >= 0) & ~gone[side.clustered.unit_document]]
    return numbers


def _documents(first: NamedUnits, second: NamedUnits, edited: Collection[int]) -> Codes:
    """Return the numbers of the documents of both.

    A document of texts in which nothing is a unit under one version, as where only marked stretches are
    units, is there all the same.
    """
    one, other = (side.document[side.compared_documents] for side in (first, second))
    documents = np.intersect1d(one, other)
    if first.of_texts and second.of_texts:
        empty = [
            np.setdiff1d(np.intersect1d(here, there.listed), there.document)
            for here, there in ((one, second), (other, first))
        ]
        documents = np.concatenate([documents, *empty])
    return np.setdiff1d(documents, np.array(sorted(edited), dtype=np.int64))


def _in_documents(side: NamedUnits, documents: Codes) -> Mask:
    inside = np.append(np.isin(side.document, documents), False)
    in_documents: Mask = inside[side.clustered.unit_document]
    return in_documents


def _documents_held(side: NamedUnits, documents: Codes) -> dict[int, tuple[bool, str]]:
    """Return by code whether some documents (numbers) are units of their own, and their names."""
    codes = np.flatnonzero(np.isin(side.document, documents)).tolist()
    return {code: (code >= side.real, side.clustered.documents[code]) for code in codes}


def _covers(side: NamedUnits, shared_units: Mask) -> bool:
    """Tell whether all that two annotators rated, and that can be told apart, is kept."""
    return bool((shared_units | side.loose | ~side.compared).all())


def part_of(units: CodedUnits, part: IntersectionPart, documents: tuple[str, ...]) -> CodedUnits:
    """Return a part of a version's units, in the `documents` of both.

    Annotators without a rating there are left out.
    """
    shared_units = part.shared_units
    ratings = shared_units[units.unit]
    number = np.cumsum(shared_units) - 1
    who, annotator = ranks(units.annotator[ratings], max(len(units.annotators), 1))
    if units.unnamed:
        who, annotator = np.arange(len(units.annotators)), units.annotator[ratings]
    return replace(
        units,
        documents=documents,
        annotators=tuple(units.annotators[code] for code in who.tolist()),
        unit_document=part.position[units.unit_document[shared_units]],
        unit_weight=units.unit_weight[shared_units],
        unit_place=units.unit_place[shared_units],
        unit=number[units.unit[ratings]],
        annotator=annotator,
        label=units.label[ratings],
    )
