"""Commands for what was decided: the gold standard as a file, and the key to pseudonyms."""

from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reportgen.base.errors import BadInput, Problem, tried
from reportgen.base.progress import telling
from reportgen.cli import common
from reportgen.cli.common import explained, say

if TYPE_CHECKING:
    from reportgen.campaign import Campaign
    from reportgen.publish.gold_files import GoldStandard

NONE_WRITTEN = "; nothing was written"


class AggregateName(StrEnum):
    """How annotators' labels become one where nobody decided."""

    MAJORITY = "majority"
    DAWID_SKENE = "dawid-skene"


def gold(  # noqa: PLR0917 - one argument for each option
    campaign: Annotated[Path, typer.Argument(help="The campaign's folder.")],
    out: Annotated[
        Path,
        typer.Option(
            metavar="FILE|FOLDER",
            help="A row for each unit: FILE.csv, FILE.jsonl. Marks in texts: FILE.conll, FILE.json (Label "
            "Studio), 'FOLDER/{document}.tsv' (WebAnno), or a new FOLDER (brat).",
        ),
    ],
    version: Annotated[str, typer.Argument(help="A guidelines version; by default the newest.")] = "",
    aggregate: Annotated[
        AggregateName | None,
        typer.Option(help="Where nobody decided, take the label of most, or the most probable one."),
    ] = None,
    decided_only: Annotated[
        bool, typer.Option("--decided-only", help="Leave out what is still open.")
    ] = False,
    layer: Annotated[str, typer.Option(help="One layer; by default all.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print how much is decided as JSON.")] = False,
) -> None:
    """Write the gold standard, and what is still open."""
    with explained(NONE_WRITTEN):
        from reportgen.annotators.gold_standard import Aggregate
        from reportgen.publish.gold_files import GoldOptions, gold_obstacles, gold_standard, write_gold

        options = GoldOptions(Aggregate(aggregate.value) if aggregate else None, decided_only, layer)
        known, which = _asked(campaign, version, lambda found: gold_obstacles(out, found))
        with common.bars() as progress, telling(progress):
            standard = gold_standard(known, which, options, progress)
            files, notices = write_gold(standard, out)
    common.tell(notices)
    account = {"out": str(out), "version": which, "files": files, "layers": standard.counts}
    several = f" ({files:,} files)" if files > 1 else ""
    common.answer(account, [*_in_lines(standard), f"Written: {out}{several}"], as_json=as_json)


def _asked(
    folder: Path, version: str, obstacles: "Callable[[Campaign], list[Problem]]"
) -> "tuple[Campaign, str]":
    """Return the campaign and the name of the version; raise BadInput with all that is wrong with either."""
    from reportgen import campaign as asked

    loaded = asked.load(folder)
    which = version or loaded.versions[-1]
    problems = [*obstacles(loaded), *tried([which], loaded.version)[1]]
    if problems:
        raise BadInput(problems)
    return loaded, which


def _in_lines(standard: "GoldStandard") -> Iterator[str]:
    """Yield how much is decided in each layer, and by whom."""
    for layer, counts in standard.counts.items():
        parts = [
            f"{number:,} {status}"
            for status, number in counts.items()
            if status not in {"units", "labelled_once"}
        ]
        once = counts["labelled_once"]
        more = f" ({once:,} with fewer than two annotators)" if once else ""
        said = ", ".join(parts)
        yield f"{standard.campaign.id} {standard.version}, {layer}: {counts['units']:,} units: {said}{more}"


def key(
    campaign: Annotated[Path, typer.Argument(help="The campaign's folder.")],
    out: Annotated[Path, typer.Option(metavar="FILE.csv", help="A CSV file that you alone can read.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print what was written as JSON.")] = False,
) -> None:
    """Write who is behind A01; for yourself alone."""
    with explained(NONE_WRITTEN):
        from reportgen.publish.gold_files import key_obstacles, pseudonym_key, write_key

        known, _ = _asked(campaign, "", lambda found: key_obstacles(out, found))
        with common.bars() as progress, telling(progress):
            rows = pseudonym_key(known, progress)
        write_key(rows, out)
    account = {"out": str(out), "pseudonyms": len(rows)}
    common.answer(account, [f"Written: {out} ({len(rows):,} pseudonyms)"], as_json=as_json)
    if not as_json:
        say("Keep it to yourself: it says who is who.")
