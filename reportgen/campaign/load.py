"""From a folder to its Campaign, or all that is wrong, each with its line.

Checks of keys that must fit each other read the parsed file, not the models: one key of a wrong type hides no
other mistake. On which line a key is, the standard parser tells, asked statement by statement.
"""

import datetime as dt
import os
import re
import tomllib
import types
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from reportgen.base.errors import (
    MOST_TOLD,
    BadInput,
    Problem,
    alternatives,
    escaped,
    for_each,
    is_later,
    nearest,
    quoted,
    refused,
)
from reportgen.base.files import decode, read_bytes, read_text
from reportgen.campaign.guidelines import FILE, Campaign
from reportgen.campaign.toml_tables import (
    IDENTIFIER,
    PATTERNS,
    CampaignToml,
    ChangeDemands,
    Complaint,
    KeyPath,
    ReadOptions,
    Task,
    Unfit,
    VersionDemands,
    day,
    described,
    dotted,
    not_taken,
    why_unreadable,
)

# Strings, of several lines too, comments, brackets and line ends; what is not closed goes on to the end.
TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?(?:"{3,5}|\Z)'
    r"|'''.*?(?:'{3,5}|\Z)"
    r'|"(?:\\[^\n]|[^"\\\n])*+"?'
    r"|'[^'\n]*+'?"
    r"|#[^\n]*+|[][{}\n]",
    re.DOTALL,
)

Elements = dict[KeyPath, int]


def locate(text: str, paths: Iterable[KeyPath]) -> dict[KeyPath, int]:
    """Return the line, counted from 1, of each key path in a TOML text that parses.

    A key inside a statement of several lines (an array, an inline table) is located at the statement's
    first line, a key that is missing at the table that lacks it, or at line 1 without one.
    """
    asked = list(paths)
    unseen = set(asked)
    lines: dict[KeyPath, int] = {}
    for start, path in _given(text):
        lines.setdefault(path, start + 1)
        unseen.discard(path)
        if not unseen:
            break

    def line(path: KeyPath) -> int:
        return next((lines[path[:end]] for end in range(len(path), 0, -1) if path[:end] in lines), 1)

    return {path: line(path) for path in asked}


