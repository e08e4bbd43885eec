"""Who is compared with a reference, or against annotators: systems, their releases, models as annotators."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from reportgen.report import model_replacement as replacement
from reportgen.report.against_reference import UNITS, ComparedView
from reportgen.report.blocks import (
    Block,
    Details,
    FigureBlock,
    FindingBlock,
    Items,
    ReasonBlock,
    Section,
    TableBlock,
)
from reportgen.report.phrases import File, Paragraph, Strong, Text, phrase, sentences
from reportgen.report.system_changes import SystemGroup, SystemsView, SystemView
from reportgen.report.tables import setting
from reportgen.report.version_changes import difference
from reportgen.report.view import named
from reportgen.results.annotators import Replacement
from reportgen.words import numbers
from reportgen.words.language import N_, _, names, say, say_many
from reportgen.words.numbers import SEVERITIES, count, counted

if TYPE_CHECKING:
    from reportgen.report.view import ReportView

# So many of those that fell are named above the figure, and so many of the categories in which they fell.
MOST_FALLEN, MOST_CATEGORIES = 3, 5
# Of longer lists of names so many are shown.
MOST_NAMES, FIRST_NAMES = 8, 6
# From so many rows on it is to be said that each is tested by itself.
SEVERAL = 4


def comparisons(view: "ReportView") -> Section | None:
    """Return everybody against the reference, or systems against annotators; None where all are annotators.

    Releases of one system are a part of it.
    """
    found = view.comparisons
    if not found:
        return None
    lead = sentences(
        _(
            "References, systems and models are compared with annotators here and count in no other figure "
            "of agreement. Beside systems is how much annotators agree with each other in the same measure "
            "on the same units: the usual ceiling, which a system scored against an adjudicated reference "
            "may pass."
        ),
        (File("comparisons.csv"),),
        (File("comparisons-by-category.csv", _("By category")),),
    )
    blocks: list[Block] = [Paragraph(lead)]
    for layer in found:
        own: tuple[Block, ...] = ()
        if layer.drawn and (drawing := view.compared_figure(layer)):
            caption = say(
                "{figure} with its 95% interval: dots are annotators, diamonds systems or models. The band "
                "is annotators with each other on the same units, the line in it their mean.",
                figure=layer.drawn.figure,
            )
            own = (FigureBlock(drawing, caption),)
        blocks += named(
            view, layer.layer, (*own, *(block for each in layer.shown for block in _compared(each)))
        )
    if view.releases:
        own = tuple(systems(view.releases, releases=True))
        blocks.append(Section("releases-title", _("Releases of one system"), own))
    if any(each.against_reference for layer in found for each in layer.shown):
        return Section("comparisons", _("Against the reference"), tuple(blocks))
    return Section("comparisons", _("Systems against annotators"), tuple(blocks), short=_("Systems"))


def _compared(each: ComparedView) -> Iterator[Block]:
    what = _("Marks in texts") if each.of_marks else say("Units of {set}", set=each.whole.unit_set)
    if not each.every:
        yield Paragraph(say("{what}: there is nothing to compare.", what=what), quiet=True)
        return
    if said := sentences(*_known_humans(each)):
        yield Paragraph(said)
    # The table says in figures what the figure shows.
    table = TableBlock(each.table, say("{name}: {value}", name=what, value=each.table.caption))
    folded: list[Block] = [table, Paragraph(sentences(*_notes(each)), quiet=True)]
    if own := each.whole.not_independent:
        warned = say_many(
            "{names} was made from the annotators’ own marks: against it they look better than they are.",
            "{names} were made from the annotators’ own marks: against them they look better than they are.",
            len(own),
            names=names(own),
        )
        yield FindingBlock("warning", _(SEVERITIES["warning"]), warned)
    if each.categories:
        folded.append(TableBlock(each.categories, say("By category: {what}", what=what)))
    yield Details(say("{what}, in figures", what=what), tuple(folded))


def _known_humans(each: ComparedView) -> Iterator[str]:
    """Yield how much annotators agree with each other where a reference labelled, in the first figure."""
    for key, humans in each.whole.humans.items():
        found = humans.measures.get(each.whole.figure) if humans.pairs else None
        if found is None or found.value is None:
            continue
        said = N_("Annotators with each other: {figure} {value} ({pairs}).")
        if len(each.whole.references) > 1 and key:
            said = N_("Annotators with each other where {key} labelled: {figure} {value} ({pairs}).")
        pairs, value = counted(humans.pairs, "pair", "pairs"), numbers.estimate(found)
        yield say(said, key=key, figure=each.figure, value=value, pairs=pairs)


def _notes(each: ComparedView) -> Iterator[Text]:
    if each.partly:
        yield say(
            "Shown are the annotators who agree with the reference least, of {count} who are compared.",
            count=count(each.whole.people),
        )
        if each.whole.crowded:
            yield phrase("All of them: {file}.", file=(File("comparisons-of-all.csv"),))
    if each.of_marks:
        yield _("Marks in texts, in the documents that both saw.")
    else:
        choice = each.whole.choice or "every"
        yield say("Unit set {set}, {units}.", set=each.whole.unit_set, units=_(UNITS[choice]))
        yield _("Mean F is the mean of specific agreement over categories, the non-annotated one left out.")
    yield _(
        "Observed agreement with the reference is accuracy, specific agreement of a category the F-measure "
        "of the two; intervals are clustered by document."
    )


# Systems twice: under two versions of guidelines, or as two releases


def systems(found: SystemsView, *, releases: bool) -> Iterator[Block]:
    """Yield what systems gained and lost, those that fell first; two releases, or two versions."""
    lead = (
        _(
            "Each release of a system against the one before, and the newest against the first, on the units "
            "that both and the key labelled."
        )
        if releases
        else _("Systems, and annotators, against the reference under both versions.")
    )
    beside = _(
        "Those that fell come first. Beside them is how much annotators agree with each other in the same "
        "measure on the same units."
    )
    titles = ("CSV", _("By category"), _("By document"))
    files = ((File(name, text),) for name, text in zip(found.files, titles, strict=True))
    yield Paragraph(sentences(lead, beside, *files))
    for each in found.fallen[:MOST_FALLEN]:
        yield FindingBlock("warning", _(SEVERITIES["warning"]), _fell(each))
    for group in found.groups:
        yield from _group(group)


def _fell(view: SystemView) -> Text:
    change = view.headline.change
    fallen = [each.name for each in view.by_category if each.moved == "fell"][:MOST_CATEGORIES]
    said = N_("{name} fell from {first} to {second}: {difference}.")
    worst = N_("{name} fell from {first} to {second}: {difference}. Most in {names}.")
    return phrase(
        worst if fallen else said,
        name=Strong(view.name),
        first=numbers.figure(change.first.value),
        second=numbers.figure(change.second.value),
        difference=difference(change),
        names=names(fallen),
    )


def shortened(found: Sequence[str]) -> str:
    """Return names in a row, the first of them where they are many."""
    if len(found) <= MOST_NAMES:
        return names(found)
    more = len(found) - FIRST_NAMES
    return say("{names} and {count} more", names=names(found[:FIRST_NAMES]), count=count(more))


def _group(group: SystemGroup) -> Iterator[Block]:
    table = TableBlock(group.table, group.title)
    if group.drawing:
        yield FigureBlock(group.drawing, group.caption)
        yield Details(say("{what}, in figures", what=group.title), (table,))
    else:
        yield table
    yield Paragraph(sentences(*_about(group)), quiet=True)
    said = N_("{name}: by category and by document")
    if group.several_keys:
        said = N_("{name} against {key}: by category and by document")
    for each in group.shown:
        yield Details(say(said, name=each.name, key=each.revision.key), tuple(_in_detail(each)))


def _about(group: SystemGroup) -> Iterator[str]:
    if len(group.rows) < len(group.views):
        yield say(
            "Shown: {shown} of {all}; all of them are in the CSV.",
            shown=count(len(group.rows)),
            all=count(len(group.views)),
        )
    yield group.material
    if len(group.rows) > SEVERAL:
        yield _("Each row is tested by itself: of twenty that did not change, one would look as if it had.")
    for reason, untested in group.untested.items():
        why = numbers.message(reason, {})
        yield say("Not tested, because {reason}: {names}.", reason=why, names=shortened(untested))


def _in_detail(view: SystemView) -> Iterator[Block]:
    if view.categories.rows:
        yield TableBlock(view.categories.table(), kind="changes")
    if view.revision.by_document:
        yield Paragraph(view.documents_in_words, quiet=True)
    if view.documents:
        yield TableBlock(view.documents)
    yield TableBlock(view.measures.table(), kind="changes")


# Models as annotators


def models(view: "ReportView") -> Section | None:
    """Return whether a model may take an annotator's place; None where there is none."""
    if not view.models:
        return None
    any_category = any(model.categories for each in view.models for model in each.models)
    lead = sentences(
        _(
            "The alternative annotator test of Calderon, Reichart and Dror (2025). Each annotator is left "
            "out in turn: on every unit that the model labelled too, the annotator's label and the model's "
            "are compared with those of others. The model beats an annotator if the test shows that the "
            "annotator is nearer on less than ε more of the units; ε is the price of a person. ω is the "
            "share of annotators beaten, and from one half on the model may take an annotator's place. ρ is "
            "how probable it is that the model is no worse than an annotator drawn at random."
        ),
        (File("models.csv"),),
        (File("models-by-annotator.csv", _("By annotator")),),
        *([(File("models-by-category.csv", _("By category")),)] if any_category else []),
        (File("models-by-price.csv", _("By ε")),),
    )
    blocks: list[Block] = [Paragraph(lead)]
    for each in view.models:
        blocks += named(view, each.layer, list(_models(view, each)))
    doubt = _(
        "None of this says that labels are right, nor that it is so for other texts, guidelines or people."
    )
    blocks.append(Paragraph(doubt, quiet=True))
    title = _("May a model take an annotator's place?")
    return Section("models", title, tuple(blocks), short=_("Models"))


