"""From what annotators exported to what is compared: roles, passes, categories, then each unit set."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from reportgen.campaign import Task
from reportgen.errors import BadInput, Problem
from reportgen.formats import Annotations, Codes, LeftOut, Ratings
from reportgen.study.categories import category_codes, order_categories
from reportgen.study.coded import NO_CATEGORY, CodedUnits, Study
from reportgen.study.unit_sets import Declaration, select

Mask = npt.NDArray[np.bool_]

REPEATED = "a second pass: the annotator's first label on the unit counts"
ANNOTATOR = "annotator"
OTHER_ROLE = "not an annotator but a {role}: compared with the annotators, never counted among them"


@dataclass(frozen=True)
class Request:
    """What to compare: the task, the unit sets, and who is not simply an annotator.

    `roles` maps annotators to roles other than "annotator"; `same_as` an annotator to the one whose
    second pass it is; `file` is the campaign's file, named in errors.
    """

    task: Task
    unit_sets: Sequence[Declaration]
    roles: Mapping[str, str]
    same_as: Mapping[str, str]
    file: str
    layer: str = "main"


def build_study(annotations: Annotations, request: Request) -> Study:
    """Return every unit set of an export, with what none of them uses.

    Raises BadInput, all at once, for unit sets that can't be made from this export.
    """
    ratings, left_out = _first_passes(annotations.ratings, request)
    whole = _code(ratings, annotations.ratings, request)
    unit_sets: list[CodedUnits] = []
    problems: list[Problem] = []
    for declaration in request.unit_sets:
        try:
            unit_sets.append(_select(whole, declaration))
        except BadInput as error:
            problems.extend(error.problems)
    if problems:
        raise BadInput(problems)
    used = int(ratings.unit_weight[ratings.unit].sum())
    return Study(tuple(unit_sets), annotations.marks_read, used, (*annotations.left_out, *left_out))


def _select(whole: CodedUnits, declaration: Declaration) -> CodedUnits:
    chosen = declaration.unit_set
    named = replace(whole, id=chosen.id, kind=chosen.units, why=chosen.why or "", primary=chosen.primary)
    return select(named, declaration)


def _first_passes(ratings: Ratings, request: Request) -> tuple[Ratings, list[LeftOut]]:
    """Keep the first label of each annotator on each unit; count the others, and those of other roles."""
    persons = _persons(ratings, request)
    roles = _roles(ratings, persons, request)
    other = np.array([role != ANNOTATOR for role in roles], dtype=np.bool_)[ratings.annotator]
    person = persons[ratings.annotator]
    second = _is_repeated(ratings, person) & ~other
    left_out = [
        *_left_out(ratings, second, [REPEATED] * len(roles)),
        *_left_out(ratings, other, [OTHER_ROLE.format(role=role) for role in roles]),
    ]
    kept = ~(second | other)
    rest = replace(
        ratings,
        unit=ratings.unit[kept],
        annotator=person[kept],
        label=ratings.label[kept],
        mark_pass=ratings.mark_pass[kept],
    )
    return rest, left_out


def _persons(ratings: Ratings, request: Request) -> Codes:
    """Return for each annotator the code of the person behind it."""
    codes = {name: code for code, name in enumerate(ratings.annotators)}
    persons = [codes.get(request.same_as.get(name, name), code) for name, code in codes.items()]
    return np.array(persons, dtype=np.int64)


def _roles(ratings: Ratings, persons: Codes, request: Request) -> list[str]:
    """Return each annotator's role; a second pass has that of its own name, or else of the first pass."""
    own = [request.roles.get(name, ANNOTATOR) for name in ratings.annotators]
    return [
        own[person] if role == ANNOTATOR else role for role, person in zip(own, persons.tolist(), strict=True)
    ]


def _is_repeated(ratings: Ratings, person: Codes) -> Mask:
    """Tell for each mark whether the person has labelled the unit before.

    A lower pass comes before a higher one, within a pass the person's own name before others', and then
    the order of the file.
    """
    place = np.arange(len(ratings.unit))
    order = np.lexsort((place, ratings.annotator != person, ratings.mark_pass, person, ratings.unit))
    unit, who = ratings.unit[order], person[order]
    repeated = np.zeros(len(order), dtype=np.bool_)
    repeated[order[1:]] = (unit[1:] == unit[:-1]) & (who[1:] == who[:-1])
    return repeated


def _left_out(ratings: Ratings, marks: Mask, reasons: Sequence[str]) -> list[LeftOut]:
    """Return what is left out, summed for each annotator."""
    weight = np.zeros(len(ratings.annotators), dtype=np.int64)
    np.add.at(weight, ratings.annotator[marks], ratings.unit_weight[ratings.unit[marks]])
    return [
        LeftOut("", 0, name, reason, count)
        for name, reason, count in zip(ratings.annotators, reasons, weight.tolist(), strict=True)
        if count
    ]


def _code(ratings: Ratings, all_ratings: Ratings, request: Request) -> CodedUnits:
    """Return all units of the export with the categories and annotators in their order.

    Annotators stand in the order of the export where it has one, else of their names.
    """
    categories = order_categories(all_ratings, request.task, request.file)
    codes = np.array(category_codes(ratings.labels, categories), dtype=np.int64)
    present = np.unique(ratings.annotator).tolist()
    names = [ratings.annotators[code] for code in present]
    ordered = names if ratings.ordered else sorted(names)
    place = np.full(len(ratings.annotators), NO_CATEGORY, dtype=np.int64)
    place[present] = [ordered.index(name) for name in names]
    non_annotated = request.task.non_annotated or ""
    return CodedUnits(
        layer=request.layer,
        id="",
        kind="items",
        primary=False,
        why="",
        scale=request.task.scale,
        documents=ratings.documents,
        annotators=tuple(ordered),
        categories=categories,
        non_annotated=categories.index(non_annotated) if non_annotated in categories else NO_CATEGORY,
        non_annotated_name=non_annotated,
        unit_document=ratings.unit_document,
        unit_weight=ratings.unit_weight,
        unit=ratings.unit,
        annotator=place[ratings.annotator],
        label=codes[ratings.label],
        units_read=int(ratings.unit_weight.sum()),
    )
