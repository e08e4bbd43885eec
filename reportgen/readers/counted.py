r"""What a folder of counts holds, as this program writes it beside every report: no texts, no units.

`counts.json` describes what was counted, and the tables beside it hold the numbers:

    counts.json       this description: schema 1, keys sorted, an entry for each layer, in the order declared
    ratings.csv       layer, unit_set, document, ratings, n: how many units of a document have the same labels
                      by the same annotators, "A01:Former|A02:New" in the annotators' order. A name's own \,
                      | and : are behind a \. Ratings are empty for units that nobody rated; a document is
                      empty where each unit is its own.
    pairs.csv         layer, unit_set, document, first, second, first_label, second_label, n; absent where it
                      would have more than 50,000 rows
    profiles.csv      layer, unit_set, document, profile, n: the same without who gave which label
    annotators.csv    layer, unit_set, document, annotator, label, n
                      These three follow from ratings.csv, and are compared with it.
    sums.csv          layer, unit_set, document, of, sums: unit sets of very many kinds of units, which have
                      no rows in the tables above but annotators.csv, and without documents profiles.csv;
                      absent where there are none
    spans.csv, type-pairs.csv, comparisons.csv, where there are marks in texts, references or systems
    everybody.csv     layer, unit_set, document, ratings, bulk, n: as ratings.csv, with people in every role;
                      `bulk` of the units are known as a number only (a cell of a matrix, unmarked tokens).
                      comparisons.csv follows from it.

Names are those of the report, pseudonyms where it has such.

Units that are known by their sums, as units that have the same sums.

Figures of agreement add up pairs of ratings of a unit: units whose pairs add up to the same give the same
figures, and those of documents the same intervals. By Newton's forward differences any such function of a
unit's labels has, over all units with as many ratings, the sum that it has over units on which all ratings
but two at most are one chosen label; these weigh what `alike` says, some of them less than nothing.

Documents of a very large table, put into groups: what travels and is kept then does not grow with them.

An interval needs sums by document, or by groups that documents come into by chance: with G groups the
variance of these sums is that of single documents, times a factor around 1 with a standard deviation of at
most √(2 / G).
"""

import hashlib
import string
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import combinations
from typing import Annotated, Any, Literal, get_args

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import did_you_mean
from reportgen.readers.annotations import NO_DOCUMENT, Codes, Compared, Margins, Ratings, factorize

# What counts say of marks in texts, and of everybody compared with references: tables of integer codes.

# What becomes of a mark, in the order of the codes.
OUTCOMES = ("match", "overlap", "only_first", "only_second")
# What stands for an outcome in rows that tell how many tokens a document has that both saw.
TOKENS = "tokens"
# How the two marks of a pair stand to each other, in the order of the codes.
KINDS = ("coextensive", "overlap")


@dataclass(frozen=True, eq=False)
class SpanCounts:
    """How often each outcome occurs between `first`, the key, and `second`; additive over documents.

    - `first`, `second`, `document`, `type`, `outcome`, `n` (rows,), sorted in this order.
    - `seen_first`, `seen_second`, `seen_document` (documents,): which document both saw, marked or not, in
      this order; `tokens` how many tokens it has.
    - `differs`: how many outcomes GATE's greedy pairing has not, by people.
    """

    first: Codes
    second: Codes
    document: Codes
    type: Codes
    outcome: Codes
    n: Codes
    seen_first: Codes
    seen_second: Codes
    seen_document: Codes
    tokens: Codes
    differs: Mapping[tuple[int, int], int] = field(default_factory=dict, kw_only=True)


@dataclass(frozen=True, eq=False)
class TypePairs:
    """How many pairs of marks of two types earn credit by one distance, sorted in the order of columns."""

    first: Codes
    second: Codes
    document: Codes
    first_type: Codes
    second_type: Codes
    kind: Codes
    n: Codes


@dataclass(frozen=True, eq=False)
class CountedUnits:
    """The units of one unit set, those of a document with the same labels by the same annotators as one.

    - `document`, `n` (kinds,): the code of the document in `documents`, NO_DOCUMENT where each unit is its
      own; how many units there are.
    - `kind`, `annotator`, `label` (ratings,): codes of a kind, and of the unit set's annotators and
      categories. Nobody rated a kind without rows.
    - `margins`: sums by annotator where it is not known who gave which label to which unit; `annotator` then
      numbers the ratings of a kind. None elsewhere.
    """

    documents: tuple[str, ...]
    document: Codes
    n: Codes
    kind: Codes
    annotator: Codes
    label: Codes
    margins: Margins | None = None


