"""What is behind the disagreements of a report: one person, one label, one document, or no single cause?

Every two labels that differ, and every case between two annotators' marks, is one disagreement. They are
divided without rest by what is known of each: who alone marked, whose ends lie elsewhere, which two labels.

A candidate for a cause is compared with the rest: how many disagreements it has, and how many it would have
if it were like the rest. What it has beyond that, its excess, is what the cause explains. A candidate is a
cause where its excess is a quarter of all disagreements or more, and more than chance would concentrate: a t
test of the excess over documents, or over units where no document is known, by Bonferroni for all candidates.

- What one annotator marked and others did not, or said in one direction, beside the other way round.
- An annotator of several: disagreements in pairs with them, beside those of the pairs of others in the same
  documents, or on the same units where no document is known. Where two label a document nobody is compared.
- A label, or two labels: beside what labels this frequent would have by chance at the rate of the others. Of
  types of marks: beside the rate of the other types.
- A document, or a layer (whose disagreements count beside those that chance would give): beside the others.
- Ends of marks: where three disagreements in five are about ends.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.counts import NO_TYPE, CaseCounts, PairCounts, SpanCounts, tally
from reportgen.counts.tables import dense_codes, distinct_rows
from reportgen.measures.estimate import NEARLY, Floats, two_sided
from reportgen.measures.mark_disagreements import MATCH
from reportgen.measures.thresholds import SIGNIFICANT
from reportgen.measures.unit_profiles import among_others, with_others
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results.marks import CASE_KINDS
from reportgen.results.model import AllDisagreements, Cause, CauseKind, DisagreementPart
from reportgen.units import CodedUnits, Mask, SpanFrame
from reportgen.units.labels import Labels, nothing, quotient, sums_by

# With fewer disagreements there is nothing to explain; a cause explains a quarter, ends three in five.
LEAST, EXPLAINS, MOSTLY = 10, 0.25, 0.6
# With fewer there is nothing to compare one with.
LEAST_DOCUMENTS, LEAST_LABELS = 3, 3
# Of more annotators, labels or documents those with most disagreements are looked at.
MOST_CANDIDATES, MOST_ROWS = 40, 300_000
# A narrower candidate is preferred to one that explains little more.
NARROWER = 0.75
AGREED, LABEL, REST = "agreed", "label", "rest"
KINDS = (AGREED, LABEL, *CASE_KINDS)


@dataclass(frozen=True, eq=False)
class Differences:
    """What every two annotators said of the same: who, in which document, with which labels, how often.

    `first`, `second`, `document`, `one`, `other`, `kind`, `n` (rows,): `kind` is one of KINDS; a label is
    NO_TYPE where somebody has no mark.
    """

    first: Codes
    second: Codes
    document: Codes
    one: Codes
    other: Codes
    kind: Codes
    n: Codes


@dataclass(frozen=True, eq=False, kw_only=True)
class LayerDifferences(Differences):
    """What every two annotators said of the same units, or of the same marks, of one layer.

    `is_nominal`: labels are names, so that any two can be confused. `none` is the label of what somebody did
    not mark, else NO_TYPE. `alone` are the labels of units without a document; `crossed` says that everybody
    labelled every unit.
    """

    layer: str
    annotators: tuple[str, ...]
    documents: tuple[str, ...]
    labels: tuple[str, ...]
    none: int = NO_TYPE
    of_marks: bool = False
    is_nominal: bool = True
    alone: Labels | None = None
    crossed: bool = False


def differences_of_labels(units: CodedUnits, pairs: PairCounts) -> LayerDifferences:
    """Return what every two annotators said of the units of a unit set."""
    has_units_alone = units.margins is None and bool((units.document == NO_DOCUMENT).any())
    kind = np.where(pairs.first_label == pairs.second_label, KINDS.index(AGREED), KINDS.index(LABEL))
    together = units.grouped or units.sums_only
    document = np.full_like(pairs.document, NO_DOCUMENT) if together else pairs.document
    labels = pairs.first_label, pairs.second_label
    return LayerDifferences(
        *(pairs.first, pairs.second, document, *labels, kind, pairs.n),
        layer=units.layer,
        annotators=units.annotators,
        documents=() if together else units.documents,
        labels=units.categories,
        none=units.non_annotated,
        is_nominal=units.scale == "nominal",
        alone=units.pairable if has_units_alone else None,
        crossed=bool((units.per_unit[units.unit] == len(units.annotators)).all()),
    )


def differences_of_marks(spans: SpanFrame, outcomes: SpanCounts, cases: CaseCounts) -> LayerDifferences:
    """Return what every two annotators said where one of them marked something."""
    same = (outcomes.outcome == MATCH) & spans.both_annotate(outcomes.first, outcomes.second)
    ours = spans.both_annotate(cases.first, cases.second)
    matched = outcomes.type[same]
    columns = [
        np.concatenate([outcomes.first[same], cases.first[ours]]),
        np.concatenate([outcomes.second[same], cases.second[ours]]),
        np.concatenate([outcomes.document[same], cases.document[ours]]),
        np.concatenate([matched, cases.first_type[ours]]),
        np.concatenate([matched, cases.second_type[ours]]),
        np.concatenate([np.zeros_like(matched), cases.kind[ours] + KINDS.index(CASE_KINDS[0])]),
    ]
    rows, n = tally(columns, np.concatenate([outcomes.n[same], cases.n[ours]]))
    return LayerDifferences(
        *(*rows, n),
        layer=spans.layer,
        annotators=spans.people,
        documents=spans.documents,
        labels=spans.types,
        of_marks=True,
    )


def disagreements(layers: Sequence[LayerDifferences], smallest: int) -> AllDisagreements | None:
    """Return all disagreements of a report by what they are, with their causes; None where there are none.

    `layers` are what annotators said of the same units, or marks; with very many rows nothing is looked for.
    What fewer than `smallest` disagreements are about is one part, the rest.
    """
    every = AllDifferences.of([layer for layer in layers if len(layer.n)])
    if every is None or not every.total or len(every.n) > MOST_ROWS:
        return None
    candidates = list(_candidates(every)) if every.total >= LEAST else []
    return AllDisagreements(
        total=every.total,
        compared=every.compared,
        of_marks=all(layer.of_marks for layer in every.layers),
        parts=tuple(_parts(every, smallest)),
        causes=tuple(_causes(every, candidates)),
        candidates=len(candidates),
        people_compared=_compares_people(every) if 2 < len(every.involved) <= MOST_CANDIDATES else None,
    )


@dataclass(frozen=True, eq=False)
class _UnitsAlone:
    """Ratings of units without a document that three or more rated: columns (ratings,).

    `excess` is in how many pairs somebody differs from the others, less how many it would be at the rate of
    these among themselves, `compared` in how many they are, and `times` how many units it is of.
    """

    who: Codes
    excess: Floats
    compared: Codes
    times: Codes

    @classmethod
    def of(cls, labels: Labels, who: Codes) -> "_UnitsAlone":
        """Return what is known of labels, `who` (rows,) being the number of their annotators."""
        pairs = labels.per_unit[labels.unit] - 1
        chosen = (labels.row_document == NO_DOCUMENT) & (pairs > 1)
        excess = pairs * (among_others(labels) - with_others(labels))
        return cls(who[chosen], excess[chosen], pairs[chosen], labels.row_weight[chosen])

    @classmethod
    def joined(cls, parts: Sequence["_UnitsAlone"]) -> "_UnitsAlone":
        """Return those of several layers under each other."""
        none = cls(nothing(), np.zeros(0), nothing(), nothing())
        columns = zip(*(vars(part).values() for part in (none, *parts)), strict=True)
        return cls(*map(np.concatenate, columns))


@dataclass(frozen=True, eq=False, kw_only=True)
class AllDifferences(Differences):
    """The rows of all layers under each other; people and documents have one number in all layers."""

    layer: Codes
    layers: Sequence[LayerDifferences]
    annotators: Sequence[str]
    documents: Sequence[str]
    alone: "_UnitsAlone"

    @classmethod
    def of(cls, layers: Sequence[LayerDifferences]) -> "AllDifferences | None":
        """Return every difference of some layers, or None of no layer."""
        if not layers:
            return None
        annotators = sorted({name for layer in layers for name in layer.annotators})
        documents = sorted({name for layer in layers for name in layer.documents})
        people, places = (
            {name: number for number, name in enumerate(names)} for names in (annotators, documents)
        )

        def numbered(names: Sequence[str], numbers: Mapping[str, int], codes: Codes) -> Codes:
            own = np.array([*(numbers[name] for name in names), NO_DOCUMENT], dtype=np.int64)
            return own[np.where(codes < 0, len(names), codes)]

        columns = [
            (
                numbered(layer.annotators, people, layer.first),
                numbered(layer.annotators, people, layer.second),
                numbered(layer.documents, places, layer.document),
                *(layer.one, layer.other, layer.kind, layer.n),
                np.full(len(layer.n), number),
            )
            for number, layer in enumerate(layers)
        ]
        *whole, of_layer = (np.concatenate(column) for column in zip(*columns, strict=True))
        alone = [
            _UnitsAlone.of(layer.alone, numbered(layer.annotators, people, layer.alone.annotator))
            for layer in layers
            if layer.alone
        ]
        return cls(
            *whole,
            layer=of_layer,
            layers=layers,
            annotators=annotators,
            documents=documents,
            alone=_UnitsAlone.joined(alone),
        )

    @cached_property
    def differs(self) -> Mask:
        """Tell of each row whether it is a disagreement (rows,)."""
        return np.array(self.kind != KINDS.index(AGREED), dtype=np.bool_)

    @cached_property
    def involved(self) -> list[int]:
        """Return whose labels or marks are compared."""
        return sorted({*self.first.tolist(), *self.second.tolist()})

    @property
    def crossed(self) -> bool:
        """Tell whether no document is known, and everybody labelled all units."""
        everybody = {layer.annotators for layer in self.layers}
        return not self.documents and all(layer.crossed for layer in self.layers) and len(everybody) == 1

    @property
    def total(self) -> int:
        """Return how many disagreements there are."""
        return int(self.n[self.differs].sum())

    @property
    def compared(self) -> int:
        """Return how many times two annotators' labels or marks were compared."""
        return int(self.n.sum())

    def many(self, rows: Mask) -> int:
        """Return how many disagreements are in some rows."""
        return int(self.n[rows & self.differs].sum())

    def error(self, influence: Floats) -> tuple[float, int]:
        """Return the standard error of a sum, and of how many documents or units it is; `influence` (rows,).

        Each is what one of the `n` of a row adds. Units without a document are independent, but for the pairs
        of annotators who labelled the same one.
        """
        alone = self.document == NO_DOCUMENT
        here = ~alone
        sums = sums_by(self.document[here], influence[here] * self.n[here], len(self.documents))
        pairs = max(len(self.annotators) - 1, 1)
        squares = [math.fsum((sums * sums).tolist())]
        squares.append(pairs * math.fsum((influence[alone] * influence[alone] * self.n[alone]).tolist()))
        clusters = len(np.unique(self.document[here])) + int(self.n[alone].sum()) // pairs
        return _clustered(math.fsum(squares), clusters), clusters


