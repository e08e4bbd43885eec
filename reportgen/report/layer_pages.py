"""Pages of single layers, where the evidence of all of them is too heavy for the page of the report."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from reportgen.base.dataclass import dataclass
from reportgen.report import page, sections
from reportgen.report.blocks import Section
from reportgen.report.disagreements import ClarifyView
from reportgen.report.tables import ReportTable, table_of
from reportgen.report.view import LayerView, ReportView
from reportgen.results import Finding
from reportgen.words.language import Edition, _, writing
from reportgen.words.names import figure_name
from reportgen.words.numbers import Note, note

# A page of all layers that would be heavier without its drawings, in any language, leaves them to others.
MOST_BYTES = 145_000
DRAWING = re.compile(r"<svg\b.*?</svg>", re.DOTALL)


class LayerReport(ReportView):
    """One layer of a report: what the whole has of it, and nothing of the others."""

    def __init__(self, view: ReportView, layer: str) -> None:
        """Keep the whole; what is shown of the layer is taken from there, so that it is made once."""
        self._report, self._layer = view, layer
        results = view.results
        self.results = results.model_copy(
            update={
                "unit_sets": tuple(unit_set for unit_set in results.unit_sets if unit_set.layer == layer),
                "coefficient": results.coefficients[layer],
                "releases": tuple(release for release in results.releases or () if release.layer == layer)
                or None,
            }
        )
        self.in_site, self.passages = view.in_site, view.passages
        self.pairs, self.figures = view.pairs, view.figures

    @property
    def only(self) -> str:
        """Return the layer."""
        return self._layer

    @property
    def report(self) -> ReportView:
        """Return the view of the whole report."""
        return self._report

    @cached_property
    def evidence(self) -> list[Section]:
        """Return its sections of evidence."""
        return sections.evidence(self)

    @cached_property
    def titles(self) -> dict[str, str]:
        """Return the titles of its sections, of what to clarify too, by their ids."""
        clarify = {"clarify": _("What to clarify")} if self.clarify else {}
        return clarify | {section.id: section.short or section.title for section in self.evidence}

    @cached_property
    def layers(self) -> tuple[LayerView, ...]:
        """Return the layer with its unit sets."""
        return tuple(layer for layer in self._report.layers if layer.id == self._layer)

    @cached_property
    def findings(self) -> list[Finding]:
        """Return the findings about the layer, what its verdict rests on among them."""
        caveats = [finding for finding in self.results.findings if finding.kind == "caveat"]
        return [
            finding for finding in (*caveats, *self._report.findings) if self._layer in note(finding).layers
        ]

    @cached_property
    def verdicts(self) -> list[Note]:
        """Return the layer's own verdict."""
        verdicts = [note(finding) for finding in self.results.findings if finding.kind == "layer-verdict"]
        return [verdict for verdict in verdicts if self._layer in verdict.layers]

    @cached_property
    def clarify(self) -> list[ClarifyView]:
        """Return what the guidelines of the layer should clarify."""
        return [clarify for clarify in self._report.clarify if clarify.layer == self._layer]

    def way(self, note: Note) -> str:
        """Return where a finding's evidence is, from the layer's page; what is not there is the report's."""
        return f"{'' if note.evidence in self.titles else 'index.html'}#{note.evidence}"


class MissingSection(NamedTuple):
    """A section that the first layer does not have, with the pages of the layers that have it."""

    id: str
    title: str
    links: list[tuple[str, str]]


@dataclass(frozen=True)
class LayersView:
    """All layers in a row each, the first of them on the page itself; what it has nothing of, and who has."""

    reports: tuple[LayerReport, ...]

    @property
    def first(self) -> LayerReport:
        """Return the layer whose evidence is on the page of the report."""
        return self.reports[0]

    def href(self, layer: str) -> str:
        """Return where all figures of a layer are, from the page of the report; empty of what is no layer."""
        if layer not in {report.only for report in self.reports}:
            return ""
        return "#part-evidence" if layer == self.first.only else page_of(layer)

    @property
    def table(self) -> ReportTable:
        """Return each layer with its coefficient, its size and its page."""
        value = _("Value [95% interval]")
        return table_of(
            "layers",
            "",
            [report.results for report in self.reports],
            ("layer", _("Layer"), "text", lambda results: results.primary.layer),
            ("coefficient", _("Coefficient"), "text", lambda own: figure_name(own, own.coefficient)),
            ("value", value, "estimate", lambda own: own.primary.measures.get(own.coefficient)),
            ("units", _("Units"), "count", lambda results: results.primary.units),
            ("annotators", _("Annotators"), "count", lambda results: len(results.primary.annotators)),
            ("categories", _("Categories"), "count", lambda results: len(results.primary.judged)),
            href=lambda results: (
                "#confusion-matrix"
                if results.primary.layer == self.first.only
                else page_of(results.primary.layer)
            ),
        )

    @cached_property
    def missing(self) -> list[MissingSection]:
        """Return the sections that other layers alone have: to which pages beside the report lead too."""
        missing: dict[str, MissingSection] = {}
        for report in self.reports[1:]:
            for name, title in report.titles.items():
                if name not in self.first.titles:
                    section = missing.setdefault(name, MissingSection(name, title, []))
                    section.links.append((report.only, f"{page_of(report.only)}#{name}"))
        return list(missing.values())

    def way(self, note: Note) -> str:
        """Return where the evidence of a finding is, from the page of the report."""
        there = next((report for report in self.reports if report.only in note.layers), self.first)
        elsewhere = there is not self.first and note.evidence in there.titles
        return f"{page_of(there.only) if elsewhere else ''}#{note.evidence}"


def page_of(layer: str) -> str:
    """Return the name of a layer's page, from the folder of the version."""
    return f"layers/{layer}.html"


def apart(views: Mapping[Edition, ReportView]) -> bool:
    """Tell whether layers have pages of their own: in every edition, where all are too heavy for one."""
    layers = {unit_set.layer for view in views.values() for unit_set in view.results.unit_sets}
    return len(layers) > 1 and any(_too_heavy(edition, view, tuple(views)) for edition, view in views.items())


def _too_heavy(edition: Edition, view: ReportView, among: Sequence[Edition]) -> bool:
    with writing(edition, among):
        text = page.report_html(view, alone=False)
    return len(DRAWING.sub("", text).encode()) > MOST_BYTES


def pages(view: ReportView) -> Iterator[tuple[str, str]]:
    """Yield the page of the report with the first layer's evidence, and that of every other layer."""
    names = [layer.id for layer in view.layers]
    # The evidence on the page of the report is that of the layer which the ledger has first.
    ordered = [row.name for row in view.ledger.rows if row.name in names] if view.ledger else []
    layers = LayersView(tuple(LayerReport(view, name) for name in dict.fromkeys((*ordered, *names))))
    yield "index.html", page.report_html(view, alone=False, here=layers.first, layers=layers, way=layers.way)
    for report in layers.reports[1:]:
        name = page_of(report.only)
        html = page.report_html(report, alone=False, template="layer.html.j2", path=name, way=report.way)
        yield name, html
