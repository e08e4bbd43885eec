"""CoNLL columns: a token a line with its tags, blank lines between sentences."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from reportgen.base.errors import BadInput, Problem, for_each
from reportgen.readers.conllu import (
    DOCUMENT_START,
    Annotated,
    ColumnDocument,
    ColumnFile,
    ColumnLine,
    copies_of,
    read_columns,
    text_of,
)
from reportgen.readers.reader import Copy, Export, ExportFile, ParsedMark, Reader, ReaderOptions

# Tags of tokens that stand for marks: IOB1, IOB2, BIOES and BILOU.

Scheme = Literal["IOB1", "IOB2", "BIOES", "BILOU"]
# (first token, token after the last, label)
Stretch = tuple[int, int, str]
Tag = tuple[str, str]

OUTSIDE = "O"
NO_MARK = frozenset({"_", OUTSIDE, "-X-", "-", ""})
PREFIXED = re.compile(r"([BIOESLU])-(.+)", re.DOTALL)
BARE = frozenset("BIESLU")
BEGINS_OR_IS_INSIDE = frozenset("BI")
SINGLE = {"BIOES": "S", "BILOU": "U"}
LAST = {"BIOES": "E", "BILOU": "L"}


def parse(tag: str) -> Tag | None:
    """Return a tag's letter and label ("B-PER"), None where it stands for no mark.

    A letter alone ("B") has the empty label, and a tag without a letter ("NOUN") the empty letter.
    """
    if tag in NO_MARK:
        return None
    if found := PREFIXED.fullmatch(tag):
        return None if found[1] == OUTSIDE else (found[1], found[2])
    return (tag, "") if tag in BARE else ("", tag)


def is_sequence(tags: Iterable[str]) -> bool:
    """Say whether the different tags of a column are those of a scheme: O, and letters with labels."""
    different = set(tags)
    bare = different & BARE
    others = different - NO_MARK - bare
    # A column of single letters may be of anything, unless some tokens are outside.
    spelled = not bare or (OUTSIDE in different and bool(bare & BEGINS_OR_IS_INSIDE))
    known = bool(others) or bool(bare) or OUTSIDE in different
    return known and spelled and all(PREFIXED.fullmatch(tag) for tag in others)


def detect(sentences: Iterable[Sequence[str]]) -> Scheme:
    """Return the scheme that explains most tags; IOB2, the commonest, where several do."""
    letters: Counter[str] = Counter()
    begins_with: Counter[str] = Counter()
    for tags in sentences:
        before: Tag | None = None
        for tag in map(parse, tags):
            if tag is not None:
                letters[tag[0]] += 1
                if before is None or before[1] != tag[1]:
                    begins_with[tag[0]] += 1
            before = tag
    if letters["E"] + letters["S"] + letters["L"] + letters["U"]:
        return "BILOU" if letters["L"] + letters["U"] > letters["E"] + letters["S"] else "BIOES"
    return "IOB1" if begins_with["I"] > begins_with["B"] else "IOB2"


@dataclass
class _OpenChunk:
    """The mark that is being read."""

    start: int
    label: str


def decode(tags: Sequence[str], scheme: Scheme) -> tuple[list[Stretch], int]:
    """Return the marks of one sentence, and how many tags its scheme does not allow where they are.

    What is not allowed starts a mark of its own, and so loses no token; a mark that lacks its end ends
    with its last token.
    """
    marks: list[Stretch] = []
    faults = 0
    current: _OpenChunk | None = None
    for place, tag in enumerate([*map(parse, tags), None]):
        goes_on = current is not None and tag is not None and _continues(current, tag, scheme)
        if current is not None and not goes_on:
            marks.append((current.start, place, current.label))
            faults += scheme in LAST  # its end is missing
            allowed = tag is None or _may_begin(tag, current, scheme)
        else:
            allowed = tag is None or goes_on or _may_begin(tag, None, scheme)
        faults += not allowed
        if tag is not None and not goes_on:
            current = _OpenChunk(place, tag[1])
        elif tag is None:
            current = None
        if current is not None and tag is not None and _ends(tag, scheme):
            marks.append((current.start, place + 1, current.label))
            current = None
    return marks, faults


def _continues(current: _OpenChunk, tag: Tag, scheme: Scheme) -> bool:
    return tag[1] == current.label and tag[0] in ("I", LAST.get(scheme, "I"))


def _may_begin(tag: Tag, before: _OpenChunk | None, scheme: Scheme) -> bool:
    """Say whether a mark may begin with this tag, after the mark that ends right before it."""
    if scheme == "IOB1":
        return tag[0] == "I" or (tag[0] == "B" and before is not None and before.label == tag[1])
    return tag[0] in ("B", SINGLE.get(scheme, "B"))


def _ends(tag: Tag, scheme: Scheme) -> bool:
    return tag[0] in (SINGLE.get(scheme), LAST.get(scheme))


# CoNLL columns: a token a line with its tags, blank lines between sentences.

EXTENSIONS = (".conll", ".conll2002", ".conll2003", ".iob", ".iob2", ".bio", ".bioes", ".bilou")
LEAST_COLUMNS = 2
LOOKED_AT = 100_000
# Of a column of lemmas or of tokens again, most are the token itself.
MOSTLY = 0.5
# What the marks of annotators who have a column each are of.
TAG = "tag"
OWN_COLUMNS = "Each annotator has a column."
HOW = "Columns: tokens are joined by spaces, sentences by new lines."


@dataclass(frozen=True)
class _Layer:
    """A column of tags: its place, name, and scheme if the tags make up stretches of tokens."""

    place: int
    name: str
    scheme: Scheme | None


@dataclass(frozen=True)
class _Layout:
    """How the files of an export are made: where the tokens are, and which columns are layers."""

    token: int
    layers: tuple[_Layer, ...]


def recognises(file: ExportFile) -> bool:
    """Say whether the file has no header, sentences apart, and a column of O, B-X, I-X and the like.

    Only the beginning is looked at. A file called .conll, .iob or so may be a single sentence.
    """
    if not accompanies(file):
        return False
    text = _beginning(file)
    return file.suffix in EXTENSIONS or DOCUMENT_START in text or _has_blank_line(text)


def accompanies(file: ExportFile) -> bool:
    """Say whether the file has such a column: beside others a single sentence is enough."""
    if not file.is_text() or file.text.lstrip()[:1] in {"{", "[", "<"}:
        return False
    try:
        read = read_columns(_Beginning(file, _beginning(file)))
    except BadInput:
        return False
    return bool(_sequences(list(read.rows)))


def _beginning(file: ExportFile) -> str:
    text = file.text[:LOOKED_AT]
    return text if len(file.text) <= LOOKED_AT else text[: text.rfind("\n") + 1]


class _Beginning(ExportFile):
    """The beginning of a file, in place of all of it."""

    def __init__(self, file: ExportFile, text: str) -> None:
        super().__init__(file.path, file.name)
        # As `cached_property` would keep what it decoded.
        self.__dict__["text"] = text


def _has_blank_line(text: str) -> bool:
    return "\n\n" in text.replace("\r", "").lstrip("\n")


def _sequences(rows: Sequence[ColumnLine]) -> list[int]:
    """Return the columns after the first whose tags are those of a scheme."""
    width = min((len(row.cells) for row in rows), default=0)
    return [column for column in range(1, width) if is_sequence(row.cells[column] for row in rows)]


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Export:
    """Return a copy for each document of each file; the scheme is that of all files together.

    Raises BadInput with every row of another length, and where the files have different columns or none
    but tokens.
    """
    found = for_each(files, _read)
    _require_same_width(found)
    layout = _layout(found)
    read_ones = [[_annotated(document, layout) for document in each.documents] for each in found]
    documents = [[one for one, _ in each] for each in read_ones]
    faults = sum(count for each in read_ones for _, count in each)
    copies = copies_of(files, documents, options, EXTENSIONS)
    own = _are_annotators(layout, copies, options)
    return Export(
        _by_column(copies, layout) if own else copies,
        _reading(layout, faults, own=own),
        tuple(file.source for file in files),
        by_feature=True,
        default=None if own else _default(layout, copies),
    )


def _are_annotators(layout: _Layout, copies: Sequence[Copy], options: ReaderOptions) -> bool:
    """Say whether columns are annotators: everybody who is asked for is a column, and no file is theirs."""
    asked = {*(options.annotators or ())}
    return bool(asked) and asked <= {layer.name for layer in layout.layers} - {
        each.annotator for each in copies
    }


def _by_column(copies: Sequence[Copy], layout: _Layout) -> list[Copy]:
    """Return a copy for each column of each copy, whose annotator is called like the column."""
    return [
        replace(
            copy,
            annotator=layer.name,
            marks=[_tagged(mark, layer.name) for mark in copy.marks if mark.type == layer.name],
        )
        for copy in copies
        for layer in layout.layers
    ]


def _tagged(mark: ParsedMark, column: str) -> ParsedMark:
    label = mark.features.get(column)
    return replace(mark, type=TAG, features={} if label is None else {TAG: label})


def _read(file: ExportFile) -> ColumnFile:
    found = read_columns(file)
    if any(len(row.cells) < LEAST_COLUMNS for row in found.rows):
        message = "has one column where a token and its tags were expected."
        mend = "Write a token a line, then its tags, separated by a tab or space."
        raise BadInput([Problem(file.name, message=message, mend=mend)])
    return found


def _width(read: ColumnFile) -> int:
    return next((len(row.cells) for row in read.rows), 0)


def _require_same_width(found: Sequence[ColumnFile]) -> None:
    widths = {_width(each) for each in found} - {0}
    if len(widths) > 1:
        listed = ", ".join(map(str, sorted(widths)))
        mend = "Keep files with the same columns in an export."
        raise BadInput(
            Problem(
                each.file.name, message=f"has {_width(each)} columns; the files have {listed}.", mend=mend
            )
            for each in found
        )


def _layout(found: Sequence[ColumnFile]) -> _Layout:
    rows = [row for each in found for row in each.rows]
    width = max(map(_width, found), default=0)
    token = int(width > LEAST_COLUMNS and all(_is_numbered(each) for each in found))
    names = next((each.names for each in found if len(each.names) == width), ())
    layers: list[_Layer] = []
    for column in range(token + 1, width):
        name = names[column] if names else f"column {column + 1}"
        if is_sequence(row.cells[column] for row in rows):
            layers.append(_Layer(column, name, detect(_tags(found, column))))
        elif _is_tags(rows, column, token):
            layers.append(_Layer(column, name, None))
    return _Layout(token, tuple(layers))


def _is_numbered(read: ColumnFile) -> bool:
    """Say whether the first column counts the tokens of each sentence."""
    sentences = [sentence for document in read.documents for sentence in document.sentences]
    return all(
        row.cells[0] == str(number) for sentence in sentences for number, row in enumerate(sentence, 1)
    )


def _tags(found: Sequence[ColumnFile], column: int) -> Iterator[list[str]]:
    for each in found:
        for document in each.documents:
            for sentence in document.sentences:
                yield [row.cells[column] for row in sentence]


def _is_tags(rows: Sequence[ColumnLine], column: int, token: int) -> bool:
    """Say whether a column holds labels: no numbers, no lemmas, and not the same for every token."""
    values = [row.cells[column] for row in rows]
    labels = [value for value in values if value not in NO_MARK]
    same = sum(row.cells[column].casefold() == row.cells[token].casefold() for row in rows)
    numbers = all(value.lstrip("-").isdecimal() for value in labels)
    return bool(labels) and not numbers and same <= MOSTLY * len(rows) and len(set(values)) > 1


def _annotated(document: ColumnDocument, layout: _Layout) -> tuple[Annotated, int]:
    """Return a document with the marks of all layers, and how many tags their schemes do not allow."""
    text, spans = text_of(document, layout.token)
    marks: list[ParsedMark] = []
    faults = 0
    for sentence, places in zip(document.sentences, spans, strict=True):
        for layer in layout.layers:
            tags = [row.cells[layer.place] for row in sentence]
            stretches, more = _stretches(tags, layer.scheme)
            faults += more
            for start, end, label in stretches:
                features = {layer.name: label} if label else {}
                span = places[start][0], places[end - 1][1]
                marks.append(ParsedMark(layer.name, (span,), features, sentence[start].line))
    return Annotated(document.name, text, tuple(marks)), faults


def _stretches(tags: Sequence[str], scheme: Scheme | None) -> tuple[list[tuple[int, int, str]], int]:
    if scheme is not None:
        return decode(tags, scheme)
    return [(place, place + 1, tag) for place, tag in enumerate(tags) if tag not in NO_MARK], 0


def _reading(layout: _Layout, faults: int, *, own: bool) -> str:
    """Return how the files were understood; columns that are annotators are not named."""
    schemes = [f"{layer.name} in {layer.scheme}" for layer in layout.layers if layer.scheme]
    plain = [layer.name for layer in layout.layers if not layer.scheme]
    parts = [HOW, OWN_COLUMNS] if own else [HOW]
    parts += [f"Read: {', '.join(schemes)}."] if schemes and not own else []
    parts += [f"A tag each token: {', '.join(plain)}."] if plain and not own else []
    if faults:
        tags = "tag is" if faults == 1 else "tags are"
        parts.append(f"{faults:,} {tags} not as the scheme has it: what it forbids starts a mark of its own.")
    return " ".join(parts)


def _default(layout: _Layout, copies: Sequence[Copy]) -> str | None:
    """Return the last column of stretches that has marks, else the last one that has any."""
    used = {mark.type for copy in copies for mark in copy.marks}
    layers = [layer for layer in layout.layers if layer.name in used]
    stretches = [layer.name for layer in layers if layer.scheme]
    return next(iter([*stretches[::-1], *(layer.name for layer in layers[::-1])]), None)


READER = Reader(
    name="conll",
    title="CoNLL columns",
    tool="many taggers and converters",
    extensions=EXTENSIONS,
    reads=(
        "Each column of tags as a layer: IOB1, IOB2, BIOES and BILOU as stretches of tokens, others as a "
        "label each token; documents by -DOCSTART- or # newdoc."
    ),
    leaves_out=(
        "The tags _, O, - and -X-, columns of numbers, of lemmas or of one value throughout, and comments, "
        "none of which is a mark; white space of the original text, which the format does not keep."
    ),
    recognises=recognises,
    read=read,
    accompanies=accompanies,
)
