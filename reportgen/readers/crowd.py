"""Judgments of crowds: CrowdFlower or Appen (CSV, JSON) and Mechanical Turk (CSV), a row a judgment."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, did_you_mean, for_each, refused
from reportgen.readers.annotations import ExcludedMarks, Texts
from reportgen.readers.group_columns import KEY, attribute_columns, groups_in, without_groups
from reportgen.readers.ratings import RatingsFile, ratings_of_files, understood
from reportgen.readers.reader import (
    Annotations,
    ExportFile,
    Reader,
    ReaderOptions,
    as_label_set,
    cleaned_labels,
)
from reportgen.readers.string_tables import StringTable, first_row, read_table, table_of
from reportgen.readers.table_reading import rows_looked_at
from reportgen.readers.untrusted import (
    Record,
    as_text,
    expect,
    first_record,
    for_each_record,
    is_json,
    read_records,
)
from reportgen.readers.work_times import is_of_times

# What crowdsourcing platforms write: a judgment a row, and which of them are not to be used.

GOLDEN = "a test question, whose answer is known"
TAINTED = "the platform takes the worker's judgments for unreliable"
REJECTED = "the requester rejected the assignment"
PRIVATE = ("ip", "city", "region", "country", "email", "e_mail", "latitude", "longitude")
TRUE = ("true", "1", "yes")
ANSWER, BUTTON = "Answer.", ".on"
# When a judgment was begun, and when it was made, in JSON of Appen; tables have a line before the names.
JUDGED = ("started_at", "created_at")


@dataclass(frozen=True)
class Platform:
    """How a platform calls its columns.

    `refuses` says which rows are not to be used: the values of a column, in small letters, and the reason.
    """

    unit: str
    annotator: str
    refuses: Mapping[str, tuple[tuple[str, ...], str]]


APPEN = Platform("_unit_id", "_worker_id", {"_golden": (TRUE, GOLDEN), "_tainted": (TRUE, TAINTED)})
MTURK = Platform("HITId", "WorkerId", {"AssignmentStatus": (("rejected",), REJECTED)})
PLATFORMS = (APPEN, MTURK)


def platform_of(header: Sequence[str]) -> Platform | None:
    """Return whose columns a table has, None for nobody's."""
    return next(
        (platform for platform in PLATFORMS if {platform.unit, platform.annotator} <= set(header)), None
    )


def find_label(table: StringTable, platform: Platform, options: ReaderOptions) -> str:
    """Return the column of labels: the one asked for, else the only one that can be.

    Raises BadInput where a column asked for is not there, or says who or where a worker is, and where
    labels could be in any of several.
    """
    line, problems = table.lines[0], list[Problem]()
    for role, name in options.columns.items():
        key = f"columns.{role}"
        if name.strip() not in table.header:
            columns = [column for column in table.named if not is_private(column)]
            remedy = did_you_mean(name.strip(), columns)
            problems.append(table.problem(line, key, f'there is no column "{name.strip()}".', remedy))
        elif is_private(name.strip()):
            message, remedy = "says who or where workers are, and is never read.", "Name another column."
            problems.append(table.problem(line, key, message, remedy))
    if problems:
        raise BadInput(problems)
    if "label" in options.columns:
        return options.columns["label"].strip()
    candidates = _candidates(table, platform, options)
    if len(candidates) != 1:
        names = ", ".join(candidates)
        message = (
            f"several columns can have the labels: {names}." if candidates else "no column can have labels."
        )
        remedy = 'Name it: columns = { label = "…" }.'
        raise table.file.refused(message, remedy, line, "columns.label")
    return candidates[0]


def questions(files: Sequence[ExportFile]) -> tuple[str, ...]:
    """Return the columns of answers of all files, of which each is a layer where there are several."""
    names: dict[str, None] = {}
    for file in files:
        table = _judgments_table(file)
        if (platform := platform_of(table.header)) is not None:
            names |= dict.fromkeys(_candidates(table, platform, ReaderOptions()))
    return tuple(names)


def attributes(files: Sequence[ExportFile]) -> tuple[str, ...]:
    """Return the columns of what workers are: age, gender, first language."""
    tables = [*map(_judgments_table, files)]
    own = [(table, platform) for table in tables if (platform := platform_of(table.header))]
    return tuple(dict.fromkeys(name for table, platform in own for name in _attributes(table, platform)))


def _judgments_table(file: ExportFile) -> StringTable:
    return read_units(file) if is_json(file) else with_choices(read_table(file))


