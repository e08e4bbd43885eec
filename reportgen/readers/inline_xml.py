"""Inline XML: text in which elements are marks, their name the category, as Cadixe writes it."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from reportgen.base.errors import BadInput, for_each
from reportgen.readers.naming import Body, export_of, name_files
from reportgen.readers.reader import Export, ExportFile, ParsedMark, Reader, ReaderOptions, Span
from reportgen.readers.untrusted import attributes, line_of, local_name, parse_xml, root_name

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


EXTENSIONS = (".xml", ".tei")
# What a schema or a style is called, which tells about documents and is none.
ABOUT_DOCUMENTS = (".dtd", ".css", ".xsl", ".xslt", ".xsd", ".rng", ".rnc")
# The root elements of other formats: those with a reader of their own, pages, schemas and styles.
OTHERS = frozenset(
    {
        *("gatedocument", "mmax_project", "words", "markables", "annotationscheme", "common_paths"),
        *("customization", "xmi", "typesystemdescription", "html", "svg", "rss", "feed"),
        *(
            "stylesheet",
            "transform",
            "schema",
            "grammar",
            "workbook",
            "plist",
            "project",
            "annotation_document",
        ),
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
NO_MARK = -1

A_COMMENT = "a comment"
AN_INSTRUCTION = "an instruction to a program"
READING = "Inline XML: the name of an element is the category, all character data is the text."


def recognises(file: ExportFile) -> bool:
    """Say whether the file is XML that no other format has, and no page, schema or style sheet."""
    if file.suffix in ABOUT_DOCUMENTS:
        return False
    name = root_name(file)
    return bool(name) and name.lower() not in OTHERS and (_is_declared(file) or _is_well_formed(file))


def _is_declared(file: ExportFile) -> bool:
    """Say whether the file itself claims to be XML, so that a fault in it is to be reported."""
    return file.suffix in EXTENSIONS or b"<?xml" in file.content[:64].replace(b"\0", b"")


def _is_well_formed(file: ExportFile) -> bool:
    """Say whether the whole file can be parsed: a table may start with a tag too."""
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
    bodies = for_each(own, _body)
    names = name_files(own, [body.text or "" for body in bodies], options, EXTENSIONS)
    return export_of(files, bodies, names, READING)


def _body(file: ExportFile) -> Body:
    root = parse_xml(file)
    walk = _Walk(root)
    marks = [
        ParsedMark(local_name(each), (span,), attributes(each), line_of(each)) for each, span in walk.found
    ]
    left_out = sorted([*walk.left_out, *_around(root)])
    return Body(file.name, "".join(walk.parts), tuple(marks), left_out=left_out)


class _Walk:
    """A walk through a document, which adds up its text and keeps where its elements start and end."""

    def __init__(self, root: "Element") -> None:
        from lxml import etree

        self.parts: list[str] = []
        self.found: list[tuple[Element, Span]] = []
        self.left_out: list[tuple[int, str]] = []
        self._length = 0
        self._headers = 0
        self._open: list[int] = []
        for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
            if event == "start":
                self._start(element, is_root=element is root)
            elif event == "end":
                self._end(element)
            else:
                self.left_out.append((line_of(element), A_COMMENT if event == "comment" else AN_INSTRUCTION))
            if event != "start" and element is not root:
                self._add(element.tail)

    def _add(self, text: str | None) -> None:
        if text:
            self.parts.append(text)
            self._length += len(text)

    def _start(self, element: "Element", *, is_root: bool) -> None:
        """Take the beginning of an element: a mark's, or of one that structures the text."""
        name = local_name(element).lower()
        self._headers += name == HEADER
        if is_root or self._headers or name in STRUCTURE:
            self._open.append(NO_MARK)
        else:
            self._open.append(len(self.found))
            self.found.append((element, (self._length, self._length)))
        self._add(element.text)

    def _end(self, element: "Element") -> None:
        self._headers -= local_name(element).lower() == HEADER
        place = self._open.pop()
        if place != NO_MARK:
            marked, (start, _) = self.found[place]
            self.found[place] = marked, (start, self._length)


def _around(root: "Element") -> Iterator[tuple[int, str]]:
    """Yield comments and instructions before and after the root."""
    for each in (*root.itersiblings(preceding=True), *root.itersiblings()):
        yield line_of(each), AN_INSTRUCTION if hasattr(each, "target") else A_COMMENT


READER = Reader(
    name="inline-xml",
    title="Inline XML",
    tool="Cadixe, XML editors, TEI tools",
    extensions=EXTENSIONS,
    reads="Elements as marks: the name is the category, attributes are features, all else is the text.",
    leaves_out="Comments and instructions to programs. Elements that only structure a text, such as p, "
    "section and title, are no marks.",
    recognises=recognises,
    read=read,
    accompanies=accompanies,
)
