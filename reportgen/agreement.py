"""What users of Python get: figures of ratings in memory, and a loaded campaign by names.

What users of Python get: the agreement of ratings in memory by names, and a campaign that was loaded.

Every figure of ratings that are in memory: `from reportgen import agreement; agreement.of(…)`.
"""

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property, wraps
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import numpy as np
from pydantic import BaseModel, ValidationError

from reportgen import campaign as asked
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import (
    BadInput,
    Problem,
    alternatives,
    did_you_mean,
    for_each,
    nearest,
    refused,
    warn,
)
from reportgen.campaign import MEASURE_DISTANCES, DistanceMatrix, Scale, Task, Units, UnitSet
from reportgen.campaign.guidelines import by_design
from reportgen.campaign.load import complaints
from reportgen.campaign.toml_tables import dotted
from reportgen.catalogue import definitions
from reportgen.counts import count, count_marks
from reportgen.findings import find
from reportgen.measures import UnitsOfAll, analyse, analyse_spans, measures_of, setting_of, unit_set
from reportgen.measures.analysis import PairAgreement, UnitSetAgreement
from reportgen.measures.annotators.alternative_annotator import replacement as replacement_of
from reportgen.measures.annotators.alternative_annotator import rule_from
from reportgen.measures.estimate import ConfidenceInterval, Estimate, Undefined, no_estimate
from reportgen.measures.spans import SpanAgreement
from reportgen.pipeline.build import build_site
from reportgen.pipeline.reading import VersionExports, notices, options_said, read_campaign
from reportgen.pipeline.version_reports import Sides, compare_versions, compute, names_by_version
from reportgen.readers import Annotations, Codes, ReaderOptions
from reportgen.readers.in_memory import (
    INPUT,
    RatingsGiven,
    as_columns,
    cells_of,
    columns_of,
    columns_of_people,
    export_of_spans,
    labels_of,
    marks_as_read,
    marks_of,
    name_of,
    ratings_of,
    require_table,
    with_points,
)
from reportgen.readers.layers_of_marks import assemble
from reportgen.readers.reader import models_among, references_among, separator_or_default
from reportgen.readers.scales import FoundScale, find_scale
from reportgen.readers.table_reading import TableReading, options_of
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
from reportgen.results.annotators import Period, Replacement
from reportgen.results.marks import SpanPair
from reportgen.results.versions import VersionComparison
from reportgen.units import DeclaredUnitSet, LayerSettings, LayerUnits, Pseudonyms, build_study, sum_of_marks
from reportgen.words.numbers import note

if TYPE_CHECKING:
    from pandas import DataFrame

    from reportgen.figures import Plots


__all__ = [
    "AnnotatorPair",
    "BadInput",
    "Estimate",
    "LoadedCampaign",
    "RatingsAgreement",
    "SpansAgreement",
    "cohen_kappa",
    "conger_kappa",
    "f_measure",
    "fleiss_kappa",
    "gwet_ac1",
    "krippendorff_alpha",
    "of",
    "of_spans",
    "of_table",
    "replacement",
    "scott_pi",
    "weighted_kappa",
]
FUNCTIONS = [name for name in __all__ if name.islower()]
P = ParamSpec("P")
T = TypeVar("T")
# What krippendorff, scikit-learn, irrCAC and statsmodels call what is called otherwise here.
CALLED_ELSEWHERE = {
    **dict.fromkeys(("labels", "value_domain", "cat_labels"), ("categories",)),
    **dict.fromkeys(("level_of_measurement", "level", "wt", "weights"), ("weights", "scale")),
    **dict.fromkeys(("reliability_data", "data", "y1", "table"), ("ratings",)),
    "y2": ("other",),
    "raters": ("annotators",),
}


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        message = f"module {__name__!r} has no attribute {name!r}. {did_you_mean(name, FUNCTIONS)}"
        raise AttributeError(message.strip(), name=name, obj=None)


