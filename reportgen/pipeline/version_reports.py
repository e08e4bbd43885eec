"""Each version's report, and every two versions compared: what each folder of a campaign is made from."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from reportgen.base.dataclass import dataclass
from reportgen.base.progress import Steps
from reportgen.base.site_folder import compared, comparison_folder
from reportgen.campaign import Campaign
from reportgen.campaign.guidelines import settings
from reportgen.counts import (
    describe,
)
from reportgen.findings import clarify, find, find_changes
from reportgen.measures.annotators.decisions import sheet_csv
from reportgen.pipeline.build_cache import Inputs, Recipe, computing, key_of
from reportgen.pipeline.computing import compute_figures
from reportgen.pipeline.counting import VersionCounts, count_everything, counts_folder
from reportgen.pipeline.reading import VersionExports, everybody_in, read_campaign
from reportgen.pipeline.releases import Labelled, as_named, labelled, require_pseudonyms
from reportgen.readers import Annotations, TextMarks
from reportgen.results import ResultModel, Results, Tool, read_back
from reportgen.results.texts import GuidelinesRule, Texts
from reportgen.results.versions import (
    COMPARISON,
    RESULTS,
    Changed,
    VersionComparison,
    comparison_data,
    version_data,
)
from reportgen.units import (
    LayerUnits,
    MarkCases,
    Pseudonyms,
    document_names,
    hides,
    left_out_csv,
    listed_errors,
    pseudonyms,
    shown_texts,
    unit_names,
    with_pseudonyms,
)
from reportgen.units.pseudonyms import kept_pseudonyms
from reportgen.versions.comparisons import compare
from reportgen.versions.guidelines_documents import guidelines_document, rules
from reportgen.versions.sides import Register, Side

# The tables that are written beside results.json: counts, and what is too large for it.


def _counts(
    read: VersionExports, studies: Sequence[LayerUnits], counted: VersionCounts, names: Pseudonyms
) -> Iterator[tuple[str, str]]:
    """Yield the counts that every figure can be computed from again."""
    marked = {marks.spans.layer: marks for marks in counted.marks}
    layers = [
        describe(study, annotations, names.annotators, marked.get(study.layer))
        for study, annotations in zip(studies, read.annotations, strict=True)
    ]
    for name, text in counts_folder(layers, counted):
        yield f"counts/{name}", text


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


def names_by_version(campaign: Campaign, versions: Sequence[VersionExports]) -> dict[str, Pseudonyms]:
    """Return the pseudonyms that each version needs, those of addresses where it shows names.

    They are those of everybody who is in it, of its documents and units, and of names that are in its
    paths alone: a version is the same whoever else annotates under another. Raises BadInput for a table of
    pseudonyms that can't be understood.
    """
    names = all_pseudonyms(campaign, versions)
    return {read.version.id: _needed(read, names) for read in versions}


def all_pseudonyms(campaign: Campaign, versions: Sequence[VersionExports]) -> Pseudonyms:
    """Return every pseudonym of a campaign: those that its folder keeps, and behind them those of who is new.

    Raises BadInput for a table of pseudonyms that can't be understood, or that lacks some of a release.
    """
    kept, names = kept_pseudonyms(campaign), Pseudonyms()
    require_pseudonyms(campaign, kept)
    people = ([{name for name in everybody_in(read) if hides(campaign, name)}] for read in versions)
    numbered = _numbered(people, "annotator", kept.annotators)
    names |= Pseudonyms(annotators={name: shown for name, shown in numbered.items() if hides(campaign, name)})
    if campaign.privacy.documents == "pseudonyms":
        documents = _numbered(map(_documents, versions), "document", kept.documents)
        units = _numbered(([_units(read)] for read in versions), "unit", kept.units)
        names |= Pseudonyms(documents=documents, units=units)
    return names


def _numbered(
    versions: Iterable[Iterable[Collection[str]]], kind: str, kept: Mapping[str, str]
) -> dict[str, str]:
    return pseudonyms(chain.from_iterable(versions), kind, kept)


def _documents(read: VersionExports) -> tuple[set[str], set[str]]:
    """Return the documents that a version's exports have, and those that files of sizes have besides."""
    exported = {name for annotations in read.annotations for name in document_names(annotations)}
    unit_sets = (units for study in read.studies for units in study.unit_sets)
    return exported, {name for unit_set in unit_sets for name in unit_set.documents} - exported


def _units(read: VersionExports) -> set[str]:
    return {name for annotations in read.annotations for name in unit_names(annotations)}


