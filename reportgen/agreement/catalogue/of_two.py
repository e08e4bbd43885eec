"""Measures of two annotators, and what any number of annotators has under the same name."""

from reportgen.agreement import overall, pairwise
from reportgen.agreement.catalogue.works import ARTSTEIN, COHEN_1960, COHEN_1968, FORT, KRIPPENDORFF
from reportgen.agreement.measure import Measure, Work

MEASURES: tuple[Measure, ...] = (
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
        for_all=overall.observed,
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
        for_all=overall.krippendorff_alpha,
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
)
