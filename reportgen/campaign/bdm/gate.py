"""Scores that GATE's plugin "Ontology: BDM computation" wrote: a line for every two concepts.

The first line says which ontology it was, and each other line is, in this order,
`key=Service, response=Object, bdm=0.6617647, msca=Object, cp=1, dpk=1, dpr=0, n0=2.0, n1=2.0, n2=2.8333333,
bran=1.9565217` (GATE user guide, 10.6). GATE gives two concepts one line, in either order. Key, response, bdm
must be there, the others may be missing. Concepts without a common abstraction have cp=-1 and the score 0.
"""

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import combinations, islice
from typing import Any

from reportgen.campaign.bdm.closeness import Origin, Score
from reportgen.campaign.table import read_number
from reportgen.campaign.wording import alternatives, printable, quoted
from reportgen.errors import BadInput, Problem

FORM = "GATE BDM scores"
LINE = re.compile(
    r"key=(?>(?P<key>.*?), response=)(?>(?P<response>.*?), bdm=)(?P<bdm>[^,]*+)(?P<others>, .*)?"
)
OTHERS = re.compile(r", (?=(?:msca|cp|dpk|dpr|n0|n1|n2|bran)=)")
WHOLE = ("cp", "dpk", "dpr")
# A line that GATE writes above the scores, and a second one that somebody may have added.
HEAD = 2
# As many partners are named of a concept that lacks some.
NAMED = 5

Pair = tuple[str, str]


def is_scores(text: str) -> bool:
    """Say whether a text is a file of BDM scores: one of its first lines begins as all of them do."""
    filled = (line.strip() for line in text.splitlines() if line.strip())
    return any(line.startswith(("key=", "##")) for line in islice(filled, HEAD))


@dataclass(frozen=True, eq=False)
class GateScores:
    """The scores of a file, by key and response; `concepts` in the order in which they first occur."""

    concepts: tuple[str, ...]
    scores: Mapping[Pair, Score]

    @property
    def origin(self) -> Origin:
        """Return where the scores come from."""
        chains = [score.n0 for score in self.scores.values() if score.n0 is not None]
        chain = chains[0] if chains else None
        return Origin("scores", FORM, len(self.concepts), chain=chain, names=self.concepts)

    def known(self, names: Collection[str]) -> tuple[str, ...]:
        """Return those names, in their order, that are concepts."""
        return tuple(name for name in names if name in self._names)

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(self.concepts)

    def between(self, names: Sequence[str]) -> tuple[Score, ...]:
        """Return the score of every two different concepts, as the file has it."""
        pairs = combinations(names, 2)
        return tuple(self.scores[pair if pair in self.scores else pair[::-1]] for pair in pairs)


@lru_cache(maxsize=4)
def read_scores(text: str, name: str) -> GateScores:
    """Return the scores in the text of a file, which errors call `name`; several versions may share it.

    Raises BadInput with everything that is wrong, each with its line: a line that is none, a score that is no
    number from 0 to 1, a concept that is not equal to itself, two scores for a pair, pairs without a score,
    no score at all.
    """
    draft = _Draft(name, text)
    problems = list(draft.problems())
    if problems:
        raise BadInput(problems)
    return GateScores(draft.concepts, {pair: score for pair, (_, score) in draft.scores.items()})


