"""What results.json says of marks in texts, and of dependency trees."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from pydantic import Field

from reportgen.results.parts import Figure, Mean, ResultModel, Withheld, optional

# The model of what results.json says of marks that disagree: boundary, type, both, or omission.

# In the order of the report: about boundaries, about the type, about both, and true omissions.
CASE_KINDS = ("boundary", "type", "both", "omission")


class MarkCase(ResultModel):
    """How many cases of a kind there are between marks of two types."""

    kind: str = Field(description="boundary (one type, other ends), type (same ends), both, or omission")
    cases: int
    first: str | None = optional("type of the first's mark; absent where only the second has one")
    second: str | None = optional("type of the second's mark; absent where only the first has one")


class PairCases(ResultModel):
    """The cases between two people; the first is the key."""

    annotators: tuple[str, str]
    roles: tuple[str, str]
    cases: tuple[MarkCase, ...]


class Boundary(ResultModel):
    """How often two annotators' marks of one label overlap without coinciding, by which end differs."""

    label: str
    left: int = 0
    right: int = 0
    both: int = 0
    inside: int = Field(default=0, description="the same ends and other stretches between them")


class EndDistances(ResultModel):
    """How far apart the ends of two annotators' marks of one label lie, that match or overlap in pairs.

    Each is a distance, in characters or of recordings in milliseconds, and how many pairs have it.
    """

    label: str
    starts: tuple[tuple[int, int], ...]
    ends: tuple[tuple[int, int], ...]


class KindOfCase(ResultModel):
    """How often somebody's mark, and how often another's, is the one that a kind of case is named after."""

    own: int
    others: int
    p: float | None = optional("of the difference, from the signs of sums over documents")


class Habit(ResultModel):
    """Whether somebody marks more than those who saw the same documents, and how their marks differ.

    The p values come from the signs of sums over documents; absent where nothing differs.
    """

    annotator: str
    type: str | None = optional("absent for all types together")
    marks: int = Field(description="their marks, once for each annotator they are compared with")
    others: int = Field(description="marks of those")
    more_p: float | None = None
    kinds: Mapping[str, KindOfCase] = Field(
        default_factory=dict,
        description="of marks of one type that overlap: left (it begins earlier and ends alike), right (it "
        "ends later and begins alike), around (both), elsewhere (neither lies around the other); omitted "
        "(the other has none); another (another type: of a type's own habit, `own` are theirs of this "
        "type). Others are left out",
    )


class MarkDisagreements(ResultModel):
    """In what way the marks of one layer disagree, and whose they are.

    A case is a pair of marks that overlap and do not match, each mark being in one pair at most; or a mark
    without a partner that overlaps one of such a pair; or an omission: a mark that no mark of the other
    overlaps, but for those that match another.
    """

    layer: str
    documents: int = Field(description="documents that two annotators saw")
    cases: tuple[MarkCase, ...] = Field(
        description="over all pairs of annotators; of an omission `second` is absent, whichever marked"
    )
    pairs: tuple[PairCases, ...] = Field(description="empty where there are more than 50 annotators")
    boundaries: tuple[Boundary, ...] = Field(description="cases about boundaries, by the ends that differ")
    habits: tuple[Habit, ...] = Field(description="of two annotators only those of the first")
    distances: tuple[EndDistances, ...] | None = optional("where marks of one label are pairs")

    @property
    def of_annotators(self) -> tuple[PairCases, ...]:
        """Return the pairs of annotators."""
        return tuple(pair for pair in self.pairs if set(pair.roles) == {"annotator"})

    def of_pair(self, first: str, second: str) -> PairCases | None:
        """Return the cases between two people, the first being the key; None where they are not known."""
        return next((pair for pair in self.pairs if pair.annotators == (first, second)), None)

    @property
    def types(self) -> list[str]:
        """Return the types that a case is about, those with most cases first."""
        cases_of_type: Counter[str] = Counter()
        for case in self.cases:
            cases_of_type.update({name: case.cases for name in {case.first, case.second} if name is not None})
        return sorted(cases_of_type, key=lambda name: (-cases_of_type[name], name))


