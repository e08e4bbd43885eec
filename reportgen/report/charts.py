"""Small charts of pages: SVG whose places across are per cent, so that lines stretch and letters do not."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup

from reportgen.base.dataclass import dataclass
from reportgen.figures.style import THRESHOLDS
from reportgen.report.html_blocks import text
from reportgen.words import numbers
from reportgen.words.language import say, say_either

# How high a chart of lines is, and how far its labels are apart at least, in pixels.
HIGH, APART = 250.0, 17.0
# A bar has room for a number from so many per cent on; what stands aside is so far away.
ROOM, GAP = 5.0, 2.0
# Of longer names a label has so much.
LONGEST = 24


class Slice(NamedTuple):
    """A part of a bar: how it looks, what it is, how many cases, and who alone has them.

    A look that is another label in every row `means` the same in all of them; `label` is which one it is.
    What stands `aside` is no part of the whole.
    """

    look: str
    name: str
    cases: float
    who: str = ""
    means: str = ""
    label: str = ""
    aside: bool = False


class ChartRow(NamedTuple):
    """A row of a chart: its name, its drawing, and its numbers in words."""

    name: str
    drawn: Markup
    said: str


class ChartPoint(NamedTuple):
    """A value with its interval, at a place from 0 to 1; `text` is written at it, `guessed` ones are open."""

    x: float
    y: float
    ends: tuple[float, float] | None = None
    text: str = ""
    guessed: bool = False


@dataclass(frozen=True)
class Course:
    """A line: its name, at its end, and its points, None where there is none; a `strong` one is thick.

    `shown` tells of each step to a point whether it is more than chance; without it none is told apart.
    """

    name: str
    points: Sequence[ChartPoint | None]
    strong: bool = False
    shown: Sequence[bool] = ()


IN_KEYS = {
    "rect": Markup('<rect class="{}" width="12" height="12" rx="2"/>'),
    "circle": Markup('<circle class="{}" cx="6" cy="6" r="5"/>'),
}


def key(parts: Iterable[Slice], shape: str = "rect") -> Markup:
    """Return what the colours of bars, or of dots, mean, each once."""
    own, item = IN_KEYS[shape], Markup('<li><svg viewBox="0 0 12 12" aria-hidden="true">{}</svg>{}</li>')
    looks = {
        part.look: item.format(own.format(part.look), text(part.means or part.name))
        for part in parts
        if part.cases
    }
    return Markup('<ul class="key">{}</ul>\n').format(Markup().join(looks.values()))


def rows(shown: Iterable[ChartRow]) -> Markup:
    """Return rows below each other."""
    row = Markup('<div><h3>{}</h3>{}<p class="small">{}</p></div>\n')
    return Markup('<div class="drawn">\n{}</div>\n').format(
        Markup().join(row.format(text(name), drawn, text(said)) for name, drawn, said in shown)
    )


def bar(parts: Sequence[Slice], whole: float) -> Markup:
    """Return parts as a bar, of which `whole` cases are as wide as there is room, with what stands aside."""
    at, drawn = 0.0, Markup()
    for part in parts:
        if not part.cases:
            continue
        at += GAP * part.aside
        wide = part.cases / whole * (100 - GAP)
        drawn += Markup('<rect class="{}" x="{}%" width="{}%" height="100%"/>').format(
            part.look, f"{at:.2f}", f"{max(wide - 0.12, 0.05):.2f}"
        )
        if wide > ROOM:
            drawn += Markup('<text class="on-{}" x="{}%" y="64%">{}</text>').format(
                part.look, f"{at + wide / 2:.2f}", numbers.count(round(part.cases))
            )
        at += wide
    return Markup('<svg class="whole-bar" aria-hidden="true">{}</svg>').format(drawn)


def places(dots: Iterable[tuple[str, float, tuple[float, float] | None]], high: float) -> Markup:
    """Return values from 0 to `high` on a line, each as it looks, with its interval."""
    drawn = Markup('<line class="axis" x2="100%" y1="15" y2="15"/>')
    for number, (look, value, ends) in enumerate(dots):
        y = 8 + 7 * number
        if ends:
            drawn += _between(ends[0] / high, ends[1] / high, y, y, "span")
        drawn += Markup('<circle class="{}" cx="{}%" cy="{}" r="5.5"/>').format(
            look, _across(value / high), y
        )
    return Markup('<svg class="on-line" aria-hidden="true">{}</svg>').format(drawn)


def mirrored(histogram: Sequence[tuple[int, int]], far: int) -> Markup:
    """Return how often something differs by how much, at a middle of 0: early left, late right."""
    most = max(times for _place, times in histogram)
    milliseconds = min((abs(place) for place, _times in histogram if place), default=1)
    step, drawn = 100 / (2 * far / milliseconds + 1), Markup()
    for place, times in histogram:
        x, high = 50 + place / milliseconds * step, 60 * times / most
        drawn += Markup('<rect class="{}" x="{}%" width="{}%" y="{}" height="{}"/>').format(
            "first" if place < 0 else "second" if place else "same",
            *(f"{value:.2f}" for value in (x - step * 0.45, step * 0.9, 62 - high, high)),
        )
    early, late = (
        say_either(way, "{size} ms {earlier|later}", size=numbers.count(far)) for way in (True, False)
    )
    for x, anchor, words in ((0.0, "start", early), (0.5, "middle", "0"), (1.0, "end", late)):
        drawn += _text((x, 78), words, anchor, look="quiet-text")
    zero = Markup(
        '<line class="axis" x1="50%" x2="50%" y2="62"/><line class="axis" x2="100%" y1="62" y2="62"/>'
    )
    return Markup('<svg class="mirrored" aria-hidden="true">{}{}</svg>').format(zero, drawn)


def lines(
    courses: Sequence[Course],
    below: Sequence[tuple[float, str]],
    said: str,
    *,
    banded: bool = False,
    under: Markup | str = "",
) -> Markup:
    """Return lines over what is written below them, at places from 0 to 1; `said` is all of it in words.

    `banded` values are agreement, from 0 or below to 1, on bands; others are shares, from 0 to the highest.
    """
    points = [point for course in courses for point in course.points if point]
    values = [value for point in points for value in (point.y, *(point.ends or ()))]
    several = len({course.name for course in courses}) > 1
    low, high = (min(0.0, *values), 1.0) if banded else (0.0, max(values) * 1.1 or 1.0)

    def y(value: float) -> float:
        return HIGH * (1 - (max(value, low) - low) / (high - low))

    drawn = Markup()
    if banded:
        for look, first, last in (("between", *THRESHOLDS), ("enough", THRESHOLDS[1], 1.0)):
            drawn += Markup('<rect class="{}" width="100%" y="{}" height="{}"/>').format(
                look, f"{y(last):.1f}", f"{y(first) - y(last):.1f}"
            )
        for value, words in ((0.0, "0"), (1.0, "1"), *((each, numbers.short(each)) for each in THRESHOLDS)):
            drawn += _text((0, y(value) + 4), words, "end", -8, "quiet-text")
    drawn += Markup('<line class="axis" x2="100%" y1="{0}" y2="{0}"/>').format(f"{y(low):.1f}")
    for course in courses:
        drawn += _course(course, y, labelled=banded and not several)
    for x, words in below:
        drawn += _text((x, HIGH + 20), words)
    if not banded or several:
        drawn += Markup().join(_labels(courses, y))
    return Markup(
        '<div class="lines{}"><svg class="courses" height="{}" role="img" aria-label="{}">{}</svg>{}</div>\n'
    ).format(" banded" * (banded and not several), round(HIGH + 26), text(said), drawn, under)


def _course(course: Course, y: Callable[[float], float], *, labelled: bool) -> Markup:
    drawn, before = Markup(), None
    strong = " strong" * course.strong
    for number, point in enumerate(course.points):
        if point and before:
            open_step = point.guessed or (course.shown and not course.shown[number])
            drawn += _between(
                before.x, point.x, y(before.y), y(point.y), f"course{strong}{' open-step' * bool(open_step)}"
            )
        before = point
    for number, point in enumerate(course.points):
        if point is None:
            continue
        if point.ends:
            drawn += _between(point.x, point.x, y(point.ends[0]), y(point.ends[1]), "ends")
        look = "guess" if point.guessed else "value"
        drawn += Markup('<circle class="{}{}" cx="{}%" cy="{}" r="5"/>').format(
            look, strong, _across(point.x), f"{y(point.y):.1f}"
        )
        if point.text and labelled:
            beside = [
                course.points[place] for place in (number - 1, number + 1) if 0 <= place < len(course.points)
            ]
            drawn += _at(point, [each for each in beside if each], y)
    return drawn


def _at(point: ChartPoint, beside: Sequence[ChartPoint], y: Callable[[float], float]) -> Markup:
    """Return a label where no line of its point is: away from its neighbours."""
    left = any(each.y >= point.y for each in beside if each.x < point.x)
    right = any(each.y >= point.y for each in beside if each.x > point.x)
    if left and right:
        return _text((point.x, y(point.y) + 22), point.text, look="label-text")
    anchor, way = ("start", 9) if left else ("end", -9)
    return _text((point.x, y(point.y) - 10), point.text, anchor, way, "label-text")


def _labels(courses: Sequence[Course], y: Callable[[float], float]) -> Iterator[Markup]:
    """Yield values at the beginning of lines, values and names at their ends, none above another."""
    for last, anchor, way in ((False, "end", -10), (True, "start", 10)):
        ends = []
        for course in courses:
            points = [point for point in course.points if point]
            if points:
                ends.append((y(points[-1 if last else 0].y), points[-1 if last else 0], course))
        ends.sort(key=lambda each: each[0])
        free = -APART
        heights = [free := max(height, free + APART) for height, _point, _course in ends]
        over = max(0.0, heights[-1] - HIGH) if heights else 0.0
        for height, (_height, point, course) in zip(heights, ends, strict=True):
            name = course.name if len(course.name) <= LONGEST else f"{course.name[: LONGEST - 1]}…"
            words = f"{point.text} {name}" if last else point.text
            look = "label-text" if course.strong else "quiet-text"
            yield _text((point.x, height - over + 4), words, anchor, way, look)


def _between(x: float, other: float, y: float, under: float, look: str) -> Markup:
    return Markup('<line class="{}" x1="{}%" x2="{}%" y1="{}" y2="{}"/>').format(
        look, _across(x), _across(other), f"{y:.1f}", f"{under:.1f}"
    )


def _text(
    at: tuple[float, float], words: str, anchor: str = "middle", way: float = 0, look: str = "below"
) -> Markup:
    """Return words at a place, `way` pixels beside it."""
    return Markup('<text class="{}" x="{}%" dx="{}" y="{}" text-anchor="{}">{}</text>').format(
        look, _across(at[0]), way, f"{at[1]:.1f}", anchor, text(words)
    )


def _across(place: float) -> str:
    return f"{100 * min(max(place, 0.0), 1.0):.2f}"


def chart(title: str, about: str, drawn: Markup) -> Markup:
    """Return a chart below its title, and what it shows."""
    said = Markup('<p class="small">{}</p>\n').format(text(about)) if about else ""
    return Markup("<div>\n<h2>{}</h2>\n{}{}</div>\n").format(text(title), said, drawn)


def threshold_said() -> str:
    """Return what the bands mean."""
    low, high = map(numbers.short, THRESHOLDS)
    return say(
        "Bands begin at the usual minimum, {first}, and at {second}, which is good.", first=low, second=high
    )
