"""What texts.json lists: texts and the marks in them, units on which annotators differ, errors of systems."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

from reportgen.readers import NO_DOCUMENT, Annotations, Codes, TextMarks
from reportgen.results import Results
from reportgen.results.marks import CASE_KINDS
from reportgen.results.texts import (
    Disagreement,
    Disagreements,
    Document,
    DocumentMarks,
    LayerMarks,
    ListedError,
    ListedErrors,
    Mark,
    Span,
    Texts,
)
from reportgen.units.labelled import ComparedUnits
from reportgen.units.labels import NO_CATEGORY, Mask, as_rows
from reportgen.units.pseudonyms import Pseudonyms
from reportgen.units.spans import OMISSION, MarkCases, Spans
from reportgen.units.study import LayerUnits
from reportgen.units.unit_sets import NO_PLACE, SEEN, CodedUnits

# In what way the marks on a disputed unit disagree: about boundaries, the type, both, or by omission.

# Of more who rated a unit, any two of whom may disagree, nobody wants to know how.
MOST_RATINGS = 50


class DisputedKinds:
    """What is known of the marks of one layer, to look up those on a unit."""

    def __init__(self, spans: Spans, cases: MarkCases) -> None:
        """Keep which marks match whom, and in which case they are with whom."""
        self._index = {number: index for index, number in enumerate(spans.mark.tolist())}
        self._person = spans.person.tolist()
        self._people = {name: code for code, name in enumerate(spans.people)}
        self._matched = {*self._with_whom(cases.match_first, cases.match_second)}
        self._direct: dict[tuple[int, int], int] = {}
        self._first: dict[tuple[int, int], int] = {}
        # Pairs come first: of a mark that several overlap, its own partner says what it is.
        for first, second, kind in as_rows(cases.first, cases.second, cases.kind):
            for mark, partner in ((first, second), (second, first)):
                self._direct[mark, partner] = kind
                self._first.setdefault((mark, self._person[partner]), kind)

    def _with_whom(self, first: Codes, second: Codes) -> Iterator[tuple[int, int]]:
        for first_mark, second_mark in zip(first.tolist(), second.tolist(), strict=True):
            yield first_mark, self._person[second_mark]
            yield second_mark, self._person[first_mark]

    def of(self, units: CodedUnits, numbers: Codes) -> dict[int, tuple[str, ...]]:
        """Return the kinds of disagreement on each of some units, in the order in which they are told."""
        marks = self._marks_on(units, numbers)
        people = [self._people.get(name) for name in units.annotators]
        chosen = np.isin(units.unit, numbers)
        labels: dict[int, dict[int, int]] = defaultdict(dict)
        own = units.where(chosen)
        for unit, who, label in as_rows(own.unit, own.annotator, own.label):
            person = people[who]
            if person is not None:
                labels[unit][person] = label
        return {unit: self._named(unit_labels, marks.get(unit, {})) for unit, unit_labels in labels.items()}

    def _marks_on(self, units: CodedUnits, numbers: Codes) -> dict[int, dict[int, list[int]]]:
        """Return whose marks are on each unit."""
        marks_by_unit: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        marks = units.marks
        chosen = np.isin(marks.unit, numbers)
        for number, unit in zip(marks.mark[chosen].tolist(), marks.unit[chosen].tolist(), strict=True):
            index = self._index.get(number)
            if index is not None:
                marks_by_unit[unit][self._person[index]].append(index)
        return marks_by_unit

    def _named(self, labels: Mapping[int, int], marks: Mapping[int, Sequence[int]]) -> tuple[str, ...]:
        if len(labels) > MOST_RATINGS:
            return ()
        kinds = {
            kind
            for first, second in combinations(labels, 2)
            if labels[first] != labels[second]
            for kind in self._between(first, second, marks)
        }
        return tuple(CASE_KINDS[kind] for kind in sorted(kinds))

    def _between(self, first: int, second: int, marks: Mapping[int, Sequence[int]]) -> list[int]:
        """Return the kind of disagreement between two people; none where all their marks match."""
        ours, theirs = marks.get(first, ()), marks.get(second, ())
        direct = [
            self._direct[pair]
            for own_mark in ours
            for pair in ((own_mark, mark) for mark in theirs)
            if pair in self._direct
        ]
        with_whom = [(mark, second) for mark in ours] + [(mark, first) for mark in theirs]
        indirect = [self._first.get(key, OMISSION) for key in with_whom if key not in self._matched]
        return [min(direct or indirect)] if direct or indirect else []


# Units to which at least two annotators gave different labels.


def disputed(units: CodedUnits) -> Codes:
    """Return the units (numbers, rising) that have a place and on which at least two annotators differ.

    The rows of jointly unmarked units have no place, and nobody differs on them.
    """
    placed = (
        units.unit_place != NO_PLACE if len(units.unit_place) else np.zeros(len(units.weight), dtype=np.bool_)
    )
    return np.flatnonzero(_differ(units) & placed)


def differing(units: CodedUnits) -> int:
    """Return on how many units at least two annotators differ, whether they have a place or not."""
    return int(units.weight[_differ(units)].sum())


def _differ(units: CodedUnits) -> Mask:
    lowest = np.full(len(units.weight), len(units.categories), dtype=np.int64)
    highest = np.full(len(units.weight), -1, dtype=np.int64)
    np.minimum.at(lowest, units.unit, units.label)
    np.maximum.at(highest, units.unit, units.label)
    return highest > lowest


def disagreements(units: CodedUnits, kinds: DisputedKinds | None = None) -> Disagreements:
    """Return the disputed units of a unit set; `kinds` say in what way marks on them disagree."""
    numbers = disputed(units)
    kinds_by_unit = kinds.of(units, numbers) if kinds else {}
    chosen = np.isin(units.unit, numbers)
    labels: dict[int, dict[str, str]] = {number: {} for number in numbers.tolist()}
    own = units.where(chosen)
    for unit, annotator, label in as_rows(own.unit, own.annotator, own.label):
        labels[unit][units.annotators[annotator]] = units.categories[label]
    # The stretches of each place that a unit has.
    is_disputed = np.isin(units.places.unit, units.unit_place[disputed(units)])
    stretches: dict[int, tuple[Span, ...]] = {}
    places = units.places.unit, units.places.start, units.places.end
    for place, start, end in as_rows(*(column[is_disputed] for column in places)):
        stretches[place] = (*stretches.get(place, ()), (start, end))
    listed = [
        _disagreement(units, number, unit_labels, stretches, kinds_by_unit.get(number, ()))
        for number, unit_labels in labels.items()
    ]
    return Disagreements(layer=units.layer, unit_set=units.id, units=tuple(listed))


def _disagreement(
    units: CodedUnits,
    number: int,
    labels: Mapping[str, str],
    stretches: Mapping[int, tuple[Span, ...]],
    kinds: tuple[str, ...],
) -> Disagreement:
    place, document = int(units.unit_place[number]), int(units.document[number])
    return Disagreement(
        name=units.places.names[place] if units.places.names else "",
        document=None if document == NO_DOCUMENT else document,
        spans=() if units.places.names else stretches.get(place, ()),
        text=(units.places.texts[place] or None) if units.places.texts else None,
        labels=labels,
        kinds=kinds,
    )


# The texts of a guidelines version, the marks in them, and the units on which annotators differ.


def shown_texts(  # noqa: PLR0913 - what there is to show
    guidelines: str,
    studies: Sequence[LayerUnits],
    annotations: Sequence[Annotations],
    names: Pseudonyms,
    cases: Mapping[str, MarkCases] | None = None,
    *,
    errors: tuple[ListedErrors, ...] = (),
) -> Texts | None:
    """Return the texts of a guidelines version, None where there is nothing to read in them.

    `names` are the pseudonyms, if any: studies have theirs already, exports do not. All layers of an export
    have the same documents; in recordings there is nothing to read, and units are called by their times.
    `cases` say of layers in what way their marks disagree, `errors` list those of whoever is judged.
    """
    layers = [
        _layer(study.layer, export, export.content, names)
        for study, export in zip(studies, annotations, strict=True)
        if isinstance(export.content, TextMarks) and not export.content.lengths
    ]
    disagreements_by_set = [unit_set for study in studies for unit_set in _disagreements(study, cases or {})]
    if not layers and not errors and not any(unit_set.units for unit_set in disagreements_by_set):
        return None
    documents = tuple(_documents(annotations, names))
    return Texts(
        guidelines=guidelines,
        documents=documents,
        layers=tuple(layers),
        disagreements=tuple(disagreements_by_set),
        errors=errors or None,
    )


def _documents(annotations: Sequence[Annotations], names: Pseudonyms) -> Iterator[Document]:
    """Yield the documents of the first layer that has texts, else of the first layer."""
    for content in (export.content for export in annotations):
        if isinstance(content, TextMarks) and not content.lengths:
            for name, text in zip(content.documents, content.texts, strict=True):
                yield Document(name=names.document(name), text=text)
            return
    yield from (Document(name=names.document(name)) for name in annotations[0].content.documents)


def _layer(layer: str, export: Annotations, content: TextMarks, names: Pseudonyms) -> LayerMarks:
    shown = [names.annotator(name) for name in content.annotators]
    spans = _spans_by_mark(content)
    marks: list[list[Mark]] = [[] for _ in content.documents]
    codes = zip(content.document.tolist(), content.annotator.tolist(), content.label.tolist(), strict=True)
    for number, (document, annotator, label) in enumerate(codes):
        mark = Mark(annotator=shown[annotator], label=content.labels[label], spans=spans[number])
        marks[document].append(mark)
    for document_marks in marks:
        document_marks.sort(key=lambda mark: (mark.spans, mark.annotator, mark.label))
    documents = (
        DocumentMarks(document=number, seen=tuple(_seen(export, number, shown)), marks=tuple(document_marks))
        for number, document_marks in enumerate(marks)
    )
    roles = {names.annotator(name): role for name, role in export.roles.items()}
    return LayerMarks(layer=layer, annotators=tuple(shown), roles=roles, documents=tuple(documents))


def _spans_by_mark(content: TextMarks) -> list[tuple[Span, ...]]:
    spans_by_mark: list[list[Span]] = [[] for _ in content.label]
    columns = (content.span_mark.tolist(), content.span_start.tolist(), content.span_end.tolist())
    for mark, start, end in zip(*columns, strict=True):
        spans_by_mark[mark].append((start, end))
    return [tuple(spans) for spans in spans_by_mark]


def _seen(export: Annotations, document: int, names: Sequence[str]) -> Iterator[str]:
    if export.attendance is not None:
        states = export.attendance[document].tolist()
        yield from (name for name, state in zip(names, states, strict=True) if state >= SEEN)


def _disagreements(study: LayerUnits, cases: Mapping[str, MarkCases]) -> Iterator[Disagreements]:
    """Yield the disputed units of each unit set; of those that are only counted, the ones with a name."""
    layer_cases = cases.get(study.layer)
    kinds = None
    if layer_cases and isinstance(study.spans, Spans):
        kinds = DisputedKinds(study.spans, layer_cases)
    if not study.disputed:
        for units in study.unit_sets:
            yield disagreements(units, kinds)
        return
    for units, named in zip(study.unit_sets, study.disputed, strict=True):
        listed, every = disagreements(named), differing(units)
        yield listed.model_copy(update={"of": every}) if every > len(listed.units) else listed


# What an error is, by the code of the case that two marks are.
KIND_OF_CASE = dict(zip(CASE_KINDS, ("ends", "type", "both", "missed"), strict=True))


# Reports that are about how near somebody comes to a reference, or to the only person.
JUDGING = ("systems", "judge")


def listed_errors(
    results: Results, studies: Sequence[LayerUnits], cases: Mapping[str, MarkCases]
) -> tuple[ListedErrors, ...]:
    """Return the errors of everybody whom a report judges, layer by layer; `cases` are those of marks.

    Where systems or models are compared annotators are not: what is judged is the systems.
    """
    pairs = results.comparisons.pairs if results.comparisons else ()
    listed = []
    for study in studies:
        if results.subject_of(study.layer) not in JUDGING:
            continue
        in_marks = isinstance(study.spans, Spans) and study.layer in cases
        primary = next((own for own in study.compared if own.units.primary), None)
        unit_set = None if in_marks or primary is None else primary.units.id
        # Who is compared with whom: with references where there are any, systems where there are any.
        here = [pair for pair in pairs if (pair.layer, pair.unit_set) == (study.layer, unit_set)]
        with_reference = [pair for pair in here if pair.key_role == "reference"] or here
        for pair in [pair for pair in with_reference if pair.role != "annotator"] or with_reference:
            errors: tuple[ListedError, ...] = ()
            if in_marks and isinstance(study.spans, Spans):
                errors = errors_in_marks(study.spans, cases[study.layer], pair.key, pair.other)
            elif primary is not None:
                errors = errors_in_labels(primary, pair.key, pair.other)
            if errors:
                own = ListedErrors(
                    layer=study.layer, unit_set=unit_set, key=pair.key, other=pair.other, errors=errors
                )
                listed.append(own)
    return tuple(listed)


def errors_in_marks(spans: Spans, cases: MarkCases, key: str, other: str) -> tuple[ListedError, ...]:
    """Return in what the marks of somebody differ from those of a reference, in the order of the texts.

    They are the cases that are counted: marks that overlap, each once, then marks that only one of the two
    has, in the documents that both saw.
    """
    first, second = spans.people.index(key), spans.people.index(other)
    stretches = _stretches_of_marks(spans)
    rows = np.flatnonzero((spans.person[cases.first] == first) & (spans.person[cases.second] == second))
    errors = [
        _error(spans, stretches, KIND_OF_CASE[CASE_KINDS[kind]], ours, theirs)
        for kind, ours, theirs in as_rows(cases.kind[rows], cases.first[rows], cases.second[rows])
    ]
    matches = (spans.person[cases.match_first] == first) & (spans.person[cases.match_second] == second)
    told = [
        np.concatenate([case[rows], match[matches]])
        for case, match in ((cases.first, cases.match_first), (cases.second, cases.match_second))
    ]
    both_saw = spans.saw[:, first] & spans.saw[:, second]
    for person, known, kind in zip((first, second), told, ("missed", "spurious"), strict=True):
        own = np.flatnonzero((spans.person == person) & both_saw[spans.document])
        for mark in np.setdiff1d(own, known).tolist():
            pair = (mark, None) if kind == "missed" else (None, mark)
            errors.append(_error(spans, stretches, kind, *pair))
    return tuple(sorted(errors, key=_place))


def _place(error: ListedError) -> tuple[int, tuple[Span, ...], str, str]:
    """Return where an error comes in the order of the texts."""
    return (
        error.document or 0,
        error.key_spans or error.spans,
        error.kind,
        error.key_label or error.label or "",
    )


def _stretches_of_marks(spans: Spans) -> list[tuple[Span, ...]]:
    """Return the stretches of each mark."""
    of_marks: list[list[Span]] = [[] for _mark in spans.type]
    columns = (spans.span_mark.tolist(), spans.span_start.tolist(), spans.span_end.tolist())
    for mark, start, end in zip(*columns, strict=True):
        of_marks[mark].append((start, end))
    return [tuple(sorted(own)) for own in of_marks]


def _error(
    spans: Spans, stretches: Sequence[tuple[Span, ...]], kind: str, ours: int | None, theirs: int | None
) -> ListedError:
    mark = theirs if ours is None else ours
    return ListedError(
        kind=kind,
        document=int(spans.document[mark]),
        key_label=None if ours is None else spans.types[spans.type[ours]],
        label=None if theirs is None else spans.types[spans.type[theirs]],
        key_spans=() if ours is None else stretches[ours],
        spans=() if theirs is None else stretches[theirs],
    )


def errors_in_labels(compared: ComparedUnits, key: str, other: str) -> tuple[ListedError, ...]:
    """Return the units to which somebody gave another label than a reference, in their order.

    Where only one of the two marked a unit it is missed or spurious. Units without a place are not listed.
    """
    units = compared.units
    labels = [compared.units.labels_of(units.annotators.index(name)) for name in (key, other)]
    number = np.arange(len(units.weight))
    chosen = (labels[0] != NO_CATEGORY) & (labels[1] != NO_CATEGORY) & (labels[0] != labels[1])
    if len(units.unit_place):
        chosen &= units.unit_place != NO_PLACE
    else:
        chosen &= False
    chosen &= compared.chosen(number, *labels)
    return tuple(_of_units(compared, np.flatnonzero(chosen), *labels))


def _of_units(compared: ComparedUnits, numbers: Codes, ours: Codes, theirs: Codes) -> Iterator[ListedError]:
    units = compared.units
    places: dict[int, list[Span]] = {}
    for place, start, end in as_rows(units.places.unit, units.places.start, units.places.end):
        places.setdefault(place, []).append((start, end))
    for number in numbers.tolist():
        place, document = int(units.unit_place[number]), int(units.document[number])
        stretch = () if units.places.names else tuple(sorted(places.get(place, ())))
        first, second = (
            None if label[number] == compared.absent else units.categories[label[number]]
            for label in (ours, theirs)
        )
        yield ListedError(
            kind="missed" if second is None else "spurious" if first is None else "type",
            document=None if document == NO_DOCUMENT else document,
            name=units.places.names[place] if units.places.names else "",
            text=(units.places.texts[place] or None) if units.places.texts else None,
            key_label=first,
            label=second,
            key_spans=stretch,
            spans=stretch,
        )
