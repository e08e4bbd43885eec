"""Marks in texts, made up at random with known slips, and the units that follow from them."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from tests.campaigns import marked
from tests.truth.made import VERSION, Kind, Labels, Layer, Made, unlike

UNMARKED = "(unmarked)"
SLIPS = ("longer", "type", "omission")
WORD = 5
# A mark: label, start, end.
Mark = tuple[str, int, int]
Marks = Mapping[str, Mapping[str, Sequence[Mark]]]


@dataclass(frozen=True)
class Marking:
    """What marks in texts are like: how many documents, and which slips are how frequent."""

    annotators: int = 2
    documents: int = 8
    words: int = 40
    types: int = 2
    slips: Mapping[str, float] = field(default_factory=dict)
    # What the last annotator alone does: "longer" marks all one word further, "fewer" leaves half out, "type"
    # takes the second type for the first half of the time.
    habit: str = ""
    primary: str = "tokens"
    declared: int = 0

    @property
    def name(self) -> str:
        """Return a name for the kind that a test can carry."""
        return unlike(self, Marking()) or "plain marks"


def markings() -> Iterator[Marking]:
    """Yield every kind of marks in texts."""
    for people, documents, often in product((2, 3, 5), (1, 8, 24), (0.0, 0.1, 0.5)):
        every = Marking(people, documents, slips=dict.fromkeys(SLIPS, often / 2))
        yield every
        yield replace(every, primary="annotated-by-any")
        yield replace(every, types=1)
        yield replace(every, types=3, words=20)
        for slip in SLIPS:
            yield replace(every, slips={slip: often})
    for people, habit in product((2, 3, 5), ("longer", "fewer", "type")):
        for documents in (6, 20):
            yield Marking(people, documents, slips=dict.fromkeys(SLIPS, 0.05), habit=habit)
    for people, size in product((2, 3), (200, 1000)):
        yield Marking(people, declared=size, slips=dict.fromkeys(SLIPS, 0.1))


def made_marks(kind: Marking, seed: int) -> Made:
    """Return a campaign of marks in texts, a folder of brat files for each annotator."""
    chance = random.Random(f"{kind.name} {seed}")  # noqa: S311 - made-up marks
    people = [f"p{number}" for number in range(kind.annotators)]
    documents = [f"d{number:02}" for number in range(kind.documents)]
    texts = {name: " ".join(["word"] * kind.words) + "\n" for name in documents}
    real = {name: list(_real(kind, chance)) for name in documents}
    marks = {
        who: {name: list(_copied(kind, real[name], chance, last=who == people[-1])) for name in documents}
        for who in people
    }
    sets = dict(_unit_sets(kind, marks))
    files = {f"exports/1.0/{name}": text for name, text in marked(texts, marks).items()}
    primary = "declared" if kind.declared else kind.primary
    as_table = Kind(annotators=kind.annotators, documents=kind.documents, categories=kind.types + 1)
    layer = Layer("main", as_table, (), sets[primary], others=sets, marks=marks)
    return Made(kind.name, _toml(kind, sets, primary), files, {"main": layer})


def _real(kind: Marking, chance: random.Random) -> Iterator[tuple[str, int, int]]:
    """Yield marks in words: type, first word, word behind the last; no two touch."""
    place = chance.randrange(3)
    while place + 3 < kind.words:
        length = chance.choice((1, 1, 2))
        yield f"T{chance.randrange(kind.types)}", place, place + length
        place += length + 2 + chance.randrange(4)


def _copied(
    kind: Marking, real: Sequence[tuple[str, int, int]], chance: random.Random, *, last: bool
) -> Iterator[Mark]:
    """Yield the marks that an annotator makes of the real ones, in characters."""
    for label, start, end in real:
        slip = next((name for name, often in kind.slips.items() if chance.random() < often), None)
        if slip == "omission" or (last and kind.habit == "fewer" and chance.random() < 1 / 2):
            continue
        longer = slip == "longer" or (last and kind.habit == "longer")
        exchanges = last and kind.habit == "type" and label == "T0" and chance.random() < 1 / 2
        name = f"T{(int(label[1:]) + 1) % kind.types}" if slip == "type" or exchanges else label
        yield name, start * WORD, (end + longer) * WORD - 1


def _unit_sets(kind: Marking, marks: Marks) -> Iterator[tuple[str, tuple[tuple[str, Labels], ...]]]:
    """Yield the units of each unit set: tokens, stretches that somebody or all marked, a declared size."""
    documents = next(iter(marks.values()))
    tokens, stretches = [], []
    for name in documents:
        by_person = {who: found[name] for who, found in marks.items()}
        tokens += [
            (name, {who: _at(own, place) for who, own in by_person.items()})
            for place in range(0, kind.words * WORD, WORD)
        ]
        stretches += [
            (name, {who: _on(own, start, end) for who, own in by_person.items()})
            for start, end in sorted({mark[1:] for own in by_person.values() for mark in own})
        ]
    yield "tokens", tuple(tokens)
    yield "annotated-by-any", tuple(stretches)
    yield "annotated-by-all", tuple(each for each in stretches if UNMARKED not in each[1].values())
    if kind.declared:
        empty = [("", dict.fromkeys(marks, UNMARKED))] * (kind.declared - len(stretches))
        yield "declared", (*stretches, *empty)


def _at(marks: Sequence[Mark], place: int) -> str:
    return next((label for label, start, end in marks if start <= place < end), UNMARKED)


def _on(marks: Sequence[Mark], start: int, end: int) -> str:
    return next((label for label, *ends in marks if ends == [start, end]), UNMARKED)


def _toml(kind: Marking, sets: Mapping[str, object], primary: str) -> str:
    lines = ['title = "Marks"\n[privacy]\nannotators = "names"\n[task]\nnon_annotated = "(unmarked)"']
    for name in sets:
        size = f"\nsize = {kind.declared}" if name == "declared" else ""
        is_primary = str(name == primary).lower()
        lines.append(f'[[unit_sets]]\nid = "{name}"\nunits = "{name}"{size}\nprimary = {is_primary}')
    return "\n".join([*lines, VERSION])


def cases(marks: Marks) -> Counter[tuple[str, frozenset[str]]]:
    """Return how many disagreements about marks there are, of each kind and types, over pairs of annotators.

    No two marks of one annotator overlap, and those of two overlap one for one, so that nothing is open.
    """
    found: Counter[tuple[str, frozenset[str]]] = Counter()
    for one, other, _ in meetings(marks):
        if one is None or other is None:
            found["omission", frozenset((one or other or ("",))[:1])] += 1
        elif one != other:
            same = one[1:] == other[1:], one[0] == other[0]
            kind = {(False, True): "boundary", (True, False): "type", (False, False): "both"}[same]
            found[kind, frozenset((one[0], other[0]))] += 1
    return found


def meetings(marks: Marks) -> Iterator[tuple[Mark | None, Mark | None, tuple[str, str]]]:
    """Yield marks of every two annotators that overlap, and those that overlap none."""
    people = sorted(marks)
    for first, second in ((a, b) for a in people for b in people if a < b):
        for name, own in marks[first].items():
            rest = list(marks[second][name])
            for mark in own:
                met = next((each for each in rest if each[1] < mark[2] and mark[1] < each[2]), None)
                if met is not None:
                    rest.remove(met)
                yield mark, met, (first, second)
            for each in rest:
                yield None, each, (first, second)
