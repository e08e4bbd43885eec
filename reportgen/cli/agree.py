"""Figures without a campaign: every one of a file, and how many units it takes that is planned."""

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from pydantic import ValidationError

from reportgen.annotators.replacement import replacement, rule_from
from reportgen.base.errors import BadInput, Problem, did_you_mean, for_each
from reportgen.campaign import (
    MEASURE_DISTANCES,
    Distance,
    DistanceMatrix,
    ReplacementRule,
    Scale,
    Task,
    Units,
    UnitSet,
    distances_among,
)
from reportgen.campaign.model import by_design
from reportgen.cli.terminal import add_row, table_of, wrapped
from reportgen.counts import count
from reportgen.findings.sets import are_single, separator_left
from reportgen.measures import (
    HALF_WIDTHS,
    KAPPAS,
    PREVALENCES,
    forms_of,
    setting_of,
    unit_set,
    units_needed,
    units_to_tell,
)
from reportgen.pipeline.computing import analyses
from reportgen.pipeline.notices import contradiction
from reportgen.readers import Annotations, CountedLayer, Ratings, ReaderOptions, TextMarks, read_export
from reportgen.results import UnitSet as UnitSetResults
from reportgen.results import as_written
from reportgen.results.annotators import ModelsBesideAgreement
from reportgen.units import (
    SEPARATOR,
    Declaration,
    Expected,
    LabelFault,
    Request,
    Study,
    build_study,
    label_faults,
    label_table,
    repeated_labels,
    unknown_to_distances,
)

if TYPE_CHECKING:
    from rich.console import Console

LAYER, ID = "main", "ratings"
ANNOTATOR, MODEL = "annotator", "model"
# All that distances weigh.
WEIGHTED = ("krippendorff_alpha", "weighted_kappa", "gwet_ac2")
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
    scale: Scale = "nominal"
    categories: tuple[str, ...] = ()
    non_annotated: str | None = None
    distances: Sequence[Path] = field(default=())
    # Whether more is asked for than the terminal shows: benchmarks, other intervals, planning.
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


def agree(question: AgreementRequest) -> AgreementResult:
    """Return every figure of one CSV: ratings, wide or long, or a confusion matrix.

    Raises BadInput with all that is wrong; what an option says wrong is named by the option.
    """
    name = str(question.file)
    try:
        return _answer(question, name)
    except BadInput as error:
        raise BadInput(_named(problem, name) for problem in error.problems) from None


def _named(problem: Problem, name: str) -> Problem:
    """Return a problem that speaks of a key of campaign.toml with the option that stands for it."""
    option = OPTIONS.get(problem.key)
    if option is None or problem.file not in {"", name} or problem.line:
        return replace(problem, file=problem.file or name)
    return replace(problem, key=option, mend=problem.mend.replace("under categories", f"with {option}"))


def _kind(content: Ratings | TextMarks | CountedLayer) -> Units:
    """Return what counts as a unit: tokens of texts, what is marked in recordings, items of a table."""
    if isinstance(content, TextMarks):
        return "annotated-by-any" if content.lengths else "tokens"
    return "items"


def _answer(question: AgreementRequest, name: str) -> AgreementResult:
    task, rule = _task(question), _rule(question)
    # Nobody is told which unit is which.
    engine = replace(question.reading.engine, kinds=True)
    asked = (*question.reading.annotators, *question.models) if question.reading.annotators else None
    options = replace(question.reading, engine=engine, annotators=asked)
    annotations = read_export([(question.file, name)], options)
    _require_models(annotations, question.models)
    tables = _distances(question.distances, task, annotations.content.labels)
    files = [(table, table.file) for table in tables]
    if missing := unknown_to_distances([annotations.content.labels], [task], files):
        raise BadInput(missing)
    kind = _kind(annotations.content)
    declaration = Declaration(UnitSet(id=ID, units=kind, primary=True), None, name, "")
    separator = question.reading.set_separator
    # Whoever names a reference among the annotators to compare wants it to be one of them.
    roles = dict.fromkeys(question.reading.annotators or (), ANNOTATOR)
    roles |= dict.fromkeys(question.models, MODEL)
    request = Request(
        task, [declaration], roles, {}, name, LAYER, separator or SEPARATOR, split=separator is not None
    )
    study = build_study(annotations, request)
    units = study.unit_sets[0]
    agreement = next(analyses([(units, count(units))], tables))
    primary = by_design([question.scale]).coefficient
    references = [each for each in annotations.called_references if each not in roles]
    notices = (*_notices(study, references, name), *of_file(annotations, study, task, request, name))
    found = as_written(UnitSetResults, unit_set(agreement, study, complete=question.complete))
    if question.models:
        compared = study.compared[0]
        beside = replacement(compared, setting_of(compared.units, tables), rule)
        found = ModelsBesideAgreement.model_construct(**dict(found), replacement=beside)
        notices = (*notices, *_of_two(found, name))
    return AgreementResult(found, annotations.reading, primary, (*notices, *_not_divided(found, name)))


