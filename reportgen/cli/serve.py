"""`reportgen serve`: the site in a browser while campaigns and templates are edited."""

from pathlib import Path
from typing import Annotated

import typer

from reportgen.cli.common import bars, explained, here, say

PORT = 8017


def serve(
    campaigns: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Campaign folders; without any, every folder of campaigns/ with a campaign.toml."
        ),
    ] = None,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Where to listen; 0 takes any free port.")
    ] = PORT,
    out: Annotated[
        Path | None, typer.Option(help="Keep the site in this folder; without it, it is gone at the end.")
    ] = None,
    opened: Annotated[bool, typer.Option("--open", help="Open the site in a browser.")] = False,
) -> None:
    """Show the site on this computer; rebuild what changes."""
    with explained():
        from reportgen.cli import serving

        serving.serve_site(
            campaigns or here("serve"), port=port, out=out, opened=opened, say=say, showing=bars
        )
