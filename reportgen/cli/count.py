"""`reportgen count`: the counts of a table of labels, made where it lies, for a report somewhere else."""

import json
import signal
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reportgen.cli.common import ScaleName, bars, explained, reading, split

if TYPE_CHECKING:
    from reportgen.pipeline.counting import CountSummary


KILLED = 128 + signal.SIGTERM


class EngineName(StrEnum):
    """Who reads and counts a table."""

    MEMORY = "memory"
    DUCKDB = "duckdb"
    SPARK = "spark"


def count(  # noqa: PLR0917 - one argument for each option
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE...",
            help="Ratings, wide or long: CSV, TSV, Parquet, a folder or glob of these, a DuckDB or SQLite "
            "database, or the address of another, such as postgres://host/campaign.",
        ),
    ],
    out: Annotated[Path, typer.Option(help="The folder of counts; it then holds exactly these.")],
    engine: Annotated[
        EngineName, typer.Option(help="Who reads and counts; the counts are the same.")
    ] = EngineName.DUCKDB,
    memory: Annotated[
        str, typer.Option(help="How much memory DuckDB may take, such as 2GB; by default, half of it.")
    ] = "",
    threads: Annotated[int, typer.Option(min=0, help="How many processors DuckDB may take; 0: all.")] = 0,
    table: Annotated[str, typer.Option(help="The table or view of a database.")] = "",
    columns: Annotated[
        str, typer.Option(help="Which column is what: unit=item,annotator=worker,document=topic,label=vote.")
    ] = "",
    annotators: Annotated[str, typer.Option(help="The annotators to count, with commas between.")] = "",
    scale: Annotated[
        ScaleName, typer.Option(help="How categories relate to each other.")
    ] = ScaleName.NOMINAL,
    categories: Annotated[
        str,
        typer.Option(help="Categories in their order, with commas between; other labels are left out."),
    ] = "",
    non_annotated: Annotated[str, typer.Option(help="The category of units that nobody marked.")] = "",
    missing: Annotated[
        list[str] | None, typer.Option(help="A cell that means a missing rating; repeatable.")
    ] = None,
    set_separator: Annotated[str, typer.Option(help="What separates the labels of a set in one cell.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print what was counted as JSON.")] = False,
) -> None:
    """Count a table of labels of any size, for `build`."""
    with explained("; nothing was written"):
        from dataclasses import replace

        from reportgen.pipeline.counting import CountRequest, count_table
        from reportgen.readers import Engine

        files, address = _told_apart(sources)
        asked = replace(
            reading(columns, missing or [], set_separator, split(annotators)),
            table=table or None,
            database=address,
            engine=Engine(name=engine.value, memory=memory or None, threads=threads or None),
        )
        # Whoever ends it leaves nothing behind, as with Ctrl-C.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(KILLED))
        wanted = CountRequest(files, asked, scale.value, split(categories), non_annotated or None)
        with bars() as progress:
            account = count_table(wanted, out, progress)
    if as_json:
        typer.echo(json.dumps(vars(account), sort_keys=True, ensure_ascii=False, indent=1).encode())
        return
    for line in _lines(account, out):
        typer.echo(line)


def _told_apart(sources: list[str]) -> tuple[list[Path], str | None]:
    """Return files, or the address of a database; raise BadInput for an address among others."""
    from reportgen.base.errors import BadInput, Problem
    from reportgen.readers import is_address

    if not any(map(is_address, sources)):
        return [Path(each) for each in sources], None
    if len(sources) > 1:
        message, mend = "is the address of one of several sources.", "Name one of them."
        raise BadInput(Problem("SOURCE", message=message, mend=mend) for each in sources if is_address(each))
    return [], sources[0]


def _lines(account: "CountSummary", out: Path) -> list[str]:
    from reportgen.base.errors import printable

    lost = sum(account.left_out.values())
    return [
        printable(account.reading),
        f"{account.units:,} units, {account.annotators:,} annotators, {account.categories:,} categories.",
        f"{account.read:,} labels read, {account.used:,} used, {lost:,} left out.",
        f"{account.missing:,} cells without a label.",
        *(f"  {n:,}: {printable(why)}" for why, n in account.left_out.items()),
        printable(f"Written: {out / 'counts.json'}"),
    ]