def with_choices(table: StringTable) -> StringTable:
    """Return a table of Mechanical Turk with one column for each group of buttons or boxes.

    They come as a column each, true or false: "Answer.topic.sport", or "Answer.sport.on" of buttons alone.
    """
    groups: dict[str, dict[str, int]] = {}
    for column, name in enumerate(table.header):
        group, _, option = name.removesuffix(BUTTON).rpartition(".")
        if f"{group}.".startswith(ANSWER) and (group != ANSWER[:-1] or name.endswith(BUTTON)):
            groups.setdefault(group, {})[option] = column
    for group, options in groups.items():
        cells = [
            table.columns[column].mapped(lambda cell: cell.strip().lower()) for column in options.values()
        ]
        if (
            len(options) < 2
            or group in table.header
            or not {"true"} < {*chain(*(column.levels for column in cells))} <= {"true", "false", ""}
        ):
            continue
        chosen = [
            [option for option, cell in zip(options, row, strict=True) if cell == "true"]
            for row in zip(*cells, strict=True)
        ]
        one_each = all(len(own) <= 1 for own in chosen)
        if group == ANSWER[:-1] and not one_each:
            continue
        labels = ["".join(own) if one_each else json.dumps(own) for own in chosen]
        rest = table.only([column for column in range(len(table.header)) if column not in options.values()])
        table = replace(rest, header=(*rest.header, group), columns=(*rest.columns, Texts.of(labels)))
    return table


def _attributes(table: StringTable, platform: Platform) -> list[str]:
    found = attribute_columns([table], platform.annotator, [platform.unit])
    return [name for name in found if not is_private(name) and not name.startswith("_")]


def is_private(name: str) -> bool:
    """Say whether a column says who or where a worker is."""
    return name.strip("_").lower().replace("-", "_").replace(" ", "_") in PRIVATE


def _candidates(table: StringTable, platform: Platform, options: ReaderOptions) -> list[str]:
    """Return the columns that can have labels: those for answers, else those that differ within a unit."""
    of_workers = _attributes(table, platform)
    answers = [name for name in table.header if name.startswith(ANSWER) and name not in of_workers]
    if platform is MTURK and answers:
        columns = rows_looked_at(table)
        return [name for name in answers if columns[name].may_be_label()] or answers
    other_columns = {*options.columns.values(), platform.unit, platform.annotator, *of_workers}
    free = [
        name
        for name in table.header
        if name and not name.startswith("_") and name not in other_columns and not is_private(name)
    ]
    unit = options.columns.get("unit", platform.unit).strip()
    varying = [name for name in free if _varies(table, name, unit)]
    return varying or [name for name in free if not name.endswith("_gold")]


def _varies(table: StringTable, name: str, unit: str) -> bool:
    """Say whether a column has several values in some unit; what is shown to workers has one in each."""
    units, values = (table.columns[table.header.index(column)] for column in (unit, name))
    return len(set(zip(units, values, strict=True))) > len(set(units))


def as_label(cell: str, options: ReaderOptions) -> str:
    """Return an answer as a label: a JSON list of texts is a set, an object what is chosen in it."""
    if not cell.lstrip().startswith(("[", "{")):
        return cell
    try:
        value = json.loads(cell)
    except (ValueError, RecursionError):
        return cell
    members = _members(value)
    return cell if members is None else as_label_set(members, options)


def _members(value: object) -> list[str] | None:
    """Return what a list or a form's answer holds; None for what is neither."""
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
        return _members(next(iter(value[0].values()))) if len(value[0]) == 1 else None
    if isinstance(value, list):
        simple = all(isinstance(member, str | int) for member in value)
        return [as_text(member) for member in value] if simple else None
    if isinstance(value, dict) and isinstance(value.get("label"), str):
        return [value["label"]]
    if isinstance(value, dict) and value and all(isinstance(checked, bool) for checked in value.values()):
        return [name for name, chosen in value.items() if chosen]
    return [value] if isinstance(value, str) else None


# Units as JSON


def read_units(file: ExportFile) -> StringTable:
    """Return the judgments on all units as a table; raise BadInput with all that is wrong."""
    by_record = for_each_record(read_records(file), _judgments)
    judgments = [(record.line, row) for record, rows in by_record for row in rows]
    about = (APPEN.unit, APPEN.annotator, *APPEN.refuses)
    names = list(dict.fromkeys([*about, *(name for _, row in judgments for name in row)]))
    rows = [(line, [row.get(name, "") for name in names]) for line, row in judgments]
    return table_of(file, [(1, names), *rows], "JSON")


def _judgments(record: Record) -> tuple[Record, list[dict[str, str]]]:
    unit = expect(record, "", record.value, dict, "a unit")
    results = expect(record, "results", unit.get("results"), dict, "an object")
    judgments = expect(record, "results.judgments", results.get("judgments"), list, "a list of judgments")
    return record, for_each(judgments, lambda judgment: _judgment(record, unit, judgment))


