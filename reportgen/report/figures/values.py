"""Categories and pairs of annotators, a row each: a value with its interval."""

from collections.abc import Mapping, Sequence

from reportgen.report import numbers
from reportgen.report.figures import rows
from reportgen.report.figures.axes import span
from reportgen.report.figures.rows import MOST_ROWS, Dot, Row, Rows
from reportgen.report.figures.svg import Drawing, Said
from reportgen.report.language import _, say, say_many, told
from reportgen.results import Figure, Pair, UnitSet


def specific_agreement(name: str, unit_set: UnitSet) -> Drawing | None:
    """Return each category's specific agreement; None where there is none to draw.

    Of very many categories those stand in the figure on which annotators agree least.
    """
    found = {each: unit_set.specific_agreement[each] for each in unit_set.judged}
    known = _known(found)
    if not known:
        return None
    shown = _least(known)
    axis = _("specific agreement, with 95% interval")
    lines = [_row(category, figure) for category, figure in shown.items()]
    title = _of_categories(known, shown)
    return rows.draw(name, Said(title, _described(shown)), Rows(lines, axis))


def pairs(name: str, figures: tuple[str, str], found: Sequence[Pair]) -> Drawing | None:
    """Return a figure of each pair, the lowest first; None where fewer than two pairs have one.

    `figures` are the figure's id and its name. Of very many pairs those stand in it that agree least.
    """
    own = {f"{' / '.join(each.annotators)}": each.measures.get(figures[0]) for each in found}
    known = _known(own)
    if len(known) <= 1:
        return None
    shown = dict(sorted(_least(known).items(), key=lambda each: _value(each[1])))
    axis = say("{figure}, with 95% interval", figure=figures[1])
    lines = [_row(pair, figure) for pair, figure in shown.items()]
    return rows.draw(name, Said(_of_pairs(known, shown), _described(shown)), Rows(lines, axis))


def _known(found: Mapping[str, Figure | None]) -> dict[str, Figure]:
    return {name: each for name, each in found.items() if each and each.value is not None}


def _value(figure: Figure) -> float:
    return 0.0 if figure.value is None else figure.value


def _least(known: Mapping[str, Figure]) -> dict[str, Figure]:
    """Return the lowest figures of many, in the order in which they stand."""
    lowest = sorted(known, key=lambda name: _value(known[name]))[:MOST_ROWS]
    return {name: each for name, each in known.items() if name in lowest}


def _row(name: str, figure: Figure) -> Row:
    found = span(figure)
    return Row(name, [Dot(found)] if found else [])


def _described(shown: Mapping[str, Figure]) -> str:
    return f"{_('; ').join(told(name, numbers.estimate(each)) for name, each in shown.items())}."


def _of_categories(known: Mapping[str, Figure], shown: Mapping[str, Figure]) -> str:
    """Return what the figure of categories shows, in a sentence."""
    name, least = min(known.items(), key=lambda each: _value(each[1]))
    value = numbers.figure(least.value)
    if len(shown) < len(known):
        return say_many(
            "The category of {count} on which annotators agree least",
            "The {shown} categories of {count} on which annotators agree least",
            len(shown),
            shown=numbers.count(len(shown)),
            count=numbers.count(len(known)),
        )
    if len({numbers.figure(each.value) for each in known.values()}) == 1:
        return say("Specific agreement is {value} on every category", value=value)
    return say("Annotators agree least on {category}: {value}", category=name, value=value)


def _of_pairs(known: Mapping[str, Figure], shown: Mapping[str, Figure]) -> str:
    """Return what the figure of pairs shows, in a sentence."""
    if len(shown) < len(known):
        return say(
            "The {shown} pairs of {count} that agree least",
            shown=numbers.count(len(shown)),
            count=numbers.count(len(known)),
        )
    least, most = (numbers.figure(best(map(_value, known.values()))) for best in (min, max))
    return say(
        "{count} pairs of annotators agree between {least} and {most}",
        count=numbers.count(len(known)),
        least=least,
        most=most,
    )
