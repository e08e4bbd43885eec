"""Figures of marks in texts as results have them, and the tables that are too large for results."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from reportgen.measures.retrieval import MODES, SHARES, by_each_document
from reportgen.measures.span_credits import CreditAgreement
from reportgen.measures.spans import SpanAgreement, SpanPairAgreement, outcomes_of
from reportgen.readers.counted import OUTCOMES
from reportgen.results.marks import (
    MarkDisagreements,
    SpanDocument,
    SpanLayer,
    SpanPair,
    SpanResults,
    Unitizing,
)
from reportgen.results.model import csv_text
from reportgen.units import SpanFrame

# With more documents than these, each pair's counted, results.json leaves them to the table.
MOST_DOCUMENTS = 5000
# The figures of a row in the tables that are written here.
SHOWN = tuple((mode, name) for mode in MODES for name in SHARES)


def span_results(
    agreements: Sequence[SpanAgreement],
    credited: Sequence[Sequence[CreditAgreement]],
    disagreements: Sequence[MarkDisagreements] = (),
    unitizing: Sequence[Unitizing] = (),
) -> SpanResults | None:
    """Return the figures of all layers; None where no export has marks in texts.

    `credited` has the figures with credit of each agreement.
    """
    if not agreements:
        return None
    whole = _documents(agreements) <= MOST_DOCUMENTS
    layers = list(zip(agreements, credited, strict=True))
    return SpanResults(
        layers=tuple(_layer(each, own) for each, own in layers),
        pairs=tuple(_pair(each, pair, own, whole=whole) for each, own in layers for pair in each.pairs),
        mean_over_pairs={each.spans.layer: each.means for each in agreements},
        disagreements=tuple(disagreements) or None,
        unitizing=tuple(unitizing),
    )


def _documents(agreements: Iterable[SpanAgreement]) -> int:
    return sum(len(pair.documents) for each in agreements for pair in each.pairs)


def _layer(agreement: SpanAgreement, credited: Sequence[CreditAgreement]) -> SpanLayer:
    spans = agreement.spans
    return SpanLayer(
        layer=spans.layer,
        beta=spans.beta,
        features=spans.features,
        feature_match=spans.feature_match,
        spellings=spans.spellings,
        doubled=spans.doubled,
        types=spans.types,
        pairs=int((agreement.totals.type < 0).sum()),
        crowded=agreement.crowded,
        credits=tuple(each.layer for each in credited) or None,
    )


def _pair(
    agreement: SpanAgreement, pair: SpanPairAgreement, credited: Sequence[CreditAgreement], *, whole: bool
) -> SpanPair:
    """Return the figures of two people; `whole` says whether those of each document go with them."""
    own = {each.layer.distance: each.pairs[pair.first, pair.second] for each in credited}
    by_document = _by_document(agreement.spans, pair) if whole else None
    return pair.figures.model_copy(update={"by_document": by_document, "credits": own or None})


def _by_document(spans: SpanFrame, pair: SpanPairAgreement) -> dict[str, SpanDocument]:
    values = by_each_document(pair.counts, spans.beta)
    return {
        spans.documents[document]: SpanDocument(
            counts=outcomes_of(pair.counts[place]),
            **{mode: {name: values[mode][name][place] for name in SHARES} for mode in MODES},
        )
        for place, document in enumerate(pair.documents.tolist())
    }


def span_tables(agreements: Sequence[SpanAgreement]) -> dict[str, str]:
    """Return the tables that results.json has only in part: of many annotators, of many documents."""
    tables: dict[str, str] = {}
    figures = (*OUTCOMES, *(f"{name}[{mode}]" for mode, name in SHOWN))
    if any(each.crowded for each in agreements):
        head = ("layer", "first", "second", "type", "documents", *figures)
        tables["tables/spans.csv"] = csv_text(head, (row for each in agreements for row in _totals(each)))
    if _documents(agreements) > MOST_DOCUMENTS:
        head = ("layer", "first", "second", "document", *figures)
        rows = (row for each in agreements for pair in each.pairs for row in _documents_of(each.spans, pair))
        tables["tables/spans-by-document.csv"] = csv_text(head, rows)
    return tables


def _totals(agreement: SpanAgreement) -> Iterator[Sequence[object]]:
    """Yield a row for every two people, and for each type between them."""
    spans, totals = agreement.spans, agreement.totals
    values = by_each_document(totals.counts, spans.beta)
    order = np.lexsort((totals.type, totals.second, totals.first))
    for row in order.tolist():
        kind = int(totals.type[row])
        names = spans.people[int(totals.first[row])], spans.people[int(totals.second[row])]
        own = (spans.layer, *names, "" if kind < 0 else spans.types[kind], int(totals.documents[row]))
        yield (*own, *totals.counts[row].tolist(), *_shown(values, row))


def _documents_of(spans: SpanFrame, pair: SpanPairAgreement) -> Iterator[Sequence[object]]:
    names = spans.people[pair.first], spans.people[pair.second]
    values = by_each_document(pair.counts, spans.beta)
    for place, document in enumerate(pair.documents.tolist()):
        own = (spans.layer, *names, spans.documents[document])
        yield (*own, *pair.counts[place].tolist(), *_shown(values, place))


def _shown(values: Mapping[str, Mapping[str, Sequence[float | None]]], row: int) -> Iterator[float | None]:
    for mode, name in SHOWN:
        yield values[mode][name][row]
