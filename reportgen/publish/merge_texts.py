"""The blocks of a report in a publisher's dataset card, and the reference to it in a CITATION.cff."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from reportgen.base.errors import BadInput, Problem
from reportgen.publish.citation_cff import VERSION, campaign_of
from reportgen.publish.dataset_card import PLACES, begin, between, end
from reportgen.publish.files import items
from reportgen.publish.merge_offers import Heading, MarkdownDocument, Merged, Offered, inserted, page

# The blocks of a report in a publisher's dataset card.

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


def merged_card(text: str, offered: Offered, name: str, *, replace: bool) -> Merged:
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


def _problems(known: MarkdownDocument, block: str, name: str) -> list[Problem]:
    """Return what is wrong with the markers of a block: there are one of each in their order, or none."""
    starts, ends = _markers(known, block)
    if (len(starts), len(ends)) == (0, 0) or (len(starts) == len(ends) == 1 and starts[0] < ends[0]):
        return []
    line = min((*starts, *ends)) + 1
    message = f"{begin(block)} and {end(block)} must stand once each, on lines of their own, in this order."
    found = f" {len(starts)} and {len(ends)} were found."
    return [Problem(name, line, "", f"{message}{found}", "Mend or remove the markers.")]


def _markers(known: MarkdownDocument, block: str) -> tuple[list[int], list[int]]:
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


def _newline(known: MarkdownDocument, place: int) -> str:
    return "\r\n" if known.lines[place].endswith("\r\n") else "\n"


def _placed(known: MarkdownDocument, path: Sequence[str], text: str) -> str:
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


def _next(known: MarkdownDocument, headings: Sequence[Heading], after: int) -> int:
    """Return where the section ends that begins at a line: before the next heading of any level."""
    return next((each.line for each in headings if each.line >= after), len(known.lines))


def _before(known: MarkdownDocument, headings: Sequence[Heading], above: Heading | None, title: str) -> int:
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


# The reference to a report in a publisher's CITATION.cff.

KEY, VERSION_KEY = "references", "cff-version"
LAYOUT = "is laid out in a way that reportgen can't change safely."
BY_HAND = "Add the reference by hand; the bundle's CITATION.cff has it."


@dataclass(frozen=True)
class Edit:
    """What comes into the place of a stretch of the text."""

    start: int
    end: int
    text: str


def merged_citation(text: str, offered: Offered, name: str, *, replace: bool) -> Merged:  # noqa: ARG001 - as the others
    """Return a citation file with the reference to a report, which takes the place of an earlier one's."""
    root = _root(text, name)
    written = yaml.safe_load(text)
    known = written.get(KEY) or []
    if not isinstance(known, list):
        raise BadInput([Problem(name, _line(_value(root)), KEY, "is no list.", "Make it one.")])
    if VERSION_KEY not in written:
        mend = f'Begin it with {VERSION_KEY}: "{VERSION}", or check the name.'
        raise BadInput([Problem(name, 1, VERSION_KEY, "is missing, which every citation file has.", mend)])
    old = [place for place, each in enumerate(known) if campaign_of(each) == offered.campaign]
    wanted = [
        offered.reference if place in old else each
        for place, each in enumerate(known)
        if place not in old[1:]
    ]
    if not old:
        wanted.append(offered.reference)
    if wanted == known:
        return Merged(text)
    return Merged(_checked(text, _changed(text, root, old, offered.reference), wanted, name))


def _root(text: str, name: str) -> yaml.MappingNode:
    """Return the file as YAML sees it; raise BadInput where it is none, or has what can't be changed."""
    try:
        for token in yaml.scan(text, Loader=yaml.SafeLoader):
            if isinstance(token, yaml.AliasToken | yaml.AnchorToken | yaml.TagToken):
                mend = "Write it out without anchors, aliases and tags, or add the reference by hand."
                raise BadInput([Problem(name, token.start_mark.line + 1, "", LAYOUT, mend)])
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        raise BadInput([not_yaml(error, name)]) from None
    if not isinstance(root, yaml.MappingNode):
        raise BadInput([Problem(name, 1, "", "is no table of keys and values.", "Look at the file.")])
    keys = [key.value for key, _value in root.value]
    for place, (key, _value) in enumerate(root.value):
        if key.value in keys[:place]:
            raise BadInput(
                [Problem(name, _line(key), key.value, "stands there twice.", "Keep one of the two.")]
            )
    return root


def not_yaml(error: yaml.YAMLError, name: str) -> Problem:
    """Return what is wrong with a text that is no YAML, with the line."""
    mark = getattr(error, "problem_mark", None)
    why = getattr(error, "problem", None) or str(error).partition("\n")[0]
    return Problem(name, mark.line + 1 if mark else 0, "", f"is no YAML: {why}.", "Mend the file.")


def _line(node: yaml.Node | None) -> int:
    return node.start_mark.line + 1 if node else 0


def _value(root: yaml.MappingNode) -> yaml.Node | None:
    return next((value for key, value in root.value if key.value == KEY), None)


