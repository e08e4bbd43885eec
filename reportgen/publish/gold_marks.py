"""A gold standard's marks as annotation tools read them: brat, CoNLL, GATE, WebAnno TSV, Label Studio.

A mark that a format can't hold is a fault, found before anything is written. What is written in a format that
has rules of its own for every sign is read back by its reader first, so that it says the same marks.
"""

import json
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import accumulate, count, pairwise
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, quoted
from reportgen.base.system import portable
from reportgen.readers import Export, ExportFile, ParsedMark, ReaderOptions, readers

Span = tuple[int, int]
# What a format does not have, in the plural, and an example of it.
Fault = tuple[str, str]
NO_SPACE = re.compile(r"\S+")
UNSAFE = re.compile(r"[\ud800-\udfff]")


@dataclass
class GoldDocument:
    """A document under the name that it is shown by, with the marks of each layer.

    `finished` tells whether nothing in it is open, so that what is unmarked says something.
    """

    name: str
    text: str
    marks: dict[str, Sequence[ParsedMark]] = field(default_factory=dict)
    finished: bool = True


@dataclass(frozen=True)
class GoldTexts:
    """All documents, the declared source of each layer, and a pattern of tokens other than white space's."""

    documents: Sequence[GoldDocument]
    pattern: str | None = None
    sources: Mapping[str, str] = field(default_factory=dict)

    @property
    def finished(self) -> list[GoldDocument]:
        """Return the documents in which nothing is open."""
        return [document for document in self.documents if document.finished]

    def source(self, layer: str) -> tuple[str, str]:
        """Return the type and the feature that the campaign declares for a layer, each empty without one."""
        name, _, feature = self.sources.get(layer, "").partition("->")
        return name.strip(), feature.strip()

    def tokens(self, text: str) -> list[Span]:
        """Return the tokens of a text: by the campaign's pattern, with what it leaves between white space."""
        # It was in its bounds on the same texts where they were cut into units.
        own = [match.span() for match in re.finditer(self.pattern or r"\S+", text) if match.group()]
        edges = [0, *(edge for span in own for edge in span), len(text)]
        gaps = zip(edges[::2], edges[1::2], strict=True)
        between = (match.span() for start, end in gaps for match in NO_SPACE.finditer(text, start, end))
        return sorted((*own, *between))


@dataclass(frozen=True)
class MarkFormat:
    """A format of marks: its files by path, "" being the only one, and what it can't hold of the marks.

    `reader` is the name of its reader, where what is written is read back, and `feature` where that finds the
    label: in the feature that is called like the layer where it is empty. `start` is how one file begins,
    and `has_all` tells of documents in which something is open, and of attributes of marks. `label` finds the
    label of a mark that is read back where it is not always in a feature.
    """

    title: str
    write: Callable[[GoldTexts], dict[str, str]]
    faults: Callable[[GoldTexts], Iterator[Fault]]
    reader: str = ""
    feature: str = ""
    start: str = ""
    has_stretches: bool = False
    has_all: bool = False
    label: Callable[[GoldTexts, ParsedMark], str] | None = None

    def written(self, texts: GoldTexts) -> tuple[dict[str, str], list[Fault]]:
        """Return the files, or why these marks can't be written."""
        in_stretches = () if self.has_stretches else _in_stretches(texts)
        if faults := list(in_stretches) or list(self.faults(texts)):
            return {}, faults
        files = self.write(texts)
        return files, list(self._read_otherwise(files, texts)) if self.reader else []

    def _read_otherwise(self, files: Mapping[str, str], texts: GoldTexts) -> Iterator[Fault]:
        """Yield a document of which the reader of this format finds other marks than were written."""
        exported = [
            ExportFile.with_content(
                Path(name), name or "gold", text=text, content=text.encode(errors="replace")
            )
            for name, text in files.items()
        ]
        reader = next(reader for reader in readers() if reader.name == self.reader)
        what = "signs that it reads otherwise"
        try:
            export = reader.read(exported, ReaderOptions())
        except BadInput as error:
            yield what, str(error)
            return
        every = export.copies if isinstance(export, Export) else ()
        copies = [copy for copy in every if (copy.text or "").strip() and copy.state != "unseen"]
        documents = [document for document in texts.finished if document.text.strip()]
        if len(copies) != len(documents):
            yield what, f"{len(copies):,} documents of {len(documents):,}"
            return
        for copy, document in zip(copies, documents, strict=True):
            labels = ((self._label_of(texts, mark), mark) for mark in copy.marks)
            due = ((mark.type, mark) for mark in all_marks(document))
            if _covers(labels, copy.text or "") != _covers(due, document.text):
                yield what, quoted(document.name)

    def _label_of(self, texts: GoldTexts, mark: ParsedMark) -> str:
        return self.label(texts, mark) if self.label else mark.features.get(self.feature or mark.type, "")


