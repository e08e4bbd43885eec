"""What XML readers ask of elements: names without namespaces, text without comments, lines."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


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
