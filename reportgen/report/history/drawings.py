"""The figures of a history: agreement, categories, F and systems, each over the versions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from reportgen.report.escaping import printable
from reportgen.report.figures.svg import SHAPES, SVG, element, shape
from reportgen.report.history import series
from reportgen.report.history.plot import FEW_TICKS, MOST_LINES, Axis, Plot, Size, svg
from reportgen.report.history.series import Line
from reportgen.results.history import History
from reportgen.words import numbers
from reportgen.words.language import _, date, say
from reportgen.words.names import as_heading

THRESHOLDS = (0.667, 0.8)
LONGEST = 26
MOST_PANELS = 40
# Of many small plots, so many stand open on the page.
OPEN = 12
# A figure that a phone shows as it is; where versions need more room, it is drawn a second time, wide.
NARROW, WIDE = 380.0, 880.0
PANEL = Size(220, 132, left=26, right=15, top=8, bottom=24, text=10.5, ticks=FEW_TICKS)
# A file with all panels beside each other.
ACROSS, HEAD, GAP = 4, 20, 12


@dataclass(frozen=True)
class Panel:
    """One small plot with its heading."""

    title: str
    svg: str
    height: float


@dataclass(frozen=True)
class Chart:
    """A figure: one plot, or several small ones; `keys` names the lines of one plot by their marks.

    Its caption begins with its title.
    `wide` is the same plot for pages that have more room, None where it would not be another.
    """

    name: str
    caption: str
    panels: tuple[Panel, ...]
    keys: tuple[tuple[str, str], ...] = ()
    wide: Panel | None = None
    title: str = ""

    @property
    def first_panels(self) -> tuple[Panel, ...]:
        """Return the plots that stand open on the page."""
        return self.panels[:OPEN]

    @property
    def more_panels(self) -> tuple[Panel, ...]:
        """Return those that are folded away."""
        return self.panels[OPEN:]

    @property
    def small(self) -> bool:
        """Tell whether it consists of small plots."""
        return len(self.panels) > 1 or bool(self.panels[0].title)

    @property
    def file(self) -> str:
        """Return it as one SVG: small plots stand in rows, each under its heading."""
        if not self.small:
            return (self.wide or self.panels[0]).svg
        return _sheet(self)


def agreement(history: History) -> Chart | None:
    """Return the primary coefficient of each layer, its intervals, and the moves that were tested."""
    lines = [line for line in series.coefficients(history) if line.known]
    newest = {state.layer: state.name for version in history.versions for state in version.layers}
    names = set(newest.values())
    what = as_heading(names.pop()) if len(names) == 1 else _("The primary coefficient")
    title = say("{name} over guidelines versions, with 95% intervals.", name=what)
    first, second = map(numbers.pointed, map(str, THRESHOLDS))
    lowest = say(
        "Dotted lines are Krippendorff's thresholds, {first} and {second}.", first=first, second=second
    )
    return _chart(history, "agreement", (title, *_on_marks(lines), lowest), lines, thresholds=THRESHOLDS)


def _on_marks(lines: Sequence[Line]) -> list[str]:
    """Return what the marks above the axes mean, nothing where there are none."""
    if not any(point.mark for line in lines for point in line.points):
        return []
    return [
        _(
            "▲ and ▼ between two versions mark a rise or fall beyond chance at the level of 5%, – a "
            "difference that chance may explain; tests rest on what both versions share, where they share "
            "anything."
        )
    ]


def categories(history: History, layer: str) -> Chart | None:
    """Return the specific agreement of each category of a layer, a small plot each."""
    lines = [line for line in series.categories(history, layer) if line.known]
    if not lines:
        return None
    shown = lines[:MOST_PANELS]
    said = [_("Specific agreement of each category, with 95% intervals."), *_on_marks(shown)]
    if len(lines) > MOST_PANELS:
        counts = {"shown": numbers.count(MOST_PANELS), "count": numbers.count(len(lines))}
        said.append(say("Shown are the first {shown} of {count} categories.", **counts))
    return _panels(history, _named("specific-agreement", history, layer), said, shown)


def strict_f(history: History) -> Chart | None:
    """Return the strict F of marks in texts, the mean over pairs of annotators."""
    lines = series.strict_f(history)
    what = _("Strict F of marks in texts over guidelines versions, the mean over pairs of annotators.")
    return _chart(history, "f-measure", (what, *_on_marks(lines)), lines)


def systems(history: History, layer: str) -> Iterator[tuple[str, tuple[Line, ...], Chart]]:
    """Yield each figure of systems against the reference with its lines."""
    for number, (title, lines) in enumerate(series.systems(history, layer), 1):
        known = tuple(line for line in lines if line.known)
        caption = (
            say("{name}: systems against the reference, with 95% intervals.", name=title),
            _("Bands are annotators with each other on the same units, the bar in them their mean."),
        )
        name = f"{_named('systems', history, layer)}-{number}"
        if len(known) == 1:
            chart = _chart(history, name, caption, known)
        else:
            chart = _panels(history, name, caption, known[:MOST_PANELS]) if known else None
        if chart:
            yield title, known, chart


def _named(name: str, history: History, layer: str) -> str:
    return name if layer == history.layers[0] else f"{name}-{layer}"


def _axis(history: History, *, dated: bool) -> Axis:
    dates = tuple(date(each.date or "") for each in history.versions) if dated else ()
    return Axis(history.names, dates if any(dates) else ())


def _chart(
    history: History,
    name: str,
    said: Sequence[str],
    lines: Sequence[Line],
    *,
    thresholds: tuple[float, ...] = (),
) -> Chart | None:
    """Return one plot of a few lines, or a small one each of many; None where there is nothing to draw.

    `said` is its caption, sentence by sentence; the first is its title.
    """
    if not lines:
        return None
    if len(lines) > MOST_LINES:
        return _panels(history, name, said, lines[:MOST_PANELS], thresholds=thresholds)

    def panel(name: str, size: Size) -> Panel:
        plot = Plot(name, said[0], _axis(history, dated=True), lines, size, thresholds)
        return Panel("", svg(plot), plot.height)

    room = min(WIDE, 110.0 + 76.0 * len(history.names))
    wide = panel(name, Size(room, 300)) if room > 1.2 * NARROW else None
    narrow = panel(f"{name}-narrow" if wide else name, Size(NARROW, 280, text=12.5, right=14))
    keys = tuple((line.label, _key(place)) for place, line in enumerate(lines)) if len(lines) > 1 else ()
    return Chart(name, " ".join(said), (narrow,), keys, wide, said[0])


def _key(place: int) -> str:
    """Return the mark of a line as a little image that a legend shows before its name."""
    root = element("svg", viewBox="0 0 14 14", width="14", height="14", aria_hidden="true")
    root.append(shape(SHAPES[place], [(7, 7)], 4.5, f"series-{place + 1}"))
    return ET.tostring(root, encoding="unicode")


def _panels(
    history: History,
    name: str,
    said: Sequence[str],
    lines: Sequence[Line],
    *,
    thresholds: tuple[float, ...] = (),
) -> Chart:
    axis = _axis(history, dated=False)
    panels = []
    for number, line in enumerate(lines, 1):
        plot = Plot(f"{name}-{number}", line.label, axis, (line,), PANEL, thresholds)
        panels.append(Panel(line.label, svg(plot), plot.height))
    return Chart(name, " ".join(said), tuple(panels), title=said[0])


def _sheet(chart: Chart) -> str:
    """Return all small plots as one image, four in a row."""
    tall = max(panel.height for panel in chart.panels) + HEAD + GAP
    across = min(ACROSS, len(chart.panels))
    width = across * (PANEL.width + GAP)
    rows = -(-len(chart.panels) // ACROSS)
    root = element("svg", viewBox=f"0 0 {width:g} {rows * tall:g}", width=f"{width:g}")
    root.set("xmlns", SVG)
    for number, panel in enumerate(chart.panels):
        x, y = number % ACROSS * (PANEL.width + GAP), number // ACROSS * tall
        place = element("g", transform=f"translate({x:g} {y:g})", font_family="system-ui, sans-serif")
        head = element("text", x="0", y="14", font_size="12", fill="ink")
        head.text = printable(_shortened(panel.title))
        inner = ET.fromstring(panel.svg.replace(f' xmlns="{SVG}"', ""))  # noqa: S314 - our own plot
        inner.attrib |= {"y": str(HEAD), "height": f"{panel.height:g}"}
        place.extend((head, inner))
        root.append(place)
    return ET.tostring(root, encoding="unicode") + "\n"


def _shortened(text: str) -> str:
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= LONGEST else f"{one_line[: LONGEST - 1]}…"
