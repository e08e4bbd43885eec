"""What no key tells alone: keys that must fit each other.

The checks read the parsed file itself, not the models, so that they complain together with them: one
key of a wrong type hides no other mistake. What has a wrong type is passed over here.
"""

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from reportgen.base.errors import Problem, alternatives, nearest, quoted
from reportgen.campaign.guidelines import Campaign
from reportgen.campaign.metadata import ChangeDemands, VersionDemands
from reportgen.campaign.toml_lines import lines_of
from reportgen.campaign.values import Complaint, KeyPath, Unfit, day, dotted

if TYPE_CHECKING:
    from reportgen.campaign.toml_tables import Task


Data = Mapping[str, object]

NAMED = {"layers": "id", "unit_sets": "id", "distances": "id", "guidelines": "version"}
KEYS_OF_UNITS = {
    "items": (),
    "tokens": ("token_pattern",),
    "sentences": (),
    "candidates": ("file", "layer", "keep_marked"),
    "declared": ("size", "base", "token_pattern"),
    "annotated-by-any": ("base", "token_pattern"),
    "annotated-by-all": ("base", "token_pattern"),
}
# What a floor of [gate] may hold a figure to; a model that would take an annotator's place to a rate alone.
REPLACEMENT, OF_REPLACEMENT = "replacement", ("model", "winning_rate")
HOLDING = tuple(
    key for key in (*VersionDemands.model_fields, *ChangeDemands.model_fields) if key not in OF_REPLACEMENT
)
# What is said of models alone.
OF_MODELS = ("model", "provider", "version", "prompt", "temperature", "seed", "date", "examples")
# The keys of what annotators were paid: the first three need each other.
OF_PAY = ("pay_amount", "pay_currency", "pay_per", "pay_minimum")
# What units are where the campaign does not say: those of tables, those of marks in texts.
DEFAULT_UNIT_SETS = ["items", "tokens", "marked"]
SPECIAL_KEYS = tuple(dict.fromkeys(key for keys in KEYS_OF_UNITS.values() for key in keys))


def check(data: Data) -> Iterator[Complaint]:
    """Yield every complaint about keys of a parsed campaign.toml that do not fit each other."""
    for one_check in CHECKS:
        yield from one_check(data)


def _tables(data: Data, key: str) -> list[tuple[KeyPath, Data]]:
    listed = data.get(key)
    elements = listed if isinstance(listed, list) else []
    return [((key, index), table) for index, table in enumerate(elements) if isinstance(table, dict)]


def _table(data: Data, key: str) -> Data:
    table = data.get(key)
    return table if isinstance(table, dict) else {}


def _text(table: Data, key: str) -> str:
    value = table.get(key)
    return value if isinstance(value, str) else ""


def _names(data: Data, key: str) -> list[str]:
    return [name for _, table in _tables(data, key) if (name := _text(table, NAMED[key]))]


def _different_names(data: Data) -> Iterator[Complaint]:
    for key, name_key in NAMED.items():
        first: dict[str, KeyPath] = {}
        for path, table in _tables(data, key):
            name = _text(table, name_key)
            other = first.setdefault(name.casefold(), path)
            if name and other != path:
                message = f"is {quoted(name)}, which differs from {dotted(other)} by case at most."
                yield Complaint((*path, name_key), message, "Choose another name.")


def _earlier_names(data: Data) -> Iterator[Complaint]:
    """Yield a complaint for each earlier name of a version that another version has, or had."""
    named = {name.casefold(): name for name in _names(data, "guidelines")}
    for path, table in _tables(data, "guidelines"):
        was = table.get("was")
        for name in was if isinstance(was, list) else [was]:
            if isinstance(name, str) and name.casefold() in named:
                message = (
                    f"is {quoted(name)}, and a version is, or was, called {quoted(named[name.casefold()])}."
                )
                yield Complaint((*path, "was"), message, "An address can lead to one version alone.")
            elif isinstance(name, str):
                named[name.casefold()] = name


