"""The command line: it parses, calls and prints. What takes long to import is imported in the commands."""

import gc
import io
import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reportgen import __version__
from reportgen.cli.build import build
from reportgen.cli.bundle import bundle
from reportgen.cli.check import check
from reportgen.cli.common import ScaleName, explained, print_json, reading, say, split
from reportgen.cli.compare import compare
from reportgen.cli.count import count
from reportgen.cli.groups import CommandGroups
from reportgen.cli.merge import merge
from reportgen.cli.new import new
from reportgen.cli.serve import serve
from reportgen.cli.verify import verify

if TYPE_CHECKING:
    from reportgen.cli.agree import AgreementResult
    from reportgen.results import Part


app = typer.Typer(
    name="reportgen",
    cls=CommandGroups,
    help="From a campaign of annotators' exports to a published agreement report.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class SchemaName(StrEnum):
    """Which JSON Schema."""

    CAMPAIGN = "campaign"
    RESULTS = "results"
    TEXTS = "texts"
    COMPARISON = "comparison"
    CHANGED = "changed"
    HISTORY = "history"


def main() -> None:
    """Run the command line."""
    # Looking for plugins reads what is installed, and no model of ours has one.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    # A short run makes few cycles: looking for them all the time costs a twentieth of a build.
    gc.set_threshold(100_000, 50, 50)
    # A terminal that can't show a letter gets a question mark for it, never an error.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    app()


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"reportgen {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Options that come before a command."""


app.command()(build)
app.command()(new)
app.command()(serve)
app.command()(check)
app.command()(compare)
app.command()(count)
app.command()(bundle)
app.command()(merge)
app.command()(verify)


@app.command()
def agree(  # noqa: PLR0917 - as above
    file: Annotated[Path, typer.Argument(help="Ratings, wide or long, or a confusion matrix, as CSV.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print everything at full precision.")] = False,
    scale: Annotated[
        ScaleName, typer.Option(help="How categories relate to each other.")
    ] = ScaleName.NOMINAL,
    distance: Annotated[
        list[Path] | None,
        typer.Option(help="Distances of categories: a CSV table, BDM scores, a taxonomy; repeatable."),
    ] = None,
    categories: Annotated[str, typer.Option(help="Categories in their order, with commas between.")] = "",
    non_annotated: Annotated[str, typer.Option(help="The category of units that nobody marked.")] = "",
    missing: Annotated[
        list[str] | None, typer.Option(help="A cell that means a missing rating; repeatable.")
    ] = None,
    columns: Annotated[
        str, typer.Option(help="Which column is what: unit=item,annotator=worker,document=topic,label=vote.")
    ] = "",
    annotators: Annotated[str, typer.Option(help="The annotators to compare, with commas between.")] = "",
    set_separator: Annotated[str, typer.Option(help="What separates the labels of a set in one cell.")] = "",
    model: Annotated[
        list[str] | None,
        typer.Option(help="An annotator that is a model: may it take a human's place? Repeatable."),
    ] = None,
    epsilon: Annotated[
        float | None,
        typer.Option(
            help="The price of a human, from 0 to below 1, such as 0.1 for a crowd, 0.2 for experts."
        ),
    ] = None,
    score: Annotated[
        str, typer.Option(help="How near labels are: accuracy, neg_rmse, similarity, similarity[masi].")
    ] = "",
    expert: Annotated[
        str, typer.Option(help="A human who is trusted: is the model nearer to this one than the others?")
    ] = "",
) -> None:
    """Print every agreement figure of one file."""
    with explained():
        from reportgen.cli.agree import AgreementRequest, agree

        asked = reading(columns, missing or [], set_separator, split(annotators))
        given = {"epsilon": epsilon, "score": score or None, "expert": expert or None}
        rule = {name: each for name, each in given.items() if each is not None}
        models = tuple(dict.fromkeys(model or []))
        named = split(categories)
        answer = agree(
            AgreementRequest(
                file, asked, scale.value, named, non_annotated or None, distance or [], as_json, models, rule
            )
        )
    for notice in answer.notices:
        say(str(notice))
    if as_json:
        from reportgen.results import dumps

        typer.echo(dumps(answer.unit_set).encode(), nl=False)
        return
    _show_answer(answer)


def _show_answer(answer: "AgreementResult") -> None:
    """Print figures for people, and what models are worth where some were named."""
    from reportgen.cli.replacement_text import show_replacement
    from reportgen.cli.terminal import console, show_unit_set
    from reportgen.measures import base_id, measure_of
    from reportgen.results.replacement import ModelsBesideAgreement

    figures = (*answer.unit_set.measures, *answer.unit_set.mean_over_pairs)
    names = {name: name.replace(base_id(name), measure_of(name).name + " ").rstrip() for name in figures}
    show_unit_set(answer.unit_set, names, answer.reading, answer.primary, console())
    if isinstance(answer.unit_set, ModelsBesideAgreement):
        show_replacement(answer.unit_set.replacement, console())


@app.command()
def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder of annotators' exports.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print what was found as JSON.")] = False,
) -> None:
    """Read a folder of exports and write its campaign.toml."""
    with explained("; nothing was written"):
        from reportgen.cli.scaffold import command, next_steps, plan_of, render, write
        from reportgen.cli.survey import CONFIGURATION, account, survey_folder

        survey = survey_folder(folder)
        text = render(plan_of(survey))
        path = write(folder, CONFIGURATION, text)
    found = {
        **account(survey),
        "file": path.as_posix(),
        "next": next_steps(survey, text),
        "command": command(folder),
    }
    if as_json:
        print_json(found)
        return
    from reportgen.cli.terminal import console, show_survey

    show_survey(found, path.as_posix(), console())


