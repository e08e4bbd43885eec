"""Who is compared with a reference, or against annotators: systems, their releases, models as annotators."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from reportgen.figures.annotator_plots import of_prices
from reportgen.report import model_replacement as replacement
from reportgen.report.against_reference import UNITS, ComparedView, drawn_against, tables
from reportgen.report.blocks import (
    Block,
    Details,
    FigureBlock,
    File,
    FilesBlock,
    Items,
    PaperTable,
    Paragraph,
    ReasonBlock,
    Section,
    Strong,
    TableBlock,
    Text,
    as_section,
    paragraph,
    phrase,
    remark,
)
from reportgen.report.system_changes import SystemGroup, SystemsView, SystemView, of_releases
from reportgen.report.tables import setting, some_of
from reportgen.report.version_changes import difference
from reportgen.report.view import named
from reportgen.results.annotators import Replacement
from reportgen.words import numbers
from reportgen.words.language import N_, _, names, one_of, say, say_either, say_many
from reportgen.words.numbers import count, counted

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
    compared = view.comparisons
    if not compared:
        return None
    lead = paragraph(
        _(
            "References, systems and models are compared with annotators here and count in no other figure "
            "of agreement. Beside systems is how much annotators agree with each other in the same measure "
            "on the same units: the usual ceiling, which a system scored against an adjudicated reference "
            "may pass."
        ),
        File("comparisons.csv"),
        File("comparisons-by-category.csv", _("By category")),
    )
    blocks: list[Block] = [lead]
    for layer in compared:
        drawn: tuple[Block, ...] = ()
        if (first := layer.drawn) and (
            drawing := view.drawn(f"comparisons-{first.slug}", partial(drawn_against, first))
        ):
            caption = say(
                "{figure} with its 95% interval: dots are annotators, diamonds systems or models. The band "
                "is annotators with each other on the same units, the line in it their mean.",
                figure=first.figure,
            )
            drawn = (FigureBlock(drawing, caption, paper=True),)
        blocks += named(view, layer.layer, chain(drawn, *map(_compared, layer.shown)))
    if twice := of_releases(view.results):
        releases = tuple(systems(twice, releases=True))
        blocks.append(Section("releases-title", _("Releases of one system"), releases))
    blocks.append(FilesBlock(lambda: tables(view.results), lambda: (view.against_figure,)))
    if any(own.against_reference for layer in compared for own in layer.shown):
        return Section("comparisons", _("Against the reference"), tuple(blocks))
    return Section("comparisons", _("Systems against annotators"), tuple(blocks), short=_("Systems"))


def _compared(compared: ComparedView) -> Iterator[Block]:
    what = _("Marks in texts") if compared.of_marks else say("Unit set {set}", set=compared.whole.unit_set)
    if not compared.every:
        yield remark(say("{what}: there is nothing to compare.", what=what))
        return
    if known := tuple(_known_humans(compared)):
        yield paragraph(*known)
    # The table says in figures what the figure shows.
    table = TableBlock(compared.table, say("{name}: {value}", name=what, value=compared.table.caption))
    folded: list[Block] = [table, remark(*_notes(compared))]
    if dependent := compared.whole.not_independent:
        warned = say_many(
            "{names} {was|were} made from the annotators’ own marks: against {it|them} they look better "
            "than they are.",
            len(dependent),
            names=names(dependent),
        )
        yield _beware(warned)
    if compared.categories:
        folded.append(TableBlock(compared.categories, say("By category: {what}", what=what)))
    if compared.imbalance:
        about = _(
            "Specificity and the negative predictive value are shares of the units without the category, φ "
            "is Matthews' correlation. Where a category is rare, specificity is high even if all of it is "
            "missed."
        )
        folded.extend([remark(about), TableBlock(compared.imbalance)])
    yield Details(say("{what}, in figures", what=what), tuple(folded))


def _known_humans(compared: ComparedView) -> Iterator[str]:
    """Yield how much annotators agree with each other where a reference labelled, in the first figure."""
    for key, humans in compared.whole.humans.items():
        figure = humans.measures.get(compared.whole.figure) if humans.pairs else None
        if figure is None or figure.value is None:
            continue
        yield say_either(
            len(compared.whole.references) > 1 and key,
            "Annotators with each other{ where {key} labelled|}: {figure} {value} ({pairs}).",
            key=key,
            figure=compared.figure,
            value=numbers.estimate(figure),
            pairs=counted(humans.pairs, "pair", "pairs"),
        )


def _notes(compared: ComparedView) -> Iterator[Text]:
    if compared.whole.people > len(compared.shown):
        yield say(
            "Shown are the annotators who agree with the reference least, of {count} who are compared.",
            count=count(compared.whole.people),
        )
        if compared.whole.crowded:
            yield phrase("All of them: {file}.", file=(File("comparisons-of-all.csv"),))
    if compared.of_marks:
        yield _("Marks in texts, in the documents that both saw.")
    else:
        choice = compared.whole.choice or "every"
        yield say("Unit set {set}, {units}.", set=compared.whole.unit_set, units=_(UNITS[choice]))
        yield _("Mean F is the mean of specific agreement over categories, the non-annotated one left out.")
    yield _(
        "Observed agreement with the reference is accuracy, specific agreement of a category the F-measure "
        "of the two; intervals are clustered by document."
    )


# Systems twice: under two versions of guidelines, or as two releases


def systems(systems_view: SystemsView, *, releases: bool) -> Iterator[Block]:
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
    files = ((File(name, text),) for name, text in zip(systems_view.files, titles, strict=True))
    yield paragraph(lead, beside, *files)
    for view in systems_view.fallen[:MOST_FALLEN]:
        yield _beware(_fell(view))
    for group in systems_view.groups:
        yield from _group(group)
    yield FilesBlock(systems_view.tables)


def _beware(words: Text) -> Paragraph:
    return paragraph(Strong(_("Beware.")), words)


def _fell(view: SystemView) -> Text:
    change = view.headline.change
    fallen = [category.name for category in view.by_category if category.moved == "fell"][:MOST_CATEGORIES]
    return phrase(
        one_of(fallen, "{name} fell from {first} to {second}: {difference}.{ Most in {names}.|}"),
        name=Strong(view.name),
        first=numbers.figure(change.first.value),
        second=numbers.figure(change.second.value),
        difference=difference(change),
        names=names(fallen),
    )


def shortened(names_listed: Sequence[str]) -> str:
    """Return names in a row, the first of them where they are many."""
    if len(names_listed) <= MOST_NAMES:
        return names(names_listed)
    more = len(names_listed) - FIRST_NAMES
    return say("{names} and {count} more", names=names(names_listed[:FIRST_NAMES]), count=count(more))


def _group(group: SystemGroup) -> Iterator[Block]:
    table = TableBlock(group.table, group.title)
    if group.drawing:
        yield FigureBlock(group.drawing, group.caption, paper=True)
        yield Details(say("{what}, in figures", what=group.title), (table,))
    else:
        yield table
    yield remark(*_about(group))
    message = one_of(group.several_keys, "{name}{ against {key}|}: by category and by document")
    for system in group.shown:
        summary = say(message, name=system.name, key=system.revision.key)
        yield Details(summary, tuple(_in_detail(system)))


def _about(group: SystemGroup) -> Iterator[str]:
    message = N_("Shown: {shown} of {all}; all of them are in the CSV.")
    yield from some_of(message, len(group.rows), len(group.views))
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
        yield remark(view.documents_in_words)
    if view.documents:
        yield TableBlock(view.documents)
    yield TableBlock(view.measures.table(), kind="changes")


# Models as annotators


@as_section("models", N_("May a model take an annotator's place?"), N_("Models"))
def models(view: "ReportView") -> Iterator[Block]:
    """Yield whether a model may take an annotator's place; nothing where there is none."""
    if not view.models:
        return
    any_category = any(model.categories for replaced in view.models for model in replaced.models)
    lead = paragraph(
        _(
            "The alternative annotator test of Calderon, Reichart and Dror (2025). Each annotator is left "
            "out in turn: on every unit that the model labelled too, the annotator's label and the model's "
            "are compared with those of others. The model beats an annotator if the test shows that the "
            "annotator is nearer on less than ε more of the units; ε is the price of a person. ω is the "
            "share of annotators beaten, and from one half on the model may take an annotator's place. ρ is "
            "how probable it is that the model is no worse than an annotator drawn at random."
        ),
        File("models.csv"),
        File("models-by-annotator.csv", _("By annotator")),
        File("models-by-category.csv", _("By category")) if any_category else None,
        File("models-by-price.csv", _("By ε")),
    )
    yield lead
    for replaced in view.models:
        yield from named(view, replaced.layer, _models(view, replaced))
    none = _(
        "None of this says that labels are right, nor that it is so for other texts, guidelines or people."
    )
    yield remark(none)
    yield FilesBlock(
        lambda: replacement.models_tables(view.results),
        paper=lambda: (table for own in view.models for table in _in_paper(view, own)),
    )


