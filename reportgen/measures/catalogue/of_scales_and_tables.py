"""Measures of numbers, of sets of labels, of single categories, and of the margins of a table of two."""

from functools import partial

from reportgen.measures import coefficients, sets
from reportgen.measures.catalogue import other_software
from reportgen.measures.measure import BYRT, FORT, HRIPCSAK_2002, IAMTC, Measure, variant, work

# Measures of ratings that are numbers or ranks, from the units that all annotators rated.

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


# What belongs to single categories, and tables between categories.

BY_CATEGORY: tuple[Measure, ...] = (
    Measure(
        id="specific_agreement",
        name="Specific agreement",
        symbol="A_c",
        formula="A_c = 2a / (2a + b + c)",
        chance="none",
        assumptions="None; it equals the F-measure of one annotator against the other over the same units. "
        "Where labels are sets, it is of each label, chosen or not.",
        answers="Given that one annotator chose this category, how often did the other choose it too?",
        sentence="Specific agreement of a category is 2a / (2a + b + c), its F-measure over the units.",
        latex=r"A_k = \frac{\sum_{i} n_{ik} (n_{ik} - 1)}{\sum_{i} n_{ik} (r_i - 1)}, \quad \text{two "
        r"annotators: } A_k = \frac{2a}{2a + b + c}",
        use="Take it to see which categories need work, above all the rare ones; it does not depend on how "
        "many units have none of them.",
        avoid="Not to compare a rare with a common category as if chance were the same for both: it is not "
        "corrected for chance.",
        elsewhere=other_software.SPECIFIC_AGREEMENT,
        works=(HRIPCSAK_2002, FORT),
        kind="share",
        annotators="any number",
        missing="units with at least two ratings",
    ),
    Measure(
        id="prevalence_index",
        name="Prevalence index",
        symbol="PI",
        formula="PI = (a - d) / n",
        chance="none",
        assumptions="Two categories, or one against the rest.",
        answers="How unequal are the categories in frequency?",
        sentence="The prevalence index is the difference between joint use and joint disuse of a category.",
        latex=r"\mathrm{PI} = \frac{a - d}{n}",
        use="Take it to describe how uneven two categories are, beside kappa.",
        avoid="Not to correct a coefficient or to choose one: prevalence belongs to the material, and is a "
        "caveat.",
        works=(BYRT,),
        kind="index",
        for_pair=coefficients.prevalence_index,
    ),
    Measure(
        id="bias_index",
        name="Bias index",
        symbol="BI",
        formula="BI = (b - c) / n",
        chance="none",
        assumptions="Two categories, or one against the rest.",
        answers="How much more often does the first annotator use the category than the second?",
        sentence="The bias index is the difference between the annotators' shares of a category.",
        latex=r"\mathrm{BI} = \frac{b - c}{n}",
        use="Take it to see who of the two uses a category more often; the tests of symmetry say whether "
        "that may be chance.",
        avoid="Not to correct a coefficient, nor as a sign of who is right.",
        works=(BYRT,),
        kind="index",
        for_pair=coefficients.bias_index,
    ),
    Measure(
        id="pabak",
        name="PABAK",
        symbol="PABAK",
        formula="PABAK = 2 A_o - 1",
        chance="uniform over two categories",
        assumptions="Two categories, or one against the rest.",
        answers="What would kappa be without prevalence and bias?",
        sentence="PABAK is kappa adjusted for prevalence and bias, 2 A_o - 1.",
        latex=r"\mathrm{PABAK} = 2 A_o - 1",
        use="Take it only beside kappa, to show what kappa would be with even categories and equal habits.",
        avoid="Not instead of kappa: it is observed agreement on another scale, Bennett's S for two "
        "categories, and says no more than that.",
        elsewhere=other_software.PABAK,
        works=(BYRT,),
        for_pair=coefficients.pabak,
    ),
    Measure(
        id="conditional_probabilities",
        name="Conditional probabilities",
        symbol="P(C2|C1)",
        formula="P(C2|C1) = (n_12 + n_21) / n_1, n_1 all ratings of C1",
        chance="none",
        assumptions="The two annotators' labels are pooled.",
        answers="Given that one annotator chose C1, how often did the other choose C2?",
        sentence="P(C2|C1) is the share of C2 among the labels that meet a label C1 of the other annotator.",
        latex=r"\mathrm{P}(C_2 \mid C_1) = \frac{n_{12} + n_{21}}{n_{1 \cdot} + n_{\cdot 1}}",
        use="Take it to see with what a category is confused, and in which direction.",
        avoid="Not as a probability of being right: nobody here is the reference.",
        works=(FORT,),
        kind="table",
    ),
    Measure(
        id="computed_distances",
        name="Computed distances",
        symbol="d_α, d_κ",
        formula="d_α = mean of 1 - P(C2|C1) and 1 - P(C1|C2); d_κ = their product",
        chance="none",
        assumptions="They describe this very table; weighting a coefficient with them is circular.",
        answers="How distinct are two categories in practice?",
        sentence="Computed distances are the mean (for alpha) and the product (for weighted kappa) of "
        "1 - P(C2|C1) and 1 - P(C1|C2).",
        latex=r"d_{\alpha} = \frac{d_{12} + d_{21}}{2}, \quad d_{\kappa} = d_{12} \, d_{21}, \quad d_{12} = "
        r"1 - \mathrm{P}(C_2 \mid C_1)",
        use="Take them to find the categories that annotators hardly tell apart, and to think about "
        "merging those.",
        avoid="Do not cite a coefficient that is weighted with them: it judges a table by itself.",
        elsewhere=other_software.COMPUTED_DISTANCES,
        works=(FORT,),
        kind="table",
    ),
)


