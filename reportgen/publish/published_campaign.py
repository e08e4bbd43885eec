"""campaign.toml in its published form: one guidelines version, computed from the counts beside it.

It names people as the report does, and no file but those that lie in the bundle. What is said there in prose,
the campaign's title and reasons, are the publisher's own words and stay as they are.
"""

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import tomli_w

from reportgen.base import FORMAT
from reportgen.base.errors import BadInput, Problem
from reportgen.base.files import read_bytes, read_text
from reportgen.campaign import Campaign, Distance, Guidelines, Layer, Task, UnitSet, Version
from reportgen.campaign.guidelines import by_design, choose
from reportgen.campaign.load import placed
from reportgen.campaign.toml_tables import CampaignToml, ReadOptions, Table
from reportgen.measures.annotators.groups import ToldGroups
from reportgen.publish.bundle_files import CAMPAIGN, COUNTS, DISTANCES, EXPORTS, GUIDELINES, PSEUDONYMS
from reportgen.results import Results
from reportgen.results.model import csv_text
from reportgen.units import Pseudonyms, hides, pseudonyms_csv

HEAD = """\
# The campaign in its published form. Names are those of the report, and the exports are its counts:
# from them `reportgen build` computes, without the texts, every figure that they determine.

"""
# What is left out, by the table and the key, and why; every other key of campaign.toml is published.
ON_EXPORTS = "It says how exports are read, and counts are what was read."
NO_FILE = "It names a file that is in no bundle."
OF_UNITS = "Counts do not say who is nearer to the others on a unit."
WORKED_IN = "What is so of the version alone is in its own table."
LEFT_OUT: Mapping[str, str] = {
    "annotators.group": "Counts do not say who labelled which unit; the table of labels has groups.",
    "annotators.prompt": NO_FILE,
    "annotators.same_as": "Counts no longer say who annotated twice.",
    "controls": "Its file names units, which counts do not.",
    "gate.model": OF_UNITS,
    "gate.winning_rate": OF_UNITS,
    "guidelines.adjudication": NO_FILE,
    "guidelines.distances": WORKED_IN,
    "guidelines.merged": "It speaks of another version.",
    "guidelines.unit_sets": WORKED_IN,
    "layers.source": ON_EXPORTS,
    "source": "It says where people work, which is nobody else's business.",
    "unit_sets.file": NO_FILE,
    **{f"guidelines.{name}": WORKED_IN for name in Task.model_fields},
    **{f"guidelines.{name}": ON_EXPORTS for name in ReadOptions.model_fields if name != "format"},
}
# Keys whose values are people, by the names that they have in the exports.
PEOPLE = frozenset(("annotators", "expert", "model"))
# Nothing is left to hide: names are those that the report shows, and texts are not there.
PRIVACY = {"annotators": "names", "systems": "names", "documents": "names", "texts": "withhold"}
REPLACEMENT = "replacement"
EXTENSION = re.compile(r"\.(?=[0-9]*[A-Za-z])[A-Za-z0-9]{1,10}")
Toml = dict[str, Any]


def published(campaign: Campaign, version: str, names: Pseudonyms) -> str:
    """Return campaign.toml as a bundle holds it; `names` are the pseudonyms of the version."""
    content = {name: value for name, value in _content(campaign, version, names) if value not in ({}, [])}
    readable = _written(content, multiline=True)
    # A lone carriage return is one of the signs that only a string on one line can hold.
    exact = tomllib.loads(readable) == content
    return HEAD + (readable if exact else _written(content, multiline=False))


def _written(content: Toml, *, multiline: bool) -> str:
    """Return TOML in the order of the keys: each table of a list has a head of its own."""
    parts: list[str] = []
    for name, value in content.items():
        if isinstance(value, list) and isinstance(value[0], dict):
            parts += [f"[[{name}]]\n{tomli_w.dumps(table, multiline_strings=multiline)}" for table in value]
        else:
            parts.append(tomli_w.dumps({name: value}, multiline_strings=multiline))
    return "\n".join(parts)


