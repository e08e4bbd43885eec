"""What `reportgen build` prints: every version in a line, every layer of the newest."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import typer

from reportgen.base.errors import printable

if TYPE_CHECKING:
    from reportgen.pipeline.build import Site
    from reportgen.pipeline.build_cache import LayerScore, VersionScore

# The verdict on a layer: a mark for those who do not see its colour, a word, the colour. The gravest first.
VERDICTS = {
    "problem": ("✗", "too low", typer.colors.RED),
    "warning": ("?", "undecided", typer.colors.YELLOW),
    "note": ("~", "with caution", typer.colors.BLUE),
    "good": ("✓", "high", typer.colors.GREEN),
}


def scoreboard(site: "Site") -> Iterator[str]:
    """Yield a line for each version, and one for each layer of a campaign's newest, the worst first."""
    for campaign in site.campaigns:
        for version in campaign.versions:
            yield f"{campaign.id} {version.score.version}: {_score(version.score)}"
        for newest in campaign.versions[-1:]:
            if len(newest.score.layers) > 1:
                yield from _layers(newest.score.layers)


def _score(score: "VersionScore") -> str:
    """Return the figure and the verdict of one layer, of several how many have each verdict."""
    if len(score.layers) > 1:
        found = Counter[str](each.severity for each in score.layers)
        counts = [f"{VERDICTS[each][1]} on {found[each]}" for each in VERDICTS if found[each]]
        return f"agreement is {', '.join(counts)} of {len(score.layers)} layers"
    (own,) = score.layers
    _, word, colour = VERDICTS[own.severity]
    return f"{printable(own.coefficient)} {own.figure}, {_in_colour(word, colour)}"


def _layers(layers: Sequence["LayerScore"]) -> Iterator[str]:
    order = list(VERDICTS)
    widths = [_widest(each.layer for each in layers), _widest(each.figure for each in layers)]
    for each in sorted(layers, key=lambda one: order.index(one.severity)):
        mark, word, colour = VERDICTS[each.severity]
        cells = (
            f"{text:{width}}"
            for text, width in zip((printable(each.layer), each.figure), widths, strict=True)
        )
        yield f"  {_in_colour(mark, colour)}  {'  '.join(cells)}  {_in_colour(word, colour)}"


def _widest(texts: Iterable[str]) -> int:
    return max(map(len, texts))


def _in_colour(text: str, colour: str) -> str:
    """Return a text in its colour; what is no terminal is sent none."""
    return text if os.environ.get("NO_COLOR") else typer.style(text, fg=colour)
