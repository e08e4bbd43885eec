"""`reportgen verify`: is this what reportgen wrote, and are its figures what its counts give?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reportgen.base.progress import telling
from reportgen.cli.common import bars, explained

if TYPE_CHECKING:
    from collections.abc import Iterable


DIFFERENT = 1


def verify(
    path: Annotated[
        Path, typer.Argument(help="A bundle, zipped or unpacked; a site, or a campaign's or version's part.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print everything that was found as JSON.")] = False,
) -> None:
    """Recompute a bundle or a site; exit 1 if anything differs."""
    with explained("; nothing was verified"):
        from reportgen.publish import verify as verifying

        with bars() as progress, telling(progress):
            found = verifying.verify(path, progress)
    if as_json:
        typer.echo(verifying.as_json(found).encode("utf-8", "replace"), nl=False)
    else:
        _print(verifying.as_text(found))
    if not found.same:
        raise typer.Exit(DIFFERENT)


def _print(lines: "Iterable[tuple[str, str]]") -> None:
    """Print lines for people, the state of each in its colour where the terminal has colours."""
    from rich.text import Text

    from reportgen.base.errors import printable
    from reportgen.cli.terminal import console

    colours = {"same": "green", "different": "red", "unchecked": "yellow"}
    out = console()
    for state, line in lines:
        text = Text(printable(line))
        word = state if line.startswith(f"{state}:") else line.partition(": ")[0]
        if state:
            text.stylize(colours[state], 0, len(word))
        out.print(text)
