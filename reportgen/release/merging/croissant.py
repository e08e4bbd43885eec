"""The fields of the annotation in a publisher's croissant.json."""

import json
from collections.abc import Sequence
from typing import Any

from reportgen.errors import BadInput, Problem
from reportgen.release import rai
from reportgen.release.merging.json_text import (
    Container,
    Item,
    container,
    entries,
    member,
    repeated,
    shown,
    string,
    top,
    with_item,
    with_value,
    without,
    wrapped,
)
from reportgen.release.merging.outcome import Merged, Offered
from reportgen.release.signature import campaign_of

CONFORMS = ("conformsTo", "dct:conformsTo")
CONTEXT = "@context"


def merged(text: str, offered: Offered, name: str, *, replace: bool) -> Merged:
    """Return a Croissant file with the fields of a report; what is the publisher's own stays."""
    _check(text, name)
    done = Merged(_with_prefix(text, name))
    done.text = _conforming(done.text, offered.conforms)
    for field in sorted(rai.NAMES):
        _put(done, field, offered, replace=replace)
    return done


def _check(text: str, name: str) -> None:
    """Raise BadInput where a text is no JSON object that can be changed by its keys."""
    start = top(text).start
    context = top(text).member(CONTEXT)
    if context is None or not isinstance(context.value, dict):
        message = f'"{CONTEXT}" is no object; Croissant has one, with its prefixes.'
        raise BadInput(
            [Problem(name, 0, CONTEXT, message, "Take over the context of the Croissant standard.")]
        )
    for place in (start, context.value_start):
        if key := repeated(text, place):
            line = text.count("\n", 0, _last(text, place, key)) + 1
            raise BadInput([Problem(name, line, key, "stands there twice.", "Keep one of the two.")])


def _last(text: str, place: int, key: str) -> int:
    return [each.start for each in container(text, place).items if each.key == key][-1]


def _with_prefix(text: str, name: str) -> str:
    """Return the text with the vocabulary's prefix in its context."""
    item = _member(text, CONTEXT)
    inside = container(text, item.value_start)
    known = inside.member(rai.PREFIX)
    if known is None:
        return with_item(text, inside, member(text, inside, rai.PREFIX, rai.VOCABULARY))
    if known.value != rai.VOCABULARY:
        line = text.count("\n", 0, known.start) + 1
        message = f"the prefix stands for something else than {rai.VOCABULARY}."
        raise BadInput([Problem(name, line, f"{CONTEXT}.{rai.PREFIX}", message, "Rename that prefix.")])
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
    if any(_address(each) == rai.CONFORMS for each in entries(item.value)):
        return text
    if not isinstance(item.value, list):
        added = [rai.CONFORMS]
        return wrapped(text, inside, item, added) if isinstance(item.value, str) else _beside(text, item)
    items = container(text, item.value_start)
    as_nodes = any(isinstance(each, dict) for each in item.value)
    return with_item(text, items, _node(text) if as_nodes else string(text, rai.CONFORMS))


def _beside(text: str, item: Item) -> str:
    own = text[item.value_start : item.end]
    return with_value(text, item, f"[{own}, {_node(text)}]")


def _node(text: str) -> str:
    return f'{{"@id": {string(text, rai.CONFORMS)}}}'


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
    if not _is_text(item.value) or (field in rai.ONE and not _is_ours(item.value, offered)):
        _conflict(done, inside, item, value, replace=replace)
    elif field in rai.ONE:
        done.text = _single(done.text, inside, item, value)
    else:
        done.text = _several(done.text, item, [value] if isinstance(value, str) else value or [], offered)


def _is_text(value: Any) -> bool:  # noqa: ANN401 - any JSON value
    return all(isinstance(each, str) for each in entries(value))


def _is_ours(value: Any, offered: Offered) -> bool:  # noqa: ANN401 - any JSON value
    return all(campaign_of(each) == offered.campaign for each in entries(value))


def _conflict(
    done: Merged, inside: Container, item: Item, value: str | list[str] | None, *, replace: bool
) -> None:
    if not value or value == item.value:
        return
    if replace:
        done.text = with_value(done.text, item, shown(done.text, inside, value))
        return
    own, ours = (json.dumps(each, ensure_ascii=False) for each in (item.value, value))
    done.kept.append(f"{item.key} stands there already and stays: {own}. The report would say: {ours}")


def _single(text: str, inside: Container, item: Item, value: str | list[str] | None) -> str:
    if not value:
        return without(text, inside, item)
    return text if item.value == value else with_value(text, item, shown(text, inside, value))


def _several(text: str, item: Item, value: list[str], offered: Offered) -> str:
    """Return the text with an earlier report's statements taken out, and those of this one added."""
    known = list(entries(item.value))
    old = [each for each in known if campaign_of(each) == offered.campaign and each not in value]
    new = [each for each in value if each not in known]
    if not isinstance(item.value, list):
        if old:
            return _single(text, top(text), item, value)
        return wrapped(text, top(text), item, new) if new else text
    key = str(item.key)
    for each in new:
        text = with_item(text, _list_of(text, key), string(text, each))
    for each in old:
        items = _list_of(text, key)
        text = without(text, items, next(known for known in items.items if known.value == each))
    return _without_empty(text, key) if old else text


def _list_of(text: str, key: str) -> Container:
    return container(text, _member(text, key).value_start)


def _without_empty(text: str, key: str) -> str:
    item = _member(text, key)
    return text if item.value else without(text, top(text), item)
