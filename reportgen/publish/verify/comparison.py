"""Two guidelines versions held against each other: what a comparison repeats, judges and renders."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reportgen.base.atomic_replace import CHECKSUMS
from reportgen.findings import find_changes
from reportgen.publish.verify.figures import compare, numbers_in
from reportgen.publish.verify.outcome import CheckOutcome, Discrepancy, Unchecked, together
from reportgen.publish.verify.recomputing import content, everything, not_made
from reportgen.publish.verify.rendered import another_program, hold, languages_of
from reportgen.publish.verify.tree import Tree, form, read
from reportgen.publish.verify.version import painted
from reportgen.report.comparison import comparison_pages
from reportgen.results import Figure, Results
from reportgen.results.comparison import Changed, SpanRevision, UnitSetRevision, VersionComparison
from reportgen.results.parts import Change

COMPARISON, CHANGED = "comparison.json", "changed.json"
# Twelve digits are written, and a difference is taken before: what differs by less is the same.
SAME = 1e-10
TESTS = "tests, intervals and differences between versions"
PAIRED = "they rest on what is in both versions, which takes the exports"
Pair = tuple[str, str]


@dataclass(frozen=True)
class ComparisonFolder:
    """A comparison's folder: where it stands, with its "/", and what it says."""

    files: Tree
    folder: str
    comparison: VersionComparison
    changed: Changed | None
    faults: tuple[Discrepancy, ...]

    @property
    def pair(self) -> Pair:
        """Return the names of the two versions."""
        return self.comparison.first.guidelines, self.comparison.second.guidelines


def read_comparison(files: Tree, folder: str) -> ComparisonFolder:
    """Return what stands in a comparison's folder; raises Unusable where it can't be understood."""
    here = files.below(folder)
    comparison = read(VersionComparison, here, COMPARISON, folder + COMPARISON)
    older = bool(another_program(comparison.tool))
    faults = form(comparison, here, COMPARISON, folder + COMPARISON, older=older)
    changed = None
    if CHANGED in here:
        changed = read(Changed, here, CHANGED, folder + CHANGED)
        faults += form(changed, here, CHANGED, folder + CHANGED, older=older)
    return ComparisonFolder(files, folder, comparison, changed, tuple(faults))


def check_comparison(
    compared: ComparisonFolder, versions: Mapping[str, Results], *, images: bool
) -> CheckOutcome:
    """Check a comparison; `versions` are the results of those that are known beside it."""
    here, comparison = compared.files.below(compared.folder), compared.comparison
    findings = _findings(comparison, compared.folder + COMPARISON)
    aside = painted(compared.files, compared.folder) if images else []
    languages = languages_of(here)

    def rendered() -> Iterator[tuple[str, str]]:
        yield from comparison_pages(comparison, compared.changed, languages)

    pages = hold(
        compared.files, compared.folder, rendered, [COMPARISON, CHANGED, CHECKSUMS, *aside], comparison.tool
    )
    return together((CheckOutcome(compared.faults), findings, _repeated(compared, versions), pages))


def _findings(comparison: VersionComparison, file: str) -> CheckOutcome:
    """Hold the findings against what the rules say of the recorded comparison."""
    if made_with := another_program(comparison.tool):
        return CheckOutcome(unchecked=[Unchecked("findings", made_with, len(comparison.findings))])
    try:
        due = find_changes(comparison.model_copy(update={"findings": ()}))
    except Exception as error:  # noqa: BLE001 - results of a stranger, which may be made to fail anywhere
        return not_made(error, file)
    recorded, found = (
        {"findings": content(each)["findings"]}
        for each in (comparison, comparison.model_copy(update={"findings": due}))
    )
    return compare(recorded, found, file, "findings", everything)


def _repeated(compared: ComparisonFolder, versions: Mapping[str, Results]) -> CheckOutcome:
    """Hold figures that a comparison repeats against the versions' own, and differences against figures."""
    differences = [
        Discrepancy(compared.folder + COMPARISON, what, "figures", where, one, other)
        for what, where, one, other in (*_figures(compared, versions), *_differences(compared))
    ]
    unchecked = [Unchecked(TESTS, PAIRED, numbers_in(content(compared.comparison)))]
    if compared.changed is not None:
        unchecked.append(Unchecked(f"units in {CHANGED}", PAIRED, _units(compared.changed)))
    return CheckOutcome(differences, unchecked)


def _units(changed: Changed) -> int:
    """Return how many units the texts of a comparison name."""
    return sum(len(each.mended) + len(each.broken) + len(each.disputed) for each in changed.unit_sets)


def _figures(
    compared: ComparisonFolder, versions: Mapping[str, Results]
) -> Iterator[tuple[str, str, str, str]]:
    for revised in compared.comparison.unit_sets:
        if revised.basis != "all":
            continue
        for side, version in zip(("first", "second"), compared.pair, strict=True):
            if version in versions:
                known = _measures(versions[version], revised)
                yield from _held(revised, side, version, known)


def _measures(results: Results, revised: UnitSetRevision) -> Mapping[str, Figure]:
    own = (each for each in results.unit_sets if (each.layer, each.id) == (revised.layer, revised.unit_set))
    return next((each.measures for each in own), {})


def _held(
    revised: UnitSetRevision, side: str, version: str, known: Mapping[str, Figure]
) -> Iterator[tuple[str, str, str, str]]:
    for name, change in revised.measures.items():
        recorded, due = content(getattr(change, side)), content(known[name]) if name in known else {}
        for key in (each for each in due if each in recorded and recorded[each] != due[each]):
            where = f"{_of(revised)}: {name}, {side}{'' if key == 'value' else f', {key}'}"
            one, other = _shown(recorded[key]), _shown(due[key])
            yield f"{where}: {one} recorded, {other} in the results of {version}.", where, one, other


def _shown(value: Any) -> str:  # noqa: ANN401 - any JSON value
    if isinstance(value, dict):
        return ", ".join(f"{key} {each}" for key, each in value.items())
    return repr(value)


def _of(revised: UnitSetRevision | SpanRevision) -> str:
    if isinstance(revised, SpanRevision):
        return f"marks of layer {revised.layer}"
    layer = f" of layer {revised.layer}" if revised.layer != "main" else ""
    return f"unit set {revised.unit_set}{layer}"


def _differences(compared: ComparisonFolder) -> Iterator[tuple[str, str, str, str]]:
    both: list[UnitSetRevision | SpanRevision] = [*compared.comparison.unit_sets, *compared.comparison.spans]
    for revised in both:
        for name, change in revised.measures.items():
            due = _difference(change)
            if due is not None and change.difference is not None and abs(due - change.difference) > SAME:
                where = f"{_of(revised)}: {name}, difference"
                one, other = repr(change.difference), f"{due:.12g}"
                yield f"{where}: {one} recorded, {other} by its two figures.", where, one, other


def _difference(change: Change) -> float | None:
    first, second = change.first.value, change.second.value
    return None if first is None or second is None else second - first