def _rule(question: AgreementRequest) -> ReplacementRule:
    """Return what it takes to take a human's place; raise BadInput where there is nobody to do so."""
    if question.rule and not question.models:
        key = OPTIONS[f"replacement.{next(iter(question.rule))}"]
        message = "says what it takes to take a human's place, but nobody is named who would."
        raise BadInput([Problem(key, message=message, mend="Name a model with --model.")])
    return rule_from(question.rule)


def _require_models(annotations: Annotations, models: Sequence[str]) -> None:
    """Raise BadInput for a model that labelled nothing, or that is a reference by its name."""
    known = annotations.content.annotators
    problems = []
    for name in models:
        if name not in known:
            message, mend = f'"{name}" labelled nothing.', did_you_mean(name, known)
            problems.append(Problem("--model", message=message, mend=mend))
        if name in annotations.called_references:
            message = (
                f'"{name}" is called like a reference, which is not compared with what was made from it.'
            )
            problems.append(Problem("--model", message=message, mend="Rename it where it is a model."))
    if problems:
        raise BadInput(problems)


def _of_two(found: ModelsBesideAgreement, file: str) -> Iterator[Problem]:
    """Yield that two humans are no consensus."""
    if found.replacement.comparison_only:
        message = (
            "there are two humans, each of whom is compared with the other alone: there is no consensus."
        )
        yield Problem(file, message=message, mend="With a third, the test says more.")


def _notices(study: Study, references: Sequence[str], file: str) -> Iterator[Problem]:
    """Yield who was not taken for an annotator, and labels that contradict others."""
    for name in references:
        message = f'"{name}" was taken for a reference, by its name, and is not among the annotators.'
        yield Problem(file, message=message, mend="Name it with --annotators to count it among them.")
    if study.contradicting:
        message, mend = contradiction(study.contradicting)
        yield Problem(file, message=message, mend=f"{mend}: --columns pass=….")


def _not_divided(unit_set: UnitSetResults, file: str) -> Iterator[Problem]:
    """Yield that nothing takes labels apart although they are sets."""
    sets = unit_set.sets
    if sets and sets.names and are_single(sets):
        message = "no set has more than one label, so that figures such as [masi] are the nominal ones."
        yield Problem(file, message=message)
    if sets and (are_single(sets) or unit_set.several) and (sign := separator_left(sets)):
        message = f'labels hold "{sign}", and each of them counts as one label, not as a set.'
        yield Problem(file, message=message, mend=f'Take them apart with --set-separator "{sign}".')


def _task(question: AgreementRequest) -> Task:
    repeated = sorted(name for name, times in Counter(question.categories).items() if times > 1)
    if repeated:
        mend = "Name each category once."
        raise BadInput(
            Problem("--categories", message=f'holds "{name}" more than once.', mend=mend) for name in repeated
        )
    return Task(categories=question.categories, non_annotated=question.non_annotated, scale=question.scale)


def _distances(files: Sequence[Path], task: Task, labels: Sequence[str]) -> list[DistanceMatrix]:
    """Read the distances among the labels; each table is called after its file."""
    categories = (*task.categories, *labels)
    unmarked = [task.non_annotated] if task.non_annotated is not None else []
    tables: list[DistanceMatrix] = []

    def read(file: Path) -> None:
        name = _distance_name(file, [table.id for table in tables])
        tables.append(distances_among(file, str(file), name, categories, unmarked))

    for_each(dict.fromkeys(files), read)
    return tables


def _built_in(file: Path) -> Problem:
    """Return the problem of a file that is called like weights that are built in, or like other figures."""
    name = file.stem.casefold()
    known = {scale: _weights(scale) for scale in get_args(Scale)}
    every = ", ".join(dict.fromkeys(each for found in known.values() for each in found))
    scales = " or ".join(scale for scale, found in known.items() if name in found and scale != "nominal")
    rename = " Distances of your own need a file of another name." if file.exists() else ""
    if scales:
        message = f'"{name}" is built in and needs no file, as are {every}.'
        mend = f"Take the figures with [{name}] behind their names, which --scale {scales} prints.{rename}"
    else:
        message = f'"{name}" names figures and no distances; built in are {every}.'
        mend = f"Take them from the figures with their names in brackets, as --scale has them.{rename}"
    return Problem("--distance", message=message, mend=mend)


def _weights(scale: str) -> list[str]:
    """Return the weights and distances that stand in brackets behind figures on a scale."""
    figures = [form for measure in WEIGHTED for form in forms_of(measure, scale)]
    return list(dict.fromkeys(form.removesuffix("]").partition("[")[2] for form in figures if "[" in form))


def _distance_name(file: Path, taken: Sequence[str]) -> str:
    """Return what figures call a distance table; raise BadInput where brackets behind them can't hold it."""
    if file.stem.casefold() in MEASURE_DISTANCES:
        raise BadInput([_built_in(file)])
    try:
        name = Distance(id=file.stem, file=file.name).id
    except ValidationError:
        message = (
            f'gives its distances the name "{file.stem}", which can not stand in brackets behind a figure.'
        )
        mend = 'Rename the file: letters, digits, ".", "_" and "-".'
        raise BadInput([Problem(str(file), message=message, mend=mend)]) from None
    if name in taken:
        message = f'is the second table of distances called "{name}".'
        raise BadInput([Problem(str(file), message=message, mend="Rename one of the files.")])
    return name


