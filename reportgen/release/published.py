"""campaign.toml in its published form: one guidelines version, computed from the counts beside it.

It names people as the report does, and no file but those that lie in the bundle. What is said there in prose,
the campaign's title and reasons, are the publisher's own words and stay as they are.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

import tomli_w

from reportgen.campaign import Campaign, Distance, Floor, Guidelines, Layer, Task, UnitSet, Version
from reportgen.record import by_design, choose
from reportgen.release.names import COUNTS, DISTANCES, GUIDELINES
from reportgen.study import Pseudonyms

HEAD = """\
# The campaign in its published form. Names are those of the report, and the exports are its counts:
# from them `reportgen build` computes, without the texts, every figure that they determine.

"""
# What stands at the top in the order of campaign.toml, as it was declared.
CIRCUMSTANCES = ("corpus", "authors", "protocol", "references")
# Nothing is left to hide: names are those that the report shows, and texts are not there.
PRIVACY = {"annotators": "names", "documents": "names", "texts": "withhold"}
# Of a person: whose second pass somebody is, counts no longer hold.
OF_PEOPLE = {"role", "system", "release"}
EXTENSION = re.compile(r"\.(?=[0-9]*[A-Za-z])[A-Za-z0-9]{1,10}")
Toml = dict[str, Any]


def published(campaign: Campaign, version: str, names: Pseudonyms) -> str:
    """Return campaign.toml as a bundle holds it; `names` are the pseudonyms of the version."""
    content = {name: each for name, each in _content(campaign, version, names) if each not in ({}, [])}
    readable = _written(content, multiline=True)
    # A lone carriage return is one of the signs that only a string on one line can hold.
    exact = tomllib.loads(readable) == content
    return HEAD + (readable if exact else _written(content, multiline=False))


def _written(content: Toml, *, multiline: bool) -> str:
    """Return TOML in the order of the keys: each table of a list has a head of its own."""
    parts: list[str] = []
    for name, value in content.items():
        if isinstance(value, list) and isinstance(value[0], dict):
            parts += [f"[[{name}]]\n{tomli_w.dumps(each, multiline_strings=multiline)}" for each in value]
        else:
            parts.append(tomli_w.dumps({name: value}, multiline_strings=multiline))
    return "\n".join(parts)


def published_files(campaign: Campaign, version: str) -> dict[str, str]:
    """Return the campaign's files that its published form names, by their path in a bundle."""
    known = campaign.version(version)
    document = {_document(known): known.document} if known.document else {}
    return {**document, **{_table(each): each.source for each in known.distances}}


def _content(campaign: Campaign, version: str, names: Pseudonyms) -> Iterator[tuple[str, Any]]:
    known = campaign.version(version)
    (own,) = (each for each in campaign.guidelines if each.version == version)
    declared = campaign.model_dump(include=set(CIRCUMSTANCES), exclude_unset=True, exclude_none=True)
    yield "title", campaign.title
    yield "language", list(campaign.language)
    yield from ((name, _plain(declared[name])) for name in CIRCUMSTANCES if name in declared)
    yield "privacy", PRIVACY
    yield "task", _task(campaign, known)
    yield "layers", [_layer(campaign, known, each) for each in known.layers] if campaign.layers else []
    yield "annotators", dict(_people(campaign, names))
    yield "unit_sets", [_unit_set(each) for each in known.unit_sets] if campaign.unit_sets else []
    yield "distances", [_distance(each) for each in known.distances]
    yield "guidelines", [_guidelines(own, known)]
    yield "gate", dict(_gate(campaign, names))


def _plain(value: object) -> object:
    """Return lists where pydantic has tuples: TOML knows one kind alone."""
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, tuple | list) else value


# What was asked


def _task(campaign: Campaign, version: Version) -> Toml:
    """Return what holds for the version where it is not the default."""
    found = _differing(version.task, Task())
    return found if campaign.layers else found | _coefficient(campaign, version, version.layers[0])


def _layer(campaign: Campaign, version: Version, layer: Layer) -> Toml:
    """Return a layer as its counts call it, with what the task says otherwise."""
    return {"id": layer.id, **_differing(layer, version.task), **_coefficient(campaign, version, layer)}


def _differing(task: Task, other: Task) -> Toml:
    values = ((name, getattr(task, name), getattr(other, name)) for name in Task.model_fields)
    return {name: _plain(value) for name, value, known in values if value != known and value is not None}


def _coefficient(campaign: Campaign, version: Version, layer: Layer) -> Toml:
    """Return the primary coefficient of a layer where other guidelines versions made it another."""
    chosen = choose(campaign, version.id, layer.id).coefficient
    alone = layer.coefficient or by_design([layer.scale]).coefficient
    return {} if chosen == alone else {"coefficient": chosen}


def _unit_set(unit_set: UnitSet) -> Toml:
    """Return a unit set without the files that it was made from: counts say how large it is."""
    wanted = {"id", "units", "primary", "why", "base", "layer", "keep_marked", "token_pattern"}
    found = unit_set.model_dump(include=wanted, exclude_defaults=True)
    return found | ({"size": unit_set.size} if isinstance(unit_set.size, int) else {})


def _distance(distance: Distance) -> Toml:
    key = "taxonomy" if distance.taxonomy is not None else "file"
    return {"id": distance.id, key: _table(distance)} | ({"why": distance.why} if distance.why else {})


def _guidelines(own: Guidelines, version: Version) -> Toml:
    found = {"version": version.id, "date": version.date, "changes": own.changes}
    found |= {"document": _document(version) if version.document else None}
    counts = {"exports": COUNTS.removesuffix("/"), "format": "counts"}
    return {name: value for name, value in found.items() if value} | counts


# Who took part


def _people(campaign: Campaign, names: Pseudonyms) -> Iterator[tuple[str, Toml]]:
    for name, each in campaign.annotators.items():
        if _is_there(campaign, names, name):
            declared = each.model_dump(include=OF_PEOPLE, exclude_unset=True, exclude_none=True)
            yield from [(names.annotator(name), declared)] if declared else []


def _is_there(campaign: Campaign, names: Pseudonyms, name: str) -> bool:
    """Tell whether somebody may be named: where names are hidden, those in the version alone have others."""
    return campaign.privacy.annotators == "names" or name in names.annotators


def _gate(campaign: Campaign, names: Pseudonyms) -> Iterator[tuple[str, list[Toml]]]:
    for figure, floors in campaign.gate.items():
        there = [each for each in floors if all(_is_there(campaign, names, who) for who in each.annotators)]
        yield from [(figure, [_floor(each, names) for each in there])] if there else []


def _floor(floor: Floor, names: Pseudonyms) -> Toml:
    declared: Toml = floor.model_dump(exclude_unset=True, exclude_none=True, exclude={"annotators"})
    people = list(map(names.annotator, floor.annotators))
    return declared | ({"annotators": people} if people else {})


# Where its files lie in a bundle


def _document(version: Version) -> str:
    return f"{GUIDELINES}{version.id}{_extension(version.document or '')}"


def _table(distance: Distance) -> str:
    return f"{DISTANCES}{distance.id}{_extension(distance.source)}"


def _extension(file: str) -> str:
    """Return how a file's name ends, nothing where that may be a part of somebody's name."""
    found = PurePosixPath(file).suffix
    return found if EXTENSION.fullmatch(found) else ""
