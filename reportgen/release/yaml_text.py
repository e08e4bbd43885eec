"""YAML as we write it: every text in double quotes, so that nothing in it is taken for anything else."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any


def quoted(text: str) -> str:
    """Return a text in double quotes; what no YAML file may hold as it is, is written as its number."""
    return "".join(
        each if each.isprintable() else _escaped(each) for each in json.dumps(text, ensure_ascii=False)
    )


def _escaped(char: str) -> str:
    return f"\\u{ord(char):04x}" if ord(char) <= 0xFFFF else f"\\U{ord(char):08x}"  # noqa: PLR2004 - four digits


def block(content: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    """Yield the lines of a mapping of texts, numbers, mappings and lists of them."""
    for key, value in content.items():
        if isinstance(value, Mapping):
            yield f"{indent}{key}:"
            yield from block(value, f"{indent}  ")
        elif isinstance(value, Sequence) and not isinstance(value, str):
            yield f"{indent}{key}:"
            yield from items(value, f"{indent}  ")
        else:
            yield f"{indent}{key}: {scalar(value)}"


def items(content: Sequence[Any], indent: str = "", dash: str = "- ") -> Iterator[str]:
    """Yield the lines of a list, each item behind its dash."""
    for each in content:
        if not isinstance(each, Mapping):
            yield f"{indent}{dash}{scalar(each)}"
            continue
        first, *others = block(each, indent + " " * len(dash))
        yield f"{indent}{dash}{first[len(indent) + len(dash) :]}"
        yield from others


def scalar(value: object) -> str:
    """Return a text in quotes, or a number."""
    return quoted(value) if isinstance(value, str) else json.dumps(value)
