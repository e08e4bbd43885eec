"""Every measure once: methods section, `reportgen explain`, results.json and the docs all read it."""

from reportgen.agreement import pairwise
from reportgen.agreement.measure import Measure, Work, base_id

ARTSTEIN = Work(
    "Artstein and Poesio (2008), Computational Linguistics 34(4), 555-596", "10.1162/coli.07-034-R2"
)
BYRT = Work(
    "Byrt, Bishop and Carlin (1993), Journal of Clinical Epidemiology 46(5), 423-429",
    "10.1016/0895-4356(93)90018-V",
)
COHEN_1960 = Work(
    "Cohen (1960), Educational and Psychological Measurement 20(1), 37-46", "10.1177/001316446002000104"
)
COHEN_1968 = Work("Cohen (1968), Psychological Bulletin 70(4), 213-220", "10.1037/h0026256")
FORT = Work("Fort, François and Ghribi (2010), TALN, hal-00484265")
HRIPCSAK_2002 = Work(
    "Hripcsak and Heitjan (2002), Journal of Biomedical Informatics 35(2), 99-110",
    "10.1016/S1532-0464(02)00500-2",
)
HRIPCSAK_2005 = Work(
    "Hripcsak and Rothschild (2005), Journal of the American Medical Informatics Association 12(3), 296-298",
    "10.1197/jamia.M1733",
)
RIJSBERGEN = Work("van Rijsbergen (1979), Information Retrieval, second edition, chapter 7. Butterworths")
CHINCHOR = Work("Chinchor (1992), MUC-4 evaluation metrics, MUC-4, 22-29", "10.3115/1072064.1072067")
OF_SPANS = (
    "One of the two is the key, and a mark is compared with one of the other at most; a partial match counts "
    "nothing (strict), as a match (lenient), or half of one (average)."
)
KRIPPENDORFF = Work("Krippendorff (2004), Content Analysis, second edition, chapter 11. Sage")

