"""What was asked: a campaign's folder and its campaign.toml become a `Campaign`.

`load` reads and checks the whole of it and names every mistake at once. `Campaign.version` resolves
one guidelines version: task, layers, unit sets, distances, how to read its exports, and their files.
`placed` finds the line of a mistake that another room found; `unused` lists keys that nothing acts on yet.
"""

from reportgen.campaign.bdm import Origin, Score
from reportgen.campaign.checks import merges, strangers, unused
from reportgen.campaign.distance_tables import DistanceMatrix, distances_among, read_distances
from reportgen.campaign.load import load
from reportgen.campaign.metadata import (
    Annotator,
    Author,
    Controls,
    Corpus,
    Floor,
    Privacy,
    Protocol,
    Reference,
    ReplacementRule,
)
from reportgen.campaign.model import Campaign, Version, campaign_schema
from reportgen.campaign.small_tables import ControlItem, ControlItems, read_controls, read_sizes
from reportgen.campaign.tables import Columns, Distance, Guidelines, Layer, ReadOptions, Task, UnitSet
from reportgen.campaign.toml_lines import lines_of, placed
from reportgen.campaign.values import MEASURE_DISTANCES, ExportPath, Role, Scale, Units

__all__ = [
    "MEASURE_DISTANCES",
    "Annotator",
    "Author",
    "Campaign",
    "Columns",
    "ControlItem",
    "ControlItems",
    "Controls",
    "Corpus",
    "Distance",
    "DistanceMatrix",
    "ExportPath",
    "Floor",
    "Guidelines",
    "Layer",
    "Origin",
    "Privacy",
    "Protocol",
    "ReadOptions",
    "Reference",
    "ReplacementRule",
    "Role",
    "Scale",
    "Score",
    "Task",
    "UnitSet",
    "Units",
    "Version",
    "campaign_schema",
    "distances_among",
    "lines_of",
    "load",
    "merges",
    "placed",
    "read_controls",
    "read_distances",
    "read_sizes",
    "strangers",
    "unused",
]
