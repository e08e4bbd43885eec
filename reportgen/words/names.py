"""What results have in English, in the language being written: names, messages, composed sentences.

Sentences that readers put together are found again by their form.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Protocol, TypeVar

from markupsafe import Markup

from reportgen.catalogue import BRACKETS, CATALOGUE, base_id, ids_with
from reportgen.measures import NoDifference
from reportgen.results import Confusion, Definition, Elsewhere, Entry, Pair, Results, UnitSet, Work
from reportgen.results.parts import Withheld
from reportgen.words.language import ENGLISH, N_, _, edition, habits, pgettext, say, say_many

# What an entry says in words; ids, symbols and kinds are the same in every language.
PROSE = (
    "name",
    "formula",
    "latex",
    "answers",
    "use",
    "avoid",
    "chance",
    "assumptions",
    "sentence",
    "annotators",
    "missing",
)
# Behind these is a category, which is the campaign's word.
OF_CATEGORIES = {measure.name for measure in CATALOGUE if measure.by_category}

# What a test between two versions would need that they have not, by why there is none.
_MORE = N_("Annotate more documents, or units, under both versions.")
_ALIGNED = N_("Compare under the same labels: say what became of earlier ones (merged in campaign.toml).")
NEEDED: Mapping[str, str] = {
    NoDifference.UNDEFINED: N_("A test needs a value under both versions."),
    NoDifference.ONE_DOCUMENT: _MORE,
    NoDifference.FEW: _MORE,
    NoDifference.NO_VARIATION: _MORE,
    NoDifference.NO_SPREAD: _MORE,
    NoDifference.CATEGORIES: _ALIGNED,
    NoDifference.SCALE: N_("Declare the same scale for both versions in campaign.toml."),
    NoDifference.DISTANCES: N_("Declare the same distances for both versions in campaign.toml."),
    NoDifference.COMPUTED: N_(
        "Declare distances in campaign.toml that do not come from each version’s own table."
    ),
    NoDifference.MATCHING: N_("Match marks by the same rules under both versions."),
}

AnyEntry = TypeVar("AnyEntry", bound=Entry)


class Named(Protocol):
    """What knows the English names of figures: results of one version, or a comparison of two."""

    def name_of(self, figure: str) -> str:
        """Return a figure's English name."""


def figure_name(named: Named, figure: str) -> str:
    """Return the name of a figure as a heading or a cell has it: "Alpha de Krippendorff [ordinal]"."""
    return as_heading(named.name_of(figure))


def figure_inside(named: Named, figure: str) -> str:
    """Return the name of a figure as it is within a sentence: "alpha de Krippendorff [ordinal]"."""
    return translated(named.name_of(figure))


def campaign_and_version(results: Results) -> str:
    """Return what a report is about: its campaign, and the version of the guidelines where it has a name."""
    if results.is_unnamed:
        return results.campaign.title
    return say("{title}, guidelines {version}", title=results.campaign.title, version=results.guidelines)


def as_heading(text: str) -> str:
    """Return the English name of a figure in the language that is being written, brackets and all."""
    translation = _(text)
    base, space, inside = text.removesuffix("]").partition(" [")
    if translation != text or not space or not text.endswith("]"):
        return translation
    return f"{_(base)} [{inside if base in OF_CATEGORIES else bracket(inside)}]"


def translated(text: str) -> str:
    """Return the English name of a figure as it is within a sentence of the language being written."""
    return inside(as_heading(text))


def inside(name: str) -> str:
    """Return a name as it is within a sentence; English keeps the capital, as most begin with people."""
    if edition().language == ENGLISH or not name[1:2].islower():
        return name
    return name[:1].lower() + name[1:]


def bracket(ids: str) -> str:
    """Return what is in brackets behind a name, "lenient,bdm" in words; a declared table keeps its id."""
    words = bracket_words()
    return ",".join(words.get(part, part) for part in ids.split(","))


