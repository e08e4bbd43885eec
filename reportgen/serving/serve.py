"""The command's work from beginning to end: listen, build, watch, until somebody ends it."""

import contextlib
import signal
import tempfile
import webbrowser
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NoReturn

from reportgen.errors import BadInput
from reportgen.exchange import refusals
from reportgen.serving.server import Server
from reportgen.serving.standing import Standing
from reportgen.serving.watching import changes
from reportgen.serving.workshop import BUILDING, Say, Showing, Workshop


def serve(  # noqa: PLR0913 - one argument for each option of the command
    campaigns: Sequence[Path],
    *,
    port: int,
    out: Path | None,
    opened: bool,
    say: Say,
    showing: Showing,
) -> None:
    """Build the site and serve it on this computer until the user ends it; build again what changes.

    Raises BadInput where the port can't be listened to, or the site can't stand where it should.
    """
    with _place(out) as site:
        standing = Standing(site, BUILDING)
        server = Server(port, standing)
        workshop = Workshop(campaigns, site, standing, say, showing, server.looked_at)
        with until_ended(), server.answering():
            say(f"Serving on {server.address} (end with Ctrl-C)")
            if opened:
                webbrowser.open(server.address)
            workshop.build()
            for changed in changes(campaigns, site):
                workshop.build(changed)
    say("Ended.")


class Ended(KeyboardInterrupt):
    """The user ended the command.

    Python itself ends by the signal, whatever becomes of it, where its own exception passes through code that
    was made from a text, as every dataclass is.
    """


@contextlib.contextmanager
def until_ended() -> Iterator[None]:
    """Work until the user ends it, and end as if the work were done."""
    before = {each: signal.signal(each, _end) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        with contextlib.suppress(KeyboardInterrupt):
            yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _end(*_: object) -> NoReturn:
    raise Ended


@contextlib.contextmanager
def _place(out: Path | None) -> Iterator[Path]:
    """Yield where the site goes: the user's folder, or one that is gone afterwards."""
    if out is not None:
        if problems := refusals(out):
            raise BadInput(problems)
        yield out
        return
    with tempfile.TemporaryDirectory(prefix="reportgen-") as scratch:
        yield Path(scratch) / "site"
