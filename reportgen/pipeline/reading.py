"""What the files of a campaign say: its exports, layer by layer, and what is compared in each.

What the user should know about a campaign although it stops nothing.
"""

import contextlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path

import numpy as np

from reportgen import campaign as asked
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, did_you_mean, quoted, quoted_key, tried, with_extra
from reportgen.base.files import InputFile, read_bytes, source
from reportgen.base.progress import Steps, expect
from reportgen.campaign import Campaign, ControlItems, DistanceMatrix, Layer, UnitSet, Version
from reportgen.campaign.guidelines import by_design, choose
from reportgen.campaign.toml_tables import Columns, ReadOptions
from reportgen.catalogue import BY_ID, forms_of, ids_with, measure_of
from reportgen.counts import count, require_agreement
from reportgen.measures import analyse, gamma_is_installed, setting_of
from reportgen.measures.annotators.adjudication import adjudicate, with_reference
from reportgen.measures.annotators.decisions import LayerAdjudication
from reportgen.measures.annotators.groups import ToldGroups, told
from reportgen.measures.annotators.quality import rejected
from reportgen.pipeline.build_cache import NOT_READ
from reportgen.pipeline.counting import ITEMS, CountRequest, as_counts
from reportgen.readers import (
    Annotations,
    CountedLayer,
    Engine,
    Ratings,
    ReaderOptions,
    TextMarks,
    cleaned_labels,
    members_of,
    read_layers,
)
from reportgen.readers.engine import VeryManyKinds
from reportgen.readers.reader import ANNOTATOR, is_side_file, separator_or_default
from reportgen.readers.scales import IN_SETS, LISTS, FoundScale, separator_of
from reportgen.readers.survey import scale_of, without_labels
from reportgen.readers.untrusted import unpacked_together
from reportgen.results import Choice, SuggestedScale
from reportgen.units import (
    CONTROL,
    REJECTED,
    REPEATED,
    SEPARATOR,
    DeclaredUnitSet,
    Expected,
    LayerSettings,
    LayerUnits,
    alike_annotators,
    build_study,
    fits_relations,
    label_faults,
    label_table,
    other_distances,
    repeated_labels,
    unknown_to_distances,
)
from reportgen.units.label_checks import contradiction

MOST_COMMON = "krippendorff_alpha"
UNITS = re.compile(r"unit_sets\.\d+\.units")
# What counts as a unit where the campaign does not say: in tables each item, ITEMS; in texts every token that
# annotators read. Attributes and relations are not of tokens, and recordings have none; of these, each place
# where somebody says that there is one.
TOKENS = UnitSet(id="tokens", units="tokens", primary=True)
MARKED = UnitSet(id="marked", units="annotated-by-any", primary=True)


@dataclass(frozen=True)
class VersionExports:
    """One guidelines version as its files say: exports by layer, and what is compared in each.

    `suggested` has the scale that labels suggest of each layer of which nobody declares any.
    `chosen` has the primary coefficient of each layer; `everybody` the studies of layers from which control
    items made somebody rejected, with them; `requests` what was asked of each layer. `groups` are those of
    annotators that may be named.
    """

    version: Version
    annotations: Sequence[Annotations]
    studies: Sequence[LayerUnits]
    distances: Sequence[DistanceMatrix]
    sources: Sequence[InputFile]
    chosen: Mapping[str, Choice]
    adjudications: Sequence[LayerAdjudication] = ()
    everybody: Mapping[str, LayerUnits] = field(default_factory=dict)
    requests: Sequence[LayerSettings] = ()
    suggested: Mapping[str, SuggestedScale] = field(default_factory=dict)
    groups: ToldGroups = field(default_factory=ToldGroups)

    @property
    def unread(self) -> list[str]:
        """Return the files that no reader knows, but for those that tell of a folder, such as README."""
        names = {name for annotations in self.annotations for name in annotations.unread}
        return sorted(name for name in names if not is_side_file(name))


def read_campaign(campaign: Campaign, progress: Steps = lambda _: None) -> list[VersionExports]:
    """Return what the files of every guidelines version say, with every problem in them at once."""

    def read(version: str) -> VersionExports:
        progress(f"{campaign.id} {version}: reading exports")
        return read_version(campaign, campaign.version(version))

    expect_files(campaign, campaign.versions)
    with unpacked_together():
        versions, problems = tried(campaign.versions, read)
    if missing := [*_without_gamma(campaign, versions), *problems]:
        raise BadInput(missing)
    groups = groups_told(campaign, versions)
    return [replace(read, groups=groups) for read in versions]


