"""Commands for a release: rules, the gold standard and its key, bundles, verification, counts of labels."""

import os
import re
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reportgen.base import DUCKDB, ENGINES, LANGUAGES, is_address
from reportgen.base.errors import MOST_TOLD, BadInput, Problem, listed, printable, reason, refused, tried
from reportgen.base.progress import reporting_progress
from reportgen.base.site_folder import write_file
from reportgen.cli import common
from reportgen.cli.common import NONE_WRITTEN, problems_to_exit_status, say

if TYPE_CHECKING:
    from reportgen.campaign import Campaign
    from reportgen.cli.gate_check import Annotation
    from reportgen.pipeline.counting import CountSummary
    from reportgen.publish.bundle import Bundled, BundleOptions
    from reportgen.publish.exported_files import GoldStandard
    from reportgen.publish.verify.differences import Verdict

app = typer.Typer()

# What ends a command with status 1: a rule that is broken, a file that differs.
FAILED = 1
# How a verification ends.
STATUS: Mapping["Verdict", int] = {"same": 0, "different": FAILED, "unchecked": 3}
KILLED = 128 + signal.SIGTERM
COLOURS = {"broken": "red", "held": "green", "same": "green", "different": "red", "unchecked": "yellow"}


# How verdicts are printed.
Format = StrEnum("Format", ["TEXT", "JSON", "GITHUB"])


@app.command(epilog="Example: reportgen check campaigns/reviews")
def check(
    campaigns: common.CampaignFolders = None,
    shape: Annotated[Format, typer.Option("--format", help="The format of the output.")] = Format.TEXT,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the verdicts as JSON, as --format json does.")
    ] = False,
) -> None:
    """Check the newest versions against the rules of [gate].

    The exit status is 1 if a rule is broken.
    """
    with problems_to_exit_status():
        from reportgen.cli import gate_check

        try:
            with common.bars() as progress, reporting_progress(progress):
                checks = gate_check.check(common.found(campaigns or common.here("check")), progress)
        except BadInput as error:
            if shape is Format.GITHUB:
                from reportgen.cli import gate_check

                problems, number = listed(error.problems)
                annotated = list(gate_check.annotations_of(problems))
                _print_for_github(annotated, ["Nothing was checked."], number)
            raise
    common.tell(problem for campaign in checks["campaigns"] for problem in campaign["released"])
    if as_json or shape is Format.JSON:
        common.print_json(checks)
    elif shape is Format.TEXT:
        from reportgen.cli.terminal import print_highlighted

        for state, line in gate_check.as_text(checks):
            print_highlighted(line, COLOURS.get(state, ""), re.escape(f" {state}:"))
    else:
        from reportgen.cli import gate_check

        annotated = list(gate_check.annotations(checks))
        _print_for_github(annotated, list(gate_check.sums(checks)), len(annotated))
    if not checks["held"]:
        raise typer.Exit(FAILED)


def _print_for_github(annotated: "Sequence[Annotation]", sums: Sequence[str], number: int) -> None:
    """Print commands of GitHub's runners, then sums; append all of it to a summary of the step."""
    from reportgen.cli import gate_check

    for line in [*gate_check.as_github(annotated), *sums]:
        typer.echo(line.encode())
    if file := os.environ.get("GITHUB_STEP_SUMMARY"):
        try:
            with Path(file).open("a", encoding="utf-8", errors="replace") as summary:
                summary.write(gate_check.summary(annotated[:MOST_TOLD], sums, number))
        except OSError as error:
            say(f"{file}: the summary of the step can't be written: {reason(error)}.")


# How annotators' labels become one where nobody decided.
AggregateName = StrEnum("AggregateName", {"MAJORITY": "majority", "DAWID_SKENE": "dawid-skene"})