def definition(entry: AnyEntry) -> AnyEntry:
    """Return an entry of the catalogue in the language that is being written."""
    prose = {name: _(getattr(entry, name)) for name in PROSE if hasattr(entry, name)}
    works = tuple(Work(citation=_(work.citation), doi=work.doi) for work in entry.works)
    other = tuple(
        Elsewhere(library=_(entry_elsewhere.library), returns=_(entry_elsewhere.returns))
        for entry_elsewhere in entry.elsewhere
    )
    return entry.model_copy(update={**prose, "works": works, "elsewhere": other})


def definitions(entries: Mapping[str, AnyEntry]) -> dict[str, AnyEntry]:
    """Return entries of the catalogue in the language that is being written, by their keys."""
    return {key: definition(entry) for key, entry in entries.items()}


def bracket_words() -> dict[str, str]:
    """Return the words of brackets that every campaign may have, by their ids."""
    return {each.id: pgettext("in brackets", each.id) for each in BRACKETS}


# Which figures are on a page: what says nothing new of two annotators is in the files alone.

# What two annotators' other figures say already: it is made for more.
SAME_OF_TWO = ids_with(lambda measure: measure.all and not measure.pair)
# What only two annotators have, of all categories or of one.
OF_PAIRS = ids_with(lambda measure: not measure.all and (measure.pair or measure.kind == "test"))
# Measures whose weighted forms are behind those of weighted kappa, alpha and AC2.
VARIANTS = ids_with(lambda measure: {"plain", "weights"} <= measure.forms)
MAIN_WEIGHTS = tuple(bracket.id for bracket in BRACKETS if bracket.main)


def is_shown(results: Results, unit_set: UnitSet, name: str) -> bool:
    """Tell whether a figure says something of its own: the primary one, and what two annotators differ in."""
    of_two = len(unit_set.annotators) <= 2
    return name == results.coefficients[unit_set.layer] or not (of_two and base_id(name) in SAME_OF_TWO)


def is_main(results: Results, unit_set: UnitSet, name: str) -> bool:
    """Tell whether a figure belongs into the first table: the primary one, and no mere variant of another."""
    bracket = name.removesuffix("]").partition("[")[2]
    if name == results.coefficients[unit_set.layer] or not bracket:
        return True
    declared = (distance.id for distance in results.distances)
    return base_id(name) not in VARIANTS and bracket in (*MAIN_WEIGHTS, *declared)


def shown_definitions(results: Results) -> list[tuple[str, Definition]]:
    """Return the measures that the report shows, in the catalogue's order and the language being written."""
    primaries = {base_id(name) for name in results.coefficients.values()}
    of_two = all(len(unit_set.annotators) <= 2 for unit_set in results.unit_sets)
    hidden = set(SAME_OF_TWO) - primaries if of_two else set()
    return [(name, definition(entry)) for name, entry in results.definitions if name not in hidden]


def on_the_page(results: Results) -> list[tuple[str, Definition]]:
    """Return those but for what is of more than two annotators only in the files on their pairs."""
    of_all = {base_id(name) for unit_set in results.unit_sets for name in unit_set.measures}
    pairs = {
        base_id(name)
        for unit_set in results.unit_sets
        for pair in unit_set.pairs
        if unit_set.only_pair is None
        for name in (*pair.measures, *pair.symmetry, *OF_PAIRS)
    }
    shown = {base_id(name) for name in ("cohen_kappa", *results.coefficients.values())}
    if any(unit_set.only_pair for unit_set in results.unit_sets):
        return shown_definitions(results)
    return [(name, entry) for name, entry in shown_definitions(results) if name not in pairs - of_all - shown]


# Why annotators differed, as an adjudication sheet has it.

CAUSES = {
    "slip": N_("slip"),
    "guideline silent": N_("guideline silent"),
    "guideline forgotten": N_("guideline forgotten"),
    "text ambiguous": N_("text ambiguous"),
    "pre-annotation missed": N_("pre-annotation missed"),
    "other": N_("other"),
}


# What who has no campaign.toml before them is told of advice on its keys.
WHERE_KEYS_ARE = N_("You can change settings on “How it was read”.")
# What somebody settled who took no label.
NOTHING_MARKED = N_("nothing marked")
BOTH_RIGHT = N_("both are right")


