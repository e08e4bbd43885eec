"""Every figure of ratings that are in memory: `from reportgen import agreement; agreement.of(…)`."""

import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from reportgen.agreement.analysis import UnitSetAgreement, analyse
from reportgen.agreement.estimate import Estimate
from reportgen.agreement.in_memory import (
    INPUT,
    PAIR,
    cells_of,
    long,
    name_of,
    ratings_of,
    require_table,
    wide,
)
from reportgen.agreement.setting import setting_of
from reportgen.campaign import MEASURE_DISTANCES, DistanceTable, Scale, Task, UnitSet
from reportgen.counts import count
from reportgen.errors import BadInput, Problem
from reportgen.formats import Annotations
from reportgen.study import Declaration, Request, build_study

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


def _agreement(
    export: Annotations,
    task: Task,
    distances: Mapping[str, Pairs],
    *,
    split: bool = False,
    separator: str = "|",
) -> UnitSetAgreement:
    declared = Declaration(UnitSet(id="ratings", units="items", primary=True), None, INPUT, "unit_sets")
    request = Request(task, [declared], {}, {}, INPUT, separator=separator, split=split)
    study = build_study(export, request)
    units = study.unit_sets[0]
    known = {*units.categories, task.non_annotated}
    tables = [_table(name, given, units.categories, known) for name, given in distances.items()]
    if study.contradicting:
        message = (
            f"{study.contradicting} of the labels differ from the first that the annotator gave the unit"
        )
        warnings.warn(f"{message}; the first counts.", stacklevel=3)
    found = analyse(units, count(units), setting_of(units, tables))
    return replace(found, repeated=study.repeated, contradicting=study.contradicting)


def _table(
    name: str,
    given: Pairs,
    categories: Sequence[str],
    declared: Collection[str | None],
) -> DistanceTable:
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
    return DistanceTable(name, tuple(categories), rows, "", "")
