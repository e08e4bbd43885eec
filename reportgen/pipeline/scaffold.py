"""What campaign.toml says of a folder of exports: what is known, and what is suggested."""

import os
import re
import secrets
import shlex
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, get_args

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from pydantic import BaseModel, ConfigDict

from reportgen.base.errors import JOINERS, alike_as_one, printable, reason, refused
from reportgen.base.files import templates
from reportgen.base.site_folder import SITE
from reportgen.campaign import IN_FOLDERS, AnnotationSource
from reportgen.campaign.toml_tables import Privacy
from reportgen.pipeline.export_folder import CONFIGURATION, EXPORTS, Survey, VersionSurvey, unique_ids
from reportgen.readers.layers_of_marks import ARROW, name_key, short
from reportgen.readers.reader import is_model, is_reference, models_among
from reportgen.readers.roles_of_marks import LabelledLayer, NoDecision, parts_of
from reportgen.readers.scales import (
    LOOKS_MISSING,
    FoundScale,
    ScaleName,
    find_scale,
    find_scale_told,
    spellings,
)
from reportgen.readers.survey import TO_FILL_IN, ExportSurvey
from reportgen.readers.table_reading import TableReading
from reportgen.readers.table_rows import RowChoice
from reportgen.units.categories import ORDERED_SCALES, natural_order, number
from reportgen.units.labelled import UNMARKED

# Values of any content as TOML, and names of any content in its comments.

ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
LAST_OF_BASIC_PLANE = 0xFFFF
LONGEST_NOTE = 60
LONGEST_COMMENT = 500
# The formats of tools from which `reportgen pull` fetches exports.
SOURCES = get_args(AnnotationSource.model_fields["tool"].annotation)
# The format of which models are the likeliest annotators.
PIPELINES = "labels-json"
WIDTH = 110
# A key of TOML that needs no quotation marks.
BARE = re.compile(r"[A-Za-z0-9_-]+")
# Why a tier of recordings has remarks, not labels.
REMARKS = {NoDecision.FREE_TEXT, NoDecision.IDENTIFIERS}


class TomlFragment(str):
    """A piece of text that may be in campaign.toml as it is."""

    __slots__ = ()


def expressible(text: str) -> bool:
    """Say whether TOML can express a text: half of a surrogate pair, which JSON can, it can't."""
    return not any("\ud800" <= char <= "\udfff" for char in text)


def to_toml(value: str | int | Sequence[str | int] | Mapping[str, str]) -> TomlFragment:
    """Return a text, a number, a list of them or a table of texts as TOML on one line.

    What is no printable character is escaped; half of a surrogate pair becomes a replacement character.
    """
    if isinstance(value, str):
        return TomlFragment('"' + "".join(map(_escaped, value)) + '"')
    if isinstance(value, int):
        return TomlFragment(str(value).lower())
    if isinstance(value, Mapping):
        keys = {key: key if BARE.fullmatch(key) else to_toml(key) for key in value}
        parts = ", ".join(f"{keys[key]} = {to_toml(text)}" for key, text in value.items())
        return TomlFragment(f"{{ {parts} }}")
    return TomlFragment("[" + ", ".join(map(to_toml, value)) + "]")


def _escaped(char: str) -> str:
    if char in ESCAPES:
        return ESCAPES[char]
    if char.isprintable() or char in JOINERS:
        return char
    if not expressible(char):
        return "�"
    code = ord(char)
    return f"\\u{code:04X}" if code <= LAST_OF_BASIC_PLANE else f"\\U{code:08X}"


def to_note(text: str) -> TomlFragment:
    """Return a text for a comment: on one line, shortened, without control characters."""
    line = " ".join(text[: 2 * LONGEST_NOTE].split())
    return TomlFragment(printable(line if len(line) <= LONGEST_NOTE else f"{line[:LONGEST_NOTE]}…"))


def to_comment(text: str) -> TomlFragment:
    """Return a text as lines of a comment, without control characters."""
    line = printable(" ".join(text[:LONGEST_COMMENT].split()))
    return TomlFragment(textwrap.fill(line, WIDTH, initial_indent="# ", subsequent_indent="# "))


