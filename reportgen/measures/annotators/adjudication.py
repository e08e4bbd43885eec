"""How much is decided, why annotators differed, and how each compares with the decisions."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem
from reportgen.campaign import Campaign, Version, placed
from reportgen.measures.annotators.annotator_vs_rest import shares_right
from reportgen.measures.annotators.decisions import (
    REFERENCE,
    SILENT,
    LayerAdjudication,
    SheetUnits,
    read_decisions,
    request_with_both_sides,
    units_of,
)
from reportgen.readers import (
    ATTENDANCE,
    Annotations,
    Codes,
    ParsedMark,
    Ratings,
    ReaderOptions,
    SetLabel,
    TextMarks,
    cleaned_labels,
)
from reportgen.results import Adjudication, Decided
from reportgen.results.model import DisputeOutcome, MissingRule
from reportgen.units import ExportParticipants, LayerSettings, Mask, natural_order, people
from reportgen.units.labels import aranges

# Decisions as an annotator: a reference that others can be compared with, and that is not independent.

UNSEEN, EMPTY, MARKED = (ATTENDANCE.index(state) for state in ("unseen", "empty", "marked"))
NOTHING_SAID = -1
# One annotator's labels are no agreement.
SEVERAL = 2
REFERENCE_ROLE = "reference"


@dataclass(frozen=True, eq=False)
class _ReferenceLabels:
    """The reference's label of each unit: `code` (units,) in `names`, NOTHING_SAID where it has none."""

    names: tuple[str, ...]
    code: Codes


def with_reference(annotations: Annotations, layer: LayerAdjudication, request: LayerSettings) -> Annotations:
    """Return the annotations with an annotator "adjudicated", who is a reference, not independent.

    On a unit it has the decision, or what all annotators agree on who labelled it, two of them at least. A
    document counts as seen by it where two annotators saw it and nothing in it is open. Where nothing was
    decided, the annotations stay as they are. `request` says who is behind the names of annotators.
    """
    if not layer.decisions:
        return annotations
    labels, content = _labels(layer), annotations.content
    request = request_with_both_sides(annotations, request)
    participants = people(content.annotators, {**annotations.roles, **request.roles}, request.same_as)
    sheet = layer.sheet
    if isinstance(content, TextMarks):
        with_labels: TextMarks | Ratings = _with_marks(content, sheet, labels)
    else:
        with_labels = _with_ratings(annotations.ratings, sheet, labels)
    return replace(
        annotations,
        content=with_labels,
        roles={**annotations.roles, REFERENCE: "reference"},
        attendance=_attendance(annotations, layer, labels, participants),
        derived=(*annotations.derived, REFERENCE),
    )


def _labels(layer: LayerAdjudication) -> _ReferenceLabels:
    units = layer.sheet.units
    names = tuple(dict.fromkeys((*units.categories, *layer.decisions.values())))
    places = {name: index for index, name in enumerate(names)}
    code = agreed_label(units.unit, units.label, len(units.weight))
    for unit, decision in layer.decisions.items():
        code[unit] = places[decision]
    return _ReferenceLabels(names, code)


def agreed_label(unit: Codes, label: Codes, units: int) -> Codes:
    """Return for each unit (units,) the label that all gave it who rated it, two at least, else NOTHING_SAID.

    `unit` and `label` (ratings,) are who gave what.
    """
    lowest = np.full(units, np.iinfo(np.int64).max, dtype=np.int64)
    highest = np.full(units, NOTHING_SAID, dtype=np.int64)
    np.minimum.at(lowest, unit, label)
    np.maximum.at(highest, unit, label)
    raters = np.bincount(unit, minlength=units)
    agreed: Codes = np.where((lowest == highest) & (raters >= SEVERAL), highest, NOTHING_SAID)
    return agreed


def _with_ratings(content: Ratings, sheet: SheetUnits, labels: _ReferenceLabels) -> Ratings:
    """Return the ratings with those of the reference; a label that the export does not know is none."""
    all_labels = tuple(dict.fromkeys((*content.labels, *_declared(sheet, labels))))
    code = np.array([all_labels.index(name) if name in all_labels else NOTHING_SAID for name in labels.names])
    said = np.flatnonzero(labels.code != NOTHING_SAID)
    units = said[code[labels.code[said]] != NOTHING_SAID]
    return replace(
        content,
        annotators=(*content.annotators, REFERENCE),
        labels=all_labels,
        unit=np.concatenate([content.unit, units]),
        annotator=_appended(content.annotator, len(content.annotators), len(units)),
        label=np.concatenate([content.label, code[labels.code[units]]]),
        mark_pass=_appended(content.mark_pass, 0, len(units)),
        location=partial(_place, content),
    )


