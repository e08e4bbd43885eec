"""The command line: its commands, which parse, call and print. They import what takes long themselves."""

import gc
import io
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from reportgen.base import __version__
from reportgen.cli import release, start, understand

# What `reportgen --help` lists: commands in groups, by what they are for.
GROUPS: Mapping[str, Sequence[str]] = {
    "Start": ("init", "new", "build", "serve", "agree", "plan"),
    "Understand": ("compare", "explain", "formats", "schema"),
    "Release": ("check", "gold", "key", "bundle", "merge", "verify", "count"),
}
# What a command does, in letters.
LONGEST = 60


class CommandGroups(TyperGroup):
    """The commands in their groups."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - typer keeps these to itself
        """Write each group with its commands and what they do."""
        for title, names in GROUPS.items():
            commands = [(name, self.get_command(ctx, name)) for name in names]
            rows = [(name, command.get_short_help_str(LONGEST)) for name, command in commands if command]
            with formatter.section(title):
                formatter.write_dl(rows)


app = typer.Typer(
    name="reportgen",
    cls=CommandGroups,
    help="From a campaign of annotators' exports to a published agreement report.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for module, commands in zip((start, understand, release), GROUPS.values(), strict=True):
    for command in commands:
        app.command(command)(getattr(module, command))


def main() -> None:
    """Run the command line."""
    # Looking for plugins reads what is installed, and no model of ours has one.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    # A short run makes few cycles: looking for them all the time costs a twentieth of a build.
    gc.set_threshold(300_000, 50, 50)
    # A terminal that can't show a letter gets a question mark for it, never an error.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        app()
    finally:
        # The system takes the memory back: looking for cycles in it first is a fifth of a build. DuckDB
        # complains of objects that are left.
        if "duckdb" not in sys.modules:
            gc.freeze()


def _version(is_given: bool) -> None:
    if is_given:
        typer.echo(f"reportgen {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Options that come before a command."""