def groups_told(campaign: Campaign, versions: Sequence[VersionExports]) -> ToldGroups:
    """Return which groups of annotators may be named in all of some versions, under names of exports.

    What campaign.toml says of somebody counts before what exports say. Who is not a human annotator, or is
    another in another version, is in no group.
    """
    attributes: dict[str, None] = {}
    known: dict[str, dict[str, set[str]]] = {}
    present: dict[str, set[tuple[str, str]]] = {}
    for read in versions:
        for annotations, study in zip(read.annotations, read.studies, strict=True):
            for name, own in annotations.groups.items():
                for attribute, value in own.items():
                    known.setdefault(name, {}).setdefault(attribute, set()).add(value)
            for units in study.unit_sets:
                for code in np.unique(units.annotator).tolist():
                    present.setdefault(units.annotators[code], set()).add((read.version.id, study.layer))
        attributes |= dict.fromkeys(read.version.reading.columns.group)
    people = {
        name: {attribute: min(values) for attribute, values in own.items() if len(values) == 1}
        for name, own in known.items()
    }
    for name, annotator in campaign.annotators.items():
        attributes |= dict.fromkeys(annotator.group)
        if "group" in annotator.model_fields_set:
            people[name] = annotator.group
    there = {name: frozenset(places) for name, places in present.items()}
    return told(tuple(attributes), people, there, campaign.privacy.smallest)


def expect_files(campaign: Campaign, versions: Iterable[str]) -> None:
    """Tell how many export files of some versions are to be read."""
    with contextlib.suppress(BadInput):  # said when they are read
        expect("files", sum(len(campaign.version(version).exports) for version in versions))


def _without_gamma(campaign: Campaign, versions: Sequence[VersionExports]) -> Iterator[Problem]:
    """Yield a problem where gamma is asked for and the package that computes it is not there.

    Counts do not hold where marks begin and end: where they are the exports, nobody computes it.
    """
    exports = [annotations for version in versions for annotations in version.annotations]
    are_exports_complete = not exports or not all(annotations.is_counted for annotations in exports)
    if are_exports_complete and campaign.unitizing.gamma and not gamma_is_installed():
        message = "is true, but the package pygamma-agreement, which computes it, is not installed."
        problem = Problem("", 0, "unitizing.gamma", message, with_extra("gamma"))
        yield asked.placed(campaign, problem, campaign.versions[0])


@dataclass(frozen=True)
class LastRead:
    """What exports said, by version: files that are the same and read in the same way are read once."""

    _layers: dict[str, tuple[object, "Layers"]] = field(default_factory=dict)

    def layers(self, campaign: Campaign, version: Version) -> "Layers":
        """Return the columns of a version's tables, and its layers."""
        sizes = [(file.name, file.path.stat()) for file in version.exports]
        files = [(name, size.st_ino, size.st_size, size.st_mtime_ns) for name, size in sizes]
        earlier = campaign.earlier_columns(version.id)
        key = (campaign.folder, files, _options(version), [layer.source for layer in version.layers], earlier)
        known = self._layers.get(version.id)
        if known is None or not files or known[0] != key:
            known = self._layers[version.id] = key, _read_layers(campaign, version)
        return known[1]


def read_version(campaign: Campaign, version: Version, last: LastRead | None = None) -> VersionExports:
    """Return what the files of one guidelines version say, with every problem in them at once."""
    columns, annotations = last.layers(campaign, version) if last else _read_layers(campaign, version)
    version = _with_columns(version, columns)
    labels = [layer.content.labels for layer in annotations]
    distances = version.distance_tables([name for names in labels for name in names])
    tables = [(table, _shown(campaign, table.file)) for table in distances]
    problems = [
        *_coefficients(campaign, version, annotations),
        *unknown_to_distances(labels, version.layers, tables),
    ]
    requests = _requests(campaign, version, annotations)
    without_controls = [replace(request, controls=None) for request in requests]
    adjudications, wrong = _adjudicated(campaign, version, annotations, requests)
    annotations = [
        with_reference(layer, adjudications[index], without_controls[index]) if adjudications else layer
        for index, layer in enumerate(annotations)
    ]
    pairs = zip(requests, annotations, strict=True)
    both, more = tried(pairs, lambda pair: _layer_units(campaign, version, *pair))
    if problems or wrong or more:
        raise BadInput([*problems, *wrong, *more])
    studies = [study for study, _ in both]
    if others := list(_other_distances(campaign, studies, distances)):
        raise BadInput(others)
    everybody_there = {
        request.layer: everybody_study
        for request, (_, everybody_study) in zip(requests, both, strict=True)
        if everybody_study
    }
    # What provenance records: the files that campaign.toml names beside the exports, and these.
    own = [source(name, read_bytes(campaign.folder / name, _shown(campaign, name))) for name in version.files]
    sources = (*own, *(source for layer in annotations for source in layer.sources))
    files = tuple({source.file: source for source in sources}.values())
    chosen = {layer.id: choose(campaign, version.id, layer.id) for layer in version.layers}
    parts = (version, annotations, studies, distances, files, chosen, adjudications)
    return VersionExports(
        *parts, everybody_there, requests, dict(_suggested(campaign, version, annotations, requests))
    )