def cause_in_words(cause: str) -> str:
    """Return what a cause is called; one that is not one of ours stays as it was noted."""
    return _(CAUSES.get(cause, "")) or cause


# Messages that are in results with their values filled in: found again by their form.

# Reasons that say who, or what.
REASONS = (
    N_("not an annotator but a {role}: compared with the annotators, never counted among them"),
    N_("another mark on the same {units} has a label that comes first in priority"),
    N_("campaign.toml names no guidelines document for {version}"),
    N_("the guidelines document of {version} is not a text file"),
    N_("the guidelines document of {version} is not there"),
    N_("the guidelines document of {version} is too long to compare"),
)
# Sentences on how exports were read that have places, or that several readers say; readers have their own.
SENTENCES = (
    N_("{layer}: relations of {type}, labelled by {feature}, by their arguments."),
    N_("{layer}: relations of every type, by their arguments."),
    N_("{layer}: relations of {type}, by their arguments."),
    N_("{layer}: marks of {type}, labelled by {feature}."),
    N_("{layer}: marks of {type}."),
    N_("Wide table: {parts}; labels are sets separated by {sign}; {written}."),
    N_("Long table: {parts}; labels are sets separated by {sign}; {written}."),
    N_("Wide table: {parts}; {written}."),
    N_("Turned table: {parts}; {written}."),
    N_("Long table: {parts}; {written}."),
    N_("1 file:"),
    N_("{count} files:"),
    N_("And 1 more file."),
    N_("And {count} more files."),
    N_("Confusion matrix: one annotator's categories in rows, the other's in columns; {written}."),
    N_("doccano 1.0: labels are the numbers that doccano gave them, offsets are UTF-16 units."),
    N_("doccano: a file for each annotator; offsets are UTF-16 units."),
    N_("Label Studio: tasks."),
    N_("Label Studio: annotations one by one."),
    N_("Offsets are UTF-16 units, or characters where the text of a region shows it."),
    N_(
        "White space differs from the first annotator's text in {count} of {copies} copies; marks shifted "
        "onto it: {marks}."
    ),
    N_(
        "White space at the ends of a mark, or alone between its stretches, is no difference; marks compared "
        "without it: {marks} of {all}, at most {most} of one annotator."
    ),
    N_("Offsets in {count} of {copies} copies count {parts} instead, as the marked words show."),
    N_("Marks of nothing but white space, which are compared as they are: {marks}."),
    N_("brat standoff: the category of a mark is its type, and offsets count characters."),
    N_(
        "brat standoff: the category of a mark is its type, and offsets count characters; 1 file counts line "
        "ends as two characters, a byte order mark, UTF-16 units, or bytes, as the covered texts show."
    ),
    N_(
        "brat standoff: the category of a mark is its type, and offsets count characters; {count} files "
        "count line ends as two characters, a byte order mark, UTF-16 units, or bytes, as the covered texts "
        "show."
    ),
    N_("JSON: labels by annotator and item."),
    N_("JSON: labels by annotator and item, of documents."),
    N_("JSON: labels by item and annotator."),
    N_("JSON: labels by item and annotator, of documents."),
    N_("JSON: labels by item and place in a list, which may be another person's from item to item."),
    N_(
        "JSON: labels by item and place in a list, which may be another person's from item to item, of "
        "documents."
    ),
    N_(
        "Names that differ in capitals, spaces or punctuation at their ends alone, and of which nobody has "
        "two, are one: {count}."
    ),
    N_("Places are milliseconds."),
    N_("Chains of coreference are not compared: figures are of single marks."),
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
# What is between the commas of a sentence.
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
    N_("a file for each annotator"),
    N_("a file for each document"),
    N_("a column for each label"),
    N_("one column of labels"),
    N_("comma-separated"),
    N_("semicolon-separated"),
    N_("tab-separated"),
    N_("bar-separated"),
    N_("first sheet that has anything"),
    N_("the sheet with most rows"),
    N_("each row an annotator"),
    N_("each column a unit"),
    N_("all sheets"),
    N_("a sheet for each annotator"),
    N_("{layer} in {scheme}"),
    N_("characters"),
    N_("UTF-16 units"),
    N_("bytes"),
    N_("tokens"),
    N_("tokens to the last one"),
    N_("line ends as one character"),
    N_("line ends as two characters"),
)
COUNTS = ("count", "copies", "marks")
# What a place of a form can have; anything where nothing is said. Some have messages themselves.
PLACES = {
    "layer": r"\S+",
    **dict.fromkeys(COUNTS, r"[\d,]+"),
    "written": (
        r"(?:JSON|\w+-separated, [^ ;]+|"
        "Excel, (?:first sheet that has anything|the sheet with most rows|all sheets"
        "|a sheet for each annotator))"
    ),
}
WORDS = ("role", "units")
LISTS = ("parts", "written", "schemes")
PLACE = re.compile(r"\\\{(\w+)\\\}")
END = re.compile(r"(?<=[.:]) |$")


