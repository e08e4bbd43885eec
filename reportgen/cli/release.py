"""Commands for a release: rules checked, a bundle written, merged and verified, labels counted elsewhere."""

import difflib
import re
import signal
import sys
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reportgen.base.errors import BadInput, Problem, printable, tried
from reportgen.base.progress import telling
from reportgen.cli import common
from reportgen.cli.common import explained, say

if TYPE_CHECKING:
    from reportgen.campaign import Campaign
    from reportgen.pipeline.counting import CountSummary
    from reportgen.publish.bundle import Bundled, BundleOptions
    from reportgen.publish.merge import MergedFile

# What ends a command with status 1: a rule that is broken, a file that differs or would change.
FAILED = 1
KILLED = 128 + signal.SIGTERM
COLOURS = {"broken": "red", "held": "green", "same": "green", "different": "red", "unchecked": "yellow"}
NONE_WRITTEN = "; nothing was written"
NEWLINE = re.compile(r"[^\n]*\n|[^\n]+")


# How verdicts are printed.
Format = StrEnum("Format", ["TEXT", "JSON", "JUNIT", "GITHUB"])


def check(
    campaigns: common.CampaignFolders = None,
    shape: Annotated[
        Format, typer.Option("--format", help="For people, programs, build servers or pull requests.")
    ] = Format.TEXT,
    as_json: Annotated[bool, typer.Option("--json", help="Print verdicts as JSON: --format json.")] = False,
) -> None:
    """Check newest versions against [gate]; exit 1 if one fails."""
    with explained():
        from reportgen.cli import gate_check

        with common.bars() as progress, telling(progress):
            checks = gate_check.check(campaigns or common.here("check"), progress)
    if as_json or shape is Format.JSON:
        common.print_json(checks)
    elif shape is Format.JUNIT:
        typer.echo(gate_check.as_junit(checks), nl=False)
    elif shape is Format.GITHUB:
        for line in gate_check.as_github(checks):
            typer.echo(line.encode())
    else:
        for state, line in gate_check.as_text(checks):
            _print(line, COLOURS.get(state, ""), re.escape(f" {state}:"))
    if not checks["held"]:
        raise typer.Exit(FAILED)


def _print(line: str, colour: str, words: str) -> None:
    """Print a line for people, some words of it in a colour where the terminal has colours."""
    from rich.text import Text

    from reportgen.cli.terminal import console

    text = Text(printable(line))
    text.highlight_regex(words, colour)
    console().print(text)


def bundle(  # noqa: PLR0917 - one argument for each option
    campaign: Annotated[Path, typer.Argument(help="The campaign's folder.")],
    version: Annotated[str, typer.Argument(help="A guidelines version.")],
    out: Annotated[
        Path, typer.Option(metavar="FILE.zip|FOLDER", help="A zip file, or a new folder where it is none.")
    ],
    texts: Annotated[
        bool, typer.Option("--with-texts", help="Put in the annotated texts, and the pages that quote them.")
    ] = False,
    exports: Annotated[
        bool,
        typer.Option(
            "--with-exports", help="Put in the annotators' exports as they are, with everybody's name."
        ),
    ] = False,
    parquet: Annotated[
        bool, typer.Option("--parquet", help="Write counts as Parquet too, beside each CSV.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was written as JSON.")] = False,
) -> None:
    """Write what goes with a corpus release, in one file.

    Names and texts stay out of it unless asked for. Its date, where a format demands one, is that of
    SOURCE_DATE_EPOCH, else of the guidelines.
    """
    with explained("; nothing was written"):
        from reportgen.publish.bundle import BundleOptions, bundled
        from reportgen.publish.bundle_archive import write_bundle

        choice = BundleOptions(texts=texts, exports=exports, parquet=parquet)
        known = _allowed(campaign, version, out, choice)
        with common.bars() as progress, telling(progress):
            made = bundled(known, version, choice, progress)
            progress(f"{known.id} {version}: writing {out.name}")
            digest = write_bundle(out, made.files)
    common.tell(made.notices)
    common.answer(_account(out, made, digest), _in_lines(out, made, choice), as_json=as_json)


def _allowed(folder: Path, version: str, out: Path, choice: "BundleOptions") -> "Campaign":
    """Return the campaign; raise BadInput with all that is wrong with what is asked for."""
    from reportgen import campaign as asked
    from reportgen.publish.bundle import missing
    from reportgen.publish.bundle_archive import obstacles

    problems = [*obstacles(out, folder), *(missing() if choice.parquet else ())]
    loaded, wrong = tried([folder], asked.load)
    problems += wrong
    for known in loaded:
        problems += tried([version], known.version)[1]
        if choice.texts and known.privacy.texts != "show":
            message = 'is "withhold", and --with-texts would show them.'
            remedy = 'Leave --with-texts out; or write texts = "show" where they may be passed on.'
            problems.append(Problem(known.file, 0, "privacy.texts", message, remedy))
    if problems:
        raise BadInput(problems)
    return loaded[0]


