"""Results on a terminal: a comparison of two versions, and what models are worth as annotators."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from reportgen.base.errors import printable
from reportgen.cli.terminal import foremost, table, wrapped
from reportgen.results import Finding
from reportgen.results.annotators import HeldOutHuman, ModelReplacement, Replacement, WinningRate
from reportgen.results.comparison import DisagreementChange, SpanRevision, UnitSetRevision, VersionComparison
from reportgen.results.parts import Change, SystemRevision
from reportgen.words.numbers import counted, decimal, figure, interval, message, p_value
from reportgen.words.numbers import estimate as estimate_text
from reportgen.words.numbers import figure as figure_text

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
        for part in _tables(each, comparison):
            out.print(part)
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
    ground = "what is in both versions" if revision.basis == "shared" else "all of each version"
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
    places = comparison.places
    order = sorted(
        revision.measures, key=lambda name: (places.get(name.partition("[")[0], len(places)), name)
    )
    yield _changes(
        "figure", {comparison.name_of(name): revision.measures[name] for name in order}, comparison
    )
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


def _changes(head: str, changes: Mapping[str, Change], comparison: VersionComparison) -> "Table":
    """Return figures under both versions; of very many those that moved most."""
    columns = (head, comparison.first.guidelines, comparison.second.guidelines)
    kept = foremost(list(changes), MOST_ROWS, lambda name: abs(changes[name].difference or 0.0))
    rows = [(name, *_cells(changes[name])) for name in kept]
    return table((*columns, "difference [95% interval]", "p"), rows, len(changes) - len(kept))


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
    columns = ("confusion", comparison.first.guidelines, comparison.second.guidelines)
    confusions = disagreement.confusions
    kept = foremost(confusions, MOST_ROWS, lambda each: abs(each.contribution))
    rows = [
        (
            " / ".join(filter(None, each.categories)),
            *(
                figure(part / whole) if whole else ""
                for part, whole in zip((each.first, each.second), disagreement.denominators, strict=True)
            ),
            _signed(each.contribution),
        )
        for each in kept
    ]
    if len(confusions) > len(kept):
        rows.append((f"… {len(confusions) - len(kept)} more (--json)", "", "", ""))
    whole = (figure(disagreement.first), figure(disagreement.second), _signed(disagreement.change))
    return table((*columns, "adds to disagreement"), [*rows, ("observed disagreement", *whole)])


# Models as annotators: each against every human, and a sentence on what follows.

MOST_HUMANS = 20
# Of the winning rate at every price, those that are printed.
EVERY = 5
LEVEL = 0.05


def show_replacement(found: Replacement, out: "Console") -> None:
    """Print the models in the order of their ρ, each against every human, and the verdicts."""
    out.print()
    what = f"to {found.expert}" if found.expert else "to the other humans of a unit"
    price = f"ε = {found.epsilon:g}" if found.epsilon is not None else "no ε declared, so no verdict"
    head = f"May a model take a human's place? Who is nearer {what}, by {found.score}; {price}."
    out.print(wrapped(head))
    out.print(table(MODEL_HEAD, map(_model, found.models)))
    for model in found.models:
        # Of a crowd the first are shown.
        columns = (
            f"{model.model} against",
            "units",
            "model",
            "human",
            "human less model",
            "t",
            "p",
            "beaten",
        )
        rows = map(_human, model.humans[:MOST_HUMANS])
        out.print(table(columns, rows, len(model.humans) - MOST_HUMANS))
    if found.epsilon is None:
        out.print("Share of humans beaten, by ε:")
        curves = [(each.model, each.curve) for each in found.models if each.curve]
        prices = curves[0][1].epsilon[::EVERY] if curves else ()
        rates = ((name, *map(figure_text, curve.independent[::EVERY])) for name, curve in curves)
        out.print(table(("ε", *(f"{price:g}" for price in prices)), rates))
    for sentence in _sentences(found):
        out.print(wrapped(sentence))


MODEL_HEAD = ("model", "units", "ρ [95% interval]", "humans beaten", "by document", "xRR", "normalised")


def _model(found: ModelReplacement) -> tuple[str, ...]:
    cross = found.cross_replication
    return (
        found.model,
        f"{found.instances:,}",
        found.advantage.undefined or estimate_text(found.advantage),
        _rate(found.independent),
        _rate(found.clustered),
        figure_text(cross.between.value if cross else None),
        figure_text(cross.normalised if cross else None),
    )


def _rate(rate: WinningRate | None) -> str:
    if rate is None or rate.value is None:
        return ""
    return f"{rate.beaten} of {rate.tested}, ω {figure_text(rate.value)}"


def _human(human: HeldOutHuman) -> tuple[str, ...]:
    """Return a human whom a model is compared with: who is nearer to the others, and the test of it."""
    head, test = (human.annotator, f"{human.instances:,}"), human.independent
    if human.model is None or human.human is None or human.difference is None:
        return (*head, "", "", "", "", "", "not tested")
    known = (*head, figure_text(human.model), figure_text(human.human), figure_text(human.difference))
    if test is None or test.p is None:
        return known
    by_ranks = "W " if human.method == "wilcoxon" else ""
    statistic = "" if test.statistic is None else f"{by_ranks}{decimal(test.statistic)}"
    return (*known, statistic, p_value(test.p), "yes" if test.beaten else "no")


def _sentences(found: Replacement) -> Iterator[str]:
    """Yield the verdict on each model, what it does not mean, and where it hangs on how units are taken."""
    for each in found.models:
        rate = each.independent
        if rate is not None and rate.passes is not None:
            may = "may take a human's place" if rate.passes else "may not take a human's place"
            share = f"it beat {rate.beaten} of {rate.tested}, and half is needed"
            yield f"{each.model} {may} at ε = {found.epsilon:g}: {share}."
        if each.advantage.undefined:
            yield f"{each.model}: {each.advantage.undefined}."
        if each.differ:
            yield (
                f"With units clustered by document the answer for {each.model} is another: units of one "
                "document are not independent, as the test of the paper takes them."
            )
        if each.agreement and each.agreement.difference is not None:
            without, more, apart = each.agreement.first, each.agreement.second, each.agreement
            yield (
                f"With {each.model} as one more human, {each.coefficient} is {figure_text(more.value)} and "
                f"not {figure_text(without.value)}, {figure_text(apart.difference)} apart "
                f"{interval(apart.interval)}".rstrip()
                + "."
            )
        parted = [part for part in each.categories if (part.adjusted_p or 1) < LEVEL]
        if fewer := [part.category for part in parted if (part.difference.value or 0) < 0]:
            yield f"Where humans say {', '.join(fewer)}, {each.model} agrees less than another human does."
        if any(human.method == "wilcoxon" for human in each.humans):
            yield "Humans with fewer than 30 units were tested by Wilcoxon's signed ranks (W), not by t."
    yield (
        "It does not say that labels are right, nor that it is so for other texts, guidelines or people. "
        "Calderon, Reichart and Dror (2025), ACL."
    )
