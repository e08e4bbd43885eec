"""Do people label the same way again? What a report on second passes opens with."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from reportgen.findings.layer_facts import (
    TENTATIVE,
    FindingTemplate,
    LayerFacts,
    Values,
    answer_of,
    ends,
    name_values,
)
from reportgen.findings.verdicts import ABSENT, level_of, unfit_for_thresholds
from reportgen.results import Figure, Finding, SubjectFigure
from reportgen.results.annotators import IntraAnnotatorAgreement
from reportgen.results.model import Level

VERDICT = FindingTemplate(
    "verdict", "warning", "quality", kind="verdict", of_data="limitation", subject="stability"
)
STABLE = VERDICT.saying(
    "People label the same way again: {coefficient} between their two passes is {value} at the lowest "
    "({low} to {high}, {annotator}).",
    severity="good",
)
FAIRLY = VERDICT.saying(
    "People label the same way again, but not always: {coefficient} between their two passes is {value} at "
    "the lowest ({low} to {high}, {annotator}).",
    severity="note",
)
OPEN = VERDICT.saying(
    "It is undecided whether people label the same way again: {coefficient} between their two passes is "
    "{value} at the lowest ({low} to {high}, {annotator}).",
)
UNSTABLE = VERDICT.saying(
    "Not everybody labels the same way again: {coefficient} between the two passes of {annotator} is {value} "
    "({low} to {high}).",
    severity="problem",
)
NO_INTERVAL = VERDICT.saying(
    "People's two passes do not show whether they label the same way again: {coefficient} is {value} for "
    "{annotator}, without an interval: {reason}."
)
UNDEFINED = VERDICT.saying("Nobody's two passes can be compared: {reason}.")
BY_LEVEL: dict[Level, FindingTemplate] = {
    "high": STABLE,
    "tentative": FAIRLY,
    "open": OPEN,
    "low": UNSTABLE,
    "below-chance": UNSTABLE,
}
RESTS = FindingTemplate("caveat", "note", "quality", kind="caveat")
ONE_PERSON = RESTS.saying("{annotators} labelled {units} units twice.")
BESIDE_OTHERS = RESTS.saying(
    "{annotators} labelled {units} units twice. Between people {coefficient} is {between}."
)
# Everybody agrees with themselves beyond the interval of what is hardly agreement with others.
OTHER_RULES = RESTS.saying(
    "{annotators} labelled {units} units twice. Between people, agreement is at chance ({between}): they may "
    "follow different rules."
)
PEOPLE_SHOWN = 6

# Who, or which label, is behind what changes between two passes.
CAUSE = FindingTemplate("wavering", "note", "quality", kind="cause", subject="stability")
ONE = CAUSE.saying(
    "{annotator} changes more than anybody else: {coefficient} of the others’ two passes is at least "
    "{least}.",
    "Ask {annotator} to review the {differing} units labelled differently the second time.",
)
LABEL = replace(
    CAUSE.saying(
        "{annotator} wavers most over “{category}”: of what was {category} in one pass, {again_share} was so "
        "in the other, and at least {least_share} of each other label.",
        "Agree with {annotator} on when to choose {category}.",
    ),
    categories=("category",),
)
LOWEST = ONE.saying(
    "{annotator} labelled {differing} of {twice} units differently the second time.", ONE.advice
)
# Of two labels one wavers as much as the other.
LEAST_PEOPLE, LEAST_LABELS = 2, 3


def passes(facts: LayerFacts) -> list[IntraAnnotatorAgreement]:
    """Return what each person of a layer said again, where a figure says how alike it was."""
    quality = (own for own in facts.results.quality or () if own.layer == facts.layer)
    people = (person for own in quality for person in own.intra_annotator)
    return [person for person in people if _figure(facts, person) is not None]


def _figure(facts: LayerFacts, person: IntraAnnotatorAgreement) -> Figure | None:
    """Return the primary coefficient of somebody's two passes, None where it has no value."""
    figure = person.measures.get(facts.measure)
    return figure if figure and figure.value is not None else None