@dataclass(frozen=True)
class CandidateSubject:
    """What a candidate is, and whom, which labels, document or layer it is about."""

    kind: CauseKind
    layer: str | None = None
    annotators: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    document: str | None = None


@dataclass(frozen=True)
class _Candidate:
    """What may be a cause, which rows it has, how many cases there are and would be, and the p value."""

    about: CandidateSubject
    rows: Mask
    cases: int
    expected: float
    p: float

    @property
    def excess(self) -> float:
        """Return how many cases it has beyond those that it would have."""
        return self.cases - self.expected


def _candidates(every: AllDifferences) -> Iterator[_Candidate]:
    yield from _one_sided(every)
    yield from _annotators(every)
    yield from _directions(every)
    yield from _documents(every)
    yield from _layers(every)
    for number, layer in enumerate(every.layers):
        if layer.of_marks:
            yield from _types(every, number)
        elif layer.is_nominal:
            yield from _labels(every, number)
    yield from _ends(every)


def _p(every: AllDifferences, excess: float, influence: Floats, over: Floats) -> float:
    """Return how likely chance would give so much excess, above 0, spread evenly `over` rows (rows,)."""
    spread = over * (excess / math.fsum((over * every.n).tolist()))
    return _p_of(excess, *every.error(influence - spread))


