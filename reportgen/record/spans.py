"""From figures of spans to what results.json says of them, and the tables that are too large for it."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from reportgen.agreement import (
    MODES,
    SHARES,
    CreditAgreement,
    Macro,
    SpanAgreement,
    SpanPair,
    by_each_document,
)
from reportgen.counts import OUTCOMES
from reportgen.record.credits import credits_of_layer, credits_of_pair
from reportgen.record.figures import by_name, figure
from reportgen.results import rounded
from reportgen.study import Codes, SpanFrame

# With more documents than these, each pair's counted, results.json leaves them to the table.
MOST_DOCUMENTS = 5000
# The figures of a row in the tables that are written here.
SHOWN = tuple((mode, name) for mode in MODES for name in SHARES)


def spans_content(
    agreements: Sequence[SpanAgreement], credited: Sequence[Sequence[CreditAgreement]]
) -> dict[str, Any] | None:
    """Return the part `spans` of results.json; None where no export has marks in texts.

    `credited` has the figures with credit of each agreement.
    """
    if not agreements:
        return None
    whole = _documents(agreements) <= MOST_DOCUMENTS
    return {
        "layers": [
            _layer(each) | {"credits": credits_of_layer(own)}
            for each, own in zip(agreements, credited, strict=True)
        ],
        "pairs": [
            _pair(each.spans, pair, whole=whole) | {"credits": credits_of_pair(own, pair)}
            for each, own in zip(agreements, credited, strict=True)
            for pair in each.pairs
        ],
        "mean_over_pairs": {each.spans.layer: _means(each) for each in agreements},
    }


def _documents(agreements: Iterable[SpanAgreement]) -> int:
    return sum(len(pair.documents) for each in agreements for pair in each.pairs)


def _layer(agreement: SpanAgreement) -> dict[str, Any]:
    spans = agreement.spans
    return {
        "layer": spans.layer,
        "beta": spans.beta,
        "features": spans.features,
        "feature_match": spans.feature_match,
        "spellings": [asdict(each) for each in spans.spellings],
        "doubled": spans.doubled,
        "types": spans.types,
        "pairs": int((agreement.totals.type < 0).sum()),
        "crowded": agreement.crowded,
    }


def _means(agreement: SpanAgreement) -> dict[str, Any]:
    def plain(means: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
        return {
            mode: {name: asdict(mean) for name, mean in measures.items()} for mode, measures in means.items()
        }

    types = agreement.spans.types
    return {
        "overall": plain(agreement.mean_over_pairs),
        "by_type": {types[code]: plain(means) for code, means in agreement.mean_by_type.items()},
    }


def _pair(spans: SpanFrame, pair: SpanPair, *, whole: bool) -> dict[str, Any]:
    """Return the figures of two people; `whole` says whether those of each document go with them."""
    return {
        "layer": spans.layer,
        "annotators": (spans.people[pair.first], spans.people[pair.second]),
        "roles": (spans.roles[pair.first], spans.roles[pair.second]),
        "independent": False if spans.made_from(pair.first, pair.second) else None,
        "documents": len(pair.documents),
        "counts": _outcomes(pair.counts.sum(axis=0)),
        **{mode: by_name(pair.shares[mode]) for mode in MODES},
        "false_positives": figure(pair.false_positives),
        "macro_documents": _macros(pair.macro_documents),
        "macro_types": _macros(pair.macro_types),
        "by_type": {
            spans.types[code]: {
                "counts": _outcomes(each.counts),
                **{mode: by_name(each.shares[mode]) for mode in MODES},
            }
            for code, each in pair.by_type.items()
        },
        "by_document": _by_document(spans, pair) if whole else None,
        "differs_from_greedy": pair.differs,
    }


def _outcomes(counts: Codes) -> dict[str, int]:
    return dict(zip(OUTCOMES, counts.tolist(), strict=True))


def _macros(macros: Mapping[str, Mapping[str, Macro]]) -> dict[str, Any]:
    return {
        mode: {name: figure(each.estimate) | {"left_out": each.left_out} for name, each in measures.items()}
        for mode, measures in macros.items()
    }


def _by_document(spans: SpanFrame, pair: SpanPair) -> dict[str, Any]:
    return {
        spans.documents[document]: {
            "counts": _outcomes(pair.counts[place]),
            **{mode: {name: pair.values[mode][name][place] for name in SHARES} for mode in MODES},
        }
        for place, document in enumerate(pair.documents.tolist())
    }


def span_tables(agreements: Sequence[SpanAgreement]) -> dict[str, str]:
    """Return the tables that results.json has only in part: of many annotators, of many documents."""
    tables: dict[str, str] = {}
    if any(each.crowded for each in agreements):
        head: tuple[str, ...] = ("layer", "first", "second", "type", "documents")
        tables["tables/spans.csv"] = _csv(head, (row for each in agreements for row in _totals(each)))
    if _documents(agreements) > MOST_DOCUMENTS:
        head = ("layer", "first", "second", "document")
        rows = (row for each in agreements for pair in each.pairs for row in _documents_of(each.spans, pair))
        tables["tables/spans-by-document.csv"] = _csv(head, rows)
    return tables


def _csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow((*head, *OUTCOMES, *(f"{name}[{mode}]" for mode, name in SHOWN)))
    writer.writerows(rows)
    return buffer.getvalue()


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


def _documents_of(spans: SpanFrame, pair: SpanPair) -> Iterator[Sequence[object]]:
    names = spans.people[pair.first], spans.people[pair.second]
    for place, document in enumerate(pair.documents.tolist()):
        own = (spans.layer, *names, spans.documents[document])
        yield (*own, *pair.counts[place].tolist(), *_shown(pair.values, place))


def _shown(values: Mapping[str, Mapping[str, Sequence[float | None]]], row: int) -> Iterator[object]:
    for mode, name in SHOWN:
        value = values[mode][name][row]
        yield "" if value is None else rounded(value)
