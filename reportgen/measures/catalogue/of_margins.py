"""Tests that two annotators use the categories alike."""

from reportgen.measures.measure import Measure, work

MEASURES: tuple[Measure, ...] = (
    Measure(
        id="bowker",
        name="Bowker's test of symmetry",
        symbol="χ²",
        formula="χ² = Σ (n_ij - n_ji)² / (n_ij + n_ji)",
        chance="every confusion is as likely in one direction as in the other",
        assumptions="Documents are independent; units are, where no document is known.",
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
        kind="test",
    ),
    Measure(
        id="stuart_maxwell",
        name="Stuart-Maxwell test",
        symbol="χ²",
        formula="χ² = D' V⁻ D, D_k = n_k. - n_.k",
        chance="both annotators use every category equally often",
        assumptions="Documents are independent; units are, where no document is known.",
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
        kind="test",
    ),
    Measure(
        id="bhapkar",
        name="Bhapkar's test",
        symbol="χ²",
        formula="χ² = X / (1 - X / G), X the Stuart-Maxwell statistic, G the documents or units",
        latex=r"\chi^2 = D^{\mathsf{T}} \left( V - \frac{D D^{\mathsf{T}}}{G} \right)^{-} D",
        chance="both annotators use every category equally often",
        assumptions="Documents are independent; units are, where no document is known.",
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
        kind="test",
    ),
    Measure(
        id="rater_bias",
        name="Rater-bias test",
        symbol="χ²",
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
        kind="test",
    ),
    Measure(
        id="mcnemar",
        name="McNemar's test, annotated or not",
        symbol="χ²",
        formula="χ² = (b - c)² / (b + c)",
        chance="a unit that only one marked was as likely marked by the one as by the other",
        assumptions="Documents are independent; units are, where no document is known.",
        answers="Does one annotator mark more units than the other?",
        sentence="McNemar's test asks whether one annotator marks more units than the other.",
        latex=r"\chi^2 = \frac{(b - c)^2}{b + c}",
        use="Take it to see whether one annotator overlooks more than the other.",
        avoid="Not as a measure of agreement, nor to say who is right.",
        works=(work("McNemar (1947), Psychometrika 12(2), 153-157", "10.1007/BF02295996"),),
        kind="test",
    ),
)
