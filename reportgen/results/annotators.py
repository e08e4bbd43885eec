"""What results.json says of annotators, items, references, systems and models, of groups, and of times."""

from collections.abc import Iterable, Mapping
from typing import Literal

from pydantic import Field

from reportgen.results.parts import Change, Figure, Interval, Mean, ResultModel, optional
from reportgen.results.unit_sets import UnitSet

# The model of the quality of annotators and items, which is not agreement: a part of results.json.
#
# No counts table gives these figures: who said what of which unit is not in them.


class ControlAccuracy(ResultModel):
    """How many control items one annotator labelled right."""

    annotator: str
    labelled: int
    right: int
    accuracy: Figure
    rejected: bool


class WithAndWithoutRejected(ResultModel):
    """One figure with everybody, and without the rejected annotators."""

    everybody: Figure | None = None
    without_rejected: Figure | None = None


class Controls(ResultModel):
    """The control items of a layer, and whom they made the campaign reject."""

    items: int
    absent: int = Field(description="further items, which no unit of the export is")
    reject_below: float | None = optional(
        "rejected where the upper end of the interval of accuracy is below it"
    )
    minimum: int = Field(description="control items that somebody must have labelled first")
    rejected: tuple[str, ...]
    annotators: tuple[ControlAccuracy, ...] = Field(description="all, or the worst of many")
    annotators_in_all: int
    agreement: Mapping[str, WithAndWithoutRejected] = Field(
        default_factory=dict, description="agreement in the primary unit set, where somebody is rejected"
    )


class AnnotatorErrors(ResultModel):
    """One annotator under the model of Dawid and Skene.

    `confusion` has true categories as rows and given ones as columns; rows of categories that the annotator
    never met are null.
    """

    annotator: str
    labelled: int
    accuracy: float = Field(description="Σ p_c π(c, c): how often right, were true categories as prevalent")
    blind: float = Field(description="accuracy of the same labels given at random")
    expected_right: float = Field(description="labels that are right as far as the model knows")
    near_chance: bool = Field(
        description="whether right hardly more often than the same labels given at random; this and the "
        "next are false on an ordinal scale"
    )
    below_chance: bool = Field(
        default=False, description="whether right less often than the same labels given at random"
    )
    confusion: tuple[tuple[float | None, ...], ...] | None = optional(
        "in the order of the categories; absent where there are many"
    )


class DawidSkene(ResultModel):
    """The model of Dawid and Skene (1979), fitted by EM; or why it is not."""

    undefined: str | None = None
    units: int | None = None
    known: int | None = optional("of these, control items, which are taken as known")
    categories: tuple[str, ...] = ()
    prevalence: Mapping[str, float] = Field(default_factory=dict)
    iterations: int | None = None
    most_iterations: int | None = None
    tolerance: float | None = optional("the largest change of a posterior at which it stops")
    converged: bool | None = None
    annotators: tuple[AnnotatorErrors, ...] = Field(default=(), description="all, or the worst of many")
    annotators_in_all: int = 0


class HardUnit(ResultModel):
    """A unit with much disagreement; `entry` is its number in the list of texts.json, from 0."""

    entry: int | None = None
    document: str | None = None
    disagreement: float
    entropy: float
    labels: Mapping[str, int]


class Bin(ResultModel):
    """How many units have a disagreement above `low`, up to `high`; the first bin has those without."""

    low: float
    high: float
    units: int


class Difficulty(ResultModel):
    """How hard units are that at least two annotators rated."""

    units: int
    differing: int
    disagreement: float = Field(description="mean share of pairs that differ")
    entropy: float = Field(description="mean entropy of a unit's labels, in bits")
    histogram: tuple[Bin, ...]
    hardest: tuple[HardUnit, ...]


class Block(ResultModel):
    """Consecutive documents of one annotator, or units where no document is known."""

    documents: int
    units: int
    agreement: float


class DriftStep(ResultModel):
    """The day that divides an annotator's documents best, and agreement with the others before and since."""

    since: str
    before: float
    after: float


class Drift(ResultModel):
    """One annotator's agreement with the others over documents in the order of the work.

    `slope` is the change from the first to the last; `p` that of no change, `adjusted_p` by Holm's method.
    """

    documents: int
    blocks: tuple[Block, ...]
    slope: Figure
    p: float | None = None
    adjusted_p: float | None = None
    step: DriftStep | None = optional("where a change is shown, and days of labels are known and published")