# The scale that labels suggest, where campaign.toml declares none: names are not what most numbers are.


def _suggested(
    campaign: Campaign,
    version: Version,
    annotations: Sequence[Annotations],
    requests: Sequence[LayerSettings],
) -> Iterator[tuple[str, SuggestedScale]]:
    """Yield what labels suggest, by layer, with what the coefficient of that scale is."""
    guidelines = campaign.guidelines[campaign.index_of(version.id)]
    declared = {layer.id: layer.model_fields_set for layer in campaign.layers}
    for layer, layer_annotations, request in zip(version.layers, annotations, requests, strict=True):
        said = {*campaign.task.model_fields_set, *guidelines.model_fields_set, *declared.get(layer.id, ())}
        found = scale_of(layer_annotations)
        if "scale" in said or found.scale == "nominal":
            continue
        figure = by_design([found.scale]).coefficient
        yield (
            layer.id,
            SuggestedScale(
                scale=found.scale,
                evidence=found.evidence,
                kind=found.kind,
                low=found.ends[0],
                high=found.ends[1],
                figure=figure,
                value=_on_scale(layer_annotations, request, found, figure),
            ),
        )


def _on_scale(
    annotations: Annotations, request: LayerSettings, found: FoundScale, figure: str
) -> float | None:
    """Return a coefficient on another scale than the request's, None where it can't be computed."""
    separator = found.separator if found.separator not in (None, LISTS) else request.separator
    update = {"scale": found.scale, "categories": found.order or request.task.categories}
    own = replace(request, task=request.task.model_copy(update=update), separator=separator, controls=None)
    missing = {*found.missing}
    try:
        study = build_study(without_labels(annotations, missing) if missing else annotations, own)
    except BadInput:
        return None
    units = next((units for units in study.unit_sets if units.primary), study.unit_sets[0])
    estimate = analyse(units, count(units), setting_of(units, ())).measures.get(figure)
    return estimate.value if estimate else None


def _other_distances(
    campaign: Campaign, studies: Iterable[LayerUnits], tables: Sequence[DistanceMatrix]
) -> Iterator[Problem]:
    """Yield the distances that are others than those by which pairs of marks were counted."""
    other = {name for study in studies if study.spans for name in other_distances(study.spans, tables)}
    for table in tables:
        if table.id in other:
            message = f'are not the distances "{table.id}" by which pairs of marks were counted.'
            remedy = "Take the table that the counts were made with, or give this one another id."
            yield Problem(_shown(campaign, table.file), message=message, remedy=remedy)


def _adjudicated(
    campaign: Campaign,
    version: Version,
    annotations: Sequence[Annotations],
    requests: Sequence[LayerSettings],
) -> tuple[list[LayerAdjudication], list[Problem]]:
    """Return what was decided in each layer, or nothing and what is wrong with it.

    Of units that are known as numbers only nothing can be decided.
    """
    if any(layer.is_counted for layer in annotations):
        return [], list(_not_decided(campaign, version))
    try:
        return adjudicate(campaign, version, annotations, requests, reader_options(version)), []
    except BadInput as error:
        return [], list(error.problems)


def _not_decided(campaign: Campaign, version: Version) -> Iterator[Problem]:
    """Yield the problem of a sheet of decisions where the export is counts."""
    if version.adjudication:
        key = f"guidelines.{campaign.index_of(version.id) + 1}.adjudication"
        message = "decides of units by their names, and the export consists of counts, which have none."
        problem = Problem("", key=key, message=message, remedy="Remove it.")
        yield asked.placed(campaign, problem, version.id)


def _coefficients(
    campaign: Campaign, version: Version, annotations: Sequence[Annotations]
) -> Iterator[Problem]:
    """Yield a problem for each primary coefficient that is not one, or that a layer's scale does not have.

    The verdict on recordings is about alpha for unitizing anyway; its units have a coefficient beside it.
    """
    distances = [distance.id for distance in version.distances]
    for layer, own in zip(version.layers, annotations, strict=True):
        recorded = isinstance(own.content, TextMarks) and bool(own.content.lengths)
        if layer.coefficient == asked.UNITIZING and recorded:
            continue
        wrong = _wrong_coefficient(layer.coefficient or MOST_COMMON, layer.scale, distances)
        if wrong:
            yield asked.placed(campaign, Problem("", 0, "task.coefficient", *wrong), version.id, layer.id)