def to_notes(texts: Sequence[str]) -> TomlFragment:
    """Return texts for a comment, with commas between them, on as many lines as they take."""
    line, start = ", ".join(map(to_note, texts)), "#   "
    return TomlFragment(textwrap.fill(line, WIDTH, initial_indent=start, subsequent_indent=start))


# What campaign.toml says of a folder of exports: what is known, and what is suggested.

NOTHING_MARKED = ("none", "nothing", "rien", "nil")
MISSING = LOOKS_MISSING | {""}
MOST_CATEGORIES = 30
MOST_LAYERS = 12
MOST_SHOWN = 30
LEAST_NUMBERS = 3
TO_CHOOSE = ("unit", "annotator", "label")
# Where guidelines may lie.
GUIDELINES = "guidelines"


# What the template writes, by name: see `plan_of`.
Plan = Mapping[str, Any]


class Decisions(BaseModel):
    """What somebody said of a folder, beside what was found; each is a key of campaign.toml.

    - `readings`: how tables are read, by version: columns, path, headers and annotators of [[guidelines]].
    - `rows`: which lines are the header of its tables, which are none of them, and which sheets are read.
    - `changes`: what is new in the guidelines of a version.
    - `absent`: labels of which somebody said whether they stand for a missing one.
    - `alike`: whether labels that differ by case and white space alone are the same.
    - `independent`: whether annotators worked independently of each other.
    - `scales`, `orders`: the scale and the categories from the lowest to the highest, by the source of the
      layer, which is empty where there is one; `left_out` are the sources of what is no layer.
    - `roles`: who is an annotator, a reference, a model or a system.
    - `sheets`: where disagreements were settled, by version.
    - `groups`: the columns of what annotators are by which they are compared.
    - `whys`: why units of a unit set count, by its id; `primary` is the id of the first one.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str = ""
    language: str = ""
    readings: dict[str, TableReading] = {}
    rows: dict[str, RowChoice] = {}
    changes: dict[str, str] = {}
    absent: dict[str, bool] = {}
    alike: bool | None = None
    independent: bool | None = None
    scales: dict[str, ScaleName] = {}
    orders: dict[str, tuple[str, ...]] = {}
    left_out: tuple[str, ...] = ()
    roles: dict[str, str] = {}
    sheets: dict[str, tuple[str, ...]] = {}
    groups: tuple[str, ...] = ()
    whys: dict[str, str] = {}
    primary: str = ""

    def why(self, unit_set: str, example: str) -> TomlFragment:
        """Return the line that says why units count, as a suggestion where nobody said it."""
        said = self.whys.get(unit_set)
        return TomlFragment(f"why = {to_toml(said)}" if said else f"# why = {to_toml(example)}")

    def renamed(self, labels: Mapping[str, int]) -> dict[str, int]:
        """Return labels in the spelling that counts."""
        same = spellings(labels) if self.alike else {}
        renamed: Counter[str] = Counter()
        for label, times in labels.items():
            renamed[same.get(label, label)] += times
        return dict(renamed)

    def scale_of(self, source: str, found: FoundScale, labels: Mapping[str, int]) -> FoundScale:
        """Return the scale of a layer with these labels as somebody said it, else as it was found."""
        own = self.renamed(labels)
        if len(own) < len(labels) and found.called is not None:
            found = replace(find_scale(own, found.called), missing=found.missing)
        found = find_scale_told(found, own, self.absent)
        if source not in self.scales:
            return found
        scale, order = self.scales[source], self.orders.get(source, found.order)
        order = () if scale in ("nominal", "set") else order
        evidence = "on the scale that was chosen"
        return replace(found, scale=scale, order=order, evidence=evidence, doubt="", could_be=())


def plan_of(survey: Survey, decided: Decisions | None = None) -> Plan:
    """Return what to write of a folder, and of what somebody `decided`.

    `declared` says whether the tool says which `categories` there are. `units` says what kind of units there
    are: texts, recordings, items, mixed; `in_texts` and `of_items` are the layers of either kind, `again`
    those of what is said of marks that another layer has, or were given, as `given` says of the only one;
    `related` are those of relations, `besides` what is no mark, and how much of it. `roles` are those of
    people who are no plain annotators, `doubtful` those of people who may be none, `example` is anybody's
    name, `models` are called as language models are, `model` is the first of them, `column` a source that a
    layer could have, `scale` the one of which exports say that they are.
    """
    decided = decided or Decisions()
    surveys = [version.export_survey for version in survey.versions]
    reader = survey.versions[0].files.reader
    labels = _labels(surveys)
    roles, doubtful = _roles(surveys)
    roles |= decided.roles
    doubtful = {name: role for name, role in doubtful.items() if name not in roles}
    names = dict.fromkeys(name for exports in surveys for name in exports.annotators)
    models = [name for name in models_among(names, roles) if expressible(name)]
    others = [name for name in names if name not in models]
    found = decided.scale_of("", _scale(surveys), labels)
    same = spellings(_all_labels(surveys)) if decided.alike else {}
    units = _units(surveys)
    layers = list(_layers(surveys, decided))
    return {
        "title": decided.title or _title(survey.id),
        "language": decided.language,
        "decided": decided,
        "tool": reader.tool,
        "source": reader.name if reader.name in SOURCES else None,
        "source_in_folder": reader.name in IN_FOLDERS,
        "categories": _categories(surveys, labels),
        # In texts, only the tool's own configuration has an order.
        "declared": units == "texts" and all(exports.ordered for exports in surveys),
        "found": found,
        "priority": _priority(found, surveys[0].as_one_layer) if not layers else [],
        "units": units,
        "non_annotated": _non_annotated(labels, in_texts=units != "items"),
        "layers": layers,
        "besides": [f"{what} ({times:,})" for what, times in _besides(surveys).items()],
        "roles": roles,
        "why_roles": _why(roles),
        "doubtful": doubtful,
        "example": next((name for name in others if expressible(name)), "NAME"),
        "models": models,
        "model": next(iter(models), "MODEL"),
        "in_texts": [
            layer["id"]
            for layer in layers
            if layer["active"] and layer["kind"] == "texts" and not layer["again"] and not layer["related"]
        ],
        "related": [layer["id"] for layer in layers if layer["related"]],
        "again": [layer["id"] for layer in layers if layer["again"]],
        "given": not any(layer["active"] for layer in layers)
        and all(exports.as_one_layer.of_given for exports in surveys),
        "of_items": [layer["id"] for layer in layers if layer["active"] and layer["kind"] == "items"],
        "column": _other_column(surveys),
        "scale": next((exports.scale for exports in surveys if exports.scale), ""),
        "versions": [
            _version(survey, version, None if "" in decided.scales else found, decided, same)
            for version in survey.versions
        ],
    }


def _title(identity: str) -> str:
    words = identity.replace("-", " ").replace("_", " ").strip() or identity
    return words[0].upper() + words[1:]


# The task


def _labels(surveys: Iterable[ExportSurvey]) -> dict[str, int]:
    """Return the labels of all versions, the commonest of the first version first."""
    labels: dict[str, int] = {}
    for survey in surveys:
        if not survey.layers and not survey.to_choose:
            for name, count in survey.as_one_layer.labels.items():
                labels[name] = labels.get(name, 0) + count
    return {name: count for name, count in labels.items() if expressible(name)}


def _all_labels(surveys: Iterable[ExportSurvey]) -> dict[str, int]:
    """Return the labels of all layers and versions."""
    labels: Counter[str] = Counter()
    for survey in surveys:
        for layer in survey.layers or (survey.as_one_layer,):
            labels.update(layer.labels)
    return dict(labels)


def _scale(surveys: Sequence[ExportSurvey]) -> FoundScale:
    """Return the scale that labels are on where they are one layer and all versions have the same."""
    found = [survey.as_one_layer.scale for survey in surveys if not survey.layers and not survey.to_choose]
    same = len({scale.scale for scale in found}) == 1 and len(found) == len(surveys)
    longest = max(found, key=lambda scale: len(scale.order), default=FoundScale())
    covers = all(set(scale.order) <= set(longest.order) for scale in found)
    return longest if same and covers else FoundScale(evidence="")


def _categories(surveys: Sequence[ExportSurvey], labels: Mapping[str, int]) -> tuple[str, ...]:
    """Return the categories to suggest: in the export's own order, by value, or the commonest first."""
    if not 0 < len(labels) <= MOST_CATEGORIES:
        return ()
    if _are_numbers(labels) and not any(survey.ordered for survey in surveys):
        return tuple(natural_order(labels))
    return tuple(labels)