def cases_by_kind(cases: Iterable[MarkCase], name: str | None = None) -> dict[str, int]:
    """Return how many cases of each kind there are, of all types or of those that are about one."""
    totals = dict.fromkeys(CASE_KINDS, 0)
    for case in cases:
        if name is None or name in (case.first, case.second):
            totals[case.kind] += case.cases
    return totals


def omissions_of_each(cases: Sequence[MarkCase], name: str | None = None) -> tuple[int, int]:
    """Return how many marks only the first of two has, and only the second, of all types or of one."""
    omissions = [
        case for case in cases if case.kind == "omission" and name in (None, case.first, case.second)
    ]
    first = sum(case.cases for case in omissions if case.second is None)
    return first, sum(case.cases for case in omissions) - first


# The model of what results.json says of unitizing: alpha_U, the u-alpha family and gamma.


class UnitizingPair(ResultModel):
    """The unitizing figures of two annotators, over the documents that both saw."""

    annotators: tuple[str, str]
    documents: int
    measures: Mapping[str, Figure]


class Gamma(ResultModel):
    """What gamma was computed with; another processor or version of a library may give other digits."""

    deterministic: Literal[False] = Field(
        default=False, description="the same bytes are not to be expected on every machine"
    )
    documents: int
    left_out: int = Field(description="documents in which nobody marked anything")
    samples: int
    seed: int = Field(description="the seed of the first document; each further one has the next")
    precision: float | None = None
    alpha: float
    beta: float
    delta_empty: float
    solver: str
    libraries: Mapping[str, str]


class Unitizing(ResultModel):
    """How the annotators of one layer cut its texts into units.

    `observed` and `expected` are disagreements. Figures of a category that is several types joined by a bar
    belong to text over which one annotator's units of different types lie.
    """

    layer: str
    annotators: tuple[str, ...]
    documents: int = Field(description="documents that at least two annotators saw")
    documents_alone: int = Field(description="documents that one annotator only saw: left out")
    characters: int = Field(description="code points of the documents")
    characters_read: int = Field(description="the same, each document as often as annotators saw it")
    units: int = Field(description="stretches of text, of all annotators")
    joined: int = Field(description="stretches that overlap another of the same annotator and type: one unit")
    empty: int = Field(description="stretches without a character, which are not units")
    several: int = Field(description="segments over which one annotator's units of several types lie")
    measures: Mapping[str, Figure]
    by_category: Mapping[str, Mapping[str, Figure]]
    categories: tuple[str, ...] = Field(description="the categories in order")
    pairs: tuple[UnitizingPair, ...] = Field(
        description="every two of more than two annotators, and of no more than 50"
    )
    gamma: Gamma | None = optional("what it was computed with, where asked for")

    @property
    def used(self) -> set[str]:
        """Return the ids of the measures, those of single categories too."""
        return {name for figures in (self.measures, *self.by_category.values()) for name in figures}


class BoundaryShift(ResultModel):
    """How much later somebody's boundaries are than the nearest of others', in milliseconds."""

    annotator: str
    boundaries: int = Field(description="boundaries that have another within the tolerance")
    later: float | None = optional("the mean difference; below 0 where they are earlier")
    low: float | None = None
    high: float | None = optional("ends of its 95% interval over documents, from six on")
    p: float | None = optional("of no difference")
    histogram: tuple[tuple[int, int], ...] = Field(
        default=(), description="how much later, in steps of milliseconds, and how many boundaries are"
    )


class BoundaryAgreement(ResultModel):
    """How near the boundaries of a layer's annotators in recordings are, within a tolerance.

    Each figure is F over all pairs of annotators: twice what is a pair, divided by what there is of both.
    """

    layer: str
    tolerance: int = Field(description="milliseconds")
    declared: bool = Field(description="whether campaign.toml says how many")
    documents: int
    boundaries: Figure = Field(description="boundaries that are near each other")
    stretches: Figure = Field(description="stretches both whose ends are near")
    labels: Figure = Field(description="of these, those with the same label")
    shifts: tuple[BoundaryShift, ...]


