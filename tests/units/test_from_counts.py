"""Where campaign and counts contradict each other, and what counts say: rule by rule, on made layers."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from reportgen.base.errors import BadInput
from reportgen.campaign import ALL, ControlItems, Task, UnitSet
from reportgen.readers import CountedLayer
from reportgen.readers.counted import (
    CountedUnits,
    EverybodyDescribed,
    LayerDescribed,
    MarkTables,
    SpanCounts,
    SpansDescribed,
    UnitSetDescribed,
)
from reportgen.units import DeclaredUnitSet, LayerSettings
from reportgen.units.study import counted_unit_sets, require_fitting
from reportgen.units.unit_sets import Size

FILE = "c/campaign.toml"


def unit_set(name: str = "items", **changes: object) -> UnitSetDescribed:
    """Describe a unit set of the kind of its name, of five units, of which two were left out."""
    given: dict[str, Any] = dict.fromkeys(("units_added", "several", "marks_used"), 0)
    given |= dict.fromkeys(("sets", "category_count", "documents", "boundary", "candidates"))
    given |= {
        "id": name,
        "kind": name,
        "primary": True,
        "why": "Because.",
        "scale": "nominal",
        "base": "units",
        "annotators": ("ann", "bob"),
        "categories": ("x", "y", "none"),
        "non_annotated": "none",
        "non_annotated_name": "none",
        "units_read": 7,
        "units_left_out": {"rare": 2},
        "joined": False,
        "marks_left_out": {},
    }
    return UnitSetDescribed.model_validate(given | changes)


def spans(**changes: object) -> SpansDescribed:
    given: dict[str, Any] = dict.fromkeys(
        ("derived", "features", "spellings", "differs_from_greedy", "credits"), ()
    )
    given |= {
        "people": ("gold", "ann"),
        "roles": ("reference", "annotator"),
        "types": ("X", "Y"),
        "documents": None,
        "feature_match": "equal",
        "doubled": 0,
    }
    return SpansDescribed.model_validate(given | changes)


def codes(*numbers: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.array(numbers, dtype=np.int64)


UNITS = CountedUnits(("d",), codes(0, -1), codes(2, 3), codes(0, 0, 1), codes(0, 1, 1), codes(0, 1, 2))
SPANS = SpanCounts(
    *(codes(), codes(), codes(), codes(), codes(), codes()), codes(0), codes(1), codes(1), codes(9)
)


def layer(
    *unit_sets: UnitSetDescribed,
    of_spans: SpansDescribed | None = None,
    everybody: Sequence[EverybodyDescribed] = (),
    tables: MarkTables | None = None,
) -> CountedLayer:
    sets = unit_sets or (unit_set(),)
    described = LayerDescribed.model_construct(  # type: ignore[call-arg]
        unit_sets=sets, spans=of_spans, everybody=tuple(everybody), documents=("d", "e")
    )
    marks = tables or MarkTables(SPANS, {}, {each.units.id: UNITS for each in everybody})
    return CountedLayer(described, {each.id: UNITS for each in sets}, "counts.json", marks=marks)


def asking(
    *unit_sets: UnitSet,
    size: Size | None = None,
    roles: Mapping[str, str] | None = None,
    same_as: Mapping[str, str] | None = None,
    controls: ControlItems | None = None,
    **task: Any,  # noqa: ANN401 - keys of [task]
) -> LayerSettings:
    declared = [
        DeclaredUnitSet(each, size, FILE, f"unit_sets.{place}") for place, each in enumerate(unit_sets, 1)
    ]
    return LayerSettings(Task(**task), declared, roles or {}, same_as or {}, FILE, controls=controls)


def wrong(content: CountedLayer, request: LayerSettings) -> list[tuple[str, str, str]]:
    """Return the key, the message and the remedy of each contradiction."""
    try:
        require_fitting(content, request)
    except BadInput as error:
        return [(problem.key, problem.message, problem.remedy) for problem in error.problems]
    return []


ITEMS, ANY = UnitSet(id="items", units="items"), UnitSet(id="any", units="annotated-by-any", why="Marked.")


# What the campaign asks for


def test_what_was_counted_is_taken_as_it_is() -> None:
    assert wrong(layer(), asking()) == wrong(layer(), asking(ITEMS)) == []
    asked = asking(ITEMS, categories=("x", "y", "none"), non_annotated="none", size=5)
    assert wrong(layer(), asked) == []


@pytest.mark.parametrize(
    ("task", "key", "message", "remedy"),
    [
        (
            {"scale": "ordinal"},
            *("task.scale", 'is "ordinal", and what was counted is "nominal".', 'Write scale = "nominal".'),
        ),
        (
            {"categories": ("y", "x")},
            *("task.categories", "has other categories than were counted, or in another order."),
            "The counts have x, y.",
        ),
        (
            {"categories": ("none", "x", "y"), "non_annotated": "nothing"},
            *("task.non_annotated", 'is "nothing", and the counts call unmarked units "none".'),
            'Write non_annotated = "none".',
        ),
    ],
)
def test_a_task_is_what_was_counted(task: Mapping[str, Any], key: str, message: str, remedy: str) -> None:
    assert wrong(layer(), asking(**task)) == [(key, message, remedy)]


def test_labels_that_overlap_are_sets_although_the_campaign_says_nothing_of_it() -> None:
    sets: dict[str, Any] = {"scale": "set", "sets": (("x",), ("y",), ()), "joined": True}
    assert wrong(layer(unit_set(**sets)), asking()) == []
    assert [key for key, *_ in wrong(layer(unit_set(**sets)), asking(scale="ordinal"))] == ["task.scale"]
    assert [key for key, *_ in wrong(layer(unit_set(**sets | {"joined": False})), asking())] == ["task.scale"]
    assert wrong(layer(unit_set(**sets)), asking(scale="set")) == []


def test_categories_have_the_order_of_the_counts_and_are_numbers_where_the_scale_asks_for_them() -> None:
    assert wrong(layer(unit_set(scale="ordinal", non_annotated=None)), asking(scale="ordinal")) == []
    ((key, message, _),) = wrong(layer(unit_set(scale="ratio")), asking(scale="ratio"))
    assert (key, message) == (
        "task.scale",
        'on ratio scales every category is a number, and "x", "y" is none.',
    )


def test_units_counted_and_left_out_are_those_that_were_read_and_added() -> None:
    assert wrong(layer(unit_set(units_read=4, units_added=3)), asking()) == []
    ((key, message, _),) = wrong(layer(unit_set(units_read=1008)), asking())
    assert key == "unit set items"
    assert message == (
        'ratings.csv has 5 units of "items", and 2 were left out: not the 1,008 that were read or added.'
    )


def test_a_unit_set_is_one_that_was_counted_of_its_kind_and_size() -> None:
    ((key, message, remedy),) = wrong(layer(), asking(UnitSet(id="item", units="items")))
    assert (key, message) == ("unit_sets.1.id", 'the counts have no unit set "item".')
    assert remedy == 'Did you mean "items"?'
    other = UnitSet(id="items", units="annotated-by-any")
    assert wrong(layer(), asking(ITEMS, other)) == [
        (
            "unit_sets.2.units",
            'is "annotated-by-any", and the counts are of "items".',
            'Write units = "items".',
        )
    ]
    for size, total in ((1006, "1,006"), ({"d": 2, "e": 4}, "6")):
        ((key, message, _),) = wrong(layer(), asking(ITEMS, size=size))
        assert (key, message) == ("unit_sets.1.size", f"is {total} in all, and 5 units were counted.")
    assert wrong(layer(), asking(ITEMS, size={"d": 2, "e": 3})) == []


def test_whoever_was_counted_is_an_annotator_of_their_own() -> None:
    assert wrong(layer(), asking(roles={"ann": "annotator", "gold": "reference"})) == []
    ((key, message, _),) = wrong(layer(), asking(roles={"ann": "reference"}))
    assert key == "annotators.ann.role"
    assert message == 'is "reference", and the counts have them among the annotators.'
    assert [key for key, *_ in wrong(layer(), asking(same_as={"ann": "bob"}))] == ["annotators.ann.same_as"]
    assert wrong(layer(), asking(same_as={"ann": "cyd"})) == []
    controls = ControlItems("controls.csv", (), None, 1)
    assert [key for key, *_ in wrong(layer(), asking(controls=controls))] == ["controls.file"]


# Marks in texts


def test_roles_are_those_that_were_counted() -> None:
    content = layer(of_spans=spans())
    assert wrong(content, asking()) == wrong(content, asking(roles={"gold": "reference"})) == []
    assert wrong(content, asking(roles={"gold": "system"})) == [
        (
            "annotators.gold.role",
            'is "system", and the counts have them as reference.',
            'Write role = "reference": what was counted is counted.',
        )
    ]
    own = EverybodyDescribed(
        units=unit_set(annotators=("ann", "sys")),
        roles=("annotator", "system"),
        derived=(),
        choice="every",
        absent=None,
    )
    of_units = layer(everybody=(own,))
    assert [key for key, *_ in wrong(of_units, asking(roles={"sys": "model"}))] == ["annotators.sys.role"]


def test_marks_were_matched_by_the_features_that_the_campaign_has() -> None:
    content = layer(of_spans=spans(features=("a", "b"), feature_match="subset"))
    assert wrong(content, asking(features=("a", "b"), feature_match="subset")) == []
    assert wrong(content, asking(features=(ALL,), feature_match="subset")) == []
    assert wrong(content, asking(features=("b", "a"), feature_match="subset")) == [
        (
            "task.features",
            "are not those by which marks were matched when they were counted.",
            'Write features = ["a", "b"].',
        )
    ]
    assert wrong(content, asking(features=("a", "b"))) == [
        (
            "task.feature_match",
            'is "equal", and what was counted is "subset".',
            'Write feature_match = "subset".',
        )
    ]
    without = layer(of_spans=spans(feature_match="subset"))
    assert wrong(without, asking()) == []


# Unit sets


def test_unit_sets_are_those_that_the_campaign_declares_in_its_words_and_its_order() -> None:
    content = layer(unit_set(), unit_set("any", kind="annotated-by-any", primary=False))
    every = counted_unit_sets(content, asking())
    assert [(each.id, each.why, each.primary) for each in every] == [
        ("items", "Because.", True),
        ("any", "Because.", False),
    ]
    chosen = counted_unit_sets(content, asking(ANY.model_copy(update={"primary": True}), ITEMS))
    assert [(each.id, each.why, each.primary) for each in chosen] == [
        ("any", "Marked.", True),
        ("items", "", False),
    ]
