"""What the first screen says of marks in texts: F, figures by unit set, how marks differ, and whose."""

from collections.abc import Iterable, Iterator, Sequence

from reportgen.results import Figure, Finding, Results
from reportgen.words import numbers
from reportgen.words.headline import quoted
from reportgen.words.language import N_, listed, say

# How many layers are named with their figures (of more, the range is given), and how many habits and kinds.
MOST_LAYERS = 2
MOST_HABITS = 2
MOST_KINDS = 3
CASES = {
    "right": N_("another end {count}"),
    "left": N_("another beginning {count}"),
    "around": N_("one inside the other {count}"),
    "elsewhere": N_("overlap in part {count}"),
    "another": N_("another type {count}"),
    "omitted": N_("made by one annotator alone {count}"),
}
# Of these both marks are alike, so that each annotator has them.
ALIKE = ("elsewhere", "another")
# In place of a colon in a name: a code point of private use.
NO_COLON = "\ue000"


def figures(results: Results, *, kinds: bool = True) -> Iterator[str]:
    """Yield what marks are judged by: F and the coefficient over each unit set, then `kinds` of disagreement.

    A few layers have a line each; of more, the lowest and the highest figure are given.
    """
    layers = _layers(results)
    for told in [[layer] for layer in layers] if len(layers) <= MOST_LAYERS else [layers]:
        sentences = " ".join((*_f(results, told), *_unit_sets(results, told)))
        if sentences and len(told) == 1 < len(results.layers):
            yield say("{layer}: {sentences}", layer=told[0], sentences=sentences)
        elif sentences:
            yield sentences
    if kinds:
        yield from _kinds(results, layers)


def habits(results: Results) -> Iterator[str]:
    """Yield whose marks differ and how, those with most cases first."""
    # Who marks more is said above where most disagreements are of that.
    causes = (finding for finding in results.findings if finding.kind == "cause")
    said = {name for finding in causes for name in finding.people}
    shown = [each for each in named(results) if each.habit != "number" or not said]
    for finding in shown[:MOST_HABITS]:
        sentences = " ".join(filter(None, (_who(finding), _f_without(finding))))
        if len(finding.layers) == 1 < len(results.layers):
            yield say("{layer}: {sentences}", layer=finding.layers[0], sentences=sentences)
        else:
            yield sentences


def named(results: Results) -> list[Finding]:
    """Return the findings that say whose marks differ, those with most cases first, of each person one."""
    layers = _layers(results)
    found = [finding for finding in results.findings if finding.habit and {*finding.layers} & {*layers}]
    found.sort(key=lambda finding: -_more_cases(finding))
    first: dict[tuple[str, ...], Finding] = {}
    for finding in found:
        first.setdefault((*finding.layers, *_people(finding)), finding)
    return list(first.values())


def _layers(results: Results) -> list[str]:
    """Return the layers whose marks are compared; of what all marked alike only the labels are."""
    means = results.spans.mean_over_pairs if results.spans else {}
    return [
        layer
        for layer in results.layers
        if layer in means and results.primary_of(layer).kind != "annotated-by-all"
    ]


def _f(results: Results, layers: Sequence[str]) -> Iterator[str]:
    """Yield F of marks, strict and lenient."""
    means = results.spans.mean_over_pairs if results.spans else {}
    strict, lenient = (
        _defined(means[layer].f_measure.get(mode) for layer in layers) for mode in ("strict", "lenient")
    )
    if strict and lenient:
        yield say(
            "F of marks is {strict} with the same boundaries, {lenient} where they need only overlap.",
            strict=_with_interval(strict[0]) if len(strict) == 1 else _range(strict),
            lenient=_range(lenient),
        )


def _defined(figures_of_layers: Iterable[Figure | None]) -> list[Figure]:
    return [figure for figure in figures_of_layers if figure is not None and figure.value is not None]


def _range(figures_of_layers: Sequence[Figure]) -> str:
    """Return the value of one layer, of several the lowest and the highest."""
    values = [figure.value or 0.0 for figure in figures_of_layers]
    least, most = numbers.short(min(values)), numbers.short(max(values))
    return least if least == most else say("{least} to {most}", least=least, most=most)


def _with_interval(figure: Figure) -> str:
    """Return a value with its interval, where it has one."""
    ends = figure.interval
    if ends is None or ends.low is None or ends.high is None:
        return _range([figure])
    low, high = numbers.short(ends.low), numbers.short(ends.high)
    return say("{value} [{low}, {high}]", value=_range([figure]), low=low, high=high)


