"""Everybody's labels on the units of one unit set: references, annotators, systems and models."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from reportgen.formats import NO_DOCUMENT, Codes
from reportgen.study.coded import NO_CATEGORY, CodedUnits
from reportgen.study.people import ANNOTATOR, Mask, People
from reportgen.study.spans import ROLES
from reportgen.study.unit_sets import Declaration, Size, select

REFERENCE = ROLES[0]
Choice = Literal["every", "any", "all"]
CHOICES: Mapping[str, Choice] = {"annotated-by-any": "any", "annotated-by-all": "all"}


@dataclass(frozen=True, eq=False)
class Compared:
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


def everybody(known: People) -> People:
    """Return the people of an export as if all were annotators; a pass in another role is another person."""
    own: dict[tuple[int, str], int] = {}
    for name, (person, role) in enumerate(zip(known.person.tolist(), known.roles, strict=True)):
        if name == person or (person, role) not in own:
            own[person, role] = name
    keys = zip(known.person.tolist(), known.roles, strict=True)
    person = np.array([own[key] for key in keys], dtype=np.int64)
    return People(known.names, person, (ANNOTATOR,) * len(known.names))


def compared(units: CodedUnits, declaration: Declaration, known: People, derived: Sequence[str]) -> Compared:
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
    return Compared(ordered, own, here, choice, absent)


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