@dataclass(eq=False)
class _Draft:
    """A file of scores that may still be wrong."""

    file: str
    text: str
    scores: dict[Pair, tuple[int, Score]] = field(default_factory=dict)
    spoilt: set[Pair] = field(default_factory=set)

    @property
    def concepts(self) -> tuple[str, ...]:
        """Return the concepts in the order in which they first occur with a score."""
        return tuple(dict.fromkeys(name for pair in self.scores for name in pair))

    def problems(self) -> Iterator[Problem]:
        for line, text in self._lines():
            yield from self._take(line, text)
        if self.scores:
            yield from self._missing()
        elif not self.spoilt:
            mend = "Let GATE write it again, or take it out of campaign.toml."
            yield Problem(self.file, message="holds no score.", mend=mend)

    def _lines(self) -> Iterator[tuple[int, str]]:
        """Yield each line of scores with its number; the first line may be about the ontology."""
        lines = [(line, text.strip()) for line, text in enumerate(self.text.split("\n"), 1)]
        filled = [(line, text) for line, text in lines if text]
        about = bool(filled) and not filled[0][1].startswith("key=")
        yield from filled[1:] if about else filled

    def _take(self, line: int, text: str) -> Iterator[Problem]:
        found = LINE.fullmatch(text)
        if found is None or not found["key"] or not found["response"]:
            message = f"is {quoted(text)}; a line of scores was expected."
            yield Problem(self.file, line, "", message, "Write key=…, response=…, bdm=… on it.")
            return
        pair = found["key"], found["response"]
        wrong, others = _parameters(found["others"] or "")
        wrong = [*_wrong_score(pair, found["bdm"]), *wrong]
        yield from (self._problem(line, pair, *each) for each in wrong)
        if wrong:
            self.spoilt.add(pair)
        else:
            yield from self._keep(line, Score(*pair, float(found["bdm"]), **others))

    def _keep(self, line: int, score: Score) -> Iterator[Problem]:
        pair = score.key, score.response
        there = next((self.scores[each] for each in (pair, pair[::-1]) if each in self.scores), None)
        if there is None:
            self.scores[pair] = line, score
        elif there[1].bdm != score.bdm:
            message = f"is {score.bdm}, but {there[1].bdm} on line {there[0]}; two concepts have one score."
            yield self._problem(line, pair, message, "Keep one of the two lines.")

    def _problem(self, line: int, pair: Pair, message: str, mend: str) -> Problem:
        key = printable(f"key {pair[0]}, response {pair[1]}")
        return Problem(self.file, line, key, printable(message), mend)

    def _missing(self) -> Iterator[Problem]:
        """Yield a problem for each concept that has no score with some that come after it."""
        names, known = self.concepts, self.scores.keys() | self.spoilt
        for place, one in enumerate(names):
            later = names[place + 1 :]
            others = [other for other in later if (one, other) not in known and (other, one) not in known]
            if others:
                more = f" and {len(others) - NAMED} more" if len(others) > NAMED else ""
                message = f"has no score with {alternatives(others[:NAMED], 'and')}{more}."
                mend = "Let GATE write all pairs, or add a line for each that is missing."
                yield Problem(self.file, 0, printable(f"concept {one}"), message, mend)


def _wrong_score(pair: Pair, cell: str) -> Iterator[tuple[str, str]]:
    value = read_number(cell, ",")
    if value is None or not math.isfinite(value):
        yield f"is {quoted(cell)}; a number was expected as bdm.", "Write a number from 0 to 1."
    elif not 0 <= value <= 1:
        yield f"is {cell}; a score lies between 0 and 1.", "Correct the score."
    elif pair[0] == pair[1] and value != 1:
        yield f"is {cell}; a concept has the score 1 with itself.", "Write 1, or leave the line out."


def _parameters(text: str) -> tuple[list[tuple[str, str]], dict[str, Any]]:
    """Return what is wrong with the parameters behind a score, and those that are known."""
    cells = dict(part.split("=", 1) for part in OTHERS.split(text)[1:])
    msca = cells.pop("msca", "")
    numbers = {name: read_number(cell.strip(), ",") for name, cell in cells.items()}
    wrong = [_wrong_parameter(name, cells[name]) for name, value in numbers.items() if not _fits(name, value)]
    known = {name: value for name, value in numbers.items() if value is not None and math.isfinite(value)}
    typed = {name: int(value) if name in WHOLE else value for name, value in known.items()}
    return wrong, {"msca": msca, **typed}


def _fits(name: str, value: float | None) -> bool:
    """Tell whether a parameter may have a value; what GATE could not compute may be no number."""
    return value is not None and (name not in WHOLE or not math.isfinite(value) or value.is_integer())


def _wrong_parameter(name: str, cell: str) -> tuple[str, str]:
    expected = "a whole number" if name in WHOLE else "a number"
    return f"is {quoted(cell)} as {name}; {expected} was expected.", "Let GATE write it again."
