"""schema.org in pages: figures as results.json has them, in each language, and no text that could run."""

import html
import json
import re
from pathlib import Path
from typing import Any

import html5lib
import pytest

from reportgen.publish.bundle_files import Released
from reportgen.report.linked_data import linked_data, measured, property_value
from reportgen.results import Figure, Results
from tests import hostile
from tests.campaigns import marked, results, results_of, written
from tests.publish.releases import attacked, example

SCRIPT = re.compile(r'<script type="application/ld\+json">(.*?)</script>', re.DOTALL)
SCHEMA = "http://schema.org/"
SAME = "item,A1,A2\n1,yes,yes\n2,yes,yes\n"


def in_page(given: Released, name: str) -> dict[str, Any]:
    (found,) = SCRIPT.findall(given.files[f"report/{name}"].decode())
    return json.loads(found)  # type: ignore[no-any-return]


def value_of(found: dict[str, Any]) -> dict[str, Any]:
    return found["variableMeasured"]  # type: ignore[no-any-return]


def figure_of(known: Results, value: dict[str, Any]) -> Figure:
    """Return the figure of results.json that a value stands for, by the words of its English name."""
    if marks := re.search(r", layer (\S+), marks in texts$", value["name"]):
        assert known.spans
        (mean,) = (each for layer, each in known.spans.mean_over_pairs.items() if layer == marks[1])
        assert value["propertyID"] == "f_measure[strict]"
        return Figure(value=mean.overall["strict"]["f_measure"].value)
    where = re.search(r"(?:, layer (\S+))?, unit set (\S+)$", value["name"])
    assert where
    layer = where[1] or known.unit_sets[0].layer
    (unit_set,) = (each for each in known.unit_sets if (each.layer, each.id) == (layer, where[2]))
    return unit_set.measures[value["propertyID"]]


PAGES = ["index.html", "report.html", "fr/index.html", "fr/report.html"]


@pytest.mark.slow
@pytest.mark.parametrize("in_texts", [False, True])
def test_each_number_is_that_of_the_results(*, in_texts: bool) -> None:
    given = example(in_texts=in_texts)
    found = value_of(in_page(given, "index.html"))
    assert found["propertyID"] == given.results.coefficient
    figure = figure_of(given.results, found)
    assert figure.interval
    numbers = figure.value, figure.interval.low, figure.interval.high
    for name in PAGES:
        shown = value_of(in_page(given, name))
        assert tuple(shown[key] for key in ("value", "minValue", "maxValue")) == numbers


def test_a_crate_has_all_figures_that_a_report_is_about() -> None:
    known = example(in_texts=True).results
    shown = [property_value(known, each) for each in measured(known)]
    assert len(shown) > 3
    for each in shown:
        assert each["value"] == figure_of(known, each).value


@pytest.mark.slow
@pytest.mark.parametrize("in_texts", [False, True])
@pytest.mark.parametrize("name", PAGES)
def test_it_is_light_and_in_the_language_of_the_page(name: str, *, in_texts: bool) -> None:
    given = example(in_texts=in_texts)
    found = in_page(given, name)
    assert len(SCRIPT.findall(given.files[f"report/{name}"].decode())[0].encode()) <= 2900
    assert found["inLanguage"] == ("fr" if name.startswith("fr/") else "en")
    # The one file stands without those beside it.
    alone = name.endswith("report.html")
    way = {"index.html": "results.json", "fr/index.html": "../results.json"}
    assert found.get("distribution", {}).get("contentUrl") == (None if alone else way[name])
    assert ("jeu d’unités" in json.dumps(found, ensure_ascii=False)) == name.startswith("fr/")


def test_other_pages_do_not_repeat_it() -> None:
    given = example(in_texts=True)
    carrying = {
        name for name in given.files if name.endswith(".html") and SCRIPT.search(given.files[name].decode())
    }
    assert carrying == {f"report/{name}" for name in PAGES}


