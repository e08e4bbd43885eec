"""What a measure is: its definition in words, and the function that computes it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from reportgen.measures.estimate import Estimate, Undefined, no_estimate
from reportgen.measures.formulas import Formula
from reportgen.measures.unit_set_data import SCALES, UnitsOfAll, UnitsOfPair
from reportgen.results import Elsewhere, Work

# What `missing` says of measures that also count the units that one annotator alone rated (Gwet 2014).
ALL_RATED = "units with a rating; those with one alone count in chance agreement"


def work(citation: str, doi: str = "") -> Work:
    """Return a publication: how it is cited, and its DOI where it has one."""
    return Work(citation=citation, doi=doi)


def variant(library: str, returns: str) -> Elsewhere:
    """Return what another library has under a measure's name, where that differs or is worth knowing."""
    return Elsewhere(library=library, returns=returns)


@dataclass(frozen=True)
class Measure:
    """One entry of the catalogue.

    - `id` is the field's own term, `name` and `symbol` what a page shows, `formula` plain text, `latex` the
      same typeset, in the notation of Artstein and Poesio (2008).
    - `use` and `avoid`: when to take it, and when not; `elsewhere`: what other libraries return.
    - `chance`: the chance model in words; `assumptions`: what must hold; `answers`: its question.
    - `sentence`: what the methods paragraph says where the measure is used.
    - `kind`: "coefficient", "share", "index", "ceiling", "test", "table" or "unitizing".
    - `coefficient` is the function of sums that the figure is, with whatever distance; None where it is no
      such function (means over pairs, majorities, correlations, unitizing, models).
    - `for_pair` computes every figure of a pair under its full id ("weighted_kappa[expert]"), `for_all` those
      of all annotators together; None where the measure belongs to single categories or is a table. Of two
      annotators, `for_pair` tells, and `for_all` what it leaves open; where `missing` is ALL_RATED, `for_all`
      tells, as units that one alone rated count too.
    - `scales`: on which scales it is shown.
    """

    id: str
    name: str
    symbol: str
    formula: str
    chance: str
    assumptions: str
    answers: str
    sentence: str
    works: tuple[Work, ...]
    kind: str = "coefficient"
    annotators: str = "two"
    missing: str = "units that both rated"
    scales: tuple[str, ...] = SCALES
    latex: str = ""
    use: str = ""
    avoid: str = ""
    elsewhere: tuple[Elsewhere, ...] = ()
    coefficient: Formula | None = field(default=None, compare=False)
    for_pair: Callable[[UnitsOfPair], dict[str, Estimate]] | None = field(default=None, compare=False)
    for_all: Callable[[UnitsOfAll], dict[str, Estimate]] | None = field(default=None, compare=False)


def of_several_units(measure: Measure, figures: dict[str, Estimate]) -> dict[str, Estimate]:
    """Return a measure's figures, coefficients of one unit alone being undefined.

    Where chance is taken from the ratings, those of one unit are all that it is taken from: kappa and alpha
    are then 0 whatever is said, pi -1. No coefficient shows from one unit how annotators label others.
    """
    if measure.kind not in ("coefficient", "ceiling"):
        return figures
    return {name: undefined_of_one(estimate) for name, estimate in figures.items()}


def undefined_of_one(estimate: Estimate) -> Estimate:
    """Return a figure, undefined where it is of one unit alone."""
    alone = estimate.value is not None and estimate.units == 1
    return no_estimate(Undefined.ONE_UNIT, 1) if alone else estimate


def base_id(figure: str) -> str:
    """Return the measure's id of a figure: "weighted_kappa" of "weighted_kappa[expert]"."""
    return figure.partition("[")[0]


# Publications that several measures come from.

