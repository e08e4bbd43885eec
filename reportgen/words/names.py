"""What results have in English, in the language being written: names of measures, messages.

results.json has them in English, the same in every language; the French of each is in the catalogue of
messages as it begins a cell or a heading.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Protocol, TypeVar

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
WHERE_KEYS_ARE = N_("Most of what the report calls a key of campaign.toml is asked on “How it was read”.")
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
        "ends as two characters, a byte order mark, or UTF-16 units, as the covered texts show."
    ),
    N_(
        "brat standoff: the category of a mark is its type, and offsets count characters; {count} files "
        "count line ends as two characters, a byte order mark, or UTF-16 units, as the covered texts show."
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
    N_("Names of tiers that differ from another in capitals alone: {count}."),
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
        "Excel, (?:first sheet that has anything|all sheets|a sheet for each annotator))"
    ),
}
WORDS = ("role", "units")
LISTS = ("parts", "written", "schemes")
PLACE = re.compile(r"\\\{(\w+)\\\}")
END = re.compile(r"(?<=[.:]) |$")


def reason(text: str) -> str:
    """Return a reason in the language that is being written; one that is not known stays as it is."""
    translation = _(text)
    return translation if translation != text else by_form(text, REASONS)


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
        yield by_form(sentence, SENTENCES) if match else _(sentence)
        remaining = remaining[end:]


# What a reader says in one message has no more.
MOST_SENTENCES = 8


def _end_of_known(text: str) -> int:
    """Return where the longest beginning ends that has a translation, else the first sentence."""
    ends = [match.end() for match in islice(END.finditer(text), MOST_SENTENCES)]
    return next((end for end in reversed(ends) if _(known := text[:end].rstrip(" ")) != known), ends[0])


def by_form(text: str, forms: Sequence[str]) -> str:
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
        return ", ".join(by_form(part, PARTS) for part in text.split(", "))
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
