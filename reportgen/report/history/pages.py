"""Every file of a campaign's history, and the list of campaigns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reportgen.report import numbers, page
from reportgen.report.figures import standalone
from reportgen.report.history import words
from reportgen.report.history.badge import badge, badge_json, badge_svg
from reportgen.report.history.feed import feed
from reportgen.report.history.view import HistoryView
from reportgen.report.language import ENGLISH, in_languages
from reportgen.report.tables import to_csv
from reportgen.results import dumps
from reportgen.results.history import History


@dataclass(frozen=True)
class Entry:
    """One campaign in the list of campaigns: its newest version, and how it came there."""

    history: History
    verdict: str
    change: str
    value: str
    has_feed: bool


def campaign_files(history: History, languages: Sequence[str] = (ENGLISH,)) -> Iterator[tuple[str, str]]:
    """Yield the name and text of every file that stands in a campaign's folder beside its versions."""
    yield "history.json", dumps(history)
    yield "badge.svg", badge_svg(history)
    yield "badge.json", badge_json(history)
    if found := feed(history):
        yield "feed.xml", found
    for table in HistoryView(history).tables():
        yield f"tables/{table.file}", to_csv(table)
    yield from in_languages(languages, lambda: _pages(history))


def _pages(history: History) -> Iterator[tuple[str, str]]:
    """Yield what is written in the language of an edition."""
    view = HistoryView(history)
    values = {"view": view, "history": history, "badge": badge(history)}
    yield "index.html", page.html("history.html.j2", place="index.html", **values)
    yield "history.md", history_markdown(history)
    for chart in view.charts():
        yield f"figures/{chart.name}.svg", standalone(chart.file)


def history_markdown(history: History) -> str:
    """Return the history as Markdown."""
    view = HistoryView(history)
    return page.markdown("history.md.j2", view=view, history=history)


def index_html(histories: Sequence[History]) -> str:
    """Return the list of campaigns, by their ids."""
    ordered = sorted(histories, key=lambda each: each.campaign.id)
    return page.html("index.html.j2", campaigns=[_entry(each) for each in ordered])


def _entry(history: History) -> Entry:
    newest = history.newest
    return Entry(
        history=history,
        verdict=words.verdict(newest.verdict),
        change=words.change(history, history.last_step),
        value=numbers.estimate(newest.first.figure),
        has_feed=feed(history) is not None,
    )
