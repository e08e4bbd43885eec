"""What a report shows of the texts behind it: documents, lists of disagreements, and what to clarify."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from reportgen.report import contents
from reportgen.report.disagreements import (
    DisagreementList,
    DisagreementRow,
    DisagreementRowBuilder,
    DisagreementSection,
    Files,
)
from reportgen.report.documents import DocumentViews
from reportgen.report.tables import Cell, ReportTable, TableColumn
from reportgen.results import Boundary, Results, UnitSet
from reportgen.results.texts import Clarify, Form, Texts
from reportgen.words.language import N_, _, names, say

MOST_CONFUSIONS = 12
MOST_CLARIFIED = 5
MOST_FORMS = 12


@dataclass(frozen=True)
class FormView:
    """Words that are labelled differently: how often they got each label, and an example."""

    form: str
    units: int
    labels: str
    example: DisagreementRow | None


@dataclass(frozen=True)
class ClarifyView:
    """What the guidelines of one layer should clarify."""

    found: Clarify
    disagreements: DisagreementList | None

    @property
    def layer(self) -> str:
        """Return the layer."""
        return self.found.layer

    @property
    def confusions(self) -> Sequence[DisagreementSection]:
        """Return the categories that are most often confused."""
        return self.disagreements.sections[:MOST_CLARIFIED] if self.disagreements else ()

    @property
    def forms(self) -> list[FormView]:
        """Return the forms that are labelled differently, as far as a page shows them."""
        return [self._form(each) for each in self.found.forms[:MOST_FORMS]]

    def _form(self, each: Form) -> FormView:
        order = sorted(each.labels.items(), key=lambda item: (-item[1], item[0]))
        rows = self.disagreements.rows if self.disagreements else ()
        example = rows[each.example] if each.example < len(rows) else None
        labels = ", ".join(f"{label} {times}" for label, times in order)
        return FormView(each.form, each.units, labels, example)

    @property
    def boundaries(self) -> ReportTable | None:
        """Return at which end marks that overlap differ, None where none do."""
        if not self.found.boundaries:
            return None
        caption = N_("Marks of two annotators that overlap without coinciding, by where they differ.")
        of_layer = N_(
            "Marks of two annotators that overlap without coinciding, by where they differ (layer {layer})."
        )
        layer = self.found.layer
        columns = (
            TableColumn("label", _("Label")),
            TableColumn("left", _("At the beginning only"), "count"),
            TableColumn("right", _("At the end only"), "count"),
            TableColumn("both", _("At both ends"), "count"),
            TableColumn("inside", _("Between the ends only"), "count"),
        )
        return ReportTable(
            f"boundaries-{self.found.layer}",
            _(caption) if layer == "main" else say(of_layer, layer=layer),
            columns,
            tuple(map(_boundary_row, self.found.boundaries)),
        )

    @property
    def alone(self) -> Mapping[str, str]:
        """Return the categories that one annotator alone uses, with the annotator."""
        return self.found.alone

    @property
    def empty(self) -> bool:
        """Tell whether there is nothing to say."""
        return not (self.confusions or self.found.forms or self.found.boundaries or self.alone)


def _boundary_row(each: Boundary) -> tuple[Cell, ...]:
    return (each.label, each.left, each.right, each.both, each.inside)


class ReportTexts:
    """The texts of one report, as its pages show them."""

    def __init__(self, results: Results, texts: Texts) -> None:
        """Keep both; documents and lists are made when they are asked for."""
        self._results = results
        self._texts = texts

    @cached_property
    def documents(self) -> DocumentViews:
        """Return the documents that have texts."""
        return DocumentViews(self._texts)

    @property
    def layers(self) -> int:
        """Return how many layers have marks in texts."""
        return len(self._texts.layers)

    @cached_property
    def hrefs(self) -> dict[str, dict[str, str]]:
        """Return the address of each document, by layer and name, from a folder in the version's folder."""
        return {
            layer.layer: {view.name: f"../{view.page(layer.layer)}" for view in self.documents.all}
            for layer in self._texts.layers
        }

    @cached_property
    def lists(self) -> tuple[DisagreementList, ...]:
        """Return the lists of disagreements, in the order of the results' unit sets."""
        return tuple(self._lists())

    def _lists(self) -> Iterator[DisagreementList]:
        found = {(each.layer, each.unit_set): each for each in self._texts.disagreements if each.units}
        sets = [each for each in self._results.unit_sets if (each.layer, each.id) in found]
        slugs = [contents.slug(each) for each in sets]
        rows = DisagreementRowBuilder(self._texts, self.documents)
        for unit_set, slug in zip(sets, slugs, strict=True):
            disputed = found[unit_set.layer, unit_set.id]
            made = rows.of(disputed, unit_set.annotators)
            yield DisagreementList(disputed, unit_set, made, Files(slug, slugs))

    def of(self, unit_set: UnitSet) -> DisagreementList | None:
        """Return the list of a unit set, None where its annotators never differ."""
        key = unit_set.layer, unit_set.id
        return next((each for each in self.lists if (each.unit_set.layer, each.unit_set.id) == key), None)

    @cached_property
    def clarify(self) -> list[ClarifyView]:
        """Return what the guidelines of each layer should clarify, layers left out that need nothing."""
        found = [ClarifyView(each, self._list_of(each)) for each in self._texts.clarify]
        return [each for each in found if not each.empty]

    def _list_of(self, found: Clarify) -> DisagreementList | None:
        """Return the list of a unit set where it has all: some alone do not tell what is frequent."""
        key = found.layer, found.unit_set
        own = [each for each in self.lists if (each.unit_set.layer, each.unit_set.id) == key]
        return next((each for each in own if each.found.of is None), None)


