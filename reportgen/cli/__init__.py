"""The command line: its commands, which parse, call and print. They import what takes long themselves."""

import errno
import gc
import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer
from typer.core import TyperGroup

from reportgen.base import FORMAT, __version__
from reportgen.base.errors import Problem, reason
from reportgen.cli import annotating, common, release, start, understand
from reportgen.cli.common import BAD_INPUT

# What `reportgen --help` lists: the commands of each module in the order in which they are there.
GROUPS = {
    "Start": start.app,
    "Annotate": annotating.app,
    "Understand": understand.app,
    "Release": release.app,
}
# What a command does, in letters.
LONGEST = 60
# What is wrong on a command line: typer hands on the class below it alone.
UsageError: type[typer.BadParameter] = typer.BadParameter.__mro__[1]


class CommandGroups(TyperGroup):
    """The commands in their groups."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - typer keeps these to itself
        """Write each group with its commands and what they do."""
        for title, group in GROUPS.items():
            infos = [info for info in group.registered_commands if info.callback]
            names = [str(info.name or getattr(info.callback, "__name__", "")) for info in infos]
            commands = ((name, self.get_command(ctx, name)) for name in names)
            rows = [(name, command.get_short_help_str(LONGEST)) for name, command in commands if command]
            with formatter.section(title):
                formatter.write_dl(rows)

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - typer keeps these to itself
        """Run a command; where it was asked for JSON, what is wrong on the command line is JSON too."""
        common.JSON_WANTED.set("--json" in ctx.args or {"--format", "json"} <= set(ctx.args))
        try:
            return super().invoke(ctx)
        except UsageError as error:
            common.print_problems([Problem("", message=error.format_message())])
            raise


app = typer.Typer(
    name="reportgen",
    cls=CommandGroups,
    help="Make agreement reports from what annotators exported.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.registered_commands = [info for group in GROUPS.values() for info in group.registered_commands]


# Where nobody reads on, a status that is no verdict: as if the system had ended the command.
PIPE_CLOSED = 128 + 13


class OutputLost(BaseException):
    """What a command prints can't be written. No handler of errors takes it for one of the command's own."""

    def __init__(self, error: OSError) -> None:
        """Keep what the system said."""
        super().__init__()
        self.error = error


class _Output(io.FileIO):
    """Standard output, which a command can't do without, or standard error, which it can."""

    def write(self, data: Any, /) -> int:  # noqa: ANN401 - any buffer
        """Write to the system."""
        try:
            return super().write(data)
        except OSError as error:
            if self.fileno() == 1:
                raise OutputLost(error) from None
            return memoryview(data).nbytes


def _stream(stream: TextIO | None, number: int) -> TextIO:
    """Return a stream of the command; one that was closed leads nowhere."""
    if stream is None:
        return Path(os.devnull).open("w", encoding="utf-8")
    if not (isinstance(stream, io.TextIOWrapper) and isinstance(stream.buffer, io.BufferedWriter)):
        return stream
    # A terminal that can't show a letter gets a question mark for it, never an error.
    binary = io.BufferedWriter(_Output(number, "w", closefd=False))
    return io.TextIOWrapper(binary, stream.encoding, "replace", line_buffering=stream.line_buffering)


def main() -> None:
    """Run the command line."""
    # Looking for plugins reads what is installed, and no model of ours has one.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    # A short run makes few cycles: looking for them all the time costs a twentieth of a build.
    gc.set_threshold(300_000, 50, 50)
    # matplotlib refuses to begin where this is no backend of its own, and our figures have none.
    os.environ.pop("MPLBACKEND", None)
    sys.stdout, sys.stderr = _stream(sys.stdout, 1), _stream(sys.stderr, 2)
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except OutputLost as lost:
        # What is still to be written goes nowhere, or Python complains of it at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if lost.error.errno == errno.EPIPE:
            sys.exit(PIPE_CLOSED)
        sys.stderr.write(f"The output can't be written: {reason(lost.error)}.\n")
        sys.exit(BAD_INPUT)
    finally:
        # The system takes the memory back: looking for cycles in it first is a fifth of a build. DuckDB
        # complains of objects that are left.
        if "duckdb" not in sys.modules:
            gc.freeze()


def _about() -> Iterator[tuple[str, str]]:
    """Yield what a report of a fault needs: nothing of it tells who or where somebody is."""
    import locale
    import platform

    from reportgen.base.files import templates
    from reportgen.pipeline.build_cache import LIBRARIES, libraries_of

    is_wheel = templates().is_relative_to(Path(__file__).parents[1])
    origin = "folder of make app" if hasattr(sys, "frozen") else "wheel" if is_wheel else "checkout"
    yield "distribution", f"agreement-report, {origin}"
    yield "formats", f"schema {FORMAT}"
    yield "Python", f"{platform.python_version()} ({platform.python_implementation()})"
    yield "system", f"{platform.system()} {platform.release()}, {platform.machine()}"
    encodings = (sys.getfilesystemencoding(), locale.getencoding(), getattr(sys.stdout, "encoding", "none"))
    yield "encodings", "files' names {}, system {}, output {}".format(*encodings)
    there = dict(libraries_of(LIBRARIES))
    yield "libraries", ", ".join(f"{name} {there.get(name, 'absent')}" for name in LIBRARIES)


@app.callback(invoke_without_command=True)
def _options(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="With --version: print what a report of a fault needs.")
    ] = False,
) -> None:
    """Options that come before a command."""
    if version:
        lines = [f"{name}: {value}" for name, value in _about()] if verbose else []
        typer.echo("\n".join((f"reportgen {__version__}", *lines)))
        raise typer.Exit
    if context.invoked_subcommand is None:
        context.fail("Missing command.")
