"""Each guidelines version's report: what was read is counted, computed, recorded and judged."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from reportgen.annotators.decisions import sheet_csv
from reportgen.campaign import Campaign
from reportgen.counts import (
    comparisons_csv,
    counts_csv,
    counts_json,
    credits_csv,
    describe,
    everybody_csv,
    spans_csv,
)
from reportgen.findings import clarify, find
from reportgen.pipeline.computing import VersionCounts, compute_figures, count_everything
from reportgen.pipeline.reading import Read, everybody_in
from reportgen.readers import LayerDescribed
from reportgen.results import Results, read_back
from reportgen.results.texts import Texts
from reportgen.units import (
    Pseudonyms,
    Study,
    document_names,
    left_out_csv,
    pseudonyms,
    shown_texts,
    unit_names,
    with_pseudonyms,
)

# The tables that are written beside results.json: counts, and what is too large for it.


def _counts(
    read: Read, studies: Sequence[Study], counted: VersionCounts, names: Pseudonyms
) -> Iterator[tuple[str, str]]:
    """Yield the counts that every figure can be computed from anew."""
    marked = {each.spans.layer: each for each in counted.marks}
    layers = [
        describe(study, each, names.annotators, marked.get(study.material.layer))
        for study, each in zip(studies, read.annotations, strict=True)
    ]
    for name, text in counts_folder(layers, counted):
        yield f"counts/{name}", text


def counts_folder(layers: Sequence[LayerDescribed], counted: VersionCounts) -> Iterator[tuple[str, str]]:
    """Yield the files of a folder of counts; `layers` say what rows of numbers can't."""
    yield "counts.json", counts_json(layers)
    yield from counts_csv(counted.units).items()
    if counted.marks:
        yield "spans.csv", spans_csv(counted.marks)
    if any(each.credits for each in counted.marks):
        yield "type-pairs.csv", credits_csv(counted.marks)
    if counted.compared:
        yield "comparisons.csv", comparisons_csv(counted.compared)
        yield "everybody.csv", everybody_csv(each for each, _ in counted.compared)


def _marks(
    campaign: Campaign, read: Read, studies: Sequence[Study], names: Pseudonyms
) -> Iterator[tuple[str, str | None]]:
    """Yield what became of marks, as far as results don't have it, and the sheet of what is to be decided."""
    yield "tables/left-out.csv", left_out_csv(studies)
    # A sheet that calls documents and units otherwise than the exports could not be read back.
    shown = campaign.privacy.texts == "show" and not names.hides_documents
    yield "tables/adjudication.csv", sheet_csv(read.adjudications, names.annotators) if shown else None


# Each guidelines version's report: what was read is counted, computed, recorded and judged.


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
    recorded, tables = compute_figures(campaign, read, studies, counted, names)
    texts = None
    if campaign.privacy.texts == "show":
        cases = {each.spans.layer: each.cases[0] for each in counted.marks if each.cases}
        texts = shown_texts(read.version.id, studies, read.annotations, names, cases)
    results = recorded.model_copy(update={"findings": tuple(map(read_back, find(recorded)))})
    counts = _counts(read, studies, counted, names)
    beside = chain(counts, tables, _marks(campaign, read, studies, names))
    known = {name: text for name, text in beside if text is not None}
    return Report(results, known, _with_clarified(results, texts))


def _with_clarified(results: Results, texts: Texts | None) -> Texts | None:
    """Return texts with what the guidelines should clarify."""
    return texts and texts.model_copy(update={"clarify": clarify(results, texts)})
