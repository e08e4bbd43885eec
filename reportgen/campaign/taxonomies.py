"""Taxonomies, the balanced distance of two concepts (BDM), GATE's BDM file.

A taxonomy: concepts and their parents, without a circle.

The balanced distance metric of concepts in a taxonomy (Maynard, Peters and Li 2006; GATE guide, 10.6).

    bdm = (bran cp / n0) / (bran cp / n0 + dpk / n1 + dpr / n2)

- A chain leads from a root to a concept with nothing below it, and is as long as it has steps. n0 is the mean
  length of all chains, n1 of those through the key, n2 of those through the response.
- msca, the most specific common abstraction, is a concept that is, or is above, both, while none below it
  is.
- cp is the number of steps of the shortest path from a root to the msca, dpk and dpr those of the shortest
  paths from the msca down to key and response.
- bran is the mean number of children of the msca and of all concepts between it and the two (which do not
  count themselves), divided by the mean number of children of all concepts that have any.

Equal concepts have the score 1. It is 0 where the root is all that they have in common, and where they have
nothing in common, being below different roots: roots are not joined under an invented one.

Where every concept has one parent, these are GATE's numbers. With several, GATE takes every two chains,
counts what they have in common from the root on, and keeps the best score; it so may go by a longer way to
the msca, and may name another msca than the one scored. Here ways are the shortest, of equally short ones
the one with most children, and of several msca the one with the best score, of equal scores the deepest,
then the first by name. GATE prints cp = -1 where nothing is common, and n1 = n2 = bran = 1 for a concept and
itself; here such pairs have no msca, or are not listed. All is computed in whole
numbers and fractions, and rounded once.
"""

import logging
import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, lru_cache
from graphlib import CycleError, TopologicalSorter
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urljoin

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import (
    BadInput,
    Problem,
    alternatives,
    escaped,
    printable,
    quoted,
    reason,
    refused,
    with_extra,
)
from reportgen.base.files import (
    NumberedRow,
    decode,
    of_another_length,
    read_bytes,
    read_number,
    read_two_columns,
)
from reportgen.results.marks import DistanceOrigin

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

# Of a circle no more concepts are named.
MOST_CONCEPTS_NAMED = 10


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
    shown_names = names if len(names) <= MOST_CONCEPTS_NAMED else [*names[:MOST_CONCEPTS_NAMED], "…"]
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
    return _of_statements(file, "RDF/XML", _statements(root))


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
        # The taxonomy that Turtle says. Nothing is fetched. Raises BadInput for a text that is no Turtle, and
        # where the library that reads it is not installed (the extra "rdf").
        try:
            from rdflib import Graph
        except ImportError:
            remedy = f"Save it as RDF/XML. Or: {with_extra('rdf')}"
            raise refused(name, message="is Turtle.", remedy=remedy) from None
        # It tells of odd addresses and numbers, which are nothing to a taxonomy.
        logging.getLogger("rdflib").setLevel(logging.CRITICAL)
        graph = Graph()
        try:
            graph.parse(data=text, format="turtle")
        except Exception as error:  # noqa: BLE001 - rdflib raises whatever it stumbles over
            line = int(getattr(error, "lines", 0) or 0) + 1 if hasattr(error, "lines") else 0
            why = str(getattr(error, "_why", "") or reason(error)).splitlines()[0][:200].removesuffix(".")
            message = f"can't be read as Turtle: {printable(why)}."
            raise refused(name, line, message=message, remedy=REMEDY_TURTLE) from None
        return _of_statements(name, "Turtle", sorted(_from_graph(graph)))
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


@dataclass(frozen=True)
class Score:
    """How close two concepts are: `bdm` from 0 to 1, and the parameters behind it where they are known.

    `msca` is the most specific common abstraction, empty without one; `cp` its depth; `dpk` and `dpr` how far
    key and response are below it; `n0`, `n1` and `n2` mean lengths of chains: of all, of those through the
    key, of those through the response; `bran` the branching factor. (GATE user guide, 10.6.)
    """

    key: str
    response: str
    bdm: float
    msca: str = ""
    cp: int | None = None
    dpk: int | None = None
    dpr: int | None = None
    n0: float | None = None
    n1: float | None = None
    n2: float | None = None
    bran: float | None = None


