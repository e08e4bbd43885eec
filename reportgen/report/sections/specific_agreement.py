"""Where annotators agree: the confusion matrix, and agreement on each category."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from reportgen.report.blocks import Block, Details, FigureBlock, Section, TableBlock
from reportgen.report.disagreements import DisagreementList, confusions
from reportgen.report.layer_view import LayerView, UnitSetView
from reportgen.report.phrases import File, Link, Text, paragraph, phrase, phrase_many, remark, sentences
from reportgen.report.view import ReportView
from reportgen.words import language, numbers
from reportgen.words.language import _, say, say_many
from reportgen.words.numbers import count


def by_layer(
    view: ReportView, of: Callable[[LayerView], Iterable[Block]], layers: Sequence[LayerView] | None = None
) -> tuple[Block, ...]:
    """Return the blocks of the first layer that has some, those of others folded below their names."""
    own = ((each, tuple(of(each))) for each in (view.layers if layers is None else layers))
    found = [(layer, blocks) for layer, blocks in own if blocks]
    if len(view.layers) == 1 or not found:
        return tuple(block for _layer, blocks in found for block in blocks)
    (first, shown), *others = found
    folded = (Details(say("In layer {layer}", layer=layer.id), blocks) for layer, blocks in others)
    return Section("", say("Layer {layer}", layer=first.id), shown), *folded


def named(view: ReportView, layer: str, own: Iterable[Block]) -> tuple[Block, ...]:
    """Return the blocks of a layer, below its name where there are several."""
    several = len(view.layers) > 1
    return (Section("", say("Layer {layer}", layer=layer), tuple(own)),) if several else tuple(own)


def confusion_matrix(view: ReportView) -> Section:
    """Return which labels of annotators meet how often, shaded where they disagree."""
    own = by_layer(view, partial(_matrix, view))
    return Section("confusion-matrix", _("Confusion matrix"), own)


def _matrix(view: ReportView, layer: LayerView) -> Iterator[Block]:
    found = layer.primary
    if not found.unit_set.units_compared:
        yield paragraph(_("No two annotators labelled the same unit: there is nothing to compare."))
        return
    if layer.sets:
        yield paragraph(
            _(
                "Here sets count as wholes: two sets that share labels are different. Specific agreement, "
                "below, is by label."
            )
        )
    yield paragraph(*_about(layer, said=_is_told(view, layer)), _as_figure(layer))
    if found.matrix_shown:
        yield TableBlock(found.matrix_shown)
    if found.folded:
        yield remark(
            phrase_many(
                "The {count} category of {all} that is confused most, the others together.",
                "The {count} categories of {all} that are confused most, each beside what it is confused "
                "with, and the others together.",
                found.folded,
                all=count(len(found.unit_set.categories)),
            )
        )
    yield from _confused(found)
    if seen := sentences(*_in_context(view, layer)):
        yield remark(seen, elsewhere=True)


def _is_told(view: ReportView, layer: LayerView) -> bool:
    """Tell whether the first layer's matrix, of the same people, has said how to read this one."""
    first, own = view.layers[0].primary, layer.primary
    if layer.id == view.layers[0].id or not own.matrix_shown or not first.matrix_shown:
        return False
    if first.pair and own.pair:
        return first.pair.annotators == own.pair.annotators
    return bool(own.pair) == bool(first.pair)


def _about(layer: LayerView, *, said: bool) -> Iterator[Text]:
    """Yield how to read the matrix unless that is `said` already, and its file."""
    found = layer.primary
    if found.matrix is None:
        yield _("There are too many categories to show how often the labels of two annotators meet.")
        return
    if not said and found.pair and found.matrix_shown:
        yield _(
            "Every figure of these units is computed from this table. On the diagonal both annotators agree; "
            "the darker another cell, the more of the disagreements it counts."
        )
    elif not said and not found.pair:
        yield _(
            "How often the labels of two annotators meet on a unit, counted over all pairs: on the diagonal "
            "they agree. Krippendorff's alpha is computed from this table."
        )
    if not found.matrix_shown:
        yield _("The names of its categories are too long to head the columns of a table.")
    yield File(found.matrix.file)


