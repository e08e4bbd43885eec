"""The page of two versions: did agreement rise or fall, what changed in the guidelines, and what that did."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup

from reportgen.report import guideline_changes as guidelines
from reportgen.report import version_changes as changes
from reportgen.report.blocks import (
    Block,
    CampaignPage,
    Details,
    FigureBlock,
    FindingBlock,
    Items,
    RawBlock,
    ReasonBlock,
    Section,
    TableBlock,
)
from reportgen.report.comparison_view import UnitSetChanges
from reportgen.report.phrases import (
    Added,
    File,
    Inline,
    Link,
    Paragraph,
    Removed,
    Strong,
    Text,
    commas,
    phrase,
    sentences,
)
from reportgen.report.sections import compared_figures
from reportgen.report.sections.systems import shortened
from reportgen.report.version_changes import ChangeRow
from reportgen.words import numbers
from reportgen.words.language import _, date, edition, say, say_many
from reportgen.words.numbers import Note, count

if TYPE_CHECKING:
    from reportgen.report.comparison_view import ComparisonView
    from reportgen.results.comparison import VersionSide

# What else may have made a difference: read before it is put down to the guidelines.
DOUBTS = (
    *("learning", "annotators-changed", "edited-documents", "categories-merged", "categories-differ"),
    *("few-documents-compared", "tests-differ", "prevalence-moved", "documents-needed"),
)
OPENING = ("verdict", "caveat")
# So many findings are not folded.
FEW_NOTES = 4
# So many passages that changed are shown, and so many letters of them.
MOST_PASSAGES, MOST_LETTERS = 60, 15_000


def comparison_page(view: "ComparisonView") -> CampaignPage:
    """Return the page of two versions."""
    campaign, (first, second) = view.comparison.campaign, view.versions
    makers = (
        _guidelines,
        _categories,
        compared_figures.confusions,
        compared_figures.units,
        compared_figures.figures,
        compared_figures.annotators,
        compared_figures.unit_sets,
        compared_figures.spans,
        compared_figures.systems,
    )
    made = [found for make in makers if (found := make(view))]
    # Findings lead to those that there are.
    known = {each.id: each.short or each.title for each in made}
    ahead = 1 + ("categories" in known)
    judged = _believe(view, known), _findings(view, known)
    ordered = (_verdict(view), *made[:ahead], *judged, *made[ahead:], _provenance(view))
    up = f"{edition().data}../../{edition().folder}index.html"
    return CampaignPage(
        title=say(
            "{title}: guidelines {first} and {second}", title=campaign.title, first=first, second=second
        ),
        heading=say("From guidelines {first} to {second}", first=first, second=second),
        above=(Link(campaign.title, up), " / ", _("comparison")),
        lead=phrase(
            "The reports: {first} and {second}.",
            first=_report(view.comparison.first),
            second=_report(view.comparison.second),
        ),
        sections=ordered,
    )


def _report(side: "VersionSide") -> Text:
    link = Link(side.guidelines, f"{edition().data}../../{side.guidelines}/{edition().folder}index.html")
    return (link, f" ({date(side.date)})") if side.date else (link,)


# What comes first: did agreement rise or fall, what changed in the guidelines, and what did that do?


def _verdict(view: "ComparisonView") -> Section:
    row, known = view.coefficient, {each.id: each for each in reversed(view.notes)}
    claim, caveat = known.get("verdict"), known.get("caveat")
    blocks: list[Block] = []
    if row and row.change.difference is not None:
        blocks.append(RawBlock(_scale(view, row)))
    if view.comparison.unit_sets:
        blocks.append(Paragraph((Strong(changes.courses(*view.courses)),)))
    said = claim.claim if claim else _values(view)
    blocks.append(Paragraph(sentences(said or _("What the difference means was not judged."), _own(view))))
    doubtful = caveat is not None and caveat.severity == "warning"
    if caveat:
        beware: Text = (Strong(_("Beware.")),) if doubtful else ""
        blocks.append(Paragraph(sentences(beware, caveat.claim, caveat.advice)))
    blocks.append(RawBlock(_further(view)))
    severity = claim.severity if claim else "note"
    state = "warning" if doubtful and severity == "good" else severity
    return Section("verdict", _("Verdict"), tuple(blocks), state=state)


def _further(view: "ComparisonView") -> str:
    """Return links to what else may explain a difference, and to what to do."""
    link = Markup('<a href="#{}">{}</a>')
    links = [link.format("findings", _("What it means, and what to do"))]
    if number := sum(each.id in DOUBTS for each in view.notes):
        words = say_many(
            "{num} thing to weigh before saying that the guidelines did it",
            "{num} things to weigh before saying that the guidelines did it",
            number,
            num=count(number),
        )
        links.insert(0, link.format("believe", words))
    return str(Markup('<p class="small">{}</p>\n').format(Markup(" · ").join(links)))


def _scale(view: "ComparisonView", row: ChangeRow) -> str:
    """Return the difference in large letters beside both values on a scale with the two thresholds."""
    first, second = (figure.value or 0.0 for figure in (row.change.first, row.change.second))
    ends = [f"{100 * min(1.0, max(0.0, value)):.2f}" for value in (first, second)]
    low, high = sorted(ends, key=float)
    title = view.primary.title if view.primary else ""
    sides = (
        say("{name}: {value}", name=name, value=numbers.short(value))
        for name, value in zip(view.versions, (first, second), strict=True)
    )
    template = Markup(
        '<div class="headline">\n<p class="value">{}</p>\n<div class="scale">\n<p class="small">{}</p>\n'
        '<svg viewBox="0 0 100 15" role="img" aria-labelledby="scale-title" preserveAspectRatio="none">\n'
        '<title id="scale-title">{}</title>\n'
        '<rect class="band-low" x="0" y="6" width="66.7" height="3"/>\n'
        '<rect class="band-middle" x="66.7" y="6" width="13.3" height="3"/>\n'
        '<rect class="band-high" x="80" y="6" width="20" height="3"/>\n'
        '<rect class="span" x="{}" y="5" width="{}" height="5"/>\n'
        '<rect class="before" x="{}" y="2" width="0.5" height="11"/>\n'
        '<rect class="point" x="{}" y="1" width="0.9" height="13"/>\n</svg>\n'
        '<p class="ticks" aria-hidden="true"><span class="tick-0">0</span>'
        '<span class="tick-667">{}</span><span class="tick-8">{}</span><span class="tick-1">1</span></p>\n'
        '<p class="ends"><span>{}</span> <span aria-hidden="true">→</span> <span>{}</span></p>\n</div>\n'
        "</div>\n"
    )
    heard = f"{_values(view)} {_('On a scale from 0 to 1.')}"
    what = f"{row.name}, {title}"
    width = f"{float(high) - float(low):.2f}"
    ticks = numbers.pointed("0.667"), numbers.pointed("0.8")
    value = changes.signed_short(row.change.difference or 0.0)
    return str(template.format(value, what, heard, low, width, *ends, *ticks, *sides))


def _values(view: "ComparisonView") -> str:
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


def _own(view: "ComparisonView") -> Text:
    """Return how the reports come to other values: they count what one version alone has too."""
    own, whole = view.coefficient, view.whole
    if own is None or whole is None or whole.coefficient is None:
        return ""
    change = whole.coefficient.change
    sides = (
        (view.versions[0], own.change.first, change.first, whole.revision.first),
        (view.versions[1], own.change.second, change.second, whole.revision.second),
    )
    told = [
        say(
            "The report on {version} gives {value}, because it counts all of its {units}.",
            version=version,
            value=numbers.figure(all_.value),
            units=changes.clusters(
                whole.revision,
                sample.documents if whole.revision.clusters == "document" else sample.units,
            ),
        )
        for version, shared, all_, sample in sides
        if all_.value is not None and numbers.figure(all_.value) != numbers.figure(shared.value)
    ]
    return " ".join(told)


def _guidelines(view: "ComparisonView") -> Section:
    found, side = view.comparison.guidelines, view.comparison.second
    blocks: list[Block] = [ReasonBlock(side.changes)] if side.changes else []
    if found is None:
        why = view.comparison.guidelines_uncompared
        said = _("The guidelines themselves were not compared.")
        if why:
            reason = changes.reason(why)
            said = say("The guidelines themselves were not compared: {reason}.", reason=reason)
        blocks.append(Paragraph(said))
    else:
        blocks.append(Paragraph(sentences(guidelines.summary(found), (File("guidelines.csv"),))))
        passages = list(guidelines.shown(found.passages))
        if passages:
            blocks.append(Details(_("The passages that changed"), tuple(_passages(view, passages))))
    title = _("What changed in the guidelines")
    return Section("guidelines", title, tuple(blocks), short=_("The guidelines"))


def _passages(view: "ComparisonView", found: Sequence[guidelines.Shown]) -> Iterator[Block]:
    """Yield the passages that changed, below their headings."""
    items: list[Text] = []
    heading, left, number = "", MOST_LETTERS, 0
    for each in found[:MOST_PASSAGES]:
        left -= sum(len(piece.text) for piece in each.pieces)
        if left < 0:
            break
        number += 1
        if each.kind:
            items.append(tuple(_passage(view, each)))
            continue
        yield from _below(heading, items)
        heading, items = each.pieces[0].text, []
    yield from _below(heading, items)
    if number < len(found):
        shown = {"shown": count(number), "total": count(len(found))}
        more = say("Shown: the first {shown} of {total}; all of them are in the CSV.", **shown)
        yield Paragraph(more, quiet=True)


def _below(heading: str, items: Sequence[Text]) -> Iterator[Block]:
    if items:
        block = Items(tuple(items))
        yield Section("", heading, (block,)) if heading else block


def _passage(view: "ComparisonView", found: guidelines.Shown) -> Iterator[Inline]:
    """Yield what happened to a passage, its words, and how the categories that it names moved."""
    yield Strong(say("{word}:", word=_(guidelines.KINDS[found.kind]).capitalize()))
    for piece in found.pieces:
        yield " "
        match piece.side:
            case "removed":
                yield Removed(piece.text)
            case "added":
                yield Added(piece.text)
            case _:
                yield piece.text
    moves = (
        {row.name: changes.signed(row.change.difference) for row in view.primary.by_category}
        if view.primary
        else {}
    )
    named = [f"{name} {moves[name]}" for name in found.categories if name in moves]
    if named:
        yield f" ({_('; ').join(named)})"


def _categories(view: "ComparisonView") -> Section | None:
    primary = view.primary
    if primary is None or not primary.by_category:
        return None
    lead = _(
        "When one annotator chose a category, how often did another choose it too? With several categories "
        "some differences look large by chance: p (Holm) takes that into account."
    )
    blocks: list[Block] = [Paragraph(lead)]
    if view.moves:
        caption = _("Specific agreement of each category, with 95% intervals.")
        if primary.coefficient:
            caption = say(
                "{name} and the specific agreement of each category, with 95% intervals; the thin line leads "
                "from the earlier version to the later.",
                name=primary.coefficient.name,
            )
        figure = FigureBlock(view.moves, caption)
        # Of few categories the table says it all, of many it is folded below the figure.
        few = len(primary.categories.rows) <= compared_figures.FEW_ROWS
        blocks += (
            compared_figures.opened(primary.categories)
            if few
            else (figure, *compared_figures.shown(primary.categories))
        )
        blocks += [Details(_("In a picture"), (figure,))] if few else []
    else:
        blocks += compared_figures.shown(primary.categories)
    if others := " ".join(_not_compared(view, primary)):
        blocks.append(Paragraph(others, quiet=True))
    title = _("Which categories moved")
    return Section("categories", title, tuple(blocks), short=_("Categories"))


def _not_compared(view: "ComparisonView", primary: UnitSetChanges) -> Iterator[str]:
    compared = primary.revision.categories
    if compared.how == "merged":
        later = (say("{old} as {new}", old=old, new=new) for old, new in sorted(compared.merged.items()))
        yield say("Compared under later names: {names}.", names=shortened(list(later)))
    for version, names in zip(view.versions, (compared.first_only, compared.second_only), strict=True):
        if names:
            yield say(
                "Not compared, being in {version} only: {names}.", version=version, names=shortened(names)
            )


# Can it be believed, and what is to be done?


def _believe(view: "ComparisonView", known: Mapping[str, str]) -> Section:
    blocks = list(_notes([each for each in view.notes if each.id in DOUBTS], known))
    if view.primary is None:
        nothing = _(
            "The two versions have no unit set in common, so that nothing could be compared or tested."
        )
        blocks.append(Paragraph(nothing))
    else:
        revision = view.primary.revision
        inside: list[Block] = [TableBlock(guidelines.sides(view.comparison, revision))]
        if how := " ".join(guidelines.how_tested(revision)):
            inside.append(Paragraph(how))
        blocks.append(Details(_("What is compared, and how it was tested"), tuple(inside)))
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
            blocks.append(Paragraph(only, quiet=True))
    return Section("believe", _("Did the guidelines do it?"), tuple(blocks))


def _findings(view: "ComparisonView", known: Mapping[str, str]) -> Section:
    found = [each for each in view.notes if each.id not in (*DOUBTS, *OPENING)]
    blocks = tuple(_notes(found, known)) or (Paragraph(_("Nothing stands out.")),)
    return Section("findings", _("What this means, and what to do"), blocks, short=_("What to do"))


def _notes(found: Sequence[Note], known: Mapping[str, str]) -> Iterator[Block]:
    """Yield findings with links to the sections that they are about, of many the gravest open."""
    made = []
    for each in found:
        link: Text = (Link(known[each.evidence], f"#{each.evidence}"),) if each.evidence in known else ""
        made.append(FindingBlock(each.severity, each.level, sentences(each.claim, link), each.advice))
    yield from made[:FEW_NOTES]
    if rest := made[FEW_NOTES:]:
        yield Details(numbers.counted(len(rest), "more finding", "more findings"), tuple(rest))


def _provenance(view: "ComparisonView") -> Section:
    tool, data = view.comparison.tool, edition().data
    libraries = ", ".join(f"{name} {version}" for name, version in sorted(tool.libraries.items()))
    made = say(
        "Computed by {tool} {version} with {libraries}.",
        tool=tool.name,
        version=tool.version,
        libraries=libraries,
    )
    files = [(Link(name, f"{data}{name}"),) for name in ("comparison.json", "changed.json")]
    files = files if view.changed else files[:1]
    beside = phrase(
        "Everything on this page is in {files}; the page is also there as {markdown}.",
        files=commas(files),
        markdown=Link("Markdown", "comparison.md"),
    )
    return Section("provenance", _("Provenance"), (Paragraph(sentences(made, beside), quiet=True),))