def published_files(campaign: Campaign, version: str) -> dict[str, str]:
    """Return the campaign's files that its published form names, by their path in a bundle."""
    resolved = campaign.version(version)
    document = {_document(resolved): resolved.document} if resolved.document else {}
    return {**document, **{_table(distance): distance.source for distance in resolved.distances}}


def _content(campaign: Campaign, version: str, names: Pseudonyms) -> Iterator[tuple[str, Any]]:
    """Yield what is published under each key, in the order of campaign.toml."""
    in_force = campaign.version(version)
    (own,) = (guidelines for guidelines in campaign.guidelines if guidelines.version == version)
    resolved: Toml = {
        "schema": FORMAT,
        "title": campaign.title,
        "language": list(campaign.language),
        "privacy": {
            **PRIVACY,
            "smallest": campaign.privacy.smallest,
            **campaign.privacy.model_dump(include={"labels", "times"}, exclude_defaults=True),
        },
        "task": _task(campaign, in_force),
        "layers": [_layer(campaign, in_force, layer) for layer in in_force.layers] if campaign.layers else [],
        "annotators": dict(_people(campaign, names)),
        "unit_sets": [_unit_set(unit_set) for unit_set in in_force.unit_sets] if campaign.unit_sets else [],
        "distances": [_distance(distance) for distance in in_force.distances],
        "guidelines": [_guidelines(own, in_force)],
        "gate": dict(_gate(campaign, names)),
    }
    declared = campaign.model_dump(include=set(CampaignToml.model_fields), by_alias=True, exclude_unset=True)
    if rule := campaign.replacement:
        declared["replacement"] = _renamed(campaign, rule, names)
    for name in (field.alias or name for name, field in CampaignToml.model_fields.items()):
        if name not in LEFT_OUT and (name in resolved or declared.get(name) is not None):
            yield name, _plain(resolved.get(name, declared.get(name)))


def _kept(table: Table, table_name: str) -> Toml:
    """Return what is declared in a table of campaign.toml and published as it is."""
    left_out = _left_out(table, table_name)
    shown = table.model_dump(by_alias=True, exclude_unset=True, exclude_none=True, exclude=left_out)
    content: Toml = _plain(shown)
    return content


def _left_out(table: Table, table_name: str) -> set[str]:
    return {name for name in type(table).model_fields if f"{table_name}.{name}" in LEFT_OUT}


def _renamed(campaign: Campaign, table: Table, names: Pseudonyms) -> Toml:
    """Return a table that names people by their pseudonyms; those who may not be named are left out."""
    content = _kept(table, "")
    for key in PEOPLE & content.keys():
        asked = content[key] if isinstance(content[key], list) else [content[key]]
        there = [names.annotator(name) for name in asked if _is_there(campaign, names, name)]
        content[key] = there if isinstance(content[key], list) else "".join(there)
    return {name: value for name, value in content.items() if value or name not in PEOPLE}


def _plain(value: Any) -> Any:  # noqa: ANN401 - any TOML value
    """Return lists where pydantic has tuples, and no key that has None: TOML has neither."""
    if isinstance(value, Mapping):
        return {name: _plain(content) for name, content in value.items() if content is not None}
    return [_plain(content) for content in value] if isinstance(value, tuple | list) else value


# What was asked


def _task(campaign: Campaign, version: Version) -> Toml:
    """Return what holds for the version where it is not the default."""
    differing = _differing(version.task, Task())
    return differing if campaign.layers else differing | _coefficient(campaign, version, version.layers[0])


def _layer(campaign: Campaign, version: Version, layer: Layer) -> Toml:
    """Return a layer as its counts call it, with what the task says otherwise."""
    return {"id": layer.id, **_differing(layer, version.task), **_coefficient(campaign, version, layer)}


def _differing(task: Task, other: Task) -> Toml:
    values = ((name, getattr(task, name), getattr(other, name)) for name in Task.model_fields)
    return {name: _plain(value) for name, value, default in values if value != default and value is not None}