def _declared(sheet: SheetUnits, labels: _ReferenceLabels) -> Iterator[str]:
    """Yield the categories of the layer that decisions name; a name for units that nobody marked is none."""
    used = np.unique(labels.code[labels.code != NOTHING_SAID]).tolist()
    names = (labels.names[code] for code in used if labels.names[code] in sheet.units.categories)
    if sheet.units.sets is None:
        yield from names
        return
    members = dict(zip(sheet.units.categories, sheet.units.sets, strict=True))
    yield from (SetLabel(name, members[name]) for name in names)


def _with_marks(content: TextMarks, sheet: SheetUnits, labels: _ReferenceLabels) -> TextMarks:
    """Return the marks with those of the reference: one for each label of a unit that is not unmarked."""
    absent = sheet.units.non_annotated_name
    members = [[] if name == absent else _members(name, content.labels, sheet) for name in labels.names]
    all_labels = tuple(
        dict.fromkeys((*content.labels, *(name for category_labels in members for name in category_labels)))
    )
    codes = np.array(
        [all_labels.index(name) for category_labels in members for name in category_labels], dtype=np.int64
    )
    sizes = np.array([len(category_labels) for category_labels in members], dtype=np.int64)
    said = np.flatnonzero(labels.code != NOTHING_SAID)
    times = sizes[labels.code[said]]
    unit = np.repeat(said, times)
    first = np.cumsum(sizes) - sizes
    label = codes[np.repeat(first[labels.code[said]], times) + aranges(times)]
    # For each stretch of some units the number of the unit in `unit` (marks,), its start and end.
    places = sheet.units.places
    unit_places = sheet.units.unit_place[unit]
    low = np.searchsorted(places.unit, unit_places, side="left")
    counts = np.searchsorted(places.unit, unit_places, side="right") - low
    here = np.repeat(low, counts) + aranges(counts)
    mark, start, end = np.repeat(np.arange(len(unit)), counts), places.start[here], places.end[here]
    return replace(
        content,
        annotators=(*content.annotators, REFERENCE),
        labels=all_labels,
        document=np.concatenate([content.document, sheet.units.document[unit]]),
        annotator=_appended(content.annotator, len(content.annotators), len(unit)),
        label=np.concatenate([content.label, label]),
        span_mark=np.concatenate([content.span_mark, len(content.label) + mark]),
        span_start=np.concatenate([content.span_start, start]),
        span_end=np.concatenate([content.span_end, end]),
        features=_features(content, sheet, unit, label),
        location=partial(_place, content),
    )


def reference_marks(
    content: TextMarks, sheet: SheetUnits, labels: Mapping[int, str]
) -> list[list[ParsedMark]]:
    """Return for each document the marks of a reference that gives units (numbers) these labels.

    One that says that nothing is there makes no mark.
    """
    names = tuple(dict.fromkeys(labels.values()))
    code = np.full(len(sheet.units.weight), NOTHING_SAID, dtype=np.int64)
    for unit, label in labels.items():
        code[unit] = names.index(label)
    first = len(content.label)
    marked = _with_marks(content, sheet, _ReferenceLabels(names, code))
    spans: list[list[tuple[int, int]]] = [[] for _ in marked.label]
    for mark, *span in np.stack([marked.span_mark, marked.span_start, marked.span_end], axis=1).tolist():
        spans[mark].append((span[0], span[1]))
    by_document: list[list[ParsedMark]] = [[] for _ in content.documents]
    for mark in range(first, len(marked.label)):
        features = marked.features[mark] if marked.features else {}
        parsed = ParsedMark(marked.labels[marked.label[mark]], tuple(spans[mark]), features)
        by_document[marked.document[mark]].append(parsed)
    return by_document


def finished_documents(annotations: Annotations, request: LayerSettings, still_open: Codes) -> Mask:
    """Tell of each document (documents,) whether a reference of annotators' labels is done with it.

    It is where two annotators saw it, or a reference did, and nothing in it is open; `still_open` are the
    documents of open units. Where the export does not tell who saw what, everybody saw everything.
    """
    content, attendance = annotations.content, annotations.attendance
    participants = people(content.annotators, {**annotations.roles, **request.roles}, request.same_as)
    done = np.ones(len(content.documents), dtype=np.bool_)
    if attendance is not None:
        others = [
            column
            for column, name in enumerate(participants.names)
            if participants.roles[column] == REFERENCE_ROLE and name not in annotations.derived
        ]
        done = (_saw(attendance, participants) >= SEVERAL) | (attendance[:, others] >= EMPTY).any(axis=1)
    done[still_open] = False
    return done


def _members(name: str, labels: Sequence[str], sheet: SheetUnits) -> list[str]:
    """Return the labels of single marks that make up a category."""
    if sheet.units.sets is not None and name in sheet.units.categories:
        return sorted(sheet.units.sets[sheet.units.categories.index(name)])
    return [name] if name in labels or sheet.separator not in name else name.split(sheet.separator)


