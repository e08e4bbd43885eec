"""What `reportgen --help` lists: commands in groups, by what they are for."""

from collections.abc import Mapping, Sequence
from typing import Any

from typer.core import TyperGroup

GROUPS: Mapping[str, Sequence[str]] = {
    "Start": ("init", "new", "build", "serve", "agree", "plan"),
    "Understand": ("compare", "explain", "formats", "schema"),
    "Release": ("check", "bundle", "merge", "verify", "count"),
}


# What a command does, in letters.
LONGEST = 60


class CommandGroups(TyperGroup):
    """The commands in their groups."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - typer keeps these to itself
        """Write each group with its commands and what they do."""
        for title, names in GROUPS.items():
            known = [(name, self.get_command(ctx, name)) for name in names]
            rows = [(name, each.get_short_help_str(LONGEST)) for name, each in known if each]
            with formatter.section(title):
                formatter.write_dl(rows)
