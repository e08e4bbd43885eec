"""The units of one layer as a sheet names them: stretches of texts, or units by name."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from reportgen.annotators.adjudication_sheets import (
    ANSWERS,
    CONTEXT,
    LABELS,
    PLACE,
    NameLookup,
    Span,
    after,
    annotator_columns,
    before,
    covered,
    shown,
    written,
)
from reportgen.readers import NO_DOCUMENT, Annotations, Codes, TextMarks
from reportgen.results.model import csv_text
from reportgen.units import (
    NO_PLACE,
    CodedUnits,
    MarkedTexts,
    Mask,
    Request,
    disputed,
    find_controls,
    from_ratings,
)

NOTHING: Mapping[int, str] = {}


@dataclass(frozen=True, eq=False)
class SheetUnits:
    """The units of one layer with everybody's labels, whatever unit sets the campaign declares.

    `units` are the stretches that somebody marked, or the units of a table; `texts` those of the
    documents, empty where the export has none; `labels` the labels of single marks; `separator` stands
    between the labels of a unit that has several; `known` (units,) tells which are control items, whose
    label nobody has to decide.
    """

    units: CodedUnits
    texts: tuple[str, ...]
    labels: tuple[str, ...]
    separator: str
    known: Mask | None = None

    @property
    def layer(self) -> str:
        """Return the layer's name."""
        return self.units.layer

    @property
    def named(self) -> bool:
        """Say whether a sheet can say which unit it means."""
        place = self.units.unit_place
        return not len(place) or bool((place != NO_PLACE).any())

    @cached_property
    def in_dispute(self) -> Codes:
        """Return the units (numbers) on which annotators differ, by document and place; no control item."""
        found = disputed(self.units)
        found = found if self.known is None else found[~self.known[found]]
        return found[np.argsort(self.units.unit_document[found], kind="stable")]

    @cached_property
    def documents(self) -> NameLookup:
        """Return the names of documents."""
        return NameLookup(self.units.documents)

    @cached_property
    def categories(self) -> tuple[str, ...]:
        """Return what can be decided: the categories of the layer, and the non-annotated one."""
        absent = self.units.non_annotated_name
        return tuple(dict.fromkeys((*self.units.categories, *([absent] if absent else []))))

    def document_of(self, unit: int) -> str:
        """Return the name of a unit's document, empty where it has none."""
        code = int(self.units.unit_document[unit])
        return "" if code == NO_DOCUMENT else self.units.documents[code]

    @cached_property
    def _order(self) -> tuple[Codes, Codes]:
        """Return the ratings sorted by unit, and where those of each unit start."""
        order = np.argsort(self.units.unit, kind="stable")
        numbers = np.arange(len(self.units.unit_weight) + 1)
        return order, np.searchsorted(self.units.unit[order], numbers)

    def rated(self, unit: int) -> dict[str, str]:
        """Return who gave which label to a unit."""
        order, starts = self._order
        here = order[starts[unit] : starts[unit + 1]]
        who, what = self.units.annotator[here].tolist(), self.units.label[here].tolist()
        return {
            self.units.annotators[each]: self.units.categories[label]
            for each, label in zip(who, what, strict=True)
        }

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return what the units are called, those without a name by their number in their document."""
        if self.texts:
            return ("",) * len(self.units.unit_weight)
        place = self.units.unit_place.tolist()
        given = [self.units.places.names[each] if each != NO_PLACE else "" for each in place]
        return tuple(_each_named(self.units.unit_document.tolist(), given))

    @cached_property
    def by_name(self) -> Mapping[int, tuple[NameLookup, list[int]]]:
        """Return for each document (code) the names of its units, and the units in the same order."""
        members: dict[int, list[int]] = {}
        for unit in np.flatnonzero(self.units.unit_place != NO_PLACE).tolist():
            members.setdefault(int(self.units.unit_document[unit]), []).append(unit)
        return {
            document: (NameLookup(self.names[unit] for unit in units), units)
            for document, units in members.items()
        }

    def spans_of(self, units: Codes) -> list[tuple[Span, ...]]:
        """Return the stretches of some units, none for those of a table."""
        places = self.units.places
        wanted = self.units.unit_place[units]
        first, last = (np.searchsorted(places.unit, wanted, side=side) for side in ("left", "right"))
        start, end = places.start, places.end
        return [
            tuple(zip(start[low:high].tolist(), end[low:high].tolist(), strict=True))
            for low, high in zip(first.tolist(), last.tolist(), strict=True)
        ]

    @cached_property
    def by_place(self) -> Mapping[tuple[int, tuple[Span, ...]], int]:
        """Return the unit at each place: a document (code) and stretches."""
        units = np.flatnonzero(self.units.unit_place != NO_PLACE)
        documents = self.units.unit_document[units].tolist()
        keys = zip(documents, self.spans_of(units), strict=True)
        return dict(zip(keys, units.tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class LayerAdjudication:
    """What is in dispute in one layer, and what was decided of it.

    `decisions` and `causes` are those of units, by their number. `filled` says whether there is a sheet.
    """

    sheet: SheetUnits
    decisions: Mapping[int, str] = field(default_factory=lambda: NOTHING)
    causes: Mapping[int, str] = field(default_factory=lambda: NOTHING)
    filled: bool = False

    @property
    def open(self) -> Codes:
        """Return the units (numbers) on which annotators differ and nothing was decided."""
        found = self.sheet.in_dispute
        return found[~np.isin(found, list(self.decisions))]


def units_of(annotations: Annotations, request: Request) -> SheetUnits:
    """Return the units of a layer as a sheet names them.

    Control items are among them, as a sheet may have been filled in before they were declared. Raises
    BadInput where units have several labels and nothing says which counts.
    """
    content = annotations.content
    roles = {**annotations.roles, **request.roles}
    if isinstance(content, TextMarks):
        units = MarkedTexts(annotations, content, request).by_stretch()
        return SheetUnits(units, content.texts, content.labels, request.separator)
    ratings = annotations.ratings
    units, _ = from_ratings(ratings, replace(request, roles=roles, controls=None))
    return SheetUnits(units, (), ratings.labels, request.separator, find_controls(ratings, request).mask)


def _each_named(documents: Sequence[int], names: Sequence[str]) -> Iterator[str]:
    """Yield the name of each unit; one without is called by its number among those of its document."""
    taken = set(zip(documents, names, strict=True))
    times: Counter[int] = Counter()
    for document, name in zip(documents, names, strict=True):
        shown = name
        while not shown or (not name and (document, shown) in taken):
            times[document] += 1
            shown = f"#{times[document]}"
        yield shown


# The sheet that an adjudicator fills in: every disagreement that is not decided yet.


def sheet_csv(layers: Sequence[LayerAdjudication], names: Mapping[str, str]) -> str | None:
    """Return the sheet of all layers as CSV, None where no unit has a name or a place.

    `names` are the annotators' pseudonyms, if any. A cause that was noted without a decision stays.
    """
    listed = [each for each in layers if each.sheet.named]
    if not listed:
        return None
    annotators = list(dict.fromkeys(name for each in listed for name in each.sheet.units.annotators))
    columns = annotator_columns([names.get(name, name) for name in annotators])
    rows = (row for each in listed for row in _rows(each, annotators, crowd=columns == [LABELS]))
    head = (*PLACE, *CONTEXT, *columns, *ANSWERS)
    return csv_text([written(cell) for cell in head], ([written(cell) for cell in row] for row in rows))


def _rows(layer: LayerAdjudication, annotators: Sequence[str], *, crowd: bool) -> Iterator[tuple[str, ...]]:
    sheet, units = layer.sheet, layer.open
    for unit, spans in zip(units.tolist(), sheet.spans_of(units), strict=True):
        labels = sheet.rated(unit)
        given = [tallied(sheet, labels)] if crowd else [labels.get(name, "") for name in annotators]
        around = ("", "", "")
        if spans:
            text = sheet.texts[int(sheet.units.unit_document[unit])]
            around = (before(text, spans[0][0]), covered(text, spans), after(text, spans[-1][1]))
        where = (sheet.layer, sheet.document_of(unit), sheet.names[unit], shown(spans))
        yield (*where, *around, *given, "", layer.causes.get(unit, ""))


def tallied(sheet: SheetUnits, labels: Mapping[str, str]) -> str:
    """Return how often each label was given, in the order of the categories: "yes (3), no (2)"."""
    times = Counter(labels.values())
    return ", ".join(f"{name} ({times[name]})" for name in sheet.units.categories if name in times)
