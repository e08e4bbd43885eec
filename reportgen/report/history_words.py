"""What a history says: how agreement moved and what else changed, in sentences, in a feed and on a badge."""

import datetime as dt
import json
import os
import uuid
from collections.abc import Iterable, Iterator, Sequence
from xml.etree import ElementTree as ET

from lxml import etree

from reportgen.base.dataclass import dataclass
from reportgen.base.site_folder import DATED
from reportgen.figures import FONT
from reportgen.figures.lines import LEVEL, ends, is_shown
from reportgen.findings.causes import RankedCause
from reportgen.report.version_changes import NO_BREAK, courses, difference, p_words, signed
from reportgen.report.version_changes import listed as people
from reportgen.results import Figure, dumps
from reportgen.results.versions import History, LayerMove, Move, ReleaseState, Step, VersionState
from reportgen.words import acts, headline, language, numbers
from reportgen.words.headline import badge_label
from reportgen.words.language import N_, _, edition, habits, listed, printable, say, say_either, say_many
from reportgen.words.names import as_heading, translated

# Versions in a row that are more than these are told by the first and the last.
SEVERAL = 2
# How a figure moved, by whether its two values are known.
MOVED = {
    True: N_(
        "Since guidelines {version}, {name} {rose|fell} from {first} to {second} {on}, by {size}: {why}."
    ),
    False: N_("Since guidelines {version}, {name} {rose|fell} {on}, by {size}: {why}."),
}
STAYED = N_("Since guidelines {version}, {name} {stays at {second}|has the same value} {on}.")


def change_in_one_line(move: Move) -> str:
    """Return a difference with its interval and p value in one line, as a table has it."""
    p = p_words(move.p) if move.p is not None else ""
    return f"{difference(move, NO_BREAK)} {p}".rstrip()


def answer(version: VersionState, layer: str) -> str:
    """Return the verdict on a layer with a subject of its own; empty of one about annotators' labels."""
    found = version.answer_of(layer)
    return numbers.message(found.claim, found.values) if found else ""


def verdict(version: VersionState) -> str:
    """Return what can be relied on of a version, of all its layers, why, and what the figures are."""
    standings = headline.of_version(version)
    cause = RankedCause(version.causes) if version.causes else None
    said = (
        headline.headline(standings),
        acts.why(cause) if cause and cause.is_found else "",
        headline.figures_of_layers(standings, version.verdicts[0]),
    )
    return " ".join(filter(None, said))


def to_do(version: VersionState) -> str:
    """Return what is to be done first about a version; empty where nothing is."""
    people = max(layer.annotators for layer in version.layers)
    return acts.act(RankedCause(version.causes), people=people) if version.causes else ""


def change(history: History, step: Step | None) -> str:
    """Return how agreement moved to a version, in a sentence; empty where it was not compared.

    With several layers it says which moved more than chance explains.
    """
    if step is None or not step.compared:
        return ""
    if step.primary is None:
        return say(
            "It has no unit set in common with guidelines {version}, so that nothing is compared.",
            version=step.first,
        )
    if len(history.layers) == 1:
        # What the coefficient is called under the version that the step leads to.
        state = next(version for version in history.versions if version.version == step.second)
        # How a layer's coefficient moved, on what, and whether chance explains it.
        name = translated(state.first.name)
        move = step.primary.coefficient
        if move.difference is None:
            return say_either(
                move.untested,
                "How {name} changed since guidelines {version} can't be said{: {reason}|}.",
                name=name,
                version=step.first,
                reason=_(move.untested) if move.untested else "",
            )
        known = move.first is not None and move.second is not None
        course_in_words = say(
            language.one_of(move.difference > 0, MOVED[known])
            if move.difference
            else language.one_of(known, STAYED),
            version=step.first,
            name=name,
            first=numbers.figure(move.first),
            second=numbers.figure(move.second),
            on=_compared_on(step.primary),
            size=_size(move),
            why=_chance(move),
        )
        interval = ends(move)
        # How far a figure that has the same value may yet have moved.
        message = N_("With 95% confidence the difference is from {low} to {high}.")
        open_ = (
            say(message, low=signed(interval[0]), high=signed(interval[1]))
            if interval and not move.difference
            else ""
        )
        aside = list(filter(None, _left_out(step, step.primary))) if _is_shared(step) else []
        left_out = say("This comparison leaves out {documents}.", documents=listed(aside)) if aside else ""
        return " ".join(filter(None, (course_in_words, open_, left_out)))
    return say("Since guidelines {version}: {said}", version=step.first, said=courses(*layer_courses(step)))


