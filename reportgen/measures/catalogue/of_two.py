"""Measures of two annotators, and what any number of annotators has under the same name."""

from reportgen.measures import coefficients, formulas
from reportgen.measures.catalogue import other_software
from reportgen.measures.measure import ARTSTEIN, COHEN_1960, COHEN_1968, FORT, KRIPPENDORFF, Measure, work

MEASURES: tuple[Measure, ...] = (
    Measure(
        id="observed_agreement",
        name="Observed agreement",
        symbol="Aₒ",
        formula="A_o = mean over units of Σ n_ik (n_ik - 1) / (r_i (r_i - 1)); of two annotators Σ n_kk / n",
        chance="none: agreement by chance counts as agreement",
        assumptions="Every unit weighs the same.",
        answers="On what share of the units do annotators give the same label?",
        sentence="Observed agreement is the share of units with the same label "
        "(the mean over pairs of annotators).",
        latex=r"A_o = \frac{1}{n} \sum_{i} \frac{\sum_{k} n_{ik} (n_{ik} - 1)}{r_i (r_i - 1)}",
        use="Take it beside every coefficient: it is what a coefficient starts from, and everybody "
        "understands it.",
        avoid="Do not cite it alone, nor compare it between studies: it grows with the commonest category "
        "and with fewer categories, whatever the annotators know.",
        elsewhere=other_software.OBSERVED_AGREEMENT,
        works=(ARTSTEIN,),
        kind="share",
        annotators="any number",
        missing="units with at least two ratings",
        coefficient=formulas.observed_agreement,
        for_pair=coefficients.observed,
        for_all=coefficients.observed,
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
        latex=r"S = \frac{A_o - A_e}{1 - A_e}, \quad A_e^{S} = \frac{1}{q}",
        use="Take it where annotators are known to be without habits, such as when the categories were "
        "drawn to be equally frequent.",
        avoid="Not for sparse annotation or uneven categories: it then hardly differs from observed "
        "agreement, and it rises when a category nobody uses is added.",
        elsewhere=other_software.BENNETT_S,
        works=(
            work(
                "Bennett, Alpert and Goldstein (1954), Public Opinion Quarterly 18(3), 303-308",
                "10.1086/266520",
            ),
        ),
        annotators="any number",
        missing="units with at least two ratings",
        coefficient=formulas.bennett_s,
        for_pair=coefficients.bennett_s_of_pair,
        for_all=coefficients.bennett_s,
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
        latex=r"\pi = \frac{A_o - A_e}{1 - A_e}, \quad A_e^{\pi} = \sum_{k} \left( \frac{n_{k \cdot} + "
        r"n_{\cdot k}}{2n} \right)^2",
        use="Take it for two annotators who stand for any others: the question is whether the guidelines "
        "work, not who used them.",
        avoid="Not where ratings are missing or annotators are more than two; Fleiss' kappa and "
        "Krippendorff's alpha are its generalisations.",
        elsewhere=other_software.SCOTT_PI,
        works=(
            work("Scott (1955), Public Opinion Quarterly 19(3), 321-325", "10.1086/266577"),
            ARTSTEIN,
        ),
        coefficient=formulas.scott_pi,
        for_pair=coefficients.scott_pi,
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
        latex=r"\kappa = \frac{A_o - A_e}{1 - A_e}, \quad A_e^{\kappa} = \sum_{k} \frac{n_{k \cdot}}{n} "
        r"\cdot \frac{n_{\cdot k}}{n}",
        use="Take it for two fixed annotators, where the question is about these two: they will label the "
        "rest of the corpus themselves.",
        avoid="Not as a measure of the guidelines: of two pairs that agree as often, the one with more "
        "different habits has the higher kappa. A low value under high prevalence is a caveat to "
        "explain with the table, not a reason to change the coefficient.",
        elsewhere=other_software.COHEN_KAPPA,
        works=(COHEN_1960, ARTSTEIN),
        coefficient=formulas.cohen_kappa,
        for_pair=coefficients.cohen_kappa,
    ),
    Measure(
        id="weighted_kappa",
        name="Weighted kappa",
        symbol="κ_w",
        formula="κ_w = 1 - D_o / D_e, D_o = Σ n_ij δ_ij / n, D_e = Σ n_i. n_.j δ_ij / n²",
        chance="own: as Cohen's kappa",
        assumptions="The distances δ say how far apart two categories are; they are used as given, never "
        "rescaled.",
        answers="How much better is agreement than that of two annotators labelling blindly, where some "
        "confusions are worse than others?",
        sentence="Weighted kappa is kappa with disagreements weighted by a distance between categories.",
        latex=r"\kappa_w = 1 - \frac{D_o}{D_e}, \quad D_o = \sum_{j,k} \frac{n_{jk}}{n} \, \delta_{jk}, "
        r"\quad D_e = \sum_{j,k} \frac{n_{j \cdot}}{n} \cdot \frac{n_{\cdot k}}{n} \, \delta_{jk}",
        use="Take it for fixed annotators where some confusions are worse than others and the distances "
        "were decided before anybody annotated: ranks, a taxonomy, an expert's table.",
        avoid="Not with distances that are chosen after the results or computed from them, and never "
        "without printing the distances: each set of weights is another coefficient.",
        elsewhere=other_software.WEIGHTED_KAPPA,
        works=(COHEN_1968, ARTSTEIN),
        annotators="any number",
        for_pair=coefficients.weighted_kappa_of_pair,
        for_all=coefficients.weighted_kappa,
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
        latex=r"\alpha = 1 - \frac{D_o}{D_e}, \quad D_o = \frac{1}{n} \sum_{c,k} o_{ck} \, \delta_{ck}, "
        r"\quad D_e = \frac{1}{n (n - 1)} \sum_{c,k} n_c \, n_k \, \delta_{ck}",
        use="Take it for any number of annotators who stand for any others, with missing ratings, on any "
        "scale: one coefficient for all versions of a campaign.",
        avoid="Not where the question is about these very annotators (Cohen's, Conger's kappa), nor "
        "without its distance: on a scale with an order the nominal figure throws information away.",
        elsewhere=other_software.KRIPPENDORFF_ALPHA,
        works=(
            KRIPPENDORFF,
            work(
                "Hayes and Krippendorff (2007), Communication Methods and Measures 1(1), 77-89",
                "10.1080/19312450709336664",
            ),
        ),
        annotators="any number",
        missing="units with at least two ratings",
        coefficient=formulas.krippendorff_alpha,
        for_pair=coefficients.krippendorff_alpha,
        for_all=coefficients.krippendorff_alpha,
    ),
    Measure(
        id="finn_r",
        scales=("nominal", "ordinal", "interval", "ratio"),
        name="Finn's R",
        symbol="R",
        formula="R = 1 - mean variance within units / ((q² - 1) / 12)",
        chance="uniform: every code from 1 to q is used equally often",
        assumptions="Categories are q points at equal steps (codes 1 to q in their order); on a nominal "
        "scale the codes are arbitrary, and on an interval or ratio scale there is no q.",
        answers="How small is the variance of a unit's ratings beside that of a uniform choice?",
        sentence="Finn's R compares the variance within units (divisor n - 1, codes 1 to q) with that of a "
        "uniform choice; two-way, what annotators add to all of their ratings is taken out first.",
        latex=r"R = 1 - \frac{\frac{1}{n} \sum_{i} s_i^2}{(q^2 - 1) / 12}",
        use="Take it for ratings on a scale of equal steps where the units hardly differ, so that "
        "correlations have nothing to go by.",
        avoid="Not on a nominal scale: other codes for the same categories give another value. Not where "
        "one category prevails: it then approaches 1 whatever the annotators do.",
        elsewhere=other_software.FINN_R,
        works=(
            work(
                "Finn (1970), Educational and Psychological Measurement 30(1), 71-76",
                "10.1177/001316447003000106",
            ),
            FORT,
        ),
        annotators="any number",
        missing="units with at least two ratings; two-way: units that all rated",
        for_pair=coefficients.finn_of,
        for_all=coefficients.finn_of,
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
        latex=r"\kappa_{\max} = \frac{\sum_{k} \min(n_{k \cdot}, n_{\cdot k}) / n - A_e}{1 - A_e}",
        use="Take it to see how much of what kappa lacks comes from the annotators' different habits alone.",
        avoid="Do not divide kappa by it to report a higher figure: different habits are disagreement too.",
        elsewhere=other_software.KAPPA_MAX,
        works=(COHEN_1960,),
        kind="ceiling",
        for_pair=coefficients.kappa_max,
    ),
)
