"""YAML as plain values: no tags, no objects, limited depth and limited growth through aliases."""

import re
from dataclasses import dataclass
from typing import Any

from reportgen.errors import BadInput, Problem
from reportgen.formats.reader import ExportFile

MOST_DEPTH = 100
MOST_NODES = 300_000
WHOLE_NUMBER = re.compile(r"[-+]?[0-9]{1,18}")
TRUTH = {"true": True, "false": False}
OPENERS = ("SequenceStartEvent", "MappingStartEvent")
CLOSERS = ("SequenceEndEvent", "MappingEndEvent")
NOTHING = ("", "~", "null")
MEND = "Save the document again, as JSON if that fails."


def read_yaml(file: ExportFile) -> Any:  # noqa: ANN401 - YAML is anything
    """Return the one value in the file: dicts with texts as keys, lists, texts, whole numbers, truth, None.

    Everything else, such as fractions and dates, stays the text that it is in the file. Raises BadInput
    where the file is not YAML, holds several documents, is nested too deep, or would grow through its
    aliases beyond what an export can be.
    """
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    builder = _Builder(file)
    try:
        for event in yaml.parse(file.text, Loader=loader):
            builder.take(event)
    except yaml.YAMLError as error:
        line = getattr(getattr(error, "problem_mark", None), "line", -1) + 1
        reason = str(getattr(error, "problem", None) or getattr(error, "reason", None) or "unreadable")
        message = f"is not YAML: {reason}."
        raise BadInput([Problem(file.name, line, message=message, mend=MEND)]) from None
    return builder.value()


@dataclass
class _Open:
    """A list or an object that is being read, how much it holds so far with aliases, and how deep it goes."""

    value: dict[str, Any] | list[Any]
    anchor: str | None
    key: str | None = None
    nodes: int = 1
    height: int = 1


class _Builder:
    """Values put together event by event, which needs no recursion."""

    def __init__(self, file: ExportFile) -> None:
        self._file = file
        self._documents: list[Any] = []
        self._open: list[_Open] = []
        self._anchors: dict[str, tuple[Any, int, int]] = {}

    def value(self) -> Any:  # noqa: ANN401 - YAML is anything
        """Return the one document."""
        if len(self._documents) != 1:
            raise self._refused(0, f"holds {len(self._documents)} YAML documents where one was expected.")
        return self._documents[0]

    def take(self, event: Any) -> None:  # noqa: ANN401 - of one of the classes of a library
        """Take the next event."""
        kind, line = type(event).__name__, event.start_mark.line + 1
        anchor = getattr(event, "anchor", None)
        if kind in OPENERS:
            self._open.append(_Open([] if kind == "SequenceStartEvent" else {}, anchor))
            self._require(len(self._open), MOST_DEPTH, line, "nested too deep")
        elif kind in CLOSERS:
            closed = self._open.pop()
            self._put(closed.value, closed.anchor, closed.nodes, closed.height, line)
        elif kind == "ScalarEvent":
            plain = event.implicit[0]
            written = str(event.value)
            self._put(written if self._wants_key() or not plain else _plain(written), anchor, 1, 1, line)
        elif kind == "AliasEvent":
            if anchor not in self._anchors:
                raise self._refused(
                    line, "has an alias of something that is not there, or of what it is part of."
                )
            value, nodes, height = self._anchors[anchor]
            self._put(value, None, nodes, height, line)

    def _wants_key(self) -> bool:
        return bool(self._open) and isinstance(self._open[-1].value, dict) and self._open[-1].key is None

    def _put(self, value: object, anchor: str | None, nodes: int, height: int, line: int) -> None:
        """Put a value where it belongs: into the innermost list or object, as its key, or on top."""
        if anchor is not None:
            self._anchors[anchor] = value, nodes, height
        if not self._open:
            self._documents.append(value)
            return
        around = self._open[-1]
        around.nodes += nodes
        around.height = max(around.height, height + 1)
        self._require(around.nodes, MOST_NODES, line, "of too many values, with its aliases,")
        self._require(around.height, MOST_DEPTH, line, "nested too deep")
        if isinstance(around.value, list):
            around.value.append(value)
        elif around.key is not None:
            around.value[around.key] = value
            around.key = None
        elif isinstance(value, dict | list):
            raise self._refused(line, "has a list or an object where a name was expected.")
        else:
            around.key = str(value)

    def _require(self, found: int, most: int, line: int, what: str) -> None:
        if found > most:
            raise self._refused(line, f"is {what} to be an export.")

    def _refused(self, line: int, message: str) -> BadInput:
        return BadInput([Problem(self._file.name, line, message=message, mend=MEND)])


def _plain(written: str) -> object:
    """Return what a scalar without quotes means, the text itself unless that is certain."""
    if WHOLE_NUMBER.fullmatch(written):
        return int(written)
    return None if written in NOTHING else TRUTH.get(written, written)
