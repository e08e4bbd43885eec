"""A campaign as far as the results of one version tell of it: enough to compute them from their counts."""

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any

import tomli_w

from reportgen.release.names import CAMPAIGN, COUNTS, DISTANCES
from reportgen.results import DistanceTable, Results


def declared(results: Results, counts: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of a campaign's folder whose exports are the counts of a version.

    A site holds no campaign.toml: what is needed of it stands in results. `counts` are by their names.
    """
    files = {f"{COUNTS}{name}": content for name, content in counts.items()}
    # Under numbers: an id may be anything in results of a stranger.
    files |= {_file(place): _table(each) for place, each in enumerate(results.distances)}
    files[CAMPAIGN] = tomli_w.dumps(_without_none(_content(results))).encode()
    return files


def _content(results: Results) -> dict[str, Any]:
    facts = results.campaign
    return {
        "title": facts.title,
        "corpus": dict(facts.corpus),
        "authors": [each.model_dump() for each in facts.authors],
        "protocol": dict(facts.protocol),
        "references": [each.model_dump(mode="json") for each in facts.references],
        "privacy": {"annotators": "names", "texts": "withhold"},
        "task": _task(results),
        "layers": list(_layers(results)),
        "annotators": dict(_people(results)),
        "distances": [
            {"id": each.id, "file": _file(place), "why": each.why}
            for place, each in enumerate(results.distances)
        ],
        "guidelines": [_guidelines(results)],
    }


def _file(place: int) -> str:
    return f"{DISTANCES}{place}.csv"


def _task(results: Results) -> dict[str, Any]:
    """Return what holds for the only layer where it is called as such a one is."""
    return _layer(results, "main") if results.layers == ("main",) else {}


def _layers(results: Results) -> Iterator[dict[str, Any]]:
    if results.layers != ("main",):
        yield from ({"id": each, **_layer(results, each)} for each in results.layers)


def _layer(results: Results, layer: str) -> dict[str, Any]:
    scale = next((each.scale for each in results.unit_sets if each.layer == layer), None)
    return {"scale": scale, "coefficient": results.coefficients.get(layer)}


def _people(results: Results) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield who is no annotator, and what they are."""
    for each in results.spans.pairs if results.spans else ():
        yield from ((who, {"role": role}) for who, role in zip(each.annotators, each.roles, strict=True))
    for pair in results.comparisons.pairs if results.comparisons else ():
        yield pair.key, {"role": pair.key_role}
        yield pair.other, {"role": pair.role, "system": pair.system, "release": pair.release}


def _guidelines(results: Results) -> dict[str, Any]:
    return {
        "version": results.guidelines,
        "date": results.revision.date,
        "changes": results.revision.changes,
        "exports": COUNTS.rstrip("/"),
    }


def _table(distance: DistanceTable) -> bytes:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(("", *distance.categories))
    writer.writerows((name, *row) for name, row in zip(distance.categories, distance.rows, strict=True))
    return buffer.getvalue().encode()


def _without_none(value: Any) -> Any:  # noqa: ANN401 - any TOML value
    """Return a value without keys that have none, which no TOML file can hold."""
    if isinstance(value, Mapping):
        return {key: _without_none(each) for key, each in value.items() if each is not None}
    return [_without_none(each) for each in value] if isinstance(value, list | tuple) else value
