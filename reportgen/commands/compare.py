"""`reportgen compare`: two guidelines versions of a campaign, with test."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reportgen.commands.bars import bars
from reportgen.commands.common import explained, say
from reportgen.progress import telling

if TYPE_CHECKING:
    from reportgen.campaign import Campaign
    from reportgen.comparing import Compared
    from reportgen.errors import Problem
    from reportgen.progress import Steps


def compare(
    campaign: Annotated[Path, typer.Argument(help="The campaign's folder.")],
    first: Annotated[str, typer.Argument(metavar="A", help="A guidelines version.")],
    second: Annotated[
        str, typer.Argument(metavar="B", help="Another; differences are the later less the earlier.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print comparison.json.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print the page as Markdown.")] = False,
) -> None:
    """Compare two guidelines versions, figure by figure, with test."""
    with explained():
        from reportgen import campaign as asked

        _one_form(as_json=as_json, as_markdown=as_markdown)
        known = asked.load(campaign)
        earlier, later = _in_order(known, first, second)
        if earlier != first:
            say(f"{earlier} is older than {later}: differences are those from {earlier} to {later}.")
        with bars() as progress, telling(progress):
            found, noticed = _compared(known, earlier, later, progress)
        for problem in noticed:
            say(str(problem))
    if as_json:
        from reportgen.results import dumps

        typer.echo(dumps(found.comparison).encode(), nl=False)
    elif as_markdown:
        from reportgen.report.revisions import comparison_markdown

        typer.echo(comparison_markdown(found.comparison, found.changed).encode(), nl=False)
    else:
        from reportgen.commands.comparison import show_comparison
        from reportgen.terminal import console

        show_comparison(found.comparison, console())


def _one_form(*, as_json: bool, as_markdown: bool) -> None:
    """Raise BadInput where two forms are asked for, which can't both be printed."""
    from reportgen.errors import BadInput, Problem

    if as_json and as_markdown:
        message = "are two forms of one comparison."
        raise BadInput([Problem("--json and --markdown", message=message, mend="Choose one of them.")])


def _in_order(campaign: "Campaign", first: str, second: str) -> tuple[str, str]:
    """Return the earlier version and the later; raise BadInput with what is wrong with either name."""
    from reportgen.errors import BadInput, Problem, for_each

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
) -> "tuple[Compared, list[Problem]]":
    """Return the comparison of two versions, and what is to be told of the exports.

    Annotators, and documents where they have any, are under the pseudonyms that the site gives them.
    """
    from reportgen.comparing import compare_versions
    from reportgen.notices import notices
    from reportgen.reading import read_campaign
    from reportgen.reports import names_by_version

    reads = read_campaign(campaign, progress)
    names = names_by_version(campaign, reads)
    first, second = (reads[campaign.versions.index(version)] for version in (earlier, later))
    progress(f"{campaign.id}: comparing {earlier} and {later}")
    found = compare_versions(campaign, first, second, names[earlier] | names[later])
    return found, list(notices(campaign, reads))
