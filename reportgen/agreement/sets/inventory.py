"""How many labels there are to choose from where categories are sets, and what explicit agreement omits."""

from dataclasses import dataclass

import numpy as np

from reportgen.agreement.measure import Setting
from reportgen.agreement.sets.distances import table_of
from reportgen.agreement.whole import Whole


def inventory(setting: Setting) -> int:
    """Return how many categories there are to choose from: as declared, else those declared or used."""
    return setting.category_count or (0 if setting.sets is None else table_of(setting.sets).members)


@dataclass(frozen=True)
class SetAccount:
    """What explicit agreement leaves out, and what implicit agreement counts.

    - `categories`: how many there are to choose from; `declared` says whether the campaign says so.
    - `units_left_out`: units to which nobody of two or more gave a category.
    - `meetings`: how often two annotators rated the same unit; `meetings_left_out` those in which neither
      gave a category. `pairs` of annotators have one in which somebody did.
    """

    categories: int
    declared: bool
    units_left_out: int
    meetings: int
    meetings_left_out: int
    pairs: int


def set_account(whole: Whole) -> SetAccount | None:
    """Return what is left out of a unit set whose categories are sets, None where they are none."""
    if whole.setting.sets is None:
        return None
    blank, found = table_of(whole.setting.sets).blank, whole.meetings
    met = found.met
    counted = ~(blank[met.first] & blank[met.second])
    return SetAccount(
        categories=inventory(whole.setting),
        declared=whole.setting.category_count is not None,
        units_left_out=found.units(np.ones_like(counted)) - found.units(counted),
        meetings=int(met.weight.sum()),
        meetings_left_out=int(met.weight[~counted].sum()),
        pairs=len(np.unique(met.pair[counted])),
    )
