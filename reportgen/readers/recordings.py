"""Tiers of a recording, stretches of time with labels: Praat's TextGrids, long and short, and ELAN's .eaf."""

import re
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from itertools import chain
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem
from reportgen.readers.annotations import ExcludedMarks, Span
from reportgen.readers.layers_of_marks import ARROW
from reportgen.readers.naming import list_unreadable, name_files, split_unreadable
from reportgen.readers.reader import DocumentCopy, Export, ExportFile, ParsedMark, Reader, ReaderOptions
from reportgen.readers.untrusted import children, line_of_element, local_name, parse_xml, root_name, text_of

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


# What is between an annotator's name and that of a tier: "words@A", "A - words".
BETWEEN = r"[\s@_.:-]+"
# What a tier is called of whose name nothing is left.
NAMELESS = "tier"
OWNER = "{annotator}"


# A stretch of time in milliseconds, a point where both ends are the same, its label, and its line.
TimedLabel = tuple[Span, str, int]


@dataclass(frozen=True, slots=True)
class Tier:
    """A tier with its stretches, and who made it and who speaks in it, as far as the file says.

    `left_out` has the line and the reason of each annotation that is not used.
    """

    name: str
    stretches: Sequence[TimedLabel]
    annotator: str = ""
    participant: str = ""
    left_out: Sequence[tuple[int, str]] = ()


@dataclass(frozen=True, slots=True)
class Recording:
    """What one file says of one recording, which lasts `length` milliseconds.

    `sign` is the same in files of the same recording: its length, or the name of the sound; "" for unknown.
    """

    file: str
    length: int
    sign: str
    tiers: Sequence[Tier]


def export_of_tiers(
    files: Sequence[ExportFile],
    recordings: Sequence[Recording],
    options: ReaderOptions,
    extensions: Sequence[str],
    reading: str,
) -> Export:
    """Return each annotator's copy of each recording: a tier is a layer, a stretch a mark with its label.

    The annotator is the file's, as its path says, but for two cases. Where no path asks for annotators, and
    tiers with stretches all name one and there are several, the tier's counts. Where `annotators` declares
    names of which none is a file's, tiers are theirs that name them as participant, or at the beginning or
    the end of their own name. A layer is called without its annotator's name there. The first layer of
    intervals counts where none is chosen. Raises BadInput for paths that the option `path` does not fit.
    """
    names = name_files(files, [recording.sign for recording in recordings], options, extensions)
    by_attribute = _tiers_name_annotators(recordings, options)
    declared = options.annotators or ()
    asked = () if {name.annotator for name in names} & {*declared} else declared
    copies: list[DocumentCopy] = []
    left_out: list[ExcludedMarks] = []
    owners = [
        [_owner_and_layer(tier, asked, name.annotator, by_attribute=by_attribute) for tier in recording.tiers]
        for recording, name in zip(recordings, names, strict=True)
    ]
    for recording, name, owned in zip(recordings, names, owners, strict=True):
        layers: dict[str, list[tuple[str, Tier]]] = {}
        for tier, (annotator, layer) in zip(recording.tiers, owned, strict=True):
            layers.setdefault(annotator, []).append((layer, tier))
            left_out += [
                ExcludedMarks(recording.file, line, annotator, reason, 1) for line, reason in tier.left_out
            ]
        layers = layers or {name.annotator: []}
        copies += [_copy(recording, name.document, annotator, layers[annotator]) for annotator in layers]
    sources = tuple(file.source for file in files)
    tiers = [tier for recording in recordings for tier in recording.tiers]
    # The first layer that has stretches of some length, else the first that has marks.
    marks = [mark for copy in copies for mark in copy.marks]
    long = (mark.type for mark in marks for begin, end in mark.spans if begin < end)
    return Export(
        copies,
        reading,
        sources,
        tuple(left_out),
        by_feature=True,
        default=next(chain(long, (mark.type for mark in marks)), None),
        named=frozenset(name for tier in tiers for name in (tier.annotator, tier.participant) if name),
    )


def _tiers_name_annotators(recordings: Sequence[Recording], options: ReaderOptions) -> bool:
    if options.path is not None and OWNER in options.path:
        return False
    names = {tier.annotator for recording in recordings for tier in recording.tiers if tier.stretches}
    return "" not in names and len(names) >= 2


