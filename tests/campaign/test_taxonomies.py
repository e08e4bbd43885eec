"""Taxonomies as files: a table of children and parents, RDF/XML, Turtle; and what is wrong with them."""

import builtins
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from reportgen.base.errors import BadInput, Problem
from reportgen.campaign.taxonomies import Taxonomy, read_taxonomy

Read = Callable[..., Taxonomy]
Refused = Callable[..., tuple[Problem, ...]]

EXPECTED = {"Entity": (), "Place": ("Entity",), "City": ("Place",), "Person": ("Entity",)}
NAMESPACES = (
    'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
    'xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" '
    'xmlns:owl="http://www.w3.org/2002/07/owl#" xmlns:skos="http://www.w3.org/2004/02/skos/core#"'
)
OWL = f"""<?xml version="1.0"?>
<rdf:RDF {NAMESPACES} xml:base="http://example.org/onto">
  <owl:Ontology rdf:about=""/>
  <owl:Class rdf:ID="Entity"><rdfs:subClassOf rdf:resource="http://www.w3.org/2002/07/owl#Thing"/></owl:Class>
  <owl:Class rdf:about="#Place"><rdfs:subClassOf rdf:resource="#Entity"/>
    <rdfs:label xml:lang="fr">Lieu</rdfs:label></owl:Class>
  <owl:Class rdf:about="http://example.org/onto#City">
    <rdfs:subClassOf><owl:Class rdf:about="#Place"/></rdfs:subClassOf>
    <rdfs:subClassOf><owl:Restriction><owl:onProperty rdf:resource="#in"/></owl:Restriction></rdfs:subClassOf>
  </owl:Class>
  <rdf:Description rdf:about="#Person"><rdfs:subClassOf rdf:resource="#Entity"/></rdf:Description>
  <owl:NamedIndividual rdf:about="#london"><rdf:type rdf:resource="#City"/></owl:NamedIndividual>
</rdf:RDF>
"""
SKOS = f"""<rdf:RDF {NAMESPACES}>
  <skos:Concept rdf:about="http://x.org/1"><skos:prefLabel>Entity</skos:prefLabel>
    <skos:narrower rdf:resource="http://x.org/4"/></skos:Concept>
  <skos:Concept rdf:about="http://x.org/2" skos:prefLabel="Place"><skos:broader rdf:resource="http://x.org/1"/>
    <skos:narrower><skos:Concept rdf:about="http://x.org/3"><skos:prefLabel>City</skos:prefLabel>
      <skos:altLabel>Town</skos:altLabel></skos:Concept></skos:narrower></skos:Concept>
  <skos:Concept rdf:about="http://x.org/4"><skos:prefLabel>Person</skos:prefLabel></skos:Concept>
</rdf:RDF>
"""
TURTLE = """# A comment.
@prefix : <http://example.org/onto#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
:Entity a owl:Class ; rdfs:subClassOf owl:Thing ; rdfs:subClassOf :Entity .
:Place rdfs:subClassOf :Entity , [ a owl:Restriction ] ; rdfs:label "Lieu"@fr .
:City skos:broader :Place .
:Entity skos:narrower :Person .
:london a :City .
"""
CSV = "parent,child\nEntity,Place\nPlace,City\n\nEntity,Person\n,Entity\n"


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def read_content(content: str | bytes) -> Taxonomy:
        path = tmp_path / "taxonomy"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_taxonomy(path, "t")

    return read_content


@pytest.fixture
def refused(read: Read) -> Refused:
    def problems(content: str | bytes) -> tuple[Problem, ...]:
        with pytest.raises(BadInput) as raised:
            read(content)
        assert all(problem.file == "t" and problem.remedy for problem in raised.value.problems)
        return raised.value.problems

    return problems


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


def test_a_concepts_own_name_comes_before_the_labels_of_others(read: Read) -> None:
    text = TURTLE + ':Person rdfs:label "City" .\n'
    assert read(text).called["City"] == ("http://example.org/onto#City",)


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


def test_a_circle_is_told_one_at_a_time(refused: Refused) -> None:
    (itself,) = refused("child,parent\na,a\nb,c\nc,b\nd,b\n")
    assert (itself.line, itself.key) == (2, "concept a")
    (of_two,) = refused("child,parent\nb,c\nc,b\nd,b\n")
    assert (of_two.line, of_two.key) == (2, "concept b")
    (problem,) = refused(TURTLE + ":Entity rdfs:subClassOf :City .\n")
    assert (problem.line, problem.message.startswith("is above itself: ")) == (0, True)


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
