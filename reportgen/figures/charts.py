"""The figures of a campaign's page: what is drawn over versions, with captions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from reportgen.figures import lines as found_lines
from reportgen.figures.drawings import Drawing, drawing
from reportgen.figures.lines import Line
from reportgen.figures.style import THRESHOLDS, WIDTH
from reportgen.figures.versions import MOST_LINES, MOST_PANELS, known_lines, panels_plot, plot_of, small_plots
from reportgen.results.history import History
from reportgen.words import numbers
from reportgen.words.language import _, say
from reportgen.words.names import as_heading

# Where versions need more room than a phone has, a figure is drawn a second time, wide.
WIDE = 880.0
# Of many categories so many have a panel; their table has all.
MOST_CATEGORIES = 8


@dataclass(frozen=True)
class Chart:
    """A figure over versions: one plot, perhaps once more for pages that have room, or several small ones.

    Its caption begins with its title; `file` is the figure as one image.
    """

    file: Drawing
    caption: str
    narrow: Drawing | None = None
    panels: tuple[Drawing, ...] = ()

    @property
    def name(self) -> str:
        """Return the name of its file."""
        return self.file.name

    @property
    def title(self) -> str:
        """Return what it shows."""
        return self.file.title


def agreement(history: History) -> Chart | None:
    """Return the primary coefficient of each layer, its intervals, and the moves that were tested."""
    lines = known_lines(found_lines.coefficients(history))
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
    lines = known_lines(found_lines.categories(history, layer))
    if not lines:
        return None
    shown = lines[:MOST_CATEGORIES]
    said = [_("Specific agreement of each category, with 95% intervals."), *_on_marks(shown)]
    if len(lines) > len(shown):
        counts = {"shown": numbers.count(len(shown)), "count": numbers.count(len(lines))}
        said.append(say("Shown are the first {shown} of {count} categories.", **counts))
    return _small(history, _named("specific-agreement", history, layer), said, shown)


def strict_f(history: History) -> Chart | None:
    """Return the strict F of marks in texts, the mean over pairs of annotators."""
    lines = found_lines.strict_f(history)
    what = _("Strict F of marks in texts over guidelines versions, the mean over pairs of annotators.")
    return _chart(history, "f-measure", (what, *_on_marks(lines)), lines)


def systems(history: History, layer: str) -> Iterator[tuple[str, tuple[Line, ...], Chart]]:
    """Yield each figure of systems against the reference with its lines."""
    for number, (title, lines) in enumerate(found_lines.systems(history, layer), 1):
        known = tuple(known_lines(lines))
        caption = (
            say("{name}: systems against the reference, with 95% intervals.", name=title),
            _("Bands are annotators with each other on the same units, the bar in them their mean."),
        )
        name = f"{_named('systems', history, layer)}-{number}"
        draw = _chart if len(known) == 1 else _small
        chart = draw(history, name, caption, known[:MOST_PANELS]) if known else None
        if chart:
            yield title, known, chart


def _named(name: str, history: History, layer: str) -> str:
    return name if layer == history.layers[0] else f"{name}-{layer}"


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
    if len(lines) > MOST_LINES:
        return _small(history, name, said, lines[:MOST_PANELS], thresholds=thresholds)
    plot = partial(plot_of, history, lines, said[0], thresholds=thresholds)
    room = min(WIDE, 110.0 + 76.0 * len(history.names))
    if room <= 1.2 * WIDTH:
        whole = drawing(name, plot())
        return Chart(whole, " ".join(said)) if whole else None
    wide, narrow = drawing(name, plot(width=room)), drawing(f"{name}-narrow", plot())
    return Chart(wide, " ".join(said), narrow) if wide else None


def _small(
    history: History,
    name: str,
    said: Sequence[str],
    lines: Sequence[Line],
    *,
    thresholds: tuple[float, ...] = (),
) -> Chart | None:
    plots = small_plots(history, lines, thresholds)
    whole = drawing(name, panels_plot(said[0], plots))
    found = (drawing(f"{name}-{number}", each, panel=True) for number, each in enumerate(plots, 1))
    return Chart(whole, " ".join(said), panels=tuple(filter(None, found))) if whole else None