def _are_numbers(labels: Mapping[str, int]) -> bool:
    return len(labels) >= LEAST_NUMBERS and all(number(name) is not None for name in labels)


def _non_annotated(labels: Mapping[str, int], *, in_texts: bool) -> str:
    """Return a name for the units that nobody marked: no label in texts, else a label that says so."""
    if not in_texts:
        return next((name for name in labels if name.casefold() in NOTHING_MARKED), NOTHING_MARKED[0])
    used = {name.casefold() for name in labels}
    names = (UNMARKED, *(f"(unmarked {number})" for number in range(2, len(used) + 3)))
    return next(name for name in names if name not in used)


def _units(surveys: Sequence[ExportSurvey]) -> str:
    if all(survey.recorded for survey in surveys):
        return "recordings"
    kinds = {layer.kind for survey in surveys for layer in survey.layers or (survey.as_one_layer,)}
    return next(iter(kinds)) if len(kinds) == 1 else "mixed"


# Layers


def _layers(surveys: Sequence[ExportSurvey], decided: Decisions) -> Iterator[Plan]:
    """Yield a layer for each thing that was labelled: active where every version has it, else suggested.

    Each that is not active has the `reason`.
    """
    # What is a layer in one version is one, called as it first is where versions spell it differently; those
    # that one version tells apart stay so.
    described = [[*own.layers, *own.aside] for own in surveys]
    keys = (Counter(name_key(layer.source or "") for layer in own) for own in described)
    apart = {key for counts in keys for key, times in counts.items() if times > 1}
    by_key: dict[str, LabelledLayer] = {}
    for layer in sorted(chain(*described), key=lambda layer: layer.no_decision is not None):
        key = name_key(layer.source or "")
        by_key.setdefault((layer.source or "") if key in apart else key, layer)
    layers = {layer.source: layer for layer in by_key.values() if layer.source}
    sources = [source for source in layers if expressible(source)]
    reasons = {source: _why_none(layers[source], surveys, decided) for source in sources}
    fitting = [source for source in sources if not reasons[source]]
    declared = _without_remarks(fitting, layers, surveys)
    reasons |= dict.fromkeys({*fitting} - {*declared}, "stretches of remarks")
    reasons |= dict.fromkeys(declared[MOST_LAYERS:], f"layers after the first {MOST_LAYERS}")
    # A layer is called after its type where that has one feature, else after both.
    ordered = sorted(sources, key=lambda source: bool(reasons[source]))
    parts = [source.partition(ARROW)[::2] for source in ordered]
    types = ["-".join(map(short, parts_of(name))) for name, _feature in parts]
    names = [
        f"{name}-{feature}" if feature and types.count(name) > 1 else name
        for name, (_name, feature) in zip(types, parts, strict=True)
    ]
    seen: set[str] = set()
    for identity, source in zip(unique_ids(names, "layer"), ordered, strict=True):
        layer, active = layers[source], not reasons[source]
        yield {
            "id": identity,
            "source": source,
            "active": active,
            "kind": layer.kind,
            "scale": decided.scale_of(source, layer.scale, layer.labels),
            "priority": _priority(decided.scale_of(source, layer.scale, layer.labels), layer),
            "reason": reasons[source],
            "again": active and layer.kind == "texts" and (layer.of_given or layer.type in seen),
            "related": active and layer.of_relations,
        }
        seen |= {layer.type} if active else set()


