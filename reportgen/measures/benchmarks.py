"""Words for a coefficient: the band of a benchmark scale that holds with 95% probability."""

import math
from dataclasses import dataclass

from reportgen.measures.estimate import LEVEL, ConfidenceInterval, Estimate, NoInterval
from reportgen.measures.measure import work
from reportgen.results import Work
from reportgen.results.parts import Band, Benchmarks

LEAST, MOST = -1.0, 1.0


@dataclass(frozen=True)
class BenchmarkScale:
    """A benchmark scale: `bands` are words with the least value of each, the best first."""

    id: str
    name: str
    work: Work
    bands: tuple[tuple[float, str], ...]


SCALES = (
    BenchmarkScale(
        "landis_koch",
        "Landis and Koch",
        work("Landis and Koch (1977), Biometrics 33(1), 159-174", "10.2307/2529310"),
        (
            (0.8, "almost perfect"),
            (0.6, "substantial"),
            (0.4, "moderate"),
            (0.2, "fair"),
            (0.0, "slight"),
            (LEAST, "poor"),
        ),
    ),
    BenchmarkScale(
        "altman",
        "Altman",
        work("Altman (1991), Practical Statistics for Medical Research, Chapman and Hall"),
        ((0.8, "very good"), (0.6, "good"), (0.4, "moderate"), (0.2, "fair"), (LEAST, "poor")),
    ),
    BenchmarkScale(
        "fleiss",
        "Fleiss",
        work("Fleiss (1981), Statistical Methods for Rates and Proportions, 2nd edition, Wiley"),
        ((0.75, "excellent"), (0.4, "fair to good"), (LEAST, "poor")),
    ),
    BenchmarkScale(
        "krippendorff",
        "Krippendorff",
        work("Krippendorff (2004), Content Analysis, 2nd edition, Sage, p. 241"),
        ((0.8, "reliable"), (0.667, "tentative conclusions only"), (LEAST, "no conclusions")),
    ),
)


def bands(estimate: Estimate) -> Benchmarks:
    """Return the band of a figure on each scale, by the scale's id, or why it has no standard error.

    Raises ValueError for a figure without a value.
    """
    if estimate.value is None:
        message = "a figure without a value lies in no band"
        raise ValueError(message)
    if estimate.standard_error is None:
        return Benchmarks(undefined=_why(estimate))
    found = {scale.id: band(estimate.value, estimate.standard_error, scale) for scale in SCALES}
    return Benchmarks(bands=found)


def _why(estimate: Estimate) -> NoInterval:
    if isinstance(estimate.interval, ConfidenceInterval):
        return NoInterval.NO_DISAGREEMENT
    return estimate.interval or NoInterval.NO_VARIATION


def band(value: float, error: float, scale: BenchmarkScale) -> Band:
    """Return the band that holds with 95% probability (Gwet 2014, chapter 6).

    Probabilities of the bands are added up from the best one down; the first band at which the sum is 95%
    or more is named. Some call a coefficient by the band of its value, which it reaches half of the time
    where the value lies at the band's lower end.
    """
    reached = [(reaching(value, error, least), word) for least, word in scale.bands[:-1]]
    reached.append((1.0, scale.bands[-1][1]))
    probability, word = next(each for each in reached if each[0] >= LEVEL)
    of_value = next(name for least, name in scale.bands if value >= least or least == LEAST)
    return Band(word=word, probability=probability, of_value=of_value)


def reaching(value: float, error: float, least: float) -> float:
    """Return the probability that the true value is `least` or more, it being normal around `value`.

    The distribution is cut at -1 and 1, as no coefficient lies beyond.
    """
    whole = _below((value - LEAST) / error) - _below((value - MOST) / error)
    if whole <= 0:  # far beyond the ends, which only weighted figures can be
        return 0.0
    return (_below((value - least) / error) - _below((value - MOST) / error)) / whole


def _below(quantile: float) -> float:
    """Return the standard normal distribution function."""
    return math.erfc(-quantile / math.sqrt(2)) / 2
