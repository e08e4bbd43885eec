"""From labels of units to what is compared: first passes only, in codes of categories and annotators."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from reportgen.readers import EMPTY_SET, NO_DOCUMENT, Codes, ExcludedMarks, Ratings
from reportgen.units.categories import (
    SingleLabels,
    category_codes,
    empty_name,
    is_of_sets,
    members,
    named,
    of_categories,
    one_label_each,
    order_categories,
)
from reportgen.units.coded import (
    ANNOTATOR,
    NO_CATEGORY,
    NO_PLACE,
    REJECTED,
    REPEATED,
    CodedUnits,
    ControlUnits,
    ExportParticipants,
    Mask,
    Places,
    left_out,
    mark_weight,
    of_other_roles,
    people,
)
from reportgen.units.passes import CONTROL, control_units, find_controls, order_of_labels
from reportgen.units.spans import ROLES
from reportgen.units.unit_sets import Declaration, Request, Size, keep, select


def from_ratings(
    ratings: Ratings, request: Request, derived: Sequence[str] = ()
) -> tuple[CodedUnits, list[ExcludedMarks]]:
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


def _is_rejected(known: ExportParticipants, request: Request) -> Mask:
    """Tell of each person (names,) whether control items made the campaign reject them."""
    return np.array([name in request.rejected for name in known.names], dtype=np.bool_)


def rated_by_everybody(ratings: Ratings, known: ExportParticipants, request: Request) -> CodedUnits:
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


def _code(ratings: Ratings, known: ExportParticipants, kept: Mask, request: Request) -> CodedUnits:
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
    places = {name: code for code, name in enumerate(ordered)}
    place[present] = [places[name] for name in names]
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


def _labelled(ratings: Ratings, known: ExportParticipants, kept: Mask, request: Request) -> SingleLabels:
    """Return the label of each person on each unit, with the names of all labels of the export.

    On a scale of sets all that a person gave a unit is one; where somebody gave several labels, only sets in
    use are categories.
    """
    person = known.person[ratings.annotator[kept]]
    if not is_of_sets(request):
        unit, label = ratings.unit[kept], ratings.label[kept]
        names = _with_nothing_named(ratings.labels, request)
        return SingleLabels(unit, person, label, names, np.ones(len(unit), dtype=np.bool_), 0)
    given = one_label_each(ratings.unit[kept], person, ratings.label[kept], ratings.labels, request)
    if given.several and not ratings.ordered:
        return given
    return _with_all(given, ratings.labels, request)


def _with_nothing_named(labels: Sequence[str], request: Request) -> tuple[str, ...]:
    """Return the labels; the empty choice is the non-annotated category, where the campaign has one."""
    return tuple(empty_name(request) if label == EMPTY_SET else label for label in labels)


def _with_all(given: SingleLabels, labels: Sequence[str], request: Request) -> SingleLabels:
    """Return the same with the sets of all labels of an export, used or not, in their order."""
    sets = members(labels, request)
    every = {**dict(zip(named(sets, labels, request), sets, strict=True)), **given.sets}
    place = {name: code for code, name in enumerate(every)}
    codes = np.array([place[name] for name in given.labels], dtype=np.int64)
    return replace(given, label=codes[given.label], labels=tuple(every), sets=every)


# Everybody's labels on the units of one unit set: references, annotators, systems and models.

REFERENCE = ROLES[0]
Choice = Literal["every", "any", "all"]
CHOICES: Mapping[str, Choice] = {"annotated-by-any": "any", "annotated-by-all": "all"}


@dataclass(frozen=True, eq=False)
class ComparedUnits:
    """The units of one unit set with everybody's first label, so that two people can be compared on them.

    - `units`: as of annotators alone, but `annotators` are all people: references, annotators, systems and
      models, in this order. There may be categories more, which others than annotators used.
    - `roles` (people,); `derived`: names of references that were made from annotators' own marks.
    - `choice`: two people are compared on "every" unit that both labelled; or on those of them that an
      annotator or one of the two marked ("any"); or that all annotators and both marked ("all").
    - `absent`: the code of the non-annotated category, also where no pair can have it ("all").
    """

    units: CodedUnits
    roles: tuple[str, ...]
    derived: tuple[str, ...] = ()
    choice: Choice = "every"
    absent: int = NO_CATEGORY

    def of_role(self, *roles: str) -> list[int]:
        """Return the codes of the people who have one of the roles."""
        return [code for code, role in enumerate(self.roles) if role in roles]

    @property
    def has_reference(self) -> bool:
        """Say whether there is somebody to hold annotators and systems against."""
        return REFERENCE in self.roles

    def made_from(self, key: int, other: int) -> bool:
        """Tell whether somebody is a reference made from marks of which the other's are a part."""
        return self.units.annotators[key] in self.derived and self.roles[other] == ANNOTATOR

    def labels_of(self, person: int) -> Codes:
        """Return the label of one person on each unit (units,), NO_CATEGORY where there is none."""
        units = self.units
        labels = np.full(len(units.unit_weight), NO_CATEGORY, dtype=np.int64)
        own = units.annotator == person
        labels[units.unit[own]] = units.label[own]
        return labels

    def chosen(self, unit: Codes, *labels: Codes) -> Mask:
        """Say of units (rows,) whether two people who gave them `labels` (rows,) each are compared there."""
        weighs: Mask = self.units.unit_weight[unit] > 0
        marked = [label != self.absent for label in labels]
        if self.choice == "any":
            weighs = weighs & np.logical_or.reduce([self._marked[unit] > 0, *marked])
        if self.choice == "all":
            everybody = len(self.of_role(ANNOTATOR))
            weighs = weighs & np.logical_and.reduce([self._marked[unit] == everybody, *marked])
        return weighs

    @cached_property
    def _marked(self) -> Codes:
        """Return how many annotators marked each unit (units,)."""
        units = self.units
        annotates = np.array([role == ANNOTATOR for role in self.roles], dtype=np.bool_)
        rows = annotates[units.annotator] & (units.label != self.absent)
        return np.bincount(units.unit[rows], minlength=len(units.unit_weight))


