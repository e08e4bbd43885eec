"""Figures as lines over versions: what is drawn, apart from how."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from reportgen.report.figures.svg import element, rule, shape, short
from reportgen.report.history.words import is_shown
from reportgen.results import Figure
from reportgen.results.history import History, LayerMove, LayerState, Move, SystemState
from reportgen.words import numbers
from reportgen.words.language import N_, _, say
from reportgen.words.names import as_heading

# What a system's figure may be of, and what history.json calls F of marks.
OF_UNITS, OF_MARKS = N_("{name}, units"), N_("{name}, marks in texts")
STRICT_F = N_("F, strict")


@dataclass(frozen=True)
class Point:
    """A figure under one version; `kind` is what it was computed as: figures of two kinds are not joined.

    `move` is the move that led to it, where that was compared; `beside` a figure drawn as a band behind it.
    """

    figure: Figure | None
    kind: str = ""
    move: Move | None = None
    beside: Figure | None = None

    @property
    def value(self) -> float | None:
        """Return the value, None where there is none."""
        return self.figure.value if self.figure else None

    @property
    def ends(self) -> tuple[float, float] | None:
        """Return the ends of the interval, None where there is none."""
        return ends(self.figure)

    @property
    def mark(self) -> str:
        """Return how the move to it came out: "rise", "fall", "open" where chance may explain it, or ""."""
        if self.move is None or self.move.p is None or self.move.difference is None:
            return ""
        if not is_shown(self.move):
            return "open"
        return "rise" if self.move.difference > 0 else "fall"


def ends(figure: Figure | None) -> tuple[float, float] | None:
    """Return the ends of a figure's interval, None where there is none."""
    if figure is None or figure.interval is None:
        return None
    low, high = figure.interval.low, figure.interval.high
    return None if low is None or high is None else (low, high)


@dataclass(frozen=True)
class Line:
    """One figure over all versions, the oldest first."""

    label: str
    points: tuple[Point, ...]

    @property
    def known(self) -> bool:
        """Tell whether there is anything to draw."""
        return any(point.value is not None for point in self.points)


def coefficients(history: History) -> list[Line]:
    """Return the primary coefficient of each layer."""
    return [Line(name, tuple(_of_layer(history, name, _coefficient))) for name in history.layers]


def strict_f(history: History) -> list[Line]:
    """Return the mean strict F of each layer with marks in texts."""
    lines = [Line(name, tuple(_of_layer(history, name, _f))) for name in history.layers]
    return [line for line in lines if line.known]


def _of_layer(
    history: History, layer: str, point: Callable[[LayerState, LayerMove | None], Point]
) -> Iterator[Point]:
    for version in history.versions:
        state, step = version.layer(layer), history.step_to(version.version)
        found = step.layer(layer) if step else None
        yield point(state, found) if state else Point(None)


def _coefficient(state: LayerState, moved: LayerMove | None) -> Point:
    same = moved.coefficient if moved and moved.coefficient.figure == state.coefficient else None
    return Point(state.figure, state.coefficient, same)


def _f(state: LayerState, moved: LayerMove | None) -> Point:
    return Point(state.f_measure, "", moved.f_measure if moved else None)


def categories(history: History, layer: str) -> list[Line]:
    """Return the specific agreement of each category of a layer, those of the newest version first."""
    states = [state for version in reversed(history.versions) if (state := version.layer(layer))]
    names = dict.fromkeys(name for state in states for name in state.categories)
    return [Line(name, tuple(_of_category(history, layer, name))) for name in names]


def _of_category(history: History, layer: str, category: str) -> Iterator[Point]:
    for version in history.versions:
        state, step = version.layer(layer), history.step_to(version.version)
        found = step.layer(layer) if step else None
        move = found.specific_agreement.get(category) if found else None
        yield Point(state.specific_agreement.get(category) if state else None, "", move)


def systems(history: History, layer: str) -> list[tuple[str, list[Line]]]:
    """Return each system of a layer against the reference, by the figure, marks in texts and units apart."""
    found: dict[tuple[bool, str], dict[str, list[tuple[int, SystemState]]]] = {}
    for place, version in enumerate(history.versions):
        state = version.layer(layer)
        for each in state.systems if state else ():
            own = found.setdefault((each.unit_set is not None, each.name), {})
            own.setdefault(_called(each), []).append((place, each))
    size = len(history.versions)
    return [
        (
            say(OF_UNITS if units else OF_MARKS, name=as_heading(name)),
            [_system(*each, size) for each in own.items()],
        )
        for (units, name), own in found.items()
    ]


def _called(system: SystemState) -> str:
    """Return what a system is called: a model may have a pseudonym, as people have."""
    return say("{name} (model)", name=system.system) if system.role == "model" else system.system


def _system(name: str, states: list[tuple[int, SystemState]], size: int) -> Line:
    points = [Point(None)] * size
    for place, each in states:
        points[place] = Point(each.value, beside=each.humans)
    return Line(name, tuple(points))


# The text alternative of a plot over versions: its values in words.

# Of a line with more points than these, some are told.
MOST_DESCRIBED = 12
# A figure under one version in words, by the mark of the move that led to it.
IN_WORDS = {
    "rise": N_("{version} {value}, more than before"),
    "fall": N_("{version} {value}, less than before"),
}


def described(names: Sequence[str], lines: Sequence[Line]) -> str:
    """Return the text alternative: every value of few versions, first, lowest, highest and last of many."""
    return " ".join(
        say("{name}: {values}.", name=line.label, values=_in_words(names, line)) for line in lines
    )


def _in_words(names: Sequence[str], line: Line) -> str:
    told = [(name, point) for name, point in zip(names, line.points, strict=True) if point.value is not None]
    if not told:
        return _("undefined under every version")
    if len(told) > MOST_DESCRIBED:
        by_value = sorted(told, key=lambda each: each[1].value or 0.0)
        chosen = {id(each): each for each in (told[0], by_value[0], by_value[-1], told[-1])}.values()
        told = [each for each in told if id(each) in {id(one) for one in chosen}]
    return _("; ").join(_point_in_words(name, point) for name, point in told)


def _point_in_words(name: str, point: Point) -> str:
    value = numbers.estimate(point.figure)
    known = IN_WORDS.get(point.mark)
    said = say(known, version=name, value=value) if known else f"{name} {value}"
    if not point.beside:
        return said
    return say(
        "{figure}, annotators with each other {beside}", figure=said, beside=numbers.estimate(point.beside)
    )


# A campaign's coefficient over its versions as a line of words' height: where it came from, at a glance.

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
