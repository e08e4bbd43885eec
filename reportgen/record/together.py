"""What several annotators' labels show together, as results.json has it."""

from dataclasses import asdict
from typing import Any

import numpy as np

from reportgen.agreement import UnitSetAgreement, coincidence_tables, null_test
from reportgen.record.figures import by_name, figure

PAIR = 2
# With more categories in use than these a matrix of them says nothing any more, and fills results.json.
MOST_CATEGORIES = 60


def together(agreement: UnitSetAgreement) -> dict[str, Any]:
    """Return the keys of a unit set that tell of all its annotators together; empty where there are none."""
    rest = zip(agreement.judged, agreement.against_rest, strict=False)
    majority = zip(agreement.units.annotators, agreement.against_majority, strict=False)
    return {
        "against_rest": {name: by_name(figures) for name, figures in rest},
        "against_majority": {name: figure(each) for name, each in majority},
        "null_tests": _null_tests(agreement),
        "coincidences": _coincidences(agreement),
    }


def _null_tests(agreement: UnitSetAgreement) -> dict[str, Any]:
    found = null_test(agreement.whole.profiles) if agreement.whole else None
    return {"fleiss_kappa": asdict(found)} if found else {}


def _coincidences(agreement: UnitSetAgreement) -> dict[str, Any] | None:
    """Return the coincidences of more than two annotators, None where they are too many or nobody shares."""
    units = agreement.units
    if agreement.whole is None or len(units.annotators) <= PAIR:
        return None
    met = agreement.whole.profiles.coincidences
    used = np.flatnonzero(met.totals)
    if not len(used) or len(used) > MOST_CATEGORIES:
        return None
    tables = coincidence_tables(met, used)
    return {
        "categories": [units.categories[code] for code in used.tolist()],
        **{name: table.tolist() for name, table in tables.items()},
    }
