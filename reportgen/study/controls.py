"""Which units of an export are control items, whose right label is known."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from reportgen.campaign import ControlItem
from reportgen.errors import BadInput, Problem, did_you_mean
from reportgen.formats import NO_DOCUMENT, Ratings
from reportgen.study.coded import CodedUnits, ControlUnits
from reportgen.study.people import Mask
from reportgen.study.request import Request
from reportgen.study.unit_sets import keep

CONTROL = "a control item: its right label is known, and it says nothing of agreement"
ORDINARY = "no control item"


@dataclass(frozen=True, eq=False)
class Found:
    """The control items among the units of an export.

    `mask` (units,) tells which they are; `items` maps units of this layer's items to the item; `absent` has
    the lines of those that no unit is.
    """

    mask: Mask
    items: Mapping[int, ControlItem]
    absent: tuple[int, ...]


def find_controls(ratings: Ratings, request: Request) -> Found:
    """Return which units are control items; an item of another layer is one here too.

    A unit is known by its name, or by its document's where it has none. Raises BadInput for an item that
    may be several units.
    """
    mask = np.zeros(len(ratings.unit_document), dtype=np.bool_)
    if request.controls is None:
        return Found(mask, {}, ())
    if ratings.counted:
        raise BadInput(without_names(request))
    named, problems = _named(ratings), list[Problem]()
    absent: list[int] = []
    own: dict[int, ControlItem] = {}
    for item in request.controls.items:
        units = [unit for unit, document in named.get(item.unit, ()) if item.document in ("", document)]
        if len(units) > 1:
            problems.append(_several(request.controls.file, item, len(units)))
        if not units and item.layer == request.layer:
            absent.append(item.line)
        mask[units] = True
        own |= dict.fromkeys(units, item) if item.layer == request.layer else {}
    if problems:
        raise BadInput(problems)
    return Found(mask, own, tuple(absent))


def _named(ratings: Ratings) -> dict[str, list[tuple[int, str]]]:
    """Return each unit with the name of its document, by its own name."""
    found: dict[str, list[tuple[int, str]]] = {}
    pairs = zip(ratings.unit_names, ratings.unit_document.tolist(), strict=True)
    for unit, (name, code) in enumerate(pairs):
        document = "" if code == NO_DOCUMENT else ratings.documents[code]
        found.setdefault(name or document, []).append((unit, document))
    return found


def _several(file: str, item: ControlItem, units: int) -> Problem:
    message = f'{units} units are called "{item.unit}".'
    mend = "Add the column document, and name the document that it is in."
    return Problem(file, item.line, "column unit", message, mend)


def control_units(coded: CodedUnits, found: Found, request: Request) -> ControlUnits | None:
    """Return the control items alone, with their right labels; None where this layer has none.

    `coded` holds all units of the export. Raises BadInput for labels that the layer does not have.
    """
    if request.controls is None or not any(each.layer == request.layer for each in request.controls.items):
        return None
    problems = list(_unknown(request.controls.file, found.items, coded.categories))
    if problems:
        raise BadInput(problems)
    own = np.zeros(len(coded.unit_weight), dtype=np.bool_)
    own[list(found.items)] = True
    labels = [found.items[unit].label for unit in np.flatnonzero(own).tolist()]
    truth = np.array([coded.categories.index(label) for label in labels], dtype=np.int64)
    return ControlUnits(keep(coded, own, ORDINARY), truth, found.absent)


def _unknown(file: str, items: Mapping[int, ControlItem], known: Sequence[str]) -> Iterator[Problem]:
    for item in items.values():
        if item.label not in known:
            message = f'nobody gave the label "{item.label}", and the campaign does not declare it.'
            yield Problem(file, item.line, "column label", message, did_you_mean(item.label, known))


def without_names(request: Request) -> Iterator[Problem]:
    """Yield the problem of control items where units that are alike were counted as one."""
    message = "control items are units with a name, and of so many labels only counts are known."
    yield Problem(request.file, key="controls.file", message=message, mend="Take [controls] away.")


def no_texts(request: Request) -> Iterator[Problem]:
    """Yield the problem of control items where an export has texts and marks in them."""
    if request.controls is not None:
        message = "control items are units with a known label; this export holds texts and marks in them."
        mend = 'Take [controls] away, and compare with a reference: role = "reference" under [annotators].'
        yield Problem(request.file, key="controls.file", message=message, mend=mend)
