"""Which figures there are on a scale, known before anything is counted."""

from collections.abc import Iterator, Sequence

import numpy as np

from reportgen.measures.catalogue import CATALOGUE
from reportgen.measures.measure import base_id
from reportgen.measures.numbers import TWO_WAY
from reportgen.measures.setting import Setting, scale_distances, weights_of

ALPHA = "krippendorff_alpha"
# Figures that only exist with something in brackets.
NEVER_BARE = ("weighted_kappa", "gwet_ac2")
WEIGHTED = (*NEVER_BARE, "bennett_s", "fleiss_kappa", "conger_kappa")
COMPUTED = (ALPHA, "weighted_kappa")
ORDERED = ("ordinal", "interval", "ratio")


def figures_on(scale: str, declared: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the full ids of all figures that two or more annotators can have on a scale.

    `declared` are the ids of the campaign's own distances, which weight what can be weighted.
    """
    setting = _example(scale)
    computing = [each for each in CATALOGUE if scale in each.scales and (each.for_pair or each.for_all)]
    return tuple(figure for each in computing for figure in _forms(each.id, setting, declared))


def forms_of(measure: str, scale: str, declared: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the full ids that one measure has on a scale; empty where it has none."""
    return tuple(each for each in figures_on(scale, declared) if base_id(each) == measure)


def _example(scale: str) -> Setting:
    """Return a setting on the scale with two categories, which decide nothing but the names of distances."""
    values = np.array([1.0, 2.0]) if scale in ORDERED else None
    sets = (frozenset({"a"}), frozenset({"b"})) if scale == "set" else None
    return Setting(scale=scale, values=values, sets=sets)


def _forms(measure: str, setting: Setting, declared: Sequence[str]) -> Iterator[str]:
    """Yield a measure's id, bare and with all that can stand in brackets behind it."""
    if measure not in NEVER_BARE:
        yield measure
    if measure == base_id(TWO_WAY) and setting.values is not None:
        yield TWO_WAY
    if measure in (ALPHA, *WEIGHTED):
        yield from (f"{measure}[{name}]" for name in declared)
    if measure == ALPHA:
        own = scale_distances(np.ones(2, dtype=np.int64), setting)
        yield from (f"{measure}[{each.id}]" for each in own)
    if measure in WEIGHTED:
        yield from (f"{measure}[{each.id}]" for each in weights_of(setting))
    if measure in COMPUTED:
        yield f"{measure}[computed]"