def _answering(function: Callable[P, T]) -> Callable[P, T]:
    """Return a function that answers an argument that it does not have with those that it has."""
    own = inspect.signature(function).parameters
    known = [name for name, each in own.items() if each.kind is not inspect.Parameter.VAR_KEYWORD]
    # The others hand on what `of` takes.
    known += inspect.signature(of).parameters if len(known) < len(own) else ()

    @wraps(function)
    def called(*args: P.args, **named: P.kwargs) -> T:
        for name in named:
            if name not in known:
                meant = alternatives(own for own in CALLED_ELSEWHERE.get(name, ()) if own in known)
                question = f"Did you mean {meant}?" if meant else nearest(name, known)
                message = f'{function.__name__}() has no argument "{name}". {question}'.strip()
                raise TypeError(f"{message} It takes {', '.join(dict.fromkeys(known))}.")
        return function(*args, **named)

    return called


def _by_scale(figures: Mapping[str, T], primary: str) -> dict[str, T]:
    """Return figures of which the primary one has its bare name too: the scale is that asked for."""
    bare = primary.partition("[")[0]
    if bare == primary or primary not in figures:
        return {**figures}
    return {**figures, bare: figures[primary], f"{bare}[nominal]": figures[bare]}


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

    `whole` is what figures come from, `study` what was compared; `scale_found` says on which scale labels
    were taken to be, and why.
    """

    whole: UnitsOfAll
    study: LayerUnits
    primary: str
    scale_found: str = ""

    @cached_property
    def analysis(self) -> UnitSetAgreement:
        """Return every figure, with its arrays."""
        return analyse(self.whole.units, self.whole.counts, self.whole.setting)

    def alone(self, figure: str) -> Estimate | None:
        """Return one figure of all annotators without computing the others, None where there is none."""
        return _by_scale(measures_of(self.whole, figure), self.primary).get(figure)

    @property
    def measures(self) -> Mapping[str, Estimate]:
        """Return the figures of all annotators together, by id."""
        of_pairs = {name for pair in self.analysis.pairs for name in pair.measures}
        return FiguresOfAll(_by_scale(self.analysis.measures, self.primary), of_pairs)

    @property
    def mean_over_pairs(self) -> Mapping[str, Mean]:
        """Return the mean of each figure over the pairs of annotators."""
        return ByName(_by_scale(self.analysis.mean_over_pairs, self.primary))

    @property
    def annotators(self) -> tuple[str, ...]:
        """Return the annotators' names."""
        return self.whole.units.annotators

    @property
    def categories(self) -> tuple[str, ...]:
        """Return the categories: the declared ones, then those that occur."""
        return self.whole.units.categories

    @cached_property
    def pairs(self) -> Mapping[tuple[str, str], AnnotatorPair]:
        """Return what every two annotators' table shows, by their names in either order."""
        pairs = map(self._pair, self.analysis.pairs)
        return ByName({pair.annotators: pair for pair in pairs})

    def _pair(self, pair: PairAgreement) -> AnnotatorPair:
        table, names = pair.table, self.annotators
        specific = ByName(zip(self.analysis.judged, pair.specific, strict=True))
        measures = ByName(_by_scale(pair.measures, self.primary))
        figures = (measures, specific, ByName(pair.tests))
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
    def _read(self) -> dict[str, VersionExports]:
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


# Distances by pairs of categories, either way round.
Pairs = Mapping[Any, float]


