"""The folder of counts: of one guidelines version, or of a table of labels wherever it lies."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, reason, refused
from reportgen.base.files import source as digest_of
from reportgen.base.progress import Steps
from reportgen.base.site_folder import replacing
from reportgen.campaign import DistanceMatrix, Scale, Task, UnitSet
from reportgen.counts import (
    Counts,
    MarkCounts,
    PairCounts,
    as_sums,
    comparisons_csv,
    count,
    count_comparisons,
    count_marks,
    counts_csv,
    counts_json,
    credits_csv,
    describe,
    everybody_csv,
    spans_csv,
)
from reportgen.readers import (
    Annotations,
    CountedLayer,
    Ratings,
    ReaderOptions,
    by_name,
    read_layers,
    read_table,
)
from reportgen.readers.counted import COUNT_FILES, LayerDescribed, are_too_many, in_groups
from reportgen.readers.engine import expression_as_sql
from reportgen.readers.reader import Engine, ExportFile
from reportgen.units import (
    SEPARATOR,
    CodedUnits,
    ComparedUnits,
    DeclaredUnitSet,
    LayerSettings,
    LayerUnits,
    build_study,
)
from reportgen.units.unit_sets import of_crowd


@dataclass(frozen=True, eq=False)
class VersionCounts:
    """What was counted in one guidelines version, each beside what it was counted in."""

    units: Sequence[tuple[CodedUnits, Counts]]
    marks: Sequence[MarkCounts]
    compared: Sequence[tuple[ComparedUnits, PairCounts]]


def count_everything(studies: Iterable[LayerUnits], tables: Sequence[DistanceMatrix]) -> VersionCounts:
    """Return the counts of unit sets, of marks in texts, and of everybody against the references."""
    listed_studies = tuple(studies)
    return VersionCounts(
        units=[(units, count(units)) for study in listed_studies for units in study.unit_sets],
        marks=[count_marks(study.spans, tables) for study in listed_studies if study.spans],
        compared=[
            (compared, count_comparisons(compared)) for study in listed_studies for compared in study.compared
        ],
    )


def counts_folder(layers: Sequence[LayerDescribed], counted: VersionCounts) -> Iterator[tuple[str, str]]:
    """Yield the files of a folder of counts; `layers` say what rows of numbers can't."""
    yield "counts.json", counts_json(layers)
    yield from counts_csv(counted.units).items()
    if counted.marks:
        yield "spans.csv", spans_csv(counted.marks)
    if any(marks.credits for marks in counted.marks):
        yield "type-pairs.csv", credits_csv(counted.marks)
    if counted.compared:
        yield "comparisons.csv", comparisons_csv(counted.compared)
        yield "everybody.csv", everybody_csv(units for units, _ in counted.compared)


LAYER = "main"
ITEMS = UnitSet(id="items", units="items", primary=True)
WILDCARDS = frozenset("*?[")
EXPECTED = (
    "CSV, TSV, Parquet, a folder or glob of these, a DuckDB or SQLite database, or the address of another "
    "was expected."
)


@dataclass(frozen=True)
class CountRequest:
    """What `reportgen count` is asked: where the labels lie, how to read and to compare them.

    There are no `sources` where `reading` has the address of a database. What can't be counted is left out
    and its number kept, unless it is `refused`.
    """

    sources: Sequence[Path]
    reading: ReaderOptions
    scale: Scale = "nominal"
    categories: tuple[str, ...] = ()
    non_annotated: str | None = None
    refused: bool = False


@dataclass(frozen=True)
class CountSummary:
    """What was counted: read is used and left out, by reason; `missing` cells hold no label."""

    reading: str
    units: int
    annotators: int
    categories: int
    documents: int
    read: int
    used: int
    left_out: dict[str, int]
    missing: int


def count_table(table: CountRequest, out: Path, progress: Steps = lambda _: None) -> CountSummary:
    """Write the counts of a table into a folder, which then holds exactly these, and return the account.

    Raises BadInput with all that is wrong; then the folder is as it was.
    """
    files = _files(table.sources)
    with replacing(out, _stranger) as folder:
        progress(f"reading {_name(table)}")
        engine = replace(_engine(table), folder=folder)
        # What can't be counted is left out, also a label that the categories do not have.
        declared = (*table.categories, *([table.non_annotated] if table.non_annotated else []))
        only = declared if table.categories and table.scale != "set" else None
        options = replace(table.reading, engine=engine)
        if not table.refused:
            options = replace(options, faulty="counted", only=only)
        annotations = _grouped(_in_order(read_table(files, options)))
        progress("counting")
        if not isinstance(annotations.content, Ratings):
            message = f'is of format "{annotations.format}", which has no table of labels. {EXPECTED}'
            raise refused(_name(table), message=message)
        name, separator = _name(table), table.reading.set_separator
        task = Task(categories=table.categories, non_annotated=table.non_annotated, scale=table.scale)
        declaration = DeclaredUnitSet(ITEMS, None, name, "")
        split = separator is not None
        request = LayerSettings(task, [declaration], {}, {}, name, LAYER, separator or SEPARATOR, split=split)
        study = build_study(annotations, request)
        study = replace(study, unit_sets=tuple(map(as_sums, map(of_crowd, study.unit_sets))))
        for name, text in _counts(study, annotations):
            progress(f"writing {name}")
            (folder / name).write_text(text, encoding="utf-8", newline="")
    units = study.unit_sets[0]
    left_out: dict[str, int] = {}
    for loss in study.left_out:
        left_out[loss.reason] = left_out.get(loss.reason, 0) + loss.marks
    return CountSummary(
        reading=annotations.reading,
        units=units.units,
        annotators=len(units.annotators),
        categories=len(units.categories),
        documents=units.grouped or len(units.documents),
        read=study.marks_read,
        used=study.marks_used,
        left_out=dict(sorted(left_out.items())),
        missing=study.missing,
    )


