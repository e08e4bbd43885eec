"""The tables that are written beside results.json: counts, and what is too large for it."""

from collections.abc import Iterator, Sequence

from reportgen.adjudication import sheet_csv
from reportgen.computing import Counted
from reportgen.counts import (
    comparisons_csv,
    counts_csv,
    counts_json,
    credits_csv,
    describe,
    everybody_csv,
    spans_csv,
)
from reportgen.formats import LayerDescribed
from reportgen.reading import Read
from reportgen.record import (
    Computed,
    bdm_tables,
    cells_csv,
    crowd_csv,
    left_out_csv,
    pairs_csv,
    quality_tables,
    span_tables,
)
from reportgen.study import Pseudonyms


def tables_beside(read: Read, computed: Computed, counted: Counted, names: Pseudonyms) -> dict[str, str]:
    """Return every table that is written beside the results, by its path; none that would be empty."""
    large = {f"tables/{name}": text for name, text in _large(read, computed, names) if text is not None}
    return {
        **dict(_counts(read, computed, counted, names)),
        **span_tables(computed.spans),
        **bdm_tables(computed.distances),
        **quality_tables(computed.quality),
        **large,
    }


def _counts(read: Read, computed: Computed, counted: Counted, names: Pseudonyms) -> Iterator[tuple[str, str]]:
    """Yield the counts that every figure can be computed from anew."""
    marked = {
        spans.layer: (spans, outcomes, credited)
        for (spans, outcomes), (_, credited) in zip(counted.spans, counted.credits, strict=True)
    }
    layers = [
        describe(study, each, names.annotators, marked.get(study.material.layer))
        for study, each in zip(computed.studies, read.annotations, strict=True)
    ]
    for name, text in counts_folder(layers, counted):
        yield f"counts/{name}", text


def counts_folder(layers: Sequence[LayerDescribed], counted: Counted) -> Iterator[tuple[str, str]]:
    """Yield the files of a folder of counts; `layers` say what rows of numbers can't."""
    yield "counts.json", counts_json(layers)
    yield from counts_csv(counted.units).items()
    if counted.spans:
        yield "spans.csv", spans_csv(counted.spans)
    if any(own for _, own in counted.credits):
        yield "type-pairs.csv", credits_csv(counted.credits)
    if counted.compared:
        yield "comparisons.csv", comparisons_csv(counted.compared)
        yield "everybody.csv", everybody_csv(each for each, _ in counted.compared)


def _large(read: Read, computed: Computed, names: Pseudonyms) -> Iterator[tuple[str, str | None]]:
    """Yield what results.json has only in part; a table is None where nothing is missing there."""
    yield "comparisons-of-all.csv", crowd_csv(computed.comparisons.units)
    yield "pairs.csv", pairs_csv(computed.agreements)
    yield "cells.csv", cells_csv(computed.agreements)
    yield "left-out.csv", left_out_csv(computed.studies)
    # A sheet that calls documents and units otherwise than the exports could not be read back.
    shown = computed.campaign.privacy.texts == "show" and not names.hides_documents
    yield "adjudication.csv", sheet_csv(read.adjudications, names.annotators) if shown else None
