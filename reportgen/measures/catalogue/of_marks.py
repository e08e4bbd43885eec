"""Measures of marks in texts that are compared as spans."""

from functools import partial

from reportgen.measures import measure
from reportgen.measures.catalogue import other_software
from reportgen.measures.measure import Measure, variant

OF_SPANS = (
    "One of the two is the key, and a mark is compared with one of the other at most; a partial match counts "
    "nothing (strict), as a match (lenient), or half of one (average)."
)

_of_spans = partial(Measure, kind="share", missing="documents that both saw")

SPANS: tuple[Measure, ...] = (
    _of_spans(
        id="precision",
        name="Precision",
        symbol="P",
        formula="P = (correct + w partial) / (correct + partial + spurious), w = 0, 1 or 1/2",
        chance="none",
        assumptions=OF_SPANS,
        answers="What share of the response's marks are those of the key?",
        sentence="Precision is the share of the response's marks that the key has.",
        latex=r"P = \frac{\text{correct} + w \, \text{partial}}{\text{correct} + \text{partial} + "
        r"\text{spurious}}",
        use="Take it where one of the two is a reference, a system or the earlier version, so that being "
        "right has a meaning.",
        avoid="Not between two equal annotators, where it depends on who is called the key; take F.",
        elsewhere=other_software.RETRIEVAL,
        works=(measure.CHINCHOR, measure.RIJSBERGEN),
    ),
    _of_spans(
        id="recall",
        name="Recall",
        symbol="R",
        formula="R = (correct + w partial) / (correct + partial + missing), w = 0, 1 or 1/2",
        chance="none",
        assumptions=OF_SPANS,
        answers="What share of the key's marks did the response find?",
        sentence="Recall is the share of the key's marks that the response has.",
        latex=r"R = \frac{\text{correct} + w \, \text{partial}}{\text{correct} + \text{partial} + "
        r"\text{missing}}",
        use="Take it where one of the two is a reference and what matters is what was overlooked.",
        avoid="Not between two equal annotators, where it depends on who is called the key; take F.",
        elsewhere=other_software.RETRIEVAL,
        works=(measure.CHINCHOR, measure.RIJSBERGEN),
    ),
    _of_spans(
        id="f_measure",
        name="F-measure",
        symbol="F",
        formula="F = (1 + β²) P R / (β² P + R)",
        chance="none: it needs no number of units that nobody marked, and says nothing of chance",
        assumptions=OF_SPANS
        + " With β = 1 it is the same whichever is the key. With a distance in brackets, "
        "pairs of different types earn 1 less their distance.",
        answers="How much of what either marked did both mark?",
        sentence="The F-measure is the harmonic mean of precision and recall; strict, it is specific "
        "agreement on spans.",
        latex=r"F = \frac{(1 + \beta^2) P R}{\beta^2 P + R}",
        use="Take it where annotators choose what to mark, so that nobody knows how many units were left "
        "unmarked; it can be compared with the scores of systems.",
        avoid="Not where the units are given and every one has a label: then chance can be corrected for. "
        "Do not mix strict and lenient figures.",
        elsewhere=other_software.F_MEASURE,
        works=(measure.RIJSBERGEN, measure.CHINCHOR, measure.HRIPCSAK_2005, measure.MAYNARD),
    ),
    _of_spans(
        id="error_rate",
        name="Error rate",
        symbol="E",
        formula="E = 1 - P",
        chance="none",
        assumptions=OF_SPANS,
        answers="What share of the response's marks are not those of the key?",
        sentence="The error rate is 1 less precision.",
        latex=r"E = 1 - P",
        use="Take it where the marks are to be used as they are and wrong ones cost.",
        avoid="Not alone: who marks nothing doubtful has a low one and finds little.",
        works=(measure.CHINCHOR,),
    ),
    _of_spans(
        id="false_positives",
        name="False positives",
        symbol="FP",
        formula="FP = 1000 spurious / tokens",
        chance="none",
        assumptions="Tokens are what whitespace separates; unlike precision it does not depend on how much "
        "there is to find.",
        answers="How many marks that the key lacks has the response for each 1,000 tokens?",
        sentence="False positives are the response's marks without a partner, for each 1,000 tokens.",
        latex=r"\mathrm{FP} = \frac{1000 \times \text{spurious}}{\text{tokens}}",
        use="Take it to say how much wrong marking a reader of the corpus meets.",
        avoid="Not to compare texts that are tokenised differently, nor alone.",
        works=(measure.CHINCHOR,),
        kind="index",
    ),
)


# Measures of how annotators cut a text into units.
#
# Nothing is counted but text: how much of it is marked, where, and as what.

