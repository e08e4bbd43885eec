"""Every measure once: methods section, `reportgen explain`, results.json and the docs all read it.

One module a family; measures stand in the order in which pages show them.
"""

from reportgen.agreement.catalogue import by_category, of_margins, of_spans, of_two
from reportgen.agreement.measure import Measure, base_id

FAMILIES = (of_two, by_category, of_margins, of_spans)
CATALOGUE: tuple[Measure, ...] = tuple(measure for family in FAMILIES for measure in family.MEASURES)
BY_ID = {measure.id: measure for measure in CATALOGUE}


def measure_of(figure: str) -> Measure:
    """Return the catalogue entry of a figure's id, brackets or not; raise KeyError for an unknown one."""
    return BY_ID[base_id(figure)]
