"""Every file of a campaign's folder beside its versions, of its comparisons, and the list of campaigns."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from reportgen.figures import Drawing, charts, standalone
from reportgen.figures.drawings import svg_of
from reportgen.figures.versions import spark_of
from reportgen.report import history_tables as tables
from reportgen.report import history_words as words
from reportgen.report import markdown_blocks, page
from reportgen.report.blocks import CampaignPage
from reportgen.report.comparison_view import ComparisonView
from reportgen.report.history_feed import badge_json, badge_svg, feed
from reportgen.report.sections.comparison_page import comparison_page
from reportgen.report.sections.history_page import history_page
from reportgen.report.tables import to_csv
from reportgen.results.comparison import Changed, VersionComparison
from reportgen.results.history import History
from reportgen.words.language import ENGLISH, Edition, edition, editions, in_languages, writing

Files = Iterator[tuple[str, str]]


def campaign_pages(history: History, languages: Sequence[str] = (ENGLISH,)) -> Files:
    """Yield what is rendered of a history."""
    yield from _elsewhere(history, languages)
    for table in (*tables.in_full(history), *words.coverage_tables(history)):
        yield f"tables/{table.file}", to_csv(table)
    yield from in_languages(
        languages, lambda: _written(history_page(history), "history.md", history_drawings(history))
    )


def _elsewhere(history: History, languages: Sequence[str]) -> Files:
    """Yield what other programs show of a campaign, in its first language."""
    with writing(editions(languages)[0]):
        found = {
            "badge.svg": badge_svg(history),
            "badge.json": badge_json(history),
            "feed.xml": feed(history),
        }
    yield from ((name, text) for name, text in found.items() if text)


def _written(found: CampaignPage, name: str, drawings: Iterable[Drawing]) -> Files:
    """Yield what is written of a page in the language of an edition: HTML, Markdown by its name, figures."""
    yield "index.html", page.campaign_html(found)
    yield name, markdown_blocks.campaign_page(found)
    for drawing in drawings:
        yield f"figures/{drawing.name}.svg", standalone(drawing.svg)


def history_drawings(history: History) -> Iterator[Drawing]:
    """Yield every figure of a campaign's page; of one version there is nothing to draw."""
    if len(history.versions) == 1:
        return
    found = [charts.agreement(history), charts.strict_f(history)]
    for layer in history.layers:
        found.append(charts.categories(history, layer))
        found += (chart for _title, _lines, chart in charts.systems(history, layer))
    yield from (chart.file for chart in found if chart)


def index_html(histories: Sequence[History], languages: Mapping[str, Sequence[str]] | None = None) -> str:
    """Return the list of campaigns, by their ids; `languages` are those of each one's pages."""
    ordered = sorted(histories, key=lambda each: each.campaign.id)
    known = {each.campaign.id: (languages or {}).get(each.campaign.id, (ENGLISH,)) for each in ordered}
    # The language that all campaigns have first, else English.
    first = {each[0] for each in known.values()}
    with writing(Edition(first.pop() if len(first) == 1 else ENGLISH)):
        entries = [_entry(each, editions(known[each.campaign.id])) for each in ordered]
        return page.html("index.html.j2", campaigns=entries)


def _entry(history: History, known: Sequence[Edition]) -> dict[str, object]:
    """Return one campaign in the list: its newest version, and how it came there.

    `folder` is that of its pages in the language of the list, else of those in its first one.
    """
    spark = spark_of(history) if len(history.layers) == 1 else None
    return {
        "history": history,
        "verdicts": words.verdicts(history.newest),
        "change": words.change(history, history.last_step),
        "has_feed": feed(history) is not None,
        "editions": known,
        "folder": next((each.folder for each in known if each.language == edition().language), ""),
        "spark": svg_of(f"agreement-{history.campaign.id}", spark, kind="spark") if spark else "",
    }


def comparison_pages(
    comparison: VersionComparison, changed: Changed | None, languages: Sequence[str] = (ENGLISH,)
) -> Files:
    """Yield what is rendered of a comparison."""
    for table in ComparisonView(comparison, changed).tables:
        yield f"tables/{table.file}", to_csv(table)

    def pages() -> Files:
        # What a view keeps is in the language of the edition.
        view = ComparisonView(comparison, changed)
        yield from _written(comparison_page(view), "comparison.md", view.drawings())

    yield from in_languages(languages, pages)


def comparison_markdown(comparison: VersionComparison, changed: Changed | None) -> str:
    """Return a comparison as Markdown, the gist first."""
    return markdown_blocks.campaign_page(comparison_page(ComparisonView(comparison, changed)))
