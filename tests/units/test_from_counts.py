"""Whoever has counts alone gets every figure that they determine, or is told what contradicts what."""

import csv
import io
import random
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given
from hypothesis import strategies as st

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
from tests.campaigns import GENE_RENAMING, written
from tests.counted import as_counts, counts_in, differences, reports_of
from tests.properties import examples
from tests.slowly import slow_but

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


HOSTILE = ("a|b:c\\d", 'new\nline "quoted"', "</script>,=1+1")
UNIT_SETS = """
[[unit_sets]]
id = "items"
units = "items"
why = "All."
[[unit_sets]]
id = "any"
units = "annotated-by-any"
primary = true
[[unit_sets]]
id = "all"
units = "annotated-by-all"
[[unit_sets]]
id = "declared"
units = "declared"
size = 500
"""
# Of all kinds of figures and of names one.
QUICK = ("two annotators, four unit sets", "numbers", "sets", "names that would break a table")
Rows = Sequence[tuple[str, str, str, str]]


def table(rows: Rows) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows([("item", "topic", "annotator", "label"), *rows])
    return text.getvalue()


def ratings(
    labels: Sequence[str], annotators: int = 3, units: int = 60, documents: int = 7, share: float = 0.8
) -> str:
    """Return made-up ratings, some of them missing, in which annotators agree more often than not."""
    chosen = random.Random(7)  # noqa: S311 - no secret
    people = ["ann", "bea", "cyd", "dan", *(f"p{number:02}" for number in range(annotators))][:annotators]
    rows = []
    for unit in range(units):
        usual = chosen.choice(labels)
        for who in people:
            label = usual if chosen.random() < 0.7 else chosen.choice(labels)
            if chosen.random() < share:
                rows.append((f"u{unit}", f"d{unit % documents}" if documents else "", who, label))
    return table(rows)


COLUMNS = 'columns = { unit = "item", document = "topic", annotator = "annotator", label = "label" }\n'
NO_DOCUMENTS = 'columns = { unit = "item", annotator = "annotator", label = "label" }\n'
TASK = '[task]\nnon_annotated = "none"\n'
CASES: Mapping[str, tuple[str, str]] = {
    "two annotators, four unit sets": (
        f"{COLUMNS}{TASK}{UNIT_SETS}",
        ratings(("x", "y", "none"), annotators=2),
    ),
    "numbers": (f'{COLUMNS}[task]\nscale = "interval"\n', ratings(("-1", "0.5", "2", "10"), share=1)),
    "a ratio scale of two": (f'{COLUMNS}[task]\nscale = "ratio"\n', ratings(("0", "3", "4"), annotators=2)),
    "sets": (
        f'{COLUMNS}set_separator = "+"\n[task]\nscale = "set"\ncategory_count = 9\n',
        ratings(("x+y", "x", "y+z", "{}")),
    ),
    "names that would break a table": (f"{COLUMNS}{TASK}", ratings((*HOSTILE, "none"))),
    "a second pass": (f'{COLUMNS}[annotators.cyd]\nsame_as = "ann"\n', ratings(("x", "y"))),
    "control items": (
        f'{COLUMNS}[controls]\nfile = "controls.csv"\nreject_below = 0.9\nminimum = 3\n',
        ratings(("x", "y")),
    ),
    "a unit that nobody rated": (
        'columns = { unit = "item" }\n',
        "item,ann,bea\n1,x,x\n2,x,y\n3,,\n4,y,y\n5,y,\n",
    ),
}


def campaign(folder: Path, toml: str, export: str) -> Path:
    """Write a campaign of one version; keys before the first table of `toml` are of the version."""
    own, _, rest = toml.partition("[")
    files = {"exports/1.0/e.csv": export, "controls.csv": "unit,label\nu1,x\nu2,x\nu3,y\nu4,x\n"}
    made = written(folder, f"[{rest}" if rest else "", files)
    with (made / "campaign.toml").open("a", encoding="utf-8") as lines:
        lines.write(own if rest or "=" in own else "")
    return made


def check(folder: Path, target: Path, names: Mapping[str, str] | None = None) -> None:
    """See that results, and counts, of a campaign are those of its counts."""
    reports = reports_of(folder)
    again = reports_of(as_counts(folder, target, names, reports))
    for version, report in reports.items():
        assert differences(report.results, again[version].results) == []
        assert counts_in(again[version]) == counts_in(report)


@pytest.mark.parametrize("case", slow_but(CASES, *QUICK))
def test_results_from_counts_are_those_from_exports(case: str, tmp_path: Path) -> None:
    toml, export = CASES[case]
    check(campaign(tmp_path / "campaign", toml, export), tmp_path / "counted", {"ann": "A01", "cyd": "A03"})


@pytest.mark.parametrize("name", slow_but(("gene-renaming", "gene-renaming-in-texts"), "gene-renaming"))
def test_the_examples_come_out_of_their_counts(name: str, tmp_path: Path) -> None:
    check(GENE_RENAMING.parent / name, tmp_path)


LABELS = st.sampled_from(("x", "y", "none", "a|b", "c:d\\"))
CELLS = st.dictionaries(
    st.tuples(st.integers(0, 9), st.sampled_from(("ann", "bea", "cyd", "dan"))), LABELS, min_size=4
)


@examples(12, phases=(Phase.explicit, Phase.generate))
@given(cells=CELLS, documents=st.integers(0, 3), unit_sets=st.sampled_from(("", UNIT_SETS)))
def test_whatever_was_rated_comes_out_of_its_counts(
    cells: Mapping[tuple[int, str], str], documents: int, unit_sets: str
) -> None:
    rows = [
        (f"u{unit}", f"d{unit % documents}" if documents else "", who, label)
        for (unit, who), label in cells.items()
    ]
    columns = COLUMNS if documents else NO_DOCUMENTS
    toml = f"{columns}{TASK}{unit_sets}"
    with tempfile.TemporaryDirectory() as place:
        folder = campaign(Path(place) / "campaign", toml, table(rows))
        check(folder, Path(place) / "counted")