def statement_starts(text: str) -> list[int]:
    """Return the index of the line at which each statement starts, counted from 0.

    In a text that does not parse the last one is the start of the statement that does not. Blank lines and
    comments count as statements of their own.
    """
    starts: list[int] = []
    for start, statement in _statements(text):
        starts.append(start)
        if _parsed(statement) is None:
            break
    return starts or [0]


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Yield each statement with the index of its first line."""
    # TOML ends lines with LF or CR LF only; str.splitlines knows many more.
    plain = text.replace("\r\n", "\n")
    begin = start = line = depth = 0
    for token in TOKEN.finditer(plain):
        sign = token[0]
        depth = max(0, depth + (sign in {"[", "{"}) - (sign in {"]", "}"}))
        line += sign.count("\n")
        if sign == "\n" and not depth:
            yield start, plain[begin : token.end()]
            begin, start = token.end(), line
    if begin < len(plain):
        yield start, plain[begin:]


def _parsed(statement: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(statement)
    except (ValueError, RecursionError):
        return None


def _given(text: str) -> Iterator[tuple[int, KeyPath]]:
    """Yield the line and the path of all that each statement gives."""
    table: KeyPath = ()
    elements: Elements = {}
    for start, statement in _statements(text):
        table_content = _parsed(statement) or {}
        if statement.lstrip().startswith("["):
            table = _opened_table(table_content, elements)
            yield from ((start, table[:end]) for end in range(1, len(table) + 1))
        else:
            yield from ((start, path) for path in _within(table_content, table))


def _opened_table(header: Mapping[str, Any], elements: Elements) -> KeyPath:
    """Return the table that a header opens; of a list of tables the next element, which is counted."""
    path: KeyPath = ()
    here: Any = header
    while here:
        if isinstance(here, list):
            elements[path] = elements.get(path, 0) + 1
            return (*path, elements[path] - 1)
        if path in elements:
            path = (*path, elements[path] - 1)
        (name,) = here
        path, here = (*path, name), here[name]
    return path


def _within(value: Any, path: KeyPath) -> Iterator[KeyPath]:  # noqa: ANN401 - any TOML value
    """Yield the paths in a value."""
    elements: Iterable[tuple[str | int, Any]] = enumerate(value) if isinstance(value, list) else ()
    for part, inner in value.items() if isinstance(value, Mapping) else elements:
        yield (*path, part)
        yield from _within(inner, (*path, part))


# Where in campaign.toml a mistake is that another room found.


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
    here: KeyPath = ("guidelines", campaign.index_of(version))
    if not written:
        return (*here, "exports")
    # What is said of one annotator is said of all versions; a version names those whose marks are used.
    of_person = written[0] == "annotators" and len(written) > len(("annotators", "name"))
    if written[0] in ReadOptions.model_fields and not of_person:
        return (*here, *written)
    return next((path for path in _overriding_keys(campaign, written, here, layer)), written)


def _overriding_keys(
    campaign: Campaign, written: KeyPath, here: KeyPath, layer: str | None
) -> Iterator[KeyPath]:
    match written:
        case ("task", str(name)) if name in Task.model_fields:
            for index, declared in enumerate(campaign.layers):
                if declared.id == layer and name in declared.model_fields_set:
                    yield ("layers", index, name)
            if name in campaign.guidelines[int(here[1])].model_fields_set:
                yield (*here, name)
        case ("unit_sets", int(index), "size") if index < len(campaign.unit_sets):
            name = campaign.unit_sets[index].id
            if name in campaign.guidelines[int(here[1])].unit_sets:
                yield (*here, "unit_sets", name, "size")


Data = Mapping[str, object]

NAMED = {"layers": "id", "unit_sets": "id", "distances": "id", "guidelines": "version"}
KEYS_OF_UNITS = {
    "items": (),
    "tokens": ("token_pattern",),
    "sentences": (),
    "candidates": ("file", "layer", "keep_marked"),
    "declared": ("size", "base", "token_pattern"),
    "annotated-by-any": ("base", "token_pattern"),
    "annotated-by-all": ("base", "token_pattern"),
}
# What a floor of [gate] may hold a figure to; a model that would take an annotator's place to a rate alone.
REPLACEMENT, OF_REPLACEMENT = "replacement", ("model", "winning_rate")
HOLDING = tuple(
    key for key in (*VersionDemands.model_fields, *ChangeDemands.model_fields) if key not in OF_REPLACEMENT
)
# What is said of models alone.
OF_MODELS = ("model", "provider", "version", "prompt", "temperature", "seed", "date", "examples")
# The keys of what annotators were paid: the first three need each other.
OF_PAY = ("pay_amount", "pay_currency", "pay_per", "pay_minimum")
# What units are where the campaign does not say: those of tables, those of marks in texts.
DEFAULT_UNIT_SETS = ["items", "tokens", "marked"]
SPECIAL_KEYS = tuple(dict.fromkeys(key for keys in KEYS_OF_UNITS.values() for key in keys))


def check(data: Data) -> Iterator[Complaint]:
    """Yield every complaint about keys of a parsed campaign.toml that do not fit each other."""
    for one_check in CHECKS:
        yield from one_check(data)


def _tables(data: Data, key: str) -> list[tuple[KeyPath, Data]]:
    listed = data.get(key)
    elements = listed if isinstance(listed, list) else []
    return [((key, index), table) for index, table in enumerate(elements) if isinstance(table, dict)]


def _table_or_empty(data: Data, key: str) -> Data:
    table = data.get(key)
    return table if isinstance(table, dict) else {}


def _text(table: Data, key: str) -> str:
    value = table.get(key)
    return value if isinstance(value, str) else ""


def _names(data: Data, key: str) -> list[str]:
    return [name for _, table in _tables(data, key) if (name := _text(table, NAMED[key]))]


def _different_names(data: Data) -> Iterator[Complaint]:
    for key, name_key in NAMED.items():
        first: dict[str, KeyPath] = {}
        for path, table in _tables(data, key):
            name = _text(table, name_key)
            other = first.setdefault(name.casefold(), path)
            if name and other != path:
                message = f"is {quoted(name)}, which differs from {dotted(other)} by case at most."
                yield Complaint((*path, name_key), message, "Choose another name.")


def _earlier_names(data: Data) -> Iterator[Complaint]:
    """Yield a complaint for each earlier name of a version that another version has, or had."""
    named = {name.casefold(): name for name in _names(data, "guidelines")}
    for path, table in _tables(data, "guidelines"):
        was = table.get("was")
        for name in was if isinstance(was, list) else [was]:
            if isinstance(name, str) and name.casefold() in named:
                message = (
                    f"is {quoted(name)}, and a version is, or was, called {quoted(named[name.casefold()])}."
                )
                yield Complaint((*path, "was"), message, "An address can lead to one version alone.")
            elif isinstance(name, str):
                named[name.casefold()] = name


def _one_primary(data: Data) -> Iterator[Complaint]:
    """Yield each unit set that is primary in a layer in which another one is."""
    primary = [unit_set for unit_set in _tables(data, "unit_sets") if unit_set[1].get("primary") is True]
    for number, (path, table) in enumerate(primary):
        layers = _layers_of(table)
        rivals = [rival for rival, other in primary[:number] if not _layers_of(other) or not layers]
        rivals += [rival for rival, other in primary[:number] if _layers_of(other) & layers]
        if rivals:
            message = (
                f"is true, as it is in {dotted(rivals[0])}; only one unit set of a layer can be primary."
            )
            yield Complaint((*path, "primary"), message, "Keep it in one of them, or give each its layers.")


def _layers_of(unit_set: Data) -> set[str]:
    """Return the layers that a unit set names, nothing where it is for all of them."""
    named = unit_set.get("layers")
    return {layer for layer in named if isinstance(layer, str)} if isinstance(named, list) else set()


def _layers_of_unit_sets(data: Data) -> Iterator[Complaint]:
    layers = _names(data, "layers") or ["main"]
    for path, table in _tables(data, "unit_sets"):
        for name in sorted(_layers_of(table)):
            yield from _undeclared((*path, "layers"), name, layers, "a layer")


def _needless(
    path: KeyPath, table: Data, keys: Iterable[str], message: str, remedy: str
) -> Iterator[Complaint]:
    """Yield each of some keys that a table has and that says nothing there."""
    yield from (Complaint((*path, key), message, remedy) for key in keys if key in table)


def _keys_that_fit_units(data: Data) -> Iterator[Complaint]:
    for path, table in _tables(data, "unit_sets"):
        units = _text(table, "units")
        message = f"means nothing where units = {quoted(units)}."
        for key in SPECIAL_KEYS if units in KEYS_OF_UNITS else ():
            fitting = [kind for kind, keys in KEYS_OF_UNITS.items() if key in keys]
            if units not in fitting:
                remedy = f"Remove it, or write units = {alternatives(fitting)}."
                yield from _needless(path, table, [key], message, remedy)


def _units_from_elsewhere(data: Data) -> Iterator[Complaint]:
    """Yield sizes and candidates that nothing gives; exports that are all counts have them."""
    versions = [table for _, table in _tables(data, "guidelines")]
    if versions and all(_text(table, "format") == "counts" for table in versions):
        return
    for path, table in _tables(data, "unit_sets"):
        units, name = table.get("units"), _text(table, "id")
        sized = versions and all(name in _table_or_empty(version, "unit_sets") for version in versions)
        if units == "declared" and "size" not in table and not sized:
            message = 'is missing; units = "declared" needs the number of units.'
            yield Complaint((*path, "size"), message, "Write for example size = 1000.")
        if units == "candidates" and ("file" in table) == ("layer" in table):
            message = 'is "candidates", which needs either a file of terms or a layer.'
            yield Complaint((*path, "units"), message, 'Write file = "terms.txt" or layer = "…".')


def _name_for_unmarked(data: Data) -> Iterator[Complaint]:
    everywhere = [[table for _, table in _tables(data, key)] for key in ("layers", "guidelines")]
    tables = [[_table_or_empty(data, "task")], *everywhere]
    if any(group and all("non_annotated" in table for table in group) for group in tables):
        return
    for path, table in _tables(data, "unit_sets"):
        if table.get("units") == "declared":
            message = 'is "declared", so that unmarked units need a name, but [task] gives none.'
            yield Complaint((*path, "units"), message, 'Write non_annotated = "none" under [task].')


def _undeclared(path: KeyPath, name: str, declared: list[str], what: str) -> Iterator[Complaint]:
    if name and name not in declared:
        shown = f"It knows {alternatives(declared, 'and')}." if declared else "It declares none."
        message = f"speaks of {what} {quoted(name)}, which this file does not declare."
        yield Complaint(path, message, nearest(name, declared) or shown)


def _override_complaints(data: Data) -> Iterator[Complaint]:
    declared = [
        _text(table, "id") for _, table in _tables(data, "unit_sets") if table.get("units") == "declared"
    ]
    names = _names(data, "unit_sets")
    for path, version in _tables(data, "guidelines"):
        for name in _table_or_empty(version, "distances"):
            yield from _undeclared((*path, "distances", name), name, _names(data, "distances"), "a distance")
        for name in _table_or_empty(version, "unit_sets"):
            yield from _undeclared((*path, "unit_sets", name), name, names, "a unit set")
            if name in names and name not in declared:
                message = f'gives a size to the unit set {quoted(name)}, whose units are not "declared".'
                yield Complaint((*path, "unit_sets", name), message, "Remove it.")


def _one_source_of_distances(data: Data) -> Iterator[Complaint]:
    tables = _tables(data, "distances")
    for path, version in _tables(data, "guidelines"):
        overrides = _table_or_empty(version, "distances").items()
        overridden = [((*path, "distances", name), table) for name, table in overrides]
        tables += [(key, table) for key, table in overridden if isinstance(table, dict)]
    for path, table in tables:
        if ("file" in table) == ("taxonomy" in table):
            sources = "both a file and a taxonomy" if "file" in table else "neither a file nor a taxonomy"
            message = f"has {sources}; one of them was expected."
            yield Complaint(path, message, 'Write file = "distances.csv" or taxonomy = "taxonomy.csv".')


def _floors(data: Data) -> Iterator[tuple[str, KeyPath, Data]]:
    for measure, floors in _table_or_empty(data, "gate").items():
        if isinstance(floors, dict):
            yield measure, ("gate", measure), floors
        elif floors == []:
            yield measure, ("gate", measure), {}
        elif isinstance(floors, list):
            for index, floor in enumerate(floors):
                if isinstance(floor, dict):
                    yield measure, ("gate", measure, index), floor


def _gate(data: Data) -> Iterator[Complaint]:
    layers = _names(data, "layers") or ["main"]
    unit_sets = _names(data, "unit_sets") or DEFAULT_UNIT_SETS
    for measure, path, floor in _floors(data):
        yield from _undeclared((*path, "layer"), _text(floor, "layer"), layers, "a layer")
        yield from _undeclared((*path, "unit_set"), _text(floor, "unit_set"), unit_sets, "a unit set")
        yield from _model_floor(data, path, floor) if measure == REPLACEMENT else _floor(measure, path, floor)


def _model_floor(data: Data, path: KeyPath, floor: Data) -> Iterator[Complaint]:
    """Yield what is wrong with a floor of the share of annotators that a model beats."""
    for key in OF_REPLACEMENT:
        if key not in floor:
            message = "is missing: a model is judged by the share of annotators that it beats."
            remedy = 'Write for example { model = "gpt", winning_rate = 0.5 }.'
            yield Complaint((*path, key), message, remedy)
    message = f"means nothing of {REPLACEMENT}, which takes model, winning_rate and layer."
    needless = (*HOLDING, "at", "category", "unit_set", "annotators")
    yield from _needless(path, floor, needless, message, "Remove it.")
    people = _table_or_empty(data, "annotators")
    models = [name for name in people if _text(_table_or_empty(people, name), "role") in {"model", "system"}]
    yield from _undeclared((*path, "model"), _text(floor, "model"), models, "a model or system")
    if "epsilon" not in _table_or_empty(data, REPLACEMENT):
        message = "takes the price of a person, which [replacement] does not declare."
        yield Complaint(path, message, "Write [replacement] and epsilon = 0.1, with the reason as why.")


def _floor(measure: str, path: KeyPath, floor: Data) -> Iterator[Complaint]:
    """Yield what is wrong with one floor of a figure alone."""
    if not any(key in floor for key in HOLDING):
        message = f"demands nothing of the figure; {', '.join(HOLDING[:-1])} or {HOLDING[-1]} was expected."
        yield Complaint(path, message, "Write for example { value = 0.7 }.")
    elif "at" in floor and "fall" not in floor and "margin" not in floor:
        message = "says how often fall or margin may err, but neither is there."
        yield Complaint((*path, "at"), message, 'Write fall = "significant" or margin = 0.05 beside it.')
    yield from _needless(path, floor, OF_REPLACEMENT, f"is said of {REPLACEMENT} alone.", "Remove it.")
    if measure == "specific_agreement" and "category" not in floor:
        message = "is missing; specific agreement is the figure of one category."
        yield Complaint((*path, "category"), message, 'Write category = "…".')
    named = floor.get("annotators")
    if isinstance(named, list) and named and len(named) != 2:
        message = f"names {len(named)}; the figure of two was expected."
        yield Complaint((*path, "annotators"), message, "Name two, or take it away to mean all annotators.")


def _annotators(data: Data) -> Iterator[Complaint]:
    """Yield what fits nobody: a second pass of no first one, a release of no system, keys of models."""
    people = {
        name: table for name, table in _table_or_empty(data, "annotators").items() if isinstance(table, dict)
    }
    firsts = {name: _text(table, "same_as") for name, table in people.items()}
    for name, table in people.items():
        path, first = ("annotators", name), firsts[name]
        if first and (first == name or firsts.get(first)):
            message = f"is {quoted(first)}, which is not an annotator's first pass."
            yield Complaint((*path, "same_as"), message, "Name the annotator of the first pass.")
        if "release" in table and "system" not in table:
            message = "is the release of no system."
            yield Complaint((*path, "release"), message, 'Write system = "…" beside it.')
        if table.get("role") != "model":
            message = "is said of models, and this annotator is none."
            yield from _needless(path, table, OF_MODELS, message, 'Write role = "model" beside it.')


def _pay(data: Data) -> Iterator[Complaint]:
    """Yield what an amount of pay lacks: a number alone says nothing."""
    protocol = _table_or_empty(data, "protocol")
    given = [key for key in OF_PAY if key in protocol]
    for key in OF_PAY[:3] if given else ():
        if key not in protocol:
            message = f"is missing, and {given[0]} says nothing without it."
            remedy = "Write pay_amount, pay_currency and pay_per together."
            yield Complaint(("protocol", key), message, remedy)


def _days_of_work(data: Data) -> Iterator[Complaint]:
    """Yield a day of the end of annotation that is before its beginning."""
    protocol = _table_or_empty(data, "protocol")
    began, ended = (_day(protocol.get(key)) for key in ("began", "ended"))
    if began and ended and ended < began:
        yield Complaint(("protocol", "ended"), f"is {ended}, before began, {began}.", "Exchange the two.")


def _day(value: object) -> dt.date | None:
    """Return a day that a key has, whether in quotes or not; None for what is not one."""
    with suppress(Unfit):
        value = day(value)
    return value if isinstance(value, dt.date) and not isinstance(value, dt.datetime) else None


def _expert(data: Data) -> Iterator[Complaint]:
    name = _text(_table_or_empty(data, "replacement"), "expert")
    role = _text(_table_or_empty(_table_or_empty(data, "annotators"), name), "role")
    if role in {"model", "system"}:
        message = f"is {quoted(name)}, whose role is {quoted(role)}: nothing can be compared with itself."
        yield Complaint(("replacement", "expert"), message, "Name a human.")


# The tools whose work lies in a folder; the others are servers.
IN_FOLDERS = ("potato", "datasets")


def _source(data: Data) -> Iterator[Complaint]:
    """Yield what is missing to find where people annotate, and what is of another kind of tool."""
    table = _table_or_empty(data, "source")
    if not isinstance(tool := table.get("tool"), str):
        return
    of_server, of_folder = {"url": '"https://…"', "project": "1"}, {"folder": '"…"'}
    needed, other = (of_folder, of_server) if tool in IN_FOLDERS else (of_server, of_folder)
    for key in needed.keys() - table.keys():
        yield Complaint(("source", key), f"is missing for {quoted(tool)}.", f"Write {key} = {needed[key]}.")
    message = f"means nothing where tool = {quoted(tool)}."
    yield from _needless(("source",), table, other, message, "Remove it.")


CHECKS: tuple[Callable[[Data], Iterator[Complaint]], ...] = (
    _different_names,
    _earlier_names,
    _one_primary,
    _layers_of_unit_sets,
    _keys_that_fit_units,
    _units_from_elsewhere,
    _name_for_unmarked,
    _override_complaints,
    _one_source_of_distances,
    _gate,
    _annotators,
    _expert,
    _pay,
    _days_of_work,
    _source,
)


# Keys that had another name: the path of the old one, where * is any element of a list or table; the new one;
# and the version that does not read the old one any more, at least one minor version later.
RENAMED: tuple[tuple[str, str, str], ...] = ()


def with_new_names(data: Any, path: KeyPath = ()) -> Iterator[Complaint]:  # noqa: ANN401 - any TOML value
    """Give keys that have old names their new ones; yield what to say of each that had one."""
    for old, new, until in RENAMED:
        *tables, key = old.split(".")
        for place, table in _places(data, tables, path):
            if isinstance(table, dict) and key in table and new not in table:
                table[new] = table.pop(key)
                message = f"{key} is called {new} now; version {until} will not read the old name any more."
                yield Complaint((*place, key), message, f"Rename it to {new}.")


def _places(data: Any, tables: Sequence[str], path: KeyPath) -> Iterator[tuple[KeyPath, Any]]:  # noqa: ANN401
    """Yield each value under a path in which * is any key or position, with its path."""
    if not tables:
        yield path, data
        return
    items = data.items() if isinstance(data, dict) else enumerate(data if isinstance(data, list) else ())
    for key, value in items:
        if tables[0] in {"*", key}:
            yield from _places(value, tables[1:], (*path, key))


# Keys of campaign.toml that are accepted and that this version of reportgen does not act on yet.


def idle_keys(campaign: Campaign) -> list[Problem]:
    """Return what is asked for and the report will not show, and old names of keys, each with its line."""
    complaints = list(_idle_complaints(campaign))
    if RENAMED:
        text = read_text(Path(campaign.folder) / FILE, campaign.file)
        complaints += with_new_names(parse(text, campaign.file))
    return sorted(_with_lines(campaign, complaints))


def unknown_annotators(campaign: Campaign, exported: Collection[str]) -> list[Problem]:
    """Return each annotator of campaign.toml whom no export names: mistyped, or not there yet."""
    named: dict[KeyPath, str] = {("annotators", name): name for name in campaign.annotators}
    named |= {
        ("annotators", name, "same_as"): annotator.same_as
        for name, annotator in campaign.annotators.items()
        if annotator.same_as
    }
    complaints = [
        Complaint(path, f"no export has an annotator {quoted(name)}.", nearest(name, exported))
        for path, name in named.items()
        if name not in exported
    ]
    return _with_lines(campaign, complaints)


def _with_lines(campaign: Campaign, complaints: Sequence[Complaint], *, keys: bool = False) -> list[Problem]:
    """Return complaints as problems with their lines in campaign.toml; with `keys`, their keys too."""
    lines = lines_of(campaign, [complaint.path for complaint in complaints])
    problems = [complaint.problem(campaign.file, lines.get(complaint.path, 0)) for complaint in complaints]
    return problems if keys else [replace(problem, key="") for problem in problems]


def _idle_complaints(campaign: Campaign) -> Iterator[Complaint]:
    """Yield a rule for models where there are none, and numbers of categories where there are no sets."""
    if campaign.replacement and not any(
        annotator.role in {"model", "system"} for annotator in campaign.annotators.values()
    ):
        message = '[replacement] says nothing where nobody has role = "model" or "system".'
        yield Complaint(("replacement",), message)
    tables: list[tuple[KeyPath, Task]] = [
        (("task",), campaign.task),
        *((("layers", index), layer) for index, layer in enumerate(campaign.layers)),
        *((("guidelines", index), guidelines) for index, guidelines in enumerate(campaign.guidelines)),
    ]
    keys = [(*path, "category_count") for path, table in tables if "category_count" in table.model_fields_set]
    # What a version has is asked last: it looks for exports, of which there may be many thousands.
    versions = map(campaign.version, campaign.versions if keys else ())
    if any(layer.scale == "set" for version in versions for layer in version.layers):
        return
    for key in keys:
        yield Complaint(key, f'{dotted(key)} says nothing where no scale is "set".')


# What `merged` says of categories that there are not: mistyped, or written under the wrong version.

MOST_SHOWN = 10


def wrong_merges(campaign: Campaign, categories: Mapping[str, Collection[str]]) -> list[Problem]:
    """Return what is wrong with the `merged` tables of a campaign, each problem with its line.

    `categories` has each version's: those that it declares, and those that its exports hold. A key has
    to be a category of an earlier version, a value one of the version that says so.
    """
    return _with_lines(campaign, list(_merge_complaints(campaign, categories)), keys=True)


def _merge_complaints(campaign: Campaign, categories: Mapping[str, Collection[str]]) -> Iterator[Complaint]:
    declared = {guidelines.version: guidelines.merged for guidelines in campaign.guidelines}
    earlier: dict[str, None] = {}
    for age, version in enumerate(campaign.versions):
        merged = declared[version]
        path: KeyPath = ("guidelines", campaign.index_of(version), "merged")
        if merged and not age:
            message = "renames categories of earlier versions, but this version is the first."
            yield Complaint(path, message, "Move it to the version that calls them otherwise.")
        elif merged:
            yield from _merged(path, merged, list(earlier), list(categories[version]))
        earlier |= dict.fromkeys(categories[version])


def _merged(
    path: KeyPath, merged: Mapping[str, Sequence[str]], earlier: list[str], here: list[str]
) -> Iterator[Complaint]:
    """Yield each category that is renamed but was not there, or is no category here."""
    for old, parts in merged.items():
        if old not in earlier:
            message = f"renames {quoted(old)}, which is not a category of an earlier version."
            yield Complaint((*path, old), message, _meant(old, earlier))
        for new in parts:
            if new not in here:
                message = f"calls {quoted(old)} {quoted(new)}, which is not a category of this version."
                yield Complaint((*path, old), message, _meant(new, here))


def _meant(name: str, categories: list[str]) -> str:
    """Return which category was probably meant, else what categories there are."""
    more = " and more" if len(categories) > MOST_SHOWN else ""
    listed = alternatives(categories[:MOST_SHOWN], "and") + more
    return nearest(name, categories) or (f"There are {listed}." if categories else "")


# The text of a campaign.toml as data, or what is malformed in it.

AT_LINE = re.compile(r" \(at line (\d+), column \d+\)$")
AT_END = " (at end of document)"

# What looks like a date and is none: the parser reads a number of it, and finds more behind.
LIKE_A_DATE = re.compile(r"=\s*\d+([-./])\d+\1\d+\s*(#|$)")
YEAR_FIRST = "Write it year first, such as 2009-06-01."
# How each message of the parser begins, what it means, and how to remedy it. The first that fits counts.
MEANINGS = (
    (
        "Invalid value",
        "what follows = is not a value.",
        'Write texts in quotes, such as title = "…", decimals with a point, and true or false in lower case.',
    ),
    (
        "Invalid statement",
        "this line is neither a key with a value nor a [table].",
        'Write key = "value", with # before comments; put a key with blanks or accents in quotes.',
    ),
    (
        "Invalid initial character for a key",
        "a key was expected here.",
        'Write key = "value"; put a key with blanks or accents in quotes.',
    ),
    ("Expected '=' after a key", "a key without = was found.", 'Write key = "value".'),
    (
        "Expected newline or end of document",
        "something follows the end of the value.",
        "Keep one key on a line, and write texts with all their words inside the quotes.",
    ),
    ("Cannot overwrite a value", "this key has a value already.", "Keep one of the two."),
    ("Duplicate inline table key", "this key has a value already.", "Keep one of the two."),
    (
        "Cannot declare",
        "this table was opened before.",
        "Put its keys together under one [table]; a list of tables has two brackets, such as [[guidelines]].",
    ),
    (
        "Cannot mutate immutable namespace",
        "this adds to a table or list that was closed where it was first written.",
        "Write all of it in one place.",
    ),
    ("Expected ']", "a bracket of a table's name is not closed.", "Write [table] or [[table]]."),
    ("Unclosed array", "a list is not closed.", 'Write it as ["one", "two"].'),
    (
        "Unclosed inline table",
        "a table in braces is not closed.",
        'Write it as { key = "value" }, on one line.',
    ),
    (
        "Unescaped '\\' in a string",
        "a text in double quotes has a single backslash.",
        "Write the text in single quotes, or double the backslash.",
    ),
    ("Unterminated string", "a text is not closed by a quote.", "Add the quote at its end."),
    (
        "Illegal character '\\n'",
        "a text is not closed by a quote on its line.",
        'Add the quote at its end; write a text of several lines between """ and """.',
    ),
    ("Invalid date", "no such date exists.", YEAR_FIRST),
)
OTHERWISE = ("this is not TOML", "Compare it with https://toml.io.")
NOT_CLOSED = ("what begins here is not closed.", "Close its quotes, brackets or braces.")
TOO_DEEP = ("lists or tables are nested too deeply.", "Remove some of the brackets.")
DEEPEST = 50
TOO_LARGE = ("a number has too many digits.", "Write a smaller one.")
# A campaign.toml that people write has some kilobytes; to read one of many megabytes takes minutes.
MOST_BYTES = 4 * 1024**2


def parse(text: str, file: str) -> dict[str, Any]:
    """Return what a TOML text holds; raise BadInput, naming `file` and the line, where it is malformed."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line, message, remedy = _explained(text, str(error))
    except RecursionError:
        line, (message, remedy) = _unfinished(text), TOO_DEEP
    except ValueError:  # raised by Python itself for integers of more than 4300 digits
        line, (message, remedy) = _unfinished(text), TOO_LARGE
    else:
        # Whether tables and lists are within each other more often than any campaign needs.
        inner: list[Any] = [content]
        for _ in range(DEEPEST):
            within = (value.values() if isinstance(value, dict) else value for value in inner)
            inner = [value for values in within for value in values if isinstance(value, dict | list)]
        if bool(inner):
            raise refused(file, message=TOO_DEEP[0], remedy="Write keys of fewer parts, and fewer brackets.")
        return content
    shown = text.replace("\r\n", "\n").split("\n")[line - 1].strip()
    if remedy != YEAR_FIRST and LIKE_A_DATE.search(shown):
        message, remedy = "this is not a date.", YEAR_FIRST
    raise refused(file, line, message=f"{message} The line reads {quoted(shown)}.", remedy=remedy)