def _wrong_coefficient(figure: str, scale: str, declared: Sequence[str]) -> tuple[str, str] | None:
    """Return what is wrong with a primary coefficient and how to remedy it, None where nothing is."""
    name, bracket, distance = figure.removesuffix("]").partition("[")
    measures = ids_with(lambda measure: measure.kind == "coefficient" or measure.any_two)
    if name == asked.UNITIZING:
        remedy = "Take krippendorff_alpha; the report has alpha_u beside it, and [gate] takes alpha_u."
        return f'"{name}" is the coefficient of recordings, and these exports are none.', remedy
    if name not in measures:
        return f'no coefficient is called "{name}".', _meant(name, measures)
    forms = forms_of(name, scale, declared)
    if figure in forms:
        return None
    distances = [*declared, *asked.MEASURE_DISTANCES]
    if bracket and distance not in distances:
        return f'no distance is called "{distance}".', did_you_mean(distance, distances)
    if not bracket and "plain" not in BY_ID[name].forms:
        return f'"{name}" needs a distance in brackets.', _offered(forms)
    return f'"{figure}" does not exist where scale = "{scale}".', _offered(forms)


def _offered(forms: Sequence[str]) -> str:
    """Return which figures can be taken instead; there are none where the scale is another one."""
    return f"Take {', '.join(forms)}." if forms else "Take another coefficient, or declare another scale."


def _meant(name: str, measures: Sequence[str]) -> str:
    """Return which coefficients a name may stand for: all that have it as a word, else the nearest."""
    having = [measure for measure in measures if name in measure.split("_")]
    return f"It has {', '.join(having)}." if len(having) > 1 else did_you_mean(name, measures)


def _shown(campaign: Campaign, file: str) -> str:
    """Return the name of a campaign's file as the user would type it."""
    return (Path(campaign.name) / file).as_posix()


# What the columns of a version's tables are, and its layers.
Layers = tuple[Columns, list[Annotations]]


def _with_columns(version: Version, columns: Columns) -> Version:
    return replace(version, reading=version.reading.model_copy(update={"columns": columns}))


def _read_layers(campaign: Campaign, version: Version) -> Layers:
    """Return what a version says; a column that an older version names has its role here too."""
    earlier = campaign.earlier_columns(version.id)
    while earlier:
        columns = version.reading.columns.model_copy(update=earlier)
        try:
            return columns, _layers_of(campaign, _with_columns(version, columns))
        except BadInput as error:
            roles = {problem.key.removeprefix("columns.") for problem in error.problems}
            absent = {role for role in earlier if role.rstrip("_") in roles}
        earlier = {role: name for role, name in earlier.items() if absent and role not in absent}
    try:
        return version.reading.columns, _layers_of(campaign, version)
    except BadInput as error:
        raise BadInput(_of_exports(campaign, version, problem) for problem in error.problems) from None


def _layers_of(campaign: Campaign, version: Version) -> list[Annotations]:
    exports, options = [(file.path, file.name) for file in version.exports], _options(version)
    sources = [layer.source for layer in version.layers]
    bounded = replace(options, engine=replace(options.engine, bounded=_may_be_counted(campaign, version)))
    try:
        return read_layers(exports, bounded, sources)
    except VeryManyKinds:
        # The counts of a table elsewhere, None where they would grow with it.
        layer, paths = version.layers[0], [path for path, _ in exports]
        reading = replace(options, engine=Engine(options.engine.name))
        counts = as_counts(CountRequest(paths, reading, layer.scale, layer.categories, refused=True), exports)
        return [counts] if counts else read_layers(exports, options, sources)


def _may_be_counted(campaign: Campaign, version: Version) -> bool:
    """Say whether the counts of a table elsewhere have all that a campaign asks of it."""
    layer, *others = version.layers
    plain = layer.source is None and layer.scale != "set" and layer.non_annotated is None
    people = campaign.annotators.values()
    return (
        plain
        and all(person.role == ANNOTATOR and not person.same_as for person in people)
        and not (others or campaign.unit_sets or version.adjudication or version.controls)
    )


def _options(version: Version) -> ReaderOptions:
    """Return how the exports of all layers of a version are read."""
    sources = {layer.id: layer.source for layer in version.layers}
    # The source of each layer with candidates, by the key that names it.
    candidates = {
        f"unit_sets.{number}.layer": sources.get(unit_set.layer, unit_set.layer)
        for number, unit_set in enumerate(version.unit_sets, 1)
        if unit_set.layer is not None
    }
    return replace(reader_options(version), candidates=candidates)


