"""The whole of campaign.toml, and the tables of it that figures depend on."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field, ValidationInfo, field_validator, model_validator
from typing_extensions import TypedDict  # pydantic takes that of Python from 3.12 on

from reportgen.base.engines import is_address, is_server
from reportgen.campaign.metadata import (
    AnnotationSource,
    Annotator,
    Author,
    Controls,
    Corpus,
    Floors,
    Privacy,
    Protocol,
    Reference,
    ReplacementRule,
    Table,
)
from reportgen.campaign.values import (
    Cell,
    Count,
    Day,
    DistanceName,
    EngineId,
    Features,
    FileName,
    Identifier,
    Label,
    Languages,
    Listed,
    Milliseconds,
    Name,
    PathPattern,
    Pattern,
    Scale,
    Size,
    Text,
    Unfit,
    Unique,
    Units,
    VersionName,
    Weight,
    export_files,
    few_versions,
    one_or_more,
    optional,
)
from reportgen.results import SubjectId

# The table of campaign.toml that asks for gamma.

MOST_SAMPLES = 100_000
MOST_SEEDS = 2**32

Samples = Annotated[int, Field(ge=2, le=MOST_SAMPLES)]
Seed = Annotated[int, Field(ge=0, lt=MOST_SEEDS)]
Precision = Annotated[float, Field(gt=0, lt=1, allow_inf_nan=False)]


class Unitizing(Table):
    """Whether gamma is computed beside the other unitizing figures, and how."""

    gamma: bool = Field(
        default=False,
        description="Whether gamma, gamma-cat and gamma-k are computed: slow, sampled, and only where the "
        "package pygamma-agreement is installed.",
    )
    samples: Samples = Field(default=30, description="How many random continua a document has.")
    seed: Seed = Field(default=20150901, description="Where the random numbers begin.")
    precision: Precision | None = optional(
        "The relative error of the expected disorder to be reached at 95%, such as 0.02: more "
        "samples are drawn as it takes."
    )
    alpha: Weight = Field(default=1.0, description="How much the places of units weigh.")
    beta: Weight = Field(default=1.0, description="How much their types weigh.")
    delta_empty: Weight = Field(default=1.0, description="What a unit costs that has no partner.")


# The whole of campaign.toml, and the tables of it that figures depend on.

OF_DATABASE = {"table", "database"}
NO_SERVER = "is not the address of a database server."
WRITE_SERVER = (
    "Write an address such as postgres://host/campaign, or the name of a file in the campaign's folder: "
    'exports = { table = "labels", database = "campaign.duckdb" }.'
)


class Task(Table):
    """What annotators decided about each unit."""

    categories: Unique[Label] = Field(
        default=(), description="The categories in their order; those that occur nowhere still count."
    )
    non_annotated: Label | None = optional("The name of the pseudo-category of units that nobody marked.")
    scale: Scale = Field(default="nominal", description="How categories relate to each other.")
    coefficient: Text | None = optional("The primary coefficient, such as krippendorff_alpha.")
    subject: SubjectId | None = optional(
        "What the verdict is about: one annotator's labels, those of a crowd together, systems beside a "
        "reference, a model as judge, recordings, or people beside themselves; without it, found."
    )
    tolerance: Milliseconds | None = optional(
        'Recordings: how far apart boundaries may be that are the same, such as "200 ms".'
    )
    priority: Unique[Label] = Field(
        default=(), description="Which category a unit takes under two marks: the first in this list."
    )
    category_count: Count | None = optional("How many categories there are, where they are too many to list.")
    features: Features = Field(
        default=(),
        description='Features that two marks must share to be a match, beside the category; "*": all.',
    )
    feature_match: Literal["equal", "subset"] = Field(
        default="equal",
        description='How: "equal", or "subset" where the key may lack what the response says.',
    )
    beta: Weight = Field(
        default=1.0, description="How many times as much recall weighs as precision in the F-measure."
    )


def without_inherited_defaults(schema: dict[str, Any]) -> None:
    """Take the defaults of [task] out of the schema of a table where [task] itself is the default."""
    for name in Task.model_fields:
        schema["properties"][name].pop("default", None)


class Layer(Task):
    """One of several things labelled in the campaign; what it leaves open comes from [task]."""

    model_config = ConfigDict(json_schema_extra=without_inherited_defaults)

    id: Identifier = Field(description="The layer's name in the report.")
    source: Text | None = Field(
        default_factory=lambda data: data.get("id"),
        description='A column, an annotation type, a layer, or "Type->feature"; by default, its id.',
    )


class UnitSet(Table):
    """What counts as a unit, and so how large the non-annotated category is."""

    id: Identifier = Field(description="The unit set's name in the report.")
    units: Units = Field(description="What counts as a unit.")
    primary: bool = Field(default=False, description="Whether the verdict rests on this unit set.")
    why: str = Field(default="", description="Why these units: the argument, in Markdown.")
    size: Size | None = optional("Units that are declared: their number, or a CSV of document and size.")
    token_pattern: Pattern | None = optional(
        "A regular expression of tokens; without it, whitespace separates them."
    )
    file: FileName | None = optional(
        "Candidates: a list of terms, one a line, matched as written; # comments."
    )
    layer: Text | None = optional(
        "Candidates: the id of a layer, or a type of the export, whose marks they are."
    )
    keep_marked: bool = Field(
        default=False, description="Candidates: marks outside them become units instead of being left out."
    )
    layers: Unique[Identifier] = Field(
        default=(), description="The layers whose units these are, by their ids; without it, all of them."
    )
    base: Literal["tokens"] | None = optional('"tokens": in exports of spans, count tokens instead of marks.')


class Distance(Table):
    """How far categories are from each other, as the campaign's experts see it."""

    id: DistanceName = Field(description="The name in brackets behind figures, such as expert.")
    file: FileName | None = optional(
        "A CSV table with the categories as first row and first column, or GATE's BDM scores."
    )
    taxonomy: FileName | None = optional(
        "A taxonomy, whose BDM gives the distances: a CSV of child and parent, RDF/OWL or SKOS."
    )
    why: str = Field(default="", description="Why these distances: the argument, in Markdown.")

    @property
    def source(self) -> str:
        """Return the name of the file that the distances come from."""
        return self.file or self.taxonomy or ""


