"""What a report is about, in one line below its title: the subject of its layers, and why it is this one."""

from reportgen.results import LayerSubject, Results, SubjectFigure, SubjectId
from reportgen.words import numbers
from reportgen.words.headline import quoted
from reportgen.words.language import N_, _, listed, say
from reportgen.words.names import translated

ABOUT: dict[SubjectId, str] = {
    "annotators": N_("what one annotator's labels are worth"),
    "crowd": N_("what the labels of a crowd are worth together"),
    "systems": N_("how closely labels match the reference"),
    "judge": N_("whether a model's labels may be used"),
    "recordings": N_("how alike annotators segment and label recordings"),
    "stability": N_("whether people label the same way again"),
}


# What a campaign is about, in the list of all.
SUBJECTS: dict[SubjectId, str] = {
    "annotators": N_("Annotators with each other"),
    "crowd": N_("Votes of a crowd"),
    "systems": N_("Systems against a reference"),
    "judge": N_("A model beside a person"),
    "recordings": N_("Annotators of recordings"),
    "stability": N_("The same people again"),
}


def subject_line(results: Results, only: str = "") -> str:
    """Return what a report is about, or its layer `only`, and why; layers of one subject together.

    Empty where all is about annotators, as readers expect.
    """
    shown = {results.subjects[layer].subject for layer in results.layers if layer in results.subjects}
    if shown <= {"annotators"}:
        return ""
    groups: dict[str, list[str]] = {}
    for layer in results.layers:
        if layer in results.subjects and only in {"", layer}:
            groups.setdefault(_sentences(results.subjects[layer]), []).append(layer)
    if len(groups) <= 1:
        return say("This report asks {subject}", subject=next(iter(groups))) if groups else ""
    return " ".join(
        say("On {layers} this report asks {subject}", layers=listed(quoted(layers)), subject=said)
        for said, layers in groups.items()
    )


def _sentences(subject: LayerSubject) -> str:
    return say(
        "{about}. {reason}",
        about=_(ABOUT[subject.subject]),
        reason=numbers.message(subject.reason, subject.values),
    )


# The figure that the verdict is about: its name, and its name on a badge.

OF: dict[SubjectId, str] = {
    "crowd": N_("{name} of two majorities of {labels} labels each"),
    "systems": N_("{name} of {who} against {against}"),
    "judge": N_("{name} of {who} with {against}"),
    "stability": N_("{name} of the two passes of {who}"),
}
BADGES: dict[SubjectId, str] = {
    "crowd": N_("majority {symbol}"),
    "systems": N_("{who} {symbol}"),
    "judge": N_("{who} {symbol}"),
    "stability": N_("same again {symbol}"),
}
MEAN_OF_LABELS = N_("reliability of a unit's labels together")
# So much of a name is on a badge.
MOST_OF_NAME = 30


def answer_name(subject: SubjectId, answer: SubjectFigure) -> str:
    """Return what the figure that a verdict is about is, and of whom."""
    name = translated(answer.name)
    if subject == "crowd" and answer.labels is None:
        return _(MEAN_OF_LABELS)
    if subject not in OF:
        return name
    return say(
        OF[subject],
        name=name,
        who=answer.who or "",
        against=answer.against or "",
        labels="" if answer.labels is None else numbers.count(answer.labels),
    )


def shown_symbol(answer: SubjectFigure) -> str:
    """Return the symbol of the figure, with a subscript where it has one."""
    return answer.symbol.replace("_U", "ᵤ")


def badge_label(subject: SubjectId, answer: SubjectFigure) -> str:
    """Return what a badge calls the figure that a verdict is about, in few words."""
    who = answer.who or ""
    short = who if len(who) <= MOST_OF_NAME else f"{who[: MOST_OF_NAME - 1]}…"
    return say(BADGES.get(subject, N_("agreement {symbol}")), who=short, symbol=shown_symbol(answer))
