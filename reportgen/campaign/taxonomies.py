"""A taxonomy: concepts and their parents, without a circle."""

import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, escaped, printable, quoted, reason, refused
from reportgen.base.files import NumberedRow, decode, of_another_length, read_bytes, read_two_columns

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


# Of a circle no more concepts are named.
NAMED = 10


@dataclass(frozen=True, eq=False)
class Taxonomy:
    """Concepts by their identifiers, parents before their children.

    `parents` has those of each concept, none for a root; there may be several of both. `shown` is what pages
    call a concept, `called` has the concepts of each name: where any has it as its own name these, else those
    that have it as a label. `form` says how the file is written.
    """

    parents: Mapping[str, tuple[str, ...]]
    shown: Mapping[str, str]
    called: Mapping[str, tuple[str, ...]]
    form: str

    @property
    def roots(self) -> tuple[str, ...]:
        """Return the concepts without a parent."""
        return tuple(concept for concept, parents in self.parents.items() if not parents)

    @cached_property
    def children(self) -> Mapping[str, Sequence[str]]:
        """Return the concepts right below each."""
        children: dict[str, list[str]] = {concept: [] for concept in self.parents}
        for concept, own_parents in self.parents.items():
            for parent in own_parents:
                children[parent].append(concept)
        return children


# Which concept is under which, each with the line that says so, 0 where no line can be named.
Edges = Mapping[tuple[str, str], int]


def taxonomy(
    file: str,
    form: str,
    edges: Edges,
    names: Mapping[str, str],
    labels: Sequence[tuple[str, str]] = (),
) -> Taxonomy:
    """Return the taxonomy that a file says; raise BadInput where it has no edge or a circle.

    `names` are concepts with their own names, which for all others is the identifier; `labels` are concepts
    with further names.
    """
    if not edges:
        remedy = "Name the parent of each concept below the root."
        raise refused(file, message="puts no concept under another.", remedy=remedy)
    ends = (name for child, parent in edges for name in (parent, child))
    parents: dict[str, list[str]] = {concept: [] for concept in (*names, *ends)}
    for child, parent in edges:
        parents[child].append(parent)
    shown = {concept: names.get(concept, concept) for concept in parents}
    try:
        order = tuple(TopologicalSorter(parents).static_order())
    except CycleError as error:
        # Each is above the next one, and the last one is the first again.
        raise BadInput([_circle(error.args[1][:0:-1], edges, shown, file)]) from None
    called: dict[str, dict[str, None]] = {}
    for concept, name in shown.items():
        called.setdefault(name, {})[concept] = None
    labelled: dict[str, dict[str, None]] = {}
    for concept, label in labels:
        if concept in parents:
            labelled.setdefault(label, {})[concept] = None
    return Taxonomy(
        {concept: tuple(parents[concept]) for concept in order},
        shown,
        {name: tuple(own) for name, own in {**labelled, **called}.items()},
        form,
    )


def _circle(circle: Sequence[str], edges: Edges, shown: Mapping[str, str], file: str) -> Problem:
    """Return the problem of concepts each of which is under the next one, from its first line on."""
    steps = list(zip(circle, [*circle[1:], circle[0]], strict=True))
    first = min(range(len(circle)), key=lambda step: edges[steps[step]])
    names = [quoted(shown[concept]) for concept in (*circle[first:], *circle[:first], circle[first])]
    shown_names = names if len(names) <= NAMED else [*names[:NAMED], "…"]
    message = f"is above itself: {' under '.join(shown_names)}."
    key = escaped(f"concept {shown[circle[first]]}")
    return Problem(file, edges[steps[first]], key, message, "Remove one of these parents.")


# Taxonomies in RDF: subclasses of RDFS and OWL, broader and narrower concepts of SKOS.
#
# Read are statements between concepts that have a name: rdfs:subClassOf, skos:broader, skos:narrower and
# their inverses; and what is a class or a concept. Individuals, unnamed classes (restrictions, unions),
# equivalences and anything inferred are passed over, so is whatever is under owl:Thing, rdfs:Resource or
# skos:Concept themselves: they are above every concept and say nothing.
#
# A concept's own name is the last part of its address, as in GATE; it also goes by its labels (rdfs:label,
# skos:prefLabel, skos:altLabel, skos:notation).

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
REMEDY_XML = "Save the taxonomy as RDF/XML, Turtle or a CSV table with the columns child and parent."