@_answering
def of(  # noqa: PLR0913 - what campaign.toml has keys for
    ratings: Any,  # noqa: ANN401 - a frame of pandas or polars, an array, lists
    *,
    unit: str | None = None,
    annotator: str | None = None,
    label: str | None = None,
    document: str | None = None,
    scale: Scale | None = None,
    categories: Sequence[object] = (),
    non_annotated: str | None = None,
    distances: Mapping[str, Pairs] | None = None,
    separator: str = "",
    category_count: int | None = None,
    annotators: Sequence[object] = (),
    models: Sequence[object] = (),
    reference: object = None,
    reading: str | Path | Mapping[str, Any] | TableReading | None = None,
) -> RatingsAgreement:
    """Return every agreement figure of ratings, with intervals.

    `ratings` are either long, a pandas or polars frame (or a mapping of columns, or records) whose columns
    `unit`, `annotator`, `label` and, where it is known, `document` are named, unless their names are well
    known; or wide, units × annotators, as an array, a list of rows, or a frame with a column for each
    annotator.
    None and NaN are missing ratings; on the set scale a label is a set, a list or a tuple, or text with a
    `separator`.

    `scale`, `categories` (in their order) and `non_annotated` are as in campaign.toml; without a scale labels
    are on the one that they seem to be on, which `scale_found` of the result says. `distances` gives by
    name how far apart two categories are, either way round; what is not given is 0 for a category and itself,
    else 1. `annotators` are those to compare, where these are not all; of a wide frame, the columns.
    `models` and the `reference` are left out, and so are those who are called so, with a warning. Where an
    annotator gave a unit several labels the first counts: `repeated` and `contradicting` say how many came
    after it, and the latter are warned of. `reading` says how a frame is read, as keys of [[guidelines]] in a
    file of TOML or a dict do: a frame is then read as a file. Raises BadInput with all that is wrong.
    """
    ratings = as_columns(ratings)
    others = _names(models, "models"), () if reference is None else (name_of(reference),)
    people = (_names(annotators, "annotators"), *others)
    called = [name for names in people for name in names]
    named = called if annotators else ()
    columns = {"unit": unit, "annotator": annotator, "label": label, "document": document}
    aside = [name for names in others for name in names]
    if reading is None:
        marks = marks_of(columns_of_people(ratings, named, columns), columns, called, aside)
    else:
        marks = marks_as_read(ratings, _read_as(reading, columns, aside))
    everybody = [*marks.annotator.levels, *columns_of(ratings)]
    marks = marks.where(marks.annotator.where(lambda name: not named or name in named))
    marks, found, separator = _on_scale(marks, scale, separator, categories, label or "")
    task = _task(
        categories=_names(categories) or found.order,
        non_annotated=non_annotated,
        scale=found.scale,
        category_count=category_count,
    )
    export = Annotations(ratings_of(marks, separator), "given", "", len(marks))
    roles = _people(export.ratings.annotators, everybody, *people)
    agreement = _agreement(export, task, distances or {}, separator, roles)
    return replace(agreement, scale_found=found.sentence)


def _read_as(
    reading: str | Path | Mapping[str, Any] | TableReading,
    named: Mapping[str, str | None],
    others: Sequence[str],
) -> ReaderOptions:
    """Return how a frame is read, where a file, a dict or a reading says so, beside arguments."""
    if isinstance(reading, TableReading):
        said = options_of(reading)
    else:
        said = options_said(asked.load_reading(Path(reading) if isinstance(reading, str) else reading))
    columns = {**said.columns, **{role: name for role, name in named.items() if name is not None}}
    return replace(said, columns=columns, others=tuple(others))


def _on_scale(
    marks: RatingsGiven, scale: Scale | None, separator: str, categories: Sequence[object], called: str
) -> tuple[RatingsGiven, FoundScale, str]:
    """Return the marks that have a label, the scale of their labels, and what separates the parts of one.

    Where no scale is given, it is the one that the labels suggest.
    """
    marks = with_points(marks, separator)
    if scale is not None:
        return marks, FoundScale(scale), separator
    labels = labels_of(marks, separator)
    times = np.bincount(labels.codes).tolist()
    found = find_scale(dict(zip(labels.levels, times, strict=True)), called, _names(categories))
    kept = marks.where(marks.label.where(lambda label: name_of(label) not in found.missing))
    return kept, found, separator or found.separator or ""


@_answering
def of_table(
    counts: Any,  # noqa: ANN401 - an array, a frame or lists
    categories: Sequence[object] = (),
    *,
    scale: Scale = "nominal",
    non_annotated: str | None = None,
    distances: Mapping[str, Pairs] | None = None,
) -> RatingsAgreement:
    """Return every agreement figure of two annotators' confusion matrix.

    `counts` (categories, categories) says how many units the first gave the row's category and the second
    the column's; of a frame, as pandas.crosstab makes them, its names are the categories where these are not
    named. Other arguments are as in `of`. Raises BadInput where they are no square table of
    whole numbers.
    """
    if hasattr(counts, "reindex") and not categories:
        categories = [*dict.fromkeys([*counts.index, *counts.columns])]
        counts = counts.reindex(index=categories, columns=categories, fill_value=0)
    table = np.atleast_1d(np.asarray(counts))
    names = _names(categories) or tuple(str(number) for number in range(1, len(table) + 1))
    require_table(table, names)
    export = cells_of(table, names)
    task = _task(categories=names, non_annotated=non_annotated, scale=scale)
    marks = 2 * int(export.weight.sum())
    return _agreement(Annotations(export, "given", "", marks), task, distances or {})


