"""What findings say in French: the same places, the right number, and no name of the campaign translated."""

import string
from collections.abc import Mapping

import pytest

from reportgen.findings import annotators
from reportgen.findings.confusions import CONFUSED
from reportgen.findings.layer_facts import name_values, of_layer
from reportgen.results import Value
from reportgen.words import numbers
from reportgen.words.language import Edition, _, date, writing
from tests.closed_lists import findings_messages

FRENCH = Edition("fr", first=False)
MESSAGES = list(findings_messages())
# Named so that a sentence would go wrong, were one of them taken for a word of ours.
HOSTILE = ("None", "reason", "other", "units", "documents", "{units}", "annotator", "exact")


def filled(text: str, values: Mapping[str, Value | None]) -> str:
    """Return a message with those of the values that there are, as a finding has them."""
    return numbers.message(text, {name: value for name, value in values.items() if value is not None})


def said(text: str, **values: Value | None) -> str:
    """Return a message in French, its no-break spaces as plain ones."""
    with writing(FRENCH):
        return filled(text, values).replace("\N{NO-BREAK SPACE}", " ").replace("\u202f", " ")


def places(text: str) -> dict[str, set[str]]:
    """Return the places of a message, with the forms that stand behind their colons."""
    found: dict[str, set[str]] = {}
    for _text, name, forms, _conversion in string.Formatter().parse(text):
        if name:
            found.setdefault(name, set()).update({forms} if forms else ())
    return found


def of_a_kind(name: str, number: int) -> Value:
    """Return a value as findings have them under such a name."""
    if name.endswith(("share", "_p")) or name in ("low", "high", "value", "p"):
        return 0.125
    return number


def test_every_message_has_a_french_one_with_the_same_places() -> None:
    with writing(FRENCH):
        translated = {text: _(text) for text in MESSAGES}
    assert [text for text, french in translated.items() if french == text] == []
    assert [text for text, french in translated.items() if set(places(french)) != set(places(text))] == []


def test_every_form_in_french_is_one_and_several_of_its_own() -> None:
    for text in MESSAGES:
        with writing(FRENCH):
            forms = set().union(*places(_(text)).values())
        assert all(each.count("|") == 1 and all(map(str.strip, each.split("|"))) for each in forms), text


@pytest.mark.parametrize("number", [0, 1, 2])
def test_no_place_is_left_unfilled(number: int) -> None:
    for text in MESSAGES:
        shown = said(text, **{name: of_a_kind(name, number) for name in places(text)})
        rest = shown.replace("A|B", "").replace('{ "…" = "…" }', "")
        assert not set("{}|") & set(rest), shown


@pytest.mark.parametrize(
    ("units", "shown"), [(0, "(0 unité)"), (1, "(1 unité)"), (2, "(2 unités)"), (1165, "(1 165 unités)")]
)
def test_french_has_the_singular_up_to_one(units: int, shown: str) -> None:
    beside: dict[str, Value] = {"annotator": "A", "category": "x", "other_share": 0.5}
    assert shown in said(annotators.ALWAYS.claim, units=units, noun="units", **beside)


@pytest.mark.parametrize(
    ("p", "shown"), [(0.0001, "p < 0,001"), (0.0421, "p = 0,042"), (0.04996, "p = 0,04996")]
)
def test_p_values_are_bounds_where_they_are_small(p: float, shown: str) -> None:
    values: dict[str, Value] = {"before": 0.5, "after": 0.7, "system": "S", "key": "K", "figure": "F", "p": p}
    assert f"({shown})" in said(
        "{system} rose against {key}: {figure} from {before} to {after} (p = {p}).", **values
    )


@pytest.mark.parametrize("name", HOSTILE)
def test_a_category_is_never_translated_whatever_it_is_called(name: str) -> None:
    values: dict[str, Value] = {"first": name, "second": name, "units": 3, "coefficient": "Scott's pi"}
    values |= {"noun": "units", "chance_share": 0.2}
    shown = said(CONFUSED.claim, disagreement_share=0.5, value=0.5, reached=0.7, **values)
    assert shown.startswith(f"Les catégories {name} et {name} sont confondues sur 3 unités")


@pytest.mark.parametrize("name", HOSTILE)
def test_names_in_lists_and_with_layers_are_never_translated(name: str) -> None:
    values = of_layer("names", name, name_values("names", [name, name]))
    shown = said(annotators.NEAR_CHANCE.claim, **values)
    assert f"les étiquettes de {name} et {name} (couche {name}) ne sont" in shown


def test_in_a_list_a_name_with_a_comma_is_in_quotation_marks() -> None:
    values = name_values("names", ["en", "german, english"])
    assert filled("{names}", values) == "en and “german, english”"
    assert said("{names}", **values) == "en et « german, english »"
    assert filled("{names}", name_values("names", ["german, english"])) == "german, english"


def test_signs_of_french_stand_behind_spaces_that_do_not_break() -> None:
    with writing(FRENCH):
        texts = [_(text) for text in MESSAGES]
    assert not [text for text in texts if any(f" {sign}" in text for sign in ":;?!%»") or "« " in text]
    assert not [text for text in texts if "'" in text]


@pytest.mark.parametrize(
    ("day", "english", "french"),
    [
        ("2009-06-01", "1 June 2009", "1er juin 2009"),
        ("2026-05-11", "11 May 2026", "11 mai 2026"),
        ("2026-02-21", "21 February 2026", "21 février 2026"),
        ("spring", "spring", "spring"),
    ],
)
def test_dates_are_written_as_the_language_has_them(day: str, english: str, french: str) -> None:
    assert date(day) == english
    with writing(FRENCH):
        assert date(day) == french
