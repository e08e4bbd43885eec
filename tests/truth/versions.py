"""Two guidelines versions of a campaign, made up at random."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from tests.truth.made import Kind, Layer, Made, export_of, made, unlike

SECOND = '[[guidelines]]\nversion = "2.0"\nexports = "exports/2.0"\n'


@dataclass(frozen=True)
class Revising:
    """What a campaign is like, and what is other under the second version."""

    kind: Kind = Kind()  # noqa: RUF009 - it is frozen
    slips: float = 0.15
    common: float = 0.0
    # Which part of the units stands in both versions.
    same: float = 1.0
    categories: int = 3
    # How many annotators joined.
    came: int = 0

    @property
    def name(self) -> str:
        """Return a name for the kind that a test can carry."""
        return f"{self.kind.name} then {unlike(self, Revising(self.kind))}"


@dataclass(frozen=True)
class Versions(Made):
    """A campaign with two versions: the layers of the second, and how many units stand in both."""

    later: Mapping[str, Layer]
    same: int


def revisings() -> Iterator[Revising]:
    """Yield every kind of two versions."""
    for scale, people, documents in product(("nominal", "ordinal", "interval", "set"), (2, 3), (0, 1, 6, 24)):
        kind = Kind(scale=scale, annotators=people, documents=documents, units=120)
        for before, after in ((0.4, 0.05), (0.05, 0.4), (0.2, 0.2), (0.0, 0.0)):
            yield Revising(replace(kind, slips=before), after)
    for documents, same, before, after in product((0, 24), (0.0, 0.5), (0.4, 0.1), (0.1, 0.4)):
        yield Revising(Kind(documents=documents, units=120, slips=before), after, same=same)
    for people, documents in product((2, 3), (0, 24)):
        kind = Kind(annotators=people, documents=documents, units=120)
        yield Revising(replace(kind, categories=2), categories=2)
        yield Revising(kind, categories=4)
        yield Revising(replace(kind, slips=0.4), categories=2)
        yield Revising(kind, came=1)
        yield Revising(replace(kind, common=0.9), common=0.0)
        yield Revising(kind, common=0.9)
        yield Revising(replace(kind, unmarked=True, slips=0.4), 0.05)
        yield Revising(replace(kind, layers=3, slips=0.4), 0.05)
        yield Revising(replace(kind, layers=3), 0.4)


def made_versions(kind: Revising, seed: int) -> Versions:
    """Return a campaign with two versions."""
    first = made(kind.kind, seed)
    then = replace(
        kind.kind,
        slips=kind.slips,
        common=kind.common,
        categories=kind.categories,
        annotators=kind.kind.annotators + kind.came,
    )
    later = made(then, seed + 1000).layers
    same = round(kind.kind.units * kind.same)
    files = {**first.files, "exports/2.0/e.csv": export_of(then, later, same)}
    separator = 'set_separator = "|"\n' if kind.kind.scale == "set" else ""
    toml = f"{first.toml}{SECOND}{separator}"
    return Versions(kind.name, toml, files, first.layers, later=later, same=same)