def all_marks(document: GoldDocument) -> list[ParsedMark]:
    """Return the marks of all layers of a document, in the order of the text."""
    marks = (mark for layer in document.marks.values() for mark in layer)
    return sorted(marks, key=lambda mark: (mark.spans, mark.type))


def _covers(marks: Iterable[tuple[str, ParsedMark]], text: str) -> Counter[tuple[str, str]]:
    """Return how often each label covers which signs, without the white space that CoNLL does not keep."""
    return Counter(
        (label, "".join("".join(text[start:end] for start, end in mark.spans).split()))
        for label, mark in marks
    )


def _example(document: GoldDocument, mark: ParsedMark) -> str:
    said = " … ".join(document.text[start:end] for start, end in mark.spans)
    return f"{mark.type} {quoted(said)} in {quoted(document.name)}"


def _in_stretches(texts: GoldTexts) -> Iterator[Fault]:
    """Yield the marks of several stretches, and of none."""
    for document in texts.finished:
        for mark in all_marks(document):
            if len(mark.spans) != 1:
                yield "marks in several stretches", _example(document, mark)
            elif mark.spans[0][0] == mark.spans[0][1]:
                yield "marks of no length", _example(document, mark)


def unsound_names(files: Iterable[str]) -> list[str]:
    """Return the documents whose names are no paths that all systems take, or the same one."""
    names = dict.fromkeys(file.rpartition(".")[0] for file in files if file)
    alike = Counter(map(str.casefold, names))
    return [
        name
        for name in names
        if UNSAFE.search(name) or alike[name.casefold()] > 1 or not all(map(_is_sound, name.split("/")))
    ]


def _is_sound(part: str) -> bool:
    return bool(part) and not part.startswith(".") and portable(part) == part


# brat: an .ann file of marks beside each text.

A_WORD = re.compile(r"\S+")
A_VALUE = re.compile(r"\S(?:[^\n\r]*\S)?")


def _brat(texts: GoldTexts) -> dict[str, str]:
    files = {f"{document.name}.txt": document.text for document in texts.documents}
    return files | {f"{document.name}.ann": _standoff(document) for document in texts.finished}


def _not_in_brat(texts: GoldTexts) -> Iterator[Fault]:
    labels = {mark.type for document in texts.finished for mark in all_marks(document)}
    yield from (
        ("types with spaces", quoted(label)) for label in sorted(labels) if not A_WORD.fullmatch(label)
    )


def _standoff(document: GoldDocument) -> str:
    """Return the marks of a document as brat writes them, with those attributes that it can."""
    lines: list[str] = []
    attributes = count(1)
    for number, mark in enumerate(all_marks(document), 1):
        offsets = ";".join(f"{start} {end}" for start, end in mark.spans)
        said = " ".join(" ".join(document.text[start:end] for start, end in mark.spans).split())
        lines.append(f"T{number}\t{mark.type} {offsets}\t{said}\n")
        lines += [
            f"A{next(attributes)}\t{name} T{number} {value}\n"
            for name, value in sorted(mark.features.items())
            if A_WORD.fullmatch(name) and A_VALUE.fullmatch(value)
        ]
    return "".join(lines)


# Tokens, which CoNLL and WebAnno have a line for, and the lines of the text, which are their sentences.


def _placed(tokens: Sequence[Span], marks: Iterable[ParsedMark]) -> list[tuple[ParsedMark, range]]:
    """Return each mark with the tokens (numbers) that it covers; it begins and ends where tokens do."""
    starts = [start for start, _ in tokens]
    return [
        (mark, range(bisect_left(starts, mark.spans[0][0]), bisect_left(starts, mark.spans[-1][1])))
        for mark in marks
    ]


def _sentences(document: GoldDocument, tokens: Sequence[Span]) -> Iterator[tuple[Span, range]]:
    """Yield each sentence, its text and its tokens (numbers): a line, or several where a mark joins them.

    Between two of them there is one line break.
    """
    text, first, start = document.text, 0, 0
    inside = {token for _, places in _placed(tokens, all_marks(document)) for token in places[1:]}
    for token, ((_, end), (following, _)) in enumerate(pairwise(tokens), 1):
        line_break = text.rfind("\n", end, following)
        if line_break >= 0 and token not in inside:
            yield (start, line_break), range(first, token)
            first, start = token, line_break + 1
    yield (start, len(text)), range(first, len(tokens))


