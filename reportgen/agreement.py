"""Every figure of ratings that are in memory: `from reportgen import agreement; agreement.of(…)`."""

import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from reportgen.annotators.replacement import replacement as replacement_of
from reportgen.annotators.replacement import rule_from
from reportgen.base.errors import BadInput, Problem, did_you_mean
from reportgen.campaign import MEASURE_DISTANCES, DistanceMatrix, Scale, Task, UnitSet
from reportgen.counts import count
from reportgen.measures.analysis import UnitSetAgreement, analyse
from reportgen.measures.estimate import Estimate
from reportgen.measures.setting import setting_of
from reportgen.readers import EMPTY_SET, NO_DOCUMENT, Annotations, Ratings, SetLabel, as_set
from reportgen.results.replacement import Replacement
from reportgen.units import Declaration, Request, Study, build_study

# Ratings that are in memory, in whatever form, as a reader of files would hand them on.

INPUT = "the ratings"
PAIR = 2

Mark = tuple[object, object, object, object]


def long(
    frame: Any,  # noqa: ANN401 - a frame or a mapping of columns
    unit: str | None,
    annotator: str | None,
    label: str | None,
    document: str | None,
) -> list[Mark]:
    """Return document, unit, annotator and label of each rating of a long table."""
    named = {"unit": unit, "annotator": annotator, "label": label}
    problems = [
        Problem(INPUT, key=key, message="is not named; long ratings have three columns.", mend=f'{key}="…"')
        for key, name in named.items()
        if name is None
    ]
    known = [str(name) for name in getattr(frame, "columns", frame)]
    asked = {**named, "document": document}
    problems += [
        Problem(INPUT, key=key, message=f'has no column "{name}"; there are {", ".join(known)}.')
        for key, name in asked.items()
        if name is not None and name not in known
    ]
    if problems:
        raise BadInput(problems)
    columns = [_values(frame[name]) if name else None for name in (document, unit, annotator, label)]
    documents = columns[0] or [None] * len(columns[1] or ())
    rows = zip(documents, *(column or [] for column in columns[1:]), strict=True)
    return [row for row in rows if not _is_missing(row[3])]


def wide(rows: Any) -> list[Mark]:  # noqa: ANN401 - a frame, an array or lists
    """Return document, unit, annotator and label of each rating of a wide table."""
    names = getattr(rows, "columns", None)
    if names is not None:
        columns = {str(name): _values(rows[name]) for name in names}
        return [
            (None, place, name, value)
            for name, values in columns.items()
            for place, value in enumerate(values)
            if not _is_missing(value)
        ]
    listed = rows.tolist() if isinstance(rows, np.ndarray) else [list(row) for row in rows]
    widest = len(str(max(map(len, listed), default=0)))
    return [
        (None, place, f"A{who + 1:0{widest}}", value)
        for place, row in enumerate(listed)
        for who, value in enumerate(row)
        if not _is_missing(value)
    ]


def _values(column: Any) -> list[object]:  # noqa: ANN401 - a column of pandas, polars or numpy, or a list
    for way in ("to_list", "tolist"):
        if hasattr(column, way):
            return list(getattr(column, way)())
    return list(column)


def _is_missing(value: object) -> bool:
    """Tell whether a value is None, NaN or a library's own sign of a missing value."""
    if value is None:
        return True
    if isinstance(value, str | bytes | set | frozenset | list | tuple):
        return False
    try:
        return bool(value != value)  # noqa: PLR0124 - what is not itself is no number
    except TypeError:  # pandas.NA knows no truth
        return True


