"""Every applicable figure of one file at once, without a campaign."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import ValidationError

from reportgen.campaign import Distance, DistanceTable, Scale, Task, Units, UnitSet, distances_among
from reportgen.computing import analyses
from reportgen.counts import count
from reportgen.errors import BadInput, Problem
from reportgen.formats import ReadOptions, TextMarks, read_export
from reportgen.record import by_design, record_unit_set
from reportgen.results import UnitSet as UnitSetResults
from reportgen.study import SEPARATOR, Declaration, Request, build_study, unknown_to_distances

LAYER, ID = "main", "ratings"
OPTIONS = {
    "columns": "--columns",
    "annotators": "--annotators",
    "task.scale": "--scale",
    "task.categories": "--categories",
    "task.non_annotated": "--non-annotated",
}


@dataclass(frozen=True)
class Question:
    """What `reportgen agree` is asked: the file, and how to read and compare it."""

    file: Path
    reading: ReadOptions
    scale: Scale = "nominal"
    categories: tuple[str, ...] = ()
    non_annotated: str | None = None
    distances: Sequence[Path] = field(default=())


@dataclass(frozen=True)
class Answer:
    """Every figure of the file, how it was read, and which figure the scale calls for."""

    unit_set: UnitSetResults
    reading: str
    primary: str


def agree(question: Question) -> Answer:
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


def _answer(question: Question, name: str) -> Answer:
    task = _task(question)
    annotations = read_export([(question.file, name)], question.reading)
    tables = _distances(question.distances, task, annotations.content.labels)
    missing = unknown_to_distances(
        [annotations.content.labels], [task], [(table, table.file) for table in tables]
    )
    if missing:
        raise BadInput(missing)
    kind: Units = "tokens" if isinstance(annotations.content, TextMarks) else "items"
    unit_set = UnitSet(id=ID, units=kind, primary=True)
    declaration = Declaration(unit_set, None, name, "")
    separator = question.reading.set_separator
    request = Request(
        task, [declaration], {}, {}, name, LAYER, separator or SEPARATOR, split=separator is not None
    )
    study = build_study(annotations, request)
    units = study.unit_sets[0]
    agreement = next(analyses([(units, count(units))], tables))
    primary = by_design([question.scale]).coefficient
    return Answer(record_unit_set(agreement, study), annotations.reading, primary)


def _task(question: Question) -> Task:
    repeated = sorted(name for name, times in Counter(question.categories).items() if times > 1)
    if repeated:
        mend = "Name each category once."
        raise BadInput(
            Problem("--categories", message=f'holds "{name}" more than once.', mend=mend) for name in repeated
        )
    return Task(categories=question.categories, non_annotated=question.non_annotated, scale=question.scale)


def _distances(files: Sequence[Path], task: Task, labels: Sequence[str]) -> list[DistanceTable]:
    """Read the distances among the labels; each table is called after its file."""
    categories = (*task.categories, *labels)
    unmarked = [task.non_annotated] if task.non_annotated is not None else []
    tables: list[DistanceTable] = []
    problems: list[Problem] = []
    for file in dict.fromkeys(files):
        try:
            name = _distance_name(file, [table.id for table in tables])
            tables.append(distances_among(file, str(file), name, categories, unmarked))
        except BadInput as error:
            problems.extend(error.problems)
    if problems:
        raise BadInput(problems)
    return tables


def _distance_name(file: Path, taken: Sequence[str]) -> str:
    """Return what figures call a distance table; raise BadInput where brackets behind them can't hold it."""
    try:
        name = Distance(id=file.stem, file=file.name).id
    except ValidationError:
        message = (
            f'gives its distances the name "{file.stem}", which can not stand in brackets behind a figure.'
        )
        mend = 'Rename the file: letters, digits, ".", "_" and "-", and no built-in distance.'
        raise BadInput([Problem(str(file), message=message, mend=mend)]) from None
    if name in taken:
        message = f'is the second table of distances called "{name}".'
        raise BadInput([Problem(str(file), message=message, mend="Rename one of the files.")])
    return name