def confusions(found: DisagreementList) -> ReportTable:
    """Return the categories that are most often confused, each with the address of its list."""
    shown = found.sections[:MOST_CONFUSIONS]
    of_sets = found.unit_set.sets is not None
    what = _("Set") if of_sets else _("Category")
    columns = (
        TableColumn("first", what),
        TableColumn("second", what),
        *((TableColumn("differing", _("Differ in")),) if of_sets else ()),
        TableColumn("units", _("Units that got both"), "count"),
    )
    differing = [(names(each.differing),) if of_sets else () for each in shown]
    return ReportTable(
        f"confused-{contents.slug(found.unit_set)}",
        _("The sets that meet most often on a unit.") if of_sets else _("The most confused categories."),
        columns,
        tuple(
            (each.first, each.second, *apart, len(each.rows))
            for each, apart in zip(shown, differing, strict=True)
        ),
        links=tuple((each.href, *(None,) * (len(columns) - 2), each.href) for each in shown),
    )


def linked_matrix(matrix: ReportTable, found: DisagreementList | None) -> ReportTable:
    """Return a confusion matrix whose cells lead to the units that they count, where these are listed.

    Its rows and columns are headed by the categories, and it ends in margins.
    """
    if found is None:
        return matrix
    heads = [column.title for column in matrix.columns[1:-1]]
    links = [
        (None, *(found.links.get((str(row[0]), head)) for head in heads), None) for row in matrix.rows[:-1]
    ]
    return replace(matrix, links=(*links, (None,) * len(matrix.columns)))


def linked_coincidences(matrix: ReportTable, found: DisagreementList | None) -> ReportTable:
    """Return a coincidence matrix whose cells beside the diagonal lead to the units that got both labels."""
    if found is None:
        return matrix
    heads = [column.title for column in matrix.columns[1:-1]]

    def href(one: str, other: str) -> str | None:
        return found.links.get((one, other)) or found.links.get((other, one))

    links = tuple((None, *(href(str(row[0]), head) for head in heads), None) for row in matrix.rows)
    return replace(matrix, links=links)
