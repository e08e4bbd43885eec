"""Pages of single layers, where the evidence of all of them is too heavy for the page of the report."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from reportgen.report import page, sections
from reportgen.report.blocks import Section
from reportgen.report.disagreements import ClarifyView
from reportgen.report.layer_view import LayerView
from reportgen.report.tables import ReportTable, table_of
from reportgen.report.view import ReportView
from reportgen.results import Finding
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
        results = whole.results
        self.results = results.model_copy(
            update={
                "unit_sets": tuple(each for each in results.unit_sets if each.layer == layer),
                "coefficient": results.coefficients[layer],
                "releases": tuple(each for each in results.releases or () if each.layer == layer) or None,
            }
        )
        self.in_site, self.passages = whole.in_site, whole.passages
        self.pairs, self.figures = whole.pairs, whole.figures

    @property
    def only(self) -> str:
        """Return the layer."""
        return self._layer

    @cached_property
    def evidence(self) -> list[Section]:
        """Return its sections of evidence."""
        return sections.evidence(self)

    @cached_property
    def titles(self) -> dict[str, str]:
        """Return the titles of its sections, of what to clarify too, by their ids."""
        clarify = {"clarify": _("What to clarify")} if self.clarify else {}
        return clarify | {each.id: each.short or each.title for each in self.evidence}

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
        found: dict[str, MissingSection] = {}
        for each in self.reports[1:]:
            for name, title in each.titles.items():
                if name not in self.first.titles:
                    known = found.setdefault(name, MissingSection(name, title, []))
                    known.links.append((each.only, f"{place(each.only)}#{name}"))
        return list(found.values())

    def way(self, note: Note) -> str:
        """Return where the evidence of a finding is, from the page of the report."""
        there = next((each for each in self.reports if each.only in note.layers), self.first)
        elsewhere = there is not self.first and note.evidence in there.titles
        return f"{place(there.only) if elsewhere else ''}#{note.evidence}"


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
        yield name, page.report_html(each, alone=False, template="layer.html.j2", place=name, way=each.way)