CONTINUUM = (
    "Texts are continua of characters, recordings of milliseconds. A stretch that one annotator marked with "
    "one type is a unit, a discontinuous mark several; stretches of one annotator and type that overlap are "
    "one."
)
JOINED = (
    CONTINUUM + " Where one annotator's units of different types overlap, the text between has them all as "
    "its value. Gaps between units are a value too."
)
ALIGNED = (
    "Units are aligned, each with one of every other annotator at most, so that the disorder of the whole is "
    "the least; a unit without partner costs delta-empty, others by the distance of their ends and by their "
    "types. Overlapping units of one annotator are allowed."
)
DOCUMENTS = "documents that at least two annotators saw; in each, the annotators who saw it"
DKPRO = "DKPro Statistics 2.3.2"
QUALLMER = "R quallmer"
PYGAMMA = "pygamma-agreement 0.5.9"
OF_DKPRO = (
    variant(
        DKPRO,
        "0 where observed and expected disagreement are both zero; one continuum, all of whose "
        "annotators saw it",
    ),
    variant(
        "Krippendorff (1995)",
        "prints an expected disagreement that is believed to have a wrong sign; "
        "the second edition of 2004 is followed here, and in DKPro",
    ),
)
OF_QUALLMER = (
    variant(
        QUALLMER,
        "the same formulas for one continuum and non-overlapping units; 1 where observed and "
        "expected disagreement are both zero",
    ),
)
OF_PYGAMMA = (
    variant(
        PYGAMMA,
        "is what computes it here: each document by itself; drawn again in each run unless the "
        "seed is set, which moves the third decimal",
    ),
)

_of_unitizing = partial(Measure, kind="unitizing", annotators="any number")

