"""`python -m tests.reproduce`: site and bundles of the example campaigns in every environment; compare bytes.

It ends with a table of what was compared, and with status 1 where anything differs.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tests.conftest import CHECKOUT
from tests.environments import (
    Environment,
    Outcome,
    copied,
    digests,
    everywhere,
    in_locale,
    locales,
    on_clocks,
    on_days,
)

CAMPAIGNS = sorted(path.parent for path in (CHECKOUT / "campaigns").glob("*/campaign.toml"))
# Its units are known one by one, as in no matrix.
OF_UNITS = "gene-renaming-in-texts"
PYTHONS = ("3.11", "3.12", "3.13")
CHOICES = {"": (), "-with-texts": ("--with-texts",), "-with-exports": ("--with-exports",)}
SHOWN = 12


def main() -> None:
    """Compare every environment with the first; say what differs, and what could not be compared."""
    with tempfile.TemporaryDirectory(prefix="reproduce-", ignore_cleanup_errors=True) as folder:
        scratch = Path(folder)
        source = copied(CAMPAIGNS, scratch / "source")
        rows = [*_compared(scratch / "1", source, [*_systems(scratch), *on_clocks(), *_pythons()])]
        rows += _compared(scratch / "2", source, on_days())
        rows.append(_committed(scratch / "1" / "here" / "out" / "site"))
    print(_table(rows))
    if any(state.startswith("DIFFERENT") for _, state in rows):
        sys.exit(1)


def _commands() -> Iterator[list[str]]:
    """Yield what is run: the site of all campaigns, bundles of their newest versions, other files."""
    yield ["build", *(f"campaigns/{each.name}" for each in CAMPAIGNS), "--out", "out/site"]
    for each in CAMPAIGNS:
        for choice in CHOICES:
            yield _bundle(each.name, _versions(each)[-1], choice)
        for ending in (".docx", ".xlsx"):
            yield ["paper", f"campaigns/{each.name}", "--out", f"out/{each.name}{ending}"]
    for command, ending in (("labels", ".parquet"), ("gold", ".csv"), ("settle", ".html")):
        yield [command, f"campaigns/{OF_UNITS}", "--out", f"out/{command}{ending}"]


def _versions(campaign: Path) -> list[str]:
    asked = tomllib.loads((campaign / "campaign.toml").read_text(encoding="utf-8"))
    return [each["version"] for each in asked["guidelines"]]


def _bundle(name: str, version: str, choice: str) -> list[str]:
    out = f"out/{name}-{version}{choice}.zip"
    return ["bundle", f"campaigns/{name}", version, *CHOICES[choice], "--out", out]


# In which environments


def _systems(scratch: Path) -> Iterator[Environment]:
    """Yield the first environment, with which all are compared, then those of this Python."""
    yield Environment("here, umask 022, TZ=UTC, LANG=C.UTF-8, PYTHONHASHSEED=0")
    yield from everywhere()
    for name, peculiar in locales():
        yield from _localised(name, peculiar, scratch / "locales")


def _localised(name: str, peculiar: str, folder: Path) -> Iterator[Environment]:
    """Yield an environment in a locale, made for the purpose where the system can and does not have it."""
    if name in {"C", "POSIX"} or _is_installed(name):
        yield in_locale(name, peculiar)
        return
    language, _, charset = name.partition(".")
    folder.mkdir(exist_ok=True)
    command = ["localedef", "-i", language, "-f", charset, str(folder / name)]
    if (
        shutil.which("localedef")
        and subprocess.run(command, capture_output=True, check=False).returncode == 0
    ):
        yield in_locale(name, peculiar, folder)
    else:
        print(f"NOT COMPARED: the locale {name} is not installed, and can't be made here", file=sys.stderr)


def _is_installed(name: str) -> bool:
    asked = ["locale", "-a"]
    known = subprocess.run(asked, capture_output=True, check=False, encoding="utf-8").stdout.split()
    return name.replace("-", "").casefold() in {each.replace("-", "").casefold() for each in known}


def _pythons() -> Iterator[Environment]:
    """Yield each Python that is there, with the libraries of the lock file; say which is not."""
    for version in PYTHONS:
        if version == "{}.{}".format(*sys.version_info[:2]):
            continue
        found = _interpreter(version)
        if found is None:
            print(f"NOT COMPARED: no Python {version} on PATH or among pyenv's", file=sys.stderr)
        else:
            yield Environment(f"Python {version}", python=str(_equipped(found, version)))


def _interpreter(version: str) -> str | None:
    """Return a Python of a version that works: from PATH, else the newest of pyenv's."""
    places = [shutil.which(f"python{version}"), *map(str, _of_pyenv(version))]
    return next((each for each in places if each and _works(each, version)), None)


