"""Somebody against a key twice: each figure, category and document side by side, with its test."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from reportgen.agreement import Estimate, NoDifference, Undefined
from reportgen.agreement.estimate import no_estimate
from reportgen.revisions.categories import Matching
from reportgen.revisions.people import Held
from reportgen.revisions.scoring import Scored
from reportgen.revisions.tested import Twice, twice, with_holm

Basis = Literal["shared", "all"]


@dataclass(frozen=True, eq=False)
class DocumentRevised:
    """One document's figure under both; `units` are those, or marks, on which the later one rests."""

    document: str
    first: float | None
    second: float | None
    units: int

    @property
    def difference(self) -> float | None:
        """Return the second less the first, None where one is undefined."""
        return None if self.first is None or self.second is None else self.second - self.first


@dataclass(frozen=True, eq=False)
class SystemRevised:
    """Somebody against a key twice, on one basis.

    - `unit_set` is None where marks in texts are compared.
    - `figure` comes first, `document_figure` is what `by_document` has.
    - `by_document` has those that fell most first; it is empty on the basis "all".
    - `humans`: how annotators agree on the same units, in `figure`, each time; None for annotators.
    """

    layer: str
    unit_set: str | None
    held: Held
    basis: Basis
    figure: str
    document_figure: str
    scored: tuple[Scored, Scored]
    shared: tuple[int, int | None]
    edited: int
    annotators: tuple[str, ...]
    matching: Matching | None
    measures: Mapping[str, Twice]
    by_category: Mapping[str, Twice]
    by_document: tuple[DocumentRevised, ...]
    humans: tuple[Estimate, Estimate] | None

    @property
    def moved(self) -> float | None:
        """Return by how much the figure that comes first moved."""
        return self.measures[self.figure].moved


@dataclass(frozen=True, eq=False)
class Frame:
    """What all comparisons of one unit set, or of one layer's marks, have in common."""

    layer: str
    unit_set: str | None
    figure: str
    document_figure: str
    names: tuple[str, ...]
    edited: int
    annotators: tuple[str, ...]
    matching: Matching | None
    rules: NoDifference | None = None
    distances: frozenset[str] = frozenset()

    def reason(self, figure: str) -> NoDifference | None:
        """Return why a figure of all categories has no test."""
        if figure.removesuffix("]").partition("[")[2] in self.distances:
            return NoDifference.DISTANCES
        other = self.matching is not None and self.matching.how == "names"
        return self.rules or (NoDifference.CATEGORIES if other else None)


def joined(
    frame: Frame,
    held: Held,
    basis: Basis,
    scored: tuple[Scored, Scored],
    shared: tuple[int, int | None],
) -> SystemRevised:
    """Return somebody's figures twice; `shared` are the documents, and the units, that both have."""
    figures = [each.shown.measures for each in scored]
    tested = [each.tested.measures for each in scored]
    measures = {
        name: twice(
            (own, figures[1][name]),
            (tested[0][name], tested[1][name]),
            frame.reason(name),
            same_material=basis == "shared",
        )
        for name, own in figures[0].items()
        if name in figures[1]
    }
    humans = [each.humans.get(frame.figure) for each in scored]
    return SystemRevised(
        layer=frame.layer,
        unit_set=frame.unit_set,
        held=held,
        basis=basis,
        figure=frame.figure,
        document_figure=frame.document_figure,
        scored=scored,
        shared=shared,
        edited=frame.edited,
        annotators=frame.annotators,
        matching=frame.matching,
        measures=measures,
        by_category=with_holm(_by_category(frame, scored, same=basis == "shared")),
        by_document=_by_document(frame.names, scored) if basis == "shared" else (),
        humans=(humans[0], humans[1]) if humans[0] and humans[1] else None,
    )


def _by_category(frame: Frame, scored: tuple[Scored, Scored], *, same: bool) -> dict[str, Twice]:
    """Return F of each category that somebody used and that both versions have."""
    known = [each.shown.by_category for each in scored]
    gone = frame.matching and {*frame.matching.first_only, *frame.matching.second_only}
    names = [name for name in dict.fromkeys((*known[1], *known[0])) if not gone or name not in gone]
    reason = Undefined.NO_MARKS if frame.unit_set is None else Undefined.NOT_USED
    found: dict[str, Twice] = {}
    for name in names:
        shown = [each.shown.by_category.get(name) or no_estimate(reason, 0) for each in scored]
        tested = [each.tested.by_category.get(name) or no_estimate(reason, 0) for each in scored]
        pairs = (shown[0], shown[1]), (tested[0], tested[1])
        found[name] = twice(*pairs, frame.rules, same_material=same)
    return found


def _by_document(names: tuple[str, ...], scored: tuple[Scored, Scored]) -> tuple[DocumentRevised, ...]:
    """Return each document's figure under both: those that fell most first, without a difference last."""
    documents = np.union1d(*(each.by_document.document for each in scored))
    if not len(documents):
        return ()
    first, second = (each.by_document.values(documents) for each in scored)
    found = [
        DocumentRevised(names[code], before, after, units)
        for code, (before, _), (after, units) in zip(documents.tolist(), first, second, strict=True)
    ]
    return tuple(sorted(found, key=_fallen))


def _fallen(each: DocumentRevised) -> tuple[bool, float, str]:
    moved = each.difference
    return moved is None, moved or 0.0, each.document