def _elsewhere(document: GoldDocument, tokens: Sequence[Span], where: str) -> Iterator[Fault]:
    """Yield the marks that begin or end where no token does."""
    starts, ends = {start for start, _ in tokens}, {end for _, end in tokens}
    for mark in all_marks(document):
        if mark.spans[0][0] not in starts or mark.spans[-1][1] not in ends:
            yield f"marks that begin or end {where}", _example(document, mark)


# CoNLL: a token a line with a tag of IOB2 for each layer, all documents in one file.

CONLL_START = "# A gold standard, written by reportgen"
LINE = re.compile(r"[^\t\n\r]+")


# Words, with hyphens and apostrophes within them, and every other sign by itself.
APART = r"\w+(?:[-'’]\w+)*|[^\w\s]"


def in_tokens(texts: GoldTexts) -> GoldTexts:
    """Return texts with the tokens that CoNLL has: punctuation apart where a mark ends within a token.

    That is decided for all documents alike, and never by single marks, so that tokens tell nothing of them.
    """
    tokens = ((document, texts.tokens(document.text)) for document in texts.finished)
    cut = texts.pattern is None and any(
        True for document_tokens in tokens for _ in _elsewhere(*document_tokens, "within a token")
    )
    return replace(texts, pattern=APART) if cut else texts


def _conll(texts: GoldTexts) -> dict[str, str]:
    texts = in_tokens(texts)
    layers = list(dict.fromkeys(name for document in texts.documents for name in document.marks))
    names = [texts.source(layer)[0] for layer in layers]
    lines = [CONLL_START]
    if all(A_WORD.fullmatch(name) for name in names):
        # Without names columns are numbered, as in most files of this kind.
        lines.append(f"# global.columns = FORM {' '.join(names)}")
    for document in texts.finished:
        lines += ["", f"# newdoc id = {document.name}", *_rows(document, texts.tokens(document.text), layers)]
    return {"": "\n".join(lines) + "\n"}


def _rows(document: GoldDocument, tokens: Sequence[Span], layers: Iterable[str]) -> Iterator[str]:
    columns = [_tags(tokens, document.marks.get(layer, ())) for layer in layers]
    for number, (_, places) in enumerate(_sentences(document, tokens)):
        if number:
            yield ""
        for token in places:
            start, end = tokens[token]
            yield "\t".join((document.text[start:end], *(column[token] for column in columns)))


def _tags(tokens: Sequence[Span], marks: Iterable[ParsedMark]) -> list[str]:
    tags = ["O"] * len(tokens)
    for mark, places in _placed(tokens, marks):
        for token in places:
            tags[token] = f"{'B' if token == places[0] else 'I'}-{mark.type}"
    return tags


def _not_in_conll(texts: GoldTexts) -> Iterator[Fault]:
    texts = in_tokens(texts)
    for document in texts.finished:
        if not LINE.fullmatch(document.name) or document.name != document.name.strip():
            yield "documents of such a name", quoted(document.name)
        yield from _elsewhere(document, texts.tokens(document.text), "within a token")
        for marks in document.marks.values():
            ordered = sorted(marks, key=lambda mark: mark.spans)
            for earlier, other in pairwise(ordered):
                if other.spans[0][0] < earlier.spans[0][1]:
                    yield "marks that overlap", _example(document, other)
            for mark in ordered:
                if not LINE.fullmatch(mark.type):
                    yield "labels with tabs or line breaks", _example(document, mark)


def changes_white_space(texts: GoldTexts, document: GoldDocument) -> bool:
    """Tell whether a document's tokens, joined by spaces and lines, are another text than it has."""
    tokens, text = texts.tokens(document.text), document.text
    sentences = _sentences(document, tokens)
    lines = (" ".join(text[slice(*tokens[token])] for token in places) for _, places in sentences)
    return "\n".join(lines) != text.removesuffix("\n")


# WebAnno TSV 3.3: a file for each document, a token a line, marks numbered where they take several lines.

PACKAGE = "webanno.custom."
NO_NAME = re.compile(r"[^\w.]")
VALUE = "value"
RESERVED = re.compile(r"->|[\\\[\]|_;*]")
CONTROLS = str.maketrans({"\t": "\\t", "\n": "\\n", "\r": "\\r"})


