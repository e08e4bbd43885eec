"""The files of results, from which all else in a folder of the site is rendered."""

from collections.abc import Iterator, Mapping

from reportgen.results.model import Results, dumps
from reportgen.results.revisions import Changed, VersionComparison
from reportgen.results.texts import Texts


def version_data(
    results: Results, beside: Mapping[str, str], texts: Texts | None = None
) -> Iterator[tuple[str, str]]:
    """Yield the name and text of every file of a version's results; `beside` are those too large for them."""
    yield "results.json", dumps(results)
    if texts:
        yield "texts.json", dumps(texts)
    yield from beside.items()


def comparison_data(comparison: VersionComparison, changed: Changed | None) -> Iterator[tuple[str, str]]:
    """Yield the name and text of every file of a comparison's results."""
    yield "comparison.json", dumps(comparison)
    if changed is not None:
        yield "changed.json", dumps(changed)
