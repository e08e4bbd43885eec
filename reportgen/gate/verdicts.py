"""Are the rules held? Each demand of each rule, in each layer that has its figure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from reportgen.agreement import LEVEL, NoDifference
from reportgen.gate.falls import Fall, FallTest, clusters_needed, falls, lowest
from reportgen.gate.found import SPECIFIC, Found, find
from reportgen.gate.moved import Moved, NotBefore, NotCompared, moved
from reportgen.gate.outcomes import Message, Outcome
from reportgen.gate.rules import SINCE, Rule
from reportgen.results import Results
from reportgen.results.revisions import Change, VersionComparison

NO_INTERVAL = "none is computed"
NO_TEST = "no test is known"
# What is recorded has twelve digits.
ROUNDING = 1e-9
# Where variation is all that is unknown, a figure that did not go down did not fall.
OF_VARIATION = frozenset({str(NoDifference.ONE_DOCUMENT), str(NoDifference.NO_VARIATION)})


@dataclass(frozen=True)
class Case:
    """One demand of a rule in one layer, and how its figure moved where the demand is about that."""

    rule: Rule
    found: Found
    demand: str
    moved: Moved | NotBefore | NotCompared | None = None

    @property
    def test(self) -> FallTest | None:
        """Return what a rule about falls rests on, None where there is no test."""
        if self.demand != "fall" or not isinstance(self.moved, Moved) or self.moved.change.test is None:
            return None
        test = self.moved.change.test
        return FallTest(test.statistic, test.degrees, self.rule.floor.at)


def hold(rules: Sequence[Rule], results: Results, comparison: VersionComparison | None) -> list[Outcome]:
    """Return what became of every rule; `comparison` with the version before, None where there is none.

    Holm's correction is over all rules of the campaign that have `fall` and a test.
    """
    cases = [case for rule in rules for case in _cases(rule, results, comparison)]
    answers = iter(falls([case.test for case in cases if case.test]))
    tested = sum(case.test is not None for case in cases)
    layers = len(results.coefficients)
    outcomes: list[Outcome] = []
    for case in cases:
        answer = next(answers) if case.test else None
        message, held, values = _answered(case, answer, tested)
        known = case.moved if isinstance(case.moved, Moved) else None
        earlier = {"earlier": comparison.first.guidelines} if comparison else {}
        about = {"figure": label(case, layers), "version": results.guidelines, **earlier, **_ground(known)}
        outcomes.append(
            Outcome(
                rule=case.rule,
                found=case.found,
                demand=case.demand,
                held=held,
                message=message,
                values={**about, **values},
                change=known.change if known else None,
                note=message in {Message.FIRST, Message.NOT_BEFORE},
            )
        )
    return outcomes


def label(case: Case, layers: int) -> str:
    """Return what messages call a figure: its id, and of what, of whom and where it is."""
    floor, found = case.rule.floor, case.found
    category = "" if floor.category is None else f" of {floor.category}"
    if case.rule.figure == SPECIFIC:
        category = f"[{floor.category}]"
    people = f" between {' and '.join(floor.annotators)}" if floor.annotators else ""
    places = [f"layer {found.layer}"] if layers > 1 else []
    places += [f"unit set {found.unit_set}"] if floor.unit_set else []
    return f"{case.rule.figure}{category}{people}" + (f" ({', '.join(places)})" if places else "")


def _ground(known: Moved | None) -> dict[str, str]:
    """Return on what a figure is compared, which is not all that the newest version's own figure is of."""
    if known is None:
        return {}
    what = "documents" if known.by_document else "units"
    shared = f"the {known.in_both:,} {what} that stand in both"
    return {"ground": shared if known.shared else f"all {what} of each"}


def _cases(rule: Rule, results: Results, comparison: VersionComparison | None) -> Iterator[Case]:
    for found in find(results, rule):
        if found.figure.value is None:
            yield Case(rule, found, "")
            continue
        for demand in rule.demands:
            since = comparison is not None and demand in SINCE
            yield Case(rule, found, demand, moved(comparison, rule, found) if since and comparison else None)


Answer = tuple[Message, bool, dict[str, Any]]


def _answered(case: Case, answer: Fall | None, tested: int) -> Answer:
    if not case.demand:
        return Message.UNDEFINED, False, {"reason": case.found.figure.undefined or NO_TEST}
    if case.demand == "value":
        return _value(case)
    if case.demand == "low":
        return _low(case)
    if isinstance(case.moved, Moved):
        return _fall(case.moved.change, answer, tested) if case.demand == "fall" else _margin(case)
    return _not_moved(case.moved)


