"""Which documents and annotators stand in which version, from the counts that its folder holds."""

import csv
import io
import operator
from collections.abc import Iterable, Iterator, Mapping

from reportgen.results.history import Attendant, Coverage, Group


def coverage(annotators_csv: Mapping[str, str]) -> Coverage:
    """Return which documents and annotators stand in which version, from the text of counts/annotators.csv.

    A document stands in a version where a unit of it is counted in some unit set; an annotator too.
    """
    versions_of: dict[str, list[str]] = {}
    documents_of: dict[str, dict[str, int]] = {}
    for version, text in annotators_csv.items():
        rows = _who_in_what(text)
        for document in dict.fromkeys(document for document, _ in rows if document):
            versions_of.setdefault(document, []).append(version)
        for document, annotator in rows:
            own = documents_of.setdefault(annotator, {})
            own[version] = own.get(version, 0) + bool(document)
    people = sorted(documents_of.items())
    return Coverage(
        documents=tuple(_groups(versions_of)),
        annotators=tuple(Attendant(annotator=name, documents=own) for name, own in people),
    )


def _who_in_what(text: str) -> list[tuple[str, str]]:
    """Return each document with each of its annotators once, in the order of the table."""
    rows = csv.reader(io.StringIO(text, newline=""))
    head = next(rows, None)
    if head is None:
        return []
    return list(
        dict.fromkeys(map(operator.itemgetter(head.index("document"), head.index("annotator")), rows))
    )


def _groups(versions_of: Mapping[str, Iterable[str]]) -> Iterator[Group]:
    groups: dict[tuple[str, ...], list[str]] = {}
    for document, versions in versions_of.items():
        groups.setdefault(tuple(versions), []).append(document)
    for versions, documents in groups.items():
        yield Group(versions=versions, documents=tuple(documents))
