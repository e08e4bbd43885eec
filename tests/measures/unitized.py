"""Texts cut into units, made up in a line: who marked what of which type where."""

from collections.abc import Mapping, Sequence

import numpy as np

from reportgen.measures import analyse_unitizing
from reportgen.results import Figure
from reportgen.results.marks import Unitizing
from reportgen.units import Spans

Unit = tuple[int, int, str]
# A text's length, and the units (begin, end, type) of everybody who saw it.
Text = tuple[int, Mapping[str, Sequence[Unit]]]


def spans_of(
    texts: Sequence[Text], types: Sequence[str] = (), roles: Mapping[str, str] | None = None
) -> Spans:
    people = sorted({name for _, copies in texts for name in copies})
    rows = [
        (document, people.index(name), kind, begin, end)
        for document, (_, copies) in enumerate(texts)
        for name, units in copies.items()
        for begin, end, kind in units
    ]
    used = tuple(types) or tuple(sorted({row[2] for row in rows}))
    number = np.arange(len(rows))
    columns = np.array(
        [(document, person, used.index(kind), begin, end) for document, person, kind, begin, end in rows],
        dtype=np.int64,
    ).reshape(-1, 5)
    return Spans(
        layer="main",
        documents=tuple(f"d{place}" for place in range(len(texts))),
        tokens=np.array([length for length, _ in texts], dtype=np.int64),
        lengths=np.array([length for length, _ in texts], dtype=np.int64),
        people=tuple(people),
        roles=tuple((roles or {}).get(name, "annotator") for name in people),
        saw=np.array([[name in copies for name in people] for _, copies in texts], dtype=np.bool_),
        types=used,
        document=columns[:, 0],
        person=columns[:, 1],
        type=columns[:, 2],
        mark=number,
        stretch=number,
        values=np.zeros((len(rows), 0), dtype=np.int64),
        span_mark=number,
        span_start=columns[:, 3],
        span_end=columns[:, 4],
    )


def unitized(*texts: Text, types: Sequence[str] = ()) -> Unitizing:
    return analyse_unitizing(spans_of(texts, types))


def everything(found: Unitizing) -> dict[str, Figure]:
    """Every figure: of all categories under its id, of one with the category in brackets."""
    each = {
        f"{name}[{category}]": estimate
        for category, own in found.by_category.items()
        for name, estimate in own.items()
    }
    return {**found.measures, **each}
