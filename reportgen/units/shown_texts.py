"""The texts of a guidelines version, the marks in them, and the units on which annotators differ."""

from collections.abc import Iterator, Mapping, Sequence

from reportgen.readers import ATTENDANCE, Annotations, TextMarks
from reportgen.results.texts import Disagreements, Document, DocumentMarks, LayerMarks, Mark, Span, Texts
from reportgen.units.disagreements import DisputedKinds, differing, disagreements
from reportgen.units.pairing import MarkCases
from reportgen.units.pseudonymising import Pseudonyms
from reportgen.units.spans import Spans
from reportgen.units.study import Study

SEEN = ATTENDANCE.index("empty")


def shown_texts(
    guidelines: str,
    studies: Sequence[Study],
    annotations: Sequence[Annotations],
    names: Pseudonyms,
    cases: Mapping[str, MarkCases] | None = None,
) -> Texts | None:
    """Return the texts of a guidelines version, None where there is nothing to read in them.

    `names` are the pseudonyms, if any: studies have theirs already, exports do not. All layers of an export
    have the same documents. `cases` say of layers in what way their marks disagree.
    """
    layers = [
        _layer(study.material.layer, each, each.content, names)
        for study, each in zip(studies, annotations, strict=True)
        if isinstance(each.content, TextMarks)
    ]
    found = [each for study in studies for each in _disagreements(study, cases or {})]
    if not layers and not any(each.units for each in found):
        return None
    documents = tuple(_documents(annotations, names))
    return Texts(guidelines=guidelines, documents=documents, layers=tuple(layers), disagreements=tuple(found))


def _documents(annotations: Sequence[Annotations], names: Pseudonyms) -> Iterator[Document]:
    """Yield the documents of the first layer that has texts, else of the first layer."""
    contents = [each.content for each in annotations]
    with_texts = next((each for each in contents if isinstance(each, TextMarks)), None)
    if with_texts is None:
        yield from (Document(name=names.document(name)) for name in contents[0].documents)
        return
    for name, text in zip(with_texts.documents, with_texts.texts, strict=True):
        yield Document(name=names.document(name), text=text)


def _layer(layer: str, export: Annotations, content: TextMarks, names: Pseudonyms) -> LayerMarks:
    shown = [names.annotator(name) for name in content.annotators]
    spans = _spans_by_mark(content)
    marks: list[list[Mark]] = [[] for _ in content.documents]
    codes = zip(content.document.tolist(), content.annotator.tolist(), content.label.tolist(), strict=True)
    for number, (document, annotator, label) in enumerate(codes):
        mark = Mark(annotator=shown[annotator], label=content.labels[label], spans=spans[number])
        marks[document].append(mark)
    return LayerMarks(
        layer=layer,
        annotators=tuple(shown),
        roles={names.annotator(name): role for name, role in export.roles.items()},
        documents=tuple(
            DocumentMarks(document=number, seen=tuple(_seen(export, number, shown)), marks=_in_order(found))
            for number, found in enumerate(marks)
        ),
    )


def _spans_by_mark(content: TextMarks) -> list[tuple[Span, ...]]:
    found: list[list[Span]] = [[] for _ in content.label]
    columns = (content.span_mark.tolist(), content.span_start.tolist(), content.span_end.tolist())
    for mark, start, end in zip(*columns, strict=True):
        found[mark].append((start, end))
    return [tuple(spans) for spans in found]


def _in_order(marks: Sequence[Mark]) -> tuple[Mark, ...]:
    return tuple(sorted(marks, key=lambda mark: (mark.spans, mark.annotator, mark.label)))


def _seen(export: Annotations, document: int, names: Sequence[str]) -> Iterator[str]:
    if export.attendance is not None:
        states = export.attendance[document].tolist()
        yield from (name for name, state in zip(names, states, strict=True) if state >= SEEN)


def _disagreements(study: Study, cases: Mapping[str, MarkCases]) -> Iterator[Disagreements]:
    """Yield the disputed units of each unit set; of those that are only counted, the ones with a name."""
    kinds = _kinds(study, cases)
    if not study.disputed:
        yield from (disagreements(units, kinds) for units in study.unit_sets)
        return
    for units, named in zip(study.unit_sets, study.disputed, strict=True):
        listed, every = disagreements(named), differing(units)
        yield listed.model_copy(update={"of": every}) if every > len(listed.units) else listed


def _kinds(study: Study, cases: Mapping[str, MarkCases]) -> DisputedKinds | None:
    found = cases.get(study.material.layer)
    return DisputedKinds(study.spans, found) if found and isinstance(study.spans, Spans) else None
