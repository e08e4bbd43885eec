"""What a report says first: its subject, its layers, its marks."""

from collections.abc import Iterable, Iterator, Sequence

from reportgen.base.dataclass import dataclass
from reportgen.catalogue import is_true_of
from reportgen.findings.verdicts import ON_SCALE
from reportgen.results import Figure, Finding, LayerSubject, Results, Severity, SubjectFigure, SubjectId
from reportgen.results.model import FindingKind
from reportgen.results.versions import VersionState
from reportgen.words import numbers
from reportgen.words.language import N_, _, listed, say, say_many
from reportgen.words.names import translated

# The word for a verdict, by how grave it is; what no threshold is for is undecided too.
WORDS: dict[Severity, str] = {
    "problem": N_("too low"),
    "warning": N_("undecided"),
    "note": N_("with caution"),
    "good": N_("high"),
}
OF_ONE: dict[Severity, str] = {
    "problem": N_("The annotation is not reliable enough to build on."),
    "warning": N_("It is undecided whether the annotation is reliable enough to build on."),
    "note": N_("The annotation is reliable enough to build on, but only with caution."),
    "good": N_("The annotation is reliable enough to build on."),
}
# Where nobody disagrees there is nothing to decide, and still no proof.
ALL_ALIKE = N_(
    "Nothing was labelled differently, on too little to tell whether the annotation is reliable enough to "
    "build on."
)
SMALL = (N_("two"), N_("three"), N_("four"), N_("five"), N_("six"), N_("seven"), N_("eight"), N_("nine"))
# So many layers are named; of more it is said how many they are.
MOST_NAMED = 3
MINIMUM, GOOD = 0.667, "0.8"


@dataclass(frozen=True)
class Standing:
    """A layer's primary coefficient with its symbol, and how grave its verdict is.

    `answer` is the verdict of a layer whose subject is another than single labels of annotators.
    """

    layer: str
    severity: Severity
    coefficient: str
    symbol: str
    figure: Figure | None
    answer: Finding | None = None

    @property
    def relied_on(self) -> bool:
        """Tell whether one may build on the layer, if only with caution."""
        return self.severity in {"good", "note"}

    @property
    def corrected(self) -> bool:
        """Tell whether the coefficient is agreement beyond chance, which thresholds are for."""
        return not is_true_of(self.coefficient, lambda measure: measure.kind == "share")


def standings(results: Results, only: str = "") -> list[Standing]:
    """Return the coefficient and the verdict of each layer of a report, or of `only` one."""
    # A layer's own verdict comes after that on all, whose place it takes.
    verdicts = _by_layer(results, "verdict") | _by_layer(results, "layer-verdict")
    return [
        Standing(
            layer,
            verdicts[layer].severity,
            results.coefficients[layer],
            results.catalogue[results.coefficients[layer].partition("[")[0]].symbol,
            results.primary_of(layer).measures.get(results.coefficients[layer]),
            verdicts[layer] if verdicts[layer].subject else None,
        )
        for layer in results.layers
        if only in {"", layer}
    ]


def _by_layer(results: Results, kind: FindingKind) -> dict[str, Finding]:
    """Return the findings of a kind by the layers that they are about."""
    of_kind = (finding for finding in results.findings if finding.kind == kind)
    return {layer: finding for finding in of_kind for layer in finding.layers}


def of_version(version: VersionState) -> list[Standing]:
    """Return the coefficient and the verdict of each layer under a version of the guidelines."""
    return [
        Standing(
            layer.layer,
            version.severity_of(layer.layer),
            layer.coefficient,
            layer.symbol,
            layer.figure,
            version.answer_of(layer.layer),
        )
        for layer in version.layers
    ]


def headline(layers: Sequence[Standing]) -> str:
    """Return in one sentence what can be relied on, what falls short and what is undecided.

    Of layers with a subject of their own it is what their verdicts say, behind their names where there are
    several.
    """
    answers = [layer for layer in layers if layer.answer]
    if answers:
        others = [layer for layer in layers if not layer.answer]
        return " ".join(
            [
                *(_answer(layer, named=len(layers) > 1) for layer in answers[:MOST_NAMED]),
                *([_more(len(answers) - MOST_NAMED)] if len(answers) > MOST_NAMED else []),
                *([headline(others)] if others else []),
            ]
        )
    if len(layers) == 1:
        only = layers[0]
        is_alike = only.corrected and only.figure is not None and only.figure.value == 1
        is_open = only.severity == "warning"
        return _(ALL_ALIKE if is_alike and is_open else OF_ONE[only.severity])
    not_relied = [layer for layer in layers if not layer.relied_on]
    relied = [layer for layer in layers if layer.relied_on]
    if not relied:
        return _none(layers)
    reliable = _relied(relied, len(layers)) + _caution(relied, everything=not not_relied)
    return (
        say("{found}; {rest}.", found=reliable, rest=_short_and_undecided(not_relied))
        if not_relied
        else f"{reliable}."
    )