def _account(out: Path, made: "Bundled", digest: str | None) -> dict[str, Any]:
    """Return what was written, for JSON; `digest` is the SHA-256 of a zip file, None of a folder."""
    from reportgen.publish.sentences import leading_figures

    return {
        "out": printable(out.as_posix()),
        "sha256": digest,
        "bytes": _bytes(out, made),
        "files": {name: len(content) for name, content in made.files.items()},
        "date": made.date,
        "figures": [
            {
                "layer": unit_set.layer,
                "unit_set": unit_set.id,
                "figure": name,
                "value": found.value if found else None,
                "low": found.interval.low if found and found.interval else None,
                "high": found.interval.high if found and found.interval else None,
            }
            for unit_set, name, found in leading_figures(made.results)
        ],
        "notices": [str(each) for each in made.notices],
    }


def _bytes(out: Path, made: "Bundled") -> int:
    return out.stat().st_size if out.is_file() else sum(map(len, made.files.values()))


def _in_lines(out: Path, made: "Bundled", choice: "BundleOptions") -> Iterator[str]:
    """Yield what was written in lines for people: its figures, what it holds and lacks, how to check it."""
    from reportgen.publish.sentences import has_layers, leading_figures
    from reportgen.words.numbers import estimate

    results, where = made.results, printable(out.as_posix())
    for unit_set, name, found in leading_figures(results):
        layer = f", {unit_set.layer}" if has_layers(results) else ""
        head = f"{results.campaign.id} {results.guidelines}{layer}: {results.name_of(name)}"
        yield f"{head} {estimate(found)}"
    if choice.texts:
        yield "In it: the annotated texts. Whoever has the bundle can read them."
    if choice.exports:
        yield "In it: the exports as they are, with the names of annotators and documents."
    absent = [f"{what} (--with-{what})" for what in ("texts", "exports") if not getattr(choice, what)]
    if absent:
        yield f"Not in it: {', '.join(absent)}."
    size = _bytes(out, made)
    power = min(len(str(size)) - 1, 12) // 3
    shown = f"{size / 1000**power:.3g} {('bytes', 'KB', 'MB', 'GB', 'TB')[power]}"
    yield f"Written: {where} ({len(made.files):,} files, {shown})"
    yield f"Check it: reportgen verify {where}"


def merge(  # noqa: PLR0917 - one argument for each option
    bundle: Annotated[Path, typer.Argument(help="A bundle, a zip file or a folder.")],
    targets: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...", help="Your README.md (a dataset card), croissant.json, CITATION.cff."
        ),
    ],
    yes: Annotated[bool, typer.Option("--yes", help="Write without asking.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit status 1 where something would change.")
    ] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Let the report's fields take the place of your own.")
    ] = False,
    link: Annotated[
        str | None, typer.Option(help="Where the report is, as the card is to link to it.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the changes as JSON.")] = False,
) -> None:
    """Put what a bundle says into your own files."""
    with explained(NONE_WRITTEN):
        from reportgen.publish.merge import offered, outcomes, write

        done = outcomes(offered(bundle), bundle, targets, link, replace=replace)
        if not as_json:
            _show(done)
        wanted = any(each.changed for each in done)
        # Elsewhere than on a terminal nobody can answer.
        agreed = wanted and not check and (yes or (not as_json and _on_terminal() and _asked(done)))
        if agreed:
            write(done)
    if as_json:
        common.print_json([_account_of_file(each, written=agreed) for each in done])
    elif agreed or not wanted:
        for each in done:
            typer.echo(_shown(f"{each.path}: {'written' if each.changed else 'nothing to change'}"))
    if wanted and not agreed:
        if not check:
            say("Nothing was written: --yes writes it.")
        raise typer.Exit(FAILED)


def _show(done: Sequence["MergedFile"]) -> None:
    for each in done:
        for line in _difference(each):
            typer.echo(_shown(line))
        for kept in each.kept:
            say(f"{each.path}: {kept}")
        if each.kept:
            say("--replace puts the report's words in their place.")


def _asked(done: Sequence["MergedFile"]) -> bool:
    number = sum(each.changed for each in done)
    return typer.confirm(f"Write {number} file{'s' if number > 1 else ''}?")


def _on_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _difference(each: "MergedFile") -> Iterator[str]:
    """Yield the lines of a unified difference, as `diff -u` and `patch` have it."""
    name = str(each.path)
    before, after = (NEWLINE.findall(text.decode()) for text in (each.before, each.content))
    for line in difflib.unified_diff(before, after, f"{name} (as it is)", f"{name} (merged)"):
        yield line.rstrip("\n")
        if not line.endswith("\n"):
            yield "\\ No newline at end of file"