class UnitSetOverride(Table):
    """What one guidelines version says differently about a unit set."""

    size: Size = Field(description="The size under this guidelines version.")


class DistanceOverride(Table):
    """What one guidelines version says differently about a distance."""

    file: FileName | None = optional("The distance table or BDM scores of this guidelines version.")
    taxonomy: FileName | None = optional("The taxonomy of this guidelines version.")


class Columns(Table):
    """Which columns of a ratings table hold what."""

    unit: Text | None = optional("The column of units.")
    annotator: Text | None = optional("The column of annotators.")
    document: Text | None = optional("The column of documents.")
    label: Text | None = optional("The column of labels.")
    pass_: Text | None = Field(default=None, alias="pass", description="The column of passes.")
    text: Text | None = optional("The column of units' texts, which are shown where annotators differ.")
    group: Annotated[
        Unique[Text], BeforeValidator(one_or_more, json_schema_input_type=Text | Listed[Text])
    ] = Field(
        default=(),
        description='Columns of what annotators are, beside each of their labels: ["age", "gender", "L1"]. '
        "Groups of fewer people than [privacy] smallest are published nowhere.",
    )


HeaderPattern = Annotated[
    str, Field(pattern=r"^[^{}]*\{(layer|annotator)\}([^{}]+\{(layer|annotator)\})?[^{}]*$")
]