# The balanced distance metric, as the formula above has it.

# How many chains there are, and how long they are together.
Chains = tuple[int, int]
# By concept above: how many steps up it is, and how many children those in between have together.
Above = Mapping[str, tuple[int, int]]


def _chains(order: Iterable[str], onward: Mapping[str, Sequence[str]]) -> dict[str, Chains]:
    """Return the chains that end at each concept and come from those `onward`, which are before it."""
    chains: dict[str, Chains] = {}
    for concept in order:
        continued = [chains[before] for before in onward[concept]]
        number = sum(count for count, _ in continued)
        chains[concept] = (number, number + sum(length for _, length in continued)) if continued else (1, 0)
    return chains


@dataclass(frozen=True, eq=False)
class BalancedDistance:
    """Scores of the concepts of a taxonomy."""

    taxonomy: Taxonomy

    @property
    def concepts(self) -> tuple[str, ...]:
        """Return the names of the concepts."""
        return tuple(self.taxonomy.called)

    def origin(self, file: str, unplaced: tuple[str, ...] = ()) -> DistanceOrigin:
        """Return where the scores come from."""
        taxonomy = self.taxonomy
        return DistanceOrigin(
            kind="taxonomy",
            form=taxonomy.form,
            file=file,
            concepts=len(taxonomy.parents),
            roots=len(taxonomy.roots),
            chain=float(self.usual),
            unplaced=unplaced,
        )

    def concepts_in(self, names: Collection[str]) -> tuple[str, ...]:
        """Return those names, in their order, that one concept has and no other."""
        return tuple(name for name in names if len(self.taxonomy.called.get(name, ())) == 1)

    @cached_property
    def through(self) -> Mapping[str, Chains]:
        """Return the chains through each concept: every way down to it with every way on from it."""
        parents = self.taxonomy.parents
        down = _chains(parents, parents)
        on = _chains(reversed(list(parents)), self.taxonomy.children)
        # A chain down joined with each one on: numbers multiply, and so do lengths with the other's number.
        return {
            concept: (number * on[concept][0], length * on[concept][0] + on[concept][1] * number)
            for concept, (number, length) in down.items()
        }

    @cached_property
    def usual(self) -> Fraction:
        """Return the mean length of all chains (n0): those through the roots."""
        number, length = map(sum, zip(*(self.through[root] for root in self.taxonomy.roots), strict=True))
        return Fraction(length, number)

    @cached_property
    def means(self) -> Mapping[str, Fraction]:
        """Return the mean length of the chains through each concept (n1 and n2)."""
        return {concept: Fraction(length, number) for concept, (number, length) in self.through.items()}

    @cached_property
    def depth(self) -> Mapping[str, int]:
        """Return how many steps each concept is below the nearest root."""
        steps: dict[str, int] = {}
        for concept, parents in self.taxonomy.parents.items():
            steps[concept] = min((steps[parent] + 1 for parent in parents), default=0)
        return steps

    @cached_property
    def usual_children(self) -> Fraction:
        """Return the mean number of children of the concepts that have any."""
        numbers = [len(children) for children in self.taxonomy.children.values() if children]
        return Fraction(sum(numbers), len(numbers))

    def between(self, names: Sequence[str]) -> tuple[Score, ...]:
        """Return the score of every two different concepts, the first being the key."""
        above = {name: self._above(self.taxonomy.called[name][0]) for name in names}
        return tuple(self._score(*pair, *(above[name] for name in pair)) for pair in combinations(names, 2))

    def _above(self, concept: str) -> Above:
        """Return the shortest way up to each concept above, of several the one with most children."""
        parents, children = self.taxonomy.parents, self.taxonomy.children
        ways = {concept: (0, 0)}
        level, steps = {concept: 0}, 0
        while level:
            steps += 1
            following: dict[str, int] = {}
            for here, passed in level.items():
                children_passed = passed + (len(children[here]) if here != concept else 0)
                for parent in parents[here]:
                    if parent not in ways:
                        following[parent] = max(children_passed, following.get(parent, 0))
            ways.update({parent: (steps, passed) for parent, passed in following.items()})
            level = following
        return ways

    def _score(self, key_name: str, response_name: str, above_key: Above, above_response: Above) -> Score:
        first, second = (self.taxonomy.called[name][0] for name in (key_name, response_name))
        means = self.means[first], self.means[second]
        n0, n1, n2 = float(self.usual), float(means[0]), float(means[1])
        bare = Score(key_name, response_name, 0.0, n0=n0, n1=n1, n2=n2)
        if first == second:
            shown = self.taxonomy.shown[first]
            return replace(bare, bdm=1.0, msca=shown, cp=self.depth[first], dpk=0, dpr=0)
        common = [concept for concept in above_key if concept in above_response]
        higher = {parent for concept in common for parent in self.taxonomy.parents[concept]}
        scores = [
            self._by(msca, bare, (above_key[msca], above_response[msca]), means)
            for msca in sorted(concept for concept in common if concept not in higher)
        ]
        # The first of the best is the first by name.
        return max(scores, key=lambda score: (score.bdm, score.cp or 0), default=bare)

    def _by(
        self, msca: str, bare: Score, ways: Sequence[tuple[int, int]], means: tuple[Fraction, Fraction]
    ) -> Score:
        """Return the score of two concepts by one of their abstractions, given the ways down from it."""
        cp, (dpk, dpr) = self.depth[msca], (steps for steps, _ in ways)
        # How many children there are on the way by the msca, relative to what is usual.
        between = max(dpk - 1, 0) + max(dpr - 1, 0)
        children = len(self.taxonomy.children[msca]) + sum(passed for _, passed in ways)
        bran = Fraction(children, 1 + between) / self.usual_children
        bdm = Fraction(0)
        if cp:
            common = bran * cp / self.usual
            apart = sum(
                (steps / mean for steps, mean in zip((dpk, dpr), means, strict=True) if steps), Fraction(0)
            )
            bdm = common / (common + apart)
        shown = self.taxonomy.shown[msca]
        return replace(bare, bdm=float(bdm), msca=shown, cp=cp, dpk=dpk, dpr=dpr, bran=float(bran))


