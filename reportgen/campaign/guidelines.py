"""The campaign as other rooms see it, and the resolved view of one guidelines version."""

import datetime as dt
import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from pydantic import Field

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import alternatives, for_each, nearest, quoted, refused
from reportgen.campaign.csv_tables import (
    ControlItems,
    DistanceMatrix,
    read_controls,
    read_distances,
    read_sizes,
    read_terms,
)
from reportgen.campaign.toml_tables import (
    CampaignToml,
    Controls,
    Distance,
    ExportPath,
    Guidelines,
    Layer,
    ReadOptions,
    Task,
    Unfit,
    UnitSet,
    export_files,
)
from reportgen.results import Choice

FILE = "campaign.toml"

SomeTask = TypeVar("SomeTask", bound=Task)


@dataclass(frozen=True)
class Version:
    """One guidelines version with every default and every override worked out.

    `layers` has at least one element ("main" where none is declared), each with all keys of the task;
    `unit_sets` have exactly one primary. Categories never contain the non-annotated one. `exports` is
    sorted by name. `folder` is the campaign's, `name` how the user calls it. `adjudication` names the filled
    adjudication sheets, `prompts` the files of models' prompts, `others` who is a reference, system or model.
    """

    id: str
    date: dt.date | None
    document: str | None
    changes: str
    merged: dict[str, tuple[str, ...]]
    task: Task
    layers: tuple[Layer, ...]
    unit_sets: tuple[UnitSet, ...]
    distances: tuple[Distance, ...]
    reading: ReadOptions
    exports: tuple[ExportPath, ...]
    folder: Path
    name: str
    adjudication: tuple[str, ...] = ()
    controls: Controls | None = None
    prompts: tuple[str, ...] = ()
    was: tuple[str, ...] = ()
    released: dt.date | None = None
    again: str = ""
    others: tuple[str, ...] = ()

    @property
    def primary(self) -> UnitSet:
        """Return the unit set on which the verdict rests."""
        return next(unit_set for unit_set in self.unit_sets if unit_set.primary)

    @property
    def files(self) -> tuple[str, ...]:
        """Return the names of the files that are read beside the exports; one may be there twice."""
        sizes = [unit_set.size for unit_set in self.unit_sets if isinstance(unit_set.size, str)]
        terms = [unit_set.file for unit_set in self.unit_sets if unit_set.file is not None]
        documents = [self.document] if self.document else []
        controls = [self.controls.file] if self.controls else []
        distances = [distance.source for distance in self.distances]
        return (*documents, *distances, *sizes, *terms, *controls, *self.adjudication, *self.prompts)

    def shown(self, file: str) -> str:
        """Return the name of a file of the campaign as the user would type it."""
        return _shown(self.name, file)

    def distance_tables(self, categories: Collection[str] | None = None) -> tuple[DistanceMatrix, ...]:
        """Return the distance tables in declared order; raise BadInput with all that is wrong in any.

        Of a taxonomy or of BDM scores, a table has the concepts among the declared categories and
        `categories`, and the non-annotated ones of the layers; without `categories` files are only checked.
        """
        unmarked = [layer.non_annotated for layer in self.layers if layer.non_annotated is not None]
        declared = [name for layer in self.layers for name in layer.categories]
        among = () if categories is None else (*declared, *categories)

        def table(distance: Distance) -> DistanceMatrix:
            path, shown = self.folder / distance.source, self.shown(distance.source)
            by_taxonomy = distance.taxonomy is not None
            matrix = read_distances(path, shown, among=among, unplaced=unmarked, taxonomy=by_taxonomy)
            # Results have the name of the file in the campaign's folder.
            origin = matrix.origin and matrix.origin.model_copy(update={"file": distance.source})
            return replace(matrix, id=distance.id, why=distance.why, file=distance.source, origin=origin)

        return tuple(for_each(self.distances, table))

    def sizes(self, unit_set: UnitSet) -> int | dict[str, int] | None:
        """Return the declared size of a unit set, one number or one a document; None without any.

        Raises BadInput with all that is wrong in its file.
        """
        if isinstance(unit_set.size, str):
            return read_sizes(self.folder / unit_set.size, self.shown(unit_set.size))
        return unit_set.size

    def terms(self, unit_set: UnitSet) -> tuple[str, ...]:
        """Return the terms that a unit set's candidates are, none where it has no file of them.

        Raises BadInput with what is wrong in the file.
        """
        if unit_set.file is None:
            return ()
        return read_terms(self.folder / unit_set.file, self.shown(unit_set.file))

    def control_items(self) -> ControlItems | None:
        """Return the control items with the rule of rejection, None where there are none.

        Raises BadInput with all that is wrong in their file.
        """
        if self.controls is None:
            return None
        shown = self.shown(self.controls.file)
        layers = [layer.id for layer in self.layers]
        items = read_controls(self.folder / self.controls.file, shown, layers)
        return ControlItems(shown, items, self.controls.reject_below, self.controls.minimum)