def _unit_sets(results: Results, layers: Sequence[str]) -> Iterator[str]:
    """Yield what the coefficient is over every unit set, the primary ones first; of one, nothing."""
    over: dict[str, list[Figure | None]] = {}
    for unit_set in sorted(results.unit_sets, key=lambda unit_set: not unit_set.primary):
        if unit_set.layer in layers:
            figure = unit_set.measures.get(results.coefficients[unit_set.layer])
            over.setdefault(unit_set.id, []).append(figure)
    known = {name: defined for name, of_set in over.items() if (defined := _defined(of_set))}
    symbols = {results.catalogue[results.coefficients[layer].partition("[")[0]].symbol for layer in layers}
    if len(known) > 1 and len(symbols) == 1:
        parts = [
            say("{value} over {unit_set}", value=_range(of_set), unit_set=quoted([name])[0])
            for name, of_set in known.items()
        ]
        yield say("{symbol} is {values}.", symbol=symbols.pop(), values=listed(parts))


def _kinds(results: Results, layers: Sequence[str]) -> Iterator[str]:
    """Yield in what way marks differ, in how many cases, the most frequent kinds first."""
    times: dict[str, int] = {}
    for layer in layers:
        for kind, number in _times(results, layer).items():
            times[kind] = times.get(kind, 0) + number
    ranked = sorted(times, key=lambda kind: (-times[kind], list(CASES).index(kind)))
    shown = ranked if len(ranked) <= MOST_KINDS + 1 else ranked[:MOST_KINDS]
    parts = [say(CASES[kind], count=numbers.count(times[kind])) for kind in shown if times[kind]]
    if rest := sum(times[kind] for kind in ranked if kind not in shown):
        parts.append(say("in other ways {count}", count=numbers.count(rest)))
    if parts:
        yield say("How marks differ: {parts}.", parts=listed(parts))


def _times(results: Results, layer: str) -> dict[str, int]:
    """Return how many cases of each kind a layer has."""
    disagreements = results.spans.disagreements_of(layer) if results.spans else None
    habits_of_all = [habit for habit in disagreements.habits if habit.type is None] if disagreements else []
    times: dict[str, int] = {}
    for habit in habits_of_all:
        for kind, case in habit.kinds.items():
            # Of two annotators only the first is listed, with all cases.
            sides = case.own if kind in ALIKE or len(habits_of_all) > 1 else case.own + case.others
            times[kind] = times.get(kind, 0) + sides
    if len(habits_of_all) > 1:
        return {kind: number // 2 if kind in ALIKE else number for kind, number in times.items()}
    return times


def _people(finding: Finding) -> tuple[str, ...]:
    """Return the person whom a finding names."""
    names = finding.values.get("names_list", finding.values.get("annotator"))
    return tuple(map(str, names)) if isinstance(names, tuple) else (str(names),)


def _counts(finding: Finding) -> tuple[int, int] | None:
    """Return in how many cases a mark is that person's, and of how many; None where nobody is named."""
    own, every = finding.values.get("own"), finding.values.get("cases")
    return (own, every) if isinstance(own, int) and isinstance(every, int) else None


def _more_cases(finding: Finding) -> int:
    """Return in how many more cases a mark is that person's than another's."""
    own, every = _counts(finding) or (0, 0)
    return 2 * own - every


def _who(finding: Finding) -> str:
    """Return who does what in how many cases: the beginning of the finding, without its test."""
    if finding.habit == "agreement":
        return numbers.note(finding).claim
    counts = _counts(finding)
    if counts is None:
        return say("{head}.", head=_head(finding))
    own, cases = map(numbers.count, counts)
    return say("{head} ({own} of {cases} cases).", head=_head(finding), own=own, cases=cases)


def _head(finding: Finding) -> str:
    """Return what a finding says before its colon; a name may have a colon too."""
    values = {
        name: value.replace(":", NO_COLON) if isinstance(value, str) else value
        for name, value in finding.values.items()
    }
    head = numbers.message(finding.claim, values).partition(":")[0]
    return head.rstrip(" .\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}").replace(NO_COLON, ":")


def _f_without(finding: Finding) -> str:
    """Return F with and without the person, where others are left."""
    values = [finding.values.get(name) for name in ("f_with", "f_without")]
    if finding.habit == "agreement" or not all(isinstance(value, float) for value in values):
        return ""
    return say(
        "F is {f_with} in pairs with {annotator}, {f_without} in the others.",
        f_with=numbers.short(float(str(values[0]))),
        f_without=numbers.short(float(str(values[1]))),
        annotator=str(finding.values["annotator"]),
    )
