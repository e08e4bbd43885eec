"""The blocks of a report in a publisher's dataset card."""

import re
from collections.abc import Sequence

from reportgen.errors import BadInput, Problem
from reportgen.release.card import PLACES, begin, between, end
from reportgen.release.merging.markdown_text import Heading, Page, inserted, page
from reportgen.release.merging.outcome import Merged, Offered

# Sections in the order of Hugging Face's template, without their marks of being optional.
ORDER = (
    "dataset details",
    "dataset description",
    "dataset sources",
    "uses",
    "direct use",
    "out-of-scope use",
    "dataset structure",
    "dataset creation",
    "curation rationale",
    "source data",
    "data collection and processing",
    "who are the source data producers?",
    "annotations",
    "annotation process",
    "who are the annotators?",
    "personal and sensitive information",
    "bias, risks, and limitations",
    "recommendations",
    "citation",
    "glossary",
    "more information",
    "dataset card authors",
    "dataset card contact",
)
TOP = 2
WHOSE = re.compile(r"<!-- agreement report (\S+) (\S+) -->")


def merged(text: str, offered: Offered, name: str, *, replace: bool) -> Merged:
    """Return a card with the blocks of a report, between their markers or under their sections."""
    done = Merged(text)
    known = page(text)
    problems = [each for block in PLACES for each in _problems(known, block, name)]
    if known.unclosed is not None:
        message = "opens code or a comment that nothing closes, so that all below it is a part of it."
        problems.append(Problem(name, known.unclosed + 1, "", message, "Close it."))
    if problems:
        raise BadInput(problems)
    for block, content in offered.blocks.items():
        _put(done, block, content, offered, replace=replace)
    return done


def _problems(known: Page, block: str, name: str) -> list[Problem]:
    """Return what is wrong with the markers of a block: there are one of each in their order, or none."""
    starts, ends = _markers(known, block)
    if (len(starts), len(ends)) == (0, 0) or (len(starts) == len(ends) == 1 and starts[0] < ends[0]):
        return []
    line = min((*starts, *ends)) + 1
    message = f"{begin(block)} and {end(block)} must stand once each, on lines of their own, in this order."
    found = f" {len(starts)} and {len(ends)} were found."
    return [Problem(name, line, "", f"{message}{found}", "Mend or remove the markers.")]


def _markers(known: Page, block: str) -> tuple[list[int], list[int]]:
    """Return the lines of the markers of a block; in code they are none."""
    both = (known.markers(f"{block}:begin"), known.markers(f"{block}:end"))
    starts, ends = ([place for place in each if place in known.live] for each in both)
    return starts, ends


def _put(done: Merged, block: str, content: str, offered: Offered, *, replace: bool) -> None:
    known = page(done.text)
    starts, ends = _markers(known, block)
    if not starts:
        done.text = _placed(known, PLACES[block], between(block, content))
        return
    inside = known.lines[starts[0] + 1 : ends[0]]
    whose = WHOSE.search("".join(inside))
    if whose and whose[1] != offered.campaign and not replace:
        done.kept.append(f"the block {begin(block)} is the campaign {whose[1]}'s and stays.")
        return
    shown = f"{content}\n".replace("\n", _newline(known, starts[0]))
    done.text = "".join((*known.lines[: starts[0] + 1], shown, *known.lines[ends[0] :]))


def _newline(known: Page, place: int) -> str:
    return "\r\n" if known.lines[place].endswith("\r\n") else "\n"


def _placed(known: Page, path: Sequence[str], text: str) -> str:
    """Return the page with a text in a section, which is made where it is missing."""
    headings = known.headings
    titles = [each.casefold() for each in path]
    found = [_find(headings, title) for title in titles]
    if own := found[-1]:
        return inserted(known, _next(known, headings, own.after), text)
    depth = max((place for place, each in enumerate(found) if each), default=-1)
    above = found[depth] if depth >= 0 else None
    level = above.level if above else TOP - 1
    made = [f"{'#' * min(6, level + number)} {title}" for number, title in enumerate(path[depth + 1 :], 1)]
    before = _before(known, headings, above, titles[depth + 1])
    return inserted(known, before, "\n\n".join([*made, text]))


def _find(headings: Sequence[Heading], title: str) -> Heading | None:
    return next((each for each in headings if each.title == title), None)


def _next(known: Page, headings: Sequence[Heading], after: int) -> int:
    """Return where the section ends that begins at a line: before the next heading of any level."""
    return next((each.line for each in headings if each.line >= after), len(known.lines))


def _before(known: Page, headings: Sequence[Heading], above: Heading | None, title: str) -> int:
    """Return the line before which a section is made, in the template's order, inside the one above it."""
    start = above.after if above else known.body
    level = above.level if above else 0
    end_of = next(
        (each.line for each in headings if each.line >= start and each.level <= level), len(known.lines)
    )
    later = ORDER[ORDER.index(title) + 1 :]
    later_ones = (
        each.line for each in headings if start <= each.line < end_of and _follows(each, later, above)
    )
    return next(later_ones, end_of)


def _follows(heading: Heading, later: Sequence[str], above: Heading | None) -> bool:
    """Tell whether a section stands behind one that is made; a chapter is made before chapters alone."""
    return heading.title in later and (above is not None or heading.level <= TOP)
