"""What a history says in sentences: how agreement moved, and what else changed between two versions."""

from collections.abc import Iterator, Sequence

from reportgen.report import numbers
from reportgen.results import Finding, Interval
from reportgen.results.history import History, LayerMove, Move, Step

LEVEL = 0.05
MOST_NAMES = 8


def signed(value: float | None) -> str:
    """Return a difference with its sign."""
    if value is None:
        return numbers.NONE
    shown = numbers.figure(value)
    return shown if value <= 0 or not shown.strip("0.") else f"+{shown}"


def p_words(p: float) -> str:
    """Return a p value as papers print it, on one line."""
    return numbers.p_is(p).replace(" ", "\N{NO-BREAK SPACE}")


def moved(move: Move) -> str:
    """Return a difference with its interval and p value in one line, as a table holds it."""
    if move.difference is None:
        return numbers.NONE
    p = p_words(move.p) if move.p is not None else ""
    return " ".join(filter(None, (signed(move.difference), difference_interval(move.interval), p)))


def difference_interval(found: Interval | None) -> str:
    """Return the interval of a difference, its ends with their signs, empty where there is none."""
    if found is None or found.low is None or found.high is None:
        return ""
    return f"[{signed(found.low)}, {signed(found.high)}]"


def is_shown(move: Move | None) -> bool:
    """Tell whether a move is more than chance explains, at the level of 5%."""
    return move is not None and move.p is not None and move.p < LEVEL and bool(move.difference)


def verdict(finding: Finding) -> str:
    """Return a version's verdict, filled in."""
    return numbers.message(finding.claim, finding.values)


def change(history: History, step: Step | None) -> str:
    """Return how the first layer moved to a version, in a sentence; empty where it was not compared."""
    if step is None or not step.compared:
        return ""
    if step.primary is None:
        return f"It has no unit set in common with guidelines {step.first}, so that nothing is compared."
    return layer_change(step, step.primary, _name(history, step))


def layer_change(step: Step, layer: LayerMove, name: str) -> str:
    """Return how a layer's coefficient moved, on what, and whether chance explains it."""
    move = layer.coefficient
    if move.difference is None:
        why = f": {move.untested}" if move.untested else ""
        return f"How {name} changed since guidelines {step.first} can't be said{why}."
    said = f"{name} {_course(move)} {_on(layer)}{_size(move)}"
    return " ".join(filter(None, (f"Since guidelines {step.first}, {said}: {_chance(move)}.", _aside(step))))


def _aside(step: Step) -> str:
    """Return which documents a comparison on shared ones leaves out; empty where it leaves out none."""
    parts = [each for each in _material(step)[1:] if each and _is_shared(step)]
    return f"This comparison leaves out {in_words(parts)}." if parts else ""


def _is_shared(step: Step) -> bool:
    """Tell whether the first layer was compared on what stands in both versions."""
    return step.primary is not None and step.primary.coefficient.basis == "shared"


def _course(move: Move) -> str:
    """Return which way a figure moved, and from where to where."""
    if not move.difference:
        return "did not change"
    verb = "rose" if move.difference > 0 else "fell"
    if move.first is None or move.second is None:
        return verb
    return f"{verb} from {numbers.figure(move.first)} to {numbers.figure(move.second)}"


def _size(move: Move) -> str:
    """Return how far a figure moved, with the interval; empty where it did not."""
    if not move.difference:
        return ""
    return f", by {numbers.figure(abs(move.difference))}{_between(move.interval)}"


def _name(history: History, step: Step) -> str:
    """Return what the first layer's coefficient is called under the version that a step leads to."""
    state = next(each for each in history.versions if each.version == step.second)
    return state.first.name


def _between(found: Interval | None) -> str:
    """Return the interval of a difference as a sentence has it, empty where there is none."""
    if found is None or found.low is None or found.high is None:
        return ""
    return f" (95% interval {signed(found.low)} to {signed(found.high)})"


def _on(layer: LayerMove) -> str:
    """Return on what a comparison rests."""
    if layer.coefficient.basis == "shared":
        return f"on the {_what(layer)} of both versions"
    return "over all units of each version, which differ"


def _what(layer: LayerMove) -> str:
    return numbers.counted(layer.documents, "document", "documents") if layer.documents else "units"


def _chance(move: Move) -> str:
    """Return whether chance explains a difference."""
    if move.p is None:
        return f"not tested, because {move.untested}" if move.untested else "not tested"
    if move.difference and move.p < LEVEL:
        return f"more than chance explains ({p_words(move.p)})"
    return f"chance alone may do as much ({p_words(move.p)})"


def warnings(step: Step) -> Iterator[str]:
    """Yield what else changed between two versions, any of which may look like better or worse guidelines."""
    if not _is_shared(step) and any((step.documents or (0,))[1:]):
        yield f"The material differs: {in_words([each for each in _material(step) if each])}."
    if step.edited:
        texts = "text" if step.edited == 1 else "texts"
        yield f"{numbers.counted(step.edited, 'document', 'documents')} of the same name had another {texts}."
    if step.left or step.joined:
        yield _people(step)


def _material(step: Step) -> list[str]:
    """Return how many documents stand in both versions, in the first alone and in the second alone."""
    where = ("of both", f"of {step.first} only", f"of {step.second} only")
    return [
        f"{numbers.counted(number, 'document', 'documents')} {what}" if number else ""
        for number, what in zip(step.documents or (), where, strict=False)
    ]


def _people(step: Step) -> str:
    parts = [
        f"{some(names)} {verb}" for names, verb in ((step.left, "left"), (step.joined, "joined")) if names
    ]
    return f"The annotators differ: {in_words(parts)}."


def some(names: Sequence[str]) -> str:
    """Return names in words, of many only how many they are."""
    if len(names) > MOST_NAMES:
        return f"{numbers.count(len(names))} annotators"
    return in_words(names)


def in_words(parts: Sequence[str]) -> str:
    """Return parts joined by commas and a last "and"."""
    *others, last = parts
    return f"{', '.join(others)} and {last}" if others else last


def span(versions: Sequence[str], order: Sequence[str]) -> str:
    """Return versions in words, those that follow each other as a span: "0.9, 1.1 to 1.4"."""
    runs: list[list[str]] = []
    for version in versions:
        before = order[order.index(version) - 1] if order.index(version) else None
        if runs and before == runs[-1][-1]:
            runs[-1].append(version)
        else:
            runs.append([version])
    return in_words([part for run in runs for part in _run(run)])


def _run(run: list[str]) -> list[str]:
    return [f"{run[0]} to {run[-1]}"] if len(run) > 2 else run  # noqa: PLR2004 - two are named
