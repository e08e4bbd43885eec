"""Commands killed at any moment leave what stood before or all of what they make, and never a part of it."""

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.commands import LONG, SEEING, files, on_disk, run
from tests.slowly import slow_but

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="NOT TESTED: this system copies no process")

# How `verify` ends of a bundle without exports.
UNCHECKED = 3
TOML = """title = "A campaign"
[[unit_sets]]
id = "votes"
units = "items"
primary = true
why = "They judged each."
"""
CHANGED = LONG.replace("Zoé Müller,no", "Zoé Müller,yes")
EXPORT = "exports/1/ratings.csv"
# What a command writes, by name: a file has the name "".
Content = dict[str, bytes]


def content(path: Path) -> Content | None:
    """Return what stands at a path; None where nothing does."""
    if path.is_file():
        return {"": path.read_bytes()}
    return files(path) if path.is_dir() else None


def different(found: Content | None, expected: Content) -> list[str]:
    """Return the names of the files that differ, are missing or too many."""
    there = found or {}
    return [name for name in sorted({*there, *expected}) if there.get(name) != expected.get(name)]


def write_campaign(folder: Path, *exports: str) -> None:
    """Write a campaign with a version for each export."""
    versions = [f'[[guidelines]]\nversion = "{number}"\n' for number in range(1, len(exports) + 1)]
    tables = {f"exports/{number}/ratings.csv": export for number, export in enumerate(exports, 1)}
    on_disk(folder, {"campaign.toml": TOML + "".join(versions), **tables})


@dataclass(frozen=True)
class Case:
    """A command that writes to `out`, over `old`, and would write `new`."""

    command: Sequence[str]
    out: Path
    old: Content
    new: Content
    nursery: "Nursery"

    def stand_as_before(self) -> None:
        """Put back the old content, as a command would have written it."""
        subprocess.run(["rm", "-rf", str(self.out)], check=True)
        if "" in self.old:
            self.out.write_bytes(self.old[""])
        else:
            on_disk(self.out, self.old)

    def is_whole(self) -> bool:
        """Hold that the old content stands, or the new; return whether it is the new."""
        found = content(self.out)
        assert [] in [different(found, self.old), different(found, self.new)]
        return not different(found, self.new)

    def is_mended(self) -> None:
        """Hold that the next command writes the new content, and leaves nothing beside it."""
        done = run(*self.command)
        assert done.exit_code == 0, done.output
        assert different(content(self.out), self.new) == []
        assert [path.name for path in self.out.parent.iterdir()] == [self.out.name]

    def changes(self, *, renames: bool = False) -> list[str]:
        """Return what the command does to files."""
        self.stand_as_before()
        return self.nursery.changes(self.command, self.out.parent.parent / "account", renames=renames)


COMMANDS: dict[str, Callable[[Path, Path], list[str]]] = {
    "site": lambda at, out: ["build", str(at / "one"), str(at / "two"), "--out", str(out / "site")],
    "zip": lambda at, out: ["bundle", str(at / "released"), "1", "--out", str(out / "bundle.zip")],
    "folder": lambda at, out: ["bundle", str(at / "released"), "1", "--out", str(out / "bundle")],
    "counts": lambda at, out: ["count", str(at / "released" / EXPORT), "--out", str(out / "counts")],
    "gold": lambda at, out: ["gold", str(at / "released"), "--out", str(out / "gold.csv")],
}


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Case]]:
    """What is built over an old site, and bundled over old bundles: the export of one campaign changed."""
    top = tmp_path_factory.mktemp("killed")
    places = {name: top / name / "place" for name in COMMANDS}
    commands = {name: COMMANDS[name](top / "campaigns", place) for name, place in places.items()}
    write_campaign(top / "campaigns" / "two", LONG, CHANGED)
    stood = [_made(top, export, commands) for export in (LONG, CHANGED)]
    (top / "warming").mkdir()
    warming = [
        [*command[:-1], str(top / "warming" / Path(command[-1]).name)] for command in commands.values()
    ]
    nursery = Nursery(warming, top / "temporary")
    yield {
        name: Case(commands[name], Path(commands[name][-1]), stood[0][name], stood[1][name], nursery)
        for name in commands
    }
    nursery.end()


def _made(top: Path, export: str, commands: dict[str, list[str]]) -> dict[str, Content]:
    """Return what the commands write of an export; a folder holds what a zip file does."""
    # A page tells of bundles that are out: what is bundled is not what is built.
    for name in ("one", "released"):
        write_campaign(top / "campaigns" / name, export)
    # What was released otherwise would have to be released again.
    (top / "campaigns" / "released" / "released-1.json").unlink(missing_ok=True)
    for name, command in commands.items():
        Path(command[-1]).parent.mkdir(parents=True, exist_ok=True)
        if name != "folder":
            done = run(*command)
            assert done.exit_code == 0, done.output
    found = {name: content(Path(command[-1])) or {} for name, command in commands.items()}
    with zipfile.ZipFile(commands["zip"][-1]) as archive:
        return {**found, "folder": {each: archive.read(each) for each in archive.namelist()}}