def _features(
    content: TextMarks, sheet: SheetUnits, unit: Codes, label: Codes
) -> Sequence[Mapping[str, str]]:
    """Return what marks say beside their labels; the reference says what all marks of its label there say."""
    if not any(content.features):
        return content.features and (*content.features, *({} for _ in unit))
    shared: dict[tuple[int, int], dict[str, str]] = {}
    for where, mark in zip(sheet.units.marks.unit.tolist(), sheet.units.marks.mark.tolist(), strict=True):
        key = where, int(content.label[mark])
        own = content.features[mark]
        shared[key] = dict(shared[key].items() & own.items()) if key in shared else dict(own)
    keys = zip(unit.tolist(), label.tolist(), strict=True)
    return (*content.features, *(dict(sorted(shared.get(key, {}).items())) for key in keys))


def _appended(codes: Codes, code: int, times: int) -> Codes:
    return np.concatenate([codes, np.full(times, code, dtype=np.int64)])


def _place(content: Ratings | TextMarks, mark: int) -> tuple[str, int]:
    """Return the file and line of a mark; those of the reference have none, since no export holds them."""
    return content.location(mark) if mark < len(content.label) else ("", 0)


def _attendance(
    annotations: Annotations,
    layer: LayerAdjudication,
    labels: _ReferenceLabels,
    participants: ExportParticipants,
) -> Codes | None:
    """Return who did what with which document, the reference too; None where the export does not tell."""
    attendance = annotations.attendance
    if attendance is None:
        return None
    units = layer.sheet.units
    documents = np.arange(len(units.weight)) if units.base == "units" else units.document
    marked = np.zeros(len(attendance), dtype=np.bool_)
    absent = [code for code, name in enumerate(labels.names) if name == units.non_annotated_name]
    marked[documents[~np.isin(labels.code, [NOTHING_SAID, *absent])]] = True
    finished = _saw(attendance, participants) >= SEVERAL
    finished[documents[layer.open]] = False
    column = np.where(finished, np.where(marked, MARKED, EMPTY), UNSEEN)
    return np.concatenate([attendance, column[:, None]], axis=1)


def _saw(attendance: Codes, participants: ExportParticipants) -> Codes:
    """Return how many annotators saw each document (documents,), second passes not counted again."""
    saw = attendance >= EMPTY
    people = np.unique(participants.person[participants.counts]).tolist()
    columns = [saw[:, (participants.person == person) & participants.counts].any(axis=1) for person in people]
    return np.sum(columns, axis=0, dtype=np.int64) if columns else np.zeros(len(saw), dtype=np.int64)


# How much is decided, why annotators differed, and how each compares with the decisions.


def summary(layer: LayerAdjudication, *, listed: bool, names: Mapping[str, str]) -> Adjudication | None:
    """Return what was decided in one layer, None where there is no sheet and none can be written.

    `listed` says whether a sheet of what is open is written, and notes are shown; `names` are the annotators'
    pseudonyms, if any.
    """
    if not layer.sheet.named or not (layer.filled or listed):
        return None
    name, open_units = layer.sheet.layer, len(layer.open)
    if not layer.filled:
        return Adjudication(layer=name, open=open_units, listed=listed)
    outcomes = _outcomes(layer)
    hidden = [real for real, shown in names.items() if real != shown]
    units = layer.sheet.units
    agreed = agreed_label(units.unit, units.label, len(units.weight)) != NOTHING_SAID
    agreed[list(layer.decisions)] = False
    if layer.sheet.control_items is not None:
        agreed[layer.sheet.control_items] = False
    # How often each cause was noted where annotators gave a category.
    causes: dict[str, Counter[str]] = {}
    for unit, cause in layer.causes.items():
        for category in dict.fromkeys(layer.sheet.rated(unit).values()):
            causes.setdefault(category, Counter())[cause] += 1
    return Adjudication(
        layer=name,
        open=open_units,
        listed=listed,
        filled=True,
        decided=len(layer.decisions),
        agreed=int(units.weight[agreed].sum()),
        independent=False,
        by_cause=Counter(layer.causes.values()),
        causes=causes,
        annotators={names.get(name, name): decided for name, decided in _annotators(layer).items()},
        outcomes=tuple(outcomes[:MOST_OUTCOMES]) or None,
        outcomes_in_all=len(outcomes) or None,
        missing_rules=tuple(_missing_rules(layer, hidden, noted=listed)) or None,
    )