def reason(text: str) -> str:
    """Return a reason in the language that is being written; one that is not known stays as it is."""
    translation = _(text)
    return translation if translation != text else translated_by_template(text, REASONS)


def reading(text: str) -> str:
    """Return how exports were read in the language that is being written, sentence by sentence."""
    return " ".join(_sentences(text))


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text, those that are known translated."""
    remaining = text
    while remaining:
        matches = (_regex(form, end=r"(?: |$)").match(remaining) for form in SENTENCES)
        match = next(filter(None, matches), None)
        end = match.end() if match else _end_of_known(remaining)
        sentence = remaining[:end].rstrip(" ")
        yield translated_by_template(sentence, SENTENCES) if match else _(sentence)
        remaining = remaining[end:]


# What a reader says in one message has no more.
MOST_SENTENCES = 8


def _end_of_known(text: str) -> int:
    """Return where the longest beginning ends that has a translation, else the first sentence."""
    ends = [match.end() for match in islice(END.finditer(text), MOST_SENTENCES)]
    return next((end for end in reversed(ends) if _(known := text[:end].rstrip(" ")) != known), ends[0])


def translated_by_template(text: str, forms: Sequence[str]) -> str:
    """Return a text in another language by the first form that it has; without one it stays as it is."""
    for form in forms:
        if match := _regex(form).fullmatch(text):
            return _(form).format(
                **{name: _value(name, text_in_place) for name, text_in_place in match.groupdict().items()}
            )
    return text


def _value(name: str, text: str) -> str:
    if name in WORDS:
        return _(text)
    if name in LISTS:
        return ", ".join(translated_by_template(part, PARTS) for part in text.split(", "))
    return text.replace(",", habits().group) if name in COUNTS else text


@cache
def _regex(form: str, *, end: str = "") -> re.Pattern[str]:
    """Return what finds the texts of a form, with a group for each place."""
    return re.compile(
        PLACE.sub(lambda match: f"(?P<{match[1]}>{PLACES.get(match[1], '.+?')})", re.escape(form)) + end,
        re.DOTALL,
    )


# What tables of people don't show one by one.


def confusion_shown(pair: Pair) -> Confusion:
    """Return two people's confusion matrix as it is shown: what is withheld is one category, the last."""
    joined = pair.withheld
    if joined is None:
        return pair.confusion
    labels = set(joined.labels) & set(pair.confusion.categories)
    name = say_many("{count} {label|labels} (joined)", len(labels))
    return pair.confusion.joined(labels, name)


def withheld_sentence(joined: Withheld) -> str:
    """Return why some labels of two people have no row of their own."""
    return say(
        "Labels that one of the two gave fewer than {below} times are not shown one by one, nor are those "
        "from which these would follow.",
        below=joined.below,
    )


