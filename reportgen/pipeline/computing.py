"""Everything that is counted and computed of one guidelines version, put together as results.json."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import chain
from typing import Any

from reportgen import measures
from reportgen.base.errors import BadInput
from reportgen.campaign import (
    UNITIZING,
    Annotator,
    Campaign,
    DistanceMatrix,
    Layer,
    ReplacementRule,
)
from reportgen.campaign.guidelines import settings
from reportgen.campaign.load import placed
from reportgen.catalogue import base_id, definitions, ids_with, weightings_of
from reportgen.counts import Counts, MarkCounts, PairCounts, count
from reportgen.findings import subject_of
from reportgen.measures.annotators.adjudication import summary
from reportgen.measures.annotators.aggregation import reliability_of_aggregate
from reportgen.measures.annotators.alternative_annotator import (
    can_be_tested,
    compares_marks,
    replacement,
    replacement_of_marks,
)
from reportgen.measures.annotators.annotator_vs_rest import mean_standings
from reportgen.measures.annotators.groups import GroupedLayer, groups_of
from reportgen.measures.annotators.judges import judges_of
from reportgen.measures.annotators.quality import LayerQuality, Subject, assess
from reportgen.measures.annotators.times import TimedLayer, UnitWork, in_order, pay_of, times_of, work_of
from reportgen.pipeline.counting import VersionCounts
from reportgen.pipeline.reading import VersionExports, everybody_in
from reportgen.readers import TextMarks
from reportgen.results import (
    CampaignFacts,
    DeclaredModel,
    Definition,
    Results,
    Revision,
    SubjectId,
    Tool,
    UnitSet,
    as_written,
    read_back,
)
from reportgen.results.annotators import Comparisons, Judge, Replacement
from reportgen.results.marks import BoundaryAgreement, SpanResults, TreeAgreement
from reportgen.results.unit_sets import AgreementByDocument
from reportgen.units import (
    CodedUnits,
    ComparedUnits,
    LayerUnits,
    Pseudonyms,
    Spans,
    marks_left_out,
    not_compared,
    sum_of_marks,
    with_pseudonyms,
)
from reportgen.versions.sides import LabelSide, MarkSide
from reportgen.versions.system_changes import behind_best, revised_releases

Tables = Iterator[tuple[str, str | None]]


def compute_figures(
    campaign: Campaign,
    read: VersionExports,
    studies: Sequence[LayerUnits],
    counted: VersionCounts,
    names: Pseudonyms,
) -> tuple[Results, Tables]:
    """Return the results of one guidelines version without findings, and the tables that are beside them.

    `names` are the pseudonyms. Tables are made as they are asked for.
    """
    layers = {layer.id: study for layer, study in zip(read.version.layers, studies, strict=True)}
    people = {names.annotator(name): annotator for name, annotator in campaign.annotators.items()}
    agreements = list(analyses(counted.units, read.distances))
    spans = [measures.analyse_spans(marks.spans, marks.outcomes) for marks in counted.marks]
    compared = _comparisons(read, counted.compared, spans)
    work = _work(read, studies, names)
    declared = bool(campaign.protocol.in_order)
    dates = campaign.privacy.times != "withhold"
    quality = [
        assess(replace(_in_order(subject, work, declared=declared), dates=dates))
        for subject in _subjects(read, studies, counted.marks, names)
    ]
    protocol = campaign.protocol
    pay = pay_of(protocol.pay_amount, protocol.pay_currency, protocol.pay_per)
    times, paces = times_of(list(_timed(read, studies, work)), pay, dates=dates)
    smallest = campaign.privacy.smallest
    listed = campaign.privacy.texts == "show" and not names.hides_documents
    primary = [
        agreement for agreement in agreements if agreement.units is _primary(layers[agreement.units.layer])
    ]
    decided = [
        summary(adjudication, listed=listed, names=names.annotators) for adjudication in read.adjudications
    ]
    figures = {
        "unit_sets": [
            measures.unit_set(agreement, layers[agreement.units.layer], smallest=smallest)
            for agreement in agreements
        ],
        "spans": _spans(campaign, read, studies, counted, spans),
        "comparisons": _with_rivals(read, counted, measures.all_comparisons(compared, people)),
        "trees": list(_trees(read, studies)) or None,
        "by_document": list(_by_document(primary, counted, smallest)) or None,
        "disagreements": measures.disagreements(_differences(primary, counted), smallest),
        "releases": revised_releases(*_sides(read, counted), people) or None,
        "judges": list(_judges(read, studies)) or None,
        "replacement": list(_replacements(campaign, read, studies, counted.marks, names)) or None,
        "quality": [layer_quality.quality for layer_quality in quality] or None,
        "times": times,
        "groups": groups_of(list(_grouped(read, studies)), read.groups),
        "adjudication": [adjudication for adjudication in decided if adjudication] or None,
        "aggregates": [
            aggregate for agreement in primary if (aggregate := reliability_of_aggregate(agreement))
        ]
        or None,
    }
    tables = chain(
        _tables(read, agreements, spans, quality, compared, smallest=smallest),
        _by_document_and_type(counted, spans, smallest),
        paces.items(),
    )
    return results_of(campaign, read, studies, figures, names), tables


def _tables(  # noqa: PLR0913 - the parts of a version
    read: VersionExports,
    agreements: Sequence[measures.UnitSetAgreement],
    spans: Sequence[measures.SpanAgreement],
    quality: Iterable[LayerQuality],
    compared: Sequence[measures.ComparedAgreement],
    *,
    smallest: int,
) -> Tables:
    """Yield what results have only in part; a table is None where nothing is missing there."""
    yield from measures.span_tables(spans, smallest).items()
    yield from measures.bdm_tables(read.distances).items()
    for layer_quality in quality:
        yield from layer_quality.tables.items()
    yield "tables/comparisons-of-all.csv", measures.crowd_csv(compared)
    yield "tables/pairs.csv", measures.pairs_csv(agreements)
    yield "tables/cells.csv", measures.cells_csv(agreements, smallest)


def _by_document_and_type(
    counted: VersionCounts, spans: Sequence[measures.SpanAgreement], smallest: int
) -> Tables:
    """Yield F of each type in each document, which results do not have."""
    outcomes = [marks.outcomes for marks in counted.marks]
    table = measures.by_document_and_type(spans, outcomes, smallest)
    yield "tables/spans-by-document-and-type.csv", table


def analyses(
    counted: Sequence[tuple[CodedUnits, Counts]], tables: Sequence[DistanceMatrix]
) -> Iterator[measures.UnitSetAgreement]:
    """Yield the figures of each unit set; the size curve of one shows the sizes of its siblings."""
    for units, counts in counted:
        siblings = [counts for other, counts in counted if other.layer == units.layer]
        yield measures.analyse(
            units,
            counts,
            measures.setting_of(units, tables),
            [sibling.profiles.shared for sibling in siblings],
        )


def _differences(
    primary: Sequence[measures.UnitSetAgreement], counted: VersionCounts
) -> list[measures.LayerDifferences]:
    """Return what annotators said of the same units of each layer, or of its marks.

    Nothing where it is not known how the marks of a layer differ: all layers are looked at together.
    """
    marked = {marks.spans.layer: marks for marks in counted.marks}
    counts_of = {id(units): counts for units, counts in counted.units}
    found: list[measures.LayerDifferences] = []
    for agreement in primary:
        units, marks = agreement.units, marked.get(agreement.units.layer)
        if marks is None:
            found.append(measures.differences_of_labels(units, counts_of[id(units)].pairs))
        elif marks.cases is None:
            return []
        else:
            found.append(measures.differences_of_marks(marks.spans, marks.outcomes, marks.cases[1]))
    return found


def _by_document(
    primary: Sequence[measures.UnitSetAgreement], counted: VersionCounts, smallest: int
) -> Iterator[AgreementByDocument]:
    """Yield agreement in each document of labelled units: of annotators, then of everybody with a key."""
    labelled = {
        agreement.units.id: agreement.units for agreement in primary if agreement.units.base == "units"
    }
    for units, counts in counted.units:
        if any(units is own for own in labelled.values()):
            found = measures.cells_by_document(units, counts.pairs, smallest)
            if found is not None:
                yield found
    for compared, pairs in counted.compared:
        if not compared.units.primary and compared.units.id not in labelled:
            continue
        starts = pairs.starts.tolist()
        for start, end in list(zip(starts, [*starts[1:], len(pairs.n)], strict=False))[:MOST_COMPARED]:
            names = compared.units.annotators
            two = names[int(pairs.first[start])], names[int(pairs.second[start])]
            found = measures.cells_by_document(compared.units, pairs.part(start, end), smallest, two)
            if found is not None and compared.units.base == "units":
                yield found


# So many people beside a key are looked at document by document.
MOST_COMPARED = 20


def _comparisons(
    read: VersionExports,
    counted: Sequence[tuple[ComparedUnits, PairCounts]],
    spans: Sequence[measures.SpanAgreement],
) -> list[measures.ComparedAgreement]:
    """Return everybody against the references, unit set by unit set, and in their marks in texts."""
    units = [
        measures.analyse_comparisons(
            compared,
            counts,
            measures.setting_of(compared.units, read.distances),
            read.chosen[compared.units.layer].coefficient,
        )
        for compared, counts in counted
    ]
    return units + [
        comparison for span_agreement in spans if (comparison := measures.compare_spans(span_agreement))
    ]


def _with_rivals(
    read: VersionExports, counted: VersionCounts, comparisons: Comparisons | None
) -> Comparisons | None:
    """Return how far each system is from the reference, and behind the best one."""
    return comparisons and behind_best(comparisons, *_sides(read, counted))


def _sides(read: VersionExports, counted: VersionCounts) -> tuple[list[MarkSide], list[LabelSide]]:
    marks = [MarkSide(mark_counts.spans, mark_counts.outcomes) for mark_counts in counted.marks]
    labels = [
        LabelSide(compared, tuple(read.distances), read.chosen[compared.units.layer].coefficient)
        for compared, _ in counted.compared
    ]
    return marks, labels


def _judges(read: VersionExports, studies: Sequence[LayerUnits]) -> Iterator[Judge]:
    """Yield what the labels of each layer's models are worth; of counts nothing is computed."""
    for study, annotations in zip(studies, read.annotations, strict=True):
        compared = () if annotations.is_counted else study.compared
        primary = _primary(study).id
        yield from (judge for own in compared if own.units.id == primary for judge in judges_of(own))