def _p_of(excess: float, error: float, clusters: int) -> float:
    """Return how likely chance would give so much excess, above 0, given its standard error.

    Where all clusters depart alike, so that there is none, that is how likely all depart to the same side.
    """
    if error == math.inf:
        return 1.0
    if error < NEARLY * excess:
        return math.ldexp(1.0, 1 - clusters)
    return two_sided(excess / error, clusters - 1)


def _clustered(squares: float, clusters: int) -> float:
    """Return the standard error of a sum over clusters, given the sum of their squared influences."""
    return math.sqrt(squares * clusters / (clusters - 1)) if clusters > 1 else math.inf


def compared_with_rest(
    every: AllDifferences, about: CandidateSubject, rows: Mask, possible: Floats, others: Mask | None = None
) -> Iterator[_Candidate]:
    """Yield some rows as a candidate beside the rate of the others, of what is `possible` (rows,)."""
    rest = ~rows if others is None else others
    have, there = (math.fsum((possible[some] * every.n[some]).tolist()) for some in (rows, rest))
    if not have or not there:
        return
    rate = every.many(rest) / there
    cases, expected = every.many(rows), rate * have
    gap = every.differs - rate * possible
    influence = np.where(rows, gap, 0.0) - np.where(rest, gap * (have / there), 0.0)
    if cases > expected:
        p = _p(every, cases - expected, influence, np.where(rows, possible, 0.0))
        yield _Candidate(about, rows, cases, expected, p)