@dataclass(frozen=True, eq=False)
class MarkTables:
    """What a folder of counts says of one layer beside its unit sets.

    `spans` is None where there are no marks in texts; `credits` has a table for each distance that earns
    credit. `everybody` has everybody's labels for each unit set in which somebody is no annotator, by their
    ids; a unit that the export does not give as a number only is one row.
    """

    spans: SpanCounts | None
    credits: Mapping[str, TypePairs]
    everybody: Mapping[str, CountedUnits]


NO_TABLES = MarkTables(None, {}, {})

DESCRIPTION, RATINGS = "counts.json", "ratings.csv"
PAIRS, PROFILES, ANNOTATORS = "pairs.csv", "profiles.csv", "annotators.csv"
SUMS = "sums.csv"
SPANS, TYPE_PAIRS, COMPARISONS, EVERYBODY = "spans.csv", "type-pairs.csv", "comparisons.csv", "everybody.csv"
_OWN = ("layer", "unit_set", "document")
# The tables of unit sets; those after the first follow from it.
HEADS = {
    RATINGS: (*_OWN, "ratings", "n"),
    PAIRS: (*_OWN, "first", "second", "first_label", "second_label", "n"),
    PROFILES: (*_OWN, "profile", "n"),
    ANNOTATORS: (*_OWN, "annotator", "label", "n"),
}
# ratings.csv where it is large: documents by their number, who gave which label by a code of so many of these
# digits as the annotators times the categories take; a layer and a unit set are named in their first row.
CODED_HEAD = (*_OWN, "codes", "n")
CODE_DIGITS = string.digits + string.ascii_uppercase + string.ascii_lowercase
# Units that are known by their sums: of a number of ratings, or of two annotators' numbers.
SUMS_HEAD = (*_OWN, "of", "sums")
# annotators.csv of a large crowd: how often somebody gave each label, in the order of categories. A layer and
# a unit set are named in their first row.
GIVEN_HEAD = (*_OWN, "annotator", "labels")
# Those of marks in texts and of everybody compared with references.
MARK_HEADS = {
    SPANS: ("layer", "document", "first", "second", "type", "outcome", "n"),
    TYPE_PAIRS: (
        *("layer", "distance", "document", "first", "second"),
        *("first_type", "second_type", "kind", "n"),
    ),
    COMPARISONS: (*_OWN, "first", "second", "first_label", "second_label", "n"),
    EVERYBODY: (*_OWN, "ratings", "bulk", "n"),
}


def code_width(annotators: int, categories: int) -> int:
    """Return how many digits the code of an annotator and a category takes."""
    width = 1
    while len(CODE_DIGITS) ** width < annotators * categories:
        width += 1
    return width


COUNT_FILES = frozenset((DESCRIPTION, *HEADS, SUMS, *MARK_HEADS))
# What a name's own signs are written as in a list of ratings.
ESCAPES = str.maketrans({sign: f"\\{sign}" for sign in "\\|:"})
# The mark by which a counts.json is known.
KIND = "reportgen counts"
# Every number, and every sum of a table, is an integer that JSON readers keep.
LARGEST = 2**53
AS_WRITTEN = "Take the file as reportgen wrote it."

Number = Annotated[int, Field(ge=0, le=LARGEST)]
Names = tuple[str, ...]
Role = Literal["reference", "annotator", "system", "model"]