@_answering
def of_spans(
    spans: Iterable[Any],
    *,
    texts: Mapping[Any, str],
    annotators: Sequence[object] = (),
    categories: Sequence[object] = (),
) -> SpansAgreement:
    """Return how far annotators agree on spans of texts: F-measures of every two, and figures by token.

    `spans` are (document, annotator, start, end, label), in code points, ends exclusive; `texts` gives the
    text of each document. Everybody in `spans` or `annotators` is taken to have read all texts, also where
    they marked nothing. `categories` are as in `of`. Raises BadInput with all that is wrong.
    """
    export = export_of_spans(spans, texts, _names(annotators, "annotators"))
    annotations = assemble(export, [ReaderOptions()], "given")[0]
    people = annotations.content.annotators
    if len(people) < 2:
        who = f"come from {people[0]} alone" if people else "name nobody"
        message = f"{who}; agreement needs two annotators."
        remedy = 'Name those who marked nothing too: annotators=["…", "…"].'
        raise refused("the spans", key="annotators", message=message, remedy=remedy)
    task = _task(categories=_names(categories))
    study = _study(annotations, task, {}, "", "tokens")
    tokens = _compared(study, task)
    if study.spans is None:
        raise TypeError
    return SpansAgreement(tokens, analyse_spans(study.spans, count_marks(study.spans, []).outcomes))


@_answering
def krippendorff_alpha(ratings: Any, scale: Scale = "nominal", **how: Any) -> Estimate:  # noqa: ANN401 - as `of`
    """Return Krippendorff's alpha on a scale, with its interval; arguments as in `of`."""
    return _alone("krippendorff_alpha", ratings, {"scale": scale, **how})


@_answering
def fleiss_kappa(ratings: Any, *, weights: str | None = None, **how: Any) -> Estimate:  # noqa: ANN401 - as `of`
    """Return Fleiss' kappa with its interval; `weights` are as in `weighted_kappa`, the others as in `of`."""
    return _alone("fleiss_kappa", ratings, how, weights)


@_answering
def conger_kappa(ratings: Any, *, weights: str | None = None, **how: Any) -> Estimate:  # noqa: ANN401 - as `of`
    """Return Conger's kappa, of two annotators Cohen's; arguments as in `fleiss_kappa`."""
    return _alone("conger_kappa", ratings, how, weights)


@_answering
def gwet_ac1(ratings: Any, *, weights: str | None = None, **how: Any) -> Estimate:  # noqa: ANN401 - as `of`
    """Return Gwet's AC1, with weights AC2, with its interval; arguments as in `fleiss_kappa`."""
    return _alone("gwet_ac1", ratings, how, weights, weighted="gwet_ac2")


def _alone(  # noqa: PLR0913 - a figure, what it is called with weights, and how it is asked for
    figure: str,
    ratings: Any,  # noqa: ANN401 - as `of`
    how: Mapping[str, Any],
    weights: str | None = None,
    *,
    weighted: str = "",
    of_two: bool = False,
) -> Estimate:
    """Return one figure: with weights on an ordinal scale where none is given, else on a nominal one.

    `weighted` is what the figure is called with weights, where that is something else.
    """
    if weights is not None:
        figure, how = f"{weighted or figure}[{weights}]", {"scale": "ordinal", **how}
    agreement = of(ratings, **{"scale": "nominal", **how})
    if of_two:
        _require_two(agreement)
    if (found := agreement.alone(figure)) is None:
        message = f'has no figure "{figure}" on this scale.'
        raise refused(INPUT, message=message, remedy=did_you_mean(figure, list(agreement.measures)))
    return found


