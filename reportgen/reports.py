"""Each guidelines version's report: what was read is counted, computed, recorded and judged."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reportgen.beside import tables_beside
from reportgen.campaign import Campaign
from reportgen.computing import compute_figures, count_everything
from reportgen.findings import clarify, find
from reportgen.reading import Read, everybody, everybody_in
from reportgen.record import record, record_texts
from reportgen.results import Results
from reportgen.results.texts import Texts
from reportgen.study import Study, names_in_paths, pseudonyms, with_pseudonyms


@dataclass(frozen=True)
class Report:
    """One guidelines version, ready to be written: its results, its texts, and tables too large for them."""

    results: Results
    beside: Mapping[str, str]
    texts: Texts | None = None


def names_by_version(campaign: Campaign, versions: Sequence[Read]) -> dict[str, dict[str, str]]:
    """Return the pseudonyms that each version needs, none where the campaign shows names.

    They are those of everybody who stands in it, and of names that stand in its paths alone: a version is the
    same whoever else annotates under another.
    """
    if campaign.privacy.annotators == "names":
        return {each.version.id: {} for each in versions}
    everyone = pseudonyms(
        [name for each in version.annotations for name in everybody(each)] for version in versions
    )
    return {each.version.id: _needed(each, everyone) for each in versions}


def _needed(read: Read, names: Mapping[str, str]) -> dict[str, str]:
    paths = {each.file for each in read.sources}
    for each in read.annotations:
        paths |= {*each.unread, *(mark.file for mark in each.left_out)}
    needed = everybody_in(read) | names_in_paths(sorted(paths), names)
    return {name: shown for name, shown in names.items() if name in needed}


def compute(campaign: Campaign, read: Read, names: Mapping[str, str]) -> Report:
    """Return the report of one guidelines version from what was read; `names` are its pseudonyms."""
    studies = [with_pseudonyms(study, names) for study in read.studies]
    counted = count_everything(studies, read.distances)
    computed = compute_figures(campaign, read, studies, counted, names)
    recorded = record(computed)
    results = recorded.model_copy(update={"findings": find(recorded)})
    texts = _texts(campaign, read, studies, names, results)
    return Report(results, tables_beside(read, computed, counted, names), texts)


def _texts(
    campaign: Campaign, read: Read, studies: Sequence[Study], names: Mapping[str, str], results: Results
) -> Texts | None:
    """Return what can be read in the version's texts, None where the campaign withholds them."""
    if campaign.privacy.texts == "withhold":
        return None
    texts = record_texts(read.version.id, studies, read.annotations, names)
    return texts and texts.model_copy(update={"clarify": clarify(results, texts)})