class Described(BaseModel):
    """A part of counts.json: frozen, without unknown keys, nothing reinterpreted."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, populate_by_name=True, defer_build=True
    )


class CandidatesDescribed(Described):
    """Where candidates come from: so many terms of a file, or a layer."""

    file: str = ""
    terms: Number = 0
    layer: str = ""
    keep_marked: bool = False


class UnitSetDescribed(Described):
    """One unit set: what rows of ratings.csv can't say of it.

    The order of `annotators`, `categories` and `documents` is that of their codes: sums of floats follow it.
    """

    id: str
    kind: str = Field(description="items, tokens, declared, annotated-by-any, …")
    primary: bool
    why: str = Field(description="the campaign's reason, Markdown")
    scale: Literal["nominal", "ordinal", "interval", "ratio", "set"]
    base: str = Field(description="units of the export, or tokens, sentences, candidates, marks, relations")
    annotators: Names
    categories: Names
    non_annotated: str | None = Field(description="the category of unmarked units, the last; null without")
    non_annotated_name: str = Field(description="its name, also where no unit can have it")
    sets: tuple[Names, ...] | None = Field(description="the members of each category where labels are sets")
    category_count: Number | None
    documents: Names | None = Field(description="those of the export, where they are not all of the layer's")
    units_read: Number
    units_added: Number
    units_left_out: Mapping[str, Number]
    boundary: Number | None = Field(description="marks that cut a token, where units are tokens")
    several: Number
    joined: bool
    candidates: CandidatesDescribed | None
    grouped: Number = Field(default=0, description="documents, where `documents` are groups of them; else 0")
    unnamed: bool = Field(
        default=False,
        description="whether profiles.csv has the units: who gave them their labels is not known",
    )
    summed: bool = Field(default=False, description="whether sums.csv has the units: sums alone are known")
    paired: bool = Field(
        default=False, description="whether profiles.csv has the units, and sums.csv the tables of all pairs"
    )
    marks_used: Number
    marks_left_out: Mapping[str, Number] = Field(description="by reason, without what the layer passes over")

    @model_serializer(mode="wrap")
    def _without_default(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        spare = {"grouped", "unnamed", "summed", "paired"}
        return {key: value for key, value in handler(self).items() if value or key not in spare}


class LeftOutDescribed(Described):
    """Marks that were left out, without their place."""

    annotator: str
    reason: str
    marks: Number


class AttendanceDescribed(Described):
    """What one annotator did with how many documents."""

    annotator: str
    marked: Number
    empty: Number
    skipped: Number
    unseen: Number


class MaterialDescribed(Described):
    """How much there was in a layer."""

    documents: Number
    documents_unmarked: Number | None
    tokens: Number | None
    copies: Number
    tokens_seen: Number
    marks: Number
    labels: Mapping[str, Number]
    attendance: tuple[AttendanceDescribed, ...]


class SpellingDescribed(Described):
    """Values of a feature that differ in spelling only; so many marks carry one of them."""

    feature: str
    values: Names
    marks: Number


class CreditDescribed(Described):
    """What two types earn as a pair by a distance, 1 - δ; rows are in the order of the types."""

    distance: str
    earned: tuple[tuple[float, ...], ...]


class SpansDescribed(Described):
    """Marks in texts as spans: what rows of spans.csv and type-pairs.csv can't say of them.

    The order of `people` and `types` is that of their codes. `features` and `feature_match` say by what marks
    matched. `differs_from_greedy` has two people, and how many outcomes GATE's pairing has not.
    """

    people: Names
    roles: tuple[Role, ...]
    derived: Names = Field(description="references made from annotators' own marks")
    types: Names
    documents: Names | None = Field(description="those that somebody saw, where they are not the layer's")
    features: Names
    feature_match: Literal["equal", "subset"]
    doubled: Number
    spellings: tuple[SpellingDescribed, ...]
    differs_from_greedy: tuple[tuple[str, str, Number], ...]
    credits: tuple[CreditDescribed, ...]


class EverybodyDescribed(Described):
    """The units of a unit set with everybody's labels, as comparisons with references and systems have them.

    `units` is described as any unit set is, its annotators being people in any role.
    """

    units: UnitSetDescribed
    roles: tuple[Role, ...]
    derived: Names
    choice: Literal["every", "any", "all"] = Field(description="on which units two people are compared")
    absent: Number | None = Field(description="the code of the category of unmarked units; null without")


class LayerDescribed(Described):
    """One layer: its marks, its material, its unit sets."""

    id: str
    compared: Compared = Field(description="what it consists of: marks, attributes or relations")
    annotators: Names = Field(description="everybody whose marks are counted, whatever their role")
    labels: Names = Field(description="all labels of the export, in its order")
    documents: Names
    marks_read: Number
    marks_used: Number
    left_out: tuple[LeftOutDescribed, ...]
    passed_over: Mapping[str, Number]
    declared: Names = Field(default=(), description="the categories that the campaign declares")
    marks_again: Number = Field(default=0, description="of the marks read, those that an earlier layer has")
    missing: Number = Field(default=0, description="cells of a table that have no label")
    repeated: Number = Field(default=0, description="labels given again in the same pass, the same")
    contradicting: Number = Field(default=0, description="labels given again in the same pass, others")
    not_compared: Mapping[str, Number] | None = Field(
        default=None, description="how much of each kind the exports have besides labels"
    )
    material: MaterialDescribed
    unit_sets: tuple[UnitSetDescribed, ...]
    spans: SpansDescribed | None = None
    everybody: tuple[EverybodyDescribed, ...] = ()


class CountsDescribed(Described):
    """The whole of counts.json."""

    kind: Literal["reportgen counts"] = "reportgen counts"
    schema_: Annotated[Literal[1], Field(alias="schema")] = 1
    layers: Annotated[tuple[LayerDescribed, ...], Field(min_length=1)]


@dataclass(frozen=True, eq=False)
class CountedLayer:
    """One layer of a folder of counts: an export that holds numbers only.

    `kinds` has the units of each unit set by its id. `rows` has the rows of the other tables of this layer,
    by file name, each with its line and its cells; `marks` are the same rows as codes. `file` is the name to
    show for the description, `files` has those of all files by what they are called. `coded` says that
    ratings.csv is: profiles.csv then has all documents together.
    """

    described: LayerDescribed
    kinds: Mapping[str, CountedUnits]
    file: str
    rows: Mapping[str, Sequence[tuple[int, tuple[str, ...]]]] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    marks: MarkTables = NO_TABLES
    coded: bool = False

    @property
    def documents(self) -> tuple[str, ...]:
        """Return the names of the documents."""
        return self.described.documents

    @property
    def annotators(self) -> tuple[str, ...]:
        """Return who labelled anything, whatever their role."""
        return self.described.annotators

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the labels of the export that was counted."""
        return self.described.labels


