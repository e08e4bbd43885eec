"""Every figure of ratings in memory, by names: what `reportgen.agreement` returns."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any

from reportgen.base.errors import did_you_mean
from reportgen.findings import find
from reportgen.measures import unit_set
from reportgen.measures.analysis import PairAgreement, UnitSetAgreement
from reportgen.measures.catalogue import definitions
from reportgen.measures.estimate import ConfidenceInterval, Estimate, Undefined, no_estimate
from reportgen.readers import Codes
from reportgen.readers.in_memory import INPUT
from reportgen.results import (
    CampaignFacts,
    Finding,
    Mean,
    Results,
    Revision,
    SymmetryTest,
    Tool,
    as_written,
    read_back,
)
from reportgen.results import UnitSet as UnitSetResults
from reportgen.units import Study, sum_of_marks
from reportgen.words.numbers import note

if TYPE_CHECKING:
    from pandas import DataFrame

    from reportgen.figures import Plots


# What nobody can have said of ratings in memory.
OF_CAMPAIGNS = {"unjustified", "independence-unknown"}


def sentences(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Return findings in words, with their advice."""
    return tuple(f"{finding.claim} {finding.advice}".strip() for finding in map(note, findings))


class ByName(dict[Any, Any]):
    """What goes by names, two in either order; a wrong name is answered with those that there are."""

    def __missing__(self, name: Any) -> Any:  # noqa: ANN401 - a name, or two
        """Return what two names have in the other order; raise KeyError in words."""
        if isinstance(name, tuple) and name[::-1] in self:
            return self[name[::-1]]
        names = [" and ".join(name) if isinstance(name, tuple) else str(name) for name in self]
        asked = " and ".join(map(str, name)) if isinstance(name, tuple) else str(name)
        raise KeyError(f'there is no "{asked}". {did_you_mean(asked, names)}'.strip())


@dataclass(frozen=True, eq=False, repr=False)
class AnnotatorPair:
    """What two annotators' table shows: figures by id, specific agreement by category, tests by id."""

    annotators: tuple[str, str]
    categories: tuple[str, ...]
    measures: Mapping[str, Estimate]
    specific: Mapping[str, Estimate]
    tests: Mapping[str, SymmetryTest]
    counts: Codes

    @property
    def confusion(self) -> "DataFrame":
        """Return the confusion matrix as a pandas frame, the rows being those of the first annotator."""
        from pandas import DataFrame, Index

        first, second = (Index(self.categories, name=name) for name in self.annotators)
        return DataFrame(self.counts, index=first, columns=second)

    def __repr__(self) -> str:
        """Return who they are, and how often they agree."""
        return f"<{' and '.join(self.annotators)}: observed agreement {self.measures['observed_agreement']}>"

    def to_frame(self) -> "DataFrame":
        """Return the figures as a pandas frame: a row for each id, NaN for what has no value."""
        return _frame(self.measures)


