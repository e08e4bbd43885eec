"""Why something is not there, and how exports were read, in the language of the page."""

import pytest

from reportgen.measures import NoDifference
from reportgen.readers import OWN, layers_of_marks, mmax
from reportgen.readers.string_tables import DELIMITER_NAMES
from reportgen.units.unit_sets import OTHER_ROLE
from reportgen.words import names, numbers
from reportgen.words.language import Edition, _, writing
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


def test_a_role_in_a_reason_is_translated() -> None:
    with writing(FRENCH):
        shown = numbers.message(OTHER_ROLE.format(role="reference"), {})
    assert "(rôle\N{NO-BREAK SPACE}: référence)" in shown


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


@pytest.mark.parametrize("text", ["", "Read by hand.", "{", "No end", "One. Two: three. "])
def test_what_nobody_knows_stays_as_it_is(text: str) -> None:
    assert names.reading(text) == text.rstrip(" ")
    assert in_french(text) == text.rstrip(" ")