def _coefficient(campaign: Campaign, version: Version, layer: Layer) -> Toml:
    """Return the primary coefficient of a layer where other guidelines versions made it another."""
    chosen = choose(campaign, version.id, layer.id).coefficient
    alone = layer.coefficient or by_design([layer.scale]).coefficient
    return {} if chosen == alone else {"coefficient": chosen}


def _unit_set(unit_set: UnitSet) -> Toml:
    """Return a unit set without the files that it was made from: counts say how large it is."""
    left_out = {"size", *_left_out(unit_set, "unit_sets")}
    content: Toml = _plain(unit_set.model_dump(exclude=left_out, exclude_defaults=True))
    return content | ({"size": unit_set.size} if isinstance(unit_set.size, int) else {})


def _distance(distance: Distance) -> Toml:
    key = "taxonomy" if distance.taxonomy is not None else "file"
    worked_in = {"id": distance.id, key: _table(distance)} | ({"why": distance.why} if distance.why else {})
    return {**worked_in, **distance.model_dump(exclude={"id", "file", "taxonomy", "why"}, exclude_unset=True)}


def _guidelines(own: Guidelines, version: Version) -> Toml:
    """Return the version's own table: its exports are the counts, and what it says otherwise is worked in."""
    document = _document(version) if version.document else None
    own_content = {"version": version.id, "date": version.date, "changes": own.changes, "document": document}
    counts = {"exports": COUNTS.removesuffix("/"), "format": "counts"}
    others = {
        name: content
        for name, content in _kept(own, "guidelines").items()
        if name not in (*own_content, *counts)
    }
    return {name: value for name, value in own_content.items() if value} | counts | others


# Who took part


def _people(campaign: Campaign, names: Pseudonyms) -> Iterator[tuple[str, Toml]]:
    for name, annotator in campaign.annotators.items():
        if _is_there(campaign, names, name) and (declared := _kept(annotator, "annotators")):
            yield names.annotator(name), declared


def _is_there(campaign: Campaign, names: Pseudonyms, name: str) -> bool:
    """Tell whether somebody may be named: where names are hidden, those in the version alone have others."""
    return not hides(campaign, name) or name in names.annotators


def _gate(campaign: Campaign, names: Pseudonyms) -> Iterator[tuple[str, list[Toml]]]:
    """Yield each figure's rules that counts can test, without those about people who are not named.

    Counts do not say who is nearer on a unit.
    """
    for figure, floors in campaign.gate.items():
        if figure == REPLACEMENT:
            continue
        both = ((_kept(floor, "gate"), _renamed(campaign, floor, names)) for floor in floors)
        there = [shown for declared, shown in both if _people_in(declared) == _people_in(shown)]
        yield from [(figure, there)] if there else []


def _people_in(table: Toml) -> int:
    """Return how many people a table names."""
    return sum(
        len(people) if isinstance(people, list) else 1 for key, people in table.items() if key in PEOPLE
    )


# Where its files lie in a bundle


def _document(version: Version) -> str:
    return f"{GUIDELINES}{version.id}{_extension(version.document or '')}"


def _table(distance: Distance) -> str:
    return f"{DISTANCES}{distance.id}{_extension(distance.source)}"


def _extension(file: str) -> str:
    """Return how a file's name ends, nothing where that may be a part of somebody's name."""
    suffix = PurePosixPath(file).suffix
    return suffix if EXTENSION.fullmatch(suffix) else ""


# A campaign as far as the results of one version tell of it: enough to compute them from their counts.