class CategoryUse(ResultModel):
    """How often somebody gave a category, and others on the same units; `difference` is the former less this.

    `adjusted_p` is that of no difference by Holm's method over all annotators and categories.
    """

    category: str
    own: float = Field(description="share of the units")
    others: float = Field(description="mean share of the others' labels of a unit")
    difference: Figure
    adjusted_p: float


class Copies(ResultModel):
    """Two annotators one of whom may have the other's labels: they hardly ever differ.

    Where two others labelled the same units, the figures are of these.
    """

    first: str
    second: str
    units: int
    differ: int
    expected: float | None = optional("on how many units two would differ who agree so with the others")


class WithoutNearest(ResultModel):
    """One annotator beside the others but for the one with whom this one agrees most, on labels of units."""

    nearest: str
    difference: float | None = optional("agreement with the others less that of these among themselves")
    slope: float | None = optional("of this difference, as the work goes on")


class AnnotatorVsRest(ResultModel):
    """One annotator beside the others.

    `agreement` is with the others, `others` theirs among themselves on the same units, `difference` the
    former less the latter, with the p value of none. Of marks in texts all are F, in the same documents.
    """

    annotator: str
    agreement: Figure
    units: int | None = optional("units that another annotator labelled too, where marks are compared")
    others: float | None = None
    difference: Figure
    p: float | None = None
    adjusted_p: float | None = None
    next_p: float | None = optional(
        "of no difference from the annotator whose difference is the next larger; of at most 60 annotators"
    )
    without: Figure | None = optional(
        "the primary coefficient without this annotator, of those who agree less than the others "
        "or gave one label throughout"
    )
    bias: CategoryUse | None = optional(
        "the category that this annotator uses more or less often than the others beyond chance, and "
        "more so than anybody else; of several the surest"
    )
    drift: Drift | None = None
    without_nearest: WithoutNearest | None = optional(
        "of those who agree more with the others beyond chance, or less or more as the work goes on"
    )


class IntraAnnotatorAgreement(ResultModel):
    """What one annotator said of units at first, against what they said again."""

    annotator: str
    units: int
    measures: Mapping[str, Figure]
    by_category: Mapping[str, Figure] = Field(
        default_factory=dict, description="of each category: how often what got it once got it twice"
    )


class Quality(ResultModel):
    """The quality of one layer's annotators and items, in its primary unit set."""

    layer: str
    unit_set: str
    compared_by: str | None = optional(
        "what annotators are compared with each other by; absent: the labels of units"
    )
    recomputable: bool = Field(default=False, description="counts alone do not give it")
    controls: Controls | None = None
    dawid_skene: DawidSkene
    difficulty: Difficulty | None = None
    by_document: bool = Field(description="whether drift is over documents, or over units in their order")
    in_time: bool | None = optional("whether drift is over the times of labels, not the order of the export")
    annotators: tuple[AnnotatorVsRest, ...] = Field(default=(), description="all, or the worst of many")
    annotators_in_all: int
    copies: tuple[Copies, ...] = Field(default=(), description="who may be copies of each other")
    intra_annotator: tuple[IntraAnnotatorAgreement, ...] = ()


# The model of what results.json says of references and systems, with human agreement beside them.

ROLES_IN_ORDER = ("reference", "annotator", "system", "model")


class CategoryScores(ResultModel):
    """One category between the key and whoever is compared with it."""

    key: int = Field(description="units, or marks, that the key gave it")
    other: int = Field(description="units, or marks, that the other gave it")
    both: int
    precision: Figure = Field(description="both / other")
    recall: Figure = Field(description="both / key")
    specific_agreement: Figure = Field(description="2 both / (key + other), the F-measure of the two")
    specificity: Figure | None = optional(
        "of units: those that neither gave it / those that the key did not; recall is the sensitivity"
    )
    negative_value: Figure | None = optional(
        "of units: those that neither gave it / those that the other did not; precision is the positive one"
    )
    phi: Figure | None = optional("of units: Matthews' correlation of the two")
    humans: Mean | None = optional("mean over pairs of annotators, on the same units")


class Humans(ResultModel):
    """How much annotators agree with each other on the very units of a comparison."""

    pairs: int = Field(description="pairs of annotators who share one of the units, or documents")
    units: int | None = optional("units that two annotators labelled")
    documents: int
    measures: Mapping[str, Figure] = Field(description="means over the pairs for which they are defined")
    against_reference: Mapping[str, Mapping[str, Figure]] = Field(
        default_factory=dict, description="each annotator against the reference there"
    )


