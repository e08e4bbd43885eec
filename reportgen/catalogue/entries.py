"""The catalogue as data: each measure, and what is in brackets behind a figure, in a TOML file a family."""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Literal, TypeVar

from reportgen.base.dataclass import dataclass
from reportgen.results import Elsewhere, Work

FOLDER = Path(__file__).parent
# In the order in which pages show them.
FAMILIES = (
    *("two_annotators", "more_annotators", "numbers", "sets", "categories", "margins", "tables"),
    *("marks", "unitizing"),
)
# What is in brackets; publications and programs that several entries name.
BRACKETS, SOURCES = "brackets", "sources"

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
    - `curve_place`, `slider_place`, `question_place`, `rate_place`: its place, from 1, on the size curve, at
      its slider, among the questions that figures answer, among the tests of how often categories are used.
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
    slider_place: int = 0
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
    for given in data_of(BRACKETS, folder)["bracket"]:
        with _placed(f'id = "{given.get("id", "")}"', folder / f"{BRACKETS}.toml"):
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