@dataclass(frozen=True, eq=False)
class _Strata:
    """Documents of layers in which annotators are compared with others: in each, or in those that are alike.

    - `rows`: which rows have a document; `place` (those rows,): in which document of which layer.
    - `document`, `stratum` (places,): a document of labels is a stratum, and of marks, of which a document
      has few, all documents that the same annotators marked.
    """

    rows: Codes
    place: Codes
    document: Codes
    stratum: Codes

    @classmethod
    def of(cls, every: AllDifferences) -> "_Strata":
        rows, size = np.flatnonzero(every.document != NO_DOCUMENT), max(len(every.documents), 1)
        keys, place = dense_codes(every.layer[rows] * size + every.document[rows], len(every.layers) * size)
        layer, document = keys // size, keys % size
        marks = np.zeros((len(keys), len(every.annotators)), dtype=np.int64)
        marks[place, every.first[rows]] = marks[place, every.second[rows]] = 1
        of_marks = np.array([layer.of_marks for layer in every.layers])[layer]
        own = np.where(of_marks, 0, 1 + np.arange(len(keys)))
        _, stratum = distinct_rows(np.column_stack([layer, own, marks]))
        return cls(rows, place, document, stratum)

    def beside(self, every: AllDifferences, person: int) -> tuple[Floats, Codes]:
        """Return by how many disagreements somebody's pairs exceed those among the others of these pairs.

        It is of each document; the others' rates are those of a stratum, and both have their part in what a
        document moves. Also returned is how many of somebody's are compared in the document (documents,).
        """
        first, second, n = every.first[self.rows], every.second[self.rows], every.n[self.rows]
        own, stratum = (first == person) | (second == person), self.stratum[self.place]
        size, strata = len(self.document), int(self.stratum.max(initial=-1)) + 1
        met = np.zeros((strata, len(every.annotators)), dtype=np.bool_)
        met[stratum[own], np.where(first == person, second, first)[own]] = True
        among = ~own & met[stratum, first] & met[stratum, second]
        differ = n * every.differs[self.rows]
        there, apart, rest, rest_apart = (
            sums_by(self.place[chosen], column[chosen], size)
            for chosen in (own, among)
            for column in (n, differ)
        )
        have, others, others_apart = (
            sums_by(self.stratum, column, strata) for column in (there, rest, rest_apart)
        )
        rate, odds = (quotient(many, others, 0.0)[self.stratum] for many in (others_apart, have))
        excess = (apart - rate * there) - odds * (rest_apart - rate * rest)
        inside = odds > 0
        documents, at = np.unique(self.document[inside], return_inverse=True)
        return sums_by(at, excess[inside], len(documents)), sums_by(at, there[inside], len(documents))


