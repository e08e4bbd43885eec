"""What to compare, and how: the question that a study answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from reportgen.campaign import Task
from reportgen.study.coded import NO_CATEGORY, CodedUnits
from reportgen.study.unit_sets import Declaration

SEPARATOR = "|"


@dataclass(frozen=True)
class Request:
    """The task, the unit sets, and who is not simply an annotator.

    `roles` maps annotators to roles other than "annotator"; `same_as` an annotator to the one whose
    second pass it is; `file` is the campaign's file, named in errors; `separator` stands between the
    labels of a unit that has several.
    """

    task: Task
    unit_sets: Sequence[Declaration]
    roles: Mapping[str, str]
    same_as: Mapping[str, str]
    file: str
    layer: str = "main"
    separator: str = SEPARATOR

    @property
    def nothing(self) -> CodedUnits:
        """Return a unit set of the layer without any unit."""
        empty = np.zeros(0, dtype=np.int64)
        return CodedUnits(
            layer=self.layer,
            id="",
            kind="items",
            primary=False,
            why="",
            scale=self.task.scale,
            documents=(),
            annotators=(),
            categories=(),
            non_annotated=NO_CATEGORY,
            non_annotated_name="",
            unit_document=empty,
            unit_weight=empty,
            unit=empty,
            annotator=empty,
            label=empty,
            units_read=0,
        )
