"""What a check hands on, and how it tells differences: of numbers in words, of texts by their lines."""

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NoReturn, TypeVar

from pydantic import ValidationError

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import in_plain_words
from reportgen.results import ResultModel, Tool, dumps, from_json, is_computed_otherwise

Json = Any
Check = Literal["archive", "checksums", "memory", "form", "figures", "findings", "exports", "files", "pages"]
# Checks of bytes alone: what they find was changed, whatever it says.
BYTES: frozenset[Check] = frozenset(("archive", "checksums", "memory"))
# What is counted of what was checked: numbers are those of results, pages all that is rendered from them.
Counted = Literal["files", "numbers", "pages"]
# What comes of all checks: nothing differs and nothing is unchecked, something differs, or neither.
Verdict = Literal["same", "different", "unchecked"]


@dataclass(frozen=True, order=True)
class Discrepancy:
    """One thing that differs: in which file, from the top of what is verified, and what differs in it.

    `recorded` and `found` are what is there and what should.
    """

    file: str
    what: str
    check: Check
    recorded: str = ""
    found: str = ""


@dataclass(frozen=True, order=True)
class Unchecked:
    """Something that was not checked, how much of it there is, and why."""

    what: str
    why: str
    number: int = 1


@dataclass(frozen=True, order=True)
class Rounded:
    """Numbers that were compared to their first digits alone, how many of them differ behind, and why."""

    why: str
    number: int = 1


# What a check yields: what differs, what it can't check, and how much of what was checked.
Outcome = Discrepancy | Unchecked | Rounded | tuple[Counted, int]
Outcomes = Iterator[Outcome]


@dataclass(frozen=True)
class CheckOutcome:
    """What came of all checks."""

    differences: Sequence[Discrepancy] = ()
    unchecked: Sequence[Unchecked] = ()
    files: int = 0
    numbers: int = 0
    pages: int = 0
    rounded: Sequence[Rounded] = ()

    @property
    def verdict(self) -> Verdict:
        """Return what comes of it: what could not be checked may be a lie, and is never the same."""
        if self.differences:
            return "different"
        return "unchecked" if self.unchecked else "same"


def merge_outcomes(outcomes: Iterable[Outcome]) -> CheckOutcome:
    """Return what checks yield as one: each difference once, what is unchecked for one reason added up.

    Changed bytes come first: what was only compared with them may differ for that reason.
    """
    differences: dict[Discrepancy, None] = {}
    unchecked, counted, rounded_by_reason = Counter[tuple[str, str]](), Counter[str](), Counter[str]()
    for outcome in outcomes:
        if isinstance(outcome, Discrepancy):
            differences[outcome] = None
        elif isinstance(outcome, Unchecked):
            unchecked[outcome.what, outcome.why] += outcome.number
        elif isinstance(outcome, Rounded):
            rounded_by_reason[outcome.why] += outcome.number
        else:
            counted[outcome[0]] += outcome[1]
    return CheckOutcome(
        tuple(sorted(differences, key=lambda discrepancy: discrepancy.check not in BYTES)),
        tuple(Unchecked(*key, number) for key, number in unchecked.items()),
        files=counted["files"],
        numbers=counted["numbers"],
        pages=counted["pages"],
        rounded=tuple(Rounded(*both) for both in rounded_by_reason.items()),
    )


# Which parts of results no counts determine, and why.

OF_EXPORTS = "they tell of the exports, which counts do not have"
WITHOUT_EXPORTS = "it takes the exports to compute them"
# What other checks compare with the catalogue, the rules and the program: there is nothing to tell.
ELSEWHERE = ""
UNDETERMINED = {
    WITHOUT_EXPORTS: (
        "adjudication",
        "disagreements",
        "groups",
        "judges",
        "quality",
        "replacement",
        "spans.disagreements",
        "spans.boundaries",
        "spans.unitizing",
        "times",
        "trees",
    ),
    OF_EXPORTS: (
        "campaign.models",
        "different_texts",
        "inputs",
        "left_out",
        "mentions",
        "reading",
        "revision.document",
        "settings",
        "suggested_scales",
        "unread",
    ),
    ELSEWHERE: ("catalogue", "choice", "coefficient_declared", "findings", "subjects", "tool"),
}
# By the keys that lead to a part.
REASONS = {tuple(part.split(".")): why for why, parts in UNDETERMINED.items() for part in parts}


