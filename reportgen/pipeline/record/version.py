"""From what was computed to the model of results.json."""

import functools
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from importlib import metadata
from typing import Any

from reportgen import __version__
from reportgen.annotators.annotator_vs_rest import mean_standings
from reportgen.annotators.quality import LayerQuality
from reportgen.base.files import InputFile
from reportgen.campaign import Campaign, DistanceMatrix, Version
from reportgen.measures import SHARES, SpanAgreement, UnitSetAgreement, base_id, distance_table
from reportgen.pipeline.record.definitions import definition_content, figures_of, weighting_content
from reportgen.pipeline.record.unit_sets import choose, unit_set
from reportgen.results import Adjudication, Results, Tool, read_back, rounded
from reportgen.results.annotators import Comparisons
from reportgen.results.changes import SystemRevision
from reportgen.results.marks import SpanResults
from reportgen.units import Study, marks_left_out, sum_of_marks

LIBRARIES = ("numpy", "scipy", "matplotlib")


@dataclass(frozen=True)
class VersionAnalysis:
    """All that was computed of one guidelines version."""

    campaign: Campaign
    version: Version
    reading: str
    studies: Sequence[Study]
    agreements: Sequence[UnitSetAgreement]
    spans: SpanResults | None
    marked: Sequence[SpanAgreement]
    adjudication: Sequence[Adjudication]
    distances: Sequence[DistanceMatrix]
    sources: Sequence[InputFile]
    unread: Sequence[str]
    settings: str = ""
    quality: Sequence[LayerQuality] = ()
    comparisons: Comparisons | None = None
    crowd: str | None = None
    releases: Sequence[SystemRevision] = ()


def record(computed: VersionAnalysis) -> Results:
    """Return the results of one guidelines version, without findings."""
    campaign, version = computed.campaign, computed.version
    chosen = {layer.id: choose(campaign, version.id, layer.id) for layer in version.layers}
    studies = dict(zip((layer.id for layer in version.layers), computed.studies, strict=True))
    content: dict[str, Any] = {
        "schema": 1,
        "campaign": _facts(campaign),
        "guidelines": version.id,
        "revision": _revision(version),
        "coefficient": chosen[version.layers[0].id].coefficient,
        "coefficients": {layer: each.coefficient for layer, each in chosen.items()},
        "coefficient_declared": chosen[version.layers[0].id].declared,
        "choice": {layer: asdict(each) | {"declared": each.declared} for layer, each in chosen.items()},
        "reading": computed.reading,
        "unit_sets": [unit_set(each, studies[each.units.layer]) for each in computed.agreements],
        "spans": computed.spans,
        "comparisons": computed.comparisons,
        "releases": computed.releases or None,
        "quality": [each.quality for each in computed.quality] or None,
        "adjudication": list(computed.adjudication) or None,
        "distances": [distance_table(each) for each in computed.distances],
        "marks": sum_of_marks(computed.studies),
        "left_out": marks_left_out(computed.studies),
        "material": [_material(study) for study in computed.studies],
        "unread": computed.unread,
        "settings": computed.settings,
        "inputs": [asdict(each) for each in computed.sources],
        "catalogue": _catalogue(computed.agreements, computed.spans),
        "weightings": weighting_content(figures_of(computed.agreements, spans=bool(computed.spans))),
        "tool": tool(),
    }
    found = read_back(Results.model_validate(rounded(content)))
    return found.model_copy(update={"standings": mean_standings(found)})


def tool() -> Tool:
    """Return what provenance says of this program and the libraries that numbers and figures depend on."""
    libraries = {name: _version(name) for name in LIBRARIES}
    return Tool(name="reportgen", version=__version__, libraries=libraries)


@functools.cache
def _version(library: str) -> str:
    return metadata.version(library)


def _facts(campaign: Campaign) -> dict[str, Any]:
    def known(table: Any) -> dict[str, Any]:  # noqa: ANN401 - any table of campaign.toml
        return dict(table.model_dump(mode="json", exclude_none=True))

    return {
        "id": campaign.id,
        "title": campaign.title,
        "corpus": known(campaign.corpus),
        "authors": [known(author) for author in campaign.authors],
        "protocol": known(campaign.protocol),
        "references": [known(reference) for reference in campaign.references],
    }


def _revision(version: Version) -> dict[str, Any]:
    date = version.date.isoformat() if version.date else None
    return {"date": date, "changes": version.changes, "document": version.document}


def _material(study: Study) -> dict[str, Any]:
    material = study.material
    shares = {name: count / material.marks for name, count in material.labels.items()}
    return asdict(material) | {
        "shares": shares,
        "marks_per_document": material.marks / material.copies if material.copies else None,
        "marks_per_1000_tokens": 1000 * material.marks / material.tokens_seen
        if material.tokens_seen
        else None,
    }


def _catalogue(agreements: Iterable[UnitSetAgreement], spans: SpanResults | None) -> dict[str, Any]:
    """Return the definitions of the measures that the results use, in the catalogue's order."""
    used = {base_id(name) for each in agreements for name in (*each.measures, *each.mean_over_pairs)}
    for agreement in agreements:
        for pair in agreement.pairs:
            used |= {base_id(name) for name in (*pair.measures, *pair.tests)}
            used |= {base_id(name) for figures in pair.against_rest for name in figures}
            used |= {"conditional_probabilities", "computed_distances"}
    used.add("specific_agreement")
    if spans:
        used |= {*SHARES, "false_positives"}
        used |= {name for each in spans.unitizing or () for name in each.used}
    return {name: each for name, each in definition_content().items() if name in used}
