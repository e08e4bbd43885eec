"""The model of what results.json says of references and systems, with human agreement beside them."""

from collections.abc import Mapping

from pydantic import Field

from reportgen.results.changes import Change
from reportgen.results.parts import Figure, Mean, Part


class CategoryScores(Part):
    """One category between the key and whoever is held against it."""

    key: int = Field(description="units, or marks, that the key gave it")
    other: int = Field(description="units, or marks, that the other gave it")
    both: int
    precision: Figure = Field(description="both / other")
    recall: Figure = Field(description="both / key")
    specific_agreement: Figure = Field(description="2 both / (key + other), the F-measure of the two")
    humans: Mean | None = Field(default=None, description="mean over pairs of annotators, on the same units")


class Humans(Part):
    """How much annotators agree with each other on the very units of a comparison."""

    pairs: int = Field(description="pairs of annotators who share one of the units, or documents")
    units: int | None = Field(default=None, description="units that two annotators labelled")
    documents: int
    measures: Mapping[str, Figure] = Field(description="means over the pairs for which they are defined")
    against_reference: Mapping[str, Mapping[str, Figure]] = Field(
        default_factory=dict, description="each annotator against the reference there"
    )


class Comparison(Part):
    """Somebody held against a key: a reference, or an annotator where there is none."""

    layer: str
    unit_set: str | None = Field(default=None, description="absent where marks in texts are compared")
    key: str
    key_role: str
    other: str
    role: str
    system: str | None = Field(default=None, description="the system that this is, or is a release of")
    release: str | None = None
    independent: bool | None = Field(
        default=None, description="false where the key was made from marks of which the other's are a part"
    )
    units: int | None = Field(default=None, description="units that both labelled")
    documents: int
    measures: Mapping[str, Figure]
    by_category: Mapping[str, CategoryScores]
    humans: Humans | None = Field(default=None, description="beside systems and models")
    against_humans: Change | None = Field(
        default=None,
        description="the figure shown first: of annotators with each other (first), and of this one (second)",
    )


class ComparedSet(Part):
    """What is compared in one unit set, or of one layer's marks."""

    layer: str
    unit_set: str | None = None
    figure: str = Field(description="the figure that pages show first")
    references: tuple[str, ...] = Field(description="without any, annotators are the keys")
    not_independent: tuple[str, ...] = Field(
        default=(), description="references that were made from annotators' own marks"
    )
    choice: str | None = Field(
        default=None,
        description='the units that both labelled: "every" one, those that an annotator or one of the two '
        'marked ("any"), or those that all annotators and both marked ("all")',
    )
    people: int = Field(description="how many are held against a key")
    crowded: bool = Field(
        description="whether of so many annotators only those stand here who agree least; "
        "tables/comparisons-of-all.csv has everybody"
    )
    humans: Mapping[str, Humans] = Field(description="annotators on all units of each reference")


class Comparisons(Part):
    """Everybody against the references; systems and models against annotators where there are none."""

    sets: tuple[ComparedSet, ...]
    pairs: tuple[Comparison, ...] = Field(description="releases of one system in their declared order")
