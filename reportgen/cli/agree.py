"""Figures without a campaign: every one of a file, and what to beware of in its labels."""

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import get_args

from pydantic import ValidationError

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, alternatives, did_you_mean, for_each, reason, refused
from reportgen.campaign import (
    MEASURE_DISTANCES,
    Distance,
    DistanceMatrix,
    ReplacementRule,
    Scale,
    Task,
    Units,
    UnitSet,
    read_distances,
)
from reportgen.campaign.guidelines import by_design
from reportgen.campaign.toml_tables import Unfit, export_files
from reportgen.catalogue import BRACKETS, CATALOGUE, measure_of
from reportgen.cli.asking import answers_to, asked, doubt_labels, may_ask, tried, with_what_each_gives
from reportgen.counts import count, count_comparisons, count_marks
from reportgen.measures import analyse, analyse_comparisons, setting_of, unit_set
from reportgen.measures.analysis import may_be_conditions
from reportgen.measures.sets import are_single, separator_left
from reportgen.readers import Annotations, Ratings, ReaderOptions, TextMarks, read_export
from reportgen.readers.reader import is_reference, separator_or_default
from reportgen.readers.scales import FoundScale, find_scale_told
from reportgen.readers.survey import label_counts, scale_of
from reportgen.results import UnitSet as UnitSetResults
from reportgen.results import as_written
from reportgen.results.annotators import (
    Comparisons,
    Judge,
    ModelsBesideAgreement,
    ModelsBesideOneHuman,
    Replacement,
)
from reportgen.units import (
    DeclaredUnitSet,
    Expected,
    LabelFault,
    LayerSettings,
    LayerUnits,
    alike_annotators,
    build_study,
    label_faults,
    label_table,
    repeated_labels,
    unknown_to_distances,
)
from reportgen.units.label_checks import MISSING, contradiction
from reportgen.units.unit_sets import ANNOTATOR
from reportgen.words.numbers import counted

LAYER, ID = "main", "ratings"
MODEL = "model"
OPTIONS = {
    "columns": "--columns",
    "annotators": "--annotators",
    "task.scale": "--scale",
    "task.categories": "--categories",
    "task.non_annotated": "--non-annotated",
    "replacement": "--model",
    "replacement.epsilon": "--epsilon",
    "replacement.score": "--score",
    "replacement.expert": "--expert",
}


@dataclass(frozen=True)
class AgreementRequest:
    """What `reportgen agree` is asked: the file, and how to read and compare it.

    `models` are the annotators that may take a human's place, by the `rule`, which has keys of [replacement].
    """

    file: Path
    reading: ReaderOptions
    # What labels are says it where nobody does.
    scale: Scale | None = None
    categories: tuple[str, ...] = ()
    non_annotated: str | None = None
    distances: Sequence[Path] = field(default=())
    # Whether more is asked for than the terminal shows: benchmarks, planning.
    complete: bool = True
    models: tuple[str, ...] = ()
    rule: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class AgreementResult:
    """Every figure of the file, how it was read, which figure the scale calls for, and what to beware of."""

    unit_set: UnitSetResults
    reading: str
    primary: str
    notices: tuple[Problem, ...] = ()


def agree(question: AgreementRequest, *, ask: bool = False) -> AgreementResult:
    """Return every figure of one CSV: ratings, wide or long, or a confusion matrix.

    Where the file can be read in several ways, somebody at a terminal is asked, if `ask` says so. Raises
    BadInput with all that is wrong; what an option says wrong is named by the option.
    """
    name = str(question.file)
    try:
        return _answer(question, name)
    except BadInput as error:
        problems, answers = error.problems, answers_to(error, question.reading)

    def give(reading: ReaderOptions) -> str:
        return _in_short(_answer(replace(question, reading=reading, complete=False), name))

    answers = tried(answers, give)
    if answers and ask and may_ask() and (chosen := asked(problems[0], answers)):
        return agree(replace(question, reading=chosen.reading), ask=ask)
    if answers:
        problems = (with_what_each_gives(problems[0], answers),)
    raise BadInput(_with_option(problem, name) for problem in problems)