def declared(results: Results, counts: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of a campaign's folder whose exports are the counts of a version.

    A site holds no campaign.toml: what is needed of it is in results. `counts` are by their names.
    """
    # Under numbers: an id may be anything in results of a stranger.
    tables = {f"{DISTANCES}{number}.csv": distance for number, distance in enumerate(results.distances)}
    distances: list[Toml] = [
        {"id": distance.id, "file": file, "why": distance.why} for file, distance in tables.items()
    ]
    files = {f"{COUNTS}{name}": content for name, content in counts.items()}
    for file, distance in tables.items():
        rows = ((name, *row) for name, row in zip(distance.categories, distance.rows, strict=True))
        files[file] = csv_text(("", *distance.categories), rows).encode()
    return {**files, CAMPAIGN: tomli_w.dumps(_plain(_declared_content(results, distances))).encode()}


def _scale(results: Results, layer: str) -> str | None:
    """Return the scale of a layer: where marks overlap in some unit sets alone, that of the others."""
    scales = [unit_set.scale for unit_set in results.unit_sets if unit_set.layer == layer]
    return next((scale for scale in scales if scale != "set"), scales[0] if scales else None)


def _declared_content(results: Results, distances: list[Toml]) -> Toml:
    facts = results.campaign
    layers = {
        layer: {"scale": _scale(results, layer), "coefficient": results.coefficients.get(layer)}
        for layer in results.layers
    }
    # The only layer is called as such a one is, and has its settings from the task.
    alone = layers.pop("main", {}) if results.layers == ("main",) else {}
    return {
        "title": facts.title,
        "corpus": dict(facts.corpus),
        "authors": [author.model_dump() for author in facts.authors],
        "protocol": dict(facts.protocol),
        "references": [reference.model_dump(mode="json") for reference in facts.references],
        "privacy": {"annotators": "names", "texts": "withhold", "smallest": _smallest(results)},
        "task": alone,
        "layers": [{"id": name, **layer} for name, layer in layers.items()],
        "annotators": dict(_declared_people(results)),
        "distances": distances,
        "guidelines": [
            {
                "version": results.guidelines,
                "date": results.revision.date,
                "changes": results.revision.changes,
                "was": results.revision.was,
                "released": results.revision.released,
                "again": results.revision.again,
                "exports": COUNTS.rstrip("/"),
            }
        ],
    }


def _smallest(results: Results) -> int:
    """Return the smallest number of units that tables of people show, 1 where they show all."""
    pairs = [*(results.spans.pairs if results.spans else ())]
    joined = [pair.withheld for unit_set in results.unit_sets for pair in unit_set.pairs]
    return next((table.below for table in (*joined, *(pair.withheld for pair in pairs)) if table), 1)


def _declared_people(results: Results) -> Iterator[tuple[str, Toml]]:
    """Yield who is no annotator, and what they are."""
    for marks in results.spans.pairs if results.spans else ():
        yield from ((who, {"role": role}) for who, role in zip(marks.annotators, marks.roles, strict=True))
    for pair in results.comparisons.pairs if results.comparisons else ():
        yield pair.key, {"role": pair.key_role}
        yield pair.other, {"role": pair.role, "system": pair.system, "release": pair.release}


# What figures were computed from, attached on request: the exports under real names, byte for byte.
#
# `exports/` is a campaign's folder: campaign.toml as it was declared, reduced to one guidelines version, and
# the files that it names. `pseudonyms.csv` says who and what is called what in the report, so that everything
# can be computed again.

OWN = PSEUDONYMS.removeprefix(EXPORTS)


def exported(
    campaign: Campaign, version: Version, names: Pseudonyms, people: Collection[str], groups: ToldGroups
) -> dict[str, bytes]:
    """Return the exports of a version with all that is read beside them, by their paths in the bundle.

    Of `people`, those who are in the version, campaign.toml has what is declared, with those `groups` that
    may be named: which these are depends on other versions too. Raises BadInput where a
    file can't be read or named in a bundle, or labels are at an address: it may have a password in it.
    """
    if version.reading.database is not None:
        message, remedy = "is an address: what is there can't be attached.", "Leave out --with-exports."
        raise BadInput([placed(campaign, Problem("", message=message, remedy=remedy), version.id)])
    paths = dict(sorted(named_files(campaign, version).items()))
    unprintable = "has a name with signs that can't be printed, which lists of checksums can't contain."
    unfit = {name: unprintable for name in paths if not name.isprintable()}
    unfit |= {OWN: "has a name that the bundle needs."} if OWN in paths else {}
    if unfit:
        raise BadInput(
            [Problem(version.shown(name), message=why, remedy="Rename it.") for name, why in unfit.items()]
        )
    files = {name: read_bytes(path, version.shown(name)) for name, path in paths.items()}
    files[CAMPAIGN] = tomli_w.dumps(_reduced(campaign, version, people, groups)).encode()
    files[OWN] = pseudonyms_csv(names).encode()
    return {f"{EXPORTS}{name}": content for name, content in files.items()}


def named_files(campaign: Campaign, version: Version) -> dict[str, Path]:
    """Return the files that campaign.toml names: the exports, and what is read beside them."""
    sizes = [unit_set.size for unit_set in campaign.unit_sets if isinstance(unit_set.size, str)]
    distances = [distance.source for distance in campaign.distances]
    beside = {name: campaign.folder / name for name in (*version.files, *sizes, *distances)}
    return {**beside, **{file.name: file.path for file in version.exports}}


def _reduced(
    campaign: Campaign, version: Version, people: Collection[str], groups: ToldGroups
) -> dict[str, Any]:
    """Return what campaign.toml says, as far as it holds for one version."""
    declared = tomllib.loads(read_text(campaign.folder / CAMPAIGN, campaign.file))
    said: Toml = {"released": version.released} if version.released else {}
    said |= {"again": version.again} if version.again else {}
    columns = version.reading.columns.model_dump(mode="json", by_alias=True, exclude_unset=True)
    said |= {"columns": columns} if columns else {}
    declared["guidelines"] = [
        guidelines | said for guidelines in declared["guidelines"] if guidelines["version"] == version.id
    ]
    # What compares the newest version with others goes, and what can name people who are not in it.
    declared.pop("gate", None)
    annotators = declared.pop("annotators", {})
    if groups.attributes:
        told = {name: {"group": dict(groups.of.get(name, {}))} for name in sorted(people)}
        annotators = {name: annotators.get(name, {}) | told.get(name, {}) for name in {**annotators, **told}}
    if annotators:
        needed = {
            *people,
            *(annotator.get("same_as", "") for name, annotator in annotators.items() if name in people),
        }
        declared["annotators"] = {name: annotator for name, annotator in annotators.items() if name in needed}
    return declared


def as_chosen(campaign: Campaign, recorded: Results) -> Campaign:
    """Return the campaign of `exports/` with its own name, as its results were computed.

    What other guidelines versions say of the primary coefficient is in the recorded results alone.
    """
    own = next(
        (guidelines for guidelines in campaign.guidelines if guidelines.version == recorded.guidelines), None
    )
    if own is None:
        return campaign
    reasons = [(layer, choice.values) for layer, choice in recorded.choice.items()]
    elsewhere = {
        str(values["version"]): {"coefficient": recorded.coefficients.get(layer)}
        for layer, values in reasons
        if "version" in values
    }
    others = [_other(own, name, said) for name, said in elsewhere.items()]
    differing = next((str(values["scales"]).split(", ") for _, values in reasons if "scales" in values), [])
    scale = own.scale if "scale" in own.model_fields_set else campaign.task.scale
    by_scale = [
        own if scale_name == scale else _other(own, f"({scale_name})", {"scale": scale_name})
        for scale_name in differing
    ]
    guidelines = tuple(by_scale or [own]) + tuple(others)
    return campaign.model_copy(update={"id": recorded.campaign.id, "guidelines": guidelines})


def _other(own: Guidelines, version: str, said: Mapping[str, Any]) -> Guidelines:
    """Return guidelines of which only what chooses a coefficient is known."""
    scale = {"scale": own.scale} if "scale" in own.model_fields_set else {}
    fields = {"version": version, **scale, **said}
    return Guidelines.model_construct(set(fields), **fields)
