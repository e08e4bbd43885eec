"""From figures of spans to what results.json says of them, and the tables that are too large for it."""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import Any

import numpy as np

from reportgen.campaign import DistanceMatrix, Score
from reportgen.counts import ENDS, NO_ENDS, NO_TYPE, CaseCounts, SpanCounts, tally
from reportgen.measures import (
    MODES,
    SHARES,
    CreditAgreement,
    CreditPair,
    GammaEstimates,
    Macro,
    MarkingHabit,
    SpanAgreement,
    SpanPairAgreement,
    UnitizingAgreement,
    UnitizingPairAgreement,
    by_each_document,
    habits,
)
from reportgen.measures.figures import figure, figures_by_name, macro_figure
from reportgen.readers import Codes, ExcludedMarks
from reportgen.readers.counted import KINDS, OUTCOMES
from reportgen.results import rounded
from reportgen.units import CASE_KINDS, OMISSION, Mask, SpanFrame, Study

# From credit by a distance, and BDM distances, to results.json and to the table of their parameters.

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


def credits_of_pair(agreements: Sequence[CreditAgreement], pair: SpanPairAgreement) -> dict[str, Any] | None:
    """Return the figures of two people with credit, by distance; None without any."""
    return {each.id: _figures(each.pairs[pair.first, pair.second]) for each in agreements} or None


def _figures(pair: CreditPair) -> dict[str, Any]:
    pairs: Mapping[str, float] = dict(zip(KINDS, pair.pairs.tolist(), strict=True))
    earned = {f"earned_{kind}": each for kind, each in zip(KINDS, pair.earned.tolist(), strict=True)}
    return {"pairs": {**pairs, **earned}, **{mode: figures_by_name(pair.shares[mode]) for mode in MODES}}


def distance_table(table: DistanceMatrix) -> dict[str, Any]:
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


def bdm_tables(tables: Sequence[DistanceMatrix]) -> dict[str, str]:
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


# From figures of spans to what results.json says of them, and the tables that are too large for it.

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
        "mean_over_pairs": {each.spans.layer: _spans_means(each) for each in agreements},
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