def _compares_people(every: AllDifferences) -> bool:
    """Tell whether three labelled the same document, or unit, so that one is beside two others."""
    if every.crossed or len(every.alone.who):
        return True
    strata = _Strata.of(every)
    return any(len(strata.beside(every, person)[0]) for person in every.involved)


def _annotators(every: AllDifferences) -> Iterator[_Candidate]:
    """Yield each of several annotators, beside the pairs of the others where these labelled the same.

    Documents differ, and not everybody has the same: those of others say nothing.
    """
    if not 2 < len(every.involved) <= MOST_CANDIDATES:
        return
    strata, alone, each = _Strata.of(every), every.alone, np.ones(len(every.n))
    for person in every.involved:
        about = CandidateSubject("annotator", annotators=(every.annotators[person],))
        theirs = (every.first == person) | (every.second == person)
        if every.crossed:
            yield from compared_with_rest(every, about, theirs, each)
            continue
        excess, compared = strata.beside(every, person)
        times = np.ones_like(compared)
        own = alone.who == person
        excess = np.concatenate([excess, alone.excess[own]])
        compared = np.concatenate([compared, alone.compared[own]])
        times = np.concatenate([times, alone.times[own]])
        most, clusters = math.fsum((excess * times).tolist()), int(times.sum())
        if most > 0:
            left = excess - compared * (most / math.fsum((compared * times).tolist()))
            error = _clustered(math.fsum((left * left * times).tolist()), clusters)
            cases = every.many(theirs)
            p = _p_of(most, error, clusters)
            yield _Candidate(about, theirs, cases, cases - most, p)


def _one_sided(every: AllDifferences) -> Iterator[_Candidate]:
    """Yield what one annotator marked and others did not, and what they marked and the one did not."""
    without_first, without_second = _unmarked(every)
    of_two = len(every.involved) == 2
    if len(every.involved) > MOST_CANDIDATES:
        return
    for person in every.involved:
        first, second = every.first == person, every.second == person
        more = (first & without_second) | (second & without_first)
        less = (first & without_first) | (second & without_second)
        who = (every.annotators[person],)
        about = CandidateSubject("one-sided" if of_two else "marks-more", annotators=who)
        yield from _against_way_back(every, about, more, less)
        if not of_two:
            yield from _against_way_back(every, CandidateSubject("marks-less", annotators=who), less, more)


def _directions(every: AllDifferences) -> Iterator[_Candidate]:
    """Yield what one of two annotators said where the other said another label, beside the way back."""
    if len(every.involved) != 2:
        return
    first, second = (every.annotators[person] for person in every.involved)
    for number, layer in enumerate(every.layers):
        for rows, low, high in _pairs_of_labels(every, number) if layer.is_nominal else ():
            if layer.none in {low, high}:
                continue
            ways = rows & (every.one == low), rows & (every.one == high)
            names = layer.labels[low], layer.labels[high]
            for forth, back, labels in ((*ways, names), (*ways[::-1], names[::-1])):
                about = CandidateSubject("direction", layer.layer, (first, second), labels)
                yield from _against_way_back(every, about, forth, back)


