"""Messages that stand in results with their values filled in already: found again by their form.

What is said of marks that are left out, and of how exports were read, is written where they are read; names
of columns, layers and types stand in it, which are the same in every language.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from reportgen.words.language import N_, _, habits

# Reasons that say who, or what.
REASONS = (
    N_("not an annotator but a {role}: compared with the annotators, never counted among them"),
    N_("another mark on the same {units} has a label that comes first in priority"),
    N_("campaign.toml names no guidelines document for {version}"),
    N_("the guidelines document of {version} is no text file"),
    N_("the guidelines document of {version} is not there"),
    N_("the guidelines document of {version} is too long to compare"),
)
# Sentences on how exports were read.
SENTENCES = (
    N_("{layer}: relations of {type}, labelled by {feature}, by their arguments."),
    N_("{layer}: relations of every type, by their arguments."),
    N_("{layer}: relations of {type}, by their arguments."),
    N_("{layer}: marks of {type}, labelled by {feature}."),
    N_("{layer}: marks of {type}."),
    N_("Wide table: {parts}; labels are sets separated by {sign}; {written}."),
    N_("Long table: {parts}; labels are sets separated by {sign}; {written}."),
    N_("Wide table: {parts}; {written}."),
    N_("Long table: {parts}; {written}."),
    N_("1 file:"),
    N_("{count} files:"),
    N_("And 1 more file."),
    N_("And {count} more files."),
    N_("Confusion matrix: one annotator's categories in rows, the other's in columns; {written}."),
    N_(
        "Counts that reportgen wrote beside a report: how many units have which labels by whom, without "
        "texts and without units. Left out is what counts do not tell: the places where annotators differ, "
        "error rates, drift and difficult items, second passes, and agreement on where units of text begin "
        "and end."
    ),
    N_("Prodigy: an answer a line; of several answers to one question the last counts."),
    N_("doccano 1.0: labels are the numbers that doccano gave them, offsets are UTF-16 units."),
    N_("doccano: a file for each annotator; offsets are UTF-16 units."),
    N_("Label Studio: tasks."),
    N_("Label Studio: annotations one by one."),
    N_("Offsets are UTF-16 units."),
    N_(
        "White space differs from the first annotator's text in {count} of {copies} copies; marks shifted "
        "onto it: {marks}."
    ),
    N_("brat standoff: the category of a mark is its type, offsets count characters."),
    N_(
        "brat standoff: the category of a mark is its type, offsets count characters; 1 file counts line "
        "ends as two characters, a byte order mark, or UTF-16 units, as the covered texts show."
    ),
    N_(
        "brat standoff: the category of a mark is its type, offsets count characters; {count} files count "
        "line ends as two characters, a byte order mark, or UTF-16 units, as the covered texts show."
    ),
    N_("GATE XML: sets of annotations are annotators, the category of a mark is its type."),
    N_("GATE bdoc: sets of annotations are annotators, the category of a mark is its type."),
    N_("UIMA CAS JSON: marks of the first view; lines are numbers of feature structures."),
    N_("UIMA CAS XMI: marks of the first view."),
    N_("INCEpTION project: copies and their states as the project lists them; curated ones are a reference."),
    N_("WebAnno TSV: rows that share a number are one mark; text between sentences is white space."),
    N_("Inline XML: the name of an element is the category, all character data is the text."),
    N_(
        "Praat TextGrid: a tier is a layer, an interval without a label is no mark; places are milliseconds, "
        "which figures call characters."
    ),
    N_(
        "ELAN: a tier is a layer; a time slot without a value lies evenly between its neighbours, "
        "annotations that divide a parent share its time evenly; places are milliseconds, which figures call "
        "characters."
    ),
    N_("CoNLL-U: a mark is the label of one word; words are joined by spaces, sentences by new lines."),
    N_("Columns: tokens are joined by spaces, sentences by new lines."),
    N_("Each annotator has a column."),
    N_("Read: {schemes}."),
    N_("A tag each token: {layers}."),
    N_("1 tag is not as the scheme has it: what it forbids starts a mark of its own."),
    N_("{count} tags are not as the scheme has it: what it forbids starts a mark of its own."),
    N_(
        "MMAX2: the words joined by spaces are the text, the category of a markable is its level, and a "
        "project without any level was not annotated."
    ),
    N_(
        "MMAX2: the words joined by spaces are the text, the category of a markable is its level, and a "
        "project without any level was not annotated; 1 word has an id that an earlier one has, which is "
        "then meant."
    ),
    N_(
        "MMAX2: the words joined by spaces are the text, the category of a markable is its level, and a "
        "project without any level was not annotated; {count} words have ids that earlier ones have, which "
        "is then meant."
    ),
)
# What stands between the commas of a sentence.
PARTS = (
    N_("each row is a unit"),
    N_("units in the first column"),
    N_("units in column {column}"),
    N_("annotators in {column}"),
    N_("labels in {column}"),
    N_("documents in {column}"),
    N_("passes in {column}"),
    N_("texts in {column}"),
    N_("{count} columns of labels"),
    N_("one for each annotator"),
    N_("one column of labels"),
    N_("comma-separated"),
    N_("semicolon-separated"),
    N_("tab-separated"),
    N_("bar-separated"),
    N_("first sheet that holds anything"),
    N_("all sheets"),
    N_("a sheet for each annotator"),
    N_("{layer} in {scheme}"),
)
COUNTS = ("count", "copies", "marks")
# What a place of a form can hold; anything where nothing is said. Some hold messages themselves.
PLACES = {
    "layer": r"\S+",
    **dict.fromkeys(COUNTS, r"[\d,]+"),
    "written": (
        r"(?:JSON|\w+-separated, [^ ;]+|"
        "Excel, (?:first sheet that holds anything|all sheets|a sheet for each annotator))"
    ),
}
WORDS = ("role", "units")
LISTS = ("parts", "written", "schemes")
PLACE = re.compile(r"\\\{(\w+)\\\}")
END = re.compile(r"(?<=[.:]) |$")


def reason(text: str) -> str:
    """Return a reason in the language that is being written; one that is not known stays as it is."""
    whole = _(text)
    return whole if whole != text else _by_form(text, REASONS)


def reading(text: str) -> str:
    """Return how exports were read in the language that is being written, sentence by sentence."""
    return " ".join(_sentences(text))


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text, those that are known translated."""
    rest = text
    while rest:
        known = (_regex(form, end=r"(?: |$)").match(rest) for form in SENTENCES)
        found = next(filter(None, known), None) or END.search(rest)
        end = found.end() if found else len(rest)
        yield _by_form(rest[:end].rstrip(" "), SENTENCES)
        rest = rest[end:]


def _by_form(text: str, forms: Sequence[str]) -> str:
    """Return a text in another language by the first form that it has; without one it stays as it is."""
    for form in forms:
        if found := _regex(form).fullmatch(text):
            return _(form).format(**{name: _value(name, each) for name, each in found.groupdict().items()})
    return text


def _value(name: str, text: str) -> str:
    if name in WORDS:
        return _(text)
    if name in LISTS:
        return ", ".join(_by_form(each, PARTS) for each in text.split(", "))
    return text.replace(",", habits().group) if name in COUNTS else text


@cache
def _regex(form: str, *, end: str = "") -> re.Pattern[str]:
    """Return what finds the texts of a form, with a group for each place."""
    return re.compile(
        PLACE.sub(lambda found: f"(?P<{found[1]}>{PLACES.get(found[1], '.+?')})", re.escape(form)) + end,
        re.DOTALL,
    )
