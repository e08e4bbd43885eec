"""One unit set as templates see it: its tables, and those of its only pair."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from reportgen.report import coincidences, confusion, contents, matrices, uncertainty
from reportgen.report.disagreements import DisagreementList
from reportgen.report.passages import linked_coincidences, linked_matrix
from reportgen.report.tables import Cell, ReportTable
from reportgen.report.uncertainty import UncertaintyView, over_documents
from reportgen.results import Mean, Pair, Results, UnitSet

PAIR = 2
# More pairs than these stand in the CSV, and on the page those that agree least.
MOST_PAIRS = 60
LEAST_AGREEING = 20
# More pairs of categories than these stand in the CSV, and on the page those that are confused most.
MOST_DISTANCES = 66
NEAREST = 20
# With more categories than these in all layers together, a page shows of each layer those that agree least.
MOST_SPECIFIC, LEAST_SPECIFIC = 120, 10
# The kinds of measure whose mean over pairs says something.
MEANT = ("coefficient", "share")


@dataclass(frozen=True)
class UnitSetView:
    """One unit set: its tables, and those of its only pair."""

    results: Results
    unit_set: UnitSet
    disagreements: DisagreementList | None = None

    @property
    def pair(self) -> Pair | None:
        """Return the pair, where there are two annotators."""
        return self.unit_set.only_pair

    @property
    def crowded(self) -> bool:
        """Tell whether pairs share units and are too many to be listed."""
        found = self.unit_set
        return len(found.annotators) > PAIR and not found.pairs and found.units_compared > 0

    @cached_property
    def slug(self) -> str:
        """Return what anchors call it."""
        return contents.slug(self.unit_set)

    @cached_property
    def most(self) -> int:
        """Return how many categories of a matrix its page shows."""
        return confusion.most_of(len({each.layer for each in self.results.unit_sets}))

    @cached_property
    def confusion(self) -> ReportTable | None:
        """Return the confusion matrix with margins; None where it is too large to be whole."""
        if self.pair is None:
            return None
        found = confusion.confusion(self.slug, self.pair)
        return found and linked_matrix(found, self.disagreements)

    @cached_property
    def confusion_shown(self) -> ReportTable | None:
        """Return that matrix as a page shows it, with many categories the most confused ones of them."""
        return confusion.shown(self.confusion, self.most) if self.confusion else None

    @property
    def folded(self) -> int:
        """Return how many categories the matrix has on the page if they are not all of them, else 0."""
        found = self.confusion_shown or self.met_shown
        kept = [each for each in found.columns if each.key == "others"] if found else []
        return len(found.columns) - len(("head", "others", "total")) if found and kept else 0

    @cached_property
    def whole(self) -> ReportTable | None:
        """Return the whole matrix where the page shows a part of it; None where the CSV alone has it."""
        found = self.confusion or self.coincidences
        return confusion.whole(found, self.most) if found else None

    @property
    def whole_page(self) -> str:
        """Return the page that has the whole matrix, from the version's folder."""
        return f"confusion/{self.slug}.html"

    @cached_property
    def specific(self) -> ReportTable:
        """Return specific agreement by category."""
        return contents.specific(self.results, self.unit_set)

    @cached_property
    def specific_shown(self) -> ReportTable:
        """Return the same for a page: where layers have very many categories, those that agree least.

        Of those that agree as little the commonest are shown.
        """
        found, sets = self.specific, self.results.unit_sets
        every = sum(len(each.judged) for each in sets if each.primary)
        most = MOST_SPECIFIC if every == len(found.rows) else LEAST_SPECIFIC
        if every <= MOST_SPECIFIC or len(found.rows) <= most:
            return found

        def rank(place: int) -> tuple[float, int]:
            name = found.rows[place][0]
            return _agreement(self.unit_set, name), -self.unit_set.uses(str(name))

        ranked = sorted(range(len(found.rows)), key=rank)
        return replace(found, rows=tuple(found.rows[place] for place in sorted(ranked[:most])))

    @cached_property
    def pairs(self) -> ReportTable | None:
        """Return the list of pairs, where there are several."""
        return contents.pairs(self.results, self.unit_set)

    @cached_property
    def pairs_shown(self) -> ReportTable | None:
        """Return the list of pairs, or of those that agree least where they are many."""
        if self.pairs is None or len(self.pairs.rows) <= MOST_PAIRS:
            return self.pairs
        found = sorted(self.unit_set.pairs, key=_observed)[:LEAST_AGREEING]
        return contents.pairs(self.results, self.unit_set.model_copy(update={"pairs": tuple(found)}))

    @cached_property
    def means(self) -> list[tuple[str, Mean]]:
        """Return the mean of each coefficient over several pairs, in the catalogue's order."""
        found = self.unit_set.mean_over_pairs if not self.pair else {}
        kinds = {name: each.kind for name, each in self.results.catalogue.items()}
        names = [name for name in found if kinds[name.partition("[")[0]] in MEANT]
        return [(name, found[name]) for name in self.results.in_order(names)]

    @cached_property
    def conditional(self) -> ReportTable | None:
        """Return P(C2|C1)."""
        return coincidences.conditional(self.unit_set)

    @cached_property
    def distances(self) -> ReportTable | None:
        """Return declared and computed distances."""
        return coincidences.distances(self.results, self.unit_set)

    @property
    def distances_shown(self) -> ReportTable | None:
        """Return the list of distances, or the nearest categories where they are many."""
        found = self.distances
        if found is None or len(found.rows) <= MOST_DISTANCES:
            return found
        nearest = sorted(found.rows, key=lambda row: _distance(row[-2]))[:NEAREST]
        return replace(found, rows=tuple(nearest))

    @property
    def conditional_shown(self) -> ReportTable | None:
        """Return P(C2|C1) where it can be read; of many categories it stands in the CSV."""
        found = self.conditional
        return found if found and len(found.rows) <= confusion.MOST else None

    @cached_property
    def coincidences(self) -> ReportTable | None:
        """Return the coincidence matrix of more than two annotators; its cells lead to their units."""
        found = coincidences.coincidences(self.unit_set)
        return linked_coincidences(found, self.disagreements) if found else None

    @cached_property
    def met_shown(self) -> ReportTable | None:
        """Return that matrix as a page shows it, None where the names of its categories are too long."""
        return confusion.shown(self.coincidences, self.most) if self.coincidences else None

    @cached_property
    def majority(self) -> ReportTable | None:
        """Return each of more than two annotators against the majority of the others."""
        return coincidences.majority(self.unit_set)

    @cached_property
    def symmetry(self) -> ReportTable | None:
        """Return the tests of symmetry."""
        return contents.symmetry(self.results, self.unit_set, self.pair) if self.pair else None

    @cached_property
    def uncertainty(self) -> UncertaintyView:
        """Return what stands beside the intervals."""
        return UncertaintyView(self.results, self.unit_set)

    @cached_property
    def over_documents(self) -> ReportTable | None:
        """Return means over documents beside the pooled figures."""
        return over_documents(self.results, self.unit_set)

    @cached_property
    def size_curve(self) -> ReportTable | None:
        """Return the whole size curve."""
        return uncertainty.size_curve_rows(self.results, self.unit_set)

    def tables(self) -> Iterator[ReportTable]:
        """Yield every table that has a file."""
        pairs = matrices.every_pair(self.results, self.unit_set)
        found = (self.specific, pairs, self.conditional, self.distances, self.symmetry, self.size_curve)
        yield from (table for table in found if table is not None)
        yield from (table for table in (self.coincidences, self.majority) if table is not None)
        yield from self.uncertainty.tables
        if self.over_documents:
            yield self.over_documents


def _agreement(unit_set: UnitSet, category: Cell) -> float:
    value = unit_set.specific_agreement[str(category)].value
    return 1.0 if value is None else value


def _distance(cell: Cell) -> float:
    return cell if isinstance(cell, int | float) else 1.0


def _observed(pair: Pair) -> float:
    value = pair.measures["observed_agreement"].value
    return 1.0 if value is None else value
