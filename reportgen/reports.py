"""Each guidelines version's report: what was read is counted, computed, recorded and judged."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from reportgen.beside import tables_beside
from reportgen.campaign import Campaign
from reportgen.computing import compute_figures, count_everything
from reportgen.findings import clarify, find
from reportgen.reading import Read, everybody_in
from reportgen.record import record, record_texts
from reportgen.results import Results
from reportgen.results.texts import Texts
from reportgen.study import (
    Pseudonyms,
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
        people = ([everybody_in(each)] for each in versions)
        all_names |= Pseudonyms(annotators=_numbered(people, "annotator"))
    if campaign.privacy.documents == "pseudonyms":
        documents = _numbered(map(_documents, versions), "document")
        units = _numbered(([_units(each)] for each in versions), "unit")
        all_names |= Pseudonyms(documents=documents, units=units)
    return {each.version.id: _needed(each, all_names) for each in versions}


def _numbered(versions: Iterable[Iterable[Collection[str]]], kind: str) -> dict[str, str]:
    return pseudonyms(chain.from_iterable(versions), kind)


def _documents(read: Read) -> tuple[set[str], set[str]]:
    """Return the documents that a version's exports have, and those that files of sizes have besides."""
    exported = {name for each in read.annotations for name in document_names(each)}
    unit_sets = (units for study in read.studies for units in study.unit_sets)
    return exported, {name for each in unit_sets for name in each.documents} - exported


def _units(read: Read) -> set[str]:
    return {name for each in read.annotations for name in unit_names(each)}


def _needed(read: Read, names: Pseudonyms) -> Pseudonyms:
    paths = {each.file for each in read.sources}
    for each in read.annotations:
        paths |= {*each.unread, *(mark.file for mark in each.left_out)}
    written = names.in_paths(paths)
    documents = written.union(*_documents(read))
    return names.some(everybody_in(read) | written, documents, _units(read) | written)


def compute(campaign: Campaign, read: Read, names: Pseudonyms) -> Report:
    """Return the report of one guidelines version from what was read; `names` are its pseudonyms."""
    studies = [with_pseudonyms(study, names) for study in read.studies]
    counted = count_everything(studies, read.distances)
    computed = compute_figures(campaign, read, studies, counted, names)
    texts = None
    if campaign.privacy.texts == "show":
        cases = {layer: each for layer, (each, _) in counted.cases.items()}
        texts = record_texts(read.version.id, studies, read.annotations, names, cases)
    recorded = record(computed)
    results = recorded.model_copy(update={"findings": find(recorded)})
    return Report(results, tables_beside(read, computed, counted, names), _with_clarified(results, texts))


def _with_clarified(results: Results, texts: Texts | None) -> Texts | None:
    """Return texts with what the guidelines should clarify."""
    return texts and texts.model_copy(update={"clarify": clarify(results, texts)})
