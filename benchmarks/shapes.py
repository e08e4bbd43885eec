"""Tables of all shapes: `count` beside the same grouping in DuckDB, pandas and polars, then `build`."""

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.large import Cost, cost_of

LABELS = 1_000_000
CAMPAIGN = 'title = "Shape"\n\n[[guidelines]]\nversion = "1.0"\nexports = "exports"\n'


@dataclass(frozen=True)
class Shape:
    """A table: how many annotate, how many of them each unit, how many labels they use, labels a document."""

    annotators: int
    each: int
    categories: int
    labels_of_document: int | None = None


SHAPES = (
    Shape(6, 6, 10, 600),
    Shape(50_000, 5, 5),
    Shape(30, 3, 5),
    Shape(1_000, 1_000, 5),
    Shape(3, 3, 5, 3),
    Shape(3, 3, 5, 3_000),
)
# As others would write it: how many units have the same labels by the same annotators, of a document.
MADE = """
import duckdb, sys
labels, annotators, each, categories, of_document, path = *map(int, sys.argv[1:6]), sys.argv[6]
document = f", 'topic' || u * {each} // {of_document} as document" if of_document else ""
who = f"'worker' || (u * 7919 + a) % {annotators} || '@example.org'"
chosen = "case when hash(u * 7 + a * 13) % 100 < 80 then hash(u) else hash(u * 31 + a) end"
said = f"'category' || ({chosen}) % {categories}"
columns = f"md5('u' || u) as unit, {who} as annotator, {said} as label{document}"
rows = f"range({labels // each}) units (u), range({each}) people (a)"
duckdb.execute(f"copy (select {columns} from {rows}) to '{path}' (format parquet)")
"""
GROUPED = {
    "DuckDB": """
import duckdb, sys
names = [name for name, *_ in duckdb.execute(f"describe from '{sys.argv[1]}'").fetchall()]
by = "document, unit" if "document" in names else "unit"
said = "list_sort(list(annotator || ':' || label)) as said"
units = f"select {by}, {said} from '{sys.argv[1]}' group by all"
duckdb.execute(f"select {by.removesuffix('unit')} said, count(*) from ({units}) group by all").fetchnumpy()
""",
    "pandas": """
import pandas, sys
rows = pandas.read_parquet(sys.argv[1])
by = ["document"] if "document" in rows else []
rows["said"] = rows.annotator + ":" + rows.label
units = rows.sort_values("said").groupby([*by, "unit"], sort=False).said.agg("|".join)
units.reset_index().groupby([*by, "said"], sort=False).size()
""",
    "polars": """
import polars, sys
rows = polars.scan_parquet(sys.argv[1])
by = ["document"] if "document" in rows.collect_schema() else []
said = polars.concat_str("annotator", "label", separator=":").sort()
rows.group_by(*by, "unit").agg(said=said).group_by(*by, "said").len().collect()
""",
}


def run(labels: int, peers: str | None) -> Iterator[str]:
    """Yield a table in Markdown; `peers` is a Python that has polars, without which it is not measured."""
    yield "Seconds of processors and MB of `count` and `build`; of others the same grouping alone."
    yield ""
    yield (
        "| labels, annotators, labels per unit, categories, labels per document | table, MB | counts "
        f"| `count` | `build` | site | {' | '.join(GROUPED)} | ratios |"
    )
    yield f"|---|--:|--:|---|---|--:|{'---|' * len(GROUPED)}---|"
    for shape in SHAPES:
        with tempfile.TemporaryDirectory() as folder:
            yield _line(shape, labels, Path(folder), peers)


def _line(shape: Shape, labels: int, folder: Path, peers: str | None) -> str:
    table, counts = folder / "labels.parquet", folder / "campaign" / "exports"
    counts.parent.mkdir()
    (counts.parent / "campaign.toml").write_text(CAMPAIGN, encoding="utf-8")
    numbers = labels, shape.annotators, shape.each, shape.categories, shape.labels_of_document or 0
    cost_of([sys.executable, "-c", MADE, *map(str, numbers), str(table)])
    command = [sys.executable, "-m", "reportgen"]
    roles = "unit", "annotator", "label", *(["document"] if shape.labels_of_document else [])
    columns = ",".join(f"{role}={role}" for role in roles)
    count = cost_of([*command, "count", str(table), "--out", str(counts), "--columns", columns])
    others = {
        name: cost_of([peers or "" if name == "polars" else sys.executable, "-c", script, str(table)])
        for name, script in GROUPED.items()
        if peers or name != "polars"
    }
    build = cost_of([*command, "build", str(counts.parent), "--out", str(folder / "site")])
    ratios = ", ".join(f"{count.processors / other.processors:.1f}" for other in others.values())
    sizes = [_size(table), _size(counts), _size(folder / "site")]
    written = [_cost(others[name]) if name in others else "" for name in GROUPED]
    about = f"{labels:,}, {shape.annotators:,}, {shape.each:,}, {shape.categories}, {numbers[-1] or 'none'}"
    return (
        f"| {about} | {sizes[0]:.1f} | {sizes[1]:.1f} | {_cost(count)} | {_cost(build)} | {sizes[2]:.1f} "
        f"| {' | '.join(written)} | {ratios} |"
    )


def _cost(cost: Cost) -> str:
    return f"{cost.processors:.1f} s, {cost.memory:,.0f}"


def _size(path: Path) -> float:
    files = [path] if path.is_file() else [each for each in path.rglob("*") if each.is_file()]
    return sum(each.stat().st_size for each in files) / 1e6
