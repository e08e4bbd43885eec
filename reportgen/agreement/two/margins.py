"""Agreement of two annotators beside what their margins allow: Bangdiwala's B."""

import numpy as np

from reportgen.agreement.estimate import (
    Estimate,
    Floats,
    Undefined,
    no_estimate,
    with_interval,
)
from reportgen.agreement.several.profiles import profiles_of_pair
from reportgen.counts import PairTable

TWO = 2


def bangdiwala_b(table: PairTable) -> Estimate:
    """Return Σ n_kk² / Σ n_k. n_.k: the agreeing area of the agreement chart beside the largest (1985).

    The influence of a unit in cell (j, k) is (2 p_jj [j = k] - B (p_.j + p_k.)) / Σ p_k. p_.k, the derivative
    by the table's shares; Gwet's irrCAC has the same standard error.
    """
    if table.units == 0:
        return no_estimate(Undefined.NO_UNITS, 0)
    if table.categories < TWO:
        return no_estimate(Undefined.ONE_CATEGORY, table.units)
    rows, columns = table.row_totals / table.units, table.column_totals / table.units
    cells, same = table.cells, table.agreements / table.units
    largest = float((rows * columns).sum())
    if largest <= 0:
        return no_estimate(Undefined.NO_SHARED_CATEGORY, table.units)
    value = float((same * same).sum()) / largest
    agreeing = np.where(cells.row == cells.column, 2 * same[cells.row], 0.0)
    moved: Floats = agreeing - value * (columns[cells.row] + rows[cells.column])
    return with_interval(
        Estimate(value, table.units),
        moved / largest,
        profiles_of_pair(table).clusters,
        (0.0, 1.0),
        disagreements=table.disagreements,
    )
