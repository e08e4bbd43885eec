"""Figures under two versions: confusions, units that changed sides, unit sets, pairs, marks, systems."""

from collections.abc import Iterator
from dataclasses import replace

from reportgen.report import guideline_changes as guidelines
from reportgen.report.blocks import (
    Block,
    Details,
    FigureBlock,
    File,
    FilesBlock,
    TableBlock,
    Text,
    paragraph,
    remark,
)
from reportgen.report.comparison_view import (
    ComparisonView,
    UnitSetChanges,
    adds_up,
    changes_in_full,
    confusions_in_full,
    span_tables,
)
from reportgen.report.comparison_view import confusions as confusions_table
from reportgen.report.sections.systems_section import shortened
from reportgen.report.sections.systems_section import systems as systems_twice
from reportgen.report.tables import ReportTable
from reportgen.report.version_changes import ChangeRow, ChangeTable, short_basis
from reportgen.results.comparison import Flips, UnitSetRevision
from reportgen.words.language import N_, _, say
from reportgen.words.numbers import count, p_is

# A longer table is folded; so many rows tables of other layers have, and so many unit sets are listed.
FEW_ROWS, MOST_ROWS, MOST_UNIT_SETS = 5, 120, 40


# Where the change comes from


def confusions(view: ComparisonView) -> Iterator[Block]:
    """Yield the confusions that a change in observed disagreement comes from; nothing where it is unknown."""
    revision = view.primary.revision if view.primary else None
    table = confusions_table(revision, view.versions) if revision else None
    if revision is None or revision.disagreement is None or table is None:
        return
    yield paragraph(adds_up(revision.disagreement), (File("confusions.csv"),))
    if not revision.disagreement.confusions:
        yield paragraph(_("No two categories were confused under either version."))
    if view.contributions:
        caption = _(
            "Bars to the left are confusions that became rarer, to the right those that became more frequent."
        )
        yield FigureBlock(view.contributions, caption)
    if revision.disagreement.confusions:
        corrected = _(
            "p (Holm) is how probable a change as large would be if only chance were at work, corrected "
            "for the number of confusions."
        )
        tested = table.columns[-1].key == "adjusted"
        yield _folded(table, "sum", *([remark(corrected)] if tested else []))
    if revision.categories.first_only or revision.categories.second_only:
        alone = _(
            "A confusion with a category that one version does not have is no success and no failure of the "
            "other."
        )
        yield remark(alone)


def units(view: ComparisonView) -> Iterator[Block]:
    """Yield the units on which annotators agree under one version alone; nothing where none is shared."""
    if view.primary is None:
        return
    revision, flips = view.primary.revision, view.primary.revision.flips
    lists = [
        list_of_units
        for changed in (view.changed.unit_sets if view.changed else ())
        if (changed.layer, changed.unit_set) == (revision.layer, revision.unit_set)
        for list_of_units in guidelines.lists_of_units(changed, revision, view.versions)
    ]
    if flips and (lists or flips.total):
        yield paragraph(*_flips(view, revision, flips))
    if view.flow:
        caption = _(
            "Units that are disputed under one version or the other; those that are agreed under both are "
            "left out."
        )
        yield FigureBlock(view.flow, caption)
    yield from lists
    if not lists and flips and flips.mended + flips.broken + flips.disputed:
        withheld = _("Their texts are not shown: the campaign withholds them, or the export has none.")
        yield remark(_("Their texts are not shown.") if view.changed else withheld)


def _flips(view: ComparisonView, revision: UnitSetRevision, flips: Flips) -> Iterator[Text]:
    """Yield how many units changed sides, whether chance explains it, and where they are listed."""
    counts = ("total", "agreed", "mended", "broken", "disputed")
    yield say(
        "Of the {total} units of both versions, {agreed} are agreed under both. Settled (disputed before, "
        "agreed now): {mended}. New (agreed before, disputed now): {broken}. Disputed under both: "
        "{disputed}.",
        **{name: count(getattr(flips, name)) for name in counts},
    )
    # With categories that one version alone has, units change sides for another reason.
    if flips.is_testable and not (revision.categories.first_only or revision.categories.second_only):
        yield say(guidelines.EITHER_WAY[revision.clusters], p=p_is(flips.p or 0.0))
    if guidelines.units_table(view.changed):
        yield (File("changed-units.csv"),)


# Every figure


def figures(view: ComparisonView) -> Iterator[Block]:
    """Yield every figure of the primary unit set, and the files of all."""
    yield FilesBlock(
        lambda: (
            *changes_in_full(view.comparison),
            confusions_in_full(view.comparison.unit_sets),
            guidelines.units_table(view.changed),
        )
    )
    if view.primary is None:
        yield paragraph(_("No unit set is in both versions, so that no coefficient is compared."))
        return
    lead = _(
        "Differences are the later value less the earlier one, with a 95% interval; p is how probable one as "
        "large would be if only chance were at work. ▲ and ▼ mark a rise or fall beyond chance (p < 0.05)."
    )
    yield paragraph(lead, (File("changes.csv", _("CSV of all unit sets")),))
    yield from shown(view.primary.figures)


