"""The page of two versions: did agreement rise or fall, what changed in the guidelines, and what that did."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

from reportgen.report import comparison_view as guidelines
from reportgen.report import material
from reportgen.report import version_changes as changes
from reportgen.report.blocks import (
    Block,
    CampaignPage,
    Details,
    File,
    FilesBlock,
    Inline,
    InsertedWords,
    Items,
    Link,
    RawBlock,
    ReasonBlock,
    Removed,
    Section,
    Strong,
    TableBlock,
    Text,
    commas,
    folded_table,
    paragraph,
    phrase,
    remark,
    sentences,
)
from reportgen.report.charts import ChartPoint, Course, lines
from reportgen.report.comparison_view import (
    ComparisonView,
    UnitSetChanges,
    changes_in_full,
    confusions_in_full,
    span_table,
)
from reportgen.report.sections.systems import shortened
from reportgen.report.sections.systems import systems as systems_twice
from reportgen.report.version_changes import ChangeRow, ChangeTable
from reportgen.results.versions import Flips, Passage, UnitSetRevision, VersionSide, on_shared
from reportgen.words import numbers
from reportgen.words.language import N_, _, date, edition, say, say_either, say_many, set_apart
from reportgen.words.numbers import Note, count, note, p_is

# A longer table is folded.
FEW_ROWS = 5


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
        yield say_either(
            revision.clusters == "document",
            "If chance alone made {documents|units} change either way: {p} (exact McNemar test).",
            p=p_is(flips.p or 0.0),
        )
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
        "Differences are the later value minus the earlier one, with a 95% interval; p is how "
        "probable one this large would be if only chance were at work. ▲ and ▼ mark a rise or fall "
        "beyond chance (p < 0.05)."
    )
    yield paragraph(lead, (File("changes.csv", _("CSV of all unit sets")),))
    yield from shown(view.primary.figures)


def spans(view: ComparisonView) -> Iterator[Block]:
    """Yield the strict F of marks in texts, layer by layer; nothing without any."""
    if view.comparison.spans:
        lead = _("Strict F of the marks themselves, the mean over pairs of annotators.")
        yield paragraph(lead, (File("span-changes.csv"),))
        yield from opened(span_table(view.comparison))


def systems(view: ComparisonView) -> Iterator[Block]:
    """Yield systems and references under both versions; nothing without any."""
    if view.systems:
        yield from systems_twice(view.systems, releases=False)


# Tables


def shown(table: ChangeTable) -> tuple[Block, ...]:
    """Return figures under both versions with what is to be said of them; folded where they are many."""
    if len(table.rows) <= FEW_ROWS:
        return opened(table)
    return (folded_table(table.table(), *_remarks(table), kind="changes"),)


def opened(table: ChangeTable) -> tuple[Block, ...]:
    """Return figures under both versions with what is to be said of them; nothing where there are none."""
    return (TableBlock(table.table(), kind="changes"), *_remarks(table)) if table.rows else ()


def _remarks(table: ChangeTable) -> Iterator[Block]:
    """Yield what is not shown, what has no value and what was not tested, with the reason."""
    if len(table.rows) < len(table.every):
        most = N_("Shown: {shown} of {total}, those that moved most.")
        message = most if table.by_size else N_("Shown: {shown} of {total}.")
        yield remark(say(message, shown=count(len(table.rows)), total=count(len(table.every))))
    why = [
        say(message, reason=reason, names=shortened(names))
        for message, by_reason in (
            (N_("No value {reason} ({names})."), table.undefined),
            (N_("Not tested, because {reason}: {names}."), table.untested),
        )
        for reason, names in by_reason.items()
    ]
    if why:
        yield remark(" ".join(why))


# In sight: what rose or fell, and how often which two labels are given.

# So many rows, and lines, are in sight.
MOST_MOVED, MOST_LINES = 12, 6


def moved(view: ComparisonView) -> Section | None:
    """Return what rose and fell: layers, or the categories of the only one; None where nothing is in both."""
    if view.primary is None:
        return None
    layers = on_shared((own for own in view.comparison.unit_sets if own.primary), "layer")
    if len(layers) > 1:
        changes_of = {own.layer: own.measures.get(own.figure) for own in layers}
        rows = [ChangeRow(name, change) for name, change in changes_of.items() if change]
        caption = _("The primary coefficient of each layer [95% interval].")
        table = ChangeTable("moved", caption, _("Layer"), view.versions, rows, MOST_MOVED)
        title = _("Layer by layer: what rose, what fell")
    else:
        every = [row for row in view.primary.by_category if row.name != view.primary.revision.non_annotated]
        table = replace(view.primary.categories, every=every, most=MOST_MOVED)
        title = _("Category by category: what rose, what fell")
    short = table.head
    return Section("categories", title, opened(table), short=short, open=True) if table.rows else None


def slopes(view: ComparisonView) -> Section | None:
    """Return how often which two labels were given under both versions; None where that is not known."""
    revision = view.primary.revision if view.primary else None
    found = revision.disagreement if revision else None
    if found is None or not all(found.denominators) or not found.confusions:
        return None
    first, second = found.denominators
    ranked = sorted(found.confusions, key=lambda own: -max(own.first / first, own.second / second))
    most = max(ranked, key=lambda own: own.second)
    over = [
        Course(
            changes.confusion(own),
            [
                ChartPoint(place, share, None, numbers.percent(share))
                for place, share in ((0.3, own.first / first), (0.7, own.second / second))
            ],
            strong=own is most,
        )
        for own in ranked[:MOST_LINES]
    ]
    below = list(zip((0.3, 0.7), view.versions, strict=True))
    said = _("; ").join(
        say(
            "{name}: {first} → {second}",
            name=changes.confusion(own),
            first=numbers.percent(own.first / first),
            second=numbers.percent(own.second / second),
        )
        for own in ranked[:MOST_LINES]
    )
    return Section(
        "confusions",
        _("Which labels are confused"),
        (
            paragraph(view.primary.title if view.primary else "", File("confusions.csv")),
            RawBlock(lines(over, below, said)),
        ),
        short=_("Confusions"),
        open=True,
    )


# So many passages that changed are shown, and so many letters of them.
MOST_PASSAGES, MOST_LETTERS = 60, 15_000


def comparison_page(view: ComparisonView) -> CampaignPage:
    """Return the page of two versions."""
    campaign, (first, second) = view.comparison.campaign, view.versions
    folded = [
        Section(name, _(title), blocks)
        for name, title, yielded in SECTIONS
        if (blocks := tuple(yielded(view)))
    ]
    # Findings lead to those that there are.
    first_seen = list(filter(None, (slopes(view), moved(view))))
    titles = {section.id: section.title for section in (*first_seen, *folded)}
    besides = tuple(_notes(map(note, view.others), titles))
    in_sight = (
        Section(name, title, blocks, short=short, open=True)
        for name, title, short, blocks in (
            (
                "guidelines",
                _("What changed in the guidelines"),
                _("The guidelines"),
                tuple(_guidelines(view)),
            ),
            ("believe", _("Did the guidelines do it?"), "", tuple(_believe(view, titles))),
            ("findings", _("What else was found"), _("What else"), besides),
        )
        if blocks
    )
    reports = map(_report, (view.comparison.first, view.comparison.second))
    return CampaignPage(
        say("{title}: guidelines {first} and {second}", title=campaign.title, first=first, second=second),
        say("From guidelines {first} to {second}", first=first, second=second),
        (
            Link(campaign.title, f"{edition().data}../../{edition().folder}index.html"),
            *(" / ", _("comparison")),
        ),
        phrase(
            "The reports: {first} and {second}, which says what to do now.",
            first=next(reports),
            second=next(reports),
        ),
        (_verdict(view), *first_seen, *in_sight, *folded, _provenance(view)),
    )


def _report(side: VersionSide) -> Text:
    link = Link(side.guidelines, f"{edition().data}../../{side.guidelines}/{edition().folder}index.html")
    return (link, f" ({date(side.date)})") if side.date else (link,)


# What comes first: did agreement rise or fall, what changed in the guidelines, and what did that do?


def _verdict(view: ComparisonView) -> Section:
    """Return what rose or fell, which heads the page, and how that is known."""
    notes = {note.kind: note for note in reversed(view.notes)}
    claim, caveat = notes.get("verdict"), notes.get("caveat")
    sentence = claim.claim if claim else _("What the difference means was not judged.")
    if not claim and (row := view.coefficient):
        before, after = changes.values(row.change)
        sentence = say(
            "{name}: {first_value} under {first}, {second_value} under {second}.",
            name=row.name,
            first_value=before,
            second_value=after,
            first=view.versions[0],
            second=view.versions[1],
        )
    blocks: list[Block] = [paragraph(sentence, " ".join(_other_values(view)))]
    if caveat:
        beware: Text = (Strong(_("Beware.")),) if caveat.severity == "warning" else ""
        blocks.append(paragraph(beware, caveat.claim))
    compared = bool(view.comparison.unit_sets)
    title = changes.courses(*view.courses) if compared else _("Nothing could be compared.")
    return Section("verdict", title, tuple(blocks), short=_("Verdict"), open=True)


def _other_values(view: ComparisonView) -> Iterator[str]:
    """Yield how the reports come to other values: of more units, or of labels that are one here."""
    own_changes, compared = view.coefficient, view.primary
    if own_changes is None or compared is None:
        return
    every = view.over_all or compared
    if every.coefficient is None:
        return
    change, revision = every.coefficient.change, every.revision
    sides = (
        (own_changes.change.first, change.first, revision.first),
        (own_changes.change.second, change.second, revision.second),
    )
    for version, (shown, of_all, sample) in zip(view.versions, sides, strict=True):
        reported = of_all.value if sample.reported is None else sample.reported
        if reported is None or numbers.figure(reported) == numbers.figure(shown.value):
            continue
        number = sample.documents if revision.clusters == "document" else sample.units
        values = {
            "version": version,
            "value": numbers.short(reported),
            "units": changes.clusters(revision, number),
            "names": shortened(_later_names(revision)),
        }
        if sample.reported is None:
            yield say(
                "The report on {version} gives {value}, because it counts all of its {units}.", **values
            )
        else:
            yield say_either(
                view.over_all is None,
                "The report on {version} gives {value}{:|, because it counts all of its {units}, and} here "
                "labels are coarser, {names}.",
                **values,
            )


def _guidelines(view: ComparisonView) -> Iterator[Block]:
    compared, side = view.comparison.guidelines, view.comparison.second
    if side.changes:
        yield ReasonBlock(side.changes)
    if compared:
        yield paragraph(guidelines.summary(compared), (File("guidelines.csv"),))
        yield FilesBlock(lambda: (guidelines.passages_table(compared),))
        if passages := list(guidelines.passages_shown(compared.passages)):
            yield Details(_("The passages that changed"), tuple(_passages(view, passages)))
    elif why := view.comparison.guidelines_uncompared:
        message = N_("The guidelines themselves were not compared: {reason}.")
        yield paragraph(say(message, reason=changes.reason(why)))
    else:
        yield paragraph(_("The guidelines themselves were not compared."))


def _passages(view: ComparisonView, passages: Sequence[Passage]) -> Iterator[Block]:
    items: list[Text] = []
    heading = ""
    lengths = accumulate(len(guidelines.plain(passage.text)) for passage in passages[:MOST_PASSAGES])
    number = sum(length <= MOST_LETTERS for length in lengths)
    for passage in passages[:number]:
        if passage.kind == "kept":
            yield from _below(heading, items)
            heading, items = guidelines.plain(passage.text), []
        else:
            items.append(tuple(_passage(view, passage)))
    yield from _below(heading, items)
    if number < len(passages):
        shown = {"shown": count(number), "total": count(len(passages))}
        more = say("Shown: the first {shown} of {total}; all of them are in the CSV.", **shown)
        yield remark(more)


def _below(heading: str, items: Sequence[Text]) -> Iterator[Block]:
    if items:
        block = Items(tuple(items))
        yield Section("", heading, (block,)) if heading else block


def _passage(view: ComparisonView, passage: Passage) -> Iterator[Inline]:
    """Yield what happened to a passage, its words, and how the categories that it names moved."""
    yield Strong(say("{word}:", word=_(guidelines.KINDS[passage.kind]).capitalize()))
    words = guidelines.plain(passage.text)
    yield from (" ", InsertedWords(words) if passage.kind == "added" else Removed(words))
    rows = view.primary.by_category if view.primary else ()
    moves = {row.name: changes.signed(row.change.difference) for row in rows}
    if named := [f"{name} {moves[name]}" for name in passage.categories if name in moves]:
        yield f" ({_('; ').join(named)})"


def _not_compared(view: ComparisonView, primary: UnitSetChanges) -> Iterator[str]:
    compared = primary.revision.categories
    if compared.how == "merged":
        shown = shortened(_later_names(primary.revision))
        message = (
            N_("Compared as one: {names}.") if compared.split else N_("Compared under later names: {names}.")
        )
        yield say(message, names=shown)
    for version, names in zip(view.versions, (compared.first_only, compared.second_only), strict=True):
        if names:
            yield say(
                "Not compared, being in {version} only: {names}.",
                version=version,
                names=shortened(set_apart(names)),
            )


def _later_names(revision: UnitSetRevision) -> list[str]:
    return [
        say("{old} as {new}", old=old, new=new)
        for names in (revision.categories.merged, revision.categories.split or {})
        for old, new in sorted(names.items())
    ]


# Can it be believed, and what is to be done?


def _believe(view: ComparisonView, titles: Mapping[str, str]) -> Iterator[Block]:
    yield from _notes((note for note in view.notes if note.kind == "doubt"), titles)
    if view.primary is None:
        nothing = _(
            "The two versions have no unit set in common, so that nothing could be compared or tested."
        )
        yield paragraph(nothing)
    else:
        revision = view.primary.revision
        how = " ".join(guidelines.how_tested(revision))
        inside: list[Block] = [TableBlock(guidelines.sides(view.comparison, revision))]
        inside += [paragraph(text) for text in (how, " ".join(_not_compared(view, view.primary))) if text]
        yield Details(_("What is compared, and how it was tested"), tuple(inside))
    alone = (view.comparison.missing.get(side, ()) for side in ("first", "second"))
    for version, names in zip(view.versions, alone, strict=True):
        if names:
            only = say_many(
                "Only {version} has the unit {set|sets} {names}.",
                len(names),
                version=version,
                names=shortened(names),
            )
            yield remark(only)


def _notes(notes: Iterable[Note], titles: Mapping[str, str]) -> Iterator[Block]:
    """Yield what was found, with links to the sections that it is about: what to do the report says."""
    items: list[Text] = []
    for found in notes:
        link = Link(titles[found.evidence], f"#{found.evidence}") if found.evidence in titles else ""
        items.append(sentences(found.claim, link))
    if items:
        yield Items(tuple(items))


def _provenance(view: ComparisonView) -> Section:
    computed, data = material.computed_by(view.comparison), edition().data
    files = ("comparison.json", *(["changed.json"] if view.changed else []))
    beside = phrase(
        "Everything on this page is in {files}; the page is also there as {markdown}.",
        files=commas((Link(name, f"{data}{name}"),) for name in files),
        markdown=Link("Markdown", "comparison.md"),
    )
    return Section("provenance", _("Provenance"), (remark(computed, beside),))


# All figures, in order: id, title, and what yields the blocks, if any.
SECTIONS = (
    ("units", N_("Units that changed sides"), units),
    ("figures", N_("Every figure side by side"), figures),
    ("spans", N_("Marks in texts"), spans),
    ("systems", N_("Systems and references: what rose, what fell"), systems),
)
