"""XML without entities, external files or network, with the line of each element."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from reportgen.base.errors import BadInput, Problem
from reportgen.readers.reader import ExportFile

if TYPE_CHECKING:
    from lxml.etree import XMLPullParser
    from lxml.etree import _Element as Element


STEP = 4096


def is_xml(file: ExportFile) -> bool:
    """Say whether the file starts as XML does."""
    content = file.content.removeprefix(b"\xef\xbb\xbf").lstrip()[:9]
    return content.startswith(b"<") or (file.is_text() and file.text.lstrip().startswith("<"))


def parse(file: ExportFile) -> "Element":
    """Return the root element of the file.

    A document type is allowed and never fetched. Raises BadInput for XML that is not well-formed,
    declares an entity, or is nested too deep.
    """
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=False,
    )
    try:
        root = etree.fromstring(file.content, parser)
    except etree.XMLSyntaxError as error:
        own = b"<!ENTITY" in file.content
        raise BadInput([_entities(file, 0) if own else _not_well_formed(file, error)]) from None
    except (ValueError, LookupError) as error:
        raise file.refused(f"can't be read as XML: {error}.") from None
    _refuse_entities(file, root)
    return root


def _not_well_formed(file: ExportFile, error: Exception) -> Problem:
    reason = str(getattr(error, "msg", None) or error).splitlines()[0].removesuffix(".")
    line = int(getattr(error, "lineno", 0) or 0)
    return file.problem(f"is not well-formed XML: {reason}.", "Export the file again.", line)


def _refuse_entities(file: ExportFile, root: "Element") -> None:
    """Raise BadInput where the document type declares entities, or the text uses any."""
    from lxml import etree

    dtd = root.getroottree().docinfo.internalDTD
    declared = dtd is not None and any(dtd.iterentities())
    used = next(root.iter(etree.Entity), None)
    if declared or used is not None:
        raise BadInput([_entities(file, int(getattr(used, "sourceline", 0) or 0))])


def _entities(file: ExportFile, line: int) -> Problem:
    message = "declares or uses entities of its own, which could read files or fill memory."
    return file.problem(message, "Replace them by the text they stand for.", line)


def root_name(file: ExportFile) -> str:
    """Return the name of the root element without its namespace, empty where the file is not XML.

    Only the beginning of the file is looked at.
    """
    if not is_xml(file):
        return ""
    from lxml import etree

    parser = etree.XMLPullParser(events=("start",), resolve_entities=False, no_network=True, load_dtd=False)
    content = file.content
    for start in range(0, len(content), STEP):
        going = _goes(parser.feed, content[start : start + STEP])
        # A root that was understood counts, whatever is wrong behind it: the fault is to be reported.
        if name := _started(parser):
            return name
        if not going:
            return ""
    # Only now does the parser look at the last few bytes.
    return _started(parser) if _goes(parser.close) else ""


def _goes(step: Callable[..., object], *arguments: bytes) -> bool:
    """Say whether the parser could make sense of what it was given."""
    from lxml import etree

    try:
        step(*arguments)
    except (etree.XMLSyntaxError, ValueError, LookupError):
        return False
    return True


def _started(parser: "XMLPullParser") -> str:
    """Return the name of the first element that the parser has seen, empty where there is none yet."""
    # A prefix that is not declared stays in the name.
    names = (str(event[1].tag).rpartition("}")[2] for event in parser.read_events())
    return next((name.rpartition(":")[2] for name in names), "")


# What XML readers ask of elements: names without namespaces, text without comments, lines.


def local_name(element: "Element") -> str:
    """Return the element's name without its namespace, empty for a comment or an instruction."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def children(element: "Element", name: str | None = None) -> Iterator["Element"]:
    """Yield the elements directly inside, without comments; only those of a name, where one is given."""
    for child in element:
        found = local_name(child)
        if found and (name is None or found == name):
            yield child


def text_of(element: "Element") -> str:
    """Return all text inside, without comments."""
    if len(element) == 0:
        return element.text or ""
    return "".join(str(each) for each in element.xpath(".//text()"))


def line_of(element: "Element") -> int:
    """Return the line on which the element starts, 0 where it is not known."""
    return int(element.sourceline or 0)


def attributes(element: "Element") -> dict[str, str]:
    """Return the attributes, without namespaces as far as their names stay different."""
    found: dict[str, str] = {}
    for name, value in element.attrib.items():
        short = str(name).rpartition("}")[2]
        found[str(name) if short in found else short] = str(value)
    return found