def _of_exports(campaign: Campaign, version: Version, problem: Problem) -> Problem:
    """Return a problem of the exports; one of columns is where campaign.toml chooses them."""
    if problem.file and not problem.key.startswith("columns."):
        return replace(problem, file=_shown(campaign, problem.file))
    if problem.file:
        message = f"{_shown(campaign, problem.file)}: {problem.message}"
        problem = Problem("", key=problem.key, message=message, remedy=problem.remedy)
    # The problem of a layer's source is one of the exports where no layer is declared.
    undeclared = problem.key.startswith("layers.") and not campaign.layers
    return asked.placed(campaign, replace(problem, key="") if undeclared else problem, version.id)


def _study_layer(
    campaign: Campaign, version: Version, request: LayerSettings, annotations: Annotations
) -> LayerUnits:
    files = {source.file for source in annotations.sources}
    try:
        study = build_study(annotations, request)
        if isinstance(annotations.content, CountedLayer):
            require_agreement(annotations.content, study)
    except BadInput as error:
        raise BadInput(
            asked.placed(campaign, _of_study(campaign, problem, files), version.id, request.layer)
            for problem in error.problems
        ) from None
    return study


def _of_study(campaign: Campaign, problem: Problem, files: Collection[str]) -> Problem:
    """Return a problem with its file as the user calls it; each of several layers may have its own units."""
    if problem.file in files:
        return replace(problem, file=_shown(campaign, problem.file))
    if len(campaign.layers) > 1 and UNITS.fullmatch(problem.key):
        remedy = f'{problem.remedy} Or name the layers that it is for: layers = ["…"].'
        return replace(problem, remedy=remedy)
    return problem


def _layer_units(
    campaign: Campaign, version: Version, request: LayerSettings, annotations: Annotations
) -> tuple[LayerUnits, LayerUnits | None]:
    """Return the study of a layer, and that with everybody where control items made somebody rejected."""
    everybody_there = _study_layer(campaign, version, request, annotations)
    names = rejected(everybody_there.controls, request.controls)
    if not names:
        return everybody_there, None
    study = _study_layer(campaign, version, replace(request, rejected=names), annotations)
    return replace(study, controls=everybody_there.controls, passes=everybody_there.passes), everybody_there


def _controls(version: Version, layer: Layer) -> ControlItems | None:
    """Return the control items, their labels cleaned as those of the exports are."""
    controls = version.control_items()
    if controls is None:
        return None
    options = reader_options(version)
    if layer.scale == "set" and not options.set_separator:
        options = replace(options, set_separator=SEPARATOR)
    labels = cleaned_labels([item.label for item in controls.items], options)
    items = [replace(item, label=label) for item, label in zip(controls.items, labels, strict=True)]
    return replace(controls, items=tuple(items))


def reader_options(version: Version) -> ReaderOptions:
    """Return how a version's exports are read."""
    return replace(options_said(version.reading), others=version.others)


def options_said(reading: ReadOptions) -> ReaderOptions:
    """Return what keys of campaign.toml say of how exports are read, as readers take it."""
    named = reading.columns.model_dump(by_alias=True, exclude={"group"})
    columns = {key: value for key, value in named.items() if value is not None}
    return ReaderOptions(
        format=reading.format,
        columns=columns,
        set_separator=reading.set_separator,
        missing=reading.missing,
        rejected=reading.rejected,
        normalise=reading.normalise,
        labels=reading.labels,
        annotators=reading.annotators or None,
        path=reading.path,
        table=reading.table,
        database=reading.database,
        engine=Engine(reading.engine, listed=True),
        headers=reading.headers,
        indicators=reading.indicators,
        header=reading.header,
        skip_rows=reading.skip_rows,
        sheets=reading.sheets,
        fill_down=reading.fill_down,
        turned=reading.turned,
        encoding=reading.encoding,
        decimal=reading.decimal,
        groups=reading.columns.group,
        beside=reading.beside,
    )