def _in_short(result: AgreementResult) -> str:
    """Return in a few words what a file gives: who, how much, and the figure that the scale calls for."""
    found, estimate = result.unit_set, result.unit_set.measures.get(result.primary)
    value = "" if estimate is None or estimate.value is None else f" {estimate.value:.3f}"
    return (
        f"{counted(len(found.annotators), 'annotator', 'annotators')}, "
        f"{counted(found.units, 'unit', 'units')}, {measure_of(result.primary).name}{value or ' undefined'}"
    )


def _with_option(problem: Problem, name: str) -> Problem:
    """Return a problem that speaks of a key of campaign.toml with the option for it."""
    option = OPTIONS.get(problem.key)
    if option is None or problem.file not in {"", name} or problem.line:
        return replace(problem, file=problem.file or name)
    return replace(problem, key=option, remedy=problem.remedy.replace("under categories", f"with {option}"))


def _answer(question: AgreementRequest, name: str) -> AgreementResult:
    rule = _rule(question)
    _task(question, FoundScale())  # what the options say wrong comes first
    # No message names a unit.
    engine = replace(question.reading.engine, kinds=True)
    annotators = (*question.reading.annotators, *question.models) if question.reading.annotators else None
    options = replace(question.reading, engine=engine, annotators=annotators)
    annotations, options, found = _read(question, options, name)
    task = _task(question, found)
    _require_models(annotations, question.models)
    tables = _distances(question.distances, task, annotations.content.labels)
    files = [(table, table.file) for table in tables]
    if missing := unknown_to_distances([annotations.content.labels], [task], files):
        raise BadInput(missing)
    # What is marked in recordings, tokens of texts, items of a table.
    in_texts = isinstance(annotations.content, TextMarks)
    recorded = isinstance(annotations.content, TextMarks) and annotations.content.lengths
    kind: Units = "annotated-by-any" if recorded else "tokens" if in_texts else "items"
    declaration = DeclaredUnitSet(UnitSet(id=ID, units=kind, primary=True), None, name, "")
    separator = options.set_separator
    # A reference that is named among the annotators to compare is meant to be one of them.
    roles = dict.fromkeys(question.reading.annotators or (), ANNOTATOR)
    roles |= dict.fromkeys(question.models, MODEL)
    request = LayerSettings(
        task,
        [declaration],
        roles,
        {},
        name,
        LAYER,
        separator_or_default(separator),
        split=separator is not None,
    )
    study = build_study(annotations, request)
    units = study.unit_sets[0]
    counts = count(units)
    agreement = analyse(units, counts, setting_of(units, tables), [counts.profiles.shared])
    primary = by_design([task.scale]).coefficient
    called = dict.fromkeys(annotations.called_references, "a reference")
    called |= dict.fromkeys(annotations.called_models, "a model")
    taken = {name: what for name, what in called.items() if name not in roles}
    _require_people(study, [who for who, what in taken.items() if what == "a model"], name)
    notices = (
        *_notices(study, taken, name),
        *_unasked(study, roles, name),
        *_label_notices(annotations, study, task, request, name),
    )
    results = as_written(UnitSetResults, unit_set(agreement, study, complete=question.complete))
    if rule and not question.rule and _has_one_human(study):
        results = _beside_one_human(results, study, tables, primary)
    elif rule:
        beside = _replacement_of(annotations, study, tables, rule)
        results = ModelsBesideAgreement.model_construct(**dict(results), replacement=beside)
        notices = (*notices, *_no_consensus(results, name))
    is_found = (question.scale is None and found.scale != "nominal") or found.doubt
    said = f" {found.sentence}" if is_found else found.absence
    reading = f"{annotations.reading}{said}"
    further = (*_undivided_sets(results, name), *_conditions(results, name))
    return AgreementResult(results, reading, primary, (*notices, *further))