# Scores that GATE's plugin "Ontology: BDM computation" wrote: a line for every two concepts.
#
# The first line says which ontology it was, and each other line is, in this order, `key=Service,
# response=Object, bdm=0.6617647, msca=Object, cp=1, dpk=1, dpr=0, n0=2.0, n1=2.0, n2=2.8333333,
# bran=1.9565217` (GATE user guide, 10.6). GATE gives two concepts one line, in either order. Key, response,
# bdm must be there, the others may be missing. Concepts without a common abstraction have cp=-1 and the score
# 0.

FORM = "GATE BDM scores"
LINE = re.compile(
    r"key=(?>(?P<key>.*?), response=)(?>(?P<response>.*?), bdm=)(?P<bdm>[^,]*+)(?P<others>, .*)?"
)
OTHERS = re.compile(r", (?=(?:msca|cp|dpk|dpr|n0|n1|n2|bran)=)")
WHOLE = ("cp", "dpk", "dpr")
# As many pairs without a score are named.
MOST_PAIRS_NAMED = 5

Pair = tuple[str, str]


@dataclass(frozen=True, eq=False)
class GateScores:
    """The scores of a file, by key and response; `concepts` in the order in which they first occur."""

    concepts: tuple[str, ...]
    scores: Mapping[Pair, Score]

    def origin(self, file: str, unplaced: tuple[str, ...] = ()) -> DistanceOrigin:
        """Return where the scores come from."""
        return DistanceOrigin(
            kind="scores",
            form=FORM,
            file=file,
            concepts=len(self.concepts),
            chain=next((score.n0 for score in self.scores.values() if score.n0 is not None), None),
            unplaced=unplaced,
        )

    def concepts_in(self, names: Collection[str]) -> tuple[str, ...]:
        """Return those names, in their order, that are concepts."""
        concepts = frozenset(self.concepts)
        return tuple(name for name in names if name in concepts)

    def between(self, names: Sequence[str]) -> tuple[Score, ...]:
        """Return the score of every two different concepts, as the file has it."""
        pairs = combinations(names, 2)
        return tuple(self.scores[pair if pair in self.scores else pair[::-1]] for pair in pairs)