def _in_paper(view: "ReportView", models: Replacement) -> Iterator[PaperTable]:
    note = say("Nearer to {what}.", what=replacement.nearer_to(models))
    caption = (
        _("The alternative annotator test: models beside annotators. No ε is declared.")
        if models.epsilon is None
        else say(
            "The alternative annotator test: models beside annotators, ε = {price}.",
            price=setting(models.epsilon),
        )
    )
    table = replacement.models_table(view.results, models)
    yield PaperTable(models.layer, table, caption, "models", (note,))
    if beside := replacement.beside(view.results, models):
        yield PaperTable(models.layer, beside, beside.caption, "models-beside")


def _models(view: "ReportView", replaced: Replacement) -> Iterator[Block]:
    if replaced.epsilon is None:
        yield paragraph(_("No ε is declared, so there is no verdict."))
    yield Items((*replacement.verdicts(replaced), *replacement.parted(replaced)))
    for caution in replacement.cautions(replaced):
        yield _beware(caution)
    if replaced.epsilon is not None and replaced.why:
        yield paragraph(say("Why ε is {price}:", price=setting(replaced.epsilon)))
        yield ReasonBlock(replaced.why)
    table = TableBlock(replacement.models_table(view.results, replaced), _("Models as annotators"))
    slug = replacement.slug(view.results, replaced)
    if drawing := view.drawn(f"models-{slug}", lambda: replacement.models_plot(replaced)):
        yield FigureBlock(drawing, _("ρ of each model or system with its 95% interval."), paper=True)
    else:
        yield table
    yield _folded_models(view, replaced, (table,) if drawing else ())
    if drawing := view.drawn(f"winning-rates-{slug}", lambda: of_prices(replaced)):
        says = _("The dashed line is half of the annotators: a model that reaches it may take a place.")
        yield FigureBlock(drawing, says)


