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

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations

from reportgen.campaign.bdm.closeness import Origin, Score
from reportgen.campaign.bdm.taxonomy import Taxonomy


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
