"""What a terminal shows: `agree` as tables, the catalogue's entries, lists, what `init` and `build` found."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from reportgen.base.errors import printable
from reportgen.report.matrices import sets_sentence
from reportgen.results import Confusion, Definition, Entry, Figure, UnitSet
from reportgen.words.numbers import counted
from reportgen.words.numbers import estimate as estimate_text
from reportgen.words.numbers import figure as figure_text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from reportgen.pipeline.build import Site
    from reportgen.pipeline.build_cache import LayerScore, VersionScore


# What labels say already.
SAID = ("Use it ", "Use them ", "Use a table ", "Not ")
MOST_COLUMNS = 12
WIDE = 100
READABLE = 80
NAMES_SHOWN = 10
LABELS_SHOWN = 15
LAYERS_SHOWN = 8
LONGEST_NAME = 40
ESTIMATE = "0.123 [0.012, 0.234]"
MOST_CATEGORIES = 20
T = TypeVar("T")


def console() -> "Console":
    """Return a console for standard output; colours follow the terminal and NO_COLOR."""
    from rich.console import Console

    plain = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    if not plain.is_terminal:
        plain.width = WIDE
    return plain


def print_highlighted(line: str, colour: str, words: str) -> None:
    """Print a line for people, what the pattern `words` matches in a colour where there are colours."""
    from rich.text import Text

    text = Text(printable(line))
    text.highlight_regex(words, colour)
    console().print(text)


def table(head: Sequence[str], rows: Iterable[Sequence[str]], more: int = 0) -> "Table":
    """Return a table of texts that may be anything: the first column is of texts, the others of numbers.

    A last row tells of so many `more`.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    printed = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for index, column in enumerate(head):
        printed.add_column(Text(printable(column)), justify="right" if index else "left", overflow="fold")
    for row in (*rows, *([[f"… {more} more (--json)"]] if more > 0 else [])):
        printed.add_row(*(Text(printable(cell)) for cell in row))
    return printed


def foremost(names: Sequence[T], most: int, rank: Callable[[T], float]) -> list[T]:
    """Return of very many names those of the highest rank, in the order in which they are given."""
    positions = sorted(range(len(names)), key=lambda position: -rank(names[position]))[:most]
    return [names[position] for position in sorted(positions)]


def show_unit_set(
    unit_set: UnitSet, names: dict[str, str], reading: str, primary: str, out: "Console"
) -> None:
    """Print the primary figure, a confusion matrix, every figure and specific agreement of one unit set."""
    show_account(unit_set, reading, out)
    if primary in unit_set.measures:
        figure = unit_set.measures[primary]
        without = figure.interval.undefined if figure.interval else None
        why = f", without an interval: {without}." if without else ""
        out.print(wrapped(f"For this scale, {names[primary]}: {_shown(figure)}{why}"))
    if len(unit_set.pairs) == 1 and len(unit_set.wholes) <= MOST_COLUMNS:
        out.print(_confusion(unit_set.pairs[0].confusion, out.width))
    out.print(_figures(unit_set, names))
    if unit_set.sets:
        out.print(wrapped(sets_sentence(unit_set.sets)))
    # Specific agreement is by category, of sets by label.
    specific = unit_set.specific_agreement
    shown = foremost(list(specific), MOST_CATEGORIES, unit_set.uses)
    head = ("label, chosen or not" if unit_set.sets else "category", "specific agreement [95% interval]")
    rows = [(name, _shown(specific[name])) for name in shown]
    out.print(table(head, rows, len(specific) - len(shown)))
    if len(unit_set.pairs) > 1:
        means = (
            (names.get(name, name), figure_text(mean.value), str(mean.pairs))
            for name, mean in unit_set.mean_over_pairs.items()
        )
        out.print(table(("mean over pairs", "value", "pairs"), means))


def show_account(unit_set: UnitSet, reading: str, out: "Console") -> None:
    """Print how a file was read, how much there is of everything, and what became of the labels."""
    out.print(printable(reading))
    parts = [
        counted(len(unit_set.annotators), "annotator", "annotators"),
        counted(unit_set.units, "unit", "units"),
        _categories(unit_set),
        *([counted(unit_set.documents, "document", "documents")] if unit_set.documents else []),
    ]
    out.print(", ".join(parts))
    out.print(wrapped(_account(unit_set)))


