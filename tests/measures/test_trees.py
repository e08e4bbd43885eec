"""Attachment of words in dependency trees, against figures counted by hand and a literal count."""

from collections import Counter
from pathlib import Path

import pytest

from reportgen.base.errors import BadInput
from reportgen.results import Results
from reportgen.results.marks import DifferingHeads, TreeAgreement
from tests.campaigns import results_of, written
from tests.present import present

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
