"""Commands that are killed at chosen moments: by the clock, or at the n-th thing they do to files.

Starting Python takes longer than what is to be interrupted, so one process imports everything once, and
each command is a copy of it in a process group of its own.
"""

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.commands import SEEING

# How often each command is killed: `make reproduce` asks for fifty times.
KILLS = int(os.environ.get("REPORTGEN_KILLS", "3"))
NURSERY = """
import json, os, signal, sys
from pathlib import Path
from reportgen.base import site_folder
from reportgen.pipeline import targets
from reportgen.cli import main

CHANGING = {
    "ctypes.dlsym", "os.chmod", "os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink",
    "os.truncate", "shutil.copymode", "shutil.move", "shutil.rmtree",
}

def run(command):
    sys.argv[1:] = command
    try:
        main()
    except SystemExit as ended:
        return ended.code or 0
    return 0

def is_change(event, details):
    if event == "open":
        return isinstance(details[2], int) and details[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    return event in CHANGING and (event != "ctypes.dlsym" or details[1] == "renameat2")

def child(asked):
    os.setsid()
    seen = []
    def count(event, details):
        if not is_change(event, details):
            return
        seen.append(event)
        if len(seen) - 1 == asked["at"]:
            first = asked["parent_alone"]
            os.kill(os.getppid(), signal.SIGKILL) if first else os.killpg(0, signal.SIGKILL)
    if asked["renames"]:
        site_folder._exchange_at_once = lambda *_: False
    if asked["parent_alone"]:
        targets.MUCH, targets.processors = 0, lambda: 2
        started, here = targets.at_once, os.getpid()
        at = asked["at"]
        asked["at"] = None
        def at_once(work, items, workers):
            def told(item):
                if os.getpid() != here:
                    asked["at"] = len(seen) + at
                return work(item)
            return started(told, items, workers)
        targets.at_once = at_once
    sys.addaudithook(count)
    code = run(asked["command"])
    if asked["account"]:
        asked["at"] = None
        Path(asked["account"]).write_text(json.dumps(seen))
    os._exit(code)

warming, answers = json.loads(sys.argv[1]), os.fdopen(int(sys.argv[2]), "w")
for command in warming:
    if run(command):
        sys.exit("a command that warms up fails")
print("ready", file=answers, flush=True)
for line in sys.stdin:
    started = os.fork()
    if not started:
        try:
            child(json.loads(line))
        finally:
            os._exit(70)
    print(started, file=answers, flush=True)
    sys.stdin.readline()  # until whoever asked has killed it: its number stays its own so long
    print(os.waitpid(started, 0)[1], file=answers, flush=True)
"""


class Nursery:
    """A process that starts commands which are to be killed."""

    def __init__(self, warming: Sequence[Sequence[str]], temporary: Path) -> None:
        """Start it, with a new temporary folder, and let it run some commands, so that all is imported."""
        temporary.mkdir()
        self.temporary = temporary
        reading, writing = os.pipe()
        program = [sys.executable, "-c", NURSERY, json.dumps(warming), str(writing)]
        self._process = subprocess.Popen(
            program,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            pass_fds=[writing],
            env={**SEEING, "TMPDIR": str(temporary)},
            encoding="utf-8",
        )
        os.close(writing)
        self._answers = os.fdopen(reading, encoding="utf-8")
        if self._answers.readline() != "ready\n":
            self.end()
            raise AssertionError("commands to be killed do not start")

    def end(self) -> None:
        """End it."""
        self._process.communicate(timeout=60)
        self._answers.close()

    def killed(
        self,
        command: Sequence[str],
        *,
        at: int | None = None,
        after: float | None = None,
        renames: bool = False,
        parent_alone: bool = False,
        account: Path | None = None,
        ends: int = 0,
    ) -> bool:
        """Run a command and kill it before its `at`-th change to files, or after some seconds.

        Returns whether it was killed: it may have ended before, with the status `ends`. `renames` takes from
        it the exchange in one step, `parent_alone` kills it while a copy of it does its `at`-th change, and
        `account` is where it writes what it changed.
        """
        asked = {
            "command": command,
            "at": at,
            "renames": renames,
            "parent_alone": parent_alone,
            "account": str(account or ""),
        }
        child = int(self._ask(json.dumps(asked)))
        if after is not None:
            time.sleep(after)
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(child, signal.SIGKILL)
        status = int(self._ask("reap"))
        assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == ends
        _await_end_of(child)
        return os.WIFSIGNALED(status)

    def changes(
        self, command: Sequence[str], account: Path, *, renames: bool = False, ends: int = 0
    ) -> list[str]:
        """Run a command to its end; return the changes that it made to files, in their order."""
        assert not self.killed(command, account=account, renames=renames, ends=ends)
        found: list[str] = json.loads(account.read_text(encoding="utf-8"))
        account.unlink()
        return found

    def seconds(self, command: Sequence[str], ends: int = 0) -> float:
        """Run a command to its end; return how long it took."""
        begun = time.monotonic()
        assert not self.killed(command, ends=ends)
        return time.monotonic() - begun

    def _ask(self, line: str) -> str:
        assert self._process.stdin is not None
        print(line, file=self._process.stdin, flush=True)
        return self._answers.readline()


def _await_end_of(group: int) -> None:
    """Wait until no process of a group is left: copies of a killed one may still be at work."""
    for _ in range(600):
        try:
            os.killpg(group, 0)
        except (ProcessLookupError, PermissionError):
            return
        time.sleep(0.05)
    raise AssertionError("a copy of the command that was killed does not end")


def moments(changes: Sequence[str], number: int, seed: int) -> Iterator[int]:
    """Yield some changes at random, then the dangerous ones: about each rename, exchange and the end."""
    chance = random.Random(seed)  # noqa: S311 - the same moments each time
    yield from sorted(chance.sample(range(len(changes)), min(number, len(changes))))
    for place, event in enumerate(changes):
        if event in {"os.rename", "ctypes.dlsym"}:
            yield from {place, min(place + 1, len(changes) - 1)}
    yield len(changes) - 1