# What made a report: this program, or another, whose results and pages need not be the same.


OF_OLDER = "only older versions of reportgen write it"


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
    other = [name for name in mine if theirs.get(name) != mine[name]]
    own_libraries = [f"{name} {theirs.get(name, '?')[:SHOWN]}" for name in other]
    more = [f"{name[:SHOWN]} {theirs[name][:SHOWN]}" for name in theirs if name not in mine]
    own = ", ".join(f"{name} {mine[name]}" for name in other) or "none of it"
    return f"they were made with {', '.join([*own_libraries, *more])}; here is {own}"


def other_libraries(recorded: Tool) -> str:
    """Return what made a report, where libraries were others, whose last digits may be; else nothing."""
    return another_version(recorded) if recorded.libraries != Tool.here().libraries else ""


# Numbers that another version of a library gave: of so many digits all that we allow agree.

SURE_DIGITS = 9
SURE, NOTHING = 10.0**-SURE_DIGITS, 10.0 ** -(SURE_DIGITS + 1)
DECIMAL = re.compile(r"(?<![\d.])\d+(?:\.\d+(?:e[-+]?\d+)?|e[-+]?\d+)")


def near(number: float, other: float) -> bool:
    """Tell whether two numbers differ in their last digits alone; whole numbers have none."""
    if isinstance(number, int) and isinstance(other, int):
        return number == other
    return math.isclose(number, other, rel_tol=SURE, abs_tol=NOTHING)


def rounded(text: str, due: str) -> int:
    """Return how many numbers of a file differ in their last digits; 0 where anything else does."""
    if DECIMAL.split(text) != DECIMAL.split(due):
        return 0
    both = [list(map(float, DECIMAL.findall(each))) for each in (text, due)]
    pairs = [(number, other) for number, other in zip(*both, strict=True) if number != other]
    return len(pairs) if all(near(*pair) for pair in pairs) else 0


# JSON from a stranger: what it says, or why it can't be used, and whether it is as we write it.

SomePart = TypeVar("SomePart", bound=ResultModel)
PLACES_SHOWN = 5
SHOWN = 100


class Unusable(Exception):
    """A file that can't be understood; `differences` say why."""

    def __init__(self, *differences: Discrepancy | Unchecked) -> None:
        """Keep what is wrong, or why it can't be checked."""
        super().__init__("\n".join(outcome.what for outcome in differences))
        self.differences = differences


def parsed(files: Mapping[str, bytes], name: str) -> Json:
    """Return what a JSON file says; raises Unusable where it says nothing."""
    try:
        return json.loads(files[name].decode(), parse_constant=_no_number)
    except KeyError:
        what = "is missing."
    except UnicodeDecodeError as error:
        what = f"is not UTF-8 at byte {error.start}."
    except json.JSONDecodeError as error:
        what = f"is not JSON: line {error.lineno}, column {error.colno}: {in_plain_words(error)}."
    except ValueError:
        what = "is not JSON: a number in it is none, or has too many digits."
    except RecursionError:
        what = "is not ours: its values are nested too deeply."
    raise Unusable(Discrepancy(name, what, "form"))


def _no_number(name: str) -> NoReturn:
    message = f"{name} is not a number."
    raise ValueError(message)


