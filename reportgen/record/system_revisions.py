"""From what was computed of spans, systems and releases twice to what comparison.json says of them."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from reportgen.agreement import LEVEL, Difference, clusters_needed
from reportgen.record.figures import figure
from reportgen.revisions.categories import Matching
from reportgen.revisions.held import DocumentRevised, SystemRevised
from reportgen.revisions.spans import MarkSample, SpanRevised
from reportgen.revisions.tested import Twice


def span_revision(found: SpanRevised) -> dict[str, Any]:
    """Return agreement on marks under both versions, as a SpanRevision of the results."""
    return {
        "layer": found.layer,
        "basis": found.basis,
        "first": _sample(found.samples[0]),
        "second": _sample(found.samples[1]),
        "overlap": {"documents": found.shared, "annotators": found.annotators, "edited": found.edited},
        "measures": _changes(found.measures),
        "by_type": _changes(found.by_type),
        "pairs": [
            {"annotators": names, "measures": _changes(measures)} for names, measures in found.pairs.items()
        ],
        "categories": _matching(found.matching),
    }


def _sample(found: MarkSample) -> dict[str, Any]:
    return {
        "documents": found.documents,
        "units": found.marks,
        "annotators": found.annotators,
        "categories": found.types,
    }


def _matching(found: Matching) -> dict[str, Any]:
    return asdict(found)


def in_order(found: Iterable[SystemRevised]) -> list[SystemRevised]:
    """Return regressions first, the worst before the others; what has no difference stands last."""
    return sorted(found, key=_fallen)


def _fallen(each: SystemRevised) -> tuple[bool, float]:
    moved = each.moved
    return moved is None, moved or 0.0


def system_revisions(found: Iterable[SystemRevised]) -> list[dict[str, Any]]:
    """Return systems and whoever else is held against a key twice, as SystemRevisions of the results."""
    return [system_revision(each) for each in in_order(found)]


def system_revision(found: SystemRevised) -> dict[str, Any]:
    """Return somebody against a key twice, as a SystemRevision of the results."""
    held, (first, second) = found.held, found.scored
    documents, units = found.shared
    other = found.document_figure if found.document_figure != found.figure else None
    return {
        "layer": found.layer,
        "unit_set": found.unit_set,
        "system": held.system,
        "role": held.role,
        "key": held.key,
        "first": held.names[0],
        "second": held.names[1],
        "releases": held.releases,
        "basis": found.basis,
        "figure": found.figure,
        "documents": (first.documents, second.documents),
        "units": None if found.unit_set is None else (first.units, second.units),
        "overlap": {
            "documents": documents,
            "units": units,
            "annotators": found.annotators,
            "edited": found.edited,
        },
        "measures": _changes(found.measures),
        "by_category": _changes(found.by_category),
        "by_document": [_document(each) for each in found.by_document],
        "document_figure": other,
        "humans": {
            name: figure(each)
            for name, each in zip(("first", "second"), found.humans or (), strict=bool(found.humans))
        },
        "categories": found.matching and _matching(found.matching),
    }


def _document(found: DocumentRevised) -> dict[str, Any]:
    return {**vars(found), "difference": found.difference}


def _changes(found: Mapping[str, Twice]) -> dict[str, Any]:
    return {name: change(each) for name, each in found.items()}


def change(found: Twice) -> dict[str, Any]:
    """Return a figure twice, with its difference and test, as a Change of the results."""
    known: dict[str, Any] = {
        "first": figure(found.first),
        "second": figure(found.second),
        "difference": found.moved,
    }
    tested = found.tested
    if not isinstance(tested, Difference):
        return known | {"untested": str(tested)}
    return known | {
        "difference": tested.value,
        "standard_error": tested.standard_error,
        "interval": {"low": tested.low, "high": tested.high, "level": LEVEL},
        "test": {
            "method": tested.method,
            "statistic": tested.statistic,
            "degrees": tested.degrees,
            "p": tested.p,
            "adjusted": found.adjusted,
        },
        "needed": clusters_needed(tested),
    }
