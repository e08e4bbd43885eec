"""Comparisons of two versions made by hand, for rules that look at one thing in them."""

from collections.abc import Mapping, Sequence
from typing import Any

from reportgen.findings import find_changes
from reportgen.results import Figure, Finding, Interval, Tool
from reportgen.results.parts import Categories, Change, DifferenceTest, Overlap, SystemRevision
from reportgen.results.versions import (
    ComparedCampaign,
    Sample,
    UnitSetRevision,
    VersionComparison,
    VersionSide,
)

ALPHA = "krippendorff_alpha"
AGREED = "observed_agreement"


def changed(
    first: float | None,
    second: float | None,
    p: float | None = None,
    *,
    half: float = 0.1,
    adjusted: float | None = None,
    untested: str | None = None,
    needed: int | None = None,
) -> Change:
    """A figure under both versions, each within `half`; without p it wasn't tested."""
    figures = [_figure(value, half) for value in (first, second)]
    known = first is not None and second is not None
    difference = second - first if first is not None and second is not None else None
    test = DifferenceTest(method="paired", statistic=0.0, degrees=9, p=p, adjusted=adjusted) if p else None
    interval = (
        Interval(low=difference - half, high=difference + half, level=0.95, method="t")
        if difference is not None and test
        else None
    )
    return Change(
        first=figures[0],
        second=figures[1],
        difference=difference if known else None,
        interval=interval,
        test=test,
        untested=untested if test is None else None,
        needed=needed,
    )


def _figure(value: float | None, half: float) -> Figure:
    if value is None:
        return Figure(value=None, undefined="no units")
    return Figure(
        value=value, interval=Interval(low=value - half, high=min(1.0, value + half), level=0.95, method="t")
    )


def sample(documents: int = 30, annotators: Sequence[str] = ("A", "B"), units: int = 300) -> Sample:
    return Sample(
        documents=documents, units=units, annotators=tuple(annotators), categories=("Former", "New", "None")
    )


def revision(
    change: Change | None = None,
    *,
    categories: Mapping[str, Change] | None = None,
    people: tuple[Sequence[str], Sequence[str]] = (("A", "B"), ("A", "B")),
    documents: int = 30,
    **changes: Any,  # noqa: ANN401 - any field of the model
) -> UnitSetRevision:
    """A unit set of which the same documents were annotated again."""
    both = tuple(name for name in people[0] if name in people[1])
    given: dict[str, Any] = {
        "layer": "main",
        "unit_set": "tokens",
        "primary": True,
        "figure": ALPHA,
        "basis": "shared",
        "clusters": "document",
        "first": sample(documents, people[0]),
        "second": sample(documents, people[1]),
        "overlap": Overlap(documents=documents, units=300, annotators=both),
        "categories": Categories(how="same"),
        "measures": {ALPHA: change or changed(0.5, 0.55, 0.5)},
        "specific_agreement": categories or {},
    }
    return UnitSetRevision(**(given | changes))


def comparison(
    *unit_sets: UnitSetRevision,
    says: str = "",
    **changes: Any,  # noqa: ANN401 - any field of the model
) -> VersionComparison:
    given: dict[str, Any] = {
        "campaign": ComparedCampaign(id="c", title="C"),
        "first": VersionSide(guidelines="0.9"),
        "second": VersionSide(guidelines="1.0", changes=says),
        "coefficients": {each.layer: each.figure for each in unit_sets},
        "unit_sets": unit_sets,
        "names": {ALPHA: "Krippendorff's alpha", "f_measure": "F-measure"},
        "places": {ALPHA: 0},
        "tool": Tool(name="reportgen", version="0", libraries={}),
    }
    return VersionComparison(**(given | changes))


def system(change: Change, **changes: Any) -> SystemRevision:  # noqa: ANN401 - any field of the model
    given: dict[str, Any] = {
        "layer": "main",
        "system": "tagger",
        "role": "system",
        "key": "gold",
        "first": "tagger",
        "second": "tagger",
        "basis": "shared",
        "figure": "f_measure[strict]",
        "documents": (30, 30),
        "overlap": Overlap(documents=30, annotators=()),
        "measures": {"f_measure[strict]": change},
        "by_category": {},
        "by_document": (),
    }
    return SystemRevision(**(given | changes))


def found(compared: VersionComparison, name: str) -> list[Finding]:
    """The findings of an id, which are the same beside unit sets that are not primary."""
    others = [
        each.model_copy(update={"primary": False, "unit_set": "beside", "figure": AGREED})
        for each in compared.unit_sets
    ]
    beside = compared.model_copy(update={"unit_sets": (*others, *compared.unit_sets)})
    said, again = ([each for each in find_changes(of) if each.id == name] for of in (compared, beside))
    assert again == said
    return said


def one(compared: VersionComparison, name: str) -> Finding:
    """The only finding of an id."""
    (only,) = found(compared, name)
    return only