# The model of what results.json says of spans with credit by a distance, and of BDM distances.


class SpanCredit(ResultModel):
    """Credit by one distance in a layer: pairs of marks of different types earn 1 - δ / divisor."""

    distance: str
    divisor: float = Field(description="1, or the largest distance between two types where it is beyond 1")
    mean_over_pairs: Mapping[str, Mapping[str, Mean]] = Field(description="by mode and measure")


class CreditedPairs(ResultModel):
    """Marks of different types that are pairs by their credit: how many, and what they earn together."""

    coextensive: int
    overlap: int
    earned_coextensive: float
    earned_overlap: float


class CreditFigures(ResultModel):
    """Figures with credit; without it the pairs of different types would each be missing and spurious."""

    pairs: CreditedPairs
    strict: Mapping[str, Figure]
    lenient: Mapping[str, Figure]
    average: Mapping[str, Figure]


class DistanceOrigin(ResultModel):
    """Where distances of 1 - BDM come from; tables/bdm-<id>.csv has every two categories in full."""

    kind: str = Field(description='"scores" (a file that GATE wrote) or "taxonomy"')
    form: str = Field(description="how the file is written")
    file: str
    concepts: int = Field(description="how many concepts the file has, used or not")
    roots: int | None = optional("concepts without a parent")
    chain: float | None = optional("n0, the mean length of the chains")
    unplaced: tuple[str, ...] = Field(
        default=(), description="categories that are not concepts: at distance 1 from all others"
    )


# The model of what results.json says of spans: precision, recall and F-measure of marks in texts.


class MacroFigure(Figure):
    """A mean over documents or types; `units` is how many, `left_out` where the figure is undefined."""

    left_out: int


class Outcomes(ResultModel):
    """What became of the marks of two people: of the first, which is the key, and of the second."""

    match: int = Field(description="the same stretches of text, the same type: correct")
    overlap: int = Field(description="of one type, sharing a character: partial")
    only_first: int = Field(description="missing in the second")
    only_second: int = Field(description="spurious in the second")


class SpanFigures(ResultModel):
    """Outcomes and what they amount to, partial matches counting nothing, all, or half."""

    counts: Outcomes
    strict: Mapping[str, Figure]
    lenient: Mapping[str, Figure]
    average: Mapping[str, Figure]


class SpanDocument(ResultModel):
    """Outcomes in one document; a share is null where it is undefined."""

    counts: Outcomes
    strict: Mapping[str, float | None]
    lenient: Mapping[str, float | None]
    average: Mapping[str, float | None]


class SpanPair(SpanFigures):
    """The spans of two people in the documents that both saw; the first is the key."""

    layer: str
    annotators: tuple[str, str]
    roles: tuple[str, str]
    independent: bool | None = optional(
        "false where the first was made from marks of which the second's are a part"
    )
    documents: int
    false_positives: Figure = Field(description="only_second for each 1,000 tokens")
    macro_documents: Mapping[str, Mapping[str, MacroFigure]]
    macro_types: Mapping[str, Mapping[str, MacroFigure]]
    by_type: Mapping[str, SpanFigures]
    by_document: Mapping[str, SpanDocument] | None = optional(
        "absent where there are many: tables/spans-by-document.csv has them"
    )
    credits: Mapping[str, CreditFigures] | None = optional(
        "with credit for types that are close, by the distance that says so"
    )
    withheld: Withheld | None = optional("types that pages and tables of the two don't show one by one")
    differs_from_greedy: int = Field(description="outcomes that GATE's greedy pairing would not have")


