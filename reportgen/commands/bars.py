"""How far a long command is, on a terminal: bars with counts and the time left, gone at the end."""

import contextlib
import json
import os
import sys
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from reportgen.errors import printable
from reportgen.progress import Progress, Stage

if TYPE_CHECKING:
    from rich.progress import Progress as Shown
    from rich.progress import TaskID

TITLES: dict[Stage, str] = {
    "files": "Reading files",
    "folders": "Computing versions",
    "pages": "Writing pages",
}
# What is written to a pipe at once is not mixed with what others write, up to so many bytes.
AT_ONCE = 512


class Bars(Progress):
    """Hears copies of this process too: all of them write lines of JSON to one pipe, which a thread reads."""

    def __init__(self, writing: int) -> None:
        """Write to a pipe."""
        super().__init__()
        self._writing = writing

    def __call__(self, step: str) -> None:
        """Pass on what is done at the moment."""
        self._write(["step", step[: AT_ONCE // 8]])

    def expect(self, stage: Stage, number: int) -> None:
        """Pass on how many more are to be done."""
        self._write(["expect", stage, number])

    def advance(self, stage: Stage, number: int = 1) -> None:
        """Pass on how many more are done."""
        self._write(["advance", stage, number])

    def _write(self, line: list[Any]) -> None:
        with contextlib.suppress(OSError):
            os.write(self._writing, json.dumps(line).encode() + b"\n")


@contextlib.contextmanager
def bars() -> Iterator[Progress]:
    """Yield who shows how far a command is; nobody where nobody is looking."""
    if not sys.stderr.isatty():
        yield Progress()
        return
    import rich.progress  # noqa: F401 - not by the thread: this process may be copied meanwhile

    reading, writing = os.pipe()
    thread = threading.Thread(target=_show, args=(reading,), daemon=True)
    thread.start()
    try:
        yield Bars(writing)
    finally:
        os.write(writing, b"\n")
        thread.join()
        os.close(writing)


def _show(reading: int) -> None:
    """Show what is written to a pipe, up to an empty line."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Shown

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    out = Console(stderr=True, highlight=False, markup=False, emoji=False)
    with os.fdopen(reading, encoding="utf-8") as lines, Shown(*columns, console=out, transient=True) as shown:
        known: dict[str, TaskID] = {}
        for line in iter(lines.readline, "\n"):
            _take(shown, known, json.loads(line))


def _take(shown: "Shown", known: dict[str, "TaskID"], line: list[Any]) -> None:
    """Show one line."""
    match line:
        case ["step", str(step)]:
            shown.console.print(printable(step), style="dim")
        case ["expect", str(stage), int(number)]:
            if stage not in known:
                known[stage] = shown.add_task(TITLES[stage], total=0)  # type: ignore[index]
            shown.update(known[stage], total=(shown.tasks[known[stage]].total or 0) + number)
        case ["advance", str(stage), int(number)] if stage in known:
            task = shown.tasks[known[stage]]
            shown.update(task.id, completed=min(task.completed + number, task.total or 0))
        case _:
            pass
