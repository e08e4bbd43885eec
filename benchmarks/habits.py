"""How often the first screen names a habit of marking, and whose, in campaigns of known habits; and in noise.

`python -m benchmarks habits [--replications N]` prints the table of docs/uncertainty.md.
"""

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import reportgen
from reportgen.results import Finding, Results

SEED = 31
REPLICATIONS = 40
PEOPLE = (2, 3, 4)
DOCUMENTS, ENTITIES = 16, 10
TYPES = ("PER", "ORG", "LOC")
WORD = "word "
# What everybody does now and then: to overlook a mark, take another type, or another end; to join a list.
SLIPS = {"omits": 0.05, "retypes": 0.04, "right": 0.04, "left": 0.04, "joins": 0.1}
OFTEN = 0.5
CAMPAIGN = 'title = "Made up"\n[privacy]\nannotators = "names"\n'
VERSION = '[[guidelines]]\nversion = "1"\nexports = "exports"\n'

Random = np.random.Generator
# A mark in words: type, first word, word behind the last. An entity is one mark, or a list of several.
Mark = tuple[str, int, int]
Entity = Sequence[Mark]
Habit = Callable[[Entity, Random], Entity]


@dataclass(frozen=True)
class Design:
    """A campaign: what the last annotator does, and which finding is due."""

    title: str
    habit: Habit | None = None
    due: str = ""


def joining(entity: Entity, _: Random) -> Entity:
    """Return a list as one mark."""
    return [(entity[0][0], entity[0][1], entity[-1][2])]


def longer(left: int, right: int) -> Habit:
    """Return the habit of marking so many words more."""
    return lambda entity, _: [(kind, start - left, end + right) for kind, start, end in entity]


def omitting(_: Entity, __: Random) -> Entity:
    """Return nothing."""
    return []


def retyping(entity: Entity, _: Random) -> Entity:
    """Return what is ORG as PER."""
    return [("PER" if kind == "ORG" else kind, start, end) for kind, start, end in entity]


NOISE = Design("nobody has a habit")
DESIGNS = (
    Design("one ends later", longer(0, 1), "later-ends"),
    Design("one begins earlier", longer(1, 0), "earlier-begins"),
    Design("one leaves out", omitting, "more-marks"),
    Design("one chooses another type", retyping, "other-type"),
    NOISE,
)


def entities(random: Random) -> Iterator[Entity]:
    """Yield what there is to mark in a document: names of one or two words, and lists of three."""
    place = 2
    for _ in range(ENTITIES):
        kind, several = str(random.choice(TYPES)), random.random() < 1 / 3
        size = int(random.integers(1, 3))
        # Between the members of a list is a comma.
        yield (
            [(kind, start, start + 1) for start in (place, place + 2, place + 4)]
            if several
            else [(kind, place, place + size)]
        )
        place += 9


def marked(entity: Entity, habit: Habit | None, random: Random) -> Entity:
    """Return what somebody makes of an entity: a habit half of the time, and slips."""
    if habit and random.random() < OFTEN:
        entity = habit(entity, random)
    slip = str(random.choice([*SLIPS, ""], p=[*SLIPS.values(), 1 - sum(SLIPS.values())]))
    other = str(random.choice(TYPES))
    if slip == "omits" or not entity:
        return []
    if slip == "joins":
        return joining(entity, random)
    if slip == "retypes":
        return [(other, start, end) for _, start, end in entity]
    return longer(int(slip == "left"), int(slip == "right"))(entity, random)


def files(design: Design, people: int, random: Random) -> dict[str, str]:
    """Return the brat files of a campaign, a folder for each annotator."""
    text = WORD * (9 * ENTITIES + 5)
    found: dict[str, str] = {}
    for document in range(DOCUMENTS):
        real = list(entities(random))
        for who in range(people):
            own = design.habit if who == people - 1 else None
            marks = {mark for entity in real for mark in marked(entity, own, random)}
            path = f"exports/p{who + 1}/d{document:02}"
            found[f"{path}.txt"] = text
            found[f"{path}.ann"] = "".join(
                _line(number, mark, text) for number, mark in enumerate(sorted(marks, key=_place), 1)
            )
    return found


def _place(mark: Mark) -> tuple[int, int, str]:
    return mark[1], mark[2], mark[0]


def _line(number: int, mark: Mark, text: str) -> str:
    kind, start, end = mark
    first, last = start * len(WORD), end * len(WORD) - 1
    return f"T{number}\t{kind} {first} {last}\t{text[first:last]}\n"


def results_of(design: Design, people: int, random: Random, folder: Path) -> Results:
    """Return the results of a made campaign."""
    toml = CAMPAIGN + VERSION
    (folder / "campaign.toml").write_text(toml, encoding="utf-8")
    for name, text in files(design, people, random).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return reportgen.load(folder).newest


def judged(design: Design, people: int, number: int) -> tuple[bool, bool]:
    """Return whether what is due is said, of the right person, and whether anything false is."""
    with tempfile.TemporaryDirectory() as folder:
        random = np.random.default_rng([SEED, DESIGNS.index(design), people, number])
        results = results_of(design, people, random, Path(folder))
    said = [finding for finding in results.findings if finding.habit]
    right = any(finding.id == design.due and _person(finding) in _right(people) for finding in said)
    false = [finding for finding in said if _person(finding) not in {None, *_right(people)}]
    return right, bool(false if design.habit else said)


def _person(finding: Finding) -> str | None:
    """Return whom a finding names, None where it is nobody."""
    person = finding.values.get("names_list", finding.values.get("annotator"))
    if person is None:
        return None
    return " ".join(map(str, person)) if isinstance(person, tuple) else str(person)


def _right(people: int) -> set[str | None]:
    """Return who may be named: the last annotator; of two either, or both together."""
    return {f"p{people}"} if people > min(PEOPLE) else {"p1", "p2", None}


def run(replications: int) -> str:
    """Return the table: how often the habit is said of its person, and how often something false."""
    head = [f"{people} annotators: {what}" for people in PEOPLE for what in ("named", "false")]
    lines = [f"| campaign | {' | '.join(head)} |", f"|---|{'---|' * len(head)}"]
    for design in DESIGNS:
        shares: list[str] = []
        for people in PEOPLE:
            times = Counter[str]()
            for number in range(replications):
                right, false = judged(design, people, number)
                times.update(named=right, false=false)
            due = f"{times['named'] / replications:.0%}" if design.due else "–"
            shares += [due, f"{times['false'] / replications:.0%}"]
        lines.append(f"| {design.title} | {' | '.join(shares)} |")
    return "\n".join(lines)