def _owner_and_layer(
    tier: Tier, asked: Sequence[str], otherwise: str, *, by_attribute: bool
) -> tuple[str, str]:
    """Return whose a tier is, else the file's annotator, and what it is called without that name."""
    name = " ".join(tier.name.split()).replace(ARROW, "→")
    if by_attribute and tier.annotator:
        return tier.annotator, _without_annotator(name, tier.annotator)
    # The longest name first: "words@Anna B" is not B's.
    for who in sorted(asked, key=len, reverse=True):
        if who == tier.participant or _without_annotator(name, who) != name:
            return who, _without_annotator(name, who)
    return otherwise, _without_annotator(name, otherwise)


def _without_annotator(name: str, who: str) -> str:
    """Return a tier's name without the annotator's at its beginning or end."""
    own = re.escape(who)
    return re.sub(rf"^{own}{BETWEEN}(?=.)|(?<=.){BETWEEN}{own}$", "", name) if name != who else NAMELESS


def _copy(
    recording: Recording, document: str, annotator: str, layers: Sequence[tuple[str, Tier]]
) -> DocumentCopy:
    """Return an annotator's copy of a recording: seen in the layers of which the annotator has a tier."""
    marks = [
        ParsedMark(layer, (span,), {layer: label}, line)
        for layer, tier in layers
        for span, label, line in tier.stretches
    ]
    asked = frozenset(layer for layer, _ in layers)
    return DocumentCopy(
        document, annotator, recording.file, marks=marks, asked=asked, length=recording.length
    )


# Praat's TextGrids: tiers of labelled intervals, which tile the recording, and of points. Praat reads texts,
# numbers and flags that stand free and passes over everything else, so that both ways of writing are the same
# sequence of values (Praat manual, "TextGrid file formats").

TEXTGRID_EXTENSIONS = (".textgrid",)
HEAD = 200
TEXT_FILE, BINARY_FILE, CHRONOLOGICAL = "ooTextFile", "ooBinaryFile", "Praat chronological TextGrid text file"
TEXT_GRID = "TextGrid"
INTERVALS, POINTS = "IntervalTier", "TextTier"
EXISTS = "<exists>"
TOKEN = re.compile(r'(?P<comment>!.*)|(?P<text>"(?:[^"]|"")*")|(?P<flag><\w+>)|(?P<word>[^\s"]+|")')
NUMBER = re.compile(r"[-+]?\d{1,20}(?:\.\d*)?(?:[eE][-+]?\d{1,3})?")
QUOTED, FLAG = re.compile(r'".*"', re.DOTALL), re.compile("<.*", re.DOTALL)
# About thirty years.
MOST_SECONDS = 10**9
# By how many milliseconds copies of a recording may differ in length: tools round, and cut the last frame.
SAME_LENGTH = 1000
TEXTGRID_READING = (
    "Praat TextGrid: a tier is a layer, an interval without a label is not a mark; places are milliseconds."
)
AS_TEXT = 'Save it in Praat with "Save as text file…".'
EXPORT_AGAIN = "Open the file in Praat, and save it again."


def recognises_textgrid(file: ExportFile) -> bool:
    """Say whether the file begins as Praat begins a TextGrid, also in the forms that are refused."""
    head = _head(file)
    return CHRONOLOGICAL in head or (TEXT_GRID in head and (TEXT_FILE in head or BINARY_FILE in head))


def _head(file: ExportFile) -> str:
    """Return how the file begins, as far as it is in letters of ASCII."""
    return file.content[:HEAD].replace(b"\0", b"").decode("ascii", "replace")


def read_textgrid(files: Sequence[ExportFile], options: ReaderOptions) -> Export:
    """Return each annotator's copy of each recording; times are rounded to milliseconds.

    A few faulty files are left out, with a warning. Where there are more, raises BadInput with every one
    that is no whole TextGrid; also with copies of a recording that differ by more
    than a second in length, and for paths that the option `path` does not fit.
    """
    own, recordings, faulty = split_unreadable(files, _of_textgrid)
    export = export_of_tiers(own, recordings, options, TEXTGRID_EXTENSIONS, TEXTGRID_READING)
    export = list_unreadable(replace(export, sources=tuple(file.source for file in files)), faulty)
    first: dict[str, DocumentCopy] = {}
    problems: list[Problem] = []
    for copy in export.copies:
        first_copy = first.setdefault(copy.document, copy)
        here, there = copy.length or 0, first_copy.length or 0
        if abs(here - there) > SAME_LENGTH:
            message = (
                f"lasts {here:,} milliseconds, and {first_copy.file}, "
                f'which is of document "{copy.document}" too, {there:,}.'
            )
            remedy = "Recordings that differ need names that differ."
            problems.append(Problem(copy.file, message=message, remedy=remedy))
    if problems:
        raise BadInput(problems)
    return export