ARTSTEIN = work(
    "Artstein and Poesio (2008), Computational Linguistics 34(4), 555-596", "10.1162/coli.07-034-R2"
)
BYRT = work(
    "Byrt, Bishop and Carlin (1993), Journal of Clinical Epidemiology 46(5), 423-429",
    "10.1016/0895-4356(93)90018-V",
)
COHEN_1960 = work(
    "Cohen (1960), Educational and Psychological Measurement 20(1), 37-46", "10.1177/001316446002000104"
)
COHEN_1968 = work("Cohen (1968), Psychological Bulletin 70(4), 213-220", "10.1037/h0026256")
FORT = work("Fort, François and Ghribi (2010), TALN, hal-00484265")
HRIPCSAK_2002 = work(
    "Hripcsak and Heitjan (2002), Journal of Biomedical Informatics 35(2), 99-110",
    "10.1016/S1532-0464(02)00500-2",
)
HRIPCSAK_2005 = work(
    "Hripcsak and Rothschild (2005), Journal of the American Medical Informatics Association 12(3), 296-298",
    "10.1197/jamia.M1733",
)
RIJSBERGEN = work("van Rijsbergen (1979), Information Retrieval, second edition, chapter 7. Butterworths")
CHINCHOR = work("Chinchor (1992), MUC-4 evaluation metrics, MUC-4, 22-29", "10.3115/1072064.1072067")
IAMTC = work("Interlingual Annotation for Machine Translation (IAMTC), Evaluation, page of the project")
KRIPPENDORFF = work("Krippendorff (2004), Content Analysis, second edition, chapter 11. Sage")
KRIPPENDORFF_1995 = work("Krippendorff (1995), Sociological Methodology 25, 47-76", "10.2307/271061")
KRIPPENDORFF_2016 = work(
    "Krippendorff, Mathet, Bouvry and Widlöcher (2016), Quality & Quantity 50(6), 2347-2364",
    "10.1007/s11135-015-0266-1",
)
KRIPPENDORFF_2019 = work("Krippendorff (2019), Content Analysis, fourth edition, section 12.6. Sage")
MATHET_2015 = work(
    "Mathet, Widlöcher and Métivier (2015), Computational Linguistics 41(3), 437-479",
    "10.1162/COLI_a_00227",
)
MATHET_2017 = work("Mathet (2017), Computational Linguistics 43(3), 661-681", "10.1162/COLI_a_00296")
BRENNAN_PREDIGER = work(
    "Brennan and Prediger (1981), Educational and Psychological Measurement 41(3), 687-699",
    "10.1177/001316448104100307",
)
CONGER = work("Conger (1980), Psychological Bulletin 88(2), 322-328", "10.1037/0033-2909.88.2.322")
DAVIES_FLEISS = work("Davies and Fleiss (1982), Biometrics 38(4), 1047-1051")
FLEISS_1971 = work("Fleiss (1971), Psychological Bulletin 76(5), 378-382", "10.1037/h0031619")
FLEISS_1975 = work("Fleiss (1975), Biometrics 31(3), 651-659", "10.2307/2529549")
FLEISS_COHEN = work(
    "Fleiss and Cohen (1973), Educational and Psychological Measurement 33(3), 613-619",
    "10.1177/001316447303300309",
)
GWET_2008 = work(
    "Gwet (2008), British Journal of Mathematical and Statistical Psychology 61(1), 29-48",
    "10.1348/000711006X126600",
)
GWET_2014 = work("Gwet (2014), Handbook of Inter-Rater Reliability, fourth edition. Advanced Analytics")
HUBERT = work("Hubert (1977), Psychological Bulletin 84(2), 289-297", "10.1037/0033-2909.84.2.289")
LIGHT = work("Light (1971), Psychological Bulletin 76(5), 365-377", "10.1037/h0031643")
PASSONNEAU = work("Passonneau (2006), Measuring agreement on set-valued items (MASI), LREC, 831-836")
RANDOLPH = work("Randolph (2005), Free-marginal multirater kappa, Joensuu Learning and Instruction Symposium")
SIEGEL_CASTELLAN = work(
    "Siegel and Castellan (1988), Nonparametric Statistics for the Behavioral Sciences, second edition. "
    "McGraw-Hill"
)
MAYNARD = work(
    "Maynard, Peters and Li (2006), Metrics for evaluation of ontology-based information extraction, EON"
)
FINN = work(
    "Finn (1970), Educational and Psychological Measurement 30(1), 71-76", "10.1177/001316447003000106"
)