def _explained(text: str, complaint: str) -> tuple[int, str, str]:
    position = AT_LINE.search(complaint)
    what = complaint[: position.start()] if position else complaint.removesuffix(AT_END)
    meaning = next(((message, remedy) for start, message, remedy in MEANINGS if what.startswith(start)), None)
    if position:
        message, remedy = meaning or (f"{OTHERWISE[0]}: {what}.", OTHERWISE[1])
        return int(position[1]), message, remedy
    return _unfinished(text), *(meaning or NOT_CLOSED)


def _unfinished(text: str) -> int:
    """Return the line, counted from 1, at which the statement starts that never ends."""
    return statement_starts(text)[-1] + 1


# What pydantic found wrong, said in plain English for a linguist.

Sentences = tuple[str, str]

# What each type is called, and what a value of it looks like.
TYPES = {
    "string_type": ("a text in quotes", '"…"'),
    "int_type": ("a whole number", "10"),
    "float_type": ("a number", "0.7"),
    "finite_number": ("a number", "0.7"),
    "bool_type": ("true or false", "true"),
    "date_type": ("a date, year first,", "2009-06-01"),
    "tuple_type": ("a list", '["…", "…"]'),
}
LIMITS = {
    "greater_than": ("above", "gt"),
    "greater_than_equal": ("not below", "ge"),
    "less_than": ("below", "lt"),
    "less_than_equal": ("not above", "le"),
}