def _judgment(record: Record, unit: Mapping[str, Any], value: object) -> dict[str, str]:
    judgment = expect(record, "results.judgments", value, dict, "a judgment")
    data = expect(record, "results.judgments.data", judgment.get("data"), dict, "an object with the answers")
    golden = judgment.get("golden") is True or unit.get("state") == "golden"
    about = {
        APPEN.unit: judgment.get("unit_id", unit.get("id")),
        APPEN.annotator: judgment.get("worker_id"),
        "_golden": golden,
        "_tainted": judgment.get("tainted") is True,
        **{f"_{name}": judgment[name] for name in JUDGED if name in judgment},
    }
    answers = {name: answer for name, answer in data.items() if name not in about}
    return {name: "" if value is None else as_text(value) for name, value in (about | answers).items()}


# Judgments of crowds: CrowdFlower or Appen (CSV, JSON) and Mechanical Turk (CSV), a row a judgment.

# What the platform writes where it has added judgments up, and workers are gone.
AGGREGATED = ("_unit_id", "_trusted_judgments")
ROLES = ("unit", "annotator", "label", "document", "pass", "text")


def recognises(file: ExportFile) -> bool:
    """Say whether the columns, or the first record, are those of a crowdsourcing platform."""
    if is_json(file):
        # Whether a record is a unit with the judgments on it.
        value = first_record(file)
        results = value.get("results") if isinstance(value, dict) else None
        return isinstance(results, dict) and isinstance(results.get("judgments"), list)
    header = first_row(file)
    return platform_of(header) is not None or set(AGGREGATED) <= set(header)


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Annotations:
    """Return the judgments in the files, taken together; raise BadInput with all that is wrong."""
    if private := [name for name in options.groups if is_private(name)]:
        message = f'"{private[0]}" says who or where workers are, and is never read.'
        raise refused(files[0].name, 0, KEY, message, "Name another column.")
    tables = for_each(files, _judgments_table)
    judged = for_each(without_groups(tables, options), lambda table: _judgments_in(table, options))
    sources = tuple(file.source for file in files)
    sheets = [sheet for sheet, _ in judged]
    ratings = ratings_of_files(sheets, replace(options, groups=()), READER.name, sources)
    left_out = [excluded for _, marks in judged for excluded in marks]
    return replace(
        ratings,
        groups=groups_in(tables, [(sheet, sheet.cells) for sheet in sheets], options),
        marks_read=ratings.marks_read + sum(excluded.marks for excluded in left_out),
        left_out=(*ratings.left_out, *left_out),
    )


def _judgments_in(table: StringTable, options: ReaderOptions) -> tuple[RatingsFile, list[ExcludedMarks]]:
    """Return the judgments of a file as a long table, and those that are not to be used."""
    platform = platform_of(table.header)
    if platform is None:
        message = "has what was made of the judgments of all workers, and no worker's own."
        remedy = "Export the full report, which has a row for each judgment."
        raise table.file.refused(message, remedy, table.lines[0])
    label = find_label(table, platform, options)
    roles = {"unit": platform.unit, "annotator": platform.annotator, **options.columns, "label": label}
    columns = {role: roles[role].strip() for role in ROLES if role in roles}
    times = [name for name in table.header if is_of_times(name) and name not in columns.values()]
    cells = {name: table.columns[table.header.index(name)] for name in (*columns.values(), *times)}
    cells[label] = cells[label].mapped(lambda cell: as_label(cell, options))
    reasons = _reasons(table, platform)
    used = np.array([reason is None for reason in reasons], dtype=np.bool_)
    chosen = tuple(column.taken(used) for column in cells.values())
    accepted = replace(table, header=tuple(cells), columns=chosen, rows=table.rows[used])
    judgments = zip(
        table.rows,
        cells[columns["annotator"]],
        cleaned_labels(cells[label], options),
        reasons,
        strict=True,
    )
    left_out = [
        ExcludedMarks(table.file.name, table.lines[row], who, reason, 1)
        for row, who, label, reason in judgments
        if reason is not None and label
    ]
    return understood(accepted, replace(options, columns=columns)), left_out


def _reasons(table: StringTable, platform: Platform) -> list[str | None]:
    """Return for each row why it is not to be used, None where it is."""
    reasons: list[str | None] = [None] * len(table.rows)
    for name, (values, reason) in platform.refuses.items():
        if name in table.header:
            cells = table.columns[table.header.index(name)]
            refused = [cell.strip().lower() in values for cell in cells]
            reasons = [
                earlier or (reason if is_refused else None)
                for is_refused, earlier in zip(refused, reasons, strict=True)
            ]
    return reasons


READER = Reader(
    name="crowd",
    title="Judgments of a crowd, CSV or JSON",
    tool="CrowdFlower, Appen, Mechanical Turk",
    extensions=(".csv", ".json", ".jsonl"),
    reads=(
        "Answers by unit and worker; each column of answers is a layer. A list of answers is a set; a "
        "group of buttons is one question."
    ),
    leaves_out=(
        "Test questions, judgments that the platform does not trust, rejected assignments, the data "
        "that workers were shown, and where workers are."
    ),
    recognises=recognises,
    read=read,
    says=(GOLDEN, TAINTED, REJECTED),
)
