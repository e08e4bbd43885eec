"""Attachment of words in dependency trees: by hand, against loops over words, and at the edges of rules."""

import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from reportgen.base.errors import BadInput
from reportgen.measures import trees
from reportgen.measures.trees import tree_agreement
from reportgen.readers.annotations import NO_HEAD, ROOT, Dependencies
from reportgen.results import Figure, Results
from reportgen.results.marks import DifferingHeads, TreeAgreement
from reportgen.units import Spans
from tests.campaigns import results_of, written
from tests.present import present
from tests.properties import examples

TOML = """[privacy]
annotators = "names"
documents = "names"
smallest = 1
[[layers]]
id = "syntax"
source = "DEPREL->DEPREL"
"""
# A word, its part of speech, its head and its relation.
Attached = tuple[str, str, int, str]
Sentence = list[Attached]
SAW: Sentence = [
    ("She", "PRON", 2, "nsubj"),
    ("saw", "VERB", 0, "root"),
    ("stars", "NOUN", 2, "obj"),
    ("with", "ADP", 5, "case"),
    ("telescopes", "NOUN", 2, "obl"),
]
NMOD: Sentence = [*SAW[:4], ("telescopes", "NOUN", 3, "nmod")]
OBJ: Sentence = [*SAW[:2], ("stars", "NOUN", 2, "iobj"), *SAW[3:]]


def conllu(*sentences: Sentence) -> str:
    return "".join(
        "".join(
            f"{number}\t{form}\t_\t{speech}\t_\t_\t{head}\t{relation}\t_\t_\n"
            for number, (form, speech, head, relation) in enumerate(sentence, 1)
        )
        + "\n"
        for sentence in sentences
    )


def campaign(folder: Path, files: dict[str, str], toml: str = "") -> Results:
    exports = {f"exports/1.0/{name}.conllu": text for name, text in files.items()}
    return results_of(written(folder, TOML + toml, exports))


def of(found: Results) -> TreeAgreement:
    (own,) = present(found.trees)
    return own


def test_uas_and_las_of_two_sentences_by_hand(tmp_path: Path) -> None:
    own = of(campaign(tmp_path, {"A/d": conllu(SAW, SAW), "B/d": conllu(NMOD, OBJ)}))
    (pair,) = own.pairs
    assert (pair.annotators, pair.words, pair.words_left_out) == (("A", "B"), 10, 0)
    # One head of ten differs; of the nine others one has another relation.
    assert (pair.unlabelled.value, pair.labelled.value, pair.relations.value) == (0.9, 0.8, 0.8)
    assert (own.words, own.differing) == (10, 1)
    (confused,) = own.relations_confused
    assert ({confused.first, confused.second}, confused.words) == ({"obj", "iobj"}, 1)
    by_relation = {part.name: (part.words, part.differing) for part in own.by_relation}
    assert by_relation["obl"] == (2, 1)
    assert by_relation["nmod"] == (1, 1)
    assert by_relation["case"] == (2, 0)
    assert {part.name: (part.words, part.differing) for part in own.by_part_of_speech}["NOUN"] == (4, 1)
    # Distances: 1, root, -1, 1, -3 of each sentence, once -2 instead of -3.
    shares = Counter({1: 8, 0: 4, -1: 4, -3: 3, -2: 1})
    expected = sum((times / 20) ** 2 for times in shares.values())
    assert pair.unlabelled_beyond_chance.value == pytest.approx((0.9 - expected) / (1 - expected))


def test_other_tokens_are_left_out_and_counted(tmp_path: Path) -> None:
    whole: Sentence = [*SAW[:2], ("starlight", "NOUN", 2, "obj")]
    split: Sentence = [*SAW[:2], ("star", "NOUN", 4, "compound"), ("light", "NOUN", 2, "obj")]
    own = of(campaign(tmp_path, {"A/d": conllu(SAW, whole), "B/d": conllu(SAW, split)}))
    (pair,) = own.pairs
    assert (pair.words, pair.words_left_out, pair.unlabelled.value) == (7, 3, 1.0)


