"""The sections of a report: each a function from what a report shows to blocks, or to none."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from reportgen.figures import Drawing
from reportgen.report.sections import pairs, people
from reportgen.report.sections import systems as against
from reportgen.report.sections.agreement import specific_agreement
from reportgen.report.sections.marks import spans, unitizing
from reportgen.report.sections.pairs import matrix_page, pair_page, pairs_page, who_agrees
from reportgen.report.sections.people import adjudication, quality, quality_page
from reportgen.report.sections.systems import comparisons, models, systems

if TYPE_CHECKING:
    from reportgen.report.view import ReportView

__all__ = [
    "adjudication",
    "comparisons",
    "drawings",
    "matrix_page",
    "models",
    "pair_page",
    "pairs",
    "pairs_page",
    "people",
    "quality",
    "quality_page",
    "spans",
    "specific_agreement",
    "systems",
    "unitizing",
    "who_agrees",
]


def drawings(view: "ReportView") -> Iterator[Drawing | None]:
    """Yield the figures of marks, systems and people."""
    if len(view.layers) > 1:
        yield pairs.others_figure(view)
    else:
        yield from (pairs.pairwise_figure(view, each) for each in view.layers)
    for layer in view.quality:
        yield people.crowd_figure(view, layer)
        yield people.others_figure(view, layer)
        yield people.drift_figure(view, layer)
    yield from (people.causes_figure(view, each) for each in view.adjudications)
    yield from (against.comparison_figure(view, each) for each in view.comparisons)
    yield from view.releases.drawings() if view.releases else ()
    yield from (against.models_figure(view, each) for each in view.models)
