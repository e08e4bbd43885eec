"""Everything that is counted and computed of one guidelines version, from what was read."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from reportgen.annotators.adjudication import summary
from reportgen.annotators.quality import LayerQuality, Subject, assess
from reportgen.annotators.replacement import can_be_tested, replacement
from reportgen.base.errors import BadInput
from reportgen.campaign import Annotator, Campaign, DistanceMatrix, ReplacementRule
from reportgen.campaign.toml_lines import placed
from reportgen.campaign.version_settings import choose
from reportgen.counts import (
    Counts,
    MarkCounts,
    PairCounts,
    count,
    count_comparisons,
    count_marks,
)
from reportgen.findings import find_changes
from reportgen.measures import (
    ComparedAgreement,
    SpanAgreement,
    UnitSetAgreement,
    all_comparisons,
    analyse,
    analyse_comparisons,
    analyse_credits,
    analyse_spans,
    analyse_unitizing,
    bdm_tables,
    cells_csv,
    compare_spans,
    crowd_csv,
    gamma,
    mark_disagreements,
    pairs_csv,
    setting_of,
    span_results,
    span_tables,
    unit_set,
)
from reportgen.pipeline.reading import Read
from reportgen.pipeline.version_results import put_together
from reportgen.readers import Annotations, TextMarks
from reportgen.results import Results, Tool, read_back
from reportgen.results.changes import SystemRevision
from reportgen.results.comparison import Changed, VersionComparison
from reportgen.results.marks import SpanResults, Unitizing
from reportgen.results.replacement import Replacement
from reportgen.units import (
    CodedUnits,
    ComparedUnits,
    Pseudonyms,
    Spans,
    Study,
    with_pseudonyms,
)
from reportgen.versions.comparison import compare
from reportgen.versions.sides import Register, Side
from reportgen.versions.span_revisions import MarkSide
from reportgen.versions.system_comparison import LabelSide
from reportgen.versions.system_revisions import revised_releases

Tables = Iterator[tuple[str, str | None]]


@dataclass(frozen=True, eq=False)
class VersionCounts:
    """What was counted in one guidelines version, each beside what it was counted in."""

    units: Sequence[tuple[CodedUnits, Counts]]
    marks: Sequence[MarkCounts]
    compared: Sequence[tuple[ComparedUnits, PairCounts]]


def count_everything(studies: Iterable[Study], tables: Sequence[DistanceMatrix]) -> VersionCounts:
    """Return the counts of unit sets, of marks in texts, and of everybody against the references."""
    known = tuple(studies)
    return VersionCounts(
        units=[(units, count(units)) for study in known for units in study.unit_sets],
        marks=[
            count_marks(study.spans, tables, relations=study.unit_sets[0].base == "relations")
            for study in known
            if study.spans
        ],
        compared=[(each, count_comparisons(each)) for study in known for each in study.compared],
    )


def compute_figures(
    campaign: Campaign, read: Read, studies: Sequence[Study], counted: VersionCounts, names: Pseudonyms
) -> tuple[Results, Tables]:
    """Return the results of one guidelines version without findings, and the tables that are beside them.

    `names` are the pseudonyms. Tables are made as they are asked for.
    """
    layers = {layer.id: study for layer, study in zip(read.version.layers, studies, strict=True)}
    people = {names.annotator(name): each for name, each in campaign.annotators.items()}
    agreements = list(analyses(counted.units, read.distances))
    spans = [analyse_spans(each.spans, each.outcomes) for each in counted.marks]
    compared = _comparisons(campaign, read, counted.compared, spans)
    quality = _quality(campaign, read, studies, names)
    listed = campaign.privacy.texts == "show" and not names.hides_documents
    decided = [summary(each, listed=listed, names=names.annotators) for each in read.adjudications]
    figures = {
        "unit_sets": [unit_set(each, layers[each.units.layer]) for each in agreements],
        "spans": _spans(campaign, read, studies, counted, spans),
        "comparisons": all_comparisons(compared, people),
        "releases": _releases(campaign, read, counted, people) or None,
        "replacement": list(_replacements(campaign, read, studies, names)) or None,
        "quality": [each.quality for each in quality] or None,
        "adjudication": [each for each in decided if each] or None,
    }
    tables = _tables(read, agreements, spans, quality, compared)
    return put_together(campaign, read, studies, figures, names), tables


def _tables(
    read: Read,
    agreements: Sequence[UnitSetAgreement],
    spans: Sequence[SpanAgreement],
    quality: Iterable[LayerQuality],
    compared: Sequence[ComparedAgreement],
) -> Tables:
    """Yield what results have only in part; a table is None where nothing is missing there."""
    yield from span_tables(spans).items()
    yield from bdm_tables(read.distances).items()
    for each in quality:
        yield from each.tables.items()
    yield "tables/comparisons-of-all.csv", crowd_csv(compared)
    yield "tables/pairs.csv", pairs_csv(agreements)
    yield "tables/cells.csv", cells_csv(agreements)


def analyses(
    counted: Sequence[tuple[CodedUnits, Counts]], tables: Sequence[DistanceMatrix]
) -> Iterator[UnitSetAgreement]:
    """Yield the figures of each unit set; the size curve of one shows the sizes of its siblings."""
    for units, counts in counted:
        siblings = [counts for other, counts in counted if other.layer == units.layer]
        yield analyse(units, counts, setting_of(units, tables), [each.profiles.shared for each in siblings])


def _comparisons(
    campaign: Campaign,
    read: Read,
    held: Sequence[tuple[ComparedUnits, PairCounts]],
    spans: Sequence[SpanAgreement],
) -> list[ComparedAgreement]:
    """Return everybody against the references, unit set by unit set, and in their marks in texts."""
    chosen = {layer.id: choose(campaign, read.version.id, layer.id) for layer in read.version.layers}
    units = [
        analyse_comparisons(
            each, counts, setting_of(each.units, read.distances), chosen[each.units.layer].coefficient
        )
        for each, counts in held
    ]
    return units + [found for each in spans if (found := compare_spans(each))]


def _releases(
    campaign: Campaign, read: Read, counted: VersionCounts, people: Mapping[str, Annotator]
) -> tuple[SystemRevision, ...]:
    """Return each release of a system against another under this version, by marks in texts and by units."""
    marks = [MarkSide(each.spans, each.outcomes) for each in counted.marks]
    labels = [
        LabelSide(
            compared,
            tuple(read.distances),
            choose(campaign, read.version.id, compared.units.layer).coefficient,
        )
        for compared, _ in counted.compared
    ]
    return revised_releases(marks, labels, people)


def _replacements(
    campaign: Campaign, read: Read, studies: Sequence[Study], names: Pseudonyms
) -> Iterator[Replacement]:
    """Yield whether a model may take an annotator's place, in each layer's primary unit set.

    Of counts nothing is computed: what is published with them does not say what was declared of models.
    """
    rule = campaign.replacement or ReplacementRule()
    rule = rule.model_copy(update={"expert": rule.expert and names.annotator(rule.expert)})
    declared = {names.annotator(name): _declared(each, names) for name, each in campaign.annotators.items()}
    for study, annotations in zip(studies, read.annotations, strict=True):
        for compared in () if annotations.is_counted else study.compared:
            if compared.units.id == _primary(study).id and can_be_tested(compared, rule):
                found = _replacement(campaign, read, compared, rule)
                models = (each.model_copy(update=declared.get(each.model)) for each in found.models)
                yield found.model_copy(update={"models": tuple(models)})


def _replacement(
    campaign: Campaign, read: Read, compared: ComparedUnits, rule: ReplacementRule
) -> Replacement:
    """Return what models are worth in one unit set; raise BadInput where [replacement] does not fit it."""
    try:
        return replacement(compared, setting_of(compared.units, read.distances), rule)
    except BadInput as error:
        raise BadInput(placed(campaign, each, read.version.id) for each in error.problems) from None


def _declared(person: Annotator, names: Pseudonyms) -> dict[str, str | None]:
    """Return what results say of a model beside its figures."""
    called = " ".join(
        filter(None, (person.model or person.system, person.version if person.model else person.release))
    )
    return {"called": called or None, "prompt": names.in_path(person.prompt) if person.prompt else None}


def _quality(
    campaign: Campaign, read: Read, studies: Sequence[Study], names: Pseudonyms
) -> list[LayerQuality]:
    """Return the quality of each layer's annotators and items, in its primary unit set.

    Counts do not tell of it: it hangs on which unit is which.
    """
    return [
        assess(_subject(campaign, read, layer.id, study, names))
        for layer, study, annotations in zip(read.version.layers, studies, read.annotations, strict=True)
        if not annotations.is_counted
    ]


def _subject(campaign: Campaign, read: Read, layer: str, study: Study, names: Pseudonyms) -> Subject:
    units, with_all = _primary(study), read.everybody.get(layer)
    everybody_there = _primary(with_pseudonyms(with_all, names)) if with_all else None
    return Subject(
        study=study,
        units=units,
        counts=count(units),
        setting=setting_of(units, read.distances),
        coefficient=choose(campaign, read.version.id, layer).coefficient,
        rule=read.version.control_items(),
        everybody=(everybody_there, setting_of(everybody_there, read.distances)) if everybody_there else None,
    )


def _primary(study: Study) -> CodedUnits:
    return next((each for each in study.unit_sets if each.primary), study.unit_sets[0])


def _spans(
    campaign: Campaign,
    read: Read,
    studies: Sequence[Study],
    counted: VersionCounts,
    agreements: Sequence[SpanAgreement],
) -> SpanResults | None:
    """Return all that results have of marks in texts."""
    layers = list(zip(agreements, counted.marks, strict=True))
    credited = [analyse_credits(agreement, each.credits) for agreement, each in layers]
    disagreements = [
        mark_disagreements(agreement, each.outcomes, each.cases[1])
        for agreement, each in layers
        if each.cases
    ]
    unitizing = _unitizing(campaign, read, studies)
    return span_results(agreements, credited, disagreements, unitizing)


def _unitizing(campaign: Campaign, read: Read, studies: Sequence[Study]) -> list[Unitizing]:
    """Return how annotators cut texts into units, of each layer but those of relations."""
    wanted = campaign.unitizing
    return [
        analyse_unitizing(study.spans, gamma(study.spans, wanted) if wanted.gamma else None)
        for study, annotations in zip(studies, read.annotations, strict=True)
        if isinstance(study.spans, Spans) and annotations.compared != "relations"
    ]


# Two guidelines versions held against each other: from what was read of them to comparison.json.


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
    first: Read,
    second: Read,
    names: Pseudonyms,
    sides: Sides | None = None,
) -> ComparisonOutput:
    """Return the comparison of two versions of a campaign, `first` being the earlier one.

    `names` are the pseudonyms in both: documents and units are matched by their own names, so that hiding
    them changes no figure. Who compares more than two versions hands the same `sides`
    to each comparison, so that no version is analysed twice.
    """
    known = Sides() if sides is None else sides
    before, after = (_side(each, names, known) for each in (first, second))
    coefficients = {
        layer.id: choose(campaign, second.version.id, layer.id).coefficient for layer in second.version.layers
    }
    comparison, changed = compare(campaign, (before, after), coefficients, names, Tool.here())
    found = comparison.model_copy(update={"findings": tuple(map(read_back, find_changes(comparison)))})
    return ComparisonOutput(found, changed)


def _side(read: Read, names: Pseudonyms, known: Sides) -> Side:
    """Return a version as comparisons see it."""
    version = read.version.id
    if version not in known:
        studies = [with_pseudonyms(study, names.of_annotators) for study in read.studies]
        known[version] = Side(read.version, studies, read.distances, _texts(read.annotations), known.register)
    return known[version]


def _texts(annotations: Iterable[Annotations]) -> dict[str, str]:
    """Return the texts of all documents by name; all layers of an export have the same."""
    contents = [each.content for each in annotations if isinstance(each.content, TextMarks)]
    return {name: text for each in contents for name, text in zip(each.documents, each.texts, strict=True)}
