"""Measures of two annotators, of any number, and those made for more than two."""

from functools import partial

from reportgen.measures import coefficients, formulas, measure
from reportgen.measures.catalogue import other_software
from reportgen.measures.measure import ALL_RATED, Measure, work

OF_TWO: tuple[Measure, ...] = (
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
        works=(measure.ARTSTEIN,),
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
        use="Take it for two annotators who represent any others: the question is whether the guidelines "
        "work, not who used them.",
        avoid="Not where ratings are missing or annotators are more than two; Fleiss' kappa and "
        "Krippendorff's alpha are its generalisations.",
        elsewhere=other_software.SCOTT_PI,
        works=(
            work("Scott (1955), Public Opinion Quarterly 19(3), 321-325", "10.1086/266577"),
            measure.ARTSTEIN,
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
        works=(measure.COHEN_1960, measure.ARTSTEIN),
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
        works=(measure.COHEN_1968, measure.ARTSTEIN),
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
        use="Take it for any number of annotators who represent any others, with missing ratings, on any "
        "scale: one coefficient for all versions of a campaign.",
        avoid="Not where the question is about these very annotators (Cohen's, Conger's kappa), nor "
        "without its distance: on a scale with an order the nominal figure throws information away.",
        elsewhere=other_software.KRIPPENDORFF_ALPHA,
        works=(
            measure.KRIPPENDORFF,
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
            measure.FORT,
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
        works=(measure.COHEN_1960,),
        kind="ceiling",
        for_pair=coefficients.kappa_max,
    ),
)


_of_many = partial(Measure, annotators="any number")

OF_MANY: tuple[Measure, ...] = (
    _of_many(
        id="unanimous_agreement",
        name="Unanimous agreement",
        symbol="A_u",
        formula="A_u = units on which all ratings are the same / units with at least two ratings",
        latex=r"A_u = \frac{1}{n} \sum_{i} \left[ \max_k n_{ik} = r_i \right]",
        chance="none: agreement by chance counts as agreement",
        assumptions="Units have about as many ratings each: the more there are, the harder it is to agree.",
        answers="On what share of the units do all annotators give the same label?",
        use="Take it to know how much of the corpus needs no decision: what is unanimous can be released as "
        "it is.",
        avoid="Not to compare campaigns with different numbers of annotators: every further one lowers it.",
        elsewhere=other_software.UNANIMOUS_AGREEMENT,
        sentence="Unanimous agreement is the share of units on which all ratings are the same.",
        works=(measure.FLEISS_1975,),
        kind="share",
        missing="units with at least two ratings",
        for_all=coefficients.unanimous,
    ),
    _of_many(
        id="majority_agreement",
        name="Agreement with the majority",
        symbol="A_m",
        formula="A_m = ratings that are the most frequent label of the unit's other ratings / ratings",
        latex=r"A_m = \frac{\sum_{i} \sum_{c} \left[ l_{ic} = \operatorname{maj}_{c' \neq c} l_{ic'} \right]}"
        r"{\sum_{i} r_i}",
        chance="none: agreement by chance counts as agreement",
        assumptions="The majority of the others is a fair stand-in for a reference.",
        answers="How often does an annotator say what most of the others say?",
        use="Take it to find annotators who differ from everybody, and where a majority vote makes the final "
        "labels.",
        avoid="Not as reliability: a majority may be wrong together, and with two others it is often a tie.",
        elsewhere=other_software.MAJORITY_AGREEMENT,
        sentence="Agreement with the majority compares each rating with the most frequent label of the "
        "others.",
        works=(measure.FLEISS_1975,),
        kind="share",
        annotators="three or more",
        missing="units whose other ratings have a commonest label",
        for_all=coefficients.majority_agreement,
    ),
    _of_many(
        id="fleiss_kappa",
        name="Fleiss' kappa",
        symbol="κ_F",
        formula="κ_F = (A_o - A_e) / (1 - A_e), A_e = Σ π_k², π_k the mean share of the category",
        latex=r"\kappa_F = \frac{A_o - A_e}{1 - A_e}, \quad A_e^{\pi} = \sum_{k} \hat{\pi}_k^2, \quad "
        r"\hat{\pi}_k = \frac{1}{n} \sum_{i} \frac{n_{ik}}{r_i}",
        chance="pooled: all annotators use the categories as often as they do on average",
        assumptions="Annotators are interchangeable; every unit may have been rated by others.",
        answers="How much better is agreement than that of any annotators with the same habits?",
        use="Take it for annotators who represent any others, as in crowds where each unit is rated by other "
        "people; it generalises Scott's pi.",
        avoid="Not for fixed annotators (Conger's kappa), nor where a scale has an order: it takes all "
        "confusions as equally bad.",
        elsewhere=other_software.FLEISS_KAPPA,
        sentence="Fleiss' kappa takes chance from the mean distribution of all annotators.",
        works=(measure.FLEISS_1971, measure.GWET_2014, measure.ARTSTEIN),
        missing=ALL_RATED,
        coefficient=formulas.fleiss_kappa,
        for_all=coefficients.fleiss_kappa,
    ),
    _of_many(
        id="conger_kappa",
        name="Conger's kappa",
        symbol="κ_C",
        formula="κ_C = (A_o - A_e) / (1 - A_e), A_e the mean over pairs of annotators of Σ p_gk p_hk",
        latex=r"\kappa_C = \frac{A_o - A_e}{1 - A_e}, \quad "
        r"A_e^{\kappa} = \frac{2}{c (c - 1)} \sum_{g < h} \sum_{k} p_{gk} \, p_{hk}",
        chance="own: each annotator uses the categories as often as that annotator does",
        assumptions="The annotators are fixed, and each rated enough units to show habits.",
        answers="How much better is agreement than that of these annotators labelling blindly?",
        use="Take it for more than two fixed annotators, where the question is about these: it generalises "
        "Cohen's kappa. Hubert's, and Davies and Fleiss', are the same figure.",
        avoid="Not in crowds, where most annotators rated few units and two seldom rated the same.",
        elsewhere=other_software.CONGER_KAPPA,
        sentence="Conger's kappa takes chance from each annotator's own distribution, averaged over pairs.",
        works=(measure.CONGER, measure.DAVIES_FLEISS, measure.HUBERT, measure.GWET_2014),
        missing=ALL_RATED,
        coefficient=formulas.conger_kappa,
        for_all=coefficients.conger_kappa,
    ),
    _of_many(
        id="light_kappa",
        name="Light's kappa",
        symbol="κ_L",
        formula="κ_L = mean of Cohen's kappa over pairs of annotators",
        latex=r"\kappa_L = \frac{2}{c (c - 1)} \sum_{g < h} \kappa_{gh}",
        chance="own: as Cohen's kappa, pair by pair",
        assumptions="The annotators are fixed; every pair weighs the same, however many units it shares.",
        answers="How high is Cohen's kappa of a pair on average?",
        use="Take it to compare with studies that report the mean of pairwise kappas.",
        avoid="Not where pairs share few units: their kappas are uncertain or undefined, and undefined ones "
        "are left out. Conger's kappa does not have this trouble.",
        elsewhere=other_software.LIGHT_KAPPA,
        sentence="Light's kappa is the mean of the pairs' kappas.",
        works=(measure.LIGHT, measure.CONGER),
        missing="units that both of a pair rated",
        for_all=coefficients.light_kappa,
    ),
    _of_many(
        id="randolph_kappa",
        name="Randolph's kappa",
        symbol="κ_free",
        formula="κ_free = (A_o - 1/q) / (1 - 1/q)",
        latex=r"\kappa_{\mathrm{free}} = \frac{A_o - A_e}{1 - A_e}, \quad A_e^{S} = \frac{1}{q}",
        chance="uniform: every one of the q categories is used equally often",
        assumptions="The number of categories q is known; declared but unused ones count.",
        answers="How much better is agreement than among annotators who pick categories with even odds?",
        use="Take it where annotators were free to use the categories as often as they liked and none is "
        "expected to be more frequent. It is Bennett's S for any number of annotators.",
        avoid="Not for sparse annotation or uneven categories: it then hardly differs from observed "
        "agreement.",
        elsewhere=other_software.RANDOLPH_KAPPA,
        sentence="Randolph's kappa corrects for a uniform choice among the categories, declared or used.",
        works=(measure.RANDOLPH, measure.BRENNAN_PREDIGER),
        missing="units with at least two ratings",
        coefficient=formulas.bennett_s,
        for_all=coefficients.randolph_kappa,
    ),
    _of_many(
        id="gwet_ac1",
        name="Gwet's AC1",
        symbol="AC₁",
        formula="AC1 = (A_o - A_e) / (1 - A_e), A_e = Σ π_k (1 - π_k) / (q - 1)",
        latex=r"\mathrm{AC}_1 = \frac{A_o - A_e}{1 - A_e}, \quad "
        r"A_e^{\mathrm{AC}} = \frac{1}{q - 1} \sum_{k} \hat{\pi}_k (1 - \hat{\pi}_k)",
        chance="some units are hard and labelled at random, the likelier the more even the categories",
        assumptions="The number of categories q is known; declared but unused ones count.",
        answers="How much better is agreement, if annotators guess on hard units only?",
        use="Take it beside kappa where a reader asks how far the correction for chance matters.",
        avoid="Not because kappa is low under high prevalence: then expected agreement falls towards 0, and "
        "AC1 says little more than observed agreement.",
        elsewhere=other_software.GWET_AC1,
        sentence="Gwet's AC1 takes chance to be a random choice on hard units, rarer the more one category "
        "prevails.",
        works=(measure.GWET_2008, measure.GWET_2014),
        missing=ALL_RATED,
        coefficient=formulas.gwet_ac,
        for_pair=coefficients.gwet_ac1,
        for_all=coefficients.gwet_ac1,
    ),
    _of_many(
        id="gwet_ac2",
        name="Gwet's AC2",
        symbol="AC₂",
        formula="AC2 = (A_o - A_e) / (1 - A_e), A_e = T_w Σ π_k (1 - π_k) / (q (q - 1)), w = 1 - δ / δ_max, "
        "T_w = Σ w_kl",
        latex=r"\mathrm{AC}_2 = \frac{A_o - A_e}{1 - A_e}, \quad "
        r"A_e = \frac{T_w}{q (q - 1)} \sum_{k} \hat{\pi}_k (1 - \hat{\pi}_k), \quad "
        r"w_{kl} = 1 - \frac{\delta_{kl}}{\delta_{\max}}, \quad T_w = \sum_{k,l} w_{kl}",
        chance="as AC1, with partial agreement",
        assumptions="Weights are 1 less the distance as a share of the largest between any two categories, "
        "declared or used, the same for every pair of annotators; declared but unused ones count.",
        answers="How much better is agreement, if annotators guess on hard units only and some confusions "
        "are worse than others?",
        use="Take it beside the weighted kappas, with the same weights.",
        avoid="Not without printing the weights, and not because kappa is low under high prevalence.",
        elsewhere=other_software.GWET_AC2,
        sentence="Gwet's AC2 is AC1 with partial agreement, 1 less the distance as a share of the scale's "
        "largest.",
        works=(measure.GWET_2014,),
        missing=ALL_RATED,
        coefficient=formulas.gwet_ac,
        for_pair=coefficients.gwet_ac2,
        for_all=coefficients.gwet_ac2,
    ),
    _of_many(
        id="siegel_castellan",
        name="Siegel and Castellan's K over all annotators",
        symbol="K",
        formula="K = (A_u - A_e) / (1 - A_e), A_u unanimous agreement, A_e = Σ p_k^c for c annotators",
        latex=r"K = \frac{A_u - A_e}{1 - A_e}, \quad A_e = \sum_{k} \hat{p}_k^{\,c}",
        chance="pooled: all c annotators draw the same category from their mean distribution",
        assumptions="Every unit is rated by all c annotators.",
        answers="How much better is unanimity than by chance, as GATE's plugin computes it?",
        use="Take it to compare with figures that GATE's plugin printed for more than two annotators.",
        avoid="Not as the K of Siegel and Castellan's book, which is Fleiss' kappa; not to compare "
        "campaigns with different numbers of annotators.",
        elsewhere=other_software.SIEGEL_CASTELLAN,
        sentence="Siegel and Castellan's K over all annotators, as GATE has it, corrects unanimous "
        "agreement.",
        works=(measure.SIEGEL_CASTELLAN,),
        annotators="three or more",
        missing="units that all annotators rated",
        for_all=coefficients.siegel_castellan,
    ),
)