class Comparison(ResultModel):
    """Somebody compared with a key: a reference, or an annotator where there is none."""

    layer: str
    unit_set: str | None = optional("absent where marks in texts are compared")
    key: str
    key_role: str
    other: str
    role: str
    system: str | None = optional("the system that this is, or is a release of")
    release: str | None = None
    independent: bool | None = optional(
        "false where the key was made from marks of which the other's are a part"
    )
    units: int | None = optional("units that both labelled")
    documents: int
    measures: Mapping[str, Figure]
    by_category: Mapping[str, CategoryScores]
    humans: Humans | None = optional("beside systems and models")
    against_humans: Change | None = optional(
        "the figure shown first: of annotators with each other (first), and of this one (second)"
    )
    for_any_annotators: Interval | None = optional(
        "the same difference's interval that covers the choice of annotators too, from five on"
    )
    behind: Change | None = optional(
        "the figure shown first: of this system (first), and of the best beside its reference (second), on "
        "what both have"
    )

    @property
    def shown_name(self) -> str:
        """Return what pages call whoever is compared: a system with its release, else its own name."""
        return " ".join(filter(None, (self.system, self.release))) or self.other


class ComparedSet(ResultModel):
    """What is compared in one unit set, or of one layer's marks."""

    layer: str
    unit_set: str | None = None
    figure: str = Field(description="the figure that pages show first")
    references: tuple[str, ...] = Field(description="without any, annotators are the keys")
    not_independent: tuple[str, ...] = Field(
        default=(), description="references that were made from annotators' own marks"
    )
    choice: str | None = optional(
        'the units that both labelled: "every" one, those that an annotator or one of the two '
        'marked ("any"), or those that all annotators and both marked ("all")'
    )
    people: int = Field(description="how many are compared with a key")
    crowded: bool = Field(
        description="whether of so many annotators only those are here who agree least; "
        "tables/comparisons-of-all.csv has everybody"
    )
    humans: Mapping[str, Humans] = Field(description="annotators on all units of each reference")


class Comparisons(ResultModel):
    """Everybody against the references; systems and models against annotators where there are none."""

    sets: tuple[ComparedSet, ...]
    pairs: tuple[Comparison, ...] = Field(description="releases of one system in their declared order")

    def categories(self, layer: str, unit_set: str) -> tuple[str, ...]:
        """Return the categories that somebody gave in a unit set."""
        own = (pair for pair in self.pairs if (pair.layer, pair.unit_set) == (layer, unit_set))
        return tuple(dict.fromkeys(name for pair in own for name in pair.by_category))

    def people(self, layer: str) -> dict[str, tuple[str, ...]]:
        """Return who is compared in a layer, by role: references first, then annotators, systems, models."""
        own = [pair for pair in self.pairs if pair.layer == layer]
        roles = {pair.key: pair.key_role for pair in own} | {pair.other: pair.role for pair in own}
        by_role = {role: [name for name in roles if roles[name] == role] for role in roles.values()}
        return {role: tuple(by_role[role]) for role in ROLES_IN_ORDER if role in by_role}


def nearest(pairs: Iterable[Comparison], figure: str) -> list[Comparison]:
    """Return the newest release of each system, the nearest to the key by a figure first."""
    newest = {
        pair.system or pair.other: (pair, own.value)
        for pair in pairs
        if (own := pair.measures.get(figure)) and own.value is not None
    }
    return [pair for pair, _value in sorted(newest.values(), key=lambda own: -own[1])]


# The model of what results say of a model as judge: what its labels are worth, category by category.


class LabelsNeeded(ResultModel):
    """How many units the human has to label for a 95% interval of a share of about a half-width."""

    half_width: float
    units: int = Field(description="in all, the model's labels being used")
    alone: int = Field(description="in all, by the human's labels alone")


class JudgedCategory(ResultModel):
    """One category of a model beside a human, all others being one."""

    human: int = Field(description="units of both that the human gave it")
    model: int = Field(description="and the model")
    both: int
    sensitivity: Figure = Field(description="both / human")
    specificity: Figure = Field(description="units that neither gave it / units that the human did not")
    positive_value: Figure = Field(description="both / model")
    negative_value: Figure = Field(description="units that neither gave it / units that the model did not")
    phi: Figure = Field(description="Matthews' correlation of the two")
    human_share: Figure = Field(description="of the units of both")
    reported_share: Figure = Field(description="of all units that the model labelled")
    corrected_share: Figure | None = optional(
        "of all units, by prediction-powered inference; absent where the human labelled all of them, or no "
        "random part"
    )
    rogan_gladen: float | None = optional(
        "the share that the model reports, corrected by its sensitivity and specificity"
    )
    labels_needed: tuple[LabelsNeeded, ...] | None = optional(
        "for narrower intervals of the share; absent where the human labelled all units, or nothing varies"
    )


