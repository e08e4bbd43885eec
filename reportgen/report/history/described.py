"""The text alternative of a plot over versions: its values in words."""

from collections.abc import Sequence

from reportgen.report import numbers
from reportgen.report.history.series import Line, Point
from reportgen.report.language import N_, _, say

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