@app.command(epilog="Example: reportgen gold campaigns/reviews --out gold.csv")
def gold(  # noqa: PLR0917 - one argument for each option
    campaign: Annotated[Path, typer.Argument(help="The campaign's folder.")],
    out: Annotated[
        Path,
        typer.Option(
            metavar="FILE|FOLDER",
            help="For a row for each unit: FILE.csv or FILE.jsonl. For marks in texts: FILE.conll, "
            "FILE.json (Label Studio), 'FOLDER/{document}.tsv' (WebAnno), 'FOLDER/{document}.xml' "
            "(GATE), or a new FOLDER (brat).",
        ),
    ],
    version: Annotated[str, typer.Argument(help="A version of the guidelines; by default, the newest.")] = "",
    aggregate: Annotated[
        AggregateName | None,
        typer.Option(
            help="For units on which nobody decided, take the majority label or the most probable one."
        ),
    ] = None,
    decided_only: Annotated[
        bool, typer.Option("--decided-only", help="Leave out units that are not decided yet.")
    ] = False,
    layer: Annotated[str, typer.Option(help="A single layer; by default, all.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON how much has been decided.")] = False,
) -> None:
    """Write the gold standard, and list what is undecided."""
    with problems_to_exit_status(NONE_WRITTEN):
        from reportgen.measures.annotators.aggregation import Aggregate
        from reportgen.publish.exported_files import GoldOptions, gold_obstacles, gold_standard, write_gold
        from reportgen.units.pseudonyms import keep_table

        options = GoldOptions(Aggregate(aggregate.value) if aggregate else None, decided_only, layer)
        loaded, version = _campaign_and_version(campaign, version, lambda loaded: gold_obstacles(out, loaded))
        with common.bars() as progress, reporting_progress(progress):
            standard = gold_standard(loaded, version, options, progress)
            unkept = list(keep_table(loaded, standard.table))
            files, notices = write_gold(standard, out)
    common.tell([*notices, *unkept])
    account = {"out": str(out), "version": version, "files": files, "layers": standard.counts}
    count_shown = f" ({files:,} files)" if files > 1 else ""
    common.answer(account, [*_decided(standard), f"Written: {out}{count_shown}"], as_json=as_json)


@app.command(epilog="Example: reportgen settle campaigns/reviews 1.0")
def settle(
    campaign: Annotated[Path, typer.Argument(help="The campaign's folder.")],
    version: Annotated[str, typer.Argument(help="A version of the guidelines; by default, the newest.")] = "",
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.html",
            help="Write the screen as a single page for a colleague, who sends back a CSV.",
        ),
    ] = None,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port on this computer; 0 takes any free one.")
    ] = 0,
    opened: Annotated[bool, typer.Option("--open/--no-open", help="Open the screen in a browser.")] = True,
) -> None:
    """Settle disagreements one by one in the browser."""
    with problems_to_exit_status():
        from reportgen.cli import serving

        loaded, version = _campaign_and_version(campaign, version, lambda _: [])
        if out is not None:
            from reportgen.app.settle import settle_file

            text, number = settle_file(loaded.folder, version)
            write_file(out, text.encode())
            say(f"Written: {out}: {number:,} disagreements, with texts; send it to those who may read them.")
            say(f'What they send back goes into {loaded.name}; name it: adjudication = ["FILE.csv"].')
            return
        serving.serve_screen(loaded.folder, version, port=port, opened=opened)


def _campaign_and_version(
    folder: Path, version: str, obstacles: "Callable[[Campaign], list[Problem]]"
) -> "tuple[Campaign, str]":
    """Return the campaign and the name of the version; raise BadInput with all that is wrong with either."""
    from reportgen import campaign as asked

    loaded = asked.load(common.found([folder])[0])
    version = version or loaded.versions[-1]
    problems = [*obstacles(loaded), *tried([version], loaded.version)[1]]
    if problems:
        raise BadInput(problems)
    return loaded, version


def _decided(standard: "GoldStandard") -> Iterator[str]:
    """Yield how much is decided in each layer, and by whom."""
    for layer, counts in standard.counts.items():
        by_status = ((status, n) for status, n in counts.items() if status not in {"units", "labelled_once"})
        once = counts["labelled_once"]
        more = f" ({once:,} with fewer than two annotators)" if once else ""
        head = f"{standard.campaign.id} {standard.version}, {layer}: {counts['units']:,} units"
        yield f"{head}: {', '.join(f'{n:,} {status}' for status, n in by_status)}{more}"


