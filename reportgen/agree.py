"""Every applicable figure of one file at once, without a campaign."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reportgen.build import analyses
from reportgen.campaign import DistanceTable, Scale, Task, UnitSet, read_distances
from reportgen.counts import count
from reportgen.errors import BadInput, Problem
from reportgen.formats import ReadOptions, read_export
from reportgen.record import record_unit_set
from reportgen.results import UnitSet as UnitSetResults
from reportgen.study import Declaration, Request, build_study, unknown_to_distances

LAYER, ID = "main", "ratings"


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
    """Every figure of the file, and how it was read."""

    unit_set: UnitSetResults
    reading: str


def agree(question: Question) -> Answer:
    """Return every figure of one CSV: ratings, wide or long, or a confusion matrix.

    Raises BadInput with all that is wrong.
    """
    name = str(question.file)
    annotations = read_export([(question.file, name)], question.reading)
    task = Task(categories=question.categories, non_annotated=question.non_annotated, scale=question.scale)
    tables = _distances(question.distances)
    missing = unknown_to_distances(
        [annotations.ratings.labels], [task], [(table, table.file) for table in tables]
    )
    if missing:
        raise BadInput(missing)
    unit_set = UnitSet(id=ID, units="items", primary=True)
    declaration = Declaration(unit_set, None, name, "")
    study = build_study(annotations, Request(task, [declaration], {}, {}, name, LAYER))
    units = study.unit_sets[0]
    agreement = next(analyses([(units, count(units))], tables))
    return Answer(record_unit_set(agreement), annotations.reading)


def _distances(files: Sequence[Path]) -> list[DistanceTable]:
    """Read the distance tables; each is called after its file."""
    tables: list[DistanceTable] = []
    problems: list[Problem] = []
    for file in files:
        try:
            tables.append(read_distances(file, str(file), file.stem))
        except BadInput as error:
            problems.extend(error.problems)
    if problems:
        raise BadInput(problems)
    return tables
