"""The parts of a version put together: the model of results.json."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from reportgen.annotators.annotator_vs_rest import mean_standings
from reportgen.campaign import Campaign, Version
from reportgen.campaign.version_settings import choose, settings
from reportgen.measures import (
    MODES,
    SHARES,
    base_id,
    distance_table,
)
from reportgen.measures.analysis import OF_ONE_CATEGORY
from reportgen.measures.catalogue import definitions, weightings_of
from reportgen.pipeline.reading import Read, everybody_in
from reportgen.results import (
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
from reportgen.units import Pseudonyms, Study, marks_left_out, sum_of_marks

TWO = 2


def put_together(
    campaign: Campaign,
    read: Read,
    studies: Sequence[Study],
    figures: Mapping[str, Any],
    names: Pseudonyms,
) -> Results:
    """Return the results of one guidelines version, rounded, without findings; `figures` are its parts.

    `names` are the pseudonyms, which the studies have already.
    """
    content = {
        **_declared(campaign, read.version, names),
        **_read(read, studies, names),
        **figures,
        "settings": settings(campaign, read.version, names.annotators, everybody_in(read)),
        "catalogue": _catalogue(figures["unit_sets"], figures["spans"]),
        "weightings": weightings_of(_figures_of(figures["unit_sets"], spans=bool(figures["spans"]))),
        "tool": Tool.here(),
    }
    found = as_written(Results, content)
    means = mean_standings(found)
    return found.model_copy(update={"standings": means and tuple(map(read_back, means))})


def _declared(campaign: Campaign, version: Version, names: Pseudonyms) -> dict[str, Any]:
    """Return what campaign.toml says of the version."""
    chosen = {layer.id: choose(campaign, version.id, layer.id) for layer in version.layers}
    first = chosen[version.layers[0].id]
    facts = campaign.model_dump(
        mode="json", include={"corpus", "authors", "protocol", "references"}, exclude_none=True
    )
    return {
        "campaign": CampaignFacts(id=campaign.id, title=campaign.title, **facts),
        "guidelines": version.id,
        "revision": Revision(
            date=version.date.isoformat() if version.date else None,
            changes=version.changes,
            document=version.document and names.in_path(version.document),
        ),
        "coefficient": first.coefficient,
        "coefficients": {layer: each.coefficient for layer, each in chosen.items()},
        "coefficient_declared": first.declared,
        "choice": chosen,
    }


def _read(read: Read, studies: Sequence[Study], names: Pseudonyms) -> dict[str, Any]:
    """Return what was read, and what became of it."""
    return {
        "reading": _reading(read),
        "distances": [distance_table(each) for each in read.distances],
        "marks": sum_of_marks(studies),
        "left_out": marks_left_out(studies),
        "material": [_material(study) for study in studies],
        "unread": sorted({names.in_path(name) for each in read.annotations for name in each.unread}),
        "inputs": [asdict(each) | {"file": names.in_path(each.file)} for each in read.sources],
    }


def _reading(read: Read) -> str:
    """Return how the exports were understood, and what each layer takes from them."""
    layers = [each.id for each in read.version.layers]
    choices = [
        f"{layer}: {each.choice}" for layer, each in zip(layers, read.annotations, strict=True) if each.choice
    ]
    return " ".join([*dict.fromkeys(each.reading for each in read.annotations), *choices])


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
