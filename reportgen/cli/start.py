"""Commands that begin: a campaign is described, built and looked at, one file is measured, one is planned."""

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reportgen.base.errors import alike_as_one, for_each, printable, refused
from reportgen.base.site_folder import CAMPAIGNS, SITE, alone
from reportgen.cli import common
from reportgen.cli.common import problems_to_exit_status, say

if TYPE_CHECKING:
    from reportgen.base.errors import Problem
    from reportgen.cli.agree import AgreementResult
    from reportgen.pipeline.build_cache import Built, VersionScore
    from reportgen.pipeline.export_folder import Survey
    from reportgen.readers.table_reading import TableReading

app = typer.Typer()


@app.command("open", epilog="Example: reportgen open exports/")
def open_(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE|FOLDER|ZIP]…", help="What annotators exported; by default, the page asks for it."
        ),
    ] = None,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port on this computer; 0 takes any free one.")
    ] = 0,
    opened: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the page in a browser, or only print its address.")
    ] = True,
) -> None:
    """Read exports and make a report on a page in the browser."""
    with problems_to_exit_status():
        from reportgen.cli.serving import open_here

        open_here(files or (), port=port, opened=opened)


# A campaign: described from its exports, or empty.

# So many notices, and as many steps, are printed; a file has the rest.
LINES_SHOWN = 8
LABELS_SHOWN = 6


