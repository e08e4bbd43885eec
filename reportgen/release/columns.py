"""The columns of tables and counts, by what each table is: never guessed from what stands in its rows."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from reportgen.report.tables import ESTIMATE_PARTS, Column, Table

Type = Literal["string", "integer", "number", "boolean"]

INTEGER: Mapping[str, Type] = dict.fromkeys(
    ("bulk", "documents", "labelled", "line", "marks", "n", "right", "units"), "integer"
)
OUTCOMES: Mapping[str, Type] = dict.fromkeys(("match", "overlap", "only_first", "only_second"), "integer")
AGREEMENT: Mapping[str, Type] = dict.fromkeys(("observed_agreement", "cohen_kappa"), "number")
CROWD: Mapping[str, Type] = dict.fromkeys(
    (
        *(f"{name}{end}" for name in ("agreement", "difference") for end in ("", "_low", "_high")),
        *("others", "p", "adjusted_p", "slope", "slope_p", "slope_adjusted_p"),
        *("dawid_skene_accuracy", "dawid_skene_blind"),
    ),
    "number",
)
CONTROLS: Mapping[str, Type] = dict.fromkeys(("accuracy", "low", "high"), "number")
CLOSENESS: Mapping[str, Type] = {
    **dict.fromkeys(("bdm", "n0", "n1", "n2", "bran"), "number"),
    **dict.fromkeys(("cp", "dpk", "dpr"), "integer"),
}
# Tables that are written while figures are computed, by the first part of their names: what their columns
# hold where it is no text. A name of an annotator can head a column of the last two.
WRITTEN: Mapping[str, Mapping[str, Type]] = {
    "tables/annotators": {**INTEGER, **CROWD, "dawid_skene_labelled": "integer"},
    "tables/bdm": CLOSENESS,
    "tables/comparisons-of-all": {**INTEGER, **AGREEMENT},
    "tables/controls": {**INTEGER, **CONTROLS, "rejected": "boolean"},
    "tables/dawid-skene": {"share": "number"},
    "tables/left-out": INTEGER,
    "tables/pairs": {**INTEGER, **AGREEMENT},
    "tables/spans": {**INTEGER, **OUTCOMES},
    "tables/spans-by-document": OUTCOMES,
    "tables/adjudication": {},
    "tables/disagreements": {},
}
# Their other columns are figures by how marks were matched.
FIGURE = re.compile(r"\w+\[(strict|lenient|average)\]")
OF_SPANS = ("tables/spans", "tables/spans-by-document")
# A row for each category and a column for each: their cells.
MATRICES: Mapping[str, Type] = {
    "tables/confusion": "integer",
    "tables/computed-distances-alpha": "number",
    "tables/computed-distances-kappa": "number",
}
# Counts of pairs of labels that are shared out among the raters of a unit, and so no whole numbers.
SHARED_OUT = ("tables/coincidences",)
# What the columns of counts say.
COUNTED: Mapping[str, str] = {
    "layer": "What was labelled, by its id in results.json.",
    "unit_set": "What counts as a unit, by its id in results.json.",
    "document": "The document; empty where each unit is its own.",
    "annotator": "Who gave the label.",
    "first": "One of two people.",
    "second": "The other one.",
    "label": "The label that the annotator gave.",
    "first_label": "What the first one said.",
    "second_label": "What the second one said.",
    "ratings": "Who said what of a unit, A01:Former|A02:New; a backslash stands before \\, | and : in names.",
    "profile": "How many gave a unit which label, Former:2|New:1; with a backslash as in ratings.",
    "bulk": "How many of these units are known as a number only.",
    "type": "The type of the marks.",
    "first_type": "The type of the first one's mark.",
    "second_type": "The type of the second one's mark.",
    "outcome": "Whether marks match or overlap, or one of the two alone made them; or tokens that both saw.",
    "kind": "How the marks of a pair meet.",
    "distance": "The distance between types by which a pair earns credit.",
    "n": "How many there are.",
}
KINDS: Mapping[str, Type] = {"text": "string", "count": "integer"}
PARTS: Mapping[str, Type] = {"units": "integer", "undefined": "string"}


@dataclass(frozen=True)
class Field:
    """A column as Table Schema has it."""

    name: str
    type: Type
    title: str = ""
    description: str = ""

    @property
    def schema(self) -> dict[str, Any]:
        """Return the field of a schema."""
        shown = {"title": self.title} if self.title and self.title != self.name else {}
        told = {"description": self.description} if self.description else {}
        return {"name": self.name, "type": self.type, **shown, **told}


def stem(path: str) -> str:
    """Return what kind of table a file is: its folder and the first part of its name."""
    found = re.match(r"[^.~]+", path)
    name = found[0] if found else path
    # The ids of layers and distances stand behind a hyphen in these.
    return next((each for each in ("tables/bdm", "tables/controls") if name.startswith(f"{each}-")), name)


def fields(path: str, head: Sequence[str], table: Table | None) -> list[Field]:
    """Return the columns of a file below the report's folder; `table` is what the report knows of it."""
    kind = stem(path)
    if table is not None:
        shown = [field for column in table.columns for field in _fields_of(column, kind)]
        if [each.name for each in shown] == list(head):
            return shown
    if kind in MATRICES:
        return [Field(head[0], "string"), *(Field(name, MATRICES[kind]) for name in head[1:])]
    if kind.startswith("counts/"):
        return [Field(name, INTEGER.get(name, "string"), description=COUNTED.get(name, "")) for name in head]
    known = WRITTEN.get(kind, {})
    return [Field(name, _type(kind, known, name)) for name in head]


def _type(kind: str, known: Mapping[str, Type], name: str) -> Type:
    figure = kind in OF_SPANS and FIGURE.fullmatch(name)
    return known.get(name, "number" if figure else "string")


def _fields_of(column: Column, kind: str) -> Iterator[Field]:
    """Yield the fields of a column in a kind of table: an estimate has one for each of its parts."""
    shared_out = column.kind == "count" and kind in SHARED_OUT
    yield Field(column.key, "number" if shared_out else KINDS.get(column.kind, "number"), column.title)
    if column.kind == "estimate":
        for part in ESTIMATE_PARTS[1:]:
            yield Field(f"{column.key}_{part}", PARTS.get(part, "number"))


def words(table: Table | None) -> list[str]:
    """Return what stands in columns of numbers without being one, such as "limit" at the end of a curve."""
    if table is None:
        return []
    places = [place for place, column in enumerate(table.columns) if column.kind != "text"]
    cells = (row[place] for row in table.rows for place in places)
    return sorted({each for each in cells if isinstance(each, str) and each})
