"""Commands while people annotate: exports come from where they work, and decisions go back there."""

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reportgen.base.errors import BadInput, refused
from reportgen.base.progress import reporting_progress
from reportgen.cli import common
from reportgen.cli.common import NONE_WRITTEN, problems_to_exit_status

if TYPE_CHECKING:
    from reportgen.app.servers.pull_push import Pulled

app = typer.Typer()

EVERY = re.compile(r"([1-9][0-9]{0,4})(s|m|h)")
SECONDS = {"s": 1, "m": 60, "h": 3600}
# Nobody's server is asked more often.
SHORTEST = 10


@app.command(epilog="Example: reportgen pull campaigns/reviews 2.0")
def pull(
    campaign: Annotated[
        Path,
        typer.Argument(
            help="The folder of the campaign; [source] in its campaign.toml says where exports come from."
        ),
    ],
    version: Annotated[str, typer.Argument(help="A version of the guidelines; by default, the newest.")] = "",
    watch: Annotated[
        str,
        typer.Option(
            metavar="TIME",
            help="Pull repeatedly, at this interval, such as 10m; the version live, if there is one.",
        ),
    ] = "",
    force: Annotated[
        bool, typer.Option("--force", help="Replace the exports even if half of them, or more, is gone.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was pulled as JSON.")] = False,
) -> None:
    """Fetch exports from the tool in which people annotate."""
    with problems_to_exit_status(NONE_WRITTEN):
        from reportgen.app.servers.pull_push import pull as pulling

        every = _seconds(watch) if watch else 0
        folder = common.found([campaign])[0]
        with common.bars() as progress, reporting_progress(progress):
            pulled = pulling(folder, version, live=bool(watch), force=force, tell=progress, warn=common.tell)
    common.answer(_account(pulled), _lines(pulled), as_json=as_json)
    while every:
        time.sleep(every)
        try:
            pulled = pulling(folder, version, live=True)
        except BadInput as error:
            # What was pulled before is still there; perhaps the server comes back.
            common.tell(error.problems)
        else:
            if pulled.changed:
                common.answer(_account(pulled), _lines(pulled), as_json=as_json)


def _seconds(text: str) -> int:
    """Return how many seconds a time such as 10m is."""
    found = EVERY.fullmatch(text)
    seconds = int(found[1]) * SECONDS[found[2]] if found else 0
    if seconds < SHORTEST:
        message = f"is not a time of {SHORTEST} seconds or more."
        raise refused("--watch", message=message, remedy="Write it as 90s, 10m or 1h.")
    return seconds


def _account(pulled: "Pulled") -> dict[str, Any]:
    snapshot = pulled.snapshot
    about = {
        name: getattr(snapshot, name) for name in ("tool", "url", "project", "title", "number", "of", "at")
    }
    return {
        **about,
        "version": pulled.version,
        "folder": str(pulled.folder),
        "files": sorted(snapshot.files),
        "changed": pulled.changed,
    }


def _lines(pulled: "Pulled") -> Iterator[str]:
    snapshot = pulled.snapshot
    changed = "" if pulled.changed else "; nothing has changed since the last pull"
    title = f" of {snapshot.title}" if snapshot.title else ""
    yield f"{snapshot.number:,} {snapshot.of}{title}, {snapshot.at}{changed}"
    yield f"Written: {pulled.folder}"


# Of what is changed so much is listed with --dry-run.
CHANGES_SHOWN = 20


@app.command(epilog="Example: reportgen push campaigns/reviews --dry-run")
def push(  # noqa: PLR0917 - one argument for each option
    campaign: Annotated[Path, typer.Argument(help="The campaign's folder.")],
    version: Annotated[str, typer.Argument(help="A version of the guidelines; by default, the newest.")] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would change, without changing anything.")
    ] = False,
    who: Annotated[
        str,
        typer.Option(
            "--as",
            metavar="USER",
            help="The user whose annotations they become; by default, the token's owner.",
        ),
    ] = "",
    predictions: Annotated[
        str,
        typer.Option(
            metavar="MODEL", help="Label Studio: send the decisions as predictions by a model of this name."
        ),
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print what changed as JSON.")] = False,
) -> None:
    """Send decisions to the tool in which people annotate."""
    with problems_to_exit_status("; nothing was sent"):
        from reportgen import campaign as asked
        from reportgen.app.servers.pull_push import plan_push

        loaded = asked.load(common.found([campaign])[0])
        version = version or loaded.versions[-1]
        loaded.version(version)
        with common.bars() as progress, reporting_progress(progress):
            plan, found = plan_push(
                loaded, version, who=who, predictions=predictions, tell=progress, warn=common.tell
            )
    with problems_to_exit_status("; what was sent before this stays there"):
        for change in () if dry_run else plan.changes:
            change.send()
    finished, documents = len(found.finished), len(found.documents)
    account = {
        "who": plan.who,
        "changes": [change.what for change in plan.changes],
        "same": plan.same,
        "unknown": list(plan.unknown),
        "unfinished": documents - finished,
        "left_out": list(found.left_out),
        "sent": not dry_run,
    }
    common.answer(account, _sent(account, finished, documents), as_json=as_json)


def _sent(account: dict[str, Any], finished: int, documents: int) -> Iterator[str]:
    changes, unknown, same = account["changes"], account["unknown"], account["same"]
    yield f"{finished:,} of {documents:,} documents are decided; {same:,} are there as they were decided."
    if changes and not account["sent"]:
        yield from changes[:CHANGES_SHOWN]
        if len(changes) > CHANGES_SHOWN:
            yield f"… and {len(changes) - CHANGES_SHOWN:,} more."
    if unknown:
        yield f"Not there: {', '.join(unknown[:CHANGES_SHOWN])}."
    for layer in account["left_out"]:
        yield f"{layer}: not sent, since its units are not plain marks or labels."
    done = "Sent" if account["sent"] else "To be sent"
    yield f"{done}: {len(changes):,} changes, as {account['who']}."