def _answer(layer: Standing, *, named: bool) -> str:
    """Return what a layer's verdict says, behind its name where that is asked for."""
    said = numbers.message(layer.answer.claim, layer.answer.values, brief=True) if layer.answer else ""
    return say("{name}: {claim}", name=quoted([layer.layer])[0], claim=said) if named else said


def _more(count: int) -> str:
    """Return that there are more layers than are said."""
    return say_many("{count} more {layer is|layers are} below.", count, count=number(count))


def _none(layers: Sequence[Standing]) -> str:
    """Return that nothing can be relied on, and why."""
    short = sum(layer.severity == "problem" for layer in layers)
    if 0 < short < len(layers):
        return say(
            "No layer is shown to be reliable enough to build on: {rest}.", rest=_short_and_undecided(layers)
        )
    if len(layers) == 2:
        return (
            _("No layer is reliable enough to build on: both fall short.")
            if short
            else _("No layer is shown to be reliable enough to build on: both are undecided.")
        )
    count = number(len(layers))
    if short:
        return say("No layer is reliable enough to build on: all {count} fall short.", count=count)
    return say("No layer is shown to be reliable enough to build on: all {count} are undecided.", count=count)


def _relied(relied: Sequence[Standing], everything: int) -> str:
    """Return which layers are reliable, of many how many."""
    if len(relied) == everything:
        if everything == 2:
            return _("Both layers are reliable enough to build on")
        return say("All {count} layers are reliable enough to build on", count=number(everything))
    if len(relied) <= MOST_NAMED:
        return say_many(
            "Only the {layer|layers} {names} {is|are} reliable enough to build on",
            len(relied),
            names=listed(quoted(layer.layer for layer in relied)),
        )
    counts = {"count": number(len(relied)), "all": number(everything)}
    return say("Of {all} layers, {count} are reliable enough to build on", **counts)


def _caution(relied: Sequence[Standing], *, everything: bool) -> str:
    """Return with what caution they are to be used; empty where with none."""
    careful = sum(layer.severity == "note" for layer in relied)
    if not careful:
        return ""
    if careful == len(relied):
        return _(", but only with caution") if everything else _(", and only with caution")
    return say_many(", {one|{count}} of them only with caution", careful, count=number(careful))


def _short_and_undecided(layers: Sequence[Standing]) -> str:
    """Return how many layers fall short, and how many are undecided; one alone is named."""
    if len(layers) == 1:
        name = quoted([layers[0].layer])[0]
        if layers[0].severity == "problem":
            return say("{name} falls short", name=name)
        return say("{name} is undecided", name=name)
    short = sum(layer.severity == "problem" for layer in layers)
    unknown = len(layers) - short
    parts = []
    if short:
        count = number(short)
        parts.append(say_many("{one layer falls|{count} layers fall} short", short, count=count))
    if unknown:
        count = number(unknown)
        parts.append(
            say_many("{one is|{count} are} undecided", unknown, count=count)
            if short
            else say_many("{one layer is|{count} layers are} undecided", unknown, count=count)
        )
    return ", ".join(parts)


def number(value: int) -> str:
    """Return a small number as a word, a larger one in digits."""
    return _(SMALL[value - 2]) if 2 <= value < 2 + len(SMALL) else numbers.count(value)


# The line below: what the figures are, and the thresholds for them.


