"""What commands have in common: they complain in one way, and find campaigns in one place."""

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from reportgen.errors import Problem
    from reportgen.formats import ReadOptions

BAD_INPUT = 2
CAMPAIGNS = Path("campaigns")


class ScaleName(StrEnum):
    """How categories relate to each other."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"
    RATIO = "ratio"
    SET = "set"


@contextmanager
def explained(consequence: str = "") -> Iterator[None]:
    """Print every problem with its place and remedy, and end with status 2, where the input is bad."""
    from reportgen.errors import BadInput, Problem, reason

    try:
        yield
    except BadInput as error:
        problems = error.problems
    except OSError as error:
        if error.errno == errno.EPIPE:  # whoever read our output has seen enough: typer knows what to do
            raise
        place = os.fsdecode(error.filename) if error.filename else "the system"
        problems = (Problem(place, message=f"refused: {reason(error)}."),)
    else:
        return
    _complain(problems, consequence)
    raise typer.Exit(BAD_INPUT)


def _complain(problems: Sequence["Problem"], consequence: str) -> None:
    for problem in problems:
        say(str(problem))
    number = len(problems)
    say(f"{number} problem{'s' if number > 1 else ''}{consequence}.")


def say(text: str) -> None:
    """Print a line on standard error."""
    from reportgen.errors import printable

    typer.echo(printable(text), err=True)


def campaigns_here(command: str) -> list[Path]:
    """Return every campaign folder below campaigns/; raise BadInput where there is none."""
    from reportgen.errors import BadInput, Problem, reason

    mend = f"Name a campaign's folder: reportgen {command} FOLDER."
    try:
        folders = sorted(path for path in CAMPAIGNS.iterdir() if not path.name.startswith("."))
    except OSError as error:
        message = f"can't be read: {reason(error)}."
        raise BadInput([Problem(str(CAMPAIGNS), message=message, mend=mend)]) from None
    found = [folder for folder in folders if _is_campaign(folder)]
    if not found:
        raise BadInput([Problem(str(CAMPAIGNS), message="holds no folder with a campaign.toml.", mend=mend)])
    return found


def _is_campaign(folder: Path) -> bool:
    """Tell whether a folder is a campaign's, or may be one but can't be read."""
    try:
        return folder.is_dir() and (folder / "campaign.toml").exists()
    except OSError:
        return True


def reading(
    columns: str, missing: list[str], set_separator: str, annotators: tuple[str, ...]
) -> "ReadOptions":
    """Return how to read a table, from the options of a command."""
    from reportgen.errors import BadInput, Problem
    from reportgen.formats import ReadOptions

    parts = [part.partition("=") for part in split(columns)]
    wrong = ["".join(part) for part in parts if not part[1]]
    if wrong:
        message = f'"{wrong[0]}" does not say which column it is.'
        raise BadInput([Problem("--columns", message=message, mend="Write unit=item,annotator=worker.")])
    named = {key.strip(): value.strip() for key, _, value in parts}
    return ReadOptions(
        columns=named,
        missing=tuple(missing),
        set_separator=set_separator or None,
        annotators=annotators or None,
    )


def split(text: str) -> tuple[str, ...]:
    """Return what stands between commas, which quotation marks hide."""
    import csv

    rows = list(csv.reader([text], skipinitialspace=True))
    return tuple(part.strip() for part in rows[0] if part.strip()) if rows else ()
