"""What stands in brackets behind a figure: the distance that it was weighted with, or how marks were matched.

A distance in brackets that no entry names is a table that the campaign declares.
"""

from reportgen.agreement.catalogue import elsewhere
from reportgen.agreement.catalogue.bracket import Bracket
from reportgen.agreement.catalogue.weights import DECLARED, WEIGHTS
from reportgen.agreement.catalogue.works import CHINCHOR, FINN, PASSONNEAU

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
        works=(PASSONNEAU,),
        elsewhere=elsewhere.EMPTY_SETS,
    ),
    Bracket(
        id="masi",
        name="MASI distance",
        formula="δ_AB = 1 - M |A ∩ B| / |A ∪ B|, M = 1 equal, 2/3 subset, 1/3 crossing, 0 disjoint",
        latex=r"\delta_{AB} = 1 - M \, \frac{|A \cap B|}{|A \cup B|}, \quad "
        r"M \in \left\{ 1, \frac{2}{3}, \frac{1}{3}, 0 \right\}",
        answers="Two sets are apart by what is not common to them, the less so where one holds the other.",
        use="Take it for sets of labels, where to say less is better than to say something else.",
        avoid="Not to compare with figures of DKPro or of NLTK before 3.10, whose distances differ.",
        works=(PASSONNEAU,),
        elsewhere=elsewhere.MASI,
    ),
    Bracket(
        id="dice",
        name="Dice distance",
        formula="δ_AB = 1 - 2 |A ∩ B| / (|A| + |B|)",
        latex=r"\delta_{AB} = 1 - \frac{2 \, |A \cap B|}{|A| + |B|}",
        answers="Two sets are apart by 1 less their F-measure.",
        use="Take it for sets of labels beside figures that are F-measures too.",
        avoid="Not as Jaccard's, which charges more for the same difference.",
        works=(PASSONNEAU,),
        elsewhere=elsewhere.DICE,
    ),
)
MODELS: tuple[Bracket, ...] = (
    Bracket(
        id="two-way",
        name="Two-way model",
        formula="the variance within units is the mean square of error, annotators' means being taken out",
        latex=r"s^2 = \mathrm{MS}_{\mathrm{error}}",
        answers="Differences between annotators' means do not count as disagreement.",
        use="Take it where the same annotators rated all units and their means do not matter.",
        avoid="Not where one annotator's severity is a fault that the figure should show.",
        works=(FINN,),
        of=("finn_r",),
    ),
    Bracket(
        id="strict",
        name="Strict",
        formula="w = 0: a partial match counts nothing",
        latex="w = 0",
        answers="Marks agree where they have the same ends and the same type.",
        use="Take it where boundaries are part of the task.",
        avoid="Not alone where guidelines leave boundaries open.",
        works=(CHINCHOR,),
        of=MATCHED,
    ),
    Bracket(
        id="lenient",
        name="Lenient",
        formula="w = 1: a partial match counts as a match",
        latex="w = 1",
        answers="Marks agree where they overlap and have the same type.",
        use="Take it where it matters that a thing was found, not where it ends.",
        avoid="Not alone: who marks whole sentences overlaps everything.",
        works=(CHINCHOR,),
        of=MATCHED,
    ),
    Bracket(
        id="average",
        name="Average",
        formula="w = 1/2: a partial match counts half",
        latex=r"w = \frac{1}{2}",
        answers="Half-way between strict and lenient.",
        use="Take it where one figure is wanted and boundaries matter somewhat.",
        avoid="Not as a mean over documents or annotators, which it is none of.",
        works=(CHINCHOR,),
        of=MATCHED,
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
    """Return what stands in a figure's brackets: nothing in "scott_pi", two in "f_measure[strict,bdm]".

    A distance that no entry names is a declared table; a category in brackets has no entry.
    """
    base, _, inside = figure.removesuffix("]").partition("[")
    found = [_bracket(base, name.strip(), first=not place) for place, name in enumerate(inside.split(","))]
    return tuple(each for each in found if each) if inside else ()


def _bracket(base: str, name: str, *, first: bool) -> Bracket | None:
    for each in BRACKETS:
        if each.id == name and (not each.of or base in each.of):
            return each
    return DECLARED if base in WEIGHTED or (base in MATCHED and not first) else None
