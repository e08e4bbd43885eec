"""A comparison of two versions on a terminal: what happened, then figures, categories and confusions."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from reportgen.base.errors import printable
from reportgen.cli.terminal import add_row, table_of, wrapped
from reportgen.results import Finding
from reportgen.results.comparison import DisagreementChange, SpanRevision, UnitSetRevision, VersionComparison
from reportgen.results.parts import Change, SystemRevision
from reportgen.words.numbers import counted, figure, interval, message, p_value

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


MOST_ROWS = 20
GRAVE = ("problem", "warning")
Revision = UnitSetRevision | SpanRevision | SystemRevision


def show_comparison(comparison: VersionComparison, out: "Console") -> None:
    """Print the verdict, what to mind, the primary unit set of each layer, marks in texts and systems."""
    first, second = comparison.first.guidelines, comparison.second.guidelines
    out.print(printable(f"{comparison.campaign.title}: {first} and {second}"))
    for finding in _told(comparison.findings):
        out.print(wrapped(finding))
    shown = list(_shown(comparison))
    if not shown:
        out.print("The two versions have nothing in common that could be compared.")
    for each in shown:
        out.print()
        out.print(wrapped(_head(each, comparison)))
        for table in _tables(each, comparison):
            out.print(table)
    if left := len(comparison.unit_sets) + len(comparison.spans) + len(comparison.systems) - len(shown):
        out.print(f"{left} more: --json has everything, --markdown the page.")


def _told(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield the verdict, then what is grave."""
    for place, each in enumerate(findings):
        if place == 0 or each.severity in GRAVE:
            name = "" if place == 0 else f"{each.severity.capitalize()}: "
            yield f"{name}{message(each.claim, each.values)} {message(each.advice, each.values)}".strip()


def _shown(comparison: VersionComparison) -> Iterator[Revision]:
    """Yield each layer's primary unit set, its marks and each system, on what stands in both where it can."""
    kinds: Sequence[Sequence[Revision]] = (
        [each for each in comparison.unit_sets if each.primary],
        comparison.spans,
        comparison.systems,
    )
    for revisions in kinds:
        chosen: dict[tuple[str, ...], Revision] = {}
        for each in revisions:
            key = _key(each)
            if key not in chosen or each.basis == "shared":
                chosen[key] = each
        yield from chosen.values()


def _key(revision: Revision) -> tuple[str, ...]:
    if isinstance(revision, SystemRevision):
        own = (revision.unit_set or "", revision.system, revision.key, revision.first, revision.second)
        return (revision.layer, *own)
    return (revision.layer,)


def _head(revision: Revision, comparison: VersionComparison) -> str:
    """Return what is compared, and on how much."""
    ground = "what stands in both versions" if revision.basis == "shared" else "all of each version"
    if isinstance(revision, SystemRevision):
        name = (
            revision.second if revision.first == revision.second else f"{revision.first}, {revision.second}"
        )
        documents = _both(revision.documents)
        where = revision.unit_set or "marks in texts"
        return f"{name} against {revision.key}, {where}, {ground}: {documents}."
    units = revision.unit_set if isinstance(revision, UnitSetRevision) else "marks in texts"
    layer = f"layer {revision.layer}, " if len(comparison.coefficients) > 1 else ""
    sides = zip((comparison.first, comparison.second), (revision.first, revision.second), strict=True)
    amounts = "; ".join(
        f"{version.guidelines}: {counted(side.documents, 'document', 'documents')}, "
        f"{counted(side.units, 'unit', 'units')}, {counted(len(side.annotators), 'annotator', 'annotators')}"
        for version, side in sides
    )
    # Names of layers and versions keep their capitals.
    return f"{layer}{units}, {ground}. {amounts}."


def _both(documents: tuple[int, int]) -> str:
    """Return how many documents two versions have."""
    first, second = documents
    last = counted(second, "document", "documents")
    return last if first == second else f"{first:,} and {last}"


def _tables(revision: Revision, comparison: VersionComparison) -> Iterator["Table"]:
    order = sorted(revision.measures, key=lambda name: _place(name, comparison))
    names = {name: comparison.name_of(name) for name in order}
    yield _changes("figure", {names[name]: revision.measures[name] for name in order}, comparison)
    if isinstance(revision, SystemRevision):
        parts, head = revision.by_category, "category, F"
    elif isinstance(revision, SpanRevision):
        parts, head = revision.by_type, "type, strict F"
    else:
        parts, head = revision.specific_agreement, "category, specific agreement"
    if parts:
        yield _changes(head, parts, comparison)
    if isinstance(revision, UnitSetRevision) and revision.disagreement:
        yield _confusions(revision.disagreement, comparison)


def _place(figure_id: str, comparison: VersionComparison) -> tuple[int, str]:
    return comparison.places.get(figure_id.partition("[")[0], len(comparison.places)), figure_id


def _changes(head: str, changes: Mapping[str, Change], comparison: VersionComparison) -> "Table":
    """Return figures under both versions; of very many those that moved most."""
    sides = comparison.first.guidelines, comparison.second.guidelines
    table = table_of(head, *sides, "difference [95% interval]", "p")
    kept = sorted(changes, key=lambda name: -abs(changes[name].difference or 0.0))[:MOST_ROWS]
    for name in (name for name in changes if name in frozenset(kept)):
        add_row(table, name, *_cells(changes[name]))
    if len(changes) > len(kept):
        add_row(table, f"… {len(changes) - len(kept)} more (--json)", "", "", "", "")
    return table


def _cells(change: Change) -> tuple[str, str, str, str]:
    difference = "" if change.difference is None else _signed(change.difference)
    ends = interval(change.interval)
    test = change.test
    p = "not tested" if test is None else p_value(test.p if test.adjusted is None else test.adjusted)
    return figure(change.first.value), figure(change.second.value), f"{difference} {ends}".strip(), p


def _signed(value: float) -> str:
    shown = figure(value)
    return f"+{shown}" if value > 0 and shown.strip("0.") else shown


def _confusions(disagreement: DisagreementChange, comparison: VersionComparison) -> "Table":
    """Return what each confusion adds to the change in observed disagreement, and the sum."""
    sides = comparison.first.guidelines, comparison.second.guidelines
    table = table_of("confusion", *sides, "adds to disagreement")
    confusions = disagreement.confusions
    order = sorted(range(len(confusions)), key=lambda place: -abs(confusions[place].contribution))
    kept = frozenset(order[:MOST_ROWS])
    for place, each in enumerate(confusions):
        if place in kept:
            shares = zip((each.first, each.second), disagreement.denominators, strict=True)
            cells = (figure(part / whole) if whole else "" for part, whole in shares)
            add_row(table, " / ".join(filter(None, each.categories)), *cells, _signed(each.contribution))
    if len(confusions) > len(kept):
        add_row(table, f"… {len(confusions) - len(kept)} more (--json)", "", "", "")
    whole = (figure(disagreement.first), figure(disagreement.second), _signed(disagreement.change))
    add_row(table, "observed disagreement", *whole)
    return table