def _unmarked(every: AllDifferences) -> tuple[Mask, Mask]:
    """Return where the first of two marked nothing, and where the second did."""
    none = np.array([layer.none for layer in every.layers])[every.layer]
    marks = np.array([layer.of_marks for layer in every.layers])[every.layer]
    alone = every.differs & (marks | (none >= 0))
    return alone & (every.one == none), alone & (every.other == none)


def _against_way_back(
    every: AllDifferences, about: CandidateSubject, rows: Mask, back: Mask
) -> Iterator[_Candidate]:
    """Yield what differs one way, beside what differs the other way."""
    cases, expected = every.many(rows), every.many(back)
    if cases > expected:
        both = (rows | back).astype(np.float64)
        p = _p(every, cases - expected, rows.astype(np.float64) - back, both)
        yield _Candidate(about, rows, cases, float(expected), p)


def _documents(every: AllDifferences) -> Iterator[_Candidate]:
    """Yield each document beside the others, whose rates differ too: by the spread of theirs."""
    known = every.document != NO_DOCUMENT
    size = len(every.documents)
    there = sums_by(every.document[known], every.n[known], size)
    differ = known & every.differs
    have = sums_by(every.document[differ], every.n[differ], size)
    compared = np.flatnonzero(there)
    if len(compared) < LEAST_DOCUMENTS:
        return
    most = compared[np.argsort(-have[compared], kind="stable")][:MOST_CANDIDATES]
    for document in most.tolist():
        others = compared[compared != document]
        rate = int(have[others].sum()) / int(there[others].sum())
        expected = rate * int(there[document])
        if not 0 < rate < 1 or have[document] <= expected:
            continue
        gaps = have[others] - rate * there[others]
        spread = math.fsum((gaps * gaps).tolist()) / (rate * (1 - rate) * int(there[others].sum()))
        error = math.sqrt(max(spread, 1.0) * rate * (1 - rate) * int(there[document]))
        yield _Candidate(
            CandidateSubject("document", document=every.documents[document]),
            every.document == document,
            int(have[document]),
            expected,
            two_sided((int(have[document]) - expected) / error, len(others) - 1),
        )


def _layers(every: AllDifferences) -> Iterator[_Candidate]:
    """Yield each of several layers; what is possible is what chance would make differ."""
    by_chance = np.ones(len(every.n))
    for number, layer in enumerate(every.layers):
        if not layer.of_marks:
            shares = _shares(every, number)
            by_chance[every.layer == number] = 1 - math.fsum((shares * shares).tolist())
    for number, layer in enumerate(every.layers):
        yield from compared_with_rest(
            every, CandidateSubject("layer", layer.layer), every.layer == number, by_chance
        )


def _shares(every: AllDifferences, number: int) -> Floats:
    """Return how large a part of all labels of a layer each label has (labels,)."""
    rows, size = every.layer == number, len(every.layers[number].labels)
    times = sums_by(every.one[rows], every.n[rows], size) + sums_by(every.other[rows], every.n[rows], size)
    shares: Floats = times / int(times.sum())
    return shares


def _pairs_of_labels(every: AllDifferences, number: int) -> list[tuple[Mask, int, int]]:
    """Return every two labels of a layer that differ somewhere, with their rows, the most frequent first."""
    rows = (every.layer == number) & every.differs
    low, high = np.minimum(every.one, every.other), np.maximum(every.one, every.other)
    (one, other), n = tally([low[rows], high[rows]], every.n[rows])
    order = np.argsort(-n, kind="stable")[:MOST_CANDIDATES]
    return [
        (rows & (low == one[place]) & (high == other[place]), int(one[place]), int(other[place]))
        for place in order.tolist()
        if one[place] != other[place]
    ]


