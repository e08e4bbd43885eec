"""What findings say in French: the same places, the right number, and no name of the campaign translated."""

import string
from collections.abc import Mapping

import pytest

from reportgen.findings import annotators
from reportgen.findings import changes as certainty
from reportgen.findings import verdicts as verdict
from reportgen.findings.confusions import CONFUSED
from reportgen.findings.layer_facts import FindingTemplate, in_role, name_values, of_layer
from reportgen.findings.verdicts import PREVALENCE
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
    ("units", "shown"), [(0, "0 unité."), (1, "1 unité."), (2, "2 unités."), (1165, "1 165 unités.")]
)
def test_french_has_the_singular_up_to_one(units: int, shown: str) -> None:
    assert said(verdict.RESTS.claim, units=units, noun="units").endswith(shown)


def test_a_verdict_has_decimal_commas_and_the_name_of_its_coefficient_in_french() -> None:
    values = {"value": 0.8714, "low": 0.84, "high": 0.9}
    shown = said(verdict.HIGH.claim, coefficient="Krippendorff's alpha", **values)
    assert shown.startswith("L’accord est élevé : alpha de Krippendorff = 0,871, ")
    assert "entre 0,840 et 0,900 avec une confiance de 95 %" in shown


def test_a_threshold_that_was_written_as_a_text_has_a_decimal_comma() -> None:
    assert "0,667" in said(
        "{category} is annotated below {threshold}: where one annotator chose it, the other "
        "did in {agreement_share} of cases.",
        category="New",
        threshold="0.667",
        agreement_share=0.5,
    )


@pytest.mark.parametrize(
    ("p", "shown"), [(0.0001, "p < 0,001"), (0.0421, "p = 0,042"), (0.04996, "p = 0,04996")]
)
def test_p_values_are_bounds_where_they_are_small(p: float, shown: str) -> None:
    values: dict[str, Value] = {"before": 0.5, "after": 0.7, "system": "S", "key": "K", "figure": "F", "p": p}
    assert f"({shown})" in said(
        "{system} rose against {key}: {figure} from {before} to {after} (p = {p}).", **values
    )


def test_two_p_values_in_one_sentence_are_each_a_bound_where_they_are_small() -> None:
    values: dict[str, Value] = {"coefficient": "Scott's pi", "p": 0.0002, "permutation_p": 0.06}
    shown = said(certainty.TESTS_DIFFER.claim, **values)
    assert "p < 0,001 par l’erreur type" in shown
    assert "p = 0,060 quand" in shown


def test_shares_are_percentages_with_a_comma() -> None:
    assert "12,5 %" in said(PREVALENCE.claim, category="New", label_share=0.125, others="Former")


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


def test_lists_are_joined_as_french_joins_them() -> None:
    people = name_values("names", ["A", "B", "C", "D", "E"])
    assert said(certainty.PRACTISED.claim, later="2.0", **people).startswith("A, B, C et 2 autres ont annoté")
    assert said(certainty.PRACTISED.claim, later="2.0", **name_values("names", ["A"])).startswith(
        "A a annoté"
    )


def test_lists_in_results_say_in_english_what_pages_say() -> None:
    for names in (
        ["A"],
        ["A", "B"],
        ["A", "B", "C", "D"],
        ["A", "B", "C", "D", "E"],
        ["A, B"],
        ["A, B", "C"],
    ):
        values = name_values("names", names)
        assert filled("{names}", values) == values["names"]
        in_a_layer = of_layer("names", "x", values)
        assert filled("{names}", in_a_layer) == in_a_layer["names"]


def test_in_a_list_a_name_with_a_comma_is_in_quotation_marks() -> None:
    values = name_values("names", ["en", "german, english"])
    assert filled("{names}", values) == "en and “german, english”"
    assert said("{names}", **values) == "en et « german, english »"
    assert filled("{names}", name_values("names", ["german, english"])) == "german, english"


def test_a_role_is_translated_and_who_has_it_is_not() -> None:
    assert said("{system}", **in_role("system", "model", "system")) == "model (système)"
    assert filled("{system}", in_role("system", "model", "system")) == "model (system)"


def test_a_reason_inside_a_sentence_is_translated() -> None:
    shown = said(verdict.UNDEFINED.claim, coefficient="Scott's pi", reason=verdict.ABSENT)
    assert shown == (
        "Le coefficient (pi de Scott) ne peut pas être calculé : il n’existe pas pour ces annotateurs et "
        "cette échelle."
    )


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


def test_a_message_without_a_french_one_is_in_english_and_whole() -> None:
    made = FindingTemplate("x", "note", "data", "{units} units, once.")
    assert said(made.claim, units=1) == "1 unit, once."


def test_no_sentence_in_french_begins_with_a_name_of_a_figure() -> None:
    with writing(FRENCH):
        texts = [_(text) for text in MESSAGES]
    begun = [text for text in texts for name in ("{coefficient}", "{figure}") if text.startswith(name)]
    assert not begun
    assert not [text for text in texts for name in ("coefficient", "figure") if f". {{{name}}}" in text]
