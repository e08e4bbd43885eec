"""The command for people without a terminal: one server, one browser, until its last tab is closed."""

import time
from collections.abc import Sequence
from pathlib import Path

from reportgen.app.door import Door, take
from reportgen.app.entrance import browse
from reportgen.app.session import place, session
from reportgen.base.errors import reason, refused
from reportgen.cli.common import say
from reportgen.cli.serving import until_ended

# Seconds between two looks at whether a tab is there.
LOOK = 0.5


def open_here(files: Sequence[Path], *, port: int, opened: bool) -> None:
    """Serve the application until the user ends it, or closes its last tab.

    Raises BadInput for files that can't be read, and where the port can't be had.
    """
    for file in files:
        if not file.exists():
            raise refused(str(file), message="there is no such file or folder.", remedy="Check the name.")
    with session(place(), new=bool(files)) as own:
        try:
            if files:
                take(own, files)
        except OSError as error:
            raise refused(str(files[0]), message=f"can't be copied: {reason(error)}.") from None
        door = Door(own, say)
        server = door.listening(port)
        if own.campaign is not None and not files:
            say("Going on with what was open when the program ended last.")
        with until_ended(), server.answering():
            # After a crash, what was decided is there.
            own.kept = True
            say(f"Open in a browser: {door.address}")
            say("It ends when its last tab is closed, or with Ctrl-C. Nothing leaves this computer.")
            if opened:
                browse(door.address, own.folder)
            while not door.tabs.are_closed and not door.tabs.are_silent:
                time.sleep(LOOK)
        own.kept = door.tabs.are_silent
    if own.kept:
        say("Ended: nothing was heard of the browser. Open it again to go on where you were.")
    else:
        say("Ended. What was not kept is removed.")