def _needed(read: VersionExports, names: Pseudonyms) -> Pseudonyms:
    paths = {source.file for source in read.sources}
    for annotations in read.annotations:
        paths |= {mark.file for mark in annotations.left_out}
    written = names.in_paths(paths)
    documents = written.union(*_documents(read))
    return names.some(everybody_in(read) | written, documents, _units(read) | written)


def _rules(read: VersionExports, results: Results) -> tuple[GuidelinesRule, ...]:
    """Return what the guidelines document of a version says of the labels that are in use."""
    version = read.version
    categories = dict.fromkeys(
        name for own in results.unit_sets for name in own.judged if name != own.non_annotated
    )
    return rules(guidelines_document(version.folder, version.id, version.document), tuple(categories))


def compute(campaign: Campaign, read: VersionExports, names: Pseudonyms) -> Report:
    """Return the report of one guidelines version from what was read; `names` are its pseudonyms."""
    studies = [with_pseudonyms(study, names) for study in read.studies]
    recorded, tables, cases = _computed(campaign, read, studies, names)
    texts = None
    if campaign.privacy.texts == "show":
        errors = listed_errors(recorded, studies, cases)
        texts = shown_texts(read.version.id, studies, read.annotations, names, cases, errors=errors)
        texts = texts.model_copy(update={"rules": _rules(read, recorded) or None}) if texts else None
    results = recorded.model_copy(update={"findings": tuple(map(read_back, find(recorded)))})
    # A sheet that calls documents and units otherwise than the exports could not be read back.
    shown = texts and not names.hides_documents
    sheet = sheet_csv(read.adjudications, names.annotators) if shown else None
    beside = tables | ({"tables/adjudication.csv": sheet} if sheet is not None else {})
    return Report(results, beside, texts and texts.model_copy(update={"clarify": clarify(results, texts)}))


def _computed(
    campaign: Campaign, read: VersionExports, studies: Sequence[LayerUnits], names: Pseudonyms
) -> tuple[Results, dict[str, str], dict[str, MarkCases]]:
    """Return results without findings, the tables beside them, how marks differ.

    The counts of thousands of documents are as large as their texts: both are never there together.
    """
    counted = count_everything(studies, read.distances)
    recorded, tables = compute_figures(campaign, read, studies, counted, names)
    left = left_out_csv(studies)
    files = chain(_counts(read, studies, counted, names), tables, [("tables/left-out.csv", left)])
    beside = {name: text for name, text in files if text is not None}
    cases = {marks.spans.layer: marks.cases[0] for marks in counted.marks if marks.cases}
    return recorded, beside, cases


def results_of_version(campaign: Campaign, version: str, progress: Steps = lambda _: None) -> Results:
    """Return the results of one guidelines version, named as the site names people and documents.

    Every version is read: pseudonyms are numbered from the first on. Raises BadInput with all that is wrong.
    """
    reads = read_campaign(campaign, progress)
    read = reads[campaign.versions.index(version)]
    progress(f"{campaign.id} {version}: computing agreement")
    return compute(campaign, read, names_by_version(campaign, reads)[version]).results


def labels_now(
    campaign: Campaign, wanted: Sequence[str], progress: Steps = lambda _: None
) -> dict[str, tuple[Labelled, Pseudonyms]]:
    """Return what releases of some versions are compared by: labels, under real names, and primary figures.

    With each come the pseudonyms that bundles of it have. Raises BadInput with all that is wrong in exports.
    """
    shown = as_in_bundle(campaign)
    reads = read_campaign(shown, progress)
    names = all_pseudonyms(shown, reads)
    there: dict[str, tuple[Labelled, Pseudonyms]] = {}
    for read in reads:
        if read.version.id in wanted:
            progress(f"{campaign.id} {read.version.id}: computing agreement")
            report = compute(shown, read, _needed(read, names))
            now = labelled(report.results, report.beside)
            there[read.version.id] = replace(now, documents=as_named(now.documents, names)), names
    return there


# Two guidelines versions compared with each other: from what was read of them to comparison.json.


@dataclass(frozen=True)
class ComparisonOutput:
    """A comparison, and the units that changed sides; None where the campaign withholds its texts."""

    comparison: VersionComparison
    changed: Changed | None


class Sides(dict[str, Side]):
    """Versions that are compared more than once, by name: what is computed of one alone is kept."""

    def __init__(self) -> None:
        """Begin without any."""
        super().__init__()
        self.register = Register()