@app.command(epilog="Example: reportgen init campaigns/reviews")
def init(
    folder: Annotated[
        Path,
        typer.Argument(metavar="DIR", help="A folder with annotators' exports, or with several campaigns."),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print what was found as JSON.")] = False,
) -> None:
    """Read a folder of exports and write its campaign.toml."""
    with problems_to_exit_status(common.NONE_WRITTEN):
        from reportgen.pipeline.export_folder import campaigns_in, survey_folder

        several = campaigns_in(folder)
        surveys = for_each(several or [folder], lambda each: _answered(survey_folder(each)))
        described = list(map(_described, surveys))
    lines = alike_as_one(problem for _, noticed in described for problem in noticed)
    all_findings = [findings for findings, _ in described]
    if as_json:
        common.tell(lines)
        common.print_json(all_findings if several else all_findings[0])
        return
    common.tell(lines[:LINES_SHOWN])
    from reportgen.cli.terminal import console, show_survey

    for findings in all_findings:
        show_survey(findings | {"next": findings["next"][:LINES_SHOWN]}, console())
    if len(lines) > LINES_SHOWN or any(len(findings["next"]) > LINES_SHOWN for findings in all_findings):
        with problems_to_exit_status():
            _write_log(folder, all_findings)


def _answered(survey: "Survey") -> "Survey":
    """Return what is in a folder, read as somebody at the terminal says where tables leave it open."""
    from reportgen.cli.asking import Alternative, asked, may_ask

    if not may_ask() or not any(version.export_survey.ways for version in survey.versions):
        return survey
    from reportgen.app.understood import answers
    from reportgen.pipeline.export_folder import survey_folder
    from reportgen.pipeline.scaffold import Decisions

    said: dict[str, TableReading] = {}
    for version in survey.versions:
        decided = Decisions(readings=said)
        each = [
            Alternative(answer.reading, answer.reading.in_words, answer.gives)
            for answer in answers(survey, version, decided)
        ]
        if each and (chosen := asked(version.export_survey.problems[0], each)):
            said[version.id] = chosen.reading
    return survey_folder(survey.folder, said) if said else survey


def _write_log(folder: Path, all_findings: Sequence[Mapping[str, Any]]) -> None:
    """Write what there is to look at of every campaign into a file, and say where it is."""
    from reportgen.pipeline.scaffold import LOG, write

    lines = [line for findings in all_findings for line in (*findings["notices"], *findings["next"])]
    log = write(folder, LOG, "\n".join([*lines, ""]), again=True)
    typer.echo(printable(f"More to look at: {log}"))


def _described(survey: "Survey") -> tuple[dict[str, Any], list["Problem"]]:
    """Write a campaign.toml; return what was found, decided and is to be done, and what looks wrong."""
    from reportgen.pipeline.export_folder import CONFIGURATION, account, label_problems
    from reportgen.pipeline.scaffold import command, decisions, next_steps, plan_of, render, write

    plan = plan_of(survey)
    text = render(plan)
    noticed = list(label_problems(survey))
    steps = {
        "file": write(survey.folder, CONFIGURATION, text).as_posix(),
        "decided": decisions(survey, plan),
        "next": next_steps(survey, text),
        "command": command(survey.folder),
        "notices": list(map(str, noticed)),
    }
    return account(survey) | steps, noticed


CAMPAIGN = """title = "{title}"

# Why these units? `reportgen schema campaign` describes every key.
# [[unit_sets]]
# id = "items"
# units = "items"
# primary = true
# why = "…"

[[guidelines]]
version = "1.0"
exports = "exports/1.0"
# date = 2026-11-02
# document = "guidelines/1.0.md"
"""


@app.command(epilog="Example: reportgen new reviews")
def new(
    name: Annotated[str, typer.Argument(help="The name of the campaign's folder, which is also its id.")],
) -> None:
    """Make an empty campaign."""
    with problems_to_exit_status(common.NONE_WRITTEN):
        folder = make(name)
    exports = folder / "exports" / "1.0"
    typer.echo(f"Written: {folder / 'campaign.toml'}")
    typer.echo(f"Next: put the annotators' exports into {exports}, then")
    typer.echo("  reportgen build")


def make(name: str) -> Path:
    """Make the folder of a campaign below campaigns/; return it. Raises BadInput where that can't be."""
    from reportgen.campaign.toml_tables import IDENTIFIER, TAKEN

    if not re.fullmatch(IDENTIFIER, name) or name.casefold() in TAKEN:
        message = "can't be the name of a campaign."
        remedy = "Use letters, digits, dots, hyphens and underscores, such as gene-renaming."
        raise refused(name, message=message, remedy=remedy)
    folder = CAMPAIGNS / name
    if os.path.lexists(folder):
        raise refused(str(folder), message="is there already.", remedy="Choose another name.")
    (folder / "exports" / "1.0").mkdir(parents=True)
    title = name.replace("-", " ").replace("_", " ").capitalize()
    (folder / "campaign.toml").write_text(CAMPAIGN.format(title=title), encoding="utf-8")
    return folder


# The site: built, and shown while campaigns are edited.

PORT = 8017


@app.command(epilog="Example: reportgen build campaigns/reviews --open")
def build(  # noqa: PLR0917 - one argument for each option
    campaigns: common.CampaignFolders = None,
    out: Annotated[
        Path | None,
        typer.Option(help="The folder for the site; other campaigns in it stay.  [default: site]"),
    ] = None,
    opened: Annotated[bool, typer.Option("--open", help="Open the site in a browser.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only problems.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Print each step.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was built as JSON.")] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Rebuild everything, even what has not changed.")
    ] = False,
    prune: Annotated[
        bool,
        typer.Option(
            "--prune", help="Allow pages to disappear that were published but are no longer in the campaigns."
        ),
    ] = False,
    images: Annotated[
        bool,
        typer.Option(
            "--figures",
            help="Also write each figure as PNG and PDF. They have no checksums, and the next build "
            "without this option removes them.",
        ),
    ] = False,
) -> None:
    """Build the site: a report for each version of the guidelines."""
    with problems_to_exit_status(common.NONE_WRITTEN):
        from reportgen.base.progress import Progress
        from reportgen.pipeline.build import build_site

        named = common.found(campaigns or ())
        workplace = common.Workplace(named, SITE) if named else common.workplace("build")
        target = out or workplace.site
        with nullcontext(Progress(say)) if verbose else common.bars() as progress:
            # Those of campaigns/ are all there are. One that is named, or lies elsewhere, may not be alone.
            every = not campaigns and workplace.campaigns != [workplace.own]
            site = build_site(workplace.campaigns, target, progress, fresh=fresh, every=every, prune=prune)
    if images:
        with problems_to_exit_status(), alone(target):
            from reportgen.pipeline.targets import write_images

            write_images(target)
    common.tell(site.notices)
    if as_json:
        built = [
            _built(campaign, score, target)
            for campaign in site.campaigns
            for score in campaign.remembered.scores
        ]
        common.print_json(built)
    elif not quiet:
        from reportgen.cli.terminal import scoreboard

        for line in scoreboard(site):
            typer.echo(line)
        hiding = [campaign.hiding for campaign in site.campaigns if campaign.hiding and campaign.written]
        for file in (campaign.kept for campaign in site.campaigns if campaign.kept):
            typer.echo(
                printable(
                    f"Written: {file}: keep it with the campaign, so that pseudonyms stay the same; never "
                    f"publish it"
                )
            )
        if hiding:
            command = shlex.join(["reportgen", "key", hiding[0], "--out", "annotators-key.csv"])
            typer.echo(printable(f"Who is A01: {command}"))
        typer.echo(printable(f"Written: {target / 'index.html'}"))
    if opened:
        import webbrowser

        webbrowser.open((target / "index.html").absolute().as_uri())


