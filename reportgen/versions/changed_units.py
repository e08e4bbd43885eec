"""The units that changed sides between two versions, in their texts: the model of changed.json."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from reportgen.readers import NO_DOCUMENT
from reportgen.results.comparison import Changed, ChangedUnit, ChangedUnits
from reportgen.results.texts import Span, in_context
from reportgen.units import NO_CATEGORY, Pseudonyms
from reportgen.versions.confusions import UNMARKED, Flipped, RowAlignment
from reportgen.versions.sides import NamedUnits, Side
from reportgen.versions.unit_sets import RevisedUnits

# Units of a list: every two versions have one, so that longer ones fill a site.
MOST_UNITS = 100


def changed_units(first: Side, second: Side, found: Iterable[RevisedUnits], names: Pseudonyms) -> Changed:
    """Return the units of each unit set that changed sides or are still disputed, in the order of texts.

    Of more than 100 a list has 100, evenly chosen. Documents and units are called as `names` says.
    """
    return Changed(
        first=first.version.id,
        second=second.version.id,
        unit_sets=tuple(
            _units(first, second, each, each.flipped, names) for each in found if each.flipped is not None
        ),
    )


def _units(
    first: Side, second: Side, found: RevisedUnits, flipped: Flipped, names: Pseudonyms
) -> ChangedUnits:
    before = _Labelled(found.first, first.texts, names)
    both = _Both(before, _Labelled(found.second, second.texts, names), names)
    return ChangedUnits(
        layer=found.revision.layer,
        unit_set=found.revision.unit_set,
        mended=tuple(both.changed(flipped.mended)),
        broken=tuple(both.changed(flipped.broken)),
        disputed=tuple(both.changed(flipped.disputed)),
    )


def _some(rows: RowAlignment) -> RowAlignment:
    """Return at most so many units as a list has, evenly from all."""
    size = len(rows.first)
    return (
        rows if size <= MOST_UNITS else rows.some(np.arange(MOST_UNITS, dtype=np.int64) * size // MOST_UNITS)
    )


@dataclass(frozen=True, eq=False)
class _Labelled:
    """The units of one version with what each annotator said of them, and the texts of its documents."""

    named: NamedUnits
    texts: Mapping[str, str]
    shown: Pseudonyms

    @cached_property
    def starts(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """Return where the ratings of each unit begin and end, ratings being sorted by unit."""
        return np.searchsorted(self.named.units.unit[self.order], np.arange(len(self.named.unit) + 1))

    @cached_property
    def order(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """Return the ratings by unit and annotator."""
        units = self.named.units
        return np.lexsort((units.annotator, units.unit))

    def labels(self, row: int) -> dict[str, str]:
        """Return what annotators said of a unit."""
        units = self.named.units
        here = self.order[self.starts[row] : self.starts[row + 1]]
        pairs = zip(units.annotator[here].tolist(), units.label[here].tolist(), strict=True)
        return {units.annotators[who]: units.categories[label] for who, label in pairs}

    def unmarked(self, document: str) -> dict[str, str]:
        """Return what annotators say of a unit of a document that none of them marked."""
        units = self.named.units
        if units.non_annotated == NO_CATEGORY:
            return {}
        name = units.categories[units.non_annotated]
        return dict.fromkeys(self._readers.get(document, ()), name)

    @cached_property
    def _readers(self) -> dict[str, list[str]]:
        """Return who read each document, by its name."""
        units = self.named.units
        document = units.unit_document[units.unit]
        found: dict[str, list[str]] = {}
        for code, who in np.unique(np.stack([document, units.annotator], axis=1), axis=0).tolist():
            if code != NO_DOCUMENT:
                found.setdefault(units.documents[code], []).append(units.annotators[who])
        return found

    def document(self, row: int) -> str | None:
        """Return the document of a unit, None where none is known."""
        code = int(self.named.units.unit_document[row])
        return None if code == NO_DOCUMENT else self.named.units.documents[code]

    def stands(self, row: int) -> dict[str, str]:
        """Return a unit of a text in its context, else its name."""
        place, document = int(self.named.units.unit_place[row]), self.document(row)
        text = self.texts.get(document or "")
        spans = self._spans.get(place, ())
        if text is None or not spans:
            return {"unit": self.shown.unit(self.named.units.places.names[place])}
        context = in_context(text, spans)
        return {"before": context.before, "unit": context.unit, "after": context.after}

    @cached_property
    def _spans(self) -> dict[int, tuple[Span, ...]]:
        places, found = self.named.units.places, dict[int, tuple[Span, ...]]()
        columns = (places.unit.tolist(), places.start.tolist(), places.end.tolist())
        for place, start, end in zip(*columns, strict=True):
            found[place] = (*found.get(place, ()), (start, end))
        return found


@dataclass(frozen=True, eq=False)
class _Both:
    """The units of both versions."""

    first: _Labelled
    second: _Labelled
    shown: Pseudonyms

    def changed(self, rows: RowAlignment) -> Iterator[ChangedUnit]:
        """Yield units of both versions, of very many some."""
        rows = _some(rows)
        for one, other in zip(rows.first.tolist(), rows.second.tolist(), strict=True):
            stands = self.second.stands(other) if other != UNMARKED else self.first.stands(one)
            document = self.second.document(other) if other != UNMARKED else self.first.document(one)
            yield ChangedUnit(
                document=document and self.shown.document(document),
                **stands,
                first=self.first.labels(one) if one != UNMARKED else self.first.unmarked(document or ""),
                second=self.second.labels(other)
                if other != UNMARKED
                else self.second.unmarked(document or ""),
            )
