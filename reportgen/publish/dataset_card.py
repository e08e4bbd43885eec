"""dataset-card.md: what a dataset card of Hugging Face says of the annotation, in blocks between markers.

Its sections are those of Hugging Face's own template; `merge` puts the blocks into a publisher's card.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem
from reportgen.publish import sentences
from reportgen.publish.bundle_files import (
    AGGREGATED,
    LABEL_TABLE,
    REPORT,
    Merged,
    Offered,
    Released,
    json_lines,
)
from reportgen.publish.bundle_files import block as yaml_lines
from reportgen.publish.sentences import in_english, leading, plain
from reportgen.report import declarations
from reportgen.report.checklists.answers import groups_in_words
from reportgen.report.escaping import escape_markdown
from reportgen.report.tables import ReportTable, TableColumn, to_markdown
from reportgen.results import Results, UnitSet
from reportgen.words.numbers import estimate

if TYPE_CHECKING:
    from markdown_it.token import Token

PROCESS, PEOPLE = "iaa", "iaa-annotators"
# What the campaign says of its annotators.
OF_PEOPLE = tuple(
    f"protocol.{key}"
    for key in (
        *("recruitment", "training", "pay", "pay_amount", "pay_minimum", "demographics"),
        *("language_proficiency", "expertise", "consent", "ethics"),
    )
)
# Where each block is, from the section down.
ANNOTATIONS = ("Dataset Creation", "Annotations")
PLACES = {PROCESS: (*ANNOTATIONS, "Annotation process"), PEOPLE: (*ANNOTATIONS, "Who are the annotators?")}
# How much there is, in Hugging Face's words: "n<1K", "1K<n<10K" and so on to "n>1B".
POWERS = ("1K", "10K", "100K", "1M", "10M", "100M", "1B")
SIZES = ("n<1K", *(f"{low}<n<{high}" for low, high in pairwise(POWERS)), "n>1B")
LINK = f"[agreement report]({REPORT}index.html)"
CREATORS = "# annotations_creators: expert-generated, crowdsourced or machine-generated; only you know."


@in_english
def write(released: Released) -> str:
    """Return the card: suggestions for its head, and the blocks under their sections."""
    documents = released.results.campaign.corpus.get("documents")
    about: dict[str, Any] = {
        "tags": [keyword.replace(" ", "-") for keyword in sentences.keywords(released.results)]
    }
    if isinstance(documents, int):
        about["size_categories"] = [SIZES[min(max(0, len(str(documents)) - 3), len(SIZES) - 1)]]
    if configs := [*_configs(released)]:
        about["configs"] = configs
    head = ["---", "# Suggestions for the head of your own card.", CREATORS, *yaml_lines(about), "---"]
    body = [f"## {ANNOTATIONS[0]}", f"### {ANNOTATIONS[1]}"]
    for name, text in blocks(released.results).items():
        body += [f"#### {PLACES[name][-1]}", between(name, text)]
    return "\n\n".join(["\n".join(head), *body]) + "\n"


def _configs(released: Released) -> Iterator[dict[str, Any]]:
    """Yield how `datasets` loads the tables of labels: from JSON lines, where a label "None" stays one."""
    for name, file in (("labels", LABEL_TABLE), ("aggregated", AGGREGATED)):
        if json_lines(file) in released.files:
            yield {"config_name": name, "data_files": json_lines(file)}


def begin(name: str) -> str:
    """Return the marker before a block."""
    return f"<!-- {name}:begin -->"


def end(name: str) -> str:
    """Return the marker behind a block."""
    return f"<!-- {name}:end -->"


def between(name: str, text: str) -> str:
    """Return a block between its markers."""
    return f"{begin(name)}\n{text}\n{end(name)}"


def blocks(results: Results) -> dict[str, str]:
    """Return the text of each block, without its markers; the first line says whose report it comes from."""
    whose = f"<!-- agreement report {results.campaign.id} {results.guidelines} -->"
    paragraphs = {PROCESS: [*_process(results)], PEOPLE: [*_people(results)]}
    return {name: "\n\n".join([whose, *statements]) for name, statements in paragraphs.items()}


def _process(results: Results) -> Iterator[str]:
    yield " ".join(_sentences(results))
    yield to_markdown(_table(results))
    tool = f"{results.tool.name} {results.tool.version}"
    yield (
        f"The {LINK} shows the tables behind each figure, says what the figures bear and what not, and can "
        f"be recomputed from its counts. Made with {tool}."
    )


def _sentences(results: Results) -> Iterator[str]:
    tool = results.campaign.protocol.get("tool")
    within = escape_markdown(f", in {plain(str(tool))}") if tool else ""
    yield f"Annotated under guidelines {results.guidelines}{within}."
    yield from sentences.independence(results)
    for layers, group in sentences.alike(results):
        yield escape_markdown(f"{layers}{sentences.labelled_alike(results, group)}.")
        if number := sentences.per_unit(results, group[0]):
            yield escape_markdown(f"Annotations: {number}.")
    yield from (escape_markdown(machine) for machine in sentences.machines(results))
    if method := sentences.of_method(results, results.primary):
        yield escape_markdown(f"{method}.")
    if any(map(sentences.without_interval, leading(results))):
        yield "Categories with too few labels for an interval are never named as the weakest."


def _people(results: Results) -> Iterator[str]:
    """Yield what the campaign says of its annotators; what it does not say is not inferred."""
    people = sentences.people(results, results.primary)
    yield f"{escape_markdown(people)} under guidelines {results.guidelines}."
    if groups := groups_in_words(results):
        yield escape_markdown(plain(groups))
    for key in OF_PEOPLE:
        if said := declarations.value(results, key):
            yield escape_markdown(f"{declarations.TITLES[key]}: {plain(said)}")


SPECIFIC = "specific_agreement"
F = "f_measure"


def _table(results: Results) -> ReportTable:
    rows = [_row(results, unit_set) for unit_set in leading(results)]
    columns = [
        TableColumn("layer", "Layer"),
        TableColumn("unit_set", "Units"),
        TableColumn("units", "Number compared", "count"),
        TableColumn("coefficient", "Coefficient"),
        TableColumn("value", "Value [95% interval]", "estimate"),
        TableColumn("category", "Weakest category"),
        TableColumn(SPECIFIC, "Specific agreement", "estimate"),
        TableColumn(F, "F-measure of marks", "figure"),
    ]
    marks = any(row[F] is not None for row in rows)
    absent = {name for name, there in (("layer", len(rows) > 1), (F, marks)) if not there}
    shown = tuple(column for column in columns if column.key not in absent)
    cells = tuple(tuple(row[column.key] for column in shown) for row in rows)
    return ReportTable("agreement", "Agreement", shown, cells)


def _row(results: Results, unit_set: UnitSet) -> dict[str, str | int | float | None]:
    answer, figure = results.answer_of(unit_set.layer), sentences.coefficient(results, unit_set)[1]
    category, agreement = sentences.weakest(unit_set) or ("–", None)
    if results.subject_of(unit_set.layer) == "recordings":
        category, agreement = "–", None
    compared = unit_set.units_compared if figure is None or figure.units is None else figure.units
    strict = sentences.strict(results, unit_set.layer)
    return {
        "layer": unit_set.layer,
        "unit_set": unit_set.id,
        "units": answer.units if answer else compared,
        "coefficient": plain(sentences.named(results, unit_set.layer)),
        "value": estimate(answer.value if answer else figure),
        "category": plain(category),
        SPECIFIC: estimate(agreement),
        F: strict.value if strict else None,
    }


# Where the sections of a Markdown text are, and markers; neither is looked for in code and comments.

LINE = re.compile(r"[^\n]*\n|[^\n]+")
RULE = re.compile(r"---[ \t]*\r?\n?$")
OPTIONAL = re.compile(r" ?\[optional\]$", re.IGNORECASE)
END = "end"


@dataclass(frozen=True)
class Heading:
    """A heading: its line and the one behind it, counted from 0, its level, its title in small letters."""

    line: int
    after: int
    level: int
    title: str


@dataclass(frozen=True)
class MarkdownDocument:
    """A Markdown text by its lines, with their ends; `live` are those outside of code, comments and head.

    `body` is the first line behind the head, `unclosed` that of a fence or a comment that nothing closes.
    """

    lines: tuple[str, ...]
    body: int
    headings: tuple[Heading, ...]
    live: frozenset[int]
    unclosed: int | None

    def newline(self, line: int = 0) -> str:
        """Return how a line ends."""
        return "\r\n" if "".join(self.lines[line : line + 1]).endswith("\r\n") else "\n"

    def markers(self, name: str) -> list[int]:
        """Return the lines that are nothing but a marker of this name."""
        marker = re.compile(rf"\s*<!--\s*{re.escape(name)}\s*-->\s*$")
        return [index for index, line in enumerate(self.lines) if index >= self.body and marker.match(line)]


def page(text: str) -> MarkdownDocument:
    """Return a text by its lines, as CommonMark reads it."""
    from markdown_it import MarkdownIt

    lines = tuple(LINE.findall(text))
    body = head_of(lines)
    # A line ends with \n alone. What nothing closes takes in the paragraph that is added at the end.
    below = "".join(lines[body:]).replace("\r\n", "\n").replace("\r", " ")
    blocks = [
        (token, range(body + token.map[0], body + token.map[1]))
        for token in MarkdownIt("commonmark").parse(f"{below}\n\n{END}")
        if token.map
    ]
    # Of a heading, what it says comes behind its beginning.
    headings = tuple(
        Heading(lines_of.start, lines_of.stop, int(token.tag[1:]), _title(inner.content))
        for (token, lines_of), (inner, _) in pairwise(blocks)
        if token.type == "heading_open" and not token.level
    )
    last, last_lines = blocks[-1]
    live = frozenset(range(body, len(lines))).difference(
        *(block_lines for token, block_lines in blocks if _is_hidden(token))
    )
    return MarkdownDocument(lines, body, headings, live, None if last.content == END else last_lines.start)


def _is_hidden(token: "Token") -> bool:
    """Tell whether a block is code, or a comment of several lines; a marker is one of a single line."""
    text = token.content.strip()
    comment = token.type == "html_block" and text.startswith("<!--") and "\n" in text
    return comment or token.type in {"fence", "code_block"}


def head_of(lines: Sequence[str]) -> int:
    """Return how many lines the head of a card takes, its rules included; 0 where there is none."""
    if not lines or not RULE.match(lines[0].removeprefix("\ufeff")):
        return 0
    return next((index + 1 for index, line in enumerate(lines[1:], 1) if RULE.match(line)), 0)


def _title(text: str) -> str:
    return OPTIONAL.sub("", " ".join(text.split())).casefold()


def inserted(card: MarkdownDocument, before: int, text: str) -> str:
    """Return the page with a paragraph of its own behind the last line that is not blank before a place."""
    after = before
    while after and not card.lines[after - 1].strip():
        after -= 1
    newline = card.newline()
    shown = text.replace("\n", newline)
    head, tail = "".join(card.lines[:after]), "".join(card.lines[after:])
    if not head:
        return f"{shown}{newline}{newline if tail else ''}{tail}"
    if not head.endswith("\n"):
        return f"{head}{newline}{newline}{shown}"
    apart = newline if tail and card.lines[after].strip() else ""
    return f"{head}{newline}{shown}{newline}{apart}{tail}"


# The blocks of a report in a publisher's dataset card.

# Sections in the order of Hugging Face's template, without their marks of being optional.
ORDER = (
    *("dataset details", "dataset description", "dataset sources"),
    *("uses", "direct use", "out-of-scope use", "dataset structure"),
    *("dataset creation", "curation rationale", "source data", "data collection and processing"),
    *("who are the source data producers?", "annotations", "annotation process", "who are the annotators?"),
    *("personal and sensitive information", "bias, risks, and limitations", "recommendations"),
    *("citation", "glossary", "more information", "dataset card authors", "dataset card contact"),
)
TOP = 2
WHOSE = re.compile(r"<!-- agreement report (\S+) (\S+) -->")


def merged(text: str, offered: Offered, name: str, *, replace: bool) -> Merged:
    """Return a card with the blocks of a report, between their markers or under their sections."""
    card = page(text)
    problems = [problem for block in PLACES for problem in _problems(card, block, name)]
    if card.unclosed is not None:
        message = "opens code or a comment that nothing closes, so that all below it is a part of it."
        problems.append(Problem(name, card.unclosed + 1, "", message, "Close it."))
    if problems:
        raise BadInput(problems)
    done = Merged(text)
    for block, content in offered.blocks.items():
        _put(done, block, content, offered, replace=replace)
    return done


def _problems(card: MarkdownDocument, block: str, name: str) -> Iterator[Problem]:
    """Yield what is wrong with the markers of a block: there are one of each in their order, or none."""
    starts, ends = _markers(card, block)
    number = len(starts), len(ends)
    if number != (0, 0) and (number != (1, 1) or starts > ends):
        message = f"{begin(block)} and {end(block)} must be there once each, on lines of their own, in order."
        counted_markers = f"{message} {number[0]} and {number[1]} were found."
        yield Problem(name, min((*starts, *ends)) + 1, "", counted_markers, "Correct or remove the markers.")


def _markers(card: MarkdownDocument, block: str) -> tuple[list[int], list[int]]:
    """Return the lines of the markers of a block; in code they are none."""
    starts, ends = (
        [index for index in card.markers(f"{block}:{which}") if index in card.live]
        for which in ("begin", "end")
    )
    return starts, ends


def _put(done: Merged, block: str, content: str, offered: Offered, *, replace: bool) -> None:
    card = page(done.text)
    starts, ends = _markers(card, block)
    if not starts:
        done.text = _placed(card, PLACES[block], between(block, content))
        return
    start, stop = starts[0] + 1, ends[0]
    whose = WHOSE.search("".join(card.lines[start:stop]))
    if whose and whose[1] != offered.campaign and not replace:
        done.kept.append(f"the block {begin(block)} is the campaign {whose[1]}'s and stays.")
    else:
        shown = f"{content}\n".replace("\n", card.newline(starts[0]))
        done.text = "".join((*card.lines[:start], shown, *card.lines[stop:]))


def _placed(card: MarkdownDocument, path: Sequence[str], text: str) -> str:
    """Return the page with a text in a section, which is made where it is missing."""
    titles = [title.casefold() for title in path]
    sections = [
        next((heading for heading in card.headings if heading.title == title), None) for title in titles
    ]
    if own := sections[-1]:
        # The section ends before the next heading of any level.
        following = (heading.line for heading in card.headings if heading.line >= own.after)
        return inserted(card, next(following, len(card.lines)), text)
    depth = max((index for index, section in enumerate(sections) if section), default=-1)
    above = sections[depth] if depth >= 0 else None
    level = above.level if above else TOP - 1
    headings = [
        f"{'#' * min(6, level + number)} {title}" for number, title in enumerate(path[depth + 1 :], 1)
    ]
    return inserted(card, _before(card, above, titles[depth + 1]), "\n\n".join([*headings, text]))


def _before(card: MarkdownDocument, above: Heading | None, title: str) -> int:
    """Return the line before which a section is made, in the template's order, inside the one above it."""
    start, level = (above.after, above.level) if above else (card.body, 0)
    later = ORDER[ORDER.index(title) + 1 :]
    for heading in card.headings:
        # A chapter is made before chapters alone.
        follows = heading.title in later and (above is not None or heading.level <= TOP)
        if heading.line >= start and (heading.level <= level or follows):
            return heading.line
    return len(card.lines)
