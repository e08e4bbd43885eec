"""What a history says in sentences: how agreement moved, and what else changed between two versions."""

import itertools
from collections.abc import Iterator, Sequence

from reportgen.figures import lines
from reportgen.figures.lines import is_shown
from reportgen.report.tables import Cell, Kind, ReportTable, plain, table_of
from reportgen.report.version_changes import courses, signed
from reportgen.report.version_changes import listed as people
from reportgen.results import Interval
from reportgen.results.history import Group, History, LayerMove, Move, Step, VersionState
from reportgen.words import headline, numbers
from reportgen.words.language import N_, _, habits, listed, say, say_many
from reportgen.words.names import translated

# How a figure moved: which way, and whether its two values are known.
MOVED = {
    ("rose", True): N_(
        "Since guidelines {version}, {name} rose from {first} to {second} {on}, by {size}: {why}."
    ),
    ("fell", True): N_(
        "Since guidelines {version}, {name} fell from {first} to {second} {on}, by {size}: {why}."
    ),
    ("rose", False): N_("Since guidelines {version}, {name} rose {on}, by {size}: {why}."),
    ("fell", False): N_("Since guidelines {version}, {name} fell {on}, by {size}: {why}."),
    ("stayed", True): N_("Since guidelines {version}, {name} stays at {second} {on}."),
    ("stayed", False): N_("Since guidelines {version}, {name} has the same value {on}."),
}


def p_words(p: float) -> str:
    """Return a p value as papers print it, on one line."""
    return numbers.p_is(p).replace(" ", "\N{NO-BREAK SPACE}")


def moved(move: Move) -> str:
    """Return a difference with its interval and p value in one line, as a table has it."""
    if move.difference is None:
        return numbers.NONE
    p = p_words(move.p) if move.p is not None else ""
    return " ".join(filter(None, (signed(move.difference), difference_interval(move.interval), p)))


def difference_interval(found: Interval | None) -> str:
    """Return the interval of a difference on one line, its ends with their signs; empty where it has none."""
    if found is None or found.low is None or found.high is None:
        return ""
    between = habits().between.replace(" ", "\N{NO-BREAK SPACE}")
    return f"[{signed(found.low)}{between}{signed(found.high)}]"


def verdicts(version: VersionState) -> list[str]:
    """Return what can be relied on of a version, of all its layers, and what the figures are."""
    found = headline.of_version(version)
    said = (headline.headline(found), headline.figures(found, version.verdicts[0]))
    return [each for each in said if each]


def verdict(version: VersionState) -> str:
    """Return the same in one line."""
    return " ".join(verdicts(version))


def change(history: History, step: Step | None) -> str:
    """Return how agreement moved to a version, in a sentence; empty where it was not compared.

    With several layers it says which moved more than chance explains.
    """
    if step is None or not step.compared:
        return ""
    if step.primary is None:
        return say(
            "It has no unit set in common with guidelines {version}, so that nothing is compared.",
            version=step.first,
        )
    if len(history.layers) == 1:
        return layer_change(step, step.primary, _name(history, step))
    return say("Since guidelines {version}: {said}", version=step.first, said=courses(*layer_courses(step)))


def layer_courses(step: Step) -> tuple[list[str], list[str], list[str]]:
    """Return the layers in which agreement rose, those in which it fell, and those undecided."""
    moves = {each.layer: each.coefficient for each in step.layers}
    moved_layers = {name: _course(move) for name, move in moves.items() if is_shown(move)}
    rose, fell = (
        [name for name, way in moved_layers.items() if way == course] for course in ("rose", "fell")
    )
    return rose, fell, [name for name in moves if name not in moved_layers]


def layer_change(step: Step, layer: LayerMove, name: str) -> str:
    """Return how a layer's coefficient moved, on what, and whether chance explains it."""
    move, shown = layer.coefficient, translated(name)
    if move.difference is None:
        return _unsaid(step, move, shown)
    known = move.first is not None and move.second is not None
    said = say(
        MOVED[_course(move), known],
        version=step.first,
        name=shown,
        first=numbers.figure(move.first),
        second=numbers.figure(move.second),
        on=_on(layer),
        size=_size(move),
        why=_chance(move),
    )
    return " ".join(filter(None, (said, _open(move), _aside(step))))


def _open(move: Move) -> str:
    """Return how far a figure that has the same value may yet have moved; empty where it has another one."""
    found = move.interval
    if move.difference or found is None or found.low is None or found.high is None:
        return ""
    return say(
        "With 95% confidence the difference is from {low} to {high}.",
        low=signed(found.low),
        high=signed(found.high),
    )


