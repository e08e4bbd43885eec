"""The catalogue in words, as results.json and `reportgen explain` have it."""

from collections.abc import Iterable
from typing import Any

from reportgen.base.errors import BadInput, Problem, did_you_mean
from reportgen.measures.catalogue import CATALOGUE, FAMILY_OF
from reportgen.measures.catalogue.weights import BRACKETS, DECLARED, Bracket, brackets_of
from reportgen.measures.measure import Measure
from reportgen.results import Definition, Entry, Weighting

# What both kinds of entry have, and what a measure has alone.
SHARED = ("name", "formula", "latex", "answers", "use", "avoid", "works", "elsewhere")
OWN = ("symbol", "chance", "assumptions", "sentence", "kind", "annotators", "missing")


def definitions() -> dict[str, Definition]:
    """Return every entry of the catalogue in words, by its id, in the order of the catalogue."""
    return {
        each.id: Definition(place=place, family=FAMILY_OF[each.id], **_named(each, (*SHARED, *OWN)))
        for place, each in enumerate(CATALOGUE)
    }


def weightings() -> dict[str, Weighting]:
    """Return every entry of what stands in brackets, by its key: "[masi]", and "[…]" for a declared table."""
    return {each.key: Weighting(**_named(each, SHARED)) for each in (*BRACKETS, DECLARED)}


def weightings_of(figures: Iterable[str]) -> dict[str, Weighting]:
    """Return what stands in the brackets of these figures, each with the figures that have it."""
    found: dict[str, list[str]] = {}
    for figure in sorted(set(figures)):
        for each in brackets_of(figure):
            found.setdefault(each.key, []).append(figure)
    return {
        key: each.model_copy(update={"figures": tuple(found[key])})
        for key, each in weightings().items()
        if key in found
    }


def _named(entry: Measure | Bracket, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in names}


def explanation(asked: str) -> dict[str, Entry]:
    """Return the entry of a measure, and those of what stands in its brackets; or that of brackets alone.

    Raises BadInput, with what was probably meant, for what neither the catalogue nor brackets know. Any other
    name in the brackets of a weighted figure is a declared table.
    """
    known, brackets = definitions(), weightings()
    alone = {key: each for key, each in brackets.items() if asked in {key, key.partition("[")[2][:-1]}}
    base, _, inside = asked.removesuffix("]").partition("[")
    if base not in known:
        if alone:
            return {**alone}
        raise _unknown(asked, [*known, *brackets])
    found = {each.key: brackets[each.key] for each in brackets_of(asked)}
    if inside and (not found or (DECLARED.key in found and _misspelt(inside))):
        raise _unknown(asked, [f"{base}[{name}]" for name in dict.fromkeys(each.id for each in BRACKETS)])
    return {base: known[base], **found}


def _misspelt(inside: str) -> bool:
    """Tell whether a name is so near to that of a built-in distance that it is hardly a declared table."""
    return not did_you_mean(inside, [each.id for each in BRACKETS]).startswith("Known")


def _unknown(asked: str, known: list[str]) -> BadInput:
    message, mend = f'no measure is called "{asked}".', did_you_mean(asked, known)
    return BadInput([Problem("explain", message=message, mend=mend)])
