"""Coefficients of a table of two annotators that relate agreement to its margins in other ways."""

from functools import partial

from reportgen.measures import coefficients
from reportgen.measures.catalogue import other_software
from reportgen.measures.measure import BYRT, FORT, HRIPCSAK_2002, Measure, variant, work

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
        avoid="Not as a chance-corrected figure: it is not 0 by chance, and a common category governs it.",
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