def _replacements(
    campaign: Campaign,
    read: VersionExports,
    studies: Sequence[LayerUnits],
    marks: Sequence[MarkCounts],
    names: Pseudonyms,
) -> Iterator[Replacement]:
    """Yield whether a model may take an annotator's place, by marks in texts or in the primary unit set.

    Of counts nothing is computed: what is published with them does not say what was declared of models.
    """
    rule = campaign.replacement or ReplacementRule()
    rule = rule.model_copy(update={"expert": rule.expert and names.annotator(rule.expert)})
    declared = {
        names.annotator(name): _declared(annotator, names) for name, annotator in campaign.annotators.items()
    }
    of_layer = {mark_counts.spans.layer: mark_counts for mark_counts in marks}
    for study, annotations in zip(studies, read.annotations, strict=True):
        if annotations.is_counted:
            continue
        own = of_layer.get(study.layer) if compares_marks(annotations, rule) else None
        try:
            outcome = _replacement(study, own, rule, read.distances)
        except BadInput as error:
            raise BadInput(placed(campaign, problem, read.version.id) for problem in error.problems) from None
        if outcome:
            models = (model.model_copy(update=declared.get(model.model)) for model in outcome.models)
            yield outcome.model_copy(update={"models": tuple(models)})


def _replacement(
    study: LayerUnits, marks: MarkCounts | None, rule: ReplacementRule, tables: Sequence[DistanceMatrix]
) -> Replacement | None:
    """Return what the models of a layer are worth, None where there are none, or too few annotators.

    `marks` are None where they are not what is compared.
    """
    if marks and can_be_tested(marks.spans.people, marks.spans.roles, rule):
        return replacement_of_marks(marks.spans, marks.outcomes, rule)
    for compared in study.compared:
        own = compared.units.id == _primary(study).id
        if own and can_be_tested(compared.units.annotators, compared.roles, rule):
            return replacement(compared, measures.setting_of(compared.units, tables), rule, study.passes)
    return None