# Tests that two annotators use the categories alike.

_of_margins = partial(
    Measure,
    symbol="χ²",
    assumptions="Documents are independent; units are, where no document is known.",
    kind="test",
)

MARGINS: tuple[Measure, ...] = (
    _of_margins(
        id="bowker",
        name="Bowker's test of symmetry",
        formula="χ² = Σ (n_ij - n_ji)² / (n_ij + n_ji)",
        chance="every confusion is as likely in one direction as in the other",
        answers="Do the annotators confuse categories in one direction?",
        sentence="Bowker's test asks whether confusions are symmetric.",
        latex=r"\chi^2 = \sum_{j < k} \frac{(n_{jk} - n_{kj})^2}{n_{jk} + n_{kj}}",
        use="Take it to see whether one annotator confuses two categories in one direction more than the "
        "other does.",
        avoid="Not as a measure of agreement: annotators who disagree a lot, but symmetrically, pass it. "
        "Few disagreements decide nothing.",
        works=(
            work(
                "Bowker (1948), Journal of the American Statistical Association 43, 572-574",
                "10.1080/01621459.1948.10483284",
            ),
        ),
    ),
    _of_margins(
        id="stuart_maxwell",
        name="Stuart-Maxwell test",
        formula="χ² = D' V⁻ D, D_k = n_k. - n_.k",
        chance="both annotators use every category equally often",
        answers="Do the annotators use the categories equally often?",
        sentence="The Stuart-Maxwell test asks whether both annotators use the categories equally often.",
        latex=r"\chi^2 = D^{\mathsf{T}} V^{-} D, \quad D_k = n_{k \cdot} - n_{\cdot k}",
        use="Take it to see whether two annotators use the categories equally often, before their labels "
        "are pooled.",
        avoid="Not as a measure of agreement: equal margins say nothing of single units.",
        works=(
            work("Stuart (1955), Biometrika 42(3-4), 412-416", "10.1093/biomet/42.3-4.412"),
            work("Maxwell (1970), British Journal of Psychiatry 116, 651-655", "10.1192/bjp.116.535.651"),
        ),
    ),
    _of_margins(
        id="bhapkar",
        name="Bhapkar's test",
        formula="χ² = X / (1 - X / G), X the Stuart-Maxwell statistic, G the documents or units",
        latex=r"\chi^2 = D^{\mathsf{T}} \left( V - \frac{D D^{\mathsf{T}}}{G} \right)^{-} D",
        chance="both annotators use every category equally often",
        answers="Do the annotators use the categories equally often?",
        sentence="Bhapkar's test asks what the Stuart-Maxwell test asks, with the variance about the mean.",
        use="Take it to compare with works that report it; over many documents it equals the other test.",
        avoid="Not for a few hundred units without documents, where it finds too many differences.",
        works=(
            work(
                "Bhapkar (1966), Journal of the American Statistical Association 61(313), 228-235",
                "10.1080/01621459.1966.10502021",
            ),
        ),
    ),
    _of_margins(
        id="rater_bias",
        name="Rater-bias test",
        formula="χ² = (above - below)² / (above + below)",
        latex=r"\chi^2 = \frac{\left( \sum_{j < k} (n_{jk} - n_{kj}) \right)^2}"
        r"{\sum_{j < k} (n_{jk} + n_{kj})}",
        chance="where the two differ, either is as likely to have given the higher category",
        assumptions="Categories have an order. Documents are independent; units, where no document is known.",
        answers="Does one annotator give higher categories than the other?",
        sentence="The rater-bias test asks whether one annotator gives the higher category more often.",
        use="Take it to see whether one annotator is stricter or more generous than the other.",
        avoid="Not without an order of the categories, nor to say who is right; how far apart two labels are "
        "makes no difference to it.",
        works=(work("Bishop, Fienberg and Holland (1975), Discrete Multivariate Analysis. MIT Press"),),
    ),
    _of_margins(
        id="mcnemar",
        name="McNemar's test, annotated or not",
        formula="χ² = (b - c)² / (b + c)",
        chance="a unit that only one marked was as likely marked by the one as by the other",
        answers="Does one annotator mark more units than the other?",
        sentence="McNemar's test asks whether one annotator marks more units than the other.",
        latex=r"\chi^2 = \frac{(b - c)^2}{b + c}",
        use="Take it to see whether one annotator overlooks more than the other.",
        avoid="Not as a measure of agreement, nor to say who is right.",
        works=(work("McNemar (1947), Psychometrika 12(2), 153-157", "10.1007/BF02295996"),),
    ),
)


