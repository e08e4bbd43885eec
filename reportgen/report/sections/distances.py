"""Categories beside each other: sets of labels, distances, and whether two annotators use them alike."""

from collections.abc import Iterator
from functools import partial
from itertools import chain

from reportgen.report import contents, matrices
from reportgen.report.blocks import Block, Details, ReasonBlock, Section, TableBlock
from reportgen.report.layer_view import LayerView
from reportgen.report.phrases import File, Strong, Text, paragraph, phrase, remark, sentences
from reportgen.report.sections.specific_agreement import by_layer
from reportgen.report.view import ReportView
from reportgen.results import Results, UnitSet
from reportgen.results.marks import DistanceOrigin
from reportgen.words import numbers
from reportgen.words.language import N_, _, listed, say, say_many
from reportgen.words.names import figure_inside
from reportgen.words.numbers import count

LEVEL = 0.05


# Categories that are sets of labels.


def sets(view: ReportView) -> Section | None:
    """Return explicit and implicit agreement, and alpha by the distance between sets; None without sets."""
    of_sets = [each for each in view.layers if each.sets]
    if not of_sets:
        return None
    lead = _(
        "Annotators gave units any number of labels. Explicit agreement is 2|A ∩ B| / (|A| + |B|), the "
        "share of the labels given by either of two annotators that both gave. Implicit agreement counts "
        "every label of the inventory that both or neither gave, and nears 1 as the inventory grows."
    )
    return Section(
        "sets", _("Sets of labels"), (paragraph(lead), *by_layer(view, _of_sets, of_sets), _about_sets())
    )


def _about_sets() -> Details:
    kappas = _(
        "Kappa compares either with the same sets given to units at random; that of implicit agreement "
        "does not depend on the inventory’s size. Over several annotators agreement, observed and by "
        "chance, is the mean over their pairs, and kappa comes from these two means."
    )
    between = _(
        "Two sets are apart by what is not common to both: of their union (Jaccard), the more so where "
        "neither contains the other (MASI), or of the sum of their sizes (Dice). Two empty sets are equal, "
        "and an empty one has nothing in common with any other. Figures without these names in brackets "
        "take sets as wholes: each different set, declared or used, is a category of its own."
    )
    return Details(_("How sets are compared"), (paragraph(kappas), paragraph(between)))


def _of_sets(layer: LayerView) -> Iterator[Block]:
    agreement = matrices.set_agreement(layer.results, layer.members)
    alphas = matrices.set_distances(layer.results, layer.members)
    if agreement is None or alphas is None:
        return
    said = (
        say("{unit_set}: {sentence}", unit_set=each.id, sentence=matrices.sets_sentence(each.sets))
        for each in layer.members
        if each.sets
    )
    yield TableBlock(agreement)
    yield remark(*said, File(agreement.file))
    file = remark(File(alphas.file), elsewhere=True)
    yield Details(_("Alpha by the distance between sets"), (TableBlock(alphas), file))


# Distances between categories, and where declared ones come from.


def distances(view: ReportView) -> Section | None:
    """Return declared and computed distances; None where there are none."""
    declared = view.results.distances
    apart = [each for each in view.compared if each.primary.distances]
    why: list[tuple[Block, ...]] = [
        (paragraph(Strong(each.id)), ReasonBlock(each.why)) for each in declared if each.why
    ]
    reasons = (*_origins(view), *chain.from_iterable(why))
    if not apart and not any(each.origin for each in declared):
        return None
    lead = (paragraph(_nearest(view, apart[0].primary.unit_set)),) if apart else ()
    shown = by_layer(view, _distances, apart if declared else apart[:1])
    folded = (Details(_("Where declared distances come from"), reasons),) if reasons else ()
    title = _("Distances between categories")
    return Section("distances", title, (*lead, *shown, *folded), short=_("Distances"))


def _nearest(view: ReportView, unit_set: UnitSet) -> Text:
    """Return which categories annotators tell apart least, and what the distances are."""
    met = matrices.met(unit_set)
    pairs = [
        (value, met.categories[i], met.categories[j])
        for i, row in enumerate(met.computed_kappa if met else ())
        for j, value in enumerate(row)
        if met and i < j and value is not None
    ]
    what = (
        _(
            "Declared distances say how far apart categories were meant to be, computed ones how well "
            "annotators tell them apart (1: never confused)."
        )
        if view.results.distances
        else _("Computed distances say how well annotators tell categories apart (1: never confused).")
    )
    if len(pairs) <= 1:
        return what
    value, one, other = min(pairs)
    if value >= 1:
        return sentences(what, _("No two categories are ever confused."))
    nearest = say(
        "The smallest computed distance is between {first} and {second}: {value}.",
        first=one,
        second=other,
        value=numbers.figure(value),
    )
    return sentences(what, nearest)


