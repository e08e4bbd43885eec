"""Another user of this computer watches the list of processes while a command starts, and tries to come in.

    python -m tests.watching    as root; prints what was seen, and "in" with each address that let it in

Whatever looks like an address in the arguments of any process is tried at once: a file is read for the
address that it leads to, a server is asked for it.
"""

import contextlib
import http.client
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tests.commands import NOBODY

ADDRESS = re.compile(r"(?:http|file)://[^\s\0'\"<>]+")
OK = 200


def in_arguments() -> Iterator[str]:
    """Yield what looks like an address in the arguments of any process."""
    for process in os.listdir("/proc"):  # noqa: PTH208 - thousands of times a minute
        with contextlib.suppress(OSError):
            if process.isdigit():
                yield from ADDRESS.findall(Path("/proc", process, "cmdline").read_text("utf-8", "replace"))


def lets_in(address: str) -> bool:
    """Tell whether an address leads to a page that is for somebody else."""
    parts = urlsplit(address)
    if parts.scheme == "file":
        text = Path(unquote(parts.path)).read_text("utf-8", "replace")
        return any(map(lets_in, ADDRESS.findall(text)))
    if not parts.port:
        return False
    connection = http.client.HTTPConnection("127.0.0.1", parts.port, timeout=2)
    with contextlib.closing(connection):
        connection.request("GET", f"{parts.path}?{parts.query}")
        answer = connection.getresponse()
        return answer.status == OK and bool(answer.headers["Set-Cookie"])


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def watch() -> None:
    """Watch without an end, as nobody."""
    with contextlib.suppress(OSError):
        lets_in("http://127.0.0.1:1/")  # all that this takes is read before the right to read it is gone
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    seen: set[str] = set()
    say("watching")
    while True:
        for address in {*in_arguments()} - seen:
            seen.add(address)
            say(f"seen {address}")
            with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
                if lets_in(address):
                    say(f"in {address}")


if __name__ == "__main__":
    try:
        watch()
    except (KeyboardInterrupt, BrokenPipeError):
        sys.exit(0)
