"""Taxonomies in RDF: subclasses of RDFS and OWL, broader and narrower concepts of SKOS.

Read are statements between concepts that have a name: rdfs:subClassOf, skos:broader, skos:narrower and their
inverses; and what is a class or a concept. Individuals, unnamed classes (restrictions, unions), equivalences
and anything inferred are passed over, so is whatever stands under owl:Thing, rdfs:Resource or skos:Concept
themselves: they are above every concept and say nothing.

A concept's own name is the last part of its address, as in GATE; it also goes by its labels (rdfs:label,
skos:prefLabel, skos:altLabel, skos:notation).
"""

import logging
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin

from reportgen.campaign.bdm.taxonomy import Draft, Edge
from reportgen.campaign.wording import quoted
from reportgen.errors import BadInput, Problem, printable, reason

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
BASE = "{http://www.w3.org/XML/1998/namespace}base"

TYPE = f"{RDF}type"
UPWARDS = (f"{RDFS}subClassOf", f"{SKOS}broader")
DOWNWARDS = (f"{SKOS}narrower",)
CLASSES = (f"{OWL}Class", f"{RDFS}Class", f"{SKOS}Concept")
LABELS = (f"{RDFS}label", f"{SKOS}prefLabel", f"{SKOS}altLabel", f"{SKOS}notation")
ABOVE_ALL = (f"{OWL}Thing", f"{RDFS}Resource", f"{RDFS}Class", f"{OWL}Class", f"{SKOS}Concept")
# What separates the own name of a concept from the rest of its address.
SEPARATORS = "/#:"
MEND_XML = "Save the taxonomy as RDF/XML, Turtle or a CSV table with the columns child and parent."

# Subject, predicate, object, whether the object is a text, and the line.
Statement = tuple[str, str, str, bool, int]


def from_xml(content: bytes, file: str) -> Draft:
    """Return what RDF/XML says of concepts.

    Entities are refused and nothing is fetched. Raises BadInput for XML that is not well-formed, declares an
    entity, or is no RDF.
    """
    return _draft("RDF/XML", _statements(_root(content, file)))


def _root(content: bytes, file: str) -> "Element":
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=False
    )
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError, LookupError) as error:
        line = int(getattr(error, "lineno", 0) or 0)
        message = f"is not well-formed XML: {printable(reason(error)).splitlines()[0]}."
        raise BadInput([Problem(file, line, message=message, mend="Save it again.")]) from None
    dtd = root.getroottree().docinfo.internalDTD
    if b"<!ENTITY" in content or (dtd is not None and any(dtd.iterentities())):
        message = "declares entities of its own, which could read files or fill memory."
        mend = "Save it with a present-day editor, which writes none, or as Turtle."
        raise BadInput([Problem(file, message=message, mend=mend)])
    if root.tag != f"{{{RDF}}}RDF":
        message = f"is XML that begins with {quoted(_address(str(root.tag)))}; RDF/XML was expected."
        raise BadInput([Problem(file, root.sourceline or 0, message=message, mend=MEND_XML)])
    return root


def _address(tag: str) -> str:
    """Return the address that an element or attribute name stands for."""
    return tag.removeprefix("{").replace("}", "", 1)


def _statements(root: "Element") -> Iterator[Statement]:
    """Yield what is said of each thing that has a name, in the order of the file."""
    base = root.get(BASE, "")
    for element in root.iter("*"):
        subject = _named(element, base)
        if not subject:
            continue
        line = element.sourceline or 0
        kind = _address(str(element.tag))
        if kind != f"{RDF}Description":
            yield subject, TYPE, kind, False, line
        yield from _said(subject, element, base)


def _said(subject: str, element: "Element", base: str) -> Iterator[Statement]:
    for name, value in element.attrib.items():
        if _address(str(name)) in LABELS:
            yield subject, _address(str(name)), str(value), True, element.sourceline or 0
    for said in element.iterchildren("*"):
        relation, line = _address(str(said.tag)), said.sourceline or 0
        if relation in LABELS:
            yield subject, relation, "".join(map(str, said.itertext())).strip(), True, line
        else:
            for other in _objects(said, base):
                yield subject, relation, other, False, line


