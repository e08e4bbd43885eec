"""The balanced distance metric of concepts in a taxonomy (Maynard, Peters and Li 2006; GATE guide, 10.6).

    bdm = (bran cp / n0) / (bran cp / n0 + dpk / n1 + dpr / n2)

- A chain leads from a root to a concept with nothing below it, and is as long as it has steps. n0 is the mean
  length of all chains, n1 of those through the key, n2 of those through the response.
- msca, the most specific common abstraction, is a concept that is or stands above both, while none below it
  does.
- cp is the number of steps of the shortest path from a root to the msca, dpk and dpr those of the shortest
  paths from the msca down to key and response.
- bran is the mean number of children of the msca and of all concepts between it and the two (which do not
  count themselves), divided by the mean number of children of all concepts that have any.

Equal concepts have the score 1. It is 0 where the root is all that they have in common, and where they have
nothing in common, being below different roots: roots are not joined under an invented one.

Where every concept has one parent, these are GATE's numbers. With several, GATE takes every two chains,
counts what they have in common from the root on, and keeps the best score; it so may go by a longer way to
the msca, and may name another msca than the one scored. Here ways are the shortest, of equally short ones
the one with most children, and of several msca the one with the best score, of equal scores the deepest,
then the first by name. GATE prints cp = -1 where nothing is common, and n1 = n2 = bran = 1 for a concept and
itself; here such pairs have no msca, or are not listed. All is computed in whole
numbers and fractions, and rounded once.
"""

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Any

from reportgen.base.errors import BadInput, Problem, alternatives, escaped, quoted
from reportgen.base.files import read_number
from reportgen.campaign.taxonomies import Taxonomy

# The score of two concepts with what it was computed from, and where scores come from.


@dataclass(frozen=True)
class Score:
    """How close two concepts are: `bdm` from 0 to 1, and the parameters behind it where they are known.

    `msca` is the most specific common abstraction, empty without one; `cp` its depth; `dpk` and `dpr` how far
    key and response are below it; `n0`, `n1` and `n2` mean lengths of chains: of all, of those through the
    key, of those through the response; `bran` the branching factor. (GATE user guide, 10.6.)
    """

    key: str
    response: str
    bdm: float
    msca: str = ""
    cp: int | None = None
    dpk: int | None = None
    dpr: int | None = None
    n0: float | None = None
    n1: float | None = None
    n2: float | None = None
    bran: float | None = None


@dataclass(frozen=True)
class Origin:
    """Where a table of distances comes from, 1 - BDM being the distance of two concepts.

    `kind` is "scores" or "taxonomy", `form` how its file is written; `concepts` how many it has, `roots` how
    many of them have no parent, `chain` the mean length of its chains (n0), as far as they are known. What is
    `unplaced` is no concept, and at distance 1 from all of them. `names` are those of the concepts.
    """

    kind: str
    form: str
    concepts: int
    roots: int | None = None
    chain: float | None = None
    unplaced: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


# The balanced distance metric, as the formula above has it.


@dataclass(frozen=True)
class Chains:
    """How many chains there are and how long they are together."""

    number: int
    length: int

    @property
    def mean(self) -> Fraction:
        """Return their mean length."""
        return Fraction(self.length, self.number)

    def then(self, other: "Chains") -> "Chains":
        """Return each of these continued by each of the others."""
        return Chains(self.number * other.number, self.length * other.number + other.length * self.number)

    @staticmethod
    def one_step_on(parts: Sequence["Chains"]) -> "Chains":
        """Return all chains of the parts, each a step longer; without parts the one that ends here."""
        if not parts:
            return Chains(1, 0)
        number = sum(part.number for part in parts)
        return Chains(number, number + sum(part.length for part in parts))


# By concept above: how many steps up it is, and how many children those in between have together.
Above = Mapping[str, tuple[int, int]]