def _webanno(texts: GoldTexts) -> dict[str, str]:
    return {f"{document.name}.tsv": "".join(_table(texts, document)) for document in texts.finished}


def _table(texts: GoldTexts, document: GoldDocument) -> Iterator[str]:
    text, tokens = document.text, _cut(texts.tokens(document.text), all_marks(document))
    offsets = utf16_offsets(text)
    yield "#FORMAT=WebAnno TSV 3.3\n"
    for layer in document.marks:
        name = NO_NAME.sub("_", texts.source(layer)[0] or layer)
        yield f"#T_SP={name if '.' in name else PACKAGE + name}|{VALUE}\n"
    yield "\n"
    columns = [_cells(tokens, marks) for marks in document.marks.values()]
    for number, ((first, last), places) in enumerate(_sentences(document, tokens), 1):
        yield "\n"
        yield from (f"#Text={_escaped(line)}\n" for line in text[first:last].split("\n"))
        for number_in_sentence, token in enumerate(places, 1):
            start, end = tokens[token]
            where = f"{offsets[start]}-{offsets[end]}"
            cells = [f"{number}-{number_in_sentence}", where, _escaped(text[start:end])]
            yield "\t".join((*cells, *(column[token] for column in columns), "\n"))


def _cut(tokens: Iterable[Span], marks: Iterable[ParsedMark]) -> list[Span]:
    """Return tokens cut in two where a mark begins or ends within one."""
    edges = sorted({edge for mark in marks for span in mark.spans for edge in span})
    pieces: list[Span] = []
    for start, end in tokens:
        inner = edges[bisect_left(edges, start + 1) : bisect_left(edges, end)]
        pieces += pairwise((start, *inner, end))
    return pieces


def _cells(tokens: Sequence[Span], marks: Iterable[ParsedMark]) -> list[str]:
    placed = _placed(tokens, marks)
    depth = Counter(token for _, places in placed for token in places)
    cells: list[list[str]] = [[] for _ in tokens]
    for number, (mark, places) in enumerate(placed, 1):
        is_numbered = len(places) > 1 or any(depth[token] > 1 for token in places)
        value = _escaped(RESERVED.sub(lambda match: f"\\{match[0]}", mark.type), is_escaped=True)
        for token in places:
            cells[token].append(f"{value}[{number}]" if is_numbered else value)
    return ["|".join(cell) or "_" for cell in cells]


def _escaped(text: str, *, is_escaped: bool = False) -> str:
    """Return a text on one line; `known`: its backslashes are escaped already."""
    return (text if is_escaped else text.replace("\\", "\\\\")).translate(CONTROLS)


def utf16_offsets(text: str) -> list[int]:
    """Return the offset of each code point, and of the end, as Java and JavaScript count."""
    return list(accumulate((1 + (sign > "\uffff") for sign in text), initial=0))


def _not_in_webanno(texts: GoldTexts) -> Iterator[Fault]:
    for document in texts.finished:
        tokens = _cut(texts.tokens(document.text), all_marks(document))
        yield from _elsewhere(document, tokens, "in white space")


# Label Studio: a task for each document, all in one file, with the gold standard as its ground truth.

STUDIO_START = '[{"meta": {"written_by": "reportgen gold"}'
NAME, TEXT, LABELS, CHOICES = "label", "text", "labels", "choices"


def _label_studio(texts: GoldTexts) -> dict[str, str]:
    tasks = (json.dumps(_task(texts, document), ensure_ascii=False) for document in texts.documents)
    listed = ",\n ".join(tasks)
    return {"": f"[{listed}]\n"}


def _task(texts: GoldTexts, document: GoldDocument) -> dict[str, object]:
    marks = ((texts.source(layer)[0] or NAME, mark) for layer, own in document.marks.items() for mark in own)
    offsets = utf16_offsets(document.text)
    results = [
        result
        for number, (name, mark) in enumerate(marks, 1)
        for result in _results(document.text, offsets, mark, name, number)
    ]
    truth = [{"ground_truth": True, "result": results}] if document.finished else []
    return {
        "meta": {"written_by": "reportgen gold"},
        "id": document.name,
        "data": {TEXT: document.text},
        "annotations": truth,
    }


