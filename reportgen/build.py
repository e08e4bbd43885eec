"""The pipeline: a campaign directory goes in, a versioned report comes out."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from reportgen import campaign as asked
from reportgen.adjudication import account, sheet_csv
from reportgen.agreement import (
    GammaSetting,
    UnitizingAgreement,
    UnitSetAgreement,
    analyse,
    analyse_comparisons,
    analyse_credits,
    analyse_spans,
    analyse_unitizing,
    compare_spans,
    setting_of,
)
from reportgen.agreement.unitizing.gamma import gamma
from reportgen.campaign import Campaign, DistanceTable
from reportgen.counts import (
    Counts,
    CreditCounts,
    PairCounts,
    SpanCounts,
    comparisons_csv,
    count,
    count_comparisons,
    count_credits,
    count_spans,
    counts_csv,
    credits_csv,
    spans_csv,
)
from reportgen.errors import BadInput, Problem
from reportgen.exchange import refusals, replacing
from reportgen.findings import clarify, find
from reportgen.quality import LayerQuality, Subject, assess
from reportgen.reading import Progress, Read, everybody, read_campaign
from reportgen.record import (
    Computed,
    ComputedComparisons,
    bdm_tables,
    choose,
    crowd_csv,
    left_out_csv,
    pairs_csv,
    quality_tables,
    record,
    record_texts,
    span_tables,
)
from reportgen.report import CampaignSummary, summary, write_campaign, write_index, write_version
from reportgen.results import Results
from reportgen.results.texts import Texts
from reportgen.study import (
    REPEATED,
    CodedUnits,
    Compared,
    Spans,
    Study,
    credits_of,
    hide_in_path,
    pseudonyms,
    with_pseudonyms,
)

PAIR = 2
# A share of second labels that is no oversight of annotators any more.
MANY_REPEATED = 0.1


@dataclass(frozen=True)
class Report:
    """One guidelines version, ready to be written: its results, its texts, and tables too large for them."""

    results: Results
    beside: Mapping[str, str]
    texts: Texts | None = None


@dataclass(frozen=True)
class Site:
    """What was built, and what the user should know about the campaigns although it stops nothing."""

    campaigns: Sequence[CampaignSummary]
    notices: Sequence[Problem]


def build_site(folders: Sequence[Path], out: Path, progress: Progress = lambda _: None) -> Site:
    """Build the report of every version of every campaign into `out`, which then holds exactly these.

    Raises BadInput with all that is wrong in any campaign; then nothing is written.
    """
    different = {os.path.abspath(folder): folder for folder in folders}  # noqa: PTH100 - links are not followed
    problems = [*refusals(out), *_overlaps(different.values(), out), *_same_names(different)]
    computed: list[tuple[Campaign, list[Report]]] = []
    notices: list[Problem] = []
    for folder in different.values():
        try:
            campaign = asked.load(folder)
            versions = read_campaign(campaign, progress)
            notices.extend(_notices(campaign, versions))
            if not problems:
                computed.append((campaign, compute_campaign(campaign, versions, progress)))
        except BadInput as error:
            problems.extend(error.problems)
    if problems:
        raise BadInput(problems)
    with replacing(out) as site:
        summaries = [_write(site, campaign, reports, progress) for campaign, reports in computed]
        write_index(site, summaries)
    return Site(summaries, notices)


def _notices(campaign: Campaign, versions: Sequence[Read]) -> Iterator[Problem]:
    """Yield what a campaign asks for in vain: keys that nothing acts on yet, annotators nobody knows."""
    yield from asked.unused(campaign)
    known = {name for version in versions for each in version.annotations for name in everybody(each)}
    yield from asked.strangers(campaign, known)
    if campaign.unitizing.gamma and not any(each.spans for version in versions for each in version.studies):
        yield Problem(campaign.file, message="[unitizing] asks for gamma, but no layer has marks in texts.")
    for version in versions:
        yield from _too_few(campaign, version)
        yield from _too_often(campaign, version)
    yield from _absent_controls(versions)


def _absent_controls(versions: Sequence[Read]) -> Iterator[Problem]:
    """Yield a problem for each control item that no guidelines version has as a unit."""
    known = [(each.material.layer, each.controls) for version in versions for each in version.studies]
    missing = [(layer, set(controls.absent)) for layer, controls in known if controls]
    rule = versions[0].version.control_items() if missing else None
    for item in rule.items if rule else ():
        if rule and all(item.unit in names for layer, names in missing if layer == item.layer):
            message = "no export has a unit of this name."
            yield Problem(rule.file, item.line, f"unit {item.unit}", message, "Check the name.")


def _too_few(campaign: Campaign, version: Read) -> Iterator[Problem]:
    """Yield a problem for each layer in which there are no two annotators to compare."""
    for study in version.studies:
        annotators = {name for units in study.unit_sets for name in units.annotators}
        if len(annotators) < PAIR:
            found = "no annotator" if not annotators else "a single annotator"
            where = f"version {version.version.id}, layer {study.material.layer}"
            message = f"{where}: {found}; agreement needs two."
            yield Problem(campaign.file, message=message, mend="Check annotators, roles and path.")


def _too_often(campaign: Campaign, version: Read) -> Iterator[Problem]:
    """Yield a problem where so much is a second pass that units of different files may share their names."""
    if len(version.version.exports) == 1:
        return
    for study in version.studies:
        second = study.passed_over.get(REPEATED, 0)
        if second > MANY_REPEATED * study.marks_read:
            where = f"version {version.version.id}, layer {study.material.layer}"
            labels = f"{second:,} of {study.marks_read:,} labels"
            message = f"{where}: {labels} are second ones of an annotator on a unit."
            mend = 'If files are documents with units of the same names, say so: path = "{document}".'
            yield Problem(campaign.file, message=message, mend=mend)


def _overlaps(folders: Iterable[Path], out: Path) -> Iterator[Problem]:
    """Yield a problem for each campaign that the site would stand in, or would take the place of."""
    for folder in folders:
        here, there = _resolved(folder), _resolved(out)
        mend = "Choose a folder beside the campaign with --out."
        if there.is_relative_to(here):
            yield Problem(str(out), message=f"lies in the campaign's folder {folder}.", mend=mend)
        elif here.is_relative_to(there):
            yield Problem(str(out), message=f"holds the campaign's folder {folder}.", mend=mend)


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):  # links in a circle; whoever opens it says so
        return path.absolute()


def _same_names(folders: Mapping[str, Path]) -> Iterator[Problem]:
    """Yield a problem for each campaign whose pages would stand where another's do."""
    seen: dict[str, Path] = {}
    for path, folder in folders.items():
        other = seen.setdefault(Path(path).name.casefold(), folder)
        if other is not folder:
            message = f"has the same folder name as {other}, which is the campaign's id."
            yield Problem(str(folder), message=message, mend="Rename one of them.")