@app.command()
def explain(
    measure: Annotated[
        str, typer.Argument(help="A measure's id, or what stands in brackets; without one, all are listed.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the entries as JSON.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print all of them as Markdown.")] = False,
) -> None:
    """Explain a measure: formula, use, source, other libraries."""
    with explained():
        from reportgen.measures.catalogue import definitions, explanation, weightings

        asked = explanation(measure) if measure else {**definitions(), **weightings()}
    if as_json:
        print_json({name: each.model_dump(mode="json") for name, each in asked.items()})
        return
    if as_markdown:
        from reportgen.report.formulas import catalogue_markdown

        typer.echo(catalogue_markdown(asked).encode(), nl=False)
        return
    from reportgen.cli.terminal import console, show_entry, show_families

    if not measure:
        show_families(definitions(), weightings(), console())
        return
    for name, each in asked.items():
        show_entry(name, each, console())


@app.command()
def plan(
    kappa: Annotated[float | None, typer.Option(help="The kappa to expect, from 0 to less than 1.")] = None,
    prevalence: Annotated[
        float | None, typer.Option(help="The share of units to expect in the category, between 0 and 1.")
    ] = None,
    half_width: Annotated[
        float | None, typer.Option(help="Half the width of the 95% interval that is wanted.")
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            help="A kappa, such as 0.667, that the one to expect is to be told from, in 4 cases of 5."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the numbers as JSON.")] = False,
) -> None:
    """Plan how many units two annotators have to label."""
    with explained():
        from reportgen.cli.plan import plans, to_tell

        told = [] if threshold is None else to_tell(threshold, kappa, prevalence)
        found = [] if threshold is not None and half_width is None else plans(kappa, prevalence, half_width)
    if as_json:
        print_json([vars(each) for each in (*found, *told)])
        return
    from reportgen.cli.terminal import console, show_plans

    show_plans(found, told, console())


@app.command()
def formats(
    as_json: Annotated[bool, typer.Option("--json", help="Print the readers as JSON.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print them as a Markdown table.")] = False,
) -> None:
    """List the export formats."""
    from reportgen.readers import readers, readers_markdown

    if as_json:
        keys = ("name", "title", "tool", "extensions", "reads", "leaves_out")
        print_json([{key: getattr(reader, key) for key in keys} for reader in readers()])
        return
    if as_markdown:
        typer.echo(readers_markdown().encode(), nl=False)
        return
    from reportgen.cli.terminal import console, show_rows

    rows = [(each.name, each.tool, each.reads, each.leaves_out) for each in readers()]
    show_rows(("format", "tool", "reads", "leaves out"), rows, console())


@app.command()
def schema(
    which: Annotated[
        SchemaName, typer.Argument(help="campaign, results, texts, comparison, changed or history.")
    ],
) -> None:
    """Print the JSON Schema of campaign.toml or a JSON file."""
    from reportgen.campaign import campaign_schema
    from reportgen.results import Results, schema_of
    from reportgen.results.comparison import Changed, VersionComparison
    from reportgen.results.history import History
    from reportgen.results.texts import Texts

    if which is SchemaName.CAMPAIGN:
        print_json(campaign_schema())
        return
    parts: dict[SchemaName, type[Part]] = {
        SchemaName.RESULTS: Results,
        SchemaName.TEXTS: Texts,
        SchemaName.COMPARISON: VersionComparison,
        SchemaName.CHANGED: Changed,
        SchemaName.HISTORY: History,
    }
    print_json(schema_of(parts[which]))