@lru_cache(maxsize=4)
def read_scores(text: str, name: str) -> GateScores:
    """Return the scores in the text of a file, which errors call `name`; several versions may share it.

    Raises BadInput with everything that is wrong, each with its line: a malformed line, a score outside 0 to
    1, a concept that is not equal to itself, two scores for a pair, pairs without a score,
    no score at all.
    """
    scores: dict[Pair, tuple[int, Score]] = {}
    spoilt: set[Pair] = set()
    problems: list[Problem] = []
    for line, written in _lines(text):
        match = LINE.fullmatch(written)
        if match is None or not match["key"] or not match["response"]:
            message = f"is {quoted(written)}; a line of scores was expected."
            problems.append(Problem(name, line, "", message, "Write key=…, response=…, bdm=… on it."))
            continue
        pair = match["key"], match["response"]
        wrong, others = _parameters(match["others"] or "")
        value = read_number(match["bdm"], ",")
        if value is None or not 0 <= value <= 1 or (pair[0] == pair[1] and value != 1):
            expected = "a number from 0 to 1 was expected as bdm, 1 of a concept with itself"
            wrong = [(f"is {quoted(match['bdm'])}; {expected}.", "Correct the score."), *wrong]
        if wrong:
            spoilt.add(pair)
        else:
            score = Score(*pair, float(match["bdm"]), **others)
            before = scores.get(pair) or scores.get(pair[::-1]) or (line, score)
            if before == (line, score):
                scores[pair] = before
            elif before[1].bdm != score.bdm:
                contradiction = f"but {before[1].bdm} on line {before[0]}; two concepts have one score."
                wrong = [(f"is {score.bdm}, {contradiction}", "Keep one of the two lines.")]
        key = escaped(f"key {pair[0]}, response {pair[1]}")
        problems += [Problem(name, line, key, escaped(message), remedy) for message, remedy in wrong]
    concepts = tuple(dict.fromkeys(concept for pair in scores for concept in pair))
    scored = scores.keys() | spoilt
    if lacking := [pair for pair in combinations(concepts, 2) if not {pair, pair[::-1]} & scored]:
        pairs = alternatives([" and ".join(pair) for pair in lacking[:MOST_PAIRS_NAMED]], "and")
        more = f" and {len(lacking) - MOST_PAIRS_NAMED} more" if len(lacking) > MOST_PAIRS_NAMED else ""
        remedy = "Let GATE write all pairs, or add a line for each that is missing."
        problems.append(Problem(name, message=escaped(f"has no score of {pairs}{more}."), remedy=remedy))
    if not scores and not spoilt:
        remedy = "Let GATE write it again, or take it out of campaign.toml."
        problems.append(Problem(name, message="has no score.", remedy=remedy))
    if problems:
        raise BadInput(problems)
    return GateScores(concepts, {pair: score for pair, (_, score) in scores.items()})


def _lines(text: str) -> list[tuple[int, str]]:
    """Return each line of scores with its number; the first line may be about the ontology."""
    lines = [(line, content.strip()) for line, content in enumerate(text.split("\n"), 1)]
    filled = [(line, content) for line, content in lines if content]
    return filled if filled and filled[0][1].startswith("key=") else filled[1:]


def _parameters(text: str) -> tuple[list[tuple[str, str]], dict[str, Any]]:
    """Return what is wrong with the parameters behind a score, and those that are known.

    What GATE could not compute may be no number.
    """
    cells = dict(part.split("=", 1) for part in OTHERS.split(text)[1:])
    parameters: dict[str, Any] = {"msca": cells.pop("msca", "")}
    wrong: list[tuple[str, str]] = []
    for name, cell in cells.items():
        value, is_whole = read_number(cell.strip(), ","), name in WHOLE
        if value is None or (is_whole and math.isfinite(value) and not value.is_integer()):
            expected = "a whole number" if is_whole else "a number"
            wrong.append(
                (f"is {quoted(cell)} as {name}; {expected} was expected.", "Let GATE write it again.")
            )
        elif math.isfinite(value):
            parameters[name] = int(value) if is_whole else value
    return wrong, parameters


# What tells how close concepts are: all `concepts`, those among some names (`concepts_in`), the scores
# `between` them, and their `origin`.
Closeness = BalancedDistance | GateScores