# Where counts.json is not at one with itself: a path in it, and what is wrong there.

KeyPath = tuple[str | int, ...]
Faults = Iterator[tuple[KeyPath, str]]


def _repeated(path: KeyPath, names: Sequence[str], *key: str) -> Faults:
    """Yield each name that a list repeats, where it does so."""
    first = {name: position for position, name in reversed(list(enumerate(names)))}
    for position, name in enumerate(names):
        if first[name] < position:
            yield (*path, position, *key), f'"{name}" is there twice.'


def _repeated_in(path: KeyPath, part: Described, *keys: str) -> Faults:
    for key in keys:
        yield from _repeated((*path, key), getattr(part, key) or ())


def _strangers(path: KeyPath, names: Sequence[str], people: Sequence[str]) -> Faults:
    for position, name in enumerate(names):
        if name not in people:
            yield (*path, position), f'"{name}" is none of the people.'


def _unknown(path: KeyPath, names: Sequence[str], of_layer: Sequence[str]) -> Faults:
    layer_names = frozenset(of_layer)
    for position, name in enumerate(names):
        if name not in layer_names:
            yield (*path, position), f'the layer has no "{name}". {did_you_mean(name, of_layer)}'.rstrip()


def contradictions(described: CountsDescribed) -> Faults:
    """Yield where counts.json is not at one with itself."""
    yield from _repeated(("layers",), [layer.id for layer in described.layers], "id")
    for number, layer in enumerate(described.layers):
        path: KeyPath = ("layers", number)
        yield from _repeated((*path, "unit_sets"), [unit_set.id for unit_set in layer.unit_sets], "id")
        yield from _repeated((*path, "everybody"), [everybody.units.id for everybody in layer.everybody])
        yield from _repeated_in(path, layer, "annotators", "documents")
        left_out = sum(excluded.marks for excluded in layer.left_out)
        if _labels_read(layer) != layer.marks_used + left_out:
            read, used = _labels_read(layer), layer.marks_used
            yield (*path, "marks_read"), f"is {read:,}, but {used:,} were used and {left_out:,} left out."
        if not layer.unit_sets:
            yield (*path, "unit_sets"), "is empty."
        for position, unit_set in enumerate(layer.unit_sets):
            yield from _of_unit_set((*path, "unit_sets", position), unit_set, layer)
        if layer.spans is not None:
            yield from _of_spans((*path, "spans"), layer.spans)
        for position, everybody in enumerate(layer.everybody):
            yield from _of_everybody((*path, "everybody", position), everybody, layer)