def _built(campaign: "Built", score: "VersionScore", site: Path) -> dict[str, Any]:
    return {
        "campaign": campaign.id,
        "version": score.version,
        "verdict": score.verdict,
        "to_do": score.to_do,
        "layers": [layer.model_dump() for layer in score.layers],
        "page": printable((site / campaign.id / score.version / "index.html").as_posix()),
        "unchanged": score.version not in campaign.written,
    }


@app.command(epilog="Example: reportgen serve campaigns/reviews")
def serve(
    campaigns: common.CampaignFolders = None,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port on this computer; 0 takes any free one.")
    ] = PORT,
    out: Annotated[
        Path | None, typer.Option(help="Keep the site in this folder; by default, it is deleted at the end.")
    ] = None,
    opened: Annotated[bool, typer.Option("--open", help="Open the site in a browser.")] = False,
) -> None:
    """Show the site on this computer, and rebuild what changes."""
    with problems_to_exit_status():
        from reportgen.cli import serving

        serving.serve_site(common.found(campaigns or common.here("serve")), port=port, out=out, opened=opened)


# Figures without a campaign: of one file, and of a campaign that has not begun.


@app.command(epilog="Example: reportgen agree ratings.csv --scale ordinal")
def agree(  # noqa: PLR0917 - one argument for each option
    file: Annotated[
        Path,
        typer.Argument(help="A table of labels, a confusion matrix, any other export, or a folder of these."),
    ],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print everything as JSON, at full precision.")
    ] = False,
    scale: common.FoundScaleOption = None,
    distance: Annotated[
        list[Path] | None,
        typer.Option(
            help="A file with distances between categories: a CSV table, BDM scores or a taxonomy. "
            "Repeatable."
        ),
    ] = None,
    categories: Annotated[str, typer.Option(help="The categories in their order, separated by commas.")] = "",
    non_annotated: common.NonAnnotated = "",
    missing: common.Missing = None,
    columns: common.Columns = "",
    annotators: Annotated[str, typer.Option(help="The annotators to compare, separated by commas.")] = "",
    reading: Annotated[
        Path | None,
        typer.Option(
            help="A TOML file with keys of [[guidelines]] that say how the table is read: turned = true."
        ),
    ] = None,
    set_separator: common.SetSeparator = "",
    encoding: Annotated[
        str, typer.Option(help="The encoding of the file, such as cp1252; by default, it is detected.")
    ] = "",
    decimal: Annotated[
        str, typer.Option(help="The decimal separator of numbers; by default, it is detected.")
    ] = "",
    model: Annotated[
        list[str] | None,
        typer.Option(
            help="An annotator that is a model. With several humans: may it take the place of one? With "
            "one human: where does it err, and what shares would it report? Repeatable."
        ),
    ] = None,
    epsilon: Annotated[
        float | None,
        typer.Option(
            parser=common.number,
            help="How much worse a model may be, because a human costs more: from 0 to below 1, such as "
            "0.1 for a crowd or 0.2 for experts.",
        ),
    ] = None,
    score: Annotated[
        str,
        typer.Option(
            help="How closeness of labels is measured: accuracy, neg_rmse, f_measure or similarity[masi]."
        ),
    ] = "",
    expert: Annotated[
        str, typer.Option(help="A trusted human: is the model closer to this one than the other humans are?")
    ] = "",
) -> None:
    """Print every agreement figure for one file."""
    with problems_to_exit_status():
        from reportgen.cli.agree import AgreementRequest, agree

        options_read = common.reading(
            columns, missing or [], set_separator, common.split(annotators), encoding, decimal, reading
        )
        options = {"epsilon": epsilon, "score": score or None, "expert": expert or None}
        rule = {name: value for name, value in options.items() if value is not None}
        models = tuple(dict.fromkeys(model or []))
        names = common.split(categories)
        answer = agree(
            AgreementRequest(
                file,
                options_read,
                scale.value if scale else None,
                names,
                non_annotated or None,
                distance or [],
                as_json,
                models,
                rule,
            ),
            ask=True,
        )
    common.tell(answer.notices)
    if as_json:
        from reportgen.results import dumps

        typer.echo(dumps(answer.unit_set).encode(), nl=False)
    else:
        _show_answer(answer)