def _read(
    question: AgreementRequest, options: ReaderOptions, name: str
) -> tuple[Annotations, ReaderOptions, FoundScale]:
    """Return what is in the file, how it was read at last, and the scale that its labels are on."""
    files = _files(question.file, name)
    annotations = read_export(files, options)
    # Distances of one's own are between names.
    if question.scale is not None or question.distances:
        return annotations, options, FoundScale(question.scale or "nominal")
    found = scale_of(annotations, question.categories)
    if isinstance(annotations.content, Ratings) and annotations.attendance is None:
        labels = label_counts(annotations)
        found = find_scale_told(found, labels, dict.fromkeys(options.labels.values(), False))
        if not question.categories:
            doubt_labels(labels, found, question.reading, name)
    own = replace(
        options,
        set_separator=options.set_separator or found.separator,
        missing=(*options.missing, *found.missing),
    )
    if own != options:
        annotations = read_export(files, own)
    return annotations, own, found


def _files(file: Path, name: str) -> list[tuple[Path, str]]:
    """Return a file with its name, or all files of a folder that a campaign's exports would have."""
    if not file.is_dir():
        return [(file, name)]
    try:
        inside = [path.name for path in file.iterdir() if not path.name.startswith(".")]
        return [(path, shown) for path, shown in export_files(file, inside)]
    except OSError as error:
        message = f"can't be read: {reason(error)}."
        raise refused(name, message=message, remedy="Check that you may read the folder.") from None
    except Unfit as unfit:
        raise refused(name, message=unfit.message, remedy=unfit.remedy) from None


def _replacement_of(
    annotations: Annotations, study: LayerUnits, tables: Sequence[DistanceMatrix], rule: ReplacementRule
) -> Replacement:
    """Return what models are worth beside the humans: by marks in texts, or by labels of units."""
    from reportgen.measures.annotators.alternative_annotator import (
        compares_marks,
        replacement,
        replacement_of_marks,
    )

    if study.spans and compares_marks(annotations, rule):
        marks = count_marks(study.spans, tables)
        return replacement_of_marks(marks.spans, marks.outcomes, rule)
    compared = study.compared[0]
    return replacement(compared, setting_of(compared.units, tables), rule)


def _has_one_human(study: LayerUnits) -> bool:
    """Say whether there is one person beside models: nobody else whose place one could take."""
    return bool(study.compared) and len(study.compared[0].of_role(ANNOTATOR)) == 1


def _beside_one_human(
    results: UnitSetResults, study: LayerUnits, tables: Sequence[DistanceMatrix], coefficient: str
) -> ModelsBesideOneHuman:
    """Return what models are worth beside one human, or beside the reference where there is one."""
    from reportgen.measures.annotators.judges import judges_of

    compared = study.compared[0]
    setting = setting_of(compared.units, tables)
    found = analyse_comparisons(compared, count_comparisons(compared), setting, coefficient)
    return ModelsBesideOneHuman.model_construct(
        **dict(results),
        comparisons=as_written(Comparisons, Comparisons(sets=(), pairs=found.pairs)).pairs,
        judges=tuple(as_written(Judge, judge) for judge in judges_of(compared)),
    )


def _rule(question: AgreementRequest) -> ReplacementRule | None:
    """Return what it takes to take a human's place; raise BadInput where it is said and nobody would."""
    if question.rule and not question.models:
        key = OPTIONS[f"replacement.{next(iter(question.rule))}"]
        message = "says what it takes to take a human's place, but nobody is named who would."
        raise refused(key, message=message, remedy="Name a model with --model.")
    if not question.models:
        return None
    from reportgen.measures.annotators.alternative_annotator import rule_from

    return rule_from(question.rule)


def _require_models(annotations: Annotations, models: Sequence[str]) -> None:
    """Raise BadInput for a model that labelled nothing, or that is a reference by its name."""
    annotators = annotations.content.annotators
    problems = []
    for name in models:
        if name not in annotators:
            message, remedy = f'"{name}" labelled nothing.', did_you_mean(name, annotators)
            problems.append(Problem("--model", message=message, remedy=remedy))
        if name in annotations.called_references:
            message = (
                f'"{name}" is called like a reference, which is not compared with what was made from it.'
            )
            problems.append(Problem("--model", message=message, remedy="Rename it where it is a model."))
    if problems:
        raise BadInput(problems)


