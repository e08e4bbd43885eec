"""What was asked: a campaign's folder and its campaign.toml become a `Campaign`.

`load` reads and checks the whole of it and names every mistake at once. `Campaign.version` resolves
one guidelines version: task, layers, unit sets, distances, how to read its exports, and their files.
`placed` finds the line of a mistake that another room found; `idle_keys` lists keys that nothing acts on yet.
"""

from reportgen.campaign.csv_tables import (
    ControlItem,
    ControlItems,
    DistanceMatrix,
    read_distances,
)
from reportgen.campaign.guidelines import (
    UNITIZING,
    Campaign,
    Version,
    by_age,
    campaign_schema,
)
from reportgen.campaign.load import (
    IN_FOLDERS,
    idle_keys,
    lines_of,
    load,
    load_before_exports,
    load_reading,
    placed,
    unknown_annotators,
    wrong_merges,
)
from reportgen.campaign.toml_tables import (
    ALL,
    MEASURE_DISTANCES,
    AnnotationSource,
    Annotator,
    Distance,
    Floor,
    Guidelines,
    Layer,
    ReplacementRule,
    Scale,
    Task,
    Units,
    UnitSet,
)

__all__ = [
    "ALL",
    "IN_FOLDERS",
    "MEASURE_DISTANCES",
    "UNITIZING",
    "AnnotationSource",
    "Annotator",
    "Campaign",
    "ControlItem",
    "ControlItems",
    "Distance",
    "DistanceMatrix",
    "Floor",
    "Guidelines",
    "Layer",
    "ReplacementRule",
    "Scale",
    "Task",
    "UnitSet",
    "Units",
    "Version",
    "by_age",
    "campaign_schema",
    "idle_keys",
    "lines_of",
    "load",
    "load_before_exports",
    "load_reading",
    "placed",
    "read_distances",
    "unknown_annotators",
    "wrong_merges",
]
