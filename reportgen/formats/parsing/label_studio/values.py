"""What one result of Label Studio is about, and what its value says."""

from collections.abc import Mapping, Sequence
from typing import Any

from reportgen.errors import BadInput
from reportgen.formats.labels import joined
from reportgen.formats.reader import ReadOptions
from reportgen.formats.records import Record, as_text, wrong_kind

Item = Mapping[str, Any]

FREE_TEXT = "free text that an annotator wrote"
MEDIA = "a region of a picture, a recording or a time series"
DIALOGUE = "a stretch of a dialogue, which is not one text"
HTML = "a stretch of HTML whose place in the text is not given"
NO_TEXT = "a stretch of a text that the export does not hold"
OTHER = "a result of a kind that is not compared"

# What only places outside texts have, and what their controls are called.
MEDIA_KEYS = ("x", "y", "points", "vertices", "rle", "sequence", "ranges", "channel", "instant")
MEDIA_TYPES = ("rectangle", "polygon", "brush", "bitmask", "ellipse", "keypoint", "vector", "video", "time")
CHOICES = ("choices", "taxonomy")
SINGLE = ("rating", "number", "datetime")


def reason_to_leave_out(item: Item, value: Mapping[str, Any]) -> str | None:
    """Return why a result is neither of a stretch of text nor of the whole document; None where it is."""
    kind = kind_of(item, value)
    if kind == "textarea":
        return FREE_TEXT
    if kind.startswith(MEDIA_TYPES) or any(key in value for key in MEDIA_KEYS) or "original_length" in item:
        return MEDIA
    if kind.startswith("paragraph"):
        return DIALOGUE
    if "start" in value:
        return _place_unknown(value)
    return None if kind in (*CHOICES, *SINGLE, "pairwise") else OTHER


def _place_unknown(value: Mapping[str, Any]) -> str | None:
    ends = [value.get("start"), value.get("end")]
    if any(isinstance(end, float) for end in ends):
        return MEDIA
    in_html = all(isinstance(end, str) for end in ends)
    return HTML if in_html and not isinstance(value.get("globalOffsets"), dict) else None


def kind_of(item: Item, value: Mapping[str, Any]) -> str:
    """Return the type of a result; in exports that do not write it, what its value holds."""
    kind = item.get("type")
    if isinstance(kind, str) and kind:
        return kind.lower()
    known = (*CHOICES, *SINGLE, "pairwise")
    found = next((key for key in value if key in known or key.endswith("labels")), None)
    return found or ("textarea" if isinstance(value.get("text"), list) else "")


def is_region(value: Mapping[str, Any]) -> bool:
    """Say whether a value is of a place in what was annotated, not of all of it."""
    return "start" in value or any(key in value for key in MEDIA_KEYS)


def is_labelled(kind: str) -> bool:
    """Say whether results of a type are regions with labels of their own."""
    return kind.endswith("labels")


def labels_of(record: Record, item: Item, value: Mapping[str, Any], options: ReadOptions) -> list[str]:
    """Return the labels of a result: each of a region's, one where several choices were made together."""
    kind = kind_of(item, value)
    said = value.get("selected" if kind == "pairwise" else kind)
    if said is None or said == []:
        return []
    if kind in CHOICES or is_labelled(kind):
        if not isinstance(said, list):
            raise BadInput([wrong_kind(record, kind, said, "a list of labels")])
        names = [_path(record, kind, each) for each in said]
        return list(dict.fromkeys(names)) if is_labelled(kind) else [joined(names, options)]
    return [as_text(said)]


def _path(record: Record, kind: str, value: object) -> str:
    """Return a label; one of a tree is written with all that stands above it."""
    if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
        return "/".join(value)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise BadInput([wrong_kind(record, kind, value, "a label")])
    return as_text(value)


def ends_of(value: Mapping[str, Any]) -> Sequence[object]:
    """Return where a stretch of text starts and ends, in UTF-16 units; of HTML, in its text."""
    place = value.get("globalOffsets") if isinstance(value.get("start"), str) else value
    return [place.get("start"), place.get("end")] if isinstance(place, dict) else [None, None]
