"""One version prepared for comparison: units, categories, marks and labels under common names."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from reportgen.base.dataclass import dataclass
from reportgen.campaign import DistanceMatrix, Version
from reportgen.catalogue import is_true_of
from reportgen.counts import ContingencyTable, SpanCounts, count, count_spans, pair_tables
from reportgen.counts.tables import dense_codes
from reportgen.measures import (
    MOST_ANNOTATORS,
    Estimate,
    NoDifference,
    ScaleSetting,
    UnitsOfAll,
    UnitsOfPair,
    setting_of,
)
from reportgen.measures.analysis import measures_of, pair_measures, specific_of
from reportgen.measures.comparisons import compared_figures
from reportgen.measures.sets import judged
from reportgen.measures.spans import MarkCells, mark_cells
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results.parts import Categories
from reportgen.units import NO_CATEGORY, CodedUnits, ComparedUnits, LayerUnits, SpanFrame
from reportgen.units import Mask as UnitMask
from reportgen.units.labels import as_rows
from reportgen.units.unit_sets import NO_PLACE

NOMINAL = "nominal"
COMPUTED = "computed"


@dataclass(frozen=True, eq=False)
class UnitSetFigures:
    """What is compared of one unit set of one version."""

    whole: UnitsOfAll

    @cached_property
    def measures(self) -> Mapping[str, Estimate]:
        """Return every figure of all annotators together."""
        return measures_of(self.whole)

    @cached_property
    def specific(self) -> Callable[[int], Estimate]:
        """Return what gives the specific agreement of a category, of sets of a label, by its code."""
        return specific_of(self.whole)

    @cached_property
    def places(self) -> dict[str, int]:
        """Return the code of each category, of sets of each label, by its name."""
        return {name: code for code, name in enumerate(judged(self.whole.units))}

    @cached_property
    def tables(self) -> dict[frozenset[str], ContingencyTable]:
        """Return the table of every two annotators who share a unit, none of a crowd."""
        whole, names = self.whole, self.whole.units.annotators
        if len(names) > MOST_ANNOTATORS:
            return {}
        tables = pair_tables(whole.counts.pairs, whole.categories)
        return {frozenset((names[table.first], names[table.second])): table for table in tables}

    def of_pair(self, names: Iterable[str], figure_names: Sequence[str]) -> dict[str, Estimate]:
        """Return some figures of two annotators who share units."""
        measures = pair_measures(UnitsOfPair(self.tables[frozenset(names)], self.whole.setting))
        return {name: measures[name] for name in figure_names if name in measures}


def figures_of(units: CodedUnits, tables: Sequence[DistanceMatrix]) -> UnitSetFigures:
    """Return the figures of a unit set."""
    return UnitSetFigures(UnitsOfAll(units, count(units), setting_of(units, tables)))


@dataclass(frozen=True, eq=False)
class Prepared:
    """The figures of one version: as they are `shown`, and with documents that can be held side by side.

    They are two only where units without a document have names, and so stand for documents in a test.
    """

    shown: UnitSetFigures
    tested: UnitSetFigures

    def specific(self, name: str) -> tuple[Estimate, Estimate]:
        """Return the specific agreement of a category, of sets of a label: as it is shown and as tested."""
        shown, tested = self.shown, self.tested
        estimate = shown.specific(shown.places[name])
        return estimate, estimate if tested is shown else tested.specific(tested.places[name])


def prepared(clustered: CodedUnits, real: int, tables: Sequence[DistanceMatrix]) -> Prepared:
    """Return the figures of a unit set of which the first `real` documents are documents indeed."""
    tested = figures_of(clustered, tables)
    own = clustered.document >= real
    if not own.any():
        return Prepared(tested, tested)
    document = np.where(own, NO_DOCUMENT, clustered.document)
    units = replace(clustered, document=document, documents=clustered.documents[:real])
    return Prepared(figures_of(units, tables), tested)


def not_comparable(figure: str, first: UnitsOfAll, second: UnitsOfAll) -> NoDifference | None:
    """Return why a figure of the same categories means something else in the second version, if it does."""
    _, _, bracket = figure.removesuffix("]").partition("[")
    if bracket == COMPUTED:
        return NoDifference.COMPUTED
    ours, theirs = (declared_distances(side.setting, side.units.categories) for side in (first, second))
    if bracket in ours or bracket in theirs:
        same = ours.get(bracket) == theirs.get(bracket)
        return None if same else NoDifference.DISTANCES
    if _depends_on_scale(figure, bracket) and not _same_scale(first, second):
        return NoDifference.SCALE
    return None


def declared_distances(
    setting: ScaleSetting, categories: Sequence[str]
) -> dict[str, dict[tuple[str, str], float]]:
    """Return the declared distances by the names of categories."""
    return {
        distance.id: {
            (category, other): float(distance.matrix[row, column])
            for row, category in enumerate(categories)
            for column, other in enumerate(categories)
        }
        for distance in setting.distances
    }


def _depends_on_scale(figure: str, bracket: str) -> bool:
    return bool(bracket) or is_true_of(figure, lambda each: each.by_codes or NOMINAL not in each.scales)


def _same_scale(first: UnitsOfAll, second: UnitsOfAll) -> bool:
    """Tell whether both have the same scale, with each category in the same place of it."""
    ours, theirs = first.setting, second.setting
    if ours.scale != theirs.scale:
        return False
    if ours.sets is not None:
        return True
    return first.units.categories == second.units.categories and _values(ours) == _values(theirs)


def _values(setting: ScaleSetting) -> list[float] | None:
    return None if setting.values is None else np.nan_to_num(setting.values, nan=-np.inf).tolist()


# How the categories of two guidelines versions answer to each other; labels under their later names.

Members = frozenset[str]
SET = "set"
SEPARATOR = "|"
BESIDE = " / "


# What each version calls categories of earlier ones: one or several later ones.
Merges = Sequence[Mapping[str, Sequence[str]]]


@dataclass(frozen=True)
class Crosswalk:
    """Under which names the labels of two versions are compared, `earlier` and `later` ones."""

    earlier: Mapping[str, str]
    later: Mapping[str, str]


def crosswalk(names: Sequence[str], merges: Merges) -> Crosswalk:
    """Return how earlier `names` and what became of them are compared, `merges` being in order of versions.

    An earlier label that became one later label has its name. Of one that was split the later labels are
    compared as one, under its name: the finer version tells of the coarser one, never the other way round.
    Where several earlier labels share a part, all that they became is one, under the names of the parts.
    """
    became = {name: [name] for name in names}
    for merged in merges:
        became = {
            name: list(dict.fromkeys(later for now in nows for later in merged.get(now, (now,))))
            for name, nows in became.items()
        }
    groups: list[tuple[list[str], list[str]]] = []
    for name, parts in became.items():
        joined = [group for group in groups if {*group[1]} & {*parts}]
        groups = [group for group in groups if group not in joined]
        olds = [*(old for group in joined for old in group[0]), name]
        news = dict.fromkeys(new for group in [*joined, ([], parts)] for new in group[1])
        groups.append((olds, list(news)))
    called = [(olds, news, _name_of_all(olds, news)) for olds, news in groups]
    return Crosswalk(
        {old: name for olds, _, name in called for old in olds},
        {new: name for _, news, name in called if len(news) > 1 for new in news},
    )


def _name_of_all(olds: Sequence[str], news: Sequence[str]) -> str:
    if len(news) == 1:
        return news[0]
    return olds[0] if len(olds) == 1 else BESIDE.join(news)


def match(
    first: Sequence[str], second: Sequence[str], names: Crosswalk, *, one_inventory: bool = False
) -> Categories:
    """Return how two lists of categories answer to each other under the names of a crosswalk.

    `merged` and `split` have only what changes a name that the version has; `first_only` and `second_only`
    are what stays alone. `one_inventory` says that both are what was used of one inventory, too large to
    list.
    """
    merged = {name: names.earlier[name] for name in first if names.earlier.get(name, name) != name}
    split = {name: names.later[name] for name in second if name in names.later}
    here = dict.fromkeys(names.earlier.get(name, name) for name in first)
    there = dict.fromkeys(names.later.get(name, name) for name in second)
    first_only = tuple(name for name in here if name not in there)
    second_only = tuple(name for name in there if name not in here)
    if one_inventory or not (first_only or second_only):
        return Categories(how="merged" if merged or split else "same", merged=merged, split=split or None)
    return Categories(
        how="names", merged=merged, split=split or None, first_only=first_only, second_only=second_only
    )


def overlap_in_one(first: CodedUnits, second: CodedUnits) -> bool:
    """Tell whether marks overlap in one of two unit sets alone, so that labels are sets in that one."""
    return first.base != "units" and {first.scale, second.scale} == {"nominal", "set"}


def match_units(
    first: CodedUnits, second: CodedUnits, merges: Merges
) -> tuple[Categories, CodedUnits, CodedUnits]:
    """Return how the categories of two unit sets answer to each other, and both under common names.

    Those of sets are their members. The name of unmarked units is no category of the guidelines: it may be
    another without a word in campaign.toml. On a nominal scale the first then has the later order too.
    """
    ours, theirs = categories_of(first), categories_of(second)
    names = crosswalk(ours, merges)
    if NO_CATEGORY not in {first.non_annotated, second.non_annotated} and first.sets is None:
        absent = {first.categories[first.non_annotated]: second.categories[second.non_annotated]}
        names = replace(names, earlier={**names.earlier, **absent})
    counted = first.category_count is not None and first.category_count == second.category_count
    matched = match(ours, theirs, names, one_inventory=counted)
    later = renamed(second, second, matched.split) if matched.split else second
    if not matched.merged and not matched.split and not _in_other_order(first, second):
        return matched, first, later
    return matched, renamed(first, later, {**{name: name for name in ours}, **matched.merged}), later


def categories_of(units: CodedUnits) -> tuple[str, ...]:
    """Return the categories of a unit set; where labels are sets, their members, by name."""
    if units.sets is None:
        return units.categories
    return tuple(sorted(frozenset[str]().union(*units.sets)))


def _in_other_order(first: CodedUnits, second: CodedUnits) -> bool:
    """Tell whether the same names, without an order of their own, are in another order."""
    free = first.scale == second.scale == "nominal"
    return free and first.categories != second.categories and set(first.categories) == set(second.categories)


def renamed(units: CodedUnits, later: CodedUnits, names: Mapping[str, str]) -> CodedUnits:
    """Return units whose categories have other names; those that become one are one.

    They are in the order of the later version, what it does not have behind its own, the category of
    unmarked units last; labels of the later version itself that become one are where the first of them was.
    """
    order = later.categories
    if units is later:
        order = tuple(dict.fromkeys(names.get(name, name) for name in order))
    if units.sets is not None:
        return _of_sets(units, later, names)
    new = [names.get(name, name) for name in units.categories]
    absent = None if units.non_annotated == NO_CATEGORY else new[units.non_annotated]
    ordered = [
        *(name for name in order if name in new and name != absent),
        *(name for name in dict.fromkeys(new) if name not in order and name != absent),
        *([] if absent is None else [absent]),
    ]
    return _recoded(units, new, ordered, absent)


def _recoded(units: CodedUnits, new: Sequence[str], ordered: Sequence[str], absent: str | None) -> CodedUnits:
    codes = {name: code for code, name in enumerate(ordered)}
    code = np.array([codes[name] for name in new], dtype=np.int64)
    return replace(
        units,
        categories=tuple(ordered),
        label=code[units.label] if len(code) else units.label,
        margins=units.margins and units.margins.recoded(np.arange(len(units.annotators)), code),
        non_annotated=NO_CATEGORY if absent is None else codes[absent],
        non_annotated_name=units.non_annotated_name if absent is None else absent,
    )


def _of_sets(units: CodedUnits, later: CodedUnits, names: Mapping[str, str]) -> CodedUnits:
    """Return units whose sets have members of other names; sets that become the same are one."""
    sets = [frozenset(names.get(member, member) for member in labels) for labels in units.sets or ()]
    absent = None if units.non_annotated == NO_CATEGORY else sets[units.non_annotated]
    later_names = dict(zip(later.sets or (), later.categories, strict=True))
    called: dict[Members, str] = {}
    names_in_use = {*later_names.values()}
    for labels, name in zip(sets, units.categories, strict=True):
        if labels not in called:
            called[labels] = later_names.get(labels) or _free(
                SEPARATOR.join(sorted(labels)) or name, names_in_use
            )
            names_in_use.add(called[labels])
    unmarked = None if absent is None else called[absent]
    order = [*(name for name in called if name != absent), *([] if absent is None else [absent])]
    recoded = _recoded(
        units, [called[labels] for labels in sets], [called[labels] for labels in order], unmarked
    )
    return replace(recoded, sets=tuple(order))


def _free(name: str, names_in_use: set[str]) -> str:
    """Return a name that no other set has."""
    while name in names_in_use:
        name = f"{{{name}}}"
    return name


# One version's marks in texts, prepared to be compared with those of another version.

ANNOTATOR = "annotator"


@dataclass(frozen=True, eq=False)
class MarkSide:
    """The marks of one layer under one version.

    `declared` are the layer's categories, the non-annotated one left out.
    """

    spans: SpanFrame
    counts: SpanCounts
    declared: tuple[str, ...] = ()

    @cached_property
    def cells(self) -> MarkCells:
        """Return what became of the marks of every two people who are compared."""
        return mark_cells(self.counts)

    @property
    def types(self) -> tuple[str, ...]:
        """Return the declared types, then the others that are in use."""
        return tuple(dict.fromkeys((*self.declared, *self.spans.types)))

    @property
    def crowded(self) -> bool:
        """Say whether there are too many annotators for the figures of each pair."""
        return len(self.spans.annotators) > MOST_ANNOTATORS

    @property
    def rules(self) -> tuple[object, ...]:
        """Return by what marks match, and how F weighs precision and recall."""
        return self.spans.features, self.spans.feature_match, self.spans.beta

    def renamed(self, names: Mapping[str, str]) -> "MarkSide | None":
        """Return the same marks under other names of their types, None where counts can't tell of them."""
        if all(names.get(name, name) == name for name in self.types):
            return self
        spans = self.spans.renamed(names)
        if spans is None:
            return None
        same = len(spans.types) == len(self.spans.types)
        declared = tuple(dict.fromkeys(names.get(name, name) for name in self.declared))
        return MarkSide(spans, self.counts if same else count_spans(spans), declared)


