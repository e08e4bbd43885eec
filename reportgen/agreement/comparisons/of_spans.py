"""References and systems on marks in texts: strict F, and how much annotators agree on the same documents."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from reportgen.agreement.estimate import Estimate, Undefined, no_estimate
from reportgen.agreement.spans.analysis import ANNOTATOR, SpanAgreement, SpanPair
from reportgen.agreement.spans.retrieval import Drawn, Ratio, drawn, ratios
from reportgen.study import Codes, Mask

MODE = "strict"
F = "f_measure"
SHOWN = ("precision", "recall", F)
REFERENCE = "reference"


@dataclass(frozen=True, eq=False)
class SpanHumans:
    """Annotators in some documents: the mean of F over pairs, and the shares of each against the reference.

    `documents` is how many of them two annotators saw, `pairs` how many pairs did.
    """

    documents: int
    pairs: int
    mean: Estimate
    against: Mapping[int, Mapping[str, Estimate]]


@dataclass(frozen=True, eq=False)
class SpanComparison:
    """A key and whoever is held against it; `humans` is None for annotators."""

    pair: SpanPair
    humans: SpanHumans | None


@dataclass(frozen=True, eq=False)
class SpanComparisons:
    """Everybody against the references of one layer's marks; without one, systems against annotators.

    `humans` is how annotators agree in the documents of each reference, by its code.
    """

    agreement: SpanAgreement
    pairs: tuple[SpanComparison, ...]
    humans: Mapping[int, SpanHumans]


def compare_spans(agreement: SpanAgreement) -> SpanComparisons | None:
    """Return the comparisons of one layer, None where all are annotators or are too many for single pairs."""
    roles = agreement.spans.roles
    if set(roles) <= {ANNOTATOR} or agreement.crowded:
        return None
    shown = [pair for pair in agreement.pairs if _compared(agreement, pair)]
    return SpanComparisons(
        agreement=agreement,
        pairs=tuple(SpanComparison(pair, _beside(agreement, pair)) for pair in shown),
        humans={
            key: _humans(agreement, key, np.flatnonzero(agreement.spans.saw[:, key]))
            for key, role in enumerate(roles)
            if role == REFERENCE
        },
    )


def _compared(agreement: SpanAgreement, pair: SpanPair) -> bool:
    roles = agreement.spans.roles
    if REFERENCE in roles:
        return roles[pair.first] == REFERENCE
    return roles[pair.second] != ANNOTATOR


def _beside(agreement: SpanAgreement, pair: SpanPair) -> SpanHumans | None:
    if agreement.spans.roles[pair.second] == ANNOTATOR:
        return None
    return _humans(agreement, pair.first, pair.documents)


def _humans(agreement: SpanAgreement, key: int, documents: Codes) -> SpanHumans:
    """Return how annotators agree in some documents (numbers), and with the key where it is a reference."""
    roles, size = agreement.spans.roles, len(agreement.spans.documents)
    chosen = np.zeros(size, dtype=np.bool_)
    chosen[documents] = True
    among = [each for each in agreement.pairs if roles[each.first] == roles[each.second] == ANNOTATOR]
    parts = [(each.documents, part) for each in among for part in _parts(agreement, each, chosen)]
    seen = np.zeros(size, dtype=np.bool_)
    for where, _ in parts:
        seen[where[chosen[where]]] = True
    return SpanHumans(
        documents=int(seen.sum()),
        pairs=len(parts),
        mean=_mean([(where[chosen[where]], part[F]) for where, part in parts], size),
        against=dict(_against(agreement, key, chosen)),
    )


def _parts(agreement: SpanAgreement, pair: SpanPair, chosen: Mask) -> Iterator[dict[str, Ratio]]:
    """Yield a pair's shares in the chosen documents (documents,), unless it has none of them."""
    rows = chosen[pair.documents]
    if rows.any():
        yield ratios(pair.counts[rows], MODE, agreement.spans.beta, documents=pair.documents[rows])


def _mean(parts: Sequence[tuple[Codes, Ratio]], documents: int) -> Estimate:
    """Return the mean of some ratios, each given with its documents; each document counts once."""
    known = [(where, ratio, value) for where, ratio in parts if (value := ratio.value) is not None]
    if not known:
        return no_estimate(Undefined.NO_PAIR_DEFINED if parts else Undefined.NO_PAIR, 0)
    influence, divisor = np.zeros(documents), np.zeros(documents)
    for where, ratio, _ in known:
        influence[where] += ratio.influence() / len(known)
        divisor[where] += ratio.denominator / float(ratio.denominator.sum())
    counted = divisor > 0
    mean = math.fsum(value for *_, value in known) / len(known)
    estimate = Estimate(mean, int(counted.sum()))
    missed = sum(ratio.missed for _, ratio, _ in known)
    of_each = Drawn(np.flatnonzero(counted), divisor[counted])
    return drawn(estimate, influence[counted], missed, documents=of_each)


def _against(agreement: SpanAgreement, key: int, chosen: Mask) -> Iterator[tuple[int, dict[str, Estimate]]]:
    roles = agreement.spans.roles
    for pair in agreement.pairs:
        if pair.first == key and roles[key] == REFERENCE and roles[pair.second] == ANNOTATOR:
            for shares in _parts(agreement, pair, chosen):
                yield pair.second, {name: shares[name].estimate() for name in SHOWN}
