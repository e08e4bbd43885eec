"""What counts say of marks in texts, and of everybody held against references: tables of integer codes."""

from collections.abc import Mapping
from dataclasses import dataclass

from reportgen.formats.annotations import Codes

# What becomes of a mark, in the order of the codes.
OUTCOMES = ("match", "overlap", "only_first", "only_second")
# What stands for an outcome in rows that tell how many tokens a document has that both saw.
TOKENS = "tokens"
# How the two marks of a pair stand to each other, in the order of the codes.
KINDS = ("coextensive", "overlap")


@dataclass(frozen=True, eq=False)
class SpanTable:
    """How the marks of every two people fall out; the first is the key.

    - `first`, `second`, `document`, `type`, `outcome`, `n` (rows,), sorted in this order.
    - `seen_first`, `seen_second`, `seen_document` (documents,): which document both saw, marked or not, in
      this order; `tokens` how many tokens it has.
    """

    first: Codes
    second: Codes
    document: Codes
    type: Codes
    outcome: Codes
    n: Codes
    seen_first: Codes
    seen_second: Codes
    seen_document: Codes
    tokens: Codes


@dataclass(frozen=True, eq=False)
class TypePairs:
    """How many pairs of marks of two types earn credit by one distance, sorted in the order of columns."""

    first: Codes
    second: Codes
    document: Codes
    first_type: Codes
    second_type: Codes
    kind: Codes
    n: Codes


@dataclass(frozen=True, eq=False)
class Everybody:
    """The units of one unit set with everybody's labels.

    - `document` (units,): codes of the layer's documents, NO_DOCUMENT where a unit is its own; `n` (units,)
      how many units each row stands for: 1, or as many as the export gives only as a number.
    - `unit`, `annotator`, `label` (ratings,): codes of units, people and categories.
    """

    documents: tuple[str, ...]
    document: Codes
    n: Codes
    unit: Codes
    annotator: Codes
    label: Codes


@dataclass(frozen=True, eq=False)
class MarkTables:
    """What a folder of counts says of one layer beside its unit sets.

    `spans` is None where there are no marks in texts; `credits` has a table for each distance that earns
    credit, `everybody` one for each unit set in which somebody is no annotator, by their ids.
    """

    spans: SpanTable | None
    credits: Mapping[str, TypePairs]
    everybody: Mapping[str, Everybody]


NO_TABLES = MarkTables(None, {}, {})
