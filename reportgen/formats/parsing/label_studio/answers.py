"""An annotation of a task, in whichever way it was written, and the texts that its regions are in."""

import html
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from reportgen.formats.annotations import LeftOut
from reportgen.formats.copies import State
from reportgen.formats.offsets import Utf16, covered
from reportgen.formats.parsing.label_studio.values import Item, ends_of
from reportgen.formats.records import Record

TEXT = "text"
TAG = re.compile(r"<[^<>]*>")
# So many tasks say which field of the data a control's regions are in.
ENOUGH_TASKS = 200


@dataclass(frozen=True)
class Answer:
    """What somebody did with a task: its results, and the data that were shown.

    `annotator` is empty where the file does not say whose it is.
    """

    record: Record
    document: str
    annotator: str
    data: Mapping[str, Any]
    items: Sequence[Item]
    state: State = "seen"
    role: str = "annotator"


@dataclass(frozen=True)
class Answers:
    """All that a file holds, and the control that counts where the campaign chooses none."""

    answers: Sequence[Answer]
    left_out: Sequence[LeftOut] = ()
    reading: str = ""
    default: str | None = None


@dataclass(frozen=True)
class Field:
    r"""A field of the data that holds a text, as it is, as HTML, or with "\r\n" counted as one character."""

    name: str
    is_html: bool = False
    has_one_end: bool = False

    def text(self, data: Mapping[str, Any]) -> str | None:
        """Return the text in a task's data, None where there is none."""
        found = data.get(self.name)
        if not isinstance(found, str):
            return None
        shown = _rendered(found) if self.is_html else found
        return shown.replace("\r\n", "\n") if self.has_one_end else shown


@lru_cache(maxsize=8)
def _rendered(text: str) -> str:
    return html.unescape(TAG.sub("", text))


@lru_cache(maxsize=8)
def units_of(text: str) -> Utf16:
    """Return the UTF-16 offsets of a text, which are asked for once for each region in it."""
    return Utf16(text)


@dataclass
class _Votes:
    """In which fields how many regions of a control would stand with the text that they are said to cover."""

    fitting: Counter[Field] = field(default_factory=Counter)
    fields: dict[Field, None] = field(default_factory=dict)
    tasks: int = 0

    def best(self) -> Field | None:
        """Return the field in which most fit, of those with as many the first; `text` where none fits."""
        known = sorted(self.fields, key=lambda each: (each.name != TEXT, each.is_html, each.has_one_end))
        best = max(known, key=lambda each: self.fitting[each], default=None)
        if best is not None and not self.fitting[best] and best.name != TEXT:
            return None
        return best


def find_fields(answers: Sequence[Answer]) -> dict[str, Field | None]:
    """Return for each object that regions refer to the field that holds its text, None where none does."""
    votes: dict[str, _Votes] = {}
    for answer in answers:
        regions: dict[str, list[Mapping[str, Any]]] = {}
        for item in answer.items:
            value = item.get("value")
            if isinstance(value, dict) and "start" in value and _span(value) is not None:
                regions.setdefault(target_of(item), []).append(value)
        for target, values in regions.items():
            _vote(votes.setdefault(target, _Votes()), answer.data, values)
    return {target: each.best() for target, each in votes.items()}


def target_of(item: Item) -> str:
    """Return what a result is about: the object of the labelling interface, else its own control."""
    return str(item.get("to_name") or item.get("from_name") or "")


def _vote(votes: _Votes, data: Mapping[str, Any], values: Sequence[Mapping[str, Any]]) -> None:
    votes.tasks += 1
    if votes.tasks > ENOUGH_TASKS:
        return
    for name, content in data.items():
        for one in (Field(name), Field(name, has_one_end=True), Field(name, is_html=True)):
            text = one.text(data)
            if text is None or (one.is_html and text == content):
                continue
            votes.fields[one] = None
            votes.fitting[one] += sum(_fits(value, text) for value in values)


def _span(value: Mapping[str, Any]) -> tuple[int, int] | None:
    start, end = ends_of(value)
    if isinstance(start, bool) or isinstance(end, bool):
        return None
    return (start, end) if isinstance(start, int) and isinstance(end, int) else None


def _fits(value: Mapping[str, Any], text: str) -> bool:
    span = _span(value)
    inside = units_of(text).span(*span) if span is not None and min(span) >= 0 else None
    if inside is None or inside[1] > len(text):
        return False
    written = value.get("text")
    return not isinstance(written, str) or same_cover(covered(text, [inside]), written)


def same_cover(here: str, written: str) -> bool:
    r"""Say whether a text is what Label Studio would write for it, which has "\n" for a line's end."""
    return here == written or " ".join(here.split()) == " ".join(written.replace("\\n", "\n").split())