def _priority(found: FoundScale, layer: LabelledLayer) -> list[str]:
    """Return labels of marks in texts from the highest on; none where units may have several."""
    if layer.kind == "items" or found.scale not in ORDERED_SCALES:
        return []
    return [*reversed(found.order or natural_order(layer.labels))]


def _besides(surveys: Sequence[ExportSurvey]) -> dict[str, int]:
    """Return how much is in the exports of what no reader takes for marks."""
    besides: Counter[str] = Counter()
    for survey in surveys:
        besides.update(survey.besides)
    return dict(besides)


def _why_none(layer: LabelledLayer, surveys: Sequence[ExportSurvey], decided: Decisions) -> str:
    """Return why something is no layer; empty where it may be one."""
    if layer.no_decision:
        return layer.no_decision.value
    if layer.source in decided.left_out:
        return "left out as somebody said"
    everywhere = all(survey.has(layer.source or "") for survey in surveys)
    return "" if everywhere else "not in every version"


def _without_remarks(
    sources: list[str], layers: Mapping[str, LabelledLayer], surveys: Sequence[ExportSurvey]
) -> list[str]:
    """Return the sources of layers without the bare stretches of tiers that have free text, of recordings.

    Where nothing else was labelled, they are what there is: how recordings were cut.
    """
    remarks = {layer.type for layer in layers.values() if layer.no_decision in REMARKS}
    others = [source for source in sources if layers[source].type not in remarks]
    return others if others and all(survey.recorded for survey in surveys) else sources


