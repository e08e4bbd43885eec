"""The command line as tests run it, and the files that it reads and writes."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from typer.testing import CliRunner, Result

from reportgen.cli import app

MATRIX = "A2\\A1,Former,New,Rien\nFormer,71,13,23\nNew,8,69,15\nRien,7,8,18840\n"
WIDE = "item,Zoé Müller,bob.smith,C-17\n1,yes,yes,no\n2,no,no,no\n3,yes,no,\n4,yes,yes,yes\n"
LONG = (
    "doc,item,worker,vote\n"
    "d1,1,Zoé Müller,yes\nd1,1,bob.smith,no\nd1,2,Zoé Müller,no\nd1,2,bob.smith,no\n"
    "d2,3,Zoé Müller,yes\nd2,3,bob.smith,yes\nd3,4,C-17,yes\nd3,4,bob.smith,yes\n"
)
NOBODY = 65534
SEEING = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LC_"))}


def run(*arguments: str | Path) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def run_alone(
    *arguments: str | Path, cwd: Path, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "reportgen", *map(str, arguments)],
        cwd=cwd,
        env={**SEEING, **(env or {})},
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        timeout=120,
    )


def run_copy(copy: Path, *arguments: str, status: int = 0) -> str:
    """Return what a command of a copy of the checkout prints, which ends with `status`."""
    done = run_alone(*arguments, cwd=copy, env={"PYTHONPATH": str(copy)})
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


@contextmanager
def not_root() -> Iterator[None]:
    """Give up, for a while, the right to do everything. What the command needs was imported by now."""
    if os.geteuid() != 0:
        yield
        return
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


def on_disk(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below a folder, which need not be there, and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def append(file: Path, text: str) -> None:
    """Write text behind what is in a file."""
    with file.open("a", encoding="utf-8") as opened:
        opened.write(text)


def edit(file: Path, old: str, new: str) -> None:
    """Replace what stands in a file, once or more often."""
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def files(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder, hidden ones too, with its bytes."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}
