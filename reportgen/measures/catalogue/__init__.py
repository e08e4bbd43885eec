"""Every measure once: methods section, `reportgen explain`, results.json and the docs all read it.

One module a family; measures stand in the order in which pages show them.
"""

from collections.abc import Mapping
from itertools import chain

from reportgen.measures.catalogue import (
    by_category,
    of_many,
    of_margins,
    of_numbers,
    of_sets,
    of_spans,
    of_tables,
    of_two,
    of_unitizing,
)
from reportgen.measures.measure import Measure, base_id

MODULES = (of_two, of_many, of_numbers, of_sets, by_category, of_margins, of_tables, of_spans, of_unitizing)
# What each of these families is called: it stands in results.json.
NAMES = (
    "Measures of two annotators, and what any number of annotators has under the same name",
    "Measures made for more than two annotators",
    "Measures of ratings that are numbers or ranks, from the units that all annotators rated",
    "Measures of labels that are sets of categories",
    "What belongs to single categories, and tables between categories",
    "Tests that two annotators use the categories alike",
    "Coefficients of a table of two annotators that relate agreement to its margins in other ways",
    "Measures of marks in texts that are compared as spans",
    "Measures of how annotators cut a text into units",
)
FAMILIES: Mapping[str, tuple[Measure, ...]] = {
    name: module.MEASURES for name, module in zip(NAMES, MODULES, strict=True)
}
CATALOGUE: tuple[Measure, ...] = tuple(chain.from_iterable(FAMILIES.values()))
BY_ID = {measure.id: measure for measure in CATALOGUE}
FAMILY_OF = {measure.id: family for family, measures in FAMILIES.items() for measure in measures}


def measure_of(figure: str) -> Measure:
    """Return the catalogue entry of a figure's id, brackets or not; raise KeyError for an unknown one."""
    return BY_ID[base_id(figure)]
