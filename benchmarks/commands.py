"""Whole commands as processes, against what importing pandas and matplotlib alone takes, or a script."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.builds import AS_USERS
from benchmarks.data import labels
from benchmarks.timing import Timed, medians

CHECKOUT = Path(__file__).resolve().parent.parent
CAMPAIGN = "campaigns/gene-renaming"
REPEATS = 9
# What people write who want alpha of a CSV and nothing else.
SCRIPT = """
import sys, krippendorff, pandas
table = pandas.read_csv(sys.argv[1])[["A1", "A2", "A3"]]
codes = {label: code for code, label in enumerate(pandas.unique(table.to_numpy().ravel()))}
coded = table.map(codes.get).to_numpy().T.astype(float)
print(krippendorff.alpha(reliability_data=coded, level_of_measurement="nominal"))
"""


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


def time_agree(rows: int) -> list[tuple[str, float]]:
    """Return a script for alpha of a CSV with so many rows, and `agree`, with their medians in seconds."""
    reportgen = str(Path(sys.executable).parent / "reportgen")
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "labels.csv"
        lines = (
            f"d{unit // 12},u{unit},{','.join(f'c{label}' for label in row)}\n"
            for unit, row in enumerate(labels(3)[:rows].tolist())
        )
        table.write_text(f"document,unit,A1,A2,A3\n{''.join(lines)}", encoding="utf-8")
        commands = (
            Command("a script of pandas and krippendorff", (sys.executable, "-c", SCRIPT, str(table))),
            Command("reportgen agree", (reportgen, "agree", str(table))),
        )
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
