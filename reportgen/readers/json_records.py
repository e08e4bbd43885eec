"""JSON as annotation tools write it, and YAML: with limits, and the line of each record."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, for_each, in_plain_words
from reportgen.readers.annotations import ExcludedMarks
from reportgen.readers.reader import Copy, Export, ExportFile, shortened

Item = TypeVar("Item")
Result = TypeVar("Result")

OPENERS = ("{", "[")
KINDS = {
    dict: "an object",
    list: "a list",
    str: "a text",
    bool: "true or false",
    int: "a number",
    float: "a number",
}
# A letter outside the basic plane may be written as two halves; one half alone is no letter. What follows a
# backslash may be one that is meant: the quick pattern finds too much, the slow one says which it is.
HIGH_HALVES, LOW_HALVES = (0xD800, 0xDBFF), (0xDC00, 0xDFFF)
ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)
HALF_LETTER = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)


@dataclass(frozen=True)
class Record:
    """One JSON value of a file, and where it is: its line in a file of lines, else its number."""

    file: str
    line: int
    value: Any

    def problem(self, message: str, remedy: str = "Export the file again.", key: str = "") -> Problem:
        """Return what is wrong in the record."""
        return Problem(self.file, self.line, key, message, remedy)

    def refused(self, message: str, remedy: str = "Export the file again.", key: str = "") -> BadInput:
        """Return the error for one thing that is wrong in the record."""
        return BadInput([self.problem(message, remedy, key)])


def is_json(file: ExportFile) -> bool:
    """Say whether the file starts as JSON does."""
    return file.is_text() and file.text.lstrip().startswith(OPENERS)


def read_json(file: ExportFile) -> Any:  # noqa: ANN401 - JSON is anything
    """Return the one value in the file; raise BadInput where it is not JSON, or nested too deep."""
    _refuse_halves(file)
    try:
        return json.loads(file.text)
    except (ValueError, RecursionError) as error:
        raise _unreadable(file, 0, error) from None


def read_records(file: ExportFile) -> list[Record]:
    """Return the records of the file: the elements of a list, or values one after another (JSONL).

    Raises BadInput where any of them is not JSON.
    """
    text = file.text
    _refuse_halves(file)
    if text.lstrip().startswith("["):
        value = read_json(file)
        return [Record(file.name, number, element) for number, element in enumerate(value, 1)]
    return list(_one_after_another(file, text))


def for_each_record(records: Iterable[Record], step: Callable[[Record], Result]) -> list[Result]:
    """Return the result of `step` for each record; raise BadInput with the problems of all that fail."""

    def guarded(record: Record) -> Result:
        try:
            return step(record)
        except RecursionError:
            raise record.refused("is nested too deep to be an export.", "Export it again.") from None

    try:
        return for_each(records, guarded)
    except BadInput as error:
        raise BadInput(shortened(error.problems)) from None


def _refuse_halves(file: ExportFile) -> None:
    """Raise BadInput for half a letter, which no text can hold and nothing could write again."""
    if HALF_LETTER.search(file.text) is None:
        return
    position = _half_letter_position(file.text)
    if position is not None:
        line = file.text.count("\n", 0, position) + 1
        message = f"has half of a letter, {file.text[position : position + 6]}."
        raise file.refused(message, "Export the file again.", line)


def _half_letter_position(text: str) -> int | None:
    """Return where the first escaped half of a letter is that lacks its other half."""
    first = -1
    for match in ESCAPE.finditer(text):
        code = int(match[1] or "0", 16)
        completes_pair = LOW_HALVES[0] <= code <= LOW_HALVES[1] and match.start() == first + 6 and first >= 0
        if first >= 0 and not completes_pair:
            return first
        first = match.start() if HIGH_HALVES[0] <= code <= HIGH_HALVES[1] else -1
        if not completes_pair and LOW_HALVES[0] <= code <= LOW_HALVES[1]:
            return match.start()
    return first if first >= 0 else None


def _one_after_another(file: ExportFile, text: str) -> Iterator[Record]:
    """Yield the values of a text with the line on which each starts; they may stretch over lines."""
    decoder = json.JSONDecoder()
    position = _skip_space(text, 0)
    line, counted = 1, 0
    while position < len(text):
        line += text.count("\n", counted, position)
        counted = position
        try:
            value, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError) as error:
            raise _unreadable(file, line, error) from None
        yield Record(file.name, line, value)
        position = _skip_space(text, end)


def _skip_space(text: str, position: int) -> int:
    while position < len(text) and text[position] in " \t\r\n":
        position += 1
    return position


def _unreadable(file: ExportFile, line: int, error: Exception) -> BadInput:
    """Return what is wrong with JSON that Python can't read, from a line on."""
    remedy = "Export the file again."
    if isinstance(error, json.JSONDecodeError):
        return file.refused(f"is not JSON: {in_plain_words(error)}.", remedy, error.lineno)
    if isinstance(error, RecursionError):
        return file.refused("is nested too deep to be an export.", remedy, line)
    return file.refused("has a number of too many digits.", line=line)