def test_a_head_that_is_no_number_is_refused_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as error:
        campaign(tmp_path, {"A/d": conllu(SAW), "B/d": conllu(SAW).replace("\t2\tobj", "\ttwo\tobj")})
    (problem,) = error.value.problems
    assert (problem.line, 'the head "two"' in problem.message) == (3, True)


# What is said of it.


def part(name: str, words: int, differing: int, p: float | None = 0.001) -> DifferingHeads:
    return DifferingHeads(name=name, words=words, differing=differing, p=p)


RELATIONS, SPEECH = ("nsubj", "obj", "obl"), ("NOUN", "VERB")
# Where a word begins and ends; some share a beginning or an end.
PLACES = ((0, 2), (0, 4), (2, 4), (5, 6), (7, 9), (10, 12))
Place = tuple[int, int]
HEADS: list[Place | int] = [ROOT, *PLACES]
ANY: list[Place | int] = [NO_HEAD, *HEADS]


@dataclass(frozen=True)
class Word:
    """What somebody says of a word: the place of its head, ROOT or NO_HEAD, its relation, part of speech."""

    head: Place | int
    relation: int
    speech: int


# By document and person, the words by their places.
Layer = Mapping[tuple[int, int], Mapping[Place, Word]]


def as_spans(layer: Layer, roles: Sequence[str], documents: int) -> tuple[Spans, Dependencies]:
    """Return a layer as columns; marks are numbered with gaps, as where an export has other layers too."""
    rows = [
        (*own, place, word) for own, words in sorted(layer.items()) for place, word in sorted(words.items())
    ]
    numbers = {row[:3]: 3 * number + 2 for number, row in enumerate(rows)}
    head = np.full(3 * len(rows) + 5, 99, dtype=np.int64)
    speech = np.full(3 * len(rows) + 5, 7, dtype=np.int64)
    for document, person, place, word in rows:
        number = numbers[document, person, place]
        # A head that is no mark of the layer has a number that no mark has.
        known = word.head if isinstance(word.head, int) else numbers.get((document, person, word.head), 1)
        head[number], speech[number] = known, word.speech
    head[head == 99] = NO_HEAD
    count = len(rows)
    spans = Spans(
        layer="syntax",
        documents=tuple(f"d{number}" for number in range(documents)),
        tokens=np.full(documents, 9),
        lengths=np.full(documents, 20),
        people=tuple("abcde"[: len(roles)]),
        roles=tuple(roles),
        saw=np.ones((documents, len(roles)), dtype=np.bool_),
        types=RELATIONS,
        document=np.array([row[0] for row in rows], dtype=np.int64),
        person=np.array([row[1] for row in rows], dtype=np.int64),
        type=np.array([row[3].relation for row in rows], dtype=np.int64),
        mark=np.array([numbers[row[:3]] for row in rows], dtype=np.int64),
        stretch=np.arange(count),
        values=np.zeros((count, 0), dtype=np.int64),
        span_mark=np.arange(count),
        span_start=np.array([row[2][0] for row in rows], dtype=np.int64),
        span_end=np.array([row[2][1] for row in rows], dtype=np.int64),
    )
    return spans, Dependencies(head, speech, SPEECH)


def as_drawn(seed: int, people: int = 3, documents: int = 3) -> Layer:
    drawn = random.Random(seed)  # noqa: S311 - made-up trees
    layer: dict[tuple[int, int], dict[Place, Word]] = {}
    for document in range(documents):
        right: dict[Place, Place | int] = {place: drawn.choice(HEADS) for place in PLACES}
        for person in range(people):
            words: dict[Place, Word] = {}
            for place in PLACES:
                if drawn.random() < 0.85:
                    head = right[place] if drawn.random() < 0.6 else drawn.choice(ANY)
                    words[place] = Word(head, drawn.choice([0, 1, 1, 1, 2]), drawn.randint(0, 1))
            layer[document, person] = words
    return layer


