"""What users of Python get: the agreement of ratings in memory by names, and a campaign that was loaded."""

from collections.abc import Collection, Iterable, Mapping
from datetime import date
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportgen import campaign as asked
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import did_you_mean, for_each, refused
from reportgen.catalogue import definitions
from reportgen.findings import find
from reportgen.measures import unit_set
from reportgen.measures.analysis import PairAgreement, UnitSetAgreement
from reportgen.measures.estimate import ConfidenceInterval, Estimate, Undefined, no_estimate
from reportgen.measures.spans import SpanAgreement
from reportgen.pipeline.build import build_site
from reportgen.pipeline.notices import notices
from reportgen.pipeline.reading import Read, read_campaign
from reportgen.pipeline.version_reports import Sides, compare_versions, compute, names_by_version
from reportgen.readers import Codes
from reportgen.readers.in_memory import INPUT
from reportgen.results import (
    CampaignFacts,
    Figure,
    Finding,
    Interval,
    Mean,
    Results,
    Revision,
    SymmetryTest,
    Tool,
    as_written,
    read_back,
)
from reportgen.results import UnitSet as UnitSetResults
from reportgen.results.comparison import VersionComparison
from reportgen.results.marks import SpanPair
from reportgen.results.times import Period
from reportgen.units import Pseudonyms, Study, sum_of_marks
from reportgen.words.numbers import note

if TYPE_CHECKING:
    from pandas import DataFrame

    from reportgen.figures import Plots


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


