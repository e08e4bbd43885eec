"""Measures of labels that are sets of categories."""

from reportgen.measures import iamtc
from reportgen.measures.catalogue.works import IAMTC
from reportgen.measures.measure import Measure, variant

SHARED = "units that both rated; over several annotators the mean over pairs"
# IAMTC's kappa is that of the measure, which is a mean over pairs: it is no mean of the pairs' kappas.
OF_MEANS = "units that both rated; over several annotators A and E are each the mean over pairs"
NOWHERE = (variant("NLTK, DKPro, irrCAC, krippendorff", "not there"),)
AT_RANDOM = "own: each annotator's sets are drawn as often as that annotator gave them"

MEASURES: tuple[Measure, ...] = (
    Measure(
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
        elsewhere=NOWHERE,
        sentence="Explicit agreement is the mean of 2|A ∩ B| / (|A| + |B|) over the units to which either of "
        "two annotators gave a category.",
        works=(IAMTC,),
        kind="share",
        annotators="any number",
        missing=SHARED,
        scales=("set",),
        for_pair=iamtc.explicit_agreement,
        for_all=iamtc.explicit_agreement,
    ),
    Measure(
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
        elsewhere=NOWHERE,
        sentence="Its kappa takes chance from each annotator's own sets, paired at random.",
        works=(IAMTC,),
        annotators="any number",
        missing=OF_MEANS,
        scales=("set",),
        for_pair=iamtc.explicit_kappa,
        for_all=iamtc.explicit_kappa,
    ),
    Measure(
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
        elsewhere=NOWHERE,
        sentence="Implicit agreement is the share of all categories that both or neither of two annotators "
        "gave, and tends to 1 with the size of the inventory.",
        works=(IAMTC,),
        kind="share",
        annotators="any number",
        missing=SHARED,
        scales=("set",),
        for_pair=iamtc.implicit_agreement,
        for_all=iamtc.implicit_agreement,
    ),
    Measure(
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
        elsewhere=NOWHERE,
        sentence="Its kappa does not depend on the size of the inventory.",
        works=(IAMTC,),
        annotators="any number",
        missing=OF_MEANS,
        scales=("set",),
        for_pair=iamtc.implicit_kappa,
        for_all=iamtc.implicit_kappa,
    ),
)
