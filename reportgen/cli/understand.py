"""Commands that explain: two versions compared, measures, formats, schemas."""

import re
import unicodedata
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reportgen.base.errors import (
    BadInput,
    Problem,
    did_you_mean,
    for_each,
    nearest,
    printable,
    refused,
    tried,
)
from reportgen.base.progress import reporting_progress
from reportgen.cli import common
from reportgen.cli.common import bars, print_json, problems_to_exit_status, say, tell

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reportgen.base.progress import Steps
    from reportgen.campaign import Campaign
    from reportgen.pipeline.version_reports import ComparisonOutput
    from reportgen.readers import Reader
    from reportgen.results import Definition, Entry, ResultModel

app = typer.Typer()


HEAD = """# The measures

Every figure of a report by its id, as `reportgen explain` prints it; this page is its `--markdown`. Formulas
follow Artstein and Poesio (2008): A_o and A_e are observed and expected agreement, D_o and D_e disagreement.
n is the number of units, q that of categories, c that of annotators, r_i the ratings of a unit and n_ik those
of them that are the category k. Of two annotators, n_jk is how many units the first gave j and the second k;
in a table of two categories a and d are the agreements, b and c the disagreements. On a scale of sets q
counts different sets, as wholes, that are declared (a label by itself is one) or used; specific agreement and
figures against the rest are there of each label, chosen or not.

What other libraries return was run, or read in their source, in November 2026.
"""
IN_BRACKETS = """## In brackets

A bare name is the nominal figure. Brackets say what a figure was weighted with, or how marks were matched.
"""
GREEK = {"α": "alpha", "β": "beta", "γ": "gamma", "κ": "kappa", "π": "pi", "χ": "chi"}


# Which JSON Schema.
SchemaName = StrEnum("SchemaName", ["CAMPAIGN", "RESULTS", "TEXTS", "COMPARISON", "CHANGED", "HISTORY"])