def _confused(found: UnitSetView) -> Iterator[Block]:
    """Yield the most confused categories, where no matrix shows them and all units are listed."""
    listed = found.disagreements
    if listed is None or listed.disagreements.of or found.matrix_shown:
        return
    which = _("Which categories annotators confuse, in any pair of them, and how many units got both.")
    yield paragraph(which, File(listed.csv))
    yield TableBlock(confusions(listed))


def _as_figure(layer: LayerView) -> Text | None:
    """Return the way to the figure of a matrix that is shown as a table."""
    if layer.primary.whole or not layer.heat_map or not layer.primary.matrix_shown:
        return None
    return (Link(_("The matrix as a figure"), f"figures/{layer.heat_map.name}.svg"), ".")


def _in_context(view: ReportView, layer: LayerView) -> Iterator[Text]:
    """Yield the pages of the whole matrix, of disagreements and of documents."""
    found, listed = layer.primary, layer.primary.disagreements
    if found.whole:
        every = say("All {count} categories", count=count(len(found.unit_set.categories)))
        yield (Link(every, found.whole_page), ".")
    if listed is None:
        return
    yield _listed(listed)
    if layer.id != view.layers[0].id:
        return
    documents = view.passages.documents.all if view.passages else ()
    if documents:
        number = len(documents)
        every = say_many("The only document", "All {count} documents", number)
        yield phrase("{documents} with everybody's marks.", documents=Link(every, "documents/index.html"))
    if found.matrix_shown and not listed.disagreements.of:
        yield _("Each cell beside the diagonal leads to its units.")


def _listed(found: DisagreementList) -> Text:
    rows, every = len(found.rows), found.disagreements.of
    if every:
        link = say_many("The most disputed unit", "The {count} most disputed units", rows)
        return phrase("{units} of {all} in context.", units=Link(link, found.href), all=count(every))
    link = say_many("The only disagreement", "All {count} disagreements", rows)
    return phrase("{units} in context.", units=Link(link, found.href))


def specific_agreement(view: ReportView) -> Section:
    """Return how often one annotator chose a category that another chose, with its figure."""
    first = view.layers[0]
    lead = paragraph(_question(first), File(first.primary.specific.file))
    return Section("specific-agreement", _("Specific agreement"), (lead, *by_layer(view, _specific)))


def _question(layer: LayerView) -> str:
    if layer.sets:
        return _(
            "Each label is a question of its own: chosen or not, whatever else was chosen. When one "
            "annotator chose it, how often did another choose it too? Figures against the rest compare the "
            "label’s presence and absence."
        )
    if layer.primary.pair:
        return _(
            "When one annotator chose a category, how often did the other choose it too? A frequent category "
            "does not blur this figure: 2a / (2a + b + c), which equals the F-measure over the same units."
        )
    return _(
        "When one annotator chose a category, how often did another choose it too? A frequent category does "
        "not blur this figure: it is the category's share of the other labels of the units that got it."
    )


def _specific(layer: LayerView) -> Iterator[Block]:
    primary = layer.primary
    label = _("Specific agreement by label") if layer.sets else _("Specific agreement by category")
    table = TableBlock(primary.specific_shown, label)
    if layer.specific_figure:
        caption = say("Specific agreement in {unit_set}, with 95% intervals.", unit_set=primary.unit_set.id)
        yield FigureBlock(layer.specific_figure, caption)
        yield Details(_("Labels and figures by category"), (table,))
    else:
        yield table
    shown, every = len(primary.specific_shown.rows), len(primary.specific.rows)
    if shown < every:
        yield remark(
            phrase(
                "Shown are the {count} categories of {all} on which annotators agree least.",
                count=count(shown),
                all=count(every),
            ),
            File(primary.specific.file),
        )
    undefined: dict[str, list[str]] = {}
    for category, figure in primary.unit_set.specific_agreement.items():
        if figure.undefined:
            undefined.setdefault(numbers.message(figure.undefined, {}), []).append(category)
    for reason, names in undefined.items():
        figures = language.names(names)
        yield remark(say("Undefined: {figures}, because {reason}.", figures=figures, reason=reason))