@_answering
def cohen_kappa(
    ratings: Any,  # noqa: ANN401 - as `of`
    other: Any = None,  # noqa: ANN401 - a column of labels
    *,
    weights: str | None = None,
    **how: Any,  # noqa: ANN401 - as `of`
) -> Estimate:
    """Return Cohen's kappa of two annotators with its interval; arguments as in `of`.

    Or give the labels of one annotator and those of the `other`, in the order of the units. With `weights`,
    "linear" or "quadratic", it is weighted kappa.
    """
    two = _side_by_side(ratings, other)
    return _alone("cohen_kappa", two, how, weights, weighted="weighted_kappa", of_two=True)


@_answering
def scott_pi(ratings: Any, other: Any = None, **how: Any) -> Estimate:  # noqa: ANN401 - as `of`
    """Return Scott's pi of two annotators with its interval; arguments as in `cohen_kappa`."""
    return _alone("scott_pi", _side_by_side(ratings, other), how, of_two=True)


@_answering
def weighted_kappa(ratings: Any, weights: str = "linear", **how: Any) -> Estimate:  # noqa: ANN401 - as `of`
    """Return weighted kappa of two annotators with its interval, on an ordinal scale unless another is given.

    `weights` is "linear", "quadratic", or a name in `distances`; other arguments as in `of`.
    """
    return _alone("cohen_kappa", ratings, how, weights, weighted="weighted_kappa", of_two=True)


@_answering
def f_measure(ratings: Any, category: object, **how: Any) -> Estimate:  # noqa: ANN401 - as `of`
    """Return the F-measure of a category between two annotators: its specific agreement on units."""
    agreement = of(ratings, **{"scale": "nominal", **how})
    _require_two(agreement)
    if (name := name_of(category)) not in agreement.specific:
        remedy = did_you_mean(name, list(agreement.specific))
        raise refused(INPUT, key="category", message=f'has no category "{name}".', remedy=remedy)
    return agreement.specific[name]


def _side_by_side(first: Any, other: Any) -> Any:  # noqa: ANN401 - two columns of any kind
    """Return two annotators' labels as rows; raise BadInput where they are not of the same units."""
    if other is None:
        return first
    columns = [list(column) for column in (first, other)]
    if len(columns[0]) != len(columns[1]):
        message = f"are {len(columns[0]):,} labels of one annotator and {len(columns[1]):,} of the other."
        raise refused(INPUT, message=message, remedy="Give both a label for every unit, or None.")
    return list(zip(*columns, strict=True))


def _require_two(agreement: RatingsAgreement) -> None:
    if len(agreement.annotators) != 2:
        message = f"are of {len(agreement.annotators)} annotators, and this figure is of two."
        remedy = "Choose two of them, or a figure of all: krippendorff_alpha, fleiss_kappa, conger_kappa."
        raise refused(INPUT, message=message, remedy=remedy)