@app.command(epilog="Example: reportgen labels campaigns/reviews --out labels.csv")
def labels(
    campaign: Annotated[Path, typer.Argument(help="The campaign's folder.")],
    out: Annotated[
        Path,
        typer.Option(
            metavar="FILE", help="FILE.parquet, FILE.csv or FILE.jsonl; FILE-aggregated is written beside it."
        ),
    ],
    version: Annotated[str, typer.Argument(help="A version of the guidelines; by default, the newest.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print what was written as JSON.")] = False,
) -> None:
    """Write who gave which label to which unit.

    Beside it, a second file has the majority label of each unit, and how probable each label is.
    """
    with problems_to_exit_status(NONE_WRITTEN):
        from reportgen.publish.exported_files import labels_obstacles, labels_of_version, write_labels
        from reportgen.units.pseudonyms import keep_table

        loaded, version = _campaign_and_version(
            campaign, version, lambda loaded: labels_obstacles(out, loaded)
        )
        with common.bars() as progress, reporting_progress(progress):
            found = labels_of_version(loaded, version, progress)
            unkept = list(keep_table(loaded, found.memory))
            files = write_labels(found.table, out)
    common.tell([*found.rare(loaded), *unkept])
    rows = [len(found.table.labels), len(found.table.aggregated)]
    account = {
        "version": version,
        "files": [{"out": str(file), "rows": number} for file, number in zip(files, rows, strict=True)],
    }
    lines = [f"Written: {file} ({number:,} rows)" for file, number in zip(files, rows, strict=True)]
    common.answer(account, lines, as_json=as_json)


# Which checklist.
ChecklistName = StrEnum(
    "ChecklistName",
    {
        "ACL": "acl",
        "DATASHEET": "datasheet",
        "DATA_STATEMENT": "data-statement",
        "CROISSANT_RAI": "croissant-rai",
    },
)


@app.command(epilog="Example: reportgen checklist acl campaigns/reviews")
def checklist(
    name: Annotated[ChecklistName, typer.Argument(help="The checklist.")],
    campaign: Annotated[Path, typer.Argument(help="The campaign's folder.")],
    version: Annotated[str, typer.Argument(help="A version of the guidelines; by default, the newest.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print questions and answers as JSON.")] = False,
) -> None:
    """Print reviewers' questions and your answers, as Markdown.

    Answers come from campaign.toml and the figures of the report; each names its key or figure.
    The report has a page with the same content.
    """
    with problems_to_exit_status():
        from reportgen.pipeline.version_reports import results_of_version
        from reportgen.report import markdown_blocks, material
        from reportgen.report.checklists import CHECKLISTS, answers, checklist_section

        loaded, version = _campaign_and_version(campaign, version, lambda _: [])
        with common.bars() as progress, reporting_progress(progress):
            results = results_of_version(loaded, version, progress)
    asked = CHECKLISTS[name.value]
    account = {
        "checklist": name.value,
        "name": asked.name,
        "source": asked.source,
        "campaign": results.campaign.id,
        "version": results.guidelines,
        "questions": [
            {
                "item": own.question.item,
                "asks": own.question.asks,
                "state": own.state,
                "answers": [
                    {"from": said.source, "key": said.place or None, "says": said.text} for said in own.said
                ],
                "open": list(map(material.place, own.open)),
                "reason": own.question.reason if own.state == "does not apply" else None,
            }
            for own in answers(results, asked)
        ],
    }
    lines = markdown_blocks.section(checklist_section(results, asked), 1).splitlines()
    common.answer(account, lines, as_json=as_json)


@app.command(epilog="Example: reportgen paper campaigns/reviews --out paper.docx")
def paper(
    campaign: Annotated[Path, typer.Argument(help="The campaign's folder.")],
    out: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help="FILE.docx for the methods, tables, a figure and references, or FILE.xlsx for every table.",
        ),
    ],
    version: Annotated[str, typer.Argument(help="A version of the guidelines; by default, the newest.")] = "",
    language: Annotated[
        str, typer.Option(metavar="CODE", help="The language; by default, the first of the campaign.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print what was written as JSON.")] = False,
) -> None:
    """Write a report for Word, or its tables for Excel."""
    with problems_to_exit_status(NONE_WRITTEN):
        from reportgen.publish.exported_files import office_file, paper_obstacles
        from reportgen.units.pseudonyms import keep_table

        def obstacles(loaded: "Campaign") -> list[Problem]:
            return [*paper_obstacles(out, loaded), *_unknown_language(language)]

        loaded, version = _campaign_and_version(campaign, version, obstacles)
        language = language or loaded.language[0]
        with common.bars() as progress, reporting_progress(progress):
            content, table = office_file(loaded, version, out.suffix, language, progress)
            unkept = list(keep_table(loaded, table))
            write_file(out, content)
    common.tell(unkept)
    account = {"out": str(out), "version": version, "language": language}
    common.answer(account, [f"Written: {out}"], as_json=as_json)


