"""What the files of a campaign say: its exports, layer by layer, and what is compared in each."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from reportgen import campaign as asked
from reportgen.agreement import CATALOGUE
from reportgen.campaign import Campaign, DistanceTable, Layer, UnitSet, Version
from reportgen.errors import BadInput, Problem, did_you_mean
from reportgen.files import Source, read_bytes, source
from reportgen.formats import Annotations, ReadOptions, TextMarks, read_layers
from reportgen.study import SEPARATOR, Declaration, Request, Study, build_study, unknown_to_distances

CONFIGURATION = "campaign.toml"
MOST_COMMON = "krippendorff_alpha"
# What counts as a unit in texts where the campaign does not say.
TOKENS = UnitSet(id="tokens", units="tokens", primary=True)

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")
Progress = Callable[[str], None]


@dataclass(frozen=True)
class Read:
    """One guidelines version as its files say: exports by layer, and what is compared in each."""

    version: Version
    annotations: Sequence[Annotations]
    studies: Sequence[Study]
    distances: Sequence[DistanceTable]
    sources: Sequence[Source]


def read_campaign(campaign: Campaign, progress: Progress = lambda _: None) -> list[Read]:
    """Return what the files of every guidelines version say, with every problem in them at once."""

    def read(version: str) -> Read:
        progress(f"{campaign.id} {version}: reading exports")
        return read_version(campaign, campaign.version(version))

    return _all(campaign.versions, read)


def read_version(campaign: Campaign, version: Version) -> Read:
    """Return what the files of one guidelines version say, with every problem in them at once."""
    annotations = _read_layers(campaign, version)
    distances = version.distance_tables()
    labels = [each.content.labels for each in annotations]
    tables = [(table, _shown(campaign, table.file)) for table in distances]
    problems = [*_coefficients(campaign, version), *unknown_to_distances(labels, version.layers, tables)]
    pairs = zip(version.layers, annotations, strict=True)
    studies, more = _tried(pairs, lambda pair: _study_layer(campaign, version, *pair))
    if problems or more:
        raise BadInput([*problems, *more])
    sources = {
        each.file: each
        for each in (*_own_sources(campaign, version), *(s for a in annotations for s in a.sources))
    }
    return Read(version, annotations, studies, distances, tuple(sources.values()))


def _coefficients(campaign: Campaign, version: Version) -> Iterator[Problem]:
    """Yield a problem for each primary coefficient that is none, or has a distance that is not there."""
    measures = ["observed_agreement", *(each.id for each in CATALOGUE if each.kind == "coefficient")]
    distances = [*(distance.id for distance in version.distances), *asked.MEASURE_DISTANCES]
    for layer in version.layers:
        name, bracket, distance = (layer.coefficient or MOST_COMMON).removesuffix("]").partition("[")
        wrong = None
        if name not in measures:
            wrong = f'no coefficient is called "{name}".', did_you_mean(name, measures)
        elif bracket and distance not in distances:
            wrong = f'no distance is called "{distance}".', did_you_mean(distance, distances)
        if wrong:
            yield asked.placed(campaign, Problem("", 0, "task.coefficient", *wrong), version.id, layer.id)


def _shown(campaign: Campaign, file: str) -> str:
    """Return the name of a campaign's file as the user would type it."""
    return (Path(campaign.name) / file).as_posix()


def _read_layers(campaign: Campaign, version: Version) -> list[Annotations]:
    exports = [(file.path, file.name) for file in version.exports]
    try:
        return read_layers(exports, _options(version), [layer.source for layer in version.layers])
    except BadInput as error:
        raise BadInput(_of_exports(campaign, version, each) for each in error.problems) from None


def _of_exports(campaign: Campaign, version: Version, problem: Problem) -> Problem:
    """Return a problem of the exports; one of columns stands where campaign.toml chooses them."""
    if problem.file and not problem.key.startswith("columns."):
        return replace(problem, file=_shown(campaign, problem.file))
    if problem.file:
        message = f"{_shown(campaign, problem.file)}: {problem.message}"
        problem = Problem("", key=problem.key, message=message, mend=problem.mend)
    return asked.placed(campaign, _of_layer(campaign, problem), version.id)


def _of_layer(campaign: Campaign, problem: Problem) -> Problem:
    """Return the problem of a layer's source; where no layer is declared, it is one of the exports."""
    undeclared = problem.key.startswith("layers.") and not campaign.layers
    return replace(problem, key="") if undeclared else problem


def _study_layer(campaign: Campaign, version: Version, layer: Layer, annotations: Annotations) -> Study:
    try:
        return build_study(annotations, _request(campaign, version, layer, annotations))
    except BadInput as error:
        raise BadInput(
            asked.placed(campaign, each, version.id, layer.id) for each in error.problems
        ) from None


def _options(version: Version) -> ReadOptions:
    reading = version.reading
    columns = {
        key: value for key, value in reading.columns.model_dump(by_alias=True).items() if value is not None
    }
    return ReadOptions(
        format=reading.format,
        columns=columns,
        set_separator=reading.set_separator,
        missing=reading.missing,
        normalise=reading.normalise,
        annotators=reading.annotators or None,
        path=reading.path,
    )


def _request(campaign: Campaign, version: Version, layer: Layer, annotations: Annotations) -> Request:
    declarations = [
        Declaration(unit_set, version.sizes(unit_set), campaign.file, f"unit_sets.{place}")
        for place, unit_set in enumerate(version.unit_sets, 1)
    ]
    if isinstance(annotations.content, TextMarks) and not campaign.unit_sets:
        declarations = [Declaration(TOKENS, None, campaign.file, "unit_sets.1")]
    return Request(
        task=layer,
        unit_sets=declarations,
        roles={name: each.role for name, each in campaign.annotators.items()},
        same_as={name: each.same_as for name, each in campaign.annotators.items() if each.same_as},
        file=campaign.file,
        layer=layer.id,
        separator=version.reading.set_separator or SEPARATOR,
    )


def _own_sources(campaign: Campaign, version: Version) -> Iterator[Source]:
    """Yield what provenance records of campaign.toml and the files that it names beside the exports."""
    sizes = [unit_set.size for unit_set in version.unit_sets if isinstance(unit_set.size, str)]
    documents = [version.document] if version.document else []
    for name in (CONFIGURATION, *documents, *(distance.file for distance in version.distances), *sizes):
        yield source(name, read_bytes(campaign.folder / name, _shown(campaign, name)))


def everybody(annotations: Annotations) -> Iterator[str]:
    """Yield whose marks are used and whose are left out: the report tells of both."""
    yield from annotations.content.annotators
    yield from (each.annotator for each in annotations.left_out if each.annotator)


def _tried(items: Iterable[Item], step: Callable[[Item], Outcome]) -> tuple[list[Outcome], list[Problem]]:
    """Return what the step makes of each item, and the problems of those where it fails."""
    outcomes: list[Outcome] = []
    problems: list[Problem] = []
    for item in items:
        try:
            outcomes.append(step(item))
        except BadInput as error:
            problems.extend(error.problems)
    return outcomes, problems


def _all(items: Iterable[Item], step: Callable[[Item], Outcome]) -> list[Outcome]:
    """Return what the step makes of each item; where some fail, raise the problems of all of them."""
    outcomes, problems = _tried(items, step)
    if problems:
        raise BadInput(problems)
    return outcomes
