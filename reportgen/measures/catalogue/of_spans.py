"""Measures of marks in texts that are compared as spans."""

from reportgen.measures.catalogue import other_software
from reportgen.measures.catalogue.works import CHINCHOR, HRIPCSAK_2005, MAYNARD, RIJSBERGEN
from reportgen.measures.measure import Measure

OF_SPANS = (
    "One of the two is the key, and a mark is compared with one of the other at most; a partial match counts "
    "nothing (strict), as a match (lenient), or half of one (average)."
)

MEASURES: tuple[Measure, ...] = (
    Measure(
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
        latex=r"R = \frac{\text{correct} + w \, \text{partial}}{\text{correct} + \text{partial} + "
        r"\text{missing}}",
        use="Take it where one of the two is a reference and what matters is what was overlooked.",
        avoid="Not between two equal annotators, where it depends on who is called the key; take F.",
        elsewhere=other_software.RETRIEVAL,
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
        assumptions=OF_SPANS + " With β = 1 it is the same whoever is the key. With a distance in brackets, "
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
        works=(RIJSBERGEN, CHINCHOR, HRIPCSAK_2005, MAYNARD),
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
        latex=r"E = 1 - P",
        use="Take it where the marks are to be used as they are and wrong ones cost.",
        avoid="Not alone: who marks nothing doubtful has a low one and finds little.",
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
        latex=r"\mathrm{FP} = \frac{1000 \times \text{spurious}}{\text{tokens}}",
        use="Take it to say how much wrong marking a reader of the corpus meets.",
        avoid="Not to compare texts that are tokenised differently, nor alone.",
        works=(CHINCHOR,),
        kind="index",
        missing="documents that both saw",
    ),
)
