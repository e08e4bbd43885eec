"""What counts.json says of marks in texts and of everybody, where it is not at one with itself."""

from collections import Counter
from collections.abc import Iterator, Sequence

from reportgen.formats.counted import EverybodyDescribed, LayerDescribed, SpansDescribed
from reportgen.formats.parsing.json_lines import Path

ORDER = ("reference", "annotator", "system", "model")
Found = Iterator[tuple[Path, str]]


def contradictions(path: Path, layer: LayerDescribed) -> Found:
    """Yield where the description of a layer's marks, and of everybody's labels, contradicts itself."""
    if layer.spans is not None:
        yield from _of_spans((*path, "spans"), layer.spans)
    yield from _twice((*path, "everybody"), [each.units.id for each in layer.everybody])
    known = {each.id for each in layer.unit_sets}
    for place, each in enumerate(layer.everybody):
        if each.units.id not in known:
            yield (*path, "everybody", place, "units", "id"), f'the layer has no unit set "{each.units.id}".'
        yield from _of_everybody((*path, "everybody", place), each)


def _of_spans(path: Path, spans: SpansDescribed) -> Found:
    for key in ("people", "types", "documents"):
        yield from _twice((*path, key), getattr(spans, key) or ())
    yield from _roles(path, spans.people, spans.roles)
    yield from _strangers((*path, "derived"), spans.derived, spans.people)
    for place, (first, second, _) in enumerate(spans.differs_from_greedy):
        yield from _strangers((*path, "differs_from_greedy", place), (first, second), spans.people)
    yield from _twice((*path, "credits"), [each.distance for each in spans.credits])
    for place, each in enumerate(spans.credits):
        size = len(spans.types)
        if len(each.earned) != size or any(len(row) != size for row in each.earned):
            yield (*path, "credits", place, "earned"), f"has not {size} rows and columns, one for each type."
        elif not all(0 <= value <= 1 for row in each.earned for value in row):
            yield (*path, "credits", place, "earned"), "has numbers that are not between 0 and 1."


def _of_everybody(path: Path, described: EverybodyDescribed) -> Found:
    units = described.units
    for key in ("annotators", "categories", "documents"):
        yield from _twice((*path, "units", key), getattr(units, key) or ())
    yield from _roles(path, units.annotators, described.roles)
    yield from _strangers((*path, "derived"), described.derived, units.annotators)
    absent, size = described.absent, len(units.categories)
    if units.non_annotated is not None and absent != size - 1:
        yield (*path, "absent"), f"is not {size - 1}, the code of the category of unmarked units."
    elif units.non_annotated is None and absent not in (None, size):
        yield (*path, "absent"), "is a code, and the units have no category of unmarked ones."
    if units.non_annotated is not None and (not size or units.categories[-1] != units.non_annotated):
        yield (*path, "units", "non_annotated"), "is not the last of the categories."
    if units.sets is not None and len(units.sets) < size:
        yield (*path, "units", "sets"), f"has {len(units.sets):,} entries for {size:,} categories."


def _roles(path: Path, people: Sequence[str], roles: Sequence[str]) -> Found:
    if len(people) != len(roles):
        yield (*path, "roles"), f"has {len(roles):,} entries for {len(people):,} people."
    elif list(roles) != sorted(roles, key=ORDER.index):
        yield (*path, "roles"), f"are not in the order {', '.join(ORDER)}."


def _twice(path: Path, names: Sequence[str]) -> Found:
    times = Counter(names)
    seen: set[str] = set()
    for place, name in enumerate(names):
        if times[name] > 1 and name in seen:
            yield (*path, place), f'"{name}" stands there twice.'
        seen.add(name)


def _strangers(path: Path, names: Sequence[str], known: Sequence[str]) -> Found:
    for place, name in enumerate(names):
        if name not in known:
            yield (*path, place), f'"{name}" is none of the people.'