def _labels(every: AllDifferences, number: int) -> Iterator[_Candidate]:
    """Yield each label of a layer, and every two: beside what labels this frequent have by chance."""
    layer, shares = every.layers[number], _shares(every, number)
    used = np.flatnonzero(shares).tolist()
    if len(used) < LEAST_LABELS:
        return
    own = (every.layer == number) & every.differs
    chances = {two: float(shares[two[0]] * shares[two[1]]) for two in combinations(used, 2)}
    whole = math.fsum(chances.values())
    for rows, low, high in _pairs_of_labels(every, number):
        about = CandidateSubject("labels", layer.layer, labels=(layer.labels[low], layer.labels[high]))
        yield from _beside_chance(every, about, own, rows, chances[low, high] / whole)
    many = [(every.many(own & ((every.one == label) | (every.other == label))), label) for label in used]
    for _cases, label in sorted(many, key=lambda item: (-item[0], item[1]))[:MOST_CANDIDATES]:
        rows = own & ((every.one == label) | (every.other == label))
        chance = math.fsum(share for two, share in chances.items() if label in two) / whole
        about = CandidateSubject("label", layer.layer, labels=(layer.labels[label],))
        yield from _beside_chance(every, about, own, rows, chance)


def _beside_chance(
    every: AllDifferences, about: CandidateSubject, own: Mask, rows: Mask, chance: float
) -> Iterator[_Candidate]:
    """Yield some of a layer's differing rows beside its others: `chance` is their part of all by chance."""
    rest = own & ~rows
    cases, others = every.many(rows), every.many(rest)
    if not cases or chance >= 1:
        return
    odds = chance / (1 - chance)
    # Where there are no others, chance would leave as much of these as of any.
    expected = others * odds if others else cases * chance
    if cases > expected:
        p = _p(every, cases - expected, rows - odds * rest, own.astype(np.float64))
        yield _Candidate(about, rows, cases, expected, p)


def _types(every: AllDifferences, number: int) -> Iterator[_Candidate]:
    """Yield each type of marks beside the rate of the other types, and every two that are confused."""
    layer, here = every.layers[number], every.layer == number
    used = sorted({*every.one[here].tolist(), *every.other[here].tolist()} - {NO_TYPE})
    if len(used) < LEAST_LABELS - 1:
        return
    each = np.ones(len(every.n))
    for label in used[:MOST_CANDIDATES]:
        rows = here & ((every.one == label) | (every.other == label))
        about = CandidateSubject("label", layer.layer, labels=(layer.labels[label],))
        yield from compared_with_rest(every, about, rows, each, here & ~rows)
    two = (
        here & every.differs & (every.one != every.other) & (every.one != NO_TYPE) & (every.other != NO_TYPE)
    )
    for rows, low, high in _pairs_of_labels(every, number):
        if low != NO_TYPE:
            about = CandidateSubject("labels", layer.layer, labels=(layer.labels[low], layer.labels[high]))
            yield from _beside_chance(every, about, two, rows, 2 / (len(used) * (len(used) - 1)))


def _ends(every: AllDifferences) -> Iterator[_Candidate]:
    """Yield where marks begin and end, beside all else on which they differ."""
    rows = every.kind == KINDS.index("boundary")
    rest = every.differs & ~rows
    cases, others = every.many(rows), every.many(rest)
    odds = MOSTLY / (1 - MOSTLY)
    if cases > odds * others:
        # Above three in five it is a cause; what it explains is all of them.
        p = _p(every, cases - odds * others, rows - odds * rest, every.differs.astype(np.float64))
        yield _Candidate(CandidateSubject("ends"), rows, cases, 0.0, p)


# Which candidates are causes.