def _one_primary(data: Data) -> Iterator[Complaint]:
    """Yield each unit set that is primary in a layer in which another one is."""
    primary = [unit_set for unit_set in _tables(data, "unit_sets") if unit_set[1].get("primary") is True]
    for number, (path, table) in enumerate(primary):
        layers = _layers_of(table)
        rivals = [rival for rival, other in primary[:number] if not _layers_of(other) or not layers]
        rivals += [rival for rival, other in primary[:number] if _layers_of(other) & layers]
        if rivals:
            message = (
                f"is true, as it is in {dotted(rivals[0])}; only one unit set of a layer can be primary."
            )
            yield Complaint((*path, "primary"), message, "Keep it in one of them, or give each its layers.")


def _layers_of(unit_set: Data) -> set[str]:
    """Return the layers that a unit set names, nothing where it is for all of them."""
    named = unit_set.get("layers")
    return {layer for layer in named if isinstance(layer, str)} if isinstance(named, list) else set()


def _layers_of_unit_sets(data: Data) -> Iterator[Complaint]:
    layers = _names(data, "layers") or ["main"]
    for path, table in _tables(data, "unit_sets"):
        for name in sorted(_layers_of(table)):
            yield from _undeclared((*path, "layers"), name, layers, "a layer")


def _needless(
    path: KeyPath, table: Data, keys: Iterable[str], message: str, remedy: str
) -> Iterator[Complaint]:
    """Yield each of some keys that a table has and that says nothing there."""
    yield from (Complaint((*path, key), message, remedy) for key in keys if key in table)


def _keys_that_fit_units(data: Data) -> Iterator[Complaint]:
    for path, table in _tables(data, "unit_sets"):
        units = _text(table, "units")
        message = f"means nothing where units = {quoted(units)}."
        for key in SPECIAL_KEYS if units in KEYS_OF_UNITS else ():
            fitting = [kind for kind, keys in KEYS_OF_UNITS.items() if key in keys]
            if units not in fitting:
                remedy = f"Remove it, or write units = {alternatives(fitting)}."
                yield from _needless(path, table, [key], message, remedy)


def _units_from_elsewhere(data: Data) -> Iterator[Complaint]:
    """Yield sizes and candidates that nothing gives; exports that are all counts have them."""
    versions = [table for _, table in _tables(data, "guidelines")]
    if versions and all(_text(table, "format") == "counts" for table in versions):
        return
    for path, table in _tables(data, "unit_sets"):
        units, name = table.get("units"), _text(table, "id")
        sized = versions and all(name in _table(version, "unit_sets") for version in versions)
        if units == "declared" and "size" not in table and not sized:
            message = 'is missing; units = "declared" needs the number of units.'
            yield Complaint((*path, "size"), message, "Write for example size = 1000.")
        if units == "candidates" and ("file" in table) == ("layer" in table):
            message = 'is "candidates", which needs either a file of terms or a layer.'
            yield Complaint((*path, "units"), message, 'Write file = "terms.txt" or layer = "…".')


def _name_for_unmarked(data: Data) -> Iterator[Complaint]:
    everywhere = [[table for _, table in _tables(data, key)] for key in ("layers", "guidelines")]
    tables = [[_table(data, "task")], *everywhere]
    if any(group and all("non_annotated" in table for table in group) for group in tables):
        return
    for path, table in _tables(data, "unit_sets"):
        if table.get("units") == "declared":
            message = 'is "declared", so that unmarked units need a name, but [task] gives none.'
            yield Complaint((*path, "units"), message, 'Write non_annotated = "none" under [task].')


def _undeclared(path: KeyPath, name: str, declared: list[str], what: str) -> Iterator[Complaint]:
    if name and name not in declared:
        shown = f"It knows {alternatives(declared, 'and')}." if declared else "It declares none."
        message = f"speaks of {what} {quoted(name)}, which this file does not declare."
        yield Complaint(path, message, nearest(name, declared) or shown)


def _overrides(data: Data) -> Iterator[Complaint]:
    declared = [
        _text(table, "id") for _, table in _tables(data, "unit_sets") if table.get("units") == "declared"
    ]
    names = _names(data, "unit_sets")
    for path, version in _tables(data, "guidelines"):
        for name in _table(version, "distances"):
            yield from _undeclared((*path, "distances", name), name, _names(data, "distances"), "a distance")
        for name in _table(version, "unit_sets"):
            yield from _undeclared((*path, "unit_sets", name), name, names, "a unit set")
            if name in names and name not in declared:
                message = f'gives a size to the unit set {quoted(name)}, whose units are not "declared".'
                yield Complaint((*path, "unit_sets", name), message, "Remove it.")