def _write(
    folder: Path, campaign: Campaign, reports: Sequence[Report], progress: Progress
) -> CampaignSummary:
    own = folder / campaign.id
    for report in reports:
        progress(f"{campaign.id} {report.results.guidelines}: writing pages")
        write_version(own / report.results.guidelines, report.results, report.beside, report.texts)
    versions = tuple(summary(report.results) for report in reports)
    joined = CampaignSummary(campaign.id, campaign.title, versions)
    write_campaign(own, joined)
    return joined


def compute_campaign(
    campaign: Campaign, versions: Sequence[Read], progress: Progress = lambda _: None
) -> list[Report]:
    """Return the report of each guidelines version, the oldest first."""
    names = _names(campaign, versions)
    reports: list[Report] = []
    for each in versions:
        progress(f"{campaign.id} {each.version.id}: computing agreement")
        reports.append(compute(campaign, each, names))
    return reports


def _names(campaign: Campaign, versions: Sequence[Read]) -> dict[str, str]:
    """Return the annotators' pseudonyms, none where the campaign shows names."""
    if campaign.privacy.annotators == "names":
        return {}
    return pseudonyms(
        [name for each in version.annotations for name in everybody(each)] for version in versions
    )


def compute(campaign: Campaign, read: Read, names: Mapping[str, str]) -> Report:
    """Return the report of one guidelines version from what was read."""
    studies = [with_pseudonyms(study, names) for study in read.studies]
    counted = [(units, count(units)) for study in studies for units in study.unit_sets]
    agreements = list(analyses(counted, read.distances))
    marked = [(study.spans, count_spans(study.spans)) for study in studies if study.spans]
    spans = [analyse_spans(each, outcomes) for each, outcomes in marked]
    credited = [(each, _credits(each, outcomes, read.distances)) for each, outcomes in marked]
    held = [(each, count_comparisons(each)) for study in studies for each in study.compared]
    comparisons = _comparisons(campaign, read, held, names)
    comparisons = replace(comparisons, spans=[found for each in spans if (found := compare_spans(each))])
    sources = [replace(each, file=hide_in_path(each.file, names)) for each in read.sources]
    listed = campaign.privacy.texts == "show"
    accounts = [account(each, listed=listed, names=names) for each in read.adjudications]
    quality = _quality(campaign, read, studies, names)
    computed = Computed(
        campaign=campaign,
        version=read.version,
        reading=_reading(read),
        studies=studies,
        agreements=agreements,
        spans=spans,
        credits=[analyse_credits(each, own) for each, (_, own) in zip(spans, credited, strict=True)],
        adjudication=[each for each in accounts if each],
        distances=read.distances,
        sources=sources,
        unread=sorted({hide_in_path(name, names) for each in read.annotations for name in each.unread}),
        unitizing=_unitizing(campaign, read, studies),
        comparisons=comparisons,
        quality=quality,
    )
    results = record(computed)
    beside = {f"counts/{name}": text for name, text in counts_csv(counted).items()}
    if marked:
        beside |= {"counts/spans.csv": spans_csv(marked)} | span_tables(spans)
    if any(own for _, own in credited):
        beside["counts/type-pairs.csv"] = credits_csv(credited)
    beside |= bdm_tables(read.distances)
    if held:
        beside["counts/comparisons.csv"] = comparisons_csv(held)
    everybody_held = crowd_csv(comparisons.units)
    if everybody_held is not None:
        beside["tables/comparisons-of-all.csv"] = everybody_held
    beside |= quality_tables(quality)
    crowd = pairs_csv(agreements)
    if crowd is not None:
        beside["tables/pairs.csv"] = crowd
    left_out = left_out_csv(studies)
    if left_out is not None:
        beside["tables/left-out.csv"] = left_out
    sheet = sheet_csv(read.adjudications, names) if listed else None
    if sheet is not None:
        beside["tables/adjudication.csv"] = sheet
    results = results.model_copy(update={"findings": find(results)})
    return Report(results, beside, _texts(campaign, read, studies, names, results))


