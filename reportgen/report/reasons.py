"""Why figures have no value: a dash in a table says nothing, and what appears under a pointer not enough."""

from collections.abc import Iterator, Sequence

from reportgen.report import numbers
from reportgen.report.language import say
from reportgen.report.names import figure_inside
from reportgen.report.shown import is_main, is_shown
from reportgen.results import Results, UnitSet


def undefined(results: Results, unit_sets: Sequence[UnitSet]) -> dict[str, list[str]]:
    """Return the names of the main figures without a value by the reason; the primary unit set comes first.

    A figure that has none in some of the unit sets only is named with these.
    """
    known = {name for each in unit_sets for name in each.measures}
    found: dict[str, list[str]] = {}
    for name in results.in_order(known):
        if is_main(results, unit_sets[0], name) and is_shown(results, unit_sets[0], name):
            shown = figure_inside(results, name)
            for reason, where in _without(unit_sets, name):
                there = say("{figure} in {unit_sets}", figure=shown, unit_sets=where) if where else shown
                found.setdefault(numbers.message(reason, {}), []).append(there)
    return found


def without_specific(unit_set: UnitSet) -> dict[str, list[str]]:
    """Return the categories that have no specific agreement by the reason."""
    found: dict[str, list[str]] = {}
    for category, figure in unit_set.specific_agreement.items():
        if figure.undefined:
            found.setdefault(numbers.message(figure.undefined, {}), []).append(category)
    return found


def _without(unit_sets: Sequence[UnitSet], name: str) -> Iterator[tuple[str, str]]:
    """Yield each reason why a figure has no value, with the unit sets where it is so, if not all."""
    reasons = {each.id: each.measures[name].undefined for each in unit_sets if name in each.measures}
    for reason in dict.fromkeys(reason for reason in reasons.values() if reason):
        where = [unit_set for unit_set, each in reasons.items() if each == reason]
        yield reason, "" if len(where) == len(unit_sets) else ", ".join(where)
