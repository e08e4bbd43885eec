"""Who answered in Prodigy: names of sessions, without the name of the data set in front of them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os.path import commonprefix
from typing import Any

from reportgen.formats.records import Record

WHO = ("_annotator_id", "_session_id")
# A session without a name is called by when it started.
STARTED = re.compile(r"\d{4}-\d\d-\d\d[_T ]\d\d[-:]\d\d[-:]\d\d")


@dataclass(frozen=True)
class Names:
    """How annotators of a file are called: the file's own name, and what stands before theirs."""

    stem: str
    prefix: str

    def annotator(self, value: Mapping[str, Any]) -> str:
        """Return who answered."""
        name = _session(value).removeprefix(self.prefix)
        return self.stem if not name or STARTED.fullmatch(name) else name


def _session(value: object) -> str:
    """Return the name of the session, empty where it has none but the time when it started."""
    given = [value.get(key) for key in WHO] if isinstance(value, dict) else []
    name = next((each for each in given if isinstance(each, str) and each), "")
    return "" if STARTED.fullmatch(name) else name


def sessions_of(records: Sequence[Record]) -> list[str]:
    """Return the names of all sessions, in the order of first occurrence."""
    return list(dict.fromkeys(filter(None, (_session(record.value) for record in records))))


def prefixes(sessions: Sequence[Sequence[str]]) -> list[str]:
    """Return for each file the data set's name that stands before its annotators' names.

    It is what all of the file's have in common, up to a hyphen; where the file has one annotator,
    what all files' have.
    """
    every = list(dict.fromkeys(name for of_file in sessions for name in of_file))
    return [_shared(of_file if len(of_file) > 1 else every) for of_file in sessions]


def _shared(names: Sequence[str]) -> str:
    shared = commonprefix(list(names)) if len(names) > 1 else ""  # noqa: RUF071 - letters are meant
    return shared[: shared.rfind("-") + 1]
