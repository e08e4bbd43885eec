"""References and systems on marks in texts: strict F, and how much annotators agree on the same documents."""

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from reportgen.measures.comparisons import REFERENCE, ComparedAgreement, HumanAgreement, against_humans
from reportgen.measures.estimate import Estimate, Undefined, no_estimate
from reportgen.measures.figures import figure
from reportgen.measures.retrieval import Drawn, Ratio, drawn, ratios
from reportgen.measures.spans import ANNOTATOR, SpanAgreement, SpanPairAgreement
from reportgen.readers import Codes
from reportgen.results import Figure
from reportgen.results.annotators import CategoryScores, ComparedSet, Comparison, Humans
from reportgen.results.marks import SpanFigures
from reportgen.units import Mask

MODE = "strict"
F = "f_measure"
STRICT_F = f"{F}[{MODE}]"
SHOWN = ("precision", "recall", F)


def compare_spans(agreement: SpanAgreement) -> ComparedAgreement | None:
    """Return the comparisons of one layer, None where all are annotators or are too many for single pairs."""
    roles = agreement.spans.roles
    if set(roles) <= {ANNOTATOR} or agreement.crowded:
        return None
    pairs = tuple(_pair(agreement, pair) for pair in agreement.pairs if _compared(agreement, pair))
    return ComparedAgreement(_summary(agreement, len(pairs)), pairs)


def _summary(agreement: SpanAgreement, people: int) -> ComparedSet:
    spans = agreement.spans
    references = {name: key for key, name in enumerate(spans.people) if spans.roles[key] == REFERENCE}
    return ComparedSet(
        layer=spans.layer,
        figure=STRICT_F,
        references=tuple(references),
        not_independent=tuple(name for name in spans.people if name in spans.derived),
        people=people,
        crowded=False,
        humans={
            name: _humans(agreement, key, np.flatnonzero(spans.saw[:, key])).results
            for name, key in references.items()
        },
    )


def _pair(agreement: SpanAgreement, pair: SpanPairAgreement) -> Comparison:
    """Return a key and somebody else; annotators are themselves the measure, without others beside them."""
    spans, key, other, shares = agreement.spans, pair.first, pair.second, pair.shares[MODE]
    beside = None if spans.roles[other] == ANNOTATOR else _humans(agreement, key, pair.documents)
    return Comparison(
        layer=spans.layer,
        key=spans.people[key],
        key_role=spans.roles[key],
        other=spans.people[other],
        role=spans.roles[other],
        independent=False if spans.made_from(key, other) else None,
        documents=len(pair.documents),
        measures=_figures(shares),
        by_category={name: _scores(each) for name, each in pair.figures.by_type.items()},
        humans=beside.results if beside else None,
        against_humans=against_humans(beside, {STRICT_F: shares[F]}, STRICT_F),
    )


def _figures(shares: Mapping[str, Estimate]) -> dict[str, Figure]:
    return {f"{name}[{MODE}]": figure(shares[name]) for name in SHOWN}


def _scores(found: SpanFigures) -> CategoryScores:
    """Return what became of the marks of one type."""
    counts, strict = found.counts, found.strict
    return CategoryScores(
        key=counts.match + counts.overlap + counts.only_first,
        other=counts.match + counts.overlap + counts.only_second,
        both=counts.match,
        precision=strict["precision"],
        recall=strict["recall"],
        specific_agreement=strict[F],
    )


def _compared(agreement: SpanAgreement, pair: SpanPairAgreement) -> bool:
    roles = agreement.spans.roles
    if REFERENCE in roles:
        return roles[pair.first] == REFERENCE
    return roles[pair.second] != ANNOTATOR


def _humans(agreement: SpanAgreement, key: int, documents: Codes) -> HumanAgreement:
    """Return how annotators agree in some documents (numbers), and with the key where it is a reference."""
    roles, size = agreement.spans.roles, len(agreement.spans.documents)
    chosen = np.zeros(size, dtype=np.bool_)
    chosen[documents] = True
    among = [each for each in agreement.pairs if roles[each.first] == roles[each.second] == ANNOTATOR]
    parts = [(each.documents, part) for each in among for part in _parts(agreement, each, chosen)]
    seen = np.zeros(size, dtype=np.bool_)
    for where, _ in parts:
        seen[where[chosen[where]]] = True
    mean = _mean([(where[chosen[where]], part[F]) for where, part in parts], size)
    found = Humans(
        pairs=len(parts),
        documents=int(seen.sum()),
        measures={STRICT_F: figure(mean)},
        against_reference=dict(_against(agreement, key, chosen)),
    )
    return HumanAgreement(found, {STRICT_F: mean})


def _parts(agreement: SpanAgreement, pair: SpanPairAgreement, chosen: Mask) -> Iterator[dict[str, Ratio]]:
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


def _against(agreement: SpanAgreement, key: int, chosen: Mask) -> Iterator[tuple[str, dict[str, Figure]]]:
    roles = agreement.spans.roles
    for pair in agreement.pairs:
        if pair.first == key and roles[key] == REFERENCE and roles[pair.second] == ANNOTATOR:
            for shares in _parts(agreement, pair, chosen):
                estimates = {name: shares[name].estimate() for name in SHOWN}
                yield agreement.spans.people[pair.second], _figures(estimates)
