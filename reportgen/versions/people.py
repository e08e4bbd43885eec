"""Who is held against whom twice: under two guidelines versions, or as two releases of one system."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from reportgen.campaign import Annotator, DistanceMatrix
from reportgen.measures import MOST_ANNOTATORS, Setting, setting_of
from reportgen.measures.comparisons import compared_figures
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.units import NO_CATEGORY, NO_PLACE, CodedUnits, ComparedUnits
from reportgen.versions.figures import declared_distances, renamed

REFERENCE, ANNOTATOR = "reference", "annotator"
OTHERS = ("system", "model")
PAIR = 2


@dataclass(frozen=True)
class VersionParticipants:
    """Everybody in one version, by code: names and roles.

    `declared` are the people of campaign.toml by the names that are shown, in their order there.
    """

    names: Sequence[str]
    roles: Sequence[str]
    declared: Mapping[str, Annotator]

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

    def release_of(self, name: str) -> str | None:
        """Return which release of a system somebody is declared to be."""
        known = self.declared.get(name)
        return known.release if known else None

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


def over_versions(first: VersionParticipants, second: VersionParticipants) -> Iterator[Held]:
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


def over_releases(people: VersionParticipants) -> Iterator[Held]:
    """Yield each release of a system against the one before, and the newest against the first."""
    for names in people.releases().values():
        pairs = [*pairwise(names), *([(names[0], names[-1])] if len(names) > PAIR else [])]
        for key, code in people.keys.items():
            for one, other in pairs:
                codes = (code, people.others[one]), (code, people.others[other])
                yield _held(people, people, (key, one, other), codes)


def _held(
    first: VersionParticipants,
    second: VersionParticipants,
    names: tuple[str, str, str],
    codes: tuple[tuple[int, int], tuple[int, int]],
) -> Held:
    key, one, other = names
    before, after = first.release_of(one), second.release_of(other)
    return Held(
        system=second.system_of(other) or other,
        role=second.roles[codes[1][1]],
        key=key,
        names=(one, other),
        codes=codes,
        releases=None if before is None or after is None else (before, after),
    )


def _keys(first: VersionParticipants, second: VersionParticipants) -> Iterator[tuple[str, str]]:
    same = [name for name in second.keys if name in first.keys]
    if same:
        yield from ((name, name) for name in same)
    elif second.codes(REFERENCE) and len(first.keys) == len(second.keys) == 1:
        yield next(iter(first.keys)), next(iter(second.keys))


def _by_name(first: VersionParticipants, second: VersionParticipants) -> Iterator[tuple[str, str]]:
    """Yield who stands in both versions in the same role."""
    for name, code in second.others.items():
        if name in first.others and first.roles[first.others[name]] == second.roles[code]:
            yield name, name


def _last_releases(first: VersionParticipants, second: VersionParticipants) -> Iterator[tuple[str, str]]:
    before, after = first.releases(), second.releases()
    yield from ((before[system][-1], names[-1]) for system, names in after.items() if system in before)


# One version's labels of everybody, prepared to be held against those of another version.

UNKNOWN = -1
# What units of an export, which have names, are made of.
NAMED = "units"


@dataclass(frozen=True, eq=False)
class LabelSide:
    """Everybody's labels in one unit set under one version; `coefficient` is the layer's primary one."""

    compared: ComparedUnits
    tables: tuple[DistanceMatrix, ...]
    coefficient: str

    @property
    def setting(self) -> Setting:
        """Return what figures depend on beside counts."""
        return setting_of(self.compared.units, self.tables)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the figures by which two people are compared."""
        return compared_figures(self.setting, self.coefficient)

    def other_distances(self, later: "LabelSide") -> frozenset[str]:
        """Return the declared distances that are others in the later version, or are only in one."""
        ours, theirs = (
            declared_distances(each.setting, each.compared.units.categories) for each in (self, later)
        )
        return frozenset(name for name in {**ours, **theirs} if ours.get(name) != theirs.get(name))

    def renamed(self, later: "LabelSide", names: Mapping[str, str]) -> "LabelSide":
        """Return the same labels under other names, in the order of the later version's categories."""
        whole = self.compared
        if whole.choice == "all":
            marked = whole.units.label != whole.absent
            units = whole.units
            rows = (units.unit[marked], units.annotator[marked], units.label[marked])
            whole = replace(
                whole,
                units=replace(units, unit=rows[0], annotator=rows[1], label=rows[2]),
                absent=NO_CATEGORY,
            )
        units = renamed(whole.units, later.compared.units, names)
        absent = whole.absent if units.non_annotated == NO_CATEGORY else units.non_annotated
        return replace(self, compared=replace(whole, units=units, absent=absent))