REMEDY_TURTLE = (
    "Correct it, or save the taxonomy as RDF/XML or as a CSV table with the columns child and parent."
)

# Subject, predicate, object, whether the object is a text, and the line.
Statement = tuple[str, str, str, bool, int]


def from_xml(content: bytes, file: str) -> Taxonomy:
    """Return the taxonomy that RDF/XML says.

    Entities are refused and nothing is fetched. Raises BadInput for XML that is not well-formed, declares an
    entity, or is no RDF.
    """
    return _of_statements(file, "RDF/XML", _statements(_root(content, file)))


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
        raise refused(file, line, message=message, remedy="Save it again.") from None
    dtd = root.getroottree().docinfo.internalDTD
    if b"<!ENTITY" in content or (dtd is not None and any(dtd.iterentities())):
        message = "declares entities of its own, which could read files or fill memory."
        remedy = "Save it with a present-day editor, which writes none, or as Turtle."
        raise refused(file, message=message, remedy=remedy)
    if root.tag != f"{{{RDF}}}RDF":
        message = f"is XML that begins with {quoted(_address(str(root.tag)))}; RDF/XML was expected."
        raise refused(file, root.sourceline or 0, message=message, remedy=REMEDY_XML)
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
    for property_element in element.iterchildren("*"):
        relation, line = _address(str(property_element.tag)), property_element.sourceline or 0
        if relation in LABELS:
            yield subject, relation, "".join(map(str, property_element.itertext())).strip(), True, line
        else:
            for other in _objects(property_element, base):
                yield subject, relation, other, False, line


def _objects(property_element: "Element", base: str) -> Iterator[str]:
    """Yield the named thing that a property leads to: by address, or as the element within it."""
    resource = property_element.get(f"{{{RDF}}}resource")
    if resource is not None:
        yield _joined(base, resource)
    elif property_element.get(f"{{{RDF}}}parseType") is None:
        yield from filter(None, (_named(inner, base) for inner in property_element.iterchildren("*")))


def _named(element: "Element", base: str) -> str:
    """Return the address of the thing that an element is about, empty where it has none."""
    about, fragment = element.get(f"{{{RDF}}}about"), element.get(f"{{{RDF}}}ID")
    if fragment is not None:
        return _joined(base, f"#{fragment}")
    return "" if about is None else _joined(base, about)


def _joined(base: str, address: str) -> str:
    try:
        return urljoin(base, address)
    except ValueError:  # brackets that are no address of a host
        return address


def from_turtle(text: str, file: str) -> Taxonomy:
    """Return the taxonomy that Turtle says.

    Nothing is fetched. Raises BadInput for a text that is no Turtle, and where the library that reads it is
    not installed (the extra "rdf").
    """
    try:
        from rdflib import Graph
    except ImportError:
        remedy = 'Install reportgen with the extra "rdf", or save it as RDF/XML.'
        raise refused(file, message="is Turtle.", remedy=remedy) from None
    # It tells of odd addresses and numbers, which are nothing to a taxonomy.
    logging.getLogger("rdflib").setLevel(logging.CRITICAL)
    graph = Graph()
    try:
        graph.parse(data=text, format="turtle")
    except Exception as error:  # noqa: BLE001 - rdflib raises whatever it stumbles over
        line = int(getattr(error, "lines", 0) or 0) + 1 if hasattr(error, "lines") else 0
        why = str(getattr(error, "_why", "") or reason(error)).splitlines()[0][:200].removesuffix(".")
        message = f"can't be read as Turtle: {printable(why)}."
        raise refused(file, line, message=message, remedy=REMEDY_TURTLE) from None
    return _of_statements(file, "Turtle", sorted(_from_graph(graph)))


