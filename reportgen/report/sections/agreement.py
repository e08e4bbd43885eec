"""How much annotators agree: confusion matrix, specific agreement, coefficients."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from reportgen.report.blocks import (
    Beside,
    Block,
    Figure,
    File,
    Paragraph,
    Section,
    Table,
    phrase,
    sentences,
)
from reportgen.report.layer_view import LayerView
from reportgen.words import language
from reportgen.words.language import _, say
from reportgen.words.numbers import count

if TYPE_CHECKING:
    from reportgen.report.view import ReportView


def by_layer(view: "ReportView", own: list[tuple[LayerView, tuple[Block, ...]]]) -> tuple[Block, ...]:
    """Return the blocks of each layer, below its name where there are several."""
    if len(view.layers) == 1:
        return tuple(block for _layer, blocks in own for block in blocks)
    return tuple(Section("", say("Layer {layer}", layer=layer.id), blocks) for layer, blocks in own if blocks)


def specific_agreement(view: "ReportView") -> Section:
    """Return how often one annotator chose a category that another chose, with its figure."""
    own = [(each, tuple(_specific(each))) for each in view.layers]
    lead = sentences(_question(view.layers[0]), (File(view.layers[0].primary.specific.file),))
    return Section("specific-agreement", _("Specific agreement"), (Paragraph(lead), *by_layer(view, own)))


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
    table = Table(primary.specific_shown, label)
    if layer.specific_figure:
        caption = say("Specific agreement in {unit_set}, with 95% intervals.", unit_set=primary.unit_set.id)
        yield Beside((Figure(layer.specific_figure, caption), table))
    else:
        yield table
    shown, every = len(primary.specific_shown.rows), len(primary.specific.rows)
    if shown < every:
        least = phrase(
            "Shown are the {count} categories of {all} on which annotators agree least.",
            count=count(shown),
            all=count(every),
        )
        yield Paragraph(sentences(least, (File(primary.specific.file),)), quiet=True)
    for reason, names in layer.unshared.items():
        why = say("Undefined: {figures}, because {reason}.", figures=language.names(names), reason=reason)
        yield Paragraph(why, quiet=True)
