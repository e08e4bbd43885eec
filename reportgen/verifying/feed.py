"""The moment that a campaign's feed was made with, where it dates versions that have no date of their own."""

import datetime as dt

from lxml import etree

from reportgen.results.history import History
from reportgen.verifying.tree import Tree

FEED = "feed.xml"
ATOM = "{http://www.w3.org/2005/Atom}"


def moment_of(files: Tree, joined: History | None) -> str | None:
    """Return the seconds since 1970 that a feed gives to versions without a date; None where it has none."""
    undated = {f"{each.version}/index.html" for each in joined.versions if not each.date} if joined else set()
    if not undated or FEED not in files:
        return None
    try:
        parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
        root = etree.fromstring(files[FEED], parser)
    except (etree.XMLSyntaxError, ValueError):
        return None
    entries = (each for each in root.iter(f"{ATOM}entry") if each.find(f"{ATOM}link[@href]") is not None)
    return next((found for each in entries if _link(each) in undated and (found := _seconds(each))), None)


def _link(entry: etree._Element) -> str:
    found = entry.find(f"{ATOM}link[@href]")
    return "" if found is None else str(found.get("href"))


def _seconds(entry: etree._Element) -> str | None:
    try:
        return str(int(dt.datetime.fromisoformat(entry.findtext(f"{ATOM}updated", "")).timestamp()))
    except (ValueError, OverflowError):
        return None