def first_record(file: ExportFile) -> Any:  # noqa: ANN401 - JSON is anything
    """Return the first record of a JSON file, for recognising it; None where there is none."""
    if not is_json(file):
        return None
    try:
        text = file.text
        if text.lstrip().startswith("["):
            start = text.index("[") + 1
            return json.JSONDecoder().raw_decode(text, _skip_space(text, start))[0]
        return next(_one_after_another(file, text), Record("", 0, None)).value
    except (BadInput, ValueError, RecursionError):
        return None


def wrong_kind(record: Record, key: str, value: object, expected: str) -> Problem:
    """Return the problem of a value that is of another kind than expected ("a list")."""
    actual = "missing" if value is None else KINDS.get(type(value), "something else")
    return record.problem(f"is {actual} where {expected} was expected.", "Export the file again.", key=key)


Kind = type | tuple[type, ...]


def expect(record: Record, key: str, value: object, kind: Kind, expected: str) -> Any:  # noqa: ANN401
    """Return the value if it is of the kind, else raise BadInput; a truth value is no number."""
    if not isinstance(value, kind) or (kind in (int, (str, int)) and isinstance(value, bool)):
        raise BadInput([wrong_kind(record, key, value, expected)])
    return value


def listed(record: Record, key: str, value: object, expected: str = "a list") -> list[Any]:
    """Return a list, an empty one where there is none; raise BadInput where it is something else."""
    return [] if value is None else list(expect(record, key, value, list, expected))


def name_in(record: Record, key: str, value: object, expected: str = "a label") -> str:
    """Return a label, an id or a name: a text or a number; raise BadInput for everything else."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise BadInput([wrong_kind(record, key, value, expected)])
    return as_text(value)


@dataclass(frozen=True)
class RecordContent:
    """What one record has: its copies, and what is left out."""

    copies: Sequence[Copy]
    left_out: Sequence[ExcludedMarks]


def export_of_records(
    files: Sequence[ExportFile], contents: Iterable[RecordContent], reading: str, default: str | None = None
) -> Export:
    """Return the contents of all records, taken together; `files` are all that were read."""
    records = list(contents)
    return Export(
        copies=[copy for content in records for copy in content.copies],
        reading=reading,
        sources=tuple(file.source for file in files),
        left_out=tuple(left for content in records for left in content.left_out),
        by_feature=True,
        default=default,
    )


def as_text(value: object) -> str:
    """Return a feature's value as text: texts as they are, everything else as JSON writes it."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


# On which line of a JSON text a value is.

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
# What comes first inside: a key, or the first place.
FIRST: Mapping[str, int | None] = {"{": None, "[": 0}

Path = tuple[str | int, ...]


def lines_of(text: str) -> dict[Path, int]:
    """Return the line of each value of a JSON text that is well-formed, by its path from the top."""
    return dict(_walk(text))


def line_of(lines: dict[Path, int], path: Path) -> int:
    """Return the line of a value, or of the innermost that there is around it; 0 where nothing is known."""
    for end in range(len(path), -1, -1):
        if path[:end] in lines:
            return lines[path[:end]]
    return 0


def _walk(text: str) -> Iterator[tuple[Path, int]]:
    # The last part is None where a key of an object comes next.
    path: list[str | int | None] = []
    line, before = 1, 0
    for token in TOKEN.finditer(text):
        line += text.count("\n", before, token.start())
        before, sign = token.start(), token.group()
        if sign in ("}", "]"):
            path.pop()
        elif sign == ",":
            path[-1] = path[-1] + 1 if isinstance(path[-1], int) else None
        elif path and path[-1] is None:
            path[-1] = str(json.loads(sign))
        elif sign != ":":
            yield tuple(part for part in path if part is not None), line
            if sign in FIRST:
                path.append(FIRST[sign])


