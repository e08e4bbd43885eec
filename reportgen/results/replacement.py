"""The model of what results say of models as annotators: may one of them take a person's place?"""

from pydantic import Field

from reportgen.results.parts import Figure, Part
from reportgen.results.unit_sets import UnitSet

# The alternative annotator test: Calderon, Reichart and Dror (2025), ACL, 16051-16081.


class AlternativeTest(Part):
    """One human against a model: the one-sided test that the human's advantage is below ε.

    `adjusted_p` is that of Benjamini and Yekutieli over the humans who are tested. `undefined` says why there
    is no statistic: where every instance has the same difference, it alone decides, and p is 0 or 1.
    """

    statistic: float | None = None
    degrees: float | None = Field(default=None, description="of the t distribution")
    p: float | None = None
    adjusted_p: float | None = None
    beaten: bool | None = None
    undefined: str | None = None


class HeldOutHuman(Part):
    """One human, each of whose labels is compared with the model's by the others of the same unit."""

    annotator: str
    instances: int = Field(description="units with a label of the model, of the human, and of enough others")
    model: float | None = Field(default=None, description="share of them on which the model scores no less")
    human: float | None = Field(default=None, description="share of them on which the human scores no less")
    difference: float | None = Field(default=None, description="human less model: what is tested against ε")
    method: str | None = Field(
        default=None, description='"t", or below 30 instances "wilcoxon", of instances as independent'
    )
    independent: AlternativeTest | None = Field(default=None, description="absent where ε is not declared")
    clustered: AlternativeTest | None = Field(
        default=None, description="with instances clustered by document; absent where none is known"
    )
    undefined: str | None = Field(default=None, description="why this human is not tested")


class WinningRate(Part):
    """The share of humans that a model beats."""

    value: float | None = None
    beaten: int
    tested: int
    passes: bool | None = Field(default=None, description="whether it is at least one half")
    undefined: str | None = None


class RateByEpsilon(Part):
    """The winning rate at each price of a person."""

    epsilon: tuple[float, ...]
    independent: tuple[float, ...]
    clustered: tuple[float, ...] | None = None


class CrossReplication(Part):
    """Agreement between the humans and a model: xRR (Wong, Paritosh and Aroyo 2021)."""

    between: Figure = Field(
        description="xRR: 1 - observed / expected disagreement of a human's label with the model's; "
        "`observed` and `expected` are disagreements"
    )
    humans: float | None = Field(
        default=None, description="Krippendorff's alpha of the humans on the same units, by the same distance"
    )
    normalised: float | None = Field(
        default=None,
        description="xRR / √alpha, the model's own reliability, of which one run tells nothing, being taken "
        "for 1",
    )


class ModelReplacement(Part):
    """One model against every human of a unit set.

    `advantage` is the average advantage probability ρ: how probable it is that the model is no worse than a
    human drawn at random, the mean over the tested humans; its interval is over documents, not humans.
    """

    model: str
    role: str
    instances: int = Field(description="units with a label of the model and of enough humans")
    documents: int
    humans: tuple[HeldOutHuman, ...]
    advantage: Figure
    independent: WinningRate | None = Field(default=None, description="absent where ε is not declared")
    clustered: WinningRate | None = None
    differ: bool | None = Field(
        default=None, description="whether instances by document decide otherwise than independent ones"
    )
    curve: RateByEpsilon | None = Field(default=None, description="absent where nobody is tested")
    cross_replication: CrossReplication
    called: str | None = Field(
        default=None, description="the model with its version, or the system with its release, as declared"
    )
    prompt: str | None = Field(
        default=None, description="the file of what the model was asked, where it is declared"
    )

    @property
    def shown_name(self) -> str:
        """Return what the model is called, with the name that it has as an annotator."""
        return f"{self.called} ({self.model})" if self.called else self.model


class AdvantageDifference(Part):
    """How much less often than the leading model another is no worse than a human, on the units of both."""

    model: str
    difference: Figure = Field(description="its ρ less that of the leading model")
    p: float | None = None
    adjusted_p: float | None = Field(default=None, description="by Holm's method over the models")


class Replacement(Part):
    """May a model take a person's place? The models of one unit set, in the order of their ρ."""

    layer: str
    unit_set: str
    recomputable: bool = Field(default=False, description="counts alone do not give it")
    score: str = Field(
        description="how near a label is to others, with what it was computed with in brackets"
    )
    epsilon: float | None = Field(default=None, description="the price of a person; absent: no verdict")
    why: str = ""
    q: float = Field(description="false discovery rate over the humans of a model")
    minimum_humans: int
    minimum_instances: int
    expert: str | None = Field(
        default=None, description="who is trusted: who is nearer to this one, the model or the others?"
    )
    annotators: tuple[str, ...]
    comparison_only: bool = Field(
        description="whether there are only two humans, so that each is held against the other alone"
    )
    models: tuple[ModelReplacement, ...]
    behind: tuple[AdvantageDifference, ...] = Field(
        default=(), description="the models after the first, against the first"
    )


class ModelsBesideAgreement(UnitSet):
    """What `reportgen agree --model` prints: agreement among humans, and the models beside it."""

    replacement: Replacement
