"""The catalogue: each measure once, in words and with what is true of it, from a TOML file a family.

Pages, `reportgen explain`, results.json and the docs have its words; reportgen/measures computes the figures.
"""

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Literal, TypeVar

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import did_you_mean, refused
from reportgen.results import Definition, Elsewhere, Entry, Weighting, Work

FOLDER = Path(__file__).parent
# In the order in which pages show them.
FAMILIES = (
    *("two_annotators", "more_annotators", "numbers", "sets", "categories", "margins", "tables"),
    *("marks", "unitizing"),
)
# What is in brackets; publications and programs that several entries name.
BRACKETS_FILE, SOURCES_FILE = "brackets", "sources"

Kind = Literal["coefficient", "share", "index", "ceiling", "test", "table", "unitizing"]
Scale = Literal["nominal", "ordinal", "interval", "ratio", "set"]
# Which figures a measure has: the bare one; one for each distance of alpha, or for each of Gwet's weights,
# and for declared tables; with distances computed from the ratings; of a two-way model; by how marks match.
Form = Literal["plain", "distances", "weights", "computed", "two-way", "modes"]
Who = Literal["pair", "all"]

SCALES: tuple[Scale, ...] = ("nominal", "ordinal", "interval", "ratio", "set")
SINGLE_RATINGS = "units with a rating; those with one alone count in chance agreement"


