"""The sections of evidence of a report, or of one of its layers, as the list of contents has them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from reportgen.report.language import _, isolated

if TYPE_CHECKING:
    from reportgen.report.view import ReportView


def of(view: "ReportView", *, alone: bool) -> list[tuple[str, str]]:
    """Return the anchor and the title of each section that there is; `alone`: without pages beside it."""
    return [*_of_units(view), *_of_marks(view), *_of_people(view, alone=alone)]


def _of_units(view: "ReportView") -> Iterator[tuple[str, str]]:
    yield "confusion-matrix", _("Confusion matrix")
    yield "specific-agreement", _("Specific agreement")
    yield "questions", _("Which figure for what")
    yield "coefficients", _("Coefficients")
    yield "choices", _("What counts as a unit")
    if view.layers[0].sizes:
        yield "size-curve", _size(view)
    if any(each.sets for each in view.layers):
        yield "sets", _("Sets of labels")


def _size(view: "ReportView") -> str:
    first = view.layers[0].unit_sets[0].unit_set
    category = view.results.primary.non_annotated or first.non_annotated
    if not category:
        return _("Size of what is not annotated")
    return _("Size of “%(category)s”") % {"category": isolated(category)}


def _of_marks(view: "ReportView") -> Iterator[tuple[str, str]]:
    if view.spans:
        yield "spans", _("Precision, recall and F")
    if view.unitizing:
        yield "unitizing", _("Unitizing")


def _of_people(view: "ReportView", *, alone: bool) -> Iterator[tuple[str, str]]:
    if view.comparisons:
        referenced = any(each.against_reference for layer in view.comparisons for each in layer.shown)
        yield "comparisons", _("Against the reference") if referenced else _("Systems")
    if view.distanced or any(each.origin for each in view.results.distances):
        yield "distances", _("Distances")
    if view.paired:
        yield "symmetry", _("Bias between annotators")
    if view.agreeing(alone):
        yield "annotator-pairs", _("Who agrees with whom")
    if view.adjudications:
        yield "adjudication", _("Adjudication")
    if view.quality:
        yield "quality", _("Quality")