class SelectedUnits(ResultModel):
    """A category that the model gives more often, or less, among the units that the human labelled too."""

    category: str
    labelled_share: float = Field(description="of the units that the human labelled too")
    further_share: float = Field(description="of those that the model labelled alone")
    p: float = Field(description="of so large a difference in a random part of the units, after Holm")


class Judge(ResultModel):
    """A model beside the human of a layer's primary unit set."""

    layer: str
    unit_set: str
    recomputable: bool = Field(default=False, description="counts alone do not give it")
    model: str
    human: str = Field(description="the reference, the only annotator, or the majority of annotators")
    annotators: int
    units: int = Field(description="units that both labelled")
    alone: int = Field(description="units that the model alone labelled")
    selected: SelectedUnits | None = optional(
        "why the units that the human labelled are no random part of all, so that no share is corrected"
    )
    categories: Mapping[str, JudgedCategory]


# The model of what results say of models as annotators: may one of them take a person's place?

# The alternative annotator test: Calderon, Reichart and Dror (2025), ACL, 16051-16081.


class AlternativeTest(ResultModel):
    """One human against a model: the one-sided test that the human's advantage is below ε.

    `adjusted_p` is that of Benjamini and Yekutieli over the humans who are tested. `undefined` says why there
    is no statistic: where every instance has the same difference, it alone decides, and p is 0 or 1.
    """

    statistic: float | None = None
    degrees: float | None = optional("of the t distribution")
    p: float | None = None
    adjusted_p: float | None = None
    beaten: bool | None = None
    undefined: str | None = None


class HeldOutHuman(ResultModel):
    """One human, each of whose labels is compared with the model's by the others of the same unit."""

    annotator: str
    instances: int = Field(description="units with a label of the model, of the human, and of enough others")
    model: float | None = optional("share of them on which the model scores no less")
    human: float | None = optional("share of them on which the human scores no less")
    difference: float | None = optional("human less model: what is tested against ε")
    method: str | None = optional('"t", or below 30 instances "wilcoxon", of instances as independent')
    independent: AlternativeTest | None = optional("absent where ε is not declared")
    clustered: AlternativeTest | None = optional(
        "with instances clustered by document; absent where none is known"
    )
    undefined: str | None = optional("why this human is not tested")


class WinningRate(ResultModel):
    """The share of humans that a model beats."""

    value: float | None = None
    beaten: int
    tested: int
    passes: bool | None = optional("whether it is at least one half")
    undefined: str | None = None


class RateByEpsilon(ResultModel):
    """The winning rate at each price of a person."""

    epsilon: tuple[float, ...]
    independent: tuple[float, ...]
    clustered: tuple[float, ...] | None = None


class CrossReplication(ResultModel):
    """Agreement between the humans and a model: xRR (Wong, Paritosh and Aroyo 2021)."""

    between: Figure = Field(
        description="xRR: 1 - observed / expected disagreement of a human's label with the model's; "
        "`observed` and `expected` are disagreements"
    )
    humans: float | None = optional(
        "Krippendorff's alpha of the humans on the same units, by the same distance"
    )
    model: float | None = optional("the model's alpha with itself, where it labelled units twice")
    normalised: float | None = optional(
        "xRR / √(alpha · the model's); one run tells nothing of the latter, which is then taken for 1"
    )


class CategoryParting(ResultModel):
    """How often a model gives a category where a human does, beside how often another human does.

    Both are shares of the humans' labels on the units that the model and two humans labelled. `p` is that of
    no difference, `adjusted_p` by Holm's method over the categories.
    """

    category: str
    human_labels: int
    model_labels: int
    among_humans: float = Field(description="share of them that another human of the unit agrees with")
    with_model: float = Field(description="share of them that the model agrees with")
    difference: Figure = Field(description="the latter less the former")
    p: float | None = None
    adjusted_p: float | None = None


