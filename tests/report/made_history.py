"""Histories made by hand: as many versions and categories as a test asks for, with every kind of move."""

import itertools

from reportgen.results import Figure, Finding, Interval, Tool
from reportgen.results.model import Severity
from reportgen.results.versions import (
    Attendants,
    ComparedPair,
    Coverage,
    Group,
    History,
    HistoryCampaign,
    LayerMove,
    LayerState,
    Move,
    Step,
    SystemState,
    VersionState,
)

TOOL = Tool(name="reportgen", version="0", libraries={})
UNDEFINED = "{coefficient} can't be computed: {reason}."
NAME = "Krippendorff's alpha"
SPAN = "{coefficient} is {value}, and with 95% confidence between {low} and {high}."


def figure(value: float | None, half: float = 0.08) -> Figure:
    """Return a figure with an interval, undefined where there is no value."""
    if value is None:
        return Figure(value=None, undefined="one category is used")
    ends = Interval(low=max(-1.0, value - half), high=min(1.0, value + half), level=0.95, method="t")
    return Figure(value=value, interval=ends)


def verdict(value: float | None, severity: Severity = "note") -> Finding:
    """Return a verdict on a value."""
    known: dict[str, str | float] = {"coefficient": NAME, "reason": "one category is used"}
    if value is not None:
        known = {"coefficient": NAME, "value": value, "low": value - 0.08, "high": value + 0.08}
    return Finding(
        id="verdict",
        kind="verdict",
        severity="warning" if value is None else severity,
        claim=UNDEFINED if value is None else SPAN,
        values=known,
        evidence="x",
        layers=("main",),
    )


def state(
    value: float | None, categories: tuple[str, ...] = ("Former", "New"), layer: str = "main"
) -> LayerState:
    """Return a layer's state."""
    return LayerState(
        layer=layer,
        unit_set="tokens",
        annotators=2,
        documents=20,
        units=2000,
        documents_compared=20,
        units_compared=2000,
        coefficient="krippendorff_alpha",
        name=NAME,
        symbol="α",
        figure=figure(value),
        categories=categories,
        specific_agreement={
            name: figure(None if value is None else max(0.0, value - 0.02 * place))
            for place, name in enumerate(categories)
        },
    )


def version(name: str, value: float | None, date: str | None = None, **more: object) -> VersionState:
    """Return a version with one layer unless `layers` are given."""
    known: dict[str, object] = {"layers": (state(value),), "changes": f"What *{name}* changed."}
    content = {"version": name, "date": date, "verdicts": [verdict(value)]} | known | more
    made = VersionState.model_validate(content)
    if "verdicts" in more:
        return made
    names = tuple(each.layer for each in made.layers)
    return made.model_copy(update={"verdicts": (verdict(value).model_copy(update={"layers": names}),)})


def move(difference: float | None, p: float | None = None) -> Move:
    """Return a move of the primary coefficient."""
    if difference is None:
        return Move(figure="krippendorff_alpha", untested="a figure is undefined")
    ends = Interval(low=difference - 0.1, high=difference + 0.1, level=0.95, method="t")
    if p is None:
        return Move(figure="krippendorff_alpha", difference=difference, untested="categories differ")
    return Move(
        figure="krippendorff_alpha",
        basis="shared",
        method="paired",
        first=0.4,
        second=0.4 + difference,
        difference=difference,
        interval=ends,
        p=p,
    )


def step(first: str, second: str, own: Move, categories: tuple[str, ...] = ()) -> Step:
    """Return a step with one layer."""
    layer = LayerMove(
        layer="main",
        coefficient=own,
        clusters="document",
        documents=14,
        specific_agreement=dict.fromkeys(categories, own),
    )
    return Step(
        first=first,
        second=second,
        documents=(14, 0, 6),
        left=("A02",),
        joined=("A03",),
        compared=True,
        layers=(layer,),
    )


def history(
    values: tuple[float | None, ...] = (0.42, 0.71),
    categories: tuple[str, ...] = ("Former", "New"),
    *,
    layers: int = 1,
    systems: bool = False,
    title: str = "A campaign",
) -> History:
    """Return a history whose versions have these values, each compared with the one before it."""
    versions = tuple(
        _version(place, value, categories, layers, systems=systems) for place, value in enumerate(values)
    )
    names = [each.version for each in versions]
    moves = [_move(one, other) for one, other in itertools.pairwise(values)]
    pairs = list(itertools.pairwise(names))
    return History(
        campaign=HistoryCampaign(id="made", title=title, authors=("Ann Author",)),
        versions=versions,
        steps=tuple(step(*pair, own, categories) for pair, own in zip(pairs, moves, strict=True)),
        comparisons=tuple(
            ComparedPair(first=pair[0], second=pair[1], move=own)
            for pair, own in zip(pairs, moves, strict=True)
        ),
        coverage=_coverage(names),
        tool=TOOL,
    )


def _version(
    place: int, value: float | None, categories: tuple[str, ...], layers: int, *, systems: bool
) -> VersionState:
    found = [
        state(
            None if value is None else value - 0.1 * number,
            categories,
            f"layer{number}" if number else "main",
        )
        for number in range(layers)
    ]
    if systems and value is not None:
        own = SystemState(
            system="tagger",
            role="system",
            release=f"{place}",
            key="gold",
            figure="f_measure[strict]",
            name="F, strict",
            value=figure(value - 0.05),
            humans=figure(value + 0.1),
        )
        found[0] = found[0].model_copy(update={"systems": (own,), "f_measure": figure(value)})
    return version(f"1.{place}", value, f"2026-01-{place % 28 + 1:02}", layers=tuple(found))


def _move(first: float | None, second: float | None) -> Move:
    if first is None or second is None:
        return move(None)
    return move(second - first, 0.004 if abs(second - first) > 0.05 else 0.4)


def _coverage(names: list[str]) -> Coverage:
    return Coverage(
        documents=(
            Group(versions=tuple(names), documents=tuple(f"d{place}" for place in range(14))),
            Group(versions=(names[-1],), documents=tuple(f"e{place}" for place in range(6))),
        )
        if len(names) > 1
        else (Group(versions=tuple(names), documents=("d0",)),),
        annotators=(
            Attendants(annotators=("A01",), documents=dict.fromkeys(names, 14)),
            Attendants(annotators=("A02",), documents=dict.fromkeys(names[:-1] or names, 14)),
        ),
    )