@_answering
def replacement(  # noqa: PLR0913 - what campaign.toml has keys for
    ratings: Any,  # noqa: ANN401 - a frame of pandas or polars, an array, lists
    models: Sequence[object],
    *,
    epsilon: float | None = None,
    score: str | None = None,
    expert: object = None,
    references: Sequence[object] = (),
    q: float = 0.05,
    minimum_humans: int = 2,
    minimum_instances: int = 30,
    unit: str | None = None,
    annotator: str | None = None,
    label: str | None = None,
    document: str | None = None,
    scale: Scale | None = None,
    categories: Sequence[object] = (),
    non_annotated: str | None = None,
    distances: Mapping[str, Pairs] | None = None,
    separator: str = "",
) -> Replacement:
    """Return whether models may take a human annotator's place: the alternative annotator test.

    `ratings` and how to read them are as in `of`; `models` names the annotators that are models, `references`
    those that are neither models nor humans to be replaced. `epsilon` is the price of a person, without which
    there is no verdict; `expert` names a human who is trusted: the test is then who is nearer to this one, a
    model or each other human. `score` is "accuracy", "neg_rmse", "similarity" or "similarity[…]" with a
    distance; by default the first on nominal scales, the second on numbers and ranks, and MASI on sets.
    `q` is the false discovery rate, `minimum_humans` how many humans a unit needs to count,
    `minimum_instances` how many such units a human needs to be tested. Raises BadInput with all that is
    wrong. Calderon, Reichart and Dror (2025), ACL, 16051-16081.
    """
    options = {"epsilon": epsilon, "score": score, "expert": None if expert is None else name_of(expert)}
    options |= {"q": q, "minimum_humans": minimum_humans, "minimum_instances": minimum_instances}
    rule = rule_from({name: value for name, value in options.items() if value is not None})
    ratings = as_columns(ratings)
    others = _names(models, "models"), _names(references, "references")
    columns = {"unit": unit, "annotator": annotator, "label": label, "document": document}
    marks = marks_of(ratings, columns, [name for names in others for name in names])
    marks, found, separator = _on_scale(marks, scale, separator, categories, label or "")
    export = Annotations(ratings_of(marks, separator), "given", "", len(marks))
    there = export.ratings.annotators
    if not models:
        raise refused(INPUT, key="models", message="names no model.", remedy='Name one: models=["…"].')
    named = dict(zip(("models", "references"), others, strict=True))
    roles = _roles(named, there, list(dict.fromkeys([*there, *columns_of(ratings)])))
    called = _called(there, roles)
    _warn_of_called(called, "give it another name if it is a person, or name it in models or references")
    roles |= called
    ordered = _names(categories) or found.order
    task = _task(categories=ordered, non_annotated=non_annotated, scale=found.scale)
    study = _study(export, task, roles, separator)
    _warn(study)
    compared = study.compared[0]
    tables = _tables(distances or {}, compared.units.categories, task)
    return replacement_of(compared, setting_of(compared.units, tables), rule)


def _people(
    there: Sequence[str],
    everybody: Sequence[str],
    annotators: Sequence[str],
    models: Sequence[str],
    references: Sequence[str],
) -> dict[str, str]:
    """Return who is not compared with the others; warn of those whose names alone are the reason.

    Raises BadInput where models leave a single person.
    """
    known = _roles({"annotators": annotators, "models": models, "reference": references}, there, everybody)
    called = _called(there, known)
    left = [name for name in there if {**known, **called}.get(name, "annotator") == "annotator"]
    if "model" in called.values() and len(left) < 2:
        message = f"come from one person, {left[0]}, and from models, as names suggest: {', '.join(called)}."
        remedy = f'Say whom to compare: annotators=["{left[0]}", "{next(iter(called))}"].'
        raise refused(INPUT, key="annotators", message=message, remedy=remedy)
    _warn_of_called(called, 'name it in annotators=["…"] to compare it')
    return {**known, **called}


def _roles(
    named: Mapping[str, Sequence[str]], there: Sequence[str], everybody: Sequence[str]
) -> dict[str, str]:
    """Return the role of everybody who is named, by the argument that names them.

    `there` are those whose labels were taken, `everybody` all who could have been named. Raises BadInput
    where somebody is not there, or named twice.
    """
    keys: dict[str, str] = {}
    problems: list[Problem] = []
    for key, name in ((key, name) for key, names in named.items() for name in names):
        if name not in there:
            message, remedy = f'"{name}" labelled nothing.', did_you_mean(name, everybody)
            problems.append(Problem(INPUT, key=key, message=message, remedy=remedy))
        elif name in keys:
            message, remedy = f'"{name}" is named twice.', "Name everybody once."
            problems.append(Problem(INPUT, key=keys[name], message=message, remedy=remedy))
        keys.setdefault(name, key)
    if problems:
        raise BadInput(problems)
    return {name: key.removesuffix("s") for name, key in keys.items()}


def _called(there: Sequence[str], known: Mapping[str, str]) -> dict[str, str]:
    """Return who is a reference or a model by name alone."""
    called = dict.fromkeys(references_among(there, known), "reference")
    return called | dict.fromkeys(models_among(there, {**known, **called}), "model")


def _warn_of_called(called: Mapping[str, str], remedy: str) -> None:
    for name, role in called.items():
        message = f'"{name}" was taken for a {role}, by its name, and is not among the annotators'
        warn(f"{message}; {remedy}.")


