"""`reportgen new`: an empty campaign."""

import os
import re
from pathlib import Path
from typing import Annotated

import typer

from reportgen.cli.common import CAMPAIGNS, explained

CAMPAIGN = """title = "{title}"

# Why these units? `reportgen schema campaign` describes every key.
# [[unit_sets]]
# id = "items"
# units = "items"
# primary = true
# why = "…"

[[guidelines]]
version = "1.0"
exports = "exports/1.0"
# date = 2026-11-02
# document = "guidelines/1.0.md"
"""


def new(
    name: Annotated[str, typer.Argument(help="The campaign's id, which is its folder's name.")],
) -> None:
    """Make an empty campaign."""
    with explained("; nothing was written"):
        folder = make(name)
    exports = folder / "exports" / "1.0"
    typer.echo(f"Written: {folder / 'campaign.toml'}")
    typer.echo(f"Next: put the annotators' exports into {exports}, then")
    typer.echo("  reportgen build")


def make(name: str) -> Path:
    """Make the folder of a campaign below campaigns/; return it. Raises BadInput where that can't be."""
    from reportgen.base.errors import BadInput, Problem
    from reportgen.campaign.values import IDENTIFIER, TAKEN

    if not re.fullmatch(IDENTIFIER, name) or name.casefold() in TAKEN:
        message = "is no name of a campaign."
        mend = "Take letters, digits, dots, hyphens and underscores: gene-renaming."
        raise BadInput([Problem(name, message=message, mend=mend)])
    folder = CAMPAIGNS / name
    if os.path.lexists(folder):
        raise BadInput([Problem(str(folder), message="is there already.", mend="Choose another name.")])
    (folder / "exports" / "1.0").mkdir(parents=True)
    title = name.replace("-", " ").replace("_", " ").capitalize()
    (folder / "campaign.toml").write_text(CAMPAIGN.format(title=title), encoding="utf-8")
    return folder
