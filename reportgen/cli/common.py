"""What commands have in common: they complain in one way, and find campaigns in one place."""

import contextlib
import errno
import json
import os
import re
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import (
    MOST_TOLD,
    BadInput,
    Problem,
    alike_as_one,
    for_each,
    listed,
    nearest,
    printable,
    reason,
    refused,
)
from reportgen.base.files import as_compared
from reportgen.base.progress import Progress, Stage
from reportgen.base.site_folder import CAMPAIGNS, SITE

if TYPE_CHECKING:
    from rich.progress import Progress as Shown
    from rich.progress import TaskID

    from reportgen.readers import ReaderOptions


BAD_INPUT = 2
NONE_WRITTEN = "; nothing was written"


class ScaleName(StrEnum):
    """The scale of the labels."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"
    RATIO = "ratio"
    SET = "set"


# What several commands take.
CampaignFolders = Annotated[
    list[Path] | None,
    typer.Argument(help="Folders of campaigns; by default, every folder in campaigns/ with a campaign.toml."),
]
ScaleOption = Annotated[ScaleName, typer.Option(help="The scale of the labels.")]
FoundScaleOption = Annotated[
    ScaleName | None,
    typer.Option(help="The scale of the labels; by default, reportgen works it out from the labels."),
]
NonAnnotated = Annotated[str, typer.Option(help="The label that means that nothing was marked.")]
Missing = Annotated[
    list[str] | None, typer.Option(help="A value that means that a rating is missing. Repeatable.")
]
Columns = Annotated[
    str,
    typer.Option(
        help="What the columns are, such as unit=item,label=vote; also annotator, document and pass."
    ),
]
SetSeparator = Annotated[
    str, typer.Option(help="The character that separates the labels of a set in a cell.")
]


# Whether a command was asked for JSON: then what is wrong is JSON too, on standard output.
JSON_WANTED: ContextVar[bool] = ContextVar("JSON_WANTED", default=False)


def print_problems(problems: Sequence[Problem]) -> None:
    """Print as JSON what is wrong, where JSON was asked for."""
    if JSON_WANTED.get():
        told, number = listed(problems)
        keys = ("file", "line", "key", "message", "remedy")
        shown = [{key: getattr(problem, key) for key in keys} for problem in told]
        print_json({"problems": shown, "number": number})


@contextmanager
def problems_to_exit_status(consequence: str = "") -> Iterator[None]:
    """Print every problem with its place and remedy, and end with status 2, where the input is bad."""
    try:
        yield
    except BadInput as error:
        problems = error.problems
    except OSError as error:
        if error.errno == errno.EPIPE:  # the reader of our output has seen enough: typer knows what to do
            raise
        file = os.fsdecode(error.filename) if error.filename else "the system"
        problems = (Problem(file, message=f"refused: {reason(error)}."),)
    else:
        return
    print_problems(problems)
    lines = alike_as_one(problems)
    for line in lines[:MOST_TOLD]:
        say(line)
    _, number = listed(problems)
    first = f"; the first {MOST_TOLD} are above" if len(lines) > MOST_TOLD else ""
    say(f"{number:,} problem{'s' if number > 1 else ''}{first}{consequence}.")
    raise typer.Exit(BAD_INPUT)


def say(text: str) -> None:
    """Print a line on standard error."""
    typer.echo(printable(text), err=True)


def tell(problems: Iterable[Problem | str]) -> None:
    """Print problems on standard error, a line each; of many that are alike the first."""
    for line in alike_as_one(problems):
        say(line)


def print_json(content: Any) -> None:  # noqa: ANN401 - any JSON value
    """Print JSON, which is UTF-8 whatever the terminal speaks; names of files may contain what is not one."""
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, indent=1)
    typer.echo(text.encode(errors="replace"))


def answer(content: Any, lines: Iterable[str], *, as_json: bool) -> None:  # noqa: ANN401 - any JSON value
    """Print what a command found: as JSON, or in lines for people."""
    if as_json:
        print_json(content)
        return
    for line in lines:
        typer.echo(printable(line))


@dataclass(frozen=True)
class Workplace:
    """Where a command was given: the campaigns there, `own` the one inside which it was, and their site."""

    campaigns: Sequence[Path]
    site: Path
    own: Path | None = None


def workplace(command: str) -> Workplace:
    """Return the campaigns of this folder, or of the nearest above that has any, and where their site goes.

    Campaigns are the folders of campaigns/ with a campaign.toml; one that lies elsewhere is alone, and its
    site goes beside it. Raises BadInput where there is none.
    """
    current = Path.cwd()
    own: Path | None = None
    remedy = f"Name a campaign's folder: reportgen {command} FOLDER; or make one: reportgen new NAME."
    for folder in (current, *current.parents):
        shown = Path(os.path.relpath(folder))
        try:
            names = _campaigns_below(folder / CAMPAIGNS)
        except OSError as error:
            message = f"can't be read: {reason(error)}."
            raise refused(str(shown / CAMPAIGNS), message=message, remedy=remedy) from None
        if names:
            return Workplace([shown / CAMPAIGNS / name for name in names], shown / SITE, own)
        if own is None and _is_campaign(folder):
            own = shown
            if folder.parent.name != CAMPAIGNS.name:
                return Workplace([own], Path(os.path.relpath(folder.parent)) / SITE, own)
    message = "has no folder with a campaign.toml, here or above."
    if any(not name.startswith(".") for name in os.listdir(current)):  # noqa: PTH208 - names are enough
        remedy = f"{remedy} If this folder has exports, `reportgen init .` makes it a campaign."
    raise refused(str(CAMPAIGNS), message=message, remedy=remedy)


def found(folders: Sequence[Path]) -> list[Path]:
    """Return the folders that were named; a campaign's name alone is that of one in campaigns/.

    Raises BadInput for a name that is nearly a campaign's.
    """
    return for_each(folders, _found)


def _found(name: Path) -> Path:
    if len(name.parts) != 1 or name.exists():
        return name
    current = Path.cwd()
    everywhere = [folder / CAMPAIGNS for folder in (current, *current.parents)]
    there = next((folder / name for folder in everywhere if _is_campaign(folder / name)), None)
    if there is not None:
        return Path(os.path.relpath(there))
    if near := nearest(str(name), [known for folder in everywhere for known in _campaigns_below(folder)]):
        raise refused(str(name), message="there is no such folder.", remedy=near)
    return name


def here(command: str) -> Sequence[Path]:
    """Return the campaign inside which a command was given, else those of the folder."""
    current = workplace(command)
    return [current.own] if current.own else current.campaigns


def _campaigns_below(folder: Path) -> list[str]:
    """Return the names of the campaigns in a folder, none where there is no such folder."""
    try:
        names = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [name for name in names if _is_campaign(folder / name)]


def _is_campaign(folder: Path) -> bool:
    """Tell whether a folder is a campaign's, or may be one but can't be read."""
    try:
        return folder.is_dir() and (folder / "campaign.toml").exists()
    except OSError:
        return True


def reading(  # noqa: PLR0917 - one argument for each option
    columns: str,
    missing: list[str],
    set_separator: str,
    annotators: tuple[str, ...],
    encoding: str = "",
    decimal: str = "",
    keys: Path | None = None,
) -> "ReaderOptions":
    """Return how to read a table, from the options of a command and a file with keys of its own."""
    from reportgen.readers import ReaderOptions

    parts = [part.partition("=") for part in split(columns)]
    wrong = ["".join(part) for part in parts if not part[1]]
    if wrong:
        message = f'"{wrong[0]}" does not say which column it is.'
        raise refused("--columns", message=message, remedy="Write unit=item,annotator=worker.")
    named = {key.strip(): value.strip() for key, _, value in parts}
    said = ReaderOptions()
    if keys is not None:
        from reportgen.campaign.load import load_reading
        from reportgen.pipeline.reading import options_said

        said = options_said(load_reading(keys))
    return replace(
        said,
        columns={**said.columns, **named},
        missing=(*said.missing, *map(as_compared, missing)),
        set_separator=set_separator or said.set_separator,
        annotators=annotators or said.annotators,
        encoding=encoding or said.encoding,
        decimal=decimal or said.decimal,
    )


def number(text: str) -> float:
    """Return the number that an option is given as; say how one is written where it is not one."""
    try:
        return float(text)
    except ValueError:
        point = text.replace(",", ".", 1)
        meant = f"with a point: {point}" if re.fullmatch(r"\d*\.\d+", point) else "with digits, such as 0.8"
        raise typer.BadParameter(f'"{printable(text)}" is not a number. Write it {meant}.') from None


def split(text: str) -> tuple[str, ...]:
    """Return what is between commas, which quotation marks hide."""
    import csv

    rows = list(csv.reader([text], skipinitialspace=True))
    return tuple(as_compared(part.strip()) for part in rows[0] if part.strip()) if rows else ()


# How far a long command is, on a terminal: bars with counts and the time left, gone at the end.

TITLES: dict[Stage, str] = {
    "files": "Reading files",
    "folders": "Computing versions",
    "pages": "Writing pages",
}
# What is written to a pipe at once is not mixed with what others write, up to so many bytes.
AT_ONCE = 512


class Bars(Progress):
    """Hears copies of this process too: all of them write lines of JSON to one pipe, which a thread reads."""

    def __init__(self, writing: int) -> None:
        """Write to a pipe."""
        super().__init__()
        self._writing = writing

    def __call__(self, step: str) -> None:
        """Pass on what is done at the moment."""
        self._write(["step", step[: AT_ONCE // 8]])

    def expect(self, stage: Stage, number: int) -> None:
        """Pass on how many more are to be done."""
        self._write(["expect", stage, number])

    def advance(self, stage: Stage, number: int = 1) -> None:
        """Pass on how many more are done."""
        self._write(["advance", stage, number])

    def _write(self, line: list[Any]) -> None:
        with contextlib.suppress(OSError):
            os.write(self._writing, json.dumps(line).encode() + b"\n")


@contextlib.contextmanager
def bars() -> Iterator[Progress]:
    """Yield who shows how far a command is; nobody where nobody is looking."""
    if not sys.stderr.isatty():
        yield Progress()
        return
    import rich.progress  # noqa: F401 - not by the thread: this process may be copied meanwhile

    reading, writing = os.pipe()
    thread = threading.Thread(target=_show, args=(reading,), daemon=True)
    thread.start()
    try:
        yield Bars(writing)
    finally:
        os.write(writing, b"\n")
        thread.join()
        os.close(writing)


def _show(reading: int) -> None:
    """Show what is written to a pipe, up to an empty line."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Shown

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    out = Console(stderr=True, highlight=False, markup=False, emoji=False)
    with os.fdopen(reading, encoding="utf-8") as lines, Shown(*columns, console=out, transient=True) as shown:
        tasks: dict[str, TaskID] = {}
        for line in iter(lines.readline, "\n"):
            _take(shown, tasks, json.loads(line))


def _take(shown: "Shown", tasks: dict[str, "TaskID"], line: list[Any]) -> None:
    """Show one line."""
    match line:
        case ["step", str(step)]:
            shown.console.print(printable(step), style="dim")
        case ["expect", str(stage), int(number)]:
            if stage not in tasks:
                tasks[stage] = shown.add_task(TITLES[stage], total=0)  # type: ignore[index]
            shown.update(tasks[stage], total=(shown.tasks[tasks[stage]].total or 0) + number)
        case ["advance", str(stage), int(number)] if stage in tasks:
            task = shown.tasks[tasks[stage]]
            shown.update(task.id, completed=min(task.completed + number, task.total or 0))
        case _:
            pass
