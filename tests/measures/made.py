"""Campaigns made up in a line: ratings or tables in, coded units and their figures out."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from reportgen.campaign import Task, UnitSet
from reportgen.catalogue import BY_ID
from reportgen.counts import count
from reportgen.measures import Estimate, Floats, ScaleSetting, UnitSetAgreement, analyse
from reportgen.measures.analysis import PairAgreement
from reportgen.measures.coefficients import figures_of
from reportgen.measures.figures_of_sums import AgainstMajority
from reportgen.measures.unit_profiles import UnitRatings
from reportgen.measures.unit_set_data import Units, declared_distance, ranks_or_values
from reportgen.readers import NO_DOCUMENT, Annotations, Ratings, as_set
from reportgen.results import Figure
from reportgen.units import CodedUnits, DeclaredUnitSet, LayerSettings, LayerUnits, build_study, number
from reportgen.units.unit_sets import Size
from tests.present import present

Rows = Sequence[Sequence[str | None]]
Matrix = Sequence[Sequence[float]]
Table = Sequence[Sequence[int]]

FILE = "c/campaign.toml"


def annotations(
    rows: Rows,
    *,
    annotators: Sequence[str] = (),
    documents: Sequence[str | None] = (),
    weights: Sequence[int] = (),
    passes: Sequence[Sequence[int]] = (),
    order: Sequence[str] = (),
    separator: str | None = None,
) -> Annotations:
    """Ratings as a reader hands them on: a row for each unit, a column for each annotator.

    None is a missing rating; `order` is the export's own order of labels, `separator` what stands between
    the members of labels that are sets.
    """
    names = tuple(annotators) or tuple(f"a{place}" for place in range(len(rows[0]) if rows else 2))
    marks = [
        (unit, who, label)
        for unit, row in enumerate(rows)
        for who, label in enumerate(row)
        if label is not None
    ]
    labels = tuple(order) or tuple(dict.fromkeys(label for *_, label in marks))
    places = tuple(dict.fromkeys(name for name in documents if name is not None))
    of = [NO_DOCUMENT if name is None else places.index(name) for name in documents] or [NO_DOCUMENT] * len(
        rows
    )
    weight = np.array(list(weights) or [1] * len(rows), dtype=np.int64)
    unit = np.array([mark[0] for mark in marks], dtype=np.int64)
    ratings = Ratings(
        documents=places,
        annotators=names,
        labels=tuple(as_set(label, separator) for label in labels) if separator else labels,
        unit_names=("",) * len(rows),
        document=np.array(of, dtype=np.int64),
        weight=weight,
        unit=unit,
        annotator=np.array([mark[1] for mark in marks], dtype=np.int64),
        label=np.array([labels.index(mark[2]) for mark in marks], dtype=np.int64),
        mark_pass=np.array([passes[u][w] if passes else 0 for u, w, _ in marks], dtype=np.int64),
        ordered=bool(order),
    )
    return Annotations(ratings, "made", "", int(weight[unit].sum()))


def matrix(table: Table, categories: Sequence[str], annotators: Sequence[str] = ("A2", "A1")) -> Annotations:
    """Confusion matrix as a reader hands it on: a unit for each cell that is not 0."""
    cells = [(i, j, n) for i, row in enumerate(table) for j, n in enumerate(row) if n]
    return annotations(
        [(categories[i], categories[j]) for i, j, _ in cells],
        annotators=annotators,
        weights=[n for *_, n in cells],
        order=categories,
    )


def declare(kind: str = "items", size: Size | None = None, place: int = 1) -> DeclaredUnitSet:
    declared = 1 if kind == "declared" else None
    chosen = UnitSet(id=kind, units=kind, size=declared, primary=place == 1)  # type: ignore[arg-type]
    return DeclaredUnitSet(chosen, size, FILE, f"unit_sets.{place}")


def study(
    export: Annotations,
    *unit_sets: DeclaredUnitSet,
    roles: Mapping[str, str] | None = None,
    same_as: Mapping[str, str] | None = None,
    **task: Any,  # noqa: ANN401 - any key of [task]
) -> LayerUnits:
    chosen = unit_sets or (declare(),)
    return build_study(export, LayerSettings(Task(**task), chosen, roles or {}, same_as or {}, FILE))


def units_of(export: Annotations, kind: str = "items", size: Size | None = None, **task: Any) -> CodedUnits:  # noqa: ANN401
    return study(export, declare(kind, size), **task).unit_sets[0]


def figures(
    units: CodedUnits, tables: Mapping[str, Matrix] | None = None, sizes: Sequence[int] = ()
) -> UnitSetAgreement:
    """Every figure of coded units; distance tables are in the order of their categories."""
    numbers = tuple(number(name) for name in units.categories)
    setting = ScaleSetting(
        scale=units.scale,
        non_annotated=units.non_annotated,
        values=ranks_or_values(units.categories, units.scale, numbers),
        distances=tuple(
            declared_distance(name, units.categories, rows, units.categories)
            for name, rows in (tables or {}).items()
        ),
        sets=units.sets,
        category_count=units.category_count,
    )
    return analyse(units, count(units), setting, sizes)


def pair_of(
    table: Table,
    categories: Sequence[str] = (),
    tables: Mapping[str, Matrix] | None = None,
    **task: Any,  # noqa: ANN401
) -> PairAgreement:
    """Every figure of a confusion matrix."""
    names = categories or tuple(f"c{place}" for place in range(len(table)))
    task = {"categories": names, **task}
    return figures(units_of(matrix(table, names), **task), tables).pairs[0]


def from_table(pair: PairAgreement, name: str = "conditional_probabilities") -> Floats:
    """What Fort et al. compute from a pair's table, of all its categories."""
    return pair.tables(np.arange(pair.table.categories))[name]