def _faults(error: ValidationError) -> list[ErrorDetails]:
    """Return what the models found wrong."""
    # A list whose elements are wrong is too short as well for pydantic, which counts the good ones.
    found = error.errors(include_url=False)
    return [details for details in found if details["type"] != "too_short" or not details["input"]]


def complaints(error: ValidationError, data: Mapping[str, object]) -> Iterator[Complaint]:
    """Yield one complaint for each error that the models found in `data`."""
    for details in _faults(error):
        message, remedy = SENTENCES.get(details["type"], _of_type)(details)
        yield Complaint(_written(details["loc"], data), message, remedy)


def _key(details: ErrorDetails) -> str:
    """Return the name of the key that the error is about, which list positions are behind."""
    return escaped(next((part for part in reversed(details["loc"]) if isinstance(part, str)), ""))


def _unfit(details: ErrorDetails) -> Sentences:
    reason = details["ctx"]["error"]
    return (reason.message, reason.remedy) if isinstance(reason, Unfit) else (f"{reason}.", "")


def _missing(details: ErrorDetails) -> Sentences:
    key = _key(details)
    shape = _bare(_shape(details["loc"]))
    if get_origin(shape) is tuple and _is_table(get_args(shape)[0]):
        return "is missing; at least one was expected.", f"Open one with [[{key}]]."
    expected = f"; {alternatives(get_args(shape))} was expected" if get_origin(shape) is Literal else ""
    return f"is missing{expected}.", f'Write {key} = "…".'


