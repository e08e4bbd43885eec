"""Measures of ratings that are numbers or ranks, from the units that all annotators rated."""

from functools import partial

from reportgen.measures import coefficients, sets
from reportgen.measures.measure import IAMTC, Measure, variant, work

SCALES = ("ordinal", "interval", "ratio")
COMPLETE = "units that all annotators rated"
ANY_NUMBER = "any number"
MCGRAW = work("McGraw and Wong (1996), Psychological Methods 1(1), 30-46", "10.1037/1082-989X.1.1.30")
SHROUT = work("Shrout and Fleiss (1979), Psychological Bulletin 86(2), 420-428", "10.1037/0033-2909.86.2.420")

_of_numbers = partial(Measure, annotators=ANY_NUMBER, missing=COMPLETE, scales=SCALES)

NUMBERS: tuple[Measure, ...] = (
    _of_numbers(
        id="icc_a1",
        name="Intraclass correlation, agreement",
        symbol="ICC(A,1)",
        formula="ICC(A,1) = (MS_units - MS_error) / "
        "(MS_units + (k - 1) MS_error + k (MS_annotators - MS_error) / n)",
        latex=r"\mathrm{ICC}(A,1) = \frac{MS_R - MS_E}{MS_R + (k - 1) MS_E + \frac{k}{n} (MS_C - MS_E)}",
        chance="none: the share of the variance of ratings that lies between units",
        assumptions="Categories are numbers, or ranks at equal steps; every annotator rated the unit. "
        "An annotator who is always higher counts as disagreeing.",
        answers="How much of the variance of single ratings is that of the units?",
        sentence="ICC(A,1) is the share of the variance of single ratings that lies between units, the "
        "annotators' different levels counting as disagreement.",
        use="Take it for ratings on an interval or ratio scale where the number itself is used, so that "
        "annotators must mean the same by it.",
        avoid="Not for units that hardly differ, where it is low whatever the annotators do, nor to compare "
        "samples of unlike variety; not where ratings are missing: only complete units count.",
        elsewhere=(
            variant("R irr 0.84.1, icc", 'model = "twoway", type = "agreement", unit = "single"'),
            variant("Shrout and Fleiss; R psych, ICC", "ICC(2,1), ICC2"),
            variant(
                "intervals elsewhere",
                "from the F distribution of independent units, as here where no document is known; otherwise "
                "they are clustered by document",
            ),
        ),
        works=(MCGRAW, SHROUT),
        for_pair=coefficients.icc_a1_of,
        for_all=coefficients.icc_a1_of,
    ),
    _of_numbers(
        id="icc_c1",
        name="Intraclass correlation, consistency",
        symbol="ICC(C,1)",
        formula="ICC(C,1) = (MS_units - MS_error) / (MS_units + (k - 1) MS_error)",
        latex=r"\mathrm{ICC}(C,1) = \frac{MS_R - MS_E}{MS_R + (k - 1) MS_E}",
        chance="none: the share of the variance of ratings that lies between units",
        assumptions="Categories are numbers, or ranks at equal steps; every annotator rated the unit. "
        "An annotator who is always higher by the same amount agrees.",
        answers="How far do annotators differ only by a constant?",
        sentence="ICC(C,1) leaves out of the variance what an annotator adds to all ratings.",
        use="Take it where ratings are used to compare units that the same annotators rated, so that a "
        "stricter annotator does no harm.",
        avoid="Not for a corpus whose units different annotators rate: there ICC(A,1) is the question.",
        elsewhere=(
            variant("R irr 0.84.1, icc", 'model = "twoway", type = "consistency", unit = "single"'),
            variant("Shrout and Fleiss; R psych, ICC", "ICC(3,1), ICC3"),
        ),
        works=(MCGRAW, SHROUT),
        for_pair=coefficients.icc_c1_of,
        for_all=coefficients.icc_c1_of,
    ),
    _of_numbers(
        id="kendall_w",
        name="Kendall's W",
        symbol="W",
        formula="W = 12 S / (k² (n³ - n) - k ΣT), S = Σ (R_i - mean R)², T = Σ (t³ - t) over ties",
        latex=r"W = \frac{12 \sum_{i} (R_i - \bar{R})^2}{k^2 (n^3 - n) - k \sum_{j} \sum_{t} (t^3 - t)}",
        chance="none: 1/k is what annotators without anything in common have on average",
        assumptions="Categories have an order; every annotator rated the unit. Ties get their mean rank and "
        "are corrected for.",
        answers="How alike do annotators order the units?",
        sentence="Kendall's W is the variance of the units' rank sums beside its largest possible value, "
        "corrected for ties.",
        use="Take it where only the order of the units matters, and annotators use the scale each in their "
        "own way.",
        avoid="Not as agreement on the labels: annotators who never give the same label may order the units "
        "alike. It is not 0 by chance, and with few categories most of it rests on ties.",
        elsewhere=(
            variant("R irr 0.84.1, kendall", "without correct = TRUE leaves out the correction for ties"),
        ),
        works=(
            work(
                "Kendall and Babington Smith (1939), Annals of Mathematical Statistics 10(3), 275-287",
                "10.1214/aoms/1177732186",
            ),
        ),
        for_pair=coefficients.w_of,
        for_all=coefficients.w_of,
    ),
)


