"""A campaign's coefficient over its versions as a line of words' height: where it came from, at a glance."""

from collections.abc import Iterator, Sequence
from xml.etree import ElementTree as ET

from reportgen.report import numbers
from reportgen.report.figures.elements import element, rule, shape, short
from reportgen.report.history.series import Line, Point, coefficients
from reportgen.report.language import _, say
from reportgen.report.names import as_heading
from reportgen.results.history import History

WIDTH, HEIGHT, EDGE = 240.0, 60.0, 7.0
# Of more versions than these, the newest are drawn.
MOST = 24
# What is below 0 stands at the foot.
LOW, HIGH = 0.0, 1.0


def sparkline(history: History) -> str:
    """Return the only layer's coefficient over the versions; empty where there is no line to draw."""
    line = coefficients(history)[0]
    points = line.points[-MOST:]
    if sum(point.value is not None for point in points) <= 1:
        return ""
    root = element(
        "svg", viewBox=f"0 0 {WIDTH:g} {HEIGHT:g}", width=f"{WIDTH:g}", height=f"{HEIGHT:g}", role="img"
    )
    root.set("class", "spark")
    root.set("aria-label", _said(history))
    root.extend(_parts(Line(line.label, points)))
    return ET.tostring(root, encoding="unicode")


def _said(history: History) -> str:
    """Return the values in words."""
    known = [(each.version, each.first.figure) for each in history.versions[-MOST:]]
    values = _("; ").join(f"{version} {numbers.estimate(figure)}" for version, figure in known)
    return say("{name}: {values}.", name=as_heading(history.newest.first.name), values=values)


def _parts(line: Line) -> Iterator[ET.Element]:
    """Yield the scale's ends, intervals, the line, and its points; the newest is larger."""
    for value in (LOW, HIGH):
        yield rule((0, _y(value), WIDTH, _y(value)), "rule", "0.8")
    places = [(_x(place, len(line.points)), point) for place, point in enumerate(line.points)]
    intervals = "".join(_intervals(places))
    yield element(
        "path", d=intervals, stroke="series-1", stroke_width="2", stroke_opacity="0.55", fill="none"
    )
    yield element("path", d="".join(_joints(places)), stroke="series-1", stroke_width="1.6", fill="none")
    known = [(x, _y(each.value)) for x, each in places if each.value is not None]
    yield shape("circle", known[:-1], 2, "series-1")
    yield shape("circle", known[-1:], 4, "series-1")


def _intervals(places: Sequence[tuple[float, Point]]) -> Iterator[str]:
    """Yield a stroke from end to end of each interval."""
    for x, point in places:
        low, high = point.ends or (None, None)
        if low is not None and high is not None:
            yield f"M{short(x)} {short(_y(low))}V{short(_y(high))}"


def _joints(places: Sequence[tuple[float, Point]]) -> Iterator[str]:
    """Yield the line from point to point; it begins anew after a gap, and where its kind is another."""
    before = Point(None)
    for x, point in places:
        if point.value is not None:
            joined = before.value is not None and before.kind == point.kind
            yield f"{'L' if joined else 'M'}{short(x)} {short(_y(point.value))}"
        before = point


def _x(place: int, count: int) -> float:
    return EDGE + (WIDTH - 2 * EDGE) * place / max(count - 1, 1)


def _y(value: float) -> float:
    return EDGE + (HEIGHT - 2 * EDGE) * (HIGH - min(HIGH, max(LOW, value)))