def _unknown(details: ErrorDetails) -> Sentences:
    key, keys = _key(details), _keys(_shape(details["loc"][:-1]))
    # Where else a key belongs: a line under the wrong [table] is easily written.
    tables = [name for name, field in CampaignToml.model_fields.items() if key in _keys(field.annotation)]
    if key in _keys(CampaignToml):
        remedy = "It is a key of the whole file: move it to the top, before the first [table]."
    elif tables:
        remedy = f"Move it under [{tables[0]}]."
    else:
        remedy = nearest(key, keys) or f"Its keys are {alternatives(keys, 'and')}."
    return "is not a valid key of this table.", remedy


def _literal(details: ErrorDetails) -> Sentences:
    allowed = get_args(_bare(_shape(details["loc"])))
    message = f"is {described(details['input'])}; {alternatives(allowed)} was expected."
    near = nearest(details["input"], allowed) if isinstance(details["input"], str) else ""
    return message, near or "Write one of them, in quotes."


def _limit(details: ErrorDetails) -> Sentences:
    relation, name = LIMITS[details["type"]]
    bound = f"{details['ctx'][name]:,}".removesuffix(".0")
    message = f"is {described(details['input'])}; a number {relation} {bound} was expected."
    return message, "Correct the number."


def _pattern(details: ErrorDetails) -> Sentences:
    expected, example = PATTERNS[details["ctx"]["pattern"]]
    return f"is {described(details['input'])}; {expected} was expected.", f"Write for example {example}."