def _other_column(surveys: Sequence[ExportSurvey]) -> str:
    """Return a column that could be a second layer, or the usual example."""
    columns = (survey.columns for survey in surveys if survey.columns)
    others = (name for roles in columns for name in roles.labels[1:] if expressible(name))
    return next(others, f"Sentiment{ARROW}polarity")


# Annotators


# What GATE calls the two sets that it compares: what is right, and what a system found.
KEY, RESPONSE = "Key", "Response"
WHY_ROLES = {
    KEY: "GATE calls the set Key that others are compared with",
    RESPONSE: "GATE calls the set Response that is compared with the Key; annotator, where a person made it",
}


def _why(roles: Mapping[str, str]) -> dict[str, str]:
    """Return why somebody has a role, where the name of a set of GATE says so."""
    both = roles.get(KEY) == "reference" and RESPONSE in roles
    return {name: why for name, why in WHY_ROLES.items() if both and name in roles}


def _roles(surveys: Sequence[ExportSurvey]) -> tuple[dict[str, str], dict[str, str]]:
    """Return who is not simply an annotator, and who may not be but is needed to have two annotators."""
    declared = {name: role for survey in surveys for name, role in survey.roles.items()}
    names = dict.fromkeys(name for survey in surveys for name in survey.annotators)
    if declared.get(KEY) == "reference" and RESPONSE in names:
        declared.setdefault(RESPONSE, "system")
    called = {name: "reference" for name in names if is_reference(name) and name not in declared}
    left = [
        {*survey.annotators} - {*declared, *called}
        for survey in surveys
        if called.keys() & {*survey.annotators}
    ]
    enough = all(len(annotators) >= 2 for annotators in left)
    both = ({**declared, **called}, {}) if enough else (declared, called)
    sure, doubtful = ({name: role for name, role in roles.items() if expressible(name)} for roles in both)
    return sure, doubtful


# Versions


def _version(
    survey: Survey,
    version: VersionSurvey,
    found: FoundScale | None,
    decided: Decisions,
    same: Mapping[str, str],
) -> Plan:
    """Return one guidelines version as campaign.toml declares it, without its scale where all have `found`.

    `roles` are the columns, `columns` the names to choose from where they are not understood, `choose`
    whether that is so; `groups` are columns of what annotators are, those of them that are chosen
    as `compared`. `mixed` says that there are files of other formats, `renamed` has the spellings of labels
    that are the `same` as others.
    """
    exports = version.export_survey
    groups = tuple(filter(expressible, exports.groups))
    blank = (name for name in exports.as_one_layer.labels if name.strip().casefold() in MISSING)
    return {
        "version": version.id,
        "exports": version.exports,
        "format": version.files.reader.name,
        "mixed": tuple(version.files.others),
        "document": _document(survey, version.id),
        "roles": _columns(exports),
        "columns": _to_choose_from(exports),
        "choose": exports.to_choose,
        "groups": groups,
        "compared": tuple(name for name in groups if name in decided.groups),
        "reading": {} if exports.to_choose else _reading(exports),
        "read": _read_so(exports),
        "found": None
        if exports.to_choose or exports.layers or found is None or found.evidence
        else exports.as_one_layer.scale,
        "absent": tuple(
            dict.fromkeys(
                label
                for layer in exports.layers or (exports.as_one_layer,)
                for label in (
                    *layer.scale.missing,
                    *(name for name in layer.labels if name in decided.absent),
                )
                if expressible(label) and decided.absent.get(label, True)
            )
        ),
        "missing": tuple(filter(expressible, blank)),
        "renamed": {
            label: to
            for label, to in same.items()
            if expressible(label) and expressible(to) and label in _all_labels([exports])
        },
    }


