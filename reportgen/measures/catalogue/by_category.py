"""What belongs to single categories, and tables between categories."""

from reportgen.measures import coefficients
from reportgen.measures.catalogue import other_software
from reportgen.measures.catalogue.works import BYRT, FORT, HRIPCSAK_2002
from reportgen.measures.measure import Measure

MEASURES: tuple[Measure, ...] = (
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