# What looks like an oversight in the labels of a file.

MISSING = "missing"


def of_file(
    annotations: Annotations, study: Study, task: Task, request: Request, file: str
) -> Iterator[Problem]:
    """Yield what looks like an oversight in one file, with the option or the line that settles it."""
    table = label_table(
        annotations,
        study.unit_sets[0],
        roles=request.roles,
        separator=request.separator if task.scale == "set" else None,
    )
    expected = Expected(
        task.categories, task.non_annotated, lists_units(annotations), task.scale in {"nominal", "set"}
    )
    for fault in (*label_faults(table, expected), *repeated_labels(study.repeated)):
        yield Problem(file, message=fault.message, mend=_mend(fault))


def lists_units(annotations: Annotations) -> bool:
    """Tell whether an export lists its units, so that each has a label that somebody gave."""
    return isinstance(annotations.content, Ratings) and annotations.attendance is None


def _mend(fault: LabelFault) -> str:
    """Return what settles a fault in a campaign, and the option that does in a command."""
    if fault.key != MISSING:
        return fault.mend
    options = " ".join(f"--missing {shlex.quote(label)}" for label in fault.labels)
    return f"{fault.mend} Here: {options}"


# How large must a campaign be that has not begun? The tables of `reportgen plan`.

# Kappa, prevalence, what is wanted of the interval or the test, and the units that it takes.
Planned = Mapping[str, Any]


def plans(
    kappa: float | None = None, prevalence: float | None = None, half_width: float | None = None
) -> list[Planned]:
    """Return the units for every kappa, prevalence and half-width, some of each for one that is None.

    Raises BadInput with every number that can't be.
    """
    shares = ("--prevalence", prevalence, False), ("--half-width", half_width, False)
    _require(("--kappa", kappa, True), *shares)
    return [
        {"kappa": each, "prevalence": share, "half_width": half, "units": units_needed(each, share, half)}
        for each, share in _cases(kappa, prevalence)
        for half in ([half_width] if half_width is not None else HALF_WIDTHS)
    ]


def to_tell(threshold: float, kappa: float | None = None, prevalence: float | None = None) -> list[Planned]:
    """Return the units that tell every kappa from a threshold in four campaigns of five.

    There are some of each for one that is None, and None units where kappa is the threshold. Raises BadInput
    with every number that can't be.
    """
    _require(("--threshold", threshold, True), ("--kappa", kappa, True), ("--prevalence", prevalence, False))
    cases = ((*case, units_to_tell(*case, threshold)) for case in _cases(kappa, prevalence))
    return [
        {"kappa": each, "prevalence": share, "threshold": threshold, "units": units}
        for each, share, units in cases
    ]


def _cases(kappa: float | None, prevalence: float | None) -> Iterator[tuple[float, float]]:
    for each in [kappa] if kappa is not None else KAPPAS:
        for share in [prevalence] if prevalence is not None else PREVALENCES:
            yield each, share


def _require(*options: tuple[str, float | None, bool]) -> None:
    """Raise BadInput with each value that is no share; the last of each option says whether 0 is one."""
    problems = []
    for option, value, zero in options:
        if value is not None and not (0 < value < 1 or (zero and value == 0)):
            span = "from 0 to less than 1" if zero else "between 0 and 1"
            mend = f"Give a number {span}, such as 0.8."
            problems.append(Problem(option, message=f"{value:g} is not {span}.", mend=mend))
    if problems:
        raise BadInput(problems)


def show_plans(found: Sequence[Planned], told: Sequence[Planned], out: "Console") -> None:
    """Print how many units each kappa, prevalence and half-width, or threshold, takes."""
    if found:
        out.print(
            "Units that two annotators both label, for a 95% interval of kappa of about that half-width."
        )
        wide = list(dict.fromkeys(each["half_width"] for each in found))
        table = table_of("kappa", "prevalence", *(f"± {half:g}" for half in wide))
        for place in range(0, len(found), len(wide)):
            row = found[place : place + len(wide)]
            units = (f"{each['units']:,}" for each in row)
            add_row(table, f"{row[0]['kappa']:g}", f"{row[0]['prevalence']:g}", *units)
        out.print(table)
    if told:
        what = f"Units that two annotators both label, to tell kappa from {told[0]['threshold']:g}"
        out.print(f"{what} in 4 campaigns of 5 (power 80%).")
        table = table_of("kappa", "prevalence", "units")
        for each in told:
            number = "none can" if each["units"] is None else f"{each['units']:,}"
            add_row(table, f"{each['kappa']:g}", f"{each['prevalence']:g}", number)
        out.print(table)
    note = (
        "For one category against the rest, and units that are independent of each other. Units of one "
        "document are not: with m to a document and a correlation r between them it takes about "
        "1 + (m - 1) r times as many. A pilot of 20 documents tells better: its report has the number of "
        "documents that are missing. Bloch and Kraemer (1989); Donner and Eliasziw (1992)."
    )
    out.print(wrapped(note))