@dataclass(frozen=True, eq=False)
class CommonDocuments:
    """Documents of two versions under common codes.

    `names` are those of all; `first` and `second` have the common code of each document of a version;
    `same` (names,) says which stand in both, with the same text.
    """

    names: tuple[str, ...]
    first: Codes
    second: Codes
    same: UnitMask
    edited: frozenset[str] = frozenset()

    def there(self, cells: MarkCells) -> UnitMask:
        """Say in which documents (names,) of a version, in common codes, two people saw the same."""
        saw = np.zeros(len(self.names), dtype=np.bool_)
        saw[cells.seen_document] = True
        return saw


def common_documents(
    first: Sequence[str], second: Sequence[str], edited: Collection[str] = ()
) -> CommonDocuments:
    """Return common codes by name; `edited` are documents whose text is another in the second version."""
    codes: dict[str, int] = {}
    of_each = [
        np.array([codes.setdefault(name, len(codes)) for name in names], dtype=np.int64)
        for names in (first, second)
    ]
    both = set(first) & set(second) - set(edited)
    same = np.array([name in both for name in codes], dtype=np.bool_)
    return CommonDocuments(tuple(codes), of_each[0], of_each[1], same, frozenset(edited))


def in_common(cells: MarkCells, codes: Codes) -> MarkCells:
    """Return cells with the common codes of their documents."""
    return replace(cells, document=codes[cells.document], seen_document=codes[cells.seen_document])