@dataclass(frozen=True, eq=False, repr=False)
class RatingsAgreement:
    """How much annotators agree on ratings: every figure, by names; `primary` is what the scale calls for.

    `analysis` has the same with its arrays, `study` what was compared.
    """

    analysis: UnitSetAgreement
    study: Study
    primary: str

    @property
    def measures(self) -> Mapping[str, Estimate]:
        """Return the figures of all annotators together, by id."""
        return ByName(self.analysis.measures)

    @property
    def mean_over_pairs(self) -> Mapping[str, Mean]:
        """Return the mean of each figure over the pairs of annotators."""
        return ByName(self.analysis.mean_over_pairs)

    @property
    def annotators(self) -> tuple[str, ...]:
        """Return the annotators' names."""
        return self.analysis.units.annotators

    @property
    def categories(self) -> tuple[str, ...]:
        """Return the categories: the declared ones, then those that occur."""
        return self.analysis.units.categories

    @cached_property
    def pairs(self) -> Mapping[tuple[str, str], AnnotatorPair]:
        """Return what every two annotators' table shows, by their names in either order."""
        pairs = map(self._pair, self.analysis.pairs)
        return ByName({pair.annotators: pair for pair in pairs})

    def _pair(self, pair: PairAgreement) -> AnnotatorPair:
        table, names = pair.table, self.annotators
        specific = ByName(zip(self.analysis.judged, pair.specific, strict=True))
        figures = (ByName(pair.measures), specific, ByName(pair.tests))
        return AnnotatorPair(
            (names[table.first], names[table.second]), self.categories, *figures, table.counts
        )

    @property
    def specific(self) -> Mapping[str, Estimate]:
        """Return specific agreement by category; of sets, by the labels in them."""
        return ByName(zip(self.analysis.judged, self.analysis.specific, strict=True))

    @property
    def against_rest(self) -> Mapping[str, Mapping[str, Estimate]]:
        """Return kappa and alpha of each category against all others; empty with two categories."""
        return ByName(zip(self.analysis.judged, self.analysis.against_rest, strict=False))

    @property
    def repeated(self) -> int:
        """Return how many labels an annotator gave a unit again, as before."""
        return self.study.repeated

    @property
    def contradicting(self) -> int:
        """Return how many labels differ from the first that the annotator gave the unit; the first counts."""
        return self.study.contradicting

    @cached_property
    def results(self) -> Results:
        """Return the same as results.json has it, with findings: what figures are drawn from."""
        unit_set_results = as_written(UnitSetResults, unit_set(self.analysis, self.study))
        results = Results(
            campaign=CampaignFacts(id="ratings", title=INPUT),
            guidelines="",
            revision=Revision(),
            coefficient=self.primary,
            coefficients={unit_set_results.layer: self.primary},
            coefficient_declared=False,
            reading="",
            unit_sets=(unit_set_results,),
            marks=sum_of_marks([self.study]),
            material=(),
            inputs=(),
            catalogue=definitions(),
            tool=Tool.here(),
        )
        return results.model_copy(update={"findings": tuple(map(read_back, find(results)))})

    @property
    def findings(self) -> tuple[str, ...]:
        """Return what the figures mean and what to do about it, the gravest first."""
        return sentences(finding for finding in self.results.findings if finding.id not in OF_CAMPAIGNS)

    @property
    def plot(self) -> "Plots":
        """Return the figures: `found.plot.confusion()`, `.size_curve()`, `.categories()`, `.pairs()`."""
        from reportgen.figures import Plots

        return Plots(self.results)

    def __repr__(self) -> str:
        """Return who was compared, and the primary figure."""
        figure = self.measures[self.primary]
        people, units = len(self.annotators), figure.units
        compared = f"{people} annotator{'s' * (people != 1)} on {units} unit{'s' * (units != 1)}"
        return f"<agreement of {compared}: {self.primary} {figure}>"

    def _repr_html_(self) -> str:
        """Return the figures as a table, for notebooks."""
        rows = "".join(
            f"<tr><td>{escape(name)}</td><td>{escape(str(figure))}</td></tr>"
            for name, figure in self.measures.items()
        )
        return f"<table><caption>{escape(repr(self)[1:-1])}</caption>{rows}</table>"

    def to_frame(self) -> "DataFrame":
        """Return the figures as a pandas frame: a row for each id, NaN for what has no value."""
        return _frame(self.measures)


def _frame(measures: Mapping[str, Estimate]) -> "DataFrame":
    from pandas import DataFrame

    rows = {name: _row(figure) for name, figure in measures.items()}
    columns = list(_row(no_estimate(Undefined.NO_UNITS, 0)))
    return DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("figure")


def _row(figure: Estimate) -> dict[str, Any]:
    ends = figure.interval if isinstance(figure.interval, ConfidenceInterval) else None
    return {
        "value": figure.value,
        "low": ends and ends.low,
        "high": ends and ends.high,
        "standard_error": figure.standard_error,
        "observed": figure.observed,
        "expected": figure.expected,
        "units": figure.units,
        "undefined": None if figure.undefined is None else str(figure.undefined),
    }