def _names(names: Sequence[object], argument: str = "categories") -> tuple[str, ...]:
    """Return the names that somebody listed; raise BadInput for a text, which is no list of letters."""
    if isinstance(names, str):
        message, remedy = f'is the text "{names}"; a list was expected.', f'Write {argument} = ["{names}"].'
        raise refused(INPUT, key=argument, message=message, remedy=remedy)
    return tuple(map(name_of, names))


class TaskGiven(BaseModel):
    """Arguments at the place of [task] in campaign.toml, so that both complain of them in the same words."""

    task: Task


def _task(**arguments: Any) -> Task:  # noqa: ANN401 - what somebody wrote
    """Return what was decided about each unit; raise BadInput for each argument that is wrong."""
    written = {"task": {name: value for name, value in arguments.items() if value is not None}}
    try:
        return TaskGiven.model_validate(written).task
    except ValidationError as error:
        wrong = complaints(error, written)
        raise BadInput(
            Problem(INPUT, key=dotted(complaint.path[1:]), message=complaint.message, remedy=complaint.remedy)
            for complaint in wrong
        ) from None


def _agreement(
    export: Annotations,
    task: Task,
    distances: Mapping[str, Pairs],
    separator: str = "",
    roles: Mapping[str, str] | None = None,
) -> RatingsAgreement:
    study = _study(export, task, roles or {}, separator)
    _warn(study)
    return _compared(study, task, distances)


def _compared(
    study: LayerUnits, task: Task, distances: Mapping[str, Pairs] | None = None
) -> RatingsAgreement:
    units = study.unit_sets[0]
    setting = setting_of(units, _tables(distances or {}, units.categories, task))
    whole = UnitsOfAll(units, count(units), setting)
    return RatingsAgreement(whole, study, by_design([task.scale]).coefficient)


def _study(
    export: Annotations, task: Task, roles: Mapping[str, str], separator: str, units: Units = "items"
) -> LayerUnits:
    """Return what is compared with what."""
    declared = DeclaredUnitSet(UnitSet(id="ratings", units=units, primary=True), None, INPUT, "unit_sets")
    request = LayerSettings(
        task, [declared], roles, {}, INPUT, separator=separator_or_default(separator), split=bool(separator)
    )
    return build_study(export, request)


def _warn(study: LayerUnits) -> None:
    """Warn of labels that contradict others."""
    if study.contradicting:
        message = (
            f"{study.contradicting} of the labels differ from the first that the annotator gave the unit"
        )
        warn(f"{message}; the first counts.")


def _tables(distances: Mapping[str, Pairs], categories: Sequence[str], task: Task) -> list[DistanceMatrix]:
    declared = {*categories, task.non_annotated}
    return [_table(name, pairs, categories, declared) for name, pairs in distances.items()]


def _distance(name: str, pair: tuple[object, object], value: object) -> float:
    """Return a distance; raise BadInput where it is no number from 0 up."""
    if isinstance(value, int | float | np.number) and 0 <= value < np.inf:
        return float(value)
    key = " and ".join(map(name_of, pair))
    message = f"is {value!r}; a number from 0 up was expected."
    raise refused(f"the distance {name}", key=key, message=message, remedy="Write for example 0.5.")


def _table(
    name: str, pairs: Pairs, categories: Sequence[str], declared: Collection[str | None]
) -> DistanceMatrix:
    """Return a table of distances; raise BadInput for a category that there is not.

    `declared` are all that may be spoken of: the non-annotated category too, where every unit has a label.
    """
    if name.casefold() in MEASURE_DISTANCES:
        message = "is the name of figures that exist without it."
        raise refused(f"the distance {name}", message=message, remedy="Give it another name.")
    distance_of = {
        frozenset(map(name_of, pair)): _distance(name, pair, value) for pair, value in pairs.items()
    }
    strange = sorted({category for pair in distance_of for category in pair} - set(declared))
    if strange:
        message = f'speaks of "{strange[0]}", which is not a category.'
        raise refused(f"the distance {name}", message=message, remedy="Name it under categories.")
    distance_of |= {frozenset((category,)): 0.0 for category in categories}
    rows = tuple(
        tuple(distance_of.get(frozenset((first, other)), 1.0) for other in categories) for first in categories
    )
    return DistanceMatrix(name, tuple(categories), rows, "", "")