def _comparisons(
    campaign: Campaign, read: Read, held: Sequence[tuple[Compared, PairCounts]], names: Mapping[str, str]
) -> ComputedComparisons:
    """Return everybody against the references, unit set by unit set; `names` are pseudonyms."""
    chosen = {layer.id: choose(campaign, read.version.id, layer.id) for layer in read.version.layers}
    found = [
        analyse_comparisons(
            each, counts, setting_of(each.units, read.distances), chosen[each.units.layer].coefficient
        )
        for each, counts in held
    ]
    systems = {names.get(name, name): each for name, each in campaign.annotators.items()}
    return ComputedComparisons(found, systems=systems)


def _quality(
    campaign: Campaign, read: Read, studies: Sequence[Study], names: Mapping[str, str]
) -> list[LayerQuality]:
    """Return the quality of each layer's annotators and items, in its primary unit set."""
    return [
        assess(_subject(campaign, read, layer.id, study, names))
        for layer, study in zip(read.version.layers, studies, strict=True)
    ]


def _subject(campaign: Campaign, read: Read, layer: str, study: Study, names: Mapping[str, str]) -> Subject:
    units, with_all = _primary(study), read.everybody.get(layer)
    everybody_there = _primary(with_pseudonyms(with_all, names)) if with_all else None
    return Subject(
        study=study,
        units=units,
        counts=count(units),
        setting=setting_of(units, read.distances),
        figure=choose(campaign, read.version.id, layer).coefficient,
        rule=read.version.control_items(),
        everybody=(everybody_there, setting_of(everybody_there, read.distances)) if everybody_there else None,
    )


def _primary(study: Study) -> CodedUnits:
    return next((each for each in study.unit_sets if each.primary), study.unit_sets[0])


def _unitizing(campaign: Campaign, read: Read, studies: Sequence[Study]) -> list[UnitizingAgreement]:
    """Return how annotators cut texts into units, of each layer but those of relations."""
    wanted = campaign.unitizing
    asked_for = wanted.model_dump(exclude={"gamma"})
    setting = GammaSetting(**asked_for) if wanted.gamma else None
    return [
        analyse_unitizing(study.spans, gamma(study.spans, setting) if setting else None)
        for study, annotations in zip(studies, read.annotations, strict=True)
        if study.spans and annotations.compared != "relations"
    ]


def _credits(spans: Spans, counts: SpanCounts, tables: Sequence[DistanceTable]) -> list[CreditCounts]:
    """Return the pairs of marks of different types, by each distance that knows the types."""
    return [count_credits(spans, counts.pairing, credit) for credit in credits_of(spans, tables)]


def _texts(
    campaign: Campaign, read: Read, studies: Sequence[Study], names: Mapping[str, str], results: Results
) -> Texts | None:
    """Return what can be read in the version's texts, None where the campaign withholds them."""
    if campaign.privacy.texts == "withhold":
        return None
    texts = record_texts(read.version.id, studies, read.annotations, names)
    return texts and texts.model_copy(update={"clarify": clarify(results, texts)})


def _reading(read: Read) -> str:
    """Return how the exports were understood, and what each layer takes from them."""
    layers = [each.id for each in read.version.layers]
    choices = [
        f"{layer}: {each.choice}" for layer, each in zip(layers, read.annotations, strict=True) if each.choice
    ]
    return " ".join([*dict.fromkeys(each.reading for each in read.annotations), *choices])


def analyses(
    counted: Sequence[tuple[CodedUnits, Counts]], tables: Sequence[DistanceTable]
) -> Iterator[UnitSetAgreement]:
    """Yield the figures of each unit set; the size curve of one shows the sizes of its siblings."""
    for units, counts in counted:
        siblings = [counts for other, counts in counted if other.layer == units.layer]
        # Of two annotators there is one pair, and its units are those of the set.
        sizes = [int(each.pairs.n.sum()) for each in siblings] if len(units.annotators) == PAIR else []
        yield analyse(units, counts, setting_of(units, tables), sizes)