class _FreeStandingValues:
    """The values of a file, one after another: texts, numbers, flags, each with its line."""

    def __init__(self, file: ExportFile) -> None:
        """Begin before the first value."""
        self._file = file
        self._remaining = self._values()
        self.line = 1

    def _values(self) -> Iterator[str]:
        text, position = self._file.text, 0
        for match in TOKEN.finditer(text):
            self.line += text.count("\n", position, match.start())
            position = match.start()
            value = match[0]
            if match["text"] or match["flag"] or value == '"' or NUMBER.fullmatch(value):
                yield value

    def refused(self, value: str, what: str) -> BadInput:
        """Return the error for a value where another was expected."""
        return self._file.refused(f"has {value[:40]} where {what} was expected.", EXPORT_AGAIN, self.line)

    def _next(self, what: str, form: "re.Pattern[str]") -> str:
        value = next(self._remaining, None)
        if value is None:
            raise self._file.refused(f"ends where {what} was expected.", EXPORT_AGAIN, self.line)
        if not form.fullmatch(value):
            raise self.refused(value, what)
        return value

    def text(self, what: str, *allowed: str) -> str:
        """Return the next value, which has to be a text, without its quotes; one of those known, if any."""
        value = self._next(what, QUOTED)
        if allowed and value[1:-1] not in allowed:
            raise self.refused(value, what)
        return value[1:-1].replace('""', '"')

    def exists(self) -> bool:
        """Return whether the next value, which has to be a flag, is <exists>."""
        return self._next(EXISTS, FLAG) == EXISTS

    def number(self, what: str) -> Decimal:
        """Return the next value, which has to be a number that can be one of seconds."""
        value = self._next(what, NUMBER)
        if abs(number := Decimal(value)) > MOST_SECONDS:
            raise self.refused(value, what)
        return number

    def count(self, what: str) -> int:
        """Return the next value, which has to say how many of something follow."""
        number = self.number(what)
        if number < 0 or number != int(number):
            raise self.refused(str(number), what)
        return int(number)

    def milliseconds(self, what: str) -> int:
        """Return the next value, which has to be a time in seconds, in milliseconds."""
        return int((self.number(what) * 1000).to_integral_value(ROUND_HALF_UP))

    def end(self) -> None:
        """Raise BadInput where a value follows: it would be lost."""
        if (value := next(self._remaining, None)) is not None:
            raise self.refused(value, "the end of the file")


def _of_textgrid(file: ExportFile) -> Recording:
    head = _head(file)
    for form, kind in ((BINARY_FILE, "a binary"), (CHRONOLOGICAL, "a chronological")):
        if form in head:
            raise file.refused(f"is {kind} TextGrid.", AS_TEXT)
    values = _FreeStandingValues(file)
    for expected in (TEXT_FILE, TEXT_GRID):
        values.text(f'"{expected}"', expected)
    begin, end = values.number("the beginning"), values.milliseconds("the end")
    count = values.count("the number of tiers") if values.exists() else 0
    tiers = [_textgrid_tier(values, number) for number in range(1, count + 1)]
    values.end()
    ends = [end, *(own_end for _, own_end in tiers)]
    return Recording(file.name, max(ends), f"{begin.normalize()}-{end}", [tier for tier, _ in tiers])


def _textgrid_tier(values: _FreeStandingValues, number: int) -> tuple[Tier, int]:
    """Return a tier, and where it ends."""
    kind = values.text("the class of a tier")
    if kind not in (INTERVALS, POINTS):
        raise values.refused(f'"{kind}"', f'"{INTERVALS}" or "{POINTS}"')
    name = values.text("the name of a tier").strip() or f"{NAMELESS} {number}"
    values.number("the beginning of a tier")
    end = values.milliseconds("the end of a tier")
    count = values.count("the number of intervals or points")
    stretches: list[TimedLabel] = []
    for _ in range(count):
        what = "the beginning of an interval" if kind == INTERVALS else "the time of a point"
        first, line = values.milliseconds(what), values.line
        last = values.milliseconds("the end of an interval") if kind == INTERVALS else first
        label = values.text("the label of an interval" if kind == INTERVALS else "the label of a point")
        # Intervals tile the recording, and one without a label is a gap; a point somebody set there.
        if label.strip() or kind == POINTS:
            stretches.append(((first, last), label, line))
    return Tier(name, stretches), end


