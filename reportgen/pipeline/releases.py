"""What was released: the record, what differs from it now.

What differs between a version as it was released and as it is now.

Counts are what both have: of each document, how many units an annotator gave which label, and which labels
two annotators gave. A label that was edited moves one of each, so that their moves say how many labels differ
at least.

What was released of a campaign: the record in its own folder, and what differs from it now.
"""

import csv
import hashlib
import io
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import field
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, quoted, refused
from reportgen.base.files import read_bytes
from reportgen.base.site_folder import PSEUDONYMS, RELEASED, alone, write_file
from reportgen.campaign import Campaign
from reportgen.results import Results, dumps, from_json
from reportgen.results.versions import (
    DocumentLabels,
    LabelCounts,
    MovedFigure,
    ReleasedFigure,
    ReleaseRecord,
    ReleaseState,
)
from reportgen.units import Pseudonyms
from reportgen.units.pseudonyms import number_in

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


def with_other_names(
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


def annotators_in(documents: Mapping[str, DocumentLabels]) -> set[str]:
    """Return whose labels some documents have."""
    labels = (units for document in documents.values() for units in document.labels.values())
    return {who for units in labels for by_annotator in units.values() for who in by_annotator}


def different_labels(
    before: Mapping[str, DocumentLabels], after: Mapping[str, DocumentLabels], *, to_the_last: bool
) -> dict[str, int]:
    """Return the documents of which labels differ, and how many do at least, of whom there are any after.

    Two annotators' labels that moved against each other show in the digest of all counts alone, which is
    compared where it is `to_the_last`: another version of the program may count more. It is not where
    somebody's labels are all gone, and units that they alone marked with them.
    """
    changed: dict[str, int] = {}
    gone = annotators_in(before) - annotators_in(after)
    to_the_last = to_the_last and not gone
    for name in sorted({*before, *after}):
        first, second = before.get(name), after.get(name)
        moved = _differing_labels(first.labels if first else {}, second.labels if second else {}, gone)
        if not moved and to_the_last and (first is None or second is None or first.digest != second.digest):
            moved = 1
        if moved:
            changed[name] = moved
    return changed


def _differing_labels(before: LabelCounts, after: LabelCounts, gone: Collection[str]) -> int:
    """Return how many labels differ at least: over the layers, the most that any of their unit sets shows.

    Where somebody is `gone` it is the least: others have fewer units without a mark then.
    """
    return sum(
        (min if gone else max)(
            (
                _moved_labels(
                    {
                        who: labels
                        for who, labels in before.get(layer, {}).get(unit_set, {}).items()
                        if who not in gone
                    },
                    after.get(layer, {}).get(unit_set, {}),
                )
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
    # The primary coefficients that are printed otherwise, or are others.
    moved: list[MovedFigure] = []
    for layer in dict.fromkeys((*record.figures, *figures)):
        first, second = record.figures.get(layer), figures.get(layer)
        figure = second or first
        if figure and _printed(first) != _printed(second):
            values = {"released": first.value if first else None, "now": second.value if second else None}
            moved.append(MovedFigure(layer=layer, figure=figure.figure, name=figure.name, **values))
    return ReleaseState(
        released=record.released,
        again=record.again,
        documents=different_labels(record.documents, documents, to_the_last=record.tool == tool),
        figures=tuple(moved),
        withdrawn=len(annotators_in(record.documents) - annotators_in(documents)),
    )


COUNTS = "counts/"
# How many documents a message names.
SHOWN = 10


@dataclass(frozen=True)
class Labelled:
    """A version's labels and primary figures: what a release is compared by, under real names."""

    documents: Mapping[str, DocumentLabels]
    figures: Mapping[str, ReleasedFigure]
    tool: str


def labelled(results: Results, files: Mapping[str, str]) -> Labelled:
    """Return them as they are in results and in the counts among some files, by the names there."""
    counts = {name.removeprefix(COUNTS): text for name, text in files.items() if _is_table(name)}
    return Labelled(document_labels(counts), primary_figures(results), results.tool.version)


def _is_table(name: str) -> bool:
    return name.startswith(COUNTS) and name.endswith(".csv")


def as_named(documents: Mapping[str, DocumentLabels], names: Pseudonyms) -> Mapping[str, DocumentLabels]:
    """Return labels whose documents and annotators have pseudonyms under their real names."""
    return with_other_names(documents, _turned(names.documents), _turned(names.annotators))


def _turned(names: Mapping[str, str]) -> dict[str, str]:
    return {pseudonym: name for name, pseudonym in names.items()}


# The record of a release: one file for each version, which is committed with the campaign.


def read_record(campaign: Campaign, version: str) -> ReleaseRecord | None:
    """Return the record of a version, under an earlier name of it too; None where it was not released.

    Raises BadInput where it can't be understood.
    """
    for name in (version, *campaign.earlier_names(version)):
        path = campaign.folder / RELEASED.format(version=name)
        shown = _shown(campaign, name)
        if path.exists():
            content = read_bytes(path, shown)
            try:
                return from_json(ReleaseRecord, content)
            except (ValidationError, ValueError, RecursionError):
                message = "is not a record of a release, or was changed."
                raise refused(
                    shown, message=message, remedy="Restore it from a copy of the campaign."
                ) from None
    return None


def _shown(campaign: Campaign, version: str) -> str:
    return (Path(campaign.name) / RELEASED.format(version=version)).as_posix()


def require_pseudonyms(campaign: Campaign, kept: Pseudonyms) -> None:
    """Raise BadInput where a released version has pseudonyms of which the campaign's folder knows nothing.

    They would be given to others. What was released is known by its records.
    """
    known = {*kept.annotators.values(), *kept.documents.values()}
    problems: list[Problem] = []
    for version in campaign.versions:
        record = read_record(campaign, version)
        missing = sorted(_pseudonyms(record) - known) if record else []
        if missing:
            table = (Path(campaign.name) / PSEUDONYMS).as_posix()
            more = f" and {len(missing) - 1:,} more" if len(missing) > 1 else ""
            message = f"has no row for {missing[0]}{more}, whom the released {quoted(version)} names."
            remedy = "Take the table back from a copy of the campaign, or from exports/ of a bundle."
            if number_in(missing[0], "annotator"):
                remedy += f' Of somebody who withdrew, write "annotator","","{missing[0]}".'
            problems.append(Problem(table, message=message, remedy=remedy))
    if problems:
        raise BadInput(problems)


def _pseudonyms(record: ReleaseRecord) -> set[str]:
    """Return the pseudonyms in a record."""
    documents = set(record.documents) - {""} if "documents" in record.hides else set()
    if "annotators" not in record.hides:
        return documents
    return documents | annotators_in(record.documents)


def record_of(
    campaign: Campaign, results: Results, now: Labelled, again: Sequence[str], withdrawn: int
) -> ReleaseRecord:
    """Return what is recorded of a bundle, which shows the campaign so."""
    privacy: dict[Literal["annotators", "documents"], str | None] = {
        "annotators": campaign.privacy.annotators,
        "documents": campaign.privacy.documents,
    }
    return ReleaseRecord(
        version=results.guidelines,
        released=results.revision.released,
        again=tuple(again),
        tool=now.tool,
        hides=tuple(kind for kind, shown in privacy.items() if shown == "pseudonyms"),
        figures=now.figures,
        documents=now.documents,
        withdrawn=withdrawn,
    )


@contextmanager
def releasing(campaign: Campaign, version: str) -> Iterator[None]:
    """Be the only command that releases a version, from reading its record to writing it."""
    with ExitStack() as stack:
        with suppress(BadInput):  # whoever records it says that nothing can be written there
            stack.enter_context(alone(campaign.folder / RELEASED.format(version=version)))
        yield


def write_record(campaign: Campaign, record: ReleaseRecord) -> Iterator[Problem]:
    """Write a record into the campaign's folder; yield what to tell where the system does not let it be."""
    path = campaign.folder / RELEASED.format(version=record.version)
    remedy = (
        "The bundle is written, and nothing records it: changes of what was released will not be noticed."
    )
    try:
        write_file(path, dumps(record).encode("utf-8", "replace"), remedy=remedy)
    except BadInput as error:
        shown = _shown(campaign, record.version)
        yield from (Problem(shown, message=problem.message, remedy=remedy) for problem in error.problems)


# What differs from what was released.


def changes_since(record: ReleaseRecord, now: Labelled, names: Pseudonyms) -> ReleaseState:
    """Return what was released, and what differs now; documents have their real names, as `now` has them."""
    hidden = Pseudonyms(
        annotators=names.annotators if "annotators" in record.hides else {},
        documents=names.documents if "documents" in record.hides else {},
    )
    documents = as_named(record.documents, hidden)
    return release_state(
        record.model_copy(update={"documents": documents}), now.documents, now.figures, now.tool
    )


def difference_in_words(state: ReleaseState) -> str:
    """Return what differs from what was released, in a sentence for the terminal."""
    said = [
        _moved_figure(figure, alone=[figure.layer for figure in state.figures] == ["main"])
        for figure in state.figures
    ]
    if state.documents:
        labels = "1 label" if state.labels == 1 else f"{state.labels:,} labels"
        said.insert(
            0, f"at least {labels} differ{'s' if state.labels == 1 else ''}{_where([*state.documents])}"
        )
    if state.withdrawn:
        people = "1 annotator" if state.withdrawn == 1 else f"{state.withdrawn:,} annotators"
        said.insert(0, f"the labels of {people} were taken out")
    return "; ".join(said)


def _moved_figure(figure: MovedFigure, *, alone: bool) -> str:
    layer = "" if alone else f" of layer {figure.layer}"
    return f"{figure.name}{layer} was {_number(figure.released)} and is {_number(figure.now)}"


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"


def _where(documents: Sequence[str]) -> str:
    if documents == [""]:
        return ""
    shown = ", ".join(map(quoted, documents[:SHOWN])) + (", …" if len(documents) > SHOWN else "")
    return f" in {len(documents):,} document{'s' if len(documents) > 1 else ''} ({shown})"


def told(campaign: Campaign, version: str, state: ReleaseState) -> Iterator[Problem]:
    """Yield a problem where a released version is not as it was released."""
    if state.differs:
        since = f"on {state.released}" if state.released else "in a bundle"
        message = (
            f"version {version} was released {since}, and is another one now: {difference_in_words(state)}."
        )
        remedy = "Put the labels back, make a version of them, or release it again: bundle --again REASON."
        if state.withdrawn:
            remedy = "If somebody withdrew, release it again: bundle --again REASON (docs/privacy.md)."
        yield Problem(campaign.file, message=message, remedy=remedy)