class SpanMeans(ResultModel):
    """Means over pairs of annotators, by mode and measure; also within each type."""

    overall: Mapping[str, Mapping[str, Mean]]
    by_type: Mapping[str, Mapping[str, Mapping[str, Mean]]]
    f_measure: Mapping[str, Figure] = Field(
        default_factory=dict, description="the mean of F by mode, with its interval; documents count once"
    )
    all_way: Mapping[str, Mapping[str, Mapping[str, Mean]]] | None = optional(
        "GATE's all-way figures: by reference, the means of annotators' figures against it"
    )


class Spelling(ResultModel):
    """Values of a significant feature that differ in spelling alone, and in how many marks they are."""

    feature: str
    values: tuple[str, ...]
    marks: int


class SpanLayer(ResultModel):
    """How the marks of one layer were compared as spans."""

    layer: str
    beta: float
    features: tuple[str, ...] = Field(description="significant features: a match needs them too")
    feature_match: str
    spellings: tuple[Spelling, ...]
    doubled: int = Field(
        description="marks left out because their maker said the same of the same text before"
    )
    types: tuple[str, ...]
    pairs: int = Field(description="pairs of people who share a document")
    crowded: bool = Field(description="whether they are so many that tables/spans.csv alone has them")
    credits: tuple[SpanCredit, ...] | None = optional(
        "credit for pairs of marks of different types, by distance"
    )


class SpanResults(ResultModel):
    """Precision, recall and F-measure of marks in texts."""

    layers: tuple[SpanLayer, ...]
    pairs: tuple[SpanPair, ...]
    mean_over_pairs: Mapping[str, SpanMeans] = Field(description="by layer")
    disagreements: tuple[MarkDisagreements, ...] | None = optional(
        "in what way marks disagree, layer by layer; none of relations, or from counts"
    )
    boundaries: tuple[BoundaryAgreement, ...] | None = optional("of recordings")
    unitizing: tuple[Unitizing, ...] | None = optional(
        "how annotators cut the texts, layer by layer; none of relations"
    )

    def disagreements_of(self, layer: str) -> MarkDisagreements | None:
        """Return in what way the marks of a layer disagree, None where that is not known."""
        by_layer = {part.layer: part for part in self.disagreements or ()}
        return by_layer.get(layer)


class TreePair(ResultModel):
    """How two people attach the same words; the first is the key."""

    annotators: tuple[str, str]
    roles: tuple[str, str]
    words: int = Field(description="words that both attached, and whose heads are words of both")
    words_left_out: int = Field(description="words that only one has, or whose head is not a word of both")
    unlabelled: Figure = Field(description="UAS: the share of words with the same head")
    labelled: Figure = Field(description="LAS: the share of words with the same head and the same relation")
    relations: Figure = Field(description="the share of words with the same relation, whatever their head")
    unlabelled_beyond_chance: Figure = Field(
        description="pi of heads: (UAS - A_e) / (1 - A_e), A_e by how far away heads are in both"
    )
    labelled_beyond_chance: Figure = Field(description="the same of head and relation together")


class RelationConfusion(ResultModel):
    """Two relations that annotators gave to words with the same head."""

    first: str
    second: str
    words: int


class DifferingHeads(ResultModel):
    """Words with a relation, or a part of speech, by one of two at least, and on how many heads differ."""

    name: str
    words: int
    differing: int
    p: float | None = optional("that they differ more often than the other words, by documents")


class TreeDocument(ResultModel):
    """Attachment in one document, over all pairs of annotators."""

    document: str
    words: int
    same_head: int
    same_head_and_relation: int


class TreeAgreement(ResultModel):
    """Agreement on the dependency trees of a layer; confusions and documents are of all annotators."""

    layer: str
    words: int = Field(description="words compared, once for each pair of annotators")
    differing: int = Field(description="those whose heads differ")
    pairs: tuple[TreePair, ...]
    relations_confused: tuple[RelationConfusion, ...]
    by_relation: tuple[DifferingHeads, ...]
    by_part_of_speech: tuple[DifferingHeads, ...]
    documents: tuple[TreeDocument, ...] = Field(description="the worst first, at most 100")
