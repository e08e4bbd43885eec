"""Where in campaign.toml a mistake stands that another room found."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from reportgen.campaign.locate import locate
from reportgen.campaign.model import FILE, Campaign
from reportgen.campaign.tables import ReadOptions, Task
from reportgen.campaign.wording import KeyPath, dotted
from reportgen.errors import BadInput, Problem
from reportgen.files import read_text


def placed(campaign: Campaign, problem: Problem, version: str, layer: str | None = None) -> Problem:
    """Return a problem that names no file, or campaign.toml without a line, with both and the whole key.

    `problem.key` is "task.scale", "unit_sets.2.size", "format", …, and may be overridden by the version or
    the layer; empty, it means the version's exports. A problem of any other file is returned unchanged.
    """
    if problem.file not in {"", campaign.file} or problem.line:
        return problem
    path = _path(campaign, problem.key, version, layer)
    lines = lines_of(campaign, [path])
    return replace(problem, file=campaign.file, key=dotted(path), line=lines.get(path, 0))


def lines_of(campaign: Campaign, paths: list[KeyPath]) -> Mapping[KeyPath, int]:
    """Return the line of each key path in campaign.toml; none where it can't be read any more."""
    if not paths:
        return {}
    try:
        return locate(read_text(Path(campaign.folder) / FILE, campaign.file), paths)
    except BadInput:
        return {}


def _path(campaign: Campaign, key: str, version: str, layer: str | None) -> KeyPath:
    """Return the path of the key that counts: the layer's, else the version's, else the campaign's."""
    written = tuple(int(part) - 1 if part.isdigit() else part for part in key.split(".") if part)
    here: KeyPath = ("guidelines", campaign.place(version))
    if not written:
        return (*here, "exports")
    # What is said of one annotator is said of all versions; a version names those whose marks are used.
    if written[0] in ReadOptions.model_fields and not _of_person(written):
        return (*here, *written)
    return next((path for path in _overrides(campaign, written, here, layer)), written)


def _of_person(written: KeyPath) -> bool:
    return written[0] == "annotators" and len(written) > len(("annotators", "name"))


def _overrides(campaign: Campaign, written: KeyPath, here: KeyPath, layer: str | None) -> Iterator[KeyPath]:
    match written:
        case ("task", str(name)) if name in Task.model_fields:
            for place, each in enumerate(campaign.layers):
                if each.id == layer and name in each.model_fields_set:
                    yield ("layers", place, name)
            if name in campaign.guidelines[int(here[1])].model_fields_set:
                yield (*here, name)
        case ("unit_sets", int(place), "size") if place < len(campaign.unit_sets):
            name = campaign.unit_sets[place].id
            if name in campaign.guidelines[int(here[1])].unit_sets:
                yield (*here, "unit_sets", name, "size")