def _table_complaint(details: ErrorDetails) -> Sentences:
    key = _key(details)
    one_too_many = isinstance(details["input"], list)
    remedy = f"Write [{key}], with one bracket." if one_too_many else f'Write {key} = {{ … = "…" }}.'
    return f"is {described(details['input'])}; a table was expected.", remedy


def _of_type(details: ErrorDetails) -> Sentences:
    value, key = details["input"], _key(details)
    expected, example = TYPES.get(details["type"], ("something else", "…"))
    message = f"is {described(value)}; {expected} was expected."
    if details["type"] == "tuple_type" and isinstance(value, dict):
        return message, f"Write [[{key}]], with two brackets."
    if details["type"] == "string_type" and described(value).startswith("the number"):
        example = f'"{value}"'
    in_list = isinstance(details["loc"][-1], int)
    return message, f"Write {'it as' if in_list else f'{key} ='} {example}."


SENTENCES: Mapping[str, Callable[[ErrorDetails], Sentences]] = {
    "value_error": _unfit,
    "missing": _missing,
    "extra_forbidden": _unknown,
    "literal_error": _literal,
    **dict.fromkeys(LIMITS, _limit),
    "string_pattern_mismatch": _pattern,
    "string_too_short": lambda _: (
        "is an empty text.",
        "Write something between the quotes, or take it away.",
    ),
    "too_short": lambda details: (
        "is an empty list; at least one was expected.",
        f"Add one to {_key(details)}.",
    ),
    "model_type": _table_complaint,
    "dict_type": _table_complaint,
}