def _reading(exports: ExportSurvey) -> dict[str, Any]:
    """Return the keys that say how tables are read, beside their columns."""
    reading, mended, rows = exports.reading, exports.mended, exports.rows
    header = rows.header or mended.header
    separators = [layer.scale.separator for layer in exports.layers or (exports.as_one_layer,)]
    keys = {
        "path": reading.path if reading else None,
        "annotators": reading.shape.labels if reading and exports.is_said and _is_wide(reading) else None,
        "headers": reading.shape.headers if reading else None,
        "turned": reading.shape.is_turned if reading else None,
        "indicators": reading.shape.indicators if reading and not reading.shape.headers else None,
        "header": header[0] if len(header) == 1 else header,
        "skip_rows": mended.skip_rows,
        "sheets": rows.sheets,
        "fill_down": mended.fill_down,
        "encoding": mended.encoding,
        "decimal": mended.decimal,
        "set_separator": next(filter(None, separators), None),
        "beside": _columns_beside(exports),
    }
    if reading and reading.shape.headers and reading.shape.indicators:
        keys["indicators"] = reading.shape.indicators
    said = {} if rows.skip_rows is None else {"skip_rows": rows.skip_rows}
    return {key: value for key, value in keys.items() if value} | said


def _columns_beside(exports: ExportSurvey) -> dict[str, str]:
    """Return what the columns are that are not read, nothing where these are very many."""
    reading, read = exports.reading, exports.columns.roles.values() if exports.columns else ()
    names = [name for name in reading.beside if name not in read and expressible(name)] if reading else []
    return {name: reading.roles[name].role for name in names if reading and len(names) <= MOST_SHOWN}


def _is_wide(reading: TableReading) -> bool:
    return not reading.shape.is_long and not reading.shape.grid


def _read_so(exports: ExportSurvey) -> str:
    """Return how tables are read, in words, and what is not compared."""
    if exports.reading is None or exports.to_choose:
        return ""
    beside = f"; not compared: {', '.join(exports.reading.beside)}" if exports.reading.beside else ""
    return f"Read: {exports.reading.in_words}{beside}."


def _columns(exports: ExportSurvey) -> dict[str, str]:
    """Return the columns as they are understood, or to be filled in."""
    if exports.columns is None:
        return {}
    understood = {role: name for role, name in exports.columns.roles.items() if expressible(name)}
    if exports.to_choose and exports.columns.names:
        return {**dict.fromkeys(TO_CHOOSE, TO_FILL_IN), **understood}
    return understood


def _to_choose_from(exports: ExportSurvey) -> tuple[str, ...]:
    """Return the names of columns, those that are most likely of use first."""
    if exports.columns is None or not exports.columns.names:
        return ()
    first = [*exports.columns.roles.values(), *exports.columns.labels]
    return tuple(dict.fromkeys((*first, *exports.columns.names)))[:MOST_SHOWN]


def _document(survey: Survey, version: str) -> str | None:
    """Return the file of the guidelines of a version, None where there is none that is called like it."""
    folder = survey.folder / GUIDELINES
    if not folder.is_dir() or folder.is_symlink():
        return None
    named = sorted(path for path in folder.iterdir() if version in (path.stem, path.name))
    files = (path.name for path in named if path.is_file() and not path.is_symlink())
    return next((f"{GUIDELINES}/{name}" for name in files if expressible(name)), None)


# From a plan to the text of a campaign.toml.

TEMPLATE = "campaign.toml.j2"
TEXT_TO_CHOOSE = "# columns = "


def render(plan: Plan) -> str:
    """Return the text of a campaign.toml."""
    return _template(templates()).render(plan=plan)


@cache
def _template(folder: Path) -> Template:
    """Return the template in a folder; compiling it takes longer than what is written with it."""
    environment = Environment(
        loader=FileSystemLoader(folder, encoding="utf-8"),
        autoescape=False,  # noqa: S701 - TOML: `finalize` lets nothing through that no filter has written
        finalize=_written,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"toml": to_toml, "note": to_note, "notes": to_notes, "comment": to_comment}
    return environment.get_template(TEMPLATE)


