"""Causes in words: what each is, and the one act that it asks for, as far as this campaign allows it."""

from collections.abc import Sequence

from reportgen.findings.causes import RankedCause
from reportgen.findings.subjects import LEAST_PEOPLE
from reportgen.results import Finding, Results
from reportgen.results.model import Ask
from reportgen.results.texts import GuidelinesRule
from reportgen.words import numbers
from reportgen.words.language import N_, _, category_word, listed, say, say_either, say_many
from reportgen.words.numbers import count, note

# What findings ask for that are about the same thing: of people who can meet, and of others.
ACTS: dict[Ask, str] = {
    "mark": N_("{Agree on|Write down} when to mark {names}."),
    "ends": N_("{Agree on|Write down} where marks of {names} begin and end."),
    "revise": N_("{Agree on|Write down} what counts as {names}."),
    "choose": N_("{Agree on|Write down} when to choose {names}."),
    "apart": N_("{Agree on|Write down} how to tell these apart: {names}."),
    "export": N_("Check the labels of {names}: some may be missing, or the task was misunderstood."),
}
MARKED = N_("Agree on what should be marked.")
TELL = N_("{Agree on|Write down} how to tell {first} from {second}.")
# What is settled by going through cases, and what guidelines may say already.
DISCUSSED = frozenset(("mark", "choose", "revise", "apart", "ends"))
NAMES_SHOWN = 3
# Smaller gains are none on the page.
LEAST_GAIN = 0.005
# Of more cases than some so many are to be looked at.
MOST_LOOKED_AT, SOME_MORE = 20, 30


def why(cause: RankedCause) -> str:
    """Return what a cause is, as a headline says it."""
    return note(cause.first, brief=True).claim


def act(cause: RankedCause, *, people: int, rules: Sequence[GuidelinesRule] = ()) -> str:
    """Return the one act that a cause asks of so many people; `rules` are what guidelines say already."""
    first = cause.first
    if rules:
        # What the guidelines say is not to be written into them.
        lines = sorted({rule.line for rule in rules})
        return say_many(
            "Check whether {line|lines} {lines} of the guidelines, on {names}, {is|are} followed and precise "
            "enough.",
            len(lines),
            names=_names(cause),
            lines=listed(list(map(numbers.count, lines))),
        )
    if first.asks == "balance":
        return _(MARKED)
    if cause.is_found or first.asks is None or first.asks not in ACTS:
        return note(first).advice
    if first.asks == "apart" and (two := _two(cause)):
        return say_either(can_meet(people), TELL, first=two[0], second=two[1])
    return say_either(can_meet(people), ACTS[first.asks], names=_names(cause))


def go_through(cause: RankedCause, results: Results) -> str:
    """Return on how many cases it is to be done; empty where nobody can see them, or the act says it."""
    proven = cause.proven if cause.first.asks is None else None
    asked = cause.first.asks in DISCUSSED or (proven is not None and proven.kind != "layer")
    if not asked or not cause.cases or results.is_table_of_counts:
        return ""
    if cause.cases > SOME_MORE:
        some, whole = count(MOST_LOOKED_AT), count(cause.cases)
        message = N_("{Go through|Read} {some} of the {count} cases{ together|}.")
        return say_either(can_meet(len(results.primary.annotators)), message, some=some, count=whole)
    return say_many("{Look at the only case|Look at all {count} cases}.", cause.cases)


def general(results: Results) -> str:
    """Return what to do where nothing stands out; empty of other subjects, and where nobody sees cases."""
    found, verdicts = results.disagreements, [own for own in results.findings if own.kind == "verdict"]
    if found is None or results.is_table_of_counts or any(own.subject for own in verdicts):
        return ""
    if not any(own.severity in {"problem", "warning"} for own in verdicts):
        return ""
    some = min(found.total, MOST_LOOKED_AT)
    message = N_("Read {some} of the {count} disagreements, and write down the rules that would settle them.")
    return say(message, some=count(some), count=count(found.total))


def gain(cause: RankedCause, results: Results) -> str:
    """Return by how much a coefficient would rise if it were settled; empty where that is not known."""
    best = max(cause.alike, key=lambda finding: finding.gain or 0.0)
    if (best.gain or 0.0) < LEAST_GAIN:
        return ""
    layer = best.layers[0] if best.layers else results.layers[0]
    symbol = results.catalogue[results.coefficients[layer].partition("[")[0]].symbol
    return say(
        "If that were settled, {symbol} would rise by about {gain}.",
        symbol=symbol,
        gain=numbers.short(best.gain or 0.0),
    )


def can_meet(people: int) -> bool:
    """Tell whether annotators are few enough to sit together."""
    return 1 < people < LEAST_PEOPLE


def rules_for(cause: RankedCause, rules: Sequence[GuidelinesRule]) -> tuple[GuidelinesRule, ...]:
    """Return what the guidelines say of each of its findings already; empty where a rule is missing."""
    if cause.first.asks not in DISCUSSED or cause.is_found:
        return ()
    about = [rule for rule in rules if rule.ends == (cause.first.asks == "ends")]
    found = [_rule_on(finding.categories, about) for finding in cause.alike]
    return tuple(rule for rule in found if rule) if all(found) else ()


def _rule_on(categories: Sequence[str], rules: Sequence[GuidelinesRule]) -> GuidelinesRule | None:
    """Return the passage on all of some categories, the one that names fewest others; else on any mark."""
    about = [rule for rule in rules if categories and set(categories) <= set(rule.categories)]
    anything = next((rule for rule in rules if rule.ends and not rule.categories), None)
    return min(about, key=lambda rule: len(rule.categories), default=anything)


def _two(cause: RankedCause) -> tuple[str, str] | None:
    """Return what to tell from what: two categories, or one that all confusions share from the others."""
    pairs = [finding.categories for finding in cause.alike]
    if len(pairs) == 1 and len(pairs[0]) == 2:
        first, second = map(category_word, pairs[0])
        return first, second
    shared = set.intersection(*map(set, pairs))
    if len(shared) != 1:
        return None
    others = [category_word(name) for name in cause.categories if name not in shared]
    return category_word(*shared), first_names(others)


def _names(cause: RankedCause) -> str:
    if cause.first.asks == "apart":
        return first_names(list(dict.fromkeys(name_of(finding) for finding in cause.alike)))
    words = [category_word(name) for name in cause.categories]
    return first_names(words or list(dict.fromkeys(name_of(finding) for finding in cause.alike)))


def name_of(finding: Finding) -> str:
    """Return the category that a finding is about, or the two that are confused; else whom, or its layers."""
    whom = finding.people[0] if len(finding.people) == 1 else listed(finding.layers)
    return " / ".join(map(category_word, finding.categories)) or whom


def first_names(names: Sequence[str]) -> str:
    """Return names in words, the first few of many."""
    more = len(names) - NAMES_SHOWN
    if more <= 1:
        return listed(names)
    return listed([*names[:NAMES_SHOWN], say("{count} more", count=numbers.count(more))])
