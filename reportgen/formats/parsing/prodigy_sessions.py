"""Who answered in Prodigy, in which data set: the data set's name stands before that of the session."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
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
    prefixes: tuple[str, ...]

    def annotator(self, value: Mapping[str, Any]) -> str:
        """Return who answered."""
        session = _session(value)
        name = session.removeprefix(self._prefix(session))
        return self.stem if not name or STARTED.fullmatch(name) else name

    def data_set(self, value: Mapping[str, Any]) -> str:
        """Return the data set that the answer is from: as its session says, else as the file is called."""
        return self._prefix(_session(value)).removesuffix("-") or self.stem

    def _prefix(self, session: str) -> str:
        return next((each for each in self.prefixes if session.startswith(each)), "")


def _session(value: object) -> str:
    """Return the name of the session, empty where it has none but the time when it started."""
    given = [value.get(key) for key in WHO] if isinstance(value, dict) else []
    name = next((each for each in given if isinstance(each, str) and each), "")
    return "" if STARTED.fullmatch(name) else name


def sessions_of(records: Sequence[Record]) -> list[str]:
    """Return the names of all sessions, in the order of first occurrence."""
    return list(dict.fromkeys(filter(None, (_session(record.value) for record in records))))


def prefixes(sessions: Sequence[Sequence[str]], stems: Sequence[str]) -> list[tuple[str, ...]]:
    """Return for each file the data sets' names that stand before its annotators' names.

    There is one where all of the file's names have it in common, up to a hyphen; where the file has one
    annotator, where all files' names do. Otherwise it is the name of the file, if all names start with it, or
    there are several data sets in which the same people answered.
    """
    every = list(dict.fromkeys(name for of_file in sessions for name in of_file))
    return [_prefixes(of_file, every, f"{stem}-") for of_file, stem in zip(sessions, stems, strict=True)]


def _prefixes(of_file: Sequence[str], every: Sequence[str], own: str) -> tuple[str, ...]:
    if shared := _shared(of_file if len(of_file) > 1 else every):
        return (shared,)
    if of_file and all(name.startswith(own) for name in of_file):
        return (own,)
    return _several(of_file)


def _shared(names: Sequence[str]) -> str:
    shared = commonprefix(list(names)) if len(names) > 1 else ""  # noqa: RUF071 - letters are meant
    return shared[: shared.rfind("-") + 1]


def _several(names: Sequence[str]) -> tuple[str, ...]:
    """Return the data sets of a file with several: what a hyphen divides from the same names each time."""
    if not all("-" in name for name in names):
        return ()
    split = sorted(name.rpartition("-")[::2] for name in names)
    people = {before: [who for _, who in found] for before, found in groupby(split, lambda each: each[0])}
    same = len({tuple(each) for each in people.values()}) == 1
    crossed = same and len(people) > 1 and len(names) > len(people)
    return tuple(f"{each}-" for each in sorted(people, key=len, reverse=True)) if crossed else ()
