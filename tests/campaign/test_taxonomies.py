"""Taxonomies as files: a table of children and parents, RDF/XML, Turtle; and what is wrong with them."""

import builtins
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from reportgen.base.errors import Problem
from reportgen.campaign.taxonomies import Taxonomy, read_taxonomy
from tests.campaign.conftest import problems_in, reading
from tests.cases import stored

Read = Callable[..., Taxonomy]
Refused = Callable[[str | bytes], tuple[Problem, ...]]

EXPECTED = {"Entity": (), "Place": ("Entity",), "City": ("Place",), "Person": ("Entity",)}
NAMESPACES = (
    'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
    'xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" '
    'xmlns:owl="http://www.w3.org/2002/07/owl#" xmlns:skos="http://www.w3.org/2004/02/skos/core#"'
)
OWL = stored("taxonomies/classes.owl")
SKOS = stored("taxonomies/concepts.rdf")
TURTLE = stored("taxonomies/classes.ttl")
CSV = "parent,child\nEntity,Place\nPlace,City\n\nEntity,Person\n,Entity\n"


@pytest.fixture
def read(tmp_path: Path) -> Read:
    return reading(tmp_path, read_taxonomy)


@pytest.fixture
def refused(read: Read) -> Refused:
    return partial(problems_in, read)


def by_name(found: Taxonomy, names: Mapping[str, str] | None = None) -> dict[str, tuple[str, ...]]:
    shown = {concept: (names or {}).get(name, name) for concept, name in found.shown.items()}
    return {shown[concept]: tuple(shown[each] for each in own) for concept, own in found.parents.items()}


@pytest.mark.parametrize(("text", "form"), [(CSV, "child-parent CSV"), (OWL, "RDF/XML"), (TURTLE, "Turtle")])
def test_one_taxonomy_in_three_forms(read: Read, text: str, form: str) -> None:
    found = read(text)
    assert by_name(found) == EXPECTED
    assert found.form == form
    assert [found.shown[root] for root in found.roots] == ["Entity"]


def test_concepts_of_skos_go_by_their_labels(read: Read) -> None:
    found = read(SKOS)
    assert by_name(found, {"1": "Entity", "2": "Place", "3": "City", "4": "Person"}) == EXPECTED
    assert found.called["Town"] == found.called["City"] == ("http://x.org/3",)
    assert found.called["3"] == ("http://x.org/3",)


def test_labels_of_any_language_are_names(read: Read) -> None:
    for text in (OWL, TURTLE):
        assert read(text).called["Lieu"] == ("http://example.org/onto#Place",)


def test_n_triples_are_turtle(read: Read) -> None:
    text = "<urn:x:City> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <urn:x:Place> .\n"
    assert by_name(read(text)) == {"Place": (), "City": ("Place",)}


def test_a_concept_may_have_several_parents_and_there_may_be_several_roots(read: Read) -> None:
    found = read("child,parent\nc,a\nc,b\nd,c\n")
    assert by_name(found) == {"a": (), "b": (), "c": ("a", "b"), "d": ("c",)}
    assert found.roots == ("a", "b")


def test_a_circle_is_told_with_its_line_and_its_concepts(refused: Refused) -> None:
    (problem,) = refused("child,parent\na,r\nb,a\nc,b\nb,d\nd,c\n")
    assert (problem.line, problem.key) == (4, "concept c")
    assert problem.message == 'is above itself: "c" under "b" under "d" under "c".'


@pytest.mark.parametrize(
    ("text", "line", "key", "message"),
    [
        ("child,parent\na,b,c\n", 2, "", "has 3 cells; a child and its parent were expected."),
        ("child,parent\n,b\n", 2, "column child", "is empty; a concept was expected."),
        ("child,parent\na,b\na,b\n", 3, "row a", "is on line 2 already."),
        ("a,b\nb,c\n", 1, "first row", 'has the columns "a" and "b"; child and parent were expected.'),
        ("child,parent\n", 0, "", "puts no concept under another."),
        ("child,parent\na,\n", 0, "", "puts no concept under another."),
        ("", 0, "", "is empty."),
    ],
)
def test_a_table_has_a_child_and_a_parent_a_row(
    refused: Refused, text: str, line: int, key: str, message: str
) -> None:
    (problem,) = refused(text)
    assert (problem.line, problem.key, problem.message) == (line, key, message)


def test_rdf_that_says_nothing_of_concepts_is_refused(refused: Refused) -> None:
    for text in (f"<rdf:RDF {NAMESPACES}/>", "@prefix : <urn:x> .\n:a :b :c .\n"):
        (problem,) = refused(text)
        assert problem.message == "puts no concept under another."


def test_other_xml_is_refused_with_what_to_do(refused: Refused) -> None:
    (problem,) = refused('<Ontology xmlns="http://www.w3.org/2002/07/owl#"/>')
    assert "owl#Ontology" in problem.message
    assert "RDF/XML" in problem.remedy


@pytest.mark.parametrize(
    "text",
    [
        OWL.replace("</rdf:RDF>", ""),
        "@prefix : <urn:x> .\n:a :b\n",
        "@prefix : <urn:x> .\n" + "[" * 5000,
        "@prefix : <urn:x> .\n:a <http://[> 1e999999999 .\n:b undeclared:c :d .\n",
    ],
)
def test_what_is_no_rdf_is_told(refused: Refused, text: str) -> None:
    (problem,) = refused(text)
    assert "can't be read as Turtle" in problem.message or "is not well-formed XML" in problem.message
    assert "\n" not in problem.message


def test_entities_and_files_of_xml_are_refused(refused: Refused, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    for entity in (f'SYSTEM "{tmp_path / "secret"}"', '"lol"'):
        doctype = f"<!DOCTYPE rdf:RDF [<!ENTITY x {entity}>]>\n"
        (problem,) = refused(doctype + SKOS.replace("Person", "&x;"))
        assert problem.message.startswith("declares entities")


def test_addresses_that_are_none_do_no_harm(read: Read) -> None:
    found = read(OWL.replace("#Person", "http://[&lt;/a%zz"))
    assert len(found.parents) == 4


def test_turtle_needs_its_library_and_says_so(refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *more: Any, **others: Any) -> Any:  # noqa: ANN401 - as __import__ is
        if name.startswith("rdflib"):
            raise ImportError(name)
        return real(name, *more, **others)

    monkeypatch.setattr(builtins, "__import__", without)
    (problem,) = refused(TURTLE)
    assert problem.message == "is Turtle."
    assert 'extra "rdf"' in problem.remedy


def test_what_is_no_text_is_told(refused: Refused) -> None:
    (problem,) = refused("child,parent\nStra\xdfe,Ort\n".encode("latin-1"))
    assert "not UTF-8" in problem.message
