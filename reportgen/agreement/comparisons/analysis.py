"""References and systems: everybody against the reference, and beside it how much annotators agree there.

Human agreement on the same units, in the same measure, is the usual ceiling for a system; one that is
scored against an adjudicated reference may pass it, since the reference is better than any one annotator.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from reportgen.agreement.analysis import MOST_ANNOTATORS
from reportgen.agreement.catalogue import measure_of
from reportgen.agreement.comparisons.humans import Humans, humans
from reportgen.agreement.comparisons.scores import (
    ALPHA,
    KAPPA,
    OBSERVED,
    CategoryScores,
    pair_scores,
    scores_by_category,
)
from reportgen.agreement.estimate import Estimate
from reportgen.agreement.measure import Setting
from reportgen.agreement.several.crowd import PairFigures, pair_figures
from reportgen.counts import PairCounts, PairTable, keys_and_others, pair_table
from reportgen.study import Compared

ANNOTATOR = "annotator"
# Of a crowd against a reference, so many have all their figures: those that agree with it least.
LOWEST_SHOWN = 20


@dataclass(frozen=True, eq=False)
class Comparison:
    """A key, the table's first, and whoever is held against it, on the units that both labelled.

    `by_category` has the categories, by their code, that one of the two used; `humans` is how annotators
    agree there, None for annotators, who are themselves the measure.
    """

    table: PairTable
    measures: Mapping[str, Estimate]
    by_category: Mapping[int, CategoryScores]
    humans: Humans | None


@dataclass(frozen=True, eq=False)
class ComparedAgreement:
    """Everybody against the references of one unit set; without one, systems against annotators.

    `figure` is the one that pages show first: the primary coefficient where two people have it. `pairs` are
    all who are compared; of a crowd of annotators only those who agree least, and `crowd` has what is known
    of everybody. `humans` is how annotators agree on all units of each reference, by its code.
    """

    compared: Compared
    figure: str
    people: int
    pairs: tuple[Comparison, ...]
    crowd: PairFigures | None
    humans: Mapping[int, Humans]


def analyse_comparisons(
    compared: Compared, counts: PairCounts, setting: Setting, coefficient: str
) -> ComparedAgreement:
    """Return every figure of a unit set's comparisons; `coefficient` is the layer's primary one."""
    size = len(compared.units.categories)
    crowded = len(compared.of_role(ANNOTATOR)) > MOST_ANNOTATORS
    crowd = pair_figures(counts, size) if crowded else None
    names = compared_figures(setting, coefficient)
    tables = list(_tables(compared, counts, _shown(compared, crowd)))
    pairs = tuple(_comparison(compared, table, setting, names) for table in tables)
    known = {name for pair in pairs for name in pair.measures}
    of_keys = {key: humans(compared, (key,), setting, names) for key in compared.of_role("reference")}
    return ComparedAgreement(
        compared=compared,
        figure=coefficient if coefficient in known else ALPHA,
        people=len(crowd.first) if crowd else len(pairs),
        pairs=pairs,
        crowd=crowd,
        humans={key: each for key, each in of_keys.items() if each is not None},
    )


def compared_figures(setting: Setting, coefficient: str) -> tuple[str, ...]:
    """Return the figures of the catalogue by which two people are compared."""
    scales = {
        "ordinal": (f"{ALPHA}[ordinal]",),
        "interval": (f"{ALPHA}[interval]",),
        "ratio": (f"{ALPHA}[interval]", f"{ALPHA}[ratio]"),
    }
    declared = tuple(f"{ALPHA}[{each.id}]" for each in setting.distances)
    primary = (coefficient,) if measure_of(coefficient).for_pair else ()
    ordered = (OBSERVED, KAPPA, ALPHA, *declared, *scales.get(setting.scale, ()), *primary)
    return tuple(dict.fromkeys(ordered))


def _shown(compared: Compared, crowd: PairFigures | None) -> list[tuple[int, int]]:
    """Return who is shown with all figures: everybody, or of a crowd who agrees with a key least."""
    keys, others = keys_and_others(compared)
    if crowd is None:
        return [(key, other) for key in keys for other in others]
    order = np.lexsort((crowd.second, crowd.first, -crowd.units, crowd.observed))
    ordered = list(zip(crowd.first[order].tolist(), crowd.second[order].tolist(), strict=True))
    roles = compared.roles
    systems = [pair for pair in ordered if ANNOTATOR not in (roles[pair[0]], roles[pair[1]])]
    lowest = [pair for pair in ordered if ANNOTATOR in (roles[pair[0]], roles[pair[1]])]
    return sorted([*systems, *lowest[:LOWEST_SHOWN]])


def _tables(compared: Compared, counts: PairCounts, shown: Sequence[tuple[int, int]]) -> Iterator[PairTable]:
    """Yield the table of each two people; annotators who share no unit with the key have none."""
    size, people = len(compared.units.categories), len(compared.roles)
    place = counts.first * people + counts.second
    for key, other in shown:
        start, end = np.searchsorted(place, [key * people + other, key * people + other + 1]).tolist()
        if start < end or compared.roles[other] != ANNOTATOR:
            yield pair_table(counts.part(start, end), size, key, other)


def _comparison(compared: Compared, table: PairTable, setting: Setting, names: tuple[str, ...]) -> Comparison:
    is_system = compared.roles[table.second] != ANNOTATOR
    people = (table.first, table.second)
    return Comparison(
        table=table,
        measures=pair_scores(table, setting, names),
        by_category=scores_by_category(table, setting),
        humans=humans(compared, people, setting, names) if is_system and table.units else None,
    )