def _declared(person: Annotator, names: Pseudonyms) -> dict[str, str | None]:
    """Return what results say of a model beside its figures."""
    called = " ".join(
        filter(None, (person.model or person.system, person.version if person.model else person.release))
    )
    return {"called": called or None, "prompt": names.in_path(person.prompt) if person.prompt else None}


def _work(read: VersionExports, studies: Sequence[LayerUnits], names: Pseudonyms) -> dict[str, UnitWork]:
    """Return by layer when the labels of its primary unit set were given, where exports say so."""
    found = {}
    for study, annotations in zip(studies, read.annotations, strict=True):
        if not annotations.is_counted and annotations.times is not None:
            called = list(map(names.annotator, annotations.content.annotators))
            found[study.layer] = work_of(annotations, _primary(study), called)
    return {layer: work for layer, work in found.items() if work is not None}


def _timed(
    read: VersionExports, studies: Sequence[LayerUnits], work: Mapping[str, UnitWork]
) -> Iterator[TimedLayer]:
    """Yield the layers of which it is known when they were labelled."""
    for study in studies:
        if study.layer in work:
            units, choice = _primary(study), read.chosen[study.layer]
            setting = measures.setting_of(units, read.distances)
            yield TimedLayer(units, work[study.layer], setting, choice.coefficient)


