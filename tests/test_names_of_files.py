"""No file that is written has a name that Windows refuses, whatever labels, documents and layers are."""

import ast
import os
import subprocess
import sys
from collections import Counter
from itertools import cycle
from pathlib import Path, PurePosixPath

import pytest

from reportgen.app.session import safe_path
from reportgen.base.errors import BadInput
from reportgen.base.system import DEVICE, REFUSED, portable
from reportgen.campaign import load
from reportgen.pipeline.export_folder import slug
from reportgen.publish.gold_marks import unsound_names
from tests.campaigns import written
from tests.commands import files, run
from tests.conftest import CHECKOUT

# Twenty names that Windows refuses, or takes for one another.
REFUSED_NAMES = (
    *("CON", "con.txt", "nul", "AUX.csv", "prn", "COM1", "lpt9.md", "com\xb9", "ends.", "ends "),
    *("a:b", "a?b", "a*b", 'a"b', "a<b>", "a|b", "a\\b", "tab\tbed", "same", "Same"),
)
LONG = "n" * 300
LONGEST_PATH = 260 - len("C:\\Users\\somebody\\")


def fits(path: str) -> bool:
    """Tell whether Windows takes a path below a folder."""
    parts = PurePosixPath(path).parts
    is_fit = all(
        not REFUSED.search(part) and part.rstrip(". ") == part and not DEVICE.match(part) for part in parts
    )
    return is_fit and len(path) <= LONGEST_PATH


@pytest.mark.parametrize("name", [*REFUSED_NAMES[:-2], LONG, f"{LONG}.csv", "..", " ", ""])
def test_a_name_becomes_one_that_every_system_takes(name: str) -> None:
    assert fits(portable(name))
    assert portable(name) != name
    assert portable(portable(name)) == portable(name)
    path = safe_path(f"folder/{name}x/{name}.csv")
    assert path is None or fits(str(path))
    assert fits(slug(name))
    assert unsound_names([f"{name}.txt"]) == [name]


def test_names_that_every_system_takes_stay_and_one_is_not_another() -> None:
    for name in ("console", "com10", "nulls.txt", "a.b.c", "été", "1.0", "a b", "LPT", "x.con"):
        assert portable(name) == name
    assert unsound_names(["same.txt", "Same.txt", "other.txt"]) == ["same", "Same"]
    assert portable(f"{LONG}.csv").endswith("n.csv")


