"""The model of history.json: one campaign over its guidelines versions, from the oldest to the newest.

It repeats what the versions' results and their comparisons say and computes nothing, so that it can be made
again from the site's own files. Everything on a campaign's page, in its badge and in its feed is in it.
"""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from reportgen.results.facts import is_unnamed
from reportgen.results.model import SEVERITIES, Finding, Severity, SubjectFigure, SubjectId, Tool
from reportgen.results.parts import Basis, Figure, Interval, Method, Part, optional


def in_order(dates: Sequence[str | None]) -> list[int]:
    """Return the places of versions from the oldest to the newest, given their dates as declared (ISO 8601).

    Where two have one date, the one declared first is older; a version without a date comes after the one
    that was declared before it. Names of versions say nothing: 1.10 comes after 1.9.
    """
    keys: list[str] = []
    for date in dates:
        keys.append(date or (keys[-1] if keys else ""))
    return sorted(range(len(keys)), key=lambda position: keys[position])


class SystemState(Part):
    """One system or model against a reference under one version, and annotators in the same measure.

    `humans` is how annotators agree with each other on the same units.
    """

    system: str
    role: str
    release: str | None = None
    key: str
    unit_set: str | None = optional("absent where marks in texts are compared")
    figure: str
    name: str
    value: Figure
    humans: Figure | None = None


class LayerState(Part):
    """One layer under one version, in its primary unit set."""

    layer: str
    unit_set: str
    annotators: int = Field(description="how many: the coverage has their names")
    documents: int
    units: int
    documents_compared: int = Field(description="documents in which two annotators rated the same unit")
    units_compared: int = Field(description="units that at least two annotators rated: what figures rest on")
    coefficient: str
    name: str
    symbol: str
    figure: Figure
    categories: tuple[str, ...]
    specific_agreement: Mapping[str, Figure]
    f_measure: Figure | None = optional("strict F of marks in texts, the mean over pairs of annotators")
    systems: tuple[SystemState, ...] = ()
    subject: SubjectId | None = optional("what the verdict is about; absent: annotators")
    answer: SubjectFigure | None = optional("the figure that the verdict is about; absent: the coefficient")

    @property
    def shown(self) -> Figure:
        """Return the figure that the verdict is about."""
        return self.answer.value if self.answer else self.figure


class MovedFigure(Part):
    """The primary coefficient of a layer as it was released, and as it is now."""

    layer: str
    figure: str
    name: str
    released: float | None = None
    now: float | None = None


class ReleaseState(Part):
    """What was released of a version, and what differs from it now.

    Labels are counted as far as counts tell: two that changed places in one document may look like none.
    """

    spare: ClassVar[frozenset[str]] = frozenset(("again", "documents", "figures"))
    released: str | None = optional("the day")
    again: tuple[str, ...] = Field(default=(), description="why it was released again, the first time first")
    documents: Mapping[str, int] = Field(
        default_factory=dict,
        description="documents of which labels differ, and how many at least; empty where none is known",
    )
    figures: tuple[MovedFigure, ...] = Field(default=(), description="primary coefficients that differ")

    @property
    def differs(self) -> bool:
        """Tell whether anything is not as it was released."""
        return bool(self.documents or self.figures)

    @property
    def labels(self) -> int:
        """Return how many labels differ at least."""
        return sum(self.documents.values())


class VersionState(Part):
    """One guidelines version: where it is now, and the verdict on all of its layers."""

    spare: ClassVar[frozenset[str]] = frozenset(("was",))
    version: str
    date: str | None = None
    changes: str = ""
    was: tuple[str, ...] = Field(default=(), description="what it was called earlier")
    release: ReleaseState | None = optional("where the campaign's folder has a record of a release")
    verdicts: tuple[Finding, ...] = Field(
        description="one; with several layers one for those that have the same, the gravest first"
    )
    layers: tuple[LayerState, ...]

    @property
    def is_unnamed(self) -> bool:
        """Tell whether nobody named the version of the guidelines."""
        return is_unnamed(self.version, self.date, self.changes, self.was, self.release)

    @property
    def severity(self) -> Severity:
        """Return how grave the gravest verdict is."""
        return min((verdict.severity for verdict in self.verdicts), key=SEVERITIES.index)

    def severity_of(self, layer: str) -> Severity:
        """Return how grave the verdict on a layer is; with one layer there is one verdict."""
        return next(
            verdict.severity for verdict in self.verdicts if len(self.layers) == 1 or layer in verdict.layers
        )

    def answer_of(self, layer: str) -> Finding | None:
        """Return the verdict on a layer whose subject is another than single labels of annotators."""
        own = (verdict for verdict in self.verdicts if verdict.subject)
        return next((verdict for verdict in own if len(self.layers) == 1 or layer in verdict.layers), None)

    @property
    def acceptable(self) -> int:
        """Return on how many layers agreement is acceptable: high, or acceptable with caution."""
        passed = (verdict for verdict in self.verdicts if verdict.severity in {"good", "note"})
        return sum(len(verdict.layers) for verdict in passed)

    @property
    def lowest(self) -> LayerState:
        """Return the layer whose figure is lowest, the first where none has a value."""
        defined = [layer for layer in self.layers if layer.shown.value is not None]
        return min(defined, key=lambda layer: layer.shown.value or 0.0, default=self.layers[0])

    @property
    def first(self) -> LayerState:
        """Return the first layer, whose coefficient is the campaign's."""
        return self.layers[0]

    def layer(self, name: str) -> LayerState | None:
        """Return a layer by its id, None where this version has no such layer."""
        return next((layer for layer in self.layers if layer.layer == name), None)