def layer_courses(step: Step) -> tuple[list[str], list[str], list[str]]:
    """Return the layers in which agreement rose, those in which it fell, and those undecided."""
    ways = {layer.layer: is_shown(layer.coefficient) and _course(layer.coefficient) for layer in step.layers}
    rose, fell, undecided = (
        [name for name, way in ways.items() if way == course] for course in ("rose", "fell", False)
    )
    return rose, fell, undecided


def _left_out(step: Step, layer: LayerMove) -> Iterator[str]:
    """Yield which documents a comparison on shared ones leaves out."""
    yield from _material(step)[1:]
    single = step.documents[0] - layer.documents if step.documents and layer.documents else 0
    if single > 0:
        yield say_many(
            "{count} {document|documents} of both in which no two annotators labelled the same unit under "
            "one of them",
            single,
        )


def _is_shared(step: Step) -> bool:
    return step.primary is not None and step.primary.coefficient.basis == "shared"


def _course(move: Move) -> str:
    if not move.difference:
        return "stayed"
    return "rose" if move.difference > 0 else "fell"


def _size(move: Move) -> str:
    """Return how far a figure moved, with the interval of the difference where it has one."""
    difference, interval = move.difference or 0.0, ends(move)
    size = numbers.figure(abs(difference))
    if interval is None:
        return size
    # Of a fall the ends are told as falls too.
    low, high = map(numbers.figure, interval if difference >= 0 else (-interval[1], -interval[0]))
    return say("{size} (95% interval {low} to {high})", size=size, low=low, high=high)


def _compared_on(layer: LayerMove) -> str:
    if layer.coefficient.basis != "shared":
        return _("over all units of each version")
    if not layer.documents:
        return _("on the units of both versions")
    return say_many("on the {count} {document|documents} of both versions", layer.documents)


def _chance(move: Move) -> str:
    if move.p is None:
        why = move.untested
        return say("not tested, because {reason}", reason=_(why)) if why else _("not tested")
    shown = move.difference and move.p < LEVEL
    return say_either(shown, "{more than chance explains|this could be chance} ({p})", p=p_words(move.p))


def warnings(step: Step) -> Iterator[str]:
    """Yield what else changed between two versions, any of which may look like better or worse guidelines."""
    if not _is_shared(step) and any((step.documents or (0,))[1:]):
        yield say("The material differs: {documents}.", documents=listed(list(filter(None, _material(step)))))
    if step.edited:
        yield say_many(
            "{count} {document|documents} of the same name had {another text|other texts}.", step.edited
        )
    left = say("{names} left", names=people(step.left)) if step.left else ""
    joined = say("{names} joined", names=people(step.joined)) if step.joined else ""
    if who := list(filter(None, (left, joined))):
        yield say("The annotators differ: {who}.", who=listed(who))


def _material(step: Step) -> list[str]:
    """Return how many documents are in both versions, in the first alone and in the second alone."""
    if not step.documents:
        return []
    both, *alone = step.documents
    return [
        say_many("{count} {document|documents} of both", both) if both else "",
        *(
            say_many("{count} {document|documents} of {version} only", number, version=version)
            if number
            else ""
            for number, version in zip(alone, (step.first, step.second), strict=True)
        ),
    ]


def version_span(versions: Sequence[str], order: Sequence[str]) -> str:
    """Return versions in words, those that follow each other as a span: "0.9, 1.1 to 1.4"."""
    runs: list[list[str]] = []
    for version in versions:
        if runs and order.index(version) == order.index(runs[-1][-1]) + 1:
            runs[-1].append(version)
        else:
            runs.append([version])
    runs_in_words = (
        [say("{first} to {last}", first=run[0], last=run[-1])] if len(run) > SEVERAL else run for run in runs
    )
    return listed([part for run in runs_in_words for part in run])


# What was released of a version, and what differs from it now.

# So many documents are named.
MOST_NAMED = 10


def released(version: VersionState) -> Iterator[str]:
    """Yield when a version was released, why again, and what differs now."""
    release = version.release
    if release is None:
        return
    if release.released:
        message = N_("Guidelines {version} were released on {date}.")
        yield say(message, version=version.version, date=language.date(release.released))
    else:
        yield say("Guidelines {version} were released.", version=version.version)
    for reason in release.again:
        yield say("Why they were released again: {reason}", reason=reason)
    yield from differences(version) if release.differs else [_("Nothing has changed since.")]