def name_of(value: object) -> str:
    """Return what a label is called: 3.0 and 3 are one number."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _label(value: object, separator: str) -> str:
    """Return a label as it is counted; a collection is a set."""
    if isinstance(value, set | frozenset | list | tuple):
        members = set(map(name_of, value))
        return SetLabel("|".join(sorted(members)) or EMPTY_SET, members)
    text = name_of(value)
    return as_set(text, separator) if separator else text


def ratings_of(marks: Sequence[Mark], separator: str) -> Ratings:
    """Return the ratings as a reader hands them on."""
    labels = [_label(mark[3], separator) for mark in marks]
    by_name = {str(label): label for label in labels}
    documents, _ = _codes(mark[0] for mark in marks if mark[0] is not None)
    units, unit = _codes((mark[0], mark[1]) for mark in marks)
    annotators, annotator = _codes(name_of(mark[2]) for mark in marks)
    names, label = _codes(map(str, labels))
    place = {name: code for code, name in enumerate(documents)}
    of_unit = [NO_DOCUMENT if name is None else place[name] for name, _ in units]
    return Ratings(
        documents=tuple(map(name_of, documents)),
        annotators=tuple(annotators),
        labels=tuple(by_name[name] for name in names),
        unit_names=tuple(name_of(name) for _, name in units),
        unit_document=np.array(of_unit, dtype=np.int64),
        unit_weight=np.ones(len(units), dtype=np.int64),
        unit=unit,
        annotator=annotator,
        label=label,
        mark_pass=np.zeros(len(marks), dtype=np.int64),
    )


def _codes(values: Iterable[Any]) -> tuple[list[Any], Any]:
    """Return the different values in the order in which they come, and the code of each."""
    places: dict[Any, int] = {}
    codes = [places.setdefault(value, len(places)) for value in values]
    return list(places), np.array(codes, dtype=np.int64)


def require_table(table: Any, names: Sequence[str]) -> None:  # noqa: ANN401 - an array of any numbers
    """Raise BadInput where counts are no square table of whole numbers."""
    whole = table.ndim == PAIR and table.shape == (len(names),) * PAIR
    if not whole or not np.issubdtype(table.dtype, np.number) or (table < 0).any() or (table % 1 != 0).any():
        message = f"is no table of whole numbers with {len(names)} rows and columns."
        raise BadInput([Problem("the table", message=message, mend="Give one row and column a category.")])


def cells_of(table: Any, names: tuple[str, ...]) -> Ratings:  # noqa: ANN401 - an array of any numbers
    """Return the ratings behind two annotators' counts (categories, categories), each cell being a unit."""
    rows, columns = (axis.tolist() for axis in np.nonzero(table))
    cells = len(rows)
    places = np.arange(cells, dtype=np.int64)
    return Ratings(
        documents=(),
        annotators=("first", "second"),
        labels=names,
        unit_names=("",) * cells,
        unit_document=np.full(cells, NO_DOCUMENT, dtype=np.int64),
        unit_weight=table[rows, columns].astype(np.int64),
        unit=np.concatenate([places, places]),
        annotator=np.repeat(np.arange(PAIR, dtype=np.int64), cells),
        label=np.array([*rows, *columns], dtype=np.int64),
        mark_pass=np.zeros(PAIR * cells, dtype=np.int64),
        ordered=True,
    )


# Every figure of ratings that are in memory: `from reportgen import agreement; agreement.of(…)`.

# Distances by pairs of categories, either way round.
Pairs = Mapping[Any, float]


def of(  # noqa: PLR0913 - what campaign.toml has keys for
    ratings: Any,  # noqa: ANN401 - a frame of pandas or polars, an array, lists
    *,
    unit: str | None = None,
    annotator: str | None = None,
    label: str | None = None,
    document: str | None = None,
    scale: Scale = "nominal",
    categories: Sequence[object] = (),
    non_annotated: str | None = None,
    distances: Mapping[str, Pairs] | None = None,
    separator: str = "",
    category_count: int | None = None,
) -> UnitSetAgreement:
    """Return every agreement figure of ratings, with intervals.

    `ratings` are either long, a pandas or polars frame (or a mapping of columns) whose columns `unit`,
    `annotator`, `label` and, where it is known, `document` are named; or wide, units × annotators, as an
    array, a list of rows, or a frame with a column for each annotator. None and NaN are missing ratings;
    on the set scale a label is a set, a list or a tuple, or text with a `separator`.

    `scale`, `categories` (in their order) and `non_annotated` are as in campaign.toml. `distances` gives by
    name how far apart two categories are, either way round; what is not given is 0 for a category and itself,
    else 1. Where an annotator gave a unit several labels the first counts: `repeated` and `contradicting` say
    how many came after it, and the latter are warned of. Raises BadInput with all that is wrong.
    """
    marks = long(ratings, unit, annotator, label, document) if unit or annotator or label else wide(ratings)
    names = tuple(map(name_of, categories))
    task = Task(categories=names, non_annotated=non_annotated, scale=scale, category_count=category_count)
    export = Annotations(ratings_of(marks, separator), "given", "", len(marks))
    return _agreement(export, task, distances or {}, split=bool(separator), separator=separator or "|")