class ReadOptions(Table):
    """How the exports of one guidelines version are to be read."""

    format: Text | None = optional("The export format; without it, detected.")
    path: PathPattern | None = optional('Where names are in export paths, such as "{annotator}/{document}".')
    columns: Columns = Field(default_factory=Columns, description="Which column is what.")
    set_separator: Label | None = optional("What separates the labels of a set in one cell.")
    missing: Unique[Cell] = Field(default=(), description="Cells that mean a missing rating.")
    headers: HeaderPattern | None = optional(
        'Where questions and annotators stand in the headers of a table, such as "{layer}_{annotator}".'
    )
    indicators: Unique[Text] = Field(
        default=(), description="Columns of 0 and 1, one for each label of a set."
    )
    header: Annotated[
        Listed[Count], BeforeValidator(one_or_more, json_schema_input_type=Count | Listed[Count])
    ] = Field(default=(), description="The line of a table's header, or its two lines; without it, found.")
    skip_rows: Unique[Count] = Field(
        default=(),
        description="The lines of a table that are not rows of labels, such as totals; without it, found.",
    )
    fill_down: Unique[Text] = Field(
        default=(),
        description="Columns that are filled in the first of several rows only; without it, found.",
    )
    encoding: Text | None = optional(
        "How a table is encoded that is not in UTF-8, such as cp1252; else, found."
    )
    decimal: Literal[",", "."] | None = optional(
        "What is before the fractions of numbers in a table; without it, found."
    )
    rejected: Label | None = optional(
        "Prodigy: the label of a choice that was rejected; without it, it is left out."
    )
    normalise: Unique[Literal["lowercase", "strip"]] = Field(
        default=(), description="What is done to labels before they are compared."
    )
    labels: dict[Label, Label] = Field(
        default_factory=dict,
        description='Labels that are renamed before they are compared, such as { "N/A " = "N/A" }.',
    )
    annotators: Unique[Label] = Field(
        default=(), description="The annotators to compare; without it, everyone found."
    )
    table: Text | None = optional("The table or view of a database that is the export.")
    database: Text | None = optional(
        "The address of the database where the table lies, such as postgres://host/campaign."
    )
    engine: EngineId | None = optional(
        "Who reads tables; by default DuckDB reads large ones. Results are the same."
    )

    @field_validator("database", mode="after")
    @classmethod
    def _of_a_server(cls, value: str | None) -> str | None:
        if value is not None and not is_server(value):
            raise Unfit(NO_SERVER, WRITE_SERVER)
        return value


class TableOfDatabase(TypedDict):
    """A table as an export."""

    database: Annotated[str, Field(description="The file of a DuckDB or SQLite database, or an address.")]
    table: Annotated[str, Field(description="The table or view in it that is the export.")]


