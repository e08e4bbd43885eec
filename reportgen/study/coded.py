"""What is compared with what: one unit set of one layer, as a long table of integer codes."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from reportgen.formats import NO_DOCUMENT, Codes, LeftOut

__all__ = ["NO_CATEGORY", "NO_DOCUMENT", "CodedUnits", "Study"]

NO_CATEGORY = -1


@dataclass(frozen=True, eq=False)
class CodedUnits:
    """The units of one unit set and the label that each annotator gave to each.

    - `unit_document` (units,): code of the document, or NO_DOCUMENT: the unit is its own document.
    - `unit_weight` (units,): how many units the row stands for (a cell of a confusion matrix, the
      unmarked units of a declared size).
    - `unit`, `annotator`, `label` (ratings,): at most one rating for each unit and annotator.
    - `non_annotated`: code of the pseudo-category of unmarked units, always the last, NO_CATEGORY where it
      can't occur; `non_annotated_name` is its name even there, empty where the campaign has none.
    - `units_read`, `units_left_out`: units of the export, and those that this unit set leaves out, by
      reason; `units_added` are unmarked ones that only the declared size knows.
    """

    layer: str
    id: str
    kind: str
    primary: bool
    why: str
    scale: str
    documents: tuple[str, ...]
    annotators: tuple[str, ...]
    categories: tuple[str, ...]
    non_annotated: int
    non_annotated_name: str
    unit_document: Codes
    unit_weight: Codes
    unit: Codes
    annotator: Codes
    label: Codes
    units_read: int
    units_added: int = 0
    units_left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def units(self) -> int:
        """Return how many units the set holds, weights counted."""
        return int(self.unit_weight.sum())


@dataclass(frozen=True, eq=False)
class Study:
    """Every unit set of one guidelines version, and the marks that none of them uses."""

    unit_sets: tuple[CodedUnits, ...]
    marks_read: int
    marks_used: int
    left_out: tuple[LeftOut, ...]