def test_marks_of_two_annotators_have_their_own_f_measure_with_its_interval(tmp_path: Path) -> None:
    texts = {"d1": "Anna met Bob.", "d2": "Bob met Anna."}
    marks = {
        "A": {"d1": [("X", 0, 4)], "d2": [("X", 0, 3)]},
        "B": {"d1": [("X", 0, 4), ("X", 9, 12)], "d2": [("X", 8, 12)]},
    }
    files = {f"exports/1.0/{name}": text for name, text in marked(texts, marks).items()}
    found = results_of(written(tmp_path / "campaign", "", files))
    assert found.spans
    (value,) = (each for each in measured(found) if each.unit_set is None)
    assert (value.figure, value.mean) == (found.spans.pairs[0].strict["f_measure"], False)
    assert property_value(found, value)["name"] == "F-measure [strict], marks in texts"


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated")  # rdflib's reader uses it itself
def test_it_is_what_rdf_reads_too() -> None:
    import rdflib

    given = example()
    text = SCRIPT.findall(given.files["report/index.html"].decode())[0]
    # Of the context nothing is fetched: all our terms are schema.org's own.
    local = json.loads(text) | {"@context": {"@vocab": SCHEMA}}
    graph = rdflib.Graph().parse(data=json.dumps(local), format="json-ld")
    found = {float(str(each)) for each in graph.objects(None, rdflib.URIRef(f"{SCHEMA}value"))}
    assert found == {figure_of(given.results, value_of(in_page(given, "index.html"))).value}
    (report,) = graph.subjects(rdflib.RDF.type, rdflib.URIRef(f"{SCHEMA}Report"))
    assert (report, rdflib.URIRef(f"{SCHEMA}datePublished"), rdflib.Literal("2026-11-25")) in graph


def test_hostile_text_neither_ends_the_element_nor_changes_what_is_said() -> None:
    given = attacked("marks")
    for name in PAGES:
        text = given.files[f"report/{name}"].decode()
        html5lib.HTMLParser(strict=True).parse(text)
        (found,) = SCRIPT.findall(text)
        assert not re.search("[<>&\u202e\u2028]", found)
        said = json.loads(found)
        assert hostile.attack("corpus name") == said["about"]["name"]
        assert hostile.attack("title") in said["name"]
        assert value_of(said)["propertyID"]


def test_every_sign_that_html_or_scripts_take_for_something_comes_back_as_it_was(tmp_path: Path) -> None:
    signs = "</script><!--\\u0007\\u007F\\u0085\\u2028\\u2029\\uFDD0\\uFFFE\\U0001FFFE\\U0010FFFF𝄞é&amp;]]>"
    found = results(tmp_path, f'[corpus]\nname = "{signs}"\n', SAME)
    text = linked_data(found, alone=True)
    assert json.loads(text)["about"]["name"] == found.campaign.corpus["name"]
    assert html.escape(text, quote=False) == str(text)
    assert not re.search("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufdd0\ufffe\U0001fffe\U0010ffff]", text)
    assert "𝄞é" in text


def test_a_small_campaign_says_what_it_knows_and_an_undefined_figure_why(tmp_path: Path) -> None:
    text = linked_data(results(tmp_path, "", SAME), alone=True)
    found = json.loads(text)
    assert {"about", "author", "license", "datePublished"}.isdisjoint(found)
    alpha = value_of(found)
    assert alpha["propertyID"] == "krippendorff_alpha"
    assert {"value", "minValue", "maxValue"}.isdisjoint(alpha)
    assert "categor" in alpha["description"]
    assert "null" not in text


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ("cc by-nc-sa 4.0", "https://spdx.org/licenses/CC-BY-NC-SA-4.0"),
        ("LGPLLR", "https://spdx.org/licenses/LGPLLR"),
        ("ask the publisher", "ask the publisher"),
    ],
)
def test_a_licence_is_said_by_its_spdx_identifier_or_as_it_is_declared(
    tmp_path: Path, declared: str, said: str
) -> None:
    found = results(tmp_path, f'[corpus]\nlicence = "{declared}"\n', SAME)
    assert json.loads(linked_data(found, alone=True))["about"]["license"] == said