def _unknown_language(code: str) -> Iterator[Problem]:
    """Yield what is wrong with a language."""
    if code and code not in LANGUAGES:
        remedy = f"Choose one of {', '.join(sorted(LANGUAGES))}."
        yield Problem(
            "--language", message=f'"{printable(code)}" is not a language of reports.', remedy=remedy
        )


@app.command(epilog="Example: reportgen key campaigns/reviews --out key.csv")
def key(
    campaign: Annotated[Path, typer.Argument(help="The campaign's folder.")],
    out: Annotated[
        Path, typer.Option(metavar="FILE.csv", help="The CSV file, which only you will be able to read.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print what was written as JSON.")] = False,
) -> None:
    """Write who is behind A01, A02, …, for you alone."""
    with problems_to_exit_status(NONE_WRITTEN):
        from reportgen.publish.exported_files import key_obstacles, pseudonym_key, write_key

        loaded, _ = _campaign_and_version(campaign, "", lambda loaded: key_obstacles(out, loaded))
        with common.bars() as progress, reporting_progress(progress):
            rows = pseudonym_key(loaded, progress)
        write_key(rows, out)
    account = {"out": str(out), "pseudonyms": len(rows)}
    common.answer(account, [f"Written: {out} ({len(rows):,} pseudonyms)"], as_json=as_json)
    if not as_json:
        say("Keep it to yourself: it says who is who.")


