"""What pages say exists in every language: nothing is left in English, in a catalogue or past it."""

import ast
import re
import string
from pathlib import Path

import pytest
from babel.messages import Catalog, Message

from reportgen.words import language as written
from tests import messages
from tests.untranslated import forgotten, left_over

CAMPAIGNS = Path(__file__).resolve().parent.parent / "campaigns"
PRINTF = re.compile(r"%\((\w+)\)s")
TAGS = re.compile(r"</?(\w+)")
OPEN_SPACE = re.compile(r"(?<![\d:/]) [:;?!»%](?![()])|« ")


@pytest.fixture(scope="module")
def collected() -> Catalog:
    return messages.collected()


def _texts(message: Message) -> list[str]:
    found = message.id if isinstance(message.id, tuple) else (message.id,)
    return [str(each) for each in found if each]


def _translations(message: Message) -> list[str]:
    found = message.string if isinstance(message.string, tuple) else (message.string,)
    return [str(each) for each in found if each]


def _places(text: str) -> set[str]:
    """Return the names of the places in a message, of both kinds."""
    try:
        braces = {name for _, name, _, _ in string.Formatter().parse(text) if name}
    except ValueError:
        braces = set()
    return braces | set(PRINTF.findall(text))


@pytest.mark.parametrize("language", messages.languages())
def test_every_message_has_a_translation(language: str, collected: Catalog) -> None:
    known = messages.read(language)
    missing = [
        each.id
        for each in collected
        if each.id and not _translations(known.get(each.id, each.context) or Message(each.id))
    ]
    assert missing == []


def test_messages_in_f_strings_which_nobody_collects_are_collected_elsewhere(collected: Catalog) -> None:
    said = {
        str(call.args[0].value)
        for path in (CAMPAIGNS.parent / "reportgen").rglob("*.py")
        for text in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in {"_", "say", "say_many", "phrase"}
        and isinstance(call.args[0], ast.Constant)
    }
    assert {text for text in said if collected.get(text) is None} == set()


@pytest.mark.parametrize("language", messages.languages())
def test_no_translation_is_of_a_message_that_no_longer_occurs(language: str, collected: Catalog) -> None:
    known = messages.read(language)
    assert [each.id for each in known if each.id and not collected.get(each.id, each.context)] == []


@pytest.mark.parametrize("language", messages.languages())
def test_translations_have_the_places_and_the_markup_of_their_message(language: str) -> None:
    known = [each for each in messages.read(language) if _texts(each)]
    assert [(each.id, text) for each in known for text in _translations(each) if not _fits(text, each)] == []


def _fits(text: str, message: Message) -> bool:
    """Tell whether a translation has the places and the markup of its message; one may name no number."""
    texts = _texts(message)
    same = sorted(TAGS.findall(text)) == sorted(TAGS.findall(texts[-1]))
    return same and _places(text) <= set().union(*map(_places, texts))


@pytest.mark.parametrize("language", messages.languages())
def test_the_compiled_catalogue_is_that_of_the_text(language: str) -> None:
    compiled = messages.file_of(language).with_suffix(".mo").read_bytes()
    assert compiled == messages.compiled(messages.read(language)), "run `make messages`"


def test_french_signs_stand_behind_spaces_that_break_no_line() -> None:
    wrong = [
        text
        for each in messages.read("fr")
        if each.id
        for text in _translations(each)
        if text != each.id and (OPEN_SPACE.search(text) or "'" in TAGS_AND_PLACES.sub("", text))
    ]
    assert wrong == []


def test_two_messages_that_are_one_but_for_some_words_are_written_as_one() -> None:
    one, several = written.forms(
        "{count} {unit is|units are} in both{| versions}: {{a}|{a} to {b}}, {c}|{d}."
    )
    assert one == "{count} unit is in both: {a}, {c}|{d}."
    assert several == "{count} units are in both versions: {a} to {b}, {c}|{d}."
    assert written.forms("P(C2|C1) of {name}.") == ("P(C2|C1) of {name}.",) * 2
    assert [written.say_many("{count} {unit|units}", number) for number in (1, 2)] == ["1 unit", "2 units"]
    said = [written.say_either(so, "{name}{ of {layer}|}", name="α", layer="x") for so in (True, False)]
    assert said == ["α of x", "α"]


TAGS_AND_PLACES = re.compile(r"<[^>]*>|\{[^}]*\}|%\(\w+\)s|\$[^$]*\$")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("⟦said⟧ <b>forgotten</b>", ["forgotten"]),
        ("<b>⟦said⟧</b>: 22", [": 22"]),
        ("⟦said⟧ ; ⟦more⟧ (coefficients~names) SHA-256", []),
        ('<span title="a hint">⟦said⟧</span>', ["a hint"]),
    ],
)
def test_words_and_signs_that_went_past_the_catalogues_are_found(text: str, found: list[str]) -> None:
    assert left_over(f"<p>{text}</p>") == found


@pytest.mark.slow
@pytest.mark.parametrize("campaign", ["gene-renaming", "gene-renaming-in-texts"])
def test_nothing_that_a_page_says_goes_past_the_catalogues(campaign: str, tmp_path: Path) -> None:
    assert forgotten(CAMPAIGNS / campaign, tmp_path) == {}