def _show_answer(answer: "AgreementResult") -> None:
    """Print figures for people, and what models are worth where some were named."""
    from reportgen.catalogue import base_id, measure_of
    from reportgen.cli.terminal import console, show_account, show_unit_set
    from reportgen.results.annotators import ModelsBesideAgreement, ModelsBesideOneHuman

    if isinstance(answer.unit_set, ModelsBesideOneHuman):
        from reportgen.cli.printed_results import show_judges

        show_account(answer.unit_set, answer.reading, console())
        show_judges(answer.unit_set, (answer.primary, measure_of(answer.primary).name), console())
        return

    figures = (*answer.unit_set.measures, *answer.unit_set.mean_over_pairs)
    names = {name: name.replace(base_id(name), measure_of(name).name + " ").rstrip() for name in figures}
    show_unit_set(answer.unit_set, names, answer.reading, answer.primary, console())
    if isinstance(answer.unit_set, ModelsBesideAgreement):
        from reportgen.cli.printed_results import show_replacement

        show_replacement(answer.unit_set.replacement, console())


@app.command(epilog="Example: reportgen plan --kappa 0.7 --half-width 0.05")
def plan(  # noqa: PLR0917 - one argument for each option
    kappa: Annotated[
        float | None,
        typer.Option(parser=common.number, help="The kappa that you expect, from 0 to less than 1."),
    ] = None,
    prevalence: Annotated[
        float | None,
        typer.Option(
            parser=common.number, help="The share of units that you expect in the category, between 0 and 1."
        ),
    ] = None,
    half_width: Annotated[
        float | None,
        typer.Option(parser=common.number, help="Half the width of the 95% interval that you want."),
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            parser=common.number,
            help="A kappa, such as 0.667, from which the expected kappa has to be distinguished, in 4 out "
            "of 5 cases.",
        ),
    ] = None,
    error_rate: Annotated[
        float | None,
        typer.Option(
            parser=common.number,
            help="Plan how many units to check in order to show that the error rate is below this.",
        ),
    ] = None,
    confidence: Annotated[
        float | None,
        typer.Option(
            parser=common.number, help="With --error-rate: the confidence of the result.  [default: 0.95]"
        ),
    ] = None,
    errors: Annotated[
        int | None,
        typer.Option(help="With --error-rate: how many errors the check may find.  [default: 0 to 4]"),
    ] = None,
    cost: Annotated[
        str | None, typer.Option(help="The cost of a label or an hour, such as 0.4/label or 15/hour.")
    ] = None,
    minutes: Annotated[
        float | None, typer.Option(parser=common.number, help="How many minutes a label takes.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the numbers as JSON.")] = False,
) -> None:
    """Plan how many units annotators have to label or check."""
    agreement = {
        "--kappa": kappa,
        "--prevalence": prevalence,
        "--half-width": half_width,
        "--threshold": threshold,
    }
    checks = {"--error-rate": error_rate, "--confidence": confidence, "--errors": errors}
    with problems_to_exit_status():
        from reportgen.cli.planning import planned, show, spending

        plans = planned(agreement, checks, spending(cost, minutes))
    if as_json:
        common.print_json(plans)
        return
    from reportgen.cli.terminal import console

    show(plans, console())
