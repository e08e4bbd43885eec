"""The tables of docs/comparing.md: how often tests between versions err, and how often they see a change.

`python -m benchmarks power [--replications N]` prints them, and so does `make power`.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial

from benchmarks.revisions import CORRELATIONS, DESIGNS, DOCUMENTS, Rejected, rejected

REPLICATIONS = 2000
# Of the errors made before, those that are left after a revision that helps, or made after one that harms.
BETTER = 0.75
WORSE = 1.25
TESTS = ("paired", "unpaired", "unpaired, others")
GATED = ("paired", "unpaired, others")
FIGURES = ("krippendorff_alpha", "cohen_kappa", "observed_agreement", "specific_agreement")


def run(replications: int) -> str:
    """Return the tables of all designs, each under its title; two processes share the work."""
    better = [replace(each, factor=BETTER) for each in DESIGNS]
    worse = [replace(each, factor=WORSE) for each in DESIGNS]
    with ProcessPoolExecutor(2) as workers:
        every = list(workers.map(partial(rejected, replications=replications), [*DESIGNS, *better, *worse]))
    size = len(DESIGNS)
    noise, gain, harm = every[:size], every[size : 2 * size], every[2 * size :]
    titles = ("### Type I error", "### Power", "### The gate")
    tables = (table(noise, "range"), table(gain, "mean"), gate_table(noise, harm))
    return "\n\n".join(f"{title}\n\n{each}" for title, each in zip(titles, tables, strict=True))


def table(found: Sequence[Rejected], how: str) -> str:
    """Return how often each test rejects, over annotators and categories, as a Markdown table."""
    lines = [
        f"| documents | correlation | figure | {' | '.join(TESTS)} |",
        f"|--:|--:|---|{'--:|' * len(TESTS)}",
    ]
    for (documents, correlation), group in _grouped(found):
        for figure in FIGURES:
            shares = [
                [each.shares[figure, test] for each in group if (figure, test) in each.shares]
                for test in TESTS
            ]
            cells = " | ".join(_cell(each, how) for each in shares)
            lines.append(f"| {documents} | {correlation:g} | `{figure}` | {cells} |")
    return "\n".join(lines)


def _grouped(found: Sequence[Rejected]) -> Iterator[tuple[tuple[int, float], list[Rejected]]]:
    for documents in DOCUMENTS:
        for correlation in CORRELATIONS:
            mine = [
                each
                for each in found
                if (each.design.documents, each.design.correlation) == (documents, correlation)
            ]
            if mine:
                yield (documents, correlation), mine


def _cell(shares: Sequence[float], how: str) -> str:
    if not shares:
        return "–"
    return f"{min(shares):.3f}–{max(shares):.3f}" if how == "range" else f"{sum(shares) / len(shares):.3f}"


def gate_table(noise: Sequence[Rejected], harm: Sequence[Rejected]) -> str:
    """Return in how many campaigns a gate of three rules breaks, and one of margin opens wrongly."""
    lines = [
        "| documents | correlation | no change | no change, others | worse | worse, others | margin |",
        f"|--:|--:|{'--:|' * 5}",
    ]
    for ((documents, correlation), still), (_, worse) in zip(_grouped(noise), _grouped(harm), strict=True):
        cells = [
            *(_cell([each.gate[test] for each in still], "range") for test in GATED),
            *(_cell([each.gate[test] for each in worse], "mean") for test in GATED),
            _cell([each.gate["margin"] for each in worse], "range"),
        ]
        lines.append(f"| {documents} | {correlation:g} | {' | '.join(cells)} |")
    return "\n".join(lines)