def _objects(said: "Element", base: str) -> Iterator[str]:
    """Yield the named thing that a property leads to: by address, or as the element within it."""
    resource = said.get(f"{{{RDF}}}resource")
    if resource is not None:
        yield _joined(base, resource)
    elif said.get(f"{{{RDF}}}parseType") is None:
        yield from filter(None, (_named(inner, base) for inner in said.iterchildren("*")))


def _named(element: "Element", base: str) -> str:
    """Return the address of the thing that an element is about, empty where it has none."""
    about, own = element.get(f"{{{RDF}}}about"), element.get(f"{{{RDF}}}ID")
    if own is not None:
        return _joined(base, f"#{own}")
    return "" if about is None else _joined(base, about)


def _joined(base: str, address: str) -> str:
    try:
        return urljoin(base, address)
    except ValueError:  # brackets that are no address of a host
        return address


def from_turtle(text: str, file: str) -> Draft:
    """Return what Turtle says of concepts.

    Nothing is fetched. Raises BadInput for a text that is no Turtle, and where the library that reads it is
    not installed (the extra "rdf").
    """
    try:
        from rdflib import Graph
    except ImportError:
        mend = 'Install reportgen with the extra "rdf", or save it as RDF/XML.'
        raise BadInput([Problem(file, message="is Turtle.", mend=mend)]) from None
    # It tells of odd addresses and numbers, which are nothing to a taxonomy.
    logging.getLogger("rdflib").setLevel(logging.CRITICAL)
    graph = Graph()
    try:
        graph.parse(data=text, format="turtle")
    except Exception as error:  # noqa: BLE001 - rdflib raises whatever it stumbles over
        raise BadInput([_no_turtle(error, file)]) from None
    return _draft("Turtle", sorted(_from_graph(graph)))


def _no_turtle(error: Exception, file: str) -> Problem:
    line = int(getattr(error, "lines", 0) or 0) + 1 if hasattr(error, "lines") else 0
    why = str(getattr(error, "_why", "") or reason(error)).splitlines()[0][:200].removesuffix(".")
    mend = "Correct it, or save the taxonomy as RDF/XML or as a CSV table with the columns child and parent."
    return Problem(file, line, message=f"can't be read as Turtle: {printable(why)}.", mend=mend)


def _from_graph(graph: Iterable[tuple[object, object, object]]) -> Iterator[Statement]:
    """Yield the statements of a graph between named things, and their labels."""
    from rdflib import Literal, URIRef

    for subject, relation, other in graph:
        if isinstance(subject, URIRef) and isinstance(other, URIRef | Literal):
            yield str(subject), str(relation), str(other).strip(), isinstance(other, Literal), 0


def _draft(form: str, statements: Iterable[Statement]) -> Draft:
    edges: list[Edge] = []
    concepts: dict[str, None] = {}
    labels: list[tuple[str, str]] = []
    for subject, relation, other, is_text, line in statements:
        if is_text:
            if relation in LABELS:
                labels.append((subject, other))
        elif relation == TYPE and other in CLASSES:
            concepts[subject] = None
        elif relation in UPWARDS:
            edges.append(Edge(subject, other, line))
        elif relation in DOWNWARDS:
            edges.append(Edge(other, subject, line))
    kept = [
        edge for edge in edges if not {edge.child, edge.parent} & set(ABOVE_ALL) and edge.child != edge.parent
    ]
    own = [concept for concept in concepts if concept not in ABOVE_ALL]
    every = dict.fromkeys((*own, *(name for edge in kept for name in (edge.child, edge.parent))))
    return Draft(form, kept, own, {concept: _own_name(concept) for concept in every}, labels)


def _own_name(address: str) -> str:
    own = re.split(f"[{SEPARATORS}]", address.rstrip(SEPARATORS))[-1]
    return unquote(own) or address
