"""Do annotators attach words to the same heads? Unlabelled and labelled attachment, also beyond chance.

UAS is the share of words with the same head, LAS of those with the same head and relation (Nivre et al. 2004,
CoNLL). Beyond chance: (A_o - A_e) / (1 - A_e) as Scott's pi has it, where A_e is how often two heads would be
equally far away, to the same side, if distances were drawn from those of both annotators (for LAS: distances
with relations). Skjaerholt (2014) compares whole trees by their edit distance with trees of other sentences
instead: that is chance for a sentence, dominated by how long sentences are, and takes the edit distance of
every two sentences; what annotators decide, and guidelines can settle, is the head of a word.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.counts import tally
from reportgen.measures.estimate import (
    Clusters,
    Estimate,
    Floats,
    Undefined,
    figure,
    two_sided,
    with_interval,
)
from reportgen.measures.spans import Ratio
from reportgen.readers import Codes
from reportgen.readers.annotations import NO_HEAD, ROOT, Dependencies
from reportgen.results import Figure
from reportgen.results.marks import DifferingHeads, RelationConfusion, TreeAgreement, TreeDocument, TreePair
from reportgen.units import Mask, Spans
from reportgen.units.labels import sums_by

MOST_DOCUMENTS, MOST_PAIRS, MOST_CONFUSIONS = 100, 200, 50
# With fewer words nothing is tested.
LEAST_WORDS = 20


@dataclass(frozen=True, eq=False)
class _Words:
    """The words of a layer in the order of the texts: `document` (words,) says where each is.

    `head`, `relation`, `part_of_speech` (words, people): what each annotator says; NO_WORD without a mark.
    """

    document: Codes
    head: Codes
    relation: Codes
    part_of_speech: Codes


@dataclass(frozen=True, eq=False)
class _ComparedWords:
    """The words that two people attached: where, how far away their heads are, and with which relation."""

    people: tuple[int, int]
    document: Codes
    heads: tuple[Codes, Codes]
    away: tuple[Codes, Codes]
    relations: tuple[Codes, Codes]
    part_of_speech: Codes
    left_out: int

    @property
    def same_head(self) -> Mask:
        """Tell of each word whether both have the same head."""
        return np.array(self.heads[0] == self.heads[1], dtype=np.bool_)

    @property
    def same_relation(self) -> Mask:
        """Tell of each word whether both have the same relation."""
        return np.array(self.relations[0] == self.relations[1], dtype=np.bool_)


NO_WORD = -3


def tree_agreement(spans: Spans, dependencies: Dependencies) -> TreeAgreement | None:
    """Return how people agree on the trees of a layer; None where no two have a tree of the same text."""
    words = _words(spans, dependencies)
    everybody = range(len(spans.people))
    asked = [two for two in combinations(everybody, 2) if _is_compared(spans, *two)][:MOST_PAIRS]
    compared = [own for own in (_of_two(words, *two) for two in asked) if len(own.document)]
    if not compared:
        return None
    ours = [own for own in compared if spans.annotates[list(own.people)].all()] or compared
    size = len(spans.documents)
    return TreeAgreement(
        layer=spans.layer,
        words=sum(len(own.document) for own in ours),
        differing=sum(int((~own.same_head).sum()) for own in ours),
        pairs=tuple(_pair(spans, own, size) for own in compared),
        relations_confused=tuple(_confusions(spans, ours)),
        by_relation=tuple(_differing(ours, [own.relations for own in ours], spans.types, size)),
        by_part_of_speech=tuple(
            _differing(
                ours,
                [(own.part_of_speech, own.part_of_speech) for own in ours],
                dependencies.parts_of_speech,
                size,
            )
        ),
        documents=tuple(_documents(spans, ours)),
    )


def _is_compared(spans: Spans, first: int, second: int) -> bool:
    return bool(spans.compared(np.array([first]), np.array([second]))[0])


def _words(spans: Spans, dependencies: Dependencies) -> _Words:
    """Return the words that somebody attached, in the order of the texts."""
    start = np.zeros(len(spans.mark), dtype=np.int64)
    start[spans.span_mark[::-1]] = spans.span_start[::-1]
    end = np.zeros(len(spans.mark), dtype=np.int64)
    end[spans.span_mark] = spans.span_end
    (document, _start, _end), word = _numbered(spans.document, start, end)
    here = np.full(len(dependencies.head), NO_HEAD)
    here[spans.mark] = word
    head = dependencies.head[spans.mark]
    of_head = np.where(head >= 0, here[np.maximum(head, 0)], head)
    shape = len(document), len(spans.people)
    table = {name: np.full(shape, NO_WORD, dtype=np.int64) for name in ("head", "relation", "speech")}
    table["head"][word, spans.person] = of_head
    table["relation"][word, spans.person] = spans.type
    table["speech"][word, spans.person] = dependencies.part_of_speech[spans.mark]
    return _Words(document, table["head"], table["relation"], table["speech"])


def _numbered(*columns: Codes) -> tuple[list[Codes], Codes]:
    """Return the distinct rows of columns, sorted, and the place of each row among them."""
    rows, place = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
    return list(rows.T), place.reshape(-1)


def _of_two(words: _Words, first: int, second: int) -> _ComparedWords:
    """Return the words that two people attached to words that both have."""
    there = words.relation != NO_WORD
    both = there[:, first] & there[:, second]
    own = words.head[:, first], words.head[:, second]
    known = both.copy()
    for head in own:
        known &= (head == ROOT) | ((head >= 0) & both[np.maximum(head, 0)])
    word = np.flatnonzero(known)
    # Distances are between words that both have.
    order = np.cumsum(both)
    heads = own[0][word], own[1][word]
    # A root is no distance that a word can have.
    far = len(order)
    away = tuple(np.where(head == ROOT, far, order[np.maximum(head, 0)] - order[word]) for head in heads)
    return _ComparedWords(
        (first, second),
        words.document[word],
        heads,
        (away[0], away[1]),
        (words.relation[word, first], words.relation[word, second]),
        words.part_of_speech[word, first],
        int((there[:, first] | there[:, second]).sum()) - len(word),
    )


def _pair(spans: Spans, own: _ComparedWords, size: int) -> TreePair:
    first, second = own.people
    head, relation = own.same_head, own.same_relation
    one, other = own.away
    types = len(spans.types)
    both = tuple(away * types + kind for away, kind in zip(own.away, own.relations, strict=True))
    return TreePair(
        annotators=(spans.people[first], spans.people[second]),
        roles=(spans.roles[first], spans.roles[second]),
        words=len(own.document),
        words_left_out=own.left_out,
        unlabelled=_share(own, head, size),
        labelled=_share(own, head & relation, size),
        relations=_share(own, relation, size),
        unlabelled_beyond_chance=_beyond_chance(own, head, (one, other), size),
        labelled_beyond_chance=_beyond_chance(own, head & relation, (both[0], both[1]), size),
    )


def _share(own: _ComparedWords, same: Mask, size: int) -> Figure:
    """Return the share of words that are the same, with its interval over documents."""
    right = sums_by(own.document[same], np.ones(int(same.sum()), dtype=np.int64), size).astype(np.float64)
    whole = np.bincount(own.document, minlength=size).astype(np.float64)
    missed = int((~same).sum())
    return figure(Ratio(right, whole, len(same), missed, Undefined.NO_SHARED_UNITS).estimate())


def _beyond_chance(own: _ComparedWords, same: Mask, codes: tuple[Codes, Codes], size: int) -> Figure:
    """Return (A_o - A_e) / (1 - A_e), A_e by the codes of both; its interval from each document's part."""
    words = len(same)
    values, place = np.unique(np.concatenate(codes), return_inverse=True)
    shares = np.bincount(place, minlength=len(values)) / (2 * words)
    expected = float((shares * shares).sum())
    observed = int(same.sum()) / words
    if expected >= 1:
        return figure(Estimate(None, words, undefined=Undefined.NO_EXPECTED_DISAGREEMENT))
    value = (observed - expected) / (1 - expected)
    likely = shares[place.reshape(2, -1)].sum(axis=0)
    # What each word adds to observed, and to expected agreement, beside the means.
    steps = (same - observed) / (1 - expected)
    steps -= (1 - observed) / (1 - expected) ** 2 * (likely - 2 * expected)
    whole = np.bincount(own.document, minlength=size)
    there = whole > 0
    influence = sums_by(own.document, steps, size)[there] / words * int(there.sum())
    clusters = Clusters.of_documents(int(there.sum()))
    estimate = Estimate(value, words)
    return figure(with_interval(estimate, influence, clusters, (-1.0, 1.0), disagreements=int((~same).sum())))


