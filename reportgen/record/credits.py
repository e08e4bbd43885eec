"""From credit by a distance, and BDM distances, to results.json and to the table of their parameters."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from reportgen.agreement import MODES, CreditAgreement, CreditPair, SpanPair
from reportgen.campaign import DistanceTable, Score
from reportgen.counts import KINDS
from reportgen.record.figures import by_name
from reportgen.results import rounded

PARAMETERS = tuple(each.name for each in fields(Score))


def credits_of_layer(agreements: Sequence[CreditAgreement]) -> list[dict[str, Any]] | None:
    """Return what results.json says of a layer's credit, None without any."""
    return [
        {"distance": each.id, "divisor": each.divisor, "mean_over_pairs": _means(each)} for each in agreements
    ] or None


def _means(agreement: CreditAgreement) -> dict[str, Any]:
    return {
        mode: {name: asdict(mean) for name, mean in measures.items()}
        for mode, measures in agreement.mean_over_pairs.items()
    }


def credits_of_pair(agreements: Sequence[CreditAgreement], pair: SpanPair) -> dict[str, Any] | None:
    """Return the figures of two people with credit, by distance; None without any."""
    return {each.id: _figures(each.pairs[pair.first, pair.second]) for each in agreements} or None


def _figures(pair: CreditPair) -> dict[str, Any]:
    pairs: Mapping[str, float] = dict(zip(KINDS, pair.pairs.tolist(), strict=True))
    earned = {f"earned_{kind}": each for kind, each in zip(KINDS, pair.earned.tolist(), strict=True)}
    return {"pairs": {**pairs, **earned}, **{mode: by_name(pair.shares[mode]) for mode in MODES}}


def distance_table(table: DistanceTable) -> dict[str, Any]:
    """Return what results.json says of a declared distance table."""
    known: dict[str, Any] = {
        "id": table.id,
        "why": table.why,
        "categories": table.categories,
        "rows": table.rows,
    }
    if table.origin is None:
        return known
    origin = {name: value for name, value in asdict(table.origin).items() if name != "names"}
    return known | {"origin": origin | {"file": table.file}}


def bdm_tables(tables: Sequence[DistanceTable]) -> dict[str, str]:
    """Return a CSV table for each of the BDM distances: every two categories with what lies behind."""
    return {f"tables/bdm-{table.id}.csv": _csv(table.scores) for table in tables if table.origin}


def _csv(scores: Sequence[Score]) -> str:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(PARAMETERS)
    for score in scores:
        values = [rounded(getattr(score, name)) for name in PARAMETERS]
        writer.writerow(["" if value is None else value for value in values])
    return buffer.getvalue()
