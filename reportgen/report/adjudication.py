"""What was decided of the disagreements: why there were any, and each annotator against the decisions."""

from typing import NamedTuple

from reportgen.report.tables import Cell, ReportTable, TableColumn
from reportgen.results import Adjudication
from reportgen.words.language import _
from reportgen.words.names import cause_in_words

# What better guidelines prevent; a slip happens under any.
OF_GUIDELINES = ("guideline silent", "guideline forgotten", "text ambiguous")


class Commonest(NamedTuple):
    """The cause that one category has most often."""

    category: str
    cause: str
    times: int


def commonest(found: Adjudication, non_annotated: str | None) -> Commonest | None:
    """Return the category and cause that come together most often, of the causes that guidelines prevent.

    `non_annotated` is the category of unmarked units: all missed marks are disagreements over it.
    """
    known = [
        Commonest(category, cause, times)
        for category, causes in (found.causes or {}).items()
        if category != non_annotated
        for cause, times in causes.items()
        if cause in OF_GUIDELINES
    ]
    return min(known, key=lambda each: (-each.times, each.category, each.cause), default=None)


def causes(found: Adjudication) -> ReportTable | None:
    """Return the causes by category, the most frequent first; None where none was noted."""
    totals = found.by_cause or {}
    if not totals:
        return None
    shown = sorted(totals, key=lambda cause: (-totals[cause], cause))
    counts = {
        name: [causes.get(cause, 0) for cause in shown] for name, causes in (found.causes or {}).items()
    }
    order = sorted(counts, key=lambda name: (-sum(counts[name]), name))
    columns = (
        TableColumn("category", _("Category in dispute")),
        *(TableColumn(cause.replace(" ", "_"), _capital(cause_in_words(cause)), "count") for cause in shown),
    )
    rows: list[tuple[Cell, ...]] = [(name, *counts[name]) for name in order]
    return ReportTable(
        f"causes-{found.layer}",
        _("Why annotators differed. A disagreement counts for each of the categories in dispute."),
        columns,
        tuple(rows),
        file=_file(found, "adjudication-causes"),
    )


def annotators(found: Adjudication) -> ReportTable | None:
    """Return each annotator against the decisions; None where nothing was decided."""
    known = found.annotators or {}
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
        f"decided-{found.layer}",
        _("Each annotator against the decisions, on the units on which annotators differed."),
        columns,
        rows,
        file=_file(found, "adjudication-annotators"),
    )


def tables(found: Adjudication) -> list[ReportTable]:
    """Return the tables that there are."""
    return [each for each in (causes(found), annotators(found)) if each is not None]


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _file(found: Adjudication, name: str) -> str:
    return f"{name}.csv" if found.layer == "main" else f"{name}~{found.layer}.csv"