def differences(version: VersionState) -> Iterator[str]:
    """Yield what of a version is not as it was released."""
    release = version.release
    if release is None:
        return
    if release.withdrawn:
        yield say_many(
            "Since then all labels of {count} {annotator|annotators} were taken out.", release.withdrawn
        )
    if release.documents:
        number, names = release.labels, [name for name in release.documents if name]
        yield say_many("Since then at least {count} {label has|labels have} changed.", number)
        if names:
            more = [_("others")] if len(names) > MOST_NAMED else []
            yield say_many(
                "They are of {count} {document|documents}: {names}.",
                len(names),
                names=listed([*names[:MOST_NAMED], *more]),
            )
    for moved_figure in release.figures:
        yield say_either(
            len(version.layers) > 1,
            "{name}{ of layer {layer}|} was {released}, and is {now}.",
            name=as_heading(moved_figure.name),
            layer=moved_figure.layer,
            released=_value(moved_figure.released),
            now=_value(moved_figure.now),
        )


def _value(value: float | None) -> str:
    return _("undefined") if value is None else numbers.figure(value)


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
    dated = [(version, updated) for version in reversed(history.versions) if (updated := _date(version))]
    news = list(_changed_releases(history))
    if not (dated or news):
        return None
    root = etree.Element(f"{{{ATOM}}}feed", nsmap={None: ATOM})
    root.set(LANG, edition().language)
    _add(root, "title", say("{title}: guidelines versions", title=history.campaign.title))
    _add(root, "id", _id(history.campaign.id))
    _add(root, "updated", max([updated for _, updated in dated] + [updated for *_, updated in news]))
    for name in history.campaign.authors or (history.campaign.title,):
        _add(etree.SubElement(root, f"{{{ATOM}}}author"), "name", name)
    _link(root, "self", "feed.xml", "application/atom+xml")
    _link(root, "alternate", "index.html", "text/html")

    def add(title: str, names: Sequence[str], updated: str, href: str, summary: Iterable[str]) -> None:
        entry = etree.SubElement(root, f"{{{ATOM}}}entry")
        _add(entry, "title", title)
        _add(entry, "id", _id(history.campaign.id, *names))
        _add(entry, "updated", updated)
        _link(entry, "alternate", href, "text/html")
        _add(entry, "summary", " ".join(summary))

    for version, updated in dated:
        of_version = {"title": history.campaign.title, "version": version.version}
        title, href = say("{title}: guidelines {version}", **of_version), f"{version.version}/index.html"
        own = (verdict(version), change(history, history.step_to(version.version)))
        changes = " ".join(version.changes.split())
        what = say("Changes: {changes}", changes=changes) if changes else ""
        add(title, [version.version], updated, href, filter(None, (*own, what)))
    for version, release, updated in news:
        of_version = {"title": history.campaign.title, "version": version.version}
        title = say("{title}: guidelines {version}, as released", **of_version)
        # Another change is other news.
        names = [version.version, dumps(release)]
        add(title, names, updated, "index.html#released", released(version))
    etree.indent(root, " ")
    text = etree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'


def _changed_releases(history: History) -> Iterator[tuple[VersionState, ReleaseState, str]]:
    """Yield each version that was released again, or is not as it was released, with the moment of that.

    When a label was edited nobody says: it was after the release, so the end of that day is taken.
    """
    for version in reversed(history.versions):
        release = version.release
        if release and (release.again or release.differs):
            day = release.released or version.date
            if (
                updated := f"{day}T{'23:59:59' if release.differs else '00:00:00'}Z"
                if day
                else _date(version)
            ):
                yield version, release, updated


def _add(parent: etree._Element, tag: str, text: str) -> None:
    etree.SubElement(parent, f"{{{ATOM}}}{tag}").text = printable(" ".join(text.split()))


def _link(parent: etree._Element, kind: str, href: str, media: str) -> None:
    etree.SubElement(parent, f"{{{ATOM}}}link", rel=kind, href=href, type=media)


def _id(*names: str) -> str:
    """Return the lasting id of a campaign, or of one of its versions: the same wherever the site is."""
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

# A verdict's colour and mark: who does not see the colours apart sees the shapes. White is on each
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
    if any(layer.answer for layer in newest.layers):
        return _badge_of_subjects(newest)
    if len(newest.layers) > 1:
        counts = {"count": newest.acceptable, "all": len(newest.layers)}
        message = say("acceptable on {count} of {all} layers", **counts)
        title = say("{verdict} Guidelines {version}.", verdict=verdict(newest), version=newest.version)
        return Badge(_("agreement"), message, newest.severity, title)
    figure = newest.first.figure
    if newest.answer_of(newest.first.layer):  # a verdict without a figure: none speaks for the annotation
        return Badge(_("agreement"), _("no verdict"), newest.severity, verdict(newest), defined=False)
    value_in_words = say(
        "{name} {value} under guidelines {version}.",
        name=as_heading(newest.first.name),
        value=short(figure),
        version=newest.version,
    )
    label = say("agreement {symbol}", symbol=newest.first.symbol)
    title = f"{value_in_words} {verdict(newest)}"
    return Badge(label, short(figure), newest.severity, title, defined=figure.value is not None)


