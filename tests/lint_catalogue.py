"""What is wrong with the data of the catalogue, by file and line: `make lint` runs it."""

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from inspect import signature
from pathlib import Path
from typing import Any, get_type_hints

from pydantic import TypeAdapter, ValidationError

from reportgen import catalogue
from reportgen.base.errors import Problem, did_you_mean
from reportgen.campaign.load import locate
from reportgen.campaign.toml_tables import KeyPath
from reportgen.catalogue import Bracket, Measure
from reportgen.measures import distances
from reportgen.measures.formulas import formula_of, function_named
from reportgen.results import Work

# What the loader adds.
ADDED = ("id", "family", "place")
PARTS = {"works": list[str | dict[str, str]], "elsewhere": list[tuple[str, str]]}


@dataclass(frozen=True)
class Fault:
    """What is wrong with a key of a file, and what to do about it."""

    path: KeyPath
    message: str
    remedy: str = ""


def problems(folder: Path = catalogue.FOLDER) -> list[Problem]:
    """Return all that is wrong with the files of the catalogue, in the order of their lines."""
    return [
        problem
        for name in (*catalogue.FAMILIES, catalogue.BRACKETS_FILE)
        for problem in _of_file(folder, name)
    ]


def _of_file(folder: Path, name: str) -> list[Problem]:
    file, text = f"reportgen/catalogue/{name}.toml", (folder / f"{name}.toml").read_text(encoding="utf-8")
    try:
        given = catalogue.data_of(name, folder)
    except ValueError as error:
        line = re.search(r"line (\d+)", str(error))
        return [Problem(file, int(line[1]) if line else 0, message=f"is no TOML: {error}.")]
    faults = list(_faults(name, given, catalogue.data_of(catalogue.SOURCES_FILE, folder)))
    lines = locate(text, [fault.path for fault in faults])
    found = [
        Problem(
            file,
            lines[fault.path],
            ".".join(map(str, fault.path)),
            fault.message,
            fault.remedy,
        )
        for fault in faults
    ]
    return sorted(found, key=lambda problem: problem.line)


def _faults(name: str, given: Mapping[str, Any], sources: Mapping[str, Any]) -> Iterator[Fault]:
    if name == catalogue.BRACKETS_FILE:
        for place, entry in enumerate(given["bracket"]):
            yield from _of_entry(("bracket", place), Bracket, entry, sources)
            yield from _of_distance(("bracket", place), entry)
        return
    for key, entry in given.items():
        if key != "family":
            yield from _of_entry((key,), Measure, entry, sources)
            yield from _of_functions((key,), entry)


def _of_entry(
    path: KeyPath, kind: type[Measure | Bracket], entry: Mapping[str, Any], sources: Mapping[str, Any]
) -> Iterator[Fault]:
    """Yield what is missing, what no entry has, and what is of another type."""
    hints = get_type_hints(kind) | PARTS
    known = {field.name: field for field in fields(kind) if kind is Bracket or field.name not in ADDED}
    for name, field in known.items():
        if field.default is MISSING and name not in entry:
            yield Fault(path, f"has no {name}.")
    for name, value in entry.items():
        if name not in known:
            yield Fault((*path, name), "is not a valid key of an entry.", did_you_mean(name, list(known)))
            continue
        try:
            TypeAdapter(hints[name]).validate_python(value)
        except ValidationError as error:
            yield Fault((*path, name), f"does not fit: {error.errors()[0]['msg']}.")
            return
    yield from _of_sources(path, entry, sources)


def _of_sources(path: KeyPath, entry: Mapping[str, Any], sources: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield publications and programs that sources.toml does not have."""
    for work in entry.get("works", ()):
        if isinstance(work, str) and work not in sources["works"]:
            yield Fault((*path, "works"), f'names "{work}".', did_you_mean(work, list(sources["works"])))
        elif not isinstance(work, str) and set(work) - set(Work.model_fields):
            yield Fault((*path, "works"), f"has a work with {', '.join(work)}.", "Give citation and doi.")
    for library, _returns in entry.get("elsewhere", ()):
        try:
            library.format_map(sources["programs"])
        except KeyError as error:
            remedy = did_you_mean(str(error.args[0]), list(sources["programs"]))
            yield Fault((*path, "elsewhere"), f"names the program {error}.", remedy)


def _of_functions(path: KeyPath, entry: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield functions that are not there, and figures that nothing computes."""
    for name in ("for_pair", "for_all"):
        try:
            if name in entry and len(signature(function_named(entry[name])).parameters) != 1:
                yield Fault((*path, name), f'"{entry[name]}" is not a function of the units.')
        except (ImportError, AttributeError):
            yield Fault((*path, name), f'reportgen/measures has no "{entry[name]}".')
        if entry.get(name.removeprefix("for_")) and name not in entry and "coefficient" not in entry:
            yield Fault(
                (*path, name.removeprefix("for_")), f"nothing computes it: name a coefficient, or {name}."
            )
    try:
        if entry.get("coefficient"):
            formula_of(Measure(**{**BLANK, "coefficient": entry["coefficient"]}))
    except AttributeError:
        yield Fault(
            (*path, "coefficient"), f'reportgen/measures/formulas.py has no "{entry["coefficient"]}".'
        )


def _of_distance(path: KeyPath, entry: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield a distance between values that no function of these computes."""
    ordered = {*entry.get("distances", ()), *entry.get("weights", ())} - {"set"}
    function = getattr(distances, entry.get("function", ""), None)
    if "function" in entry and (function is None or len(signature(function).parameters) != 1):
        message = f'reportgen/measures/distances.py has no "{entry["function"]}" of values.'
        yield Fault((*path, "function"), message)
    elif ordered and function is None and not entry.get("from_ratings"):
        yield Fault(path, "nothing computes it: name a function.")


BLANK: dict[str, Any] = {
    field.name: 0 if field.name == "place" else "" for field in fields(Measure) if field.default is MISSING
}


def main() -> int:
    """Print what is wrong; return the exit status."""
    found = problems()
    print(*found, sep="\n", file=sys.stderr, end="\n" if found else "")
    return 2 if found else 0


if __name__ == "__main__":
    sys.exit(main())