class Campaign(CampaignToml):
    """A whole campaign.toml that holds together, with the campaign's folder.

    `id` is the folder's name, `folder` its absolute path, `name` the folder as the user calls it.
    """

    id: str = Field(description="The folder's name.")
    folder: Path = Field(description="The campaign's folder.")
    name: str = Field(description="The folder as the user calls it.")

    @property
    def file(self) -> str:
        """Return the name of the campaign.toml as the user would type it."""
        return _shown(self.name, FILE)

    @property
    def versions(self) -> tuple[str, ...]:
        """Return the guidelines versions, the oldest first: by date, else as declared, never by name."""
        return tuple(guidelines.version for guidelines in by_age(self.guidelines))

    def index_of(self, guidelines_version: str) -> int:
        """Return the index of a guidelines version in campaign.toml, from 0, however old it is."""
        return [guidelines.version for guidelines in self.guidelines].index(guidelines_version)

    def version(self, guidelines_version: str) -> Version:
        """Return what holds for one guidelines version, with its overrides.

        Raises BadInput where there is no such version, or its exports are no longer there.
        """
        guidelines = self._guidelines(guidelines_version)
        overrides = _values(guidelines, only=guidelines.model_fields_set)
        task = Task.model_construct(**(_values(self.task) | overrides))
        return Version(
            id=guidelines.version,
            date=guidelines.date,
            document=guidelines.document,
            changes=guidelines.changes,
            merged=guidelines.merged,
            task=_without_non_annotated(task),
            layers=_layers(self.layers, task),
            unit_sets=_unit_sets(self.unit_sets, guidelines),
            distances=tuple(
                distance.model_copy(update=dict(guidelines.distances.get(distance.id, ())))
                for distance in self.distances
            ),
            reading=ReadOptions.model_construct(
                **{name: getattr(guidelines, name) for name in ReadOptions.model_fields}
            ),
            exports=self._exports(guidelines),
            folder=self.folder,
            name=self.name,
            adjudication=guidelines.adjudication,
            controls=self.controls,
            prompts=tuple(annotator.prompt for annotator in self.annotators.values() if annotator.prompt),
            was=guidelines.was,
            released=guidelines.released,
            again=guidelines.again,
            others=tuple(name for name, own in self.annotators.items() if own.role != "annotator"),
        )

    def earlier_columns(self, guidelines_version: str) -> dict[str, str]:
        """Return the columns by their roles that older versions name, and a guidelines version does not.

        Of groups of annotators each version says what may be told.
        """
        said: dict[str, str] = {}
        for guidelines in by_age(self.guidelines):
            columns = guidelines.columns
            own = {name: getattr(columns, name) for name in columns.model_fields_set - {"group"}}
            if guidelines.version == guidelines_version:
                return {
                    role: name for role, name in said.items() if role not in own and name not in own.values()
                }
            said |= own
        return said

    def earlier_names(self, guidelines_version: str) -> tuple[str, ...]:
        """Return what a guidelines version was called earlier."""
        return self.guidelines[self.index_of(guidelines_version)].was

    def _guidelines(self, version: str) -> Guidelines:
        if version in self.versions:
            return self.guidelines[self.index_of(version)]
        remedy = nearest(version, self.versions) or f"It has {alternatives(self.versions, 'and')}."
        raise refused(self.file, message=f"has no guidelines version {quoted(version)}.", remedy=remedy)

    def _exports(self, guidelines: Guidelines) -> tuple[ExportPath, ...]:
        try:
            files = export_files(self.folder, guidelines.exports)
            # A sheet that lies among the exports is not one of them.
            return tuple(file for file in files if file.name not in guidelines.adjudication)
        except Unfit as reason:
            key = f"guidelines.{self.guidelines.index(guidelines) + 1}.exports"
            raise refused(self.file, 0, key, reason.message, reason.remedy) from None


