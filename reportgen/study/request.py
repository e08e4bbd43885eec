"""What to compare, and how: the question that a study answers."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from reportgen.campaign import ControlItems, Task
from reportgen.study.coded import NO_CATEGORY, CodedUnits
from reportgen.study.unit_sets import Declaration

SEPARATOR = "|"


@dataclass(frozen=True)
class Request:
    """The task, the unit sets, and who is not simply an annotator.

    `roles` maps annotators to roles other than "annotator"; `same_as` an annotator to the one whose
    second pass it is; `file` is the campaign's file, named in errors; `separator` stands between the
    labels of a unit that has several; `split` says that the campaign declares it, so that names are taken
    apart at it. `controls` are the control items of all layers; `rejected` names the
    annotators whose marks do not count because of them.
    """

    task: Task
    unit_sets: Sequence[Declaration]
    roles: Mapping[str, str]
    same_as: Mapping[str, str]
    file: str
    layer: str = "main"
    separator: str = SEPARATOR
    split: bool = False
    controls: ControlItems | None = None
    rejected: Collection[str] = ()

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
            category_count=self.task.category_count,
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