def _badge_of_subjects(newest: VersionState) -> Badge:
    """Return a badge with the figures that verdicts are about; layers of several questions are counted."""
    title = say("{verdict} Guidelines {version}.", verdict=verdict(newest), version=newest.version)
    first, answer = newest.first, newest.first.answer
    asked = {
        (layer.subject, layer.answer.figure, layer.answer.who) if layer.answer else None
        for layer in newest.layers
    }
    if answer is None or len(asked) > 1:
        message = say_many("{count} {layer|layers}", len(newest.layers))
        return Badge(_("report"), message, newest.severity, title, defined=False)
    label = badge_label(first.subject or "annotators", answer)
    values = sorted(layer.shown.value for layer in newest.layers if layer.shown.value is not None)
    if len(newest.layers) > 1 and values:
        message = say(
            "{least} to {most} on {count} layers",
            least=_two_decimals(values[0]),
            most=_two_decimals(values[-1]),
            count=len(newest.layers),
        )
        return Badge(label, message, newest.severity, title)
    return Badge(label, short(first.shown), newest.severity, title, defined=bool(values))


def short(figure: Figure) -> str:
    """Return a figure with two decimals and without the zero before them, with its interval."""
    if figure.value is None:
        return _("undefined")
    interval = ends(figure)
    shown = (
        f" [{_two_decimals(interval[0])}{habits().between}{_two_decimals(interval[1])}]" if interval else ""
    )
    return f"{_two_decimals(figure.value)}{shown}"


def _two_decimals(value: float) -> str:
    """Return two decimals as agreement is cited; what is not 1 is not rounded to it.

    English leaves out the zero before them; where the comma is decimal it has to be there.
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
    newest_badge, state = badge(history), history.newest.lowest
    shown, answer = state.shown, state.answer
    interval = ends(shown)
    content = {
        "schemaVersion": 1,
        "label": printable(newest_badge.label),
        "message": printable(newest_badge.message),
        "color": newest_badge.color,
        "value": shown.value,
        "interval": {"low": interval[0], "high": interval[1]} if interval else None,
        "coefficient": answer.figure if answer else state.coefficient,
        "version": history.newest.version,
        "campaign": history.campaign.id,
    }
    if len(history.newest.layers) > 1:
        content |= {"layer": state.layer, "layers": len(history.newest.layers)}
    if shown.undefined:
        content["undefined"] = shown.undefined
    if state.subject:
        said = {"who": answer.who, "against": answer.against} if answer else {}
        content |= {"subject": state.subject, **{key: name for key, name in said.items() if name}}
    return json.dumps(content, sort_keys=True, ensure_ascii=False, indent=1) + "\n"


def badge_svg(history: History) -> str:
    """Return the badge as an image of its own, with its text as text."""
    newest_badge = badge(history)
    left, right = _width(newest_badge.label) + 14, _width(newest_badge.message) + 29
    width = left + right
    box = {"xmlns": SVG, "viewBox": f"0 0 {width} {HEIGHT}", "width": str(width), "height": str(HEIGHT)}
    label = f"{newest_badge.label} {newest_badge.message}"
    root = ET.Element("svg", box | {"role": "img", "aria-label": printable(label)})
    ET.SubElement(root, "title").text = printable(newest_badge.title)
    # Two halves with a rounded outer edge each.
    halves = {
        LABEL: f"M3 0H{left}V{HEIGHT}H3A3 3 0 0 1 0 {HEIGHT - 3}V3A3 3 0 0 1 3 0Z",
        newest_badge.color: f"M{left} 0H{width - 3}a3 3 0 0 1 3 3V{HEIGHT - 3}a3 3 0 0 1 -3 3H{left}Z",
    }
    for fill, path in halves.items():
        ET.SubElement(root, "path", {"d": path, "fill": fill})
    letters = {"font-family": FONT, "font-size": str(TEXT), "fill": "#ffffff"}
    words = ET.SubElement(root, "g", letters | {"text-anchor": "middle", "aria-hidden": "true"})
    _text(words, newest_badge.label, left / 2)
    _text(words, newest_badge.message, left + 20 + (right - 27) / 2)
    mark = MARKS[newest_badge.severity if newest_badge.defined else "warning"]
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