def _no_consensus(results: ModelsBesideAgreement, file: str) -> Iterator[Problem]:
    """Yield that two humans are no consensus."""
    if results.replacement.comparison_only:
        message = (
            "there are two humans, each of whom is compared with the other alone: there is no consensus."
        )
        yield Problem(file, message=message, remedy="With a third, the test says more.")


def _require_people(study: LayerUnits, models: Sequence[str], file: str) -> None:
    """Raise BadInput where models leave a single person: the user has to say whom to compare."""
    people = study.unit_sets[0].annotators
    if models and len(people) < 2:
        message = (
            f"has labels of one person, {alternatives(people, 'and')}, and of models, as names suggest: "
            f"{alternatives(models, 'and')}."
        )
        both = ",".join((*people, models[0]))
        remedy = (
            f"Check the model by this person: --model {models[0]}; or take both alike: --annotators {both}."
        )
        raise refused(file, message=message, remedy=remedy)


def _unasked(study: LayerUnits, roles: Mapping[str, str], file: str) -> Iterator[Problem]:
    """Yield references by name that are compared as annotators although nobody asked for it."""
    people = study.unit_sets[0].annotators
    names = [name for name in people if is_reference(name) and name not in roles]
    if 0 < len(names) < len(people):
        is_compared = "are compared as annotators" if len(names) > 1 else "is compared as an annotator"
        message = f"{alternatives(names, 'and')} {is_compared}, despite a name like that of a reference."
        yield Problem(file, message=message, remedy="Name all annotators with --annotators if that is meant.")


def _notices(study: LayerUnits, called: Mapping[str, str], file: str) -> Iterator[Problem]:
    """Yield who was not taken for an annotator, and labels that contradict others."""
    for name, what in called.items():
        message = f'"{name}" was taken for {what}, by its name, and is not among the annotators.'
        or_test = ", or with --model to compare it with them" if what == "a model" else ""
        yield Problem(
            file, message=message, remedy=f"Name it with --annotators to count it among them{or_test}."
        )
    if study.contradicting:
        message, remedy = contradiction(
            study.contradicting, study.contradicting_at, "--columns pass=…", "--scale set"
        )
        yield Problem(file, message=message, remedy=remedy)


def _conditions(unit_set: UnitSetResults, file: str) -> Iterator[Problem]:
    """Yield that what the table calls documents may be conditions, of which there are no more to annotate."""
    if may_be_conditions(unit_set):
        documents = counted(unit_set.documents_compared, "document", "documents")
        message = f"{unit_set.units_compared:,} units are in {documents}."
        remedy = (
            "If these are conditions, such as topics or groups, intervals are wrong: use the column of units "
            "for documents too, with --columns document=…."
        )
        yield Problem(file, message=message, remedy=remedy)


def _undivided_sets(unit_set: UnitSetResults, file: str) -> Iterator[Problem]:
    """Yield that nothing takes labels apart although they are sets."""
    sets = unit_set.sets
    if sets and sets.names and are_single(sets):
        message = "no set has more than one label, so that figures such as [masi] are the nominal ones."
        yield Problem(file, message=message)
    if sets and (are_single(sets) or unit_set.several) and (sign := separator_left(sets)):
        message = f'labels contain "{sign}", and each of them counts as one label, not as a set.'
        yield Problem(file, message=message, remedy=f'Take them apart with --set-separator "{sign}".')


def _task(question: AgreementRequest, found: FoundScale) -> Task:
    repeated = sorted(name for name, times in Counter(question.categories).items() if times > 1)
    if repeated:
        remedy = "Name each category once."
        raise BadInput(
            Problem("--categories", message=f'has "{name}" more than once.', remedy=remedy)
            for name in repeated
        )
    return Task(
        categories=question.categories or found.order,
        non_annotated=question.non_annotated,
        scale=question.scale or found.scale,
    )