def _from_graph(graph: Iterable[tuple[object, object, object]]) -> Iterator[Statement]:
    """Yield the statements of a graph between named things, and their labels."""
    from rdflib import Literal, URIRef

    for subject, relation, other in graph:
        if isinstance(subject, URIRef) and isinstance(other, URIRef | Literal):
            yield str(subject), str(relation), str(other).strip(), isinstance(other, Literal), 0


def _of_statements(file: str, form: str, statements: Iterable[Statement]) -> Taxonomy:
    edges: dict[tuple[str, str], int] = {}
    concepts: dict[str, None] = {}
    labels: list[tuple[str, str]] = []
    for subject, relation, other, is_text, line in statements:
        if is_text:
            if relation in LABELS:
                labels.append((subject, other))
        elif relation == TYPE and other in CLASSES and subject not in ABOVE_ALL:
            concepts[subject] = None
        elif relation in (*UPWARDS, *DOWNWARDS) and subject != other and not {subject, other} & {*ABOVE_ALL}:
            edges.setdefault((subject, other) if relation in UPWARDS else (other, subject), line)
    ends = (address for edge in edges for address in edge)
    names = {address: _own_name(address) for address in (*concepts, *ends)}
    return taxonomy(file, form, edges, names, labels)


def _own_name(address: str) -> str:
    name = re.split(f"[{SEPARATORS}]", address.rstrip(SEPARATORS))[-1]
    return unquote(name) or address


# Taxonomies as files: a CSV table of children and parents, RDF/XML, Turtle; told apart by content.

COLUMNS = ("child", "parent")
CSV = "child-parent CSV"
# An element's name is followed by attributes, the namespaces; an address in Turtle holds no blank.
XML = re.compile(r"\s*<(?:[?!]|[\w.:-]+\s)")
TURTLE = re.compile(r"(?:\s|#.*\n)*(?:@?(?:prefix|base)\b|<|_:|\[)", re.IGNORECASE)


def is_taxonomy(text: str) -> bool:
    """Tell whether a file holds a taxonomy and no table of distances: RDF, or columns child and parent."""
    first = re.split(r"[,;\t|]", text.lstrip("\ufeff").partition("\n")[0].strip())
    columns = sorted(cell.strip(" \"'").casefold() for cell in first)
    return columns == sorted(COLUMNS) or bool(XML.match(text) or TURTLE.match(text))


def read_taxonomy(path: Path, name: str) -> Taxonomy:
    """Return the taxonomy in a file, which errors call `name`.

    A CSV table has the columns child and parent, in any order; a concept without a parent is a root, and need
    not be there as a child. Of RDF the subclasses (RDFS, OWL) and the broader and narrower concepts (SKOS)
    are read. Raises BadInput with what is wrong: a file that is not one of these, that puts no concept under
    another, or some concept above itself.
    """
    content = read_bytes(path, name)
    text = decode(content, name)
    if XML.match(text):
        return from_xml(content, name)
    if TURTLE.match(text):
        return from_turtle(text, name)
    _, body = read_two_columns(path, name, COLUMNS, ", or name a file of RDF/XML or Turtle")
    problems = list(_problems(name, body))
    if problems:
        raise BadInput(problems)
    edges = {(row[0], row[1]): line for line, row in body if row[1]}
    return taxonomy(name, CSV, edges, {row[0]: row[0] for _, row in body if not row[1]})


def _problems(name: str, body: list[NumberedRow]) -> Iterator[Problem]:
    first: dict[tuple[str, ...], int] = {}
    for line, row in body:
        if len(row) != len(COLUMNS):
            yield Problem(name, line, "", *of_another_length(row, COLUMNS))
        elif not row[0]:
            yield Problem(name, line, "column child", "is empty; a concept was expected.", "Write its name.")
        elif tuple(row) in first:
            message = f"is on line {first[tuple(row)]} already."
            yield Problem(name, line, escaped(f"row {row[0]}"), message, "Keep one of the two.")
        first.setdefault(tuple(row), line)
