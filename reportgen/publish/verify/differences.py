"""What a check hands on, and how it tells differences: of numbers in words, of texts by their lines."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NoReturn, TypeVar

from pydantic import ValidationError

from reportgen.results import Part, Results, Tool, dumps
from reportgen.results.comparison import VersionComparison
from reportgen.results.history import History

Check = Literal["archive", "checksums", "memory", "form", "figures", "findings", "exports", "files", "pages"]
# Checks of bytes alone: what they find was changed, whatever it says.
BYTES: frozenset[Check] = frozenset(("archive", "checksums", "memory"))
# What is counted of what was checked: numbers are those of results, pages all that is rendered from them.
Counted = Literal["files", "numbers", "pages"]


@dataclass(frozen=True, order=True)
class Discrepancy:
    """One thing that differs: in which file, from the top of what is verified, and what differs in it.

    `where` says in words which figure it is; `recorded` and `found` are what is there and what should.
    `follows` says that the file has its checksum, and that what it is compared with was changed.
    """

    file: str
    what: str
    check: Check
    where: str = ""
    recorded: str = ""
    found: str = ""
    follows: bool = False


@dataclass(frozen=True, order=True)
class Unchecked:
    """Something that was not checked, how much of it there is, and why."""

    what: str
    why: str
    number: int = 1


@dataclass(frozen=True)
class CheckOutcome:
    """What came of one check."""

    differences: Sequence[Discrepancy] = ()
    unchecked: Sequence[Unchecked] = ()
    files: int = 0
    numbers: int = 0
    pages: int = 0


def together(outcomes: Iterable[CheckOutcome]) -> CheckOutcome:
    """Return several outcomes as one: each difference once, what is unchecked for one reason added up."""
    found = list(outcomes)
    return CheckOutcome(
        differences=tuple(dict.fromkeys(each for outcome in found for each in outcome.differences)),
        unchecked=tuple(_added(each for outcome in found for each in outcome.unchecked)),
        files=sum(each.files for each in found),
        numbers=sum(each.numbers for each in found),
        pages=sum(each.pages for each in found),
    )


def following(outcome: CheckOutcome) -> CheckOutcome:
    """Tell which differences may follow from others: those of files whose checksums hold, where some do not.

    They come last, so that what was changed is not lost among what was only compared with it.
    """
    changed = {each.file for each in outcome.differences if each.check in BYTES}
    found = [
        replace(each, follows=bool(changed) and each.check not in BYTES and each.file not in changed)
        for each in outcome.differences
    ]
    return replace(outcome, differences=tuple(sorted(found, key=lambda each: each.follows)))


def _added(unchecked: Iterable[Unchecked]) -> list[Unchecked]:
    numbers: dict[tuple[str, str], int] = {}
    for each in unchecked:
        key = each.what, each.why
        numbers[key] = numbers.get(key, 0) + each.number
    return [Unchecked(*key, number) for key, number in numbers.items()]


# Which parts of results no counts determine, and why.

OF_EXPORTS = "they tell of the exports, which counts do not hold"
WITHOUT_EXPORTS = "it takes the exports to compute them"
# What other checks hold against the catalogue, the rules and the program.
ELSEWHERE = ""
# By the keys that lead to a part; "*" means each element of a list.
REASONS: dict[tuple[str, ...], str] = {
    ("adjudication",): WITHOUT_EXPORTS,
    ("catalogue",): ELSEWHERE,
    ("choice",): ELSEWHERE,
    ("coefficient_declared",): ELSEWHERE,
    ("findings",): ELSEWHERE,
    ("inputs",): OF_EXPORTS,
    ("left_out",): OF_EXPORTS,
    ("quality",): WITHOUT_EXPORTS,
    ("reading",): OF_EXPORTS,
    ("replacement",): WITHOUT_EXPORTS,
    ("revision", "document"): OF_EXPORTS,
    ("settings",): OF_EXPORTS,
    ("spans", "disagreements"): WITHOUT_EXPORTS,
    ("spans", "unitizing"): WITHOUT_EXPORTS,
    ("tool",): ELSEWHERE,
    ("unread",): OF_EXPORTS,
}


def reason_of(keys: Sequence[str]) -> str | None:
    """Return why a part of results, given by its keys, can't be recomputed from counts; None where it can.

    It is empty where there is nothing to tell: another check looks at that part.
    """
    return REASONS.get(tuple(keys))


# What made a report: this program, or another, whose results and pages need not be the same.


def another_program(recorded: Tool) -> str:
    """Return which version of reportgen made a report, where it is not this one; nothing where it is."""
    here = Tool.here()
    if (recorded.name, recorded.version) == (here.name, here.version):
        return ""
    said = f"{recorded.name[:SHOWN]} {recorded.version[:SHOWN]}"
    return f"they were made with {said}; here is {here.name} {here.version}"


def another_version(recorded: Tool) -> str:
    """Return what made a report, where it is not what runs here; nothing where it is.

    Pages come out the same with the same version and the same libraries, and need not with any other.
    """
    here = Tool.here()
    if recorded == here:
        return ""
    mine = {here.name: here.version, **here.libraries}
    theirs = {recorded.name: recorded.version, **recorded.libraries}
    told = [f"{name} {theirs.get(name, '?')[:SHOWN]}" for name in mine if theirs.get(name) != mine[name]]
    more = [f"{name[:SHOWN]} {theirs[name][:SHOWN]}" for name in theirs if name not in mine]
    here_there = ", ".join(f"{name} {mine[name]}" for name in mine if theirs.get(name) != mine[name])
    return f"they were made with {', '.join([*told, *more])}; here is {here_there or 'none of it'}"


# JSON from a stranger: what it says, or why it can't be used, and whether it is as we write it.

Whole = TypeVar("Whole", Results, VersionComparison, History)
SomePart = TypeVar("SomePart", bound=Part)
PLACES_SHOWN = 5
SHOWN = 100


class Unusable(Exception):
    """A file that can't be understood; `differences` say why."""

    def __init__(self, *differences: Discrepancy) -> None:
        """Keep what is wrong."""
        super().__init__("\n".join(each.what for each in differences))
        self.differences = differences