def compared(
    units: CodedUnits, declaration: Declaration, known: ExportParticipants, derived: Sequence[str]
) -> ComparedUnits:
    """Return the units of a declared unit set with everybody's labels, people in the order of their roles.

    `units` has everybody as an annotator; `known` who they are. Of a declared size there are as many units
    as are declared, more only where everybody's marks together need more.
    """
    chosen = declaration.unit_set
    named = replace(units, id=chosen.id, kind=chosen.units, why=chosen.why or "", primary=chosen.primary)
    choice = CHOICES.get(chosen.units, "every")
    absent = named.non_annotated
    if chosen.units == "declared":
        named = select(named, replace(declaration, size=_roomy(named, declaration.size)))
        absent = named.non_annotated
    elif choice == "all" and absent != NO_CATEGORY:
        named = replace(
            named,
            categories=named.categories[:absent],
            sets=named.sets and named.sets[:absent],
            non_annotated=NO_CATEGORY,
        )
    roles = dict(zip(known.names, known.roles, strict=True))
    ordered = _by_role(named, roles)
    own = tuple(roles[name] for name in ordered.annotators)
    here = tuple(name for name in ordered.annotators if name in derived)
    return ComparedUnits(ordered, own, here, choice, absent)


def _by_role(units: CodedUnits, roles: Mapping[str, str]) -> CodedUnits:
    """Return the units with people in the order of their roles, else as they were."""
    order = sorted(range(len(units.annotators)), key=lambda code: ROLES.index(roles[units.annotators[code]]))
    place = np.argsort(np.array(order, dtype=np.int64), kind="stable")
    names = tuple(units.annotators[code] for code in order)
    return replace(units, annotators=names, annotator=place[units.annotator])


def _roomy(units: CodedUnits, size: Size | None) -> Size:
    """Return a declared size, enlarged where everybody's marks together do not fit in it."""
    marked = np.unique(units.unit[units.label != units.non_annotated])
    if not isinstance(size, Mapping):
        return max(int(size or 0), int(units.unit_weight[marked].sum()))
    here = marked[units.unit_document[marked] != NO_DOCUMENT]
    counts = np.zeros(len(units.documents), dtype=np.int64)
    np.add.at(counts, units.unit_document[here], units.unit_weight[here])
    needed = dict(zip(units.documents, counts.tolist(), strict=True))
    return {name: max(number, needed.get(name, 0)) for name, number in size.items()}
