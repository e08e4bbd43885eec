"""Small changes to a JSON text: every byte beside them stays, order of keys, blanks and line ends too."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

BLANK = re.compile(r"[ \t\r\n]*")
NEWLINE = re.compile(r"\r?\n")
# Numbers as they are written, so that what is compared is what stands there.
DECODER = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)


@dataclass(frozen=True)
class Item:
    """A member of an object, or an item of a list, then without a key; `start` is that of the key, if any."""

    start: int
    value_start: int
    end: int
    value: Any
    key: str | None = None


@dataclass(frozen=True)
class Container:
    """An object or a list, by the places of its brackets, with what is in it."""

    start: int
    end: int
    items: tuple[Item, ...]

    def member(self, key: str) -> Item | None:
        """Return a member by its key."""
        return next((each for each in self.items if each.key == key), None)


def container(text: str, start: int) -> Container:
    """Return the object or list that starts at a place; the text is known to be JSON."""
    named = text[start] == "{"
    items, place = [], _skip(text, start + 1)
    while text[place] not in "}]":
        items.append(_item(text, place, named=named))
        place = _skip(text, items[-1].end)
        if text[place] == ",":
            place = _skip(text, place + 1)
    return Container(start, place, tuple(items))


def _item(text: str, start: int, *, named: bool) -> Item:
    key, place = None, start
    if named:
        key, place = DECODER.raw_decode(text, start)
        place = _skip(text, _skip(text, place) + 1)
    value, end = DECODER.raw_decode(text, place)
    return Item(start, place, end, value, key)


def _skip(text: str, place: int) -> int:
    found = BLANK.match(text, place)
    return found.end() if found else place


def top(text: str) -> Container:
    """Return the object that a text is."""
    return container(text, _skip(text, 0))


def repeated(text: str, place: int) -> str | None:
    """Return the first key that stands twice in the object at a place."""
    seen: set[str | None] = set()
    for each in container(text, place).items:
        if each.key in seen:
            return each.key
        seen.add(each.key)
    return None


# Changes


def with_value(text: str, item: Item, shown: str) -> str:
    """Return the text with another value in the place of an item's."""
    return text[: item.value_start] + shown + text[item.end :]


def without(text: str, inside: Container, item: Item) -> str:
    """Return the text without an item, and without the comma that parted it from its neighbour."""
    place = inside.items.index(item)
    if place + 1 < len(inside.items):
        return text[: item.start] + text[inside.items[place + 1].start :]
    if place:
        return text[: inside.items[place - 1].end] + text[item.end :]
    return text[: inside.start + 1] + text[inside.end :]


def with_item(text: str, inside: Container, shown: str) -> str:
    """Return the text with one more item at the end of an object or a list, laid out as the last one is."""
    if not inside.items:
        return text[: inside.start + 1] + shown + text[inside.end :]
    last, lead = inside.items[-1], _lead(text, inside)
    # Before an only item on the line of its bracket stands nothing, and says nothing of what follows a comma.
    apart = lead if lead or len(inside.items) > 1 else " "
    return f"{text[: last.end]},{apart}{shown}{text[last.end :]}"


def _lead(text: str, inside: Container) -> str:
    """Return the blanks before the last item."""
    last = inside.items[-1]
    before = len(text[: last.start].rstrip(" \t\r\n"))
    return text[before : last.start]


def member(text: str, inside: Container, key: str, value: str | list[str]) -> str:
    """Return a member as the last one of an object is laid out."""
    last = inside.items[-1] if inside.items else None
    between = _between(text, last) if last else ": "
    return f"{_dumped(text, key)}{between}{shown(text, inside, value)}"


def _between(text: str, item: Item) -> str:
    """Return what stands between a member's key and its value."""
    return text[DECODER.raw_decode(text, item.start)[1] : item.value_start]


def shown(text: str, inside: Container, value: str | list[str]) -> str:
    """Return a value of a member, a list over several lines where members stand on lines of their own."""
    if isinstance(value, str):
        return _dumped(text, value)
    return _list(text, inside, [_dumped(text, each) for each in value])


def _list(text: str, inside: Container, items: list[str]) -> str:
    lead = _lead(text, inside) if inside.items else ""
    newline = NEWLINE.search(lead)
    if newline is None:
        return f"[{', '.join(items)}]"
    indent = lead.rpartition("\n")[2]
    inner = f",{newline[0]}".join(f"{indent}{_unit(text, indent)}{each}" for each in items)
    return f"[{newline[0]}{inner}{newline[0]}{indent}]"


def _unit(text: str, indent: str) -> str:
    """Return by how much a text is indented at each level: at the first one, by all of it."""
    first = _lead(text, top(text)) if top(text).items else ""
    unit = first.rpartition("\n")[2]
    return unit if "\n" in first and unit else indent


def wrapped(text: str, inside: Container, item: Item, added: list[str]) -> str:
    """Return the text with a member's single value as the first one of a list."""
    own = text[item.value_start : item.end]
    return with_value(text, item, _list(text, inside, [own, *(_dumped(text, each) for each in added)]))


def string(text: str, value: str) -> str:
    """Return a text in quotes as the file has them: with escapes where all of it is ASCII."""
    return _dumped(text, value)


def _dumped(text: str, value: str) -> str:
    return json.dumps(value, ensure_ascii=text.isascii())


def entries(value: Any) -> Iterator[Any]:  # noqa: ANN401 - any JSON value
    """Yield the values of a property that may have several."""
    yield from value if isinstance(value, list) else [value]
