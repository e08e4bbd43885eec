"""Who is held against whom twice: under two guidelines versions, or as two releases of one system."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from reportgen.agreement import MOST_ANNOTATORS
from reportgen.campaign import Annotator

REFERENCE, ANNOTATOR = "reference", "annotator"
OTHERS = ("system", "model")
PAIR = 2


@dataclass(frozen=True)
class Declared:
    """Which system somebody is, and which release of it."""

    system: str | None = None
    release: str | None = None


def declared_systems(people: Mapping[str, Annotator], names: Mapping[str, str]) -> dict[str, Declared]:
    """Return the systems that campaign.toml declares, by the `names` that are shown, in declared order."""
    return {
        names.get(name, name): Declared(each.system, each.release)
        for name, each in people.items()
        if each.system is not None
    }


@dataclass(frozen=True)
class People:
    """Everybody in one version, by code: names and roles; `declared`, by name, in the campaign's order."""

    names: Sequence[str]
    roles: Sequence[str]
    declared: Mapping[str, Declared]

    def codes(self, *roles: str) -> dict[str, int]:
        """Return who has one of the roles, by name."""
        found = zip(self.names, self.roles, strict=True)
        return {name: code for code, (name, role) in enumerate(found) if role in roles}

    @property
    def keys(self) -> dict[str, int]:
        """Return against whom others are held: references, or annotators where there is none."""
        return self.codes(REFERENCE) or self.codes(ANNOTATOR)

    @property
    def others(self) -> dict[str, int]:
        """Return who is held against keys; a crowd of annotators is not."""
        annotators = self.codes(ANNOTATOR)
        held = annotators if self.codes(REFERENCE) and len(annotators) <= MOST_ANNOTATORS else {}
        return self.codes(*OTHERS) | held

    def system_of(self, name: str) -> str | None:
        """Return which system somebody is declared to be."""
        known = self.declared.get(name)
        return known.system if known else None

    def releases(self) -> dict[str, list[str]]:
        """Return the names of each declared system's releases, in the order in which they are declared."""
        there = self.codes(*OTHERS)
        found: dict[str, list[str]] = {}
        for name in self.declared:
            system = self.system_of(name)
            if system is not None and name in there:
                found.setdefault(system, []).append(name)
        return found


@dataclass(frozen=True)
class Held:
    """Somebody who is held against a key twice, by codes: (key, other) each time.

    `system` is what pages call who is compared; `key`, `first` and `second` are names, `releases` what the
    two are declared to be.
    """

    system: str
    role: str
    key: str
    names: tuple[str, str]
    codes: tuple[tuple[int, int], tuple[int, int]]
    releases: tuple[str, str] | None = None


def over_versions(first: People, second: People) -> Iterator[Held]:
    """Yield who is held against the same key under both versions: by name, and the last release of a system.

    Where each version has one reference, the two are the same key whatever they are called. A version with
    references is not compared with one without.
    """
    if bool(first.codes(REFERENCE)) != bool(second.codes(REFERENCE)):
        return
    pairs = list(dict.fromkeys((*_by_name(first, second), *_last_releases(first, second))))
    for one_key, other_key in _keys(first, second):
        for one, other in pairs:
            codes = (first.keys[one_key], first.others[one]), (second.keys[other_key], second.others[other])
            yield _held(first, second, (other_key, one, other), codes)


def over_releases(people: People) -> Iterator[Held]:
    """Yield each release of a system against the one before, and the newest against the first."""
    for names in people.releases().values():
        pairs = [*pairwise(names), *([(names[0], names[-1])] if len(names) > PAIR else [])]
        for key, code in people.keys.items():
            for one, other in pairs:
                codes = (code, people.others[one]), (code, people.others[other])
                yield _held(people, people, (key, one, other), codes)


def _held(
    first: People,
    second: People,
    names: tuple[str, str, str],
    codes: tuple[tuple[int, int], tuple[int, int]],
) -> Held:
    key, one, other = names
    before, after = first.declared.get(one, Declared()), second.declared.get(other, Declared())
    known = before.release is not None and after.release is not None
    return Held(
        system=after.system or other,
        role=second.roles[codes[1][1]],
        key=key,
        names=(one, other),
        codes=codes,
        releases=(before.release or "", after.release or "") if known else None,
    )


def _keys(first: People, second: People) -> Iterator[tuple[str, str]]:
    same = [name for name in second.keys if name in first.keys]
    if same:
        yield from ((name, name) for name in same)
    elif second.codes(REFERENCE) and len(first.keys) == len(second.keys) == 1:
        yield next(iter(first.keys)), next(iter(second.keys))


def _by_name(first: People, second: People) -> Iterator[tuple[str, str]]:
    """Yield who stands in both versions in the same role."""
    for name, code in second.others.items():
        if name in first.others and first.roles[first.others[name]] == second.roles[code]:
            yield name, name


def _last_releases(first: People, second: People) -> Iterator[tuple[str, str]]:
    before, after = first.releases(), second.releases()
    yield from ((before[system][-1], names[-1]) for system, names in after.items() if system in before)
