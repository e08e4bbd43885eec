"""The sections of a report: each a function from what a report shows to blocks, or to none.

A new section is one more function in `evidence`: the page, its contents, Markdown, pages of layers, the
links of findings, and the files of its tables and figures follow from that list.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from reportgen.report.blocks import Block, Details, Section, SectionPage
from reportgen.report.checklists import CHECKLIST_PAGE, checklists_page
from reportgen.report.ledger import shown_count
from reportgen.report.sections.categories_section import (
    confusion_matrix,
    distances,
    sets,
    specific_agreement,
    symmetry,
)
from reportgen.report.sections.chosen_coefficients import coefficients
from reportgen.report.sections.marks import spans
from reportgen.report.sections.method import cite, data, methods, provenance
from reportgen.report.sections.opening import (
    all_disagreements,
    by_document,
    claims,
    ledger_section,
    limits_of_figures,
    remarks_of,
    what_to_do,
)
from reportgen.report.sections.quality import QUALITY, adjudication, quality, quality_page, times
from reportgen.report.sections.subject_sections import errors, judges, trees
from reportgen.report.sections.systems import comparisons, models
from reportgen.report.sections.units_section import non_annotated, size_curve, unit_sets, unitizing
from reportgen.report.sections.who_agrees import (
    aggregate,
    groups,
    who_agrees,
)
from reportgen.report.view import ReportView

__all__ = [
    "claims",
    "evidence",
    "ledger_section",
    "limits_of_figures",
    "method",
    "pages",
    "shown_count",
    "what_to_do",
    "whole",
]


def evidence(view: ReportView, *, alone: bool = False, whole: bool = False) -> list[Section]:
    """Return the sections that there are, those that are open first.

    `alone`: in one file, `whole`: all that pages beside it have.
    """
    # Where no two annotators labelled a unit, what is compared comes first, and empty tables are left out.
    nothing = view.answered and not view.compared
    asked = (
        confusion_matrix(view),
        non_annotated(view),
        unit_sets(view),
        size_curve(view),
        specific_agreement(view),
        distances(view),
    )
    compared = (judges(view), comparisons(view), errors(view), models(view))
    figures = coefficients(view, alone=alone or whole)
    sections = (
        all_disagreements(view) if whole else None,
        unitizing(view) if view.recorded else None,
        *(compared if nothing else (*asked, judges(view), figures)),
        sets(view),
        spans(view),
        None if view.recorded else unitizing(view),
        trees(view),
        *(() if nothing else compared[1:]),
        by_document(view),
        symmetry(view),
        who_agrees(view),
        aggregate(view),
        adjudication(view),
        quality(view, whole=whole),
        groups(view),
        times(view),
        *((unit_sets(view), figures) if nothing else ()),
    )
    shown = [section for section in sections if section]
    opened = () if nothing or view.recorded else tuple(section.id for section in asked if section)
    several = any(len(layer.members) > 1 or layer.primary.unit_set.non_annotated for layer in view.layers)
    closed = {"choices": several, "distances": bool(view.results.distances)}
    known = {section.id for section in shown}
    return [
        replace(
            section,
            blocks=_before_details(section.blocks, remarks_of(view, section.id, known)),
            open=section.id in opened and closed.get(section.id, True),
        )
        for section in shown
    ]


def _before_details(blocks: tuple[Block, ...], remarks: Iterable[Block]) -> tuple[Block, ...]:
    """Return the blocks of a section with its remarks, which come before what a reader opens."""
    number = next((i for i, block in enumerate(blocks) if isinstance(block, Details)), len(blocks))
    return (*blocks[:number], *remarks, *blocks[number:])


def whole(view: ReportView) -> list[Section]:
    """Return all sections with all that they have: report.md, and every table and figure that is a file."""
    return [*evidence(view, whole=True), *method(view)]


def method(view: ReportView, *, alone: bool = False) -> list[Section]:
    """Return how the figures were made, and how they are cited."""
    return [data(view), methods(view, alone=alone), provenance(view, alone=alone), cite(view, alone=alone)]


def pages(view: ReportView) -> Iterator[tuple[str, SectionPage | None]]:
    """Yield the pages of blocks behind the report, by their names from the version's folder."""
    yield QUALITY, quality_page(view)
    yield CHECKLIST_PAGE, checklists_page(view)
