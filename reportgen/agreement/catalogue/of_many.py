"""Measures made for more than two annotators."""

from reportgen.agreement.algebra import formulas
from reportgen.agreement.catalogue import elsewhere
from reportgen.agreement.catalogue.works import (
    ARTSTEIN,
    BRENNAN_PREDIGER,
    CONGER,
    DAVIES_FLEISS,
    FLEISS_1971,
    FLEISS_1975,
    GWET_2008,
    GWET_2014,
    HUBERT,
    LIGHT,
    RANDOLPH,
    SIEGEL_CASTELLAN,
)
from reportgen.agreement.measure import ALL_RATED, Measure
from reportgen.agreement.several import figures

MEASURES: tuple[Measure, ...] = (
    Measure(
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
        elsewhere=elsewhere.UNANIMOUS_AGREEMENT,
        sentence="Unanimous agreement is the share of units on which all ratings are the same.",
        works=(FLEISS_1975,),
        kind="share",
        annotators="any number",
        missing="units with at least two ratings",
        for_all=figures.unanimous,
    ),
    Measure(
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
        elsewhere=elsewhere.MAJORITY_AGREEMENT,
        sentence="Agreement with the majority compares each rating with the most frequent label of the "
        "others.",
        works=(FLEISS_1975,),
        kind="share",
        annotators="three or more",
        missing="units whose other ratings have a commonest label",
        for_all=figures.majority_agreement,
    ),
    Measure(
        id="fleiss_kappa",
        name="Fleiss' kappa",
        symbol="κ_F",
        formula="κ_F = (A_o - A_e) / (1 - A_e), A_e = Σ π_k², π_k the mean share of the category",
        latex=r"\kappa_F = \frac{A_o - A_e}{1 - A_e}, \quad A_e^{\pi} = \sum_{k} \hat{\pi}_k^2, \quad "
        r"\hat{\pi}_k = \frac{1}{n} \sum_{i} \frac{n_{ik}}{r_i}",
        chance="pooled: all annotators use the categories as often as they do on average",
        assumptions="Annotators are interchangeable; every unit may have been rated by others.",
        answers="How much better is agreement than that of any annotators with the same habits?",
        use="Take it for annotators who stand for any others, as in crowds where each unit is rated by other "
        "people; it generalises Scott's pi.",
        avoid="Not for fixed annotators (Conger's kappa), nor where a scale has an order: it takes all "
        "confusions as equally bad.",
        elsewhere=elsewhere.FLEISS_KAPPA,
        sentence="Fleiss' kappa takes chance from the mean distribution of all annotators.",
        works=(FLEISS_1971, GWET_2014, ARTSTEIN),
        annotators="any number",
        missing=ALL_RATED,
        coefficient=formulas.fleiss_kappa,
        for_all=figures.fleiss_kappa,
    ),
    Measure(
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
        elsewhere=elsewhere.CONGER_KAPPA,
        sentence="Conger's kappa takes chance from each annotator's own distribution, averaged over pairs.",
        works=(CONGER, DAVIES_FLEISS, HUBERT, GWET_2014),
        annotators="any number",
        missing=ALL_RATED,
        coefficient=formulas.conger_kappa,
        for_all=figures.conger_kappa,
    ),
    Measure(
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
        elsewhere=elsewhere.LIGHT_KAPPA,
        sentence="Light's kappa is the mean of the pairs' kappas.",
        works=(LIGHT, CONGER),
        annotators="any number",
        missing="units that both of a pair rated",
        for_all=figures.light_kappa,
    ),
    Measure(
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
        elsewhere=elsewhere.RANDOLPH_KAPPA,
        sentence="Randolph's kappa corrects for a uniform choice among the categories, declared or used.",
        works=(RANDOLPH, BRENNAN_PREDIGER),
        annotators="any number",
        missing="units with at least two ratings",
        coefficient=formulas.bennett_s,
        for_all=figures.randolph_kappa,
    ),
    Measure(
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
        elsewhere=elsewhere.GWET_AC1,
        sentence="Gwet's AC1 takes chance to be a random choice on hard units, rarer the more one category "
        "prevails.",
        works=(GWET_2008, GWET_2014),
        annotators="any number",
        missing=ALL_RATED,
        coefficient=formulas.gwet_ac,
        for_pair=figures.gwet_ac1,
        for_all=figures.gwet_ac1,
    ),
    Measure(
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
        elsewhere=elsewhere.GWET_AC2,
        sentence="Gwet's AC2 is AC1 with partial agreement, 1 less the distance as a share of the scale's "
        "largest.",
        works=(GWET_2014,),
        annotators="any number",
        missing=ALL_RATED,
        coefficient=formulas.gwet_ac,
        for_pair=figures.gwet_ac2,
        for_all=figures.gwet_ac2,
    ),
    Measure(
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
        elsewhere=elsewhere.SIEGEL_CASTELLAN,
        sentence="Siegel and Castellan's K over all annotators, as GATE has it, corrects unanimous "
        "agreement.",
        works=(SIEGEL_CASTELLAN,),
        annotators="three or more",
        missing="units that all annotators rated",
        for_all=figures.siegel_castellan,
    ),
)
