"""ELAN's .eaf: tiers of annotations that are aligned with time, or with annotations that are.

EAF schema 3.0 (Max Planck Institute for Psycholinguistics): an annotation has two time slots, or refers to
one of the parent tier. Slots without a value lie evenly between those that have one, and annotations that
divide a parent share its time evenly, as ELAN draws them.
"""

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from reportgen.base.errors import for_each
from reportgen.readers.reader import Export, ExportFile, Reader, ReaderOptions, Span
from reportgen.readers.tiers import Recording, Tier, TimedLabel, export_of_tiers
from reportgen.readers.xml import children, line_of, local_name, parse, root_name, text_of

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

EXTENSIONS = (".eaf",)
ROOT = "ANNOTATION_DOCUMENT"
MILLISECONDS = "milliseconds"
# About thirty years.
MOST = 10**12
READING = (
    "ELAN: a tier is a layer; a time slot without a value lies evenly between its neighbours, annotations "
    "that divide a parent share its time evenly; places are milliseconds, which figures call characters."
)
NO_TIME = "nothing says when it begins or ends"
NO_PARENT = "the annotation that it refers to is not there, or has no time"


def recognises(file: ExportFile) -> bool:
    """Say whether the root is that of an ELAN document."""
    return root_name(file) == ROOT


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Export:
    """Return each annotator's copy of each recording, which lasts as long as the last slot of any copy.

    Raises BadInput with every file that is not well-formed, or whose times are not milliseconds, and for
    paths that the option `path` does not fit.
    """
    return export_of_tiers(files, for_each(files, _recording), options, EXTENSIONS, READING)


@dataclass(frozen=True, slots=True)
class _Annotation:
    """An annotation: `first` and `second` are its slots, or its parent and the annotation before it."""

    tier: int
    id: str
    first: str
    second: str
    aligned: bool
    label: str
    line: int


def _recording(file: ExportFile) -> Recording:
    root = parse(file)
    if local_name(root) != ROOT:
        raise file.refused(f'is no ELAN document: its root is "{local_name(root)}".', "Export it from ELAN.")
    _require_milliseconds(file, root)
    slots = dict(_slots(file, root))
    elements = list(children(root, "TIER"))
    annotations = [each for number, tier in enumerate(elements) for each in _annotations(number, tier)]
    length = max((time for time in slots.values() if time is not None), default=0)
    for _, own in groupby(annotations, lambda each: each.tier):
        _interpolate([each for each in own if each.aligned], slots)
    placed: list[list[tuple[_Annotation, Span | None]]] = [[] for _ in elements]
    for each, span in zip(annotations, _spans(annotations, slots), strict=True):
        placed[each.tier].append((each, span))
    return Recording(file.name, length, _sound(root), list(map(_tier, elements, placed)))


def _require_milliseconds(file: ExportFile, root: "Element") -> None:
    for header in children(root, "HEADER"):
        unit = header.get("TIME_UNITS", MILLISECONDS)
        if unit != MILLISECONDS:
            message = f'counts time in "{unit}" where "{MILLISECONDS}" was expected.'
            raise file.refused(message, "Save it with ELAN 4 or later.", line_of(header))


def _sound(root: "Element") -> str:
    """Return the name of the first sound or film that the document is about."""
    media = (each for header in children(root, "HEADER") for each in children(header, "MEDIA_DESCRIPTOR"))
    return next((PurePosixPath(each.get("MEDIA_URL", "").replace("\\", "/")).name for each in media), "")


def _slots(file: ExportFile, root: "Element") -> Iterator[tuple[str, int | None]]:
    """Yield the time of each slot, None where it has none."""
    for order in children(root, "TIME_ORDER"):
        for slot in children(order, "TIME_SLOT"):
            value = slot.get("TIME_VALUE")
            if value is not None and not (value.isdecimal() and value.isascii() and _is_small(value)):
                message = f'has the time "{value[:20]}" where milliseconds were expected.'
                raise file.refused(message, "Save the document again in ELAN.", line_of(slot), "TIME_VALUE")
            yield slot.get("TIME_SLOT_ID", ""), None if value is None else int(value)


