"""Attachment of words in dependency trees, against figures counted by hand and a literal count."""

import random
from collections import Counter
from pathlib import Path

import pytest

from reportgen.base.errors import BadInput
from reportgen.findings import marks as rules
from reportgen.results import Results
from reportgen.results.marks import DifferingHeads, TreeAgreement
from tests.campaigns import results_of, written
from tests.findings.made_results import told

TOML = """[privacy]
annotators = "names"
documents = "names"
smallest = 1
[[layers]]
id = "syntax"
source = "DEPREL->DEPREL"
"""
# A word, its part of speech, its head and its relation.
Word = tuple[str, str, int, str]
Sentence = list[Word]
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
    assert found.trees is not None
    (own,) = found.trees
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


def test_an_empty_head_leaves_a_word_out(tmp_path: Path) -> None:
    without = conllu(SAW).replace("telescopes\t_\tNOUN\t_\t_\t2", "telescopes\t_\tNOUN\t_\t_\t_")
    (pair,) = of(campaign(tmp_path, {"A/d": conllu(SAW), "B/d": without})).pairs
    assert (pair.words, pair.words_left_out, pair.unlabelled.value) == (4, 1, 1.0)


def test_a_head_that_is_no_number_is_refused_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as error:
        campaign(tmp_path, {"A/d": conllu(SAW), "B/d": conllu(SAW).replace("\t2\tobj", "\ttwo\tobj")})
    (problem,) = error.value.problems
    assert (problem.line, 'the head "two"' in problem.message) == (3, True)


def drawn(seed: int, who: str, documents: int, slips: float) -> dict[str, str]:
    chance = random.Random(f"{seed} {who}")  # noqa: S311 - made-up trees
    files = {}
    for number in range(documents):
        sentences = [[_slipped(word, chance, slips, len(SAW)) for word in SAW] for _ in range(4)]
        files[f"{who}/d{number}"] = conllu(*sentences)
    return files


def _slipped(word: Word, chance: random.Random, slips: float, size: int) -> Word:
    form, speech, head, relation = word
    if chance.random() < slips:
        head = chance.randint(0, size)
    if chance.random() < slips:
        relation = chance.choice(("obj", "obl", "nmod"))
    return form, speech, head, relation


def literal(files: dict[str, str], first: str, second: str) -> tuple[int, int, int, int]:
    """Return words, same heads, same relations, and same of both, counted from the files."""
    counts = [0, 0, 0, 0]
    for name in (name for name in files if name.startswith(f"{first}/")):
        own, other = (
            [line.split("\t") for line in files[each].splitlines() if line]
            for each in (name, f"{second}/{name.partition('/')[2]}")
        )
        for one, two in zip(own, other, strict=True):
            head, relation = one[6] == two[6], one[7] == two[7]
            for place, there in enumerate((True, head, relation, head and relation)):
                counts[place] += there
    return counts[0], counts[1], counts[2], counts[3]


@pytest.mark.parametrize("seed", range(3))
def test_three_annotators_against_a_literal_count(seed: int, tmp_path: Path) -> None:
    files = {name: text for who in "ABC" for name, text in drawn(seed, who, 5, 0.2).items()}
    own = of(campaign(tmp_path, files))
    assert len(own.pairs) == 3
    for pair in own.pairs:
        words, heads, relations, both = literal(files, *pair.annotators)
        assert pair.words == words
        assert pair.unlabelled.value == pytest.approx(heads / words)
        assert pair.relations.value == pytest.approx(relations / words)
        assert pair.labelled.value == pytest.approx(both / words)
        interval = pair.unlabelled.interval
        assert interval is not None
        assert interval.low is not None
        assert interval.low < heads / words
    assert sum(document.words for document in own.documents) == own.words
    assert sum(document.words - document.same_head for document in own.documents) == own.differing
    shares = [document.same_head_and_relation / document.words for document in own.documents]
    assert shares == sorted(shares)


def test_documents_in_another_order_change_nothing(tmp_path: Path) -> None:
    files = {name: text for who in "AB" for name, text in drawn(1, who, 4, 0.3).items()}
    other = {name.replace("d", "e" if "0" in name else "d"): text for name, text in files.items()}
    one, two = of(campaign(tmp_path / "1", files)).pairs[0], of(campaign(tmp_path / "2", other)).pairs[0]
    assert one.unlabelled.value == two.unlabelled.value
    assert one.labelled_beyond_chance.value == pytest.approx(two.labelled_beyond_chance.value)


def test_a_system_is_compared_with_the_reference(tmp_path: Path) -> None:
    roles = '[annotators.A]\nrole = "reference"\n[annotators.B]\nrole = "system"\n'
    own = of(campaign(tmp_path, {"A/d": conllu(SAW), "B/d": conllu(NMOD)}, roles))
    assert [(pair.annotators, pair.roles) for pair in own.pairs] == [(("A", "B"), ("reference", "system"))]


# What is said of it.


def agreement(differing: int, *parts: DifferingHeads) -> TreeAgreement:
    return TreeAgreement(
        layer="main",
        words=1000,
        differing=differing,
        pairs=(),
        relations_confused=(),
        by_relation=parts,
        by_part_of_speech=(),
        documents=(),
    )


def part(name: str, words: int, differing: int, p: float | None = 0.001) -> DifferingHeads:
    return DifferingHeads(name=name, words=words, differing=differing, p=p)


def test_the_relation_with_a_quarter_of_differing_heads_too_many_is_named() -> None:
    # 40 of 100 differ, 60 of 900 elsewhere: 33 more than its share.
    (found,) = told(rules.heads, trees=(agreement(100, part("obl", 100, 40)),))
    assert dict(found.values) == {
        "relation": "obl",
        "difference_share": 0.4,
        "differing": 100,
        "words": 40,
        "all": 100,
    }
    for other in (part("obl", 100, 32), part("obl", 100, 40, 0.2), part("obl", 100, 40, None)):
        assert told(rules.heads, trees=(agreement(100, other),)) == []
    assert told(rules.heads, trees=(agreement(9, part("obl", 10, 9)),)) == []


def test_of_two_relations_that_say_the_same_the_one_on_more_words_is_named() -> None:
    (found,) = told(rules.heads, trees=(agreement(42, part("nmod", 30, 30), part("obl", 48, 30)),))
    assert found.values["relation"] == "obl"
