"""reportgen: from a campaign of annotators' exports to a published agreement report.

`from reportgen import agreement` has every figure of ratings in memory, `reportgen.load` opens a campaign,
`reportgen.pull` fetches its exports first.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.base import __version__

if TYPE_CHECKING:
    from reportgen.agreement import LoadedCampaign

__all__ = ["__version__", "load", "pull"]


def load(folder: str | Path) -> "LoadedCampaign":
    """Return the campaign of a folder, to be built, or to be looked at in Python.

    Raises BadInput with all that is wrong in its campaign.toml. Exports are read when results are asked for.
    """
    # For one figure, or the version, nobody has to wait for all that reads and renders.
    from reportgen.agreement import LoadedCampaign

    return LoadedCampaign(Path(folder))


def pull(folder: str | Path, version: str = "", *, force: bool = False) -> "LoadedCampaign":
    """Fetch the exports of a version, by default the newest, from where people annotate; return the campaign.

    Raises BadInput with what is wrong, also where half of what was there is gone unless `force` lets it; then
    the exports are as they were.
    """
    from reportgen.app.servers.pull_push import pull as pulling

    pulling(Path(folder), version, force=force)
    return load(folder)