def _grouped(read: VersionExports, studies: Sequence[LayerUnits]) -> Iterator[GroupedLayer]:
    """Yield the layers in which groups of annotators are compared; counts don't say who labelled a unit."""
    for own, study, annotations in zip(read.studies, studies, read.annotations, strict=True):
        if not annotations.is_counted:
            units, choice = _primary(study), read.chosen[study.layer]
            setting = measures.setting_of(units, read.distances)
            yield GroupedLayer(units, setting, choice.coefficient, _primary(own).annotators)


def _subjects(
    read: VersionExports, studies: Sequence[LayerUnits], marks: Sequence[MarkCounts], names: Pseudonyms
) -> list[Subject]:
    """Return what is asked of the quality of each layer's annotators and items, in its primary unit set.

    Counts do not determine it: it depends on which unit is which. Annotators of marks in texts are compared
    by their marks, unless the layer compares only the labels of marks that all made.
    """
    of_layer = {mark_counts.spans.layer: mark_counts for mark_counts in marks}
    return [
        _subject(read, study, of_layer.get(study.layer), names)
        for study, annotations in zip(studies, read.annotations, strict=True)
        if not annotations.is_counted
    ]


def _in_order(subject: Subject, work: Mapping[str, UnitWork], *, declared: bool) -> Subject:
    """Return the same with the order of the work: the times of labels, or that of the export."""
    own = work.get(subject.study.layer)
    at = in_order(own, subject.units) if own else None
    return replace(subject, in_order=declared, units=replace(subject.units, at=at))


def _subject(read: VersionExports, study: LayerUnits, marks: MarkCounts | None, names: Pseudonyms) -> Subject:
    units, with_all = _primary(study), read.everybody.get(study.layer)
    everybody_there = _primary(with_pseudonyms(with_all, names)) if with_all else None
    return Subject(
        study=study,
        units=units,
        counts=count(units),
        setting=measures.setting_of(units, read.distances),
        coefficient=read.chosen[study.layer].coefficient,
        rule=read.version.control_items(),
        everybody=(everybody_there, measures.setting_of(everybody_there, read.distances))
        if everybody_there
        else None,
        marks=None if units.kind == "annotated-by-all" else marks,
    )


def _primary(study: LayerUnits) -> CodedUnits:
    return next((unit_set for unit_set in study.unit_sets if unit_set.primary), study.unit_sets[0])