def read_part(part: type[SomePart], files: Mapping[str, bytes], name: str) -> SomePart:
    """Return results as a file has them; raises Unusable where they are none."""
    value = parsed(files, name)
    try:
        return from_json(part, files[name])
    except ValidationError as error:
        if made_with := _said_to_be_of_another(value):
            raise Unusable(Unchecked(f"all that rests on {name}", made_with)) from None
        errors = error.errors(include_url=False, include_input=False)[:PLACES_SHOWN]
        whats = [f"{'.'.join(map(str, wrong['loc']))}: {wrong['msg']}." for wrong in errors]
    except (ValueError, RecursionError) as error:
        whats = [f"{in_plain_words(error)}."]
    raise Unusable(*(Discrepancy(name, f"is not as reportgen writes it: {what}", "form") for what in whats))


def _said_to_be_of_another(value: Json) -> str:
    """Return which other version JSON says made it, which may have another form; else nothing."""
    try:
        return another_program(Tool.model_validate(value.get("tool")))
    except (AttributeError, ValidationError):
        return ""


def content(part: ResultModel) -> Json:
    """Return what a part of results is in JSON."""
    return json.loads(dumps(part))


# Two texts, by their lines.


def differing(name: str, content: bytes, expected: bytes, check: Check) -> list[Discrepancy]:
    """Return where a file differs from what reportgen writes: its first line that does."""
    if content == expected:
        return []
    lines, due = (text.decode(errors="replace").split("\n") for text in (content, expected))
    first = _first(lines, due)
    recorded, other = _around("".join(lines[first : first + 1]), "".join(due[first : first + 1]))
    return [Discrepancy(name, f"line {first + 1} differs.", check, recorded, other)]


def _first(first_text: Sequence[str], other: Sequence[str]) -> int:
    """Return the place of the first that differs, where one goes on and the other does not if no other."""
    pairs = enumerate(zip(first_text, other, strict=False))
    return next(
        (position for position, (here, there) in pairs if here != there), min(len(first_text), len(other))
    )