def _of_pyenv(version: str) -> list[Path]:
    root = Path(os.environ.get("PYENV_ROOT") or _said("pyenv", "root") or Path.home() / ".pyenv")
    found = (root / "versions").glob(f"{version}.*/bin/python")
    return sorted(found, key=lambda path: int("0" + path.parts[-3].rpartition(".")[2]), reverse=True)


def _works(python: str, version: str) -> bool:
    return (
        _said(python, "-c", "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])") == version
    )


def _said(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, check=False, encoding="utf-8").stdout.strip()
    except OSError:
        return ""


def _equipped(python: str, version: str) -> Path:
    """Return the Python of an environment beside our own that has the libraries of the lock files."""
    locks = [CHECKOUT / "requirements.lock", CHECKOUT / "requirements-test.lock"]  # that has every extra
    digest = hashlib.sha256(b"".join(lock.read_bytes() for lock in locks)).hexdigest()
    folder = Path(sys.prefix) / f"python{version}"
    stamp, own = folder / "installed", folder / "bin" / "python"
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != digest:
        print(f"Installing what reportgen runs with for Python {version}", file=sys.stderr)
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([python, "-m", "venv", str(folder)], check=True)
        pip = [str(own), "-m", "pip", "-qq", "--disable-pip-version-check", "--no-input"]
        for lock in locks:
            install = [*pip, "install", "--require-hashes", "--no-deps", "-r", str(lock)]
            subprocess.run(install, check=True)
        stamp.write_text(digest, encoding="utf-8")
    return own


# What is compared


def _compared(scratch: Path, source: Path, environments: Iterable[Environment]) -> Iterator[tuple[str, str]]:
    """Yield the name of each environment, and whether it gave the bytes of the first."""
    commands = list(_commands())
    first: Outcome | None = None
    for number, each in enumerate(environments):
        print(f"{each.name} …", file=sys.stderr)
        found = each.outcome(scratch if first is None else scratch / str(number), source, commands)
        first = first or found
        yield each.name, _state(first, found)
        if found is not first:
            shutil.rmtree(each.beside or found.folder, ignore_errors=True)


def _state(first: Outcome, found: Outcome) -> str:
    if found is first:
        return f"{len(first.files)} files, with which the others are compared"
    names = first.different(found)
    if not names:
        return "the same"
    for name in names[:SHOWN]:
        print(f"  {name}: {_where(first.folder / name, found.folder / name)}", file=sys.stderr)
    return f"DIFFERENT in {len(names)}: {', '.join(names[:SHOWN])}"


def _where(first: Path, other: Path) -> str:
    """Return what stands where two files begin to differ."""
    if not (first.is_file() and other.is_file()):
        return "there in one of the two only"
    one, two = first.read_bytes(), other.read_bytes()
    pairs = enumerate(zip(one, two, strict=False))
    place = next((number for number, (a, b) in pairs if a != b), min(len(one), len(two)))
    around = slice(max(place - 60, 0), place + 60)
    return f"byte {place}\n    {one[around]!r}\n    {two[around]!r}"


def _committed(built: Path) -> tuple[str, str]:
    """Compare the site of the checkout with the one that was built."""
    name = "site/ of the checkout"
    first = Outcome(name, CHECKOUT / "site", digests(CHECKOUT / "site"))
    return name, _state(first, Outcome("built", built, digests(built)))


def _table(rows: Sequence[tuple[str, str]]) -> str:
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:{width}}  {state}" for name, state in rows)


if __name__ == "__main__":
    main()