def _spans(
    campaign: Campaign,
    read: VersionExports,
    studies: Sequence[LayerUnits],
    counted: VersionCounts,
    agreements: Sequence[measures.SpanAgreement],
) -> SpanResults | None:
    """Return all that results have of marks in texts."""
    layers = list(zip(agreements, counted.marks, strict=True))
    credited = [measures.analyse_credits(agreement, mark_counts.credits) for agreement, mark_counts in layers]
    disagreements = [
        measures.mark_disagreements(agreement, mark_counts.outcomes, mark_counts.cases[1])
        for agreement, mark_counts in layers
        if mark_counts.cases
    ]
    # How annotators cut texts into units, of each layer but those of relations.
    settings_of_unitizing = campaign.unitizing
    unitizing = [
        measures.analyse_unitizing(
            study.spans,
            measures.gamma(study.spans, settings_of_unitizing) if settings_of_unitizing.gamma else None,
        )
        for study, annotations in zip(studies, read.annotations, strict=True)
        if isinstance(study.spans, Spans) and annotations.compared != "relations"
    ]
    smallest = campaign.privacy.smallest
    found = measures.span_results(agreements, credited, disagreements, unitizing, smallest)
    return found and found.model_copy(update={"boundaries": tuple(_boundaries(read, studies)) or None})


def _boundaries(read: VersionExports, studies: Sequence[LayerUnits]) -> Iterator[BoundaryAgreement]:
    """Yield how near annotators' boundaries in recordings are, layer by layer."""
    for study, annotations, layer in zip(studies, read.annotations, read.version.layers, strict=True):
        recorded = isinstance(annotations.content, TextMarks) and annotations.content.lengths
        if recorded and isinstance(study.spans, Spans) and annotations.compared != "relations":
            found = measures.boundary_agreement(study.spans, layer.tolerance)
            if found is not None:
                yield found


def _trees(read: VersionExports, studies: Sequence[LayerUnits]) -> Iterator[TreeAgreement]:
    """Yield how people agree on dependency trees, layer by layer."""
    for study, annotations in zip(studies, read.annotations, strict=True):
        content = annotations.content
        if isinstance(content, TextMarks) and content.dependencies and isinstance(study.spans, Spans):
            found = measures.tree_agreement(study.spans, content.dependencies)
            if found is not None:
                yield found


# The parts of a version put together: the model of results.json.


def results_of(
    campaign: Campaign,
    read: VersionExports,
    studies: Sequence[LayerUnits],
    figures: Mapping[str, Any],
    names: Pseudonyms,
) -> Results:
    """Return the results of one guidelines version, rounded, without findings; `figures` are its parts.

    `names` are the pseudonyms, which the studies have already.
    """
    content = {
        **_from_campaign(campaign, read, names),
        **_read(read, studies, names),
        **figures,
        "settings": settings(campaign, read.version, names.annotators, everybody_in(read)),
        "catalogue": _catalogue(figures["unit_sets"], figures["spans"]),
        "weightings": weightings_of(_figures_of(figures["unit_sets"], spans=bool(figures["spans"]))),
        "tool": Tool.here(),
    }
    results = as_written(Results, content)
    means = mean_standings(results)
    subjects = {
        layer.id: read_back(subject_of(results, layer.id, _subject_of_layer(layer)))
        for layer in read.version.layers
    }
    standings = means and tuple(map(read_back, means))
    return results.model_copy(update={"standings": standings, "subjects": subjects})


def _subject_of_layer(layer: Layer) -> SubjectId | None:
    """Return the subject that campaign.toml declares; alpha for unitizing is that of recordings."""
    return layer.subject or ("recordings" if layer.coefficient == UNITIZING else None)


def _from_campaign(campaign: Campaign, read: VersionExports, names: Pseudonyms) -> dict[str, Any]:
    """Return what campaign.toml says of the version."""
    version, chosen = read.version, read.chosen
    first = chosen[version.layers[0].id]
    facts = campaign.model_dump(
        mode="json", include={"corpus", "authors", "protocol", "references"}, exclude_none=True
    )
    return {
        "campaign": CampaignFacts(
            id=campaign.id,
            title=campaign.title,
            models=tuple(_declared_models(campaign, everybody_in(read), names)) or None,
            **facts,
        ),
        "guidelines": version.id,
        "revision": Revision(
            date=version.date.isoformat() if version.date else None,
            changes=version.changes,
            document=version.document and names.in_path(version.document),
            was=version.was,
            released=version.released.isoformat() if version.released else None,
            again=version.again,
        ),
        "coefficient": first.coefficient,
        "coefficients": {layer: choice.coefficient for layer, choice in chosen.items()},
        "coefficient_declared": first.declared,
        "choice": chosen,
        "suggested_scales": read.suggested or None,
    }