class LabelDistribution(ResultModel):
    """How the humans' labels and the model's are distributed, and how far apart the two are.

    `model`, `human` and `difference` are of units with at least five labels of humans: how far the model's
    label, and a human's, is from those of the other humans, by the Jensen-Shannon distance.
    """

    units: int
    human_entropy: float = Field(description="of the humans' labels over all units, in bits")
    model_entropy: float
    distance: float = Field(description="Jensen-Shannon distance of the two, from 0 to 1")
    many: int = Field(description="units with at least five labels of humans")
    unit_entropy: float | None = optional("mean entropy of a unit's labels there")
    model: float | None = None
    human: float | None = None
    difference: Figure | None = optional("the model's less the human's")
    p: float | None = None


class ModelReplacement(ResultModel):
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
    for_any_humans: Interval | None = optional(
        "of ρ, over documents and the choice of humans too; where at least five are tested"
    )
    independent: WinningRate | None = optional("absent where ε is not declared")
    clustered: WinningRate | None = None
    differ: bool | None = optional("whether instances by document decide otherwise than independent ones")
    curve: RateByEpsilon | None = optional("absent where nobody is tested")
    cross_replication: CrossReplication | None = optional("absent of marks in texts")
    agreement: Change | None = optional(
        "an alpha of the humans (first), and with the model as one more (second)"
    )
    coefficient: str | None = optional("which alpha: the one by the distance of the score")
    categories: tuple[CategoryParting, ...] = Field(
        default=(), description="where the model and humans part; of numbers and sets none"
    )
    distribution: LabelDistribution | None = None
    called: str | None = optional("the model with its version, or the system with its release, as declared")
    prompt: str | None = optional("the file of what the model was asked, where it is declared")

    @property
    def shown_name(self) -> str:
        """Return what the model is called, with the name that it has as an annotator."""
        return f"{self.called} ({self.model})" if self.called else self.model

    def __repr__(self) -> str:
        """Return the model's advantage, and how many humans it beats, where a price says what that takes."""
        rho = f"advantage {'undefined' if self.advantage.value is None else f'{self.advantage.value:.3f}'}"
        rate, tested = self.independent, f"{len(self.humans)} humans, {self.instances} units"
        if rate is None:
            return f"<{self.shown_name}: {rho}; {tested}; no verdict without epsilon>"
        verdict = "nobody was tested" if rate.passes is None else "passes" if rate.passes else "does not pass"
        return f"<{self.shown_name}: {rho}; {tested}; beats {rate.beaten} of {rate.tested}: {verdict}>"

    __str__ = __repr__


class AdvantageDifference(ResultModel):
    """How much less often than the leading model another is no worse than a human, on the units of both."""

    model: str
    difference: Figure = Field(description="its ρ less that of the leading model")
    p: float | None = None
    adjusted_p: float | None = optional("by Holm's method over the models")


class Replacement(ResultModel):
    """May a model take a person's place? The models of one unit set, in the order of their ρ."""

    layer: str
    unit_set: str | None = optional("absent of marks in texts, whose instances are documents")
    recomputable: bool = Field(default=False, description="counts alone do not give it")
    score: str = Field(
        description="how near a label is to others, with what it was computed with in brackets"
    )
    epsilon: float | None = optional("the price of a person; absent: no verdict")
    why: str = ""
    q: float = Field(description="false discovery rate over the humans of a model")
    minimum_humans: int
    minimum_instances: int
    expert: str | None = optional("who is trusted: who is nearer to this one, the model or the others?")
    annotators: tuple[str, ...]
    comparison_only: bool = Field(
        description="whether there are only two humans, so that each is compared with the other alone"
    )
    models: tuple[ModelReplacement, ...]
    behind: tuple[AdvantageDifference, ...] = Field(
        default=(), description="the models after the first, against the first"
    )

    def __repr__(self) -> str:
        """Return each model with its verdict, and what it was compared by."""
        price = "" if self.epsilon is None else f", epsilon {self.epsilon:g}"
        models = "".join(f"\n  {model!r}" for model in self.models)
        return f"<replacement by {self.score}{price}; humans: {', '.join(self.annotators)}{models}>"

    __str__ = __repr__


class ModelsBesideAgreement(UnitSet):
    """What `reportgen agree --model` prints: agreement among humans, and the models beside it."""

    replacement: Replacement


class ModelsBesideOneHuman(UnitSet):
    """What `reportgen agree --model` prints of one human: models beside this one, by unit and by share."""

    comparisons: tuple[Comparison, ...]
    judges: tuple[Judge, ...]