def _unsaid(step: Step, move: Move, name: str) -> str:
    """Return that a move is not known, and why."""
    if not move.untested:
        return say(
            "How {name} changed since guidelines {version} can't be said.", name=name, version=step.first
        )
    return say(
        "How {name} changed since guidelines {version} can't be said: {reason}.",
        name=name,
        version=step.first,
        reason=_(move.untested),
    )


def _aside(step: Step) -> str:
    """Return which documents a comparison on shared ones leaves out; empty where it leaves out none."""
    parts = [each for each in _material(step)[1:] if each and _is_shared(step)]
    return say("This comparison leaves out {documents}.", documents=listed(parts)) if parts else ""


def _is_shared(step: Step) -> bool:
    """Tell whether the first layer was compared on what is in both versions."""
    return step.primary is not None and step.primary.coefficient.basis == "shared"


def _course(move: Move) -> str:
    """Return which way a figure moved."""
    if not move.difference:
        return "stayed"
    return "rose" if move.difference > 0 else "fell"


def _size(move: Move) -> str:
    """Return how far a figure moved, with the interval of the difference where it has one."""
    size, found = numbers.figure(abs(move.difference or 0.0)), move.interval
    if found is None or found.low is None or found.high is None:
        return size
    # Of a fall the ends are told as falls too.
    low, high = (found.low, found.high) if (move.difference or 0.0) >= 0 else (-found.high, -found.low)
    ends = {"low": numbers.figure(low), "high": numbers.figure(high)}
    return say("{size} (95% interval {low} to {high})", size=size, **ends)


def _name(history: History, step: Step) -> str:
    """Return what the first layer's coefficient is called under the version that a step leads to."""
    state = next(each for each in history.versions if each.version == step.second)
    return state.first.name


def _on(layer: LayerMove) -> str:
    """Return on what a comparison rests."""
    if layer.coefficient.basis != "shared":
        return _("over all units of each version")
    if not layer.documents:
        return _("on the units of both versions")
    return say_many(
        "on the {count} document of both versions",
        "on the {count} documents of both versions",
        layer.documents,
        count=numbers.count(layer.documents),
    )


def _chance(move: Move) -> str:
    """Return whether chance explains a difference."""
    if move.p is None:
        return (
            say("not tested, because {reason}", reason=_(move.untested)) if move.untested else _("not tested")
        )
    if move.difference and move.p < lines.LEVEL:
        return say("more than chance explains ({p})", p=p_words(move.p))
    return say("chance alone may do as much ({p})", p=p_words(move.p))


def warnings(step: Step) -> Iterator[str]:
    """Yield what else changed between two versions, any of which may look like better or worse guidelines."""
    if not _is_shared(step) and any((step.documents or (0,))[1:]):
        parts = [each for each in _material(step) if each]
        yield say("The material differs: {documents}.", documents=listed(parts))
    if step.edited:
        yield say_many(
            "{count} document of the same name had another text.",
            "{count} documents of the same name had other texts.",
            step.edited,
            count=numbers.count(step.edited),
        )
    if step.left or step.joined:
        yield _people(step)


def _material(step: Step) -> list[str]:
    """Return how many documents are in both versions, in the first alone and in the second alone."""
    both, first, second = step.documents or (0, 0, 0)
    shared = say_many(
        "{count} document of both", "{count} documents of both", both, count=numbers.count(both)
    )
    alone = (_alone(first, step.first), _alone(second, step.second))
    return [shared if both else "", *alone] if step.documents else []


def _alone(number: int, version: str) -> str:
    """Return how many documents are in one version alone, empty where none does."""
    count = numbers.count(number)
    if not number:
        return ""
    return say_many(
        "{count} document of {version} only",
        "{count} documents of {version} only",
        number,
        count=count,
        version=version,
    )


def _people(step: Step) -> str:
    left = say("{names} left", names=people(step.left)) if step.left else ""
    joined = say("{names} joined", names=people(step.joined)) if step.joined else ""
    return say("The annotators differ: {who}.", who=listed([each for each in (left, joined) if each]))


def span(versions: Sequence[str], order: Sequence[str]) -> str:
    """Return versions in words, those that follow each other as a span: "0.9, 1.1 to 1.4"."""
    runs: list[list[str]] = []
    for version in versions:
        before = order[order.index(version) - 1] if order.index(version) else None
        if runs and before == runs[-1][-1]:
            runs[-1].append(version)
        else:
            runs.append([version])
    return listed([part for run in runs for part in _run(run)])


