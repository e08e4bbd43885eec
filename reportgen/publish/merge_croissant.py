"""The fields of the annotation in a publisher's croissant.json."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reportgen.base.errors import refused
from reportgen.publish import croissant
from reportgen.publish.bundle_files import Merged, Offered, campaign_of

# Small changes to a JSON text: every byte beside them stays, order of keys, blanks and line ends too.

BLANK = re.compile(r"[ \t\r\n]*")
NEWLINE = re.compile(r"\r?\n")
# Numbers as they are written, so that what is compared is what is there.
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
    """Return the first key that is twice in the object at a place."""
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
    # Nothing before an only item on the line of its bracket says anything of what follows a comma.
    apart = lead if lead or len(inside.items) > 1 else " "
    return f"{text[: last.end]},{apart}{shown}{text[last.end :]}"


def _lead(text: str, inside: Container) -> str:
    """Return the blanks before the last item."""
    last = inside.items[-1]
    before = len(text[: last.start].rstrip(" \t\r\n"))
    return text[before : last.start]


def member(text: str, inside: Container, key: str, value: str | list[str]) -> str:
    """Return a member as the last one of an object is laid out."""
    between = ": "
    if inside.items:
        last = inside.items[-1]
        between = text[DECODER.raw_decode(text, last.start)[1] : last.value_start]
    return f"{_dumped(text, key)}{between}{shown(text, inside, value)}"


def shown(text: str, inside: Container, value: str | list[str]) -> str:
    """Return a value of a member, a list over several lines where members have lines of their own."""
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


def _dumped(text: str, value: str) -> str:
    """Return a text in quotes as the file has them: with escapes where all of it is ASCII."""
    return json.dumps(value, ensure_ascii=text.isascii())


def entries(value: Any) -> list[Any]:  # noqa: ANN401 - any JSON value
    """Return the values of a property that may have several."""
    return value if isinstance(value, list) else [value]


# The fields of the annotation in a publisher's croissant.json.

CONFORMS = ("conformsTo", "dct:conformsTo")
CONTEXT = "@context"


def merged(text: str, offered: Offered, name: str, *, replace: bool) -> Merged:
    """Return a Croissant file with the fields of a report; what is the publisher's own stays."""
    _check(text, name)
    done = Merged(_with_prefix(text, name))
    done.text = _conforming(done.text, offered.conforms)
    for field in sorted(croissant.NAMES):
        _put(done, field, offered, replace=replace)
    return done


def _check(text: str, name: str) -> None:
    """Raise BadInput where a text is no JSON object that can be changed by its keys."""
    start = top(text).start
    context = top(text).member(CONTEXT)
    if context is None or not isinstance(context.value, dict):
        message = f'"{CONTEXT}" is no object; Croissant has one, with its prefixes.'
        raise refused(name, 0, CONTEXT, message, "Take over the context of the Croissant standard.")
    for place in (start, context.value_start):
        if key := repeated(text, place):
            line = text.count("\n", 0, _last(text, place, key)) + 1
            raise refused(name, line, key, "is there twice.", "Keep one of the two.")


def _last(text: str, place: int, key: str) -> int:
    return [each.start for each in container(text, place).items if each.key == key][-1]


def _with_prefix(text: str, name: str) -> str:
    """Return the text with the vocabulary's prefix in its context."""
    item = _member(text, CONTEXT)
    inside = container(text, item.value_start)
    known = inside.member(croissant.PREFIX)
    if known is None:
        return with_item(text, inside, member(text, inside, croissant.PREFIX, croissant.VOCABULARY))
    if known.value != croissant.VOCABULARY:
        line = text.count("\n", 0, known.start) + 1
        message = f"the prefix means something other than {croissant.VOCABULARY}."
        raise refused(name, line, f"{CONTEXT}.{croissant.PREFIX}", message, "Rename that prefix.")
    return text


def _member(text: str, key: str) -> Item:
    found = top(text).member(key)
    if found is None:
        raise KeyError(key)
    return found


def _conforming(text: str, conforms: Sequence[str]) -> str:
    """Return the text with the vocabulary among what the file conforms to."""
    inside = top(text)
    item = next(filter(None, map(inside.member, CONFORMS)), None)
    if item is None:
        return with_item(text, inside, member(text, inside, CONFORMS[0], list(conforms)))
    if any(_address(each) == croissant.CONFORMS for each in entries(item.value)):
        return text
    if isinstance(item.value, str):
        return wrapped(text, inside, item, [croissant.CONFORMS])
    plain = _dumped(text, croissant.CONFORMS)
    node = f'{{"@id": {plain}}}'
    if not isinstance(item.value, list):
        return with_value(text, item, f"[{text[item.value_start : item.end]}, {node}]")
    as_nodes = any(isinstance(each, dict) for each in item.value)
    return with_item(text, container(text, item.value_start), node if as_nodes else plain)


def _address(value: Any) -> str:  # noqa: ANN401 - any JSON value
    shown = value.get("@id") if isinstance(value, dict) else value
    return str(shown).replace("https://", "http://", 1).rstrip("/")


# One field


def _put(done: Merged, field: str, offered: Offered, *, replace: bool) -> None:
    """Put one field into the text, or note why it is left as it is."""
    value = offered.fields.get(field)
    inside = top(done.text)
    item = inside.member(field)
    if item is None:
        if value:
            done.text = with_item(done.text, inside, member(done.text, inside, field, value))
        return
    own = entries(item.value)
    ours = all(campaign_of(each) == offered.campaign for each in own)
    if not all(isinstance(each, str) for each in own) or (field in croissant.ONE and not ours):
        _conflict(done, inside, item, value, replace=replace)
    elif field in croissant.ONE:
        done.text = _single(done.text, inside, item, value)
    else:
        done.text = _several(done.text, item, [value] if isinstance(value, str) else value or [], offered)


def _conflict(
    done: Merged, inside: Container, item: Item, value: str | list[str] | None, *, replace: bool
) -> None:
    if not value or value == item.value:
        return
    if replace:
        done.text = with_value(done.text, item, shown(done.text, inside, value))
        return
    own, ours = (json.dumps(each, ensure_ascii=False) for each in (item.value, value))
    done.kept.append(f"{item.key} is there already and stays: {own}. The report would say: {ours}")


def _single(text: str, inside: Container, item: Item, value: str | list[str] | None) -> str:
    if not value:
        return without(text, inside, item)
    return text if item.value == value else with_value(text, item, shown(text, inside, value))


def _several(text: str, item: Item, value: list[str], offered: Offered) -> str:
    """Return the text with an earlier report's statements taken out, and those of this one added."""
    known = entries(item.value)
    old = [each for each in known if campaign_of(each) == offered.campaign and each not in value]
    new = [each for each in value if each not in known]
    if not isinstance(item.value, list):
        if old:
            return _single(text, top(text), item, value)
        return wrapped(text, top(text), item, new) if new else text
    key = str(item.key)
    for each in new:
        text = with_item(text, _list_of(text, key), _dumped(text, each))
    for each in old:
        items = _list_of(text, key)
        text = without(text, items, next(known for known in items.items if known.value == each))
    emptied = _member(text, key)
    return text if emptied.value or not old else without(text, top(text), emptied)


def _list_of(text: str, key: str) -> Container:
    return container(text, _member(text, key).value_start)
