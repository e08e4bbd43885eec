"""Environments in which the same campaigns have to give the same bytes, and what each of them gave.

`tests/test_reproducible.py` compares a few of them, `python -m tests.reproduce` (`make reproduce`) all.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.commands import SEEING
from tests.conftest import CHECKOUT

CLOCK = """
import datetime, time
def asked(*_): raise AssertionError("the clock was read")
class Real(type):
    # What was made before is one too.
    def __instancecheck__(cls, value): return isinstance(value, cls.__mro__[1])
class Never(datetime.datetime, metaclass=Real):
    now = utcnow = today = classmethod(asked)
class NeverDate(datetime.date, metaclass=Real):
    today = classmethod(asked)
# What is given a moment asks for none.
def given(real, number): return lambda *some: real(*some) if len(some) >= number else asked()
instead = {id(datetime.datetime): Never, id(datetime.date): NeverDate}
for name, number in {
    "time": 9, "time_ns": 9, "localtime": 1, "gmtime": 1, "ctime": 1, "asctime": 1, "strftime": 2
}.items():
    instead[id(getattr(time, name))] = given(getattr(time, name), number)
ours = {"reportgen", "matplotlib", "jinja2", "markdown", "babel", "zipfile", "time", "datetime"}
for name, module in list(sys.modules.items()):
    if name.partition(".")[0] in ours:
        for key, value in list(vars(module).items()):
            if id(value) in instead:
                setattr(module, key, instead[id(value)])
"""
# Runs several commands, one after the other, as users of that system would.
PROGRAM = """
import glob, json, os, sys
umask, cores, copies, clock, commands = json.loads(sys.argv[1])
os.umask(umask)
if cores and hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
from reportgen.cli import main
if copies:
    from reportgen.pipeline import targets
    targets.MUCH = 0
    targets.processors = lambda: copies
def run(command):
    sys.argv[1:] = command
    try:
        main()
    except SystemExit as ended:
        if ended.code:
            raise
there = set(glob.glob("campaigns/*/*"))
for command in commands:
    run(command)
if clock:
    # All that is imported on the way may ask what it likes. From here on nobody may.
    import shutil
    # What was released once would be told of the second time.
    for record in set(glob.glob("campaigns/*/*")) - there:
        os.remove(record)
    for command in commands:
        out = command[command.index("--out") + 1]
        shutil.rmtree(out) if os.path.isdir(out) else os.remove(out)
    exec(clock)
    for command in commands:
        run(command)
"""
# A user's own matplotlib would draw like this.
MATPLOTLIBRC = """
font.size: 33
font.family: monospace
axes.facecolor: red
lines.linewidth: 9
savefig.dpi: 12
svg.fonttype: path
svg.hashsalt: theirs
text.usetex: True
figure.figsize: 2, 2
axes.formatter.use_locale: True
"""
# An hour before midnight, UTC: another day in other zones.
MOMENT = {"SOURCE_DATE_EPOCH": str(20_000 * 86_400 + 82_800)}


@dataclass(frozen=True)
class Environment:
    """A place and a system to build in; what is not given is as on the system that the tests run on.

    - `folder` is where program and campaigns lie, and so part of each path; `beside` a file system for it.
    - `copies` of the process make pages at once, whatever the amount of data; `cores` are there for it.
    - `clock` says whether it may be read.
    """

    name: str
    variables: Mapping[str, str] = field(default_factory=dict)
    folder: str = "here"
    beside: Path | None = None
    umask: int = 0o022
    cores: int = 0
    copies: int = 0
    clock: bool = True
    python: str = sys.executable

    def outcome(self, scratch: Path, source: Path, commands: Sequence[Sequence[str]]) -> "Outcome":
        """Run commands in a copy of a program and its campaigns; return all that they wrote below `out`."""
        place = (self.beside or scratch) / self.folder
        shutil.copytree(source, place)
        _write_settings(place)
        told = json.dumps([self.umask, self.cores, self.copies, "" if self.clock else CLOCK, commands])
        program = [self.python, "-c", PROGRAM, told]
        done = subprocess.run(program, cwd=place, env=self._env(place), capture_output=True, check=False)
        if done.returncode:
            raise AssertionError(f"{self.name}: {done.stderr.decode(errors='replace')}")
        found = digests(place / "out")
        return Outcome(self.name, place / "out", found)

    def _env(self, place: Path) -> dict[str, str]:
        """Return the variables of a process in a home of its own; the program is the copy that lies there."""
        home = place / "home"
        own = {"HOME": str(home), "MPLCONFIGDIR": str(home), "PYTHONPATH": str(place)}
        return {**SEEING, "TZ": "UTC", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0", **own, **self.variables}


@dataclass(frozen=True)
class Outcome:
    """The SHA-256 of each file that an environment gave."""

    name: str
    folder: Path
    files: Mapping[str, str]

    def different(self, other: "Outcome") -> list[str]:
        """Return the files that differ, or that one of the two lacks."""
        names = sorted({*self.files, *other.files})
        return [name for name in names if self.files.get(name) != other.files.get(name)]


def _write_settings(place: Path) -> None:
    home = place / "home"
    home.mkdir()
    (home / "matplotlibrc").write_text(MATPLOTLIBRC, encoding="utf-8")
    (place / "out").mkdir()


def copied(campaigns: Iterable[Path], folder: Path) -> Path:
    """Return a folder with the program and some campaigns: it stays as it is while somebody edits them."""
    for name in ("reportgen", "templates"):
        shutil.copytree(CHECKOUT / name, folder / name)
    for each in campaigns:
        shutil.copytree(each, folder / "campaigns" / each.name)
    return folder


def digests(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every file below a folder, but for what a site remembers of its making.

    That stays on the machine (`.gitignore` has it), and names what it was made with on purpose.
    """
    found = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != ".reportgen.json")
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in found
    }


