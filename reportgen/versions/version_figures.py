"""What one version has of a layer, prepared to be compared with another: units, categories, marks, labels."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.campaign import DistanceMatrix
from reportgen.catalogue import is_true_of
from reportgen.counts import ContingencyTable, SpanCounts, count, count_spans, pair_tables
from reportgen.measures import (
    MOST_ANNOTATORS,
    Estimate,
    NoDifference,
    Setting,
    UnitsOfAll,
    UnitsOfPair,
    setting_of,
)
from reportgen.measures.analysis import measures_of, pair_measures, specific_of
from reportgen.measures.comparisons import compared_figures
from reportgen.measures.retrieval import MarkCells, mark_cells
from reportgen.measures.sets import judged
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results.parts import Categories
from reportgen.units import NO_CATEGORY, CodedUnits, ComparedUnits, Mask, SpanFrame

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
    own = clustered.unit_document >= real
    if not own.any():
        return Prepared(tested, tested)
    document = np.where(own, NO_DOCUMENT, clustered.unit_document)
    units = replace(clustered, unit_document=document, documents=clustered.documents[:real])
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
    setting: Setting, categories: Sequence[str]
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


def _values(setting: Setting) -> list[float] | None:
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
        given=units.given and units.given.recoded(np.arange(len(units.annotators)), code),
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
    def annotates(self) -> Mask:
        """Say who of the people is an annotator (people,)."""
        return np.array([role == ANNOTATOR for role in self.spans.roles], dtype=np.bool_)

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
    same: Mask
    edited: frozenset[str] = frozenset()

    def there(self, cells: MarkCells) -> Mask:
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
    def setting(self) -> Setting:
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
            marked, units = compared.units.label != compared.absent, compared.units
            rows = {name: getattr(units, name)[marked] for name in ("unit", "annotator", "label")}
            compared = replace(compared, units=replace(units, **rows), absent=NO_CATEGORY)
        units = renamed(compared.units, compared.units if later is self else later.compared.units, names)
        absent = compared.absent if units.non_annotated == NO_CATEGORY else units.non_annotated
        return replace(self, compared=replace(compared, units=units, absent=absent))