def to_do(text: str) -> list[int]:
    """Return the lines of a rendered campaign.toml on which columns have to be chosen, one a version."""
    return [number for number, line in enumerate(text.split("\n"), 1) if line.startswith(TEXT_TO_CHOOSE)]


def _written(value: object) -> TomlFragment:
    if not isinstance(value, TomlFragment):
        message = f"{value!r} is in {TEMPLATE} without a filter."
        raise TypeError(message)
    return value


# What was decided in a new campaign.toml, and what is to be done with it.

WITHOUT = '[[layers]], without the "#"'

UNITS_DECIDED = {
    "texts": "Units are the tokens of texts, and beside them those that somebody marked: [[unit_sets]].",
    "recordings": "Units are the stretches of time that somebody marked, and no frames of milliseconds; how "
    "far stretches overlap is for the unitizing figures: [[unit_sets]].",
    "items": "Units are the items that are labelled: [[unit_sets]].",
    "each": "Units are tokens in layers of texts and items in the others: [[unit_sets]], by their layers.",
    "mixed": "",
}


def next_steps(survey: Survey, text: str) -> list[str]:
    """Return what is to be done before the report can be built, and what makes it a better one."""
    file = (Path(survey.name) / CONFIGURATION).as_posix()
    reasons = f"{file}: say why these units count (why = …), and add what else you know about the campaign."
    checklist = shlex.join(["reportgen", "checklist", "acl", survey.name])
    asked = (
        "Reviewers ask who the annotators are, how they were found, trained and paid, whether they agreed, "
        f"and what the texts are: {checklist} lists what is answered and what is open."
    )
    return [
        *_export_steps(survey, file, text),
        *_annotator_steps(survey, file),
        *_control_steps(survey, file),
        reasons,
        asked,
    ]


def decisions(survey: Survey, plan: Plan) -> list[str]:
    """Return what init decided where exports alone do not say it, each with the key that changes it."""
    versions = ", ".join(version.id for version in survey.versions)
    order = f"The versions, the oldest first, are {versions}: [[guidelines]], their order or dates."
    if len(survey.versions) == 1:
        order = (
            f"All exports belong to one version, {versions}. If there are several, put each into a folder: "
            "exports/1.0, exports/2.0."
        )
    because = {name: f" ({why})" for name, why in plan["why_roles"].items()}
    roles = [
        f'{name} is not an annotator but a {role}{because.get(name, "")}: [annotators."{name}"].'
        for name, role in plan["roles"].items()
    ]
    if models := plan["models"]:
        shown = ", ".join(map(printable, models))
        roles.append(
            f"Taken for language models because of their names, and not pooled with people: {shown}. To "
            'change that: role = "annotator" under [annotators.NAME].'
        )
    why: dict[str, list[str]] = {}
    for layer in plan["layers"]:
        if layer["reason"] and layer["reason"] != NoDecision.TOGETHER.value:
            why.setdefault(layer["reason"], []).append(f'"{printable(layer["source"])}"')
    left_out = [
        f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} left out ({reason}): {WITHOUT}."
        for reason, names in why.items()
    ]
    joined = [
        f'"{printable(layer["source"])}" is one layer, as annotators exchange these types: [[layers]].'
        for layer in plan["layers"]
        if len(parts_of(layer["source"])) > 1
    ]
    again = (
        ["What is said of marks is judged where annotators agree on the marks: [[unit_sets]]."]
        if plan["again"] or plan["given"]
        else []
    )
    found = plan["found"]
    is_scale_told = found.evidence if found.scale != "nominal" else found.doubt
    scales = [f"{found.sentence} It is scale under [task]."] if is_scale_told else []
    scales += [
        f'Layer "{layer["id"]}": {layer["scale"].sentence}'
        for layer in plan["layers"]
        if layer["active"] and (layer["scale"].scale != "nominal" or layer["scale"].doubt)
    ]
    read = [version["read"] for version in plan["versions"] if version["read"]]
    groups = list(dict.fromkeys(name for version in plan["versions"] for name in version["groups"]))
    attributes = ", ".join(f'"{printable(name)}"' for name in groups)
    smallest = Privacy().smallest
    compare = f"To compare groups of at least {smallest} people: columns.group."
    both = plan["of_items"] and (plan["in_texts"] or plan["again"] or plan["related"])
    by_token = plan["in_texts"] or not (plan["again"] or plan["related"])
    units = UNITS_DECIDED["each" if both else plan["units"]] if by_token and not plan["scale"] else ""
    above = Path(survey.name).absolute().parent.name
    name = (
        f'The campaign is called "{survey.id}", as its folder: for "{above}", name the folder above to init.'
    )
    called = [name] if survey.id == EXPORTS else []
    return [
        *called,
        *dict.fromkeys(read),
        *([f"What annotators are, and no labels: {attributes}. {compare}"] if groups else []),
        order,
        *roles,
        *joined,
        *left_out,
        *scales,
        *filter(None, [units]),
        *again,
    ]


