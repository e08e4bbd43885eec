"""What a report shows of the texts behind it: documents, lists of disagreements, and what to clarify."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from reportgen.report import contents
from reportgen.report.disagreements import DisagreementList, DisagreementRow, DisagreementSection, rows_of
from reportgen.report.documents import DocumentViews
from reportgen.report.tables import ReportTable, table_if, table_of
from reportgen.results import Results
from reportgen.results.texts import Clarify, Texts
from reportgen.words.language import N_, _, names, say

MOST_CONFUSIONS = 12
MOST_CLARIFIED = 5
MOST_FORMS = 12


class FormView(NamedTuple):
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
        rows = self.disagreements.rows if self.disagreements else ()
        found = []
        for each in self.found.forms[:MOST_FORMS]:
            order = sorted(each.labels.items(), key=lambda item: (-item[1], item[0]))
            labels = ", ".join(f"{label} {times}" for label, times in order)
            example = rows[each.example] if each.example < len(rows) else None
            found.append(FormView(each.form, each.units, labels, example))
        return found

    @property
    def boundaries(self) -> ReportTable | None:
        """Return at which end marks that overlap differ, None where none do."""
        caption = N_("Marks of two annotators that overlap without coinciding, by where they differ.")
        if self.layer != "main":
            caption = N_(
                "Marks of two annotators that overlap without coinciding, by where they differ "
                "(layer {layer})."
            )
        return table_if(
            f"boundaries-{self.layer}",
            say(caption, layer=self.layer),
            self.found.boundaries,
            ("label", _("Label"), "text", lambda each: each.label),
            ("left", _("At the beginning only"), "count", lambda each: each.left),
            ("right", _("At the end only"), "count", lambda each: each.right),
            ("both", _("At both ends"), "count", lambda each: each.both),
            ("inside", _("Between the ends only"), "count", lambda each: each.inside),
        )

    @property
    def alone(self) -> Mapping[str, str]:
        """Return the categories that one annotator alone uses, with the annotator."""
        return self.found.alone


class ReportTexts:
    """The texts of one report, as its pages show them."""

    def __init__(self, results: Results, texts: Texts) -> None:
        """Keep both; documents and lists are made when they are asked for."""
        self._results = results
        self._texts = texts
        # How many layers have marks in texts.
        self.layers = len(texts.layers)

    @cached_property
    def documents(self) -> DocumentViews:
        """Return the documents that have texts."""
        return DocumentViews(self._texts)

    @cached_property
    def hrefs(self) -> dict[str, dict[str, str]]:
        """Return the address of each document, by layer and name, from a folder in the version's folder."""
        return {
            layer.layer: {view.name: f"../{view.href(layer.layer)}" for view in self.documents.all}
            for layer in self._texts.layers
        }

    @cached_property
    def lists(self) -> tuple[DisagreementList, ...]:
        """Return the lists of disagreements, in the order of the results' unit sets."""
        found = {(each.layer, each.unit_set): each for each in self._texts.disagreements if each.units}
        sets = [each for each in self._results.unit_sets if (each.layer, each.id) in found]
        slugs = [contents.slug(each) for each in sets]
        made = []
        for each in sets:
            disputed = found[each.layer, each.id]
            rows = rows_of(self._texts, self.documents, disputed, each.annotators)
            made.append(DisagreementList(disputed, each, rows, slugs))
        return tuple(made)

    def of(self, layer: str, unit_set: str) -> DisagreementList | None:
        """Return the list of a unit set, None where its annotators never differ."""
        own = (each for each in self.lists if (each.unit_set.layer, each.unit_set.id) == (layer, unit_set))
        return next(own, None)

    @cached_property
    def clarify(self) -> list[ClarifyView]:
        """Return what the guidelines of each layer should clarify, layers left out that need nothing."""
        views = []
        for each in self._texts.clarify:
            own = self.of(each.layer, each.unit_set)
            # Some units of a unit set alone do not tell what is frequent.
            whole = own if own and own.found.of is None else None
            if (whole and whole.sections) or each.forms or each.boundaries or each.alone:
                views.append(ClarifyView(each, whole))
        return views


def confusions(found: DisagreementList) -> ReportTable:
    """Return the categories that are most often confused, each with the address of its list."""
    shown = found.sections[:MOST_CONFUSIONS]
    of_sets = found.unit_set.sets is not None
    what = _("Set") if of_sets else _("Category")
    table = table_of(
        f"confused-{contents.slug(found.unit_set)}",
        _("The sets that meet most often on a unit.") if of_sets else _("The most confused categories."),
        shown,
        ("first", what, "text", lambda each: each.first),
        ("second", what, "text", lambda each: each.second),
        ("differing", _("Differ in"), "text", lambda each: names(each.differing)) if of_sets else None,
        ("units", _("Units that got both"), "count", lambda each: len(each.rows)),
    )
    between = (None,) * (len(table.columns) - 2)
    return replace(table, links=tuple((each.href, *between, each.href) for each in shown))


def linked(matrix: ReportTable, found: DisagreementList | None) -> ReportTable:
    """Return a matrix whose cells lead to the units that they count, where these are listed.

    Its rows and columns are headed by the categories. A confusion matrix ends in margins; in a coincidence
    matrix a cell is of both orders.
    """
    if found is None:
        return matrix
    heads = [column.title for column in matrix.columns[1:-1]]

    def href(one: str, other: str) -> str | None:
        here = found.links.get((one, other))
        return here if found.directed else here or found.links.get((other, one))

    links = [(None, *(href(str(row[0]), head) for head in heads), None) for row in matrix.rows]
    if matrix.total:
        links[-1] = (None,) * len(matrix.columns)
    return replace(matrix, links=tuple(links))
