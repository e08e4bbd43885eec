"""The feed and the badge of a campaign, without a clock and without a host."""

import datetime as dt
import json
import os
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from lxml import etree

from reportgen.base.site_folder import DATED
from reportgen.figures import FONT
from reportgen.figures.lines import ends
from reportgen.report.history_words import change, verdict
from reportgen.results import Figure
from reportgen.results.history import History, VersionState
from reportgen.words.language import _, edition, habits, printable, say
from reportgen.words.names import as_heading

# The feed of a campaign's guidelines versions, as Atom (RFC 4287), without a clock and without a host.

SVG = "http://www.w3.org/2000/svg"
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
    for version, updated in dated:
        own = etree.SubElement(root, f"{{{ATOM}}}entry")
        title = say("{title}: guidelines {version}", title=history.campaign.title, version=version.version)
        _add(own, "title", title)
        _add(own, "id", _id(history.campaign.id, version.version))
        _add(own, "updated", updated)
        _link(own, "alternate", f"{version.version}/index.html", "text/html")
        _add(own, "summary", " ".join(_summary(history, version)))
    etree.indent(root, " ")
    text = etree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'


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


# The badge for a corpus README: the newest version's coefficient with its interval, as SVG and JSON.

# A verdict's colour and mark: whoever does not see the colours apart sees the shapes. White is on each
# with a contrast of at least 4.5.
COLOURS = {"good": "#0b5fa5", "note": "#39657f", "warning": "#8a5a00", "problem": "#a3243b"}
MARKS = {
    "good": "M0 4.5 3 7.5 9 .5 7.6 -.7 2.9 4.8 1.3 3.2Z",
    "note": "M4.5 -.5A4 4 0 0 1 4.5 7.5ZM4.5 -.5A4 4 0 0 0 4.5 7.5V6.2A2.7 2.7 0 0 1 4.5 .8Z",
    "warning": "M0 3H9V5H0Z",
    "problem": "M1.4 -.5 4.5 2.4 7.6 -.5 9 .9 6 3.8 9 6.6 7.6 8 4.5 5.2 1.4 8 0 6.6 3 3.8 0 .9Z",
}
NEUTRAL = "#545d69"
LABEL = "#333a43"
TEXT = 11
# The widths of letters as shares of the font's size, rather too wide than too narrow.
NARROW, WIDE, OTHER = 0.33, 0.9, 0.62
THIN = " .,[]()'’il|jtf"
HEIGHT = 20


@dataclass(frozen=True)
class Badge:
    """What a badge says; `message` is the value with its interval, or why there is none."""

    label: str
    message: str
    severity: str
    title: str
    defined: bool = True

    @property
    def color(self) -> str:
        """Return the colour of the verdict, grey where the figure is undefined."""
        return COLOURS[self.severity] if self.defined else NEUTRAL


def badge(history: History) -> Badge:
    """Return what the newest version's badge says: of several layers, on how many agreement is acceptable."""
    newest = history.newest
    if len(newest.layers) > 1:
        counts = {"count": newest.acceptable, "all": len(newest.layers)}
        message = say("acceptable on {count} of {all} layers", **counts)
        title = say("{verdict} Guidelines {version}.", verdict=verdict(newest), version=newest.version)
        return Badge(_("agreement"), message, newest.severity, title)
    figure = newest.first.figure
    said = say(
        "{name} {value} under guidelines {version}.",
        name=as_heading(newest.first.name),
        value=short(figure),
        version=newest.version,
    )
    label = say("agreement {symbol}", symbol=newest.first.symbol)
    title = f"{said} {verdict(newest)}"
    return Badge(label, short(figure), newest.severity, title, defined=figure.value is not None)


def short(figure: Figure) -> str:
    """Return a figure with two decimals and without the zero before them, with its interval."""
    if figure.value is None:
        return _("undefined")
    interval = ends(figure)
    shown = f" [{_two(interval[0])}{habits().between}{_two(interval[1])}]" if interval else ""
    return f"{_two(figure.value)}{shown}"


def _two(value: float) -> str:
    """Return two decimals as agreement is cited; what is not 1 is not rounded to it.

    English leaves out the zero before them; where the comma is decimal it has to stand.
    """
    shown = f"{abs(value):.2f}"
    if shown == "1.00" and abs(value) < 1:
        shown = ">0.99" if value > 0 else "0.99"
    sign = "−" if value < 0 and shown.strip("0.") else ""
    point = habits().decimal
    if point != ".":
        return sign + shown.replace(".", point)
    return sign + (shown.replace("0.", ".", 1) if shown.startswith(("0.", ">0.")) else shown)


def badge_json(history: History) -> str:
    """Return the badge as JSON: what services that draw badges read, and the figure, of layers the lowest."""
    found, state = badge(history), history.newest.lowest
    interval = ends(state.figure)
    content = {
        "schemaVersion": 1,
        "label": printable(found.label),
        "message": printable(found.message),
        "color": found.color,
        "value": state.figure.value,
        "interval": {"low": interval[0], "high": interval[1]} if interval else None,
        "coefficient": state.coefficient,
        "version": history.newest.version,
        "campaign": history.campaign.id,
    }
    if len(history.newest.layers) > 1:
        content |= {"layer": state.layer, "layers": len(history.newest.layers)}
    if state.figure.undefined:
        content["undefined"] = state.figure.undefined
    return json.dumps(content, sort_keys=True, ensure_ascii=False, indent=1) + "\n"


def badge_svg(history: History) -> str:
    """Return the badge as an image of its own, with its text as text."""
    found = badge(history)
    left, right = _width(found.label) + 14, _width(found.message) + 29
    width = left + right
    box = {"xmlns": SVG, "viewBox": f"0 0 {width} {HEIGHT}", "width": str(width), "height": str(HEIGHT)}
    said = f"{found.label} {found.message}"
    root = ET.Element("svg", box | {"role": "img", "aria-label": printable(said)})
    ET.SubElement(root, "title").text = printable(found.title)
    # Two halves with a rounded outer edge each.
    halves = {
        LABEL: f"M3 0H{left}V{HEIGHT}H3A3 3 0 0 1 0 {HEIGHT - 3}V3A3 3 0 0 1 3 0Z",
        found.color: f"M{left} 0H{width - 3}a3 3 0 0 1 3 3V{HEIGHT - 3}a3 3 0 0 1 -3 3H{left}Z",
    }
    for fill, path in halves.items():
        ET.SubElement(root, "path", {"d": path, "fill": fill})
    letters = {"font-family": FONT, "font-size": str(TEXT), "fill": "#ffffff"}
    words = ET.SubElement(root, "g", letters | {"text-anchor": "middle", "aria-hidden": "true"})
    _text(words, found.label, left / 2)
    _text(words, found.message, left + 20 + (right - 27) / 2)
    mark = MARKS[found.severity if found.defined else "warning"]
    ET.SubElement(root, "path", {"d": mark, "fill": "#ffffff", "transform": f"translate({left + 7} 6)"})
    return ET.tostring(root, encoding="unicode") + "\n"


def _text(parent: ET.Element, text: str, middle: float) -> None:
    """Write a text that takes the room that was kept for it, whatever font there is."""
    length = {"textLength": str(_width(text)), "lengthAdjust": "spacingAndGlyphs"}
    ET.SubElement(parent, "text", {"x": f"{middle:g}", "y": "14", **length}).text = printable(text)


def _width(text: str) -> int:
    """Return about how wide a text is, in pixels."""
    shares = (NARROW if sign in THIN else WIDE if sign in "mwMW%@" else OTHER for sign in text)
    return round(TEXT * sum(shares))
