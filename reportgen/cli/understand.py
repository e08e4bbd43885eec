"""Commands that explain: two versions compared, measures, formats, schemas."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reportgen.base.progress import telling
from reportgen.cli.common import bars, explained, print_json, say, tell

if TYPE_CHECKING:
    from reportgen.base.errors import Problem
    from reportgen.base.progress import Steps
    from reportgen.campaign import Campaign
    from reportgen.pipeline.version_reports import ComparisonOutput
    from reportgen.results import Part


class SchemaName(StrEnum):
    """Which JSON Schema."""

    CAMPAIGN = "campaign"
    RESULTS = "results"
    TEXTS = "texts"
    COMPARISON = "comparison"
    CHANGED = "changed"
    HISTORY = "history"


def compare(
    campaign: Annotated[Path, typer.Argument(help="The campaign's folder.")],
    first: Annotated[str, typer.Argument(metavar="A", help="A guidelines version.")],
    second: Annotated[
        str, typer.Argument(metavar="B", help="Another; differences are the later less the earlier.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print comparison.json.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print the page as Markdown.")] = False,
) -> None:
    """Compare two guidelines versions, with tests."""
    with explained():
        from reportgen import campaign as asked
        from reportgen.base.errors import BadInput, Problem

        if as_json and as_markdown:
            message = "are two forms of one comparison."
            raise BadInput([Problem("--json and --markdown", message=message, mend="Choose one of them.")])
        known = asked.load(campaign)
        earlier, later = _in_order(known, first, second)
        if earlier != first:
            say(f"{earlier} is older than {later}: differences are those from {earlier} to {later}.")
        with bars() as progress, telling(progress):
            found, noticed = _compared(known, earlier, later, progress)
        tell(noticed)
    if as_json:
        from reportgen.results import dumps

        typer.echo(dumps(found.comparison).encode(), nl=False)
    elif as_markdown:
        from reportgen.report.campaign_files import comparison_markdown

        typer.echo(comparison_markdown(found.comparison, found.changed).encode(), nl=False)
    else:
        from reportgen.cli.comparison_text import show_comparison
        from reportgen.cli.terminal import console

        show_comparison(found.comparison, console())


def _in_order(campaign: "Campaign", first: str, second: str) -> tuple[str, str]:
    """Return the earlier version and the later; raise BadInput with what is wrong with either name."""
    from reportgen.base.errors import BadInput, Problem, for_each

    for_each(dict.fromkeys((first, second)), campaign.version)
    if first == second:
        message = f"{first} and {second} are one guidelines version."
        others = [version for version in campaign.versions if version != first]
        mend = f"Name two: there is also {', '.join(others)}." if others else "The campaign has no other."
        raise BadInput([Problem(campaign.file, message=message, mend=mend)])
    earlier, later = sorted((first, second), key=campaign.versions.index)
    return earlier, later


def _compared(
    campaign: "Campaign", earlier: str, later: str, progress: "Steps"
) -> "tuple[ComparisonOutput, list[Problem]]":
    """Return the comparison of two versions, and what is to be told of the exports.

    Annotators, and documents where they have any, are under the pseudonyms that the site gives them.
    """
    from reportgen.pipeline.notices import notices
    from reportgen.pipeline.reading import read_campaign
    from reportgen.pipeline.version_reports import compare_versions, names_by_version

    reads = read_campaign(campaign, progress)
    names = names_by_version(campaign, reads)
    first, second = (reads[campaign.versions.index(version)] for version in (earlier, later))
    progress(f"{campaign.id}: comparing {earlier} and {later}")
    found = compare_versions(campaign, first, second, names[earlier] | names[later])
    return found, list(notices(campaign, reads))


def explain(
    measure: Annotated[
        str, typer.Argument(help="A measure's id, or what stands in brackets; without one, all are listed.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the entries as JSON.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print all of them as Markdown.")] = False,
) -> None:
    """Explain a measure: formula, use, source, other libraries."""
    with explained():
        from reportgen.measures.catalogue import definitions, explanation, weightings

        asked = explanation(measure) if measure else {**definitions(), **weightings()}
    if as_json:
        print_json({name: each.model_dump(mode="json") for name, each in asked.items()})
        return
    if as_markdown:
        from reportgen.report.catalogue_text import catalogue_markdown

        typer.echo(catalogue_markdown(asked).encode(), nl=False)
        return
    from reportgen.cli.terminal import console, show_entry, show_families

    if not measure:
        show_families(definitions(), weightings(), console())
        return
    for name, each in asked.items():
        show_entry(name, each, console())


def formats(
    as_json: Annotated[bool, typer.Option("--json", help="Print the readers as JSON.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print them as a Markdown table.")] = False,
) -> None:
    """List the export formats."""
    from reportgen.readers import readers, readers_markdown

    if as_json:
        keys = ("name", "title", "tool", "extensions", "reads", "leaves_out")
        print_json([{key: getattr(reader, key) for key in keys} for reader in readers()])
        return
    if as_markdown:
        typer.echo(readers_markdown().encode(), nl=False)
        return
    from reportgen.cli.terminal import console, show_rows

    rows = [(each.name, each.tool, each.reads, each.leaves_out) for each in readers()]
    show_rows(("format", "tool", "reads", "leaves out"), rows, console())


def schema(
    which: Annotated[
        SchemaName, typer.Argument(help="campaign, results, texts, comparison, changed or history.")
    ],
) -> None:
    """Print the JSON Schema of campaign.toml or a JSON file."""
    from reportgen.campaign import campaign_schema
    from reportgen.results import Results, schema_of
    from reportgen.results.comparison import Changed, VersionComparison
    from reportgen.results.history import History
    from reportgen.results.texts import Texts

    if which is SchemaName.CAMPAIGN:
        print_json(campaign_schema())
        return
    parts: dict[SchemaName, type[Part]] = {
        SchemaName.RESULTS: Results,
        SchemaName.TEXTS: Texts,
        SchemaName.COMPARISON: VersionComparison,
        SchemaName.CHANGED: Changed,
        SchemaName.HISTORY: History,
    }
    print_json(schema_of(parts[which]))
