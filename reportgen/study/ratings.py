"""From labels of units to what is compared: first passes only, in codes of categories and annotators."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from reportgen.formats import EMPTY_SET, NO_DOCUMENT, Codes, LeftOut, Ratings
from reportgen.study.categories import category_codes, order_categories
from reportgen.study.coded import NO_CATEGORY, NO_PLACE, CodedUnits, ControlUnits, Places
from reportgen.study.controls import CONTROL, control_units, find_controls
from reportgen.study.passes import order_of_labels
from reportgen.study.people import (
    REJECTED,
    REPEATED,
    Mask,
    People,
    left_out,
    mark_weight,
    of_other_roles,
    people,
)
from reportgen.study.request import Request
from reportgen.study.sets import empty_name, is_of_sets, members, named, of_categories
from reportgen.study.several import Labelled, one_label_each
from reportgen.study.unit_sets import keep


def from_ratings(
    ratings: Ratings, request: Request, derived: Sequence[str] = ()
) -> tuple[CodedUnits, list[LeftOut]]:
    """Return all units of an export with each annotator's first label, and the marks that do not count.

    Control items are left out, and so is whom they made the campaign reject.
    The marks of `derived` annotators are not among these: no file holds them. Raises BadInput where the
    categories do not fit the scale.
    """
    known = people(ratings.annotators, request.roles, request.same_as)
    other, others = of_other_roles(ratings, known, derived)
    person = known.person[ratings.annotator]
    rejected = _is_rejected(known, request)[person] & ~other
    second = _is_repeated(ratings, person, as_sets=is_of_sets(request)) & ~(other | rejected)
    control = find_controls(ratings, request).mask
    known_right = control[ratings.unit] & ~(other | rejected | second)
    units = _code(ratings, known, ~(second | other | rejected | known_right), request)
    return keep(units, ~control, CONTROL), [
        *left_out(ratings, second, REPEATED),
        *left_out(ratings, known_right, CONTROL),
        *left_out(ratings, rejected, REJECTED),
        *others,
    ]


def controls_of(ratings: Ratings, request: Request) -> ControlUnits | None:
    """Return the control items with what every annotator, rejected or not, made of them first."""
    known = people(ratings.annotators, request.roles, request.same_as)
    other, _ = of_other_roles(ratings, known, ratings.annotators)
    found = find_controls(ratings, request)
    again = _is_repeated(ratings, known.person[ratings.annotator], as_sets=is_of_sets(request))
    first = ~(other | again)
    return control_units(_code(ratings, known, first & found.mask[ratings.unit], request), found, request)


def _is_rejected(known: People, request: Request) -> Mask:
    """Tell of each person (names,) whether control items made the campaign reject them."""
    return np.array([name in request.rejected for name in known.names], dtype=np.bool_)


def rated_by_everybody(ratings: Ratings, known: People, request: Request) -> CodedUnits:
    """Return all units of an export with the first label of each of the people, whatever their role.

    Control items are left out, and so is whom they made the campaign reject.
    """
    person = known.person[ratings.annotator]
    again = _is_repeated(ratings, person, as_sets=is_of_sets(request))
    kept = ~(again | _is_rejected(known, request)[person])
    units = _code(ratings, known, kept, request)
    return keep(units, ~find_controls(ratings, request).mask, CONTROL)


def _places(ratings: Ratings) -> Codes:
    """Return the number of each unit, NO_PLACE where neither a name nor a document says which it is.

    Of units that are alike, and one, nothing does.
    """
    if ratings.counted:
        return np.full(len(ratings.unit_weight), NO_PLACE, dtype=np.int64)
    named = np.array([bool(name) for name in ratings.unit_names], dtype=np.bool_)
    known = named | (ratings.unit_document != NO_DOCUMENT)
    return np.where(known, np.arange(len(known), dtype=np.int64), NO_PLACE)


def _is_repeated(ratings: Ratings, person: Codes, *, as_sets: bool) -> Mask:
    """Tell for each mark whether the person has labelled the unit before; a set of labels is one."""
    repeated: Mask = order_of_labels(ratings, person, as_sets=as_sets) > 0
    return repeated


def _code(ratings: Ratings, known: People, kept: Mask, request: Request) -> CodedUnits:
    """Return all units with the categories and annotators in their order.

    Annotators stand in the order of the export where it has one, else of their names.
    """
    given = _labelled(ratings, known, kept, request)
    categories = order_categories(given.labels, request.task, request.file, ordered=ratings.ordered)
    codes = np.array(category_codes(given.labels, categories), dtype=np.int64)
    person = given.person
    present = np.unique(person).tolist()
    names = [ratings.annotators[code] for code in present]
    ordered = names if ratings.ordered else sorted(names)
    place = np.full(len(ratings.annotators), NO_CATEGORY, dtype=np.int64)
    place[present] = [ordered.index(name) for name in names]
    non_annotated = request.task.non_annotated or ""
    return replace(
        request.nothing,
        documents=ratings.documents,
        annotators=tuple(ordered),
        categories=categories,
        sets=of_categories(categories, given.sets, request),
        non_annotated=categories.index(non_annotated) if non_annotated in categories else NO_CATEGORY,
        non_annotated_name=non_annotated,
        unit_document=ratings.unit_document,
        unit_weight=ratings.unit_weight,
        unit=given.unit,
        annotator=place[person],
        label=codes[given.label],
        several=given.several,
        joined=given.several > 0,
        units_read=int(ratings.unit_weight.sum()),
        unit_place=_places(ratings),
        places=Places(names=ratings.unit_names),
        mark=np.flatnonzero(kept),
        mark_unit=ratings.unit[kept],
        mark_weight=mark_weight(ratings),
        counted=ratings.counted,
    )


def _labelled(ratings: Ratings, known: People, kept: Mask, request: Request) -> Labelled:
    """Return the label of each person on each unit, with the names of all labels of the export.

    On a scale of sets all that a person gave a unit is one; where somebody gave several labels, only sets in
    use are categories.
    """
    person = known.person[ratings.annotator[kept]]
    if not is_of_sets(request):
        unit, label = ratings.unit[kept], ratings.label[kept]
        names = _with_nothing_named(ratings.labels, request)
        return Labelled(unit, person, label, names, np.ones(len(unit), dtype=np.bool_), 0)
    given = one_label_each(ratings.unit[kept], person, ratings.label[kept], ratings.labels, request)
    if given.several and not ratings.ordered:
        return given
    return _with_all(given, ratings.labels, request)


def _with_nothing_named(labels: Sequence[str], request: Request) -> tuple[str, ...]:
    """Return the labels; the empty choice is the non-annotated category, where the campaign has one."""
    return tuple(empty_name(request) if label == EMPTY_SET else label for label in labels)


def _with_all(given: Labelled, labels: Sequence[str], request: Request) -> Labelled:
    """Return the same with the sets of all labels of an export, used or not, in their order."""
    sets = members(labels, request)
    every = {**dict(zip(named(sets, labels, request), sets, strict=True)), **given.sets}
    place = {name: code for code, name in enumerate(every)}
    codes = np.array([place[name] for name in given.labels], dtype=np.int64)
    return replace(given, label=codes[given.label], labels=tuple(every), sets=every)