def compare_versions(
    campaign: Campaign,
    first: VersionExports,
    second: VersionExports,
    names: Pseudonyms,
    sides: Sides | None = None,
) -> ComparisonOutput:
    """Return the comparison of two versions of a campaign, `first` being the earlier one.

    `names` are the pseudonyms in both: documents and units are matched by their own names, so that hiding
    them changes no figure. Who compares more than two versions hands the same `sides`
    to each comparison, so that no version is analysed twice.
    """
    all_sides = Sides() if sides is None else sides
    before, after = (_side(read, names, all_sides) for read in (first, second))
    coefficients = {layer: choice.coefficient for layer, choice in second.chosen.items()}
    comparison, changed = compare(campaign, (before, after), coefficients, names, Tool.here())
    with_findings = comparison.model_copy(
        update={"findings": tuple(map(read_back, find_changes(comparison)))}
    )
    return ComparisonOutput(with_findings, changed)


def _side(read: VersionExports, names: Pseudonyms, sides: Sides) -> Side:
    """Return a version as comparisons see it."""
    version = read.version.id
    if version not in sides:
        studies = [with_pseudonyms(study, names.of_annotators) for study in read.studies]
        sides[version] = Side(read.version, studies, read.distances, _texts(read.annotations), sides.register)
    return sides[version]


def _texts(annotations: Iterable[Annotations]) -> dict[str, str]:
    """Return the texts of all documents by name; all layers of an export have the same, recordings none."""
    contents = [layer.content for layer in annotations if isinstance(layer.content, TextMarks)]
    return {
        name: text
        for content in contents
        if not content.lengths
        for name, text in zip(content.documents, content.texts, strict=True)
    }


# What each folder's results are made from, and how they are computed from what was read.

Files = Iterable[tuple[str, str]]
Keep = Callable[[str, ResultModel], None]


@dataclass(frozen=True)
class Ready:
    """One version with its pseudonyms, and the key that stands for all that its results are made from."""

    read: VersionExports
    names: Pseudonyms
    key: str

    @property
    def id(self) -> str:
        """Return the version's name."""
        return self.read.version.id


def marks_in(versions: Iterable[VersionExports]) -> int:
    """Return how many marks were read."""
    return sum(study.marks_read for read in versions for study in read.studies)


def recipes(
    campaign: Campaign, versions: Sequence[VersionExports], inputs: Inputs, progress: Steps, keep: Keep
) -> Iterator[Recipe]:
    """Yield how every folder's results are made, those of versions first, then those of comparisons.

    Results are handed to `keep` with the path of their file.
    """
    sides = list(_ready(campaign, versions, inputs))
    for side in sides:
        yield _version(campaign, side, progress, keep)
    # What is computed of one version alone is kept for the next comparison.
    analysed, order = Sides(), [side.id for side in sides]
    for first, second in compared(order):
        between = sides[order.index(first) : order.index(second) + 1]
        yield _comparison(campaign, between, analysed, progress, keep)


def _ready(campaign: Campaign, versions: Sequence[VersionExports], inputs: Inputs) -> Iterator[Ready]:
    """Yield each version with the key of its settings, its pseudonyms and the bytes of its files."""
    names = names_by_version(campaign, versions)
    for read in versions:
        own = names[read.version.id]
        files = {file.name for file in read.version.exports} | set(read.version.files)
        declared = settings(campaign, read.version, own.annotators, everybody_in(read))
        digests = {name: inputs.files[name] for name in files}
        if not inputs.complete:
            digests |= {source.file: source.sha256 for source in read.sources if source.file not in files}
        groups = [read.groups.attributes, read.groups.of]
        yield Ready(read, own, key_of(computing(), declared, own.as_json(), digests, groups))


def _version(campaign: Campaign, side: Ready, progress: Steps, keep: Keep) -> Recipe:
    """Return how a version's results are made."""

    def files() -> Files:
        progress(f"{campaign.id} {side.id}: computing agreement")
        report = compute(campaign, side.read, side.names)
        keep(f"{side.id}/{RESULTS}", report.results)
        return version_data(report.results, report.beside, report.texts)

    return Recipe(side.id, side.key, files)


def _comparison(
    campaign: Campaign, sides: Sequence[Ready], analysed: Sides, progress: Steps, keep: Keep
) -> Recipe:
    """Return how the comparison of the first version and the last is made.

    Of those between them it hangs on how categories were merged, and of [gate] on which figures it names.
    """
    first, second = sides[0], sides[-1]
    name = comparison_folder(first.id, second.id)

    def files() -> Files:
        progress(f"{campaign.id} {name}: comparing")
        names = first.names | second.names
        output = compare_versions(campaign, first.read, second.read, names, analysed)
        keep(f"{name}/{COMPARISON}", output.comparison)
        return comparison_data(output.comparison, output.changed)

    merged = [side.read.version.merged for side in sides[1:]]
    return Recipe(name, key_of(first.key, second.key, merged, list(campaign.gate)), files)