def _value(case: Case) -> Answer:
    floor, value = case.rule.floor.value, case.found.figure.value
    held = floor is not None and value is not None and value >= floor
    return (Message.NOT_BELOW if held else Message.BELOW), held, {"floor": f"{floor:g}"}


def _low(case: Case) -> Answer:
    floor, interval = case.rule.floor.low, case.found.figure.interval
    if interval is None or interval.low is None:
        reason = (interval.undefined if interval else None) or NO_INTERVAL
        return Message.NO_INTERVAL, False, {"reason": reason}
    held = floor is not None and interval.low >= floor
    return (Message.ALL_ABOVE if held else Message.REACHES_BELOW), held, {"floor": f"{floor:g}"}


def _not_moved(why: NotBefore | NotCompared | None) -> Answer:
    """Return the answer where there is nothing to compare with, or no comparison."""
    if why is None:
        return Message.FIRST, True, {}
    if isinstance(why, NotBefore):
        return Message.NOT_BEFORE, True, {"reason": str(why)}
    return Message.NOT_COMPARED, False, {"reason": str(why)}


def _fall(change: Change, answer: Fall | None, tested: int) -> Answer:
    if change.difference is None or answer is None:
        if change.untested in OF_VARIATION and change.difference is not None and change.difference >= 0:
            return Message.DID_NOT_FALL, True, {}
        return Message.UNTESTED, False, {"reason": change.untested or NO_TEST}
    rules = f"{tested} rule{'s' if tested > 1 else ''}"
    values = {"p": answer.adjusted, "alone_p": answer.p, "rules": rules}
    if change.difference >= 0:
        return Message.DID_NOT_FALL, True, values
    return (Message.FELL if answer.significant else Message.FELL_BY_CHANCE), not answer.significant, values


def _margin(case: Case) -> Answer:
    floor, known = case.rule.floor, case.moved
    margin = floor.margin or 0.0
    if not isinstance(known, Moved):
        return _not_moved(known)
    change = known.change
    if change.test is None or change.standard_error is None or change.difference is None:
        if _unmoved(change):
            return Message.THE_SAME, True, {}
        return Message.UNTESTED, False, {"reason": change.untested or NO_TEST}
    degrees = change.test.degrees
    bound = _possible(lowest(change.difference, change.standard_error, degrees, floor.at), change)
    values = {"margin": f"{margin:g}", "bound": bound, "level": f"{100 * (1 - floor.at):g}%"}
    if bound > -margin:
        return Message.WITHIN, True, values
    return _too_few(known, margin, floor.at, values)


def _possible(bound: float, change: Change) -> float:
    """Return a lower bound, cut where the interval of the difference is: it can't be less than that."""
    interval, test, error = change.interval, change.test, change.standard_error
    if interval is None or interval.low is None or test is None or error is None:
        return bound
    uncut = lowest(change.difference or 0.0, error, test.degrees, (1 - (interval.level or LEVEL)) / 2)
    return max(bound, interval.low) if uncut < interval.low - ROUNDING else bound


def _unmoved(change: Change) -> bool:
    """Tell whether nothing that a figure comes from moved: it varies in each version, and not between them.

    A figure that does not vary at all, such as perfect agreement, shows nothing of how far it could fall.
    """
    varies = all(each.interval and each.interval.low is not None for each in (change.first, change.second))
    return varies and change.difference == 0 and change.untested == str(NoDifference.NO_VARIATION)


def _too_few(known: Moved, margin: float, at: float, values: dict[str, Any]) -> Answer:
    """Return the answer where a fall can't be excluded: it takes more data, or there was a fall."""
    test, error = known.change.test, known.change.standard_error
    if test is None or error is None:
        return Message.MAY_EXCEED, False, values
    own = sum if test.method != "paired" else max
    # Documents without a category count too: those to be annotated will have as few with it.
    here = max(own(known.clusters), round(test.degrees) + 1)
    needed = clusters_needed(error, test.degrees, here, margin, at)
    if needed is None or needed <= here:
        return Message.MAY_EXCEED, False, values
    what = "documents" if known.by_document else "units"
    both = "annotated under both versions" if test.method == "paired" else "of both versions together"
    return Message.TOO_FEW, False, {**values, "needed": f"{needed:,} {what} {both}", "clusters": needed}