def figures_of_layers(layers: Sequence[Standing], verdict: Finding | None = None) -> str:
    """Return in one line what the coefficients are; of one layer that no threshold is for, its `verdict`.

    Empty of several layers of which some coefficient counts chance as agreement, and of those whose verdicts
    have their figures.
    """
    layers = [layer for layer in layers if not layer.answer]
    if not layers:
        return ""
    if len(layers) == 1:
        # Others say why they are not compared with the thresholds, or how far below they are.
        if verdict is not None and verdict.level in {None, "below-chance"}:
            return numbers.message(verdict.claim, verdict.values)
        return _of_one(layers[0])
    with_value = [layer for layer in layers if layer.figure is not None and layer.figure.value is not None]
    if not with_value or not all(layer.corrected for layer in with_value):
        return ""
    relied = [layer for layer in with_value if layer.relied_on]
    not_relied = [layer for layer in with_value if not layer.relied_on]
    values = {"what": _what(with_value), "minimum": numbers.short(MINIMUM)}
    if not relied or not not_relied:
        return _all_alike(with_value, values)
    return _relied_and_not(relied, not_relied, values)


def _relied_and_not(
    relied: Sequence[Standing], not_relied: Sequence[Standing], values: dict[str, str]
) -> str:
    """Return what the coefficients are of layers that one can build on, and of the others."""
    values |= {"first": _span(relied), "second": _span(not_relied), "names": _relied_layers(relied)}
    if len(not_relied) == 1:
        message = N_(
            "{what} is {first} for {names} and {second} for {other}, where {minimum} is the usual minimum."
        )
        return say(message, other=_relied_layers(not_relied), **values)
    return say(
        "{what} is {first} for {names} and {second} elsewhere, where {minimum} is the usual minimum.",
        **values,
    )


def scales(results: Results) -> Iterator[str]:
    """Yield what the figure of each of several layers is on the scale that its labels suggest.

    Of one layer the line of figures says it.
    """
    claims = {template.claim for template in ON_SCALE.values()}
    for layer, finding in _by_layer(results, "layer-verdict").items():
        if finding.claim in claims:
            said = numbers.message(finding.claim, finding.values)
            yield say("{name}: {claim}", name=quoted([layer])[0], claim=said)


def quoted(layers: Iterable[str]) -> list[str]:
    """Return layers' names in quotation marks: a name may be a word like any other."""
    return [say("“{name}”", name=layer) for layer in layers]


def _relied_layers(relied: Sequence[Standing]) -> str:
    """Return the layers that one can build on, of many that there are such."""
    if len(relied) > MOST_NAMED:
        return _("what one can build on")
    return say_many(
        "the {layer|layers} {names}", len(relied), names=listed(quoted(layer.layer for layer in relied))
    )


def _all_alike(layers: Sequence[Standing], values: dict[str, str]) -> str:
    """Return from where to where the figures of all layers go."""
    least, most = _ends(layers)
    if least == most:
        return say("{what} is {value}, where {minimum} is the usual minimum.", value=least, **values)
    return say(
        "{what} is between {least} and {most}, where {minimum} is the usual minimum.",
        least=least,
        most=most,
        **values,
    )


def _of_one(layer: Standing) -> str:
    """Return one figure with its interval and the two thresholds."""
    figure = layer.figure
    if figure is None or figure.value is None or figure.interval is None:
        return ""
    low, high = figure.interval.low, figure.interval.high
    if low is None or high is None:
        return ""
    return say(
        "{what} is {value} (95% interval {low} to {high}), where {minimum} is the usual minimum and {good} "
        "is good.",
        what=_what([layer]),
        value=numbers.short(figure.value),
        low=numbers.short(low),
        high=numbers.short(high),
        minimum=numbers.short(MINIMUM),
        good=numbers.pointed(GOOD),
    )


def _what(layers: Iterable[Standing]) -> str:
    """Return what the figures are, with their symbol where it is one."""
    symbols = {layer.symbol for layer in layers}
    if len(symbols) > 1:
        return _("Agreement beyond chance")
    return say("Agreement beyond chance ({symbol})", symbol=symbols.pop())


def _span(layers: Iterable[Standing]) -> str:
    """Return from where to where values go, in words."""
    least, most = _ends(layers)
    return least if least == most else say("{least} to {most}", least=least, most=most)


def _ends(layers: Iterable[Standing]) -> tuple[str, str]:
    """Return the lowest and the highest value, as headlines write them."""
    values = [layer.figure.value for layer in layers if layer.figure and layer.figure.value is not None]
    return numbers.short(min(values)), numbers.short(max(values))


# How many layers are named with their figures (of more, the range is given), and how many kinds.
MOST_LAYERS = 2
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


def figures_of_marks(results: Results, *, kinds: bool = True) -> Iterator[str]:
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
