"""Figures under two versions: confusions, units that changed sides, unit sets, pairs, marks, systems."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reportgen.report import guideline_changes as belief
from reportgen.report.blocks import Block, Details, FigureBlock, Items, Section, TableBlock
from reportgen.report.comparison_view import UnitSetChanges, adds_up, span_tables
from reportgen.report.comparison_view import confusions as confusions_table
from reportgen.report.phrases import File, Paragraph, sentences
from reportgen.report.sections.systems import shortened
from reportgen.report.sections.systems import systems as systems_section
from reportgen.report.tables import ReportTable
from reportgen.report.version_changes import ChangeRow, ChangeTable, short_basis
from reportgen.words.language import _, say
from reportgen.words.numbers import count

if TYPE_CHECKING:
    from reportgen.report.comparison_view import ComparisonView
    from reportgen.results.comparison import Flips, SpanRevision

# A longer table is folded; so many rows tables of other layers have, and so many unit sets are listed.
FEW_ROWS, MOST_ROWS, MOST_UNIT_SETS = 5, 120, 40


# Where the change comes from


def confusions(view: "ComparisonView") -> Section | None:
    """Return the confusions that the change in observed disagreement comes from; None where it is unknown."""
    revision = view.primary.revision if view.primary else None
    table = confusions_table(revision, view.versions) if revision else None
    if revision is None or revision.disagreement is None or table is None:
        return None
    whole = revision.disagreement
    blocks: list[Block] = [Paragraph(sentences(adds_up(whole), (File("confusions.csv"),)))]
    if not whole.confusions:
        blocks.append(Paragraph(_("No two categories were confused under either version.")))
    if view.contributions:
        caption = _(
            "Bars to the left are confusions that became rarer, to the right those that became more frequent."
        )
        blocks.append(FigureBlock(view.contributions, caption))
    if whole.confusions:
        notes: list[Block] = []
        if table.columns[-1].key == "adjusted":
            said = _(
                "p (Holm) is how probable a change as large would be if only chance were at work, corrected "
                "for the number of confusions."
            )
            notes.append(Paragraph(said, quiet=True))
        blocks.append(_folded(table, "sum", notes))
    if revision.categories.first_only or revision.categories.second_only:
        alone = _(
            "A confusion with a category that one version does not have is no success and no failure of the "
            "other."
        )
        blocks.append(Paragraph(alone, quiet=True))
    return Section("confusions", _("Where the change comes from"), tuple(blocks), short=_("Confusions"))


def units(view: "ComparisonView") -> Section | None:
    """Return the units on which annotators agree under one version alone; None where none is shared."""
    revision = view.primary.revision if view.primary else None
    flips = revision.flips if revision else None
    own = view.changed.unit_sets if view.changed else ()
    lists = [
        found
        for each in own
        if revision and (each.layer, each.unit_set) == (revision.layer, revision.unit_set)
        for found in belief.lists(each, revision, view.versions)
    ]
    if not lists and not (flips and flips.total):
        return None
    blocks: list[Block] = []
    if flips and revision:
        listed = any(table.file == "changed-units.csv" for table in view.tables)
        file = (File("changed-units.csv"),) if listed else ""
        by_document = revision.clusters == "document"
        whole = not (revision.categories.first_only or revision.categories.second_only)
        # With categories that one version alone has, units change sides for another reason.
        test = belief.either_way(flips, by_document=by_document) if flips.told and whole else ""
        blocks.append(Paragraph(sentences(_flips(flips), test, file)))
    if view.flow:
        caption = _(
            "Units that are disputed under one version or the other; those that are agreed under both are "
            "left out."
        )
        blocks.append(FigureBlock(view.flow, caption))
    blocks += (Details(each.summary, tuple(_listed(each))) for each in lists)
    if not lists and flips and flips.mended + flips.broken + flips.disputed:
        withheld = _("Their texts are not shown: the campaign withholds them, or the export has none.")
        blocks.append(Paragraph(_("Their texts are not shown.") if view.changed else withheld, quiet=True))
    return Section("units", _("Units that changed sides"), tuple(blocks))


def _flips(found: "Flips") -> str:
    return say(
        "Of the {total} units of both versions, {agreed} are agreed under both. Settled (disputed before, "
        "agreed now): {mended}. New (agreed before, disputed now): {broken}. Disputed under both: "
        "{disputed}.",
        **{name: count(getattr(found, name)) for name in ("total", "agreed", "mended", "broken", "disputed")},
    )


def _listed(found: belief.UnitList) -> Iterator[Block]:
    yield Items(found.items)
    shown = {"shown": count(len(found.items)), "known": count(found.known), "total": count(found.total)}
    if found.known < found.total:
        said = "Shown: {shown} of {total}; the CSV has {known}, from everywhere in the texts."
        yield Paragraph(say(said, **shown), quiet=True)
    elif len(found.items) < found.total:
        yield Paragraph(say("Shown: {shown} of {total}; all of them are in the CSV.", **shown), quiet=True)


# Every figure


def figures(view: "ComparisonView") -> Section:
    """Return every figure of the primary unit set."""
    title, short = _("Every figure side by side"), _("Every figure")
    if view.primary is None:
        nothing = _("No unit set is in both versions, so that no coefficient is compared.")
        return Section("figures", title, (Paragraph(nothing),), short=short)
    lead = _(
        "Differences are the later value less the earlier one, with a 95% interval; p is how probable one as "
        "large would be if only chance were at work. ▲ and ▼ mark a rise or fall beyond chance (p < 0.05)."
    )
    file = (File("changes.csv", _("CSV of all unit sets")),)
    blocks = (Paragraph(sentences(lead, file)), *shown(view.primary.figures))
    return Section("figures", title, blocks, short=short)


def annotators(view: "ComparisonView") -> Section | None:
    """Return the pairs of annotators of both versions; None without any."""
    if view.primary is None or not view.primary.revision.pairs:
        return None
    lead = sentences(
        _("Pairs who annotated under both versions: here no change of people can be the reason."),
        (File("changes.csv"),),
    )
    blocks = (Paragraph(lead), *shown(view.primary.pairs))
    return Section("annotators", _("Pairs of annotators"), blocks)


def unit_sets(view: "ComparisonView") -> Section | None:
    """Return the primary coefficient of every unit set; None where there is one."""
    every = view.comparison.unit_sets
    if len(every) <= 1:
        return None
    known = [UnitSetChanges(view.comparison, each) for each in every[:MOST_UNIT_SETS]]
    rows = [
        ChangeRow(each.name, row.change, about=short_basis(each.revision))
        for each in known
        if (row := each.coefficient)
    ]
    table = ChangeTable(
        "unit-sets",
        _("The primary coefficient of every unit set [95% interval]."),
        _("Unit set"),
        view.versions,
        tuple(rows),
        len(every),
        about=_("On"),
    )
    # Those of other layers have tables of their own, as far as there is room.
    folded, left = [], MOST_ROWS
    layers = {view.primary.revision.layer} if view.primary else set()
    for found in known:
        layer = found.revision.layer
        if found.revision.primary and layer not in layers and left >= found.size:
            layers.add(layer)
            left -= found.size
            folded.append(Details(found.title, (*opened(found.figures), *opened(found.categories))))
    return Section(
        "unit-sets",
        _("Other unit sets and layers"),
        (*shown(table), *folded),
        short=_("Other unit sets"),
    )


def spans(view: "ComparisonView") -> Section | None:
    """Return how well marks in texts coincide, layer by layer; None without any."""
    if not view.comparison.spans:
        return None
    lead = sentences(
        _("How well the marks themselves coincide: F-measures, as means over pairs of annotators."),
        (File("span-changes.csv"),),
    )
    blocks: list[Block] = [Paragraph(lead)]
    known: dict[str, SpanRevision] = {}
    for each in view.comparison.spans:
        if each.layer not in known or each.basis == "shared":
            known[each.layer] = each
    left = MOST_ROWS
    for place, revision in enumerate(known.values()):
        what, (of_all, types, pairs) = span_tables(view.comparison, revision)
        left -= sum(len(each.rows) for each in (of_all, types, pairs))
        if place and left < 0:
            blocks.append(Paragraph(_("Other layers are in the CSV."), quiet=True))
            break
        others = (*opened(types), *opened(pairs))
        if place:
            blocks.append(Details(what, (*opened(of_all), *others)))
        else:
            blocks += (
                (*opened(of_all), Details(_("By type and by pair"), others)) if others else opened(of_all)
            )
    return Section("spans", _("Marks in texts"), tuple(blocks))


def systems(view: "ComparisonView") -> Section | None:
    """Return systems and references under both versions; None without any."""
    if view.systems is None:
        return None
    title = _("Systems and references: what rose, what fell")
    return replace(systems_section(view.systems, "systems", title, releases=False), short=_("Systems"))


# Tables


def shown(found: ChangeTable) -> tuple[Block, ...]:
    """Return figures under both versions with what is to be said of them; folded where they are many."""
    if len(found.rows) <= FEW_ROWS:
        return opened(found)
    return (_folded(found.table(), "changes", list(_remarks(found))),) if found.rows else ()


def opened(found: ChangeTable) -> tuple[Block, ...]:
    """Return figures under both versions with what is to be said of them; nothing where there are none."""
    return (TableBlock(found.table(), kind="changes"), *_remarks(found)) if found.rows else ()


def _folded(found: ReportTable, kind: str, below: Sequence[Block]) -> Details:
    table = TableBlock(replace(found, caption=""), found.caption, kind)
    return Details(found.caption.removesuffix("."), (table, *below))


def _remarks(found: ChangeTable) -> Iterator[Block]:
    """Yield what is not shown, what has no value and what was not tested, with the reason."""
    if len(found.rows) < found.total:
        shown = {"shown": count(len(found.rows)), "total": count(found.total)}
        most = say("Shown: {shown} of {total}, those that moved most.", **shown)
        yield Paragraph(most if found.by_size else say("Shown: {shown} of {total}.", **shown), quiet=True)
    said = [
        *(
            say("No value {reason} ({names}).", reason=reason, names=shortened(names))
            for reason, names in found.undefined.items()
        ),
        *(
            say("Not tested, because {reason}: {names}.", reason=reason, names=shortened(names))
            for reason, names in found.untested.items()
        ),
    ]
    if said:
        yield Paragraph(" ".join(said), quiet=True)
