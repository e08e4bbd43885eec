"""Which documents and which annotators a version has."""

import itertools
from collections.abc import Iterator

from reportgen.report.history.words import span
from reportgen.report.tables import Cell, Kind, ReportTable, TableColumn
from reportgen.results.history import Group, History
from reportgen.words import numbers
from reportgen.words.language import _, listed, say, say_many

MOST_ROWS = 60
MOST_COLUMNS = 12
MOST_GROUPS = 20
THERE = "✓"


def documents(history: History) -> ReportTable | None:
    """Return documents by versions; None where there are many, or where all stand in all versions."""
    groups = history.coverage.documents
    count = sum(len(group.documents) for group in groups)
    if len(groups) <= 1 or count > MOST_ROWS or len(history.names) > MOST_COLUMNS:
        return None
    columns = (TableColumn("document", _("Document")), *(TableColumn(name, name) for name in history.names))
    rows = tuple(
        (name, *(THERE if version in group.versions else "" for version in history.names))
        for group in groups
        for name in group.documents
    )
    return ReportTable(
        "documents", _("Documents by guidelines version."), columns, rows, file="documents.csv"
    )


def documents_in_words(history: History) -> str:
    """Return how many documents stand in which versions, empty where no document is known."""
    groups = history.coverage.documents
    if not groups:
        return ""
    total = sum(len(group.documents) for group in groups)
    every = set(history.names)
    if len(groups) == 1 and set(groups[0].versions) == every:
        return say_many(
            "{count} document stands in every version.",
            "{count} documents stand in every version.",
            total,
            count=numbers.count(total),
        )
    largest = sorted(groups, key=lambda group: -len(group.documents))
    parts = [_group(history, group) for group in largest[:MOST_GROUPS]]
    rest = sum(len(group.documents) for group in largest[MOST_GROUPS:])
    if rest:
        parts.append(say("{count} in other versions", count=numbers.count(rest)))
    documents = numbers.counted(total, "document", "documents")
    return say("{documents}: {parts}.", documents=documents, parts=_("; ").join(parts))


def _group(history: History, group: Group) -> str:
    shown = numbers.count(len(group.documents))
    if set(group.versions) == set(history.names):
        return say("{count} in every version", count=shown)
    versions = span(group.versions, history.names)
    if len(group.versions) == 1:
        return say("{count} in {version} only", count=shown, version=versions)
    return say("{count} in {versions}", count=shown, versions=versions)


def annotators(history: History) -> ReportTable | None:
    """Return annotators by versions, each cell their documents; None where there are many of either."""
    people = history.coverage.annotators
    if not people or len(people) > MOST_ROWS or len(history.names) > MOST_COLUMNS:
        return None
    by_document = any(count for each in people for count in each.documents.values())
    kind: Kind = "count" if by_document else "text"
    columns = (
        TableColumn("annotator", _("Annotator")),
        *(TableColumn(name, name, kind) for name in history.names),
    )
    rows = tuple(
        (each.annotator, *(_seen(each.documents.get(name), by_document) for name in history.names))
        for each in people
    )
    caption = _("Documents under each version.") if by_document else ""
    return ReportTable("annotators", caption, columns, rows, file="annotators.csv")


def _seen(count: int | None, by_document: bool) -> Cell:  # noqa: FBT001 - of one table, the same in each cell
    if count is None:
        return None if by_document else ""
    return count if by_document else THERE


def annotators_in_words(history: History) -> str:
    """Return how many annotators stand in which versions."""
    people = history.coverage.annotators
    if not people:
        return ""
    everywhere = sum(set(each.documents) == set(history.names) for each in people)
    total = numbers.counted(len(people), "annotator", "annotators")
    if everywhere == len(people):
        return say("{annotators}, the same under every version.", annotators=total)
    own = [(name, numbers.count(len(history.coverage.annotators_of(name)))) for name in history.names]
    each = listed([say("{version}: {count}", version=name, count=count) for name, count in own])
    if not everywhere:
        return say("{annotators}, none of them under every version ({each}).", annotators=total, each=each)
    return say(
        "{annotators}, {count} of them under every version ({each}).",
        annotators=total,
        count=numbers.count(everywhere),
        each=each,
    )


def tables(history: History) -> Iterator[ReportTable]:
    """Yield both tables as their CSV has them: every document and annotator with each of its versions."""
    rows: list[tuple[Cell, ...]] = [
        (name, version)
        for group in history.coverage.documents
        for name, version in itertools.product(group.documents, group.versions)
    ]
    if rows:
        columns = (TableColumn("document", "document"), TableColumn("version", "version"))
        yield ReportTable("documents", "", columns, tuple(rows), file="documents.csv")
    people = tuple(
        (each.annotator, version, count)
        for each in history.coverage.annotators
        for version, count in each.documents.items()
    )
    if people:
        names = (TableColumn("annotator", "annotator"), TableColumn("version", "version"))
        yield ReportTable(
            "annotators",
            "",
            (*names, TableColumn("documents", "documents", "count")),
            people,
            file="annotators.csv",
        )
