"""What was released of a campaign: the record in its own folder, and what differs from it now."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, quoted, refused
from reportgen.base.files import read_bytes
from reportgen.base.site_folder import PSEUDONYMS, RELEASED, alone, write_file
from reportgen.campaign import Campaign
from reportgen.results import Results, dumps, from_json
from reportgen.results.history import MovedFigure, ReleaseState
from reportgen.results.released import DocumentLabels, ReleasedFigure, ReleaseRecord
from reportgen.units import Pseudonyms
from reportgen.versions.released import called, document_labels, primary_figures, release_state

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
    return called(documents, _turned(names.documents), _turned(names.annotators))


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
            problems.append(Problem(table, message=message, remedy=remedy))
    if problems:
        raise BadInput(problems)


def _pseudonyms(record: ReleaseRecord) -> set[str]:
    """Return the pseudonyms in a record."""
    documents = set(record.documents) - {""} if "documents" in record.hides else set()
    if "annotators" not in record.hides:
        return documents
    labels = (units for document in record.documents.values() for units in document.labels.values())
    return documents | {who for units in labels for by_annotator in units.values() for who in by_annotator}


def record_of(
    campaign: Campaign, results: Results, now: Labelled, again: Sequence[str], digest: str | None
) -> ReleaseRecord:
    """Return what is recorded of a bundle, which shows the campaign so; `digest` is that of its zip file."""
    privacy: dict[Literal["annotators", "documents"], str | None] = {
        "annotators": campaign.privacy.annotators,
        "documents": campaign.privacy.documents,
    }
    return ReleaseRecord(
        version=results.guidelines,
        released=results.revision.released,
        again=tuple(again),
        tool=now.tool,
        sha256=digest,
        hides=tuple(kind for kind, shown in privacy.items() if shown == "pseudonyms"),
        figures=now.figures,
        documents=now.documents,
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
        _moved(figure, alone=[figure.layer for figure in state.figures] == ["main"])
        for figure in state.figures
    ]
    if state.documents:
        labels = "1 label" if state.labels == 1 else f"{state.labels:,} labels"
        said.insert(
            0, f"at least {labels} differ{'s' if state.labels == 1 else ''}{_where([*state.documents])}"
        )
    return "; ".join(said)


def _moved(figure: MovedFigure, *, alone: bool) -> str:
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
        yield Problem(campaign.file, message=message, remedy=remedy)