def verdict(facts: LayerFacts) -> Iterator[Finding]:
    """Yield the lowest figure of somebody with themselves, compared with Krippendorff's thresholds."""
    figures = [(person.annotator, figure) for person in passes(facts) if (figure := _figure(facts, person))]
    if not figures:
        yield UNDEFINED.finding(reason=(facts.figure.undefined if facts.figure else None) or ABSENT)
        return
    # Whose interval reaches lowest decides; where somebody has none, nothing is shown of all.
    name, figure = min(figures, key=lambda person: (_lower(person[1]), person[1].value or 0.0, person[0]))
    values: Values = {"annotator": name, "coefficient": facts.coefficient, "value": figure.value}
    span = ends(figure)
    if span is None:
        reason = figure.interval.undefined if figure.interval else None
        yield NO_INTERVAL.finding(reason=reason or ABSENT, **values)
        return
    yield BY_LEVEL[level_of(*span)].finding(low=span[0], high=span[1], **values)


def answer(facts: LayerFacts) -> SubjectFigure | None:
    """Return the figure of whoever repeats themselves least, which the verdict names."""
    people = passes(facts)
    if not people:
        return None
    figures = [(own, person) for person in people if (own := _figure(facts, person))]
    figure, person = min(figures, key=lambda own: (_lower(own[0]), own[0].value or 0.0, own[1].annotator))
    return answer_of(facts, facts.measure, figure, who=person.annotator, units=person.units)


def _lower(figure: Figure) -> float:
    span = ends(figure)
    return span[0] if span else -2.0


def caveat(facts: LayerFacts) -> Iterator[Finding]:
    """Yield who labelled how much twice, and how people agree with each other where that is known."""
    people = passes(facts)
    if not people:
        return
    units = sum(person.units for person in people)
    names = name_values("annotators", [person.annotator for person in people], PEOPLE_SHOWN)
    between = facts.figure.value if facts.figure else None
    if between is None:
        yield ONE_PERSON.finding(units=units, **names)
    else:
        template = OTHER_RULES if _by_chance(facts, people) else BESIDE_OTHERS
        yield template.finding(units=units, coefficient=facts.coefficient, between=between, **names)


def _by_chance(facts: LayerFacts, people: Sequence[IntraAnnotatorAgreement]) -> bool:
    """Tell whether people who repeat themselves do not clearly agree with each other beyond chance."""
    between = ends(facts.figure)
    if between is None or between[0] > 0 or unfit_for_thresholds(facts) == "chance":
        return False
    own = [figure for person in people if (figure := _figure(facts, person))]
    return all(_lower(figure) > between[1] for figure in own)


def cause(facts: LayerFacts) -> Iterator[Finding]:
    """Yield who repeats themselves less than all others, or which label somebody wavers over most.

    Its interval is below those of all others. The label is that of whoever the verdict names, who is named
    without one where the verdict is grave.
    """
    people, found = {person.annotator: person for person in passes(facts)}, answer(facts)
    if len(facts.results.layers) > 1 or found is None or found.who is None or found.value.value == 1:
        return
    alone = _below({name: _figure(facts, person) for name, person in people.items()}, LEAST_PEOPLE)
    label = _below(people[found.who].by_category, LEAST_LABELS)
    if alone:
        values = [
            own.value for name, person in people.items() if name != alone if (own := _figure(facts, person))
        ]
        least = min(value for value in values if value is not None)
        many = _differing(people[alone])
        yield ONE.finding(annotator=alone, coefficient=facts.coefficient, least=least, differing=many)
    elif label:
        figures = people[found.who].by_category
        others = [own.value for name, own in figures.items() if name != label and own.value is not None]
        yield LABEL.finding(
            annotator=found.who,
            category=label,
            again_share=figures[label].value,
            least_share=min(others),
        )
    elif _lower(found.value) < TENTATIVE and (many := _differing(people[found.who])):
        yield LOWEST.finding(annotator=found.who, differing=many, twice=people[found.who].units)


def _differing(person: IntraAnnotatorAgreement) -> int:
    """Return how many units somebody labelled differently the second time."""
    observed = person.measures.get("observed_agreement")
    return round((1 - observed.value) * person.units) if observed and observed.value is not None else 0


def _below(figures: Mapping[str, Figure | None], fewest: int) -> str | None:
    """Return whose interval is below all others', where there are so many; None where nobody's is."""
    spans = {name: span for name, figure in figures.items() if (span := ends(figure))}
    if len(spans) < max(fewest, len(figures)):
        return None
    lowest = min(spans, key=lambda name: (spans[name][1], name))
    return lowest if all(spans[lowest][1] < spans[name][0] for name in spans if name != lowest) else None