def _distances(files: Sequence[Path], task: Task, labels: Sequence[str]) -> list[DistanceMatrix]:
    """Read the distances among the labels; each table is called after its file."""
    categories = (*task.categories, *labels)
    unmarked = [task.non_annotated] if task.non_annotated is not None else []
    tables: list[DistanceMatrix] = []

    def read(file: Path) -> None:
        name = _distance_name(file, [table.id for table in tables])
        table = read_distances(file, str(file), among=categories, unplaced=unmarked, taxonomy=None)
        tables.append(replace(table, id=name))

    for_each(dict.fromkeys(files), read)
    return tables


def _built_in_distance(file: Path) -> Problem:
    """Return the problem of a file that is called like weights that are built in, or like other figures."""
    name = file.stem.casefold()
    weights_by_scale = {scale: _weights(scale) for scale in get_args(Scale)}
    every = ", ".join(dict.fromkeys(weight for weights in weights_by_scale.values() for weight in weights))
    scales = " or ".join(
        scale for scale, weights in weights_by_scale.items() if name in weights and scale != "nominal"
    )
    rename = " Distances of your own need a file of another name." if file.exists() else ""
    if scales:
        message = f'"{name}" is built in and needs no file, as are {every}.'
        remedy = f"Take the figures with [{name}] behind their names, which --scale {scales} prints.{rename}"
    else:
        message = f'"{name}" names figures and no distances; built in are {every}.'
        remedy = f"Take them from the figures with their names in brackets, as --scale has them.{rename}"
    return Problem("--distance", message=message, remedy=remedy)


def _weights(scale: str) -> list[str]:
    """Return the weights and distances that are in brackets behind figures on a scale."""
    weighted = [measure for measure in CATALOGUE if not measure.forms.isdisjoint(("distances", "weights"))]
    return list(
        dict.fromkeys(
            bracket.id
            for bracket in BRACKETS
            if any(scale in bracket.scales_behind(measure) for measure in weighted)
        )
    )


def _distance_name(file: Path, others: Sequence[str]) -> str:
    """Return what figures call a distance table; raise BadInput where it can't be in brackets behind them."""
    if file.stem.casefold() in MEASURE_DISTANCES:
        raise BadInput([_built_in_distance(file)])
    try:
        name = Distance(id=file.stem, file=file.name).id
    except ValidationError:
        message = f'gives its distances the name "{file.stem}", which can not be in brackets behind a figure.'
        remedy = 'Rename the file: letters, digits, ".", "_" and "-".'
        raise refused(str(file), message=message, remedy=remedy) from None
    if name in others:
        message = f'is the second table of distances called "{name}".'
        raise refused(str(file), message=message, remedy="Rename one of the files.")
    return name


# What looks like an oversight in the labels of a file.


def _label_notices(
    annotations: Annotations, study: LayerUnits, task: Task, request: LayerSettings, file: str
) -> Iterator[Problem]:
    """Yield what looks like an oversight in one file, with the option or the line that settles it."""
    yield from (replace(warning, file=file) for warning in annotations.warnings)
    table = label_table(
        annotations,
        study.unit_sets[0],
        roles=request.roles,
        separator=request.separator if task.scale == "set" else None,
    )
    # A table lists its units, so that each has a label that somebody gave.
    in_tables = isinstance(annotations.content, Ratings) and annotations.attendance is None
    named = task.scale in {"nominal", "set"}
    expected = Expected(task.categories, task.non_annotated, in_tables, named)
    faults = (*alike_annotators(annotations, {}), *label_faults(table, expected))
    for fault in (*faults, *repeated_labels(study.repeated)):
        yield Problem(file, message=fault.message, remedy=_remedy(fault))


def _remedy(fault: LabelFault) -> str:
    """Return what settles a fault in a campaign, and the option that does in a command."""
    if fault.key != MISSING:
        return fault.remedy
    options = " ".join(f"--missing {shlex.quote(label)}" for label in fault.labels)
    return f"{fault.remedy} Here: {options}"