# What differs from one machine to the next


def everywhere() -> Iterator[Environment]:
    """Yield an environment for each thing that may differ, but for Python itself and locales."""
    yield Environment("the same once more", folder="again")
    yield Environment("another folder, with a space and accents", folder="another place/là 場所")
    yield Environment("umask 077", umask=0o077)
    yield Environment("umask 000", umask=0)
    for zone in ("Pacific/Auckland", "America/St_Johns", "UTC+12"):
        yield Environment(f"TZ={zone}", {"TZ": zone})
    for seed in ("1", "4242", "random"):
        yield Environment(f"PYTHONHASHSEED={seed}", {"PYTHONHASHSEED": seed})
    yield Environment("PYTHONOPTIMIZE=2", {"PYTHONOPTIMIZE": "2"})
    yield Environment("a narrow terminal with colours", {"COLUMNS": "40", "FORCE_COLOR": "1"})
    yield from _processors()
    yield Environment("the clock is never read", clock=False)
    if (memory := Path("/dev/shm")).is_dir() and os.access(memory, os.W_OK):  # noqa: S108 - named to be another file system
        yield Environment("a file system in memory", beside=memory / f"reportgen-{os.getpid()}")


def _processors() -> Iterator[Environment]:
    """Yield processors of other kinds, as far as numpy and its BLAS let one choose."""
    for kind in ("Prescott", "Nehalem", "Sandybridge", "Haswell", "Zen", "SkylakeX"):
        yield Environment(f"OPENBLAS_CORETYPE={kind}", {"OPENBLAS_CORETYPE": kind})
    features = _features()
    for first in range(len(features)):
        less = " ".join(features[first:])
        yield Environment(f"NPY_DISABLE_CPU_FEATURES={less}", {"NPY_DISABLE_CPU_FEATURES": less})
    one = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    yield Environment("one core, one thread", one, cores=1)
    yield Environment("three copies of the process", copies=3)


def _features() -> list[str]:
    """Return what numpy uses of this processor beyond its baseline, the oldest first."""
    import numpy as np

    told: Any = np.show_config(mode="dicts")
    return list(told["SIMD Extensions"].get("found", []))


def locales() -> Iterator[tuple[str, str]]:
    """Yield locales to work in, with what is peculiar to them."""
    yield "C", "ASCII"
    yield "POSIX", "ASCII"
    yield "fr_FR.UTF-8", "a decimal comma"
    yield "tr_TR.UTF-8", "an i that is no I in small letters"
    yield "de_DE.ISO-8859-1", "another encoding"


def in_locale(name: str, peculiar: str, folder: Path | None = None) -> Environment:
    """Return the environment of a locale; `folder` has the system's, where they are not installed."""
    where = {"LOCPATH": str(folder)} if folder else {}
    return Environment(f"LANG={name} ({peculiar})", {"LANG": name, "LC_ALL": name, **where})


def on_days() -> Iterator[Environment]:
    """Yield environments that know the same day, whatever their own zone makes of the moment."""
    for zone in ("UTC", "Pacific/Auckland", "Pacific/Honolulu"):
        yield Environment(f"SOURCE_DATE_EPOCH an hour before midnight, TZ={zone}", {**MOMENT, "TZ": zone})


def on_clocks() -> Iterator[Environment]:
    """Yield environments whose clock is wrong by decades; say so where nothing can set it."""
    library = next(iter(sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))), None)
    for moment in ("1970-01-01 00:00:10", "2100-06-01 12:00:00"):
        if library is None:
            sys.stderr.write(f"NOT COMPARED: a clock at {moment}: faketime is not installed\n")
        else:
            clock = {"FAKETIME": f"@{moment}", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
            yield Environment(f"the clock at {moment}", {"LD_PRELOAD": str(library), **clock})
