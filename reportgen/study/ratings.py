"""From labels of units to what is compared: first passes only, in codes of categories and annotators."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from reportgen.formats import NO_DOCUMENT, Codes, LeftOut, Ratings
from reportgen.study.categories import category_codes, order_categories
from reportgen.study.coded import NO_CATEGORY, NO_PLACE, CodedUnits, Places
from reportgen.study.people import REPEATED, Mask, People, left_out, mark_weight, of_other_roles, people
from reportgen.study.request import Request


def from_ratings(
    ratings: Ratings, request: Request, derived: Sequence[str] = ()
) -> tuple[CodedUnits, list[LeftOut]]:
    """Return all units of an export with each annotator's first label, and the marks that do not count.

    The marks of `derived` annotators are not among these: no file holds them. Raises BadInput where the
    categories do not fit the scale.
    """
    known = people(ratings.annotators, request.roles, request.same_as)
    other, others = of_other_roles(ratings, known, derived)
    second = _is_repeated(ratings, known.person[ratings.annotator]) & ~other
    return _code(ratings, known, ~(second | other), request), [
        *left_out(ratings, second, REPEATED),
        *others,
    ]


def _places(ratings: Ratings) -> Codes:
    """Return the number of each unit, NO_PLACE where neither a name nor a document says which it is."""
    named = np.array([bool(name) for name in ratings.unit_names], dtype=np.bool_)
    known = named | (ratings.unit_document != NO_DOCUMENT)
    return np.where(known, np.arange(len(known), dtype=np.int64), NO_PLACE)


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


def _code(ratings: Ratings, known: People, kept: Mask, request: Request) -> CodedUnits:
    """Return all units with the categories and annotators in their order.

    Annotators stand in the order of the export where it has one, else of their names.
    """
    categories = order_categories(ratings.labels, request.task, request.file, ordered=ratings.ordered)
    codes = np.array(category_codes(ratings.labels, categories), dtype=np.int64)
    person = known.person[ratings.annotator[kept]]
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
        non_annotated=categories.index(non_annotated) if non_annotated in categories else NO_CATEGORY,
        non_annotated_name=non_annotated,
        unit_document=ratings.unit_document,
        unit_weight=ratings.unit_weight,
        unit=ratings.unit[kept],
        annotator=place[person],
        label=codes[ratings.label[kept]],
        units_read=int(ratings.unit_weight.sum()),
        unit_place=_places(ratings),
        places=Places(names=ratings.unit_names),
        mark=np.flatnonzero(kept),
        mark_unit=ratings.unit[kept],
        mark_weight=mark_weight(ratings),
    )