def _models(view: "ReportView", found: Replacement) -> Iterator[Block]:
    if found.epsilon is None:
        yield Paragraph(_("No ε is declared, so there is no verdict."))
    yield Items((*replacement.verdicts(found), *replacement.parted(found)))
    for caution in replacement.cautions(found):
        yield FindingBlock("warning", _(SEVERITIES["warning"]), caution)
    if found.epsilon is not None and found.why:
        yield Paragraph(say("Why ε is {price}:", price=setting(found.epsilon)))
        yield ReasonBlock(found.why)
    table = TableBlock(replacement.models_table(view.results, found), _("Models as annotators"))
    if drawing := view.models_figure(found):
        yield FigureBlock(drawing, _("ρ of each model or system with its 95% interval."))
    else:
        yield table
    yield _folded_models(view, found, (table,) if drawing else ())
    if drawing := view.rates_figure(found):
        says = _("The dashed line is half of the annotators: a model that reaches it may take a place.")
        yield FigureBlock(drawing, says)


def _folded_models(view: "ReportView", found: Replacement, first: tuple[Block, ...]) -> Block:
    by_annotator = replacement.by_annotator(view.results, found)
    tables = (
        replacement.behind(view.results, found),
        replacement.beside(view.results, found),
        replacement.by_category(view.results, found),
        by_annotator,
    )
    blocks: list[Block] = [*first, Paragraph(sentences(*_of_models(found)), quiet=True)]
    blocks += [TableBlock(table) for table in tables if table]
    if more := sum(len(each.humans) for each in found.models) - len(by_annotator.rows):
        blocks.append(Paragraph(say("Rows only in the CSV: {count}.", count=count(more)), quiet=True))
    return Details(_("All figures, by model and by annotator"), tuple(blocks))


