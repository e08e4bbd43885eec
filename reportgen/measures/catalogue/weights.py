"""Distances between two categories or values in brackets behind a figure.

Weights, where a source has those, are 1 less the distance as a share of the largest.
"""

from dataclasses import dataclass
from functools import partial

from reportgen.measures import measure
from reportgen.measures.catalogue import other_software
from reportgen.results import Elsewhere, Work

# The entry of what is in brackets behind a figure.


@dataclass(frozen=True)
class Bracket:
    """One entry: `id` is what is in the brackets, `of` the only measures that have it.

    The other fields are those of a measure; `answers` says what it takes two labels to be apart by.
    """

    id: str
    name: str
    formula: str
    latex: str
    answers: str
    use: str
    avoid: str
    works: tuple[Work, ...]
    of: tuple[str, ...] = ()
    elsewhere: tuple[Elsewhere, ...] = ()

    @property
    def key(self) -> str:
        """Return what lists call the entry: "[masi]", with the measure where it belongs to one alone."""
        return f"{self.of[0] if len(self.of) == 1 else ''}[{self.id}]"


WEIGHTS: tuple[Bracket, ...] = (
    Bracket(
        id="nominal",
        name="Nominal distance",
        formula="δ_ij = 0 where i = j, else 1",
        latex=r"\delta_{ij} = [i \neq j]",
        answers="Every confusion is as bad as any other.",
        use="Take it for names without an order; it is what a figure without brackets has.",
        avoid="Not on a scale with an order: it throws the order away.",
        works=(measure.KRIPPENDORFF,),
    ),
    Bracket(
        id="ordinal",
        name="Krippendorff's ordinal distance",
        formula="δ_ij = (n_i/2 + Σ n_g between + n_j/2)², n_g the ratings of a category",
        latex=r"\delta_{ij} = \left( \sum_{g=i}^{j} n_g - \frac{n_i + n_j}{2} \right)^2",
        answers="Two categories are as far apart as there are ratings between them.",
        use="Take it for ordered categories whose steps have no size.",
        avoid="Not to compare two studies closely: the distances come from the ratings and differ between "
        "them.",
        works=(measure.KRIPPENDORFF,),
        of=("krippendorff_alpha",),
        elsewhere=other_software.ORDINAL,
    ),
    Bracket(
        id="ordinal",
        name="Gwet's ordinal weights",
        formula="δ_ij = C(|i - j| + 1, 2) of the ranks i and j",
        latex=r"\delta_{ij} = \binom{|i - j| + 1}{2}",
        answers="Two categories are as far apart as there are pairs of ranks from one to the other.",
        use="Take it for ordered categories in Gwet's AC2 and the weighted kappas, to compare with irrCAC.",
        avoid="Not as Krippendorff's ordinal distance, which has the same name and other values.",
        works=(measure.GWET_2014,),
        elsewhere=other_software.ORDINAL,
    ),
    Bracket(
        id="interval",
        name="Interval distance",
        formula="δ_ij = (i - j)²",
        latex=r"\delta_{ij} = (i - j)^2",
        answers="Two values are as far apart as the square of their difference.",
        use="Take it for numbers whose differences mean the same everywhere on the scale.",
        avoid="Not for ranks: the steps would be taken to be equal.",
        works=(measure.KRIPPENDORFF,),
    ),
    Bracket(
        id="ratio",
        name="Ratio distance",
        formula="δ_ij = ((i - j) / (i + j))²",
        latex=r"\delta_{ij} = \left( \frac{i - j}{i + j} \right)^2",
        answers="Two values are as far apart as their difference is in proportion to their sum.",
        use="Take it for amounts with a true zero, where 1 and 2 differ more than 101 and 102.",
        avoid="Not where values may be negative or zero has no meaning.",
        works=(measure.KRIPPENDORFF, measure.GWET_2014),
    ),
    Bracket(
        id="circular",
        name="Circular distance",
        formula="δ_ij = sin²(π (i - j) / U), U the number of steps around the circle",
        latex=r"\delta_{ij} = \sin^2 \left( \pi \, \frac{i - j}{U} \right), \quad "
        r"U = x_{\max} - x_{\min} + 1",
        answers="The first and the last value are neighbours, as hours and directions are.",
        use="Take it for hours, weekdays, months and angles in equal steps.",
        avoid="Not where the largest and the least value occurring are not the ends of the circle.",
        works=(measure.KRIPPENDORFF, measure.GWET_2014),
    ),
    Bracket(
        id="linear",
        name="Linear weights",
        formula="δ_ij = |i - j|",
        latex=r"\delta_{ij} = |i - j|",
        answers="A confusion over two steps is twice as bad as one over a single step.",
        use="Take them for ordered categories where each step costs the same.",
        avoid="Not beside quadratic weights as if it were one coefficient: it is a lower one on most data.",
        works=(measure.COHEN_1968,),
        elsewhere=other_software.BY_VALUE,
    ),
    Bracket(
        id="quadratic",
        name="Quadratic weights",
        formula="δ_ij = (i - j)²",
        latex=r"\delta_{ij} = (i - j)^2",
        answers="A confusion over two steps is four times as bad as one over a single step.",
        use="Take them where large errors are what matters; kappa then comes close to an intraclass "
        "correlation.",
        avoid="Not because the value is higher: with many categories it mostly is, without better agreement.",
        works=(measure.COHEN_1968, measure.FLEISS_COHEN),
        elsewhere=other_software.BY_VALUE,
    ),
    Bracket(
        id="radical",
        name="Gwet's radical weights",
        formula="δ_ij = √|i - j|",
        latex=r"\delta_{ij} = \sqrt{|i - j|}",
        answers="The first step costs the most, each further one less.",
        use="Take them where any error matters and its size a little.",
        avoid="Not without a reason that comes before the results.",
        works=(measure.GWET_2014,),
    ),
    Bracket(
        id="bipolar",
        name="Bipolar distance",
        formula="δ_ij = (i - j)² / ((i + j - 2 x_min) (2 x_max - i - j))",
        latex=r"\delta_{ij} = \frac{(i - j)^2}{(i + j - 2 x_{\min}) (2 x_{\max} - i - j)}",
        answers="Differences count more near the two ends of the scale than in the middle.",
        use="Take it for scales between two opposites, such as very negative to very positive.",
        avoid="Not where the ends of the scale are not declared: they are then the least and largest in use.",
        works=(measure.KRIPPENDORFF, measure.GWET_2014),
    ),
    Bracket(
        id="computed",
        name="Computed distances",
        formula="δ_ij = mean (alpha) or product (kappa) of 1 - P(j|i) and 1 - P(i|j)",
        latex=r"\delta_{ij}^{\alpha} = \frac{d_{ij} + d_{ji}}{2}, \quad "
        r"\delta_{ij}^{\kappa} = d_{ij} \, d_{ji}, \quad d_{ij} = 1 - \mathrm{P}(j \mid i)",
        answers="Two categories are the closer the more often these very annotators confused them.",
        use="Take them to see which categories are hardly told apart.",
        avoid="Do not cite the coefficient: it judges a table by itself.",
        works=(measure.FORT,),
    ),
    Bracket(
        id="bdm",
        name="Balanced distance metric",
        formula="δ = 1 - BDM, BDM = (bran cp/n0) / (bran cp/n0 + dpk/n1 + dpr/n2)",
        latex=r"\delta_{kr} = 1 - \frac{b \, \frac{\mathrm{cp}}{n_0}}"
        r"{b \, \frac{\mathrm{cp}}{n_0} + \frac{\mathrm{dpk}}{n_1} + \frac{\mathrm{dpr}}{n_2}}",
        answers="Two concepts of a taxonomy are the closer the deeper what they have in common.",
        use="Take it where categories are concepts of a taxonomy that was there before the annotation.",
        avoid="Not where the taxonomy's depth is an accident: adding levels changes the distances.",
        works=(measure.MAYNARD,),
    ),
)
# What a bracket is that no entry names.
DECLARED = Bracket(
    id="…",
    name="A declared table",
    formula="δ_ij = what the campaign's table says, as given, never rescaled",
    latex=r"\delta_{ij}",
    answers="Two categories are as far apart as the campaign declared before the results.",
    use="Take a table where it is known beforehand which confusions are worse, and say why in campaign.toml.",
    avoid="Not with distances that were made after looking at the results.",
    works=(measure.COHEN_1968, measure.KRIPPENDORFF),
)


