"""Two guidelines versions of one campaign, compared: the models of comparison.json and changed.json."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.campaign import Campaign, Version
from reportgen.catalogue import BY_ID, CATALOGUE, base_id
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results import Tool, rounded
from reportgen.results.comparison import (
    Changed,
    ChangedUnit,
    ChangedUnits,
    ComparedCampaign,
    GuidelinesCompared,
    VersionComparison,
    VersionSide,
)
from reportgen.results.texts import Span, in_context
from reportgen.units import NO_CATEGORY, Pseudonyms
from reportgen.versions.agreement_revisions import RevisedUnits, revise_unit_sets
from reportgen.versions.confusion_changes import UNMARKED, Flipped, RowAlignment
from reportgen.versions.guidelines_documents import guidelines_compared, guidelines_document
from reportgen.versions.sides import NamedUnits, Side
from reportgen.versions.system_revisions import revised_marks, revised_systems
from reportgen.versions.version_figures import Merges

# Units of a list: every two versions have one, so that longer ones fill a site.
MOST_UNITS = 100


def changed_units(first: Side, second: Side, revised: Iterable[RevisedUnits], names: Pseudonyms) -> Changed:
    """Return the units of each unit set that changed sides or are still disputed, in the order of texts.

    Of more than 100 a list has 100, evenly chosen. Documents and units are called as `names` says.
    """
    return Changed(
        first=first.version.id,
        second=second.version.id,
        unit_sets=tuple(
            _units(first, second, revised_units, revised_units.flipped, names)
            for revised_units in revised
            if revised_units.flipped is not None
        ),
    )


def _units(
    first: Side, second: Side, revised: RevisedUnits, flipped: Flipped, names: Pseudonyms
) -> ChangedUnits:
    before = _Labelled(revised.first, first.texts, names)
    after = _Labelled(revised.second, second.texts, names)
    return ChangedUnits(
        layer=revised.revision.layer,
        unit_set=revised.revision.unit_set,
        mended=tuple(_changed(before, after, flipped.mended)),
        broken=tuple(_changed(before, after, flipped.broken)),
        disputed=tuple(_changed(before, after, flipped.disputed)),
    )


def _changed(first: "_Labelled", second: "_Labelled", rows: RowAlignment) -> Iterator[ChangedUnit]:
    """Yield units of both versions; of more than a list has, some that are evenly chosen."""
    size = len(rows.first)
    if size > MOST_UNITS:
        rows = rows.some(np.arange(MOST_UNITS, dtype=np.int64) * size // MOST_UNITS)
    for one, other in zip(rows.first.tolist(), rows.second.tolist(), strict=True):
        labelled, row = (first, one) if other == UNMARKED else (second, other)
        document = labelled.document(row)
        yield ChangedUnit(
            document=document and labelled.shown.document(document),
            **labelled.in_words(row),
            first=first.labels(one, document or ""),
            second=second.labels(other, document or ""),
        )


@dataclass(frozen=True, eq=False)
class _Labelled:
    """The units of one version with what each annotator said of them, and the texts of its documents."""

    named: NamedUnits
    texts: Mapping[str, str]
    shown: Pseudonyms

    @cached_property
    def starts(self) -> Codes:
        """Return where the ratings of each unit begin and end, ratings being sorted by unit."""
        return np.searchsorted(self.named.units.unit[self.order], np.arange(len(self.named.unit) + 1))

    @cached_property
    def order(self) -> Codes:
        """Return the ratings by unit and annotator."""
        units = self.named.units
        return np.lexsort((units.annotator, units.unit))

    def labels(self, row: int, document: str) -> dict[str, str]:
        """Return what annotators said of a unit of a document: of one that is no row, that it is unmarked."""
        units = self.named.units
        if row == UNMARKED:
            absent = units.categories[units.non_annotated] if units.non_annotated != NO_CATEGORY else None
            return {} if absent is None else dict.fromkeys(self._readers.get(document, ()), absent)
        here = self.order[self.starts[row] : self.starts[row + 1]]
        pairs = zip(units.annotator[here].tolist(), units.label[here].tolist(), strict=True)
        return {units.annotators[who]: units.categories[label] for who, label in pairs}

    @cached_property
    def _readers(self) -> dict[str, list[str]]:
        """Return who read each document, by its name."""
        units = self.named.units
        document = units.unit_document[units.unit]
        readers: dict[str, list[str]] = {}
        for code, who in np.unique(np.stack([document, units.annotator], axis=1), axis=0).tolist():
            if code != NO_DOCUMENT:
                readers.setdefault(units.documents[code], []).append(units.annotators[who])
        return readers

    def document(self, row: int) -> str | None:
        """Return the document of a unit, None where none is known."""
        code = int(self.named.units.unit_document[row])
        return None if code == NO_DOCUMENT else self.named.units.documents[code]

    def in_words(self, row: int) -> dict[str, str]:
        """Return a unit of a text in its context, else its name."""
        place_code, document = int(self.named.units.unit_place[row]), self.document(row)
        text = self.texts.get(document or "")
        spans = self._spans.get(place_code, ())
        if text is None or not spans:
            return {"unit": self.shown.unit(self.named.units.places.names[place_code])}
        context = in_context(text, spans)
        return {"before": context.before, "unit": context.unit, "after": context.after}

    @cached_property
    def _spans(self) -> dict[int, tuple[Span, ...]]:
        places, spans = self.named.units.places, dict[int, tuple[Span, ...]]()
        columns = (places.unit.tolist(), places.start.tolist(), places.end.tolist())
        for place_code, start, end in zip(*columns, strict=True):
            spans[place_code] = (*spans.get(place_code, ()), (start, end))
        return spans


# Two guidelines versions of one campaign, compared: the model of comparison.json, without findings.

SPECIFIC, REPLACEMENT = "specific_agreement", "replacement"


def compare(
    campaign: Campaign,
    sides: tuple[Side, Side],
    coefficients: Mapping[str, str],
    names: Pseudonyms,
    tool: Tool,
) -> tuple[VersionComparison, Changed | None]:
    """Return two versions compared, and the units that changed sides unless the campaign withholds texts.

    `coefficients` are the primary ones by layer; documents and units are called as `names` says.
    """
    first, second = sides
    merges = _merges(campaign, first.version.id, second.version.id)
    revised = list(revise_unit_sets(first, second, merges, coefficients, _gate_figures(campaign)))
    unit_sets = tuple(revised_units.revision for revised_units in revised)
    spans = tuple(revised_marks(first, second, merges))
    people = {names.annotator(name): annotator for name, annotator in campaign.annotators.items()}
    systems = revised_systems(first, second, merges, people, coefficients)
    guidelines, uncompared = _guidelines(first, second, names)
    measures = [revision.measures for revision in unit_sets]
    measures += [revision.measures for revision in spans] + [revision.measures for revision in systems]
    used = {SPECIFIC, *map(base_id, (*coefficients.values(), *chain.from_iterable(measures)))}
    comparison = VersionComparison(
        campaign=ComparedCampaign(id=campaign.id, title=campaign.title),
        first=_side(first.version),
        second=_side(second.version),
        coefficients=coefficients,
        unit_sets=unit_sets,
        spans=spans,
        systems=systems,
        guidelines=guidelines,
        guidelines_uncompared=uncompared,
        missing={"first": tuple(_alone(first, second)), "second": tuple(_alone(second, first))},
        margin=_margin(campaign, coefficients),
        names={figure: BY_ID[figure].name for figure in sorted(used) if figure in BY_ID},
        places={measure.id: index for index, measure in enumerate(CATALOGUE) if measure.id in used},
        tool=tool,
    )
    changed = None if campaign.privacy.texts == "withhold" else changed_units(first, second, revised, names)
    return VersionComparison.model_validate(rounded(comparison)), changed


def _merges(campaign: Campaign, first: str, second: str) -> Merges:
    """Return what each version after the first, up to the second, calls categories of earlier ones."""
    order = campaign.versions
    later = order[order.index(first) + 1 : order.index(second) + 1]
    merged = {version.version: version.merged for version in campaign.guidelines}
    return [merged[version_id] for version_id in later]


def _gate_figures(campaign: Campaign) -> Sequence[str]:
    """Return the figures that the gate asks for, which pairs of annotators are then compared by too.

    Specific agreement is compared anyway, and what models beat is a figure of one version alone.
    """
    return [figure for figure in campaign.gate if base_id(figure) not in {SPECIFIC, REPLACEMENT}]


def _margin(campaign: Campaign, coefficients: Mapping[str, str]) -> float | None:
    """Return the smallest margin that [gate] has for the first layer's coefficient, None without any."""
    layer, figure = next(iter(coefficients.items()))
    floors = (
        floor
        for floor in campaign.gate.get(figure, ())
        if floor.layer in {None, layer} and not (floor.category or floor.unit_set or floor.annotators)
    )
    return min((floor.margin for floor in floors if floor.margin is not None), default=None)


def _side(version: Version) -> VersionSide:
    date = version.date.isoformat() if version.date else None
    return VersionSide(guidelines=version.id, date=date, changes=version.changes)


def _alone(side: Side, other: Side) -> Iterator[str]:
    """Yield the unit sets that only one of the two has."""
    return (f"{layer}/{name}" for layer, name in side.unit_sets if (layer, name) not in other.unit_sets)


def _guidelines(first: Side, second: Side, names: Pseudonyms) -> tuple[GuidelinesCompared | None, str | None]:
    """Return the guidelines documents compared, with the categories that their passages name."""
    versions = first.version, second.version
    documents = [guidelines_document(version.folder, version.id, version.document) for version in versions]
    used = [units for side in (second, first) for units in side.unit_sets.values()]
    categories = dict.fromkeys(
        name for units in used for name in units.categories if name != units.non_annotated_name
    )
    shown = [replace(document, name=names.in_path(document.name)) for document in documents]
    return guidelines_compared(shown[0], shown[1], tuple(categories))
