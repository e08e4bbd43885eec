"""Inline XML: text in which elements are marks, their name the category, as Cadixe writes it."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from reportgen.base.errors import BadInput
from reportgen.readers.naming import (
    UnattributedMarks,
    export_of,
    list_unreadable,
    name_files,
    split_unreadable,
)
from reportgen.readers.reader import Export, ExportFile, ParsedMark, Reader, ReaderOptions
from reportgen.readers.untrusted import attributes, line_of_element, local_name, parse_xml, root_name, text_of

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from reportgen.readers.annotations import Span


EXTENSIONS = (".xml", ".tei")
# What a schema or a style is called, which tells about documents and is none.
ABOUT_DOCUMENTS = (".dtd", ".css", ".xsl", ".xslt", ".xsd", ".rng", ".rnc")
# The root elements of other formats: those with a reader of their own, pages, schemas and styles.
OTHERS = frozenset(
    {
        *("gatedocument", "mmax_project", "words", "markables", "annotationscheme", "common_paths"),
        *("customization", "xmi", "typesystemdescription", "html", "svg", "rss", "feed"),
        *("stylesheet", "transform", "schema", "grammar", "workbook", "plist", "project"),
        "annotation_document",
    }
)
# What a text is made of, in the names of TEI, JATS, DocBook, HTML and of those who make up their own.
STRUCTURE = frozenset(
    {
        *("text", "body", "front", "back", "head", "header", "heading", "headline", "footer", "teiheader"),
        *("p", "para", "paragraph", "paragraphs", "ab", "div", "sec", "section", "sections", "chapter"),
        *("title", "subtitle", "titre", "article", "article-title", "abstract", "abstracttext", "document"),
        *("documents", "doc", "corpus", "h1", "h2", "h3", "h4", "h5", "h6", "s", "sent", "sentence"),
        *("sentences", "w", "c", "pc", "tok", "token", "tokens", "lb", "pb", "cb", "br", "hr"),
    }
)
HEADER = "teiheader"
# Attributes that say where in a text an element is, which then does not hold it itself.
FROM_AND_TO = (
    *(("start", "end"), ("begin", "end"), ("from", "to"), ("startoffset", "endoffset")),
    *(("start_offset", "end_offset"), ("begin_offset", "end_offset"), ("offset", "length")),
)
ANCHORS = ("anchors", "span", "spans")
NUMBERS = re.compile(r"\d+(?:\W+\d+)+")
# What TEI puts references to parts of a text into.
STAND_OFF = frozenset({"standoff", "spangrp", "listannotation", "annotationgrp"})

A_COMMENT = "a comment"
AN_INSTRUCTION = "an instruction to a program"
ATTRIBUTES_SHOWN = 4
SHOWN = 60
READING = "Inline XML: the name of an element is the category, all character data is the text."


def recognises(file: ExportFile) -> bool:
    """Say whether the file is XML that no other format has, and no page, schema or style sheet."""
    if file.suffix in ABOUT_DOCUMENTS:
        return False
    name = root_name(file)
    if not name or name.lower() in OTHERS:
        return False
    # A fault in what claims to be XML is to be reported; a table may start with a tag too.
    if file.suffix in EXTENSIONS or b"<?xml" in file.content[:64].replace(b"\0", b""):
        return True
    try:
        parse_xml(file)
    except BadInput:
        return False
    return True


def accompanies(file: ExportFile) -> bool:
    """Say whether the file is a schema or a style, going by its name."""
    return file.suffix in ABOUT_DOCUMENTS


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Export:
    """Return a copy for each file, named after paths and texts.

    Raises BadInput with every file that is not well-formed, or whose path `path` does not fit.
    """
    own = [file for file in files if not accompanies(file)]
    read_files, bodies, faulty = split_unreadable(own, _body)
    names = name_files(read_files, [body.text or "" for body in bodies], options, EXTENSIONS)
    return list_unreadable(export_of(files, bodies, names, READING), faulty)


def _body(file: ExportFile) -> UnattributedMarks:
    root = parse_xml(file)
    walk = _Walk(root)
    marks = [
        ParsedMark(local_name(element), (span,), attributes(element), line_of_element(element))
        for element, span in walk.marked
    ]
    _refuse_stand_off(file, root, sum(_has_own_text(element) for element, _ in walk.marked))
    around = (*root.itersiblings(preceding=True), *root.itersiblings())
    return UnattributedMarks(
        file.name,
        "".join(walk.parts),
        tuple(marks),
        left_out=sorted([*walk.left_out, *map(_left_out_node, around)]),
    )


def _refuse_stand_off(file: ExportFile, root: "Element", with_text: int) -> None:
    """Raise BadInput where more elements say where in a text they are than have a text inside."""
    stand_off = [element for element in root.iter("{*}*") if _is_elsewhere(element)]
    if len(stand_off) <= with_text:
        return
    first = stand_off[0]
    written = " ".join(
        f'{name}="{value}"' for name, value in list(attributes(first).items())[:ATTRIBUTES_SHOWN]
    )
    shown = f"<{local_name(first)} {written}".rstrip()
    message = (
        f"has marks beside the text, not in it, such as {shown[:SHOWN]}>: what they refer to is not read."
    )
    remedy = "Export with elements around what they mark, or as brat standoff, UIMA CAS XMI or WebAnno TSV."
    raise file.refused(message, remedy, line_of_element(first))


def _has_own_text(element: "Element") -> bool:
    """Say whether an element is around a part of the text, and not in a list of what is beside it."""
    in_list = any(local_name(each).lower() in STAND_OFF for each in (element, *element.iterancestors()))
    return not in_list and bool(text_of(element).strip())


def _is_elsewhere(element: "Element") -> bool:
    """Say whether an element has no text, and offsets or references to one."""
    name = local_name(element).lower()
    if name in STAND_OFF:
        return len(element) > 0
    if text_of(element).strip():
        return False
    places = {key.lower(): value for key, value in attributes(element).items()}
    pairs = ((places.get(first, ""), places.get(last, "")) for first, last in FROM_AND_TO)
    return any(first.isdecimal() and last.isdecimal() for first, last in pairs) or any(
        NUMBERS.fullmatch(places.get(key, "")) for key in ANCHORS
    )


def _left_out_node(node: "Element") -> tuple[int, str]:
    """Return the line of a comment or an instruction, and what it is."""
    return line_of_element(node), AN_INSTRUCTION if hasattr(node, "target") else A_COMMENT


class _Walk:
    """A walk through a document, which adds up its text and keeps where its elements start and end."""

    def __init__(self, root: "Element") -> None:
        self.parts: list[str] = []
        self.marked: list[tuple[Element, Span]] = []
        self.left_out: list[tuple[int, str]] = []
        self._length = 0
        self._walk(root, local_name(root).lower() == HEADER)

    def _walk(self, element: "Element", in_header: bool) -> None:  # noqa: FBT001 - it is either
        """Take what is in an element; lxml does not nest them deeper than functions can be."""
        self._add(element.text)
        for child in element:
            name = local_name(child).lower()
            if not name:
                self.left_out.append(_left_out_node(child))
            elif in_header or name == HEADER or name in STRUCTURE:
                self._walk(child, in_header or name == HEADER)
            else:
                index, start = len(self.marked), self._length
                self.marked.append((child, (start, start)))
                self._walk(child, in_header)
                self.marked[index] = child, (start, self._length)
            self._add(child.tail)

    def _add(self, text: str | None) -> None:
        self.parts.append(text or "")
        self._length += len(text or "")


READER = Reader(
    name="inline-xml",
    title="Inline XML",
    tool="Cadixe, XML editors, TEI tools",
    extensions=EXTENSIONS,
    reads=(
        "Elements are marks: an element's name is its category, its attributes are features. "
        "Everything else is the text."
    ),
    leaves_out=(
        "Comments and processing instructions. Elements that only structure a text, such as p, "
        "section and title, are not marks."
    ),
    recognises=recognises,
    read=read,
    accompanies=accompanies,
    says=(READING, A_COMMENT, AN_INSTRUCTION),
)
