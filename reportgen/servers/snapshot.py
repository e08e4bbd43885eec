"""What a pull writes beside the exports: where they are from, how many there were, and when."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, field
from pathlib import Path
from typing import Any

from reportgen.base.dataclass import dataclass
from reportgen.base.files import source_of
from reportgen.base.site_folder import LITTER

# Hidden, so that no reader takes it for an export.
PULLED = ".pulled.json"
BESIDE = (PULLED, *LITTER)
# How what a pull that was ended leaves beside the exports begins: the next goes on from there.
UNFINISHED = ".pulling"
# Hears what is done at the moment.
Tell = Callable[[str], None]


@dataclass(frozen=True)
class ProjectSize:
    """What a project is called there, and how many it has of what."""

    title: str
    number: int
    of: str = "tasks"


@dataclass(frozen=True)
class Snapshot:
    """A project as it was at a moment; `files` has the SHA-256 of each file that was written."""

    tool: str
    url: str
    project: str
    title: str
    number: int
    of: str
    at: str
    files: Mapping[str, str] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        """Write it beside the exports."""
        text = json.dumps(asdict(self), ensure_ascii=False, indent=1)
        (folder / PULLED).write_text(f"{text}\n", encoding="utf-8", errors="replace")


def snapshot_in(folder: Path) -> Snapshot | None:
    """Return what was pulled into a folder, None where nothing was."""
    try:
        content: Any = json.loads((folder / PULLED).read_text(encoding="utf-8"))
        snapshot = Snapshot(**content)
    except (OSError, ValueError, TypeError):
        return None
    return snapshot if isinstance(snapshot.files, dict) else None


def checksums(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each file in a folder, by its path below it."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.name not in BESIDE)
    names = {path.relative_to(folder).as_posix(): path for path in paths}
    return {name: source_of(path, name).sha256 for name, path in names.items()}


def stranger_in(folder: Path) -> str | None:
    """Return the name of a file that no pull wrote, or that was changed since, None where there is none."""
    snapshot = snapshot_in(folder)
    ours = snapshot.files if snapshot else {}
    found = checksums(folder)
    return next((name for name, digest in found.items() if ours.get(name) != digest), None)