def against_all(found: UnitRatings) -> AgainstMajority:
    """Each rating against the commonest label of its unit, its own included; the first of equals.

    It flatters whoever rated units with few others; crowd-kit and others report it.
    """
    commonest = [np.bincount(found.label[found.unit == unit]).argmax() for unit in found.unit.tolist()]
    return AgainstMajority(np.ones(len(found.unit), dtype=np.bool_), found.label == commonest)


def value(estimate: Estimate | Figure) -> float:
    assert estimate.value is not None, estimate.undefined
    return estimate.value


def error(estimate: Estimate | Figure) -> float:
    assert estimate.standard_error is not None, estimate.interval
    return estimate.standard_error


def no_interval(figure: Figure) -> str:
    """Why a figure has no interval."""
    return present(present(figure.interval).undefined)


def ends(figure: Figure) -> tuple[float, float]:
    """Where a figure's interval begins and ends."""
    return present(present(figure.interval).low), present(present(figure.interval).high)


def observed(estimate: Estimate | Figure) -> float:
    return present(estimate.observed)


def expected(estimate: Estimate | Figure) -> float:
    return present(estimate.expected)


def intervals_asked(module: object, figure: Callable[[], object]) -> list[dict[str, Any]]:
    """What intervals a figure of a module asks for: the estimate, its influence and all that they rest on."""
    asked: list[dict[str, Any]] = []

    def with_interval(estimate: Any, influence: Any, _clusters: Any, bounds: Any, **more: Any) -> Any:  # noqa: ANN401
        asked.append({"estimate": estimate, "influence": influence, "bounds": bounds, **more})
        return estimate

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(module, "with_interval", with_interval)
        figure()
    return asked


def repeated(table: Table) -> list[tuple[int, int]]:
    """One pair of codes for each unit of a confusion matrix."""
    return [(i, j) for i, row in enumerate(table) for j, n in enumerate(row) for _ in range(n)]


def figures_named(units: Units, *names: str) -> dict[str, Estimate]:
    """Return all figures of some measures of a pair, or of all annotators."""
    return {name: found for each in names for name, found in figures_of(BY_ID[each], units).items()}
