"""agreement.txt: one paragraph, for archives that have a field of a thousand characters."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from reportgen.release.names import PARAGRAPH, RESULTS
from reportgen.release.released import Released
from reportgen.release.sentences import (
    has_layers,
    in_english,
    labelled,
    leading,
    of_coefficient,
    of_method,
    of_spans,
    of_weakest,
    plain,
    shortened,
)
from reportgen.report.language import date as day
from reportgen.results import Results, UnitSet

# What META-SHARE's field of inter-annotator agreement holds at most.
MOST = 1000
MOST_TITLE = 160


@dataclass(frozen=True)
class Sentence:
    """One sentence, and how soon it is left out where there is no room: the highest rank first.

    `shorter` say less in its place, the last one least, which is kept of `essential` ones before all else.
    What is said of a `layer` never stands without the essential sentence, which names it: it would be read
    as said of the layer before.
    """

    rank: int
    text: str
    shorter: tuple[str, ...] = ()
    layer: str = ""
    essential: bool = False

    @property
    def ways(self) -> tuple[str, ...]:
        """Return what may be said, the longest first."""
        return (self.text, *self.shorter)


@in_english
def write(released: Released) -> str:
    """Return the paragraph with a newline at its end."""
    return f"{paragraph(released.results)}\n"


def paragraph(results: Results, most: int = MOST - 1) -> str:
    """Return whole sentences on agreement, the most important ones, in at most so many characters."""
    sentences = [each for each in _sentences(results) if each.text]
    places = sorted(range(len(sentences)), key=lambda place: (sentences[place].rank, place))
    kept: dict[int, str] = {}
    # The figure of every layer in few words, before more is said of any.
    for place in places:
        if sentences[place].essential:
            _keep(kept, place, sentences[place].ways[-1:], most)
    for place in places:
        if not (sentences[place].layer and _unnamed(sentences, place, kept)):
            _keep(kept, place, sentences[place].ways, most)
    return " ".join(kept[place] for place in sorted(kept))


def _keep(kept: dict[int, str], place: int, ways: Sequence[str], most: int) -> None:
    """Keep the longest way of saying something that there is room for."""
    others = sum(len(text) + 1 for other, text in kept.items() if other != place)
    if fitting := [text for text in ways if others + len(text) <= most]:
        kept[place] = fitting[0]


def _unnamed(sentences: Sequence[Sentence], place: int, kept: Collection[int]) -> bool:
    """Tell whether the layer that a sentence is about is not named before it."""
    layer = sentences[place].layer
    named = next(other for other, each in enumerate(sentences) if each.layer == layer and each.essential)
    return named != place and named not in kept


def _sentences(results: Results) -> Iterator[Sentence]:
    first, *others = leading(results)
    title = shortened(results.campaign.title, MOST_TITLE)
    dated = f" of {day(results.revision.date)}" if results.revision.date else ""
    about = f"Inter-annotator agreement under guidelines {results.guidelines}{dated}"
    titled = f"{about}: {title}." if title else f"{about}."
    yield Sentence(0, titled, (f"{about}.",), essential=True)
    yield from _of_layer(results, first, 1)
    yield Sentence(4, _ended(of_method(results, first)))
    for place, each in enumerate(others, 1):
        yield from _of_layer(results, each, 10 * place)
    tool = results.tool
    computed = f"Computed with {tool.name} {tool.version}; every figure stands in {RESULTS}."
    yield Sentence(2, computed, essential=True)


def _of_layer(results: Results, unit_set: UnitSet, rank: int) -> Iterator[Sentence]:
    layer = f"Layer {unit_set.layer}: " if has_layers(results) else ""
    shown = f"{of_coefficient(results, unit_set)}."
    said = (f"{layer}{labelled(unit_set, named=each)}. {shown}" for each in (True, False))
    longest, *shorter = (*said, f"{layer}{shown}")
    yield Sentence(rank, longest, tuple(shorter), unit_set.layer, essential=True)
    yield Sentence(rank + 2, _ended(of_weakest(unit_set)), layer=unit_set.layer)
    yield Sentence(rank + 2, _ended(of_spans(results, unit_set.layer)), layer=unit_set.layer)


def _ended(text: str) -> str:
    return f"{plain(text)}." if text else ""


__all__ = ["MOST", "PARAGRAPH", "paragraph", "write"]