def _categories(unit_set: UnitSet) -> str:
    if unit_set.sets is None:
        return counted(len(unit_set.wholes), "category", "categories")
    labels = counted(len(unit_set.judged), "label", "labels")
    return f"{labels} in {counted(len(unit_set.wholes), 'different set', 'different sets')}"


def _account(unit_set: UnitSet) -> str:
    """Return what became of the labels: how many were read, used and left out, and why."""
    marks = unit_set.marks
    left_out = sum(marks.left_out.values())
    besides = marks.not_compared or {}
    counts = (
        *((count, f"Not compared: {kind}, {count:,}.") for kind, count in besides.items()),
        *((count, f"{count:,}: {reason}.") for reason, count in marks.left_out.items()),
        (marks.repeated, f"Labels given again, the same: {marks.repeated:,}."),
        (marks.contradicting, f"Labels given again, different: {marks.contradicting:,}."),
        (marks.missing, f"Cells without a label: {marks.missing:,}."),
    )
    beside = f" + not compared {sum(besides.values()):,}" if besides else ""
    account = f"Labels read {marks.read:,} = used {marks.used:,} + left out {left_out:,}{beside}."
    return " ".join([account, *(text for count, text in counts if count)])


# What a table takes beside the texts of a column.
BETWEEN_COLUMNS = 2


def _confusion(confusion: Confusion, width: int) -> "Table":
    """Return the matrix; where the names of categories do not fit above it, they are numbered in the rows."""
    from rich.cells import cell_len

    total = "Total"
    names: Sequence[str] = (*confusion.categories, total)
    heads = names
    first = max(map(cell_len, (*names, f"{confusion.rows} \\ {confusion.columns}")))
    if first + sum(cell_len(name) + BETWEEN_COLUMNS for name in names) > width:
        numbered = [str(number) for number in range(1, len(confusion.categories) + 1)]
        heads = (*numbered, total)
        names = (*map("{} {}".format, numbered, confusion.categories), total)
    grid = [[*row, sum(row)] for row in confusion.grid]
    grid.append([sum(column) for column in zip(*grid, strict=True)])
    rows = ([name, *(f"{value:,}" for value in row)] for name, row in zip(names, grid, strict=True))
    return table((f"{confusion.rows} \\ {confusion.columns}", *heads), rows)


def _figures(unit_set: UnitSet, names: dict[str, str]) -> "Table":
    head = ("figure", "value [95% interval]", "observed", "expected", "standard error")
    rows = [
        (
            names.get(name, name),
            _shown(figure),
            *("" if part is None else figure_text(part) for part in parts),
        )
        for name, figure in unit_set.measures.items()
        for parts in [(figure.observed, figure.expected, figure.standard_error)]
    ]
    printed = table(head, rows)
    printed.collapse_padding = True
    printed.columns[1].min_width = len(ESTIMATE)
    printed.columns[-1].max_width = len("standard")
    return printed


def _shown(figure: Figure) -> str:
    """Return a figure with its interval, or why there is none."""
    return estimate_text(figure) if figure.value is not None else figure.undefined or ""


