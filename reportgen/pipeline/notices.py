"""What the user should know about a campaign although it stops nothing."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from reportgen import campaign as asked
from reportgen.base.errors import Problem, quoted, quoted_key
from reportgen.campaign import Campaign
from reportgen.catalogue import measure_of
from reportgen.pipeline.build_cache import NOT_READ
from reportgen.pipeline.reading import VersionExports, everybody_in
from reportgen.readers import CountedLayer, Ratings, members_of
from reportgen.readers.reader import separator_or_default
from reportgen.readers.scales import IN_SETS, separator_of
from reportgen.units import (
    CONTROL,
    REJECTED,
    REPEATED,
    Expected,
    LayerUnits,
    alike_annotators,
    label_faults,
    label_table,
    repeated_labels,
)
from reportgen.units.label_checks import contradiction

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