FORMS = (
    # What labels are: evidence of a scale.
    N_("names"),
    N_("sets"),
    N_("lists"),
    N_("numbers with zeros before them, which are names"),
    N_("years from {low} to {high}, which are names"),
    N_("whole numbers from {low} to {high}, few enough to be ranks"),
    N_("numbers of {digits} digits each, which are codes"),
    N_("numbers from {low} to {high}, some of which are far from the others"),
    N_("numbers from {low} to {high}"),
    N_('numbers in "{column}", which are codes'),
    N_("words of a known order, {order}"),
    N_('sets, whose members are separated by "{sign}"'),
    N_("sets, as annotators could choose several"),
    N_("ratings from {low} to {high}, as the tool asked for"),
    N_("numbers from {low} to {high}, as the tool asked for"),
    N_("places in a ranking from {low} to {high}, as the tool asked for"),
    N_("on the scale that was chosen"),
    N_("{one} and {other}, which are names"),
    # How a table is laid out, and what it is.
    N_("the header in row {rows}"),
    N_("the header in rows {rows}"),
    N_("row {rows} left out"),
    N_("rows {rows} left out"),
    N_("{columns} filled down"),
    N_("decimal commas"),
    N_("percentages as numbers"),
    N_("Ratings table, CSV or TSV"),
    N_("Excel workbook"),
    N_("Table of marks, CSV or TSV"),
    N_("Confusion matrix, CSV"),
    N_("INCEpTION project"),
    N_("MMAX2 project"),
    N_("CoNLL columns"),
    N_("ELAN annotation document"),
    N_("Praat TextGrid, long or short"),
    N_("Ratings table, Parquet"),
    # What else they may be.
    N_('If they are names, the scale is "nominal".'),
    N_('If their order counts, the scale is "ordinal" or "interval".'),
    # What is in the way of an upload.
    N_("can't be written: {why}."),
    N_("has more than {count} files."),
    N_("is larger than {count} MB, and was not taken."),
    N_("what was sent is not a form with files."),
    N_("the upload was interrupted."),
    N_("Choose the files again."),
    N_("Choose files."),
    N_("Make room on the disk."),
    N_("Put them into a zip archive."),
    N_("The commands of a terminal read files of any size: reportgen init."),
    N_("is not a name that comes after {name}."),
    N_("Count on: 1.0, 1.1, 2.0."),
    N_("can't be read: {why}."),
    # Archives, workbooks, texts.
    N_("would unpack to {count} bytes, more than {copies} times its own."),
    N_("has {count} files; {copies} are read at most."),
    N_("is a damaged archive: its list of files is not that of its files."),
    N_("is a damaged archive: {why}."),
    N_('contains "{name}", which leads out of the archive.'),
    N_("Unpack it yourself if you trust it, and name the folder."),
    N_("Unpack it, and name the folder."),
    N_("Export it again."),
    N_("Export the file again."),
    N_("Export it again, or remove it."),
    N_("is empty."),
    N_("is not a workbook that can be read: {why}."),
    N_("Save it again, without a password."),
    N_("Save the workbook again."),
    N_("cell {cell} of a sheet has a formula whose value was never computed."),
    N_("Open the workbook in a spreadsheet, and save it."),
    N_("is not well-formed XML: {why}."),
    N_("has no export in a known format. Looked at: {names}."),
    N_("has no export in a known format."),
    N_("The command `reportgen formats` lists what can be read."),
    N_('covers "{text}" in the text, and the file says "{other}".'),
    N_("Export marks and texts together: one of them was changed since."),
    # Tables.
    N_("says the same of a unit as a row before, and counts once."),
    N_("is the first of {count} rows that say the same of a unit as one before: they count once."),
    N_(
        "1 label contradicts an earlier one of the same annotator on the same unit ({file}, line {line}); "
        "the first counts."
    ),
    N_(
        "{count} labels contradict an earlier one of the same annotator on the same unit (first in {file}, "
        "line {line}); the first counts."
    ),
    N_("{count} columns have this name."),
    N_("Give each column a name of its own."),
    N_("has {count} cells where the header has {copies}."),
    N_("Put quotation marks around a cell that contains the delimiter or a line break."),
    N_("a quotation mark is opened here and never closed."),
    N_("Close it, or double a quotation mark that belongs to the text."),
    N_("the first row seems to be data, not a header: {evidence}."),
    N_("no column is known as the {role}."),
    N_("there is a single column."),
    N_("there are no columns of two annotators."),
    N_("Separate columns with a comma, a semicolon or a tab."),
    N_("Write a column of labels for each annotator, or columns for unit, annotator and label."),
    N_("{name} is the only column of labels: two annotators are needed."),
    N_('there is no column "{name}".'),
    N_("has {count} annotators for {copies} labels: hardly any annotator gave two."),
    N_("has {count} different labels among {copies}: they are texts or names."),
    N_("has {count} different labels, more than {copies}: they are texts or names."),
    N_(
        "has {count} columns that could be annotators' ({columns}), and no more rows than that: rows may be "
        "annotators, and columns the units."
    ),
    N_(
        "has {count} different values in the {copies} cells of {columns}, which would be the labels: these "
        "look like texts or names."
    ),
    N_(
        "has columns that would be annotators' ({columns}), but they agree less than by chance: they may be "
        "categories with numbers of annotators, or different questions."
    ),
    N_(
        "has columns that would be annotators' ({columns}), but labels in a column are much more alike than "
        "those in a row: rows may be annotators, and columns the units."
    ),
    N_("has columns that would be annotators' ({columns}), and hardly a label is in two of them."),
    N_(
        "has columns that agree with each other ({columns}) and hardly agree with {others}, which may say "
        "something else."
    ),
    N_("has 0 and 1 in {columns}, which may be categories, and nothing says whose labels they are."),
    N_("has headers of two parts, and nothing says which part is the annotator: {columns}."),
    N_("has columns that are called like questions ({columns}), and nothing says whose labels they are."),
    N_("has columns without names ({columns}): the header may be further down."),
    N_("has the same columns twice ({columns}): these may be two tables side by side."),
    N_(
        'has {count} different names in {copies} rows of "{column}", which would be the annotators\' column: '
        "an annotator usually labels several units."
    ),
    N_(
        "is one of several files with the same columns: either these are annotators and each file is a "
        "document, or they are questions and each file is an annotator."
    ),
    # Why a column of a table is what it is, and why a row is left out.
    N_("another value in each row"),
    N_("its values recur"),
    N_("with {others} it names each row"),
    N_("each unit is in one"),
    N_("has the labels of another such column"),
    N_("named as an annotator"),
    N_("differs between annotators of a unit"),
    N_("named as a label"),
    N_("{count} values, each with several units"),
    N_("{count} values, each of which most units have"),
    N_("no cell is filled"),
    N_("one value in all rows"),
    N_("called like a reference"),
    N_("called like a model"),
    N_("numbers the rows"),
    N_("dates, times or addresses"),
    N_("called like {kind}"),
    N_("another text in nearly each row"),
    N_("no other column determines it, and it is none of the labels"),
    N_('one value for each "{name}"'),
    N_("one value for each row, and not the labels"),
    N_("somebody said that it is not read"),
    N_("a text for each unit"),
    N_("the names again"),
    N_("what a survey program writes below the names"),
    N_("sums up other rows"),
    N_("a heading between rows"),
    N_("a note below the table"),
    N_("above the names"),
    N_("you left it out"),
    N_("what is beside the first {count} columns left out"),
    N_("this question is not asked any more."),
    N_("It was answered in another tab."),
    N_("are all said to be one thing: {columns}."),
    N_("Several columns can be what was labelled, or labels; of anything else there is one."),
    N_('has no sheet "{name}".'),
    N_("has a sheet with more cells than a table of ratings can have."),
    N_("Remove what is no rating, or save the sheet as CSV."),
    N_("is one of files in folders whose names may be annotators, questions or documents."),
    N_("is one of several files with the same units: each file may be a question or a document."),
)
# What may follow a sentence: the ways that remain are listed on their own.
REMAINS = " What remains: "


def composed(text: str) -> str:
    """Return a sentence that a reader put together in the language that is being written.

    One that has no translation says that it is English.
    """
    before = text.partition(REMAINS)[0]
    said = reason(before)
    said = translated_by_template(before, FORMS) if said == before else said
    if edition().language == ENGLISH:
        return text
    if said != before:
        return said
    return Markup('<span lang="en">{}</span>').format(text)
