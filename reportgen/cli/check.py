"""`reportgen check`: is what the campaign promised held?"""

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from reportgen.base.progress import telling
from reportgen.cli.common import bars, explained, here

BROKEN = 1


class Format(StrEnum):
    """How verdicts are printed."""

    TEXT = "text"
    JSON = "json"
    JUNIT = "junit"
    GITHUB = "github"


def check(
    campaigns: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Campaign folders; without any, every folder of campaigns/ with a campaign.toml."
        ),
    ] = None,
    shape: Annotated[
        Format, typer.Option("--format", help="For people, programs, build servers or pull requests.")
    ] = Format.TEXT,
) -> None:
    """Check newest versions against [gate]; exit 1 if one fails."""
    with explained():
        from reportgen.cli import check_output, gate_check

        with bars() as progress, telling(progress):
            checks = gate_check.check(campaigns or here("check"), progress)
    if shape is Format.JSON:
        typer.echo(check_output.as_json(checks).encode(), nl=False)
    elif shape is Format.JUNIT:
        typer.echo(check_output.as_junit(checks), nl=False)
    elif shape is Format.GITHUB:
        for line in check_output.as_github(checks):
            typer.echo(line.encode())
    else:
        _print(check_output.as_text(checks))
    if not checks.held:
        raise typer.Exit(BROKEN)


def _print(lines: Iterable[tuple[str, str]]) -> None:
    """Print lines for people, the state of each in its colour where the terminal has colours."""
    from rich.text import Text

    from reportgen.base.errors import printable
    from reportgen.cli.terminal import console

    colours = {"broken": "red", "held": "green"}
    out = console()
    for state, line in lines:
        text = Text(printable(line))
        text.highlight_words([f" {state}:"], style=colours.get(state, ""))
        out.print(text)
