"""Whether labels are those that the campaign declares, and whether annotators contradict themselves."""

from collections import Counter
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from reportgen.findings.facts import Facts, Message
from reportgen.results import Finding

LABELS_SHOWN = 5
NOTHING = "{}"  # the empty choice

UNDECLARED = Message(
    "undeclared-label",
    "warning",
    "data",
    "{label} is no declared category and counts as one all the same (labels: {times}).",
    "Add it to categories in campaign.toml, or correct the export.",
)
MISSPELT = Message(
    "undeclared-label",
    "warning",
    "data",
    "{label} is no declared category and counts as one all the same (labels: {times}). Of those declared, "
    "{nearest} is most like it.",
    "Correct it in the export, or add it to categories in campaign.toml.",
)
MORE = Message(
    "undeclared-labels",
    "warning",
    "data",
    "Other labels that are no declared categories and count as such: {count} (labels: {times}).",
    "Add them to categories in campaign.toml, or correct the export.",
)
CONTRADICTING = Message(
    "contradicting-labels",
    "warning",
    "data",
    "Labels that contradict an earlier one of the same annotator on the same unit: {contradicting}. The "
    "first counts.",
    "Take the wrong ones out of the export, or say which column tells passes apart.",
)


def undeclared(facts: Facts) -> Iterator[Finding]:
    """Yield a warning for each label that the campaign does not declare, where it declares any."""
    found = _undeclared(facts)
    declared = {name.casefold(): name for name in facts.unit_set.categories_declared}
    for label, times in found[:LABELS_SHOWN]:
        if near := get_close_matches(label.casefold(), declared, n=1):
            yield MISSPELT.found(label=label, times=times, nearest=declared[near[0]])
        else:
            yield UNDECLARED.found(label=label, times=times)
    if rest := found[LABELS_SHOWN:]:
        yield MORE.found(count=len(rest), times=sum(times for _, times in rest))


def _undeclared(facts: Facts) -> list[tuple[str, int]]:
    """Return the labels that are not declared, with how often they were given, the commonest first."""
    unit_set = facts.unit_set
    known = {*unit_set.categories_declared, unit_set.non_annotated, NOTHING}
    if unit_set.sets:
        known |= {
            name for each in unit_set.categories_declared for name in unit_set.sets.members.get(each, ())
        }
    given = _given(facts) if unit_set.categories_declared else {}
    found = [(label, times) for label, times in given.items() if times and label not in known]
    return sorted(found, key=lambda each: (-each[1], each[0]))


def _given(facts: Facts) -> Mapping[str, int]:
    """Return how often each label was given; of sets, each member."""
    unit_set = facts.unit_set
    if unit_set.sets is None:
        layers = [each for each in facts.results.material if each.layer == unit_set.layer]
        return layers[0].labels if layers else unit_set.labels
    times: Counter[str] = Counter()
    for name, count in unit_set.labels.items():
        times.update(dict.fromkeys(unit_set.sets.members.get(name, ()), count))
    return times


def contradicting(facts: Facts) -> Iterator[Finding]:
    """Yield a warning where annotators gave a unit different labels in one pass."""
    if found := facts.unit_set.marks.contradicting:
        yield CONTRADICTING.found(contradicting=found)