TEXTGRID_READER = Reader(
    name="textgrid",
    title="Praat TextGrid, long or short",
    tool="Praat, MAUS, Montreal Forced Aligner",
    extensions=TEXTGRID_EXTENSIONS,
    reads=(
        "Each tier is a layer: labelled intervals are stretches of time in milliseconds, points are "
        "marks without length."
    ),
    leaves_out=(
        "Intervals without a label, because they are gaps between marks. Binary and chronological "
        "TextGrids have to be saved again as text."
    ),
    recognises=recognises_textgrid,
    read=read_textgrid,
    says=(TEXTGRID_READING,),
)


# ELAN's .eaf: tiers of annotations that are aligned with time, or with annotations that are. EAF schema 3.0
# (Max Planck Institute for Psycholinguistics): an annotation has two time slots, or refers to one of the
# parent tier. Slots without a value lie evenly between those that have one, and annotations that divide a
# parent share its time evenly, as ELAN draws them.

ELAN_EXTENSIONS = (".eaf",)
ROOT = "ANNOTATION_DOCUMENT"
MILLISECONDS = "milliseconds"
# Up to about thirty years.
MILLISECOND = re.compile("[0-9]{1,12}")
ELAN_READING = (
    "ELAN: a tier is a layer; a time slot without a value lies evenly between its neighbours, annotations "
    "that divide a parent share its time evenly; places are milliseconds."
)
NO_TIME = "nothing says when it begins or ends"
NO_PARENT = "the annotation that it refers to is not there, or has no time"


def recognises_elan(file: ExportFile) -> bool:
    """Say whether the root is that of an ELAN document."""
    return root_name(file) == ROOT


def read_elan(files: Sequence[ExportFile], options: ReaderOptions) -> Export:
    """Return each annotator's copy of each recording, which lasts as long as the last slot of any copy.

    A few faulty files are left out, with a warning. Where there are more, raises BadInput with every one that
    is not well-formed or whose times are not milliseconds; also for paths that `path` does not fit.
    """
    own, recordings, faulty = split_unreadable(files, _of_elan)
    export = export_of_tiers(own, recordings, options, ELAN_EXTENSIONS, ELAN_READING)
    return list_unreadable(replace(export, sources=tuple(file.source for file in files)), faulty)


@dataclass(slots=True, eq=False)
class _Annotation:
    """An annotation: `first` and `second` are its slots, or its parent and the annotation before it.

    `span` is its time, None where nothing says it.
    """

    id: str
    first: str
    second: str
    aligned: bool
    label: str
    line: int
    span: Span | None = None


def _of_elan(file: ExportFile) -> Recording:
    root = parse_xml(file)
    if local_name(root) != ROOT:
        raise file.refused(f'is no ELAN document: its root is "{local_name(root)}".', "Export it from ELAN.")
    for header in root.iterfind("{*}HEADER"):
        unit = header.get("TIME_UNITS", MILLISECONDS)
        if unit != MILLISECONDS:
            message = f'counts time in "{unit}" where "{MILLISECONDS}" was expected.'
            raise file.refused(message, "Save it with ELAN 4 or later.", line_of_element(header))
    # The first sound or film that the document is about.
    medium = root.find("{*}HEADER/{*}MEDIA_DESCRIPTOR")
    url = "" if medium is None else medium.get("MEDIA_URL", "")
    slots = dict(_slots(file, root))
    length = max((time for time in slots.values() if time is not None), default=0)
    elements = list(root.iterfind("{*}TIER"))
    tiers = [list(_annotations(element)) for element in elements]
    for annotations in tiers:
        _interpolate([annotation for annotation in annotations if annotation.aligned], slots)
    _set_times(tiers, slots)
    sound = PurePosixPath(url.replace("\\", "/")).name
    return Recording(file.name, length, sound, list(map(_elan_tier, elements, tiers)))


def _slots(file: ExportFile, root: "Element") -> Iterator[tuple[str, int | None]]:
    """Yield the time of each slot, None where it has none."""
    for slot in root.iterfind("{*}TIME_ORDER/{*}TIME_SLOT"):
        time = slot.get("TIME_VALUE")
        if time is not None and not MILLISECOND.fullmatch(time):
            message = f'has the time "{time[:20]}" where milliseconds were expected.'
            raise file.refused(
                message, "Save the document again in ELAN.", line_of_element(slot), "TIME_VALUE"
            )
        yield slot.get("TIME_SLOT_ID", ""), None if time is None else int(time)


