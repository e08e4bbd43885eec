"""Marks in texts, and everybody's labels, of which only counts are known."""

from collections.abc import Iterator, Sequence

import numpy as np

from reportgen.campaign import DistanceTable
from reportgen.errors import Problem
from reportgen.formats import Codes, Counted
from reportgen.formats.counted import EverybodyDescribed, Kinds, LayerDescribed, SpansDescribed
from reportgen.formats.mark_tables import Everybody, SpanTable
from reportgen.study.coded import NO_CATEGORY, CodedUnits
from reportgen.study.compared import Compared
from reportgen.study.counted_spans import CountedSpans
from reportgen.study.crediting import Credit, credits_of
from reportgen.study.people import Mask
from reportgen.study.request import Request
from reportgen.study.spans import Spelling


def counted_spans(content: Counted, request: Request) -> CountedSpans | None:
    """Return a layer's marks as they were counted; None where it has none in texts."""
    described, table = content.described.spans, content.marks.spans
    if described is None or table is None:
        return None
    documents = content.described.documents if described.documents is None else described.documents
    return CountedSpans(
        layer=request.layer,
        documents=documents,
        tokens=_tokens(table, len(documents)),
        people=described.people,
        roles=described.roles,
        saw=_saw(table, len(documents), len(described.people)),
        types=described.types,
        features=described.features,
        feature_match=described.feature_match,
        beta=request.task.beta,
        spellings=tuple(Spelling(each.feature, each.values, each.marks) for each in described.spellings),
        derived=described.derived,
        doubled=described.doubled,
        table=table,
        differs={
            (described.people.index(first), described.people.index(second)): times
            for first, second, times in described.differs_from_greedy
        },
        credits=tuple(
            (Credit(each.distance, np.array(each.earned)), content.marks.credits[each.distance])
            for each in described.credits
        ),
    )


def _tokens(table: SpanTable, documents: int) -> Codes:
    tokens = np.zeros(documents, dtype=np.int64)
    tokens[table.seen_document] = table.tokens
    return tokens


def _saw(table: SpanTable, documents: int, people: int) -> Mask:
    """Return who saw which document, of those that two saw: nothing is compared in others."""
    saw = np.zeros((documents, people), dtype=np.bool_)
    saw[table.seen_document, table.seen_first] = True
    saw[table.seen_document, table.seen_second] = True
    return saw


def as_kinds(found: Everybody) -> Kinds:
    """Return units with everybody's labels as the units of any unit set are."""
    return Kinds(found.documents, found.document, found.n, found.unit, found.annotator, found.label)


def counted_compared(described: EverybodyDescribed, units: CodedUnits) -> Compared:
    """Return a unit set with everybody's labels, which `units` has, as people are compared in it."""
    absent = NO_CATEGORY if described.absent is None else described.absent
    return Compared(units, described.roles, described.derived, described.choice, absent)


def wrong_marks(described: LayerDescribed, request: Request) -> Iterator[Problem]:
    """Yield where campaign and counts contradict each other on whose marks are compared, and how."""
    if described.spans is not None:
        yield from _wrong_rules(described.spans, request)
    people = [(described.spans.people, described.spans.roles)] if described.spans else []
    people += [(each.units.annotators, each.roles) for each in described.everybody]
    known = {name: role for names, roles in people for name, role in zip(names, roles, strict=True)}
    for name, role in known.items():
        declared = request.roles.get(name, role)
        if role not in {declared, "annotator"}:  # annotators are told of with their unit sets
            message = f'is "{declared}", and the counts have them as {role}.'
            mend = f'Write role = "{role}": what was counted is counted.'
            yield Problem(request.file, key=f"annotators.{name}.role", message=message, mend=mend)


def _wrong_rules(spans: SpansDescribed, request: Request) -> Iterator[Problem]:
    task = request.task
    if tuple(task.features) != spans.features:
        shown = ", ".join(f'"{name}"' for name in spans.features)
        message = "are not those by which marks were matched when they were counted."
        yield Problem(request.file, key="task.features", message=message, mend=f"Write features = [{shown}].")
    if spans.features and task.feature_match != spans.feature_match:
        message = f'is "{task.feature_match}", and what was counted is "{spans.feature_match}".'
        mend = f'Write feature_match = "{spans.feature_match}".'
        yield Problem(request.file, key="task.feature_match", message=message, mend=mend)


def other_distances(spans: CountedSpans, tables: Sequence[DistanceTable]) -> list[str]:
    """Return the distances that are not those by which pairs of marks were counted under the same name."""
    counted = {credit.id: credit.matrix for credit, _ in spans.credits}
    asked = [each for each in credits_of(spans, tables) if each.id in counted]
    return [each.id for each in asked if not np.array_equal(each.matrix, counted[each.id])]