def compared(layer: Layer, one: int, other: int) -> list[tuple[int, Place, Word, Word]]:
    """Return the words that both attached to words that both have, in the order of the texts."""
    found = []
    for document in sorted({document for document, _ in layer}):
        own, theirs = layer.get((document, one), {}), layer.get((document, other), {})
        both = {*own} & {*theirs}
        found += [
            (document, place, own[place], theirs[place])
            for place in sorted(both)
            if all(word.head == ROOT or word.head in both for word in (own[place], theirs[place]))
        ]
    return found


def away(layer: Layer, one: int, other: int) -> list[tuple[object, object]]:
    """Return how far away both heads of each word are, counted in words that both have; a root is "root"."""
    both = sorted(
        (document, place)
        for document, person in layer
        if person == one
        for place in {*layer[document, one]} & {*layer.get((document, other), {})}
    )

    def steps(document: int, place: Place, word: Word) -> object:
        if isinstance(word.head, int):
            return "root"
        return both.index((document, word.head)) - both.index((document, place))

    return [
        (steps(document, place, first), steps(document, place, second))
        for document, place, first, second in compared(layer, one, other)
    ]


def pi(same: Sequence[bool], codes: Sequence[tuple[object, object]], weights: Sequence[float]) -> float:
    total = math.fsum(weights)
    observed = math.fsum(w for w, alike in zip(weights, same, strict=True) if alike) / total
    shares: dict[object, float] = {}
    for two, w in zip(codes, weights, strict=True):
        for code in two:
            shares[code] = shares.get(code, 0) + w / (2 * total)
    expected = math.fsum(share * share for share in shares.values())
    return (observed - expected) / (1 - expected)


def error(documents: Sequence[int], figure: Callable[[Sequence[float]], float]) -> float:
    """Return the standard error of a figure of weighed words, by its derivative in each document's weight."""
    step, there = 1e-5, sorted(set(documents))
    moved = []
    for own in there:
        ends = [figure([1 + sign * step * (each == own) for each in documents]) for sign in (1, -1)]
        moved.append((ends[0] - ends[1]) / (2 * step))
    return math.sqrt(len(there) / (len(there) - 1) * math.fsum(each * each for each in moved))


def near(found: Figure, documents: Sequence[int], figure: Callable[[Sequence[float]], float]) -> None:
    assert found.value == pytest.approx(figure([1.0] * len(documents)), abs=1e-9)
    assert found.units == len(documents)
    if found.standard_error is not None:
        assert found.standard_error == pytest.approx(error(documents, figure), rel=1e-4)


def pairs_of(roles: Sequence[str]) -> list[tuple[int, int]]:
    every = combinations(range(len(roles)), 2)
    return [two for two in every if roles[two[0]] != roles[two[1]] or roles[two[0]] == "annotator"]


def share_of(same: Sequence[bool], weights: Sequence[float]) -> float:
    return math.fsum(w for w, alike in zip(weights, same, strict=True) if alike) / math.fsum(weights)


