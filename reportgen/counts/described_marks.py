"""What counts.json says of marks in texts, and of everybody held against references."""

from collections.abc import Sequence

import numpy as np

from reportgen.counts.credits import CreditCounts
from reportgen.counts.spans import SpanCounts
from reportgen.formats import UnitSetDescribed
from reportgen.formats.counted import CreditDescribed, EverybodyDescribed, SpansDescribed, SpellingDescribed
from reportgen.study import NO_CATEGORY, Compared, SpanFrame

# A layer's marks, what became of them, and the pairs of different types that earn credit.
Marked = tuple[SpanFrame, SpanCounts, Sequence[CreditCounts]]


def describe_spans(marked: Marked, documents: Sequence[str]) -> SpansDescribed:
    """Return what rows can't say of a layer's marks; `documents` are those that the layer tells of."""
    spans, counts, credited = marked
    seen = tuple(spans.documents[code] for code in np.unique(counts.seen_document).tolist())
    return SpansDescribed(
        people=spans.people,
        roles=spans.roles,  # type: ignore[arg-type]  # checked when it is made
        derived=tuple(name for name in spans.people if name in spans.derived),
        types=spans.types,
        documents=None if seen == tuple(documents) else seen,
        features=spans.features,
        feature_match=spans.feature_match,  # type: ignore[arg-type]  # checked when it is made
        doubled=spans.doubled,
        spellings=tuple(
            SpellingDescribed(feature=each.feature, values=each.values, marks=each.marks)
            for each in spans.spellings
        ),
        differs_from_greedy=tuple(
            (spans.people[first], spans.people[second], times)
            for (first, second), times in sorted(counts.differs.items())
        ),
        credits=tuple(
            CreditDescribed(distance=each.credit.id, earned=tuple(map(tuple, each.credit.matrix.tolist())))
            for each in credited
        ),
    )


def describe_everybody(compared: Compared, units: UnitSetDescribed) -> EverybodyDescribed:
    """Return what rows can't say of a unit set with everybody's labels; `units` is what they say of any."""
    return EverybodyDescribed(
        units=units,
        roles=compared.roles,  # type: ignore[arg-type]  # checked when it is made
        derived=compared.derived,
        choice=compared.choice,
        absent=None if compared.absent == NO_CATEGORY else compared.absent,
    )
