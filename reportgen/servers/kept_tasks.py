"""What was fetched of a project so far, a task a line: what has not changed is not fetched again."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any, BinaryIO

from reportgen.base.dataclass import dataclass

STAMP, OPEN, CLOSE = "updated_at", b"[\n", b"\n]\n"
Place = tuple[Path, int, int]


@dataclass
class KeptTasks:
    """Tasks by their id, each with when it was changed and where its line is: in the last export, or new.

    `store` is where new ones are written as they come, so that a pull that was ended goes on from there.
    """

    store: Path
    places: dict[int, tuple[str, Place]] = field(default_factory=dict)

    @classmethod
    def of(cls, store: Path, last_export: Path) -> "KeptTasks":
        """Return what is there of the last export and of a pull that was ended."""
        kept = cls(store)
        for path in (last_export, store):
            if path.is_file():
                kept._read(path)
        return kept

    def _read(self, path: Path) -> None:
        with path.open("rb") as file:
            start = 0
            for line in file:
                content = line.rstrip(b",\n")
                task = _task(content)
                if task is not None:
                    self.places[task["id"]] = (task[STAMP], (path, start, len(content)))
                start += len(line)

    def stamp(self, task: int) -> str | None:
        """Return when a task was changed as it is kept, None where it is not."""
        return self.places[task][0] if task in self.places else None

    def add(self, tasks: Iterable[Mapping[str, Any]]) -> None:
        """Keep tasks as they are now."""
        self.store.parent.mkdir(parents=True, exist_ok=True)
        with self.store.open("ab") as file:
            # What a pull that was ended had begun to write is on a line of its own.
            if file.tell():
                file.write(b"\n")
            for task in tasks:
                content = json.dumps(task, ensure_ascii=False).encode(errors="replace")
                self.places[task["id"]] = (task[STAMP], (self.store, file.tell(), len(content)))
                file.write(content + b"\n")

    def task(self, number: int) -> dict[str, Any]:
        """Return a task that is kept."""
        path, start, length = self.places[number][1]
        with path.open("rb") as file:
            file.seek(start)
            task: dict[str, Any] = json.loads(file.read(length))
        return task

    def write(self, out: Path, tasks: Iterable[int]) -> None:
        """Write some tasks as Label Studio exports them, a task a line."""
        opened: dict[Path, BinaryIO] = {}
        try:
            with out.open("wb") as file:
                file.write(OPEN)
                for number, task in enumerate(tasks):
                    path, start, length = self.places[task][1]
                    if path not in opened:
                        opened[path] = path.open("rb")
                    opened[path].seek(start)
                    file.write((b",\n" if number else b"") + opened[path].read(length))
                file.write(CLOSE)
        finally:
            for source in opened.values():
                source.close()


def _task(content: bytes) -> dict[str, Any] | None:
    """Return the task of a line, None where it has none, or not a whole one."""
    if not content.startswith(b"{"):
        return None
    try:
        task = json.loads(content)
    except ValueError:
        return None
    whole = isinstance(task, dict) and type(task.get("id")) is int and isinstance(task.get(STAMP), str)
    return task if whole else None