def _shown(line: str) -> str:
    return printable(line.rstrip("\r").replace("\t", "    "))


def _account_of_file(each: "MergedFile", *, written: bool) -> dict[str, Any]:
    return {
        "file": str(each.path),
        "kind": each.kind,
        "changed": each.changed,
        "written": written and each.changed,
        "kept": list(each.kept),
        "difference": list(_difference(each)),
    }


def verify(
    path: Annotated[
        Path, typer.Argument(help="A bundle, zipped or unpacked; a site, or a campaign's or version's part.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print everything that was found as JSON.")] = False,
) -> None:
    """Recompute a bundle or a site; exit 1 if anything differs."""
    with explained("; nothing was verified"):
        from reportgen.publish import verify as verifying

        with common.bars() as progress, telling(progress):
            found = verifying.verify(path, progress)
    if as_json:
        common.print_json(verifying.account(found))
    else:
        for state, line in verifying.as_text(found):
            # The word for the state, else the file that it is told of.
            words = rf"\A(?:{state}(?=:)|.*?(?=: )|.*)" if state else r"\A"
            _print(line, COLOURS.get(state, ""), words)
    if not found.same:
        raise typer.Exit(FAILED)


# Who reads and counts a table.
EngineName = StrEnum("EngineName", ["MEMORY", "DUCKDB", "SPARK"])


def count(  # noqa: PLR0917 - one argument for each option
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE...",
            help="Ratings, wide or long: CSV, TSV, Parquet, a folder or glob of these, a DuckDB or SQLite "
            "database, or the address of another, such as postgres://host/campaign.",
        ),
    ],
    out: Annotated[Path, typer.Option(help="The folder of counts; it then has exactly these.")],
    engine: Annotated[
        EngineName, typer.Option(help="Who reads and counts; the counts are the same.")
    ] = EngineName.DUCKDB,
    memory: Annotated[
        str, typer.Option(help="How much memory DuckDB may take, such as 2GB; by default, half of it.")
    ] = "",
    threads: Annotated[int, typer.Option(min=0, help="How many processors DuckDB may take; 0: all.")] = 0,
    table: Annotated[str, typer.Option(help="The table or view of a database.")] = "",
    columns: common.Columns = "",
    annotators: Annotated[str, typer.Option(help="The annotators to count, with commas between.")] = "",
    scale: common.ScaleOption = common.ScaleName.NOMINAL,
    categories: Annotated[
        str, typer.Option(help="Categories in their order, with commas between; other labels are left out.")
    ] = "",
    non_annotated: common.NonAnnotated = "",
    missing: common.Missing = None,
    set_separator: common.SetSeparator = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print what was counted as JSON.")] = False,
) -> None:
    """Count a table of labels of any size, for `build`."""
    with explained("; nothing was written"):
        from dataclasses import replace

        from reportgen.pipeline.counting import CountRequest, count_table
        from reportgen.readers import Engine

        files, address = _told_apart(sources)
        asked = replace(
            common.reading(columns, missing or [], set_separator, common.split(annotators)),
            table=table or None,
            database=address,
            engine=Engine(name=engine.value, memory=memory or None, threads=threads or None),
        )
        # Whoever ends it leaves nothing behind, as with Ctrl-C.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(KILLED))
        wanted = CountRequest(files, asked, scale.value, common.split(categories), non_annotated or None)
        with common.bars() as progress:
            account = count_table(wanted, out, progress)
    common.answer(vars(account), _counted(account, out), as_json=as_json)


def _told_apart(sources: list[str]) -> tuple[list[Path], str | None]:
    """Return files, or the address of a database; raise BadInput for an address among others."""
    from reportgen.readers import is_address

    if not any(map(is_address, sources)):
        return [Path(each) for each in sources], None
    if len(sources) > 1:
        message, remedy = "is the address of one of several sources.", "Name one of them."
        raise BadInput(
            Problem("SOURCE", message=message, remedy=remedy) for each in sources if is_address(each)
        )
    return [], sources[0]


def _counted(account: "CountSummary", out: Path) -> list[str]:
    lost = sum(account.left_out.values())
    return [
        account.reading,
        f"{account.units:,} units, {account.annotators:,} annotators, {account.categories:,} categories.",
        f"{account.read:,} labels read, {account.used:,} used, {lost:,} left out.",
        f"{account.missing:,} cells without a label.",
        *(f"  {n:,}: {why}" for why, n in account.left_out.items()),
        f"Written: {out / 'counts.json'}",
    ]