@dataclass(frozen=True, eq=False)
class SharedUnits:
    """The units of two versions under common codes.

    - `names` are those of all documents; units without one are each their own, with a code beyond these.
    - `first` and `second` (units,) have the common code of each unit's document, NO_DOCUMENT where nothing
      tells which unit it is; `first_unit` and `second_unit` (units,) which unit it is, the same number for
      the units that stand in both, UNKNOWN where that can't be told. In texts the units of a document with
      the same text are one.
    """

    names: tuple[str, ...]
    first: Codes
    second: Codes
    first_unit: Codes
    second_unit: Codes
    edited: frozenset[str] = frozenset()

    @property
    def clustered(self) -> bool:
        """Say whether any document is known."""
        return bool(self.names)


def same_units(units: CodedUnits) -> SharedUnits:
    """Return common codes of a unit set with itself; units without a document are each their own."""
    documents = _own_documents(units, np.arange(len(units.unit_weight), dtype=np.int64), len(units.documents))
    each = np.arange(len(units.unit_weight), dtype=np.int64)
    return SharedUnits(units.documents, documents, documents, each, each)


def shared_units_of(first: CodedUnits, second: CodedUnits, edited: Collection[str] = ()) -> SharedUnits:
    """Return common codes of documents and units by name; `edited` are documents with another text now."""
    documents: dict[str, int] = {}
    codes = [
        np.array(
            [documents.setdefault(name, len(documents)) for name in each.documents] or [0], dtype=np.int64
        )
        for each in (first, second)
    ]
    names = _name_codes(first, second)
    size = 2 + max(int(each.max(initial=0)) for each in names)
    where, unit = [], []
    for units, code, name in zip((first, second), codes, names, strict=True):
        known = units.unit_document != NO_DOCUMENT
        document = np.where(known, code[units.unit_document], NO_DOCUMENT)
        where.append(np.where(known, document, _own_documents(units, name, len(documents))))
        unit.append(_unit_codes(document, name, size))
    gone = [code for name, code in documents.items() if name in edited]
    unit[0][np.isin(where[0], gone)] = UNKNOWN
    (first_where, second_where), (first_unit, second_unit) = where, unit
    names_of = tuple(documents)
    return SharedUnits(names_of, first_where, second_where, first_unit, second_unit, frozenset(edited))


def _name_codes(first: CodedUnits, second: CodedUnits) -> list[Codes]:
    """Return a code for the name of each unit (units,), common to both; UNKNOWN where it has none."""
    names = [np.array(each.places.names or ("",), dtype=np.str_) for each in (first, second)]
    known, code = np.unique(np.concatenate(names), return_inverse=True)
    code = np.where(known[code] == "", UNKNOWN, code.reshape(-1))
    of_each = code[: len(names[0])], code[len(names[0]) :]
    return [
        np.where(units.unit_place == NO_PLACE, UNKNOWN, own[np.minimum(units.unit_place, len(own) - 1)])
        if units.base == NAMED and len(units.unit_place)
        else np.full(len(units.unit_weight), UNKNOWN, dtype=np.int64)
        for units, own in zip((first, second), of_each, strict=True)
    ]


def _own_documents(units: CodedUnits, name: Codes, documents: int) -> Codes:
    """Return the code that a unit without a document has as its own, where it has a name and is single."""
    own = (name != UNKNOWN) & (units.unit_weight == 1)
    alone = units.unit_document == NO_DOCUMENT
    found: Codes = np.where(alone & own, documents + name, units.unit_document)
    return found


def _unit_codes(document: Codes, name: Codes, size: int) -> Codes:
    """Return which unit each is: document and name, or in texts and of nameless ones the document."""
    unnamed = (name == UNKNOWN) & (document == NO_DOCUMENT)
    found: Codes = np.where(unnamed, UNKNOWN, (document + 1) * size + name + 1)
    return found
