"""From copies of documents to one layer of annotations: aligned, checked, selected, coded."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np

from reportgen.base.errors import BadInput, Problem, for_each
from reportgen.readers.annotations import (
    EMPTY,
    MARKED,
    NO_DOCUMENT,
    SKIPPED,
    UNSEEN,
    Codes,
    Compared,
    ExcludedMarks,
    Place,
    Ratings,
    TextMarks,
    coded,
)
from reportgen.readers.offsets import WhiteSpaceShift, around, first_difference, without_space
from reportgen.readers.reader import (
    NOT_ASKED_FOR,
    Annotations,
    Copy,
    Export,
    ParsedMark,
    ReaderOptions,
    Relation,
    clean,
    require_annotators,
    shortened,
)
from reportgen.readers.sources import (
    NO_STRETCH,
    RELATIONS,
    LabelSource,
    as_marks,
    candidate_sources,
    find_source,
    regions,
    stretches_of,
    under_key,
)

# The same document in the hands of several annotators: one text, marks inside it.


@dataclass(frozen=True)
class Aligned:
    """Copies that belong together.

    `texts` has one text for each of `documents`, "" where the export has none; `lengths` has the milliseconds
    of each recording, and is empty where there is none. `copies` are those of the annotators asked for,
    `every` those of all. `shifted` says which marks were shifted onto the first text, empty where none had to
    be; `warnings` are those of marks that begin or end in white space there.
    """

    documents: tuple[str, ...]
    texts: tuple[str, ...]
    lengths: tuple[int, ...]
    annotators: tuple[str, ...]
    copies: tuple[Copy, ...]
    every: tuple[Copy, ...] = ()
    shifted: str = ""
    warnings: tuple[Problem, ...] = ()


def align(copies: Sequence[Copy], asked: Sequence[str]) -> Aligned:
    """Return the documents that annotators hold copies of, each with its one text: that of its first copy.

    Marks of copies whose texts differ in white space alone are shifted onto it. Raises BadInput where copies
    of a document have texts that differ otherwise, showing the first difference, and for each mark that does
    not lie within its text.
    """
    first: dict[str, Copy] = {}
    problems: list[Problem] = []
    for copy in copies:
        known = first.setdefault(copy.document, copy)
        if known.text is None and copy.text is not None:
            first[copy.document] = copy
        elif copy.text is not None and known.text is not None and _differ(known.text, copy.text):
            problems.append(_different(known, copy))
        problems += shortened(list(_outside(copy)))
    if problems:
        raise BadInput(problems)
    wanted = set(asked)
    texts = {name: copy.text or "" for name, copy in first.items()}
    shifted = {
        place: _Shifted.of(copy, texts[copy.document])
        for place, copy in enumerate(copies)
        if copy.text not in (None, texts[copy.document])
    }
    every = tuple(shifted[place].copy if place in shifted else copy for place, copy in enumerate(copies))
    marks = sum(each.marks for each in shifted.values())
    said = (
        f"White space differs from the first annotator's text in {len(shifted):,} of {len(every):,} copies; "
    )
    return Aligned(
        documents=tuple(first),
        texts=tuple(texts.values()),
        lengths=_lengths(first, copies),
        annotators=tuple(asked),
        copies=tuple(copy for copy in every if copy.annotator in wanted),
        every=every,
        shifted=f"{said}marks shifted onto it: {marks:,}." if shifted else "",
        warnings=tuple(each.warning for each in shifted.values() if each.warning),
    )


def _differ(one: str, other: str) -> bool:
    """Say whether two texts differ in more than white space."""
    return one != other and without_space(one) != without_space(other)


@dataclass(frozen=True)
class _Shifted:
    """A copy with its marks shifted onto another text, how many of them moved, and what is doubtful."""

    copy: Copy
    marks: int
    warning: Problem | None

    @classmethod
    def of(cls, copy: Copy, text: str) -> "_Shifted":
        """Return a copy as one of a text that differs in white space alone."""
        shift = WhiteSpaceShift(copy.text or "", text)
        marks = [replace(mark, spans=tuple(map(shift.span, mark.spans))) for mark in copy.marks]
        moved = sum(new.spans != old.spans for new, old in zip(marks, copy.marks, strict=True))
        doubtful = [mark for mark in copy.marks if any(map(shift.is_in_space, mark.spans))]
        warning = _in_space(copy, doubtful) if doubtful else None
        return cls(replace(copy, text=text, marks=marks), moved, warning)


def _in_space(copy: Copy, marks: Sequence[ParsedMark]) -> Problem:
    what = "1 mark begins or ends" if len(marks) == 1 else f"{len(marks):,} marks begin or end"
    message = f"{what} in white space, which the first annotator's text of the document has otherwise."
    file, line = _place(copy, marks[0])
    return Problem(file, line, message=message, mend="See that marks begin and end with a letter.")


def _lengths(documents: Iterable[str], copies: Sequence[Copy]) -> tuple[int, ...]:
    """Return the milliseconds of each recording, those of its longest copy; nothing where there is none."""
    longest = dict.fromkeys(documents, 0)
    for copy in copies:
        longest[copy.document] = max(longest[copy.document], copy.length or 0)
    return tuple(longest.values()) if any(copy.length is not None for copy in copies) else ()


def _different(one: Copy, other: Copy) -> Problem:
    place = first_difference(one.text or "", other.text or "")
    message = (
        f'has another text of document "{one.document}" than {one.file}; they differ from character '
        f'{place + 1} on: "{around(other.text or "", place)}" here, "{around(one.text or "", place)}" there.'
    )
    mend = "Annotators of a document need the same text; documents that differ need names that differ."
    return Problem(other.file, message=message, mend=mend)


def _outside(copy: Copy) -> Iterator[Problem]:
    """Yield the marks that do not lie within the text, or have stretches in the wrong order."""
    length = len(copy.text or "") if copy.length is None else copy.length
    for mark in copy.marks:
        if mark.spans and not _lies_within(mark, length):
            spans = ", ".join(f"{start} to {end}" for start, end in mark.spans[:3])
            message = f"a mark from {spans} does not lie within the {_whole(copy)}."
            yield Problem(
                mark.file or copy.file, mark.line, message=message, mend="Export text and marks together."
            )


def _whole(copy: Copy) -> str:
    """Return what marks have to lie within, in words."""
    if copy.length is not None:
        return f"recording, which lasts {copy.length:,} milliseconds"
    return f"text, which {'is missing' if copy.text is None else f'has {len(copy.text):,} characters'}"


def _lies_within(mark: ParsedMark, length: int) -> bool:
    edges = [edge for span in mark.spans for edge in span]
    return edges == sorted(edges) and edges[0] >= 0 and edges[-1] <= length


# From copies of documents to one layer of annotations: aligned, checked, selected, coded.

A_RELATION = "a relation between marks, which are compared without it"
OF_SKIPPED = "the annotator skipped the document"
OF_OTHER_LAYER = "of a layer that the campaign does not ask for"
A_CANDIDATE = "it says where a candidate is, which is a unit and no label"
MISSING = "the label stands for a missing one"
AGAIN = "the annotator's second copy of the document: the first counts"


@dataclass(frozen=True)
class _LabelledMark:
    """A mark of a layer, with its label and whose copy it is from."""

    copy: Copy
    mark: ParsedMark
    label: str


def assemble(export: Export, options: Sequence[ReaderOptions], format_name: str) -> list[Annotations]:
    """Return each layer of an export; the first also lists what no layer uses.

    `options` differ in their `source` alone. Raises BadInput, with all problems, for annotators,
    types or features that are not there, also where they hold candidates, copies of a document with
    different texts, and marks outside their text.
    """
    everyone = list(dict.fromkeys(copy.annotator for copy in export.copies))
    require_annotators(options[0].annotators or (), everyone)
    asked = options[0].annotators or tuple(everyone)
    aligned = align(export.copies, asked)
    layers = _layers(export, options, aligned)
    candidates = candidate_sources(export, options[0].candidates)
    own = [_asked(aligned, source) for source, _ in layers]
    found = [_annotations(of_layer, *each) for of_layer, each in zip(own, layers, strict=True)]
    nobodys = [*export.left_out, *_never_used(export, aligned, [source for source, _ in layers], candidates)]
    first = replace(
        found[0],
        marks_read=found[0].marks_read + sum(each.marks for each in nobodys),
        left_out=(*nobodys, *found[0].left_out),
    )
    return [
        replace(
            each,
            format=format_name,
            reading=" ".join(filter(None, (export.reading, aligned.shifted))),
            warnings=(*export.warnings, *aligned.warnings),
            sources=export.sources,
            compared=_compared(export, source),
            candidates={
                key: regions(aligned.every, of_layer.documents, where) for key, where in candidates.items()
            },
        )
        for each, of_layer, (source, _) in zip((first, *found[1:]), own, layers, strict=True)
    ]


def _asked(aligned: Aligned, source: LabelSource) -> Aligned:
    """Return the copies that are about what makes up a layer, with the documents of those."""
    copies = tuple(each for each in aligned.copies if _is_about(each, source))
    if len(copies) == len(aligned.copies):
        return aligned
    there = {each.document for each in copies}
    kept = [name in there for name in aligned.documents]
    return replace(
        aligned,
        documents=tuple(compress(aligned.documents, kept)),
        texts=tuple(compress(aligned.texts, kept)),
        lengths=tuple(compress(aligned.lengths, kept)),
        copies=copies,
    )


def _is_about(copy: Copy, source: LabelSource) -> bool:
    if copy.asked is None:
        return True
    return RELATIONS in copy.asked if source.relations else source.type is None or source.type in copy.asked


def _layers(
    export: Export, options: Sequence[ReaderOptions], aligned: Aligned
) -> list[tuple[LabelSource, ReaderOptions]]:
    def layer(number: int) -> LabelSource:
        return find_source(export, aligned.copies, options[number].source)

    numbers = range(len(options))
    found = for_each(numbers, lambda number: under_key(f"layers.{number + 1}.source", lambda: layer(number)))
    return list(zip(found, options, strict=True))


def _compared(export: Export, source: LabelSource) -> Compared:
    """Say what a layer consists of: where types are the categories, a feature is an attribute."""
    if source.relations:
        return "relations"
    return "attributes" if source.feature is not None and not export.by_feature else "marks"


def _never_used(
    export: Export, aligned: Aligned, sources: Sequence[LabelSource], candidates: Mapping[str, LabelSource]
) -> Iterator[ExcludedMarks]:
    """Yield the marks that no layer uses: of other types, skipped documents, annotators not asked for."""
    asked = set(aligned.annotators)
    for copy in export.copies:
        if copy.annotator not in asked:
            nobodys: list[ParsedMark | Relation] = [*copy.marks, *copy.relations]
            yield from (_unused(copy, item, NOT_ASKED_FOR) for item in nobodys)
    for copy in aligned.copies:
        items: list[ParsedMark | Relation] = [*copy.relations, *copy.marks]
        for item in items:
            asked_for = any(source.holds(item) for source in sources)
            if isinstance(item, Relation) and not asked_for:
                yield _unused(copy, item, A_RELATION)
            elif copy.state != "seen":
                yield _unused(copy, item, OF_SKIPPED)
            elif not asked_for:
                a_candidate = any(source.holds(item) for source in candidates.values())
                yield _unused(copy, item, A_CANDIDATE if a_candidate else OF_OTHER_LAYER)


def _unused(copy: Copy, item: ParsedMark | Relation, reason: str) -> ExcludedMarks:
    return ExcludedMarks(*_place(copy, item), copy.annotator, reason, 1)


def _place(copy: Copy, item: ParsedMark | Relation) -> Place:
    """Return the file and line of a mark: each level may have a file of its own."""
    return (item.file if isinstance(item, ParsedMark) else "") or copy.file, item.line


def _annotations(aligned: Aligned, source: LabelSource, options: ReaderOptions) -> Annotations:
    """Return one layer, without what is the same for all."""
    found, left_out = _labelled(aligned, source, options)
    return Annotations(
        content=_content(found, aligned),
        format="",
        reading="",
        marks_read=len(found) + len(left_out),
        left_out=tuple(left_out),
        roles={copy.annotator: copy.role for copy in aligned.copies if copy.role != "annotator"},
        attendance=_attendance(found, aligned),
        choice=source.said,
    )


def _labelled(
    aligned: Aligned, source: LabelSource, options: ReaderOptions
) -> tuple[list[_LabelledMark], list[ExcludedMarks]]:
    """Return the marks of the layer with their labels, and those of it that have none."""
    found: list[_LabelledMark] = []
    left_out: list[ExcludedMarks] = []
    first = {
        (copy.document, copy.annotator): copy for copy in reversed(aligned.copies) if copy.state == "seen"
    }
    marks = [
        (copy, mark, roles)
        for copy in aligned.copies
        if copy.state == "seen"
        for mark, roles in _members(copy, source)
    ]
    written = [source.label(mark) for _, mark, _ in marks]
    names = list(dict.fromkeys(written))
    known = dict(zip(names, clean(names, options), strict=True))
    for (copy, mark, roles), name in zip(marks, written, strict=True):
        label = known[name]
        of_first = first[copy.document, copy.annotator] is copy
        reason = None if label else MISSING
        if reason is None and source.relations and not mark.spans:
            reason = NO_STRETCH
        if reason is None and mark.spans and not of_first:
            reason = AGAIN
        if reason is None:
            found.append(_LabelledMark(copy, mark, label + roles if roles else label))
        else:
            left_out.append(_unused(copy, mark, reason))
    return found, left_out


def _members(copy: Copy, source: LabelSource) -> Iterator[tuple[ParsedMark, str]]:
    """Yield what a layer consists of in a copy, with what follows the label: the roles of a relation."""
    if source.relations:
        yield from as_marks(copy, source)
    else:
        yield from ((mark, "") for mark in copy.marks if source.holds(mark))


def _content(found: Sequence[_LabelledMark], aligned: Aligned) -> Ratings | TextMarks:
    """Return labels of documents where no mark has a stretch of text, else marks in texts."""
    spanned = [bool(each.mark.spans) for each in found]
    if any(spanned) and not all(spanned):
        message = "some marks are of a stretch of text, others of whole documents."
        mend = "Choose a layer of either with [[layers]] source."
        raise BadInput([Problem("", key="source", message=message, mend=mend)])
    if any(spanned) or (not found and (aligned.lengths or all(aligned.texts))):
        return _text_marks(found, aligned)
    return _ratings(found, aligned)


def _text_marks(found: Sequence[_LabelledMark], aligned: Aligned) -> TextMarks:
    labels, label = coded(each.label for each in found)
    document, annotator = _of_copies([each.copy for each in found], aligned)
    span_mark, span_start, span_end = stretches_of([each.mark for each in found])
    return TextMarks(
        documents=aligned.documents,
        texts=aligned.texts,
        lengths=aligned.lengths,
        annotators=aligned.annotators,
        labels=labels,
        document=document,
        annotator=annotator,
        label=label,
        span_mark=span_mark,
        span_start=span_start,
        span_end=span_end,
        features=[each.mark.features for each in found],
        place=_places(found),
    )


def _ratings(found: Sequence[_LabelledMark], aligned: Aligned) -> Ratings:
    """Return each document as a unit that is its own document."""
    labels, label = coded(each.label for each in found)
    document, annotator = _of_copies([each.copy for each in found], aligned)
    units = len(aligned.documents)
    return Ratings(
        documents=(),
        annotators=aligned.annotators,
        labels=labels,
        unit_names=aligned.documents,
        unit_document=np.full(units, NO_DOCUMENT, dtype=np.int64),
        unit_weight=np.ones(units, dtype=np.int64),
        unit=document,
        annotator=annotator,
        label=label,
        mark_pass=np.zeros(len(found), dtype=np.int64),
        place=_places(found),
        unit_texts=aligned.texts if any(aligned.texts) else (),
    )


def _places(found: Sequence[_LabelledMark]) -> Callable[[int], Place]:
    return lambda number: _place(found[number].copy, found[number].mark)


def _attendance(found: Sequence[_LabelledMark], aligned: Aligned) -> Codes:
    """Return what each annotator did with each document: (documents, annotators)."""
    attendance = np.full((len(aligned.documents), len(aligned.annotators)), UNSEEN, dtype=np.int64)
    states = {"seen": EMPTY, "skipped": SKIPPED, "unseen": UNSEEN}
    codes = np.array([states[copy.state] for copy in aligned.copies], dtype=np.int64)
    np.maximum.at(attendance, _of_copies(aligned.copies, aligned), codes)
    attendance[_of_copies([each.copy for each in found], aligned)] = MARKED
    return attendance


def _of_copies(copies: Sequence[Copy], aligned: Aligned) -> tuple[Codes, Codes]:
    """Return the codes of the document and the annotator of each copy."""
    documents = coded((copy.document for copy in copies), aligned.documents)[1]
    return documents, coded((copy.annotator for copy in copies), aligned.annotators)[1]
