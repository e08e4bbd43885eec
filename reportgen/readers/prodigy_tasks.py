"""Which answers in Prodigy are to one and the same task: of one data set, with the same options."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from os.path import commonprefix
from typing import Any

from reportgen.readers.json_records import Record

LONGEST = 60


@dataclass(frozen=True)
class ProdigyTask:
    """What somebody was asked of a document.

    `kind` is what answers consist of: stretches, a choice, or yes and no. `variant` says how the question is
    put: with which options, or in which view; `order` in which order these stood. `shown` are stretches
    that it is about; `task` is what Prodigy tells questions apart by.
    """

    kind: str
    data_set: str
    variant: str
    document: str
    annotator: str
    order: str = ""
    shown: str = ""
    task: str = ""


def layer_names(questions: Sequence[ProdigyTask]) -> list[str]:
    """Return the layer of each question: its kind, where only one task of that kind is there.

    Data sets are layers where the same document stands in several of them, unless each is one annotator's
    own. So are the options, or views, of a data set that asks of one document with several. What is never
    asked of the same document is asked in turn, and is one task.
    """
    names: dict[ProdigyTask, str] = {}
    for asked in _grouped(questions, lambda each: each.kind).values():
        names |= _of_kind(asked)
    kinds: dict[str, set[str]] = {each.kind: {each.kind} for each in names}
    for each, name in names.items():
        kinds.setdefault(name, set()).add(each.kind)
    own = {each: name if len(kinds[name]) == 1 else f"{name} {each.kind}" for each, name in names.items()}
    return [own[each] for each in questions]


def documents_named(questions: Sequence[ProdigyTask], layers: Sequence[str]) -> list[str]:
    """Return what the document of each question is called: by what is asked, where several things are.

    That is where an annotator was asked of the same document about several stretches, or was asked several
    things that differ in nothing that we know.
    """
    shown, tasks = _Several(), _Several()
    for each, layer in zip(questions, layers, strict=True):
        shown.add(layer, (each.document, each.annotator), each.shown)
        tasks.add(layer, (each.document, each.annotator, each.shown, each.order), each.task)
    return [
        " ".join(
            (
                each.document,
                *([each.shown] if layer in shown.layers and each.shown else []),
                *([each.task] if layer in tasks.layers and each.task else []),
            )
        )
        for each, layer in zip(questions, layers, strict=True)
    ]


class _Several:
    """The layers in which something that should be one thing is several."""

    def __init__(self) -> None:
        self.layers: set[str] = set()
        self._first: dict[tuple[str, tuple[str, ...]], str] = {}

    def add(self, layer: str, key: tuple[str, ...], value: str) -> None:
        if self._first.setdefault((layer, key), value) != value:
            self.layers.add(layer)


def _of_kind(questions: Sequence[ProdigyTask]) -> Mapping[ProdigyTask, str]:
    """Return the layer of each question of one kind."""
    people = {
        name: frozenset(each.annotator for each in asked)
        for name, asked in _grouped(questions, lambda each: each.data_set).items()
    }
    shared = _sharing(questions, lambda each: each.data_set)
    apart = any(_are_several_tasks([people[name] for name in each]) for each in shared)
    sets = _grouped(questions, lambda each: each.data_set) if apart else {questions[0].kind: questions}
    names: dict[ProdigyTask, str] = {}
    for data_set, own in sets.items():
        several = bool(_sharing(own, lambda each: each.variant))
        shorter = _shortened(dict.fromkeys(each.variant for each in own)) if several else {}
        names |= {
            each: f"{data_set}: {shorter[each.variant]}" if shorter.get(each.variant) else data_set
            for each in own
        }
    return names


def _are_several_tasks(people: Sequence[frozenset[str]]) -> bool:
    """Say whether data sets of the same document differ in their task: each one's own do not."""
    return any(len(each) > 1 for each in people) or len(frozenset().union(*people)) < len(people)


def _grouped(
    questions: Iterable[ProdigyTask], key: Callable[[ProdigyTask], str]
) -> dict[str, list[ProdigyTask]]:
    groups: dict[str, list[ProdigyTask]] = {}
    for each in questions:
        groups.setdefault(key(each), []).append(each)
    return groups


def _sharing(questions: Iterable[ProdigyTask], key: Callable[[ProdigyTask], str]) -> set[frozenset[str]]:
    """Return the groups that have a document in common, as often as they do."""
    groups: dict[str, set[str]] = {}
    for each in questions:
        groups.setdefault(each.document, set()).add(key(each))
    return {frozenset(found) for found in groups.values() if len(found) > 1}


def _shortened(variants: Iterable[str]) -> dict[str, str]:
    """Return a short name for each, no two the same."""
    names: dict[str, str] = {}
    for number, variant in enumerate(variants, 1):
        short = variant if len(variant) <= LONGEST else f"{variant[:LONGEST]}… ({number})"
        names[variant] = short
    return names


# Who answered in Prodigy, in which data set: the data set's name stands before that of the session.

WHO = ("_annotator_id", "_session_id")
# A session without a name is called by when it started.
STARTED = re.compile(r"\d{4}-\d\d-\d\d[_T ]\d\d[-:]\d\d[-:]\d\d")


@dataclass(frozen=True)
class SessionNames:
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