def _annotations(tier: "Element") -> Iterator[_Annotation]:
    for element in tier.iterfind("{*}ANNOTATION/*"):
        aligned = local_name(element) == "ALIGNABLE_ANNOTATION"
        ends = ("TIME_SLOT_REF1", "TIME_SLOT_REF2") if aligned else ("ANNOTATION_REF", "PREVIOUS_ANNOTATION")
        name, first, second = (element.get(key, "") for key in ("ANNOTATION_ID", *ends))
        label = "".join(map(text_of, children(element, "ANNOTATION_VALUE")))
        yield _Annotation(name, first, second, aligned, label, line_of_element(element))


def _interpolate(annotations: Sequence[_Annotation], slots: dict[str, int | None]) -> None:
    """Give slots without a value, from which one annotation of a tier goes on to the next, an even share."""
    untimed = [annotation for annotation in annotations if slots.get(annotation.first) is None]
    following = {annotation.first: annotation.second for annotation in untimed}
    for annotation in annotations:
        begin, path = slots.get(annotation.first), [annotation.second]
        if begin is None:
            continue
        while slots.get(path[-1]) is None and path[-1] in following and len(path) <= len(following):
            path.append(following[path[-1]])
        end = slots.get(path[-1])
        if end is not None:
            for part, slot in enumerate(path[:-1], 1):
                slots[slot] = _share(begin, end, part, len(path))


def _share(begin: int, end: int, part: int, parts: int) -> int:
    """Return where a part of a stretch ends of which all parts are as long."""
    return begin + (end - begin) * part // parts


def _set_times(tiers: Sequence[Sequence[_Annotation]], slots: Mapping[str, int | None]) -> None:
    """Give annotations their times as far as something says them; parents come before their children."""
    referring: dict[str, dict[int, list[_Annotation]]] = defaultdict(lambda: defaultdict(list))
    waiting: deque[tuple[str, Span]] = deque()
    for number, annotations in enumerate(tiers):
        for annotation in annotations:
            begin, end = slots.get(annotation.first), slots.get(annotation.second)
            if not annotation.aligned:
                referring[annotation.first][number].append(annotation)
            elif begin is not None and end is not None:
                annotation.span = begin, end
                waiting.append((annotation.id, annotation.span))
    while waiting:
        parent, (begin, end) = waiting.popleft()
        for siblings in referring.pop(parent, {}).values():
            # Annotations of one parent, each after the one that it names; as written where that fails.
            after = {annotation.second: annotation for annotation in siblings}
            ordered: list[_Annotation] = []
            name = ""
            while name in after and len(ordered) < len(siblings):
                ordered.append(after[name])
                name = ordered[-1].id
            for part, annotation in enumerate(ordered if len(set(ordered)) == len(siblings) else siblings):
                first, last = (_share(begin, end, edge, len(siblings)) for edge in (part, part + 1))
                annotation.span = first, last
                waiting.append((annotation.id, annotation.span))


def _elan_tier(element: "Element", annotations: Sequence[_Annotation]) -> Tier:
    stretches: list[TimedLabel] = []
    left_out: list[tuple[int, str]] = []
    for annotation in annotations:
        if annotation.span is not None:
            stretches.append((annotation.span, annotation.label, annotation.line))
        else:
            left_out.append((annotation.line, NO_TIME if annotation.aligned else NO_PARENT))
    annotator, participant = (element.get(name, "").strip() for name in ("ANNOTATOR", "PARTICIPANT"))
    return Tier(element.get("TIER_ID", ""), stretches, annotator, participant, left_out)


ELAN_READER = Reader(
    name="elan",
    title="ELAN annotation document",
    tool="ELAN",
    extensions=ELAN_EXTENSIONS,
    reads=(
        "Each tier is a layer: annotations are stretches of time in milliseconds, with their values; "
        "an annotation that refers to a parent has the parent's time. If tiers name several "
        "annotators, each tier belongs to its annotator."
    ),
    leaves_out=(
        "Annotations that have no time, or whose parent is missing; linguistic types, vocabularies "
        "and links to media, because they are not marks."
    ),
    recognises=recognises_elan,
    read=read_elan,
    says=(ELAN_READING, NO_TIME, NO_PARENT),
)