def entry_fields(entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield what an entry says, each with its label, but for the formula and what other libraries return."""
    if isinstance(entry, Definition):
        yield "Chance", f"{entry.chance}."
        yield "Assumes", entry.assumptions
        yield "Annotators", f"{entry.annotators}; counted are {entry.missing}."
    yield "Use it", _after(entry.use)
    yield "Not", _after(entry.avoid)
    if entry.works:
        yield "Source", "; ".join(work.cited for work in entry.works) + "."


def _after(sentence: str) -> str:
    """Return a sentence without the words that its label says already."""
    label = next((beginning for beginning in SAID if sentence.startswith(beginning)), "")
    return sentence.removeprefix(label)


def show_entry(id_: str, entry: Entry, out: "Console") -> None:
    """Print one entry of the catalogue, or of what is in brackets."""
    out.print(printable(f"{entry.name} ({id_})"))
    out.print(wrapped(f"  {entry.answers}", "  "))
    out.print(printable(f"  {entry.formula}"))
    for label, text in entry_fields(entry):
        out.print(wrapped(f"  {label}: {text}", "    "))
    if entry.elsewhere:
        out.print("  In other libraries:")
    for library in entry.elsewhere:
        out.print(wrapped(f"    {library.library}: {library.returns}.", "      "))


def show_families(
    definitions: Mapping[str, Definition], brackets: Mapping[str, Entry], out: "Console"
) -> None:
    """Print every measure with its question, family by family, and what can be in brackets."""
    for family in dict.fromkeys(definition.family for definition in definitions.values()):
        out.print(f"{family}:")
        rows = [
            (name, definition.answers)
            for name, definition in definitions.items()
            if definition.family == family
        ]
        show_rows(("id", "answers"), rows, out)
        out.print()
    out.print("In brackets:")
    show_rows(("id", "says"), [(name, bracket.answers) for name, bracket in brackets.items()], out)


def show_rows(head: Sequence[str], rows: Iterable[Sequence[str]], out: "Console") -> None:
    """Print rows of text under their heads."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in head:
        table.add_column(Text(column), overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    out.print(table)


def show_survey(survey: Mapping[str, Any], out: "Console") -> None:
    """Print what `reportgen init` found in a folder, version by version, and what is to be done."""
    for version in survey["versions"]:
        out.print(f"{_name(version['version'])}: {version['title']}")
        fields = [(name, text) for name, text in _fields(version) if text]
        width = max(len(name) for name, _ in fields) + 4
        for name, text in fields:
            out.print(wrapped(f"  {name:<{width - 2}}{text}", " " * width))
        out.print()
    if survey["aside"]:
        out.print(wrapped(f"Not read: {_names(survey['aside'])}."))
    out.print(f"Written: {printable(survey['file'])}")
    out.print("Decided, each with the key that changes it:")
    for decision in survey["decided"]:
        out.print(wrapped(f"- {decision}", "  "))
    out.print("Next:")
    for step in survey["next"]:
        out.print(wrapped(f"- {step}", "  "))
    out.print(f"  {printable(survey['command'])}")


def _fields(version: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what is known of one version, empty where nothing is."""
    unread = [
        *version["files_unread"],
        *(file for other_files in version["other_formats"].values() for file in other_files),
    ]
    columns = _pairs(version["columns"])
    if version["choose_columns"]:
        guess = f"; what follows rests on a guess: {columns}" if version["marks"] else ""
        columns = f"to be chosen{guess}"
    others = f"{version['format']} is taken; there is also {_names(list(version['other_formats']))}"
    yield "exports", _names(version["exports"])
    yield "tool", version["tool"]
    yield (
        "files",
        f"{version['files_read']:,} read" + (f", {len(unread):,} not: {_names(unread)}" if unread else ""),
    )
    yield "formats", others if version["other_formats"] else ""
    yield "columns", columns
    yield "read as", version["reading"]
    if version["annotators"]:
        yield "annotators", f"{len(version['annotators']):,}: {_names(version['annotators'])}"
        # How much there is to compare.
        noun = "marks" if version["in_texts"] else "labels"
        without = f", {version['unmarked']:,} of them without any {noun.removesuffix('s')}"
        unmarked = without if version["unmarked"] else ""
        if version["documents"]:
            yield "documents", f"{version['documents']:,}" + ("" if version["units"] else unmarked)
        if version["units"]:
            yield "units", f"{version['units']:,}" + unmarked
        yield noun, f"{version['marks']:,}"
        layers = [layer for layer in version["layers"] if len(layer["labels"]) > 1]
        if len(layers) < len(version["layers"]) or not layers:
            yield ("layers" if version["layers"] else "categories"), _labels(version["labels"])
        for layer in layers[:LAYERS_SHOWN]:
            yield _name(_short(layer["source"])), _labels(layer["labels"])
        if len(layers) > LAYERS_SHOWN:
            yield "more", f"{len(layers) - LAYERS_SHOWN:,} other layers"
        if version["set_separator"]:
            yield "sets", f"labels have several members, with {version['set_separator']} between"
    yield "roles", _pairs(version["roles"])
    yield "could be layers", _names([_short(name) for name in version["sources"]], LABELS_SHOWN)


def _labels(labels: Mapping[str, int]) -> str:
    first = list(labels.items())[:LABELS_SHOWN]
    return _listed([f"{_name(name)} ({count:,})" for name, count in first], len(labels))


def _pairs(pairs: Mapping[str, str]) -> str:
    return ", ".join(f"{_name(key)} = {_name(value)}" for key, value in list(pairs.items())[:NAMES_SHOWN])


def _names(names: Sequence[str], most: int = NAMES_SHOWN) -> str:
    return _listed([_name(name) for name in names[:most]], len(names))


def _listed(shown: Sequence[str], number: int) -> str:
    """Return the first of so many with commas, and how many more there are."""
    more = number - len(shown)
    return ", ".join(shown) + (f", and {more:,} more" if more > 0 else "")


def _short(source: str) -> str:
    """Return a source without the package in front of its type."""
    name, arrow, feature = source.partition("->")
    return f"{name.rpartition('.')[2] or name}{arrow}{feature}"


def _name(name: str) -> str:
    """Return a name that may be anything, on one line and not too long."""
    line = " ".join(name[: 2 * LONGEST_NAME].split())
    return printable(line if len(line) <= LONGEST_NAME else f"{line[:LONGEST_NAME]}…")


def wrapped(text: str, indent: str = "") -> str:
    """Return text in lines that are read easily, all but the first indented."""
    import textwrap

    return textwrap.fill(
        printable(text), READABLE, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


# What `reportgen build` prints: every version in a line, every layer of the newest.

# The verdict on a layer: a mark for those who do not see its colour, a word, the colour. The gravest first.
VERDICTS = {
    "problem": ("✗", "too low", typer.colors.RED),
    "warning": ("?", "undecided", typer.colors.YELLOW),
    "note": ("~", "with caution", typer.colors.BLUE),
    "good": ("✓", "high", typer.colors.GREEN),
}


def scoreboard(site: "Site") -> Iterator[str]:
    """Yield a line for each version; of a campaign's newest one for each layer, and what to do first."""
    for campaign in site.campaigns:
        scores = campaign.remembered.scores
        yield from (f"{campaign.id} {score.version}: {_score(score)}" for score in scores)
        if len(scores[-1].layers) > 1:
            yield from _layers(scores[-1].layers)
        if to_do := scores[-1].to_do:
            yield wrapped(f"  What to do first: {to_do}", "  ")


def _score(score: "VersionScore") -> str:
    """Return the figure and the verdict of one layer, of several how many have each verdict."""
    if len(score.layers) > 1:
        severities = Counter[str](layer.severity for layer in score.layers)
        words = ((word, severities[severity]) for severity, (_, word, _) in VERDICTS.items())
        counts = [f"{word} on {count}" for word, count in words if count]
        return f"agreement is {', '.join(counts)} of {len(score.layers)} layers"
    (layer,) = score.layers
    if layer.answer:
        return wrapped(layer.answer, "  ")
    _, word, colour = VERDICTS[layer.severity]
    return f"{printable(layer.coefficient)} {layer.figure}, {_in_colour(word, colour)}"


def _layers(layers: Sequence["LayerScore"]) -> Iterator[str]:
    order = list(VERDICTS)
    widths = [max(len(layer.layer) for layer in layers), max(len(layer.figure) for layer in layers)]
    for layer in sorted(layers, key=lambda layer: order.index(layer.severity)):
        mark, word, colour = VERDICTS[layer.severity]
        if layer.answer:
            yield f"  {_in_colour(mark, colour)}  {wrapped(f'{layer.layer}: {layer.answer}', '     ')}"
            continue
        cells = (
            f"{text:{width}}"
            for text, width in zip((printable(layer.layer), layer.figure), widths, strict=True)
        )
        yield f"  {_in_colour(mark, colour)}  {'  '.join(cells)}  {_in_colour(word, colour)}"


def _in_colour(text: str, colour: str) -> str:
    """Return a text in its colour; what is no terminal is sent none."""
    return text if os.environ.get("NO_COLOR") else typer.style(text, fg=colour)
