"""What a report is about, in one line below its title: the subject of its layers, and why it is this one."""

from reportgen.results import LayerSubject, Results, SubjectId
from reportgen.words import numbers
from reportgen.words.headline import quoted
from reportgen.words.language import N_, _, listed, say

ABOUT: dict[SubjectId, str] = {
    "annotators": N_("what one annotator's labels are worth"),
    "crowd": N_("what the labels of a crowd are worth together"),
    "systems": N_("how near labels come to the reference"),
    "judge": N_("whether a model's labels may be used"),
    "recordings": N_("how alike annotators cut recordings and label them"),
    "stability": N_("whether people label the same way again"),
}


def subject_line(results: Results, only: str = "") -> str:
    """Return what a report is about, or its layer `only`, and why; layers of one subject together."""
    groups: dict[str, list[str]] = {}
    for layer in results.layers:
        if layer in results.subjects and only in {"", layer}:
            groups.setdefault(_sentences(results.subjects[layer]), []).append(layer)
    if len(groups) <= 1:
        return say("Subject: {subject}", subject=next(iter(groups))) if groups else ""
    return " ".join(
        say("Subject of {layers}: {subject}", layers=listed(quoted(layers)), subject=said)
        for said, layers in groups.items()
    )


def _sentences(subject: LayerSubject) -> str:
    return say(
        "{about}. {reason}",
        about=_(ABOUT[subject.subject]),
        reason=numbers.message(subject.reason, subject.values),
    )