# What is in brackets behind a figure: the distance that it was weighted with, or how marks were matched.
#
# A distance in brackets that no entry names is a table that the campaign declares.

MATCHED = ("f_measure", "precision", "recall", "error_rate")
SETS: tuple[Bracket, ...] = (
    Bracket(
        id="jaccard",
        name="Jaccard distance",
        formula="δ_AB = 1 - |A ∩ B| / |A ∪ B|",
        latex=r"\delta_{AB} = 1 - \frac{|A \cap B|}{|A \cup B|}",
        answers="Two sets are as far apart as the share of their members that is not common to both.",
        use="Take it for sets of labels, where each member counts.",
        avoid="Not where a subset should be a lesser disagreement than a crossing set of the same overlap "
        "(MASI).",
        works=(measure.PASSONNEAU,),
        elsewhere=other_software.EMPTY_SETS,
    ),
    Bracket(
        id="masi",
        name="MASI distance",
        formula="δ_AB = 1 - M |A ∩ B| / |A ∪ B|, M = 1 equal, 2/3 subset, 1/3 crossing, 0 disjoint",
        latex=r"\delta_{AB} = 1 - M \, \frac{|A \cap B|}{|A \cup B|}, \quad "
        r"M \in \left\{ 1, \frac{2}{3}, \frac{1}{3}, 0 \right\}",
        answers="Two sets are apart by what is not common to them, the less so where one contains the other.",
        use="Take it for sets of labels, where to say less is better than to say something else.",
        avoid="Not to compare with figures of DKPro or of NLTK before 3.10, whose distances differ.",
        works=(measure.PASSONNEAU,),
        elsewhere=other_software.MASI,
    ),
    Bracket(
        id="dice",
        name="Dice distance",
        formula="δ_AB = 1 - 2 |A ∩ B| / (|A| + |B|)",
        latex=r"\delta_{AB} = 1 - \frac{2 \, |A \cap B|}{|A| + |B|}",
        answers="Two sets are apart by 1 less their F-measure.",
        use="Take it for sets of labels beside figures that are F-measures too.",
        avoid="Not as Jaccard's, which charges more for the same difference.",
        works=(measure.PASSONNEAU,),
        elsewhere=other_software.DICE,
    ),
)
_of_matching = partial(Bracket, works=(measure.CHINCHOR,), of=MATCHED)
MODELS: tuple[Bracket, ...] = (
    Bracket(
        id="two-way",
        name="Two-way model",
        formula="the variance within units is the mean square of error, annotators' means being taken out",
        latex=r"s^2 = \mathrm{MS}_{\mathrm{error}}",
        answers="Differences between annotators' means do not count as disagreement.",
        use="Take it where the same annotators rated all units and their means do not matter.",
        avoid="Not where one annotator's severity is a fault that the figure should show.",
        works=(measure.FINN,),
        of=("finn_r",),
    ),
    _of_matching(
        id="strict",
        name="Strict",
        formula="w = 0: a partial match counts nothing",
        latex="w = 0",
        answers="Marks agree where they have the same ends and the same type.",
        use="Take it where boundaries are part of the task.",
        avoid="Not alone where guidelines leave boundaries open.",
    ),
    _of_matching(
        id="lenient",
        name="Lenient",
        formula="w = 1: a partial match counts as a match",
        latex="w = 1",
        answers="Marks agree where they overlap and have the same type.",
        use="Take it where it matters that a thing was found, not where it ends.",
        avoid="Not alone: who marks whole sentences overlaps everything.",
    ),
    _of_matching(
        id="average",
        name="Average",
        formula="w = 1/2: a partial match counts half",
        latex=r"w = \frac{1}{2}",
        answers="Half-way between strict and lenient.",
        use="Take it where one figure is wanted and boundaries matter somewhat.",
        avoid="Not as a mean over documents or annotators, which it is none of.",
    ),
)
BRACKETS: tuple[Bracket, ...] = (*WEIGHTS, *SETS, *MODELS)
# Measures whose brackets name a distance, so that an unknown one is a declared table.
WEIGHTED = (
    "krippendorff_alpha",
    "weighted_kappa",
    "gwet_ac2",
    "bennett_s",
    "fleiss_kappa",
    "conger_kappa",
    "randolph_kappa",
)


def brackets_of(figure: str) -> tuple[Bracket, ...]:
    """Return what is in a figure's brackets: nothing in "scott_pi", two in "f_measure[strict,bdm]".

    A distance that no entry names is a declared table; a category in brackets has no entry.
    """
    base, _, inside = figure.removesuffix("]").partition("[")
    entries = [
        _bracket(base, name.strip(), first=not position) for position, name in enumerate(inside.split(","))
    ]
    return tuple(bracket for bracket in entries if bracket) if inside else ()


def _bracket(base: str, name: str, *, first: bool) -> Bracket | None:
    for bracket in BRACKETS:
        if bracket.id == name and (not bracket.of or base in bracket.of):
            return bracket
    return DECLARED if base in WEIGHTED or (base in MATCHED and not first) else None