def _labels_read(layer: LayerDescribed) -> int:
    """Return the marks read without what is beside labels, such as times."""
    return layer.marks_read - sum((layer.not_compared or {}).values())


def _of_unit_set(path: KeyPath, unit_set: UnitSetDescribed, layer: LayerDescribed) -> Faults:
    yield from _repeated_in(path, unit_set, "annotators", "categories", "documents")
    yield from _unknown((*path, "annotators"), unit_set.annotators, layer.annotators)
    yield from _unknown((*path, "documents"), unit_set.documents or (), layer.documents)
    absent, categories = unit_set.non_annotated, unit_set.categories
    if absent not in (None, *categories[-1:]):
        yield (*path, "non_annotated"), f'is "{absent}", which is not the last of the categories.'
    if (unit_set.sets is None) == (unit_set.scale == "set"):
        yield (*path, "sets"), 'is there where scale is "set", and only there.'
    elif unit_set.sets is not None and len(unit_set.sets) != len(categories):
        yield (*path, "sets"), f"has {len(unit_set.sets):,} entries for {len(categories):,} categories."
    left_out = sum(unit_set.marks_left_out.values()) + sum(layer.passed_over.values())
    if _labels_read(layer) != unit_set.marks_used + left_out:
        used, read = unit_set.marks_used, _labels_read(layer)
        yield (*path, "marks_used"), f"is {used:,}, but {read:,} were read and {left_out:,} left out here."


def _of_spans(path: KeyPath, spans: SpansDescribed) -> Faults:
    yield from _repeated_in(path, spans, "people", "types", "documents")
    yield from _roles(path, spans.people, spans.roles, spans.derived)
    for position, (first, second, _) in enumerate(spans.differs_from_greedy):
        yield from _strangers((*path, "differs_from_greedy", position), (first, second), spans.people)
    yield from _repeated((*path, "credits"), [credit.distance for credit in spans.credits])
    size = len(spans.types)
    for position, credit in enumerate(spans.credits):
        key = (*path, "credits", position, "earned")
        if len(credit.earned) != size or any(len(row) != size for row in credit.earned):
            yield key, f"has not {size} rows and columns, one for each type."
        elif not all(0 <= value <= 1 for row in credit.earned for value in row):
            yield key, "has numbers that are not between 0 and 1."


def _of_everybody(path: KeyPath, described: EverybodyDescribed, layer: LayerDescribed) -> Faults:
    units, absent = described.units, described.absent
    unmarked, size = units.non_annotated, len(units.categories)
    if units.id not in {unit_set.id for unit_set in layer.unit_sets}:
        yield (*path, "units", "id"), f'the layer has no unit set "{units.id}".'
    yield from _repeated_in((*path, "units"), units, "annotators", "categories", "documents")
    yield from _roles(path, units.annotators, described.roles, described.derived)
    if unmarked is not None and absent != size - 1:
        yield (*path, "absent"), f"is not {size - 1}, the code of the category of unmarked units."
    elif unmarked is None and absent not in (None, size):
        yield (*path, "absent"), "is a code, and the units have no category of unmarked ones."
    if unmarked not in (None, *units.categories[-1:]):
        yield (*path, "units", "non_annotated"), "is not the last of the categories."
    if units.sets is not None and len(units.sets) < size:
        yield (*path, "units", "sets"), f"has {len(units.sets):,} entries for {size:,} categories."


def _roles(path: KeyPath, people: Sequence[str], roles: Sequence[str], derived: Sequence[str]) -> Faults:
    if len(people) != len(roles):
        yield (*path, "roles"), f"has {len(roles):,} entries for {len(people):,} people."
    elif list(roles) != sorted(roles, key=get_args(Role).index):
        yield (*path, "roles"), f"are not in the order {', '.join(get_args(Role))}."
    yield from _strangers((*path, "derived"), derived, people)


