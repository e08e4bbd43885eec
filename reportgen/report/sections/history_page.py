"""A campaign's page: did agreement rise or fall with the newest guidelines, what changed, and all before."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace

from markupsafe import Markup

from reportgen.figures import versions as charts
from reportgen.figures.lines import ends, is_shown
from reportgen.figures.versions import Chart
from reportgen.report import history_tables as tables
from reportgen.report import history_words as words
from reportgen.report.blocks import (
    Block,
    CampaignPage,
    Code,
    Details,
    FigureBlock,
    File,
    FilesBlock,
    Link,
    RawBlock,
    ReasonBlock,
    Section,
    Strong,
    TableBlock,
    Text,
    commas,
    paragraph,
    phrase,
    phrase_many,
    remark,
    sentences,
)
from reportgen.report.history_tables import compare_href, version_href
from reportgen.report.history_words import badge, feed
from reportgen.report.sections.systems_section import shortened
from reportgen.report.tables import ReportTable
from reportgen.report.version_changes import courses
from reportgen.results.history import History, LayerState, Step, VersionState
from reportgen.words import numbers
from reportgen.words.language import N_, _, date, edition, say
from reportgen.words.numbers import count, counted
from reportgen.words.subjects import shown_symbol

# A longer table is folded, and so is what more than these versions changed.
FEW_ROWS = 6


def history_page(history: History) -> CampaignPage:
    """Return the page of a campaign over its versions, the newest first."""
    makers: list[Callable[[History], Section | None]] = [_now, _released, _changes]
    if len(history.versions) > 1:
        makers += [_versions, _comparisons, _categories, _systems]
    return CampaignPage(
        title=say("{title}: agreement by guidelines version", title=history.campaign.title),
        heading=history.campaign.title,
        above=(Link(_("Agreement reports"), f"{edition().data}../index.html"),),
        lead=_lead(history),
        sections=tuple(
            replace(section, open=True) for make in (*makers, _badge) if (section := make(history))
        ),
    )


def _lead(history: History) -> str:
    versions = counted(len(history.versions), "version", "versions")
    dates = sorted(version.date for version in history.versions if version.date)
    first, last = (date(dates[0]), date(dates[-1])) if dates else ("", "")
    text = N_("{versions} of the guidelines, {first} to {last}.")
    if first == last:
        text = N_("{versions} of the guidelines, {date}.") if dates else N_("{versions} of the guidelines.")
    return say(text, versions=versions, date=first, first=first, last=last)


def _dated(version: VersionState) -> str:
    message = N_("Guidelines {version}, {date}") if version.date else N_("Guidelines {version}")
    return say(message, version=version.version, date=date(version.date) if version.date else "")


# What comes first: did agreement rise or fall, and what changed in the guidelines?


def _now(history: History) -> Section:
    newest, step = history.newest, history.last_step
    blocks: list[Block] = []
    if headline := _headline(newest):
        blocks.append(RawBlock(headline))
    if step and step.compared:
        moved = words.change(history, step)
        gist = Strong(courses(*words.layer_courses(step)) if step.primary else moved)
        compared = say("Compare {first} and {second}", first=step.first, second=step.second)
        link = Link(compared, compare_href(step.first, step.second))
        blocks.append(paragraph((gist,), (link,)))
        if step.primary and len(history.layers) == 1:
            blocks.append(paragraph(moved, _other_value(history, step)))
    blocks.append(paragraph(words.verdict(newest)))
    if step and (warnings := list(words.warnings(step))):
        before = Strong(_("Before reading this as better or worse guidelines:"))
        blocks.append(paragraph((before,), *warnings))
    blocks.append(remark(_further(newest, step)))
    if step is None:
        blocks.append(remark(_sizes(newest), (File("versions.csv"),)))
        later = _(
            "Once a second version of the guidelines is declared in campaign.toml and built, this page shows "
            "how agreement moved from one to the other, whether chance explains it, and which documents and "
            "annotators are in both."
        )
        blocks.append(remark(later))
    blocks.append(FilesBlock(lambda: (*tables.in_full(history), *tables.coverage_tables(history))))
    short = _("Now") if step else _("Verdict")
    return Section("now", _dated(newest), tuple(blocks), short=short)


def _headline(newest: VersionState) -> str:
    """Return the coefficient in large letters; empty where several layers have one each."""
    figure, answer = newest.first.shown, newest.first.answer
    if len(newest.layers) > 1 or figure.value is None:
        return ""
    interval = Markup()
    if between := ends(figure):
        low, high = map(numbers.short, between)
        words_beside = say("95% interval {low} to {high}", low=low, high=high)
        interval = Markup('<p class="beside-value">{}</p>\n').format(words_beside)
    return str(
        Markup(
            '<div class="headline">\n<p class="value"><span class="symbol">{}</span> {}</p>\n{}</div>\n'
        ).format(
            shown_symbol(answer) if answer else newest.first.symbol, numbers.short(figure.value), interval
        )
    )


def _other_value(history: History, step: Step) -> str:
    """Return how the report comes to another value: it counts what the newest version alone has too."""
    if history.newest.first.answer:
        return ""
    newest_value, move = history.newest.first.figure.value, step.primary.coefficient if step.primary else None
    shared = move.second if move else None
    if newest_value is None or shared is None or numbers.figure(shared) == numbers.figure(newest_value):
        return ""
    return say(
        "Over all units of {version} it is {value}.",
        version=history.newest.version,
        value=numbers.figure(newest_value),
    )


def _further(newest: VersionState, step: Step | None) -> Text:
    href = version_href(newest.version)
    report = Link(say("Report of guidelines {version}", version=newest.version), href)
    if step is None or not step.compared:
        acts = Link(_("what to do"), f"{href}#findings")
        return phrase("{report}, and {link}", report=report, link=acts)
    change = Link(_("the change"), compare_href(step.first, step.second))
    link = Link(newest.version, f"{href}#findings")
    return phrase(
        "{report}; what to do about {change} and about {version}", report=report, change=change, version=link
    )


def _sizes(version: VersionState) -> str:
    """Return how many annotators labelled how many units in how many documents."""
    state = version.first
    message = N_("{annotators}, {documents}, {units}.") if state.documents else N_("{annotators}, {units}.")
    if not state.annotators:
        message = N_("{documents}, {units}.") if state.documents else N_("{units}.")
    sizes = say(
        message,
        annotators=counted(len(state.annotators), "annotator", "annotators"),
        documents=counted(state.documents, "document", "documents"),
        units=counted(state.units, "unit", "units"),
    )
    return f"{sizes} {_rests_on(state)}".rstrip()


def _rests_on(state: LayerState) -> str:
    """Return what the figure rests on, empty where that is all."""
    if state.answer:
        of_answer = state.answer.units
        return (
            say("The figure rests on {units}.", units=counted(of_answer, "unit", "units"))
            if of_answer is not None and of_answer != state.units
            else ""
        )
    if state.units_compared == state.units or state.subject:
        return ""
    units = counted(state.units_compared, "unit", "units")
    if not state.documents_compared:
        return say("The figure rests on {units} that two annotators labelled.", units=units)
    return say(
        "The figure rests on {units} in {documents} that two annotators labelled.",
        units=units,
        documents=counted(state.documents_compared, "document", "documents"),
    )


def _released(history: History) -> Section | None:
    """Return what was released of each version, and what differs from that now."""
    recorded = [version for version in reversed(history.versions) if version.release]
    if not recorded:
        return None
    blocks = tuple(paragraph(*words.released(version)) for version in recorded)
    return Section("released", _("Released"), blocks)


def _changes(history: History) -> Section:
    first, *others = reversed(history.versions)
    blocks = list(_changed(first))
    folded = []
    for version in others:
        label = say("Report of guidelines {version}", version=version.version)
        report = Link(label, version_href(version.version))
        step = history.step_to(version.version)
        moved = (words.change(history, step), *words.warnings(step)) if step else ()
        about = remark((report,), words.verdict(version), *moved)
        folded.append(Section("", _dated(version), (*_changed(version), about)))
    if folded:
        summary = counted(len(folded), "earlier version", "earlier versions")
        blocks.append(Details(summary, tuple(folded)))
    return Section("changes", _("What changed"), tuple(blocks))


def _changed(version: VersionState) -> Iterator[Block]:
    nothing = _("campaign.toml does not say what changed.")
    yield ReasonBlock(version.changes) if version.changes else remark(nothing)


# Over all versions


def _versions(history: History) -> Section:
    chart = charts.agreement(history)
    blocks: list[Block] = [_figure(chart)] if chart else []
    lead = _(
        "A value counts everything that a version has, a change only what two versions share, where they "
        "share anything: it need not be the difference of the two values."
    )
    changes: Text = (File("changes.csv", _("Changes")),) if history.comparisons else ""
    blocks.append(remark(lead, (File("versions.csv"),), changes))
    table = tables.versions(history)
    if len(history.layers) > 1:
        table = replace(table, caption=say("Layer {layer}:", layer=history.layers[0]))
    blocks += _table(table, _("Guidelines versions"))
    if others := tables.layers(history):
        holm = _(
            "Where a change is tested, p is corrected for the number of these layers (Holm), its interval "
            "is not."
        )
        note = (remark(holm),) if history.steps and len(others.rows) > 1 else ()
        blocks.append(_folded(others, below=note))
    return Section("versions", _("Versions"), (*blocks, *_coverage(history)))


def _coverage(history: History) -> Iterator[Block]:
    """Yield which documents and annotators the versions have, which may look like better guidelines."""
    documents, annotators = tables.documents_in_words(history), tables.annotators_in_words(history)
    if not documents and not annotators:
        return
    lead = _("What counts as better guidelines may be easier documents or other annotators.")
    files = (
        (File("documents.csv", _("Documents")),) if documents else "",
        (File("annotators.csv", _("Annotators")),) if annotators else "",
    )
    tables_of = filter(None, (tables.documents_table(history), tables.annotators_table(history)))
    about = paragraph(lead, documents, annotators, *files)
    yield Details(_("Documents and annotators, version by version"), (about, *map(TableBlock, tables_of)))


def _comparisons(history: History) -> Section | None:
    table = tables.comparisons(history)
    if table is None or len(history.versions) <= 2:  # two have one comparison
        return None
    about = N_(
        "How the coefficient moved from one version to another; each figure leads to the page of the two."
    )
    if len(history.layers) > 1:
        about = N_(
            "How the coefficient of layer {layer} moved from one version to another; each figure leads to "
            "the page of the two."
        )
    lead = sentences(say(about, layer=history.layers[0]), _missing(history), (File("comparisons.csv"),))
    blocks = (paragraph(lead), *_table(table, _("Comparisons of versions")))
    return Section("comparisons", _("Comparisons"), blocks)


def _missing(history: History) -> Text:
    """Return how many pairs of versions have no page of comparison, and how to make one."""
    compared = {(pair.first, pair.second) for pair in history.comparisons}
    without = [pair for pair in itertools.combinations(history.names, 2) if pair not in compared]
    if not without:
        return ""
    command = f"reportgen compare campaigns/{history.campaign.id} {' '.join(without[0])}"
    return phrase_many(
        "{count} pair of versions has no such page: of many versions, each is compared with the one before "
        "it and with the newest. {command} compares these two, and likewise any others.",
        "{count} pairs of versions have no such page: of many versions, each is compared with the one before "
        "it and with the newest. {command} compares two of them.",
        len(without),
        count=count(len(without)),
        command=Code(command),
    )


def _categories(history: History) -> Section | None:
    by_layer = [(layer, table) for layer in history.layers if (table := tables.categories(history, layer))]
    spans = charts.strict_f(history)
    marks = (Details(spans.file.title.rstrip("."), (_figure(spans),)),) if spans else ()
    if not by_layer:
        return Section("spans", _("Marks in texts"), marks) if marks else None
    lead = _(
        "Specific agreement is the share of an annotator's choices of a category that the other made too."
    )
    moved = " ".join(_moved(history)) if history.last_step else ""
    blocks: list[Block] = [paragraph(moved, lead, (File("specific-agreement.csv"),))]
    for layer, table in by_layer:
        number = len(charts.lines_of_categories(history, layer))
        summary, label = counted(number, "category", "categories"), _("Specific agreement by version")
        if len(history.layers) > 1:
            summary = say("Layer {layer}: {categories}", layer=layer, categories=summary)
            label = say("{label}, layer {layer}", label=label, layer=layer)
        chart = charts.categories(history, layer)
        drawn = (_figure(chart),) if chart else ()
        notes = _beside_table(len(table.rows), number)
        blocks.append(Details(summary, (*drawn, TableBlock(table, label), notes)))
    return Section("categories", _("Categories"), (*blocks, *marks))


def _moved(history: History) -> Iterator[str]:
    """Yield which categories rose and fell with the newest version, more than chance explains."""
    step, titled = history.last_step, len(history.layers) > 1
    moves = [
        (say("{category} (layer {layer})", category=name, layer=layer.layer) if titled else name, move)
        for layer in (step.layers if step else ())
        for name, move in layer.specific_agreement.items()
        if is_shown(move)
    ]
    if rose := [name for name, move in moves if (move.difference or 0.0) > 0]:
        yield say("Agreement on {names} rose beyond chance.", names=shortened(rose))
    if fell := [name for name, move in moves if (move.difference or 0.0) <= 0]:
        yield say("Agreement on {names} fell beyond chance.", names=shortened(fell))
    if not moves:
        yield _("No category moved beyond chance.")


def _beside_table(shown: int, number: int) -> Block:
    holm = _(
        "Where a change is tested, p is corrected for the number of categories (Holm), its interval is not."
    )
    some = say("Of {count} categories these have the lowest agreement.", count=count(number))
    return remark(holm, some if shown < number else "")


def _systems(history: History) -> Section | None:
    blocks: list[Block] = []
    for layer in history.layers:
        for title, lines, chart in charts.systems(history, layer):
            table = tables.systems(history, chart.file.name, lines, title)
            drawn = (_figure(chart), *_table(table))
            titled = len(history.layers) > 1
            blocks += [Section("", say("Layer {layer}", layer=layer), drawn)] if titled else drawn
    if not blocks:
        return None
    lead = _(
        "Under new guidelines the reference is another: what a system gains or loses here may be the "
        "reference's change. Human agreement in the same measure is beside it; of several releases of a "
        "system the last declared is shown."
    )
    title = _("Systems against the reference")
    return Section("systems", title, (paragraph(lead, (File("systems.csv"),)), *blocks), short=_("Systems"))


def _badge(history: History) -> Section:
    shown, data = badge(history), edition().data
    description = phrase(
        "The badge says “{label} {message}”, the newest version's figure with its 95% interval: {svg}, and "
        "{json} for services that draw badges.",
        label=shown.label,
        message=shown.message,
        svg=Link("badge.svg", f"{data}badge.svg"),
        json=Link("badge.json", f"{data}badge.json"),
    )
    feeds = [f"{data}feed.xml"] if feed(history) else []
    names = [f"{data}badge.svg", f"{data}history.json", "history.md", *feeds]
    links = commas((Link(name.rsplit("/", 1)[-1], name),) for name in names)
    beside = remark(phrase("Beside this page: {files}.", files=links))
    address = _("In a corpus README, with the address where this folder is published:")
    code = Markup('<pre tabindex="0"><code>[![{}](badge.svg)](index.html)</code></pre>\n').format(shown.label)
    parts = (paragraph(description), paragraph(address), RawBlock(str(code)))
    folded = Details(_("In a corpus README"), parts)
    return Section("badge", _("Badge and feed"), (beside, folded))


# Figures and tables


def _figure(chart: Chart) -> FigureBlock:
    return FigureBlock(chart.file, chart.caption[len(chart.file.title) :].strip(), chart.narrow, chart.panels)


def _table(table: ReportTable, label: str = "") -> tuple[Block, ...]:
    return (TableBlock(table, label) if len(table.rows) <= FEW_ROWS else _folded(table, label),)


def _folded(content: ReportTable, label: str = "", below: tuple[Block, ...] = ()) -> Details:
    named = label or content.caption
    table = TableBlock(replace(content, caption=""), named)
    return Details(named.rstrip(" :.\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"), (table, *below))