class Guidelines(Task, ReadOptions):
    """One version of the guidelines, or a round of one, and what was annotated by it."""

    model_config = ConfigDict(json_schema_extra=without_inherited_defaults)

    version: VersionName = Field(description="The version, in quotes.")
    date: Day | None = optional("When it came into use, such as 2009-06-01.")
    was: Annotated[
        Unique[VersionName],
        BeforeValidator(one_or_more, json_schema_input_type=VersionName | Listed[VersionName]),
    ] = Field(
        default=(),
        description="What the version was called earlier, one name or several: their addresses lead here.",
    )
    released: Day | None = optional(
        "When its report was released, such as 2026-11-25; by default the day of SOURCE_DATE_EPOCH."
    )
    again: str = Field(
        default="",
        description="Why it was released again with other labels; `reportgen bundle --again` writes it.",
    )
    exports: Annotated[
        Listed[str],
        BeforeValidator(one_or_more, json_schema_input_type=str | TableOfDatabase | Listed[str]),
    ] = Field(
        default_factory=tuple,
        validate_default=True,
        description="A folder, a file, or a list of them and of globs; by default exports/<version>. A table "
        'of a database is { table = "labels", database = "campaign.duckdb" }.',
    )
    document: FileName | None = optional("The file of the guidelines themselves.")
    changes: str = Field(default="", description="What changed since the version before, in Markdown.")
    merged: dict[
        Label,
        Annotated[Listed[Label], BeforeValidator(one_or_more, json_schema_input_type=Label | Listed[Label])],
    ] = Field(
        default_factory=dict,
        description="Categories of earlier versions and what became of them in this one: another name, the "
        "name of one that several became, or the list of those that one was split into.",
    )
    adjudication: Annotated[
        Listed[FileName], BeforeValidator(one_or_more, json_schema_input_type=FileName | Listed[FileName])
    ] = Field(
        default=(),
        description="A filled adjudication sheet, CSV or Excel, or several: decisions become a reference.",
    )
    unit_sets: dict[str, UnitSetOverride] = Field(
        default_factory=dict, description="Unit sets by id whose size is another in this version."
    )
    distances: dict[str, DistanceOverride] = Field(
        default_factory=dict, description="Distances by id whose table is another in this version."
    )

    @model_validator(mode="before")
    @classmethod
    def _of_database(cls, data: object) -> object:
        # { table, database } is a file as the export, or an address and no file, and the table to take of it.
        exports = data.get("exports") if isinstance(data, Mapping) else None
        if isinstance(data, Mapping) and isinstance(exports, Mapping) and exports.keys() == OF_DATABASE:
            database, table = exports["database"], exports["table"]
            if isinstance(database, str) and is_address(database):
                if not is_server(database):
                    return data
                return {**data, "exports": [], "database": database, "table": table}
            return {**data, "exports": [database], "table": table}
        return data

    @field_validator("exports", mode="before")
    @classmethod
    def _exports_of_version(cls, value: object, info: ValidationInfo) -> object:
        # The default is an empty tuple, which no TOML file can have: there it is a list.
        if isinstance(value, Mapping):
            if value.keys() == OF_DATABASE:
                raise Unfit(NO_SERVER, WRITE_SERVER)
            remedy = 'Write exports = { table = "labels", database = "campaign.duckdb" }.'
            raise Unfit("is a table of other keys than table and database.", remedy)
        version = info.data.get("version")
        return [f"exports/{version}"] if value == () and version else value

    @field_validator("exports", mode="after")
    @classmethod
    def _exports_that_exist(cls, value: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        if not value and "version" in info.data and not info.data.get("database"):
            raise Unfit("is an empty list; exports were expected.", 'Write exports = "exports/1.0".')
        if isinstance(info.context, Path):
            export_files(info.context, value)
        return value


class CampaignToml(Table):
    """What a campaign.toml says: the campaign, its units and distances, and its guidelines versions."""

    title: Text = Field(description="The campaign's title.")
    language: Languages = Field(default=("en",), description="The report's language or languages.")
    source: AnnotationSource | None = optional("Where people annotate: `reportgen pull` fetches from there.")
    corpus: Corpus = Field(default_factory=Corpus, description="What is annotated and released.")
    authors: Listed[Author] = Field(default=(), description="Who signs the report.")
    protocol: Protocol = Field(default_factory=Protocol, description="How it was annotated.")
    references: Listed[Reference] = Field(default=(), description="Works that the report cites.")
    privacy: Privacy = Field(default_factory=Privacy, description="What may be shown.")
    task: Task = Field(default_factory=Task, description="What annotators decided about each unit.")
    layers: Listed[Layer] = Field(default=(), description="Several things labelled; without any, one: main.")
    annotators: dict[Name, Annotator] = Field(
        default_factory=dict, description="Who the annotators are, by their names in the exports."
    )
    controls: Controls | None = optional("Control items.")
    replacement: ReplacementRule | None = optional("What it takes for a model to take an annotator's place.")
    unit_sets: Listed[UnitSet] = Field(default=(), description="What counts as a unit; by default, items.")
    distances: Listed[Distance] = Field(default=(), description="A-priori distances between categories.")
    unitizing: Unitizing = Field(default_factory=Unitizing, description="Whether gamma is computed, and how.")
    guidelines: Annotated[Listed[Guidelines], Field(min_length=1), BeforeValidator(few_versions)] = Field(
        description="The guidelines versions, the oldest first."
    )
    gate: dict[str, Floors] = Field(
        default_factory=dict,
        description="What `reportgen check` demands of the newest version, by figure, one table or several: "
        'krippendorff_alpha, cohen_kappa, "f_measure[strict]", …',
    )