def _declared_models(
    campaign: Campaign, people: Collection[str], names: Pseudonyms
) -> Iterator[DeclaredModel]:
    """Yield what campaign.toml says of each model that is in the version, in declared order."""
    for name, annotator in campaign.annotators.items():
        if annotator.role == "model" and name in people:
            declared = annotator.model_dump(mode="json", include=set(DeclaredModel.model_fields))
            prompt = names.in_path(annotator.prompt) if annotator.prompt else None
            yield DeclaredModel(annotator=names.annotator(name), **{**declared, "prompt": prompt})


def _read(read: VersionExports, studies: Sequence[LayerUnits], names: Pseudonyms) -> dict[str, Any]:
    """Return what was read, and what became of it."""
    return {
        "reading": _reading(read),
        "distances": [measures.distance_table(distances) for distances in read.distances],
        "marks": sum_of_marks(studies),
        "left_out": marks_left_out(studies),
        "mentions": [
            layer.id
            for layer, annotations in zip(read.version.layers, read.annotations, strict=True)
            if annotations.compared == "mentions"
        ]
        or None,
        "not_compared": not_compared(studies) or None,
        "different_texts": [
            left.model_copy(
                update={
                    "document": names.document(left.document),
                    "file": names.in_path(left.file),
                    "other": names.in_path(left.other),
                }
            )
            for left in read.annotations[0].different_texts
        ]
        or None,
        "material": [_material(study) for study in studies],
        "unread": len(read.unread),
        "inputs": [asdict(source) | {"file": names.in_path(source.file)} for source in read.sources],
    }


def _reading(read: VersionExports) -> str:
    """Return how the exports were understood, and what each layer takes from them."""
    layers = [layer.id for layer in read.version.layers]
    choices = [
        f"{layer}: {annotations.choice}"
        for layer, annotations in zip(layers, read.annotations, strict=True)
        if annotations.choice
    ]
    return " ".join([*dict.fromkeys(annotations.reading for annotations in read.annotations), *choices])


def _material(study: LayerUnits) -> dict[str, Any]:
    material = study.material
    return material.model_dump() | {
        "layer": study.layer,
        "shares": {name: count / material.marks for name, count in material.labels.items()},
        "marks_per_document": material.marks / material.copies if material.copies else None,
        "marks_per_1000_tokens": 1000 * material.marks / material.tokens_seen
        if material.tokens_seen
        else None,
    }


def _catalogue(unit_sets: Sequence[UnitSet], spans: SpanResults | None) -> dict[str, Definition]:
    """Return the definitions of the measures that the results use, in the catalogue's order."""
    used = {"specific_agreement", *_figures_of(unit_sets, spans=bool(spans))}
    if spans:
        used |= {"false_positives", *(name for unitizing in spans.unitizing or () for name in unitizing.used)}
    for unit_set in unit_sets:
        used |= {name for pair in unit_set.pairs for name in pair.symmetry}
        if unit_set.pairs:
            used |= set(ids_with(lambda measure: measure.kind == "table"))
        if unit_set.pairs and (unit_set.sets or len(unit_set.categories) > 2):
            used |= set(ids_with(lambda measure: "pair" in measure.against_rest))
    bases = {base_id(name) for name in used}
    return {name: definition for name, definition in definitions().items() if name in bases}


def _figures_of(unit_sets: Iterable[UnitSet], *, spans: bool) -> set[str]:
    """Return the ids of all figures of unit sets and their pairs, and of spans where there are some."""
    figures = (
        {f"{share}[{mode}]" for share in measures.MARK_FIGURES for mode in measures.MODES}
        if spans
        else set[str]()
    )
    for unit_set in unit_sets:
        figures |= {*unit_set.measures, *unit_set.mean_over_pairs}
        figures |= {name for pair in unit_set.pairs for name in pair.measures}
    return figures
