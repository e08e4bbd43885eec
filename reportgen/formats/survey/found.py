"""What a survey of an export tells."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from reportgen.errors import Problem
from reportgen.formats.survey.columns import Columns

# Marks of stretches of text, labels of whole documents, units or cells, or some of each.
Kind = Literal["texts", "items", "mixed"]
ENOUGH_VALUES = 50
SHARE_OF_VALUES = 0.1


@dataclass(frozen=True)
class LayerFound:
    """One thing that was labelled: its source, its labels with their counts, the commonest first.

    `source` is None for everything that the export holds.
    """

    source: str | None
    labels: Mapping[str, int]
    kind: Kind

    @property
    def marks(self) -> int:
        """How many labels were given."""
        return sum(self.labels.values())

    @property
    def is_free_text(self) -> bool:
        """Say whether there are so many different labels that they hardly are categories."""
        return len(self.labels) > max(ENOUGH_VALUES, SHARE_OF_VALUES * self.marks)


@dataclass(frozen=True)
class Found:
    """What one export holds.

    - `annotators` in the order of the files; `roles` are those that the tool gives to some.
    - `documents`, and on how many of them (or of the units, in a table) nobody made a mark.
    - `units`: how many a table lists, 0 for documents.
    - `whole`: all labels together.
    - `layers`: what the campaign should treat one by one, empty where everything is one layer.
    - `sources`: all that could be a layer.
    - `ordered`: whether the labels stand in the export's own order.
    - `set_separator`: what separates the members of labels that are sets, None where they are not.
    - `columns`: which columns a table has, None where the export is none.
    - `scale`: that of categories, where the export says it: it holds counts. Its units are then known too.
    - `problems`: what has to be mended before a report can be built.
    """

    annotators: tuple[str, ...]
    documents: int
    unmarked: int
    whole: LayerFound
    units: int = 0
    roles: Mapping[str, str] = field(default_factory=dict)
    layers: tuple[LayerFound, ...] = ()
    sources: tuple[str, ...] = ()
    ordered: bool = False
    set_separator: str | None = None
    columns: Columns | None = None
    scale: str = ""
    problems: tuple[Problem, ...] = ()

    @property
    def in_texts(self) -> bool:
        """Say whether every layer is of marks in texts."""
        return all(layer.kind == "texts" for layer in self.layers or (self.whole,))

    @property
    def to_choose(self) -> bool:
        """Say whether it is still to be said which column is what."""
        return self.columns is not None and not self.columns.understood


def by_count(labels: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Return labels with their counts, the commonest first."""
    return dict(sorted(labels, key=lambda each: (-each[1], each[0])))