# YAML as plain values: no tags, no objects, limited depth and limited growth through aliases.

MOST_DEPTH = 100
MOST_NODES = 300_000
WHOLE_NUMBER = re.compile(r"[-+]?[0-9]{1,18}")
TRUTH = {"true": True, "false": False}
YAML_AROUND = ("StreamStartEvent", "StreamEndEvent", "DocumentStartEvent", "DocumentEndEvent")
YAML_ENDS = ("SequenceEndEvent", "MappingEndEvent")
YAML_NOTHING = ("", "~", "null")
YAML_MEND = "Save the document again, as JSON if that fails."


def read_yaml(file: ExportFile) -> Any:  # noqa: ANN401 - YAML is anything
    """Return the one value in the file: dicts with texts as keys, lists, texts, whole numbers, truth, None.

    Everything else, such as fractions and dates, stays the text that it is in the file. Raises BadInput
    where the file is not YAML, has several documents, is nested too deep, or would grow through its
    aliases beyond what an export can be.
    """
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        documents = list(_YamlReader(file, yaml.parse(file.text, Loader=loader)).documents())
    except yaml.YAMLError as error:
        line = getattr(getattr(error, "problem_mark", None), "line", -1) + 1
        reason = str(getattr(error, "problem", None) or getattr(error, "reason", None) or "unreadable")
        raise file.refused(f"is not YAML: {reason}.", YAML_MEND, line) from None
    if len(documents) != 1:
        raise file.refused(f"has {len(documents)} YAML documents where one was expected.", YAML_MEND)
    return documents[0]


# A value, how many values it has with its aliases, and how deep it goes.
YamlValue = tuple[Any, int, int]


class _YamlReader:
    """Values read event by event, none deeper and none with more in it than an export can be."""

    def __init__(self, file: ExportFile, events: Iterator[Any]) -> None:
        self._file, self._events = file, events
        self._anchors: dict[str, YamlValue] = {}

    def documents(self) -> Iterator[Any]:
        """Yield the value of each document."""
        for event in self._events:
            if type(event).__name__ not in YAML_AROUND:
                yield self._value(event, 1, is_key=False)[0]

    def _value(self, event: Any, depth: int, *, is_key: bool) -> YamlValue:  # noqa: ANN401 - of a library's class
        """Return the value that begins with an event; a key is a text whatever it looks like."""
        kind, value = type(event).__name__, self._anchors.get(event.anchor)
        if kind == "AliasEvent":
            if value is None:
                message = "has an alias of something that is not there, or of what it is part of."
                raise self._refused(event, message)
            return value
        if kind == "ScalarEvent":
            written = str(event.value)
            value = written if is_key or not event.implicit[0] else _plain(written), 1, 1
        else:
            value = self._collection(event, depth, is_object=kind == "MappingStartEvent")
        if event.anchor is not None:
            self._anchors[event.anchor] = value
        return value

    def _collection(self, start: Any, depth: int, *, is_object: bool) -> YamlValue:  # noqa: ANN401 - as above
        """Return the list or object that begins with an event."""
        items: list[Any] = []
        nodes = height = 1
        self._require(depth, MOST_DEPTH, start, "nested too deep")
        while type(event := next(self._events)).__name__ not in YAML_ENDS:
            is_key = is_object and len(items) % 2 == 0
            value, more, deep = self._value(event, depth + 1, is_key=is_key)
            nodes, height = nodes + more, max(height, deep + 1)
            self._require(nodes, MOST_NODES, event, "of too many values, with its aliases,")
            self._require(height, MOST_DEPTH, event, "nested too deep")
            if is_key and isinstance(value, dict | list):
                raise self._refused(event, "has a list or an object where a name was expected.")
            items.append(str(value) if is_key else value)
        return dict(zip(items[::2], items[1::2], strict=True)) if is_object else items, nodes, height

    def _require(self, count: int, most: int, event: Any, what: str) -> None:  # noqa: ANN401 - as above
        if count > most:
            raise self._refused(event, f"is {what} to be an export.")

    def _refused(self, event: Any, message: str) -> BadInput:  # noqa: ANN401 - as above
        return self._file.refused(message, YAML_MEND, event.start_mark.line + 1)


def _plain(written: str) -> object:
    """Return what a scalar without quotes means, the text itself unless that is certain."""
    if WHOLE_NUMBER.fullmatch(written):
        return int(written)
    return None if written in YAML_NOTHING else TRUTH.get(written, written)
