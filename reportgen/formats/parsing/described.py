"""counts.json as it was written: well-formed, complete, and at one with itself."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from reportgen.errors import BadInput, Problem, did_you_mean
from reportgen.formats.counted import (
    KIND,
    LARGEST,
    SCHEMA,
    CountsDescribed,
    LayerDescribed,
    UnitSetDescribed,
)
from reportgen.formats.parsing import described_marks
from reportgen.formats.parsing.count_tables import AS_WRITTEN
from reportgen.formats.parsing.json_lines import Path, line_of, lines_of
from reportgen.formats.reader import ExportFile, shortened

WRONG = {
    "missing": "is missing.",
    "extra_forbidden": "is no key of counts.json.",
    "int_type": "is no whole number.",
    "int_from_float": "is no whole number.",
    "greater_than_equal": "is below 0.",
    "less_than_equal": f"is above {LARGEST:,}.",
    "string_type": "is no text in quotes.",
    "bool_type": "is neither true nor false.",
    "tuple_type": "is no list.",
    "too_short": "is empty.",
}
Found = Iterator[tuple[Path, str]]


def is_description(file: ExportFile) -> bool:
    """Say whether a file is a counts.json, damaged or not."""
    return file.suffix == ".json" and file.is_text() and f'"{KIND}"' in file.text


def read_description(file: ExportFile) -> CountsDescribed:
    """Return what counts.json says; raise BadInput with all that is wrong in it."""
    try:
        described = CountsDescribed.model_validate_json(_object(file))
    except ValidationError as error:
        raise _bad(file, map(_in_words, _own(error.errors(include_url=False)))) from None
    if found := list(_contradictions(described)):
        raise _bad(file, found)
    return described


def _own(errors: Sequence[ErrorDetails]) -> list[ErrorDetails]:
    """Return errors without those that say that a list is empty because something in it is wrong."""
    places = [each["loc"] for each in errors]
    return [
        each
        for each in errors
        if each["type"] != "too_short"
        or not any(place[: len(each["loc"])] == each["loc"] != place for place in places)
    ]


def _require_known_schema(file: ExportFile, content: object) -> None:
    """Raise BadInput where the file is of a later schema: what else is new in it is no fault."""
    schema = content.get("schema") if isinstance(content, dict) else None
    if type(schema) is int and schema > SCHEMA:
        message = f"is {schema}, and this version of reportgen reads {SCHEMA}."
        mend = "Install a newer reportgen: one wrote these counts."
        line = line_of(lines_of(file.text), ("schema",))
        raise BadInput([Problem(file.name, line, "schema", message, mend)])


def _object(file: ExportFile) -> str:
    """Return the text of a file that is a JSON object of a schema that is known."""
    try:
        _require_known_schema(file, json.loads(file.text))
    except json.JSONDecodeError as error:
        raise BadInput(
            [Problem(file.name, error.lineno, "", f"is no JSON: {error.msg}.", AS_WRITTEN)]
        ) from None
    except RecursionError:
        raise BadInput([Problem(file.name, message="is nested too deeply.", mend=AS_WRITTEN)]) from None
    return file.text


def _bad(file: ExportFile, found: Sequence[tuple[Path, str]] | Iterator[tuple[Path, str]]) -> BadInput:
    lines = lines_of(file.text)
    problems = [
        Problem(file.name, line_of(lines, path), _shown(path), message, AS_WRITTEN) for path, message in found
    ]
    return BadInput(shortened(problems))


def _shown(path: Path) -> str:
    """Return a path as text, places counted from 1."""
    return ".".join(str(part + 1) if isinstance(part, int) else part for part in path)


def _in_words(error: ErrorDetails) -> tuple[Path, str]:
    path, kind = tuple(error["loc"]), error["type"]
    if path == ("schema",) and kind == "literal_error":
        return path, "is not 1, the one that this version of reportgen reads."
    if kind == "literal_error":
        return path, f"is none of {error.get('ctx', {}).get('expected', '')}."
    if kind == "extra_forbidden" and path:
        return path, WRONG[kind]
    return path, WRONG.get(kind, f"can't be read: {error['msg']}.")


def _contradictions(described: CountsDescribed) -> Found:
    """Yield where counts.json is not at one with itself."""
    yield from _twice(("layers",), [each.id for each in described.layers], "id")
    for place, layer in enumerate(described.layers):
        yield from _of_layer(("layers", place), layer)


def _of_layer(path: Path, layer: LayerDescribed) -> Found:
    yield from _twice((*path, "unit_sets"), [each.id for each in layer.unit_sets], "id")
    for key in ("annotators", "documents"):
        yield from _twice((*path, key), getattr(layer, key))
    left_out = sum(each.marks for each in layer.left_out)
    if layer.marks_read != layer.marks_used + left_out:
        message = f"is {layer.marks_read:,}, but {layer.marks_used:,} were used and {left_out:,} left out."
        yield (*path, "marks_read"), message
    if not layer.unit_sets:
        yield (*path, "unit_sets"), "is empty."
    for place, unit_set in enumerate(layer.unit_sets):
        yield from _of_unit_set((*path, "unit_sets", place), unit_set, layer)
    yield from described_marks.contradictions(path, layer)


def _of_unit_set(path: Path, unit_set: UnitSetDescribed, layer: LayerDescribed) -> Found:
    for key in ("annotators", "categories", "documents"):
        yield from _twice((*path, key), getattr(unit_set, key) or ())
    yield from _strangers((*path, "annotators"), unit_set.annotators, layer.annotators)
    yield from _strangers((*path, "documents"), unit_set.documents or (), layer.documents)
    yield from _categories(path, unit_set)
    left_out = sum(unit_set.marks_left_out.values()) + sum(layer.passed_over.values())
    if layer.marks_read != unit_set.marks_used + left_out:
        message = (
            f"is {unit_set.marks_used:,}, but {layer.marks_read:,} were read and {left_out:,} left out here."
        )
        yield (*path, "marks_used"), message


def _categories(path: Path, unit_set: UnitSetDescribed) -> Found:
    absent, known = unit_set.non_annotated, unit_set.categories
    if absent is not None and (not known or known[-1] != absent):
        yield (*path, "non_annotated"), f'is "{absent}", which is not the last of the categories.'
    if (unit_set.sets is None) == (unit_set.scale == "set"):
        yield (*path, "sets"), 'is there where scale is "set", and only there.'
    elif unit_set.sets is not None and len(unit_set.sets) != len(known):
        yield (*path, "sets"), f"has {len(unit_set.sets):,} entries for {len(known):,} categories."


def _twice(path: Path, names: Sequence[str], key: str = "") -> Found:
    """Yield each name that stands in a list more than once, where it does so again."""
    times = Counter(names)
    for place, name in enumerate(names):
        if times[name] > 1 and name in names[:place]:
            yield (*path, place, *((key,) if key else ())), f'"{name}" stands there twice.'


def _strangers(path: Path, names: Sequence[str], known: Sequence[str]) -> Found:
    there = set(known)
    for place, name in enumerate(names):
        if name not in there:
            near = did_you_mean(name, list(known))
            yield (*path, place), f'the layer has no "{name}". {near}'.rstrip()