def _run(run: list[str]) -> list[str]:
    if len(run) > 2:  # noqa: PLR2004 - two are named
        return [say("{first} to {last}", first=run[0], last=run[-1])]
    return run


# Which documents and which annotators a version has.

MOST_ROWS = 60
MOST_COLUMNS = 12
MOST_GROUPS = 20
THERE = "✓"


def documents_table(history: History) -> ReportTable | None:
    """Return documents by versions; None where there are many, or where all are in all versions."""
    groups = history.coverage.documents
    count = sum(len(group.documents) for group in groups)
    if len(groups) <= 1 or count > MOST_ROWS or len(history.names) > MOST_COLUMNS:
        return None
    return table_of(
        "documents",
        _("Documents by guidelines version."),
        [(name, group.versions) for group in groups for name in group.documents],
        ("document", _("Document"), "text", lambda each: each[0]),
        *(
            (name, name, "text", lambda each, name=name: THERE if name in each[1] else "")
            for name in history.names
        ),
        file="documents.csv",
    )


def documents_in_words(history: History) -> str:
    """Return how many documents are in which versions, empty where no document is known."""
    groups = history.coverage.documents
    if not groups:
        return ""
    total = sum(len(group.documents) for group in groups)
    every = set(history.names)
    if len(groups) == 1 and set(groups[0].versions) == every:
        return say_many(
            "{count} document is in every version.",
            "{count} documents are in every version.",
            total,
            count=numbers.count(total),
        )
    largest = sorted(groups, key=lambda group: -len(group.documents))
    parts = [_group(history, group) for group in largest[:MOST_GROUPS]]
    rest = sum(len(group.documents) for group in largest[MOST_GROUPS:])
    if rest:
        parts.append(say("{count} in other versions", count=numbers.count(rest)))
    documents = numbers.counted(total, "document", "documents")
    return say("{documents}: {parts}.", documents=documents, parts=_("; ").join(parts))


def _group(history: History, group: Group) -> str:
    shown = numbers.count(len(group.documents))
    if set(group.versions) == set(history.names):
        return say("{count} in every version", count=shown)
    versions = span(group.versions, history.names)
    if len(group.versions) == 1:
        return say("{count} in {version} only", count=shown, version=versions)
    return say("{count} in {versions}", count=shown, versions=versions)


def annotators_table(history: History) -> ReportTable | None:
    """Return annotators by versions, each cell their documents; None where there are many of either."""
    people = history.coverage.annotators
    if not people or len(people) > MOST_ROWS or len(history.names) > MOST_COLUMNS:
        return None
    by_document = any(count for each in people for count in each.documents.values())
    kind: Kind = "count" if by_document else "text"

    def seen(count: int | None) -> Cell:
        return count if by_document else "" if count is None else THERE

    return table_of(
        "annotators",
        _("Documents under each version.") if by_document else "",
        people,
        ("annotator", _("Annotator"), "text", lambda each: each.annotator),
        *(
            (name, name, kind, lambda each, name=name: seen(each.documents.get(name)))
            for name in history.names
        ),
        file="annotators.csv",
    )


def annotators_in_words(history: History) -> str:
    """Return how many annotators are in which versions."""
    people = history.coverage.annotators
    if not people:
        return ""
    everywhere = sum(set(each.documents) == set(history.names) for each in people)
    total = numbers.counted(len(people), "annotator", "annotators")
    if everywhere == len(people):
        return say("{annotators}, the same under every version.", annotators=total)
    own = [(name, numbers.count(len(history.coverage.annotators_of(name)))) for name in history.names]
    each = listed([say("{version}: {count}", version=name, count=count) for name, count in own])
    if not everywhere:
        return say("{annotators}, none of them under every version ({each}).", annotators=total, each=each)
    return say(
        "{annotators}, {count} of them under every version ({each}).",
        annotators=total,
        count=numbers.count(everywhere),
        each=each,
    )


def coverage_tables(history: History) -> Iterator[ReportTable]:
    """Yield both tables as their CSV has them: every document and annotator with each of its versions."""
    documents = tuple(
        (name, version)
        for group in history.coverage.documents
        for name, version in itertools.product(group.documents, group.versions)
    )
    people = tuple(
        (each.annotator, version, count)
        for each in history.coverage.annotators
        for version, count in each.documents.items()
    )
    if documents:
        yield ReportTable("", "", plain("document version"), documents, "documents.csv")
    if people:
        columns = (*plain("annotator version"), *plain("documents", "count"))
        yield ReportTable("", "", columns, people, "annotators.csv")
