"""What a history says in sentences: how agreement moved, and what else changed between two versions."""

import itertools
from collections.abc import Iterator, Mapping, Sequence

from reportgen.figures import lines
from reportgen.figures.lines import is_shown
from reportgen.report.tables import Cell, Kind, ReportTable, plain, table_if
from reportgen.report.version_changes import courses, difference, signed
from reportgen.report.version_changes import listed as people
from reportgen.results.history import Group, History, LayerMove, Move, Step, VersionState
from reportgen.words import headline, numbers
from reportgen.words.language import N_, _, listed, say, say_many
from reportgen.words.names import translated

NO_BREAK = "\N{NO-BREAK SPACE}"
# Versions in a row that are more than these are told by the first and the last.
SEVERAL = 2
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
    return numbers.p_is(p).replace(" ", NO_BREAK)


def moved(move: Move) -> str:
    """Return a difference with its interval and p value in one line, as a table has it."""
    p = p_words(move.p) if move.p is not None else ""
    return f"{difference(move, NO_BREAK)} {p}".rstrip()


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
        # What the coefficient is called under the version that the step leads to.
        state = next(each for each in history.versions if each.version == step.second)
        return _layer_change(step, step.primary, translated(state.first.name))
    return say("Since guidelines {version}: {said}", version=step.first, said=courses(*layer_courses(step)))


def layer_courses(step: Step) -> tuple[list[str], list[str], list[str]]:
    """Return the layers in which agreement rose, those in which it fell, and those undecided."""
    ways = {each.layer: is_shown(each.coefficient) and _course(each.coefficient) for each in step.layers}
    rose, fell, undecided = (
        [name for name, way in ways.items() if way == course] for course in ("rose", "fell", False)
    )
    return rose, fell, undecided


def _layer_change(step: Step, layer: LayerMove, name: str) -> str:
    """Return how a layer's coefficient moved, on what, and whether chance explains it."""
    move = layer.coefficient
    if move.difference is None:
        said = N_("How {name} changed since guidelines {version} can't be said.")
        if move.untested:
            said = N_("How {name} changed since guidelines {version} can't be said: {reason}.")
        return say(said, name=name, version=step.first, reason=_(move.untested) if move.untested else "")
    told = say(
        MOVED[_course(move), move.first is not None and move.second is not None],
        version=step.first,
        name=name,
        first=numbers.figure(move.first),
        second=numbers.figure(move.second),
        on=_on(layer),
        size=_size(move),
        why=_chance(move),
    )
    ends = _ends(move)
    # How far a figure that has the same value may yet have moved.
    known = N_("With 95% confidence the difference is from {low} to {high}.")
    open_ = say(known, low=signed(ends[0]), high=signed(ends[1])) if ends and not move.difference else ""
    # Which documents a comparison on shared ones leaves out.
    alone = [each for each in _material(step)[1:] if each and _is_shared(step)]
    aside = say("This comparison leaves out {documents}.", documents=listed(alone)) if alone else ""
    return " ".join(filter(None, (told, open_, aside)))


def _ends(move: Move) -> tuple[float, float] | None:
    """Return the ends of the interval of a difference, None where it has none."""
    found = move.interval
    return None if found is None or found.low is None or found.high is None else (found.low, found.high)


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
    size, ends = numbers.figure(abs(move.difference or 0.0)), _ends(move)
    if ends is None:
        return size
    # Of a fall the ends are told as falls too.
    low, high = ends if (move.difference or 0.0) >= 0 else (-ends[1], -ends[0])
    interval = {"low": numbers.figure(low), "high": numbers.figure(high)}
    return say("{size} (95% interval {low} to {high})", size=size, **interval)


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
    )


def _chance(move: Move) -> str:
    """Return whether chance explains a difference."""
    if move.p is None:
        why = move.untested
        return say("not tested, because {reason}", reason=_(why)) if why else _("not tested")
    if move.difference and move.p < lines.LEVEL:
        return say("more than chance explains ({p})", p=p_words(move.p))
    return say("chance alone may do as much ({p})", p=p_words(move.p))


def warnings(step: Step) -> Iterator[str]:
    """Yield what else changed between two versions, any of which may look like better or worse guidelines."""
    if not _is_shared(step) and any((step.documents or (0,))[1:]):
        yield say("The material differs: {documents}.", documents=listed(list(filter(None, _material(step)))))
    if step.edited:
        yield say_many(
            "{count} document of the same name had another text.",
            "{count} documents of the same name had other texts.",
            step.edited,
        )
    left = say("{names} left", names=people(step.left)) if step.left else ""
    joined = say("{names} joined", names=people(step.joined)) if step.joined else ""
    if who := list(filter(None, (left, joined))):
        yield say("The annotators differ: {who}.", who=listed(who))


def _material(step: Step) -> list[str]:
    """Return how many documents are in both versions, in the first alone and in the second alone."""
    if not step.documents:
        return []
    both, *alone = step.documents
    return [
        say_many("{count} document of both", "{count} documents of both", both) if both else "",
        *(
            say_many(
                "{count} document of {version} only",
                "{count} documents of {version} only",
                number,
                version=version,
            )
            if number
            else ""
            for number, version in zip(alone, (step.first, step.second), strict=True)
        ),
    ]


