"""The fields of the annotation in a publisher's croissant.json."""

import json
import re
from collections.abc import Sequence
from typing import Any

from reportgen.base.dataclass import dataclass
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
        return next((item for item in self.items if item.key == key), None)


def container(text: str, start: int) -> Container:
    """Return the object or list that starts at a place; the text is known to be JSON."""
    items, position = list[Item](), _skip(text, start + 1)
    while text[position] not in "}]":
        key, begin = None, position
        if text[start] == "{":
            key, position = DECODER.raw_decode(text, position)
            position = _skip(text, _skip(text, position) + 1)
        value, end = DECODER.raw_decode(text, position)
        items.append(Item(begin, position, end, value, key))
        position = _skip(text, end)
        if text[position] == ",":
            position = _skip(text, position + 1)
    return Container(start, position, tuple(items))


def _skip(text: str, position: int) -> int:
    match = BLANK.match(text, position)
    return match.end() if match else position


def top(text: str) -> Container:
    """Return the object that a text is."""
    return container(text, _skip(text, 0))


# Changes


def with_value(text: str, item: Item, shown: str) -> str:
    """Return the text with another value in the place of an item's."""
    return text[: item.value_start] + shown + text[item.end :]


def without(text: str, inside: Container, item: Item) -> str:
    """Return the text without an item, and without the comma that parted it from its neighbour."""
    index = inside.items.index(item)
    if index + 1 < len(inside.items):
        return text[: item.start] + text[inside.items[index + 1].start :]
    if index:
        return text[: inside.items[index - 1].end] + text[item.end :]
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


def put(text: str, key: str, value: str | list[str] | None) -> str:
    """Return the text with a member added to the whole object, changed, or without a value removed."""
    inside = top(text)
    item = inside.member(key)
    if item is None:
        return with_item(text, inside, _member(text, inside, key, value)) if value else text
    if not value:
        return without(text, inside, item)
    return text if item.value == value else with_value(text, item, _shown(text, inside, value))


def _member(text: str, inside: Container, key: str, value: str | list[str]) -> str:
    """Return a member laid out as the last one of an object is."""
    between = ": "
    if inside.items:
        last = inside.items[-1]
        between = text[DECODER.raw_decode(text, last.start)[1] : last.value_start]
    return f"{_dumped(text, key)}{between}{_shown(text, inside, value)}"


def _shown(text: str, inside: Container, value: str | list[str]) -> str:
    """Return a value of a member, a list over several lines where members have lines of their own."""
    if isinstance(value, str):
        return _dumped(text, value)
    return _list(text, inside, [_dumped(text, text_of_item) for text_of_item in value])


def _list(text: str, inside: Container, items: list[str]) -> str:
    lead = _lead(text, inside) if inside.items else ""
    newline = NEWLINE.search(lead)
    if newline is None:
        return f"[{', '.join(items)}]"
    indent = lead.rpartition("\n")[2]
    # A text is indented at each level as at the first one, else by all of it.
    first = _lead(text, top(text)) if top(text).items else ""
    unit = ("\n" in first and first.rpartition("\n")[2]) or indent
    inner = f",{newline[0]}".join(f"{indent}{unit}{item}" for item in items)
    return f"[{newline[0]}{inner}{newline[0]}{indent}]"


def wrapped(text: str, item: Item, added: list[str]) -> str:
    """Return the text with a member's single value as the first one of a list."""
    own = text[item.value_start : item.end]
    return with_value(
        text, item, _list(text, top(text), [own, *(_dumped(text, text_of_item) for text_of_item in added)])
    )


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
    done = Merged(_conforming(_with_prefix(text, name), offered.conforms))
    for field in sorted(croissant.NAMES):
        _put(done, field, offered, replace=replace)
    return done


