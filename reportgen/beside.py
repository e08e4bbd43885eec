"""The tables that are written beside results.json: counts, and what is too large for it."""

from collections.abc import Iterator, Mapping

from reportgen.adjudication import sheet_csv
from reportgen.computing import Counted
from reportgen.counts import comparisons_csv, counts_csv, credits_csv, spans_csv
from reportgen.reading import Read
from reportgen.record import (
    Computed,
    bdm_tables,
    crowd_csv,
    left_out_csv,
    pairs_csv,
    quality_tables,
    span_tables,
)


def tables_beside(
    read: Read, computed: Computed, counted: Counted, names: Mapping[str, str]
) -> dict[str, str]:
    """Return every table that is written beside the results, by its path; none that would be empty."""
    large = {f"tables/{name}": text for name, text in _large(read, computed, names) if text is not None}
    return {
        **dict(_counts(counted)),
        **span_tables(computed.spans),
        **bdm_tables(computed.distances),
        **quality_tables(computed.quality),
        **large,
    }


def _counts(counted: Counted) -> Iterator[tuple[str, str]]:
    """Yield the counts that every figure can be computed from anew."""
    for name, text in counts_csv(counted.units).items():
        yield f"counts/{name}", text
    if counted.spans:
        yield "counts/spans.csv", spans_csv(counted.spans)
    if any(own for _, own in counted.credits):
        yield "counts/type-pairs.csv", credits_csv(counted.credits)
    if counted.compared:
        yield "counts/comparisons.csv", comparisons_csv(counted.compared)


def _large(read: Read, computed: Computed, names: Mapping[str, str]) -> Iterator[tuple[str, str | None]]:
    """Yield what results.json has only in part; a table is None where nothing is missing there."""
    yield "comparisons-of-all.csv", crowd_csv(computed.comparisons.units)
    yield "pairs.csv", pairs_csv(computed.agreements)
    yield "left-out.csv", left_out_csv(computed.studies)
    shown = computed.campaign.privacy.texts == "show"
    yield "adjudication.csv", sheet_csv(read.adjudications, names) if shown else None
