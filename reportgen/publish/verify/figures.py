"""Recorded results against recomputed ones, number by number, each named in words."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reportgen.publish.verify.outcome import CheckOutcome, Discrepancy, Unchecked, reason_of

ABSENT = object()
FLAG = "recomputable"
NOT_FROM_COUNTS = "counts alone do not give them"
# Where figures may stand that counts do not give at all; elsewhere nobody can add one by calling it so.
APART = frozenset(("comparisons", "spans"))
# Parts of results whose names say nothing that what stands in them does not say.
SILENT = frozenset(("unit_sets", "measures", "pairs", "layers"))
SHOWN = 60


@dataclass
class _Held:
    """What is found while two values are walked through."""

    file: str
    check: Any
    excused: Callable[[tuple[str, ...]], str | None]
    whole: bool
    older: str = ""
    differences: list[Discrepancy] = field(default_factory=list)
    unchecked: list[Unchecked] = field(default_factory=list)
    numbers: int = 0


def compare(  # noqa: PLR0913, PLR0917 - what is held against what, and how
    recorded: Any,  # noqa: ANN401 - any JSON value
    found: Any,  # noqa: ANN401 - any JSON value
    file: str,
    check: Any = "figures",  # noqa: ANN401 - a Check
    excused: Callable[[tuple[str, ...]], str | None] | None = None,
    older: str = "",
) -> CheckOutcome:
    """Hold the JSON of recorded results against that of recomputed ones, to the last digit.

    Those that counts do not determine are passed over, unless nothing is `excused`: it tells why a part of
    results, given by its keys, can't be recomputed. `older` says what another version recorded them, which
    may not have had all that is computed here.
    """
    held = _Held(file, check, excused or reason_of, whole=excused is not None, older=older)
    _compare(held, recorded, found, (), ())
    return CheckOutcome(held.differences, held.unchecked, numbers=held.numbers)


def _compare(held: _Held, recorded: Any, found: Any, keys: tuple[str, ...], words: tuple[str, ...]) -> None:  # noqa: ANN401
    why = held.excused(keys)
    if why is None and not held.whole and _not_from_counts(recorded, found, keys):
        why = NOT_FROM_COUNTS
    if why is None and held.older and recorded is ABSENT:
        why, recorded = f"they are not recorded, and {held.older}", found
    if why is not None:
        if why and (number := _much(recorded)):
            held.unchecked.append(Unchecked(_part(keys), why, number))
    elif isinstance(recorded, Mapping) and isinstance(found, Mapping):
        for key in sorted({*recorded, *found}):
            here = recorded.get(key, ABSENT), found.get(key, ABSENT)
            _compare(held, *here, (*keys, key), words if key in SILENT else (*words, _in_words(key)))
    elif isinstance(recorded, list) and isinstance(found, list):
        for word, one, other in _aligned(recorded, found):
            _compare(held, one, other, (*keys, "*"), (*words, word))
    else:
        _leaf(held, recorded, found, words)


def _not_from_counts(recorded: Any, found: Any, keys: Sequence[str]) -> bool:  # noqa: ANN401
    """Tell whether a figure says that counts alone do not give it, and counts did not give it either."""
    flagged = isinstance(recorded, Mapping) and recorded.get(FLAG) is False
    return flagged and found is ABSENT and keys[0] in APART


def _much(value: Any) -> int:  # noqa: ANN401
    """Return how many numbers there are to be told of; what has none, and says something, is one thing."""
    return numbers_in(value) or int(value is not ABSENT and value not in (None, "", [], {}))


def _leaf(held: _Held, recorded: Any, found: Any, words: tuple[str, ...]) -> None:  # noqa: ANN401
    held.numbers += _is_number(recorded)
    if type(recorded) is type(found) and recorded == found:
        return
    if _is_number(recorded) and _is_number(found) and recorded == found and type(recorded) is not bool:
        return  # 1 and 1.0: the form of the file is checked elsewhere
    one, other = (_shown(each, "nothing") for each in (recorded, found))
    where = ": ".join(words)
    due = "expected" if held.check == "findings" else "recomputed"
    what = f"{where}: {one} recorded, {other} {due}." if where else f"{one} recorded, {other} {due}."
    held.differences.append(Discrepancy(held.file, what, held.check, where, one, other))


def _is_number(value: Any) -> bool:  # noqa: ANN401
    return isinstance(value, int | float) and not isinstance(value, bool)


def numbers_in(value: Any) -> int:  # noqa: ANN401
    """Return how many numbers a JSON value holds."""
    if isinstance(value, Mapping):
        return sum(map(numbers_in, value.values()))
    if isinstance(value, list):
        return sum(map(numbers_in, value))
    return int(_is_number(value))


def _shown(value: Any, nothing: str) -> str:  # noqa: ANN401
    if value is ABSENT or value is None:
        return nothing
    if isinstance(value, str):
        return f'"{value[:SHOWN]}…"' if len(value) > SHOWN else f'"{value}"'
    if isinstance(value, Mapping | list):
        number = numbers_in(value)
        return f"{number:,} number{'' if number == 1 else 's'}"
    return repr(value)


# Words for places


def _in_words(key: str) -> str:
    return "unit sets" if key == "unit_sets" else key


def _part(keys: Sequence[str]) -> str:
    """Return which part of results something is, without names and numbers of what stands in it."""
    return ": ".join(each.replace("_", " ") for each in keys[:2] if each != "*") or "results"


def _aligned(recorded: list[Any], found: list[Any]) -> Iterator[tuple[str, Any, Any]]:
    """Yield what answers to each other in two lists: what has the same name, else what has the same place."""
    one, other = _named(recorded), _named(found)
    names = [*one, *(name for name in other if name not in one)]
    for name in names:
        yield name, one.get(name, ABSENT), other.get(name, ABSENT)
    if list(one) != list(other) and sorted(one) == sorted(other):
        yield "order", ", ".join(one), ", ".join(other)


def _named(values: list[Any]) -> dict[str, Any]:
    named: dict[str, Any] = {}
    for place, each in enumerate(values, 1):
        name = _name(each) or f"number {place}"
        # What has the name of another is told by its place.
        named[name if name not in named else f"{name} (number {place})"] = each
    return named


def _name(value: Any) -> str:  # noqa: ANN401
    """Return what a part of results is called in a sentence; nothing where it has no name."""
    if not isinstance(value, Mapping):
        return ""
    return next((say(value) for keys, say in NAMES if all(_is_name(value.get(key)) for key in keys)), "")


def _is_name(value: Any) -> bool:  # noqa: ANN401
    """Tell whether a value is a name, or a list of names."""
    return isinstance(value, str) or (
        isinstance(value, list) and bool(value) and all(isinstance(each, str) for each in value)
    )


def _of_layer(value: Mapping[str, Any]) -> str:
    layer = value.get("layer")
    return f" of layer {layer}" if isinstance(layer, str) and layer != "main" else ""


def _against(value: Mapping[str, Any]) -> str:
    unit_set = value.get("unit_set")
    return f"{value['other']} against {value['key']}{f' in {unit_set}' if unit_set else ''}{_of_layer(value)}"


NAMES: tuple[tuple[tuple[str, ...], Callable[[Mapping[str, Any]], str]], ...] = (
    (("layer", "id"), lambda each: f"unit set {each['id']}{_of_layer(each)}"),
    (("key", "other"), _against),
    (
        ("key", "system", "first", "second"),
        lambda each: f"{each['first']} and {each['second']} against {each['key']}{_of_layer(each)}",
    ),
    (("layer", "annotator", "figure"), lambda each: f"{each['annotator']}{_of_layer(each)}"),
    (("layer", "annotators", "types"), lambda each: f"marks{_of_layer(each)}"),
    (("annotators",), lambda each: f"{' and '.join(map(str, each['annotators']))}{_of_layer(each)}"),
    (("layer", "unit_set"), lambda each: f"unit set {each['unit_set']}{_of_layer(each)}"),
    (("annotator",), lambda each: str(each["annotator"])),
    (("layer",), lambda each: f"layer {each['layer']}"),
    (("document",), lambda each: f"document {each['document']}"),
    (("file",), lambda each: str(each["file"])),
    (("version",), lambda each: f"version {each['version']}"),
    (("id",), lambda each: str(each["id"])),
    (("name",), lambda each: str(each["name"])),
)
