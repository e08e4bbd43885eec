"""The page of two versions: did agreement rise or fall, what changed in the guidelines, and what that did."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate

from reportgen.report import guideline_changes as guidelines
from reportgen.report import version_changes as changes
from reportgen.report.blocks import (
    Added,
    Block,
    CampaignPage,
    Details,
    File,
    FilesBlock,
    Inline,
    Items,
    Link,
    ReasonBlock,
    Removed,
    Section,
    Strong,
    TableBlock,
    Text,
    commas,
    paragraph,
    phrase,
    remark,
    sentences,
)
from reportgen.report.comparison_view import ComparisonView, UnitSetChanges
from reportgen.report.sections import compared_figures
from reportgen.report.sections.moved_rows import MovedRows, moved_rows
from reportgen.report.sections.systems_section import shortened
from reportgen.results.comparison import UnitSetRevision, VersionSide
from reportgen.words import numbers
from reportgen.words.language import N_, _, date, edition, say, say_many, set_apart
from reportgen.words.numbers import Note, count, note

# So many passages that changed are shown, and so many letters of them.
MOST_PASSAGES, MOST_LETTERS = 60, 15_000


def comparison_page(view: ComparisonView) -> CampaignPage:
    """Return the page of two versions."""
    campaign, (first, second) = view.comparison.campaign, view.versions
    rows = moved_rows(view)
    folded = [
        Section(name, _(title), blocks)
        for name, title, yielded in SECTIONS
        if (blocks := tuple(yielded(view)))
    ]
    # Findings lead to those that there are.
    titles = {section.id: section.title for section in folded}
    besides = tuple(_notes(map(note, rows.besides if rows else view.others), titles))
    opened = (
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
        phrase("The reports: {first} and {second}.", first=next(reports), second=next(reports)),
        (_verdict(view), *([_moved(rows)] if rows else []), *opened, *folded, _provenance(view)),
        rows,
    )


def _report(side: VersionSide) -> Text:
    link = Link(side.guidelines, f"{edition().data}../../{side.guidelines}/{edition().folder}index.html")
    return (link, f" ({date(side.date)})") if side.date else (link,)


# What comes first: did agreement rise or fall, what changed in the guidelines, and what did that do?


def _verdict(view: ComparisonView) -> Section:
    """Return what rose or fell, which heads the page, and how that is known."""
    notes = {note.kind: note for note in reversed(view.notes)}
    claim, caveat = notes.get("verdict"), notes.get("caveat")
    sentence = claim.claim if claim else _values(view) or _("What the difference means was not judged.")
    blocks: list[Block] = [paragraph(sentence, " ".join(_other_values(view)))]
    if caveat:
        beware: Text = (Strong(_("Beware.")),) if caveat.severity == "warning" else ""
        blocks.append(paragraph(beware, caveat.claim, caveat.advice))
    compared = bool(view.comparison.unit_sets)
    title = changes.courses(*view.courses) if compared else _("Nothing could be compared.")
    return Section("verdict", title, tuple(blocks), short=_("Verdict"), open=True)


def _values(view: ComparisonView) -> str:
    """Return the primary coefficient under both versions in one line; empty without one."""
    row = view.coefficient
    if row is None:
        return ""
    before, after = changes.values(row.change)
    return say(
        "{name}: {first_value} under {first}, {second_value} under {second}.",
        name=row.name,
        first_value=before,
        second_value=after,
        first=view.versions[0],
        second=view.versions[1],
    )


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
            "value": numbers.figure(reported),
            "units": changes.clusters(revision, number),
            "names": shortened(_later_names(revision)),
        }
        if sample.reported is None:
            yield say(
                "The report on {version} gives {value}, because it counts all of its {units}.", **values
            )
        elif view.over_all is None:
            yield say("The report on {version} gives {value}: here labels are coarser, {names}.", **values)
        else:
            yield say(
                "The report on {version} gives {value}, because it counts all of its {units}, and here "
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


def _passages(view: ComparisonView, passages: Sequence[guidelines.PassageShown]) -> Iterator[Block]:
    """Yield the passages that changed, below their headings."""
    items: list[Text] = []
    heading = ""
    lengths = accumulate(
        sum(len(piece.text) for piece in passage.pieces) for passage in passages[:MOST_PASSAGES]
    )
    number = sum(length <= MOST_LETTERS for length in lengths)
    for passage in passages[:number]:
        if passage.kind:
            items.append(tuple(_passage(view, passage)))
            continue
        yield from _below(heading, items)
        heading, items = passage.pieces[0].text, []
    yield from _below(heading, items)
    if number < len(passages):
        shown = {"shown": count(number), "total": count(len(passages))}
        more = say("Shown: the first {shown} of {total}; all of them are in the CSV.", **shown)
        yield remark(more)


def _below(heading: str, items: Sequence[Text]) -> Iterator[Block]:
    if items:
        block = Items(tuple(items))
        yield Section("", heading, (block,)) if heading else block


def _passage(view: ComparisonView, passage: guidelines.PassageShown) -> Iterator[Inline]:
    """Yield what happened to a passage, its words, and how the categories that it names moved."""
    yield Strong(say("{word}:", word=_(guidelines.KINDS[passage.kind]).capitalize()))
    how = {"removed": Removed, "added": Added, "kept": str}
    for side, words in passage.pieces:
        yield from (" ", how[side](words))
    rows = view.primary.by_category if view.primary else ()
    moves = {row.name: changes.signed(row.change.difference) for row in rows}
    if named := [f"{name} {moves[name]}" for name in passage.categories if name in moves]:
        yield f" ({_('; ').join(named)})"


def _moved(rows: MovedRows) -> Section:
    """Return the rows where there are no small charts: as a table, and what was found below it."""
    found = (
        Details(row.name, (*((Items(row.found),) if row.found else ()), *row.inside))
        for row in rows.rows
        if row.found or row.inside
    )
    return Section("categories", rows.title, (TableBlock(rows.table), *found), short=rows.heads, open=True)


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
    """Return which labels are compared under which names."""
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
                "Only {version} has the unit set {names}.",
                "Only {version} has the unit sets {names}.",
                len(names),
                version=version,
                names=shortened(names),
            )
            yield remark(only)


def _notes(notes: Iterable[Note], titles: Mapping[str, str]) -> Iterator[Block]:
    """Yield what was found and what to do about it, with links to the sections that it is about."""
    items: list[Text] = []
    for found in notes:
        link = Link(titles[found.evidence], f"#{found.evidence}") if found.evidence in titles else ""
        items.append(sentences(Strong(found.advice) if found.advice else "", found.claim, link))
    if items:
        yield Items(tuple(items))


def _provenance(view: ComparisonView) -> Section:
    tool, data = view.comparison.tool, edition().data
    computed = say(
        "Computed by {tool} {version} with {libraries}.",
        tool=tool.name,
        version=tool.version,
        libraries=", ".join(f"{name} {version}" for name, version in sorted(tool.libraries.items())),
    )
    files = ("comparison.json", *(["changed.json"] if view.changed else []))
    beside = phrase(
        "Everything on this page is in {files}; the page is also there as {markdown}.",
        files=commas((Link(name, f"{data}{name}"),) for name in files),
        markdown=Link("Markdown", "comparison.md"),
    )
    return Section("provenance", _("Provenance"), (remark(computed, beside),))


# All figures, in order: id, title, and what yields the blocks, if any.
SECTIONS = (
    ("confusions", N_("Where the change comes from"), compared_figures.confusions),
    ("units", N_("Units that changed sides"), compared_figures.units),
    ("figures", N_("Every figure side by side"), compared_figures.figures),
    ("annotators", N_("Pairs of annotators"), compared_figures.annotators),
    ("unit-sets", N_("Other unit sets and layers"), compared_figures.unit_sets),
    ("spans", N_("Marks in texts"), compared_figures.spans),
    ("systems", N_("Systems and references: what rose, what fell"), compared_figures.systems),
)