@app.command(epilog="Example: reportgen bundle campaigns/reviews 1.0 --out reviews-1.0.zip")
def bundle(  # noqa: PLR0917 - one argument for each option
    campaign: Annotated[Path, typer.Argument(help="The campaign's folder.")],
    version: Annotated[str, typer.Argument(help="A guidelines version.")],
    out: Annotated[Path, typer.Option(metavar="FILE.zip|FOLDER", help="A zip file, or a new folder.")],
    texts: Annotated[
        bool, typer.Option("--with-texts", help="Include the annotated texts, and the pages that quote them.")
    ] = False,
    exports: Annotated[
        bool,
        typer.Option(
            "--with-exports", help="Include the annotators' exports as they are, with everybody's names."
        ),
    ] = False,
    parquet: Annotated[bool, typer.Option("--parquet", help="Also write the counts as Parquet.")] = False,
    again: Annotated[
        str,
        typer.Option(metavar="REASON", help="Why this version is released again with different labels."),
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print what was written as JSON.")] = False,
) -> None:
    """Write one file with everything for the release of a corpus.

    It has no names and no texts, unless you ask for them. Its date is SOURCE_DATE_EPOCH or, without that, the
    day of the release in campaign.toml. The campaign's folder records what was released.
    """
    with problems_to_exit_status(NONE_WRITTEN):
        from reportgen.pipeline.releases import releasing
        from reportgen.publish.bundle import BundleOptions, bundled, record_release
        from reportgen.publish.bundle_files import write_bundle
        from reportgen.units.pseudonyms import keep_table

        choice = BundleOptions(texts=texts, exports=exports, parquet=parquet, again=again.strip())
        loaded = _allowed(common.found([campaign])[0], version, out, choice)
        with common.bars() as progress, reporting_progress(progress), releasing(loaded, version):
            contents = bundled(loaded, version, choice, progress)
            # Whoever is to see them may still stop it.
            common.tell(contents.notices)
            progress(f"{loaded.id} {version}: writing {out.name}")
            unkept = list(keep_table(loaded, contents.table))
            digest = write_bundle(out, contents.files)
            unrecorded = list(record_release(contents, digest))
    common.tell([*unkept, *unrecorded])
    # A folder has no size of its own.
    size = out.stat().st_size if out.is_file() else sum(map(len, contents.files.values()))
    # What was written, for JSON; `digest` is the SHA-256 of a zip file, None of a folder.
    from reportgen.publish.sentences import leading_figures

    figures = [
        {
            "layer": unit_set.layer,
            "unit_set": unit_set.id,
            "figure": name,
            "value": figure.value if figure else None,
            "low": figure.interval.low if figure and figure.interval else None,
            "high": figure.interval.high if figure and figure.interval else None,
        }
        for unit_set, name, figure in leading_figures(contents.results)
    ]
    account = {
        "out": printable(out.as_posix()),
        "sha256": digest,
        "bytes": size,
        "files": {name: len(content) for name, content in contents.files.items()},
        "date": contents.date,
        "figures": figures,
        "notices": list(map(str, contents.notices)),
    }
    common.answer(account, _bundle_lines(out, contents, size, choice), as_json=as_json)


def _allowed(folder: Path, version: str, out: Path, choice: "BundleOptions") -> "Campaign":
    """Return the campaign; raise BadInput with all that is wrong with what is asked for."""
    from reportgen import campaign as asked
    from reportgen.publish.bundle import missing
    from reportgen.publish.bundle_files import obstacles

    problems = [*obstacles(out, folder), *(missing() if choice.parquet else ())]
    campaigns, campaign_problems = tried([folder], asked.load)
    problems += campaign_problems
    for campaign in campaigns:
        problems += tried([version], campaign.version)[1]
        if choice.texts and campaign.privacy.texts != "show":
            message = 'is "withhold", and --with-texts would show them.'
            remedy = 'Leave --with-texts out; or write texts = "show" where they may be passed on.'
            problems.append(Problem(campaign.file, 0, "privacy.texts", message, remedy))
    if problems:
        raise BadInput(problems)
    return campaigns[0]


def _bundle_lines(out: Path, contents: "Bundled", size: int, choice: "BundleOptions") -> Iterator[str]:
    """Yield what was written in lines for people: its figures, what it has and lacks, how to check it."""
    from reportgen.publish.sentences import has_layers, leading_figures, named
    from reportgen.words.numbers import estimate

    results, path = contents.results, out.as_posix()
    for unit_set, _name, figure in leading_figures(results):
        layer = f", {unit_set.layer}" if has_layers(results) else ""
        head = (
            f"{results.campaign.id} {results.guidelines}{layer}: {printable(named(results, unit_set.layer))}"
        )
        yield f"{head} {estimate(figure)}"
    if choice.texts:
        yield "In it: the annotated texts. Whoever has the bundle can read them."
    if choice.exports:
        yield "In it: the exports as they are, with the names of annotators and documents."
    absent = [
        f"{content} (--with-{content})" for content in ("texts", "exports") if not getattr(choice, content)
    ]
    if absent:
        yield f"Not in it: {', '.join(absent)}."
    power = min(len(str(size)) - 1, 12) // 3
    shown = f"{size / 1000**power:.3g} {('bytes', 'KB', 'MB', 'GB', 'TB')[power]}"
    yield f"Written: {path} ({len(contents.files):,} files, {shown})"
    yield f"Check it: reportgen verify {path}"


@app.command(epilog="Example: reportgen verify reviews-1.0.zip")
def verify(
    path: Annotated[
        Path,
        typer.Argument(
            help="A bundle, zipped or unpacked; a site, or the folder of a campaign or version in it."
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print everything that was found as JSON.")] = False,
) -> None:
    """Verify a bundle or a site by computing it again.

    The exit status is 0 if nothing differs, 1 if something does, and 3 if not everything could be checked.
    """
    with problems_to_exit_status("; nothing was verified"):
        from reportgen.cli.terminal import print_highlighted
        from reportgen.publish import verify as verifying

        with common.bars() as progress, reporting_progress(progress):
            verification = verifying.verify(path, progress)
    if as_json:
        common.print_json(verifying.account(verification))
    else:
        # The word for a line's state, else the file that it is about, is in colour.
        for state, line in verifying.as_text(verification):
            words = rf"\A(?:{state}(?=:)|.*?(?=: )|.*)" if state else r"\A"
            print_highlighted(line, COLOURS.get(state, ""), words)
    if code := STATUS[verification.verdict]:
        raise typer.Exit(code)


# Who reads and counts a table.
ABOUT_ENGINES = "; ".join(f"{engine.name} {engine.about}" for engine in ENGINES.values())
# mypy asks for the names themselves, which are in `ENGINES` alone.
EngineOption = StrEnum("EngineOption", list(ENGINES))  # type: ignore[misc]
COUNTS_BY_DEFAULT = EngineOption(DUCKDB.name)


@app.command(epilog="Example: reportgen count votes.parquet --out campaigns/votes/exports/1.0")
def count(  # noqa: PLR0917 - one argument for each option
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE...",
            help="A table of labels, wide or long: CSV, TSV, Parquet, a folder or glob of these, a DuckDB "
            "or SQLite database, or the address of a database, such as postgres://host/campaign.",
        ),
    ],
    out: Annotated[
        Path | None, typer.Option(help="The folder for the counts, which replace everything in it.")
    ] = None,
    engine: Annotated[
        EngineOption,
        typer.Option(help=f"What reads and counts the table, with the same result: {ABOUT_ENGINES}."),
    ] = COUNTS_BY_DEFAULT,
    memory: Annotated[
        str,
        typer.Option(help="The memory that DuckDB may use, such as 2GB; by default, half of all memory."),
    ] = "",
    threads: Annotated[int, typer.Option(min=0, help="How many processors DuckDB may use; 0 means all.")] = 0,
    table: Annotated[str, typer.Option(help="The table or view of the database.")] = "",
    columns: common.Columns = "",
    annotators: Annotated[str, typer.Option(help="The annotators to count, separated by commas.")] = "",
    scale: common.ScaleOption = common.ScaleName.NOMINAL,
    categories: Annotated[
        str,
        typer.Option(help="The categories in their order, separated by commas; other labels are left out."),
    ] = "",
    non_annotated: common.NonAnnotated = "",
    missing: common.Missing = None,
    set_separator: common.SetSeparator = "",
    show_sql: Annotated[
        str,
        typer.Option(metavar="DIALECT", help="Print the SQL for a database such as trino or snowflake."),
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print what was counted as JSON.")] = False,
) -> None:
    """Count a table of labels of any size, for `build`."""
    with problems_to_exit_status(NONE_WRITTEN):
        from dataclasses import replace

        from reportgen.pipeline.counting import CountRequest, count_table, counting_sql
        from reportgen.readers import Engine

        files, address = _files_or_address(sources)
        options = replace(
            common.reading(columns, missing or [], set_separator, common.split(annotators)),
            table=table or None,
            database=address,
            engine=Engine(name=engine.value, memory=memory or None, threads=threads or None),
        )
        # Nothing is left behind where somebody ends it, as with Ctrl-C.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(KILLED))
        request = CountRequest(files, options, scale.value, common.split(categories), non_annotated or None)
        if show_sql:
            written = counting_sql(request, show_sql)
            if sys.stdout.isatty():  # names of columns are anybody's text
                written = "\n".join(map(printable, written.split("\n")))
            typer.echo(written)
            return
        if out is None:
            raise refused("--out", message="is missing.", remedy="Name the folder of counts.")
        with common.bars() as progress, reporting_progress(progress):
            summary = count_table(request, out, progress)
    common.answer(vars(summary), _counted(summary, out), as_json=as_json)


def _files_or_address(sources: list[str]) -> tuple[list[Path], str | None]:
    """Return files, or the address of a database; raise BadInput for an address among others."""
    if not any(map(is_address, sources)):
        return list(map(Path, sources)), None
    if len(sources) > 1:
        message, remedy = "is the address of one of several sources.", "Name one of them."
        addresses = filter(is_address, sources)
        raise BadInput(Problem("SOURCE", message=message, remedy=remedy) for _ in addresses)
    return [], sources[0]


def _counted(summary: "CountSummary", out: Path) -> list[str]:
    from reportgen.words.numbers import counted

    left_out = sum(summary.left_out.values())
    sizes = (
        counted(summary.units, "unit", "units"),
        counted(summary.annotators, "annotator", "annotators"),
        counted(summary.categories, "category", "categories"),
    )
    return [
        summary.reading,
        f"{', '.join(sizes)}.",
        f"{counted(summary.read, 'label', 'labels')} read, {summary.used:,} used, {left_out:,} left out.",
        f"{counted(summary.missing, 'cell', 'cells')} without a label.",
        *(f"  {n:,}: {why}" for why, n in summary.left_out.items()),
        f"Written: {out / 'counts.json'}",
    ]