@app.command(epilog="Example: reportgen compare campaigns/reviews 1.0 2.0")
def compare(
    campaign: Annotated[Path, typer.Argument(help="The folder of the campaign.")],
    first: Annotated[str, typer.Argument(metavar="A", help="A version of the guidelines.")],
    second: Annotated[
        str,
        typer.Argument(metavar="B", help="Another version; differences are the later minus the earlier one."),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print comparison.json.")] = False,
) -> None:
    """Compare two versions of the guidelines."""
    with problems_to_exit_status():
        from reportgen import campaign as asked

        loaded = asked.load(common.found([campaign])[0])
        earlier, later = _in_order(loaded, first, second)
        if earlier != first:
            say(f"{earlier} is older than {later}: differences are those from {earlier} to {later}.")
        with bars() as progress, reporting_progress(progress):
            output, noticed = _compared(loaded, earlier, later, progress)
        tell(noticed)
    if as_json:
        from reportgen.results import dumps

        typer.echo(dumps(output.comparison).encode(), nl=False)
    else:
        from reportgen.report.site import comparison_markdown

        typer.echo(comparison_markdown(output.comparison, output.changed).encode(), nl=False)


def _in_order(campaign: "Campaign", first: str, second: str) -> tuple[str, str]:
    """Return the earlier version and the later; raise BadInput with what is wrong with either name."""
    for_each(dict.fromkeys((first, second)), campaign.version)
    if first == second:
        message = f"{first} and {second} are one guidelines version."
        others = [version for version in campaign.versions if version != first]
        remedy = f"Name two: there is also {', '.join(others)}." if others else "The campaign has no other."
        raise refused(campaign.file, message=message, remedy=remedy)
    earlier, later = sorted((first, second), key=campaign.versions.index)
    return earlier, later


def _compared(
    campaign: "Campaign", earlier: str, later: str, progress: "Steps"
) -> "tuple[ComparisonOutput, list[Problem]]":
    """Return the comparison of two versions, and what is to be told of the exports.

    Annotators, and documents where they have any, are under the pseudonyms that the site gives them.
    """
    from reportgen.pipeline.reading import notices, read_campaign
    from reportgen.pipeline.version_reports import compare_versions, names_by_version

    reads = read_campaign(campaign, progress)
    names = names_by_version(campaign, reads)
    first, second = (reads[campaign.versions.index(version)] for version in (earlier, later))
    progress(f"{campaign.id}: comparing {earlier} and {later}")
    output = compare_versions(campaign, first, second, names[earlier] | names[later])
    return output, list(notices(campaign, reads))


@app.command(epilog="Example: reportgen explain kappa")
def explain(
    measure: Annotated[
        str,
        typer.Argument(
            help="The id, name or symbol of a measure, or a word in brackets after it, such as ordinal; "
            "by default, all are listed."
        ),
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the entries as JSON.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print all of them as Markdown.")] = False,
) -> None:
    """Explain a measure: formula, use, source, other libraries."""
    with problems_to_exit_status():
        from reportgen.catalogue import definitions, weightings

        entries = _entries_of(measure) if measure else {**definitions(), **weightings()}
    if as_json:
        print_json({name: entry.model_dump(mode="json") for name, entry in entries.items()})
        return
    if as_markdown:
        typer.echo(catalogue_markdown(entries).encode(), nl=False)
        return
    from reportgen.cli.terminal import console, show_entry, show_families, show_rows, wrapped

    if not measure:
        show_families(definitions(), weightings(), console())
        return
    out = console()
    if sum(name in definitions() for name in entries) > 1:
        out.print(printable(f'Several measures are called "{measure}"; name one by its id:'))
        show_rows(("id", "answers"), [(name, entry.answers) for name, entry in entries.items()], out)
        return
    for name, entry in entries.items():
        show_entry(name, entry, out)
    alike = [name for name in _ids_called(measure, definitions(), by_word=True) if name not in entries]
    if alike:
        out.print(wrapped(f"Others of that name: {', '.join(alike)}."))


def _entries_of(name: str) -> "dict[str, Entry]":
    """Return the entries of what is asked for by its id, its printed name, its symbol or a word of its name.

    Raises BadInput, with what was probably meant, where there is none.
    """
    from reportgen.catalogue import CATALOGUE, definitions, explanation

    try:
        return explanation(name)
    except BadInput:
        base, sign, inside = name.partition("[")
        catalogue = definitions()
        if base in catalogue:
            raise
        called, alike = (_ids_called(base, catalogue, by_word=by_word) for by_word in (False, True))
        if not called and not alike:
            names = [_spoken(definition.name) for definition in catalogue.values()]
            words = (word for name in names for word in name.split())
            aliases = chain.from_iterable(each.aliases for each in CATALOGUE)
            if near := nearest(name, dict.fromkeys([*catalogue, *names, *aliases, *words])):
                raise refused("explain", message=f'no measure is called "{name}".', remedy=near) from None
            raise
        figures = ([f"{id_}{sign}{inside}" for id_ in ids] for ids in (called or alike, alike))
        (found, problems), (others, _) = (tried(ids, explanation) for ids in figures)
        # Where no measure with this very name has such brackets, one with a similar name may.
        found = found or [entries for entries in others if len(entries) > 1]
        if not found:
            raise BadInput(problems[:1]) from None
        return dict(chain.from_iterable(entries.items() for entries in found))


def _ids_called(name: str, catalogue: "Mapping[str, Definition]", *, by_word: bool = False) -> list[str]:
    """Return the ids of the measures that are called so, or that have all its words in their name or id."""
    if not (spoken := _spoken(name)):
        return []
    if by_word:
        words = set(spoken.split())
        return [
            id_ for id_, entry in catalogue.items() if words <= set(_spoken(f"{id_} {entry.name}").split())
        ]
    from reportgen.catalogue import CATALOGUE

    named = {each.id: (each.id, each.name, each.symbol, *each.aliases) for each in CATALOGUE}
    return [id_ for id_, called in named.items() if spoken in map(_spoken, called)]


def _spoken(name: str) -> str:
    """Return a name as it is said, whatever its letters and signs: "κ_w" and "Kappa w" are one."""
    plain = unicodedata.normalize("NFKD", name).casefold().replace("'s", "").replace("’s", "")
    for letter, spoken in GREEK.items():
        plain = plain.replace(letter, f" {spoken} ")
    return " ".join(re.findall(r"[a-z0-9]+", plain))


@app.command(epilog="Example: reportgen formats brat")
def formats(
    name: Annotated[
        str,
        typer.Argument(
            help="A format, to show what is read and what is left out; by default, all are listed."
        ),
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the readers as JSON.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print them as a Markdown table.")] = False,
) -> None:
    """List the formats that can be read."""
    from reportgen.readers import readers, readers_markdown

    with problems_to_exit_status():
        listed = [_format(name)] if name else readers()
    if as_json:
        keys = ("name", "title", "tool", "extensions", "reads", "leaves_out")
        print_json([{key: getattr(reader, key) for key in keys} for reader in listed])
        return
    if as_markdown:
        typer.echo(readers_markdown().encode(), nl=False)
        return
    from reportgen.cli.terminal import READABLE, console, show_rows, wrapped

    out = console()
    if name:
        (reader,) = listed
        out.print(f"{reader.title} ({reader.name}): {' '.join(reader.extensions)}")
        labels = ("tool", "reads", "leaves out")
        for label, text in zip(labels, (reader.tool, reader.reads, reader.leaves_out), strict=True):
            out.print(wrapped(f"  {label}: {text}", "    "))
        return
    out.width = min(out.width, READABLE)
    rows = [(reader.name, " ".join(reader.extensions), reader.tool) for reader in listed]
    show_rows(("format", "files", "tool"), rows, out)
    out.print(wrapped("What is read of a format, and what is left out: reportgen formats NAME."))


def _format(name: str) -> "Reader":
    """Return the reader of a format; raise BadInput, with what was probably meant, where there is none."""
    from reportgen.readers import readers

    by_name = {reader.name: reader for reader in readers()}
    if name in by_name:
        return by_name[name]
    remedy = did_you_mean(name, list(by_name))
    raise refused("formats", message=f'no format is called "{name}".', remedy=remedy)


@app.command(epilog="Example: reportgen schema campaign")
def schema(
    which: Annotated[SchemaName, typer.Argument(help="The file that the schema describes.")],
) -> None:
    """Print the JSON Schema of campaign.toml or a file of a site."""
    from reportgen.campaign import campaign_schema
    from reportgen.results import Results, schema_of
    from reportgen.results.texts import Texts
    from reportgen.results.versions import Changed, History, VersionComparison

    if which is SchemaName.CAMPAIGN:
        print_json(campaign_schema())
        return
    parts: dict[SchemaName, type[ResultModel]] = {
        SchemaName.RESULTS: Results,
        SchemaName.TEXTS: Texts,
        SchemaName.COMPARISON: VersionComparison,
        SchemaName.CHANGED: Changed,
        SchemaName.HISTORY: History,
    }
    print_json(schema_of(parts[which]))


# The catalogue as a page, which the documentation has as The measures.


def catalogue_markdown(entries: "Mapping[str, Entry]") -> str:
    """Return entries as a page in Markdown: `make docs` puts all of them into docs/measures.md."""
    from reportgen.results import Definition

    measures = {name: entry for name, entry in entries.items() if isinstance(entry, Definition)}
    parts = [HEAD]
    for family in dict.fromkeys(measure.family for measure in measures.values()):
        parts.append(f"## {family}\n")
        parts += [_markdown(name, measure) for name, measure in measures.items() if measure.family == family]
    brackets = [_markdown(name, entry) for name, entry in entries.items() if name not in measures]
    return "\n".join([*parts, *([IN_BRACKETS] if brackets else []), *brackets])


def _markdown(name: str, entry: "Entry") -> str:
    from reportgen.cli.terminal import entry_fields
    from reportgen.report.escaping import escape_markdown
    from reportgen.results import Definition

    symbol = f", {entry.symbol}" if isinstance(entry, Definition) else ""
    lines = [
        f"### {escape_markdown(entry.name)} (`{name}`{escape_markdown(symbol)})",
        "",
        escape_markdown(entry.answers),
        "",
        "```text",
        entry.formula,
        "```",
        "",
        *(f"- {label}: {escape_markdown(text)}" for label, text in entry_fields(entry)),
    ]
    if entry.elsewhere:
        lines.append("- Elsewhere:")
        lines += [
            f"  - {escape_markdown(f'{variant.library}: {variant.returns}')}." for variant in entry.elsewhere
        ]
    return "\n".join([*lines, ""])