def parsed(files: Mapping[str, bytes], name: str) -> Any:  # noqa: ANN401 - any JSON value
    """Return what a JSON file says; raises Unusable where it says nothing."""
    try:
        return json.loads(files[name].decode(), parse_constant=_no_number)
    except KeyError:
        what = "is missing."
    except UnicodeDecodeError as error:
        what = f"is not UTF-8 at byte {error.start}."
    except json.JSONDecodeError as error:
        what = f"is not JSON: line {error.lineno}, column {error.colno}: {error.msg}."
    except ValueError as error:
        what = f"is not JSON: {str(error)[:SHOWN]}"
    except RecursionError:
        what = "is not ours: its values are nested too deeply."
    raise Unusable(Discrepancy(name, what, "form"))


def _no_number(name: str) -> NoReturn:
    message = f"{name} is no number."
    raise ValueError(message)


def read(part: type[SomePart], files: Mapping[str, bytes], name: str) -> SomePart:
    """Return results as a file has them; raises Unusable where they are none."""
    parsed(files, name)
    try:
        return part.model_validate_json(files[name])
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)[:PLACES_SHOWN]
        whats = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}." for each in found]
    except (ValueError, RecursionError) as error:
        whats = [str(error)[:SHOWN]]
    raise Unusable(*(Discrepancy(name, f"is not as reportgen writes it: {what}", "form") for what in whats))


def read_with(
    whole: type[Whole],
    files: Mapping[str, bytes],
    name: str,
    beside: type[SomePart] | None = None,
    other: str = "",
) -> tuple[Whole, SomePart | None, list[Discrepancy]]:
    """Return results, what is beside them where it is, and where either is not as reportgen writes it.

    An older version may have broken lines elsewhere: of its files the values alone are compared.
    """
    found = read(whole, files, name)
    second = read(beside, files, other) if beside and other in files else None
    older = bool(another_program(found.tool))
    faults = []
    for file, part in ((name, found), (other, second)):
        due = dumps(part) if part is not None else ""
        if part is not None and not (older and json.loads(files[file]) == json.loads(due)):
            faults += differing(file, files[file], due.encode(), "form")
    return found, second, faults


def content(part: Part) -> Any:  # noqa: ANN401 - any JSON value
    """Return what a part of results is in JSON."""
    return json.loads(dumps(part))


