"""Pages of single layers, where the evidence of all of them is too heavy for the page of the report."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from reportgen.report import page, sections
from reportgen.report.blocks import Section
from reportgen.report.layer_view import LayerView
from reportgen.report.passages import ClarifyView
from reportgen.report.tables import ReportTable, table_of
from reportgen.report.view import ReportView
from reportgen.results import Finding, Results
from reportgen.words.language import Edition, _, writing
from reportgen.words.names import figure_name
from reportgen.words.numbers import Note, note

# A page of all layers that would be heavier without its drawings, in any language, leaves them to others.
MOST_BYTES = 145_000
DRAWING = re.compile(r"<svg\b.*?</svg>", re.DOTALL)


class LayerReport(ReportView):
    """One layer of a report: what the whole has of it, and nothing of the others."""

    def __init__(self, whole: ReportView, layer: str) -> None:
        """Keep the whole; what is shown of the layer is taken from there, so that it is made once."""
        self._whole, self._layer = whole, layer
        self.results = _of_layer(whole.results, layer)
        self.in_site = whole.in_site
        self.passages = whole.passages
        self.pairs = whole.pairs
        self.figures = whole.figures

    @property
    def only(self) -> str:
        """Return the layer."""
        return self._layer

    @cached_property
    def evidence(self) -> list[Section]:
        """Return its sections of evidence."""
        return sections.evidence(self)

    @cached_property
    def layers(self) -> tuple[LayerView, ...]:
        """Return the layer with its unit sets."""
        return tuple(each for each in self._whole.layers if each.id == self._layer)

    @cached_property
    def findings(self) -> list[Finding]:
        """Return the findings about the layer, what its verdict rests on among them."""
        own = [each for each in self.results.findings if each.id == "caveat"]
        return [each for each in (*own, *self._whole.findings) if self._layer in note(each).layers]

    @cached_property
    def verdicts(self) -> list[Note]:
        """Return the layer's own verdict."""
        own = [note(each) for each in self.results.findings if each.id == "layer-verdict"]
        return [each for each in own if self._layer in each.layers]

    @cached_property
    def clarify(self) -> list[ClarifyView]:
        """Return what the guidelines of the layer should clarify."""
        return [each for each in self._whole.clarify if each.layer == self._layer]


@dataclass(frozen=True)
class MissingSection:
    """A section that the first layer does not have, with the pages of the layers that have it."""

    id: str
    title: str
    links: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class LayersView:
    """All layers in a row each, the first of them on the page itself; what it has nothing of, and who has."""

    reports: tuple[LayerReport, ...]

    @property
    def first(self) -> LayerReport:
        """Return the layer whose evidence is on the page of the report."""
        return self.reports[0]

    @property
    def table(self) -> ReportTable:
        """Return each layer with its coefficient, its size and its page."""
        return table_of(
            "layers",
            "",
            [each.results for each in self.reports],
            ("layer", _("Layer"), "text", lambda each: each.primary.layer),
            ("coefficient", _("Coefficient"), "text", lambda each: figure_name(each, each.coefficient)),
            (
                *("value", _("Value [95% interval]"), "estimate"),
                lambda each: each.primary.measures.get(each.coefficient),
            ),
            ("units", _("Units"), "count", lambda each: each.primary.units),
            ("annotators", _("Annotators"), "count", lambda each: len(each.primary.annotators)),
            ("categories", _("Categories"), "count", lambda each: len(each.primary.judged)),
            href=lambda each: (
                "#confusion-matrix" if each.primary.layer == self.first.only else place(each.primary.layer)
            ),
        )

    @cached_property
    def missing(self) -> list[MissingSection]:
        """Return the sections that other layers alone have: to which pages beside the report lead too."""
        own = {name for name, _ in _sections(self.first)}
        found: dict[str, tuple[str, list[str]]] = {}
        for each in self.reports[1:]:
            for name, title in _sections(each):
                if name not in own:
                    found.setdefault(name, (title, []))[1].append(each.only)
        return [
            MissingSection(name, title, tuple((layer, self.page(layer, name)) for layer in layers))
            for name, (title, layers) in found.items()
        ]

    def page(self, layer: str, section: str) -> str:
        """Return the address of a section of a layer, from the page of the report."""
        return f"#{section}" if layer == self.first.only else f"{place(layer)}#{section}"

    def way(self, note: Note) -> str:
        """Return where the evidence of a finding stands, from the page of the report."""
        there = next((each for each in self.reports if each.only in note.layers), self.first)
        return self.page(there.only, note.evidence) if _has(there, note) else f"#{note.evidence}"


def _sections(report: LayerReport) -> list[tuple[str, str]]:
    clarify = [("clarify", _("What to clarify"))] if report.clarify else []
    return [*clarify, *((each.id, each.short or each.title) for each in report.evidence)]


def _has(report: LayerReport, note: Note) -> bool:
    return note.evidence in dict(_sections(report))


def _of_layer(results: Results, layer: str) -> Results:
    """Return results whose unit sets, coefficient and releases are those of one layer."""
    return results.model_copy(
        update={
            "unit_sets": tuple(each for each in results.unit_sets if each.layer == layer),
            "coefficient": results.coefficients[layer],
            "releases": tuple(each for each in results.releases or () if each.layer == layer) or None,
        }
    )


def place(layer: str) -> str:
    """Return the name of a layer's page, from the folder of the version."""
    return f"layers/{layer}.html"


def apart(views: Mapping[Edition, ReportView]) -> bool:
    """Tell whether layers have pages of their own: in every edition, where all are too heavy for one."""
    layers = {each.layer for view in views.values() for each in view.results.unit_sets}
    return len(layers) > 1 and any(_too_heavy(each, view, tuple(views)) for each, view in views.items())


def _too_heavy(edition: Edition, view: ReportView, among: Sequence[Edition]) -> bool:
    with writing(edition, among):
        text = page.report_html(view, alone=False)
    return len(DRAWING.sub("", text).encode()) > MOST_BYTES


def pages(view: ReportView) -> Iterator[tuple[str, str]]:
    """Yield the page of the report with the first layer's evidence, and that of every other layer."""
    layers = LayersView(tuple(LayerReport(view, each.id) for each in view.layers))
    yield "index.html", page.report_html(view, alone=False, here=layers.first, layers=layers, way=layers.way)
    for each in layers.reports[1:]:
        name = place(each.only)
        yield name, page.layer_html(each, name, way=_way_of(each))


def _way_of(report: LayerReport) -> Callable[[Note], str]:
    """Return how a layer's page leads to the evidence of a finding: what is not there is the report's."""
    return lambda note: f"#{note.evidence}" if _has(report, note) else f"index.html#{note.evidence}"