def _folded_models(view: "ReportView", replaced: Replacement, first: tuple[Block, ...]) -> Block:
    by_annotator = replacement.by_annotator(view.results, replaced)
    every = (
        replacement.behind(view.results, replaced),
        replacement.beside(view.results, replaced),
        replacement.by_category(view.results, replaced),
        by_annotator,
    )
    blocks: list[Block] = [*first, remark(*_of_models(replaced))]
    blocks += [TableBlock(table) for table in every if table]
    if more := sum(len(model.humans) for model in replaced.models) - len(by_annotator.rows):
        blocks.append(remark(say("Rows only in the CSV: {count}.", count=count(more))))
    return Details(_("All figures, by model and by annotator"), tuple(blocks))


def _of_models(replaced: Replacement) -> Iterator[str]:
    yield say_either(
        replaced.unit_set is None,
        "{Marks in texts, document by document|Unit set {set}}. Nearer to {what}.",
        set=replaced.unit_set,
        what=replacement.nearer_to(replaced),
    )
    yield _("The interval of ρ comes from documents where they are known, and is for these very annotators.")
    wider = [(model.shown_name, model.for_any_humans) for model in replaced.models if model.for_any_humans]
    if wider:
        shown = names(f"{name} {numbers.interval(interval)}" for name, interval in wider)
        yield say(
            "Its interval for any annotators like these covers their choice too: {models}.", models=shown
        )
    if any(model.cross_replication for model in replaced.models):
        yield _(
            "xRR is agreement of annotators with the model beyond chance: 1 − observed / expected "
            "disagreement (Wong, Paritosh and Aroyo 2021)."
        )
    distributions = [model.distribution for model in replaced.models if model.distribution]
    if distributions:
        yield _("Entropy is in bits; the distance of the labels is that of Jensen and Shannon, from 0 to 1.")
    if any(distribution.many for distribution in distributions):
        yield _(
            "From the others: the same distance from the labels of all annotators but one, on units with at "
            "least five."
        )
    if any(human.method == "wilcoxon" for model in replaced.models for human in model.humans):
        yield _("Annotators with fewer than 30 units are tested by Wilcoxon's signed ranks.")
    for reason, untested in replacement.untested(replaced).items():
        yield say("Not tested, because {reason}: {names}.", reason=reason, names=names(untested))
