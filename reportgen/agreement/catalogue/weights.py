"""Distances between two categories or values that stand in brackets behind a figure.

Weights, where a source has those, are 1 less the distance as a share of the largest.
"""

from reportgen.agreement.catalogue import elsewhere
from reportgen.agreement.catalogue.bracket import Bracket
from reportgen.agreement.catalogue.works import (
    COHEN_1968,
    FLEISS_COHEN,
    FORT,
    GWET_2014,
    KRIPPENDORFF,
    MAYNARD,
)

WEIGHTS: tuple[Bracket, ...] = (
    Bracket(
        id="nominal",
        name="Nominal distance",
        formula="δ_ij = 0 where i = j, else 1",
        latex=r"\delta_{ij} = [i \neq j]",
        answers="Every confusion is as bad as any other.",
        use="Take it for names without an order; it is what a figure without brackets has.",
        avoid="Not on a scale with an order: it throws the order away.",
        works=(KRIPPENDORFF,),
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
        works=(KRIPPENDORFF,),
        of=("krippendorff_alpha",),
        elsewhere=elsewhere.ORDINAL,
    ),
    Bracket(
        id="ordinal",
        name="Gwet's ordinal weights",
        formula="δ_ij = C(|i - j| + 1, 2) of the ranks i and j",
        latex=r"\delta_{ij} = \binom{|i - j| + 1}{2}",
        answers="Two categories are as far apart as there are pairs of ranks from one to the other.",
        use="Take it for ordered categories in Gwet's AC2 and the weighted kappas, to compare with irrCAC.",
        avoid="Not as Krippendorff's ordinal distance, which has the same name and other values.",
        works=(GWET_2014,),
        elsewhere=elsewhere.ORDINAL,
    ),
    Bracket(
        id="interval",
        name="Interval distance",
        formula="δ_ij = (i - j)²",
        latex=r"\delta_{ij} = (i - j)^2",
        answers="Two values are as far apart as the square of their difference.",
        use="Take it for numbers whose differences mean the same everywhere on the scale.",
        avoid="Not for ranks: the steps would be taken to be equal.",
        works=(KRIPPENDORFF,),
    ),
    Bracket(
        id="ratio",
        name="Ratio distance",
        formula="δ_ij = ((i - j) / (i + j))²",
        latex=r"\delta_{ij} = \left( \frac{i - j}{i + j} \right)^2",
        answers="Two values are as far apart as their difference is in proportion to their sum.",
        use="Take it for amounts with a true zero, where 1 and 2 differ more than 101 and 102.",
        avoid="Not where values may be negative or zero has no meaning.",
        works=(KRIPPENDORFF, GWET_2014),
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
        works=(KRIPPENDORFF, GWET_2014),
    ),
    Bracket(
        id="linear",
        name="Linear weights",
        formula="δ_ij = |i - j|",
        latex=r"\delta_{ij} = |i - j|",
        answers="A confusion over two steps is twice as bad as one over a single step.",
        use="Take them for ordered categories where each step costs the same.",
        avoid="Not beside quadratic weights as if it were one coefficient: it is a lower one on most data.",
        works=(COHEN_1968,),
        elsewhere=elsewhere.BY_VALUE,
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
        works=(COHEN_1968, FLEISS_COHEN),
        elsewhere=elsewhere.BY_VALUE,
    ),
    Bracket(
        id="radical",
        name="Gwet's radical weights",
        formula="δ_ij = √|i - j|",
        latex=r"\delta_{ij} = \sqrt{|i - j|}",
        answers="The first step costs the most, each further one less.",
        use="Take them where any error matters and its size a little.",
        avoid="Not without a reason that comes before the results.",
        works=(GWET_2014,),
    ),
    Bracket(
        id="bipolar",
        name="Bipolar distance",
        formula="δ_ij = (i - j)² / ((i + j - 2 x_min) (2 x_max - i - j))",
        latex=r"\delta_{ij} = \frac{(i - j)^2}{(i + j - 2 x_{\min}) (2 x_{\max} - i - j)}",
        answers="Differences count more near the two ends of the scale than in the middle.",
        use="Take it for scales between two opposites, such as very negative to very positive.",
        avoid="Not where the ends of the scale are not declared: they are then the least and largest in use.",
        works=(KRIPPENDORFF, GWET_2014),
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
        works=(FORT,),
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
        works=(MAYNARD,),
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
    works=(COHEN_1968, KRIPPENDORFF),
)
