"""Compare reportgen's figures with those of other libraries, then time both: `python -m benchmarks [--json]`.

`python -m benchmarks coverage` simulates how often intervals hold the true value instead, and
`python -m benchmarks power` how often tests between guidelines versions err, or see a change. `every_figure`
does the first with reportgen's own code, for every kind of figure, and `plans` says how often campaigns as
large as planned have the interval that they were planned for.
`rare`, `margins` and `truth` simulate how often a verdict on a rare category is false, a test of margins
errs, and the model of Dawid and Skene names somebody without cause, `replacement` how often a model takes a
human's place wrongly, and rightly, `annotators` how often intervals that cover their
choice contain the truth, `probable` how probable labels of several annotators are, `accusations` how often
findings blame somebody falsely, `named` how often the tests behind them do, `habits` how often the first
screen of marks in texts names who has which habit, and a habit in noise. `on_a_scale` simulates intervals of
ranks and numbers by the number of units,
`numbers` those of numbers that are not normal, beside F's, `corrected` those of a judge's corrected shares.
`python -m benchmarks versions` builds a site of twelve guidelines versions, and builds it again, and
`python -m benchmarks build` the example campaign, with the CPU that it takes after imports and as a whole.
`python -m benchmarks tables` times `agree` and `count` on large tables beside DuckDB's bare query;
`--replications` says how many labels the largest has; `wide` times tables of many categories or annotators.
`shapes` times `count` and `build` on a table of each shape, beside the same grouping in DuckDB, pandas and,
with `--peers`, polars; `--replications` says how many labels each has.
`projects` makes projects of marks, of INCEpTION and brat, and measures `init` and `build` on them;
`--replications` says how many documents the largest has, and `--peers` names a Python with the packages
`inceptalytics` and `bratiaa`, which then read the same marks.

Figures are compared first; where one is unequal it is printed and the exit status is 1. Each library
starts from the same array and is charged for what it has to make of it.
"""

import argparse
import json
import math
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import Any

from benchmarks import (
    accusations,
    annotators,
    builds,
    corrected,
    coverage,
    every_figure,
    habits,
    large,
    margins,
    named,
    numbers,
    on_a_scale,
    plans,
    power,
    probable_labels,
    projects,
    rare,
    rare_units,
    replacement,
    shapes,
    truth,
    versions,
    wide,
)
from benchmarks.commands import time_agree, time_commands
from benchmarks.contenders import FIGURES, LIBRARIES, Answer, Contender, Figure
from benchmarks.data import CATEGORIES, UNITS, Labels, labels
from benchmarks.timing import Timed, medians

SAME_VALUE = 1e-9
# A standard error over n or n - 1 units.
SAME_ERROR = 1e-4
MILLISECONDS = 1000
TABLE_ROWS = (60, 100_000)
SIMULATED = {
    "coverage": coverage,
    "every_figure": every_figure,
    "plans": plans,
    "power": power,
    "rare": rare,
    "rare_units": rare_units,
    "on_a_scale": on_a_scale,
    "numbers": numbers,
    "corrected": corrected,
    "margins": margins,
    "truth": truth,
    "habits": habits,
    "replacement": replacement,
    "annotators": annotators,
    "probable": probable_labels,
}
BENCHMARKS = (
    "speed",
    *SIMULATED,
    "accusations",
    "named",
    "versions",
    "build",
    "tables",
    "wide",
    "shapes",
    "projects",
)


@dataclass(frozen=True)
class Row:
    """A line of a table: what was timed, what it gives, its median, and its ratio to the first line."""

    name: str
    gives: str
    milliseconds: float
    ratio: float


