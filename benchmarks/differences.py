"""How often a test between two versions errs at .05 where nothing changed, in simulated campaigns.

Documents are other ones in the two versions, or the same, labelled twice.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import product

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr

from benchmarks.campaigns import (
    MEASURES,
    Design,
    Figures,
    Floats,
    figures,
    labelled,
    material,
    measures_of,
    sums,
)
from benchmarks.intervals import (
    AFTER,
    BEFORE,
    NEW,
    ROUNDING,
    alike,
    by_influence,
    by_leaving_out,
    left,
    touching,
)

SEED = 2016
TOLD = 200
ALPHA = 0.05
# Documents of the two versions; the last are the same documents.
SIZES = {"5 against 40": (5, 40), "20 against 20": (20, 20), "the same 10": (10, 10), "the same 20": (20, 20)}
SAME = "the same"
PREVALENCES, ANNOTATORS = (0.5, 0.9, 0.98), (2, 3, 5)
Errors = dict[tuple[str, str, str], list[float]]


def unpaired_before(first: Figures, second: Figures, _: float) -> Floats:
    """Return p values (campaigns,): variances of the jackknife, documents that touch the figure less one."""
    errors = tuple(by_leaving_out(each) for each in (first, second))
    return _welch(second.value - first.value, errors, tuple(touching(each) for each in (first, second)))


def unpaired_now(first: Figures, second: Figures, low: float) -> Floats:
    """Return p values (campaigns,): of the difference on the logit scale, documents alike less one."""
    places = tuple((2 * each.value - low - 1) / (1 - low) for each in (first, second))
    errors = tuple(
        by_leaving_out(each) * 2 / (1 - low) / (1 - place * place)
        for each, place in zip((first, second), places, strict=True)
    )
    degrees = tuple(np.maximum(alike(each) - 1, ROUNDING) for each in (first, second))
    return _welch(np.arctanh(places[1]) - np.arctanh(places[0]), errors, degrees)


def _welch(value: Floats, errors: tuple[Floats, ...], degrees: tuple[Floats, ...]) -> Floats:
    variances = [each * each for each in errors]
    total = np.sum(variances, axis=0)
    free = total**2 / np.sum([each**2 / of for each, of in zip(variances, degrees, strict=True)], axis=0)
    p: Floats = 2 * stdtr(free, -np.abs(value) / np.sqrt(total))
    return p


def paired_before(first: Figures, second: Figures, _: float) -> Floats:
    """Return p values (campaigns,): differences of influence, documents that touch the figure less one."""
    groups = np.maximum(touching(first), touching(second)) + 1
    return _paired(first, second, second.moved - first.moved, groups / (groups - 1))


def paired_now(first: Figures, second: Figures, _: float) -> Floats:
    """Return p values (campaigns,) from what leaving out each document moves the difference."""
    groups = first.moved.shape[1]
    moved = second.moved / left(second) - first.moved / left(first)
    return _paired(first, second, moved, (groups - 1) / groups)


def _paired(first: Figures, second: Figures, moved: Floats, factor: Floats | float) -> Floats:
    degrees = np.maximum(touching(first), touching(second))
    error = np.sqrt(factor * (moved**2).sum(axis=1))
    p: Floats = 2 * stdtr(degrees, -np.abs(second.value - first.value) / error)
    return p


TESTS = {
    (BEFORE, False): unpaired_before,
    (AFTER, False): unpaired_now,
    (BEFORE, True): paired_before,
    (AFTER, True): paired_now,
}


def errors(replications: int) -> Errors:
    """Return how often each figure's test errs, by sizes, method and measure: a share for each design."""
    found: Errors = defaultdict(list)
    for (title, sizes), prevalence, annotators, missing in product(
        SIZES.items(), PREVALENCES, ANNOTATORS, (False, True)
    ):
        designs = [Design(size, prevalence, annotators, missing) for size in sizes]
        random, paired = designs[0].generator(SEED + sizes[1]), title.startswith(SAME)
        drawn = material(designs[0], replications, random)
        other = drawn if paired else material(designs[1], replications, random)
        versions = [
            sums(design, given, labelled(design, given, random))
            for design, given in zip(designs, (drawn, other), strict=True)
        ]
        for name in measures_of(designs[0]):
            first, second = (figures(name, version) for version in versions)
            tested = _tested(name, (first, second), designs)
            for method in (BEFORE, AFTER):
                with np.errstate(all="ignore"):
                    p = TESTS[method, paired](first, second, MEASURES[name].low)
                known = tested & ~np.isnan(p)
                if known.sum() >= TOLD:
                    found[title, method, name].append(float((p[known] < ALPHA).mean()))
    return found


def _tested(name: str, versions: tuple[Figures, Figures], designs: list[Design]) -> npt.NDArray[np.bool_]:
    """Return where both figures have an interval that comes from their variation."""
    tested = np.ones(len(versions[0].value), dtype=np.bool_)
    for found, design in zip(versions, designs, strict=True):
        tested &= found.seen & (by_influence(found) > ROUNDING) & ~NEW.rare(found, MEASURES[name], design)
    return tested


def rows(found: Errors, classes: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Yield the table: the least, the mean and the highest share of errors of each class of figures."""
    yield f"| documents | method | {' | '.join(classes)} |"
    yield f"|---|---|{'--:|' * len(classes)}"
    for title, method in product(SIZES, (BEFORE, AFTER)):
        cells = []
        for names in classes.values():
            shares = [share for name in names for share in found.get((title, method, name), [])]
            told = f"{min(shares):.3f}, {np.mean(shares):.3f}, {max(shares):.3f}" if shares else "–"
            cells.append(told)
        yield f"| {title} | {method} | {' | '.join(cells)} |"