# One version's labels of everybody, prepared to be compared with those of another version.


@dataclass(frozen=True, eq=False)
class LabelSide:
    """Everybody's labels in one unit set under one version; `coefficient` is the layer's primary one."""

    compared: ComparedUnits
    tables: tuple[DistanceMatrix, ...]
    coefficient: str

    @property
    def setting(self) -> ScaleSetting:
        """Return what figures depend on beside counts."""
        return setting_of(self.compared.units, self.tables)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the figures by which two people are compared."""
        return compared_figures(self.setting, self.coefficient)

    def other_distances(self, later: "LabelSide") -> frozenset[str]:
        """Return the declared distances that are others in the later version, or are only in one."""
        ours, theirs = (
            declared_distances(side.setting, side.compared.units.categories) for side in (self, later)
        )
        return frozenset(name for name in {**ours, **theirs} if ours.get(name) != theirs.get(name))

    def renamed(self, later: "LabelSide", names: Mapping[str, str]) -> "LabelSide":
        """Return the same labels under other names, in the order of the later version's categories."""
        compared = self.compared
        if compared.choice == "all":
            marked = compared.units.where(compared.units.label != compared.absent)
            compared = replace(compared, units=marked, absent=NO_CATEGORY)
        units = renamed(compared.units, compared.units if later is self else later.compared.units, names)
        absent = compared.absent if units.non_annotated == NO_CATEGORY else units.non_annotated
        return replace(self, compared=replace(compared, units=units, absent=absent))


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
    studies: Sequence[LayerUnits]
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
        return self.units.per_unit

    @cached_property
    def compared(self) -> Mask:
        """Tell of each unit whether at least two annotators rated it (units,)."""
        compared: Mask = (self.ratings >= 2) & (self.units.weight != 0)
        return compared

    @cached_property
    def compared_documents(self) -> Codes:
        """Return the codes of the documents of `clustered` in which two annotators rated the same unit."""
        documents = self.clustered.document[self.compared]
        return np.unique(documents[documents != NO_DOCUMENT])

    @cached_property
    def loose(self) -> Mask:
        """Tell of each unit whether it has neither document nor name (units,)."""
        loose: Mask = (self.clustered.document == NO_DOCUMENT) & (self.units.weight != 0)
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
        if self.units.marks.sums:
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
    in_document = units.document != NO_DOCUMENT
    alone = np.flatnonzero(named & ~in_document)
    own = [units.places.names[place_code] for place_code in units.unit_place[alone].tolist()]
    used = np.unique(units.document[in_document]).tolist()
    documents = sorted(used, key=lambda code: units.documents[code])
    code = {name: len(documents) + index for index, name in enumerate(sorted(set(own)))}
    document_code = np.full(len(units.documents) + 1, NO_DOCUMENT, dtype=np.int64)
    document_code[documents] = np.arange(len(documents))
    document = np.where(in_document, document_code[units.document], NO_DOCUMENT)
    document[alone] = np.array([code[name] for name in own], dtype=np.int64)
    names = [units.documents[code] for code in documents]
    real = bool(named[in_document & (units.weight != 0)].all())
    return NamedUnits(
        units=units,
        clustered=replace(
            units,
            document=document,
            documents=(*names, *code),
            # Tables of pairs are of several documents together, of which versions have a part in common.
            margins=units.margins and units.margins.without_pairs,
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
        return np.zeros(len(units.weight), dtype=np.bool_)
    named: Mask = placed & has_name[np.where(placed, units.unit_place, 0)]
    return named


def _unit_numbers(units: CodedUnits, named: Mask, register: Register, solid: Mapping[str, Codes]) -> Codes:
    """Return the number of each unit: by document and name, or by document and stretches of text."""
    numbers = np.full(len(units.weight), NO_ID, dtype=np.int64)
    of_texts = units.base != "units"
    placed = np.flatnonzero(units.unit_place != NO_PLACE if of_texts else named)
    names: Mapping[int, Hashable] = (
        _stretches(units, solid) if of_texts else dict(enumerate(units.places.names))
    )
    columns = units.document[placed].tolist(), units.unit_place[placed].tolist()
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
    document[units.unit_place[placed]] = units.document[placed]
    stretches: dict[int, tuple[Stretch, ...]] = {}
    for place_code, start, end, code in as_rows(places.unit, places.start, places.end, document[places.unit]):
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
        shared_documents = first.document[np.unique(first.clustered.document[shared_units[0]])]
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
    numbers: Codes = side.unit[side.compared & (side.unit >= 0) & ~gone[side.clustered.document]]
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
    in_documents: Mask = inside[side.clustered.document]
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
    shared = units.of_units(part.shared_units)
    who, annotator = dense_codes(shared.annotator, max(len(units.annotators), 1))
    if units.margins is not None:
        who, annotator = np.arange(len(units.annotators)), shared.annotator
    return replace(
        shared,
        documents=documents,
        annotators=tuple(units.annotators[code] for code in who.tolist()),
        document=part.position[shared.document],
        unit_place=units.unit_place[part.shared_units],
        annotator=annotator,
    )
