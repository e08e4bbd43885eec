"""Tables that stand beside results.json because they are too large for it: which of them may be there."""

from collections.abc import Iterator

from reportgen.results import Results
from reportgen.verifying.tree import Tree

WITHOUT = "results.json has them in part, and counts alone do not give them"
MANY_LEFT_OUT = 1000
CELLS = "tables/cells.csv"


def unsure_tables(results: Results, files: Tree) -> dict[str, str]:
    """Return the tables of a version's folder that can't be rendered from its results, with the reason."""
    return {name: WITHOUT for name in files if name.startswith("tables/") and _may_stand(results, name)}


def tables_from_counts(results: Results) -> list[str]:
    """Return the tables that are not rendered from results, and that counts give."""
    pairs = (pair for each in results.unit_sets for pair in each.pairs)
    return [CELLS] if any(pair.confusion.cells is not None for pair in pairs) else []


def _may_stand(results: Results, name: str) -> bool:
    """Tell whether a table is one of those that results say to be larger than what they have of it."""
    return name in {*_possible(results), *_of_quality(results)}


def _of_quality(results: Results) -> Iterator[str]:
    for each in results.quality or ():
        if each.annotators_in_all > len(each.annotators):
            yield f"tables/annotators.{each.layer}.csv"
        if each.controls and each.controls.annotators_in_all > len(each.controls.annotators):
            yield f"tables/controls-{each.layer}.csv"
        if each.dawid_skene.undefined is None:
            yield f"tables/dawid-skene.{each.layer}.csv"


def _possible(results: Results) -> Iterator[str]:
    if results.marks.left_out > MANY_LEFT_OUT:
        yield "tables/left-out.csv"
    if any(not each.pairs for each in results.unit_sets):
        yield "tables/pairs.csv"
    if results.comparisons and any(each.crowded for each in results.comparisons.sets):
        yield "tables/comparisons-of-all.csv"
    if results.spans and any(each.crowded for each in results.spans.layers):
        yield "tables/spans.csv"
    if results.spans and any(each.by_document is None for each in results.spans.pairs):
        yield "tables/spans-by-document.csv"
    if results.adjudication and any(each.listed for each in results.adjudication):
        yield "tables/adjudication.csv"
    yield from (f"tables/bdm-{each.id}.csv" for each in results.distances if each.origin)
