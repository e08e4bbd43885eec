"""What looks like an oversight in labels where there is no campaign yet: of one file, of a folder."""

import shlex
from collections.abc import Iterator
from pathlib import Path

from reportgen.base.errors import Problem
from reportgen.campaign import Task
from reportgen.cli.export_folder import CONFIGURATION, Survey, VersionFound
from reportgen.pipeline.notices import contradiction
from reportgen.readers import Annotations, Ratings
from reportgen.units import (
    Expected,
    LabelFault,
    Request,
    Study,
    duplicates,
    label_faults,
    label_table,
    repeated_labels,
)

MISSING = "missing"


def of_file(
    annotations: Annotations, study: Study, task: Task, request: Request, file: str
) -> Iterator[Problem]:
    """Yield what looks like an oversight in one file, with the option or the line that settles it."""
    table = label_table(
        annotations,
        study.unit_sets[0],
        roles=request.roles,
        separator=request.separator if task.scale == "set" else None,
    )
    expected = Expected(
        task.categories, task.non_annotated, lists_units(annotations), task.scale in {"nominal", "set"}
    )
    for fault in (*label_faults(table, expected), *repeated_labels(study.repeated)):
        yield Problem(file, message=fault.message, mend=_mend(fault))


def lists_units(annotations: Annotations) -> bool:
    """Tell whether an export lists its units, so that each has a label that somebody gave."""
    return isinstance(annotations.content, Ratings) and annotations.attendance is None


def _mend(fault: LabelFault) -> str:
    """Return what settles a fault in a campaign, and the option that does in a command."""
    if fault.key != MISSING:
        return fault.mend
    options = " ".join(f"--missing {shlex.quote(label)}" for label in fault.labels)
    return f"{fault.mend} Here: {options}"


def of_folder(survey: Survey) -> Iterator[Problem]:
    """Yield what looks like an oversight in a folder, with the line of campaign.toml that settles it."""
    file = (Path(survey.name) / CONFIGURATION).as_posix()
    for place, version in enumerate(survey.versions, 1):
        several = f"version {version.id}: " if len(survey.versions) > 1 else ""
        for fault in _of_version(version):
            of_task = fault.key.startswith("task.")
            key = fault.key if of_task else f"guidelines.{place}.{fault.key}"
            message = f"{several}{fault.message}"
            yield Problem(file, key=key, message=message, mend=fault.mend)


def _of_version(version: VersionFound) -> Iterator[LabelFault]:
    """Yield the faults of each layer of a version; nothing is declared yet."""
    found = version.found
    for annotations in found.read:
        table = label_table(annotations, separator=found.set_separator)
        yield from label_faults(table, Expected())
        if isinstance(annotations.content, Ratings) and not found.set_separator:
            again, contradicting = duplicates(annotations.content)
            yield from repeated_labels(again)
            if contradicting:
                message, mend = contradiction(contradicting)
                yield LabelFault("columns.pass", message, f"{mend}: columns = {{ pass = … }}.")