# Measures of labels that are sets of categories.

SHARED = "units that both rated; over several annotators the mean over pairs"
# IAMTC's kappa is that of the measure, which is a mean over pairs: it is no mean of the pairs' kappas.
OF_MEANS = "units that both rated; over several annotators A and E are each the mean over pairs"
NOWHERE = (variant("NLTK, DKPro, irrCAC, krippendorff", "not there"),)
AT_RANDOM = "own: each annotator's sets are drawn as often as that annotator gave them"

_of_sets = partial(Measure, elsewhere=NOWHERE, works=(IAMTC,), annotators="any number", scales=("set",))

SETS: tuple[Measure, ...] = (
    _of_sets(
        id="explicit_agreement",
        name="Explicit agreement",
        symbol="A_exp",
        formula="A = mean over units of 2|A ∩ B| / (|A| + |B|), units where both sets are empty left out",
        latex=r"A_{\mathrm{exp}} = \frac{1}{n'} \sum_{i : A_i \cup B_i \neq \emptyset} "
        r"\frac{2 \, |A_i \cap B_i|}{|A_i| + |B_i|}",
        chance="none: agreement by chance counts as agreement",
        assumptions="Annotators give a unit any number of categories; a unit to which neither gave one says "
        "nothing.",
        answers="How much of what either of two annotators gave a unit did both give?",
        use="Take it where annotators choose freely from an inventory, and what they leave out is not "
        "their decision.",
        avoid="Not where giving no category is a decision: such units are left out, and only counted.",
        sentence="Explicit agreement is the mean of 2|A ∩ B| / (|A| + |B|) over the units to which either of "
        "two annotators gave a category.",
        kind="share",
        missing=SHARED,
        for_pair=sets.explicit_agreement,
        for_all=sets.explicit_agreement,
    ),
    _of_sets(
        id="explicit_kappa",
        name="Kappa of explicit agreement",
        symbol="κ_exp",
        formula="κ = (A - E) / (1 - E), E the same ratio over all pairings of the annotators' sets",
        latex=r"\kappa_{\mathrm{exp}} = \frac{A_{\mathrm{exp}} - E_{\mathrm{exp}}}{1 - E_{\mathrm{exp}}}",
        chance=AT_RANDOM + "; pairings of two empty sets are left out, as such units are",
        assumptions="The annotators are fixed: a difference in habits is not counted as disagreement by "
        "chance.",
        answers="How much better is explicit agreement than that of the same sets given to units at random?",
        use="Take it beside explicit agreement, where a few categories make up most of the sets.",
        avoid="Not to compare with alpha: pairs of annotators have a distribution each, and alpha a common "
        "one.",
        sentence="Its kappa takes chance from each annotator's own sets, paired at random.",
        missing=OF_MEANS,
        for_pair=sets.explicit_kappa,
        for_all=sets.explicit_kappa,
    ),
    _of_sets(
        id="implicit_agreement",
        name="Implicit agreement",
        symbol="A_imp",
        formula="A = mean over units of (C - |A xor B|) / C, C being all categories",
        latex=r"A_{\mathrm{imp}} = \frac{1}{n} \sum_{i} \frac{C - |A_i \mathbin{\triangle} B_i|}{C}",
        chance="none: agreement by chance counts as agreement",
        assumptions="Not to give a category is a decision against it; the number C of categories is known.",
        answers="On what share of all categories do two annotators decide alike, for or against?",
        use="Read it beside explicit agreement alone, where each category was decided on.",
        avoid="Not by itself: with an inventory as large as a dictionary it is close to 1 whatever "
        "annotators do.",
        sentence="Implicit agreement is the share of all categories that both or neither of two annotators "
        "gave, and tends to 1 with the size of the inventory.",
        kind="share",
        missing=SHARED,
        for_pair=sets.implicit_agreement,
        for_all=sets.implicit_agreement,
    ),
    _of_sets(
        id="implicit_kappa",
        name="Kappa of implicit agreement",
        symbol="κ_imp",
        formula="κ = (A - E) / (1 - E) = 1 - mean |A xor B| / mean of |A xor B| over all pairings",
        latex=r"\kappa_{\mathrm{imp}} = \frac{A_{\mathrm{imp}} - E_{\mathrm{imp}}}{1 - E_{\mathrm{imp}}}",
        chance=AT_RANDOM,
        assumptions="As explicit kappa; the number of categories cancels out.",
        answers="How much better is implicit agreement than that of the same sets given to units at random?",
        use="Take it where the inventory is too large for implicit agreement itself: its size does not "
        "matter here.",
        avoid="Not where large sets are rare: a unit weighs by how many categories it was given.",
        sentence="Its kappa does not depend on the size of the inventory.",
        missing=OF_MEANS,
        for_pair=sets.implicit_kappa,
        for_all=sets.implicit_kappa,
    ),
)
