"""What each document contributes to a figure: how far it moves it, and how far leaving it out would."""

import math
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from reportgen.counts.tally import ranks
from reportgen.measures.estimate import LEAST_DEGREES, Estimate, Floats, Spread, rest
from reportgen.readers import NO_DOCUMENT, Codes


class NoDifference(StrEnum):
    """Why a difference of two figures has no test; a closed list, translated when a page is rendered."""

    UNDEFINED = "one of the two figures is undefined"
    ONE_DOCUMENT = "one document or unit alone does not show how figures vary"
    NO_VARIATION = "every document or unit contributes the same, so that nothing can be said of the variation"
    NO_SPREAD = "how far the figure varies from document to document is not known"
    CATEGORIES = "the two versions have other categories, and the figure depends on which there are"
    SCALE = "the scale of the categories, or their order on it, is another in the two versions"
    DISTANCES = "the distances between categories are others in the two versions"
    COMPUTED = "each version has distances of its own, computed from its very table"
    MATCHING = "marks are matched by other rules in the two versions"


@dataclass(frozen=True, eq=False)
class Contributions:
    """A figure, and how much each document moves it: the sum of its units' influence values over all units.

    `documents` are the codes of documents, sorted, `moved` (documents,) what each moves, `apart` what leaving
    it out would. `alone` and `alone_apart` are the sums of squares of both over the units without a document,
    `groups` how many documents there are, or such units. `about` are the documents that the figure is about,
    all where it is None; `untouched` is how many there are beside `groups` that it is not about, such as
    those without a category. `alike` is how many documents, or units, would have as large a share of what the
    figure is divided by if all had the same. `single` says that each document is one unit.
    """

    value: float
    documents: Codes
    moved: Floats
    apart: Floats
    alone: float
    alone_apart: float
    groups: int
    alike: float
    about: Codes | None = None
    untouched: int = 0
    single: bool = False

    @property
    def touched(self) -> Codes:
        """Return the documents that the figure is about."""
        return self.documents if self.about is None else self.about

    @property
    def standard_error(self) -> float:
        """Return the standard error of the figure, with the factor G / (G - 1): that of reports."""
        return error_of(self.moved, self.alone, self.groups)

    @property
    def left_out(self) -> Floats:
        """Return what leaving out each document moves, times √((G - 1)/G): squares add up to a variance."""
        return self.apart * math.sqrt((self.groups - 1) / self.groups)

    @property
    def variance(self) -> float:
        """Return the jackknife's variance, (G - 1)/G Σ (θ without g - θ)²."""
        return total_of(self.left_out**2) + self.variance_alone

    @property
    def variance_alone(self) -> float:
        """Return what of it comes from units without a document."""
        return (self.groups - 1) / self.groups * self.alone_apart

    @property
    def degrees(self) -> float:
        """Return the degrees of freedom of the variance: documents alike less one, as of an interval."""
        return max(self.alike - 1, LEAST_DEGREES)

    def times(self, factor: float) -> "Contributions":
        """Return what the documents move of a multiple of the figure, which stays as it is."""
        square = factor * factor
        return replace(
            self,
            moved=self.moved * factor,
            apart=self.apart * factor,
            alone=self.alone * square,
            alone_apart=self.alone_apart * square,
        )

    @property
    def sampled(self) -> int:
        """Return how many documents, or units, were annotated, whether they touch the figure or not."""
        return self.groups + self.untouched


def contributions_of(estimate: Estimate, documents: Codes | None = None) -> Contributions | NoDifference:
    """Return what each document contributes to a figure, or why that can't be said.

    `documents` has the code that each document has in both versions, by its code in the figure's own; without
    it codes stay as they are.
    """
    if estimate.value is None:
        return NoDifference.UNDEFINED
    if estimate.spread is None:
        return NoDifference.NO_SPREAD
    clusters = estimate.spread.clusters
    each, weight = _by_cell(estimate.spread)
    own = clusters.document == NO_DOCUMENT
    code = clusters.document[~own]
    known = code if documents is None else documents[code]
    found, place = ranks(known, int(known.max(initial=0)) + 1)
    moved, share = (
        np.bincount(place, weights=(clusters.n * part)[~own], minlength=len(found)).astype(np.float64)
        for part in (each, weight)
    )
    apart = each / rest(weight)
    about = (each != 0) | ((weight != 0) & (estimate.spread.weight is not None))
    touched = np.bincount(place, weights=about[~own], minlength=len(found)) > 0
    silent = int(clusters.n[own & ~about].sum()) if not len(found) else int((~touched).sum())
    whole = Contributions(
        value=estimate.value,
        documents=found,
        moved=moved,
        apart=moved / rest(share),
        alone=total_of((clusters.n * each * each)[own]),
        alone_apart=total_of((clusters.n * apart * apart)[own]),
        groups=clusters.groups,
        alike=estimate.spread.alike,
        single=len(code) > 0 and int(np.bincount(place, weights=clusters.n[~own]).max()) == 1,
    )
    return _narrowed(whole, found[touched], silent)


def _by_cell(spread: Spread) -> tuple[Floats, Floats]:
    """Return for each cell what one of its units moves a figure, and its share of what that is divided by."""
    clusters = spread.clusters
    each: Floats = spread.influence.reshape(-1)[clusters.cell] / clusters.units
    if spread.weight is None:
        return each, np.full(len(each), 1 / clusters.units)
    return each, spread.weight.reshape(-1)[clusters.cell] / clusters.units


def _narrowed(found: Contributions, about: Codes, silent: int) -> Contributions:
    """Return contributions whose groups are the documents in which some unit is what the figure is about.

    Agreement on a category says nothing of documents without it, and they say nothing of how it varies: of
    sixty documents of which three have the category, three are the sample. Counting all of them makes a t
    test err up to five times too often (docs/comparing.md). Surveys count the degrees of freedom of a part
    of the population likewise (Korn and Graubard 1999, Analysis of Health Surveys). A figure that no unit
    moves, which is a perfect one, is taken to be about what the other figure is about.
    """
    groups = found.groups - silent
    if groups <= 0:
        return replace(found, about=about)
    return replace(found, about=about, groups=groups, untouched=silent)


def total_of(values: Floats) -> float:
    """Return a sum that does not hang on the order of its terms."""
    return math.fsum(values[values != 0].tolist())


def error_of(moved: Floats, alone: float, groups: int) -> float:
    """Return the standard error that comes from what documents, and units alone, move: by influence."""
    return math.sqrt(groups / (groups - 1) * (total_of(moved * moved) + alone))
