"""Tables with many categories or annotators as commands; all coefficients beside NLTK's alpha."""

import csv
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from benchmarks.data import UNITS, Labels, coded, labels
from benchmarks.large import cost_of
from reportgen.counts import count
from reportgen.measures import ScaleSetting, UnitsOfAll
from reportgen.measures.analysis import measures_of

SEED = 2010
PASSES = 3
UNITS_OF_A_DOCUMENT = 50
# Annotators, units, categories, and whether units are in documents.
TABLES = (
    (2, 12_500, 4_000, False),
    (2, 12_500, 4_000, True),
    (3, 8_333, 4_000, False),
    (3, 8_333, 4_000, True),
    (200, 5_000, 5, False),
)


# What is built twice: two guidelines versions of a table, their reports and their comparison.
VERSIONS = ("1.0", "2.0")
BUILT = ((2, 12_500, 4_000, False), (3, 8_333, 4_000, True))


def run() -> Iterator[str]:
    """Yield a table of commands in Markdown, as they are measured, and what NLTK's alpha takes beside all."""
    yield "| annotators | units | categories | documents | seconds of processors | MB | import pandas |"
    yield "|--:|--:|--:|---|--:|--:|--:|"
    with tempfile.TemporaryDirectory() as folder:
        for place, (annotators, units, categories, documents) in enumerate(TABLES):
            table = Path(folder) / f"{place}.csv"
            _write(table, _labels(annotators, units, categories), in_documents=documents)
            own = cost_of([sys.executable, "-m", "reportgen", "agree", str(table)])
            bare = cost_of([sys.executable, "-c", "import pandas"])
            yield (
                f"| {annotators} | {units:,} | {categories:,} | {'yes' if documents else 'no'} | "
                f"{own.processors:.1f} | {own.memory:,.0f} | {bare.processors:.1f} s |"
            )
        for place, (annotators, units, categories, documents) in enumerate(BUILT):
            campaign = Path(folder) / f"campaign-{place}"
            _campaign(campaign, annotators, units, categories, in_documents=documents)
            own = cost_of(
                [sys.executable, "-m", "reportgen", "build", str(campaign), "--out", f"{campaign}-site"]
            )
            yield (
                f"\nTwo versions of {annotators} annotators, {units:,} units and {categories:,} categories, "
                f"{'in documents' if documents else 'without documents'}, built with their comparison: "
                f"{own.processors:.1f} s of processors, {own.memory:,.0f} MB."
            )
    ours, theirs = _beside_nltk()
    yield ""
    yield (
        f"All coefficients of {UNITS:,} units and three annotators, with intervals by document: "
        f"{ours:.3f} s; NLTK's alpha: {theirs:.3f} s; ratio {ours / theirs:.3f}."
    )


def _campaign(folder: Path, annotators: int, units: int, categories: int, *, in_documents: bool) -> None:
    """Write a campaign of two guidelines versions, the same units labelled under each."""
    (folder / "exports").mkdir(parents=True)
    lines = ['title = "Many categories"']
    for seed, version in enumerate(VERSIONS):
        export = f"exports/{version}.csv"
        _write(folder / export, _labels(annotators, units, categories, seed), in_documents=in_documents)
        lines += ["[[guidelines]]", f'version = "{version}"', f'exports = "{export}"']
    (folder / "campaign.toml").write_text("\n".join(lines), encoding="utf-8")


def _labels(annotators: int, units: int, categories: int, seed: int = 0) -> Labels:
    """Return labels (units, annotators) of categories as frequent as words are (Zipf), mostly the same."""
    random = np.random.default_rng(SEED + seed)
    shares = 1 / np.arange(1, categories + 1)
    shares /= shares.sum()
    truth = random.choice(categories, size=(units, 1), p=shares)
    blind = random.choice(categories, size=(units, annotators), p=shares)
    return np.where(random.random((units, annotators)) < 0.8, truth, blind)


def _write(path: Path, given: Labels, *, in_documents: bool) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("unit", *(("document",) if in_documents else ()), "annotator", "label"))
        for unit, row in enumerate(given.tolist()):
            place = (f"d{unit // UNITS_OF_A_DOCUMENT}",) if in_documents else ()
            rows.writerows((f"u{unit}", *place, f"a{who}", f"c{label}") for who, label in enumerate(row))


def _beside_nltk() -> tuple[float, float]:
    """Return the seconds of processors of all our coefficients, and of NLTK's alpha, of the same labels."""
    from nltk.metrics.agreement import AnnotationTask

    given = labels(3)
    units = coded(given, in_documents=True)
    rows = enumerate(given.tolist())
    task = AnnotationTask(
        [(f"A{who}", str(unit), label) for unit, row in rows for who, label in enumerate(row)]
    )
    measures_of(UnitsOfAll(units, count(units), ScaleSetting()))  # what is imported on the way is
    return _least(lambda: measures_of(UnitsOfAll(units, count(units), ScaleSetting()))), _least(task.alpha)


def _least(compute: Callable[[], object]) -> float:
    """Return the least seconds of processors of some passes."""
    taken = []
    for _ in range(PASSES):
        begun = time.process_time()
        compute()
        taken.append(time.process_time() - begun)
    return min(taken)