def _one_source_of_distances(data: Data) -> Iterator[Complaint]:
    tables = _tables(data, "distances")
    for path, version in _tables(data, "guidelines"):
        overrides = _table(version, "distances").items()
        overridden = [((*path, "distances", name), table) for name, table in overrides]
        tables += [(key, table) for key, table in overridden if isinstance(table, dict)]
    for path, table in tables:
        if ("file" in table) == ("taxonomy" in table):
            sources = "both a file and a taxonomy" if "file" in table else "neither a file nor a taxonomy"
            message = f"has {sources}; one of them was expected."
            yield Complaint(path, message, 'Write file = "distances.csv" or taxonomy = "taxonomy.csv".')


def _floors(data: Data) -> Iterator[tuple[str, KeyPath, Data]]:
    for measure, floors in _table(data, "gate").items():
        if isinstance(floors, dict):
            yield measure, ("gate", measure), floors
        elif floors == []:
            yield measure, ("gate", measure), {}
        elif isinstance(floors, list):
            for index, floor in enumerate(floors):
                if isinstance(floor, dict):
                    yield measure, ("gate", measure, index), floor


def _gate(data: Data) -> Iterator[Complaint]:
    layers = _names(data, "layers") or ["main"]
    unit_sets = _names(data, "unit_sets") or DEFAULT_UNIT_SETS
    for measure, path, floor in _floors(data):
        yield from _undeclared((*path, "layer"), _text(floor, "layer"), layers, "a layer")
        yield from _undeclared((*path, "unit_set"), _text(floor, "unit_set"), unit_sets, "a unit set")
        yield from _model_floor(data, path, floor) if measure == REPLACEMENT else _floor(measure, path, floor)


def _model_floor(data: Data, path: KeyPath, floor: Data) -> Iterator[Complaint]:
    """Yield what is wrong with a floor of the share of annotators that a model beats."""
    for key in OF_REPLACEMENT:
        if key not in floor:
            message = "is missing: a model is judged by the share of annotators that it beats."
            remedy = 'Write for example { model = "gpt", winning_rate = 0.5 }.'
            yield Complaint((*path, key), message, remedy)
    message = f"means nothing of {REPLACEMENT}, which takes model, winning_rate and layer."
    needless = (*HOLDING, "at", "category", "unit_set", "annotators")
    yield from _needless(path, floor, needless, message, "Remove it.")
    people = _table(data, "annotators")
    models = [name for name in people if _text(_table(people, name), "role") in {"model", "system"}]
    yield from _undeclared((*path, "model"), _text(floor, "model"), models, "a model or system")
    if "epsilon" not in _table(data, REPLACEMENT):
        message = "takes the price of a person, which [replacement] does not declare."
        yield Complaint(path, message, "Write [replacement] and epsilon = 0.1, with the reason as why.")


def _floor(measure: str, path: KeyPath, floor: Data) -> Iterator[Complaint]:
    """Yield what is wrong with one floor of a figure alone."""
    if not any(key in floor for key in HOLDING):
        message = f"demands nothing of the figure; {', '.join(HOLDING[:-1])} or {HOLDING[-1]} was expected."
        yield Complaint(path, message, "Write for example { value = 0.7 }.")
    elif "at" in floor and "fall" not in floor and "margin" not in floor:
        message = "says how often fall or margin may err, but neither is there."
        yield Complaint((*path, "at"), message, 'Write fall = "significant" or margin = 0.05 beside it.')
    yield from _needless(path, floor, OF_REPLACEMENT, f"is said of {REPLACEMENT} alone.", "Remove it.")
    if measure == "specific_agreement" and "category" not in floor:
        message = "is missing; specific agreement is the figure of one category."
        yield Complaint((*path, "category"), message, 'Write category = "…".')
    named = floor.get("annotators")
    if isinstance(named, list) and named and len(named) != 2:
        message = f"names {len(named)}; the figure of two was expected."
        yield Complaint((*path, "annotators"), message, "Name two, or take it away to mean all annotators.")


