"""The measure catalogue in French: every text has its translation, and what is not words stays as it is."""

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from reportgen.catalogue import BRACKETS
from reportgen.words import language, names
from reportgen.words.language import Edition, writing
from tests.closed_lists import ENTRIES, catalogue_messages, texts_of
from tests.messages import read

FRENCH = Edition("fr", first=False)
# Names that are the same in both languages, as those of libraries and their functions are.
SAME = {"PABAK", "u-alpha", "cu-alpha", "(k)u-alpha", "Gamma", "Gamma-cat", "Gamma-k"}
SAME_IN_BRACKETS = {"nominal", "ordinal", "radical", "jaccard", "masi", "dice", "bdm"}
CALLS = re.compile(r'model = "twoway", .*|ICC\([23],1\), ICC[23]')
ENGLISH_WORDS = re.compile(
    r"\b(?:the|of|is|are|with|and|not|where|which|each|for|to|as|by|that|than|it|its|from|both|units|ratings)\b"
)
# What French does not set so: an ASCII apostrophe, a plain space before a sign, or none.
TYPOGRAPHY = {
    "an ASCII apostrophe": re.compile(r"'"),
    "a plain space before a sign": re.compile(r" [;:?!%»]|« "),
    "no space before a sign": re.compile(r"[^\N{NARROW NO-BREAK SPACE}][;?!]|[^\N{NO-BREAK SPACE}][%»]"),
    "no space before a colon": re.compile(r"[^\N{NO-BREAK SPACE}]:"),
}
NUMBER = re.compile(r"\d+")
SIGNS = re.compile(r"[α-ωΑ-Ω²³√∩∪Σ{}=|/]|\b\w_\w+")
# What is mathematics in a formula, whatever the words between.
MATHEMATICS = re.compile(r"[α-ωΑ-Ω²³√∩∪Σ()=/+|\[\]^]|\\\w+|(?<![\w-])-(?![\w-])|\d")


def _pairs(*fields: str) -> Iterator[tuple[str, str]]:
    """Yield every text of the catalogue with its French, or those of some fields alone."""
    with writing(FRENCH):
        for entry in ENTRIES:
            for field, text in texts_of(entry):
                if text and (not fields or field in fields):
                    yield text, language._(text)


PROSE = (
    "name",
    "answers",
    "use",
    "avoid",
    "chance",
    "assumptions",
    "sentence",
    "annotators",
    "missing",
    "returns",
)


def test_every_text_of_the_catalogue_has_a_french_translation() -> None:
    same = {text for text, french in _pairs(*PROSE, "formula", "latex") if french == text}
    assert {text for text in same - SAME if not CALLS.fullmatch(text)} == set()


def test_a_text_is_in_the_french_catalogue_even_where_it_stays_as_it_is() -> None:
    known = read("fr")
    assert [text for text in catalogue_messages() if not known.get(text) or not known[text].string] == []


def test_no_english_word_is_left_in_a_french_text() -> None:
    found = [french for text, french in _pairs(*PROSE, "formula", "latex", "library") if french != text]
    assert [each for each in found if ENGLISH_WORDS.search(each)] == []


@pytest.mark.parametrize("fault", TYPOGRAPHY)
def test_french_texts_are_set_as_french_is(fault: str) -> None:
    texts = (french for text, french in _pairs(*PROSE, "formula", "library") if french != text)
    assert [each for each in texts if TYPOGRAPHY[fault].search(each)] == []


def test_numbers_of_a_text_are_the_same_in_french() -> None:
    found = list(_pairs(*PROSE, "formula", "library"))
    assert [(text, french) for text, french in found if _digits(text) != _digits(french)] == []


def _digits(text: str) -> Counter[str]:
    """Return the numbers of a text without the zero that French writes before its comma."""
    joined = re.sub(r"(?<=\d)[,\N{NARROW NO-BREAK SPACE}](?=000\b)", "", text)
    return Counter(each for each in NUMBER.findall(joined) if each != "0")


def test_signs_of_a_text_are_the_same_in_french() -> None:
    differing = [
        (text, french)
        for text, french in _pairs(*PROSE)
        if Counter(SIGNS.findall(text)) != Counter(SIGNS.findall(french))
    ]
    assert differing == []


def test_a_formula_has_the_same_mathematics_in_french() -> None:
    differing = [
        (text, french)
        for text, french in _pairs("formula", "latex")
        if MATHEMATICS.findall(text) != MATHEMATICS.findall(french)
    ]
    assert differing == []


def test_a_declared_table_and_a_category_keep_their_names_in_brackets() -> None:
    with writing(FRENCH):
        assert names.translated("Weighted kappa [expert]") == "kappa pondéré [expert]"
        assert names.as_heading("(k)u-alpha [strict]") == "(k)u-alpha [strict]"
        assert names.as_heading("What nobody knows [linear]") == "What nobody knows [linéaire]"


def test_every_bracket_has_its_words() -> None:
    known = {each.id for each in BRACKETS}
    with writing(FRENCH):
        assert {each for each in known if names.bracket(each) == each} == SAME_IN_BRACKETS
    assert known == set(names.bracket_words())
