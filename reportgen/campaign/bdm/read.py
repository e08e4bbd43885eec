"""Taxonomies as files: a CSV table of children and parents, RDF/XML, Turtle; told apart by content."""

import re
from collections.abc import Iterator
from pathlib import Path

from reportgen.campaign.bdm.rdf import from_turtle, from_xml
from reportgen.campaign.bdm.taxonomy import Draft, Edge, Taxonomy, taxonomy
from reportgen.campaign.table import NumberedRow, read_table
from reportgen.campaign.wording import alternatives, printable
from reportgen.errors import BadInput, Problem
from reportgen.files import decode, read_bytes

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
    not stand there as a child. Of RDF the subclasses (RDFS, OWL) and the broader and narrower concepts (SKOS)
    are read. Raises BadInput with what is wrong: a file that is none of these, that puts no concept under
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
    _, rows = read_table(path, name)
    header_line, header = rows[0]
    folded = [cell.casefold() for cell in header]
    if sorted(folded) != sorted(COLUMNS):
        message = f"has the columns {alternatives(header, 'and')}; child and parent were expected."
        mend = "Write child,parent above them, or name a file of RDF/XML or Turtle."
        raise BadInput([Problem(name, header_line, "first row", message, mend)])
    body = [(line, row if folded[0] == "child" else row[::-1]) for line, row in rows[1:]]
    problems = list(_problems(name, body))
    if problems:
        raise BadInput(problems)
    edges = [Edge(row[0], row[1], line) for line, row in body if row[1]]
    return Draft(CSV, edges, [row[0] for _, row in body if not row[1]])


def _problems(name: str, body: list[NumberedRow]) -> Iterator[Problem]:
    first: dict[tuple[str, ...], int] = {}
    for line, row in body:
        if len(row) != len(COLUMNS):
            message = f"has {len(row)} cells; a child and its parent were expected."
            yield Problem(name, line, "", message, "Correct the row.")
        elif not row[0]:
            yield Problem(name, line, "column child", "is empty; a concept was expected.", "Write its name.")
        elif tuple(row) in first:
            message = f"stands on line {first[tuple(row)]} already."
            yield Problem(name, line, printable(f"row {row[0]}"), message, "Keep one of the two.")
        first.setdefault(tuple(row), line)
