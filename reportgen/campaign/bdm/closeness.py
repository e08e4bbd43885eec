"""The score of two concepts with what it was computed from, and where scores come from."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol


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


class Closeness(Protocol):
    """What knows how close concepts are."""

    @property
    def origin(self) -> Origin:
        """Return where the scores come from."""

    def known(self, names: Collection[str]) -> tuple[str, ...]:
        """Return those names, in their order, that are concepts."""

    def between(self, names: Sequence[str]) -> tuple[Score, ...]:
        """Return the score of every two different concepts, the first being the key."""
