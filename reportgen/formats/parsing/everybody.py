"""everybody.csv of a folder of counts: the units of a unit set with the labels of people in every role."""

from collections.abc import Sequence

import numpy as np

from reportgen.errors import BadInput
from reportgen.formats.annotations import Codes
from reportgen.formats.counted import EverybodyDescribed, Kinds, UnitSetDescribed
from reportgen.formats.mark_tables import Everybody
from reportgen.formats.parsing.count_columns import CountTable, whole
from reportgen.formats.parsing.count_kinds import read_kinds
from reportgen.formats.reader import shortened

# Up to here units are told apart again; beyond, those of one kind stay together, which only tests between
# releases of a system notice.
MOST_UNITS = 10_000_000


def read_everybody(described: EverybodyDescribed, documents: Sequence[str], table: CountTable) -> Everybody:
    """Return the units of one unit set; raise BadInput with whatever is wrong in its rows."""
    numbers = table.columns({"bulk": whole(0), "n": whole(1)})
    for line in numbers["line"][numbers["bulk"] > numbers["n"]].tolist():
        table.wrong(line, "has more units in bulk than units.", "bulk")
    if table.problems:
        raise BadInput(shortened(table.problems))
    rows = [(line, (*cells[:4], cells[5])) for line, cells in table.rows]
    kinds = read_kinds(table.file, rows, with_absent(described), documents)
    return _told_apart(kinds, numbers["bulk"])


def with_absent(described: EverybodyDescribed) -> UnitSetDescribed:
    """Return the unit set with the category of unmarked units, also where no pair of labels can have it."""
    units = described.units
    if described.absent != len(units.categories):
        return units
    return units.model_copy(update={"categories": (*units.categories, units.non_annotated_name)})


def _told_apart(kinds: Kinds, bulk: Codes) -> Everybody:
    """Return a row for each unit, and one for those of a kind that are known as a number only."""
    single = kinds.n - bulk
    if int(single.sum()) > MOST_UNITS:
        single, bulk = np.zeros_like(single), kinds.n
    times = single + (bulk > 0)
    kind = np.repeat(np.arange(len(times)), times)
    n = np.ones(len(kind), dtype=np.int64)
    n[(np.cumsum(times) - 1)[bulk > 0]] = bulk[bulk > 0]
    order = np.argsort(kinds.kind, kind="stable")
    ratings = np.bincount(kinds.kind, minlength=len(times))
    begin = (np.cumsum(ratings) - ratings)[kind]
    unit = np.repeat(np.arange(len(kind)), ratings[kind])
    first = np.cumsum(ratings[kind]) - ratings[kind]
    row = order[np.repeat(begin - first, ratings[kind]) + np.arange(len(unit))]
    return Everybody(kinds.documents, kinds.document[kind], n, unit, kinds.annotator[row], kinds.label[row])