@dataclass(frozen=True, kw_only=True)
class InWords:
    """What every entry says.

    - `name` is what a page shows, `formula` plain text, `latex` the same typeset, in the notation of Artstein
      and Poesio (2008).
    - `answers`: its question, or how far apart two labels are; `use`, `avoid`: when to take it, and when not.
    - `works`: its sources; `elsewhere`: what other programs return, as run, or read in the source.
    """

    id: str
    name: str
    formula: str
    latex: str
    answers: str
    use: str
    avoid: str
    works: tuple[Work, ...]
    elsewhere: tuple[Elsewhere, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Measure(InWords):
    """One measure: what it is in words, how it is computed, and where it is shown.

    - `symbol`: as tables have it; `short`: its name in a word; `aliases`: what else it is called; `authors`:
      whose test it is.
    - `chance`: the chance model; `assumptions`: what must be true; `sentence`: for the methods paragraph.
    - `annotators`: of how many it is; `missing`: which units count; `scales`: on which it is shown.

    How it is computed:

    - `pair`: which figures two annotators have; `all`: which ones all annotators together.
    - `coefficient`: the function of sums that it is (reportgen/measures/formulas.py), whatever the distance.
    - `for_pair`, `for_all`: what computes it where sums do not give it ("sets.explicit_kappa").
    - `single_ratings`: units with one rating count in its chance agreement.
    - `modes`: it is of marks, matched strictly, leniently or half; `coincidences`: of how much text has which
      two values; `alignments`: of units that pygamma-agreement aligns.
    - `by_category`: in brackets behind it is a category; `by_codes`: it depends on the order of categories;
      `by_label`: it takes sets of labels apart.

    Where it is shown:

    - `any_two`: of whichever two people are compared; `crowds`: of each two, however many they are.
    - `against_rest`: of one category against all others; `over_documents`: as a mean over documents.
    - `pair_table`: as a matrix of annotators; `main`: of marks, where there is no room for all.
    - `headline`: in the methods paragraph and in a release.
    - `size_curve`, `weighted_size_curve`: at other numbers of units, bare and with declared distances.
    - `curve_place`, `question_place`, `rate_place`: its place, from 1, beside unit sets and on their curve,
      among the questions that figures answer, among the tests of how often categories are used.
    - `fixed_annotators`: it is of these very annotators, whom others could not replace.
    - `blind_to_prevalence`: it hardly falls where annotators disagree on rare categories alone.
    """

    family: str
    place: int
    symbol: str
    chance: str
    assumptions: str
    sentence: str
    kind: Kind = "coefficient"
    annotators: str = "two"
    missing: str = "units that both rated"
    scales: tuple[Scale, ...] = SCALES
    short: str = ""
    authors: str = ""
    aliases: tuple[str, ...] = ()
    pair: tuple[Form, ...] = ()
    all: tuple[Form, ...] = ()
    coefficient: str = ""
    for_pair: str = ""
    for_all: str = ""
    single_ratings: bool = False
    modes: bool = False
    coincidences: bool = False
    alignments: bool = False
    by_category: bool = False
    by_codes: bool = False
    by_label: bool = False
    any_two: bool = False
    crowds: bool = False
    against_rest: tuple[Who, ...] = ()
    over_documents: bool = False
    pair_table: bool = False
    main: bool = False
    headline: bool = False
    size_curve: tuple[Who, ...] = ()
    weighted_size_curve: tuple[Who, ...] = ()
    curve_place: int = 0
    question_place: int = 0
    rate_place: int = 0
    fixed_annotators: bool = False
    blind_to_prevalence: bool = False

    @property
    def forms(self) -> frozenset[Form]:
        """Return which figures it has."""
        return frozenset((*self.pair, *self.all, *(("modes",) if self.modes else ())))

    @property
    def takes_tables(self) -> bool:
        """Tell whether a table of distances that a campaign declares weighs it."""
        return not self.forms.isdisjoint(("distances", "weights", "modes"))


@dataclass(frozen=True, kw_only=True)
class Bracket(InWords):
    """What is in brackets behind a figure: a distance, how marks were matched, or a model.

    - `distances`: on which scales alpha has it; `weights`: on which ones the kappas, S and AC2.
    - `function`: what computes it from the scale's values (reportgen/measures/distances.py); `from_ratings`:
      it comes from how often each value was given.
    - `form`: which form of a measure it is where it is no distance, and `scales` on which.
    - `of`: the measure that has it alone; `declared`: it is a table that a campaign declares.
    - `main`: its figures are in the first table.
    """

    distances: tuple[Scale, ...] = ()
    weights: tuple[Scale, ...] = ()
    function: str = ""
    from_ratings: bool = False
    form: Form | None = None
    scales: tuple[Scale, ...] = SCALES
    of: str = ""
    declared: bool = False
    main: bool = False

    @property
    def key(self) -> str:
        """Return what lists call the entry: "[masi]", with the measure where it belongs to one alone."""
        return f"{self.of}[{self.id}]"

    def scales_of(self, form: Form) -> tuple[Scale, ...]:
        """Return on which scales there are figures of a form with it."""
        if form == self.form:
            return self.scales
        return self.distances if form == "distances" else self.weights if form == "weights" else ()

    def scales_behind(self, measure: Measure) -> frozenset[Scale]:
        """Return on which scales a measure has a figure with it; declared tables are asked for elsewhere."""
        if self.of not in {"", measure.id}:
            return frozenset()
        return frozenset(scale for form in measure.forms for scale in self.scales_of(form))


AnyEntry = TypeVar("AnyEntry", Measure, Bracket)
Given = Mapping[str, Any]


def data_of(name: str, folder: Path = FOLDER) -> dict[str, Any]:
    """Return what a file of the catalogue has; raise ValueError where it is no TOML."""
    try:
        return tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{name}.toml is no TOML: {error}") from None


def measures(sources: Given, folder: Path = FOLDER) -> Iterator[Measure]:
    """Yield every measure, family by family; raise ValueError with the place of a wrong entry."""
    places = count()
    for name in FAMILIES:
        family = data_of(name, folder)
        title = family.pop("family")
        for key, given in family.items():
            missing = {"missing": SINGLE_RATINGS} if given.get("single_ratings") else {}
            own = {"id": key, "family": title, "place": next(places), **missing}
            with _placed(f"[{key}]", folder / f"{name}.toml"):
                yield _entry(Measure, own | given, sources)


def brackets(sources: Given, folder: Path = FOLDER) -> Iterator[Bracket]:
    """Yield everything that is in brackets; raise ValueError with the place of a wrong entry."""
    for given in data_of(BRACKETS_FILE, folder)["bracket"]:
        with _placed(f'id = "{given.get("id", "")}"', folder / f"{BRACKETS_FILE}.toml"):
            yield _entry(Bracket, given, sources)


@contextmanager
def _placed(head: str, file: Path) -> Iterator[None]:
    """Say in which file, and on which line, an entry begins that is wrong."""
    try:
        yield
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        lines = file.read_text(encoding="utf-8").splitlines()
        line = lines.index(head) + 1 if head in lines else 0
        raise ValueError(f"reportgen/catalogue/{file.name}:{line}: {head}: {error}") from error


def _entry(kind: Callable[..., AnyEntry], given: Given, sources: Given) -> AnyEntry:
    works = (Work(**(sources["works"][work] if isinstance(work, str) else work)) for work in given["works"])
    elsewhere = (
        Elsewhere(library=library.format_map(sources["programs"]), returns=returns)
        for library, returns in given.get("elsewhere", ())
    )
    lists = {name: tuple(value) for name, value in given.items() if isinstance(value, list)}
    return kind(**{**given, **lists, "works": tuple(works), "elsewhere": tuple(elsewhere)})


_SOURCES = data_of(SOURCES_FILE)
CATALOGUE: tuple[Measure, ...] = tuple(measures(_SOURCES))
BY_ID: Mapping[str, Measure] = {measure.id: measure for measure in CATALOGUE}
# The last entry is for tables that campaigns declare, whatever their names.
*_BUILT_IN, DECLARED = brackets(_SOURCES)
BRACKETS: tuple[Bracket, ...] = tuple(_BUILT_IN)
NOMINAL = "nominal"
UNKNOWN = 'no measure is called "{}".'
NEVER = '"{}" is never computed.'


def base_id(figure: str) -> str:
    """Return the measure's id of a figure: "weighted_kappa" of "weighted_kappa[expert]"."""
    return figure.partition("[")[0]


def measure_of(figure: str) -> Measure:
    """Return the entry of a figure's id, brackets or not; raise KeyError for an unknown one."""
    return BY_ID[base_id(figure)]


def is_true_of(figure: str, trait: Callable[[Measure], object]) -> bool:
    """Tell whether something is true of a figure's measure; False for one that the catalogue lacks."""
    measure = BY_ID.get(base_id(figure))
    return measure is not None and bool(trait(measure))


def ids_with(trait: Callable[[Measure], object]) -> tuple[str, ...]:
    """Return the ids of the measures of which something is true, in the order of the catalogue."""
    return tuple(measure.id for measure in CATALOGUE if trait(measure))


def ids_by(place: Callable[[Measure], int]) -> tuple[str, ...]:
    """Return the ids of the measures that have a place in some list, from 1, in the order of this list."""
    return tuple(measure.id for measure in sorted(CATALOGUE, key=place) if place(measure))


# Which figures there are on a scale, known before anything is counted.


def brackets_on(scale: str, form: Form) -> tuple[Bracket, ...]:
    """Return what there is of a form on a scale: alpha's distances, or the weights of other coefficients."""
    return tuple(bracket for bracket in BRACKETS if scale in bracket.scales_of(form))


def figures_on(scale: str, declared: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the full ids of all figures that two or more annotators can have on a scale.

    `declared` are the ids of the campaign's own distances, which weigh what can be weighed.
    """
    return tuple(figure for measure in CATALOGUE for figure in _forms(measure, scale, declared))


def forms_of(measure: str, scale: str, declared: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the full ids that one measure has on a scale; empty where it has none."""
    return tuple(_forms(BY_ID[measure], scale, declared))


def _forms(measure: Measure, scale: str, declared: Sequence[str]) -> Iterator[str]:
    """Yield a measure's id, bare and with all that can be in brackets behind it."""
    if scale not in measure.scales or measure.modes:
        return
    if "plain" in measure.forms:
        yield measure.id
    if measure.takes_tables:
        yield from (f"{measure.id}[{name}]" for name in declared)
    behind = (bracket.id for bracket in BRACKETS if scale in bracket.scales_behind(measure))
    yield from (f"{measure.id}[{name}]" for name in behind)


def brackets_of(figure: str) -> tuple[Bracket, ...]:
    """Return what is in a figure's brackets: nothing in "scott_pi", two in "f_measure[strict,bdm]".

    A distance that no entry names is a declared table; a category in brackets has no entry.
    """
    base, _, inside = figure.removesuffix("]").partition("[")
    measure = BY_ID.get(base)
    if measure is None or not inside:
        return ()
    found = (
        _bracket(measure, name.strip(), first=not position) for position, name in enumerate(inside.split(","))
    )
    return tuple(bracket for bracket in found if bracket)


def _bracket(measure: Measure, name: str, *, first: bool) -> Bracket | None:
    # How marks were matched comes before the table that weighs their types.
    can_be_table = measure.takes_tables and first != measure.modes
    for bracket in BRACKETS:
        if bracket.id == name and (
            (bracket.declared and can_be_table) or (first and bracket.scales_behind(measure))
        ):
            return bracket
    return DECLARED if can_be_table else None


# The catalogue in words, as results.json and `reportgen explain` have it.


def definitions() -> dict[str, Definition]:
    """Return every measure in words, by its id, in the order of the catalogue."""
    return {measure.id: Definition(**_words(measure, Definition)) for measure in CATALOGUE}


def weightings() -> dict[str, Weighting]:
    """Return every entry of what is in brackets, by its key: "[masi]", and "[…]" for a declared table."""
    return {bracket.key: Weighting(**_words(bracket, Weighting)) for bracket in (*BRACKETS, DECLARED)}


def weightings_of(figures: Iterable[str]) -> dict[str, Weighting]:
    """Return what is in the brackets of these figures, each with the figures that have it."""
    figures_by_key: dict[str, list[str]] = {}
    for figure in sorted(set(figures)):
        for bracket in brackets_of(figure):
            figures_by_key.setdefault(bracket.key, []).append(figure)
    return {
        key: weighting.model_copy(update={"figures": tuple(figures_by_key[key])})
        for key, weighting in weightings().items()
        if key in figures_by_key
    }


def _words(entry: InWords, model: type[Entry]) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in model.model_fields if hasattr(entry, name)}


def explanation(asked: str) -> dict[str, Entry]:
    """Return the entry of a measure, and those of what is in its brackets; or that of brackets alone.

    Raises BadInput, with what was probably meant, for what neither the catalogue nor brackets know, and for
    figures that are never computed. Any other name in the brackets of a weighted figure is a declared table.
    """
    words, brackets = definitions(), weightings()
    base, sign, inside = asked.removesuffix("]").partition("[")
    if base not in words:
        alone = {key: entry for key, entry in brackets.items() if asked in {key, key.partition("[")[2][:-1]}}
        if alone:
            return {**alone}
        raise refused(
            "explain", message=UNKNOWN.format(asked), remedy=did_you_mean(asked, [*words, *brackets])
        )
    if sign and not _is_computed(BY_ID[base], inside):
        raise refused("explain", message=NEVER.format(asked), remedy=_computed_instead(BY_ID[base], inside))
    return {base: words[base], **{bracket.key: brackets[bracket.key] for bracket in brackets_of(asked)}}


def _is_computed(measure: Measure, inside: str) -> bool:
    """Tell whether a measure has a figure with this in brackets, in some campaign.

    A table can't have the name of a built-in distance; a name close to one is taken for a misspelling.
    """
    names, found = [part.strip() for part in inside.split(",")], brackets_of(f"{measure.id}[{inside}]")
    if measure.by_category or len(found) != len(names) or DECLARED not in found:
        return measure.by_category or len(found) == len(names)
    misspelt = not did_you_mean(names[-1], _behind(measure)).startswith("Known")
    return not misspelt and all(bracket.declared for bracket in BRACKETS if bracket.id == names[-1])


def _computed_instead(measure: Measure, inside: str) -> str:
    """Return which figures to take instead of one that is never computed."""
    if inside == NOMINAL and "plain" in measure.forms:
        return f"Use {measure.id}: without brackets it is the nominal figure."
    if behind := _behind(measure):
        return did_you_mean(f"{measure.id}[{inside}]", [f"{measure.id}[{name}]" for name in behind])
    others = [each.id for each in CATALOGUE if not each.by_category and _is_computed(each, inside)]
    return f"Take {', '.join((measure.id, *(f'{name}[{inside}]' for name in others)))}."


def _behind(measure: Measure) -> list[str]:
    """Return the built-in names that can be in a measure's brackets."""
    return [bracket.id for bracket in BRACKETS if bracket.scales_behind(measure)]