# Of two that explain as much, the one that comes first says more; and what each kind is about: who, what or
# where. Two causes about the same are one twice.
ABOUT: Mapping[CauseKind, frozenset[str]] = {
    "one-sided": frozenset(("who", "what")),
    "marks-more": frozenset(("who", "what")),
    "marks-less": frozenset(("who", "what")),
    "annotator": frozenset(("who",)),
    "document": frozenset(("where",)),
    "direction": frozenset(("who", "what")),
    "labels": frozenset(("what",)),
    "label": frozenset(("what",)),
    "layer": frozenset(("where", "what")),
    "ends": frozenset(("what",)),
}
RANKED = tuple(ABOUT)
# Settled, these are gone; of the others as much as chance would put there is left.
GOES_WHOLE: frozenset[CauseKind] = frozenset(("one-sided", "marks-more", "marks-less", "direction", "ends"))


def _causes(every: AllDifferences, candidates: Sequence[_Candidate]) -> Iterator[Cause]:
    """Yield the cause that explains most, then what else explains a quarter and is about something else."""
    least = EXPLAINS * every.total
    proven = [
        candidate
        for candidate in candidates
        if candidate.excess >= least and candidate.p * len(candidates) < SIGNIFICANT
    ]
    proven = [own for own in proven if not any(_may_be_the_others(every, own, each) for each in candidates)]
    found: list[_Candidate] = []
    while proven:
        most = max(candidate.excess for candidate in proven)
        near = [candidate for candidate in proven if candidate.excess >= NARROWER * most]
        best = min(near, key=lambda each: (RANKED.index(each.about.kind), -each.excess))
        found.append(best)
        taken = ABOUT[best.about.kind]
        proven = [each for each in proven if not taken & ABOUT[each.about.kind]]
    for candidate in found:
        about = candidate.about
        yield Cause(
            kind=about.kind,
            cases=candidate.cases,
            expected=candidate.expected,
            p=min(candidate.p * len(candidates), 1.0),
            explained=1.0 if about.kind in GOES_WHOLE else candidate.excess / candidate.cases,
            layer=about.layer,
            annotators=about.annotators or None,
            labels=about.labels or None,
            document=about.document,
            by_layer={
                layer.layer: share
                for number, layer in enumerate(every.layers)
                if (share := _share(every, candidate.rows, every.layer == number))
            },
        )


def _may_be_the_others(every: AllDifferences, own: _Candidate, rival: _Candidate) -> bool:
    """Tell whether what one marks more is mostly what one other marks less: nobody knows whose it is then."""
    kinds = {own.about.kind, rival.about.kind}
    shared = every.many(own.rows & rival.rows) if kinds == {"marks-more", "marks-less"} else 0
    return shared >= NARROWER * own.cases if shared else False


def _share(every: AllDifferences, rows: Mask, of: Mask) -> float:
    """Return how large a part of the disagreements of some rows others have."""
    whole = every.many(of)
    return every.many(rows & of) / whole if whole else 0.0


# All disagreements, without rest.


def _parts(every: AllDifferences, smallest: int) -> Iterator[DisagreementPart]:
    """Yield the disagreements by what they are, the most frequent first; they add up to all of them."""
    number = every.differs
    two = len(every.involved) == 2
    low, high = np.minimum(every.one, every.other), np.maximum(every.one, every.other)
    one, other = _unmarked(every)
    alone = (
        np.where(one, every.second, np.where(other, every.first, NO_TYPE)) if two else np.full(len(low), -1)
    )
    rows, n = tally(
        [column[number] for column in (every.layer, every.kind, low, high, alone)], every.n[number]
    )
    shown = n >= smallest
    for place in np.flatnonzero(shown)[np.argsort(-n[shown], kind="stable")].tolist():
        layer, kind, here, there, who = (int(column[place]) for column in rows)
        names = every.layers[layer].labels
        yield DisagreementPart(
            layer=every.layers[layer].layer,
            kind=KINDS[kind],
            cases=int(n[place]),
            first=names[here] if here >= 0 else None,
            second=names[there] if there >= 0 else None,
            annotator=every.annotators[who] if who >= 0 else None,
        )
    if rest := int(n[~shown].sum()):
        yield DisagreementPart(kind=REST, cases=rest)