def _around(*texts: str) -> Iterator[str]:
    """Yield two texts short enough to be shown, around the first sign in which they differ."""
    start = max(0, _first(*texts) - SHOWN // 3)
    for text in texts:
        after = "…" if len(text) > start + SHOWN else ""
        yield f"{'…' if start else ''}{text[start : start + SHOWN]}{after}"


# Recorded results against recomputed ones, number by number, each named by the keys that lead to it.

Keys = tuple[str, ...]
ABSENT = object()
FLAG = "recomputable"
NOT_FROM_COUNTS = "counts alone do not give them"
# Where figures may be that counts do not give at all; elsewhere nobody can add one by calling it so.
APART = frozenset(("comparisons", "spans"))
# What tells parts of results from others in a list.
NAMES = (
    *("layer", "unit_set", "key", "other", "system", "first", "second", "annotators", "annotator"),
    *("figure", "types", "document", "file", "version", "name"),
)
LONGEST = 60


@dataclass(frozen=True)
class _Comparison:
    """How two values are compared: see `compare`."""

    file: str
    check: Check
    whole: bool
    older: str
    nearly: str

    def walk(self, recorded: Json, recomputed: Json, keys: Keys = (), place: str = "") -> Outcomes:
        """Yield what differs in a part of results, which is at a place that keys lead to."""
        why = None if self.whole else _reason_of(recorded, recomputed, keys)
        if why is None and self.older:
            why = _of_older(recorded, recomputed, keys, self.older)
        if why is not None:
            there = recomputed if recorded is ABSENT else recorded
            # What has no number, and says something, is one thing.
            said = there is not ABSENT and there not in (None, "", [], {})
            if why and (number := numbers_in(there) or int(said)):
                yield Unchecked(_part(keys), why, number)
        elif isinstance(recorded, Mapping) and isinstance(recomputed, Mapping):
            for key in sorted({*recorded, *recomputed}):
                both = recorded.get(key, ABSENT), recomputed.get(key, ABSENT)
                yield from self.walk(*both, (*keys, key), f"{place}.{key}" if place else key)
        elif isinstance(recorded, list) and isinstance(recomputed, list):
            one, other = _by_name(recorded), _by_name(recomputed)
            for name in {**one, **other}:
                both = one.get(name, ABSENT), other.get(name, ABSENT)
                yield from self.walk(*both, (*keys, "*"), f"{place}[{name}]")
            if list(one) != list(other) and sorted(one) == sorted(other):
                yield from self._leaf(", ".join(one), ", ".join(other), f"order of {place}")
        else:
            yield from self._leaf(recorded, recomputed, place)

    def _leaf(self, recorded: Json, recomputed: Json, place: str) -> Outcomes:
        if _is_number(recorded):
            yield "numbers", 1
        # 1 and 1.0 are the same: the form of the file is checked elsewhere.
        numbers = _is_number(recorded) and _is_number(recomputed)
        if recorded == recomputed and (numbers or type(recorded) is type(recomputed)):
            return
        if numbers and self.nearly and near(recorded, recomputed):
            yield Rounded(self.nearly)
            return
        there, due = _shown(recorded), _shown(recomputed)
        verb = "expected" if self.check == "findings" else "recomputed"
        yield Discrepancy(self.file, f"{place}: {there} recorded, {due} {verb}.", self.check, there, due)


def compare(  # noqa: PLR0913 - what is compared with what, and how
    recorded: Json,
    recomputed: Json,
    file: str,
    check: Check = "figures",
    *,
    whole: bool = False,
    older: str = "",
    nearly: str = "",
) -> Outcomes:
    """Compare the JSON of recorded results with that of recomputed ones, to the last digit.

    What counts do not determine is passed over, unless the `whole` can be recomputed. `older` says what
    other version recorded it, which may not have had all that is computed here. `nearly` says
    which libraries gave it, where their last digits may be others.
    """
    return _Comparison(file, check, whole, older, nearly).walk(recorded, recomputed)


def _reason_of(recorded: Json, recomputed: Json, keys: Keys) -> str | None:
    """Return why counts do not determine a part; a figure that they did not give may say so itself."""
    why = REASONS.get(keys)
    flagged = isinstance(recorded, Mapping) and recorded.get(FLAG) is False
    return NOT_FROM_COUNTS if why is None and flagged and recomputed is ABSENT and keys[0] in APART else why


def _of_older(recorded: Json, recomputed: Json, keys: Keys, older: str) -> str | None:
    """Return why a part may differ that another version recorded, None where it may not."""
    if ABSENT in (recorded, recomputed):
        return f"one version has them alone, and {older}"
    if recorded != recomputed and is_computed_otherwise(keys):
        return f"this version computes them otherwise, and {older}"
    sentences = all(isinstance(value, str) and " " in value for value in (recorded, recomputed))
    return older if sentences and recorded != recomputed else None


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def numbers_in(value: Json) -> int:
    """Return how many numbers a JSON value holds."""
    if isinstance(value, Mapping | list):
        return sum(map(numbers_in, value.values() if isinstance(value, Mapping) else value))
    return int(_is_number(value))


def _shown(value: Json) -> str:
    if value is ABSENT or value is None:
        return "nothing"
    if isinstance(value, str):
        return f'"{value[:LONGEST]}…"' if len(value) > LONGEST else f'"{value}"'
    if isinstance(value, Mapping | list):
        number = numbers_in(value)
        return f"{number:,} number{'' if number == 1 else 's'}"
    return repr(value)


def _part(keys: Sequence[str]) -> str:
    """Return which part of results something is, without names and numbers of what is in it."""
    return ": ".join(key.replace("_", " ") for key in keys[:2] if key != "*") or "results"


def _by_name(values: list[Json]) -> dict[str, Json]:
    """Return the parts of a list by what tells them from others, else by their number."""
    named: dict[str, Json] = {}
    for number, value in enumerate(values, 1):
        parts = value if isinstance(value, Mapping) else {}
        own = [parts.get(key) for key in (("layer", "id") if "id" in parts else NAMES)]
        words = [word for part in own for word in (part if isinstance(part, list) else [part])]
        name = " ".join(word for word in words if isinstance(word, str)) or str(number)
        named[name if name not in named else f"{name}, number {number}"] = value
    return named
