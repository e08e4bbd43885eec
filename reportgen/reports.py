"""Each guidelines version's report: what was read is counted, computed, recorded and judged."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from reportgen.beside import tables_beside
from reportgen.campaign import Campaign
from reportgen.computing import compute_figures, count_everything
from reportgen.findings import clarify, find
from reportgen.formats import Annotations
from reportgen.reading import Read, everybody, everybody_in
from reportgen.record import record, record_texts
from reportgen.results import Results
from reportgen.results.texts import Texts
from reportgen.study import (
    Pseudonyms,
    Study,
    document_names,
    pseudonyms,
    unit_names,
    with_pseudonyms,
)


@dataclass(frozen=True)
class Report:
    """One guidelines version, ready to be written: its results, its texts, and tables too large for them."""

    results: Results
    beside: Mapping[str, str]
    texts: Texts | None = None


def as_in_bundle(campaign: Campaign, *, texts: bool = False) -> Campaign:
    """Return the campaign with the privacy of its bundle, where annotators are called as on the site.

    Documents, and units that a table names, have pseudonyms unless the campaign declares their names; texts
    are withheld unless they are asked for.
    """
    privacy = campaign.privacy.model_copy(
        update={
            "documents": campaign.privacy.documents or "pseudonyms",
            "texts": "show" if texts else "withhold",
        }
    )
    return campaign.model_copy(update={"privacy": privacy})


def names_by_version(campaign: Campaign, versions: Sequence[Read]) -> dict[str, Pseudonyms]:
    """Return the pseudonyms that each version needs, none where the campaign shows names.

    They are those of everybody who stands in it, of its documents and units, and of names that stand in its
    paths alone: a version is the same whoever else annotates under another.
    """
    all_names = Pseudonyms()
    if campaign.privacy.annotators == "pseudonyms":
        all_names |= Pseudonyms(annotators=_numbered(versions, everybody, "annotator"))
    if campaign.privacy.documents == "pseudonyms":
        documents = _numbered(versions, document_names, "document")
        all_names |= Pseudonyms(documents=documents, units=_numbered(versions, unit_names, "unit"))
    return {each.version.id: _needed(each, all_names) for each in versions}


def _numbered(
    versions: Sequence[Read], names: Callable[[Annotations], Iterable[str]], kind: str
) -> dict[str, str]:
    return pseudonyms(
        ([name for each in version.annotations for name in names(each)] for version in versions), kind
    )


def _needed(read: Read, names: Pseudonyms) -> Pseudonyms:
    paths = {each.file for each in read.sources}
    for each in read.annotations:
        paths |= {*each.unread, *(mark.file for mark in each.left_out)}
    written = names.in_paths(paths)
    documents = {name for each in read.annotations for name in document_names(each)}
    units = {name for each in read.annotations for name in unit_names(each)}
    return names.some(everybody_in(read) | written, documents | written, units)


def compute(campaign: Campaign, read: Read, names: Pseudonyms) -> Report:
    """Return the report of one guidelines version from what was read; `names` are its pseudonyms."""
    studies = [with_pseudonyms(study, names) for study in read.studies]
    counted = count_everything(studies, read.distances)
    computed = compute_figures(campaign, read, studies, counted, names)
    recorded = record(computed)
    results = recorded.model_copy(update={"findings": find(recorded)})
    texts = _texts(campaign, read, studies, names, results)
    return Report(results, tables_beside(read, computed, counted, names), texts)


def _texts(
    campaign: Campaign, read: Read, studies: Sequence[Study], names: Pseudonyms, results: Results
) -> Texts | None:
    """Return what can be read in the version's texts, None where the campaign withholds them."""
    if campaign.privacy.texts == "withhold":
        return None
    texts = record_texts(read.version.id, studies, read.annotations, names)
    return texts and texts.model_copy(update={"clarify": clarify(results, texts)})
