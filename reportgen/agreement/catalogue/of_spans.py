"""Measures of marks in texts that are compared as spans."""

from reportgen.agreement.catalogue.works import CHINCHOR, HRIPCSAK_2005, RIJSBERGEN
from reportgen.agreement.measure import Measure

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
        assumptions=OF_SPANS + " With β = 1 it is the same whoever is the key.",
        answers="How much of what either marked did both mark?",
        sentence="The F-measure is the harmonic mean of precision and recall; strict, it is specific "
        "agreement on spans.",
        works=(RIJSBERGEN, CHINCHOR, HRIPCSAK_2005),
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
        works=(CHINCHOR,),
        kind="index",
        missing="documents that both saw",
    ),
)
