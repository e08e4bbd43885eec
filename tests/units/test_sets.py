"""Labels that are sets: what one annotator gave one unit is one set, and what each category holds."""

from pathlib import Path
from typing import Any

import pytest

from reportgen.readers import (
    EMPTY_SET,
    DocumentCopy,
    ParsedMark,
    ReaderOptions,
    SetLabel,
    as_set,
    cleaned_labels,
    members_of,
    read_export,
)
from reportgen.units import CodedUnits, LayerUnits
from tests.measures.made import annotations, declare, study
from tests.present import present
from tests.units.marked import annotations as marked
from tests.units.marked import labelled


def sets_of(units: CodedUnits) -> dict[str, set[str]]:
    assert len(present(units.sets)) == len(units.categories)
    return {name: set(each) for name, each in zip(units.categories, present(units.sets), strict=True)}


def read(folder: Path, text: str, separator: str | None = "|", **task: Any) -> LayerUnits:  # noqa: ANN401
    file = folder / "e.csv"
    file.write_text(text, encoding="utf-8")
    return study(read_export([(file, "e.csv")], ReaderOptions(set_separator=separator)), scale="set", **task)


def test_several_rows_of_one_annotator_on_one_unit_are_one_set(tmp_path: Path) -> None:
    rows = (
        "item,annotator,label",
        "1,Ann,b",
        "1,Ann,a",
        "1,Ann,b",
        "1,Bob,a|b",
        "2,Ann,c",
        "2,Bob,{}",
        "2,Bob,c",
    )
    found = read(tmp_path, "\n".join(rows))
    units = found.unit_sets[0]
    assert labelled(units) == {(0, "Ann"): "a|b", (0, "Bob"): "a|b", (1, "Ann"): "c", (1, "Bob"): "c"}
    assert units.categories == ("a|b", "c")
    # Every mark counts, one that says the same again too; a set is marked once.
    assert (found.marks_read, found.marks_used, units.several, units.joined) == (7, 7, 2, True)


@pytest.mark.parametrize("kind", ["annotated-by-any", "annotated-by-all", "declared"])
def test_every_kind_of_unit_set_knows_the_members_of_its_categories(kind: str) -> None:
    export = annotations([("a|b", "a"), ("a", "none"), ("none", "none")], separator="|")
    found = study(export, declare(kind, 9 if kind == "declared" else None), scale="set", non_annotated="none")
    known: dict[str, set[str]] = {"a": {"a"}, "a|b": {"a", "b"}, "none": set()}
    assert sets_of(found.unit_sets[0]) == {
        name: each for name, each in known.items() if kind != "annotated-by-all" or each
    }


def test_labels_know_their_members_whatever_they_are_called() -> None:
    label = as_set("b | a|b", "|")
    assert str(label) == "a|b"
    assert members_of(label) == {"a", "b"}
    assert members_of(as_set(EMPTY_SET, "|")) == members_of(EMPTY_SET) == frozenset()
    assert members_of("a|b") == {"a|b"}
    (lower,) = cleaned_labels([SetLabel("A|B", ["A", "B"])], ReaderOptions(normalise=("lowercase",)))
    assert lower == "a|b"
    assert members_of(lower) == {"a", "b"}


def test_what_a_tool_gives_as_a_list_is_a_set_without_a_separator() -> None:
    said = SetLabel("A|B;C", ["A|B", "C"])
    one, other = (
        DocumentCopy("d", who, f"{who}.json", "", [ParsedMark("choice", (), {"label": said}, 1)])
        for who in "ab"
    )
    units = study(marked(one, other, source="choice->label"), scale="set").unit_sets[0]
    assert sets_of(units) == {"A|B;C": {"A|B", "C"}}