# Coefficients of a table of two annotators that relate agreement to its margins in other ways.

TABLES: tuple[Measure, ...] = (
    Measure(
        id="bangdiwala_b",
        name="Bangdiwala's B",
        symbol="B",
        formula="B = Σ n_kk² / Σ n_k. n_.k",
        latex=r"B = \frac{\sum_{k} n_{kk}^2}{\sum_{k} n_{k \cdot} n_{\cdot k}}",
        chance="none: the area of agreement on a chart of the table, beside the largest its margins allow",
        assumptions="The two annotators' margins are given.",
        answers="How much of the largest area of agreement do the annotators reach?",
        sentence="Bangdiwala's B is the area of agreement beside the largest that the margins allow.",
        use="Take it with the agreement chart, in fields that publish it.",
        avoid="Not as a chance-corrected figure: it is not 0 by chance, and a common category governs it. "
        "Not for sets: what only one of the two used counts nothing, and most combinations are such.",
        scales=("nominal", *SCALES),
        elsewhere=(variant("irrCAC 1.4", "the same figure and standard error"),),
        works=(
            work(
                "Bangdiwala (1985), 45th Session of the International Statistical Institute, Amsterdam, "
                "volume 1, 307-308"
            ),
        ),
        for_pair=coefficients.bangdiwala_b,
    ),
    Measure(
        id="maxwell_re",
        name="Maxwell's RE",
        symbol="RE",
        formula="RE = 2 A_o - 1",
        latex=r"\mathrm{RE} = 2 A_o - 1",
        chance="uniform over two categories",
        assumptions="Two categories.",
        answers="How much commoner is agreement than disagreement?",
        sentence="Maxwell's RE is 2 A_o - 1 over two categories.",
        use="Take it to compare with works that report it; it is PABAK, and Bennett's S of two categories.",
        avoid="Not beside PABAK as a second opinion: the two are one figure.",
        elsewhere=(
            variant("R irr 0.84.1, maxwell", "the same figure; it takes two annotators and two categories"),
        ),
        works=(work("Maxwell (1977), British Journal of Psychiatry 130, 79-83", "10.1192/bjp.130.1.79"),),
        for_pair=coefficients.maxwell_re,
    ),
)
