"""Every measure once: methods section, `reportgen explain`, results.json and the docs all read it.

One module a family; measures are in the order in which pages show them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from reportgen.base.errors import BadInput, Problem, did_you_mean
from reportgen.measures.catalogue.of_annotators import OF_MANY, OF_TWO
from reportgen.measures.catalogue.of_marks import SPANS, UNITIZING
from reportgen.measures.catalogue.of_scales_and_tables import BY_CATEGORY, MARGINS, NUMBERS, SETS, TABLES
from reportgen.measures.catalogue.weights import BRACKETS, DECLARED, Bracket, brackets_of
from reportgen.measures.complete_ratings import TWO_WAY
from reportgen.measures.measure import Measure, base_id
from reportgen.measures.unit_set_data import Setting, scale_distances, weights_of
from reportgen.results import Definition, Entry, Weighting

# By what each family is called, which is in results.json.
FAMILIES: Mapping[str, tuple[Measure, ...]] = {
    "Measures of two annotators, and what any number of annotators has under the same name": OF_TWO,
    "Measures made for more than two annotators": OF_MANY,
    "Measures of ratings that are numbers or ranks, from the units that all annotators rated": NUMBERS,
    "Measures of labels that are sets of categories": SETS,
    "What belongs to single categories, and tables between categories": BY_CATEGORY,
    "Tests that two annotators use the categories alike": MARGINS,
    "Coefficients of a table of two annotators that relate agreement to its margins in other ways": TABLES,
    "Measures of marks in texts that are compared as spans": SPANS,
    "Measures of how annotators cut a text into units": UNITIZING,
}
CATALOGUE: tuple[Measure, ...] = tuple(chain.from_iterable(FAMILIES.values()))
BY_ID = {measure.id: measure for measure in CATALOGUE}
FAMILY_OF = {measure.id: family for family, measures in FAMILIES.items() for measure in measures}


def measure_of(figure: str) -> Measure:
    """Return the catalogue entry of a figure's id, brackets or not; raise KeyError for an unknown one."""
    return BY_ID[base_id(figure)]


# Which figures there are on a scale, known before anything is counted.

ALPHA = "krippendorff_alpha"
# Figures that only exist with something in brackets.
NEVER_BARE = ("weighted_kappa", "gwet_ac2")
WEIGHTED = (*NEVER_BARE, "bennett_s", "fleiss_kappa", "conger_kappa")
COMPUTED = (ALPHA, "weighted_kappa")
ORDERED = ("ordinal", "interval", "ratio")


def figures_on(scale: str, declared: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the full ids of all figures that two or more annotators can have on a scale.

    `declared` are the ids of the campaign's own distances, which weight what can be weighted.
    """
    # Two categories decide nothing but the names of distances.
    values = np.array([1.0, 2.0]) if scale in ORDERED else None
    sets = (frozenset({"a"}), frozenset({"b"})) if scale == "set" else None
    setting = Setting(scale=scale, values=values, sets=sets)
    computing = [
        measure for measure in CATALOGUE if scale in measure.scales and (measure.for_pair or measure.for_all)
    ]
    return tuple(figure for measure in computing for figure in _forms(measure.id, setting, declared))


def forms_of(measure: str, scale: str, declared: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the full ids that one measure has on a scale; empty where it has none."""
    return tuple(figure for figure in figures_on(scale, declared) if base_id(figure) == measure)


def _forms(measure: str, setting: Setting, declared: Sequence[str]) -> Iterator[str]:
    """Yield a measure's id, bare and with all that can be in brackets behind it."""
    if measure not in NEVER_BARE:
        yield measure
    if measure == base_id(TWO_WAY) and setting.values is not None:
        yield TWO_WAY
    if measure in (ALPHA, *WEIGHTED):
        yield from (f"{measure}[{name}]" for name in declared)
    if measure == ALPHA:
        own = scale_distances(np.ones(2, dtype=np.int64), setting)
        yield from (f"{measure}[{distance.id}]" for distance in own)
    if measure in WEIGHTED:
        yield from (f"{measure}[{distance.id}]" for distance in weights_of(setting))
    if measure in COMPUTED:
        yield f"{measure}[computed]"


# The catalogue in words, as results.json and `reportgen explain` have it.

# What both kinds of entry have, and what a measure has alone.
SHARED = ("name", "formula", "latex", "answers", "use", "avoid", "works", "elsewhere")
OWN = ("symbol", "chance", "assumptions", "sentence", "kind", "annotators", "missing")


def definitions() -> dict[str, Definition]:
    """Return every entry of the catalogue in words, by its id, in the order of the catalogue."""
    return {
        name: Definition(place=position, family=FAMILY_OF[name], **_named(measure, (*SHARED, *OWN)))
        for position, (name, measure) in enumerate(BY_ID.items())
    }


def weightings() -> dict[str, Weighting]:
    """Return every entry of what is in brackets, by its key: "[masi]", and "[…]" for a declared table."""
    return {bracket.key: Weighting(**_named(bracket, SHARED)) for bracket in (*BRACKETS, DECLARED)}


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


def _named(entry: Measure | Bracket, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in names}


def explanation(asked: str) -> dict[str, Entry]:
    """Return the entry of a measure, and those of what is in its brackets; or that of brackets alone.

    Raises BadInput, with what was probably meant, for what neither the catalogue nor brackets know. Any other
    name in the brackets of a weighted figure is a declared table.
    """
    measures, brackets = definitions(), weightings()
    alone = {
        key: weighting for key, weighting in brackets.items() if asked in {key, key.partition("[")[2][:-1]}
    }
    base, _, inside = asked.removesuffix("]").partition("[")
    if base not in measures:
        if alone:
            return {**alone}
        raise _unknown(asked, [*measures, *brackets])
    inside_entries = {bracket.key: brackets[bracket.key] for bracket in brackets_of(asked)}
    # A name so near to that of a built-in distance is hardly a declared table.
    names = [bracket.id for bracket in BRACKETS]
    misspelt = not did_you_mean(inside, names).startswith("Known")
    if inside and (not inside_entries or (DECLARED.key in inside_entries and misspelt)):
        raise _unknown(asked, [f"{base}[{name}]" for name in dict.fromkeys(names)])
    return {base: measures[base], **inside_entries}


def _unknown(asked: str, names: list[str]) -> BadInput:
    message, remedy = f'no measure is called "{asked}".', did_you_mean(asked, names)
    return BadInput([Problem("explain", message=message, remedy=remedy)])