def as_counts(table: CountRequest, files: Sequence[tuple[Path, str]]) -> Annotations | None:
    """Return the counts of a table as an export, None where they grow with the table.

    `files` are those that provenance records with their names; where there are none it has a digest of the
    counts.
    """
    with TemporaryDirectory() as name:
        folder = Path(name) / "counts"
        count_table(table, folder)
        written = [(path, f"{_name(table)}/{path.name}") for path in sorted(folder.iterdir())]
        (layer,) = read_layers(written, ReaderOptions(), [None])
        content = b"".join(path.read_bytes() for path, _ in written)
    if not isinstance(layer.content, CountedLayer):
        raise TypeError
    described = layer.content.described
    (units,) = described.unit_sets
    if described.everybody or not (units.grouped or units.unnamed):
        return None
    sources = tuple(ExportFile(path, name).source for path, name in files)
    return replace(layer, sources=sources or (digest_of(_name(table), content),))


def counting_sql(table: CountRequest, dialect: str) -> str:
    """Return the SQL that counts a table where it lies, in a dialect; raise BadInput with what is wrong."""
    files = [ExportFile(path, name) for path, name in _files(table.sources)]
    return expression_as_sql(files, replace(table.reading, engine=_engine(table)), dialect)


def _engine(table: CountRequest) -> Engine:
    """Return the engine, which may put units together whose counts are the same."""
    plain = table.scale != "set" and table.non_annotated is None
    return replace(table.reading.engine, kinds=True, sums=plain)


def _name(table: CountRequest) -> str:
    """Return what errors and progress call the table; an address may hold a password."""
    return str(table.sources[0]) if table.sources else table.reading.table or "labels"


def _in_order(annotations: Annotations) -> Annotations:
    """Return the same with its names in an order that hangs on no engine, and on no order of rows."""
    ratings = annotations.content
    if not isinstance(ratings, Ratings) or ratings.ordered:
        return annotations
    return replace(annotations, content=by_name(ratings))


def _grouped(annotations: Annotations) -> Annotations:
    """Return the same with groups in place of very many documents, as engines do where the table lies."""
    ratings = annotations.content
    if not isinstance(ratings, Ratings) or ratings.grouped:
        return annotations
    labels = annotations.marks_read + annotations.missing
    many = are_too_many(len(ratings.documents), labels)
    return replace(annotations, content=in_groups(ratings)) if many else annotations


def _counts(study: LayerUnits, annotations: Annotations) -> Iterator[tuple[str, str]]:
    """Yield the files of the folder; the order of what is left out hangs on no engine."""
    described = describe(study, annotations, {})
    in_order = sorted(described.left_out, key=lambda loss: (loss.annotator, loss.reason))
    layer = described.model_copy(update={"left_out": tuple(in_order)})
    yield from counts_folder([layer], count_everything([study], []))


# Where labels lie


def _files(sources: Sequence[Path]) -> list[tuple[Path, str]]:
    """Return the files that paths, folders and globs name; raise BadInput where one leads to nothing."""
    all_files: dict[Path, None] = {}
    problems: list[Problem] = []
    for source in sources:
        files, wrong = list[Path](), f"there is no such file. {EXPECTED}"
        try:
            files = sorted(_expanded(source))
        except OSError as error:
            wrong = f"can't be read: {reason(error)}."
        if not files:
            problems.append(Problem(str(source), message=wrong, remedy="Check the name."))
        all_files.update(dict.fromkeys(files))
    if problems:
        raise BadInput(problems)
    return [(file, str(file)) for file in all_files]


def _expanded(source: Path) -> Iterator[Path]:
    if source.is_dir():
        # Spark and others lay marks of their own beside what they write.
        yield from (path for path in source.rglob("*") if path.is_file() and path.name[0] not in "._")
    elif source.exists():
        yield source
    elif WILDCARDS.intersection(str(source)):
        above, *parts = source.anchor or ".", *source.relative_to(source.anchor).parts
        yield from (path for path in Path(above).glob("/".join(parts)) if path.is_file())


def _stranger(folder: Path) -> str | None:
    """Return what a folder holds besides counts, None where it holds nothing else."""
    return next((path.name for path in sorted(folder.iterdir()) if path.name not in COUNT_FILES), None)
