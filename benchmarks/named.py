"""Whom the tests behind findings name in the campaigns of `accusations`: more of each, and without reports.

`python -m benchmarks named [--replications N]` prints a table of docs/uncertainty.md.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np

from benchmarks.accusations import APART, BETTER, CAUSE, COPY, DESIGNS, DRIFT, PER_DOCUMENT, Design, labels_of
from reportgen.counts import count
from reportgen.findings.annotators import LEAST_FOR_MORE, _drifting, _is_more, _one_way, _standing_out
from reportgen.measures import differences_of_labels, disagreements
from reportgen.measures.annotators.annotator_vs_rest import copies, drifts, standings, without_nearest
from reportgen.readers import Codes
from reportgen.results.annotators import AnnotatorVsRest
from reportgen.units import CodedUnits
from reportgen.units.labels import Mask

SEED = 77
REPLICATIONS = 100


def coded(labels: Codes, given: Mask) -> CodedUnits:
    """Return labels (units, annotators), those that are given, as units of documents."""
    unit, annotator = np.nonzero(given)
    return CodedUnits(
        layer="main",
        documents=tuple(f"d{place}" for place in range(len(labels) // PER_DOCUMENT)),
        annotators=tuple(f"A0{who + 1}" for who in range(labels.shape[1])),
        categories=tuple("XYZ"),
        document=np.arange(len(labels)) // PER_DOCUMENT,
        weight=np.ones(len(labels), dtype=np.int64),
        unit=unit,
        annotator=annotator,
        label=labels[unit, annotator],
    )


def _people(units: CodedUnits) -> list[AnnotatorVsRest]:
    ratings = units.pairable
    found: list[AnnotatorVsRest] = []
    for who, (own, drift) in enumerate(zip(standings(ratings), drifts(ratings), strict=True)):
        left = without_nearest(units, who, drifting=drift is not None)
        found.append(own.model_copy(update={"drift": drift, "without_nearest": left}))
    return found


def named(units: CodedUnits) -> Mapping[str, set[str]]:
    """Return whom each test names; beside copies nobody else is."""
    found = {COPY: {name for pair in copies(units) for name in (pair.first, pair.second)}}
    if found[COPY]:
        return found
    people = _people(units)
    apart = {own.annotator for _, own in _standing_out(people, less=True)}
    more = [own for _, own in _standing_out(people, less=False) if _is_more(own)]
    together = disagreements([differences_of_labels(units, count(units).pairs)], 1)
    causes = together.causes if together else ()
    return found | {
        DRIFT: {name for _, _, name, _ in _one_way(_drifting(people))},
        CAUSE: {name for own in causes for name in own.annotators or ()},
        APART: apart,
        BETTER: {own.annotator for own in more} if not apart and len(people) >= LEAST_FOR_MORE else set(),
    }


def _judged(design: Design, number: int) -> Iterator[tuple[str, bool]]:
    """Yield which tests name somebody falsely, and which name whom they should."""
    random = np.random.default_rng([SEED, DESIGNS.index(design), number])
    last = f"A0{len(design.skills)}"
    for test, who in named(coded(*labels_of(design, design.skills, design.mix, random))).items():
        due = design.due.get(test, frozenset())
        if not who <= {*due, *((last,) if test in design.also else ())}:
            yield test, False
        elif due and due <= who:
            yield test, True


def run(replications: int) -> Iterator[str]:
    """Yield a line for each kind of campaign: how often tests name somebody falsely, and rightly.

    Those whose last annotator is named by other findings, for exchanged labels, say, are left out.
    """

    def shown(tests: list[str]) -> str:
        times = sorted(Counter(tests).items())
        return ", ".join(f"{test} {many / replications:.0%}" for test, many in times) or "–"

    yield from ("| campaign | named falsely | named rightly |", "|---|---|---|")
    for design in DESIGNS:
        if not design.later and not {"swapped-labels", "one-label", "bias"} & design.due.keys():
            told = [each for number in range(replications) for each in _judged(design, number)]
            false, right = ([test for test, is_right in told if is_right is way] for way in (False, True))
            yield f"| {design.title} | {shown(false)} | {shown(right)} |"
