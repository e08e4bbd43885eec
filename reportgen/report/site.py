"""The files of a site: each version's folder, each campaign's page, the list of campaigns."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from reportgen.report import numbers, page
from reportgen.report.figures import standalone
from reportgen.report.tables import matrix_csv, to_csv
from reportgen.report.unit_set_view import UnitSetView
from reportgen.report.view import ReportView
from reportgen.results import Results, dumps
from reportgen.results.texts import Texts

CHECKSUMS = "SHA256SUMS"


@dataclass(frozen=True)
class VersionSummary:
    """What a campaign's page and history.json say of one guidelines version."""

    version: str
    date: str | None
    changes: str
    annotators: int
    units: int
    documents: int
    coefficient: str
    name: str
    value: float | None
    low: float | None
    high: float | None
    estimate: str
    verdict: str


@dataclass(frozen=True)
class CampaignSummary:
    """A campaign with its versions, the oldest first."""

    id: str
    title: str
    versions: tuple[VersionSummary, ...]


def summary(results: Results) -> VersionSummary:
    """Return what stands of one version outside its own folder."""
    view, primary = ReportView(results), results.primary
    figure = primary.measures.get(results.coefficient)
    interval = figure.interval if figure else None
    return VersionSummary(
        version=results.guidelines,
        date=results.revision.date,
        changes=results.revision.changes,
        annotators=len(primary.annotators),
        units=primary.units,
        documents=primary.documents,
        coefficient=results.coefficient,
        name=results.name_of(results.coefficient),
        value=figure.value if figure else None,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        estimate=numbers.estimate(figure),
        verdict=view.verdict.claim,
    )


def version_files(
    results: Results, beside: Mapping[str, str], texts: Texts | None = None
) -> Iterator[tuple[str, str]]:
    """Yield the name and text of every file of a version's folder; `beside` are those not made here.

    Without `texts` there are no pages of documents and disagreements, and no links to them.
    """
    view = ReportView(results, texts)
    yield "results.json", dumps(results)
    if texts:
        yield "texts.json", dumps(texts)
    yield "index.html", page.report_html(view, alone=False)
    yield "report.html", page.report_html(view, alone=True)
    yield "report.md", page.report_markdown(view)
    yield "measures/index.html", page.measures_html(view)
    yield from beside.items()
    for table in view.tables():
        # A table that results.json holds only in short is beside it in full.
        if f"tables/{table.file}" not in beside:
            yield f"tables/{table.file}", to_csv(table)
    for layer in view.layers:
        for each in layer.unit_sets:
            yield from _matrices(each)
    for drawing in view.drawings():
        yield f"figures/{drawing.name}.svg", standalone(drawing.svg)
    yield from page.passages_html(view)
    yield from page.pairs_html(view)
    for found in view.passages.lists if view.passages else ():
        yield f"tables/{found.csv}", to_csv(found.table())


def _matrices(each: UnitSetView) -> Iterator[tuple[str, str]]:
    """Yield a pair's confusion matrix as reportgen reads it, and its computed distances likewise."""
    pair = each.pair
    if pair is None:
        return
    table = pair.confusion
    corner = f"{table.rows}\\{table.columns}"
    yield f"tables/confusion.{each.slug}.csv", matrix_csv(corner, table.categories, table.counts)
    for name, matrix in (("alpha", pair.distances.computed_alpha), ("kappa", pair.distances.computed_kappa)):
        yield f"tables/computed-distances-{name}.{each.slug}.csv", matrix_csv("", table.categories, matrix)


def write_version(
    folder: Path, results: Results, beside: Mapping[str, str], texts: Texts | None = None
) -> None:
    """Write a version's folder, with the checksum of each of its files."""
    sums: list[tuple[str, str]] = []
    for name, text in version_files(results, beside, texts):
        _write(folder / name, text)
        sums.append((name, hashlib.sha256(text.encode()).hexdigest()))
    _write(folder / CHECKSUMS, "".join(f"{digest}  {name}\n" for name, digest in sorted(sums)))


def write_campaign(folder: Path, campaign: CampaignSummary) -> None:
    """Write a campaign's page and history.json."""
    versions = [
        {key: value for key, value in asdict(each).items() if key != "estimate"} for each in campaign.versions
    ]
    history = {"schema": 1, "campaign": {"id": campaign.id, "title": campaign.title}, "versions": versions}
    _write(folder / "history.json", json.dumps(history, sort_keys=True, ensure_ascii=False, indent=1) + "\n")
    _write(folder / "index.html", page.html("campaign.html.j2", campaign=campaign))


def write_index(folder: Path, campaigns: Sequence[CampaignSummary]) -> None:
    """Write the list of campaigns."""
    _write(folder / "index.html", page.html("index.html.j2", campaigns=campaigns))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8"))
