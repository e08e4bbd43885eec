"""Names of measures and what the catalogue says of them, in the language that is being written.

results.json has them in English, the same in every language; the French of each stands in the catalogue of
messages as it begins a cell or a heading.
"""

from collections.abc import Mapping
from typing import Protocol, TypeVar

from reportgen.results import Definition, Elsewhere, Entry, Results, UnitSet, Work
from reportgen.words.language import ENGLISH, N_, _, edition, pgettext

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
# Behind these stands a category, which is the campaign's word.
OF_CATEGORIES = ("Specific agreement", "(k)u-alpha", "Gamma-k")

AnyEntry = TypeVar("AnyEntry", bound=Entry)


class Named(Protocol):
    """What knows the English names of figures: results of one version, or a comparison of two."""

    def name_of(self, figure: str) -> str:
        """Return a figure's English name."""


def figure_name(named: Named, figure: str) -> str:
    """Return the name of a figure as a heading or a cell has it: "Alpha de Krippendorff [ordinal]"."""
    return as_heading(named.name_of(figure))


def figure_inside(named: Named, figure: str) -> str:
    """Return the name of a figure as it stands within a sentence: "alpha de Krippendorff [ordinal]"."""
    return translated(named.name_of(figure))


def as_heading(text: str) -> str:
    """Return the English name of a figure in the language that is being written, brackets and all."""
    whole = _(text)
    base, space, inside = text.removesuffix("]").partition(" [")
    if whole != text or not space or not text.endswith("]"):
        return whole
    return f"{_(base)} [{inside if base in OF_CATEGORIES else bracket(inside)}]"


def translated(text: str) -> str:
    """Return the English name of a figure as it stands within a sentence of the language being written."""
    return inside(as_heading(text))


def inside(name: str) -> str:
    """Return a name as it stands within a sentence; English keeps the capital, as most begin with people."""
    if edition().language == ENGLISH or not name[1:2].islower():
        return name
    return name[:1].lower() + name[1:]


def bracket(ids: str) -> str:
    """Return what stands in brackets behind a name, "lenient,bdm" in words; a declared table keeps its id."""
    known = bracket_words()
    return ",".join(known.get(each, each) for each in ids.split(","))


def definition(entry: AnyEntry) -> AnyEntry:
    """Return an entry of the catalogue in the language that is being written."""
    said = {name: _(getattr(entry, name)) for name in PROSE if hasattr(entry, name)}
    works = tuple(Work(citation=_(each.citation), doi=each.doi) for each in entry.works)
    other = tuple(Elsewhere(library=_(each.library), returns=_(each.returns)) for each in entry.elsewhere)
    return entry.model_copy(update={**said, "works": works, "elsewhere": other})


def definitions(entries: Mapping[str, AnyEntry]) -> dict[str, AnyEntry]:
    """Return entries of the catalogue in the language that is being written, by their keys."""
    return {key: definition(each) for key, each in entries.items()}


def bracket_words() -> dict[str, str]:
    """Return the words of brackets that every campaign may have, by their ids."""
    return {
        "nominal": pgettext("in brackets", "nominal"),
        "ordinal": pgettext("in brackets", "ordinal"),
        "interval": pgettext("in brackets", "interval"),
        "ratio": pgettext("in brackets", "ratio"),
        "circular": pgettext("in brackets", "circular"),
        "linear": pgettext("in brackets", "linear"),
        "quadratic": pgettext("in brackets", "quadratic"),
        "radical": pgettext("in brackets", "radical"),
        "bipolar": pgettext("in brackets", "bipolar"),
        "computed": pgettext("in brackets", "computed"),
        "jaccard": pgettext("in brackets", "jaccard"),
        "masi": pgettext("in brackets", "masi"),
        "dice": pgettext("in brackets", "dice"),
        "bdm": pgettext("in brackets", "bdm"),
        "two-way": pgettext("in brackets", "two-way"),
        "strict": pgettext("in brackets", "strict"),
        "lenient": pgettext("in brackets", "lenient"),
        "average": pgettext("in brackets", "average"),
    }


# Which figures stand on a page: what says nothing new of two annotators stands in the files alone.

PAIR = 2
# What two annotators' other figures say already.
SAME_OF_TWO = (
    "unanimous_agreement",
    "majority_agreement",
    "fleiss_kappa",
    "conger_kappa",
    "light_kappa",
    "randolph_kappa",
    "siegel_castellan",
)
# What results hold of pairs beside their figures.
OF_PAIRS = ("prevalence_index", "bias_index", "pabak", "mcnemar", "kappa_max")
# Measures whose weighted forms stand behind those of weighted kappa, alpha and AC2.
VARIANTS = ("bennett_s", "fleiss_kappa", "conger_kappa")
MAIN_WEIGHTS = (
    "ordinal",
    "interval",
    "ratio",
    "linear",
    "quadratic",
    "two-way",
    "masi",
    "jaccard",
    "dice",
)


def is_shown(results: Results, unit_set: UnitSet, name: str) -> bool:
    """Tell whether a figure says something of its own: the primary one, and what two annotators differ in."""
    of_two = len(unit_set.annotators) <= PAIR
    return name == results.coefficients[unit_set.layer] or not (of_two and _base(name) in SAME_OF_TWO)


def is_main(results: Results, unit_set: UnitSet, name: str) -> bool:
    """Tell whether a figure belongs into the first table: the primary one, and no mere variant of another."""
    bracket = name.removesuffix("]").partition("[")[2]
    if name == results.coefficients[unit_set.layer] or not bracket:
        return True
    declared = (each.id for each in results.distances)
    return _base(name) not in VARIANTS and bracket in (*MAIN_WEIGHTS, *declared)


def shown_definitions(results: Results) -> list[tuple[str, Definition]]:
    """Return the measures that the report shows, in the catalogue's order and the language being written."""
    primaries = {_base(name) for name in results.coefficients.values()}
    of_two = all(len(each.annotators) <= PAIR for each in results.unit_sets)
    hidden = set(SAME_OF_TWO) - primaries if of_two else set()
    return [(name, definition(each)) for name, each in results.definitions if name not in hidden]


def on_the_page(results: Results) -> list[tuple[str, Definition]]:
    """Return those but for what stands of more than two annotators only in the files on their pairs."""
    whole = {_base(name) for each in results.unit_sets for name in each.measures}
    pairs = {
        _base(name)
        for each in results.unit_sets
        for pair in each.pairs
        if each.only_pair is None
        for name in (*pair.measures, *pair.symmetry, *OF_PAIRS)
    }
    shown = {_base(name) for name in ("cohen_kappa", *results.coefficients.values())}
    if any(each.only_pair for each in results.unit_sets):
        return shown_definitions(results)
    return [(name, each) for name, each in shown_definitions(results) if name not in pairs - whole - shown]


def _base(name: str) -> str:
    return name.partition("[")[0]


# Why annotators differed, as an adjudication sheet has it.

CAUSES = {
    "slip": N_("slip"),
    "guideline silent": N_("guideline silent"),
    "guideline forgotten": N_("guideline forgotten"),
    "text ambiguous": N_("text ambiguous"),
    "pre-annotation missed": N_("pre-annotation missed"),
    "other": N_("other"),
}


def cause_in_words(cause: str) -> str:
    """Return what a cause is called; one that is none of ours stays as it was noted."""
    return _(CAUSES.get(cause, "")) or cause