UNITIZING: tuple[Measure, ...] = (
    _of_unitizing(
        id="alpha_u",
        name="Krippendorff's alpha for unitizing",
        symbol="α_U",
        formula="α_U = 1 - Σ_c D_o(c) / Σ_c D_e(c); D_o sums the squared distances between the ends of units "
        "that share text, and the squared lengths of units that lie in a gap of the other",
        latex=r"{}_U\alpha = 1 - \frac{\sum_c D_{oc}}{\sum_c D_{ec}}",
        chance="units and gaps of the lengths that were found, laid anywhere on each other",
        assumptions=CONTINUUM + " Each type is compared by itself.",
        answers="Do annotators mark the same stretches of text, type by type?",
        sentence="Krippendorff's alpha for unitizing compares lengths and places of units with what the same "
        "units and gaps laid at random would give.",
        use="Take it where the question is whether units begin and end at the same places, and where missing "
        "a long one should weigh more than a short one.",
        avoid="Not for one figure of where and what together, and not for units that may overlap within a "
        "type; long units dominate it, as lengths are squared.",
        elsewhere=OF_DKPRO,
        works=(measure.KRIPPENDORFF, measure.KRIPPENDORFF_1995),
        missing=DOCUMENTS,
    ),
    _of_unitizing(
        id="u_alpha",
        name="u-alpha",
        symbol="uα",
        formula="uα = 1 - Σ_{c≠k} l_ck / Σ_{c≠k} e_ck, l_ck being the length of text that one annotator "
        "valued c and another k",
        latex=r"{}_u\alpha = 1 - \frac{\sum_{c \neq k} \ell_{ck}}{\sum_{c \neq k} \varepsilon_{ck}}",
        chance="text of the lengths that each value has, paired at random, but no unit with itself",
        assumptions=JOINED,
        answers="How much of the text do annotators see alike, both where something is and what it is?",
        sentence="u-alpha corrects for chance the length of text that annotators value alike, gaps too.",
        use="Take it for where and what in one figure, with any number of annotators.",
        avoid="Where little is marked most of the text is gap, and the figure is mostly about that; look at "
        "cu-alpha and at F beside it.",
        elsewhere=OF_QUALLMER,
        works=(measure.KRIPPENDORFF_2016, measure.KRIPPENDORFF_2019),
        missing=DOCUMENTS,
    ),
    _of_unitizing(
        id="u_alpha_binary",
        name="u-alpha, marked or not",
        symbol="|uα",
        formula="|uα: uα of two values, gap and unit",
        latex=r"{}_{|u}\alpha = 1 - \frac{\ell_{\phi\bar\phi} + \ell_{\bar\phi\phi}}"
        r"{\varepsilon_{\phi\bar\phi} + \varepsilon_{\bar\phi\phi}}",
        chance="text paired at random, but no unit with itself",
        assumptions=JOINED + " All types count as one.",
        answers="Do annotators agree where there is something, whatever it is?",
        sentence="The binary u-alpha is u-alpha with all types as one.",
        use="Take it beside u-alpha: the difference is what types add.",
        avoid="It says nothing of types, nor of how marked text is cut into units.",
        elsewhere=OF_QUALLMER,
        works=(measure.KRIPPENDORFF_2016, measure.KRIPPENDORFF_2019),
        missing=DOCUMENTS,
    ),
    _of_unitizing(
        id="cu_alpha",
        name="cu-alpha",
        symbol="cuα",
        formula="cuα: uα over the text that two annotators marked; what one alone marked is no part of it",
        latex=r"{}_{cu}\alpha = 1 - \frac{\sum_{c \neq k} \ell^*_{ck}}{\sum_{c \neq k} \varepsilon^*_{ck}}",
        chance="jointly marked text paired at random, but no unit with itself",
        assumptions=JOINED + " Text that one annotator alone marked is left out.",
        answers="Where annotators agree that there is something, do they agree what it is?",
        sentence="cu-alpha is u-alpha within the text that annotators marked jointly.",
        use="Take it to tell doubts about types from doubts about places.",
        avoid="It hides omissions: annotators who share one unit may reach 1.",
        elsewhere=OF_QUALLMER,
        works=(measure.KRIPPENDORFF_2016, measure.KRIPPENDORFF_2019),
        missing=DOCUMENTS + "; the text that two of them marked",
    ),
    _of_unitizing(
        id="ku_alpha",
        name="(k)u-alpha",
        symbol="(k)uα",
        formula="(k)uα = 1 - (e_.k / l_.k) (l_.k - l_kk) / (e_.k - e_kk), over the text that two annotators "
        "marked",
        latex=r"{}_{(k)u}\alpha = 1 - \frac{\varepsilon^*_{\cdot k}}{\ell^*_{\cdot k}} "
        r"\frac{\ell^*_{\cdot k} - \ell^*_{kk}}{\varepsilon^*_{\cdot k} - \varepsilon^*_{kk}}",
        chance="jointly marked text paired at random, but no unit with itself",
        assumptions=JOINED + " Text that one annotator alone marked is left out.",
        answers="How reliably is this type told from the others, where something is marked?",
        sentence="(k)u-alpha is the share of cu-alpha that belongs to one type.",
        use="Take it to find the type that is confused.",
        avoid="Rare types have wide intervals; it hides omissions, as cu-alpha does.",
        elsewhere=OF_QUALLMER,
        works=(measure.KRIPPENDORFF_2016, measure.KRIPPENDORFF_2019),
        missing=DOCUMENTS + "; the text that two of them marked",
    ),
    _of_unitizing(
        id="gamma",
        name="Gamma",
        symbol="γ",
        formula="γ = 1 - disorder of the best alignment / mean disorder of random continua; of documents the "
        "mean, weighted by their numbers of units",
        latex=r"\gamma = 1 - \frac{\delta(\hat{a})}{\overline{\delta(\hat{a}_{\text{random}})}}",
        chance="sampled continua with the annotators' numbers, lengths, gaps and types of units",
        assumptions=ALIGNED,
        answers="How much do annotators agree on units and types, whichever unit is whose?",
        sentence="Gamma compares the disorder of the best alignment of units with that of random continua.",
        use="Take it for units that overlap, nest or shift, where it must be found which belong together.",
        avoid="It is sampled, slow, and not the same to the last digit on every machine; it cannot be "
        "computed again from counts.",
        elsewhere=OF_PYGAMMA,
        works=(measure.MATHET_2015,),
        missing=DOCUMENTS + "; those without any mark are left out",
    ),
    _of_unitizing(
        id="gamma_cat",
        name="Gamma-cat",
        symbol="γ_cat",
        formula="γ_cat: γ of the types alone, over pairs of units in the best alignment, those closer in "
        "place weighing more",
        latex=r"\gamma_{\text{cat}} = 1 - \frac{\delta_{\text{cat}}}{\overline{\delta_{\text{cat}}}}",
        chance="the same sampled continua",
        assumptions=ALIGNED,
        answers="Of units that belong together, do annotators agree on the type?",
        sentence="Gamma-cat is the part of gamma that types decide.",
        use="Take it beside gamma to tell doubts about types from doubts about places.",
        avoid="With one type it says nothing.",
        elsewhere=OF_PYGAMMA,
        works=(measure.MATHET_2017,),
        missing=DOCUMENTS + "; those without any mark are left out",
    ),
    _of_unitizing(
        id="gamma_k",
        name="Gamma-k",
        symbol="γ_k",
        formula="γ_k: γ_cat over pairs of units of which one has type k",
        latex=r"\gamma_k = 1 - \frac{\delta_k}{\overline{\delta_k}}",
        chance="the same sampled continua",
        assumptions=ALIGNED,
        answers="How reliably is this type given to units that belong together?",
        sentence="Gamma-k is gamma-cat of one type.",
        use="Take it to find the type that is confused.",
        avoid="Rare types have few units a document, and its chance is sampled.",
        elsewhere=OF_PYGAMMA,
        works=(measure.MATHET_2017,),
        missing="documents in which somebody used the type",
    ),
)