def _annotators(data: Data) -> Iterator[Complaint]:
    """Yield what fits nobody: a second pass of no first one, a release of no system, keys of models."""
    people = {name: table for name, table in _table(data, "annotators").items() if isinstance(table, dict)}
    firsts = {name: _text(table, "same_as") for name, table in people.items()}
    for name, table in people.items():
        path, first = ("annotators", name), firsts[name]
        if first and (first == name or firsts.get(first)):
            message = f"is {quoted(first)}, which is not an annotator's first pass."
            yield Complaint((*path, "same_as"), message, "Name the annotator of the first pass.")
        if "release" in table and "system" not in table:
            message = "is the release of no system."
            yield Complaint((*path, "release"), message, 'Write system = "…" beside it.')
        if table.get("role") != "model":
            message = "is said of models, and this annotator is none."
            yield from _needless(path, table, OF_MODELS, message, 'Write role = "model" beside it.')


def _pay(data: Data) -> Iterator[Complaint]:
    """Yield what an amount of pay lacks: a number alone says nothing."""
    protocol = _table(data, "protocol")
    given = [key for key in OF_PAY if key in protocol]
    for key in OF_PAY[:3] if given else ():
        if key not in protocol:
            message = f"is missing, and {given[0]} says nothing without it."
            remedy = "Write pay_amount, pay_currency and pay_per together."
            yield Complaint(("protocol", key), message, remedy)


def _days_of_work(data: Data) -> Iterator[Complaint]:
    """Yield a day of the end of annotation that is before its beginning."""
    protocol = _table(data, "protocol")
    began, ended = (_day(protocol.get(key)) for key in ("began", "ended"))
    if began and ended and ended < began:
        yield Complaint(("protocol", "ended"), f"is {ended}, before began, {began}.", "Exchange the two.")


def _day(value: object) -> dt.date | None:
    """Return a day that a key has, whether in quotes or not; None for what is not one."""
    with suppress(Unfit):
        value = day(value)
    return value if isinstance(value, dt.date) and not isinstance(value, dt.datetime) else None


def _expert(data: Data) -> Iterator[Complaint]:
    name = _text(_table(data, "replacement"), "expert")
    role = _text(_table(_table(data, "annotators"), name), "role")
    if role in {"model", "system"}:
        message = f"is {quoted(name)}, whose role is {quoted(role)}: nothing can be compared with itself."
        yield Complaint(("replacement", "expert"), message, "Name a human.")


# The tools whose work lies in a folder; the others are servers.
IN_FOLDERS = ("potato", "datasets")


def _source(data: Data) -> Iterator[Complaint]:
    """Yield what is missing to find where people annotate, and what is of another kind of tool."""
    table = _table(data, "source")
    if not isinstance(tool := table.get("tool"), str):
        return
    of_server, of_folder = {"url": '"https://…"', "project": "1"}, {"folder": '"…"'}
    needed, other = (of_folder, of_server) if tool in IN_FOLDERS else (of_server, of_folder)
    for key in needed.keys() - table.keys():
        yield Complaint(("source", key), f"is missing for {quoted(tool)}.", f"Write {key} = {needed[key]}.")
    message = f"means nothing where tool = {quoted(tool)}."
    yield from _needless(("source",), table, other, message, "Remove it.")


CHECKS: tuple[Callable[[Data], Iterator[Complaint]], ...] = (
    _different_names,
    _earlier_names,
    _one_primary,
    _layers_of_unit_sets,
    _keys_that_fit_units,
    _units_from_elsewhere,
    _name_for_unmarked,
    _overrides,
    _one_source_of_distances,
    _gate,
    _annotators,
    _expert,
    _pay,
    _days_of_work,
    _source,
)


# Keys of campaign.toml that are accepted and that this version of reportgen does not act on yet.


def idle_keys(campaign: Campaign) -> list[Problem]:
    """Return what the campaign asks for and the report will not show, each with its line."""
    return sorted(_with_lines(campaign, list(_idle_complaints(campaign))))


