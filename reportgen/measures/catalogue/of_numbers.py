"""Measures of ratings that are numbers or ranks, from the units that all annotators rated."""

from reportgen.measures import numbers
from reportgen.measures.measure import Measure, variant, work

SCALES = ("ordinal", "interval", "ratio")
COMPLETE = "units that all annotators rated"
ANY_NUMBER = "any number"
MCGRAW = work("McGraw and Wong (1996), Psychological Methods 1(1), 30-46", "10.1037/1082-989X.1.1.30")
SHROUT = work("Shrout and Fleiss (1979), Psychological Bulletin 86(2), 420-428", "10.1037/0033-2909.86.2.420")

MEASURES: tuple[Measure, ...] = (
    Measure(
        id="icc_a1",
        name="Intraclass correlation, agreement",
        symbol="ICC(A,1)",
        formula="ICC(A,1) = (MS_units - MS_error) / "
        "(MS_units + (k - 1) MS_error + k (MS_annotators - MS_error) / n)",
        latex=r"\mathrm{ICC}(A,1) = \frac{MS_R - MS_E}{MS_R + (k - 1) MS_E + \frac{k}{n} (MS_C - MS_E)}",
        chance="none: the share of the variance of ratings that lies between units",
        assumptions="Categories are numbers, or ranks at equal steps; every annotator rated the unit. "
        "An annotator who is always higher counts as disagreeing.",
        answers="How much of the variance of single ratings is that of the units?",
        sentence="ICC(A,1) is the share of the variance of single ratings that lies between units, the "
        "annotators' different levels counting as disagreement.",
        use="Take it for ratings on an interval or ratio scale where the number itself is used, so that "
        "annotators must mean the same by it.",
        avoid="Not for units that hardly differ, where it is low whatever the annotators do, nor to compare "
        "samples of unlike variety; not where ratings are missing: only complete units count.",
        elsewhere=(
            variant("R irr 0.84.1, icc", 'model = "twoway", type = "agreement", unit = "single"'),
            variant("Shrout and Fleiss; R psych, ICC", "ICC(2,1), ICC2"),
            variant(
                "intervals elsewhere",
                "from the F distribution of independent units, as here where no document is known; otherwise "
                "they are clustered by document",
            ),
        ),
        works=(MCGRAW, SHROUT),
        annotators=ANY_NUMBER,
        missing=COMPLETE,
        scales=SCALES,
        for_pair=numbers.icc_a1_of,
        for_all=numbers.icc_a1_of,
    ),
    Measure(
        id="icc_c1",
        name="Intraclass correlation, consistency",
        symbol="ICC(C,1)",
        formula="ICC(C,1) = (MS_units - MS_error) / (MS_units + (k - 1) MS_error)",
        latex=r"\mathrm{ICC}(C,1) = \frac{MS_R - MS_E}{MS_R + (k - 1) MS_E}",
        chance="none: the share of the variance of ratings that lies between units",
        assumptions="Categories are numbers, or ranks at equal steps; every annotator rated the unit. "
        "An annotator who is always higher by the same amount agrees.",
        answers="How far do annotators differ only by a constant?",
        sentence="ICC(C,1) leaves out of the variance what an annotator adds to all ratings.",
        use="Take it where ratings are used to compare units that the same annotators rated, so that a "
        "stricter annotator does no harm.",
        avoid="Not for a corpus whose units different annotators rate: there ICC(A,1) is the question.",
        elsewhere=(
            variant("R irr 0.84.1, icc", 'model = "twoway", type = "consistency", unit = "single"'),
            variant("Shrout and Fleiss; R psych, ICC", "ICC(3,1), ICC3"),
        ),
        works=(MCGRAW, SHROUT),
        annotators=ANY_NUMBER,
        missing=COMPLETE,
        scales=SCALES,
        for_pair=numbers.icc_c1_of,
        for_all=numbers.icc_c1_of,
    ),
    Measure(
        id="kendall_w",
        name="Kendall's W",
        symbol="W",
        formula="W = 12 S / (k² (n³ - n) - k ΣT), S = Σ (R_i - mean R)², T = Σ (t³ - t) over ties",
        latex=r"W = \frac{12 \sum_{i} (R_i - \bar{R})^2}{k^2 (n^3 - n) - k \sum_{j} \sum_{t} (t^3 - t)}",
        chance="none: 1/k is what annotators without anything in common have on average",
        assumptions="Categories have an order; every annotator rated the unit. Ties get their mean rank and "
        "are corrected for.",
        answers="How alike do annotators order the units?",
        sentence="Kendall's W is the variance of the units' rank sums beside its largest possible value, "
        "corrected for ties.",
        use="Take it where only the order of the units matters, and annotators use the scale each in their "
        "own way.",
        avoid="Not as agreement on the labels: annotators who never give the same label may order the units "
        "alike. It is not 0 by chance, and with few categories most of it rests on ties.",
        elsewhere=(
            variant("R irr 0.84.1, kendall", "without correct = TRUE leaves out the correction for ties"),
        ),
        works=(
            work(
                "Kendall and Babington Smith (1939), Annals of Mathematical Statistics 10(3), 275-287",
                "10.1214/aoms/1177732186",
            ),
        ),
        annotators=ANY_NUMBER,
        missing=COMPLETE,
        scales=SCALES,
        for_pair=numbers.w_of,
        for_all=numbers.w_of,
    ),
)