def _requests(
    campaign: Campaign, version: Version, annotations: Sequence[Annotations]
) -> list[LayerSettings]:
    """Return what is compared in each layer."""
    declared = [
        DeclaredUnitSet(
            unit_set, version.sizes(unit_set), campaign.file, f"unit_sets.{number}", version.terms(unit_set)
        )
        for number, unit_set in enumerate(version.unit_sets if campaign.unit_sets else (), 1)
    ]
    others = any(layer.compared != "relations" for layer in annotations)
    requests = []
    for layer, layer_annotations in zip(version.layers, annotations, strict=True):
        own = [
            declaration
            for declaration in declared
            if not declaration.unit_set.layers or layer.id in declaration.unit_set.layers
        ]
        request = LayerSettings(
            task=layer,
            unit_sets=_unit_sets_of(campaign, layer_annotations, own, others=others),
            roles={name: person.role for name, person in campaign.annotators.items()},
            same_as={name: person.same_as for name, person in campaign.annotators.items() if person.same_as},
            file=campaign.file,
            layer=layer.id,
            controls=_controls(version, layer),
            separator=separator_or_default(version.reading.set_separator),
            split=version.reading.set_separator is not None,
        )
        requests.append(request)
    return requests


def _unit_sets_of(
    campaign: Campaign, annotations: Annotations, declared: Sequence[DeclaredUnitSet], *, others: bool
) -> Sequence[DeclaredUnitSet]:
    """Return the unit sets of a layer: the declared ones, or what its kind calls for where none is.

    A layer of relations passes over those that cut texts into pieces where they are meant for `others`; where
    nothing is left, or relations are all there is, they stay and are refused.
    """
    if not declared and isinstance(annotations.content, CountedLayer):
        return ()  # whatever was counted
    if not declared:
        by_default = ITEMS
        if isinstance(annotations.content, TextMarks):
            of_tokens = annotations.compared in {"marks", "mentions"} and not annotations.content.lengths
            by_default = TOKENS if of_tokens else MARKED
        return [DeclaredUnitSet(by_default, None, campaign.file, "unit_sets.1")]
    if annotations.compared != "relations" or not others:
        return _with_a_primary(declared)
    fitting = [declaration for declaration in declared if fits_relations(declaration.unit_set)]
    return _with_a_primary(fitting or declared)


def _with_a_primary(declared: Sequence[DeclaredUnitSet]) -> Sequence[DeclaredUnitSet]:
    """Return unit sets of which the first is primary where none is declared to be."""
    if any(declaration.unit_set.primary for declaration in declared):
        return declared
    first = replace(declared[0], unit_set=declared[0].unit_set.model_copy(update={"primary": True}))
    return [first, *declared[1:]]


def everybody(annotations: Annotations) -> Iterator[str]:
    """Yield whose marks are used and whose are left out: the report tells of both."""
    yield from (name for name in annotations.content.annotators if name not in annotations.derived)
    yield from (loss.annotator for loss in annotations.left_out if loss.annotator)


def everybody_in(read: VersionExports) -> frozenset[str]:
    """Return the names of everybody in a version, in any layer."""
    return frozenset(name for annotations in read.annotations for name in everybody(annotations))


# A share of second labels that is no oversight of annotators any more.
MANY_REPEATED = 0.1
# How many files are named that were not read.
FILES_NAMED = 10


def notices(campaign: Campaign, versions: Sequence[VersionExports]) -> Iterator[Problem]:
    """Yield what a campaign asks for in vain, and what looks like an oversight in its exports."""
    yield from asked.idle_keys(campaign)
    yield from asked.unknown_annotators(campaign, set().union(*map(everybody_in, versions)))
    yield from asked.wrong_merges(
        campaign, {version.version.id: _categories(version) for version in versions}
    )
    if campaign.unitizing.gamma and not any(study.spans for version in versions for study in version.studies):
        yield Problem(campaign.file, message="[unitizing] asks for gamma, but no layer has marks in texts.")
    yield from _called(campaign, versions)
    # Files are named as the user would type them.
    warnings = [warning for read in versions for layer in read.annotations for warning in layer.warnings]
    yield from dict.fromkeys(
        replace(warning, file=(Path(campaign.name) / warning.file).as_posix()) for warning in warnings
    )
    yield from _alike(campaign, versions)
    for version in versions:
        yield from _labels(campaign, version)
        yield from _contradicting(campaign, version)
        yield from _too_few(campaign, version)
        yield from _too_many(campaign, version)
        yield from _too_often(campaign, version)
        yield from _not_divided(campaign, version)
        yield from _on_another_scale(campaign, version)
        # The files of a version that no reader knows.
        if version.unread:
            names = [quoted(name) for name in version.unread]
            shown = ", ".join(names[:FILES_NAMED])
            more = f" and {len(names) - FILES_NAMED:,} more" if len(names) > FILES_NAMED else ""
            message = f"version {version.version.id}: not read: {shown}{more}."
            yield Problem(campaign.file, message=message, remedy=NOT_READ)
    # A problem for each control item that no guidelines version has as a unit.
    controls_by_layer = [(study.layer, study.controls) for version in versions for study in version.studies]
    missing = [(layer, set(controls.absent)) for layer, controls in controls_by_layer if controls]
    rule = versions[0].version.control_items() if missing else None
    for item in rule.items if rule else ():
        if rule and all(item.line in lines for layer, lines in missing if layer == item.layer):
            where = f' in the document "{item.document}"' if item.document else ""
            message = f"no export has a unit of this name{where}."
            yield Problem(rule.file, item.line, f"unit {item.unit}", message, "Check the name.")


