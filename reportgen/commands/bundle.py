"""`reportgen bundle`: the report of one guidelines version, ready to be attached to a corpus release."""

from pathlib import Path
from typing import Annotated

import typer

from reportgen.commands.bars import bars
from reportgen.commands.common import explained
from reportgen.progress import telling


def bundle(
    campaign: Annotated[Path, typer.Argument(help="The campaign's folder.")],
    version: Annotated[str, typer.Argument(help="A guidelines version.")],
    out: Annotated[Path, typer.Option(help="The file to write, FILE.zip, or a folder.")],
) -> None:
    """Write what is attached to a corpus release: report, counts, metadata and checksums."""
    with explained("; nothing was written"):
        from reportgen import campaign as asked
        from reportgen.bundling import Choice
        from reportgen.bundling import bundle as made
        from reportgen.release import as_zip

        known = asked.load(campaign)
        known.version(version)
        with bars() as progress, telling(progress):
            files = made(known, version, Choice(), progress)
        out.write_bytes(as_zip(files))