def of_table(
    counts: Any,  # noqa: ANN401 - an array, a frame or lists
    categories: Sequence[object] = (),
    *,
    scale: Scale = "nominal",
    non_annotated: str | None = None,
    distances: Mapping[str, Pairs] | None = None,
) -> UnitSetAgreement:
    """Return every agreement figure of two annotators' confusion matrix.

    `counts` (categories, categories) says how many units the first gave the row's category and the second
    the column's; other arguments are as in `of`. Raises BadInput where they are no square table of
    whole numbers.
    """
    table = np.asarray(counts)
    names = tuple(map(name_of, categories)) or tuple(str(place) for place in range(1, len(table) + 1))
    require_table(table, names)
    export = cells_of(table, names)
    task = Task(categories=names, non_annotated=non_annotated, scale=scale)
    marks = PAIR * int(export.unit_weight.sum())
    return _agreement(Annotations(export, "given", "", marks), task, distances or {})


def krippendorff_alpha(ratings: Any, scale: Scale = "nominal", **how: Any) -> Estimate:  # noqa: ANN401 - as `of`
    """Return Krippendorff's alpha on a scale, with its interval; arguments as in `of`."""
    bracket = {"nominal": "", "set": "[masi]"}.get(scale, f"[{scale}]")
    return of(ratings, scale=scale, **how).measures[f"krippendorff_alpha{bracket}"]


def fleiss_kappa(ratings: Any, **how: Any) -> Estimate:  # noqa: ANN401 - as `of`
    """Return Fleiss' kappa with its interval; arguments as in `of`."""
    return of(ratings, **how).measures["fleiss_kappa"]


def conger_kappa(ratings: Any, **how: Any) -> Estimate:  # noqa: ANN401 - as `of`
    """Return Conger's kappa, of two annotators Cohen's, with its interval; arguments as in `of`."""
    return of(ratings, **how).measures["conger_kappa"]


def gwet_ac1(ratings: Any, **how: Any) -> Estimate:  # noqa: ANN401 - as `of`
    """Return Gwet's AC1 with its interval; arguments as in `of`."""
    return of(ratings, **how).measures["gwet_ac1"]


def replacement(  # noqa: PLR0913 - what campaign.toml has keys for
    ratings: Any,  # noqa: ANN401 - a frame of pandas or polars, an array, lists
    models: Sequence[object],
    *,
    epsilon: float | None = None,
    score: str | None = None,
    expert: object = None,
    references: Sequence[object] = (),
    q: float = 0.05,
    minimum_humans: int = 2,
    minimum_instances: int = 30,
    unit: str | None = None,
    annotator: str | None = None,
    label: str | None = None,
    document: str | None = None,
    scale: Scale = "nominal",
    categories: Sequence[object] = (),
    non_annotated: str | None = None,
    distances: Mapping[str, Pairs] | None = None,
    separator: str = "",
) -> Replacement:
    """Return whether models may take a human annotator's place: the alternative annotator test.

    `ratings` and how to read them are as in `of`; `models` names the annotators that are models, `references`
    those that are neither models nor humans to be replaced. `epsilon` is the price of a person, without which
    there is no verdict; `expert` names a human who is trusted: the test is then who is nearer to this one, a
    model or each other human. `score` is "accuracy", "neg_rmse", "similarity" or "similarity[…]" with a
    distance; by default the first on nominal scales, the second on numbers and ranks, and MASI on sets.
    `q` is the false discovery rate, `minimum_humans` how many humans a unit needs to count,
    `minimum_instances` how many such units a human needs to be tested. Raises BadInput with all that is
    wrong. Calderon, Reichart and Dror (2025), ACL, 16051-16081.
    """
    given = {"epsilon": epsilon, "score": score, "expert": None if expert is None else name_of(expert)}
    known = {name: value for name, value in given.items() if value is not None}
    counts = {"q": q, "minimum_humans": minimum_humans, "minimum_instances": minimum_instances}
    rule = rule_from({**known, **counts})
    marks = long(ratings, unit, annotator, label, document) if unit or annotator or label else wide(ratings)
    export = Annotations(ratings_of(marks, separator), "given", "", len(marks))
    roles = _roles(list(map(name_of, models)), list(map(name_of, references)), export.ratings.annotators)
    task = Task(categories=tuple(map(name_of, categories)), non_annotated=non_annotated, scale=scale)
    study = _study(export, task, roles, split=bool(separator), separator=separator or "|")
    _warn(study, 1)
    compared = study.compared[0]
    tables = _tables(distances or {}, compared.units.categories, task)
    return replacement_of(compared, setting_of(compared.units, tables), rule)