def _checked(text: str, edits: Sequence[Edit], wanted: Sequence[Any], name: str) -> str:
    """Return the changed text; raise BadInput where it does not say what it should, and nothing else."""
    done = text
    for each in sorted(edits, key=lambda each: each.start, reverse=True):
        done = done[: each.start] + each.text + done[each.end :]
    try:
        same = yaml.safe_load(done) == {**yaml.safe_load(text), KEY: list(wanted)}
    except yaml.YAMLError:
        same = False
    if not same:
        raise BadInput([Problem(name, 0, KEY, LAYOUT, BY_HAND)])
    return done


def _changed(text: str, root: yaml.MappingNode, old: Sequence[int], entry: Mapping[str, Any]) -> list[Edit]:
    value = _value(root)
    if root.flow_style:
        return list(_in_braces(root, value, old, entry))
    if isinstance(value, yaml.SequenceNode) and value.value:
        if value.flow_style:
            return list(_in_flow(value, old, entry))
        return list(_in_list(text, value, old, entry))
    return [_new_list(text, root, value, entry)]


# Lists in brackets, as JSON has them


def _in_braces(
    root: yaml.MappingNode, value: yaml.Node | None, old: Sequence[int], entry: Mapping[str, Any]
) -> Iterator[Edit]:
    """Yield the changes to a file that is one table in braces."""
    if isinstance(value, yaml.SequenceNode) and value.value:
        yield from _in_flow(value, old, entry)
    elif value is not None:
        yield Edit(value.start_mark.index, value.end_mark.index, f"[{_flow(entry)}]")
    else:
        last = _end(root.value[-1][1])
        yield Edit(last, last, f', "{KEY}": [{_flow(entry)}]')


def _in_flow(value: yaml.SequenceNode, old: Sequence[int], entry: Mapping[str, Any]) -> Iterator[Edit]:
    if not old:
        end = _end(value.value[-1])
        yield Edit(end, end, f", {_flow(entry)}")
        return
    first = value.value[old[0]]
    yield Edit(first.start_mark.index, _end(first), _flow(entry))
    for place in old[1:]:
        yield Edit(_end(value.value[place - 1]), _end(value.value[place]), "")


def _flow(entry: Mapping[str, Any]) -> str:
    return json.dumps(entry)


# Lists with dashes


def _in_list(
    text: str, value: yaml.SequenceNode, old: Sequence[int], entry: Mapping[str, Any]
) -> Iterator[Edit]:
    """Yield the changes to a list of which each item stands behind a dash."""
    column = value.start_mark.column
    inside = value.value[0].start_mark.column
    same_line = value.value[0].start_mark.line == value.start_mark.line
    dash = "-" + " " * max(1, inside - column - 1) if same_line else "- "
    lines = list(items([entry], " " * column, dash))
    newline = _citation_newline(text)
    if not old:
        yield _behind(text, _end(value.value[-1]), lines, newline)
        return
    first = value.value[old[0]]
    shown = newline.join(lines)[column:]
    start = _dash(text, first)
    yield Edit(start, _end(first), shown + (newline if text[: _end(first)].endswith("\n") else ""))
    for place in old[1:]:
        yield Edit(
            _line_start(text, _dash(text, value.value[place])), _line_end(text, _end(value.value[place])), ""
        )


def _dash(text: str, item: yaml.Node) -> int:
    """Return where the dash of an item stands."""
    return text.rindex("-", 0, item.start_mark.index)


def _line_start(text: str, place: int) -> int:
    return text.rfind("\n", 0, place) + 1


def _line_end(text: str, place: int) -> int:
    """Return where the line behind a place begins, or the place itself where one begins there."""
    if text[:place].endswith("\n"):
        return place
    found = text.find("\n", place)
    return len(text) if found < 0 else found + 1


def _behind(text: str, end: int, lines: Sequence[str], newline: str) -> Edit:
    """Return the change that adds lines behind the line in which something ends."""
    place = _line_end(text, end)
    shown = newline.join(lines)
    if place and not text[:place].endswith("\n"):
        return Edit(place, place, f"{newline}{shown}")
    return Edit(place, place, f"{shown}{newline}")


def _new_list(text: str, root: yaml.MappingNode, value: yaml.Node | None, entry: Mapping[str, Any]) -> Edit:
    """Return the change that makes a list, behind its key where it is there, else at the end of the file."""
    newline = _citation_newline(text)
    lines = list(items([entry], "  "))
    if value is None:
        last = root.value[-1][1]
        indent = " " * root.value[0][0].start_mark.column
        shown = [f"{indent}{each}" for each in (f"{KEY}:", *lines)]
        return _behind(text, _end(last), shown, newline)
    key = next(key for key, each in root.value if each is value)
    colon = text.index(":", key.end_mark.index) + 1
    return Edit(colon, max(colon, _end(value)), newline + newline.join(lines))


def _citation_newline(text: str) -> str:
    return "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"


def _end(node: yaml.Node) -> int:
    """Return where the content of a node ends, blanks and comments behind it left out."""
    if not isinstance(node, yaml.CollectionNode) or node.flow_style or not node.value:
        return int(node.end_mark.index)
    last = node.value[-1]
    return _end(last[1] if isinstance(last, tuple) else last)