def annotators(view: ComparisonView) -> Iterator[Block]:
    """Yield the pairs of annotators of both versions; nothing without any."""
    if view.primary and view.primary.revision.pairs:
        lead = _("Pairs who annotated under both versions: here no change of people can be the reason.")
        yield paragraph(lead, (File("changes.csv"),))
        yield from shown(view.primary.pairs)


def unit_sets(view: ComparisonView) -> Iterator[Block]:
    """Yield the primary coefficient of every unit set; nothing where there is one."""
    every = view.comparison.unit_sets
    if len(every) <= 1:
        return
    unit_sets = [UnitSetChanges(view.comparison, revision) for revision in every]
    rows = [
        ChangeRow(unit_set.name, unit_set.coefficient.change, about=short_basis(unit_set.revision))
        for unit_set in unit_sets
        if unit_set.coefficient
    ]
    caption = _("The primary coefficient of every unit set [95% interval].")
    what, on = _("Unit set"), _("On")
    yield from shown(
        ChangeTable("unit-sets", caption, what, view.versions, rows, MOST_UNIT_SETS, by_size=False, about=on)
    )
    # Figures of other layers are in tables of their own, as far as there is room; categories are in rows.
    left = MOST_ROWS
    layers = {view.primary.revision.layer} if view.primary else set()
    for unit_set in unit_sets[:MOST_UNIT_SETS]:
        size = len(unit_set.figures.rows)
        if unit_set.revision.primary and unit_set.revision.layer not in layers and left >= size:
            layers.add(unit_set.revision.layer)
            left -= size
            yield Details(unit_set.title, opened(unit_set.figures))


def spans(view: ComparisonView) -> Iterator[Block]:
    """Yield how well marks in texts coincide, layer by layer; nothing without any."""
    if not view.comparison.spans:
        return
    lead = _("How well the marks themselves coincide: F-measures, as means over pairs of annotators.")
    yield paragraph(lead, (File("span-changes.csv"),))
    # Of a layer what both versions have, where there is any; it keeps the place of the layer's first.
    by_layer = {revision.layer: revision for revision in view.comparison.spans}
    by_layer |= {revision.layer: revision for revision in view.comparison.spans if revision.basis == "shared"}
    left = MOST_ROWS
    for position, revision in enumerate(by_layer.values()):
        what, tables = span_tables(view.comparison, revision)
        left -= sum(len(table.rows) for table in tables)
        if position and left < 0:
            yield remark(_("Other layers are in the CSV."))
            return
        of_all, types, pairs = map(opened, tables)
        if position:
            yield Details(what, (*of_all, *types, *pairs))
            continue
        yield from of_all
        if types or pairs:
            yield Details(_("By type and by pair"), (*types, *pairs))


def systems(view: ComparisonView) -> Iterator[Block]:
    """Yield systems and references under both versions; nothing without any."""
    if view.systems:
        yield from systems_twice(view.systems, releases=False)


# Tables


def shown(table: ChangeTable) -> tuple[Block, ...]:
    """Return figures under both versions with what is to be said of them; folded where they are many."""
    if len(table.rows) <= FEW_ROWS:
        return opened(table)
    return (_folded(table.table(), "changes", *_remarks(table)),)


def opened(table: ChangeTable) -> tuple[Block, ...]:
    """Return figures under both versions with what is to be said of them; nothing where there are none."""
    return (TableBlock(table.table(), kind="changes"), *_remarks(table)) if table.rows else ()


def _folded(content: ReportTable, kind: str, *below: Block) -> Details:
    table = TableBlock(replace(content, caption=""), content.caption, kind)
    return Details(content.caption.removesuffix("."), (table, *below))


def _remarks(table: ChangeTable) -> Iterator[Block]:
    """Yield what is not shown, what has no value and what was not tested, with the reason."""
    if len(table.rows) < len(table.every):
        most = N_("Shown: {shown} of {total}, those that moved most.")
        message = most if table.by_size else N_("Shown: {shown} of {total}.")
        yield remark(say(message, shown=count(len(table.rows)), total=count(len(table.every))))
    why = [
        *(
            say("No value {reason} ({names}).", reason=reason, names=shortened(names))
            for reason, names in table.undefined.items()
        ),
        *(
            say("Not tested, because {reason}: {names}.", reason=reason, names=shortened(names))
            for reason, names in table.untested.items()
        ),
    ]
    if why:
        yield remark(" ".join(why))