def _of_layer(
    campaign: Campaign, version: VersionExports, study: LayerUnits, message: str, remedy: str
) -> Problem:
    where = f"version {version.version.id}, layer {study.layer}"
    return Problem(campaign.file, message=f"{where}: {message}", remedy=remedy)


def _categories(read: VersionExports) -> dict[str, None]:
    """Return the categories of a version, each once: those that it declares, and those of its exports."""
    categories: dict[str, None] = {}
    for layer, annotations in zip(read.version.layers, read.annotations, strict=True):
        unmarked = [layer.non_annotated] if layer.non_annotated is not None else []
        labels = list(annotations.content.labels)
        if layer.scale == "set":
            separator = separator_or_default(read.version.reading.set_separator)
            labels = [part.strip() for label in labels for part in label.split(separator)]
        categories |= dict.fromkeys([*layer.categories, *unmarked, *labels])
    return categories


def _called(campaign: Campaign, versions: Sequence[VersionExports]) -> Iterator[Problem]:
    """Yield who is a reference or a model by the name alone, where the campaign says nothing of them."""
    layers = [annotations for read in versions for annotations in read.annotations]
    roles = {name: "reference" for annotations in layers for name in annotations.called_references}
    roles |= {name: "model" for annotations in layers for name in annotations.called_models}
    for name, role in roles.items():
        if name not in campaign.annotators:
            message = f'"{name}" was taken for a {role}, by its name: it is compared with the annotators.'
            remedy = f'Say which it is: role = "{role}" or "annotator" under [annotators.{quoted_key(name)}].'
            yield Problem(campaign.file, message=message, remedy=remedy)


def _alike(campaign: Campaign, versions: Sequence[VersionExports]) -> Iterator[Problem]:
    """Yield annotators who are called nearly the same, once for all versions and layers."""
    same_as = {name: person.same_as for name, person in campaign.annotators.items() if person.same_as}
    told: set[tuple[str, ...]] = set()
    for version in versions:
        for annotations in version.annotations:
            for fault in alike_annotators(annotations, same_as):
                names = tuple(sorted(fault.labels))
                if names not in told:
                    told.add(names)
                    where = f"version {version.version.id}: " if len(campaign.versions) > 1 else ""
                    yield Problem(campaign.file, message=f"{where}{fault.message}", remedy=fault.remedy)


def _labels(campaign: Campaign, version: VersionExports) -> Iterator[Problem]:
    """Yield what looks like an oversight in the labels of each layer, with the line that settles it."""
    roles = {name: annotator.role for name, annotator in campaign.annotators.items()}
    same_as = {
        name: annotator.same_as for name, annotator in campaign.annotators.items() if annotator.same_as
    }
    layers, has_several_layers = version.version.layers, len(version.version.layers) > 1
    for layer, study, annotations in zip(layers, version.studies, version.annotations, strict=True):
        listed = isinstance(annotations.content, Ratings) and annotations.attendance is None
        table = label_table(
            annotations,
            study.unit_sets[0],
            roles=roles,
            same_as=same_as,
            separator=separator_or_default(version.version.reading.set_separator)
            if layer.scale == "set"
            else None,
        )
        expected = Expected(
            categories=layer.categories,
            non_annotated=layer.non_annotated,
            in_tables=listed and not any(unit_set.units_added for unit_set in study.unit_sets),
            named=layer.scale in {"nominal", "set"},
        )
        # The key of a task is the same for all versions; others name their version.
        of_version = [f"version {version.version.id}"] if len(campaign.versions) > 1 else []
        of_layer = [f"layer {layer.id}"] if has_several_layers else []
        for fault in label_faults(table, expected):
            parts = [*(of_version if fault.key.startswith("task.") else []), *of_layer]
            where = f"{', '.join(parts)}: " if parts else ""
            as_counted = isinstance(annotations.content, CountedLayer) and not fault.key.startswith("task.")
            remedy = "Settle it where it was counted, and count again." if as_counted else fault.remedy
            problem = Problem("", 0, fault.key, f"{where}{fault.message}", remedy)
            yield asked.placed(campaign, problem, version.version.id, layer.id)


