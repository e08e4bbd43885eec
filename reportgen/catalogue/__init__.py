"""Which measures are there? Each once: in words, and with what is true of it, which all other rooms ask here.

Pages, `reportgen explain`, results.json and the docs have the words. reportgen/measures computes them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from reportgen.base.errors import did_you_mean, refused
from reportgen.catalogue import entries
from reportgen.catalogue.entries import SCALES as SCALES
from reportgen.catalogue.entries import Bracket as Bracket
from reportgen.catalogue.entries import Form as Form
from reportgen.catalogue.entries import InWords
from reportgen.catalogue.entries import Measure as Measure
from reportgen.results import Definition, Entry, Weighting

_SOURCES = entries.data_of(entries.SOURCES)
CATALOGUE: tuple[Measure, ...] = tuple(entries.measures(_SOURCES))
BY_ID: Mapping[str, Measure] = {measure.id: measure for measure in CATALOGUE}
# The last entry is for tables that campaigns declare, whatever their names.
*_BUILT_IN, DECLARED = entries.brackets(_SOURCES)
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