class FiguresOfAll(ByName):
    """The figures of all annotators; one that only two can have is answered with where those of pairs are."""

    def __init__(self, figures: Mapping[str, Estimate], of_pairs: Collection[str]) -> None:
        """Take the figures, and the names of those that pairs have."""
        super().__init__(figures)
        self._of_pairs = of_pairs

    def __missing__(self, name: Any) -> Any:  # noqa: ANN401 - a name
        """Raise KeyError in words."""
        if name in self._of_pairs:
            message = (
                f'"{name}" is of two annotators: take pairs["…", "…"].measures["{name}"], or its mean over '
                f'pairs, mean_over_pairs["{name}"].'
            )
            raise KeyError(message)
        return super().__missing__(name)


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

    `analysis` has the same with its arrays, `study` what was compared; `scale_found` says on which scale
    labels were taken to be, and why.
    """

    analysis: UnitSetAgreement
    study: Study
    primary: str
    scale_found: str = ""

    @property
    def measures(self) -> Mapping[str, Estimate]:
        """Return the figures of all annotators together, by id."""
        return FiguresOfAll(
            self.analysis.measures, {name for pair in self.analysis.pairs for name in pair.measures}
        )

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
        # Ratings in memory have no campaign.toml that could say how they came about.
        return sentences(finding for finding in self.results.findings if finding.asks != "account")

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


@dataclass(frozen=True, eq=False, repr=False)
class SpansAgreement:
    """How far annotators agree on spans: `tokens` has every figure with tokens as units.

    `analysis` has what every two made of each other's spans.
    """

    tokens: RatingsAgreement
    analysis: SpanAgreement

    @cached_property
    def pairs(self) -> Mapping[tuple[str, str], SpanPair]:
        """Return F-measures, precision and recall of every two annotators, by their names in either order.

        The first of two is the key: `pairs["Ann", "Ben"].strict["f_measure"]`.
        """
        return ByName({pair.figures.annotators: pair.figures for pair in self.analysis.pairs})

    @property
    def mean_over_pairs(self) -> Mapping[str, Mapping[str, Mean]]:
        """Return the mean of each figure over pairs, by mode (strict, lenient, average) and name."""
        return ByName({mode: ByName(means) for mode, means in self.analysis.means.overall.items()})

    def __repr__(self) -> str:
        """Return who was compared, and how far spans match."""
        mean = self.mean_over_pairs["strict"].get("f_measure")
        people = len(self.tokens.annotators)
        figure = "undefined, as nobody marked anything" if mean is None else f"{mean.value:.3f}"
        return f"<agreement of {people} annotators on spans: f_measure[strict] {figure}>"


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


# A campaign in Python, from `reportgen.load(folder)`: its reports, its results, its versions compared.


class LoadedCampaign:
    """A campaign whose campaign.toml is right; exports are read, and figures computed, when asked for.

    Annotators are called as on the site: by pseudonyms, unless the campaign shows their names.
    """

    def __init__(self, folder: Path) -> None:
        """Load campaign.toml; raise BadInput with all that is wrong in it."""
        self.folder = folder
        self.campaign = asked.load(folder)
        # What comparisons compute of one version alone serves the next.
        self._sides = Sides()

    @property
    def versions(self) -> tuple[str, ...]:
        """Return the guidelines versions, the oldest first."""
        return tuple(self.campaign.versions)

    @cached_property
    def results(self) -> Mapping[str, Results]:
        """Return what results.json has of every version, by its name.

        Raises BadInput with all that is wrong in the exports.
        """
        return {
            name: compute(self.campaign, read, self._names[name]).results for name, read in self._read.items()
        }

    @property
    def newest(self) -> Results:
        """Return the results of the newest version."""
        return self.results[self.versions[-1]]

    @property
    def progress(self) -> "DataFrame":
        """Return agreement over the calendar in the newest version as a pandas frame, a row for each stretch.

        It is by the layers of the version; empty where labels have no dates, or too few of them.
        """
        from pandas import DataFrame

        layers = self.newest.times.layers if self.newest.times else ()
        rows = [_progress(layer.layer, period) for layer in layers for period in layer.periods]
        return DataFrame(rows, columns=PROGRESS)

    @property
    def findings(self) -> tuple[str, ...]:
        """Return what the newest version's figures mean and what to do about it, the gravest first."""
        return sentences(self.newest.findings)

    @cached_property
    def notices(self) -> tuple[str, ...]:
        """Return what looks like an oversight in campaign.toml or the exports, a sentence or two for each."""
        return tuple(str(notice) for notice in notices(self.campaign, list(self._read.values())))

    @property
    def plot(self) -> "Plots":
        """Return the figures of the newest version; `plot_of` has those of others."""
        return self.plot_of(self.versions[-1])

    def plot_of(self, version: str, layer: str | None = None) -> "Plots":
        """Return the figures of a version, of its first layer unless another is named."""
        from reportgen.figures import Plots

        self.campaign.version(version)
        return Plots(self.results[version], layer)

    def compare(self, first: str, second: str) -> VersionComparison:
        """Return what comparison.json has of two versions; differences are the later less the earlier.

        Raises BadInput where there is no such version, where both are one, and for bad exports.
        """
        for_each(dict.fromkeys((first, second)), self.campaign.version)
        if first == second:
            message = f"{first} and {second} are one guidelines version."
            remedy = f"Name two of {', '.join(self.versions)}."
            raise refused(self.campaign.file, message=message, remedy=remedy)
        earlier, later = sorted((first, second), key=self.versions.index)
        names = self._names[earlier] | self._names[later]
        output = compare_versions(self.campaign, self._read[earlier], self._read[later], names, self._sides)
        return output.comparison

    def changes(self, first: str, second: str) -> tuple[str, ...]:
        """Return what moved between two versions and what to do about it, in sentences."""
        return sentences(self.compare(first, second).findings)

    def build(self, out: str | Path = "site") -> Path:
        """Build the campaign's reports as `reportgen build FOLDER` does; return the page to open.

        Other campaigns in `out` stay as they are. Raises BadInput with all that is wrong, and with what was
        published there and would vanish; then nothing is written.
        """
        build_site([self.folder], Path(out))
        return Path(out) / self.campaign.id / "index.html"

    @cached_property
    def _read(self) -> dict[str, Read]:
        return {read.version.id: read for read in read_campaign(self.campaign)}

    @cached_property
    def _names(self) -> dict[str, Pseudonyms]:
        return names_by_version(self.campaign, list(self._read.values()))

    def __repr__(self) -> str:
        """Return the campaign's id and its versions."""
        return f"<campaign {self.campaign.id}: versions {', '.join(self.versions)}>"

    def _repr_html_(self) -> str:
        """Return the primary figure of every layer and version as a table, for notebooks."""
        rows = "".join(
            f"<tr><td>{escape(version)}</td><td>{escape(layer)}</td><td>{escape(results.name_of(figure))}</td>"
            f"<td>{_short(results, layer)}</td></tr>"
            for version, results in self.results.items()
            for layer, figure in results.coefficients.items()
        )
        return f"<table><caption>{escape(self.campaign.title)}</caption>{rows}</table>"


def _short(results: Results, layer: str) -> str:
    """Return a layer's primary figure to three places, or why there is none."""
    figure = results.primary_of(layer).measures[results.coefficients[layer]]
    return escape(str(figure.undefined)) if figure.value is None else f"{figure.value:.3f}"


ENDS = ("value", "low", "high")
PROGRESS = (
    *("layer", "first", "last", "units", *ENDS),
    *("labelled", "doubled", *(f"{end}_so_far" for end in ENDS)),
)


def _progress(layer: str, period: Period) -> tuple[Any, ...]:
    days = period.first, period.last
    counts = period.labelled, period.doubled
    return (
        layer,
        *map(date.fromisoformat, days),
        period.units,
        *_ends(period.figure),
        *counts,
        *_ends(period.so_far),
    )


def _ends(figure: Figure) -> tuple[float | None, float | None, float | None]:
    """Return a figure's value and the ends of its interval, None for those that there are not."""
    ends = figure.interval or Interval()
    return figure.value, ends.low, ends.high