def _is_small(value: str) -> bool:
    return len(value) < len(str(MOST))


def _annotations(number: int, tier: "Element") -> Iterator[_Annotation]:
    for around in children(tier, "ANNOTATION"):
        for each in children(around):
            aligned = local_name(each) == "ALIGNABLE_ANNOTATION"
            names = (
                ("TIME_SLOT_REF1", "TIME_SLOT_REF2") if aligned else ("ANNOTATION_REF", "PREVIOUS_ANNOTATION")
            )
            first, second = (each.get(name, "") for name in names)
            label = "".join(map(text_of, children(each, "ANNOTATION_VALUE")))
            yield _Annotation(
                number, each.get("ANNOTATION_ID", ""), first, second, aligned, label, line_of(each)
            )


def _interpolate(annotations: Sequence[_Annotation], slots: dict[str, int | None]) -> None:
    """Give slots without a value, from which one annotation of a tier goes on to the next, an even share."""
    following = {each.first: each.second for each in annotations if slots.get(each.first) is None}
    for each in annotations:
        begin, chain = slots.get(each.first), [each.second]
        if begin is None:
            continue
        while slots.get(chain[-1]) is None and chain[-1] in following and len(chain) <= len(following):
            chain.append(following[chain[-1]])
        end = slots.get(chain[-1])
        if end is not None:
            for place, slot in enumerate(chain[:-1], 1):
                slots[slot] = _share(begin, end, place, len(chain))


def _share(begin: int, end: int, part: int, parts: int) -> int:
    """Return where a part of a stretch ends of which all parts are as long."""
    return begin + (end - begin) * part // parts


def _spans(annotations: Sequence[_Annotation], slots: Mapping[str, int | None]) -> list[Span | None]:
    """Return the time of each annotation, None where nothing says it; parents come before their children."""
    found: list[Span | None] = [None] * len(annotations)
    referring: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    waiting: deque[int] = deque()
    for place, each in enumerate(annotations):
        if not each.aligned:
            referring[each.first][each.tier].append(place)
            continue
        begin, end = slots.get(each.first), slots.get(each.second)
        if begin is not None and end is not None:
            found[place] = begin, end
            waiting.append(place)
    while waiting:
        parent = waiting.popleft()
        span = found[parent]
        for group in referring.pop(annotations[parent].id, {}).values():
            for part, place in enumerate(_in_order(group, annotations), 1):
                if span is not None:
                    begin, end = (_share(*span, each, len(group)) for each in (part - 1, part))
                    found[place] = begin, end
                    waiting.append(place)
    return found


def _in_order(group: Sequence[int], annotations: Sequence[_Annotation]) -> list[int]:
    """Return annotations of one parent, each after the one that it names; as written where that fails."""
    after = {annotations[place].second: place for place in group}
    found: list[int] = []
    name = ""
    while name in after and len(found) < len(group):
        found.append(after[name])
        name = annotations[after[name]].id
    return found if len(set(found)) == len(group) else list(group)


def _tier(element: "Element", annotations: Sequence[tuple[_Annotation, Span | None]]) -> Tier:
    return Tier(
        element.get("TIER_ID", ""),
        [TimedLabel(span, each.label, each.line) for each, span in annotations if span is not None],
        element.get("ANNOTATOR", "").strip(),
        element.get("PARTICIPANT", "").strip(),
        [(each.line, NO_TIME if each.aligned else NO_PARENT) for each, span in annotations if span is None],
    )


READER = Reader(
    name="elan",
    title="ELAN annotation document",
    tool="ELAN",
    extensions=EXTENSIONS,
    reads="Each tier as a layer: annotations with their values as stretches of time in milliseconds, those "
    "that refer to a parent in its time; where tiers name several annotators, the tier's annotator.",
    leaves_out="Annotations that nothing gives a time, or whose parent is not there; linguistic types, "
    "vocabularies and links to media, which are no marks.",
    recognises=recognises,
    read=read,
)