def main() -> int:
    """Run every benchmark and print it; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("what", nargs="?", choices=BENCHMARKS, default="speed")
    parser.add_argument(
        "parts", nargs="*", metavar="part", help=f"of accusations: {', '.join(accusations.PARTS)}"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--replications", type=int, help="campaigns that are simulated of each design")
    parser.add_argument("--peers", help="a Python that has the packages of others")
    asked = parser.parse_args()
    if {*asked.parts} - {*(accusations.PARTS if asked.what == "accusations" else ())}:
        parser.error(f"accusations has these parts, the others none: {', '.join(accusations.PARTS)}")
    if asked.what in SIMULATED:
        simulation = SIMULATED[asked.what]
        print(simulation.run(asked.replications or simulation.REPLICATIONS))
        return 0
    measured: dict[str, Callable[[], Iterator[str]]] = {
        "named": lambda: named.run(asked.replications or named.REPLICATIONS),
        "accusations": lambda: accusations.run(asked.replications or accusations.REPLICATIONS, asked.parts),
        "tables": lambda: large.run(asked.replications or large.LARGEST),
        "wide": wide.run,
        "shapes": lambda: shapes.run(asked.replications or shapes.LABELS, asked.peers),
        "projects": lambda: projects.run(asked.replications or projects.LARGEST, asked.peers),
    }
    if asked.what in measured:
        for line in measured[asked.what]():
            print(line, flush=True)
        return 0
    if asked.what == "versions":
        print("\n".join(map(versions.run, versions.KINDS)))
        return 0
    if asked.what == "build":
        print(builds.run())
        return 0
    as_json = asked.json
    data = {figure.annotators: labels(figure.annotators) for figure in FIGURES}
    unequal = [line for figure in FIGURES for line in _unequal(figure, data[figure.annotators])]
    if unequal:
        print("\n".join(unequal), file=sys.stderr)
        return 1
    tables = {_title(figure): _time(figure, data[figure.annotators]) for figure in FIGURES}
    tables["Commands, as processes"] = _commands(time_commands())
    for rows in TABLE_ROWS:
        tables[f"Agreement of a CSV of {rows:,} rows, as processes"] = _commands(time_agree(rows))
    print(_json(tables) if as_json else _text(tables))
    return 0


def _unequal(figure: Figure, given: Labels) -> Iterator[str]:
    """Yield a line for each contender whose answer is not the first one's; this warms all of them up."""
    ours = figure.contenders[0].run(given)
    for contender in figure.contenders[1:]:
        theirs = contender.run(given)
        if not _same(ours, theirs):
            yield f"Unequal: {_title(figure)}: reportgen {ours}, {contender.name} {theirs}"


def _same(ours: Answer, theirs: Answer) -> bool:
    if ours.standard_error is not None and theirs.standard_error is not None:
        found = math.isclose(ours.standard_error, theirs.standard_error, rel_tol=SAME_ERROR)
    else:
        found = True
    return found and math.isclose(ours.value, theirs.value, rel_tol=SAME_VALUE)


def _title(figure: Figure) -> str:
    return f"{figure.title}, {figure.annotators} annotators, {UNITS:,} units, {CATEGORIES} categories"


def _time(figure: Figure, given: Labels) -> list[Row]:
    def timed(contender: Contender) -> Timed:
        return Timed(lambda: contender.run(given), contender.repeats)

    times = medians([timed(contender) for contender in figure.contenders])
    names = [(contender.name, contender.gives) for contender in figure.contenders]
    return _rows(names, times)


def _commands(timed: Sequence[tuple[str, float]]) -> list[Row]:
    return _rows([(shown, "") for shown, _ in timed], [time for _, time in timed])


def _rows(names: Sequence[tuple[str, str]], times: Sequence[float]) -> list[Row]:
    """Return the rows of a table; the first is what the others are compared with."""
    return [
        Row(*name, milliseconds=time * MILLISECONDS, ratio=time / times[0])
        for name, time in zip(names, times, strict=True)
    ]


def _versions() -> dict[str, str]:
    return {name: metadata.version(name) for name in ("agreement-report", *LIBRARIES)}


def _json(tables: dict[str, list[Row]]) -> str:
    content: dict[str, Any] = {
        "python": platform.python_version(),
        "versions": _versions(),
        "tables": [{"title": title, "rows": [vars(row) for row in rows]} for title, rows in tables.items()],
    }
    return json.dumps(content, indent=1)


def _text(tables: dict[str, list[Row]]) -> str:
    lines = [", ".join(f"{name} {version}" for name, version in _versions().items())]
    lines.append("Medians of interleaved repeats; the ratio is to the first line of each table.")
    for title, rows in tables.items():
        name_width, gives_width = max(len(row.name) for row in rows), max(len(row.gives) for row in rows)
        lines += ["", title]
        for row in rows:
            gives = f"  {row.gives:{gives_width}}" if gives_width else ""
            lines.append(f"  {row.name:{name_width}}{gives}  {row.milliseconds:8.1f} ms  {row.ratio:6.2f}")
    return "\n".join(lines)


if __name__ == "__main__":
    raise SystemExit(main())