def _roles(models: Sequence[str], references: Sequence[str], known: Sequence[str]) -> dict[str, str]:
    """Return who is not a human; raise BadInput where they are not there, or both."""
    named = {"models": models, "references": references}
    problems = [
        Problem(INPUT, key=key, message=f'"{name}" labelled nothing.', mend=did_you_mean(name, known))
        for key, names in named.items()
        for name in names
        if name not in known
    ]
    problems += [
        Problem(INPUT, key="models", message=f'"{name}" is a reference too.', mend="Name it as one of them.")
        for name in models
        if name in references
    ]
    if not models:
        problems.append(Problem(INPUT, key="models", message="names no model.", mend='models=["…"]'))
    if problems:
        raise BadInput(problems)
    return {**dict.fromkeys(references, "reference"), **dict.fromkeys(models, "model")}


def _agreement(
    export: Annotations,
    task: Task,
    distances: Mapping[str, Pairs],
    *,
    split: bool = False,
    separator: str = "|",
) -> UnitSetAgreement:
    study = _study(export, task, {}, split=split, separator=separator)
    _warn(study, 2)
    units = study.unit_sets[0]
    found = analyse(units, count(units), setting_of(units, _tables(distances, units.categories, task)))
    return replace(found, repeated=study.repeated, contradicting=study.contradicting)


def _study(
    export: Annotations, task: Task, roles: Mapping[str, str], *, split: bool, separator: str
) -> Study:
    """Return what is compared with what."""
    declared = Declaration(UnitSet(id="ratings", units="items", primary=True), None, INPUT, "unit_sets")
    request = Request(task, [declared], roles, {}, INPUT, separator=separator, split=split)
    return build_study(export, request)


def _warn(study: Study, level: int) -> None:
    """Warn of labels that contradict others; `level` is how far the user is above the caller."""
    if study.contradicting:
        message = (
            f"{study.contradicting} of the labels differ from the first that the annotator gave the unit"
        )
        warnings.warn(f"{message}; the first counts.", stacklevel=level + 2)


def _tables(distances: Mapping[str, Pairs], categories: Sequence[str], task: Task) -> list[DistanceMatrix]:
    known = {*categories, task.non_annotated}
    return [_table(name, given, categories, known) for name, given in distances.items()]


def _table(
    name: str,
    given: Pairs,
    categories: Sequence[str],
    declared: Collection[str | None],
) -> DistanceMatrix:
    """Return a table of distances; raise BadInput for a category that there is not.

    `declared` are all that may be spoken of: the non-annotated category too, where every unit has a label.
    """
    if name.casefold() in MEASURE_DISTANCES:
        message = "is the name of figures that exist without it."
        raise BadInput([Problem(f"the distance {name}", message=message, mend="Give it another name.")])
    known = {frozenset(map(name_of, pair)): float(value) for pair, value in given.items()}
    strange = sorted({each for pair in known for each in pair} - set(declared))
    if strange:
        message = f'speaks of "{strange[0]}", which is no category.'
        raise BadInput([Problem(f"the distance {name}", message=message, mend="Name it under categories.")])
    rows = tuple(
        tuple(0.0 if one == other else known.get(frozenset((one, other)), 1.0) for other in categories)
        for one in categories
    )
    return DistanceMatrix(name, tuple(categories), rows, "", "")