def _annotators(layer: LayerAdjudication) -> dict[str, Decided]:
    """Return each annotator against the decisions, by name."""
    units = layer.sheet.units
    places = {name: code for code, name in enumerate(units.categories)}
    decided = np.full(len(units.weight), NOTHING_SAID, dtype=np.int64)
    for unit, decision in layer.decisions.items():
        # What no annotator chose is nobody's label.
        decided[unit] = places.get(decision, len(places))
    ratings = units.where(decided[units.unit] != NOTHING_SAID).pairable
    right = ratings.label == decided[ratings.unit]
    agreed = np.bincount(ratings.annotator[right], minlength=len(units.annotators)).tolist()
    return {
        own.annotator: Decided(
            units=own.agreement.units,
            agreed=equal,
            right=own.agreement,
            others=own.others,
            difference=own.difference,
            p=own.p,
            adjusted_p=own.adjusted_p,
            next_p=own.next_p,
        )
        for own, equal in zip(shares_right(ratings, right), agreed, strict=True)
        if own.agreement.units
    }


# Fewer are shown of very many.
MOST_OUTCOMES, MOST_RULES, MOST_NOTES = 50, 20, 10


def _outcomes(layer: LayerAdjudication) -> list[DisputeOutcome]:
    """Return what became of units by the labels that annotators gave them, the most frequent first."""
    found: dict[tuple[tuple[str, ...], str], list[int]] = {}
    for unit in {**layer.decisions, **layer.causes}:
        found.setdefault((_disputed(layer, unit), layer.decisions.get(unit, "")), []).append(unit)
    ordered = sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
    return [
        DisputeOutcome(
            labels=labels,
            decision=decision or None,
            units=len(units),
            by_cause=Counter(layer.causes[unit] for unit in units if unit in layer.causes),
        )
        for (labels, decision), units in ordered
    ]


def _missing_rules(layer: LayerAdjudication, hidden: Sequence[str], *, noted: bool) -> list[MissingRule]:
    """Return over which labels the guidelines are silent; notes that name somebody `hidden` are left out."""
    names = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in hidden) or r"(?!)", re.IGNORECASE)
    found: dict[tuple[str, ...], list[int]] = {}
    for unit in sorted(unit for unit, cause in layer.causes.items() if cause == SILENT):
        found.setdefault(_disputed(layer, unit), []).append(unit)
    ordered = sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))

    def notes_of(units: Sequence[int]) -> tuple[str, ...]:
        notes = (layer.notes.get(unit, "") for unit in units if noted)
        return tuple(dict.fromkeys(note for note in notes if note and not names.search(note)))[:MOST_NOTES]

    return [
        MissingRule(labels=labels, units=len(units), notes=notes_of(units))
        for labels, units in ordered[:MOST_RULES]
    ]


def _disputed(layer: LayerAdjudication, unit: int) -> tuple[str, ...]:
    return tuple(natural_order(set(layer.sheet.rated(unit).values())))


# The layers of one guidelines version: what is in dispute in each, and what the campaign's sheets decide.


def adjudicate(
    campaign: Campaign,
    version: Version,
    annotations: Sequence[Annotations],
    requests: Sequence[LayerSettings],
    options: ReaderOptions,
) -> list[LayerAdjudication]:
    """Return for each layer what is in dispute, and what was decided of it.

    Raises BadInput with all that is wrong in the sheets, and where somebody else is called as the reference
    that they become.
    """
    sheets: list[SheetUnits] = []
    problems = list(_taken(campaign, version, annotations))
    for request, layer_annotations in zip(requests, annotations, strict=True):
        try:
            sheets.append(units_of(layer_annotations, request_with_both_sides(layer_annotations, request)))
        except BadInput as error:
            problems += [placed(campaign, problem, version.id, request.layer) for problem in error.problems]
    if problems:
        raise BadInput(problems)
    if not version.adjudication:
        return [LayerAdjudication(sheet) for sheet in sheets]
    files = [(campaign.folder / name, version.shown(name)) for name in version.adjudication]
    return read_decisions(files, sheets, lambda label: cleaned_labels([label], options)[0])


def _taken(campaign: Campaign, version: Version, annotations: Sequence[Annotations]) -> Iterator[Problem]:
    """Yield a problem for each name in exports or campaign.toml that the reference needs for itself."""
    if not version.adjudication:
        return
    names = dict.fromkeys(
        name for layer_annotations in annotations for name in layer_annotations.content.annotators
    )
    first_passes = [annotator.same_as for annotator in campaign.annotators.values() if annotator.same_as]
    all_names = [*names, *campaign.annotators, *first_passes]
    reserved = dict.fromkeys(name for name in all_names if name.casefold() == REFERENCE)
    key = f"guidelines.{campaign.index_of(version.id) + 1}.adjudication"
    for name in reserved:
        message = f'makes a reference called "{REFERENCE}" of the sheet, and an annotator is called "{name}".'
        remedy = "Rename the annotator, or give the export's own reference its role without a sheet."
        yield placed(campaign, Problem("", key=key, message=message, remedy=remedy), version.id)
