"""What other libraries return under our measures' names, where that differs.

As run, or read in the source, in November 2026, at the versions named; figures are theirs beside ours. A
reader who compares a report with another program finds here why they differ.
"""

from reportgen.measures.measure import variant

DKPRO = "DKPro Statistics 2.3.2"
GATE = "GATE"
IRR = "R irr 0.84.1"
IRRCAC = "irrCAC"
KRIPPENDORFF = "krippendorff 0.9.0"
NLTK = "NLTK 3.10.4"
SKLEARN = "scikit-learn 1.9.1"
STATSMODELS = "statsmodels 0.15.0"

OBSERVED_AGREEMENT = (
    variant(
        f"{IRR}, agree", "the share of units on which all annotators agree; here that is unanimous_agreement"
    ),
    variant(f"{NLTK}, avg_Ao", "divides by all units, also those that fewer than two annotators rated"),
    variant(
        f"{DKPRO}, PercentageAgreement",
        "with missing ratings units weigh as many times as they were rated: .800 on Krippendorff's example "
        "of four annotators, where the mean over units is .818",
    ),
)
BENNETT_S = (
    variant(f"{NLTK}, S", "counts only the labels that occur as categories, and returns 1 where it is one"),
    variant(f"{IRRCAC}, bp.coeff", "counts only the labels that occur unless the categories are given"),
    variant(f"{DKPRO}, INCEpTION", "count the whole tagset, as here"),
)
SCOTT_PI = (
    variant(f"{NLTK}, pi", "for more than two annotators Fleiss' kappa; 1 where one category is used"),
    variant(f"{GATE}, plugin", "for more than two annotators another figure; here it is siegel_castellan"),
    variant(DKPRO, "two annotators only; an exception where one category is used"),
)
COHEN_KAPPA = (
    variant(f"{SKLEARN}, cohen_kappa_score", "NaN where one category is used; refuses missing ratings"),
    variant(
        f"{NLTK}, kappa",
        "1 where one category is used; for more than two annotators the mean over pairs, which is "
        "light_kappa; None is a label unless missing_values says otherwise",
    ),
    variant(STATSMODELS, "NaN where one category is used"),
    variant(
        DKPRO,
        "an exception where one category is used; its kappa by category pools the margins, as Fleiss' does: "
        ".247, .402, .435 on the data of Agresti (1992), where a category against the rest has .266, .441, "
        ".459",
    ),
    variant(GATE, "1 (Corpus Quality Assurance) or NaN (plugin) where one category is used"),
)
WEIGHTED_KAPPA = (
    variant(
        f"{DKPRO}, more than two annotators",
        "adds up expected disagreement over pairs without dividing: .8696 where its own kappa of three "
        "annotators is .6087",
    ),
    variant(
        DKPRO,
        "divides observed and expected disagreement by different largest distances: .634 where undivided "
        "distances give .908",
    ),
    variant(f"{NLTK}, weighted_kappa", "the mean of the pairs' kappas, not 1 - mean D_o / mean D_e"),
    variant(
        f"{NLTK}, weighted_kappa(max_distance)",
        "scales expected disagreement alone: -2.478 with 16 and .783 with 1 on the same ratings",
    ),
    variant(
        f"{IRR}, kappa2; {SKLEARN}",
        "weights by the rank of the levels that occur: .2520 with squared weights where a level is unused "
        "and values give .2298",
    ),
    variant("iaa-kit 0.1.2, ac2", "this coefficient, under the name of Gwet's AC2"),
)
KRIPPENDORFF_ALPHA = (
    variant(
        f"{IRR}, kripp.alpha",
        "wrong for more than two annotators without missing ratings: .6348 on Krippendorff (1980, p. 139) "
        "and .4309 on Fleiss (1971), where the others and we have .6417 and .4334; pyirr 0.84.1.2 too",
    ),
    variant(
        f"{IRRCAC}, ordinal",
        "weights by rank instead of Krippendorff's ordinal distance: .8336 on his example with missing "
        "ratings, where his distance gives .8154",
    ),
    variant(f"{DKPRO}, ordinal", "steps through whole numbers, so that other codes skip levels"),
    variant(f"{NLTK}, {IRR}", "1 where one category is used"),
    variant(f"{KRIPPENDORFF}, simpledorff 0.0.2", "an exception where one category is used"),
    variant(DKPRO, "an exception where one category is used, and 1 once a second one is declared"),
)
FINN_R = (
    variant(
        f"{IRR}, finn",
        "the codes and their number as given; its two-way model takes the mean square of error: .9247 on "
        "its data `video`, where the one-way figure is .9014",
    ),
    variant(
        "Fort, François and Ghribi (2010)",
        "print .994 for nominal categories; with codes 1, 2, 3 and the divisor n - 1 it is .9935, with the "
        "codes in another order .9946",
    ),
)
KAPPA_MAX = (variant("the libraries surveyed", "none has it"),)
SPECIFIC_AGREEMENT = (
    variant(GATE, "0 where nobody used the category"),
    variant(f"{SKLEARN}, f1_score", "the same for two annotators; 0 where nobody used the category"),
    variant(f"{DKPRO}, PercentageAgreement by category", "counts that neither chose it as agreement"),
)
PABAK = (variant(f"{IRRCAC}, bp.coeff", "the same for two categories"),)
COMPUTED_DISTANCES = (variant("the libraries surveyed", "none has them"),)
FLEISS_KAPPA = (
    variant(f"{NLTK}, pi", "the same, described there as Siegel and Castellan's K"),
    variant(
        f"{IRRCAC}, {DKPRO}, missing ratings",
        ".7612 and .7373 on Krippendorff's example of four annotators: DKPro weights units by how often they "
        "were rated; we follow Gwet (2014), as irrCAC does",
    ),
    variant(f"{IRR}, kappam.fleiss", "leaves out every unit with a missing rating"),
    variant(STATSMODELS, "refuses missing ratings; NaN where one category is used"),
    variant(f"{IRRCAC}, Python", "ZeroDivisionError where one category is used"),
    variant(
        "Fleiss (1971)",
        "prints .248, .248, .517, .470, .565 by category; his table gives .245, .245, .520, .471, .566",
    ),
)
CONGER_KAPPA = (
    variant(f"{NLTK}, multi_kappa", "the same; 1 where one category is used"),
    variant(f"{IRR}, kappam.fleiss(exact)", "the same, without the units that miss a rating"),
    variant(
        f"{DKPRO}, HubertKappaAgreement",
        ".7593 with missing ratings on Krippendorff's example, where irrCAC and we have .7628",
    ),
    variant(f"{GATE} guide, equation 10.4", "the same"),
)
LIGHT_KAPPA = (
    variant(
        f"{NLTK}, kappa", "the same without missing ratings, under the name of kappa: .4594 on Fleiss (1971)"
    ),
    variant(f"{IRR}, kappam.light", "leaves out every unit with a missing rating, for all pairs"),
)
RANDOLPH_KAPPA = (
    variant(f"{STATSMODELS}, method='randolph'", "counts the columns of the table as categories"),
    variant(f"{IRRCAC}, bp.coeff", "the same under Brennan and Prediger's name"),
)
GWET_AC1 = (
    variant(f"{IRRCAC}, Python", "1 where one category is used; counts only the labels that occur"),
    variant(
        f"{IRRCAC}, standard error",
        "takes the share of units with two ratings as fixed, which makes it some 15% too wide where one unit "
        "in twelve was rated once",
    ),
    variant(DKPRO, "two annotators only"),
)
GWET_AC2 = (
    variant("iaa-kit 0.1.2, ac2", "weighted kappa of Cohen, another figure"),
    variant(f"{IRRCAC}, {DKPRO}", "the same for the same weights"),
)
UNANIMOUS_AGREEMENT = (variant(f"{IRR}, agree", "the same, under the name of percentage agreement"),)
MAJORITY_AGREEMENT = (
    variant("crowd-kit 1.4.2", "accuracy against a majority with the annotator's own vote"),
)
SIEGEL_CASTELLAN = (
    variant(
        f"{NLTK}, pi", "Fleiss' kappa, which is what Siegel and Castellan (1988) define: .8239 on GATE's test"
    ),
    variant(f"{GATE}, plugin", "the same as here: .8060 on its test document"),
)
RETRIEVAL = (
    variant(f"{GATE}, empty response", "precision 1 (Corpus Quality Assurance) or 0 (plugin)"),
    variant(GATE, "pairs marks greedily by score; here the pairing is the best possible"),
    variant("bratiaa", "the mean over pairs of annotators of their pooled F, with identical spans only"),
)
F_MEASURE = (
    *RETRIEVAL,
    variant(f"{GATE}, lenient with BDM", "can exceed 1, as spurious marks leave out partial matches"),
)
ORDINAL = (
    variant(
        f"{KRIPPENDORFF}, {IRR}, {DKPRO}",
        "Krippendorff's distance under this name: .8154 for alpha on his example with missing ratings",
    ),
    variant(f"{IRRCAC}, ordinal", "Gwet's weights under this name: .8336 for alpha on the same ratings"),
)
BY_VALUE = (
    variant(
        f"{IRR}, {SKLEARN}",
        "weight by the rank of the levels that occur: .2520 where values give .2298, a level being unused",
    ),
)
EMPTY_SETS = (
    variant(NLTK, "ZeroDivisionError for two empty sets"),
    variant(f"{DKPRO}, SetAnnotationDistanceFunction", "0, 1/3, 2/3 or 1, not Jaccard's distance"),
)
MASI = (
    variant(
        DKPRO,
        "(1 - |A ∩ B| / |A ∪ B|) f, f = 0, 1/3, 2/3, 1: .167 for {A} and {A, B}, where MASI is .667; alpha "
        ".252 on its own example instead of .273",
    ),
    variant("NLTK before 3.10", ".67 and .33 in place of 2/3 and 1/3"),
    variant(NLTK, "the same, and ZeroDivisionError for two empty sets"),
)
DICE = (variant(DKPRO, "two empty sets agree in nothing; here they are equal"),)
