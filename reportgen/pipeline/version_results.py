"""The parts of a version put together: the model of results.json."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from reportgen.annotators.annotator_vs_rest import mean_standings
from reportgen.annotators.quality import LayerQuality
from reportgen.base.files import InputFile
from reportgen.campaign import Campaign, DistanceMatrix, Version
from reportgen.campaign.version_settings import choose
from reportgen.measures import (
    MODES,
    SHARES,
    SpanAgreement,
    UnitSetAgreement,
    base_id,
    distance_table,
    unit_set,
)
from reportgen.measures.analysis import OF_ONE_CATEGORY
from reportgen.measures.catalogue.definitions import definitions, weightings_of
from reportgen.pipeline.record.comparisons import ComputedComparisons, comparisons_content, system_revisions
from reportgen.results import (
    Adjudication,
    CampaignFacts,
    Definition,
    Results,
    Revision,
    Tool,
    UnitSet,
    as_written,
    read_back,
)
from reportgen.results.marks import SpanResults
from reportgen.units import Study, marks_left_out, sum_of_marks
from reportgen.versions.system_comparison import SystemRevised

TWO = 2


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
    comparisons: ComputedComparisons = field(default_factory=ComputedComparisons)
    releases: Sequence[SystemRevised] = ()


def record(computed: VersionAnalysis) -> Results:
    """Return the results of one guidelines version, without findings."""
    campaign, version = computed.campaign, computed.version
    chosen = {layer.id: choose(campaign, version.id, layer.id) for layer in version.layers}
    studies = dict(zip((layer.id for layer in version.layers), computed.studies, strict=True))
    unit_sets = [unit_set(each, studies[each.units.layer]) for each in computed.agreements]
    content: dict[str, Any] = {
        "schema": 1,
        "campaign": _facts(campaign),
        "guidelines": version.id,
        "revision": _revision(version),
        "coefficient": chosen[version.layers[0].id].coefficient,
        "coefficients": {layer: each.coefficient for layer, each in chosen.items()},
        "coefficient_declared": chosen[version.layers[0].id].declared,
        "choice": chosen,
        "reading": computed.reading,
        "unit_sets": unit_sets,
        "spans": computed.spans,
        "comparisons": comparisons_content(computed.comparisons),
        "releases": system_revisions(computed.releases) or None,
        "quality": [each.quality for each in computed.quality] or None,
        "adjudication": list(computed.adjudication) or None,
        "distances": [distance_table(each) for each in computed.distances],
        "marks": sum_of_marks(computed.studies),
        "left_out": marks_left_out(computed.studies),
        "material": [_material(study) for study in computed.studies],
        "unread": computed.unread,
        "settings": computed.settings,
        "inputs": [asdict(each) for each in computed.sources],
        "catalogue": _catalogue(unit_sets, computed.spans),
        "weightings": weightings_of(_figures_of(unit_sets, spans=bool(computed.spans))),
        "tool": Tool.here(),
    }
    found = as_written(Results, content)
    means = mean_standings(found)
    return found.model_copy(update={"standings": means and tuple(map(read_back, means))})


def _facts(campaign: Campaign) -> CampaignFacts:
    named = campaign.model_dump(
        mode="json", include={"corpus", "authors", "protocol", "references"}, exclude_none=True
    )
    return CampaignFacts(id=campaign.id, title=campaign.title, **named)


def _revision(version: Version) -> Revision:
    date = version.date.isoformat() if version.date else None
    return Revision(date=date, changes=version.changes, document=version.document)


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


def _catalogue(unit_sets: Iterable[UnitSet], spans: SpanResults | None) -> dict[str, Definition]:
    """Return the definitions of the measures that the results use, in the catalogue's order."""
    used = {"specific_agreement"}
    if spans:
        used |= {*SHARES, "false_positives"}
        used |= {name for each in spans.unitizing or () for name in each.used}
    for each in unit_sets:
        used |= {*each.measures, *each.mean_over_pairs}
        used |= {name for pair in each.pairs for name in (*pair.measures, *pair.symmetry)}
        if each.pairs:
            used |= {"conditional_probabilities", "computed_distances"}
        if each.pairs and (each.sets or len(each.categories) > TWO):
            used |= set(OF_ONE_CATEGORY)
    bases = {base_id(name) for name in used}
    return {name: each for name, each in definitions().items() if name in bases}


def _figures_of(unit_sets: Iterable[UnitSet], *, spans: bool) -> set[str]:
    """Return the ids of all figures of unit sets and their pairs, and of spans where there are some."""
    found = {f"{share}[{mode}]" for share in SHARES for mode in MODES} if spans else set[str]()
    for each in unit_sets:
        found |= {*each.measures, *each.mean_over_pairs}
        found |= {name for pair in each.pairs for name in pair.measures}
    return found
