"""`reportgen build`: the site of all campaigns, or of those that are named."""

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reportgen.cli.common import SITE, Workplace, bars, explained, print_json, say, workplace

if TYPE_CHECKING:
    from reportgen.pipeline.build_cache import Built, BuiltVersion


def build(  # noqa: PLR0917 - one argument for each option
    campaigns: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Campaign folders; without any, every folder of campaigns/ with a campaign.toml."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Where the site goes; it then holds exactly these.  [default: site]")
    ] = None,
    opened: Annotated[bool, typer.Option("--open", help="Open the site in a browser.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but problems.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Print what is done.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was built as JSON.")] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Rebuild everything, what has not changed too.")
    ] = False,
    images: Annotated[
        bool,
        typer.Option(
            "--figures",
            help="Write PNG and PDF of each figure beside its SVG; no checksum lists them, and the next "
            "build without this leaves them out.",
        ),
    ] = False,
) -> None:
    """Build the site: a report for each guidelines version."""
    with explained("; nothing was written"):
        from reportgen.base.progress import Progress
        from reportgen.pipeline.build import build_site

        at = Workplace(campaigns, SITE) if campaigns else workplace("build")
        target = out or at.site
        with nullcontext(Progress(say)) if verbose else bars() as progress:
            site = build_site(at.campaigns, target, progress, fresh=fresh)
    if images:
        with explained():
            from reportgen.pipeline.rendering import write_images

            write_images(target)
    for problem in site.notices:
        say(str(problem))
    if as_json:
        print_json(
            [
                _built(campaign, version, target)
                for campaign in site.campaigns
                for version in campaign.versions
            ]
        )
    elif not quiet:
        from reportgen.base.errors import printable
        from reportgen.cli.scoreboard import scoreboard

        for line in scoreboard(site):
            typer.echo(line)
        typer.echo(printable(f"Written: {target / 'index.html'}"))
    if opened:
        import webbrowser

        webbrowser.open((target / "index.html").absolute().as_uri())


def _built(campaign: "Built", version: "BuiltVersion", site: Path) -> dict[str, Any]:
    from reportgen.base.errors import printable

    score = version.score
    return {
        "campaign": campaign.id,
        "version": score.version,
        "verdict": score.verdict,
        "layers": [each.model_dump() for each in score.layers],
        "page": printable((site / campaign.id / score.version / "index.html").as_posix()),
        "unchanged": not version.written,
    }