def _of_models(found: Replacement) -> Iterator[str]:
    said = N_("Marks in texts, document by document. Nearer to {what}.")
    if found.unit_set is not None:
        said = N_("Unit set {set}. Nearer to {what}.")
    yield say(said, set=found.unit_set, what=replacement.nearer_to(found))
    yield _("The interval of ρ comes from documents where they are known, and is for these very annotators.")
    known = [(each.shown_name, each.for_any_humans) for each in found.models if each.for_any_humans]
    if known:
        wider = names(f"{name} {numbers.interval(interval)}" for name, interval in known)
        yield say(
            "Its interval for any annotators like these covers their choice too: {models}.", models=wider
        )
    if any(each.cross_replication for each in found.models):
        yield _(
            "xRR is agreement of annotators with the model beyond chance: 1 − observed / expected "
            "disagreement (Wong, Paritosh and Aroyo 2021)."
        )
    distributions = [each.distribution for each in found.models if each.distribution]
    if distributions:
        yield _("Entropy is in bits; the distance of the labels is that of Jensen and Shannon, from 0 to 1.")
    if any(each.many for each in distributions):
        yield _(
            "From the others: the same distance from the labels of all annotators but one, on units with at "
            "least five."
        )
    if replacement.by_ranks(found):
        yield _("Annotators with fewer than 30 units are tested by Wilcoxon's signed ranks.")
    for reason, untested in replacement.untested(found).items():
        yield say("Not tested, because {reason}: {names}.", reason=reason, names=names(untested))
