"""Which documents and units stand in both versions."""

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from reportgen.counts.tally import ranks
from reportgen.revisions.sides import Mask, NamedUnits
from reportgen.study import CodedUnits, Codes

PAIR = 2
GONE = -1


@dataclass(frozen=True, eq=False)
class Part:
    """What one version has of what both have.

    `kept` (units,) are its units there, `place` (documents,) the number of each of its documents among
    those of both, GONE for the others.
    """

    kept: Mask
    place: Codes


@dataclass(frozen=True, eq=False)
class Shared:
    """What two versions of one unit set have in common.

    - `documents`: the names of the documents of both; of units without a document, their own.
    - `real`: how many of these are documents indeed.
    - `first` and `second`: where each version has them.
    - `complete`: nothing that two annotators rated stands in one version alone.
    - `loose`: some units can't be told from each other, so that no part can be cut out.
    """

    documents: tuple[str, ...]
    real: int
    first: Part
    second: Part
    complete: bool
    loose: bool

    @property
    def usable(self) -> bool:
        """Tell whether both versions can be looked at on what they share, which takes two documents."""
        return len(self.documents) >= PAIR and (self.complete or not self.loose)


def shared_units(first: NamedUnits, second: NamedUnits, edited: Collection[int] = ()) -> Shared:
    """Return what both versions have; `edited` are the numbers of documents with another text now."""
    if first.by_name and second.by_name:
        one, other = (_single(side, edited) for side in (first, second))
        both = np.intersect1d(one, other)
        kept = [np.isin(side.unit, both) & side.compared for side in (first, second)]
        held = first.document[np.unique(first.clustered.unit_document[kept[0]])]
    else:
        held = _documents(first, second, edited)
        kept = [_in_documents(side, held) for side in (first, second)]
    names = _names(first, second, held)
    parts = [Part(own, _places(side, held, names)) for side, own in zip((first, second), kept, strict=True)]
    return Shared(
        documents=tuple(name for _, name in names),
        real=sum(not own for own, _ in names),
        first=parts[0],
        second=parts[1],
        complete=all(_covers(side, own) for side, own in zip((first, second), kept, strict=True)),
        loose=bool(first.loose.any() or second.loose.any()),
    )


def _single(side: NamedUnits, edited: Collection[int]) -> Codes:
    """Return the numbers of units with a name that two annotators rated."""
    gone = np.append(np.isin(side.document, np.array(sorted(edited), dtype=np.int64)), False)
    found: Codes = side.unit[side.compared & (side.unit >= 0) & ~gone[side.clustered.unit_document]]
    return found


def _documents(first: NamedUnits, second: NamedUnits, edited: Collection[int]) -> Codes:
    """Return the numbers of the documents of both.

    A document of texts in which nothing is a unit under one version, as where only marked stretches are
    units, stands there all the same.
    """
    one, other = (side.document[side.compared_documents] for side in (first, second))
    held = np.intersect1d(one, other)
    if first.of_texts and second.of_texts:
        empty = [
            np.setdiff1d(np.intersect1d(here, there.listed), there.document)
            for here, there in ((one, second), (other, first))
        ]
        held = np.concatenate([held, *empty])
    return np.setdiff1d(held, np.array(sorted(edited), dtype=np.int64))


def _in_documents(side: NamedUnits, held: Codes) -> Mask:
    inside = np.append(np.isin(side.document, held), False)
    found: Mask = inside[side.clustered.unit_document]
    return found


def _names(first: NamedUnits, second: NamedUnits, held: Codes) -> list[tuple[bool, str]]:
    """Return the names of documents in order, those that are a unit of their own last."""
    found: set[tuple[bool, str]] = set()
    for side in (first, second):
        here = np.flatnonzero(np.isin(side.document, held)).tolist()
        found |= {(code >= side.real, side.clustered.documents[code]) for code in here}
    return sorted(found)


def _places(side: NamedUnits, held: Codes, names: list[tuple[bool, str]]) -> Codes:
    number = {name: place for place, name in enumerate(names)}
    place = np.full(len(side.document), GONE, dtype=np.int64)
    for code in np.flatnonzero(np.isin(side.document, held)).tolist():
        place[code] = number[code >= side.real, side.clustered.documents[code]]
    return place


def _covers(side: NamedUnits, kept: Mask) -> bool:
    """Tell whether all that two annotators rated, and that can be told apart, is kept."""
    return bool((kept | side.loose | ~side.compared).all())


def part_of(units: CodedUnits, part: Part, documents: tuple[str, ...]) -> CodedUnits:
    """Return a part of a version's units, in the `documents` of both.

    Annotators without a rating there are left out.
    """
    kept = part.kept
    ratings = kept[units.unit]
    number = np.cumsum(kept) - 1
    who, annotator = ranks(units.annotator[ratings], max(len(units.annotators), 1))
    return replace(
        units,
        documents=documents,
        annotators=tuple(units.annotators[code] for code in who.tolist()),
        unit_document=part.place[units.unit_document[kept]],
        unit_weight=units.unit_weight[kept],
        unit_place=units.unit_place[kept],
        unit=number[units.unit[ratings]],
        annotator=annotator,
        label=units.label[ratings],
    )