def _export_steps(survey: Survey, file: str, text: str) -> Iterator[str]:
    """Yield which columns have to be chosen, and what is wrong in the exports."""
    unclear = [version for version in survey.versions if version.export_survey.to_choose]
    for version, line in zip(unclear, to_do(text), strict=True):
        yield f'{file}:{line}: choose the columns of version "{version.id}", and remove the "#".'
    for version in survey.versions:
        yield from alike_as_one(
            replace(
                problem,
                file=(Path(survey.name) / problem.file).as_posix()
                if problem.file
                else f'version "{version.id}"',
            )
            for problem in version.export_survey.problems
        )


def _annotator_steps(survey: Survey, file: str) -> Iterator[str]:
    """Yield who is missing, and that models have to be named: what pipelines write does not tell."""
    for version in survey.versions:
        if len(version.export_survey.annotators) < 2 and not version.export_survey.to_choose:
            names = ' If their names are in paths, write path = "{annotator}/{document}".'
            hint = names if len(version.files.read) > 1 else ""
            yield f'Version "{version.id}" has a single annotator: agreement needs two.{hint}'
    named = [name for version in survey.versions for name in version.export_survey.annotators]
    written_by_pipelines = any(version.files.reader.name == PIPELINES for version in survey.versions)
    if written_by_pipelines or any(is_model(name, named) for name in named):
        yield f'{file}: say which annotators are models, if any: role = "model" under [annotators.NAME].'


def _control_steps(survey: Survey, file: str) -> Iterator[str]:
    """Yield what to do with a column of right labels beside those of annotators."""
    surveys = [version.export_survey for version in survey.versions if not version.export_survey.to_choose]
    columns = [exports.columns for exports in surveys if exports.columns]
    named = (name for table in columns for name in table.names if name not in table.roles.values())
    for name in dict.fromkeys(filter(is_reference, named)):
        if all(name not in version.export_survey.annotators for version in survey.versions):
            yield (
                f'The column "{name}" seems to have the right labels, and is not read: to compare with them, '
                f"write a CSV file with the columns unit and label, and name it under [controls] in {file}."
            )


def command(folder: Path) -> str:
    """Return the command that builds the report, from where the user is."""
    words = ["reportgen", "build", str(folder)]
    if SITE.resolve().is_relative_to(folder.resolve()):
        words += ["--out", os.path.relpath(folder.resolve().parent / SITE)]
    return shlex.join(words)


# A new file in a folder: whole or not at all, and never in the place of another that people write.

LOG = "init.log"


def write(folder: Path, name: str, text: str, *, again: bool = False) -> Path:
    """Write a file and return its path.

    Raises BadInput where the system refuses or, unless it may be written `again`, the file is there already.
    """
    path = folder / name
    beside = folder / f".{name}.{secrets.token_hex(4)}"
    try:
        try:
            beside.write_text(text, encoding="utf-8", errors="replace", newline="\n")
            if again:
                path.unlink(missing_ok=True)
            if os.path.lexists(path):
                raise FileExistsError(None, "is there already")
            beside.rename(path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        message = f"can't be written: {reason(error)}."
        remedy = "Make room there, or see that you may write to the folder."
        raise refused(str(path), message=message, remedy=remedy) from None
    return path