@dataclass(frozen=True, eq=False)
class LabelSums:
    """How often each two labels meet on the units of a document that have the same number of ratings.

    `document`, `ratings` (rows,) say which units, sorted by both; `met` (rows, categories, categories) is
    symmetric: how many pairs of ratings of a unit have the two labels. Units with one rating have their
    labels on the diagonal, and those with none their number in its first place.
    """

    document: Codes
    ratings: Codes
    met: Codes

    @property
    def twice(self) -> Codes:
        """Return how many pairs of ratings have the same label, by label (rows, categories)."""
        return self.met.diagonal(axis1=1, axis2=2)

    @property
    def labels(self) -> Codes:
        """Return how many ratings have each label (rows, categories)."""
        return self._labels[0]

    @property
    def units(self) -> Codes:
        """Return how many units there are (rows,)."""
        return self._units[0]

    @property
    def are_whole(self) -> npt.NDArray[np.bool_]:
        """Tell of which rows the numbers of units, and of ratings by label, are whole (rows,)."""
        whole: npt.NDArray[np.bool_] = (self._units[1] == 0) & (self._labels[1] == 0).all(axis=1)
        return whole

    @property
    def _labels(self) -> tuple[Codes, Codes]:
        """Return ratings by label, each being in so many pairs as the unit has others, and what is left."""
        others = np.maximum(self.ratings - 1, 1)[:, None]
        several = (self.ratings > 1)[:, None]
        in_pairs = np.where(several, self.met.sum(axis=2) + self.twice, self.twice)
        return np.divmod(np.where((self.ratings == 0)[:, None], 0, in_pairs), others)

    @property
    def _units(self) -> tuple[Codes, Codes]:
        pairs = (self.met.sum(axis=(1, 2)) + self.twice.sum(axis=1)) // 2
        return np.divmod(pairs, np.maximum(self.ratings * (self.ratings - 1) // 2, 1))


def sums_on(document: Codes, weight: Codes, unit: Codes, label: Codes, size: int) -> LabelSums:
    """Return how often labels meet on units: `document`, `weight` (units,); `unit`, which rises, `label`."""
    ratings = np.bincount(unit, minlength=len(weight))
    most = int(ratings.max(initial=0))
    rows, row = np.unique(document * (most + 1) + ratings, return_inverse=True)
    met = np.zeros((len(rows), size, size), dtype=np.int64)
    labels = np.zeros((len(ratings), most), dtype=np.int64)
    labels[unit, np.arange(len(unit)) - (np.cumsum(ratings) - ratings)[unit]] = label
    for first, second in combinations(range(most), 2):
        both = np.flatnonzero(ratings > second)
        cell = (row[both] * size + labels[both, first]) * size + labels[both, second]
        np.add.at(met.reshape(-1), cell, weight[both])
    met += met.transpose(0, 2, 1)
    same = np.arange(size)
    met[:, same, same] //= 2
    few = np.flatnonzero(ratings < 2)
    alone = labels[few, 0] if most else np.zeros_like(few)
    np.add.at(met, (row[few], alone, alone), weight[few])
    return LabelSums(rows // (most + 1), rows % (most + 1), met)


# Up to here floats have all whole numbers.
EXACT = 2**53


def products_of(cells: Codes) -> Codes:
    """Return the products of every two cells, added up over documents, from cells by document."""
    # Floats that are whole are added up several times as fast, and without rounding.
    exact = int(cells.sum()) * int(cells.max(initial=0)) < EXACT
    numbers = cells.astype(np.float64) if exact else cells
    products: Codes = (numbers.T @ numbers).astype(np.int64)
    return products


def contradictory_sums(sums: LabelSums, given: Margins) -> Iterator[str]:
    """Yield what is wrong with sums by document and those by pair of annotators, where no units have both."""
    size = sums.met.shape[1]
    met, labels = np.zeros((size, size), dtype=np.int64), np.zeros(size, dtype=np.int64)
    *_, one, other, n = given.pairs or (given.n[:0],) * 6
    np.add.at(met, (one, other), n)
    np.add.at(labels, given.label, given.n)
    met += met.T
    np.fill_diagonal(met, met.diagonal() // 2)
    if not sums.are_whole.all():
        yield "has sums that no units have."
    if (sums.met[sums.ratings > 1].sum(axis=0) != met).any():
        yield "has other sums by document than by pair of annotators."
    if (sums.labels.sum(axis=0) != labels).any():
        yield "has other labels than annotators.csv."
    if given.products is not None and given.shared is not None and not _are_possible(given, size):
        yield "has other products of cells than tables of pairs can have."


def _are_possible(given: Margins, size: int) -> bool:
    """Say whether products of cells, by document, are possible beside the cells by group of documents.

    A whole number is at most its square, and as odd. Groups have the products of their documents and more.
    """
    first, second, group, one, other, n = given.pairs or (given.n[:0],) * 6
    people = set(zip(first.tolist(), second.tolist(), strict=True))
    named = given.shared or (given.n[:0],) * 2
    if people != set(zip(named[0].tolist(), named[1].tolist(), strict=True)):
        return False
    groups, number = np.unique(group, return_inverse=True)
    for who in people:
        rows = np.flatnonzero((first == who[0]) & (second == who[1]))
        cells = np.zeros((len(groups), size * size), dtype=np.int64)
        np.add.at(cells, (number[rows], one[rows] * size + other[rows]), n[rows])
        units, (documents, products) = cells.sum(axis=0), given.products_of(*who, size)
        left = products.diagonal() - units
        if (left < 0).any() or (left % 2).any() or (products > products_of(cells)).any():
            return False
        if not cells.any(axis=1).sum() <= documents <= units.sum():
            return False
    return True


@dataclass(frozen=True, eq=False)
class UnitsAlike:
    """Units as they are coded: `document`, `weight` (units,); `unit`, `place`, `label` (ratings,)."""

    document: Codes
    weight: Codes
    unit: Codes
    place: Codes
    label: Codes


def alike(sums: LabelSums) -> UnitsAlike:
    """Return units that have these sums.

    With x_k the ratings with label k of a unit, r the commonest label, and k, l others, a function p of
    degree 2 is p(r…r) + Σ x_k Δ_k p + Σ C(x_k, 2) Δ_kk p + Σ x_k x_l Δ_kl p. Added up over units, so many
    have the two ratings k and l beside r, or two of k; what is left of x_k have k alone, of all units r.
    """
    common = int(sums.labels.sum(axis=0).argmax())
    others = np.arange(sums.met.shape[1]) != common
    beside = sums.met * others[:, None] * others[None, :]
    twice = sums.twice * others
    both = (beside.sum(axis=(1, 2)) - twice.sum(axis=1)) // 2
    weight = np.triu(beside)
    alone = np.where(others, sums.labels - beside.sum(axis=2) - twice, 0)
    rest = sums.units - (sums.labels * others).sum(axis=1) + twice.sum(axis=1) + both
    weight[:, common, :] += alone
    weight[:, common, common] += rest
    few = sums.ratings < 2
    weight[few] = 0
    weight[few, common, :] = np.where((sums.ratings[few] == 1)[:, None], sums.twice[few], 0)
    weight[sums.ratings == 0, common, common] = sums.met[sums.ratings == 0, 0, 0]
    row, one, other = np.nonzero(weight)
    ratings = sums.ratings[row]
    starts = np.cumsum(ratings) - ratings
    unit = np.repeat(np.arange(len(row)), ratings)
    label = np.full(len(unit), common, dtype=np.int64)
    label[starts[ratings > 1]] = one[ratings > 1]
    last = ratings > 0
    label[(starts + ratings - 1)[last]] = other[last]
    return UnitsAlike(
        sums.document[row], weight[row, one, other], unit, np.arange(len(unit)) - starts[unit], label
    )


# The first digits of the MD5 of a document's name are its group: every engine computes the same.
DIGITS = 3
MOST_GROUPS: int = 16**DIGITS
MOST_DOCUMENTS = MOST_GROUPS
# Cells of a table that can hold a label; below, documents stay as they are.
MOST_LABELS = 200_000


# More annotators than are compared two by two, of more units than these, or with more pairs of ratings of a
# unit, are counted without their units.
MOST_NAMED, MOST_NAMED_UNITS, MOST_TWOS = 50, 100_000, 2**26


def is_large_crowd(annotators: int, units: int, twos: int) -> bool:
    """Say whether it is not kept which of so many annotators gave which label to which of so many units.

    `twos` are the pairs of ratings of a unit, as `fewest_twos` tells them.
    """
    return annotators > MOST_NAMED and (units > MOST_NAMED_UNITS or twos > MOST_TWOS)


def fewest_twos(labels: int, units: int) -> int:
    """Return how many pairs of ratings so many labels of so many units have: where all have as many."""
    return labels * labels // max(2 * units, 1)


# More kinds of units than these, of a few annotators, are kept as sums by document and by pair of annotators.
MOST_KINDS = 2**19
# Up to so many products of the cells of tables of pairs of annotators are added up over documents.
MOST_PRODUCTS = 2**20
# In these tables documents are in so many groups, by the first bits of the same digits: intervals come from
# products where there are such, and only versions are compared by groups.
GROUPS_BESIDE_PRODUCTS, GROUPS_WITHOUT = 256, 512


def are_too_various(kinds: int, annotators: int, categories: int, documents: int) -> bool:
    """Say whether so many kinds of units are kept as sums: where these are fewer numbers."""
    if annotators < 3 or annotators > MOST_NAMED or kinds <= MOST_KINDS:
        return False
    groups = min(documents, pair_groups(annotators, categories))
    by_pair = annotators * (annotators - 1) // 2 * categories**2 * groups
    products = _products(annotators, categories) if have_products(annotators, categories) else 0
    return documents * categories * (categories + 1) // 2 + by_pair + products < kinds


def are_too_various_alone(kinds: int, annotators: int, categories: int, profiles: int) -> bool:
    """Say whether so many kinds of units without documents are kept without who gave which label to each.

    That is where these are fewer numbers: `profiles`, the different lists of a unit's labels from whomever,
    and a table for every two annotators.
    """
    if annotators < 3 or annotators > MOST_NAMED or kinds <= MOST_KINDS:
        return False
    return profiles + annotators * (annotators - 1) // 2 * categories**2 < kinds


def have_products(annotators: int, categories: int) -> bool:
    """Say whether so many annotators and categories have few enough products of cells."""
    return _products(annotators, categories) <= MOST_PRODUCTS


def pair_groups(annotators: int, categories: int) -> int:
    """Return in how many groups documents are in the tables of so many annotators."""
    return GROUPS_BESIDE_PRODUCTS if have_products(annotators, categories) else GROUPS_WITHOUT


def _products(annotators: int, categories: int) -> int:
    cells = categories**2
    return annotators * (annotators - 1) // 2 * cells * (cells + 1) // 2


def are_too_many(documents: int, labels: int) -> bool:
    """Say whether so many documents of a table with so many labels are put into groups."""
    return documents > MOST_DOCUMENTS and labels > MOST_LABELS


def group_of(document: str) -> str:
    """Return the group of a document."""
    return hashlib.md5(document.encode(), usedforsecurity=False).hexdigest()[:DIGITS]


def pair_group(digits: str, groups: int) -> int:
    """Return the group, of so many among the tables of pairs, of documents with these digits."""
    return int(digits, 16) * groups // MOST_GROUPS


def pair_digits(groups: int) -> dict[str, str]:
    """Return what the last digit of a group is in the tables of pairs: one of those that are put together."""
    together = MOST_GROUPS // groups
    return {f"{digit:x}": f"{digit - digit % together:x}" for digit in range(16)}


def first_by_group(documents: Sequence[str], groups: int) -> dict[int, int]:
    """Return for each group among the tables of pairs the number of its first document."""
    first: dict[int, int] = {}
    for code, document in enumerate(documents):
        first.setdefault(pair_group(group_of(document), groups), code)
    return first


def first_of_groups(documents: Sequence[str], groups: int) -> Codes:
    """Return for each document the number of the first one of its group among the tables of pairs."""
    first = first_by_group(documents, groups)
    return np.array([first[pair_group(group_of(document), groups)] for document in documents], dtype=np.int64)


def in_groups(ratings: Ratings) -> Ratings:
    """Return the same with groups in place of documents, in the order of their names."""
    own = [group_of(document) for document in ratings.documents]
    groups, group = factorize(own, sorted({*own}))
    return replace(
        ratings,
        documents=groups,
        document=np.append(group, NO_DOCUMENT)[ratings.document],
        grouped=len(ratings.documents),
    )