class Move(Part):
    """How one figure moved from one version to another, as their comparison says."""

    figure: str
    basis: Basis | None = None
    method: Method | None = None
    first: float | None = optional("the figure under the first version, on that basis")
    second: float | None = None
    difference: float | None = None
    interval: Interval | None = None
    p: float | None = optional("after Holm where several categories, or several layers, are tested")
    untested: str | None = None


class LayerMove(Part):
    """How one layer moved, on what is in both versions where something does."""

    layer: str
    coefficient: Move
    clusters: Literal["document", "unit"]
    documents: int = Field(description="documents of both versions on which the comparison rests")
    specific_agreement: Mapping[str, Move] = Field(default_factory=dict)
    f_measure: Move | None = optional("of marks in texts, strict")
    renamed: Mapping[str, str] | None = optional("labels of the first version by their names in the second")


class Step(Part):
    """From one version to another; `layers` and what they say come from comparison.json of the two.

    Documents and annotators are those of the coverage: of both, of the first alone, of the second alone.
    """

    first: str
    second: str
    documents: tuple[int, int, int] | None = optional("absent where no document is known")
    edited: int = Field(default=0, description="documents of one name whose text is another")
    left: tuple[str, ...] = Field(default=(), description="annotators of the first alone")
    joined: tuple[str, ...] = Field(default=(), description="annotators of the second alone")
    compared: bool = Field(description="whether the two have a comparison")
    layers: tuple[LayerMove, ...] = ()

    @property
    def primary(self) -> LayerMove | None:
        """Return how the first layer moved, None where nothing was compared."""
        return self.layers[0] if self.layers else None

    def layer(self, name: str) -> LayerMove | None:
        """Return how a layer moved, None where it was not compared."""
        return next((layer for layer in self.layers if layer.layer == name), None)


class ComparedPair(Part):
    """Two versions that have a page of comparison, and how the primary coefficient moved."""

    first: str
    second: str
    move: Move | None = None


class Group(Part):
    """Documents that are in the same versions."""

    versions: tuple[str, ...]
    documents: tuple[str, ...]


class Attendants(Part):
    """Annotators in the same versions, with as many documents in each (0 where no document is known)."""

    annotators: tuple[str, ...]
    documents: Mapping[str, int]


class Coverage(Part):
    """Which documents and annotators are in which version: those of whose units something is counted."""

    documents: tuple[Group, ...] = ()
    annotators: tuple[Attendants, ...] = ()

    def annotators_of(self, version: str) -> tuple[str, ...]:
        """Return the annotators of a version, by their names."""
        groups = (group.annotators for group in self.annotators if version in group.documents)
        return tuple(sorted(chain.from_iterable(groups)))


class HistoryCampaign(Part):
    """Whose history it is."""

    id: str
    title: str
    authors: tuple[str, ...] = ()


class History(Part):
    """One campaign over its guidelines versions, the oldest first; there is at least one."""

    schema_: Annotated[Literal[1], Field(alias="schema")] = 1
    campaign: HistoryCampaign
    versions: tuple[VersionState, ...]
    steps: tuple[Step, ...] = Field(description="each version after the first, from the one before it")
    comparisons: tuple[ComparedPair, ...] = Field(
        description="every two versions that have a page of comparison"
    )
    coverage: Coverage
    tool: Tool

    @property
    def newest(self) -> VersionState:
        """Return the newest version."""
        return self.versions[-1]

    @property
    def last_step(self) -> Step | None:
        """Return how the newest version came from the one before it, None where it is the only one."""
        return self.steps[-1] if self.steps else None

    def step_to(self, version: str) -> Step | None:
        """Return the step that led to a version, None for the first."""
        return next((step for step in self.steps if step.second == version), None)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the versions' names in order."""
        return tuple(version.version for version in self.versions)

    @property
    def layers(self) -> tuple[str, ...]:
        """Return the layers of all versions, those of the newest version first."""
        return tuple(
            dict.fromkeys(layer.layer for version in reversed(self.versions) for layer in version.layers)
        )