class GroupSize(ResultModel):
    """A group of annotators, and how many there are in it."""

    group: str
    people: int


class GroupAgreement(ResultModel):
    """How much the members of a group agree among themselves, and with those of other groups.

    Both are chance-corrected by what everybody said: 1 - D / D_e, D being the mean distance of two labels of
    one unit, D_e that of any two. Units count as many times as they have pairs of members, in both.
    """

    group: str | None = optional("absent: of all groups, pairs within any beside pairs between any two")
    people: int
    units: int = Field(description="units that two members and somebody else labelled")
    within: Figure
    between: Figure
    difference: Figure = Field(description="within less between")
    p: float | None = optional("two-sided, by exchanging at random who belongs to which group")
    adjusted_p: float | None = optional("over all groups, attributes and layers")


class LayerGroups(ResultModel):
    """Groups by one attribute, and what they said in one layer's primary unit set."""

    layer: str
    unit_set: str
    attribute: str
    coefficient: str = Field(description="whose distance between labels is taken")
    groups: tuple[GroupSize, ...]
    others: int = Field(description="annotators whose group is not known, or not told of")
    agreement: tuple[GroupAgreement, ...] = ()
    exchanges: int | None = optional("how many random exchanges p rests on")
    untested: str | None = optional("why there is no p")


class Groups(ResultModel):
    """Groups of annotators: none of fewer people than `smallest`, and none that follows from others."""

    smallest: int = Field(description="people that a group has at least, where it is told of")
    layers: tuple[LayerGroups, ...]


# A stretch has so many units, of so many documents: fewer say nothing about agreement.
LEAST_UNITS, LEAST_DOCUMENTS = 20, 5


# What labels are paid by.
PaidFor = Literal["hour", "minute", "label", "document"]


class Seconds(ResultModel):
    """How many seconds something took: the median of so many times, and the quartiles."""

    times: int
    median: float
    low: float = Field(description="the lower quartile")
    high: float = Field(description="the upper quartile")


class AnnotatorPace(ResultModel):
    """How long one annotator takes."""

    annotator: str
    seconds: Seconds


class Period(ResultModel):
    """A stretch of whole days, and agreement on what was finished in it.

    A unit, or a document of marks, is finished with its last label, and has two labels from its second on.
    """

    first: str
    last: str
    units: int = Field(description="units, or documents of marks, that were finished then")
    figure: Figure = Field(description="agreement on these, by all their labels")
    labelled: int = Field(description="units, or documents of marks, with a label by the end of the stretch")
    doubled: int = Field(description="of these, those with labels of two annotators by then")
    so_far: Figure = Field(description="agreement by all labels that were given by then")


class LayerTimes(ResultModel):
    """When the labels of a layer's primary unit set were given, and how long each took."""

    layer: str
    unit_set: str
    by_document: bool = Field(description="whether times are of documents with their marks, not of units")
    ratings: int = Field(description="labels of the unit set, or documents that annotators saw")
    timed: int = Field(description="of these, those of which it is known how long they took")
    dated: int = Field(description="of these, those of which it is known when they were done")
    first: str | None = optional("the day of the first label, in UTC")
    last: str | None = None
    days: int | None = optional("days on which anybody labelled")
    annotators: tuple[AnnotatorPace, ...] = Field(default=(), description="all, or the fastest of many")
    annotators_in_all: int = 0
    coefficient: str
    periods: tuple[Period, ...] = Field(
        default=(),
        description="stretches of whole days with enough units in each; none where there is one alone",
    )


class Cost(ResultModel):
    """What labels cost whose times are known, by what [protocol] says of pay."""

    currency: str
    amount: float = Field(description="what was paid")
    per: PaidFor = Field(description="for what")
    labels: int = Field(description="labels, or documents, whose times are known")
    total: float = Field(description="what these cost")
    each: float = Field(description="what one of them cost on average")
    hourly: float = Field(description="what an hour of labelling was paid, pauses counting as medians")


class Times(ResultModel):
    """When annotators labelled, and how long it took them."""

    minutes: float | None = optional(
        "of all layers together, a row or copy of the export counted once; a pause counts as the median"
    )
    recorded: float | None = optional("minutes as the export has them, pauses included")
    pauses: int | None = optional("times that are longer than ten times the annotator's median")
    cost: Cost | None = optional("where pay is known, by the hour, the minute, the label or the document")
    layers: tuple[LayerTimes, ...]
