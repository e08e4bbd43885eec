"""What differs between a version as it was released and as it is now, or between two bundles.

Counts are what both have: of each document, how many units an annotator gave which label, and which labels
two annotators gave. A label that was edited moves one of each, so that their moves say how many labels differ
at least.
"""

import csv
import hashlib
import io
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import field

from reportgen.base.dataclass import dataclass
from reportgen.results import Results
from reportgen.results.history import MovedFigure, ReleaseState
from reportgen.results.released import DocumentLabels, Labels, ReleasedFigure, ReleaseRecord

ANNOTATORS, DOCUMENT, COUNT = "annotators.csv", "document", "n"
# Digits of a digest that tell documents apart, and decimals of a figure as it is printed.
DIGITS, DECIMALS = 16, 3


@dataclass
class _Document:
    rows: list[str] = field(default_factory=list)
    labels: dict[str, dict[str, dict[str, dict[str, int]]]] = field(default_factory=dict)


def document_labels(counts: Mapping[str, str]) -> dict[str, DocumentLabels]:
    """Return the labels of each document from the texts of tables of counts, by the names of these."""
    documents: dict[str, _Document] = {}
    for name, text in sorted(counts.items()):
        layer = unit_set = ""
        for row in csv.DictReader(io.StringIO(text, newline="")):
            if DOCUMENT not in row:
                break
            document = documents.setdefault(row.pop(DOCUMENT), _Document())
            document.rows.append(repr((name, sorted(row.items()))))
            if name == ANNOTATORS:
                # Of a large crowd there is a row for each annotator, with labels by their numbers.
                layer, unit_set = row["layer"] or layer, row["unit_set"] or unit_set
                given = enumerate(row["labels"].split()) if "labels" in row else [(row["label"], row[COUNT])]
                own = document.labels.setdefault(layer, {}).setdefault(unit_set, {})
                own.setdefault(row["annotator"], {}).update({str(label): int(n) for label, n in given})
    return {
        name: DocumentLabels(digest=_digest(document.rows), labels=document.labels)
        for name, document in documents.items()
    }


def _digest(rows: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(sorted(rows)).encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


def primary_figures(results: Results) -> dict[str, ReleasedFigure]:
    """Return the primary coefficient of each layer, where it has one."""
    figures = {
        layer: (name, results.primary_of(layer).measures.get(name))
        for layer, name in results.coefficients.items()
    }
    return {
        layer: ReleasedFigure(figure=name, name=results.name_of(name), value=figure.value)
        for layer, (name, figure) in figures.items()
        if figure is not None
    }


def called(
    documents: Mapping[str, DocumentLabels], names: Mapping[str, str], people: Mapping[str, str]
) -> dict[str, DocumentLabels]:
    """Return the labels of documents with other names for these and for annotators."""
    return {
        names.get(name, name): document.model_copy(
            update={
                "labels": {
                    layer: {
                        unit_set: {people.get(who, who): labels for who, labels in by_annotator.items()}
                        for unit_set, by_annotator in unit_sets.items()
                    }
                    for layer, unit_sets in document.labels.items()
                }
            }
        )
        for name, document in documents.items()
    }


def different_labels(
    before: Mapping[str, DocumentLabels], after: Mapping[str, DocumentLabels], *, to_the_last: bool
) -> dict[str, int]:
    """Return the documents of which labels differ, and how many do at least.

    Two annotators' labels that moved against each other show in the digest of all counts alone, which is
    compared where it is `to_the_last`: another version of the program may count more.
    """
    changed: dict[str, int] = {}
    for name in sorted({*before, *after}):
        first, second = before.get(name), after.get(name)
        moved = _moved(first.labels if first else {}, second.labels if second else {})
        if not moved and to_the_last and (first is None or second is None or first.digest != second.digest):
            moved = 1
        if moved:
            changed[name] = moved
    return changed


def _moved(before: Labels, after: Labels) -> int:
    """Return how many labels differ at least: over the layers, the most that any of their unit sets shows."""
    return sum(
        max(
            (
                _moved_labels(before.get(layer, {}).get(unit_set, {}), after.get(layer, {}).get(unit_set, {}))
                for unit_set in {*before.get(layer, {}), *after.get(layer, {})}
            ),
            default=0,
        )
        for layer in {*before, *after}
    )


def _moved_labels(before: Mapping[str, Mapping[str, int]], after: Mapping[str, Mapping[str, int]]) -> int:
    """Return how many labels of a unit set differ at least: of each annotator those gone, or those new."""
    moved = 0
    for annotator in {*before, *after}:
        first, second = (Counter(side.get(annotator, {})) for side in (before, after))
        moved += max((first - second).total(), (second - first).total())
    return moved


def different_figures(
    before: Mapping[str, ReleasedFigure], after: Mapping[str, ReleasedFigure]
) -> tuple[MovedFigure, ...]:
    """Return the primary coefficients that are printed otherwise, or are others."""
    moved: list[MovedFigure] = []
    for layer in dict.fromkeys((*before, *after)):
        first, second = before.get(layer), after.get(layer)
        figure = second or first
        if figure and _printed(first) != _printed(second):
            values = {"released": first.value if first else None, "now": second.value if second else None}
            moved.append(MovedFigure(layer=layer, figure=figure.figure, name=figure.name, **values))
    return tuple(moved)


def _printed(figure: ReleasedFigure | None) -> tuple[str, float | None] | None:
    if figure is None:
        return None
    return figure.figure, None if figure.value is None else round(figure.value, DECIMALS)


def release_state(
    record: ReleaseRecord,
    documents: Mapping[str, DocumentLabels],
    figures: Mapping[str, ReleasedFigure],
    tool: str,
) -> ReleaseState:
    """Return what was released, and what differs now; documents and people are called as in the record."""
    return ReleaseState(
        released=record.released,
        again=record.again,
        documents=different_labels(record.documents, documents, to_the_last=record.tool == tool),
        figures=different_figures(record.figures, figures),
    )
