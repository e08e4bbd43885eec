"""A taxonomy: concepts and their parents, without a circle."""

import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
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


@dataclass(frozen=True)
class Edge:
    """One statement that a concept has a parent, with its line, 0 where no line can be named."""

    child: str
    parent: str
    line: int = 0


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
        return _below(self.parents)


@dataclass(frozen=True)
class Draft:
    """What a file says: its edges, concepts that it names beside, and what concepts are called.

    `names` are the concepts' own names, each concept's identifier where it has none; `labels` other names.
    """

    form: str
    edges: Sequence[Edge]
    concepts: Sequence[str] = ()
    names: Mapping[str, str] | None = None
    labels: Sequence[tuple[str, str]] = ()


def taxonomy(draft: Draft, file: str) -> Taxonomy:
    """Return the taxonomy that a file says; raise BadInput where it has no edge or a circle."""
    if not draft.edges:
        remedy = "Name the parent of each concept below the root."
        raise refused(file, message="puts no concept under another.", remedy=remedy)
    concepts = (*draft.concepts, *(name for edge in draft.edges for name in (edge.parent, edge.child)))
    above = _grouped((edge.child, edge.parent) for edge in draft.edges)
    parents = {concept: above.get(concept, ()) for concept in concepts}
    shown = {concept: (draft.names or {}).get(concept, concept) for concept in parents}
    order = _parents_first(parents)
    if len(order) < len(parents):
        raise BadInput(_circles(draft, parents, set(parents) - set(order), shown, file))
    called = _grouped((name, concept) for concept, name in shown.items())
    labelled = _grouped((label, concept) for concept, label in draft.labels if concept in parents)
    return Taxonomy(
        {concept: parents[concept] for concept in order}, shown, {**labelled, **called}, draft.form
    )


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Return by the first of each pair the different seconds."""
    groups: dict[str, dict[str, None]] = {}
    for first, second in pairs:
        groups.setdefault(first, {})[second] = None
    return {first: tuple(seconds) for first, seconds in groups.items()}


def _below(parents: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return the concepts right below each."""
    children: dict[str, list[str]] = {concept: [] for concept in parents}
    for concept, own_parents in parents.items():
        for parent in own_parents:
            children[parent].append(concept)
    return children


def _parents_first(parents: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return the concepts, each behind its parents; those in a circle or below one are missing."""
    waiting = {concept: len(own_parents) for concept, own_parents in parents.items()}
    below = _below(parents)
    order = [concept for concept, number in waiting.items() if not number]
    for concept in order:
        for child in below[concept]:
            waiting[child] -= 1
            if not waiting[child]:
                order.append(child)
    return order


def _circles(
    draft: Draft,
    parents: Mapping[str, tuple[str, ...]],
    unordered: set[str],
    shown: Mapping[str, str],
    file: str,
) -> Iterator[Problem]:
    """Yield a problem for each circle that is met on the way up from the concepts that are left."""
    lines = {(edge.child, edge.parent): edge.line for edge in reversed(draft.edges)}
    met: set[str] = set()
    for start in parents:
        way: list[str] = []
        concept = start
        while concept in unordered and concept not in met:
            met.add(concept)
            way.append(concept)
            concept = next(parent for parent in parents[concept] if parent in unordered)
        if concept in way:
            circle = way[way.index(concept) :]
            steps = list(zip(circle, [*circle[1:], circle[0]], strict=True))
            # Where the file has its first line shows which.
            first = min(range(len(circle)), key=lambda step: lines[steps[step]])
            names = [quoted(shown[concept]) for concept in (*circle[first:], *circle[:first], circle[first])]
            shown_names = names if len(names) <= NAMED else [*names[:NAMED], "…"]
            message = f"is above itself: {' under '.join(shown_names)}."
            key = escaped(f"concept {shown[circle[first]]}")
            yield Problem(file, lines[steps[first]], key, message, "Remove one of these parents.")


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


def from_turtle(text: str, file: str) -> Draft:
    """Return what Turtle says of concepts.

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
    return _draft("Turtle", sorted(_from_graph(graph)))


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
    concept_edges = [
        edge for edge in edges if not {edge.child, edge.parent} & set(ABOVE_ALL) and edge.child != edge.parent
    ]
    named_concepts = [concept for concept in concepts if concept not in ABOVE_ALL]
    ends = (address for edge in concept_edges for address in (edge.child, edge.parent))
    names = {address: _own_name(address) for address in (*named_concepts, *ends)}
    return Draft(form, concept_edges, named_concepts, names, labels)


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
        return taxonomy(from_xml(content, name), name)
    if TURTLE.match(text):
        return taxonomy(from_turtle(text, name), name)
    return taxonomy(_from_csv(path, name), name)


def _from_csv(path: Path, name: str) -> Draft:
    _, body = read_two_columns(path, name, COLUMNS, ", or name a file of RDF/XML or Turtle")
    problems = list(_problems(name, body))
    if problems:
        raise BadInput(problems)
    edges = [Edge(row[0], row[1], line) for line, row in body if row[1]]
    return Draft(CSV, edges, [row[0] for _, row in body if not row[1]])


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
