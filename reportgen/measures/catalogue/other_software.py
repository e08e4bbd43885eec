"""What other libraries return under our measures' names, where that differs.

As run, or read in the source, in November 2026, at the versions named; figures are theirs beside ours. A
reader who compares a report with another program finds here why they differ.
"""

from reportgen.measures.measure import LibraryVariant

DKPRO = "DKPro Statistics 2.3.2"
GATE = "GATE"
IRR = "R irr 0.84.1"
IRRCAC = "irrCAC"
KRIPPENDORFF = "krippendorff 0.9.0"
NLTK = "NLTK 3.10.4"
SKLEARN = "scikit-learn 1.9.1"
STATSMODELS = "statsmodels 0.15.0"

OBSERVED_AGREEMENT = (
    LibraryVariant(
        f"{IRR}, agree", "the share of units on which all annotators agree; here that is unanimous_agreement"
    ),
    LibraryVariant(
        f"{NLTK}, avg_Ao", "divides by all units, also those that fewer than two annotators rated"
    ),
    LibraryVariant(
        f"{DKPRO}, PercentageAgreement",
        "with missing ratings units weigh as many times as they were rated: .800 on Krippendorff's example "
        "of four annotators, where the mean over units is .818",
    ),
)
BENNETT_S = (
    LibraryVariant(
        f"{NLTK}, S", "counts only the labels that occur as categories, and returns 1 where it is one"
    ),
    LibraryVariant(
        f"{IRRCAC}, bp.coeff", "counts only the labels that occur unless the categories are given"
    ),
    LibraryVariant(f"{DKPRO}, INCEpTION", "count the whole tagset, as here"),
)
SCOTT_PI = (
    LibraryVariant(f"{NLTK}, pi", "for more than two annotators Fleiss' kappa; 1 where one category is used"),
    LibraryVariant(
        f"{GATE}, plugin", "for more than two annotators another figure; here it is siegel_castellan"
    ),
    LibraryVariant(DKPRO, "two annotators only; an exception where one category is used"),
)
COHEN_KAPPA = (
    LibraryVariant(
        f"{SKLEARN}, cohen_kappa_score", "NaN where one category is used; refuses missing ratings"
    ),
    LibraryVariant(
        f"{NLTK}, kappa",
        "1 where one category is used; for more than two annotators the mean over pairs, which is "
        "light_kappa; None is a label unless missing_values says otherwise",
    ),
    LibraryVariant(STATSMODELS, "NaN where one category is used"),
    LibraryVariant(
        DKPRO,
        "an exception where one category is used; its kappa by category pools the margins, as Fleiss' does: "
        ".247, .402, .435 on the data of Agresti (1992), where a category against the rest has .266, .441, "
        ".459",
    ),
    LibraryVariant(GATE, "1 (Corpus Quality Assurance) or NaN (plugin) where one category is used"),
)
WEIGHTED_KAPPA = (
    LibraryVariant(
        f"{DKPRO}, more than two annotators",
        "adds up expected disagreement over pairs without dividing: .8696 where its own kappa of three "
        "annotators is .6087",
    ),
    LibraryVariant(
        DKPRO,
        "divides observed and expected disagreement by different largest distances: .634 where undivided "
        "distances give .908",
    ),
    LibraryVariant(f"{NLTK}, weighted_kappa", "the mean of the pairs' kappas, not 1 - mean D_o / mean D_e"),
    LibraryVariant(
        f"{NLTK}, weighted_kappa(max_distance)",
        "scales expected disagreement alone: -2.478 with 16 and .783 with 1 on the same ratings",
    ),
    LibraryVariant(
        f"{IRR}, kappa2; {SKLEARN}",
        "weights by the rank of the levels that occur: .2520 with squared weights where a level is unused "
        "and values give .2298",
    ),
    LibraryVariant("iaa-kit 0.1.2, ac2", "this coefficient, under the name of Gwet's AC2"),
)
KRIPPENDORFF_ALPHA = (
    LibraryVariant(
        f"{IRR}, kripp.alpha",
        "wrong for more than two annotators without missing ratings: .6348 on Krippendorff (1980, p. 139) "
        "and .4309 on Fleiss (1971), where the others and we have .6417 and .4334; pyirr 0.84.1.2 too",
    ),
    LibraryVariant(
        f"{IRRCAC}, ordinal",
        "weights by rank instead of Krippendorff's ordinal distance: .8336 on his example with missing "
        "ratings, where his distance gives .8154",
    ),
    LibraryVariant(f"{DKPRO}, ordinal", "steps through whole numbers, so that other codes skip levels"),
    LibraryVariant(f"{NLTK}, {IRR}", "1 where one category is used"),
    LibraryVariant(f"{KRIPPENDORFF}, simpledorff 0.0.2", "an exception where one category is used"),
    LibraryVariant(DKPRO, "an exception where one category is used, and 1 once a second one is declared"),
)
FINN_R = (
    LibraryVariant(
        f"{IRR}, finn",
        "the codes and their number as given; its two-way model takes the mean square of error: .9247 on "
        "its data `video`, where the one-way figure is .9014",
    ),
    LibraryVariant(
        "Fort, François and Ghribi (2010)",
        "print .994 for nominal categories; with codes 1, 2, 3 and the divisor n - 1 it is .9935, with the "
        "codes in another order .9946",
    ),
)
KAPPA_MAX = (LibraryVariant("the libraries surveyed", "none has it"),)
SPECIFIC_AGREEMENT = (
    LibraryVariant(GATE, "0 where nobody used the category"),
    LibraryVariant(f"{SKLEARN}, f1_score", "the same for two annotators; 0 where nobody used the category"),
    LibraryVariant(f"{DKPRO}, PercentageAgreement by category", "counts that neither chose it as agreement"),
)
PABAK = (LibraryVariant(f"{IRRCAC}, bp.coeff", "the same for two categories"),)
COMPUTED_DISTANCES = (LibraryVariant("the libraries surveyed", "none has them"),)
FLEISS_KAPPA = (
    LibraryVariant(f"{NLTK}, pi", "the same, described there as Siegel and Castellan's K"),
    LibraryVariant(
        f"{IRRCAC}, {DKPRO}, missing ratings",
        ".7612 and .7373 on Krippendorff's example of four annotators: DKPro weights units by how often they "
        "were rated; we follow Gwet (2014), as irrCAC does",
    ),
    LibraryVariant(f"{IRR}, kappam.fleiss", "leaves out every unit with a missing rating"),
    LibraryVariant(STATSMODELS, "refuses missing ratings; NaN where one category is used"),
    LibraryVariant(f"{IRRCAC}, Python", "ZeroDivisionError where one category is used"),
    LibraryVariant(
        "Fleiss (1971)",
        "prints .248, .248, .517, .470, .565 by category; his table gives .245, .245, .520, .471, .566",
    ),
)
CONGER_KAPPA = (
    LibraryVariant(f"{NLTK}, multi_kappa", "the same; 1 where one category is used"),
    LibraryVariant(f"{IRR}, kappam.fleiss(exact)", "the same, without the units that miss a rating"),
    LibraryVariant(
        f"{DKPRO}, HubertKappaAgreement",
        ".7593 with missing ratings on Krippendorff's example, where irrCAC and we have .7628",
    ),
    LibraryVariant(f"{GATE} guide, equation 10.4", "the same"),
)
LIGHT_KAPPA = (
    LibraryVariant(
        f"{NLTK}, kappa", "the same without missing ratings, under the name of kappa: .4594 on Fleiss (1971)"
    ),
    LibraryVariant(f"{IRR}, kappam.light", "leaves out every unit with a missing rating, for all pairs"),
)
RANDOLPH_KAPPA = (
    LibraryVariant(f"{STATSMODELS}, method='randolph'", "counts the columns of the table as categories"),
    LibraryVariant(f"{IRRCAC}, bp.coeff", "the same under Brennan and Prediger's name"),
)
GWET_AC1 = (
    LibraryVariant(f"{IRRCAC}, Python", "1 where one category is used; counts only the labels that occur"),
    LibraryVariant(
        f"{IRRCAC}, standard error",
        "takes the share of units with two ratings as fixed, which makes it some 15% too wide where one unit "
        "in twelve was rated once",
    ),
    LibraryVariant(DKPRO, "two annotators only"),
)
GWET_AC2 = (
    LibraryVariant("iaa-kit 0.1.2, ac2", "weighted kappa of Cohen, another figure"),
    LibraryVariant(f"{IRRCAC}, {DKPRO}", "the same for the same weights"),
)
UNANIMOUS_AGREEMENT = (LibraryVariant(f"{IRR}, agree", "the same, under the name of percentage agreement"),)
MAJORITY_AGREEMENT = (
    LibraryVariant("crowd-kit 1.4.2", "accuracy against a majority that holds the annotator's own vote"),
)
SIEGEL_CASTELLAN = (
    LibraryVariant(
        f"{NLTK}, pi", "Fleiss' kappa, which is what Siegel and Castellan (1988) define: .8239 on GATE's test"
    ),
    LibraryVariant(f"{GATE}, plugin", "the same as here: .8060 on its test document"),
)
RETRIEVAL = (
    LibraryVariant(f"{GATE}, empty response", "precision 1 (Corpus Quality Assurance) or 0 (plugin)"),
    LibraryVariant(GATE, "pairs marks greedily by score; here the pairing is the best possible"),
    LibraryVariant(
        "bratiaa", "the mean over pairs of annotators of their pooled F, with identical spans only"
    ),
)
F_MEASURE = (
    *RETRIEVAL,
    LibraryVariant(f"{GATE}, lenient with BDM", "can exceed 1, as spurious marks leave out partial matches"),
)
ORDINAL = (
    LibraryVariant(
        f"{KRIPPENDORFF}, {IRR}, {DKPRO}",
        "Krippendorff's distance under this name: .8154 for alpha on his example with missing ratings",
    ),
    LibraryVariant(
        f"{IRRCAC}, ordinal", "Gwet's weights under this name: .8336 for alpha on the same ratings"
    ),
)
BY_VALUE = (
    LibraryVariant(
        f"{IRR}, {SKLEARN}",
        "weight by the rank of the levels that occur: .2520 where values give .2298, a level being unused",
    ),
)
EMPTY_SETS = (
    LibraryVariant(NLTK, "ZeroDivisionError for two empty sets"),
    LibraryVariant(f"{DKPRO}, SetAnnotationDistanceFunction", "0, 1/3, 2/3 or 1, not Jaccard's distance"),
)
MASI = (
    LibraryVariant(
        DKPRO,
        "(1 - |A ∩ B| / |A ∪ B|) f, f = 0, 1/3, 2/3, 1: .167 for {A} and {A, B}, where MASI is .667; alpha "
        ".252 on its own example instead of .273",
    ),
    LibraryVariant("NLTK before 3.10", ".67 and .33 in place of 2/3 and 1/3"),
    LibraryVariant(NLTK, "the same, and ZeroDivisionError for two empty sets"),
)
DICE = (LibraryVariant(DKPRO, "two empty sets agree in nothing; here they are equal"),)
