"""Values of messages that are words: lists of names, and names with their layer or role.

Each stands in English under its own key, and in parts beside it, so that a page in another language can put
it together again: `<key>_list` and `<key>_more`, `<key>_name` with `<key>_layer` or `<key>_role`.
"""

from collections.abc import Iterable

from reportgen.results import Value

NAMES_SHOWN = 3


def listed(names: Iterable[str], most: int = NAMES_SHOWN) -> str:
    """Return names as words, the first few of them."""
    known = list(names)
    more = len(known) - most
    *others, last = [*known[:most], *([f"{more} more"] if more > 0 else [])] or [""]
    return f"{', '.join(others)} and {last}" if others else last


def several(key: str, names: Iterable[str], most: int = NAMES_SHOWN) -> dict[str, Value]:
    """Return names as the value of a message, in words and as the list that they are."""
    known = list(names)
    values: dict[str, Value] = {key: listed(known, most), f"{key}_list": tuple(known[:most])}
    return values | ({f"{key}_more": len(known) - most} if len(known) > most else {})


def of_layer(key: str, layer: str, values: dict[str, Value]) -> dict[str, Value]:
    """Return a value of a message with the layer in parentheses."""
    apart: dict[str, Value] = {} if f"{key}_list" in values else {f"{key}_name": values[key]}
    return values | apart | {key: f"{values[key]} (layer {layer})", f"{key}_layer": layer}


def in_role(key: str, name: str, role: str) -> dict[str, Value]:
    """Return somebody's name as the value of a message, with what they are in parentheses."""
    return {key: f"{name} ({role})", f"{key}_name": name, f"{key}_role": role}
