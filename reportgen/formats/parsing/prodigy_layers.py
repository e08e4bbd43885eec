"""Which answers in Prodigy are to one and the same task: of one data set, with the same options."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

LONGEST = 60


@dataclass(frozen=True)
class Question:
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


def layer_names(questions: Sequence[Question]) -> list[str]:
    """Return the layer of each question: its kind, where only one task of that kind is there.

    Data sets are layers where the same document stands in several of them, unless each is one annotator's
    own. So are the options, or views, of a data set that asks of one document with several. What is never
    asked of the same document is asked in turn, and is one task.
    """
    names: dict[Question, str] = {}
    for asked in _grouped(questions, lambda each: each.kind).values():
        names |= _of_kind(asked)
    kinds: dict[str, set[str]] = {each.kind: {each.kind} for each in names}
    for each, name in names.items():
        kinds.setdefault(name, set()).add(each.kind)
    own = {each: name if len(kinds[name]) == 1 else f"{name} {each.kind}" for each, name in names.items()}
    return [own[each] for each in questions]


def documents_named(questions: Sequence[Question], layers: Sequence[str]) -> list[str]:
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


def _of_kind(questions: Sequence[Question]) -> Mapping[Question, str]:
    """Return the layer of each question of one kind."""
    people = {
        name: frozenset(each.annotator for each in asked)
        for name, asked in _grouped(questions, lambda each: each.data_set).items()
    }
    shared = _sharing(questions, lambda each: each.data_set)
    apart = any(_are_several_tasks([people[name] for name in each]) for each in shared)
    sets = _grouped(questions, lambda each: each.data_set) if apart else {questions[0].kind: questions}
    names: dict[Question, str] = {}
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


def _grouped(questions: Iterable[Question], key: Callable[[Question], str]) -> dict[str, list[Question]]:
    groups: dict[str, list[Question]] = {}
    for each in questions:
        groups.setdefault(key(each), []).append(each)
    return groups


def _sharing(questions: Iterable[Question], key: Callable[[Question], str]) -> set[frozenset[str]]:
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