@dataclass(frozen=True, eq=False)
class BalancedDistance:
    """Scores of the concepts of a taxonomy."""

    taxonomy: Taxonomy

    @property
    def origin(self) -> Origin:
        """Return where the scores come from."""
        known = self.taxonomy
        names = tuple(known.called)
        return Origin(
            "taxonomy", known.form, len(known.parents), len(known.roots), float(self.usual), names=names
        )

    def known(self, names: Collection[str]) -> tuple[str, ...]:
        """Return those names, in their order, that one concept has and no other."""
        return tuple(name for name in names if len(self.taxonomy.called.get(name, ())) == 1)

    @cached_property
    def through(self) -> Mapping[str, Chains]:
        """Return the chains through each concept: every way down to it with every way on from it."""
        parents, children = self.taxonomy.parents, self.taxonomy.children
        down: dict[str, Chains] = {}
        for concept, own in parents.items():
            down[concept] = Chains.one_step_on([down[parent] for parent in own])
        on: dict[str, Chains] = {}
        for concept in reversed(list(parents)):
            on[concept] = Chains.one_step_on([on[child] for child in children[concept]])
        return {concept: down[concept].then(on[concept]) for concept in parents}

    @cached_property
    def every(self) -> Chains:
        """Return all chains of the taxonomy: those through its roots."""
        own = [self.through[root] for root in self.taxonomy.roots]
        return Chains(sum(each.number for each in own), sum(each.length for each in own))

    @cached_property
    def usual(self) -> Fraction:
        """Return the mean length of all chains (n0)."""
        return self.every.mean

    @cached_property
    def means(self) -> Mapping[str, Fraction]:
        """Return the mean length of the chains through each concept (n1 and n2)."""
        return {concept: chains.mean for concept, chains in self.through.items()}

    @cached_property
    def depth(self) -> Mapping[str, int]:
        """Return how many steps each concept is below the nearest root."""
        found: dict[str, int] = {}
        for concept, parents in self.taxonomy.parents.items():
            found[concept] = 1 + min(found[parent] for parent in parents) if parents else 0
        return found

    @cached_property
    def usual_children(self) -> Fraction:
        """Return the mean number of children of the concepts that have any."""
        numbers = [len(children) for children in self.taxonomy.children.values() if children]
        return Fraction(sum(numbers), len(numbers))

    def between(self, names: Sequence[str]) -> tuple[Score, ...]:
        """Return the score of every two different concepts, the first being the key."""
        concepts = [self.taxonomy.called[name][0] for name in names]
        above = [self._above(concept) for concept in concepts]
        places = combinations(range(len(names)), 2)
        return tuple(
            self._score((names[i], names[j]), (concepts[i], concepts[j]), above[i], above[j])
            for i, j in places
        )

    def _above(self, concept: str) -> Above:
        """Return the shortest way up to each concept above, of several the one with most children."""
        parents, children = self.taxonomy.parents, self.taxonomy.children
        found = {concept: (0, 0)}
        level, steps = {concept: 0}, 0
        while level:
            steps += 1
            following: dict[str, int] = {}
            for here, passed in level.items():
                own = passed + (len(children[here]) if here != concept else 0)
                for parent in parents[here]:
                    if parent not in found:
                        following[parent] = max(own, following.get(parent, 0))
            found.update({parent: (steps, passed) for parent, passed in following.items()})
            level = following
        return found

    def _score(self, names: tuple[str, str], concepts: tuple[str, str], key: Above, response: Above) -> Score:
        n1, n2 = (self.means[concept] for concept in concepts)
        bare = Score(*names, 0.0, n0=float(self.usual), n1=float(n1), n2=float(n2))
        if concepts[0] == concepts[1]:
            same = concepts[0]
            return replace(bare, bdm=1.0, msca=self.taxonomy.shown[same], cp=self.depth[same], dpk=0, dpr=0)
        found = [
            self._by(msca, bare, key[msca], response[msca], (n1, n2))
            for msca in sorted(self._most_specific(key, response))
        ]
        # The first of the best is the first by name.
        return max(found, key=lambda score: (score.bdm, score.cp or 0), default=bare)

    def _by(
        self,
        msca: str,
        bare: Score,
        key: tuple[int, int],
        response: tuple[int, int],
        means: tuple[Fraction, Fraction],
    ) -> Score:
        """Return the score of two concepts by one of their abstractions, given the ways down from it."""
        cp, dpk, dpr = self.depth[msca], key[0], response[0]
        bran = self._branching(msca, key, response)
        bdm = Fraction(0)
        if cp:
            common = bran * cp / self.usual
            apart = sum(
                (steps / mean for steps, mean in zip((dpk, dpr), means, strict=True) if steps), Fraction(0)
            )
            bdm = common / (common + apart)
        shown = self.taxonomy.shown[msca]
        return replace(bare, bdm=float(bdm), msca=shown, cp=cp, dpk=dpk, dpr=dpr, bran=float(bran))

    def _most_specific(self, key: Above, response: Above) -> list[str]:
        """Return the concepts that are or stand above both while none right below them does."""
        common = [concept for concept in key if concept in response]
        higher = {parent for concept in common for parent in self.taxonomy.parents[concept]}
        return [concept for concept in common if concept not in higher]

    def _branching(self, msca: str, key: tuple[int, int], response: tuple[int, int]) -> Fraction:
        """Return how many children there are on the way by the msca, relative to what is usual."""
        between = max(key[0] - 1, 0) + max(response[0] - 1, 0)
        children = len(self.taxonomy.children[msca]) + key[1] + response[1]
        return Fraction(children, 1 + between) / self.usual_children


# Scores that GATE's plugin "Ontology: BDM computation" wrote: a line for every two concepts.
#
# The first line says which ontology it was, and each other line is, in this order, `key=Service,
# response=Object, bdm=0.6617647, msca=Object, cp=1, dpk=1, dpr=0, n0=2.0, n1=2.0, n2=2.8333333,
# bran=1.9565217` (GATE user guide, 10.6). GATE gives two concepts one line, in either order. Key, response,
# bdm must be there, the others may be missing. Concepts without a common abstraction have cp=-1 and the score
# 0.

FORM = "GATE BDM scores"
LINE = re.compile(
    r"key=(?>(?P<key>.*?), response=)(?>(?P<response>.*?), bdm=)(?P<bdm>[^,]*+)(?P<others>, .*)?"
)
OTHERS = re.compile(r", (?=(?:msca|cp|dpk|dpr|n0|n1|n2|bran)=)")
WHOLE = ("cp", "dpk", "dpr")
# As many partners are named of a concept that lacks some.
NAMED = 5

Pair = tuple[str, str]


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
    draft = _ScoreFileDraft(name, text)
    problems = list(draft.problems())
    if problems:
        raise BadInput(problems)
    return GateScores(draft.concepts, {pair: score for pair, (_, score) in draft.scores.items()})


@dataclass(eq=False)
class _ScoreFileDraft:
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
        key = escaped(f"key {pair[0]}, response {pair[1]}")
        return Problem(self.file, line, key, escaped(message), mend)

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
                yield Problem(self.file, 0, escaped(f"concept {one}"), message, mend)


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


# What knows how close concepts are: `origin`, the `known` ones among names, and the scores `between` them.
Closeness = BalancedDistance | GateScores