def _confusions(spans: Spans, compared: Sequence[_ComparedWords]) -> Iterator[RelationConfusion]:
    """Yield which relations words with the same head have, where they differ, the most frequent first."""
    low: list[Codes] = []
    high: list[Codes] = []
    for own in compared:
        rows = own.same_head & ~own.same_relation
        one, other = (relation[rows] for relation in own.relations)
        low.append(np.minimum(one, other))
        high.append(np.maximum(one, other))
    columns = np.concatenate(low), np.concatenate(high)
    (one, other), n = tally(columns, np.ones_like(columns[0]))
    for place in np.argsort(-n, kind="stable")[:MOST_CONFUSIONS].tolist():
        first, second = spans.types[int(one[place])], spans.types[int(other[place])]
        yield RelationConfusion(first=first, second=second, words=int(n[place]))


def _differing(
    compared: Sequence[_ComparedWords], codes: Sequence[tuple[Codes, Codes]], names: Sequence[str], size: int
) -> Iterator[DifferingHeads]:
    """Yield for each relation, or part of speech, on how many of its words heads differ, most first."""
    document = np.concatenate([own.document for own in compared])
    differ = np.concatenate([~own.same_head for own in compared])
    one, other = (np.concatenate([pair[side] for pair in codes]) for side in (0, 1))
    found: list[DifferingHeads] = []
    for code, name in enumerate(names):
        rows = (one == code) | (other == code)
        words, differing = int(rows.sum()), int((rows & differ).sum())
        if words:
            p = _more_often(document, rows, differ, size) if words >= LEAST_WORDS else None
            found.append(DifferingHeads(name=name, words=words, differing=differing, p=p))
    yield from sorted(found, key=lambda each: (-each.differing, each.name))