def _contradicting(campaign: Campaign, version: VersionExports) -> Iterator[Problem]:
    """Yield a problem where annotators gave a unit different labels in one pass, which no file explains."""
    for study in version.studies:
        if study.contradicting:
            file, line = study.contradicting_at
            place = (f"{campaign.name}/{file}" if file else "", line)
            message, remedy = contradiction(
                study.contradicting, place, "columns = { pass = … }", SETS_IN_TOML
            )
            yield _of_layer(campaign, version, study, message, remedy)


SETS_IN_TOML = 'scale = "set" under [task]'


def _on_another_scale(campaign: Campaign, version: VersionExports) -> Iterator[Problem]:
    """Yield what the coefficient is on the scale that labels suggest, where campaign.toml declares none."""
    for study in version.studies:
        if found := version.suggested.get(study.layer):
            value = "" if found.value is None else f": on it, {found.figure} is {found.value:.3f}"
            message = f"labels are compared as names and are {found.evidence}, which is another scale{value}."
            remedy = f'Write scale = "{found.scale}", or scale = "nominal" if they are names.'
            yield _of_layer(campaign, version, study, message, remedy)


def _too_few(campaign: Campaign, version: VersionExports) -> Iterator[Problem]:
    """Yield a problem for each layer in which there are no two annotators to compare."""
    for study in version.studies:
        annotators = {name for units in study.unit_sets for name in units.annotators}
        # A system beside a reference, a model beside one person, and second passes need no two.
        others = study.passes is not None or any(len(own.roles) > 1 for own in study.compared)
        if len(annotators) < 2 and not others:
            number = "no annotator" if not annotators else "a single annotator"
            remedy = "Check annotators, roles and path."
            if study.passed_over.get(REJECTED):
                remedy = (
                    "Control items made the campaign reject annotators: check their labels and reject_below."
                )
            elif study.passed_over.get(CONTROL):
                remedy = "What they share are control items: keep units that are none."
            yield _of_layer(campaign, version, study, f"{number}; agreement needs two.", remedy)


def _too_many(campaign: Campaign, version: VersionExports) -> Iterator[Problem]:
    """Yield a problem for each layer with more annotators than its primary coefficient is for."""
    for layer, study in zip(version.version.layers, version.studies, strict=True):
        measure = layer.coefficient and measure_of(layer.coefficient)
        number = len(study.unit_sets[0].annotators)
        if measure and measure.annotators == "two" and number > 2:
            which = f"version {version.version.id} has {number}"
            message = f"{measure.name} is for two annotators; {which}."
            remedy = "Take krippendorff_alpha, fleiss_kappa or conger_kappa, which are for any number."
            problem = Problem("", 0, "task.coefficient", message, remedy)
            yield asked.placed(campaign, problem, version.version.id, layer.id)


def _too_often(campaign: Campaign, version: VersionExports) -> Iterator[Problem]:
    """Yield a problem where so much is a second pass that units of different files may share their names."""
    for study in version.studies:
        second = study.passed_over.get(REPEATED, 0)
        if len(version.version.exports) == 1 or second <= MANY_REPEATED * study.marks_read:
            for fault in repeated_labels(study.repeated):
                yield _of_layer(campaign, version, study, fault.message, fault.remedy)
        else:
            labels = f"{second:,} of {study.marks_read:,} labels"
            message = f"{labels} are second ones of an annotator on a unit."
            remedy = 'If files are documents with units of the same names, say so: path = "{document}".'
            yield _of_layer(campaign, version, study, message, remedy)


def _not_divided(campaign: Campaign, version: VersionExports) -> Iterator[Problem]:
    """Yield a problem for each layer of sets whose labels nothing takes apart, with what separates them."""
    layers, has_several_layers = version.version.layers, len(version.version.layers) > 1
    for layer, study, annotations in zip(layers, version.studies, version.annotations, strict=True):
        units, chosen = study.unit_sets[0], Counter[str]()
        times = np.bincount(units.label, minlength=len(units.categories)).tolist()
        for members, n in zip(units.sets or (), times, strict=False):
            chosen.update(dict.fromkeys(members, n))
        sign = separator_of(chosen, IN_SETS)
        divided = any(len(members_of(label)) > 1 for label in annotations.content.labels)
        if sign and not divided:
            declared = version.version.reading.set_separator is not None
            where = f"layer {layer.id}: " if has_several_layers else ""
            message = f'{where}labels contain "{sign}", and each of them counts as one label, not as a set.'
            remedy = f'If that separates labels, write set_separator = "{sign}" under [[guidelines]].'
            problem = Problem("", 0, "set_separator" if declared else "task.scale", message, remedy)
            yield asked.placed(campaign, problem, version.version.id, layer.id)
