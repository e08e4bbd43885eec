"""Why something is not there, and how exports were read, in the language of the page."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from reportgen.measures import NoDifference
from reportgen.measures.standard_errors import SCALES
from reportgen.readers import OWN, layers_of_marks, mmax
from reportgen.readers.string_tables import DELIMITER_NAMES
from reportgen.report.uncertainty import band
from reportgen.units.labelled import OUTRANKED
from reportgen.units.unit_sets import OTHER_ROLE
from reportgen.versions import guidelines_documents
from reportgen.words import names, numbers
from reportgen.words.language import Edition, _, writing
from tests.campaigns import results
from tests.closed_lists import LEFT_OUT, reasons

FRENCH = Edition("fr", first=False)
# French calls them what English does.
SAME = {"exact", "excellent", "documents", "tokens", "F"}
READINGS = (layers_of_marks.IN_TIME, layers_of_marks.CHAINS, f"{mmax.READING}.")


def in_french(text: str) -> str:
    """Return how exports were read, in French, its no-break spaces as plain ones."""
    with writing(FRENCH):
        return names.reading(text).replace("\N{NO-BREAK SPACE}", " ").replace("\u202f", " ")


def test_every_reason_is_said_in_french() -> None:
    with writing(FRENCH):
        english = {text for text in reasons() if _(text) == _plural(text) == text}
    assert english - SAME == set()


def test_what_a_test_would_need_is_said_for_every_reason_why_there_is_none() -> None:
    assert set(names.NEEDED) == set(NoDifference)


def _plural(text: str) -> str:
    """Return a word that the catalogue has with its plural."""
    from reportgen.words.language import ngettext

    return ngettext(text, f"{text}s", 1)


@pytest.mark.parametrize(
    "text",
    [
        OTHER_ROLE,
        OUTRANKED,
        *(
            guidelines_documents.NONE_NAMED,
            guidelines_documents.NO_TEXT,
            guidelines_documents.MISSING,
            guidelines_documents.TOO_LONG,
        ),
    ],
)
def test_reasons_with_words_in_them_are_known_by_their_form(text: str) -> None:
    assert text in names.REASONS


def test_a_role_in_a_reason_is_translated() -> None:
    with writing(FRENCH):
        shown = numbers.message(OTHER_ROLE.format(role="reference"), {})
    assert "(rôle\N{NO-BREAK SPACE}: référence)" in shown


def test_what_a_mark_was_outranked_on_is_translated() -> None:
    with writing(FRENCH):
        assert "les mêmes phrases" in numbers.message(OUTRANKED.format(units="sentences"), {})


@pytest.mark.parametrize("text", [*LEFT_OUT, OTHER_ROLE.format(role="system"), "nobody knows why"])
def test_reasons_stay_as_they_are_in_english(text: str) -> None:
    assert names.reason(text) == text


@pytest.mark.parametrize("text", READINGS)
def test_what_several_readers_say_is_known(text: str) -> None:
    assert text in names.SENTENCES
    assert in_french(text) != text
    assert names.reading(text) == text


@pytest.mark.parametrize("text", [text for reader in OWN for text in reader.says if text.endswith(".")])
def test_what_a_reader_says_is_translated_among_other_sentences(text: str) -> None:
    alone = in_french(text)
    assert alone != text
    assert in_french(f"2 files: {text} Places are milliseconds.") == (
        f"2 fichiers : {alone} {in_french('Places are milliseconds.')}"
    )
    assert names.reading(text) == text


@pytest.mark.parametrize("name", DELIMITER_NAMES.values())
def test_every_separator_is_known(name: str) -> None:
    assert f"{name}-separated" in names.PARTS


def test_how_a_table_was_read_is_said_part_by_part() -> None:
    text = (
        "Wide table: units in column item, 12 columns of labels, one for each annotator, documents in doc; "
        "labels are sets separated by |; comma-separated, UTF-8. main: marks of Gene, labelled by kind."
    )
    assert names.reading(text) == text
    assert in_french(text) == (
        "Tableau large : unités dans la colonne item, 12 colonnes d’étiquettes, une par annotateur, "
        "documents dans doc ; les étiquettes sont des jeux séparés par | ; valeurs séparées par des "
        "virgules, UTF-8. main : marques de type Gene, étiquetées par kind."
    )


@pytest.mark.parametrize(
    "name", ["None", "labels", "units", "{count}", "a, b", "a; b", "a. b", "comma-separated"]
)
def test_a_column_keeps_its_name_whatever_it_is_called(name: str) -> None:
    text = f"Long table: units in column {name}, annotators in who, labels in label; tab-separated, UTF-8."
    assert names.reading(text) == text
    assert name in in_french(text)


def test_counts_of_files_have_their_thousands_apart() -> None:
    assert in_french(
        "1,234 files: Wide table: each row is a unit, one column of labels; Excel, all sheets."
    ) == (
        "1 234 fichiers : Tableau large : chaque ligne est une unité, une colonne d’étiquettes ; Excel, "
        "toutes les feuilles."
    )


@pytest.mark.parametrize("text", ["", "Read by hand.", "{", "No end", "One. Two: three. "])
def test_what_nobody_knows_stays_as_it_is(text: str) -> None:
    assert names.reading(text) == text.rstrip(" ")
    assert in_french(text) == text.rstrip(" ")


def test_how_a_campaign_was_read_is_wholly_in_french(tmp_path: Path) -> None:
    found = results(tmp_path, "", "item,A,B\n1,x,y\n2,x,x\n")
    shown = in_french(found.reading)
    assert shown != found.reading
    assert not {"table", "annotator", "units", "separated"} & set(shown.replace(",", " ").split())


def test_every_word_of_a_benchmark_scale_is_said_in_french_of_an_agreement() -> None:
    words = {word for scale in SCALES.values() for _least, word in scale}
    with writing(FRENCH):
        shown = {word: band(word) for word in words}
    assert {word for word, french in shown.items() if french == word} == {"excellent"}
    assert shown["good"] == "bon"
    assert {band(word) for word in words} == words


def held(value: object, key: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text of a JSON value with its key."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from held(each, name)
    elif isinstance(value, list):
        for each in value:
            yield from held(each, key)


def test_every_reason_in_results_of_the_example_is_said_in_french() -> None:
    keys = ("undefined", "untested", "reason", "reading")
    files = sorted((Path(__file__).parents[2] / "site").rglob("*.json"))
    texts = {(key, text) for file in files for key, text in held(json.loads(file.read_text("utf-8")))}
    found = {(key, text) for key, text in texts if key in keys}
    assert found
    with writing(FRENCH):
        known = {"reading": names.reading}
        assert not [text for key, text in found if known.get(key, names.reason)(text) == text]
