"""What was decided of the disagreements: how much, why there were any, and each annotator against it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from reportgen.figures import Drawing, drawing, people
from reportgen.report.tables import Cell, ReportTable, TableColumn
from reportgen.results import Adjudication, Results
from reportgen.words.language import _
from reportgen.words.names import cause_in_words

# What better guidelines mend; a slip happens under any.
OF_GUIDELINES = ("guideline silent", "guideline forgotten", "text ambiguous")


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


class Commonest(NamedTuple):
    """The cause that one category has most often."""

    category: str
    cause: str
    times: int

    @property
    def cause_in_words(self) -> str:
        """Return what the cause is called."""
        return cause_in_words(self.cause)


@dataclass(frozen=True)
class AdjudicationView:
    """One layer: what is decided, the causes by category, and the annotators.

    `non_annotated` is the category of unmarked units: all missed marks are disagreements over it.
    """

    found: Adjudication
    non_annotated: str | None

    @property
    def layer(self) -> str:
        """Return the layer."""
        return self.found.layer

    @property
    def commonest(self) -> Commonest | None:
        """Return the category and cause that come together most often, of the causes that guidelines mend."""
        found = [
            Commonest(category, cause, times)
            for category, causes in (self.found.causes or {}).items()
            if category != self.non_annotated
            for cause, times in causes.items()
            if cause in OF_GUIDELINES
        ]
        return min(found, key=lambda each: (-each.times, each.category, each.cause), default=None)

    @cached_property
    def causes_figure(self) -> Drawing | None:
        """Return the causes drawn."""
        name = "causes" if self.layer == "main" else f"causes~{self.layer}"
        return drawing(name, people.of_causes(self.found))

    @cached_property
    def causes(self) -> ReportTable | None:
        """Return the causes by category, the most frequent first; None where none was noted."""
        totals = self.found.by_cause or {}
        if not totals:
            return None
        shown = sorted(totals, key=lambda cause: (-totals[cause], cause))
        by_category = self.found.causes or {}
        counts = {name: [causes.get(cause, 0) for cause in shown] for name, causes in by_category.items()}
        order = sorted(counts, key=lambda name: (-sum(counts[name]), name))
        columns = (
            TableColumn("category", _("Category in dispute")),
            *(
                TableColumn(cause.replace(" ", "_"), _capital(cause_in_words(cause)), "count")
                for cause in shown
            ),
        )
        rows: list[tuple[Cell, ...]] = [(name, *counts[name]) for name in order]
        return ReportTable(
            f"causes-{self.layer}",
            _("Why annotators differed. A disagreement counts for each of the categories in dispute."),
            columns,
            tuple(rows),
            file=self._file("adjudication-causes"),
        )

    @cached_property
    def annotators(self) -> ReportTable | None:
        """Return each annotator against the decisions; None where nothing was decided."""
        known = self.found.annotators or {}
        if not known:
            return None
        columns = (
            TableColumn("annotator", _("Annotator")),
            TableColumn("units", _("Decided units labelled"), "count"),
            TableColumn("agreed", _("As it was decided"), "count"),
            TableColumn("share", _("Share"), "percent"),
        )
        rows = tuple((name, each.units, each.agreed, each.share) for name, each in sorted(known.items()))
        return ReportTable(
            f"decided-{self.layer}",
            _("Each annotator against the decisions, on the units on which annotators differed."),
            columns,
            rows,
            file=self._file("adjudication-annotators"),
        )

    def _file(self, name: str) -> str:
        return f"{name}.csv" if self.layer == "main" else f"{name}~{self.layer}.csv"

    @property
    def tables(self) -> Sequence[ReportTable]:
        """Return the tables that there are."""
        return [each for each in (self.causes, self.annotators) if each is not None]


def adjudications(results: Results) -> list[AdjudicationView]:
    """Return what was decided in each layer, layers left out about which there is nothing to say."""
    names = {each.layer: each.non_annotated for each in results.unit_sets if each.non_annotated}
    return [
        AdjudicationView(each, names.get(each.layer))
        for each in results.adjudication or ()
        if each.open or each.filled
    ]