def unknown_annotators(campaign: Campaign, exported: Collection[str]) -> list[Problem]:
    """Return each annotator of campaign.toml whom no export names: mistyped, or not there yet."""
    named: dict[KeyPath, str] = {("annotators", name): name for name in campaign.annotators}
    named |= {
        ("annotators", name, "same_as"): annotator.same_as
        for name, annotator in campaign.annotators.items()
        if annotator.same_as
    }
    complaints = [
        Complaint(path, f"no export has an annotator {quoted(name)}.", nearest(name, exported))
        for path, name in named.items()
        if name not in exported
    ]
    return _with_lines(campaign, complaints)


def _with_lines(campaign: Campaign, complaints: Sequence[Complaint], *, keys: bool = False) -> list[Problem]:
    """Return complaints as problems with their lines in campaign.toml; with `keys`, their keys too."""
    lines = lines_of(campaign, [complaint.path for complaint in complaints])
    problems = [complaint.problem(campaign.file, lines.get(complaint.path, 0)) for complaint in complaints]
    return problems if keys else [replace(problem, key="") for problem in problems]


def _idle_complaints(campaign: Campaign) -> Iterator[Complaint]:
    """Yield a rule for models where there are none, and numbers of categories where there are no sets."""
    if campaign.replacement and not any(
        annotator.role in {"model", "system"} for annotator in campaign.annotators.values()
    ):
        message = '[replacement] says nothing where nobody has role = "model" or "system".'
        yield Complaint(("replacement",), message)
    tables: list[tuple[KeyPath, Task]] = [
        (("task",), campaign.task),
        *((("layers", index), layer) for index, layer in enumerate(campaign.layers)),
        *((("guidelines", index), guidelines) for index, guidelines in enumerate(campaign.guidelines)),
    ]
    keys = [(*path, "category_count") for path, table in tables if "category_count" in table.model_fields_set]
    # What a version has is asked last: it looks for exports, of which there may be many thousands.
    versions = map(campaign.version, campaign.versions if keys else ())
    if any(layer.scale == "set" for version in versions for layer in version.layers):
        return
    for key in keys:
        yield Complaint(key, f'{dotted(key)} says nothing where no scale is "set".')


# What `merged` says of categories that there are not: mistyped, or written under the wrong version.

MOST_SHOWN = 10


def wrong_merges(campaign: Campaign, categories: Mapping[str, Collection[str]]) -> list[Problem]:
    """Return what is wrong with the `merged` tables of a campaign, each problem with its line.

    `categories` has each version's: those that it declares, and those that its exports hold. A key has
    to be a category of an earlier version, a value one of the version that says so.
    """
    return _with_lines(campaign, list(_merge_complaints(campaign, categories)), keys=True)


def _merge_complaints(campaign: Campaign, categories: Mapping[str, Collection[str]]) -> Iterator[Complaint]:
    declared = {guidelines.version: guidelines.merged for guidelines in campaign.guidelines}
    earlier: dict[str, None] = {}
    for age, version in enumerate(campaign.versions):
        merged = declared[version]
        path: KeyPath = ("guidelines", campaign.index_of(version), "merged")
        if merged and not age:
            message = "renames categories of earlier versions, but this version is the first."
            yield Complaint(path, message, "Move it to the version that calls them otherwise.")
        elif merged:
            yield from _merged(path, merged, list(earlier), list(categories[version]))
        earlier |= dict.fromkeys(categories[version])


def _merged(
    path: KeyPath, merged: Mapping[str, Sequence[str]], earlier: list[str], here: list[str]
) -> Iterator[Complaint]:
    """Yield each category that is renamed but was not there, or is no category here."""
    for old, parts in merged.items():
        if old not in earlier:
            message = f"renames {quoted(old)}, which is not a category of an earlier version."
            yield Complaint((*path, old), message, _meant(old, earlier))
        for new in parts:
            if new not in here:
                message = f"calls {quoted(old)} {quoted(new)}, which is not a category of this version."
                yield Complaint((*path, old), message, _meant(new, here))


def _meant(name: str, categories: list[str]) -> str:
    """Return which category was probably meant, else what categories there are."""
    more = " and more" if len(categories) > MOST_SHOWN else ""
    listed = alternatives(categories[:MOST_SHOWN], "and") + more
    return nearest(name, categories) or (f"There are {listed}." if categories else "")
