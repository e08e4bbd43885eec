"""Figures as lines over versions: what is drawn, apart from how."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from reportgen.results import Figure
from reportgen.results.history import History, LayerMove, LayerState, Move, SystemState
from reportgen.words import numbers
from reportgen.words.language import N_, _, say
from reportgen.words.names import as_heading

# What a system's figure may be of, and what history.json calls F of marks.
OF_UNITS, OF_MARKS = N_("{name}, units"), N_("{name}, marks in texts")
STRICT_F = N_("F, strict")


LEVEL = 0.05


def is_shown(move: Move | None) -> bool:
    """Tell whether a move is more than chance explains, at the level of 5%."""
    return move is not None and move.p is not None and move.p < LEVEL and bool(move.difference)


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
    return [Line(name, tuple(_of_layer(history, layer, partial(_category, name)))) for name in names]


def _category(name: str, state: LayerState, moved: LayerMove | None) -> Point:
    move = moved.specific_agreement.get(name) if moved else None
    return Point(state.specific_agreement.get(name), "", move)


def systems(history: History, layer: str) -> list[tuple[str, list[Line]]]:
    """Return each system of a layer against the reference, by the figure, marks in texts and units apart."""
    found: dict[tuple[bool, str], dict[str, list[tuple[int, SystemState]]]] = {}
    for place, version in enumerate(history.versions):
        state = version.layer(layer)
        for each in state.systems if state else ():
            own = found.setdefault((each.unit_set is not None, each.name), {})
            # A model may have a pseudonym, as people have.
            called = say("{name} (model)", name=each.system) if each.role == "model" else each.system
            own.setdefault(called, []).append((place, each))
    size = len(history.versions)
    return [
        (
            say(OF_UNITS if units else OF_MARKS, name=as_heading(name)),
            [_system(*each, size) for each in own.items()],
        )
        for (units, name), own in found.items()
    ]


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