def _results(
    text: str, offsets: Sequence[int], mark: ParsedMark, name: str, number: int
) -> Iterator[dict[str, object]]:
    """Yield the label of a mark, and each of its attributes as a choice that was made for it."""
    ((start, end),) = mark.spans
    where = {"start": offsets[start], "end": offsets[end], TEXT: text[start:end]}
    said = [(name, LABELS, mark.type), *((key, CHOICES, mark.features[key]) for key in sorted(mark.features))]
    for control, kind, value in said:
        content = {**where, kind: [value]}
        yield {"id": f"m{number}", "from_name": control, "to_name": TEXT, "type": kind, "value": content}


# GATE: an XML file for each document, a text with nodes in it, and the gold standard as its set "Key".

NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
STRING = 'className="java.lang.String"'


def _gate(texts: GoldTexts) -> dict[str, str]:
    return {f"{document.name}.xml": _gate_document(texts, document) for document in texts.documents}


def _gate_document(texts: GoldTexts, document: GoldDocument) -> str:
    """Return a document of GATE; ids of nodes are offsets as Java counts them."""
    offsets = utf16_offsets(document.text)
    marks = [
        (mark, *texts.source(layer))
        for layer, own in (document.marks if document.finished else {}).items()
        for mark in own
    ]
    edges = sorted({0, len(document.text), *(edge for mark, *_source in marks for edge in mark.spans[0])})
    pieces = (
        f'<Node id="{offsets[start]}"/>{_in_xml(document.text[start:end])}' for start, end in pairwise(edges)
    )
    last = f'<Node id="{offsets[-1]}"/>' if document.text or marks else ""
    annotations = "".join(
        _gate_annotation(mark, offsets, number, kind if feature else "", feature)
        for number, (mark, kind, feature) in enumerate(marks)
    )
    key = f'<AnnotationSet Name="Key">\n{annotations}</AnnotationSet>\n' if document.finished else ""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<GateDocument version="3">\n'
        f"<GateDocumentFeatures>\n{_gate_feature('gate.SourceURL', document.name)}</GateDocumentFeatures>\n"
        f"<TextWithNodes>{''.join(pieces)}{last}</TextWithNodes>\n{key}</GateDocument>\n"
    )


def _gate_annotation(mark: ParsedMark, offsets: Sequence[int], number: int, kind: str, feature: str) -> str:
    """Return an annotation: its label is its type, or the feature that the layer takes labels from."""
    ((start, end),) = mark.spans
    values = {**mark.features, feature: mark.type} if feature else mark.features
    features = "".join(_gate_feature(name, values[name]) for name in sorted(values))
    return (
        f'<Annotation Id="{number}" Type={quoteattr(kind or mark.type)} '
        f'StartNode="{offsets[start]}" EndNode="{offsets[end]}">\n{features}</Annotation>\n'
    )


def _gate_feature(name: str, value: str) -> str:
    return (
        f"<Feature>\n<Name {STRING}>{_in_xml(name)}</Name>\n"
        f"<Value {STRING}>{_in_xml(value)}</Value>\n</Feature>\n"
    )


def _in_xml(text: str) -> str:
    """Return a text as XML has it, its carriage returns kept."""
    return escape(text, {"\r": "&#13;"})


def _not_in_gate(texts: GoldTexts) -> Iterator[Fault]:
    for document in texts.documents:
        if NOT_IN_XML.search(document.text):
            yield "control characters", quoted(document.name)
        if document.finished:
            for mark in all_marks(document):
                if any(
                    NOT_IN_XML.search(said) for said in (mark.type, *mark.features, *mark.features.values())
                ):
                    yield "labels with control characters", _example(document, mark)


def _gate_label(texts: GoldTexts, mark: ParsedMark) -> str:
    """Return the label of an annotation: its type, or the feature that a layer of its type names."""
    sources = (texts.source(layer) for layer in texts.sources)
    names = (feature for kind, feature in sources if feature and kind == mark.type)
    return next((mark.features[name] for name in names if name in mark.features), mark.type)


GATE = MarkFormat("GATE XML", _gate, _not_in_gate, "gate-xml", has_all=True, label=_gate_label)
BRAT = MarkFormat("brat", _brat, _not_in_brat, has_stretches=True, has_all=True)
CONLL = MarkFormat("CoNLL", _conll, _not_in_conll, "conll", start=CONLL_START)
WEBANNO = MarkFormat("WebAnno TSV", _webanno, _not_in_webanno, "webanno-tsv", VALUE)
LABEL_STUDIO = MarkFormat(
    "Label Studio", _label_studio, lambda _: iter(()), "label-studio", LABELS, STUDIO_START, has_all=True
)
