"""What was verified, in lines for people and as JSON for programs."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reportgen.verifying.kinds import Kind
from reportgen.verifying.outcome import Difference, Outcome, Unchecked
from reportgen.verifying.verify import Verified

SAME, DIFFERENT, PLAIN, UNCHECKED = "same", "different", "", "unchecked"
Line = tuple[str, str]
KINDS: Mapping[Kind, str] = {
    "bundle": "a bundle",
    "site": "a site",
    "campaign": "a campaign's part of a site",
    "version": "the report of one version",
    "comparison": "the comparison of two versions",
}
# What has its checksum was held against what has not.
FOLLOWS = "held against what was changed, these differ too, though each has its checksum"
# So many differences of one file are told; --json has all.
MOST_OF_A_FILE = 20


def as_text(verified: Verified) -> Iterator[Line]:
    """Yield lines, each with the state that it tells of, a difference a line after the sum of all."""
    outcome = verified.outcome
    checked = ", ".join(_checked(outcome))
    yield PLAIN, f"{verified.path}: {KINDS[verified.kind]}; checked: {checked}."
    for each in _gathered(outcome.unchecked):
        yield UNCHECKED, f"unchecked: {each}"
    if verified.same:
        yield SAME, f"same: nothing {'of what was checked ' if outcome.unchecked else ''}differs."
        return
    own = [each for each in outcome.differences if not each.follows]
    yield DIFFERENT, f"different: {_in_files(own)}."
    yield from _differences(own)
    if held := [each for each in outcome.differences if each.follows]:
        yield DIFFERENT, f"{FOLLOWS}: {_in_files(held)}."
        yield from _differences(held, briefly=True)


def _checked(outcome: Outcome) -> Iterator[str]:
    yield _count(outcome.files, "file")
    yield _count(outcome.numbers, "number") + " recomputed"
    yield _count(outcome.pages, "page", "pages, tables and figures") + " rendered anew"


def _count(number: int, one: str, more: str = "") -> str:
    return f"{number:,} {one if number == 1 else more or f'{one}s'}"


def _gathered(unchecked: Sequence[Unchecked]) -> Iterator[str]:
    """Yield what is unchecked, all that is so for one reason together."""
    reasons: dict[str, list[Unchecked]] = {}
    for each in unchecked:
        reasons.setdefault(each.why, []).append(each)
    for why, found in reasons.items():
        named = ", ".join(f"{each.what} ({each.number:,})" for each in found)
        yield f"{named}: {why}."


def _in_files(differences: Sequence[Difference]) -> str:
    files = {each.file for each in differences}
    return f"{_count(len(differences), 'difference')} in {_count(len(files), 'file')}"


def _differences(differences: Sequence[Difference], *, briefly: bool = False) -> Iterator[Line]:
    files: dict[str, list[Difference]] = {}
    for each in differences:
        files.setdefault(each.file, []).append(each)
    for file, found in files.items():
        for each in found[:MOST_OF_A_FILE]:
            yield DIFFERENT, f"{file}: {each.what}"
            if not briefly and each.check in {"pages", "form", "exports"} and (each.recorded or each.found):
                yield PLAIN, f"  there:    {each.recorded}"
                yield PLAIN, f"  expected: {each.found}"
        if len(found) > MOST_OF_A_FILE:
            yield DIFFERENT, f"{file}: and {len(found) - MOST_OF_A_FILE:,} more, which --json lists."


def as_json(verified: Verified) -> str:
    """Return everything that was found."""
    outcome = verified.outcome
    content = {
        "path": verified.path,
        "kind": verified.kind,
        "same": verified.same,
        "checked": {"files": outcome.files, "numbers": outcome.numbers, "pages": outcome.pages},
        "unchecked": [vars(each) for each in outcome.unchecked],
        "differences": [_difference(each) for each in outcome.differences],
    }
    return json.dumps(content, sort_keys=True, ensure_ascii=False, indent=1) + "\n"


def _difference(each: Difference) -> dict[str, Any]:
    return {key: value for key, value in vars(each).items() if value}