def _written(path: KeyPath, data: object) -> KeyPath:
    """Return the path as the file has it: no position where one element is without its list."""
    written: list[str | int] = []
    for part in path:
        if isinstance(part, int) and not isinstance(data, list):
            continue
        written.append(part)
        if isinstance(data, Mapping):
            data = data.get(part)
        elif isinstance(data, list) and isinstance(part, int):
            data = data[part]
    return tuple(written)


def _shape(path: KeyPath) -> Any:  # noqa: ANN401 - an annotation may be a type, a generic alias or a union
    """Return the annotation of what is under a path of campaign.toml."""
    shape: Any = CampaignToml
    for part in path:
        shape = _bare(shape)
        if _is_table(shape):
            fields = {field.alias or name: field for name, field in shape.model_fields.items()}
            shape = fields[str(part)].annotation
        else:
            arguments = get_args(shape)
            shape = arguments[0] if get_origin(shape) is tuple else arguments[-1]
    return _bare(shape)


def _bare(shape: Any) -> Any:  # noqa: ANN401 - as above
    """Return an annotation without metadata and without "or nothing"."""
    if get_origin(shape) in {Annotated, Union, types.UnionType}:
        return _bare(get_args(shape)[0])
    return shape


def _is_table(shape: object) -> bool:
    return isinstance(shape, type) and issubclass(shape, BaseModel)


def _keys(shape: Any) -> list[str]:  # noqa: ANN401 - as above
    return [field.alias or name for name, field in shape.model_fields.items()] if _is_table(shape) else []


# From a campaign's folder to its Campaign, or to everything that is wrong with it.