def _more_often(document: Codes, rows: Mask, differ: Mask, size: int) -> float | None:
    """Return p of how much more often heads differ in some rows than in the others, by documents."""
    inside, outside = int(rows.sum()), int((~rows).sum())
    if not outside:
        return None
    rates = int((rows & differ).sum()) / inside, int((~rows & differ).sum()) / outside
    steps: Floats = np.where(rows, (differ - rates[0]) / inside, -(differ - rates[1]) / outside)
    sums = sums_by(document, steps, size)
    documents = len(np.unique(document))
    if documents < 2:
        return None
    error = float(np.sqrt((sums * sums).sum() * documents / (documents - 1)))
    return two_sided((rates[0] - rates[1]) / error, documents - 1) if error else None


def _documents(spans: Spans, compared: Sequence[_ComparedWords]) -> Iterator[TreeDocument]:
    """Yield attachment in each document, the worst first."""
    document = np.concatenate([own.document for own in compared])
    head = np.concatenate([own.same_head for own in compared])
    both = head & np.concatenate([own.same_relation for own in compared])
    size = len(spans.documents)
    words, heads, labelled = (
        np.bincount(document[rows], minlength=size) for rows in (np.ones_like(head), head, both)
    )
    there = np.flatnonzero(words)
    for place in there[np.lexsort((there, labelled[there] / words[there]))][:MOST_DOCUMENTS].tolist():
        yield TreeDocument(
            document=spans.documents[place],
            words=int(words[place]),
            same_head=int(heads[place]),
            same_head_and_relation=int(labelled[place]),
        )
