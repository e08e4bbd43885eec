"""Every measure once: methods section, `reportgen explain`, results.json and the docs all read it.

One module a family; measures stand in the order in which pages show them.
"""

from reportgen.agreement.catalogue import (
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
from reportgen.agreement.measure import Measure, base_id

FAMILIES = (of_two, of_many, of_numbers, of_sets, by_category, of_margins, of_tables, of_spans, of_unitizing)
CATALOGUE: tuple[Measure, ...] = tuple(measure for family in FAMILIES for measure in family.MEASURES)
BY_ID = {measure.id: measure for measure in CATALOGUE}
# What a family is called: the first sentence of its module.
FAMILY_OF = {
    measure.id: (family.__doc__ or family.__name__).partition(".")[0]
    for family in FAMILIES
    for measure in family.MEASURES
}


def measure_of(figure: str) -> Measure:
    """Return the catalogue entry of a figure's id, brackets or not; raise KeyError for an unknown one."""
    return BY_ID[base_id(figure)]
