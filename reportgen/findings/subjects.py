"""What is a campaign about: whose labels, or which, does its verdict judge? Found layer by layer.

A subject is declared in campaign.toml, or follows from roles, from who labelled which units, and from how the
export was read. It decides what a report says first, and which rules look at its figures.
"""

from collections.abc import Mapping
from enum import StrEnum

from reportgen.findings import (
    annotator_pairs,
    annotators,
    confusions,
    marks,
    of_crowds,
    of_judges,
    of_recordings,
    of_stability,
    protocol,
    systems,
    units,
    verdicts,
)
from reportgen.findings.layer_facts import LayerFacts, SubjectRules
from reportgen.results import Results
from reportgen.results.model import LayerSubject, SubjectId

# A crowd has at least so many annotators, and so many for each label of a unit; units have so many labels.
LEAST_PEOPLE, LEAST_TIMES, LEAST_LABELS = 10, 3, 3


class SubjectReason(StrEnum):
    """Why a layer has its subject: a closed list, translated when a page is rendered."""

    DECLARED = "campaign.toml declares it."
    SEVERAL = "Several annotators labelled the same units."
    NO_OTHER = "No unit has labels of two people, and nobody is compared with a reference."
    CROWD = "{annotators} annotators gave {labels} labels, about {per_unit} for each unit."
    SYSTEMS = "Systems are compared with a reference, and no unit has labels of two annotators."
    SYSTEM = "A system is compared with a reference, and no unit has labels of two annotators."
    PERSON = "Labels are compared with a reference, and no unit has labels of two annotators."
    MODEL = "One person and one model labelled the same texts."
    MODEL_AND_REFERENCE = "A model is compared with a reference, and no unit has labels of two annotators."
    RECORDINGS = "Annotators marked stretches of recordings."
    STABILITY = "People labelled units twice, and no unit has labels of two people."


def subject_of(results: Results, layer: str, declared: SubjectId | None) -> LayerSubject:
    """Return what a layer's verdict is about, and why; a declared subject counts."""
    found, reason = _found(results, layer) if declared is None else (declared, SubjectReason.DECLARED)
    values = _crowd(results, layer) if reason is SubjectReason.CROWD else {}
    return LayerSubject(
        subject=found,
        declared=declared is not None,
        reason=reason,
        values=values or {},
        answer=SUBJECTS[found].answer(LayerFacts(results, layer)),
    )


def _found(results: Results, layer: str) -> tuple[SubjectId, SubjectReason]:
    """Return the subject that the design of a layer calls for."""
    if not results.primary_of(layer).units_compared and not _marks_compared(results, layer):
        return _of_one_annotator(results, layer)
    if results.recorded:
        return "recordings", SubjectReason.RECORDINGS
    if _crowd(results, layer):
        return "crowd", SubjectReason.CROWD
    return "annotators", SubjectReason.SEVERAL


def _of_one_annotator(results: Results, layer: str) -> tuple[SubjectId, SubjectReason]:
    """Return the subject of a layer none of whose units has labels of two annotators."""
    everybody = results.comparisons.pairs if results.comparisons else ()
    pairs = [pair for pair in everybody if pair.layer == layer]
    compared = [pair for pair in pairs if pair.key_role == "reference"]
    systems = {pair.other for pair in compared if pair.role == "system"}
    if systems:
        return "systems", SubjectReason.SYSTEMS if len(systems) > 1 else SubjectReason.SYSTEM
    if any(pair.role == "model" for pair in pairs):
        return "judge", SubjectReason.MODEL_AND_REFERENCE if compared else SubjectReason.MODEL
    if compared:
        return "systems", SubjectReason.PERSON
    if any(quality.intra_annotator for quality in results.quality or () if quality.layer == layer):
        return "stability", SubjectReason.STABILITY
    return "annotators", SubjectReason.NO_OTHER


def _marks_compared(results: Results, layer: str) -> bool:
    """Tell whether two annotators marked the same texts."""
    pairs = results.spans.pairs if results.spans else ()
    return any(pair.layer == layer and set(pair.roles) == {"annotator"} for pair in pairs)


def _crowd(results: Results, layer: str) -> Mapping[str, int] | None:
    """Return how many people labelled how much in a layer where a crowd did; None where none did."""
    unit_set = results.primary_of(layer)
    counted = [(int(number), units) for number, units in unit_set.units_by_annotators.items()]
    labels = sum(number * units for number, units in counted)
    units = sum(units for number, units in counted if number)
    people = len(unit_set.annotators)
    if unit_set.base != "units" or people < LEAST_PEOPLE or labels < LEAST_LABELS * units:
        return None
    if people * units < LEAST_TIMES * labels:
        return None
    return {"annotators": people, "labels": labels, "per_unit": round(labels / units)}


# What is said first, and looked at, of each subject.

OF_ANNOTATORS = SubjectRules((verdicts.verdict,))
SUBJECTS: Mapping[SubjectId, SubjectRules] = {
    "annotators": OF_ANNOTATORS,
    "crowd": SubjectRules(
        (of_crowds.verdict, of_crowds.caveat, of_crowds.cause),
        (of_crowds.more_labels,),
        frozenset((verdicts.straddles, verdicts.wide, annotators.unreliable_aggregate)),
        of_crowds.answer,
    ),
    "systems": SubjectRules(
        (systems.verdict, systems.caveat, systems.use),
        (systems.errors, systems.worst_documents, systems.weak_category),
        frozenset((protocol.independence, units.unjustified, units.circular)),
        systems.answer,
    ),
    "judge": SubjectRules(
        (of_judges.verdict, of_judges.caveat, of_judges.leans),
        (of_judges.errs, of_judges.shares),
        frozenset((protocol.independence, units.unjustified, units.circular)),
        of_judges.answer,
    ),
    "recordings": SubjectRules(
        (of_recordings.verdict, of_recordings.caveat, of_recordings.cause),
        (of_recordings.each,),
        # They compare what has the same ends to the millisecond.
        frozenset(
            (
                *(verdicts.straddles, verdicts.wide, confusions.weak, confusions.confused),
                *(marks.boundaries, marks.directions),
                *(units.circular, units.limit, units.length, units.unjustified, annotators.near_chance),
                annotator_pairs.identical,
            )
        ),
        of_recordings.answer,
    ),
    "stability": SubjectRules(
        (of_stability.verdict, of_stability.caveat, of_stability.cause),
        without=frozenset((protocol.independence, units.unjustified)),
        answer=of_stability.answer,
    ),
}