def _with_prefix(text: str, name: str) -> str:
    """Return the text with the vocabulary's prefix; raise BadInput where it can't be changed by its keys."""
    dataset = top(text)
    item = dataset.member(CONTEXT)
    if item is None or not isinstance(item.value, dict):
        message = f'"{CONTEXT}" is not an object; Croissant has one, with its prefixes.'
        raise refused(name, 0, CONTEXT, message, "Take over the context of the Croissant standard.")
    context = container(text, item.value_start)
    for container_of_keys in (dataset, context):
        _refuse_repeated(text, container_of_keys, name)
    prefix = context.member(croissant.PREFIX)
    if prefix is None:
        return with_item(text, context, _member(text, context, croissant.PREFIX, croissant.VOCABULARY))
    if prefix.value != croissant.VOCABULARY:
        line = text.count("\n", 0, prefix.start) + 1
        message = f"the prefix means something other than {croissant.VOCABULARY}."
        raise refused(name, line, f"{CONTEXT}.{croissant.PREFIX}", message, "Rename that prefix.")
    return text


def _refuse_repeated(text: str, inside: Container, name: str) -> None:
    """Raise BadInput where an object has a key twice."""
    last = {item.key: item.start for item in inside.items}
    keys = set[str | None]()
    for item in inside.items:
        if item.key in keys:
            line = text.count("\n", 0, last[item.key]) + 1
            raise refused(name, line, item.key or "", "is there twice.", "Keep one of the two.")
        keys.add(item.key)


def _conforming(text: str, conforms: Sequence[str]) -> str:
    """Return the text with the vocabulary among what the file conforms to."""
    item = next(filter(None, map(top(text).member, CONFORMS)), None)
    if item is None:
        return put(text, CONFORMS[0], list(conforms))
    if any(_address(address) == croissant.CONFORMS for address in entries(item.value)):
        return text
    if isinstance(item.value, str):
        return wrapped(text, item, [croissant.CONFORMS])
    plain = _dumped(text, croissant.CONFORMS)
    node = f'{{"@id": {plain}}}'
    if not isinstance(item.value, list):
        return with_value(text, item, f"[{text[item.value_start : item.end]}, {node}]")
    as_nodes = any(isinstance(entry, dict) for entry in item.value)
    return with_item(text, container(text, item.value_start), node if as_nodes else plain)


def _address(value: Any) -> str:  # noqa: ANN401 - any JSON value
    shown = value.get("@id") if isinstance(value, dict) else value
    return str(shown).replace("https://", "http://", 1).rstrip("/")


# One field


def _put(done: Merged, field: str, offered: Offered, *, replace: bool) -> None:
    """Put one field into the text, or note why it is left as it is."""
    value, item = offered.fields.get(field), top(done.text).member(field)
    statements = entries(item.value) if item else []
    ours = all(campaign_of(statement) == offered.campaign for statement in statements)
    single = field in croissant.ONE
    if item and (not all(isinstance(statement, str) for statement in statements) or (single and not ours)):
        if replace and value:
            done.text = put(done.text, field, value)
        elif value and value != item.value:
            own, would = (json.dumps(entry, ensure_ascii=False) for entry in (item.value, value))
            done.kept.append(f"{field} is there already and stays: {own}. The report would say: {would}")
    elif single or item is None:
        done.text = put(done.text, field, value)
    else:
        done.text = _several(done.text, item, [value] if isinstance(value, str) else value or [], offered)


def _several(text: str, item: Item, value: list[str], offered: Offered) -> str:
    """Return the text with an earlier report's statements taken out, and those of this one added."""
    statements, key = entries(item.value), str(item.key)
    old = [
        statement
        for statement in statements
        if campaign_of(statement) == offered.campaign and statement not in value
    ]
    new = [statement for statement in value if statement not in statements]
    if not isinstance(item.value, list):
        if old:
            return put(text, key, value)
        return wrapped(text, item, new) if new else text
    for statement in new:
        text = with_item(text, _list_of(text, item), _dumped(text, statement))
    for statement in old:
        inside = _list_of(text, item)
        text = without(
            text, inside, next(candidate for candidate in inside.items if candidate.value == statement)
        )
    return put(text, key, None) if old and not _list_of(text, item).items else text


def _list_of(text: str, item: Item) -> Container:
    """Return the list that a member is, which may have changed behind its beginning."""
    return container(text, item.value_start)