def _origins(view: ReportView) -> Iterator[Block]:
    """Yield where distances come from that were computed of a taxonomy."""
    for each in view.results.distances:
        if each.origin:
            said = phrase("{name}: {value}", name=Strong(each.id), value=" ".join(_said(each.origin)))
            yield remark(said, File(f"bdm-{each.id}.csv", _("The parameters of every two categories")))


def _said(origin: DistanceOrigin) -> Iterator[str]:
    concepts = numbers.counted(origin.concepts, "concept", "concepts")
    if origin.kind == "taxonomy":
        yield say(
            "1 − BDM, the balanced distance metric (Maynard, Peters and Li 2006), computed from the taxonomy "
            "{file} ({form}): {concepts}, {roots}, chains of {chain} steps on average.",
            file=origin.file,
            form=_(origin.form),
            concepts=concepts,
            roots=numbers.counted(origin.roots or 0, "root", "roots"),
            chain=numbers.figure(origin.chain),
        )
        if (origin.roots or 0) > 1:
            yield _("Concepts below different roots have nothing in common.")
    else:
        yield say(
            "1 − BDM, the balanced distance metric (Maynard, Peters and Li 2006), read from the scores in "
            "{file} that GATE computed: {concepts}.",
            file=origin.file,
            concepts=concepts,
        )
    if origin.unplaced:
        yield say_many(
            "{names} is no concept and at distance 1 from all others.",
            "{names} are no concepts and at distance 1 from all others.",
            len(origin.unplaced),
            names=listed(origin.unplaced),
        )


def _distances(layer: LayerView) -> Iterator[Block]:
    found = layer.primary
    shown, every, given = found.distances_shown, found.distances, matrices.conditional(found.unit_set)
    if shown is None or every is None or given is None:
        return
    blocks: list[Block] = [TableBlock(shown)]
    if len(shown.rows) < len(every.rows):
        blocks.append(
            remark(
                say(
                    "The {shown} nearest of {all} pairs of categories.",
                    shown=count(len(shown.rows)),
                    all=count(len(every.rows)),
                )
            )
        )
    # Of many categories it is in the CSV alone.
    readable = len(given.rows) <= matrices.MOST
    if readable:
        blocks.append(TableBlock(given))
    diagonal = found.pair and readable and not layer.sets
    computed = _(
        "Computed distances are the mean (for alpha) and the product (for weighted kappa) of 1 − "
        "P(C2|C1) and 1 − P(C1|C2). A coefficient weighted with them judges a table by itself; it is "
        "shown, marked [computed], and should not be cited."
    )
    about = remark(
        _("The diagonal is specific agreement.") if diagonal else "",
        computed,
        File(every.file),
        File(given.file, _("P(C2|C1) as CSV")),
    )
    yield Details(_("Distances and conditional probabilities"), (*blocks, about))


# Whether two annotators use categories alike.


def symmetry(view: ReportView) -> Section | None:
    """Return tests of bias between two annotators; None where there are no two."""
    tested = [each for each in view.compared if each.primary.pair]
    own = by_layer(view, partial(_symmetry, view.results), tested)
    return Section("symmetry", _("Bias between annotators"), own) if tested else None


# The test that a sentence goes by: that of how often categories are used, which few documents suffice for.
RATES = ("bhapkar", "stuart_maxwell", "mcnemar")


def _symmetry(results: Results, layer: LayerView) -> Iterator[Block]:
    pair = layer.primary.pair
    if pair is None:
        return
    table = contents.symmetry(results, layer.primary.unit_set, pair)
    tests = ((name, pair.symmetry[name]) for name in RATES if name in pair.symmetry)
    if told := next(((name, test.p) for name, test in tests if test.p is not None), None):
        first, second = pair.annotators
        yield paragraph(
            say(
                N_("{first} and {second} use the categories at different rates ({test}, {p}).")
                if told[1] < LEVEL
                else N_(
                    "{first} and {second} are not shown to use the categories at different rates "
                    "({test}, {p})."
                ),
                first=first,
                second=second,
                test=figure_inside(results, told[0]),
                p=numbers.p_is(told[1]),
            )
        )
    about = _(
        "Kappa and pi close together do not show that annotators have the same habits; these tests do. "
        "They ask how often each category is used, Bowker's in which direction categories are confused, "
        "and none of them on which units. With few documents go by Bhapkar's: the statistic of Stuart "
        "and Maxwell can't exceed their number."
    )
    units = _("The p values take units to be independent, which a table without documents can't show.")
    alone = (remark(units),) if layer.primary.unit_set.documents_compared == 0 else ()
    shown = (remark(about, File(table.file)), TableBlock(table), *alone)
    yield Details(_("Tests of symmetry"), shown)
