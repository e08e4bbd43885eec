"""The tables of a report that belong into a paper's appendix, as LaTeX."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from reportgen.report import numbers
from reportgen.report.language import _, names, say, say_many
from reportgen.report.layer_view import LayerView
from reportgen.report.paper.booktabs import environments
from reportgen.report.spans import SpanView
from reportgen.report.tables import Table
from reportgen.report.unit_set_view import UnitSetView
from reportgen.report.view import ReportView
from reportgen.results import UnitSet

# Every installation of TeX has these.
PACKAGES = (r"\usepackage{array,booktabs,longtable}", r"\usepackage[T1]{fontenc}")
# What precision and recall are made of: the tables of the report have it.
OUTCOMES = ("match", "overlap", "only_first", "only_second")


@dataclass(frozen=True)
class Chosen:
    """A table with the words above it, what it is called, and what is said below it."""

    table: Table
    caption: str
    name: str
    notes: list[str] = field(default_factory=list)


def tables_tex(view: ReportView) -> str:
    """Return the tables of a report, each in an environment of its own."""
    head = [
        _("Tables of the agreement report, made with reportgen, to be read into a paper."),
        say("In the preamble: {packages}", packages="".join(PACKAGES)),
        _("Letters of other scripts need LuaLaTeX or XeLaTeX and a font that has them."),
    ]
    several = len(view.layers) > 1
    seen: dict[str, int] = {}
    shown = (_printed(each, layer, several, seen) for layer, each in _chosen(view))
    return "\n".join([*(f"% {line}" for line in head), "", *shown])


def _printed(chosen: Chosen, layer: str, several: bool, seen: dict[str, int]) -> str:  # noqa: FBT001
    caption = chosen.caption
    if several:
        caption = say("{caption} Layer {layer}.", caption=caption, layer=layer)
    label = _label(f"{chosen.name}-{layer}" if several else chosen.name, seen)
    return environments(chosen.table, caption, label, chosen.notes)


def _label(name: str, seen: dict[str, int]) -> str:
    """Return what a table is referred to by: nothing but letters, digits and hyphens, and no two alike."""
    found = f"tab:agreement-{re.sub('[^A-Za-z0-9]+', '-', name).strip('-').lower()}"
    seen[found] = seen.get(found, 0) + 1
    return found if seen[found] == 1 else f"{found}-again-{seen[found]}"


def _chosen(view: ReportView) -> Iterator[tuple[str, Chosen]]:
    for layer in view.layers:
        yield from ((layer.id, each) for each in _of_layer(layer))
    for marks in view.spans:
        yield from ((marks.layer.layer, each) for each in _of_spans(marks))


def _of_layer(layer: LayerView) -> Iterator[Chosen]:
    yield Chosen(layer.choices_shown, _("What counts as a unit."), "units")
    yield Chosen(
        layer.coefficients,
        _("Agreement by unit set: value and 95% interval."),
        "coefficients",
        [
            say("Undefined: {figures}, because {reason}.", figures=names(figures), reason=reason)
            for reason, figures in layer.undefined.items()
        ],
    )
    yield from _of_unit_set(layer.primary)
    if layer.sizes:
        yield Chosen(layer.sizes, _("Agreement at other sizes of the non-annotated category."), "sizes")


def _of_unit_set(primary: UnitSetView) -> Iterator[Chosen]:
    found = primary.unit_set
    of = {"unit_set": found.id, "count": numbers.count(found.units_compared)}
    if primary.pair and primary.confusion_shown:
        people = primary.pair.confusion
        caption = say(
            "Confusion matrix ({unit_set}): rows are the labels of {rows}, columns those of {columns}.",
            unit_set=found.id,
            rows=people.rows,
            columns=people.columns,
        )
        yield Chosen(primary.confusion_shown, caption, "confusion")
    elif primary.met_shown:
        caption = say("How often the labels of two annotators meet on a unit ({unit_set}).", **of)
        yield Chosen(primary.met_shown, caption, "coincidences")
    caption = _specific_caption(found)
    shown, every = primary.specific_shown, primary.specific
    if len(shown.rows) < len(every.rows):
        least = say(
            "Shown are the {count} categories of {all} on which annotators agree least.",
            count=numbers.count(len(shown.rows)),
            all=numbers.count(len(every.rows)),
        )
        caption = f"{caption} {least}"
    yield Chosen(shown, caption, "specific")
    if primary.pairs_shown:
        yield Chosen(primary.pairs_shown, _pairs_caption(primary), "pairs")


def _specific_caption(unit_set: UnitSet) -> str:
    of = {"unit_set": unit_set.id, "count": numbers.count(unit_set.units_compared)}
    if unit_set.sets:
        return say_many(
            "Agreement on each label, chosen or not ({unit_set}, {count} unit).",
            "Agreement on each label, chosen or not ({unit_set}, {count} units).",
            unit_set.units_compared,
            **of,
        )
    return say_many(
        "Specific agreement by category ({unit_set}, {count} unit).",
        "Specific agreement by category ({unit_set}, {count} units).",
        unit_set.units_compared,
        **of,
    )


def _pairs_caption(primary: UnitSetView) -> str:
    shown = len(primary.pairs_shown.rows) if primary.pairs_shown else 0
    if primary.pairs and shown < len(primary.pairs.rows):
        return say_many(
            "The {count} pair of annotators that agrees least ({unit_set}).",
            "The {count} pairs of annotators that agree least ({unit_set}).",
            shown,
            count=numbers.count(shown),
            unit_set=primary.unit_set.id,
        )
    return say("Agreement of every two annotators ({unit_set}).", unit_set=primary.unit_set.id)


def _of_spans(marks: SpanView) -> Iterator[Chosen]:
    if marks.every_pair:
        caption = _("Precision, recall and F-measure of marks with the same ends and the same label.")
        yield Chosen(_without_outcomes(marks.pairs), caption, "spans")
    if marks.types:
        caption = _("F-measure by type of mark.")
        yield Chosen(_without_outcomes(marks.types), caption, "span-types")


def _without_outcomes(table: Table) -> Table:
    """Return a table of marks without the counts that its figures are made of."""
    kept = [place for place, column in enumerate(table.columns) if column.key not in OUTCOMES]
    rows = tuple(tuple(record[place] for place in kept) for record in table.rows)
    return replace(table, columns=tuple(table.columns[place] for place in kept), rows=rows, links=())