@pytest.fixture(params=COMMANDS)
def case(request: pytest.FixtureRequest, cases: dict[str, Case]) -> Case:
    found = cases[request.param]
    assert found.old != found.new
    return found


@pytest.mark.slow
def test_killed_at_any_time_it_leaves_the_old_or_the_new(case: Case) -> None:
    case.stand_as_before()
    seconds = case.nursery.seconds(case.command)
    assert different(content(case.out), case.new) == []
    chance = random.Random(8)  # noqa: S311 - the same moments each time
    came: Counter[str] = Counter()
    for _ in range(KILLS):
        case.stand_as_before()
        killed = case.nursery.killed(case.command, after=chance.uniform(0, seconds * 1.05))
        came[f"{'killed' if killed else 'done before'}, {'new' if case.is_whole() else 'old'}"] += 1
        case.is_mended()
    sys.stdout.write(f"{case.command[0]} {case.out.name}: {dict(came)}\n")


@pytest.mark.slow
def test_verify_killed_at_any_time_changes_nothing(cases: dict[str, Case]) -> None:
    case = cases["zip"]
    case.stand_as_before()
    command = ["verify", str(case.out)]
    said = run(*command).stdout
    seconds = case.nursery.seconds(command, ends=UNCHECKED)
    chance = random.Random(9)  # noqa: S311 - the same moments each time
    killed = 0
    for _ in range(KILLS):
        killed += case.nursery.killed(command, after=chance.uniform(0, seconds), ends=UNCHECKED)
        assert different(content(case.out), case.old) == []
        assert [path.name for path in case.out.parent.iterdir()] == [case.out.name]
    assert run(*command).stdout == said
    # What was unpacked for a while by a command that was killed goes with the next one.
    case.nursery.seconds(command, ends=UNCHECKED)
    assert list(case.nursery.temporary.iterdir()) == []
    sys.stdout.write(f"verify {case.out.name}: killed {killed} times of {KILLS}\n")


@pytest.mark.parametrize("case", slow_but(COMMANDS), indirect=True)
def test_killed_at_any_change_to_files_it_leaves_the_old_or_the_new(case: Case) -> None:
    changes = case.changes()
    assert len(changes) > 1
    for place in moments(changes, KILLS, 88):
        case.stand_as_before()
        assert case.nursery.killed(case.command, at=place)
        case.is_whole()
        case.is_mended()


@pytest.mark.parametrize("case", slow_but(["site", "folder"]), indirect=True)
def test_killed_where_no_system_exchanges_folders_it_is_mended_by_the_next_command(case: Case) -> None:
    changes = case.changes(renames=True)
    renames = [place for place, event in enumerate(changes) if event == "os.rename"]
    assert renames
    for place in {each for first in renames for each in (first, first + 1) if each < len(changes)}:
        case.stand_as_before()
        assert case.nursery.killed(case.command, at=place, renames=True)
        if content(case.out) is not None:
            case.is_whole()
        case.is_mended()


@pytest.mark.slow
def test_copies_that_outlive_the_command_spoil_nothing(cases: dict[str, Case]) -> None:
    case = cases["site"]
    case.stand_as_before()
    assert case.nursery.killed([*case.command, "--fresh"], at=3, parent_alone=True)
    assert different(content(case.out), case.old) == []
    case.is_mended()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "serves", "after"), [("site", "", 0.9), ("zip", "", 1.2), ("site", "Serving on", 0.4)]
)
def test_a_whole_process_killed_while_it_starts_builds_or_serves(
    cases: dict[str, Case], name: str, serves: str, after: float
) -> None:
    case = cases[name]
    case.stand_as_before()
    _kill(["serve", *case.command[1:], "--port", "0"] if serves else case.command, after, serves)
    case.is_whole()
    case.is_mended()


def _kill(command: Sequence[str], after: float, told: str) -> None:
    """Kill a command and all that it started, some time after it began or said something."""
    program = [sys.executable, "-m", "reportgen", *command]
    with subprocess.Popen(
        program, env=SEEING, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        assert process.stderr is not None
        while told and told not in process.stderr.readline().decode():
            assert process.poll() is None
        time.sleep(after)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


# Commands that are killed at chosen moments: by the clock, or at the n-th thing they do to files

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
        site_folder.exchange_at_once = lambda *_: False
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

    def changes(self, command: Sequence[str], account: Path, *, renames: bool = False) -> list[str]:
        """Run a command to its end; return the changes that it made to files, in their order."""
        assert not self.killed(command, account=account, renames=renames)
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
