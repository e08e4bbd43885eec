"""Figures of every two annotators of a crowd at once, where a table for each pair would be too much."""

import math
from dataclasses import dataclass

import numpy as np

from reportgen.agreement.estimate import Floats
from reportgen.counts import PairCounts
from reportgen.study import Codes


@dataclass(frozen=True, eq=False)
class PairFigures:
    """Observed agreement and Cohen's kappa of every two annotators that share a unit: columns (pairs,).

    `first` and `second` are annotators' codes, `units` how many units both rated. `kappa` is NaN where
    both used one and the same category only, so that the expected disagreement is zero, and where they
    shared one unit alone.
    """

    first: Codes
    second: Codes
    units: Codes
    observed: Floats
    kappa: Floats


def pair_figures(pairs: PairCounts, categories: int) -> PairFigures:
    """Return the figures of all pairs, sorted by first and second annotator."""
    starts = pairs.starts
    if len(starts) == 0:
        return PairFigures(starts, starts, starts, np.zeros(0), np.zeros(0))
    units = np.add.reduceat(pairs.n, starts)
    apart = np.add.reduceat(np.where(pairs.first_label != pairs.second_label, pairs.n, 0), starts)
    chance = units * units - _meetings(pairs, categories)
    kappa = np.full(len(starts), np.nan)
    np.divide(apart * units, chance, out=kappa, where=(chance > 0) & (units > 1))
    return PairFigures(pairs.first[starts], pairs.second[starts], units, (units - apart) / units, 1 - kappa)


def _meetings(pairs: PairCounts, categories: int) -> Codes:
    """Return Σ_k n_k. n_.k of each pair, from the labels that both used."""
    counted = np.diff(pairs.starts, append=len(pairs.n))
    pair = np.repeat(np.arange(len(counted)), counted)
    first, first_n = _totals(pair * categories + pairs.first_label, pairs.n)
    second, second_n = _totals(pair * categories + pairs.second_label, pairs.n)
    keys, one, other = np.intersect1d(first, second, assume_unique=True, return_indices=True)
    found = np.zeros(len(counted), dtype=np.int64)
    np.add.at(found, keys // categories, first_n[one] * second_n[other])
    return found


def table_cells(pairs: PairCounts, categories: int) -> int:
    """Return how many cells the tables of all pairs have, each with the categories that either of it used."""
    counted = np.diff(pairs.starts, append=len(pairs.n))
    pair = np.repeat(np.arange(len(counted)), counted)
    labels = np.concatenate([pairs.first_label, pairs.second_label])
    keys = np.unique(np.concatenate([pair, pair]) * max(categories, 1) + labels)
    used = np.bincount(keys // max(categories, 1), minlength=len(counted))
    return int((used * used).sum())


def _totals(keys: Codes, n: Codes) -> tuple[Codes, Codes]:
    """Return the distinct keys in order and the sum of `n` for each."""
    distinct, place = np.unique(keys, return_inverse=True)
    totals = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(totals, place, n)
    return distinct, totals


def mean_of(values: Floats) -> tuple[float, int]:
    """Return the mean of the values that are defined, and how many those are; at least one is."""
    defined = values[~np.isnan(values)].tolist()
    return math.fsum(defined) / len(defined), len(defined)