def by_age(declared: Sequence[Guidelines]) -> list[Guidelines]:
    """Return guidelines versions from the oldest to the newest.

    They are in declared order unless dates say otherwise; a version without a date stays behind the one
    declared before it.
    """
    since, dated = dt.date.min, list[tuple[dt.date, Guidelines]]()
    for guidelines in declared:
        since = guidelines.date or since
        dated.append((since, guidelines))
    return [guidelines for _, guidelines in sorted(dated, key=lambda pair: pair[0])]


def _shown(name: str, file: str) -> str:
    return (Path(name) / file).as_posix()


def _values(task: Task, only: set[str] | None = None) -> dict[str, Any]:
    return {name: getattr(task, name) for name in Task.model_fields if only is None or name in only}


def _without_non_annotated(task: SomeTask) -> SomeTask:
    # Whether it is listed or not, the non-annotated category is the last one, and not everywhere one.
    categories = tuple(category for category in task.categories if category != task.non_annotated)
    return task.model_copy(update={"categories": categories})


def _layers(declared: tuple[Layer, ...], task: Task) -> tuple[Layer, ...]:
    layers = declared or (Layer(id="main", source=None),)
    return tuple(
        _without_non_annotated(
            layer.model_copy(update=_values(task) | _values(layer, layer.model_fields_set))
        )
        for layer in layers
    )


def _unit_sets(declared: tuple[UnitSet, ...], guidelines: Guidelines) -> tuple[UnitSet, ...]:
    unit_sets = declared or (UnitSet(id="items", units="items"),)
    primary = {unit_set.id for unit_set in unit_sets if unit_set.primary} or {unit_sets[0].id}
    overrides = guidelines.unit_sets
    return tuple(
        unit_set.model_copy(
            update={
                "primary": unit_set.id in primary,
                "size": overrides[unit_set.id].size if unit_set.id in overrides else unit_set.size,
            }
        )
        for unit_set in unit_sets
    )


# The JSON Schema of campaign.toml, from which editors complete and check it.


def campaign_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of campaign.toml, always the same.

    It accepts whatever `load` accepts; what several keys say together, and whether files exist, only
    `load` checks.
    """
    schema = CampaignToml.model_json_schema()
    dialect = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": dialect, **schema, "title": "campaign.toml"}


# Which coefficient is the primary one of a layer, and why: by the design of the campaign, never by values.
#
# The rule looks at what campaign.toml says of the whole campaign, so that the answer is the same in all
# versions. Krippendorff's alpha takes any number of annotators, missing ratings and any scale, and stands for
# annotators that others could replace; so it is the choice, with the distance of the scale. That a category
# prevails is a caveat that findings state, and no reason to choose another coefficient.

NOMINAL = "krippendorff_alpha"
# What the verdict on recordings is about: no coefficient of units, which one is chosen for beside it.
UNITIZING = "alpha_u"


class Reason(StrEnum):
    """Why a coefficient is the primary one; a closed list, translated when a page is rendered."""

    DECLARED = "The campaign declares it."
    ELSEWHERE = (
        "The campaign declares it for guidelines {version}, and all versions are judged by one coefficient."
    )
    NOMINAL = "Categories are names without an order."
    ORDINAL = "Categories have an order, so that confusing neighbours is the lesser disagreement."
    INTERVAL = "Categories are numbers whose differences mean the same everywhere on the scale."
    RATIO = "Categories are amounts with a true zero, so that differences count in proportion."
    SET = "Annotators give sets of labels, and to leave one out is a lesser disagreement than to differ."
    SCALES = "Versions differ in their scale ({scales}), and in all of them categories can be taken as names."

    @property
    def declared(self) -> bool:
        """Tell whether campaign.toml names the coefficient, for these guidelines or others."""
        return self in {Reason.DECLARED, Reason.ELSEWHERE}


BY_SCALE: Mapping[str, tuple[str, Reason]] = {
    "nominal": (NOMINAL, Reason.NOMINAL),
    "ordinal": (f"{NOMINAL}[ordinal]", Reason.ORDINAL),
    "interval": (f"{NOMINAL}[interval]", Reason.INTERVAL),
    "ratio": (f"{NOMINAL}[ratio]", Reason.RATIO),
    "set": (f"{NOMINAL}[masi]", Reason.SET),
}


def choose(campaign: Campaign, version: str, layer: str) -> Choice:
    """Return the primary coefficient of a layer under some guidelines.

    A declared one counts. Where other guidelines alone declare one, all that do the same and all on one
    scale, it holds for these too. Otherwise the scale decides, and where versions differ in it, categories
    are taken as names.
    """
    declared = {
        guidelines.version: _asked(campaign, guidelines, layer, "coefficient")
        for guidelines in campaign.guidelines
    }
    declared = {name: None if own == UNITIZING else own for name, own in declared.items()}
    if chosen := declared.get(version):
        return _choice(chosen, Reason.DECLARED)
    scales = {
        _asked(campaign, guidelines, layer, "scale") or "nominal": None for guidelines in campaign.guidelines
    }
    named = {name: version_name for version_name, name in reversed(declared.items()) if name}
    if len(named) == 1 and len(scales) == 1:
        ((coefficient, other),) = named.items()
        return _choice(coefficient, Reason.ELSEWHERE, version=other)
    return by_design(scales)


def by_design(scales: Iterable[str]) -> Choice:
    """Return the coefficient that the scales of a layer in all versions call for."""
    different = list(dict.fromkeys(scales))
    if len(different) > 1:
        return _choice(NOMINAL, Reason.SCALES, scales=", ".join(different))
    return _choice(*BY_SCALE[different[0]])


def _choice(coefficient: str, reason: Reason, **values: str) -> Choice:
    return Choice(coefficient=coefficient, declared=reason.declared, reason=reason, values=values)


def _asked(campaign: Campaign, guidelines: Guidelines, layer: str, key: str) -> str | None:
    """Return what a layer has for a key of [task]: its own, else that of the guidelines, else the task's."""
    layers = [declared for declared in campaign.layers if declared.id == layer]
    for task in (*layers, guidelines):
        if key in task.model_fields_set:
            value: str | None = getattr(task, key)
            return value
    inherited: str | None = getattr(campaign.task, key)
    return inherited