def _spans_means(agreement: SpanAgreement) -> dict[str, Any]:
    def plain(means: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
        return {
            mode: {name: asdict(mean) for name, mean in measures.items()} for mode, measures in means.items()
        }

    types = agreement.spans.types
    return {
        "overall": plain(agreement.mean_over_pairs),
        "by_type": {types[code]: plain(means) for code, means in agreement.mean_by_type.items()},
    }


def _pair(spans: SpanFrame, pair: SpanPairAgreement, *, whole: bool) -> dict[str, Any]:
    """Return the figures of two people; `whole` says whether those of each document go with them."""
    return {
        "layer": spans.layer,
        "annotators": (spans.people[pair.first], spans.people[pair.second]),
        "roles": (spans.roles[pair.first], spans.roles[pair.second]),
        "independent": False if spans.made_from(pair.first, pair.second) else None,
        "documents": len(pair.documents),
        "counts": _outcomes(pair.counts.sum(axis=0)),
        **{mode: figures_by_name(pair.shares[mode]) for mode in MODES},
        "false_positives": figure(pair.false_positives),
        "macro_documents": _macros(pair.macro_documents),
        "macro_types": _macros(pair.macro_types),
        "by_type": {
            spans.types[code]: {
                "counts": _outcomes(each.counts),
                **{mode: figures_by_name(each.shares[mode]) for mode in MODES},
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
        mode: {name: macro_figure(each.estimate, each.left_out) for name, each in measures.items()}
        for mode, measures in macros.items()
    }


def _by_document(spans: SpanFrame, pair: SpanPairAgreement) -> dict[str, Any]:
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
        tables["tables/spans.csv"] = _spans_csv(head, (row for each in agreements for row in _totals(each)))
    if _documents(agreements) > MOST_DOCUMENTS:
        head = ("layer", "first", "second", "document")
        rows = (row for each in agreements for pair in each.pairs for row in _documents_of(each.spans, pair))
        tables["tables/spans-by-document.csv"] = _spans_csv(head, rows)
    return tables


def _spans_csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
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


def _documents_of(spans: SpanFrame, pair: SpanPairAgreement) -> Iterator[Sequence[object]]:
    names = spans.people[pair.first], spans.people[pair.second]
    for place, document in enumerate(pair.documents.tolist()):
        own = (spans.layer, *names, spans.documents[document])
        yield (*own, *pair.counts[place].tolist(), *_shown(pair.values, place))


def _shown(values: Mapping[str, Mapping[str, Sequence[float | None]]], row: int) -> Iterator[object]:
    for mode, name in SHOWN:
        value = values[mode][name][row]
        yield "" if value is None else rounded(value)


# From unitizing figures to what results.json says of them.


def with_unitizing(
    spans: dict[str, Any] | None, agreements: Sequence[UnitizingAgreement]
) -> dict[str, Any] | None:
    """Return the part `spans` of results.json with unitizing in it; None where there is no such part."""
    return spans and spans | {"unitizing": [_unitizing_layer(each) for each in agreements]}


def unitizing_ids(agreements: Sequence[UnitizingAgreement]) -> set[str]:
    """Return the ids of the measures that are used."""
    used = {name for each in agreements for name in each.measures}
    return used | {name for each in agreements for own in each.by_category.values() for name in own}


def _unitizing_layer(found: UnitizingAgreement) -> dict[str, Any]:
    spans, continua = found.spans, found.continua
    return {
        "layer": spans.layer,
        "annotators": spans.annotators,
        "documents": len(continua.documents),
        "documents_alone": continua.alone,
        "characters": sum(continua.lengths.tolist()),
        "characters_read": continua.read,
        "units": len(continua.line),
        "joined": continua.joined,
        "empty": continua.empty,
        "several": found.several,
        "measures": figures_by_name(found.measures),
        "by_category": {name: figures_by_name(own) for name, own in found.by_category.items()},
        "categories": list(found.by_category),
        "pairs": [_unitizing_pair(spans.people, each) for each in found.pairs],
        "gamma": _gamma(found.gamma),
    }


def _unitizing_pair(people: Sequence[str], pair: UnitizingPairAgreement) -> dict[str, Any]:
    return {
        "annotators": (people[pair.first], people[pair.second]),
        "documents": pair.documents,
        "measures": figures_by_name(pair.measures),
    }


def _gamma(found: GammaEstimates | None) -> Mapping[str, Any] | None:
    if found is None:
        return None
    known = {"documents": found.documents, "left_out": found.left_out, "solver": found.solver}
    return {**known, "deterministic": False, "libraries": dict(found.libraries), **asdict(found.setting)}


# From cases of marks that disagree to what results.json says of them.

Row = tuple[int, int | None, int | None, int]


def with_disagreements(
    spans: dict[str, Any] | None,
    agreements: Sequence[SpanAgreement],
    counted: Mapping[str, tuple[SpanCounts, CaseCounts]],
) -> dict[str, Any] | None:
    """Return the part `spans` of results.json with the layers' cases; None where there is no such part."""
    found = [
        _mark_cases_layer(each, *counted[each.spans.layer])
        for each in agreements
        if each.spans.layer in counted
    ]
    return spans and spans | {"disagreements": found or None}


def _mark_cases_layer(agreement: SpanAgreement, outcomes: SpanCounts, cases: CaseCounts) -> dict[str, Any]:
    spans = agreement.spans
    annotates = np.array([role == "annotator" for role in spans.roles], dtype=np.bool_)
    ours = annotates[cases.first] & annotates[cases.second]
    seen = annotates[outcomes.seen_first] & annotates[outcomes.seen_second]
    return {
        "layer": spans.layer,
        "documents": len(np.unique(outcomes.seen_document[seen])),
        "cases": [_case(spans, row) for row in _whole(cases, ours)],
        "pairs": list(_pairs(agreement, cases)),
        "boundaries": list(_boundaries(spans, cases, ours)),
        "habits": [_habit(spans, each) for each in habits(spans, outcomes, cases)],
    }


def _whole(cases: CaseCounts, kept: Mask) -> Iterator[Row]:
    """Yield the cases of some pairs of people together: whose mark is of which type is not told."""
    low, high = (each(cases.first_type, cases.second_type)[kept] for each in (np.minimum, np.maximum))
    alone = cases.kind[kept] == OMISSION
    first, second = np.where(alone, high, low), np.where(alone, NO_TYPE, high)
    yield from _rows(cases.kind[kept], first, second, cases.n[kept])


def _rows(kind: Codes, first: Codes, second: Codes, n: Codes) -> Iterator[Row]:
    columns, sums = tally([kind, first, second], n)
    for each, one, other, number in zip(*(column.tolist() for column in (*columns, sums)), strict=True):
        yield each, (None if one == NO_TYPE else one), (None if other == NO_TYPE else other), number


def _case(spans: SpanFrame, row: Row) -> dict[str, Any]:
    kind, first, second, n = row
    names = {
        side: None if code is None else spans.types[code]
        for side, code in (("first", first), ("second", second))
    }
    return {"kind": CASE_KINDS[kind], "cases": n, **names}


def _pairs(agreement: SpanAgreement, cases: CaseCounts) -> Iterator[dict[str, Any]]:
    """Yield the cases between every two people who share a document, none where they never disagree."""
    spans = agreement.spans
    people = len(spans.people)
    key = cases.first * people + cases.second
    for pair in agreement.pairs:
        ends = [pair.first * people + pair.second + past for past in (0, 1)]
        here = slice(*np.searchsorted(key, ends).tolist())
        rows = _rows(cases.kind[here], cases.first_type[here], cases.second_type[here], cases.n[here])
        yield {
            "annotators": (spans.people[pair.first], spans.people[pair.second]),
            "roles": (spans.roles[pair.first], spans.roles[pair.second]),
            "cases": [_case(spans, row) for row in rows],
        }


def _boundaries(spans: SpanFrame, cases: CaseCounts, kept: Mask) -> Iterator[dict[str, Any]]:
    """Yield for each type how often which ends differ, the most frequent type first."""
    found: dict[str, Counter[str]] = {}
    rows = kept & (cases.ends != NO_ENDS)
    (kind, ends), n = tally([cases.first_type[rows], cases.ends[rows]], cases.n[rows])
    for code, end, number in zip(kind.tolist(), ends.tolist(), n.tolist(), strict=True):
        found.setdefault(spans.types[code], Counter())[ENDS[end]] += number
    for label in sorted(found, key=lambda label: (-found[label].total(), label)):
        yield {"label": label, **found[label]}


def _habit(spans: SpanFrame, habit: MarkingHabit) -> dict[str, Any]:
    names = {
        "annotator": spans.people[habit.annotator],
        "type": None if habit.type is None else spans.types[habit.type],
    }
    return asdict(habit) | names


# What became of every mark: used, or left out for a reason, and none lost.

# With more places of marks left out than these, results.json joins those of one file and reason.
MOST_LEFT_OUT = 1000


def sum_of_marks(studies: Iterable[Study], left_out: Sequence[ExcludedMarks]) -> dict[str, int]:
    """Return the sum of marks, and see that nothing was lost."""
    known = tuple(studies)
    read = sum(study.marks_read for study in known)
    used = sum(study.marks_used for study in known)
    missed = sum(each.marks for each in left_out)
    if read != used + missed:
        message = (
            f"{read} marks were read, {used} used and {missed} left out: {read - used - missed} are lost"
        )
        raise AssertionError(message)
    missing = sum(study.missing for study in known)
    return {"read": read, "used": used, "left_out": missed, "missing": missing}


def joined(left_out: Sequence[ExcludedMarks], most: int = MOST_LEFT_OUT) -> list[ExcludedMarks]:
    """Return what is left out; where it is much, one row for each file, annotator and reason.

    Such a row has the line of the first mark. The whole list stands in tables/left-out.csv.
    """
    if len(left_out) <= most:
        return list(left_out)
    found: dict[tuple[str, str, str], ExcludedMarks] = {}
    for each in left_out:
        key = each.file, each.annotator, each.reason
        first = found.get(key)
        found[key] = replace(first, marks=first.marks + each.marks) if first else each
    return list(found.values())


def left_out_csv(studies: Iterable[Study]) -> str | None:
    """Return every mark that is left out with its place, None where results.json has them all."""
    left_out = [each for study in studies for each in study.left_out]
    if len(left_out) <= MOST_LEFT_OUT:
        return None
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(("annotator", "reason", "marks", "file", "line"))
    writer.writerows(
        (each.annotator, each.reason, each.marks, each.file, each.line or "") for each in left_out
    )
    return buffer.getvalue()
