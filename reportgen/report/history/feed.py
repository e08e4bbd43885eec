"""The feed of a campaign's guidelines versions, as Atom (RFC 4287), without a clock and without a host."""

import datetime as dt
import os
import uuid
from collections.abc import Iterator

from lxml import etree

from reportgen.memory import DATED
from reportgen.report.history.words import change, verdict
from reportgen.report.language import edition, say
from reportgen.report.markup import printable
from reportgen.results.history import History, VersionState

ATOM = "http://www.w3.org/2005/Atom"
LANG = "{http://www.w3.org/XML/1998/namespace}lang"
# The namespace of our ids (RFC 9562, section 5.5): made once for reportgen, and never to change.
OURS = uuid.UUID("5b0f6c1e-3f0b-5d1c-9a57-7a1d1f0c6e42")


def feed(history: History) -> str | None:
    """Return the feed of a campaign, the newest version first; None where no version has a date.

    A version without a date takes that of SOURCE_DATE_EPOCH where it is set, else it is left out: an entry
    needs one, and today's is none of its own.
    """
    dated = [(each, found) for each in reversed(history.versions) if (found := _date(each))]
    if not dated:
        return None
    root = etree.Element(f"{{{ATOM}}}feed", nsmap={None: ATOM})
    root.set(LANG, edition().language)
    _add(root, "title", say("{title}: guidelines versions", title=history.campaign.title))
    _add(root, "id", _id(history.campaign.id))
    _add(root, "updated", max(found for _, found in dated))
    for name in history.campaign.authors or (history.campaign.title,):
        _add(etree.SubElement(root, f"{{{ATOM}}}author"), "name", name)
    _link(root, "self", "feed.xml", "application/atom+xml")
    _link(root, "alternate", "index.html", "text/html")
    for version, found in dated:
        _entry(root, history, version, found)
    etree.indent(root, " ")
    text = etree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'


def _entry(root: etree._Element, history: History, version: VersionState, updated: str) -> None:
    own = etree.SubElement(root, f"{{{ATOM}}}entry")
    title = say("{title}: guidelines {version}", title=history.campaign.title, version=version.version)
    _add(own, "title", title)
    _add(own, "id", _id(history.campaign.id, version.version))
    _add(own, "updated", updated)
    _link(own, "alternate", f"{version.version}/index.html", "text/html")
    _add(own, "summary", " ".join(_summary(history, version)))


def _summary(history: History, version: VersionState) -> Iterator[str]:
    yield verdict(version)
    if moved := change(history, history.step_to(version.version)):
        yield moved
    if changes := " ".join(version.changes.split()):
        yield say("Changes: {changes}", changes=changes)


def _add(parent: etree._Element, tag: str, text: str) -> None:
    etree.SubElement(parent, f"{{{ATOM}}}{tag}").text = printable(" ".join(text.split()))


def _link(parent: etree._Element, kind: str, href: str, media: str) -> None:
    etree.SubElement(parent, f"{{{ATOM}}}link", rel=kind, href=href, type=media)


def _id(*names: str) -> str:
    """Return the lasting id of a campaign, or of one of its versions: the same wherever the site stands."""
    return uuid.uuid5(OURS, "\n".join(names)).urn


def _date(version: VersionState) -> str | None:
    """Return when a version was made (RFC 3339), midnight of its date."""
    if version.date:
        return f"{version.date}T00:00:00Z"
    try:
        moment = dt.datetime.fromtimestamp(int(os.environ.get(DATED, "")), dt.UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
