"""What a folder of counts holds."""

from collections.abc import Sequence

from reportgen.formats.annotations import Annotations
from reportgen.formats.counted import Counted, LayerDescribed
from reportgen.formats.reader import ExportFile, ReadOptions
from reportgen.formats.readers import counts
from reportgen.formats.survey.found import Found, LayerFound
from reportgen.formats.survey.labels import of_labels


def of_counts(files: Sequence[ExportFile]) -> Found:
    """Return what a folder of counts holds; each of several layers is one to treat by itself.

    Categories stand in the order in which they were counted. Raises BadInput for files that are faulty.
    """
    layers: list[str | None] = [each.id for each in counts.described_in(files)]
    exports = [counts.read(files, ReadOptions(source=layer)) for layer in layers or [None]]
    contents = [each.content for each in exports if isinstance(each.content, Counted)]
    if not contents:
        return of_labels(exports[0], None)
    return _found(exports[0], [each.described for each in contents])


def _found(first: Annotations, layers: Sequence[LayerDescribed]) -> Found:
    own = [LayerFound(each.id, _labels(each), "items") for each in layers]
    every = {name: 0 for layer in own for name in layer.labels}
    for layer in own:
        for name, count in layer.labels.items():
            every[name] += count
    people = dict.fromkeys(name for each in layers for name in each.annotators)
    primary = next((each for each in layers[0].unit_sets if each.primary), layers[0].unit_sets[0])
    return Found(
        annotators=tuple(people),
        documents=max(each.material.documents for each in layers),
        unmarked=0,
        whole=LayerFound(None, every, "items"),
        units=primary.units_read + primary.units_added - sum(primary.units_left_out.values()),
        roles=first.roles,
        layers=tuple(own) if len(own) > 1 else (),
        sources=tuple(each.id for each in layers),
        ordered=True,
        scale=primary.scale,
    )


def _labels(layer: LayerDescribed) -> dict[str, int]:
    """Return how often each label was given, in the order of the categories."""
    counted = layer.material.labels
    categories = dict.fromkeys(name for each in layer.unit_sets for name in each.categories)
    return {name: counted[name] for name in (*categories, *counted) if name in counted}