@pytest.mark.parametrize("name", ["CON", "nul", "aux.1", "com1", "ends.", "n" * 45])
@pytest.mark.parametrize("key", ["version", "layer", "campaign"])
def test_ids_are_refused_that_could_not_be_files(name: str, key: str, tmp_path: Path) -> None:
    ids = {"version": "1.0", "layer": "main", "campaign": "mine", key: name}
    toml = f'title = "x"\n[[layers]]\nid = "{ids["layer"]}"\nsource = "vote"\n'
    folder = tmp_path / ids["campaign"]
    written(folder, "", {"exports/1.0/e.csv": "item,A,B\n1,x,x\n"})
    guidelines = f'[[guidelines]]\nversion = "{ids["version"]}"\nexports = "exports/1.0"\n'
    (folder / "campaign.toml").write_text(toml + guidelines, encoding="utf-8")
    with pytest.raises(BadInput, match=r"can't be the name of a file on Windows|has more than 44 characters"):
        load(folder)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site and a bundle of a campaign in which labels, documents, units and people have such names."""
    at = tmp_path_factory.mktemp("names")
    head = "document,item,annotator,label\n"
    labels, rows = cycle(REFUSED_NAMES), list[str]()
    for number, document in enumerate(REFUSED_NAMES):
        for unit in range(3):
            one, other = next(labels), next(labels)
            given = {"CON": one, "nul.": one if number % 2 else other, "a:b": one}
            for who, label in given.items():
                cells = (document, f"{document}{unit}", who, label)
                rows.append(",".join('"' + cell.replace('"', '""') + '"' for cell in cells) + "\n")
    versions = '[[guidelines]]\nversion = "2.0"\nexports = "exports/1.0"\n'
    toml = '[privacy]\nannotators = "names"\ndocuments = "names"\n[task]\nnon_annotated = "aux"\n'
    folder = written(at / "campaign", toml, {"exports/1.0/e.csv": head + "".join(rows)}, versions)
    for command in (
        ("bundle", folder, "1.0", "--with-exports", "--out", at / "bundle"),
        ("build", folder, "--out", at / "site"),
    ):
        done = run(*command)
        assert done.exit_code == 0, done.output
    return at


def test_every_file_of_a_site_and_a_bundle_fits_and_is_called_otherwise_than_others(made: Path) -> None:
    for folder, least in (("site", 60), ("bundle", 40)):
        names = [*files(made / folder)]
        assert len(names) > least
        assert [name for name in names if not fits(name)] == []
        assert [name for name, times in Counter(map(str.casefold, names)).items() if times > 1] == []


# What POSIX alone has

POSIX = {
    "os": {
        *("fork", "forkpty", "getuid", "geteuid", "getgid", "setuid", "getpgid", "killpg", "setsid", "nice"),
        *("chown", "fchown", "fchmod", "mkfifo", "mknod", "statvfs", "sysconf", "uname", "wait", "waitpid"),
        *("sched_getaffinity", "sched_setaffinity", "O_DIRECTORY", "O_NOFOLLOW", "O_CLOEXEC", "pread"),
        *("openpty", "posix_spawn", "sendfile", "setxattr", "getxattr", "getloadavg", "sync", "readv"),
    },
    "signal": {"SIGKILL", "SIGALRM", "SIGHUP", "SIGPIPE", "SIGXCPU", "SIGUSR1", "SIGCHLD", "alarm", "pause"},
    "socket": {"AF_UNIX"},
}
MODULES = {"fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog", "ctypes", "readline"}
ONE = CHECKOUT / "reportgen/base/system.py"


def posix_only(text: str) -> list[str]:
    """Return what a module uses that POSIX alone has."""
    found: list[str] = []
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Attribute(value=ast.Name(id=module), attr=name) if name in POSIX.get(module, ()):
                found.append(f"{module}.{name}")
            case ast.Import(names=names):
                found += [each.name for each in names if each.name in MODULES]
            case ast.ImportFrom(module=str(module), names=names):
                found += [module] if module in MODULES else []
                found += [each.name for each in names if each.name in POSIX.get(module, ())]
            case ast.Constant(value="fork" | "forkserver" as way):
                found.append(way)
            case _:
                pass
    return found


def test_what_posix_alone_has_is_called_in_one_module() -> None:
    said = posix_only("import fcntl\nos.getuid()\nfrom signal import SIGKILL\nget_context('fork')")
    assert sorted(said) == ["SIGKILL", "fcntl", "fork", "os.getuid"]
    modules = (CHECKOUT / "reportgen").rglob("*.py")
    used = {path: posix_only(path.read_text(encoding="utf-8")) for path in modules}
    assert {path for path, found in used.items() if found} == {ONE}


ABSENT = """
import builtins, os, signal, sys
for name in ("fork", "getuid", "geteuid", "sched_getaffinity", "sysconf", "O_DIRECTORY", "O_NOFOLLOW"):
    delattr(os, name) if hasattr(os, name) else None
for name in ("SIGKILL", "SIGALRM", "SIGHUP", "SIGPIPE", "SIGXCPU"):
    delattr(signal, name) if hasattr(signal, name) else None
for name in ("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty"):
    sys.modules[name] = None
from reportgen.cli import main
main()
"""


def test_where_posix_is_not_there_a_site_is_built_twice(made: Path) -> None:
    """As nearly as Windows can be had on Linux: names of paths and ways of renaming are still Linux's."""
    at = made / "elsewhere"
    site = at / "site"
    for _again in range(2):
        done = subprocess.run(
            [sys.executable, "-c", ABSENT, "build", str(made / "campaign"), "--out", str(site)],
            env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stderr
    assert files(site) == files(made / "site")