def load(folder: Path, name: str | None = None, text: str | None = None) -> Campaign:
    """Return the campaign that a folder holds, or would hold if its campaign.toml were `text`.

    `name` is what errors call the folder, by default `folder` itself. Raises BadInput with every
    problem of the folder, its campaign.toml, its distance tables, sizes, terms and control items at once; of
    more mistakes in campaign.toml than anybody reads, with the first and the number of all.
    """
    shown = str(folder) if name is None else name
    declared = _declared(folder, shown, folder, text)
    campaign = Campaign.model_construct(
        declared.model_fields_set, id=_id(folder), folder=folder.resolve(), name=shown, **dict(declared)
    )
    # Raise BadInput with all that is wrong in the tables and lists of any guidelines version.
    readings: list[Callable[[], object]] = []
    for version in map(campaign.version, campaign.versions):
        readings += [version.distance_tables, version.control_items]
        readings += [partial(version.sizes, unit_set) for unit_set in version.unit_sets]
        readings += [partial(version.terms, unit_set) for unit_set in version.unit_sets]
    for_each(readings, lambda reading: reading())
    return campaign


def load_before_exports(folder: Path) -> CampaignToml:
    """Return what campaign.toml says where files that it names, such as exports, need not be there yet.

    Raises BadInput with everything else that is wrong in it.
    """
    return _declared(folder, str(folder), None)


def load_reading(said: Path | Mapping[str, Any]) -> ReadOptions:
    """Return how tables are to be read, as a file with these keys of [[guidelines]], or a dict, says it.

    Of a campaign.toml it is what the newest version says.

    Raises BadInput with all that is wrong in it.
    """
    file = str(said) if isinstance(said, Path) else "reading"
    text = _read(said, file) if isinstance(said, Path) else ""
    data = parse(text, file) if isinstance(said, Path) else dict(said)
    if isinstance(versions := data.get("guidelines"), list) and versions and isinstance(versions[-1], dict):
        data = {key: value for key, value in versions[-1].items() if key in ReadOptions.model_fields}
    try:
        return ReadOptions.model_validate(data)
    except ValidationError as error:
        mistakes = list(islice(complaints(error, data), MOST_TOLD))
    lines = locate(text, [mistake.path for mistake in mistakes])
    raise BadInput(mistake.problem(file, lines[mistake.path]) for mistake in mistakes)


def _id(folder: Path) -> str:
    return Path(os.path.abspath(folder)).name  # noqa: PTH100 - Path.resolve would follow a link


def _declared(folder: Path, shown: str, context: Path | None, text: str | None = None) -> CampaignToml:
    """Return what campaign.toml says, or `text`; with the folder as `context`, what it names has to be there.

    Raises BadInput with all that is wrong.
    """
    identity, file = _id(folder), (Path(shown) / FILE).as_posix()
    if text is None:
        _require_file(folder, shown)
        text = _read(folder / FILE, file)
    data = parse(text, file)
    if later := is_later(data.get("schema")):
        raise refused(file, locate(text, [("schema",)])["schema",], "schema", *later)
    list(with_new_names(data))
    mistakes, declared = list(check(data)), None
    number = len(mistakes)
    try:
        declared = CampaignToml.model_validate(data, context=context)
    except ValidationError as error:
        number += len(_faults(error))
        mistakes += islice(complaints(error, data), MOST_TOLD)
    mistakes = mistakes[: MOST_TOLD - (number > MOST_TOLD)]
    lines = locate(text, [mistake.path for mistake in mistakes]) if mistakes else {}
    problems = [
        *_bad_name(identity, shown),
        *(mistake.problem(file, lines[mistake.path]) for mistake in mistakes),
    ]
    if number > MOST_TOLD:
        message = f"has {number:,} mistakes, of which {len(mistakes)} are listed."
        problems.append(Problem(file, message=message, remedy="Mend these first.", others=number - MOST_TOLD))
    if problems or declared is None:
        raise BadInput(problems)
    return declared


def _read(path: Path, file: str) -> str:
    """Return the text of a campaign.toml; raise BadInput where it is too long to be one, or no text."""
    content = read_bytes(path, file)
    if len(content) > MOST_BYTES:
        message = f"has {len(content):,} bytes; {MOST_BYTES:,} are read at most."
        raise refused(file, message=message, remedy="Put long lists into files of their own.")
    return decode(content, file)


def _require_file(folder: Path, shown: str) -> None:
    """Raise BadInput where there is no such folder, it can't be read or has no campaign.toml."""
    try:
        names = [path.name for path in folder.iterdir()]
    except FileNotFoundError:
        message, remedy = "there is no such folder.", "Check the name."
    except NotADirectoryError:
        message, remedy = "is a file; a campaign's folder was expected.", "Name the folder."
    except (OSError, ValueError) as error:
        message, remedy = f"can't be read: {why_unreadable(error)}.", "Check that you may read the folder."
    else:
        if FILE in names:
            return
        message = f"has no {FILE}."
        write = f"Write one from the exports in it: reportgen init {shown}."
        remedy = nearest(FILE, names) or (
            write if names else "Name a campaign's folder, which has a campaign.toml."
        )
    raise refused(shown, message=message, remedy=remedy)


def _bad_name(identity: str, shown: str) -> Iterator[Problem]:
    if re.fullmatch(IDENTIFIER, identity):
        try:
            not_taken(identity)
        except Unfit as reason:
            yield Problem(shown, message=f"the folder's name {reason.message}", remedy="Rename the folder.")
    else:
        message = (
            f"the folder's name {quoted(identity)} is the campaign's id, which takes "
            'letters, digits, ".", "_" and "-" only, a letter or digit first.'
        )
        yield Problem(shown, message=message, remedy="Rename the folder.")
