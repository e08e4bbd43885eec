"""`reportgen bundle`: the report of one guidelines version, ready to be attached to a corpus release."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reportgen.base.progress import telling
from reportgen.cli.common import bars, explained, say

if TYPE_CHECKING:
    from reportgen.base.errors import Problem
    from reportgen.base.progress import Steps
    from reportgen.campaign import Campaign
    from reportgen.publish.bundle import Bundled, BundleOptions


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
        from reportgen.publish.bundle import BundleOptions

        choice = BundleOptions(texts=texts, exports=exports, parquet=parquet)
        known = _allowed(campaign, version, out, choice)
        with bars() as progress, telling(progress):
            made, digest = _written(known, version, choice, out, progress)
    for problem in made.notices:
        say(str(problem))
    from reportgen.cli.bundle_summary import as_json_text, in_lines

    if as_json:
        typer.echo(as_json_text(out, made, digest).encode())
        return
    for line in in_lines(out, made, choice):
        typer.echo(line)


def _allowed(folder: Path, version: str, out: Path, choice: "BundleOptions") -> "Campaign":
    """Return the campaign; raise BadInput with all that is wrong with what is asked for."""
    from reportgen import campaign as asked
    from reportgen.base.errors import BadInput, tried
    from reportgen.publish.files import missing
    from reportgen.publish.placing import obstacles

    problems = [*obstacles(out, folder), *(missing() if choice.parquet else ())]
    loaded, wrong = tried([folder], asked.load)
    problems += wrong
    for known in loaded:
        problems += [*tried([version], known.version)[1], *(_withheld(known) if choice.texts else ())]
    if problems:
        raise BadInput(problems)
    return loaded[0]


def _withheld(campaign: "Campaign") -> "list[Problem]":
    """Return a problem where the campaign says that its texts are not to be shown."""
    from reportgen.base.errors import Problem

    if campaign.privacy.texts == "show":
        return []
    message = 'is "withhold", and --with-texts would show them.'
    mend = 'Leave --with-texts out; or write texts = "show" where they may be passed on.'
    return [Problem(campaign.file, 0, "privacy.texts", message, mend)]


def _written(
    campaign: "Campaign", version: str, choice: "BundleOptions", out: Path, progress: "Steps"
) -> "tuple[Bundled, str | None]":
    """Make and write a bundle; return it with the SHA-256 of its file, None of a folder."""
    from reportgen.publish.bundle import bundled
    from reportgen.publish.placing import place

    made = bundled(campaign, version, choice, progress)
    progress(f"{campaign.id} {version}: writing {out.name}")
    return made, place(out, made.files)
