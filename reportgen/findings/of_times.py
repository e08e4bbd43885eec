"""Whose labels took so little time that somebody should look at how they were made."""

from collections.abc import Iterator

from reportgen.findings.layer_facts import LEVEL, Facts, FindingTemplate
from reportgen.results import Finding

FAST = FindingTemplate("fast", "note", "times", people=("annotator",)).saying(
    "{annotator} took less than a third of the time of the others on {fast} of {compared} units: {seconds} "
    "seconds at the median (p = {p}, Holm).",
    "Check how {annotator} worked. It need not be carelessness: somebody may be quick, know the material, or "
    "have been timed otherwise.",
)
FAST_DOCUMENTS = FAST.saying(
    "{annotator} took less than a third of the time of the others on {fast} of {compared} documents: "
    "{seconds} seconds at the median (p = {p}, Holm).",
    FAST.advice,
)


def fast(facts: Facts) -> Iterator[Finding]:
    """Yield who took implausibly little time for most units that two others or more did too."""
    times = facts.results.times
    for layer in times.layers if times else ():
        for pace in layer.annotators if layer.layer == facts.layer else ():
            if pace.adjusted_p is not None and pace.adjusted_p < LEVEL:
                yield (FAST_DOCUMENTS if layer.by_document else FAST).finding(
                    annotator=pace.annotator,
                    fast=pace.fast,
                    compared=pace.compared,
                    seconds=pace.seconds.median,
                    p=pace.adjusted_p,
                )
