"""Whole commands as processes, against what importing pandas and matplotlib alone takes."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.builds import AS_USERS
from benchmarks.timing import Timed, medians

CHECKOUT = Path(__file__).resolve().parent.parent
CAMPAIGN = "campaigns/gene-renaming"
REPEATS = 9


@dataclass(frozen=True)
class Command:
    """A command as it is shown, and as it is run; `emptied` is a folder that is taken away before."""

    shown: str
    arguments: Sequence[str]
    emptied: Path | None = None

    def run(self) -> None:
        """Run the command; raise CalledProcessError where it fails."""
        if self.emptied:
            shutil.rmtree(self.emptied, ignore_errors=True)
        subprocess.run(self.arguments, cwd=CHECKOUT, check=True, capture_output=True, env=AS_USERS)


def time_commands() -> list[tuple[str, float]]:
    """Return each command and its median in seconds; first the imports, to compare with."""
    with tempfile.TemporaryDirectory() as folder:
        commands = _commands(Path(folder))
        for command in commands:
            command.run()
        times = medians([Timed(command.run, REPEATS) for command in commands])
    return [(command.shown, time) for command, time in zip(commands, times, strict=True)]


def _commands(folder: Path) -> tuple[Command, ...]:
    imports = "import pandas, matplotlib.pyplot"
    reportgen = str(Path(sys.executable).parent / "reportgen")
    build, first = (reportgen, "build", CAMPAIGN, "--out"), folder / "first"
    return (
        Command(f'python -c "{imports}"', (sys.executable, "-c", imports)),
        Command("reportgen --help", (reportgen, "--help")),
        Command(f"reportgen build {CAMPAIGN}, the first time", (*build, str(first)), first),
        Command(f"reportgen build {CAMPAIGN}, nothing changed", (*build, str(folder / "site"))),
    )