# What campaign.toml says of one guidelines version, as provenance records it.

# What other guidelines say, what only `reportgen check` and comparisons look at, where the campaign is, and
# in which languages it is reported, where people annotate, where tables lie and who reads them, what a
# version was called and when it was released: figures are the same in all of them.
ELSEWHERE = {"guidelines", "annotators", "gate", "language", "schema_", "source"}
NO_FIGURE = {"merged", "engine", "database", "was", "released", "again"}


def settings(campaign: Campaign, version: Version, names: Mapping[str, str], people: Collection[str]) -> str:
    """Return the SHA-256 of all in campaign.toml that holds for one guidelines version, and of nothing else.

    It is that of canonical JSON: sorted keys, no spaces. Of `people`, those who are in the version, it has
    the pseudonyms in `names`, so that it tells of nobody. The primary coefficients are in it, since they
    depend on the scales of all versions.
    """
    given = campaign.model_fields_set & CampaignToml.model_fields.keys()
    written = CampaignToml.model_construct(**{name: getattr(campaign, name) for name in given})
    content = written.model_dump(mode="json", by_alias=True, exclude_unset=True, exclude=ELSEWHERE)
    content["id"] = campaign.id
    # What is declared of those who are in the version, in declared order, by the names shown.
    declarations: list[tuple[str, dict[str, Any]]] = []
    for name, annotator in campaign.annotators.items():
        if name in people:
            # Of small groups not even a digest tells: whoever knows all else could try which it is.
            declared = annotator.model_dump(mode="json", exclude_unset=True, exclude={"group"})
            if not declared and "group" in annotator.model_fields_set:
                continue
            if first := annotator.same_as:
                declared["same_as"] = names.get(first, first) if first in people else ""
            declarations.append((names.get(name, name), declared))
    content["annotators"] = declarations
    content["guidelines"] = _guidelines(campaign, version, names)
    content["coefficients"] = {
        layer.id: choose(campaign, version.id, layer.id).model_dump(mode="json", exclude={"declared"})
        for layer in version.layers
    }
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _guidelines(campaign: Campaign, version: Version, names: Mapping[str, str]) -> dict[str, Any]:
    guidelines = campaign.guidelines[campaign.index_of(version.id)]
    content = guidelines.model_dump(mode="json", by_alias=True, exclude_unset=True, exclude=NO_FIGURE)
    if chosen := content.get("annotators"):
        content["annotators"] = [names.get(name, name) for name in chosen]
    if version.reading.columns.model_fields_set:  # also those that an older version named
        content["columns"] = version.reading.columns.model_dump(
            mode="json", by_alias=True, exclude_unset=True
        )
    return content