@pytest.mark.parametrize("letters", ["aaa", "raa", "raas", "ras", "rs", "rr"])
@given(seed=st.integers(0, 10**6))
@examples(40)
def test_attachment_is_that_of_a_literal_count(letters: str, seed: int) -> None:
    roles = [{"a": "annotator", "r": "reference", "s": "system"}[letter] for letter in letters]
    layer = as_drawn(seed, len(roles))
    found = tree_agreement(*as_spans(layer, roles, 3))
    pairs = [two for two in pairs_of(roles) if compared(layer, *two)]
    if not pairs:
        assert found is None
        return
    assert found is not None
    assert found.layer == "syntax"
    names = [("abcde"[one], "abcde"[other]) for one, other in pairs]
    assert [pair.annotators for pair in found.pairs] == names
    for pair, two in zip(found.pairs, pairs, strict=True):
        words = compared(layer, *two)
        documents = [document for document, *_ in words]
        heads = [one.head == other.head for *_, one, other in words]
        relations = [one.relation == other.relation for *_, one, other in words]
        both = [head and relation for head, relation in zip(heads, relations, strict=True)]
        assert pair.roles == (roles[two[0]], roles[two[1]])
        assert pair.words == len(words)
        union = sum(len({*layer[document, two[0]], *layer[document, two[1]]}) for document in range(3))
        assert pair.words_left_out == union - len(words)
        for figure, same in ((pair.unlabelled, heads), (pair.relations, relations), (pair.labelled, both)):
            near(figure, documents, partial(share_of, same))
        plain = away(layer, *two)
        typed = [
            ((far[0], one.relation), (far[1], other.relation))
            for far, (*_, one, other) in zip(plain, words, strict=True)
        ]
        for figure, same, codes in (
            (pair.unlabelled_beyond_chance, heads, plain),
            (pair.labelled_beyond_chance, both, typed),
        ):
            if len({code for each in codes for code in each}) == 1:
                assert str(figure.undefined).startswith("only one category")
                continue
            near(figure, documents, partial(pi, same, codes))
    check_whole(found, layer, roles, pairs)


def check_whole(
    found: TreeAgreement, layer: Layer, roles: Sequence[str], pairs: Sequence[tuple[int, int]]
) -> None:
    """Compare what is of all pairs of annotators, of all pairs where there is none of annotators."""
    ours = [two for two in pairs if all(roles[who] == "annotator" for who in two)] or pairs
    words = [word for two in ours for word in compared(layer, *two)]
    documents, differ = [word[0] for word in words], [one.head != other.head for *_, one, other in words]
    assert found.words == len(words)
    assert found.differing == sum(differ)
    confused = Counter(
        tuple(sorted((one.relation, other.relation)))
        for *_, one, other in words
        if one.head == other.head and one.relation != other.relation
    )
    due = [(RELATIONS[one], RELATIONS[other], n) for (one, other), n in confused.items()]
    told = [(each.first, each.second, each.words) for each in found.relations_confused]
    assert sorted(told) == sorted(due)
    assert [n for *_, n in told] == sorted((n for *_, n in due), reverse=True)
    for parts, names, codes in (
        (found.by_relation, RELATIONS, [(one.relation, other.relation) for *_, one, other in words]),
        (found.by_part_of_speech, SPEECH, [(one.speech, one.speech) for *_, one, other in words]),
    ):
        by_name = {part.name: part for part in parts}
        for code, name in enumerate(names):
            rows = [code in two for two in codes]
            if not any(rows):
                assert name not in by_name
                continue
            own = [unlike for row, unlike in zip(rows, differ, strict=True) if row]
            assert (by_name[name].words, by_name[name].differing) == (sum(rows), sum(own))
            p = None
            if sum(rows) >= 20 and not all(rows):
                p = more_often(documents, rows, differ)
            assert by_name[name].p == (None if p is None else pytest.approx(p, abs=1e-6))
        order = [(-part.differing, part.name) for part in parts]
        assert order == sorted(order)
    told_of = {
        each.document: (each.words, each.same_head, each.same_head_and_relation) for each in found.documents
    }
    rows_of: dict[str, tuple[int, int, int]] = {}
    for document, _, one, other in words:
        n, same, both = rows_of.get(f"d{document}", (0, 0, 0))
        alike = one.head == other.head
        rows_of[f"d{document}"] = n + 1, same + alike, both + (alike and one.relation == other.relation)
    assert told_of == rows_of
    places = [(both / n, name) for name, (n, _, both) in told_of.items()]
    assert places == sorted(places)