def in_words(error: Exception) -> str:
    """Return what went wrong with a stranger's files, on one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:SHOWN]


# Two texts, by their lines.


def differing(name: str, content: bytes, expected: bytes, check: Check) -> list[Discrepancy]:
    """Return where a file differs from what reportgen writes: its first line that does, and how many do."""
    if content == expected:
        return []
    found, due = (each.decode(errors="replace").split("\n") for each in (content, expected))
    first = _first(found, due)
    if len(found) == len(due):
        # Bytes that are no UTF-8 may be the same text.
        more = sum(one != other for one, other in zip(found, due, strict=True)) - 1
        first = first if more >= 0 else 0
        also = f", and {more:,} more line{'s differ' if more > 1 else ' differs'}" if more > 0 else ""
    else:
        also = f"; it has {len(found):,} lines, and {len(due):,} were expected"
    one, other = _around("".join(found[first : first + 1]), "".join(due[first : first + 1]))
    return [Discrepancy(name, f"line {first + 1} differs{also}.", check, recorded=one, found=other)]


def _first(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the place of the first that differs, where one goes on and the other does not if no other."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (here, there) in pairs if here != there), min(len(one), len(other)))


def _around(*texts: str) -> Iterator[str]:
    """Yield two texts short enough to be shown, around the first sign in which they differ."""
    start = max(0, _first(*texts) - SHOWN // 3)
    for text in texts:
        after = "…" if len(text) > start + SHOWN else ""
        yield f"{'…' if start else ''}{text[start : start + SHOWN]}{after}"


# Recorded results against recomputed ones, number by number, each named in words.

ABSENT = object()
FLAG = "recomputable"
NOT_FROM_COUNTS = "counts alone do not give them"
# Where figures may be that counts do not give at all; elsewhere nobody can add one by calling it so.
APART = frozenset(("comparisons", "spans"))
# Parts of results whose names say nothing that what is in them does not say.
SILENT = frozenset(("unit_sets", "measures", "pairs", "layers"))
LONGEST = 60


@dataclass
class _Gaps:
    """What is found while two values are walked through."""

    file: str
    check: Check
    whole: bool
    older: str
    differences: list[Discrepancy] = field(default_factory=list)
    unchecked: list[Unchecked] = field(default_factory=list)
    numbers: int = 0


def compare(  # noqa: PLR0913 - what is compared with what, and how
    recorded: Any,  # noqa: ANN401 - any JSON value
    found: Any,  # noqa: ANN401 - any JSON value
    file: str,
    check: Check = "figures",
    *,
    whole: bool = False,
    older: str = "",
) -> CheckOutcome:
    """Compare the JSON of recorded results with that of recomputed ones, to the last digit.

    What counts do not determine is passed over, unless the `whole` can be recomputed. `older` says what
    other version recorded it, which may not have had all that is computed here.
    """
    gaps = _Gaps(file, check, whole, older)
    _compare(gaps, recorded, found, (), ())
    return CheckOutcome(gaps.differences, gaps.unchecked, numbers=gaps.numbers)


def _compare(gaps: _Gaps, recorded: Any, found: Any, keys: tuple[str, ...], words: tuple[str, ...]) -> None:  # noqa: ANN401
    why = None if gaps.whole else _reason_of(recorded, found, keys)
    if why is None and gaps.older and recorded is ABSENT:
        why, recorded = f"they are not recorded, and {gaps.older}", found
    if why is not None:
        if why and (number := _much(recorded)):
            gaps.unchecked.append(Unchecked(_part(keys), why, number))
    elif isinstance(recorded, Mapping) and isinstance(found, Mapping):
        for key in sorted({*recorded, *found}):
            here = recorded.get(key, ABSENT), found.get(key, ABSENT)
            _compare(gaps, *here, (*keys, key), words if key in SILENT else (*words, key))
    elif isinstance(recorded, list) and isinstance(found, list):
        for word, one, other in _aligned(recorded, found):
            _compare(gaps, one, other, (*keys, "*"), (*words, word))
    else:
        _leaf(gaps, recorded, found, words)


def _reason_of(recorded: Any, found: Any, keys: tuple[str, ...]) -> str | None:  # noqa: ANN401
    """Return why counts do not determine a part; a figure that they did not give may say so itself."""
    why = reason_of(keys)
    flagged = isinstance(recorded, Mapping) and recorded.get(FLAG) is False
    return NOT_FROM_COUNTS if why is None and flagged and found is ABSENT and keys[0] in APART else why


def _much(value: Any) -> int:  # noqa: ANN401
    """Return how many numbers there are to report; what has none, and says something, is one thing."""
    return numbers_in(value) or int(value is not ABSENT and value not in (None, "", [], {}))


def _leaf(gaps: _Gaps, recorded: Any, found: Any, words: tuple[str, ...]) -> None:  # noqa: ANN401
    gaps.numbers += _is_number(recorded)
    if type(recorded) is type(found) and recorded == found:
        return
    if _is_number(recorded) and _is_number(found) and recorded == found and type(recorded) is not bool:
        return  # 1 and 1.0: the form of the file is checked elsewhere
    one, other = _shown(recorded), _shown(found)
    where = ": ".join(words)
    due = "expected" if gaps.check == "findings" else "recomputed"
    what = f"{where}: {one} recorded, {other} {due}." if where else f"{one} recorded, {other} {due}."
    gaps.differences.append(Discrepancy(gaps.file, what, gaps.check, where, one, other))


def _is_number(value: Any) -> bool:  # noqa: ANN401
    return isinstance(value, int | float) and not isinstance(value, bool)


def numbers_in(value: Any) -> int:  # noqa: ANN401
    """Return how many numbers a JSON value holds."""
    if isinstance(value, Mapping | list):
        return sum(map(numbers_in, value.values() if isinstance(value, Mapping) else value))
    return int(_is_number(value))


def _shown(value: Any) -> str:  # noqa: ANN401
    if value is ABSENT or value is None:
        return "nothing"
    if isinstance(value, str):
        return f'"{value[:LONGEST]}…"' if len(value) > LONGEST else f'"{value}"'
    if isinstance(value, Mapping | list):
        number = numbers_in(value)
        return f"{number:,} number{'' if number == 1 else 's'}"
    return repr(value)


# Words for places


def _part(keys: Sequence[str]) -> str:
    """Return which part of results something is, without names and numbers of what is in it."""
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
        # What has the name of another is known by its place.
        named[name if name not in named else f"{name} (number {place})"] = each
    return named


def _name(value: Any) -> str:  # noqa: ANN401
    """Return what a part of results is called in a sentence; nothing where it has no name."""
    if not isinstance(value, Mapping):
        return ""
    said = next((said for keys, said in NAMES if all(_is_name(value.get(key)) for key in keys)), "")
    layer, unit_set = value.get("layer"), value.get("unit_set")
    people = value.get("annotators")
    places = {
        **value,
        "annotators": " and ".join(map(str, people)) if isinstance(people, list) else people,
        "of_layer": f" of layer {layer}" if isinstance(layer, str) and layer != "main" else "",
        "in_unit_set": f" in {unit_set}" if unit_set else "",
    }
    return said.format_map(places)


def _is_name(value: Any) -> bool:  # noqa: ANN401
    """Tell whether a value is a name, or a list of names."""
    names = value if isinstance(value, list) else [value]
    return bool(names) and all(isinstance(each, str) for each in names)


# What tells parts of results from others in a list, by the names that they have.
NAMES: tuple[tuple[tuple[str, ...], str], ...] = (
    (("layer", "id"), "unit set {id}{of_layer}"),
    (("key", "other"), "{other} against {key}{in_unit_set}{of_layer}"),
    (("key", "system", "first", "second"), "{first} and {second} against {key}{of_layer}"),
    (("layer", "annotator", "figure"), "{annotator}{of_layer}"),
    (("layer", "annotators", "types"), "marks{of_layer}"),
    (("annotators",), "{annotators}{of_layer}"),
    (("layer", "unit_set"), "unit set {unit_set}{of_layer}"),
    (("annotator",), "{annotator}"),
    (("layer",), "layer {layer}"),
    (("document",), "document {document}"),
    (("file",), "{file}"),
    (("version",), "version {version}"),
    (("id",), "{id}"),
    (("name",), "{name}"),
)