CATALOGUE: tuple[Measure, ...] = (
    Measure(
        id="observed_agreement",
        name="Observed agreement",
        symbol="Aₒ",
        formula="A_o = Σ n_kk / n",
        chance="none: agreement by chance counts as agreement",
        assumptions="Every unit weighs the same.",
        answers="On what share of the units do annotators give the same label?",
        sentence="Observed agreement is the share of units with the same label "
        "(the mean over pairs of annotators).",
        works=(ARTSTEIN,),
        kind="share",
        annotators="any number",
        missing="units with at least two ratings",
        for_pair=pairwise.observed,
    ),
    Measure(
        id="bennett_s",
        name="Bennett's S",
        symbol="S",
        formula="S = (A_o - 1/q) / (1 - 1/q)",
        chance="uniform: every one of the q categories is used equally often",
        assumptions="The number of categories q is known; declared but unused ones count.",
        answers="How much better is agreement than among annotators who pick categories with even odds?",
        sentence="Bennett's S corrects for a uniform choice among the categories, declared or used.",
        works=(
            Work(
                "Bennett, Alpert and Goldstein (1954), Public Opinion Quarterly 18(3), 303-308",
                "10.1086/266520",
            ),
        ),
        for_pair=pairwise.bennett_s,
    ),
    Measure(
        id="scott_pi",
        name="Scott's pi",
        symbol="π",
        formula="π = (A_o - A_e) / (1 - A_e), A_e = Σ ((n_k. + n_.k) / 2n)²",
        chance="pooled: both annotators use the categories as often as they do on average",
        assumptions="Annotators are interchangeable.",
        answers="How much better is agreement than that of two annotators with the same habits?",
        sentence="Scott's pi takes chance from the mean of the two annotators' distributions.",
        works=(Work("Scott (1955), Public Opinion Quarterly 19(3), 321-325", "10.1086/266577"), ARTSTEIN),
        for_pair=pairwise.scott_pi,
    ),
    Measure(
        id="cohen_kappa",
        name="Cohen's kappa",
        symbol="κ",
        formula="κ = (A_o - A_e) / (1 - A_e), A_e = Σ n_k. n_.k / n²",
        chance="own: each annotator uses the categories as often as that annotator does",
        assumptions="The two annotators are fixed; a difference in habits is not counted as disagreement "
        "by chance.",
        answers="How much better is agreement than that of these two annotators labelling blindly?",
        sentence="Cohen's kappa takes chance from each annotator's own distribution.",
        works=(COHEN_1960, ARTSTEIN),
        for_pair=pairwise.cohen_kappa,
    ),
    Measure(
        id="weighted_kappa",
        name="Weighted kappa",
        symbol="κ_w",
        formula="κ_w = 1 - D_o / D_e, D_o = Σ n_ij δ_ij / n, D_e = Σ n_i. n_.j δ_ij / n²",
        chance="own: as Cohen's kappa",
        assumptions="The distances δ say how far apart two categories are; they are used as given, never "
        "rescaled.",
        answers="Cohen's question, where some confusions are worse than others.",
        sentence="Weighted kappa is kappa with disagreements weighted by a distance between categories.",
        works=(COHEN_1968, ARTSTEIN),
        for_pair=pairwise.weighted_kappa,
    ),
    Measure(
        id="krippendorff_alpha",
        name="Krippendorff's alpha",
        symbol="α",
        formula="α = 1 - D_o / D_e, D_e = Σ n_c n_k δ_ck / (n (n - 1)), n the ratings of paired units",
        chance="sampled: labels are drawn from all ratings, without putting back",
        assumptions="Annotators are interchangeable; ratings may be missing.",
        answers="How much less do annotators disagree than if labels had nothing to do with the units?",
        sentence="Krippendorff's alpha takes chance from the pooled ratings, with its correction for small "
        "samples.",
        works=(
            KRIPPENDORFF,
            Work(
                "Hayes and Krippendorff (2007), Communication Methods and Measures 1(1), 77-89",
                "10.1080/19312450709336664",
            ),
        ),
        annotators="any number",
        missing="units with at least two ratings",
        for_pair=pairwise.krippendorff_alpha,
    ),
    Measure(
        id="finn_r",
        name="Finn's R",
        symbol="R",
        formula="R = 1 - mean variance within units / ((q² - 1) / 12)",
        chance="uniform: every code from 1 to q is used equally often",
        assumptions="Categories are numbers at equal steps (codes 1 to q in their order); on a nominal scale "
        "the codes are arbitrary.",
        answers="How small is the variance of a unit's ratings beside that of a uniform choice?",
        sentence="Finn's R compares the variance within units (divisor n - 1, codes 1 to q) with that of a "
        "uniform choice.",
        works=(
            Work(
                "Finn (1970), Educational and Psychological Measurement 30(1), 71-76",
                "10.1177/001316447003000106",
            ),
            FORT,
        ),
        for_pair=pairwise.finn_r,
    ),
    Measure(
        id="specific_agreement",
        name="Specific agreement",
        symbol="A_c",
        formula="A_c = 2a / (2a + b + c)",
        chance="none",
        assumptions="None; it equals the F-measure of one annotator against the other over the same units.",
        answers="Given that one annotator chose this category, how often did the other choose it too?",
        sentence="Specific agreement of a category is 2a / (2a + b + c), its F-measure over the units.",
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
        works=(BYRT,),
        kind="index",
        for_pair=pairwise.prevalence_index,
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
        works=(BYRT,),
        kind="index",
        for_pair=pairwise.bias_index,
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
        works=(BYRT,),
        for_pair=pairwise.pabak,
    ),
    Measure(
        id="kappa_max",
        name="Highest possible kappa",
        symbol="κ_max",
        formula="κ_max = (Σ min(n_k., n_.k) / n - A_e) / (1 - A_e)",
        chance="own: as Cohen's kappa",
        assumptions="The two annotators' margins are given.",
        answers="How high could kappa be with these margins?",
        sentence="The highest possible kappa is that of the same margins with the most agreement.",
        works=(COHEN_1960,),
        kind="ceiling",
        for_pair=pairwise.kappa_max,
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
        works=(FORT,),
        kind="table",
    ),
    Measure(
        id="bowker",
        name="Bowker's test of symmetry",
        symbol="χ²",
        formula="χ² = Σ (n_ij - n_ji)² / (n_ij + n_ji)",
        chance="every confusion is as likely in one direction as in the other",
        assumptions="Documents are independent; units are, where no document is known.",
        answers="Do the annotators confuse categories in one direction?",
        sentence="Bowker's test asks whether confusions are symmetric.",
        works=(
            Work(
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
        works=(
            Work("Stuart (1955), Biometrika 42(3-4), 412-416", "10.1093/biomet/42.3-4.412"),
            Work("Maxwell (1970), British Journal of Psychiatry 116, 651-655", "10.1192/bjp.116.535.651"),
        ),
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
        works=(Work("McNemar (1947), Psychometrika 12(2), 153-157", "10.1007/BF02295996"),),
        kind="test",
    ),
    Measure(
        id="precision",
        name="Precision",
        symbol="P",
        formula="P = (correct + w partial) / (correct + partial + spurious), w = 0, 1 or 1/2",
        chance="none",
        assumptions=OF_SPANS,
        answers="What share of the response's marks are those of the key?",
        sentence="Precision is the share of the response's marks that the key has.",
        works=(CHINCHOR, RIJSBERGEN),
        kind="share",
        missing="documents that both saw",
    ),
    Measure(
        id="recall",
        name="Recall",
        symbol="R",
        formula="R = (correct + w partial) / (correct + partial + missing), w = 0, 1 or 1/2",
        chance="none",
        assumptions=OF_SPANS,
        answers="What share of the key's marks did the response find?",
        sentence="Recall is the share of the key's marks that the response has.",
        works=(CHINCHOR, RIJSBERGEN),
        kind="share",
        missing="documents that both saw",
    ),
    Measure(
        id="f_measure",
        name="F-measure",
        symbol="F",
        formula="F = (1 + β²) P R / (β² P + R)",
        chance="none: it needs no number of units that nobody marked, and says nothing of chance",
        assumptions=OF_SPANS + " With β = 1 it is the same whoever is the key.",
        answers="How much of what either marked did both mark?",
        sentence="The F-measure is the harmonic mean of precision and recall; strict, it is specific "
        "agreement on spans.",
        works=(RIJSBERGEN, CHINCHOR, HRIPCSAK_2005),
        kind="share",
        missing="documents that both saw",
    ),
    Measure(
        id="error_rate",
        name="Error rate",
        symbol="E",
        formula="E = 1 - P",
        chance="none",
        assumptions=OF_SPANS,
        answers="What share of the response's marks are not those of the key?",
        sentence="The error rate is 1 less precision.",
        works=(CHINCHOR,),
        kind="share",
        missing="documents that both saw",
    ),
    Measure(
        id="false_positives",
        name="False positives",
        symbol="FP",
        formula="FP = 1000 spurious / tokens",
        chance="none",
        assumptions="Tokens are what whitespace separates; unlike precision it does not depend on how much "
        "there is to find.",
        answers="How many marks that the key lacks has the response for each 1,000 tokens?",
        sentence="False positives are the response's marks without a partner, for each 1,000 tokens.",
        works=(CHINCHOR,),
        kind="index",
        missing="documents that both saw",
    ),
)

BY_ID = {measure.id: measure for measure in CATALOGUE}


def measure_of(figure: str) -> Measure:
    """Return the catalogue entry of a figure's id, brackets or not; raise KeyError for an unknown one."""
    return BY_ID[base_id(figure)]