def more_often(documents: Sequence[int], rows: Sequence[bool], differ: Sequence[bool]) -> float | None:
    """Return p of the difference of two rates, by its derivative in each document's weight."""

    def apart(weights: Sequence[float]) -> float:
        rates = []
        for side in (True, False):
            own = [each == side for each in rows]
            unlike = [each and other for each, other in zip(own, differ, strict=True)]
            rates.append(share_of(unlike, weights) / share_of(own, weights))
        return rates[0] - rates[1]

    spread, free = error(documents, apart), len(set(documents)) - 1
    if spread < 1e-9:
        return None
    return float(2 * stats.t.sf(abs(apart([1.0] * len(documents))) / spread, free))


# Edges.


def two(*documents: Sequence[tuple[int, int]]) -> TreeAgreement:
    """Return the agreement of two: how many words each relation has in a document, and with other heads."""
    layer: dict[tuple[int, int], dict[Place, Word]] = {}
    for document, parts in enumerate(documents):
        for person in (0, 1):
            words: dict[Place, Word] = {(0, 1): Word(ROOT, 2, 0), (1, 2): Word((0, 1), 2, 0)}
            for relation, (many, differing) in enumerate(parts):
                for number in range(many):
                    place = 10 * number + 10 + relation, 10 * number + 12 + relation
                    other = person and number < differing
                    words[place] = Word((1, 2) if other else (0, 1), relation, relation)
            layer[document, person] = words
    return present(tree_agreement(*as_spans(layer, ["annotator"] * 2, len(documents))))


def test_twenty_words_of_a_relation_are_tested() -> None:
    for many, tested in ((19, False), (20, True)):
        found = two(((many, 6), (9, 1)), ((0, 0), (9, 2)))
        (own,) = (part for part in found.by_relation if part.name == "nsubj")
        assert (own.words, own.differing, own.p is not None) == (many, 6, tested)


def test_a_relation_of_all_words_is_compared_with_none() -> None:
    words = {(place, place + 1): Word(ROOT, 0, 0) for place in range(30)}
    other = {**words, (0, 1): Word((1, 2), 0, 0)}
    layer = {(0, 0): words, (0, 1): other, (1, 0): words, (1, 1): words}
    found = present(tree_agreement(*as_spans(layer, ["annotator"] * 2, 2)))
    assert [(part.words, part.differing, part.p) for part in found.by_relation] == [(60, 1, None)]


def test_a_word_of_several_stretches_goes_from_the_first_to_the_last() -> None:
    layer = {(0, who): {(0, 6): Word(ROOT, 0, 0), (7, 9): Word((0, 6), 1, 0)} for who in (0, 1)}
    spans, dependencies = as_spans(layer, ["annotator"] * 2, 1)
    apart = replace(
        spans,
        span_mark=np.array([0, 0, 0, 1, 2, 3]),
        span_start=np.array([0, 2, 5, 7, 0, 7]),
        span_end=np.array([1, 3, 6, 9, 6, 9]),
    )
    found = present(tree_agreement(apart, dependencies))
    assert (found.pairs[0].words, found.pairs[0].words_left_out) == (2, 0)


def test_nobody_has_a_word() -> None:
    assert tree_agreement(*as_spans({}, ["annotator"] * 2, 1)) is None


def test_so_many_pairs_confusions_and_documents_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MOST_PAIRS", "MOST_CONFUSIONS", "MOST_DOCUMENTS"):
        monkeypatch.setattr(trees, name, 2)
    words = {(place, place + 1): Word(ROOT, relation, 0) for place, relation in enumerate((0, 0, 0, 1, 1, 0))}
    other = {(place, place + 1): Word(ROOT, relation, 0) for place, relation in enumerate((1, 2, 2, 2, 2, 2))}
    layer = {(document, who): words if who else other for document in range(3) for who in range(3)}
    found = present(tree_agreement(*as_spans(layer, ["annotator"] * 3, 3)))
    assert [pair.annotators for pair in found.pairs] == [("a", "b"), ("a", "c")]
    assert [(each.first, each.second, each.words) for each in found.relations_confused] == [
        ("nsubj", "obl", 18),
        ("obj", "obl", 12),
    ]
    assert [each.document for each in found.documents] == ["d0", "d1"]