def span(versions: Sequence[str], order: Sequence[str]) -> str:
    """Return versions in words, those that follow each other as a span: "0.9, 1.1 to 1.4"."""
    runs: list[list[str]] = []
    for version in versions:
        if runs and order.index(version) == order.index(runs[-1][-1]) + 1:
            runs[-1].append(version)
        else:
            runs.append([version])
    told = (
        [say("{first} to {last}", first=run[0], last=run[-1])] if len(run) > SEVERAL else run for run in runs
    )
    return listed([part for run in told for part in run])


# Which documents and which annotators a version has.

MOST_ROWS = 60
MOST_COLUMNS = 12
MOST_GROUPS = 20
THERE = "✓"


def documents_table(history: History) -> ReportTable | None:
    """Return documents by versions; None where there are many, or where all are in all versions."""
    groups = history.coverage.documents
    if len(groups) <= 1:
        return None
    rows = [(name, dict.fromkeys(group.versions, THERE)) for group in groups for name in group.documents]
    caption = _("Documents by guidelines version.")
    return _by_version(history, "document", caption, _("Document"), rows)


def annotators_table(history: History) -> ReportTable | None:
    """Return annotators by versions, each cell their documents; None where there are many of either."""
    people = history.coverage.annotators
    by_document = any(count for each in people for count in each.documents.values())
    rows: list[tuple[str, Mapping[str, Cell]]] = [
        (each.annotator, each.documents if by_document else dict.fromkeys(each.documents, THERE))
        for each in people
    ]
    caption = _("Documents under each version.") if by_document else ""
    return _by_version(
        history, "annotator", caption, _("Annotator"), rows, "count" if by_document else "text"
    )


def _by_version(  # noqa: PLR0913, PLR0917 - the parts of a table
    history: History,
    key: str,
    caption: str,
    head: str,
    rows: Sequence[tuple[str, Mapping[str, Cell]]],
    kind: Kind = "text",
) -> ReportTable | None:
    """Return what is in which versions; None where it is much, or nothing."""
    if len(rows) > MOST_ROWS or len(history.names) > MOST_COLUMNS:
        return None
    return table_if(
        f"{key}s",
        caption,
        rows,
        (key, head, "text", lambda each: each[0]),
        *((name, name, kind, lambda each, name=name: each[1].get(name)) for name in history.names),
        file=f"{key}s.csv",
    )


def documents_in_words(history: History) -> str:
    """Return how many documents are in which versions, empty where no document is known."""
    groups = sorted(history.coverage.documents, key=lambda group: -len(group.documents))
    if not groups:
        return ""
    total = sum(len(group.documents) for group in groups)
    if len(groups) == 1 and set(groups[0].versions) == set(history.names):
        return say_many(
            "{count} document is in every version.", "{count} documents are in every version.", total
        )
    parts = [_group(history, group) for group in groups[:MOST_GROUPS]]
    if rest := sum(len(group.documents) for group in groups[MOST_GROUPS:]):
        parts.append(say("{count} in other versions", count=numbers.count(rest)))
    documents = numbers.counted(total, "document", "documents")
    return say("{documents}: {parts}.", documents=documents, parts=_("; ").join(parts))


def _group(history: History, group: Group) -> str:
    said = N_("{count} in {version} only") if len(group.versions) == 1 else N_("{count} in {versions}")
    if set(group.versions) == set(history.names):
        said = N_("{count} in every version")
    versions = span(group.versions, history.names)
    return say(said, count=numbers.count(len(group.documents)), version=versions, versions=versions)


def annotators_in_words(history: History) -> str:
    """Return how many annotators are in which versions."""
    people, names = history.coverage.annotators, history.names
    if not people:
        return ""
    everywhere = sum(set(each.documents) == set(names) for each in people)
    total = numbers.counted(len(people), "annotator", "annotators")
    if everywhere == len(people):
        return say("{annotators}, the same under every version.", annotators=total)
    own = {name: numbers.count(len(history.coverage.annotators_of(name))) for name in names}
    each = listed([say("{version}: {count}", version=name, count=number) for name, number in own.items()])
    said = N_("{annotators}, none of them under every version ({each}).")
    if everywhere:
        said = N_("{annotators}, {count} of them under every version ({each}).")
    return say(said, annotators=total, count=numbers.count(everywhere), each=each)


def coverage_tables(history: History) -> Iterator[ReportTable]:
    """Yield both tables as their CSV has them: every document and annotator with each of its versions."""
    groups, people = history.coverage.documents, history.coverage.annotators
    documents = [pair for each in groups for pair in itertools.product(each.documents, each.versions)]
    annotators = [(each.annotator, *pair) for each in people for pair in each.documents.items()]
    if documents:
        yield ReportTable("", "", plain("document version"), tuple(documents), "documents.csv")
    if annotators:
        columns = plain("annotator version documents")
        yield ReportTable("", "", columns, tuple(annotators), "annotators.csv")
